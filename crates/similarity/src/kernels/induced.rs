//! From a kernel to a distance, and to a kernel of directions.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use kinwood_values::Column;

use crate::account::{Detail, How};
use crate::entry::{Build, Entry, Example, Inside, Takes};
use crate::error::Error;
use crate::expression::Expression;
use crate::gram::{Gram, KernelLaws, induced};
use crate::laws::Laws;
use crate::measure::{Bound, FittedDistance, FittedKernel, finite_diagonal};
use crate::pairs::{Pairs, Row};

/// The catalogue's entry.
pub(crate) const INDUCED: Entry = Entry {
    name: Cow::Borrowed("induced"),
    values: Cow::Borrowed("values of any type that has a kernel"),
    takes: Takes::Any,
    inside: Inside::Same,
    facts: None,
    summary: Cow::Borrowed(
        "The distance in the space of a kernel, sqrt(k(x,x) + k(y,y) - 2 k(x,y)).",
    ),
    laws: "pseudo-metric of a positive semi-definite kernel; otherwise zero on self, and symmetric if the kernel is",
    cost: "one kernel a pair, one a value",
    reference: "Estruch, Ferri, Hernández-Orallo and Ramírez-Quintana, section 2.2",
    parameters: &[],
    example: Some(Example {
        expression: "induced(set(delta))",
        of: "set<nominal>",
        a: "[\"a\", \"b\"]",
        b: "[\"b\", \"c\", \"d\"]",
        gives: "1.7320508075688772",
    }),
    build: Build::Distance(|declaration| {
        Ok(Arc::new(Induced {
            kernel: declaration.same_kernel()?,
        }))
    }),
};

/// The catalogue's entry.
pub(crate) const NORMALISED: Entry = Entry {
    name: Cow::Borrowed("normalised"),
    values: Cow::Borrowed("values of any type that has a kernel"),
    takes: Takes::Any,
    inside: Inside::Same,
    facts: None,
    summary: Cow::Borrowed(
        "A kernel of directions, k(x,y) / sqrt(k(x,x) k(y,y)); with the origin 0.",
    ),
    laws: "positive semi-definite if the kernel is",
    cost: "one kernel a pair, one a value",
    reference: "Shawe-Taylor and Cristianini, Kernel methods for pattern analysis, 2004",
    parameters: &[],
    example: Some(Example {
        expression: "normalised(set(delta))",
        of: "set<nominal>",
        a: "[\"a\", \"b\"]",
        b: "[\"b\", \"c\"]",
        gives: "0.5",
    }),
    build: Build::Kernel(|declaration| {
        Ok(Arc::new(Normalised {
            kernel: declaration.same_kernel()?,
        }))
    }),
};

struct Induced {
    kernel: Arc<dyn FittedKernel>,
}

impl FittedDistance for Induced {
    fn laws(&self) -> Laws {
        let laws = self.kernel.laws();
        if laws.positive_semidefinite {
            Laws::PSEUDO_METRIC
        } else {
            Laws {
                zero_on_self: true,
                symmetric: laws.symmetric,
                ..Laws::NONE
            }
        }
    }

    fn expression(&self) -> Expression {
        Expression::new("induced").part(self.kernel.expression())
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Bound, Error> {
        Ok(Bound::real(InducedPairs {
            gram: self.kernel.bind(queries, references)?,
            laws: self.laws(),
            queries: finite_diagonal(&*self.kernel, queries, "induced")?,
            references: finite_diagonal(&*self.kernel, references, "induced")?,
        }))
    }

    fn how(&self, a: &Column, b: &Column, detail: Detail) -> Result<How, Error> {
        let mut both = [0.0];
        let gram = self.kernel.bind(a, b)?;
        gram.prepare(0).fill(0..1, &mut both);
        let own = |column: &Column| -> Result<f64, Error> {
            Ok(finite_diagonal(&*self.kernel, column, "induced")?[0])
        };
        Ok(How::Induced {
            kernel: detail.cut(&self.kernel.expression().to_string()),
            first: own(a)?,
            second: own(b)?,
            both: both[0],
            contributions: self.kernel.contributions(a, b, detail)?,
        })
    }
}

struct InducedPairs {
    gram: Arc<dyn Gram>,
    laws: Laws,
    queries: Vec<f64>,
    references: Vec<f64>,
}

impl Pairs<f64> for InducedPairs {
    fn shape(&self) -> (usize, usize) {
        (self.queries.len(), self.references.len())
    }

    fn laws(&self) -> Laws {
        self.laws
    }

    fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_> {
        Box::new(InducedRow {
            row: self.gram.prepare(query),
            own: self.queries[query],
            references: &self.references,
        })
    }
}

struct InducedRow<'a> {
    row: Box<dyn Row<f64> + 'a>,
    own: f64,
    references: &'a [f64],
}

impl Row<f64> for InducedRow<'_> {
    fn fill(&self, references: Range<usize>, out: &mut [f64]) {
        self.row.fill(references.clone(), out);
        for (out, &other) in out.iter_mut().zip(&self.references[references]) {
            *out = induced(self.own, other, *out);
        }
    }
}

struct Normalised {
    kernel: Arc<dyn FittedKernel>,
}

impl FittedKernel for Normalised {
    fn laws(&self) -> KernelLaws {
        self.kernel.laws()
    }

    fn expression(&self) -> Expression {
        Expression::new("normalised").part(self.kernel.expression())
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Arc<dyn Gram>, Error> {
        self.kernel.bind_normalised(queries, references)
    }

    fn diagonal(&self, column: &Column) -> Result<Vec<f64>, Error> {
        let directed = self.directed(column)?;
        let own = |directed: bool| f64::from(u8::from(directed));
        Ok(directed.into_iter().map(own).collect())
    }

    fn directed(&self, column: &Column) -> Result<Vec<bool>, Error> {
        self.kernel.directed(column)
    }

    fn bind_normalised(
        &self,
        queries: &Column,
        references: &Column,
    ) -> Result<Arc<dyn Gram>, Error> {
        // Directions have the directions they are.
        self.bind(queries, references)
    }
}
