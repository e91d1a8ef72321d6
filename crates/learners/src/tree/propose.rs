//! Proposals: the best test of each input in a region.

mod fixed;
mod subsets;
mod thresholds;

use rayon::prelude::*;

use super::columns::{Inputs, Values};
use super::presort::Entry;
use super::region::Region;
use super::response::Response;
use super::test::Test;

/// What tests may be proposed.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The least weight of a branch; more than 0.
    pub least: f64,
    /// Whether labels are divided by subsets, or by one label against the others.
    pub subsets: bool,
    /// Whether a threshold lies midway between two values, or on the lower.
    pub middle: bool,
}

/// The best test of an input in a region.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The input, by place among the inputs.
    pub input: usize,
    /// How the region is divided.
    pub division: Division,
    /// The sum of the spreads of both branches, undecided examples divided among them.
    pub spread: f64,
    /// The share of the decided weight in each branch.
    pub shares: [f64; 2],
}

/// How a region is divided.
#[derive(Clone, Debug, PartialEq)]
pub enum Division {
    /// By a number.
    Above {
        /// How many of the region's examples that have a number are below.
        below: usize,
        /// The threshold.
        threshold: f64,
    },
    /// By label.
    Among {
        /// The labels for which the test holds, rising.
        values: Vec<u32>,
    },
}

/// What a search grows trees from.
pub struct Problem<'a, R: Response> {
    /// The inputs.
    pub inputs: Inputs<'a>,
    /// The responses.
    pub response: R,
    /// What tests may be proposed.
    pub rules: Rules,
}

impl Candidate {
    /// The test.
    pub fn test(&self, inputs: &Inputs<'_>) -> Test {
        let column = inputs.all[self.input].position;
        match &self.division {
            Division::Above { threshold, .. } => Test::Above {
                column,
                threshold: *threshold,
            },
            Division::Among { values } => Test::Among {
                column,
                values: values.clone(),
            },
        }
    }
}

impl<R: Response> Problem<'_, R> {
    /// The best test of each input that has one, in the order of the inputs.
    pub fn candidates(&self, region: &Region<R>, lists: &[Vec<Entry>]) -> Vec<Candidate> {
        let inputs = self.inputs.all.len();
        let of = |input: usize| self.candidate(region, lists, input);
        if region.large(inputs) {
            let found: Vec<Option<Candidate>> = (0..inputs).into_par_iter().map(of).collect();
            found.into_iter().flatten().collect()
        } else {
            (0..inputs).filter_map(of).collect()
        }
    }

    /// The best test of an input.
    pub fn candidate(
        &self,
        region: &Region<R>,
        lists: &[Vec<Entry>],
        input: usize,
    ) -> Option<Candidate> {
        match &self.inputs.all[input].values {
            Values::Ordered(list) => thresholds::propose(self, region, input, &lists[*list]),
            Values::Ranked { ranks, numbers } => {
                if let Some(found) = thresholds::counted(self, region, input, (ranks, numbers)) {
                    return found;
                }
                thresholds::with_ordered(&region.rows, ranks, numbers.len(), |list| {
                    thresholds::propose(self, region, input, list)
                })
            }
            Values::Labels { codes, count } => subsets::propose(self, region, input, codes, *count),
        }
    }

    /// The sum of the spreads of two branches, the undecided examples divided among them by the branches' weights; and the
    /// branches' shares of the decided weight.
    fn spreads(
        &self,
        branches: [&R::Summary; 2],
        undecided: Option<&R::Summary>,
    ) -> (f64, [f64; 2]) {
        let weights = branches.map(|branch| self.response.weight(branch));
        let total = weights[0] + weights[1];
        let shares = weights.map(|weight| weight / total);
        let spread = |branch: usize| match undecided {
            None => self.response.spread(branches[branch]),
            Some(undecided) => {
                let mut joined = branches[branch].clone();
                self.response.join(&mut joined, undecided, shares[branch]);
                self.response.spread(&joined)
            }
        };
        (spread(0) + spread(1), shares)
    }
}
