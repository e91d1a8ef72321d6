//! The parser of expressions: by hand, so that an error says what stood where and what could have.

use super::{
    Argument, DEEPEST_EXPRESSION, Expression, Literal, Part, Position, begins_word, continues_word,
};
use crate::error::Error;
use kinwood_values::cursor::{Cursor, Unclosed};

pub(super) fn expression(text: &str) -> Result<Expression, Error> {
    let mut parser = Parser(Cursor::new(text));
    let parsed = parser.expression(1)?;
    parser.0.skip_blanks();
    match parser.0.peek() {
        None => Ok(parsed),
        Some(')') => Err(parser.unexpected("the end: this `)` closes nothing")),
        Some(_) => Err(parser.unexpected("the end")),
    }
}

struct Parser<'a>(Cursor<'a>);

impl<'a> Parser<'a> {
    fn position(&self) -> Position {
        Position(self.0.column())
    }

    fn unexpected(&self, expected: &'static str) -> Error {
        let found = match self.0.peek() {
            None => "the end".to_owned(),
            Some(c) if begins_word(c) => {
                let word: String = self.0.peek_while(continues_word).chars().take(40).collect();
                format!("`{word}`")
            }
            Some(c) => format!("`{c}`"),
        };
        Error::Syntax {
            column: self.position().0,
            found,
            expected,
        }
    }

