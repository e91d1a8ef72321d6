//! The graph edit distance from above, by an assignment of nodes.

use std::borrow::Cow;
use std::sync::Arc;

use kinwood_values::graph::Graph;
use kinwood_values::{Column, Type, Value};

use super::{GRAPHS, NumberedGraphs};
use crate::algorithms::graph_edit::GraphEdit;
use crate::comparison::{ComparedPairs, Comparison};
use crate::declaration::Declaration;
use crate::error::Error;
use crate::expression::Expression;
use crate::laws::Laws;
use crate::measure::{Bound, Explanation, FittedDistance, Step};
use crate::registry::{Build, Entry, Example};

const NAME: &str = "graph_edit";

/// The catalogue's entry.
pub(crate) const GRAPH_EDIT: Entry = Entry {
    name: Cow::Borrowed(NAME),
    values: Cow::Borrowed(GRAPHS),
    summary: Cow::Borrowed(
        "How many nodes and edges are inserted, deleted or relabelled on a short way from one graph to the other: never fewer than needed, at times more.",
    ),
    laws: "zero on self and symmetric; no triangle, and graphs that differ in the names of labelled nodes only are not told apart",
    cost: "two assignments of the nodes, at worst cubic",
    reference: "Riesen and Bunke, Approximate graph edit distance computation by means of bipartite graph matching, Image and Vision Computing 27, 2009",
    parameters: &[],
    example: Some(Example {
        expression: "graph_edit",
        of: "graph",
        a: "[[\"a\", \"b\"], [\"b\", \"c\"], [\"a\", \"d\"]]",
        b: "[[\"a\", \"b\"], [\"a\", \"d\"]]",
        gives: "2",
    }),
    build: Build::Distance(build),
};

fn build(declaration: &Declaration<'_>) -> Result<Arc<dyn FittedDistance>, Error> {
    declaration.no_parts()?;
    match declaration.of() {
        Type::Graph => Ok(Arc::new(Edit)),
        _ => Err(declaration.wrong_type()),
    }
}

struct Edit;

impl FittedDistance for Edit {
    fn laws(&self) -> Laws {
        Laws {
            zero_on_self: true,
            symmetric: true,
            ..Laws::NONE
        }
    }

    fn expression(&self) -> Expression {
        Expression::new(NAME)
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Bound, Error> {
        Ok(Bound::real(ComparedPairs {
            comparison: NumberedGraphs::of(queries, references, NAME)?,
            laws: self.laws(),
        }))
    }

    fn explain(&self, a: &Column, b: &Column) -> Result<Option<Explanation>, Error> {
        let graphs = NumberedGraphs::of(a, b, NAME)?;
        let (Value::Graph(a), Value::Graph(b)) = (a.value(0), b.value(0)) else {
            return Ok(None);
        };
        let mut edit = GraphEdit::default();
        let path = edit.between(&graphs.queries[0], &graphs.references[0]);
        Ok(Some(Explanation {
            title: "what becomes of the nodes, and edits of edges".to_owned(),
            steps: steps(&a, &b, path.images, path.cost),
        }))
    }
}

/// What becomes of each node of `a`, which nodes of `b` are new, and how much of the cost is left for edges.
fn steps(a: &Graph, b: &Graph, images: &[Option<u32>], cost: u64) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut add = |text: String, amount: f64| {
        steps.push(Step {
            text,
            amount: Some(amount),
        });
        amount
    };
    let mut of_nodes = 0.0;
    for (node, image) in a.nodes().iter().zip(images) {
        let Some(image) = image else {
            of_nodes += add(format!("node {} is deleted", node.id), 1.0);
            continue;
        };
        let image = &b.nodes()[*image as usize];
        let becomes = format!("node {} becomes {}", node.id, image.id);
        of_nodes += if node.label() == image.label() {
            add(becomes, 0.0)
        } else {
            let relabelled = format!("`{}` as `{}`", node.label(), image.label());
            add(format!("{becomes}, {relabelled}"), 1.0)
        };
    }
    for (number, node) in b.nodes().iter().enumerate() {
        if !images.contains(&Some(number as u32)) {
            of_nodes += add(format!("node {} is inserted", node.id), 1.0);
        }
    }
    let of_edges = cost as f64 - of_nodes;
    if of_edges > 0.0 {
        add("edges inserted, deleted or relabelled".to_owned(), of_edges);
    }
    steps
}

impl Comparison for NumberedGraphs {
    type Score = f64;
    type Scratch = GraphEdit;

    fn shape(&self) -> (usize, usize) {
        (self.queries.len(), self.references.len())
    }

    fn between(&self, query: usize, reference: usize, edit: &mut GraphEdit) -> f64 {
        edit.between(&self.queries[query], &self.references[reference])
            .cost as f64
    }
}
