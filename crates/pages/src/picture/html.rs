//! Trees as one page to look around in, which needs nothing else. A policy in the page forbids all
//! requests.

use kinwood_learners::drawing::Drawing;
use maud::html;

use super::rows::RowDrawn;
use super::style;
use super::svg::title;
use super::viewer::{STYLE, viewer};
use crate::kit::{Script, Shell};

/// Draws the page; `rows` are those whose way can be shown.
pub fn html(drawing: &Drawing, rows: &[RowDrawn]) -> String {
    let viewer = viewer(drawing, rows, 2);
    let title = title(drawing);
    let body = html! {
        header {
            div {
                h1 { (title) } "\n"
                @for note in &drawing.notes { p class="notes" { (note) } "\n" }
            }
            button id="theme" type="button" { "Colours: auto" }
        } "\n"
        main { "\n" (viewer.markup) } "\n"
    };
    let mut scripts = viewer.scripts;
    scripts.push(Script::Program(style::THEME));
    Shell {
        title: &title,
        style: &[
            &style::of_page(),
            style::FRAME,
            STYLE,
            include_str!("page/page.css"),
        ],
        body,
        scripts: &scripts,
        ..Shell::default()
    }
    .written()
}
