//! Rows that are divided once for all, by whoever made the data: some to learn from, some to choose
//! by, some to test.
//!
//! The learner sees the training rows, and beside them the validation rows ([`Task::validation`]),
//! by which it may choose settings or when to stop; the test rows are predicted when all is chosen.
//! By default the model that is tested is the one that was chosen, fitted on training rows alone:
//! validation rows decide and teach nothing. Fitting it again on both uses more rows, and its score
//! on validation rows is that of the model before.

use kinwood_learning::{Context, Learner, Model, Predictions, Task};
use kinwood_values::View;

use crate::run::{Evaluation, Known, RunError, weights};
use crate::splits::Split;
use crate::truth::Truth;

/// The positions of rows in a view, by what they are for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// To learn from.
    pub train: Vec<u32>,
    /// To choose by; may be empty.
    pub validation: Vec<u32>,
    /// To test.
    pub test: Vec<u32>,
}

/// After which instants rows see nothing, however late their cutoffs: the frozen protocol.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Frozen {
    /// For validation rows.
    pub validation: Option<f64>,
    /// For test rows.
    pub test: Option<f64>,
}

/// What makes the learner that is fitted on training and validation rows, from the model that was
/// fitted on training rows: it keeps what was chosen.
pub type Refit<'a> = &'a (dyn Fn(&dyn Model) -> kinwood_learning::Result<Box<dyn Learner>> + Sync);

/// How the test rows are predicted.
#[derive(Clone, Copy, Default)]
pub struct Protocol<'a> {
    /// What rows know stands still.
    pub frozen: Frozen,
    /// The model that is tested is fitted on validation rows too.
    pub refit: Option<Refit<'a>>,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct HeldOut {
    /// The scores: those of validation rows, where there are any, then those of test rows, where
    /// there are any.
    pub evaluation: Evaluation,
    /// The settings that the learner chose, if it chose any.
    pub chosen: Option<Vec<(String, String)>>,
    /// Whether the first scores are those of validation rows.
    validated: bool,
}

/// The scores of one part of the rows.
#[derive(Clone, Copy, Debug)]
pub struct PartScores<'a> {
    /// How many rows.
    pub n: usize,
    /// The measures.
    pub measures: &'a [String],
    /// Their values.
    pub scores: &'a [Option<f64>],
    /// What was predicted.
    pub predictions: &'a Predictions,
}

impl PartScores<'_> {
    /// The value of the measure of that name.
    pub fn score(&self, measure: &str) -> Option<f64> {
        let place = self.measures.iter().position(|name| name == measure)?;
        self.scores[place]
    }
}

impl HeldOut {
    /// The scores of the validation rows.
    pub fn validation(&self) -> Option<PartScores<'_>> {
        self.validated.then(|| self.part(0))
    }

    /// The scores of the test rows.
    pub fn test(&self) -> Option<PartScores<'_>> {
        let place = usize::from(self.validated);
        (place < self.evaluation.folds.len()).then(|| self.part(place))
    }

    fn part(&self, place: usize) -> PartScores<'_> {
        let fold = &self.evaluation.folds[place];
        PartScores {
            n: fold.n,
            measures: &self.evaluation.measures,
            scores: &fold.scores,
            predictions: &self.evaluation.predictions[place],
        }
    }
}

/// Rows whose parts are scored, whoever predicts them.
pub struct PartsTrial {
    view: View,
    hidden: View,
    targets: Vec<usize>,
    parts: Parts,
    frozen: Frozen,
    known: Known,
}

