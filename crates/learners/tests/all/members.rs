//! The models of a set: what is known of each without rows, and each taken out of its set.

use std::sync::Arc;

use kinwood_learners::testing::{CLASS, NUMBER, linked_view, mixed_view};
use kinwood_learners::{Context, Model, Registry, Task, TreeFacts};
use kinwood_values::container::{Sections, Stored};
use kinwood_values::{Attribute, Column, Database, Role, Table, View};

/// Parts of molecules, some of which decide.
fn molecules() -> View {
    let (mut owners, mut elements, mut charges, mut active) = (vec![], vec![], vec![], vec![]);
    for molecule in 0..30 {
        let special = molecule % 3 == 0;
        active.push(Some(if special { "yes" } else { "no" }));
        for atom in 0..3 + molecule % 2 {
            owners.push(f64::from(molecule));
            elements.push(Some(["carbon", "hydrogen", "oxygen"][(atom % 3) as usize]));
            charges.push(f64::from(atom) * 0.1 + if special { 2.0 } else { 0.0 });
        }
    }
    let weights = (0..30).map(|row| f64::from(row * 7 % 11)).collect();
    let active = Attribute::new("active", Column::nominal(active)).with_role(Role::Target);
    let parts = vec![
        Attribute::new("element", Column::nominal(elements)),
        Attribute::new("charge", Column::numeric(charges)),
    ];
    let weight = Attribute::new("weight", Column::numeric(weights));
    linked_view(vec![active, weight], ("atom", owners), parts)
}

/// Numbers without gaps, a class and a number that depend on them.
fn complete() -> View {
    let x = |row: usize, by: usize| (row * by % 17) as f64;
    let numbers = |by: usize| Column::numeric((0..120).map(|row| x(row, by)).collect());
    let class = |row: usize| match (x(row, 5) > 8.0, row.is_multiple_of(7)) {
        (_, true) => "c",
        (true, _) => "a",
        (false, _) => "b",
    };
    let answers = (0..120).map(|row| x(row, 3) * 2.0 + x(row, 11));
    let attributes = vec![
        Attribute::new("p", numbers(3)),
        Attribute::new("q", numbers(5)),
        Attribute::new("r", numbers(11)),
        Attribute::new(
            "class",
            Column::nominal((0..120).map(|row| Some(class(row)))),
        ),
        Attribute::new("answer", Column::numeric(answers.collect())),
    ];
    let table = Table::new("t", attributes).unwrap();
    View::new(Arc::new(Database::single(table).unwrap()), 0)
}

fn fit(learner: &str, given: &[(&str, &str)], view: &View, targets: &[usize]) -> Box<dyn Model> {
    let registry = Registry::new();
    let entry = registry.find(learner).unwrap();
    let learner = entry.learner(&entry.settings(given).unwrap()).unwrap();
    let task = Task::new(view, targets).unwrap();
    learner.fit(&task, &Context::new()).unwrap()
}

fn hidden(view: &View, targets: &[usize]) -> View {
    let table = view.table_position();
    let targets = targets.iter();
    targets.fold(view.clone(), |view, &target| view.hiding(table, target))
}

fn tree(model: &dyn Model) -> TreeFacts {
    model.facts().tree.unwrap()
}

type Case = (
    &'static str,
    Vec<(&'static str, &'static str)>,
    View,
    Vec<usize>,
);

/// Sets of trees of every language.
fn sets() -> Vec<Case> {
    let beam = vec![("search", "beam"), ("width", "4"), ("size", "7")];
    let prototypes = vec![
        ("distance", "fourlayer"),
        ("trees", "5"),
        ("prototypes", "2"),
    ];
    vec![
        ("tree", beam.clone(), mixed_view(80), vec![CLASS]),
        ("tree", beam.clone(), mixed_view(80), vec![CLASS, NUMBER]),
        ("forest", vec![("trees", "5")], mixed_view(80), vec![CLASS]),
        ("forest", vec![("trees", "5")], mixed_view(80), vec![NUMBER]),
        ("forest", prototypes, molecules(), vec![1]),
        (
            "forest",
            vec![("trees", "5"), ("flatten", "none")],
            molecules(),
            vec![1],
        ),
        ("mirt", beam, molecules(), vec![1]),
    ]
}

