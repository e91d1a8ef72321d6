//! How unlike two trees are: by what they predict for the training rows, not by how they are built.
//!
//! The distance is the root of the mean squared difference of predictions, the mean being over rows
//! and targets: 0 or 1 for classes, the difference over the range of both trees' predictions for
//! numbers. The smoother variant compares the distributions of classes instead of the most probable
//! ones (Kocev, Struyf and Dzeroski, Beam search induction and similarity constraints for
//! predictive clustering trees, KDID 2006).

use crate::tree::response::{Answer, Unlikeness};

/// What of the predictions is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compared {
    /// The predictions themselves.
    Predictions,
    /// The distributions of classes or labels.
    Distributions,
}

kinwood_learning::named!(Compared {
    Predictions => "predictions",
    Distributions => "distributions",
});

/// How the predictions of trees are laid out and compared.
#[derive(Clone, Debug)]
pub struct Yardstick {
    targets: Vec<Measured>,
    compared: Compared,
    rows: usize,
    /// How much each row counts; the sum is in `total`.
    weights: Option<Vec<f64>>,
    total: f64,
}

#[derive(Clone, Debug)]
struct Measured {
    kind: Kind,
    start: usize,
    width: usize,
    /// How many slots its distribution has.
    spread_over: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Equal or not.
    Same,
    /// The squared difference.
    Squared,
    /// The squared difference, relative to the range of predictions.
    Ranged,
}

/// What a tree predicts for the training rows: a column a slot, column after column.
#[derive(Clone, Debug)]
pub struct Said {
    values: Vec<f64>,
    /// For each target the least and greatest prediction; of numbers only.
    ranges: Vec<(f64, f64)>,
}

/// Predictions that change: rows, and what is said of each instead.
#[derive(Clone, Debug, Default)]
pub struct Change {
    rows: Vec<u32>,
    /// A column a slot, column after column.
    values: Vec<f64>,
    ranges: Vec<(f64, f64)>,
}

/// For each target the sum over rows of what two trees differ by.
pub type Sums = Vec<f64>;

/// Shares that differ by no more are equal: mixed ones are corrected with every step, each time
/// off in the last digits, and those must not decide what a tree predicts.
const DRIFT: f64 = 1e-9;

/// The place of the greatest share, the first of equals.
fn most_probable(shares: &[f64]) -> usize {
    let greatest = shares.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let first = shares.iter().position(|share| *share >= greatest - DRIFT);
    first.unwrap_or_default()
}

impl Yardstick {
    /// For targets that are answered like these, and so many rows with their weights.
    pub fn new(
        answers: &[Answer],
        compared: Compared,
        rows: usize,
        weights: Option<Vec<f64>>,
    ) -> Self {
        let mut start = 0;
        let targets = answers.iter().map(|answer| {
            let whole = compared == Compared::Distributions;
            let (unlikeness, said) = answer.leaf().compared(answer.numbers(), whole);
            let width = said.len();
            let (kind, spread_over) = match unlikeness {
                Unlikeness::Same { of } => (Kind::Same, of),
                Unlikeness::Squared => (Kind::Squared, width),
                Unlikeness::Ranged => (Kind::Ranged, 1),
            };
            start += width;
            Measured {
                kind,
                start: start - width,
                width,
                spread_over,
            }
        });
        Self {
            targets: targets.collect(),
            compared,
            rows,
            total: weights
                .as_ref()
                .map_or(rows as f64, |weights| weights.iter().sum()),
            weights,
        }
    }

    /// Number of slots of a prediction.
    pub fn width(&self) -> usize {
        self.targets.iter().map(|target| target.width).sum()
    }

    /// What a leaf that answers so says, slot by slot.
    pub fn said(&self, answers: &[Answer]) -> Vec<f64> {
        let whole = self.compared == Compared::Distributions;
        let mut said = Vec::with_capacity(self.width());
        for answer in answers {
            said.extend(answer.leaf().compared(answer.numbers(), whole).1);
        }
        said
    }

    /// The predictions of a tree that is one leaf.
    pub fn constant(&self, said: &[f64]) -> Said {
        let values = said
            .iter()
            .flat_map(|&value| std::iter::repeat_n(value, self.rows));
        let ranges = self.targets.iter().map(|target| match target.kind {
            Kind::Ranged => (said[target.start], said[target.start]),
            _ => (0.0, 0.0),
        });
        Said {
            values: values.collect(),
            ranges: ranges.collect(),
        }
    }

