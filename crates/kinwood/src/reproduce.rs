//! Reproducing published tables: studies run on data that the user has.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use kinwood_container::reason;
use kinwood_evaluation::run::evaluate;
use kinwood_evaluation::study::{Cell, Column, DataSource, Merge, Row, Study};
use kinwood_evaluation::summary::FoldSummary;
use kinwood_formats::ReadOptions;
use kinwood_learners::{Context, Registry};
use kinwood_values::{Cells, Database, Dictionary, Notice, Role};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::data::{Choices, Data, Problem};
use crate::error::{Error, Result};
use crate::fingerprint::hexadecimal;
use crate::naming::find_column;
use crate::open::in_bags;

/// The studies that come with Kinwood: name and text.
const STUDIES: &[(&str, &str)] = &[
    (
        "kstar-table1",
        include_str!("../../../studies/kstar-table1.toml"),
    ),
    (
        "musk-table7",
        include_str!("../../../studies/musk-table7.toml"),
    ),
];

/// A table computed again.
#[derive(Clone, Debug, Serialize)]
pub struct Reproduction {
    /// The study's name.
    pub table: String,
    /// The figures, row by row.
    pub cells: Vec<Cell>,
    /// What the study says of its rows.
    #[serde(skip)]
    pub notes: Vec<String>,
    #[serde(skip)]
    title: String,
    #[serde(skip)]
    decimals: usize,
}

/// All studies, in order.
pub fn studies() -> Result<Vec<Study>> {
    STUDIES
        .iter()
        .map(|(name, text)| parse(name, text))
        .collect()
}

/// The study of that name; the error names the nearest.
pub fn study(name: &str) -> Result<Study> {
    match STUDIES.iter().find(|(known, _)| *known == name) {
        Some((name, text)) => parse(name, text),
        None => {
            let names: Vec<&str> = STUDIES.iter().map(|(name, _)| *name).collect();
            let near = kinwood_values::suggest::nearest(name, &names);
            let reason = format!(
                "there is no such study (the studies are {}){}",
                names.join(", "),
                kinwood_values::suggest::did_you_mean(&near)
            );
            Err(Error::Study {
                study: name.to_owned(),
                reason,
            })
        }
    }
}

fn parse(name: &str, text: &str) -> Result<Study> {
    let wrong = |reason: String| Error::Study {
        study: name.to_owned(),
        reason,
    };
    let study: Study = toml::from_str(text).map_err(|error| wrong(error.to_string()))?;
    match study.fault() {
        None => Ok(study),
        Some(fault) => Err(wrong(fault)),
    }
}

/// Runs a study on the files of a folder.
///
/// Files that are not there make an error that names each with its public source and checksum, before anything
/// runs; a file with another checksum is used, with a notice.
pub fn reproduce(
    study: &Study,
    folder: &Path,
    registry: &Registry,
    context: &Context,
) -> Result<(Reproduction, Vec<Notice>)> {
    let mut notices = check_files(study, folder)?;
    let context = context.clone().with_seed(study.seed);
    let running = context.progress(&study.name, (study.rows.len() * study.columns.len()) as u64);
    let quiet = context.quietly();
    let mut cells = Vec::new();
    for row in &study.rows {
        let problem = match &row.data {
            Some(data) => Some(load(study, data, folder, &mut notices)?),
            None => None,
        };
        for column in &study.columns {
            let ours = match &problem {
                Some(problem) => score(study, row, column, problem, registry, &quiet)?,
                None => None,
            };
            cells.push(study.cell(row, column, ours));
            running.advance(1);
        }
    }
    let notes = study
        .rows
        .iter()
        .filter_map(|row| Some(format!("{}: {}", row.name, row.note.as_ref()?)));
    let reproduction = Reproduction {
        table: study.name.clone(),
        cells,
        notes: notes.collect(),
        title: study.title.clone(),
        decimals: study.decimals,
    };
    Ok((reproduction, notices))
}

/// The mean and standard deviation of a cell, in the paper's unit.
fn score(
    study: &Study,
    row: &Row,
    column: &Column,
    problem: &Problem,
    registry: &Registry,
    context: &Context,
) -> Result<Option<(f64, f64)>> {
    let given: Vec<(&str, &str)> = column
        .settings
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    let of = |given: &[(&str, &str)]| {
        score_with(
            study,
            row,
            &column.learner,
            given,
            problem,
            registry,
            context,
        )
    };
    let Some(best) = &column.best else {
        return of(&given);
    };
    let mut found: Option<(f64, f64)> = None;
    for value in &best.values {
        let mut given = given.clone();
        given.push((&best.setting, value));
        if let Some(here) = of(&given)?
            && found.is_none_or(|known| study.better(here.0, known.0))
        {
            found = Some(here);
        }
    }
    Ok(found)
}

