//! Studies of every kind on small data of our own, and a cheap part of the beam-search tables on
//! public data.

use std::path::{Path, PathBuf};

use kinwood_evaluation::division::Division;
use kinwood_evaluation::study::{Cell, Study};
use kinwood_learners::{Context, Registry};
use kinwood_studies::reproduce::{Reproduction, reproduce, study};

/// 60 plants: the kind follows leaf and stem with some exceptions, the height follows them roughly.
fn plants() -> String {
    let mut text = String::from("leaf,stem,soil,height,kind\n");
    for i in 0..60u32 {
        let (leaf, stem) = (f64::from(i * 7 % 23), f64::from(i * 11 % 17));
        let soil = ["clay", "sand", "peat"][(i * 5 % 7 % 3) as usize];
        let odd = i % 13 == 0;
        let kind = match (leaf > 11.0, stem > 8.0) {
            (true, _) if !odd => "fern",
            (false, true) => "moss",
            _ => "reed",
        };
        let height = leaf * 2.0 + if stem > 8.0 { 15.0 } else { 0.0 } + f64::from(i % 5);
        text += &format!("{leaf},{stem},{soil},{height},{kind}\n");
    }
    text
}

/// A study of the plants: what is said of it, then of its only row.
fn plant_study(said: &str, target: &str, paper: &str) -> Study {
    let text = format!(
        r#"
name = "plants"
title = "Plants"
reference = "none"
seed = 3
split = {{ folds = 5, repeats = 1 }}
{said}

[[rows]]
name = "plants"
paper = {paper}
[rows.data]
file = "plants.csv"
source = "made here"
sha256 = "0"
target = "{target}"
"#
    );
    let study: Study = toml::from_str(&text).unwrap();
    assert_eq!(study.fault(), None);
    study
}

fn run(study: &Study, threads: usize) -> Reproduction {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("plants.csv"), plants()).unwrap();
    let context = Context::new().with_threads(threads);
    let (table, notices) =
        reproduce(study, folder.path(), &Registry::new(), &context, None).unwrap();
    assert!(
        notices[0]
            .message()
            .contains("is not the file of the study")
    );
    table
}

const COLUMNS: &str = r#"
[[columns]]
name = "leaf"
learner = "tree"
settings = { size = "1" }
[[columns]]
name = "tree"
learner = "tree"
settings = { search = "greedy" }
[[columns]]
name = "beam"
learner = "tree"
settings = { search = "beam", width = "4", beta = "1" }
"#;

fn cell<'a>(table: &'a Reproduction, group: &str, column: &str) -> &'a Cell {
    let here = |cell: &&Cell| cell.group.as_deref() == Some(group) && cell.column == column;
    table.cells.iter().find(here).unwrap()
}

#[test]
fn headings_vary_settings_and_columns_are_tested_against_each_other() {
    let said = format!(
        r#"measure = "accuracy"
scale = 100.0
decimals = 1
{COLUMNS}
[[groups]]
name = "alpha 0"
settings = {{ alpha = "0" }}
[[groups]]
name = "nodes"
figure = "nodes"
scale = 1.0
decimals = 0
[[comparisons]]
columns = ["leaf", "tree"]
paper = {{ "alpha 0" = [1, 0] }}
"#
    );
    let paper = r#"{ "alpha 0" = [99.0, 99.0, 99.0], "nodes" = [1, 2, 2] }"#;
    let study = plant_study(&said, "kind", paper);
    let table = run(&study, 2);
    assert_eq!(table.cells.len(), 6);
    let verdict = |group, column| cell(&table, group, column).verdict.to_string();
    assert_eq!(verdict("alpha 0", "leaf"), "worse");
    assert_eq!(verdict("nodes", "leaf"), "same");
    assert_eq!(verdict("nodes", "tree"), "differs");
    let [compared] = table.comparisons.as_slice() else {
        panic!("there is one comparison under one heading")
    };
    assert_eq!((compared.wins, compared.paper), ([0, 1], Some([1, 0])));
    let test = &compared.tests[0];
    assert_eq!((test.pairs, test.winner.as_deref()), (5, Some("tree")));
    let text = table.to_text();
    for expected in [
        "\nalpha 0 ",
        "(99.0) <",
        "wins of leaf and tree: 0 to 1 (1 to 0): tree on plants p=0.0",
        "\nnodes ",
        " 1 (1) ",
        "(2) !",
    ] {
        assert!(text.contains(expected), "{expected:?} in\n{text}");
    }
    assert_eq!(text, run(&study, 1).to_text(), "threads change nothing");
}

