//! Kernel principal components: few numbers for each object that keep most of what inner products
//! say.

use crate::error::check_finite;
use crate::factor::{self, ROUNDING};
use crate::{Centring, Dense, Error};

/// Directions of largest variance among the training objects.
#[derive(Debug, Clone, PartialEq)]
pub struct Components {
    centring: Centring,
    eigenvalues: Vec<f64>,
    shares: Vec<f64>,
    directions: Vec<f64>,
}

/// Finds the leading components, at most `most` of them: those without variance are left out, so
/// that there can be fewer, or none where all objects are the same.
///
/// The matrix is as the kernel gives it: centring is learned here. Each direction's entry of
/// largest size is positive (of equal ones the first), so that signs are not a matter of chance.
///
/// Reference: B. Schölkopf, A. Smola, K.-R. Müller, Nonlinear component analysis as a kernel
/// eigenvalue problem, Neural Computation 10, 1998.
pub fn fit(matrix: &Dense, most: usize) -> Result<Components, Error> {
    let centring = Centring::learn(matrix);
    let mut centred = matrix.clone();
    centring.centre(&mut centred);
    // Where all objects are the same, what is left after centring is rounding of the whole.
    let size = factor::largest_size(matrix.entries()) * matrix.len() as f64;
    let found = factor::eigen(&centred)?;
    let least = ROUNDING * found.largest_size().max(1e-4 * size);
    let total: f64 = found.values.iter().filter(|&&value| value > least).sum();
    let mut components = Components {
        centring,
        eigenvalues: Vec::new(),
        shares: Vec::new(),
        directions: Vec::new(),
    };
    let pairs = found
        .values
        .iter()
        .zip(found.vectors.chunks_exact(matrix.len()));
    for (&value, vector) in pairs.rev().take(most).filter(|(value, _)| **value > least) {
        let scale = orientation(vector) / value.sqrt();
        components.eigenvalues.push(value);
        components.shares.push(value / total);
        components
            .directions
            .extend(vector.iter().map(|entry| entry * scale));
    }
    Ok(components)
}

/// The sign that makes the entry of largest size positive.
fn orientation(vector: &[f64]) -> f64 {
    let largest = factor::largest_size(vector);
    // Entries of the same size may differ by rounding, which is not to decide.
    let first = vector
        .iter()
        .find(|entry| entry.abs() >= largest * (1.0 - 1e-6));
    first.map_or(1.0, |entry| entry.signum())
}

impl Components {
    /// Components as the four accessors gave them.
    pub fn from_parts(
        centring: Centring,
        eigenvalues: Vec<f64>,
        shares: Vec<f64>,
        directions: Vec<f64>,
    ) -> Result<Components, Error> {
        let count = eigenvalues.len();
        let fits = |what, found, expected| {
            if found == expected {
                Ok(())
            } else {
                Err(Error::Kept {
                    what,
                    found,
                    expected,
                })
            }
        };
        fits("shares", shares.len(), count)?;
        let len = centring.means().len();
        fits(
            "numbers in directions",
            directions.len(),
            count.saturating_mul(len),
        )?;
        check_finite("eigenvalue", &eigenvalues)?;
        check_finite("share", &shares)?;
        check_finite("direction", &directions)?;
        Ok(Components {
            centring,
            eigenvalues,
            shares,
            directions,
        })
    }

    /// How many components there are.
    pub fn count(&self) -> usize {
        self.eigenvalues.len()
    }

    /// The origin, learned from the training objects.
    pub fn centring(&self) -> &Centring {
        &self.centring
    }

    /// The eigenvalue of each component, falling.
    pub fn eigenvalues(&self) -> &[f64] {
        &self.eigenvalues
    }

    /// The share of all variance that each component has.
    pub fn shares(&self) -> &[f64] {
        &self.shares
    }

    /// The directions, one after the other, each as weights of training objects.
    pub fn directions(&self) -> &[f64] {
        &self.directions
    }

    /// The coordinates of an object from its inner products with the training objects, as the
    /// kernel gives them.
    pub fn project(&self, row: &[f64]) -> Vec<f64> {
        let mut centred = row.to_vec();
        self.centring.centre_row(&mut centred);
        let directions = self.directions.chunks_exact(centred.len().max(1));
        directions
            .map(|direction| direction.iter().zip(&centred).map(|(a, b)| a * b).sum())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn products(points: &[[f64; 3]]) -> Dense {
        let inner = |a: &[f64; 3], b: &[f64; 3]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let entries = points
            .iter()
            .flat_map(|a| points.iter().map(move |b| inner(a, b)));
        Dense::new(points.len(), entries.collect()).unwrap()
    }

    #[test]
    fn points_on_a_line_have_one_component() {
        let points = [[1.0, 2.0, 0.0], [2.0, 4.0, 0.0], [6.0, 12.0, 0.0]];
        let matrix = products(&points);
        let components = fit(&matrix, 5).unwrap();
        assert_eq!(components.count(), 1);
        assert_eq!(components.shares(), [1.0]);
        let length = 5.0_f64.sqrt();
        for (at, expected) in [(0, -2.0), (1, -1.0), (2, 3.0)] {
            let found = components.project(matrix.at(at))[0];
            assert!((found - expected * length).abs() < 1e-9, "{found}");
        }
    }

    #[test]
    fn objects_that_are_the_same_have_no_components() {
        let matrix = Dense::new(4, vec![0.3; 16]).unwrap();
        let components = fit(&matrix, 4).unwrap();
        assert_eq!(components.count(), 0);
        assert!(components.project(&[0.3; 4]).is_empty());
    }

    #[test]
    fn what_does_not_fit_together_is_refused() {
        let centring = || Centring::from_means(vec![0.0; 3]).unwrap();
        assert!(Components::from_parts(centring(), vec![1.0], vec![1.0], vec![0.5; 3]).is_ok());
        assert!(Components::from_parts(centring(), vec![1.0], vec![], vec![0.5; 3]).is_err());
        assert!(Components::from_parts(centring(), vec![1.0], vec![1.0], vec![0.5; 2]).is_err());
    }

    kinwood_testing::soak! { 256;
        /// All components together keep all distances, and are uncorrelated with falling variance.
        fn soak_coordinates_keep_distances(
            points in prop::collection::vec(prop::array::uniform3(-3.0..3.0_f64), 2..9)
        ) {
            let matrix = products(&points);
            let components = fit(&matrix, usize::MAX).unwrap();
            let placed: Vec<Vec<f64>> = (0..points.len()).map(|at| components.project(matrix.at(at))).collect();
            for (a, first) in placed.iter().enumerate() {
                for (b, second) in placed.iter().enumerate() {
                    let found: f64 = first.iter().zip(second).map(|(a, b)| (a - b).powi(2)).sum();
                    let expected: f64 = points[a].iter().zip(&points[b]).map(|(a, b)| (a - b).powi(2)).sum();
                    prop_assert!((found - expected).abs() < 1e-6);
                }
            }
            for one in 0..components.count() {
                for two in 0..components.count() {
                    let product: f64 = placed.iter().map(|place| place[one] * place[two]).sum();
                    let expected = if one == two { components.eigenvalues()[one] } else { 0.0 };
                    prop_assert!((product - expected).abs() < 1e-6);
                }
            }
            prop_assert!(components.eigenvalues().is_sorted_by(|a, b| a >= b));
            prop_assert!(components.count() == 0 || (components.shares().iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
    }
}
