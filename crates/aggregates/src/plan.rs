//! A plan: paths and the aggregates along them, which a model keeps.

use std::ops::Range;
use std::sync::Arc;

use kinwood_values::{Attribute, Column, Role, Type, View};
use serde::{Deserialize, Serialize};

use crate::aggregate::{Aggregate, Operation};
use crate::compute::Work;
use crate::error::{Error, Result};
use crate::paths::{Paths, Step};

/// As many places as a plan from a file may have.
const MOST_PLACES: usize = 10_000;

/// Which aggregates describe the rows of a view.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    pub(crate) paths: Paths,
    /// Whether rows have cutoffs.
    pub(crate) as_of: bool,
    /// The name of the target's table.
    pub(crate) table: String,
    /// The columns that tell its rows apart.
    pub(crate) keys: Vec<String>,
    pub(crate) aggregates: Vec<Aggregate>,
    /// Paths that lead to too many rows, in words.
    pub(crate) left_out: Vec<String>,
}

impl Plan {
    /// The paths.
    pub fn paths(&self) -> &Paths {
        &self.paths
    }

    /// The aggregates, in the order of their columns.
    pub fn aggregates(&self) -> &[Aggregate] {
        &self.aggregates
    }

    /// The names of the columns, in order.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.aggregates
            .iter()
            .map(|aggregate| aggregate.name.as_str())
    }

    /// Paths that lead to too many rows and are left out, in words.
    pub fn left_out(&self) -> &[String] {
        &self.left_out
    }

    /// Whether its rows have cutoffs.
    pub fn has_cutoffs(&self) -> bool {
        self.as_of
    }

    /// The columns for some rows of a view of the same tables; `stop` is looked at between pieces
    /// of the work.
    pub fn columns(
        &self,
        view: &View,
        objects: Range<usize>,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<Attribute>> {
        self.check(view)?;
        let columns = Work::new(view, &self.paths, objects, stop).columns(&self.aggregates)?;
        let named = self.aggregates.iter().zip(columns);
        Ok(named
            .map(|(aggregate, column)| attribute(view, &self.paths, aggregate, column))
            .collect())
    }

    /// The name of the target's table, as SQL has it.
    pub fn table(&self) -> &str {
        &self.table
    }

    /// The columns that tell its rows apart; none where nothing does.
    pub fn keys(&self) -> &[String] {
        &self.keys
    }

    /// The places whose rows decide at least one aggregate.
    pub fn places(&self) -> Vec<usize> {
        let mut places: Vec<usize> = self.aggregates.iter().map(|of| of.place).collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// Fails unless the tables, keys and columns of a view are those of the plan, which may come
    /// from a file that holds anything.
    pub fn check(&self, view: &View) -> Result<()> {
        let wrong = |reason: String| Err(Error::Plan { reason });
        if self.paths.table != view.table_position() {
            return wrong("another table is the target's".to_owned());
        }
        if self.as_of != view.as_of().is_some() {
            return wrong(
                match self.as_of {
                    true => "the model describes rows as of their cutoffs, and these have none",
                    false => "the rows have cutoffs, which the model has not learned from",
                }
                .to_owned(),
            );
        }
        if self.paths.len() > MOST_PLACES {
            return wrong("more paths than there can be".to_owned());
        }
        for (place, step) in self.paths.steps.iter().enumerate() {
            self.check_step(view, place + 1, step)?;
        }
        self.aggregates
            .iter()
            .try_for_each(|aggregate| self.check_aggregate(view, aggregate))
    }

    fn check_step(&self, view: &View, place: usize, step: &Step) -> Result<()> {
        let database = view.database();
        let key = database.foreign_keys().get(step.key);
        let ends = key.map(|key| match step.backward {
            true => (key.to, key.from),
            false => (key.from, key.to),
        });
        let fits = step.from < place
            && ends.is_some_and(|ends| ends == (self.paths.table_of(step.from), step.table))
            && (!step.latest || step.backward && self.paths.to_one(step.from));
        match fits {
            true => Ok(()),
            false => Err(Error::Plan {
                reason: format!("path `{}` follows no key of the data", step.name),
            }),
        }
    }

    fn check_aggregate(&self, view: &View, aggregate: &Aggregate) -> Result<()> {
        let place = aggregate.place;
        let known = place <= self.paths.len();
        let type_of = |column: usize| {
            let table = self.paths.table_of(place);
            let attributes = view.database().table(table).attributes();
            let attribute = attributes.get(column)?;
            view.column(table, column).map(|_| attribute.type_of())
        };
        let fits = known && {
            let of = aggregate.column.map(type_of);
            let condition = aggregate.condition;
            condition.is_none_or(|condition| type_of(condition.column) == Some(Type::Nominal))
                && match of {
                    None => !aggregate.operation.is_of_a_column(),
                    Some(None) => false,
                    Some(Some(of)) => aggregate.operation.takes(&of),
                }
                && aggregate.operation.is_of_one_row() == self.paths.to_one(place)
        };
        match fits {
            true => Ok(()),
            false => Err(Error::Plan {
                reason: format!("column `{}` is none of the data", aggregate.name),
            }),
        }
    }
}

impl Operation {
    /// Whether it is of the one row that a path leads to.
    pub(crate) fn is_of_one_row(self) -> bool {
        matches!(
            self,
            Operation::Value
                | Operation::Age
                | Operation::CutoffYear
                | Operation::CutoffMonth
                | Operation::CutoffWeekday
        )
    }

    /// Whether it needs a column.
    fn is_of_a_column(self) -> bool {
        !matches!(
            self,
            Operation::Count
                | Operation::Exists
                | Operation::SinceLatest
                | Operation::SinceFirst
                | Operation::CutoffYear
                | Operation::CutoffMonth
                | Operation::CutoffWeekday
        )
    }

    /// Whether it is of columns of a type.
    fn takes(self, of: &Type) -> bool {
        match self {
            Operation::Value | Operation::Latest => true,
            Operation::Age => *of == Type::DateTime,
            Operation::Mode => *of == Type::Nominal,
            Operation::Distinct | Operation::Share(_) | Operation::Count | Operation::Exists => {
                matches!(of, Type::Numeric | Type::Nominal)
            }
            _ => *of == Type::Numeric,
        }
    }
}

/// The column of an aggregate: where values are those of a column, it is described like that.
pub(crate) fn attribute(
    view: &View,
    paths: &Paths,
    aggregate: &Aggregate,
    column: Column,
) -> Attribute {
    let of = match aggregate.operation {
        Operation::Value | Operation::Latest | Operation::Mode => aggregate.column,
        _ => None,
    };
    match of {
        Some(of) => {
            let table = view.database().table(paths.table_of(aggregate.place));
            Attribute {
                name: aggregate.name.clone(),
                role: Role::Input,
                column: Arc::new(column),
                ..table.attribute(of).clone()
            }
        }
        None => Attribute::new(aggregate.name.clone(), column),
    }
}
