//! Settings chosen from lists: the candidate with the least error on training rows that were held out.

use serde::{Deserialize, Serialize};

use crate::error::Result;

/// Settings that were tried.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tried {
    /// The price of errors.
    pub c: f64,
    /// The width of the kernel, where it was left open.
    pub gamma: Option<f64>,
    /// The error of the held-out rows: the share of wrong classes, or the mean squared error.
    pub error: f64,
}

/// What was chosen, and from what.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tuned {
    /// How many folds held rows out.
    pub folds: usize,
    /// All that was tried, in order.
    pub tried: Vec<Tried>,
}

/// The best of the candidates, given by the place of their source and their price of errors: the least error, the first of equals. The
/// errors of all candidates of one source are asked for together, so that its matrix is made once.
pub fn choose(
    sources: &[Option<f64>],
    prices: &[f64],
    folds: usize,
    errors: impl Fn(usize) -> Result<Vec<f64>>,
) -> Result<(usize, f64, Tuned)> {
    let mut tried = Vec::new();
    let mut best = (0, prices[0], f64::INFINITY);
    for (source, &gamma) in sources.iter().enumerate() {
        for (&c, error) in prices.iter().zip(errors(source)?) {
            tried.push(Tried { c, gamma, error });
            if error < best.2 {
                best = (source, c, error);
            }
        }
    }
    Ok((best.0, best.1, Tuned { folds, tried }))
}
