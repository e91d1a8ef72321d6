//! Relational model trees on built-in data whose law is known.

use std::sync::Arc;

use kinwood_learners::{Context, Registry};
use kinwood_values::View;
use kinwood_workbench::{Origin, Problem, Trained, sample};
use serde_json::Value;

fn fitted(size: usize, noise: f64, given: &[(&str, &str)], threads: usize) -> Trained {
    let database = sample::find("molecules")
        .unwrap()
        .make(size, noise, 5)
        .unwrap();
    let molecule = database.find("molecule").unwrap();
    let target = database.table(molecule).find("activity").unwrap();
    let other = database.table(molecule).find("active").unwrap();
    let problem = Problem {
        view: View::new(Arc::new(database), molecule).hiding(molecule, other),
        targets: vec![target],
        rows: None,
        timing: None,
    };
    let origin = Origin {
        command: "kinwood fit mirt molecules.sqlite".to_owned(),
        data: "molecules.sqlite".into(),
    };
    let given: Vec<(String, String)> = given
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    Trained::fit(
        &Registry::new(),
        "mirt",
        &given,
        &problem,
        &origin,
        &Context::new().with_threads(threads),
    )
    .unwrap()
    .0
}

/// Every leaf with what its path asked for where it held.
fn leaves(node: &Value, path: &[String], found: &mut Vec<(Vec<String>, Value)>) {
    let Some(test) = node.get("test") else {
        found.push((path.to_vec(), node.clone()));
        return;
    };
    let mut held = path.to_vec();
    held.push(test["words"].as_str().unwrap().to_owned());
    leaves(&node["yes"], &held, found);
    leaves(&node["no"], path, found);
}

#[test]
fn the_planted_law_is_found() {
    let trained = fitted(2000, 0.01, &[("pruning", "models")], 2);
    let tree = trained.model().to_json();
    let mut found = Vec::new();
    leaves(&tree["trees"][0]["root"], &[], &mut found);
    let mut planted = 0.0;
    for (path, leaf) in &found {
        let path = path.join("; ");
        let model = &leaf["models"][0];
        let terms = model["terms"].as_array().cloned().unwrap_or_default();
        let coefficient = |name: &str| {
            let term = terms.iter().find(|term| term["column"] == name);
            term.map_or(0.0, |term| term["coefficient"].as_f64().unwrap())
        };
        let weight = leaf["weight"].as_f64().unwrap();
        let is_planted =
            path.contains("element of atom = n") && path.contains("kind of bond = double");
        if is_planted {
            planted += weight;
            assert!(
                path.contains("atom2_id"),
                "the nitrogen is the second atom of its bond: {path}"
            );
            assert!(
                (coefficient("charge") / 5.0 - 1.0).abs() < 0.05,
                "{path}: {model}"
            );
            assert!(
                (coefficient("logp") / 0.5 - 1.0).abs() < 0.05,
                "{path}: {model}"
            );
            assert!(
                (model["intercept"].as_f64().unwrap() / 3.0 - 1.0).abs() < 0.05,
                "{model}"
            );
        } else if weight > 100.0 {
            assert!(
                (coefficient("logp") / 0.5 - 1.0).abs() < 0.05,
                "{path}: {model}"
            );
        }
    }
    // A nitrogen in a double bond is planted in half of the molecules.
    assert!((planted / 2000.0 - 0.5).abs() < 0.05, "{planted}");
}

#[test]
fn any_number_of_threads_gives_the_same_tree() {
    for given in [
        &[][..],
        &[("preset", "best")],
        &[("search", "beam"), ("size", "7")],
    ] {
        let shown = |threads| fitted(300, 0.1, given, threads).model().show();
        assert_eq!(shown(1), shown(3));
    }
}
