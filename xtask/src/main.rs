//! The project's own commands: `cargo xtask fmt | lint | test | python | doc | golden | layers | bench`.
//!
//! They are exactly what continuous integration runs, so that what passes here passes there. They
//! need the standard library and the workspace's JSON parser only, so that they build in seconds.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a developer's command talks to the terminal"
)]

mod layers;
mod modules;
mod needs;
mod python;
mod tokens;

use std::env;
use std::ffi::OsString;
use std::process::{Command, ExitCode};

const HELP: &str = "\
The project's own commands, exactly what continuous integration runs.

Usage: cargo xtask COMMAND [ARGUMENTS]

  fmt [--fix]      check the formatting; with --fix, apply it
  lint             clippy on everything, warnings are errors
  test [ARGS]      layers, install what tests need, all tests and doc tests; without ARGS, those of the Python package too
  python [ARGS]    build the Python package into a fresh virtual environment and test it; ARGS are pytest's
  doc              build the documentation, warnings are errors
  golden [ARGS]    run the tests and rewrite recorded outputs; review with git diff
  layers           check which crate depends on which
  bench [ARGS]     run the benchmarks
  help             show this

ARGS are passed on to cargo, for instance: cargo xtask test knn

Environment:
  KINWOOD_DATA     directory of the public data sets; tests that need them are skipped without it
  CI=true          a missing test need is a failure instead of a skip
  KINWOOD_SKIP     set by this command for the tests: the needs that are missing, comma-separated
";

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    let command = arguments.next();
    let arguments: Vec<String> = arguments.collect();
    match run(command.as_deref().unwrap_or("help"), &arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: &str, arguments: &[String]) -> Result<(), String> {
    match (command, arguments) {
        ("fmt", []) => execute(cargo().args(["fmt", "--all", "--check"])),
        ("fmt", [fix]) if fix == "--fix" => execute(cargo().args(["fmt", "--all"])),
        ("lint", []) => {
            let everything = [
                "clippy",
                "--workspace",
                "--all-targets",
                "--",
                "-D",
                "warnings",
            ];
            execute(cargo().args(everything))
        }
        ("doc", []) => execute(
            cargo()
                .args(["doc", "--workspace", "--no-deps"])
                .env("RUSTDOCFLAGS", "-D warnings"),
        ),
        ("test", _) => {
            layers::check_workspace()?;
            let (mut command, skipped) = tests(arguments)?;
            execute(
                command
                    .env_remove("KINWOOD_UPDATE_GOLDEN")
                    .env("INSTA_UPDATE", "no"),
            )?;
            match arguments.is_empty() && !skipped.contains(&"python3") {
                true => python::test(&[]),
                false => Ok(()),
            }
        }
        ("python", _) => match needs::meet()?.contains(&"python3") {
            true => Ok(()),
            false => python::test(arguments),
        },
        ("golden", _) => execute(
            tests(arguments)?
                .0
                .env("KINWOOD_UPDATE_GOLDEN", "1")
                .env("INSTA_UPDATE", "always"),
        ),
        ("layers", []) => layers::check_workspace(),
        ("bench", _) => execute(cargo().args(["bench", "--workspace"]).args(arguments)),
        ("help" | "--help" | "-h", _) => {
            print!("{HELP}");
            Ok(())
        }
        ("fmt" | "lint" | "doc" | "layers", _) => Err(format!(
            "`{command}` does not take `{}`\n\n{HELP}",
            arguments.join(" ")
        )),
        _ => Err(format!("unknown command `{command}`\n\n{HELP}")),
    }
}

/// The command that runs all tests of the workspace (doc tests are among them), once their needs are met, and the needs that are not.
fn tests(arguments: &[String]) -> Result<(Command, Vec<&'static str>), String> {
    let skipped = needs::meet()?;
    if env::var_os("KINWOOD_DATA").is_none() {
        println!(
            "KINWOOD_DATA is not set: tests that need the public data sets are skipped; \
             to run them, set it to the directory that holds the data sets"
        );
    }
    let mut command = cargo();
    command
        .args(["test", "--workspace", "--no-fail-fast"])
        .args(arguments);
    // A value from outside must not silence tests whose needs are met.
    if skipped.is_empty() {
        command.env_remove("KINWOOD_SKIP");
    } else {
        command.env("KINWOOD_SKIP", skipped.join(","));
    }
    Ok((command, skipped))
}

/// The cargo that runs this command, or the one on the path.
fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")))
}

/// Runs a command in sight of the user.
fn execute(command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{} failed: {status}", line(command))),
        Err(error) => Err(format!("cannot run {}: {error}", line(command))),
    }
}

/// The command as one would type it.
fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    format!("`{}`", words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_names_every_command() {
        for command in [
            "fmt", "lint", "test", "python", "doc", "golden", "layers", "bench", "help",
        ] {
            assert!(HELP.contains(&format!("\n  {command} ")), "{command}");
        }
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        let error = run("tset", &[]).unwrap_err();
        assert!(error.starts_with("unknown command `tset`"), "{error}");
        let error = run("fmt", &["--fixx".to_owned()]).unwrap_err();
        assert!(error.starts_with("`fmt` does not take `--fixx`"), "{error}");
    }
}
