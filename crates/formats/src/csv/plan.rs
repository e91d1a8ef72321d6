//! What is decided before the first row is read: layout, names, and which columns cannot be
//! numbers.

use std::collections::HashMap;

use kinwood_values::suggest::nearest;
use kinwood_values::{Notice, NoticeKind, Type};

use super::blocks::{Encoding, Halt};
use super::builder::{CellKind, kind_of};
use super::detect::{self, Split};
use super::missing::Missing;
use super::rows::Layout;
use super::sample::{Rows, Sample};
use super::{CsvOptions, StatedColumn};
use crate::error::{Error, Result};
use crate::schema::{Delimiter, Header, Quote, in_table};
use crate::source::Source;

/// A file about to be read: everything decided but the types.
pub(super) struct Reading<'a> {
    pub source: &'a Source,
    pub encoding: Encoding,
    pub layout: Layout,
    pub names: Vec<String>,
    /// What is stated about each column.
    pub stated: Vec<Option<&'a StatedColumn>>,
    pub missing: Missing,
    /// Columns in which the first rows hold text that is neither number nor date.
    pub text: Vec<bool>,
    /// The type of each column that is stated for this reading alone.
    pub types: Vec<Option<Type>>,
    /// How many rows there are, about; 0 if that cannot be told.
    pub capacity: usize,
    pub notices: Vec<Notice>,
}

impl<'a> Reading<'a> {
    /// Decides; `notes` rows behind the header are no data.
    pub fn plan(
        source: &'a Source,
        options: &'a CsvOptions,
        sample: &Sample,
        encoding: Encoding,
        trailing_allowed: bool,
        notes: usize,
    ) -> Result<Self, Halt> {
        let split = detect::split(sample, options.delimiter, options.quote);
        let rows = sample.rows(split.marks());
        if rows.cells.is_empty() && rows.torn == 0 && sample.whole {
            return Err(Halt::Error(Error::Empty {
                file: source.name().to_owned(),
                expected: "expected rows of cells, found blank lines".to_owned(),
            }));
        }
        let missing = Missing::new(options.missing.as_deref());
        let declared: Vec<&str> = options
            .columns
            .iter()
            .map(|column| column.name.as_str())
            .collect();
        let header = detect::header(&rows, options.header, &declared, &missing);
        let trailing = trailing_allowed && detect::ends_with_delimiter(&rows, split);
        let mut width = split.width;
        if let (true, Some(first)) = (header, rows.cells.first()) {
            width = first.len();
            if trailing && width == split.width {
                width -= 1;
            }
        } else if trailing {
            width -= 1;
        }
        let layout = Layout {
            marks: split.marks(),
            header: if header { 1 + notes } else { 0 },
            width,
            trailing,
            ragged_hint: ragged_hint(options, split, header, width),
        };
        let (names, stated) = match_columns(source, options, &rows, header, width)?;
        let below = rows.cells.iter().skip(if header { 1 + notes } else { 0 });
        let mut text = vec![false; width];
        let (mut zeros, mut figures) = (vec![false; width], vec![true; width]);
        for cells in below {
            for (column, cell) in cells.iter().enumerate().take(width) {
                if !missing.is(cell) {
                    text[column] = text[column] || kind_of(cell) == CellKind::Text;
                    zeros[column] = zeros[column] || leading_zero(cell);
                    figures[column] = figures[column] && all_figures(cell);
                }
            }
        }
        // Postal codes and numbers of articles: as numbers they would lose their zeros.
        for (is_text, (zeros, figures)) in text.iter_mut().zip(zeros.into_iter().zip(figures)) {
            *is_text = *is_text || (zeros && figures);
        }
        for (is_text, name) in text.iter_mut().zip(&names) {
            *is_text = *is_text || options.texts.contains(name);
        }
        let table = source.table_name();
        let stated_type = |name: &String| {
            let mut types = options.types.iter();
            let stated =
                types.find(|(written, _)| written == name || in_table(written, &table) == name);
            stated.map(|(_, of)| of.clone())
        };
        let types = names.iter().map(stated_type).collect();
        let mut notices = Vec::new();
        tell(
            &mut notices,
            source,
            options,
            split,
            header,
            trailing,
            width,
        );
        Ok(Self {
            source,
            encoding,
            capacity: estimate(source, &rows),
            layout,
            names,
            stated,
            missing,
            text,
            types,
            notices,
        })
    }
}

