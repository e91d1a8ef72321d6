//! Columns that grow by arrays.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowDictionaryKeyType, ArrowPrimitiveType, Date32Type, Date64Type, Decimal32Type,
    Decimal64Type, Decimal128Type, Decimal256Type, DecimalType, Float16Type, Float32Type,
    Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, TimestampMicrosecondType,
    TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, DictionaryArray, PrimitiveArray};
use arrow_buffer::{ArrowNativeType, NullBuffer};
use arrow_schema::{DataType, TimeUnit};
use kinwood_values::column::Members;
use kinwood_values::types::DEEPEST_TYPE;
use kinwood_values::{Cells, Column, Dictionary, Kind, Notice, NoticeKind, Validity, datetime};

use super::lists::{self, Child, Positions, TooMany};

/// A column while it grows.
pub(super) struct Growing {
    buffers: Buffers,
    present: Present,
}

enum Buffers {
    /// Nothing but missing values.
    Missing,
    Numbers(Vec<f64>),
    Instants(Vec<i64>),
    Labels(Labels),
    Lists {
        positions: Positions,
        child: Box<Growing>,
    },
    Fields {
        names: Vec<Option<String>>,
        fields: Vec<Growing>,
    },
}

/// The items of lists, and what is lost of them.
struct Items<'a> {
    child: &'a mut Growing,
    losses: &'a mut Losses,
}

impl Child for Items<'_> {
    fn items(&self) -> usize {
        self.child.rows()
    }

    fn append(&mut self, items: &dyn Array) -> Result<(), TooMany> {
        self.child.append(items, None, self.losses)
    }
}

/// Codes and what they mean.
#[derive(Default)]
struct Labels {
    codes: Vec<u32>,
    dictionary: Dictionary,
    /// Whether the file gives the labels and their order.
    declared: bool,
    /// The last dictionary of the file, and the codes of its labels: batches often share one.
    known: Option<(ArrayRef, Vec<u32>)>,
}

impl Growing {
    /// A column for arrays of this type, or why there is none.
    pub fn new(of: &DataType, level: usize) -> Result<Self, String> {
        if level > DEEPEST_TYPE {
            return Err(format!(
                "its type is nested more than {DEEPEST_TYPE} levels deep"
            ));
        }
        let list = |of: &DataType| -> Result<Buffers, String> {
            Ok(Buffers::Lists {
                positions: Positions::default(),
                child: Box::new(Growing::new(of, level + 1)?),
            })
        };
        let labels = |declared: &[&str]| {
            Buffers::Labels(Labels {
                dictionary: Dictionary::from_labels(declared),
                declared: !declared.is_empty(),
                ..Labels::default()
            })
        };
        let buffers = match of {
            DataType::Null => Buffers::Missing,
            DataType::Boolean => labels(&["false", "true"]),
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => labels(&[]),
            DataType::Dictionary(_, of) if is_text(of) => Buffers::Labels(Labels {
                declared: true,
                ..Labels::default()
            }),
            DataType::Int8
            | DataType::Int16
            | DataType::Int32
            | DataType::Int64
            | DataType::UInt8
            | DataType::UInt16
            | DataType::UInt32
            | DataType::UInt64
            | DataType::Float16
            | DataType::Float32
            | DataType::Float64
            | DataType::Decimal32(..)
            | DataType::Decimal64(..)
            | DataType::Decimal128(..)
            | DataType::Decimal256(..) => Buffers::Numbers(Vec::new()),
            DataType::Date32 | DataType::Date64 | DataType::Timestamp(..) => {
                Buffers::Instants(Vec::new())
            }
            DataType::List(of) | DataType::LargeList(of) | DataType::FixedSizeList(of, _) => {
                list(of.data_type())?
            }
            DataType::Map(entries, _) => list(entries.data_type())?,
            DataType::Struct(fields) => {
                let mut names = std::collections::HashSet::new();
                if let Some(twice) = fields.iter().find(|field| !names.insert(field.name())) {
                    return Err(format!("two of its fields are named `{}`", twice.name()));
                }
                Buffers::Fields {
                    names: fields
                        .iter()
                        .map(|field| Some(field.name().clone()))
                        .collect(),
                    fields: fields
                        .iter()
                        .map(|field| Growing::new(field.data_type(), level + 1))
                        .collect::<Result<_, _>>()?,
                }
            }
            other => return Err(format!("values of type `{other}` are not read")),
        };
        Ok(Self {
            buffers,
            present: Present::default(),
        })
    }

