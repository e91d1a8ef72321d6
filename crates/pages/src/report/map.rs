//! The map of distances: rows in the plane, near ones near each other, coloured by what is to be
//! predicted.

use std::fmt::Write;

use kinwood_learners::Comparison;
use kinwood_learners::Context;
use kinwood_similarity::cluster::scaling::{Scaled, scale};
use kinwood_similarity::matrix::{Condensed, Refused};
use kinwood_similarity::row::RowDistance;
use kinwood_similarity::{Expression, Missing, Registry};
use kinwood_values::View;
use serde_json::{Value as Json, json};

use super::markup::{Cell, details, escape, percent, short, table};
use crate::map_page::colour;
use kinwood_workbench::error::{Error, Result};
use kinwood_workbench::trained::Trained;

const WIDTH: f64 = 720.0;
const MARGIN: f64 = 22.0;
const TALLEST: f64 = 640.0;

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

fn legend(colours: &Colours) -> String {
    let dot = |fill: &str, name: &str| {
        format!(
            "<span><svg width=\"12\" height=\"12\" aria-hidden=\"true\"><circle cx=\"6\" cy=\"6\" r=\"5\" fill=\"{fill}\"/></svg>{}</span>",
            escape(name)
        )
    };
    match colours {
        Colours::None => String::new(),
        Colours::Classes(target, classes) => {
            let named = classes.iter().take(24).enumerate();
            let dots: String = named
                .map(|(class, name)| dot(&colour(class), name))
                .collect();
            let more = match classes.len() > 24 {
                true => format!("<span>+{} more</span>", classes.len() - 24),
                false => String::new(),
            };
            format!(
                "<p class=\"legend\"><b>{}</b>{dots}{more}</p>\n",
                escape(target)
            )
        }
        Colours::Numbers(target, least, greatest) => {
            let ends = [
                (0.0, *least),
                (0.5, (least + greatest) / 2.0),
                (1.0, *greatest),
            ];
            let dots: String = ends
                .iter()
                .map(|(along, number)| dot(&fill(colours, Some(*along)), &short(*number)))
                .collect();
            format!("<p class=\"legend\"><b>{}</b>{dots}</p>\n", escape(target))
        }
    }
}

pub(super) fn section(map: &MapSection, lit: bool) -> String {
    let mut markup = format!(
        "<p>{} rows, placed so that rows near by <code>{}</code> are near each other. The two directions show {} of the spread.</p>\n",
        map.places.len(),
        escape(&super::markup::beginning(&map.distance, 400)),
        percent(map.shown)
    );
    for note in &map.notes {
        markup += &format!("<p class=\"soft-text\">{}</p>\n", escape(note));
    }
    markup += &legend(&map.colours);
    let ends = |axis: usize| {
        let along = map.places.iter().map(|place| place.at[axis]);
        along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
            (low.min(x), high.max(x))
        })
    };
    let ((left, right), (bottom, top)) = (ends(0), ends(1));
    // One scale for both directions: it is the distances that are shown.
    let unit = ((WIDTH - 2.0 * MARGIN) / (right - left).max(f64::MIN_POSITIVE))
        .min((TALLEST - 2.0 * MARGIN) / (top - bottom).max(f64::MIN_POSITIVE));
    let unit = if unit.is_finite() { unit } else { 0.0 };
    let height = ((top - bottom) * unit + 2.0 * MARGIN).max(160.0);
    let (aside, above) = (
        (WIDTH - (right - left) * unit) / 2.0,
        (height - (top - bottom) * unit) / 2.0,
    );
    let (mut points, mut rows) = (String::new(), Vec::new());
    for (number, place) in map.places.iter().enumerate() {
        let (x, y) = (
            aside + (place.at[0] - left) * unit,
            height - above - (place.at[1] - bottom) * unit,
        );
        let said: Vec<Json> = place
            .said
            .iter()
            .map(|(term, text)| json!([term, text]))
            .collect();
        let told: Vec<String> = place
            .said
            .iter()
            .map(|(term, text)| format!("{term} {text}"))
            .collect();
        let (label, name) = (escape(&told.join(", ")), escape(&place.name));
        let look = if place.wrong { "place missed" } else { "place" };
        let explained = place.explained.map_or_else(String::new, |number| {
            format!(" data-explained=\"#explained-{number}\"")
        });
        let stop = if number == 0 { 0 } else { -1 };
        let _ = writeln!(
            points,
            "<circle class=\"{look}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\" fill=\"{}\" tabindex=\"{stop}\" role=\"option\" aria-label=\"{label}\" data-row=\"{name}\" data-said=\"{}\"{explained}><title>{label}</title></circle>",
            fill(&map.colours, place.colour),
            escape(&json!(said).to_string())
        );
        let own = place.said.iter().map(|(_, text)| Cell::text(text));
        rows.push(own.collect::<Vec<Cell>>());
    }
    let lights = if lit {
        ", which lights up its way in the tree"
    } else {
        ""
    };
    let wrong = match map.places.iter().any(|place| place.wrong) {
        true => " A dashed edge marks wrong predictions.",
        false => "",
    };
    let headers: Vec<&str> = map.places.first().map_or_else(Vec::new, |place| {
        place.said.iter().map(|(term, _)| term.as_str()).collect()
    });
    markup += &format!(
        "<div class=\"map\"><figure><svg class=\"places\" viewBox=\"0 0 {WIDTH:.0} {height:.0}\" role=\"listbox\" aria-label=\"Map of rows\">\n{points}</svg>\
         <figcaption>Point at a row or choose it{lights}; on the keyboard, arrows go from one to the next.{wrong}</figcaption></figure>\n\
         <dl class=\"place-said\" id=\"place-said\" aria-live=\"polite\"><dt>Row</dt><dd>none chosen</dd></dl></div>\n{}",
        details(
            "The rows of the map",
            &table("Rows of the map", &headers, &rows)
        )
    );
    markup
}
