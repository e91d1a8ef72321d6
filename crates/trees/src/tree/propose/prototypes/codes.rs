//! Prototypes of labels and of structured values, whose examples are held by code.

use rayon::prelude::*;

use super::reaches;
use super::select::{Chosen, Group, of_groups};
use crate::tree::code::UNKNOWN;
use crate::tree::kin::Kin;
use crate::tree::propose::{Candidate, Division, Problem};
use crate::tree::region::{Region, UNDECIDED};
use crate::tree::response::{Grouping, Response};
use crate::tree::test::Nearest;
use kinwood_learning::random::Generator;

/// Mean distances of this many pairs are worth sharing among threads.
const SHARED: usize = 20_000;

/// The best prototypes of an input's labels, which are as near as they are equal.
pub fn of_labels<R: Response>(
    problem: &Problem<'_, R>,
    region: &Region<R>,
    input: usize,
    codes: &[u32],
    groups: &Grouping,
) -> Option<Candidate> {
    let found = Found {
        problem,
        region,
        input,
        codes,
        groups,
        measures: 1,
    };
    let unlike = |_: u32, a: u32, b: u32| f64::from(u8::from(a != b));
    found.candidate(
        |values: &[(u32, f64)], weight| {
            let mean = |&(code, own): &(u32, f64)| (code, (1.0 - own / weight).max(0.0));
            values.iter().map(mean).collect()
        },
        unlike,
        |code, nearest| nearest.branch_of_label(code),
    )
}

/// The best prototypes of an input's structured values.
pub fn of_values<R: Response>(
    problem: &Problem<'_, R>,
    region: &Region<R>,
    input: usize,
    kin: &Kin,
    groups: &Grouping,
) -> Option<Candidate> {
    let found = Found {
        problem,
        region,
        input,
        codes: &kin.codes,
        groups,
        measures: 1 + kin.more.len(),
    };
    let between = |measure: u32, a: u32, b: u32| {
        let mut one = Vec::new();
        kin.distances_by(measure).between(a, &[b], &mut one);
        one[0]
    };
    found.candidate(
        |values, weight| means(kin, values, weight),
        between,
        |code, nearest| {
            let mut distances = Vec::new();
            kin.distances_by(nearest.measure)
                .between(code, &nearest.prototypes, &mut distances);
            nearest.nearest(&distances)
        },
    )
}

/// The mean distance of each value of a group to all of them.
fn means(kin: &Kin, values: &[(u32, f64)], weight: f64) -> Vec<(u32, f64)> {
    let codes: Vec<u32> = values.iter().map(|value| value.0).collect();
    let mean = |&(code, _): &(u32, f64)| {
        let mut distances = Vec::new();
        kin.distances.between(code, &codes, &mut distances);
        let sum: f64 = distances
            .iter()
            .zip(values)
            .map(|(distance, value)| distance * value.1)
            .sum();
        (code, sum / weight)
    };
    if values.len() * values.len() > SHARED {
        values.par_iter().map(mean).collect()
    } else {
        values.iter().map(mean).collect()
    }
}

/// An input of a region whose values are codes.
struct Found<'a, 'p, R: Response> {
    problem: &'a Problem<'p, R>,
    region: &'a Region<R>,
    input: usize,
    codes: &'a [u32],
    groups: &'a Grouping,
    /// How many distances there are, of which each draw takes one.
    measures: usize,
}

/// A group's values with their weights, by rising code.
type Weighed = Vec<(u32, f64)>;

impl<R: Response> Found<'_, '_, R> {
    fn candidate(
        &self,
        means: impl Fn(&[(u32, f64)], f64) -> Vec<(u32, f64)>,
        between: impl Fn(u32, u32, u32) -> f64,
        branch: impl Fn(u32, &Nearest) -> usize,
    ) -> Option<Candidate> {
        let weighed = self.weighed();
        let distinct = self.distinct();
        if distinct.len() < 2 {
            return None;
        }
        let rules = &self.problem.rules.prototypes;
        let weights: Vec<f64> = weighed
            .iter()
            .map(|values| values.iter().map(|value| value.1).sum())
            .collect();
        let Some(draws) = rules.draws else {
            let groups: Vec<Group> = weighed
                .iter()
                .zip(&weights)
                .map(|(values, &weight)| Group {
                    weight,
                    values: means(values, weight),
                })
                .collect();
            let chosen = of_groups(&groups, rules.most);
            let own = |a, b| between(0, a, b);
            return self.divided(&chosen, 0, &weights, &distinct, &own, &branch);
        };
        let purpose = 0x7072_6f74 ^ (self.input as u64) << 32;
        let mut random = self.problem.random(self.region, purpose);
        let drawn = (0..draws).filter_map(|_| {
            let measure = match self.measures {
                1 => 0,
                several => random.below(several) as u32,
            };
            let between = |a, b| between(measure, a, b);
            let chosen = drawn(&weighed, &weights, rules.most, &mut random, &between);
            self.divided(&chosen, measure, &weights, &distinct, &between, &branch)
        });
        // Of equally good draws the first.
        drawn.reduce(|best, other| {
            if other.spread < best.spread {
                other
            } else {
                best
            }
        })
    }

