//! From a file to roles, targets and rows: what is decided, what is told, what is refused.

use std::path::{Path, PathBuf};

use kinwood_learners::{Context, Registry};
use kinwood_values::{Remedy, Role};
use kinwood_workbench::evaluate::{Division, evaluate};
use kinwood_workbench::{Choices, Data, Opening, Origin, Purpose, Trained, open};

fn write(name: &str, text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    (folder, path)
}

fn read(path: &Path, roles: &[(&str, Role)]) -> kinwood_workbench::Result<Data> {
    let roles: Vec<(String, Role)> = roles
        .iter()
        .map(|(name, role)| ((*name).to_owned(), *role))
        .collect();
    open(
        path,
        &Opening {
            roles,
            ..Opening::default()
        },
    )
}

fn animals() -> String {
    let mut text = String::from("animal,legs,milk,size\n");
    for i in 0..20 {
        text += &format!(
            "beast {i},{},{},{}\n",
            i % 3 * 2,
            if i % 2 == 0 { "yes" } else { "no" },
            1.5 * f64::from(i)
        );
    }
    text
}

fn choices(target: &str) -> Choices {
    Choices {
        targets: vec![target.to_owned()],
        ..Choices::default()
    }
}

#[test]
fn a_near_unique_name_is_an_id_and_told() {
    let (_folder, path) = write("animals.csv", &animals());
    let data = read(&path, &[]).unwrap();
    assert_eq!(data.database().table(0).attribute(0).role, Role::Id);
    let told: Vec<&str> = data
        .notices()
        .iter()
        .map(|notice| notice.message())
        .collect();
    assert_eq!(
        told,
        ["column `animal` is taken as `id`: 20 of its 20 values are distinct"]
    );
    let changed = Remedy::ChangeRole {
        column: Some("animal".to_owned()),
        role: Role::Input,
    };
    assert_eq!(data.notices()[0].remedy(), Some(&changed));
    let stated = read(&path, &[("animal", Role::Input)]).unwrap();
    assert_eq!(stated.database().table(0).attribute(0).role, Role::Input);
    assert!(stated.notices().is_empty());
}

#[test]
fn targets_that_cannot_be_are_refused() {
    let (_folder, path) = write("animals.csv", &animals());
    let message = |roles: &[(&str, Role)], target: &str| {
        let data = read(&path, roles).unwrap();
        data.problem(&choices(target)).err().unwrap().to_string()
    };
    assert_eq!(
        message(&[], "animal"),
        "column `animal` is an id (20 of its 20 values are distinct) and cannot be the target"
    );
    assert_eq!(
        message(&[("milk", Role::Id)], "milk"),
        "column `milk` is an id (its role is stated) and cannot be the target"
    );
    assert_eq!(
        message(&[], "mlik"),
        "unknown column `mlik` in table `animals`; did you mean `milk`?"
    );
    let data = read(&path, &[]).unwrap();
    let none = data.problem(&Choices::default()).err().unwrap();
    assert_eq!(none.remedy(), Some(Remedy::NameTarget));
    assert_eq!(
        none.to_string(),
        "no target is named; candidates are `milk`, `legs`, `size`: name one"
    );
    let twice = Choices {
        targets: vec!["milk".into(), "milk".into()],
        ..Choices::default()
    };
    assert_eq!(
        data.problem(&twice).err().unwrap().to_string(),
        "target `milk` is named twice"
    );
}

#[test]
fn rows_are_chosen_by_a_condition() {
    let (_folder, path) = write("animals.csv", &animals());
    let data = read(&path, &[]).unwrap();
    let chosen = Choices {
        rows: Some("legs > 0 and milk = yes".into()),
        ..choices("milk")
    };
    let (problem, _) = data.problem(&chosen).unwrap();
    assert_eq!(problem.view.len(), 6);
    let none = Choices {
        rows: Some("legs > 100".into()),
        ..choices("milk")
    };
    assert_eq!(
        data.problem(&none).err().unwrap().to_string(),
        "no row of `animals` satisfies `legs > 100`"
    );
}

#[test]
fn the_last_nominal_attribute_of_arff_is_the_customary_target() {
    let arff = "@relation r\n@attribute x numeric\n@attribute class {a,b}\n@data\n1,a\n2,b\n";
    let (_folder, path) = write("r.arff", arff);
    let (problem, notices) = read(&path, &[])
        .unwrap()
        .problem(&Choices::default())
        .unwrap();
    assert_eq!(problem.target_names(), ["class"]);
    assert_eq!(
        notices[0].message(),
        "no target is named: `class`, the last column, is taken"
    );
}

