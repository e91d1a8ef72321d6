//! One division of rows: what is trained on, and what is tested.

use serde::Serialize;

/// Training and test rows of one fold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Split {
    /// The repeat, from 1.
    pub repeat: usize,
    /// The fold within the repeat, from 1.
    pub fold: usize,
    /// The positions of the training rows, ascending.
    pub train: Vec<u32>,
    /// The positions of the test rows, ascending.
    pub test: Vec<u32>,
}
