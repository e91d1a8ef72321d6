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

use maud::{Markup, html as markup};

use crate::kit::{Embedded, Script, Shell};
use crate::picture::{style, viewer};

/// What a report shows: whatever there is of it.
#[derive(Clone, Debug, Default)]
pub struct Report<'a> {
    /// What it is called.
    pub title: String,
    /// What should be known before reading, a sentence each.
    pub notes: Vec<String>,
    /// The answer: how good it is and beside what, a sentence each.
    pub answer: Vec<String>,
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
    markup: Markup,
}

impl Part {
    fn section(&self) -> Markup {
        let heading = format!("heading-{}", self.id);
        markup! {
            section id=(format_args!("the-{}", self.id)) aria-labelledby=(heading) { "\n"
                h2 id=(heading) { (self.name) } "\n"
                (self.markup)
            } "\n"
        }
    }
}

/// The page in its parts.
#[derive(Default)]
struct Parts {
    parts: Vec<Part>,
    drawings: Embedded,
    /// What runs at the end of the page.
    scripts: Vec<Script>,
}

impl Parts {
    /// One more part, unless it has nothing to say.
    fn add(&mut self, id: &'static str, name: &'static str, markup: Markup) {
        if !markup.0.is_empty() {
            self.parts.push(Part { id, name, markup });
        }
    }
}

impl Report<'_> {
    /// The names of the sections that the page has, in their order.
    pub fn sections(&self) -> Vec<&'static str> {
        let parts = self.parts().parts;
        parts.iter().map(|part| part.id).collect()
    }

    fn parts(&self) -> Parts {
        let mut parts = Parts::default();
        let lit = self
            .model
            .as_ref()
            .is_some_and(|model| !model.rows.is_empty());
        let answer = markup! {
            @for sentence in &self.answer { p class="answer" { (sentence) } "\n" }
        };
        parts.add("answer", "Answer", answer);
        if let Some(model) = &self.model {
            let (model, scripts) = model::section(model);
            parts.scripts = scripts;
            parts.add("model", "Model", model);
        }
        let evaluations = self.evaluations(&mut parts.drawings);
        parts.add("performance", "Performance", evaluations);
        if let Some(map) = &self.map {
            parts.add("map", "Map of distances", map::section(map, lit));
        }
        if let Some(explained) = &self.predictions {
            let explained = predictions::section(explained, lit);
            parts.add("predictions", "Predictions", explained);
        }
        let data = markup! {
            @for section in &self.data { (data::section(section, &mut parts.drawings)) }
        };
        parts.add("data", "Data", data);
        if let Some(overview) = &self.overview {
            parts.add("overview", "How it was made", overview::section(overview));
        }
        parts
    }

    /// Evaluations, after the drawings and tables about all of them.
    fn evaluations(&self, drawings: &mut Embedded) -> Markup {
        let several = self.performance.len() > 1;
        markup! {
            @for figure in &self.figures { (markup::drawn(figure, drawings)) }
            @for (place, table) in self.tables.iter().enumerate() {
                (performance::shown(place + 1, table))
            }
            @if several { (performance::listed(&self.performance)) }
            @for (place, section) in self.performance.iter().enumerate() {
                @let shown = performance::section(place + 1, section, several);
                // One is the report; of several, whoever wants to know opens it.
                @if several { (markup::details(&section.title, shown)) } @else { (shown) }
            }
        }
    }
}

/// Writes the page.
pub fn html(report: &Report<'_>) -> String {
    let Parts {
        parts,
        drawings,
        mut scripts,
    } = report.parts();
    let own = [style::THEME, include_str!("report/page/report.js")];
    scripts.extend(own.map(Script::Program));
    let body = markup! {
        a class="skip" href="#content" { "Skip to the content" } "\n"
        header class="head" {
            h1 { (report.title) }
            button id="theme" type="button" { "Colours: auto" }
        } "\n"
        nav aria-label="Contents" {
            ul { "\n"
                @for part in &parts {
                    li { a href=(format_args!("#the-{}", part.id)) { (part.name) } } "\n"
                }
            }
        } "\n"
        main id="content" tabindex="-1" { "\n"
            (markup::notes("note", &report.notes))
            @for part in &parts { (part.section()) }
        } "\n"
    };
    Shell {
        title: &report.title,
        style: &[
            &style::of_page(),
            style::FRAME,
            viewer::STYLE,
            include_str!("report/page/report.css"),
        ],
        drawings,
        body,
        scripts: &scripts,
    }
    .written()
}
