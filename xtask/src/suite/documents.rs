//! Examples in the documentation, which are tests.
//!
//! Rustdoc builds and runs them, one crate after the other; cargo starts it.

use std::time::Duration;

use super::limits::Limits;
use super::options::Options;
use super::programs::{Built, Package};
use super::totals::Totals;
use super::transcript::{Ending, Finished};
use crate::{cargo, processes};

/// Rustdoc prints nothing while it builds the examples of a crate.
const BUILDING: Duration = Duration::from_secs(300);

/// Runs the examples of the chosen crates.
pub(super) fn run(
    options: &Options,
    built: &Built,
    limits: &Limits,
    totals: &mut Totals,
) -> Result<(), String> {
    let mut chosen = built
        .packages
        .iter()
        .filter(|package| package.documents && options.choose_package(&package.name))
        .peekable();
    if chosen.peek().is_none() {
        return Ok(());
    }
    let mut command = cargo();
    // All of the workspace at once has the features of the tests, so that nothing is built again.
    command.args(["test", "--doc", "--no-fail-fast", "--workspace"]);
    command.arg("--quiet").arg("--").arg("--format=pretty");
    match options.packages.is_empty() || !options.filters.is_empty() {
        true => command.args(&options.filters),
        // Examples are named after their files.
        false => command.args(chosen.map(Package::sources)),
    };
    limits.apply(&mut command);
    let mut printed = String::new();
    let mut results = Vec::new();
    let status = processes::lines(&mut command, limits.test + BUILDING, |line| {
        printed.push_str(line);
        printed.push('\n');
        results.extend(result(line));
    })?;
    let passed = results
        .iter()
        .filter(|test| test.ending == Ending::Passed)
        .count();
    println!("{:>9}  examples of the documentation: {passed} passed", "");
    let failed = results
        .iter()
        .filter(|test| matches!(test.ending, Ending::Failed(_)))
        .count();
    for mut test in results {
        if let Ending::Failed(output) = &mut test.ending {
            *output = section(&printed, &test.name);
        }
        totals.add("documentation", test);
    }
    if !status.success() && failed == 0 {
        totals.fault("documentation", format!("{status}\n{printed}"));
    }
    Ok(())
}

/// The result that a line tells of.
fn result(line: &str) -> Option<Finished> {
    let (name, result) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
    let ending = match result {
        "ok" => Ending::Passed,
        "FAILED" => Ending::Failed(String::new()),
        _ if result.starts_with("ignored") => Ending::Skipped,
        _ => return None,
    };
    Some(Finished {
        name: name.to_owned(),
        ending,
        // They run beside each other, so that lines tell no times.
        time: Duration::ZERO,
    })
}

/// What an example printed.
fn section(printed: &str, name: &str) -> String {
    let header = format!("---- {name} stdout ----\n");
    let Some((_, after)) = printed.split_once(&header) else {
        return printed.to_owned();
    };
    let end = after.find("\n---- ").or_else(|| after.find("\nfailures:"));
    after[..end.unwrap_or(after.len())].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_tell_results() {
        let ok = result("test crates/a/src/lib.rs - f (line 3) - compile ... ok").unwrap();
        assert_eq!(ok.name, "crates/a/src/lib.rs - f (line 3) - compile");
        assert_eq!(ok.ending, Ending::Passed);
        assert!(result("test result: ok. 1 passed").is_none());
        let printed =
            "x\n---- a stdout ----\nleft\n\n---- b stdout ----\nright\n\nfailures:\n    a\n";
        assert_eq!(section(printed, "a"), "left\n");
        assert_eq!(section(printed, "b"), "right\n");
    }
}
