//! Columns while they are being read.
//!
//! A column whose type nobody stated starts as what the first rows suggest. A cell that contradicts
//! a number or date ends that: nothing more is kept, and another pass reads the column as text.

use kinwood_values::column::Texts;
use kinwood_values::notation::amounts::Decimal;
use kinwood_values::notation::dates::Order;
use kinwood_values::notation::{self, Notation};
use kinwood_values::suggest::nearest;
use kinwood_values::{Cells, Column, Dictionary, Type, Validity, datetime};

use super::labels::{Labels, MISSING};
use super::missing::Missing;
use super::number;

/// The instant that stands for a missing one while a column is being read; no calendar has it.
const NEVER: i64 = i64::MIN;

/// What a column holds so far.
#[derive(Debug)]
pub(super) enum Values {
    /// No value yet, in any row.
    Undecided,
    Numeric(Vec<f64>),
    DateTime(Vec<i64>),
    Labels(Labels),
    Texts(Texts, Validity),
    Structured(Box<Column>),
    /// The cells are passed over.
    Passed,
}

/// A column while it is being read.
#[derive(Debug)]
pub(super) struct Builder {
    pub values: Values,
    /// Which cells are missing.
    pub missing: Missing,
    stated: Option<Type>,
    /// How its values are written, where that is stated.
    notation: Option<Notation>,
    /// Whether the labels are stated, so that no other may occur.
    closed: bool,
    /// Whether a cell contradicted the type that the first rows suggested.
    pub contradicted: bool,
    /// How many rows there will be, about.
    capacity: usize,
}

/// Why a cell does not fit the stated type of its column.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    pub expected: String,
    pub nearest: Option<String>,
}

impl Builder {
    /// A column of the stated type, and of the stated labels if there are any.
    pub fn stated(
        of: &Type,
        labels: Option<&[String]>,
        notation: Option<Notation>,
        missing: &Missing,
        capacity: usize,
    ) -> Self {
        let mut builder = Self::undecided(missing, capacity);
        builder.values = match of {
            Type::Nominal => {
                builder.closed = labels.is_some();
                let labels = labels.unwrap_or_default();
                builder.missing = missing.except(labels);
                labels_of(Dictionary::from_labels(labels), 0, capacity)
            }
            // What a notation settles is not for the fast path.
            of if notation.is_some() => Values::Structured(Box::new(Column::empty(of))),
            Type::Numeric => Values::Numeric(reserved(0, f64::NAN, capacity)),
            Type::DateTime => Values::DateTime(reserved(0, NEVER, capacity)),
            Type::String => Values::Texts(Texts::default(), Validity::new()),
            structured => Values::Structured(Box::new(Column::empty(structured))),
        };
        builder.stated = Some(of.clone());
        builder.notation = notation;
        builder
    }

    /// A column whose first value decides what it starts as.
    pub fn undecided(missing: &Missing, capacity: usize) -> Self {
        Self {
            values: Values::Undecided,
            missing: missing.clone(),
            stated: None,
            notation: None,
            closed: false,
            contradicted: false,
            capacity,
        }
    }

    /// A column that is text, because some cell of it is neither number nor date.
    pub fn text(missing: &Missing, capacity: usize) -> Self {
        Self {
            values: labels_of(Dictionary::new(), 0, capacity),
            ..Self::undecided(missing, capacity)
        }
    }

    /// A column that is passed over.
    pub fn passed(missing: &Missing) -> Self {
        Self {
            values: Values::Passed,
            ..Self::undecided(missing, 0)
        }
    }

    /// Whether the type was stated.
    pub fn is_stated(&self) -> bool {
        self.stated.is_some()
    }

