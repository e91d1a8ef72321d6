//! Differential tests: a few cases in ordinary tests, fresh ones for hours in a soak.
//!
//! A case is a function of one number, its seed. An ordinary run tries the seeds from 0 on, as many
//! as the test says, so that it is the same on every machine and looks at no clock. What the
//! environment says makes the same test a soak (`cargo xtask soak` does):
//!
//! - `KINWOOD_SOAK_SECONDS`: fresh cases until so many seconds are over;
//! - `KINWOOD_SOAK_SEED`: which fresh cases, 1 by default;
//! - `KINWOOD_SOAK_CASE`: this one case and no other, to look at a disagreement again.
//!
//! A soak ends with a line that says how many cases there were and how many disagreed, and each
//! disagreement states its case.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{env, thread};

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseResult, TestError, TestRng, TestRunner};

/// After so many disagreements a soak of one test ends: more would tell the same again.
const ENOUGH: usize = 5;

/// A case that takes longer is named while it runs.
const LONG: Duration = Duration::from_secs(30);

/// Runs the cases of a test that panics where something disagrees.
///
/// # Panics
///
/// If a case does, with its number.
pub fn soak(name: &str, cases: u64, case: impl Fn(u64)) {
    run(name, cases, |seed| {
        let outcome = catch_unwind(AssertUnwindSafe(|| case(seed)));
        outcome.map_err(|payload| words(&*payload))
    });
}

/// Runs a test on values of a strategy; a disagreement is shown with the smallest values that still
/// disagree. [`soak!`](crate::soak!) writes the call.
///
/// # Panics
///
/// If the test fails, with the number of the case.
pub fn soak_of<S: Strategy>(
    name: &str,
    cases: u64,
    strategy: S,
    test: impl Fn(S::Value) -> TestCaseResult,
) {
    run(name, cases, |seed| {
        let config = Config {
            failure_persistence: None,
            max_shrink_iters: 2_000,
            ..Config::default()
        };
        let generator = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes(seed));
        let mut runner = TestRunner::new_with_rng(config, generator);
        // What a strategy cannot make of this seed is no case.
        let Ok(tree) = strategy.new_tree(&mut runner) else {
            return Ok(());
        };
        match runner.run_one(tree, &test) {
            Ok(_) | Err(TestError::Abort(_)) => Ok(()),
            Err(TestError::Fail(reason, value)) => Err(format!("{reason}\nwith {value:?}")),
        }
    });
}

