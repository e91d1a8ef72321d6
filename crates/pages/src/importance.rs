//! What a model predicts by, as users see it: permutation importance with names, for people,
//! programs and as a picture.

mod chart;

use kinwood_evaluation::importance::{Importance, Part, importance as measured};
use kinwood_evaluation::measures::Measure;
use kinwood_evaluation::summary::FoldSummary;
use kinwood_learners::Context;
use kinwood_text::{Align, TextTable};
use kinwood_values::notice::counted;
use kinwood_values::{Database, Notice, View};
use serde_json::{Value, json};

use crate::kit::Drawing;
use kinwood_workbench::error::{Error, Result};
use kinwood_workbench::trained::Trained;

/// How important the parts of the data are to a model, with what it was measured on.
#[derive(Clone, Debug)]
pub struct ImportanceReport {
    /// The learner.
    pub learner: String,
    /// What the data was read from.
    pub data: String,
    /// How many rows were predicted.
    pub rows: usize,
    /// How often each part was permuted.
    pub repeats: usize,
    /// The seed.
    pub seed: u64,
    /// A table a target.
    pub targets: Vec<TargetReport>,
    /// What a careful reader should know.
    pub notices: Vec<Notice>,
}

/// The parts by their importance to one target.
#[derive(Clone, Debug)]
pub struct TargetReport {
    /// The target.
    pub target: String,
    /// What was measured.
    pub measure: Measure,
    /// The measure on the rows as they are.
    pub whole: Option<f64>,
    /// The parts, the most important first.
    pub parts: Vec<PartReport>,
}

/// A part and its importance.
#[derive(Clone, Debug)]
pub struct PartReport {
    /// What it is called, unique among the parts.
    pub name: String,
    /// The table it is in, or leads to.
    pub table: String,
    /// The column, or the foreign key that leads to the table.
    pub of: PartOf,
    /// The mean over the repeats of how much worse the measure gets.
    pub mean: Option<f64>,
    /// The standard deviation over the repeats; none for a single one.
    pub sd: Option<f64>,
    /// The mean as a share of the measure on the rows as they are.
    pub relative: Option<f64>,
}

/// What a part is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartOf {
    /// A column of that name.
    Column(String),
    /// All rows that the foreign key of that name leads to.
    Link(String),
}

/// Measures how important every part of the data is to a model, on a view in the model's terms: see
/// [`kinwood_evaluation::importance`].
pub fn importance(
    trained: &Trained,
    conformed: &View,
    data: &str,
    measures: &[Measure],
    repeats: usize,
    context: &Context,
) -> Result<ImportanceReport> {
    for &target in trained.targets() {
        let attribute = conformed.table().attribute(target);
        let known = |row: u32| attribute.column.is_present(row as usize);
        if !conformed.is_empty() && !conformed.rows().any(known) {
            return Err(Error::NoTruth {
                target: attribute.name.clone(),
            });
        }
    }
    let found = measured(
        trained.model(),
        conformed,
        trained.targets(),
        measures,
        repeats,
        context,
    )?;
    let mut notices = Vec::new();
    if conformed.len() == 1 {
        notices.push(Notice::new(
            "a single row has nothing to be permuted with: no column of its table can show any importance",
        ));
    }
    Ok(ImportanceReport {
        learner: trained.learner().to_owned(),
        data: data.to_owned(),
        rows: conformed.len(),
        repeats,
        seed: context.seed(),
        targets: found
            .iter()
            .map(|found| TargetReport::of(found, conformed))
            .collect(),
        notices,
    })
}

impl TargetReport {
    fn of(found: &Importance, view: &View) -> Self {
        let all: Vec<Part> = found.parts.iter().map(|(part, _)| *part).collect();
        let database = view.database();
        let part = |&(part, summary): &(Part, FoldSummary)| {
            let table = database.table(part.table(database));
            PartReport {
                name: name(part, &all, view),
                table: table.name().to_owned(),
                of: match part {
                    Part::Column { column, .. } => {
                        PartOf::Column(table.attribute(column).name.clone())
                    }
                    Part::Link { foreign_key, .. } => {
                        PartOf::Link(database.foreign_keys()[foreign_key].name.clone())
                    }
                },
                mean: summary.mean,
                sd: summary.sd,
                relative: summary.mean.and_then(|mean| found.relative(mean)),
            }
        };
        Self {
            target: found.target.clone(),
            measure: found.measure,
            whole: found.whole,
            parts: found.ranked().into_iter().map(part).collect(),
        }
    }
}

