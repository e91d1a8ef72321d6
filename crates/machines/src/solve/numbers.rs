//! Numbers: with a given width of errors that do not matter, or with a given share of objects
//! outside that width.

use super::engine::{Problem, minimise};
use super::{Limits, Solution, check, check_costs, check_length, check_nu, fill_in_order};
use crate::error::check_finite;
use crate::{Error, Matrix, Part};

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
    check(matrix, limits)?;
    check_targets(targets, matrix)?;
    check_length("costs", costs.len(), matrix)?;
    check_costs(costs)?;
    if !(epsilon >= 0.0 && epsilon.is_finite()) {
        return Err(Error::Setting {
            name: "epsilon",
            found: epsilon,
            expected: "a number of at least 0",
        });
    }
    let len = targets.len();
    let problem = Problem {
        matrix,
        slopes: targets.iter().map(|target| -target).collect(),
        tube: epsilon,
        low: costs.iter().map(|cost| -cost).collect(),
        high: costs.to_vec(),
        start: vec![0.0; len],
        groups: vec![(0..len).collect()],
    };
    let optimum = minimise(problem, limits)?;
    Ok(Solution {
        bias: -optimum.levels[0],
        coefficients: optimum.coefficients,
        objective: optimum.objective,
        iterations: optimum.iterations,
        converged: optimum.converged,
    })
}

/// Fits numbers and finds the width of what does not matter (nu-SVR): `nu`, above 0 and at most
/// 1, bounds the share of objects outside from above and that of support vectors from below.
///
/// Reference: as for [`nu_classify`](super::nu_classify).
pub fn nu_regress(
    matrix: &dyn Matrix,
    targets: &[f64],
    nu: f64,
    cost: f64,
    limits: &Limits<'_>,
) -> Result<Solution, Error> {
    check(matrix, limits)?;
    check_targets(targets, matrix)?;
    check_nu(nu)?;
    if !(cost > 0.0 && cost.is_finite()) {
        return Err(Error::Setting {
            name: "cost",
            found: cost,
            expected: "a number above 0",
        });
    }
    let len = targets.len();
    // An object can be held from both sides at once, so each has two coefficients.
    let objects: Vec<usize> = (0..len).chain(0..len).collect();
    let twice = Part::new(matrix, &objects);
    let sum = cost * nu * len as f64 / 2.0;
    let half = fill_in_order(std::iter::repeat_n(cost, len), sum);
    let problem = Problem {
        matrix: &twice,
        slopes: targets
            .iter()
            .chain(targets)
            .map(|target| -target)
            .collect(),
        tube: 0.0,
        low: [vec![0.0; len], vec![-cost; len]].concat(),
        high: [vec![cost; len], vec![0.0; len]].concat(),
        start: half
            .iter()
            .copied()
            .chain(half.iter().map(|value| -value))
            .collect(),
        groups: vec![(0..len).collect(), (len..2 * len).collect()],
    };
    let optimum = minimise(problem, limits)?;
    let (ups, downs) = optimum.coefficients.split_at(len);
    Ok(Solution {
        coefficients: ups.iter().zip(downs).map(|(up, down)| up + down).collect(),
        bias: -(optimum.levels[0] + optimum.levels[1]) / 2.0,
        objective: optimum.objective,
        iterations: optimum.iterations,
        converged: optimum.converged,
    })
}

fn check_targets(targets: &[f64], matrix: &dyn Matrix) -> Result<(), Error> {
    check_length("targets", targets.len(), matrix)?;
    check_finite("target", targets)
}
