//! Machines for bags: worked examples, the rules of learners, witnesses.

use std::sync::Arc;

use kinwood_values::container::Stored;
use kinwood_values::{Attribute, Column, Database, Table, Type, Value, View};
use serde_json::json;

use super::MI_SVM;
use crate::tests::{answers, fitted, forged};
use kinwood_learning::random::Generator;
use kinwood_learning::testing::{
    bytes, check_explanations, check_learner_with, check_weights_with, linked_view, mixed_view,
};

const FORMS: [&str; 3] = ["bag", "instance", "kernel"];

/// Bags of numbers in a column, with a class.
fn bags(bags: &[&[f64]], labels: &[&str]) -> View {
    let mut column = Column::empty(&"bag<numeric>".parse::<Type>().unwrap());
    for bag in bags {
        let members = bag.iter().map(|&member| Value::Number(member)).collect();
        column.push(&Value::bag(members)).unwrap();
    }
    let labels = Column::nominal(labels.iter().map(|&label| Some(label)));
    let attributes = vec![
        Attribute::new("bag", column),
        Attribute::new("class", labels),
    ];
    let table = Table::new("t", attributes).unwrap();
    View::new(Arc::new(Database::single(table).unwrap()), 0)
}

/// Molecules of which those with an atom of high charge and low mass are active.
fn molecules(count: usize) -> View {
    let mut generator = Generator::new(7, &[count as u64]);
    let (mut owners, mut charges, mut masses) = (Vec::new(), Vec::new(), Vec::new());
    let mut labels = Vec::new();
    for row in 0..count {
        let active = row % 2 == 0;
        labels.push(Some(if active { "active" } else { "calm" }));
        let atoms = 2 + generator.below(3);
        let special = generator.below(atoms);
        for atom in 0..atoms {
            owners.push(row as f64);
            let odd = active && atom == special;
            charges.push(if odd { 8.0 } else { 0.0 } + generator.normal());
            masses.push(if odd { -6.0 } else { 0.0 } + generator.normal());
        }
    }
    let classes = vec![Attribute::new("class", Column::nominal(labels))];
    let parts = vec![
        Attribute::new("charge", Column::numeric(charges)),
        Attribute::new("mass", Column::numeric(masses)),
    ];
    linked_view(classes, ("atom", owners), parts)
}

#[test]
fn a_bag_is_positive_by_one_member() {
    // Members of the negative bags are about 0; one of each positive bag is 5.
    let view = bags(
        &[
            &[0.1, 5.0],
            &[5.0, -0.1, 0.0],
            &[0.0, 0.2],
            &[-0.1],
            &[0.1, 0.0, -0.2],
        ],
        &["yes", "yes", "no", "no", "no"],
    );
    let asked = bags(&[&[0.0, 0.1, 5.1], &[0.05, -0.3], &[]], &["no", "no", "no"]);
    for form in FORMS {
        let model = fitted(&MI_SVM, &[("form", form), ("c", "100")], &view, &[1]).unwrap();
        let found = answers(&*model, &asked);
        assert!(found[0] > 0.5 && found[2] < 0.5, "{form} {found:?}");
        if form == "kernel" {
            continue;
        }
        // Members of a bag are kept in the order of values: 5.1 is the third.
        let told = model.explain(&asked, 0, 5).unwrap().unwrap();
        let witness = &told.targets[0].path()[0];
        assert_eq!(witness.test, "witness for yes: member 3 of 3", "{form}");
        assert!(
            told.targets[0].terms()[0]
                .name
                .starts_with("a member of row ")
        );
        assert!(
            found[4] < 0.5,
            "an empty bag has no positive member: {found:?}"
        );
        assert!(model.explain(&asked, 2, 5).unwrap().is_ok());
        assert_eq!(model.to_json()["positive"], json!("yes"));
    }
    let witnesses = fitted(&MI_SVM, &[("form", "bag")], &view, &[1]).unwrap();
    assert_eq!(witnesses.to_json()["settled"], json!(true));
    assert!(witnesses.show().contains("positive: yes"));
}

