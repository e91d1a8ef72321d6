//! Colours of light and dark, for pages and for pictures alone.
//!
//! Shapes have one style sheet with names for colours. A page knows the names; some readers of SVG
//! do not, so a picture alone has the sheet with the colours themselves, once for light and once
//! for dark.

use crate::kit::Style;

/// The style of cards, values and ways.
const SHAPES: &str = include_str!("page/shapes.css");

/// Names of colours, light and dark.
const COLOURS: [(&str, &str, &str); 18] = [
    ("ink", "#1c2430", "#e6eaf0"),
    ("paper", "#ffffff", "#14181d"),
    ("soft", "#566170", "#a3afbd"),
    ("edge", "#b9c3cf", "#46515e"),
    ("way", "#66758a", "#8a9bb0"),
    ("card", "#ffffff", "#1b2027"),
    ("leaf", "#f1f5f9", "#232b35"),
    ("chip", "#eef2f7", "#262e38"),
    ("track", "#dde3ea", "#37414d"),
    ("warm", "#fbe3c4", "#5a3d14"),
    ("blue", "#0072b2", "#56b4e9"),
    ("link", "#005c94", "#7cc4f2"),
    ("accent", "#b3430a", "#ff9d5c"),
    ("found", "#ffe28a", "#6b5310"),
    ("blue-tint", "#cfe3f8", "#1d4470"),
    ("red-tint", "#fad4cf", "#6b2a22"),
    ("yellow-tint", "#f7eaa8", "#5c5012"),
    ("green-tint", "#d3efd6", "#1f5530"),
];

/// The style of the frame that pages have in common: colours of the reader's choice, controls,
/// tables, print.
pub(crate) const FRAME: &str = include_str!("page/frame.css");
/// The script behind the choice of colours, of a button called `theme`.
pub(crate) const THEME: &str = include_str!("page/theme.js");

/// The style of a picture alone.
pub(super) fn alone() -> Style {
    let named = |colour: fn(&(&str, &'static str, &'static str)) -> &'static str| {
        COLOURS.iter().fold(SHAPES.to_owned(), |sheet, entry| {
            sheet.replace(&format!("var(--{})", entry.0), colour(entry))
        })
    };
    let (light, dark) = (named(|entry| entry.1), named(|entry| entry.2));
    let dark: String = dark
        .lines()
        .filter(|line| line.contains('#'))
        .map(|line| format!("{line}\n"))
        .collect();
    Style {
        light: light.into(),
        dark: dark.into(),
    }
}

/// The names of colours and the style of shapes, for a page.
pub(crate) fn of_page() -> String {
    let names: String = COLOURS
        .iter()
        .map(|(name, light, dark)| format!("--{name}: light-dark({light}, {dark}); "))
        .collect();
    format!(":root {{ {names}}}\n{SHAPES}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_colour_has_its_name() {
        let Style { light, dark } = alone();
        assert!(!light.contains("var(") && !dark.contains("var("));
        assert!(dark.contains("#14181d") && light.contains("#ffffff"));
        let page = concat!(
            include_str!("page/shapes.css"),
            include_str!("page/frame.css"),
            include_str!("page/trees.css"),
            include_str!("page/page.css"),
            include_str!("../report/page/report.css")
        );
        for used in page.split("var(--").skip(1) {
            let name = used.split(')').next().unwrap_or_default();
            // How many trees stand beside each other is no colour, nor is a share.
            let known = COLOURS.iter().any(|(known, ..)| *known == name)
                || name == "beside, 1"
                || name == "share";
            assert!(known, "{name}");
        }
    }
}
