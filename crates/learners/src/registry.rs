//! The registry: each learner's name, explanation, settings and loader, written once.
//!
//! The command line, the manual and the model loader are derived from it.

use kinwood_values::container::Stored;
use kinwood_values::suggest::nearest;

use crate::error::{Error, Result};
use crate::flatten::{self, Flattened, FlatteningLearner};
use crate::model::{Learner, Model};
use crate::settings::{Parameter, Settings};
use crate::{baseline, centres, instance, m5, mirt, rule, svm, tree};

/// Which targets a learner predicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Targets {
    /// Classes only.
    Nominal,
    /// Numbers only.
    Numeric,
    /// Classes and numbers.
    Both,
    /// Classes, numbers and sets of labels.
    All,
}

impl Targets {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Targets::Nominal => "nominal",
            Targets::Numeric => "numeric",
            Targets::Both => "nominal and numeric",
            Targets::All => "nominal, numeric and set<nominal>",
        }
    }
}

/// A learner as the registry knows it.
#[derive(Clone, Copy)]
pub struct Entry {
    /// The name on the command line and in model files.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// The paper it comes from.
    pub reference: &'static str,
    /// Which targets it predicts.
    pub targets: Targets,
    /// Whether it predicts several targets at once.
    pub several_targets: bool,
    /// Whether it looks beyond the target's own table, along foreign keys; if not, its models need no other table.
    pub follows_keys: fn(&Settings) -> bool,
    /// Whether it looks at one table, and can be given others flattened by the settings of [`crate::flatten`].
    pub flat: bool,
    /// Its own settings; [`Entry::all_parameters`] has those of flattening too.
    pub parameters: &'static [Parameter],
    /// Makes the learner from its settings; [`Entry::learner`] flattens tables for it where asked to.
    pub build: fn(&Settings) -> Result<Box<dyn Learner>>,
    /// Reads a model that the learner made of one table; [`Entry::model`] reads one of flattened tables too.
    pub load: fn(&Stored) -> Result<Box<dyn Model>>,
}

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
                instance::knn::KNN,
                instance::kstar::KSTAR,
                instance::citation::CITATION_KNN,
                tree::TREE,
                tree::DBDT,
                tree::FOREST,
                m5::M5,
                centres::CENTRES,
                mirt::MIRT,
                svm::SVM,
                svm::SVR,
                svm::RIDGE,
                svm::MI_SVM,
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

impl Entry {
    /// Defaults, overruled by what is given. Those of flattening are there only if something is flattened.
    pub fn settings<N: AsRef<str>, V: AsRef<str>>(&self, given: &[(N, V)]) -> Result<Settings> {
        Settings::read(self.name, &self.all_parameters(), given).map(flatten::told)
    }

    /// Its settings, and for a flat learner those of flattening.
    pub fn all_parameters(&self) -> Vec<Parameter> {
        let mut parameters = self.parameters.to_vec();
        if self.flat {
            parameters.extend(flatten::PARAMETERS);
        }
        parameters
    }

    /// Makes the learner from its settings.
    pub fn learner(&self, settings: &Settings) -> Result<Box<dyn Learner>> {
        let learner = (self.build)(settings)?;
        let Some(kind) = self.flattening(settings) else {
            return Ok(learner);
        };
        let depth = settings.whole(flatten::FLATTEN_DEPTH.name);
        let rows = settings.whole(flatten::FLATTEN_ROWS.name) as u64;
        Ok(Box::new(FlatteningLearner::new(learner, kind, depth, rows)))
    }

    /// Reads a model that the learner made.
    pub fn model(&self, stored: &Stored) -> Result<Box<dyn Model>> {
        match self.flat && Flattened::is_in(stored) {
            true => Ok(Box::new(Flattened::read(stored, self.load)?)),
            false => (self.load)(stored),
        }
    }

    /// Whether its models need other tables than the target's.
    pub fn needs_other_tables(&self, settings: &Settings) -> bool {
        self.flattening(settings).is_some() || (self.follows_keys)(settings)
    }

    fn flattening(&self, settings: &Settings) -> Option<flatten::Kind> {
        flatten::asked(settings).filter(|_| self.flat)
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
