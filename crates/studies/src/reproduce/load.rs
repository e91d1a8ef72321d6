//! The data of studies: files that are checked and named where they are not there, and what is done
//! to them.

use std::path::Path;
use std::sync::Arc;

use kinwood_container::reason;
use kinwood_evaluation::division::Division;
use kinwood_evaluation::study::{DataSource, File, Merge, Row, Study};
use kinwood_formats::{Dataset, ReadOptions, Schema, Source};
use kinwood_values::{Cells, Database, Dictionary, Notice, Role, Table};
use sha2::{Digest, Sha256};

use kinwood_workbench::data::{Choices, Data, Problem};
use kinwood_workbench::error::{Error, Result};
use kinwood_workbench::fingerprint::hexadecimal;
use kinwood_workbench::naming::find_column;
use kinwood_workbench::open::in_bags;

/// Fails naming every file that is not there; files with another checksum are told of.
pub(super) fn check_files(study: &Study, folder: &Path) -> Result<Vec<Notice>> {
    let mut notices = Vec::new();
    let mut lacking: Vec<String> = Vec::new();
    let data = study.rows.iter().filter_map(|row| row.data.as_ref());
    for data in data.flat_map(DataSource::files) {
        let path = folder.join(&data.file);
        let told = match std::fs::read(&path) {
            Ok(bytes) => {
                let found = hexadecimal(&Sha256::digest(&bytes));
                (found != data.sha256).then(|| {
                    notices.push(Notice::new(format!(
                        "`{}` is not the file of the study: its SHA-256 is {found}, expected {}",
                        path.display(),
                        data.sha256
                    )));
                });
                continue;
            }
            Err(error) => {
                let reason = match error.kind() {
                    std::io::ErrorKind::NotFound => String::new(),
                    _ => format!(" ({})", reason(&error)),
                };
                let File { file, source, .. } = &data;
                format!("{file}{reason}, from {source}, SHA-256 {}", data.sha256)
            }
        };
        if !lacking.contains(&told) {
            lacking.push(told);
        }
    }
    if lacking.is_empty() {
        notices.dedup();
        return Ok(notices);
    }
    Err(Error::StudyData {
        study: study.name.clone(),
        folder: folder.display().to_string(),
        lacking,
    })
}

/// The problem of a row.
pub(super) fn load(
    study: &Study,
    row: &Row,
    data: &DataSource,
    folder: &Path,
    notices: &mut Vec<Notice>,
) -> Result<Problem> {
    let mut dataset = match &data.sql {
        None if data.schema.is_some() => declared(study, row, data, folder)?,
        None => kinwood_formats::read(&folder.join(&data.file), &ReadOptions::default())?,
        Some(statements) => derived(study, data, statements, folder)?,
    };
    for column in &data.nominal {
        dataset.database = labelled(study, dataset.database, column)?;
    }
    for merge in &data.merge {
        dataset.database = merged(study, dataset.database, merge)?;
    }
    if let Some(column) = &data.bag {
        dataset = in_bags(dataset, column)?;
    }
    let mut roles: Vec<(String, Role)> = data
        .ignore
        .iter()
        .map(|column| (column.clone(), Role::Ignore))
        .collect();
    if let Division::Column(column) = study.split_of(row) {
        roles.push((column.clone(), Role::Fold));
    }
    let read = Data::new(&data.file, dataset, &roles)?;
    let told = read
        .notices()
        .iter()
        .map(|notice| Notice::new(format!("{}: {notice}", data.file)));
    notices.extend(
        told.filter(|told| !notices.contains(told))
            .collect::<Vec<_>>(),
    );
    let choices = Choices {
        targets: vec![data.target.clone()],
        rows: data.rows.clone(),
        ..Choices::default()
    };
    Ok(read.problem(&choices)?.0)
}

