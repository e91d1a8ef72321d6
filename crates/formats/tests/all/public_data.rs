//! Public data sets as distributed, counted. They are read where `KINWOOD_DATA` names the folder
//! that holds them; without it there is nothing to count.
#![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

use std::path::PathBuf;

use kinwood_formats::{Dataset, ReadOptions, Schema, read};
use kinwood_values::Table;

fn data(path: &str) -> Option<Dataset> {
    let path = PathBuf::from(std::env::var_os("KINWOOD_DATA")?).join(path);
    Some(read(&path, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}")))
}

/// Rows, columns and missing cells.
fn size(table: &Table) -> (usize, usize, usize) {
    let missing = table
        .attributes()
        .iter()
        .map(|attribute| attribute.column.missing())
        .sum();
    (table.rows(), table.attributes().len(), missing)
}

/// How often each value of a column occurs, in order of value.
fn counts(table: &Table, column: usize) -> Vec<(String, usize)> {
    let mut counts = std::collections::BTreeMap::new();
    for row in 0..table.rows() {
        *counts
            .entry(table.attribute(column).column.value(row).to_string())
            .or_insert(0) += 1;
    }
    counts.into_iter().collect()
}

fn owned(counts: &[(&str, usize)]) -> Vec<(String, usize)> {
    counts
        .iter()
        .map(|(value, count)| ((*value).to_owned(), *count))
        .collect()
}

#[test]
fn uci_files_have_their_published_counts() {
    for (file, expected, class, classes) in [
        (
            "wdbc.data",
            (569, 32, 0),
            1,
            [("B", 357), ("M", 212)].as_slice(),
        ),
        ("wpbc.data", (198, 35, 4), 1, &[("N", 151), ("R", 47)]),
        ("bupa.data", (345, 7, 0), 6, &[("1", 145), ("2", 200)]),
        (
            "processed.cleveland.data",
            (303, 14, 6),
            13,
            &[("0", 164), ("1", 55), ("2", 36), ("3", 35), ("4", 13)],
        ),
        (
            "sick-euthyroid.data",
            (3163, 26, 5329),
            25,
            &[("negative", 2870), ("sick-euthyroid", 293)],
        ),
        ("monks-1.train", (124, 8, 0), 0, &[("0", 62), ("1", 62)]),
        ("monks-2.train", (169, 8, 0), 0, &[("0", 105), ("1", 64)]),
        ("monks-3.train", (122, 8, 0), 0, &[("0", 62), ("1", 60)]),
        ("monks-1.test", (432, 8, 0), 0, &[("0", 216), ("1", 216)]),
        ("monks-2.test", (432, 8, 0), 0, &[("0", 290), ("1", 142)]),
        ("monks-3.test", (432, 8, 0), 0, &[("0", 204), ("1", 228)]),
    ] {
        let Some(dataset) = data(&format!("uci/{file}")) else {
            return;
        };
        let table = dataset.database.table(0);
        assert_eq!(size(table), expected, "{file}");
        assert_eq!(counts(table, class), owned(classes), "{file}");
    }
}

#[test]
fn musk_has_its_bags() {
    for (file, rows, bags, classes) in [
        ("clean1.data", 476, 92, [("0", 269), ("1", 207)]),
        (
            "clean2.rebuilt.data.gz",
            6598,
            102,
            [("0", 5581), ("1", 1017)],
        ),
    ] {
        let Some(dataset) = data(&format!("musk/{file}")) else {
            return;
        };
        let table = dataset.database.table(0);
        assert_eq!(size(table), (rows, 169, 0), "{file}");
        assert_eq!(counts(table, 0).len(), bags, "{file}");
        assert_eq!(counts(table, 168), owned(&classes), "{file}");
        assert_eq!(table.attribute(2).type_of().to_string(), "numeric");
    }
}

#[test]
fn munich_rents_have_their_districts() {
    let Some(rents) = data("munich_rent/rent99.csv") else {
        return;
    };
    let table = rents.database.table(0);
    assert_eq!(size(table), (3082, 9, 0));
    assert_eq!(counts(table, 8).len(), 336);
    let Some(polygons) = data("munich_rent/district_polygon.csv") else {
        return;
    };
    let table = polygons.database.table(0);
    assert_eq!((table.rows(), counts(table, 0).len()), (7502, 411));
}

/// A table by its name; a folder may hold others.
fn table<'a>(dataset: &'a Dataset, name: &str) -> &'a Table {
    dataset.database.table(dataset.database.find(name).unwrap())
}

/// Whether the tables have so many rows.
fn check_rows(dataset: &Dataset, expected: &[(&str, usize)]) {
    for (name, rows) in expected {
        assert_eq!(table(dataset, name).rows(), *rows, "{name}");
    }
}

#[test]
fn relational_folders_have_their_tables() {
    let Some(mutagenesis) = data("mutagenesis/csv") else {
        return;
    };
    check_rows(
        &mutagenesis,
        &[
            ("atom", 5894),
            ("bond", 6309),
            ("group", 1712),
            ("molecule", 230),
        ],
    );
    let molecules = table(&mutagenesis, "molecule");
    let active = molecules.position("active").unwrap();
    assert_eq!(counts(molecules, active), owned(&[("0", 92), ("1", 138)]));
    let Some(biodegradability) = data("biodegradability") else {
        return;
    };
    check_rows(
        &biodegradability,
        &[
            ("atom", 6568),
            ("bond", 6616),
            ("gmember", 6647),
            ("group", 1736),
            ("molecule", 328),
        ],
    );
    let all_missing: usize = ["atom", "bond", "gmember", "group", "molecule"]
        .map(|name| size(table(&biodegradability, name)).2)
        .iter()
        .sum();
    assert_eq!(all_missing, 0);
    let Some(financial) = data("financial_pkdd99") else {
        return;
    };
    check_rows(
        &financial,
        &[
            ("account", 4500),
            ("card", 892),
            ("client", 5369),
            ("disp", 5369),
            ("district", 77),
            ("loan", 682),
            ("order", 6471),
        ],
    );
    let loans = table(&financial, "loan");
    assert_eq!(
        counts(loans, loans.position("status").unwrap()),
        owned(&[("A", 203), ("B", 31), ("C", 403), ("D", 45)])
    );
}

#[test]
fn written_schemas_read_the_same() {
    for path in [
        "uci/wdbc.data",
        "uci/monks-1.train",
        "uci/sick-euthyroid.data",
        "uci/iris.arff",
        "uci/soybean.arff",
        "uci/autos.arff",
        "hierarchical/clus_testTreeHMLC-RealWorld.arff",
        "musk/clean1.data",
        "mutagenesis/csv",
        "financial_pkdd99",
    ] {
        let Some(first) = data(path) else { return };
        let folder = tempfile::TempDir::new().unwrap();
        let schema = folder.path().join("schema.toml");
        std::fs::write(&schema, Schema::of(&first).to_toml()).unwrap();
        let options = ReadOptions {
            schema: Some(schema),
            ..ReadOptions::default()
        };
        let root = PathBuf::from(std::env::var_os("KINWOOD_DATA").unwrap());
        let second = read(&root.join(path), &options).unwrap_or_else(|error| panic!("{error}"));
        assert!(second.database == first.database, "{path}");
    }
}
