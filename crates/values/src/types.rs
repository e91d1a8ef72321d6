//! The types of values and their text form, `list<tuple<nominal, charge: numeric>>`.
//!
//! A type is a small closed tree: everything that works on values matches on it, so a new kind of
//! value is a new variant that the compiler then asks about everywhere.

use std::fmt::{self, Write};
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::suggest::nearest;
use crate::text::{Form, ParseError, Scanner, identifier_like, write_name};

/// How deep types may be nested: deeper ones are mistakes, and would exhaust the stack.
pub const DEEPEST_TYPE: usize = 64;

/// What values of a column may be.
///
/// ```
/// use kinwood_values::Type;
/// let atoms: Type = "set<tuple<nominal, charge: numeric>>".parse()?;
/// assert_eq!(atoms.to_string(), "set<tuple<nominal, charge: numeric>>");
/// # Ok::<(), kinwood_values::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub enum Type {
    /// A symbol among others, equal or not.
    Nominal,
    /// A finite real number.
    Numeric,
    /// A point in time.
    DateTime,
    /// A sequence of characters, alike by its characters.
    String,
    /// Elements in an order.
    List(Box<Type>),
    /// Elements without order or repetition.
    Set(Box<Type>),
    /// Elements without order, repeated or not.
    Bag(Box<Type>),
    /// A fixed number of fields, each of its own type.
    Tuple(Vec<Field>),
    /// An ordered tree with labels.
    Tree,
    /// A first-order term.
    Term,
    /// A graph with labelled nodes and edges.
    Graph,
    /// A row of the table named.
    Ref(String),
}

/// One part of a tuple.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Field {
    /// Its name, if it goes by more than its position.
    pub name: Option<String>,
    /// Its type.
    pub of: Type,
}

/// Which collection: the three differ in what counts about their elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Order and repeats count.
    List,
    /// Neither counts.
    Set,
    /// Repeats count, order does not.
    Bag,
}

/// Every word that a type can begin with.
const NAMES: [&str; 13] = [
    "nominal", "numeric", "datetime", "date", "string", "list", "set", "bag", "tuple", "tree",
    "term", "graph", "ref",
];

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Nominal => f.write_str("nominal"),
            Type::Numeric => f.write_str("numeric"),
            Type::DateTime => f.write_str("datetime"),
            Type::String => f.write_str("string"),
            Type::List(of) => write!(f, "list<{of}>"),
            Type::Set(of) => write!(f, "set<{of}>"),
            Type::Bag(of) => write!(f, "bag<{of}>"),
            Type::Tuple(fields) => {
                f.write_str("tuple<")?;
                for (i, field) in fields.iter().enumerate() {
                    if i > 0 {
                        f.write_str(", ")?;
                    }
                    field.fmt(f)?;
                }
                f.write_char('>')
            }
            Type::Tree => f.write_str("tree"),
            Type::Term => f.write_str("term"),
            Type::Graph => f.write_str("graph"),
            Type::Ref(table) => {
                f.write_str("ref<")?;
                write_name(f, table, identifier_like(table))?;
                f.write_char('>')
            }
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = &self.name {
            write_name(f, name, identifier_like(name))?;
            f.write_str(": ")?;
        }
        self.of.fmt(f)
    }
}

impl FromStr for Type {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut scanner = Scanner::new(Form::Type, text);
        let parsed = parse_type(&mut scanner, 1)?;
        scanner.end()?;
        Ok(parsed)
    }
}

fn parse_type(scanner: &mut Scanner<'_>, level: usize) -> Result<Type, ParseError> {
    scanner.skip_blanks();
    let column = scanner.column();
    let word = scanner.word().ok_or_else(|| scanner.unexpected("a type"))?;
    parse_from_word(scanner, word, column, level)
}

/// The type that begins with a word already read.
fn parse_from_word(
    scanner: &mut Scanner<'_>,
    word: &str,
    column: usize,
    level: usize,
) -> Result<Type, ParseError> {
    if level > DEEPEST_TYPE {
        return Err(ParseError::TooDeep {
            limit: DEEPEST_TYPE,
            column,
        });
    }
    Ok(match word {
        "nominal" => Type::Nominal,
        "numeric" => Type::Numeric,
        "datetime" | "date" => Type::DateTime,
        "string" => Type::String,
        "list" => Type::List(parse_elements(scanner, level)?),
        "set" => Type::Set(parse_elements(scanner, level)?),
        "bag" => Type::Bag(parse_elements(scanner, level)?),
        "tuple" => Type::Tuple(parse_fields(scanner, level)?),
        "tree" => Type::Tree,
        "term" => Type::Term,
        "graph" => Type::Graph,
        "ref" => Type::Ref(parse_table(scanner)?),
        _ => {
            return Err(ParseError::UnknownType {
                name: word.to_owned(),
                column,
                nearest: nearest(word, NAMES),
            });
        }
    })
}

