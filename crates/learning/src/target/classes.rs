//! One of several classes: a prediction is the probability of each.

use std::any::Any;
use std::sync::Arc;

use kinwood_values::{Dictionary, Value};

use super::{Kind, KindEntry, KindTerms, TargetColumns, TargetKind, first_greatest};

/// How classes are listed.
pub const CLASSES: KindEntry = KindEntry {
    name: "classes",
    shown: "classes",
    one: "a class",
    words: "classes",
    of: "nominal",
    measure: "accuracy",
    probabilities: true,
    alone: None,
    recognise: |columns| {
        let (_, classes) = columns.values.column.codes()?;
        Some(TargetKind::classes(Arc::clone(classes)))
    },
    read: |terms| {
        let classes = terms.dictionary().ok_or("a label stands twice")?;
        Ok(TargetKind::classes(classes))
    },
};

/// One of several classes. A true value is the place of its class.
#[derive(Clone, Debug, PartialEq)]
pub struct Classes(pub Arc<Dictionary>);

impl Kind for Classes {
    fn entry(&self) -> &'static KindEntry {
        &CLASSES
    }

    fn width(&self) -> usize {
        self.0.len()
    }

    fn parts(&self) -> Vec<String> {
        self.0.labels().map(str::to_owned).collect()
    }

    fn truth(&self, columns: &TargetColumns<'_>, row: usize) -> Option<Vec<f64>> {
        Some(vec![f64::from(columns.values.column.code(row)?)])
    }

    fn true_value(&self, truth: &[f64]) -> Value {
        symbol(&self.0, truth[0] as usize)
    }

    fn value(&self, numbers: &[f64]) -> Value {
        symbol(&self.0, first_greatest(numbers))
    }

    fn vote(&self, numbers: &mut [f64]) {
        let best = first_greatest(numbers);
        numbers.fill(0.0);
        numbers[best] = 1.0;
    }

    fn settle(&self, numbers: &mut [f64]) {
        // Parts of one may add up to a little more.
        numbers.iter_mut().for_each(|share| *share = share.min(1.0));
    }

    fn class(&self, numbers: &[f64]) -> Option<u32> {
        Some(first_greatest(numbers) as u32)
    }

    fn true_class(&self, truth: &[f64]) -> Option<u32> {
        truth.first().map(|code| *code as u32)
    }

    fn dictionary(&self) -> Option<&Arc<Dictionary>> {
        Some(&self.0)
    }

    fn aligned(&self, _known: &TargetKind, numbers: &[f64]) -> Vec<f64> {
        // Classes that a model has never seen stand behind those it knows.
        let mut aligned = numbers.to_vec();
        aligned.resize(self.0.len().max(numbers.len()), 0.0);
        aligned
    }

    fn unlike(&self, a: &[f64], b: &[f64], _range: f64) -> f64 {
        f64::from(u8::from(first_greatest(a) != first_greatest(b)))
    }

    fn distance(&self, truth: &[f64], numbers: &[f64]) -> f64 {
        1.0 - numbers.get(truth[0] as usize).copied().unwrap_or(0.0)
    }

    fn extent(&self) -> String {
        format!("{} classes", self.0.len())
    }

    fn fits(&self, truth: &[f64]) -> bool {
        is_code(truth, self.0.len())
    }

    fn terms(&self) -> KindTerms {
        KindTerms {
            labels: self.parts(),
            ..KindTerms::default()
        }
    }

    fn same(&self, other: &dyn Kind) -> bool {
        other.as_any().downcast_ref() == Some(self)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Whether numbers are the one place of a label among so many.
pub(super) fn is_code(truth: &[f64], labels: usize) -> bool {
    matches!(truth, [code] if *code >= 0.0 && code.fract() == 0.0 && (*code as usize) < labels)
}

/// A label as a value; missing where there is none at that place.
pub(super) fn symbol(labels: &Dictionary, place: usize) -> Value {
    match place < labels.len() {
        true => Value::Symbol(labels.label(place as u32).to_owned()),
        false => Value::Missing,
    }
}
