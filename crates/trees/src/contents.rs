//! What structured values contain: the labels of a set, bag or list, which of them comes first or
//! before another, parts of a string, words of a text; and how large a value is.
//!
//! A distance sees a basket as a whole, and twenty products that say nothing hide the one that
//! does. A test on contents asks for that one. Items are chosen once from the training values,
//! those of the most values first, and found in any column by one pass over its members: the work
//! is that of the memberships, however many labels there are.

pub mod calendar;
mod choose;
mod find;
mod item;
mod moment;
mod notation;

pub use choose::{ItemRules, chosen};
pub use find::{Found, find};
pub use item::{Item, ItemKind, items_from_json, items_json, items_words, size_words};
pub use notation::{Asked, parse};

use kinwood_values::{Column, Type};

/// How values of a type are looked into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Labels without an order.
    Labels,
    /// Labels in an order.
    Sequence,
    /// Members that are no labels: they are counted.
    Sizes,
    /// Characters or words.
    Text,
}

impl Reading {
    /// How values of a type are looked into; `None` where they contain nothing.
    pub fn new(of: &Type) -> Option<Self> {
        let labels = |of: &Type| matches!(of, Type::Nominal | Type::String);
        match of {
            Type::String => Some(Reading::Text),
            Type::List(of) if labels(of) => Some(Reading::Sequence),
            Type::Set(of) | Type::Bag(of) if labels(of) => Some(Reading::Labels),
            Type::List(_) | Type::Set(_) | Type::Bag(_) => Some(Reading::Sizes),
            _ => None,
        }
    }

    /// Whether items of a kind can be in such values.
    pub fn has(self, kind: ItemKind) -> bool {
        match kind {
            ItemKind::Label => matches!(self, Reading::Labels | Reading::Sequence),
            ItemKind::First | ItemKind::Before => self == Reading::Sequence,
            ItemKind::Part | ItemKind::Word => self == Reading::Text,
            ItemKind::Month | ItemKind::Weekday | ItemKind::Hour => false,
        }
    }
}

/// The items of the values of a column.
#[derive(Clone, Debug, PartialEq)]
pub struct Contents {
    /// The items that tests speak of, by place.
    pub items: Vec<Item>,
    /// Which of them each value has.
    pub found: Found,
}

impl Contents {
    /// The contents of values that stand for so many rows each; `None` where values of such a type
    /// contain nothing.
    pub fn new(values: &Column, rows: &[u32], rules: &ItemRules) -> Option<Self> {
        Reading::new(&values.type_of())?;
        let items = chosen(values, rows, rules);
        let found = find(&items, values);
        Some(Self { items, found })
    }

    /// The places of items, which are added where no value of training has them.
    pub fn places(&mut self, items: &[Item], values: &Column) -> Vec<u32> {
        let before = self.items.len();
        let mut places = Vec::with_capacity(items.len());
        for item in items {
            let place = self.items.iter().position(|own| own == item);
            places.push(place.unwrap_or_else(|| {
                self.items.push(item.clone());
                self.items.len() - 1
            }) as u32);
        }
        if self.items.len() > before {
            self.found = find(&self.items, values);
        }
        places.sort_unstable();
        places.dedup();
        places
    }
}

#[cfg(test)]
mod tests;
