//! What is predicted: the kinds of targets that there are. Measures are of one of them.

pub use kinwood_learning::target::{CLASSES, KINDS, KindEntry, LABELS, NUMBERS};

/// What is predicted.
pub type Target = &'static KindEntry;
