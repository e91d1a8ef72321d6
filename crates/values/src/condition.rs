//! Conditions on rows: `subset = 188 and (logp > 2 or class in ('a', 'b')) and not age is missing`.
//!
//! Small on purpose: comparisons of a column with constants, joined by `and`, `or`, `not` and
//! parentheses. Names and types are checked against the table before the first row is looked at. A
//! comparison with a missing value is false, whatever the operator.

mod lexer;
mod sql;

use std::cmp::Ordering;

use crate::column::{Cells, Column};
use crate::datetime;
use crate::error::Error;
use crate::suggest::{did_you_mean, nearest};
use crate::table::Table;
use lexer::{Token, tokens};

/// A condition as written, before it meets a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    root: Node,
}

#[derive(Clone, Debug, PartialEq)]
enum Node {
    All(Vec<Node>),
    Any(Vec<Node>),
    Not(Box<Node>),
    Compare {
        column: Named,
        operator: Operator,
        constant: Named,
    },
    In {
        column: Named,
        constants: Vec<Named>,
    },
    Missing {
        column: Named,
    },
}

/// A name or a constant, and where it stands.
#[derive(Clone, Debug, PartialEq)]
struct Named {
    text: String,
    at: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

impl Operator {
    fn holds(self, ordering: Ordering) -> bool {
        match self {
            Operator::Equal => ordering.is_eq(),
            Operator::Unequal => ordering.is_ne(),
            Operator::Less => ordering.is_lt(),
            Operator::AtMost => ordering.is_le(),
            Operator::Greater => ordering.is_gt(),
            Operator::AtLeast => ordering.is_ge(),
        }
    }
}

/// Conditions may be nested this deep; deeper ones are refused instead of exhausting the stack.
const DEEPEST: usize = 100;

impl std::str::FromStr for Condition {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let mut parser = Parser {
            tokens: tokens(text)?,
            next: 0,
            end: text.chars().count() + 1,
        };
        let root = parser.any(0)?;
        match parser.tokens.get(parser.next) {
            None => Ok(Self { root }),
            Some((at, token)) => Err(wrong(
                *at,
                format!("expected `and`, `or` or the end, found {token}"),
            )),
        }
    }
}

impl Condition {
    /// The rows of the table that satisfy the condition, ascending.
    ///
    /// ```
    /// use kinwood_values::{Attribute, Column, Condition, Table};
    /// let sizes = Attribute::new("size", Column::numeric(vec![1.0, 5.0, f64::NAN]));
    /// let table = Table::new("things", vec![sizes])?;
    /// let large: Condition = "size >= 2".parse()?;
    /// assert_eq!(large.rows(&table)?, [1]);
    /// # Ok::<(), kinwood_values::Error>(())
    /// ```
    pub fn rows(&self, table: &Table) -> Result<Vec<u32>, Error> {
        let holds = select(&self.root, table)?;
        Ok((0..table.rows() as u32)
            .filter(|&row| holds[row as usize])
            .collect())
    }
}

fn select(node: &Node, table: &Table) -> Result<Vec<bool>, Error> {
    let join = |nodes: &[Node], start: bool, with: fn(bool, bool) -> bool| {
        nodes
            .iter()
            .try_fold(vec![start; table.rows()], |so_far, node| {
                let more = select(node, table)?;
                Ok(so_far
                    .into_iter()
                    .zip(more)
                    .map(|(a, b)| with(a, b))
                    .collect())
            })
    };
    match node {
        Node::All(nodes) => join(nodes, true, |a, b| a && b),
        Node::Any(nodes) => join(nodes, false, |a, b| a || b),
        Node::Not(node) => Ok(select(node, table)?
            .into_iter()
            .map(|holds| !holds)
            .collect()),
        Node::Missing { column } => {
            let column = find(table, column)?;
            Ok((0..table.rows())
                .map(|row| !column.is_present(row))
                .collect())
        }
        Node::Compare {
            column,
            operator,
            constant,
        } => compare(find(table, column)?, column, *operator, constant),
        Node::In {
            column: name,
            constants,
        } => {
            let column = find(table, name)?;
            constants
                .iter()
                .try_fold(vec![false; table.rows()], |so_far, constant| {
                    let more = compare(column, name, Operator::Equal, constant)?;
                    Ok(so_far.into_iter().zip(more).map(|(a, b)| a || b).collect())
                })
        }
    }
}

