//! Why a value is nearer to one prototype than to another.

use std::fmt;

use kinwood_values::Value;
use serde::Serialize;

use crate::account::{Account, Detail, Line};
use crate::error::Error;
use crate::measure::DistanceOn;
use crate::score::{Measured, Score};

/// Why a value is nearer to one prototype than to all others: the accounts of the nearest and of
/// the runner-up.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Nearer {
    /// The name of the nearest prototype.
    pub nearest: String,
    /// How far the value is from it.
    pub account: Account,
    /// The next nearest, if there is another.
    pub runner_up: Option<RunnerUp>,
    /// How many more prototypes there are.
    pub others: usize,
}

/// The next nearest prototype.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunnerUp {
    /// Its name.
    pub name: String,
    /// How far the value is from it.
    pub account: Account,
}

/// Compares a value with named prototypes; nothing if there are none. Of prototypes at the same
/// distance the first is the nearest.
///
/// ```
/// use kinwood_similarity::Registry;
/// use kinwood_similarity::account::Detail;
/// use kinwood_similarity::nearer::nearer;
/// use kinwood_values::Value;
/// let registry = Registry::builtin();
/// let distance = registry.distance(&"edit".parse()?, &"string".parse()?, None, "the values")?;
/// let text = |text: &str| Value::Text(text.to_owned());
/// let prototypes = [("long", text("kindred")), ("short", text("kin"))];
/// let nearer = nearer(&distance, &text("king"), &prototypes, Detail::default())?;
/// assert_eq!(nearer.map(|nearer| nearer.nearest), Some("short".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn nearer(
    distance: &DistanceOn,
    value: &Value,
    prototypes: &[(impl AsRef<str>, Value)],
    detail: Detail,
) -> Result<Option<Nearer>, Error> {
    let mut order = Vec::with_capacity(prototypes.len());
    for (place, (_, prototype)) in prototypes.iter().enumerate() {
        order.push((distance.between(value, prototype)?, place));
    }
    order.sort_by(|(a, i), (b, j)| compare(a, b).then(i.cmp(j)));
    let told = |place: usize| -> Result<RunnerUp, Error> {
        let (name, prototype) = &prototypes[place];
        Ok(RunnerUp {
            name: name.as_ref().to_owned(),
            account: distance.account(value, prototype, detail)?,
        })
    };
    let Some((_, first)) = order.first() else {
        return Ok(None);
    };
    let RunnerUp { name, account } = told(*first)?;
    Ok(Some(Nearer {
        nearest: name,
        account,
        runner_up: match order.get(1) {
            Some((_, second)) => Some(told(*second)?),
            None => None,
        },
        others: order.len().saturating_sub(2),
    }))
}

fn compare(a: &Measured, b: &Measured) -> std::cmp::Ordering {
    match (a, b) {
        (Measured::Number(a), Measured::Number(b)) => a.compare(b),
        (Measured::Pair(a), Measured::Pair(b)) => a.compare(b),
        (Measured::Number(_), Measured::Pair(_)) => std::cmp::Ordering::Less,
        (Measured::Pair(_), Measured::Number(_)) => std::cmp::Ordering::Greater,
    }
}

/// Lines shown of either account, side by side and one below the other.
const LINES: usize = 8;
const LONG_LINES: usize = 40;
/// Characters of the column of the nearest.
const WIDTH: usize = 44;

/// Both accounts side by side, in a few lines.
impl fmt::Display for Nearer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let distance = self.account.distance;
        write!(f, "nearest is {} at {distance}", self.nearest)?;
        let Some(second) = &self.runner_up else {
            writeln!(f)?;
            return side_by_side(f, &column(&self.nearest, &self.account, LINES), &[]);
        };
        write!(f, ", then {} at {}", second.name, second.account.distance)?;
        match self.others {
            0 => writeln!(f)?,
            others => writeln!(f, ", and {others} more further away")?,
        }
        let both = [
            (&self.nearest, &self.account),
            (&second.name, &second.account),
        ];
        let [left, right] = both.map(|(name, account)| column(name, account, LINES));
        // Lines that would be cut say more one below the other.
        let long = |line: &&String| line.chars().count() >= WIDTH;
        if left.iter().chain(&right).filter(long).count() * 5 <= left.len() + right.len() {
            return side_by_side(f, &left, &right);
        }
        for (name, account) in both {
            for line in column(name, account, LONG_LINES) {
                writeln!(f, "  {line}")?;
            }
        }
        Ok(())
    }
}

/// The title and the first lines of an account.
fn column(name: &str, account: &Account, most: usize) -> Vec<String> {
    let lines = account.lines();
    let mut column = vec![name.to_owned(), account.title()];
    let told = |line: &Line| {
        let amount = match line.amount {
            Some(amount) if !amount.is_nan() => format!(": {amount}"),
            _ => String::new(),
        };
        format!(
            "{:indent$}{}{amount}",
            "",
            line.text,
            indent = 2 + 2 * line.depth
        )
    };
    column.extend(lines.iter().take(most).map(told));
    if lines.len() > most {
        column.push(format!("  and {} more lines", lines.len() - most));
    }
    column
}

fn side_by_side(f: &mut fmt::Formatter<'_>, left: &[String], right: &[String]) -> fmt::Result {
    let fits = Detail {
        text: WIDTH - 1,
        ..Detail::ALL
    };
    let empty = String::new();
    for row in 0..left.len().max(right.len()) {
        let cell = |column: &[String]| fits.cut(column.get(row).unwrap_or(&empty));
        let both = format!("  {:WIDTH$}  {}", cell(left), cell(right));
        writeln!(f, "{}", both.trim_end())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use kinwood_values::Type;

    use super::*;
    use crate::Registry;

    #[test]
    fn the_nearest_and_the_runner_up_stand_side_by_side() {
        let of = "tuple<size: numeric, colour: nominal>";
        let of: Type = of.parse().unwrap();
        let expression = "sum(absolute, discrete)".parse().unwrap();
        let distance = Registry::builtin().distance(&expression, &of, None, "the values");
        let distance = distance.unwrap();
        let row = |size: f64, colour: &str| {
            Value::from_json(&of, &serde_json::json!([size, colour])).unwrap()
        };
        let prototypes = [
            ("large", row(9.0, "red")),
            ("small", row(1.0, "blue")),
            ("tiny", row(0.0, "blue")),
        ];
        let found = nearer(&distance, &row(2.0, "red"), &prototypes, Detail::default());
        let found = found.unwrap().unwrap();
        assert_eq!(
            found.to_string(),
            "nearest is small at 2, then tiny at 3, and 1 more further away
  small                                         tiny
  the sum of the fields' distances              the sum of the fields' distances
    `size`: 2 and 1: 1                            `size`: 2 and 0: 2
    `colour`: red and blue: 1                     `colour`: red and blue: 1
"
        );
        let none: [(&str, Value); 0] = [];
        assert_eq!(
            nearer(&distance, &row(2.0, "red"), &none, Detail::default()).unwrap(),
            None
        );
        // Of prototypes at one distance the first is the nearest.
        let twins = [("one", row(1.0, "red")), ("other", row(3.0, "red"))];
        let found = nearer(&distance, &row(2.0, "red"), &twins, Detail::default())
            .unwrap()
            .unwrap();
        assert_eq!(found.nearest, "one");
    }
}
