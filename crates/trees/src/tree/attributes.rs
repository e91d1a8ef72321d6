//! The language of tests on columns: thresholds, subsets of labels, and prototypes.

use std::sync::{Mutex, PoisonError};

use kinwood_learning::task::Task;
use smallvec::smallvec;

use super::columns::{Input, Values};
use super::division::{Candidate, Division};
use super::hash::mixed;
use super::heuristic::{Heuristic, Worth};
use super::language::{Further, Language, Mentions, Narrowed, Routed, Vocabulary, Weighted};
use super::list_cache::{HeldLists, ListCache};
use super::presort::{Entry, picked};
use super::propose::{LEAST_GAIN, Problem};
use super::prune::routed_by;
use super::region::{Lists, Region};
use super::response::Answers;
use super::response::Response;
use super::structure::Tree;
use super::test::Test;

/// Tests on the columns of a task, with what they cost.
pub struct Attributes<'a, 'p, R: Response> {
    /// The inputs, the response and the rules.
    pub problem: &'a Problem<'p, R>,
    /// What makes a test good.
    pub heuristic: Heuristic,
    /// What a test on each column costs, by its position in the table; nothing past the end.
    pub costs: &'a [f64],
    task: &'a Task,
    /// The weights of the rows, if not all are the same or whole.
    weights: Option<Vec<f64>>,
    /// The lists of the root, until they are first used.
    lists: Mutex<Option<Lists>>,
}

/// The examples of a node with their lists in order.
pub struct AttributeRegion<R: Response> {
    /// The examples.
    pub examples: Region<R>,
    lists: HeldLists,
}

impl<R: Response> AttributeRegion<R> {
    /// Examples with lists of their own.
    pub fn new(examples: Region<R>, lists: Lists) -> Self {
        Self {
            examples,
            lists: HeldLists::Own(lists),
        }
    }
}

impl<'a, 'p, R: Response> Attributes<'a, 'p, R> {
    /// The language of a problem whose rows have these weights, with the lists of the root.
    pub fn new(
        problem: &'a Problem<'p, R>,
        task: &'a Task,
        weights: Option<Vec<f64>>,
        lists: Lists,
        heuristic: Heuristic,
        costs: &'a [f64],
    ) -> Self {
        Self {
            problem,
            heuristic,
            costs,
            task,
            weights,
            lists: Mutex::new(Some(lists)),
        }
    }

    fn response(&self) -> &R {
        &self.problem.response
    }

    fn divisible_sums(&self, summary: &R::Summary) -> bool {
        let weight = self.response().weight(summary);
        self.response().rows(summary) >= 2.0 * self.problem.rules.least
            && self.response().spread(summary) > LEAST_GAIN * weight
    }

    fn answers_to(&self, examples: &Region<R>) -> Answers {
        Answers {
            weight: self.response().weight(&examples.whole),
            targets: self.response().answers(&examples.examples()),
        }
    }

    fn some_rows(&self, rows: Vec<u32>) -> (Region<R>, Lists) {
        let mut places = vec![u32::MAX; self.task.view().len()];
        for (place, &row) in rows.iter().enumerate() {
            places[row as usize] = place as u32;
        }
        let inside = |row: usize| Some(places[row]).filter(|place| *place != u32::MAX);
        let lists = self.problem.inputs.sorted_again();
        let lists = lists.iter().map(|list| picked(list, inside)).collect();
        let weights = self
            .weights
            .as_ref()
            .map(|weights| rows.iter().map(|&row| weights[row as usize]).collect());
        (self.region(rows, weights), lists)
    }

    fn region(&self, rows: Vec<u32>, weights: Option<Vec<f64>>) -> Region<R> {
        Region::new(rows, weights, self.response(), self.problem.inputs.layout)
    }
}

impl<R: Response> Vocabulary for Attributes<'_, '_, R> {
    type Test = Test;
    type Path = ();

    fn after(&self, _: &(), _: &Test, _: usize) {}

    fn mentioned(&self, _: &(), test: &Test) -> Mentions {
        smallvec![test.column()]
    }

    fn cost(&self, mentions: &[u32]) -> f64 {
        let cost = |&column: &u32| self.costs.get(column as usize).copied().unwrap_or(0.0);
        mentions.iter().map(cost).sum()
    }

    fn narrowed(&self, test: &Test, branch: usize) -> Narrowed {
        match (test, branch) {
            (Test::Above { column, threshold }, 0) => Narrowed::Above(*column, *threshold),
            (Test::Above { column, threshold }, _) => Narrowed::AtMost(*column, *threshold),
            (Test::Among { column, values }, branch) => {
                Narrowed::Among(*column, values.clone(), branch == 0)
            }
            (
                Test::Around { .. } | Test::Nearest { .. } | Test::Has { .. } | Test::Size { .. },
                _,
            ) => Narrowed::Unknown,
        }
    }
}

impl<R: Response> Language for Attributes<'_, '_, R> {
    type Region = AttributeRegion<R>;
    type Candidate = Candidate;

