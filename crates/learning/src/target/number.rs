//! A number: a prediction is the number itself.

use std::any::Any;

use kinwood_values::Value;

use super::{Kind, KindEntry, KindTerms, TargetColumns, TargetKind};

/// How numbers are listed.
pub const NUMBERS: KindEntry = KindEntry {
    name: "numbers",
    shown: "number",
    one: "a number",
    words: "numbers",
    of: "numeric",
    measure: "rmse",
    probabilities: false,
    alone: None,
    recognise: |columns| {
        let numbers = columns.values.column.numbers();
        numbers.map(|_| TargetKind::number())
    },
    read: |_| Ok(TargetKind::number()),
};

/// A number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number;

impl Kind for Number {
    fn entry(&self) -> &'static KindEntry {
        &NUMBERS
    }

    fn width(&self) -> usize {
        1
    }

    fn parts(&self) -> Vec<String> {
        vec![String::new()]
    }

    fn truth(&self, columns: &TargetColumns<'_>, row: usize) -> Option<Vec<f64>> {
        Some(vec![columns.values.column.number(row)?])
    }

    fn true_value(&self, truth: &[f64]) -> Value {
        Value::Number(truth[0])
    }

    fn value(&self, numbers: &[f64]) -> Value {
        Value::Number(numbers[0])
    }

    fn ranged(&self) -> bool {
        true
    }

    fn distance(&self, truth: &[f64], numbers: &[f64]) -> f64 {
        (truth[0] - numbers[0]).abs()
    }

    fn fits(&self, truth: &[f64]) -> bool {
        truth.len() == 1
    }

    fn terms(&self) -> KindTerms {
        KindTerms::default()
    }

    fn same(&self, other: &dyn Kind) -> bool {
        other.as_any().is::<Number>()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
