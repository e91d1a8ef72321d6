//! The catalogue: every distance and kernel by name, with what a user needs to know of it, written once beside it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use kinwood_values::suggest::nearest;
use kinwood_values::{Type, Value};

use crate::declaration::Declaration;
use crate::distance::Distance;
use crate::distances;
use crate::error::Error;
use crate::expression::{Expression, Literal};
use crate::kernels;
use crate::measure::{FittedDistance, FittedKernel};

/// A distance or kernel of the catalogue.
#[derive(Clone)]
pub struct Entry {
    /// Its name in expressions.
    pub name: Cow<'static, str>,
    /// What it measures, as errors say it: `a set, bag or list`.
    pub values: Cow<'static, str>,
    /// One sentence.
    pub summary: Cow<'static, str>,
    /// What it guarantees, in words.
    pub laws: &'static str,
    /// What it costs for one pair.
    pub cost: &'static str,
    /// Whose it is.
    pub reference: &'static str,
    /// What can be set, in the order that numbers without a name go.
    pub parameters: &'static [Parameter],
    /// A runnable example.
    pub example: Option<Example>,
    /// How an expression becomes the measure.
    pub build: Build,
}

/// One of the settings of a measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub doc: &'static str,
    /// What it can be.
    pub allowed: Allowed,
    /// What it is unless set.
    pub default: Default,
}

/// What a setting is unless it is set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Default {
    /// A number.
    Number(f64),
    /// A word.
    Word(&'static str),
    /// Nothing.
    None,
}

/// What a setting can be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Allowed {
    /// Any finite number.
    Number,
    /// A number that is not negative.
    NotNegative,
    /// A number that is zero or below.
    NotPositive,
    /// A number above zero.
    Positive,
    /// A number above zero, up to one.
    Share,
    /// A whole number, at least this.
    Whole(u64),
    /// One of these words.
    Word(&'static [&'static str]),
    /// Any word or number, that the measure reads itself.
    Text,
    /// One of these words, or a number above zero.
    WordOrPositive(&'static [&'static str]),
    /// One of these words, or a whole number from one.
    WordOrWhole(&'static [&'static str]),
}

impl Allowed {
    pub(crate) fn accepts(self, value: &Literal) -> bool {
        let whole = |number: f64, least: f64| {
            number >= least && number.fract() == 0.0 && number < 9_007_199_254_740_992.0
        };
        match (self, value) {
            (Allowed::Number, Literal::Number(_)) | (Allowed::Text, _) => true,
            (Allowed::NotNegative, Literal::Number(number)) => *number >= 0.0,
            (Allowed::NotPositive, Literal::Number(number)) => *number <= 0.0,
            (Allowed::Positive | Allowed::WordOrPositive(_), Literal::Number(number)) => {
                *number > 0.0
            }
            (Allowed::Share, Literal::Number(number)) => *number > 0.0 && *number <= 1.0,
            (Allowed::Whole(least), Literal::Number(number)) => whole(*number, least as f64),
            (Allowed::WordOrWhole(_), Literal::Number(number)) => whole(*number, 1.0),
            (
                Allowed::Word(words) | Allowed::WordOrPositive(words) | Allowed::WordOrWhole(words),
                Literal::Word(word),
            ) => words.contains(&word.as_str()),
            _ => false,
        }
    }

    /// In words, for errors and the catalogue.
    pub fn describe(self) -> String {
        let words = |words: &[&str]| format!("`{}`", words.join("`, `"));
        match self {
            Allowed::Number => "a number".to_owned(),
            Allowed::NotNegative => "a number that is not negative".to_owned(),
            Allowed::NotPositive => "a number that is at most 0".to_owned(),
            Allowed::Positive => "a number above 0".to_owned(),
            Allowed::Share => "a number above 0 and at most 1".to_owned(),
            Allowed::Whole(least) => format!("a whole number from {least}"),
            Allowed::Text => "a value".to_owned(),
            Allowed::Word(choice) => words(choice),
            Allowed::WordOrPositive(choice) => format!("{} or a number above 0", words(choice)),
            Allowed::WordOrWhole(choice) => format!("{} or a whole number from 1", words(choice)),
        }
    }
}

