//! Running a target on an input, and on many that are a function of their number.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use kinwood::formats::guard::panic_is_caught;

use crate::dice::Dice;
use crate::mutate::Mutator;
use crate::targets::Target;
use crate::{corpus, heap};

/// An input that takes longer than this is a finding: readers are linear and inputs short.
pub const SLOW: Duration = Duration::from_secs(5);

/// The memory that any run may take, and what it may take for each byte of its input.
const ROOM: usize = 64 << 20;
const ROOM_FOR_BYTE: usize = 4096;

/// What came of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It was taken for good.
    Accepted,
    /// It was refused with an error.
    Refused,
    /// It brought the target down: where, and by which words.
    Panicked(String),
    /// It took longer than [`SLOW`].
    Slow,
    /// It took so many bytes of memory, more than its length accounts for.
    Large(usize),
}

impl Verdict {
    /// Whether it is nothing that must not be.
    pub fn is_fine(&self) -> bool {
        matches!(self, Self::Accepted | Self::Refused)
    }
}

/// What came of many runs.
#[derive(Debug, Default)]
pub struct Outcome {
    /// How many runs there were.
    pub runs: u64,
    /// How many inputs were accepted: a target that accepts none is fed nonsense only.
    pub accepted: u64,
    /// Inputs that must not be, with the run's number.
    pub findings: Vec<(u64, Vec<u8>, Verdict)>,
}

/// Where the last panic was, and its words.
static LAST: Mutex<Option<String>> = Mutex::new(None);

/// Lets panics be noted and not printed: they are told as findings, and those of decoders that
/// become errors are none.
pub fn note_panics() {
    std::panic::set_hook(Box::new(|information| {
        if panic_is_caught() {
            return;
        }
        let place = information.location().map(ToString::to_string);
        let payload = information.payload();
        let words = payload
            .downcast_ref::<&str>()
            .map(|words| (*words).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned());
        let told = format!(
            "{}: {}",
            place.unwrap_or_default(),
            words.unwrap_or_default()
        );
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        last.get_or_insert(told);
    }));
}

fn last_panic() -> String {
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    last.take().unwrap_or_default()
}

/// Runs a target on mutated seeds and on what mutations of its corpus give, by number.
pub fn run(target: &Target, seed: u64, runs: std::ops::Range<u64>) -> Outcome {
    let mut seeds = (target.seeds)();
    let kept = corpus::unpack(&corpus::path(target.name)).unwrap_or_default();
    seeds.extend(kept);
    let mutator = Mutator::new(target.shape, &seeds);
    let mut outcome = Outcome::default();
    let mut input = Vec::new();
    for number in runs {
        mutator.make(&seeds, &mut Dice::new(seed, number), &mut input);
        outcome.runs += 1;
        match attempt(target, &input) {
            Verdict::Accepted => outcome.accepted += 1,
            Verdict::Refused => {}
            verdict => outcome.findings.push((number, input.clone(), verdict)),
        }
    }
    outcome
}

/// Runs a target on an input.
pub fn attempt(target: &Target, input: &[u8]) -> Verdict {
    let started = Instant::now();
    let verdict = try_out(target, input);
    match verdict.is_fine() && started.elapsed() > SLOW {
        true => Verdict::Slow,
        false => verdict,
    }
}

/// The same without a look at the clock, which a supervisor has.
pub(crate) fn try_out(target: &Target, input: &[u8]) -> Verdict {
    let before = heap::watch();
    let outcome = catch_unwind(AssertUnwindSafe(|| (target.run)(input)));
    let peak = heap::peak(before);
    match outcome {
        Err(_) => Verdict::Panicked(last_panic()),
        Ok(_) if peak > ROOM + ROOM_FOR_BYTE * input.len() => Verdict::Large(peak),
        Ok(true) => Verdict::Accepted,
        Ok(false) => Verdict::Refused,
    }
}
