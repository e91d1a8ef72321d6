//! Centring: inner products as if the mean of the training objects were the origin.
//!
//! What is learned are the means of the training rows, so that a new object's row is moved to the
//! same origin without the training matrix.

use rayon::prelude::*;

use crate::error::check_finite;
use crate::{Dense, Error};

/// The means of a training matrix.
#[derive(Debug, Clone, PartialEq)]
pub struct Centring {
    means: Vec<f64>,
    mean: f64,
}

impl Centring {
    /// Learns the means of the rows of a training matrix.
    pub fn learn(matrix: &Dense) -> Centring {
        let len = matrix.len();
        let means: Vec<f64> = (0..len)
            .into_par_iter()
            .map(|row| average(matrix.at(row)))
            .collect();
        let mean = average(&means);
        Centring { means, mean }
    }

    /// The centring of these means of rows, as [`means`](Self::means) gave them.
    pub fn from_means(means: Vec<f64>) -> Result<Centring, Error> {
        if means.is_empty() {
            return Err(Error::Empty);
        }
        check_finite("mean", &means)?;
        let mean = average(&means);
        Ok(Centring { means, mean })
    }

    /// The mean of each training row: all that has to be kept.
    pub fn means(&self) -> &[f64] {
        &self.means
    }

    /// Centres the training matrix.
    pub fn centre(&self, matrix: &mut Dense) {
        let len = matrix.len();
        debug_assert_eq!(len, self.means.len());
        matrix
            .entries_mut()
            .par_chunks_mut(len)
            .zip(&self.means)
            .for_each(|(row, &own)| self.apply(row, own));
    }

    /// Centres the row of one object, its inner products with the training objects.
    pub fn centre_row(&self, row: &mut [f64]) {
        debug_assert_eq!(row.len(), self.means.len());
        let own = average(row);
        self.apply(row, own);
    }

    fn apply(&self, row: &mut [f64], own: f64) {
        for (entry, other) in row.iter_mut().zip(&self.means) {
            *entry += self.mean - (own + other);
        }
    }
}

fn average(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix() -> Dense {
        Dense::new(3, vec![4.0, 1.0, 0.5, 1.0, 3.0, -1.0, 0.5, -1.0, 2.0]).unwrap()
    }

    #[test]
    fn centred_rows_sum_to_nothing() {
        let mut centred = matrix();
        Centring::learn(&matrix()).centre(&mut centred);
        for row in 0..3 {
            assert!(centred.at(row).iter().sum::<f64>().abs() < 1e-12);
            for column in 0..row {
                assert_eq!(centred.at(row)[column], centred.at(column)[row]);
            }
        }
    }

    #[test]
    fn a_training_row_is_centred_like_the_matrix() {
        let kept = Centring::from_means(Centring::learn(&matrix()).means().to_vec()).unwrap();
        let mut centred = matrix();
        kept.centre(&mut centred);
        let mut row = matrix().at(1).to_vec();
        kept.centre_row(&mut row);
        assert_eq!(row, centred.at(1));
    }

    #[test]
    fn points_on_a_line_are_centred_at_their_mean() {
        let points = [1.0, 2.0, 6.0];
        let products = points.iter().flat_map(|a| points.map(|b| a * b)).collect();
        let mut matrix = Dense::new(3, products).unwrap();
        let centring = Centring::learn(&matrix);
        centring.centre(&mut matrix);
        assert!((matrix.at(0)[2] - (1.0 - 3.0) * (6.0 - 3.0)).abs() < 1e-12);
        let mut row = points.map(|b| 5.0 * b);
        centring.centre_row(&mut row);
        assert!((row[0] - (5.0 - 3.0) * (1.0 - 3.0)).abs() < 1e-12);
    }
}
