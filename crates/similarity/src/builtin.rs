//! The measures that Kinwood comes with, and those that a process adds to them.

use std::sync::{OnceLock, PoisonError, RwLock};

use crate::entry::Entry;
use crate::error::Error;
use crate::registry::Registry;
use crate::{distances, kernels};

/// What is known beyond what Kinwood comes with, if anything was added.
static KNOWN: RwLock<Option<&'static Registry>> = RwLock::new(None);

impl Registry {
    /// All that Kinwood comes with.
    pub fn builtin() -> &'static Registry {
        static BUILTIN: OnceLock<Registry> = OnceLock::new();
        BUILTIN.get_or_init(|| {
            let mut registry = Registry::default();
            for entry in distances::entries().chain(kernels::entries()) {
                registry.replace(entry);
            }
            registry
        })
    }

    /// All that is known in this process: what Kinwood comes with, and what [`Registry::extend`]
    /// added. Learners ask it.
    pub fn known() -> &'static Registry {
        let known = KNOWN.read().unwrap_or_else(PoisonError::into_inner);
        known.unwrap_or_else(Registry::builtin)
    }

    /// Adds a measure for every learner, expression and model of this process, under a name that is
    /// free.
    ///
    /// What was known before stays alive as long as the process, for it is referred to from
    /// everywhere: this is for a few measures of a user, not for one a call.
    pub fn extend(entry: Entry) -> Result<(), Error> {
        Registry::change(|known| known.register(entry))
    }

    /// Puts a measure in the place of one that was added before, as [`Registry::extend`] does; what
    /// Kinwood comes with stays as it is.
    pub fn replace_added(entry: Entry) -> Result<(), Error> {
        if Registry::builtin().find(&entry.name).is_some() {
            let name = entry.name.to_string();
            return Err(Error::NameTaken { name });
        }
        Registry::change(|known| {
            known.replace(entry);
            Ok(())
        })
    }

    fn change(by: impl FnOnce(&mut Registry) -> Result<(), Error>) -> Result<(), Error> {
        let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
        let mut more = known.unwrap_or_else(Registry::builtin).clone();
        by(&mut more)?;
        *known = Some(Box::leak(Box::new(more)));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distance::Distance;
    use crate::entry::Takes;
    use crate::expression::Expression;
    use crate::laws::Laws;
    use kinwood_values::{Type, Value};

    struct Lengths;

    impl Distance<Value> for Lengths {
        type Score = f64;
        fn between(&self, a: &Value, b: &Value) -> f64 {
            (a.to_string().len() as f64 - b.to_string().len() as f64).abs()
        }
        fn laws(&self) -> Laws {
            Laws::PSEUDO_METRIC
        }
    }

    #[test]
    fn what_is_added_is_known_inside_any_expression_and_its_name_is_taken() {
        let entry = || Entry::from_distance("lengths", "Of lengths.", Takes::Any, Lengths);
        Registry::extend(entry()).unwrap();
        let of: Type = "set<nominal>".parse().unwrap();
        let expression: Expression = "hausdorff(lengths)".parse().unwrap();
        let distance = Registry::known()
            .distance(&expression, &of, None, "values")
            .unwrap();
        let set = |label: &str| Value::set(vec![Value::Symbol(label.to_owned())]);
        let between = distance.between(&set("a"), &set("abcd")).unwrap();
        assert_eq!(between.to_string(), "3");
        assert!(Registry::builtin().find("lengths").is_none());
        let message = Registry::extend(entry()).unwrap_err().to_string();
        assert!(message.contains("lengths"), "{message}");
    }
}
