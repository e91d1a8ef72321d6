//! Which crate of the workspace may depend on which; modules inside them have no cycles.
//!
//! Data flows one way, from values to interfaces. The rule is a table; tests are held to it like
//! the code, so a crate's tests cannot look up either.

use serde_json::Value;

use crate::{metadata, modules};

/// Values for tests: every crate may have it as a dev-dependency, and none as another.
const TESTING: &str = "kinwood-testing";

/// Each crate and what it may depend on. A crate of the workspace that is not here is an error.
const LAYERS: &[(&str, &[&str])] = &[
    ("kinwood-container", &[]),
    ("kinwood-text", &[]),
    ("kinwood-values", &["kinwood-container"]),
    (TESTING, &["kinwood-values"]),
    ("kinwood-formats", &["kinwood-values"]),
    ("kinwood-similarity", &["kinwood-values"]),
    ("kinwood-machines", &[]),
    ("kinwood-aggregates", &["kinwood-values"]),
    (
        "kinwood-learning",
        &[
            "kinwood-text",
            "kinwood-values",
            "kinwood-similarity",
            "kinwood-aggregates",
        ],
    ),
    (
        "kinwood-instances",
        &["kinwood-values", "kinwood-similarity", "kinwood-learning"],
    ),
    (
        "kinwood-trees",
        &[
            "kinwood-text",
            "kinwood-values",
            "kinwood-similarity",
            "kinwood-machines",
            "kinwood-learning",
        ],
    ),
    (
        "kinwood-kernels",
        &[
            "kinwood-values",
            "kinwood-similarity",
            "kinwood-machines",
            "kinwood-learning",
        ],
    ),
    (
        "kinwood-boosting",
        &[
            "kinwood-text",
            "kinwood-values",
            "kinwood-similarity",
            "kinwood-learning",
            "kinwood-trees",
        ],
    ),
    (
        "kinwood-learners",
        &[
            "kinwood-text",
            "kinwood-values",
            "kinwood-similarity",
            "kinwood-learning",
            "kinwood-instances",
            "kinwood-trees",
            "kinwood-boosting",
            "kinwood-kernels",
        ],
    ),
    (
        "kinwood-evaluation",
        // The list of learners is for the tests.
        &["kinwood-values", "kinwood-learning", "kinwood-learners"],
    ),
    (
        "kinwood-workbench",
        &[
            "kinwood-text",
            "kinwood-container",
            "kinwood-values",
            "kinwood-formats",
            "kinwood-similarity",
            "kinwood-machines",
            "kinwood-learners",
            "kinwood-evaluation",
        ],
    ),
    (
        "kinwood-pages",
        &[
            "kinwood-text",
            "kinwood-values",
            "kinwood-similarity",
            "kinwood-learners",
            "kinwood-evaluation",
            "kinwood-workbench",
        ],
    ),
    (
        "kinwood-studies",
        &[
            "kinwood-text",
            "kinwood-container",
            "kinwood-values",
            "kinwood-formats",
            "kinwood-learners",
            "kinwood-evaluation",
            "kinwood-workbench",
            "kinwood-pages",
        ],
    ),
    (
        "kinwood-queries",
        &[
            "kinwood-text",
            "kinwood-values",
            "kinwood-formats",
            "kinwood-similarity",
            "kinwood-learners",
            "kinwood-evaluation",
            "kinwood-workbench",
        ],
    ),
    (
        "kinwood",
        &[
            "kinwood-text",
            "kinwood-container",
            "kinwood-values",
            "kinwood-formats",
            "kinwood-similarity",
            "kinwood-learners",
            "kinwood-evaluation",
            "kinwood-workbench",
            "kinwood-pages",
            "kinwood-studies",
            "kinwood-queries",
        ],
    ),
    ("kinwood-cli", &["kinwood-values", "kinwood"]),
    ("kinwood-fuzz", &["kinwood-values", "kinwood"]),
    ("kinwood-python", &["kinwood-values", "kinwood"]),
    ("kinwood-sqlite", &["kinwood"]),
    ("xtask", &[]),
];

/// One crate of the workspace depends on another.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Edge {
    from: String,
    to: String,
    /// `None` for the code itself, else `dev` or `build`.
    kind: Option<String>,
}

/// Checks the workspace this command is run in.
pub(crate) fn check_workspace() -> Result<(), String> {
    let metadata = metadata(&["--no-deps"])?;
    let (crates, edges) = workspace(&metadata)?;
    let mut faults = faults(&crates, &edges);
    faults.extend(modules::faults(&metadata)?);
    if faults.is_empty() {
        Ok(())
    } else {
        Err(faults.join("\n"))
    }
}

/// The crates of the workspace and the edges between them.
fn workspace(metadata: &Value) -> Result<(Vec<String>, Vec<Edge>), String> {
    let unexpected = || "`cargo metadata` has an unexpected shape".to_owned();
    let text = |value: &Value| value.as_str().map(str::to_owned).ok_or_else(unexpected);
    let packages = metadata["packages"].as_array().ok_or_else(unexpected)?;
    let crates: Vec<String> = packages
        .iter()
        .map(|package| text(&package["name"]))
        .collect::<Result<_, _>>()?;
    let mut edges = Vec::new();
    for (from, package) in crates.iter().zip(packages) {
        for dependency in package["dependencies"].as_array().ok_or_else(unexpected)? {
            let to = text(&dependency["name"])?;
            if crates.contains(&to) {
                let kind = dependency["kind"].as_str().map(str::to_owned);
                edges.push(Edge {
                    from: from.clone(),
                    to,
                    kind,
                });
            }
        }
    }
    Ok((crates, edges))
}

