//! Distances from elsewhere: written in Rust against single values, registered under a name.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use kinwood_values::{Column, Value};

use crate::declaration::Declaration;
use crate::distance::Distance;
use crate::entry::{Build, Entry, Inside, Takes};
use crate::error::Error;
use crate::expression::Expression;
use crate::laws::Laws;
use crate::measure::{Bound, FittedDistance};
use crate::pairs::{Pairs, Row};
use crate::registry::Registry;
use crate::sql::{Operand, Refused, Written};

type Shared = Arc<dyn Distance<Value, Score = f64>>;

impl Registry {
    /// Adds a distance between values written in Rust, under a name that is free; it takes these
    /// types.
    ///
    /// ```
    /// use kinwood_similarity::entry::{Takes, TypeKind};
    /// use kinwood_similarity::{Distance, Laws, Registry};
    /// use kinwood_values::{Type, Value};
    /// struct Lengths;
    /// impl Distance<Value> for Lengths {
    ///     type Score = f64;
    ///     fn between(&self, a: &Value, b: &Value) -> f64 {
    ///         (a.to_string().len() as f64 - b.to_string().len() as f64).abs()
    ///     }
    ///     fn laws(&self) -> Laws {
    ///         Laws::PSEUDO_METRIC
    ///     }
    /// }
    /// let mut registry = Registry::builtin().clone();
    /// let takes = Takes::Kinds(&[TypeKind::String]);
    /// registry.register_distance("lengths", "The difference of lengths.", takes, Lengths)?;
    /// let of: Type = "set<string>".parse()?;
    /// assert!(registry.distance(&"hausdorff(lengths)".parse()?, &of, None, "the values").is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn register_distance(
        &mut self,
        name: &str,
        summary: &str,
        takes: Takes,
        distance: impl Distance<Value, Score = f64> + 'static,
    ) -> Result<(), Error> {
        self.register(Entry::from_distance(name, summary, takes, distance))
    }
}

impl Entry {
    /// The entry of a distance between single values, for [`Registry::register`] and
    /// [`Registry::extend`].
    pub fn from_distance(
        name: &str,
        summary: &str,
        takes: Takes,
        distance: impl Distance<Value, Score = f64> + 'static,
    ) -> Entry {
        let distance: Shared = Arc::new(distance);
        let accepted = takes.clone();
        let build = move |declaration: &Declaration<'_>| -> Result<Arc<dyn FittedDistance>, Error> {
            declaration.no_parts()?;
            if !accepted.accepts(declaration.of()) {
                return Err(declaration.wrong_type());
            }
            Ok(Arc::new(Foreign {
                name: declaration.name().to_owned(),
                distance: Arc::clone(&distance),
            }))
        };
        Entry {
            name: Cow::Owned(name.to_owned()),
            values: Cow::Borrowed("values of a type it was registered for"),
            takes,
            inside: Inside::Leaf,
            facts: None,
            summary: Cow::Owned(summary.to_owned()),
            laws: "those its author states",
            cost: "one call",
            reference: "registered by the user",
            parameters: &[],
            example: None,
            build: Build::Foreign(Arc::new(build)),
        }
    }
}

struct Foreign {
    name: String,
    distance: Shared,
}

impl FittedDistance for Foreign {
    fn laws(&self) -> Laws {
        self.distance.laws()
    }

    fn expression(&self) -> Expression {
        Expression::new(&self.name)
    }

    fn sql(&self, value: &Operand, constant: &Value) -> Result<Written, Refused> {
        let sql = self.distance.sql(&value.known(), constant);
        // It need not know how strongly its own operators bind.
        sql.map(|sql| Written::new(format!("({sql})")))
            .ok_or_else(|| Refused::measure(&self.name))
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Bound, Error> {
        let values = |column: &Column| (0..column.len()).map(|row| column.value(row)).collect();
        Ok(Bound::real(ForeignPairs {
            distance: Arc::clone(&self.distance),
            queries: values(queries),
            references: values(references),
        }))
    }
}

struct ForeignPairs {
    distance: Shared,
    queries: Vec<Value>,
    references: Vec<Value>,
}

impl Pairs<f64> for ForeignPairs {
    fn shape(&self) -> (usize, usize) {
        (self.queries.len(), self.references.len())
    }

    fn laws(&self) -> Laws {
        self.distance.laws()
    }

    fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_> {
        Box::new(ForeignRow {
            of: self,
            query: &self.queries[query],
        })
    }
}

struct ForeignRow<'a> {
    of: &'a ForeignPairs,
    query: &'a Value,
}

impl Row<f64> for ForeignRow<'_> {
    fn fill(&self, references: Range<usize>, out: &mut [f64]) {
        for (out, reference) in out.iter_mut().zip(&self.of.references[references]) {
            // A missing value is dealt with outside, and no user's code need see it.
            *out = match (self.query, reference) {
                (Value::Missing, _) | (_, Value::Missing) => 0.0,
                (a, b) => self.of.distance.between(a, b),
            };
        }
    }

    fn within(&self, reference: usize, bound: f64) -> Option<f64> {
        self.of
            .distance
            .within(self.query, &self.of.references[reference], bound)
    }
}
