//! Which members make bags positive, and the machine that tells: found in turn until nothing
//! changes.
//!
//! Reference: S. Andrews, I. Tsochantaridis, T. Hofmann, Support vector machines for
//! multiple-instance learning, NIPS 15, 2003 (its two heuristics, in sections 3.1 and 3.2).

use std::ops::Range;

use kinwood_machines::solve::classify;
use kinwood_machines::{Dense, Error, Limits, Matrix, Part, Solution};

/// How the positive members of bags are guessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One member speaks for a positive bag (MI-SVM).
    Bag,
    /// Each member of a positive bag has a class of its own, and one of them at least is positive
    /// (mi-SVM).
    Instance,
}

impl Form {
    /// The name of the setting's value.
    pub fn name(self) -> &'static str {
        match self {
            Form::Bag => "bag",
            Form::Instance => "instance",
        }
    }
}

/// Bags by the places of their members in a matrix.
#[derive(Default)]
pub struct Bags {
    /// Where the members of each bag are.
    pub members: Vec<Range<usize>>,
    /// Whether the bag is positive.
    pub positive: Vec<bool>,
    /// The price of an error on a bag, or on a member of it.
    pub costs: Vec<f64>,
}

/// What was learned.
pub struct Learned {
    /// A function over all members.
    pub solution: Solution,
    /// How often the machine was fitted.
    pub rounds: usize,
    /// Whether the last guess was the one before.
    pub settled: bool,
}

/// The decision on a bag without members, none of which is positive: the margin of negative ones.
pub const EMPTY: f64 = -1.0;

impl Bags {
    /// Learns from some of the bags.
    pub fn train(
        &self,
        matrix: &dyn Matrix,
        chosen: &[usize],
        form: Form,
        rounds: usize,
        limits: &Limits<'_>,
    ) -> Result<Learned, Error> {
        let of = |side: bool| -> Vec<usize> {
            let bags = chosen.iter().copied();
            bags.filter(|&bag| self.positive[bag] == side && !self.members[bag].is_empty())
                .collect()
        };
        let (positive, negative) = (of(true), of(false));
        // Nothing to divide: everything is of the one class that has members.
        if positive.is_empty() || negative.is_empty() {
            return Ok(Learned {
                solution: Solution {
                    coefficients: vec![0.0; matrix.len()],
                    bias: if positive.is_empty() { -1.0 } else { 1.0 },
                    objective: 0.0,
                    iterations: 0,
                    converged: true,
                },
                rounds: 0,
                settled: true,
            });
        }
        match form {
            Form::Bag => self.witnesses(matrix, &positive, &negative, rounds, limits),
            Form::Instance => self.labels(matrix, &positive, &negative, rounds, limits),
        }
    }

    /// The members of bags, with the bag of each.
    fn all(&self, bags: &[usize]) -> Vec<(usize, usize)> {
        let members = |&bag: &usize| self.members[bag].clone().map(move |member| (member, bag));
        bags.iter().flat_map(members).collect()
    }

    /// One member speaks for each positive bag, first the mean of its members.
    fn witnesses(
        &self,
        matrix: &dyn Matrix,
        positive: &[usize],
        negative: &[usize],
        rounds: usize,
        limits: &Limits<'_>,
    ) -> Result<Learned, Error> {
        let negative = self.all(negative);
        let mut solution = self.centroids(matrix, positive, &negative, limits)?;
        let mut witnesses: Vec<usize> = Vec::new();
        for round in 1..=rounds {
            let found: Vec<usize> = positive
                .iter()
                .map(|&bag| self.best(matrix, bag, &solution).0)
                .collect();
            if found == witnesses {
                return Ok(Learned {
                    solution,
                    rounds: round,
                    settled: true,
                });
            }
            witnesses = found;
            let pairs = witnesses.iter().copied().zip(positive.iter().copied());
            let members: Vec<(usize, usize)> = pairs.chain(negative.iter().copied()).collect();
            let sides: Vec<bool> = (0..members.len())
                .map(|place| place < positive.len())
                .collect();
            solution = self.separate(matrix, &members, &sides, limits)?;
        }
        Ok(Learned {
            solution,
            rounds,
            settled: false,
        })
    }

