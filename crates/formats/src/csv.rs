//! Cells in rows: CSV, TSV and their relatives, with or without header, with whatever delimiter.
//!
//! What nobody states is decided from the first rows (delimiter, quote, header) or from all of them (types), and
//! told. The file passes through in blocks; numbers and labels go straight into their columns. A column that
//! turns out to be text after all is read again: a second pass costs less than keeping the text of all cells.

mod blocks;
mod builder;
mod cell;
mod detect;
mod dialect;
pub(crate) mod evidence;
mod labels;
mod missing;
mod number;
mod rows;
mod sample;

use std::collections::{BTreeSet, HashMap};

use kinwood_values::suggest::nearest;
use kinwood_values::{Attribute, Column, Notice, Role, Table, Type};

use crate::dataset::TableRead;
use crate::error::{Error, Result};
use crate::source::Source;
use blocks::{Blocks, Encoding, Halt, LONGEST_ROW};
use builder::{Builder, CellKind, kind_of};
use detect::Split;
pub use dialect::{Delimiter, Header, Quote};
use missing::Missing;
use rows::{Layout, Pass};
use sample::{Rows, Sample};

/// Bytes in memory at a time: large enough to hide the cost of reading, small enough for the cache.
const BLOCK: usize = 1 << 20;

/// What is stated about a file; the rest is decided from what stands in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CsvOptions {
    /// What stands between cells.
    pub delimiter: Option<Delimiter>,
    /// What encloses cells.
    pub quote: Option<Quote>,
    /// Whether the first row names the columns.
    pub header: Header,
    /// The texts that stand for a missing value, besides nothing at all.
    pub missing: Option<Vec<String>>,
    /// What is stated about columns: by name, or by position when there is no header.
    pub columns: Vec<StatedColumn>,
}

/// What is stated about a column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StatedColumn {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub of: Option<Type>,
    /// What it is for.
    pub role: Option<Role>,
    /// All values it can have, in order; then it is nominal.
    pub values: Option<Vec<String>>,
    /// For a set of class paths: the mark between the levels.
    pub hierarchy: Option<char>,
}

/// Reads a table.
///
/// ```
/// use kinwood_formats::{Source, csv};
/// let source = Source::from_bytes("pets", b"name,weight\nTom,4.5\nRex,?\n".as_slice());
/// let read = csv::read(&source, &csv::CsvOptions::default())?;
/// assert_eq!(read.table.rows(), 2);
/// assert_eq!(read.evidence, ["2 distinct values in 2 rows", "1 of 1 values are numbers"]);
/// # Ok::<(), kinwood_formats::Error>(())
/// ```
pub fn read(source: &Source, options: &CsvOptions) -> Result<TableRead> {
    read_in_blocks(source, options, BLOCK)
}

/// Whether the beginning of the source splits into rows of equally many cells, more than one.
pub(crate) fn looks_like_a_table(source: &Source) -> Result<bool> {
    let sample = match Sample::take(source, Encoding::Utf8) {
        Err(Halt::NotUtf8 { .. }) => Sample::take(source, Encoding::Latin1),
        taken => taken,
    };
    match sample {
        Ok(sample) => {
            let split = detect::split(&sample, None, None);
            Ok(split.width > 1 && split.agreement == 1.0)
        }
        Err(Halt::Error(error)) => Err(error),
        Err(Halt::NotUtf8 { .. } | Halt::LastCellCounts) => Ok(false),
    }
}

fn read_in_blocks(source: &Source, options: &CsvOptions, block: usize) -> Result<TableRead> {
    let mut encoding = Encoding::Utf8;
    let mut trailing_allowed = true;
    let mut notices = Vec::new();
    // Each reason to begin again can come once.
    loop {
        let attempt = Sample::take(source, encoding).and_then(|sample| {
            Reading::plan(source, options, &sample, encoding, trailing_allowed)?.read(block)
        });
        match attempt {
            Ok(mut read) => {
                notices.append(&mut read.notices);
                read.notices = notices;
                return Ok(read);
            }
            Err(Halt::Error(error)) => return Err(error),
            Err(Halt::NotUtf8 { position }) => {
                encoding = Encoding::Latin1;
                notices.push(Notice::new(format!(
                    "`{}` is not UTF-8 (byte {position}); it is read as Latin-1",
                    source.name()
                )));
            }
            Err(Halt::LastCellCounts) => trailing_allowed = false,
        }
    }
}

/// A file about to be read: everything decided but the types.
struct Reading<'a> {
    source: &'a Source,
    encoding: Encoding,
    layout: Layout,
    names: Vec<String>,
    /// What is stated about each column.
    stated: Vec<Option<&'a StatedColumn>>,
    missing: Missing,
    /// Columns in which the first rows hold text that is neither number nor date.
    text: Vec<bool>,
    /// How many rows there are, about; 0 if that cannot be told.
    capacity: usize,
    notices: Vec<Notice>,
}

