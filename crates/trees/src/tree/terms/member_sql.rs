//! Tests on contents as SQL, over structured values that a database holds as text: strings as they
//! are, collections of labels as JSON.
//!
//! SQLite and PostgreSQL read JSON by functions of other names, so that one expression for both has
//! to look at the text. A label stands in it between quotes, and so does nothing else: a quote
//! inside of a label is escaped, which is undone first. Whether a text has a part is asked by
//! `REPLACE`, as `LIKE` takes letters of either case for the same in SQLite.

use super::Pool;
use crate::contents::{Item, ItemKind};
use crate::tree::Test;
use crate::tree::model::sql::literal;
use kinwood_learning::error::Result;
use kinwood_learning::sql::{Gap, identifier};
use kinwood_values::Type;

/// The conditions that a test on contents holds, and that it does not; neither where the value is
/// missing.
pub(super) fn member_condition(test: &Test, pool: &Pool, column: &str) -> Result<(String, String)> {
    let name = format!("CAST({} AS text)", identifier(column));
    match test {
        Test::Has { items, .. } => {
            let items = pool.named(items);
            let each = items.map(|item| has(&name, item, column));
            let each: Vec<String> = each.collect::<Result<_>>()?;
            let any = each.join(" OR ");
            Ok((format!("({any})"), format!("NOT ({any})")))
        }
        Test::Size { least, .. } => {
            let holds = sized(&name, Some(pool.measure.of()), *least, column)?;
            Ok((holds.clone(), format!("NOT ({holds})")))
        }
        _ => Err(unwritten(column, "something else")),
    }
}

/// That a text has at least so many characters, or a collection of labels so many members.
///
/// A set holds each label once, also where its JSON repeats one: that is not looked at.
pub(crate) fn sized(name: &str, of: Option<&Type>, least: u32, column: &str) -> Result<String> {
    match of {
        Some(Type::String) => Ok(format!("LENGTH({name}) >= {least}")),
        Some(Type::Set(of) | Type::List(of) | Type::Bag(of)) if **of == Type::Nominal => {
            // Two quotes around each label.
            let plain = plain(name);
            let quotes = 2 * u64::from(least);
            Ok(format!(
                "LENGTH({plain}) - LENGTH(REPLACE({plain}, '\"', '')) >= {quotes}"
            ))
        }
        _ => Err(unwritten(column, "how many members a value has")),
    }
}

/// JSON whose quotes are around labels: first escaped backslashes go, then escaped quotes.
fn plain(name: &str) -> String {
    format!(r#"REPLACE(REPLACE({name}, '\\', '\_'), '\"', '\_')"#)
}

/// That a text or a collection has an item.
pub(crate) fn has(name: &str, item: &Item, column: &str) -> Result<String> {
    match item {
        Item::Part(part) => {
            let part = literal(part)?;
            Ok(format!("REPLACE({name}, {part}, '') <> {name}"))
        }
        Item::Label(label) => {
            let odd = |letter: char| letter.is_control() || matches!(letter, '"' | '\\');
            if label.contains(odd) {
                return Err(unwritten(column, "a label with a quote or a backslash"));
            }
            let plain = plain(name);
            let label = literal(&format!("\"{label}\""))?;
            Ok(format!("REPLACE({plain}, {label}, '') <> {plain}"))
        }
        other => Err(unwritten(
            column,
            match other.kind() {
                ItemKind::First => "which member comes first",
                ItemKind::Before => "which member comes before another",
                ItemKind::Month | ItemKind::Weekday | ItemKind::Hour => {
                    "the month, weekday or hour of a time"
                }
                _ => "the words of a text",
            },
        )),
    }
}

fn unwritten(column: &str, what: &'static str) -> kinwood_learning::error::Error {
    let column = column.to_owned();
    Gap::Contents { column, what }.into()
}
