//! The figures of one row of a study. Cells that come of the same run share it: one run gives the
//! accuracy of a beam's trees and their similarity, one the size of a tree and how long it took.

use std::collections::BTreeMap;

use kinwood_evaluation::measures::Measure;
use kinwood_evaluation::members::{MembersOnFold, evaluate_members};
use kinwood_evaluation::pooled::pooled_sd;
use kinwood_evaluation::run::{Evaluation, Trial};
use kinwood_evaluation::significance::test_to_train;
use kinwood_evaluation::splits::{Notice as Told, Plan};
use kinwood_evaluation::study::{Column, Figure, Group, Ours, Row, Source, Study, noise};
use kinwood_evaluation::summary::FoldSummary;
use kinwood_evaluation::whole::{Whole, fit_whole};
use kinwood_learners::{Context, Learner, Registry};
use kinwood_values::{Notice, Role};
use rayon::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use crate::results::Folder;
use crate::results::fold::{identity, on_split};
use crate::results::log::Log;
use kinwood_workbench::data::{Problem, single};
use kinwood_workbench::error::{Error, Result};
use kinwood_workbench::evaluate::{Division, plan};

type Settings = BTreeMap<String, String>;

/// The runs of one row.
pub(super) struct Runs<'a> {
    study: &'a Study,
    row: &'a Row,
    problem: Problem,
    plan: Plan,
    registry: &'a Registry,
    context: &'a Context,
    results: Option<&'a Folder>,
    done: Vec<(Key, Outcome)>,
    /// What keeping objects apart costs, which no figure shows.
    pub notices: Vec<Notice>,
}

/// What a run was of.
#[derive(PartialEq)]
struct Key {
    learner: String,
    settings: Settings,
    source: Source,
}

enum Outcome {
    Splits(Box<Evaluation>),
    Members(Vec<MembersOnFold>),
    Whole(Whole),
}

/// The scores of a column, to be tested.
pub(super) struct Scores {
    /// Split by split, none where the measure is not defined.
    pub by_split: Vec<Option<f64>>,
    /// Test rows for each training row.
    pub test_to_train: f64,
}

impl<'a> Runs<'a> {
    pub fn new(
        study: &'a Study,
        row: &'a Row,
        problem: Problem,
        registry: &'a Registry,
        context: &'a Context,
        results: Option<&'a Folder>,
    ) -> Result<Self> {
        let table = problem.view.table();
        if let Division::Column(column) = study.split_of(row)
            && single(table, Role::Fold)?.is_none()
        {
            return Err(Error::Study {
                study: study.name.clone(),
                reason: format!(
                    "the folds of row `{}` are column `{column}`, which is none of `{}`, the target's table",
                    row.name,
                    table.name()
                ),
            });
        }
        let (plan, _) = plan(&problem, Some(study.split_of(row)))?;
        Ok(Self {
            study,
            row,
            problem,
            plan,
            registry,
            context,
            results,
            done: Vec::new(),
            notices: Vec::new(),
        })
    }

    /// The figure of a column under a heading, in the paper's unit.
    pub fn figure(&mut self, group: &Group, column: &Column) -> Result<Option<Ours>> {
        let settings = settings(group, column);
        let Some(best) = &column.best else {
            return self.figure_with(group, column, settings);
        };
        let mut found: Option<Ours> = None;
        for value in &best.values {
            let mut settings = settings.clone();
            settings.insert(best.setting.clone(), value.clone());
            if let Some(here) = self.figure_with(group, column, settings)?
                && found.is_none_or(|known| self.study.better(here.figure, known.figure))
            {
                found = Some(here);
            }
        }
        Ok(found)
    }

    /// The scores of a column under a heading, split by split; of repeated folds those of the first
    /// repeat unless repeats are asked for, for they share all rows and most tests would take them
    /// for new ones.
    pub fn scores(&mut self, group: &Group, column: &Column, repeats: bool) -> Result<Scores> {
        let settings = settings(group, column);
        let place = self.run(&column.learner, settings, Source::Splits)?;
        let Outcome::Splits(evaluation) = &self.done[place].1 else {
            return Err(self.wrong(format!("`{}` has no scores to test", column.name)));
        };
        let position = self.position(evaluation)?;
        let all = repeats || matches!(self.plan, Plan::Holdout { .. });
        let by_split = evaluation
            .folds
            .iter()
            .filter(|fold| all || fold.repeat == 1)
            .map(|fold| fold.scores[position])
            .collect();
        let sizes = evaluation.splits.iter();
        let test_to_train =
            test_to_train(sizes.map(|split| (split.train.len(), split.test.len())))?;
        Ok(Scores {
            by_split,
            test_to_train,
        })
    }

