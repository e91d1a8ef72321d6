//! Kernels from a distance: linear, negative, polynomial, Gaussian.
//!
//! The linear and polynomial kernels see objects from an origin, a fixed object: by default the
//! medoid of the training objects. It is kept in the expression as JSON, so a model needs nothing
//! else.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use kinwood_values::{Column, Type, Value};

use super::real::OfNumbers;
use crate::declaration::Declaration;
use crate::entry::{Build, Entry, Example, Inside, Takes};
use crate::error::Error;
use crate::expression::{Expression, Literal};
use crate::gram::{Gram, KernelLaws};
use crate::measure::{Bound, FittedDistance, FittedKernel};
use crate::pairs::{Pairs, Row};
use kinwood_values::parameter::{Allowed, Parameter};

const REFERENCE: &str =
    "Mavroeidis and Flach, Improved distances for structured data, ILP 2003; signs as corrected";
const LAWS: &str = "symmetric if the distance is; positive semi-definite if it is Euclidean in some space; few are, so matrices are checked";

const GAMMA: Parameter = Parameter {
    name: "gamma",
    doc: "How fast similarity falls with distance.",
    allowed: Allowed::Positive,
    default: "1",
};

const ORIGIN: Parameter = Parameter {
    name: "origin",
    doc: "The object from which others are seen, as JSON; `train` takes the medoid of the training objects.",
    allowed: Allowed::Text,
    default: "train",
};

const fn example(expression: &'static str, gives: &'static str) -> Option<Example> {
    Some(Example {
        expression,
        of: "numeric",
        a: "2",
        b: "3",
        gives,
    })
}

/// The catalogue's entry; on numbers also without a distance.
pub(crate) const GAUSSIAN: Entry = Entry {
    name: Cow::Borrowed("gaussian"),
    values: Cow::Borrowed("a number, or values of any type with a distance: `gaussian(d)`"),
    takes: Takes::Any,
    inside: Inside::FromDistance,
    facts: None,
    summary: Cow::Borrowed("exp(-g (x - y)^2) of numbers, exp(-gamma d(x, y)^2) of a distance."),
    laws: "positive semi-definite on numbers; of a distance, only if it is Euclidean in some space, and symmetric if it is",
    cost: "one exponential and the distance",
    reference: REFERENCE,
    parameters: &[
        Parameter {
            name: "g",
            doc: "How fast similarity falls with the difference of numbers.",
            ..GAMMA
        },
        GAMMA,
    ],
    example: example("gaussian(0.5)", "0.6065306597126334"),
    build: Build::Kernel(|declaration| {
        if declaration.only_part()?.is_none() {
            return match declaration.of() {
                Type::Numeric => Ok(Arc::new(OfNumbers::Gaussian(declaration.number("g")))),
                _ => Err(declaration.wrong_type()),
            };
        }
        build(declaration, |declaration| {
            Ok(Form::Gaussian(declaration.number("gamma")))
        })
    }),
};

/// The catalogue's entry.
pub(crate) const LINEAR: Entry = Entry {
    name: Cow::Borrowed("linear"),
    values: Cow::Borrowed("values of any type with a distance"),
    takes: Takes::Any,
    inside: Inside::FromDistance,
    facts: None,
    summary: Cow::Borrowed("(d(x,o)^2 + d(y,o)^2 - d(x,y)^2) / 2, with an origin o."),
    laws: LAWS,
    cost: "one distance a pair, one a value",
    reference: REFERENCE,
    parameters: &[ORIGIN],
    example: example("linear(absolute, origin='0')", "6"),
    build: Build::Kernel(|declaration| build(declaration, |_| Ok(Form::Linear))),
};

/// The catalogue's entry.
pub(crate) const NEGATIVE: Entry = Entry {
    name: Cow::Borrowed("negative"),
    values: Cow::Borrowed("values of any type with a distance"),
    takes: Takes::Any,
    inside: Inside::FromDistance,
    facts: None,
    summary: Cow::Borrowed("-d(x,y)^2; conditionally positive, so matrices are centred first."),
    laws: "symmetric if the distance is; never positive semi-definite as it is",
    cost: "the distance",
    reference: REFERENCE,
    parameters: &[],
    example: example("negative(absolute)", "-1"),
    build: Build::Kernel(|declaration| build(declaration, |_| Ok(Form::Negative))),
};

