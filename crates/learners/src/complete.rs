//! The list of all learners.
//!
//! It is apart from the type of its entries, so that no learner knows the list, and apart from the
//! learners that `auto` chooses among, which knows those.

use crate::auto::AUTO;
use crate::builtin;
use crate::registry::Registry;

impl Default for Registry {
    fn default() -> Self {
        let mut all = builtin::learners();
        all.register(AUTO);
        all
    }
}

impl Registry {
    /// The learners that come with this crate.
    pub fn new() -> Self {
        Self::default()
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
