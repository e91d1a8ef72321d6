//! What a test program prints, read as it comes.
//!
//! With one thread a program prints `test NAME ... ` before a test and its result after. What a
//! test or a process that it starts writes past the capture may stand between the two.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// How a test ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ending {
    Passed,
    Skipped,
    /// With what it printed.
    Failed(String),
}

/// A test that ended.
#[derive(Debug, Clone)]
pub(super) struct Finished {
    pub(super) name: String,
    pub(super) ending: Ending,
    pub(super) time: Duration,
}

#[derive(Debug, PartialEq, Eq)]
enum Part {
    Tests,
    /// What failed tests printed; the name of the test it belongs to.
    Outputs(Option<String>),
    Ended,
}

/// A program's output so far.
pub(super) struct Transcript {
    part: Part,
    /// The line that has no end yet.
    open: String,
    /// The test that runs, with what was printed since it began.
    running: Option<(String, String)>,
    /// When the last test ended.
    since: Instant,
    finished: Vec<Finished>,
    outputs: BTreeMap<String, String>,
}

impl Transcript {
    pub(super) fn new(now: Instant) -> Self {
        Transcript {
            part: Part::Tests,
            open: String::new(),
            running: None,
            since: now,
            finished: Vec::new(),
            outputs: BTreeMap::new(),
        }
    }

    /// Takes what was printed up to now.
    pub(super) fn feed(&mut self, text: &str, now: Instant) {
        self.open.push_str(text);
        while let Some(end) = self.open.find('\n') {
            let line: String = self.open.drain(..=end).collect();
            self.line(line.trim_end_matches(['\n', '\r']), now);
        }
    }

    /// Whether the program has printed its last line.
    pub(super) fn ended(&self) -> bool {
        self.part == Part::Ended
    }

    /// When the test that runs now began.
    pub(super) fn since(&self) -> Instant {
        self.since
    }

    /// The test that has begun and not ended, with what it printed past the capture.
    pub(super) fn running(&self) -> Option<(String, String)> {
        let begun = begin(&self.open).map(|(name, rest)| (name.to_owned(), rest.to_owned()));
        begun.or_else(|| {
            let (name, printed) = self.running.clone()?;
            Some((name, printed + &self.open))
        })
    }

    /// All tests that ended, and the names of those that failed without their output being known.
    pub(super) fn finish(mut self) -> (Vec<Finished>, Vec<String>) {
        let mut unknown = Vec::new();
        let outputs = &mut self.outputs;
        self.finished.retain_mut(|test| match &mut test.ending {
            Ending::Failed(output) => match outputs.remove(&test.name) {
                Some(printed) => {
                    output.push_str(&printed);
                    true
                }
                // A test that failed in silence has no section, but then all others have been
                // shown.
                None if self.part == Part::Ended => true,
                None => {
                    unknown.push(test.name.clone());
                    false
                }
            },
            _ => true,
        });
        (self.finished, unknown)
    }

    fn line(&mut self, line: &str, now: Instant) {
        if line.starts_with("test result: ") && !matches!(self.part, Part::Outputs(Some(_))) {
            self.settle(now);
            self.part = Part::Ended;
            return;
        }
        match &mut self.part {
            Part::Tests => self.test_line(line, now),
            Part::Outputs(name) => {
                let header = line
                    .strip_prefix("---- ")
                    .and_then(|rest| rest.strip_suffix(" stdout ----"));
                if let Some(header) = header {
                    *name = Some(header.trim_end_matches(" - should panic").to_owned());
                } else if line == "failures:" {
                    *name = None;
                } else if let Some(name) = name {
                    let output = self.outputs.entry(name.clone()).or_default();
                    output.push_str(line);
                    output.push('\n');
                }
            }
            Part::Ended => {}
        }
    }

    fn test_line(&mut self, line: &str, now: Instant) {
        if let Some((name, rest)) = begin(line) {
            self.settle(now);
            self.running = Some((name.to_owned(), String::new()));
            return self.result(rest, now);
        }
        if line == "failures:" {
            self.settle(now);
            self.part = Part::Outputs(None);
        } else {
            self.result(line, now);
        }
    }

    /// Takes a line that may be the result of the test that runs.
    fn result(&mut self, line: &str, now: Instant) {
        let Some((_, printed)) = &mut self.running else {
            return;
        };
        let ending = match line {
            "ok" => Ending::Passed,
            "FAILED" => Ending::Failed(String::new()),
            _ if line == "ignored" || line.starts_with("ignored, ") => Ending::Skipped,
            _ => {
                printed.push_str(line);
                printed.push('\n');
                return;
            }
        };
        self.end(ending, now);
    }

