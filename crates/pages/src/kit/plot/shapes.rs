//! What charts are drawn with: words, ways, colours, legends.

use std::fmt::{Arguments, Display};

use maud::{Markup, html};

use crate::kit::drawing::Style;
use crate::kit::number::Tenth;

/// The style of charts that stand alone.
pub(crate) const STYLE: Style = Style::new(
    "
text { font-family: system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif; fill: #1c2430 }
.page { fill: #ffffff }
.title { font-weight: 600 }
.soft { fill: #5d6875 }
",
    "text { fill: #e6eaf0 }
.page { fill: #14181d }
.soft { fill: #9aa6b5 }
",
);

/// Colours that people with colour blindness can tell apart (Okabe and Ito), then others around the
/// circle.
const COLOURS: [&str; 8] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a6d3b", "#6a51a3",
];

/// The colour of a class by number.
pub(crate) fn colour(class: usize) -> String {
    COLOURS.get(class).map_or_else(
        || format!("hsl({},60%,45%)", class * 137 % 360),
        |&colour| colour.to_owned(),
    )
}

/// A place to a tenth of a pixel.
pub(crate) fn tenths(x: f64, y: f64) -> (Tenth, Tenth) {
    (Tenth(x), Tenth(y))
}

/// Words at a place, beginning, ending or centred there, in a line of the file.
pub(crate) fn text(
    class: &str,
    size: f64,
    (x, y): (impl Display, impl Display),
    anchor: &str,
    words: &str,
) -> Markup {
    html! {
        text class=(class) font-size=(size) x=(x) y=(y) text-anchor=(anchor) { (words) } "\n"
    }
}

/// A way, in a line of the file.
pub(crate) fn path(class: &str, way: Arguments<'_>) -> Markup {
    html! { path class=(class) d=(way) {} "\n" }
}

/// A dot of a colour, for legends.
pub(crate) fn swatch(fill: &str) -> Markup {
    html! {
        svg width="12" height="12" aria-hidden="true" {
            circle cx="6" cy="6" r="5" fill=(fill) {}
        }
    }
}

/// What colours or lines stand for: a mark and words each, and how many more there are.
pub(crate) fn legend(of: &str, entries: &[(Markup, String)], more: usize) -> Markup {
    html! {
        p class="legend" {
            @if !of.is_empty() { b { (of) } }
            @for (mark, words) in entries { " " span { (mark) " " (words) } }
            @if more > 0 { " " span { "+" (more) " more" } }
        }
    }
}