    /// Whether the file says what labels there are.
    pub fn is_declared(&self) -> bool {
        matches!(&self.buffers, Buffers::Labels(labels) if labels.declared)
    }

    /// Makes room for so many rows.
    pub fn reserve(&mut self, rows: usize) {
        match &mut self.buffers {
            Buffers::Numbers(numbers) => numbers.reserve_exact(rows),
            Buffers::Instants(instants) => instants.reserve_exact(rows),
            Buffers::Labels(labels) => labels.codes.reserve_exact(rows),
            Buffers::Lists { positions, .. } => positions.reserve(rows),
            Buffers::Fields { fields, .. } => {
                for field in fields {
                    field.reserve(rows);
                }
            }
            Buffers::Missing => {}
        }
    }

    /// Rows so far.
    pub fn rows(&self) -> usize {
        self.present.rows
    }

    /// Adds the rows of an array; those are missing that are in it, or in what is around it.
    pub fn append(
        &mut self,
        array: &dyn Array,
        around: Option<&NullBuffer>,
        losses: &mut Losses,
    ) -> Result<(), TooMany> {
        if self.rows() + array.len() >= u32::MAX as usize {
            return Err(TooMany);
        }
        let own = array.logical_nulls();
        let nulls = NullBuffer::union(around, own.as_ref()).filter(|nulls| nulls.null_count() > 0);
        let begin = self.rows();
        self.present.extend(array.len(), nulls.as_ref());
        match &mut self.buffers {
            Buffers::Missing => {}
            Buffers::Numbers(numbers) => {
                extend_numbers(numbers, array, nulls.as_ref(), losses);
                settle(numbers, begin, &mut self.present, losses);
            }
            Buffers::Instants(instants) => {
                extend_instants(instants, array, losses);
                for (row, instant) in instants.iter_mut().enumerate().skip(begin) {
                    if !self.present.is(row) {
                        *instant = 0;
                    } else if !datetime::in_calendar(*instant) {
                        losses.outside += 1;
                        *instant = 0;
                        self.present.clear(row);
                    }
                }
            }
            Buffers::Labels(labels) => labels.extend(array, nulls.as_ref()),
            Buffers::Lists { positions, child } => {
                let mut items = Items { child, losses };
                lists::extend(positions, &mut items, array, nulls.as_ref())?;
            }
            Buffers::Fields { fields, .. } => {
                for (field, array) in fields.iter_mut().zip(array.as_struct().columns()) {
                    field.append(array.as_ref(), nulls.as_ref(), losses)?;
                }
            }
        }
        Ok(())
    }

    /// The finished column.
    pub fn finish(self) -> Column {
        let rows = self.present.rows;
        let cells = match self.buffers {
            Buffers::Missing => return Column::nominal(std::iter::repeat_n(None, rows)),
            Buffers::Numbers(numbers) => Cells::Numeric(numbers),
            Buffers::Instants(instants) => Cells::DateTime(instants),
            Buffers::Labels(labels) => Cells::Nominal {
                codes: labels.codes,
                dictionary: Arc::new(labels.dictionary),
            },
            Buffers::Lists { positions, child } => {
                let child = child.finish();
                Cells::Collection {
                    kind: Kind::List,
                    members: Members {
                        offsets: positions.finish(child.len()),
                        child: Box::new(child),
                    },
                }
            }
            Buffers::Fields { names, fields } => Cells::Tuple {
                names,
                fields: fields.into_iter().map(Growing::finish).collect(),
                rows,
            },
        };
        Column::new(cells, self.present.validity)
    }
}

