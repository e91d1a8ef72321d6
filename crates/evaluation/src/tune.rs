//! Settings chosen by cross-validation, honestly: a learner that tries candidates on inner folds of
//! the rows it is given.
//!
//! The score of the best of many candidates is too good, as it was chosen for being good. What a
//! choice is worth is told by rows that had no part in it. [`Tuned`] is a learner: it divides the
//! training rows it is given into inner folds, tries every candidate on the same ones, and fits the
//! best on all of them. As it sees training rows only, any evaluation of it is honest: its outer
//! test rows have no part in the choice.
//!
//! Reference: M. Stone, Cross-validatory choice and assessment of statistical predictions, Journal
//! of the Royal Statistical Society B 36(2), 1974; S. Varma, R. Simon, Bias in error estimation
//! when using cross-validation for model selection, BMC Bioinformatics 7:91, 2006.

mod grid;
mod held_out;
mod model;
mod rank;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use kinwood_learning::{Context, Error as LearnerError, Learner, Model, Task};
use kinwood_values::View;
use rayon::prelude::*;

use crate::attempts::{Attempt, Looks, attempt_all, measure_names, measures_of, over_folds};
use crate::error::Error;
use crate::measures::Measure;
use crate::run::{Evaluation, RunError, Trial};
use crate::splits::{Plan, Split};
use crate::summary::FoldSummary;
use crate::truth::Truth;

pub use grid::{Grid, MOST_COMBINATIONS};
pub use model::TunedModel;

/// Where the seeds of inner folds are drawn from.
const INNER_SEED: u64 = u64::from_le_bytes(*b"innerval");

/// Inner folds when nobody says.
pub const INNER_FOLDS: usize = 5;

/// A learner to choose among others.
pub struct Candidate {
    /// The settings that tell it from the others, in the order they are shown.
    pub settings: Vec<(String, String)>,
    /// The learner.
    pub learner: Box<dyn Learner>,
}

/// How training rows are divided for the choice.
#[derive(Clone, Debug, PartialEq)]
pub struct Inner {
    /// The number of folds; fewer where there are fewer rows or groups.
    pub folds: usize,
    /// The objects of each row of the table, where examples that share them are to be kept apart;
    /// where that leaves no fold, rows are divided without regard to them.
    pub objects: Option<Arc<BTreeMap<u32, Vec<u32>>>>,
}

impl Default for Inner {
    fn default() -> Self {
        Self {
            folds: INNER_FOLDS,
            objects: None,
        }
    }
}

/// A learner that chooses among candidates by inner cross-validation of the rows it is given.
pub struct Tuned {
    candidates: Vec<Candidate>,
    inner: Inner,
    measures: Vec<Measure>,
}

/// How a candidate did on inner folds.
#[derive(Clone, Debug, PartialEq)]
pub struct Tried {
    /// The settings that tell it from the others.
    pub settings: Vec<(String, String)>,
    /// Mean and standard deviation over the folds, a target; nothing is defined where it failed.
    pub scores: Vec<FoldSummary>,
    /// The mean over targets of its rank among the candidates, from 1; none where it failed.
    pub rank: Option<f64>,
    /// Why it cannot be chosen.
    pub failed: Option<String>,
}

impl Tried {
    /// The mean over folds for the first target.
    pub fn mean(&self) -> Option<f64> {
        self.scores.first().and_then(|score| score.mean)
    }

    /// The standard deviation over folds for the first target.
    pub fn sd(&self) -> Option<f64> {
        self.scores.first().and_then(|score| score.sd)
    }
}

/// What was chosen, and how every candidate did.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The names of the measures, a target.
    pub measures: Vec<String>,
    /// The number of inner folds; 0 where there were too few rows to try anything, and the first
    /// candidate is taken, or where validation rows decided.
    pub folds: usize,
    /// How many validation rows decided, where a task had some.
    pub validation: Option<usize>,
    /// The candidates, in their order.
    pub tried: Vec<Tried>,
    /// Which of them is chosen.
    pub chosen: usize,
}

