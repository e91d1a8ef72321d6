//! What cells of text write: collections, dates and amounts in the forms that people use.
//!
//! Readers keep text that is neither a plain number nor an ISO date as labels. Once a table is read
//! whole, each such column is looked at again: if *all* its values are lists in brackets, dates in
//! one order or amounts of one unit, it becomes what they mean, and its evidence says why. What a
//! schema states, keys, and formats that declare the values of their columns are left alone.

mod amounts;
mod clocks;
mod dates;
mod lists;

use std::collections::HashSet;
use std::sync::Arc;

use kinwood_values::notation::Notation;
use kinwood_values::{Cells, Column, Notice, NoticeKind, Table, Type, Value};

use crate::dataset::TableRead;
use crate::draft::{Draft, Part};
use crate::schema::in_table;

/// Formats whose text is no more than text; others declare what their columns hold.
const UNDECLARED: [&str; 7] = [
    "CSV",
    "TSV",
    "JSON",
    "SQLite",
    "PostgreSQL",
    "Parquet",
    "Arrow",
];

/// The distinct texts of a column, and how many rows have each.
pub(crate) struct Texts<'a> {
    pub texts: Vec<&'a str>,
    pub counts: Vec<usize>,
    /// Rows with a value.
    pub present: usize,
}

/// What the texts of a column mean.
pub(crate) struct Meaning {
    of: Type,
    /// A value for each distinct text.
    values: Vec<Value>,
    notation: Option<Notation>,
    /// Why, in full.
    evidence: String,
    /// Why, in a few words.
    form: String,
}

/// Gives columns of text the types that their values have, and sums that up in one notice a table.
pub(crate) fn understand(draft: &mut Draft, stated: &[(String, Type)]) {
    for part in &mut draft.parts {
        if UNDECLARED.contains(&part.format)
            && let Some(notice) = understand_table(part, stated)
        {
            part.read.notices.push(notice);
        }
    }
}

fn understand_table(part: &mut Part, stated: &[(String, Type)]) -> Option<Notice> {
    let mut settled = settled(part);
    let table = part.read.table.name();
    settled.extend(
        stated
            .iter()
            .map(|(name, _)| in_table(name, table).to_owned()),
    );
    let TableRead {
        table, evidence, ..
    } = &mut part.read;
    let mut attributes = table.attributes().to_vec();
    let mut found = Vec::new();
    for (position, attribute) in attributes.iter_mut().enumerate() {
        if settled.contains(attribute.name.as_str()) {
            continue;
        }
        let meant = match part.format {
            "JSON" => understood(&attribute.column).or_else(|| lists::as_sets(&attribute.column)),
            _ => understood(&attribute.column),
        };
        let Some((column, meaning)) = meant else {
            continue;
        };
        attribute.column = Arc::new(column);
        attribute.notation = meaning.notation;
        found.push(format!(
            "`{}` is {} ({})",
            attribute.name, meaning.of, meaning.form
        ));
        if let Some(evidence) = evidence.get_mut(position) {
            *evidence = meaning.evidence;
        }
    }
    if found.is_empty() {
        return None;
    }
    let key = table.key().map(<[usize]>::to_vec);
    let name = table.name().to_owned();
    *table = Table::new(name, attributes).expect("the columns have the lengths they had");
    table.set_key(key);
    Some(Notice::about(
        NoticeKind::Type,
        format!(
            "text of `{}` is read as what it writes: {}",
            table.name(),
            found.join(", ")
        ),
    ))
}

/// Columns whose type is stated, and columns of keys, whose values must stay equal to others.
fn settled(part: &Part) -> HashSet<String> {
    let mut settled = HashSet::new();
    if let Some(schema) = &part.schema {
        let columns = schema.options.columns.iter();
        settled.extend(
            columns
                .filter(|column| column.type_of().is_some())
                .map(|column| column.name.clone()),
        );
        settled.extend(schema.key.iter().cloned());
        settled.extend(
            schema
                .foreign_keys
                .iter()
                .flat_map(|key| key.columns.clone()),
        );
    }
    let table = &part.read.table;
    let keys = table.key().into_iter().flatten();
    settled.extend(keys.map(|&column| table.attribute(column).name.clone()));
    let foreign = part.read.foreign_keys.iter();
    settled.extend(foreign.flat_map(|key| key.columns.clone()));
    settled
}

/// The column as what its texts mean, if they all mean something.
pub(crate) fn understood(column: &Column) -> Option<(Column, Meaning)> {
    let (texts, codes) = distinct(column)?;
    if texts.present == 0 {
        return None;
    }
    let meaning = lists::find(&texts)
        .or_else(|| dates::find(&texts))
        .or_else(|| clocks::find(&texts))
        .or_else(|| amounts::find(&texts))?;
    let mut read = Column::empty(&meaning.of);
    for code in codes {
        match code {
            Some(code) => read.push(&meaning.values[code]).ok()?,
            None => read.push_missing(),
        }
    }
    Some((read, meaning))
}

/// The distinct texts of a column of labels or strings, and which of them each row has.
fn distinct(column: &Column) -> Option<(Texts<'_>, Vec<Option<usize>>)> {
    let rows = column.len();
    let mut texts: Vec<&str> = Vec::new();
    let mut codes = Vec::with_capacity(rows);
    match column.cells() {
        Cells::Nominal {
            codes: labels,
            dictionary,
        } => {
            texts.extend(dictionary.labels());
            let code = |row: usize| column.is_present(row).then(|| labels[row] as usize);
            codes.extend((0..rows).map(code));
        }
        Cells::String(strings) => {
            let mut known = std::collections::HashMap::new();
            for row in 0..rows {
                codes.push(column.is_present(row).then(|| {
                    let text = strings.get(row);
                    *known.entry(text).or_insert_with(|| {
                        texts.push(text);
                        texts.len() - 1
                    })
                }));
            }
        }
        _ => return None,
    }
    let mut counts = vec![0; texts.len()];
    codes.iter().flatten().for_each(|&code| counts[code] += 1);
    let present = counts.iter().sum();
    Some((
        Texts {
            texts,
            counts,
            present,
        },
        codes,
    ))
}

#[cfg(test)]
mod tests;
