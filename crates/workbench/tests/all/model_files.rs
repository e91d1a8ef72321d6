//! Model files: what is written comes back, damage is named, crafted files do no harm.

use std::path::{Path, PathBuf};

use kinwood_container::{Kind, Sections, Stored};
use kinwood_evaluation::importance::importance;
use kinwood_evaluation::members::members_on_rows;
use kinwood_learners::sql::Asked;
use kinwood_learners::testing::{CLASS, NUMBER, linked_view, mixed_view};
use kinwood_learners::{Context, Entry, Generator, Predictions, Registry, Targets};
use kinwood_values::{Attribute, Column, Role, View};
use kinwood_workbench::fingerprint::fingerprint;
use kinwood_workbench::{Origin, Problem, Trained};

/// What a learner is tried on: bags if it needs them, else flat rows.
fn data_for(learner: &str) -> View {
    if learner != "mi_svm" {
        return mixed_view(40);
    }
    let mut generator = Generator::new(7, &[]);
    let (mut owners, mut class) = (Vec::new(), Vec::new());
    let mut columns: [Vec<f64>; 2] = Default::default();
    for bag in 0..20 {
        class.push(Some(["no", "yes"][bag % 2]));
        for member in 0..3 {
            owners.push(bag as f64);
            let special = f64::from(u8::from(bag % 2 == 1 && member == 0));
            columns[0].push(generator.normal() + 5.0 * special);
            columns[1].push(generator.normal());
        }
    }
    let class = Attribute::new("class", Column::nominal(class)).with_role(Role::Target);
    let [x, y] = columns.map(Column::numeric);
    let parts = vec![Attribute::new("x", x), Attribute::new("y", y)];
    linked_view(vec![class], ("member", owners), parts)
}

fn fit(learner: &str, targets: &[usize]) -> Trained {
    fit_with(learner, targets, &[])
}

fn fit_with(learner: &str, targets: &[usize], given: &[(&str, &str)]) -> Trained {
    let owned = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
    let given: Vec<(String, String)> = given.iter().map(owned).collect();
    let origin = Origin {
        command: format!("kinwood fit {learner} mixed.csv"),
        data: "mixed.csv".into(),
    };
    Trained::fit(
        &Registry::new(),
        learner,
        &given,
        &Problem {
            view: data_for(learner),
            targets: targets.to_vec(),
            rows: None,
            timing: None,
        },
        &origin,
        &Context::new(),
    )
    .unwrap()
    .0
}

/// One model of every learner of the registry, of a class and a number where it can.
fn models() -> Vec<(&'static str, Trained)> {
    let registry = Registry::new();
    let model = |entry: &Entry| {
        let view = data_for(entry.name);
        let place = |name: &str| view.table().find(name).unwrap();
        let class = || place("class");
        let number = || place(&mixed_view(1).table().attribute(NUMBER).name);
        let targets = match entry.targets {
            targets if targets == Targets::NOMINAL => vec![class()],
            targets if targets == Targets::NUMERIC => vec![number()],
            _ if entry.several_targets => vec![class(), number()],
            _ => vec![class()],
        };
        // A few trees are enough of a forest, and few candidates of a choice.
        let has = |name: &str| {
            let mut parameters = entry.parameters.iter();
            parameters.any(|parameter| parameter.name == name)
        };
        let few: &[(&str, &str)] = match () {
            () if has("trees") => &[("trees", "3")],
            () if has("learners") => &[("learners", "majority, mean, tree"), ("folds", "2")],
            () => &[],
        };
        (entry.name, fit_with(entry.name, &targets, few))
    };
    registry.entries().iter().map(model).collect()
}

fn load(bytes: Vec<u8>) -> kinwood_workbench::Result<Trained> {
    Trained::from_stored(&Stored::from_bytes(bytes)?, "model.kin", &Registry::new())
}

fn predict(trained: &Trained, learner: &str) -> kinwood_workbench::Result<Predictions> {
    let (view, _) = trained.conform(&data_for(learner))?;
    trained.predict(&view, &Context::new())
}

