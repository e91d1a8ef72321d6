//! `cargo xtask soak`: the tests that compare what is fast with what is plain, on fresh cases, for
//! as long as is wished.
//!
//! A test named `soak_…` tries a few fixed cases in an ordinary run; with the variables that are
//! set here it tries fresh ones until its time is up and says how many (`kinwood_testing::soak`).
//! All of them take turns, so that a soak that is ended early has tried every one, and each turn
//! has a seed of its own. Programs are copied first: a build beside the soak does not change it.

use std::collections::BTreeMap;
use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::limits::Limits;
use super::options::Options;
use super::programs::{self, Program};
use crate::{needs, processes, target};

/// How tests that soak begin.
const SOAK: &str = "soak_";

/// What a turn may take beyond its time before it is ended: the last case has to come to its end.
const PATIENCE: Duration = Duration::from_secs(300);

/// What is run, and for how long.
#[derive(Debug, PartialEq, Eq)]
struct Soak {
    whole: Duration,
    /// Seconds of one turn.
    turn: u64,
    seed: u64,
    tests: Options,
}

impl Soak {
    fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut soak = Soak {
            whole: Duration::from_secs(600),
            turn: 10,
            seed: 1,
            tests: Options::parse(&[])?,
        };
        let mut rest = Vec::new();
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            let (name, attached) = match argument.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (argument.as_str(), None),
            };
            let mut value = || -> Result<f64, String> {
                let value = attached.clone().or_else(|| arguments.next().cloned());
                let value = value.ok_or_else(|| format!("`{name}` needs a value"))?;
                let number = value.parse().ok().filter(|number| *number > 0.0);
                number.ok_or_else(|| format!("`{name}` is a number above 0, not `{value}`"))
            };
            match name {
                "--hours" => soak.whole = Duration::from_secs_f64(3600.0 * value()?),
                "--minutes" => soak.whole = Duration::from_secs_f64(60.0 * value()?),
                "--turn" => soak.turn = value()?.ceil() as u64,
                "--seed" => soak.seed = value()? as u64,
                "-p" | "--package" => {
                    rest.push(argument.clone());
                    if attached.is_none() {
                        rest.extend(arguments.next().cloned());
                    }
                }
                _ if name.starts_with('-') => {
                    return Err(format!(
                        "`soak` does not take `{argument}`: it takes parts of names of tests, -p \
                         CRATE, --hours NUMBER, --minutes NUMBER, --turn SECONDS and --seed NUMBER"
                    ));
                }
                _ => rest.push(argument.clone()),
            }
        }
        soak.tests = Options::parse(&rest)?;
        Ok(soak)
    }
}

/// What the turns of a test came to.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct Count {
    cases: u64,
    seconds: u64,
    disagreements: u64,
}

impl Count {
    /// Adds what the last line of a turn says: `soak: NAME: 12 cases, 0 disagreements, seed 3,
    /// 9 s`.
    fn add(&mut self, line: &str) -> bool {
        let Some((_, told)) = line
            .strip_prefix("soak: ")
            .and_then(|all| all.split_once(": "))
        else {
            return false;
        };
        let words: Vec<&str> = told.split(' ').collect();
        let [
            cases,
            "cases,",
            wrong,
            "disagreements,",
            "seed",
            _,
            seconds,
            "s",
        ] = words[..]
        else {
            return false;
        };
        let number = |word: &str| word.parse::<u64>();
        let (Ok(cases), Ok(wrong), Ok(seconds)) = (number(cases), number(wrong), number(seconds))
        else {
            return false;
        };
        self.cases += cases;
        self.disagreements += wrong;
        self.seconds += seconds;
        true
    }
}

/// Runs the tests that soak in turns until the time is up; fails if something disagreed.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let soak = Soak::parse(arguments)?;
    needs::meet()?;
    let built = programs::build(&soak.tests)?;
    let limits = Limits {
        test: Duration::from_secs(soak.turn) + PATIENCE,
        environment: Vec::new(),
    };
    let listed = programs::list(&built.programs, &soak.tests, &limits)?;
    let folder = target().join("xtask").join("soak");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut turns: Vec<(Program, String)> = Vec::new();
    for (program, tests) in built.programs.into_iter().zip(listed) {
        let own = |test: &String| {
            test.rsplit("::")
                .next()
                .is_some_and(|n| n.starts_with(SOAK))
        };
        let tests: Vec<String> = tests.into_iter().filter(own).collect();
        if tests.is_empty() {
            continue;
        }
        let copy = folder.join(program.label.replace('/', "-"));
        fs::copy(&program.executable, &copy)
            .map_err(|error| format!("{}: {error}", copy.display()))?;
        for test in tests {
            let program = Program {
                label: program.label.clone(),
                executable: copy.clone(),
                package: program.package.clone(),
            };
            turns.push((program, test));
        }
    }
    if turns.is_empty() {
        return Err(format!("no test of this name begins with `{SOAK}`"));
    }
    println!("{} tests take turns of {} s", turns.len(), soak.turn);
    let begin = Instant::now();
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    let mut faults = Vec::new();
    'rounds: for round in 0.. {
        for (program, test) in &turns {
            let left = soak.whole.saturating_sub(begin.elapsed()).as_secs();
            if left == 0 {
                break 'rounds;
            }
            let seed = soak.seed.wrapping_mul(1_000_003).wrapping_add(round);
            let name = format!("{} {test}", program.label);
            let count = counts.entry(name.clone()).or_default();
            if let Err(fault) = one_turn(program, test, soak.turn.min(left), seed, count, &limits) {
                println!("{name}: {fault}");
                faults.push(format!("{name}: {fault}"));
            }
        }
    }
    report(&counts, &faults, begin.elapsed())
}

