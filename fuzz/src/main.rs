//! The fuzzer's program: `cargo xtask fuzz` builds it with counters and runs `search`.
#![allow(clippy::print_stdout, reason = "a program tells what it does")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use kinwood_fuzz::engine::note_panics;
use kinwood_fuzz::explore::Explorer;
use kinwood_fuzz::functions::{Functions, Names};
use kinwood_fuzz::heap::Counted;
use kinwood_fuzz::supervise::{Plan, supervise, totals};
use kinwood_fuzz::{TARGETS, Target, corpus, coverage, run};

#[global_allocator]
static HEAP: Counted = Counted;

const HELP: &str = "\
kinwood-fuzz [TARGET|all] [--runs N] [--seed N] [--from N]
    runs that are a function of seed and number
kinwood-fuzz search [TARGET|all] --folder FOLDER [--minutes N] [--jobs N] [--seed N]
    a search guided by what is reached; needs counters: `cargo xtask fuzz`
kinwood-fuzz functions [TARGET|all] [--missed]
    which functions the corpora reach; needs counters too
kinwood-fuzz totals --folder FOLDER
    what all searches came to";

/// What was asked for.
#[derive(Default)]
struct Arguments {
    words: Vec<String>,
    options: Vec<(String, String)>,
    missed: bool,
}

impl Arguments {
    fn read() -> Option<Self> {
        let mut read = Self::default();
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            match word.strip_prefix("--") {
                Some("missed") => read.missed = true,
                Some(option) => read.options.push((option.to_owned(), words.next()?)),
                None => read.words.push(word),
            }
        }
        Some(read)
    }

    fn text(&self, name: &str) -> Option<&str> {
        let option = self.options.iter().find(|(option, _)| option == name);
        option.map(|(_, value)| value.as_str())
    }

    fn number<T: std::str::FromStr>(&self, name: &str, usual: T) -> Result<T, String> {
        match self.text(name) {
            None => Ok(usual),
            Some(text) => text
                .parse()
                .map_err(|_| format!("`--{name}` cannot be `{text}`")),
        }
    }

    fn path(&self, name: &str) -> Result<PathBuf, String> {
        let text = self
            .text(name)
            .ok_or_else(|| format!("`--{name}` is missing"))?;
        Ok(PathBuf::from(text))
    }
}

/// The targets of that name, or all.
fn chosen(name: &str) -> Result<Vec<&'static Target>, String> {
    let chosen: Vec<&Target> = TARGETS
        .iter()
        .filter(|target| name == "all" || name.replace('-', " ") == target.name)
        .collect();
    match chosen.is_empty() {
        false => Ok(chosen),
        true => {
            let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
            Err(format!(
                "unknown target `{name}`; the targets are {}",
                names.join(", ")
            ))
        }
    }
}

fn main() -> ExitCode {
    let outcome = match Arguments::read() {
        Some(arguments) => obey(&arguments),
        None => Err(HELP.to_owned()),
    };
    outcome.unwrap_or_else(|message| {
        println!("{message}");
        ExitCode::from(2)
    })
}

fn obey(arguments: &Arguments) -> Result<ExitCode, String> {
    let words: Vec<&str> = arguments.words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["work", target] => work(chosen(target)?[0], arguments),
        ["search", target @ ..] => search(target.first().unwrap_or(&"all"), arguments),
        ["functions", target @ ..] => functions(target.first().unwrap_or(&"all"), arguments),
        ["totals"] => tell_totals(&arguments.path("folder")?),
        ["help"] => Err(HELP.to_owned()),
        [] => by_number("all", arguments),
        [target] => by_number(target, arguments),
        _ => Err(HELP.to_owned()),
    }
}

/// One thread does everything, so that a run's counts are its own.
fn alone() -> Result<(), String> {
    note_panics();
    rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .use_current_thread()
        .build_global()
        .map_err(|error| error.to_string())
}