/// Which rows have a value; bits only once one has none.
#[derive(Default)]
struct Present {
    rows: usize,
    validity: Option<Validity>,
}

impl Present {
    fn extend(&mut self, rows: usize, nulls: Option<&NullBuffer>) {
        if nulls.is_some() && self.validity.is_none() {
            self.validity = Some(Validity::all_present(self.rows));
        }
        if let Some(validity) = &mut self.validity {
            (0..rows).for_each(|row| validity.push(nulls.is_none_or(|nulls| nulls.is_valid(row))));
        }
        self.rows += rows;
    }

    fn is(&self, row: usize) -> bool {
        self.validity
            .as_ref()
            .is_none_or(|validity| validity.is_present(row))
    }

    fn clear(&mut self, row: usize) {
        let rows = self.rows;
        self.validity
            .get_or_insert_with(|| Validity::all_present(rows))
            .clear(row);
    }
}

/// What a column could not hold as it was.
#[derive(Clone, Debug, Default)]
pub(super) struct Losses {
    not_numbers: usize,
    infinite: usize,
    rounded: usize,
    outside: usize,
    finer: usize,
}

impl Losses {
    /// What is told of them.
    pub fn notices(&self, place: &str) -> Vec<Notice> {
        let told = [
            (self.not_numbers, "are NaN: they count as missing"),
            (self.infinite, "are infinite: they count as missing"),
            (
                self.rounded,
                "have more digits than a double holds and are rounded; identifiers should be texts",
            ),
            (
                self.outside,
                "are dates outside of the calendar: they count as missing",
            ),
            (
                self.finer,
                "are finer than a millisecond: the rest is dropped",
            ),
        ];
        told.iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| {
                Notice::about(
                    NoticeKind::Type,
                    format!("{count} values of {place} {what}"),
                )
            })
            .collect()
    }
}

/// Missing numbers are NaN; those that are no finite numbers become missing.
fn settle(numbers: &mut [f64], begin: usize, present: &mut Present, losses: &mut Losses) {
    if present.validity.is_none() && numbers[begin..].iter().all(|number| number.is_finite()) {
        return;
    }
    for (row, number) in numbers.iter_mut().enumerate().skip(begin) {
        if !present.is(row) {
            *number = f64::NAN;
        } else if !number.is_finite() {
            losses.not_numbers += usize::from(number.is_nan());
            losses.infinite += usize::from(number.is_infinite());
            *number = f64::NAN;
            present.clear(row);
        }
    }
}

fn extend_numbers(
    numbers: &mut Vec<f64>,
    array: &dyn Array,
    nulls: Option<&NullBuffer>,
    losses: &mut Losses,
) {
    match array.data_type() {
        DataType::Int8 => plain::<Int8Type>(numbers, array, f64::from),
        DataType::Int16 => plain::<Int16Type>(numbers, array, f64::from),
        DataType::Int32 => plain::<Int32Type>(numbers, array, f64::from),
        DataType::UInt8 => plain::<UInt8Type>(numbers, array, f64::from),
        DataType::UInt16 => plain::<UInt16Type>(numbers, array, f64::from),
        DataType::UInt32 => plain::<UInt32Type>(numbers, array, f64::from),
        // Zero has one sign.
        DataType::Float16 => plain::<Float16Type>(numbers, array, |x| x.to_f64() + 0.0),
        DataType::Float32 => plain::<Float32Type>(numbers, array, |x| f64::from(x) + 0.0),
        DataType::Float64 => plain::<Float64Type>(numbers, array, |x| x + 0.0),
        DataType::Int64 => {
            plain::<Int64Type>(numbers, array, |x| x as f64);
            let inexact =
                |x: &i64| x.unsigned_abs() > EXACT && (*x as f64) as i128 != i128::from(*x);
            losses.rounded += counted::<Int64Type>(array, nulls, inexact);
        }
        DataType::UInt64 => {
            plain::<UInt64Type>(numbers, array, |x| x as f64);
            let inexact = |x: &u64| *x > EXACT && (*x as f64) as u128 != u128::from(*x);
            losses.rounded += counted::<UInt64Type>(array, nulls, inexact);
        }
        DataType::Decimal32(_, scale) => decimals::<Decimal32Type>(numbers, array, *scale, losses),
        DataType::Decimal64(_, scale) => decimals::<Decimal64Type>(numbers, array, *scale, losses),
        DataType::Decimal128(_, scale) => {
            decimals::<Decimal128Type>(numbers, array, *scale, losses);
        }
        _ => decimals::<Decimal256Type>(numbers, array, 0, losses),
    }
}