/// One turn of a test, in a process of its own.
fn one_turn(
    program: &Program,
    test: &str,
    seconds: u64,
    seed: u64,
    count: &mut Count,
    limits: &Limits,
) -> Result<(), String> {
    let mut command = program.command(limits);
    command
        .args(["--exact", test, "--nocapture", "--test-threads=1"])
        .env("KINWOOD_SOAK_SECONDS", seconds.to_string())
        .env("KINWOOD_SOAK_SEED", seed.to_string())
        .env_remove("KINWOOD_SOAK_CASE")
        .stderr(Stdio::null());
    let (mut ended, mut told) = (false, false);
    let before = count.disagreements;
    let status = processes::lines(&mut command, limits.test, |line| {
        // The first line may stand behind the name of the test.
        let line = line.find("soak: ").map_or(line, |at| &line[at..]);
        if count.add(line) {
            ended = true;
        } else if line.starts_with("soak: ") || told {
            // All that is told of a disagreement.
            told = !line.starts_with("test ");
            if told {
                println!("{line}");
            }
        }
    })?;
    match (ended, status.success()) {
        (true, true) => Ok(()),
        (true, false) if count.disagreements > before => {
            Err(format!("disagreements with seed {seed}"))
        }
        (true, false) => Err(format!("{status} with seed {seed}")),
        (false, _) => Err(format!("ended early with seed {seed}: {status}")),
    }
}

/// Prints what each test came to and, as the last line, the totals.
fn report(
    counts: &BTreeMap<String, Count>,
    faults: &[String],
    elapsed: Duration,
) -> Result<(), String> {
    let width = counts.keys().map(|name| name.len()).max().unwrap_or(0);
    let mut total = Count::default();
    for (name, count) in counts {
        println!(
            "{name:width$}  {:>10} cases  {:>3} disagreements  {:>5} s",
            count.cases, count.disagreements, count.seconds
        );
        total.cases += count.cases;
        total.disagreements += count.disagreements;
        total.seconds += count.seconds;
    }
    for fault in faults {
        println!("{fault}");
    }
    println!(
        "{} tests, {} cases, {} disagreements, {} other faults, {} s",
        counts.len(),
        total.cases,
        total.disagreements,
        faults
            .iter()
            .filter(|fault| !fault.contains("disagreements"))
            .count(),
        elapsed.as_secs()
    );
    match faults.is_empty() {
        true => Ok(()),
        false => Err(String::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::programs::testing::script;

    fn parse(line: &str) -> Result<Soak, String> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        Soak::parse(&words)
    }

    #[test]
    fn arguments_are_read() {
        let soak = parse("--hours 2 --turn=5 --seed 7 kernels -p kinwood-trees").unwrap();
        assert_eq!((soak.whole.as_secs(), soak.turn, soak.seed), (7200, 5, 7));
        assert_eq!(soak.tests.filters, ["kernels"]);
        assert_eq!(soak.tests.packages, ["kinwood-trees"]);
        assert!(parse("--hours").unwrap_err().contains("needs a value"));
        assert!(parse("--hours -1").unwrap_err().contains("above 0"));
        assert!(
            parse("--jobs 2")
                .unwrap_err()
                .contains("`soak` does not take")
        );
    }

    fn turn(body: &str) -> (Result<(), String>, Count) {
        let mut count = Count::default();
        let limits = Limits {
            test: Duration::from_secs(20),
            environment: Vec::new(),
        };
        let result = script(body, |program| {
            one_turn(program, "soak_a", 3, 11, &mut count, &limits)
        });
        (result, count)
    }

    #[test]
    fn turns_are_counted() {
        let (result, count) = turn(
            "echo \"test soak_a ... soak: soak_a: 12 cases, 0 disagreements, \
             seed $KINWOOD_SOAK_SEED, $KINWOOD_SOAK_SECONDS s\"",
        );
        assert_eq!(result, Ok(()));
        let expected = Count {
            cases: 12,
            seconds: 3,
            disagreements: 0,
        };
        assert_eq!(count, expected);
    }

    #[test]
    fn what_disagrees_or_ends_early_is_a_fault() {
        let (result, count) =
            turn("echo 'soak: soak_a: 12 cases, 2 disagreements, seed 1, 3 s'; exit 1");
        assert_eq!(result, Err("disagreements with seed 11".to_owned()));
        assert_eq!(count.disagreements, 2);
        let (result, _) = turn("exit 101");
        assert!(result.unwrap_err().starts_with("ended early with seed 11"));
    }
}
