//! What is to be predicted, as it is written: `any(results.statusId != 1)`, `count(orders where
//! amount > 100)`, `min(qualifying.position) <= 3`.

use std::str::FromStr;

use kinwood_values::Condition;
use kinwood_values::suggest::{did_you_mean, nearest};

use super::wrong;
use crate::error::{Error, Result};

/// What is made of linked rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aggregate {
    /// How many there are, or have a value.
    Count,
    /// The sum of a column.
    Sum,
    /// The mean of a column.
    Mean,
    /// Whether there is one.
    Any,
    /// Whether there is none.
    None,
    /// The value of the first that has one.
    First,
    /// The value of the last that has one.
    Latest,
    /// The least value.
    Min,
    /// The greatest value.
    Max,
}

impl Aggregate {
    /// All, in the order they are explained.
    pub const ALL: [Aggregate; 9] = [
        Aggregate::Count,
        Aggregate::Sum,
        Aggregate::Mean,
        Aggregate::Any,
        Aggregate::None,
        Aggregate::First,
        Aggregate::Latest,
        Aggregate::Min,
        Aggregate::Max,
    ];

    /// The word in expressions.
    pub fn name(self) -> &'static str {
        match self {
            Aggregate::Count => "count",
            Aggregate::Sum => "sum",
            Aggregate::Mean => "mean",
            Aggregate::Any => "any",
            Aggregate::None => "none",
            Aggregate::First => "first",
            Aggregate::Latest => "latest",
            Aggregate::Min => "min",
            Aggregate::Max => "max",
        }
    }

    /// Whether it says something of no rows at all.
    pub fn of_nothing(self) -> Option<i64> {
        match self {
            Aggregate::Count | Aggregate::Sum | Aggregate::Any => Some(0),
            Aggregate::None => Some(1),
            _ => None,
        }
    }

    /// Whether it is of rows that satisfy a condition rather than of a column.
    pub fn of_condition(self) -> bool {
        matches!(self, Aggregate::Any | Aggregate::None)
    }
}

/// What is to be predicted.
#[derive(Clone, Debug, PartialEq)]
pub struct TargetExpression {
    /// What is made of linked rows.
    pub aggregate: Aggregate,
    /// Of what: a table or a column as written; of `any` and `none` perhaps a condition.
    pub of: Of,
    /// Of which rows only.
    pub condition: Option<Condition>,
    /// What the outcome is compared with: an operator of SQL and a number.
    pub compared: Option<(&'static str, f64)>,
}

/// What an aggregate is of.
#[derive(Clone, Debug, PartialEq)]
pub enum Of {
    /// A table or a column.
    Named(String),
    /// Rows that satisfy a condition, whose columns name their table.
    Rows(Condition),
}

const OPERATORS: [(&str, &str); 8] = [
    ("<=", "<="),
    (">=", ">="),
    ("!=", "<>"),
    ("<>", "<>"),
    ("==", "="),
    ("<", "<"),
    (">", ">"),
    ("=", "="),
];

impl FromStr for TargetExpression {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let text = text.trim();
        let end = text
            .find(|c: char| !c.is_ascii_alphabetic())
            .unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        let known = Aggregate::ALL.into_iter().find(|a| a.name() == word);
        let Some(aggregate) = known else {
            let names = Aggregate::ALL.map(Aggregate::name);
            return Err(wrong(format!(
                "the target `{text}` begins with `{word}`, expected {}{}",
                names.join(", "),
                did_you_mean(&nearest(word, names))
            )));
        };
        let (inside, tail) = enclosed(text, rest.trim())?;
        let (of, condition) = match split_where(inside) {
            (of, Some(condition)) => (of, Some(condition.parse::<Condition>()?)),
            (of, None) => (of, None),
        };
        if of.is_empty() {
            return Err(wrong(format!(
                "the target `{text}` is of nothing, expected a table or a column such as `{word}(results)`"
            )));
        }
        let of = match aggregate.of_condition() && of.contains(['=', '<', '>', ' ']) {
            true => Of::Rows(of.parse::<Condition>()?),
            false => Of::Named(of.to_owned()),
        };
        Ok(Self {
            aggregate,
            of,
            condition,
            compared: comparison(text, tail)?,
        })
    }
}

