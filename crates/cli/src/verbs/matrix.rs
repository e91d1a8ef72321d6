//! `kinwood matrix`: the distances between all objects, in a file.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use kinwood::fingerprint::fingerprint;
use kinwood::matrix_file::{self, Form};
use kinwood_values::Notice;
use kinwood_values::notice::counted;
use serde_json::json;

use crate::arguments::{Comparing, Reading, Roles};
use crate::error::Result;
use crate::loading::load_objects;
use crate::session::Session;

/// The arguments of `kinwood matrix`.
#[derive(Args, Debug)]
pub struct Matrix {
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    roles: Roles,
    #[command(flatten)]
    comparing: Comparing,
    /// The file: .npy (of any size, resumed after an interruption), .csv or .parquet
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: PathBuf,
    /// Each pair once, as SciPy's condensed form; .npy only
    #[arg(long)]
    condensed: bool,
}

impl Matrix {
    /// Runs the verb.
    pub fn run(&self, session: &mut Session<'_>) -> Result<()> {
        let form = Form::of(&self.output, self.condensed)?;
        session.check_output(&self.output, &self.reading.sources())?;
        let objects = load_objects(&self.comparing, &self.reading, &self.roles, session)?;
        let pairs = objects.pairs("a matrix file")?;
        let expression = objects.distance().expression().to_string();
        let key = format!(
            "{expression} of {} in {}",
            fingerprint(objects.view().database()),
            self.reading.rows.as_deref().unwrap_or("all rows"),
        );
        let name = |position: usize| objects.name(position);
        let written =
            matrix_file::write(&self.output, form, &*pairs, &key, &name, &session.context);
        if let (Err(_), Some(part)) = (&written, matrix_file::kept(&self.output)) {
            session.note(&[Notice::new(format!(
                "what is done is kept in `{}`: the same command goes on from there",
                part.display()
            ))]);
        }
        let written = written?;
        if session.json {
            return session.print_json(&json!({
                "objects": objects.len(),
                "distance": expression,
                "file": self.output.display().to_string(),
                "bytes": written.bytes,
                "resumed": written.resumed,
            }));
        }
        let resumed = match written.resumed {
            0 => String::new(),
            rows => format!(", {} of them from before", counted(rows, "row")),
        };
        session.print(&format!(
            "{} compared by {expression}{resumed}\nwrote {}\n",
            counted(objects.len(), "object"),
            self.output.display()
        ))
    }
}