    const ANYWHERE: bool = true;
    const RAISES: bool = true;

    fn task(&self) -> &Task {
        self.task
    }

    fn row_weight(&self, row: u32) -> f64 {
        self.weights
            .as_ref()
            .map_or(1.0, |weights| weights[row as usize])
    }

    fn root(&self, rows: Option<Vec<u32>>) -> Self::Region {
        let (examples, lists) = match rows {
            Some(rows) => self.some_rows(rows),
            None => {
                let rows = (0..self.task.view().len() as u32).collect();
                let mut lists = self.lists.lock().unwrap_or_else(PoisonError::into_inner);
                // A further search sorts again rather than keeping a copy of everything beside the
                // first.
                let lists = lists.take();
                let lists = lists.unwrap_or_else(|| self.problem.inputs.sorted_again());
                (self.region(rows, self.weights.clone()), lists)
            }
        };
        AttributeRegion::new(examples, lists)
    }

    fn shared(&self, root: Self::Region, memory: usize) -> Self::Region {
        let AttributeRegion { examples, lists } = root;
        let lists = match lists {
            HeldLists::Own(lists) => HeldLists::root(ListCache::new(lists, examples.len(), memory)),
            cached => cached,
        };
        AttributeRegion { examples, lists }
    }

    fn rows<'r>(&self, region: &'r Self::Region) -> &'r [u32] {
        &region.examples.rows
    }

    fn example_weight(&self, region: &Self::Region, place: usize) -> f64 {
        region.examples.weight(place)
    }

    fn weights(&self, region: &Self::Region) -> Option<Vec<f64>> {
        region.examples.weights.clone()
    }

    fn weight(&self, region: &Self::Region) -> f64 {
        self.response().weight(&region.examples.whole)
    }

    fn impurity(&self, region: &Self::Region) -> f64 {
        self.response().spread(&region.examples.whole)
    }

    fn answers(&self, region: &Self::Region) -> Answers {
        self.answers_to(&region.examples)
    }

    fn impurity_behind(&self, answers: &Answers) -> f64 {
        self.response().spread_behind(answers)
    }

    fn answers_of(&self, rows: &[Weighted]) -> Answers {
        let weights = rows.iter().map(|row| row.1).collect();
        let rows = rows.iter().map(|row| row.0).collect();
        self.answers_to(&self.region(rows, Some(weights)))
    }

    fn large(&self, region: &Self::Region) -> bool {
        region.examples.large(self.problem.inputs.all.len())
    }

    fn work(&self, region: &Self::Region) -> usize {
        region.examples.len() * self.problem.inputs.all.len()
    }

    fn mixes(&self) -> bool {
        self.problem.inputs.gaps()
    }

    fn most_branches(&self) -> usize {
        let mut inputs = self.problem.inputs.all.iter();
        match inputs.any(Input::by_prototypes) {
            true => self.problem.rules.prototypes.most,
            false => 2,
        }
    }

    fn divides_by_thresholds(&self, column: u32) -> Result<(), &'static str> {
        let mut inputs = self.problem.inputs.all.iter();
        let input = inputs.find(|input| input.position == column);
        if input.is_some_and(|input| input.calendar.is_some()) {
            return Err(
                "a column that thresholds alone divide; of times structured=prototypes leaves months, weekdays and hours out",
            );
        }
        match input.map(|input| (&input.values, input.by_prototypes())) {
            Some((Values::Ordered(_) | Values::Ranked { .. }, false)) => Ok(()),
            Some((Values::Labels { .. }, _)) => Err("a number or a date: labels have no order"),
            _ => Err("a column that thresholds divide, not prototypes"),
        }
    }

    fn divisible(&self, region: &Self::Region) -> bool {
        self.divisible_sums(&region.examples.whole)
    }

    fn candidates(&self, region: &Self::Region) -> Vec<Candidate> {
        let lists = region.lists.of(&region.examples.rows);
        self.problem.candidates(&region.examples, &lists)
    }

    fn refinements(&self, region: &Self::Region) -> Vec<Candidate> {
        // A tree that divides what is alike is worse than the one that does not, but it is one.
        if self.response().rows(&region.examples.whole) < 2.0 * self.problem.rules.least {
            return Vec::new();
        }
        let mut candidates = self.candidates(region);
        // One that chance explains is none: a beam would be filled with such.
        let whole = self.impurity(region);
        candidates.retain(|own| own.chance == 0.0 || whole - own.spread > own.chance);
        candidates
    }

    fn every(&self, region: &Self::Region) -> Vec<Candidate> {
        if self.response().rows(&region.examples.whole) < 2.0 * self.problem.rules.least {
            return Vec::new();
        }
        let lists = region.lists.of(&region.examples.rows);
        let mut every = self.problem.every(&region.examples, &lists);
        // What is proposed, not counted, is what a beam weighs.
        let whole = self.impurity(region);
        every.retain(|own| own.chance == 0.0 || whole - own.spread > own.chance);
        every
    }

    fn best(&self, region: &Self::Region, candidates: &[Candidate]) -> Option<(usize, f64)> {
        let (whole, weight) = (self.impurity(region), self.weight(region));
        let worth = candidates.iter().map(|candidate| Worth {
            gain: whole - candidate.spread - candidate.chance,
            shares: &candidate.shares,
        });
        let least = match self.problem.rules.always {
            true => f64::NEG_INFINITY,
            false => LEAST_GAIN * weight,
        };
        self.heuristic
            .best(worth, least, self.response().slack(), weight)
    }

    fn given(&self, region: &Self::Region, column: u32, test: Option<&Test>) -> Option<Candidate> {
        let lists = region.lists.of(&region.examples.rows);
        self.problem
            .sketched(&region.examples, &lists, column, test)
    }

    fn test(&self, candidate: &Candidate) -> Test {
        candidate.test(&self.problem.inputs)
    }

    fn identity(&self, candidate: &Candidate) -> u128 {
        let start = mixed(7, candidate.input as u128);
        let number = |hash: u128, number: f64| mixed(hash, u128::from(number.to_bits()));
        let code = |hash: u128, code: &u32| mixed(hash, u128::from(*code));
        match &candidate.division {
            Division::Above { threshold, .. } => number(start, *threshold),
            Division::Among { values } => values.iter().fold(start, code),
            Division::Around(cells) => {
                let numbers = cells.prototypes.iter().chain(&cells.bounds);
                numbers.fold(start, |hash, &bound| number(hash, bound))
            }
            Division::Nearest(nearest) => {
                let start = match nearest.measure {
                    0 => start,
                    measure => mixed(start, u128::from(measure)),
                };
                nearest.prototypes.iter().fold(start, code)
            }
            Division::Has(items) => items.iter().fold(mixed(start, 1), code),
            Division::Size(least) => code(mixed(start, 2), least),
        }
    }

    fn impurity_after(&self, candidate: &Candidate) -> f64 {
        candidate.spread + candidate.chance
    }

    fn branches(&self, candidate: &Candidate) -> usize {
        candidate.shares.len()
    }

    fn shares(&self, candidate: &Candidate) -> Vec<f64> {
        self.problem.rules.passed(&candidate.shares)
    }

    fn lightest(&self, region: &Self::Region, candidate: &Candidate) -> f64 {
        let shares = candidate.shares.iter().copied();
        self.weight(region) * shares.fold(f64::INFINITY, f64::min)
    }

    fn mentions(&self, _: &Self::Region, candidate: &Candidate) -> Mentions {
        smallvec![self.problem.inputs.all[candidate.input].position]
    }

    fn divide(
        &self,
        region: Self::Region,
        candidate: &Candidate,
        further: &dyn Fn(usize) -> Further,
    ) -> Vec<Self::Region> {
        let HeldLists::Own(lists) = region.lists else {
            return self.children(&region, candidate);
        };
        let (examples, inputs) = (region.examples, &self.problem.inputs);
        let branches = examples.branches(&lists, inputs, candidate);
        let wanted = |branch: usize, summary: &R::Summary| match further(branch) {
            Further::Never => false,
            Further::IfDivisible => self.divisible_sums(summary),
            Further::Always => true,
        };
        let shares = self.shares(candidate);
        let children = examples.divide(lists, &branches, &shares, self.response(), wanted);
        let child = |(examples, lists)| AttributeRegion::new(examples, lists);
        children.into_iter().map(child).collect()
    }

    fn children(&self, region: &Self::Region, candidate: &Candidate) -> Vec<Self::Region> {
        let AttributeRegion { examples, lists } = region;
        let own = lists.of(&examples.rows);
        let branches = examples.branches(&own, &self.problem.inputs, candidate);
        let lent: Vec<&Vec<Entry>> = own.iter().collect();
        let shares = self.shares(candidate);
        let children = examples.divide(lent, &branches, &shares, self.response(), |_, _| true);
        let child = |(examples, own)| AttributeRegion {
            examples,
            lists: lists.below(own),
        };
        children.into_iter().map(child).collect()
    }

    fn parts(&self, region: &Self::Region, candidate: &Candidate) -> Vec<Self::Region> {
        let examples = &region.examples;
        let lists = region.lists.of(&examples.rows);
        let branches = examples.branches(&lists, &self.problem.inputs, candidate);
        let none: Vec<Vec<Entry>> = Vec::new();
        let shares = self.shares(candidate);
        let parts = examples.divide(none, &branches, &shares, self.response(), |_, _| false);
        let part = |(examples, none)| AttributeRegion::new(examples, none);
        parts.into_iter().map(part).collect()
    }

    fn branch(&self, test: &Test, row: u32) -> Option<usize> {
        self.problem.inputs.branch(test, row)
    }

    fn route<P>(&self, tree: &Tree<Test, P>, rows: Vec<Weighted>, anew: bool) -> Routed {
        routed_by(tree, rows, anew, &|test, row| self.branch(test, row))
    }
}
