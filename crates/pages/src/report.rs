//! Reports: data, model, performance, distances and chosen predictions as one page that opens
//! anywhere and needs nothing else.
//!
//! Text, tables and charts are there without any script; scripts let trees be looked around in,
//! light up the way of a row, copy commands and choose colours. A policy in the page forbids all
//! requests. The same report is the same text, byte by byte.
//!
//! [`of_model`] gathers a report of a model; [`html()`] writes any.

mod curves;
mod data;
mod explained;
mod map;
mod markup;
mod model;
mod of_model;
mod overview;
mod performance;
mod plot;
mod predictions;
mod stored;
#[cfg(test)]
mod tests;

pub use data::DataSection;
pub use map::{Colours, MapSection, Place};
pub use markup::{Figure, TableShown};
pub use model::ModelSection;
pub use of_model::{Asked, Rows, of_model};
pub use overview::Overview;
pub use performance::PerformanceSection;
pub use predictions::{Answer, PredictionsSection, RowExplained};

use crate::picture::{style, viewer};
use markup::escape;

/// What a report shows: whatever there is of it.
#[derive(Clone, Debug, Default)]
pub struct Report<'a> {
    /// What it is called.
    pub title: String,
    /// What should be known before reading, a sentence each.
    pub notes: Vec<String>,
    /// What the model is and how to make it again.
    pub overview: Option<Overview>,
    /// The data.
    pub data: Vec<DataSection>,
    /// The model.
    pub model: Option<ModelSection>,
    /// Evaluations.
    pub performance: Vec<PerformanceSection<'a>>,
    /// Tables about several evaluations.
    pub tables: Vec<TableShown>,
    /// Drawings about several evaluations.
    pub figures: Vec<Figure>,
    /// The map of distances.
    pub map: Option<MapSection>,
    /// How chosen predictions came about.
    pub predictions: Option<PredictionsSection>,
}

/// A part of the page with a heading.
struct Part {
    id: &'static str,
    name: &'static str,
    markup: String,
}

impl Report<'_> {
    /// The names of the sections that the page has, in their order.
    pub fn sections(&self) -> Vec<&'static str> {
        let (parts, _) = self.parts();
        parts.iter().map(|part| part.id).collect()
    }

    /// The sections, and what runs at the end of the page.
    fn parts(&self) -> (Vec<Part>, String) {
        let mut parts = Vec::new();
        let mut part = |id, name, markup: String| {
            if !markup.is_empty() {
                parts.push(Part { id, name, markup });
            }
        };
        let lit = self
            .model
            .as_ref()
            .is_some_and(|model| !model.rows.is_empty());
        part(
            "overview",
            "Overview",
            self.overview
                .as_ref()
                .map_or_else(String::new, overview::section),
        );
        let data = self.data.iter().enumerate();
        let data: String = data
            .map(|(number, section)| data::section(section, number))
            .collect();
        part("data", "Data", data);
        let (model, scripts) = self
            .model
            .as_ref()
            .map_or_else(Default::default, model::section);
        part("model", "Model", model);
        part("performance", "Performance", self.evaluations());
        part(
            "map",
            "Map of distances",
            self.map
                .as_ref()
                .map_or_else(String::new, |map| map::section(map, lit)),
        );
        let explained = self.predictions.as_ref();
        part(
            "predictions",
            "Predictions",
            explained.map_or_else(String::new, |section| predictions::section(section, lit)),
        );
        (parts, scripts)
    }

    /// Evaluations with the tables and drawings about all of them first.
    fn evaluations(&self) -> String {
        let several = self.performance.len() > 1;
        let mut markup = match several {
            true => performance::listed(&self.performance),
            false => String::new(),
        };
        for (place, table) in self.tables.iter().enumerate() {
            markup += &performance::shown(place + 1, table);
        }
        for (place, figure) in self.figures.iter().enumerate() {
            markup += &markup::drawn(self.data.len() + place, figure);
        }
        for (place, section) in self.performance.iter().enumerate() {
            markup += &performance::section(place + 1, section, several);
        }
        markup
    }
}

/// Writes the page.
pub fn html(report: &Report<'_>) -> String {
    let (parts, scripts) = report.parts();
    let title = escape(&report.title);
    let notes: String = report
        .notes
        .iter()
        .map(|note| format!("<p class=\"note\">{}</p>\n", escape(note)))
        .collect();
    let contents: String = parts
        .iter()
        .map(|part| format!("<li><a href=\"#the-{}\">{}</a></li>\n", part.id, part.name))
        .collect();
    let sections: String = parts
        .iter()
        .map(|part| {
            format!(
                "<section id=\"the-{0}\" aria-labelledby=\"heading-{0}\">\n<h2 id=\"heading-{0}\">{1}</h2>\n{2}</section>\n",
                part.id, part.name, part.markup
            )
        })
        .collect();
    let (shapes, frame, trees) = (style::of_page(), style::FRAME, viewer::STYLE);
    let own = include_str!("report/page/report.css");
    let (theme, script) = (style::THEME, include_str!("report/page/report.js"));
    format!(
        r##"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{shapes}{frame}{trees}{own}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="head"><h1>{title}</h1><button id="theme" type="button">Colours: auto</button></header>
<nav aria-label="Contents"><ul>
{contents}</ul></nav>
<main id="content" tabindex="-1">
{notes}{sections}</main>
{scripts}<script>
{theme}{script}</script>
</body>
</html>
"##
    )
}
