//! The tests that a node can be divided by, the best of each kind.
//!
//! What is tried: conditions on the occurrences of the path; one or two further keys, either way,
//! from any of them; and both at once, the condition being on what the keys lead to. A condition
//! that some row satisfies depends on an object's least or greatest value alone, so one sorted
//! sweep over the objects finds the best threshold; of thresholds that divide alike the smallest
//! (for `>=` the largest) stands.

mod sweep;

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::bags::{Bags, Kept, Slots};
use super::response::{Response, Sums};
use super::terms::{Kind, Terms};
use super::test::{Condition, Function, Is, Step, Test};
use super::values::Values;
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
    /// Whether the fall of the variance decides, and not that of the deviation.
    pub variance: bool,
    /// The most slots that following a key may make.
    pub most: usize,
}

/// What tests are proposed from.
pub struct Problem<'a> {
    /// Tables and keys.
    pub terms: &'a Terms,
    /// Their values.
    pub values: &'a Values<'a>,
    /// The targets.
    pub response: &'a Response<'a>,
    /// How much each object counts.
    pub weights: &'a [f64],
    /// Which tests are tried.
    pub rules: &'a Rules,
    /// How often a key was not followed because it leads to too many rows.
    pub left_out: &'a AtomicU64,
}

/// A test and how good it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The test.
    pub test: Test,
    /// The sum over both sides of weight times deviation (or variance): the less the better.
    pub score: f64,
    /// The weight of the lighter side.
    pub lighter: f64,
}

/// Keys that a test follows, with what they lead to.
struct Way {
    steps: Vec<Step>,
    extra: Vec<Slots>,
    kept: Kept,
}

impl Problem<'_> {
    /// The best test of each kind, in a fixed order.
    pub fn candidates(&self, bags: &Bags) -> Vec<Candidate> {
        let whole = self.response.sums(&bags.objects, self.weights).dividing();
        let node = Node {
            problem: self,
            bags,
            whole,
        };
        let ways = node.ways();
        let each: Vec<Vec<Candidate>> = ways.par_iter().map(|steps| node.along(steps)).collect();
        each.into_iter().flatten().collect()
    }

    /// The best of candidates: the first of equals.
    pub fn best(candidates: Vec<Candidate>) -> Option<Candidate> {
        candidates.into_iter().reduce(|best, next| {
            let slack = 1e-12 * best.score.abs();
            if next.score < best.score - slack {
                next
            } else {
                best
            }
        })
    }
}

/// A node about to be divided.
struct Node<'p, 'a> {
    problem: &'p Problem<'a>,
    bags: &'p Bags,
    whole: Sums,
}

impl Node<'_, '_> {
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

    /// The best tests that follow these keys.
    fn along(&self, steps: &[Step]) -> Vec<Candidate> {
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
                found.extend(self.exists(&way));
                match self.problem.rules.combined {
                    true => own..own + steps.len() as u32,
                    false => 0..0,
                }
            }
        };
        let on: Vec<Vec<Candidate>> = occurrences
            .into_par_iter()
            .map(|occurrence| self.on(&way, occurrence))
            .collect();
        found.extend(on.into_iter().flatten());
        found
    }

    /// The test that linked rows exist.
    fn exists(&self, way: &Way) -> Option<Candidate> {
        let mut yes = Sums::empty(self.problem.response.width());
        for (place, &object) in self.bags.objects.iter().enumerate() {
            if way.kept[0][place] {
                let weight = self.problem.weights[object as usize];
                yes.add(self.problem.response.of(object), weight);
            }
        }
        self.candidate(&yes, way, None)
    }

    fn candidate(&self, yes: &Sums, way: &Way, condition: Option<Condition>) -> Option<Candidate> {
        let rules = self.problem.rules;
        let mut no = self.whole.clone();
        no.subtract(yes);
        let lighter = yes.weight.min(no.weight);
        if lighter < rules.leaf || lighter <= 0.0 {
            return None;
        }
        Some(Candidate {
            test: Test {
                steps: way.steps.clone(),
                condition,
            },
            score: yes.deviation(rules.variance) + no.deviation(rules.variance),
            lighter,
        })
    }

    /// The best tests with a condition on an occurrence.
    fn on(&self, way: &Way, occurrence: u32) -> Vec<Candidate> {
        let terms = self.problem.terms;
        let steps: Vec<Step> = self.bags.steps.iter().chain(&way.steps).copied().collect();
        let table = terms.table_of(&steps, occurrence);
        let columns: Vec<u32> = terms.inputs(table).map(|(column, _)| column).collect();
        let slots = Rows {
            slots: self.bags.slots(&way.extra, occurrence),
            kept: &way.kept[occurrence as usize],
            occurrence,
            table,
        };
        let mut found = Vec::new();
        if self.problem.rules.counts && occurrence > 0 {
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
            Kind::Number | Kind::Moment => {
                let numbers = values.numbers(table, column);
                self.numbers(way, rows, column, |row| numbers.get(row))
            }
            Kind::Labels(labels) => {
                let codes = values.codes(table, column);
                let found = subset(self, rows, labels.len(), |row| codes.get(row));
                let some = found.and_then(|(labels, yes)| {
                    let is = Is::Among(labels);
                    let condition = Condition::Some {
                        occurrence,
                        column,
                        is,
                    };
                    self.candidate(&yes, way, Some(condition))
                });
                some.into_iter().collect()
            }
            Kind::Other => {
                let Some(pool) = self.problem.terms.pool(table, column) else {
                    return Vec::new();
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
                    self.candidate(&cut.yes, way, Some(condition))
                });
                Problem::best(each.collect()).into_iter().collect()
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
        let mut enter = |cut: Option<Cut>, condition: &dyn Fn(f64) -> Condition| {
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

    fn cut(&self, numbers: Vec<f64>, from_above: bool) -> Option<Cut> {
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
    fn made(
        &self,
        node: &Node<'_, '_>,
        function: Function,
        number: impl Fn(u32) -> f64,
    ) -> Vec<f64> {
        let objects = node.bags.objects.len();
        self.slots.aggregated(self.kept, objects, function, number)
    }
}
