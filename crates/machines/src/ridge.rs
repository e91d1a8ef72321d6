//! Kernel ridge regression.
//!
//! `(K + lambda I) c = y - mean(y)`: the mean is the offset, so that a large `lambda` shrinks
//! towards it and not towards zero. Several targets share the one factorisation.
//!
//! Reference: C. Saunders, A. Gammerman, V. Vovk, Ridge regression learning algorithm in dual
//! variables, ICML 1998.

use rayon::prelude::*;

use crate::error::check_finite;
use crate::factor::{self, Eigen, ROUNDING};
use crate::{Dense, Error};

/// What ridge regression has learned.
#[derive(Debug, Clone, PartialEq)]
pub struct Ridge {
    /// For each target a coefficient for each training object.
    pub coefficients: Vec<Vec<f64>>,
    /// For each target what is added to the weighted sum of inner products.
    pub offsets: Vec<f64>,
}

impl Ridge {
    /// The value of each target from an object's inner products with the training objects.
    pub fn predict(&self, row: &[f64]) -> Vec<f64> {
        let targets = self.coefficients.iter().zip(&self.offsets);
        targets
            .map(|(coefficients, offset)| {
                let products = coefficients.iter().zip(row).map(|(a, b)| a * b);
                products.sum::<f64>() + offset
            })
            .collect()
    }
}

/// Solves for all targets, by a Cholesky factor.
pub fn solve(matrix: &Dense, targets: &[&[f64]], lambda: f64) -> Result<Ridge, Error> {
    check(matrix, targets, &[lambda])?;
    let offsets: Vec<f64> = targets.iter().map(|target| mean(target)).collect();
    let mut coefficients: Vec<Vec<f64>> = targets
        .iter()
        .zip(&offsets)
        .map(|(target, offset)| target.iter().map(|value| value - offset).collect())
        .collect();
    factor::solve(matrix.entries(), matrix.len(), lambda, &mut coefficients)?;
    Ok(Ridge {
        coefficients,
        offsets,
    })
}

/// A ridge chosen by leave-one-out errors.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The chosen ridge.
    pub lambda: f64,
    /// For each ridge asked about the mean squared leave-one-out error over objects and targets,
    /// each target in units of its variance; `None` where the matrix with that ridge is not
    /// positive definite.
    pub errors: Vec<Option<f64>>,
}

/// Chooses the ridge of least leave-one-out error, of equal ones the largest.
///
/// The errors are exact, the offset of each held-out object's model being the mean of the others,
/// and all come from one eigendecomposition. Targets are weighed by their own variance, so that
/// none rules the others by its unit.
///
/// Reference: R. Rifkin, R. Lippert, Notes on regularized least-squares, MIT 2007.
pub fn choose(matrix: &Dense, targets: &[&[f64]], lambdas: &[f64]) -> Result<Choice, Error> {
    check(matrix, targets, lambdas)?;
    let len = matrix.len();
    if len < 2 {
        return Err(Error::TooFew {
            found: len,
            needed: 2,
        });
    }
    let found = factor::eigen(matrix)?;
    let ones = rotate(&found, &vec![1.0; len]);
    let sides: Vec<Side<'_>> = targets
        .iter()
        .map(|target| Side {
            values: target,
            rotated: rotate(&found, target),
            spread: spread(target),
        })
        .collect();
    let errors: Vec<Option<f64>> = lambdas
        .par_iter()
        .map(|&lambda| left_out(&found, &ones, &sides, lambda))
        .collect();
    let mut best: Option<(f64, f64)> = None;
    for (&lambda, error) in lambdas.iter().zip(&errors) {
        let Some(error) = *error else { continue };
        if best.is_none_or(|(least, chosen)| error < least || (error == least && lambda > chosen)) {
            best = Some((error, lambda));
        }
    }
    match best {
        Some((_, lambda)) => Ok(Choice { lambda, errors }),
        None => Err(Error::NotPositiveDefinite {
            ridge: lambdas.iter().copied().fold(0.0, f64::max),
        }),
    }
}

/// A target, its products with the eigenvectors, and its variance.
struct Side<'a> {
    values: &'a [f64],
    rotated: Vec<f64>,
    spread: f64,
}

