//! One class: the region where objects are.

use super::engine::{Problem, minimise};
use super::{Limits, Solution, check, check_nu, fill_in_order};
use crate::{Error, Matrix};

/// Finds the region that holds most objects; decisions are negative outside.
///
/// `nu`, above 0 and at most 1, bounds the share of training objects left outside from above.
///
/// Reference: B. Schölkopf, J. Platt, J. Shawe-Taylor, A. Smola, R. Williamson, Estimating the
/// support of a high-dimensional distribution, Neural Computation 13, 2001.
pub fn one_class(matrix: &dyn Matrix, nu: f64, limits: &Limits<'_>) -> Result<Solution, Error> {
    check(matrix, limits)?;
    check_nu(nu)?;
    let len = matrix.len();
    let problem = Problem {
        matrix,
        slopes: vec![0.0; len],
        tube: 0.0,
        low: vec![0.0; len],
        high: vec![1.0; len],
        start: fill_in_order(std::iter::repeat_n(1.0, len), nu * len as f64),
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
