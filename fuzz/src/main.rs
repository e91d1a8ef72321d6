//! `cargo run --release -p kinwood-fuzz -- [TARGET|all] [--runs N] [--seed N] [--from N]`
//!
//! Findings are kept under `fuzz/crashes/TARGET/`, where a test runs them for ever after.
#![allow(clippy::print_stdout, reason = "a program tells what it does")]

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use kinwood_fuzz::{TARGETS, run};

struct Arguments {
    target: String,
    runs: u64,
    seed: u64,
    from: u64,
}

fn arguments() -> Option<Arguments> {
    let mut read = Arguments {
        target: "all".to_owned(),
        runs: 100_000,
        seed: 1,
        from: 0,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--runs" => read.runs = words.next()?.parse().ok()?,
            "--seed" => read.seed = words.next()?.parse().ok()?,
            "--from" => read.from = words.next()?.parse().ok()?,
            target => read.target = target.to_owned(),
        }
    }
    Some(read)
}

fn main() -> ExitCode {
    let Some(arguments) = arguments() else {
        println!("usage: kinwood-fuzz [TARGET|all] [--runs N] [--seed N] [--from N]");
        return ExitCode::from(2);
    };
    let chosen: Vec<_> = TARGETS
        .iter()
        .filter(|target| arguments.target == "all" || arguments.target == target.name)
        .collect();
    if chosen.is_empty() {
        let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        println!(
            "unknown target `{}`; the targets are {}",
            arguments.target,
            names.join(", ")
        );
        return ExitCode::from(2);
    }
    // Findings are told once, at the end; the backtraces of panics on the way would hide them.
    std::panic::set_hook(Box::new(|_| {}));
    let (mut runs, mut findings) = (0, 0);
    for target in chosen {
        let started = Instant::now();
        let outcome = run(
            target,
            arguments.seed,
            arguments.from..arguments.from + arguments.runs,
        );
        let seconds = started.elapsed().as_secs_f64();
        println!(
            "{:14} {:>10} runs, {:>9} accepted, {} findings, {:>8.0} runs/s",
            target.name,
            outcome.runs,
            outcome.accepted,
            outcome.findings.len(),
            outcome.runs as f64 / seconds
        );
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("crashes")
            .join(target.name);
        for (number, input) in outcome.findings.iter().take(10) {
            let file = folder.join(format!("seed{}-run{number}", arguments.seed));
            let kept = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, input));
            println!(
                "  run {number}: {}",
                kept.map_or_else(|error| error.to_string(), |()| file.display().to_string())
            );
        }
        runs += outcome.runs;
        findings += outcome.findings.len();
    }
    println!("{runs} runs, {findings} findings");
    ExitCode::from(u8::from(findings > 0))
}
