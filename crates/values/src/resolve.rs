//! Columns by what users write: `column`, `table.column`, or quoted where names hold dots.
//!
//! One resolver for command lines, schemas and studies; whoever calls it words what is not found.

use crate::database::Database;
use crate::suggest::nearest;

/// A column as (table, column), by their positions.
pub type Place = (usize, usize);

/// Why a name means no column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unresolved {
    /// No table has it.
    Unknown {
        /// What was perhaps meant, with its table where there are several.
        nearest: Option<String>,
    },
    /// Several tables have it: all places, in order.
    Ambiguous(Vec<Place>),
}

/// The column that a name means.
///
/// A bare name is looked up in every table; where several have it, or where it has dots, the table
/// goes before it. Quotes (`'a.b'`, `"molecule"."log p"`) make a part literal.
///
/// ```
/// use kinwood_values::resolve::{Unresolved, find_column};
/// use kinwood_values::{Attribute, Column, Database, Table};
/// let column = |name: &str| Attribute::new(name, Column::numeric(vec![1.0]));
/// let atom = Table::new("atom", vec![column("charge"), column("class")])?;
/// let bond = Table::new("bond", vec![column("class")])?;
/// let (database, _) = Database::new(vec![atom, bond], Vec::new())?;
/// assert_eq!(find_column(&database, "charge"), Ok((0, 0)));
/// assert_eq!(find_column(&database, "bond.class"), Ok((1, 0)));
/// assert_eq!(find_column(&database, "class"), Err(Unresolved::Ambiguous(vec![(0, 1), (1, 0)])));
/// # Ok::<(), kinwood_values::Error>(())
/// ```
pub fn find_column(database: &Database, written: &str) -> Result<Place, Unresolved> {
    let found = match parts(written).as_deref() {
        Some([column]) => named(database, column),
        Some([table, column]) => in_table(database, table, column).into_iter().collect(),
        _ => match named(database, written) {
            bare if bare.is_empty() => qualified(database, written).into_iter().collect(),
            bare => bare,
        },
    };
    match found.as_slice() {
        [one] => Ok(*one),
        [] => Err(Unresolved::Unknown {
            nearest: nearest_column(database, written),
        }),
        _ => Err(Unresolved::Ambiguous(found)),
    }
}

/// The column whose name, with or without its table, is nearest.
fn nearest_column(database: &Database, written: &str) -> Option<String> {
    let tables = database.tables().iter();
    let bare = tables.flat_map(|table| table.attributes().iter().map(|one| one.name.clone()));
    let found = nearest(written, bare.chain(full_names(database)))?;
    let place = named(database, &found).first().copied();
    Some(place.map_or(found, |place| full_name(database, place)))
}

/// The columns of that name, as it stands, in all tables.
pub fn named(database: &Database, column: &str) -> Vec<Place> {
    let tables = database.tables().iter().enumerate();
    tables
        .filter_map(|(table, owner)| Some((table, owner.position(column)?)))
        .collect()
}

/// The column that `table.column` names; both may have dots in their names, so that every dot may
/// be the one.
pub fn qualified(database: &Database, written: &str) -> Option<Place> {
    let mut dots = written.match_indices('.').map(|(at, _)| at);
    dots.find_map(|at| in_table(database, &written[..at], &written[at + 1..]))
}

/// What a column is called: with its table where there are several.
pub fn full_name(database: &Database, (table, column): Place) -> String {
    let owner = database.table(table);
    let name = &owner.attribute(column).name;
    match database.tables().len() {
        1 => name.clone(),
        _ => format!("{}.{name}", owner.name()),
    }
}

fn in_table(database: &Database, table: &str, column: &str) -> Option<Place> {
    let mut tables = database.tables().iter();
    let table = tables.position(|owner| owner.name() == table)?;
    Some((table, database.table(table).position(column)?))
}

fn full_names(database: &Database) -> Vec<String> {
    let tables = database.tables().iter().enumerate();
    tables
        .flat_map(|(table, owner)| (0..owner.attributes().len()).map(move |column| (table, column)))
        .map(|place| full_name(database, place))
        .collect()
}

/// The parts of a name of which one at least is in quotes; `None` for one without.
fn parts(written: &str) -> Option<Vec<String>> {
    const QUOTES: [char; 3] = ['"', '\'', '`'];
    let mut rest = written;
    let mut parts = Vec::new();
    // A table before a quoted column may go without: every dot that is not before the quote is its
    // own.
    let plain = written
        .match_indices('.')
        .find(|&(at, _)| written[at + 1..].starts_with(QUOTES));
    if let Some((at, _)) = plain
        && !written.starts_with(QUOTES)
    {
        parts.push(written[..at].to_owned());
        rest = &written[at + 1..];
    }
    while let Some(quote @ ('"' | '\'' | '`')) = rest.chars().next() {
        let mut part = String::new();
        let mut characters = rest.char_indices().skip(1).peekable();
        loop {
            match characters.next()? {
                (_, c)
                    if c == quote && characters.peek().is_some_and(|(_, next)| *next == quote) =>
                {
                    part.push(quote);
                    characters.next();
                }
                (at, c) if c == quote => {
                    rest = &rest[at + 1..];
                    break;
                }
                (_, c) => part.push(c),
            }
        }
        parts.push(part);
        match rest.strip_prefix('.') {
            Some(more) if parts.len() == 1 && !more.starts_with(QUOTES) => {
                parts.push(more.to_owned());
                rest = "";
            }
            Some(more) => rest = more,
            None => break,
        }
    }
    (!parts.is_empty() && rest.is_empty()).then_some(parts)
}