impl PartsTrial {
    /// Rows of a view in parts.
    pub fn new(
        view: &View,
        targets: &[usize],
        parts: &Parts,
        frozen: Frozen,
    ) -> Result<Self, RunError> {
        let own = view.table_position();
        let hidden = targets
            .iter()
            .fold(view.clone(), |view, &target| view.hiding(own, target));
        let tested = [&parts.validation, &parts.test];
        let splits = tested
            .into_iter()
            .filter(|rows| !rows.is_empty())
            .enumerate()
            .map(|(place, rows)| Split {
                repeat: 1,
                fold: place + 1,
                train: parts.train.clone(),
                test: rows.clone(),
            });
        let known = Known {
            truths: Truth::of(view, targets)?.into(),
            weights: weights(view),
            splits: splits.collect::<Vec<_>>().into(),
            notices: Vec::new(),
        };
        Ok(Self {
            view: view.clone(),
            hidden,
            targets: targets.to_vec(),
            parts: parts.clone(),
            frozen,
            known,
        })
    }

    /// Fits a learner on the training rows, with the validation rows beside them, and scores it.
    pub fn evaluate(
        &self,
        learner: &dyn Learner,
        refit: Option<Refit<'_>>,
        context: &Context,
    ) -> Result<HeldOut, RunError> {
        let model = learner.fit(&self.task()?, context)?;
        // What a learner has found until it was stopped says nothing of how good it is.
        context.check()?;
        let again = match refit {
            Some(refit) if !self.parts.validation.is_empty() => {
                let learner = refit(&*model)?;
                let again = learner.fit(&self.whole_task()?, context)?;
                context.check()?;
                Some(again)
            }
            _ => None,
        };
        self.score(&*model, again.as_deref(), context)
    }

    /// Scores a model: `tested`, where it is there, predicts the test rows in its place.
    pub fn score(
        &self,
        model: &dyn Model,
        tested: Option<&dyn Model>,
        context: &Context,
    ) -> Result<HeldOut, RunError> {
        let mut predictions = Vec::new();
        let validated = !self.parts.validation.is_empty();
        if validated {
            let rows = self.hidden.select(&self.parts.validation);
            predictions.push(model.predict(&seen_until(rows, self.frozen.validation), context)?);
        }
        if !self.parts.test.is_empty() {
            let rows = self.hidden.select(&self.parts.test);
            let model = tested.unwrap_or(model);
            predictions.push(model.predict(&seen_until(rows, self.frozen.test), context)?);
        }
        Ok(HeldOut {
            evaluation: self.known.score(predictions)?,
            chosen: model.facts().tuned,
            validated,
        })
    }

    /// The training rows, with the validation rows beside them.
    pub fn task(&self) -> Result<Task, RunError> {
        let task = Task::new(&self.view.select(&self.parts.train), &self.targets)?;
        if self.parts.validation.is_empty() {
            return Ok(task);
        }
        let rows = self.view.select(&self.parts.validation);
        let rows = seen_until(rows, self.frozen.validation);
        Ok(task.with_validation(Task::new(&rows, &self.targets)?))
    }

    /// Training and validation rows, all to learn from.
    fn whole_task(&self) -> Result<Task, RunError> {
        let mut rows = [&self.parts.train[..], &self.parts.validation].concat();
        rows.sort_unstable();
        Ok(Task::new(&self.view.select(&rows), &self.targets)?)
    }
}

/// Fits a learner on the training rows of a view and scores it on the others.
pub fn evaluate_parts(
    learner: &dyn Learner,
    view: &View,
    targets: &[usize],
    parts: &Parts,
    protocol: Protocol<'_>,
    context: &Context,
) -> Result<HeldOut, RunError> {
    let trial = PartsTrial::new(view, targets, parts, protocol.frozen)?;
    trial.evaluate(learner, protocol.refit, context)
}

/// The rows, which see nothing after an instant where there is one: as if none had a later cutoff.
fn seen_until(view: View, instant: Option<f64>) -> View {
    match (instant, view.as_of()) {
        (Some(instant), Some(as_of)) => {
            let earlier = as_of.frozen(view.rows(), instant);
            view.seen_as_of(earlier)
        }
        _ => view,
    }
}

#[cfg(test)]
mod tests;
