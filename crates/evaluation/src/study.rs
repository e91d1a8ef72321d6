//! Studies: a published table as data, so that it can be computed again and compared.
//!
//! A study names learners with settings (columns), data sets (rows), how rows are divided, a seed,
//! and the published figures. It says nothing about where files are: whoever runs it brings the
//! data.
//!
//! Columns may stand under headings (groups), each with settings that all columns under it share or
//! with a figure of its own: the size of the tree instead of its accuracy, say. Comparisons name
//! two columns whose scores are tested against each other.

mod cell;
mod compare;
mod figure;
pub mod noise;

use std::collections::BTreeMap;

use serde::Deserialize;

pub use cell::{Cell, Ours, Verdict, Why};
pub use compare::{Compared, Comparison, Tested, Tests};
pub use figure::{Figure, Source};

use crate::division::Division;
use crate::measures::Measure;

/// A published table to be computed again.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Study {
    /// The name, as in `kinwood reproduce NAME`.
    pub name: String,
    /// What the table shows.
    pub title: String,
    /// The paper.
    pub reference: String,
    /// The measure that figures are taken from.
    pub measure: Measure,
    /// How a figure is taken: by default the mean of the measure over splits.
    #[serde(default)]
    pub figure: Figure,
    /// What the measure is multiplied by to be in the paper's unit: 100 for percentages.
    #[serde(default = "one")]
    pub scale: f64,
    /// The digits after the point that the paper prints.
    #[serde(default)]
    pub decimals: usize,
    /// The seed of the splits.
    pub seed: u64,
    /// How rows are divided.
    pub split: Division,
    /// The learners.
    pub columns: Vec<Column>,
    /// Headings that the columns stand under, if there are any.
    #[serde(default)]
    pub groups: Vec<Group>,
    /// Columns whose scores are tested against each other.
    #[serde(default)]
    pub comparisons: Vec<Comparison>,
    /// Why figures differ from the paper's.
    #[serde(default)]
    pub why: Vec<Why>,
    /// The data sets.
    pub rows: Vec<Row>,
}

fn one() -> f64 {
    1.0
}

/// A learner with its settings.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Column {
    /// The heading.
    pub name: String,
    /// The learner.
    pub learner: String,
    /// Settings that differ from its defaults.
    #[serde(default)]
    pub settings: BTreeMap<String, String>,
    /// A setting whose best value on the test rows is reported, for papers that did so.
    #[serde(default)]
    pub best: Option<Best>,
}

/// A setting tried at several values, of which the one with the best mean over the test rows is
/// reported.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Best {
    /// The setting.
    pub setting: String,
    /// Its values.
    pub values: Vec<String>,
}

/// A heading that columns stand under.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// The heading.
    pub name: String,
    /// Settings that all columns under it have besides their own.
    #[serde(default)]
    pub settings: BTreeMap<String, String>,
    /// The columns under it, if not all.
    #[serde(default)]
    pub columns: Option<Vec<String>>,
    /// How its figures are taken, if not as the study's.
    #[serde(default)]
    pub figure: Option<Figure>,
    /// What its figures are multiplied by, if not as the study's.
    #[serde(default)]
    pub scale: Option<f64>,
    /// The digits after the point of its figures, if not as the study's.
    #[serde(default)]
    pub decimals: Option<usize>,
}

/// A data set, and what the paper has for it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The heading.
    pub name: String,
    /// Where the rows come from; none where they cannot be had.
    #[serde(default)]
    pub data: Option<DataSource>,
    /// The row above whose data this is, too.
    #[serde(default)]
    pub data_of: Option<String>,
    /// Columns left out besides those that the data leaves out.
    #[serde(default)]
    pub ignore: Vec<String>,
    /// How its rows are divided, if not as the study's.
    #[serde(default)]
    pub split: Option<Division>,
    /// Whether the data only stand in for the paper's, so that figures stand side by side and are
    /// not compared.
    #[serde(default)]
    pub stand_in: bool,
    /// What differs from the paper's data, or why there is none.
    #[serde(default)]
    pub note: Option<String>,
    /// The paper's figure by column; under headings, the figures of a heading in the order of its
    /// columns.
    pub paper: BTreeMap<String, Published>,
}

/// Figures of the paper.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Published {
    /// That of a column.
    One(f64),
    /// Those of the columns under a heading.
    Several(Vec<f64>),
}

