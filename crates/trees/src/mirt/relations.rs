//! The language of tests over a database: tables, their columns and the keys between them.
//!
//! Constraints speak of tables and columns alike: a table is mentioned by each test that follows a
//! key to it, a column by each that puts a condition on it.

use kinwood_learning::task::Task;
use smallvec::SmallVec;

use super::bags::Bags;
use super::propose::{Candidate, LEAST_GAIN, Problem, best};
use super::region::RelationalRegion;
use super::terms::Terms;
use super::test::{Step, Test};
use crate::tree::constraint::{Input, TestReach};
use crate::tree::heuristic::{Heuristic, Worth};
use crate::tree::language::{Further, Language, Mentions, Routed, Vocabulary, Weighted};
use crate::tree::response::Answers;
use crate::tree::response::Response;
use crate::tree::structure::Tree;

/// When a node is not divided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// It has no more objects than this.
    pub objects: f64,
    /// More than this of the spread is explained by its mean.
    pub determined: f64,
}

/// Tests over a database.
pub struct Relations<'a, R> {
    /// Inputs, targets and rules.
    pub problem: &'a Problem<'a, R>,
    /// The task.
    pub task: &'a Task,
    /// How much each object counts.
    pub weights: &'a [f64],
    /// When to stop.
    pub stop: Stop,
    /// What makes a test good; `None` for the fall of the spread, as the paper has it.
    pub heuristic: Option<Heuristic>,
    /// What is stated that a test on a table or column costs, by its position.
    pub costs: &'a [Option<f64>],
}

/// One test follows keys to tables and looks at a column there; it holds or not.
pub const TEST_REACH: TestReach = TestReach {
    several: true,
    branches: 2,
};

/// The tables and columns that constraints may speak of: a table by its name, a column by
/// `table.column` and, where only one table has such a column, by its name alone.
pub fn attributes(terms: &Terms) -> Vec<Input> {
    let input = |position: usize, name: String| Input {
        position: position as u32,
        name,
        labels: None,
        tested: true,
    };
    let tables = terms.tables.iter().enumerate();
    let mut inputs: Vec<Input> = tables
        .map(|(place, table)| input(place, table.name.clone()))
        .collect();
    let columns: Vec<(&str, &str)> = terms
        .tables
        .iter()
        .flat_map(|table| {
            let columns = table.columns.iter();
            columns.map(|column| (table.name.as_str(), column.name.as_str()))
        })
        .collect();
    let first = inputs.len();
    let placed = || (first..).zip(&columns);
    inputs
        .extend(placed().map(|(place, (table, column))| input(place, format!("{table}.{column}"))));
    let alone = placed().filter(|(_, (_, column))| {
        let alike = columns.iter().filter(|(_, other)| other == column);
        alike.count() == 1 && terms.tables.iter().all(|table| table.name != *column)
    });
    inputs.extend(alone.map(|(place, (_, column))| input(place, (*column).to_owned())));
    inputs
}

impl<R: Response> Relations<'_, R> {
    fn terms(&self) -> &Terms {
        self.problem.terms
    }

    fn region(&self, objects: Vec<u32>, weights: Vec<f64>) -> RelationalRegion<R> {
        let bags = Bags::new(self.problem.values.view(), objects);
        RelationalRegion::new(bags, weights, self.problem.response)
    }

    /// The root of a sample of a forest: an object counts as often as it was drawn.
    pub fn sampled(&self, tree: usize, counts: &[u32]) -> RelationalRegion<R> {
        let drawn = (0u32..).zip(counts).filter(|(_, count)| **count > 0);
        let (objects, weights) = drawn
            .map(|(object, &count)| (object, f64::from(count) * self.weights[object as usize]))
            .unzip();
        let mut region = self.region(objects, weights);
        region.tree = tree as u32;
        region
    }

    /// The candidates of a region that gain something.
    fn gaining(&self, region: &RelationalRegion<R>) -> Vec<Candidate> {
        let before = self.impurity(region);
        let mut candidates = self.problem.candidates(region);
        candidates.retain(|own| before - own.corrected() > LEAST_GAIN * before);
        candidates
    }
}

