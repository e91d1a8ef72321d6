//! Evaluations as users see them: a plan from what they say, and a report for people and programs.

mod beside;

use kinwood_text::{Align, TextTable};
use std::collections::HashMap;

pub use kinwood_evaluation::division::Division;
use kinwood_evaluation::run::{Evaluation, RunError, evaluate as run};
use kinwood_evaluation::splits::{Plan, SplitterEntry};
use kinwood_learners::{Context, Error as LearnerError, Registry};
use kinwood_values::{Cells, Notice, Remedy, Role, Table};
use serde_json::{Map, Value, json};

pub use beside::{Baseline, Confused, confusion_of};

use crate::data::{Problem, single};
use crate::error::{Error, Result};
use crate::time::DAY;

/// An evaluation with what it was an evaluation of.
#[derive(Clone, Debug)]
pub struct Report {
    /// The learner.
    pub learner: String,
    /// Every setting.
    pub settings: Vec<(String, String)>,
    /// What the data was read from.
    pub data: String,
    /// The targets.
    pub targets: Vec<String>,
    /// The seed.
    pub seed: u64,
    /// What came of it.
    pub evaluation: Evaluation,
    /// What a learner that looks at no input achieves on the same folds, where there is such a one.
    pub baseline: Option<Baseline>,
    /// What was decided without being asked.
    pub notices: Vec<Notice>,
}

/// Evaluates a learner on a problem. Without a stated division, a column with the role `fold`
/// divides.
pub fn evaluate(
    registry: &Registry,
    learner: &str,
    given: &[(String, String)],
    problem: &Problem,
    division: Option<&Division>,
    data: &str,
    context: &Context,
) -> Result<Report> {
    let entry = registry.find(learner)?;
    let settings = entry.settings(given)?;
    let (plan, mut notices) = plan(problem, division)?;
    notices.extend(entry.passes_over(&settings, &problem.view));
    let evaluation = run(
        &*entry.learner(&settings)?,
        &problem.view,
        &problem.targets,
        &plan,
        context,
    )
    .map_err(whole)?;
    let baseline = Baseline::of(registry, entry.name, problem, &plan, context);
    notices.extend(
        evaluation
            .notices
            .iter()
            .map(|notice| Notice::new(notice.to_string())),
    );
    Ok(Report {
        learner: entry.name.to_owned(),
        settings: settings
            .iter()
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect(),
        data: data.to_owned(),
        targets: problem.target_names(),
        seed: context.seed(),
        evaluation,
        baseline,
        notices,
    })
}

/// The plan that a division asks for; without one, a column with the role `fold` divides, or else
/// ten folds. What was decided without being asked is told.
pub fn plan(problem: &Problem, division: Option<&Division>) -> Result<(Plan, Vec<Notice>)> {
    let mut notices = Vec::new();
    let plan = match division {
        Some(Division::Folds { folds, repeats }) => Plan::CrossValidation {
            folds: *folds,
            repeats: *repeats,
        },
        Some(Division::Splits { share, repeats }) => Plan::Holdout {
            train_share: *share,
            repeats: *repeats,
        },
        Some(Division::Column(column)) => given_folds(problem, column_of(problem, column)?)?,
        Some(Division::Apart {
            folds,
            repeats,
            columns,
        }) => {
            let named = |column: &String| column_of(problem, column);
            let columns: Vec<usize> = columns.iter().map(named).collect::<Result<_>>()?;
            Plan::Apart {
                folds: *folds,
                repeats: *repeats,
                objects: objects(problem, &columns)?,
            }
        }
        Some(Division::LeaveOneOut) => Plan::LeaveOneOut,
        Some(Division::ByTime {
            column,
            folds,
            train_window,
        }) => {
            let column = column_of(problem, column)?;
            let attribute = problem.view.table().attribute(column);
            let times = times(problem, column)?;
            if attribute.role == Role::Input && !problem.targets.contains(&column) {
                let told = Notice::new(format!(
                    "column `{}` divides by time and is learned from like any other",
                    attribute.name
                ));
                notices.push(told.with_remedy(Remedy::ChangeRole {
                    column: Some(attribute.name.clone()),
                    role: Role::Ignore,
                }));
            }
            let table = problem.view.table();
            let cutoffs = problem.timing.as_ref();
            let cutoffs = cutoffs.filter(|timing| timing.column(table) == Some(column));
            let dates = matches!(attribute.column.cells(), Cells::DateTime(_));
            let length = |days: f64| if dates { days * DAY } else { days };
            Plan::Forward {
                times,
                folds: *folds,
                window: train_window.map(length),
                // A target that is not known yet is not learned from.
                horizon: cutoffs
                    .and_then(|timing| timing.horizon)
                    .map_or(0.0, length),
            }
        }
        Some(Division::Custom { splitter, settings }) => {
            let entry = SplitterEntry::find(splitter)?;
            entry.splitter(settings, &problem.view)?.into()
        }
        None => match single(problem.view.table(), Role::Fold)? {
            Some(column) => {
                let name = &problem.view.table().attribute(column).name;
                notices.push(Notice::new(format!(
                    "the folds are those of column `{name}`"
                )));
                given_folds(problem, column)?
            }
            None => Plan::CrossValidation {
                folds: 10,
                repeats: 1,
            },
        },
    };
    Ok((plan, notices))
}

