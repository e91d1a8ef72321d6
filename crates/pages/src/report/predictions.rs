//! How chosen predictions came about: the row, what was said of it, what is true, and why it was
//! said.

use kinwood_evaluation::truth::Truth;
use kinwood_learners::{Explanation, Predictions};
use kinwood_values::{Value, View};
use maud::{Markup, html};

use super::explained;
use super::markup::{Cell, beginning, notes, percent, short, table};
use crate::picture::printed;

/// How much of a value is told.
const VALUE: usize = 300;
/// How many columns of a row are told.
const COLUMNS: usize = 60;
/// How many classes or labels have their probability told, the most probable first.
const SHARES: usize = 10;

/// Predictions that are explained.
#[derive(Clone, Debug, Default)]
pub struct PredictionsSection {
    /// What should be known of them, a sentence each.
    pub notes: Vec<String>,
    /// The rows.
    pub rows: Vec<RowExplained>,
}

/// A row with what is predicted of it.
#[derive(Clone, Debug, Default)]
pub struct RowExplained {
    /// What it is called.
    pub name: String,
    /// Why it was chosen, in a few words.
    pub chosen: String,
    /// Columns and what they hold.
    pub values: Vec<(String, String)>,
    /// What is predicted of each target.
    pub answers: Vec<Answer>,
    /// Why.
    pub explanation: Option<Explanation>,
}

/// What is predicted of a target.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The target.
    pub target: String,
    /// What is predicted.
    pub predicted: String,
    /// What is true, where that is known.
    pub truth: Option<String>,
    /// How probable each class or label is.
    pub shares: Vec<(String, f64)>,
    /// Whether it is wrong, of classes and labels whose truth is known.
    pub wrong: bool,
}

impl Answer {
    /// What is predicted of each target in a row.
    pub fn all(
        predictions: &Predictions,
        position: usize,
        truths: &[Truth],
        row: usize,
    ) -> Vec<Answer> {
        let each = predictions.targets.iter().zip(truths);
        each.map(|(target, truth)| {
            let output = &target.output;
            let (kind, numbers) = (output.kind(), output.row(position));
            let predicted = listed(&kind.value(numbers));
            let known = truth.values.row(row);
            let known = known.map(|own| listed(&truth.values.kind().true_value(own)));
            let mut shares: Vec<(String, f64)> = match kind.entry().probabilities {
                true => kind
                    .parts()
                    .into_iter()
                    .zip(numbers.iter().copied())
                    .collect(),
                false => Vec::new(),
            };
            shares.sort_by(|a, b| b.1.total_cmp(&a.1));
            shares.truncate(SHARES);
            let wrong = kind.entry().probabilities
                && known.as_ref().is_some_and(|known| *known != predicted);
            Answer {
                target: target.name.clone(),
                predicted,
                truth: known,
                shares,
                wrong,
            }
        })
        .collect()
    }
}

/// A value as it stands in a sentence: a number to a few digits, the members of a set in a row.
fn listed(value: &Value) -> String {
    match value {
        Value::Number(number) => short(*number),
        Value::Set(members) => members.iter().map(printed).collect::<Vec<_>>().join(", "),
        Value::Missing => String::new(),
        other => printed(other),
    }
}

/// The columns of a row and what they hold, without those to be left out.
pub(super) fn values(view: &View, position: usize, without: &[usize]) -> Vec<(String, String)> {
    let row = view.row(position) as usize;
    let columns = view.table().attributes().iter().enumerate();
    columns
        .filter(|(column, _)| !without.contains(column))
        .take(COLUMNS)
        .map(|(_, attribute)| {
            (
                attribute.name.clone(),
                beginning(&printed(&attribute.column.value(row)), VALUE),
            )
        })
        .collect()
}

pub(super) fn section(section: &PredictionsSection, lit: bool) -> Markup {
    html! {
        (notes("note", &section.notes))
        @for (place, row) in section.rows.iter().enumerate() {
            (explained(place + 1, row, lit))
        }
    }
}

fn explained(number: usize, row: &RowExplained, lit: bool) -> Markup {
    let values = row.values.iter();
    let values = values.map(|(name, value)| vec![Cell::Name(name.clone()), Cell::text(value)]);
    let values: Vec<Vec<Cell>> = values.collect();
    // The first is open, so that readers see what there is.
    let (id, open) = (format!("explained-{number}"), number == 1);
    html! {
        details class="explained" id=(id) open[open] {
            summary { (summary(row)) } "\n"
            @if lit {
                p {
                    button type="button" data-light=(row.name) hidden { "Show its way in the tree" }
                } "\n"
            }
            div class="two" {
                div {
                    (table("Its values", &["column", "value"], &values))
                    @for answer in row.answers.iter().filter(|answer| !answer.shares.is_empty()) {
                        (shares(answer))
                    }
                }
                div {
                    @match &row.explanation {
                        Some(explanation) => (explained::explanation(explanation)),
                        None => { p class="soft-text" { "The model does not say why." } "\n" }
                    }
                }
            }
        } "\n"
    }
}

/// A row in a line: what is predicted of it, what is true, and why it was chosen.
fn summary(row: &RowExplained) -> Markup {
    let words = |answer: &Answer| {
        let target = match row.answers.len() {
            1 => String::new(),
            _ => format!("{}: ", answer.target),
        };
        let truth = answer.truth.as_ref();
        let truth = truth.map_or_else(String::new, |truth| format!(", true {truth}"));
        beginning(
            &format!("{target}predicted {}{truth}", answer.predicted),
            200,
        )
    };
    html! {
        b { (row.name) }
        @for answer in &row.answers {
            " " span { (words(answer)) }
            @if answer.wrong { span class="tag wrong" { "wrong" } }
        }
        @if !row.chosen.is_empty() { span class="tag" { (row.chosen) } }
    }
}

/// How probable each class or label is said to be, as bars.
fn shares(answer: &Answer) -> Markup {
    let rows: Vec<Vec<Cell>> = answer
        .shares
        .iter()
        .map(|(name, share)| {
            let width = share.clamp(0.0, 1.0) * 100.0;
            let bar = html! {
                span class="share-track" {
                    span class="share-bar" style=(format_args!("width:{width:.1}%")) {}
                }
            };
            vec![
                Cell::Name(name.clone()),
                Cell::number(percent(*share)),
                Cell::Markup(bar),
            ]
        })
        .collect();
    table(
        &format!("Probabilities of {}", answer.target),
        &["value", "probability", ""],
        &rows,
    )
}
