//! The parser of constraints: by hand, so that an error says what stood where and what could have.

use super::{Atom, Bound, Constraint, Name};
use crate::error::{Result, TreeError};
use kinwood_values::cursor::{Cursor, Unclosed};
use kinwood_values::suggest::nearest;

/// How deep parentheses and negations may be nested.
const DEEPEST: usize = 64;

const NAMES: [&str; 11] = [
    "size", "leaf", "depth", "cost", "uses", "accuracy", "error", "like", "monotone", "fair", "not",
];

pub(super) fn constraint(text: &str) -> Result<Constraint> {
    let mut parser = Parser(Cursor::new(text));
    let read = parser.any(false, 0)?;
    parser.0.skip_blanks();
    match parser.0.peek() {
        None => Ok(read),
        Some(')') => Err(parser.unexpected("`and`, `or` or the end: this `)` closes nothing")),
        Some(_) => {
            let mut error = parser.unexpected("`and`, `or` or the end");
            parser.suggest(&mut error, &["and", "or"]);
            Err(error)
        }
    }
}

struct Parser<'a>(Cursor<'a>);

impl<'a> Parser<'a> {
    /// The word that comes next, without taking it.
    fn peek(&self) -> &'a str {
        self.0.peek_while(|c| c.is_alphanumeric() || c == '_')
    }

    fn unexpected(&self, expected: &str) -> TreeError {
        let word: String = self.peek().chars().take(40).collect();
        let found = match self.0.peek() {
            None => "the end".to_owned(),
            Some(c) if word.is_empty() => format!("`{c}`"),
            Some(_) => format!("`{word}`"),
        };
        self.error(expected, found)
    }

    fn error(&self, expected: &str, found: String) -> TreeError {
        TreeError::ConstraintSyntax {
            column: self.0.column(),
            expected: expected.to_owned(),
            found,
            nearest: None,
        }
    }

    fn suggest(&self, error: &mut TreeError, names: &[&str]) {
        if let TreeError::ConstraintSyntax { nearest: place, .. } = error {
            *place = nearest(self.peek(), names);
        }
    }

    /// Takes the word if it comes next, in any case, after blanks.
    fn keyword(&mut self, wanted: &str) -> bool {
        self.0.skip_blanks();
        let found = self.peek().eq_ignore_ascii_case(wanted);
        if found {
            self.0.advance(wanted.len());
        }
        found
    }

    /// A disjunction; denied, it is the conjunction of the denied parts.
    fn any(&mut self, denied: bool, depth: usize) -> Result<Constraint> {
        let mut parts = vec![self.all(denied, depth)?];
        while self.keyword("or") {
            parts.push(self.all(denied, depth)?);
        }
        Ok(if denied {
            Constraint::all(parts)
        } else {
            Constraint::any(parts)
        })
    }

    fn all(&mut self, denied: bool, depth: usize) -> Result<Constraint> {
        let mut parts = vec![self.one(denied, depth)?];
        while self.keyword("and") {
            parts.push(self.one(denied, depth)?);
        }
        Ok(if denied {
            Constraint::any(parts)
        } else {
            Constraint::all(parts)
        })
    }

    fn one(&mut self, denied: bool, depth: usize) -> Result<Constraint> {
        if depth > DEEPEST {
            let expected = format!("at most {DEEPEST} parentheses and `not` within each other");
            return Err(self.unexpected(&expected));
        }
        if self.keyword("not") {
            return self.one(!denied, depth + 1);
        }
        let opened = {
            self.0.skip_blanks();
            self.0.column()
        };
        if self.0.take("(") {
            let inner = self.any(denied, depth + 1)?;
            if !self.0.take(")") {
                let expected = format!("`and`, `or` or `)` (to close the `(` of column {opened})");
                let mut error = self.unexpected(&expected);
                self.suggest(&mut error, &["and", "or"]);
                return Err(error);
            }
            return Ok(inner);
        }
        let atom = self.atom()?;
        let atom = match atom {
            atom if !denied => atom,
            Atom::Uses(name) => Atom::Avoids(name),
            atom => {
                return Err(TreeError::ConstraintNegation {
                    column: opened,
                    constraint: atom.to_string(),
                });
            }
        };
        Ok(Constraint::Atom(atom))
    }

    fn atom(&mut self) -> Result<Atom> {
        self.0.skip_blanks();
        let word = self.peek();
        let name = NAMES.iter().find(|name| name.eq_ignore_ascii_case(word));
        let Some(&name) = name else {
            let mut error = self.unexpected(
                "`size`, `leaf`, `depth`, `cost`, `uses`, `not uses`, `accuracy`, `error`, `like`, `monotone` or `fair`",
            );
            self.suggest(&mut error, &NAMES);
            return Err(error);
        };
        self.0.advance(word.len());
        Ok(match name {
            "size" => Atom::Size(self.whole("size")?),
            "depth" => Atom::Depth(self.whole("depth")?),
            "leaf" => Atom::Leaf(self.bound("leaf", '>', false)?),
            "cost" => Atom::Cost(self.bound("cost", '<', false)?),
            "accuracy" => Atom::Accuracy(self.bound("accuracy", '>', true)?),
            "error" => Atom::Error(self.bound("error", '<', true)?),
            "uses" => Atom::Uses(self.name("the name of an attribute")?),
            "monotone" => self.monotone()?,
            "fair" => {
                let (name, class) = self.arguments("the name of a column of groups")?;
                let most = self.bound("fair", '<', true)?;
                let class = class.into_iter().next();
                Atom::Fair { name, class, most }
            }
            _ => Atom::Like(self.name("the name of a file")?.text),
        })
    }

    /// `(age, up)` or `(age, down, class)`.
    fn monotone(&mut self) -> Result<Atom> {
        let at = self.0.at();
        let (name, others) = self.arguments("the name of a column of numbers")?;
        let mut others = others.into_iter();
        let direction = others.next();
        let up = match direction.as_deref() {
            Some("up") => true,
            Some("down") => false,
            found => {
                let found = found.map_or_else(|| "none".to_owned(), |found| format!("`{found}`"));
                self.0.go_to(at);
                return Err(self.error("a direction, `up` or `down`, after the column,", found));
            }
        };
        let class = others.next();
        Ok(Atom::Monotone { name, up, class })
    }

    /// Names in parentheses, separated by commas, each in quotes or up to the next of these marks:
    /// the first with its place, and up to two more.
    fn arguments(&mut self, expected: &str) -> Result<(Name, Vec<String>)> {
        if !self.0.take("(") {
            return Err(self.unexpected("`(`"));
        }
        let mut names: Vec<Name> = Vec::new();
        loop {
            self.0.skip_blanks();
            let column = self.0.column();
            let text = match self.0.peek().filter(|c| matches!(c, '"' | '\'')) {
                Some(quote) => self.quoted(quote)?,
                None => {
                    let name = self.0.peek_while(|c| !matches!(c, ',' | ')'));
                    self.0.advance(name.len());
                    name.trim_end().to_owned()
                }
            };
            if text.is_empty() {
                return Err(self.unexpected(expected));
            }
            names.push(Name { text, column });
            self.0.skip_blanks();
            if self.0.take(")") {
                break;
            }
            if names.len() > 2 || !self.0.take(",") {
                return Err(self.unexpected(&format!("the `)` after {expected}")));
            }
        }
        let first = names.remove(0);
        Ok((first, names.into_iter().map(|name| name.text).collect()))
    }

    /// `<= 11` or `< 12`: the most that is allowed.
    fn whole(&mut self, name: &str) -> Result<usize> {
        let strict = self.comparison(name, '<')?;
        let before = self.0.at();
        let (number, _) = self.number(false)?;
        let least = f64::from(u8::from(strict));
        if number.fract() != 0.0 || number < least || number > f64::from(u32::MAX) {
            let written = self.0.since(before).trim_start();
            self.0.go_to(self.0.at() - written.len());
            let expected = format!("a whole number from {least} to {}", u32::MAX);
            return Err(self.error(&expected, format!("`{written}`")));
        }
        Ok(number as usize - usize::from(strict))
    }

    fn bound(&mut self, name: &str, side: char, percent: bool) -> Result<Bound> {
        let strict = self.comparison(name, side)?;
        let before = self.0.at();
        let (value, written_as_percent) = self.number(percent)?;
        if (name == "accuracy" || written_as_percent) && value > 1.0 {
            let written = self.0.since(before).trim_start();
            self.0.go_to(self.0.at() - written.len());
            let expected = "a share from 0 to 1 or a percentage from 0% to 100%";
            return Err(self.error(expected, format!("`{written}`")));
        }
        Ok(Bound { value, strict })
    }

    /// The comparison that a constraint takes; whether it is strict.
    fn comparison(&mut self, name: &str, side: char) -> Result<bool> {
        let (loose, sign) = if side == '<' {
            ("<=", "≤")
        } else {
            (">=", "≥")
        };
        if self.0.take(loose) || self.0.take(sign) {
            return Ok(false);
        }
        if self.0.take(&side.to_string()) {
            return Ok(true);
        }
        let direction = if side == '<' { "most" } else { "least" };
        let expected =
            format!("`{loose}` or `{side}`, because `{name}` is given the {direction} allowed,");
        Err(self.unexpected(&expected))
    }

    /// A number that is not negative, and whether it was a percentage.
    fn number(&mut self, percent: bool) -> Result<(f64, bool)> {
        self.0.skip_blanks();
        let written = self.0.peek_number();
        let expected = "a number that is not negative";
        if !written.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | '+' | '-')) {
            return Err(self.unexpected(expected));
        }
        let number = written.parse::<f64>().ok();
        let number = number.filter(|n| n.is_finite() && *n >= 0.0 && !n.is_sign_negative());
        let Some(number) = number else {
            return Err(self.error(expected, format!("`{written}`")));
        };
        self.0.advance(written.len());
        if self.0.peek() == Some('%') {
            if !percent {
                return Err(self.unexpected("a plain number"));
            }
            self.0.advance(1);
            return Ok((number / 100.0, true));
        }
        Ok((number, false))
    }

    /// A name in parentheses, in quotes or up to the closing parenthesis.
    fn name(&mut self, expected: &str) -> Result<Name> {
        if !self.0.take("(") {
            return Err(self.unexpected("`(`"));
        }
        self.0.skip_blanks();
        let column = self.0.column();
        let text = match self.0.peek().filter(|c| matches!(c, '"' | '\'')) {
            Some(quote) => self.quoted(quote)?,
            None => {
                let Some(end) = self.0.rest().find(')') else {
                    self.0.advance(self.0.rest().len());
                    return Err(self.unexpected(&format!("the `)` after {expected}")));
                };
                let name = self.0.rest()[..end].trim_end();
                if name.is_empty() {
                    return Err(self.unexpected(expected));
                }
                self.0.advance(name.len());
                name.to_owned()
            }
        };
        if !self.0.take(")") {
            return Err(self.unexpected(&format!("the `)` after {expected}")));
        }
        Ok(Name { text, column })
    }

    /// A name in quotes, a quote inside doubled.
    fn quoted(&mut self, quote: char) -> Result<String> {
        let quoted = self.0.quoted(quote).expect("a quote opens here");
        quoted.map_err(|Unclosed { column }| {
            self.unexpected(&format!("a quote (to close the one of column {column})"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn printed(text: &str) -> String {
        Constraint::parse(text).unwrap().to_string()
    }

    #[test]
    fn expressions_are_read_and_printed() {
        for (text, expected) in [
            ("size<=11", "size <= 11"),
            ("SIZE < 12 AND Depth ≤ 3", "size <= 11 and depth <= 3"),
            (
                "size <= 11 and (depth <= 4 or cost <= 2.5)",
                "size <= 11 and (depth <= 4 or cost <= 2.5)",
            ),
            (
                "(size <= 3 and leaf >= 5) or leaf > 1e1",
                "(size <= 3 and leaf >= 5) or leaf > 10",
            ),
            ("((size <= 3))", "size <= 3"),
            ("accuracy >= 90%", "accuracy >= 0.9"),
            ("error < 5%", "error < 0.05"),
            ("error <= 12", "error <= 12"),
            ("uses( petal width )", "uses(\"petal width\")"),
            ("uses('it''s \"x\"')", "uses(\"it's \"\"x\"\"\")"),
            ("like(dir/partial.tree)", "like(dir/partial.tree)"),
            ("monotone( age , up )", "monotone(age, up)"),
            (
                "Monotone('a,b', down, yes) and fair(sex)<=10%",
                "monotone(\"a,b\", down, yes) and fair(sex) <= 0.1",
            ),
            (
                "fair(sex, 'very good') < 0.2",
                "fair(sex, \"very good\") < 0.2",
            ),
            ("not not uses(a)", "uses(a)"),
            ("not (uses(a) or not uses(b))", "not uses(a) and uses(b)"),
            (
                "not (uses(a) and uses(b)) and size <= 9",
                "(not uses(a) or not uses(b)) and size <= 9",
            ),
        ] {
            assert_eq!(printed(text), expected, "{text}");
            assert_eq!(printed(expected), expected);
        }
    }

    #[test]
    fn errors_say_what_could_stand_where() {
        let atoms = "expected `size`, `leaf`, `depth`, `cost`, `uses`, `not uses`, `accuracy`, `error`, `like`, `monotone` or `fair` at column";
        for (text, expected) in [
            ("", format!("{atoms} 1 of the constraints, found the end")),
            (
                "siz <= 3",
                format!("{atoms} 1 of the constraints, found `siz`; did you mean `size`?"),
            ),
            (
                "size <= 3 and",
                format!("{atoms} 14 of the constraints, found the end"),
            ),
            (
                "11 >= size",
                format!("{atoms} 1 of the constraints, found `11`"),
            ),
            (
                "size <= 3 adn depth <= 2",
                "expected `and`, `or` or the end at column 11 of the constraints, found `adn`; did you mean `and`?".into(),
            ),
            (
                "size <= 3)",
                "expected `and`, `or` or the end: this `)` closes nothing at column 10 of the constraints, found `)`".into(),
            ),
            (
                "(size <= 3",
                "expected `and`, `or` or `)` (to close the `(` of column 1) at column 11 of the constraints, found the end".into(),
            ),
            (
                "size >= 3",
                "expected `<=` or `<`, because `size` is given the most allowed, at column 6 of the constraints, found `>`".into(),
            ),
            (
                "leaf = 3",
                "expected `>=` or `>`, because `leaf` is given the least allowed, at column 6 of the constraints, found `=`".into(),
            ),
            (
                "size <= 2.5",
                "expected a whole number from 0 to 4294967295 at column 9 of the constraints, found `2.5`".into(),
            ),
            (
                "size < 0",
                "expected a whole number from 1 to 4294967295 at column 8 of the constraints, found `0`".into(),
            ),
            (
                "cost <= -1",
                "expected a number that is not negative at column 9 of the constraints, found `-1`".into(),
            ),
            (
                "cost <= 1e999",
                "expected a number that is not negative at column 9 of the constraints, found `1e999`".into(),
            ),
            (
                "cost <= much",
                "expected a number that is not negative at column 9 of the constraints, found `much`".into(),
            ),
            (
                "cost <= 5%",
                "expected a plain number at column 10 of the constraints, found `%`".into(),
            ),
            (
                "accuracy >= 90",
                "expected a share from 0 to 1 or a percentage from 0% to 100% at column 13 of the constraints, found `90`".into(),
            ),
            (
                "error <= 120%",
                "expected a share from 0 to 1 or a percentage from 0% to 100% at column 10 of the constraints, found `120%`".into(),
            ),
            (
                "uses a",
                "expected `(` at column 6 of the constraints, found `a`".into(),
            ),
            (
                "uses()",
                "expected the name of an attribute at column 6 of the constraints, found `)`".into(),
            ),
            (
                "like(x",
                "expected the `)` after the name of a file at column 7 of the constraints, found the end".into(),
            ),
            (
                "uses(\"x)",
                "expected a quote (to close the one of column 6) at column 9 of the constraints, found the end".into(),
            ),
            (
                "size <= 3 and not depth <= 2",
                "the `not` before `depth <= 2` at column 19 of the constraints has no meaning: only `uses` can be denied".into(),
            ),
            (
                "not (uses(é) or error < 1)",
                "the `not` before `error < 1` at column 17 of the constraints has no meaning: only `uses` can be denied".into(),
            ),
        ] {
            let error = Constraint::parse(text).unwrap_err().to_string();
            assert_eq!(error, expected, "{text}");
        }
    }

    #[test]
    fn nesting_has_a_limit() {
        let deep = |levels: usize| format!("{}size <= 3{}", "(".repeat(levels), ")".repeat(levels));
        assert!(Constraint::parse(&deep(64)).is_ok());
        let error = Constraint::parse(&deep(100_000)).unwrap_err().to_string();
        assert_eq!(
            error,
            "expected at most 64 parentheses and `not` within each other at column 66 of the constraints, found `(`"
        );
        assert!(Constraint::parse(&"not ".repeat(100_000)).is_err());
    }

    fn bounds(most: f64) -> impl Strategy<Value = Bound> {
        (0.0..most, any::<bool>()).prop_map(|(value, strict)| Bound { value, strict })
    }

    fn atoms() -> impl Strategy<Value = Atom> {
        let name = || prop_oneof!["[a-z]{1,5}", "\\PC{0,6}"];
        prop_oneof![
            (0usize..50).prop_map(Atom::Size),
            bounds(50.0).prop_map(Atom::Leaf),
            (0usize..9).prop_map(Atom::Depth),
            bounds(1e9).prop_map(Atom::Cost),
            name().prop_map(|name| Atom::Uses(Name::new(name))),
            name().prop_map(|name| Atom::Avoids(Name::new(name))),
            bounds(1.0).prop_map(Atom::Accuracy),
            bounds(1e-9).prop_map(Atom::Error),
            name().prop_map(Atom::Like),
        ]
    }

    fn constraints() -> impl Strategy<Value = Constraint> {
        let atom = atoms().prop_map(Constraint::Atom);
        atom.prop_recursive(4, 24, 4, |inner| {
            let parts = proptest::collection::vec(inner, 1..4);
            (parts, any::<bool>()).prop_map(|(parts, all)| match all {
                true => Constraint::all(parts),
                false => Constraint::any(parts),
            })
        })
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read_again(constraint in constraints()) {
            let text = constraint.to_string();
            prop_assert_eq!(Constraint::parse(&text).unwrap(), constraint, "{}", text);
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[ ()<>=%'\"a-eousizf0-9.]{0,40}") {
            let _ = Constraint::parse(&text);
        }
    }
}
