//! Every feature alone, and none: what a user may choose must build, and say what it was built
//! without. And one set of features for what is built every day: tests, command and wheel.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::{cargo, execute, line, metadata, told};

/// Crates that are built without features even if they have none, because users depend on them.
const PRODUCTS: &[&str] = &["kinwood", "kinwood-cli"];

/// The crate that has features for its users to see: its tests run without them too.
const TESTED: &str = "kinwood-formats";

/// Checks all choices of features, tests without any, then compares what products and tests are
/// built of.
pub(crate) fn check() -> Result<(), String> {
    for choice in choices(&metadata(&["--no-deps"])?) {
        println!("{}", choice.words());
        let mut command = cargo();
        command
            .args(["check", "--quiet", "--no-default-features"])
            .args(["--package", &choice.package]);
        if let Some(feature) = &choice.feature {
            command.args(["--features", feature]);
        }
        execute(&mut command)?;
    }
    println!("tests of {TESTED} without features");
    let mut tests = cargo();
    tests
        .args(["test", "--quiet", "--no-default-features"])
        .args(["--package", TESTED, "--lib", "--tests"]);
    execute(&mut tests)?;
    same()
}

/// A crate with one feature, or without any.
#[derive(Debug, PartialEq, Eq)]
struct Choice {
    package: String,
    feature: Option<String>,
}

impl Choice {
    fn words(&self) -> String {
        match &self.feature {
            Some(feature) => format!("{} with `{feature}` alone", self.package),
            None => format!("{} without features", self.package),
        }
    }
}

/// Products without features, and each feature of each crate that has some.
fn choices(metadata: &Value) -> Vec<Choice> {
    let packages = metadata["packages"].as_array().cloned().unwrap_or_default();
    let mut choices = Vec::new();
    for package in packages {
        let name = package["name"].as_str().unwrap_or_default();
        let features = package["features"].as_object().cloned().unwrap_or_default();
        let features: Vec<&String> = features
            .keys()
            .filter(|feature| *feature != "default")
            .collect();
        if features.is_empty() && !PRODUCTS.contains(&name) {
            continue;
        }
        let alone = features.into_iter().cloned().map(Some);
        choices.extend(std::iter::once(None).chain(alone).map(|feature| Choice {
            package: name.to_owned(),
            feature,
        }));
    }
    choices
}

/// Fails if the command or the wheel has other features of a shared crate than the tests: all below
/// it would be built again.
pub(crate) fn same() -> Result<(), String> {
    let tests = features(&["--workspace", "--edges", "normal,build,dev"])?;
    let mut faults = Vec::new();
    for product in ["kinwood-cli", "kinwood-python", "kinwood-sqlite"] {
        let own = features(&["--package", product, "--edges", "normal,build"])?;
        faults.extend(differences(product, &own, &tests));
    }
    told(faults)
}

/// The features of each package, for each place where it has others.
type Features = BTreeMap<String, BTreeSet<String>>;

fn features(selection: &[&str]) -> Result<Features, String> {
    let mut command = cargo();
    command
        .args(["tree", "--locked", "--prefix", "none"])
        .args(["--format", "{p}|{f}"])
        .args(selection);
    let output = command
        .output()
        .map_err(|error| format!("cannot run {}: {error}", line(&command)))?;
    if !output.status.success() {
        let reason = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{} failed: {}", line(&command), reason.trim_end()));
    }
    let mut features = Features::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Some((package, list)) = line.split_once('|') else {
            continue;
        };
        let package: Vec<&str> = package.split(' ').take(2).collect();
        let list = list.trim_end_matches(" (*)").trim().to_owned();
        features.entry(package.join(" ")).or_default().insert(list);
    }
    Ok(features)
}

/// Packages that have other features in a product than in the tests, in words.
fn differences(product: &str, own: &Features, tests: &Features) -> Vec<String> {
    let differ = own
        .iter()
        .filter(|(package, features)| tests.get(*package) != Some(features));
    let list = |features: Option<&BTreeSet<String>>| {
        let features = features.into_iter().flatten().cloned();
        features.collect::<Vec<_>>().join(" and ")
    };
    differ
        .map(|(package, features)| {
            let (own, tests) = (list(Some(features)), list(tests.get(package)));
            format!(
                "`{product}` builds `{package}` with the features `{own}`, the tests with `{tests}`: \
                 ask for the same in its Cargo.toml, so that it is built once"
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_feature_is_chosen_alone() {
        let found = choices(&json!({"packages": [
            {"name": "kinwood-values", "features": {}},
            {"name": "kinwood-formats", "features": {"default": ["sqlite"], "sqlite": []}},
            {"name": "kinwood", "features": {}},
        ]}));
        let words: Vec<String> = found.iter().map(Choice::words).collect();
        assert_eq!(
            words,
            [
                "kinwood-formats without features",
                "kinwood-formats with `sqlite` alone",
                "kinwood without features"
            ]
        );
    }

    #[test]
    fn other_features_are_named() {
        let set = |list: &[(&str, &str)]| -> Features {
            let list = list.iter();
            list.map(|(name, features)| {
                ((*name).to_owned(), BTreeSet::from([(*features).to_owned()]))
            })
            .collect()
        };
        let tests = set(&[("serde v1.0.0", "alloc,std"), ("libc v0.2.0", "std")]);
        let own = set(&[("serde v1.0.0", "std"), ("libc v0.2.0", "std")]);
        let found = differences("kinwood-cli", &own, &tests);
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("`serde v1.0.0`"), "{found:?}");
        assert!(found[0].contains("`std`, the tests with `alloc,std`"));
    }
}
