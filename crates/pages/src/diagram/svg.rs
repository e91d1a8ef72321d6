//! The drawing as SVG: boxes, marks, connectors with a bar at the one row and a foot at the many.

use maud::{Markup, html};

use super::geometry::{
    Connector, FOOT, HEAD, LINE, MARGIN, MARK, NAME_SIZE, PADDING, Place, SMALL_SIZE, TITLE_SIZE,
    WIDEST_NAME, WIDEST_TYPE,
};
use super::layout::{Layout, marks};
use super::schema::{Line, Reference, Schema, TableBox};
use crate::kit::plot::{STYLE, path, text};
use crate::kit::{Drawing, Style, width};

/// Wide tables show so many columns.
pub(super) const MOST_LINES: usize = 16;

/// The style beyond that of all drawings.
const OWN: Style = Style::new(
    ".box { fill: #ffffff; stroke: #b9c3cf }
.head { fill: #eef2f7 }
.wanted { fill: #dff1e6 }
.rule { stroke: #b9c3cf }
.way { fill: none; stroke: #56667a; stroke-width: 1.4 }
.key { fill: #fbeecb } .key-text { fill: #7a5200; font-weight: 600 }
.foreign { fill: #e1ecfb } .foreign-text { fill: #1a559e; font-weight: 600 }
.target { fill: #dff1e6 } .target-text { fill: #1f6b45; font-weight: 600 }
",
    ".box { fill: #1b2027; stroke: #46515e }
.head { fill: #262e38 }
.wanted { fill: #1d3a2c }
.rule { stroke: #46515e }
.way { stroke: #93a4b8 }
.key { fill: #463710 } .key-text { fill: #f2cf72 }
.foreign { fill: #18365c } .foreign-text { fill: #9cc6fa }
.target { fill: #1d3a2c } .target-text { fill: #86d8ac }
",
);

/// What the marks mean, below the drawing.
const LEGEND: &str = "PK primary key · FK refers to a row · bar: one · foot: many";
const LEGEND_ROOM: f64 = 26.0;

/// Draws a schema.
pub(super) fn draw(schema: &Schema) -> Drawing {
    let layout = Layout::of(schema);
    let least = width::of(LEGEND, SMALL_SIZE) + 2.0 * MARGIN;
    let height = layout.height + LEGEND_ROOM;
    let names = schema.tables.iter().map(|table| table.name.as_str());
    let body = html! {
        @for connector in &layout.connectors { (draw_connector(schema, connector)) }
        @for (table, place) in schema.tables.iter().zip(&layout.places) {
            (draw_table(table, place))
        }
        (text("soft", SMALL_SIZE, (MARGIN, height - MARGIN * 0.7), "start", LEGEND))
    };
    Drawing {
        title: format!("Tables: {}", names.collect::<Vec<_>>().join(", ")),
        style: STYLE.with(&OWN),
        body,
        size: (layout.width.max(least), height),
    }
}

/// A word on a rounded ground.
fn mark(class: &str, (x, y): (f64, f64), width: f64, word: &str) -> Markup {
    let place = (x + width / 2.0, y + 3.4);
    html! {
        rect class=(class) x=(x) y=(y - 7.5) width=(width) height="15" rx="4" {} "\n"
        (text(&format!("{class}-text"), 9.5, place, "middle", word))
    }
}

fn draw_table(table: &TableBox, place: &Place) -> Markup {
    let Place {
        x,
        y,
        width,
        height,
    } = *place;
    let title = width::cut(&table.name, TITLE_SIZE * 1.08, width - 2.0 * PADDING);
    let marks = marks(table) as f64 * MARK;
    let more = format!("… {} more", kinwood_values::keys::count(table.more));
    let below = y + height - FOOT - LINE / 2.0 + 4.5;
    html! {
        g {
            title { (table.name) } "\n"
            rect class="box" x=(x) y=(y) width=(width) height=(height) rx="7" {} "\n"
            (head(table, place))
            (text("title", TITLE_SIZE, (x + PADDING, y + 20.0), "start", &title))
            (text("soft", SMALL_SIZE, (x + PADDING, y + 37.0), "start", &table.size))
            @for (position, line) in table.lines.iter().enumerate() {
                (draw_line(line, marks, place, y + HEAD + (position as f64 + 0.5) * LINE))
            }
            @if table.more > 0 {
                (text("soft", SMALL_SIZE, (x + PADDING + marks, below), "start", &more))
            }
        } "\n"
    }
}

/// The ground of a table's name, rounded above.
fn head(table: &TableBox, place: &Place) -> Markup {
    let (x, y, width) = (place.x, place.y, place.width);
    let class = if table.target { "head wanted" } else { "head" };
    let (left, top, right, bottom) = (x + 0.5, y + 0.5, x + width - 0.5, y + (HEAD - 9.0));
    let (down, from, to, end) = (top + 6.5, left + 6.5, right - 6.5, x + width);
    html! {
        (path(class, format_args!("M{left} {bottom} V{down} Q{left} {top} {from} {top} H{to} Q{right} {top} {right} {down} V{bottom} Z")))
        (path("rule", format_args!("M{x} {bottom} H{end}")))
    }
}

fn draw_line(line: &Line, marks: f64, place: &Place, middle: f64) -> Markup {
    let left = place.x + PADDING;
    let keys = [("key", "PK", line.key), ("foreign", "FK", line.foreign)];
    let keys = keys.into_iter().filter(|(.., there)| *there);
    let baseline = middle + 4.5;
    let name = width::cut(&line.name, NAME_SIZE, WIDEST_NAME);
    let of = width::cut(&line.of, SMALL_SIZE, WIDEST_TYPE);
    let right = place.x + place.width - PADDING;
    let (role, taken) = match line.role {
        Some("target") => {
            let width = width::of("target", 9.5) + 12.0;
            let target = mark("target", (right - width, middle), width, "target");
            (target, width + 8.0)
        }
        Some(role) => (
            text("soft", SMALL_SIZE, (right, baseline), "end", role),
            width::of(role, SMALL_SIZE) + 8.0,
        ),
        None => (Markup::default(), 0.0),
    };
    html! {
        @for (position, (class, word, _)) in keys.enumerate() {
            (mark(class, (left + position as f64 * MARK, middle), MARK - 5.0, word))
        }
        (text("name", NAME_SIZE, (left + marks, baseline), "start", &name))
        (role)
        (text("soft", SMALL_SIZE, (right - taken, baseline), "end", &of))
    }
}

fn draw_connector(schema: &Schema, connector: &Connector) -> Markup {
    let reference = &schema.references[connector.reference];
    let corners = &connector.corners;
    let outward = |from: (f64, f64), position: usize| {
        let beside = corners.get(position).copied().unwrap_or(from);
        if beside.0 < from.0 { -1.0 } else { 1.0 }
    };
    html! {
        g {
            title { (explained(schema, reference)) } "\n"
            (path("way", format_args!("{}", rounded(corners))))
            @if let (Some(&start), Some(&end)) = (corners.first(), corners.last()) {
                @if reference.one_to_one {
                    (bar(start, outward(start, 1)))
                } @else {
                    (foot(start, outward(start, 1)))
                }
                (bar(end, outward(end, corners.len().saturating_sub(2))))
            }
        } "\n"
    }
}

fn bar((x, y): (f64, f64), side: f64) -> Markup {
    let (x, top, bottom) = (x + 7.0 * side, y - 5.0, y + 5.0);
    path("way", format_args!("M{x} {top} V{bottom}"))
}

fn foot((x, y): (f64, f64), side: f64) -> Markup {
    let (tip, up, down) = (x + 11.0 * side, y - 5.0, y + 5.0);
    path("way", format_args!("M{x} {up} L{tip} {y} L{x} {down}"))
}

fn explained(schema: &Schema, reference: &Reference) -> String {
    format!(
        "{} ({}) refers to {} ({}): {}",
        schema.tables[reference.from].name,
        reference.from_columns.join(", "),
        schema.tables[reference.to].name,
        reference.to_columns.join(", "),
        reference.cardinality,
    )
}

/// A way along corners that are rounded off.
pub(super) fn rounded(corners: &[(f64, f64)]) -> String {
    let mut path = String::new();
    for (position, &(x, y)) in corners.iter().enumerate() {
        let beside = |other: Option<&(f64, f64)>| -> Option<(f64, f64)> {
            let &(to_x, to_y) = other?;
            let length = (to_x - x).abs() + (to_y - y).abs();
            let share = (length / 2.0).min(7.0) / length.max(f64::MIN_POSITIVE);
            Some((x + (to_x - x) * share, y + (to_y - y) * share))
        };
        let before = position
            .checked_sub(1)
            .and_then(|before| beside(corners.get(before)));
        let step = match (before, beside(corners.get(position + 1))) {
            (None, _) => format!("M{x} {y}"),
            (_, None) => format!(" L{x} {y}"),
            (Some((ax, ay)), Some((bx, by))) => format!(" L{ax} {ay} Q{x} {y} {bx} {by}"),
        };
        path.push_str(&step);
    }
    path
}