    /// The values of each group.
    fn weighed(&self) -> Vec<Weighed> {
        let mut all: Vec<(u32, u32, u32)> = Vec::with_capacity(self.region.len());
        for (place, &row) in self.region.rows.iter().enumerate() {
            let (group, code) = (self.groups.of[place], self.codes[row as usize]);
            if group != UNKNOWN && code != UNKNOWN {
                all.push((group, code, place as u32));
            }
        }
        all.sort_unstable();
        let mut weighed: Vec<Weighed> = vec![Vec::new(); self.groups.count];
        for (group, code, place) in all {
            let weight = self.region.weight(place as usize);
            let values = &mut weighed[group as usize];
            match values.last_mut() {
                Some(last) if last.0 == code => last.1 += weight,
                _ => values.push((code, weight)),
            }
        }
        weighed
    }

    fn distinct(&self) -> Vec<u32> {
        let codes = self.region.rows.iter().map(|&row| self.codes[row as usize]);
        let mut codes: Vec<u32> = codes.filter(|code| *code != UNKNOWN).collect();
        codes.sort_unstable();
        codes.dedup();
        codes
    }

    /// The region divided by prototypes; those that attract nothing are left out.
    fn divided(
        &self,
        chosen: &[Chosen<u32>],
        measure: u32,
        weights: &[f64],
        distinct: &[u32],
        between: &impl Fn(u32, u32) -> f64,
        branch: &impl Fn(u32, &Nearest) -> usize,
    ) -> Option<Candidate> {
        let mut chosen = chosen.to_vec();
        let (nearest, branches) = loop {
            if chosen.len() < 2 {
                return None;
            }
            let nearest = Nearest {
                prototypes: chosen.iter().map(|each| each.value).collect(),
                reach: self.reach(&chosen, weights, between),
                measure,
            };
            let branches: Vec<u8> = distinct
                .iter()
                .map(|&code| branch(code, &nearest) as u8)
                .collect();
            let attracts = |place: usize| branches.contains(&(place as u8));
            if (0..chosen.len()).all(attracts) {
                break (nearest, branches);
            }
            let mut place = 0..;
            chosen.retain(|_| attracts(place.next().unwrap_or(0)));
        };
        let branch_of = |&row: &u32| match self.codes[row as usize] {
            UNKNOWN => UNDECIDED,
            code => branches[distinct.partition_point(|other| *other < code)],
        };
        let of: Vec<u8> = self.region.rows.iter().map(branch_of).collect();
        let count = nearest.prototypes.len();
        let least = self.problem.rules.least;
        let (spread, shares) =
            self.problem
                .divided(self.region, of.iter().copied(), count, least)?;
        Some(Candidate {
            input: self.input,
            division: Division::Nearest(Box::new(nearest)),
            spread,
            shares,
            chance: 0.0,
        })
    }

    fn reach(
        &self,
        chosen: &[Chosen<u32>],
        weights: &[f64],
        between: &impl Fn(u32, u32) -> f64,
    ) -> Vec<f64> {
        if !self.problem.rules.prototypes.density {
            return Vec::new();
        }
        let pairs = chosen
            .iter()
            .enumerate()
            .flat_map(|(place, a)| chosen[..place].iter().map(move |b| (a, b)));
        let (sum, count) = pairs.fold((0.0, 0), |(sum, count), (a, b)| {
            (sum + between(a.value, b.value), count + 1)
        });
        let groups: Vec<(f64, f64)> = chosen
            .iter()
            .map(|each| (weights[each.group], each.mean))
            .collect();
        reaches(&groups, sum / f64::from(count.max(1)))
    }
}

/// A value of each of some groups at random; a value that several groups have stands for the first
/// that drew it.
fn drawn(
    weighed: &[Weighed],
    weights: &[f64],
    most: usize,
    random: &mut Generator,
    between: &impl Fn(u32, u32) -> f64,
) -> Vec<Chosen<u32>> {
    let mut groups: Vec<usize> = (0..weighed.len())
        .filter(|&group| weights[group] > 0.0)
        .collect();
    random.shuffle(&mut groups);
    let mut chosen: Vec<Chosen<u32>> = Vec::new();
    for group in groups {
        if chosen.len() == most {
            break;
        }
        let mut left = random.unit() * weights[group];
        let values = &weighed[group];
        let place = values.iter().position(|value| {
            left -= value.1;
            left < 0.0
        });
        let value = values[place.unwrap_or(values.len() - 1)].0;
        if chosen.iter().any(|other| other.value == value) {
            continue;
        }
        let sum: f64 = values
            .iter()
            .map(|other| between(value, other.0) * other.1)
            .sum();
        chosen.push(Chosen {
            group,
            value,
            mean: sum / weights[group],
        });
    }
    chosen
}
