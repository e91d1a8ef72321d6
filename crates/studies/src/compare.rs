//! Comparisons: learners on data sets, every fold kept as it comes, tables made of what was kept.
//!
//! [`run`] computes what a results folder does not have yet, on all threads: the folds of all
//! learners on all data sets are one list of jobs, so that no thread waits for the slowest learner
//! of a data set. [`Outcome::read`] has the same from the folder alone. Tables are a function of
//! the predictions kept, so that a study that was stopped and went on has the same tables, byte by
//! byte.

mod contender;
mod figures;
mod leaderboard;
mod outcome;
mod scores;
mod specification;
mod tables;
mod verdicts;

pub use contender::Contender;
pub use leaderboard::suitable;
pub use outcome::{Cell, DataShown, LearnerShown, Outcome, Reading};
pub use specification::{DataAsked, LearnerAsked, Specification};
pub use tables::Tables;

use std::sync::{Mutex, PoisonError};

use kinwood_evaluation::run::{RunError, Trial};
use kinwood_evaluation::splits::Plan;
use kinwood_learners::{Context, Error as LearnerError, Learner, Registry};
use kinwood_values::Notice;
use kinwood_values::notice::counted;
use rayon::prelude::*;

use crate::results::Folder;
use crate::results::fold::{Found, identity, on_split};
use crate::results::log::Log;
use crate::results::record::KnownKept;
use kinwood_workbench::data::Problem;
use kinwood_workbench::error::{Error, Result};
use kinwood_workbench::evaluate::whole;
use outcome::{CellKept, Manifest};

/// A data set that learners are compared on.
pub struct Entered {
    /// What it is called.
    pub name: String,
    /// What it was read from.
    pub source: String,
    /// Its rows and targets.
    pub problem: Problem,
    /// How its rows are divided.
    pub plan: Plan,
}

/// What a comparison is, besides its data sets and learners.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// What it is called.
    pub title: String,
    /// The command that makes it again.
    pub command: String,
    /// How its tables are read.
    pub reading: Reading,
    /// Whether nobody named the learners: the best of them is told, and those that the time does
    /// not suffice for are left out.
    pub leaderboard: bool,
}

/// One learner on one data set.
struct Run {
    data: usize,
    built: Box<dyn Learner>,
    /// Whether it chooses settings.
    chooses: bool,
    log: Option<(Log, String)>,
    /// The first split that failed, and why.
    failed: Mutex<Option<(usize, String)>>,
}

impl Run {
    /// Whether an earlier split has failed, so that this one is not needed.
    fn is_lost(&self, split: usize) -> bool {
        let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        failed.as_ref().is_some_and(|(first, _)| *first < split)
    }

    fn fail(&self, split: usize, told: String) {
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        if failed.as_ref().is_none_or(|(first, _)| split < *first) {
            *failed = Some((split, told));
        }
    }
}

