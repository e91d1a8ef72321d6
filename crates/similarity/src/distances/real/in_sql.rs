//! The difference of a number of a row and a constant in SQL, step by step as it is computed here:
//! the same numbers come out.

use kinwood_values::Value;
use kinwood_values::sql::{double, number};

use super::{Absolute, Difference, Scale, Unit};
use crate::distances::nominal::equal;
use crate::missing::Missing;
use crate::sql::{Cell, NOTHING, Refused, Written, unless};

impl Difference {
    /// The distance of a cell to a constant, as [`RealPairs`] computes it.
    pub(super) fn in_sql(
        &self,
        cell: &Cell,
        missing: Option<String>,
        constant: &Value,
    ) -> Result<Written, Refused> {
        let (scale, far) = self.scale();
        let other = match constant {
            Value::Number(other) => Some(*other),
            Value::DateTime(instant) => Some(*instant as f64),
            _ => None,
        };
        let lacking = missing.is_some() || other.is_none();
        if lacking && self.missing == Missing::Skip {
            let sql = match other {
                Some(other) => unless(missing, NOTHING, &between(scale, cell, other)),
                None => NOTHING.to_owned(),
            };
            return Ok(Written {
                partial: true,
                ..Written::new(sql)
            });
        }
        if lacking && matches!((self.unit, far), (Unit::One, None)) {
            return Err(Refused::NoFar {
                measure: "absolute".to_owned(),
            });
        }
        // What is as far as the range allows depends on where the other is.
        let furthest = match (self.missing, far, scale) {
            (Missing::Max, None, Scale::Trained(distance)) => Some(distance),
            _ => None,
        };
        let absent = far.unwrap_or(1.0);
        Ok(Written::new(match (other, furthest) {
            (Some(other), furthest) => {
                let absent = furthest.map_or(absent, |range| range.furthest(other));
                unless(missing, &double(absent), &between(scale, cell, other))
            }
            (None, furthest) => {
                let together = match self.missing {
                    Missing::Own => 0.0,
                    Missing::Max | Missing::Skip => absent,
                };
                let there = match furthest {
                    Some(range) => range.furthest_in_sql(cell),
                    None => double(absent),
                };
                unless(missing, &double(together), &there)
            }
        }))
    }
}

impl Absolute {
    /// The furthest a value of the training range can be from a cell.
    fn furthest_in_sql(&self, cell: &Cell) -> String {
        let Some(scale) = self.scale() else {
            return double(1.0);
        };
        let low = format!("ABS({} - {})", cell.sql, subtracted(self.least));
        let high = format!("ABS({} - {})", cell.sql, subtracted(self.greatest));
        let scale = number(scale);
        format!("CASE WHEN {low} > {high} THEN {low} * {scale} ELSE {high} * {scale} END")
    }
}

/// The distance of two numbers.
fn between(scale: Scale, cell: &Cell, other: f64) -> String {
    let apart = format!("ABS({} - {})", cell.sql, subtracted(other));
    match scale.factor() {
        Some(1.0) => apart,
        Some(factor) => format!("{apart} * {}", number(factor)),
        None => equal(cell, &number(other)),
    }
}

/// A number behind a minus, which a second one would make a comment of.
fn subtracted(other: f64) -> String {
    match number(other) {
        negative if negative.starts_with('-') => format!("({negative})"),
        positive => positive,
    }
}