#[test]
fn a_pooled_figure_is_that_of_all_test_predictions_and_varies_by_the_jackknife() {
    let said = |figure: &str| format!("measure = \"correlation\"\n{figure}decimals = 3\n{COLUMNS}");
    let study = |figure: &str| plant_study(&said(figure), "height", r#"{ "tree" = 0.5 }"#);
    let pooled = run(&study("figure = \"pooled\"\n"), 2);
    let mean = run(&study(""), 2);
    // A leaf predicts the mean of its fold's training rows: constant in a fold, and the worse the
    // higher over all of them.
    assert_eq!(mean.cells[0].ours, None);
    assert!(pooled.cells[0].ours.unwrap() < 0.0);
    let (pooled, mean) = (&pooled.cells[1], &mean.cells[1]);
    assert!(pooled.ours.unwrap() > 0.8 && pooled.ours != mean.ours);
    assert!(pooled.sd.unwrap() > 0.0 && pooled.sd != mean.sd);
    assert_eq!(pooled.verdict.to_string(), "better");
}

#[test]
fn the_trees_of_a_beam_are_looked_at_one_by_one() {
    let group = |name: &str| {
        format!(
            "[[groups]]\nname = \"{name}\"\nfigure = \"members_{name}\"\nsettings = {{ size = \"5\" }}\ncolumns = [\"beam\"]\n"
        )
    };
    let groups: String = ["mean", "worst", "best", "similarity"].map(group).concat();
    let said = format!("measure = \"accuracy\"\ndecimals = 2\n{COLUMNS}{groups}");
    let table = run(&plant_study(&said, "kind", "{ worst = [0.9] }"), 2);
    let [mean, worst, best, similarity] =
        ["mean", "worst", "best", "similarity"].map(|name| cell(&table, name, "beam"));
    assert!((0.4..1.0).contains(&mean.ours.unwrap()));
    assert!(worst.ours.unwrap() > 0.0 && best.ours.unwrap() >= 0.0);
    assert!((0.1..1.0).contains(&similarity.ours.unwrap()));
    assert_eq!(worst.verdict.to_string(), "differs");
    assert_eq!(mean.verdict.to_string(), "no figure");
}

#[test]
fn searches_are_counted_and_times_are_not_compared() {
    let said = format!(
        r#"measure = "accuracy"
{COLUMNS}
[[groups]]
name = "evaluated"
figure = "evaluated"
columns = ["beam"]
[[groups]]
name = "seconds"
figure = "seconds"
"#
    );
    let study = plant_study(&said, "kind", "{ evaluated = [3], seconds = [1, 2, 3] }");
    let table = run(&study, 2);
    let evaluated = cell(&table, "evaluated", "beam");
    assert!(evaluated.ours.unwrap() > 10.0 && evaluated.sd.is_none());
    assert_eq!(evaluated.verdict.to_string(), "differs");
    let time = cell(&table, "seconds", "tree");
    assert_eq!(time.verdict.to_string(), "not compared");
    assert!(table.to_text().contains("are not compared\n"));
}

#[test]
fn a_figure_that_a_learner_does_not_tell_is_refused() {
    let said = r#"measure = "accuracy"
[[columns]]
name = "1R"
learner = "oner"
[[groups]]
name = "nodes"
figure = "nodes"
"#;
    let study = plant_study(said, "kind", "{ nodes = [3] }");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("plants.csv"), plants()).unwrap();
    let run = reproduce(
        &study,
        folder.path(),
        &Registry::new(),
        &Context::new(),
        None,
    );
    assert_eq!(
        run.err().unwrap().to_string(),
        "study `plants`: `oner` is asked for a figure that it does not tell"
    );
}

