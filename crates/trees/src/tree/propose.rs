//! Proposals: the best test of each input in a region.

pub mod any_of;
mod chance;
mod contents;
mod every;
mod fixed;
pub mod prototypes;
mod subsets;
mod thresholds;

use rayon::prelude::*;

pub use super::division::{Candidate, Division};
pub use prototypes::Prototypes;
pub use subsets::MANY_LABELS;

use super::columns::{Input, Inputs, Values};
use super::identifiers::distinct;
use super::presort::Entry;
use super::region::{Region, UNDECIDED};
use super::response::{Grouping, Response, heaviest};
use super::test::Test;
use kinwood_learning::random::Generator;

/// A gain must be more than this per example: rounding is less, and no division worth having gains
/// as little.
pub const LEAST_GAIN: f64 = 1e-9;

/// What tests may be proposed.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The least number of rows in a branch; more than 0.
    pub least: f64,
    /// Whether labels are divided by subsets, or by one label against the others.
    pub subsets: bool,
    /// Whether a threshold lies midway between two values, or on the lower.
    pub middle: bool,
    /// Whether an example without a value goes where most others go, whole, or into every branch by
    /// its share.
    pub together: bool,
    /// Whether a node is divided even where that gains nothing.
    pub always: bool,
    /// How prototypes are chosen.
    pub prototypes: Prototypes,
    /// Whether tests on columns of many labels must gain more than the best of as many gains by
    /// chance.
    pub corrected: bool,
    /// The most items of a kind that tests on the contents of a column look at, in a node.
    pub items: usize,
    /// From what random numbers are drawn.
    pub seed: u64,
    /// What is left to chance in a forest.
    pub chance: Option<Chance>,
}

/// What is left to chance.
#[derive(Clone, Debug)]
pub struct Chance {
    /// How many inputs of a node are looked at, unless none of them divides it.
    pub inputs: usize,
    /// By tree, the inputs it may use; empty where all may use all.
    pub spaces: Vec<Vec<usize>>,
    /// Whether thresholds and subsets are drawn rather than sought.
    pub tests: bool,
}

impl Rules {
    /// The shares in which examples without a value go into branches of these shares.
    pub fn passed(&self, shares: &[f64]) -> Vec<f64> {
        if !self.together {
            return shares.to_vec();
        }
        let most = heaviest(shares);
        let each = (0..shares.len()).map(|branch| f64::from(u8::from(branch == most)));
        each.collect()
    }
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
            Division::Around(cells) => Test::Around {
                column,
                cells: (**cells).clone(),
            },
            Division::Nearest(nearest) => Test::Nearest {
                column,
                nearest: (**nearest).clone(),
            },
            Division::Has(items) => Test::Has {
                column,
                items: items.clone(),
            },
            Division::Size(least) => Test::Size {
                column,
                least: *least,
            },
        }
    }
}

