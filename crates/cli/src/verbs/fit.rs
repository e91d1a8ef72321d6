//! `kinwood fit`: a model from data.

use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueHint};
use kinwood::clus::{ENDING, Run};
use kinwood::{Origin, Trained};
use kinwood_values::Notice;
use kinwood_values::notice::counted;
use serde_json::{Value, json};

use crate::arguments::pairs::setting;
use crate::arguments::{Adjusting, Reading, Roles};
use crate::error::Result;
use crate::loading::{load_problem, load_run};
use crate::provenance::Words;
use crate::remedy;
use crate::session::Session;

/// The arguments of `kinwood fit`.
#[derive(Args, Debug)]
pub struct Fit {
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
    adjusting: Adjusting,
    /// Write the model to this file; without it the model is shown and forgotten
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
}

impl Fit {
    /// Runs the verb.
    pub fn run(&self, session: &mut Session<'_>) -> Result<()> {
        if let Some(path) = &self.output {
            session.check_output(path, &self.reading.sources())?;
        }
        let run = self.run_of_clus()?;
        let mut given = self.settings.clone();
        if let Some(run) = &run {
            session.note(&run.notices);
            // What is said on the command line overrules the file.
            let more = run.settings.iter();
            given.extend(
                more.filter(|set| self.settings.iter().all(|own| own.0 != set.0))
                    .cloned(),
            );
        }
        given.extend(self.adjusting.settings());
        let stated = [self.settings.clone(), self.adjusting.settings()].concat();
        let stated = session.settings(&self.learner, &stated)?;
        let settings = session.settings(&self.learner, &given)?;
        let (data, problem) = match &run {
            Some(run) => load_run(run, &self.reading, &self.roles, session)?,
            None => load_problem(&self.reading, &self.roles, &[], session)?,
        };
        let origin = Origin {
            command: command(
                &self.learner,
                &self.reading,
                &self.roles,
                &stated,
                session.context.seed(),
            ),
            data: data.source().to_owned(),
        };
        let begun = Instant::now();
        let (trained, notices) = Trained::fit(
            session.registry,
            &self.learner,
            &settings,
            &problem,
            &origin,
            &session.context,
        )?;
        let seconds = begun.elapsed().as_secs_f64();
        session.note(&notices);
        if session.context.was_cut_short() {
            session.note(&[Notice::new(
                "stopped before the search was done: the model is what was found so far",
            )]);
        } else {
            session.check()?;
        }
        if let Some(path) = &self.output {
            trained.save(path)?;
        }
        match session.json {
            true => session.print_json(&as_json(&trained, seconds))?,
            false => self.tell(&trained, seconds, session)?,
        }
        session.was_interrupted()
    }

    /// The run that a CLUS settings file describes, if the data is one.
    fn run_of_clus(&self) -> Result<Option<Run>> {
        let settings = self
            .reading
            .data
            .extension()
            .is_some_and(|ending| ending == ENDING);
        match settings && self.learner == "tree" {
            true => Ok(Some(Run::read(&self.reading.data)?)),
            false => Ok(None),
        }
    }

    fn tell(&self, trained: &Trained, seconds: f64, session: &mut Session<'_>) -> Result<()> {
        session.print(&format!(
            "{} learned {} from {} of {} in {seconds:.2} s\n",
            trained.learner(),
            trained.target_names().join(", "),
            counted(trained.provenance().rows, "row"),
            trained.provenance().data,
        ))?;
        match &self.output {
            Some(path) => session.print(&format!("wrote {}\n", path.display())),
            None => session.print(&format!("\n{}", remedy::shown(trained))),
        }
    }
}

/// The command that makes a model again.
pub(super) fn command(
    learner: &str,
    reading: &Reading,
    roles: &Roles,
    settings: &[(String, String)],
    seed: u64,
) -> String {
    let mut words = Words::new(&["fit", learner]);
    words.word(&reading.word());
    roles.write_options(&mut words);
    reading.write_options(&mut words);
    words.settings(settings);
    words.option("--seed", &Some(seed));
    words.finish()
}

/// What is told to programs; what models say of their search stands beside them too.
fn as_json(trained: &Trained, seconds: f64) -> Value {
    let model = trained.model().to_json();
    let mut told = json!({"learner": trained.learner(), "seconds": seconds});
    for about in ["size", "models", "models_evaluated", "stopped"] {
        if let Some(said) = model.get(about) {
            told[about] = said.clone();
        }
    }
    told["model"] = model;
    told
}
