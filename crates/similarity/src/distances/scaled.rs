//! A distance as a share of the largest one in training, so that it can be joined with others.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use kinwood_values::sql::number;
use kinwood_values::{Column, Value};

use crate::account::{Account, Detail, How};
use crate::declaration::Declaration;
use crate::entry::{Build, Entry, Example, Inside, Takes};
use crate::error::Error;
use crate::expression::{Expression, Literal};
use crate::lacking::Lacking;
use crate::laws::Laws;
use crate::measure::{Bound, FittedDistance, written};
use crate::pairs::{Pairs, Row};
use crate::sql::{Operand, Refused, Written};
use kinwood_values::parameter::{Allowed, Parameter};

/// The catalogue's entry.
pub(crate) const SCALED: Entry = Entry {
    name: Cow::Borrowed("scaled"),
    values: Cow::Borrowed("values of any type"),
    takes: Takes::Any,
    inside: Inside::Same,
    facts: None,
    summary: Cow::Borrowed(
        "A distance divided by a number, or by the distance between two training values that are far apart.",
    ),
    laws: "those of the distance",
    cost: "that of the distance",
    reference: "Kinwood's own, so that rows can mix fields of all types; far apart: furthest from the furthest from the first",
    parameters: &[Parameter {
        name: "by",
        doc: "What divides the distance; with nothing apart in training, 1.",
        allowed: Allowed::PositiveOr(&["train"]),
        default: "train",
    }],
    example: Some(Example {
        expression: "scaled(absolute, by=4)",
        of: "numeric",
        a: "1",
        b: "2",
        gives: "0.25",
    }),
    build: Build::Distance(build),
};

fn build(declaration: &Declaration<'_>) -> Result<Arc<dyn FittedDistance>, Error> {
    let measure = declaration.same_distance()?;
    let by = match declaration.setting("by") {
        Some(Literal::Number(by)) => by,
        _ => {
            let training = declaration
                .training()
                .ok_or_else(|| declaration.needs_training("by"))?;
            Lacking::extent(&*measure, training)?
                .filter(|&extent| extent > 0.0 && extent.is_finite())
                .unwrap_or(1.0)
        }
    };
    Ok(Arc::new(Scaled { measure, by }))
}

struct Scaled {
    measure: Arc<dyn FittedDistance>,
    by: f64,
}

impl FittedDistance for Scaled {
    fn laws(&self) -> Laws {
        self.measure.laws()
    }

    fn expression(&self) -> Expression {
        Expression::new("scaled")
            .part(self.measure.expression())
            .number("by", self.by)
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Bound, Error> {
        match self.measure.bind(queries, references)? {
            Bound::Real(pairs) => Ok(Bound::real(ScaledPairs { pairs, by: self.by })),
            pair_valued => Ok(pair_valued),
        }
    }

    fn largest(&self) -> Option<f64> {
        self.measure.largest().map(|largest| largest / self.by)
    }

    fn far(&self) -> Option<f64> {
        // The largest of training; on other values the distance may be larger.
        Some(self.largest().unwrap_or(1.0))
    }

    fn factor(&self) -> Option<f64> {
        self.measure.factor().map(|factor| factor / self.by)
    }

    fn sql(&self, value: &Operand, constant: &Value) -> Result<Written, Refused> {
        let inside = written(&*self.measure, value, constant)?;
        let by = match inside.squared {
            true => self.by * self.by,
            false => self.by,
        };
        Ok(Written {
            sql: format!("{} / {}", inside.sql, number(by)),
            ..inside
        })
    }

    fn how(&self, a: &Column, b: &Column, detail: Detail) -> Result<How, Error> {
        Ok(How::Divided {
            by: self.by,
            of: Box::new(Account::of(&*self.measure, a, b, detail)?),
        })
    }
}

struct ScaledPairs {
    pairs: Arc<dyn Pairs<f64>>,
    by: f64,
}

impl Pairs<f64> for ScaledPairs {
    fn shape(&self) -> (usize, usize) {
        self.pairs.shape()
    }

    fn laws(&self) -> Laws {
        self.pairs.laws()
    }

    fn heavy(&self) -> bool {
        self.pairs.heavy()
    }

    fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_> {
        Box::new(ScaledRow {
            row: self.pairs.prepare(query),
            by: self.by,
        })
    }
}

/// Far more than rounding, far less than matters.
const SLACK: f64 = 1e-12;

struct ScaledRow<'a> {
    row: Box<dyn Row<f64> + 'a>,
    by: f64,
}

impl Row<f64> for ScaledRow<'_> {
    fn fill(&self, references: Range<usize>, out: &mut [f64]) {
        self.row.fill(references, out);
        for out in out {
            *out /= self.by;
        }
    }

    fn within(&self, reference: usize, bound: f64) -> Option<f64> {
        // The product may be rounded down: what is asked for is a little more, what is given is
        // not.
        let most = bound * self.by * (1.0 + SLACK);
        let distance = self.row.within(reference, most)? / self.by;
        Some(distance).filter(|&distance| distance <= bound)
    }

    fn bounded(&self) -> bool {
        self.row.bounded()
    }

    fn least(&self, reference: usize) -> f64 {
        self.row.least(reference) / self.by * (1.0 - SLACK)
    }
}
