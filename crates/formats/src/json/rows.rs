//! Objects one after the other, never more than one of them in memory.

use std::cell::Cell;
use std::collections::HashSet;
use std::fmt;
use std::rc::Rc;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::error::Category;
use serde_json::{Map, Value as Json};

use super::place::{Counting, Place};
use super::strict::{Strict, repeated};
use crate::error::{Error, Result};
use crate::source::Source;

/// How the objects of a source are arranged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arrangement {
    /// One after the other.
    Lines,
    /// In one array.
    Array,
    /// In several arrays, each a value of one object.
    Tables,
}

/// Who takes the objects.
pub(super) trait Take {
    /// The objects from here on are rows of this table.
    fn table(&mut self, name: &str) -> Result<()>;

    /// An object, and where it begins.
    fn row(&mut self, place: Place, row: Map<String, Json>) -> Result<()>;
}

/// Hands all objects of the source over.
pub(super) fn each(source: &Source, arranged: Arrangement, take: &mut dyn Take) -> Result<()> {
    let reader = Counting::new(source)?;
    let mut passing = Passing {
        next: reader.next(),
        take,
        stopped: None,
    };
    let mut json = serde_json::Deserializer::from_reader(reader);
    let done = match arranged {
        Arrangement::Tables => Tables(&mut passing)
            .deserialize(&mut json)
            .and_then(|()| json.end()),
        Arrangement::Array => {
            passing.take.table(&source.table_name())?;
            Rows(&mut passing)
                .deserialize(&mut json)
                .and_then(|()| json.end())
        }
        Arrangement::Lines => {
            passing.take.table(&source.table_name())?;
            loop {
                match json.end() {
                    Ok(()) => break Ok(()),
                    Err(error) if error.is_io() => break Err(error),
                    Err(_) => {}
                }
                if let Err(error) = Row(&mut passing).deserialize(&mut json) {
                    break Err(error);
                }
            }
        }
    };
    match (passing.stopped, done) {
        (Some(error), _) => Err(error),
        (None, Err(error)) => Err(wrong(source, error)),
        (None, Ok(())) => Ok(()),
    }
}

/// What serde_json says, in our words.
fn wrong(source: &Source, error: serde_json::Error) -> Error {
    let (line, column) = (error.line() as u64, error.column().max(1) as u64);
    let text = error.to_string();
    let place = format!(" at line {line} column {}", error.column());
    let text = text.strip_suffix(&place).unwrap_or(&text).to_owned();
    let (expected, found) = match error.classify() {
        Category::Io => return source.failed(error.into()),
        Category::Eof => (
            "the rest of the value".to_owned(),
            "the end of the file".to_owned(),
        ),
        Category::Syntax | Category::Data => {
            let parts = text
                .strip_prefix("invalid type: ")
                .or_else(|| text.strip_prefix("invalid value: "))
                .and_then(|text| text.rsplit_once(", expected "));
            match parts {
                Some((found, expected)) => (expected.to_owned(), found.to_owned()),
                None => ("JSON".to_owned(), format!("text that is none ({text})")),
            }
        }
    };
    Error::Syntax {
        file: source.name().to_owned(),
        line,
        column,
        expected,
        found,
        nearest: None,
    }
}

/// What all levels of a pass share.
struct Passing<'t> {
    next: Rc<Cell<Place>>,
    take: &'t mut dyn Take,
    /// Why who takes the objects wants no more.
    stopped: Option<Error>,
}

impl Passing<'_> {
    fn keep<T, E: serde::de::Error>(&mut self, result: Result<T>) -> Result<T, E> {
        result.map_err(|error| {
            self.stopped = Some(error);
            E::custom("stopped")
        })
    }
}

/// An object of arrays of objects.
struct Tables<'p, 't>(&'p mut Passing<'t>);

/// An array of objects.
struct Rows<'p, 't>(&'p mut Passing<'t>);

/// An object.
struct Row<'p, 't>(&'p mut Passing<'t>);

impl<'de> DeserializeSeed<'de> for Tables<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Tables<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of arrays of objects")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut names = HashSet::new();
        while let Some(name) = map.next_key::<String>()? {
            let begun = self.0.take.table(&name);
            self.0.keep::<_, A::Error>(begun)?;
            map.next_value_seed(Rows(self.0))?;
            if let Some(name) = names.replace(name) {
                return Err(repeated(&name));
            }
        }
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Rows<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Rows<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of objects")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> Result<(), A::Error> {
        while rows.next_element_seed(Row(self.0))?.is_some() {}
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Row<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Row<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object for each row")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        // The bracket that opens the object has just been taken.
        let mut place = self.0.next.get();
        place.column = place.column.saturating_sub(1).max(1);
        let Json::Object(row) = Strict.visit_map(map)? else {
            return Err(A::Error::custom("an object is an object"));
        };
        let taken = self.0.take.row(place, row);
        self.0.keep(taken)
    }
}
