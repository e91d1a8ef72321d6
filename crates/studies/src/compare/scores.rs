//! Scores: what a measure says of every learner on every data set, fold by fold.

use kinwood_evaluation::measures::{KINDS, Measure, Target};
use kinwood_evaluation::run::Evaluation;

use super::outcome::Outcome;
use kinwood_workbench::error::Result;

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

impl<'a> Scores<'a> {
    /// The scores by kind of target, for kinds that there are. A measure that is asked for must be
    /// one of a kind that there is.
    pub fn of(outcome: &'a Outcome) -> Result<Vec<Self>> {
        let asked = outcome.reading().measure;
        let found: Vec<Self> = KINDS
            .iter()
            .copied()
            .filter_map(|kind| {
                let data: Vec<usize> = (0..outcome.data().len())
                    .filter(|&data| outcome.has(data, kind))
                    .collect();
                let fits = |measure: &Measure| measure.target() == kind;
                (!data.is_empty()).then(|| Scores {
                    outcome,
                    kind,
                    measure: asked.filter(fits).unwrap_or_else(|| Measure::usual(kind)),
                    data,
                })
            })
            .collect();
        match (asked, found.first()) {
            (Some(asked), Some(first)) if found.iter().all(|scores| scores.measure != asked) => {
                Err(asked.wrong_for(first.kind).into())
            }
            _ => Ok(found),
        }
    }

    /// Where the measure stands in an evaluation: that of the only target of the kind, the mean
    /// over such targets, or that of the first.
    pub fn position(&self, evaluation: &Evaluation) -> Option<usize> {
        let key = self.measure.key();
        let named = |name: &str| evaluation.measures.iter().position(|other| other == name);
        let mut truths = evaluation.truths.iter();
        let first = &truths.find(|truth| truth.target() == self.kind)?.name;
        named(key)
            .or_else(|| named(&format!("{key}(mean)")))
            .or_else(|| named(&format!("{key}({first})")))
    }

    /// The mean over folds; where no fold alone defines the measure, as where each tests one row,
    /// the measure over all of them.
    pub fn mean(&self, data: usize, learner: usize) -> Option<f64> {
        let evaluation = self.outcome.cell(data, learner).evaluation()?;
        let position = self.position(evaluation)?;
        let summary = &evaluation.summaries[position];
        summary.mean.or(evaluation.pooled[position])
    }

    /// Whether a figure is the measure over all folds together.
    pub fn is_pooled(&self, data: usize, learner: usize) -> bool {
        let evaluation = self.outcome.cell(data, learner).evaluation();
        evaluation
            .and_then(|evaluation| Some(evaluation.summaries[self.position(evaluation)?].mean))
            .is_some_and(|mean| mean.is_none())
            && self.mean(data, learner).is_some()
    }

    /// The standard deviation over folds.
    pub fn sd(&self, data: usize, learner: usize) -> Option<f64> {
        let evaluation = self.outcome.cell(data, learner).evaluation()?;
        evaluation.summaries[self.position(evaluation)?].sd
    }

    /// The learners that have a score on any data set: the others cannot be tested and must not
    /// keep these from it.
    pub fn contenders(&self) -> Vec<usize> {
        let scored = |learner: &usize| {
            let mut data = self.data.iter();
            data.any(|&data| self.mean(data, *learner).is_some())
        };
        (0..self.outcome.learners().len()).filter(scored).collect()
    }

    /// The scores of two learners on the folds where both are defined, and the mean ratio of test
    /// rows to training rows.
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

    /// The data sets on which each of some learners has a mean, and those means.
    pub fn complete(&self, learners: &[usize]) -> (Vec<usize>, Vec<Vec<f64>>) {
        let means = |data: usize| -> Option<Vec<f64>> {
            let learners = learners.iter();
            learners.map(|&learner| self.mean(data, learner)).collect()
        };
        let found = self.data.iter();
        found.filter_map(|&data| Some((data, means(data)?))).unzip()
    }
}