/// The catalogue's entry.
pub(crate) const POLYNOMIAL: Entry = Entry {
    name: Cow::Borrowed("polynomial"),
    values: Cow::Borrowed("values of any type with a distance"),
    takes: Takes::Any,
    inside: Inside::FromDistance,
    facts: None,
    summary: Cow::Borrowed("(1 + gamma (d(x,o)^2 + d(y,o)^2 - d(x,y)^2))^p, with an origin o."),
    laws: LAWS,
    cost: "one distance a pair, one a value",
    reference: REFERENCE,
    parameters: &[
        GAMMA,
        Parameter {
            name: "p",
            doc: "The degree.",
            allowed: Allowed::Whole {
                least: 1,
                most: u64::MAX,
            },
            default: "5",
        },
        ORIGIN,
    ],
    example: example("polynomial(absolute, p=2, origin='0')", "169"),
    build: Build::Kernel(|declaration| {
        build(declaration, |declaration| {
            Ok(Form::Polynomial {
                gamma: declaration.number("gamma"),
                degree: declaration.number("p") as i32,
            })
        })
    }),
};

/// How a distance becomes a similarity.
#[derive(Clone, Copy)]
enum Form {
    Gaussian(f64),
    Linear,
    Negative,
    Polynomial { gamma: f64, degree: i32 },
}

impl Form {
    fn sees_from_origin(self) -> bool {
        matches!(self, Form::Linear | Form::Polynomial { .. })
    }

    /// From the square of the distance and the squares of those from the origin.
    fn of(self, square: f64, origins: f64) -> f64 {
        match self {
            Form::Gaussian(gamma) => (-gamma * square).exp(),
            Form::Negative => -square,
            Form::Linear => (origins - square) / 2.0,
            Form::Polynomial { gamma, degree } => (1.0 + gamma * (origins - square)).powi(degree),
        }
    }
}

