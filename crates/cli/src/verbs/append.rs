//! `kinwood append`: more examples for a model.

use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueHint};
use kinwood::Origin;
use kinwood_values::notice::counted;
use serde_json::json;

use crate::arguments::Reading;
use crate::error::Result;
use crate::loading::{load_model, load_rows};
use crate::provenance::Words;
use crate::session::Session;
use crate::writing;

/// The arguments of `kinwood append`.
#[derive(Args, Debug)]
pub struct Append {
    /// The model file
    #[arg(value_name = "MODEL", value_hint = ValueHint::FilePath)]
    model: PathBuf,
    #[command(flatten)]
    reading: Reading,
    /// Write the larger model to this file and leave the model file as it is
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
}

impl Append {
    /// Runs the verb.
    pub fn run(&self, session: &mut Session<'_>) -> Result<()> {
        match &self.output {
            Some(path) => session.check_output(path, &self.reading.sources())?,
            // A model that grows is written in its own place.
            None => writing::check(&self.model, &[])?,
        }
        let path = self.output.as_ref().unwrap_or(&self.model);
        let mut trained = load_model(&self.model, session)?;
        let (data, conformed) = load_rows(&self.reading, &trained, session)?;
        let before = trained.provenance().rows;
        let origin = Origin {
            command: self.command(),
            data: data.source().to_owned(),
        };
        let begun = Instant::now();
        let notices = trained.append(&conformed, &origin)?;
        let seconds = begun.elapsed().as_secs_f64();
        session.note(&notices);
        session.check()?;
        trained.save(path)?;
        let rows = trained.provenance().rows;
        if session.json {
            return session.print_json(&json!({
                "learner": trained.learner(),
                "seconds": seconds,
                "rows": rows,
                "appended": rows - before,
                "model": trained.model().to_json(),
            }));
        }
        session.print(&format!(
            "{} took {} of {}, {rows} in all\nwrote {}\n",
            trained.learner(),
            counted(rows - before, "more row"),
            data.source(),
            path.display()
        ))
    }

    /// The command, without the file names that change nothing.
    fn command(&self) -> String {
        let mut words = Words::new(&["append", "MODEL"]);
        words.word(&self.reading.word());
        self.reading.write_options(&mut words);
        words.finish()
    }
}