impl Choice {
    /// The candidate that is chosen.
    pub fn winner(&self) -> &Tried {
        &self.tried[self.chosen]
    }
}

impl Tuned {
    /// A learner that chooses among these candidates; without measures by accuracy, RMSE or the
    /// area under the precision-recall curve.
    pub fn new(
        candidates: Vec<Candidate>,
        inner: Inner,
        measures: Vec<Measure>,
    ) -> Result<Self, Error> {
        if candidates.is_empty() {
            return Err(Error::NoCandidates);
        }
        if inner.folds < 2 {
            return Err(Error::TooFewFolds { found: inner.folds });
        }
        Ok(Self {
            candidates,
            inner,
            measures,
        })
    }

    /// The candidates.
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// Tries every candidate on inner folds of a task's rows, or on its validation rows where it
    /// has some.
    ///
    /// The best has the best mean over the folds, of equals it is the first. With several targets
    /// the candidates are ranked for each by its measure, equals sharing the mean of their ranks,
    /// and the best has the least mean rank. What fails on a fold cannot be chosen; where all fail,
    /// the first failure is the error.
    pub fn choose(&self, task: &Task, context: &Context) -> Result<Choice, RunError> {
        let targets: Vec<usize> = task
            .targets()
            .iter()
            .map(|target| target.column())
            .collect();
        if let Some(rows) = task.validation() {
            return held_out::choose(task, rows, &self.candidates, &self.measures, context);
        }
        search(
            task.view(),
            &targets,
            &self.candidates,
            &self.inner,
            &self.measures,
            context,
        )
    }

    /// Chooses among the candidates and fits the best on all rows of the task.
    pub fn fit_best(&self, task: &Task, context: &Context) -> Result<TunedModel, LearnerError> {
        let choice = self
            .choose(task, context)
            .map_err(|error| as_learner_error(error, task))?;
        let best = &self.candidates[choice.chosen].learner;
        let model = best.fit(task, context)?;
        Ok(TunedModel::new(model, choice))
    }
}

impl Learner for Tuned {
    fn fit(&self, task: &Task, context: &Context) -> Result<Box<dyn Model>, LearnerError> {
        Ok(Box::new(self.fit_best(task, context)?))
    }
}

/// Learners say what is wrong with data in their own words; what they have none for is told as what
/// it comes from.
fn as_learner_error(error: RunError, task: &Task) -> LearnerError {
    match error {
        RunError::Learner(source) | RunError::Fold { source, .. } => source,
        RunError::Plan(Error::WrongTarget { measure, found, .. }) => LearnerError::SettingValue {
            name: "measure".to_owned(),
            value: measure.to_owned(),
            expected: format!("a measure for {found}"),
            nearest: None,
        },
        RunError::Plan(other) => LearnerError::TooLarge {
            table: task.view().table().name().to_owned(),
            reason: other.to_string(),
        },
    }
}

/// Tries candidates on inner folds of the rows of a view, all on the same ones, and chooses the
/// best: see [`Tuned::choose`].
pub fn search(
    view: &View,
    targets: &[usize],
    candidates: &[Candidate],
    inner: &Inner,
    measures: &[Measure],
    context: &Context,
) -> Result<Choice, RunError> {
    let seed = context.generator(&[INNER_SEED]).bits();
    let truths = Truth::of(view, targets)?;
    let measures = measures_of(&truths, measures)?;
    let names = measure_names(&truths, &measures);
    let untried = |candidate: &Candidate| Tried {
        settings: candidate.settings.clone(),
        scores: vec![FoldSummary::of(&[]); targets.len()],
        rank: None,
        failed: None,
    };
    let mut tried: Vec<Tried> = candidates.iter().map(untried).collect();
    let Some(trial) = divide(view, targets, inner, seed)? else {
        return Ok(Choice {
            measures: names,
            folds: 0,
            validation: None,
            tried,
            chosen: 0,
        });
    };
    let attempts: Vec<Attempt<'_>> = candidates
        .iter()
        .map(|candidate| Attempt {
            learner: &*candidate.learner,
            portion: None,
        })
        .collect();
    let inner_context = context.clone().with_seed(seed);
    let what = "trying settings";
    let looks = Looks::default();
    let attempted = attempt_all(what, &trial, &attempts, &measures, looks, &inner_context)?;
    let mut first_failure = None;
    for (tried, attempted) in tried.iter_mut().zip(attempted) {
        match attempted {
            Ok(folds) => {
                for (target, score) in tried.scores.iter_mut().enumerate() {
                    *score = over_folds(&folds, |fold| fold.test[target]);
                }
            }
            Err(error) => {
                tried.failed = Some(error.to_string());
                first_failure.get_or_insert(error);
            }
        }
    }
    let chosen = rank::ranked(&mut tried, &measures);
    match (chosen, first_failure) {
        (None, Some(error)) => Err(error),
        (chosen, _) => Ok(Choice {
            measures: names,
            folds: trial.known().splits.len(),
            validation: None,
            tried,
            chosen: chosen.unwrap_or(0),
        }),
    }
}

