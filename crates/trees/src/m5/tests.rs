use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use kinwood_values::container::{Sections, Stored};
use kinwood_values::{Attribute, Column, Database, Role, Table, Type, Value, View};
use serde_json::json;

use super::*;
use kinwood_learning::drawing::Mark;
use kinwood_learning::random::Generator;
use kinwood_learning::sql::Asked;
use kinwood_learning::testing::{
    CLASS, NUMBER, check_learner, check_learner_with, check_weights_with, mixed_view,
};

fn view(attributes: Vec<Attribute>) -> View {
    let table = Table::new("t", attributes).unwrap();
    View::new(Arc::new(Database::single(table).unwrap()), 0)
}

fn fitted(view: &View, target: usize, given: &[(&str, &str)]) -> Box<dyn Model> {
    let learner = (M5.build)(&M5.settings(given).unwrap()).unwrap();
    let task = Task::new(view, &[target]).unwrap();
    learner.fit(&task, &Context::new()).unwrap()
}

fn answers(model: &dyn Model, view: &View) -> Vec<f64> {
    let predictions = model.predict(view, &Context::new()).unwrap();
    let output = &predictions.targets[0].output;
    (0..view.len())
        .map(|row| output.number(row).unwrap())
        .collect()
}

fn numbers(name: &str, numbers: Vec<f64>) -> Attribute {
    Attribute::new(name, Column::numeric(numbers))
}

/// Two lines, one up to 20 and one from there on, both higher where the colour is blue.
fn bent() -> View {
    let rows = 0..40;
    let x: Vec<f64> = rows.clone().map(f64::from).collect();
    let colour = |row: i32| ["red", "green", "blue"][row as usize % 3];
    let y = rows.clone().map(|row| {
        let x = f64::from(row);
        let rise = match row < 20 {
            true => 50.0 + 10.0 * x,
            false => 1500.0 - 20.0 * x,
        };
        rise + if colour(row) == "blue" { 100.0 } else { 0.0 }
    });
    view(vec![
        numbers("x", x),
        Attribute::new("colour", Column::nominal(rows.map(|row| Some(colour(row))))),
        numbers("y", y.collect()),
    ])
}

#[test]
fn the_rules_of_learners_are_kept() {
    let view = mixed_view(80);
    check_learner(&M5, &view, &[NUMBER]);
    for given in [
        &[("pruning", "false")][..],
        &[("smoothing", "false")],
        &[("constant", "true")],
        &[("leaf", "20"), ("pruning", "false"), ("smoothing", "false")],
    ] {
        check_learner_with(&M5, given, &view, &[NUMBER]);
        check_weights_with(&M5, given, &view, &[NUMBER]);
    }
}

#[test]
fn lines_are_found() {
    let bent = bent();
    let model = fitted(&bent, 2, &[("smoothing", "false")]);
    for (row, answer) in answers(&*model, &bent).into_iter().enumerate() {
        let expected = bent.table().attribute(2).column.number(row).unwrap();
        assert!((answer - expected).abs() < 1e-5, "{row}: {}", model.show());
    }
    assert_eq!(
        model.show(),
        "3 nodes, 2 leaves, depth 1

x > 19.5
+--yes: [LM 1 of 20]
+--no:  [LM 2 of 20]

LM 1: y =
    1500
    - 20 * x
    + 100 * (colour = blue)

LM 2: y =
    50
    + 10 * x
    + 100 * (colour = blue)
"
    );
}

#[test]
fn trees_keep_to_sizes_and_constraints() {
    let view = mixed_view(200);
    let shape = |given: &[(&str, &str)]| {
        let all: Vec<(&str, &str)> = [("pruning", "false")]
            .iter()
            .chain(given)
            .copied()
            .collect();
        let facts = fitted(&view, NUMBER, &all).facts().tree.unwrap();
        (facts.size, facts.depth)
    };
    let free = shape(&[]);
    assert!(free.0 > 7 && free.1 > 2, "{free:?}");
    assert_eq!(shape(&[("depth", "1")]), (3, 1));
    assert!(shape(&[("size", "5")]).0 <= 5);
    assert!(shape(&[("search", "best_first"), ("size", "7")]).0 <= 7);
    assert_eq!(shape(&[("search", "best_first")]), free);
    assert!(shape(&[("constraints", "leaf >= 60")]).0 <= 7);
    let refused = |text: &str| {
        let learner = (M5.build)(&M5.settings(&[("constraints", text)]).unwrap()).unwrap();
        let task = Task::new(&view, &[NUMBER]).unwrap();
        learner
            .fit(&task, &Context::new())
            .err()
            .map(|error| error.to_string())
    };
    assert!(
        refused("uses(nothing)")
            .unwrap()
            .contains("unknown attribute")
    );
}

