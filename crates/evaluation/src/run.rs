//! Running an evaluation: fit on the training rows of each split, predict its test rows, score
//! them.
//!
//! Whatever is fitted sees training rows only, through a view that contains no others and hides the
//! targets. The test rows are predicted through a view that hides them too: a learner that wanted
//! to cheat could not.

mod coverage;

use std::sync::Arc;

use kinwood_learning::{Context, Generator, Learner, Model, Predictions, Task};
use kinwood_values::{Remedy, Role, View};
use rayon::prelude::*;

use crate::error::Error;
use crate::measures::Measure;
use crate::splits::{Notice, Plan, Split, Strata};
use crate::summary::FoldSummary;
use crate::truth::{Gathered, TrueValues, Truth};

/// Why an evaluation could not be run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The plan does not fit the data, or a measure cannot be computed.
    #[error(transparent)]
    Plan(#[from] Error),
    /// A learner failed.
    #[error("repeat {repeat}, fold {fold}: {source}")]
    Fold {
        /// The repeat, from 1.
        repeat: usize,
        /// The fold, from 1.
        fold: usize,
        /// What the learner said.
        source: kinwood_learning::Error,
    },
    /// The data does not make a task, or the work was interrupted.
    #[error(transparent)]
    Learner(#[from] kinwood_learning::Error),
}

impl RunError {
    /// What the user can do about it, for an interface to word.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            RunError::Plan(error) => error.remedy(),
            RunError::Fold { source, .. } | RunError::Learner(source) => source.remedy(),
        }
    }
}

/// The scores of one test fold.
#[derive(Clone, Debug, PartialEq)]
pub struct Fold {
    /// The repeat, from 1.
    pub repeat: usize,
    /// The fold, from 1.
    pub fold: usize,
    /// Test rows.
    pub n: usize,
    /// The value of each measure, in the order of [`Evaluation::measures`].
    pub scores: Vec<Option<f64>>,
}

/// What came of an evaluation.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The names of the measures: `accuracy`, or `accuracy(T)` where there are several targets, and
    /// then `accuracy(mean)` for the mean over targets of one kind.
    pub measures: Vec<String>,
    /// Scores by fold.
    pub folds: Vec<Fold>,
    /// Mean and standard deviation over folds, a measure.
    pub summaries: Vec<FoldSummary>,
    /// The measures over the test predictions of all folds taken together.
    pub pooled: Vec<Option<f64>>,
    /// The true values of the targets, by position in the view.
    pub truths: Arc<Vec<Truth>>,
    /// The splits used.
    pub splits: Arc<Vec<Split>>,
    /// The predictions of each split's test rows, in the splits' order.
    pub predictions: Vec<Predictions>,
    /// What a careful reader should know of the splits.
    pub notices: Vec<Notice>,
}

impl Evaluation {
    /// The mean over folds of the measure of that name.
    pub fn mean(&self, measure: &str) -> Option<f64> {
        let position = self.measures.iter().position(|name| name == measure)?;
        self.summaries[position].mean
    }
}

/// Where the seeds of folds are drawn from.
const FOLD_SEEDS: u64 = 0x666f_6c64;

/// Evaluates a learner on the rows of a view by a plan. Groups are taken from the column with that
/// role.
pub fn evaluate(
    learner: &dyn Learner,
    view: &View,
    targets: &[usize],
    plan: &Plan,
    context: &Context,
) -> Result<Evaluation, RunError> {
    let trial = Trial::new(view, targets, plan, context.seed())?;
    let predictions = trial.over_splits(learner, context, |model, test, context| {
        model.predict(test, context)
    })?;
    trial.score(predictions)
}

/// What is tried, before any learner is: the rows, what is true of them, and how they are divided.
/// Learners compared share it.
pub struct Trial {
    view: View,
    hidden: View,
    targets: Vec<usize>,
    known: Known,
}

/// What is known of the rows without looking at their inputs: enough to score predictions.
#[derive(Clone, Debug)]
pub struct Known {
    /// The true values of the targets, by position in the view.
    pub truths: Arc<Vec<Truth>>,
    /// The weights of the rows, where they have any.
    pub weights: Option<Vec<f64>>,
    /// The splits.
    pub splits: Arc<Vec<Split>>,
    /// What a careful reader should know of the splits.
    pub notices: Vec<Notice>,
}

