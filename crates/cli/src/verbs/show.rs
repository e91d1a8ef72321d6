//! `kinwood show`: what a model file holds.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use kinwood::Trained;
use kinwood::learners::sql::{Asked, Expression, identifier};
use serde_json::{Map, Value, json};

use crate::error::Result;
use crate::loading::load_member;
use crate::session::Session;

/// The arguments of `kinwood show`.
#[derive(Args, Debug)]
pub struct Show {
    /// The model file
    #[arg(value_name = "MODEL", value_hint = ValueHint::FilePath)]
    model: PathBuf,
    /// Show this one of a set of models alone, from 1
    #[arg(long, value_name = "N")]
    member: Option<usize>,
    /// Print SQL expressions that predict in SQLite and PostgreSQL: answers, shares (of each class too) or known
    /// (nothing where a value is missing that the answer needs)
    #[arg(long, value_name = "WHAT", num_args = 0..=1, require_equals = true, default_missing_value = "answers", value_parser = asked)]
    sql: Option<Asked>,
}

fn asked(text: &str) -> Result<Asked, String> {
    match text {
        "answers" => Ok(Asked::Answers),
        "shares" => Ok(Asked::Shares),
        "known" => Ok(Asked::Known),
        _ => Err("expected answers, shares or known".to_owned()),
    }
}

impl Show {
    /// Runs the verb.
    pub fn run(&self, session: &mut Session<'_>) -> Result<()> {
        let trained = load_member(&self.model, self.member, session)?;
        let sql = match self.sql {
            Some(asked) => Some(trained.sql(asked)?),
            None => None,
        };
        match (session.json, sql) {
            (true, sql) => session.print_json(&as_json(&trained, sql)),
            (false, Some(expressions)) => session.print(&as_sql(&expressions)),
            (false, None) => session.print(&as_text(&trained)),
        }
    }
}

/// Expressions as a query lists them.
fn as_sql(expressions: &[Expression]) -> String {
    let listed: Vec<String> = expressions
        .iter()
        .map(|expression| format!("{} AS {}", expression.sql, identifier(&expression.name)))
        .collect();
    listed.join(",\n") + "\n"
}

fn as_json(trained: &Trained, sql: Option<Vec<Expression>>) -> Value {
    let settings: Map<String, Value> = trained
        .settings()
        .iter()
        .map(|(name, value)| (name.clone(), value.clone().into()))
        .collect();
    let mut shown = json!({
        "learner": trained.learner(),
        "settings": settings,
        "table": trained.schema().table(trained.table()).name(),
        "targets": trained.target_names(),
        "provenance": trained.provenance(),
        "model": trained.model().to_json(),
    });
    if let Some(expressions) = sql {
        let expression = |one: &Expression| json!({"name": one.name, "expression": one.sql});
        shown["sql"] = expressions.iter().map(expression).collect();
    }
    shown
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
