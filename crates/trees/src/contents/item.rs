//! Items: what a value can contain, in words and for programs.

use kinwood_values::{Type, Value};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::moment::{self, MONTHS, WEEKDAYS};

/// Something that a value can contain.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Item {
    /// A member of a set, bag or list.
    Label(String),
    /// The first member of a list.
    First(String),
    /// Two members of a list, the one somewhere before the other.
    Before(String, String),
    /// A part of a string.
    Part(String),
    /// A word of a text, in lower case.
    Word(String),
    /// The month of a time, from 1.
    Month(u8),
    /// The weekday of a time, Monday being 1.
    Weekday(u8),
    /// The hour of a time.
    Hour(u8),
}

/// Which of these; a test speaks of items of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ItemKind {
    /// A member.
    Label,
    /// The first member.
    First,
    /// One member before another.
    Before,
    /// A part of a string.
    Part,
    /// A word of a text.
    Word,
    /// The month of a time.
    Month,
    /// The weekday of a time.
    Weekday,
    /// The hour of a time.
    Hour,
}

impl ItemKind {
    /// All of them.
    pub const ALL: [ItemKind; 8] = [
        ItemKind::Label,
        ItemKind::First,
        ItemKind::Before,
        ItemKind::Part,
        ItemKind::Word,
        ItemKind::Month,
        ItemKind::Weekday,
        ItemKind::Hour,
    ];

    /// What items of the kind are called where programs read a test.
    pub fn key(self) -> &'static str {
        match self {
            ItemKind::Label => "contains",
            ItemKind::First => "starts_with",
            ItemKind::Before => "contains_in_order",
            ItemKind::Part => "contains_text",
            ItemKind::Word => "contains_word",
            ItemKind::Month => "month",
            ItemKind::Weekday => "weekday",
            ItemKind::Hour => "hour",
        }
    }
}

impl Item {
    /// Its kind.
    pub fn kind(&self) -> ItemKind {
        match self {
            Item::Label(_) => ItemKind::Label,
            Item::First(_) => ItemKind::First,
            Item::Before(..) => ItemKind::Before,
            Item::Part(_) => ItemKind::Part,
            Item::Word(_) => ItemKind::Word,
            Item::Month(_) => ItemKind::Month,
            Item::Weekday(_) => ItemKind::Weekday,
            Item::Hour(_) => ItemKind::Hour,
        }
    }

    /// Whether a value contains it: by its definition, value by value.
    pub fn is_in(&self, value: &Value) -> bool {
        let members: &[Value] = match value {
            Value::List(members) | Value::Set(members) | Value::Bag(members) => members,
            _ => &[],
        };
        let is = |member: &Value, label: &str| match member {
            Value::Symbol(own) | Value::Text(own) => own == label,
            _ => false,
        };
        match (self, value) {
            (Item::Label(label), _) => members.iter().any(|member| is(member, label)),
            (Item::First(label), _) => {
                let mut known = members.iter().filter(|member| **member != Value::Missing);
                known.next().is_some_and(|first| is(first, label))
            }
            (Item::Before(first, second), _) => {
                let place = members.iter().position(|member| is(member, first));
                let last = members.iter().rposition(|member| is(member, second));
                place.zip(last).is_some_and(|(place, last)| place < last)
            }
            (Item::Part(part), Value::Text(text)) => text.contains(part),
            (Item::Month(_) | Item::Weekday(_) | Item::Hour(_), Value::DateTime(time)) => {
                let (months, weekdays) = (MONTHS.len() as u32, WEEKDAYS.len() as u32);
                let place = match self {
                    Item::Month(month) => u32::from(*month).wrapping_sub(1),
                    Item::Weekday(day) => (months + u32::from(*day)).wrapping_sub(1),
                    Item::Hour(hour) => months + weekdays + u32::from(*hour),
                    _ => return false,
                };
                moment::places(*time).is_some_and(|own| own.contains(&place))
            }
            (Item::Word(word), Value::Text(text)) => words(text).any(|own| own == *word),
            _ => false,
        }
    }

    /// The item in words, as it stands in a test.
    pub fn words(&self) -> String {
        match self {
            Item::Label(label) | Item::First(label) | Item::Word(label) => plain(label),
            Item::Before(first, second) => format!("{} before {}", plain(first), plain(second)),
            Item::Part(part) => quoted(part),
            Item::Month(month) => moment::name(&MONTHS, *month).to_owned(),
            Item::Weekday(day) => moment::name(&WEEKDAYS, *day).to_owned(),
            Item::Hour(hour) => hour.to_string(),
        }
    }

