//! The edit distance of ordered labelled trees.

use std::borrow::Cow;
use std::sync::Arc;

use kinwood_values::{Column, Type, Value};

use crate::account::{Alone, Detail, How, Kept, NodePair, Side};
use crate::algorithms::tree_edit::{Costs, Tree, Workspace};
use crate::comparison::{ComparedPairs, Comparison};
use crate::declaration::Declaration;
use crate::entry::{Build, Entry, Example, Inside, Takes, TypeKind};
use crate::error::Error;
use crate::expression::Expression;
use crate::laws::Laws;
use crate::measure::{Bound, FittedDistance};
use crate::symbols::NumberedTrees;
use kinwood_values::parameter::{Allowed, Parameter};

/// What measures on trees are of.
pub(crate) const TREES: &str = "a tree";

const NAME: &str = "tree_edit";

const fn cost(name: &'static str, doc: &'static str) -> Parameter {
    Parameter {
        name,
        doc,
        allowed: Allowed::NotNegative,
        default: "1",
    }
}

/// The catalogue's entry.
pub(crate) const TREE_EDIT: Entry = Entry {
    name: Cow::Borrowed(NAME),
    values: Cow::Borrowed(TREES),
    takes: Takes::Kinds(&[TypeKind::Tree]),
    inside: Inside::Leaf,
    facts: None,
    summary: Cow::Borrowed(
        "The least cost of nodes inserted, deleted and relabelled that turn one ordered tree into the other; the children of a deleted node take its place.",
    ),
    laws: "metric if an insertion costs what a deletion does and nothing is free; symmetric only in the former case, separates only in the latter; the triangle holds for any costs",
    cost: "at most |a| |b| times the lesser of depth and leaves of each, often far less; memory |a| |b|",
    reference: "Tai, The tree-to-tree correction problem, JACM 26(3), 1979; Zhang and Shasha, Simple fast algorithms for the editing distance between trees and related problems, SIAM Journal on Computing 18(6), 1989",
    parameters: &[
        cost(
            "insert",
            "The cost of a node that only the second tree has.",
        ),
        cost("delete", "The cost of a node that only the first tree has."),
        cost("relabel", "The cost of a node that gets another label."),
    ],
    example: Some(Example {
        expression: NAME,
        of: "tree",
        a: "\"a(b,c(d))\"",
        b: "\"a(b,d)\"",
        gives: "1",
    }),
    build: Build::Distance(build),
};

fn build(declaration: &Declaration<'_>) -> Result<Arc<dyn FittedDistance>, Error> {
    declaration.no_parts()?;
    match declaration.of() {
        Type::Tree => Ok(Arc::new(TreeEdit {
            costs: Costs {
                insert: declaration.number("insert"),
                delete: declaration.number("delete"),
                relabel: declaration.number("relabel"),
            },
        })),
        _ => Err(declaration.wrong_type()),
    }
}

struct TreeEdit {
    costs: Costs,
}

/// Pairs of nodes whose distances are held for one pair of trees at most: 8 to 16 GB.
const MOST_PAIRS: usize = 1 << 31;

impl TreeEdit {
    fn trees(&self, queries: &Column, references: &Column) -> Result<EditedTrees, Error> {
        let trees = NumberedTrees::of(queries, references, NAME)?;
        let (queries, references) = trees.prepared(Tree::new);
        let largest = |trees: &[Tree]| trees.iter().map(Tree::len).max().unwrap_or(0);
        let (a, b) = (largest(&queries), largest(&references));
        if a.saturating_mul(b) > MOST_PAIRS {
            let row = queries.iter().position(|tree| tree.len() == a);
            return Err(Error::Undefined {
                measure: NAME.to_owned(),
                what: format!(
                    "trees of {a} and {b} nodes: the distances of all pairs of subtrees would not fit into memory"
                ),
                row,
            });
        }
        Ok(EditedTrees {
            costs: self.costs,
            queries,
            references,
        })
    }
}

impl FittedDistance for TreeEdit {
    /// Mappings of nodes compose as edit scripts of sequences do.
    fn laws(&self) -> Laws {
        let Costs {
            insert,
            delete,
            relabel,
        } = self.costs;
        Laws {
            separates: insert > 0.0 && delete > 0.0 && relabel > 0.0,
            symmetric: insert == delete,
            ..Laws::METRIC
        }
    }

    fn expression(&self) -> Expression {
        Expression::new(NAME)
            .number("insert", self.costs.insert)
            .number("delete", self.costs.delete)
            .number("relabel", self.costs.relabel)
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Bound, Error> {
        Ok(Bound::real(ComparedPairs {
            comparison: self.trees(queries, references)?,
            laws: self.laws(),
        }))
    }

    fn how(&self, a: &Column, b: &Column, detail: Detail) -> Result<How, Error> {
        let trees = self.trees(a, b)?;
        let (Value::Tree(first), Value::Tree(second)) = (a.value(0), b.value(0)) else {
            return Ok(How::Plain);
        };
        let (x, y) = (&trees.queries[0], &trees.references[0]);
        let mapping = self.costs.mapping(x, y, &mut Workspace::default());
        let pairs = |pairs: &[(usize, usize)], cost: f64| {
            Kept::first(&vec![cost; pairs.len()], detail.items).told(|place| {
                let (node, other) = pairs[place];
                NodePair {
                    first: node,
                    second: other,
                    label: detail.cut(first.label(node)),
                    becomes: detail.cut(second.label(other)),
                    cost,
                }
            })
        };
        let alone = |side: Side, nodes: &[usize], cost: f64| {
            Kept::first(&vec![cost; nodes.len()], detail.items).told(|place| {
                let tree = match side {
                    Side::First => &first,
                    Side::Second => &second,
                };
                Alone {
                    side,
                    place: nodes[place],
                    text: detail.cut(tree.label(nodes[place])),
                    cost,
                }
            })
        };
        Ok(How::Nodes {
            kept: pairs(&mapping.kept, 0.0),
            relabelled: pairs(&mapping.relabelled, self.costs.relabel),
            deleted: alone(Side::First, &mapping.deleted, self.costs.delete),
            inserted: alone(Side::Second, &mapping.inserted, self.costs.insert),
        })
    }
}

struct EditedTrees {
    costs: Costs,
    queries: Vec<Tree>,
    references: Vec<Tree>,
}

impl Comparison for EditedTrees {
    type Score = f64;
    type Scratch = Workspace;

    fn shape(&self) -> (usize, usize) {
        (self.queries.len(), self.references.len())
    }

    fn between(&self, query: usize, reference: usize, workspace: &mut Workspace) -> f64 {
        let (a, b) = (&self.queries[query], &self.references[reference]);
        self.costs.distance(a, b, workspace)
    }

    fn within(
        &self,
        query: usize,
        reference: usize,
        bound: f64,
        workspace: &mut Workspace,
    ) -> Option<f64> {
        let (a, b) = (&self.queries[query], &self.references[reference]);
        self.costs.within(a, b, bound, workspace)
    }
}
