//! Stored attributes, made ready: numbers sorted, symbols counted, structured values with their
//! distance.

use std::sync::Arc;

use kinwood_similarity::DistanceOn;
use kinwood_values::{Cells, Column, Dictionary};

use super::line::Line;

/// A stored attribute.
pub enum Field {
    Number(Numbers),
    Symbol(Symbols),
    Measured(Measured),
}

/// Stored numbers, dates among them.
pub struct Numbers {
    /// By row; NaN where missing. Infinite numbers are at no distance that could be compared, and
    /// count as missing.
    pub values: Vec<f64>,
    /// Whether no row lacks it.
    pub complete: bool,
    pub line: Line,
}

/// Stored symbols.
pub struct Symbols {
    /// By row; where missing the number of labels.
    pub codes: Vec<u32>,
    /// The share of each label among the rows that know the attribute, and its logarithm.
    pub frequencies: Vec<f64>,
    pub logarithms: Vec<f64>,
    /// How many rows, or how much weight, know the attribute.
    pub total: f64,
    pub dictionary: Arc<Dictionary>,
}

/// Stored values of any other type.
pub struct Measured {
    pub column: Column,
    pub distance: DistanceOn,
}

/// The numbers of a column of numbers or dates, NaN where there is none to compare.
pub fn numbers(column: &Column) -> Option<Vec<f64>> {
    let known = |row: usize, number: f64| {
        if column.is_present(row) && number.is_finite() {
            number
        } else {
            f64::NAN
        }
    };
    match column.cells() {
        Cells::Numeric(numbers) => Some(
            numbers
                .iter()
                .enumerate()
                .map(|(row, &x)| known(row, x))
                .collect(),
        ),
        Cells::DateTime(instants) => {
            let numbers = instants.iter().enumerate();
            Some(numbers.map(|(row, &x)| known(row, x as f64)).collect())
        }
        _ => None,
    }
}

impl Field {
    /// Makes a column ready. `weights` says how much each row counts; `distance` how far values are
    /// apart, where they are neither numbers nor symbols.
    pub fn new(column: &Column, weights: &[f64], distance: Option<&DistanceOn>) -> Option<Self> {
        if let Some(values) = numbers(column) {
            let known = values
                .iter()
                .zip(weights)
                .filter(|(value, _)| !value.is_nan());
            return Some(Field::Number(Numbers {
                line: Line::new(known.map(|(&value, &weight)| (value, weight))),
                complete: values.iter().all(|value| !value.is_nan()),
                values,
            }));
        }
        if let Some((codes, dictionary)) = column.codes() {
            let labels = dictionary.len();
            let codes: Vec<u32> = codes
                .iter()
                .enumerate()
                .map(|(row, &code)| {
                    if column.is_present(row) {
                        code
                    } else {
                        labels as u32
                    }
                })
                .collect();
            let mut frequencies = vec![0.0; labels];
            for (&code, weight) in codes.iter().zip(weights) {
                if let Some(count) = frequencies.get_mut(code as usize) {
                    *count += weight;
                }
            }
            let total: f64 = frequencies.iter().sum();
            if total > 0.0 {
                frequencies.iter_mut().for_each(|count| *count /= total);
            }
            return Some(Field::Symbol(Symbols {
                codes,
                logarithms: frequencies.iter().map(|share| share.ln()).collect(),
                frequencies,
                total,
                dictionary: Arc::clone(dictionary),
            }));
        }
        Some(Field::Measured(Measured {
            column: column.clone(),
            distance: distance?.clone(),
        }))
    }
}
