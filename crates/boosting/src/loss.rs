//! Losses: what is made small, and how scores become predictions.

use kinwood_learning::target::{CENSORED, CLASSES, LABELS, NUMBERS, ORDERED, Targets};

/// The kinds of targets that have a loss.
pub const TARGETS: Targets = Targets(&[&CLASSES, &NUMBERS, &LABELS, &ORDERED, &CENSORED]);

/// What is made small.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Loss {
    /// The log loss of one of two classes, of each label of a set, or of each step of ordered
    /// classes.
    Logistic,
    /// The log loss of one of several classes.
    Softmax,
    /// The square of the error.
    Squared,
    /// The size of the error: predictions are medians.
    Absolute,
    /// The square of small errors, the size of large ones.
    Huber,
    /// The error, weighed by the side it is on: predictions are quantiles.
    Quantile,
    /// The deviance of counts, whose logarithm is a sum.
    Poisson,
    /// The deviance of positive amounts, whose logarithm is a sum.
    Gamma,
    /// The partial likelihood of times, whose hazards are proportional.
    Cox,
}

impl Loss {
    /// The names of those of numbers, in the order of the setting.
    pub const NUMBERS: [(&'static str, Loss); 6] = [
        ("squared", Loss::Squared),
        ("absolute", Loss::Absolute),
        ("huber", Loss::Huber),
        ("quantile", Loss::Quantile),
        ("poisson", Loss::Poisson),
        ("gamma", Loss::Gamma),
    ];

    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Loss::Logistic => "logistic",
            Loss::Softmax => "softmax",
            Loss::Squared => "squared",
            Loss::Absolute => "absolute",
            Loss::Huber => "huber",
            Loss::Quantile => "quantile",
            Loss::Poisson => "poisson",
            Loss::Gamma => "gamma",
            Loss::Cox => "cox",
        }
    }

    /// Whether scores become probabilities of classes or labels.
    pub fn is_of_classes(self) -> bool {
        matches!(self, Loss::Logistic | Loss::Softmax)
    }

    /// Whether leaves answer by a quantile of what is left of the target.
    pub fn by_quantile(self) -> bool {
        matches!(self, Loss::Absolute | Loss::Quantile)
    }

    /// Whether the score of a number is its logarithm.
    pub fn is_log(self) -> bool {
        matches!(self, Loss::Poisson | Loss::Gamma)
    }
}

/// Scores of logarithms and log-odds stay between these, so that no prediction is infinite.
pub const MOST: f64 = 700.0;

/// The probability of log-odds.
#[inline]
pub fn logistic(score: f64) -> f64 {
    1.0 / (1.0 + (-score).exp())
}

/// A number from its logarithm.
#[inline]
pub fn exponential(score: f64) -> f64 {
    score.clamp(-MOST, MOST).exp()
}

/// Probabilities from scores, in place; they add up to one.
pub fn softmax(scores: &mut [f64]) {
    let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    scores
        .iter_mut()
        .for_each(|score| *score = (*score - most).exp());
    let sum: f64 = scores.iter().sum();
    scores.iter_mut().for_each(|score| *score /= sum);
}