/// Tests of random values, written as those of `proptest!` are: how many cases an ordinary run
/// tries, then functions whose arguments are drawn from strategies and whose bodies use
/// `prop_assert!`.
///
/// ```
/// use proptest::prelude::*;
///
/// kinwood_testing::soak! { 20;
///     fn soak_sums_do_not_depend_on_order(a in 0u32..9, b in 0u32..9) {
///         prop_assert_eq!(a + b, b + a);
///     }
/// }
/// ```
#[macro_export]
macro_rules! soak {
    ($cases:expr; $($(#[$about:meta])* fn $name:ident($($drawn:pat in $strategy:expr),+ $(,)?) $body:block)+) => {
        $crate::soak!(@each [$cases] $($(#[$about])* fn $name($($drawn in $strategy),+) $body)+);
    };
    (@each [$cases:expr]) => {};
    (@each [$cases:expr] $(#[$about:meta])* fn $name:ident($($drawn:pat in $strategy:expr),+) $body:block $($rest:tt)*) => {
        $(#[$about])*
        #[test]
        fn $name() {
            $crate::soak_of(stringify!($name), $cases, ($($strategy,)+), |($($drawn,)+)| {
                $body
                Ok(())
            });
        }
        $crate::soak!(@each [$cases] $($rest)*);
    };
}

/// What the environment says of how long to go on.
enum Extent {
    /// The first so many cases.
    First(u64),
    /// Fresh cases, for so long.
    Fresh { seed: u64, time: Duration },
    /// One case.
    One(u64),
}

impl Extent {
    fn stated(cases: u64) -> Self {
        let number = |name: &str| -> Option<u64> {
            let text = env::var(name).ok()?;
            let read = text.parse();
            Some(read.unwrap_or_else(|_| panic!("{name} is a whole number, not `{text}`")))
        };
        if let Some(case) = number("KINWOOD_SOAK_CASE") {
            return Extent::One(case);
        }
        match number("KINWOOD_SOAK_SECONDS") {
            None => Extent::First(cases),
            Some(seconds) => Extent::Fresh {
                seed: number("KINWOOD_SOAK_SEED").unwrap_or(1),
                time: Duration::from_secs(seconds),
            },
        }
    }
}

/// Runs cases and tells of those that disagree.
fn run(name: &str, cases: u64, case: impl Fn(u64) -> Result<(), String>) {
    let tried = |seed: u64| {
        case(seed).map_err(|reason| {
            format!("{name} disagrees; KINWOOD_SOAK_CASE={seed} runs the case alone\n{reason}")
        })
    };
    let (seed, time) = match Extent::stated(cases) {
        Extent::First(cases) => {
            for seed in 0..cases {
                tried(seed).unwrap_or_else(|reason| panic!("{reason}"));
            }
            return;
        }
        Extent::One(seed) => {
            return tried(seed).unwrap_or_else(|reason| panic!("{reason}"));
        }
        Extent::Fresh { seed, time } => (seed, time),
    };
    let begin = Instant::now();
    let watch = Watch::begin(name);
    let stream = name
        .bytes()
        .fold(seed, |sum, byte| mixed(sum ^ u64::from(byte)));
    let (mut number, mut found) = (0, Vec::new());
    while begin.elapsed() < time && found.len() < ENOUGH {
        let seed = mixed(stream.wrapping_add(number));
        watch.turn_to(seed);
        if let Err(reason) = tried(seed) {
            said(&format!("soak: {reason}"));
            found.push(reason);
        }
        number += 1;
    }
    watch.end();
    said(&format!(
        "soak: {name}: {number} cases, {} disagreements, seed {seed}, {} s",
        found.len(),
        begin.elapsed().as_secs()
    ));
    assert!(found.is_empty(), "{}", found.join("\n\n"));
}

/// A line for whoever runs the soak.
#[allow(clippy::print_stdout, reason = "a soak reports to whoever started it")]
fn said(line: &str) {
    println!("{line}");
}

/// A number that differs in all its bits from those of its neighbours (SplitMix64).
fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The seed of a generator.
fn bytes(seed: u64) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (place, chunk) in bytes.chunks_mut(8).enumerate() {
        chunk.copy_from_slice(&mixed(seed ^ (place as u64) << 56).to_le_bytes());
    }
    bytes
}

/// What a panic says.
fn words(payload: &(dyn Any + Send)) -> String {
    match payload.downcast_ref::<String>() {
        Some(text) => text.clone(),
        None => match payload.downcast_ref::<&str>() {
            Some(text) => (*text).to_owned(),
            None => "a panic without words".to_owned(),
        },
    }
}

/// Names the case that takes too long, for it may be killed before it ends.
struct Watch {
    /// The case that runs, and since when.
    now: Arc<Mutex<(u64, Instant)>>,
    told: Arc<AtomicU64>,
    over: Arc<AtomicBool>,
}

impl Watch {
    fn begin(name: &str) -> Self {
        let watch = Watch {
            now: Arc::new(Mutex::new((0, Instant::now()))),
            told: Arc::new(AtomicU64::new(0)),
            over: Arc::new(AtomicBool::new(false)),
        };
        let (now, told, over) = (watch.now.clone(), watch.told.clone(), watch.over.clone());
        let name = name.to_owned();
        thread::spawn(move || {
            while !over.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(500));
                let (seed, since) = *now.lock().unwrap_or_else(PoisonError::into_inner);
                if since.elapsed() > LONG && told.swap(seed, Ordering::Relaxed) != seed {
                    let seconds = LONG.as_secs();
                    said(&format!(
                        "soak: {name}: case {seed} runs for over {seconds} s"
                    ));
                }
            }
        });
        watch
    }

    fn turn_to(&self, seed: u64) {
        *self.now.lock().unwrap_or_else(PoisonError::into_inner) = (seed, Instant::now());
    }

    fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::cell::RefCell;

    // These tests say nothing if they run inside of a soak: the environment is not theirs then.
    fn ordinary() -> bool {
        env::var_os("KINWOOD_SOAK_SECONDS").is_none() && env::var_os("KINWOOD_SOAK_CASE").is_none()
    }

    #[test]
    fn an_ordinary_run_tries_the_first_cases() {
        let met = RefCell::new(Vec::new());
        soak("a test", 3, |seed| met.borrow_mut().push(seed));
        assert!(!ordinary() || *met.borrow() == [0, 1, 2]);
    }

    #[test]
    fn a_disagreement_states_its_case() {
        let failed = catch_unwind(|| soak("a test", 9, |seed| assert!(seed < 4, "four or more")));
        let reason = words(&*failed.unwrap_err());
        assert!(reason.contains("KINWOOD_SOAK_CASE="), "{reason}");
        assert!(reason.contains("four or more"), "{reason}");
    }

    #[test]
    fn the_smallest_values_that_disagree_are_shown() {
        let failed = catch_unwind(|| {
            soak_of("a test", 50, 0u32..1000, |number| {
                prop_assert!(number < 17);
                Ok(())
            });
        });
        let reason = words(&*failed.unwrap_err());
        assert!(reason.ends_with("with 17"), "{reason}");
    }

    #[test]
    fn the_same_seed_draws_the_same_values() {
        let drawn = || {
            let met = RefCell::new(Vec::new());
            soak_of("a test", 5, (0u64..u64::MAX, any::<bool>()), |value| {
                met.borrow_mut().push(value);
                Ok(())
            });
            met.into_inner()
        };
        let once = drawn();
        assert_eq!(once[..], drawn()[..once.len()]);
        assert!(once.windows(2).all(|two| two[0] != two[1]));
    }

    crate::soak! { 10;
        /// The macro writes a test.
        fn soak_of_the_soak_itself(a in 0u32..9, (b, c) in (0u32..9, Just(3u32))) {
            prop_assert_eq!(a + b + c, c + b + a);
        }
    }
}
