//! How well a learner predicts rows it has not seen: measures with their spread over folds, then
//! charts for each kind of target.

mod classes;
mod labels;
mod numbers;

use kinwood_evaluation::run::Evaluation;
use maud::{Markup, html};

use super::curves::{Answered, answered};
use super::markup::{Cell, TableShown, details, notes, score, table};
use crate::kit::plot::strip;

/// An evaluation to show.
#[derive(Clone, Debug)]
pub struct PerformanceSection<'a> {
    /// What it is called.
    pub title: String,
    /// What should be known of it, a sentence each.
    pub notes: Vec<String>,
    /// What the data was read from.
    pub data: String,
    /// The learner.
    pub learner: String,
    /// Its settings.
    pub settings: Vec<(String, String)>,
    /// What came of it.
    pub evaluation: &'a Evaluation,
}

impl PerformanceSection<'_> {
    fn divided(&self) -> String {
        let folds = &self.evaluation.folds;
        let repeats = folds
            .iter()
            .map(|fold| fold.repeat)
            .max()
            .unwrap_or(1)
            .max(1);
        match (folds.len() / repeats, repeats) {
            (1, repeats) => format!("{repeats} random splits"),
            (folds, 1) => format!("{folds} folds"),
            (folds, repeats) => format!("{repeats} times {folds} folds"),
        }
    }
}

/// Each evaluation in a line, with a link to it.
pub(super) fn listed(sections: &[PerformanceSection<'_>]) -> Markup {
    let rows: Vec<Vec<Cell>> = sections
        .iter()
        .enumerate()
        .map(|(number, section)| {
            let evaluation = section.evaluation;
            let (mean, sd) = match evaluation.summaries.first() {
                Some(summary) => (summary.mean, summary.sd),
                None => (None, None),
            };
            let measure = evaluation.measures.first().cloned().unwrap_or_default();
            vec![
                Cell::Markup(html! {
                    a href=(format_args!("#performance-{}", number + 1)) { (section.title) }
                }),
                Cell::text(&section.data),
                Cell::text(&section.learner),
                Cell::text(measure),
                Cell::number(score(mean)),
                Cell::number(score(sd)),
            ]
        })
        .collect();
    table(
        "Evaluations",
        &["evaluation", "data", "learner", "measure", "mean", "sd"],
        &rows,
    )
}

/// An evaluation, its heading of the third level where it is one of several.
pub(super) fn section(number: usize, section: &PerformanceSection<'_>, several: bool) -> Markup {
    let evaluation = section.evaluation;
    let rows: usize = evaluation.folds.iter().map(|fold| fold.n).sum();
    let settings = section.settings.iter();
    let settings = settings.map(|(name, value)| format!("{name}={value}"));
    let settings: Vec<String> = settings.collect();
    html! {
        @if several {
            h3 id=(format_args!("performance-{number}")) { (section.title) } "\n"
        }
        p class="soft-text" {
            (section.learner) " on " (section.data) ", " (section.divided()) ", " (rows)
            " test rows in all"
        } "\n"
        (notes("note", &section.notes))
        @if several && !settings.is_empty() {
            (details("Settings", html! { p { code { (settings.join(" ")) } } }))
        }
        (measures(evaluation))
        @for (target, truth) in evaluation.truths.iter().enumerate() {
            @if !several {
                h3 { (truth.name) } "\n"
            } @else if evaluation.truths.len() > 1 {
                h4 { (truth.name) } "\n"
            }
            (charts(evaluation, target))
        }
    }
}

fn charts(evaluation: &Evaluation, target: usize) -> Markup {
    match answered(evaluation, target) {
        Answered::Classes { classes, rows } => classes::charts(&classes, &rows),
        Answered::Numbers(rows) => numbers::charts(&rows),
        Answered::Labels { labels, rows } => labels::charts(&labels, &rows),
    }
}

/// Every measure: over folds, over all test rows, and where the folds stand.
fn measures(evaluation: &Evaluation) -> Markup {
    let repeats = evaluation.folds.iter().any(|fold| fold.repeat > 1);
    let name = |repeat: usize, fold: usize| match repeats {
        true => format!("repeat {repeat}, fold {fold}"),
        false => format!("fold {fold}"),
    };
    let rows: Vec<Vec<Cell>> = evaluation
        .measures
        .iter()
        .enumerate()
        .map(|(place, measure)| {
            let summary = &evaluation.summaries[place];
            let folds: Vec<(String, f64)> = evaluation
                .folds
                .iter()
                .filter_map(|fold| Some((name(fold.repeat, fold.fold), fold.scores[place]?)))
                .collect();
            vec![
                Cell::Name(measure.clone()),
                Cell::number(score(summary.mean)),
                Cell::number(score(summary.sd)),
                Cell::number(score(evaluation.pooled[place])),
                Cell::Markup(strip(&folds, summary.mean)),
            ]
        })
        .collect();
    let over_folds = table(
        "Measures: mean and standard deviation over folds, and over all test rows together",
        &["measure", "mean", "sd", "all rows", "by fold"],
        &rows,
    );
    let mut headers = vec!["fold", "rows"];
    headers.extend(evaluation.measures.iter().map(String::as_str));
    let folds: Vec<Vec<Cell>> = evaluation
        .folds
        .iter()
        .map(|fold| {
            let own = [
                Cell::Name(name(fold.repeat, fold.fold)),
                Cell::number(fold.n.to_string()),
            ];
            own.into_iter()
                .chain(fold.scores.iter().map(|value| Cell::number(score(*value))))
                .collect()
        })
        .collect();
    let each = table("Measures of each fold", &headers, &folds);
    html! { (over_folds) (details("Fold by fold", each)) }
}

/// A table of others, such as of significance.
pub(super) fn shown(number: usize, shown: &TableShown) -> Markup {
    html! {
        h3 id=(format_args!("table-{number}")) { (shown.title) } "\n"
        @if !shown.caption.is_empty() { p { (shown.caption) } "\n" }
        (shown.markup())
    }
}
