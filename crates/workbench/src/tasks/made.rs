//! The examples of a task, and how they are written.

use std::io::{self, Write};

use kinwood_formats::write::csv::record;

use super::bind::BoundTask;
use crate::error::Result;

/// The examples of a task.
#[derive(Clone, Debug, PartialEq)]
pub struct MadeTask {
    /// The names of the columns: `split` where cutoffs are for different parts, the cutoff, the
    /// columns that name the object, the target.
    pub columns: Vec<String>,
    /// The cells, row by row, as CSV has them.
    pub rows: Vec<Vec<String>>,
}

impl MadeTask {
    /// How many rows there are of each part, in the order of time.
    pub fn counts(&self) -> Vec<(String, usize)> {
        let mut counts: Vec<(String, usize)> = Vec::new();
        if self.columns.first().is_none_or(|name| name != "split") {
            return vec![("train".to_owned(), self.rows.len())];
        }
        for row in &self.rows {
            match counts.iter_mut().find(|(part, _)| *part == row[0]) {
                Some((_, count)) => *count += 1,
                None => counts.push((row[0].clone(), 1)),
            }
        }
        counts
    }

    /// Writes the examples as CSV.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        record(out, &self.columns)?;
        self.rows.iter().try_for_each(|row| record(out, row))
    }
}

#[cfg(feature = "sqlite")]
impl BoundTask<'_> {
    /// Makes the examples.
    pub fn make(&self) -> Result<MadeTask> {
        use kinwood_formats::{Found, select};
        use kinwood_values::Database;

        let used = self.used_tables();
        let tables = used.iter().map(|&table| self.database.table(table).clone());
        let (mut tables, place): (Vec<_>, _) = (tables.collect(), |table: usize| {
            used.iter().position(|&other| other == table)
        });
        for table in &mut tables {
            // What is read needs no key, and one that is guessed need not hold.
            table.set_key(None);
        }
        let indexed: Vec<(usize, Vec<usize>)> = self
            .looked_up()
            .into_iter()
            .filter_map(|(table, columns)| Some((place(table)?, columns)))
            .collect();
        let (database, _) = Database::new(tables, Vec::new())?;
        let found = select(&database, &indexed, &self.sql()?)?;
        let date = usize::from(self.divided);
        let cell = |(column, cell): (usize, Found)| match cell {
            Found::Missing => String::new(),
            Found::Whole(number) => number.to_string(),
            Found::Number(number) => number.to_string(),
            Found::Text(text) if column == date => {
                text.strip_suffix(" 00:00:00").unwrap_or(&text).to_owned()
            }
            Found::Text(text) => text,
        };
        let row = |cells: Vec<Found>| cells.into_iter().enumerate().map(cell).collect();
        Ok(MadeTask {
            columns: self.columns(),
            rows: found.into_iter().map(row).collect(),
        })
    }

    /// The tables that the query reads.
    fn used_tables(&self) -> Vec<usize> {
        let mut used = vec![self.entity];
        let active = self.active.iter().flat_map(|(path, _)| &path.tables);
        for &table in self.path.tables.iter().chain(active) {
            if !used.contains(&table) {
                used.push(table);
            }
        }
        used
    }

    /// Columns by which rows are looked up: times, keys that lead to a table, and the columns that
    /// they refer to.
    fn looked_up(&self) -> Vec<(usize, Vec<usize>)> {
        let mut columns: Vec<(usize, Vec<usize>)> = vec![(self.entity, self.keys.clone())];
        let active = self.active.iter().map(|(path, _)| path);
        for path in [&self.path].into_iter().chain(active) {
            let (place, time) = path.time;
            columns.push((path.tables[place], vec![time]));
            for &key in &path.keys {
                let key = &self.database.foreign_keys()[key];
                let mut from = key.from_columns.clone();
                if key.from == path.tables[place] {
                    from.push(time);
                }
                columns.push((key.from, from));
                columns.push((key.to, key.to_columns.clone()));
            }
        }
        columns.sort_unstable();
        columns.dedup();
        columns
    }
}

#[cfg(not(feature = "sqlite"))]
impl BoundTask<'_> {
    /// Refuses: it is SQLite that makes the examples.
    pub fn make(&self) -> Result<MadeTask> {
        Err(super::wrong(
            "examples are made by SQLite, and this program was built without it; its SQL can be shown",
        ))
    }
}
