//! Expressions: how a distance or kernel is said, `hausdorff(mean(discrete,
//! absolute(range=train)))`.
//!
//! One small language for the command line, schema files, Rust and models: a name, and in
//! parentheses its parts (themselves expressions, of a field where named, weighted where said so)
//! and settings. An expression knows names only; [`crate::Registry`] gives them meaning. What is
//! fitted is an expression too, with every number that came from training written out, so a model
//! keeps its distance as one line of text.

mod parse;

use std::fmt::{self, Write};
use std::str::FromStr;

use crate::error::Error;

/// How deep expressions may be nested: deeper ones are mistakes, and would exhaust the stack.
pub const DEEPEST_EXPRESSION: usize = 64;

/// A distance or kernel by name, with its parts and settings.
///
/// ```
/// use kinwood_similarity::Expression;
/// let text = "hausdorff( mean(discrete*2, absolute( range = train )) )";
/// let expression: Expression = text.parse()?;
/// assert_eq!(expression.to_string(), "hausdorff(mean(discrete * 2, absolute(range=train)))");
/// # Ok::<(), kinwood_similarity::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    /// The measure.
    pub name: String,
    /// What stands in the parentheses.
    pub arguments: Vec<Argument>,
    /// Where the name begins.
    pub at: Position,
}

/// A column of the text, from 1; expressions are equal wherever they were written.
#[derive(Clone, Copy, Debug, Default)]
pub struct Position(pub usize);

impl PartialEq for Position {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// One argument.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// The measure of a part: of all items, or of a field.
    Part(Part),
    /// A setting by name, `M=3`.
    Setting {
        /// Which.
        name: String,
        /// Its value.
        value: Literal,
        /// Where it stands.
        at: Position,
    },
    /// A setting by its place among the numbers, `gaussian(0.5)`.
    Number(f64, Position),
}

/// The measure of a part of the value.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The field it is of, where it is named rather than placed.
    pub field: Option<String>,
    /// The measure.
    pub measure: Expression,
    /// How much it counts.
    pub weight: f64,
}

/// What a setting may be.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// A finite number.
    Number(f64),
    /// A word, or anything in quotes.
    Word(String),
}

impl Expression {
    /// A name alone.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            arguments: Vec::new(),
            at: Position::default(),
        }
    }

    /// With one more part.
    pub fn part(mut self, measure: Expression) -> Self {
        self.arguments.push(Argument::Part(Part {
            field: None,
            measure,
            weight: 1.0,
        }));
        self
    }

    /// With one more number for a setting.
    pub fn number(self, name: &str, value: f64) -> Self {
        self.setting(name, Literal::Number(value))
    }

    /// With one more word for a setting.
    pub fn word(self, name: &str, value: &str) -> Self {
        self.setting(name, Literal::Word(value.to_owned()))
    }

    fn setting(mut self, name: &str, value: Literal) -> Self {
        self.arguments.push(Argument::Setting {
            name: name.to_owned(),
            value,
            at: Position::default(),
        });
        self
    }

    /// The parts, in order.
    pub fn parts(&self) -> impl Iterator<Item = &Part> {
        self.arguments.iter().filter_map(|argument| match argument {
            Argument::Part(part) => Some(part),
            _ => None,
        })
    }
}

impl FromStr for Expression {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        parse::expression(text)
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if self.arguments.is_empty() {
            return Ok(());
        }
        f.write_char('(')?;
        for (i, argument) in self.arguments.iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            match argument {
                Argument::Part(part) => {
                    if let Some(field) = &part.field {
                        write_word(f, field)?;
                        f.write_str(": ")?;
                    }
                    write!(f, "{}", part.measure)?;
                    if part.weight != 1.0 {
                        f.write_str(" * ")?;
                        write_number(f, part.weight)?;
                    }
                }
                Argument::Setting { name, value, .. } => {
                    write!(f, "{name}=")?;
                    match value {
                        Literal::Number(number) => write_number(f, *number)?,
                        Literal::Word(word) => write_word(f, word)?,
                    }
                }
                Argument::Number(number, _) => write_number(f, *number)?,
            }
        }
        f.write_char(')')
    }
}

fn write_number(f: &mut fmt::Formatter<'_>, number: f64) -> fmt::Result {
    if number == 0.0 || (1e-5..1e16).contains(&number.abs()) {
        write!(f, "{number}")
    } else {
        write!(f, "{number:e}")
    }
}

fn write_word(f: &mut fmt::Formatter<'_>, word: &str) -> fmt::Result {
    let mut characters = word.chars();
    let plain = characters.next().is_some_and(begins_word) && characters.all(continues_word);
    if plain {
        return f.write_str(word);
    }
    write!(f, "'{}'", word.replace('\'', "''"))
}

fn begins_word(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn continues_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
