//! The tests that a node can be divided by, the best of each kind.
//!
//! What is tried: conditions on the occurrences of the path; one or two further keys, either way,
//! from any of them; and both at once, the condition being on what the keys lead to. A condition
//! that some row satisfies depends on an object's least or greatest value alone, so one sorted
//! sweep over the objects finds the best threshold; of thresholds that divide alike the smallest
//! (for `>=` the largest) stands.

mod contents;
mod sweep;

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::bags::{Bags, Kept, Slots};
use super::region::RelationalRegion;
use super::terms::{Kind, Terms};
use super::test::{Condition, Function, Is, MOST_OCCURRENCES, Step, Test};
use super::values::Values;
use crate::contents::calendar;
use crate::tree::propose::any_of::gain_by_chance;
use crate::tree::response::Response;
use kinwood_learning::random::Generator;
use sweep::{Cut, cut, subset};

/// Which tests are tried.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    /// The most keys that a test follows.
    pub keys: usize,
    /// Whether a test may follow keys and put a condition on what they lead to.
    pub combined: bool,
    /// Whether `X >= a` is tried besides `X <= a`.
    pub at_least: bool,
    /// Whether linked rows are counted.
    pub counts: bool,
    /// Whether conditions on all rows are tried.
    pub every: bool,
    /// Whether the mean, least and greatest of linked rows are tested.
    pub aggregates: bool,
    /// The least weight on either side.
    pub leaf: f64,
    /// The most slots that following a key may make.
    pub most: usize,
    /// Whether tests on columns of many labels must gain more than chance.
    pub corrected: bool,
    /// The most items of a kind that tests on the contents of a column look at, in a node.
    pub items: usize,
    /// What is left to chance in a forest.
    pub chance: Option<Chance>,
}

/// What is left to chance.
#[derive(Clone, Debug, PartialEq)]
pub struct Chance {
    /// How many of the tests' subjects a node looks at, unless none of them divides it.
    pub subjects: Part,
    /// Whether thresholds and subsets are drawn rather than sought.
    pub tests: bool,
    /// From what random numbers are drawn.
    pub seed: u64,
}

/// A part of all there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The root of their number.
    Root,
    /// A third of them.
    Third,
    /// So many.
    Number(usize),
}

impl Part {
    /// How many that are, of so many; at least one.
    fn of(self, all: usize) -> usize {
        let part = match self {
            Part::Root => (all as f64).sqrt().round() as usize,
            Part::Third => all.div_ceil(3),
            Part::Number(number) => number.min(all),
        };
        part.max(1)
    }
}

/// What a test is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Subject {
    /// Whether the rows that keys lead to exist.
    Exists,
    /// How many rows an occurrence has.
    Count(u32),
    /// The values of a column of an occurrence.
    Column(u32, u32),
}

/// What tests are proposed from.
pub struct Problem<'a, R> {
    /// Tables and keys.
    pub terms: &'a Terms,
    /// Their values.
    pub values: &'a Values<'a>,
    /// The targets.
    pub response: &'a R,
    /// Which tests are tried.
    pub rules: &'a Rules,
    /// How often a key was not followed because it leads to too many rows.
    pub left_out: &'a AtomicU64,
}

/// A gain must be more than this part of the spread: rounding is less.
pub const LEAST_GAIN: f64 = 1e-9;

/// A test and how good it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The test.
    pub test: Test,
    /// The sum over both sides of weight times deviation (or variance): the less the better.
    pub score: f64,
    /// The weight of the lighter side.
    pub lighter: f64,
    /// The share of the weight on either side.
    pub shares: [f64; 2],
    /// What the best of as many tests as were tried gains by chance: it is taken from the gain.
    pub chance: f64,
}

impl Candidate {
    /// The score with what chance gains.
    pub fn corrected(&self) -> f64 {
        self.score + self.chance
    }
}

/// Keys that a test follows, with what they lead to.
struct Way {
    steps: Vec<Step>,
    extra: Vec<Slots>,
    kept: Kept,
}

