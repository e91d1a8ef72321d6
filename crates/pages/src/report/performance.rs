//! How well a learner predicts rows it has not seen: measures with their spread over folds, then
//! charts for each kind of target.

mod classes;
mod labels;
mod numbers;

use kinwood_evaluation::run::Evaluation;

use super::curves::{Answered, answered};
use super::markup::{Cell, TableShown, details, escape, score, table};
use super::plot::strip;

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
pub(super) fn listed(sections: &[PerformanceSection<'_>]) -> String {
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
                Cell::Markup(format!(
                    "<a href=\"#performance-{}\">{}</a>",
                    number + 1,
                    escape(&section.title)
                )),
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
pub(super) fn section(number: usize, section: &PerformanceSection<'_>, several: bool) -> String {
    let evaluation = section.evaluation;
    let mut markup = match several {
        true => format!(
            "<h3 id=\"performance-{number}\">{}</h3>\n",
            escape(&section.title)
        ),
        false => String::new(),
    };
    markup += &format!(
        "<p class=\"soft-text\">{} on {}, {}, {} test rows in all</p>\n",
        escape(&section.learner),
        escape(&section.data),
        section.divided(),
        evaluation.folds.iter().map(|fold| fold.n).sum::<usize>()
    );
    for note in &section.notes {
        markup += &format!("<p class=\"note\">{}</p>\n", escape(note));
    }
    if several && !section.settings.is_empty() {
        let settings: Vec<String> = section
            .settings
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        markup += &details(
            "Settings",
            &format!("<p><code>{}</code></p>", escape(&settings.join(" "))),
        );
    }
    markup += &measures(evaluation);
    let level = if several { 4 } else { 3 };
    for (target, truth) in evaluation.truths.iter().enumerate() {
        if evaluation.truths.len() > 1 || !several {
            markup += &format!("<h{level}>{}</h{level}>\n", escape(&truth.name));
        }
        markup += &match answered(evaluation, target) {
            Answered::Classes { classes, rows } => classes::charts(&classes, &rows),
            Answered::Numbers(rows) => numbers::charts(&rows),
            Answered::Labels { labels, rows } => labels::charts(&labels, &rows),
        };
    }
    markup
}

/// Every measure: over folds, over all test rows, and where the folds stand.
fn measures(evaluation: &Evaluation) -> String {
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
    let headers = ["measure", "mean", "sd", "all rows", "by fold"];
    let mut markup = table(
        "Measures: mean and standard deviation over folds, and over all test rows together",
        &headers,
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
    markup += &details(
        "Fold by fold",
        &table("Measures of each fold", &headers, &folds),
    );
    markup
}

/// A table of others, such as of significance.
pub(super) fn shown(number: usize, shown: &TableShown) -> String {
    let headers: Vec<&str> = shown.headers.iter().map(String::as_str).collect();
    let numeric = |cell: &str| cell.parse::<f64>().is_ok();
    let rows: Vec<Vec<Cell>> = shown
        .rows
        .iter()
        .map(|row| {
            let cells = row.iter().enumerate();
            cells
                .map(|(place, cell)| match place {
                    0 => Cell::Name(cell.clone()),
                    _ if numeric(cell) => Cell::number(cell),
                    _ => Cell::text(cell),
                })
                .collect()
        })
        .collect();
    let caption = match shown.caption.as_str() {
        "" => String::new(),
        words => format!("<p>{}</p>\n", escape(words)),
    };
    format!(
        "<h3 id=\"table-{number}\">{}</h3>\n{caption}{}",
        escape(&shown.title),
        table(&shown.title, &headers, &rows)
    )
}
