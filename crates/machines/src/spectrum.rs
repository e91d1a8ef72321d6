//! Matrices that are no inner products, and what can be done about them.
//!
//! A similarity need not be an inner product: its matrix can have negative eigenvalues, and a
//! machine then has no largest margin to find. A [`Correction`] changes the training matrix to one
//! without negative eigenvalues, and what was changed is kept so that rows of new objects are
//! changed alike.
//!
//! Reference: Y. Chen, E. Garcia, M. Gupta, A. Rahimi, L. Cazzanti, Similarity-based
//! classification: concepts and algorithms, Journal of Machine Learning Research 10, 2009.

use crate::error::check_finite;
use crate::factor::{self, ROUNDING, largest_size};
use crate::{Dense, Error};

/// What is done about negative eigenvalues.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Correction {
    /// Nothing: the machine finds a stationary point, which need not be the best.
    #[default]
    AsIs,
    /// The smallest eigenvalue is taken from all of them: objects become more like themselves,
    /// and no more or less like others.
    Shift,
    /// Negative eigenvalues become zero: the nearest matrix of inner products.
    Clip,
    /// Negative eigenvalues lose their sign.
    Flip,
}

/// A training matrix after a correction.
#[derive(Debug, Clone, PartialEq)]
pub struct Corrected {
    /// The corrected matrix.
    pub matrix: Dense,
    /// The smallest eigenvalue before the correction; `None` for [`Correction::AsIs`], which does
    /// not ask.
    pub smallest: Option<f64>,
    /// The largest eigenvalue before the correction, likewise.
    pub largest: Option<f64>,
    /// How many eigenvalues were negative, beyond what rounding explains.
    pub negative: usize,
    /// What has to be done to rows of new objects.
    pub rows: RowCorrection,
}

/// What a correction does to the row of an object, its inner products with the training objects.
///
/// `row - weight * V' V row`, where the rows of `V` are the eigenvectors of the negative
/// eigenvalues. A training object's row before the correction becomes its row after it, but for
/// [`Correction::Shift`], which leaves rows alone and adds to a training object's product with
/// itself.
#[derive(Debug, Clone, PartialEq)]
pub struct RowCorrection {
    len: usize,
    weight: f64,
    directions: Vec<f64>,
}

impl RowCorrection {
    /// A correction as [`len`](Self::len), [`weight`](Self::weight) and
    /// [`directions`](Self::directions) gave it.
    pub fn from_parts(
        len: usize,
        weight: f64,
        directions: Vec<f64>,
    ) -> Result<RowCorrection, Error> {
        if len == 0 {
            return Err(Error::Empty);
        }
        if !directions.len().is_multiple_of(len) {
            return Err(Error::Kept {
                what: "numbers in directions",
                found: directions.len(),
                expected: directions.len() / len * len,
            });
        }
        check_finite("direction", &directions)?;
        check_finite("weight", &[weight])?;
        Ok(RowCorrection {
            len,
            weight,
            directions,
        })
    }

    /// How many training objects there are.
    #[expect(clippy::len_without_is_empty, reason = "there is at least one object")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// How much of each direction is taken away: 1 to clip, 2 to flip.
    pub fn weight(&self) -> f64 {
        self.weight
    }

    /// The eigenvectors of negative eigenvalues, one after the other; none where rows stay as
    /// they are.
    pub fn directions(&self) -> &[f64] {
        &self.directions
    }

    /// Corrects the row of one object.
    pub fn apply(&self, row: &mut [f64]) {
        debug_assert_eq!(row.len(), self.len);
        // The directions are at right angles, so that taking away one leaves the others alone.
        for direction in self.directions.chunks_exact(self.len) {
            let along: f64 = direction.iter().zip(&*row).map(|(a, b)| a * b).sum();
            let away = self.weight * along;
            for (entry, part) in row.iter_mut().zip(direction) {
                *entry -= away * part;
            }
        }
    }
}

/// Corrects a training matrix.
///
/// Negative eigenvalues so small that rounding explains them are left alone.
pub fn correct(mut matrix: Dense, correction: Correction) -> Result<Corrected, Error> {
    let len = matrix.len();
    let unchanged = RowCorrection {
        len,
        weight: 0.0,
        directions: Vec::new(),
    };
    let weight = match correction {
        Correction::AsIs => {
            return Ok(Corrected {
                matrix,
                smallest: None,
                largest: None,
                negative: 0,
                rows: unchanged,
            });
        }
        Correction::Shift => {
            let values = factor::eigenvalues(&matrix)?;
            let negative = count_negative(&values);
            if negative > 0 {
                let entries = matrix.entries_mut();
                for at in 0..len {
                    entries[at * len + at] -= values[0];
                }
            }
            return Ok(Corrected {
                matrix,
                smallest: values.first().copied(),
                largest: values.last().copied(),
                negative,
                rows: unchanged,
            });
        }
        Correction::Clip => 1.0,
        Correction::Flip => 2.0,
    };
    let found = factor::eigen(&matrix)?;
    let negative = count_negative(&found.values);
    let mut directions = found.vectors;
    directions.truncate(negative * len);
    directions.shrink_to_fit();
    let rows = if negative == 0 {
        unchanged
    } else {
        factor::add_outer(&mut matrix, &directions, &found.values[..negative], -weight);
        RowCorrection {
            len,
            weight,
            directions,
        }
    };
    Ok(Corrected {
        matrix,
        smallest: found.values.first().copied(),
        largest: found.values.last().copied(),
        negative,
        rows,
    })
}

