//! Rules that every learner keeps, for authors of learners to call in their own tests.

use std::sync::Arc;

use kinwood_values::container::{Sections, Stored};
use kinwood_values::{Attribute, Column, Database, ForeignKey, Role, Table, View};

use crate::context::Context;
use crate::entry::Entry;
use crate::error::Error;
use crate::model::Model;
use crate::predictions::{Output, Predictions};
use crate::random::Generator;
use crate::target::CLASSES;
use crate::task::Task;

/// Molecules, numbered in their first column, and parts behind a key that says whose they are.
///
/// # Panics
/// If columns of one table differ in length.
pub fn linked_view(
    molecules: Vec<Attribute>,
    (name, owners): (&str, Vec<f64>),
    parts: Vec<Attribute>,
) -> View {
    let count = molecules.first().map_or(0, |first| first.column.len());
    let ids = Column::numeric((0..count).map(|row| row as f64).collect());
    let mut attributes = vec![Attribute::new("id", ids).with_role(Role::Id)];
    attributes.extend(molecules);
    let mut molecule = Table::new("molecule", attributes).expect("columns of one length");
    molecule.set_key(Some(vec![0]));
    let mut attributes = vec![Attribute::new("of", Column::numeric(owners)).with_role(Role::Id)];
    attributes.extend(parts);
    let part = Table::new(name, attributes).expect("columns of one length");
    let key = ForeignKey {
        name: format!("{name}s"),
        from: 1,
        from_columns: vec![0],
        to: 0,
        to_columns: vec![0],
        describes: None,
    };
    let (database, _) = Database::new(vec![molecule, part], vec![key]).expect("a database");
    View::new(Arc::new(database), 0)
}

/// The column of [`mixed_view`] that holds a class.
pub const CLASS: usize = 4;
/// The column of [`mixed_view`] that holds a number to predict.
pub const NUMBER: usize = 5;

/// Rows of numbers, labels and missing values, with a class and a number that depend on them.
pub fn mixed_view(rows: usize) -> View {
    let mut generator = Generator::new(42, &[rows as u64]);
    let colours = ["red", "green", "blue"];
    let mut columns: [Vec<f64>; 3] = Default::default();
    let (mut colour, mut class, mut amount) = (Vec::new(), Vec::new(), Vec::new());
    for row in 0..rows {
        let (size, age, noise) = (
            generator.unit() * 10.0,
            generator.below(40) as f64,
            generator.normal(),
        );
        let picked = generator.below(3);
        let sign = size + 4.0 * f64::from(u8::from(picked == 0)) + 0.3 * noise;
        class.push(Some(
            ["low", "middle", "high"][usize::from(sign > 4.0) + usize::from(sign > 9.0)],
        ));
        amount.push(3.0 * size - age + noise);
        let gone = generator.below(10);
        columns[0].push(if gone == 0 { f64::NAN } else { size });
        columns[1].push(if gone == 1 { f64::NAN } else { age });
        // A different name for every row, so that rows can be told apart: an id, not an input.
        columns[2].push(row as f64);
        colour.push((gone != 2).then_some(colours[picked]));
    }
    let [size, age, number] = columns;
    let attributes = vec![
        Attribute::new("number", Column::numeric(number)).with_role(Role::Id),
        Attribute::new("size", Column::numeric(size)),
        Attribute::new("age", Column::numeric(age)),
        Attribute::new("colour", Column::nominal(colour)),
        Attribute::new("class", Column::nominal(class)),
        Attribute::new("amount", Column::numeric(amount)),
    ];
    let table = Table::new("mixed", attributes).expect("columns of one length");
    View::new(Arc::new(Database::single(table).expect("no keys")), 0)
}

/// Fails by panicking, with the rule's name, unless the learner keeps every rule with its default
/// settings: predictions add up and are finite; the same for any number of threads; a model
/// survives its file, byte for byte; another order of queries gives the same answers; weights of 2
/// equal rows that stand twice; one row, one class and unseen labels are no trouble; no rows are
/// refused.
pub fn check_learner(entry: &Entry, view: &View, targets: &[usize]) {
    check_learner_with(entry, &[], view, targets);
    check_weights_with(entry, &[], view, targets);
}