impl<'a> Reading<'a> {
    fn plan(
        source: &'a Source,
        options: &'a CsvOptions,
        sample: &Sample,
        encoding: Encoding,
        trailing_allowed: bool,
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
        let declared: Vec<&str> = options.columns.iter().map(|column| column.name.as_str()).collect();
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
            header,
            width,
            trailing,
            ragged_hint: ragged_hint(options, split, header, width),
        };
        let (names, stated) = match_columns(source, options, &rows, header, width)?;
        let below = rows.cells.iter().skip(usize::from(header));
        let mut text = vec![false; width];
        for cells in below {
            for (is_text, cell) in text.iter_mut().zip(cells) {
                *is_text = *is_text || (!missing.is(cell) && kind_of(cell) == CellKind::Text);
            }
        }
        let mut notices = Vec::new();
        tell(&mut notices, source, options, split, header, trailing, width);
        Ok(Self {
            source,
            encoding,
            capacity: estimate(source, &rows),
            layout,
            names,
            stated,
            missing,
            text,
            notices,
        })
    }

    fn read(mut self, block: usize) -> Result<TableRead, Halt> {
        let builders = (0..self.layout.width).map(|column| self.builder(column)).collect();
        let mut pass = Pass::new(self.source.name(), &self.layout, builders);
        pass.run(self.blocks(block)?)?;
        let (rows, blank_lines) = (pass.rows, pass.blank_lines);
        let contradicted: Vec<bool> = pass.columns.iter().map(|column| column.contradicted).collect();
        let mut columns: Vec<(Option<Column>, bool)> = pass
            .columns
            .into_iter()
            .map(|builder| (builder.is_stated(), builder))
            .map(|(stated, builder)| (builder.finish(rows), stated))
            .collect();
        if contradicted.contains(&true) {
            let again = self.read_again(&contradicted, rows, block)?;
            for ((column, _), again) in columns.iter_mut().zip(again) {
                if again.is_some() {
                    *column = again;
                }
            }
        }
        if blank_lines > 0 {
            self.notices.push(Notice::new(format!(
                "{blank_lines} blank lines between the rows of `{}` are passed over",
                self.source.name()
            )));
        }
        Ok(self.table(columns)?)
    }

    /// Reads the columns that turned out to be text.
    fn read_again(
        &self,
        contradicted: &[bool],
        rows: usize,
        block: usize,
    ) -> Result<Vec<Option<Column>>, Halt> {
        let builders = contradicted
            .iter()
            .map(|contradicted| match contradicted {
                true => Builder::text(&self.missing, rows),
                false => Builder::passed(&self.missing),
            })
            .collect();
        let mut pass = Pass::new(self.source.name(), &self.layout, builders);
        pass.run(self.blocks(block)?)?;
        if pass.rows != rows {
            let changed = std::io::Error::other("it changed while it was read");
            return Err(Halt::Error(self.source.failed(changed)));
        }
        Ok(pass.columns.into_iter().map(|builder| builder.finish(rows)).collect())
    }

    fn blocks(&self, block: usize) -> Result<Blocks<'a>> {
        Blocks::new(self.source, self.encoding, block, LONGEST_ROW)
    }

    fn builder(&self, column: usize) -> Builder {
        let stated = self.stated[column];
        let values = stated.and_then(|stated| stated.values.as_deref());
        let of = stated.and_then(|stated| stated.of.as_ref());
        match (of, values) {
            (Some(of), values) => Builder::stated(of, values, &self.missing, self.capacity),
            (None, Some(_)) => Builder::stated(&Type::Nominal, values, &self.missing, self.capacity),
            (None, None) if self.text[column] => Builder::text(&self.missing, self.capacity),
            (None, None) => Builder::undecided(&self.missing, self.capacity),
        }
    }

    fn table(self, columns: Vec<(Option<Column>, bool)>) -> Result<TableRead> {
        let mut notices = self.notices;
        let mut attributes = Vec::with_capacity(columns.len());
        let mut evidence = Vec::with_capacity(columns.len());
        let mut stated_roles = BTreeSet::new();
        for (position, ((column, type_stated), name)) in columns.into_iter().zip(self.names).enumerate() {
            let column = column.expect("every column was read in the first pass or again");
            let column = if type_stated {
                evidence.push("stated in the schema".to_owned());
                column
            } else {
                let inferred = evidence::infer(column);
                evidence.push(inferred.evidence);
                if let Some(example) = inferred.decimal_comma {
                    notices.push(Notice::new(format!(
                        "column `{name}` of `{}` holds labels such as `{example}`: a number needs a decimal point, not a comma",
                        self.source.name()
                    )));
                }
                inferred.column
            };
            let mut attribute = Attribute::new(name, column);
            if let Some(stated) = self.stated[position] {
                attribute.hierarchy = stated.hierarchy;
                if let Some(role) = stated.role {
                    attribute.role = role;
                    stated_roles.insert(position);
                }
            }
            attributes.push(attribute);
        }
        let table = Table::new(self.source.table_name(), attributes).map_err(|source| Error::Values {
            file: self.source.name().to_owned(),
            source,
        })?;
        Ok(TableRead {
            table,
            evidence,
            stated_roles,
            customary_target: None,
            notices,
        })
    }
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
        if options.columns.is_empty() {
            return Ok(((0..width).map(numbered).collect(), vec![None; width]));
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
        return format!("; the header has {width} names, but most rows have {} cells", split.width);
    }
    match options.delimiter {
        Some(_) => String::new(),
        None => format!("; the first rows look separated by {}, which can be stated otherwise", split.delimiter),
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
        notices.push(Notice::new(format!("`{}`: {message}", source.name())));
    };
    if options.delimiter.is_none() && split.delimiter != Delimiter::Comma {
        notice(format!("cells are separated by {}", split.delimiter));
    }
    if options.quote.is_none() && split.quote == Quote::Single {
        notice("cells are quoted by `'`".to_owned());
    }
    if options.header == Header::Detect && !header && options.columns.is_empty() {
        notice(format!("no header is found, so the columns are named c1 to c{width}"));
    }
    if trailing {
        notice("the delimiter that ends each line separates nothing".to_owned());
    }
}

#[cfg(test)]
mod tests;
