//! Distances of points in time by what the calendar makes of them: how much time lies between, and
//! how far both are apart on the circles of the year, the week and the day.

mod parts;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use kinwood_values::parameter::{Allowed, Parameter};
use kinwood_values::{Column, Type};

use crate::account::{Account, Combination, Detail, FieldShare, How, Kept};
use crate::declaration::Declaration;
use crate::distances::real::{Absolute, numbers};
use crate::entry::{Build, Entry, Example, Inside, Takes};
use crate::error::Error;
use crate::expression::{Expression, Literal};
use crate::laws::Laws;
use crate::measure::{Bound, FittedDistance};
use crate::pairs::{Pairs, Row};
use crate::score::Measured;
use parts::{DAY, Part, Scale, YEAR};

const NAME: &str = "date";

/// The setting that says what time between is divided by.
const RANGE: &str = "range";

const fn weight(part: Part, doc: &'static str) -> Parameter {
    Parameter {
        name: part.name(),
        doc,
        allowed: Allowed::NotNegative,
        default: "",
    }
}

/// The catalogue's entry.
pub(crate) const DATE: Entry = Entry {
    name: Cow::Borrowed(NAME),
    values: Cow::Borrowed("a datetime"),
    takes: Takes::Exactly(Type::DateTime),
    inside: Inside::Leaf,
    facts: None,
    summary: Cow::Borrowed(
        "The weighted mean of how far two points in time are apart by the parts of the calendar that have a weight, in UTC: the time between as a share of `range`, and on circles, where half a circle is 1, months, days of the year, weekdays and times of day. Without weights it is `date(elapsed=1, yearday=0.5, weekday=0.5, hour=0.5)`.",
    ),
    laws: "metric with a weight for `elapsed`; without it what differs in other parts only is 0 apart",
    cost: "a subtraction a part",
    reference: "Mardia and Jupp, Directional statistics, 2000 (the circles); Gower, A general coefficient of similarity and some of its properties, Biometrics 27, 1971 (the mean)",
    parameters: &[
        weight(
            Part::Elapsed,
            "The weight of the time between, as a share of `range`.",
        ),
        weight(
            Part::Year,
            "The weight of the difference of years, as a share of the years in `range`, at least one.",
        ),
        weight(Part::Month, "The weight of months on a circle of twelve."),
        weight(
            Part::Yearday,
            "The weight of days of the year on a circle of as many days as the year has.",
        ),
        weight(
            Part::Weekday,
            "The weight of weekdays on a circle of seven; the furthest, three days, are 1 apart.",
        ),
        weight(
            Part::Hour,
            "The weight of times of day on a circle of 24 hours, to the millisecond.",
        ),
        Parameter {
            name: RANGE,
            doc: "Days that are 1 apart: a number, or the range of the training values; a year where there are none.",
            allowed: Allowed::PositiveOr(&["train"]),
            default: "",
        },
    ],
    example: Some(Example {
        expression: "date(month=1, weekday=1)",
        of: "datetime",
        a: "\"2024-01-01\"",
        b: "\"2024-12-25\"",
        gives: "0.41666666666666663",
    }),
    build: Build::Distance(build),
};

fn build(declaration: &Declaration<'_>) -> Result<Arc<dyn FittedDistance>, Error> {
    declaration.no_parts()?;
    if *declaration.of() != Type::DateTime {
        return Err(declaration.wrong_type());
    }
    let given = |part: &Part| match declaration.setting(part.name()) {
        Some(Literal::Number(weight)) => Some((*part, weight)),
        _ => None,
    };
    let mut weights: Vec<(Part, f64)> = Part::ALL.iter().filter_map(given).collect();
    if weights.is_empty() {
        weights = Part::USUAL.to_vec();
    }
    weights.retain(|&(_, weight)| weight > 0.0);
    if weights.is_empty() {
        return Err(Error::Setting {
            measure: NAME.to_owned(),
            setting: Part::Elapsed.name().to_owned(),
            found: "0, as are all others".to_owned(),
            expected: "a weight above 0 for one part at least".to_owned(),
        });
    }
    let days = match (declaration.setting(RANGE), declaration.training()) {
        (Some(Literal::Number(days)), _) => days,
        (Some(Literal::Word(_)), None) => return Err(declaration.needs_training(RANGE)),
        (_, Some(training)) => {
            let known = numbers(training).into_iter().filter(|time| !time.is_nan());
            let over = Absolute::over(known);
            let days = (over.greatest - over.least) / DAY;
            // One point in time says nothing of how far others are.
            if days > 0.0 { days } else { 1.0 }
        }
        (None, None) => YEAR,
    };
    Ok(Arc::new(Dates { weights, days }))
}