impl<R: Response> Problem<'_, R> {
    /// The best test of each kind, in a fixed order; of what chance lets a node look at.
    pub fn candidates(&self, region: &RelationalRegion<R>) -> Vec<Candidate> {
        let bags = region.bags(self.values);
        let node = Node {
            problem: self,
            bags: &bags,
            region,
            whole: self.response.dividing(&region.whole),
        };
        let ways = node.ways();
        let Some(chance) = &self.rules.chance else {
            let all = |steps: &Vec<Step>| node.along(steps, &|_| true);
            let each: Vec<Vec<Candidate>> = ways.par_iter().map(all).collect();
            return each.into_iter().flatten().collect();
        };
        node.by_chance(&ways, chance)
    }
}

/// The best of candidates: the first of equals.
pub fn best(candidates: &[Candidate]) -> Option<usize> {
    (0..candidates.len()).reduce(|best, next| {
        let own = candidates[best].corrected();
        match candidates[next].corrected() < own - 1e-12 * own.abs() {
            true => next,
            false => best,
        }
    })
}

/// A node about to be divided.
struct Node<'p, 'a, R: Response> {
    problem: &'p Problem<'a, R>,
    bags: &'p Bags,
    region: &'p RelationalRegion<R>,
    whole: R::Summary,
}

impl<R: Response> Node<'_, '_, R> {
    /// The best tests of some subjects, drawn at random; more are drawn only while none of them
    /// gains anything.
    fn by_chance(&self, ways: &[Vec<Step>], chance: &Chance) -> Vec<Candidate> {
        let mut order: Vec<(usize, Subject)> = Vec::new();
        for (way, steps) in ways.iter().enumerate() {
            order.extend(
                self.subjects(steps)
                    .into_iter()
                    .map(|subject| (way, subject)),
            );
        }
        let looked_at = chance.subjects.of(order.len());
        self.random(chance, 0).shuffle(&mut order);
        let whole = self.problem.response.spread(&self.region.whole);
        let mut found: Vec<Candidate> = Vec::new();
        for part in order.chunks_mut(looked_at) {
            part.sort_unstable();
            for of_way in part.chunk_by(|a, b| a.0 == b.0) {
                let wanted = |subject: Subject| of_way.iter().any(|(_, own)| *own == subject);
                found.extend(self.along(&ways[of_way[0].0], &wanted));
            }
            let gains = |own: &Candidate| whole - own.corrected() > LEAST_GAIN * whole;
            if found.iter().any(gains) {
                break;
            }
        }
        found
    }

    /// The random numbers of the node for one purpose.
    fn random(&self, chance: &Chance, purpose: u64) -> Generator {
        let stream = [u64::from(self.region.tree), self.region.stream, purpose];
        Generator::new(chance.seed, &stream)
    }

    /// What tests that follow these keys can be about.
    fn subjects(&self, steps: &[Step]) -> Vec<Subject> {
        let own = self.bags.occurrences.len() as u32;
        let rules = self.problem.rules;
        let mut subjects = Vec::new();
        let occurrences = match steps.is_empty() {
            true => 0..own,
            false => {
                subjects.push(Subject::Exists);
                match rules.combined {
                    true => own..own + steps.len() as u32,
                    false => 0..0,
                }
            }
        };
        let all: Vec<Step> = self.bags.steps.iter().chain(steps).copied().collect();
        for occurrence in occurrences {
            if rules.counts && occurrence > 0 {
                subjects.push(Subject::Count(occurrence));
            }
            let table = self.problem.terms.table_of(&all, occurrence);
            let columns = self.problem.terms.inputs(table);
            subjects.extend(columns.map(|(column, _)| Subject::Column(occurrence, column)));
        }
        subjects
    }

    /// The keys that tests may follow: none, one or two and so on, each key at most once on the
    /// path.
    fn ways(&self) -> Vec<Vec<Step>> {
        let mut ways: Vec<Vec<Step>> = vec![Vec::new()];
        let mut last: Vec<Vec<Step>> = vec![Vec::new()];
        for _ in 0..self.problem.rules.keys {
            let longer: Vec<Vec<Step>> = last.iter().flat_map(|way| self.longer(way)).collect();
            ways.extend(longer.iter().cloned());
            last = longer;
        }
        ways
    }

