//! The models of a set beside each other, and one of them as a model of its own.

use kinwood_container::Stored;
use kinwood_evaluation::measures::LOG_LOSS;
use kinwood_learners::testing::{CLASS, linked_view, mixed_view};
use kinwood_learners::{Context, Registry};
use kinwood_values::{Attribute, Column, Role, View};
use kinwood_workbench::members::{Compared, members};
use kinwood_workbench::{Origin, Picked, Problem, Trained};
use serde_json::Value;

fn fit(learner: &str, given: &[(&str, &str)], view: &View, target: usize) -> Trained {
    let owned = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
    let given: Vec<(String, String)> = given.iter().map(owned).collect();
    let problem = Problem {
        view: view.clone(),
        targets: vec![target],
        rows: None,
        timing: None,
    };
    let origin = Origin {
        command: "kinwood fit".to_owned(),
        data: "mixed.csv".to_owned(),
    };
    let (registry, context) = (Registry::new(), Context::new());
    let fitted = Trained::fit(&registry, learner, &given, &problem, &origin, &context);
    fitted.unwrap().0
}

const BEAM: [(&str, &str); 3] = [("search", "beam"), ("width", "4"), ("size", "7")];

fn load(trained: &Trained) -> kinwood_workbench::Result<Trained> {
    let bytes = trained.sections()?.to_bytes()?;
    Trained::from_stored(&Stored::from_bytes(bytes)?, "model.kin", &Registry::new())
}

#[test]
fn a_picked_model_is_a_file_of_its_own() {
    let view = mixed_view(80);
    for (learner, given) in [("tree", &BEAM[..]), ("forest", &[("trees", "4")])] {
        let set = fit(learner, given, &view, CLASS);
        let alone = set.member(3).unwrap();
        let picked = load(&set.pick(3, "kinwood pick MODEL 3").unwrap()).unwrap();
        let (rows, _) = picked.conform(&view).unwrap();
        let context = Context::new();
        assert_eq!(
            picked.predict(&rows, &context).unwrap(),
            alone.predict(&rows, &context).unwrap()
        );
        assert_eq!(picked.members().unwrap(), None);
        let expected = Picked {
            member: 3,
            members: 4,
        };
        assert_eq!(picked.picked(), Some(expected));
        let provenance = picked.provenance();
        assert_eq!(provenance.command, "kinwood fit; kinwood pick MODEL 3");
        assert_eq!(provenance.fingerprint, set.provenance().fingerprint);
        // Picked again it stays as it is; a member that answers alone is picked as what it is.
        let again = picked.pick(1, "again").unwrap();
        assert_eq!(again.provenance().command, provenance.command);
        assert_eq!(again.picked(), Some(expected));
        assert_eq!(
            alone.pick(1, "kinwood pick").unwrap().picked(),
            Some(expected)
        );
        for (wrong, of) in [(&set, 0), (&set, 5), (&picked, 2), (&alone, 3)] {
            let told = wrong.pick(of, "").map(|_| ()).unwrap_err().to_string();
            assert!(
                told.starts_with(&format!("there is no member {of}")),
                "{told}"
            );
        }
        assert_eq!(set.picked(), None);
    }
}

#[test]
fn a_forged_place_in_a_set_is_refused() {
    let picked = fit("tree", &BEAM, &mixed_view(80), CLASS);
    let picked = picked.pick(2, "").unwrap();
    for (place, value) in [("member", 0), ("member", 5), ("members", 1), ("other", 1)] {
        let mut sections = picked.sections().unwrap();
        sections.manifest_mut()["picked"][place] = Value::from(value);
        let stored = Stored::from_bytes(sections.to_bytes().unwrap()).unwrap();
        let read = Trained::from_stored(&stored, "model.kin", &Registry::new());
        assert!(read.is_err(), "{place} {value}");
    }
}

#[test]
fn the_table_has_what_is_known() {
    let view = mixed_view(80);
    let beam = fit("tree", &BEAM, &view, CLASS);
    let (registry, context) = (Registry::new(), Context::new());
    let without = members(&beam, &registry, None, &context).unwrap();
    assert_eq!(without.members.len(), 4);
    let heading = "member  size  leaves  depth     score  training accuracy  columns";
    let text = without.to_text();
    assert!(text.contains(&format!("\n{heading}\n")), "{text}");
    assert!(
        text.starts_with("tree, target class: 4 members\n\n"),
        "{text}"
    );
    let (rows, _) = beam.conform(&view).unwrap();
    let compared = Compared {
        conformed: &rows,
        data: "mixed.csv",
        measures: &[LOG_LOSS],
        folds: Some(4),
    };
    let with = members(&beam, &registry, Some(&compared), &context).unwrap();
    let text = with.to_text();
    let shown = "log_loss  similarity  log_loss by rank      sd  columns";
    assert!(text.contains(shown), "{text}");
    assert!(
        text.contains("\non 80 rows of mixed.csv; by rank over 4 folds, seed 1\n"),
        "{text}"
    );
    let json = with.to_json();
    assert_eq!(json["members"][0]["similarity"], 1.0);
    assert_eq!(json["members"][3]["member"], 4);
    assert_eq!(json["members"][1]["by_rank"]["folds"], 4);
    // A picked model keeps its number, and with it the estimate of its rank.
    let third = beam.pick(3, "").unwrap();
    let alone = members(&third, &registry, Some(&compared), &context).unwrap();
    assert_eq!(alone.members.len(), 1);
    assert_eq!(alone.members[0].number, 3);
    assert_eq!(alone.members[0].by_rank, with.members[2].by_rank);
    assert!(!alone.to_text().contains("similarity"));
}

#[test]
fn trees_inside_a_flattened_forest_are_no_models() {
    let owners: Vec<f64> = (0..60).map(|part| f64::from(part / 3)).collect();
    let class = (0..20).map(|row| Some(["a", "b"][row % 2]));
    let class = Attribute::new("class", Column::nominal(class)).with_role(Role::Target);
    let sizes = (0..60).map(|part| f64::from(part % 7)).collect();
    let parts = vec![Attribute::new("size", Column::numeric(sizes))];
    let view = linked_view(vec![class], ("part", owners), parts);
    let forest = fit("forest", &[("trees", "3"), ("flatten", "p2")], &view, 1);
    let told = forest.pick(1, "").map(|_| ()).unwrap_err().to_string();
    assert_eq!(
        told,
        "the models inside of a `forest` model cannot be used alone"
    );
    let (registry, context) = (Registry::new(), Context::new());
    assert!(members(&forest, &registry, None, &context).is_err());
}