    fn figure_with(
        &mut self,
        group: &Group,
        column: &Column,
        settings: Settings,
    ) -> Result<Option<Ours>> {
        let figure = self.study.figure_of(group);
        let place = self.run(&column.learner, settings, figure.source())?;
        let scale = self.study.scale_of(group);
        let folds = !matches!(self.plan, Plan::Holdout { .. });
        let measured = match &self.done[place].1 {
            Outcome::Splits(evaluation) => {
                let position = self.position(evaluation)?;
                match (figure, evaluation.pooled[position]) {
                    (Figure::Pooled, Some(pooled)) => {
                        let Problem { view, targets, .. } = &self.problem;
                        let sd = pooled_sd(evaluation, view, targets[0], self.study.measure)?;
                        let splits = evaluation.folds.len();
                        let error = sd.map(|sd| noise::of_pooled(sd, splits, folds));
                        Some(Ours {
                            figure: pooled,
                            sd,
                            error,
                        })
                    }
                    (Figure::Pooled, None) => None,
                    _ => {
                        let scores = evaluation.folds.iter();
                        let scores = scores.map(|fold| (fold.repeat, fold.scores[position]));
                        mean_of(&scores.collect::<Vec<_>>(), folds)
                    }
                }
            }
            Outcome::Members(members) => {
                let of = |fold: &MembersOnFold| match figure {
                    Figure::MembersMean => fold.mean,
                    Figure::MembersWorst => fold.worst,
                    Figure::MembersBest => fold.best,
                    _ => Some(fold.similarity),
                };
                let scores: Vec<_> = members.iter().map(|fold| (1, of(fold))).collect();
                mean_of(&scores, folds)
            }
            Outcome::Whole(whole) => {
                let told = match figure {
                    Figure::Nodes => whole.nodes.map(|nodes| nodes as f64),
                    Figure::Evaluated => whole.evaluated.map(|evaluated| evaluated as f64),
                    _ => Some(whole.seconds),
                };
                let told = told.ok_or_else(|| {
                    self.wrong(format!(
                        "`{}` is asked for a figure that it does not tell",
                        column.learner
                    ))
                })?;
                Some(Ours {
                    figure: told,
                    sd: None,
                    error: None,
                })
            }
        };
        Ok(measured.map(|ours| Ours {
            figure: ours.figure * scale,
            sd: ours.sd.map(|sd| sd * scale),
            error: ours.error.map(|error| error * scale),
        }))
    }

    /// Where the run of a learner with settings is, which is made unless it is there.
    fn run(&mut self, learner: &str, settings: Settings, source: Source) -> Result<usize> {
        let key = Key {
            learner: learner.to_owned(),
            settings,
            source,
        };
        if let Some(place) = self.done.iter().position(|(known, _)| *known == key) {
            return Ok(place);
        }
        let entry = self.registry.find(learner)?;
        let given: Vec<(&str, &str)> = key
            .settings
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        let settings = entry.settings(&given)?;
        let learner: Box<dyn Learner> = entry.learner(&settings)?;
        let Problem { view, targets, .. } = &self.problem;
        let (plan, measure): (_, Measure) = (&self.plan, self.study.measure);
        let trial = Trial::new(view, targets, plan, self.context.seed())?;
        let log = self.log(&key, entry.name, &settings, &trial)?;
        let outcome = match source {
            Source::Splits => {
                let evaluation = evaluate(&*learner, &trial, log.as_ref(), self.context)?;
                for told in &evaluation.notices {
                    let notice = Notice::new(format!("{}: {told}", self.row.name));
                    let cost = matches!(told, Told::Straddling { .. } | Told::FoldsLeftOut { .. });
                    if cost && !self.notices.contains(&notice) {
                        self.notices.push(notice);
                    }
                }
                Outcome::Splits(Box::new(evaluation))
            }
            Source::Members => Outcome::Members(kept(log.as_ref(), "members", || {
                let target = targets[0];
                Ok(evaluate_members(
                    &*learner,
                    view,
                    target,
                    measure,
                    plan,
                    self.context,
                )?)
            })?),
            Source::Whole => Outcome::Whole(kept(log.as_ref(), "whole", || {
                Ok(fit_whole(&*learner, view, targets, self.context)?)
            })?),
        };
        self.done.push((key, outcome));
        Ok(self.done.len() - 1)
    }

