//! Rows as values: a row of a view is a tuple of its inputs, and to a chosen depth of what its
//! foreign keys reach.
//!
//! The rows that refer to a row are a bag of tuples, the row it refers to is a tuple. So a
//! relational distance is a distance on nested values, unrolled before anything is computed. A key
//! is not followed back the way it was come.

use std::sync::Arc;

use kinwood_values::column::Members;
use kinwood_values::offsets::Offsets;
use kinwood_values::{Cells, Column, Direction, Field, Kind, Type, Validity, View};

use crate::error::Error;
use crate::expression::{Argument, Expression, Part};

pub mod facts;
mod reading;

pub use reading::Reading;
pub(crate) use reading::stating_facts;

/// The rows of a view as tuples; the fields' names are those of the columns and of the tables
/// reached.
pub fn nested(view: &View, depth: usize) -> Column {
    let rows: Vec<u32> = view.rows().collect();
    let own = Reached {
        rows: &rows,
        origins: &rows,
    };
    table_rows(view, view.table_position(), own, depth, None)
}

/// How the fields of such tuples are compared where the columns say so: a part for each field, the
/// default where nothing is said, or nothing if no column says anything.
pub fn stated(view: &View, depth: usize) -> Result<Option<Vec<Part>>, Error> {
    stated_of(view, view.table_position(), depth, None)
}

fn stated_of(
    view: &View,
    table: usize,
    depth: usize,
    came: Option<(usize, Direction)>,
) -> Result<Option<Vec<Part>>, Error> {
    let database = view.database();
    // The names are those that a tuple without rows would have.
    let none = Reached {
        rows: &[],
        origins: &[],
    };
    let Type::Tuple(fields) = table_rows(view, table, none, depth, came).type_of() else {
        return Ok(None);
    };
    let mut measures = Vec::new();
    for column in view.inputs_of(table) {
        let attribute = database.table(table).attribute(column);
        measures.push(match &attribute.distance {
            Some(text) => Some(text.parse().map_err(|error: Error| Error::Stated {
                column: attribute.name.clone(),
                source: Box::new(error),
            })?),
            None => None,
        });
    }
    for (key, direction, there) in ways(view, table, depth, came) {
        let parts = stated_of(view, there, depth - 1, Some((key, direction)))?;
        measures.push(parts.map(|parts| {
            let mut tuple = Expression::new("mean");
            tuple.arguments = parts.into_iter().map(Argument::Part).collect();
            match direction {
                Direction::Backward => Expression::new("hausdorff").part(tuple),
                Direction::Forward => tuple,
            }
        }));
    }
    if measures.iter().all(Option::is_none) {
        return Ok(None);
    }
    let part = |(field, measure): (Field, Option<Expression>)| Part {
        field: field.name,
        measure: measure.unwrap_or_else(|| Expression::new("default")),
        weight: 1.0,
    };
    Ok(Some(fields.into_iter().zip(measures).map(part).collect()))
}

/// The ways on from a table along keys, that lead to something to compare: the key, its direction,
/// the table reached.
fn ways(
    view: &View,
    table: usize,
    depth: usize,
    came: Option<(usize, Direction)>,
) -> Vec<(usize, Direction, usize)> {
    let mut ways = Vec::new();
    if depth == 0 {
        return ways;
    }
    for (key, of) in view.database().foreign_keys().iter().enumerate() {
        for (direction, here, there) in [
            (Direction::Backward, of.to, of.from),
            (Direction::Forward, of.from, of.to),
        ] {
            let back = came.is_some_and(|(by, way)| by == key && way != direction);
            if here == table && !back && leads_on(view, there, depth - 1, (key, direction)) {
                ways.push((key, direction, there));
            }
        }
    }
    ways
}

/// Whether rows of a table, reached this way, have anything to compare.
fn leads_on(view: &View, table: usize, depth: usize, came: (usize, Direction)) -> bool {
    let reached_empty = came.1 == Direction::Forward && view.database().table(table).rows() == 0;
    !reached_empty
        && (!view.inputs_of(table).is_empty() || !ways(view, table, depth, Some(came)).is_empty())
}

/// Rows of a table on paths from an origin each.
#[derive(Clone, Copy)]
struct Reached<'a> {
    rows: &'a [u32],
    origins: &'a [u32],
}

/// Rows of a table as tuples.
fn table_rows(
    view: &View,
    table: usize,
    rows: Reached,
    depth: usize,
    came: Option<(usize, Direction)>,
) -> Column {
    let database = view.database();
    let mut names: Vec<Option<String>> = Vec::new();
    let mut fields: Vec<Column> = Vec::new();
    for column in view.inputs_of(table) {
        if let Some(values) = view.column(table, column) {
            names.push(Some(database.table(table).attribute(column).name.clone()));
            fields.push(values.gather(rows.rows));
        }
    }
    for (key, direction, there) in ways(view, table, depth, came) {
        let reached = database.table(there).name();
        let taken = |name: &str| names.iter().flatten().any(|other| other == name);
        let mut name = reached.to_owned();
        if taken(&name) {
            name = format!("{reached} by {}", database.foreign_keys()[key].name);
        }
        while taken(&name) {
            name.push('\'');
        }
        names.push(Some(name));
        fields.push(linked(view, key, direction, there, rows, depth));
    }
    let cells = Cells::Tuple {
        names,
        fields,
        rows: rows.rows.len(),
    };
    Column::new(cells, None)
}

