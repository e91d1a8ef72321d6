//! A chart of a page: two axes with round ticks, and what is drawn between them. Colours are the
//! page's, so that charts are light or dark with it.

use maud::{Markup, html};

use super::axis::Axis;
use crate::kit::number::Tenth;
use crate::kit::writing::append;

const WIDTH: f64 = 400.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 54.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 46.0;

/// How a line, a dot or a bar looks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Look {
    pub class: &'static str,
    pub stroke: Option<String>,
    pub dashes: Option<&'static str>,
}

impl Look {
    /// The look of a class of the page.
    pub fn of(class: &'static str) -> Self {
        Self {
            class,
            ..Self::default()
        }
    }

    /// A line along this way.
    pub fn line(&self, way: &str) -> Markup {
        html! {
            path class=(self.class) stroke=[self.stroke.as_deref()] stroke-dasharray=[self.dashes] d=(way) {}
        }
    }
}

/// A chart that is being drawn.
pub(crate) struct Chart {
    x: Axis,
    y: Axis,
    body: Markup,
}

impl Chart {
    /// An empty chart.
    pub fn new(x: Axis, y: Axis) -> Self {
        let mut chart = Self {
            x,
            y,
            body: Markup::default(),
        };
        chart.body = chart.grid();
        chart
    }

    fn grid(&self) -> Markup {
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        let (middle, half) = ((LEFT + right) / 2.0, (TOP + bottom) / 2.0);
        html! {
            @for tick in self.x.ticks() {
                @let at = self.at(tick, 0.0).0;
                path class="grid" d=(format_args!("M{at:.1} {TOP}V{bottom}")) {}
                text class="tick" x=(Tenth(at)) y=(Tenth(bottom + 17.0)) text-anchor="middle" {
                    (self.x.words(tick))
                }
            }
            @for tick in self.y.ticks() {
                @let at = self.at(0.0, tick).1;
                path class="grid" d=(format_args!("M{LEFT} {at:.1}H{right}")) {}
                text class="tick" x=(Tenth(LEFT - 6.0)) y=(Tenth(at + 4.2)) text-anchor="end" {
                    (self.y.words(tick))
                }
            }
            text class="label" x=(middle) y=(Tenth(HEIGHT - 8.0)) text-anchor="middle" {
                (self.x.label)
            }
            text class="label" transform=(format_args!("translate(12,{half}) rotate(-90)")) text-anchor="middle" {
                (self.y.label)
            }
        }
    }

    /// The place of two numbers.
    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        let across = LEFT + self.x.along(x) * (WIDTH - LEFT - RIGHT);
        let down = HEIGHT - BOTTOM - self.y.along(y) * (HEIGHT - TOP - BOTTOM);
        (across, down)
    }

    /// A line through points.
    pub fn line(&mut self, look: &Look, points: impl IntoIterator<Item = (f64, f64)>) {
        let places = points.into_iter().map(|(x, y)| {
            let (x, y) = self.at(x, y);
            format!("{x:.1} {y:.1}")
        });
        let way = match places.collect::<Vec<_>>().join("L") {
            nothing if nothing.is_empty() => nothing,
            way => format!("M{way}"),
        };
        append(&mut self.body, &look.line(&way));
    }

    /// A dot, with what it stands for.
    pub fn dot(&mut self, class: &str, radius: f64, (x, y): (f64, f64), title: &str) {
        let (x, y) = self.at(x, y);
        let dot = html! {
            circle class=(class) cx=(Tenth(x)) cy=(Tenth(y)) r=(Tenth(radius)) {
                title { (title) }
            }
        };
        append(&mut self.body, &dot);
    }

    /// A bar from the floor, from one place to another.
    pub fn bar(&mut self, class: &str, (from, to): (f64, f64), height: f64, title: &str) {
        let ((left, top), (right, floor)) = (self.at(from, height), self.at(to, self.y.least));
        let (width, high) = ((right - left - 1.0).max(0.5), (floor - top).max(0.0));
        let bar = html! {
            rect class=(class) x=(Tenth(left + 0.5)) y=(Tenth(top)) width=(Tenth(width)) height=(Tenth(high)) {
                title { (title) }
            }
        };
        append(&mut self.body, &bar);
    }

    /// The chart, with what it shows in words.
    pub fn finish(self, title: &str) -> Markup {
        let view = format_args!("0 0 {WIDTH} {HEIGHT}");
        html! {
            svg class="chart" viewBox=(view) role="img" aria-label=(title) {
                title { (title) } (self.body)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_drawn_is_no_number() {
        let mut chart = Chart::new(Axis::shares("a<b"), Axis::around("y", [1e300, -1e300]));
        chart.line(&Look::of("l"), [(0.0, f64::NAN), (0.5, 1.0)]);
        chart.dot("d", 2.0, (0.1, 0.2), "<b>");
        let svg = chart.finish("t").into_string();
        assert!(svg.contains("a&lt;b") && svg.contains("&lt;b&gt;"));
        assert!(!svg.contains("inf"), "{svg}");
        assert!(svg.contains("<path class=\"l\" d=\"M54.0 274.0L"), "{svg}");
    }
}