    fn word(&mut self) -> Option<&'a str> {
        self.0.skip_blanks();
        self.0.peek().filter(|&c| begins_word(c))?;
        Some(self.0.take_while(continues_word))
    }

    /// A name in quotes, a quote inside doubled.
    fn quoted(&mut self) -> Result<Option<String>, Error> {
        self.0.skip_blanks();
        let quoted = self.0.quoted('\'').transpose();
        quoted.map_err(|Unclosed { column }| Error::UnclosedQuote { column })
    }

    fn number(&mut self) -> Result<Option<f64>, Error> {
        self.0.skip_blanks();
        let starts = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.');
        if !self.0.peek().is_some_and(starts) {
            return Ok(None);
        }
        let written = self.0.peek_number();
        match written.parse::<f64>() {
            Ok(number) if number.is_finite() => {
                self.0.advance(written.len());
                Ok(Some(number + 0.0))
            }
            _ => Err(Error::Syntax {
                column: self.position().0,
                found: format!("`{written}`"),
                expected: "a finite number",
            }),
        }
    }

    fn expression(&mut self, depth: usize) -> Result<Expression, Error> {
        self.0.skip_blanks();
        let at = self.position();
        let name = self
            .word()
            .ok_or_else(|| self.unexpected("the name of a distance or kernel"))?;
        self.arguments_of(name, at, depth)
    }

    fn arguments_of(
        &mut self,
        name: &str,
        at: Position,
        depth: usize,
    ) -> Result<Expression, Error> {
        if depth > DEEPEST_EXPRESSION {
            return Err(Error::TooDeep {
                column: at.0,
                limit: DEEPEST_EXPRESSION,
            });
        }
        let mut arguments = Vec::new();
        self.0.skip_blanks();
        let opened = self.position();
        if self.0.take("(") && !self.0.take(")") {
            loop {
                arguments.push(self.argument(depth)?);
                if self.0.take(")") {
                    break;
                }
                if !self.0.take(",") {
                    self.0.skip_blanks();
                    if self.0.rest().is_empty() {
                        return Err(Error::Unbalanced { column: opened.0 });
                    }
                    return Err(self.unexpected("`,` or `)`"));
                }
            }
        }
        Ok(Expression {
            name: name.to_owned(),
            arguments,
            at,
        })
    }

    fn argument(&mut self, depth: usize) -> Result<Argument, Error> {
        self.0.skip_blanks();
        let at = self.position();
        if let Some(number) = self.number()? {
            return Ok(Argument::Number(number, at));
        }
        if let Some(field) = self.quoted()? {
            if !self.0.take(":") {
                self.0.skip_blanks();
                return Err(self.unexpected("`:` after the name of a field"));
            }
            let measure = self.expression(depth + 1)?;
            return self.weighted(Some(field), measure);
        }
        let Some(word) = self.word() else {
            return Err(self.unexpected("a distance or kernel, a number or a setting"));
        };
        if self.0.take("=") {
            let value = self.literal()?;
            return Ok(Argument::Setting {
                name: word.to_owned(),
                value,
                at,
            });
        }
        if self.0.take(":") {
            let measure = self.expression(depth + 1)?;
            return self.weighted(Some(word.to_owned()), measure);
        }
        let measure = self.arguments_of(word, at, depth + 1)?;
        self.weighted(None, measure)
    }

    fn literal(&mut self) -> Result<Literal, Error> {
        if let Some(number) = self.number()? {
            return Ok(Literal::Number(number));
        }
        if let Some(word) = self.quoted()? {
            return Ok(Literal::Word(word));
        }
        match self.word() {
            Some(word) => Ok(Literal::Word(word.to_owned())),
            None => Err(self.unexpected("a number or a word")),
        }
    }

    fn weighted(&mut self, field: Option<String>, measure: Expression) -> Result<Argument, Error> {
        let mut weight = 1.0;
        if self.0.take("*") {
            self.0.skip_blanks();
            let (at, start) = (self.position(), self.0.at());
            weight = self
                .number()?
                .ok_or_else(|| self.unexpected("a weight after `*`"))?;
            if weight < 0.0 {
                return Err(Error::Syntax {
                    column: at.0,
                    found: format!("`{}`", self.0.since(start)),
                    expected: "a weight that is not negative",
                });
            }
        }
        Ok(Argument::Part(Part {
            field,
            measure,
            weight,
        }))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn fails(text: &str) -> String {
        text.parse::<Expression>().unwrap_err().to_string()
    }

    #[test]
    fn says_where_and_what() {
        assert_eq!(
            fails("hausdorff(absolute"),
            "the `(` at column 10 is never closed"
        );
        assert_eq!(
            fails("hausdorff(absolute))"),
            "expected the end: this `)` closes nothing at column 20 of the expression, found `)`"
        );
        assert_eq!(
            fails(""),
            "expected the name of a distance or kernel at column 1 of the expression, found the end"
        );
        assert_eq!(
            fails("edit(1,,2)"),
            "expected a distance or kernel, a number or a setting at column 8 of the expression, found `,`"
        );
        assert_eq!(
            fails("gaussian(1e999)"),
            "expected a finite number at column 10 of the expression, found `1e999`"
        );
        assert_eq!(
            fails("mean('a: discrete)"),
            "the quote opened at column 6 of the expression is never closed"
        );
        assert_eq!(
            fails("mean(discrete * -1)"),
            "expected a weight that is not negative at column 17 of the expression, found `-1`"
        );
    }

    #[test]
    fn nesting_has_an_end() {
        let deep = "a(".repeat(100_000);
        assert!(matches!(
            deep.parse::<Expression>(),
            Err(Error::TooDeep { limit: 64, .. })
        ));
    }

    pub(crate) fn any_expression() -> impl Strategy<Value = Expression> {
        let name = "[a-z_][a-z0-9_]{0,6}";
        let finite = prop_oneof![
            (-5i32..6).prop_map(f64::from),
            prop::num::f64::NORMAL.prop_map(|x| x + 0.0)
        ];
        let literal = prop_oneof![
            finite.clone().prop_map(Literal::Number),
            prop_oneof![Just("train".to_owned()), ".{0,5}"].prop_map(Literal::Word)
        ];
        let plain = name.prop_map(|name: String| Expression::new(&name));
        plain.prop_recursive(3, 12, 4, move |inner| {
            let part = (prop::option::of(".{0,5}"), inner, 0u32..4).prop_map(
                |(field, measure, weight)| {
                    Argument::Part(Part {
                        field,
                        measure,
                        weight: f64::from(weight),
                    })
                },
            );
            let setting = (name, literal.clone()).prop_map(|(name, value)| Argument::Setting {
                name,
                value,
                at: Position(0),
            });
            let number = finite
                .clone()
                .prop_map(|number| Argument::Number(number, Position(0)));
            let argument = prop_oneof![part, setting, number];
            (name, prop::collection::vec(argument, 0..4)).prop_map(|(name, arguments)| Expression {
                arguments,
                ..Expression::new(&name)
            })
        })
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read_back(expression in any_expression()) {
            let printed = expression.to_string();
            prop_assert_eq!(printed.parse::<Expression>().unwrap(), expression, "{}", printed);
        }

        #[test]
        fn nothing_makes_it_panic(text in ".{0,40}") {
            let _ = text.parse::<Expression>();
        }
    }
}