/// A column of the view's own table is called by its name, one of another table with that; a link
/// is `rows of` the table it leads to, with the key where several lead there.
fn name(part: Part, all: &[Part], view: &View) -> String {
    let database: &Database = view.database();
    let position = part.table(database);
    let table = database.table(position);
    match part {
        Part::Column { column, .. } => {
            let column = &table.attribute(column).name;
            match position == view.table_position() {
                true => column.clone(),
                false => format!("{}.{column}", table.name()),
            }
        }
        Part::Link { foreign_key, .. } => {
            let leading = all.iter().filter(|other| {
                matches!(other, Part::Link { .. }) && other.table(database) == position
            });
            match leading.count() {
                0 | 1 => format!("rows of {}", table.name()),
                _ => format!(
                    "rows of {} by {}",
                    table.name(),
                    database.foreign_keys()[foreign_key].name
                ),
            }
        }
    }
}

impl ImportanceReport {
    /// The report as programs read it; `docs/json.md` is its contract.
    pub fn to_json(&self) -> Value {
        let part = |part: &PartReport| {
            let mut object = json!({"part": part.name, "table": part.table});
            match &part.of {
                PartOf::Column(column) => object["column"] = column.clone().into(),
                PartOf::Link(key) => object["foreign_key"] = key.clone().into(),
            }
            object["mean"] = part.mean.into();
            object["sd"] = part.sd.into();
            object["relative"] = part.relative.into();
            object
        };
        let targets: Vec<Value> = self
            .targets
            .iter()
            .map(|target| {
                json!({
                    "target": target.target,
                    "measure": target.measure.key(),
                    "value": target.whole,
                    "parts": target.parts.iter().map(part).collect::<Vec<_>>(),
                })
            })
            .collect();
        json!({
            "learner": self.learner,
            "data": self.data,
            "rows": self.rows,
            "repeats": self.repeats,
            "seed": self.seed,
            "targets": targets,
        })
    }

    /// The report as people read it.
    pub fn to_text(&self) -> String {
        let times = match self.repeats {
            1 => "once".to_owned(),
            repeats => format!("{repeats} times"),
        };
        let mut text = format!(
            "{} on {} of {}, each part permuted {times}, seed {}\n",
            self.learner,
            counted(self.rows, "row"),
            self.data,
            self.seed
        );
        for target in &self.targets {
            text += &target.to_text();
        }
        text
    }

    /// The report as a drawing: a bar a part, with its standard deviation.
    pub fn drawing(&self) -> Drawing {
        chart::draw(self)
    }
}

/// The longest bar.
const BAR: usize = 24;

impl TargetReport {
    fn to_text(&self) -> String {
        let text = format!("\n{}: {}\n", self.target, self.heading());
        let cells: Vec<[String; 4]> = self
            .parts
            .iter()
            .map(|part| {
                [
                    part.name.clone(),
                    figure(part.mean),
                    figure(part.sd),
                    part.relative
                        .map_or("-".to_owned(), |share| format!("{:.1} %", share * 100.0)),
                ]
            })
            .collect();
        let columns = [
            Align::Left,
            Align::Right,
            Align::Right,
            Align::Right,
            Align::Left,
        ];
        let mut table = TextTable::new(columns);
        table.line(["part", "worse by", "sd", "share", ""]);
        let most = self.parts.iter().filter_map(|part| part.mean);
        let most = most.fold(0.0, f64::max);
        for (part, cells) in self.parts.iter().zip(cells) {
            let share =
                part.mean.filter(|_| most > 0.0).unwrap_or(0.0) / most.max(f64::MIN_POSITIVE);
            let bar = "█".repeat((share.max(0.0) * BAR as f64).round() as usize);
            table.line(cells.into_iter().chain([bar]));
        }
        text + &table.to_string()
    }

    /// The measure and its value on the rows as they are.
    fn heading(&self) -> String {
        let title = self.measure.description().title;
        format!("{title} {} on the rows as they are", figure(self.whole))
    }
}

/// A figure with four digits; what is 0 exactly says so.
fn figure(value: Option<f64>) -> String {
    match value {
        None => "-".to_owned(),
        Some(0.0) => "0".to_owned(),
        Some(value) => format!("{value:.4}"),
    }
}