/// The folder of public data sets, if there is one.
fn public() -> Option<PathBuf> {
    let folder = std::env::var_os("KINWOOD_DATA");
    if folder.is_none() {
        println!("skipped: KINWOOD_DATA is not set");
    }
    folder.map(PathBuf::from)
}

/// Data that SQL makes of several files: rows of two put together, and linked rows counted and
/// collected in sets.
#[test]
fn sql_makes_one_table_of_several_files() {
    let study = |data: &str| -> Study {
        let text = format!(
            r#"
name = "gardens"
title = "Gardens"
reference = "none"
measure = "accuracy"
seed = 3
split = {{ folds = 3, repeats = 1 }}
[[columns]]
name = "1-NN"
learner = "knn"
settings = {{ distance = "mean(plants: hausdorff(mean(discrete, absolute)), many: absolute)" }}
[[rows]]
name = "gardens"
paper = {{ "1-NN" = 1.0 }}
[rows.data]
file = "north.csv"
source = "made here"
sha256 = "0"
table = "north"
{data}
"#
        );
        toml::from_str(&text).unwrap()
    };
    let made = study(
        r#"
more = [
  { file = "south.csv", source = "made here", sha256 = "0", table = "south" },
  { file = "plants.csv", source = "made here", sha256 = "0" },
]
sql = """
create table garden as select garden, kept,
  (select json_group_array(json_array(kind, height)) from plants where plants.garden = g.garden) as plants,
  (select count(*) from plants where plants.garden = g.garden) as many
from (select * from north union all select * from south) g;
drop table north; drop table south; drop table plants;
"""
schema = """
[tables.garden]
key = "garden"
[tables.garden.columns]
plants = "set<tuple<kind: nominal, height: numeric>>"
many = "numeric"
"""
target = "kept"
"#,
    );
    assert_eq!(made.fault(), None);
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: String| std::fs::write(folder.path().join(name), text).unwrap();
    let gardens = |from: u32| {
        let garden = |i: u32| format!("g{i},{}\n", ["well", "badly"][(i % 2) as usize]);
        String::from("garden,kept\n") + &(from..from + 9).map(garden).collect::<String>()
    };
    write("north.csv", gardens(0));
    write("south.csv", gardens(9));
    let plant = |i: u32| {
        let (garden, height) = (i % 18, i % 2 * 50 + i % 7);
        format!(
            "g{garden},{},{height}\n",
            ["fern", "moss"][(i % 3 % 2) as usize]
        )
    };
    let plants = (0..90).map(plant).collect::<String>();
    write("plants.csv", String::from("garden,kind,height\n") + &plants);
    let run = |study: &Study| {
        reproduce(
            study,
            folder.path(),
            &Registry::new(),
            &Context::new(),
            None,
        )
    };
    let (table, notices) = run(&made).unwrap();
    assert_eq!(table.cells[0].ours, Some(1.0), "{notices:?}");
    let others = notices
        .iter()
        .filter(|told| told.message().contains("is not the file"));
    assert_eq!(others.count(), 3);

    let idle = study("schema = \"\"\ntarget = \"kept\"");
    assert_eq!(
        idle.fault().unwrap(),
        "row `gardens` states `table` without the `sql` that makes use of it"
    );
    let wrong = study("sql = \"drop table west\"\ntarget = \"kept\"");
    let told = run(&wrong).err().unwrap().to_string();
    assert_eq!(told, "the SQL statements fail: no such table: west");
    std::fs::remove_file(folder.path().join("south.csv")).unwrap();
    let told = run(&made).err().unwrap().to_string();
    assert!(told.contains("\n  south.csv, from made here"), "{told}");
}

