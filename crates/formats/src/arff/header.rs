//! The header: what attributes there are and what values they have.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use kinwood_values::types::DEEPEST_TYPE;
use kinwood_values::{Dictionary, Notice, NoticeKind};

use super::date::{BadPattern, CUSTOMARY, LETTERS, Pattern};
use super::document::{Document, Line, Place, nearest, quote};
use super::row;
use crate::error::{Error, Result};
use cursor::Cursor;

mod cursor;

/// What stands before the rows.
pub(super) struct Header {
    pub(super) attributes: Vec<Declaration>,
    /// The byte the first line after `@data` begins at.
    pub(super) data: usize,
    pub(super) notices: Vec<Notice>,
}

/// A declared attribute.
#[derive(Debug)]
pub(super) struct Declaration {
    pub(super) name: String,
    pub(super) domain: Domain,
    /// The type as written, in lower case.
    word: String,
}

/// What values an attribute may have.
#[derive(Debug)]
pub(super) enum Domain {
    Numeric,
    Nominal(Arc<Dictionary>),
    /// CLUS's name of a row.
    Key,
    Text,
    Date(Pattern),
    /// CLUS's sets of class paths: the declared paths and their ancestors, these first.
    Hierarchy(Arc<Dictionary>),
    Bag(Vec<Declaration>),
}

impl Declaration {
    /// Why the column has its type.
    pub(super) fn evidence(&self) -> String {
        let counted = |count: usize, what: &str| {
            let ending = match (count, what) {
                (1, _) => "",
                (_, "class") => "es",
                _ => "s",
            };
            format!("declared {} with {count} {what}{ending}", self.word)
        };
        match &self.domain {
            Domain::Nominal(dictionary) => counted(dictionary.len(), "value"),
            Domain::Hierarchy(dictionary) => counted(dictionary.len(), "class"),
            Domain::Bag(attributes) => counted(attributes.len(), "attribute"),
            Domain::Date(pattern) => format!("declared date by `{}`", pattern.text()),
            Domain::Numeric | Domain::Key | Domain::Text => format!("declared {}", self.word),
        }
    }
}

/// A bag and its tuple are two levels of a type, and the innermost attribute, a set, at most two
/// more.
const DEEPEST_BAG: usize = (DEEPEST_TYPE - 2) / 2;

/// Levels of a class path; paths name all their ancestors, so long ones would cost their square.
const DEEPEST_CLASS: usize = 64;

const TYPES: [&str; 9] = [
    "numeric",
    "real",
    "integer",
    "nominal",
    "string",
    "date",
    "relational",
    "hierarchical",
    "key",
];

/// Reads all up to the line of `@data`.
pub(super) fn parse(document: &Document<'_>) -> Result<Header> {
    let mut parser = Parser {
        cursor: Cursor::new(document),
        notices: Vec::new(),
        weighted: Vec::new(),
    };
    let attributes = parser.attributes(None, 0)?;
    parser.cursor.skip_rest_of_line();
    let mut notices = parser.notices;
    if let Some(first) = parser.weighted.first() {
        let others = match parser.weighted.len() {
            1 => String::new(),
            2 => " and of another".to_owned(),
            count => format!(" and of {} others", count - 1),
        };
        notices.push(Notice::about(
            NoticeKind::LeftOut,
            format!("the declared weight of attribute `{first}`{others} is not used"),
        ));
    }
    Ok(Header {
        attributes,
        data: parser.cursor.at,
        notices,
    })
}

struct Parser<'a> {
    cursor: Cursor<'a>,
    notices: Vec<Notice>,
    /// Attributes with a weight of their own.
    weighted: Vec<String>,
}

impl<'a> Parser<'a> {
    fn document(&self) -> &'a Document<'a> {
        self.cursor.document
    }