    /// A way with one more step. Steps from occurrences that were there before stand in order: the
    /// other order is the same way.
    fn longer(&self, way: &[Step]) -> Vec<Vec<Step>> {
        let own = self.bags.occurrences.len() as u32;
        if own as usize + way.len() > MOST_OCCURRENCES {
            return Vec::new();
        }
        let followed: Vec<u32> = self
            .bags
            .steps
            .iter()
            .chain(way)
            .map(|step| step.key)
            .collect();
        let mut longer = Vec::new();
        for from in 0..own + way.len() as u32 {
            let steps: Vec<Step> = self.bags.steps.iter().chain(way).copied().collect();
            let table = self.problem.terms.table_of(&steps, from);
            for (key, of) in self.problem.terms.keys.iter().enumerate() {
                if followed.contains(&(key as u32)) {
                    continue;
                }
                let ends = [(of.from, false), (of.to, true)];
                for (_, backward) in ends.into_iter().filter(|end| end.0 == table) {
                    let step = Step {
                        from,
                        key: key as u32,
                        backward,
                    };
                    // Two keys from what the way began with, or from what lies further ahead:
                    // either order is one way.
                    let later = way.last().is_none_or(|last| {
                        from == own + way.len() as u32 - 1
                            || (last.from, last.key) <= (from, step.key)
                    });
                    if later {
                        longer.push(way.iter().copied().chain([step]).collect());
                    }
                }
            }
        }
        longer
    }

    /// The best tests that follow these keys and are about what is wanted.
    fn along(&self, steps: &[Step], wanted: &(dyn Fn(Subject) -> bool + Sync)) -> Vec<Candidate> {
        let view = self.problem.values.view();
        let mut extra: Vec<Slots> = Vec::with_capacity(steps.len());
        for &step in steps {
            if self.bags.reach(view, &extra, step) > self.problem.rules.most {
                self.problem.left_out.fetch_add(1, Ordering::Relaxed);
                return Vec::new();
            }
            let slots = self.bags.follow(view, &extra, step);
            if slots.is_empty() {
                return Vec::new();
            }
            extra.push(slots);
        }
        let mut kept = self.bags.all(&extra);
        if !steps.is_empty() {
            self.bags.reduce(&extra, steps, &mut kept);
        }
        let way = Way {
            steps: steps.to_vec(),
            extra,
            kept,
        };
        let own = self.bags.occurrences.len() as u32;
        let mut found: Vec<Candidate> = Vec::new();
        let occurrences = match steps.is_empty() {
            true => 0..own,
            false => {
                found.extend(wanted(Subject::Exists).then(|| self.exists(&way)).flatten());
                match self.problem.rules.combined {
                    true => own..own + steps.len() as u32,
                    false => 0..0,
                }
            }
        };
        let on: Vec<Vec<Candidate>> = occurrences
            .into_par_iter()
            .map(|occurrence| self.on(&way, occurrence, wanted))
            .collect();
        found.extend(on.into_iter().flatten());
        found
    }

    /// The test that linked rows exist.
    fn exists(&self, way: &Way) -> Option<Candidate> {
        let response = self.problem.response;
        let mut yes = response.empty();
        for place in (0..self.bags.objects.len()).filter(|&place| way.kept[0][place]) {
            self.add(&mut yes, place);
        }
        self.candidate(&yes, way, None)
    }

    /// Adds an object to sums, by its place.
    fn add(&self, sums: &mut R::Summary, place: usize) {
        let weight = self.region.weight(place);
        self.problem
            .response
            .add(sums, &self.region.local, place, weight);
    }

    /// The sums of those that are not among these.
    fn others(&self, sums: &R::Summary) -> R::Summary {
        let mut others = self.whole.clone();
        self.problem.response.join(&mut others, sums, -1.0);
        others
    }

