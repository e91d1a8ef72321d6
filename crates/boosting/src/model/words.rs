//! Tests and numbers in words.

use kinwood_values::datetime;
use kinwood_values::text::number_text;

use crate::features::{Features, InputKind};
use crate::tree::{KNOWN, Tree};

/// Without the digits that only arithmetic put there.
pub fn rounded(number: f64) -> f64 {
    format!("{number:.6e}").parse().unwrap_or(number)
}

/// A test in words, such as `age > 42.5`.
pub fn test_words(features: &Features, tree: &Tree, node: usize) -> String {
    let feature = tree.features[node] as usize;
    let name = features.words(feature);
    match tree.set(node) {
        Some(set) => {
            let input = features.input(feature);
            let labels = match &input.kind {
                InputKind::Labels { labels, .. } => set
                    .iter()
                    .map(|label| labels.label(*label).to_owned())
                    .collect(),
                _ => Vec::new(),
            };
            among(&name, &labels)
        }
        None if tree.thresholds[node] == KNOWN => format!("{name} is known"),
        None if features.is_flag(feature) => name,
        None => format!(
            "{name} > {}",
            threshold_text(features, feature, tree.thresholds[node])
        ),
    }
}

/// A threshold as it is read: times as times.
pub fn threshold_text(features: &Features, feature: usize, threshold: f64) -> String {
    match features.input(feature).kind {
        InputKind::Moment => datetime::print(threshold as i64),
        _ => number_text(rounded(threshold)),
    }
}

/// That a label is one of some.
fn among(name: &str, labels: &[String]) -> String {
    match labels {
        [] => format!("{name} is missing"),
        [only] => format!("{name} = {only}"),
        several => format!("{name} in {{{}}}", several.join(", ")),
    }
}
