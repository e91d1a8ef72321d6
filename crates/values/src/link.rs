//! Links: a foreign key followed in both directions, by offsets.

use hashbrown::HashMap;

use crate::column::{Cells, Column};
use crate::error::Error;
use crate::offsets::Offsets;
use crate::table::Table;

const NOWHERE: u32 = u32::MAX;

/// A foreign key as an index: from each row to the one row it refers to, and from each row to all
/// that refer to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    forward: Vec<u32>,
    offsets: Offsets,
    backward: Vec<u32>,
    dangling: Option<Dangling>,
}

/// Rows whose key refers to nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dangling {
    /// How many rows.
    pub rows: usize,
    /// The first of them, from 0.
    pub first: usize,
}

impl Link {
    /// The row that `row` refers to.
    #[inline]
    pub fn forward(&self, row: usize) -> Option<u32> {
        Some(self.forward[row]).filter(|&target| target != NOWHERE)
    }

    /// The rows that refer to `row`, ascending.
    #[inline]
    pub fn backward(&self, row: usize) -> &[u32] {
        &self.backward[self.offsets.range(row)]
    }

    /// Rows with a complete key that refers to nothing.
    pub fn dangling(&self) -> Option<&Dangling> {
        self.dangling.as_ref()
    }

    /// Whether no row is referred to twice: the two tables are one to one.
    pub fn one_to_one(&self) -> bool {
        (0..self.offsets.len()).all(|row| self.offsets.range(row).len() <= 1)
    }

    /// Connects the columns of one table with the columns of another (or the same) that they refer
    /// to.
    pub(crate) fn connect(
        from: &Table,
        from_columns: &[usize],
        to: &Table,
        to_columns: &[usize],
    ) -> Result<Self, Error> {
        let (targets, sources) = key_codes(to, to_columns, Some((from, from_columns)))?;
        let rows_by_key = distinct_rows(to, to_columns, &targets)?;
        let mut forward = vec![NOWHERE; from.rows()];
        let mut counts = vec![0usize; to.rows()];
        let mut dangling: Option<Dangling> = None;
        for (row, source) in sources.iter().enumerate() {
            let Some(code) = source else { continue };
            match rows_by_key.get(*code as usize).copied().flatten() {
                Some(target) => {
                    forward[row] = target;
                    counts[target as usize] += 1;
                }
                None => {
                    dangling
                        .get_or_insert(Dangling {
                            rows: 0,
                            first: row,
                        })
                        .rows += 1
                }
            }
        }
        Ok(Self::along(forward, counts, dangling))
    }

    /// The same rows connected otherwise: `row` refers to what `refers(row)` says.
    ///
    /// # Panics
    /// If that is no row of the table referred to: a mistake of the caller, not of data.
    pub(crate) fn redirected(&self, refers: impl Fn(usize) -> Option<u32>) -> Self {
        let forward: Vec<u32> = (0..self.forward.len())
            .map(|row| refers(row).unwrap_or(NOWHERE))
            .collect();
        let mut counts = vec![0usize; self.offsets.len()];
        for &target in forward.iter().filter(|target| **target != NOWHERE) {
            counts[target as usize] += 1;
        }
        Self::along(forward, counts, self.dangling.clone())
    }

    /// The index of where each row refers to, and how many refer to each.
    fn along(forward: Vec<u32>, counts: Vec<usize>, dangling: Option<Dangling>) -> Self {
        let offsets = Offsets::from_lengths(counts);
        let mut next: Vec<u32> = offsets.positions().to_vec();
        let mut backward = vec![0; offsets.items()];
        for (row, &target) in forward
            .iter()
            .enumerate()
            .filter(|(_, target)| **target != NOWHERE)
        {
            let slot = &mut next[target as usize];
            backward[*slot as usize] = row as u32;
            *slot += 1;
        }
        Self {
            forward,
            offsets,
            backward,
            dangling,
        }
    }
}

/// Fails when two rows of the table have the same values in these columns; rows with a missing part
/// do not count.
pub(crate) fn check_distinct(table: &Table, columns: &[usize]) -> Result<(), Error> {
    let (codes, _) = key_codes(table, columns, None)?;
    distinct_rows(table, columns, &codes).map(drop)
}

/// A code a row, equal where the key's values are equal; `None` where a part is missing.
type Codes = Vec<Option<u32>>;

/// The row of each key code.
fn distinct_rows(
    table: &Table,
    columns: &[usize],
    codes: &Codes,
) -> Result<Vec<Option<u32>>, Error> {
    let mut rows: Vec<Option<u32>> = vec![None; codes.len()];
    for (row, code) in codes.iter().enumerate() {
        let Some(code) = code else { continue };
        if let Some(first) = rows[*code as usize].replace(row as u32) {
            let values: Vec<String> = columns
                .iter()
                .map(|&c| table.attribute(c).column.value(row).to_string())
                .collect();
            return Err(Error::DuplicateKey {
                table: table.name().to_owned(),
                key: columns
                    .iter()
                    .map(|&c| table.attribute(c).name.clone())
                    .collect(),
                value: values.join(", "),
                first: first as usize + 1,
                second: row + 1,
            });
        }
    }
    Ok(rows)
}

