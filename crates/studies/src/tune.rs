//! A search for settings as users see it: what to try from what they say, what was chosen, and what
//! the choice is worth.

mod text;

use std::collections::BTreeMap;
use std::sync::Arc;

use kinwood_evaluation::measures::Measure;
use kinwood_evaluation::tune::{
    Candidate, Choice, Grid, INNER_FOLDS, Inner, Nested, Tuned, evaluate_tuned,
};
use kinwood_learners::{Context, Registry, Task};
use kinwood_values::Notice;
use serde_json::{Map, Value, json};

use kinwood_workbench::data::Problem;
use kinwood_workbench::error::Result;
use kinwood_workbench::evaluate::{Division, column_of, objects, plan, whole};
use kinwood_workbench::held_out::{self, HeldOutReport, HoldOut};
use kinwood_workbench::output::{settings_json, targets_json};

/// What is to be tried.
#[derive(Clone, Debug)]
pub struct Search {
    /// The learner.
    pub learner: String,
    /// The settings that all candidates have.
    pub fixed: Vec<(String, String)>,
    /// The settings whose values are tried.
    pub grid: Grid,
    /// How many combinations are drawn; all are tried where nothing is said.
    pub random: Option<usize>,
    /// The number of inner folds.
    pub inner_folds: usize,
    /// What is measured, where it is not the usual.
    pub measures: Vec<Measure>,
}

impl Search {
    /// A search among combinations of settings of a learner, all of them, by the usual measures on
    /// the usual folds.
    pub fn new(learner: &str, grid: Grid) -> Self {
        Self {
            learner: learner.to_owned(),
            fixed: Vec::new(),
            grid,
            random: None,
            inner_folds: INNER_FOLDS,
            measures: Vec::new(),
        }
    }

    /// The learner that chooses among the candidates, each of them checked. `seed` is for what is
    /// drawn.
    pub fn tuned(&self, registry: &Registry, seed: u64) -> Result<Tuned> {
        Ok(Tuned::new(
            self.candidates(registry, seed)?,
            Inner {
                folds: self.inner_folds,
                objects: None,
            },
            self.measures.clone(),
        )?)
    }

    /// As [`Search::tuned`], and where a division keeps objects apart, inner folds do so too.
    pub fn tuned_apart(
        &self,
        registry: &Registry,
        seed: u64,
        problem: &Problem,
        division: Option<&Division>,
    ) -> Result<Tuned> {
        let inner = Inner {
            folds: self.inner_folds,
            objects: match division {
                Some(Division::Apart { columns, .. }) => Some(objects_by_row(problem, columns)?),
                _ => None,
            },
        };
        let candidates = self.candidates(registry, seed)?;
        Ok(Tuned::new(candidates, inner, self.measures.clone())?)
    }

    fn candidates(&self, registry: &Registry, seed: u64) -> Result<Vec<Candidate>> {
        let entry = registry.find(&self.learner)?;
        let combinations = match self.random {
            Some(count) => self.grid.sample(count, seed)?,
            None => self.grid.combinations()?,
        };
        let candidate = |settings: Vec<(String, String)>| -> Result<Candidate> {
            let given = [self.fixed.as_slice(), &settings].concat();
            let learner = entry.learner(&entry.settings(&given)?)?;
            Ok(Candidate { settings, learner })
        };
        combinations.into_iter().map(candidate).collect()
    }
}

fn objects_by_row(problem: &Problem, columns: &[String]) -> Result<Arc<BTreeMap<u32, Vec<u32>>>> {
    let named = |column: &String| column_of(problem, column);
    let columns: Vec<usize> = columns.iter().map(named).collect::<Result<_>>()?;
    let objects = objects(problem, &columns)?;
    Ok(Arc::new(problem.view.rows().zip(objects).collect()))
}

/// What came of a search.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// The learner.
    pub learner: String,
    /// The settings that all candidates have, as given.
    pub fixed: Vec<(String, String)>,
    /// What the data was read from.
    pub data: String,
    /// The targets.
    pub targets: Vec<String>,
    /// The seed.
    pub seed: u64,
    /// What was chosen on all rows, and how every candidate did.
    pub choice: Choice,
    /// What a choice is worth on rows that had no part in it.
    pub estimate: Option<Nested>,
    /// The same where validation rows decided, and test rows are given.
    pub held_out: Option<HeldOutReport>,
    /// What was decided without being asked.
    pub notices: Vec<Notice>,
}