impl<R: Response> Problem<'_, R> {
    /// The best tests of each input that has any, in the order of the inputs: one, and of
    /// structured values one more of each kind of contents.
    pub fn candidates(&self, region: &Region<R>, lists: &[Vec<Entry>]) -> Vec<Candidate> {
        let inputs = self.inputs.all.len();
        let groups = self.groups(region);
        let of = |input: usize| self.candidate(region, lists, input, groups.as_ref());
        if let Some(chance) = &self.rules.chance {
            return self.by_chance(region, chance, of);
        }
        let mut found: Vec<Candidate> = if region.large(inputs) {
            let found: Vec<Option<Candidate>> = (0..inputs).into_par_iter().map(of).collect();
            found.into_iter().flatten().collect()
        } else {
            (0..inputs).filter_map(of).collect()
        };
        let before = found.len();
        found.extend((0..inputs).flat_map(|input| self.of_contents(region, input)));
        if found.len() > before {
            found.sort_by_key(|candidate| candidate.input);
        }
        found
    }

    /// The best tests on what the values of an input contain; none of other inputs.
    fn of_contents(&self, region: &Region<R>, input: usize) -> Vec<Candidate> {
        match &self.inputs.all[input].values {
            Values::Kin(kin) => match &kin.contents {
                Some(contents) => contents::of_values(self, region, input, kin, contents),
                None => Vec::new(),
            },
            _ => match &self.inputs.all[input].calendar {
                Some(calendar) => contents::of_moments(self, region, input, calendar),
                None => Vec::new(),
            },
        }
    }

    /// The best tests of some inputs, drawn at random; more are drawn only while none of them gains
    /// anything.
    fn by_chance(
        &self,
        region: &Region<R>,
        chance: &Chance,
        candidate: impl Fn(usize) -> Option<Candidate>,
    ) -> Vec<Candidate> {
        let mut order: Vec<usize> = match chance.spaces.get(region.tree as usize) {
            Some(space) => space.clone(),
            None => (0..self.inputs.all.len()).collect(),
        };
        let mut random = self.random(region, 0x696e_7075);
        random.shuffle(&mut order);
        let mut found: Vec<Candidate> = Vec::with_capacity(chance.inputs.min(order.len()));
        let weight = self.response.weight(&region.whole);
        let whole = self.response.spread(&region.whole);
        let gains = |own: &Candidate| whole - own.spread - own.chance > LEAST_GAIN * weight;
        for (place, input) in order.into_iter().enumerate() {
            if place >= chance.inputs && found.iter().any(gains) {
                break;
            }
            found.extend(candidate(input));
            found.extend(self.of_contents(region, input));
        }
        found.sort_by_key(|candidate| candidate.input);
        found
    }

    /// The random numbers of a region for one purpose.
    fn random(&self, region: &Region<R>, purpose: u64) -> Generator {
        Generator::new(self.rules.seed, &self.stream(region, purpose))
    }

    /// Where those numbers come from.
    fn stream(&self, region: &Region<R>, purpose: u64) -> [u64; 3] {
        [u64::from(region.tree), region.stream, purpose]
    }

    /// The groups of a region's examples that a prototype may stand for each, where any input is
    /// divided by prototypes.
    pub fn groups(&self, region: &Region<R>) -> Option<Grouping> {
        let by_prototypes = self.inputs.all.iter().any(Input::by_prototypes);
        by_prototypes.then(|| {
            self.response
                .groups(&region.examples(), self.rules.prototypes.most)
        })
    }

    /// The best test of an input.
    pub fn candidate(
        &self,
        region: &Region<R>,
        lists: &[Vec<Entry>],
        input: usize,
        groups: Option<&Grouping>,
    ) -> Option<Candidate> {
        let of = &self.inputs.all[input];
        let groups = groups.filter(|_| of.by_prototypes());
        let drawn = self
            .rules
            .chance
            .as_ref()
            .is_some_and(|chance| chance.tests);
        if drawn && groups.is_none() {
            return chance::propose(self, region, lists, input);
        }
        match (&of.values, groups) {
            (Values::Ordered(list), None) => {
                thresholds::propose(self, region, input, &lists[*list])
            }
            (Values::Ordered(list), Some(groups)) => {
                let number = |place: usize| self.inputs.number(input, region.rows[place]);
                prototypes::of_numbers(self, region, input, &lists[*list], groups, number)
            }
            (Values::Ranked { ranks, numbers }, Some(groups)) => {
                thresholds::with_ordered(&region.rows, ranks, numbers.len(), |list| {
                    let number =
                        |place: usize| numbers[ranks[region.rows[place] as usize] as usize];
                    prototypes::of_numbers(self, region, input, list, groups, number)
                })
            }
            (Values::Ranked { ranks, numbers }, None) => {
                if let Some(found) = thresholds::counted(self, region, input, (ranks, numbers)) {
                    return found;
                }
                thresholds::with_ordered(&region.rows, ranks, numbers.len(), |list| {
                    thresholds::propose(self, region, input, list)
                })
            }
            (Values::Labels { codes, count }, None) => {
                subsets::propose(self, region, input, codes, *count)
            }
            (Values::Labels { codes, count }, Some(groups)) => {
                let found = prototypes::of_labels(self, region, input, codes, groups)?;
                match self.rules.corrected && *count >= MANY_LABELS {
                    true => self.beyond_chance(region, codes, found),
                    false => Some(found),
                }
            }
            (Values::Kin(values), Some(groups)) => {
                let found = prototypes::of_values(self, region, input, values, groups)?;
                // Beside tests on contents, which are corrected.
                let contents = values.contents.as_ref();
                let looked_into = contents.is_some_and(|contents| !contents.items.is_empty());
                match self.rules.corrected && looked_into {
                    true => self.beyond_chance(region, &values.codes, found),
                    false => Some(found),
                }
            }
            (Values::Kin(_), None) => None,
        }
    }

    /// Prototypes among many values, if they gain more than chance: a name that says nothing does
    /// not divide a node even where that need gain nothing.
    fn beyond_chance(
        &self,
        region: &Region<R>,
        codes: &[u32],
        found: Candidate,
    ) -> Option<Candidate> {
        let (labels, _) = distinct(region.rows.iter().map(|&row| codes[row as usize]));
        let whole = self.response.spread(&region.whole);
        let weight = self.response.weight(&region.whole);
        let named = found.shares.len() - 1;
        let chance = named as f64 * any_of::gain_by_chance(whole, weight, labels);
        (whole - found.spread > chance).then_some(Candidate { chance, ..found })
    }

    /// The sum of the spreads of branches and the branches' shares of the decided weight; `None` if
    /// a branch is too light.
    fn divided(
        &self,
        region: &Region<R>,
        branches: impl Iterator<Item = u8>,
        count: usize,
        least: f64,
    ) -> Option<(f64, Vec<f64>)> {
        let mut sums = vec![self.response.empty(); count];
        let mut undecided = None;
        for (place, branch) in branches.enumerate() {
            let sum = match branch {
                UNDECIDED => undecided.get_or_insert_with(|| self.response.empty()),
                branch => &mut sums[branch as usize],
            };
            let weight = region.weight(place);
            self.response.add(sum, &region.local, place, weight);
        }
        self.spreads_of(&sums, undecided.as_ref(), least)
    }

    /// As [`divided`](Self::divided), of branches summed up.
    fn spreads_of(
        &self,
        sums: &[R::Summary],
        undecided: Option<&R::Summary>,
        least: f64,
    ) -> Option<(f64, Vec<f64>)> {
        let weights: Vec<f64> = sums.iter().map(|sum| self.response.weight(sum)).collect();
        if sums.iter().any(|sum| self.response.rows(sum) < least) {
            return None;
        }
        let total: f64 = weights.iter().sum();
        let shares: Vec<f64> = weights.iter().map(|weight| weight / total).collect();
        let passed = self.rules.passed(&shares);
        let shares = match undecided.filter(|_| self.rules.together) {
            // What goes into a branch as a whole counts there.
            Some(undecided) => {
                let more = self.response.weight(undecided);
                let weights = weights.iter().zip(&passed);
                let all = weights.map(|(weight, part)| (weight + part * more) / (total + more));
                all.collect()
            }
            None => shares,
        };
        let spread = |(sum, share): (&R::Summary, f64)| match undecided {
            Some(undecided) if share > 0.0 => {
                let mut joined = sum.clone();
                self.response.join(&mut joined, undecided, share);
                self.response.spread(&joined)
            }
            _ => self.response.spread(sum),
        };
        Some((sums.iter().zip(passed).map(spread).sum(), shares))
    }

    /// The sum of the spreads of two branches, the undecided examples divided among them by the
    /// branches' weights; and the branches' shares of the decided weight.
    fn spreads(
        &self,
        branches: [&R::Summary; 2],
        undecided: Option<&R::Summary>,
    ) -> (f64, [f64; 2]) {
        let weights = branches.map(|branch| self.response.weight(branch));
        let total = weights[0] + weights[1];
        let shares = weights.map(|weight| weight / total);
        let passed = match (self.rules.together, shares[0] >= shares[1]) {
            (false, _) => shares,
            (true, true) => [1.0, 0.0],
            (true, false) => [0.0, 1.0],
        };
        let spread = |branch: usize| match undecided {
            None => self.response.spread(branches[branch]),
            Some(undecided) => {
                let mut joined = branches[branch].clone();
                self.response.join(&mut joined, undecided, passed[branch]);
                self.response.spread(&joined)
            }
        };
        let sum = spread(0) + spread(1);
        let shares = match undecided.filter(|_| self.rules.together) {
            Some(undecided) => {
                let more = self.response.weight(undecided);
                [0, 1].map(|branch| (weights[branch] + passed[branch] * more) / (total + more))
            }
            None => shares,
        };
        (sum, shares)
    }
}
