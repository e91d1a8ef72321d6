//! The edit distance of ordered labelled trees.

use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::Range;
use std::sync::Arc;

use kinwood_values::column::Trees;
use kinwood_values::{Cells, Column, Type};

use crate::algorithms::tree_edit::{Costs, Tree, Workspace};
use crate::declaration::Declaration;
use crate::error::Error;
use crate::expression::Expression;
use crate::laws::Laws;
use crate::measure::{Bound, Explanation, FittedDistance, Step};
use crate::pairs::{Pairs, Row};
use crate::registry::{Allowed, Build, Default, Entry, Example, Parameter};
use crate::symbols::Labels;

const NAME: &str = "tree_edit";

const fn price(name: &'static str, doc: &'static str) -> Parameter {
    Parameter {
        name,
        doc,
        allowed: Allowed::NotNegative,
        default: Default::Number(1.0),
    }
}

/// The catalogue's entry.
pub(crate) const TREE_EDIT: Entry = Entry {
    name: Cow::Borrowed(NAME),
    values: Cow::Borrowed("a tree"),
    summary: Cow::Borrowed(
        "The least cost of inserting, deleting and relabelling nodes that makes one tree into the other.",
    ),
    laws: "metric if inserting and deleting cost the same and nothing is free; the triangle always holds",
    cost: "between |A| |B| and |A| |B| min(depth, leaves) of both",
    reference: "Tai, The tree-to-tree correction problem, JACM 26, 1979; Zhang and Shasha, SIAM J. Comput. 18, 1989",
    parameters: &[
        price("insert", "What a node costs that only the second has."),
        price("delete", "What a node costs that only the first has."),
        price("relabel", "What another label costs."),
    ],
    example: Some(Example {
        expression: "tree_edit",
        of: "tree",
        a: "\"f(d(a,c(b)),e)\"",
        b: "\"f(c(d(a,b)),e)\"",
        gives: "2",
    }),
    build: Build::Distance(build),
};

fn build(declaration: &Declaration<'_>) -> Result<Arc<dyn FittedDistance>, Error> {
    declaration.no_parts()?;
    if *declaration.of() != Type::Tree {
        return Err(declaration.wrong_type());
    }
    Ok(Arc::new(TreeEdit(Costs {
        insert: declaration.number("insert"),
        delete: declaration.number("delete"),
        relabel: declaration.number("relabel"),
    })))
}

struct TreeEdit(Costs);

impl FittedDistance for TreeEdit {
    fn laws(&self) -> Laws {
        let Costs {
            insert,
            delete,
            relabel,
        } = self.0;
        Laws {
            zero_on_self: true,
            separates: insert > 0.0 && delete > 0.0 && relabel > 0.0,
            symmetric: insert == delete,
            triangle: true,
        }
    }

    fn expression(&self) -> Expression {
        let expression = Expression::new(NAME);
        if self.0 == Costs::default() {
            return expression;
        }
        expression
            .number("insert", self.0.insert)
            .number("delete", self.0.delete)
            .number("relabel", self.0.relabel)
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Bound, Error> {
        let trees = numbered(queries, references, NAME, Tree::new)?;
        Ok(Bound::real(TreePairs {
            costs: self.0,
            laws: self.laws(),
            queries: trees.0,
            references: trees.1,
        }))
    }

    fn explain(&self, a: &Column, b: &Column) -> Result<Option<Explanation>, Error> {
        let (first, second) = numbered(a, b, NAME, Tree::new)?;
        let (Some(first), Some(second)) = (first.first(), second.first()) else {
            return Ok(None);
        };
        let mapping = self.0.mapping(first, second, &mut Workspace::default());
        let label = |column: &Column, node: usize| match column.cells() {
            Cells::Tree(trees) if node < trees.labels.len() => {
                trees.dictionary.label(trees.labels[node]).to_owned()
            }
            _ => String::new(),
        };
        let mut steps = Vec::new();
        let mut step = |text: String, amount: f64| {
            steps.push(Step {
                text,
                amount: Some(amount),
            });
        };
        if !mapping.kept.is_empty() {
            let kept: Vec<String> = mapping.kept.iter().map(|&(x, _)| label(a, x)).collect();
            step(format!("keep {}", kept.join(" ")), 0.0);
        }
        for &(x, y) in &mapping.relabelled {
            step(
                format!("relabel {} to {}", label(a, x), label(b, y)),
                self.0.relabel,
            );
        }
        for &x in &mapping.deleted {
            step(format!("delete {}", label(a, x)), self.0.delete);
        }
        for &y in &mapping.inserted {
            step(format!("insert {}", label(b, y)), self.0.insert);
        }
        Ok(Some(Explanation {
            title: "the edits that make the first tree into the second".to_owned(),
            steps,
        }))
    }
}

/// The trees of two columns, labels in one numbering, made ready.
pub(crate) fn numbered<T>(
    queries: &Column,
    references: &Column,
    measure: &str,
    ready: impl Fn(&[u32], &[u32]) -> T,
) -> Result<(Vec<T>, Vec<T>), Error> {
    let (Cells::Tree(first), Cells::Tree(second)) = (queries.cells(), references.cells()) else {
        return Err(Error::Layout {
            column: measure.to_owned(),
        });
    };
    let labels = Labels::of(&first.dictionary, &second.dictionary);
    let all = |trees: &Trees, numbers: &[u32]| {
        (0..trees.len())
            .map(|row| {
                let nodes = trees.offsets.range(row);
                let labels: Vec<u32> = trees.labels[nodes.clone()]
                    .iter()
                    .map(|&label| numbers[label as usize])
                    .collect();
                ready(&labels, &trees.arities[nodes])
            })
            .collect()
    };
    Ok((all(first, &labels.first), all(second, &labels.second)))
}

struct TreePairs {
    costs: Costs,
    laws: Laws,
    queries: Vec<Tree>,
    references: Vec<Tree>,
}

impl Pairs<f64> for TreePairs {
    fn shape(&self) -> (usize, usize) {
        (self.queries.len(), self.references.len())
    }

    fn laws(&self) -> Laws {
        self.laws
    }

    fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_> {
        Box::new(TreeRow {
            of: self,
            query: &self.queries[query],
            workspace: RefCell::default(),
        })
    }
}

struct TreeRow<'a> {
    of: &'a TreePairs,
    query: &'a Tree,
    workspace: RefCell<Workspace>,
}

impl Row<f64> for TreeRow<'_> {
    fn fill(&self, references: Range<usize>, out: &mut [f64]) {
        let workspace = &mut *self.workspace.borrow_mut();
        for (out, reference) in out.iter_mut().zip(&self.of.references[references]) {
            *out = self.of.costs.distance(self.query, reference, workspace);
        }
    }

    fn within(&self, reference: usize, bound: f64) -> Option<f64> {
        let workspace = &mut *self.workspace.borrow_mut();
        let other = &self.of.references[reference];
        self.of.costs.within(self.query, other, bound, workspace)
    }
}
