//! What is predicted: classes as they are, numbers in two groups that change from node to node.

use serde::{Deserialize, Serialize};

use kinwood_learning::predictions::normalised;
use kinwood_learning::task::Target;

/// The targets of the training rows.
pub enum Response {
    /// Classes by code, and how many there are.
    Classes(Vec<u32>, usize),
    /// Numbers.
    Numbers(Vec<f64>),
}

/// Of which rows a centre is the centre.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Group {
    /// Those of a class, by code.
    Class(u32),
    /// Those whose number is from the one to the other.
    Between(f64, f64),
}

/// How much less the spread must be, relative to it, to be less: sums in another order differ by
/// rounding.
const TOLERANCE: f64 = 1e-9;

impl Response {
    /// The response of a target that is known for every row.
    pub fn of(target: &Target) -> Self {
        let rows = 0..target.values().column.len();
        match target.classes() {
            Some(classes) => Self::Classes(
                rows.map(|row| target.class(row).unwrap_or(0)).collect(),
                classes.len(),
            ),
            None => Self::Numbers(rows.map(|row| target.number(row).unwrap_or(0.0)).collect()),
        }
    }

    /// What rows of these weights predict: the shares of the classes, or the mean alone.
    pub fn answer(&self, rows: &[u32], weights: &[f64]) -> Vec<f64> {
        match self {
            Response::Classes(codes, classes) => {
                let mut counted = vec![0.0; *classes];
                for &row in rows {
                    counted[codes[row as usize] as usize] += weights[row as usize];
                }
                normalised(counted)
            }
            Response::Numbers(numbers) => {
                let of = rows.iter().map(|&row| row as usize);
                vec![mean(of.map(|row| (numbers[row], weights[row])))]
            }
        }
    }

    /// The rows by group, each in their order: one group alone if the rows are pure.
    pub fn groups(&self, rows: &[u32], weights: &[f64]) -> Vec<(Group, Vec<u32>)> {
        match self {
            Response::Classes(codes, classes) => {
                let mut by_class: Vec<Vec<u32>> = vec![Vec::new(); *classes];
                for &row in rows {
                    by_class[codes[row as usize] as usize].push(row);
                }
                let groups = by_class.into_iter().enumerate();
                groups
                    .filter(|(_, rows)| !rows.is_empty())
                    .map(|(class, rows)| (Group::Class(class as u32), rows))
                    .collect()
            }
            Response::Numbers(numbers) => {
                let number = |row: &u32| numbers[*row as usize];
                let mut order = rows.to_vec();
                order.sort_by(|a, b| number(a).total_cmp(&number(b)).then(a.cmp(b)));
                let first = best_cut(&order, numbers, weights).unwrap_or(order.len());
                let upper = order.split_off(first);
                [order, upper]
                    .into_iter()
                    .filter_map(|mut rows| {
                        let group = Group::Between(number(rows.first()?), number(rows.last()?));
                        rows.sort_unstable();
                        Some((group, rows))
                    })
                    .collect()
            }
        }
    }
}

/// How many of the rows, sorted by their numbers, are in the lower of the two groups with the least
/// squared deviations from their means; the first of equals, none where all are equal.
fn best_cut(order: &[u32], numbers: &[f64], weights: &[f64]) -> Option<usize> {
    let of = |place: usize| {
        let row = order[place] as usize;
        (numbers[row], weights[row])
    };
    let centre = mean((0..order.len()).map(of));
    let widest = |place: usize| of(place).0 / 2.0 - centre / 2.0;
    let scale = widest(0).abs().max(widest(order.len() - 1).abs());
    if of(0).0 == of(order.len() - 1).0 || scale <= 0.0 {
        return None;
    }
    let total: f64 = order.iter().map(|&row| weights[row as usize]).sum();
    // Deviations from the mean add up to nothing: what one side has the other lacks.
    let (mut weight, mut sum) = (0.0, 0.0);
    let mut best: Option<(f64, usize)> = None;
    for place in 0..order.len() - 1 {
        let (number, own) = of(place);
        weight += own;
        sum += own * ((number / 2.0 - centre / 2.0) / scale);
        if number == of(place + 1).0 {
            continue;
        }
        let fall = sum * sum / weight + sum * sum / (total - weight);
        if best.is_none_or(|(most, _)| fall > most * (1.0 + TOLERANCE)) {
            best = Some((fall, place + 1));
        }
    }
    best.map(|(_, cut)| cut)
}

/// The mean of numbers with their weights, which never leaves their range, however large they are.
pub fn mean(numbers: impl Iterator<Item = (f64, f64)> + Clone) -> f64 {
    let total: f64 = numbers.clone().map(|(_, weight)| weight).sum();
    let (least, greatest) = numbers
        .clone()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (x, _)| {
            (low.min(x), high.max(x))
        });
    let plain = numbers.clone().map(|(x, weight)| x * weight).sum::<f64>() / total;
    // Shares of the total are rounded, so that the mean of few whole numbers would not be exact;
    // but they never overflow.
    let mean = match plain.is_finite() {
        true => plain,
        false => numbers.map(|(x, weight)| x * (weight / total)).sum(),
    };
    mean.max(least).min(greatest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_cut_where_their_spread_falls_most() {
        let response = Response::Numbers(vec![9.0, 1.0, 2.0, 8.0, 1.0]);
        let groups = response.groups(&[0, 1, 2, 3, 4], &[1.0; 5]);
        assert_eq!(
            groups,
            [
                (Group::Between(1.0, 2.0), vec![1, 2, 4]),
                (Group::Between(8.0, 9.0), vec![0, 3])
            ]
        );
        assert_eq!(response.groups(&[1, 4], &[1.0; 5]).len(), 1);
        let huge = Response::Numbers(vec![-1e308, 1e308, 1.5e308]);
        assert_eq!(huge.groups(&[0, 1, 2], &[1.0; 3])[0].1, [0]);
    }

    #[test]
    fn means_stay_in_range() {
        let huge = [(1.7e308, 1.0), (1.7e308, 2.0)];
        assert_eq!(mean(huge.into_iter()), 1.7e308);
        assert_eq!(mean([(1.0, 1.0), (4.0, 2.0)].into_iter()), 3.0);
    }
}
