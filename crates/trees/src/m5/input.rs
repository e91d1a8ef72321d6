//! The inputs as numbers: what is missing is replaced, labels are ranked by the mean of the target.
//!
//! Labels enter tests and formulas as questions whether a label is among the last of the ranking,
//! each a number that is 0 or 1. With `k` labels there are `k - 1` of them; they are never written
//! down, as the rank of a row's label says them all.

use std::sync::Arc;

use kinwood_values::{Cells, Column, Dictionary, View};

use super::M5;
use super::formula::Feature;
use crate::tree::test::measure;
use crate::tree::text::among;
use kinwood_learning::error::{Error, Result};

/// What rows are read by.
#[derive(Clone, Debug, PartialEq)]
pub struct Inputs {
    pub all: Vec<Input>,
}

/// A column.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    pub name: String,
    pub kind: Kind,
}

/// What a column holds, and what stands for a value that is missing.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Numbers; a missing one is their mean.
    Number { mean: f64 },
    /// Dates in milliseconds; a missing one is their mean.
    Moment { mean: f64 },
    /// Labels; a missing one, and one that training did not have, is the most frequent.
    Labels {
        labels: Arc<Dictionary>,
        /// The rank of each label.
        ranks: Vec<u32>,
        /// The code of the most frequent label, the first of equals.
        mode: u32,
    },
}

impl Inputs {
    /// Learns what stands for missing values, and the order of labels.
    pub fn fit(view: &View, numbers: &[f64], weights: &[f64]) -> Result<Self> {
        let table = view.table();
        let rows: Vec<usize> = view.rows().map(|row| row as usize).collect();
        let mut all = Vec::new();
        for place in view.inputs() {
            let attribute = table.attribute(place);
            let column: &Column = &attribute.column;
            let mean = || {
                let known = rows.iter().zip(weights);
                let known = known.filter_map(|(&row, weight)| Some((finite(column, row)?, weight)));
                let (sum, total) = known.fold((0.0, 0.0), |(sum, total), (number, weight)| {
                    (sum + weight * number, total + weight)
                });
                if total > 0.0 { sum / total } else { 0.0 }
            };
            let kind = match column.cells() {
                Cells::DateTime(_) => Kind::Moment { mean: mean() },
                Cells::Nominal { dictionary, .. } => {
                    ranked(column, dictionary, &rows, numbers, weights)
                }
                _ if column.numbers().is_some() => Kind::Number { mean: mean() },
                _ => {
                    return Err(Error::InputType {
                        learner: M5.name,
                        column: attribute.name.clone(),
                        found: attribute.type_of().to_string(),
                        expected: "numbers, dates and labels",
                    });
                }
            };
            all.push(Input {
                name: attribute.name.clone(),
                kind,
            });
        }
        if all.is_empty() {
            return Err(Error::NoInputs {
                learner: M5.name,
                table: table.name().to_owned(),
            });
        }
        Ok(Self { all })
    }

    /// The numbers of every row, an input after the other: labels are their ranks.
    pub fn values(&self, view: &View) -> Result<Vec<Vec<f64>>> {
        let rows: Vec<usize> = view.rows().map(|row| row as usize).collect();
        self.all
            .iter()
            .map(|input| {
                let column = input.column(view)?;
                Ok(rows.iter().map(|&row| input.value(column, row)).collect())
            })
            .collect()
    }

    /// Which inputs are ranks of labels.
    pub fn ranked(&self) -> Vec<bool> {
        let labels = |input: &Input| matches!(input.kind, Kind::Labels { .. });
        self.all.iter().map(labels).collect()
    }

    /// Whether all that stands for missing values can be computed with.
    pub fn finite(&self) -> bool {
        self.all.iter().all(|input| match input.kind {
            Kind::Number { mean } | Kind::Moment { mean } => mean.is_finite(),
            Kind::Labels { .. } => true,
        })
    }

    /// The input that a feature is of.
    pub fn of(&self, feature: Feature) -> &Input {
        &self.all[feature.input as usize]
    }

    /// A feature in words.
    pub fn words(&self, feature: Feature) -> String {
        let input = self.of(feature);
        match (&input.kind, feature.from) {
            (Kind::Labels { labels, .. }, Some(from)) => {
                let last = input.last(from);
                among(&input.name, last.iter().map(|&code| labels.label(code)))
            }
            _ => input.name.clone(),
        }
    }
}

impl Input {
    /// Its column in a view; `None` where it is hidden.
    pub fn column<'a>(&self, view: &'a View) -> Result<Option<&'a Column>> {
        let place = view.table().find(&self.name)?;
        let column = view.column(view.table_position(), place);
        Ok(column.map(|column| &**column))
    }

    /// The number of a row: that which is there, or what stands for it.
    pub fn value(&self, column: Option<&Column>, row: usize) -> f64 {
        match &self.kind {
            Kind::Number { mean } | Kind::Moment { mean } => column
                .and_then(|column| finite(column, row))
                .unwrap_or(*mean),
            Kind::Labels { ranks, mode, .. } => {
                let code = column.and_then(|column| column.code(row));
                let rank = code.and_then(|code| ranks.get(code as usize));
                let rank = rank.or_else(|| ranks.get(*mode as usize));
                rank.map_or(0.0, |&rank| f64::from(rank))
            }
        }
    }

    /// The codes of the labels from a rank on, ascending.
    pub fn last(&self, from: u32) -> Vec<u32> {
        match &self.kind {
            Kind::Labels { ranks, .. } => {
                let codes = 0..ranks.len() as u32;
                codes.filter(|&code| ranks[code as usize] >= from).collect()
            }
            Kind::Number { .. } | Kind::Moment { .. } => Vec::new(),
        }
    }
}

fn finite(column: &Column, row: usize) -> Option<f64> {
    measure(column, row).filter(|number| number.is_finite())
}

/// Labels by rising mean of the target; those that no row has stand at the mean of all. Two labels
/// keep the order they have.
fn ranked(
    column: &Column,
    labels: &Arc<Dictionary>,
    rows: &[usize],
    numbers: &[f64],
    weights: &[f64],
) -> Kind {
    let mut own = vec![0.0; labels.len()];
    for (&row, weight) in rows.iter().zip(weights) {
        if let Some(code) = column.code(row) {
            own[code as usize] += weight;
        }
    }
    let mode = (0..own.len()).fold(
        0,
        |best, code| if own[code] > own[best] { code } else { best },
    );
    let mut sums = vec![(0.0, 0.0); labels.len()];
    for ((&row, number), weight) in rows.iter().zip(numbers).zip(weights) {
        if let Some((sum, total)) =
            sums.get_mut(column.code(row).map_or(mode, |code| code as usize))
        {
            *sum += weight * number;
            *total += weight;
        }
    }
    let (sum, total) = sums
        .iter()
        .fold((0.0, 0.0), |all, one| (all.0 + one.0, all.1 + one.1));
    let mean = |code: usize| match sums[code] {
        (own, weight) if weight > 0.0 => own / weight,
        _ => sum / total,
    };
    let mut order: Vec<usize> = (0..labels.len()).collect();
    if labels.len() > 2 {
        order.sort_by(|&a, &b| mean(a).total_cmp(&mean(b)));
    }
    let mut ranks = vec![0; labels.len()];
    for (rank, &code) in order.iter().enumerate() {
        ranks[code] = rank as u32;
    }
    Kind::Labels {
        labels: Arc::clone(labels),
        ranks,
        mode: mode as u32,
    }
}
