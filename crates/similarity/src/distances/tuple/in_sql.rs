//! The joined distances of the fields of a row in SQL: added up in the order of the fields, as they
//! are computed here. Where all are complete numbers, [`super::super::dense`] multiplies factors
//! and weights first: the last bit may differ then, which no test by prototypes looks at.
//!
//! Roots are left to whoever compares. Where a missing value may be left out, or distances are
//! squared, they get names in a table of one row; its `LIMIT` keeps databases from computing them
//! wherever they are named.

use kinwood_values::Value;
use kinwood_values::sql::{double, number};

use super::{Field, Joint};
use crate::measure::written;
use crate::sql::{Operand, Refused, Written};

impl Joint {
    /// The distance of a row to a constant one.
    pub(super) fn in_sql(
        &self,
        fields: &[Operand],
        constants: &[Value],
    ) -> Result<Written, Refused> {
        let measure = || self.combination.name().to_owned();
        let mut parts: Vec<(&Field, Written)> = Vec::new();
        // What counts nothing need not be written.
        for field in self.fields.iter().filter(|field| field.weight != 0.0) {
            let place = field.position;
            let (Some(value), Some(constant)) = (fields.get(place), constants.get(place)) else {
                return Err(Refused::Measure { measure: measure() });
            };
            let part = written(&*field.measure, value, constant)?;
            if part.squared {
                return Err(Refused::Root {
                    measure: field.measure.expression().name,
                    within: measure(),
                });
            }
            parts.push((field, part));
        }
        let squares = self.combination.squares();
        let sql = match parts.iter().any(|(_, part)| part.partial) {
            _ if parts.is_empty() => double(0.0),
            true => self.without_what_is_missing(&parts),
            false if squares => format!(
                "(SELECT {} FROM ({}) AS fields LIMIT 1)",
                self.finished(&self.sum(&parts)),
                named(&parts)
            ),
            false => format!("({})", self.finished(&self.sum(&parts))),
        };
        Ok(Written {
            squared: squares,
            ..Written::new(sql)
        })
    }

    /// The fields that are there, scaled up to stand for those that are not.
    fn without_what_is_missing(&self, parts: &[(&Field, Written)]) -> String {
        let all = self.weight();
        let left_out = parts.iter().enumerate();
        let left_out = left_out.filter(|(_, (_, part))| part.partial);
        let left_out = left_out.map(|(place, (field, _))| {
            let (weight, none) = (double(field.weight), double(0.0));
            format!("CASE WHEN f{place} IS NULL THEN {weight} ELSE {none} END")
        });
        let nothing = match self.combination.squares() {
            true => self.nothing() * self.nothing(),
            false => self.nothing(),
        };
        let all = number(all);
        format!(
            "(SELECT CASE WHEN gone >= {all} THEN {} WHEN gone > 0 THEN {} ELSE {} END \
             FROM (SELECT {} AS total, {} AS gone FROM ({}) AS fields LIMIT 1) AS joined LIMIT 1)",
            double(nothing),
            self.finished(&format!(
                "total * ({} / ({all} - gone))",
                double(self.weight())
            )),
            self.finished("total"),
            self.sum(parts),
            left_out.collect::<Vec<_>>().join(" + "),
            named(parts),
        )
    }

    /// What the fields add up to; by their names where those are needed.
    fn sum(&self, parts: &[(&Field, Written)]) -> String {
        let squares = self.combination.squares();
        let named = squares || parts.iter().any(|(_, part)| part.partial);
        let terms = parts.iter().enumerate().map(|(place, (field, part))| {
            let mut term = match (named, squares) {
                (true, true) => format!("f{place} * f{place}"),
                (true, false) => format!("f{place}"),
                (false, _) => part.sql.clone(),
            };
            if field.weight != 1.0 {
                term = format!("{term} * {}", number(field.weight));
            }
            match part.partial {
                true => {
                    let none = double(0.0);
                    format!("CASE WHEN f{place} IS NULL THEN {none} ELSE {term} END")
                }
                false => term,
            }
        });
        terms.collect::<Vec<_>>().join(" + ")
    }

    /// A sum over the fields as a distance, or as its square.
    fn finished(&self, sum: &str) -> String {
        match self.combination.averages() {
            true => format!("({sum}) / {}", number(self.weight())),
            false => sum.to_owned(),
        }
    }
}

/// The distances of the fields, under names.
fn named(parts: &[(&Field, Written)]) -> String {
    let parts = parts.iter().enumerate();
    let parts = parts.map(|(place, (_, part))| format!("{} AS f{place}", part.sql));
    format!("SELECT {} LIMIT 1", parts.collect::<Vec<_>>().join(", "))
}