    /// Attributes up to `@data` or, inside of a bag, up to its `@end`.
    fn attributes(&mut self, bag: Option<&str>, depth: usize) -> Result<Vec<Declaration>> {
        let mut attributes: Vec<Declaration> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        let end = match bag {
            Some(bag) => format!("`@end {bag}`"),
            None => "`@data`".to_owned(),
        };
        loop {
            self.cursor.skip_lines();
            let at = self.cursor.at;
            let keyword = self.cursor.word(b"{%'\"");
            match (keyword.to_ascii_lowercase().as_str(), bag) {
                ("@relation", None) => self.cursor.skip_rest_of_line(),
                ("@attribute", _) => {
                    let (declaration, at) = self.attribute(depth)?;
                    match places.entry(declaration.name.clone()) {
                        Entry::Vacant(vacant) => {
                            vacant.insert(at);
                        }
                        Entry::Occupied(before) => {
                            let (line, _) = self.document().position(*before.get());
                            let name = quote(&declaration.name);
                            let found = format!("{name}, which line {line} declares");
                            return Err(self.document().fail(at, "a new name", found));
                        }
                    }
                    attributes.push(declaration);
                }
                ("@data", None) if !attributes.is_empty() => {
                    self.end_of_line()?;
                    return Ok(attributes);
                }
                ("@end", Some(bag)) if !attributes.is_empty() => {
                    self.end(bag)?;
                    return Ok(attributes);
                }
                _ => {
                    let expected = match attributes.is_empty() {
                        true => "`@attribute`".to_owned(),
                        false => format!("`@attribute` or {end}"),
                    };
                    return Err(self.unexpected_keyword(at, keyword, expected));
                }
            }
        }
    }

    fn unexpected_keyword(&self, at: usize, keyword: &str, expected: String) -> Error {
        if at == self.document().text.len() {
            let found = "the end of the file".to_owned();
            return self.document().fail(at, expected, found);
        }
        let known = ["@relation", "@attribute", "@data", "@end"];
        let near =
            nearest(keyword, known.into_iter()).filter(|name| !name.eq_ignore_ascii_case(keyword));
        let found = match keyword {
            "" => self.cursor.found(),
            keyword => quote(keyword),
        };
        self.document().fail_near(at, expected, found, near)
    }

    /// What follows `@end`: the name of the bag.
    fn end(&mut self, bag: &str) -> Result<()> {
        self.cursor.skip_blanks();
        let at = self.cursor.at;
        let name = self.cursor.name(b"%")?;
        if name != bag {
            let found = quote(&name);
            return Err(self.document().fail(at, format!("`@end {bag}`"), found));
        }
        self.end_of_line()
    }

    /// What follows `@attribute`: name and type. With the name's place.
    fn attribute(&mut self, depth: usize) -> Result<(Declaration, usize)> {
        self.cursor.skip_blanks();
        let at = self.cursor.at;
        if self.cursor.at_line_end() || self.cursor.peek() == Some(b'{') {
            return Err(self.cursor.unexpected("the name of an attribute"));
        }
        let name = self.cursor.name(b"{")?.into_owned();
        self.cursor.skip_blanks();
        if self.cursor.at_line_end() {
            return Err(self.cursor.unexpected("a type or `{`"));
        }
        let (word, domain) = if self.cursor.peek() == Some(b'{') {
            ("nominal".to_owned(), self.nominal(&name)?)
        } else {
            let start = self.cursor.at;
            let word = self.cursor.word(b"{[%'\",").to_ascii_lowercase();
            let domain = self.domain(&name, &word, start, depth)?;
            (word, domain)
        };
        if !matches!(domain, Domain::Bag(_)) {
            self.end_of_attribute(&name, &domain)?;
        }
        let declaration = Declaration { name, domain, word };
        Ok((declaration, at))
    }

    fn domain(&mut self, name: &str, word: &str, start: usize, depth: usize) -> Result<Domain> {
        Ok(match word {
            "numeric" | "real" | "integer" => Domain::Numeric,
            "string" => Domain::Text,
            "key" => Domain::Key,
            "date" => Domain::Date(self.pattern()?),
            "hierarchical" => Domain::Hierarchy(self.classes()?),
            "relational" => {
                self.end_of_line()?;
                if depth == DEEPEST_BAG {
                    let expected = format!("bags nested at most {DEEPEST_BAG} deep");
                    return Err(self.document().fail(start, expected, quote(word)));
                }
                Domain::Bag(self.attributes(Some(name), depth + 1)?)
            }
            "nominal" => {
                let expected = "the values in braces, as `{a, b}`";
                return Err(self.document().fail(start, expected, quote(word)));
            }
            _ => {
                let found = match word {
                    "" => quote(&self.document().text[start..=start]),
                    word => quote(word),
                };
                let near = nearest(word, TYPES.into_iter());
                let expected = "a type (numeric, string, date, …) or values in braces";
                return Err(self
                    .document()
                    .fail_near(start, expected.to_owned(), found, near));
            }
        })
    }

