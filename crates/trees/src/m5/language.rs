//! The language of model trees: a number above a threshold, or a label of the last in an order, cut
//! where the spread of the target falls most.

use rayon::prelude::*;
use smallvec::smallvec;

use super::cut::{ALIKE, Cut, Node as Sums};
use super::formula::{Feature, Test};
use crate::tree::hash::mixed;
use crate::tree::language::{Further, Language, Mentions, Routed, Vocabulary, Weighted};
use crate::tree::prune::routed_by;
use crate::tree::structure::Tree;
use crate::tree::{Answer, Answers};
use kinwood_learning::task::Task;

/// A node whose deviation is less than this share of the root's is not divided.
const EVEN: f64 = 0.05;
/// The least rows times inputs of a node that threads share.
const SHARED: usize = 20_000;

/// The rows to learn from.
pub struct Examples {
    /// By input and row.
    pub values: Vec<Vec<f64>>,
    /// By input, whether its values are ranks of labels.
    pub ranked: Vec<bool>,
    /// By input, where it stands in its table.
    pub positions: Vec<u32>,
    /// What is predicted.
    pub numbers: Vec<f64>,
    /// How much each row counts; those that do not are not learned from.
    pub weights: Vec<f64>,
}

impl Examples {
    /// Sums up rows.
    pub fn sums(&self, rows: &[u32]) -> Sums {
        Sums::new(rows.iter().map(|&row| {
            let row = row as usize;
            (self.numbers[row], self.weights[row])
        }))
    }

    /// The rows that count.
    pub fn counted(&self) -> Vec<u32> {
        let rows = 0..self.numbers.len() as u32;
        rows.filter(|&row| self.weights[row as usize] > 0.0)
            .collect()
    }
}

/// Tests on the columns of a task.
pub struct ModelTests<'a> {
    examples: &'a Examples,
    task: &'a Task,
    /// A node whose rows weigh less is not divided.
    leaf: f64,
    /// A node whose numbers deviate less is not divided.
    even: f64,
    /// What a test on each column costs, by its position in the table.
    costs: &'a [f64],
    /// Whether leaves answer by means.
    constant: bool,
}

/// The rows of a node, also in the order of each input.
pub struct Region {
    rows: Vec<u32>,
    sorted: Vec<Vec<u32>>,
    sums: Sums,
}

/// The best cut of an input.
#[derive(Clone)]
pub struct Candidate {
    test: Test,
    gain: f64,
    squares: f64,
    /// The share of the weight where the test holds.
    share: f64,
}

impl<'a> ModelTests<'a> {
    /// Tests over examples.
    pub fn new(
        examples: &'a Examples,
        task: &'a Task,
        leaf: f64,
        costs: &'a [f64],
        constant: bool,
    ) -> Self {
        Self {
            examples,
            task,
            leaf,
            even: EVEN * examples.sums(&examples.counted()).deviation(),
            costs,
            constant,
        }
    }

    fn region(&self, rows: Vec<u32>, sorted: Vec<Vec<u32>>) -> Region {
        let sums = self.examples.sums(&rows);
        Region { rows, sorted, sums }
    }

    fn divisible_sums(&self, sums: &Sums) -> bool {
        sums.weight() >= self.leaf && sums.deviation() >= self.even
    }

    /// The best cut of an input, if any leaves enough rows on both sides.
    fn cut(&self, region: &Region, input: usize) -> Option<Candidate> {
        let Examples {
            values,
            ranked,
            numbers,
            weights,
            ..
        } = self.examples;
        let rows = region.sorted[input].iter().map(|&row| {
            let row = row as usize;
            (values[input][row], numbers[row], weights[row])
        });
        let Cut {
            gain,
            between: (below, above),
            below: lower,
            squares,
        } = region.sums.best(rows, ranked[input])?;
        let feature = |from| Feature {
            input: input as u32,
            from,
        };
        let test = match ranked[input] {
            // Of ranks that nobody has in between, the first asks for most labels.
            true => Test {
                feature: feature(Some(below as u32 + 1)),
                threshold: 0.5,
            },
            false => {
                let middle = below / 2.0 + above / 2.0;
                Test {
                    feature: feature(None),
                    // Of neighbours among doubles the middle is one.
                    threshold: if middle < above { middle } else { below },
                }
            }
        };
        Some(Candidate {
            test,
            gain,
            squares,
            share: (region.sums.weight() - lower) / region.sums.weight(),
        })
    }

