//! `kinwood show --members`: the models of a set beside each other, so that one can be chosen.

use std::path::PathBuf;

use clap::Args;
use kinwood::Trained;
use kinwood::evaluation::measures::Measure;
use kinwood::members::{Compared, MembersReport, members};

use crate::arguments::Reading;
use crate::arguments::pairs::measure;
use crate::error::Result;
use crate::loading::load_rows;
use crate::session::Session;

/// The options of the table.
#[derive(Args, Debug)]
#[command(next_help_heading = "Choosing among the models of a set")]
pub(super) struct Members {
    /// List the models: number, size, leaves, depth, score, how good on training rows, columns
    /// looked at; with --data also how good on these rows, and how like the first
    #[arg(long, group = "looks", conflicts_with_all = ["member", "sql", "format", "dot", "svg"])]
    members: bool,
    /// Fit the learner on so many folds of --data, and list how good the model of each rank is on
    /// test rows
    #[arg(long, value_name = "N", requires_all = ["members", "data"])]
    folds: Option<usize>,
    /// What is measured on --data, such as log_loss; accuracy of classes, rmse of numbers,
    /// hamming_loss of sets of labels by default; may be repeated, for targets of several kinds
    #[arg(long = "measure", value_name = "MEASURE", value_parser = measure, requires_all = ["members", "data"])]
    measures: Vec<Measure>,
}

impl Members {
    /// Whether the table is wanted.
    pub(super) fn wanted(&self) -> bool {
        self.members
    }

    /// Prints the table, on rows where there are any.
    pub(super) fn list(
        &self,
        trained: &Trained,
        data: Option<&PathBuf>,
        rows: Option<&String>,
        session: &mut Session<'_>,
    ) -> Result<()> {
        let report = self.report(trained, data, rows, session)?;
        session.note(&report.notices);
        session.note(&session.context.counted());
        session.check()?;
        match session.json {
            true => session.print_json(&report.to_json()),
            false => session.print(&report.to_text()),
        }
    }

    fn report(
        &self,
        trained: &Trained,
        data: Option<&PathBuf>,
        rows: Option<&String>,
        session: &mut Session<'_>,
    ) -> Result<MembersReport> {
        let Some(data) = data else {
            let (registry, context) = (session.registry, &session.context);
            return Ok(members(trained, registry, None, context)?);
        };
        let reading = Reading {
            data: data.clone(),
            rows: rows.cloned(),
            ..Reading::default()
        };
        let (data, conformed) = load_rows(&reading, trained, session)?;
        let compared = Compared {
            conformed: &conformed,
            data: data.source(),
            measures: &self.measures,
            folds: self.folds,
        };
        let (registry, context) = (session.registry, &session.context);
        Ok(members(trained, registry, Some(&compared), context)?)
    }
}
