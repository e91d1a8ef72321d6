//! The arguments of `cargo xtask test`.

use std::num::NonZeroUsize;
use std::thread;
use std::time::Duration;

use super::TIME_LIMIT;

/// What is run, and how.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Options {
    /// Parts of names: a test runs if its name has one of them, or if there are none.
    pub(super) filters: Vec<String>,
    /// Crates; all if there are none.
    pub(super) packages: Vec<String>,
    /// How many tests run at a time.
    pub(super) jobs: usize,
    /// How long one test may take.
    pub(super) timeout: Duration,
}

impl Options {
    pub(super) fn parse(arguments: &[String]) -> Result<Self, String> {
        let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let mut options = Options {
            filters: Vec::new(),
            packages: Vec::new(),
            jobs: cores,
            timeout: TIME_LIMIT,
        };
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            let (name, attached) = match argument.split_once('=') {
                Some((name, value)) if name.starts_with("--") => (name, Some(value.to_owned())),
                _ => (argument.as_str(), None),
            };
            let mut value = || {
                let value = attached.clone().or_else(|| arguments.next().cloned());
                value.ok_or_else(|| format!("`{name}` needs a value"))
            };
            match name {
                "-p" | "--package" => options.packages.push(value()?),
                "-j" | "--jobs" => options.jobs = positive(name, &value()?)?,
                "--timeout" => {
                    let seconds = positive(name, &value()?)?;
                    options.timeout = Duration::from_secs(seconds as u64);
                }
                _ if name.starts_with('-') => {
                    return Err(format!(
                        "`test` does not take `{argument}`: it takes parts of names of tests, \
                         -p CRATE, --jobs NUMBER and --timeout SECONDS"
                    ));
                }
                _ => options.filters.push(argument.clone()),
            }
        }
        Ok(options)
    }

    /// Whether nothing is left out.
    pub(super) fn whole(&self) -> bool {
        self.filters.is_empty() && self.packages.is_empty()
    }

    /// Whether a test of this name is chosen.
    pub(super) fn choose(&self, test: &str) -> bool {
        self.filters.is_empty() || self.filters.iter().any(|part| test.contains(part.as_str()))
    }

    /// Whether the tests of this crate are chosen.
    pub(super) fn choose_package(&self, name: &str) -> bool {
        self.packages.is_empty() || self.packages.iter().any(|package| package == name)
    }
}

fn positive(name: &str, value: &str) -> Result<usize, String> {
    let number = value.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| format!("`{name}` is a whole number above 0, not `{value}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Options, String> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        Options::parse(&words)
    }

    #[test]
    fn arguments_are_read() {
        let options = parse("knn -p kinwood --jobs=3 --timeout 20 tree").unwrap();
        assert_eq!(options.filters, ["knn", "tree"]);
        assert!(options.choose_package("kinwood") && !options.choose_package("xtask"));
        assert_eq!((options.jobs, options.timeout.as_secs()), (3, 20));
        assert!(options.choose("a::knn::b") && !options.choose("a::svm"));
        assert!(!options.whole());
    }

    #[test]
    fn nothing_chosen_is_everything() {
        let options = parse("--jobs 1").unwrap();
        assert!(options.whole() && options.choose("anything"));
        assert!(options.choose_package("kinwood"));
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        assert!(parse("--release").unwrap_err().contains("`--release`"));
        assert!(parse("--jobs 0").unwrap_err().contains("above 0, not `0`"));
        assert!(parse("--timeout").unwrap_err().contains("needs a value"));
    }
}
