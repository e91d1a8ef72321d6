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

/// Separates two classes with a soft margin (C-SVC); decisions above zero are positive.
///
/// `costs` holds the largest coefficient of each object: the machine's cost, times the weight of
/// the object and of its class. An object whose cost is 0 does not count.
///
/// Reference: C. Cortes, V. Vapnik, Support-vector networks, Machine Learning 20, 1995.
///
/// ```
/// use kinwood_machines::{Dense, Limits, solve};
/// // The points -1, 1 and 3 on a line; the last two are positive.
/// let matrix = Dense::new(3, vec![1.0, -1.0, -3.0, -1.0, 1.0, 3.0, -3.0, 3.0, 9.0])?;
/// let machine = solve::classify(&matrix, &[false, true, true], &[10.0; 3], &Limits::default())?;
/// assert_eq!(machine.coefficients, [-0.5, 0.5, 0.0]);
/// assert_eq!(machine.decide(&[-2.0, 2.0, 6.0]), 2.0);
/// # Ok::<(), kinwood_machines::Error>(())
/// ```
pub fn classify(
    matrix: &dyn Matrix,
    positive: &[bool],
    costs: &[f64],
    limits: &Limits<'_>,
) -> Result<Solution, Error> {
    let _ = (matrix, positive, costs, limits);
    unimplemented!()
}

/// Separates two classes (nu-SVC): `nu` bounds the share of errors from above and that of support
/// vectors from below.
///
/// It lies above 0 and is at most twice the share of the smaller class.
///
/// Reference: B. Schölkopf, A. Smola, R. Williamson, P. Bartlett, New support vector algorithms,
/// Neural Computation 12, 2000.
pub fn nu_classify(
    matrix: &dyn Matrix,
    positive: &[bool],
    nu: f64,
    limits: &Limits<'_>,
) -> Result<Solution, Error> {
    let _ = (matrix, positive, nu, limits);
    unimplemented!()
}

/// Finds the region that holds most objects; decisions are negative outside.
///
/// `nu`, above 0 and at most 1, bounds the share of training objects left outside from above.
///
/// Reference: B. Schölkopf, J. Platt, J. Shawe-Taylor, A. Smola, R. Williamson, Estimating the
/// support of a high-dimensional distribution, Neural Computation 13, 2001.
pub fn one_class(matrix: &dyn Matrix, nu: f64, limits: &Limits<'_>) -> Result<Solution, Error> {
    let _ = (matrix, nu, limits);
    unimplemented!()
}

/// Fits numbers, caring only for errors above `epsilon` (epsilon-SVR).
///
/// `costs` holds the largest coefficient of each object, of either sign.
///
/// Reference: V. Vapnik, Statistical Learning Theory, 1998; A. Smola, B. Schölkopf, A tutorial on
/// support vector regression, Statistics and Computing 14, 2004.
pub fn regress(
    matrix: &dyn Matrix,
    targets: &[f64],
    epsilon: f64,
    costs: &[f64],
    limits: &Limits<'_>,
) -> Result<Solution, Error> {
    let _ = (matrix, targets, epsilon, costs, limits);
    unimplemented!()
}

/// Fits numbers and finds the width of what does not matter (nu-SVR): `nu`, above 0 and at most
/// 1, bounds the share of objects outside from above and that of support vectors from below.
///
/// Reference: as for [`nu_classify`].
pub fn nu_regress(
    matrix: &dyn Matrix,
    targets: &[f64],
    nu: f64,
    cost: f64,
    limits: &Limits<'_>,
) -> Result<Solution, Error> {
    let _ = (matrix, targets, nu, cost, limits);
    unimplemented!()
}
