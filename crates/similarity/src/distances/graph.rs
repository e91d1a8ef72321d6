//! Distances between labelled graphs.

mod edit;
mod histogram;

use kinwood_values::column::Graphs;
use kinwood_values::{Cells, Column};

use crate::algorithms::graph::{LabelledEdge, LabelledGraph, UNLABELLED};
use crate::entry::Entry;
use crate::error::Error;
use crate::symbols::Labels;

/// Every distance of the catalogue.
pub(crate) const ENTRIES: [Entry; 2] = [histogram::LABEL_HISTOGRAM, edit::GRAPH_EDIT];

/// What the measures are of.
pub(crate) const GRAPHS: &str = "a graph";

/// The graphs of two columns, labels in one numbering. A node without a label is labelled by its
/// name.
pub(crate) struct NumberedGraphs {
    pub(crate) queries: Vec<LabelledGraph>,
    pub(crate) references: Vec<LabelledGraph>,
}

impl NumberedGraphs {
    pub(crate) fn of(queries: &Column, references: &Column, measure: &str) -> Result<Self, Error> {
        let (first, second) = graphs(queries, references, measure)?;
        let labels = Labels::of(&first.dictionary, &second.dictionary);
        let all = |graphs: &Graphs, numbers: &[u32]| {
            (0..graphs.len())
                .map(|row| labelled(graphs, row, numbers))
                .collect()
        };
        Ok(Self {
            queries: all(first, &labels.first),
            references: all(second, &labels.second),
        })
    }
}

/// The labels of two columns of graphs by number, in the numbering of [`NumberedGraphs`].
fn label_names(queries: &Column, references: &Column, measure: &str) -> Result<Vec<String>, Error> {
    let (first, second) = graphs(queries, references, measure)?;
    let labels = Labels::of(&first.dictionary, &second.dictionary);
    let mut names = vec![String::new(); labels.count as usize];
    for (graphs, numbers) in [(first, &labels.first), (second, &labels.second)] {
        for (label, &number) in graphs.dictionary.labels().zip(numbers) {
            names[number as usize] = label.to_owned();
        }
    }
    Ok(names)
}

fn graphs<'a>(
    queries: &'a Column,
    references: &'a Column,
    measure: &str,
) -> Result<(&'a Graphs, &'a Graphs), Error> {
    match (queries.cells(), references.cells()) {
        (Cells::Graph(first), Cells::Graph(second)) => Ok((first, second)),
        _ => Err(Error::Layout {
            column: measure.to_owned(),
        }),
    }
}

fn labelled(graphs: &Graphs, row: usize, numbers: &[u32]) -> LabelledGraph {
    let number = |code: u32| numbers[code as usize];
    let nodes = graphs.node_offsets.range(row);
    let node_labels = nodes.map(|node| number(graphs.labels[node].unwrap_or(graphs.ids[node])));
    let edges = graphs.edge_offsets.range(row).map(|edge| LabelledEdge {
        from: graphs.from[edge],
        to: graphs.to[edge],
        label: graphs.edge_labels[edge].map_or(UNLABELLED, number),
    });
    let edges: Vec<LabelledEdge> = edges.collect();
    LabelledGraph::new(graphs.directed[row], node_labels.collect(), &edges)
}