#[test]
fn a_class_written_as_0_and_1_is_a_class() {
    let (_folder, path) = write("m.csv", "x,active\n1.5,0\n2.5,1\n3.5,1\n");
    let (problem, notices) = read(&path, &[])
        .unwrap()
        .problem(&choices("active"))
        .unwrap();
    assert_eq!(
        notices[0].message(),
        "target `active` has the two values 0 and 1: they are taken as classes"
    );
    let target = problem.view.table().attribute(problem.targets[0]);
    assert_eq!(target.type_of().to_string(), "nominal");
    let (_folder, path) = write("m.csv", "x,size\n1.5,2\n2.5,4\n3.5,4\n");
    let (problem, notices) = read(&path, &[]).unwrap().problem(&choices("size")).unwrap();
    assert_eq!(
        notices[0].message(),
        "target `size` has the two values 2 and 4: it is predicted as a number"
    );
    let target = problem.view.table().attribute(problem.targets[0]);
    assert_eq!(target.type_of().to_string(), "numeric");
}

/// A folder of molecules and their atoms; nothing says which columns are keys.
fn molecules() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let mut molecules = String::from("molecule_id,logp,weight\n");
    let mut atoms = String::from("atom_id,molecule_id,charge\n");
    for molecule in 0..30 {
        let (logp, weight) = (0.1 * f64::from(molecule), molecule % 7);
        molecules += &format!("m{molecule},{logp},{weight}\n");
        let count = molecule % 4 + 1;
        (0..count).for_each(|atom| atoms += &format!("m{molecule}_{atom},m{molecule},0.{atom}\n"));
    }
    put("molecule.csv", &molecules);
    put("atom.csv", &atoms);
    folder
}

#[test]
fn rows_for_a_model_get_their_keys_and_roles_from_it() {
    let folder = molecules();
    let opening = Opening {
        purpose: Purpose::Conform,
        ..Opening::default()
    };
    let (learned, given) = (
        read(folder.path(), &[]).unwrap(),
        open(folder.path(), &opening).unwrap(),
    );
    assert!(!learned.notices().is_empty() && !learned.role_reasons().is_empty());
    assert!(given.database().foreign_keys().is_empty());
    assert!(given.notices().is_empty() && given.role_reasons().is_empty());
    let (problem, _) = learned.problem(&choices("molecule.logp")).unwrap();
    let (trained, _) = Trained::fit(
        &Registry::new(),
        "mirt",
        &[],
        &problem,
        &Origin::default(),
        &Context::default(),
    )
    .unwrap();
    let predicted = |data: &Data| {
        let table = trained.table_in(data.database()).unwrap();
        let rows = data.view(table, None).unwrap();
        let (conformed, _) = trained.conform(&rows).unwrap();
        assert_eq!(conformed.database().foreign_keys().len(), 1);
        trained.predict(&conformed, &Context::default()).unwrap()
    };
    assert_eq!(predicted(&given).targets, predicted(&learned).targets);
}

#[test]
fn linked_tables_that_are_not_looked_at_are_named() {
    let folder = molecules();
    let data = read(folder.path(), &[]).unwrap();
    let (problem, _) = data.problem(&choices("molecule.logp")).unwrap();
    let said = |learner: &str, given: &[(String, String)]| -> Vec<String> {
        let registry = Registry::new();
        let (origin, context) = (Origin::default(), Context::default());
        let (_, fitted) =
            Trained::fit(&registry, learner, given, &problem, &origin, &context).unwrap();
        let report = evaluate(&registry, learner, given, &problem, None, "here", &context).unwrap();
        let text = |notices: &[kinwood_values::Notice]| -> Vec<String> {
            let texts = notices.iter().map(ToString::to_string);
            texts.filter(|text| text.contains("linked")).collect()
        };
        assert_eq!(text(&fitted), text(&report.notices), "{learner}");
        text(&fitted)
    };
    assert!(said("tree", &[]).is_empty() && said("forest", &[]).is_empty());
    let tree = said("tree", &[("follow".to_owned(), "0".to_owned())]);
    assert_eq!(
        tree,
        [
            "`tree` looks at the columns of `molecule` alone and not at what is linked with them (`atom`): `flatten=p2` adds summaries of those rows, and the learner `mirt` tests them"
        ]
    );
    let flattened = [("flatten".to_owned(), "p2".to_owned())];
    assert!(said("tree", &flattened).is_empty());
    assert!(said("mirt", &[]).is_empty() && said("mean", &[]).is_empty());
}

#[test]
fn a_database_is_indexed_once() {
    let folder = molecules();
    let path = folder.path().join("molecules.sqlite");
    let (source, database) = (read(folder.path(), &[]).unwrap(), path.clone());
    kinwood_formats::sql::write_sqlite(source.database(), &database).unwrap();
    let data = read(&path, &[]).unwrap();
    assert_eq!(data.database().foreign_keys().len(), 1);
    // The index is shared by the data as read, the data with roles, and what is learned from.
    let (problem, _) = data.problem(&choices("molecule.logp")).unwrap();
    let read = std::ptr::from_ref(data.dataset().database.link(0));
    assert!(std::ptr::eq(read, data.database().link(0)));
    assert!(std::ptr::eq(read, problem.view.database().link(0)));
}

