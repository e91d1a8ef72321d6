//! What came of a comparison, computed just now or read from a results folder.

use std::path::Path;

use kinwood_evaluation::measures::{Measure, Target};
use kinwood_evaluation::run::{Evaluation, Known};
use serde::{Deserialize, Serialize};

use super::{Asked, Contender, Entered};
use crate::results::log::Log;
use crate::results::record::{FoldKept, KnownKept};
use crate::results::{manifest, read};
use kinwood_workbench::error::{Error, Result};

/// How tables are read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reading {
    /// The measure, if not the customary one.
    pub measure: Option<Measure>,
    /// A difference with a probability of at most this is told.
    pub level: f64,
    /// Differences up to this are of no practical interest.
    pub rope: f64,
}

impl Default for Reading {
    fn default() -> Self {
        Self {
            measure: None,
            level: 0.05,
            rope: 0.01,
        }
    }
}

/// What was asked, and which files hold what.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    format: u32,
    kinwood: String,
    pub title: String,
    pub command: String,
    pub seed: u64,
    pub reading: Reading,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub leaderboard: bool,
    pub data: Vec<DataShown>,
    pub learners: Vec<LearnerShown>,
    pub cells: Vec<CellKept>,
}

/// The one form of results folders that there is.
const FORMAT: u32 = 1;

/// A data set of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataShown {
    /// What it is called.
    pub name: String,
    /// What it was read from.
    pub source: String,
    /// The targets.
    pub targets: Vec<String>,
    /// How many rows there are.
    pub rows: usize,
    pub(super) file: String,
}

/// A learner of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LearnerShown {
    /// What it is called.
    pub name: String,
    /// The learner.
    pub learner: String,
    /// Settings that differ from its defaults.
    pub settings: Vec<(String, String)>,
    /// Settings chosen by inner folds, among these values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tune: Vec<(String, Vec<String>)>,
}

/// Where the folds of a learner on a data set are.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CellKept {
    pub data: usize,
    pub learner: usize,
    pub file: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
}

impl Manifest {
    pub fn new(asked: &Asked, entered: &[Entered], contenders: &[Contender], seed: u64) -> Self {
        let data = entered.iter().map(|data| DataShown {
            name: data.name.clone(),
            source: data.source.clone(),
            targets: data.problem.target_names(),
            rows: data.problem.view.len(),
            file: String::new(),
        });
        let learners = contenders.iter().map(|contender| LearnerShown {
            name: contender.name.clone(),
            learner: contender.learner.clone(),
            settings: contender.settings.clone(),
            tune: contender.tune.clone(),
        });
        Self {
            format: FORMAT,
            kinwood: env!("CARGO_PKG_VERSION").to_owned(),
            title: asked.title.clone(),
            command: asked.command.clone(),
            seed,
            reading: asked.reading.clone(),
            leaderboard: asked.leaderboard,
            data: data.collect(),
            learners: learners.collect(),
            cells: Vec::new(),
        }
    }
}

/// A learner on a data set.
#[derive(Clone, Debug)]
pub enum Cell {
    /// Every fold was predicted.
    Scored {
        /// Predictions and scores.
        evaluation: Box<Evaluation>,
        /// The seconds that all folds took together, on that machine and as busy as it was.
        seconds: f64,
        /// The settings chosen on the training rows, fold by fold, by a learner that chooses.
        chosen: Vec<String>,
    },
    /// The learner failed, or has not been run to the end.
    Failed(String),
}

impl Cell {
    /// What was predicted, where it was.
    pub fn evaluation(&self) -> Option<&Evaluation> {
        match self {
            Cell::Scored { evaluation, .. } => Some(evaluation),
            Cell::Failed(_) => None,
        }
    }
}

/// What came of a comparison.
#[derive(Clone, Debug)]
pub struct Outcome {
    manifest: Manifest,
    cells: Vec<Cell>,
}

impl Outcome {
    pub(super) fn new(manifest: Manifest, cells: Vec<Cell>) -> Self {
        Self { manifest, cells }
    }