#[test]
fn what_is_written_comes_back() {
    for (name, trained) in models() {
        let bytes = trained.sections().unwrap().to_bytes().unwrap();
        let loaded = load(bytes.clone()).unwrap();
        assert_eq!(
            predict(&loaded, name).unwrap(),
            predict(&trained, name).unwrap(),
            "{name}"
        );
        assert_eq!(
            loaded.sections().unwrap().to_bytes().unwrap(),
            bytes,
            "{name}"
        );
        assert_eq!(loaded.provenance(), trained.provenance());
        assert_eq!(loaded.settings(), trained.settings());
        assert_eq!(loaded.target_names(), trained.target_names());
    }
}

#[test]
fn every_learner_is_among_the_models_tested() {
    let tested: Vec<&str> = models().iter().map(|(name, _)| *name).collect();
    let registry = Registry::new();
    assert_eq!(
        tested,
        registry
            .entries()
            .iter()
            .map(|entry| entry.name)
            .collect::<Vec<_>>()
    );
}

#[test]
fn damage_is_an_error() {
    for (name, trained) in models() {
        let bytes = trained.sections().unwrap().to_bytes().unwrap();
        for length in (0..bytes.len()).step_by(37) {
            assert!(
                load(bytes[..length].to_vec()).is_err(),
                "{name} cut to {length} bytes"
            );
        }
        for position in (0..bytes.len()).step_by(11) {
            let mut flipped = bytes.clone();
            flipped[position] ^= 1 << (position % 8);
            assert!(
                load(flipped).is_err(),
                "{name} with a bit of byte {position} flipped"
            );
        }
    }
}

/// The sections of a file, one of them changed, with checksums that fit: what a forger would write.
fn forged(stored: &Stored, changed: &str, generator: &mut Generator) -> Vec<u8> {
    forged_with(stored, stored.manifest().clone(), changed, generator)
}

fn forged_with(
    stored: &Stored,
    manifest: serde_json::Map<String, serde_json::Value>,
    changed: &str,
    generator: &mut Generator,
) -> Vec<u8> {
    let mut sections = Sections::new();
    *sections.manifest_mut() = manifest;
    let names: Vec<String> = stored.names().map(str::to_owned).collect();
    for name in &names {
        let forge = name == changed;
        let (kind, _) = stored.shape(name).unwrap();
        match kind {
            Kind::U8 => sections.put_u8(
                name,
                &edit(stored.bytes(name).unwrap(), forge, generator, |g| {
                    g.bits() as u8
                }),
            ),
            Kind::U32 => sections.put_u32(
                name,
                &edit(stored.u32s(name).unwrap(), forge, generator, hostile_u32),
            ),
            Kind::U64 => sections.put_u64(
                name,
                &edit(stored.u64s(name).unwrap(), forge, generator, hostile_u64),
            ),
            Kind::I64 => sections.put_i64(
                name,
                &edit(stored.i64s(name).unwrap(), forge, generator, |g| {
                    hostile_u64(g) as i64
                }),
            ),
            Kind::F64 => sections.put_f64(
                name,
                &edit(stored.f64s(name).unwrap(), forge, generator, hostile_f64),
            ),
            Kind::Text => {
                let text = stored.text(name).unwrap();
                sections.put_text(
                    name,
                    &edit(text, forge, generator, |g| format!("forged {}", g.below(3))),
                )
            }
            Kind::Json => {
                let mut json: serde_json::Value = stored.json(name).unwrap();
                if forge {
                    forge_json(&mut json, generator);
                }
                sections.put_json(name, &json)
            }
        }
        .unwrap();
    }
    sections.to_bytes().unwrap()
}

fn edit<T: Clone>(
    mut values: Vec<T>,
    forge: bool,
    generator: &mut Generator,
    hostile: impl Fn(&mut Generator) -> T,
) -> Vec<T> {
    if !forge {
        return values;
    }
    match generator.below(4) {
        0 => {
            values.pop();
        }
        1 => values.push(hostile(generator)),
        2 => values.clear(),
        _ if values.is_empty() => values.push(hostile(generator)),
        _ => {
            let at = generator.below(values.len());
            values[at] = hostile(generator);
        }
    }
    values
}

