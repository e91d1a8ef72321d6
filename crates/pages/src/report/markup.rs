//! The parts that every section is made of: tables in boxes of their own, figures with their
//! numbers beside them, short numbers.
//!
//! Whatever comes from users passes [`escape`] here, so that sections put text together and nothing
//! else.

use kinwood_learners::drawing;

pub(super) use crate::diagram::escape;

/// A table of a report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableShown {
    /// What it is called.
    pub title: String,
    /// What it says, in a sentence or two; nothing if empty.
    pub caption: String,
    /// The heading of each column.
    pub headers: Vec<String>,
    /// The cells, row by row.
    pub rows: Vec<Vec<String>>,
}

/// A drawing of a report: a whole SVG document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figure {
    /// What it is called.
    pub title: String,
    /// The document.
    pub svg: String,
}

/// From how many characters on a cell wants room to be broken into lines.
const LONG: usize = 22;

/// A cell of a table.
#[derive(Clone, Debug)]
pub(super) enum Cell {
    /// Text of users, or of ours.
    Text(String),
    /// A number, set to the right.
    Number(String),
    /// The name of a row.
    Name(String),
    /// Markup made here.
    Markup(String),
}

impl Cell {
    pub fn text(text: impl Into<String>) -> Self {
        Cell::Text(text.into())
    }

    pub fn number(text: impl Into<String>) -> Self {
        Cell::Number(text.into())
    }

    fn markup(&self) -> String {
        match self {
            Cell::Text(text) if text.chars().count() > LONG => {
                format!("<td class=\"long\">{}</td>", escape(text))
            }
            Cell::Text(text) => format!("<td>{}</td>", escape(text)),
            Cell::Number(text) => format!("<td class=\"number\">{}</td>", escape(text)),
            Cell::Name(text) => format!("<th scope=\"row\">{}</th>", escape(text)),
            Cell::Markup(markup) => format!("<td>{markup}</td>"),
        }
    }
}

/// A table that scrolls within its own box where it is wide. A heading is set to the right above
/// numbers.
pub(super) fn table(caption: &str, headers: &[&str], rows: &[Vec<Cell>]) -> String {
    let above_numbers = |column: usize| {
        let mut cells = rows.iter().filter_map(|row| row.get(column));
        cells
            .next()
            .is_some_and(|cell| matches!(cell, Cell::Number(_)))
    };
    let head: String = headers
        .iter()
        .enumerate()
        .map(|(column, header)| match above_numbers(column) {
            true => format!("<th scope=\"col\" class=\"number\">{}</th>", escape(header)),
            false => format!("<th scope=\"col\">{}</th>", escape(header)),
        })
        .collect();
    let body: String = rows
        .iter()
        .map(|row| {
            format!(
                "<tr>{}</tr>\n",
                row.iter().map(Cell::markup).collect::<String>()
            )
        })
        .collect();
    let (label, caption) = match caption {
        "" => (String::new(), String::new()),
        words => (
            format!(" role=\"region\" aria-label=\"{}\"", escape(words)),
            format!("<p class=\"caption\">{}</p>\n", escape(words)),
        ),
    };
    let head = match headers {
        [] => String::new(),
        _ => format!("<thead><tr>{head}</tr></thead>"),
    };
    format!(
        "{caption}<div class=\"box\" tabindex=\"0\"{label}><table>{head}<tbody>\n{body}</tbody></table></div>\n"
    )
}

/// Text as it is, line by line.
pub(super) fn verbatim(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(escape).collect();
    format!(
        "<pre class=\"text\" tabindex=\"0\">{}</pre>\n",
        lines.join("\n")
    )
}

/// Something to open.
pub(super) fn details(summary: &str, inside: &str) -> String {
    format!(
        "<details><summary>{}</summary>{inside}</details>\n",
        escape(summary)
    )
}

/// A chart with what it shows in words, and its numbers for those who cannot or need not see it.
pub(super) fn chart(caption: &str, svg: &str, numbers: &str) -> String {
    let numbers = match numbers {
        "" => String::new(),
        table => details("The numbers", table),
    };
    format!(
        "<figure>{svg}<figcaption>{}</figcaption>{numbers}</figure>\n",
        escape(caption)
    )
}

