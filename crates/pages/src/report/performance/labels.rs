//! Sets of labels: how well each label is told.

use maud::Markup;

use super::super::curves::{area, precision_recall, receiver_operating};
use super::super::markup::{Cell, score, table};

/// From this probability on a label is said to be in the set.
const PRESENT: f64 = kinwood_learners::predictions::PRESENT;

pub(super) fn charts(labels: &[String], rows: &[Vec<(f64, bool)>]) -> Markup {
    let told: Vec<Vec<Cell>> = labels
        .iter()
        .enumerate()
        .map(|(place, label)| {
            let scored: Vec<(f64, bool)> = rows.iter().map(|row| row[place]).collect();
            let count = |said: bool, has: bool| {
                scored
                    .iter()
                    .filter(|(share, truth)| (*share >= PRESENT) == said && *truth == has)
                    .count()
            };
            let (found, wrong, missed) =
                (count(true, true), count(true, false), count(false, true));
            let share = |part: usize, whole: usize| (whole > 0).then(|| part as f64 / whole as f64);
            let under = |curve: Option<Vec<(f64, f64)>>| curve.map(|curve| area(&curve));
            // The first precision holds from no recall on.
            let recall = precision_recall(&scored).map(|curve| {
                let first = curve.first().map(|(_, precision)| (0.0, *precision));
                first.into_iter().chain(curve).collect()
            });
            vec![
                Cell::Name(label.clone()),
                Cell::number((found + missed).to_string()),
                Cell::number((found + wrong).to_string()),
                Cell::number(score(share(found, found + wrong))),
                Cell::number(score(share(found, found + missed))),
                Cell::number(score(under(receiver_operating(&scored)))),
                Cell::number(score(under(recall))),
            ]
        })
        .collect();
    let headers = [
        "label",
        "rows",
        "said",
        "precision",
        "recall",
        "area under ROC",
        "area under precision and recall",
    ];
    table(
        "Each label: rows that have it, rows said to have it, and how well the two agree",
        &headers,
        &told,
    )
}