/// Compares learners on data sets. A learner that fails on a data set is told as such; the others
/// go on.
pub fn run(
    asked: &Asked,
    entered: &[Entered],
    contenders: &[Contender],
    folder: Option<&Folder>,
    registry: &Registry,
    context: &Context,
) -> Result<(Outcome, Vec<Notice>)> {
    let mut trials = Vec::with_capacity(entered.len());
    for data in entered {
        let Problem { view, targets, .. } = &data.problem;
        let trial = Trial::new(view, targets, &data.plan, context.seed());
        trials.push(trial.map_err(|error| Error::DataSet {
            name: data.name.clone(),
            source: Box::new(error.into()),
        })?);
    }
    let mut manifest = Manifest::new(asked, entered, contenders, context.seed());
    let mut runs = Vec::new();
    for (place, data) in entered.iter().enumerate() {
        let identity = identity(&data.problem, &trials[place]);
        if let Some(folder) = folder {
            let kept = KnownKept::of(trials[place].known(), data.problem.view.len());
            manifest.data[place].file = folder.keep(&data.name, &identity, &kept)?;
        }
        for (learner, contender) in contenders.iter().enumerate() {
            let mut identity = identity.clone();
            identity["seed"] = context.seed().into();
            identity["learner"] = contender.identity(registry)?;
            let log = match folder {
                Some(folder) => {
                    let name = format!("{} {}", data.name, contender.name);
                    Some(folder.log(&name, &identity)?)
                }
                None => None,
            };
            manifest.cells.push(CellKept {
                data: place,
                learner,
                file: log
                    .as_ref()
                    .map(|(_, file)| file.clone())
                    .unwrap_or_default(),
                failed: None,
            });
            runs.push(Run {
                data: place,
                built: contender.build(registry, data)?,
                chooses: !contender.tune.is_empty(),
                log,
                failed: Mutex::default(),
            });
        }
    }
    if let Some(folder) = folder {
        folder.keep_manifest(&manifest)?;
    }
    let jobs: Vec<(&Run, usize)> = runs
        .iter()
        .flat_map(|run| {
            let splits = trials[run.data].known().splits.len();
            (0..splits).map(move |split| (run, split))
        })
        .collect();
    let running = context.progress("comparing", jobs.len() as u64);
    let quiet = context.quietly();
    let one = |&(run, place): &(&Run, usize)| {
        let trial = &trials[run.data];
        let found = match of_split(run, trial, place, &quiet) {
            Err(error) if asked.leaderboard && out_of_time(&error) => {
                run.fail(
                    place,
                    "the time limit was reached before it was done".to_owned(),
                );
                None
            }
            found => found?,
        };
        running.advance(1);
        Ok(found)
    };
    // One job at a time: a long one must not have others wait behind it.
    let found: Vec<Option<Found>> = context.install(|| {
        jobs.par_iter()
            .with_max_len(1)
            .map(one)
            .collect::<Result<_>>()
    })?;
    drop(running);
    let known = found
        .iter()
        .flatten()
        .filter(|found| found.was_known)
        .count();
    let mut notices = Vec::new();
    if let (Some(folder), true) = (folder, known > 0) {
        notices.push(Notice::new(format!(
            "{} of {} were in `{}` already",
            known,
            counted(jobs.len(), "fold"),
            folder.path().display()
        )));
    }
    let mut found = found.into_iter();
    let mut cells = Vec::with_capacity(runs.len());
    for (place, run) in runs.into_iter().enumerate() {
        let trial = &trials[run.data];
        let own: Vec<Option<Found>> = found.by_ref().take(trial.known().splits.len()).collect();
        let failed = run
            .failed
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        manifest.cells[place].failed = failed.as_ref().map(|(_, told)| told.clone());
        cells.push(match failed {
            Some((_, told)) => Cell::Failed(told),
            None => {
                let own: Vec<Found> = own.into_iter().flatten().collect();
                let seconds = own.iter().map(|found| found.seconds).sum();
                let chosen = own
                    .iter()
                    .filter_map(|found| found.chosen.clone())
                    .collect();
                let predictions = own.into_iter().map(|found| found.predictions).collect();
                match trial.score(predictions) {
                    Ok(evaluation) => Cell::Scored {
                        evaluation: Box::new(evaluation),
                        seconds,
                        chosen,
                    },
                    Err(error) => {
                        manifest.cells[place].failed = Some(error.to_string());
                        Cell::Failed(error.to_string())
                    }
                }
            }
        });
    }
    if let Some(folder) = folder {
        folder.keep_manifest(&manifest)?;
    }
    let told = entered.iter().zip(&trials).flat_map(|(data, trial)| {
        let notices = trial.known().notices.iter();
        notices.map(|told| Notice::new(format!("{}: {told}", data.name)))
    });
    notices.extend(told);
    Ok((Outcome::new(manifest, cells), notices))
}

/// Whether the time limit was reached.
fn out_of_time(error: &Error) -> bool {
    matches!(
        error,
        Error::Evaluation(RunError::Learner(LearnerError::OutOfTime))
            | Error::Learners(LearnerError::OutOfTime)
    )
}

/// Fails where a contender cannot be built, or two have one name: told before anything is read.
pub fn check(contenders: &[Contender], registry: &Registry) -> Result<()> {
    for (place, contender) in contenders.iter().enumerate() {
        contender.check(registry)?;
        if contenders[..place].iter().any(|c| c.name == contender.name) {
            return Err(Error::Comparison {
                place: "learners".to_owned(),
                reason: format!("`{}` stands twice", contender.name),
            });
        }
    }
    Ok(())
}

/// Gives data sets of one name different ones: what tells their sources or targets apart stands
/// behind.
pub fn distinguish(entered: &mut [Entered]) {
    let names: Vec<String> = entered.iter().map(|data| data.name.clone()).collect();
    for (place, data) in entered.iter_mut().enumerate() {
        if names.iter().filter(|name| **name == data.name).count() < 2 {
            continue;
        }
        data.name = format!("{} {}", data.name, data.problem.target_names().join(" "));
        if names[..place].contains(&data.name) || names[place + 1..].contains(&data.name) {
            data.name = format!("{} {}", data.name, place + 1);
        }
    }
    for place in 1..entered.len() {
        if entered[..place]
            .iter()
            .any(|data| data.name == entered[place].name)
        {
            entered[place].name = format!("{} {}", entered[place].name, place + 1);
        }
    }
}

/// The predictions of a split; none where the learner fails.
fn of_split(run: &Run, trial: &Trial, place: usize, context: &Context) -> Result<Option<Found>> {
    if run.is_lost(place) {
        return Ok(None);
    }
    let split = &trial.known().splits[place];
    let log = run.log.as_ref().map(|(log, _)| log);
    match on_split(&*run.built, trial, split, run.chooses, log, context) {
        Ok(found) if found.is_finite() => Ok(Some(found)),
        Ok(_) => {
            let (repeat, fold) = (split.repeat, split.fold);
            let told =
                format!("repeat {repeat}, fold {fold}: it predicts what is no finite number");
            run.fail(place, told);
            Ok(None)
        }
        Err(Error::Evaluation(error)) => match error {
            RunError::Learner(LearnerError::Interrupted | LearnerError::OutOfTime) => {
                Err(error.into())
            }
            error => {
                run.fail(place, whole(error).to_string());
                Ok(None)
            }
        },
        Err(error) => Err(error),
    }
}
