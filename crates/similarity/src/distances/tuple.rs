//! Distances between tuples, and between rows: the distances of the fields, joined.
//!
//! The join works on whole rows of distances, one call a field. Where every field is a scaled
//! difference of numbers and none is missing, [`super::dense`] does it in one go.

mod in_sql;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use kinwood_values::{Cells, Column, Value};

use super::dense::{DensePairs, Norm};
use crate::account::{Account, Detail, FieldShare, How, Kept};
use crate::combination::Combination;
use crate::declaration::Declaration;
use crate::entry::{Build, Entry, Example, Inside, Takes, TypeKind};
use crate::error::Error;
use crate::expression::{Argument, Expression, Part};
use crate::laws::Laws;
use crate::measure::{Bound, FittedDistance};
use crate::pairs::{Pairs, Row};
use crate::sql::{Operand, Refused, Written};

const FIELDS: &str = "a tuple or a row";
const REFERENCE: &str = "Estruch, Ferri, Hernández-Orallo and Ramírez-Quintana, section 2.1; weights multiply what is added up";

const fn entry(
    name: &'static str,
    summary: &'static str,
    example: Example,
    build: fn(&Declaration<'_>) -> Result<Arc<dyn FittedDistance>, Error>,
) -> Entry {
    Entry {
        name: Cow::Borrowed(name),
        values: Cow::Borrowed(FIELDS),
        takes: Takes::Kinds(&[TypeKind::Tuple]),
        inside: Inside::Fields,
        facts: None,
        summary: Cow::Borrowed(summary),
        laws: "those that all its fields have; a field of weight 0 is not told apart",
        cost: "one distance a field",
        reference: REFERENCE,
        parameters: &[],
        example: Some(example),
        build: Build::Distance(build),
    }
}

const fn example(expression: &'static str, gives: &'static str) -> Example {
    Example {
        expression,
        of: "tuple<nominal, numeric>",
        a: "[\"c\", 1]",
        b: "[\"n\", 3]",
        gives,
    }
}

/// The catalogue's entries.
pub(crate) const ENTRIES: [Entry; 4] = [
    entry(
        "sum",
        "The sum of the fields' distances.",
        example("sum(discrete, absolute)", "3"),
        |declaration| build(declaration, Combination::Sum),
    ),
    entry(
        "mean",
        "The mean of the fields' distances.",
        example("mean(discrete, absolute * 3)", "1.75"),
        |declaration| build(declaration, Combination::Mean),
    ),
    entry(
        "euclidean",
        "The root of the sum of the squares of the fields' distances.",
        example("euclidean(discrete, absolute)", "2.23606797749979"),
        |declaration| build(declaration, Combination::Euclidean),
    ),
    entry(
        "rms",
        "The root of the mean of the squares of the fields' distances.",
        example("rms(discrete, absolute)", "1.5811388300841898"),
        |declaration| build(declaration, Combination::Rms),
    ),
];

fn build(
    declaration: &Declaration<'_>,
    combination: Combination,
) -> Result<Arc<dyn FittedDistance>, Error> {
    let parts = declaration.fields()?;
    // The sum of one is that one, be it a number or a pair.
    let alone =
        combination == Combination::Sum && matches!(parts.as_slice(), [part] if part.weight == 1.0);
    let fields: Vec<Field> = parts
        .iter()
        .map(|part| {
            Ok(Field {
                position: part.position,
                name: part.name.clone(),
                weight: part.weight,
                measure: if alone {
                    declaration.lone_field_distance(part)?
                } else {
                    declaration.field_distance(part)?
                },
            })
        })
        .collect::<Result<_, Error>>()?;
    let weight: f64 = fields.iter().map(|field| field.weight).sum();
    if weight <= 0.0 && !fields.is_empty() {
        return Err(Error::Undefined {
            measure: declaration.name().to_owned(),
            what: "fields that all have the weight 0".to_owned(),
            row: None,
        });
    }
    let all = match declaration.of() {
        kinwood_values::Type::Tuple(all) => all.len(),
        _ => 0,
    };
    Ok(Arc::new(Joint {
        combination,
        fields,
        all,
    }))
}

struct Field {
    position: usize,
    name: Option<String>,
    weight: f64,
    measure: Arc<dyn FittedDistance>,
}

/// The fields' distances joined into one.
struct Joint {
    combination: Combination,
    fields: Vec<Field>,
    /// How many fields the tuple has.
    all: usize,
}

impl Joint {
    fn weight(&self) -> f64 {
        self.fields.iter().map(|field| field.weight).sum()
    }

    /// How far two tuples are of which every field was left out.
    fn nothing(&self) -> f64 {
        self.far().unwrap_or_else(|| {
            let weight = self.weight();
            self.combination.finish(weight, weight)
        })
    }

    /// The only field, if it gives pairs.
    fn pairs(&self) -> Option<&Field> {
        match self.fields.as_slice() {
            [field] if field.measure.pair_valued() => Some(field),
            _ => None,
        }
    }

    /// What some number of every field makes of them together.
    fn joined(&self, of: impl Fn(&dyn FittedDistance) -> Option<f64>) -> Option<f64> {
        let mut sum = 0.0;
        for field in &self.fields {
            let largest = of(&*field.measure)?;
            sum += field.weight
                * if self.combination.squares() {
                    largest * largest
                } else {
                    largest
                };
        }
        Some(if self.fields.is_empty() {
            0.0
        } else {
            self.combination.finish(sum, self.weight())
        })
    }

    fn joined_laws(&self, parts: impl Iterator<Item = Laws>) -> Laws {
        let mut laws = Laws::METRIC;
        let mut seen = vec![false; self.all];
        for (field, of_field) in self.fields.iter().zip(parts) {
            if field.weight > 0.0 {
                laws = laws.and(of_field);
                seen[field.position] = true;
            }
        }
        laws.separates &= seen.into_iter().all(|seen| seen);
        laws
    }
}

impl FittedDistance for Joint {
    fn laws(&self) -> Laws {
        self.joined_laws(self.fields.iter().map(|field| field.measure.laws()))
    }

    fn expression(&self) -> Expression {
        let named = self.fields.iter().all(|field| field.name.is_some());
        let mut expression = Expression::new(self.combination.name());
        for field in &self.fields {
            expression.arguments.push(Argument::Part(Part {
                field: field.name.clone().filter(|_| named),
                measure: field.measure.expression(),
                weight: field.weight,
            }));
        }
        expression
    }

    fn is_euclidean(&self) -> bool {
        let of_points = |field: &Field| field.measure.is_euclidean() && field.weight >= 0.0;
        self.combination == Combination::Euclidean
            && !self.fields.is_empty()
            && self.fields.iter().all(of_points)
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Bound, Error> {
        let shape = (queries.len(), references.len());
        let (Cells::Tuple { fields: first, .. }, Cells::Tuple { fields: second, .. }) =
            (queries.cells(), references.cells())
        else {
            return Err(Error::Layout {
                column: self.combination.name().to_owned(),
            });
        };
        if let Some(Field {
            measure, position, ..
        }) = self.pairs()
        {
            return measure.bind(&first[*position], &second[*position]);
        }
        let complete = |columns: &[Column]| {
            self.fields
                .iter()
                .all(|field| columns[field.position].missing() == 0)
        };
        let factors: Option<Vec<f64>> = self
            .fields
            .iter()
            .map(|field| field.measure.factor())
            .collect();
        if let Some(factors) = factors
            && self.fields.len() > 1
            && complete(first)
            && complete(second)
        {
            let columns = |of: &[Column]| -> Vec<Vec<f64>> {
                let column = |field: &Field| super::real::numbers(&of[field.position]);
                self.fields.iter().map(column).collect()
            };
            let factors = self
                .fields
                .iter()
                .zip(factors)
                .map(|(field, factor)| {
                    // The weight counts once: outside of the square, its root inside.
                    let weight = field.weight;
                    factor
                        * if self.combination.squares() {
                            weight.sqrt()
                        } else {
                            weight
                        }
                })
                .collect();
            let norm = if self.combination.squares() {
                Norm::Euclidean
            } else {
                Norm::Manhattan
            };
            let laws = self.joined_laws(self.fields.iter().map(|_| Laws::METRIC));
            let divisor = self.combination.averages().then(|| self.weight());
            return Ok(Bound::real(DensePairs::new(
                norm,
                divisor,
                laws,
                factors,
                &columns(first),
                &columns(second),
            )));
        }
        let mut parts = Vec::with_capacity(self.fields.len());
        for field in &self.fields {
            let bound = field
                .measure
                .bind(&first[field.position], &second[field.position])?;
            let Bound::Real(pairs) = bound else {
                return Err(Error::PairValued {
                    measure: field.measure.expression().name,
                    within: format!("`{}`", self.combination.name()),
                });
            };
            parts.push((field.weight, pairs));
        }
        Ok(Bound::real(JointPairs {
            combination: self.combination,
            laws: self.joined_laws(parts.iter().map(|(_, pairs)| pairs.laws())),
            weight: self.weight(),
            parts,
            shape,
            nothing: self.nothing(),
        }))
    }

    fn largest(&self) -> Option<f64> {
        self.joined(|measure| measure.largest())
    }

    fn far(&self) -> Option<f64> {
        self.joined(|measure| measure.far())
    }

    fn pair_valued(&self) -> bool {
        self.pairs().is_some()
    }

    fn sql(&self, value: &Operand, constant: &Value) -> Result<Written, Refused> {
        match (value, constant) {
            (Operand::Fields(fields), Value::Tuple(constants)) if self.pairs().is_none() => {
                self.in_sql(fields, constants)
            }
            _ => Err(Refused::measure(self.combination.name())),
        }
    }

    fn how(&self, a: &Column, b: &Column, detail: Detail) -> Result<How, Error> {
        let (Cells::Tuple { fields: first, .. }, Cells::Tuple { fields: second, .. }) =
            (a.cells(), b.cells())
        else {
            return Ok(How::Plain);
        };
        // One number a field, to know which are worth an account.
        let distances: Vec<f64> = self
            .fields
            .iter()
            .map(|field| {
                let bound = field
                    .measure
                    .bind(&first[field.position], &second[field.position])?;
                let mut distance = [0.0];
                if let Bound::Real(pairs) = bound {
                    pairs.prepare(0).fill(0..1, &mut distance);
                }
                Ok(distance[0])
            })
            .collect::<Result<_, Error>>()?;
        let counted = self.fields.iter().zip(&distances);
        let skipped = counted.clone().filter(|(_, distance)| distance.is_nan());
        let skipped = skipped.map(|(field, _)| field.weight).sum();
        let added: Vec<f64> = counted
            .map(|(field, &distance)| match distance.is_nan() {
                true => 0.0,
                false => self.combination.added(distance, field.weight),
            })
            .collect();
        let fields = Kept::costliest(&added, detail.items).listed(|place| {
            let field = &self.fields[place];
            let (one, other) = (&first[field.position], &second[field.position]);
            Ok::<_, Error>(FieldShare {
                position: field.position,
                name: field.name.clone(),
                weight: field.weight,
                account: Account::of(&*field.measure, one, other, detail)?,
            })
        })?;
        Ok(How::Fields {
            combination: self.combination,
            weight: self.weight(),
            skipped,
            fields,
        })
    }
}

struct JointPairs {
    combination: Combination,
    parts: Vec<(f64, Arc<dyn Pairs<f64>>)>,
    weight: f64,
    laws: Laws,
    shape: (usize, usize),
    /// How far two tuples are of which every field was left out.
    nothing: f64,
}

impl Pairs<f64> for JointPairs {
    fn shape(&self) -> (usize, usize) {
        self.shape
    }

    fn laws(&self) -> Laws {
        self.laws
    }

    fn heavy(&self) -> bool {
        self.parts.iter().any(|(_, part)| part.heavy())
    }

    fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_> {
        let parts = self
            .parts
            .iter()
            .map(|(weight, part)| (*weight, part.prepare(query)))
            .collect();
        Box::new(JointRow { of: self, parts })
    }
}

struct JointRow<'a> {
    of: &'a JointPairs,
    parts: Vec<(f64, Box<dyn Row<f64> + 'a>)>,
}

/// References joined at a time: the scratch rows stay in the nearest cache.
const BLOCK: usize = 512;

impl Row<f64> for JointRow<'_> {
    fn fill(&self, references: Range<usize>, out: &mut [f64]) {
        let combination = self.of.combination;
        let length = BLOCK.min(out.len());
        let mut part_row = vec![0.0; length];
        let mut skipped = vec![0.0; length];
        for (block, out) in out.chunks_mut(BLOCK).enumerate() {
            let start = references.start + block * BLOCK;
            let (part_row, skipped) = (&mut part_row[..out.len()], &mut skipped[..out.len()]);
            out.fill(0.0);
            skipped.fill(0.0);
            for (weight, part) in &self.parts {
                part.fill(start..start + out.len(), part_row);
                let row = out.iter_mut().zip(&*part_row).zip(&mut *skipped);
                for ((out, &distance), skipped) in row {
                    let joined = if combination.squares() {
                        distance * distance
                    } else {
                        distance
                    };
                    let left_out = distance.is_nan();
                    *out += if left_out { 0.0 } else { joined * weight };
                    *skipped += if left_out { *weight } else { 0.0 };
                }
            }
            for (out, &skipped) in out.iter_mut().zip(&*skipped) {
                *out = self.of.finish(*out, skipped);
            }
        }
    }

    fn within(&self, reference: usize, bound: f64) -> Option<f64> {
        if let Some((weight, part)) = self.bounded_part()
            && !part.least(reference).is_nan()
        {
            let combination = self.of.combination;
            // What the part may be apart, a little more for rounding and for squares of next to
            // nothing.
            let most = match (combination.squares(), combination.averages()) {
                (_, true) => bound,
                (false, false) => bound / weight,
                (true, false) => bound / weight.sqrt(),
            };
            let distance =
                part.within(reference, most * (1.0 + SLACK) + f64::MIN_POSITIVE.sqrt())?;
            let joined = self.of.finish(combination.added(distance, weight), 0.0);
            return Some(joined).filter(|&joined| joined <= bound);
        }
        Some(self.one(reference)).filter(|&distance| distance <= bound)
    }

    fn bounded(&self) -> bool {
        self.bounded_part().is_some()
    }

    fn least(&self, reference: usize) -> f64 {
        let Some((weight, part)) = self.bounded_part() else {
            return 0.0;
        };
        let least = part.least(reference);
        if least.is_nan() {
            return self.one(reference);
        }
        let added = self.of.combination.added(least, weight);
        self.of.finish(added, 0.0) * (1.0 - SLACK)
    }
}

/// Far more than rounding, far less than matters.
const SLACK: f64 = 1e-12;

impl JointRow<'_> {
    /// The only part, if it has bounds: rows of one column are compared as soon as it is.
    fn bounded_part(&self) -> Option<(f64, &dyn Row<f64>)> {
        match self.parts.as_slice() {
            [(weight, part)] if *weight > 0.0 && part.bounded() => Some((*weight, &**part)),
            _ => None,
        }
    }

    /// The distance to one reference.
    fn one(&self, reference: usize) -> f64 {
        let mut out = [0.0];
        self.fill(reference..reference + 1, &mut out);
        out[0]
    }
}

impl JointPairs {
    /// The distance by what the fields add up to. What was left out is as far as the rest on
    /// average; with nothing left, as far as can be.
    #[inline]
    fn finish(&self, sum: f64, skipped: f64) -> f64 {
        let all = self.weight;
        if skipped >= all && skipped > 0.0 {
            self.nothing
        } else if skipped > 0.0 {
            self.combination.finish(sum * (all / (all - skipped)), all)
        } else {
            self.combination.finish(sum, all.max(f64::MIN_POSITIVE))
        }
    }
}
