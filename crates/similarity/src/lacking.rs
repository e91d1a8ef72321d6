//! Missing values, dealt with once for all measures: a measure sees values only, and what it says
//! of a filler is written over.

use std::ops::Range;
use std::sync::Arc;

use kinwood_values::sql::double;
use kinwood_values::{Column, Value};

use crate::account::{Absent, Contribution, Detail, How, Listed};
use crate::error::Error;
use crate::expression::Expression;
use crate::gram::{Gram, KernelLaws};
use crate::laws::Laws;
use crate::measure::{Bound, FittedDistance, FittedKernel};
use crate::missing::Missing;
use crate::pairs::{Pairs, Row};
use crate::sql::{NOTHING, Operand, Refused, Written, unless};

/// A distance, and what it does with missing values.
pub(crate) struct Lacking {
    pub(crate) measure: Arc<dyn FittedDistance>,
    pub(crate) missing: Missing,
    /// The policy, if it is said here rather than further out.
    pub(crate) said: Option<Missing>,
    /// How far a missing value is, and whether that must be said.
    pub(crate) far: Option<(f64, bool)>,
}

impl Lacking {
    /// How far apart training values are: the distance of the value furthest from the value
    /// furthest from the first. For a metric, at least half of the largest distance, so that a
    /// missing value put there keeps the triangle.
    pub(crate) fn extent(
        measure: &dyn FittedDistance,
        training: &Column,
    ) -> Result<Option<f64>, Error> {
        let present: Vec<u32> = (0..training.len() as u32)
            .filter(|&row| training.is_present(row as usize))
            .collect();
        if present.is_empty() {
            return Ok(None);
        }
        let all;
        let all = if present.len() == training.len() {
            training
        } else {
            all = training.gather(&present);
            &all
        };
        let mut from = 0;
        let mut furthest = 0.0;
        for _ in 0..2 {
            let Bound::Real(pairs) = measure.bind(&all.gather(&[from]), all)? else {
                return Ok(None);
            };
            let mut row = vec![0.0; all.len()];
            pairs.prepare(0).fill(0..all.len(), &mut row);
            for (i, &distance) in row.iter().enumerate() {
                if distance > furthest {
                    (from, furthest) = (i as u32, distance);
                }
            }
        }
        Ok(Some(furthest))
    }
}

impl FittedDistance for Lacking {
    fn laws(&self) -> Laws {
        self.measure.laws()
    }

