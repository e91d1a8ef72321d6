//! Studies that come with the library: what they say of missing files, and cheap parts of them as
//! recorded.

use std::path::{Path, PathBuf};

use kinwood_learners::{Context, Registry};
use kinwood_studies::reproduce::{reproduce, study};

#[test]
fn missing_study_files_are_named_with_source_and_checksum() {
    let folder = tempfile::tempdir().unwrap();
    let study = study("kstar-table1").unwrap();
    let run = reproduce(
        &study,
        folder.path(),
        &Registry::new(),
        &Context::new(),
        None,
    );
    let message = run.err().unwrap().to_string();
    assert!(
        message.starts_with("study `kstar-table1`: 12 data files are not in"),
        "{message}"
    );
    let iris = "\n  uci/iris.arff, from renatopp/arff-datasets";
    assert!(message.contains(iris), "{message}");
    assert!(
        message.contains("8337af8c82669892e870b8ce12740c919559b88a5f3c92e87097481b84581c89"),
        "{message}"
    );
}

#[test]
fn an_unknown_study_gets_the_nearest() {
    let message = study("kstar-tabel1").err().unwrap().to_string();
    assert!(
        message.ends_with("did you mean `kstar-table1`?"),
        "{message}"
    );
}

/// The folder of public data sets, if there is one.
fn public(file: &str) -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("KINWOOD_DATA") else {
        println!("skipped: KINWOOD_DATA is not set");
        return None;
    };
    Some(Path::new(&folder).join(file))
}

/// Cheap rows of the study, so that a change that moves them is seen.
#[test]
fn the_study_of_the_kstar_table_comes_out_as_recorded() {
    let Some(folder) = public("") else { return };
    let mut study = study("kstar-table1").unwrap();
    study
        .rows
        .retain(|row| ["GL", "G2", "IR", "LA", "SO"].contains(&row.name.as_str()));
    let (table, _) = reproduce(&study, &folder, &Registry::new(), &Context::new(), None).unwrap();
    let found: Vec<String> = table
        .cells
        .iter()
        .filter(|cell| ["1R", "IB1", "K* b=20"].contains(&cell.column.as_str()))
        .map(|cell| {
            format!(
                "{} {} {} {}",
                cell.row,
                cell.column,
                cell.ours.map_or("-".into(), |x| format!("{x:.1}")),
                cell.verdict
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            "GL 1R 56.1 better",
            "GL IB1 66.1 within noise",
            "GL K* b=20 72.1 within noise",
            "G2 1R 71.9 within noise",
            "G2 IB1 76.0 within noise",
            "G2 K* b=20 84.1 within noise",
            "IR 1R 94.3 better",
            "IR IB1 94.7 within noise",
            "IR K* b=20 94.2 within noise",
            "LA 1R 75.6 within noise",
            "LA IB1 86.3 within noise",
            "LA K* b=20 90.7 within noise",
            "SO 1R - no data",
            "SO IB1 - no data",
            "SO K* b=20 - no data",
        ]
    );
}

/// One repeat of Musk1, so that a change that moves it is seen.
#[test]
fn the_study_of_musk_comes_out_as_recorded() {
    let Some(folder) = public("") else { return };
    let mut study = study("musk-table7").unwrap();
    // Choosing settings in every fold takes long; that is tried on small bags.
    study
        .columns
        .retain(|column| !column.settings.contains_key("tune"));
    study.split = kinwood_evaluation::division::Division::Folds {
        folds: 10,
        repeats: 1,
    };
    let (table, _) = reproduce(&study, &folder, &Registry::new(), &Context::new(), None).unwrap();
    let found: Vec<String> = table
        .cells
        .iter()
        .map(|cell| {
            let ours = cell.ours.map_or("-".into(), |x| format!("{x:.1}"));
            format!("{} {ours}", cell.column)
        })
        .collect();
    assert_eq!(
        found,
        [
            "1-NN Hausdorff 82.7",
            "1-NN minimal Hausdorff 83.9",
            "1-NN matching 80.4",
            "Citation-kNN 90.4",
            "DBDT Hausdorff 81.8",
            "DBDT pseudo-distance 75.0",
            "tree of rows 74.9",
            "1-NN of rows 82.8",
        ]
    );
}