fn find<'a>(table: &'a Table, name: &Named) -> Result<&'a Column, Error> {
    table
        .position(&name.text)
        .map(|position| &*table.attribute(position).column)
        .ok_or_else(|| {
            let near = nearest(
                &name.text,
                table.attributes().iter().map(|attribute| &attribute.name),
            );
            let reason = format!(
                "unknown column `{}` in table `{}`{}",
                name.text,
                table.name(),
                did_you_mean(&near)
            );
            wrong(name.at, reason)
        })
}

fn compare(
    column: &Column,
    name: &Named,
    operator: Operator,
    constant: &Named,
) -> Result<Vec<bool>, Error> {
    let each = |ordering: &dyn Fn(usize) -> Ordering| {
        (0..column.len())
            .map(|row| column.is_present(row) && operator.holds(ordering(row)))
            .collect()
    };
    let unreadable = |what: &str| {
        wrong(
            constant.at,
            format!(
                "column `{}` holds {what}s, and `{}` is none",
                name.text, constant.text
            ),
        )
    };
    match column.cells() {
        Cells::Numeric(numbers) => {
            let number: f64 = constant.text.parse().map_err(|_| unreadable("number"))?;
            Ok(each(&|row| numbers[row].total_cmp(&(number + 0.0))))
        }
        Cells::DateTime(instants) => {
            let instant = datetime::parse(&constant.text).map_err(|_| unreadable("date"))?;
            Ok(each(&|row| instants[row].cmp(&instant)))
        }
        Cells::Nominal { codes, dictionary } => {
            if operator == Operator::Equal && dictionary.code(&constant.text).is_none() {
                let near = nearest(&constant.text, dictionary.labels());
                let reason = format!(
                    "column `{}` has no value `{}`{}",
                    name.text,
                    constant.text,
                    did_you_mean(&near)
                );
                return Err(wrong(constant.at, reason));
            }
            Ok(each(&|row| {
                dictionary.label(codes[row]).cmp(&constant.text)
            }))
        }
        Cells::String(texts) => Ok(each(&|row| texts.get(row).cmp(&constant.text))),
        _ => {
            let reason = format!(
                "column `{}` is a `{}`; conditions compare nominal, numeric, datetime and string columns",
                name.text,
                column.type_of()
            );
            Err(wrong(name.at, reason))
        }
    }
}

fn wrong(at: usize, reason: String) -> Error {
    Error::Condition { at, reason }
}

struct Parser {
    tokens: Vec<(usize, Token)>,
    next: usize,
    end: usize,
}

impl Parser {
    fn any(&mut self, depth: usize) -> Result<Node, Error> {
        let mut nodes = vec![self.all(depth)?];
        while self.take_word("or") {
            nodes.push(self.all(depth)?);
        }
        Ok(if nodes.len() == 1 {
            nodes.remove(0)
        } else {
            Node::Any(nodes)
        })
    }

    fn all(&mut self, depth: usize) -> Result<Node, Error> {
        let mut nodes = vec![self.single(depth)?];
        while self.take_word("and") {
            nodes.push(self.single(depth)?);
        }
        Ok(if nodes.len() == 1 {
            nodes.remove(0)
        } else {
            Node::All(nodes)
        })
    }

    fn single(&mut self, depth: usize) -> Result<Node, Error> {
        if depth > DEEPEST {
            return Err(wrong(
                self.at(),
                format!("nested deeper than {DEEPEST} levels"),
            ));
        }
        if self.take_word("not") {
            return Ok(Node::Not(Box::new(self.single(depth + 1)?)));
        }
        if self.take(&Token::Open) {
            let node = self.any(depth + 1)?;
            self.expect(&Token::Close)?;
            return Ok(node);
        }
        let column = self.name("a column name")?;
        if self.take_word("is") {
            let negated = self.take_word("not");
            if !self.take_word("missing") {
                return Err(self.expected("`missing`"));
            }
            let node = Node::Missing { column };
            return Ok(if negated {
                Node::Not(Box::new(node))
            } else {
                node
            });
        }
        if self.take_word("in") {
            self.expect(&Token::Open)?;
            let mut constants = vec![self.name("a value")?];
            while self.take(&Token::Comma) {
                constants.push(self.name("a value")?);
            }
            self.expect(&Token::Close)?;
            return Ok(Node::In { column, constants });
        }
        match self.tokens.get(self.next) {
            Some((_, Token::Operator(operator))) => {
                let operator = *operator;
                self.next += 1;
                Ok(Node::Compare {
                    column,
                    operator,
                    constant: self.name("a value")?,
                })
            }
            _ => Err(self.expected("`=`, `!=`, `<`, `<=`, `>`, `>=`, `in` or `is`")),
        }
    }

