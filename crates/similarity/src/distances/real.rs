//! Distances between numbers, and between points in time.

mod in_sql;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use kinwood_values::{Cells, Column, Type, Value};

use crate::account::{Absent, Detail, How};
use crate::declaration::Declaration;
use crate::distance::Distance;
use crate::entry::{Build, Entry, Example, Inside, Takes, TypeKind};
use crate::error::Error;
use crate::expression::{Expression, Literal};
use crate::laws::Laws;
use crate::measure::{Bound, FittedDistance};
use crate::missing::Missing;
use crate::pairs::{Pairs, Row};
use crate::sql::{Operand, Refused, Written};
use kinwood_values::parameter::{Allowed, Parameter};

/// The catalogue's entry.
pub const ABSOLUTE: Entry = Entry {
    name: Cow::Borrowed("absolute"),
    values: Cow::Borrowed("a number or a datetime"),
    takes: Takes::Kinds(&[TypeKind::Numeric, TypeKind::DateTime]),
    inside: Inside::Leaf,
    facts: None,
    summary: Cow::Borrowed("The absolute difference, as it is or as a share of a range."),
    laws: "metric",
    cost: "one subtraction",
    reference: "Aha, Kibler and Albert, Instance-based learning algorithms, Machine Learning 6, 1991 (the range)",
    parameters: &[
        Parameter {
            name: "range",
            doc: "Divides the difference: a number, the range of the training values (train) or their standard deviation (deviation), which one outlier changes less; with a range of 0, equal or not.",
            allowed: Allowed::PositiveOr(&["train", "deviation"]),
            default: "",
        },
        Parameter {
            name: "least",
            doc: "The least training value, where the range is known.",
            allowed: Allowed::Number,
            default: "",
        },
        Parameter {
            name: "greatest",
            doc: "The greatest training value, where the range is known.",
            allowed: Allowed::Number,
            default: "",
        },
    ],
    example: Some(Example {
        expression: "absolute(range=8)",
        of: "numeric",
        a: "3",
        b: "5",
        gives: "0.25",
    }),
    build: Build::Distance(build),
};

fn build(declaration: &Declaration<'_>) -> Result<Arc<dyn FittedDistance>, Error> {
    declaration.no_parts()?;
    if !matches!(declaration.of(), Type::Numeric | Type::DateTime) {
        return Err(declaration.wrong_type());
    }
    let end = |name: &str| match declaration.setting(name) {
        Some(Literal::Number(number)) => Some(number),
        _ => None,
    };
    let wrong = |setting: &str, found: String, expected: &str| Error::Setting {
        measure: "absolute".to_owned(),
        setting: setting.to_owned(),
        found,
        expected: expected.to_owned(),
    };
    let unit = match (declaration.setting("range"), end("least"), end("greatest")) {
        (None, None, None) => Unit::One,
        (Some(Literal::Number(range)), None, None) => Unit::Range(range),
        (Some(Literal::Word(word)), None, None) => {
            let training = declaration
                .training()
                .ok_or_else(|| declaration.needs_training("range"))?;
            let spread = deviation(&numbers(training)).filter(|_| word == "deviation");
            if let Some(deviation) = spread {
                return Ok(Arc::new(Difference {
                    unit: Unit::Range(deviation),
                    missing: declaration.missing(),
                    said: declaration.said_missing(),
                    masked: declaration.masked(),
                    // As far as two values drawn at random are, in the mean of squares.
                    far: end("far").or(Some(std::f64::consts::SQRT_2)),
                }));
            }
            Unit::Trained(Absolute::over(
                numbers(training).into_iter().filter(|x| !x.is_nan()),
            ))
        }
        (None, Some(least), Some(greatest)) if least <= greatest => {
            Unit::Trained(Absolute { least, greatest })
        }
        (None, Some(least), Some(greatest)) => {
            return Err(wrong(
                "greatest",
                greatest.to_string(),
                &format!("at least the least value, {least}"),
            ));
        }
        (None, _, _) => {
            return Err(wrong(
                "least",
                "alone".to_owned(),
                "both `least` and `greatest`",
            ));
        }
        (Some(_), _, _) => {
            return Err(wrong(
                "range",
                "set".to_owned(),
                "either `range`, or `least` and `greatest`",
            ));
        }
    };
    if let Some(training) = declaration.training()
        && let Some(row) = numbers(training).iter().position(|x| x.is_infinite())
    {
        return Err(Error::Undefined {
            measure: "absolute".to_owned(),
            what: format!("infinite numbers in {}", declaration.place()),
            row: Some(row),
        });
    }
    let far = end("far");
    let extent = match (unit, declaration.training()) {
        (Unit::One, Some(training)) => {
            let over = Absolute::over(numbers(training).into_iter().filter(|x| !x.is_nan()));
            let extent = over.greatest - over.least;
            Some(if extent > 0.0 && extent.is_finite() {
                extent
            } else {
                1.0
            })
        }
        _ => None,
    };
    Ok(Arc::new(Difference {
        unit,
        missing: declaration.missing(),
        said: declaration.said_missing(),
        masked: declaration.masked(),
        far: far.or(extent),
    }))
}

