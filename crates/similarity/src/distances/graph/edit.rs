//! The graph edit distance from above, by an assignment of nodes.

use std::borrow::Cow;
use std::sync::Arc;

use kinwood_values::graph::{Graph, GraphNode};
use kinwood_values::{Column, Type, Value};

use super::{GRAPHS, NumberedGraphs};
use crate::account::{Detail, How, Kept, Vertex};
use crate::algorithms::graph_edit::GraphEdit;
use crate::comparison::{ComparedPairs, Comparison};
use crate::declaration::Declaration;
use crate::entry::{Build, Entry, Example, Inside, Takes, TypeKind};
use crate::error::Error;
use crate::expression::Expression;
use crate::laws::Laws;
use crate::measure::{Bound, FittedDistance};

const NAME: &str = "graph_edit";

/// The catalogue's entry.
pub(crate) const GRAPH_EDIT: Entry = Entry {
    name: Cow::Borrowed(NAME),
    values: Cow::Borrowed(GRAPHS),
    takes: Takes::Kinds(&[TypeKind::Graph]),
    inside: Inside::Leaf,
    facts: None,
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

    fn how(&self, a: &Column, b: &Column, detail: Detail) -> Result<How, Error> {
        let graphs = NumberedGraphs::of(a, b, NAME)?;
        let (Value::Graph(a), Value::Graph(b)) = (a.value(0), b.value(0)) else {
            return Ok(How::Plain);
        };
        let mut edit = GraphEdit::default();
        let path = edit.between(&graphs.queries[0], &graphs.references[0]);
        let changes = changes(&a, &b, path.images);
        let cost = |&(node, image): &Change<'_>| match (node, image) {
            (Some(node), Some(image)) if node.label() == image.label() => 0.0,
            _ => 1.0,
        };
        let costs: Vec<f64> = changes.iter().map(cost).collect();
        let vertices = Kept::costliest(&costs, detail.items).told(|place| {
            let (node, image) = changes[place];
            let name = |node: &GraphNode| detail.cut(&node.id);
            let labels = node.zip(image).filter(|_| costs[place] > 0.0);
            Vertex {
                first: node.map(name),
                second: image.map(name),
                labels: labels
                    .map(|(node, image)| (detail.cut(node.label()), detail.cut(image.label()))),
                cost: costs[place],
            }
        });
        Ok(How::Vertices {
            vertices,
            edges: path.cost as f64 - costs.iter().sum::<f64>(),
        })
    }
}

/// A node of the first graph and its image: without one it goes, and without the node it is new.
type Change<'a> = (Option<&'a GraphNode>, Option<&'a GraphNode>);

/// What becomes of each node of `a`, and which nodes of `b` are new.
fn changes<'a>(a: &'a Graph, b: &'a Graph, images: &[Option<u32>]) -> Vec<Change<'a>> {
    let image = |image: Option<u32>| image.map(|image| &b.nodes()[image as usize]);
    let mut changes: Vec<Change<'a>> = a
        .nodes()
        .iter()
        .zip(images)
        .map(|(node, &of)| (Some(node), image(of)))
        .collect();
    let mut new = vec![true; b.nodes().len()];
    for &image in images.iter().flatten() {
        new[image as usize] = false;
    }
    let new = b.nodes().iter().zip(new).filter(|(_, new)| *new);
    changes.extend(new.map(|(node, _)| (None, Some(node))));
    changes
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