/// Whether a text has figures only, of ASCII.
pub(super) fn all_figures(text: &str) -> bool {
    let text = text.trim_matches([' ', '\t']);
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text of figures begins with a zero that a number would not have.
pub(super) fn leading_zero(text: &str) -> bool {
    let text = text.trim_matches([' ', '\t']);
    text.len() > 1 && text.starts_with('0') && all_figures(text)
}

/// The names of the columns, and what is stated about each.
fn match_columns<'a>(
    source: &Source,
    options: &'a CsvOptions,
    rows: &Rows<'_>,
    header: bool,
    width: usize,
) -> Result<(Vec<String>, Vec<Option<&'a StatedColumn>>)> {
    let numbered = |position: usize| format!("c{}", position + 1);
    let file = || source.name().to_owned();
    let Some(first) = rows.cells.first().filter(|_| header) else {
        let numbers: Vec<String> = (0..width).map(numbered).collect();
        let position = |column: &StatedColumn| numbers.iter().position(|name| *name == column.name);
        if options
            .columns
            .iter()
            .all(|column| position(column).is_some())
        {
            let mut stated = vec![None; width];
            for column in &options.columns {
                if let Some(position) = position(column) {
                    stated[position] = Some(column);
                }
            }
            return Ok((numbers, stated));
        }
        if options.columns.len() != width {
            return Err(Error::ColumnCount {
                file: file(),
                found: width,
                expected: options.columns.len(),
            });
        }
        let names = options.columns.iter().map(|column| column.name.clone());
        return Ok((names.collect(), options.columns.iter().map(Some).collect()));
    };
    let names: Vec<String> = first
        .iter()
        .take(width)
        .enumerate()
        .map(|(position, cell)| match cell.trim() {
            "" => numbered(position),
            name => name.to_owned(),
        })
        .collect();
    let mut positions: HashMap<&str, usize> = HashMap::new();
    for (position, name) in names.iter().enumerate() {
        if let Some(first) = positions.insert(name, position) {
            return Err(Error::DuplicateName {
                file: file(),
                line: rows.lines[0],
                name: name.clone(),
                first: first + 1,
                second: position + 1,
            });
        }
    }
    let mut stated = vec![None; names.len()];
    for column in &options.columns {
        let Some(&position) = positions.get(column.name.as_str()) else {
            return Err(Error::Values {
                file: file(),
                source: kinwood_values::Error::UnknownColumn {
                    table: source.table_name(),
                    column: column.name.clone(),
                    nearest: nearest(&column.name, &names),
                    valid: names.clone(),
                },
            });
        };
        stated[position] = Some(column);
    }
    Ok((names, stated))
}

/// About how many rows there are, from the size of the file and the mean length of the first rows.
fn estimate(source: &Source, rows: &Rows<'_>) -> usize {
    let Some(size) = source.size() else { return 0 };
    let mean = rows.bytes as f64 / rows.cells.len().max(1) as f64;
    // A little more than expected: what is not filled is given back, growing would copy.
    let rows_expected = (size as f64 / mean.max(1.0) * 1.02) as usize + 16;
    rows_expected.min(u32::MAX as usize)
}

fn ragged_hint(options: &CsvOptions, split: Split, header: bool, width: usize) -> String {
    if header && split.width != width && split.agreement > 0.5 {
        return format!(
            "; the header has {width} names, but most rows have {} cells",
            split.width
        );
    }
    match options.delimiter {
        Some(_) => String::new(),
        None => format!(
            "; the first rows look separated by {}, which can be stated otherwise",
            split.delimiter
        ),
    }
}

/// Tells what was decided about the layout.
fn tell(
    notices: &mut Vec<Notice>,
    source: &Source,
    options: &CsvOptions,
    split: Split,
    header: bool,
    trailing: bool,
    width: usize,
) {
    let mut notice = |message: String| {
        notices.push(Notice::about(
            NoticeKind::File,
            format!("`{}`: {message}", source.name()),
        ));
    };
    if options.delimiter.is_none() && split.delimiter != Delimiter::Comma {
        notice(format!("cells are separated by {}", split.delimiter));
    }
    if options.quote.is_none() && split.quote == Quote::Single {
        notice("cells are quoted by `'`".to_owned());
    }
    if options.header == Header::Detect && !header && options.columns.is_empty() {
        notice(match width {
            1 => "no header is found, so the column is named c1".to_owned(),
            _ => format!("no header is found, so the columns are named c1 to c{width}"),
        });
    }
    if trailing {
        notice("the delimiter that ends each line separates nothing".to_owned());
    }
}