struct Dates {
    /// The parts that count.
    weights: Vec<(Part, f64)>,
    /// Days that are 1 apart.
    days: f64,
}

impl Dates {
    /// Whether distances grow with the time between.
    fn grows(&self) -> bool {
        let grows = |part: Part| matches!(part, Part::Elapsed | Part::Year);
        self.weights.iter().any(|&(part, _)| grows(part))
    }

    fn total(&self) -> f64 {
        self.weights.iter().map(|&(_, weight)| weight).sum()
    }
}

impl FittedDistance for Dates {
    fn laws(&self) -> Laws {
        let elapsed = self.weights.iter().any(|&(part, _)| part == Part::Elapsed);
        Laws {
            separates: elapsed,
            ..Laws::METRIC
        }
    }

    fn expression(&self) -> Expression {
        let mut expression = Expression::new(NAME);
        for &(part, weight) in &self.weights {
            expression = expression.number(part.name(), weight);
        }
        match self.grows() {
            true => expression.number(RANGE, self.days),
            false => expression,
        }
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Bound, Error> {
        let part = |&(part, weight): &(Part, f64)| BoundPart {
            weight,
            scale: part.scale(self.days),
            queries: part.places(queries),
            references: part.places(references),
        };
        Ok(Bound::real(DatePairs {
            parts: self.weights.iter().map(part).collect(),
            total: self.total(),
            laws: self.laws(),
            shape: (queries.len(), references.len()),
        }))
    }

    fn largest(&self) -> Option<f64> {
        (!self.grows()).then_some(1.0)
    }

    fn far(&self) -> Option<f64> {
        // The largest in the range; points in time outside of it are further.
        Some(1.0)
    }

    fn how(&self, a: &Column, b: &Column, detail: Detail) -> Result<How, Error> {
        let apart = |part: Part| {
            let (x, y) = (part.places(a)[0], part.places(b)[0]);
            part.scale(self.days).apart(x, y)
        };
        let distances: Vec<f64> = self.weights.iter().map(|of| apart(of.0)).collect();
        let added: Vec<f64> = distances
            .iter()
            .zip(&self.weights)
            .map(|(distance, (_, weight))| distance * weight)
            .collect();
        let fields = Kept::costliest(&added, detail.items).told(|place| {
            let (part, weight) = self.weights[place];
            FieldShare {
                position: place,
                name: Some(part.name().to_owned()),
                weight,
                account: Account {
                    measure: part.name().to_owned(),
                    distance: Measured::Number(distances[place]),
                    first: part.text(a),
                    second: part.text(b),
                    how: How::Plain,
                },
            }
        });
        Ok(How::Fields {
            combination: Combination::Mean,
            weight: self.total(),
            skipped: 0.0,
            fields,
        })
    }
}

struct BoundPart {
    weight: f64,
    scale: Scale,
    queries: Vec<f64>,
    references: Vec<f64>,
}

struct DatePairs {
    parts: Vec<BoundPart>,
    total: f64,
    laws: Laws,
    shape: (usize, usize),
}

impl Pairs<f64> for DatePairs {
    fn shape(&self) -> (usize, usize) {
        self.shape
    }

    fn laws(&self) -> Laws {
        self.laws
    }

    fn heavy(&self) -> bool {
        false
    }

    fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_> {
        Box::new(DateRow { of: self, query })
    }
}

struct DateRow<'a> {
    of: &'a DatePairs,
    query: usize,
}

impl Row<f64> for DateRow<'_> {
    fn fill(&self, references: Range<usize>, out: &mut [f64]) {
        out.fill(0.0);
        for part in &self.of.parts {
            let own = part.queries[self.query];
            for (out, &other) in out.iter_mut().zip(&part.references[references.clone()]) {
                *out += part.weight * part.scale.apart(own, other);
            }
        }
        for out in out {
            *out /= self.of.total;
        }
    }
}