impl<R: Response> Vocabulary for Relations<'_, R> {
    type Test = Test;
    type Path = Vec<Step>;

    fn after(&self, path: &Vec<Step>, test: &Test, branch: usize) -> Vec<Step> {
        // Only where the test holds do its keys lead further.
        match branch {
            0 => path.iter().chain(&test.steps).copied().collect(),
            _ => path.clone(),
        }
    }

    fn mentioned(&self, path: &Vec<Step>, test: &Test) -> Mentions {
        mentions(self.terms(), path, test)
    }

    /// What the column costs, 1 by default, and what is stated of the tables; a test that looks at
    /// tables alone costs 1 unless something is stated of them.
    fn cost(&self, mentions: &[u32]) -> f64 {
        let stated = |place: u32| self.costs.get(place as usize).copied().flatten();
        let tables = self.terms().tables.len();
        let (tables, columns): (Vec<u32>, Vec<u32>) = mentions
            .iter()
            .partition(|&&place| (place as usize) < tables);
        let of_tables: Vec<f64> = tables.into_iter().filter_map(stated).collect();
        match columns.as_slice() {
            [] if of_tables.is_empty() => 1.0,
            columns => {
                let of_columns = columns.iter().map(|&place| stated(place).unwrap_or(1.0));
                of_columns.chain(of_tables).sum()
            }
        }
    }
}

/// The tables and columns that a test looks at after these steps, by their positions.
pub fn mentions(terms: &Terms, path: &[Step], test: &Test) -> Mentions {
    let steps: SmallVec<[Step; 8]> = path.iter().chain(&test.steps).copied().collect();
    let reached = test.steps.iter().map(|&step| terms.reached(step) as u32);
    let mut mentions: Mentions = reached.collect();
    if let Some(condition) = &test.condition {
        let table = terms.table_of(&steps, condition.occurrence());
        mentions.push(table as u32);
        if let Some(column) = condition.column() {
            let before: usize = terms.tables[..table]
                .iter()
                .map(|table| table.columns.len())
                .sum();
            mentions.push((terms.tables.len() + before) as u32 + column);
        }
    }
    mentions.sort_unstable();
    mentions.dedup();
    mentions
}