    fn holds(&self, test: Test, row: u32) -> bool {
        let values = &self.examples.values[test.feature.input as usize];
        test.feature.of(values[row as usize]) > test.threshold
    }

    fn halves(&self, rows: &[u32], test: Test) -> [Vec<u32>; 2] {
        let (yes, no) = rows.iter().partition(|&&row| self.holds(test, row));
        [yes, no]
    }

    fn answers_to(&self, sums: &Sums) -> Answers {
        let answer = Answer::number(sums.weight(), sums.mean(), sums.squares());
        Answers {
            weight: sums.weight(),
            targets: vec![answer],
        }
    }

    /// A given test, if it divides a region at all.
    fn weighed(&self, region: &Region, test: Test) -> Option<Candidate> {
        let [yes, no] = self.halves(&region.rows, test);
        if yes.is_empty() || no.is_empty() {
            return None;
        }
        let [yes, no] = [yes, no].map(|rows| self.examples.sums(&rows));
        let weight = region.sums.weight();
        let spread = (yes.weight() * yes.spread + no.weight() * no.spread) / weight;
        Some(Candidate {
            test,
            gain: region.sums.spread - spread,
            squares: yes.squares() + no.squares(),
            share: yes.weight() / weight,
        })
    }
}

impl Vocabulary for ModelTests<'_> {
    type Test = Test;
    type Path = ();

    fn after(&self, _: &(), _: &Test, _: usize) {}

    fn mentioned(&self, _: &(), test: &Test) -> Mentions {
        smallvec![self.examples.positions[test.feature.input as usize]]
    }

    fn cost(&self, mentions: &[u32]) -> f64 {
        let cost = |&column: &u32| self.costs.get(column as usize).copied().unwrap_or(0.0);
        mentions.iter().map(cost).sum()
    }
}

