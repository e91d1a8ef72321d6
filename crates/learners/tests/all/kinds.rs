//! Kinds of targets beyond classes, numbers and sets of labels: learners that take them keep all
//! rules, others say that they do not, and known laws are found.

use std::sync::Arc;

use kinwood_learners::target::{CensoredTime, KINDS, OrderedClasses, Series, TargetKind};
use kinwood_learners::testing::{check_learner_with, check_weights_with};
use kinwood_learners::{Context, Generator, Model, Registry, Task};
use kinwood_values::{
    Attribute, Cells, Column, Database, Dictionary, Role, Table, Type, Value, View,
};

/// A column of some rows' inputs: the first decides, the second does not.
fn inputs(rows: usize) -> (Vec<f64>, Vec<Attribute>) {
    let mut generator = Generator::new(7, &[rows as u64]);
    let decides: Vec<f64> = (0..rows).map(|_| generator.unit() * 10.0).collect();
    let noise: Vec<f64> = (0..rows).map(|_| generator.unit()).collect();
    let gaps = decides.iter().enumerate();
    let gaps = gaps.map(|(row, x)| if row % 17 == 3 { f64::NAN } else { *x });
    let attributes = vec![
        Attribute::new("x", Column::numeric(gaps.collect())),
        Attribute::new("noise", Column::numeric(noise)),
    ];
    (decides, attributes)
}

fn view(mut inputs: Vec<Attribute>, targets: Vec<Attribute>) -> View {
    inputs.extend(targets);
    let table = Table::new("t", inputs).unwrap();
    View::new(Arc::new(Database::single(table).unwrap()), 0)
}

/// Sizes in order, by the first input with some noise.
fn ordered(rows: usize) -> View {
    let (decides, inputs) = inputs(rows);
    let mut generator = Generator::new(8, &[]);
    let codes = decides.iter().map(|x| {
        let level = (x + generator.normal()).clamp(0.0, 9.99);
        (level / 2.5) as u32
    });
    let cells = Cells::Nominal {
        codes: codes.collect(),
        dictionary: Arc::new(Dictionary::from_labels([
            "small", "middle", "large", "huge",
        ])),
    };
    let mut size = Attribute::new("size", Column::new(cells, None));
    size.ordered = true;
    view(inputs, vec![size])
}

/// Times with a hazard ten times as high where the first input is above 5, some censored.
fn censored(rows: usize) -> View {
    let (decides, inputs) = inputs(rows);
    let mut generator = Generator::new(9, &[]);
    let (mut times, mut events) = (Vec::new(), Vec::new());
    for x in &decides {
        let hazard = if *x > 5.0 { 1.0 } else { 0.1 };
        let time = -(1.0 - generator.unit()).ln() / hazard;
        let end = generator.unit() * 12.0;
        times.push(time.min(end));
        events.push(f64::from(u8::from(time <= end)));
    }
    let time = Attribute::new("time", Column::numeric(times));
    let event = Attribute::new("died", Column::numeric(events)).with_role(Role::Event);
    view(inputs, vec![time, event])
}

/// Series that rise or fall by the first input; with a distance their lengths differ.
fn series(rows: usize, distance: Option<&str>) -> View {
    let (decides, inputs) = inputs(rows);
    let mut generator = Generator::new(10, &[]);
    let values: Vec<Value> = decides
        .iter()
        .enumerate()
        .map(|(row, x)| {
            let slope = if *x > 5.0 { 1.0 } else { -1.0 };
            let length = 6 + if distance == Some("dtw") { row % 3 } else { 0 };
            let number = |at: usize| slope * at as f64 + 0.1 * generator.normal();
            Value::List((0..length).map(number).map(Value::Number).collect())
        })
        .collect();
    let of = Type::List(Box::new(Type::Numeric));
    let mut curve = Attribute::new("curve", Column::from_values(&of, &values).unwrap());
    curve.distance = distance.map(str::to_owned);
    view(inputs, vec![curve])
}

const TARGET: usize = 2;

fn all_kinds(rows: usize) -> Vec<View> {
    vec![
        ordered(rows),
        censored(rows),
        series(rows, None),
        series(rows, Some("dtw")),
        series(rows, Some("correlation")),
    ]
}

fn fit(learner: &str, given: &[(&str, &str)], view: &View) -> Box<dyn Model> {
    let registry = Registry::new();
    let entry = registry.find(learner).unwrap();
    let learner = entry.learner(&entry.settings(given).unwrap()).unwrap();
    let task = Task::new(view, &[TARGET]).unwrap();
    learner.fit(&task, &Context::new()).unwrap()
}

#[test]
fn trees_of_every_kind_keep_the_rules() {
    let registry = Registry::new();
    for view in all_kinds(60) {
        let tree = registry.find("tree").unwrap();
        check_learner_with(tree, &[], &view, &[TARGET]);
        // The least size of a leaf counts rows, and a row of weight 2 is one row: here none binds.
        check_weights_with(tree, &[("leaf", "1e-6")], &view, &[TARGET]);
        let beam = [("search", "beam"), ("width", "3"), ("size", "5")];
        check_learner_with(tree, &beam, &view, &[TARGET]);
        for pruning in ["m5", "reduced_error", "none"] {
            let given = [("pruning", pruning)];
            check_learner_with(tree, &given, &view, &[TARGET]);
        }
        let few = [("trees", "4")];
        check_learner_with(registry.find("forest").unwrap(), &few, &view, &[TARGET]);
        check_learner_with(registry.find("dbdt").unwrap(), &[], &view, &[TARGET]);
    }
}

