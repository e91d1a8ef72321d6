//! The report of a results folder: tables and tests of a comparison, then how every learner did on
//! every data set.

use kinwood_values::notice::counted;

use crate::compare::{Cell, Outcome};
use kinwood_pages::report::{Figure, Overview, PerformanceSection, Report, TableShown};
use kinwood_pages::sheet::{Entry, Mark, Sheet};
use kinwood_workbench::error::Result;

/// How many learners on data sets a page shows one by one.
const MOST: usize = 120;

/// What a report of results shows; `command` is the one that makes the report.
pub fn of_results<'a>(outcome: &'a Outcome, command: &str) -> Result<Report<'a>> {
    let tables = outcome.tables()?;
    let title = match outcome.title() {
        "" => "Comparison of learners".to_owned(),
        title => title.to_owned(),
    };
    let fact = |name: &str, value: String| (name.to_owned(), value);
    let overview = Overview {
        facts: vec![
            fact("data sets", outcome.data().len().to_string()),
            fact("learners", outcome.learners().len().to_string()),
            fact("seed", outcome.seed().to_string()),
        ],
        settings: Vec::new(),
        commands: vec![
            fact("the results", outcome.command().to_owned()),
            fact("this report", command.to_owned()),
        ],
    };
    let mut performance = Vec::new();
    let mut left_out = 0;
    for (data, shown) in outcome.data().iter().enumerate() {
        for (learner, contender) in outcome.learners().iter().enumerate() {
            let Cell::Scored { evaluation, .. } = outcome.cell(data, learner) else {
                continue;
            };
            if performance.len() == MOST {
                left_out += 1;
                continue;
            }
            let chosen = contender.tune.iter().map(|(name, values)| {
                let among = format!("chosen by inner folds among {}", values.join(", "));
                (name.clone(), among)
            });
            performance.push(PerformanceSection {
                title: format!("{} on {}", contender.name, shown.name),
                notes: Vec::new(),
                data: shown.source.clone(),
                learner: contender.learner.clone(),
                settings: contender.settings.iter().cloned().chain(chosen).collect(),
                evaluation,
            });
        }
    }
    let mut notes = Vec::new();
    if left_out > 0 {
        notes.push(format!(
            "{} more are in the tables and not shown one by one",
            counted(left_out, "evaluation")
        ));
    }
    let mut all = vec![data_table(outcome)];
    all.extend(tables.sheets.iter().map(table_of));
    let figures = tables
        .pictures
        .into_iter()
        .map(|(_, title, drawing)| Figure { title, drawing });
    Ok(Report {
        answer: Vec::new(),
        title,
        notes,
        overview: Some(overview),
        data: Vec::new(),
        model: None,
        performance,
        tables: all,
        figures: figures.collect(),
        map: None,
        predictions: None,
    })
}

/// The data sets: rows, targets, and what is known of them.
fn data_table(outcome: &Outcome) -> TableShown {
    let mut rows = Vec::new();
    for (data, shown) in outcome.data().iter().enumerate() {
        let mut cells = (0..outcome.learners().len()).map(|learner| outcome.cell(data, learner));
        let truths = cells.find_map(|cell| Some(&cell.evaluation()?.truths));
        let told = truths
            .into_iter()
            .flat_map(|truths| truths.iter())
            .map(|truth| {
                let what = truth.values.kind().extent();
                let missing = truth.values.missing();
                match missing {
                    0 => format!("{} ({what})", truth.name),
                    missing => format!("{} ({what}, {missing} missing)", truth.name),
                }
            });
        let told: Vec<String> = told.collect();
        rows.push(vec![
            shown.name.clone(),
            shown.source.clone(),
            shown.rows.to_string(),
            told.join(", "),
        ]);
    }
    TableShown {
        title: "Data sets".to_owned(),
        caption: String::new(),
        headers: ["data", "read from", "rows", "targets"]
            .map(str::to_owned)
            .into(),
        rows,
    }
}

/// A sheet as a table of the report.
fn table_of(sheet: &Sheet) -> TableShown {
    let entry = |entry: &Entry| {
        let best = if entry.best { "* " } else { "" };
        let spread = entry.spread.as_ref();
        let spread = spread.map_or(String::new(), |spread| format!(" ± {spread}"));
        let mark = match entry.mark {
            Mark::Better => " +",
            Mark::Worse => " −",
            Mark::None => "",
        };
        format!("{best}{}{spread}{mark}", entry.text)
    };
    let rows = sheet.lines.iter().map(|line| {
        let heading = std::iter::once(line.heading.clone());
        heading.chain(line.entries.iter().map(entry)).collect()
    });
    TableShown {
        title: sheet.title.clone(),
        caption: sheet.noted(["*", "+", "−"]).join(". "),
        headers: sheet.headings.clone(),
        rows: rows.collect(),
    }
}
