//! Reproducing published tables: studies run on data that the user has.

mod figures;
mod load;
mod summary;
mod text;

pub use summary::Summary;

use std::path::Path;

use kinwood_evaluation::study::{Cell, Compared, Study};
use kinwood_learners::{Context, Registry};
use kinwood_values::Notice;
use serde::Serialize;

use crate::results::Folder;
use figures::Runs;
use kinwood_workbench::error::{Error, Result};
use load::{check_files, load};

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
    ("musk2", include_str!("../../../studies/musk2.toml")),
    (
        "dbdt-table1",
        include_str!("../../../studies/dbdt-table1.toml"),
    ),
    (
        "dbdt-table2",
        include_str!("../../../studies/dbdt-table2.toml"),
    ),
    (
        "dbdt-table3",
        include_str!("../../../studies/dbdt-table3.toml"),
    ),
    (
        "dbdt-table4",
        include_str!("../../../studies/dbdt-table4.toml"),
    ),
    (
        "dbdt-table5",
        include_str!("../../../studies/dbdt-table5.toml"),
    ),
    (
        "mirt-table1",
        include_str!("../../../studies/mirt-table1.toml"),
    ),
    (
        "mirt-table2",
        include_str!("../../../studies/mirt-table2.toml"),
    ),
    (
        "beam-table4",
        include_str!("../../../studies/beam-table4.toml"),
    ),
    (
        "beam-table5",
        include_str!("../../../studies/beam-table5.toml"),
    ),
    (
        "beam-table6",
        include_str!("../../../studies/beam-table6.toml"),
    ),
    (
        "beam-table7",
        include_str!("../../../studies/beam-table7.toml"),
    ),
    (
        "fourlayer-table1",
        include_str!("../../../studies/fourlayer-table1.toml"),
    ),
];

/// A table computed again.
#[derive(Clone, Debug, Serialize)]
pub struct Reproduction {
    /// The study's name.
    pub table: String,
    /// The figures, row by row.
    pub cells: Vec<Cell>,
    /// Columns tested against each other, heading by heading.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub comparisons: Vec<Compared>,
    /// What the study says of its rows.
    #[serde(skip)]
    pub notes: Vec<String>,
    #[serde(skip)]
    title: String,
    /// The digits after the point, heading by heading.
    #[serde(skip)]
    decimals: Vec<usize>,
}

impl Reproduction {
    /// A table of cells under headings, with the digits after the point heading by heading.
    pub(crate) fn of_cells(
        table: &str,
        title: &str,
        cells: Vec<Cell>,
        notes: Vec<String>,
        decimals: Vec<usize>,
    ) -> Self {
        Self {
            table: table.to_owned(),
            cells,
            comparisons: Vec::new(),
            notes,
            title: title.to_owned(),
            decimals,
        }
    }
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
/// Files that are not there make an error that names each with its public source and checksum,
/// before anything runs; a file with another checksum is used, with a notice.
pub fn reproduce(
    study: &Study,
    folder: &Path,
    registry: &Registry,
    context: &Context,
    results: Option<&Folder>,
) -> Result<(Reproduction, Vec<Notice>)> {
    let mut notices = check_files(study, folder)?;
    let context = context.clone().with_seed(study.seed);
    let headings = study.headings();
    let columns = headings.iter().map(|group| study.columns_of(group).count());
    let steps = study.rows.len() * columns.sum::<usize>();
    let running = context.progress(&study.name, steps as u64);
    let quiet = context.quietly();
    let mut cells = Vec::new();
    let pairs = headings.iter().flat_map(|group| {
        let comparisons = study.comparisons.iter();
        comparisons.filter_map(move |comparison| {
            let columns = comparison.contenders(study, group)?;
            Some((group, comparison, columns))
        })
    });
    let mut contests: Vec<_> = pairs.map(|pair| (pair, Vec::new())).collect();
    for row in &study.rows {
        let mut runs = match study.data(row) {
            Some(data) => {
                let problem = load(study, row, &data, folder, &mut notices)?;
                Some(Runs::new(study, row, problem, registry, &quiet, results)?)
            }
            None => None,
        };
        for group in &headings {
            for column in study.columns_of(group) {
                let ours = match &mut runs {
                    Some(runs) => runs.figure(group, column)?,
                    None => None,
                };
                cells.push(study.cell(row, group, column, ours));
                running.advance(1);
            }
        }
        let Some(runs) = &mut runs else { continue };
        for ((group, comparison, [first, second]), tests) in &mut contests {
            let repeats = comparison.test.takes_repeats();
            let first = runs.scores(group, first, repeats)?;
            let second = runs.scores(group, second, repeats)?;
            let (first, second, ratio) = (first.by_split, second.by_split, first.test_to_train);
            tests.push(comparison.test(study, &row.name, &first, &second, ratio)?);
        }
        notices.append(&mut runs.notices);
    }
    let comparisons = contests
        .into_iter()
        .map(|((group, comparison, _), tests)| comparison.compared(study, group, tests));
    let notes = study
        .rows
        .iter()
        .filter_map(|row| Some(format!("{}: {}", row.name, row.note.as_ref()?)));
    let reproduction = Reproduction {
        table: study.name.clone(),
        cells,
        comparisons: comparisons.collect(),
        notes: notes.collect(),
        title: study.title.clone(),
        decimals: headings.iter().map(|g| study.decimals_of(g)).collect(),
    };
    Ok((reproduction, notices))
}
