//! What the values of a column are like, found in one pass: how many differ, between which numbers
//! they lie.
//!
//! All columns share one code book, so that whether the values of one column occur in another is a
//! walk along two sorted lists, whatever the types.

use hashbrown::HashMap;

use crate::column::{Cells, Column};
use crate::dictionary::Dictionary;
use crate::link::canonical_number;

/// Longer texts, on average, are read and not looked up.
const LONGEST_LABEL: f64 = 40.0;

/// Codes for values, equal where a key would call them equal: the number 5 and the label `5` are
/// one.
#[derive(Default)]
pub(super) struct CodeBook {
    texts: Dictionary,
    numbers: HashMap<u64, u32>,
    times: HashMap<i64, u32>,
    text_codes: Vec<u32>,
    next: u32,
}

impl CodeBook {
    fn number(&mut self, number: f64) -> u32 {
        let next = &mut self.next;
        *self
            .numbers
            .entry((number + 0.0).to_bits())
            .or_insert_with(|| fresh(next))
    }

    fn time(&mut self, time: i64) -> u32 {
        let next = &mut self.next;
        *self.times.entry(time).or_insert_with(|| fresh(next))
    }

    fn text(&mut self, text: &str) -> u32 {
        let label = self.texts.intern(text) as usize;
        if label == self.text_codes.len() {
            self.text_codes.push(fresh(&mut self.next));
        }
        self.text_codes[label]
    }
}

fn fresh(next: &mut u32) -> u32 {
    let code = *next;
    *next = code
        .checked_add(1)
        .expect("values are fewer than the 2^32 codes");
    code
}

/// What kind of values a column that may be in a key has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// Whole numbers, or labels that are such, from the least to the greatest.
    Whole { least: f64, greatest: f64 },
    /// Labels of this length on average.
    Text { length: f64 },
    /// Points in time.
    Time,
}

/// The distinct values of a column that may be in a key.
#[derive(Clone, Debug)]
pub(super) struct Profile {
    pub kind: Kind,
    /// Rows with a value.
    pub present: usize,
    /// Rows without.
    pub missing: usize,
    /// The distinct values' codes, ascending.
    codes: Vec<u32>,
    /// How many rows have each.
    counts: Vec<u32>,
    /// The distinct whole numbers, ascending; empty for other kinds.
    numbers: Vec<f64>,
}

/// How far the values of one column occur in another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Inclusion {
    /// Distinct values that occur.
    pub distinct: usize,
    /// Rows whose value occurs.
    pub rows: usize,
}

impl Profile {
    /// Looks at a column; `None` for what cannot be in a key: measured numbers, long texts,
    /// structures, nothing.
    pub fn of(column: &Column, book: &mut CodeBook) -> Option<Self> {
        let present = column.len() - column.missing();
        if present == 0 {
            return None;
        }
        let rows = (0..column.len()).filter(|&row| column.is_present(row));
        match column.cells() {
            Cells::Numeric(numbers) => {
                if !rows.clone().all(|row| is_whole(numbers[row])) {
                    return None;
                }
                let values: Vec<f64> = rows.map(|row| numbers[row] + 0.0).collect();
                Some(Self::of_numbers(column, values, book))
            }
            Cells::Nominal { codes, dictionary } => {
                let mut counts = vec![0u32; dictionary.len()];
                rows.for_each(|row| counts[codes[row] as usize] += 1);
                let used = counts.iter().zip(dictionary.labels());
                Self::of_labels(column, used.filter(|(count, _)| **count > 0), book)
            }
            Cells::String(texts) => {
                let characters: usize = rows.clone().map(|row| texts.get(row).len()).sum();
                if characters as f64 > LONGEST_LABEL * present as f64 {
                    return None;
                }
                let mut labels = Dictionary::new();
                let mut counts: Vec<u32> = Vec::new();
                for row in rows {
                    let label = labels.intern(texts.get(row)) as usize;
                    counts.resize(labels.len(), 0);
                    counts[label] += 1;
                }
                Self::of_labels(column, counts.iter().zip(labels.labels()), book)
            }
            Cells::DateTime(times) => {
                let codes = rows.map(|row| book.time(times[row])).collect();
                Some(Self::tally(Kind::Time, column, codes, Vec::new()))
            }
            _ => None,
        }
    }

    fn of_numbers(column: &Column, mut values: Vec<f64>, book: &mut CodeBook) -> Self {
        let codes = values.iter().map(|&number| book.number(number)).collect();
        values.sort_unstable_by(f64::total_cmp);
        values.dedup();
        let kind = Kind::Whole {
            least: values[0],
            greatest: values[values.len() - 1],
        };
        Self::tally(kind, column, codes, values)
    }

