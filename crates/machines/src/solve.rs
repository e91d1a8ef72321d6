//! Support vector machines: the dual problems and their solutions.
//!
//! All problems are one problem in *signed* coefficients `b` (the papers' `alpha * y`):
//!
//! `minimise 1/2 b' K b + sum_i cost_i(b_i)`  with  `low_i <= b_i <= high_i`  and  `sum b` given,
//!
//! where `cost_i` is linear, or for regression linear on either side of zero. Signed coefficients
//! spare the matrix its signs: a row in memory is used as it is. The machines with `nu` have two
//! groups of coefficients whose sums are given.
//!
//! A new object's decision value is the sum of coefficients times its inner products with the
//! training objects, plus the bias.

mod classes;
mod engine;
mod numbers;
mod region;
mod rows;
mod sweep;

pub use classes::{classify, nu_classify};
pub use numbers::{nu_regress, regress};
pub use region::one_class;

use crate::{Error, Matrix};

/// When to be content, and what may be used on the way.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// By how much the optimality conditions may be violated; 0.001 unless told.
    pub tolerance: f64,
    /// How much memory rows of a matrix may take that is not in memory itself.
    pub cache_bytes: usize,
    /// Whether coefficients that seem to stay at a bound are left out for a while. The result is
    /// as accurate as without.
    pub shrinking: bool,
    /// After how many iterations to return what there is, with
    /// [`converged`](Solution::converged) false; unless told, 10,000,000 or 100 for each object.
    pub most_iterations: Option<u64>,
    /// Asked every now and then; once it says yes the result is [`Error::Stopped`].
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

impl Default for Limits<'_> {
    fn default() -> Self {
        Limits {
            tolerance: 1e-3,
            cache_bytes: 200 << 20,
            shrinking: true,
            most_iterations: None,
            stop: &|| false,
        }
    }
}

/// What a support vector machine has learned.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// The signed coefficient of each training object; objects with a zero are not needed.
    pub coefficients: Vec<f64>,
    /// What is added to the weighted sum of inner products.
    pub bias: f64,
    /// The dual objective, which was minimised.
    pub objective: f64,
    /// How many pairs of coefficients were changed.
    pub iterations: u64,
    /// Whether the tolerance was reached, rather than the most iterations.
    pub converged: bool,
}

impl Solution {
    /// The decision value of an object from its inner products with the training objects.
    pub fn decide(&self, row: &[f64]) -> f64 {
        let sum: f64 = self
            .coefficients
            .iter()
            .zip(row)
            .filter(|(coefficient, _)| **coefficient != 0.0)
            .map(|(coefficient, product)| coefficient * product)
            .sum();
        sum + self.bias
    }

    /// The training objects with a coefficient, in order.
    pub fn support(&self) -> Vec<usize> {
        (0..self.coefficients.len())
            .filter(|&object| self.coefficients[object] != 0.0)
            .collect()
    }
}

/// The checks that all machines share.
fn check(matrix: &dyn Matrix, limits: &Limits<'_>) -> Result<(), Error> {
    if matrix.is_empty() {
        return Err(Error::Empty);
    }
    let tolerance = limits.tolerance;
    if !(tolerance > 0.0 && tolerance.is_finite()) {
        return Err(Error::Setting {
            name: "tolerance",
            found: tolerance,
            expected: "a number above 0",
        });
    }
    Ok(())
}

fn check_length(what: &'static str, found: usize, matrix: &dyn Matrix) -> Result<(), Error> {
    let expected = matrix.len();
    if found == expected {
        Ok(())
    } else {
        Err(Error::Length {
            what,
            found,
            expected,
        })
    }
}

fn check_costs(costs: &[f64]) -> Result<(), Error> {
    let fault = costs
        .iter()
        .position(|cost| !(cost.is_finite() && *cost >= 0.0));
    match fault {
        None => Ok(()),
        Some(position) => Err(Error::Value {
            what: "cost",
            position,
            found: costs[position],
            expected: "a number of at least 0",
        }),
    }
}

fn check_nu(nu: f64) -> Result<(), Error> {
    if nu > 0.0 && nu <= 1.0 {
        Ok(())
    } else {
        Err(Error::Setting {
            name: "nu",
            found: nu,
            expected: "a number above 0 and at most 1",
        })
    }
}

/// Gives the first coefficients as much as they may have, until the sum is reached.
fn fill_in_order(highest: impl Iterator<Item = f64>, mut sum: f64) -> Vec<f64> {
    highest
        .map(|high| {
            let share = sum.min(high).max(0.0);
            sum -= share;
            share
        })
        .collect()
}