    /// Takes the cell of row `row`. A row that is read again, because it did not end in its window,
    /// leaves what it left before.
    pub fn push(&mut self, text: &str, row: usize) -> Result<(), Refusal> {
        if let Values::Undecided = self.values {
            if self.missing.is(text) {
                return Ok(());
            }
            self.start(text, row);
        }
        match &mut self.values {
            Values::Undecided | Values::Passed => {}
            Values::Numeric(numbers) => {
                if self.missing.is(text) {
                    numbers.push(f64::NAN);
                } else if let Some(number) = number::read(text) {
                    numbers.push(number);
                } else if let Some(number) = self.stated.as_ref().and_then(|_| amount(text)) {
                    numbers.push(number);
                } else {
                    return self.contradict("a number");
                }
            }
            Values::DateTime(instants) => {
                if self.missing.is(text) {
                    instants.push(NEVER);
                } else if let Ok(instant) = datetime::parse(text) {
                    instants.push(instant);
                } else if let Some(instant) = self.stated.as_ref().and_then(|_| date(text)) {
                    instants.push(instant);
                } else {
                    return self.contradict("a date such as `2024-05-01`");
                }
            }
            Values::Labels(_) => {
                let code = self.code(text)?;
                if let Values::Labels(labels) = &mut self.values {
                    labels.codes.push(code);
                }
            }
            Values::Texts(texts, validity) => {
                if texts.len() == row {
                    let present = !self.missing.is(text);
                    texts.push(if present { text } else { "" });
                    validity.push(present);
                }
            }
            Values::Structured(column) => {
                if column.len() == row {
                    if self.missing.is(text) {
                        column.push_missing();
                    } else {
                        push_structured(column, text, self.notation)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The code of a label, new or known, in a text column.
    pub fn code(&mut self, text: &str) -> Result<u32, Refusal> {
        let Values::Labels(labels) = &mut self.values else {
            return Ok(MISSING);
        };
        if self.missing.is(text) {
            return Ok(MISSING);
        }
        if !self.closed {
            return Ok(labels.dictionary.intern(text));
        }
        labels.dictionary.code(text).ok_or_else(|| Refusal {
            expected: one_of(&labels.dictionary),
            nearest: nearest(text, labels.dictionary.labels()),
        })
    }

    /// Drops the cells of a row that did not end in its window.
    pub fn forget_from(&mut self, row: usize) {
        match &mut self.values {
            Values::Numeric(numbers) => numbers.truncate(row),
            Values::DateTime(instants) => instants.truncate(row),
            Values::Labels(labels) => labels.codes.truncate(row),
            // These keep what they have: the row read again is the same row.
            Values::Texts(..) | Values::Structured(_) | Values::Undecided | Values::Passed => {}
        }
    }

    /// Begins to hold what the first value is, behind `row` missing cells.
    fn start(&mut self, text: &str, row: usize) {
        let capacity = self.capacity.max(row);
        self.values = match kind_of(text) {
            CellKind::Number => Values::Numeric(reserved(row, f64::NAN, capacity)),
            CellKind::Date => Values::DateTime(reserved(row, NEVER, capacity)),
            CellKind::Text => labels_of(Dictionary::new(), row, capacity),
        };
    }

    fn contradict(&mut self, expected: &str) -> Result<(), Refusal> {
        if self.stated.is_some() {
            return Err(Refusal {
                expected: expected.to_owned(),
                nearest: None,
            });
        }
        self.contradicted = true;
        self.values = Values::Passed;
        Ok(())
    }

    /// The finished values; `None` if they were passed over.
    pub fn finish(self, rows: usize) -> Option<Column> {
        Some(match self.values {
            Values::Passed => return None,
            Values::Undecided => Column::nominal(std::iter::repeat_n(None, rows)),
            Values::Numeric(mut numbers) => {
                numbers.shrink_to_fit();
                Column::numeric(numbers)
            }
            Values::DateTime(mut instants) => {
                instants.shrink_to_fit();
                let validity = present(&instants, NEVER);
                clear(&mut instants, NEVER);
                Column::new(Cells::DateTime(instants), validity)
            }
            Values::Labels(labels) => {
                let mut codes = labels.codes;
                codes.shrink_to_fit();
                let validity = present(&codes, MISSING);
                clear(&mut codes, MISSING);
                let dictionary = labels.dictionary.into();
                Column::new(Cells::Nominal { codes, dictionary }, validity)
            }
            Values::Texts(texts, validity) => Column::new(Cells::String(texts), Some(validity)),
            Values::Structured(column) => *column,
        })
    }
}

fn labels_of(dictionary: Dictionary, missing: usize, capacity: usize) -> Values {
    let mut labels = Labels::new(dictionary);
    labels.codes = reserved(missing, MISSING, capacity);
    Values::Labels(labels)
}

/// A buffer of so many missing cells, with room for all rows where there is memory for them:
/// growing would copy.
fn reserved<T: Clone>(rows: usize, missing: T, capacity: usize) -> Vec<T> {
    let mut values = Vec::new();
    if values.try_reserve_exact(capacity).is_err() {
        values.shrink_to_fit();
    }
    values.resize(rows, missing);
    values
}

fn present<T: PartialEq + Copy>(values: &[T], absent: T) -> Option<Validity> {
    values
        .contains(&absent)
        .then(|| Validity::from_bits(values.iter().map(|value| *value != absent)))
}

fn clear<T: PartialEq + Copy + Default>(values: &mut [T], absent: T) {
    values
        .iter_mut()
        .filter(|value| **value == absent)
        .for_each(|value| *value = T::default());
}

/// A structured cell has any form that its type can be written in.
fn push_structured(
    column: &mut Column,
    text: &str,
    notation: Option<Notation>,
) -> Result<(), Refusal> {
    let of = column.type_of();
    let refused = |reason: String| Refusal {
        expected: format!("a `{of}` ({reason})"),
        nearest: None,
    };
    let value = notation::read(text, &of, notation).map_err(refused)?;
    column
        .push(&value)
        .map_err(|error| refused(error.to_string()))
}

/// An amount in a column that is stated to be of numbers.
fn amount(text: &str) -> Option<f64> {
    notation::amounts::read(text, Decimal::Point).map(|amount| amount.number)
}

/// A date in a column that is stated to be of dates.
fn date(text: &str) -> Option<i64> {
    notation::dates::read(text, Order::DayFirst)
}

fn one_of(dictionary: &Dictionary) -> String {
    const SHOWN: usize = 8;
    let labels: Vec<String> = dictionary
        .labels()
        .take(SHOWN)
        .map(|label| format!("`{label}`"))
        .collect();
    let more = dictionary.len().saturating_sub(SHOWN);
    match more {
        0 => format!("one of the declared values {}", labels.join(", ")),
        _ => format!(
            "one of the declared values {} and {more} more",
            labels.join(", ")
        ),
    }
}

/// What one cell could be, alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellKind {
    Number,
    Date,
    Text,
}

pub(super) fn kind_of(text: &str) -> CellKind {
    if number::read(text).is_some() {
        CellKind::Number
    } else if is_date(text) {
        CellKind::Date
    } else {
        CellKind::Text
    }
}

/// Whether the text is an ISO date; most texts are not, and are told apart by their first
/// character.
pub(super) fn is_date(text: &str) -> bool {
    text.trim_start()
        .starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '+')
        && text.contains('-')
        && datetime::parse(text).is_ok()
}