impl<R: Response> Language for Relations<'_, R> {
    type Region = RelationalRegion<R>;
    type Candidate = Candidate;

    const ANYWHERE: bool = false;
    const RAISES: bool = false;

    fn task(&self) -> &Task {
        self.task
    }

    fn row_weight(&self, row: u32) -> f64 {
        self.weights[row as usize]
    }

    fn root(&self, rows: Option<Vec<u32>>) -> Self::Region {
        let rows = rows.unwrap_or_else(|| (0..self.weights.len() as u32).collect());
        let weights = rows.iter().map(|&row| self.row_weight(row)).collect();
        self.region(rows, weights)
    }

    fn shared(&self, root: Self::Region, _: usize) -> Self::Region {
        root.without_bags()
    }

    fn rows<'r>(&self, region: &'r Self::Region) -> &'r [u32] {
        &region.objects
    }

    fn example_weight(&self, region: &Self::Region, place: usize) -> f64 {
        region.weight(place)
    }

    fn weights(&self, region: &Self::Region) -> Option<Vec<f64>> {
        Some(region.weights.clone())
    }

    fn weight(&self, region: &Self::Region) -> f64 {
        self.problem.response.weight(&region.whole)
    }

    fn impurity(&self, region: &Self::Region) -> f64 {
        self.problem.response.spread(&region.whole)
    }

    fn answers(&self, region: &Self::Region) -> Answers {
        Answers {
            weight: self.weight(region),
            targets: self.problem.response.answers(&region.examples()),
        }
    }

    fn impurity_behind(&self, answers: &Answers) -> f64 {
        self.problem.response.spread_behind(answers)
    }

    fn answers_of(&self, rows: &[Weighted]) -> Answers {
        let (objects, weights) = rows.iter().copied().unzip();
        self.answers(&self.region(objects, weights))
    }

    fn large(&self, _: &Self::Region) -> bool {
        // Threads share the tests of every node.
        true
    }

    fn work(&self, _: &Self::Region) -> usize {
        usize::MAX >> 16
    }

    fn mixes(&self) -> bool {
        false
    }

    fn most_branches(&self) -> usize {
        2
    }

    fn divides_by_thresholds(&self, _: u32) -> Result<(), &'static str> {
        Err("a column of a single table: tests that follow keys cannot keep to it")
    }

    fn divisible(&self, region: &Self::Region) -> bool {
        let response = self.problem.response;
        region.objects.len() as f64 > self.stop.objects
            && response.determined(&region.whole) <= self.stop.determined
            && !response.is_pure(&region.whole)
    }

    fn candidates(&self, region: &Self::Region) -> Vec<Candidate> {
        self.gaining(region)
    }

    fn refinements(&self, region: &Self::Region) -> Vec<Candidate> {
        if !self.divisible(region) {
            return Vec::new();
        }
        // Of tests that divide alike the first, which follows the fewest keys: the others would
        // fill the beam with its likes.
        let mut seen: std::collections::BTreeSet<(u64, u64)> = Default::default();
        let mut candidates = self.gaining(region);
        candidates.retain(|candidate| {
            let score = (candidate.score * (1u64 << 40) as f64).round();
            seen.insert((score.to_bits(), candidate.lighter.to_bits()))
        });
        candidates
    }

    fn best(&self, region: &Self::Region, candidates: &[Candidate]) -> Option<(usize, f64)> {
        let before = self.impurity(region);
        let Some(heuristic) = self.heuristic else {
            let best = best(candidates)?;
            return Some((best, before - candidates[best].corrected()));
        };
        let worth = candidates.iter().map(|candidate| Worth {
            gain: before - candidate.corrected(),
            shares: &candidate.shares,
        });
        let slack = 1e-12 * before;
        heuristic.best(worth, LEAST_GAIN * before, slack, self.weight(region))
    }

    fn given(&self, region: &Self::Region, column: u32, test: Option<&Test>) -> Option<Candidate> {
        match test {
            None => {
                let mut candidates = self.gaining(region);
                candidates.retain(|own| self.mentions(region, own).contains(&column));
                let best = self.best(region, &candidates)?.0;
                Some(candidates.swap_remove(best))
            }
            Some(test) => {
                let response = self.problem.response;
                let parts = region.divide(self.problem.values, test, response);
                let [yes, no] = parts.each_ref().map(|part| response.weight(&part.whole));
                (yes > 0.0 && no > 0.0).then(|| Candidate {
                    test: test.clone(),
                    score: parts.iter().map(|part| self.impurity(part)).sum(),
                    lighter: yes.min(no),
                    shares: [yes, no].map(|weight| weight / (yes + no)),
                    chance: 0.0,
                })
            }
        }
    }

    fn test(&self, candidate: &Candidate) -> Test {
        candidate.test.clone()
    }

    fn identity(&self, candidate: &Candidate) -> u128 {
        candidate.test.identity()
    }

    fn impurity_after(&self, candidate: &Candidate) -> f64 {
        candidate.corrected()
    }

    fn branches(&self, _: &Candidate) -> usize {
        2
    }

    fn shares(&self, candidate: &Candidate) -> Vec<f64> {
        candidate.shares.to_vec()
    }

    fn lightest(&self, _: &Self::Region, candidate: &Candidate) -> f64 {
        candidate.lighter
    }

    fn mentions(&self, region: &Self::Region, candidate: &Candidate) -> Mentions {
        mentions(self.terms(), &region.steps, &candidate.test)
    }

    fn divide(
        &self,
        region: Self::Region,
        candidate: &Candidate,
        _: &dyn Fn(usize) -> Further,
    ) -> Vec<Self::Region> {
        self.children(&region, candidate)
    }

    fn children(&self, region: &Self::Region, candidate: &Candidate) -> Vec<Self::Region> {
        let Problem {
            values, response, ..
        } = self.problem;
        region.divide(values, &candidate.test, response).into()
    }

    fn parts(&self, region: &Self::Region, candidate: &Candidate) -> Vec<Self::Region> {
        self.children(region, candidate)
    }

    fn branch(&self, _: &Test, _: u32) -> Option<usize> {
        unreachable!("tests refer to those above them: no subtree is raised")
    }

    fn route<P>(&self, tree: &Tree<Test, P>, rows: Vec<Weighted>, _: bool) -> Routed {
        let mut routed = Routed {
            rows: vec![Vec::new(); tree.size()],
            shares: vec![Vec::new(); tree.size()],
        };
        // Bags want objects that rise.
        let mut rows = rows;
        rows.sort_unstable_by_key(|row| row.0);
        let (objects, weights) = rows.into_iter().unzip();
        let mut pending = vec![(0u32, self.region(objects, weights))];
        while let Some((node, region)) = pending.pop() {
            let objects = region.objects.iter().copied();
            routed.rows[node as usize] = objects.zip(region.weights.iter().copied()).collect();
            let Some(split) = &tree.node(node).split else {
                continue;
            };
            let Problem {
                values, response, ..
            } = self.problem;
            let parts = region.divide(values, &split.test, response);
            let weights = parts
                .each_ref()
                .map(|part| part.weights.iter().sum::<f64>());
            let total = (weights[0] + weights[1]).max(f64::MIN_POSITIVE);
            routed.shares[node as usize] = weights.map(|weight| weight / total).to_vec();
            for (&child, part) in split.children.iter().zip(parts).rev() {
                pending.push((child, part));
            }
        }
        routed
    }
}
