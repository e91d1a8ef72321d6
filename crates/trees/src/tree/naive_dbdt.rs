//! The paper's pseudo-code as it stands, by recursion over rows and values, and what the learner
//! makes of the same data.

use std::collections::BTreeSet;
use std::sync::Arc;

use kinwood_similarity::{DistanceOn, Measured, Registry};
use kinwood_values::container::Stored;
use kinwood_values::{Attribute, Column, Database, Role, Table, Type, Value, View};

use super::test::TOLERANCE;
use super::{Answer, FlatTree, TreeModel};
use crate::DBDT;
use kinwood_learning::context::Context;
use kinwood_learning::model::Model;
use kinwood_learning::random::Generator;
use kinwood_learning::task::Task;
use kinwood_learning::testing::bytes;

const CLASSES: [&str; 3] = ["a", "b", "c"];

struct Data {
    /// By column: its name, its values by row, and how they are compared.
    columns: Vec<(&'static str, Vec<Value>, DistanceOn)>,
    classes: Vec<usize>,
    most: usize,
}

enum Naive {
    Leaf(Vec<f64>),
    Split(usize, Vec<Value>, Vec<Naive>),
}

/// The best split of a node.
struct Best {
    ratio: f64,
    column: usize,
    prototypes: Vec<Value>,
    parts: Vec<Vec<usize>>,
}

const EXPRESSION: &str =
    "mean(x: absolute, c: discrete, s: hausdorff(discrete), t: edit, l: edit(1, 1, 2))";

fn random(seed: u64) -> (Data, View) {
    let mut random = Generator::new(seed, &[7]);
    let rows = 6 + random.below(24);
    let symbol = |random: &mut Generator, of: usize| ["p", "q", "r", "s"][random.below(of)];
    let mut columns: Vec<(&str, Type, &str, Vec<Value>)> = vec![
        ("x", Type::Numeric, "absolute", Vec::new()),
        ("c", Type::Nominal, "discrete", Vec::new()),
        (
            "s",
            Type::Set(Box::new(Type::Nominal)),
            "hausdorff(discrete)",
            Vec::new(),
        ),
        ("t", Type::String, "edit", Vec::new()),
        (
            "l",
            Type::List(Box::new(Type::Nominal)),
            "edit(1, 1, 2)",
            Vec::new(),
        ),
    ];
    for _ in 0..rows {
        columns[0]
            .3
            .push(Value::Number(random.below(9) as f64 / 4.0 - 0.3));
        columns[1]
            .3
            .push(Value::Symbol(symbol(&mut random, 4).to_owned()));
        let set = (0..random.below(4)).map(|_| Value::Symbol(symbol(&mut random, 3).to_owned()));
        columns[2].3.push(Value::set(set.collect()));
        let text: String = (0..random.below(4))
            .map(|_| symbol(&mut random, 2))
            .collect();
        columns[3].3.push(Value::Text(text));
        let list = (0..random.below(4)).map(|_| Value::Symbol(symbol(&mut random, 2).to_owned()));
        columns[4].3.push(Value::List(list.collect()));
    }
    // Half of the data sets lack values.
    if seed % 2 == 1 {
        let values = columns.iter_mut().flat_map(|column| &mut column.3);
        for value in values.filter(|_| random.below(6) == 0) {
            *value = Value::Missing;
        }
    }
    let classes: Vec<usize> = (0..rows).map(|_| random.below(3)).collect();
    let registry = Registry::builtin();
    let mut attributes: Vec<Attribute> = columns
        .iter()
        .map(|(name, of, _, values)| {
            // Labels are known in this order, whichever occurs first.
            let known = ["p", "q", "r", "s"].map(|label| Value::Symbol(label.to_owned()));
            let known = known.iter().filter(|_| *of == Type::Nominal);
            let all: Vec<&Value> = known.chain(values).collect();
            let own = (all.len() - values.len()) as u32..all.len() as u32;
            let column = Column::from_values(of, all).unwrap();
            Attribute::new(*name, column.gather(&own.collect::<Vec<_>>()))
        })
        .collect();
    let target: Vec<Option<&str>> = classes.iter().map(|&class| Some(CLASSES[class])).collect();
    // Every class is known in this order, whether or not it occurs first.
    let target = Column::nominal(CLASSES.map(Some).into_iter().chain(target));
    let target = target.gather(&(3..rows as u32 + 3).collect::<Vec<_>>());
    attributes.push(Attribute::new("y", target).with_role(Role::Target));
    let database = Database::single(Table::new("t", attributes).unwrap()).unwrap();
    let columns = columns
        .into_iter()
        .map(|(name, of, distance, values)| {
            let distance = distance.parse().unwrap();
            let distance = registry.distance(&distance, &of, None, "a test").unwrap();
            (name, values, distance)
        })
        .collect();
    let data = Data {
        columns,
        classes,
        most: 2 + random.below(2),
    };
    (data, View::new(Arc::new(database), 0))
}

impl Data {
    fn distance(&self, column: usize, a: &Value, b: &Value) -> f64 {
        match self.columns[column].2.between(a, b).unwrap() {
            Measured::Number(number) => number,
            Measured::Pair(_) => unreachable!("no distance here gives pairs"),
        }
    }