    /// The log of a run, where results are kept.
    fn log(
        &self,
        key: &Key,
        learner: &str,
        settings: &kinwood_learners::Settings,
        trial: &Trial,
    ) -> Result<Option<Log>> {
        let Some(folder) = self.results else {
            return Ok(None);
        };
        let mut identity = identity(&self.problem, trial);
        let all: Vec<(&str, &str)> = settings.iter().collect();
        identity["seed"] = self.context.seed().into();
        identity["learner"] = json!({"name": learner, "settings": all});
        // Predictions are the same whoever asks for them; what is told of members is told by a
        // measure.
        if key.source != Source::Splits {
            identity["measure"] = self.study.measure.key().into();
        }
        let name = format!("{} {} {learner}", self.study.name, self.row.name);
        Ok(Some(folder.log(&name, &identity)?.0))
    }

    fn position(&self, evaluation: &Evaluation) -> Result<usize> {
        let names = &mut evaluation.measures.iter();
        names
            .position(|name| name == self.study.measure.key())
            .ok_or_else(|| {
                self.wrong(format!(
                    "row `{}` is not measured by `{}`",
                    self.row.name, self.study.measure
                ))
            })
    }

    fn wrong(&self, reason: String) -> Error {
        Error::Study {
            study: self.study.name.clone(),
            reason,
        }
    }
}

/// The mean of scores, each with its repeat, and how much it varies.
fn mean_of(scores: &[(usize, Option<f64>)], folds: bool) -> Option<Ours> {
    let all: Vec<Option<f64>> = scores.iter().map(|(_, score)| *score).collect();
    let FoldSummary { mean, sd, .. } = FoldSummary::of(&all);
    let defined = scores
        .iter()
        .filter_map(|(repeat, score)| Some((*repeat, score.filter(|score| score.is_finite())?)));
    let mut repeats: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for (repeat, score) in defined {
        repeats.entry(repeat).or_default().push(score);
    }
    let repeats: Vec<Vec<f64>> = repeats.into_values().collect();
    let error = match folds {
        true => noise::of_folds(&repeats),
        false => noise::of_splits(&repeats.concat()),
    };
    mean.zip(sd).map(|(figure, sd)| Ours {
        figure,
        sd: Some(sd),
        error,
    })
}

/// What a log has under a key, or else what is computed and logged.
fn kept<T: Serialize + DeserializeOwned>(
    log: Option<&Log>,
    key: &str,
    compute: impl FnOnce() -> Result<T>,
) -> Result<T> {
    let known = log.and_then(|log| log.get(key));
    if let Some(known) = known.and_then(|known| serde_json::from_value(known.clone()).ok()) {
        return Ok(known);
    }
    let computed = compute()?;
    if let Some(log) = log {
        log.put(key, &json!(computed))?;
    }
    Ok(computed)
}

/// Predicts the test rows of every split that a log does not have, and scores all.
fn evaluate(
    learner: &dyn Learner,
    trial: &Trial,
    log: Option<&Log>,
    context: &Context,
) -> Result<Evaluation> {
    let splits = &trial.known().splits;
    let of_split = |split| Ok(on_split(learner, trial, split, false, log, context)?.predictions);
    let predictions = context.install(|| splits.par_iter().map(of_split).collect::<Result<_>>())?;
    Ok(trial.score(predictions)?)
}

fn settings(group: &Group, column: &Column) -> Settings {
    let mut settings = column.settings.clone();
    settings.extend(group.settings.clone());
    settings
}