fn hostile_u32(generator: &mut Generator) -> u32 {
    [0, 1, 7, 255, u32::MAX - 1, u32::MAX][generator.below(6)]
}

fn hostile_u64(generator: &mut Generator) -> u64 {
    [0, 1, 39, 41, u64::from(u32::MAX), u64::MAX][generator.below(6)]
}

fn hostile_f64(generator: &mut Generator) -> f64 {
    [0.0, -1.0, 1e308, f64::INFINITY, f64::NEG_INFINITY, f64::NAN][generator.below(6)]
}

/// Changes one value somewhere in a JSON document.
fn forge_json(json: &mut serde_json::Value, generator: &mut Generator) {
    use serde_json::Value;
    match json {
        Value::Array(items) if !items.is_empty() && generator.below(4) > 0 => {
            let at = generator.below(items.len());
            forge_json(&mut items[at], generator);
        }
        Value::Object(fields) if !fields.is_empty() && generator.below(5) > 0 => {
            let at = generator.below(fields.len());
            if let Some(value) = fields.values_mut().nth(at) {
                forge_json(value, generator);
            }
        }
        json => {
            *json = match generator.below(7) {
                0 => Value::Null,
                1 => (-1).into(),
                2 => u64::MAX.into(),
                3 => 1e308.into(),
                4 => "set<tuple<numeric, graph>>".into(),
                5 => "nominal".into(),
                _ => Value::Array(vec![]),
            }
        }
    }
}

/// A forged file may be refused or may predict nonsense; it may not panic.
#[test]
fn forged_files_do_no_harm() {
    let mut refused = 0;
    let mut accepted = 0;
    let filtered = fit_with("knn", &[CLASS], &[("filter", "ib3"), ("k", "2")]);
    let chosen = fit_with("knn", &[NUMBER], &[("k", "loo"), ("weights", "kernel")]);
    let settings = [("knn", filtered), ("knn", chosen)];
    for (learner, trained) in models().into_iter().chain(settings) {
        let stored = Stored::from_bytes(trained.sections().unwrap().to_bytes().unwrap()).unwrap();
        let names: Vec<String> = stored.names().map(str::to_owned).collect();
        for (position, name) in names.iter().enumerate() {
            for attempt in 0..60 {
                let mut generator = Generator::new(9, &[position as u64, attempt]);
                match load(forged(&stored, name, &mut generator)) {
                    Ok(mut model) => {
                        accepted += 1;
                        let _ = predict(&model, learner);
                        if let Ok((view, _)) = model.conform(&data_for(learner)) {
                            let _ = model.explain(&view, 3, 2);
                            let origin = Origin {
                                command: "kinwood append".into(),
                                data: "mixed.csv".into(),
                            };
                            let _ = model.append(&view, &origin);
                        }
                        let _ = (model.model().show(), model.model().to_json());
                        let _ = (model.model().drawing(), model.sql(Asked::Shares));
                        if let Ok((view, _)) = model.conform(&data_for(learner)) {
                            let _ = model.visited(&view, 3);
                            let (model, targets) = (model.model(), model.targets());
                            let _ = importance(model, &view, targets, &[], 1, &Context::new());
                        }
                    }
                    Err(error) => {
                        refused += 1;
                        assert!(!error.to_string().is_empty());
                    }
                }
            }
        }
    }
    assert!(
        refused > accepted && accepted > 0,
        "{refused} refused, {accepted} accepted"
    );
}

/// A file whose manifest names a target more than its model predicts, with a valid checksum.
#[test]
fn a_file_that_names_other_targets_is_an_error_for_every_verb() {
    let trained = fit("tree", &[CLASS]);
    let stored = Stored::from_bytes(trained.sections().unwrap().to_bytes().unwrap()).unwrap();
    for targets in [vec!["class", "amount"], vec!["amount"]] {
        let mut generator = Generator::new(1, &[]);
        let mut manifest = stored.manifest().clone();
        manifest["targets"] = targets.clone().into();
        let model = load(forged_with(&stored, manifest, "", &mut generator)).unwrap();
        let (view, _) = model.conform(&data_for("tree")).unwrap();
        let context = Context::new();
        let told = importance(model.model(), &view, model.targets(), &[], 2, &context);
        let message = told.unwrap_err().to_string();
        assert!(message.contains("the model predicts `class`"), "{message}");
        let members = members_on_rows(model.model(), &view, model.targets(), &[], &context);
        assert!(members.is_err());
        let predicted = model.predict(&view, &context);
        assert_eq!(predicted.is_err(), targets.len() == 2);
    }
}

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../golden")
        .join(name)
}