fn build(
    declaration: &Declaration<'_>,
    form: impl FnOnce(&Declaration<'_>) -> Result<Form, Error>,
) -> Result<Arc<dyn FittedKernel>, Error> {
    let distance = declaration.same_distance()?;
    let form = form(declaration)?;
    let origin = if form.sees_from_origin() {
        Some(origin(declaration, &*distance)?)
    } else {
        None
    };
    Ok(Arc::new(FromDistance {
        distance,
        form,
        of: declaration.of().clone(),
        origin,
    }))
}

/// Training objects among which the medoid is sought; of more, evenly spread ones.
const CANDIDATES: usize = 1000;

fn origin(declaration: &Declaration<'_>, distance: &dyn FittedDistance) -> Result<Value, Error> {
    let written = match declaration.setting("origin") {
        Some(Literal::Word(word)) if word != "train" => Some(word),
        Some(Literal::Number(number)) => Some(number.to_string()),
        _ => None,
    };
    if let Some(text) = written {
        let wrong = |reason: String| Error::Setting {
            measure: declaration.name().to_owned(),
            setting: "origin".to_owned(),
            found: format!("`{text}`"),
            expected: format!("a value of {} as JSON ({reason})", declaration.of()),
        };
        let json = serde_json::from_str(&text).map_err(|reason| wrong(reason.to_string()))?;
        return Value::from_json(declaration.of(), &json)
            .map_err(|reason| wrong(reason.to_string()));
    }
    let training = declaration
        .training()
        .ok_or_else(|| declaration.needs_training("origin"))?;
    let present: Vec<u32> = (0..training.len() as u32)
        .filter(|&row| training.is_present(row as usize))
        .collect();
    let taken = present.len().min(CANDIDATES);
    let spread: Vec<u32> = (0..taken)
        .map(|i| present[i * present.len() / taken])
        .collect();
    let candidates = training.gather(&spread);
    let Bound::Real(pairs) = distance.bind(&candidates, &candidates)? else {
        return Err(Error::PairValued {
            measure: distance.expression().name,
            within: format!("`{}`", declaration.name()),
        });
    };
    // Objects are seen from the origin by d(x, o), so that is what the medoid makes small.
    let mut row = vec![0.0; taken];
    let mut sums = vec![0.0; taken];
    for object in 0..taken {
        pairs.prepare(object).fill(0..taken, &mut row);
        for (sum, distance) in sums.iter_mut().zip(&row) {
            *sum += distance;
        }
    }
    let mut best = (f64::INFINITY, None);
    for (candidate, &sum) in sums.iter().enumerate() {
        if sum < best.0 {
            best = (sum, Some(candidate));
        }
    }
    best.1
        .map(|medoid| candidates.value(medoid))
        .ok_or_else(|| declaration.needs_training("origin"))
}

struct FromDistance {
    distance: Arc<dyn FittedDistance>,
    form: Form,
    of: Type,
    origin: Option<Value>,
}

impl FromDistance {
    fn pairs(&self, a: &Column, b: &Column) -> Result<Arc<dyn Pairs<f64>>, Error> {
        match self.distance.bind(a, b)? {
            Bound::Real(pairs) => Ok(pairs),
            Bound::Term(_) => Err(Error::PairValued {
                measure: self.distance.expression().name,
                within: "a kernel".to_owned(),
            }),
        }
    }

    /// The squares of the distances d(x, o) to the origin, 0 where there is none.
    fn seen_from_origin(&self, column: &Column) -> Result<Vec<f64>, Error> {
        let mut squares = vec![0.0; column.len()];
        if let Some(origin) = &self.origin {
            let origin = Column::from_values(&self.of, [origin]).map_err(|_| Error::TwoTypes {
                first: self.of.to_string(),
                second: origin.to_string(),
            })?;
            if self.distance.laws().symmetric {
                // Then one prepared query, the origin, serves for all.
                let pairs = self.pairs(&origin, column)?;
                pairs.prepare(0).fill(0..column.len(), &mut squares);
            } else {
                let pairs = self.pairs(column, &origin)?;
                for (row, square) in squares.iter_mut().enumerate() {
                    pairs.prepare(row).fill(0..1, std::slice::from_mut(square));
                }
            }
            for square in &mut squares {
                *square *= *square;
            }
        }
        Ok(squares)
    }
}

impl FittedKernel for FromDistance {
    fn is_infinitely_divisible(&self) -> bool {
        matches!(self.form, Form::Gaussian(_))
    }

    fn needs_centring(&self) -> bool {
        matches!(self.form, Form::Negative)
    }

    fn laws(&self) -> KernelLaws {
        // Of a difference of numbers, the square is that of a Euclidean distance.
        let euclidean = self.distance.factor().is_some();
        KernelLaws {
            positive_semidefinite: euclidean && !matches!(self.form, Form::Negative),
            symmetric: self.distance.laws().symmetric,
        }
    }

    fn expression(&self) -> Expression {
        let distance = self.distance.expression();
        let with_origin = |expression: Expression| match &self.origin {
            Some(origin) => expression.word("origin", &origin.to_json().to_string()),
            None => expression,
        };
        match self.form {
            Form::Gaussian(gamma) => Expression::new("gaussian")
                .part(distance)
                .number("gamma", gamma),
            Form::Linear => with_origin(Expression::new("linear").part(distance)),
            Form::Negative => Expression::new("negative").part(distance),
            Form::Polynomial { gamma, degree } => with_origin(
                Expression::new("polynomial")
                    .part(distance)
                    .number("gamma", gamma)
                    .number("p", f64::from(degree)),
            ),
        }
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Arc<dyn Gram>, Error> {
        Ok(Arc::new(DistanceGram {
            form: self.form,
            pairs: self.pairs(queries, references)?,
            queries: self.seen_from_origin(queries)?,
            references: self.seen_from_origin(references)?,
        }))
    }
}

struct DistanceGram {
    form: Form,
    pairs: Arc<dyn Pairs<f64>>,
    queries: Vec<f64>,
    references: Vec<f64>,
}

impl Gram for DistanceGram {
    fn shape(&self) -> (usize, usize) {
        self.pairs.shape()
    }

    fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_> {
        Box::new(DistanceRow {
            of: self,
            own: self.queries[query],
            row: self.pairs.prepare(query),
        })
    }
}

struct DistanceRow<'a> {
    of: &'a DistanceGram,
    own: f64,
    row: Box<dyn Row<f64> + 'a>,
}

impl Row<f64> for DistanceRow<'_> {
    fn fill(&self, references: Range<usize>, out: &mut [f64]) {
        self.row.fill(references.clone(), out);
        for (out, &other) in out.iter_mut().zip(&self.of.references[references]) {
            *out = self.of.form.of(*out * *out, self.own + other);
        }
    }
}
