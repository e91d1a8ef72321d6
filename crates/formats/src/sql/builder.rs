//! Columns while rows stream in: declared types are where they begin, values decide where they end.

use std::sync::Arc;

use kinwood_values::column::{Members, Texts};
use kinwood_values::offsets::Offsets;
use kinwood_values::{Cells, Column, Dictionary, Kind, Validity, datetime};

use super::label::{self, Cell};
use crate::csv::evidence;

/// The largest whole number up to which numbers tell all whole numbers apart.
const EXACT: u64 = 1 << 53;
const MISSING: u32 = u32::MAX;
const NEVER: i64 = i64::MIN;

/// What a column is declared to hold.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Plan {
    /// Anything: its first value decides.
    Any,
    Number,
    Text,
    /// Points in time; text in ISO form, or numbers.
    Date,
    /// True or false; also as 1 or 0.
    Truth,
    /// Labels, never free text; these first, in this order.
    Labels(Vec<String>),
    /// Values of one kind in an order.
    List(Box<Plan>),
    /// Structured values as JSON.
    Json,
    /// Character strings, whatever they look like.
    String,
}

/// What happened to values on the way, to be told.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// Numbers that are not finite, and dates outside of the calendar.
    pub infinite: usize,
    /// Binary values.
    pub blobs: usize,
    /// Texts that are not UTF-8.
    pub foreign: usize,
    /// Empty texts in columns of numbers or dates.
    pub blank: usize,
    /// Whole numbers too large to be told apart from their neighbours.
    pub rounded: usize,
    /// Lists of lists, which are read as one list.
    pub flattened: usize,
    /// The first value that contradicts the declaration.
    pub contradiction: Option<Contradiction>,
}

/// A value that its column cannot hold.
#[derive(Debug)]
pub(super) struct Contradiction {
    pub example: String,
    /// Its row, from 1.
    pub row: usize,
    /// Whether it is of the declared kind, but would not stay exact, as a key must.
    pub inexact: bool,
}

#[derive(Debug)]
enum Values {
    /// No value yet, in so many rows.
    Undecided(usize),
    Numbers(Vec<f64>),
    Instants(Vec<i64>),
    Labels {
        codes: Vec<u32>,
        dictionary: Dictionary,
    },
    List {
        offsets: Offsets,
        validity: Validity,
        child: Box<Builder>,
    },
    Texts(Texts, Validity),
    /// The cells are passed over.
    Passed,
}

/// A column while its rows stream in.
#[derive(Debug)]
pub(super) struct Builder {
    pub plan: Plan,
    /// Whether the column is part of a key: then no two values may become one.
    key: bool,
    capacity: usize,
    values: Values,
    pub told: Told,
    scratch: String,
}

/// What a column holds in the end.
#[derive(Debug)]
pub(super) enum Built {
    Column(Column),
    /// Character strings; those in JSON are to be understood all at once.
    Texts(Texts, Validity),
    /// Binary values only.
    Binary,
}

impl Builder {
    /// A column declared so, about to receive about so many rows.
    pub fn new(plan: Plan, key: bool, capacity: usize) -> Self {
        let values = match &plan {
            Plan::Any | Plan::Date | Plan::Number | Plan::Text | Plan::Truth => {
                Values::Undecided(0)
            }
            Plan::Labels(labels) => Values::Labels {
                codes: reserved(0, MISSING, capacity),
                dictionary: Dictionary::from_labels(labels),
            },
            Plan::List(of) => Values::List {
                offsets: Offsets::default(),
                validity: Validity::new(),
                child: Box::new(Builder::new((**of).clone(), false, 0)),
            },
            Plan::Json | Plan::String => Values::Texts(Texts::default(), Validity::new()),
        };
        Self {
            plan,
            key,
            capacity,
            values,
            told: Told::default(),
            scratch: String::new(),
        }
    }

    /// Whether a value contradicted the declaration, so that the column must be read again as text.
    pub fn contradicted(&self) -> bool {
        self.told.contradiction.is_some() && self.passed()
    }