    /// Ends a test whose result stands at the end of a line that it printed itself.
    fn settle(&mut self, now: Instant) {
        if let Some((_, printed)) = &self.running {
            let ending = match printed.trim_end().ends_with("FAILED") {
                true => Ending::Failed(String::new()),
                false => Ending::Passed,
            };
            self.end(ending, now);
        }
    }

    fn end(&mut self, ending: Ending, now: Instant) {
        if let Some((name, _)) = self.running.take() {
            let time = now.duration_since(self.since);
            self.finished.push(Finished { name, ending, time });
            self.since = now;
        }
    }
}

/// The name of the test that a line begins, and what follows on the line.
fn begin(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.strip_prefix("test ")?.split_once(" ... ")?;
    let name = name.strip_suffix(" - should panic").unwrap_or(name);
    (!name.contains(' ')).then_some((name, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fed(texts: &[&str]) -> Transcript {
        let start = Instant::now();
        let mut transcript = Transcript::new(start);
        for (second, text) in texts.iter().enumerate() {
            transcript.feed(text, start + Duration::from_secs(second as u64));
        }
        transcript
    }

    fn endings(tests: &[Finished]) -> Vec<(&str, &Ending)> {
        let tests = tests.iter();
        tests
            .map(|test| (test.name.as_str(), &test.ending))
            .collect()
    }

    #[test]
    fn tests_are_read_with_their_times() {
        let transcript = fed(&[
            "\nrunning 3 tests\ntest a ... ",
            "ok\ntest b::c - should panic ... ",
            "ok\ntest d ... ignored, slow\n",
            "\ntest result: ok. 2 passed; 0 failed; 1 ignored; finished in 0.1s\n",
        ]);
        assert!(transcript.ended());
        let (finished, unknown) = transcript.finish();
        let passed = &Ending::Passed;
        let expected = [("a", passed), ("b::c", passed), ("d", &Ending::Skipped)];
        assert_eq!(endings(&finished), expected);
        let seconds: Vec<u64> = finished.iter().map(|test| test.time.as_secs()).collect();
        assert_eq!(seconds, [1, 1, 0]);
        assert!(unknown.is_empty());
    }

    #[test]
    fn a_failure_has_what_it_printed() {
        let transcript = fed(&[
            "test a ... FAILED\ntest b ... FAILED\ntest c ... ok\n\nfailures:\n\n---- a stdout ----\n",
            "left: 1\n\n---- b stdout ----\ntest result: no\nright: 2\n\n\nfailures:\n    a\n    b\n\n",
            "test result: FAILED. 1 passed; 2 failed;\n",
        ]);
        let (finished, _) = transcript.finish();
        assert_eq!(finished[0].ending, Ending::Failed("left: 1\n\n".to_owned()));
        let second = Ending::Failed("test result: no\nright: 2\n\n\n".to_owned());
        assert_eq!(finished[1].ending, second);
        assert_eq!(finished[2].ending, Ending::Passed);
    }

    #[test]
    fn the_test_that_hangs_is_known() {
        let transcript = fed(&["test a ... ok\ntest b ... ", "still", " here"]);
        assert!(!transcript.ended());
        let running = transcript.running();
        assert_eq!(running, Some(("b".to_owned(), "still here".to_owned())));
    }

    #[test]
    fn what_is_printed_past_the_capture_is_no_result() {
        let transcript = fed(&[
            "test a ... from a child\nok\ntest b ... no line endok\ntest c ... xFAILED\n",
            "test d ... test e ... \nok\n\nfailures:\n\n---- c stdout ----\nx\n\nfailures:\n    c\n",
            "\ntest result: FAILED. 3 passed; 1 failed\n",
        ]);
        let (finished, _) = transcript.finish();
        let names: Vec<&str> = finished.iter().map(|test| test.name.as_str()).collect();
        assert_eq!(names, ["a", "b", "c", "d"]);
        let failed = Ending::Failed("x\n\n".to_owned());
        assert_eq!(finished[2].ending, failed);
        assert_eq!(finished[1].ending, Ending::Passed);
        assert_eq!(finished[3].ending, Ending::Passed);
    }

    #[test]
    fn a_failure_whose_output_is_lost_is_run_again() {
        let transcript = fed(&["test a ... FAILED\ntest b ... ok\ntest c ... "]);
        let (finished, unknown) = transcript.finish();
        assert_eq!(endings(&finished), [("b", &Ending::Passed)]);
        assert_eq!(unknown, ["a"]);
    }
}
