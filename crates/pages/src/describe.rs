//! What Kinwood understood of data: tables, types, roles, statistics, keys and targets.
//!
//! One structure serves two readers. Serialised, it is the JSON that `docs/json.md` promises; as
//! text ([`Description::to_text`]) it is what a person sees in a terminal. Both tell the same
//! numbers, because neither computes any.

mod statistics;
mod terse;
mod text;

use std::collections::BTreeMap;

use kinwood_values::keys::Inferred;
use kinwood_values::{Attribute, Database, Role, Table, Type};
use rayon::prelude::*;
use serde::{Serialize, Serializer};

pub use statistics::{Frequency, Part, Spread, Statistics};
pub(crate) use text::in_one_line;

/// What the reader of the data knows beyond the database.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// Where the data came from, as the user named it.
    pub source: String,
    /// What each table was read from (`ARFF`, `CSV`), by table.
    pub formats: Vec<String>,
    /// Why each column has its type, by table and column.
    pub evidence: Vec<Vec<String>>,
    /// Why columns have their role where nobody stated it, by (table, column).
    pub role_reasons: BTreeMap<(usize, usize), String>,
    /// What is to be predicted, as (table, column).
    pub targets: Vec<(usize, usize)>,
    /// Keys that were looked for.
    pub inferred: Inferred,
    /// What was understood of facts that a schema declares, a sentence each.
    pub facts: Vec<String>,
    /// What was decided without being asked, a sentence each, in the words of the interface.
    pub notices: Vec<String>,
}

/// What there is in a database.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Description {
    /// Where the data came from.
    pub source: String,
    /// The tables, in the database's order.
    pub tables: Vec<TableDescription>,
    /// How tables refer to each other.
    pub foreign_keys: Vec<ForeignKeyDescription>,
    /// Keys that nobody declared and that were looked for, best founded first.
    pub key_candidates: Vec<CandidateDescription>,
    /// What is to be predicted.
    pub targets: Vec<TargetDescription>,
    /// What was understood of facts that a schema declares, a sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<String>,
    /// What was decided without being asked, a sentence each.
    pub notices: Vec<String>,
}

/// A table of a database.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TableDescription {
    /// Its name.
    pub name: String,
    /// What it was read from, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// Number of rows.
    pub rows: usize,
    /// Bytes its columns take in memory.
    pub memory: usize,
    /// The columns of its primary key; none if it has no key.
    pub key: Vec<String>,
    /// Its columns.
    pub columns: Vec<ColumnDescription>,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ColumnDescription {
    /// Its name.
    pub name: String,
    /// What it holds.
    #[serde(rename = "type")]
    pub of: Type,
    /// What it is for.
    #[serde(serialize_with = "by_name")]
    pub role: Role,
    /// Why it is for that, where nobody said so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role_reason: Option<String>,
    /// Why it has its type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// The mark between the levels of its class paths.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hierarchy: Option<char>,
    /// The share of rows without a value; `None` without rows.
    pub missing: Option<f64>,
    /// What its values are like.
    pub statistics: Option<Statistics>,
}

/// A foreign key, and what following it meets.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ForeignKeyDescription {
    /// What it is called.
    pub name: String,
    /// The table that refers.
    pub from: String,
    /// Its columns that refer.
    pub columns: Vec<String>,
    /// The table referred to.
    pub to: String,
    /// Its columns that are referred to.
    pub references: Vec<String>,
    /// Rows that refer to nothing because a part of their key is missing.
    pub missing: usize,
    /// Rows with a whole key that no row has.
    pub dangling: usize,
    /// Whether no row is referred to twice.
    pub one_to_one: bool,
    /// How many rows refer to one row; `None` if there is none to refer to.
    pub children: Option<Spread>,
    /// Whether the rows that refer describe what they refer to, or only mention it, where that is
    /// said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub describes: Option<bool>,
}

/// A key that nobody declared, with what speaks for it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CandidateDescription {
    /// The table whose rows it identifies, or that refers.
    pub table: String,
    /// Its columns.
    pub columns: Vec<String>,
    /// For a foreign key: the table referred to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// For a foreign key: the columns referred to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub references: Vec<String>,
    /// How well founded it is, from 0 to 1.
    pub score: f64,
    /// Whether it was taken.
    pub accepted: bool,
    /// What speaks for and against it, a sentence each.
    pub evidence: Vec<String>,
}

/// A column that is to be predicted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TargetDescription {
    /// Its table.
    pub table: String,
    /// Its name.
    pub column: String,
    /// What it holds.
    #[serde(rename = "type")]
    pub of: Type,
    /// Rows without a value.
    pub missing: usize,
    /// For a nominal target: every class it may have, also those that no row has, in the order of
    /// the data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distribution: Option<Vec<Class>>,
    /// For any other target: what its values are like.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<Statistics>,
}

/// A class of a nominal target.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Class {
    /// Its label.
    pub value: String,
    /// How many rows have it.
    pub count: usize,
    /// Its share of the rows that have a class; `None` if none has.
    pub share: Option<f64>,
}

