//! The walk kernel on labelled graphs.

use std::borrow::Cow;
use std::sync::Arc;

use kinwood_values::{Column, Type};
use rayon::prelude::*;

use crate::algorithms::graph::LabelledGraph;
use crate::algorithms::walk::{WalkGraph, Walker, converges};
use crate::comparison::{ComparedGram, Comparison};
use crate::declaration::Declaration;
use crate::distances::graph::{GRAPHS, NumberedGraphs};
use crate::entry::{Build, Entry, Example, Inside, Takes, TypeKind};
use crate::error::Error;
use crate::expression::{Expression, Literal};
use crate::gram::{Gram, KernelLaws};
use crate::measure::FittedKernel;
use kinwood_values::parameter::{Allowed, Parameter};

const NAME: &str = "walk";

/// The catalogue's entry.
pub(crate) const WALK: Entry = Entry {
    name: Cow::Borrowed(NAME),
    values: Cow::Borrowed(GRAPHS),
    takes: Takes::Kinds(&[TypeKind::Graph]),
    inside: Inside::Leaf,
    facts: None,
    summary: Cow::Borrowed(
        "The number of pairs of walks, one in each graph, that read the same labels, weighted by length; a walk has at least one edge.",
    ),
    laws: "positive semi-definite",
    cost: "a few times the pairs of edges with the same labels",
    reference: "Gärtner, Flach and Wrobel, On graph kernels: hardness results and efficient alternatives, COLT 2003",
    parameters: &[Parameter {
        name: "weight",
        doc: "`factorial` weighs walks of length n by 1/n!, a number w by w^n; that converges only if w times the largest degree of the product graph is below 1.",
        allowed: Allowed::PositiveOr(&["factorial"]),
        default: "factorial",
    }],
    example: Some(Example {
        expression: "walk",
        of: "graph",
        a: "[[\"a\", \"b\"], [\"b\", \"c\"], [\"a\", \"d\"]]",
        b: "[[\"a\", \"b\"], [\"a\", \"d\"]]",
        gives: "2",
    }),
    build: Build::Kernel(build),
};

fn build(declaration: &Declaration<'_>) -> Result<Arc<dyn FittedKernel>, Error> {
    declaration.no_parts()?;
    if *declaration.of() != Type::Graph {
        return Err(declaration.wrong_type());
    }
    Ok(Arc::new(match declaration.setting("weight") {
        Some(Literal::Number(weight)) => Weighting::Geometric(weight),
        _ => Weighting::Factorial,
    }))
}

/// How walks are weighted by their length.
#[derive(Clone, Copy)]
enum Weighting {
    Factorial,
    Geometric(f64),
}

impl Weighting {
    /// The kernel, checked to be finite beforehand.
    fn inner(self, a: &WalkGraph, b: &WalkGraph, walker: &mut Walker) -> f64 {
        match self {
            Weighting::Factorial => walker.factorial(a, b),
            Weighting::Geometric(weight) => walker.geometric(a, b, weight).unwrap_or(f64::INFINITY),
        }
    }

    /// The degree of the product graph, if the series of these graphs is not finite; 0 if it is.
    fn excess(self, a: &WalkGraph, b: &WalkGraph, walker: &mut Walker) -> f64 {
        if self.surely_finite(a.largest_degree(), b.largest_degree()) {
            return 0.0;
        }
        let degree = walker.largest_product_degree(a, b);
        let finite = match self {
            Weighting::Factorial => walker.factorial(a, b).is_finite(),
            Weighting::Geometric(weight) => converges(weight, degree as usize, 1),
        };
        if finite { 0.0 } else { degree }
    }

    /// Whether the largest degrees of two graphs are enough to tell.
    fn surely_finite(self, a: usize, b: usize) -> bool {
        match self {
            Weighting::Factorial => a as f64 * (b as f64) < SURELY_FINITE,
            Weighting::Geometric(weight) => converges(weight, a, b),
        }
    }

    fn check(self, largest: f64) -> Result<(), Error> {
        match self {
            _ if largest == 0.0 => Ok(()),
            Weighting::Geometric(weight) => Err(Error::Divergent {
                measure: NAME.to_owned(),
                weight,
                degree: largest as usize,
            }),
            Weighting::Factorial => Err(Error::Undefined {
                measure: NAME.to_owned(),
                what: format!(
                    "graphs this dense: with a node of degree {largest} in the product graph, the sum over walks exceeds every number; `weight=NUMBER` may not"
                ),
                row: None,
            }),
        }
    }
}

/// The sum is at most the pairs of nodes times the exponential of the largest degree of the product
/// graph: below this degree, no memory holds the nodes that it would take to exceed every number.
const SURELY_FINITE: f64 = 600.0;

impl FittedKernel for Weighting {
    fn laws(&self) -> KernelLaws {
        KernelLaws::INNER_PRODUCT
    }

    fn expression(&self) -> Expression {
        let expression = Expression::new(NAME);
        match self {
            Weighting::Factorial => expression.word("weight", "factorial"),
            Weighting::Geometric(weight) => expression.number("weight", *weight),
        }
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Arc<dyn Gram>, Error> {
        let graphs = NumberedGraphs::of(queries, references, NAME)?;
        let walked = WalkedGraphs {
            weighting: *self,
            queries: walked(&graphs.queries),
            references: walked(&graphs.references),
        };
        self.check(walked.largest_excess())?;
        Ok(Arc::new(ComparedGram(walked)))
    }

    fn diagonal(&self, column: &Column) -> Result<Vec<f64>, Error> {
        // Graphs that are never paired need not converge together.
        let graphs = walked(&NumberedGraphs::of(column, column, NAME)?.queries);
        let mut walker = Walker::default();
        let excess = graphs
            .iter()
            .map(|graph| self.excess(graph, graph, &mut walker))
            .fold(0.0, f64::max);
        self.check(excess)?;
        let own = |graph: &WalkGraph| self.inner(graph, graph, &mut walker);
        Ok(graphs.iter().map(own).collect())
    }
}

fn walked(graphs: &[LabelledGraph]) -> Vec<WalkGraph> {
    graphs.iter().map(WalkGraph::new).collect()
}

struct WalkedGraphs {
    weighting: Weighting,
    queries: Vec<WalkGraph>,
    references: Vec<WalkGraph>,
}

impl WalkedGraphs {
    /// The largest degree of a product graph whose series is not finite: a smaller weight by that
    /// will do for all.
    fn largest_excess(&self) -> f64 {
        let most = |graphs: &[WalkGraph]| graphs.iter().map(WalkGraph::largest_degree).max();
        let of_references = most(&self.references).unwrap_or(0);
        self.queries
            .par_iter()
            .map_init(Walker::default, |walker, query| {
                let degree = query.largest_degree();
                let sure = self.weighting.surely_finite(degree, of_references);
                let references = if sure { &[][..] } else { &self.references };
                references
                    .iter()
                    .map(|reference| self.weighting.excess(query, reference, walker))
                    .fold(0.0, f64::max)
            })
            .reduce(|| 0.0, f64::max)
    }
}

impl Comparison for WalkedGraphs {
    type Score = f64;
    type Scratch = Walker;

    fn shape(&self) -> (usize, usize) {
        (self.queries.len(), self.references.len())
    }

    fn between(&self, query: usize, reference: usize, walker: &mut Walker) -> f64 {
        let (query, reference) = (&self.queries[query], &self.references[reference]);
        self.weighting.inner(query, reference, walker)
    }
}
