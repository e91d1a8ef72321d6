//! Calibrated probabilities and intervals, which every learner can have.

use std::sync::Arc;

use kinwood_learners::testing::{CLASS, NUMBER, check_learner_with, mixed_view};
use kinwood_learners::{Context, Generator, Model, Registry, Result, TargetPrediction, Task};
use kinwood_values::container::{Sections, Stored};
use kinwood_values::{Attribute, Column, Database, Table, View};

fn fit(name: &str, given: &[(&str, &str)], view: &View, target: usize) -> Result<Box<dyn Model>> {
    let registry = Registry::new();
    let entry = registry.find(name)?;
    let learner = entry.learner(&entry.settings(given)?)?;
    learner.fit(&Task::new(view, &[target])?, &Context::new())
}

fn predicted(model: &dyn Model, view: &View, target: usize) -> TargetPrediction {
    let hidden = view.hiding(view.table_position(), target);
    let mut predictions = model.predict(&hidden, &Context::new()).unwrap();
    predictions.targets.remove(0)
}

/// A number and a class that depend on one column, with noise.
fn noisy(rows: usize, seed: u64) -> View {
    let mut generator = Generator::new(seed, &[]);
    let (mut x, mut y, mut class) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rows {
        let own = generator.unit() * 4.0;
        x.push(own);
        y.push(own * own + generator.normal());
        let yes = generator.unit() < 1.0 / (1.0 + (2.0 - own).exp());
        class.push(Some(if yes { "yes" } else { "no" }));
    }
    let attributes = vec![
        Attribute::new("x", Column::numeric(x)),
        Attribute::new("y", Column::numeric(y)),
        Attribute::new("class", Column::nominal(class)),
    ];
    let table = Table::new("t", attributes).unwrap();
    View::new(Arc::new(Database::single(table).unwrap()), 0)
}

/// Columns of [`noisy`].
const Y: usize = 1;
const YES: usize = 2;

fn without(view: &View, column: usize) -> View {
    view.hiding(view.table_position(), column)
}

#[test]
fn adjusted_learners_keep_the_rules_of_learners() {
    let registry = Registry::new();
    for (name, target, given) in [
        ("tree", CLASS, &[("calibrate", "isotonic")][..]),
        ("tree", NUMBER, &[("interval", "0.8")]),
        ("knn", CLASS, &[("calibrate", "platt"), ("interval", "0.9")]),
    ] {
        let entry = registry.find(name).unwrap();
        check_learner_with(entry, given, &mixed_view(90), &[target]);
    }
}

#[test]
fn intervals_hold_the_truth_as_often_as_wanted() {
    for (learner, level) in [("tree", 0.9), ("tree", 0.5), ("mean", 0.8), ("m5", 0.9)] {
        let train = without(&noisy(600, 1), YES);
        let others = without(&noisy(2000, 2), YES);
        let given = [("interval", format!("{level}"))];
        let given = given
            .each_ref()
            .map(|(name, value)| (*name, value.as_str()));
        let model = fit(learner, &given, &train, Y).unwrap();
        let target = predicted(&*model, &others, Y);
        let ranges = target.output.ranges().unwrap();
        assert_eq!(ranges.level, level);
        let column = others.column(0, Y).unwrap();
        let truth = column.numbers().unwrap();
        let held = (0..others.len()).filter(|&row| ranges.has(row, &[truth[row]]));
        let share = held.count() as f64 / others.len() as f64;
        assert!((share - level).abs() < 0.05, "{learner} {level}: {share}");
        for row in 0..10 {
            let [least, most] = ranges.interval(row).unwrap();
            let middle = target.output.number(row).unwrap();
            assert!(least <= middle && middle <= most);
        }
    }
}

#[test]
fn sets_of_classes_hold_the_truth_as_often_as_wanted() {
    let train = without(&noisy(600, 3), Y);
    let others = without(&noisy(2000, 4), Y);
    let model = fit("tree", &[("interval", "0.9")], &train, YES).unwrap();
    let target = predicted(&*model, &others, YES);
    let ranges = target.output.ranges().unwrap();
    let column = others.column(0, YES).unwrap();
    let truth: Vec<String> = (0..others.len())
        .map(|row| column.value(row).to_string())
        .collect();
    let labels = target.output.kind().dictionary().unwrap();
    let held = (0..others.len()).filter(|&row| {
        let classes = ranges.classes(row).unwrap();
        assert!(classes.contains(&target.output.class(row).unwrap()));
        classes
            .iter()
            .any(|class| labels.label(*class) == truth[row])
    });
    let share = held.count() as f64 / others.len() as f64;
    assert!((share - 0.9).abs() < 0.05, "{share}");
}

/// Rows of two classes that a learner is too sure of: its probabilities become what happens.
#[test]
fn calibrated_probabilities_are_nearer_to_what_happens() {
    let train = without(&noisy(800, 5), Y);
    let others = without(&noisy(3000, 6), Y);
    let column = others.column(0, YES).unwrap();
    let log_loss = |given: &[(&str, &str)]| -> f64 {
        let given = [&[("k", "3")], given].concat();
        let model = fit("knn", &given, &train, YES).unwrap();
        let target = predicted(&*model, &others, YES);
        let labels = target.output.kind().dictionary().unwrap();
        let each = (0..others.len()).map(|row| {
            let truth = column.value(row).to_string();
            let class = (0..2).find(|&class| labels.label(class) == truth).unwrap();
            let shares = target.output.row(row);
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            -shares[class as usize].max(1e-6).ln()
        });
        each.sum::<f64>() / others.len() as f64
    };
    let plain = log_loss(&[]);
    for how in ["isotonic", "platt"] {
        let adjusted = log_loss(&[("calibrate", how)]);
        assert!(adjusted < 0.8 * plain, "{how}: {adjusted} {plain}");
    }
}

#[test]
fn a_model_that_is_read_again_predicts_the_same_ranges() {
    let view = without(&noisy(200, 7), YES);
    let given = [("interval", "0.9")];
    let model = fit("tree", &given, &view, Y).unwrap();
    let mut sections = Sections::new();
    model.write(&mut sections).unwrap();
    let stored = Stored::from_bytes(sections.to_bytes().unwrap()).unwrap();
    let registry = Registry::new();
    let again = registry.find("tree").unwrap().model(&stored).unwrap();
    assert_eq!(predicted(&*model, &view, Y), predicted(&*again, &view, Y));
    assert_eq!(model.show(), again.show());
    assert!(model.show().contains("intervals of probability 0.9"));
}

#[test]
fn what_cannot_be_adjusted_is_refused() {
    let view = mixed_view(60);
    let wrong = |given: &[(&str, &str)], target| {
        let refused = fit("tree", given, &view, target);
        refused.err().unwrap().to_string()
    };
    let message = wrong(&[("calibrate", "isotonic")], NUMBER);
    assert!(message.contains("only probabilities"), "{message}");
    let message = wrong(&[("interval", "90")], NUMBER);
    assert!(message.contains("between 0 and 1"), "{message}");
    let message = wrong(&[("calibrate", "isotonik")], CLASS);
    assert!(message.contains("did you mean `isotonic`?"), "{message}");
}
