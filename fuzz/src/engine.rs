//! Running a target many times.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use kinwood::learners::Generator;

use crate::mutate::mutate;
use crate::targets::Target;

/// An input that takes longer than this is a finding: readers are linear and inputs short.
const SLOW: Duration = Duration::from_secs(5);

/// What came of many runs.
#[derive(Debug, Default)]
pub struct Outcome {
    /// How many runs there were.
    pub runs: u64,
    /// How many inputs were accepted: a target that accepts none is fed nonsense only.
    pub accepted: u64,
    /// Inputs that panicked or took too long, with the run's number.
    pub findings: Vec<(u64, Vec<u8>)>,
}

/// Runs a target on mutated seeds. With 0 runs, only the seeds and the kept crash files are run.
pub fn run(target: &Target, seed: u64, runs: std::ops::Range<u64>) -> Outcome {
    let seeds = (target.seeds)();
    let mut outcome = Outcome::default();
    for number in runs {
        let input = mutate(&seeds, &mut Generator::new(seed, &[number]));
        outcome.runs += 1;
        match attempt(target, &input) {
            Some(accepted) => outcome.accepted += u64::from(accepted),
            None => outcome.findings.push((number, input)),
        }
    }
    outcome
}

/// Whether the target accepts an input; `None` if it panics or takes too long.
pub fn attempt(target: &Target, input: &[u8]) -> Option<bool> {
    let started = Instant::now();
    let accepted = catch_unwind(AssertUnwindSafe(|| (target.run)(input))).ok()?;
    (started.elapsed() < SLOW).then_some(accepted)
}