fn by_number(name: &str, arguments: &Arguments) -> Result<ExitCode, String> {
    let targets = chosen(name)?;
    let (runs, seed, from) = (
        arguments.number("runs", 100_000)?,
        arguments.number("seed", 1)?,
        arguments.number("from", 0)?,
    );
    alone()?;
    let mut findings = 0;
    for target in targets {
        let started = Instant::now();
        let outcome = run(target, seed, from..from + runs);
        println!(
            "{:14} {:>10} runs, {:>9} accepted, {} findings, {:>8.0} runs/s",
            target.name,
            outcome.runs,
            outcome.accepted,
            outcome.findings.len(),
            outcome.runs as f64 / started.elapsed().as_secs_f64()
        );
        for (number, input, verdict) in outcome.findings.iter().take(10) {
            let kept = corpus::keep(&corpus::crashes(target.name), "run-", input);
            let file = kept.map_or_else(|error| error.to_string(), |f| f.display().to_string());
            println!("  run {number}: {verdict:?}: {file}");
        }
        findings += outcome.findings.len();
    }
    Ok(ExitCode::from(u8::from(findings > 0)))
}

fn counted() -> Result<(), String> {
    match coverage::places().is_empty() {
        false => Ok(()),
        true => Err("this program has no counters: `cargo xtask fuzz` builds one that has".into()),
    }
}

fn work(target: &Target, arguments: &Arguments) -> Result<ExitCode, String> {
    counted()?;
    alone()?;
    let failed = |error: std::io::Error| error.to_string();
    let (notebook, fresh) = (arguments.path("notebook")?, arguments.path("fresh")?);
    let time = Duration::from_millis(arguments.number("milliseconds", 1000)?);
    let mut explorer = Explorer::new(target, &notebook, &fresh).map_err(failed)?;
    let explored = explorer.explore(time, arguments.number("seed", 1)?);
    explored.map_err(failed)?;
    explorer.pack().map_err(failed)?;
    Ok(ExitCode::SUCCESS)
}

fn search(name: &str, arguments: &Arguments) -> Result<ExitCode, String> {
    counted()?;
    let plan = Plan {
        targets: chosen(name)?,
        time: Duration::from_secs_f64(60.0 * arguments.number("minutes", 10.0)?),
        jobs: arguments.number("jobs", 1)?,
        folder: arguments.path("folder")?,
        seed: arguments.number("seed", now())?,
    };
    let findings = supervise(&plan).map_err(|error| error.to_string())?;
    println!("{findings} findings");
    Ok(ExitCode::from(u8::from(findings > 0)))
}

/// A seed that no search had.
fn now() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(1, |since| since.as_secs())
}

fn functions(name: &str, arguments: &Arguments) -> Result<ExitCode, String> {
    counted()?;
    let targets = chosen(name)?;
    alone()?;
    let failed = |error: std::io::Error| error.to_string();
    let names = Names::read().map_err(failed)?;
    println!(
        "{:14} {:>17} {:>19} {:>17}",
        "target", "own functions", "all functions", "edges"
    );
    for target in targets {
        let functions = Functions::reached_by(target, &names).map_err(failed)?;
        let share = |(reached, all)| format!("{reached} of {all}");
        println!(
            "{:14} {:>17} {:>19} {:>17}",
            target.name,
            share(functions.below(target.area)),
            share(functions.all()),
            share(functions.edges())
        );
        if arguments.missed {
            functions
                .missed(target.area)
                .iter()
                .for_each(|name| println!("  {name}"));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn tell_totals(folder: &Path) -> Result<ExitCode, String> {
    let totals = totals(folder).map_err(|error| error.to_string())?;
    for (name, seconds, runs, findings) in &totals {
        println!("{name:14} {seconds:>9.0} s {runs:>14} runs {findings:>4} findings");
    }
    let seconds: f64 = totals.iter().map(|(_, seconds, ..)| seconds).sum();
    let runs: u64 = totals.iter().map(|(_, _, runs, _)| runs).sum();
    println!("{:14} {seconds:>9.0} s {runs:>14} runs", "all");
    Ok(ExitCode::SUCCESS)
}
