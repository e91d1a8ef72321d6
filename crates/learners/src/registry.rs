//! The list of learners.
//!
//! It is apart from the type of its entries, so that no learner knows the list.

use kinwood_boosting::BOOST;
use kinwood_instances::{baseline, centres, citation, knn, kstar, rule};
use kinwood_kernels as kernels;
use kinwood_learning::entry::Entry;
use kinwood_learning::error::{Error, Result};
use kinwood_trees::{DBDT, FOREST, MIRT, TREE, m5};
use kinwood_values::suggest::nearest;

use crate::auto::AUTO;

/// The learners there are.
#[derive(Clone)]
pub struct Registry {
    entries: Vec<Entry>,
}

impl Default for Registry {
    fn default() -> Self {
        Self {
            entries: vec![
                baseline::MAJORITY,
                baseline::MEAN,
                rule::ONE_R,
                knn::KNN,
                kstar::KSTAR,
                citation::CITATION_KNN,
                TREE,
                DBDT,
                FOREST,
                BOOST,
                m5::M5,
                centres::CENTRES,
                MIRT,
                kernels::SVM,
                kernels::SVR,
                kernels::RIDGE,
                kernels::MI_SVM,
                AUTO,
            ],
        }
    }
}

impl Registry {
    /// The learners that come with this crate.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a learner, in place of one of the same name.
    pub fn register(&mut self, entry: Entry) {
        self.entries.retain(|known| known.name != entry.name);
        self.entries.push(entry);
    }

    /// The learners, in the order they are explained.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The learner of that name; the error names the nearest.
    pub fn find(&self, name: &str) -> Result<&Entry> {
        self.entries
            .iter()
            .find(|entry| entry.name == name)
            .ok_or_else(|| {
                let names: Vec<&str> = self.entries.iter().map(|entry| entry.name).collect();
                Error::UnknownLearner {
                    name: name.to_owned(),
                    nearest: nearest(name, &names),
                    valid: names.join(", "),
                }
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order() {
        let registry = Registry::new();
        for (position, entry) in registry.entries().iter().enumerate() {
            let others = &registry.entries()[..position];
            assert!(
                others.iter().all(|other| other.name != entry.name),
                "{} stands twice",
                entry.name
            );
            assert!(
                entry.summary.ends_with('.') && !entry.reference.is_empty(),
                "{}",
                entry.name
            );
            let parameters = entry.all_parameters();
            for (position, parameter) in parameters.iter().enumerate() {
                parameter
                    .check(parameter.default)
                    .expect("a default is a value the setting may have");
                assert!(
                    parameter.doc.ends_with('.'),
                    "{} {}",
                    entry.name,
                    parameter.name
                );
                let others = &parameters[..position];
                assert!(others.iter().all(|other| other.name != parameter.name));
            }
            let none: [(&str, &str); 0] = [];
            entry
                .learner(&entry.settings(&none).unwrap())
                .expect("a learner can be made from its defaults");
        }
    }

    #[test]
    fn an_unknown_name_gets_the_nearest() {
        let message = Registry::new().find("knm").err().unwrap().to_string();
        assert!(message.contains("did you mean `knn`?"), "{message}");
    }
}