/// Folds that a column names, data shared by rows, and a Wilcoxon test over folds.
#[test]
fn rows_are_divided_by_the_folds_of_the_data() {
    let study: Study = toml::from_str(
        r#"
name = "plants"
title = "Plants"
reference = "none"
measure = "rmse"
decimals = 2
seed = 3
split = { folds = 5, repeats = 3 }
[[columns]]
name = "mean"
learner = "mean"
[[columns]]
name = "tree"
learner = "tree"
[[comparisons]]
columns = ["mean", "tree"]
test = "wilcoxon"
[[rows]]
name = "own folds"
split = { column = "soil" }
ignore = ["kind"]
paper = { mean = 14.0 }
[rows.data]
file = "plants.csv"
source = "made here"
sha256 = "0"
target = "height"
[[rows]]
name = "random folds"
data_of = "own folds"
paper = {}
"#,
    )
    .unwrap();
    assert_eq!(study.fault(), None);
    let table = run(&study, 1);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("plants.csv"), plants()).unwrap();
    // The mean over the three soils of the error of the others' mean.
    let rows: Vec<(String, f64)> = plants()
        .lines()
        .skip(1)
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            (cells[2].to_owned(), cells[3].parse().unwrap())
        })
        .collect();
    let errors = ["clay", "sand", "peat"].map(|soil| {
        let of = |inside: bool| -> Vec<f64> {
            let rows = rows.iter().filter(|row| (row.0 == soil) == inside);
            rows.map(|row| row.1).collect()
        };
        let (train, test) = (of(false), of(true));
        let mean = train.iter().sum::<f64>() / train.len() as f64;
        let squares: f64 = test.iter().map(|height| (height - mean).powi(2)).sum();
        (squares / test.len() as f64).sqrt()
    });
    let ours = table.cells[0].ours.unwrap();
    assert!((ours - errors.iter().sum::<f64>() / 3.0).abs() < 1e-9);
    // Of repeated folds the first five are tested, of the soils all three.
    let tests = &table.comparisons[0].tests;
    assert_eq!((tests[0].pairs, tests[1].pairs), (3, 5));
    assert_eq!(tests[1].p, Some(0.0625), "the tree is better on all five");
    let text = table.to_text();
    assert!(
        text.contains(
            "mean and tree: wins 0 to 0 by Wilcoxon signed rank tests over the folds, p <= 0.05\n"
        ) && text.contains("  random folds  p=0.062\n"),
        "{text}"
    );
    let mut wrong = study;
    wrong.rows[0].split = Some(Division::Column("soill".to_owned()));
    let told = reproduce(
        &wrong,
        folder.path(),
        &Registry::new(),
        &Context::new(),
        None,
    );
    let told = told.err().unwrap().to_string();
    assert!(
        told.contains("`soill`") && told.contains("`soil`"),
        "{told}"
    );
}

/// The data of the tables of relational model trees, by other learners: tables, keys and columns
/// are what the studies say.
#[test]
fn the_data_of_the_mirt_tables_is_there_and_can_be_learned_from() {
    let Some(folder) = public() else { return };
    for number in 1..=2 {
        let mut study = study(&format!("mirt-table{number}")).unwrap();
        for column in &mut study.columns {
            column.learner = "tree".to_owned();
            let kept = ["flatten", "aggregates"];
            column
                .settings
                .retain(|name, _| kept.contains(&name.as_str()));
            let set = column.settings.entry("flatten".to_owned());
            set.or_insert("p2".to_owned());
        }
        study.columns.truncate(if number == 1 { 2 } else { 3 });
        study.comparisons.truncate(if number == 1 { 0 } else { 2 });
        study.split = Division::Folds {
            folds: 3,
            repeats: 1,
        };
        let known = |name: &String| study.columns.iter().any(|column| column.name == *name);
        for row in &mut study.rows {
            row.paper.retain(|name, _| known(name));
        }
        let (table, notices) =
            reproduce(&study, &folder, &Registry::new(), &Context::new(), None).unwrap();
        println!("{}", table.to_text());
        for cell in &table.cells {
            let most = if cell.row == "Munich" { 3.0 } else { 2.5 };
            assert!(cell.ours.unwrap() < most, "{cell:?}");
        }
        let others = notices
            .iter()
            .filter(|told| told.message().contains("is not the file"));
        assert_eq!(others.count(), 0);
    }
}