    fn expression(&self) -> Expression {
        let mut expression = self.measure.expression();
        if let Some(said) = self.said {
            expression = expression.word("missing", said.name());
        }
        if let Some((far, true)) = self.far {
            expression = expression.number("far", far);
        }
        expression
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Bound, Error> {
        let bound = self.measure.bind(queries, references)?;
        if queries.missing() + references.missing() == 0 {
            return Ok(bound);
        }
        let Bound::Real(pairs) = bound else {
            return Ok(bound);
        };
        let far = match (self.missing, self.far) {
            (Missing::Skip, _) => f64::NAN,
            (_, Some((far, _))) => far,
            (_, None) => {
                return Err(Error::NoFar {
                    measure: self.measure.expression().name,
                });
            }
        };
        let together = match self.missing {
            Missing::Own => 0.0,
            Missing::Max | Missing::Skip => far,
        };
        let mut laws = self.missing.laws_of(pairs.laws());
        // By way of a missing value it is twice as far as one is put: that must be no shortcut.
        laws.triangle &= self
            .measure
            .largest()
            .is_some_and(|largest| largest <= 2.0 * far);
        laws.separates &= far > 0.0;
        Ok(Bound::real(LackingPairs {
            pairs,
            laws,
            queries: absent(queries),
            references: absent(references),
            far,
            together,
        }))
    }

    fn largest(&self) -> Option<f64> {
        let far = self.far.map_or(0.0, |(far, _)| far);
        self.measure.largest().map(|largest| largest.max(far))
    }

    fn far(&self) -> Option<f64> {
        self.far.map(|(far, _)| far)
    }

    fn factor(&self) -> Option<f64> {
        self.measure.factor()
    }

    fn is_equality(&self) -> bool {
        let unstated = self.said.is_none() && !matches!(self.far, Some((_, true)));
        unstated && self.measure.is_equality()
    }

    fn is_euclidean(&self) -> bool {
        self.measure.is_euclidean()
    }

    fn sql(&self, value: &Operand, constant: &Value) -> Result<Written, Refused> {
        let missing = value.missing();
        let far = || match self.far {
            Some((far, _)) => Ok(far),
            None => Err(Refused::NoFar {
                measure: self.measure.expression().name,
            }),
        };
        let skips = self.missing == Missing::Skip;
        if *constant == Value::Missing {
            if skips {
                return Ok(Written {
                    partial: true,
                    ..Written::new(NOTHING.to_owned())
                });
            }
            let far = double(far()?);
            let together = match self.missing {
                Missing::Own => double(0.0),
                Missing::Max | Missing::Skip => far.clone(),
            };
            return Ok(Written::new(unless(missing, &together, &far)));
        }
        let inside = self.measure.sql(&value.known(), constant)?;
        if missing.is_none() {
            return Ok(inside);
        }
        let (there, partial) = match skips {
            true => (NOTHING.to_owned(), true),
            false if inside.squared => (double(far()? * far()?), inside.partial),
            false => (double(far()?), inside.partial),
        };
        Ok(Written {
            sql: unless(missing, &there, &inside.sql),
            squared: inside.squared,
            partial,
        })
    }

    fn how(&self, a: &Column, b: &Column, detail: Detail) -> Result<How, Error> {
        match Absent::of(a.is_present(0), b.is_present(0)) {
            Some(absent) => Ok(How::Missing {
                rule: self.missing,
                absent,
            }),
            None => self.measure.how(a, b, detail),
        }
    }
}

/// A distance whose own missing values are dealt with outside, with a rule for those of its parts:
/// it is said in the expression, or what is read again would follow another rule.
pub(crate) struct Stated {
    pub(crate) measure: Arc<dyn FittedDistance>,
    pub(crate) said: Missing,
}

impl FittedDistance for Stated {
    fn laws(&self) -> Laws {
        self.measure.laws()
    }

    fn expression(&self) -> Expression {
        self.measure.expression().word("missing", self.said.name())
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Bound, Error> {
        self.measure.bind(queries, references)
    }

    fn largest(&self) -> Option<f64> {
        self.measure.largest()
    }

    fn far(&self) -> Option<f64> {
        self.measure.far()
    }

    fn pair_valued(&self) -> bool {
        self.measure.pair_valued()
    }

    fn factor(&self) -> Option<f64> {
        self.measure.factor()
    }

    fn is_euclidean(&self) -> bool {
        self.measure.is_euclidean()
    }

    fn how(&self, a: &Column, b: &Column, detail: Detail) -> Result<How, Error> {
        self.measure.how(a, b, detail)
    }
}

/// Which rows hold no value.
fn absent(column: &Column) -> Vec<bool> {
    (0..column.len())
        .map(|row| !column.is_present(row))
        .collect()
}

struct LackingPairs {
    pairs: Arc<dyn Pairs<f64>>,
    laws: Laws,
    queries: Vec<bool>,
    references: Vec<bool>,
    far: f64,
    together: f64,
}

impl Pairs<f64> for LackingPairs {
    fn shape(&self) -> (usize, usize) {
        self.pairs.shape()
    }

    fn laws(&self) -> Laws {
        self.laws
    }

    fn heavy(&self) -> bool {
        self.pairs.heavy()
    }

    fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_> {
        let row = (!self.queries[query]).then(|| self.pairs.prepare(query));
        Box::new(LackingRow { of: self, row })
    }
}

struct LackingRow<'a> {
    of: &'a LackingPairs,
    /// None where the query itself is missing.
    row: Option<Box<dyn Row<f64> + 'a>>,
}

impl Row<f64> for LackingRow<'_> {
    fn fill(&self, references: Range<usize>, out: &mut [f64]) {
        let absent = &self.of.references[references.clone()];
        let (present, missing) = match &self.row {
            Some(row) => {
                row.fill(references, out);
                (None, self.of.far)
            }
            None => (Some(self.of.far), self.of.together),
        };
        for (out, &absent) in out.iter_mut().zip(absent) {
            if absent {
                *out = missing;
            } else if let Some(far) = present {
                *out = far;
            }
        }
    }

