//! Tests by prototypes as users have them: structured columns and rows behind keys, in every
//! search.

mod like;

use std::sync::Arc;

use kinwood_values::{Attribute, Column, Database, Table, Type, Value, View};

use super::TreeModel;
use super::test::Test;
use crate::{DBDT, FOREST, TREE};
use kinwood_learning::context::Context;
use kinwood_learning::entry::Entry;
use kinwood_learning::error::Result;
use kinwood_learning::model::Model;
use kinwood_learning::random::Generator;
use kinwood_learning::task::Task;
use kinwood_learning::testing::{bytes, check_learner_with, linked_view};

/// Where the class and the number stand.
const CLASS: usize = 4;
const NUMBER: usize = 5;

/// Molecules with a text, a set, a number and atoms behind a key; some values are missing, one
/// molecule has no atoms.
fn molecules(rows: usize) -> View {
    let mut random = Generator::new(3, &[1]);
    let (mut texts, mut sets, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
    let (mut classes, mut numbers) = (Vec::new(), Vec::new());
    let (mut owners, mut elements, mut charges) = (Vec::new(), Vec::new(), Vec::new());
    for row in 0..rows {
        let class = random.below(2);
        let letter = |random: &mut Generator| ["a", "b"][usize::from(random.unit() < 0.8) ^ class];
        let text: String = (0..2 + random.below(4))
            .map(|_| letter(&mut random))
            .collect();
        texts.push(match row % 9 {
            4 => Value::Missing,
            _ => Value::Text(text),
        });
        let set = (0..1 + random.below(3)).map(|_| {
            let name = ["x", "y", "z"][(random.below(2) + class).min(2)];
            Value::Symbol(name.to_owned())
        });
        sets.push(Value::set(set.collect()));
        sizes.push(random.below(7) as f64);
        classes.push(Some(["no", "yes"][class]));
        numbers.push(class as f64 * 3.0 + random.unit());
        for _ in 0..if row == 5 { 0 } else { 1 + random.below(4) } {
            owners.push(row as f64);
            elements.push(Some(["c", "n"][random.below(2)]));
            charges.push(class as f64 + random.unit());
        }
    }
    let set_of = Type::Set(Box::new(Type::Nominal));
    let molecules = vec![
        Attribute::new("text", Column::from_values(&Type::String, &texts).unwrap()),
        Attribute::new("parts", Column::from_values(&set_of, &sets).unwrap()),
        Attribute::new("size", Column::numeric(sizes)),
        Attribute::new("class", Column::nominal(classes)),
        Attribute::new("number", Column::numeric(numbers)),
    ];
    let atoms = vec![
        Attribute::new("element", Column::nominal(elements)),
        Attribute::new("charge", Column::numeric(charges)),
    ];
    linked_view(molecules, ("atom", owners), atoms)
}

fn fitted(
    entry: &Entry,
    given: &[(&str, &str)],
    view: &View,
    target: usize,
    context: &Context,
) -> Result<Box<dyn Model>> {
    let learner = (entry.build)(&entry.settings(given)?)?;
    learner.fit(&Task::new(view, &[target])?, context)
}

fn read(model: &dyn Model) -> TreeModel {
    let stored = kinwood_values::container::Stored::from_bytes(bytes(model)).unwrap();
    TreeModel::read(&stored).unwrap()
}

fn accuracy(model: &dyn Model, view: &View) -> f64 {
    let predicted = model.predict(view, &Context::new()).unwrap();
    let classes = &view.table().attribute(CLASS).column;
    let right = (0..view.len()).filter(|&position| {
        let shares = predicted.targets[0].output.row(position);
        let said = super::response::heaviest(shares) as u32;
        classes.code(view.row(position) as usize) == Some(said)
    });
    right.count() as f64 / view.len() as f64
}

#[test]
fn every_learner_of_trees_keeps_its_rules_on_structured_rows() {
    let view = molecules(40).hiding(0, NUMBER);
    for search in ["greedy", "best_first", "beam"] {
        let given = [
            ("keys", "1"),
            ("search", search),
            ("size", "9"),
            ("width", "3"),
        ];
        check_learner_with(&TREE, &given, &view, &[CLASS]);
        check_learner_with(&DBDT, &given, &view, &[CLASS]);
    }
    for attraction in ["nearest", "density"] {
        let given = [("attraction", attraction), ("prototypes", "all")];
        check_learner_with(&DBDT, &given, &view, &[CLASS]);
    }
    for preset in ["random", "proximity", "proximity2", "extra"] {
        let given = [("preset", preset), ("trees", "5"), ("keys", "1")];
        check_learner_with(&FOREST, &given, &view, &[CLASS]);
    }
    let numbers = molecules(40).hiding(0, CLASS);
    let given = [("keys", "1"), ("prototypes", "3")];
    check_learner_with(&TREE, &given, &numbers, &[NUMBER]);
    check_learner_with(&DBDT, &given, &numbers, &[NUMBER]);
    check_learner_with(&DBDT, &[], &molecules(40), &[CLASS, NUMBER]);
}

#[test]
fn prototypes_tell_molecules_apart() {
    let view = molecules(90).hiding(0, NUMBER);
    let (train, test): (Vec<u32>, Vec<u32>) = (0..90).partition(|row| row % 3 > 0);
    let (train, test) = (view.select(&train), view.select(&test));
    let context = Context::new();
    for (entry, given) in [
        (&DBDT, &[("pruning", "auto")][..]),
        (&TREE, &[("keys", "1")]),
        (&FOREST, &[("preset", "proximity"), ("trees", "20")]),
    ] {
        let model = fitted(entry, given, &train, CLASS, &context).unwrap();
        let found = accuracy(&*model, &test);
        assert!(found > 0.8, "{}: {found}", entry.name);
    }
}

#[test]
fn little_memory_grows_the_same_tree() {
    let view = molecules(50).hiding(0, NUMBER);
    let roomy = fitted(&DBDT, &[], &view, CLASS, &Context::new()).unwrap();
    let narrow = Context::new().with_memory(1000);
    let narrow = fitted(&DBDT, &[], &view, CLASS, &narrow).unwrap();
    assert_eq!(bytes(&*roomy), bytes(&*narrow));
}

#[test]
fn a_beam_of_width_one_is_the_greedy_tree() {
    let view = molecules(40).hiding(0, NUMBER);
    let greedy = [
        ("keys", "1"),
        ("pruning", "none"),
        ("prototypes", "3"),
        ("heuristic", "gain"),
    ];
    let beam = [
        &greedy[..],
        &[
            ("search", "beam"),
            ("width", "1"),
            ("alpha", "0"),
            ("margin", "0"),
        ],
    ]
    .concat();
    let context = Context::new();
    let greedy = read(&*fitted(&TREE, &greedy, &view, CLASS, &context).unwrap());
    let beam = read(&*fitted(&TREE, &beam, &view, CLASS, &context).unwrap());
    assert_eq!(greedy.trees()[0].tree, beam.trees()[0].tree);
}

#[test]
fn constraints_speak_of_tables_that_keys_lead_to() {
    let view = molecules(60).hiding(0, NUMBER);
    let context = Context::new();
    let columns = |constraint: &str, search: &str| {
        let given = [
            ("keys", "1"),
            ("constraints", constraint),
            ("search", search),
        ];
        let model = read(&*fitted(&TREE, &given, &view, CLASS, &context).unwrap());
        let nodes = model.trees()[0].tree.nodes().iter();
        let splits = nodes.filter_map(|node| node.split.as_ref());
        splits
            .map(|split| split.test.column())
            .collect::<Vec<u32>>()
    };
    let atom = view.table().attributes().len() as u32;
    for search in ["greedy", "best_first", "beam"] {
        assert!(columns("uses(atom) and size <= 7", search).contains(&atom));
        let without = columns("not uses(atom) and size <= 7", search);
        assert!(!without.is_empty() && !without.contains(&atom));
    }
    let given = [("keys", "1"), ("constraints", "uses(atoms)")];
    let error = fitted(&TREE, &given, &view, CLASS, &context).err().unwrap();
    assert!(
        error.to_string().contains("did you mean `atom`?"),
        "{error}"
    );
}

#[test]
fn a_test_shows_its_prototypes() {
    let view = molecules(30).hiding(0, NUMBER);
    let given = [("distance", "mean(text: edit)"), ("keys", "0")];
    let model = fitted(&DBDT, &given, &view, CLASS, &Context::new()).unwrap();
    let shown = model.show();
    assert!(shown.contains("text near\n+--"), "{shown}");
    let json = &model.to_json()["trees"][0]["root"];
    let distance = json["test"]["distance"].as_str().unwrap();
    assert!(distance.starts_with("edit("), "{distance}");
    assert_eq!(json["branches"].as_array().map(Vec::len), Some(2));
    let told = model.explain(&view, 0, 1).unwrap().unwrap();
    let step = &told.targets[0].path()[0];
    let near = step.near.as_ref().unwrap();
    assert_eq!(near.prototypes.len(), 2);
    assert!(near.why.is_some() && told.to_text().contains("nearest is prototype"));
    let gap = model
        .sql(kinwood_learning::sql::Asked::Known)
        .unwrap()
        .err()
        .unwrap();
    let why = "it compares `text` with prototypes, and `edit` cannot be computed in SQL";
    assert!(gap.to_string().contains(why), "{gap}");
}

#[test]
fn a_distance_that_does_not_fit_is_refused() {
    let view = molecules(12).hiding(0, NUMBER);
    for (distance, expected) in [
        ("mean(text: edit, pats: jaccard)", "did you mean"),
        ("mean(text: hausdorff)", "text"),
        ("mean(", "column"),
    ] {
        let given = [("distance", distance)];
        let error = fitted(&DBDT, &given, &view, CLASS, &Context::new())
            .err()
            .unwrap()
            .to_string();
        assert!(error.contains(expected), "{distance}: {error}");
    }
}

fn numbers(values: &[f64]) -> View {
    let classes = (0..values.len()).map(|row| Some(if row % 3 == 0 { "a" } else { "b" }));
    let attributes = vec![
        Attribute::new("x", Column::numeric(values.to_vec())),
        Attribute::new("y", Column::nominal(classes)),
    ];
    let database = Database::single(Table::new("t", attributes).unwrap()).unwrap();
    View::new(Arc::new(database), 0)
}

#[test]
fn prototypes_are_values_of_the_data() {
    let mut random = Generator::new(5, &[2]);
    let mut values: Vec<f64> = (0..40).map(|_| random.unit() / 3.0 + 0.29).collect();
    values.push(-1e17);
    let view = numbers(&values);
    let model = read(&*fitted(&DBDT, &[], &view, 1, &Context::new()).unwrap());
    let nodes = model.trees()[0].tree.nodes().iter();
    for split in nodes.filter_map(|node| node.split.as_ref()) {
        for branch in 0..split.children.len() {
            let Some(Value::Number(prototype)) = model.terms.prototype(&split.test, branch) else {
                panic!("a prototype that is a number");
            };
            assert!(values.contains(&prototype), "{prototype}");
        }
    }
}

#[test]
fn numbers_that_cannot_be_added_up_are_told() {
    let view = numbers(&[1e308, -1e308, 3.0, 1e308, -1e308, 7.0]);
    for given in [
        &[][..],
        &[("boundary", "best")],
        &[("attraction", "density")],
    ] {
        match fitted(&DBDT, given, &view, 1, &Context::new()) {
            Ok(model) => drop(model.predict(&view, &Context::new()).unwrap()),
            Err(error) => assert!(error.to_string().contains("too large"), "{error}"),
        }
    }
    let given = [("preset", "proximity"), ("trees", "3")];
    match fitted(&FOREST, &given, &view, 1, &Context::new()) {
        Ok(model) => drop(model.predict(&view, &Context::new()).unwrap()),
        Err(error) => assert!(error.to_string().contains("too large"), "{error}"),
    }
    let error = fitted(&DBDT, &[("distance", "foo(1)")], &view, 1, &Context::new());
    assert!(error.err().unwrap().to_string().contains("foo"));
}

#[test]
fn a_proximity_forest_draws_among_the_distances_of_series() {
    let of: Type = "list<numeric>".parse().unwrap();
    let mut column = Column::empty(&of);
    let mut classes = Vec::new();
    // A bump, early or late, of one class twice as wide as of the other.
    for row in 0..60 {
        let (from, wide) = (2 + row * 7 % 10, if row % 2 == 0 { 3 } else { 6 });
        let numbers = (0..20).map(|place| {
            let inside = (from..from + wide).contains(&place);
            Value::Number(f64::from(u8::from(inside)) + f64::from(row * place % 7) / 70.0)
        });
        column.push(&Value::List(numbers.collect())).unwrap();
        classes.push(Some(["narrow", "wide"][row as usize % 2]));
    }
    let attributes = vec![
        Attribute::new("signal", column),
        Attribute::new("class", Column::nominal(classes)),
    ];
    let database = Database::single(Table::new("t", attributes).unwrap()).unwrap();
    let view = View::new(Arc::new(database), 0);
    let given = [("preset", "proximity2"), ("trees", "20")];
    let model = read(&*fitted(&FOREST, &given, &view, 1, &Context::new()).unwrap());
    let drawn: std::collections::BTreeSet<u32> = model
        .trees()
        .iter()
        .flat_map(|member| member.tree.nodes())
        .filter_map(|node| match &node.split.as_ref()?.test {
            Test::Nearest { nearest, .. } => Some(nearest.measure),
            _ => None,
        })
        .collect();
    assert!(drawn.len() >= 5, "{drawn:?}");
    assert!(model.show().contains("signal near by "), "{}", model.show());
    let inside: Vec<u32> = (0..40).collect();
    let outside: Vec<u32> = (40..60).collect();
    let training = view.select(&inside);
    let model = read(&*fitted(&FOREST, &given, &training, 1, &Context::new()).unwrap());
    let said = model
        .predict(&view.select(&outside).hiding(0, 1), &Context::new())
        .unwrap();
    let output = &said.targets[0].output;
    let right = (0..20)
        .filter(|&row| {
            let shares = output.row(row);
            (shares[1] > shares[0]) == (row % 2 == 1)
        })
        .count();
    assert!(right >= 17, "{right} of 20");
    check_learner_with(&FOREST, &given, &view, &[1]);
}
