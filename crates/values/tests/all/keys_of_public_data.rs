//! Keys of public databases, against what is known of them: all real keys are found, no false one
//! is accepted.
//!
//! `KINWOOD_DATA` names the folder of data sets; without it the tests say so and pass. A few lines
//! read the files, for readers proper stand above this crate.
#![allow(clippy::print_stderr, reason = "a skipped test has to say so")]

use std::path::{Path, PathBuf};

use kinwood_values::{Attribute, Column, Database, Table, keys};

/// A folder, its primary keys, its foreign keys.
type Truth = (
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
);

const TRUTH: [Truth; 4] = [
    (
        "mutagenesis/csv",
        &[
            "atom.atom_id",
            "bond.atom1_id+atom2_id",
            "group.group_id",
            "group_atom.group_id+part+position",
            "molecule.molecule_id",
        ],
        &[
            "atom.molecule_id -> molecule.molecule_id",
            "bond.atom1_id -> atom.atom_id",
            "bond.atom2_id -> atom.atom_id",
            "bond.molecule_id -> molecule.molecule_id",
            "group.molecule_id -> molecule.molecule_id",
            "group_atom.atom_id -> atom.atom_id",
            "group_atom.group_id -> group.group_id",
        ],
    ),
    (
        "biodegradability",
        &[
            "atom.atom_id",
            "bond.atom_id+atom_id2",
            "gmember.atom_id+group_id",
            "group.group_id",
            "molecule.molecule_id",
        ],
        &[
            "atom.molecule_id -> molecule.molecule_id",
            "bond.atom_id -> atom.atom_id",
            "bond.atom_id2 -> atom.atom_id",
            "gmember.atom_id -> atom.atom_id",
            "gmember.group_id -> group.group_id",
        ],
    ),
    (
        "financial_pkdd99",
        &[
            "account.account_id",
            "card.card_id",
            "client.client_id",
            "disp.disp_id",
            "district.A1",
            "loan.loan_id",
            "order.order_id",
        ],
        &[
            "account.district_id -> district.A1",
            "card.disp_id -> disp.disp_id",
            "client.district_id -> district.A1",
            "disp.account_id -> account.account_id",
            "disp.client_id -> client.client_id",
            "loan.account_id -> account.account_id",
            "order.account_id -> account.account_id",
        ],
    ),
    (
        "trains",
        &["cars.id", "trains.id"],
        &["cars.tid -> trains.id"],
    ),
];

fn data() -> Option<PathBuf> {
    let folder = std::env::var_os("KINWOOD_DATA").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("skipped: KINWOOD_DATA does not name the folder of data sets");
    }
    folder
}

/// The tables that the truth names; a folder may hold other files.
fn load(folder: &Path, primary: &[&str]) -> Vec<Table> {
    let files = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path());
    let endings = ["csv", "asc"];
    let known = |path: &Path| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let tables = primary.iter().filter_map(|key| key.split_once('.'));
        tables.into_iter().any(|(table, _)| table == name)
    };
    let mut files: Vec<PathBuf> = files
        .filter(|path| {
            path.extension()
                .is_some_and(|ending| endings.iter().any(|e| ending == *e))
                && known(path)
        })
        .collect();
    files.sort();
    files.iter().map(|file| load_table(file)).collect()
}

fn load_table(path: &Path) -> Table {
    let text = std::fs::read_to_string(path).unwrap();
    let delimiter = if path.extension().unwrap() == "asc" {
        ';'
    } else {
        ','
    };
    let cells = |line: &str| -> Vec<String> {
        line.split(delimiter)
            .map(|cell| cell.trim().trim_matches('"').to_owned())
            .collect()
    };
    let mut lines = text.lines();
    let header = cells(lines.next().unwrap());
    // The trains' second and third lines state types and keys.
    let stated = if path.parent().unwrap().ends_with("trains") {
        2
    } else {
        0
    };
    let rows: Vec<Vec<String>> = lines.skip(stated).map(cells).collect();
    let attributes = header.iter().enumerate().map(|(column, name)| {
        let texts: Vec<&str> = rows.iter().map(|row| row[column].as_str()).collect();
        let numbers: Result<Vec<f64>, _> = texts.iter().map(|text| text.parse()).collect();
        Attribute::new(
            name,
            numbers.map_or_else(
                |_| Column::nominal(texts.iter().map(|&text| Some(text))),
                Column::numeric,
            ),
        )
    });
    let name = path.file_stem().unwrap().to_string_lossy();
    Table::new(name, attributes.collect()).unwrap()
}

