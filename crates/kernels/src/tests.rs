//! Machines for classes as a whole: worked examples, the rules of learners, kernels that are no
//! inner products, files.

mod matrices;
mod numbers;

pub(super) use kinwood_learning::testing::answers;
use std::sync::Arc;

use kinwood_values::container::{Kind, Sections, Stored};
use kinwood_values::{Attribute, Column, Database, Role, Table, View};
use serde_json::json;

use super::SVM;
use kinwood_learning::context::Context;
use kinwood_learning::entry::Entry;
use kinwood_learning::model::Model;
use kinwood_learning::task::Task;
use kinwood_learning::testing::{
    CLASS, bytes, check_explanations, check_learner, check_learner_with, check_weights_with,
    linked_view, mixed_view,
};

/// Fits a learner.
pub(super) fn fitted(
    entry: &Entry,
    given: &[(&str, &str)],
    view: &View,
    targets: &[usize],
) -> kinwood_learning::error::Result<Box<dyn Model>> {
    let settings = entry.settings(given)?;
    let task = Task::new(view, targets)?;
    entry.learner(&settings)?.fit(&task, &Context::new())
}

/// Points with coordinates and a class, which stands last.
pub(super) fn points(coordinates: &[&[f64]], labels: &[&str]) -> View {
    let names = ["x", "y", "z"];
    let mut attributes: Vec<Attribute> = (0..coordinates[0].len())
        .map(|place| {
            let numbers = coordinates.iter().map(|point| point[place]).collect();
            Attribute::new(names[place], Column::numeric(numbers))
        })
        .collect();
    let labels = Column::nominal(labels.iter().map(|&label| Some(label)));
    attributes.push(Attribute::new("class", labels));
    let table = Table::new("points", attributes).unwrap();
    View::new(Arc::new(Database::single(table).unwrap()), 0)
}

fn classes(model: &dyn Model, view: &View) -> Vec<u32> {
    let predictions = model.predict(view, &Context::new()).unwrap();
    let output = &predictions.targets[0].output;
    (0..view.len())
        .map(|row| output.class(row).unwrap())
        .collect()
}

/// The terms that a prediction is explained by: names, values and coefficients.
fn terms(model: &dyn Model, view: &View, row: usize) -> Vec<(String, f64, f64)> {
    let told = model.explain(view, row, 20).unwrap().unwrap();
    let terms = told.targets[0].terms().iter();
    terms
        .map(|term| (term.name.clone(), term.value, term.coefficient))
        .collect()
}

#[test]
fn two_points_are_divided_half_way() {
    // The kernel is the product of the points, so that the margin is where x = 0 and coefficients
    // are a half.
    let view = points(&[&[-1.0], &[1.0], &[3.0]], &["low", "high", "high"]);
    let given = [("kernel", "linear(absolute, origin='0')"), ("c", "10")];
    let model = fitted(&SVM, &given, &view, &[1]).unwrap();
    let asked = points(&[&[2.0]], &["low"]);
    assert_eq!(
        terms(&*model, &asked, 0),
        [
            ("row 1 (low)".to_owned(), -2.0, -0.5),
            ("row 2 (high)".to_owned(), 2.0, 0.5),
            ("0 others".to_owned(), 1.0, 0.0),
            ("constant".to_owned(), 1.0, 0.0),
        ]
    );
    let json = model.to_json();
    assert_eq!(json["support"], json!({"low": 1, "high": 1}));
    assert_eq!(json["report"]["machines"][0]["objective"], json!(-0.5));
    // Too few rows for a sigmoid: a decision of 2 is as sure as the margin says.
    let share = answers(&*model, &asked)[1];
    assert!((share - 1.0 / (1.0 + (-4.0f64).exp())).abs() < 1e-12);
    let told = model.explain(&asked, 0, 20).unwrap().unwrap().to_text();
    assert!(
        told.contains("near row 2 (high) at 1.0000, not row 1 (low) at 3.0000"),
        "{told}"
    );
}

