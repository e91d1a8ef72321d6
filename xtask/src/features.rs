//! Every feature alone, and none: what a user may choose must build.

use serde_json::Value;

use crate::{cargo, dependencies, execute, metadata};

/// Crates that are built without features even if they have none, because users depend on them.
const PRODUCTS: &[&str] = &["kinwood", "kinwood-cli"];

/// Checks all choices of features, then that products and tests share what they are built of.
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
    dependencies::same_features()
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
}
