//! The distance of graphs by counts of their node labels and labelled edges.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use kinwood_values::{Column, Type};

use super::{GRAPHS, NumberedGraphs, label_names};
use crate::account::{Detail, FeatureCount, How, Kept};
use crate::algorithms::graph::{LabelledGraph, UNLABELLED};
use crate::algorithms::histogram::{GraphFeature, Histogram, l1, of_graph};
use crate::comparison::{ComparedPairs, Comparison};
use crate::declaration::Declaration;
use crate::entry::{Build, Entry, Example, Inside, Takes, TypeKind};
use crate::error::Error;
use crate::expression::Expression;
use crate::laws::Laws;
use crate::measure::{Bound, FittedDistance};

const NAME: &str = "label_histogram";

/// The catalogue's entry.
pub(crate) const LABEL_HISTOGRAM: Entry = Entry {
    name: Cow::Borrowed(NAME),
    values: Cow::Borrowed(GRAPHS),
    takes: Takes::Kinds(&[TypeKind::Graph]),
    inside: Inside::Leaf,
    facts: None,
    summary: Cow::Borrowed(
        "How much the numbers of nodes with each label, and of edges with each label between such nodes, differ in all.",
    ),
    laws: "pseudo-metric: graphs with the same counts are at 0, however they hang together",
    cost: "one pass over the labels and kinds of edges that occur",
    reference: "Estruch, Ferri, Hernández-Orallo and Ramírez-Quintana, section 2.1; the choice of counts is Kinwood's own",
    parameters: &[],
    example: Some(Example {
        expression: "label_histogram",
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
        Type::Graph => Ok(Arc::new(LabelHistogram)),
        _ => Err(declaration.wrong_type()),
    }
}

struct LabelHistogram;

impl FittedDistance for LabelHistogram {
    fn laws(&self) -> Laws {
        Laws::PSEUDO_METRIC
    }

    fn expression(&self) -> Expression {
        Expression::new(NAME)
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Bound, Error> {
        let graphs = NumberedGraphs::of(queries, references, NAME)?;
        let count = |graphs: &[LabelledGraph]| graphs.iter().map(of_graph).collect();
        Ok(Bound::real(ComparedPairs {
            comparison: Counted {
                queries: count(&graphs.queries),
                references: count(&graphs.references),
            },
            laws: self.laws(),
        }))
    }

    fn how(&self, a: &Column, b: &Column, detail: Detail) -> Result<How, Error> {
        let graphs = NumberedGraphs::of(a, b, NAME)?;
        let names = label_names(a, b, NAME)?;
        let mut counts: BTreeMap<GraphFeature, [f64; 2]> = BTreeMap::new();
        for (side, graph) in [&graphs.queries[0], &graphs.references[0]]
            .into_iter()
            .enumerate()
        {
            for (feature, count) in of_graph(graph) {
                counts.entry(feature).or_default()[side] = count;
            }
        }
        let differ = counts.into_iter().filter(|(_, [one, other])| one != other);
        let differ: Vec<(GraphFeature, [f64; 2])> = differ.collect();
        let costs: Vec<f64> = differ
            .iter()
            .map(|(_, [one, other])| (one - other).abs())
            .collect();
        Ok(How::Counts {
            counts: Kept::costliest(&costs, detail.items).told(|place| {
                let (feature, [first, second]) = differ[place];
                FeatureCount {
                    feature: detail.cut(&told(feature, &names)),
                    first,
                    second,
                }
            }),
        })
    }
}

fn told(feature: GraphFeature, names: &[String]) -> String {
    let name = |label: u32| &names[label as usize];
    match feature {
        GraphFeature::Node(label) => format!("nodes `{}`", name(label)),
        GraphFeature::Edge {
            from,
            label,
            to,
            directed,
        } => {
            let arrow = if directed { "->" } else { "--" };
            let ends = format!("edges `{}` {arrow} `{}`", name(from), name(to));
            if label == UNLABELLED {
                ends
            } else {
                format!("{ends} labelled `{}`", name(label))
            }
        }
    }
}

struct Counted {
    queries: Vec<Histogram<GraphFeature>>,
    references: Vec<Histogram<GraphFeature>>,
}

impl Comparison for Counted {
    type Score = f64;
    type Scratch = ();

    fn shape(&self) -> (usize, usize) {
        (self.queries.len(), self.references.len())
    }

    fn between(&self, query: usize, reference: usize, (): &mut ()) -> f64 {
        l1(&self.queries[query], &self.references[reference])
    }
}
