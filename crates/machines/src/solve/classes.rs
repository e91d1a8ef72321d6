//! Two classes: with a cost of errors, or with a share of them.

use super::engine::{Problem, minimise};
use super::{Limits, Solution, check, check_costs, check_length, check_nu, fill_in_order};
use crate::{Error, Matrix};

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
    check(matrix, limits)?;
    check_length("labels", positive.len(), matrix)?;
    check_length("costs", costs.len(), matrix)?;
    check_costs(costs)?;
    let counts = |class: bool| {
        let mut members = positive.iter().zip(costs);
        members.any(|(&positive, &cost)| positive == class && cost > 0.0)
    };
    if !(counts(true) && counts(false)) {
        return Err(Error::OneClass);
    }
    let bound = |class: bool, sign: f64| {
        let members = positive.iter().zip(costs);
        let bounds = members.map(|(&positive, &cost)| if positive == class { cost } else { 0.0 });
        bounds.map(|bound| sign * bound).collect()
    };
    let problem = Problem {
        matrix,
        slopes: positive
            .iter()
            .map(|&positive| if positive { -1.0 } else { 1.0 })
            .collect(),
        tube: 0.0,
        low: bound(false, -1.0),
        high: bound(true, 1.0),
        start: vec![0.0; costs.len()],
        groups: vec![(0..costs.len()).collect()],
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
    check(matrix, limits)?;
    check_length("labels", positive.len(), matrix)?;
    check_nu(nu)?;
    let len = positive.len();
    let (first, second): (Vec<usize>, Vec<usize>) = (0..len).partition(|&object| positive[object]);
    let smaller = first.len().min(second.len());
    if smaller == 0 {
        return Err(Error::OneClass);
    }
    let largest = 2.0 * smaller as f64 / len as f64;
    // The largest value itself is feasible, however it was rounded.
    if nu > largest * (1.0 + f64::EPSILON) {
        return Err(Error::InfeasibleNu { found: nu, largest });
    }
    let sum = nu * len as f64 / 2.0;
    let member = |class: bool| move |&positive: &bool| f64::from(u8::from(positive == class));
    let ups = fill_in_order(positive.iter().map(member(true)), sum);
    let downs = fill_in_order(positive.iter().map(member(false)), sum);
    let problem = Problem {
        matrix,
        slopes: vec![0.0; len],
        tube: 0.0,
        low: positive.iter().map(member(false)).map(|one| -one).collect(),
        high: positive.iter().map(member(true)).collect(),
        start: ups.iter().zip(&downs).map(|(up, down)| up - down).collect(),
        groups: vec![first, second],
    };
    let optimum = minimise(problem, limits)?;
    let (above, below) = (optimum.levels[0], optimum.levels[1]);
    // The distance of the margin from the middle becomes 1; without a margin nothing is scaled.
    let margin = (above - below) / 2.0;
    let scale = if margin > 0.0 { 1.0 / margin } else { 1.0 };
    Ok(Solution {
        coefficients: optimum
            .coefficients
            .iter()
            .map(|value| value * scale)
            .collect(),
        bias: -(above + below) / 2.0 * scale,
        objective: optimum.objective * scale * scale,
        iterations: optimum.iterations,
        converged: optimum.converged,
    })
}
