//! What learners, distances and kernels there are, for programs: the registries as JSON.

use kinwood_learners::Entry as LearnerEntry;
use kinwood_similarity::registry::{Entry, Parameter};
use serde_json::{Value, json};

/// A learner with its settings.
pub fn learner(entry: &LearnerEntry) -> Value {
    let targets: Vec<&str> = entry.targets.types().collect();
    let settings: Vec<Value> = entry
        .all_parameters()
        .iter()
        .map(|parameter| {
            json!({
                "name": parameter.name,
                "doc": parameter.doc,
                "allowed": parameter.allowed.to_string(),
                "default": parameter.default,
            })
        })
        .collect();
    json!({
        "name": entry.name,
        "summary": entry.summary,
        "reference": entry.reference,
        "targets": targets,
        "several_targets": entry.several_targets,
        "settings": settings,
    })
}

/// `kernel` or `distance`.
pub fn kind(entry: &Entry) -> &'static str {
    if entry.is_kernel() {
        "kernel"
    } else {
        "distance"
    }
}

/// The default of a setting of a measure, if it has one.
pub fn default(parameter: &Parameter) -> Option<&'static str> {
    Some(parameter.default).filter(|default| !default.is_empty())
}

/// A distance or kernel with its settings and example.
pub fn measure(entry: &Entry) -> Value {
    let settings: Vec<Value> = entry
        .parameters
        .iter()
        .map(|parameter| {
            json!({
                "name": parameter.name,
                "doc": parameter.doc,
                "allowed": format!("{:#}", parameter.allowed),
                "default": default(parameter),
            })
        })
        .collect();
    json!({
        "name": entry.name,
        "kind": kind(entry),
        "values": entry.values,
        "summary": entry.summary,
        "laws": entry.laws,
        "cost": entry.cost,
        "reference": entry.reference,
        "settings": settings,
        "example": entry.example.map(|example| json!({
            "expression": example.expression,
            "type": example.of,
            "a": example.a,
            "b": example.b,
            "gives": example.gives,
        })),
    })
}
