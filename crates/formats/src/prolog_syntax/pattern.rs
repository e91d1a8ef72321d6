//! Patterns: what the arguments of a predicate are, as a schema's `[facts]` says it:
//! `a(atom, element: symbol, charge: number)`.

use std::fmt;

use super::characters::Encoding;
use super::cursor::Tokens;
use super::print::write_atom;
use super::token::Token;
use crate::error::Error;
use crate::source::Source;

/// What the arguments of a predicate are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The predicate's name.
    pub predicate: String,
    /// Its arguments, in order.
    pub arguments: Vec<Argument>,
}

/// What is stated about an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// What its column is called; `a1`, `a2`, … by its position if absent.
    pub name: Option<String>,
    /// What it is.
    pub of: ArgumentKind,
}

/// What an argument is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgumentKind {
    /// A number.
    Number,
    /// A constant, a whole number that is a code, or a term taken as a whole.
    Symbol,
    /// The label of an example: a class or a number.
    Target,
    /// Nothing that is read.
    LeftOut,
    /// An ID of this kind.
    Id(String),
}

/// What is wrong with the text of a pattern or a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// What could have stood there.
    pub expected: String,
    /// What stands there.
    pub found: String,
}

impl Flaw {
    pub(crate) fn new(expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self {
            expected: expected.into(),
            found: found.into(),
        }
    }

    /// The flaw behind an error about a text in memory, whose place says nothing to anybody.
    pub(crate) fn of(error: Error) -> Self {
        match error {
            Error::Syntax {
                expected, found, ..
            } => Self::new(expected, found.replace("the end of the file", "the end")),
            error => Self::new("text", error.to_string()),
        }
    }
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// ```
    /// use kinwood_formats::prolog::Pattern;
    /// let pattern = Pattern::parse("a(atom, element: symbol, _, number)").unwrap();
    /// assert_eq!(pattern.arguments.len(), 4);
    /// assert_eq!(pattern.to_string(), "a(atom, element: symbol, _, number)");
    /// ```
    pub fn parse(text: &str) -> Result<Self, Flaw> {
        let source = Source::from_bytes("pattern", text.as_bytes());
        let mut tokens = Tokens::new(&source, Encoding::Utf8).map_err(Flaw::of)?;
        let mut next = |expected: &str, wanted: &[Token]| -> Result<(Token, String), Flaw> {
            let token = tokens.next().map_err(Flaw::of)?;
            match wanted.contains(&token) {
                true => Ok((token, tokens.text.clone())),
                false => {
                    let found = tokens.describe(token);
                    Err(Flaw::new(
                        expected,
                        found.replace("the end of the file", "the end"),
                    ))
                }
            }
        };
        let (_, predicate) = next("the name of a predicate", &[Token::Name])?;
        next("`(`", &[Token::Open])?;
        let mut arguments = Vec::new();
        loop {
            const WORD: &str =
                "`number`, `symbol`, `target`, `_` or a kind of ID, a name in lower case";
            let (mut token, mut word) = next(WORD, &[Token::Name, Token::Variable])?;
            let mut name = None;
            let (mut mark, mut text) = next(
                "`,`, `)` or `:`",
                &[Token::Comma, Token::Close, Token::Symbol],
            )?;
            if mark == Token::Symbol && text == ":" {
                name = Some(word);
                (token, word) = next(WORD, &[Token::Name, Token::Variable])?;
                (mark, text) = next("`,` or `)`", &[Token::Comma, Token::Close])?;
            }
            if mark == Token::Symbol {
                return Err(Flaw::new("`,`, `)` or `:`", format!("`{text}`")));
            }
            let of = match (token, word.as_str()) {
                (Token::Variable, "_") => ArgumentKind::LeftOut,
                (Token::Variable, _) => return Err(Flaw::new(WORD, format!("`{word}`"))),
                (_, "number") => ArgumentKind::Number,
                (_, "symbol") => ArgumentKind::Symbol,
                (_, "target") => ArgumentKind::Target,
                _ => ArgumentKind::Id(word),
            };
            arguments.push(Argument { name, of });
            if mark == Token::Close {
                break;
            }
        }
        next("the end", &[Token::EndOfFile])?;
        let pattern = Self {
            predicate,
            arguments,
        };
        let names = pattern.columns();
        match (0..names.len()).find(|&place| names[..place].contains(&names[place])) {
            Some(place) => Err(Flaw::new(
                "a name for each argument that no other has",
                format!("`{}` twice", names[place]),
            )),
            None => Ok(pattern),
        }
    }

