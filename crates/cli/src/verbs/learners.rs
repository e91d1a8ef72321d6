//! `kinwood learners`: what the registry knows.

use clap::Args;
use kinwood::catalogue::learner;
use kinwood::learners::Entry;
use kinwood::text::{Align, TextTable};
use serde_json::{Value, json};

use crate::error::Result;
use crate::session::Session;

/// The arguments of `kinwood learners`.
#[derive(Args, Debug)]
pub struct Learners {
    /// Explain this one, with its settings
    #[arg(value_name = "NAME")]
    name: Option<String>,
}

impl Learners {
    /// Runs the verb.
    pub fn run(&self, session: &mut Session<'_>) -> Result<()> {
        let registry = session.registry;
        match &self.name {
            Some(name) => {
                let entry = registry.find(name).map_err(kinwood::Error::from)?;
                match session.json {
                    true => session.print_json(&learner(entry)),
                    false => session.print(&explained(entry)),
                }
            }
            None => {
                let entries = registry.entries();
                match session.json {
                    true => {
                        let all: Vec<Value> = entries.iter().map(learner).collect();
                        session.print_json(&json!({"learners": all}))
                    }
                    false => session.print(&listed(entries)),
                }
            }
        }
    }
}

fn listed(entries: &[Entry]) -> String {
    let mut table = TextTable::new([Align::Left; 2]);
    for entry in entries {
        table.line([entry.name, entry.summary]);
    }
    format!("{table}\n`kinwood learners NAME` explains one with its settings.\n")
}

fn explained(entry: &Entry) -> String {
    let several = match entry.several_targets {
        true => "one or several",
        false => "one",
    };
    let mut text = format!(
        "{}: {}\n\ntargets    {}, {several}\nreference  {}\n",
        entry.name,
        entry.summary,
        entry.targets.name(),
        entry.reference
    );
    match entry.all_parameters().as_slice() {
        [] => text += "settings   none\n",
        parameters => {
            text += "settings   by --set NAME=VALUE\n\n";
            for parameter in parameters {
                text += &format!(
                    "  {}={}\n      {}\n      Expected: {}.\n",
                    parameter.name, parameter.default, parameter.doc, parameter.allowed
                );
            }
        }
    }
    text
}