/// What stands in the parentheses that the text begins with, and what stands behind them; all of it
/// where there are none.
fn enclosed<'a>(whole: &str, text: &'a str) -> Result<(&'a str, &'a str)> {
    if !text.starts_with('(') {
        return Ok((text, ""));
    }
    let (mut depth, mut quote) = (0, None);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"' | '`') => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') => {
                depth -= 1;
                if depth == 0 {
                    return Ok((text[1..at].trim(), text[at + 1..].trim()));
                }
            }
            _ => {}
        }
    }
    Err(wrong(format!(
        "the target `{whole}` has a parenthesis that is not closed"
    )))
}

/// What stands before and behind the word `where`, outside of quotes.
fn split_where(text: &str) -> (&str, Option<&str>) {
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"' | '`') => quote = Some(c),
            (None, c) if c.is_whitespace() => {
                let behind = text[at..].trim_start();
                let word = behind
                    .get(..5)
                    .filter(|word| word.eq_ignore_ascii_case("where"));
                let ends = |c: char| c.is_whitespace() || matches!(c, '(' | '\'' | '"' | '`');
                if let (Some(_), Some(after)) = (word, behind.get(5..))
                    && after.starts_with(ends)
                {
                    return (text[..at].trim(), Some(after.trim()));
                }
            }
            _ => {}
        }
    }
    (text.trim(), None)
}

/// What an outcome is compared with.
fn comparison(whole: &str, tail: &str) -> Result<Option<(&'static str, f64)>> {
    if tail.is_empty() {
        return Ok(None);
    }
    let operator = OPERATORS.iter().find(|(sign, _)| tail.starts_with(sign));
    let number = operator.and_then(|(sign, _)| tail[sign.len()..].trim().parse().ok());
    match (operator, number) {
        (Some((_, sql)), Some(number)) if f64::is_finite(number) => Ok(Some((sql, number))),
        _ => Err(wrong(format!(
            "the target `{whole}` ends with `{tail}`, expected a comparison with a number such as `<= 3`"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> TargetExpression {
        text.parse().unwrap()
    }

    fn message(text: &str) -> String {
        text.parse::<TargetExpression>().unwrap_err().to_string()
    }

    #[test]
    fn expressions_are_read_with_and_without_parentheses() {
        let any = read("any(results.statusId != 1)");
        assert_eq!(any.aggregate, Aggregate::Any);
        assert!(matches!(&any.of, Of::Rows(rows) if rows.columns() == ["results.statusId"]));
        assert_eq!(
            read("any results.statusId != 1"),
            read("any (results.statusId != 1)")
        );
        let count = read("count(orders where amount > 100 and kind in ('a', 'b')) >= 2");
        assert_eq!(count.of, Of::Named("orders".into()));
        assert_eq!(count.condition.unwrap().columns(), ["amount", "kind"]);
        assert_eq!(count.compared, Some((">=", 2.0)));
        let least = read("min(qualifying.position) <= 3");
        assert_eq!(least.compared, Some(("<=", 3.0)));
        assert_eq!(least.of, Of::Named("qualifying.position".into()));
        assert_eq!(read("none(orders)").of, Of::Named("orders".into()));
    }

    #[test]
    fn what_is_wrong_is_told_with_what_was_expected() {
        assert!(message("average(x)").contains("begins with `average`, expected count, sum, mean"));
        assert!(message("meen(x)").contains("did you mean `mean`?"));
        assert!(message("count()").contains("is of nothing"));
        assert!(message("count(orders").contains("not closed"));
        assert!(message("count(orders) often").contains("ends with `often`"));
        assert!(message("count(orders where amount >)").contains("expected a value"));
    }
}