/// Facts of several files, as the study declares them, with compounds apart and not.
#[test]
fn a_study_may_declare_facts() {
    let study = |schema: &str| -> Study {
        toml::from_str(&format!(
            r#"
name = "pairs"
title = "Pairs"
reference = "none"
measure = "accuracy"
seed = 1
split = {{ folds = 2, repeats = 2, apart = ["a1", "a2"] }}
[[columns]]
name = "majority"
learner = "majority"
[[rows]]
name = "apart"
paper = {{}}
[rows.data]
file = "t.b"
source = "made here"
sha256 = "0"
more = [{{ file = "t.f", source = "made here", sha256 = "0" }}, {{ file = "t.n", source = "made here", sha256 = "0" }}]
schema = "{schema}"
target = "more.class"
[[rows]]
name = "folds"
data_of = "apart"
split = {{ folds = 2, repeats = 1 }}
paper = {{}}
"#
        ))
        .unwrap()
    };
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let objects = || (0..8).flat_map(|a| (0..a).map(move |b| (a, b)));
    write(
        "t.b",
        &(0..8)
            .map(|a| format!("w(c{a},{a}).\n"))
            .collect::<String>(),
    );
    write(
        "t.f",
        &objects()
            .map(|(a, b)| format!("more(c{a},c{b}).\n"))
            .collect::<String>(),
    );
    write(
        "t.n",
        &objects()
            .map(|(a, b)| format!("more(c{b},c{a}).\n"))
            .collect::<String>(),
    );
    let declared = study("[facts]\\nexample = 'more(c, c)'\\ndescribe = ['w(c, number)']");
    assert_eq!(declared.fault(), None);
    let run = |study: &Study| {
        reproduce(
            study,
            folder.path(),
            &Registry::new(),
            &Context::new(),
            None,
        )
    };
    let (table, notices) = run(&declared).unwrap();
    let told = "apart: 8 objects are kept apart: 64 of 112 rows have objects in different folds and are tested in none";
    assert!(
        notices.iter().any(|notice| notice.message() == told),
        "{notices:?}"
    );
    let ours: Vec<Option<f64>> = table.cells.iter().map(|cell| cell.ours).collect();
    assert_eq!(ours, [Some(0.5), Some(0.5)]);
    let told = run(&study("[tables.t]")).unwrap_err().to_string();
    assert!(
        told.contains("row `apart` states a schema that declares no facts"),
        "{told}"
    );
}

/// The data of the table of kernels from the four-layer distance: pairs and molecules are what the
/// study says.
#[test]
fn the_data_of_the_fourlayer_table_is_there() {
    let Some(folder) = public() else { return };
    let mut study = study("fourlayer-table1").unwrap();
    study.columns.truncate(1);
    for column in &mut study.columns {
        column.learner = "majority".to_owned();
        column.settings.clear();
    }
    let first = study.columns[0].name.clone();
    for row in &mut study.rows {
        row.paper.retain(|name, _| *name == first);
    }
    let (table, notices) =
        reproduce(&study, &folder, &Registry::new(), &Context::new(), None).unwrap();
    println!("{}", table.to_text());
    assert_eq!(table.cells.len(), 9);
    // 125 of 188 molecules are active; of pairs, half are positive.
    assert!((table.cells[0].ours.unwrap() - 66.5).abs() < 0.5);
    assert!(
        table.cells[1..]
            .iter()
            .all(|cell| (cell.ours.unwrap() - 50.0).abs() < 10.0)
    );
    let others = notices
        .iter()
        .filter(|told| told.message().contains("is not the file"));
    assert_eq!(others.count(), 0);
}

