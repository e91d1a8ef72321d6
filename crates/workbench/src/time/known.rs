//! Data without what comes later than all cutoffs.
//!
//! No row of a view sees it, but whatever is counted or listed over whole tables would: the labels
//! of a column, the number of rows. Without it nothing depends on the future, to the last byte.

use std::sync::Arc;

use kinwood_values::as_of::instant;
use kinwood_values::{Cells, Column, Database, Dictionary, Table, Type, View};

use crate::error::Result;

/// The same rows of a database without rows of other tables that are later than what any of them
/// sees.
pub(super) fn known(view: &View) -> Result<View> {
    let Some(as_of) = view.as_of() else {
        return Ok(view.clone());
    };
    let latest = view
        .rows()
        .map(|row| as_of.interval(row).1)
        .fold(f64::NEG_INFINITY, f64::max);
    let kept = [Some(view.table_position()), view.past_table()];
    let (mut tables, keys) = Database::clone(view.database()).into_parts();
    let mut changed = false;
    for (position, table) in tables.iter_mut().enumerate() {
        let Some(time) = table.time().filter(|_| !kept.contains(&Some(position))) else {
            continue;
        };
        let begin = &table.attribute(time.begin()).column;
        let seen = |row: &u32| instant(begin, *row as usize).is_some_and(|at| at <= latest);
        let rows: Vec<u32> = (0..table.rows() as u32).filter(seen).collect();
        if rows.len() < table.rows() {
            changed = true;
            *table = without_others(table, &rows);
        }
    }
    if !changed {
        return Ok(view.clone());
    }
    // What refers to later rows refers to nothing that anybody sees: no news.
    let (database, _) = Database::new(tables, keys)?;
    Ok(view.of(Arc::new(database)))
}

/// Some rows of a table, with the labels that they have.
fn without_others(table: &Table, rows: &[u32]) -> Table {
    let mut chosen = table.gather(rows);
    for (place, attribute) in table.attributes().iter().enumerate() {
        if attribute.ordered {
            continue;
        }
        if let Some(column) = relabelled(&attribute.column, rows) {
            chosen.replace(place, column);
        }
    }
    chosen
}

/// Some rows of a column with the labels that they have; `None` where it has no labels, or where
/// their order is not that of first appearance: somebody has stated them then.
fn relabelled(column: &Column, rows: &[u32]) -> Option<Column> {
    match column.cells() {
        Cells::Nominal { codes, dictionary } => {
            let first: Vec<u32> = firsts(column, codes, 0..column.len());
            if first.len() != dictionary.len() || !first.is_sorted() {
                return None;
            }
            let kept = firsts(column, codes, rows.iter().map(|&row| row as usize));
            let labels = kept.iter().map(|&code| dictionary.label(code));
            let labels = Dictionary::from_labels(labels);
            let mut place = vec![0; dictionary.len()];
            for (new, &code) in (0..).zip(&kept) {
                place[code as usize] = new;
            }
            let chosen = column.gather(rows);
            let (codes, _) = chosen.codes()?;
            let cells = Cells::Nominal {
                codes: codes.iter().map(|&code| place[code as usize]).collect(),
                dictionary: Arc::new(labels),
            };
            Some(Column::new(cells, chosen.validity().cloned()))
        }
        _ if has_labels(&column.type_of()) => {
            let of = column.type_of();
            let mut fresh = Column::empty(&of);
            for &row in rows {
                fresh.push(&column.value(row as usize)).ok()?;
            }
            Some(fresh)
        }
        _ => None,
    }
}

/// The codes of some rows in the order of their first appearance.
fn firsts(column: &Column, codes: &[u32], rows: impl Iterator<Item = usize>) -> Vec<u32> {
    let mut seen = std::collections::HashSet::new();
    let present = rows.filter(|&row| column.is_present(row));
    let codes = present.map(|row| codes[row]);
    codes.filter(|code| seen.insert(*code)).collect()
}

/// Whether values of a type have labels inside.
fn has_labels(of: &Type) -> bool {
    match of {
        Type::Nominal => true,
        Type::List(of) | Type::Set(of) | Type::Bag(of) => has_labels(of),
        Type::Tuple(fields) => fields.iter().any(|field| has_labels(&field.of)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_those_of_the_rows_that_stay_unless_they_are_stated() {
        let labels = |column: &Column| -> Vec<String> {
            let (_, dictionary) = column.codes().unwrap();
            dictionary.labels().map(str::to_owned).collect()
        };
        let column = Column::nominal([Some("later"), Some("b"), None, Some("a"), Some("b")]);
        let kept = relabelled(&column, &[1, 2, 3, 4]).unwrap();
        assert_eq!(labels(&kept), ["b", "a"]);
        let values: Vec<String> = (0..4).map(|row| kept.value(row).to_string()).collect();
        assert_eq!(values, ["b", "?", "a", "b"]);
        let Cells::Nominal { codes, .. } = column.cells() else {
            panic!("labels")
        };
        let stated = Cells::Nominal {
            codes: codes.clone(),
            dictionary: Arc::new(Dictionary::from_labels(["later", "b", "a", "never"])),
        };
        let stated = Column::new(stated, column.validity().cloned());
        assert!(relabelled(&stated, &[1]).is_none());
        assert!(relabelled(&Column::numeric(vec![1.0]), &[0]).is_none());
    }
}
