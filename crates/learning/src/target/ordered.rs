//! One of several classes in an order: a prediction is how probable it is that the class comes no
//! later than each.
//!
//! The probabilities are cumulative, so that averages of predictions and differences between them
//! respect the order; what is predicted is the median, which errs least in ranks.

use std::any::Any;
use std::sync::Arc;

use kinwood_values::{Dictionary, Value};

use super::classes::{is_code, symbol};
use super::{Kind, KindEntry, KindTerms, TargetColumns, TargetKind};

/// How ordered classes are listed.
pub const ORDERED: KindEntry = KindEntry {
    name: "ordered",
    shown: "ordered",
    one: "an ordered class",
    words: "ordered classes",
    of: "ordered nominal",
    measure: "rank_error",
    probabilities: true,
    alone: Some(": an ordered class is predicted alone"),
    recognise: |columns| {
        let (_, classes) = columns.values.column.codes()?;
        let ordered = columns.values.ordered;
        ordered.then(|| TargetKind::new(OrderedClasses(Arc::clone(classes))))
    },
    read: |terms| {
        let classes = terms.dictionary().ok_or("a label stands twice")?;
        Ok(TargetKind::new(OrderedClasses(classes)))
    },
};

/// What rounding may take away from a probability of one half.
const ROUNDING: f64 = 1e-12;

/// One of several classes, which are in order. A true value is the place of its class.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderedClasses(pub Arc<Dictionary>);

impl OrderedClasses {
    /// The median: the first class up to which at least half of the probability lies.
    pub fn median(cumulative: &[f64]) -> usize {
        let half = |probability: &f64| *probability >= 0.5 - ROUNDING;
        let last = cumulative.len().saturating_sub(1);
        cumulative.iter().position(half).unwrap_or(last)
    }
}

impl Kind for OrderedClasses {
    fn entry(&self) -> &'static KindEntry {
        &ORDERED
    }

    fn width(&self) -> usize {
        self.0.len()
    }

    fn parts(&self) -> Vec<String> {
        self.0.labels().map(|label| format!("<={label}")).collect()
    }

    fn truth(&self, columns: &TargetColumns<'_>, row: usize) -> Option<Vec<f64>> {
        Some(vec![f64::from(columns.values.column.code(row)?)])
    }

    fn true_value(&self, truth: &[f64]) -> Value {
        symbol(&self.0, truth[0] as usize)
    }

    fn value(&self, numbers: &[f64]) -> Value {
        symbol(&self.0, Self::median(numbers))
    }

    fn vote(&self, numbers: &mut [f64]) {
        let median = Self::median(numbers);
        for (place, probability) in numbers.iter_mut().enumerate() {
            *probability = f64::from(u8::from(place >= median));
        }
    }

    fn settle(&self, numbers: &mut [f64]) {
        let mut least: f64 = 0.0;
        for probability in numbers.iter_mut() {
            *probability = probability.clamp(least, 1.0);
            least = *probability;
        }
        if let Some(last) = numbers.last_mut() {
            *last = 1.0;
        }
    }

    fn class(&self, numbers: &[f64]) -> Option<u32> {
        Some(Self::median(numbers) as u32)
    }

    fn true_class(&self, truth: &[f64]) -> Option<u32> {
        truth.first().map(|code| *code as u32)
    }

    fn class_probabilities(&self, numbers: &[f64]) -> Option<Vec<f64>> {
        let before = std::iter::once(&0.0).chain(numbers);
        let pairs = numbers.iter().zip(before);
        Some(
            pairs
                .map(|(up_to, before)| (up_to - before).max(0.0))
                .collect(),
        )
    }

    fn dictionary(&self) -> Option<&Arc<Dictionary>> {
        Some(&self.0)
    }

    fn aligned(&self, _known: &TargetKind, numbers: &[f64]) -> Vec<f64> {
        // Classes that a model has never seen stand behind those it knows.
        let mut aligned = numbers.to_vec();
        aligned.resize(self.0.len().max(numbers.len()), 1.0);
        aligned
    }

    fn distance(&self, truth: &[f64], numbers: &[f64]) -> f64 {
        (truth[0] - Self::median(numbers) as f64).abs()
    }

    fn extent(&self) -> String {
        format!("{} ordered classes", self.0.len())
    }

    fn fits(&self, truth: &[f64]) -> bool {
        is_code(truth, self.0.len())
    }

    fn terms(&self) -> KindTerms {
        KindTerms {
            labels: self.0.labels().map(str::to_owned).collect(),
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

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes() -> OrderedClasses {
        OrderedClasses(Arc::new(Dictionary::from_labels([
            "small", "middle", "large",
        ])))
    }

    #[test]
    fn the_median_is_predicted() {
        let sizes = sizes();
        assert_eq!(sizes.class(&[0.4, 0.6, 1.0]), Some(1));
        assert_eq!(sizes.class(&[0.5, 0.5, 1.0]), Some(0));
        assert_eq!(sizes.value(&[0.1, 0.2, 1.0]).to_string(), "large");
        assert_eq!(sizes.parts(), ["<=small", "<=middle", "<=large"]);
        assert_eq!(sizes.distance(&[2.0], &[0.9, 1.0, 1.0]), 2.0);
    }

    #[test]
    fn a_vote_is_for_the_median_and_what_is_settled_rises_to_one() {
        let sizes = sizes();
        let mut vote = [0.4, 0.6, 1.0];
        sizes.vote(&mut vote);
        assert_eq!(vote, [0.0, 1.0, 1.0]);
        let mut mean = [0.4, 0.3, 1.0 + 1e-16];
        sizes.settle(&mut mean);
        assert_eq!(mean, [0.4, 0.4, 1.0]);
    }
}
