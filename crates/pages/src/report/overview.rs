//! What the model is, what it was made from, and how to make it and this report again.

use super::markup::{Cell, escape, table};
use kinwood_workbench::trained::Trained;

/// The facts at the beginning of a report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overview {
    /// Names and what they are.
    pub facts: Vec<(String, String)>,
    /// Settings of the learner.
    pub settings: Vec<(String, String)>,
    /// What each command makes, and the command.
    pub commands: Vec<(String, String)>,
}

impl Overview {
    /// What is to be said of a model; `report` is the command that makes the report.
    pub fn of(trained: &Trained, report: &str) -> Self {
        let provenance = trained.provenance();
        let fact = |name: &str, what: String| (name.to_owned(), what);
        let table = trained.schema().table(trained.table()).name().to_owned();
        let mut facts = vec![
            fact("learner", trained.learner().to_owned()),
            fact("target", trained.target_names().join(", ")),
            fact("fitted on", provenance.data.clone()),
            fact("rows", format!("{} of {table}", provenance.rows)),
            fact("fingerprint of the data", provenance.fingerprint.text()),
            fact("seed", provenance.seed.to_string()),
            fact("Kinwood", provenance.version.clone()),
        ];
        if provenance.version != env!("CARGO_PKG_VERSION") {
            facts.push(fact(
                "report by Kinwood",
                env!("CARGO_PKG_VERSION").to_owned(),
            ));
        }
        Self {
            facts,
            settings: trained.settings().to_vec(),
            commands: vec![
                (
                    "The model is made again by".to_owned(),
                    provenance.command.clone(),
                ),
                ("This report is made again by".to_owned(), report.to_owned()),
            ],
        }
    }
}

pub(super) fn section(overview: &Overview) -> String {
    let facts: String = overview
        .facts
        .iter()
        .map(|(name, what)| {
            let look = if what.chars().count() > 24 {
                " class=\"wide\""
            } else {
                ""
            };
            format!(
                "<div{look}><dt>{}</dt><dd>{}</dd></div>\n",
                escape(name),
                escape(what)
            )
        })
        .collect();
    let mut markup = format!("<dl class=\"facts\">\n{facts}</dl>\n");
    for (place, (what, command)) in overview.commands.iter().enumerate() {
        // The button does nothing without a script, which is what shows it.
        markup += &format!(
            "<p class=\"command-name\" id=\"command-name-{place}\">{}</p>\n<div class=\"command\"><pre tabindex=\"0\" id=\"command-{place}\" aria-labelledby=\"command-name-{place}\"><code>{}</code></pre>\
             <button type=\"button\" data-copies=\"command-{place}\" hidden>Copy</button></div>\n",
            escape(what),
            escape(command)
        );
    }
    if !overview.settings.is_empty() {
        let rows: Vec<Vec<Cell>> = overview
            .settings
            .iter()
            .map(|(name, value)| vec![Cell::Name(name.clone()), Cell::text(value)])
            .collect();
        markup += &super::markup::details(
            "Settings of the learner",
            &table("", &["setting", "value"], &rows),
        );
    }
    markup
}
