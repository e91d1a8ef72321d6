//! The data: tables, columns with their types, roles and values, keys, and how tables refer to each
//! other.

use std::cmp::Reverse;

use kinwood_values::notice::counted;
use kinwood_values::{Column, Database, Role};
use maud::{Markup, html};

use super::curves::histogram;
use super::markup::{Cell, Figure, beginning, drawn, notes, percent, short, table};
use crate::describe::{About, Description, TableDescription, in_one_line};
use crate::diagram;
use crate::kit::plot::{colour, columns};
use crate::kit::{Drawing, Embedded};

/// How many columns of a table are shown: those to predict, then the first.
const COLUMNS: usize = 200;
const BARS: usize = 14;

/// What is to be said of data.
#[derive(Clone, Debug)]
pub struct DataSection {
    description: Description,
    /// A small chart of the values of each column, by table; nothing where there is none.
    charts: Vec<Vec<Markup>>,
    diagram: Option<Drawing>,
    notes: Vec<String>,
}

impl DataSection {
    /// Describes a database; one without rows is that of a model alone.
    pub fn of(database: &Database, about: &About, notes: Vec<String>) -> Self {
        let charts = database.tables().iter().map(|table| {
            let columns = table.attributes().iter();
            columns.map(|attribute| match attribute.role {
                Role::Id | Role::Ignore => Markup::default(),
                role => chart(&attribute.column, role == Role::Target),
            })
        });
        Self {
            charts: charts.map(Iterator::collect).collect(),
            description: Description::of(database, about),
            diagram: (database.tables().len() > 1).then(|| diagram::svg(database)),
            notes,
        }
    }
}

/// How often numbers of each size or labels occur.
fn chart(column: &Column, target: bool) -> Markup {
    if let Some((_, dictionary)) = column.codes() {
        let mut counts: Vec<(usize, usize)> = (0..dictionary.len()).map(|code| (code, 0)).collect();
        (0..column.len())
            .filter_map(|row| column.code(row))
            .for_each(|code| counts[code as usize].1 += 1);
        counts.sort_by_key(|&(code, count)| (Reverse(count), code));
        counts.truncate(BARS);
        if target {
            counts.sort_unstable();
        }
        let bars: Vec<_> = counts
            .into_iter()
            .map(|(code, count)| {
                let fill = target.then(|| colour(code));
                (
                    count as f64,
                    format!("{}: {count}", dictionary.label(code as u32)),
                    fill,
                )
            })
            .collect();
        return columns(&bars, "How often each value occurs");
    }
    let numbers: Vec<f64> = (0..column.len())
        .filter_map(|row| column.number(row))
        .collect();
    let (borders, counts) = histogram(&numbers, BARS);
    let bars: Vec<_> = counts
        .into_iter()
        .enumerate()
        .map(|(place, count)| {
            let (from, to) = (short(borders[place]), short(borders[place + 1]));
            (count as f64, format!("{from} to {to}: {count}"), None)
        })
        .collect();
    columns(&bars, "How often numbers of each size occur")
}

pub(super) fn section(section: &DataSection, drawings: &mut Embedded) -> Markup {
    let description = &section.description;
    html! {
        (notes("note", &section.notes))
        @for (table, charts) in description.tables.iter().zip(&section.charts) {
            (of_table(table, charts))
        }
        @if !description.foreign_keys.is_empty() { (keys(description)) }
        @if let Some(drawing) = &section.diagram {
            (drawn(
                &Figure {
                    title: "Tables and the keys between them".to_owned(),
                    drawing: drawing.clone(),
                },
                drawings,
            ))
        }
        @if !description.notices.is_empty() {
            ul class="notes" { @for notice in &description.notices { li { (notice) } } } "\n"
        }
    }
}

fn keys(description: &Description) -> Markup {
    let rows = description.foreign_keys.iter().map(|key| {
        let children = key.children.map_or_else(String::new, |spread| {
            let mean = short(spread.mean);
            format!("{} to {}, {mean} on average", spread.min, spread.max)
        });
        vec![
            Cell::Name(key.name.clone()),
            Cell::text(format!("{} ({})", key.from, key.columns.join(", "))),
            Cell::text(format!("{} ({})", key.to, key.references.join(", "))),
            Cell::text(children),
            Cell::number(key.missing.to_string()),
            Cell::number(key.dangling.to_string()),
        ]
    });
    let rows: Vec<Vec<Cell>> = rows.collect();
    let headers = [
        "key",
        "from",
        "to",
        "rows that refer to one",
        "without a key",
        "to nothing",
    ];
    table("How tables refer to each other", &headers, &rows)
}

fn of_table(described: &TableDescription, charts: &[Markup]) -> Markup {
    let rows = match described.rows {
        0 => String::new(),
        rows => format!("{}, ", counted(rows, "row")),
    };
    let key = match described.key.as_slice() {
        [] => "no key".to_owned(),
        columns => format!("key ({})", columns.join(", ")),
    };
    let mut shown: Vec<usize> = (0..described.columns.len()).collect();
    shown.sort_by_key(|&column| described.columns[column].role != Role::Target);
    shown.truncate(COLUMNS);
    shown.sort_unstable();
    let full = described.rows > 0;
    let lines: Vec<Vec<Cell>> = shown
        .iter()
        .map(|&place| {
            let column = &described.columns[place];
            let mut line = vec![
                Cell::Name(column.name.clone()),
                Cell::text(beginning(&column.of.to_string(), 160)),
                Cell::text(column.role.name()),
            ];
            if full {
                let missing = column.missing.unwrap_or(0.0);
                let count = (missing * described.rows as f64).round();
                line.push(match missing > 0.0 {
                    true => Cell::number(format!("{count} ({})", percent(missing))),
                    false => Cell::number("0"),
                });
                line.push(Cell::text(
                    column
                        .statistics
                        .as_ref()
                        .map_or_else(String::new, in_one_line),
                ));
                line.push(Cell::Markup(charts[place].clone()));
            }
            line
        })
        .collect();
    let mut headers = vec!["column", "type", "role"];
    if full {
        headers.extend(["missing", "values", "spread"]);
    }
    let more = described.columns.len() - shown.len();
    html! {
        h3 { (described.name) } "\n"
        p class="soft-text" {
            (rows) (counted(described.columns.len(), "column")) ", " (key)
        } "\n"
        (table(&format!("Columns of {}", described.name), &headers, &lines))
        @if more > 0 { p class="soft-text" { "and " (counted(more, "more column")) } "\n" }
    }
}
