//! An oracle: every binding of every object written out, tests tried one by one. Nothing here is
//! shared with what it checks but the types.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use kinwood_values::{Attribute, Column, Database, ForeignKey, Role, Table, View};
use proptest::prelude::*;

use super::bags::Bags;
use super::propose::{Candidate, Problem, Rules};
use super::region::RelationalRegion;
use super::terms::{Kind, Terms};
use super::test::{Condition, Function, Is, Step, Test};
use super::values::Values;
use crate::tree::TargetOf;
use crate::tree::deviation::{Deviation, SpreadMeasure};
use kinwood_learning::random::Generator;
use kinwood_learning::task::Task;

/// The bindings of an object: a row for every occurrence.
type Bindings = Vec<Vec<u32>>;

struct Naive<'a> {
    view: &'a View,
    terms: &'a Terms,
    targets: Vec<f64>,
    rules: Rules,
}

/// Objects with their bindings, and the steps that they follow.
#[derive(Clone)]
struct State {
    steps: Vec<Step>,
    objects: BTreeMap<u32, Bindings>,
}

impl Naive<'_> {
    fn linked(&self, step: Step, row: u32) -> Vec<u32> {
        let key = &self.view.database().foreign_keys()[step.key as usize];
        let (from, to) = (
            self.view.database().table(key.from),
            self.view.database().table(key.to),
        );
        let text = |table: &Table, column: usize, row: usize| match table
            .attribute(column)
            .column
            .is_present(row)
        {
            true => Some(table.attribute(column).column.value(row).to_string()),
            false => None,
        };
        let refers = |a: usize, b: usize| {
            let mut each = key.from_columns.iter().zip(&key.to_columns);
            each.all(|(&c, &d)| {
                let (one, other) = (text(from, c, a), text(to, d, b));
                one.is_some() && one == other
            })
        };
        let (reached, rows) = match step.backward {
            true => (key.from, from.rows()),
            false => (key.to, to.rows()),
        };
        (0..rows as u32)
            .filter(|&other| match step.backward {
                true => refers(other as usize, row as usize),
                false => refers(row as usize, other as usize),
            })
            .filter(|&other| reached != self.view.table_position() || self.view.contains(other))
            .collect()
    }

    fn extended(&self, bindings: &Bindings, steps: &[Step]) -> Bindings {
        steps.iter().fold(bindings.clone(), |bindings, &step| {
            let each = bindings.iter();
            each.flat_map(|binding| {
                let linked = self.linked(step, binding[step.from as usize]);
                linked
                    .into_iter()
                    .map(|row| [binding.clone(), vec![row]].concat())
            })
            .collect()
        })
    }

    /// The rows of an occurrence, one for every way that leads there.
    fn ways(&self, steps: &[Step], bindings: &Bindings, occurrence: u32) -> Vec<u32> {
        let mut line = vec![occurrence as usize];
        while let Some(place) = line.last().and_then(|last| last.checked_sub(1)) {
            line.push(steps[place].from as usize);
        }
        let ways: BTreeSet<Vec<u32>> = bindings
            .iter()
            .map(|binding| line.iter().rev().map(|&place| binding[place]).collect())
            .collect();
        ways.iter().filter_map(|way| way.last().copied()).collect()
    }

    fn number(&self, table: usize, column: u32, row: u32) -> Option<f64> {
        self.view
            .column(table, column as usize)?
            .number(row as usize)
    }

    fn so(&self, table: usize, column: u32, is: &Is, row: u32) -> bool {
        match is {
            Is::Among(codes) => {
                let code = self
                    .view
                    .column(table, column as usize)
                    .and_then(|c| c.code(row as usize));
                code.is_some_and(|code| codes.contains(&code))
            }
            is => self
                .number(table, column, row)
                .is_some_and(|number| is.holds(number)),
        }
    }

    /// What is left of an object's bindings by a test; `None` if it does not hold.
    fn holds(&self, steps: &[Step], bindings: &Bindings, test: &Test) -> Option<Bindings> {
        let all: Vec<Step> = steps.iter().chain(&test.steps).copied().collect();
        let extended = self.extended(bindings, &test.steps);
        let left: Bindings = match &test.condition {
            None => extended,
            Some(condition) => {
                let occurrence = condition.occurrence();
                let table = self.terms.table_of(&all, occurrence);
                let rows = self.ways(&all, &extended, occurrence);
                let holds = match condition {
                    Condition::Some { column, is, .. } => {
                        let so = |binding: &Vec<u32>| {
                            self.so(table, *column, is, binding[occurrence as usize])
                        };
                        let left: Bindings = extended.into_iter().filter(so).collect();
                        return (!left.is_empty()).then_some(left);
                    }
                    Condition::Every { column, is, .. } => {
                        let known: Vec<u32> = rows
                            .into_iter()
                            .filter(|&row| {
                                self.view
                                    .column(table, *column as usize)
                                    .is_some_and(|c| c.is_present(row as usize))
                            })
                            .collect();
                        !known.is_empty()
                            && known.iter().all(|&row| self.so(table, *column, is, row))
                    }
                    Condition::Count { least, .. } => rows.len() >= *least as usize,
                    Condition::Aggregate {
                        column,
                        function,
                        is,
                        ..
                    } => made(
                        rows.iter()
                            .filter_map(|&row| self.number(table, *column, row)),
                        *function,
                    )
                    .is_some_and(|number| is.holds(number)),
                };
                if holds { extended } else { Vec::new() }
            }
        };
        (!left.is_empty()).then_some(left)
    }

    fn divided(&self, state: &State, test: &Test) -> (State, State) {
        let mut yes = State {
            steps: state.steps.iter().chain(&test.steps).copied().collect(),
            objects: BTreeMap::new(),
        };
        let mut no = State {
            steps: state.steps.clone(),
            objects: BTreeMap::new(),
        };
        for (&object, bindings) in &state.objects {
            match self.holds(&state.steps, bindings, test) {
                Some(left) => yes.objects.insert(object, left),
                None => no.objects.insert(object, bindings.clone()),
            };
        }
        (yes, no)
    }

    fn deviation(&self, objects: impl Iterator<Item = u32>) -> f64 {
        let values: Vec<f64> = objects
            .map(|object| self.targets[object as usize])
            .collect();
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count.max(1.0);
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        (squares * count).sqrt()
    }

    fn score(&self, state: &State, test: &Test) -> Option<Candidate> {
        let (yes, no) = self.divided(state, test);
        let lighter = yes.objects.len().min(no.objects.len());
        (lighter > 0).then(|| Candidate {
            test: test.clone(),
            score: self.deviation(yes.objects.keys().copied())
                + self.deviation(no.objects.keys().copied()),
            lighter: lighter as f64,
            shares: {
                let count = (yes.objects.len() + no.objects.len()) as f64;
                [&yes, &no].map(|side| side.objects.len() as f64 / count)
            },
            chance: 0.0,
        })
    }

    /// The best of tests with every value of these as threshold; of those that divide alike the
    /// first.
    fn best(&self, state: &State, tests: impl Iterator<Item = Test>) -> Option<Candidate> {
        let mut best: Option<(Candidate, Vec<u32>)> = None;
        for test in tests {
            let Some(next) = self.score(state, &test) else {
                continue;
            };
            let yes: Vec<u32> = self.divided(state, &test).0.objects.into_keys().collect();
            let better = best.as_ref().is_none_or(|(best, _)| {
                next.score < best.score - 1e-9 * best.score.abs().max(1e-3)
            });
            if better {
                best = Some((next, yes));
            }
        }
        best.map(|(best, _)| best)
    }

    fn candidates(&self, state: &State) -> Vec<Candidate> {
        let mut found = Vec::new();
        for steps in self.step_lists(state) {
            let own = state.steps.len() as u32 + 1;
            let all: Vec<Step> = state.steps.iter().chain(&steps).copied().collect();
            let occurrences = match steps.is_empty() {
                true => 0..own,
                false => {
                    let exists = Test {
                        steps: steps.clone(),
                        condition: None,
                    };
                    found.extend(self.score(state, &exists));
                    own..own + steps.len() as u32
                }
            };
            for occurrence in occurrences {
                let table = self.terms.table_of(&all, occurrence);
                let extended: BTreeMap<u32, Vec<u32>> = state
                    .objects
                    .iter()
                    .map(|(&object, bindings)| {
                        (
                            object,
                            self.ways(&all, &self.extended(bindings, &steps), occurrence),
                        )
                    })
                    .collect();
                let test = |condition| Test {
                    steps: steps.clone(),
                    condition: Some(condition),
                };
                if occurrence > 0 && self.rules.counts {
                    let counts: BTreeSet<u32> = extended
                        .values()
                        .map(|rows| rows.len() as u32)
                        .filter(|count| *count > 0)
                        .collect();
                    let tests = counts
                        .into_iter()
                        .rev()
                        .map(|least| test(Condition::Count { occurrence, least }));
                    found.extend(self.best(state, tests).filter(|best| {
                        !matches!(
                            best.test.condition,
                            Some(Condition::Count { least: 0..=1, .. })
                        )
                    }));
                }
                for (column, of) in self.terms.inputs(table) {
                    match &of.kind {
                        Kind::Number => found.extend(
                            self.numeric(state, &extended, table, occurrence, column, &test),
                        ),
                        Kind::Labels(labels) => {
                            found.extend(self.labels(
                                state,
                                labels.len() as u32,
                                occurrence,
                                column,
                                &test,
                            ));
                        }
                        _ => {}
                    }
                }
            }
        }
        found
    }

    fn numeric(
        &self,
        state: &State,
        extended: &BTreeMap<u32, Vec<u32>>,
        table: usize,
        occurrence: u32,
        column: u32,
        test: &dyn Fn(Condition) -> Test,
    ) -> Vec<Candidate> {
        let of = |function: Option<Function>| -> Vec<f64> {
            let mut values: Vec<f64> = Vec::new();
            for rows in extended.values() {
                let numbers = rows
                    .iter()
                    .filter_map(|&row| self.number(table, column, row));
                match function {
                    Some(function) => values.extend(made(numbers, function)),
                    None => values.extend(numbers),
                }
            }
            values.sort_by(f64::total_cmp);
            values.dedup();
            values
        };
        let some = |is| {
            test(Condition::Some {
                occurrence,
                column,
                is,
            })
        };
        let every = |is| {
            test(Condition::Every {
                occurrence,
                column,
                is,
            })
        };
        let mut found = Vec::new();
        let several = occurrence > 0;
        let up = |values: Vec<f64>| values.into_iter();
        let down = |values: Vec<f64>| values.into_iter().rev();
        let gaps = extended.values().any(|rows| {
            rows.iter()
                .all(|&row| self.number(table, column, row).is_none())
        });
        if !several && self.rules.at_least && gaps {
            found.extend(self.best(state, down(of(None)).map(|x| some(Is::AtLeast(x)))));
        }
        if several && self.rules.at_least {
            found.extend(self.best(state, down(of(None)).map(|x| some(Is::AtLeast(x)))));
        }
        if several && self.rules.every {
            found.extend(self.best(state, up(of(None)).map(|x| every(Is::AtMost(x)))));
            if self.rules.at_least {
                found.extend(self.best(state, down(of(None)).map(|x| every(Is::AtLeast(x)))));
            }
        }
        if several && self.rules.aggregates {
            for function in Function::ALL {
                let made = |is| {
                    test(Condition::Aggregate {
                        occurrence,
                        column,
                        function,
                        is,
                    })
                };
                found.extend(self.best(state, up(of(Some(function))).map(|x| made(Is::AtMost(x)))));
                if self.rules.at_least {
                    found.extend(self.best(
                        state,
                        down(of(Some(function))).map(|x| made(Is::AtLeast(x))),
                    ));
                }
            }
        }
        found.extend(self.best(state, up(of(None)).map(|x| some(Is::AtMost(x)))));
        found
    }

    fn labels(
        &self,
        state: &State,
        count: u32,
        occurrence: u32,
        column: u32,
        test: &dyn Fn(Condition) -> Test,
    ) -> Option<Candidate> {
        let among = |codes: &BTreeSet<u32>| {
            let is = Is::Among(codes.iter().copied().collect());
            test(Condition::Some {
                occurrence,
                column,
                is,
            })
        };
        let mut taken: BTreeSet<u32> = BTreeSet::new();
        let mut best: Option<Candidate> = None;
        loop {
            let mut next: Option<(Candidate, u32)> = None;
            for label in (0..count).filter(|label| !taken.contains(label)) {
                let held =
                    |codes: &BTreeSet<u32>| self.divided(state, &among(codes)).0.objects.len();
                // A label that no object has is none of those at hand.
                if held(&[label].into()) == 0 {
                    continue;
                }
                let with: BTreeSet<u32> = taken.iter().copied().chain([label]).collect();
                if let Some(found) = self.score(state, &among(&with))
                    && next.as_ref().is_none_or(|(next, _)| {
                        found.score < next.score - 1e-9 * next.score.abs().max(1e-3)
                    })
                {
                    next = Some((found, label));
                }
            }
            let Some((found, label)) = next else { break };
            if best
                .as_ref()
                .is_some_and(|best| found.score >= best.score - 1e-9 * best.score.abs().max(1e-3))
            {
                break;
            }
            taken.insert(label);
            best = Some(found);
        }
        best
    }

    /// All lists of at most so many steps, each key at most once on the path; of two orders of the
    /// same steps one.
    fn step_lists(&self, state: &State) -> Vec<Vec<Step>> {
        let one = |before: &[Step]| -> Vec<Step> {
            let all: Vec<Step> = state.steps.iter().chain(before).copied().collect();
            let mut found = Vec::new();
            for from in 0..=all.len() as u32 {
                let table = self.terms.table_of(&all, from);
                for (key, of) in self.terms.keys.iter().enumerate() {
                    let used = all.iter().any(|step| step.key as usize == key);
                    for (end, backward) in [(of.from, false), (of.to, true)] {
                        if end == table && !used {
                            found.push(Step {
                                from,
                                key: key as u32,
                                backward,
                            });
                        }
                    }
                }
            }
            found
        };
        let mut lists = vec![Vec::new()];
        let firsts = one(&[]);
        lists.extend(firsts.iter().map(|&step| vec![step]));
        for &first in &firsts {
            for second in one(&[first]) {
                let chained = second.from as usize == state.steps.len() + 1;
                if chained || (first.from, first.key) <= (second.from, second.key) {
                    lists.push(vec![first, second]);
                }
            }
        }
        lists
    }
}

