//! `kinwood evaluate`: how well a learner predicts rows it has not seen.

use clap::Args;
use kinwood::evaluate::evaluate;

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
}

impl Evaluate {
    /// Runs the verb.
    pub fn run(&self, session: &mut Session<'_>) -> Result<()> {
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
        match session.json {
            true => session.print_json(&report.to_json()),
            false => session.print(&report.to_text()),
        }
    }
}
