//! What is suspicious about data: targets that a column gives away, and over time tables that
//! nobody sees and columns that are only known later.
//!
//! Each warning is a fact about the values, told with its numbers; none changes anything.

use std::collections::HashMap;

use kinwood_values::as_of::instant;
use kinwood_values::notice::counted;
use kinwood_values::{Cells, Column, Database, Notice, Remedy, Role, View};

use crate::naming::display_name;

/// Fewer rows prove nothing.
const FEWEST_ROWS: usize = 10;
/// The share of rows in which a column is what is made of linked rows for it to be told.
const ALIKE: f64 = 0.95;

/// Warnings about the rows of a view, to predict columns of its table; where rows have no cutoffs,
/// of targets that a column gives away alone.
pub fn warnings(view: &View, targets: &[usize]) -> Vec<Notice> {
    let mut told = Vec::new();
    if view.as_of().is_some() {
        told.extend(unseen(view));
        told.extend(later(view));
        told.extend(totals(view));
    }
    told.extend(given_away(view, targets));
    told
}

fn about(message: String, database: &Database, table: usize, column: usize) -> Notice {
    Notice::new(message).with_remedy(Remedy::ChangeRole {
        column: Some(display_name(database, table, column)),
        role: Role::Ignore,
    })
}

/// Tables of which no row is seen.
fn unseen(view: &View) -> Vec<Notice> {
    let database = view.database();
    let Some(as_of) = view.as_of() else {
        return Vec::new();
    };
    let intervals: Vec<(f64, f64)> = view.rows().map(|row| as_of.interval(row)).collect();
    let latest = intervals
        .iter()
        .map(|of| of.1)
        .fold(f64::NEG_INFINITY, f64::max);
    let earliest = intervals
        .iter()
        .map(|of| of.0)
        .fold(f64::INFINITY, f64::min);
    let mut told = Vec::new();
    for (place, table) in database.tables().iter().enumerate() {
        let other = place != view.table_position() && Some(place) != view.past_table();
        let Some(time) = table.time().filter(|_| other && table.rows() > 0) else {
            continue;
        };
        let begin = &table.attribute(time.begin()).column;
        let times: Vec<f64> = (0..table.rows())
            .filter_map(|row| instant(begin, row))
            .collect();
        let name = table.name();
        let later = times.iter().filter(|&&at| at > latest).count();
        let old = times.iter().filter(|&&at| at < earliest).count();
        let ends = time.end().is_some();
        if times.is_empty() {
            told.push(format!("no row of `{name}` has a time: none is seen"));
        } else if later == times.len() {
            told.push(format!(
                "all times of `{name}` are after the cutoffs: none of its rows is seen"
            ));
        } else if !ends && old == times.len() {
            told.push(format!(
                "all times of `{name}` are before the windows: none of its rows is seen"
            ));
        }
    }
    told.into_iter().map(Notice::new).collect()
}

/// Columns of dates that are later than their row, or than its cutoff: an end, a closing date.
fn later(view: &View) -> Vec<Notice> {
    let database = view.database();
    let mut told = Vec::new();
    for (place, table) in database.tables().iter().enumerate() {
        let Some(time) = table.time().filter(|_| Some(place) != view.past_table()) else {
            continue;
        };
        let begin = &table.attribute(time.begin()).column;
        for column in view.inputs_of(place) {
            let values = &table.attribute(column).column;
            let dates = matches!(values.cells(), Cells::DateTime(_));
            if !dates || column == time.begin() || !matches!(begin.cells(), Cells::DateTime(_)) {
                continue;
            }
            let both = (0..table.rows())
                .filter_map(|row| Some((instant(begin, row)?, instant(values, row)?)));
            let (mut rows, mut after) = (0, 0);
            for (since, at) in both {
                rows += 1;
                after += usize::from(at > since);
            }
            if after > 0 {
                let name = display_name(database, place, column);
                let time = &table.attribute(time.begin()).name;
                told.push(about(
                    format!(
                        "`{name}` is later than `{time}` in {after} of {}: it is only known later than its row",
                        counted(rows, "row")
                    ),
                    database,
                    place,
                    column,
                ));
            }
        }
    }
    told
}

