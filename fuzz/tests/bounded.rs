//! Every target for a bounded count, and every finding that was ever kept.
#![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

use std::path::Path;

use kinwood::formats::guard::panic_is_caught;
use kinwood_fuzz::engine::attempt;
use kinwood_fuzz::{TARGETS, run};

/// Enough to notice a regression; `docs/reliability.md` tells of the long runs.
const RUNS: u64 = 2_000;

#[test]
fn seeds_are_accepted() {
    for target in TARGETS {
        for (number, seed) in (target.seeds)().iter().enumerate() {
            assert_eq!(
                attempt(target, seed),
                Some(true),
                "{} seed {number}",
                target.name
            );
        }
    }
}

#[test]
fn mutated_seeds_do_no_harm() {
    // Panics of decoders that become errors are none to tell.
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |information| {
        if !panic_is_caught() {
            usual(information);
        }
    }));
    for target in TARGETS {
        let outcome = run(target, 2026, 0..RUNS);
        let numbers: Vec<u64> = outcome.findings.iter().map(|(number, _)| *number).collect();
        assert!(
            numbers.is_empty(),
            "{}: runs {numbers:?} of seed 2026",
            target.name
        );
        assert!(
            outcome.accepted > 0 || target.name == "model",
            "{} accepts nothing",
            target.name
        );
    }
}

#[test]
fn kept_findings_do_no_harm() {
    let crashes = Path::new(env!("CARGO_MANIFEST_DIR")).join("crashes");
    for target in TARGETS {
        let Ok(files) = std::fs::read_dir(crashes.join(target.name)) else {
            continue;
        };
        for file in files {
            let file = file.unwrap().path();
            assert!(
                attempt(target, &std::fs::read(&file).unwrap()).is_some(),
                "{}",
                file.display()
            );
        }
    }
}
