//! The map of distances: rows in the plane, near ones near each other, coloured by what is to be
//! predicted.

use kinwood_learners::Comparison;
use kinwood_learners::Context;
use kinwood_similarity::cluster::scaling::{Scaled, scale};
use kinwood_similarity::matrix::{Condensed, Refused};
use kinwood_similarity::row::RowDistance;
use kinwood_similarity::{Expression, Missing, Registry};
use kinwood_values::View;
use maud::{Markup, html};
use serde_json::json;

use super::markup::{Cell, beginning, details, notes, percent, short, table};
use crate::kit::number::Tenth;
use crate::kit::plot::{Plane, Room, colour, legend, swatch};
use kinwood_workbench::error::{Error, Result};
use kinwood_workbench::trained::Trained;

const ROOM: Room = Room {
    width: 720.0,
    heights: (640.0, 160.0),
    margin: 22.0,
};
/// How many classes the legend names.
const NAMED: usize = 24;

/// Rows in the plane.
#[derive(Clone, Debug, Default)]
pub struct MapSection {
    /// What should be known of it, a sentence each.
    pub notes: Vec<String>,
    /// The distance, as an expression.
    pub distance: String,
    /// The share of the spread that the plane shows.
    pub shown: f64,
    /// What the colours are of.
    pub colours: Colours,
    /// The rows.
    pub places: Vec<Place>,
}

/// What colours stand for.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Colours {
    /// Nothing.
    #[default]
    None,
    /// The classes of a target.
    Classes(String, Vec<String>),
    /// The numbers of a target, from the least to the greatest.
    Numbers(String, f64, f64),
}

/// A row on the map.
#[derive(Clone, Debug, Default)]
pub struct Place {
    /// What it is called.
    pub name: String,
    /// Where it stands.
    pub at: [f64; 2],
    /// Its class, or its number between the least (0) and the greatest (1).
    pub colour: Option<f64>,
    /// What is said when it is chosen.
    pub said: Vec<(String, String)>,
    /// Whether its prediction is wrong.
    pub wrong: bool,
    /// The number of its explanation, from 1.
    pub explained: Option<usize>,
}

/// The distances to try, best first, with how many keys away rows are compared: the model's own,
/// that of its settings, the default.
fn candidates(trained: &Trained) -> Vec<(Expression, usize, bool)> {
    let (distance, kernel) = match trained.model().facts().compares {
        Some(Comparison::Distance(expression)) => (Some(expression), None),
        Some(Comparison::Kernel(expression)) => (None, Some(expression)),
        None => (None, None),
    };
    let setting = |name: &str| {
        trained
            .settings()
            .iter()
            .find(|(own, _)| own == name)
            .map(|(_, value)| value.as_str())
    };
    let depth = setting("depth")
        .and_then(|depth| depth.parse().ok())
        .unwrap_or(0);
    let parsed = |text: Option<&str>| text.and_then(|text| text.parse::<Expression>().ok());
    let distances = [distance, setting("distance").map(str::to_owned)];
    let kernels = [kernel, setting("kernel").map(str::to_owned)];
    // Trees compare values of columns, not rows.
    let own = trained.model().drawing().is_none();
    let distances = distances
        .into_iter()
        .filter_map(|text| parsed(text.as_deref()));
    let kernels = kernels
        .into_iter()
        .filter_map(|text| parsed(text.as_deref()));
    let kernels = kernels.map(|kernel| Expression::new("induced").part(kernel));
    let mut all: Vec<(Expression, usize, bool)> = distances
        .chain(kernels)
        .filter(|_| own)
        .map(|of| (of, depth, true))
        .collect();
    all.push((Expression::new("euclidean"), 1, false));
    all.push((Expression::new("euclidean"), 0, false));
    all
}

/// Places rows, whose targets are hidden, by the distance of a model if it has one between rows;
/// the distance, and whether it is the model's.
pub(super) fn placed(
    trained: &Trained,
    hidden: &View,
    context: &Context,
) -> Result<Option<(Scaled, String, bool)>> {
    for (expression, depth, own) in candidates(trained) {
        if let Some((scaled, distance)) = by(hidden, expression, depth, context)? {
            return Ok(Some((scaled, distance, own)));
        }
    }
    Ok(None)
}

/// Places rows by a distance; `None` where it cannot compare them.
fn by(
    hidden: &View,
    expression: Expression,
    depth: usize,
    context: &Context,
) -> Result<Option<(Scaled, String)>> {
    let declared = RowDistance {
        expression,
        missing: Missing::default(),
        depth,
    };
    let fitted = match declared.fit(hidden, Registry::known()) {
        Ok(fitted) => fitted,
        Err(_) => return Ok(None),
    };
    let rows = fitted.rows(hidden).map_err(Error::from)?;
    let Ok(pairs) = fitted.distance().bind_real(&rows, &rows, "a map") else {
        return Ok(None);
    };
    let count = rows.len() as u64;
    let running = context.progress("comparing rows", count * count.saturating_sub(1) / 2);
    let advance = |pairs: u64| {
        running.advance(pairs);
        context.check().is_ok()
    };
    let condensed = context.install(|| Condensed::of(&*pairs, &advance));
    context.check()?;
    match condensed {
        Ok(matrix) => {
            let scaled = context.install(|| scale(&matrix));
            let places = scaled
                .points
                .iter()
                .flatten()
                .all(|number| number.is_finite());
            Ok(places.then(|| (scaled, fitted.distance().expression().to_string())))
        }
        Err(Refused::Stopped) => Err(Error::MatrixFile(Refused::Stopped.to_string())),
        Err(_) => Ok(None),
    }
}