#[test]
fn undeclared_keys_are_found_and_a_schema_overrules_them() {
    let folder = molecules();
    let put = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let found = read(folder.path(), &[]).unwrap();
    let keys = found.database().foreign_keys();
    assert_eq!(
        keys.iter().map(|key| key.name.as_str()).collect::<Vec<_>>(),
        ["atom_molecule_id"]
    );
    assert!(
        found
            .inferred()
            .foreign
            .iter()
            .any(|candidate| candidate.accepted && !candidate.evidence.is_empty())
    );
    put("schema.toml", "keys = \"declared\"\n");
    assert!(
        read(folder.path(), &[])
            .unwrap()
            .database()
            .foreign_keys()
            .is_empty()
    );
}

#[test]
fn rows_of_a_flat_table_become_bags() {
    let (_folder, path) = write(
        "musk.csv",
        "name,f1,class\na,1.5,yes\nb,2.5,no\na,3.5,yes\n",
    );
    let opening = |bag: &str| Opening {
        bag: Some(bag.to_owned()),
        ..Opening::default()
    };
    let data = open(&path, &opening("name")).unwrap();
    let tables: Vec<(&str, usize)> = data
        .database()
        .tables()
        .iter()
        .map(|table| (table.name(), table.rows()))
        .collect();
    assert_eq!(tables, [("musk", 2), ("musk_instances", 3)]);
    let (problem, _) = data.problem(&choices("class")).unwrap();
    assert_eq!(problem.view.len(), 2);
    let message = open(&path, &opening("nam")).err().unwrap().to_string();
    assert!(message.ends_with("did you mean `name`?"), "{message}");
}

#[test]
fn a_fold_column_divides() {
    let mut text = String::from("x,class,part\n");
    (0..30)
        .for_each(|i| text += &format!("{i}.5,{},{}\n", if i % 2 == 0 { "a" } else { "b" }, i % 3));
    let (_folder, path) = write("parts.csv", &text);
    let data = read(&path, &[("part", Role::Fold)]).unwrap();
    let (problem, _) = data.problem(&choices("class")).unwrap();
    let run = |division: Option<&Division>| {
        evaluate(
            &Registry::new(),
            "majority",
            &[],
            &problem,
            division,
            "parts.csv",
            &Context::new(),
        )
        .unwrap()
    };
    let by_role = run(None);
    assert_eq!(by_role.evaluation.folds.len(), 3);
    assert_eq!(
        by_role.notices[0].message(),
        "the folds are those of column `part`"
    );
    let by_name = run(Some(&Division::Column("part".into())));
    assert_eq!(by_name.evaluation.folds, by_role.evaluation.folds);
}

/// The folder of public data sets, if there is one.
fn public(file: &str) -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("KINWOOD_DATA") else {
        println!("skipped: KINWOOD_DATA is not set");
        return None;
    };
    Some(Path::new(&folder).join(file))
}

#[test]
fn names_and_numbers_of_public_data_are_ids() {
    for (file, column, because) in [
        (
            "uci/zoo.arff",
            "animal",
            "100 of its 101 values are distinct",
        ),
        (
            "uci/wdbc.data",
            "c1",
            "its 569 whole numbers are all distinct",
        ),
        (
            "musk/clean1.data",
            "c2",
            "476 of its 476 values are distinct",
        ),
    ] {
        let Some(path) = public(file) else { return };
        let data = read(&path, &[]).unwrap();
        let reasons: Vec<(&str, &str)> = data
            .role_reasons()
            .iter()
            .map(|(&(_, position), reason)| {
                (
                    data.database().table(0).attribute(position).name.as_str(),
                    reason.as_str(),
                )
            })
            .collect();
        assert_eq!(reasons, [(column, because)], "{file}");
    }
}

/// Accuracy of ten times ten folds beside Weka 3.9.7's IBk and OneR, in percent.
#[test]
fn knn_and_oner_are_as_good_as_wekas() {
    for (file, learner, weka) in [
        ("uci/iris.arff", "knn", 95.3),
        ("uci/iris.arff", "oner", 92.0),
        ("uci/glass.arff", "knn", 70.6),
        ("uci/glass.arff", "oner", 57.9),
    ] {
        let Some(path) = public(file) else { return };
        let (problem, _) = read(&path, &[])
            .unwrap()
            .problem(&Choices::default())
            .unwrap();
        let division = Division::Folds {
            folds: 10,
            repeats: 10,
        };
        let given = match learner {
            "knn" => vec![("preset".to_owned(), "ib1".to_owned())],
            _ => Vec::new(),
        };
        let report = evaluate(
            &Registry::new(),
            learner,
            &given,
            &problem,
            Some(&division),
            file,
            &Context::new(),
        )
        .unwrap();
        let ours = 100.0 * report.evaluation.mean("accuracy").unwrap();
        assert!(
            (ours - weka).abs() <= 2.5,
            "{learner} on {file}: {ours} against {weka}"
        );
    }
}