#[test]
fn four_points_that_no_line_divides() {
    let corners: [&[f64]; 4] = [&[-1.0, -1.0], &[1.0, 1.0], &[-1.0, 1.0], &[1.0, -1.0]];
    let view = points(&corners, &["same", "same", "unlike", "unlike"]);
    let kernel = "polynomial(euclidean(absolute), gamma=0.5, p=2, origin='[0, 0]')";
    let given = [
        ("kernel", kernel),
        ("probabilities", "false"),
        ("tolerance", "1e-9"),
    ];
    let model = fitted(&SVM, &given, &view, &[2]).unwrap();
    assert_eq!(
        answers(&*model, &view),
        [1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0]
    );
    // (1 + x.y)^2 is 9 with itself and 1 with the others: coefficients are 1/8.
    for (name, value, coefficient) in &terms(&*model, &view, 0)[..4] {
        let own = name.starts_with("row 1 ");
        assert!(
            (value - if own { 9.0 } else { 1.0 }).abs() < 1e-9,
            "{value}"
        );
        assert!((coefficient.abs() - 0.125).abs() < 1e-9, "{coefficient}");
    }
}

#[test]
fn machines_keep_the_rules_of_learners() {
    let view = mixed_view(60);
    check_learner(&SVM, &view, &[CLASS]);
    let others: [&[(&str, &str)]; 6] = [
        &[("probabilities", "false"), ("weights", "balanced")],
        &[
            ("weights", "low:2, high:0.5"),
            ("c", "10"),
            ("indefinite", "clip"),
        ],
        &[("kernel", "negative(euclidean)"), ("indefinite", "flip")],
        &[("kernel", "add"), ("indefinite", "as_is")],
        &[("form", "nu"), ("nu", "0.2")],
        &[
            ("tune", "3"),
            ("c", "0.1, 1, 10"),
            ("gamma", "auto, auto*4, 0.5"),
        ],
    ];
    for given in others {
        check_learner_with(&SVM, given, &view, &[CLASS]);
        let model = fitted(&SVM, given, &view, &[CLASS]).unwrap();
        check_explanations(&*model, &view, 3);
    }
    check_learner_with(
        &SVM,
        &[("form", "one_class"), ("nu", "0.2")],
        &view,
        &[CLASS],
    );
    for given in &others[..3] {
        check_weights_with(&SVM, given, &view, &[CLASS]);
    }
}

#[test]
fn what_is_learned_is_right() {
    let view = mixed_view(150);
    let truth = &view.table().attribute(CLASS).column;
    let right = |given: &[(&str, &str)]| {
        let model = fitted(&SVM, given, &view, &[CLASS]).unwrap();
        let found = classes(&*model, &view);
        let same = (0..view.len()).filter(|&row| truth.code(row) == Some(found[row]));
        same.count()
    };
    assert!(right(&[]) > 120, "{}", right(&[]));
    assert!(right(&[("c", "100"), ("probabilities", "false")]) > 140);
}

#[test]
fn one_class_tells_its_rows_from_others() {
    let normal: Vec<[f64; 2]> = (0..40)
        .map(|place| {
            let angle = f64::from(place) * 0.7;
            let radius = f64::from(place % 8) / 7.0;
            [radius * angle.cos(), radius * angle.sin()]
        })
        .collect();
    let mut coordinates: Vec<&[f64]> = normal.iter().map(|point| &point[..]).collect();
    coordinates.push(&[9.0, 9.0]);
    let mut labels = vec!["fine"; 40];
    labels.push("odd");
    let view = points(&coordinates, &labels);
    let given = [
        ("form", "one_class"),
        ("nu", "0.1"),
        ("kernel", "gaussian(euclidean(absolute))"),
    ];
    let model = fitted(&SVM, &given, &view, &[2]).unwrap();
    let found = classes(&*model, &view);
    assert_eq!(found[40], 1);
    assert!(
        found[..40].iter().filter(|class| **class == 0).count() >= 34,
        "{found:?}"
    );
    // With no other class there is one more to predict.
    let view = points(&coordinates[..40], &labels[..40]);
    let model = fitted(&SVM, &given, &view, &[2]).unwrap();
    let far = points(&[&[9.0, 9.0]], &["fine"]);
    let predictions = model.predict(&far, &Context::new()).unwrap();
    let output = &predictions.targets[0].output;
    let classes = output.kind().as_classes().expect("classes are predicted");
    let shares = output.numbers();
    assert_eq!(classes.labels().collect::<Vec<_>>(), ["fine", "other"]);
    assert!(shares[1] > 0.5, "{shares:?}");
    let told = fitted(&SVM, &[("form", "one_class"), ("class", "odd")], &far, &[2]);
    assert!(
        told.err()
            .unwrap()
            .to_string()
            .contains("a class of `class`")
    );
}