    fn counts(&self, rows: &[usize]) -> Vec<f64> {
        let mut counts = vec![0.0; 3];
        rows.iter()
            .for_each(|&row| counts[self.classes[row]] += 1.0);
        counts
    }

    fn prototypes(&self, column: usize, rows: &[usize]) -> Vec<Value> {
        let value = |row: usize| &self.columns[column].1[row];
        let known = rows.iter().copied();
        let rows: Vec<usize> = known.filter(|&row| *value(row) != Value::Missing).collect();
        let values: BTreeSet<&Value> = rows.iter().map(|&row| value(row)).collect();
        let of_class = |class: usize| -> Vec<usize> {
            let own = rows.iter().copied();
            own.filter(|&row| self.classes[row] == class).collect()
        };
        let mut remaining: Vec<usize> = (0..3).filter(|&c| !of_class(c).is_empty()).collect();
        let count = self.most.min(remaining.len()).min(values.len());
        let mut chosen: Vec<Value> = Vec::new();
        for _ in 0..count {
            let mut best: Option<(f64, usize, usize, &Value)> = None;
            for &class in &remaining {
                let own = of_class(class);
                let own_values: BTreeSet<&Value> = own.iter().map(|&row| value(row)).collect();
                for candidate in own_values.into_iter().filter(|v| !chosen.contains(v)) {
                    let far = |&row: &usize| self.distance(column, candidate, value(row));
                    let mean = own.iter().map(far).sum::<f64>() / own.len() as f64;
                    let better = best.is_none_or(|(least, examples, of, _)| {
                        let equal = (mean - least).abs() <= TOLERANCE * mean.max(least);
                        match equal {
                            true => class != of && own.len() > examples,
                            false => mean < least,
                        }
                    });
                    if better {
                        best = Some((mean, own.len(), class, candidate));
                    }
                }
            }
            let Some((_, _, class, candidate)) = best else {
                break;
            };
            remaining.retain(|other| *other != class);
            chosen.push(candidate.clone());
        }
        chosen
    }

    fn attracts(&self, column: usize, prototypes: &[Value], value: &Value) -> usize {
        let far = |place: usize| self.distance(column, &prototypes[place], value);
        let nearest = |place: &usize| {
            (place + 1..prototypes.len())
                .all(|later| far(*place) < far(later) * (1.0 - TOLERANCE / 2.0))
        };
        (0..prototypes.len()).find(nearest).unwrap()
    }

