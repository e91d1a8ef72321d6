//! A response whose sums also know how many examples they are of.
//!
//! Rows that count more or less are still rows: the least size of a leaf is a number of them, and
//! stays what it is when all weights are multiplied. A part of an example counts as a part of a
//! row.

use super::answer::{Answer, Answers};
use super::{Examples, Grouping, Response};

/// A response of rows with weights.
pub struct Counted<R> {
    inside: R,
    /// One over the weight of each row of the task; 0 for rows that do not count.
    shares: Vec<f64>,
}

/// Sums, and how many rows they are of.
#[derive(Clone)]
pub struct CountedSums<S> {
    inside: S,
    rows: f64,
}

impl<R> Counted<R> {
    /// The response of rows that count so much.
    pub fn new(inside: R, weights: &[f64]) -> Self {
        let share = |&weight: &f64| match weight > 0.0 {
            true => 1.0 / weight,
            false => 0.0,
        };
        Self {
            inside,
            shares: weights.iter().map(share).collect(),
        }
    }
}

impl<R: Response> Response for Counted<R> {
    type Local = (R::Local, Vec<f64>);
    type Summary = CountedSums<R::Summary>;

    fn gather(&self, rows: &[u32]) -> Self::Local {
        let shares = rows.iter().map(|&row| self.shares[row as usize]);
        (self.inside.gather(rows), shares.collect())
    }

    fn empty(&self) -> Self::Summary {
        CountedSums {
            inside: self.inside.empty(),
            rows: 0.0,
        }
    }

    fn add(&self, summary: &mut Self::Summary, local: &Self::Local, place: usize, weight: f64) {
        self.inside
            .add(&mut summary.inside, &local.0, place, weight);
        summary.rows += weight * local.1[place];
    }

    fn remove(&self, summary: &mut Self::Summary, local: &Self::Local, place: usize, weight: f64) {
        self.inside
            .remove(&mut summary.inside, &local.0, place, weight);
        summary.rows -= weight * local.1[place];
    }

    fn sum(&self, local: &Self::Local, examples: usize, weights: Option<&[f64]>) -> Self::Summary {
        let weight = |place: usize| weights.map_or(1.0, |weights| weights[place]);
        CountedSums {
            inside: self.inside.sum(&local.0, examples, weights),
            rows: (0..examples)
                .map(|place| weight(place) * local.1[place])
                .sum(),
        }
    }

    fn join(&self, summary: &mut Self::Summary, other: &Self::Summary, times: f64) {
        self.inside.join(&mut summary.inside, &other.inside, times);
        summary.rows += times * other.rows;
    }

    fn weight(&self, summary: &Self::Summary) -> f64 {
        self.inside.weight(&summary.inside)
    }

    fn rows(&self, summary: &Self::Summary) -> f64 {
        summary.rows
    }

    fn row_share(&self, local: &Self::Local, place: usize) -> f64 {
        local.1[place]
    }

    fn spread(&self, summary: &Self::Summary) -> f64 {
        self.inside.spread(&summary.inside)
    }

    fn answers(&self, examples: &Examples<'_, Self::Summary>) -> Vec<Answer> {
        self.inside.answers(&inner(examples))
    }

    fn dividing(&self, summary: &Self::Summary) -> Self::Summary {
        CountedSums {
            inside: self.inside.dividing(&summary.inside),
            rows: summary.rows,
        }
    }

    fn is_pure(&self, summary: &Self::Summary) -> bool {
        self.inside.is_pure(&summary.inside)
    }

    fn determined(&self, summary: &Self::Summary) -> f64 {
        self.inside.determined(&summary.inside)
    }

    fn spread_behind(&self, answers: &Answers) -> f64 {
        self.inside.spread_behind(answers)
    }

    fn level(&self, summary: &Self::Summary, whole: &Self::Summary) -> f64 {
        self.inside.level(&summary.inside, &whole.inside)
    }

    fn groups(&self, examples: &Examples<'_, Self::Summary>, most: usize) -> Grouping {
        self.inside.groups(&inner(examples), most)
    }

    fn slack(&self) -> f64 {
        self.inside.slack()
    }
}

/// The examples as the response inside sees them.
fn inner<'a, S>(examples: &Examples<'a, CountedSums<S>>) -> Examples<'a, S> {
    Examples {
        rows: examples.rows,
        weights: examples.weights,
        whole: &examples.whole.inside,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Classes, Impurity};
    use super::*;

    #[test]
    fn rows_are_counted_whatever_they_weigh() {
        let weights = [0.001, 10.0, 0.0, 4.0];
        let response = Counted::new(
            Classes::new(vec![0, 1, 0, 1], 2, Impurity::Gini, 14.001),
            &weights,
        );
        let local = response.gather(&[0, 1, 2, 3]);
        let mut sums = response.sum(&local, 4, Some(&weights));
        assert!((response.rows(&sums) - 3.0).abs() < 1e-12);
        response.remove(&mut sums, &local, 3, 2.0);
        assert!((response.rows(&sums) - 2.5).abs() < 1e-12);
        assert!((response.weight(&sums) - 12.001).abs() < 1e-12);
    }
}