impl Trial {
    /// Divides the rows of a view by a plan.
    pub fn new(view: &View, targets: &[usize], plan: &Plan, seed: u64) -> Result<Self, RunError> {
        let truths = Truth::of(view, targets)?;
        let groups = groups(view);
        let first = truths.first().map(|truth| &truth.values);
        let codes = first.and_then(TrueValues::classes);
        let names = first.and_then(|values| values.kind().dictionary());
        let names: Vec<String> = names
            .map(|names| names.labels().map(str::to_owned).collect())
            .unwrap_or_default();
        let strata = match &codes {
            Some(codes) => Strata::Classes {
                codes,
                names: &names,
            },
            None => Strata::Plain { rows: view.len() },
        };
        let divided = plan.splits(&strata, groups.as_deref(), seed)?;
        let own = view.table_position();
        let hidden = targets
            .iter()
            .fold(view.clone(), |view, &target| view.hiding(own, target));
        Ok(Self {
            view: view.clone(),
            hidden,
            targets: targets.to_vec(),
            known: Known {
                truths: Arc::new(truths),
                weights: weights(view),
                splits: Arc::new(divided.splits),
                notices: divided.notices,
            },
        })
    }

    /// What is known of the rows without looking at their inputs.
    pub fn known(&self) -> &Known {
        &self.known
    }

    /// Fits a learner on the training rows of a split, and asks the model about the test rows,
    /// whose targets are hidden. `context` has the seed of the whole; the fold's is drawn from it.
    pub fn on_split<T>(
        &self,
        learner: &dyn Learner,
        split: &Split,
        context: &Context,
        ask: impl Fn(&dyn Model, &View, &Context) -> Result<T, kinwood_learning::Error>,
    ) -> Result<T, RunError> {
        let run = || {
            let place_in_plan = [FOLD_SEEDS, split.repeat as u64, split.fold as u64];
            let seed = Generator::new(context.seed(), &place_in_plan).bits();
            let context = context.quietly().with_seed(seed);
            context.check()?;
            let task = Task::new(&self.view.select(&split.train), &self.targets)?;
            let model = learner.fit(&task, &context)?;
            // What a learner has found until it was stopped says nothing of how good it is.
            context.check()?;
            ask(&*model, &self.hidden.select(&split.test), &context)
        };
        run().map_err(|source| place(split, source))
    }

    /// Asks the models of all splits, in parallel.
    pub(crate) fn over_splits<T: Send>(
        &self,
        learner: &dyn Learner,
        context: &Context,
        ask: impl Fn(&dyn Model, &View, &Context) -> Result<T, kinwood_learning::Error> + Sync,
    ) -> Result<Vec<T>, RunError> {
        let splits = &self.known.splits;
        let running = context.progress("evaluating", splits.len() as u64);
        let of_split = |split: &Split| {
            let outcome = self.on_split(learner, split, context, &ask)?;
            running.advance(1);
            Ok(outcome)
        };
        context.install(|| splits.par_iter().map(of_split).collect())
    }

    /// The scores of predictions of each split's test rows.
    pub fn score(&self, predictions: Vec<Predictions>) -> Result<Evaluation, RunError> {
        self.known.score(predictions)
    }
}

/// An interruption is the user's and has no fold; any other failure is told with its place.
fn place(split: &Split, source: kinwood_learning::Error) -> RunError {
    match source {
        kinwood_learning::Error::Interrupted | kinwood_learning::Error::OutOfTime => {
            RunError::Learner(source)
        }
        source => RunError::Fold {
            repeat: split.repeat,
            fold: split.fold,
            source,
        },
    }
}

impl Known {
    /// The scores of predictions of each split's test rows, in the splits' order.
    pub fn score(&self, predictions: Vec<Predictions>) -> Result<Evaluation, RunError> {
        let (truths, splits) = (&*self.truths, &*self.splits);
        let weights = self.weights.as_deref();
        let several = truths.len() > 1;
        // One list for the whole of it, whoever registers a measure meanwhile.
        let of_target: Vec<Vec<Measure>> = truths
            .iter()
            .map(|truth| Measure::for_target(truth.target()).collect())
            .collect();
        let mut measures = Vec::new();
        for (truth, own) in truths.iter().zip(&of_target) {
            for measure in own {
                measures.push(if several {
                    format!("{}({})", measure.key(), truth.name)
                } else {
                    measure.key().to_owned()
                });
            }
        }
        let averages = Averages::of(truths, &of_target);
        measures.extend(averages.names.iter().cloned());
        let mut folds = Vec::with_capacity(splits.len());
        for (split, predicted) in splits.iter().zip(&predictions) {
            let mut scores = Vec::with_capacity(measures.len());
            let targets = truths.iter().zip(&of_target).zip(&predicted.targets);
            for ((truth, own), predicted) in targets {
                let answers = Gathered::of(truth, [(split, &predicted.output)], weights);
                scores.extend(answers.scores(truth, own)?);
            }
            averages.add(&mut scores);
            folds.push(Fold {
                repeat: split.repeat,
                fold: split.fold,
                n: split.test.len(),
                scores,
            });
        }
        let mut pooled = Vec::with_capacity(measures.len());
        for (position, (truth, own)) in truths.iter().zip(&of_target).enumerate() {
            let parts = splits.iter().zip(
                predictions
                    .iter()
                    .map(|predicted| &predicted.targets[position].output),
            );
            pooled.extend(Gathered::of(truth, parts, weights).scores(truth, own)?);
        }
        averages.add(&mut pooled);
        coverage::add(
            truths,
            splits,
            &predictions,
            &mut measures,
            &mut folds,
            &mut pooled,
        );
        let of_folds = |measure: usize| {
            let scores: Vec<_> = folds.iter().map(|fold| fold.scores[measure]).collect();
            FoldSummary::of(&scores)
        };
        Ok(Evaluation {
            summaries: (0..measures.len()).map(of_folds).collect(),
            measures,
            folds,
            pooled,
            truths: Arc::clone(&self.truths),
            splits: Arc::clone(&self.splits),
            predictions,
            notices: self.notices.clone(),
        })
    }
}

