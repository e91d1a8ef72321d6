//! Importance as a picture: a bar a part, the most important on top, each with a line of a standard
//! deviation to both sides.
//!
//! The SVG stands alone and is light or dark as its reader prefers.

use super::{ImportanceReport, PartReport, TargetReport};
use crate::diagram::{cut, escape, text_width};
use crate::plot::{STYLE, line, rounded, text, tick_step};

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

pub(super) fn draw(report: &ImportanceReport) -> String {
    let shown = |target: &TargetReport| target.parts.len().min(MOST);
    let names = report
        .targets
        .iter()
        .flat_map(|target| &target.parts[..shown(target)]);
    let left = names
        .map(|part| text_width(&cut(&part.name, NAME, WIDEST_NAME), NAME))
        .fold(60.0, f64::max)
        + MARGIN
        + GAP;
    let width = left + PLOT + FIGURE + MARGIN;
    let of_target = |target: &TargetReport| HEAD + LINE * shown(target) as f64 + AXIS + MARGIN;
    let height = MARGIN / 2.0 + report.targets.iter().map(of_target).sum::<f64>();
    let mut svg = String::new();
    line(
        &mut svg,
        format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\">"
        ),
    );
    let targets: Vec<&str> = report
        .targets
        .iter()
        .map(|target| target.target.as_str())
        .collect();
    let title = format!("What {} predicts {} by", report.learner, targets.join(", "));
    line(
        &mut svg,
        format_args!("<title>{}</title>\n<style>{STYLE}</style>", escape(&title)),
    );
    line(
        &mut svg,
        format_args!("<rect class=\"page\" width=\"{width:.0}\" height=\"{height:.0}\"/>"),
    );
    let mut top = MARGIN / 2.0;
    for target in &report.targets {
        draw_target(&mut svg, target, &target.parts[..shown(target)], left, top);
        top += of_target(target);
    }
    svg.push_str("</svg>\n");
    svg
}

fn draw_target(svg: &mut String, target: &TargetReport, parts: &[PartReport], left: f64, top: f64) {
    let heading = format!("{}: {}", target.target, target.heading());
    let room = left + PLOT + FIGURE - MARGIN;
    text(
        svg,
        "title",
        TITLE,
        (MARGIN, top + 20.0),
        "start",
        &cut(&heading, TITLE * 1.08, room),
    );
    let rest = match target.parts.len() - parts.len() {
        0 => String::new(),
        rest => format!("; {rest} less important parts are not shown"),
    };
    let said = format!("worse by, mean and standard deviation over the permutations{rest}");
    text(svg, "soft", SMALL, (MARGIN, top + 38.0), "start", &said);
    let ends = |part: &PartReport| {
        let (mean, sd) = (part.mean.unwrap_or(0.0), part.sd.unwrap_or(0.0));
        (mean - sd, mean + sd)
    };
    let least = parts
        .iter()
        .map(|part| ends(part).0.min(0.0))
        .fold(0.0, f64::min);
    let most = parts.iter().map(|part| ends(part).1).fold(0.0, f64::max);
    let step = tick_step(most - least);
    let (low, high) = ((least / step).floor(), (most / step).ceil().max(1.0));
    let x = |value: f64| left + PLOT * (value / step - low) / (high - low);
    let (first, last) = (top + HEAD, top + HEAD + LINE * parts.len() as f64);
    for tick in low as i64..=high as i64 {
        let value = tick as f64 * step;
        let class = if tick == 0 { "zero" } else { "grid" };
        let at = x(value);
        line(
            svg,
            format_args!("<path class=\"{class}\" d=\"M{at:.1} {first:.1}V{last:.1}\"/>"),
        );
        let shown = rounded(value, step);
        text(svg, "soft", SMALL, (at, last + 16.0), "middle", &shown);
    }
    for (position, part) in parts.iter().enumerate() {
        let middle = first + LINE * (position as f64 + 0.5);
        let name = cut(&part.name, NAME, WIDEST_NAME);
        let figure = super::figure(part.mean);
        let sd = part.sd.map_or(String::new(), |sd| {
            format!(" ± {}", super::figure(Some(sd)))
        });
        line(
            svg,
            format_args!("<g><title>{}: {figure}{sd}</title>", escape(&part.name)),
        );
        text(svg, "name", NAME, (left - GAP, middle + 4.5), "end", &name);
        if let Some(mean) = part.mean {
            let class = match part.of {
                super::PartOf::Column(_) => "bar",
                super::PartOf::Link(_) => "link",
            };
            let (from, to) = (x(mean.min(0.0)), x(mean.max(0.0)));
            line(
                svg,
                format_args!(
                    "<rect class=\"{class}\" x=\"{from:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{BAR}\" rx=\"2\"/>",
                    middle - BAR / 2.0,
                    to - from
                ),
            );
            let (low, high) = ends(part);
            if high > low {
                let (low, high, up, down) = (x(low), x(high), middle - 4.0, middle + 4.0);
                line(
                    svg,
                    format_args!(
                        "<path class=\"error\" d=\"M{low:.1} {up:.1}V{down:.1}M{low:.1} {middle:.1}H{high:.1}M{high:.1} {up:.1}V{down:.1}\"/>"
                    ),
                );
            }
            let behind = x(high.max(0.0)) + 8.0;
            text(svg, "soft", SMALL, (behind, middle + 4.0), "start", &figure);
        }
        line(svg, format_args!("</g>"));
    }
}

#[cfg(test)]
mod tests {
    use kinwood_evaluation::measures::ACCURACY;

    use super::super::PartOf;
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
        ]));
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
        let drawn = draw(&report(many.collect()));
        assert_eq!(drawn.matches("class=\"bar\"").count(), MOST);
        assert!(drawn.contains("20 less important parts are not shown"));
        assert!(draw(&report(Vec::new())).ends_with("</svg>\n"));
    }
}
