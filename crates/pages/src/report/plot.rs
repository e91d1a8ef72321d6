//! Charts: two axes with round ticks, and what is drawn between them. Colours are the page's, so
//! that charts are light or dark with it.

use std::fmt::Write;

use super::markup::escape;

const WIDTH: f64 = 400.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 54.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 46.0;

/// A direction of a chart.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    label: String,
    least: f64,
    greatest: f64,
    step: f64,
}

impl Axis {
    /// Shares, from none to all.
    pub fn shares(label: &str) -> Self {
        Self {
            label: label.to_owned(),
            least: 0.0,
            greatest: 1.0,
            step: 0.2,
        }
    }

    /// An axis on which all of these numbers have their place, from tick to tick.
    pub fn around(label: &str, numbers: impl IntoIterator<Item = f64>) -> Self {
        let finite = numbers.into_iter().filter(|number| number.is_finite());
        let (least, greatest) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| {
            (a.min(x), b.max(x))
        });
        let (least, greatest) = match least <= greatest {
            true => (least, greatest),
            false => (0.0, 1.0),
        };
        // One number alone stands in the middle.
        let half = match greatest > least {
            true => 0.0,
            false => (least.abs() * 0.1).max(0.5),
        };
        let step = step((greatest - least) + 2.0 * half);
        Self {
            label: label.to_owned(),
            least: ((least - half) / step).floor() * step,
            greatest: ((greatest + half) / step).ceil() * step,
            step,
        }
    }

    /// How far along a number stands, 0 to 1.
    fn along(&self, number: f64) -> f64 {
        let along = number / 2.0 - self.least / 2.0;
        let along = along / (self.greatest / 2.0 - self.least / 2.0);
        // What is no number has no place; it stands at the beginning.
        if along.is_nan() {
            0.0
        } else {
            along.clamp(0.0, 1.0)
        }
    }

    fn ticks(&self) -> Vec<(f64, String)> {
        let digits = (-self.step.log10().floor()).clamp(0.0, 12.0) as usize;
        let count = ((self.greatest - self.least) / self.step).round() as usize;
        let large = self.least.abs().max(self.greatest.abs()) >= 1e6;
        (0..=count.min(20))
            .map(|tick| {
                let value = self.least + tick as f64 * self.step;
                let text = match large {
                    true => super::markup::short(value),
                    false => format!("{value:.digits$}"),
                };
                // Nothing below zero is not a number to read.
                let text = match text.trim_start_matches('-').trim_matches(['0', '.']) {
                    "" => "0".to_owned(),
                    _ => text,
                };
                (value, text)
            })
            .collect()
    }
}

/// The distance of ticks for about five of them: 1, 2 or 5 times a power of ten.
fn step(range: f64) -> f64 {
    if !(range > 0.0 && range.is_finite()) {
        return 1.0;
    }
    let rough = range / 5.0;
    let power = 10f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0];
    let wanted = factor
        .iter()
        .find(|factor| **factor * power >= rough * 0.999);
    (wanted.unwrap_or(&10.0) * power).max(f64::MIN_POSITIVE)
}

/// A chart that is being drawn.
pub(super) struct Plot {
    x: Axis,
    y: Axis,
    body: String,
}

impl Plot {
    /// An empty chart.
    pub fn new(x: Axis, y: Axis) -> Self {
        let mut plot = Self {
            x,
            y,
            body: String::new(),
        };
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        for (value, text) in plot.x.ticks() {
            let at = plot.at(value, 0.0).0;
            plot.draw(format_args!(
                "<path class=\"grid\" d=\"M{at:.1} {TOP}V{bottom}\"/><text class=\"tick\" x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{text}</text>",
                bottom + 17.0
            ));
        }
        for (value, text) in plot.y.ticks() {
            let at = plot.at(0.0, value).1;
            plot.draw(format_args!(
                "<path class=\"grid\" d=\"M{LEFT} {at:.1}H{right}\"/><text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>",
                LEFT - 6.0,
                at + 4.2
            ));
        }
        let (along, up) = (escape(&plot.x.label), escape(&plot.y.label));
        let (middle, half) = ((LEFT + right) / 2.0, (TOP + bottom) / 2.0);
        plot.draw(format_args!(
            "<text class=\"label\" x=\"{middle}\" y=\"{:.1}\" text-anchor=\"middle\">{along}</text>\
             <text class=\"label\" transform=\"translate(12,{half}) rotate(-90)\" text-anchor=\"middle\">{up}</text>",
            HEIGHT - 8.0
        ));
        plot
    }