#[test]
fn rows_behind_keys_are_compared() {
    let count = 24;
    let mut owners = Vec::new();
    let mut charges = Vec::new();
    let labels: Vec<&str> = (0..count)
        .map(|row| if row % 2 == 0 { "active" } else { "calm" })
        .collect();
    for row in 0..count {
        for part in 0..3 {
            owners.push(f64::from(row));
            charges.push(f64::from(row % 2 * 5 + part) + f64::from(row) * 0.01);
        }
    }
    let molecules = vec![Attribute::new(
        "class",
        Column::nominal(labels.iter().map(|l| Some(*l))),
    )];
    let parts = vec![Attribute::new("charge", Column::numeric(charges))];
    let view = linked_view(molecules, ("atom", owners), parts);
    for kernel in [
        "gaussian(euclidean)",
        "gaussian(fourlayer)",
        "normalised(add)",
    ] {
        let given = [("kernel", kernel)];
        check_learner_with(&SVM, &given, &view, &[1]);
        let model = fitted(&SVM, &given, &view, &[1]).unwrap();
        let found = classes(&*model, &view);
        assert!(
            (0..count as usize).all(|row| found[row] as usize == row % 2),
            "{kernel}"
        );
        let told = model.explain(&view, 0, 3).unwrap().unwrap();
        assert!(!told.targets[0].terms().is_empty());
        let why = told.targets[0]
            .path()
            .first()
            .and_then(|step| step.near.as_ref());
        assert_eq!(
            why.is_some_and(|near| near.why.is_some()),
            kernel.starts_with("gaussian")
        );
    }
    assert!((SVM.follows_keys)(
        &SVM.settings(&[("kernel", "gaussian(fourlayer)"), ("depth", "0")])
            .unwrap()
    ));
    assert!(!(SVM.follows_keys)(
        &SVM.settings(&[("depth", "0")]).unwrap()
    ));
}

#[test]
fn settings_that_do_not_go_together_are_refused() {
    let view = mixed_view(30);
    let message = |given: &[(&str, &str)]| {
        let failed = fitted(&SVM, given, &view, &[CLASS]);
        failed.err().expect("refused").to_string()
    };
    assert!(message(&[("c", "1, 2")]).contains("`tune=5`"));
    assert!(message(&[("c", "0")]).contains("a number above 0"));
    assert!(message(&[("gamma", "fast")]).contains("`auto`"));
    assert!(message(&[("gamma", "2"), ("kernel", "add")]).contains("gaussian"));
    assert!(
        message(&[("gamma", "2"), ("kernel", "gaussian(euclidean, gamma=1)")]).contains("itself")
    );
    assert!(message(&[("weights", "lov:2")]).ends_with("did you mean `low`?"));
    assert!(message(&[("weights", "low=2")]).contains("LABEL:NUMBER"));
    assert!(message(&[("form", "nu"), ("nu", "1")]).contains("nu is 1"));
    let choosing = [("form", "one_class"), ("tune", "5"), ("gamma", "1, 2")];
    assert!(message(&choosing).contains("one_class"));
    // What would do nothing is not accepted in silence.
    assert!(message(&[("tune", "5")]).contains("a list of `c` or `gamma`"));
    assert!(message(&[("class", "low")]).contains("form=one_class"));
    assert!(message(&[("nu", "0.3")]).contains("form=c"));
    assert!(message(&[("form", "nu"), ("c", "3")]).contains("`nu`"));
    assert!(message(&[("gram", "m.npy"), ("gamma", "2")]).contains("beside `gram`"));
    let number = fitted(&SVM, &[], &view, &[kinwood_learning::testing::NUMBER]);
    assert!(number.err().unwrap().to_string().contains("`svr`"));
    let little = Context::new().with_memory(10_000);
    let task = Task::new(&view, &[CLASS]).unwrap();
    let learner = |given: &[(&str, &str)]| SVM.learner(&SVM.settings(given).unwrap()).unwrap();
    let message = learner(&[]).fit(&task, &little).err().unwrap().to_string();
    assert!(message.contains("30 rows needs 1 MB"), "{message}");
    // Computed row by row instead: the same solution but for the tolerance.
    let given = [("indefinite", "as_is"), ("tolerance", "1e-9")];
    let model = learner(&given).fit(&task, &little).unwrap();
    let whole = fitted(&SVM, &given, &view, &[CLASS]).unwrap();
    for (one, other) in answers(&*model, &view).iter().zip(answers(&*whole, &view)) {
        assert!((one - other).abs() < 1e-4, "{one} {other}");
    }
}