    fn within(&self, reference: usize, bound: f64) -> Option<f64> {
        if let Some(row) = &self.row
            && !self.of.references[reference]
        {
            return row.within(reference, bound);
        }
        let mut out = [0.0];
        self.fill(reference..reference + 1, &mut out);
        Some(out[0]).filter(|&distance| distance <= bound)
    }

    fn bounded(&self) -> bool {
        self.row.as_ref().is_some_and(|row| row.bounded())
    }

    fn least(&self, reference: usize) -> f64 {
        if let Some(row) = &self.row
            && !self.of.references[reference]
        {
            return row.least(reference);
        }
        let mut out = [0.0];
        self.fill(reference..reference + 1, &mut out);
        out[0]
    }
}

/// A kernel whose missing values are the origin: 0 with everything, themselves too.
pub(crate) struct LackingKernel {
    pub(crate) measure: Arc<dyn FittedKernel>,
}

impl FittedKernel for LackingKernel {
    fn laws(&self) -> KernelLaws {
        self.measure.laws()
    }

    fn expression(&self) -> Expression {
        self.measure.expression()
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Arc<dyn Gram>, Error> {
        let gram = self.measure.bind(queries, references)?;
        Ok(with_origin(gram, queries, references))
    }

    fn is_infinitely_divisible(&self) -> bool {
        self.measure.is_infinitely_divisible()
    }

    fn needs_centring(&self) -> bool {
        self.measure.needs_centring()
    }

    fn contributions(
        &self,
        a: &Column,
        b: &Column,
        detail: Detail,
    ) -> Result<Option<Listed<Contribution>>, Error> {
        match Absent::of(a.is_present(0), b.is_present(0)) {
            Some(_) => Ok(None),
            None => self.measure.contributions(a, b, detail),
        }
    }

    fn bind_normalised(
        &self,
        queries: &Column,
        references: &Column,
    ) -> Result<Arc<dyn Gram>, Error> {
        let gram = self.measure.bind_normalised(queries, references)?;
        Ok(with_origin(gram, queries, references))
    }

    fn directed(&self, column: &Column) -> Result<Vec<bool>, Error> {
        let mut directed = self.measure.directed(column)?;
        for (row, directed) in directed.iter_mut().enumerate() {
            *directed &= column.is_present(row);
        }
        Ok(directed)
    }

    fn diagonal(&self, column: &Column) -> Result<Vec<f64>, Error> {
        let mut diagonal = self.measure.diagonal(column)?;
        for (row, own) in diagonal.iter_mut().enumerate() {
            if !column.is_present(row) {
                *own = 0.0;
            }
        }
        Ok(diagonal)
    }
}

/// The kernel with the origin for missing values.
fn with_origin(gram: Arc<dyn Gram>, queries: &Column, references: &Column) -> Arc<dyn Gram> {
    if queries.missing() + references.missing() == 0 {
        return gram;
    }
    Arc::new(LackingGram {
        gram,
        queries: absent(queries),
        references: absent(references),
    })
}

struct LackingGram {
    gram: Arc<dyn Gram>,
    queries: Vec<bool>,
    references: Vec<bool>,
}

impl Gram for LackingGram {
    fn shape(&self) -> (usize, usize) {
        self.gram.shape()
    }

    fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_> {
        let row = (!self.queries[query]).then(|| self.gram.prepare(query));
        Box::new(LackingGramRow { of: self, row })
    }
}

struct LackingGramRow<'a> {
    of: &'a LackingGram,
    row: Option<Box<dyn Row<f64> + 'a>>,
}

impl Row<f64> for LackingGramRow<'_> {
    fn fill(&self, references: Range<usize>, out: &mut [f64]) {
        match &self.row {
            Some(row) => row.fill(references.clone(), out),
            None => out.fill(0.0),
        }
        for (out, &absent) in out.iter_mut().zip(&self.of.references[references]) {
            if absent {
                *out = 0.0;
            }
        }
    }
}