/// Searches on all rows of a problem and, where asked, estimates what the choice is worth: the
/// search is made anew on the training rows of each split of the division.
pub fn tune(
    registry: &Registry,
    search: &Search,
    problem: &Problem,
    division: Option<&Division>,
    estimate: bool,
    data: &str,
    context: &Context,
) -> Result<Tuning> {
    let tuned = search.tuned_apart(registry, context.seed(), problem, division)?;
    let (plan, mut notices) = plan(problem, division)?;
    if !estimate {
        notices.clear();
    }
    let task = Task::new(&problem.view, &problem.targets)?;
    let choice = tuned.choose(&task, context).map_err(whole)?;
    if let Some(asked) = search.random
        && choice.tried.len() < asked
    {
        notices.push(Notice::new(format!(
            "there are {} combinations, fewer than the {asked} to be drawn: all are tried",
            choice.tried.len()
        )));
    }
    if choice.folds < search.inner_folds {
        let found = match choice.folds {
            0 => "too few rows or groups to try anything: the first candidate is taken".to_owned(),
            folds => format!("{folds} inner folds instead of {}", search.inner_folds),
        };
        notices.push(Notice::new(found));
    }
    let estimate = match estimate {
        true => {
            let (view, targets) = (&problem.view, &problem.targets);
            let nested = evaluate_tuned(&tuned, view, targets, &plan, context).map_err(whole)?;
            let told = nested.evaluation.notices.iter();
            notices.extend(told.map(|notice| Notice::new(notice.to_string())));
            Some(nested)
        }
        false => None,
    };
    Ok(Tuning {
        learner: search.learner.clone(),
        fixed: search.fixed.clone(),
        data: data.to_owned(),
        targets: problem.target_names(),
        seed: context.seed(),
        choice,
        estimate,
        held_out: None,
        notices,
    })
}

/// Searches by the validation rows that a column names, and tests the choice, fitted on training
/// rows, on the test rows.
pub fn tune_held_out(
    registry: &Registry,
    search: &Search,
    problem: &Problem,
    hold_out: &HoldOut,
    data: &str,
    context: &Context,
) -> Result<Tuning> {
    let tuned = search.tuned(registry, context.seed())?;
    let trial = held_out::trial(problem, hold_out)?;
    let task = trial.task().map_err(whole)?;
    let mut notices = Vec::new();
    if task.validation().is_none() {
        notices.push(Notice::new(
            "there are no validation rows: settings are chosen by inner folds of training rows",
        ));
    }
    let model = tuned.fit_best(&task, context)?;
    context.check()?;
    let outcome = trial.score(&model, None, context).map_err(whole)?;
    let choice = model.choice().clone();
    let settings = [search.fixed.as_slice(), &choice.winner().settings].concat();
    let learner = (search.learner.as_str(), settings);
    let about = (data, context.seed());
    Ok(Tuning {
        learner: search.learner.clone(),
        fixed: search.fixed.clone(),
        data: data.to_owned(),
        targets: problem.target_names(),
        seed: context.seed(),
        choice,
        estimate: None,
        held_out: Some(held_out::report(
            learner, problem, hold_out, outcome, about,
        )?),
        notices,
    })
}

impl Tuning {
    /// The settings of the choice: those that all candidates have, and those that were chosen.
    pub fn settings(&self) -> Vec<(String, String)> {
        [self.fixed.as_slice(), &self.choice.winner().settings].concat()
    }

    /// The report as programs read it; `docs/json.md` is its contract.
    pub fn to_json(&self) -> Value {
        let mut report = json!({
            "learner": self.learner,
            "settings": settings_json(&self.fixed),
            "data": self.data,
            "target": targets_json(&self.targets),
            "seed": self.seed,
        });
        if let (Some(report), Value::Object(choice)) =
            (report.as_object_mut(), self.choice.to_json())
        {
            report.extend(choice);
        }
        report["estimate"] = self
            .estimate
            .as_ref()
            .map_or(Value::Null, |nested| self.estimate_json(nested));
        if let Some(held_out) = &self.held_out {
            let told = held_out.to_json();
            for part in ["split", "validation", "test"] {
                if let Some(found) = told.get(part) {
                    report[part] = found.clone();
                }
            }
        }
        report
    }

    fn estimate_json(&self, nested: &Nested) -> Value {
        let evaluation = &nested.evaluation;
        let by_measure = |values: Vec<Option<f64>>| -> Map<String, Value> {
            let values = values.into_iter().map(Value::from);
            evaluation.measures.iter().cloned().zip(values).collect()
        };
        let folds = evaluation.folds.iter().zip(&nested.chosen);
        let fold = |(fold, &chosen): (&kinwood_evaluation::run::Fold, &usize)| {
            let mut object = Map::new();
            object.insert("repeat".into(), fold.repeat.into());
            object.insert("fold".into(), fold.fold.into());
            object.insert("n".into(), fold.n.into());
            let settings = settings_json(&self.choice.tried[chosen].settings);
            object.insert("chosen".into(), settings.into());
            object.extend(by_measure(fold.scores.clone()));
            Value::Object(object)
        };
        let summaries = &evaluation.summaries;
        json!({
            "folds": folds.map(fold).collect::<Vec<_>>(),
            "mean": by_measure(summaries.iter().map(|summary| summary.mean).collect()),
            "sd": by_measure(summaries.iter().map(|summary| summary.sd).collect()),
            "pooled": by_measure(evaluation.pooled.clone()),
        })
    }
}
