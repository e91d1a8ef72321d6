//! The choice by validation rows, where a task has some: every candidate is fitted on the training
//! rows and scored on the same validation rows.

use kinwood_learning::{Context, Error as LearnerError, Task};
use rayon::prelude::*;

use super::{Candidate, Choice, Tried, rank};
use crate::attempts::{measure_names, measures_of};
use crate::measures::Measure;
use crate::run::{RunError, weights};
use crate::splits::Split;
use crate::summary::FoldSummary;
use crate::truth::{Gathered, Truth};

/// Tries every candidate on the validation rows of a task.
pub(super) fn choose(
    task: &Task,
    validation: &Task,
    candidates: &[Candidate],
    measures: &[Measure],
    context: &Context,
) -> Result<Choice, RunError> {
    let targets = task.targets().iter().map(|target| target.column());
    let targets: Vec<usize> = targets.collect();
    let rows = validation.view();
    let truths = Truth::of(rows, &targets)?;
    let measures = measures_of(&truths, measures)?;
    let weights = weights(rows);
    let all = Split {
        repeat: 1,
        fold: 1,
        train: Vec::new(),
        test: (0..rows.len() as u32).collect(),
    };
    let running = context.progress("trying settings", candidates.len() as u64);
    let quiet = context.quietly();
    let scored = |candidate: &Candidate| -> Result<Vec<Option<f64>>, RunError> {
        let model = candidate.learner.fit(task, &quiet)?;
        quiet.check()?;
        let predicted = model.predict(rows, &quiet)?;
        running.advance(1);
        let mut scores = Vec::with_capacity(truths.len());
        for ((truth, measure), target) in truths.iter().zip(&measures).zip(&predicted.targets) {
            let answers = Gathered::of(truth, [(&all, &target.output)], weights.as_deref());
            scores.push(answers.score(truth, *measure)?);
        }
        Ok(scores)
    };
    let outcomes: Vec<_> = context.install(|| candidates.par_iter().map(scored).collect());
    let mut tried = Vec::with_capacity(candidates.len());
    let mut first_failure = None;
    for (candidate, outcome) in candidates.iter().zip(outcomes) {
        let mut one = Tried {
            settings: candidate.settings.clone(),
            scores: vec![FoldSummary::of(&[]); targets.len()],
            rank: None,
            failed: None,
        };
        match outcome {
            Ok(scores) => one.scores = scores.iter().map(|&s| FoldSummary::of(&[s])).collect(),
            Err(RunError::Learner(
                error @ (LearnerError::Interrupted | LearnerError::OutOfTime),
            )) => return Err(error.into()),
            Err(error) => {
                one.failed = Some(error.to_string());
                first_failure.get_or_insert(error);
            }
        }
        tried.push(one);
    }
    let chosen = rank::ranked(&mut tried, &measures);
    match (chosen, first_failure) {
        (None, Some(error)) => Err(error),
        (chosen, _) => Ok(Choice {
            measures: measure_names(&truths, &measures),
            folds: 0,
            validation: Some(rows.len()),
            tried,
            chosen: chosen.unwrap_or(0),
        }),
    }
}
