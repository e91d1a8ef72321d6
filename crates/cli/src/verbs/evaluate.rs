//! `kinwood evaluate`: how well a learner predicts rows it has not seen.

use clap::Args;
use kinwood::evaluate::{Division, evaluate};
use kinwood::naming::find_column;
use kinwood_values::Role;

use crate::arguments::pairs::setting;
use crate::arguments::{Reading, Roles};
use crate::error::Result;
use crate::loading::load_problem;
use crate::session::Session;

/// How often random splits are drawn when nobody says.
const SPLITS: usize = 25;
/// Folds when nobody says.
const FOLDS: usize = 10;

/// The arguments of `kinwood evaluate`.
#[derive(Args, Debug)]
pub struct Evaluate {
    /// The learner; `kinwood learners` lists them
    #[arg(value_name = "LEARNER")]
    learner: String,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    roles: Roles,
    /// A setting of the learner, such as k=3; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
    settings: Vec<(String, String)>,
    #[command(flatten)]
    dividing: Dividing,
}

/// How rows are divided into training and test.
#[derive(Args, Debug)]
#[command(next_help_heading = "Training and test rows")]
struct Dividing {
    /// Divide the rows into so many folds, each tested once; 10 if nothing else is said
    #[arg(long, value_name = "N", conflicts_with_all = ["split", "fold_column"])]
    folds: Option<usize>,
    /// Draw this share of the rows for training, such as 0.67, and test the others
    #[arg(long, value_name = "SHARE", conflicts_with = "fold_column")]
    split: Option<f64>,
    /// Take the folds from this column, which learners then do not see
    #[arg(long, value_name = "COLUMN", conflicts_with = "repeats")]
    fold_column: Option<String>,
    /// Divide so often anew: once into folds, 25 times into splits if nothing is said
    #[arg(long, value_name = "N")]
    repeats: Option<usize>,
    /// Divide the values of these columns into folds, so that no test row has one that a training row has
    #[arg(long, value_name = "COLUMN,..", value_delimiter = ',', conflicts_with_all = ["split", "fold_column"])]
    apart: Vec<String>,
}

impl Evaluate {
    /// Runs the verb.
    pub fn run(&self, session: &mut Session<'_>) -> Result<()> {
        let settings = session.settings(&self.learner, &self.settings)?;
        let folds: Vec<(String, Role)> = self
            .dividing
            .fold_column
            .iter()
            .map(|column| (column.clone(), Role::Fold))
            .collect();
        let (data, problem) = load_problem(&self.reading, &self.roles, &folds, session)?;
        let division = match &self.dividing.fold_column {
            Some(written) => {
                let (table, column) = find_column(data.database(), written)?;
                let name = &data.database().table(table).attribute(column).name;
                Some(Division::Column(name.clone()))
            }
            None => self.dividing.division(),
        };
        let report = evaluate(
            session.registry,
            &self.learner,
            &settings,
            &problem,
            division.as_ref(),
            data.source(),
            &session.context,
        )?;
        session.note(&report.notices);
        session.note(&session.context.counted());
        match session.json {
            true => session.print_json(&report.to_json()),
            false => session.print(&report.to_text()),
        }
    }
}

impl Dividing {
    /// What is said about folds, splits and repeats; `None` where nothing is.
    fn division(&self) -> Option<Division> {
        if !self.apart.is_empty() {
            return Some(Division::Apart {
                folds: self.folds.unwrap_or(FOLDS),
                repeats: self.repeats.unwrap_or(1),
                columns: self.apart.clone(),
            });
        }
        match (self.split, self.folds, self.repeats) {
            (Some(share), _, repeats) => Some(Division::Splits {
                share,
                repeats: repeats.unwrap_or(SPLITS),
            }),
            (None, None, None) => None,
            (None, folds, repeats) => Some(Division::Folds {
                folds: folds.unwrap_or(FOLDS),
                repeats: repeats.unwrap_or(1),
            }),
        }
    }
}
