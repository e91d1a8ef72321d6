//! A schema as trees know it, small enough to stand beside them: tables with the columns of their
//! keys, and which refers to which.

use kinwood_learners::drawing::SchemaDrawn;

use super::geometry::{HEAD, LINE};
use super::layout::Layout;
use super::schema::{Line, Reference, Schema, TableBox};
use super::svg::rounded;

/// Where tables and keys go.
pub(crate) struct Sketch {
    pub width: f64,
    pub height: f64,
    pub tables: Vec<TableSketched>,
    /// The way of each key that has one: the key, and its path.
    pub keys: Vec<(usize, String)>,
}

/// A table.
pub(crate) struct TableSketched {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
    pub name: String,
    /// The columns of keys, each with the middle of its line.
    pub columns: Vec<(f64, String)>,
}

/// Lays out tables and keys.
pub(crate) fn sketch(drawn: &SchemaDrawn) -> Sketch {
    let mut columns: Vec<Vec<&str>> = vec![Vec::new(); drawn.tables.len()];
    let ends = drawn.keys.iter().flat_map(|key| {
        let to = key.to_columns.first().map(|column| (key.to, column));
        let from = key.from_columns.first().map(|column| (key.from, column));
        [to, from]
    });
    for (table, column) in ends.flatten() {
        if !columns[table].contains(&column.as_str()) {
            columns[table].push(column);
        }
    }
    let tables = drawn.tables.iter().zip(&columns);
    let tables = tables.map(|(name, columns)| TableBox {
        name: name.clone(),
        size: String::new(),
        target: false,
        lines: columns
            .iter()
            .map(|column| Line {
                name: (*column).to_owned(),
                of: String::new(),
                role: None,
                key: false,
                foreign: false,
            })
            .collect(),
        more: 0,
    });
    let line = |table: usize, names: &[String]| {
        let first = names.first().map_or("", String::as_str);
        let place = columns[table].iter().position(|column| *column == first);
        place.unwrap_or(0)
    };
    let with_columns = drawn.keys.iter().enumerate();
    let with_columns = with_columns.filter(|(_, key)| !key.from_columns.is_empty());
    let (places, references): (Vec<usize>, Vec<Reference>) = with_columns
        .map(|(place, key)| {
            let reference = Reference {
                from: key.from,
                to: key.to,
                from_line: line(key.from, &key.from_columns),
                to_line: line(key.to, &key.to_columns),
                from_columns: key.from_columns.clone(),
                to_columns: key.to_columns.clone(),
                one_to_one: false,
                cardinality: String::new(),
            };
            (place, reference)
        })
        .unzip();
    let schema = Schema {
        tables: tables.collect(),
        references,
    };
    let layout = Layout::of(&schema);
    let placed = schema.tables.iter().zip(&layout.places);
    Sketch {
        width: layout.width,
        height: layout.height,
        tables: placed
            .map(|(table, place)| TableSketched {
                x: place.x,
                y: place.y,
                width: place.width,
                height: place.height,
                name: table.name.clone(),
                columns: table
                    .lines
                    .iter()
                    .enumerate()
                    .map(|(at, line)| {
                        let middle = place.y + HEAD + (at as f64 + 0.5) * LINE;
                        (middle, line.name.clone())
                    })
                    .collect(),
            })
            .collect(),
        keys: layout
            .connectors
            .iter()
            .map(|connector| (places[connector.reference], rounded(&connector.corners)))
            .collect(),
    }
}
