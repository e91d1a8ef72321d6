//! A batch of tests in a process of its own, under a time limit.

use std::collections::BTreeSet;
use std::process::Stdio;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::limits::Limits;
use super::programs::Program;
use super::transcript::{Ending, Finished, Transcript};
use crate::line;
use crate::processes::{Piece, forward, kill, wait};

/// What became of a batch.
pub(super) struct Outcome {
    pub(super) results: Vec<Finished>,
    /// Tests that have to be run in another process, because this one came to an early end.
    pub(super) unfinished: Vec<String>,
}

/// Runs some tests of a program one after the other.
pub(super) fn run(program: &Program, tests: &[String], limits: &Limits) -> Outcome {
    let mut command = program.command(limits);
    command
        .args(["--test-threads=1", "--exact"])
        .args(tests)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let begin = Instant::now();
    let mut transcript = Transcript::new(begin);
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => {
            let reason = format!("cannot run {}: {error}", line(&command));
            return early(transcript, tests, None, &reason);
        }
    };
    let (sender, receiver) = channel();
    if let Some(output) = child.stdout.take() {
        forward(output, Piece::Output, sender.clone());
    }
    if let Some(errors) = child.stderr.take() {
        forward(errors, Piece::Errors, sender);
    }
    let mut errors = String::new();
    let ended = follow(&receiver, &mut transcript, &mut errors, limits.test);
    let reason = match ended {
        End::Printed => {
            let patience = Instant::now() + limits.test;
            wait(&mut child, patience);
            kill(&mut child);
            None
        }
        End::Closed => {
            let patience = Instant::now() + limits.test;
            let status = wait(&mut child, patience);
            kill(&mut child);
            let status = status.map_or("it closed its output".to_owned(), |s| s.to_string());
            Some(format!("the test program ended early: {status}"))
        }
        End::Late => {
            kill(&mut child);
            let seconds = limits.test.as_secs();
            Some(format!("took longer than {seconds} s and was killed"))
        }
    };
    match reason {
        None => {
            let (results, _) = transcript.finish();
            let seen: BTreeSet<&str> = results.iter().map(|test| test.name.as_str()).collect();
            let missing = tests.iter().find(|test| !seen.contains(test.as_str()));
            match missing {
                None => Outcome {
                    results,
                    unfinished: Vec::new(),
                },
                Some(_) => lost(results, tests),
            }
        }
        Some(reason) => {
            let running = transcript.running();
            early(transcript, tests, running, &format!("{reason}\n{errors}"))
        }
    }
}

/// The outcome of a batch whose process did not come to its end.
fn early(
    transcript: Transcript,
    tests: &[String],
    running: Option<(String, String)>,
    reason: &str,
) -> Outcome {
    let time = transcript.since().elapsed();
    let (mut results, _) = transcript.finish();
    let seen: BTreeSet<String> = results.iter().map(|test| test.name.clone()).collect();
    let left = tests.iter().filter(|test| !seen.contains(*test));
    // Without a test that ran, the program itself is at fault, and would be again.
    let (failed, unfinished): (Vec<String>, Vec<String>) = match &running {
        Some((name, _)) => left.cloned().partition(|test| test == name),
        None => (left.cloned().collect(), Vec::new()),
    };
    let printed = running.map(|(_, printed)| printed).unwrap_or_default();
    results.extend(failed.into_iter().map(|name| Finished {
        name,
        ending: Ending::Failed(format!("{reason}\n{printed}")),
        time,
    }));
    Outcome {
        results,
        unfinished,
    }
}

/// The outcome of a batch whose program came to its end without having run all tests.
fn lost(mut results: Vec<Finished>, tests: &[String]) -> Outcome {
    let seen: BTreeSet<String> = results.iter().map(|test| test.name.clone()).collect();
    let left = tests.iter().filter(|test| !seen.contains(*test));
    results.extend(left.map(|name| Finished {
        name: name.clone(),
        ending: Ending::Failed("the test program did not run it".to_owned()),
        time: Duration::ZERO,
    }));
    Outcome {
        results,
        unfinished: Vec::new(),
    }
}

/// How the output of a program ended.
enum End {
    /// With its last line. A process that a test left behind may keep the pipe open.
    Printed,
    /// The pipe was closed before the last line.
    Closed,
    /// A test took too long.
    Late,
}