    fn candidate(
        &self,
        yes: &R::Summary,
        way: &Way,
        condition: Option<Condition>,
    ) -> Option<Candidate> {
        let response = self.problem.response;
        let no = self.others(yes);
        let weights = [response.weight(yes), response.weight(&no)];
        let lighter = weights[0].min(weights[1]);
        if lighter < self.problem.rules.leaf || lighter <= 0.0 {
            return None;
        }
        let total = weights[0] + weights[1];
        Some(Candidate {
            test: Test {
                steps: way.steps.clone(),
                condition,
            },
            score: response.spread(yes) + response.spread(&no),
            lighter,
            shares: weights.map(|weight| weight / total),
            chance: 0.0,
        })
    }

    /// The best tests with a condition on an occurrence.
    fn on(
        &self,
        way: &Way,
        occurrence: u32,
        wanted: &(dyn Fn(Subject) -> bool + Sync),
    ) -> Vec<Candidate> {
        let terms = self.problem.terms;
        let steps: Vec<Step> = self.bags.steps.iter().chain(&way.steps).copied().collect();
        let table = terms.table_of(&steps, occurrence);
        let columns = terms.inputs(table).map(|(column, _)| column);
        let columns: Vec<u32> = columns
            .filter(|&column| wanted(Subject::Column(occurrence, column)))
            .collect();
        let slots = Rows {
            slots: self.bags.slots(&way.extra, occurrence),
            kept: &way.kept[occurrence as usize],
            occurrence,
            table,
        };
        let mut found = Vec::new();
        if self.problem.rules.counts && occurrence > 0 && wanted(Subject::Count(occurrence)) {
            found.extend(self.count(way, &slots));
        }
        let each: Vec<Vec<Candidate>> = columns
            .into_par_iter()
            .map(|column| self.on_column(way, &slots, column))
            .collect();
        found.extend(each.into_iter().flatten());
        found
    }

    fn on_column(&self, way: &Way, rows: &Rows<'_>, column: u32) -> Vec<Candidate> {
        let values = self.problem.values;
        let (occurrence, table) = (rows.occurrence, rows.table);
        match &self.problem.terms.column(table, column).kind {
            Kind::Number => {
                let numbers = values.numbers(table, column);
                self.numbers(way, rows, column, |row| numbers.get(row))
            }
            Kind::Moment => {
                let numbers = values.numbers(table, column);
                let mut found = self.numbers(way, rows, column, |row| numbers.get(row));
                let items = calendar::items();
                found.extend(contents::propose(self, way, rows, column, items, false));
                found
            }
            Kind::Labels(labels) => {
                let codes = values.codes(table, column);
                let found = subset(self, rows, labels.len(), |row| codes.get(row));
                let some = found.and_then(|(labels, yes, chance)| {
                    let is = Is::Among(labels);
                    let condition = Condition::Some {
                        occurrence,
                        column,
                        is,
                    };
                    let candidate = self.candidate(&yes, way, Some(condition))?;
                    Some(Candidate {
                        chance,
                        ..candidate
                    })
                });
                some.into_iter().collect()
            }
            Kind::Other => {
                let Some(pool) = self.problem.terms.pool(table, column) else {
                    return Vec::new();
                };
                // Beside tests on contents, which are corrected: a radius of each prototype.
                let chance = match self.problem.rules.corrected && !pool.items.is_empty() {
                    true => {
                        let (response, whole) = (self.problem.response, &self.region.whole);
                        let tests = pool.values.len() * self.bags.objects.len();
                        gain_by_chance(response.spread(whole), response.weight(whole), tests)
                    }
                    false => 0.0,
                };
                let each = (0..pool.values.len() as u32).filter_map(|prototype| {
                    let near = values.near(table, column, prototype);
                    let least = rows.made(self, Function::Minimum, |row| near.get(row));
                    let cut = self.cut(least, false)?;
                    let condition = Condition::Some {
                        occurrence,
                        column,
                        is: Is::Near {
                            prototype,
                            radius: cut.threshold,
                        },
                    };
                    let candidate = self.candidate(&cut.yes, way, Some(condition))?;
                    Some(Candidate {
                        chance,
                        ..candidate
                    })
                });
                let each: Vec<Candidate> = each.collect();
                let nearest = best(&each).map(|best| each[best].clone());
                let mut found: Vec<Candidate> = nearest.into_iter().collect();
                found.extend(contents::propose(
                    self,
                    way,
                    rows,
                    column,
                    &pool.items,
                    true,
                ));
                found
            }
        }
    }

