//! Delimiter, quote and header of a file, from its first rows.
//!
//! A delimiter is believed when it splits the rows into equally many cells; a header, when it
//! stands out from what is below it.

use std::collections::HashSet;

use super::marks::Marks;
use super::missing::Missing;
use super::number;
use super::sample::{Rows, Sample};
use crate::schema::{Delimiter, Header, Quote};
use kinwood_values::datetime;

/// What separates and quotes the cells, and how sure that is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Split {
    pub delimiter: Delimiter,
    pub quote: Quote,
    /// The number of cells that most rows have.
    pub width: usize,
    /// The share of rows that have that many.
    pub agreement: f64,
}

impl Split {
    pub fn marks(self) -> Marks {
        Marks::new(self.delimiter, self.quote)
    }
}

/// Below this share of agreeing rows a delimiter is not believed, if another is.
const BELIEVED: f64 = 0.8;

/// The delimiter and quote that split the sample best, among those not stated.
pub(super) fn split(sample: &Sample, delimiter: Option<Delimiter>, quote: Option<Quote>) -> Split {
    let delimiters = delimiter.map_or(Delimiter::ALL.to_vec(), |stated| vec![stated]);
    let mut best: Option<Split> = None;
    for delimiter in delimiters.iter().copied() {
        let candidate = judge(sample, delimiter, quote);
        // Blanks stand in most texts: they separate only where nothing else does.
        let blank_is_needless = delimiter == Delimiter::Blank
            && delimiters.len() > 1
            && (best.is_some_and(|best| best.width > 1 && best.agreement >= BELIEVED)
                || !blanks_convince(sample, candidate));
        if blank_is_needless {
            continue;
        }
        if best.is_none_or(|best| better(candidate, best)) {
            best = Some(candidate);
        }
    }
    let best = best.expect("there is a delimiter to judge");
    // `1,5;2,5`: both split evenly, but a decimal comma is inside of a cell.
    if best.delimiter == Delimiter::Comma && delimiters.len() > 1 {
        let semicolon = judge(sample, Delimiter::Semicolon, quote);
        if semicolon.width > 1
            && semicolon.agreement >= best.agreement
            && commas_are_decimal(&sample.rows(semicolon.marks()))
        {
            return semicolon;
        }
    }
    best
}

/// More agreement first, then more cells; a delimiter that separates nothing is the last resort.
fn better(candidate: Split, best: Split) -> bool {
    let rank = |split: Split| (split.width > 1, split.agreement, split.width);
    rank(candidate).partial_cmp(&rank(best)) == Some(std::cmp::Ordering::Greater)
}

fn judge(sample: &Sample, delimiter: Delimiter, quote: Option<Quote>) -> Split {
    let under = |quote: Quote| sample.rows(Marks::new(delimiter, quote));
    let (quote, rows) = match quote {
        Some(quote) => (quote, under(quote)),
        None => {
            let (double, single) = (under(Quote::Double), under(Quote::Single));
            if single_quotes_enclose(&single, &double) {
                (Quote::Single, single)
            } else {
                (Quote::Double, double)
            }
        }
    };
    let (width, agreeing) = usual_width(&rows);
    let all = rows.cells.len() + rows.torn;
    Split {
        delimiter,
        quote,
        width,
        agreement: agreeing as f64 / all.max(1) as f64,
    }
}

/// The number of cells that most rows have (the smaller among equals), and how many have it.
fn usual_width(rows: &Rows<'_>) -> (usize, usize) {
    let mut counts = std::collections::BTreeMap::new();
    for cells in &rows.cells {
        *counts.entry(cells.len()).or_insert(0usize) += 1;
    }
    let mut usual = (1, 0);
    for (width, count) in counts {
        if count > usual.1 {
            usual = (width, count);
        }
    }
    usual
}

/// Whether cells stand in `'`, every one that begins so ends so, and none stands in `"`.
fn single_quotes_enclose(single: &Rows<'_>, double: &Rows<'_>) -> bool {
    single.quoted > 0 && single.torn == 0 && double.quoted == 0 && single.bytes * 2 >= double.bytes
}

/// Blanks are believed when all rows agree, and either cells are numbers or there are rows enough.
fn blanks_convince(sample: &Sample, split: Split) -> bool {
    if split.width < 2 || split.agreement < 1.0 {
        return false;
    }
    let rows = sample.rows(split.marks());
    let cells = rows.cells.iter().flatten();
    let numbers = cells.filter(|cell| number::read(cell).is_some()).count();
    numbers * 3 >= rows.cells.len() * split.width || (rows.cells.len() >= 5 && split.width >= 3)
}

/// Whether commas stand only in what are numbers when the comma is a point.
fn commas_are_decimal(rows: &Rows<'_>) -> bool {
    let mut with_comma = rows
        .cells
        .iter()
        .skip(1)
        .flatten()
        .filter(|cell| cell.contains(','))
        .peekable();
    with_comma.peek().is_some() && with_comma.all(|cell| looks_decimal(cell))
}

/// `1,5`: a number whose point is written as a comma.
pub(super) fn looks_decimal(text: &str) -> bool {
    text.matches(',').count() == 1
        && !text.contains('.')
        && number::read(&text.replace(',', ".")).is_some()
}

/// Whether every row ends with a delimiter that separates nothing; the header, if any, may lack it.
pub(super) fn ends_with_delimiter(rows: &Rows<'_>, split: Split) -> bool {
    let Some((first, below)) = rows.cells.split_first() else {
        return false;
    };
    let empty_end = |cells: &Vec<std::borrow::Cow<'_, str>>| {
        cells.len() == split.width && cells.last().is_some_and(|cell| cell.is_empty())
    };
    split.width > 1
        && split.delimiter != Delimiter::Blank
        && (empty_end(first) || first.len() + 1 == split.width)
        && if below.is_empty() {
            empty_end(first)
        } else {
            below.iter().all(empty_end)
        }
}

/// Whether the first row names the columns.
///
/// It does when none of its cells is a number or date while a column below one of its texts holds
/// nothing else; or, when all columns hold text, if its cells are distinct and none recurs below.
/// Names that a schema gives decide first.
pub(super) fn header(
    rows: &Rows<'_>,
    stated: Header,
    declared: &[&str],
    missing: &Missing,
) -> bool {
    match stated {
        Header::Yes => return true,
        Header::None => return false,
        Header::Detect => {}
    }
    let Some((first, below)) = rows.cells.split_first() else {
        return false;
    };
    let named = |name: &&str| first.iter().any(|cell| cell == name);
    if !declared.is_empty() && declared.iter().all(named) {
        return true;
    }
    let typed = |text: &str| number::read(text).is_some() || datetime::parse(text).is_ok();
    if first.iter().any(|cell| !missing.is(cell) && typed(cell)) {
        return false;
    }
    let column = |at: usize| {
        below
            .iter()
            .filter_map(move |cells| cells.get(at))
            .filter(|cell| !missing.is(cell))
    };
    let mut any_typed = false;
    for (at, cell) in first.iter().enumerate() {
        let mut values = column(at).peekable();
        if values.peek().is_some() && values.all(|value| typed(value)) {
            if !missing.is(cell) {
                return true;
            }
            any_typed = true;
        }
    }
    let mut distinct = HashSet::new();
    !any_typed
        && first
            .iter()
            .all(|cell| !cell.is_empty() && distinct.insert(cell))
        && first
            .iter()
            .enumerate()
            .all(|(at, cell)| column(at).all(|value| value != cell))
}
