//! What the model is, what it was made from, and how to make it and this report again.

use maud::{Markup, html};

use super::markup::{Cell, details, table};
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
            fact("fitted on", without_folders(&provenance.data)),
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
                    without_folders(&provenance.command),
                ),
                (
                    "This report is made again by".to_owned(),
                    without_folders(report),
                ),
            ],
        }
    }
}

/// A text whose absolute paths are names of files: a page is handed on, and folders of whoever made
/// it are nobody's business.
pub(super) fn without_folders(text: &str) -> String {
    let word = |word: &str| {
        let begin = word.find('/').unwrap_or_default();
        let mark = word[..begin].chars().last();
        let absolute = word[begin..].starts_with('/') && mark.is_none_or(|c| "\"'=".contains(c));
        match word[begin..].trim_end_matches('/').rsplit_once('/') {
            Some((_, name)) if absolute => format!("{}{name}", &word[..begin]),
            _ => word.to_owned(),
        }
    };
    let words: Vec<String> = text.split(' ').map(word).collect();
    words.join(" ")
}

pub(super) fn section(overview: &Overview) -> Markup {
    let settings = overview.settings.iter();
    let settings = settings.map(|(name, value)| vec![Cell::Name(name.clone()), Cell::text(value)]);
    let settings: Vec<Vec<Cell>> = settings.collect();
    html! {
        dl class="facts" { "\n"
            @for (name, what) in &overview.facts {
                div class=[(what.chars().count() > 24).then_some("wide")] {
                    dt { (name) } dd { (what) }
                } "\n"
            }
        } "\n"
        @for (place, (what, command)) in overview.commands.iter().enumerate() {
            (to_copy(place, what, command))
        }
        @if !settings.is_empty() {
            (details("Settings of the learner", table("", &["setting", "value"], &settings)))
        }
    }
}

/// A command with a button that copies it, which does nothing without a script: a script shows it.
fn to_copy(place: usize, what: &str, command: &str) -> Markup {
    let (id, name) = (format!("command-{place}"), format!("command-name-{place}"));
    html! {
        p class="command-name" id=(name) { (what) } "\n"
        div class="command" {
            pre tabindex="0" id=(id) aria-labelledby=(name) { code { (command) } }
            button type="button" data-copies=(id) hidden { "Copy" }
        } "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absolute_paths_are_names_and_all_else_stays() {
        assert_eq!(
            without_folders("kinwood fit knn /home/me/data.csv --rows 'a / b' -o \"/tmp/x y.kin\""),
            "kinwood fit knn data.csv --rows 'a / b' -o \"x y.kin\""
        );
        assert_eq!(
            without_folders("postgresql://me@host/base data/a.csv"),
            "postgresql://me@host/base data/a.csv"
        );
    }
}
