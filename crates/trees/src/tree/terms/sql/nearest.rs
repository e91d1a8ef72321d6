//! The nearest prototype by a distance in SQL: the values of a row (`v`), its distances (`d`) and
//! the branch, each a table of one row, so that every distance is computed once.
//!
//! Distances that differ by less than the tolerance of trees are equal, and of equally near
//! prototypes the last is taken. So rounding decides nothing, and where the distance is a root its
//! square does as well.

use kinwood_similarity::sql::{Operand, Written};
use kinwood_values::{Type, Value};

use crate::tree::terms::{Input, Pool, Source};
use crate::tree::test::{Nearest, TOLERANCE};
use kinwood_learning::error::Result;
use kinwood_learning::sql::{Gap, identifier, moment, number, numeric, textual};

/// The branch that a test leads into, nothing where the value is missing.
pub(super) fn branch(input: &Input, pool: &Pool, nearest: &Nearest) -> Result<String> {
    let compared = Compared::new(input, pool);
    let mut distances = Vec::with_capacity(nearest.prototypes.len());
    for &prototype in &nearest.prototypes {
        let prototype: Value = pool.values.value(prototype as usize);
        let written = pool.by(nearest).sql(&compared.operand, &prototype);
        distances.push(written.map_err(|why| Gap::Prototypes {
            column: input.name.clone(),
            why,
        })?);
    }
    let squared = distances.iter().any(|written| written.squared);
    let named = distances.iter().enumerate().map(|(place, written)| {
        let distance = in_units(written, squared, nearest.reach.get(place).copied());
        format!("{distance} AS d{place}")
    });
    let named: Vec<String> = named.collect();
    let values = compared.named(&named);
    let where_known = match pool.source {
        // A row is there even if all its values are missing: its distance deals with them.
        Source::Row(_) => "",
        Source::Column | Source::Linked(_) => " WHERE v0 IS NOT NULL",
    };
    Ok(format!(
        "(SELECT {} FROM (SELECT {} FROM (SELECT {values} LIMIT 1) AS cells{where_known} LIMIT 1) AS distances LIMIT 1)",
        last_of_nearest(distances.len(), squared),
        named.join(", "),
    ))
}

/// A distance in units of the reach of its prototype; its square, if squares are compared.
fn in_units(written: &Written, squared: bool, reach: Option<f64>) -> String {
    let distance = match squared && !written.squared {
        true => format!("({0}) * ({0})", written.sql),
        false => written.sql.clone(),
    };
    match reach {
        Some(reach) if squared => format!("{distance} / {}", number(reach * reach)),
        Some(reach) => format!("{distance} / {}", number(reach)),
        None => distance,
    }
}

/// The last branch whose distance is not above any other, but for the tolerance.
fn last_of_nearest(count: usize, squared: bool) -> String {
    let slack = 1.0 + TOLERANCE;
    let slack = number(if squared { slack * slack } else { slack });
    let arms = (1..count).rev().map(|branch| {
        let others = (0..count).filter(|other| *other != branch);
        let near = others.map(|other| format!("d{branch} <= d{other} * {slack}"));
        let near: Vec<String> = near.collect();
        format!("WHEN {} THEN {branch} ", near.join(" AND "))
    });
    format!("CASE {}ELSE 0 END", arms.collect::<String>())
}

/// What is compared: the operand, and the columns behind its names.
struct Compared {
    operand: Operand,
    /// By name, `v0` and so on: the value, of a type that a column of SQL holds.
    cells: Vec<String>,
}

impl Compared {
    fn new(input: &Input, pool: &Pool) -> Self {
        let of = pool.measure.of();
        let mut cells = Vec::new();
        let operand = match (pool.source, of) {
            (Source::Column, of) => cell(of, &input.name, &mut cells).known(),
            (Source::Row(_), Type::Tuple(fields)) => {
                let each = fields.iter().map(|field| {
                    let name = field.name.as_deref().unwrap_or_default();
                    cell(&field.of, name, &mut cells)
                });
                Operand::Fields(each.collect())
            }
            (Source::Row(_) | Source::Linked(_), of) => Operand::Other(of.clone()),
        };
        Self { operand, cells }
    }

    /// The cells that distances speak of, under their names. Columns that the distance of rows
    /// leaves out are not read.
    fn named(&self, distances: &[String]) -> String {
        let spoken_of = |name: &str| {
            let words = distances
                .iter()
                .flat_map(|sql| sql.split(|c: char| !c.is_ascii_alphanumeric()));
            words.into_iter().any(|word| word == name)
        };
        let row = matches!(self.operand, Operand::Fields(_));
        let cells = self.cells.iter().enumerate().filter_map(|(place, sql)| {
            let name = format!("v{place}");
            (!row || spoken_of(&name)).then(|| format!("{sql} AS {name}"))
        });
        let cells: Vec<String> = cells.collect();
        match cells.is_empty() {
            true => "1 AS v".to_owned(),
            false => cells.join(", "),
        }
    }
}

/// A column as an operand, under the next name.
fn cell(of: &Type, column: &str, cells: &mut Vec<String>) -> Operand {
    let name = identifier(column);
    let sql = match of {
        Type::Numeric => numeric(&name),
        Type::DateTime => moment(&name),
        Type::Nominal | Type::String => textual(&name),
        _ => return Operand::Other(of.clone()),
    };
    cells.push(sql);
    Operand::new(of, &format!("v{}", cells.len() - 1))
}