#[test]
fn machines_for_bags_keep_the_rules_of_learners() {
    let linked = molecules(30);
    let mut generator = Generator::new(3, &[]);
    let numbers: Vec<Vec<f64>> = (0..24)
        .map(|row| {
            let mut bag: Vec<f64> = (0..1 + generator.below(3))
                .map(|_| generator.normal())
                .collect();
            if row % 2 == 0 {
                bag[0] += 4.0;
            }
            bag
        })
        .collect();
    let numbers: Vec<&[f64]> = numbers.iter().map(Vec::as_slice).collect();
    let labels: Vec<&str> = (0..24)
        .map(|row| if row % 2 == 0 { "yes" } else { "no" })
        .collect();
    let columns = bags(&numbers, &labels);
    for form in FORMS {
        for given in [
            &[("form", form)][..],
            &[("form", form), ("probabilities", "false"), ("rounds", "3")],
        ] {
            check_learner_with(&MI_SVM, given, &linked, &[1]);
            check_learner_with(&MI_SVM, given, &columns, &[1]);
            check_weights_with(&MI_SVM, given, &columns, &[1]);
        }
        let given = [("form", form), ("positive", "active")];
        let model = fitted(&MI_SVM, &given, &linked, &[1]).unwrap();
        check_explanations(&*model, &linked, 3);
        let found = answers(&*model, &linked);
        let right = (0..30)
            .filter(|&row| (found[row * 2] > 0.5) == (row % 2 == 0))
            .count();
        assert!(right >= 29, "{form} {right}");
    }
}

#[test]
fn settings_are_chosen_on_bags_held_out() {
    let view = molecules(40);
    for form in FORMS {
        // Errors that cost next to nothing are all accepted: the other price must win.
        let given = [
            ("form", form),
            ("c", "0.000001, 10"),
            ("gamma", "auto, auto*2"),
            ("tune", "4"),
        ];
        let model = fitted(&MI_SVM, &given, &view, &[1]).unwrap();
        let shown = model.show();
        assert!(shown.contains("c 10"), "{form}: {shown}");
        assert!(shown.contains("chosen by 4 folds from"), "{form}: {shown}");
        check_learner_with(&MI_SVM, &given, &view, &[1]);
    }
}

#[test]
fn the_positive_class_can_be_named() {
    let view = molecules(20);
    let told = |label: &str| {
        let model = fitted(&MI_SVM, &[("positive", label)], &view, &[1]);
        model.map(|model| model.to_json()["positive"].clone())
    };
    assert_eq!(told("active").unwrap(), json!("active"));
    // As many of both: the label that comes last.
    assert_eq!(told("rare").unwrap(), json!("calm"));
    assert!(
        told("actve")
            .unwrap_err()
            .to_string()
            .ends_with("did you mean `active`?")
    );
}

#[test]
fn what_has_no_bags_is_refused() {
    let failed = fitted(
        &MI_SVM,
        &[],
        &mixed_view(20),
        &[kinwood_learning::testing::CLASS],
    );
    assert!(
        failed
            .err()
            .unwrap()
            .to_string()
            .contains("`mixed` has no bags")
    );
    let failed = fitted(&MI_SVM, &[("bags", "atoms")], &molecules(6), &[1]);
    let message = failed.err().unwrap().to_string();
    assert!(
        message.ends_with("(there are atom); did you mean `atom`?"),
        "{message}"
    );
    let three = bags(&[&[1.0], &[2.0], &[3.0]], &["a", "b", "c"]);
    let message = fitted(&MI_SVM, &[], &three, &[1])
        .err()
        .unwrap()
        .to_string();
    assert!(message.contains("form=kernel"), "{message}");
    assert!(fitted(&MI_SVM, &[("form", "kernel")], &three, &[1]).is_ok());
}

#[test]
fn damaged_files_of_bags_are_refused() {
    let model = fitted(&MI_SVM, &[], &molecules(16), &[1]).unwrap();
    assert!((MI_SVM.load)(&Stored::from_bytes(bytes(&*model)).unwrap()).is_ok());
    type Forge = fn(&mut serde_json::Value);
    let forgeries: [(&str, Forge); 5] = [
        ("bags", |json| json["positive"] = json!(7)),
        ("bags", |json| json["negative"] = json["positive"].clone()),
        ("kernel", |json| {
            json["source"] = json!({"kernel": json["source"]["members"]})
        }),
        ("kernel", |json| json["functions"] = json!(2)),
        ("kernel", |json| {
            let text = json["source"]["members"]["expression"].as_str().unwrap();
            json["source"]["members"]["expression"] =
                json!(text.replace("set(", "normalised(set(").replace(')', "))"));
        }),
    ];
    for (name, forge) in forgeries {
        let stored = forged(&*model, name, |sections, stored| {
            let mut json: serde_json::Value = stored.json(name).unwrap();
            forge(&mut json);
            sections.put_json(name, &json).unwrap();
        });
        assert!((MI_SVM.load)(&stored).is_err(), "{name}");
    }
}