/// The inner folds; none where there are too few rows or groups to divide.
fn divide(
    view: &View,
    targets: &[usize],
    inner: &Inner,
    seed: u64,
) -> Result<Option<Trial>, RunError> {
    if let Some(objects) = &inner.objects {
        let of_row = |row: u32| objects.get(&row).cloned().unwrap_or_default();
        let plan = Plan::Apart {
            folds: inner.folds,
            repeats: 1,
            objects: view.rows().map(of_row).collect(),
        };
        if let Ok(trial) = Trial::new(view, targets, &plan, seed) {
            return Ok(Some(trial));
        }
    }
    let folds = |folds: usize| {
        let plan = Plan::CrossValidation { folds, repeats: 1 };
        Trial::new(view, targets, &plan, seed)
    };
    match folds(inner.folds) {
        Err(RunError::Plan(Error::TooManyFolds { units, .. })) => match units {
            0 | 1 => Ok(None),
            units => folds(units).map(Some),
        },
        outcome => outcome.map(Some),
    }
}

/// An evaluation of a learner that chooses its settings anew on the training rows of each split.
#[derive(Clone, Debug)]
pub struct Nested {
    /// What came of it: honest, as no test row had a part in the choice for its split.
    pub evaluation: Evaluation,
    /// Which candidate was chosen on each split, in the splits' order.
    pub chosen: Vec<usize>,
}

/// Evaluates a learner that chooses its settings, and tells what it chose on each split.
pub fn evaluate_tuned(
    tuned: &Tuned,
    view: &View,
    targets: &[usize],
    plan: &Plan,
    context: &Context,
) -> Result<Nested, RunError> {
    let trial = Trial::new(view, targets, plan, context.seed())?;
    let splits = &trial.known().splits;
    let running = context.progress("evaluating the choice", splits.len() as u64);
    let of_split = |split: &Split| {
        let noting = Noting {
            tuned,
            chosen: OnceLock::new(),
        };
        let predicted = trial.on_split(&noting, split, context, |model, test, context| {
            model.predict(test, context)
        })?;
        running.advance(1);
        Ok((predicted, noting.chosen.get().copied().unwrap_or(0)))
    };
    let outcomes: Result<Vec<_>, RunError> =
        context.install(|| splits.par_iter().map(of_split).collect());
    let (predictions, chosen) = outcomes?.into_iter().unzip();
    Ok(Nested {
        evaluation: trial.score(predictions)?,
        chosen,
    })
}

/// Notes what is chosen where it is fitted.
struct Noting<'a> {
    tuned: &'a Tuned,
    chosen: OnceLock<usize>,
}

impl Learner for Noting<'_> {
    fn fit(&self, task: &Task, context: &Context) -> Result<Box<dyn Model>, LearnerError> {
        let model = self.tuned.fit_best(task, context)?;
        self.chosen.get_or_init(|| model.choice().chosen);
        Ok(Box::new(model))
    }
}

#[cfg(test)]
mod tests;