fn open(scanner: &mut Scanner<'_>) -> Result<(), ParseError> {
    if scanner.eat('<') {
        Ok(())
    } else {
        Err(scanner.unexpected("`<`"))
    }
}

fn close(scanner: &mut Scanner<'_>) -> Result<(), ParseError> {
    if scanner.eat('>') {
        Ok(())
    } else {
        Err(scanner.unexpected("`>`"))
    }
}

fn parse_elements(scanner: &mut Scanner<'_>, level: usize) -> Result<Box<Type>, ParseError> {
    open(scanner)?;
    let of = parse_type(scanner, level + 1)?;
    close(scanner)?;
    Ok(Box::new(of))
}

fn parse_table(scanner: &mut Scanner<'_>) -> Result<String, ParseError> {
    open(scanner)?;
    scanner.skip_blanks();
    let table = match scanner.quoted('\'') {
        Some(quoted) => quoted?,
        None => scanner
            .word()
            .ok_or_else(|| scanner.unexpected("the name of a table"))?
            .to_owned(),
    };
    close(scanner)?;
    Ok(table)
}

fn parse_fields(scanner: &mut Scanner<'_>, level: usize) -> Result<Vec<Field>, ParseError> {
    open(scanner)?;
    let mut fields: Vec<Field> = Vec::new();
    if scanner.eat('>') {
        return Ok(fields);
    }
    loop {
        scanner.skip_blanks();
        let column = scanner.column();
        let field = parse_field(scanner, level)?;
        if let Some(name) = &field.name
            && fields.iter().any(|other| other.name.as_ref() == Some(name))
        {
            return Err(ParseError::RepeatedField {
                name: name.clone(),
                column,
            });
        }
        fields.push(field);
        if scanner.eat('>') {
            return Ok(fields);
        }
        if !scanner.eat(',') {
            return Err(scanner.unexpected("`,` or `>`"));
        }
    }
}

/// A word before `:` is a name even if it also names a type.
fn parse_field(scanner: &mut Scanner<'_>, level: usize) -> Result<Field, ParseError> {
    let column = scanner.column();
    let name = match scanner.quoted('\'') {
        Some(quoted) => {
            let name = quoted?;
            if !scanner.eat(':') {
                return Err(scanner.unexpected("`:`"));
            }
            name
        }
        None => {
            let word = scanner
                .word()
                .ok_or_else(|| scanner.unexpected("a type or the name of a field"))?;
            if !scanner.eat(':') {
                let of = parse_from_word(scanner, word, column, level + 1)?;
                return Ok(Field { name: None, of });
            }
            word.to_owned()
        }
    };
    Ok(Field {
        name: Some(name),
        of: parse_type(scanner, level + 1)?,
    })
}

