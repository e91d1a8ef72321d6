//! Importance as a picture: a bar a part, the most important on top, each with a line of a standard
//! deviation to both sides.
//!
//! The SVG stands alone and is light or dark as its reader prefers.

use maud::{Markup, html};

use super::{ImportanceReport, PartOf, PartReport, TargetReport};
use crate::kit::number::{Tenth, whole};
use crate::kit::plot::{Axis, STYLE, path, tenths, text, tick_step};
use crate::kit::width::{cut, of as text_width};
use crate::kit::{Drawing, Style};

/// The style beyond that of all charts.
const OWN: Style = Style::new(
    ".bar { fill: #4a86d0 }
.link { fill: #3d9b6e }
.grid { stroke: #e3e8ee }
.zero { stroke: #8593a3 }
.error { fill: none; stroke: #1c2430; stroke-width: 1.3 }
",
    ".bar { fill: #5b93d8 }
.link { fill: #4fae80 }
.grid { stroke: #2a323c }
.zero { stroke: #6c7a8a }
.error { stroke: #e6eaf0 }
",
);

const MARGIN: f64 = 24.0;
/// Between a name and the bars.
const GAP: f64 = 10.0;
const LINE: f64 = 24.0;
const BAR: f64 = 14.0;
const PLOT: f64 = 420.0;
/// Room for the figure behind a bar.
const FIGURE: f64 = 64.0;
const TITLE: f64 = 15.0;
const NAME: f64 = 13.0;
const SMALL: f64 = 11.0;
const HEAD: f64 = 52.0;
const AXIS: f64 = 30.0;
const WIDEST_NAME: f64 = 260.0;
/// Of more parts the most important are drawn.
const MOST: usize = 40;

pub(super) fn draw(report: &ImportanceReport) -> Drawing {
    let names = report.targets.iter().flat_map(shown);
    let left = names
        .map(|part| text_width(&cut(&part.name, NAME, WIDEST_NAME), NAME))
        .fold(60.0, f64::max)
        + MARGIN
        + GAP;
    let width = left + PLOT + FIGURE + MARGIN;
    let mut height = MARGIN / 2.0;
    let tops = report.targets.iter().map(|target| {
        let top = height;
        height += HEAD + LINE * shown(target).len() as f64 + AXIS + MARGIN;
        (target, top)
    });
    let tops: Vec<(&TargetReport, f64)> = tops.collect();
    let targets = report.targets.iter().map(|target| target.target.as_str());
    let targets: Vec<&str> = targets.collect();
    Drawing {
        title: format!("What {} predicts {} by", report.learner, targets.join(", ")),
        style: STYLE.with(&OWN),
        body: html! { @for (target, top) in tops { (of_target(target, left, top)) } },
        size: whole(width, height),
    }
}

/// The parts that are drawn.
fn shown(target: &TargetReport) -> &[PartReport] {
    &target.parts[..target.parts.len().min(MOST)]
}

/// How much worse a standard deviation below and above the mean is.
fn ends(part: &PartReport) -> (f64, f64) {
    let (mean, sd) = (part.mean.unwrap_or(0.0), part.sd.unwrap_or(0.0));
    (mean - sd, mean + sd)
}

fn of_target(target: &TargetReport, left: f64, top: f64) -> Markup {
    let parts = shown(target);
    let heading = format!("{}: {}", target.target, target.heading());
    let heading = cut(&heading, TITLE * 1.08, left + PLOT + FIGURE - MARGIN);
    let rest = match target.parts.len() - parts.len() {
        0 => String::new(),
        rest => format!("; {rest} less important parts are not shown"),
    };
    let said = format!("worse by, mean and standard deviation over the permutations{rest}");
    let least = parts.iter().map(|part| ends(part).0).fold(0.0, f64::min);
    let most = parts.iter().map(|part| ends(part).1).fold(0.0, f64::max);
    let step = tick_step(most - least);
    let axis = Axis::of_steps(step, (least / step).floor(), (most / step).ceil().max(1.0));
    let x = |value: f64| left + PLOT * axis.along(value);
    let (first, last) = (top + HEAD, top + HEAD + LINE * parts.len() as f64);
    html! {
        (text("title", TITLE, tenths(MARGIN, top + 20.0), "start", &heading))
        (text("soft", SMALL, tenths(MARGIN, top + 38.0), "start", &said))
        @for tick in axis.ticks() {
            @let at = x(tick);
            @let class = if tick == 0.0 { "zero" } else { "grid" };
            (path(class, format_args!("M{at:.1} {first:.1}V{last:.1}")))
            (text("soft", SMALL, tenths(at, last + 16.0), "middle", &axis.digits(tick)))
        }
        @for (position, part) in parts.iter().enumerate() {
            (of_part(part, left, first + LINE * (position as f64 + 0.5), x))
        }
    }
}

/// The name of a part, its bar and its figure, around the middle of its line.
fn of_part(part: &PartReport, left: f64, middle: f64, x: impl Fn(f64) -> f64) -> Markup {
    let name = cut(&part.name, NAME, WIDEST_NAME);
    let figure = super::figure(part.mean);
    let sd = part.sd.map_or(String::new(), |sd| {
        format!(" ± {}", super::figure(Some(sd)))
    });
    let class = match part.of {
        PartOf::Column(_) => "bar",
        PartOf::Link(_) => "link",
    };
    let (low, high) = ends(part);
    let (from_low, to_high, up, down) = (x(low), x(high), middle - 4.0, middle + 4.0);
    html! {
        g {
            title { (part.name) ": " (figure) (sd) } "\n"
            (text("name", NAME, tenths(left - GAP, middle + 4.5), "end", &name))
            @if let Some(mean) = part.mean {
                @let (from, to) = (x(mean.min(0.0)), x(mean.max(0.0)));
                rect class=(class) x=(Tenth(from)) y=(Tenth(middle - BAR / 2.0))
                    width=(Tenth(to - from)) height=(BAR) rx="2" {} "\n"
                @if high > low {
                    (path("error", format_args!("M{from_low:.1} {up:.1}V{down:.1}M{from_low:.1} {middle:.1}H{to_high:.1}M{to_high:.1} {up:.1}V{down:.1}")))
                }
                @let behind = x(high.max(0.0)) + 8.0;
                (text("soft", SMALL, tenths(behind, middle + 4.0), "start", &figure))
            }
        } "\n"
    }
}

#[cfg(test)]
mod tests {
    use kinwood_evaluation::measures::ACCURACY;

    use super::*;

    fn part(name: &str, of: PartOf, mean: Option<f64>, sd: Option<f64>) -> PartReport {
        PartReport {
            name: name.to_owned(),
            table: "t".to_owned(),
            of,
            mean,
            sd,
            relative: None,
        }
    }

    fn report(parts: Vec<PartReport>) -> ImportanceReport {
        ImportanceReport {
            learner: "knn".to_owned(),
            data: "t.csv".to_owned(),
            rows: 9,
            repeats: 3,
            seed: 1,
            targets: vec![TargetReport {
                target: "class".to_owned(),
                measure: ACCURACY,
                whole: Some(0.9),
                parts,
            }],
            notices: Vec::new(),
        }
    }

    #[test]
    fn every_part_with_a_figure_has_a_bar_and_with_a_spread_an_error_line() {
        let column = |name: &str| PartOf::Column(name.to_owned());
        let drawn = draw(&report(vec![
            part(
                "rows of a<b",
                PartOf::Link("k".to_owned()),
                Some(0.4),
                Some(0.1),
            ),
            part("x", column("x"), Some(-0.02), Some(0.01)),
            part("y", column("y"), Some(0.0), Some(0.0)),
            part("z", column("z"), None, None),
        ]))
        .alone();
        assert_eq!(drawn.matches("class=\"bar\"").count(), 2);
        assert_eq!(drawn.matches("class=\"link\"").count(), 1);
        assert_eq!(drawn.matches("class=\"error\"").count(), 2);
        assert!(drawn.contains("rows of a&lt;b") && drawn.contains("z: -"));
        assert!(!drawn.contains("NaN") && !drawn.contains("inf"));
    }

    #[test]
    fn much_is_cut_and_nothing_is_drawn_too() {
        let many = (0..60).map(|i| {
            let name = format!("c{i}");
            part(&name, PartOf::Column(name.clone()), Some(0.0), None)
        });
        let drawn = draw(&report(many.collect())).alone();
        assert_eq!(drawn.matches("class=\"bar\"").count(), MOST);
        assert!(drawn.contains("20 less important parts are not shown"));
        assert!(draw(&report(Vec::new())).alone().ends_with("</svg>\n"));
    }
}
