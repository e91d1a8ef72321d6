//! Which tests share a process, and which begin first.
//!
//! How long a test took is remembered beside what cargo builds. With it, batches are cut to about
//! the same length and long ones begin first, so that no core waits at the end for another.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use super::transcript::{Ending, Finished};
use crate::target;

/// Tests of one program that share a process.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Batch {
    /// The position of the program.
    pub(super) program: usize,
    pub(super) tests: Vec<String>,
}

/// Seconds that a test takes of which nothing is known.
const UNKNOWN: f64 = 0.05;

/// As many tests share a process at most.
const MOST: usize = 100;

/// A batch is closed when it is expected to take so many seconds, even if all together take little.
const SHORT: f64 = 2.0;

/// Seconds that tests took before, by program and name.
#[derive(Debug, Default)]
pub(super) struct Times {
    seconds: BTreeMap<String, f64>,
}

impl Times {
    /// Reads what earlier runs left; nothing if there is none.
    pub(super) fn load() -> Self {
        let text = fs::read_to_string(file()).unwrap_or_default();
        let read: Option<Value> = serde_json::from_str(&text).ok();
        let read = read.as_ref().and_then(Value::as_object);
        let seconds = read.into_iter().flatten();
        let seconds = seconds.filter_map(|(test, seconds)| Some((test.clone(), seconds.as_f64()?)));
        Times {
            seconds: seconds.collect(),
        }
    }

    /// Keeps the times for the next run. They only save time, so that a failure is no failure.
    pub(super) fn save(&self) {
        let seconds: serde_json::Map<String, Value> = self
            .seconds
            .iter()
            .map(|(test, seconds)| (test.clone(), Value::from(*seconds)))
            .collect();
        let file = file();
        if let Some(folder) = file.parent() {
            let _ = fs::create_dir_all(folder);
        }
        let _ = fs::write(file, Value::from(seconds).to_string());
    }

    /// Takes note of how long a test took.
    pub(super) fn note(&mut self, program: &str, test: &Finished) {
        if test.ending == Ending::Passed {
            let seconds = (test.time.as_secs_f64() * 1000.0).round() / 1000.0;
            self.seconds.insert(key(program, &test.name), seconds);
        }
    }

    fn expected(&self, program: &str, test: &str) -> f64 {
        let known = self.seconds.get(&key(program, test));
        known.copied().unwrap_or(UNKNOWN)
    }
}

fn key(program: &str, test: &str) -> String {
    format!("{program} {test}")
}

fn file() -> PathBuf {
    target().join("xtask").join("times.json")
}

/// Divides the tests of all programs, given with their labels, into batches, longest first.
pub(super) fn divide(listed: Vec<(String, Vec<String>)>, times: &Times, jobs: usize) -> Vec<Batch> {
    let expected = |label: &str, tests: &[String]| -> f64 {
        tests.iter().map(|test| times.expected(label, test)).sum()
    };
    let total: f64 = listed
        .iter()
        .map(|(label, tests)| expected(label, tests))
        .sum();
    let budget = (total / (jobs * 8) as f64).max(SHORT);
    let mut batches = Vec::new();
    for (program, (label, tests)) in listed.into_iter().enumerate() {
        let mut open: (f64, Vec<String>) = (0.0, Vec::new());
        for test in tests {
            let seconds = times.expected(&label, &test);
            let full = open.0 + seconds > budget || open.1.len() == MOST;
            if full && !open.1.is_empty() {
                batches.push((program, std::mem::take(&mut open)));
            }
            open.0 += seconds;
            open.1.push(test);
        }
        if !open.1.is_empty() {
            batches.push((program, open));
        }
    }
    batches.sort_by(|(_, (one, _)), (_, (other, _))| other.total_cmp(one));
    let batches = batches.into_iter();
    batches
        .map(|(program, (_, tests))| Batch { program, tests })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn finished(name: &str, seconds: u64, ending: Ending) -> Finished {
        let time = Duration::from_secs(seconds);
        let name = name.to_owned();
        Finished { name, ending, time }
    }

    #[test]
    fn long_ones_begin_first_and_alone() {
        let mut times = Times::default();
        times.note("p", &finished("b", 9, Ending::Passed));
        times.note("q", &finished("e", 5, Ending::Passed));
        times.note("q", &finished("d", 90, Ending::Failed(String::new())));
        let listed = vec![
            ("p".to_owned(), names(&["a", "b", "c"])),
            ("q".to_owned(), names(&["d", "e"])),
        ];
        let batches = divide(listed, &times, 2);
        let tests: Vec<(usize, Vec<String>)> = batches
            .into_iter()
            .map(|batch| (batch.program, batch.tests))
            .collect();
        let expected = [
            (0, names(&["b"])),
            (1, names(&["e"])),
            (0, names(&["a"])),
            (0, names(&["c"])),
            (1, names(&["d"])),
        ];
        assert_eq!(tests, expected);
    }

    #[test]
    fn short_ones_share_a_process() {
        let tests: Vec<String> = (0..250).map(|number| format!("t{number}")).collect();
        let batches = divide(vec![("p".to_owned(), tests.clone())], &Times::default(), 2);
        assert!((3..=10).contains(&batches.len()), "{}", batches.len());
        let again: Vec<String> = batches.into_iter().flat_map(|batch| batch.tests).collect();
        assert_eq!(again.len(), tests.len());
    }
}