impl Serialize for Type {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Type {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

/// The narrowest type that values of both types can be read by, if there is one.
///
/// Numbers and dates next to symbols are nominal, next to strings strings. Tuples with names have
/// the fields of both, as their objects may leave fields out; tuples without names that differ in
/// length are lists.
///
/// ```
/// use kinwood_values::{Type, types::unify};
/// assert_eq!(unify(&Type::Numeric, &Type::Nominal), Some(Type::Nominal));
/// assert_eq!(unify(&Type::Numeric, &Type::Tree), None);
/// ```
pub fn unify(a: &Type, b: &Type) -> Option<Type> {
    Guess::from(a).join(&Guess::from(b), true).map(Type::from)
}

/// No type holds all values of a column.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("value {index} is a `{found}`, the values before it a `{expected}`")]
pub struct NoCommonType {
    /// Position of the value, from 1.
    pub index: usize,
    /// Its type.
    pub found: Type,
    /// The common type of the values before it.
    pub expected: Type,
}

/// A type of which parts may still be unknown, as that of the elements of an empty list.
#[derive(Clone, Debug, PartialEq)]
pub enum Guess {
    /// Nothing is known.
    Unknown,
    /// A type without parts.
    Plain(Type),
    /// Any number of elements.
    Elements(Kind, Box<Guess>),
    /// Fields, some perhaps with names.
    Tuple(Vec<(Option<String>, Guess)>),
}

/// What holds all the guesses.
pub fn join_all<'a>(guesses: impl IntoIterator<Item = &'a Guess>, widen: bool) -> Option<Guess> {
    guesses
        .into_iter()
        .try_fold(Guess::Unknown, |common, guess| common.join(guess, widen))
}

impl Guess {
    /// What holds both. Without `widen`, kinds are kept apart: a number next to a word is no
    /// symbol.
    pub fn join(&self, other: &Guess, widen: bool) -> Option<Guess> {
        match (self, other) {
            (Guess::Unknown, guess) | (guess, Guess::Unknown) => Some(guess.clone()),
            (Guess::Plain(a), Guess::Plain(b)) if a == b => Some(self.clone()),
            (Guess::Plain(a), Guess::Plain(b)) if widen => join_plain(a, b).map(Guess::Plain),
            (Guess::Elements(kind, a), Guess::Elements(other_kind, b)) if kind == other_kind => {
                Some(Guess::Elements(*kind, Box::new(a.join(b, widen)?)))
            }
            (Guess::Tuple(a), Guess::Tuple(b)) => match join_fields(a, b, widen) {
                Some(fields) => Some(Guess::Tuple(fields)),
                None => self.join_as_lists(other, widen),
            },
            _ => self.join_as_lists(other, widen),
        }
    }

    /// The list that holds two arrays which are not the same tuple.
    fn join_as_lists(&self, other: &Guess, widen: bool) -> Option<Guess> {
        if !widen {
            return None;
        }
        let of = self.list_element()?.join(&other.list_element()?, true)?;
        Some(Guess::Elements(Kind::List, Box::new(of)))
    }

