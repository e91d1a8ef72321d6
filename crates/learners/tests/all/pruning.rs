//! A pruning method of a program's own is one more word of the setting `pruning`, for trees over
//! columns and over foreign keys alike.

use kinwood_learners::testing::{CLASS, NUMBER, bytes, linked_view, mixed_view};
use kinwood_learners::tree::PruningMethod;
use kinwood_learners::tree::prune::{Outline, PruningEntry};
use kinwood_learners::{Context, Model, Registry, Task};
use kinwood_values::container::Stored;
use kinwood_values::{Attribute, Column, Role, View};

/// One test is enough.
fn stump(outline: &Outline<'_>) -> Vec<bool> {
    let root = &outline.nodes[0];
    let below = |place: usize| root.children.contains(&(place as u32));
    (0..outline.nodes.len()).map(below).collect()
}

const STUMP: PruningEntry = PruningEntry {
    name: "stump",
    doc: "One test is enough.",
    leaves: stump,
};

fn fit(learner: &str, given: &[(&str, &str)], view: &View, target: usize) -> Box<dyn Model> {
    let registry = Registry::new();
    let entry = registry.find(learner).unwrap();
    let learner = entry.learner(&entry.settings(given).unwrap()).unwrap();
    let task = Task::new(view, &[target]).unwrap();
    learner.fit(&task, &Context::new()).unwrap()
}

/// Parts whose charges decide, in two steps, what their molecule weighs.
fn molecules() -> View {
    let weights: Vec<f64> = (0..60).map(|row| f64::from(row % 4 * 10)).collect();
    let owners: Vec<f64> = (0..60).map(f64::from).collect();
    let charges: Vec<f64> = (0..60).map(|row| f64::from(row % 4)).collect();
    linked_view(
        vec![Attribute::new("weight", Column::numeric(weights)).with_role(Role::Target)],
        ("atom", owners),
        vec![Attribute::new("charge", Column::numeric(charges))],
    )
}

#[test]
fn an_added_method_prunes_trees_over_columns_and_over_keys() {
    let refused = Registry::new()
        .find("tree")
        .unwrap()
        .settings(&[("pruning", "stump")]);
    assert!(
        refused
            .unwrap_err()
            .to_string()
            .contains("one of auto, none")
    );
    assert!(STUMP.register());
    assert!(!STUMP.register(), "a name is registered once");
    for &name in PruningMethod::NAMES {
        assert!(
            !PruningEntry { name, ..STUMP }.register(),
            "`{name}` is built in"
        );
    }
    let (flat, linked) = (mixed_view(120), molecules());
    for (learner, view, target) in [
        ("tree", &flat, CLASS),
        ("dbdt", &flat, NUMBER),
        ("mirt", &linked, 1),
    ] {
        let full = fit(learner, &[("pruning", "none")], view, target);
        let cut = fit(learner, &[("pruning", "stump")], view, target);
        let size = |model: &dyn Model| model.facts().size.unwrap();
        assert!(size(&*full) > 3, "{learner}: {}", full.show());
        // The root and its branches are left.
        let drawn = cut.drawing().unwrap();
        assert_eq!(drawn.trees[0].depth(), 1, "{learner}: {}", cut.show());
        // What is kept in a file is a tree like any other.
        let stored = Stored::from_bytes(bytes(&*cut)).unwrap();
        let registry = Registry::new();
        let loaded = registry.find(learner).unwrap().model(&stored).unwrap();
        assert_eq!(loaded.show(), cut.show(), "{learner}");
    }
    let error = Registry::new()
        .find("mirt")
        .unwrap()
        .settings(&[("pruning", "stmp")]);
    let message = error.unwrap_err().to_string();
    assert!(message.ends_with("did you mean `stump`?"), "{message}");
}