/// A drawing that was made to stand alone, as a part of the page: its style applies to it alone and
/// follows the page's colours.
pub(super) fn drawn(number: usize, figure: &Figure) -> String {
    const DARK: &str = "@media (prefers-color-scheme: dark) {";
    let title = escape(&figure.title);
    // What precedes the document, such as a declaration, has no place within a page; nor has the
    // name of its language.
    let start = figure.svg.find("<svg").unwrap_or(figure.svg.len());
    let svg = figure.svg[start..].replacen(" xmlns=\"http://www.w3.org/2000/svg\"", "", 1);
    let styled = svg.split_once("<style>").and_then(|(before, rest)| {
        let (style, after) = rest.split_once("</style>")?;
        Some((before, style, after))
    });
    let Some((before, style, after)) = styled else {
        return format!(
            "<figure class=\"drawn\"><div class=\"box\" tabindex=\"0\">{svg}</div><figcaption>{title}</figcaption></figure>\n"
        );
    };
    let (light, dark) = match style.split_once(DARK) {
        Some((light, dark)) => (light, dark.rsplit_once('}').map_or(dark, |(dark, _)| dark)),
        None => (style, ""),
    };
    let own = format!(".drawn-{number}");
    format!(
        "<style>{own} {{ {light} }}\n@media screen and (prefers-color-scheme: dark) {{ :root:not([data-theme=\"light\"]) {own} {{ {dark} }} }}\n\
         @media screen {{ :root[data-theme=\"dark\"] {own} {{ {dark} }} }}</style>\n\
         <figure class=\"drawn\"><div class=\"box\" tabindex=\"0\" role=\"region\" aria-label=\"{title}\"><div class=\"drawn-{number}\">{before}{after}</div></div>\
         <figcaption>{title}</figcaption></figure>\n"
    )
}

/// A number to four digits.
pub(super) fn short(number: f64) -> String {
    match number.is_finite() {
        true => drawing::short(number, 4, -4.0..9.0),
        false => "–".to_owned(),
    }
}

/// A score to four digits after the point; a dash where there is none.
pub(super) fn score(number: Option<f64>) -> String {
    number.map_or_else(|| "–".to_owned(), |number| format!("{number:.4}"))
}

/// A share in percent.
pub(super) fn percent(share: f64) -> String {
    let hundredfold = share * 100.0;
    match share > 0.0 && share < 0.1 {
        true => format!("{hundredfold:.1} %"),
        false => format!("{hundredfold:.0} %"),
    }
}

/// A long text cut to so many characters.
pub(super) fn beginning(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_users_becomes_markup() {
        let shown = table("a<b", &["<i>"], &[vec![Cell::text("</td><script>")]]);
        assert!(
            !shown.contains("<script>") && !shown.contains("<i>"),
            "{shown}"
        );
        assert!(shown.contains("aria-label=\"a&lt;b\""));
    }

    #[test]
    fn the_style_of_a_drawing_applies_to_it_alone() {
        let figure = Figure {
            title: "d".to_owned(),
            svg: "<?xml version=\"1.0\"?>\n<svg><style>.a { fill: #fff }\n@media (prefers-color-scheme: dark) {\n.a { fill: #000 }\n}\n</style><rect class=\"a\"/></svg>".to_owned(),
        };
        let page = drawn(3, &figure);
        assert!(
            page.starts_with("<style>.drawn-3 { .a { fill: #fff }"),
            "{page}"
        );
        assert_eq!(page.matches(".a { fill: #000 }").count(), 2);
        assert_eq!(page.matches('{').count(), page.matches('}').count());
        assert!(page.contains("<svg><rect class=\"a\"/></svg>") && !page.contains("<?xml"));
    }

    #[test]
    fn shares_are_told_with_a_digit_where_it_matters() {
        assert_eq!(
            [0.0, 0.034, 0.5, 1.0].map(percent),
            ["0 %", "3.4 %", "50 %", "100 %"]
        );
        assert_eq!(
            (score(None), short(f64::NAN)),
            ("–".to_owned(), "–".to_owned())
        );
        assert_eq!(beginning("äöü", 2), "äö…");
    }
}
