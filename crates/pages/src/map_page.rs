//! A map of objects: one self-contained HTML page, coloured by class, with each object behind its
//! point.
//!
//! No script is fetched and none is needed to see the picture; a few lines of it show an object on
//! hover, by keyboard or by search.

use kinwood_similarity::cluster::scaling::Scaled;
use maud::{Markup, html};
use serde_json::json;

use crate::kit::number::{Tenth, whole};
use crate::kit::plot::{Plane, Room, colour, legend, swatch};
use crate::kit::{Drawing, Script, Shell, Style};

/// The characters of an object that a tooltip shows.
const TOOLTIP: usize = 160;

/// What the page shows.
pub struct Map<'a> {
    /// What the objects are of.
    pub title: &'a str,
    /// The distance they were placed by.
    pub distance: &'a str,
    /// Their places.
    pub scaled: &'a Scaled,
    /// Their names.
    pub names: &'a [String],
    /// Each in a line.
    pub objects: &'a [String],
    /// The column that colours them, and the label of each.
    pub classes: Option<(&'a str, &'a [Option<String>])>,
}

const ROOM: Room = Room {
    width: 720.0,
    heights: (720.0, 200.0),
    margin: 30.0,
};

/// Draws the page.
pub fn html(map: &Map<'_>) -> String {
    let (labels, class_of) = classes(map);
    let each = map.names.iter().zip(map.objects).zip(&class_of);
    let objects = each.map(|((name, object), class)| {
        let label = class.map(|class| labels[class]);
        json!([name, object, label])
    });
    let scripts = [
        Script::Data("data", objects.collect()),
        Script::Program(include_str!("map_page/map.js")),
    ];
    let shown = (map.scaled.shown * 100.0).round();
    let entries = labels.iter().enumerate();
    let entries = entries.map(|(class, label)| (swatch(&colour(class)), (*label).to_owned()));
    let entries: Vec<(Markup, String)> = entries.collect();
    let body = html! {
        h1 { "Map of " (map.title) } "\n"
        p {
            (map.names.len()) " objects, placed so that near points are near by "
            code { (map.distance) }
            ". The two directions show " (shown) " % of the spread."
        } "\n"
        @if let Some((column, _)) = map.classes { (legend(column, &entries, 0)) "\n" }
        div class="classes" {
            button id="nearer" type="button" aria-label="Zoom in" { "+" }
            button id="farther" type="button" aria-label="Zoom out" { "−" }
            @for (class, label) in labels.iter().enumerate() {
                button type="button" aria-pressed="true" data-class=(class) {
                    (swatch(&colour(class))) " " (label)
                }
            }
            span class="hint" { "Wheel zooms, drag moves, double click shows all." }
        } "\n"
        div class="view" { "\n"
            (points(map, &class_of)) "\n"
            aside { "\n"
                p { label { "Find " input id="find" type="search" placeholder="name, class or content"; } } "\n"
                dl id="object" aria-live="polite" {
                    dt { "Object" } dd { "Point at one, or reach it with the Tab key." }
                } "\n"
            } "\n"
        } "\n"
    };
    Shell {
        title: &format!("Map of {}", map.title),
        style: &[include_str!("map_page/map.css")],
        body,
        scripts: &scripts,
        ..Shell::default()
    }
    .written()
}

/// The labels that colour the objects, in the order of the objects, and the place of each object's
/// among them.
fn classes<'a>(map: &Map<'a>) -> (Vec<&'a str>, Vec<Option<usize>>) {
    let mut labels: Vec<&str> = Vec::new();
    let mut class_of = vec![None; map.names.len()];
    for (position, class) in map.classes.iter().flat_map(|(_, of)| of.iter().enumerate()) {
        class_of[position] = class.as_deref().map(|label| {
            let known = labels.iter().position(|&other| other == label);
            known.unwrap_or_else(|| {
                labels.push(label);
                labels.len() - 1
            })
        });
    }
    (labels, class_of)
}

fn points(map: &Map<'_>, class_of: &[Option<usize>]) -> Markup {
    let places = map.scaled.points.iter();
    let plane = Plane::around(places.clone().copied(), &ROOM);
    let view = format!("0 0 {:.0} {:.0}", ROOM.width, plane.height);
    html! {
        svg class="map" viewBox=(view) role="group" aria-label="Map" { "\n"
            @for (position, point) in places.enumerate() {
                @let (x, y) = plane.at(*point);
                @let fill = class_of[position].map_or_else(|| "#888".to_owned(), colour);
                @let name = &map.names[position];
                circle cx=(Tenth(x)) cy=(Tenth(y)) r="5" fill=(fill) tabindex="0" role="img"
                    aria-label=(name) data-i=(position) data-class=[class_of[position]] {
                    title { (tooltip(map, position)) }
                } "\n"
            }
        }
    }
}

/// The name of an object, its class and the start of what it is.
fn tooltip(map: &Map<'_>, position: usize) -> String {
    let class = map.classes.and_then(|(_, of)| of[position].clone());
    let object: String = map.objects[position].chars().take(TOOLTIP).collect();
    let parts = [Some(map.names[position].clone()), class, Some(object)];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    parts.join("\n")
}

const STYLE: Style = Style::new(
    "
svg{color:#1a1a1a;font:12px system-ui,sans-serif} .page{fill:#fff}
text{fill:currentColor} circle{stroke:#fff;stroke-width:1}
",
    "svg{color:#e6e6e6} .page{fill:#16181d} circle{stroke:#16181d}\n",
);

/// Draws the map as a picture.
pub fn svg(map: &Map<'_>) -> Drawing {
    let (labels, class_of) = classes(map);
    let places = map.scaled.points.iter();
    let plane = Plane::around(places.clone().copied(), &ROOM);
    let row = |class: usize| plane.height + 18.0 * class as f64;
    let body = html! {
        @for (position, point) in places.enumerate() {
            @let (x, y) = plane.at(*point);
            @let fill = class_of[position].map_or_else(|| "#888".to_owned(), colour);
            circle cx=(Tenth(x)) cy=(Tenth(y)) r="5" fill=(fill) {
                title { (tooltip(map, position)) }
            } "\n"
        }
        @for (class, label) in labels.iter().enumerate() {
            circle cx=(Tenth(ROOM.margin)) cy=(Tenth(row(class))) r="5" fill=(colour(class)) {}
            text x=(Tenth(ROOM.margin + 12.0)) y=(Tenth(row(class) + 4.0)) { (label) } "\n"
        }
    };
    Drawing {
        title: format!("Map of {}", map.title),
        style: STYLE,
        body,
        size: whole(ROOM.width, row(labels.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_object_has_a_point_and_nothing_escapes() {
        let scaled = Scaled {
            points: vec![[0.0, 0.0], [1.0, 0.5]],
            shown: 0.75,
        };
        let names = ["a".to_owned(), "</script>".to_owned()];
        let objects = ["{1, 2}".to_owned(), "<b>".to_owned()];
        let classes = [Some("x & y".to_owned()), None];
        let page = html(&Map {
            title: "t",
            distance: "hausdorff(absolute)",
            scaled: &scaled,
            names: &names,
            objects: &objects,
            classes: Some(("kind", &classes)),
        });
        assert_eq!(page.matches("data-i=").count(), 2);
        assert_eq!(page.matches("</script>").count(), 2);
        assert!(page.contains("x &amp; y") && page.contains("show 75 %"));
        assert!(!page.contains("http:") && !page.contains("https:"));
    }
}
