//! `cargo xtask test`: all tests, side by side, each with a time limit, and one line of totals.
//!
//! All test programs are built once, then run in batches: a process for each test would cost more
//! than most tests do, and one process for each program would leave a core idle at the end. A batch
//! runs one test after the other, so that the time of each is known from when its line appears, and
//! one that hangs is known by name.

mod batches;
mod documents;
mod limits;
mod options;
mod process;
mod programs;
pub(crate) mod soak;
mod totals;
mod transcript;

use std::collections::VecDeque;
use std::env;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::{needs, python};
use batches::{Batch, Times};
use limits::Limits;
use options::Options;
use programs::Built;
use totals::Totals;

/// What is done with recorded outputs that differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Recordings {
    /// A difference is a failure.
    Compare,
    /// The recording is written anew.
    Rewrite,
}

/// Runs the tests that the arguments choose; fails if one of them fails.
pub(crate) fn run(arguments: &[String], recordings: Recordings) -> Result<(), String> {
    let options = Options::parse(arguments)?;
    let skipped = needs::meet()?;
    if env::var_os("KINWOOD_DATA").is_none() {
        println!(
            "KINWOOD_DATA is not set: tests that need the public data sets are skipped; \
             to run them, set it to the directory that holds the data sets"
        );
    }
    let limits = Limits {
        test: options.timeout,
        environment: environment(&skipped, recordings),
    };
    let begin = Instant::now();
    let built = programs::build(&options)?;
    let building = begin.elapsed();
    let mut totals = Totals::default();
    run_batches(&built, &options, &limits, &mut totals)?;
    documents::run(&options, &built, &limits, &mut totals)?;
    let whole = options.whole() && recordings == Recordings::Compare;
    if whole && !skipped.contains(&"python3") {
        totals.python(python::test(&[], options.timeout, built.command.as_deref()));
    }
    println!("\nbuilt in {}", totals::seconds(building));
    totals.report(begin.elapsed())
}

/// What tests find in their environment beside what cargo sets; none takes a variable away.
fn environment(skipped: &[&str], recordings: Recordings) -> Vec<(&'static str, Option<String>)> {
    let rewrite = recordings == Recordings::Rewrite;
    vec![
        // A value from outside must not silence tests whose needs are met.
        (
            "KINWOOD_SKIP",
            (!skipped.is_empty()).then(|| skipped.join(",")),
        ),
        ("KINWOOD_UPDATE_GOLDEN", rewrite.then(|| "1".to_owned())),
        (
            "INSTA_UPDATE",
            Some(if rewrite { "always" } else { "no" }.to_owned()),
        ),
    ]
}

/// Runs unit and integration tests on as many workers as there are jobs.
fn run_batches(
    built: &Built,
    options: &Options,
    limits: &Limits,
    totals: &mut Totals,
) -> Result<(), String> {
    let mut times = Times::load();
    let labels = built.programs.iter().map(|program| program.label.clone());
    let listed = labels
        .zip(programs::list(&built.programs, options, limits)?)
        .collect();
    let queue = Mutex::new(VecDeque::from(batches::divide(
        listed,
        &times,
        options.jobs,
    )));
    let shared = Mutex::new((totals, &mut times));
    let lock = || shared.lock().unwrap_or_else(PoisonError::into_inner);
    let next = || {
        let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.pop_front()
    };
    let again = |batch: Batch| {
        let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.push_front(batch);
    };
    let work = || {
        while let Some(batch) = next() {
            let program = &built.programs[batch.program];
            let outcome = process::run(program, &batch.tests, limits);
            let (totals, times) = &mut *lock();
            totals::progress(program, &outcome.results);
            for result in outcome.results {
                times.note(&program.label, &result);
                totals.add(&program.label, result);
            }
            if !outcome.unfinished.is_empty() {
                again(Batch {
                    program: batch.program,
                    tests: outcome.unfinished,
                });
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..options.jobs {
            scope.spawn(work);
        }
    });
    times.save();
    Ok(())
}

/// How long a test may take by default.
pub(crate) const TIME_LIMIT: Duration = Duration::from_secs(300);