    /// Conditions on numbers.
    fn numbers(
        &self,
        way: &Way,
        rows: &Rows<'_>,
        column: u32,
        number: impl Fn(u32) -> f64,
    ) -> Vec<Candidate> {
        let rules = self.problem.rules;
        let occurrence = rows.occurrence;
        let mut found = Vec::new();
        let mut enter = |cut: Option<Cut<R>>, condition: &dyn Fn(f64) -> Condition| {
            if let Some(cut) = cut {
                found.extend(self.candidate(&cut.yes, way, Some(condition(cut.threshold))));
            }
        };
        let least = rows.made(self, Function::Minimum, &number);
        // An object's own row has one value: aggregates are the value, and both directions divide
        // alike unless it is missing.
        let several = occurrence > 0;
        if !several && rules.at_least && least.iter().any(|number| number.is_nan()) {
            enter(self.cut(least.clone(), true), &|threshold| {
                Condition::Some {
                    occurrence,
                    column,
                    is: Is::AtLeast(threshold),
                }
            });
        }
        if several && (rules.at_least || rules.every || rules.aggregates) {
            let greatest = rows.made(self, Function::Maximum, &number);
            if rules.at_least {
                enter(self.cut(greatest.clone(), true), &|threshold| {
                    Condition::Some {
                        occurrence,
                        column,
                        is: Is::AtLeast(threshold),
                    }
                });
            }
            if rules.every {
                enter(self.cut(greatest.clone(), false), &|threshold| {
                    Condition::Every {
                        occurrence,
                        column,
                        is: Is::AtMost(threshold),
                    }
                });
                if rules.at_least {
                    enter(self.cut(least.clone(), true), &|threshold| {
                        Condition::Every {
                            occurrence,
                            column,
                            is: Is::AtLeast(threshold),
                        }
                    });
                }
            }
            if rules.aggregates {
                let mean = rows.made(self, Function::Mean, &number);
                for (function, made) in [
                    (Function::Mean, mean),
                    (Function::Minimum, least.clone()),
                    (Function::Maximum, greatest),
                ] {
                    enter(self.cut(made.clone(), false), &|threshold| {
                        Condition::Aggregate {
                            occurrence,
                            column,
                            function,
                            is: Is::AtMost(threshold),
                        }
                    });
                    if rules.at_least {
                        enter(self.cut(made, true), &|threshold| Condition::Aggregate {
                            occurrence,
                            column,
                            function,
                            is: Is::AtLeast(threshold),
                        });
                    }
                }
            }
        }
        enter(self.cut(least, false), &|threshold| Condition::Some {
            occurrence,
            column,
            is: Is::AtMost(threshold),
        });
        found
    }

    /// Whether there are at least so many rows; of one row the test that it exists tells.
    fn count(&self, way: &Way, rows: &Rows<'_>) -> Option<Candidate> {
        let counts = rows.slots.counts(rows.kept, self.bags.objects.len());
        let counted = counts.iter().map(|&count| match count {
            0 => f64::NAN,
            count => f64::from(count),
        });
        let cut = self.cut(counted.collect(), true)?;
        if cut.threshold < 2.0 {
            return None;
        }
        let condition = Condition::Count {
            occurrence: rows.occurrence,
            least: cut.threshold as u32,
        };
        self.candidate(&cut.yes, way, Some(condition))
    }

    fn cut(&self, numbers: Vec<f64>, from_above: bool) -> Option<Cut<R>> {
        cut(self, numbers, from_above)
    }
}

/// The rows of an occurrence.
struct Rows<'s> {
    slots: &'s Slots,
    kept: &'s [bool],
    occurrence: u32,
    table: usize,
}

impl Rows<'_> {
    fn made<R: Response>(
        &self,
        node: &Node<'_, '_, R>,
        function: Function,
        number: impl Fn(u32) -> f64,
    ) -> Vec<f64> {
        let objects = node.bags.objects.len();
        self.slots.aggregated(self.kept, objects, function, number)
    }
}