#[test]
fn a_member_knows_its_shape_and_what_it_looks_at() {
    for (learner, given, view, targets) in sets() {
        let set = fit(learner, &given, &view, &targets);
        assert_eq!(set.facts().tree, None, "a set is no tree");
        for member in set.members().unwrap() {
            let (facts, json) = (tree(&**member), member.to_json());
            let shown = &json["trees"][0];
            for (name, value) in [
                ("size", facts.size),
                ("leaves", facts.leaves),
                ("depth", facts.depth),
            ] {
                assert_eq!(shown[name], value, "{learner} {name}");
            }
            assert_eq!(shown["score"].as_f64(), facts.score, "{learner}");
            // Every column listed is in the words of a test, and the other way round.
            let text = member.show();
            for column in &facts.columns {
                let column = column.strip_prefix("rows of ").unwrap_or(column);
                let name = column.rsplit('.').next().unwrap();
                assert!(text.contains(name), "{learner}: {column} in {text}");
            }
            assert_eq!(facts.columns.is_empty(), facts.size == 1, "{learner}");
        }
    }
}

#[test]
fn what_leaves_counted_is_what_trees_predict_of_training_rows() {
    let view = complete();
    for targets in [vec![3], vec![4], vec![3, 4]] {
        let given = [("search", "beam"), ("width", "3"), ("size", "9")];
        let set = fit("tree", &given, &view, &targets);
        for member in set.members().unwrap() {
            let predicted = member
                .predict(&hidden(&view, &targets), &Context::new())
                .unwrap();
            let training = tree(&**member).training;
            assert_eq!(training.len(), targets.len());
            let known = training.iter().zip(&predicted.targets).zip(&targets);
            for ((score, predicted), &target) in known {
                assert_eq!(score.target, predicted.name);
                let column = &view.table().attribute(target).column;
                let rows = 0..view.len();
                let output = &predicted.output;
                let (measure, expected) = match output.kind().is_number() {
                    true => {
                        let numbers = output.numbers();
                        let wrong = |row: usize| numbers[row] - column.number(row).unwrap();
                        let squares: f64 = rows.map(|row| wrong(row).powi(2)).sum();
                        ("rmse", (squares / 120.0).sqrt())
                    }
                    false => {
                        let right = rows.filter(|&row| output.class(row) == column.code(row));
                        ("accuracy", right.count() as f64 / 120.0)
                    }
                };
                assert_eq!(score.measure, measure);
                assert!(
                    (score.value - expected).abs() < 1e-9,
                    "{score:?} {expected}"
                );
            }
        }
    }
}

#[test]
fn a_picked_member_holds_nothing_of_the_others() {
    for (learner, given, view, targets) in sets() {
        let set = fit(learner, &given, &view, &targets);
        let rows = hidden(&view, &targets);
        let context = Context::new();
        let stored = |model: &dyn Model| {
            let mut sections = Sections::new();
            model.write(&mut sections).unwrap();
            sections.to_bytes().unwrap()
        };
        let members = set.members().unwrap();
        assert!(set.pick(members.len()).is_none());
        for (place, member) in members.iter().enumerate() {
            let picked = set.pick(place).unwrap();
            let expected = member.predict(&rows, &context).unwrap();
            assert_eq!(
                picked.predict(&rows, &context).unwrap(),
                expected,
                "{learner}"
            );
            assert_eq!(picked.facts().tree, member.facts().tree, "{learner}");
            assert!(picked.members().is_none());
            // What is true of the forest alone does not come along.
            let json = picked.to_json();
            assert!(json.get("out_of_bag").is_none() && json.get("importances").is_none());
            assert_eq!(json["trees"], member.to_json()["trees"], "{learner}");
            let bytes = stored(&*picked);
            assert!(bytes.len() < stored(&*set).len(), "{learner}");
            let registry = Registry::new();
            let entry = registry.find(learner).unwrap();
            let read = entry.model(&Stored::from_bytes(bytes).unwrap()).unwrap();
            assert_eq!(
                read.predict(&rows, &context).unwrap(),
                expected,
                "{learner}"
            );
        }
    }
}

