//! The diagram as SVG.

use maud::{Markup, html};

use super::{Ranked, joined, levels};
use crate::kit::number::whole;
use crate::kit::plot::{STYLE, path, tenths, text};
use crate::kit::width::{cut, of as text_width};
use crate::kit::{Drawing, Style};

/// The style beyond that of all charts.
const OWN: Style = Style::new(
    ".axis { fill: none; stroke: #1c2430; stroke-width: 1.4 }
.minor { fill: none; stroke: #8593a3 }
.way { fill: none; stroke: #8593a3; stroke-width: 1.2 }
.joined { stroke: #4a86d0; stroke-width: 5; stroke-linecap: round }
.difference { fill: none; stroke: #b5482a; stroke-width: 2 }
.difference-text { fill: #b5482a; font-weight: 600 }
",
    ".axis { stroke: #e6eaf0 }
.minor { stroke: #6c7a8a }
.way { stroke: #6c7a8a }
.joined { stroke: #5b93d8 }
.difference { stroke: #e58a6d }
.difference-text { fill: #e58a6d }
",
);

const MARGIN: f64 = 24.0;
const TITLE: f64 = 15.0;
const NAME: f64 = 13.0;
const SMALL: f64 = 11.0;
/// Room for the title and what the bars are.
const HEAD: f64 = 62.0;
/// Room for the bar of the critical difference and the figures of the axis below it.
const ABOVE: f64 = 58.0;
/// From the axis to the first bar.
const BELOW: f64 = 14.0;
/// From bar to bar.
const BAR: f64 = 9.0;
/// Bars reach this far beyond the ranks they join, the round end included.
const REACH: f64 = 5.5;
/// From name to name.
const LINE: f64 = 21.0;
/// From an end of the axis to the names.
const BESIDE: f64 = 20.0;
const GAP: f64 = 6.0;
/// Room for a mean rank beside a name.
const FIGURE: f64 = 46.0;
const WIDEST_NAME: f64 = 230.0;
/// Figures of the axis are at least this far apart.
const TICK: f64 = 26.0;

/// Where everything is.
struct Layout<'a> {
    width: f64,
    height: f64,
    /// The height of the axis.
    axis: f64,
    /// The ends of the axis, the worst rank first.
    ends: (f64, f64),
    /// The left end of the axis.
    left: f64,
    /// Pixels a rank.
    scale: f64,
    labels: Vec<Label<'a>>,
    bars: Vec<Bar>,
    /// How long the critical difference is; none if it is not a positive number.
    difference: Option<f64>,
}

/// A learner's name, and the line to its rank.
struct Label<'a> {
    name: &'a str,
    shown: String,
    rank: f64,
    /// Where its rank is on the axis.
    at: f64,
    /// Where its line ends and its text begins.
    text: f64,
    /// The height of the middle of its text.
    middle: f64,
    right: bool,
}

/// A bar that joins learners.
struct Bar {
    from: f64,
    to: f64,
    height: f64,
}

impl<'a> Layout<'a> {
    fn of(ranked: &'a Ranked) -> Self {
        let order = ranked.in_order();
        let ranks: Vec<f64> = order.iter().map(|(_, rank)| *rank).collect();
        let ends = ends(&ranks);
        let difference = Some(ranked.critical_difference).filter(|d| *d > 0.0 && d.is_finite());
        // A difference larger than all ranks are apart has its bar reach beyond the axis.
        let range = (ends.0 - ends.1).max(difference.unwrap_or(0.0));
        let plot = (12.0 * order.len() as f64).max(420.0);
        let scale = plot / range;
        let better = order.len().div_ceil(2);
        let shown: Vec<String> = order
            .iter()
            .map(|(name, _)| cut(name, NAME, WIDEST_NAME))
            .collect();
        let widest = |names: &[String]| {
            let widths = names.iter().map(|name| text_width(name, NAME));
            widths.fold(30.0, f64::max) + GAP + FIGURE
        };
        let left = MARGIN + widest(&shown[better..]) + BESIDE;
        let right = left + plot + BESIDE;
        let least = MARGIN * 2.0 + text_width(&ranked.legend(), SMALL);
        let width = (right + widest(&shown[..better]) + MARGIN).max(least);
        let axis = HEAD + ABOVE;
        let at = |rank: f64| left + (ends.0 - rank) * scale;

        let groups = joined(&ranks, ranked.critical_difference);
        let places = groups
            .iter()
            .map(|&(first, last)| (ranks[first] * scale - REACH, ranks[last] * scale + REACH));
        let placed = levels(places);
        let bars: Vec<Bar> = groups
            .iter()
            .zip(&placed)
            .map(|(&(first, last), &level)| Bar {
                from: at(ranks[last]),
                to: at(ranks[first]),
                height: axis + BELOW + BAR * level as f64,
            })
            .collect();
        let lowest = placed.iter().max().map_or(0, |most| most + 1);
        let first_line = axis + BELOW + BAR * lowest as f64 + LINE / 2.0;
        let labels = order.iter().zip(shown).enumerate();
        let labels: Vec<Label<'a>> = labels
            .map(|(place, (&(name, rank), shown))| {
                let right_side = place < better;
                // The best is the first at the right, the worst the first at the left: so no two
                // lines cross.
                let line = if right_side {
                    place
                } else {
                    order.len() - 1 - place
                };
                Label {
                    name,
                    shown,
                    rank,
                    at: at(rank),
                    text: if right_side { right } else { left - BESIDE },
                    middle: first_line + LINE * line as f64,
                    right: right_side,
                }
            })
            .collect();
        let height = first_line + LINE * better as f64 + MARGIN / 2.0;
        Layout {
            width,
            height,
            axis,
            ends,
            left,
            scale,
            labels,
            bars,
            difference: difference.map(|difference| difference * scale),
        }
    }

    /// Where a rank is on the axis.
    fn at(&self, rank: f64) -> f64 {
        self.left + (self.ends.0 - rank) * self.scale
    }
}

/// The ends of the axis, the worst first: whole ranks around all, at least one apart.
fn ends(ranks: &[f64]) -> (f64, f64) {
    let (Some(best), Some(worst)) = (ranks.first(), ranks.last()) else {
        return (2.0, 1.0);
    };
    let (low, high) = (best.floor(), worst.ceil());
    (high.max(low + 1.0), low)
}

pub(super) fn draw(ranked: &Ranked) -> Drawing {
    let layout = Layout::of(ranked);
    let (heading, legend) = (ranked.heading(), ranked.legend());
    let body = html! {
        (text("title", TITLE, tenths(MARGIN, 30.0), "start", &heading))
        (text("soft", SMALL, tenths(MARGIN, 48.0), "start", &legend))
        (axis(&layout))
        (difference(&layout, ranked.critical_difference))
        @for label in &layout.labels { (named(label, layout.axis)) }
        // Over the lines to names, for bars are what the picture is about.
        @for bar in &layout.bars { (joining(bar)) }
    };
    Drawing {
        title: format!("{heading}; {legend}"),
        style: STYLE.with(&OWN),
        body,
        size: whole(layout.width, layout.height),
    }
}

fn axis(layout: &Layout<'_>) -> Markup {
    let (worst, best) = layout.ends;
    let axis = layout.axis;
    let steps = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0];
    let wide = |step: &&f64| **step * layout.scale >= TICK;
    let step = steps.iter().find(wide).unwrap_or(&1000.0);
    let minor = if *step == 1.0 { 0.5 } else { 1.0 };
    let most = ((worst - best) / minor).round().min(2000.0) as usize;
    let (left, right) = (layout.at(worst), layout.at(best));
    html! {
        (path("axis", format_args!("M{left:.1} {axis:.1}H{right:.1}")))
        @for tick in 0..=most {
            @let rank = best + tick as f64 * minor;
            @let at = layout.at(rank);
            @if rank % step == 0.0 || rank == best && *step == 1.0 {
                (path("axis", format_args!("M{at:.1} {axis:.1}v-8")))
                (text("soft", SMALL, tenths(at, axis - 12.0), "middle", &format!("{rank:.0}")))
            } @else {
                (path("minor", format_args!("M{at:.1} {axis:.1}v-5")))
            }
        }
    }
}

/// The bar that is as long as the critical difference.
fn difference(layout: &Layout<'_>, difference: f64) -> Markup {
    let Some(length) = layout.difference else {
        return Markup::default();
    };
    let (from, to, at) = (layout.left, layout.left + length, HEAD + 22.0);
    let (up, words) = (at - 4.0, format!("CD {difference:.2}"));
    html! {
        (path("difference", format_args!("M{from:.1} {up:.1}v8M{from:.1} {at:.1}H{to:.1}m0 -4v8")))
        (text("difference-text", SMALL, tenths(from, at - 8.0), "start", &words))
    }
}

fn named(label: &Label<'_>, axis: f64) -> Markup {
    let Label {
        name,
        rank,
        at,
        text: end,
        middle,
        ..
    } = *label;
    let (side, anchor) = if label.right {
        (1.0, "start")
    } else {
        (-1.0, "end")
    };
    let figure = tenths(end + side * GAP, middle + 4.0);
    let words = tenths(end + side * (GAP + FIGURE - 4.0), middle + 4.5);
    html! {
        g {
            title { (name) ": mean rank " (format_args!("{rank:.3}")) } "\n"
            (path("way", format_args!("M{at:.1} {axis:.1}V{middle:.1}H{end:.1}")))
            (text("soft", SMALL, figure, anchor, &format!("{rank:.2}")))
            (text("name", NAME, words, anchor, &label.shown))
        } "\n"
    }
}

fn joining(bar: &Bar) -> Markup {
    let (from, to) = (bar.from - REACH / 2.0, bar.to + REACH / 2.0);
    path(
        "joined",
        format_args!("M{from:.1} {:.1}H{to:.1}", bar.height),
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn ranked(learners: Vec<(String, f64)>, critical_difference: f64) -> Ranked {
        Ranked {
            learners,
            critical_difference,
            level: 0.05,
            data_sets: 14,
        }
    }

    /// The box of a learner's text: left, top, right, bottom.
    fn area(label: &Label<'_>) -> [f64; 4] {
        let length = GAP + FIGURE + text_width(&label.shown, NAME);
        let (left, right) = if label.right {
            (label.text, label.text + length)
        } else {
            (label.text - length, label.text)
        };
        [
            left,
            label.middle - NAME * 0.7,
            right,
            label.middle + NAME * 0.7,
        ]
    }

    proptest! {
        #[test]
        fn nothing_overlaps(
            shares in prop::collection::vec((0.0..1.0_f64, 1..60_usize), 2..41),
            critical_difference in 0.1..30.0_f64,
        ) {
            let k = shares.len() as f64;
            let learners = shares
                .iter()
                .map(|&(share, length)| ("m".repeat(length), 1.0 + share * (k - 1.0)))
                .collect();
            let ranked = ranked(learners, critical_difference);
            let layout = Layout::of(&ranked);
            let areas: Vec<[f64; 4]> = layout.labels.iter().map(area).collect();
            let axis_ends = [layout.at(layout.ends.0), layout.at(layout.ends.1)];
            for (i, a) in areas.iter().enumerate() {
                prop_assert!(a[0] >= 0.0 && a[2] <= layout.width && a[3] <= layout.height);
                for b in &areas[..i] {
                    prop_assert!(a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1]);
                }
                prop_assert!(a[0] >= axis_ends[1] || a[2] <= axis_ends[0]);
                for bar in &layout.bars {
                    prop_assert!(bar.height + 3.0 <= a[1]);
                }
            }
            for (i, a) in layout.bars.iter().enumerate() {
                for b in &layout.bars[..i] {
                    prop_assert!((a.height - b.height).abs() >= BAR || a.to + REACH < b.from || b.to + REACH < a.from);
                }
            }
            // A line runs down from the axis and then to its name; it crosses no other.
            for a in &layout.labels {
                let range = [a.at.min(a.text), a.at.max(a.text)];
                for b in layout.labels.iter().filter(|b| b.at > range[0] && b.at < range[1]) {
                    prop_assert!(b.middle < a.middle, "the line of {} crosses that of {}", a.rank, b.rank);
                }
            }
            let drawn = draw(&ranked).alone();
            prop_assert!(!drawn.contains("NaN") && !drawn.contains("inf"));
            prop_assert_eq!(drawn.matches("class=\"joined\"").count(), layout.bars.len());
        }
    }

    #[test]
    fn the_best_is_right_and_names_are_whole_in_titles() {
        let long = "a<b ".repeat(40);
        let ranked = ranked(
            vec![
                ("worst".to_owned(), 2.9),
                (long.clone(), 1.1),
                ("mid".to_owned(), 2.0),
            ],
            1.0,
        );
        let layout = Layout::of(&ranked);
        assert_eq!(layout.labels[0].name, long);
        assert!(layout.labels[0].at > layout.labels[1].at && layout.labels[0].right);
        assert!(!layout.labels[2].right);
        assert_eq!(layout.bars.len(), 2);
        let drawn = draw(&ranked).alone();
        assert!(drawn.contains(&long.replace('<', "&lt;")) && drawn.contains('…'));
        assert!(!drawn.contains("a<b"));
    }

    #[test]
    fn odd_input_is_drawn_too() {
        for (learners, difference) in [
            (vec![], 1.0),
            (vec![("one".to_owned(), 1.0)], 1.0),
            (vec![("a".to_owned(), 1.5), ("b".to_owned(), 1.5)], f64::NAN),
            (
                vec![("a".to_owned(), 1.0), ("b".to_owned(), f64::INFINITY)],
                f64::INFINITY,
            ),
            (vec![("a".to_owned(), 1.0), ("b".to_owned(), 1e300)], 40.0),
        ] {
            let drawn = draw(&ranked(learners, difference)).alone();
            assert!(drawn.ends_with("</svg>\n") && !drawn.contains("\"M NaN"));
        }
    }
}
