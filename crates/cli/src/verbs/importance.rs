//! `kinwood importance`: what a model predicts by.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use kinwood::evaluation::measures::Measure;
use kinwood::importance::importance;
use kinwood::output::save;

use crate::arguments::Reading;
use crate::arguments::pairs::measure;
use crate::error::Result;
use crate::loading::{load_member, load_rows};
use crate::session::Session;

/// The arguments of `kinwood importance`.
#[derive(Args, Debug)]
pub struct Importance {
    /// The model file
    #[arg(value_name = "MODEL", value_hint = ValueHint::FilePath)]
    model: PathBuf,
    #[command(flatten)]
    reading: Reading,
    /// Permute each column and linked table so often
    #[arg(long, value_name = "N", default_value_t = 10)]
    repeats: usize,
    /// What is measured, such as log_loss; accuracy of classes, rmse of numbers, hamming_loss of
    /// sets of labels unless said otherwise; may be repeated, for targets of several kinds
    #[arg(long = "measure", value_name = "MEASURE", value_parser = measure)]
    measures: Vec<Measure>,
    /// Draw the importance of each part into this SVG file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    svg: Option<PathBuf>,
    /// Look at this one of a set of models alone, from 1
    #[arg(long, value_name = "N")]
    member: Option<usize>,
}

impl Importance {
    /// Runs the verb.
    pub fn run(&self, session: &mut Session<'_>) -> Result<()> {
        if let Some(path) = &self.svg {
            let mut sources = self.reading.sources();
            sources.push(&self.model);
            session.check_output(path, &sources)?;
        }
        let trained = load_member(&self.model, self.member, session)?;
        let (data, conformed) = load_rows(&self.reading, &trained, session)?;
        let report = importance(
            &trained,
            &conformed,
            data.source(),
            &self.measures,
            self.repeats,
            &session.context,
        )?;
        session.note(&report.notices);
        session.note(&session.context.counted());
        if let Some(path) = &self.svg {
            let drawn = report.drawing().alone();
            save(path, |out| out.write_all(drawn.as_bytes()))?;
        }
        match session.json {
            true => session.print_json(&report.to_json()),
            false => session.print(&report.to_text()),
        }
    }
}
