//! Values as symbols: equal values get equal numbers, so that what only asks for equality compares whole numbers.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use kinwood_values::{Cells, Column, Dictionary, Value};

/// The rows of two columns as symbols. 0 stands for a missing value.
pub(crate) struct Symbols {
    pub(crate) queries: Vec<u32>,
    pub(crate) references: Vec<u32>,
}

/// Numbers for keys, in the order they come, from `next`.
struct Numbering<K> {
    known: HashMap<K, u32>,
    next: u32,
}

impl<K: Hash + Eq> Numbering<K> {
    fn new() -> Self {
        Self {
            known: HashMap::new(),
            next: 1,
        }
    }

    fn of(&mut self, key: K) -> u32 {
        let next = &mut self.next;
        *self.known.entry(key).or_insert_with(|| {
            *next += 1;
            *next - 1
        })
    }
}

impl Symbols {
    /// The symbols of two columns of one type.
    pub(crate) fn of(queries: &Column, references: &Column) -> Self {
        match (queries.cells(), references.cells()) {
            (
                Cells::Nominal {
                    codes: first,
                    dictionary: one,
                },
                Cells::Nominal {
                    codes: second,
                    dictionary: other,
                },
            ) => {
                let labels = Labels::of(one, other);
                Self {
                    queries: present(queries, |row| labels.first[first[row] as usize] + 1),
                    references: present(references, |row| labels.second[second[row] as usize] + 1),
                }
            }
            (Cells::Numeric(first), Cells::Numeric(second)) => {
                // Minus zero is zero.
                let bits = |number: f64| (number + 0.0).to_bits();
                Self::numbered(
                    queries,
                    references,
                    |row| bits(first[row]),
                    |row| bits(second[row]),
                )
            }
            (Cells::DateTime(first), Cells::DateTime(second)) => {
                Self::numbered(queries, references, |row| first[row], |row| second[row])
            }
            (Cells::Ref { rows: first, .. }, Cells::Ref { rows: second, .. }) => {
                Self::numbered(queries, references, |row| first[row], |row| second[row])
            }
            (Cells::String(first), Cells::String(second)) => Self::numbered(
                queries,
                references,
                |row| first.get(row),
                |row| second.get(row),
            ),
            _ => Self::numbered::<Value>(
                queries,
                references,
                |row| queries.value(row),
                |row| references.value(row),
            ),
        }
    }

    fn numbered<K: Hash + Eq>(
        queries: &Column,
        references: &Column,
        first: impl Fn(usize) -> K,
        second: impl Fn(usize) -> K,
    ) -> Self {
        let mut numbering = Numbering::new();
        let queries = present(queries, |row| numbering.of(first(row)));
        let references = present(references, |row| numbering.of(second(row)));
        Self {
            queries,
            references,
        }
    }
}

fn present(column: &Column, mut symbol: impl FnMut(usize) -> u32) -> Vec<u32> {
    (0..column.len())
        .map(|row| {
            if column.is_present(row) {
                symbol(row)
            } else {
                0
            }
        })
        .collect()
}

/// The labels of two dictionaries in one numbering from 0.
pub(crate) struct Labels {
    /// For each code of the first dictionary its number.
    pub(crate) first: Vec<u32>,
    /// For each code of the second.
    pub(crate) second: Vec<u32>,
    /// All numbers are below.
    pub(crate) count: u32,
}

impl Labels {
    pub(crate) fn of(one: &Arc<Dictionary>, other: &Arc<Dictionary>) -> Self {
        let first: Vec<u32> = (0..one.len() as u32).collect();
        if Arc::ptr_eq(one, other) {
            return Self {
                second: first.clone(),
                count: first.len() as u32,
                first,
            };
        }
        let mut count = first.len() as u32;
        let second = other
            .labels()
            .map(|label| {
                one.code(label).unwrap_or_else(|| {
                    count += 1;
                    count - 1
                })
            })
            .collect();
        Self {
            first,
            second,
            count,
        }
    }
}

/// The characters of strings as symbols from 1, numbered in the order they come.
pub(crate) struct Characters {
    pub(crate) queries: Vec<Vec<u32>>,
    pub(crate) references: Vec<Vec<u32>>,
}

impl Characters {
    pub(crate) fn of<'a>(
        queries: impl Iterator<Item = &'a str>,
        references: impl Iterator<Item = &'a str>,
    ) -> Self {
        let mut numbering = Numbering::new();
        let mut symbols = |text: &str| text.chars().map(|c| numbering.of(c)).collect();
        let queries = queries.map(&mut symbols).collect();
        let references = references.map(&mut symbols).collect();
        Self {
            queries,
            references,
        }
    }
}
