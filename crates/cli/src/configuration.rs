//! `kinwood.toml` in the current folder: what the command line need not repeat.
//!
//! Every key is checked when the file is read, also those of learners that are not used: a mistake
//! that is skipped now would be met later by somebody else.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use kinwood::learners::{Error as LearnerError, Registry};
use kinwood_values::suggest::nearest;
use toml::de::{DeTable, DeValue};

use crate::amounts::{duration, size};
use crate::error::{Error, Result};

const FILE: &str = "kinwood.toml";
const KEYS: [&str; 6] = ["threads", "seed", "memory", "time", "quiet", "set"];

/// What the file says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Configuration {
    /// The number of threads.
    pub threads: Option<u32>,
    /// The seed.
    pub seed: Option<u64>,
    /// The memory limit in bytes.
    pub memory: Option<u64>,
    /// The time limit.
    pub time: Option<Duration>,
    /// Whether notes and progress are left out.
    pub quiet: bool,
    /// Settings by learner.
    settings: BTreeMap<String, Vec<(String, String)>>,
}

impl Configuration {
    /// Reads the file of the current folder, if there is one.
    pub fn load(registry: &Registry) -> Result<Self> {
        match std::fs::read_to_string(Path::new(FILE)) {
            Ok(text) => Self::parse(&text, registry),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(source) => Err(Error::read(Path::new(FILE), source)),
        }
    }

    fn parse(text: &str, registry: &Registry) -> Result<Self> {
        let file = File { text };
        let table = DeTable::parse(text).map_err(|error| {
            file.wrong(
                error.span().unwrap_or_default(),
                error.message().trim(),
                None,
            )
        })?;
        let mut configuration = Self::default();
        for (key, value) in table.get_ref() {
            let span = value.span();
            match key.get_ref().as_ref() {
                "threads" => {
                    let threads = file.whole(value.get_ref(), &span)?;
                    let fits = u32::try_from(threads).ok().filter(|count| *count > 0);
                    let wrong = || file.wrong(span, "expected a number of threads from 1", None);
                    configuration.threads = Some(fits.ok_or_else(wrong)?);
                }
                "seed" => configuration.seed = Some(file.whole(value.get_ref(), &span)?),
                "memory" => configuration.memory = Some(file.read(value.get_ref(), span, size)?),
                "time" => configuration.time = Some(file.read(value.get_ref(), span, duration)?),
                "quiet" => {
                    let wrong = || file.wrong(span, "expected true or false", None);
                    configuration.quiet = value.get_ref().as_bool().ok_or_else(wrong)?;
                }
                "set" => configuration.settings = file.settings(value.get_ref(), span, registry)?,
                unknown => {
                    let reason =
                        format!("unknown key `{unknown}` (the keys are {})", KEYS.join(", "));
                    return Err(file.wrong(key.span(), &reason, nearest(unknown, KEYS)));
                }
            }
        }
        Ok(configuration)
    }

    /// A learner's settings: those of the file, overruled by those given.
    pub fn settings(&self, learner: &str, given: &[(String, String)]) -> Vec<(String, String)> {
        let overruled = |name: &str| given.iter().any(|(other, _)| other == name);
        let own = self.settings.get(learner).into_iter().flatten();
        own.filter(|(name, _)| !overruled(name))
            .chain(given)
            .cloned()
            .collect()
    }
}

/// The text, for places in it.
struct File<'a> {
    text: &'a str,
}

