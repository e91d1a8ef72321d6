//! The learner that chooses among the others.

use kinwood_learners::auto::AUTO;
use kinwood_learners::testing::{CLASS, NUMBER, bytes, check_learner_with, mixed_view};
use kinwood_learners::{Context, Model, Registry, Result, Task};
use kinwood_values::View;
use kinwood_values::container::{Sections, Stored};
use serde_json::Value;

/// Few learners, so that tests in builds without optimisation are quick.
const FEW: &[(&str, &str)] = &[
    ("learners", "majority, mean, tree, m5, boost"),
    ("folds", "3"),
];

fn fit(given: &[(&str, &str)], view: &View, target: usize) -> Result<Box<dyn Model>> {
    let registry = Registry::new();
    let entry = registry.find("auto")?;
    let learner = entry.learner(&entry.settings(given)?)?;
    learner.fit(&Task::new(view, &[target])?, &Context::new())
}

fn kept(model: &dyn Model, which: &str) -> Value {
    let shown = model.to_json();
    let kept = shown["kept"].as_array().unwrap().iter();
    let mut found = kept.filter(|own| own[which] == true);
    found.next().unwrap().clone()
}

#[test]
fn it_keeps_the_rules_of_learners() {
    for target in [CLASS, NUMBER] {
        check_learner_with(&AUTO, FEW, &mixed_view(80), &[target]);
    }
}

#[test]
fn the_best_candidate_answers_and_the_readable_one_is_as_good() {
    let view = mixed_view(200);
    for target in [CLASS, NUMBER] {
        let model = fit(FEW, &view, target).unwrap();
        let shown = model.to_json();
        let tried = shown["tried"].as_array().unwrap();
        let loss = |name: &Value| -> (f64, f64) {
            let own = tried.iter().find(|own| own["name"] == *name).unwrap();
            let number = |of: &str| own[of].as_f64().unwrap();
            (number("loss"), number("standard_error"))
        };
        let (best, readable) = (kept(&*model, "best"), kept(&*model, "readable"));
        let (least, error) = loss(&best["name"]);
        let finalists = tried.iter().filter(|own| own["left_out"].is_null());
        for own in finalists {
            assert!(least <= own["loss"].as_f64().unwrap(), "{shown}");
        }
        assert!(loss(&readable["name"]).0 <= least + error);
        assert_ne!(best["learner"], "majority");
        assert_ne!(best["learner"], "mean");
        // The first of them answers.
        assert_eq!(shown["kept"][0]["best"], true);
        let learner = best["learner"].as_str().unwrap().to_owned();
        let words = model.show();
        assert!(words.contains("the best is"), "{words}");
        assert!(words.contains(&learner), "{words}");
    }
}

#[test]
fn the_readable_one_answers_where_that_is_wanted() {
    let view = mixed_view(150);
    let given = [FEW, &[("answer", "readable")]].concat();
    let model = fit(&given, &view, CLASS).unwrap();
    assert_eq!(model.to_json()["kept"][0]["readable"], true);
    let alone = fit(&[("learners", "majority"), ("folds", "3")], &view, CLASS).unwrap();
    assert_eq!(alone.to_json()["kept"].as_array().unwrap().len(), 1);
    assert!(alone.members().is_none());
}

#[test]
fn a_member_is_picked_and_read_again() {
    let view = mixed_view(200);
    let model = fit(FEW, &view, CLASS).unwrap();
    let context = Context::new();
    let hidden = view.hiding(view.table_position(), CLASS);
    let all = model.members().map_or(1, <[_]>::len);
    for member in 0..all {
        let picked = model.pick(member).unwrap();
        let mut sections = Sections::new();
        picked.write(&mut sections).unwrap();
        let stored = Stored::from_bytes(sections.to_bytes().unwrap()).unwrap();
        let again = (AUTO.load)(&stored).unwrap();
        let expected = match model.members() {
            Some(members) => members[member].predict(&hidden, &context).unwrap(),
            None => model.predict(&hidden, &context).unwrap(),
        };
        assert_eq!(again.predict(&hidden, &context).unwrap(), expected);
        assert_eq!(bytes(&*again), bytes(&*picked));
    }
    assert!(model.pick(all).is_none());
}

#[test]
fn what_cannot_be_tried_is_refused_by_name() {
    let view = mixed_view(60);
    let wrong = |given: &[(&str, &str)]| fit(given, &view, CLASS).err().unwrap().to_string();
    let message = wrong(&[("learners", "tre, boost")]);
    assert!(message.contains("did you mean `tree`?"), "{message}");
    let message = wrong(&[("learners", "m5")]);
    assert!(message.contains("suit the data"), "{message}");
}

/// The estimate for new rows is not what the winner of many equal candidates had.
#[test]
fn what_is_expected_allows_for_the_choice() {
    let model = fit(FEW, &mixed_view(200), CLASS).unwrap();
    let shown = model.to_json();
    let least = shown["tried"][0]["loss"].as_f64().unwrap();
    let expected = shown["expected"].as_f64().unwrap();
    assert!(expected > least - 1e-9, "{expected} {least}");
}