/// Codes for the key of one table and, in the same codes, for the columns of another that refer to
/// it.
///
/// Codes of the first table are below its number of rows. Columns join one after the other, so a
/// composite key needs no text and no tuple: the pair (code so far, code of the next column) gets
/// the next code.
fn key_codes(
    table: &Table,
    columns: &[usize],
    other: Option<(&Table, &[usize])>,
) -> Result<(Codes, Codes), Error> {
    let mut joined: Option<(Codes, Codes)> = None;
    for (position, &column) in columns.iter().enumerate() {
        let mut coder = Coder::default();
        let codes = coder.codes(table, column, true)?;
        let others = match other {
            Some((other, other_columns)) => coder.codes(other, other_columns[position], false)?,
            None => Vec::new(),
        };
        joined = Some(match joined {
            None => (codes, others),
            Some(before) => join(before, (codes, others)),
        });
    }
    Ok(joined.unwrap_or_default())
}

fn join(before: (Codes, Codes), after: (Codes, Codes)) -> (Codes, Codes) {
    let mut pairs: HashMap<(u32, u32), u32> = HashMap::new();
    let first = before
        .0
        .into_iter()
        .zip(after.0)
        .map(|(a, b)| {
            let next = pairs.len() as u32;
            Some(*pairs.entry((a?, b?)).or_insert(next))
        })
        .collect();
    // A pair that the first table does not have refers to nothing: it gets a code no row has.
    let second = before
        .1
        .into_iter()
        .zip(after.1)
        .map(|(a, b)| Some(*pairs.get(&(a?, b?)).unwrap_or(&NOWHERE)))
        .collect();
    (first, second)
}

/// Gives equal codes to equal key values, across tables and across types: the number 5 and the
/// label `5` are one key.
#[derive(Default)]
struct Coder {
    texts: HashMap<String, u32>,
    numbers: HashMap<u64, u32>,
    next: u32,
}

impl Coder {
    fn codes(&mut self, table: &Table, column: usize, may_add: bool) -> Result<Codes, Error> {
        let attribute = table.attribute(column);
        let column: &Column = &attribute.column;
        let rows = 0..column.len();
        match column.cells() {
            Cells::Nominal { codes, dictionary } => {
                let mut known: Vec<Option<u32>> = vec![None; dictionary.len()];
                Ok(rows
                    .map(|row| {
                        column.is_present(row).then(|| {
                            *known[codes[row] as usize].get_or_insert_with(|| {
                                self.text(dictionary.label(codes[row]), may_add)
                            })
                        })
                    })
                    .collect())
            }
            Cells::Numeric(numbers) => Ok(rows
                .map(|row| {
                    column
                        .is_present(row)
                        .then(|| self.number(numbers[row], may_add))
                })
                .collect()),
            Cells::String(texts) => Ok(rows
                .map(|row| {
                    column
                        .is_present(row)
                        .then(|| self.text(texts.get(row), may_add))
                })
                .collect()),
            Cells::DateTime(_) => Ok(rows
                .map(|row| {
                    column
                        .is_present(row)
                        .then(|| self.text(&column.value(row).to_string(), may_add))
                })
                .collect()),
            _ => Err(Error::KeyType {
                table: table.name().to_owned(),
                column: attribute.name.clone(),
                found: attribute.type_of(),
            }),
        }
    }

    fn number(&mut self, number: f64, may_add: bool) -> u32 {
        let bits = (number + 0.0).to_bits();
        match self.numbers.get(&bits) {
            Some(code) => *code,
            None if may_add => *self.numbers.entry(bits).insert(fresh(&mut self.next)).get(),
            None => NOWHERE,
        }
    }

    fn text(&mut self, text: &str, may_add: bool) -> u32 {
        if let Some(number) = canonical_number(text) {
            return self.number(number, may_add);
        }
        match self.texts.get(text) {
            Some(code) => *code,
            None if may_add => *self
                .texts
                .entry(text.to_owned())
                .insert(fresh(&mut self.next))
                .get(),
            None => NOWHERE,
        }
    }
}

fn fresh(next: &mut u32) -> u32 {
    let code = *next;
    *next += 1;
    code
}

/// The number that prints as exactly this text: `5`, but neither `05` nor `5.0`, which are other
/// labels.
pub(crate) fn canonical_number(text: &str) -> Option<f64> {
    let first = *text.as_bytes().first()?;
    if !(first.is_ascii_digit() || first == b'-') {
        return None;
    }
    text.parse::<f64>()
        .ok()
        .filter(|number| number.to_string() == text)
}
