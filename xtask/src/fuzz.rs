//! `cargo xtask fuzz`: builds the fuzzer with counters in our crates, searches, and tells which
//! functions the corpora reach.
//!
//! The counters come from the stable compiler (`fuzz/instrument.sh` adds the flags for our crates
//! only), so that other people's crates are those of ordinary builds, and no other toolchain is
//! needed.

use std::path::PathBuf;
use std::process::Command;

use crate::{cargo, execute, target};

/// What was asked for.
#[derive(Debug, PartialEq)]
struct Options {
    minutes: f64,
    jobs: usize,
    target: String,
    /// Tells functions that the corpora do not reach, and searches for nothing.
    missed: bool,
}

impl Options {
    fn read(arguments: &[String]) -> Result<Self, String> {
        let mut read = Self {
            minutes: 10.0,
            jobs: 1,
            target: "all".to_owned(),
            missed: false,
        };
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            if word == "--missed" {
                read.missed = true;
                continue;
            }
            let value = words
                .next()
                .ok_or_else(|| format!("`fuzz` does not take `{word}` alone"))?;
            let wrong = || format!("`{word}` cannot be `{value}`");
            let amount = || match value.parse::<f64>() {
                Ok(amount) if amount.is_finite() && amount >= 0.0 => Ok(amount),
                _ => Err(wrong()),
            };
            match word.as_str() {
                "--hours" => read.minutes = 60.0 * amount()?,
                "--minutes" => read.minutes = amount()?,
                "--jobs" => read.jobs = value.parse().map_err(|_| wrong())?,
                "--target" => read.target.clone_from(value),
                _ => return Err(format!("`fuzz` does not take `{word}`")),
            }
        }
        Ok(read)
    }
}

/// Builds, searches and tells.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let options = Options::read(arguments)?;
    let program = build()?;
    let folder = target().join("fuzz");
    let searched = match options.missed {
        true => Ok(()),
        false => execute(
            Command::new(&program)
                .args(["search", &options.target])
                .args(["--minutes", &options.minutes.to_string()])
                .args(["--jobs", &options.jobs.to_string()])
                .arg("--folder")
                .arg(&folder),
        ),
    };
    let mut functions = Command::new(&program);
    functions.args(["functions", &options.target]);
    if options.missed {
        functions.arg("--missed");
    }
    execute(&mut functions)?;
    if folder.join("ledger.tsv").exists() {
        execute(
            Command::new(&program)
                .arg("totals")
                .arg("--folder")
                .arg(&folder),
        )?;
    }
    searched
}

/// The program with counters.
fn build() -> Result<PathBuf, String> {
    let wrapper = std::path::absolute("fuzz/instrument.sh")
        .map_err(|error| format!("cannot find fuzz/instrument.sh: {error}"))?;
    // Of our crates more optimised than tests are, others as for tests; and without the pieces of
    // incremental builds, across which nothing is inlined.
    execute(
        cargo()
            .args(["build", "--workspace", "--bin", "kinwood-fuzz"])
            .args(["--config", "profile.dev.opt-level=2"])
            .env("RUSTC_WORKSPACE_WRAPPER", wrapper)
            .env("CARGO_INCREMENTAL", "0"),
    )?;
    // Beside the ordinary program of that name, which the next ordinary build puts there again.
    let built = target().join("debug/kinwood-fuzz");
    let kept = target().join("fuzz/kinwood-fuzz");
    let copied = std::fs::create_dir_all(target().join("fuzz"))
        .and_then(|()| std::fs::copy(&built, kept.with_extension("new")))
        .and_then(|_| std::fs::rename(kept.with_extension("new"), &kept));
    copied.map_err(|error| format!("cannot keep {}: {error}", kept.display()))?;
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_or_refused() {
        let read = |line: &str| {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            Options::read(&words)
        };
        let options = read("--hours 2 --jobs 2 --target csv").unwrap();
        assert_eq!((options.minutes, options.jobs), (120.0, 2));
        assert_eq!(options.target, "csv");
        assert_eq!(read("--minutes 0.5").unwrap().minutes, 0.5);
        assert!(read("--missed").unwrap().missed);
        for wrong in [
            "--hours",
            "--hours x",
            "--minutes -1",
            "--jobs -1",
            "--what 1",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