/// What breaks the rule, in words.
fn faults(crates: &[String], edges: &[Edge]) -> Vec<String> {
    let rule = |name: &str| LAYERS.iter().find(|(layer, _)| *layer == name);
    let unplaced = crates
        .iter()
        .filter(|name| rule(name).is_none())
        .map(|name| {
            format!("`{name}` has no layer: say in xtask/src/layers.rs what it may depend on")
        });
    let forbidden = edges.iter().filter_map(|edge| {
        let (_, allowed) = rule(&edge.from)?;
        let for_tests = edge.to == TESTING && edge.kind.as_deref() == Some("dev");
        (!for_tests && !allowed.contains(&edge.to.as_str())).then(|| forbidden(edge, allowed))
    });
    unplaced.chain(forbidden).collect()
}

fn forbidden(edge: &Edge, allowed: &[&str]) -> String {
    let Edge { from, to, kind } = edge;
    let kind = kind
        .as_ref()
        .map(|kind| format!(" ({kind}-dependency)"))
        .unwrap_or_default();
    let rule = if allowed.is_empty() {
        "no crate of the workspace".to_owned()
    } else {
        format!("only `{}`", allowed.join("`, `"))
    };
    format!("`{from}` depends on `{to}`{kind}, which it must not: it may depend on {rule}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn package(name: &str, dependencies: &[(&str, Option<&str>)]) -> Value {
        let dependencies: Vec<Value> = dependencies
            .iter()
            .map(|(name, kind)| json!({"name": name, "kind": kind}))
            .collect();
        json!({"name": name, "dependencies": dependencies})
    }

    fn faults_of(packages: &[Value]) -> Vec<String> {
        let (crates, edges) = workspace(&json!({"packages": packages})).unwrap();
        faults(&crates, &edges)
    }

    #[test]
    fn the_workspace_keeps_the_rule() {
        assert_eq!(check_workspace(), Ok(()));
    }

    #[test]
    fn the_workspace_has_edges_to_check() {
        let metadata = metadata(&["--no-deps"]).unwrap();
        let (_, edges) = workspace(&metadata).unwrap();
        assert!(
            edges
                .iter()
                .any(|edge| edge.from == "kinwood-cli" && edge.to == "kinwood")
        );
    }

    #[test]
    fn a_look_back_is_caught() {
        let found = faults_of(&[
            package(
                "kinwood-similarity",
                &[("kinwood-learners", None), ("serde", None)],
            ),
            package("kinwood-learners", &[("kinwood-similarity", None)]),
        ]);
        assert_eq!(
            found,
            [
                "`kinwood-similarity` depends on `kinwood-learners`, which it must not: \
              it may depend on only `kinwood-values`"
            ]
        );
    }

    #[test]
    fn tests_are_held_to_the_rule() {
        let found = faults_of(&[
            package("kinwood-container", &[("kinwood-values", Some("dev"))]),
            package("kinwood-values", &[("kinwood-container", None)]),
        ]);
        assert_eq!(
            found,
            [
                "`kinwood-container` depends on `kinwood-values` (dev-dependency), which it must \
              not: it may depend on no crate of the workspace"
            ]
        );
    }

    #[test]
    fn values_for_tests_are_for_tests() {
        let edge = |kind| {
            faults_of(&[
                package("kinwood-values", &[(TESTING, kind)]),
                package(TESTING, &[("kinwood-values", None)]),
            ])
        };
        assert_eq!(edge(Some("dev")), [""; 0]);
        assert_eq!(edge(None).len(), 1);
    }

    #[test]
    fn interfaces_go_through_the_library() {
        let found = faults_of(&[
            package(
                "kinwood-cli",
                &[("kinwood", None), ("kinwood-formats", None)],
            ),
            package("kinwood", &[("kinwood-formats", None)]),
            package("kinwood-formats", &[]),
        ]);
        assert_eq!(found.len(), 1);
        assert!(
            found[0].starts_with("`kinwood-cli` depends on `kinwood-formats`"),
            "{found:?}"
        );
    }

    #[test]
    fn a_crate_without_a_layer_is_caught() {
        let found = faults_of(&[package("kinwood-extras", &[])]);
        assert!(
            found[0].starts_with("`kinwood-extras` has no layer"),
            "{found:?}"
        );
    }

    #[test]
    fn the_rule_has_no_cycle() {
        // Each crate may depend only on those above it in the table.
        for (position, (name, allowed)) in LAYERS.iter().enumerate() {
            for lower in *allowed {
                assert!(
                    LAYERS[..position]
                        .iter()
                        .any(|(earlier, _)| earlier == lower),
                    "`{name}` may depend on `{lower}`, which does not come before it"
                );
            }
        }
    }
}
