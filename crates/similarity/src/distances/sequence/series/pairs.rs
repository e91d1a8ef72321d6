//! Series bound to series: each query is compared with many references, and given up where a bound
//! shows that it is too far.

use std::cell::RefCell;
use std::ops::Range;

use super::methods::{Method, Summary};
use super::window::Window;
use crate::algorithms::elastic::bounds::{Envelope, Extremes};
use crate::algorithms::elastic::{Backward, Elastic, Onward, Ways};
use crate::laws::Laws;
use crate::pairs::{Pairs, Row};

pub(super) struct SeriesPairs<M> {
    method: M,
    window: Window,
    laws: Laws,
    queries: Vec<(Onward, Summary)>,
    references: Vec<(Backward, Summary)>,
    /// How far each reference is from the empty series.
    beside_nothing: Vec<f64>,
}

impl<M: Method> SeriesPairs<M> {
    pub(super) fn new(
        method: M,
        window: Window,
        laws: Laws,
        queries: &[Vec<f64>],
        references: &[Vec<f64>],
    ) -> Self {
        let summary = |numbers: &[f64]| Summary {
            length: numbers.len(),
            extremes: Extremes::of(numbers),
            amount: method.amount(numbers),
        };
        // Few rows are empty; where none is, no row's distance from nothing is needed.
        let beside_nothing = match queries.iter().any(Vec::is_empty) {
            true => references
                .iter()
                .map(|numbers| beside_nothing(&method, numbers))
                .collect(),
            false => Vec::new(),
        };
        Self {
            queries: queries
                .iter()
                .map(|numbers| (Onward::new(numbers), summary(numbers)))
                .collect(),
            references: references
                .iter()
                .map(|numbers| (Backward::new(numbers), summary(numbers)))
                .collect(),
            method,
            window,
            laws,
            beside_nothing,
        }
    }
}

fn beside_nothing<M: Method>(method: &M, numbers: &[f64]) -> f64 {
    match numbers.is_empty() {
        true => 0.0,
        false => method.beside_nothing(numbers),
    }
}

impl<M: Method> Pairs<f64> for SeriesPairs<M> {
    fn shape(&self) -> (usize, usize) {
        (self.queries.len(), self.references.len())
    }

    fn laws(&self) -> Laws {
        self.laws
    }

    fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_> {
        let (series, summary) = &self.queries[query];
        Box::new(SeriesRow {
            of: self,
            series,
            summary,
            beside_nothing: beside_nothing(&self.method, series.numbers()),
            memory: RefCell::default(),
        })
    }
}

struct SeriesRow<'a, M> {
    of: &'a SeriesPairs<M>,
    series: &'a Onward,
    summary: &'a Summary,
    /// How far the query is from the empty series.
    beside_nothing: f64,
    memory: RefCell<(Elastic, Envelope)>,
}

/// Far more than rounding, far less than matters.
const SLACK: f64 = 1e-9;

impl<M: Method> SeriesRow<'_, M> {
    /// The distance where one of both is empty.
    fn beside_empty(&self, reference: usize) -> Option<f64> {
        match (self.series.len(), self.of.references[reference].0.len()) {
            (0, _) => Some(self.of.beside_nothing[reference]),
            (_, 0) => Some(self.beside_nothing),
            _ => None,
        }
    }

    /// How many places the query and a reference may be apart, the table at most.
    fn places(&self, columns: usize) -> (Option<usize>, usize) {
        let rows = self.series.len();
        let window = self.of.window.places(rows.max(columns));
        let widest = window.unwrap_or(usize::MAX);
        (
            window,
            widest.max(rows.abs_diff(columns)).min(rows + columns),
        )
    }

    /// The distance, if the cost is within a limit.
    fn between(&self, reference: usize, limit: f64, memory: &mut Elastic) -> f64 {
        let second = &self.of.references[reference].0;
        let (window, _) = self.places(second.len());
        let cost = memory.least(
            self.of.method,
            Ways {
                first: self.series,
                second,
                window,
                limit,
            },
        );
        let lengths = (self.series.len(), second.len());
        self.of.method.distance(cost, lengths)
    }

    /// No more than the cost, or more than the limit: first what is known of both at once, then how
    /// far the reference is outside of the query's envelope.
    fn least_cost(&self, reference: usize, limit: f64, envelope: &mut Envelope) -> f64 {
        let (second, summary) = &self.of.references[reference];
        let least = self.of.method.least(self.summary, summary) * (1.0 - SLACK);
        if !M::SQUARES || least > limit {
            return least;
        }
        let (_, places) = self.places(second.len());
        envelope.around(self.series, places, second.len());
        let outside = envelope.outside(second, limit) * (1.0 - SLACK);
        least.max(outside)
    }
}

impl<M: Method> Row<f64> for SeriesRow<'_, M> {
    fn fill(&self, references: Range<usize>, out: &mut [f64]) {
        let (memory, _) = &mut *self.memory.borrow_mut();
        for (out, reference) in out.iter_mut().zip(references) {
            *out = match self.beside_empty(reference) {
                Some(distance) => distance,
                None => self.between(reference, f64::INFINITY, memory),
            };
        }
    }

    fn within(&self, reference: usize, bound: f64) -> Option<f64> {
        let found = match self.beside_empty(reference) {
            Some(distance) => distance,
            None if M::LIMITED => {
                let (memory, envelope) = &mut *self.memory.borrow_mut();
                // Costs at the bound may be rounded: what is asked for is a little more.
                let limit = self.of.method.cost_at(bound.max(0.0)) * (1.0 + SLACK);
                if self.least_cost(reference, limit, envelope) > limit {
                    return None;
                }
                self.between(reference, limit, memory)
            }
            None => {
                let (memory, _) = &mut *self.memory.borrow_mut();
                self.between(reference, f64::INFINITY, memory)
            }
        };
        Some(found).filter(|&found| found <= bound)
    }

    fn bounded(&self) -> bool {
        M::LIMITED
    }

    fn least(&self, reference: usize) -> f64 {
        if let Some(distance) = self.beside_empty(reference) {
            return distance;
        }
        if !M::LIMITED {
            return 0.0;
        }
        let (_, envelope) = &mut *self.memory.borrow_mut();
        let cost = self.least_cost(reference, f64::INFINITY, envelope);
        let lengths = (self.series.len(), self.of.references[reference].0.len());
        self.of.method.distance(cost, lengths) * (1.0 - SLACK)
    }
}