    /// Whether cells are passed over.
    pub fn passed(&self) -> bool {
        matches!(self.values, Values::Passed)
    }

    /// The same column for another pass: as text if it was contradicted, passed over if not.
    pub fn again(&mut self, rows: usize) -> Self {
        let mut again = Builder::new(Plan::Text, self.key, rows);
        if self.contradicted() {
            again.told.contradiction = self.told.contradiction.take();
        } else {
            again.values = Values::Passed;
        }
        again
    }

    /// Takes the value of the next row.
    #[inline]
    pub fn push(&mut self, cell: Cell<'_>) {
        match (&mut self.values, cell) {
            (Values::Passed, _) => {}
            (Values::Numbers(numbers), Cell::Real(number)) if number.is_finite() => {
                numbers.push(number + 0.0);
            }
            (Values::Numbers(numbers), Cell::Integer(number)) if number.unsigned_abs() <= EXACT => {
                numbers.push(number as f64);
            }
            (Values::Labels { codes, dictionary }, Cell::Text(bytes))
                if self.plan != Plan::Truth && std::str::from_utf8(bytes).is_ok() =>
            {
                let text = std::str::from_utf8(bytes).unwrap_or_default();
                codes.push(dictionary.intern(text));
            }
            (Values::Undecided(_), cell) => self.decide(cell),
            (Values::Numbers(_), cell) => self.push_number(cell),
            (Values::Instants(_), cell) => self.push_instant(cell),
            (Values::Labels { .. }, cell) => self.push_label(cell),
            (Values::Texts(..), cell) => self.push_text(cell),
            // Members of lists arrive one by one; only a list that is null arrives as a cell.
            (Values::List { .. }, _) => self.close_list(false),
        }
    }

    /// The members of the list that is being read.
    pub fn members(&mut self) -> Option<&mut Builder> {
        match &mut self.values {
            Values::List { child, .. } => Some(child),
            _ => None,
        }
    }

    /// Ends the list of this row.
    pub fn close_list(&mut self, present: bool) {
        if let Values::List {
            offsets,
            validity,
            child,
        } = &mut self.values
        {
            offsets.push(child.len() - offsets.items());
            validity.push(present);
        }
    }

    fn len(&self) -> usize {
        match &self.values {
            Values::Undecided(rows) => *rows,
            Values::Numbers(numbers) => numbers.len(),
            Values::Instants(instants) => instants.len(),
            Values::Labels { codes, .. } => codes.len(),
            Values::List { offsets, .. } => offsets.len(),
            Values::Texts(texts, _) => texts.len(),
            Values::Passed => 0,
        }
    }

    /// Begins to hold what the first value is.
    #[cold]
    fn decide(&mut self, cell: Cell<'_>) {
        let Values::Undecided(rows) = &mut self.values else {
            return;
        };
        if cell == Cell::Null || (matches!(cell, Cell::Blob(_)) && !self.key) {
            *rows += 1;
            self.told.blobs += usize::from(cell != Cell::Null);
            return;
        }
        let rows = *rows;
        let capacity = self.capacity.max(rows);
        let number = matches!(cell, Cell::Integer(_) | Cell::Real(_) | Cell::Decimal(_));
        let labels = |dictionary| Values::Labels {
            codes: reserved(rows, MISSING, capacity),
            dictionary,
        };
        self.values = match self.plan {
            Plan::Truth => labels(Dictionary::from_labels(["false", "true"])),
            Plan::Number => Values::Numbers(reserved(rows, f64::NAN, capacity)),
            Plan::Any | Plan::Date if number => Values::Numbers(reserved(rows, f64::NAN, capacity)),
            Plan::Date => Values::Instants(reserved(rows, NEVER, capacity)),
            _ => labels(Dictionary::new()),
        };
        self.push(cell);
    }