/// The facts of several files, as a schema declares them.
fn declared(study: &Study, row: &Row, data: &DataSource, folder: &Path) -> Result<Dataset> {
    let file = format!("{}, row `{}`", study.name, row.name);
    let schema = Schema::parse(data.schema.as_deref().unwrap_or_default(), &file)?;
    let Some(facts) = &schema.facts else {
        return Err(Error::Study {
            study: study.name.clone(),
            reason: format!(
                "row `{}` states a schema that declares no facts, without the `sql` that makes use of it",
                row.name
            ),
        });
    };
    let open = |data: &File| Source::open(&folder.join(&data.file));
    let sources: Vec<Source> = data.files().iter().map(open).collect::<Result<_, _>>()?;
    Ok(kinwood_formats::read::read_facts(
        &sources, facts, &schema, &file,
    )?)
}

/// What SQL statements make of the tables of several files.
fn derived(study: &Study, data: &DataSource, statements: &str, folder: &Path) -> Result<Dataset> {
    let mut tables: Vec<Table> = Vec::new();
    for file in data.files() {
        let read = kinwood_formats::read(&folder.join(&file.file), &ReadOptions::default())?;
        let (own, _) = read.database.into_parts();
        tables.extend(own.into_iter().map(|table| match &file.table {
            Some(name) => table.renamed(name),
            None => table,
        }));
    }
    let (database, _) = Database::new(tables, Vec::new())?;
    let schema = data.schema.as_deref().unwrap_or_default();
    made_by_sql(study, &database, statements, schema)
}

#[cfg(feature = "sqlite")]
fn made_by_sql(_: &Study, database: &Database, statements: &str, schema: &str) -> Result<Dataset> {
    Ok(kinwood_formats::derive(database, statements, schema)?)
}

/// Refuses: it is SQLite that runs the statements.
#[cfg(not(feature = "sqlite"))]
fn made_by_sql(study: &Study, _: &Database, _: &str, _: &str) -> Result<Dataset> {
    Err(Error::Study {
        study: study.name.clone(),
        reason: "its tables are made by SQL, and this program was built without SQLite".to_owned(),
    })
}

/// The database with the numbers of a column made labels.
fn labelled(study: &Study, database: Database, written: &str) -> Result<Database> {
    let (table, column) = find_column(&database, written)?;
    let (mut tables, keys) = database.into_parts();
    let values = Arc::clone(&tables[table].attribute(column).column);
    if values.numbers().is_none() {
        let reason = format!("column `{written}` is not numeric: its numbers cannot be labels");
        return Err(Error::Study {
            study: study.name.clone(),
            reason,
        });
    }
    let label = |row: usize| values.number(row).map(|number| number.to_string());
    let labels: Vec<Option<String>> = (0..values.len()).map(label).collect();
    let labels = labels.iter().map(Option::as_deref);
    tables[table].replace(column, kinwood_values::Column::nominal(labels));
    Ok(Database::new(tables, keys)?.0)
}

/// The database with several labels of a column made one.
fn merged(study: &Study, database: Database, merge: &Merge) -> Result<Database> {
    let (table, column) = find_column(&database, &merge.column)?;
    let (mut tables, keys) = database.into_parts();
    let values = Arc::clone(&tables[table].attribute(column).column);
    let Some((codes, dictionary)) = values.codes() else {
        let reason = format!(
            "column `{}` is not nominal: its labels cannot be merged",
            merge.column
        );
        return Err(Error::Study {
            study: study.name.clone(),
            reason,
        });
    };
    if let Some(label) = merge
        .labels
        .iter()
        .find(|label| dictionary.code(label).is_none())
    {
        let reason = format!("column `{}` has no label `{label}`", merge.column);
        return Err(Error::Study {
            study: study.name.clone(),
            reason,
        });
    }
    let mut labels = Dictionary::new();
    let map: Vec<u32> = dictionary
        .labels()
        .map(|label| {
            let merges = merge.labels.iter().any(|merged| merged == label);
            labels.intern(if merges { &merge.into } else { label })
        })
        .collect();
    let codes = codes
        .iter()
        .enumerate()
        .map(|(row, &code)| {
            if values.is_present(row) {
                map[code as usize]
            } else {
                0
            }
        })
        .collect();
    let cells = Cells::Nominal {
        codes,
        dictionary: Arc::new(labels),
    };
    tables[table].replace(
        column,
        kinwood_values::Column::new(cells, values.validity().cloned()),
    );
    Ok(Database::new(tables, keys)?.0)
}