/// A file and what is done to it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataSource {
    /// The file, relative to the data folder.
    pub file: String,
    /// Where it can be had publicly.
    pub source: String,
    /// Its SHA-256.
    pub sha256: String,
    /// What its table is called for `sql`, if not like the file.
    #[serde(default)]
    pub table: Option<String>,
    /// Further files, each a table for `sql` or more facts.
    #[serde(default)]
    pub more: Vec<File>,
    /// SQL statements that make the tables to be used: to append files, to count, to collect linked
    /// rows in sets, to choose columns.
    #[serde(default)]
    pub sql: Option<String>,
    /// Types, roles, keys and distances of what the statements make, in the form of `schema.toml`;
    /// without statements, what it declares about the Prolog facts of all files.
    #[serde(default)]
    pub schema: Option<String>,
    /// The column to predict.
    pub target: String,
    /// Columns left out.
    #[serde(default)]
    pub ignore: Vec<String>,
    /// A condition on the rows.
    #[serde(default)]
    pub rows: Option<String>,
    /// Columns of numbers that are labels.
    #[serde(default)]
    pub nominal: Vec<String>,
    /// Labels that become one.
    #[serde(default)]
    pub merge: Vec<Merge>,
    /// The column of a flat table that says which bag a row belongs to.
    #[serde(default)]
    pub bag: Option<String>,
}

/// A further file of a data set.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// The file, relative to the data folder.
    pub file: String,
    /// Where it can be had publicly.
    pub source: String,
    /// Its SHA-256.
    pub sha256: String,
    /// What its table is called, if not like the file.
    #[serde(default)]
    pub table: Option<String>,
}

impl DataSource {
    /// All its files, the first one first.
    pub fn files(&self) -> Vec<File> {
        let first = File {
            file: self.file.clone(),
            source: self.source.clone(),
            sha256: self.sha256.clone(),
            table: self.table.clone(),
        };
        std::iter::once(first).chain(self.more.clone()).collect()
    }
}

/// Labels of a column that become one.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Merge {
    /// The column.
    pub column: String,
    /// The labels.
    pub labels: Vec<String>,
    /// What they become.
    pub into: String,
}

impl Study {
    /// Where the rows of a data set come from: its own place or that of another, less what it
    /// leaves out.
    pub fn data(&self, row: &Row) -> Option<DataSource> {
        let owner = match &row.data_of {
            Some(name) => self.rows.iter().find(|other| other.name == *name)?,
            None => row,
        };
        let mut data = owner.data.clone()?;
        data.ignore.extend(row.ignore.clone());
        Some(data)
    }

    /// How the rows of a data set are divided.
    pub fn split_of<'a>(&'a self, row: &'a Row) -> &'a Division {
        row.split.as_ref().unwrap_or(&self.split)
    }

    /// The headings in order; a study without has one that says nothing.
    pub fn headings(&self) -> Vec<Group> {
        match self.groups.as_slice() {
            [] => vec![Group::default()],
            groups => groups.to_vec(),
        }
    }

    /// The columns under a heading.
    pub fn columns_of<'a>(&'a self, group: &'a Group) -> impl Iterator<Item = &'a Column> {
        self.columns.iter().filter(move |column| {
            let listed = group.columns.as_ref();
            listed.is_none_or(|listed| listed.contains(&column.name))
        })
    }

    /// How the figures under a heading are taken.
    pub fn figure_of(&self, group: &Group) -> Figure {
        group.figure.unwrap_or(self.figure)
    }

    /// The digits after the point of the figures under a heading.
    pub fn decimals_of(&self, group: &Group) -> usize {
        group.decimals.unwrap_or(self.decimals)
    }

    /// What the figures under a heading are multiplied by.
    pub fn scale_of(&self, group: &Group) -> f64 {
        group.scale.unwrap_or(self.scale)
    }

    /// The paper's figure, if it has one.
    pub fn paper(&self, row: &Row, group: &Group, column: &Column) -> Option<f64> {
        if self.groups.is_empty() {
            return match row.paper.get(&column.name)? {
                Published::One(figure) => Some(*figure),
                Published::Several(_) => None,
            };
        }
        let place = self.columns_of(group).position(|other| other == column)?;
        match row.paper.get(&group.name)? {
            Published::One(_) => None,
            Published::Several(figures) => figures.get(place).copied(),
        }
    }

