//! Classes decided by support vector machines: one for each pair of classes, and their decisions
//! made probabilities.

use kinwood_machines::calibrate::{Sigmoid, couple, cross_validated, sigmoid};
use kinwood_machines::solve::{classify, nu_classify};
use kinwood_machines::{Error, Limits, Matrix, Part, Solution};
use rayon::prelude::*;

use super::folds::stratified;
use kinwood_learning::random::Generator;

/// How a machine is told to weigh errors against the margin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// By the price of errors.
    C(f64),
    /// By the share of errors.
    Nu(f64),
}

/// What machines learn from.
#[derive(Clone, Copy)]
pub struct Problem<'a> {
    /// The kernel between all objects.
    pub matrix: &'a dyn Matrix,
    /// The class of each object.
    pub classes: &'a [u32],
    /// How much an error on each object costs beside others.
    pub costs: &'a [f64],
    /// The form of the machine.
    pub form: Form,
    /// When the solver is content.
    pub limits: Limits<'a>,
}

/// A machine for two classes.
#[derive(Clone, Debug)]
pub struct Machine {
    /// What it has learned, over all objects of the problem; decisions above 0 are for the first of
    /// its classes.
    pub solution: Solution,
    /// How many objects have the largest coefficient they may have; unknown of the form with `nu`.
    pub at_bound: Option<usize>,
}

/// How many folds a sigmoid's decisions come from; a class of fewer objects is missing in some of
/// them, and has none.
pub const FOLDS: usize = 5;
/// The sigmoid where there are too few objects to fit one: a decision of 1, the margin, is 88 %
/// sure.
pub const MARGIN: Sigmoid = Sigmoid {
    slope: -2.0,
    offset: 0.0,
};

/// The classes of some objects, rising.
pub fn present(classes: &[u32], objects: &[usize]) -> Vec<u32> {
    let mut present: Vec<u32> = objects.iter().map(|&object| classes[object]).collect();
    present.sort_unstable();
    present.dedup();
    present
}

/// All pairs of classes, in order.
pub fn pairs(present: &[u32]) -> Vec<(u32, u32)> {
    let later = |place: usize| {
        present[place + 1..]
            .iter()
            .map(move |&second| (present[place], second))
    };
    (0..present.len()).flat_map(later).collect()
}

/// The largest `nu` that two classes of so many objects have a solution for.
fn largest_nu(first: usize, second: usize) -> f64 {
    2.0 * first.min(second) as f64 / (first + second) as f64
}

