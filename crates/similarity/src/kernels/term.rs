//! The structural kernel on first-order terms.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use kinwood_values::column::{TermNode, Terms};
use kinwood_values::{Cells, Column, Type};

use super::facts;
use crate::algorithms::term::{FlatTerm, structural, structural_at};
use crate::comparison::{ComparedGram, Comparison};
use crate::declaration::Declaration;
use crate::distances::term::numbered;
use crate::error::Error;
use crate::expression::Expression;
use crate::facts::describes;
use crate::gram::{Gram, KernelLaws};
use crate::measure::FittedKernel;
use crate::pairs::Row;
use crate::registry::{Allowed, Build, Default, Entry, Example, Parameter};
use crate::rows::{FACTS, ON};

pub(crate) const NAME: &str = "structural";

/// The catalogue's entry.
pub(crate) const STRUCTURAL: Entry = Entry {
    name: Cow::Borrowed(NAME),
    values: Cow::Borrowed("a first-order term; with `on=facts` what `fourlayer` compares"),
    summary: Cow::Borrowed(
        "0 for different functors, else 1 and the sum over the arguments; two numbers by `product` or the kernel given. A variable is a constant of its name. Of objects described by facts, the sum over the pairs of facts of a predicate of that of their arguments, IDs by the objects they name.",
    ),
    laws: "positive semi-definite if the kernel of numbers is",
    cost: "one pass over both terms",
    reference: "Gärtner, Lloyd and Flach, Kernels and distances for structured data, Machine Learning 57, 2004",
    parameters: &[
        Parameter {
            name: ON,
            doc: "Terms as they are, or objects described by facts; rows are the latter, unless they are one term.",
            allowed: Allowed::Word(&["terms", FACTS]),
            default: Default::Word("terms"),
        },
        Parameter {
            name: facts::ARGUMENTS,
            doc: "With `on=facts`: how the arguments of two facts make one number, the sum of how alike they are, or the product, so that facts count as far as all arguments are alike.",
            allowed: Allowed::Word(facts::JOINS),
            default: Default::Word("sum"),
        },
    ],
    example: Some(Example {
        expression: "structural",
        of: "term",
        a: "\"f(a,b)\"",
        b: "\"f(a,c)\"",
        gives: "2",
    }),
    build: Build::Kernel(build),
};

fn build(declaration: &Declaration<'_>) -> Result<Arc<dyn FittedKernel>, Error> {
    if declaration.is_word(ON, FACTS) && describes(declaration.of()) {
        return facts::build(declaration);
    }
    if *declaration.of() != Type::Term {
        return Err(declaration.wrong_type());
    }
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
        // A row for each node, so that nodes need no other number; those of other nodes are never asked for.
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