    /// The place of two numbers.
    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        let across = LEFT + self.x.along(x) * (WIDTH - LEFT - RIGHT);
        let down = HEIGHT - BOTTOM - self.y.along(y) * (HEIGHT - TOP - BOTTOM);
        (across, down)
    }

    fn draw(&mut self, svg: std::fmt::Arguments<'_>) {
        self.body
            .write_fmt(svg)
            .expect("a string takes all that is written to it");
    }

    /// A line through points.
    pub fn line(&mut self, look: &str, points: impl IntoIterator<Item = (f64, f64)>) {
        let mut path = String::new();
        for (x, y) in points {
            let (x, y) = self.at(x, y);
            let _ = write!(
                path,
                "{}{x:.1} {y:.1}",
                if path.is_empty() { "M" } else { "L" }
            );
        }
        self.draw(format_args!("<path {look} d=\"{path}\"/>"));
    }

    /// A dot, with what it stands for.
    pub fn dot(&mut self, look: &str, radius: f64, (x, y): (f64, f64), title: &str) {
        let (x, y) = self.at(x, y);
        let title = match title {
            "" => String::new(),
            title => format!("<title>{}</title>", escape(title)),
        };
        self.draw(format_args!(
            "<circle {look} cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\">{title}</circle>"
        ));
    }

    /// A bar from the floor, from one place to another.
    pub fn bar(&mut self, look: &str, from: f64, to: f64, height: f64, title: &str) {
        let ((left, top), (right, floor)) = (self.at(from, height), self.at(to, self.y.least));
        self.draw(format_args!(
            "<rect {look} x=\"{:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\"><title>{}</title></rect>",
            left + 0.5,
            (right - left - 1.0).max(0.5),
            (floor - top).max(0.0),
            escape(title)
        ));
    }

    /// The chart as SVG, with what it shows in words.
    pub fn finish(self, title: &str) -> String {
        let title = escape(title);
        format!(
            "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{title}\"><title>{title}</title>{}</svg>",
            self.body
        )
    }
}

/// Dots along a line, one a fold, and a mark at their mean.
pub(super) fn strip(values: &[(String, f64)], mean: Option<f64>) -> String {
    let finite: Vec<&(String, f64)> = values.iter().filter(|value| value.1.is_finite()).collect();
    let all = finite.iter().map(|value| value.1);
    let (least, greatest) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| {
        (a.min(x), b.max(x))
    });
    if finite.is_empty() {
        return String::new();
    }
    let at = |value: f64| match greatest > least {
        true => 8.0 + 164.0 * (value - least) / (greatest - least),
        false => 90.0,
    };
    let mut body = String::from("<path class=\"grid\" d=\"M8 11H172\"/>");
    if let Some(mean) = mean.filter(|mean| mean.is_finite()) {
        let _ = write!(body, "<path class=\"mark\" d=\"M{:.1} 2V20\"/>", at(mean));
    }
    for (fold, value) in finite {
        let title = escape(&format!("{fold}: {value:.4}"));
        let _ = write!(
            body,
            "<circle class=\"fold\" cx=\"{:.1}\" cy=\"11\" r=\"4\"><title>{title}</title></circle>",
            at(*value)
        );
    }
    let said = format!("from {least:.4} to {greatest:.4}");
    format!(
        "<svg class=\"strip\" viewBox=\"0 0 180 22\" role=\"img\" aria-label=\"{said}\"><title>{said}</title>{body}</svg><span class=\"ends\">{least:.3} – {greatest:.3}</span>"
    )
}

/// Columns of a small histogram, each with its height and what it stands for.
pub(super) fn columns(heights: &[(f64, String, Option<String>)], title: &str) -> String {
    let most = heights.iter().map(|column| column.0).fold(0.0, f64::max);
    if most <= 0.0 {
        return String::new();
    }
    let step = (110.0 / heights.len() as f64).min(22.0);
    let mut body = String::new();
    for (place, (height, told, fill)) in heights.iter().enumerate() {
        let tall = (24.0 * height / most).max(if *height > 0.0 { 1.0 } else { 0.0 });
        let look = match fill {
            Some(fill) => format!("fill=\"{fill}\""),
            None => "class=\"bar\"".to_owned(),
        };
        let _ = write!(
            body,
            "<rect {look} x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{tall:.1}\"><title>{}</title></rect>",
            place as f64 * step,
            25.0 - tall,
            (step - 1.0).max(1.0),
            escape(told)
        );
    }
    let title = escape(title);
    format!(
        "<svg class=\"spark\" viewBox=\"0 0 112 26\" role=\"img\" aria-label=\"{title}\"><title>{title}</title>{body}</svg>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_hold_all_numbers_and_begin_at_ticks() {
        let axis = Axis::around("x", [3.2, f64::NAN, 17.0]);
        assert_eq!((axis.least, axis.greatest, axis.step), (0.0, 20.0, 5.0));
        let alone = Axis::around("x", [4.0]);
        assert!(alone.least < 4.0 && alone.greatest > 4.0);
        let none = Axis::around("x", [f64::INFINITY]);
        assert_eq!((none.least, none.greatest), (0.0, 1.0));
        let texts: Vec<String> = Axis::around("x", [-0.4, 0.4])
            .ticks()
            .into_iter()
            .map(|tick| tick.1)
            .collect();
        assert_eq!(texts, ["-0.4", "-0.2", "0", "0.2", "0.4"]);
    }

    #[test]
    fn nothing_drawn_is_no_number() {
        let mut plot = Plot::new(Axis::shares("a<b"), Axis::around("y", [1e300, -1e300]));
        plot.line("class=\"l\"", [(0.0, f64::NAN), (0.5, 1.0)]);
        plot.dot("class=\"d\"", 2.0, (0.1, 0.2), "<b>");
        let svg = plot.finish("t");
        assert!(svg.contains("a&lt;b") && svg.contains("&lt;b&gt;"));
        assert!(!svg.contains("inf"), "{svg}");
        assert!(strip(&[("1".to_owned(), f64::NAN)], None).is_empty());
        assert_eq!(
            strip(&[("1".to_owned(), 0.5), ("2".to_owned(), 0.5)], Some(0.5))
                .matches("<circle")
                .count(),
            2
        );
        assert!(columns(&[(0.0, String::new(), None)], "t").is_empty());
    }
}