#[test]
fn what_a_formula_says_adds_up() {
    let mixed = mixed_view(80);
    for given in [
        &[][..],
        &[("pruning", "false")],
        &[("smoothing", "false"), ("constant", "true")],
    ] {
        let model = fitted(&mixed, NUMBER, given);
        let said = answers(&*model, &mixed);
        let drawing = model.drawing().unwrap();
        for (row, said) in said.into_iter().enumerate() {
            let told = model.explain(&mixed, row, 5).unwrap().unwrap();
            let target = &told.targets[0];
            let sum: f64 = target.terms().iter().map(|term| term.contribution).sum();
            assert!((sum - said).abs() < 1e-9, "{row}: {sum} is not {said}");
            assert_eq!(target.prediction, [(String::new(), said)]);
            assert!(told.to_text().contains("coefficient"));
            let passed = model.visited(&mixed, row).unwrap().unwrap();
            assert_eq!(passed.len(), target.path().len() + 1);
            let (_, leaf, _) = passed[passed.len() - 1];
            let [Mark::Number { formula, .. }] =
                drawing.trees[0].nodes[leaf as usize].answers.as_slice()
            else {
                panic!("a number")
            };
            let terms = target.terms().len() - 1;
            let drawn = formula.as_ref().unwrap().matches(" * ").count();
            assert_eq!(drawn, terms);
        }
    }
}

#[test]
fn missing_and_new_labels_are_the_most_frequent() {
    let training = bent();
    let model = fitted(&training, 2, &[]);
    // Red stands once more than the others.
    let asked = view(vec![
        numbers("x", vec![3.0, 3.0, 3.0, f64::NAN, 19.5]),
        Attribute::new(
            "colour",
            Column::nominal([Some("red"), None, Some("red"), Some("red"), Some("red")]),
        ),
        numbers("y", vec![f64::NAN; 5]),
    ]);
    let new = view(vec![
        numbers("x", vec![3.0; 4]),
        Attribute::new(
            "colour",
            Column::nominal([Some("red"), Some("green"), Some("blue"), Some("black")]),
        ),
        numbers("y", vec![f64::NAN; 4]),
    ]);
    let known = answers(&*model, &asked);
    assert_eq!((known[1], known[3]), (known[0], known[4]));
    let found = answers(&*model, &new);
    assert_eq!((found[0], found[3]), (known[0], known[0]));
    assert!(found[2] > found[0] + 50.0);
    let told = model.explain(&new, 3, 1).unwrap().unwrap();
    assert_eq!(told.values, ["3", "black taken as red"]);
    let told = model.explain(&asked, 3, 1).unwrap().unwrap();
    assert_eq!(told.values, ["? taken as 19.5", "red"]);
}

#[test]
fn columns_that_say_nothing_or_the_same_do_no_harm() {
    let mut generator = Generator::new(8, &[]);
    let x: Vec<f64> = (0..50).map(|_| generator.normal()).collect();
    let y = x.iter().map(|x| 2.0 * x + x.abs()).collect();
    let view = view(vec![
        numbers("x", x.clone()),
        numbers("same", x.clone()),
        numbers("turned", x.iter().map(|x| 5.0 - 3.0 * x).collect()),
        numbers("flat", vec![0.1; 50]),
        numbers("unknown", vec![f64::NAN; 50]),
        numbers("far", x.iter().map(|x| 1e290 * x).collect()),
        Attribute::new("none", Column::nominal(vec![None; 50])),
        numbers("y", y),
    ]);
    for given in [&[][..], &[("pruning", "false")]] {
        let model = fitted(&view, 7, given);
        let found = answers(&*model, &view);
        let errors = found.iter().zip(&x);
        let errors = errors.map(|(answer, x)| (answer - (2.0 * x + x.abs())).abs());
        assert!(errors.sum::<f64>() < 0.3 * 50.0, "{}", model.show());
        let shown = model.show();
        assert!(!shown.contains("flat") && !shown.contains("unknown") && !shown.contains("none"));
    }
}

#[test]
fn one_row_and_equal_targets_are_constants() {
    let lone = bent().select(&[7]);
    let model = fitted(&lone, 2, &[]);
    assert_eq!(answers(&*model, &bent())[..2], [120.0, 120.0]);
    assert_eq!(model.show(), "1 node, 1 leaf, depth 0\n\n[120 of 1]\n");
    let even = view(vec![
        numbers("x", (0..20).map(f64::from).collect()),
        numbers("y", vec![0.1; 20]),
    ]);
    let model = fitted(&even, 1, &[]);
    assert_eq!(answers(&*model, &even), [0.1; 20]);
}

#[test]
fn dates_are_numbers_without_sql() {
    let on_day = |day: i32| f64::from(if day < 15 { 10 * day } else { 1000 - 10 * day });
    let moments: Vec<Value> = (0..30)
        .map(|day| Value::DateTime(day * 86_400_000))
        .collect();
    let view = view(vec![
        Attribute::new(
            "day",
            Column::from_values(&Type::DateTime, &moments).unwrap(),
        ),
        numbers("y", (0..30).map(on_day).collect()),
    ]);
    let model = fitted(&view, 1, &[("smoothing", "false")]);
    for (day, answer) in answers(&*model, &view).into_iter().enumerate() {
        assert!(
            (answer - on_day(day as i32)).abs() < 1e-4,
            "{}",
            model.show()
        );
    }
    assert!(model.show().contains("day > 1970-01-"), "{}", model.show());
    let error = model.sql(Asked::Answers).unwrap().unwrap_err();
    assert!(
        error.to_string().contains("tests the time `day`"),
        "{error}"
    );
}

