//! JSON: an array of objects, objects one a line, or an object of such arrays; keys become columns.
//!
//! A source is read twice, object by object: once for the columns and their types, once for their
//! values. That keeps memory near the size of the columns, where the parsed text would take many
//! times as much.

mod columns;
mod place;
mod rows;
mod strict;
mod survey;
pub mod write;

use std::collections::{BTreeSet, HashMap, HashSet};

use kinwood_values::suggest::{did_you_mean, nearest};
use kinwood_values::{Attribute, Column, Notice, NoticeKind, Table, Type};

use crate::csv::evidence;
use crate::dataset::TableRead;
use crate::error::{Error, Result};
use crate::source::Source;
use columns::{Builder, Fill, Filling};
use rows::Arrangement;
use survey::{Found, Survey, Surveyed};

/// The tables of a source.
#[derive(Clone, Debug)]
pub struct JsonRead {
    /// The tables, in the order in which they stand in the source.
    pub tables: Vec<TableRead>,
    /// What was decided without being asked.
    pub notices: Vec<Notice>,
}

/// The types stated for columns of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StatedTable {
    /// The table's name.
    pub name: String,
    /// Columns and their types.
    pub columns: Vec<(String, Type)>,
}

/// Reads a table: one array of objects, or objects one after the other, usually one a line.
///
/// - Keys become columns, in order of their first appearance. A key that an object does not have,
///   or has as `null`, is missing.
/// - Numbers are numeric. Strings are dates if all are ISO dates, else nominal, or strings if they
///   read like free text, by the rule that holds for CSV. Truth values are nominal.
/// - Arrays are lists, objects tuples with names, an array of objects a list of such tuples.
///
/// ```
/// use kinwood_formats::{Source, json};
/// let lines = r#"{"id": "m1", "atoms": [{"element": "c", "charge": -0.1}]}
/// {"id": "m2", "atoms": []}"#;
/// let read = json::read(&Source::from_bytes("molecules", lines.as_bytes()))?;
/// let atoms = read.table.attribute(1);
/// assert_eq!(atoms.type_of().to_string(), "list<tuple<element: nominal, charge: numeric>>");
/// # Ok::<(), kinwood_formats::Error>(())
/// ```
pub fn read(source: &Source) -> Result<TableRead> {
    read_typed(source, &[])
}

/// Reads a table some columns of which have stated types: an array can then be a set or a bag.
pub fn read_typed(source: &Source, stated: &[(String, Type)]) -> Result<TableRead> {
    let arrangement = match arrangement(source)? {
        b'[' => Arrangement::Array,
        _ => Arrangement::Lines,
    };
    let survey = survey(source, arrangement)?;
    let mut read = fill(source, arrangement, survey, |_| stated)?;
    match read.tables.pop() {
        Some(table) => Ok(table),
        None => Err(empty(source)),
    }
}

/// Reads the tables of one object whose values are arrays of objects; any other source is one
/// table.
pub fn read_database(source: &Source) -> Result<JsonRead> {
    read_database_typed(source, &[])
}

/// Reads the tables of one object, some columns of which have stated types.
pub fn read_database_typed(source: &Source, stated: &[StatedTable]) -> Result<JsonRead> {
    let types = |table: &str| {
        let stated = stated.iter().find(|stated| stated.name == table);
        stated.map_or(&[][..], |stated| &stated.columns)
    };
    if arrangement(source)? == b'{' {
        // What is wrong with it as one object of tables may be right as rows, or wrong in the same
        // place.
        if let Ok(found) = survey(source, Arrangement::Tables)
            && !found.tables.is_empty()
        {
            let read = fill(source, Arrangement::Tables, found, types)?;
            return match read.tables.is_empty() {
                true => Err(empty(source)),
                false => Ok(read),
            };
        }
    }
    let table = read_typed(source, types(&source.table_name()))?;
    Ok(JsonRead {
        tables: vec![table],
        notices: Vec::new(),
    })
}

/// The bracket that the source begins with.
fn arrangement(source: &Source) -> Result<u8> {
    match place::first(source)? {
        None => Err(empty(source)),
        Some((bracket @ (b'[' | b'{'), _)) => Ok(bracket),
        Some((other, place)) => Err(Error::Syntax {
            file: source.name().to_owned(),
            line: place.line,
            column: place.column,
            expected: "`[` or `{`".to_owned(),
            found: match other.is_ascii_graphic() {
                true => format!("`{}`", char::from(other)),
                false => format!("the byte {other:#04x}"),
            },
            nearest: None,
        }),
    }
}

fn empty(source: &Source) -> Error {
    Error::Empty {
        file: source.name().to_owned(),
        expected: "expected an array of objects, or one object a line".to_owned(),
    }
}

