//! A set of labels, perhaps of a hierarchy: a prediction is the probability that the set has each.

use std::any::Any;
use std::sync::Arc;

use kinwood_values::notice::counted;
use kinwood_values::{Dictionary, Value};

use super::{Kind, KindEntry, KindTerms, TargetColumns, TargetKind};
use crate::labels::Labels;

/// The least probability of a label that is said to be in the set.
pub const PRESENT: f64 = 0.5;

/// How sets of labels are listed.
pub const LABELS: KindEntry = KindEntry {
    name: "labels",
    shown: "labels",
    one: "a set of labels",
    words: "sets of labels",
    of: "set<nominal>",
    measure: "auprc",
    probabilities: true,
    alone: Some(": a set of labels is predicted alone"),
    recognise: |columns| {
        let labels = Labels::of(columns.values)?;
        let hierarchy = columns.values.hierarchy;
        let some = !labels.dictionary().is_empty();
        some.then(|| TargetKind::new(LabelSets { labels, hierarchy }))
    },
    read: |terms| {
        let named = terms.dictionary().ok_or("a label stands twice")?;
        let labels = Labels::new(&named, terms.hierarchy);
        if labels.dictionary().len() != named.len() {
            return Err("labels without those above them");
        }
        Ok(TargetKind::new(LabelSets {
            labels,
            hierarchy: terms.hierarchy,
        }))
    },
};

/// A set of labels. A true value is the places of its labels and of those above them, ascending.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelSets {
    /// The labels, those above them included.
    pub labels: Labels,
    /// What divides labels into paths.
    pub hierarchy: Option<char>,
}

impl LabelSets {
    /// The places of the labels that are as likely in the set as not.
    pub fn present(numbers: &[f64]) -> Vec<u32> {
        let places = numbers.iter().enumerate();
        let present = places.filter(|(_, share)| **share >= PRESENT);
        present.map(|(place, _)| place as u32).collect()
    }

    fn set(&self, labels: impl Iterator<Item = u32>) -> Value {
        let dictionary = self.labels.dictionary();
        let symbols = labels.map(|label| Value::Symbol(dictionary.label(label).to_owned()));
        Value::set(symbols.collect())
    }
}

impl Kind for LabelSets {
    fn entry(&self) -> &'static KindEntry {
        &LABELS
    }

    fn width(&self) -> usize {
        self.labels.dictionary().len()
    }

    fn parts(&self) -> Vec<String> {
        let labels = self.labels.dictionary().labels();
        labels.map(str::to_owned).collect()
    }

    fn truth(&self, columns: &TargetColumns<'_>, row: usize) -> Option<Vec<f64>> {
        let own = self.labels.of_row(&columns.values.column, row)?;
        Some(own.into_iter().map(f64::from).collect())
    }

    fn true_value(&self, truth: &[f64]) -> Value {
        self.set(truth.iter().map(|label| *label as u32))
    }

    fn value(&self, numbers: &[f64]) -> Value {
        self.set(Self::present(numbers).into_iter())
    }

    fn vote(&self, numbers: &mut [f64]) {
        for share in numbers {
            *share = f64::from(u8::from(*share >= PRESENT));
        }
    }

    fn settle(&self, numbers: &mut [f64]) {
        // Parts of one may add up to a little more.
        numbers.iter_mut().for_each(|share| *share = share.min(1.0));
    }

    fn dictionary(&self) -> Option<&Arc<Dictionary>> {
        Some(self.labels.dictionary())
    }

    fn aligned(&self, known: &TargetKind, numbers: &[f64]) -> Vec<f64> {
        // A model may know fewer labels, and in another order.
        let Some(known) = known.dictionary() else {
            return numbers.to_vec();
        };
        let places = self.labels.dictionary().labels();
        let share = |label: &str| {
            known
                .code(label)
                .map_or(0.0, |place| numbers[place as usize])
        };
        places.map(share).collect()
    }

    fn unlike(&self, a: &[f64], b: &[f64], _range: f64) -> f64 {
        let pairs = a.iter().zip(b);
        let differing = pairs.filter(|(a, b)| (**a >= PRESENT) != (**b >= PRESENT));
        differing.count() as f64 / a.len().max(1) as f64
    }

    fn distance(&self, truth: &[f64], numbers: &[f64]) -> f64 {
        let (truth, said): (Vec<u32>, _) = (
            truth.iter().map(|label| *label as u32).collect(),
            Self::present(numbers),
        );
        let missed = truth.iter().filter(|label| !said.contains(label)).count();
        let added = said.iter().filter(|label| !truth.contains(label)).count();
        (missed + added) as f64
    }

    fn extent(&self) -> String {
        counted(self.width(), "label")
    }

    fn fits(&self, truth: &[f64]) -> bool {
        let width = self.width() as f64;
        truth.iter().all(|label| *label >= 0.0 && *label < width)
    }

    fn terms(&self) -> KindTerms {
        KindTerms {
            labels: self.parts(),
            hierarchy: self.hierarchy,
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
