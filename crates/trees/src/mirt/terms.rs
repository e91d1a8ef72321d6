//! What relational trees speak of: tables, columns, keys, targets, prototypes.

use std::sync::Arc;

use kinwood_similarity::DistanceOn;
use kinwood_values::{Cells, Column, Dictionary, Role, View};

use super::test::Step;
use crate::contents::Item;
use crate::tree::TargetOf;
use kinwood_learning::drawing::amount;

/// The database that a model was learned from, without its rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Terms {
    /// The tables, in the database's order.
    pub tables: Vec<TableOf>,
    /// The table whose rows are the objects.
    pub root: usize,
    /// The foreign keys, in the database's order.
    pub keys: Vec<KeyOf>,
    /// The targets, in the task's order.
    pub targets: Vec<TargetOf>,
    /// The prototypes and items of structured columns.
    pub pools: Vec<Pool>,
}

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct TableOf {
    /// Its name.
    pub name: String,
    /// Its columns.
    pub columns: Vec<ColumnOf>,
    /// The columns of its primary key.
    pub key: Vec<u32>,
}

/// A column.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnOf {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub kind: Kind,
    /// Whether tests and variables may look at it.
    pub input: bool,
}

/// What a column holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Numbers.
    Number,
    /// Dates.
    Moment,
    /// Labels: those that training had.
    Labels(Arc<Dictionary>),
    /// Values of another type.
    Other,
}

/// A foreign key.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyOf {
    /// Its name.
    pub name: String,
    /// The table that refers.
    pub from: usize,
    /// Its columns.
    pub from_columns: Vec<u32>,
    /// The table referred to.
    pub to: usize,
    /// Its columns.
    pub to_columns: Vec<u32>,
}

/// The prototypes of a column whose values are compared by a distance, and the items that they may
/// contain.
#[derive(Clone)]
pub struct Pool {
    /// The table.
    pub table: usize,
    /// The column.
    pub column: u32,
    /// The column's name.
    pub name: String,
    /// The prototypes.
    pub values: Column,
    /// The items, by place.
    pub items: Vec<Item>,
    /// The distance.
    pub measure: DistanceOn,
}

impl Pool {
    /// The items of a condition.
    pub fn named<'p>(&'p self, items: &'p [u32]) -> impl Iterator<Item = &'p Item> {
        items
            .iter()
            .filter_map(|&item| self.items.get(item as usize))
    }
}

impl PartialEq for Pool {
    fn eq(&self, other: &Self) -> bool {
        (self.table, self.column) == (other.table, other.column)
            && self.values == other.values
            && self.items == other.items
            && self.measure.of() == other.measure.of()
            && self.measure.expression() == other.measure.expression()
    }
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pool")
            .field("table", &self.table)
            .field("column", &self.column)
            .field("values", &self.values)
            .field("items", &self.items)
            .field("measure", &self.measure.expression().to_string())
            .finish()
    }
}

impl Terms {
    /// The terms of a view's database.
    pub fn of(view: &View, targets: Vec<TargetOf>, pools: Vec<Pool>) -> Self {
        let database = view.database();
        let table = |place: usize| {
            let table = database.table(place);
            let visible = view.inputs_of(place);
            let columns = table
                .attributes()
                .iter()
                .enumerate()
                .map(|(column, attribute)| {
                    let kind = match attribute.column.cells() {
                        Cells::Numeric(_) => Kind::Number,
                        Cells::DateTime(_) => Kind::Moment,
                        Cells::Nominal { dictionary, .. } if attribute.role == Role::Input => {
                            Kind::Labels(Arc::clone(dictionary))
                        }
                        _ => Kind::Other,
                    };
                    ColumnOf {
                        name: attribute.name.clone(),
                        kind,
                        input: visible.contains(&column),
                    }
                });
            let key = table.key().unwrap_or_default();
            TableOf {
                name: table.name().to_owned(),
                columns: columns.collect(),
                key: key.iter().map(|&column| column as u32).collect(),
            }
        };
        let columns = |columns: &[usize]| columns.iter().map(|&column| column as u32).collect();
        let keys = database.foreign_keys().iter().map(|key| KeyOf {
            name: key.name.clone(),
            from: key.from,
            from_columns: columns(&key.from_columns),
            to: key.to,
            to_columns: columns(&key.to_columns),
        });
        Self {
            tables: (0..database.tables().len()).map(table).collect(),
            root: view.table_position(),
            keys: keys.collect(),
            targets,
            pools,
        }
    }

    /// The table that a step leads to.
    pub fn reached(&self, step: Step) -> usize {
        let key = &self.keys[step.key as usize];
        match step.backward {
            true => key.from,
            false => key.to,
        }
    }

    /// The table of an occurrence after these steps.
    pub fn table_of(&self, steps: &[Step], occurrence: u32) -> usize {
        match occurrence.checked_sub(1) {
            None => self.root,
            Some(place) => self.reached(steps[place as usize]),
        }
    }

    /// A column.
    pub fn column(&self, table: usize, column: u32) -> &ColumnOf {
        &self.tables[table].columns[column as usize]
    }

    /// The names of columns.
    pub fn names(&self, table: usize, columns: &[u32]) -> Vec<&str> {
        let columns = columns.iter();
        columns
            .map(|&column| self.column(table, column).name.as_str())
            .collect()
    }

    /// How many objects there are: `12 of molecule`.
    pub fn objects(&self, weight: f64) -> String {
        format!("{} of {}", amount(weight), self.tables[self.root].name)
    }

    /// The prototypes of a column.
    pub fn pool(&self, table: usize, column: u32) -> Option<&Pool> {
        self.pools
            .iter()
            .find(|pool| (pool.table, pool.column) == (table, column))
    }

    /// The inputs of a table.
    pub fn inputs(&self, table: usize) -> impl Iterator<Item = (u32, &ColumnOf)> {
        let columns = self.tables[table].columns.iter().enumerate();
        columns
            .filter(|(_, column)| column.input)
            .map(|(place, column)| (place as u32, column))
    }
}
