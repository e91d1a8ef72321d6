//! A list of learners, in which they are found by name.
//!
//! Which ones come with this crate stands in `builtin`.

use kinwood_learning::entry::Entry;
use kinwood_learning::error::{Error, Result};
use kinwood_values::suggest::nearest;

/// The learners there are.
#[derive(Clone)]
pub struct Registry {
    entries: Vec<Entry>,
}

impl Registry {
    /// Of these learners.
    pub(crate) fn of(entries: Vec<Entry>) -> Self {
        Self { entries }
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
