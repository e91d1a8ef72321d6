//! `kinwood completions`: scripts by which shells complete the command line.

use clap::{Args, CommandFactory};
use clap_complete::Shell;
use serde_json::json;

use crate::error::Result;
use crate::session::Session;
use crate::verbs::Arguments;

/// The arguments of `kinwood completions`.
#[derive(Args, Debug)]
pub struct Completions {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    shell: Shell,
}

impl Completions {
    /// Runs the verb.
    pub fn run(&self, session: &mut Session<'_>) -> Result<()> {
        // Into memory first: the generator does not expect that nobody listens.
        let mut script = Vec::new();
        clap_complete::generate(
            self.shell,
            &mut Arguments::command(),
            "kinwood",
            &mut script,
        );
        let script = String::from_utf8_lossy(&script);
        match session.json {
            true => {
                let shell = self.shell.to_string();
                session.print_json(&json!({"shell": shell, "script": script}))
            }
            false => session.print(&script),
        }
    }
}