impl Description {
    /// Describes a database.
    ///
    /// # Panics
    /// If a target is no column of the database: a mistake of the caller, not of data.
    ///
    /// ```
    /// use kinwood_pages::describe::{About, Description};
    /// use kinwood_values::{Attribute, Column, Database, Table};
    /// let grade = Attribute::new("grade", Column::nominal([Some("A"), Some("B"), Some("A")]));
    /// let database = Database::single(Table::new("apples", vec![grade])?)?;
    /// let source = "apples.csv".into();
    /// let about = About { source, targets: vec![(0, 0)], ..About::default() };
    /// let description = Description::of(&database, &about);
    /// assert_eq!(description.targets[0].distribution.as_ref().map(Vec::len), Some(2));
    /// # Ok::<(), kinwood_values::Error>(())
    /// ```
    pub fn of(database: &Database, about: &About) -> Description {
        let tables: Vec<TableDescription> = (0..database.tables().len())
            .map(|table| describe_table(database, table, about))
            .collect();
        let targets = about
            .targets
            .iter()
            .map(|&(table, column)| {
                let statistics = tables[table].columns[column].statistics.clone();
                describe_target(database.table(table), column, statistics)
            })
            .collect();
        Description {
            source: about.source.clone(),
            foreign_keys: (0..database.foreign_keys().len())
                .map(|key| describe_foreign_key(database, key))
                .collect(),
            key_candidates: candidates(database, &about.inferred),
            tables,
            targets,
            facts: about.facts.clone(),
            notices: about.notices.clone(),
        }
    }
}

fn by_name<S: Serializer>(role: &Role, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(role.name())
}

fn describe_table(database: &Database, position: usize, about: &About) -> TableDescription {
    let table = database.table(position);
    let rows: Vec<u32> = (0..table.rows() as u32).collect();
    let columns = table
        .attributes()
        .par_iter()
        .enumerate()
        .map(|(column, attribute)| {
            let place = (position, column);
            describe_column(attribute, &rows, place, about)
        })
        .collect();
    TableDescription {
        name: table.name().to_owned(),
        format: about.formats.get(position).cloned(),
        rows: table.rows(),
        memory: table.memory(),
        key: names(table, table.key().unwrap_or_default()),
        columns,
    }
}

fn describe_column(
    attribute: &Attribute,
    rows: &[u32],
    place: (usize, usize),
    about: &About,
) -> ColumnDescription {
    let Part {
        name: _,
        of,
        missing,
        statistics,
    } = Part::of(None, &attribute.column, rows);
    let evidence = about.evidence.get(place.0).and_then(|of| of.get(place.1));
    ColumnDescription {
        name: attribute.name.clone(),
        of,
        role: attribute.role,
        role_reason: about.role_reasons.get(&place).cloned(),
        evidence: evidence.filter(|sentence| !sentence.is_empty()).cloned(),
        hierarchy: attribute.hierarchy,
        missing,
        statistics,
    }
}

/// Primary keys, then foreign keys, in the order they were ranked.
fn candidates(database: &Database, inferred: &Inferred) -> Vec<CandidateDescription> {
    let names = |table: usize, columns: &[usize]| -> Vec<String> {
        columns
            .iter()
            .map(|&column| database.table(table).attribute(column).name.clone())
            .collect()
    };
    let primary = inferred.primary.iter().map(|key| CandidateDescription {
        table: database.table(key.table).name().to_owned(),
        columns: names(key.table, &key.columns),
        to: None,
        references: Vec::new(),
        score: key.score,
        accepted: key.accepted,
        evidence: key.evidence.clone(),
    });
    let foreign = inferred.foreign.iter().map(|key| CandidateDescription {
        table: database.table(key.from).name().to_owned(),
        columns: names(key.from, &key.from_columns),
        to: Some(database.table(key.to).name().to_owned()),
        references: names(key.to, &key.to_columns),
        score: key.score,
        accepted: key.accepted,
        evidence: key.evidence.clone(),
    });
    primary.chain(foreign).collect()
}

fn describe_foreign_key(database: &Database, position: usize) -> ForeignKeyDescription {
    let key = &database.foreign_keys()[position];
    let link = database.link(position);
    let (from, to) = (database.table(key.from), database.table(key.to));
    let dangling = link.dangling().map_or(0, |dangling| dangling.rows);
    let nowhere = (0..from.rows())
        .filter(|&row| link.forward(row).is_none())
        .count();
    ForeignKeyDescription {
        name: key.name.clone(),
        from: from.name().to_owned(),
        columns: names(from, &key.from_columns),
        to: to.name().to_owned(),
        references: names(to, &key.to_columns),
        missing: nowhere - dangling,
        dangling,
        one_to_one: link.one_to_one(),
        children: Spread::of((0..to.rows()).map(|row| link.backward(row).len())),
        describes: key.describes,
    }
}

fn describe_target(
    table: &Table,
    column: usize,
    statistics: Option<Statistics>,
) -> TargetDescription {
    let attribute = table.attribute(column);
    let values = &attribute.column;
    let distribution = values.codes().map(|(_, dictionary)| {
        let mut counts = vec![0; dictionary.len()];
        (0..values.len())
            .filter_map(|row| values.code(row))
            .for_each(|code| counts[code as usize] += 1);
        let present = values.len() - values.missing();
        dictionary
            .labels()
            .zip(counts)
            .map(|(label, count)| Class {
                value: label.to_owned(),
                count,
                share: statistics::share(count, present),
            })
            .collect()
    });
    TargetDescription {
        table: table.name().to_owned(),
        column: attribute.name.clone(),
        of: attribute.type_of(),
        missing: values.missing(),
        summary: statistics.filter(|_| distribution.is_none()),
        distribution,
    }
}

fn names(table: &Table, columns: &[usize]) -> Vec<String> {
    columns
        .iter()
        .map(|&column| table.attribute(column).name.clone())
        .collect()
}
