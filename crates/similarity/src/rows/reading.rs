//! How rows become values to be compared: as nested tuples to a depth of foreign keys, or as the
//! facts that describe them.

use std::sync::Arc;

use kinwood_values::{Column, Type, View};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{facts, nested};
use crate::error::Error;
use crate::expression::{Argument, Expression};
use crate::facts::FACTS;
use crate::registry::{Facts, Inside, Registry};

/// How the rows of a view are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// As tuples, with what so many foreign keys reach nested in them.
    Nested(usize),
    /// As tuples of one field: the facts that describe the row and whatever its facts speak of.
    Facts,
}

impl Reading {
    /// How an expression wants rows to be read; `depth` is how many keys away they are compared if
    /// they are tuples.
    pub fn of(expression: &Expression, depth: usize) -> Self {
        let inner = innermost(expression);
        match facts_of(inner) {
            Some(facts) if facts.stated_in(inner) => Reading::Facts,
            _ => Reading::Nested(depth),
        }
    }

    /// Whether an expression may look at rows of other tables: as many keys away as this, or as
    /// facts.
    pub fn reaches(expression: &Expression, depth: usize) -> bool {
        depth > 0 || facts_of(innermost(expression)).is_some()
    }

    /// The rows of a view.
    pub fn rows(self, view: &View) -> Result<Column, Error> {
        match self {
            Reading::Nested(depth) => Ok(nested(view, depth)),
            Reading::Facts => facts::rows(view),
        }
    }

    /// How many foreign keys away tuples are compared; nothing of facts, which go as far as they
    /// reach.
    pub fn depth(self) -> Option<usize> {
        match self {
            Reading::Nested(depth) => Some(depth),
            Reading::Facts => None,
        }
    }

    /// Whether tuples are compared over more foreign keys than this.
    pub fn deeper_than(self, most: usize) -> bool {
        self.depth().is_some_and(|depth| depth > most)
    }
}

/// The expression in the terms of a view's rows: a kernel of terms is one of the facts that
/// describe a row, unless the row is one term; and what is to be taken from the facts about all
/// rows is taken.
pub(crate) fn stating_facts(expression: &Expression, view: &View) -> Result<Expression, Error> {
    let inputs = view.inputs();
    let one_term =
        matches!(*inputs, [only] if view.table().attribute(only).type_of() == Type::Term);
    let mut stated = expression.clone();
    let inner = innermost_mut(&mut stated);
    let Some(facts) = facts_of(inner) else {
        return Ok(stated);
    };
    if let Some((setting, word)) = facts.setting
        && !one_term
        && !facts.stated_in(inner)
    {
        *inner = inner.clone().word(setting, word);
    }
    if let Some(complete) = facts.complete {
        complete(inner, &mut || {
            let mut all = View::new(Arc::clone(view.database()), view.table_position());
            for (table, column) in view.hidden() {
                all = all.hiding(table, column);
            }
            facts::rows(&all)
        })?;
    }
    Ok(stated)
}

/// How a measure compares by facts, if it does.
fn facts_of(expression: &Expression) -> Option<Facts> {
    Registry::known().find(&expression.name)?.facts
}

/// The measure that the ones around it speak of.
fn innermost(expression: &Expression) -> &Expression {
    let mut inner = expression;
    while let Some(place) = inside(inner) {
        match &inner.arguments[place] {
            Argument::Part(part) => inner = &part.measure,
            _ => break,
        }
    }
    inner
}

fn innermost_mut(expression: &mut Expression) -> &mut Expression {
    match inside(expression) {
        Some(place) => match &mut expression.arguments[place] {
            Argument::Part(part) => innermost_mut(&mut part.measure),
            _ => unreachable!("the place of a part"),
        },
        None => expression,
    }
}

/// The place of the only part of a measure around another.
fn inside(expression: &Expression) -> Option<usize> {
    let is_part = |argument: &Argument| matches!(argument, Argument::Part(_));
    let around = Registry::known()
        .inside(expression)
        .is_some_and(Inside::is_about_the_same);
    let alone = expression.parts().count() == 1 && around;
    alone.then(|| expression.arguments.iter().position(is_part))?
}

/// A number of keys, or the word.
impl Serialize for Reading {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Reading::Nested(depth) => depth.serialize(serializer),
            Reading::Facts => FACTS.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Reading {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Depth(usize),
            Word(String),
        }
        match Written::deserialize(deserializer)? {
            Written::Depth(depth) => Ok(Reading::Nested(depth)),
            Written::Word(word) if word == FACTS => Ok(Reading::Facts),
            Written::Word(word) => Err(serde::de::Error::custom(format!(
                "`{word}` is no way to read rows; expected a number of keys or `{FACTS}`"
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_read_for_what_speaks_of_them() {
        let reading = |text: &str| Reading::of(&text.parse().unwrap(), 2);
        assert_eq!(reading("fourlayer"), Reading::Facts);
        assert_eq!(
            reading("gaussian(scaled(fourlayer(M=2)), gamma=1)"),
            Reading::Facts
        );
        assert_eq!(reading("normalised(structural(on=facts))"), Reading::Facts);
        assert_eq!(reading("structural"), Reading::Nested(2));
        assert_eq!(reading("mean(fourlayer)"), Reading::Nested(2));
        let written = serde_json::to_string(&[Reading::Nested(2), Reading::Facts]).unwrap();
        assert_eq!(written, r#"[2,"facts"]"#);
        let read: Vec<Reading> = serde_json::from_str(&written).unwrap();
        assert_eq!(read, [Reading::Nested(2), Reading::Facts]);
        assert!(serde_json::from_str::<Reading>(r#""fact""#).is_err());
    }
}