/// Fails by panicking unless with these settings weights of 2 equal rows that stand twice.
pub fn check_weights_with(entry: &Entry, given: &[(&str, &str)], view: &View, targets: &[usize]) {
    let context = Context::new().with_threads(1);
    weights_equal_repetition(view, &fitting(entry, given, targets), &context);
}

/// Fits a learner with these settings.
fn fitting(
    entry: &Entry,
    given: &[(&str, &str)],
    targets: &[usize],
) -> impl Fn(&View, &Context) -> Box<dyn Model> + use<> {
    let targets = targets.to_vec();
    let settings = entry.settings(given).expect("settings");
    let learner = entry.learner(&settings).expect("settings");
    move |view, context| {
        let task = Task::new(view, &targets).expect("a task");
        learner.fit(&task, context).expect("a model")
    }
}

/// As [`check_learner`], with other settings, and without the rule of weights.
pub fn check_learner_with(entry: &Entry, given: &[(&str, &str)], view: &View, targets: &[usize]) {
    let context = Context::new().with_threads(1);
    let fit = fitting(entry, given, targets);
    let model = fit(view, &context);
    let predictions = model.predict(view, &context).expect("predictions");
    add_up(&predictions, view.len(), targets.len());

    let two = Context::new().with_threads(2);
    let again = fit(view, &two);
    assert_eq!(
        predictions,
        again.predict(view, &two).expect("predictions"),
        "two threads agree with one"
    );
    assert_eq!(
        bytes(&*model),
        bytes(&*again),
        "two threads write the same model"
    );

    let stored = Stored::from_bytes(bytes(&*model)).expect("a readable file");
    let loaded = entry.model(&stored).expect("a loaded model");
    assert_eq!(
        predictions,
        loaded.predict(view, &context).expect("predictions"),
        "a loaded model predicts alike"
    );
    assert_eq!(
        bytes(&*model),
        bytes(&*loaded),
        "a loaded model writes the same file"
    );
    assert!(
        model.show().ends_with('\n') && model.to_json().is_object(),
        "a model can be shown"
    );

    let backwards: Vec<u32> = (0..view.len() as u32).rev().collect();
    let turned = model
        .predict(&view.select(&backwards), &context)
        .expect("predictions");
    for (straight, turned) in predictions.targets.iter().zip(&turned.targets) {
        for row in 0..view.len() {
            let mirrored = view.len() - 1 - row;
            assert_eq!(
                answer(&straight.output, row),
                answer(&turned.output, mirrored),
                "order of queries"
            );
        }
    }

    let one = view.select(&[0]);
    add_up(
        &fit(&one, &context)
            .predict(view, &context)
            .expect("one row is enough"),
        view.len(),
        targets.len(),
    );
    assert!(
        matches!(
            Task::new(&view.select(&[]), targets),
            Err(Error::NoRows { .. })
        ),
        "no rows are refused"
    );
    if let Some(&target) = targets.first() {
        let column = &view.table().attribute(target).column;
        let same: Vec<u32> = (0..view.len() as u32)
            .filter(|&row| column.value(row as usize) == column.value(0))
            .collect();
        let lone = fit(&view.select(&same), &context);
        add_up(
            &lone.predict(view, &context).expect("one class is enough"),
            view.len(),
            targets.len(),
        );
    }
}

