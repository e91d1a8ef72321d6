//! Many learners, or one learner on more and more rows, on the same splits: what each scores, and
//! why some cannot.
//!
//! This is what a search for settings and every curve are made of. All attempts see the same
//! training rows, the same test rows and the same seeds, so that what differs between them is
//! theirs.

mod portion;

use std::sync::OnceLock;
use std::time::Instant;

use kinwood_learning::{Context, Error as LearnerError, Learner, Model, Predictions, Task};
use kinwood_values::View;
use rayon::prelude::*;

use crate::error::Error;
use crate::measures::Measure;
use crate::members::{MembersOnFold, on_fold};
use crate::run::{RunError, Trial};
use crate::splits::Split;
use crate::summary::FoldSummary;
use crate::target::Target;
use crate::truth::{Gathered, Truth};

pub use portion::{Orders, Portion};

/// A learner to be tried, on all training rows of each split or on a part of them.
#[derive(Clone, Copy)]
pub struct Attempt<'a> {
    /// The learner.
    pub learner: &'a dyn Learner,
    /// How much of the training rows it gets; all where nothing is said.
    pub portion: Option<Portion>,
}

/// What is looked at beyond the score on test rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Looks {
    /// The score on the training rows too.
    pub training: bool,
    /// Every model of a set by itself, and how many models the search for them evaluated; the
    /// training rows are then looked at too.
    pub members: bool,
}

/// What came of an attempt on one split.
#[derive(Clone, Debug, PartialEq)]
pub struct OnFold {
    /// The repeat, from 1.
    pub repeat: usize,
    /// The fold, from 1.
    pub fold: usize,
    /// How many rows it was fitted on.
    pub rows: usize,
    /// The score on the test rows, a target.
    pub test: Vec<Option<f64>>,
    /// The score on the rows it was fitted on, a target, where that is looked at.
    pub training: Option<Vec<Option<f64>>>,
    /// The models of a set on the test rows, a target, where they are looked at; a model that is no
    /// set is its own only one.
    pub members: Option<Vec<MembersOnFold>>,
    /// The models that the search evaluated, where that is looked at and it searches.
    pub evaluated: Option<u64>,
    /// How long fitting took, on this machine and as busy as it was.
    pub seconds: f64,
}

/// An attempt on every split in order, or what stopped it on the first split where something did.
pub type Attempted = Result<Vec<OnFold>, RunError>;

/// What is measured of each target: what is asked for where it is for such a target, else accuracy
/// of classes, RMSE of numbers and the area under the precision-recall curve of sets of labels.
pub fn measures_of(truths: &[Truth], asked: &[Measure]) -> Result<Vec<Measure>, Error> {
    let targets: Vec<Target> = truths.iter().map(Truth::target).collect();
    Measure::chosen(&targets, asked, Measure::usual)
}

/// The names of measures as evaluations have them: with the target where there are several.
pub fn measure_names(truths: &[Truth], measures: &[Measure]) -> Vec<String> {
    let named = truths.iter().zip(measures);
    match truths.len() {
        1 => measures.iter().map(Measure::to_string).collect(),
        _ => named
            .map(|(truth, measure)| format!("{measure}({})", truth.name))
            .collect(),
    }
}

/// Makes every attempt on every split of a trial, in parallel. An interruption is an error of all;
/// what stops one attempt is told in its place.
pub fn attempt_all(
    what: &str,
    trial: &Trial,
    attempts: &[Attempt<'_>],
    measures: &[Measure],
    looks: Looks,
    context: &Context,
) -> Result<Vec<Attempted>, RunError> {
    let splits = &trial.known().splits;
    let orders = match attempts.iter().any(|attempt| attempt.portion.is_some()) {
        true => Orders::of(trial, context.seed()),
        false => Orders::default(),
    };
    let running = context.progress(what, (attempts.len() * splits.len()) as u64);
    let jobs: Vec<(usize, usize)> = (0..attempts.len())
        .flat_map(|attempt| (0..splits.len()).map(move |split| (attempt, split)))
        .collect();
    let on_split = |&(attempt, split): &(usize, usize)| {
        let attempt = attempts[attempt];
        let whole = &splits[split];
        let outcome = match attempt.portion {
            None => on_split(trial, attempt.learner, whole, measures, looks, context),
            Some(portion) => {
                let train = orders.first(split, portion);
                let part = Split {
                    train,
                    ..whole.clone()
                };
                on_split(trial, attempt.learner, &part, measures, looks, context)
            }
        };
        running.advance(1);
        outcome
    };
    let outcomes: Vec<Result<OnFold, RunError>> =
        context.install(|| jobs.par_iter().map(on_split).collect());
    let mut outcomes = outcomes.into_iter();
    let mut attempted = Vec::with_capacity(attempts.len());
    for _ in attempts {
        let mut folds: Attempted = Ok(Vec::with_capacity(splits.len()));
        for outcome in outcomes.by_ref().take(splits.len()) {
            match (outcome, &mut folds) {
                (
                    Err(
                        error @ RunError::Learner(
                            LearnerError::Interrupted | LearnerError::OutOfTime,
                        ),
                    ),
                    _,
                ) => return Err(error),
                (Err(error), Ok(_)) => folds = Err(error),
                (Ok(fold), Ok(folds)) => folds.push(fold),
                (_, Err(_)) => {}
            }
        }
        attempted.push(folds);
    }
    Ok(attempted)
}

/// A learner that remembers how long it took.
struct Timed<'a> {
    learner: &'a dyn Learner,
    seconds: OnceLock<f64>,
}

