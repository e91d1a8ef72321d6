//! The two ways to make a flat table: by listing what paths lead to, and by aggregates.

use std::ops::Range;
use std::sync::Arc;

use kinwood_aggregates::{Error as AggregateError, Plan};
use kinwood_values::container::{Sections, Stored, invalid};
use kinwood_values::notice::counted;
use kinwood_values::{AsOf, Attribute, Database, Table, View};
use serde_json::{Value, json};

use super::flat::Flat;
use super::join;
use super::plan::{Flattening, Kind, SECTION};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::sql::{Expression, Gap, identifier};

/// The section of a model that holds a plan of aggregates.
const AGGREGATED: &str = "aggregates";

/// As many joined rows as are predicted at a time, so that no more than these are held.
const AT_A_TIME: u64 = 1 << 18;

/// How a flat table is made.
pub(super) enum Made {
    /// By a join, or by averages and most frequent labels.
    Listed(Flattening),
    /// By aggregates.
    Aggregated(Plan),
}

impl Made {
    /// Whether a model file has a plan.
    pub fn is_in(stored: &Stored) -> bool {
        stored.has(SECTION) || stored.has(AGGREGATED)
    }

    pub fn read(stored: &Stored) -> Result<Self> {
        match stored.has(AGGREGATED) {
            true => Ok(Made::Aggregated(stored.json(AGGREGATED)?)),
            false => Ok(Made::Listed(stored.json(SECTION)?)),
        }
    }

    pub fn write(&self, sections: &mut Sections) -> Result<()> {
        match self {
            Made::Listed(plan) => sections.put_json(SECTION, plan)?,
            Made::Aggregated(plan) => sections.put_json(AGGREGATED, plan)?,
        }
        Ok(())
    }

    /// The kind as it is named in settings.
    pub fn kind(&self) -> Kind {
        match self {
            Made::Listed(plan) => plan.kind(),
            Made::Aggregated(_) => Kind::Averaged,
        }
    }

    /// Fails unless a view has the tables and columns of the plan.
    pub fn check(&self, view: &View) -> Result<()> {
        match self {
            Made::Listed(plan) => plan.check(view),
            Made::Aggregated(plan) => plan.check(view).map_err(of_aggregates),
        }
    }

    /// The flat table of some of the view's rows.
    pub fn flat(
        &self,
        view: &View,
        objects: Range<usize>,
        limit: u64,
        context: &Context,
    ) -> Result<Flat> {
        match self {
            Made::Listed(plan) => plan.flat(view, objects, limit),
            Made::Aggregated(plan) => {
                let stop = || context.check().is_err();
                let columns = context.install(|| plan.columns(view, objects.clone(), &stop));
                // Why the work was stopped is known to the context.
                context.check()?;
                of_columns(view, objects, columns.map_err(of_aggregates)?)
            }
        }
    }

    /// Objects whose rows are predicted together.
    pub fn portions(&self, data: &View, limit: u64) -> Vec<Range<usize>> {
        let all = 0..data.len();
        let plan = match self {
            Made::Listed(plan) if plan.kind() == Kind::Joined && !data.is_empty() => plan,
            _ => return vec![all],
        };
        let most = AT_A_TIME.min(limit);
        let mut portions = Vec::new();
        let (mut start, mut rows) = (0, 0u64);
        for (object, count) in join::counts(plan, data, all).into_iter().enumerate() {
            if object > start && rows.saturating_add(count) > most {
                portions.push(start..object);
                (start, rows) = (object, 0);
            }
            rows = rows.saturating_add(count);
        }
        portions.push(start..data.len());
        portions
    }

    /// What the flat table is, in a sentence.
    pub fn summary(&self) -> String {
        match self {
            Made::Listed(plan) => {
                let columns = counted(plan.columns().len(), "linked column");
                let paths = counted(plan.paths().len(), "path");
                match plan.kind() {
                    Kind::Joined => format!(
                        "flattened (p1): {columns} on {paths} joined, predictions averaged over the rows of an object"
                    ),
                    Kind::Averaged => format!(
                        "flattened (p2): {columns} on {paths}, averages of numbers and most frequent labels"
                    ),
                }
            }
            Made::Aggregated(plan) => {
                let columns = counted(plan.aggregates().len(), "aggregate");
                let paths = counted(plan.places().iter().filter(|&&at| at > 0).count(), "path");
                let cutoffs = match plan.has_cutoffs() {
                    true => ", of what each row saw by its cutoff",
                    false => "",
                };
                format!("flattened (p2): {columns} along {paths}{cutoffs}")
            }
        }
    }

