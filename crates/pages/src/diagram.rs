//! The schema of a database as a picture: tables, their keys, and which refers to which.
//!
//! Two forms of one drawing: [`text`] for a terminal, [`svg`] for everything else. The SVG stands
//! alone (no fonts, no scripts, no style sheets from elsewhere) and is light or dark as its reader
//! prefers.

mod geometry;
mod layers;
mod layout;
mod routes;
mod schema;
mod sketch;
mod svg;
#[cfg(test)]
mod tests;
mod text;

use kinwood_values::Database;

use crate::kit::Drawing;
use schema::Schema;
pub(crate) use sketch::{Sketch, TableSketched, sketch};

/// Draws the schema for a terminal of 100 columns: a table a paragraph, its key, an arrow a
/// reference, its other columns.
///
/// ```
/// use kinwood_values::{Attribute, Column, Database, Table};
/// let id = Attribute::new("id", Column::numeric(vec![1.0, 2.0]));
/// let mut trains = Table::new("trains", vec![id])?;
/// trains.set_key(Some(vec![0]));
/// let text = kinwood_pages::diagram::text(&Database::single(trains)?);
/// assert!(text.starts_with("trains  2 rows, 1 column\n"));
/// # Ok::<(), kinwood_values::Error>(())
/// ```
pub fn text(database: &Database) -> String {
    text::draw(&Schema::of(database, text::MOST_COLUMNS))
}

/// Draws the schema.
///
/// Tables stand right of those they refer to. Wide tables show their keys, their targets and their
/// first columns.
pub fn svg(database: &Database) -> Drawing {
    svg::draw(&Schema::of(database, svg::MOST_LINES))
}