    fn name(&mut self, what: &str) -> Result<Named, Error> {
        match self.tokens.get(self.next) {
            Some((at, Token::Word(text) | Token::Quoted(text))) => {
                self.next += 1;
                Ok(Named {
                    text: text.clone(),
                    at: *at,
                })
            }
            _ => Err(self.expected(what)),
        }
    }

    fn take(&mut self, token: &Token) -> bool {
        let there = self
            .tokens
            .get(self.next)
            .is_some_and(|(_, found)| found == token);
        self.next += usize::from(there);
        there
    }

    fn take_word(&mut self, word: &str) -> bool {
        let there = matches!(self.tokens.get(self.next), Some((_, Token::Word(found))) if found.eq_ignore_ascii_case(word));
        self.next += usize::from(there);
        there
    }

    fn expect(&mut self, token: &Token) -> Result<(), Error> {
        if self.take(token) {
            Ok(())
        } else {
            Err(self.expected(&token.to_string()))
        }
    }

    fn expected(&self, what: &str) -> Error {
        match self.tokens.get(self.next) {
            Some((at, token)) => wrong(*at, format!("expected {what}, found {token}")),
            None => wrong(self.end, format!("expected {what}, found the end")),
        }
    }

    fn at(&self) -> usize {
        self.tokens.get(self.next).map_or(self.end, |(at, _)| *at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Attribute;

    fn table() -> Table {
        let size = Attribute::new("size", Column::numeric(vec![1.0, 2.0, f64::NAN, 4.0]));
        let labels = [Some("a"), Some("b"), Some("188"), None];
        let kind = Attribute::new("the kind", Column::nominal(labels));
        Table::new("things", vec![size, kind]).unwrap()
    }

    fn rows(text: &str) -> Vec<u32> {
        text.parse::<Condition>().unwrap().rows(&table()).unwrap()
    }

    fn error(text: &str) -> String {
        let parsed = text
            .parse::<Condition>()
            .and_then(|condition| condition.rows(&table()));
        parsed.unwrap_err().to_string()
    }

    #[test]
    fn conditions_select_rows() {
        assert_eq!(rows("size = 2"), [1]);
        assert_eq!(rows("size != 2"), [0, 3]);
        assert_eq!(rows("size >= 2 and size < 4"), [1]);
        assert_eq!(rows("size < 2 or size > 3"), [0, 3]);
        assert_eq!(rows("'the kind' = 188"), [2]);
        assert_eq!(rows("\"the kind\" in (a, 'b')"), [0, 1]);
        assert_eq!(rows("size is missing"), [2]);
        assert_eq!(
            rows("not (size is missing) and 'the kind' is not missing"),
            [0, 1]
        );
        assert_eq!(rows("size = -1 or size = 1e0"), [0]);
    }

    #[test]
    fn conditions_are_written_in_sql() {
        let sql = |text: &str| {
            text.parse::<Condition>()
                .unwrap()
                .sql(&table(), "t")
                .unwrap()
        };
        assert_eq!(
            sql("size >= 2 and ('the kind' in (a, 'b') or size is missing)"),
            r#"(t."size" IS NOT NULL AND t."size" >= 2.0 AND (t."the kind" IS NOT NULL AND t."the kind" IN ('a', 'b') OR t."size" IS NULL))"#
        );
        assert_eq!(
            sql("not (size = 1)"),
            r#"NOT (t."size" IS NOT NULL AND t."size" = 1.0)"#
        );
        let of = |text: &str| text.parse::<Condition>().unwrap();
        assert_eq!(
            of("a.size = 1 or not b is missing").columns(),
            ["a.size", "b"]
        );
        let short = |name: &str| name.trim_start_matches("a.").to_owned();
        assert_eq!(of("a.size = 1").renamed(&short).columns(), ["size"]);
    }

    #[test]
    fn errors_point_at_the_place() {
        assert_eq!(
            error("siz = 2"),
            "in the condition at column 1: unknown column `siz` in table `things`; did you mean `size`?"
        );
        assert_eq!(
            error("size = big"),
            "in the condition at column 8: column `size` holds numbers, and `big` is none"
        );
        assert!(error("'the kind' = c").contains("has no value `c`"));
        assert!(error("size =").contains("column 7: expected a value, found the end"));
        assert!(error("size = 2 size").contains("column 10: expected `and`, `or` or the end"));
        assert!(error("size = 'open").contains("is not closed"));
        assert!(error(&"(".repeat(1000)).contains("nested deeper"));
    }
}
