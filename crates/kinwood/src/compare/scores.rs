//! Scores: what a measure says of every learner on every data set, fold by fold.

use kinwood_evaluation::measures::{Measure, Target};
use kinwood_evaluation::run::Evaluation;

use super::outcome::Outcome;

/// The scores of learners on the data sets of one kind of target.
pub struct Scores<'a> {
    /// What came of the comparison.
    pub outcome: &'a Outcome,
    /// What is predicted.
    pub kind: Target,
    /// The measure.
    pub measure: Measure,
    /// The data sets, by their places.
    pub data: Vec<usize>,
}

/// The measure that people look at first.
pub fn customary(kind: Target) -> Measure {
    match kind {
        Target::Classes => Measure::Accuracy,
        Target::Numbers => Measure::Rmse,
        Target::Labels => Measure::AveragePrecisionRecall,
    }
}

impl<'a> Scores<'a> {
    /// The scores by kind of target, for kinds that there are.
    pub fn of(outcome: &'a Outcome) -> Vec<Self> {
        let kinds = [Target::Classes, Target::Numbers, Target::Labels];
        let asked = outcome.reading().measure;
        kinds
            .into_iter()
            .filter_map(|kind| {
                let data: Vec<usize> = (0..outcome.data().len())
                    .filter(|&data| outcome.kind(data) == Some(kind))
                    .collect();
                let fits = |measure: &Measure| measure.description().target == kind;
                (!data.is_empty()).then(|| Scores {
                    outcome,
                    kind,
                    measure: asked.filter(fits).unwrap_or_else(|| customary(kind)),
                    data,
                })
            })
            .collect()
    }

    /// Where the measure stands in an evaluation: that of the only target, the mean over targets, or that of the first.
    pub fn position(&self, evaluation: &Evaluation) -> Option<usize> {
        let key = self.measure.key();
        let named = |name: &str| evaluation.measures.iter().position(|other| other == name);
        let first = &evaluation.truths.first()?.name;
        named(key)
            .or_else(|| named(&format!("{key}(mean)")))
            .or_else(|| named(&format!("{key}({first})")))
    }

    /// The mean over folds.
    pub fn mean(&self, data: usize, learner: usize) -> Option<f64> {
        let evaluation = self.outcome.cell(data, learner).evaluation()?;
        evaluation.summaries[self.position(evaluation)?].mean
    }

    /// The standard deviation over folds.
    pub fn sd(&self, data: usize, learner: usize) -> Option<f64> {
        let evaluation = self.outcome.cell(data, learner).evaluation()?;
        evaluation.summaries[self.position(evaluation)?].sd
    }

    /// The scores of two learners on the folds where both are defined, and the mean ratio of test rows to training rows.
    pub fn pairs(&self, data: usize, learners: [usize; 2]) -> Option<(Vec<f64>, Vec<f64>, f64)> {
        let [one, other] = learners.map(|learner| self.outcome.cell(data, learner).evaluation());
        let (one, other) = (one?, other?);
        let (a, b) = (self.position(one)?, self.position(other)?);
        let folds = one.folds.iter().zip(&other.folds);
        let pairs = folds.filter_map(|(x, y)| x.scores[a].zip(y.scores[b]));
        let (first, second) = pairs.unzip();
        let (test, train) = one.splits.iter().fold((0, 0), |(test, train), split| {
            (test + split.test.len(), train + split.train.len())
        });
        Some((first, second, test as f64 / train.max(1) as f64))
    }

    /// The data sets on which every learner has a mean, and those means.
    pub fn complete(&self) -> (Vec<usize>, Vec<Vec<f64>>) {
        let learners = 0..self.outcome.learners().len();
        let means = |data: usize| -> Option<Vec<f64>> {
            learners
                .clone()
                .map(|learner| self.mean(data, learner))
                .collect()
        };
        let found = self
            .data
            .iter()
            .filter_map(|&data| Some((data, means(data)?)));
        found.unzip()
    }
}
