//! The parts that every section is made of: tables in boxes of their own, figures with their
//! numbers beside them, short numbers.

use maud::{Markup, html};

pub(super) use crate::kit::number::short;
use crate::kit::{Drawing, Embedded};

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

/// A drawing of a report.
#[derive(Clone, Debug, Default)]
pub struct Figure {
    /// What it is called.
    pub title: String,
    /// The drawing.
    pub drawing: Drawing,
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
    Markup(Markup),
}

impl Cell {
    pub fn text(text: impl Into<String>) -> Self {
        Cell::Text(text.into())
    }

    pub fn number(text: impl Into<String>) -> Self {
        Cell::Number(text.into())
    }

    fn markup(&self) -> Markup {
        html! {
            @match self {
                Cell::Text(text) => {
                    td class=[(text.chars().count() > LONG).then_some("long")] { (text) }
                }
                Cell::Number(text) => { td class="number" { (text) } }
                Cell::Name(text) => { th scope="row" { (text) } }
                Cell::Markup(markup) => { td { (markup) } }
            }
        }
    }
}

impl TableShown {
    /// The table as markup, numbers set to the right.
    pub(super) fn markup(&self) -> Markup {
        let headers: Vec<&str> = self.headers.iter().map(String::as_str).collect();
        let cell = |(place, cell): (usize, &String)| match (place, cell.parse::<f64>()) {
            (0, _) => Cell::Name(cell.clone()),
            (_, Ok(_)) => Cell::number(cell),
            (_, Err(_)) => Cell::text(cell),
        };
        let rows = self.rows.iter();
        let rows: Vec<Vec<Cell>> = rows
            .map(|row| row.iter().enumerate().map(cell).collect())
            .collect();
        table(&self.title, &headers, &rows)
    }
}

/// A table that scrolls within its own box where it is wide. A heading is set to the right above
/// numbers.
pub(super) fn table(caption: &str, headers: &[&str], rows: &[Vec<Cell>]) -> Markup {
    let above_numbers = |column: usize| {
        let cell = rows.iter().find_map(|row| row.get(column));
        cell.filter(|cell| matches!(cell, Cell::Number(_)))
            .map(|_| "number")
    };
    boxed(
        caption,
        caption,
        html! {
            table {
                @if !headers.is_empty() {
                    thead { tr {
                        @for (column, header) in headers.iter().enumerate() {
                            th scope="col" class=[above_numbers(column)] { (header) }
                        }
                    } }
                }
                tbody { "\n"
                    @for row in rows { tr { @for cell in row { (cell.markup()) } } "\n" }
                }
            }
        },
    )
}

/// Something wide that scrolls within its own box, below its caption and called so for those who
/// hear the page.
pub(super) fn boxed(caption: &str, label: &str, inside: Markup) -> Markup {
    let label = Some(label).filter(|label| !label.is_empty());
    html! {
        @if !caption.is_empty() { p class="caption" { (caption) } "\n" }
        div class="box" tabindex="0" role=[label.map(|_| "region")] aria-label=[label] {
            (inside)
        } "\n"
    }
}

/// What should be known, a sentence each.
pub(super) fn notes(class: &str, notes: &[String]) -> Markup {
    html! { @for note in notes { p class=(class) { (note) } "\n" } }
}

/// Text as it is, line by line.
pub(super) fn verbatim(text: &str) -> Markup {
    let lines: Vec<&str> = text.lines().collect();
    html! { pre class="text" tabindex="0" { (lines.join("\n")) } "\n" }
}

/// Something to open.
pub(super) fn details(summary: &str, inside: Markup) -> Markup {
    html! { details { summary { (summary) } (inside) } "\n" }
}

/// A chart with what it shows in words, and its numbers for those who cannot or need not see it.
pub(super) fn chart(caption: &str, chart: Markup, numbers: Option<Markup>) -> Markup {
    html! {
        figure {
            (chart)
            figcaption { (caption) }
            @if let Some(numbers) = numbers { (details("The numbers", numbers)) }
        } "\n"
    }
}

/// A drawing as a part of the page.
pub(super) fn drawn(figure: &Figure, drawings: &mut Embedded) -> Markup {
    let title = &figure.title;
    html! {
        figure class="drawn" {
            div class="box" tabindex="0" role="region" aria-label=(title) {
                (drawings.embed(&figure.drawing))
            }
            figcaption { (title) }
        } "\n"
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
        let cells = [vec![Cell::text("</td><script>")]];
        let shown = table("a<b", &["<i>"], &cells).into_string();
        assert!(
            !shown.contains("<script>") && !shown.contains("<i>"),
            "{shown}"
        );
        assert!(shown.contains("aria-label=\"a&lt;b\""));
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