/// The colour of a place; numbers go from blue over grey to orange, which people with colour
/// blindness can tell apart.
fn fill(colours: &Colours, of: Option<f64>) -> String {
    match (colours, of) {
        (Colours::Classes(..), Some(class)) => colour(class as usize),
        (Colours::Numbers(..), Some(along)) => {
            let along = along.clamp(0.0, 1.0);
            let mix = |from: f64, middle: f64, to: f64| match along < 0.5 {
                true => from + (middle - from) * along * 2.0,
                false => middle + (to - middle) * (along * 2.0 - 1.0),
            };
            format!(
                "rgb({:.0},{:.0},{:.0})",
                mix(0.0, 160.0, 213.0),
                mix(114.0, 160.0, 94.0),
                mix(178.0, 160.0, 0.0)
            )
        }
        _ => "#888".to_owned(),
    }
}

/// What the colours stand for.
fn key(colours: &Colours) -> Markup {
    let (target, entries, more) = match colours {
        Colours::None => return Markup::default(),
        Colours::Classes(target, classes) => {
            let named = classes.iter().take(NAMED).enumerate();
            let entries = named.map(|(class, name)| (swatch(&colour(class)), name.clone()));
            let more = classes.len().saturating_sub(NAMED);
            (target, entries.collect::<Vec<_>>(), more)
        }
        Colours::Numbers(target, least, greatest) => {
            let ends = [
                (0.0, *least),
                (0.5, (least + greatest) / 2.0),
                (1.0, *greatest),
            ];
            let entry = |(along, number)| (swatch(&fill(colours, Some(along))), short(number));
            (target, ends.map(entry).to_vec(), 0)
        }
    };
    html! { (legend(target, &entries, more)) "\n" }
}

pub(super) fn section(map: &MapSection, lit: bool) -> Markup {
    let wrong = map.places.iter().any(|place| place.wrong);
    html! {
        p {
            (map.places.len()) " rows, placed so that rows near by "
            code { (beginning(&map.distance, 400)) }
            " are near each other. The two directions show " (percent(map.shown))
            " of the spread."
        } "\n"
        (notes("soft-text", &map.notes))
        (key(&map.colours))
        div class="map" {
            figure {
                (points(map))
                figcaption {
                    "Point at a row or choose it"
                    @if lit { ", which lights up its way in the tree" }
                    "; on the keyboard, arrows go from one to the next."
                    @if wrong { " A dashed edge marks wrong predictions." }
                }
            } "\n"
            dl class="place-said" id="place-said" aria-live="polite" {
                dt { "Row" } dd { "none chosen" }
            }
        } "\n"
        (details("The rows of the map", rows(map)))
    }
}

fn points(map: &MapSection) -> Markup {
    let plane = Plane::around(map.places.iter().map(|place| place.at), &ROOM);
    let view = format!("0 0 {:.0} {:.0}", ROOM.width, plane.height);
    html! {
        svg class="places" viewBox=(view) role="listbox" aria-label="Map of rows" { "\n"
            @for (number, place) in map.places.iter().enumerate() {
                (point(place, plane.at(place.at), &map.colours, number == 0)) "\n"
            }
        }
    }
}

fn point(place: &Place, (x, y): (f64, f64), colours: &Colours, first: bool) -> Markup {
    let told = place
        .said
        .iter()
        .map(|(term, text)| format!("{term} {text}"));
    let label = told.collect::<Vec<_>>().join(", ");
    let look = if place.wrong { "place missed" } else { "place" };
    let explained = place.explained.map(|number| format!("#explained-{number}"));
    html! {
        circle class=(look) cx=(Tenth(x)) cy=(Tenth(y)) r="5" fill=(fill(colours, place.colour))
            tabindex=(if first { "0" } else { "-1" }) role="option" aria-label=(label)
            data-row=(place.name) data-said=(json!(place.said)) data-explained=[explained] {
            title { (label) }
        }
    }
}

fn rows(map: &MapSection) -> Markup {
    let cells = |place: &Place| {
        let own = place.said.iter().map(|(_, text)| Cell::text(text));
        own.collect::<Vec<Cell>>()
    };
    let rows: Vec<Vec<Cell>> = map.places.iter().map(cells).collect();
    let headers: Vec<&str> = map.places.first().map_or_else(Vec::new, |place| {
        place.said.iter().map(|(term, _)| term.as_str()).collect()
    });
    table("Rows of the map", &headers, &rows)
}
