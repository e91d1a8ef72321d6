//! One nominal target of examples that count differently, or by fractions where values are missing.

use super::grouped::by_class;
use super::{Examples, Grouping, Impurity, Response};
use crate::tree::answer::{Answer, Answers};

/// One nominal target of weighed examples.
pub struct Classes {
    codes: Vec<u32>,
    classes: usize,
    impurity: Impurity,
    slack: f64,
}

/// Weights of classes.
#[derive(Clone, Debug)]
pub struct Weights {
    weights: Vec<f64>,
    total: f64,
}

impl Classes {
    /// The classes of the rows, by code; `total` is the weight of all of them.
    pub fn new(codes: Vec<u32>, classes: usize, impurity: Impurity, total: f64) -> Self {
        Self {
            codes,
            classes,
            impurity,
            slack: 1e-12 * total,
        }
    }
}

/// The spread of weights of classes, whose sum is given: impurity times weight.
pub fn spread_of(weights: &[f64], total: f64, impurity: Impurity) -> f64 {
    if total <= 0.0 {
        return 0.0;
    }
    let spread = match impurity {
        Impurity::Entropy => {
            let power = |x: f64| if x > 0.0 { x * x.log2() } else { 0.0 };
            power(total) - weights.iter().map(|&weight| power(weight)).sum::<f64>()
        }
        Impurity::Gini => total - weights.iter().map(|weight| weight * weight).sum::<f64>() / total,
    };
    spread.max(0.0)
}

/// The spread of the classes of a single target.
pub fn classes_behind(answers: &Answers, impurity: Impurity) -> f64 {
    match answers.targets.first() {
        Some(Answer::Classes(weights)) => spread_of(weights, weights.iter().sum(), impurity),
        _ => 0.0,
    }
}

/// The place of the greatest, the first of equals.
pub fn heaviest<N: PartialOrd>(weights: &[N]) -> usize {
    (1..weights.len()).fold(0, |best, place| {
        if weights[place] > weights[best] {
            place
        } else {
            best
        }
    })
}

impl Response for Classes {
    type Local = Vec<u32>;
    type Summary = Weights;

    fn gather(&self, rows: &[u32]) -> Vec<u32> {
        rows.iter().map(|&row| self.codes[row as usize]).collect()
    }

    fn groups(&self, examples: &Examples<'_, Self::Summary>, _most: usize) -> Grouping {
        by_class(
            examples.rows.iter().map(|&row| self.codes[row as usize]),
            self.classes,
        )
    }

    fn empty(&self) -> Weights {
        Weights {
            weights: vec![0.0; self.classes],
            total: 0.0,
        }
    }

    fn add(&self, summary: &mut Weights, local: &Vec<u32>, place: usize, weight: f64) {
        summary.weights[local[place] as usize] += weight;
        summary.total += weight;
    }

    fn remove(&self, summary: &mut Weights, local: &Vec<u32>, place: usize, weight: f64) {
        summary.weights[local[place] as usize] -= weight;
        summary.total -= weight;
    }

    fn join(&self, summary: &mut Weights, other: &Weights, times: f64) {
        for (weight, other) in summary.weights.iter_mut().zip(&other.weights) {
            *weight += times * other;
        }
        summary.total += times * other.total;
    }

    fn weight(&self, summary: &Weights) -> f64 {
        summary.total
    }

    fn spread(&self, summary: &Weights) -> f64 {
        spread_of(&summary.weights, summary.total, self.impurity)
    }

    fn level(&self, summary: &Weights, whole: &Weights) -> f64 {
        let class = heaviest(&whole.weights);
        summary.weights[class] / summary.total.max(f64::MIN_POSITIVE)
    }

    fn spread_behind(&self, answers: &Answers) -> f64 {
        classes_behind(answers, self.impurity)
    }

    fn answers(&self, examples: &Examples<'_, Weights>) -> Vec<Answer> {
        let summary = examples.whole;
        let weights = summary.weights.iter().map(|weight| weight.max(0.0));
        vec![Answer::Classes(weights.collect())]
    }

    fn slack(&self) -> f64 {
        self.slack
    }
}
