//! Trees as one page to look around in, which needs nothing else. A policy in the page forbids all
//! requests.

use kinwood_learners::drawing::Drawing;

use super::rows::RowDrawn;
use super::style;
use super::svg::title;
use super::viewer::{STYLE, viewer};
use crate::diagram::escape;

/// Draws the page; `rows` are those whose way can be shown.
pub fn html(drawing: &Drawing, rows: &[RowDrawn]) -> String {
    let viewer = viewer(drawing, rows, 2);
    let notes: String = drawing
        .notes
        .iter()
        .map(|note| format!("<p class=\"notes\">{}</p>\n", escape(note)))
        .collect();
    let title = escape(&title(drawing));
    let (shapes, frame) = (style::of_page(), style::FRAME);
    let style = include_str!("page/page.css");
    let (markup, scripts, theme) = (viewer.markup, viewer.scripts, style::THEME);
    format!(
        r##"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{shapes}{frame}{STYLE}{style}</style>
</head>
<body>
<header><div><h1>{title}</h1>
{notes}</div><button id="theme" type="button">Colours: auto</button></header>
<main>
{markup}</main>
{scripts}<script>
{theme}</script>
</body>
</html>
"##
    )
}