/// Up to here every integer is a double.
const EXACT: u64 = 1 << 53;

fn plain<T: ArrowPrimitiveType>(
    numbers: &mut Vec<f64>,
    array: &dyn Array,
    number: impl Fn(T::Native) -> f64,
) {
    let values = array.as_primitive::<T>().values();
    numbers.extend(values.iter().map(|&value| number(value)));
}

fn counted<T: ArrowPrimitiveType>(
    array: &dyn Array,
    nulls: Option<&NullBuffer>,
    is: impl Fn(&T::Native) -> bool,
) -> usize {
    let values = array.as_primitive::<T>().values().iter().enumerate();
    values
        .filter(|(row, value)| is(value) && nulls.is_none_or(|nulls| nulls.is_valid(*row)))
        .count()
}

/// Whole numbers and the place of their point: a quotient of two doubles where both are exact, else
/// by their digits.
fn decimals<T: DecimalType>(
    numbers: &mut Vec<f64>,
    array: &dyn Array,
    scale: i8,
    losses: &mut Losses,
) where
    T::Native: ArrowNativeType,
{
    let array: &PrimitiveArray<T> = array.as_primitive::<T>();
    let quick = (0..=22).contains(&scale) && T::BYTE_LENGTH <= 16;
    let divisor = 10f64.powi(i32::from(scale));
    for row in 0..array.len() {
        if array.is_null(row) {
            numbers.push(f64::NAN);
            continue;
        }
        let whole = array.value(row).to_i64().filter(|_| quick);
        numbers.push(match whole {
            Some(whole) if whole.unsigned_abs() <= EXACT => whole as f64 / divisor,
            _ => {
                let digits = array.value_as_string(row);
                let significant = digits
                    .trim_start_matches(['-', '0', '.'])
                    .bytes()
                    .filter(u8::is_ascii_digit);
                losses.rounded += usize::from(significant.count() > 17);
                digits.parse().unwrap_or(f64::NAN)
            }
        });
    }
}

const DAY: i64 = 86_400_000;

fn extend_instants(instants: &mut Vec<i64>, array: &dyn Array, losses: &mut Losses) {
    match array.data_type() {
        DataType::Date32 => {
            let days = array.as_primitive::<Date32Type>().values();
            instants.extend(days.iter().map(|&days| i64::from(days) * DAY));
        }
        DataType::Date64 => instants.extend_from_slice(array.as_primitive::<Date64Type>().values()),
        DataType::Timestamp(TimeUnit::Second, _) => {
            let seconds = array.as_primitive::<TimestampSecondType>().values();
            // Beyond all calendars it does not matter how far.
            instants.extend(seconds.iter().map(|seconds| seconds.saturating_mul(1000)));
        }
        DataType::Timestamp(TimeUnit::Millisecond, _) => {
            instants.extend_from_slice(array.as_primitive::<TimestampMillisecondType>().values());
        }
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            let values = array.as_primitive::<TimestampMicrosecondType>().values();
            coarsen(instants, values, 1_000, losses);
        }
        _ => {
            let values = array.as_primitive::<TimestampNanosecondType>().values();
            coarsen(instants, values, 1_000_000, losses);
        }
    }
}