    fn grow(&self, rows: &[usize]) -> Naive {
        let counts = self.counts(rows);
        if counts.iter().filter(|count| **count > 0.0).count() < 2 {
            return Naive::Leaf(counts);
        }
        let entropy = |counts: &[f64]| -> f64 {
            let total: f64 = counts.iter().sum();
            let part = |count: &f64| match *count > 0.0 {
                true => -count / total * (count / total).log2(),
                false => 0.0,
            };
            counts.iter().map(part).sum()
        };
        let mut best: Option<Best> = None;
        for column in 0..self.columns.len() {
            let prototypes = self.prototypes(column, rows);
            if prototypes.len() < 2 {
                continue;
            }
            let mut parts = vec![Vec::new(); prototypes.len()];
            let missing = |row: &usize| self.columns[column].1[*row] == Value::Missing;
            for &row in rows.iter().filter(|row| !missing(row)) {
                let value = &self.columns[column].1[row];
                parts[self.attracts(column, &prototypes, value)].push(row);
            }
            // A row without a value goes to the prototype that attracted most.
            let most = (1..parts.len()).fold(0, |most, part| {
                if parts[part].len() > parts[most].len() {
                    part
                } else {
                    most
                }
            });
            parts[most].extend(rows.iter().filter(|row| missing(row)));
            let sizes: Vec<f64> = parts.iter().map(|part| part.len() as f64).collect();
            let whole = rows.len() as f64;
            let left: f64 = parts
                .iter()
                .map(|part| part.len() as f64 / whole * entropy(&self.counts(part)))
                .sum();
            let ratio = (entropy(&counts) - left) / entropy(&sizes);
            if best.as_ref().is_none_or(|best| ratio > best.ratio + 1e-9) {
                best = Some(Best {
                    ratio,
                    column,
                    prototypes,
                    parts,
                });
            }
        }
        match best {
            None => Naive::Leaf(counts),
            Some(best) => {
                let below = best.parts.iter().map(|part| self.grow(part)).collect();
                Naive::Split(best.column, best.prototypes, below)
            }
        }
    }
}

fn compare(data: &Data, naive: &Naive, model: &TreeModel, tree: &FlatTree, node: u32, seed: u64) {
    let here = tree.node(node);
    match (naive, &here.split) {
        (Naive::Leaf(counts), None) => {
            let [answer] = here.payload.targets.as_slice() else {
                panic!("a leaf counts classes");
            };
            assert_eq!(answer, &Answer::classes(counts.clone()), "seed {seed}");
        }
        (Naive::Split(column, prototypes, below), Some(split)) => {
            assert_eq!(split.test.column() as usize, *column, "seed {seed}");
            let found: Vec<Value> = (0..split.children.len())
                .map(|branch| model.terms.prototype(&split.test, branch).unwrap())
                .collect();
            let name = data.columns[*column].0;
            for (found, expected) in found.iter().zip(prototypes) {
                assert_eq!(found, expected, "seed {seed}, column {name}");
            }
            assert_eq!(split.children.len(), below.len(), "seed {seed}");
            for (naive, &child) in below.iter().zip(&split.children) {
                compare(data, naive, model, tree, child, seed);
            }
        }
        _ => panic!("seed {seed}: one is a leaf, the other is divided"),
    }
}

#[test]
fn soak_the_learner_is_the_pseudo_code() {
    kinwood_testing::soak("soak_the_learner_is_the_pseudo_code", 150, |seed| {
        let (data, view) = random(seed);
        let most = data.most.to_string();
        let settings = [
            ("prototypes", most.as_str()),
            ("distance", EXPRESSION),
            ("preset", "paper"),
        ];
        let learner = (DBDT.build)(&DBDT.settings(&settings).unwrap()).unwrap();
        let task = Task::new(&view, &[5]).unwrap();
        let model = learner.fit(&task, &Context::new()).unwrap();
        let again = stored_again(&*model);
        let rows: Vec<usize> = (0..data.classes.len()).collect();
        let naive = data.grow(&rows);
        compare(&data, &naive, &again, &again.trees()[0].tree, 0, seed);
    });
}

/// The model as it is read from what it writes: trees are compared as users get them.
fn stored_again(model: &dyn Model) -> TreeModel {
    let stored = Stored::from_bytes(bytes(model)).unwrap();
    TreeModel::read(&stored).unwrap()
}
