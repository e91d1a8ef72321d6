//! Curves as a picture: a panel a target with its scores, further panels for how alike the members
//! of a set are and what the search for them takes; every point with a line of a standard deviation
//! to both sides.
//!
//! The SVG stands alone and is light or dark as its reader prefers. Values that are numbers stand
//! where they are, on a scale of logarithms where they are more evenly spaced on it; other values
//! stand side by side.

use kinwood_evaluation::summary::FoldSummary;
use maud::{Markup, html};

use super::{CurveReport, Point};
use crate::columns::figure;
use crate::kit::number::{Tenth, ends as range, whole};
use crate::kit::plot::{Axis, STYLE, path, rounded, tenths, text, tick_step};
use crate::kit::width::{cut, of as text_width};
use crate::kit::{Drawing, Style};

/// The style beyond that of all charts: colours of the lines, in their order.
const OWN: Style = Style::new(
    ".grid { stroke: #e3e8ee }
.axis { stroke: #8593a3; fill: none }
.line { fill: none; stroke-width: 2 }
.whisker { fill: none; stroke-width: 1.2; opacity: 0.7 }
.a { stroke: #2f6fc0 } .dot-a { fill: #2f6fc0 }
.b { stroke: #2e8a5e } .dot-b { fill: #2e8a5e }
.c { stroke: #c2711f } .dot-c { fill: #c2711f }
",
    ".grid { stroke: #2a323c }
.axis { stroke: #6c7a8a }
.a { stroke: #6ba3e6 } .dot-a { fill: #6ba3e6 }
.b { stroke: #5cbf8f } .dot-b { fill: #5cbf8f }
.c { stroke: #e39a52 } .dot-c { fill: #e39a52 }
",
);
const COLOURS: [&str; 3] = ["a", "b", "c"];

const MARGIN: f64 = 24.0;
const LEFT: f64 = 84.0;
const PLOT: f64 = 560.0;
const HIGH: f64 = 240.0;
const HEAD: f64 = 56.0;
const AXIS: f64 = 52.0;
const TITLE: f64 = 15.0;
const SMALL: f64 = 11.0;

/// One panel: scores over the values.
struct Panel {
    title: String,
    series: Vec<Series>,
}

struct Series {
    name: String,
    points: Vec<Option<FoldSummary>>,
}

pub(super) fn draw(report: &CurveReport) -> Drawing {
    let panels = panels(report);
    let across = Across::of(report);
    let of_panel = HEAD + HIGH + AXIS;
    let top = |place: usize| MARGIN / 2.0 + of_panel * place as f64;
    let body = html! {
        @for (place, panel) in panels.iter().enumerate() {
            (draw_panel(report, panel, &across, top(place)))
        }
    };
    Drawing {
        title: format!(
            "{} of {} on {} over {}",
            report.measures.join(", "),
            report.learner,
            report.data,
            report.over()
        ),
        style: STYLE.with(&OWN),
        body,
        size: whole(
            LEFT + PLOT + MARGIN,
            MARGIN + of_panel * panels.len() as f64,
        ),
    }
}

fn panels(report: &CurveReport) -> Vec<Panel> {
    let series = |name: &str, figure: &dyn Fn(&Point) -> Option<FoldSummary>| Series {
        name: name.to_owned(),
        points: report.points.iter().map(figure).collect(),
    };
    let drawn = |series: &Series| series.points.iter().any(Option::is_some);
    let mut panels = Vec::new();
    for (target, measure) in report.measures.iter().enumerate() {
        let scores = [
            series("test rows", &|point| {
                point.failed.is_none().then(|| point.test[target])
            }),
            series("training rows", &|point| {
                Some(point.training.as_ref()?[target])
            }),
            series("mean of the members on test rows", &|point| {
                Some(point.members.as_ref()?.mean[target])
            }),
        ];
        let name = &report.targets[target];
        panels.push(Panel {
            title: format!(
                "{name}: {measure} of {} over {}",
                report.learner,
                report.over()
            ),
            series: scores.into_iter().filter(drawn).collect(),
        });
        let similarity = series("similarity of the members on test rows", &|point| {
            Some(point.members.as_ref()?.similarity[target])
        });
        panels.push(Panel {
            title: format!("{name}: how alike the members are"),
            series: vec![similarity],
        });
    }
    let evaluated = series("models evaluated", &|point| {
        Some(point.members.as_ref()?.evaluated)
    });
    let seconds = series("seconds of fitting", &|point| point.seconds);
    for (title, series) in [
        ("What the search takes", evaluated),
        ("How long fitting takes", seconds),
    ] {
        panels.push(Panel {
            title: title.to_owned(),
            series: vec![series],
        });
    }
    panels.retain(|panel| panel.series.iter().any(drawn));
    panels
}

/// Where values stand, from 0 to 1.
struct Across {
    places: Vec<f64>,
    ticks: Vec<(f64, String)>,
    label: String,
}

impl Across {
    fn of(report: &CurveReport) -> Self {
        let own = |point: &Point| match report.setting {
            Some(_) => point.at.parse().ok().filter(|x: &f64| x.is_finite()),
            // A portion that failed has no mean number of rows; it is not drawn.
            None => point.rows.or(Some(f64::NAN)),
        };
        let numbers: Option<Vec<f64>> = report.points.iter().map(own).collect();
        let label = report.over().to_owned();
        let finite: Vec<f64> = numbers
            .iter()
            .flatten()
            .copied()
            .filter(|x| x.is_finite())
            .collect();
        let (low, high) = range(finite.iter().copied());
        match numbers {
            Some(numbers) if high > low => {
                let log = low > 0.0 && uneven(&finite, f64::ln) < uneven(&finite, |x| x);
                Self::numeric(&report.points, &numbers, (low, high), log, label)
            }
            _ => {
                let count = report.points.len().max(1) as f64;
                let place = |(place, _): (usize, &Point)| (place as f64 + 0.5) / count;
                let places: Vec<f64> = report.points.iter().enumerate().map(place).collect();
                let names = report.points.iter().map(|point| point.at.clone());
                Self {
                    ticks: places.iter().copied().zip(names).collect(),
                    places,
                    label,
                }
            }
        }
    }

    fn numeric(
        points: &[Point],
        numbers: &[f64],
        (low, high): (f64, f64),
        log: bool,
        label: String,
    ) -> Self {
        let scale = |x: f64| if log { x.ln() } else { x };
        // A little room, so that dots do not stand on the edge.
        let place = |x: f64| 0.03 + 0.94 * (scale(x) - scale(low)) / (scale(high) - scale(low));
        let ticks = match log {
            true => {
                let own = numbers.iter().zip(points).filter(|(x, _)| x.is_finite());
                own.map(|(&x, point)| (place(x), at(x, point))).collect()
            }
            false => {
                let step = tick_step(high - low);
                let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
                let tick = |tick: i64| {
                    let value = tick as f64 * step;
                    (place(value), rounded(value, step))
                };
                (first..=last).map(tick).collect()
            }
        };
        Self {
            places: numbers.iter().map(|&x| place(x)).collect(),
            ticks,
            label: if log {
                format!("{label} (logarithmic)")
            } else {
                label
            },
        }
    }
}

/// A value as it was written; a mean number of rows in whole rows.
fn at(x: f64, point: &Point) -> String {
    match point.at.parse::<f64>() {
        Ok(written) if written == x => point.at.clone(),
        _ => format!("{x:.0}"),
    }
}

/// How much the distances of neighbouring values differ on a scale: their variance over the square
/// of their mean.
fn uneven(values: &[f64], scale: impl Fn(f64) -> f64) -> f64 {
    let mut values: Vec<f64> = values.iter().map(|&value| scale(value)).collect();
    values.sort_by(f64::total_cmp);
    let gaps: Vec<f64> = values.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let count = gaps.len().max(1) as f64;
    let mean = gaps.iter().sum::<f64>() / count;
    let squares = gaps.iter().map(|gap| (gap - mean).powi(2)).sum::<f64>();
    squares / count / (mean * mean)
}

fn draw_panel(report: &CurveReport, panel: &Panel, across: &Across, top: f64) -> Markup {
    let title = cut(&panel.title, TITLE * 1.08, LEFT + PLOT - MARGIN);
    html! {
        (text("title", TITLE, tenths(MARGIN, top + 20.0), "start", &title))
        (names(panel, top + 36.0))
        @if let Some(upwards) = Upwards::of(panel, top) {
            (upwards.grid())
            (across.ticks(upwards.last))
            @for (series, colour) in panel.series.iter().zip(COLOURS) {
                (upwards.series(report, series, across, colour))
            }
        }
    }
}

/// The lines of a panel and what they are of, side by side.
fn names(panel: &Panel, y: f64) -> Markup {
    let mut from = MARGIN;
    let places = panel.series.iter().map(|series| {
        let own = from;
        from += 24.0 + text_width(&series.name, SMALL) + 22.0;
        own
    });
    let places: Vec<f64> = places.collect();
    html! {
        @for ((series, colour), from) in panel.series.iter().zip(COLOURS).zip(places) {
            (path(&format!("line {colour}"), format_args!("M{from:.1} {y:.1}h18")))
            (text("soft", SMALL, tenths(from + 24.0, y + 4.0), "start", &series.name))
        }
    }
}

impl Across {
    /// The ticks below a panel that ends there, and what they are of. Words that would run into
    /// each other are left out.
    fn ticks(&self, last: f64) -> Markup {
        let mut free = f64::NEG_INFINITY;
        let ticks = self.ticks.iter().map(|(place, said)| {
            let (at, half) = (LEFT + PLOT * place, text_width(said, SMALL) / 2.0);
            let fits = at - half > free;
            if fits {
                free = at + half + 6.0;
            }
            (at, fits.then_some(said))
        });
        let ticks: Vec<(f64, Option<&String>)> = ticks.collect();
        let below = tenths(LEFT + PLOT / 2.0, last + 36.0);
        html! {
            @for (at, said) in ticks {
                (path("axis", format_args!("M{at:.1} {last:.1}v4")))
                @if let Some(said) = said {
                    (text("soft", SMALL, tenths(at, last + 18.0), "middle", said))
                }
            }
            (text("soft", SMALL, below, "middle", &self.label))
        }
    }
}

/// A score below, at and above its mean, by a standard deviation.
fn ends(summary: &FoldSummary) -> Option<(f64, f64, f64)> {
    let (mean, sd) = (summary.mean?, summary.sd.unwrap_or(0.0));
    Some((mean - sd, mean, mean + sd))
}

/// Where the scores of a panel stand.
struct Upwards {
    axis: Axis,
    /// The upper and the lower end.
    first: f64,
    last: f64,
}

impl Upwards {
    /// The scale of a panel; `None` where it has no score.
    fn of(panel: &Panel, top: f64) -> Option<Self> {
        let points = panel.series.iter().flat_map(|series| &series.points);
        let all = points.flatten().filter_map(ends);
        let (least, most) = range(all.flat_map(|(low, _, high)| [low, high]));
        if most < least {
            return None;
        }
        // What is the same everywhere stands in the middle.
        let apart = match most - least > most.abs() * 1e-9 {
            true => 0.0,
            false if most == 0.0 => 0.5,
            false => most.abs() * 0.05,
        };
        let (least, most) = (least - apart, most + apart);
        let step = tick_step(most - least);
        Some(Self {
            axis: Axis::of_steps(step, (least / step).floor(), (most / step).ceil()),
            first: top + HEAD,
            last: top + HEAD + HIGH,
        })
    }

    fn y(&self, score: f64) -> f64 {
        self.last - HIGH * self.axis.along(score)
    }

    fn grid(&self) -> Markup {
        let (first, last, right) = (self.first, self.last, LEFT + PLOT);
        html! {
            @for tick in self.axis.ticks() {
                @let at = self.y(tick);
                (path("grid", format_args!("M{LEFT:.1} {at:.1}H{right:.1}")))
                (text("soft", SMALL, tenths(LEFT - 8.0, at + 4.0), "end", &self.axis.digits(tick)))
            }
            (path("axis", format_args!("M{LEFT:.1} {first:.1}V{last:.1}H{right:.1}")))
        }
    }

    /// A line through the means of a series, each with a dot.
    fn series(
        &self,
        report: &CurveReport,
        series: &Series,
        across: &Across,
        colour: &str,
    ) -> Markup {
        let places = report.points.iter().zip(&across.places);
        let dots = series.points.iter().zip(places);
        let dots = dots.filter_map(|(summary, (point, place))| {
            let ends = summary.as_ref().and_then(ends)?;
            place
                .is_finite()
                .then(|| (LEFT + PLOT * place, point, ends))
        });
        let dots: Vec<(f64, &Point, (f64, f64, f64))> = dots.collect();
        let way = dots
            .iter()
            .map(|(x, _, (_, mean, _))| format!("{x:.1} {:.1}", self.y(*mean)));
        let way = way.collect::<Vec<_>>().join("L");
        html! {
            (path(&format!("line {colour}"), format_args!("M{way}")))
            @for (x, point, ends) in dots {
                @let of = format!("{} {}: {}", report.over(), point.at, series.name);
                (self.dot(&of, x, ends, colour))
            }
        }
    }

    /// A dot, and a line of a standard deviation to both sides where there is one.
    fn dot(&self, of: &str, x: f64, (low, mean, high): (f64, f64, f64), colour: &str) -> Markup {
        let sd = match high > low {
            true => format!(" ± {}", figure(Some((high - low) / 2.0))),
            false => String::new(),
        };
        let (left, above, below) = (x - 4.0, self.y(high), self.y(low));
        html! {
            g {
                title { (of) " " (figure(Some(mean))) (sd) } "\n"
                @if high > low {
                    (path(&format!("whisker {colour}"), format_args!("M{left:.1} {above:.1}h8m-4 0V{below:.1}m-4 0h8")))
                }
                circle class=(format_args!("dot-{colour}")) cx=(Tenth(x)) cy=(Tenth(self.y(mean))) r="3.5" {}
            } "\n"
        }
    }
}

#[cfg(test)]
mod tests;