#[test]
fn programs_read_nodes_and_formulas() {
    let told = fitted(&bent(), 2, &[("smoothing", "false")]).to_json();
    assert_eq!(
        told["nodes"].as_array().unwrap().len(),
        told["size"].as_u64().unwrap() as usize
    );
    assert_eq!(
        told["missing_taken_as"],
        json!({"x": 19.5, "colour": "red"})
    );
    assert_eq!(told["nodes"][0]["weight"], 40.0);
}

#[test]
fn what_cannot_be_learned_from_is_named() {
    let error = |view: &View, targets: &[usize]| {
        let none: [(&str, &str); 0] = [];
        let learner = (M5.build)(&M5.settings(&none).unwrap()).unwrap();
        let task = Task::new(view, targets);
        let fitted = task.and_then(|task| learner.fit(&task, &Context::new()));
        fitted.err().unwrap().to_string()
    };
    let mixed = mixed_view(20);
    assert_eq!(
        error(&mixed, &[CLASS]),
        "`m5` predicts single numeric targets, and `class` is nominal"
    );
    assert!(error(&mixed, &[NUMBER, CLASS]).ends_with("`amount` is one of several"));
    assert!(error(&view(vec![numbers("y", vec![1.0, 2.0])]), &[0]).contains("no input column"));
    let words = [Value::Text("a".into()), Value::Text("b".into())];
    let words = view(vec![
        Attribute::new("word", Column::from_values(&Type::String, &words).unwrap()),
        numbers("y", vec![1.0, 2.0]),
    ]);
    assert!(error(&words, &[1]).contains("cannot use column `word`, a `string`"));
    let weightless = view(vec![
        numbers("x", vec![1.0, 2.0]),
        numbers("y", vec![1.0, 2.0]),
        numbers("w", vec![0.0, 0.0]).with_role(Role::Weight),
    ]);
    assert!(error(&weightless, &[1]).contains("weight 0"));
    let far = view(vec![
        numbers("x", (0..10).map(f64::from).collect()),
        numbers("y", (0..10).map(|row| 1e300 * f64::from(row)).collect()),
    ]);
    assert!(error(&far, &[1]).contains("too large"));
}

#[test]
fn work_that_is_stopped_leaves_a_whole_model() {
    let mixed = mixed_view(60);
    let context = Context::new().with_stop(Arc::new(AtomicBool::new(true)));
    let none: [(&str, &str); 0] = [];
    let learner = (M5.build)(&M5.settings(&none).unwrap()).unwrap();
    let task = Task::new(&mixed, &[NUMBER]).unwrap();
    let model = learner.fit(&task, &context).unwrap();
    assert!(context.was_cut_short());
    assert_eq!(model.to_json()["size"], 1);
}

#[test]
fn forged_files_are_refused() {
    let model = fitted(&bent(), 2, &[]);
    let mut sections = Sections::new();
    model.write(&mut sections).unwrap();
    let stored = Stored::from_bytes(sections.to_bytes().unwrap()).unwrap();
    let written: serde_json::Value = stored.json("tree").unwrap();
    type Forge = fn(&mut serde_json::Value);
    let forgeries: [(Forge, &str); 9] = [
        (|tree| tree["nodes"] = json!([]), "nodes that are no tree"),
        (
            |tree| tree["nodes"][0]["split"]["children"][0] = json!(0),
            "nodes that are no tree",
        ),
        (
            |tree| tree["nodes"][0]["split"]["test"]["feature"]["input"] = json!(7),
            "a test of what is not there",
        ),
        (
            |tree| tree["nodes"][0]["split"]["shares"] = json!([0.5, 0.9]),
            "do not add up to one",
        ),
        (
            |tree| tree["nodes"][0]["payload"]["weight"] = json!(-1),
            "an answer that is none",
        ),
        (
            |tree| {
                let term = json!([{"input": 0}, 1.0]);
                tree["nodes"][0]["payload"]["formula"]["terms"] = json!([term, term]);
            },
            "a formula of what is not there, or twice",
        ),
        (
            |tree| {
                tree["nodes"][0]["payload"]["formula"]["terms"] =
                    json!([[{"input": 1, "from": 3}, 1.0]]);
            },
            "a formula of what is not there, or twice",
        ),
        (
            |tree| tree["inputs"][1]["reads"]["labels"]["ranks"] = json!([0, 0, 1]),
            "an input that is none",
        ),
        (
            |tree| tree["inputs"][1]["reads"]["labels"]["mode"] = json!(3),
            "an input that is none",
        ),
    ];
    for (forge, expected) in forgeries {
        let mut forged = written.clone();
        forge(&mut forged);
        let mut sections = Sections::new();
        sections.put_json("tree", &forged).unwrap();
        let stored = Stored::from_bytes(sections.to_bytes().unwrap()).unwrap();
        let error = (M5.load)(&stored).err().unwrap().to_string();
        assert!(error.contains(expected), "{error}");
    }
}