/// Reads the output of a program to its end, or until a test takes too long.
fn follow(
    pieces: &Receiver<Piece>,
    transcript: &mut Transcript,
    errors: &mut String,
    limit: Duration,
) -> End {
    // A character may be cut in two between pieces.
    let mut cut = Vec::new();
    loop {
        let deadline = transcript.since() + limit;
        let patience = deadline.saturating_duration_since(Instant::now());
        match pieces.recv_timeout(patience) {
            Ok(Piece::Output(bytes)) => {
                cut.extend(bytes);
                let whole = match std::str::from_utf8(&cut) {
                    Err(error) if error.error_len().is_none() => error.valid_up_to(),
                    _ => cut.len(),
                };
                let rest = cut.split_off(whole);
                transcript.feed(&String::from_utf8_lossy(&cut), Instant::now());
                cut = rest;
                if transcript.ended() {
                    return End::Printed;
                }
            }
            Ok(Piece::Errors(bytes)) => errors.push_str(&String::from_utf8_lossy(&bytes)),
            Err(RecvTimeoutError::Disconnected) => return End::Closed,
            Err(RecvTimeoutError::Timeout) => return End::Late,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::programs::testing::script;

    fn outcome(body: &str, tests: &[&str], limit: Duration) -> Outcome {
        let limits = Limits {
            test: limit,
            environment: vec![("MARK", Some("here".to_owned())), ("HOME", None)],
        };
        let tests: Vec<String> = tests.iter().map(|test| (*test).to_owned()).collect();
        script(body, |program| run(program, &tests, &limits))
    }

    fn failure(outcome: &Outcome, name: &str) -> String {
        let test = outcome.results.iter().find(|test| test.name == name);
        match &test.expect("it has a result").ending {
            Ending::Failed(output) => output.clone(),
            other => panic!("{other:?}"),
        }
    }

    const LONG: Duration = Duration::from_secs(20);

    #[test]
    fn tests_that_pass_pass() {
        let body = "echo \"test a ... $MARK$HOME\"; echo ok; echo; echo 'test result: ok.'";
        let outcome = outcome(body, &["a"], LONG);
        assert_eq!(outcome.results[0].ending, Ending::Passed);
        assert!(outcome.unfinished.is_empty());
    }

    #[test]
    fn a_test_that_hangs_is_killed_with_what_it_started() {
        let body = "echo 'test a ... ok'; printf 'test b ... '; sleep 77 & sleep 77; echo ok";
        let begin = Instant::now();
        let outcome = outcome(body, &["a", "b", "c"], Duration::from_millis(300));
        assert!(begin.elapsed() < LONG);
        assert!(failure(&outcome, "b").starts_with("took longer than 0 s and was killed"));
        assert_eq!(outcome.unfinished, ["c"]);
    }

    #[test]
    fn a_test_that_ends_the_program_is_named() {
        let body = "printf 'test a ... '; echo stack overflow >&2; kill -ABRT $$";
        let outcome = outcome(body, &["a", "b"], LONG);
        let message = failure(&outcome, "a");
        assert!(message.contains("ended early: signal: 6"), "{message}");
        assert!(message.contains("stack overflow"), "{message}");
        assert_eq!(outcome.unfinished, ["b"]);
    }

    #[test]
    fn a_program_that_runs_nothing_fails_all() {
        let outcome = outcome("exit 3", &["a", "b"], LONG);
        assert!(failure(&outcome, "a").contains("exit status: 3"));
        assert!(failure(&outcome, "b").contains("exit status: 3"));
        assert!(outcome.unfinished.is_empty());
    }

    #[test]
    fn a_test_that_is_not_run_is_a_failure() {
        let outcome = outcome("echo 'test result: ok.'", &["a"], LONG);
        assert!(failure(&outcome, "a").contains("did not run it"));
    }

    #[test]
    fn a_process_left_behind_does_not_keep_the_batch() {
        let body = "echo 'test a ... ok'; sleep 9 & echo 'test result: ok.'; exit 0";
        let begin = Instant::now();
        let outcome = outcome(body, &["a"], LONG);
        assert!(begin.elapsed() < LONG);
        assert_eq!(outcome.results[0].ending, Ending::Passed);
    }
}