fn made(numbers: impl Iterator<Item = f64>, function: Function) -> Option<f64> {
    let numbers: Vec<f64> = numbers.collect();
    let first = *numbers.first()?;
    Some(match function {
        Function::Mean => {
            // In the order of the fast path, so that the same digits come out.
            numbers[1..].iter().fold(first, |sum, number| sum + number) / numbers.len() as f64
        }
        Function::Minimum => numbers.iter().copied().fold(first, f64::min),
        Function::Maximum => numbers.iter().copied().fold(first, f64::max),
    })
}

/// A random database: tables that refer to each other and to themselves, with missing values and
/// keys that lead nowhere.
pub(super) fn database(seed: u64) -> Arc<Database> {
    let mut random = Generator::new(seed, &[7]);
    let count = 2 + random.below(3);
    let rows: Vec<usize> = (0..count)
        .map(|table| match table {
            0 => 5 + random.below(8),
            _ => random.below(9),
        })
        .collect();
    let mut links: Vec<(usize, usize)> = Vec::new();
    for _ in 0..1 + random.below(4) {
        links.push((random.below(count), random.below(count)));
    }
    let composite = random.below(3) == 0;
    let mut tables = Vec::new();
    let mut keys = Vec::new();
    for table in 0..count {
        // A composite key is a pair of numbers: the quotient and the remainder by three.
        let part = |number: usize, place: usize| match (composite, place) {
            (false, _) => number as f64,
            (true, 0) => (number / 3) as f64,
            (true, _) => (number % 3) as f64,
        };
        let width = if composite { 2 } else { 1 };
        let mut attributes: Vec<Attribute> = (0..width)
            .map(|place| {
                let numbers = (0..rows[table]).map(|row| part(row, place)).collect();
                Attribute::new(format!("id{place}"), Column::numeric(numbers)).with_role(Role::Id)
            })
            .collect();
        for place in 0..1 + random.below(2) {
            let numbers = (0..rows[table]).map(|_| match random.below(8) {
                0 => f64::NAN,
                _ => random.below(6) as f64 / 4.0,
            });
            attributes.push(Attribute::new(
                format!("x{place}"),
                Column::numeric(numbers.collect()),
            ));
        }
        let labels: Vec<Option<&str>> = (0..rows[table])
            .map(|_| [Some("a"), Some("b"), Some("c"), None][random.below(4)])
            .collect();
        attributes.push(Attribute::new("l", Column::nominal(labels)));
        if table == 0 {
            let numbers = (0..rows[0]).map(|_| (random.normal() * 64.0).round() / 16.0);
            attributes.push(Attribute::new("y", Column::numeric(numbers.collect())));
        }
        for (number, &(_, to)) in links.iter().enumerate().filter(|(_, link)| link.0 == table) {
            let refers: Vec<Option<usize>> = (0..rows[table])
                .map(|_| match random.below(9) {
                    0 => None,
                    1 => Some(99),
                    _ => Some(random.below(rows[to].max(1))),
                })
                .collect();
            let from_columns = (0..width)
                .map(|place| {
                    let numbers = refers
                        .iter()
                        .map(|row| row.map_or(f64::NAN, |row| part(row, place)));
                    let name = format!("to{number}_{place}");
                    attributes.push(
                        Attribute::new(name, Column::numeric(numbers.collect()))
                            .with_role(Role::Id),
                    );
                    attributes.len() - 1
                })
                .collect();
            keys.push(ForeignKey {
                name: format!("key{number}"),
                from: table,
                from_columns,
                to,
                to_columns: (0..width).collect(),
                describes: None,
            });
        }
        let mut made = Table::new(format!("t{table}"), attributes).unwrap();
        made.set_key(Some((0..width).collect()));
        tables.push(made);
    }
    Arc::new(Database::new(tables, keys).unwrap().0)
}