fn survey(source: &Source, arrangement: Arrangement) -> Result<Survey> {
    let mut survey = Survey::default();
    rows::each(source, arrangement, &mut survey)?;
    survey
        .tables
        .iter()
        .try_for_each(|table| table.check(source.name()))?;
    Ok(survey)
}

/// Reads the values of the columns that were found, and of those that are stated.
fn fill<'s>(
    source: &Source,
    arrangement: Arrangement,
    survey: Survey,
    types: impl Fn(&str) -> &'s [(String, Type)],
) -> Result<JsonRead> {
    let mut fill = Fill {
        source,
        tables: Vec::with_capacity(survey.tables.len()),
        current: 0,
    };
    for table in &survey.tables {
        // A key of one object is a column with a cell for every other.
        let cells = (table.columns.len() as u64).saturating_mul(table.rows as u64);
        let asked = source.allowance().needs(cells.saturating_mul(4));
        asked.map_err(|halted| source.halted(halted))?;
        fill.tables.push(plan(source, table, types(&table.name))?);
    }
    rows::each(source, arrangement, &mut fill)?;
    let mut read = JsonRead {
        tables: Vec::new(),
        notices: Vec::new(),
    };
    for (found, filled) in survey.tables.iter().zip(fill.tables) {
        if filled.columns.is_empty() {
            read.notices.push(Notice::about(
                NoticeKind::LeftOut,
                format!(
                    "the table `{}` of `{}` has no columns and is left out",
                    found.name,
                    source.name()
                ),
            ));
            continue;
        }
        let table = assemble(source, found, filled, types(&found.name))?;
        read.tables.push(table);
    }
    Ok(read)
}

/// The columns of a table before their values: those found, then those only stated.
fn plan(source: &Source, table: &Surveyed, stated: &[(String, Type)]) -> Result<Filling> {
    let mut columns = Vec::with_capacity(table.columns.len());
    let types: HashMap<&String, &Type> = stated.iter().map(|(name, of)| (name, of)).collect();
    for found in &table.columns {
        let of = match types.get(&found.name) {
            Some(of) => (*of).clone(),
            None => found.type_of(source.name())?,
        };
        columns.push(Builder::new(&found.name, of));
    }
    for (name, of) in stated {
        if !table.positions.contains_key(name) {
            columns.push(Builder::new(name, of.clone()));
        }
    }
    Ok(Filling {
        positions: table.positions.clone(),
        columns,
        rows: 0,
    })
}

/// Puts names and reasons to the columns.
fn assemble(
    source: &Source,
    found: &Surveyed,
    filled: Filling,
    stated: &[(String, Type)],
) -> Result<TableRead> {
    let mut attributes = Vec::with_capacity(filled.columns.len());
    let mut evidence = Vec::with_capacity(filled.columns.len());
    let mut notices = Vec::new();
    let rows = filled.rows;
    let stated: HashSet<&String> = stated.iter().map(|(name, _)| name).collect();
    for (position, builder) in filled.columns.into_iter().enumerate() {
        let (name, column) = builder.finish(rows);
        let about = found.columns.get(position);
        let (column, reason) = match about {
            Some(about) if !stated.contains(&name) => explain(about, column),
            _ => (column, "stated in the schema".to_owned()),
        };
        if about.is_none() && rows > 0 {
            let keys = found.columns.iter().map(|column| &column.name);
            notices.push(Notice::about(
                NoticeKind::Type,
                format!(
                    "no object of `{}` has the key `{name}`, so all its values are missing{}",
                    source.name(),
                    did_you_mean(&nearest(&name, keys))
                ),
            ));
        }
        attributes.push(Attribute::new(name, column));
        evidence.push(reason);
    }
    let table = Table::new(found.name.clone(), attributes).map_err(|error| Error::Values {
        file: source.name().to_owned(),
        source: error,
    })?;
    Ok(TableRead {
        table,
        evidence,
        stated_roles: BTreeSet::new(),
        customary_target: None,
        foreign_keys: Vec::new(),
        notices,
    })
}

/// Why a column has its type; texts that read like free text become strings.
fn explain(about: &Found, column: Column) -> (Column, String) {
    let present = about.present;
    match column.type_of() {
        Type::Nominal | Type::Numeric | Type::DateTime => {
            let inferred = evidence::infer(column);
            (inferred.column, inferred.evidence)
        }
        _ if about.objects > about.arrays => {
            let reason = format!("{} of {present} values are objects", about.objects);
            (column, reason)
        }
        _ => {
            let reason = format!("{} of {present} values are arrays", about.arrays);
            (column, reason)
        }
    }
}

#[cfg(test)]
mod tests;
