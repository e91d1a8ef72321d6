//! Charts of predicted classes: confusions, curves of ranking, and whether probabilities mean what
//! they say.

use maud::{Markup, html};

use super::super::curves::{
    ClassAnswer, area, calibration, confusion, precision_recall, receiver_operating,
};
use super::super::markup::{Cell, boxed, chart, percent, short, table};
use crate::kit::plot::{Axis, Chart, Look, colour, legend};

/// How many classes a confusion matrix shows.
const MATRIX: usize = 30;
/// How many classes have a curve.
const CURVES: usize = 8;
const BINS: usize = 10;
/// How many points of a curve are told as numbers.
const TOLD: usize = 21;

pub(super) fn charts(classes: &[String], rows: &[ClassAnswer]) -> Markup {
    if rows.is_empty() {
        return html! { p class="soft-text" { "No test row has a known class." } "\n" };
    }
    let counts = confusion(rows, classes.len());
    let mut often: Vec<usize> = (0..classes.len()).collect();
    // The most frequent classes, in the order of the data.
    let frequency = |class: &usize| std::cmp::Reverse(counts[*class].iter().sum::<usize>());
    often.sort_by_key(frequency);
    let mut shown: Vec<usize> = often.iter().copied().take(CURVES).collect();
    shown.sort_unstable();
    if let [first, second] = shown[..] {
        // Of two classes one curve says all: that of the rarer.
        let rarer = if frequency(&first) > frequency(&second) {
            first
        } else {
            second
        };
        shown = vec![rarer];
    }
    html! {
        (matrix(classes, &counts, &often))
        div class="charts" { "\n"
            (ranking(classes, rows, &shown))
            @if let [class] = shown[..] { (recall(&classes[class], &scored(rows, class))) }
            (calibrated(rows, classes.len()))
        } "\n"
        @if classes.len() > CURVES {
            p class="soft-text" {
                "Curves are those of the " (CURVES) " most frequent of " (classes.len()) " classes."
            } "\n"
        }
    }
}

/// What the rows were said to have of a class, each with whether it has it.
fn scored(rows: &[ClassAnswer], class: usize) -> Vec<(f64, bool)> {
    rows.iter()
        .map(|row| (row.shares[class], row.truth == class))
        .collect()
}

/// A row a true class, a column an answer; the colour is the share of the true class.
fn matrix(classes: &[String], counts: &[Vec<usize>], often: &[usize]) -> Markup {
    let mut shown: Vec<usize> = often.iter().copied().take(MATRIX).collect();
    shown.sort_unstable();
    let inside = html! {
        table class="confusion" {
            thead { tr {
                th scope="col" { "true \\ answer" }
                @for &class in &shown { th scope="col" class="number" { (classes[class]) } }
                th scope="col" class="number" { "rows" }
            } }
            tbody { "\n"
                @for &truth in &shown {
                    @let whole: usize = counts[truth].iter().sum();
                    tr {
                        th scope="row" { (classes[truth]) }
                        @for &predicted in &shown {
                            (confused(counts[truth][predicted], whole, truth == predicted))
                        }
                        td class="number" { (whole) }
                    } "\n"
                }
            }
        }
    };
    let caption = "Confusion matrix: a row a true class, a column an answer, with the share of the true class";
    html! {
        (boxed(caption, "Confusion matrix", inside))
        @if classes.len() > shown.len() {
            p class="soft-text" {
                "The " (MATRIX) " most frequent of " (classes.len()) " classes."
            } "\n"
        }
    }
}

/// A cell of the matrix: so many of all rows of the true class.
fn confused(count: usize, whole: usize, right: bool) -> Markup {
    let share = count as f64 / whole.max(1) as f64;
    let class = if right {
        "number right"
    } else {
        "number wrong"
    };
    html! {
        td class=(class) style=(format_args!("--share:{share:.3}")) {
            (count)
            @if count > 0 { " " small { (percent(share)) } }
        }
    }
}

fn diagonal(plot: &mut Chart) {
    plot.line(&Look::of("chance"), [(0.0, 0.0), (1.0, 1.0)]);
}

/// A look that tells classes apart by colour and, where there are several, by dashes.
fn look(class: usize, several: bool) -> Look {
    const DASHES: [Option<&str>; 4] = [None, Some("7 3"), Some("2 3"), Some("9 3 2 3")];
    Look {
        class: "curve",
        stroke: Some(colour(class)),
        dashes: DASHES[class / 2 % DASHES.len()].filter(|_| several),
    }
}