/// What is wrong with the columns is wrong in every fold: no fold is to blame.
pub fn whole(error: RunError) -> RunError {
    match error {
        RunError::Fold {
            source:
                source @ (LearnerError::TargetType { .. }
                | LearnerError::TargetRole { .. }
                | LearnerError::NoInputs { .. }
                | LearnerError::InputType { .. }),
            ..
        } => RunError::Learner(source),
        other => other,
    }
}

fn given_folds(problem: &Problem, column: usize) -> Result<Plan> {
    let labels = fold_labels(problem, column)?;
    Ok(Plan::GivenFolds { labels })
}

/// The column of the target's table that is written with or without it.
pub fn column_of(problem: &Problem, written: &str) -> Result<usize> {
    column_in(problem.view.table(), written)
}

/// The column of a table that is written with or without it.
pub fn column_in(table: &Table, written: &str) -> Result<usize> {
    let alone = written
        .strip_prefix(table.name())
        .and_then(|rest| rest.strip_prefix('.'))
        .filter(|column| table.position(written).is_none() && table.position(column).is_some());
    Ok(table.find(alone.unwrap_or(written))?)
}

/// The values that each row has in some columns, numbered: what is one value in two columns has one
/// number.
pub fn objects(problem: &Problem, columns: &[usize]) -> Result<Vec<Vec<u32>>> {
    let table = problem.view.table();
    let mut numbers: HashMap<String, u32> = HashMap::new();
    let mut object = |row: u32, column: usize| {
        let attribute = table.attribute(column);
        if !attribute.column.is_present(row as usize) {
            return Err(Error::NoObject {
                row: row as usize + 1,
                column: attribute.name.clone(),
            });
        }
        let next = numbers.len() as u32;
        let value = attribute.column.value(row as usize).to_string();
        Ok(*numbers.entry(value).or_insert(next))
    };
    let mut of_row = |row: u32| -> Result<Vec<u32>> {
        let columns = columns.iter();
        columns.map(|&column| object(row, column)).collect()
    };
    problem.view.rows().map(&mut of_row).collect()
}

/// The time of each row, as a column of numbers or dates has it.
pub fn times(problem: &Problem, column: usize) -> Result<Vec<f64>> {
    let attribute = problem.view.table().attribute(column);
    let time = |row: u32| {
        let row = row as usize;
        let time = match attribute.column.cells() {
            // Milliseconds of any date there is are below 2^53, hence exact.
            Cells::DateTime(instants) => instants[row] as f64,
            Cells::Numeric(numbers) => numbers[row],
            _ => {
                return Err(Error::TimeType {
                    column: attribute.name.clone(),
                    found: attribute.type_of().to_string(),
                });
            }
        };
        match attribute.column.is_present(row) {
            true => Ok(time),
            false => Err(Error::NoTime {
                row: row + 1,
                column: attribute.name.clone(),
            }),
        }
    };
    problem.view.rows().map(time).collect()
}

/// The fold of each row, as a column has it.
pub fn fold_labels(problem: &Problem, column: usize) -> Result<Vec<String>> {
    let attribute = problem.view.table().attribute(column);
    problem
        .view
        .rows()
        .map(|row| match attribute.column.is_present(row as usize) {
            true => Ok(attribute.column.value(row as usize).to_string()),
            false => Err(Error::NoFold {
                row: row as usize + 1,
                column: attribute.name.clone(),
            }),
        })
        .collect()
}