impl Learner for Timed<'_> {
    fn fit(&self, task: &Task, context: &Context) -> kinwood_learning::Result<Box<dyn Model>> {
        let begun = Instant::now();
        let model = self.learner.fit(task, context)?;
        self.seconds.get_or_init(|| begun.elapsed().as_secs_f64());
        Ok(model)
    }
}

/// What a model says of rows, before it is scored.
struct Said {
    test: Predictions,
    training: Option<Predictions>,
    members: Option<Vec<Predictions>>,
    evaluated: Option<u64>,
}

fn on_split(
    trial: &Trial,
    learner: &dyn Learner,
    split: &Split,
    measures: &[Measure],
    looks: Looks,
    context: &Context,
) -> Result<OnFold, RunError> {
    let timed = Timed {
        learner,
        seconds: OnceLock::new(),
    };
    let ask = |model: &dyn Model, test: &View, context: &Context| {
        let training = match looks.training || looks.members {
            true => Some(model.predict(&trial.hidden_rows(&split.train), context)?),
            false => None,
        };
        let own = model.predict(test, context)?;
        // A model that is no set is its own only member: so is a beam of one tree.
        let members = match (looks.members, model.members()) {
            (false, _) => None,
            (true, None) => Some(vec![own.clone()]),
            (true, Some(members)) => {
                let members = members.iter();
                Some(
                    members
                        .map(|member| member.predict(test, context))
                        .collect::<Result<_, _>>()?,
                )
            }
        };
        Ok(Said {
            test: own,
            training,
            evaluated: members.as_ref().and_then(|_| model.facts().evaluated),
            members,
        })
    };
    let said = trial.on_split(&timed, split, context, ask)?;
    let known = trial.known();
    let weights = known.weights.as_deref();
    let score = |split: &Split, predicted: &Predictions| -> Result<Vec<Option<f64>>, Error> {
        let targets = known.truths.iter().zip(&predicted.targets).zip(measures);
        targets
            .map(|((truth, predicted), &measure)| {
                Gathered::of(truth, [(split, &predicted.output)], weights).score(truth, measure)
            })
            .collect()
    };
    // The rows that were fitted, as if they were to be tested.
    let fitted = |predicted: Predictions| {
        let rows = Split {
            train: Vec::new(),
            test: split.train.clone(),
            ..*split
        };
        score(&rows, &predicted)
    };
    let of_set = |members: Vec<Predictions>| -> Result<Vec<MembersOnFold>, Error> {
        let targets = known.truths.iter().zip(measures).enumerate();
        targets
            .map(|(target, (truth, &measure))| {
                on_fold(
                    truth,
                    split,
                    weights,
                    measure,
                    (&said.test, &members),
                    target,
                )
            })
            .collect()
    };
    Ok(OnFold {
        repeat: split.repeat,
        fold: split.fold,
        rows: split.train.len(),
        test: score(split, &said.test)?,
        training: said.training.map(fitted).transpose()?,
        members: said.members.map(of_set).transpose()?,
        evaluated: said.evaluated,
        seconds: timed.seconds.get().copied().unwrap_or(0.0),
    })
}

/// Mean and standard deviation over folds of a figure that each has.
pub fn over_folds(folds: &[OnFold], figure: impl Fn(&OnFold) -> Option<f64>) -> FoldSummary {
    let figures: Vec<Option<f64>> = folds.iter().map(figure).collect();
    FoldSummary::of(&figures)
}

#[cfg(test)]
mod tests;
