//! The measures there are: the built-in ones, then those that users have registered, in that order.
//!
//! Names of measures are read far from where an evaluation is set up: in arguments of commands, in
//! study files, in results folders. So the list is one for the whole program. A registered measure
//! is there from then on, for every evaluation of a target of its kind.

use std::str::FromStr;
use std::sync::{PoisonError, RwLock};

use serde::{Deserialize, Deserializer};

use kinwood_values::suggest::nearest;

use super::builtin::BUILTIN;
use super::entry::{Measure, MeasureEntry};
use crate::error::Error;
use crate::target::Target;

/// Measures that users have registered, in the order of their first registration.
static REGISTERED: RwLock<Vec<Measure>> = RwLock::new(Vec::new());

impl Measure {
    /// Makes a measure known to all evaluations of this program, in place of one that was
    /// registered under its name before. The names of built-in measures are taken.
    ///
    /// ```
    /// use kinwood_evaluation::measures::{Compute, Direction, Measure, MeasureEntry};
    /// use kinwood_evaluation::measures::NumberAnswers;
    /// let worst = |answers: &NumberAnswers<'_>, _: Option<&[f64]>| {
    ///     let pairs = answers.truth.iter().zip(answers.predicted);
    ///     let errors = pairs.filter_map(|(truth, p)| Some((p - (*truth)?).abs()));
    ///     Ok(errors.reduce(f64::max))
    /// };
    /// let measure = Measure::register(MeasureEntry {
    ///     key: "max_error",
    ///     title: "largest error",
    ///     doc: "the largest absolute error",
    ///     formula: "max |p - y|",
    ///     direction: Direction::LowerIsBetter,
    ///     compute: Compute::Numbers(Box::leak(Box::new(worst))),
    /// })?;
    /// assert_eq!("max_error".parse(), Ok(measure));
    /// # Ok::<(), kinwood_evaluation::Error>(())
    /// ```
    pub fn register(entry: MeasureEntry) -> Result<Measure, Error> {
        let name = entry.key;
        let written = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        if !name.starts_with(|c: char| c.is_ascii_lowercase()) || !name.chars().all(written) {
            return Err(Error::MeasureName {
                found: name.to_owned(),
            });
        }
        if BUILTIN.iter().any(|measure| measure.key() == name) {
            return Err(Error::MeasureTaken {
                name: name.to_owned(),
            });
        }
        let measure = Measure::new(Box::leak(Box::new(entry)));
        let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
        match registered.iter_mut().find(|known| **known == measure) {
            Some(known) => *known = measure,
            None => registered.push(measure),
        }
        Ok(measure)
    }

    /// All measures: the built-in ones, then those that were registered.
    pub fn all() -> Vec<Measure> {
        let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
        BUILTIN.iter().chain(&*registered).copied().collect()
    }

    /// The measures for a kind of target, in their order.
    pub fn for_target(target: Target) -> impl Iterator<Item = Measure> {
        Measure::all()
            .into_iter()
            .filter(move |measure| measure.target() == target)
    }

    /// What people look at first for a kind of target.
    pub fn usual(target: Target) -> Measure {
        let named = BUILTIN
            .iter()
            .find(|measure| measure.key() == target.measure);
        *named.expect("the usual measure of each kind of target is built in")
    }

    /// The measure of each target: the first of `asked` that is for such a target, or else
    /// another. Each of `asked` must be for one of the targets.
    pub(crate) fn chosen(
        targets: &[Target],
        asked: &[Measure],
        otherwise: impl Fn(Target) -> Measure,
    ) -> Result<Vec<Measure>, Error> {
        for measure in asked {
            if let (Some(&first), false) = (targets.first(), targets.contains(&measure.target())) {
                return Err(measure.wrong_for(first));
            }
        }
        let of_target = |&target: &Target| {
            let asked = asked.iter().find(|measure| measure.target() == target);
            asked.copied().unwrap_or_else(|| otherwise(target))
        };
        Ok(targets.iter().map(of_target).collect())
    }
}

impl FromStr for Measure {
    type Err = Error;

    fn from_str(name: &str) -> Result<Measure, Error> {
        let all = Measure::all();
        if let Some(measure) = all.iter().find(|measure| measure.key() == name) {
            return Ok(*measure);
        }
        let known: Vec<&'static str> = all.iter().map(|measure| measure.key()).collect();
        Err(Error::UnknownMeasure {
            found: name.to_owned(),
            nearest: nearest(name, &known),
            known,
        })
    }
}

impl<'de> Deserialize<'de> for Measure {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Measure, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}
