//! Charts of predicted numbers: against the true ones, and what is left over.

use maud::{Markup, html};

use super::super::curves::{NumberAnswer, histogram};
use super::super::markup::{Cell, chart, short, table};
use crate::kit::number::ends;
use crate::kit::plot::{Axis, Chart, Look};

/// How many dots a chart has.
const DOTS: usize = 3_000;
const BARS: usize = 24;
/// How many of the worst answers are told.
const WORST: usize = 12;

pub(super) fn charts(rows: &[NumberAnswer]) -> Markup {
    // Every so-manieth: which rows stand where has nothing to do with their answers.
    let step = rows.len().div_ceil(DOTS).max(1);
    let dots: Vec<&NumberAnswer> = rows.iter().step_by(step).collect();
    html! {
        @if rows.is_empty() {
            p class="soft-text" { "No test row has a known number." } "\n"
        } @else {
            div class="charts" { "\n"
                (against(rows, &dots)) (residuals(rows, &dots)) (spread(rows))
            } "\n"
        }
        @if step > 1 {
            p class="soft-text" {
                (dots.len()) " of " (rows.len()) " answers are drawn, every " (step) "th."
            } "\n"
        }
    }
}

fn left_over(answer: &NumberAnswer) -> f64 {
    answer.truth - answer.predicted
}

/// The answers that are furthest off.
fn worst(rows: &[NumberAnswer]) -> Markup {
    let mut sorted: Vec<&NumberAnswer> = rows.iter().collect();
    sorted.sort_by(|a, b| {
        left_over(b)
            .abs()
            .total_cmp(&left_over(a).abs())
            .then(a.row.cmp(&b.row))
    });
    let rows: Vec<Vec<Cell>> = sorted
        .into_iter()
        .take(WORST)
        .map(|answer| {
            vec![
                Cell::Name(format!("row {}", answer.row + 1)),
                Cell::number(short(answer.truth)),
                Cell::number(short(answer.predicted)),
                Cell::number(short(left_over(answer))),
            ]
        })
        .collect();
    table(
        "The answers furthest off",
        &["row", "true", "predicted", "residual"],
        &rows,
    )
}

fn against(rows: &[NumberAnswer], dots: &[&NumberAnswer]) -> Markup {
    let both = || {
        rows.iter()
            .flat_map(|answer| [answer.truth, answer.predicted])
    };
    let mut plot = Chart::new(
        Axis::around("true", both()),
        Axis::around("predicted", both()),
    );
    let (least, greatest) = ends(both().filter(|x| x.is_finite()));
    plot.line(&Look::of("chance"), [(least, least), (greatest, greatest)]);
    for answer in dots {
        let told = format!(
            "row {}: true {}, predicted {}",
            answer.row + 1,
            short(answer.truth),
            short(answer.predicted)
        );
        plot.dot("point", 2.6, (answer.truth, answer.predicted), &told);
    }
    chart(
        "Predicted against true: on the dashed line answers are right.",
        plot.finish("Predicted against true"),
        Some(worst(rows)),
    )
}

fn residuals(rows: &[NumberAnswer], dots: &[&NumberAnswer]) -> Markup {
    let mut plot = Chart::new(
        Axis::around("predicted", rows.iter().map(|answer| answer.predicted)),
        Axis::around("true − predicted", rows.iter().map(left_over)),
    );
    let predicted = rows.iter().map(|answer| answer.predicted);
    let (least, greatest) = ends(predicted.filter(|x| x.is_finite()));
    plot.line(&Look::of("chance"), [(least, 0.0), (greatest, 0.0)]);
    for answer in dots {
        let told = format!(
            "row {}: predicted {}, residual {}",
            answer.row + 1,
            short(answer.predicted),
            short(left_over(answer))
        );
        plot.dot("point", 2.6, (answer.predicted, left_over(answer)), &told);
    }
    chart(
        "Residuals: what is left over, by what was predicted. A pattern is something that was not learned.",
        plot.finish("Residuals"),
        None,
    )
}

fn spread(rows: &[NumberAnswer]) -> Markup {
    let left: Vec<f64> = rows.iter().map(left_over).collect();
    let (borders, counts) = histogram(&left, BARS);
    let most = counts.iter().copied().max().unwrap_or(0) as f64;
    let mut plot = Chart::new(
        Axis::around("true − predicted", borders.iter().copied()),
        Axis::around("rows", [0.0, most]),
    );
    let mut numbers = Vec::new();
    for (place, count) in counts.iter().enumerate() {
        let (from, to) = (borders[place], borders[place + 1]);
        plot.bar(
            "bar",
            (from, to),
            *count as f64,
            &format!("{} to {}: {count}", short(from), short(to)),
        );
        numbers.push(vec![
            Cell::number(short(from)),
            Cell::number(short(to)),
            Cell::number(count.to_string()),
        ]);
    }
    let table = table("Residuals counted", &["from", "to", "rows"], &numbers);
    chart(
        "How often residuals of each size occur.",
        plot.finish("Histogram of residuals"),
        Some(table),
    )
}
