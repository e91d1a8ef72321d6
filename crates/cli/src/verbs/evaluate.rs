//! `kinwood evaluate`: how well a learner predicts rows it has not seen.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use kinwood::evaluate::evaluate;
use kinwood::output::{folds_table, is_csv, save_answers, save_table};
use kinwood_values::Table;

use crate::arguments::pairs::setting;
use crate::arguments::{Dividing, Reading, Roles};
use crate::error::Result;
use crate::loading::load_problem;
use crate::session::Session;

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
    /// Write what was predicted of each test row to this file, by its ending: CSV, Parquet, JSON …
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
}

impl Evaluate {
    /// Runs the verb.
    pub fn run(&self, session: &mut Session<'_>) -> Result<()> {
        if let Some(path) = &self.output {
            session.check_output(path, &self.reading.sources())?;
            check_ending(path, session)?;
        }
        let settings = session.settings(&self.learner, &self.settings)?;
        let folds = self.dividing.roles();
        let (data, problem) = load_problem(&self.reading, &self.roles, &folds, session)?;
        let division = self.dividing.division(&data)?;
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
        if let Some(path) = &self.output {
            session.check()?;
            let table = folds_table(&problem.view, &problem.targets, &report.evaluation)?;
            save(path, table, session)?;
        }
        match session.json {
            true => return session.print_json(&report.to_json()),
            false => session.print(&report.to_text())?,
        }
        match &self.output {
            Some(path) => session.print(&format!("wrote {}\n", path.display())),
            None => Ok(()),
        }
    }
}

/// Fails early when predictions cannot be written in the form that the ending names.
pub(super) fn check_ending(path: &Path, session: &Session<'_>) -> Result<()> {
    if !is_csv(path) {
        kinwood::formats::write::check(path, session.force).map_err(kinwood::Error::from)?;
    }
    Ok(())
}

/// Writes a table of predictions by the ending of the file.
pub(super) fn save(path: &Path, table: Table, session: &mut Session<'_>) -> Result<()> {
    if is_csv(path) {
        return Ok(save_table(path, &table)?);
    }
    let written = save_answers(path, table, session.force)?;
    session.note(&written.notices);
    Ok(())
}