    fn json(&self) -> serde_json::Value {
        match self {
            Item::Label(text) | Item::First(text) | Item::Part(text) | Item::Word(text) => {
                json!(text)
            }
            Item::Before(first, second) => json!([first, second]),
            Item::Month(_) | Item::Weekday(_) => json!(self.words()),
            Item::Hour(hour) => json!(hour),
        }
    }

    fn from_json(kind: ItemKind, shown: &serde_json::Value) -> Option<Self> {
        let text = || shown.as_str().map(str::to_owned);
        Some(match kind {
            ItemKind::Label => Item::Label(text()?),
            ItemKind::First => Item::First(text()?),
            ItemKind::Part => Item::Part(text()?),
            ItemKind::Word => Item::Word(text()?),
            ItemKind::Month => Item::Month(moment::number(&MONTHS, shown.as_str()?)?),
            ItemKind::Weekday => Item::Weekday(moment::number(&WEEKDAYS, shown.as_str()?)?),
            ItemKind::Hour => Item::Hour(moment::hour(&shown.as_u64()?.to_string())?),
            ItemKind::Before => {
                let pair = shown.as_array().filter(|pair| pair.len() == 2)?;
                Item::Before(pair[0].as_str()?.to_owned(), pair[1].as_str()?.to_owned())
            }
        })
    }
}

/// The words of a text, in lower case.
pub(super) fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// A label as it is, in quotes where it would be misread.
fn plain(label: &str) -> String {
    let bare = !label.is_empty()
        && label.trim() == label
        && label != "?"
        && !label.contains([',', '{', '}', '"', '\'', '\n', '\r'])
        && !label.contains(" before ")
        && !label.starts_with("any of ");
    match bare {
        true => label.to_owned(),
        false => quoted(label),
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// How many items of a test are listed.
const LISTED: usize = 12;

/// That a value has one of some items of one kind, in words; of many the first few.
pub fn items_words<'i>(subject: &str, items: impl IntoIterator<Item = &'i Item>) -> String {
    let items: Vec<&Item> = items.into_iter().collect();
    let Some(first) = items.first() else {
        return format!("{subject} contains nothing");
    };
    let (one, several) = match first.kind() {
        ItemKind::Label | ItemKind::Before | ItemKind::Part => ("contains", "contains any of"),
        ItemKind::First => ("starts with", "starts with any of"),
        ItemKind::Word => ("has the word", "has any of the words"),
        ItemKind::Month => ("is in", "is in any of"),
        ItemKind::Weekday => ("is on", "is on any of"),
        ItemKind::Hour => ("is at hour", "is at any hour of"),
    };
    let mut listed: Vec<String> = items.iter().take(LISTED).map(|item| item.words()).collect();
    if let [only] = listed.as_slice() {
        return format!("{subject} {one} {only}");
    }
    if items.len() > LISTED {
        listed.push(format!("and {} more", items.len() - LISTED));
    }
    format!("{subject} {several} {{{}}}", listed.join(", "))
}

/// That a value of a type has at least so many members or characters, in words.
pub fn size_words(subject: &str, of: Option<&Type>, least: u32) -> String {
    let measure = match of {
        Some(Type::String) => "length",
        _ => "size",
    };
    format!("{measure}({subject}) >= {least}")
}

/// Items of one kind for programs: what the list is called, and the list.
pub fn items_json<'i>(
    items: impl IntoIterator<Item = &'i Item>,
) -> (&'static str, serde_json::Value) {
    let items: Vec<&Item> = items.into_iter().collect();
    let kind = items.first().map_or(ItemKind::Label, |item| item.kind());
    let listed = items.iter().map(|item| item.json()).collect();
    (kind.key(), serde_json::Value::Array(listed))
}

/// The items of a shown test, all of one kind; `None` where it shows none, and what is wrong where
/// they cannot be read.
pub fn items_from_json(test: &serde_json::Value) -> Option<Result<Vec<Item>, String>> {
    let mut kinds = ItemKind::ALL.into_iter();
    let (kind, shown) = kinds.find_map(|kind| Some((kind, test.get(kind.key())?)))?;
    let read = || -> Option<Vec<Item>> {
        let listed = shown.as_array().filter(|listed| !listed.is_empty())?;
        let each = listed.iter().map(|one| Item::from_json(kind, one));
        each.collect()
    };
    Some(read().ok_or_else(|| {
        let expected = match kind {
            ItemKind::Before => "a list of pairs of labels",
            ItemKind::Month => "a list of months such as `Jan`",
            ItemKind::Weekday => "a list of weekdays such as `Mon`",
            ItemKind::Hour => "a list of hours from 0 to 23",
            _ => "a list of texts",
        };
        format!("expected {expected} in `{}`, found {shown}", kind.key())
    }))
}
