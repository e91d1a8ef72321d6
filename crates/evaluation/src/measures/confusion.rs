//! Which classes are taken for which: counts by truth and prediction, and what follows from them
//! for each class.

use serde::Serialize;

use super::rows::{Row, relative, same_length};
use crate::error::Error;

/// The most classes that are counted against each other: more than a page or a person can take in.
const MOST_CLASSES: usize = 4096;

/// Counts of rows, or sums of their weights, by true and predicted class.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Confusion {
    /// How many classes there are.
    pub classes: usize,
    /// The counts, true class after true class: see [`Confusion::count`].
    pub counts: Vec<f64>,
}

/// Counts rows by true and predicted class; those without a true class are left out. With weights,
/// these are summed.
///
/// ```
/// use kinwood_evaluation::measures::curves::confusion;
/// let table = confusion(&[Some(0), Some(1), Some(1), None], &[0, 0, 1, 1], 2, None)?;
/// assert_eq!(table.counts, [1.0, 0.0, 1.0, 1.0]);
/// assert_eq!((table.precision(0), table.recall(1)), (Some(0.5), Some(0.5)));
/// # Ok::<(), kinwood_evaluation::Error>(())
/// ```
pub fn confusion(
    truth: &[Option<u32>],
    predicted: &[u32],
    classes: usize,
    weights: Option<&[f64]>,
) -> Result<Confusion, Error> {
    same_length("predicted classes", predicted.len(), truth.len())?;
    if classes > MOST_CLASSES {
        return Err(Error::TooManyClasses {
            classes,
            most: MOST_CLASSES,
        });
    }
    let mut counts = vec![0.0; classes * classes];
    for row in relative(truth, weights)? {
        let (is, said) = codes(&row, predicted, classes)?;
        counts[is * classes + said] += weights.map_or(1.0, |weights| weights[row.position]);
    }
    Ok(Confusion { classes, counts })
}

/// The true and the predicted class of a row, checked.
fn codes(row: &Row<u32>, predicted: &[u32], classes: usize) -> Result<(usize, usize), Error> {
    let known = |code: u32| {
        let found = code as usize;
        (found < classes)
            .then_some(found)
            .ok_or(Error::UnknownClass {
                row: row.position,
                code,
                classes,
            })
    };
    Ok((known(row.truth)?, known(predicted[row.position])?))
}

/// How often a class is said and right, how often it occurs, and how often it is said.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    right: f64,
    occurring: f64,
    said: f64,
}

impl Tally {
    /// The tally of each class, by whatever weights rows have.
    pub(super) fn of(
        rows: &[Row<u32>],
        predicted: &[u32],
        classes: usize,
    ) -> Result<Vec<Tally>, Error> {
        let mut tallies = vec![Tally::default(); classes];
        for row in rows {
            let (is, said) = codes(row, predicted, classes)?;
            tallies[is].occurring += row.share;
            tallies[said].said += row.share;
            if is == said {
                tallies[is].right += row.share;
            }
        }
        Ok(tallies)
    }

    /// The share of those said to be of the class that are; none of a class that is never said.
    fn precision(self) -> Option<f64> {
        share(self.right, self.said)
    }

    /// The share of those of the class that are said to be; none of a class that does not occur.
    pub(super) fn recall(self) -> Option<f64> {
        share(self.right, self.occurring)
    }

    /// The harmonic mean of precision and recall; none of a class that neither occurs nor is said.
    pub(super) fn f1(self) -> Option<f64> {
        share(2.0 * self.right, self.said + self.occurring)
    }
}

impl Confusion {
    /// How many rows of class `truth` are said to be of class `predicted`.
    pub fn count(&self, truth: usize, predicted: usize) -> f64 {
        self.counts[truth * self.classes + predicted]
    }

    /// How many rows are of a class.
    pub fn occurring(&self, class: usize) -> f64 {
        (0..self.classes).map(|said| self.count(class, said)).sum()
    }

    /// How many rows are said to be of a class.
    pub fn said(&self, class: usize) -> f64 {
        (0..self.classes).map(|is| self.count(is, class)).sum()
    }

    fn tally(&self, class: usize) -> Tally {
        Tally {
            right: self.count(class, class),
            occurring: self.occurring(class),
            said: self.said(class),
        }
    }

    /// The share of those said to be of a class that are; none of a class that is never said.
    pub fn precision(&self, class: usize) -> Option<f64> {
        self.tally(class).precision()
    }

    /// The share of those of a class that are said to be; none of a class that does not occur.
    pub fn recall(&self, class: usize) -> Option<f64> {
        self.tally(class).recall()
    }

    /// The harmonic mean of precision and recall, `2 TP / (2 TP + FP + FN)`; none of a class that
    /// neither occurs nor is said.
    pub fn f1(&self, class: usize) -> Option<f64> {
        self.tally(class).f1()
    }
}

fn share(part: f64, whole: f64) -> Option<f64> {
    Some(part / whole).filter(|share| share.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_by_hand() {
        let truth = [0, 0, 0, 1, 1, 2, 2, 2].map(Some);
        let table = confusion(&truth, &[0, 0, 1, 1, 0, 2, 1, 1], 4, None).unwrap();
        let rows: Vec<&[f64]> = table.counts.chunks(4).collect();
        assert_eq!(rows[0], [2.0, 1.0, 0.0, 0.0]);
        assert_eq!(rows[1], [1.0, 1.0, 0.0, 0.0]);
        assert_eq!(rows[2], [0.0, 2.0, 1.0, 0.0]);
        assert_eq!((table.occurring(2), table.said(1)), (3.0, 4.0));
        let figures = |class| (table.precision(class), table.recall(class), table.f1(class));
        assert_eq!(
            figures(1),
            (Some(0.25), Some(0.5), Some(1.0 / 3.0)),
            "two of four said are of the third class, one of the first"
        );
        assert_eq!(figures(2), (Some(1.0), Some(1.0 / 3.0), Some(0.5)));
        assert_eq!(figures(3), (None, None, None));
    }

    #[test]
    fn weights_are_summed_and_unknown_classes_named() {
        let truth = [Some(0), Some(1), None];
        let table = confusion(&truth, &[0, 0, 1], 2, Some(&[0.5, 3.0, 9.0])).unwrap();
        assert_eq!(table.counts, [0.5, 0.0, 3.0, 0.0]);
        for (truth, predicted) in [([Some(2)], [0]), ([Some(0)], [2])] {
            assert_eq!(
                confusion(&truth, &predicted, 2, None).unwrap_err(),
                Error::UnknownClass {
                    row: 0,
                    code: 2,
                    classes: 2
                }
            );
        }
        assert_eq!(
            confusion(&[], &[], 1 << 40, None).unwrap_err().to_string(),
            "1099511627776 classes, at most 4096 are counted against each other"
        );
        assert!(matches!(
            confusion(&truth, &[0], 2, None),
            Err(Error::Lengths { .. })
        ));
    }
}
