//! The prototypes and items that tests name, which a model keeps and numbers from 0.

use std::collections::BTreeMap;

use crate::tree::Test;

/// What tests name, by column: places rise.
#[derive(Clone, Debug, Default)]
pub(in crate::tree) struct Named {
    by_column: BTreeMap<u32, (Vec<u32>, Vec<u32>)>,
}

impl Named {
    /// Adds what a test on a structured column names.
    pub fn add(&mut self, test: &Test) {
        let (prototypes, items) = self.by_column.entry(test.column()).or_default();
        let (named, places) = match test {
            Test::Nearest { nearest, .. } => (prototypes, &nearest.prototypes),
            Test::Has { items: own, .. } => (items, own),
            _ => return,
        };
        for place in places {
            if let Err(at) = named.binary_search(place) {
                named.insert(at, *place);
            }
        }
    }

    /// Whether no test was added.
    pub fn is_empty(&self) -> bool {
        self.by_column.is_empty()
    }

    /// The prototypes and the items of a column, if a test on it was added.
    pub fn of(&self, column: u32) -> Option<&(Vec<u32>, Vec<u32>)> {
        self.by_column.get(&column)
    }

    /// Lets a test speak of places among what is named.
    pub fn renumber(&self, test: &mut Test) {
        let Some((prototypes, items)) = self.by_column.get(&test.column()) else {
            return;
        };
        let (named, places) = match test {
            Test::Nearest { nearest, .. } => (prototypes, &mut nearest.prototypes),
            Test::Has { items: own, .. } => (items, own),
            _ => return,
        };
        for place in places {
            *place = named.partition_point(|other| other < place) as u32;
        }
    }
}