#[test]
fn relational_trees_take_what_has_points() {
    let registry = Registry::new();
    for view in [ordered(60), censored(60), series(60, None)] {
        check_learner_with(registry.find("mirt").unwrap(), &[], &view, &[TARGET]);
    }
    let view = series(20, Some("dtw"));
    let entry = registry.find("mirt").unwrap();
    let learner = entry.learner(&entry.defaults()).unwrap();
    let refused = learner.fit(&Task::new(&view, &[TARGET]).unwrap(), &Context::new());
    let message = refused.err().unwrap().to_string();
    assert!(
        message.contains("`curve` is list<numeric>, whose examples are no points"),
        "{message}"
    );
}

#[test]
fn other_learners_refuse_in_words() {
    let registry = Registry::new();
    let view = ordered(12);
    for (learner, expected) in [
        (
            "knn",
            "`knn` predicts nominal and numeric targets, and `size` is an ordered class",
        ),
        (
            "majority",
            "`majority` predicts nominal targets, and `size` is an ordered class; `mean`",
        ),
        (
            "svm",
            "`svm` predicts single nominal targets, and `size` is an ordered class",
        ),
    ] {
        let entry = registry.find(learner).unwrap();
        let learner = entry.learner(&entry.defaults()).unwrap();
        let refused = learner.fit(&Task::new(&view, &[TARGET]).unwrap(), &Context::new());
        let message = refused.err().unwrap().to_string();
        assert!(message.starts_with(expected), "{message}");
    }
    let task = Task::new(&censored(12), &[TARGET]).unwrap();
    let mean = registry.find("mean").unwrap();
    let refused = mean
        .learner(&mean.defaults())
        .unwrap()
        .fit(&task, &Context::new());
    let message = refused.err().unwrap().to_string();
    assert!(message.contains("`time` is a censored time"), "{message}");
}

#[test]
fn the_split_of_a_known_hazard_is_found() {
    let view = censored(600);
    let model = fit("tree", &[("depth", "1"), ("pruning", "none")], &view);
    let json = model.to_json();
    let test = &json["trees"][0]["root"]["test"];
    assert_eq!(test["column"], "x");
    let threshold = test["above"].as_f64().unwrap();
    assert!((threshold - 5.0).abs() < 0.4, "{threshold}");
    // Above it half are gone by about ln 2.
    let above = &json["trees"][0]["root"]["yes"]["targets"][0];
    let median = above["median"].as_f64().unwrap();
    assert!((median - 0.693).abs() < 0.2, "{median}");
    assert_eq!(json["targets"][0]["kind"], "censored");
    assert!(model.show().contains("events of"), "{}", model.show());
}

#[test]
fn ordered_classes_are_predicted_by_their_median() {
    let view = ordered(300);
    let model = fit("tree", &[], &view);
    let predictions = model.predict(&view, &Context::new()).unwrap();
    let output = &predictions.targets[0].output;
    let column = &view.table().attribute(TARGET).column;
    let off = (0..view.len()).map(|row| {
        let said = output.class(row).unwrap();
        let numbers = output.row(row);
        assert!(
            numbers.windows(2).all(|pair| pair[0] <= pair[1]),
            "cumulative"
        );
        assert_eq!(numbers[3], 1.0);
        assert_eq!(OrderedClasses::median(numbers), said as usize);
        f64::from(column.code(row).unwrap().abs_diff(said))
    });
    let mean = off.sum::<f64>() / view.len() as f64;
    assert!(mean < 0.5, "{mean}");
}

#[test]
fn series_of_leaves_are_means_or_medoids() {
    let view = series(80, None);
    let model = fit("tree", &[("depth", "1"), ("pruning", "none")], &view);
    let json = model.to_json();
    let root = &json["trees"][0]["root"];
    assert_eq!(root["test"]["column"], "x");
    let mean = root["yes"]["targets"][0]["mean"].as_array().unwrap();
    for (at, number) in mean.iter().enumerate() {
        let off = (number.as_f64().unwrap() - at as f64).abs();
        // Rows without an x are in both leaves by halves.
        assert!(off < 0.1 + 0.2 * at as f64, "{mean:?}");
    }
    for distance in ["dtw", "correlation"] {
        let view = series(80, Some(distance));
        let model = fit("forest", &[("trees", "5")], &view);
        let predictions = model.predict(&view, &Context::new()).unwrap();
        let column = &view.table().attribute(TARGET).column;
        let all: Vec<Value> = (0..view.len()).map(|row| column.value(row)).collect();
        for row in 0..view.len() {
            let said = predictions.targets[0].output.value(row);
            assert!(all.contains(&said), "a medoid is a series of training");
        }
    }
}

#[test]
fn kinds_read_back_from_their_terms() {
    let sizes = Dictionary::from_labels(["s", "m", "l"]);
    let rows = vec![vec![1.0, 2.0], vec![3.0]];
    let kinds = [
        TargetKind::number(),
        TargetKind::classes(Arc::new(sizes.clone())),
        TargetKind::new(OrderedClasses(Arc::new(sizes))),
        TargetKind::new(CensoredTime::new([(1.0, true), (2.5, true), (4.0, false)]).unwrap()),
        TargetKind::new(Series::Mean { length: 4 }),
        TargetKind::new(Series::new(rows, "dtw").unwrap()),
    ];
    for kind in &kinds {
        let again = (kind.entry().read)(kind.terms());
        assert_eq!(again.as_ref(), Ok(kind));
        assert_eq!(kind.parts().len(), kind.width());
    }
    let mut names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), KINDS.len(), "every kind has a name of its own");
}
