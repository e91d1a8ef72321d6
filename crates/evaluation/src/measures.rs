//! How good predictions are: the measures, and one list of them.
//!
//! A measure is one [`MeasureEntry`]: name, explanation, direction, and the function that computes
//! it. Everything that names measures derives from the list of them, [`Measure::all`], to which
//! users add by [`Measure::register`]. The formulas are in [`class`] for classes, in [`number`] for
//! numbers and in [`labels`] for sets of labels. In all of them rows whose true value is missing
//! are left out, rows may be weighted, shares are fractions (not percentages), and a measure that
//! the rows do not define is `None`, never a stand-in number.

mod answers;
mod builtin;
pub mod censored;
pub mod class;
mod confusion;
pub mod curves;
mod entry;
mod known;
pub mod labels;
pub mod number;
pub mod ordered;
mod probabilities;
mod rows;
pub mod series;
#[cfg(test)]
mod tests;

pub use answers::{Answers, ClassAnswers, KindAnswers, LabelAnswers, NumberAnswers};
pub use builtin::*;
pub use entry::{
    Compute, Direction, FromClasses, FromLabels, FromNumbers, Measure, MeasureEntry, Score,
};

pub use crate::target::{CLASSES, KINDS, LABELS, NUMBERS, Target};