fn named(table: &Table, columns: &[usize]) -> String {
    let names: Vec<&str> = columns
        .iter()
        .map(|&column| table.attribute(column).name.as_str())
        .collect();
    format!("{}.{}", table.name(), names.join("+"))
}

/// The accepted keys, sorted; applying them succeeds.
fn accepted(tables: Vec<Table>) -> (Vec<String>, Vec<String>) {
    let (database, _) = Database::new(tables, Vec::new()).unwrap();
    let found = keys::infer(&database);
    let primary = found.primary.iter().filter(|key| key.accepted);
    let mut primary: Vec<String> = primary
        .map(|key| named(database.table(key.table), &key.columns))
        .collect();
    let foreign = found.foreign.iter().filter(|link| link.accepted);
    let mut foreign: Vec<String> = foreign
        .map(|link| {
            let from = named(database.table(link.from), &link.from_columns);
            format!(
                "{from} -> {}",
                named(database.table(link.to), &link.to_columns)
            )
        })
        .collect();
    keys::apply(database, &found).unwrap();
    primary.sort();
    foreign.sort();
    (primary, foreign)
}

#[test]
fn all_real_keys_and_no_false_ones() {
    let Some(data) = data() else { return };
    for (folder, primary, foreign) in TRUTH {
        let (found_primary, found_foreign) = accepted(load(&data.join(folder), primary));
        assert_eq!(found_primary, primary, "{folder}");
        assert_eq!(found_foreign, foreign, "{folder}");
    }
}

/// A table with its rows the other way round.
fn reversed(table: &Table) -> Table {
    let rows: Vec<u32> = (0..table.rows() as u32).rev().collect();
    table.gather(&rows)
}

#[test]
fn decoys_and_the_order_of_rows_change_nothing() {
    let Some(data) = data() else { return };
    for (folder, primary, foreign) in TRUTH {
        let tables = load(&data.join(folder), primary);
        let tables = tables.iter().map(|table| {
            let table = reversed(table);
            let rows = table.rows() as f64;
            let column = |value: &dyn Fn(f64) -> f64| {
                Column::numeric((0..table.rows()).map(|row| value(row as f64)).collect())
            };
            let mut attributes = table.attributes().to_vec();
            let decoys = [
                ("stars", column(&|row| (row * 7.0) % 5.0 + 1.0)),
                ("percentage", column(&|row| (row * 37.0) % 100.0 + 1.0)),
                (
                    "milligrams",
                    column(&|row| 1e6 + row * (rows - row / 3.0) * 1009.0 + row),
                ),
                ("altitude", column(&|row| row * 0.37 - 11.0)),
            ];
            attributes.extend(decoys.map(|(name, column)| Attribute::new(name, column)));
            Table::new(table.name(), attributes).unwrap()
        });
        let (found_primary, found_foreign) = accepted(tables.collect());
        assert_eq!(found_primary, primary, "{folder}");
        assert_eq!(found_foreign, foreign, "{folder}");
    }
}

#[test]
fn without_names_no_false_key_is_accepted() {
    let Some(data) = data() else { return };
    for (folder, primary, foreign) in TRUTH {
        let tables = load(&data.join(folder), primary);
        let plain = |table: &str, columns: &str| -> String {
            let position = tables.iter().position(|one| one.name() == table).unwrap();
            let columns: Vec<String> = columns
                .split('+')
                .map(|column| format!("v{}", tables[position].position(column).unwrap()))
                .collect();
            format!("q{position}.{}", columns.join("+"))
        };
        let hidden = |key: &str| {
            key.split_once('.')
                .map(|(table, columns)| plain(table, columns))
                .unwrap()
        };
        let primary: Vec<String> = primary.iter().map(|key| hidden(key)).collect();
        let foreign: Vec<String> = foreign
            .iter()
            .map(|key| {
                key.split(" -> ")
                    .map(hidden)
                    .collect::<Vec<_>>()
                    .join(" -> ")
            })
            .collect();
        let renamed = tables.iter().enumerate().map(|(position, table)| {
            let attributes = table.attributes().iter().enumerate();
            let attributes = attributes.map(|(column, attribute)| Attribute {
                name: format!("v{column}"),
                ..attribute.clone()
            });
            Table::new(format!("q{position}"), attributes.collect()).unwrap()
        });
        let (found_primary, found_foreign) = accepted(renamed.collect());
        for key in &found_primary {
            assert!(primary.contains(key), "{folder}: {key} is no key");
        }
        for key in &found_foreign {
            assert!(foreign.contains(key), "{folder}: {key} is no reference");
        }
        eprintln!(
            "{folder} without names: {} of {} primary, {} of {} foreign keys",
            found_primary.len(),
            primary.len(),
            found_foreign.len(),
            foreign.len()
        );
    }
}
