//! Every target for a bounded count, and every finding that was ever kept.
#![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

use kinwood::formats::guard::panic_is_caught;
use kinwood_fuzz::engine::{Verdict, attempt};
use kinwood_fuzz::heap::Counted;
use kinwood_fuzz::{TARGETS, corpus, run};

/// What takes too much memory is a finding here too.
#[global_allocator]
static HEAP: Counted = Counted;

#[test]
fn seeds_are_accepted() {
    // The server of PostgreSQL is in a hurry here; its own tests give it time.
    for target in TARGETS.iter().filter(|target| target.name != "postgres") {
        for (number, seed) in (target.seeds)().iter().enumerate() {
            let verdict = attempt(target, seed);
            assert_eq!(verdict, Verdict::Accepted, "{} {number}", target.name);
        }
    }
}

/// Enough to notice a regression; `docs/reliability.md` tells of the long runs.
#[test]
fn mutated_seeds_do_no_harm() {
    keep_silent();
    for target in TARGETS {
        let outcome = run(target, 2026, 0..target.bounded);
        let told: Vec<String> = outcome
            .findings
            .iter()
            .map(|(number, _, verdict)| format!("run {number}: {verdict:?}"))
            .collect();
        assert!(
            told.is_empty(),
            "{}, seed 2026: {}",
            target.name,
            told.join("\n")
        );
        assert!(
            outcome.accepted > 0 || target.name == "model",
            "{} accepts nothing",
            target.name
        );
    }
}

#[test]
fn what_searches_found_worth_keeping_does_no_harm() {
    keep_silent();
    for target in TARGETS {
        for (number, input) in corpus::unpack(&corpus::path(target.name))
            .unwrap()
            .iter()
            .enumerate()
        {
            let verdict = attempt(target, input);
            assert!(verdict.is_fine(), "{} {number}: {verdict:?}", target.name);
        }
    }
}

#[test]
fn kept_findings_do_no_harm() {
    keep_silent();
    for target in TARGETS {
        for file in corpus::files(&corpus::crashes(target.name)).unwrap() {
            let verdict = attempt(target, &std::fs::read(&file).unwrap());
            assert!(verdict.is_fine(), "{}: {verdict:?}", file.display());
        }
    }
}

/// Panics of decoders that become errors are none to tell.
fn keep_silent() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |information| {
        if !panic_is_caught() {
            usual(information);
        }
    }));
}