/// So many of the points, evenly.
fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let step = points.len().div_ceil(TOLD).max(1);
    let last = points.len().saturating_sub(1);
    let kept = points
        .iter()
        .enumerate()
        .filter(|(place, _)| place % step == 0 || *place == last);
    kept.map(|(_, point)| *point).collect()
}

fn ranking(classes: &[String], rows: &[ClassAnswer], shown: &[usize]) -> Markup {
    let mut plot = Chart::new(
        Axis::shares("share of the other rows"),
        Axis::shares("share of the rows of the class"),
    );
    diagonal(&mut plot);
    let (mut marks, mut numbers) = (Vec::new(), Vec::new());
    for &class in shown {
        let Some(curve) = receiver_operating(&scored(rows, class)) else {
            continue;
        };
        let area = area(&curve);
        let look = look(class, shown.len() > 1);
        plot.line(&look, curve.iter().copied());
        let name = &classes[class];
        let mark = html! {
            svg width="26" height="10" viewBox="0 0 26 10" aria-hidden="true" {
                (look.line("M1 5H25"))
            }
        };
        marks.push((mark, format!("{name} {area:.3}")));
        let told = thinned(&curve).into_iter();
        numbers.extend(told.map(|(others, own)| {
            vec![
                Cell::Name(name.clone()),
                Cell::number(format!("{others:.3}")),
                Cell::number(format!("{own:.3}")),
            ]
        }));
    }
    if numbers.is_empty() {
        return Markup::default();
    }
    let caption = "ROC curve: of the rows ranked by the probability of the class, how many of the class come before how many others. The area under it is beside the class.";
    let table = table(
        "Points of the ROC curves",
        &["class", "others", "of the class"],
        &numbers,
    );
    let curves = html! { (plot.finish("ROC curve")) (legend("", &marks, 0)) };
    chart(caption, curves, Some(table))
}

fn recall(class: &str, scored: &[(f64, bool)]) -> Markup {
    let Some(curve) = precision_recall(scored) else {
        return Markup::default();
    };
    let share = scored.iter().filter(|(_, has)| *has).count() as f64 / scored.len() as f64;
    let mut plot = Chart::new(Axis::shares("recall"), Axis::shares("precision"));
    plot.line(&Look::of("chance"), [(0.0, share), (1.0, share)]);
    let first = curve.first().map(|(_, precision)| (0.0, *precision));
    plot.line(
        &look(0, false),
        first.into_iter().chain(curve.iter().copied()),
    );
    let numbers: Vec<Vec<Cell>> = thinned(&curve)
        .into_iter()
        .map(|(recall, precision)| {
            vec![
                Cell::number(format!("{recall:.3}")),
                Cell::number(format!("{precision:.3}")),
            ]
        })
        .collect();
    let caption = format!(
        "Precision and recall of {class}: of the rows said to have it, how many have it, and of those that have it, how many are found. Dashed: {}, the share of all rows.",
        percent(share)
    );
    chart(
        &caption,
        plot.finish("Precision and recall"),
        Some(table(
            "Precision and recall",
            &["recall", "precision"],
            &numbers,
        )),
    )
}

/// Whether what is said to have a probability happens so often: every class of every row is an
/// answer.
fn calibrated(rows: &[ClassAnswer], classes: usize) -> Markup {
    let answers: Vec<(f64, bool)> = (0..classes).flat_map(|class| scored(rows, class)).collect();
    let bins = calibration(&answers, BINS);
    let most = bins.iter().map(|bin| bin.count).max().unwrap_or(1) as f64;
    let mut plot = Chart::new(
        Axis::shares("probability said"),
        Axis::shares("share for which it was so"),
    );
    diagonal(&mut plot);
    plot.line(&look(0, false), bins.iter().map(|bin| (bin.said, bin.so)));
    let mut numbers = Vec::new();
    for bin in &bins {
        let told = format!(
            "said {}, so {}, {} answers",
            short(bin.said),
            short(bin.so),
            bin.count
        );
        plot.dot(
            "dot",
            3.0 + 8.0 * (bin.count as f64 / most).sqrt(),
            (bin.said, bin.so),
            &told,
        );
        numbers.push(vec![
            Cell::number(format!("{:.3}", bin.said)),
            Cell::number(format!("{:.3}", bin.so)),
            Cell::number(bin.count.to_string()),
        ]);
    }
    let caption = "Calibration: how often what was said to have a probability was so, in bins of a tenth; larger dots are more answers. On the dashed line probabilities mean what they say.";
    chart(
        caption,
        plot.finish("Calibration"),
        Some(table("Calibration", &["said", "so", "answers"], &numbers)),
    )
}