/// The mean squared leave-one-out error, each target in units of its variance.
fn left_out(found: &Eigen, ones: &[f64], sides: &[Side<'_>], lambda: f64) -> Option<f64> {
    let len = found.values.len();
    if found.values[0] + lambda <= ROUNDING * 1e-3 * found.largest_size() {
        return None;
    }
    // Sums over eigenvectors for all objects at once, vector by vector as they lie in memory.
    let mut own = vec![0.0; len];
    let mut constant = vec![0.0; len];
    let mut fitted = vec![vec![0.0; len]; sides.len()];
    for (at, vector) in found.vectors.chunks_exact(len).enumerate() {
        let inverse = 1.0 / (found.values[at] + lambda);
        for (own, entry) in own.iter_mut().zip(vector) {
            *own += inverse * entry * entry;
        }
        add(&mut constant, vector, inverse * ones[at]);
        for (fitted, side) in fitted.iter_mut().zip(sides) {
            add(fitted, vector, inverse * side.rotated[at]);
        }
    }
    let mut total = 0.0;
    for (fitted, side) in fitted.iter().zip(sides) {
        let sum: f64 = side.values.iter().sum();
        for object in 0..len {
            // Leaving an object out is solving with it for targets less the others' mean.
            let offset = (sum - side.values[object]) / (len - 1) as f64;
            let residual = (fitted[object] - offset * constant[object]) / own[object];
            total += residual * residual / side.spread;
        }
    }
    let error = total / (len * sides.len()) as f64;
    error.is_finite().then_some(error)
}

fn add(sums: &mut [f64], vector: &[f64], weight: f64) {
    for (sum, entry) in sums.iter_mut().zip(vector) {
        *sum += weight * entry;
    }
}

fn rotate(found: &Eigen, values: &[f64]) -> Vec<f64> {
    let vectors = found.vectors.chunks_exact(values.len());
    vectors
        .map(|vector| vector.iter().zip(values).map(|(a, b)| a * b).sum())
        .collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The variance of a target; 1 where it is constant and has no unit.
fn spread(values: &[f64]) -> f64 {
    let centre = mean(values);
    let squares = values.iter().map(|value| (value - centre).powi(2));
    let variance = squares.sum::<f64>() / values.len() as f64;
    if variance > 0.0 { variance } else { 1.0 }
}

fn check(matrix: &Dense, targets: &[&[f64]], lambdas: &[f64]) -> Result<(), Error> {
    for target in targets {
        if target.len() != matrix.len() {
            return Err(Error::Length {
                what: "targets",
                found: target.len(),
                expected: matrix.len(),
            });
        }
        check_finite("target", target)?;
    }
    for (what, found) in [("targets", targets.len()), ("ridges", lambdas.len())] {
        if found == 0 {
            return Err(Error::Kept {
                what,
                found,
                expected: 1,
            });
        }
    }
    match lambdas
        .iter()
        .find(|lambda| !(lambda.is_finite() && **lambda >= 0.0))
    {
        None => Ok(()),
        Some(&found) => Err(Error::Setting {
            name: "lambda",
            found,
            expected: "a number of at least 0",
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn gaussian(points: &[f64]) -> Dense {
        let entries = points
            .iter()
            .flat_map(|a| points.iter().map(move |b| (-(a - b).powi(2)).exp()));
        Dense::new(points.len(), entries.collect()).unwrap()
    }

    #[test]
    fn two_objects_are_solved_by_hand() {
        let matrix = Dense::new(2, vec![1.0, 0.5, 0.5, 1.0]).unwrap();
        let found = solve(&matrix, &[&[3.0, 1.0], &[0.0, 4.0]], 0.5).unwrap();
        // Centred targets are (1, -1) and (-2, 2), along which the matrix with its ridge is 1.
        for (found, expected) in found.coefficients.iter().zip([[1.0, -1.0], [-2.0, 2.0]]) {
            for (found, expected) in found.iter().zip(expected) {
                assert!((found - expected).abs() < 1e-12);
            }
        }
        assert_eq!(found.offsets, [2.0, 2.0]);
        let predicted = found.predict(&[1.0, 0.0]);
        assert!((predicted[0] - 3.0).abs() < 1e-12 && predicted[1].abs() < 1e-12);
    }

    #[test]
    fn a_matrix_that_is_not_positive_definite_is_told() {
        let matrix = Dense::new(2, vec![1.0, 2.0, 2.0, 1.0]).unwrap();
        let targets: &[&[f64]] = &[&[1.0, 2.0]];
        assert_eq!(
            solve(&matrix, targets, 0.5).unwrap_err().to_string(),
            "the matrix with 0.5 added to its diagonal is not positive definite"
        );
        let choice = choose(&matrix, targets, &[0.5, 3.0]).unwrap();
        assert_eq!((choice.lambda, choice.errors[0]), (3.0, None));
        assert_eq!(
            choose(&matrix, targets, &[0.5, 1.0]),
            Err(Error::NotPositiveDefinite { ridge: 1.0 })
        );
    }

    #[test]
    fn faults_are_told() {
        let matrix = gaussian(&[0.0, 1.0]);
        assert!(solve(&matrix, &[], 1.0).is_err());
        assert!(solve(&matrix, &[&[1.0]], 1.0).is_err());
        assert!(solve(&matrix, &[&[1.0, f64::NAN]], 1.0).is_err());
        assert!(solve(&matrix, &[&[1.0, 2.0]], -1.0).is_err());
        assert!(choose(&matrix, &[&[1.0, 2.0]], &[]).is_err());
        let fault = choose(&gaussian(&[0.0]), &[&[1.0]], &[1.0]);
        assert_eq!(
            fault,
            Err(Error::TooFew {
                found: 1,
                needed: 2
            })
        );
    }

    kinwood_testing::soak! { 256;
        /// The closed form is what leaving out and solving again gives.
        fn soak_leaving_out_is_leaving_out(
            points in prop::collection::vec((-2.0..2.0_f64, -5.0..5.0_f64, -1.0..1.0_f64), 3..8),
            lambda in 0.05..5.0_f64,
        ) {
            let places: Vec<f64> = points.iter().map(|point| point.0).collect();
            let matrix = gaussian(&places);
            let targets = [1, 2].map(|which| -> Vec<f64> {
                points.iter().map(|point| if which == 1 { point.1 } else { point.2 }).collect()
            });
            let found = choose(&matrix, &[&targets[0], &targets[1]], &[lambda]).unwrap();
            let mut expected = 0.0;
            for left in 0..points.len() {
                let others: Vec<usize> = (0..points.len()).filter(|&at| at != left).collect();
                let smaller = gaussian(&others.iter().map(|&at| places[at]).collect::<Vec<_>>());
                let row: Vec<f64> = others.iter().map(|&at| matrix.at(left)[at]).collect();
                for target in &targets {
                    let rest: Vec<f64> = others.iter().map(|&at| target[at]).collect();
                    let predicted = solve(&smaller, &[&rest], lambda).unwrap().predict(&row)[0];
                    expected += (predicted - target[left]).powi(2) / spread(target);
                }
            }
            expected /= 2.0 * points.len() as f64;
            prop_assert!((found.errors[0].unwrap() - expected).abs() < 1e-7 * expected.max(1.0));
        }
    }
}
