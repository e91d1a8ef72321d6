//! Sets of labels as targets: which labels there are, and which others a label implies.
//!
//! In a hierarchy labels are paths, and whoever has a label has those above it too. Data may name
//! the lower ones only, so the labels of a target are those of the column followed by those above
//! them that the column never names.

use std::sync::Arc;

use kinwood_values::column::Kind;
use kinwood_values::{Attribute, Cells, Column, Dictionary};

/// The labels of a target, each perhaps below another.
#[derive(Clone, Debug, PartialEq)]
pub struct Labels {
    dictionary: Arc<Dictionary>,
    parents: Vec<Option<u32>>,
}

impl Labels {
    /// The labels of a dictionary and, where a mark divides them into paths, those above them.
    ///
    /// ```
    /// use kinwood_learning::labels::Labels;
    /// use kinwood_values::Dictionary;
    /// let labels = Labels::new(&Dictionary::from_labels(["a/b", "c"]), Some('/'));
    /// assert_eq!(labels.dictionary().labels().collect::<Vec<_>>(), ["a/b", "c", "a"]);
    /// assert_eq!((labels.parent(0), labels.parent(1)), (Some(2), None));
    /// ```
    pub fn new(dictionary: &Dictionary, hierarchy: Option<char>) -> Self {
        let mut all = dictionary.clone();
        let mut parents = Vec::with_capacity(all.len());
        let mut label = 0;
        // Labels added on the way are looked at in their turn.
        while label < all.len() {
            let path = all.label(label as u32);
            let above = hierarchy
                .and_then(|mark| path.rsplit_once(mark))
                .map(|(above, _)| above.to_owned());
            parents.push(
                above
                    .filter(|above| !above.is_empty())
                    .map(|above| all.intern(&above)),
            );
            label += 1;
        }
        Self {
            dictionary: Arc::new(all),
            parents,
        }
    }

    /// The labels of a column of sets; `None` for a column of anything else.
    pub fn of(attribute: &Attribute) -> Option<Self> {
        let members = members(&attribute.column)?;
        Some(Self::new(members.1, attribute.hierarchy))
    }

    /// The labels: first those of the data, by their codes there.
    pub fn dictionary(&self) -> &Arc<Dictionary> {
        &self.dictionary
    }

    /// The label right above.
    pub fn parent(&self, label: u32) -> Option<u32> {
        self.parents[label as usize]
    }

    /// These labels and all above them, ascending.
    pub fn closed(&self, labels: impl IntoIterator<Item = u32>) -> Vec<u32> {
        let mut all = Vec::new();
        for label in labels {
            let mut next = Some(label);
            while let Some(label) = next {
                all.push(label);
                next = self.parent(label);
            }
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The labels of a row of the column, and all above them, ascending; `None` where the set is
    /// missing or the column holds no sets. Labels that are new are left out.
    pub fn of_row(&self, column: &Column, row: usize) -> Option<Vec<u32>> {
        let (members, _) = members(column)?;
        if !column.is_present(row) {
            return None;
        }
        let codes = members
            .range(row)
            .filter_map(|member| members.child.code(member));
        Some(self.closed(codes.filter(|code| (*code as usize) < self.parents.len())))
    }

    /// The first label whose share is above that of its parent.
    pub fn rising(&self, shares: &[f64]) -> Option<u32> {
        let above = |label: &u32| {
            let share = shares[*label as usize];
            self.parent(*label)
                .is_some_and(|parent| share > shares[parent as usize])
        };
        (0..self.parents.len() as u32).find(above)
    }
}

fn members(column: &Column) -> Option<(&kinwood_values::column::Members, &Dictionary)> {
    match column.cells() {
        Cells::Collection {
            kind: Kind::Set,
            members,
        } => {
            let (_, dictionary) = members.child.codes()?;
            Some((members, dictionary))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use kinwood_values::{Type, Value};

    use super::*;

    #[test]
    fn a_label_implies_those_above_it() {
        let symbol = |label: &str| Value::Symbol(label.to_owned());
        let rows = [
            Value::set(vec![symbol("a/b/c"), symbol("d")]),
            Value::Missing,
            Value::set(vec![]),
        ];
        let of = Type::Set(Box::new(Type::Nominal));
        let mut attribute = Attribute::new("labels", Column::from_values(&of, &rows).unwrap());
        attribute.hierarchy = Some('/');
        let labels = Labels::of(&attribute).unwrap();
        let names: Vec<&str> = labels.dictionary().labels().collect();
        assert_eq!(names, ["a/b/c", "d", "a/b", "a"]);
        let row = |row| labels.of_row(&attribute.column, row);
        assert_eq!(row(0), Some(vec![0, 1, 2, 3]));
        assert_eq!((row(1), row(2)), (None, Some(vec![])));
        assert_eq!(labels.rising(&[0.5, 1.0, 0.5, 0.25]), Some(2));
        assert_eq!(labels.rising(&[0.5, 1.0, 0.5, 0.5]), None);
        let number = Attribute::new("x", Column::numeric(vec![1.0]));
        assert_eq!(Labels::of(&number), None);
    }
}
