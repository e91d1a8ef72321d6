//! `kinwood show`: what a model file holds.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use kinwood::Trained;
use serde_json::{Map, Value, json};

use crate::error::Result;
use crate::loading::load_model;
use crate::session::Session;

/// The arguments of `kinwood show`.
#[derive(Args, Debug)]
pub struct Show {
    /// The model file
    #[arg(value_name = "MODEL", value_hint = ValueHint::FilePath)]
    model: PathBuf,
}

impl Show {
    /// Runs the verb.
    pub fn run(&self, session: &mut Session<'_>) -> Result<()> {
        let trained = load_model(&self.model, session)?;
        match session.json {
            true => session.print_json(&as_json(&trained)),
            false => session.print(&as_text(&trained)),
        }
    }
}

fn as_json(trained: &Trained) -> Value {
    let settings: Map<String, Value> = trained
        .settings()
        .iter()
        .map(|(name, value)| (name.clone(), value.clone().into()))
        .collect();
    json!({
        "learner": trained.learner(),
        "settings": settings,
        "table": trained.schema().table(trained.table()).name(),
        "targets": trained.target_names(),
        "provenance": trained.provenance(),
        "model": trained.model().to_json(),
    })
}

fn as_text(trained: &Trained) -> String {
    let provenance = trained.provenance();
    let settings: Vec<String> = trained
        .settings()
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let settings = match settings.is_empty() {
        true => "none".to_owned(),
        false => settings.join(" "),
    };
    let mut text = String::new();
    for (name, value) in [
        ("learner", trained.learner()),
        ("settings", &settings),
        ("target", &trained.target_names().join(", ")),
        ("data", &provenance.data),
        ("rows", &provenance.rows.to_string()),
        ("fingerprint", &provenance.fingerprint),
        ("made by", &provenance.command),
        ("version", &provenance.version),
    ] {
        text += &format!("{name:<12} {value}\n");
    }
    text + "\n" + &trained.model().show()
}