    fn push_number(&mut self, cell: Cell<'_>) {
        let Values::Numbers(numbers) = &mut self.values else {
            return;
        };
        match cell {
            Cell::Null => numbers.push(f64::NAN),
            Cell::Real(_) | Cell::Never => {
                self.told.infinite += 1;
                numbers.push(f64::NAN);
            }
            Cell::Integer(_) | Cell::Truth(_) | Cell::Instant(_) if self.key => {
                self.contradict(cell);
            }
            Cell::Integer(number) => {
                self.told.rounded += 1;
                numbers.push(number as f64);
            }
            Cell::Decimal(text) => {
                let number = fast_float2::parse::<f64, _>(text).unwrap_or(f64::NAN);
                if self.key && number.to_string() != text {
                    self.contradict(cell);
                } else if number.is_finite() {
                    numbers.push(number);
                } else {
                    self.told.infinite += 1;
                    numbers.push(f64::NAN);
                }
            }
            Cell::Text(bytes) if bytes.trim_ascii().is_empty() && !self.key => {
                self.told.blank += 1;
                numbers.push(f64::NAN);
            }
            Cell::Blob(_) if !self.key => {
                self.told.blobs += 1;
                numbers.push(f64::NAN);
            }
            _ => self.contradict(cell),
        }
    }

    fn push_instant(&mut self, cell: Cell<'_>) {
        let Values::Instants(instants) = &mut self.values else {
            return;
        };
        let outside = |instant: &i64| !datetime::in_calendar(*instant);
        match cell {
            Cell::Null => instants.push(NEVER),
            Cell::Never => {
                self.told.infinite += 1;
                instants.push(NEVER);
            }
            Cell::Instant(microseconds) if self.key && microseconds % 1000 != 0 => {
                self.contradict(cell);
            }
            Cell::Instant(microseconds) => {
                let instant = Some(microseconds.div_euclid(1000)).filter(|i| !outside(i));
                self.told.infinite += usize::from(instant.is_none());
                instants.push(instant.unwrap_or(NEVER));
            }
            Cell::Text(bytes) if bytes.trim_ascii().is_empty() && !self.key => {
                self.told.blank += 1;
                instants.push(NEVER);
            }
            Cell::Text(bytes) => match std::str::from_utf8(bytes).ok().map(datetime::parse) {
                Some(Ok(instant)) if !(self.key && below_a_millisecond(bytes)) => {
                    instants.push(instant);
                }
                _ => self.contradict(cell),
            },
            Cell::Blob(_) if !self.key => {
                self.told.blobs += 1;
                instants.push(NEVER);
            }
            _ => self.contradict(cell),
        }
    }

    fn push_label(&mut self, cell: Cell<'_>) {
        let Values::Labels { codes, dictionary } = &mut self.values else {
            return;
        };
        let truth = self.plan == Plan::Truth;
        let code = match cell {
            Cell::Null => MISSING,
            Cell::Never => {
                self.told.infinite += 1;
                MISSING
            }
            Cell::Blob(_) if !self.key => {
                self.told.blobs += 1;
                MISSING
            }
            Cell::Integer(truth_value @ (0 | 1)) if truth => truth_value as u32,
            Cell::Truth(truth_value) if truth => u32::from(truth_value),
            _ if truth => return self.contradict(cell),
            _ => {
                if let Cell::Text(bytes) = cell {
                    self.told.foreign += usize::from(std::str::from_utf8(bytes).is_err());
                }
                self.scratch.clear();
                label::write(cell, &mut self.scratch);
                dictionary.intern(&self.scratch)
            }
        };
        codes.push(code);
    }

    fn push_text(&mut self, cell: Cell<'_>) {
        let Values::Texts(texts, validity) = &mut self.values else {
            return;
        };
        self.scratch.clear();
        let present = !matches!(cell, Cell::Null | Cell::Blob(_));
        if present {
            label::write(cell, &mut self.scratch);
        }
        self.told.blobs += usize::from(matches!(cell, Cell::Blob(_)));
        texts.push(&self.scratch);
        validity.push(present);
    }