/// The standard deviation of numbers, NaN left out; `None` where they do not differ, or too much
/// for a number.
fn deviation(numbers: &[f64]) -> Option<f64> {
    let known = || numbers.iter().copied().filter(|number| !number.is_nan());
    let count = known().count() as f64;
    let mean = known().map(|number| number / count).sum::<f64>();
    let variance = known()
        .map(|number| (number - mean).powi(2) / count)
        .sum::<f64>();
    Some(variance.sqrt()).filter(|found| found.is_normal())
}

/// What a difference is divided by.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Unit {
    One,
    Range(f64),
    Trained(Absolute),
}

/// The absolute difference with its treatment of missing values: with a range, `max` is as far as
/// the range allows from where the other value is, which no treatment from outside could know.
struct Difference {
    unit: Unit,
    missing: Missing,
    said: Option<Missing>,
    masked: bool,
    far: Option<f64>,
}

impl FittedDistance for Difference {
    fn laws(&self) -> Laws {
        Laws::METRIC
    }

    fn expression(&self) -> Expression {
        let mut expression = Expression::new("absolute");
        match self.unit {
            Unit::One => {}
            Unit::Range(range) => expression = expression.number("range", range),
            Unit::Trained(Absolute { least, greatest }) => {
                expression = expression
                    .number("least", least)
                    .number("greatest", greatest);
            }
        }
        if let Some(said) = self.said {
            expression = expression.word("missing", said.name());
        }
        if let Some(far) = self.far {
            expression = expression.number("far", far);
        }
        expression
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Bound, Error> {
        let lacking = queries.missing() + references.missing() > 0;
        let (distance, far) = match (self.unit, self.scale()) {
            (Unit::One, (_, None)) if lacking && !self.masked && self.missing != Missing::Skip => {
                return Err(Error::NoFar {
                    measure: "absolute".to_owned(),
                });
            }
            (Unit::One, (scale, far)) => (scale, Some(far.unwrap_or(1.0))),
            (_, scaled) => scaled,
        };
        let (queries, references) = (numbers(queries), numbers(references));
        let mut laws = Laws::METRIC;
        if lacking {
            laws = self.missing.laws_of(laws);
            let far = far.unwrap_or(1.0);
            let all = queries.iter().chain(&references).copied();
            let over = Absolute::over(all.filter(|number| !number.is_nan()));
            let widest = (over.greatest - over.least) * distance.factor().unwrap_or(1.0);
            // By way of a missing number it is twice as far as one is put: that must be no
            // shortcut.
            laws.triangle &= widest <= 2.0 * far && self.missing == Missing::Own;
            laws.separates &= far > 0.0;
        }
        Ok(Bound::real(RealPairs {
            distance,
            missing: self.missing,
            laws,
            far,
            queries,
            references,
        }))
    }

    fn far(&self) -> Option<f64> {
        match self.unit {
            Unit::One => self.far,
            // The largest distance in the range; a value outside of it is further.
            Unit::Range(_) | Unit::Trained(_) => Some(self.far.unwrap_or(1.0)),
        }
    }

    fn takes_missing(&self) -> bool {
        true
    }

    fn is_euclidean(&self) -> bool {
        true
    }

    fn factor(&self) -> Option<f64> {
        match self.unit {
            Unit::One => Some(1.0),
            Unit::Range(range) => Some(1.0 / range),
            Unit::Trained(distance) => distance.scale(),
        }
    }

    fn sql(&self, value: &Operand, constant: &Value) -> Result<Written, Refused> {
        let Operand::Number(cell) = value else {
            return Err(Refused::measure("absolute"));
        };
        self.in_sql(cell, value.missing(), constant)
    }

    fn how(&self, a: &Column, b: &Column, _: Detail) -> Result<How, Error> {
        if let Some(absent) = Absent::of(a.is_present(0), b.is_present(0)) {
            return Ok(How::Missing {
                rule: self.missing,
                absent,
            });
        }
        let (x, y) = (numbers(a)[0], numbers(b)[0]);
        let range = match self.unit {
            Unit::One => 1.0,
            Unit::Range(range) => range,
            Unit::Trained(Absolute { least, greatest }) => greatest - least,
        };
        let difference = (x - y).abs();
        Ok(
            match (range > 0.0, range.is_finite() && difference.is_finite()) {
                (false, _) => How::Equality { equal: x == y },
                (true, true) => How::Difference { difference, range },
                (true, false) => How::Plain,
            },
        )
    }
}

impl Difference {
    /// What a difference is multiplied by; none where values are only told apart. And how far a
    /// missing number is, where that does not depend on the other.
    fn scale(&self) -> (Scale, Option<f64>) {
        match self.unit {
            Unit::Trained(distance) => (Scale::Trained(distance), self.far),
            Unit::Range(range) => (Scale::By(1.0 / range), Some(self.far.unwrap_or(1.0))),
            Unit::One => (Scale::By(1.0), self.far),
        }
    }
}

/// The numbers or times of a column, NaN where missing.
pub(crate) fn numbers(column: &Column) -> Vec<f64> {
    let all: Vec<f64> = match column.cells() {
        Cells::Numeric(numbers) => numbers.clone(),
        Cells::DateTime(instants) => instants.iter().map(|&instant| instant as f64).collect(),
        _ => vec![f64::NAN; column.len()],
    };
    if column.missing() == 0 {
        return all;
    }
    all.into_iter()
        .enumerate()
        .map(|(row, number)| {
            if column.is_present(row) {
                number
            } else {
                f64::NAN
            }
        })
        .collect()
}

/// Absolute difference, divided by a range.
///
/// `|x - y| / range`; with a range of 0 (a column that is constant in training) 0 if equal, else 1.
///
/// Laws: metric. Cost: one subtraction. Reference: Aha, Kibler and Albert, *Instance-based learning
/// algorithms*, Machine Learning 6, 1991 (the range).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Absolute {
    /// The least value in training.
    pub least: f64,
    /// The greatest value in training.
    pub greatest: f64,
}