#[test]
fn a_picked_tree_keeps_the_prototypes_it_names_only() {
    let given = [
        ("distance", "fourlayer"),
        ("trees", "5"),
        ("prototypes", "2"),
    ];
    let set = fit("forest", &given, &molecules(), &[1]);
    let kept = |model: &dyn Model| {
        let mut sections = Sections::new();
        model.write(&mut sections).unwrap();
        sections.to_bytes().unwrap().len()
    };
    let sizes: Vec<usize> = (0..5)
        .map(|place| kept(&*set.pick(place).unwrap()))
        .collect();
    let alone: Vec<usize> = set
        .members()
        .unwrap()
        .iter()
        .map(|one| kept(&**one))
        .collect();
    assert!(
        sizes
            .iter()
            .zip(&alone)
            .any(|(picked, member)| picked < member),
        "{sizes:?} {alone:?}"
    );
}

#[test]
fn what_is_no_set_has_nothing_to_pick() {
    let view = complete();
    for learner in ["tree", "m5", "mirt", "mean"] {
        let model = fit(learner, &[], &view, &[4]);
        assert!(model.pick(0).is_none(), "{learner}");
    }
    let m5 = fit("m5", &[], &view, &[4]);
    let facts = tree(&*m5);
    assert!(facts.training.is_empty() && facts.score.is_none());
    assert_eq!(m5.facts().size, Some(facts.size as u64));
}

/// The share of the rows whose class a model gets wrong, in training.
fn wrong(model: &dyn Model, view: &View, target: usize) -> f64 {
    let truth = &view.table().attribute(target).column;
    let rows = view.hiding(0, target);
    let predictions = model.predict(&rows, &Context::new()).unwrap();
    let output = &predictions.targets[0].output;
    let classes = output.kind().as_classes().unwrap();
    let misses = (0..view.len()).filter(|&row| {
        let found = classes.label(output.class(row).unwrap());
        truth.value(row).to_string() != found
    });
    misses.count() as f64 / view.len() as f64
}

/// The trees of a set as text, sorted, and the training error of each.
fn listed(set: &dyn Model, view: &View, target: usize) -> Vec<(String, f64)> {
    let one = |member: &dyn Model| {
        let shown = member.to_json()["trees"].to_string();
        (shown, wrong(member, view, target))
    };
    // A set of one tree is that tree.
    let mut each: Vec<_> = match set.members() {
        Some(members) => members.iter().map(|member| one(&**member)).collect(),
        None => vec![one(set)],
    };
    each.sort_by(|a, b| a.0.cmp(&b.0));
    each
}

#[test]
fn trees_near_the_best_are_all_there_are_or_those_that_were_in_the_beam() {
    let view = complete();
    let (class, answer) = (3, 4);
    let view = view.hiding(0, answer);
    let all = [("search", "exhaustive"), ("size", "3")];
    let every = listed(&*fit("tree", &all, &view, &[class]), &view, class);
    let least = every
        .iter()
        .map(|tree| tree.1)
        .fold(f64::INFINITY, f64::min);
    for epsilon in ["0.05", "0.2", "1"] {
        let most = least + epsilon.parse::<f64>().unwrap() + 1e-9;
        let near: Vec<_> = every
            .iter()
            .filter(|tree| tree.1 <= most)
            .cloned()
            .collect();
        let given = [&all[..], &[("epsilon", epsilon)]].concat();
        let set = fit("tree", &given, &view, &[class]);
        assert_eq!(listed(&*set, &view, class), near, "{epsilon}");
        // How often each column occurs is counted over the set.
        let json = set.to_json();
        let counted = json["near_best"]["columns"].as_array().unwrap();
        for column in ["p", "q", "r"] {
            let holds =
                |tree: &&(String, f64)| tree.0.contains(&format!("\"column\":\"{column}\""));
            let expected = near.iter().filter(holds).count();
            let entry = counted.iter().find(|entry| entry["name"] == column);
            let found = entry.map_or(0, |entry| entry["trees"].as_u64().unwrap() as usize);
            assert_eq!(found, expected, "{column} {epsilon}: {}", near[0].0);
        }
        // A beam keeps some of them, more than its width where there are more.
        let beam = [
            ("search", "beam"),
            ("size", "3"),
            ("width", "2"),
            ("pruning", "none"),
            ("epsilon", epsilon),
        ];
        let kept = listed(&*fit("tree", &beam, &view, &[class]), &view, class);
        assert!(kept.iter().all(|tree| tree.1 <= most), "{kept:?}");
        if epsilon == "1" {
            assert!(kept.len() > 2, "{kept:?}");
        }
    }
}