/// What rows reach by a key: a bag of tuples against its direction, one tuple or none along it.
fn linked(
    view: &View,
    key: usize,
    direction: Direction,
    there: usize,
    from: Reached,
    depth: usize,
) -> Column {
    let mut reached: Vec<u32> = Vec::new();
    let mut origins: Vec<u32> = Vec::new();
    let mut lengths = Vec::with_capacity(from.rows.len());
    for (&row, &origin) in from.rows.iter().zip(from.origins) {
        let before = reached.len();
        reached.extend(view.linked(origin, key, direction, row));
        lengths.push(reached.len() - before);
        origins.resize(reached.len(), origin);
    }
    let column = |rows: &[u32], origins: &[u32]| {
        let rows = Reached { rows, origins };
        table_rows(view, there, rows, depth - 1, Some((key, direction)))
    };
    match direction {
        Direction::Backward => {
            let members = Members {
                offsets: Offsets::from_lengths(lengths),
                child: Box::new(column(&reached, &origins)),
            };
            let kind = Kind::Bag;
            Column::new(Cells::Collection { kind, members }, None)
        }
        Direction::Forward => {
            // A row that refers to nothing holds a filler: the table has rows, or the way is not
            // taken. What is fitted may look at fillers, and models store them, so they are rows
            // that others of the view refer to: any other may belong to test objects only.
            let Some(filler) = reached.first().copied() else {
                // Nor is there one that any row of the view refers to: any row of the table may be
                // hidden.
                let mut nothing = column(&[], &[]);
                (0..lengths.len()).for_each(|_| nothing.push_missing());
                return nothing;
            };
            let mut next = reached.iter();
            let filled: Vec<u32> = lengths
                .iter()
                .map(|&length| {
                    if length > 0 {
                        next.next().copied()
                    } else {
                        None
                    }
                    .unwrap_or(filler)
                })
                .collect();
            let validity = Validity::from_bits(lengths.iter().map(|&length| length > 0));
            Column::new(
                column(&filled, from.origins).cells().clone(),
                Some(validity),
            )
        }
    }
}

/// A column of a view's own table, for the view's rows.
pub fn column(view: &View, position: usize) -> Option<Arc<Column>> {
    let column = view.column(view.table_position(), position)?;
    let rows: Vec<u32> = view.rows().collect();
    let whole = rows.len() == column.len() && rows.iter().zip(0..).all(|(&row, i)| row == i);
    Some(if whole {
        Arc::clone(column)
    } else {
        Arc::new(column.gather(&rows))
    })
}

/// The column with the fields of the expected type alone, by name and in its order, at every level;
/// the name of the first field that is not there or of another type, if one is not.
pub fn fitting(column: &Column, expected: &Type) -> Result<Column, String> {
    let other = || Err(String::new());
    let cells = match (column.cells(), expected) {
        (
            Cells::Tuple {
                names,
                fields,
                rows,
            },
            Type::Tuple(wanted),
        ) => {
            let taken = wanted.iter().enumerate().map(|(place, field)| {
                let named = field.name.clone().unwrap_or_default();
                let position = match &field.name {
                    Some(_) => names.iter().position(|name| *name == field.name),
                    None => Some(place).filter(|&place| place < fields.len()),
                };
                let found = position.ok_or_else(|| named.clone())?;
                fitting(&fields[found], &field.of)
                    .map_err(|inner| if inner.is_empty() { named } else { inner })
            });
            Cells::Tuple {
                fields: taken.collect::<Result<_, _>>()?,
                names: wanted.iter().map(|field| field.name.clone()).collect(),
                rows: *rows,
            }
        }
        (Cells::Collection { kind, members }, Type::List(of) | Type::Set(of) | Type::Bag(of))
            if matches!(**of, Type::Tuple(_)) =>
        {
            let child = fitting(&members.child, of)?;
            let cells = Cells::Collection {
                kind: *kind,
                members: Members {
                    offsets: members.offsets.clone(),
                    child: Box::new(child),
                },
            };
            let whole = Column::new(cells, None);
            if whole.type_of() != *expected {
                return other();
            }
            whole.cells().clone()
        }
        _ if column.type_of() == *expected => return Ok(column.clone()),
        _ => return other(),
    };
    Ok(Column::new(cells, column.validity().cloned()))
}
