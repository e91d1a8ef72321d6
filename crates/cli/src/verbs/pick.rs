//! `kinwood pick`: one of a set of models as a model file of its own.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use serde_json::json;

use crate::error::Result;
use crate::loading::load_model;
use crate::provenance::Words;
use crate::session::Session;

/// The arguments of `kinwood pick`.
#[derive(Args, Debug)]
pub struct Pick {
    /// The model file
    #[arg(value_name = "MODEL", value_hint = ValueHint::FilePath)]
    model: PathBuf,
    /// The number of the model in the set, from 1, as `kinwood show MODEL --members` lists them
    #[arg(value_name = "N")]
    member: usize,
    /// The model file to write
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: PathBuf,
}

impl Pick {
    /// Runs the verb.
    pub fn run(&self, session: &mut Session<'_>) -> Result<()> {
        session.check_output(&self.output, &[&self.model])?;
        let set = load_model(&self.model, session)?;
        let members = set.members()?.unwrap_or(1);
        let mut words = Words::new(&["pick", "MODEL"]);
        words.word(&self.member.to_string());
        let picked = set.pick(self.member, &words.finish())?;
        picked.save(&self.output)?;
        if session.json {
            return session.print_json(&json!({
                "learner": picked.learner(),
                "member": self.member,
                "members": members,
                "file": self.output.display().to_string(),
                "model": picked.model().to_json(),
            }));
        }
        session.print(&format!(
            "picked {} of {members} from {}\nwrote {}\n",
            self.member,
            self.model.display(),
            self.output.display()
        ))
    }
}
