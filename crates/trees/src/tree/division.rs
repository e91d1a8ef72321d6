//! How a region is divided by a test, as it is proposed and carried out.

use super::test::{Cells, Nearest};

/// The best test of an input in a region.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The input, by place among the inputs.
    pub input: usize,
    /// How the region is divided.
    pub division: Division,
    /// The sum of the spreads of the branches, undecided examples divided among them.
    pub spread: f64,
    /// The share of the decided weight in each branch.
    pub shares: Vec<f64>,
    /// What the best of as many tests as were tried gains by chance: it is taken from the gain.
    pub chance: f64,
}

/// How a region is divided.
#[derive(Clone, Debug, PartialEq)]
pub enum Division {
    /// By a number.
    Above {
        /// How many of the region's examples that have a number are below.
        below: usize,
        /// The threshold.
        threshold: f64,
    },
    /// By label.
    Among {
        /// The labels for which the test holds, rising.
        values: Vec<u32>,
    },
    /// By the nearest of some numbers; boxed, so that the candidates of thresholds are small.
    Around(Box<Cells>),
    /// By the nearest of some values.
    Nearest(Box<Nearest>),
    /// By whether a value contains one of these items, rising.
    Has(Vec<u32>),
    /// By whether a value has at least so many members or characters.
    Size(u32),
}
