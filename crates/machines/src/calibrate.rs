//! Probabilities from decision values.
//!
//! A decision value says on which side an object lies, not how sure that is. A sigmoid fitted to
//! decision values of objects the machine has *not* seen turns one into the other
//! ([`cross_validated`] finds such values); for several classes the sigmoids of all pairs are
//! coupled.

use crate::Error;

/// A probability as a function of a decision value: `1 / (1 + exp(slope * decision + offset))`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sigmoid {
    /// The slope, negative where higher decisions are more often positive.
    pub slope: f64,
    /// The offset.
    pub offset: f64,
}

impl Sigmoid {
    /// The probability that an object of this decision value is positive.
    pub fn probability(&self, decision: f64) -> f64 {
        let exponent = self.slope * decision + self.offset;
        // Either form is exact where the other would overflow.
        if exponent >= 0.0 {
            let small = (-exponent).exp();
            small / (1.0 + small)
        } else {
            1.0 / (1.0 + exponent.exp())
        }
    }
}

/// Fits Platt's sigmoid to decision values by regularised maximum likelihood.
///
/// The targets are drawn towards one half as if each class had one more object, so that few
/// objects give no certainty. Objects of one class only give a sigmoid that is almost constant.
///
/// Reference: J. Platt, Probabilistic outputs for support vector machines, 1999; H.-T. Lin,
/// C.-J. Lin, R. Weng, A note on Platt's probabilistic outputs for support vector machines,
/// Machine Learning 68, 2007.
pub fn sigmoid(decisions: &[f64], positive: &[bool]) -> Result<Sigmoid, Error> {
    let _ = (decisions, positive);
    unimplemented!()
}

/// The probabilities of several classes from those of all pairs.
///
/// `pairwise[a * classes + b]` is the probability of class `a` given that it is `a` or `b`; what
/// stands where both are the same is not read. The result sums to 1.
///
/// Reference: T.-F. Wu, C.-J. Lin, R. Weng, Probability estimates for multi-class classification
/// by pairwise coupling, Journal of Machine Learning Research 5, 2004 (their second approach).
///
/// # Panics
/// Where `pairwise` is not `classes` times `classes` long.
pub fn couple(classes: usize, pairwise: &[f64]) -> Vec<f64> {
    let _ = (classes, pairwise);
    unimplemented!()
}

/// Decision values for each object from a machine that has not seen it.
///
/// `folds` gives the fold of each object. `decide` is called once a fold, on any thread, with the
/// objects to learn from and those held out, and answers with a decision value for each held-out
/// object, in order.
pub fn cross_validated<E: Send>(
    folds: &[usize],
    decide: impl Fn(&[usize], &[usize]) -> Result<Vec<f64>, E> + Sync,
) -> Result<Vec<f64>, E> {
    let _ = (folds, &decide);
    unimplemented!()
}