/// The model's file with one section replaced.
pub(super) fn forged(
    model: &dyn Model,
    name: &str,
    put: impl Fn(&mut Sections, &Stored),
) -> Stored {
    let stored = Stored::from_bytes(bytes(model)).unwrap();
    let mut sections = Sections::new();
    for section in stored.names() {
        if section == name {
            put(&mut sections, &stored);
            continue;
        }
        match stored.shape(section).unwrap().0 {
            Kind::F64 => sections.put_f64(section, &stored.f64s(section).unwrap()),
            Kind::U32 => sections.put_u32(section, &stored.u32s(section).unwrap()),
            Kind::U64 => sections.put_u64(section, &stored.u64s(section).unwrap()),
            Kind::I64 => sections.put_i64(section, &stored.i64s(section).unwrap()),
            Kind::U8 => sections.put_u8(section, &stored.bytes(section).unwrap()),
            Kind::Text => sections.put_text(section, &stored.text(section).unwrap()),
            _ => {
                let json: serde_json::Value = stored.json(section).unwrap();
                sections.put_json(section, &json)
            }
        }
        .unwrap();
    }
    Stored::from_bytes(sections.to_bytes().unwrap()).unwrap()
}

#[test]
fn damaged_files_are_refused() {
    let model = fitted(&SVM, &[], &mixed_view(40), &[CLASS]).unwrap();
    let refused = |name: &str, put: &dyn Fn(&mut Sections, &Stored)| {
        (SVM.load)(&forged(&*model, name, put)).is_err()
    };
    assert!(!refused("nothing", &|_, _| {}));
    for forge in [
        (|numbers: &mut Vec<f64>| numbers[0] = f64::NAN) as fn(&mut Vec<f64>),
        |numbers| {
            numbers.pop();
        },
        |numbers| numbers.clear(),
    ] {
        for name in ["coefficients", "biases"] {
            assert!(refused(name, &|sections, stored| {
                let mut numbers = stored.f64s(name).unwrap();
                forge(&mut numbers);
                sections.put_f64(name, &numbers).unwrap();
            }));
        }
    }
    assert!(refused("numbers", &|sections, _| sections
        .put_u32("numbers", &[1])
        .unwrap()));
    type Forge = fn(&mut serde_json::Value);
    let forgeries: [(&str, Forge); 8] = [
        ("kernel", |json| json["functions"] = json!(1)),
        ("kernel", |json| json["functions"] = json!(u64::MAX)),
        ("kernel", |json| {
            json["source"]["kernel"]["depth"] = json!(99)
        }),
        ("kernel", |json| json["source"] = json!({"gram": "m.npy"})),
        ("kernel", |json| {
            json["source"]["kernel"]["type"] = json!("tuple<a: numeric>")
        }),
        ("machine", |json| {
            json["decides"]["pairs"]["labels"] = json!([0, 1, 9])
        }),
        ("machine", |json| {
            json["decides"]["pairs"]["labels"] = json!([1, 0, 2])
        }),
        ("machine", |json| {
            json["decides"]["pairs"]["sigmoids"] = json!([null])
        }),
    ];
    for (name, forge) in forgeries {
        assert!(
            refused(name, &|sections, stored| {
                let mut json: serde_json::Value = stored.json(name).unwrap();
                forge(&mut json);
                sections.put_json(name, &json).unwrap();
            }),
            "{name}"
        );
    }
}

#[test]
fn rows_of_no_weight_do_not_count() {
    let view = points(&[&[-1.0], &[1.0], &[0.5]], &["low", "high", "low"]);
    let mut attributes = view.table().attributes().to_vec();
    let weights = Column::numeric(vec![1.0, 1.0, 0.0]);
    attributes.push(Attribute::new("w", weights).with_role(Role::Weight));
    let table = Table::new("points", attributes).unwrap();
    let view = View::new(Arc::new(Database::single(table).unwrap()), 0);
    let given = [("kernel", "linear(absolute, origin='0')"), ("c", "10")];
    let model = fitted(&SVM, &given, &view, &[1]).unwrap();
    assert_eq!(classes(&*model, &view), [0, 1, 1]);
    let nu = fitted(&SVM, &[("form", "nu")], &view.select(&[0, 1]), &[1]);
    assert!(nu.is_ok());
}