/// Files written by format version 1 must be read for ever, with the same predictions.
#[test]
fn golden_models_predict_what_they_predicted() {
    let update = std::env::var_os("KINWOOD_UPDATE_GOLDEN").is_some();
    for (name, trained) in models() {
        let model = golden(&format!("{name}-v1.kin"));
        let recorded = golden(&format!("{name}-v1.csv"));
        if update {
            trained.save(&model).unwrap();
        }
        assert!(
            model.exists(),
            "learner `{name}` has no recorded model: `cargo xtask golden` writes {}",
            model.display()
        );
        let loaded = Trained::load(&model, &Registry::new()).unwrap();
        let (view, _) = loaded.conform(&data_for(name)).unwrap();
        let mut csv = Vec::new();
        let predictions = loaded.predict(&view, &Context::new()).unwrap();
        kinwood_workbench::output::write_predictions(&mut csv, &view, &predictions).unwrap();
        if update {
            std::fs::write(&recorded, &csv).unwrap();
        }
        assert_eq!(
            String::from_utf8(csv).unwrap(),
            std::fs::read_to_string(&recorded).unwrap(),
            "{name}"
        );
    }
}

/// Every fit once hashed all its data, whether or not anybody looked.
#[test]
fn data_is_hashed_only_when_a_model_is_written() {
    let trained = fit("knn", &[CLASS]);
    let (view, _) = trained.conform(&data_for("knn")).unwrap();
    trained.predict(&view, &Context::new()).unwrap();
    trained.explain(&view, 3, 2).unwrap();
    let _ = (trained.model().show(), trained.model().to_json());
    assert!(!trained.provenance().fingerprint.is_computed());
    let mut sections = trained.sections().unwrap();
    assert!(trained.provenance().fingerprint.is_computed());
    let written = &sections.manifest_mut()["provenance"]["fingerprint"];
    assert_eq!(*written, fingerprint(data_for("knn").database()));
}

#[test]
fn a_failed_save_leaves_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.kin");
    fit("majority", &[CLASS]).save(&path).unwrap();
    let before = std::fs::read(&path).unwrap();
    assert!(
        fit("knn", &[CLASS])
            .save(&folder.path().join("no/such/folder/model.kin"))
            .is_err()
    );
    assert_eq!(std::fs::read(&path).unwrap(), before);
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "no temporary file is left behind");
}

#[test]
fn an_unknown_learner_in_a_file_is_named() {
    let trained = fit("majority", &[CLASS]);
    let mut sections = trained.sections().unwrap();
    sections
        .manifest_mut()
        .insert("learner".into(), "kstarr".into());
    let message = load(sections.to_bytes().unwrap())
        .err()
        .unwrap()
        .to_string();
    assert!(message.starts_with("unknown learner `kstarr`"), "{message}");
}

/// The members of a set share it: taking them writes and reads no model, however many there are.
#[test]
fn members_share_their_set() {
    let forest = fit_with("forest", &[CLASS], &[("trees", "4")]);
    let whole = forest.model().members().unwrap();
    for (place, model) in whole.iter().enumerate() {
        let alone = forest.member(place + 1).unwrap();
        assert!(std::ptr::eq(alone.model(), &**model));
        let mut chosen = load(forest.sections().unwrap().to_bytes().unwrap()).unwrap();
        chosen.choose(place + 1).unwrap();
        assert_eq!(
            predict(&alone, "forest").unwrap(),
            predict(&chosen, "forest").unwrap()
        );
    }
    for wrong in [0, 5] {
        let told = forest.member(wrong).map(|_| ()).unwrap_err().to_string();
        assert!(told.contains("the model has 4 members"), "{told}");
    }
}