    /// The paths in words.
    pub fn paths(&self) -> Vec<&str> {
        match self {
            Made::Listed(plan) => plan.paths().collect(),
            Made::Aggregated(plan) => {
                let places = plan.places().into_iter().filter(|&place| place > 0);
                places.map(|place| plan.paths().name(place)).collect()
            }
        }
    }

    /// What is left out of the table, after words for why.
    pub fn left_out(&self) -> Option<(&'static str, &[String])> {
        let (why, names) = match self {
            Made::Listed(plan) => ("without an average", plan.left_out()),
            Made::Aggregated(plan) => ("paths to too many rows", plan.left_out()),
        };
        (!names.is_empty()).then_some((why, names))
    }

    /// The statement that creates a view of what a model of the flat table predicts: its columns
    /// are computed in a common table expression, which has those that the model looks at.
    pub fn view(&self, name: &str, answers: &[Expression]) -> Result<String> {
        let Made::Aggregated(plan) = self else {
            let flatten = self.kind().name();
            return Err(Gap::Flattened { flatten }.into());
        };
        let mut columns = vec!["o.*".to_owned()];
        for aggregate in plan.aggregates() {
            let column = identifier(&aggregate.name);
            if !answers.iter().any(|answer| answer.sql.contains(&column)) {
                continue;
            }
            let sql = aggregate.sql.as_ref().ok_or_else(|| Gap::Aggregate {
                name: aggregate.name.clone(),
            })?;
            columns.push(format!("{sql} AS {column}"));
        }
        let keys = plan.keys().iter().map(|key| identifier(key));
        let answers = answers
            .iter()
            .map(|answer| format!("{} AS {}", answer.sql, identifier(&answer.name)));
        Ok(format!(
            "CREATE VIEW {} AS\nWITH flat AS (\n  SELECT {}\n  FROM {} AS o\n)\nSELECT {}\nFROM flat;\n",
            identifier(name),
            columns.join(",\n    "),
            identifier(plan.table()),
            keys.chain(answers).collect::<Vec<_>>().join(",\n  "),
        ))
    }

    pub fn to_json(&self, model: Value) -> Value {
        let columns: Vec<&str> = match self {
            Made::Listed(plan) => plan.columns().collect(),
            Made::Aggregated(plan) => plan.names().collect(),
        };
        json!({
            "flatten": self.kind().name(),
            "paths": self.paths(),
            "columns": columns,
            "left_out": self.left_out().map_or(&[][..], |(_, names)| names),
            "model": model,
        })
    }
}

/// The flat table of some rows and columns that were computed for them, a row an object.
pub(super) fn of_columns(
    view: &View,
    objects: Range<usize>,
    columns: Vec<Attribute>,
) -> Result<Flat> {
    let offsets = (0..=objects.len()).collect();
    let owners: Vec<u32> = objects.map(|object| view.row(object)).collect();
    let own = view.table().attributes().iter().map(|attribute| Attribute {
        column: Arc::new(attribute.column.gather(&owners)),
        ..attribute.clone()
    });
    let table = Table::new(view.table().name(), own.chain(columns).collect())?;
    let flat = View::new(Arc::new(Database::single(table)?), 0);
    let hidden = view
        .hidden()
        .filter(|&(table, _)| table == view.table_position());
    let mut flat = hidden.fold(flat, |flat, (_, column)| flat.hiding(0, column));
    if let Some(as_of) = view.as_of() {
        let cutoffs: Vec<f64> = owners.iter().map(|&row| as_of.cutoff(row)).collect();
        let of_rows = AsOf::new(cutoffs)
            .with_gap(as_of.gap())
            .with_window(as_of.window());
        flat = flat.seen_as_of(of_rows);
    }
    Ok(Flat {
        view: flat,
        offsets,
    })
}

/// An error of aggregates in the words of this crate; one of a plan is one of the model that holds
/// it.
pub(super) fn of_aggregates(error: AggregateError) -> Error {
    match error {
        AggregateError::Stopped => Error::Interrupted,
        other => invalid(AGGREGATED, other.to_string()).into(),
    }
}