fn weights_equal_repetition(
    view: &View,
    fit: &dyn Fn(&View, &Context) -> Box<dyn Model>,
    context: &Context,
) {
    let rows = view.len() as u32;
    let twice = |row: &u32| row.is_multiple_of(3);
    let mut repeated: Vec<u32> = Vec::new();
    for row in 0..rows {
        repeated.extend(std::iter::repeat_n(row, if twice(&row) { 2 } else { 1 }));
    }
    let weights = (0..rows)
        .map(|row| if twice(&row) { 2.0 } else { 1.0 })
        .collect();
    let mut attributes = view.table().attributes().to_vec();
    attributes.push(Attribute::new("counts", Column::numeric(weights)).with_role(Role::Weight));
    let table = Table::new(view.table().name(), attributes).expect("columns of one length");
    let weighted = View::new(Arc::new(Database::single(table).expect("no keys")), 0);
    let weighted = fit(&weighted, context)
        .predict(&weighted, context)
        .expect("predictions");
    let repeated = fit(&view.select(&repeated), context)
        .predict(view, context)
        .expect("predictions");
    for (weighted, repeated) in weighted.targets.iter().zip(&repeated.targets) {
        for row in 0..view.len() {
            let pairs = answer(&weighted.output, row)
                .into_iter()
                .zip(answer(&repeated.output, row));
            for (weighted, repeated) in pairs {
                assert!(
                    (weighted - repeated).abs() < 1e-9,
                    "a weight of 2 equals standing twice, row {row}"
                );
            }
        }
    }
}

fn add_up(predictions: &Predictions, rows: usize, targets: usize) {
    assert_eq!(
        predictions.targets.len(),
        targets,
        "every target is predicted"
    );
    for target in &predictions.targets {
        assert_eq!(target.output.len(), rows, "every row is predicted");
        for row in 0..rows {
            let answer = answer(&target.output, row);
            assert!(
                answer.iter().all(|number| number.is_finite()),
                "predictions are finite"
            );
            if target.output.kind().is(&CLASSES) {
                assert!(
                    (answer.iter().sum::<f64>() - 1.0).abs() < 1e-9,
                    "shares add up to one"
                );
                assert!(
                    answer.iter().all(|share| *share >= 0.0),
                    "shares are not negative"
                );
            }
            if let Some(labels) = target.output.kind().as_labels() {
                let some = !labels.dictionary().is_empty();
                assert!(some, "a set has labels to choose from");
                assert!(
                    answer
                        .iter()
                        .all(|share| (0.0..=1.0 + 1e-9).contains(share)),
                    "shares of labels are from 0 to 1"
                );
            }
        }
    }
}

/// Fails by panicking unless, for every row of the view, what the `most` stored rows and the others
/// contribute adds up to what the explanation says is predicted, and that to the prediction.
pub fn check_explanations(model: &dyn Model, view: &View, most: usize) {
    let predictions = model.predict(view, &Context::new()).expect("predictions");
    for row in 0..view.len() {
        let explanation = model
            .explain(view, row, most)
            .expect("a model that explains")
            .expect("an explanation");
        for (target, predicted) in explanation.targets.iter().zip(&predictions.targets) {
            assert!(target.influences().len() <= most);
            let mut parts = target.others.parts.clone();
            let mut share = target.others.share;
            for influence in target.influences() {
                let at = |(name, _): &(String, f64)| *name == influence.answer;
                parts[target.prediction.iter().position(at).unwrap_or(0)] += influence.contribution;
                share += influence.share;
            }
            assert!((share - 1.0).abs() < 1e-9, "shares add up to one: {share}");
            let answer = answer(&predicted.output, row);
            for ((part, (_, told)), predicted) in parts.iter().zip(&target.prediction).zip(answer) {
                assert!(
                    (part - predicted).abs() < 1e-9 && (told - predicted).abs() < 1e-9,
                    "row {row}: {part} and {told} are not {predicted}"
                );
            }
        }
        let text = explanation.to_text();
        assert!(
            text.contains("others") || text.contains("1 other"),
            "{text}"
        );
        assert!(explanation.to_json().is_array());
    }
}

/// What is predicted for a row: its shares, or its number alone.
fn answer(output: &Output, row: usize) -> Vec<f64> {
    output.row(row).to_vec()
}

/// What a model predicts of its first target, row after row: the probabilities of each row, or its
/// number.
pub fn answers(model: &dyn Model, view: &View) -> Vec<f64> {
    let predictions = model.predict(view, &Context::new()).expect("predictions");
    let output = &predictions.targets[0].output;
    (0..output.len())
        .flat_map(|row| answer(output, row))
        .collect()
}

/// The model's file.
pub fn bytes(model: &dyn Model) -> Vec<u8> {
    let mut sections = Sections::new();
    model.write(&mut sections).expect("a model can be written");
    sections.to_bytes().expect("sections become bytes")
}