    /// What changes when rows that were said `before` are said something else.
    pub fn change(&self, before: &[f64], after: &[(&[u32], Vec<f64>)]) -> Change {
        let changed = |said: &[f64]| said.iter().zip(before).any(|(now, then)| now != then);
        let parts: Vec<&(&[u32], Vec<f64>)> =
            after.iter().filter(|part| changed(&part.1)).collect();
        let rows: Vec<u32> = parts
            .iter()
            .flat_map(|part| part.0.iter().copied())
            .collect();
        let mut values = Vec::with_capacity(rows.len() * before.len());
        for slot in 0..before.len() {
            for part in &parts {
                values.extend(std::iter::repeat_n(part.1[slot], part.0.len()));
            }
        }
        let ranges = self.targets.iter().map(|target| {
            let said = after.iter().map(|part| part.1[target.start]);
            (
                said.clone().fold(f64::INFINITY, f64::min),
                said.fold(f64::NEG_INFINITY, f64::max),
            )
        });
        Change {
            ranges: ranges.collect(),
            rows,
            values,
        }
    }

    /// What changes when these rows get other distributions, each laid out as
    /// [`Compared::Distributions`] has it.
    pub fn change_of<'d>(
        &self,
        rows: Vec<u32>,
        distributions: impl Iterator<Item = &'d [f64]>,
        said: &Said,
    ) -> Change {
        let width = self.width();
        let mut values = vec![0.0; rows.len() * width];
        for (place, distribution) in distributions.enumerate() {
            let mut from = 0;
            for target in &self.targets {
                let own = &distribution[from..from + target.spread_over];
                from += target.spread_over;
                let column = |slot: usize| (target.start + slot) * rows.len() + place;
                match (target.kind, self.compared) {
                    (Kind::Same, _) => values[column(0)] = most_probable(own) as f64,
                    (Kind::Squared, Compared::Predictions) => {
                        for (slot, share) in own.iter().enumerate() {
                            values[column(slot)] = f64::from(u8::from(*share >= 0.5 - DRIFT));
                        }
                    }
                    _ => own
                        .iter()
                        .enumerate()
                        .for_each(|(slot, share)| values[column(slot)] = *share),
                }
            }
        }
        // Leaves that others share rows with say what no leaf says alone: the range is that of the
        // rows.
        let mut change = Change {
            rows,
            values,
            ranges: Vec::new(),
        };
        change.ranges = self.changed(said, &change).ranges;
        change
    }

    /// The predictions after a change. Ranges only grow: a leaf that is replaced may have said the
    /// least or the greatest, so numbers are looked through again.
    pub fn changed(&self, said: &Said, change: &Change) -> Said {
        let mut values = said.values.clone();
        let count = change.rows.len();
        for slot in 0..self.width() {
            let column = &mut values[slot * self.rows..(slot + 1) * self.rows];
            for (&row, &value) in change
                .rows
                .iter()
                .zip(&change.values[slot * count..(slot + 1) * count])
            {
                column[row as usize] = value;
            }
        }
        let ranges = self.targets.iter().map(|target| match target.kind {
            Kind::Ranged => {
                range(&values[target.start * self.rows..(target.start + 1) * self.rows])
            }
            _ => (0.0, 0.0),
        });
        Said {
            ranges: ranges.collect(),
            values,
        }
    }

    fn weight(&self, row: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |weights| weights[row])
    }

    /// What two trees differ by.
    pub fn sums(&self, a: &Said, b: &Said) -> Sums {
        let of = |target: &Measured| {
            let mut sum = 0.0;
            for slot in target.start..target.start + target.width {
                let columns =
                    [a, b].map(|said| &said.values[slot * self.rows..(slot + 1) * self.rows]);
                let pairs = columns[0].iter().zip(columns[1]);
                sum += match (target.kind, &self.weights) {
                    (Kind::Same, None) => pairs.filter(|(a, b)| a != b).count() as f64,
                    (_, None) => pairs.map(|(a, b)| (a - b) * (a - b)).sum::<f64>(),
                    (kind, Some(weights)) => pairs
                        .zip(weights)
                        .map(|((a, b), weight)| weight * differ(kind, *a, *b))
                        .sum::<f64>(),
                };
            }
            sum
        };
        self.targets.iter().map(of).collect()
    }

    /// What a tree differs from another by after a change, having differed by `before` from it.
    pub fn sums_after(
        &self,
        said: &Said,
        change: &Change,
        before: &[f64],
        other: &Said,
        into: &mut Sums,
    ) {
        into.clear();
        let count = change.rows.len();
        for (target, before) in self.targets.iter().zip(before) {
            let mut sum = *before;
            for slot in target.start..target.start + target.width {
                let new = &change.values[slot * count..(slot + 1) * count];
                let [old, theirs] = [said, other]
                    .map(|said| &said.values[slot * self.rows..(slot + 1) * self.rows]);
                let rows = change.rows.iter().map(|&row| row as usize).zip(new);
                sum += match (target.kind, &self.weights) {
                    (Kind::Same, None) => {
                        let more = rows.map(|(row, new)| {
                            i64::from(*new != theirs[row]) - i64::from(old[row] != theirs[row])
                        });
                        more.sum::<i64>() as f64
                    }
                    (kind, _) => rows
                        .map(|(row, new)| {
                            self.weight(row)
                                * (differ(kind, *new, theirs[row])
                                    - differ(kind, old[row], theirs[row]))
                        })
                        .sum::<f64>(),
                };
            }
            into.push(sum);
        }
    }

    /// The distance of two trees that differ by these sums and predict numbers in these ranges.
    fn distance(&self, sums: &[f64], range: impl Fn(usize) -> (f64, f64)) -> f64 {
        let mut mean = 0.0;
        for (target, measured) in self.targets.iter().enumerate() {
            let unit = match measured.kind {
                Kind::Same => 1.0,
                // Two distributions differ by at most 2, of labels each by at most 1.
                Kind::Squared => measured.width.max(1) as f64,
                Kind::Ranged => {
                    let (least, greatest) = range(target);
                    (greatest - least).powi(2)
                }
            };
            if unit > 0.0 {
                mean += sums[target].max(0.0) / unit;
            }
        }
        (mean / (self.total * self.targets.len() as f64)).sqrt()
    }

    /// The distance of two trees that differ by these sums.
    pub fn between(&self, sums: &[f64], a: &Said, b: &Said) -> f64 {
        self.distance(sums, |target| joined(a.ranges[target], b.ranges[target]))
    }

    /// The distance of a tree after a change from another; `outside` are the ranges of what does
    /// not change.
    pub fn between_after(&self, sums: &[f64], own: &[(f64, f64)], other: &Said) -> f64 {
        self.distance(sums, |target| joined(own[target], other.ranges[target]))
    }

    /// The range of each target's predictions by a tree whose leaf is replaced, the other leaves
    /// being in `rest`.
    pub fn ranges_after(&self, rest: &[(f64, f64)], change: &Change) -> Vec<(f64, f64)> {
        rest.iter()
            .zip(&change.ranges)
            .map(|(rest, new)| joined(*rest, *new))
            .collect()
    }

    /// Of each of several leaves, the range of what the others say.
    pub fn ranges_without(&self, leaves: &[Vec<f64>]) -> Vec<Vec<(f64, f64)>> {
        let mut without = vec![Vec::with_capacity(self.targets.len()); leaves.len()];
        for target in &self.targets {
            let mut least = [f64::INFINITY; 2];
            let mut greatest = [f64::NEG_INFINITY; 2];
            for leaf in leaves {
                let said = leaf[target.start];
                if said < least[0] {
                    least = [said, least[0]];
                } else if said < least[1] {
                    least[1] = said;
                }
                if said > greatest[0] {
                    greatest = [said, greatest[0]];
                } else if said > greatest[1] {
                    greatest[1] = said;
                }
            }
            for (leaf, without) in leaves.iter().zip(&mut without) {
                let said = leaf[target.start];
                without.push((
                    if said == least[0] { least[1] } else { least[0] },
                    if said == greatest[0] {
                        greatest[1]
                    } else {
                        greatest[0]
                    },
                ));
            }
        }
        without
    }
}

fn differ(kind: Kind, a: f64, b: f64) -> f64 {
    match kind {
        Kind::Same => f64::from(u8::from(a != b)),
        Kind::Squared | Kind::Ranged => (a - b) * (a - b),
    }
}

fn joined(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    (a.0.min(b.0), a.1.max(b.1))
}

fn range(values: &[f64]) -> (f64, f64) {
    values
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |range, &value| {
            (range.0.min(value), range.1.max(value))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is predicted of a single row whose classes have these shares.
    fn predicted(shares: [f64; 2]) -> Vec<f64> {
        let answers = [Answer::classes(vec![1.0, 1.0])];
        let yardstick = Yardstick::new(&answers, Compared::Predictions, 1, None);
        let said = yardstick.constant(&[0.0]);
        let change = yardstick.change_of(vec![0], std::iter::once(&shares[..]), &said);
        change.values
    }

    #[test]
    fn rounding_does_not_decide_between_equal_shares() {
        let above = 0.5 + f64::EPSILON;
        assert_eq!(predicted([1.0 - above, above]), [0.0]);
        assert_eq!(predicted([0.4, 0.6]), [1.0]);
    }
}
