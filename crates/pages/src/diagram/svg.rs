//! The drawing as SVG: boxes, marks, connectors with a bar at the one row and a foot at the many.

use std::fmt::Write;

use super::geometry::{
    Connector, FOOT, HEAD, LINE, MARGIN, MARK, NAME_SIZE, PADDING, Place, SMALL_SIZE, TITLE_SIZE,
    WIDEST_NAME, WIDEST_TYPE,
};
use super::layout::{Layout, marks};
use super::schema::{Line, Reference, Schema, TableBox};
use super::width;

/// Wide tables show so many columns.
pub(super) const MOST_LINES: usize = 16;

/// Colours of light and dark; some readers of SVG know no variables, so each class names its
/// colours twice.
const STYLE: &str = "
text { font-family: system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif; fill: #1c2430 }
.page { fill: #ffffff }
.box { fill: #ffffff; stroke: #b9c3cf }
.head { fill: #eef2f7 }
.wanted { fill: #dff1e6 }
.rule { stroke: #b9c3cf }
.title { font-weight: 600 }
.soft { fill: #5d6875 }
.way { fill: none; stroke: #56667a; stroke-width: 1.4 }
.key { fill: #fbeecb } .key-text { fill: #7a5200; font-weight: 600 }
.foreign { fill: #e1ecfb } .foreign-text { fill: #1a559e; font-weight: 600 }
.target { fill: #dff1e6 } .target-text { fill: #1f6b45; font-weight: 600 }
@media (prefers-color-scheme: dark) {
text { fill: #e6eaf0 }
.page { fill: #14181d }
.box { fill: #1b2027; stroke: #46515e }
.head { fill: #262e38 }
.wanted { fill: #1d3a2c }
.rule { stroke: #46515e }
.soft { fill: #9aa6b5 }
.way { stroke: #93a4b8 }
.key { fill: #463710 } .key-text { fill: #f2cf72 }
.foreign { fill: #18365c } .foreign-text { fill: #9cc6fa }
.target { fill: #1d3a2c } .target-text { fill: #86d8ac }
}
";

/// What the marks mean, below the drawing.
const LEGEND: &str = "PK primary key · FK refers to a row · bar: one · foot: many";
const LEGEND_ROOM: f64 = 26.0;

/// Draws a schema.
pub(super) fn draw(schema: &Schema) -> String {
    let layout = Layout::of(schema);
    let width = layout
        .width
        .max(width::of(LEGEND, SMALL_SIZE) + 2.0 * MARGIN);
    let height = layout.height + LEGEND_ROOM;
    let mut svg = Svg(String::new());
    svg.line(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\">"
    ));
    let names: Vec<&str> = schema
        .tables
        .iter()
        .map(|table| table.name.as_str())
        .collect();
    svg.line(format_args!(
        "<title>{}</title>",
        escape(&format!("Tables: {}", names.join(", ")))
    ));
    svg.line(format_args!("<style>{STYLE}</style>"));
    svg.line(format_args!(
        "<rect class=\"page\" width=\"{width}\" height=\"{height}\"/>"
    ));
    for connector in &layout.connectors {
        draw_connector(&mut svg, schema, connector);
    }
    for (table, place) in schema.tables.iter().zip(&layout.places) {
        draw_table(&mut svg, table, place);
    }
    let bottom = height - MARGIN * 0.7;
    svg.text("soft", SMALL_SIZE, (MARGIN, bottom), "start", LEGEND);
    svg.line(format_args!("</svg>"));
    svg.0
}

/// A document that is being written.
struct Svg(String);

impl Svg {
    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        writeln!(self.0, "{line}").expect("a string takes all that is written to it");
    }

    fn text(&mut self, class: &str, size: f64, (x, y): (f64, f64), anchor: &str, text: &str) {
        self.line(format_args!(
            "<text class=\"{class}\" font-size=\"{size}\" x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{}</text>",
            escape(text)
        ));
    }

    /// A word on a rounded ground.
    fn mark(&mut self, class: &str, (x, y): (f64, f64), width: f64, text: &str) {
        let top = y - 7.5;
        self.line(format_args!(
            "<rect class=\"{class}\" x=\"{x}\" y=\"{top}\" width=\"{width}\" height=\"15\" rx=\"4\"/>"
        ));
        let class = format!("{class}-text");
        self.text(&class, 9.5, (x + width / 2.0, y + 3.4), "middle", text);
    }
}

/// The text with what XML would take for its own; characters that XML has no place for are left
/// out.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\u{fffe}' | '\u{ffff}' => {}
            character if character.is_control() => escaped.push(' '),
            character => escaped.push(character),
        }
    }
    escaped
}

fn draw_table(svg: &mut Svg, table: &TableBox, place: &Place) {
    let Place {
        x,
        y,
        width,
        height,
    } = *place;
    svg.line(format_args!("<g><title>{}</title>", escape(&table.name)));
    let head = HEAD - 9.0;
    let wanted = if table.target { "head wanted" } else { "head" };
    svg.line(format_args!(
        "<rect class=\"box\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"7\"/>"
    ));
    let (left, top, right, bottom) = (x + 0.5, y + 0.5, x + width - 0.5, y + head);
    svg.line(format_args!(
        "<path class=\"{wanted}\" d=\"M{left} {bottom} V{} Q{left} {top} {} {top} H{} Q{right} {top} {right} {} V{bottom} Z\"/>",
        top + 6.5, left + 6.5, right - 6.5, top + 6.5
    ));
    svg.line(format_args!(
        "<path class=\"rule\" d=\"M{x} {bottom} H{}\"/>",
        x + width
    ));
    let title = width::cut(&table.name, TITLE_SIZE * 1.08, width - 2.0 * PADDING);
    svg.text(
        "title",
        TITLE_SIZE,
        (x + PADDING, y + 20.0),
        "start",
        &title,
    );
    svg.text(
        "soft",
        SMALL_SIZE,
        (x + PADDING, y + 37.0),
        "start",
        &table.size,
    );
    let marks = marks(table) as f64 * MARK;
    for (position, line) in table.lines.iter().enumerate() {
        draw_line(
            svg,
            line,
            marks,
            place,
            y + HEAD + (position as f64 + 0.5) * LINE,
        );
    }
    if table.more > 0 {
        let bottom = y + height - FOOT - LINE / 2.0 + 4.5;
        let more = format!("… {} more", kinwood_values::keys::count(table.more));
        svg.text(
            "soft",
            SMALL_SIZE,
            (x + PADDING + marks, bottom),
            "start",
            &more,
        );
    }
    svg.line(format_args!("</g>"));
}

fn draw_line(svg: &mut Svg, line: &Line, marks: f64, place: &Place, middle: f64) {
    let mut x = place.x + PADDING;
    for (class, text) in [
        ("key", line.key.then_some("PK")),
        ("foreign", line.foreign.then_some("FK")),
    ] {
        if let Some(text) = text {
            svg.mark(class, (x, middle), MARK - 5.0, text);
            x += MARK;
        }
    }
    let baseline = middle + 4.5;
    let name = width::cut(&line.name, NAME_SIZE, WIDEST_NAME);
    svg.text(
        "name",
        NAME_SIZE,
        (place.x + PADDING + marks, baseline),
        "start",
        &name,
    );
    let mut right = place.x + place.width - PADDING;
    match line.role {
        Some("target") => {
            let width = width::of("target", 9.5) + 12.0;
            svg.mark("target", (right - width, middle), width, "target");
            right -= width + 8.0;
        }
        Some(role) => {
            svg.text("soft", SMALL_SIZE, (right, baseline), "end", role);
            right -= width::of(role, SMALL_SIZE) + 8.0;
        }
        None => {}
    }
    let of = width::cut(&line.of, SMALL_SIZE, WIDEST_TYPE);
    svg.text("soft", SMALL_SIZE, (right, baseline), "end", &of);
}

fn draw_connector(svg: &mut Svg, schema: &Schema, connector: &Connector) {
    let reference = &schema.references[connector.reference];
    svg.line(format_args!(
        "<g><title>{}</title>",
        escape(&explained(schema, reference))
    ));
    svg.line(format_args!(
        "<path class=\"way\" d=\"{}\"/>",
        rounded(&connector.corners)
    ));
    if let (Some(&start), Some(&end)) = (connector.corners.first(), connector.corners.last()) {
        let outward = |from: (f64, f64), position: usize| {
            let beside = connector.corners.get(position).copied().unwrap_or(from);
            if beside.0 < from.0 { -1.0 } else { 1.0 }
        };
        let (x, y) = start;
        let side = outward(start, 1);
        if reference.one_to_one {
            bar(svg, start, side);
        } else {
            let (tip, up, down) = (x + 11.0 * side, y - 5.0, y + 5.0);
            svg.line(format_args!(
                "<path class=\"way\" d=\"M{x} {up} L{tip} {y} L{x} {down}\"/>"
            ));
        }
        bar(
            svg,
            end,
            outward(end, connector.corners.len().saturating_sub(2)),
        );
    }
    svg.line(format_args!("</g>"));
}

fn bar(svg: &mut Svg, (x, y): (f64, f64), side: f64) {
    let (x, top, bottom) = (x + 7.0 * side, y - 5.0, y + 5.0);
    svg.line(format_args!(
        "<path class=\"way\" d=\"M{x} {top} V{bottom}\"/>"
    ));
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