/// A runnable example: two values as JSON and what comes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// The expression.
    pub expression: &'static str,
    /// The type of both values.
    pub of: &'static str,
    /// One value, as JSON.
    pub a: &'static str,
    /// The other.
    pub b: &'static str,
    /// What it gives.
    pub gives: &'static str,
}

type Built<T> = Result<Arc<T>, Error>;
type Builder = dyn Fn(&Declaration<'_>) -> Built<dyn FittedDistance> + Send + Sync;

/// How an expression becomes a measure.
#[derive(Clone)]
pub enum Build {
    /// A distance.
    Distance(fn(&Declaration<'_>) -> Built<dyn FittedDistance>),
    /// A kernel.
    Kernel(fn(&Declaration<'_>) -> Built<dyn FittedKernel>),
    /// A distance from elsewhere.
    Foreign(Arc<Builder>),
}

impl Entry {
    /// Whether it is a kernel.
    pub fn is_kernel(&self) -> bool {
        matches!(self.build, Build::Kernel(_))
    }
}

/// What is known beyond what Kinwood comes with, if anything was added.
static KNOWN: RwLock<Option<&'static Registry>> = RwLock::new(None);

/// The distances and kernels known by name.
#[derive(Clone, std::default::Default)]
pub struct Registry {
    entries: BTreeMap<String, Entry>,
}

impl Registry {
    /// All that Kinwood comes with.
    pub fn builtin() -> &'static Registry {
        static BUILTIN: OnceLock<Registry> = OnceLock::new();
        BUILTIN.get_or_init(|| {
            let mut registry = Registry::default();
            for entry in distances::entries().chain(kernels::entries()) {
                registry.entries.insert(entry.name.to_string(), entry);
            }
            registry
        })
    }

    /// All that is known in this process: what Kinwood comes with, and what [`Registry::extend`] added. Learners ask it.
    pub fn known() -> &'static Registry {
        let known = KNOWN.read().unwrap_or_else(PoisonError::into_inner);
        known.unwrap_or_else(Registry::builtin)
    }

    /// Adds a measure for every learner, expression and model of this process, under a name that is free.
    ///
    /// What was known before stays alive as long as the process, for it is referred to from everywhere: this is for a few
    /// measures of a user, not for one a call.
    pub fn extend(entry: Entry) -> Result<(), Error> {
        let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
        let mut more = known.unwrap_or_else(Registry::builtin).clone();
        more.register(entry)?;
        *known = Some(Box::leak(Box::new(more)));
        Ok(())
    }

    /// Adds a measure under a name that is free.
    pub fn register(&mut self, entry: Entry) -> Result<(), Error> {
        let name = entry.name.to_string();
        if self.entries.contains_key(&name) || name == "default" {
            return Err(Error::NameTaken { name });
        }
        self.entries.insert(name, entry);
        Ok(())
    }

    /// Adds a distance between values written in Rust, under a name that is free; `accepts` says for which types.
    pub fn register_distance(
        &mut self,
        name: &str,
        summary: &str,
        accepts: fn(&Type) -> bool,
        distance: impl Distance<Value, Score = f64> + 'static,
    ) -> Result<(), Error> {
        self.register(distances::foreign::entry(name, summary, accepts, distance))
    }

    /// The measures, by name.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.values()
    }

    /// The measure of that name.
    pub fn find(&self, name: &str) -> Option<&Entry> {
        self.entries.get(name)
    }

    /// The measure an expression names.
    pub(crate) fn named(&self, expression: &Expression) -> Result<&Entry, Error> {
        self.find(&expression.name)
            .ok_or_else(|| self.unknown(&expression.name, expression.at.0))
    }

    /// That there is no measure of that name, and which is most like it.
    pub fn unknown(&self, name: &str, column: usize) -> Error {
        Error::UnknownMeasure {
            name: name.to_owned(),
            column,
            nearest: nearest(name, self.entries.keys()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::Laws;

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
        let entry = || distances::foreign::entry("lengths", "Of lengths.", |_| true, Lengths);
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