    /// Gives up what the column was taken for.
    #[cold]
    fn contradict(&mut self, cell: Cell<'_>) {
        let inexact = match (&self.values, cell) {
            (Values::Numbers(_), Cell::Integer(_) | Cell::Decimal(_)) => true,
            (Values::Instants(_), Cell::Instant(_)) => true,
            (Values::Instants(_), Cell::Text(bytes)) => below_a_millisecond(bytes),
            _ => false,
        };
        let mut example = String::new();
        label::write(cell, &mut example);
        self.told.contradiction = Some(Contradiction {
            example,
            row: self.len() + 1,
            inexact: inexact && self.key,
        });
        self.values = Values::Passed;
    }

    /// The finished values of so many rows; `None` if they were passed over.
    pub fn finish(mut self) -> Option<(Plan, Built, Told)> {
        let built = match self.values {
            Values::Passed => return None,
            Values::Undecided(_) if self.told.blobs > 0 => Built::Binary,
            Values::Undecided(rows) => Built::Column(without_values(&self.plan, rows)),
            Values::Numbers(mut numbers) => {
                numbers.shrink_to_fit();
                Built::Column(Column::numeric(numbers))
            }
            Values::Instants(mut instants) => {
                instants.shrink_to_fit();
                let validity = settle(&mut instants, NEVER);
                Built::Column(Column::new(Cells::DateTime(instants), validity))
            }
            Values::Labels {
                mut codes,
                dictionary,
            } => {
                codes.shrink_to_fit();
                let validity = settle(&mut codes, MISSING);
                let dictionary = Arc::new(dictionary);
                Built::Column(Column::new(Cells::Nominal { codes, dictionary }, validity))
            }
            Values::List {
                offsets,
                validity,
                child,
            } => {
                let Some((of, Built::Column(child), mut told)) = child.finish() else {
                    return Some((self.plan, Built::Binary, self.told));
                };
                let child = Box::new(match of {
                    Plan::Labels(_) | Plan::Truth => child,
                    _ => evidence::infer(child).column,
                });
                told.flattened += self.told.flattened;
                self.told = told;
                let cells = Cells::Collection {
                    kind: Kind::List,
                    members: Members { offsets, child },
                };
                Built::Column(Column::new(cells, Some(validity)))
            }
            Values::Texts(texts, validity) => Built::Texts(texts, validity),
        };
        Some((self.plan, built, self.told))
    }
}

/// A column of the declared type in which every row is missing.
fn without_values(plan: &Plan, rows: usize) -> Column {
    let validity = Some(Validity::from_bits(std::iter::repeat_n(false, rows)));
    match plan {
        Plan::Number => Column::numeric(vec![f64::NAN; rows]),
        Plan::Date => Column::new(Cells::DateTime(vec![0; rows]), validity),
        Plan::Truth => {
            let dictionary = Arc::new(Dictionary::from_labels(["false", "true"]));
            let codes = vec![0; rows];
            Column::new(Cells::Nominal { codes, dictionary }, validity)
        }
        _ => Column::nominal(std::iter::repeat_n(None, rows)),
    }
}

/// Whether an ISO text states parts of a millisecond, which a point in time does not keep.
fn below_a_millisecond(text: &[u8]) -> bool {
    let fraction = text.iter().skip_while(|&&byte| byte != b'.').skip(1);
    let digits = fraction.take_while(|byte| byte.is_ascii_digit());
    digits.skip(3).any(|&digit| digit != b'0')
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

/// Which cells hold a value; the others get the filler that nobody reads.
fn settle<T: PartialEq + Copy + Default>(values: &mut [T], absent: T) -> Option<Validity> {
    let validity = values
        .contains(&absent)
        .then(|| Validity::from_bits(values.iter().map(|value| *value != absent)));
    if validity.is_some() {
        let missing = values.iter_mut().filter(|value| **value == absent);
        missing.for_each(|value| *value = T::default());
    }
    validity
}

#[cfg(test)]
mod tests;
