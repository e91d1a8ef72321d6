//! Every learner that takes a distance takes the one on facts, over rows and what describes them.

use kinwood_learners::testing::{check_learner_with, linked_view};
use kinwood_learners::{Context, Registry, Task};
use kinwood_values::{Attribute, Column, Role, View};

/// Molecules are active if one of their atoms is oxygen of a charge above 1; atoms without a
/// molecule are nobody's.
fn molecules() -> View {
    let (mut owners, mut elements, mut charges, mut active) = (vec![], vec![], vec![], vec![]);
    for molecule in 0..24 {
        let special = molecule % 3 == 0;
        active.push(Some(if special { "yes" } else { "no" }));
        for atom in 0..3 + molecule % 2 {
            owners.push(f64::from(molecule));
            elements.push(Some(["carbon", "hydrogen"][(atom % 2) as usize]));
            charges.push(f64::from(atom) * 0.1 + f64::from(molecule) * 0.01);
        }
        if molecule % 4 != 3 || special {
            owners.push(f64::from(molecule));
            elements.push(Some("oxygen"));
            charges.push(if special { 2.0 } else { 0.1 });
        }
    }
    let active = Attribute::new("active", Column::nominal(active)).with_role(Role::Target);
    let parts = vec![
        Attribute::new("element", Column::nominal(elements)),
        Attribute::new("charge", Column::numeric(charges)),
    ];
    linked_view(vec![active], ("atom", owners), parts)
}

#[test]
fn learners_by_the_distance_on_facts() {
    let view = molecules();
    for (name, given) in [
        ("knn", vec![("distance", "fourlayer"), ("depth", "0")]),
        (
            "knn",
            vec![("distance", "scaled(fourlayer(layer3=matching, M=2))")],
        ),
        (
            "knn",
            vec![(
                "distance",
                "induced(normalised(structural(gaussian(1), arguments=product)))",
            )],
        ),
        (
            "citation_knn",
            vec![("distance", "fourlayer(layer3=sum_of_minima)")],
        ),
        ("centres", vec![("distance", "fourlayer(range=all)")]),
        ("dbdt", vec![("distance", "fourlayer"), ("keys", "0")]),
        (
            "tree",
            vec![
                ("distance", "induced(structural(gaussian(1)))"),
                ("prototypes", "2"),
            ],
        ),
        (
            "forest",
            vec![
                ("distance", "fourlayer"),
                ("trees", "5"),
                ("prototypes", "2"),
            ],
        ),
    ] {
        let registry = Registry::new();
        let entry = registry.find(name).unwrap();
        assert!(
            entry.needs_other_tables(&entry.settings(&given).unwrap()),
            "{name}"
        );
        check_learner_with(entry, &given, &view, &[1]);
        let learner = entry.learner(&entry.settings(&given).unwrap()).unwrap();
        let task = Task::new(&view, &[1]).unwrap();
        let model = learner.fit(&task, &Context::new()).unwrap();
        let predictions = model.predict(&view, &Context::new()).unwrap();
        let output = &predictions.targets[0].output;
        let (Some(classes), shares) = (output.kind().as_classes(), output.numbers()) else {
            panic!("{name} predicts classes");
        };
        let yes = classes.code("yes").unwrap() as usize;
        let right = (0..view.len())
            .filter(|&row| (shares[row * classes.len() + yes] > 0.5) == (row % 3 == 0));
        assert!(right.count() >= 22, "{name} {given:?}");
    }
}