/// The mean and standard deviation of a learner with settings, in the paper's unit.
fn score_with(
    study: &Study,
    row: &Row,
    learner: &str,
    given: &[(&str, &str)],
    problem: &Problem,
    registry: &Registry,
    context: &Context,
) -> Result<Option<(f64, f64)>> {
    let entry = registry.find(learner)?;
    let learner = (entry.build)(&entry.settings(given)?)?;
    let evaluation = evaluate(
        &*learner,
        &problem.view,
        &problem.targets,
        &study.plan(),
        context,
    )?;
    let position = evaluation
        .measures
        .iter()
        .position(|name| name == study.measure.key())
        .ok_or_else(|| {
            let reason = format!("row `{}` is not measured by `{}`", row.name, study.measure);
            Error::Study {
                study: study.name.clone(),
                reason,
            }
        })?;
    let FoldSummary { mean, sd, .. } = evaluation.summaries[position];
    Ok(mean
        .zip(sd)
        .map(|(mean, sd)| (mean * study.scale, sd * study.scale)))
}

fn check_files(study: &Study, folder: &Path) -> Result<Vec<Notice>> {
    let mut notices = Vec::new();
    let mut lacking: Vec<String> = Vec::new();
    for data in study.rows.iter().filter_map(|row| row.data.as_ref()) {
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
                let DataSource { file, source, .. } = data;
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
    let reason = format!(
        "{} data files are not in `{}` (say where they are with `--data DIR` or KINWOOD_DATA):\n  {}",
        lacking.len(),
        folder.display(),
        lacking.join("\n  ")
    );
    Err(Error::Study {
        study: study.name.clone(),
        reason,
    })
}

fn load(
    study: &Study,
    data: &DataSource,
    folder: &Path,
    notices: &mut Vec<Notice>,
) -> Result<Problem> {
    let path: PathBuf = folder.join(&data.file);
    let mut dataset = kinwood_formats::read(&path, &ReadOptions::default())?;
    for column in &data.nominal {
        dataset.database = labelled(study, dataset.database, column)?;
    }
    for merge in &data.merge {
        dataset.database = merged(study, dataset.database, merge)?;
    }
    if let Some(column) = &data.bag {
        dataset = in_bags(dataset, column)?;
    }
    let roles: Vec<(String, Role)> = data
        .ignore
        .iter()
        .map(|column| (column.clone(), Role::Ignore))
        .collect();
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

impl Reproduction {
    /// The table as people read it: ours, the paper's, the difference and the verdict for each cell.
    pub fn to_text(&self) -> String {
        let number = |value: Option<f64>| {
            value.map_or("-".to_owned(), |value| format!("{value:.*}", self.decimals))
        };
        let mut text = format!("{}\n{}\n\n", self.table, self.title);
        let width = |heading: &str, cells: &dyn Fn(&Cell) -> &str| {
            self.cells
                .iter()
                .map(|cell| cells(cell).chars().count())
                .max()
                .unwrap_or(0)
                .max(heading.len())
        };
        let (rows, columns) = (
            width("row", &|cell| &cell.row),
            width("column", &|cell| &cell.column),
        );
        text += &format!(
            "{:rows$}  {:columns$}  {:>8}  {:>6}  {:>8}  {:>10}  verdict\n",
            "row", "column", "ours", "sd", "paper", "difference"
        );
        for cell in &self.cells {
            let difference = cell.ours.zip(cell.paper).map(|(ours, paper)| ours - paper);
            let difference =
                difference.map_or("-".to_owned(), |d| format!("{d:+.*}", self.decimals));
            text += &format!(
                "{:rows$}  {:columns$}  {:>8}  {:>6}  {:>8}  {:>10}  {}\n",
                cell.row,
                cell.column,
                number(cell.ours),
                number(cell.sd),
                number(cell.paper),
                difference,
                cell.verdict
            );
        }
        if !self.notes.is_empty() {
            text += "\n";
        }
        for note in &self.notes {
            text += &format!("{note}\n");
        }
        text
    }
}