impl Trial {
    /// Rows by their positions, their targets hidden.
    pub(crate) fn hidden_rows(&self, positions: &[u32]) -> View {
        self.hidden.select(positions)
    }

    /// The group of each row, where rows have groups.
    pub(crate) fn groups(&self) -> Option<Vec<u32>> {
        groups(&self.view)
    }
}

/// What a mean over targets is called in place of a target.
const MEAN: &str = "mean";

/// Means over the targets of one kind, such as `accuracy(mean)`: behind the measures of all
/// targets, where two or more of them are of the kind. A mean is undefined where the measure is for
/// any of the targets. A target that is itself called `mean` keeps the name to itself.
struct Averages {
    names: Vec<String>,
    /// For each, the places of what it is the mean of.
    places: Vec<Vec<usize>>,
}

impl Averages {
    /// The means of targets, each with the measures that it is measured by.
    fn of(truths: &[Truth], measures: &[Vec<Measure>]) -> Self {
        let mut averages = Self {
            names: Vec::new(),
            places: Vec::new(),
        };
        if truths.iter().any(|truth| truth.name == MEAN) {
            return averages;
        }
        let starts = measures.iter().scan(0, |next, own| {
            let start = *next;
            *next += own.len();
            Some(start)
        });
        let starts: Vec<usize> = starts.collect();
        for (first, truth) in truths.iter().enumerate() {
            let alike = |other: &usize| truths[*other].target() == truth.target();
            let of_kind: Vec<usize> = (0..truths.len()).filter(alike).collect();
            if of_kind.len() < 2 || of_kind[0] != first {
                continue;
            }
            for (place, measure) in measures[first].iter().enumerate() {
                averages.names.push(format!("{}({MEAN})", measure.key()));
                let places = of_kind.iter().map(|&target| starts[target] + place);
                averages.places.push(places.collect());
            }
        }
        averages
    }

    /// Puts the means behind the scores of all targets.
    fn add(&self, scores: &mut Vec<Option<f64>>) {
        for places in &self.places {
            let all: Option<Vec<f64>> = places.iter().map(|&place| scores[place]).collect();
            scores.push(all.map(|all| all.iter().sum::<f64>() / all.len() as f64));
        }
    }
}

/// The weights of the view's rows; rows whose weight is none are the task's to refuse.
pub(crate) fn weights(view: &View) -> Option<Vec<f64>> {
    let attribute = view
        .table()
        .attributes()
        .iter()
        .find(|attribute| attribute.role == Role::Weight)?;
    Some(
        view.rows()
            .map(|row| attribute.column.number(row as usize).unwrap_or(0.0))
            .collect(),
    )
}

/// The group of each row, numbered; a row without one is a group of its own.
fn groups(view: &View) -> Option<Vec<u32>> {
    let attribute = view
        .table()
        .attributes()
        .iter()
        .find(|attribute| attribute.role == Role::Group)?;
    let mut numbers = std::collections::BTreeMap::new();
    let mut next = 0;
    let mut fresh = || {
        next += 1;
        next - 1
    };
    Some(
        view.rows()
            .map(|row| {
                if attribute.column.is_present(row as usize) {
                    *numbers
                        .entry(attribute.column.value(row as usize))
                        .or_insert_with(&mut fresh)
                } else {
                    fresh()
                }
            })
            .collect(),
    )
}

#[cfg(test)]
mod tests;