impl Report {
    /// The report as programs read it; `docs/json.md` is its contract.
    pub fn to_json(&self) -> Value {
        let evaluation = &self.evaluation;
        let by_measure = |values: Vec<Option<f64>>| -> Map<String, Value> {
            evaluation
                .measures
                .iter()
                .cloned()
                .zip(values.into_iter().map(Value::from))
                .collect()
        };
        let folds: Vec<Value> = evaluation
            .folds
            .iter()
            .map(|fold| {
                let mut object = Map::new();
                object.insert("repeat".into(), fold.repeat.into());
                object.insert("fold".into(), fold.fold.into());
                object.insert("n".into(), fold.n.into());
                object.extend(by_measure(fold.scores.clone()));
                Value::Object(object)
            })
            .collect();
        let target: Value = match self.targets.as_slice() {
            [one] => one.clone().into(),
            several => several.to_vec().into(),
        };
        let settings: Map<String, Value> = self
            .settings
            .iter()
            .map(|(name, value)| (name.clone(), value.clone().into()))
            .collect();
        let mut shown = json!({
            "learner": self.learner,
            "settings": settings,
            "data": self.data,
            "target": target,
            "seed": self.seed,
            "folds": folds,
            "mean": by_measure(evaluation.summaries.iter().map(|summary| summary.mean).collect()),
            "sd": by_measure(evaluation.summaries.iter().map(|summary| summary.sd).collect()),
            "pooled": by_measure(evaluation.pooled.clone()),
        });
        if let Some(baseline) = &self.baseline {
            shown["baseline"] = baseline.to_json();
        }
        let confused: Vec<Value> = self.confused().iter().map(Confused::to_json).collect();
        if !confused.is_empty() {
            shown["confusion"] = confused.into();
        }
        shown
    }

    /// Which classes were taken for which, a target of classes each.
    fn confused(&self) -> Vec<Confused> {
        let targets = 0..self.evaluation.truths.len();
        targets
            .filter_map(|target| confusion_of(&self.evaluation, target))
            .collect()
    }

    /// The report as people read it.
    pub fn to_text(&self) -> String {
        let evaluation = &self.evaluation;
        let repeats = evaluation
            .folds
            .iter()
            .map(|fold| fold.repeat)
            .max()
            .unwrap_or(0);
        let folds = evaluation.folds.len() / repeats.max(1);
        let divided = match (folds, repeats) {
            (1, repeats) => format!("{repeats} random splits"),
            (folds, 1) => format!("{folds} folds"),
            (folds, repeats) => format!("{repeats} times {folds} folds"),
        };
        let text = format!(
            "{} on {}, target {}, {divided}, seed {}\n\n",
            self.learner,
            self.data,
            self.targets.join(", "),
            self.seed
        );
        let columns = 4 + usize::from(self.baseline.is_some());
        let aligns = (0..columns).map(|column| match column {
            0 => Align::Left,
            _ => Align::Right,
        });
        let mut table = TextTable::new(aligns.collect::<Vec<Align>>());
        for column in 1..columns {
            table = table.at_least(column, 10);
        }
        let named = self.baseline.iter().map(|baseline| baseline.learner);
        table.line(["measure", "mean", "sd", "pooled"].into_iter().chain(named));
        let number =
            |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.4}"));
        for (position, name) in evaluation.measures.iter().enumerate() {
            let summary = &evaluation.summaries[position];
            let beside = self.baseline.iter();
            let beside = beside.map(|one| {
                let summary = one.evaluation.summaries.get(position);
                number(summary.and_then(|summary| summary.mean))
            });
            let own = [
                name.clone(),
                number(summary.mean),
                number(summary.sd),
                number(evaluation.pooled[position]),
            ];
            table.line(own.into_iter().chain(beside));
        }
        let mut text = text + &table.to_string();
        if let Some(Baseline { learner, does, .. }) = &self.baseline {
            text += &format!("{learner} {does}: what any learner has to beat\n");
        }
        let confused = self.confused();
        let several = confused.len() > 1;
        let tables = confused.iter().map(|confused| confused.to_text(several));
        text + &tables.collect::<String>()
    }
}
