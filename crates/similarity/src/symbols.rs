//! Values as symbols: equal values get equal numbers, so that what only asks for equality compares
//! whole numbers.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use kinwood_values::column::{Members, Texts, Trees};
use kinwood_values::{Cells, Column, Dictionary, Value};

use crate::error::Error;

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

/// The strings or lists of two columns as sequences of symbols: characters, or items by equality.
pub(crate) struct Sequences {
    pub(crate) queries: Sequence,
    pub(crate) references: Sequence,
}

/// A sequence a row, end to end.
pub(crate) struct Sequence {
    symbols: Vec<u32>,
    /// Where each row ends: strings of a column may have more characters than fit 32 bits.
    ends: Vec<usize>,
}

impl Sequences {
    pub(crate) fn of(queries: &Column, references: &Column, measure: &str) -> Result<Self, Error> {
        match (queries.cells(), references.cells()) {
            (Cells::String(first), Cells::String(second)) => Ok(Self {
                queries: Sequence::of_texts(first),
                references: Sequence::of_texts(second),
            }),
            (
                Cells::Collection { members: first, .. },
                Cells::Collection {
                    members: second, ..
                },
            ) => {
                let symbols = Symbols::of(&first.child, &second.child);
                Ok(Self {
                    queries: Sequence::of_items(symbols.queries, first),
                    references: Sequence::of_items(symbols.references, second),
                })
            }
            _ => Err(Error::Layout {
                column: measure.to_owned(),
            }),
        }
    }

    /// Numbers of queries and references.
    pub(crate) fn shape(&self) -> (usize, usize) {
        (self.queries.ends.len(), self.references.ends.len())
    }
}

impl Sequence {
    fn of_texts(texts: &Texts) -> Self {
        let mut symbols = Vec::new();
        let ends = (0..texts.len()).map(|row| {
            symbols.extend(texts.get(row).chars().map(u32::from));
            symbols.len()
        });
        let ends = ends.collect();
        Self { symbols, ends }
    }

    fn of_items(symbols: Vec<u32>, members: &Members) -> Self {
        let ends = (0..members.len()).map(|row| members.range(row).end);
        Self {
            ends: ends.collect(),
            symbols,
        }
    }

    /// The symbols of a row.
    pub(crate) fn get(&self, row: usize) -> &[u32] {
        &self.symbols[self.start(row)..self.ends[row]]
    }

    /// The number of symbols of a row.
    pub(crate) fn length(&self, row: usize) -> usize {
        self.ends[row] - self.start(row)
    }

    fn start(&self, row: usize) -> usize {
        row.checked_sub(1).map_or(0, |before| self.ends[before])
    }
}

/// The trees of two columns, labels in one numbering.
pub(crate) struct NumberedTrees<'a> {
    queries: (&'a Trees, Vec<u32>),
    references: (&'a Trees, Vec<u32>),
}

impl<'a> NumberedTrees<'a> {
    pub(crate) fn of(
        queries: &'a Column,
        references: &'a Column,
        measure: &str,
    ) -> Result<Self, Error> {
        let (Cells::Tree(first), Cells::Tree(second)) = (queries.cells(), references.cells())
        else {
            return Err(Error::Layout {
                column: measure.to_owned(),
            });
        };
        let labels = Labels::of(&first.dictionary, &second.dictionary);
        Ok(Self {
            queries: (first, labels.first),
            references: (second, labels.second),
        })
    }

    /// What becomes of the labels and numbers of children, in preorder, of each query and each
    /// reference. A missing tree has no nodes.
    pub(crate) fn prepared<T>(&self, prepare: impl Fn(&[u32], &[u32]) -> T) -> (Vec<T>, Vec<T>) {
        let all = |(trees, numbers): &(&Trees, Vec<u32>)| {
            let tree = |row: usize| {
                let nodes = trees.offsets.range(row);
                let labels = trees.labels[nodes.clone()].iter();
                let labels: Vec<u32> = labels.map(|&code| numbers[code as usize]).collect();
                prepare(&labels, &trees.arities[nodes])
            };
            (0..trees.len()).map(tree).collect()
        };
        (all(&self.queries), all(&self.references))
    }
}
