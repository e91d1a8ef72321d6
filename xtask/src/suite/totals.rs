//! What all tests came to.

use std::time::Duration;

use super::programs::Program;
use super::transcript::{Ending, Finished};
use crate::python;

/// So many of the slowest tests are named.
const SLOWEST: usize = 10;

/// Tests counted.
#[derive(Debug, Default)]
pub(super) struct Totals {
    passed: usize,
    skipped: usize,
    /// Names of failed tests, with what they printed.
    failed: Vec<(String, String)>,
    times: Vec<(Duration, String)>,
}

impl Totals {
    /// Counts a test of a program.
    pub(super) fn add(&mut self, program: &str, test: Finished) {
        let name = format!("{program} {}", test.name);
        self.times.push((test.time, name.clone()));
        match test.ending {
            Ending::Passed => self.passed += 1,
            Ending::Skipped => self.skipped += 1,
            Ending::Failed(output) => self.failed.push((name, output)),
        }
    }

    /// Counts the tests of the Python package.
    pub(super) fn python(&mut self, answer: Result<python::Counts, String>) {
        match answer {
            Ok(counts) => {
                self.passed += counts.passed;
                self.skipped += counts.skipped;
                self.times.extend(counts.slowest);
                let shown = "its output is above, in the report of pytest\n";
                let failed = counts.failed.into_iter();
                self.failed
                    .extend(failed.map(|name| (name, shown.to_owned())));
            }
            Err(reason) => self.failed.push(("the Python package".to_owned(), reason)),
        }
    }

    /// Counts one failure that is no test's own.
    pub(super) fn fault(&mut self, what: &str, reason: String) {
        self.failed.push((what.to_owned(), reason));
    }

    /// Prints all failures, the slowest tests and, as the last line, the totals.
    pub(super) fn report(mut self, elapsed: Duration) -> Result<(), String> {
        for (name, output) in &self.failed {
            println!("\n---- {name} ----\n{}", output.trim_end());
        }
        self.times.sort_by(|(one, _), (other, _)| other.cmp(one));
        println!("\nslowest:");
        for (time, name) in self.times.iter().take(SLOWEST) {
            println!("{:>9}  {name}", seconds(*time));
        }
        if !self.failed.is_empty() {
            println!("\nfailed:");
        }
        for (name, _) in &self.failed {
            println!("  {name}");
        }
        println!("\nall in {}", seconds(elapsed));
        println!("{}", self.line());
        match self.failed.is_empty() {
            true => Ok(()),
            // The last line has said it.
            false => Err(String::new()),
        }
    }

    fn line(&self) -> String {
        let (passed, failed, skipped) = (self.passed, self.failed.len(), self.skipped);
        format!("{passed} passed, {failed} failed, {skipped} skipped")
    }
}

/// Prints what became of a batch, in one line and one more for each failure.
pub(super) fn progress(program: &Program, results: &[Finished]) {
    let count = |wanted: fn(&Ending) -> bool| {
        let results = results.iter();
        results.filter(|test| wanted(&test.ending)).count()
    };
    let passed = count(|ending| *ending == Ending::Passed);
    let skipped = count(|ending| *ending == Ending::Skipped);
    let skipped = match skipped {
        0 => String::new(),
        skipped => format!(", {skipped} skipped"),
    };
    let time: Duration = results.iter().map(|test| test.time).sum();
    let label = &program.label;
    println!("{:>9}  {label}: {passed} passed{skipped}", seconds(time));
    for test in results {
        if matches!(test.ending, Ending::Failed(_)) {
            println!("{:>9}  FAILED {label} {}", seconds(test.time), test.name);
        }
    }
}

/// A duration in seconds, as people read it.
pub(super) fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_has_the_totals() {
        let mut totals = Totals::default();
        let endings = [
            Ending::Passed,
            Ending::Passed,
            Ending::Skipped,
            Ending::Failed("x".to_owned()),
        ];
        for (number, ending) in endings.into_iter().enumerate() {
            let name = format!("t{number}");
            let time = Duration::from_secs(1);
            totals.add("p", Finished { name, ending, time });
        }
        assert_eq!(totals.line(), "2 passed, 1 failed, 1 skipped");
        totals.python(Ok(python::Counts {
            passed: 3,
            failed: vec!["test_a".to_owned()],
            skipped: 2,
            slowest: Vec::new(),
        }));
        assert_eq!(totals.line(), "5 passed, 2 failed, 3 skipped");
        totals.python(Err("no wheel".to_owned()));
        assert_eq!(totals.line(), "5 passed, 3 failed, 3 skipped");
        assert_eq!(totals.report(Duration::ZERO), Err(String::new()));
    }
}