    fn of_labels<'a>(
        column: &Column,
        used: impl Iterator<Item = (&'a u32, &'a str)>,
        book: &mut CodeBook,
    ) -> Option<Self> {
        let (mut pairs, mut numbers) = (Vec::new(), Vec::new());
        let (mut characters, mut all_numbers) = (0usize, true);
        for (&count, label) in used {
            characters += label.chars().count();
            let code = match canonical_number(label) {
                Some(number) => {
                    all_numbers &= is_whole(number);
                    numbers.push(number + 0.0);
                    book.number(number)
                }
                None => {
                    all_numbers = false;
                    book.text(label)
                }
            };
            pairs.push((code, count));
        }
        let length = characters as f64 / pairs.len() as f64;
        if length > LONGEST_LABEL {
            return None;
        }
        pairs.sort_unstable();
        // The labels `0` and `-0` are one number.
        pairs.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 += if same { next.1 } else { 0 };
            same
        });
        let kind = if all_numbers {
            numbers.sort_unstable_by(f64::total_cmp);
            numbers.dedup();
            Kind::Whole {
                least: numbers[0],
                greatest: numbers[numbers.len() - 1],
            }
        } else {
            numbers.clear();
            Kind::Text { length }
        };
        let (codes, counts) = pairs.into_iter().unzip();
        let missing = column.missing();
        let present = column.len() - missing;
        Some(Self {
            kind,
            present,
            missing,
            codes,
            counts,
            numbers,
        })
    }

    fn tally(kind: Kind, column: &Column, mut rows: Vec<u32>, numbers: Vec<f64>) -> Self {
        let present = rows.len();
        rows.sort_unstable();
        let (mut codes, mut counts) = (Vec::new(), Vec::new());
        for same in rows.chunk_by(|a, b| a == b) {
            codes.push(same[0]);
            counts.push(same.len() as u32);
        }
        Self {
            kind,
            present,
            missing: column.missing(),
            codes,
            counts,
            numbers,
        }
    }

    /// How many values differ.
    pub fn distinct(&self) -> usize {
        self.codes.len()
    }

    /// Whether every row has a value and no two rows the same.
    pub fn identifies(&self) -> bool {
        self.missing == 0 && self.distinct() == self.present
    }

    /// Whether values of the two could be equal at all.
    pub fn comparable(&self, other: &Profile) -> bool {
        match (self.kind, other.kind) {
            (Kind::Time, kind) | (kind, Kind::Time) => kind == Kind::Time,
            // Numbers may hide among labels: `7` and `7a` make a column of labels.
            (
                Kind::Whole { least, greatest },
                Kind::Whole {
                    least: from,
                    greatest: to,
                },
            ) => least <= to && from <= greatest,
            _ => true,
        }
    }

    /// How far these values occur among the other's.
    pub fn within(&self, other: &Profile) -> Inclusion {
        let mut found = Inclusion {
            distinct: 0,
            rows: 0,
        };
        let mut rest = other.codes.as_slice();
        // A short list in a long one is searched for, two of a length are walked along.
        let sparse = rest.len() / 16 > self.codes.len();
        for (code, &count) in self.codes.iter().zip(&self.counts) {
            let position = if sparse {
                rest.partition_point(|other| other < code)
            } else {
                rest.iter()
                    .position(|other| other >= code)
                    .unwrap_or(rest.len())
            };
            rest = &rest[position..];
            if rest.first() == Some(code) {
                found.distinct += 1;
                found.rows += count as usize;
            }
        }
        found
    }

    /// The share of the whole numbers between two bounds that occur here; 1 when there are none to
    /// miss.
    pub fn density(&self, least: f64, greatest: f64) -> f64 {
        let below = self.numbers.partition_point(|number| *number < least);
        let upto = self.numbers.partition_point(|number| *number <= greatest);
        let width = greatest - least + 1.0;
        ((upto.saturating_sub(below)) as f64 / width).clamp(f64::MIN_POSITIVE, 1.0)
    }
}

fn is_whole(number: f64) -> bool {
    number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(book: &mut CodeBook, numbers: &[f64]) -> Profile {
        Profile::of(&Column::numeric(numbers.to_vec()), book).unwrap()
    }

    #[test]
    fn numbers_and_the_labels_that_print_like_them_are_one_value() {
        let mut book = CodeBook::default();
        let numbers = profile(&mut book, &[1.0, 2.0, 2.0, f64::NAN]);
        let labels = Column::nominal([Some("2"), Some("1"), Some("03"), Some("a")]);
        let labels = Profile::of(&labels, &mut book).unwrap();
        assert_eq!(
            numbers.within(&labels),
            Inclusion {
                distinct: 2,
                rows: 3
            }
        );
        assert_eq!(
            labels.within(&numbers),
            Inclusion {
                distinct: 2,
                rows: 2
            }
        );
        assert_eq!(
            (numbers.present, numbers.missing, numbers.distinct()),
            (3, 1, 2)
        );
        assert!(labels.identifies() && !numbers.identifies());
    }

    #[test]
    fn inclusion_is_what_sets_say() {
        let mut book = CodeBook::default();
        let many: Vec<f64> = (0..1000).map(f64::from).collect();
        let few = [0.0, 1.0, 7.0, 500.0, 999.0, 1000.0, 2000.0];
        let (few, many) = (profile(&mut book, &few), profile(&mut book, &many));
        assert_eq!(few.within(&many).distinct, 5);
        assert_eq!(many.within(&few).distinct, 5);
        assert_eq!(many.within(&many).rows, 1000);
    }

    #[test]
    fn measured_numbers_and_empty_columns_have_no_profile() {
        let mut book = CodeBook::default();
        assert!(Profile::of(&Column::numeric(vec![1.0, 1.5]), &mut book).is_none());
        assert!(Profile::of(&Column::numeric(vec![f64::NAN]), &mut book).is_none());
        assert!(Profile::of(&Column::numeric(vec![f64::INFINITY]), &mut book).is_none());
    }

    #[test]
    fn density_is_the_share_of_numbers_in_between() {
        let mut book = CodeBook::default();
        let sparse = profile(&mut book, &[1.0, 2.0, 3.0, 10.0, 20.0]);
        assert_eq!(sparse.density(1.0, 3.0), 1.0);
        assert_eq!(sparse.density(1.0, 20.0), 0.25);
    }
}