/// The data of the DBDT tables, by neighbours with the same distances: sets, bags and trees are
/// read and compared.
#[test]
fn the_data_of_the_dbdt_tables_is_there_and_can_be_compared() {
    let Some(folder) = public() else { return };
    for number in 1..=5 {
        let mut study = study(&format!("dbdt-table{number}")).unwrap();
        for column in &mut study.columns {
            column.learner = "knn".to_owned();
            column.settings.remove("preset");
        }
        study.split = Division::Folds {
            folds: 4,
            repeats: 1,
        };
        // Thousands of rows say no more of whether they are read.
        study
            .rows
            .retain(|row| !["Letter", "Wave form"].contains(&row.name.as_str()));
        let (table, notices) =
            reproduce(&study, &folder, &Registry::new(), &Context::new(), None).unwrap();
        println!("{}", table.to_text());
        for cell in &table.cells {
            // Two classes of three are active; of five, more than half have none.
            assert!(cell.ours.unwrap() > 40.0, "{cell:?}");
        }
        let others = notices
            .iter()
            .filter(|told| told.message().contains("is not the file"));
        assert_eq!(others.count(), 0);
    }
}

/// The cells of a row of a study, in one line a heading.
fn found(name: &str, row: &str, folder: &Path) -> Vec<String> {
    let mut study = study(name).unwrap();
    study.rows.retain(|known| known.name == row);
    let (table, _) = reproduce(&study, folder, &Registry::new(), &Context::new(), None).unwrap();
    let headings = study.groups.iter().filter(|group| group.name != "seconds");
    let lines = headings.map(|group| {
        let cells = table.cells.iter();
        let cells = cells.filter(|cell| cell.group.as_deref() == Some(&*group.name));
        let decimals = study.decimals_of(group);
        cells.fold(group.name.clone(), |line, cell| {
            format!("{line} {:.decimals$}", cell.ours.unwrap())
        })
    });
    lines.collect()
}

/// So that a change that moves the tables is seen.
#[test]
fn the_beam_tables_come_out_as_recorded_on_iris_and_pollution() {
    let Some(folder) = public() else { return };
    assert_eq!(
        found("beam-table4", "iris", &folder),
        [
            "SC5 90.7 90.7 90.7",
            "SC7 94.0 95.3 95.3",
            "SC11 94.0 95.3 95.3",
            "SC17 94.0 95.3 94.0",
            "SC31 94.0 95.3 94.0",
            "SC51 94.0 95.3 94.0",
            "NoSC 94.0 95.3 94.7",
            "NoSC size 9 11 13"
        ]
    );
    assert_eq!(
        found("beam-table5", "pollution", &folder),
        [
            "SC5 0.32 0.34 0.34",
            "SC7 0.41 0.59 0.46",
            "SC11 0.48 0.56 0.46",
            "SC17 0.52 0.58 0.52",
            "SC31 0.53 0.61 0.58",
            "SC51 0.54 0.61 0.58",
            "NoSC 0.43 0.52 0.59",
            "NoSC size 13 13 13"
        ]
    );
    assert_eq!(
        found("beam-table6", "iris", &folder),
        [
            "average 91.8 92.9",
            "D_worst 5.3 9.3",
            "D_best 0.0 2.7",
            "similarity 0.94 0.87"
        ]
    );
    assert_eq!(found("beam-table7", "iris", &folder), ["evaluated 198 809"]);
    assert_eq!(
        found("beam-table7", "pollution", &folder),
        ["evaluated 1288 13049"]
    );
}