impl Problem<'_> {
    /// A machine for each pair of classes of these objects.
    pub fn train(&self, objects: &[usize]) -> Result<Vec<Machine>, Error> {
        let pairs = pairs(&present(self.classes, objects));
        pairs
            .into_par_iter()
            .map(|pair| self.train_pair(pair, &self.of_pair(pair, objects)))
            .collect()
    }

    /// Those of the objects that are of one of two classes.
    fn of_pair(&self, (first, second): (u32, u32), objects: &[usize]) -> Vec<usize> {
        let of = |object: &usize| [first, second].contains(&self.classes[*object]);
        objects.iter().copied().filter(of).collect()
    }

    fn train_pair(&self, (first, _): (u32, u32), members: &[usize]) -> Result<Machine, Error> {
        let positive: Vec<bool> = members
            .iter()
            .map(|&member| self.classes[member] == first)
            .collect();
        let part = Part::new(self.matrix, members);
        let whole = members.len() == self.matrix.len();
        let matrix: &dyn Matrix = if whole { self.matrix } else { &part };
        let (solution, at_bound) = match self.form {
            Form::C(c) => {
                let costs: Vec<f64> = members.iter().map(|&m| c * self.costs[m]).collect();
                let solution = classify(matrix, &positive, &costs, &self.limits)?;
                let both = solution.coefficients.iter().zip(&costs);
                let full = both.filter(|(found, cost)| found.abs() >= **cost * (1.0 - 1e-9));
                let full = full.count();
                (solution, Some(full))
            }
            Form::Nu(nu) => (nu_classify(matrix, &positive, nu, &self.limits)?, None),
        };
        let mut coefficients = vec![0.0; self.matrix.len()];
        for (&member, found) in members.iter().zip(&solution.coefficients) {
            coefficients[member] = *found;
        }
        Ok(Machine {
            solution: Solution {
                coefficients,
                ..solution
            },
            at_bound,
        })
    }

    /// The same problem with a share of errors that these objects have a solution for: of parts of
    /// the training rows, which may have other shares of classes than all of them.
    fn feasible(&self, (first, second): (u32, u32), members: &[usize]) -> Self {
        let count = |class: u32| {
            members
                .iter()
                .filter(|&&m| self.classes[m] == class)
                .count()
        };
        let form = match self.form {
            Form::Nu(nu) => Form::Nu(nu.min(largest_nu(count(first), count(second)))),
            form => form,
        };
        Self { form, ..*self }
    }

    /// The decisions on objects by a machine for two classes that learns from others; where these
    /// are of one class, all are of it.
    fn decided(
        &self,
        pair: (u32, u32),
        members: &[usize],
        asked: &[usize],
    ) -> Result<Vec<f64>, Error> {
        if let [class] = present(self.classes, members)[..] {
            let decision = if class == pair.0 { 1.0 } else { -1.0 };
            return Ok(vec![decision; asked.len()]);
        }
        let machine = self.feasible(pair, members).train_pair(pair, members)?;
        let mut row = vec![0.0; self.matrix.len()];
        let decide = |&object: &usize| {
            self.matrix.fill(object, &mut row);
            machine.solution.decide(&row)
        };
        Ok(asked.iter().map(decide).collect())
    }

    /// The sigmoid of a pair of classes, from decisions on objects that were held out; none where a
    /// class has too few objects, or the decisions say nothing of the classes.
    pub fn calibrated(
        &self,
        pair: (u32, u32),
        objects: &[usize],
        weights: &[f64],
        generator: &mut Generator,
    ) -> Result<Option<Sigmoid>, Error> {
        let members = self.of_pair(pair, objects);
        let classes: Vec<u32> = members.iter().map(|&member| self.classes[member]).collect();
        let count = |class: u32| classes.iter().filter(|&&of| of == class).count();
        if count(pair.0).min(count(pair.1)) < FOLDS {
            return Ok(None);
        }
        let folds = stratified(&classes, FOLDS, generator);
        let decisions = cross_validated(&folds, |learned, held| {
            let of = |places: &[usize]| -> Vec<usize> {
                places.iter().map(|&place| members[place]).collect()
            };
            self.decided(pair, &of(learned), &of(held))
        })?;
        let positive: Vec<bool> = classes.iter().map(|&class| class == pair.0).collect();
        let counts: Vec<f64> = members.iter().map(|&member| weights[member]).collect();
        let found = weighted(&decisions, &positive, &counts)?;
        Ok(Some(found).filter(|found| found.slope < 0.0))
    }

    /// The class of objects that were not learned from, by most votes.
    pub fn voted(&self, learned: &[usize], asked: &[usize]) -> Result<Vec<u32>, Error> {
        let present = present(self.classes, learned);
        let mut votes = vec![0u32; asked.len() * present.len()];
        for pair in pairs(&present) {
            let decisions = self.decided(pair, &self.of_pair(pair, learned), asked)?;
            for (place, decision) in decisions.into_iter().enumerate() {
                let winner = if decision > 0.0 { pair.0 } else { pair.1 };
                if let Ok(at) = present.binary_search(&winner) {
                    votes[place * present.len() + at] += 1;
                }
            }
        }
        let won = votes.chunks(present.len().max(1)).map(|votes| {
            let best = (0..votes.len()).rev().max_by_key(|&place| votes[place]);
            present[best.unwrap_or(0)]
        });
        Ok(won.collect())
    }
}

/// The shares of classes from the decisions of all pairs: coupled probabilities where there are
/// sigmoids, shares of votes where not.
pub fn shares(present: usize, decisions: &[f64], sigmoids: Option<&[Sigmoid]>) -> Vec<f64> {
    let mut pairwise = vec![0.0; present * present];
    let mut place = 0;
    for first in 0..present {
        for second in first + 1..present {
            let probability = match sigmoids {
                Some(sigmoids) => sigmoids[place].probability(decisions[place]),
                None => f64::from(u8::from(decisions[place] > 0.0)),
            };
            pairwise[first * present + second] = probability;
            pairwise[second * present + first] = 1.0 - probability;
            place += 1;
        }
    }
    match (present, sigmoids) {
        (0 | 1, _) => vec![1.0; present],
        (2, _) => vec![pairwise[1], 1.0 - pairwise[1]],
        (_, Some(_)) => couple(present, &pairwise),
        (_, None) => {
            let rows = pairwise.chunks(present).map(|row| row.iter().sum::<f64>());
            rows.map(|votes| votes / place as f64).collect()
        }
    }
}

/// The sigmoid of decisions that count by weights: an object of weight 2 stands twice, weights
/// being rounded, but none left out.
pub fn weighted(decisions: &[f64], positive: &[bool], weights: &[f64]) -> Result<Sigmoid, Error> {
    // However large weights are, they are told apart no further than this.
    const LARGEST: f64 = 1000.0;
    let most = weights.iter().copied().fold(1.0, f64::max);
    let unit = (most / LARGEST).max(1.0);
    let times = |place: usize| (weights[place] / unit).round().max(1.0) as usize;
    let places: Vec<usize> = (0..decisions.len())
        .flat_map(|place| std::iter::repeat_n(place, times(place)))
        .collect();
    let decisions: Vec<f64> = places.iter().map(|&place| decisions[place]).collect();
    let positive: Vec<bool> = places.iter().map(|&place| positive[place]).collect();
    sigmoid(&decisions, &positive)
}