    /// The pattern, if it can be that of the examples.
    pub(crate) fn of_examples(self) -> Result<Self, Flaw> {
        let count = |wanted: fn(&ArgumentKind) -> bool| {
            let kinds = self.arguments.iter().map(|argument| &argument.of);
            kinds.filter(|of| wanted(of)).count()
        };
        if count(|of| matches!(of, ArgumentKind::Id(_))) == 0 {
            return Err(Flaw::new("an argument that is a kind of ID", "none"));
        }
        match count(|of| *of == ArgumentKind::Target) {
            0 | 1 => Ok(self),
            several => Err(Flaw::new("at most one `target`", several.to_string())),
        }
    }

    /// The pattern, if facts of it can describe an object.
    pub(crate) fn of_descriptions(self) -> Result<Self, Flaw> {
        let mut kinds = self.arguments.iter().map(|argument| &argument.of);
        if kinds.clone().any(|of| *of == ArgumentKind::Target) {
            return Err(Flaw::new("`target` in `example` only", "`target`"));
        }
        match kinds.find(|of| **of != ArgumentKind::LeftOut) {
            Some(ArgumentKind::Id(_)) => Ok(self),
            Some(other) => Err(Flaw::new(
                "the kind of ID that the fact describes as first argument",
                format!("`{other}`"),
            )),
            None => Err(Flaw::new("a kind of ID", "nothing but `_`")),
        }
    }

    /// What the columns of all arguments are called.
    pub(crate) fn columns(&self) -> Vec<String> {
        let arguments = self.arguments.iter().enumerate();
        arguments
            .map(|(position, argument)| match &argument.name {
                Some(name) => name.clone(),
                None => format!("a{}", position + 1),
            })
            .collect()
    }
}

impl fmt::Display for ArgumentKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArgumentKind::Number => out.write_str("number"),
            ArgumentKind::Symbol => out.write_str("symbol"),
            ArgumentKind::Target => out.write_str("target"),
            ArgumentKind::LeftOut => out.write_str("_"),
            ArgumentKind::Id(kind) => out.write_str(&atom(kind)),
        }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let argument = |argument: &Argument| match &argument.name {
            Some(name) if name.starts_with(|c: char| c.is_uppercase()) => {
                format!("{name}: {}", argument.of)
            }
            Some(name) => format!("{}: {}", atom(name), argument.of),
            None => argument.of.to_string(),
        };
        let arguments: Vec<String> = self.arguments.iter().map(argument).collect();
        write!(out, "{}({})", atom(&self.predicate), arguments.join(", "))
    }
}

/// A name, in quotes where it needs them.
pub(crate) fn atom(name: &str) -> String {
    let mut text = String::new();
    write_atom(&mut text, name);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_read_and_written() {
        for text in [
            "great_ne(compound, compound)",
            "class(molecule, label: target)",
            "a(atom, Element: symbol, _, charge: number)",
            "'Bond of'('an atom', 'the type': symbol)",
        ] {
            assert_eq!(Pattern::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_no_pattern_says_what_is_expected() {
        for (text, expected, found) in [
            ("", "the name of a predicate", "the end"),
            ("p", "`(`", "the end"),
            ("p(a, X)", "`number`, `symbol`", "`X`"),
            ("p(a b)", "`,`, `)` or `:`", "`b`"),
            ("p(a, x: )", "`number`, `symbol`", "`)`"),
            ("p(a). q", "the end", "`.`"),
            ("p(a, 3)", "`number`, `symbol`", "the number 3"),
            ("p(a+b)", "`,`, `)` or `:`", "`+`"),
            ("p(a, x: b, x: c)", "a name for each argument", "`x` twice"),
            ("p(a2: a, b)", "a name for each argument", "`a2` twice"),
        ] {
            let flaw = Pattern::parse(text).unwrap_err();
            assert!(flaw.expected.starts_with(expected), "{text}: {flaw:?}");
            assert_eq!(flaw.found, found, "{text}");
        }
    }

    #[test]
    fn examples_and_descriptions_are_about_something() {
        let parse = |text: &str| Pattern::parse(text).unwrap();
        assert!(parse("p(number, target)").of_examples().is_err());
        assert!(parse("p(a, target, target)").of_examples().is_err());
        assert!(parse("p(number, a)").of_examples().is_ok());
        assert!(parse("p(_, a, number)").of_descriptions().is_ok());
        for text in ["p(number, a)", "p(_, _)", "p(a, target)"] {
            assert!(parse(text).of_descriptions().is_err(), "{text}");
        }
    }
}