impl Absolute {
    /// The distance over the range of these numbers; with none, over the range from 0 to 1.
    pub fn over(numbers: impl IntoIterator<Item = f64>) -> Self {
        let (least, greatest) = numbers
            .into_iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
                (low.min(x), high.max(x))
            });
        if least <= greatest {
            Self { least, greatest }
        } else {
            Self {
                least: 0.0,
                greatest: 1.0,
            }
        }
    }

    pub(crate) fn scale(&self) -> Option<f64> {
        // Ends of opposite sign and great magnitude overflow their difference: halve first.
        let range = self.greatest / 2.0 - self.least / 2.0;
        (range > 0.0).then_some(0.5 / range)
    }

    /// The furthest a value of the training range can be from `x`.
    fn furthest(&self, x: f64) -> f64 {
        match self.scale() {
            Some(scale) => ((x - self.least).abs()).max((self.greatest - x).abs()) * scale,
            None => 1.0,
        }
    }
}

impl Distance<f64> for Absolute {
    type Score = f64;

    fn between(&self, a: &f64, b: &f64) -> f64 {
        match self.scale() {
            Some(scale) => (a - b).abs() * scale,
            None => f64::from(u8::from(a != b)),
        }
    }

    fn laws(&self) -> Laws {
        Laws::METRIC
    }
}

/// How a difference becomes a distance.
#[derive(Clone, Copy)]
enum Scale {
    By(f64),
    Trained(Absolute),
}

impl Scale {
    /// The factor; none where values are only told apart.
    fn factor(&self) -> Option<f64> {
        match self {
            Scale::By(factor) => Some(*factor),
            Scale::Trained(distance) => distance.scale(),
        }
    }
}

/// Numbers bound to numbers; NaN stands for missing.
struct RealPairs {
    distance: Scale,
    missing: Missing,
    laws: Laws,
    /// How far a missing number is, where that is said.
    far: Option<f64>,
    queries: Vec<f64>,
    references: Vec<f64>,
}

impl RealPairs {
    /// How far a missing number is from this one.
    fn absent(&self, present: f64) -> f64 {
        match (self.missing, self.far, self.distance) {
            (Missing::Skip, _, _) => f64::NAN,
            (_, Some(far), _) => far,
            (Missing::Max, None, Scale::Trained(distance)) => distance.furthest(present),
            _ => 1.0,
        }
    }
}