    fn list_element(&self) -> Option<Guess> {
        match self {
            Guess::Elements(Kind::List, of) => Some((**of).clone()),
            // A tuple without fields comes from an object, and no list does.
            Guess::Tuple(fields)
                if !fields.is_empty() && fields.iter().all(|(name, _)| name.is_none()) =>
            {
                join_all(fields.iter().map(|(_, guess)| guess), true)
            }
            _ => None,
        }
    }
}

/// The narrower of nominal and string that holds two different plain types.
fn join_plain(a: &Type, b: &Type) -> Option<Type> {
    let textual = |of: &Type| {
        matches!(
            of,
            Type::Nominal | Type::Numeric | Type::DateTime | Type::String
        )
    };
    if !textual(a) || !textual(b) {
        return None;
    }
    Some(if [a, b].contains(&&Type::String) {
        Type::String
    } else {
        Type::Nominal
    })
}

type Fields = Vec<(Option<String>, Guess)>;

fn join_fields(a: &Fields, b: &Fields, widen: bool) -> Option<Fields> {
    if a.iter().chain(b).all(|(name, _)| name.is_some()) {
        let mut union = a.clone();
        for (name, guess) in b {
            match union.iter_mut().find(|(other, _)| other == name) {
                Some((_, common)) => *common = common.join(guess, widen)?,
                None => union.push((name.clone(), guess.clone())),
            }
        }
        return Some(union);
    }
    // An array cannot be read by names that only another value has: names are the same or there are
    // none.
    if a.len() != b.len() {
        return None;
    }
    a.iter()
        .zip(b)
        .map(|((name, a), (other, b))| {
            Some((name.clone(), a.join(b, widen).filter(|_| name == other)?))
        })
        .collect()
}

impl From<&Type> for Guess {
    fn from(of: &Type) -> Guess {
        let elements = |kind, of: &Type| Guess::Elements(kind, Box::new(Guess::from(of)));
        match of {
            Type::List(of) => elements(Kind::List, of),
            Type::Set(of) => elements(Kind::Set, of),
            Type::Bag(of) => elements(Kind::Bag, of),
            Type::Tuple(fields) => Guess::Tuple(
                fields
                    .iter()
                    .map(|field| (field.name.clone(), Guess::from(&field.of)))
                    .collect(),
            ),
            plain => Guess::Plain(plain.clone()),
        }
    }
}

impl From<Guess> for Type {
    fn from(guess: Guess) -> Type {
        match guess {
            Guess::Unknown => Type::Nominal,
            Guess::Plain(of) => of,
            Guess::Elements(kind, of) => {
                let of = Box::new(Type::from(*of));
                match kind {
                    Kind::List => Type::List(of),
                    Kind::Set => Type::Set(of),
                    Kind::Bag => Type::Bag(of),
                }
            }
            Guess::Tuple(fields) => Type::Tuple(
                fields
                    .into_iter()
                    .map(|(name, of)| Field {
                        name,
                        of: of.into(),
                    })
                    .collect(),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        text.parse::<Type>().unwrap_err().to_string()
    }

    #[test]
    fn reads_every_type() {
        for (text, expected) in [
            ("date", Type::DateTime),
            (" list < numeric > ", Type::List(Box::new(Type::Numeric))),
            ("tuple<>", Type::Tuple(vec![])),
            ("ref<'my table'>", Type::Ref("my table".into())),
            (
                "tuple<nominal, 'it''s': tree, set: set<term>>",
                Type::Tuple(vec![
                    Field {
                        name: None,
                        of: Type::Nominal,
                    },
                    Field {
                        name: Some("it's".into()),
                        of: Type::Tree,
                    },
                    Field {
                        name: Some("set".into()),
                        of: Type::Set(Box::new(Type::Term)),
                    },
                ]),
            ),
        ] {
            assert_eq!(text.parse(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn errors_say_where_and_what() {
        for (text, expected) in [
            (
                "set<nominl>",
                "unknown type `nominl` at column 5; did you mean `nominal`?",
            ),
            ("wombat", "unknown type `wombat` at column 1"),
            ("", "expected a type at column 1 of the type, found the end"),
            (
                "list nominal",
                "expected `<` at column 6 of the type, found `nominal`",
            ),
            (
                "list<nominal",
                "expected `>` at column 13 of the type, found the end",
            ),
            (
                "tuple<tree; term>",
                "expected `,` or `>` at column 11 of the type, found `;`",
            ),
            (
                "tuple<'a' tree>",
                "expected `:` at column 11 of the type, found `tree`",
            ),
            (
                "tuple<a: tree, a: term>",
                "field `a` at column 16 is already a field of this tuple",
            ),
            (
                "ref<>",
                "expected the name of a table at column 5 of the type, found `>`",
            ),
            (
                "ref<'a>",
                "the quote opened at column 5 of the type is never closed",
            ),
            (
                "tree tree",
                "expected the end at column 6 of the type, found `tree`",
            ),
        ] {
            assert_eq!(message(text), expected, "{text}");
        }
    }

    #[test]
    fn nesting_is_limited() {
        let nested = |levels: usize| {
            format!(
                "{}tree{}",
                "list<".repeat(levels - 1),
                ">".repeat(levels - 1)
            )
        };
        assert!(nested(DEEPEST_TYPE).parse::<Type>().is_ok());
        assert_eq!(
            message(&nested(DEEPEST_TYPE + 1)),
            "type nested more than 64 levels deep at column 321"
        );
        assert!(message(&"tuple<a:".repeat(100_000)).starts_with("type nested more than"));
    }

    #[test]
    fn is_serialised_as_its_text() {
        let bag: Type = "bag<ref<person>>".parse().unwrap();
        let json = serde_json::to_string(&bag).unwrap();
        assert_eq!(json, "\"bag<ref<person>>\"");
        assert_eq!(serde_json::from_str::<Type>(&json).unwrap(), bag);
        assert!(serde_json::from_str::<Type>("\"bog\"").is_err());
    }

    #[test]
    fn unify_finds_the_narrowest_type() {
        for (a, b, expected) in [
            ("numeric", "datetime", Some("nominal")),
            ("nominal", "string", Some("string")),
            ("list<numeric>", "list<nominal>", Some("list<nominal>")),
            ("list<numeric>", "set<numeric>", None),
            ("ref<a>", "ref<b>", None),
            ("tuple<a: tree>", "tuple<tree>", None),
            ("tuple<a: tree, tree>", "tuple<tree, a: tree>", None),
            (
                "tuple<a: tree>",
                "tuple<b: term, a: tree>",
                Some("tuple<a: tree, b: term>"),
            ),
            (
                "tuple<numeric, nominal>",
                "list<string>",
                Some("list<string>"),
            ),
            ("tuple<a: numeric>", "list<numeric>", None),
            ("tuple<>", "list<numeric>", None),
        ] {
            let [a, b] = [a, b].map(|text| text.parse::<Type>().unwrap());
            let unified = unify(&a, &b).map(|of| of.to_string());
            assert_eq!(unified.as_deref(), expected, "{a} {b}");
        }
    }
}