impl File<'_> {
    fn wrong(&self, span: Range<usize>, reason: &str, nearest: Option<String>) -> Error {
        let before = self.text.get(..span.start).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Error::Configuration {
            file: FILE.to_owned(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            reason: reason.replace('\n', ", "),
            nearest,
        }
    }

    fn whole(&self, value: &DeValue<'_>, span: &Range<usize>) -> Result<u64> {
        value
            .as_integer()
            .and_then(|number| u64::from_str_radix(number.as_str(), number.radix()).ok())
            .ok_or_else(|| self.wrong(span.clone(), "expected a whole number from 0", None))
    }

    fn read<T>(
        &self,
        value: &DeValue<'_>,
        span: Range<usize>,
        read: fn(&str) -> Result<T, String>,
    ) -> Result<T> {
        let text = value
            .as_str()
            .ok_or_else(|| self.wrong(span.clone(), "expected text in quotes", None))?;
        read(text).map_err(|reason| self.wrong(span, &reason, None))
    }

    fn settings(
        &self,
        value: &DeValue<'_>,
        span: Range<usize>,
        registry: &Registry,
    ) -> Result<BTreeMap<String, Vec<(String, String)>>> {
        let tables = value
            .as_table()
            .ok_or_else(|| self.wrong(span, "expected tables such as [set.knn]", None))?;
        let mut settings = BTreeMap::new();
        for (learner, table) in tables {
            let entry = registry
                .find(learner.get_ref())
                .map_err(|error| self.unfit(learner.span(), error))?;
            let own = table.get_ref().as_table().ok_or_else(|| {
                self.wrong(table.span(), "expected settings of the learner", None)
            })?;
            let mut pairs = Vec::new();
            for (name, value) in own {
                let text = scalar(value.get_ref()).ok_or_else(|| {
                    self.wrong(
                        value.span(),
                        "expected a text, a number, true or false",
                        None,
                    )
                })?;
                let pair = (entry.own_name(name.get_ref()), text);
                entry
                    .settings(std::slice::from_ref(&pair))
                    .map_err(|error| {
                        let named = matches!(error, LearnerError::UnknownSetting { .. });
                        self.unfit(if named { name.span() } else { value.span() }, error)
                    })?;
                pairs.push(pair);
            }
            settings.insert(entry.name.to_owned(), pairs);
        }
        Ok(settings)
    }

    /// What the registry says of a name or value, which already names the nearest.
    fn unfit(&self, span: Range<usize>, error: LearnerError) -> Error {
        self.wrong(span, &error.to_string(), None)
    }
}

/// A value as `--set` would have it.
fn scalar(value: &DeValue<'_>) -> Option<String> {
    Some(match value {
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.to_string(),
        DeValue::Boolean(flag) => flag.to_string(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Configuration> {
        Configuration::parse(text, &Registry::new())
    }

    #[test]
    fn every_key_is_read() {
        let text = "threads = 2\nseed = 7\nmemory = \"2G\"\ntime = \"5m\"\nquiet = true\n[set.knn]\nk = 3\nmissing = \"max\"\n";
        let read = parse(text).unwrap();
        assert_eq!(
            (read.threads, read.seed, read.quiet),
            (Some(2), Some(7), true)
        );
        assert_eq!(
            (read.memory, read.time),
            (Some(2 << 30), Some(Duration::from_secs(300)))
        );
        let given = [("k".to_owned(), "9".to_owned())];
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(
            read.settings("knn", &given),
            [pair("missing", "max"), pair("k", "9")]
        );
        assert_eq!(read.settings("oner", &[]), []);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let message = |text: &str| parse(text).unwrap_err().to_string();
        assert_eq!(
            message("seed = 1\nthread = 2\n"),
            "kinwood.toml:2:1: unknown key `thread` (the keys are threads, seed, memory, time, quiet, set); did you mean `threads`?"
        );
        assert_eq!(
            message("memory = \"lots\""),
            "kinwood.toml:1:10: expected a size such as 500M or 2G"
        );
        assert_eq!(
            message("threads = 0"),
            "kinwood.toml:1:11: expected a number of threads from 1"
        );
        assert_eq!(
            message("seed = -1"),
            "kinwood.toml:1:8: expected a whole number from 0"
        );
        assert_eq!(
            message("[set.knn]\nmising = \"max\""),
            "kinwood.toml:2:1: `knn` has no setting `mising` (its settings are preset, k, most, weights, filter, distance, depth, missing, flatten, flatten_depth, flatten_rows, aggregates, flatten_windows, flatten_last, flatten_labels, flatten_columns and 2 more); did you mean `missing`?"
        );
        assert_eq!(
            message("[set.knn]\nk = 0"),
            "kinwood.toml:2:5: setting `k` cannot be `0`: expected a whole number from 1, or auto or loo"
        );
        assert!(message("[set.knm]").starts_with("kinwood.toml:1:6: unknown learner `knm`"));
        assert!(message("seed = \n").starts_with("kinwood.toml:1:"));
    }
}
