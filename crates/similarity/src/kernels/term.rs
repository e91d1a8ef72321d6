//! The structural kernel on first-order terms.

use std::ops::Range;
use std::sync::Arc;

use kinwood_values::column::{TermNode, Terms};
use kinwood_values::{Cells, Column};

use crate::algorithms::term::{FlatTerm, structural, structural_at};
use crate::comparison::{ComparedGram, Comparison};
use crate::declaration::Declaration;
use crate::distances::term::numbered;
use crate::error::Error;
use crate::expression::Expression;
use crate::gram::{Gram, KernelLaws};
use crate::measure::FittedKernel;
use crate::pairs::Row;

pub(super) const NAME: &str = "structural";

/// The kernel on terms.
pub(super) fn build(declaration: &Declaration<'_>) -> Result<Arc<dyn FittedKernel>, Error> {
    let training = declaration.training().and_then(numbers_in);
    Ok(Arc::new(Structural {
        numbers: declaration.number_kernel(training.as_ref())?,
    }))
}

/// The numbers that occur in terms.
fn numbers_in(column: &Column) -> Option<Column> {
    let Cells::Term(terms) = column.cells() else {
        return None;
    };
    let nodes = terms.kinds.iter().zip(&terms.numbers);
    let numbers = nodes.filter(|(kind, _)| **kind == TermNode::Number);
    Some(Column::numeric(
        numbers.map(|(_, &number)| number).collect(),
    ))
}

struct Structural {
    /// By their product if no kernel is given.
    numbers: Option<Arc<dyn FittedKernel>>,
}

impl FittedKernel for Structural {
    fn laws(&self) -> KernelLaws {
        let given = self.numbers.as_ref().map(|kernel| kernel.laws());
        given.unwrap_or(KernelLaws::INNER_PRODUCT)
    }

    fn expression(&self) -> Expression {
        let expression = Expression::new(NAME);
        match &self.numbers {
            Some(kernel) => expression.part(kernel.expression()),
            None => expression,
        }
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Arc<dyn Gram>, Error> {
        let (queries, references) = numbered(queries, references, NAME)?;
        let Some(kernel) = &self.numbers else {
            return Ok(Arc::new(ComparedGram(ByProduct {
                queries,
                references,
            })));
        };
        // A row for each node, so that nodes need no other number; those of other nodes are never
        // asked for.
        let nodes = |terms: &Terms| Column::numeric(terms.numbers.clone());
        Ok(Arc::new(ByKernel {
            numbers: kernel.bind(&nodes(&queries), &nodes(&references))?,
            queries,
            references,
        }))
    }
}

struct ByProduct {
    queries: Terms,
    references: Terms,
}

impl Comparison for ByProduct {
    type Score = f64;
    type Scratch = ();

    fn shape(&self) -> (usize, usize) {
        (self.queries.len(), self.references.len())
    }

    fn between(&self, query: usize, reference: usize, (): &mut ()) -> f64 {
        let a = FlatTerm::of(&self.queries, query);
        structural(a, FlatTerm::of(&self.references, reference), |x, y| x * y)
    }
}

struct ByKernel {
    queries: Terms,
    references: Terms,
    /// By node.
    numbers: Arc<dyn Gram>,
}

impl Gram for ByKernel {
    fn shape(&self) -> (usize, usize) {
        (self.queries.len(), self.references.len())
    }

    fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_> {
        let nodes = self.queries.offsets.range(query);
        let is_number = |node: usize| self.queries.kinds[node] == TermNode::Number;
        Box::new(ByKernelRow {
            of: self,
            term: FlatTerm::of(&self.queries, query),
            numbers: nodes
                .map(|node| is_number(node).then(|| self.numbers.prepare(node)))
                .collect(),
        })
    }
}

struct ByKernelRow<'a> {
    of: &'a ByKernel,
    term: FlatTerm<'a>,
    /// For each node that is a number, it made ready.
    numbers: Vec<Option<Box<dyn Row<f64> + 'a>>>,
}

impl Row<f64> for ByKernelRow<'_> {
    fn fill(&self, references: Range<usize>, out: &mut [f64]) {
        for (out, reference) in out.iter_mut().zip(references) {
            let start = self.of.references.offsets.range(reference).start;
            let other = FlatTerm::of(&self.of.references, reference);
            *out = structural_at(self.term, other, |i, j| {
                let mut inner = [0.0];
                if let Some(row) = &self.numbers[i] {
                    row.fill(start + j..start + j + 1, &mut inner);
                }
                inner[0]
            });
        }
    }
}