/// What is made of the linked rows of a row, the later ones among them.
type Total = (&'static str, fn(&[f64]) -> Option<f64>);

const TOTALS: [Total; 4] = [
    ("sum", |of| (!of.is_empty()).then(|| of.iter().sum())),
    ("mean", |of| {
        (!of.is_empty()).then(|| of.iter().sum::<f64>() / of.len() as f64)
    }),
    ("largest", |of| of.iter().copied().reduce(f64::max)),
    ("smallest", |of| of.iter().copied().reduce(f64::min)),
];

/// Columns that are made of all rows that refer to theirs: known at the end only.
fn totals(view: &View) -> Vec<Notice> {
    let database = view.database();
    let mut told = Vec::new();
    for (number, key) in database.foreign_keys().iter().enumerate() {
        let (parent, child) = (database.table(key.to), database.table(key.from));
        // What has a time itself may be right about what was before it.
        let timeless = parent
            .time()
            .is_none_or(|_| key.to == view.table_position());
        if child.time().is_none() || !timeless || Some(key.from) == view.past_table() {
            continue;
        }
        let link = database.link(number);
        for column in view.inputs_of(key.to) {
            let values = &parent.attribute(column).column;
            if !is_time_or_number(values) {
                continue;
            }
            let count = |row: usize| Some(link.backward(row).len() as f64);
            let found = match alike(values, &count) {
                true => Some(format!("the number of all rows of `{}`", child.name())),
                false => (0..child.attributes().len()).find_map(|of| {
                    let made = &child.attribute(of).column;
                    let same = is_time_or_number(made)
                        && std::mem::discriminant(made.cells())
                            == std::mem::discriminant(values.cells());
                    let total = same.then(|| {
                        TOTALS.iter().find(|(_, total)| {
                            let of_row = |row: usize| {
                                let linked = link.backward(row).iter();
                                let known = linked.filter_map(|&row| instant(made, row as usize));
                                total(&known.collect::<Vec<f64>>())
                            };
                            alike(values, &of_row)
                        })
                    });
                    let (what, _) = total??;
                    let name = &child.attribute(of).name;
                    Some(format!(
                        "the {what} `{name}` of all rows of `{}`",
                        child.name()
                    ))
                }),
            };
            if let Some(found) = found {
                let name = display_name(database, key.to, column);
                told.push(about(
                    format!("`{name}` is {found} that refer to its row, later ones among them"),
                    database,
                    key.to,
                    column,
                ));
            }
        }
    }
    told
}

fn is_time_or_number(column: &Column) -> bool {
    matches!(column.cells(), Cells::Numeric(_) | Cells::DateTime(_))
}

/// Whether a column is, in nearly all of many rows, what is made of each, and more than one number.
fn alike(values: &Column, made: &dyn Fn(usize) -> Option<f64>) -> bool {
    let (mut rows, mut same) = (0usize, 0usize);
    let mut different: Vec<f64> = Vec::new();
    for row in 0..values.len() {
        let Some(value) = instant(values, row) else {
            continue;
        };
        rows += 1;
        let close = |made: f64| (made - value).abs() <= 1e-9 * value.abs().max(1.0);
        same += usize::from(made(row).is_some_and(close));
        if different.len() < 2 && !different.contains(&value) {
            different.push(value);
        }
        // Most columns are something else, which shows soon.
        if rows == FEWEST_ROWS && same == 0 {
            return false;
        }
    }
    rows >= FEWEST_ROWS && different.len() > 1 && same as f64 >= ALIKE * rows as f64
}

/// Inputs of the target's table by each of whose values the target is known.
fn given_away(view: &View, targets: &[usize]) -> Vec<Notice> {
    let database = view.database();
    let own = view.table_position();
    let table = view.table();
    let mut told = Vec::new();
    for &target in targets {
        let truth = &table.attribute(target).column;
        for column in view.inputs() {
            let values = &table.attribute(column).column;
            if targets.contains(&column) || !determines(view, values, truth) {
                continue;
            }
            let (name, of) = (&table.attribute(column).name, &table.attribute(target).name);
            told.push(about(
                format!("each value of `{name}` goes with one value of the target `{of}`: it gives the target away"),
                database,
                own,
                column,
            ));
        }
    }
    told
}

fn determines(view: &View, values: &Column, truth: &Column) -> bool {
    let mut known: HashMap<String, String> = HashMap::new();
    let mut truths: HashMap<String, usize> = HashMap::new();
    let mut rows = 0;
    for row in view.rows() {
        let row = row as usize;
        if !values.is_present(row) || !truth.is_present(row) {
            continue;
        }
        rows += 1;
        let said = truth.value(row).to_string();
        *truths.entry(said.clone()).or_default() += 1;
        let first = known
            .entry(values.value(row).to_string())
            .or_insert_with(|| said.clone());
        if *first != said {
            return false;
        }
    }
    // Values that are nearly all different say nothing, and so does a target that is nearly always
    // the same.
    let most = truths.values().copied().max().unwrap_or(0);
    rows >= FEWEST_ROWS && known.len() * 2 <= rows && truths.len() > 1 && rows - most >= known.len()
}