    /// What a results folder holds.
    pub fn read(folder: &Path) -> Result<Self> {
        let manifest: Manifest = manifest(folder)?;
        let damaged = |file: &str, reason: &str| Error::ReadResults {
            file: folder.join(file).display().to_string(),
            reason: reason.to_owned(),
        };
        if manifest.format != FORMAT {
            return Err(damaged("results.json", "it was written by another version"));
        }
        let mut known: Vec<Known> = Vec::with_capacity(manifest.data.len());
        for data in &manifest.data {
            let kept: KnownKept = read(&folder.join(&data.file))?;
            let read = kept.known().ok_or_else(|| {
                damaged(
                    &data.file,
                    "what it says of the rows does not hold together",
                )
            })?;
            known.push(read);
        }
        let mut cells = Vec::with_capacity(manifest.cells.len());
        for cell in &manifest.cells {
            let places = (manifest.learners.get(cell.learner), known.get(cell.data));
            let (Some(_), Some(known)) = places else {
                return Err(damaged(
                    "results.json",
                    "it names data or learners it does not list",
                ));
            };
            cells.push(match &cell.failed {
                Some(told) => Cell::Failed(told.clone()),
                None => of_log(&folder.join(&cell.file), known)?,
            });
        }
        if manifest.cells.len() != manifest.data.len() * manifest.learners.len() {
            return Err(damaged("results.json", "it lacks cells"));
        }
        Ok(Self { manifest, cells })
    }

    /// What it is called.
    pub fn title(&self) -> &str {
        &self.manifest.title
    }

    /// The command that makes it again.
    pub fn command(&self) -> &str {
        &self.manifest.command
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.manifest.seed
    }

    /// Whether the best learner is told.
    pub fn has_leaderboard(&self) -> bool {
        self.manifest.leaderboard
    }

    /// How its tables are read.
    pub fn reading(&self) -> &Reading {
        &self.manifest.reading
    }

    /// Has its tables read otherwise.
    pub fn reread(&mut self, reading: Reading) {
        self.manifest.reading = reading;
    }

    /// The data sets.
    pub fn data(&self) -> &[DataShown] {
        &self.manifest.data
    }

    /// The learners.
    pub fn learners(&self) -> &[LearnerShown] {
        &self.manifest.learners
    }

    /// A learner on a data set.
    pub fn cell(&self, data: usize, learner: usize) -> &Cell {
        &self.cells[data * self.manifest.learners.len() + learner]
    }

    /// Whether a data set has a target of a kind; not where every learner failed on it.
    pub fn has(&self, data: usize, kind: Target) -> bool {
        let mut learners = 0..self.learners().len();
        let truths =
            learners.find_map(|learner| Some(&self.cell(data, learner).evaluation()?.truths));
        truths.is_some_and(|truths| truths.iter().any(|truth| truth.target() == kind))
    }

    /// Every learner that failed on a data set, and why.
    pub fn failures(&self) -> Vec<(&DataShown, &LearnerShown, &str)> {
        let places = (0..self.data().len())
            .flat_map(|data| (0..self.learners().len()).map(move |learner| (data, learner)));
        places
            .filter_map(|(data, learner)| match self.cell(data, learner) {
                Cell::Failed(told) => {
                    Some((&self.data()[data], &self.learners()[learner], told.as_str()))
                }
                Cell::Scored { .. } => None,
            })
            .collect()
    }
}

/// What a log has of a learner on a data set.
fn of_log(path: &Path, known: &Known) -> Result<Cell> {
    let mut lines = match path.is_file() {
        true => Log::read(path)?,
        false => Default::default(),
    };
    let (mut predictions, mut seconds, mut chosen) = (Vec::new(), 0.0, Vec::new());
    for split in known.splits.iter() {
        let line = lines.remove(&format!("{}.{}", split.repeat, split.fold));
        let kept = line.and_then(|line| serde_json::from_value::<FoldKept>(line).ok());
        let Some(kept) = kept else { continue };
        seconds += kept.seconds;
        chosen.extend(kept.chosen.clone());
        predictions.extend(kept.predictions(split.test.len()));
    }
    let (found, of) = (predictions.len(), known.splits.len());
    let fits =
        |predicted: &kinwood_learners::Predictions| predicted.targets.len() == known.truths.len();
    if found < of || !predictions.iter().all(fits) {
        return Ok(Cell::Failed(format!(
            "{found} of {of} folds are kept; the command that made the folder goes on with it"
        )));
    }
    let evaluation = known
        .score(predictions)
        .map_err(|error| Error::ReadResults {
            file: path.display().to_string(),
            reason: format!("{error}; remove the file to have it computed anew"),
        })?;
    Ok(Cell::Scored {
        evaluation: Box::new(evaluation),
        seconds,
        chosen,
    })
}
