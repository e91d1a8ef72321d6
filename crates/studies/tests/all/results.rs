//! Studies whose folds are kept: what is there is not computed again, reasons are told, and tables
//! are summed up.

use std::path::Path;

use kinwood_evaluation::study::{Study, Verdict};
use kinwood_learners::{Context, Registry};
use kinwood_pages::sheet::Form;
use kinwood_studies::reproduce::{Reproduction, Summary, reproduce};
use kinwood_studies::results::{Folder, Purpose};

/// A study of 80 points whose side a tree finds and a majority does not; the paper has a figure
/// that nobody reaches.
const STUDY: &str = r#"
name = "points"
title = "Points"
reference = "none"
measure = "accuracy"
scale = 100.0
decimals = 1
seed = 3
split = { folds = 4, repeats = 2 }

[[columns]]
name = "majority"
learner = "majority"

[[columns]]
name = "tree"
learner = "tree"

[[columns]]
name = "beam"
learner = "tree"
settings = { search = "beam", size = "5" }

[[why]]
columns = ["majority"]
verdicts = ["worse"]
text = "The paper's majority knew the answers."

[[rows]]
name = "points"
paper = { majority = 99.0, tree = 20.0 }
[rows.data]
file = "points.csv"
source = "made here"
sha256 = "0"
target = "side"
"#;

fn study() -> Study {
    let study: Study = toml::from_str(STUDY).unwrap();
    assert_eq!(study.fault(), None);
    study
}

fn points() -> String {
    let rows = (0..80u32).map(|i| {
        let (x, y) = (i * 7 % 40, i * 13 % 37);
        let side = if x > y { "right" } else { "left" };
        format!("{x}.5,{y}.5,{side}\n")
    });
    format!("x,y,side\n{}", rows.collect::<String>())
}

fn run(data: &Path, results: Option<&Folder>) -> Reproduction {
    let (registry, context) = (Registry::new(), Context::new());
    let (table, _) = reproduce(&study(), data, &registry, &context, results).unwrap();
    table
}

#[test]
fn folds_that_are_kept_give_the_same_table() {
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("points.csv"), points()).unwrap();
    let fresh = run(place.path(), None).to_text();
    let folder = Folder::open(&place.path().join("results"), Purpose::Reproduce).unwrap();
    assert_eq!(run(place.path(), Some(&folder)).to_text(), fresh);
    let logs = || {
        let entries = std::fs::read_dir(folder.path().join("folds")).unwrap();
        let mut found: Vec<_> = entries
            .map(|entry| {
                let path = entry.unwrap().path();
                (path.clone(), std::fs::read(path).unwrap())
            })
            .collect();
        found.sort();
        found
    };
    let before = logs();
    assert_eq!(before.len(), 3);
    // Half of one log, as a kill leaves it, and none of another.
    let (cut, text) = &before[1];
    std::fs::write(cut, &text[..text.len() / 2]).unwrap();
    std::fs::remove_file(&before[2].0).unwrap();
    assert_eq!(run(place.path(), Some(&folder)).to_text(), fresh);
    assert_eq!(logs()[0], before[0]);
}

#[test]
fn verdicts_are_counted_and_explained() {
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("points.csv"), points()).unwrap();
    let table = run(place.path(), None);
    let verdicts: Vec<Verdict> = table.cells.iter().map(|cell| cell.verdict).collect();
    assert_eq!(
        verdicts,
        [Verdict::Worse, Verdict::Better, Verdict::NoFigure]
    );
    assert!(
        table
            .to_text()
            .contains("- The paper's majority knew the answers.\n")
    );
    let summary = Summary {
        tables: vec![(table, 1.5)],
    };
    assert_eq!(summary.count(Verdict::Worse), 1);
    let counts = summary.counts().written(Form::Csv);
    assert_eq!(
        counts,
        "table,better,worse,no figure,seconds\npoints,1,1,1,2\nall,1,1,1,2\n"
    );
    let differences = summary.differences().written(Form::Csv);
    assert!(
        differences.contains("\"points, majority\",52.5"),
        "{differences}"
    );
    assert!(differences.contains("The paper's majority knew the answers."));
    assert!(differences.contains("not explained"), "{differences}");
    let page = summary.html();
    assert!(page.contains("Published tables computed again") && !page.contains("http:"));
}