impl Pairs<f64> for RealPairs {
    fn shape(&self) -> (usize, usize) {
        (self.queries.len(), self.references.len())
    }

    fn laws(&self) -> Laws {
        self.laws
    }

    fn heavy(&self) -> bool {
        false
    }

    fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_> {
        let query = self.queries[query];
        if query.is_nan() {
            return Box::new(AbsentReal { pairs: self });
        }
        Box::new(RealRow {
            query,
            factor: self.distance.factor(),
            absent: self.absent(query),
            references: &self.references,
        })
    }
}

/// A query whose number is missing.
struct AbsentReal<'a> {
    pairs: &'a RealPairs,
}

impl Row<f64> for AbsentReal<'_> {
    fn fill(&self, references: Range<usize>, out: &mut [f64]) {
        for (out, &reference) in out.iter_mut().zip(&self.pairs.references[references]) {
            *out = match (self.pairs.missing, reference.is_nan()) {
                (Missing::Own, true) => 0.0,
                (Missing::Max, true) => self.pairs.far.unwrap_or(1.0),
                _ => self.pairs.absent(reference),
            };
        }
    }
}

struct RealRow<'a> {
    query: f64,
    factor: Option<f64>,
    absent: f64,
    references: &'a [f64],
}

impl Row<f64> for RealRow<'_> {
    fn fill(&self, references: Range<usize>, out: &mut [f64]) {
        let references = &self.references[references];
        let pairs = out.iter_mut().zip(references);
        match self.factor {
            Some(factor) => {
                for (out, &reference) in pairs {
                    let distance = (self.query - reference).abs() * factor;
                    *out = if reference.is_nan() {
                        self.absent
                    } else {
                        distance
                    };
                }
            }
            None => {
                for (out, &reference) in pairs {
                    let differs = f64::from(u8::from(self.query != reference));
                    *out = if reference.is_nan() {
                        self.absent
                    } else {
                        differs
                    };
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn infinite_numbers_have_no_range() {
        let column = Column::numeric(vec![1.0, f64::INFINITY]);
        let registry = crate::Registry::builtin();
        for expression in ["absolute", "absolute(range=train)"] {
            let parsed = expression.parse().unwrap();
            let fitted = registry.distance(&parsed, &Type::Numeric, Some(&column), "column `x`");
            let told = fitted.map(|_| ()).unwrap_err().to_string();
            assert!(
                told.starts_with("`absolute` is not defined for infinite numbers in column `x`"),
                "{told}"
            );
        }
    }

    #[test]
    fn differences_are_shares_of_the_range() {
        let distance = Absolute::over([2.0, 6.0, 4.0]);
        assert_eq!(distance.between(&2.0, &6.0), 1.0);
        assert_eq!(distance.between(&3.0, &4.0), 0.25);
        assert_eq!(distance.furthest(3.0), 0.75);
    }

    #[test]
    fn a_zero_range_tells_equal_from_unequal() {
        let distance = Absolute::over([2.0, 2.0]);
        assert_eq!(
            (distance.between(&2.0, &2.0), distance.between(&2.0, &3.0)),
            (0.0, 1.0)
        );
    }

    #[test]
    fn the_range_of_huge_numbers_does_not_overflow() {
        let distance = Absolute::over([-1e308, 1e308]);
        assert_eq!(distance.between(&-1e308, &-1e308), 0.0);
        assert!(distance.between(&0.0, &1e308) <= 0.5 + 1e-12);
    }

    #[test]
    fn missing_numbers_by_policy() {
        let row = |missing, query: f64| {
            let references = vec![0.0, 1.0, f64::NAN];
            let distance = Absolute {
                least: 0.0,
                greatest: 4.0,
            };
            let pairs = RealPairs {
                distance: Scale::Trained(distance),
                missing,
                laws: Laws::METRIC,
                far: None,
                queries: vec![query],
                references,
            };
            let mut out = [0.0; 3];
            pairs.prepare(0).fill(0..3, &mut out);
            out
        };
        assert_eq!(row(Missing::Own, 1.0), [0.25, 0.0, 1.0]);
        assert_eq!(row(Missing::Own, f64::NAN), [1.0, 1.0, 0.0]);
        assert_eq!(row(Missing::Max, 1.0), [0.25, 0.0, 0.75]);
        assert_eq!(row(Missing::Max, f64::NAN), [1.0, 0.75, 1.0]);
        assert!(row(Missing::Skip, f64::NAN).iter().all(|d| d.is_nan()));
    }
}