/// How many of the rising eigenvalues are negative, beyond what rounding explains.
fn count_negative(values: &[f64]) -> usize {
    let bound = -ROUNDING * largest_size(values);
    values.iter().take_while(|&&value| value < bound).count()
}

/// The eigenvalues of a matrix, rising.
pub fn eigenvalues(matrix: &Dense) -> Result<Vec<f64>, Error> {
    factor::eigenvalues(matrix)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Matrix;
    use proptest::prelude::*;

    fn symmetric() -> impl Strategy<Value = Dense> {
        (1_usize..12).prop_flat_map(|len| {
            prop::collection::vec(-2.0..2.0_f64, len * len).prop_map(move |numbers| {
                let entry = |at: usize| numbers[at] + numbers[at % len * len + at / len];
                Dense::new(len, (0..len * len).map(entry).collect()).unwrap()
            })
        })
    }

    #[test]
    fn a_known_spectrum_is_corrected_by_hand() {
        // Eigenvalues 3 along (1, 1) and -1 along (1, -1).
        let matrix = Dense::new(2, vec![1.0, 2.0, 2.0, 1.0]).unwrap();
        let expected = [
            (Correction::AsIs, [1.0, 2.0, 2.0, 1.0]),
            (Correction::Shift, [2.0, 2.0, 2.0, 2.0]),
            (Correction::Clip, [1.5, 1.5, 1.5, 1.5]),
            (Correction::Flip, [2.0, 1.0, 1.0, 2.0]),
        ];
        for (correction, entries) in expected {
            let corrected = correct(matrix.clone(), correction).unwrap();
            for (found, entry) in corrected.matrix.entries().iter().zip(entries) {
                assert!((found - entry).abs() < 1e-12, "{correction:?}");
            }
            if correction != Correction::AsIs {
                assert!((corrected.smallest.unwrap() + 1.0).abs() < 1e-12);
                assert!((corrected.largest.unwrap() - 3.0).abs() < 1e-12);
                assert_eq!(corrected.negative, 1);
            }
        }
    }

    #[test]
    fn what_does_not_fit_together_is_refused() {
        assert!(RowCorrection::from_parts(0, 1.0, Vec::new()).is_err());
        assert!(RowCorrection::from_parts(2, 1.0, vec![1.0; 3]).is_err());
        assert!(RowCorrection::from_parts(2, 1.0, vec![1.0, f64::NAN]).is_err());
        assert!(RowCorrection::from_parts(2, f64::INFINITY, Vec::new()).is_err());
    }

    #[test]
    fn products_of_points_are_left_alone() {
        let points = [1.0, -2.0, 0.5, 3.0];
        let products = points.iter().flat_map(|a| points.map(|b| a * b)).collect();
        let matrix = Dense::new(4, products).unwrap();
        for correction in [Correction::Shift, Correction::Clip, Correction::Flip] {
            let corrected = correct(matrix.clone(), correction).unwrap();
            assert_eq!(corrected.matrix, matrix);
            assert!(corrected.rows.directions().is_empty());
        }
    }

    kinwood_testing::soak! { 256;
        fn soak_nothing_negative_remains(matrix in symmetric()) {
            for correction in [Correction::Shift, Correction::Clip, Correction::Flip] {
                let corrected = correct(matrix.clone(), correction).unwrap();
                prop_assert!(eigenvalues(&corrected.matrix).unwrap()[0] > -1e-9);
            }
        }

        fn soak_a_training_row_becomes_its_corrected_row(matrix in symmetric()) {
            for correction in [Correction::AsIs, Correction::Clip, Correction::Flip] {
                let Corrected { matrix: after, rows, .. } = correct(matrix.clone(), correction).unwrap();
                let rows = RowCorrection::from_parts(rows.len(), rows.weight(), rows.directions().to_vec()).unwrap();
                for at in 0..matrix.len() {
                    let mut row = matrix.at(at).to_vec();
                    rows.apply(&mut row);
                    for (found, expected) in row.iter().zip(after.at(at)) {
                        prop_assert!((found - expected).abs() < 1e-9);
                    }
                }
            }
        }

        fn soak_a_shift_changes_the_diagonal_only(matrix in symmetric()) {
            let corrected = correct(matrix.clone(), Correction::Shift).unwrap();
            for row in 0..matrix.len() {
                for column in (0..matrix.len()).filter(|&column| column != row) {
                    prop_assert_eq!(corrected.matrix.at(row)[column], matrix.at(row)[column]);
                }
                let added = corrected.matrix.diagonal(row) - matrix.diagonal(row);
                prop_assert!((added - corrected.smallest.unwrap().min(0.0).abs()).abs() < 1e-9);
            }
        }

        fn soak_flipping_keeps_sizes_and_clipping_drops_them(matrix in symmetric()) {
            let before = eigenvalues(&matrix).unwrap();
            let sorted = |change: fn(f64) -> f64| {
                let mut values: Vec<f64> = before.iter().map(|value| change(*value)).collect();
                values.sort_by(f64::total_cmp);
                values
            };
            let cases = [(Correction::Flip, sorted(f64::abs)), (Correction::Clip, sorted(|value| value.max(0.0)))];
            for (correction, expected) in cases {
                let corrected = correct(matrix.clone(), correction).unwrap();
                for (found, expected) in eigenvalues(&corrected.matrix).unwrap().iter().zip(expected) {
                    prop_assert!((found - expected).abs() < 1e-9);
                }
            }
        }
    }
}