/// The view of a random database's objects, some left out, and its target.
pub(super) fn view(seed: u64) -> (View, usize) {
    let database = database(seed);
    let target = database.table(0).find("y").unwrap();
    let view = View::new(database, 0);
    let mut random = Generator::new(seed, &[8]);
    let some: Vec<u32> = (0..view.len() as u32)
        .filter(|_| random.below(6) > 0)
        .collect();
    let view = match some.len() > 3 {
        true => view.select(&some),
        false => view,
    };
    (view, target)
}

fn same(fast: &[Candidate], slow: &[Candidate], about: &str) {
    let close = |a: &Candidate, b: &Candidate| {
        a.test == b.test && (a.score - b.score).abs() < 1e-6 && a.lighter == b.lighter
    };
    let equal = fast.len() == slow.len() && fast.iter().zip(slow).all(|(a, b)| close(a, b));
    assert!(equal, "{about}\nfast {fast:#?}\nslow {slow:#?}");
}

kinwood_testing::soak! { 150;
    fn soak_tests_and_bags_are_those_of_all_bindings_written_out(seed in 0u64..1_000_000, options in 0u8..16) {
        let (view, target) = view(seed);
        let task = Task::new(&view, &[target]).unwrap();
        let kinds: Vec<TargetOf> = task.targets().iter().filter_map(TargetOf::of).collect();
        let terms = Terms::of(task.view(), kinds.clone(), Vec::new());
        let values = Values::new(task.view(), &[]).unwrap();
        let weights = vec![1.0; task.view().len()];
        let response = Deviation::new(&task, &kinds, &weights, SpreadMeasure::Deviation, &Default::default()).unwrap();
        let rules = Rules {
            keys: 2,
            combined: true,
            at_least: options & 1 > 0,
            counts: options & 2 > 0,
            every: options & 4 > 0,
            aggregates: options & 8 > 0,
            leaf: 1.0,
            most: usize::MAX,
            corrected: false,
            items: 0,
            chance: None,
        };
        let problem = Problem { terms: &terms, values: &values, response: &response, rules: &rules, left_out: &Default::default() };
        let naive = Naive {
            view: task.view(),
            terms: &terms,
            targets: (0..task.view().len()).map(|object| task.targets()[0].number(object).unwrap()).collect(),
            rules: rules.clone(),
        };
        let objects: Vec<u32> = (0..task.view().len() as u32).collect();
        let mut state = State {
            steps: Vec::new(),
            objects: objects.iter().map(|&object| (object, vec![vec![task.view().row(object as usize)]])).collect(),
        };
        let mut bags = Bags::new(task.view(), objects);
        let mut random = Generator::new(seed, &[9]);
        for depth in 0..4 {
            for (occurrence, slots) in bags.occurrences.iter().enumerate() {
                for (place, object) in bags.objects.iter().enumerate() {
                    let mut fast: Vec<u32> = (0..slots.len()).filter(|&slot| slots.objects[slot] as usize == place).map(|slot| slots.rows[slot]).collect();
                    let mut slow = naive.ways(&state.steps, &state.objects[object], occurrence as u32);
                    fast.sort_unstable();
                    slow.sort_unstable();
                    prop_assert_eq!(fast, slow, "rows of occurrence {} at depth {}", occurrence, depth);
                }
            }
            let weights = vec![1.0; bags.objects.len()];
            let fast = problem.candidates(&RelationalRegion::new(bags.clone(), weights, &response));
            let slow = naive.candidates(&state);
            same(&fast, &slow, &format!("seed {seed}, depth {depth}"));
            if fast.is_empty() {
                break;
            }
            let chosen = &fast[random.below(fast.len())].test;
            let (yes, no) = bags.divide(task.view(), &values, chosen);
            let (held, failed) = naive.divided(&state, chosen);
            prop_assert_eq!(&yes.objects, &held.objects.keys().copied().collect::<Vec<_>>());
            (bags, state) = match random.below(3) {
                0 => (no, failed),
                _ => (yes, held),
            };
        }
    }
}