impl Language for ModelTests<'_> {
    type Region = Region;
    type Candidate = Candidate;

    const ANYWHERE: bool = true;
    const RAISES: bool = true;

    fn task(&self) -> &Task {
        self.task
    }

    fn row_weight(&self, row: u32) -> f64 {
        self.examples.weights[row as usize]
    }

    fn root(&self, rows: Option<Vec<u32>>) -> Region {
        let rows = rows.unwrap_or_else(|| self.examples.counted());
        let sorted = self.examples.values.par_iter().map(|values| {
            let mut sorted = rows.clone();
            sorted.sort_by(|&a, &b| values[a as usize].total_cmp(&values[b as usize]));
            sorted
        });
        let sorted = sorted.collect();
        self.region(rows, sorted)
    }

    fn shared(&self, root: Region, _: usize) -> Region {
        root
    }

    fn rows<'r>(&self, region: &'r Region) -> &'r [u32] {
        &region.rows
    }

    fn example_weight(&self, region: &Region, place: usize) -> f64 {
        self.row_weight(region.rows[place])
    }

    fn weights(&self, region: &Region) -> Option<Vec<f64>> {
        let rows = region.rows.iter();
        Some(rows.map(|&row| self.row_weight(row)).collect())
    }

    fn weight(&self, region: &Region) -> f64 {
        region.sums.weight()
    }

    fn impurity(&self, region: &Region) -> f64 {
        region.sums.squares()
    }

    fn answers(&self, region: &Region) -> Answers {
        self.answers_to(&region.sums)
    }

    fn impurity_behind(&self, answers: &Answers) -> f64 {
        answers.targets.iter().map(Answer::squares).sum()
    }

    fn answers_of(&self, rows: &[Weighted]) -> Answers {
        let sums = Sums::new(rows.iter().map(|&(row, weight)| {
            let number = self.examples.numbers[row as usize];
            (number, weight)
        }));
        self.answers_to(&sums)
    }

    fn large(&self, region: &Region) -> bool {
        self.work(region) >= SHARED
    }

    fn work(&self, region: &Region) -> usize {
        region.rows.len() * self.examples.values.len()
    }

    fn mixes(&self) -> bool {
        false
    }

    fn most_branches(&self) -> usize {
        2
    }

    fn divides_by_thresholds(&self, column: u32) -> Result<(), &'static str> {
        let mut inputs = self.examples.positions.iter().zip(&self.examples.ranked);
        match inputs.find(|(position, _)| **position == column) {
            _ if !self.constant => Err("a tree of constants: formulas may rise and fall"),
            Some((_, false)) => Ok(()),
            _ => Err("a number or a date: labels have no order"),
        }
    }

    fn divisible(&self, region: &Region) -> bool {
        self.divisible_sums(&region.sums)
    }

    fn candidates(&self, region: &Region) -> Vec<Candidate> {
        let inputs = 0..self.examples.values.len();
        let cut = |input| self.cut(region, input);
        match self.large(region) {
            true => inputs.into_par_iter().filter_map(cut).collect(),
            false => inputs.filter_map(cut).collect(),
        }
    }

    fn refinements(&self, region: &Region) -> Vec<Candidate> {
        match self.divisible(region) {
            true => self.candidates(region),
            false => Vec::new(),
        }
    }

    /// The test that lets the spread fall most, the first of equals.
    fn best(&self, region: &Region, candidates: &[Candidate]) -> Option<(usize, f64)> {
        let margin = ALIKE * region.sums.spread;
        let best = (0..candidates.len()).reduce(|best, next| {
            match candidates[next].gain > candidates[best].gain + margin {
                true => next,
                false => best,
            }
        })?;
        Some((best, candidates[best].gain * region.sums.weight()))
    }

    fn given(&self, region: &Region, column: u32, test: Option<&Test>) -> Option<Candidate> {
        match test {
            Some(test) => self.weighed(region, *test),
            None => {
                let mut positions = self.examples.positions.iter();
                let input = positions.position(|position| *position == column)?;
                self.cut(region, input)
            }
        }
    }

    fn test(&self, candidate: &Candidate) -> Test {
        candidate.test
    }

    fn identity(&self, candidate: &Candidate) -> u128 {
        let Test { feature, threshold } = candidate.test;
        let from = feature.from.map_or(0, |from| u128::from(from) + 1);
        let start = mixed(mixed(13, u128::from(feature.input)), from);
        mixed(start, u128::from(threshold.to_bits()))
    }

    fn impurity_after(&self, candidate: &Candidate) -> f64 {
        candidate.squares
    }

    fn branches(&self, _: &Candidate) -> usize {
        2
    }

    fn shares(&self, candidate: &Candidate) -> Vec<f64> {
        vec![candidate.share, 1.0 - candidate.share]
    }

    fn lightest(&self, region: &Region, candidate: &Candidate) -> f64 {
        region.sums.weight() * candidate.share.min(1.0 - candidate.share)
    }

    fn mentions(&self, _: &Region, candidate: &Candidate) -> Mentions {
        self.mentioned(&(), &candidate.test)
    }

    fn divide(
        &self,
        region: Region,
        candidate: &Candidate,
        _: &dyn Fn(usize) -> Further,
    ) -> Vec<Region> {
        self.children(&region, candidate)
    }

    fn children(&self, region: &Region, candidate: &Candidate) -> Vec<Region> {
        let halves = |rows: &Vec<u32>| self.halves(rows, candidate.test);
        let sorted: Vec<[Vec<u32>; 2]> = match self.large(region) {
            true => region.sorted.par_iter().map(halves).collect(),
            false => region.sorted.iter().map(halves).collect(),
        };
        let (first, second) = sorted.into_iter().map(|[yes, no]| (yes, no)).unzip();
        let [yes, no] = halves(&region.rows);
        vec![self.region(yes, first), self.region(no, second)]
    }

    fn parts(&self, region: &Region, candidate: &Candidate) -> Vec<Region> {
        let halves = self.halves(&region.rows, candidate.test).into_iter();
        halves.map(|rows| self.region(rows, Vec::new())).collect()
    }

    fn branch(&self, test: &Test, row: u32) -> Option<usize> {
        Some(usize::from(!self.holds(*test, row)))
    }

    fn route<P>(&self, tree: &Tree<Test, P>, rows: Vec<Weighted>, anew: bool) -> Routed {
        routed_by(tree, rows, anew, &|test, row| self.branch(test, row))
    }
}