    /// The machine of the means of positive bags and the members of negative ones, as a function of
    /// members.
    fn centroids(
        &self,
        matrix: &dyn Matrix,
        positive: &[usize],
        negative: &[(usize, usize)],
        limits: &Limits<'_>,
    ) -> Result<Solution, Error> {
        let groups: Vec<(Range<usize>, f64, bool)> = positive
            .iter()
            .map(|&bag| (self.members[bag].clone(), self.costs[bag], true))
            .chain(
                negative
                    .iter()
                    .map(|&(member, bag)| (member..member + 1, self.costs[bag], false)),
            )
            .collect();
        let len = groups.len();
        let mut entries = Vec::with_capacity(len * len);
        let mut row = vec![0.0; matrix.len()];
        let mut mean = vec![0.0; matrix.len()];
        for (members, ..) in &groups {
            mean.fill(0.0);
            for member in members.clone() {
                matrix.fill(member, &mut row);
                let share = 1.0 / members.len() as f64;
                mean.iter_mut()
                    .zip(&row)
                    .for_each(|(mean, value)| *mean += share * value);
            }
            entries.extend(groups.iter().map(|(others, ..)| {
                mean[others.clone()].iter().sum::<f64>() / others.len() as f64
            }));
        }
        let sides: Vec<bool> = groups.iter().map(|(_, _, side)| *side).collect();
        let costs: Vec<f64> = groups.iter().map(|(_, cost, _)| *cost).collect();
        let solution = classify(&Dense::new(len, entries)?, &sides, &costs, limits)?;
        let mut coefficients = vec![0.0; matrix.len()];
        for ((members, ..), coefficient) in groups.iter().zip(&solution.coefficients) {
            for member in members.clone() {
                coefficients[member] += coefficient / members.len() as f64;
            }
        }
        Ok(Solution {
            coefficients,
            ..solution
        })
    }

    /// Each member of a positive bag has a class of its own, first that of its bag.
    fn labels(
        &self,
        matrix: &dyn Matrix,
        positive: &[usize],
        negative: &[usize],
        rounds: usize,
        limits: &Limits<'_>,
    ) -> Result<Learned, Error> {
        let mut members = self.all(positive);
        let own = members.len();
        members.extend(self.all(negative));
        let mut sides: Vec<bool> = (0..members.len()).map(|place| place < own).collect();
        let mut row = vec![0.0; matrix.len()];
        for round in 1..=rounds {
            let solution = self.separate(matrix, &members, &sides, limits)?;
            let mut found = sides.clone();
            let mut start = 0;
            for &bag in positive {
                let end = start + self.members[bag].len();
                for place in start..end {
                    matrix.fill(members[place].0, &mut row);
                    found[place] = solution.decide(&row) > 0.0;
                }
                if !found[start..end].contains(&true) {
                    let (best, _) = self.best(matrix, bag, &solution);
                    found[start + best - self.members[bag].start] = true;
                }
                start = end;
            }
            let settled = found == sides;
            if settled || round == rounds {
                return Ok(Learned {
                    solution,
                    rounds: round,
                    settled,
                });
            }
            sides = found;
        }
        unreachable!("there is at least one round")
    }

    /// The machine of some members, as a function of all.
    fn separate(
        &self,
        matrix: &dyn Matrix,
        members: &[(usize, usize)],
        sides: &[bool],
        limits: &Limits<'_>,
    ) -> Result<Solution, Error> {
        let places: Vec<usize> = members.iter().map(|(member, _)| *member).collect();
        let costs: Vec<f64> = members.iter().map(|(_, bag)| self.costs[*bag]).collect();
        let solution = classify(&Part::new(matrix, &places), sides, &costs, limits)?;
        let mut coefficients = vec![0.0; matrix.len()];
        for (&place, found) in places.iter().zip(&solution.coefficients) {
            coefficients[place] += found;
        }
        Ok(Solution {
            coefficients,
            ..solution
        })
    }

    /// The member of a bag with the highest decision, the first of equals.
    fn best(&self, matrix: &dyn Matrix, bag: usize, solution: &Solution) -> (usize, f64) {
        let mut row = vec![0.0; matrix.len()];
        let mut best = (self.members[bag].start, f64::NEG_INFINITY);
        for member in self.members[bag].clone() {
            matrix.fill(member, &mut row);
            let decision = solution.decide(&row);
            if decision > best.1 {
                best = (member, decision);
            }
        }
        best
    }

    /// The decision on a bag: the highest of its members'.
    pub fn decide(&self, matrix: &dyn Matrix, bag: usize, solution: &Solution) -> f64 {
        match self.members[bag].is_empty() {
            true => EMPTY,
            false => self.best(matrix, bag, solution).1,
        }
    }
}