    /// What is wrong with the study, if anything: figures for columns it does not have, names that
    /// stand twice.
    pub fn fault(&self) -> Option<String> {
        let columns: Vec<&str> = self.columns.iter().map(|c| c.name.as_str()).collect();
        let groups: Vec<&str> = self.groups.iter().map(|g| g.name.as_str()).collect();
        let rows: Vec<&str> = self.rows.iter().map(|r| r.name.as_str()).collect();
        for (what, names) in [("column", &columns), ("heading", &groups), ("row", &rows)] {
            let twice = (1..names.len()).find(|&place| names[..place].contains(&names[place]));
            if let Some(place) = twice {
                return Some(format!("{what} `{}` stands twice", names[place]));
            }
        }
        None.or_else(|| self.columns.iter().find_map(|c| self.fault_of_column(c)))
            .or_else(|| self.groups.iter().find_map(|g| self.fault_of_group(g)))
            .or_else(|| self.rows.iter().find_map(|row| self.fault_of_row(row)))
            .or_else(|| self.comparisons.iter().find_map(|c| c.fault(self)))
            .or_else(|| self.fault_of_reasons())
    }

    fn fault_of_reasons(&self) -> Option<String> {
        let unknown = self.why.iter().find_map(|why| why.unknown(self))?;
        Some(format!(
            "a reason is given for `{unknown}`, which there is not"
        ))
    }

    fn fault_of_column(&self, column: &Column) -> Option<String> {
        let best = column.best.as_ref()?;
        if best.values.is_empty() || column.settings.contains_key(&best.setting) {
            return Some(format!(
                "column `{}` seeks the best `{}` among none, or sets it besides",
                column.name, best.setting
            ));
        }
        let wrong = self
            .headings()
            .iter()
            .any(|group| self.figure_of(group) != Figure::Mean);
        wrong.then(|| {
            format!(
                "column `{}` seeks the best `{}` of a figure that is no mean over splits",
                column.name, best.setting
            )
        })
    }

    fn fault_of_group(&self, group: &Group) -> Option<String> {
        let unknown = group
            .columns
            .iter()
            .flatten()
            .find(|name| self.columns.iter().all(|column| column.name != **name));
        if let Some(column) = unknown {
            return Some(format!(
                "heading `{}` has a column `{column}`, which there is not",
                group.name
            ));
        }
        self.columns_of(group).find_map(|column| {
            let setting = group
                .settings
                .keys()
                .find(|setting| column.settings.contains_key(*setting))?;
            Some(format!(
                "heading `{}` and its column `{}` both set `{setting}`",
                group.name, column.name
            ))
        })
    }

    fn fault_of_row(&self, row: &Row) -> Option<String> {
        let idle = row.data.as_ref().and_then(|data| match data.sql {
            Some(_) => None,
            None if data.table.is_some() => Some("table"),
            // A schema alone declares facts, of one file or several.
            None if data.schema.is_some() => None,
            None => (!data.more.is_empty()).then_some("more"),
        });
        if let Some(idle) = idle {
            return Some(format!(
                "row `{}` states `{idle}` without the `sql` that makes use of it",
                row.name
            ));
        }
        for (name, published) in &row.paper {
            let group = self.groups.iter().find(|group| group.name == *name);
            let known = match group {
                Some(_) => true,
                None => self.groups.is_empty() && self.columns.iter().any(|c| c.name == *name),
            };
            if !known {
                return Some(format!(
                    "row `{}` has a figure for column `{name}`, which there is not",
                    row.name
                ));
            }
            let expected = group.map(|group| self.columns_of(group).count());
            let found = match published {
                Published::One(_) => None,
                Published::Several(figures) => Some(figures.len()),
            };
            let written =
                |count: Option<usize>| count.map_or("one".to_owned(), |n| format!("a list of {n}"));
            if expected != found {
                return Some(format!(
                    "row `{}` has {} for `{name}`, expected {}",
                    row.name,
                    written(found),
                    written(expected)
                ));
            }
        }
        if let Some(owner) = &row.data_of
            && (row.data.is_some() || self.data(row).is_none())
        {
            return Some(format!(
                "row `{}` has the data of `{owner}`, which there is not, or data of its own besides",
                row.name
            ));
        }
        (row.data.is_none() && row.data_of.is_none() && row.note.is_none())
            .then(|| format!("row `{}` has neither data nor a reason why not", row.name))
    }

    /// Whether a mean is better than another.
    pub fn better(&self, a: f64, b: f64) -> bool {
        self.measure.better(a, b)
    }
}

#[cfg(test)]
mod tests;