/// The fourth example of the paper: the bag of m1 where it has an atom with charge at most 2.3 that
/// takes part in a bond.
#[test]
fn the_fourth_example_of_the_paper() {
    let id = |name: &str, of: &[&str]| {
        Attribute::new(name, Column::nominal(of.iter().map(|id| Some(*id)))).with_role(Role::Id)
    };
    let number =
        |name: &str, numbers: &[f64]| Attribute::new(name, Column::numeric(numbers.to_vec()));
    let mut molecule = Table::new(
        "molecule",
        vec![
            id("id", &["m1", "m2"]),
            number("logp", &[12.0, 2.0]),
            number("muta", &[5.1, 10.1]),
        ],
    )
    .unwrap();
    molecule.set_key(Some(vec![0]));
    let mut atom = Table::new(
        "atom",
        vec![
            id("id", &["a1", "a2", "a3", "a4", "a5", "a6"]),
            id("molecule", &["m1", "m1", "m1", "m1", "m2", "m2"]),
            number("charge", &[2.3, 2.5, 3.0, -0.5, 5.1, 4.0]),
        ],
    )
    .unwrap();
    atom.set_key(Some(vec![0]));
    let bond = Table::new(
        "bond",
        vec![
            id("atom1", &["a1", "a1", "a1", "a5", "a6"]),
            id("atom2", &["a2", "a2", "a3", "a6", "a5"]),
            number("type", &[5.0, 2.0, 1.0, 2.0, 1.0]),
        ],
    )
    .unwrap();
    let key = |name: &str, from, column, to| ForeignKey {
        name: name.to_owned(),
        from,
        from_columns: vec![column],
        to,
        to_columns: vec![0],
        describes: None,
    };
    let keys = vec![
        key("of", 1, 1, 0),
        key("first", 2, 0, 1),
        key("second", 2, 1, 1),
    ];
    let database = Arc::new(Database::new(vec![molecule, atom, bond], keys).unwrap().0);
    let view = View::new(database, 0);
    let values = Values::new(&view, &[]).unwrap();
    let step = |from, key| Step {
        from,
        key,
        backward: true,
    };
    let tests = [
        Test {
            steps: vec![step(0, 0)],
            condition: None,
        },
        Test {
            steps: vec![],
            condition: Some(Condition::Some {
                occurrence: 1,
                column: 2,
                is: Is::AtMost(2.3),
            }),
        },
        Test {
            steps: vec![step(1, 1)],
            condition: None,
        },
    ];
    let mut bags = Bags::new(&view, vec![0, 1]);
    for test in &tests {
        bags = bags.divide(&view, &values, test).0;
    }
    assert_eq!(bags.objects, [0], "m2 has no such atom");
    let bonds = &bags.occurrences[2];
    let bag: Vec<[f64; 3]> = (0..bonds.len())
        .map(|slot| {
            let atom = bags.occurrences[1].rows[bonds.parents[slot] as usize];
            [
                values.numbers(0, 1).get(0),
                values.numbers(1, 2).get(atom),
                values.numbers(2, 2).get(bonds.rows[slot]),
            ]
        })
        .collect();
    assert_eq!(bag, [[12.0, 2.3, 5.0], [12.0, 2.3, 2.0], [12.0, 2.3, 1.0]]);
}
