//! Collections in one cell: `["a", "b"]`, `['a', 'b']`, `{a, b}`, `(a, b)`, `a|b`, `a; b`.

use serde_json::Value as Json;

use super::{Notation, read};
use crate::types::Type;
use crate::value::Value;

/// What separates the members of a collection without brackets, the likeliest first.
pub const SEPARATORS: [char; 3] = ['|', ';', ','];

/// Deepest nesting of brackets.
const DEEPEST: usize = 32;

/// The members of a collection of this element type.
pub(super) fn elements(
    text: &str,
    of: &Type,
    notation: Option<Notation>,
) -> Result<Vec<Value>, String> {
    let text = text.trim();
    if text.starts_with(['[', '{', '(']) {
        let Some(Json::Array(members)) = bracketed(text) else {
            return Err(match serde_json::from_str::<Json>(text) {
                Ok(_) => "an array was expected".to_owned(),
                Err(error) => format!("as JSON, which it is not: {error}"),
            });
        };
        let list = Type::List(Box::new(of.clone()));
        let refused = match Value::from_json(&list, &Json::Array(members.clone())) {
            Ok(Value::List(values)) => return Ok(values),
            Ok(other) => return Ok(vec![other]),
            Err(error) => error.to_string(),
        };
        // Dates and amounts inside of a list have the forms that they have outside.
        let written = members.iter().map(|json| match (json, of) {
            (Json::String(text), Type::Numeric | Type::DateTime) => read(text, of, notation),
            (json, of) => Value::from_json(of, json).map_err(|error| error.to_string()),
        });
        return written.collect::<Result<_, _>>().map_err(|_| refused);
    }
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let plain = matches!(
        of,
        Type::Nominal | Type::String | Type::Numeric | Type::DateTime
    );
    if !plain {
        let json: Json = serde_json::from_str(text)
            .map_err(|error| format!("as JSON, which it is not: {error}"))?;
        return Err(format!("an array was expected, found {json}"));
    }
    let separator = SEPARATORS.into_iter().find(|&mark| text.contains(mark));
    match separator {
        Some(separator) => separated(text, separator)
            .map(|part| read(part, of, notation))
            .collect(),
        None => Ok(vec![read(text, of, notation)?]),
    }
}

/// The parts between separators, without blanks around them; empty ones at the end do not count.
pub fn separated(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let text = text.trim().trim_end_matches(separator);
    text.split(separator)
        .map(str::trim)
        .filter(|part| !part.is_empty())
}

/// The value of a cell in brackets: JSON, or a list as programs print it, whose texts may have
/// single quotes or none.
pub fn bracketed(text: &str) -> Option<Json> {
    let text = text.trim();
    if let Ok(json) = serde_json::from_str::<Json>(text) {
        return (json.is_array() || json.is_object()).then_some(json);
    }
    let mut cursor = Cursor { text, at: 0 };
    let list = cursor.list(0)?;
    cursor.blanks();
    (cursor.at == text.len()).then_some(list)
}

/// A place in the text of a list.
struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl Cursor<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn take(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    fn blanks(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.take();
        }
    }

    fn list(&mut self, depth: usize) -> Option<Json> {
        let close = match self.take()? {
            '[' => ']',
            '{' => '}',
            '(' => ')',
            _ => return None,
        };
        let mut members = Vec::new();
        loop {
            self.blanks();
            if self.peek()? == close {
                self.take();
                return Some(Json::Array(members));
            }
            members.push(self.member(close, depth)?);
            self.blanks();
            match self.peek()? {
                ',' => {
                    self.take();
                }
                mark if mark == close => {}
                _ => return None,
            }
        }
    }

    fn member(&mut self, close: char, depth: usize) -> Option<Json> {
        match self.peek()? {
            '[' | '{' | '(' if depth < DEEPEST => self.list(depth + 1),
            quote @ ('"' | '\'') => self.quoted(quote),
            _ => self.bare(close),
        }
    }

    fn quoted(&mut self, quote: char) -> Option<Json> {
        self.take();
        let mut text = String::new();
        loop {
            match self.take()? {
                '\\' => text.push(match self.take()? {
                    'n' => '\n',
                    't' => '\t',
                    other => other,
                }),
                mark if mark == quote => return Some(Json::String(text)),
                other => text.push(other),
            }
        }
    }

    /// A number or a label, up to the next comma or the closing bracket. A colon would make it the
    /// key of an object, which is no list.
    fn bare(&mut self, close: char) -> Option<Json> {
        let start = self.at;
        while self.peek().is_some_and(|next| next != ',' && next != close) {
            if matches!(self.take()?, '[' | ']' | '{' | '}' | '(' | ')' | '"' | ':') {
                return None;
            }
        }
        let text = self.text[start..self.at].trim();
        match text {
            "" => None,
            "None" | "null" | "nan" | "NaN" => Some(Json::Null),
            "True" => Some(Json::String("true".to_owned())),
            "False" => Some(Json::String("false".to_owned())),
            _ => Some(number(text).unwrap_or_else(|| Json::String(text.to_owned()))),
        }
    }
}

/// The finite number that a text is.
pub fn number(text: &str) -> Option<Json> {
    let figures = text.starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first));
    let number: f64 = figures.then(|| text.parse().ok())??;
    serde_json::Number::from_f64(number).map(Json::Number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_as_programs_print_them() {
        for (text, json) in [
            (r#"["a", "b"]"#, r#"["a","b"]"#),
            (r#"{"a": 1}"#, r#"{"a":1}"#),
            ("['a', 'b']", r#"["a","b"]"#),
            (r"['it\'s', 'b',]", r#"["it's","b"]"#),
            ("{a, b c}", r#"["a","b c"]"#),
            ("(1, -2.5, x)", r#"[1.0,-2.5,"x"]"#),
            ("[[1, 2], ['a']]", r#"[[1,2],["a"]]"#),
            ("[None, True]", r#"[null,"true"]"#),
            ("[]", "[]"),
            ("{}", "{}"),
            ("[nan, 1]", "[null,1.0]"),
        ] {
            let read = bracketed(text).unwrap_or_else(|| panic!("{text}"));
            let expected: Json = serde_json::from_str(json).unwrap();
            let same = |one: &Json| one.to_string().replace(".0", "");
            assert_eq!(same(&read), same(&expected), "{text}");
        }
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        for text in [
            "[a",
            "a]",
            "[a] b",
            "{a: 1}",
            "[,]",
            "['a]",
            "",
            "x",
            "1",
            deep.as_str(),
        ] {
            assert_eq!(bracketed(text), None, "{}", &text[..text.len().min(9)]);
        }
    }

    #[test]
    fn parts_between_separators() {
        let parts: Vec<&str> = separated(" a| b c |d||", '|').collect();
        assert_eq!(parts, ["a", "b c", "d"]);
    }
}