    /// The declared values in their order; repeats are told and dropped.
    fn nominal(&mut self, name: &str) -> Result<Domain> {
        let mut dictionary = Dictionary::new();
        let mut repeated = None;
        let values = self.cursor.braces()?;
        for value in &values {
            let before = dictionary.len();
            dictionary.intern(value);
            if dictionary.len() == before {
                repeated.get_or_insert(value);
            }
        }
        if let Some(value) = repeated {
            self.notices.push(Notice::about(
                NoticeKind::Type,
                format!(
                    "attribute `{name}` declares {} more than once",
                    quote(value)
                ),
            ));
        }
        Ok(Domain::Nominal(Arc::new(dictionary)))
    }

    fn pattern(&mut self) -> Result<Pattern> {
        self.cursor.skip_blanks();
        let at = self.cursor.at;
        let text = match self.cursor.at_line_end() || self.cursor.peek() == Some(b'{') {
            true => CUSTOMARY.into(),
            false => self.cursor.name(b"%{")?,
        };
        Pattern::parse(&text).map_err(|bad| {
            let (expected, found) = match bad {
                BadPattern::Letter(letter) => (
                    format!("a date pattern of the letters {LETTERS}"),
                    quote(&letter.to_string()),
                ),
                BadPattern::OpenQuote => (
                    "a date pattern whose quotes are closed".to_owned(),
                    quote(&text),
                ),
            };
            self.document().fail(at, expected, found)
        })
    }

    /// Class paths, each after all of its ancestors.
    fn classes(&mut self) -> Result<Arc<Dictionary>> {
        let start = self.cursor.at;
        self.cursor.skip_to_line_end();
        let line = Line {
            text: &self.document().text[start..self.cursor.at],
            place: Place::File {
                document: self.document(),
                start,
            },
        };
        let mut dictionary = Dictionary::new();
        for path in row::list(&line)? {
            let empty_level = path.text.split('/').any(|level| level.trim().is_empty());
            let levels = path.text.split('/').count();
            if empty_level || levels > DEEPEST_CLASS {
                let expected = format!("a class path of 1 to {DEEPEST_CLASS} levels, as `1/2`");
                return Err(line.fail(path.at, expected, quote(&path.text)));
            }
            for (end, _) in path.text.match_indices('/') {
                dictionary.intern(&path.text[..end]);
            }
            dictionary.intern(&path.text);
        }
        if dictionary.is_empty() {
            return Err(self.cursor.unexpected("class paths, as `1, 1/1, 1/2`"));
        }
        Ok(Arc::new(dictionary))
    }

    /// After the type: nothing, the range that early ARFF gave, or the attribute's weight.
    fn end_of_attribute(&mut self, name: &str, domain: &Domain) -> Result<()> {
        self.cursor.skip_blanks();
        match self.cursor.peek() {
            Some(b'[') if matches!(domain, Domain::Numeric) => self.cursor.skip_rest_of_line(),
            Some(b'{') => {
                let at = self.cursor.at;
                let values = self.cursor.braces()?;
                let weight = matches!(&values[..], [weight] if weight.parse::<f64>().is_ok());
                if !weight {
                    let expected = "the end of the line or the weight of the attribute";
                    return Err(self.document().fail(at, expected, "`{`".to_owned()));
                }
                self.weighted.push(name.to_owned());
                self.end_of_line()?;
            }
            _ => self.end_of_line()?,
        }
        Ok(())
    }

    fn end_of_line(&mut self) -> Result<()> {
        self.cursor.skip_blanks();
        if self.cursor.at_line_end() {
            Ok(())
        } else {
            Err(self.cursor.unexpected("the end of the line"))
        }
    }
}
