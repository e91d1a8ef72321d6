//! Tests on contents as they are shown, read back.

use kinwood_values::Type;

use super::Reading;
use super::item::{Item, ItemKind};
use super::moment::{self, MONTHS, WEEKDAYS};

/// What a test asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// One of some items, of one kind.
    Items(Vec<Item>),
    /// What is left to the learner.
    Open,
}

/// The words by which tests on contents begin after the name of a column; longer ones first.
const BEGINNINGS: [(&str, bool); 12] = [
    ("contains any of ", true),
    ("contains ", false),
    ("starts with any of ", true),
    ("starts with ", false),
    ("has any of the words ", true),
    ("has the word ", false),
    ("is in any of ", true),
    ("is in ", false),
    ("is on any of ", true),
    ("is on ", false),
    ("is at any hour of ", true),
    ("is at hour ", false),
];

/// Reads what stands after the name of a column of a type; `None` where it is no test on contents,
/// and what was expected where it cannot be read.
pub fn parse(text: &str, of: &Type) -> Option<Result<Asked, String>> {
    let mut beginnings = BEGINNINGS.into_iter();
    let (rest, beginning, many) = beginnings
        .find_map(|(words, many)| Some((text.strip_prefix(words)?.trim(), words, many)))?;
    if rest == "?" {
        return Some(Ok(Asked::Open));
    }
    if beginning.starts_with("is ") {
        return Some(match of {
            Type::DateTime => moments(rest, beginning, many).map(Asked::Items),
            _ => Err(format!("another test, because values are `{of}`")),
        });
    }
    let Some(reading) = Reading::new(of) else {
        return Some(Err(format!(
            "`near`, because nothing is in a value of `{of}`"
        )));
    };
    let kind = match beginning.split(' ').next() {
        Some("starts") => ItemKind::First,
        Some("has") => ItemKind::Word,
        _ if reading == Reading::Text => ItemKind::Part,
        _ => ItemKind::Label,
    };
    if !reading.has(kind) {
        return Some(Err(format!("another test, because values are `{of}`")));
    }
    Some(items(rest, kind, many, reading == Reading::Sequence).map(Asked::Items))
}

fn items(text: &str, kind: ItemKind, many: bool, ordered: bool) -> Result<Vec<Item>, String> {
    let inner = match many {
        true => {
            let inner = text
                .strip_prefix('{')
                .and_then(|text| text.strip_suffix('}'));
            inner.ok_or("values in braces, as in `{a, b}`, or `?`")?
        }
        false => text,
    };
    let mut rest = inner.trim();
    let mut items = Vec::new();
    loop {
        let (first, after) = label(rest, many)?;
        rest = after;
        let mut second = None;
        if let Some(after) = rest.strip_prefix("before ").filter(|_| ordered) {
            let (other, after) = label(after.trim_start(), many)?;
            second = Some(other);
            rest = after;
        }
        items.push(match (kind, second) {
            (ItemKind::Label, Some(second)) => Item::Before(first, second),
            (_, Some(_)) => return Err("no `before` here".to_owned()),
            (ItemKind::Label | ItemKind::Before, None) => Item::Label(first),
            (ItemKind::First, None) => Item::First(first),
            (ItemKind::Part, None) => Item::Part(first),
            (_, None) => Item::Word(first.to_lowercase()),
        });
        if rest.is_empty() {
            break;
        }
        rest = rest.strip_prefix(',').ok_or("`,` or `}`")?.trim_start();
    }
    let kind = items[0].kind();
    match items.iter().all(|item| item.kind() == kind) {
        true => Ok(items),
        false => Err("labels, or pairs with `before`, but not both".to_owned()),
    }
}

/// Months, weekdays or hours.
fn moments(text: &str, beginning: &str, many: bool) -> Result<Vec<Item>, String> {
    let inner = match many {
        true => {
            let inner = text
                .strip_prefix('{')
                .and_then(|text| text.strip_suffix('}'));
            inner.ok_or("values in braces, as in `{a, b}`, or `?`")?
        }
        false => text,
    };
    let read = |text: &str| match beginning.split(' ').nth(1) {
        Some("in") => moment::number(&MONTHS, text)
            .map(Item::Month)
            .ok_or("a month such as `Jan`"),
        Some("on") => moment::number(&WEEKDAYS, text)
            .map(Item::Weekday)
            .ok_or("a weekday such as `Mon`"),
        _ => moment::hour(text)
            .map(Item::Hour)
            .ok_or("an hour from 0 to 23"),
    };
    let each = inner.split(',').map(|text| read(text.trim()));
    each.collect::<Result<_, _>>().map_err(str::to_owned)
}

/// A label, in quotes or as it is, and what follows it.
fn label(text: &str, many: bool) -> Result<(String, &str), String> {
    if let Some(mut rest) = text.strip_prefix('"') {
        let mut label = String::new();
        loop {
            let end = rest.find('"').ok_or("a closing quote in the line")?;
            label.push_str(&rest[..end]);
            rest = &rest[end + 1..];
            match rest.strip_prefix('"') {
                Some(more) => rest = more,
                None => return Ok((label, rest.trim_start())),
            }
            label.push('"');
        }
    }
    let comma = match many {
        true => text.find(',').unwrap_or(text.len()),
        false => text.len(),
    };
    let end = text.find(" before ").unwrap_or(comma).min(comma);
    match text[..end].trim_end() {
        "" => Err("a label".to_owned()),
        label => Ok((label.to_owned(), text[end..].trim_start())),
    }
}