fn coarsen(instants: &mut Vec<i64>, values: &[i64], by: i64, losses: &mut Losses) {
    instants.extend(values.iter().map(|value| value.div_euclid(by)));
    losses.finer += values.iter().filter(|value| *value % by != 0).count();
}

fn is_text(of: &DataType) -> bool {
    matches!(
        of,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View
    )
}

impl Labels {
    fn extend(&mut self, array: &dyn Array, nulls: Option<&NullBuffer>) {
        match array.data_type() {
            DataType::Boolean => {
                let truths = array.as_boolean();
                let present = |row: &usize| nulls.is_none_or(|nulls| nulls.is_valid(*row));
                let code = |row: usize| u32::from(present(&row) && truths.value(row));
                self.codes.extend((0..truths.len()).map(code));
            }
            DataType::Utf8 => self.texts(array.as_string::<i32>().iter(), nulls),
            DataType::LargeUtf8 => self.texts(array.as_string::<i64>().iter(), nulls),
            DataType::Utf8View => self.texts(array.as_string_view().iter(), nulls),
            DataType::Dictionary(key, _) => match key.as_ref() {
                DataType::Int8 => self.encoded(array.as_dictionary::<Int8Type>(), nulls),
                DataType::Int16 => self.encoded(array.as_dictionary::<Int16Type>(), nulls),
                DataType::Int32 => self.encoded(array.as_dictionary::<Int32Type>(), nulls),
                DataType::Int64 => self.encoded(array.as_dictionary::<Int64Type>(), nulls),
                DataType::UInt8 => self.encoded(array.as_dictionary::<UInt8Type>(), nulls),
                DataType::UInt16 => self.encoded(array.as_dictionary::<UInt16Type>(), nulls),
                DataType::UInt32 => self.encoded(array.as_dictionary::<UInt32Type>(), nulls),
                _ => self.encoded(array.as_dictionary::<UInt64Type>(), nulls),
            },
            _ => unreachable!("labels grow by arrays of the type they were made for"),
        }
    }

    fn texts<'t>(
        &mut self,
        texts: impl Iterator<Item = Option<&'t str>>,
        nulls: Option<&NullBuffer>,
    ) {
        for (row, text) in texts.enumerate() {
            let text = text.filter(|_| nulls.is_none_or(|nulls| nulls.is_valid(row)));
            let code = text.map_or(0, |text| self.dictionary.intern(text));
            self.codes.push(code);
        }
    }

    fn encoded<K: ArrowDictionaryKeyType>(
        &mut self,
        array: &DictionaryArray<K>,
        nulls: Option<&NullBuffer>,
    ) {
        let values = array.values();
        if !matches!(&self.known, Some((last, _)) if Arc::ptr_eq(last, values)) {
            let codes = self.intern_all(values.as_ref());
            self.known = Some((Arc::clone(values), codes));
        }
        let Some((_, codes)) = &self.known else {
            return;
        };
        let keys = array.keys().values().iter().enumerate();
        self.codes.extend(keys.map(|(row, key)| {
            let present = nulls.is_none_or(|nulls| nulls.is_valid(row));
            let code = codes.get(key.as_usize()).filter(|_| present);
            code.copied().unwrap_or(0)
        }));
    }

    /// The codes of a dictionary's labels.
    fn intern_all(&mut self, values: &dyn Array) -> Vec<u32> {
        let dictionary = &mut self.dictionary;
        let intern = |text: Option<&str>| text.map_or(0, |text| dictionary.intern(text));
        match values.data_type() {
            DataType::Utf8 => values.as_string::<i32>().iter().map(intern).collect(),
            DataType::LargeUtf8 => values.as_string::<i64>().iter().map(intern).collect(),
            _ => values.as_string_view().iter().map(intern).collect(),
        }
    }
}
