//! The structural kernel on objects described by facts.

use std::sync::Arc;

use kinwood_values::Column;

use super::term::NAME;
use crate::comparison::{ComparedGram, Comparison};
use crate::declaration::Declaration;
use crate::error::Error;
use crate::expression::Expression;
use crate::facts::base::{Refused, both, survey};
use crate::facts::structural::{Joined, Structural};
use crate::facts::{FACTS, ON, objects};
use crate::gram::{Gram, KernelLaws};
use crate::measure::FittedKernel;

/// The setting of how the arguments of two facts make one number.
pub(super) const ARGUMENTS: &str = "arguments";
/// Its values.
pub(super) const JOINS: &[&str] = &["sum", "product"];

/// The kernel on values that are objects described by facts.
pub(super) fn build(declaration: &Declaration<'_>) -> Result<Arc<dyn FittedKernel>, Error> {
    let numbers = match declaration.training() {
        Some(training) => Some(numbers_in(training)?),
        None => None,
    };
    Ok(Arc::new(OfFacts {
        joined: match declaration.is_word(ARGUMENTS, "product") {
            true => Joined::Product,
            false => Joined::Sum,
        },
        numbers: declaration.number_kernel(numbers.as_ref())?,
    }))
}

fn refused(refused: Refused) -> Error {
    Error::Undefined {
        measure: NAME.to_owned(),
        what: refused.what.to_owned(),
        row: Some(refused.row),
    }
}

/// The numbers that stand as arguments.
fn numbers_in(column: &Column) -> Result<Column, Error> {
    let facts = objects(column)?;
    let plan = survey(&[&facts]).map_err(refused)?;
    let (base, ..) = both(&plan, (&facts, &facts.gather(&[])), false).map_err(refused)?;
    Ok(Column::numeric(base.numbers().flatten().collect()))
}

struct OfFacts {
    joined: Joined,
    /// By their product if no kernel is given.
    numbers: Option<Arc<dyn FittedKernel>>,
}

impl FittedKernel for OfFacts {
    fn laws(&self) -> KernelLaws {
        let given = self.numbers.as_ref().map(|kernel| kernel.laws());
        given.unwrap_or(KernelLaws::INNER_PRODUCT)
    }

    fn expression(&self) -> Expression {
        let mut expression = Expression::new(NAME);
        if let Some(kernel) = &self.numbers {
            expression = expression.part(kernel.expression());
        }
        expression = expression.word(ON, FACTS);
        match self.joined {
            Joined::Sum => expression,
            Joined::Product => expression.word(ARGUMENTS, "product"),
        }
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Arc<dyn Gram>, Error> {
        let (first, second) = (objects(queries)?, objects(references)?);
        let plan = survey(&[&first, &second]).map_err(refused)?;
        let (base, queries, references) = both(&plan, (&first, &second), false).map_err(refused)?;
        for mains in [&queries, &references] {
            if let Some(row) = mains.iter().position(|&main| base.is_loop(main)) {
                let what = match base.is_circle(mains[row]) {
                    true => {
                        "an object whose facts lead back to itself: the kernel would have no end"
                    }
                    false => "an object whose IDs are described by IDs more than 200 deep",
                };
                return Err(Error::Undefined {
                    measure: NAME.to_owned(),
                    what: what.to_owned(),
                    row: Some(row),
                });
            }
        }
        let numbers = match &self.numbers {
            Some(kernel) => {
                // A row for each argument, so that arguments need no other number; those that are
                // no numbers are never asked for.
                let all: Vec<f64> = base.numbers().map(|number| number.unwrap_or(0.0)).collect();
                let all = Column::numeric(all);
                Some(kernel.bind(&all, &all)?)
            }
            None => None,
        };
        Ok(Arc::new(ComparedGram(Ready {
            kernel: Structural::new(base, self.joined, numbers),
            queries,
            references,
        })))
    }
}

struct Ready {
    kernel: Structural,
    queries: Vec<u32>,
    references: Vec<u32>,
}

impl Comparison for Ready {
    type Score = f64;
    type Scratch = ();

    fn shape(&self) -> (usize, usize) {
        (self.queries.len(), self.references.len())
    }

    fn between(&self, query: usize, reference: usize, (): &mut ()) -> f64 {
        let (first, second) = (self.queries[query], self.references[reference]);
        self.kernel.between(first, second)
    }
}
