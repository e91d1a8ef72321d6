//! The project's own commands: `cargo xtask fmt | lint | test | doc | …`.
//!
//! They are exactly what continuous integration runs, so that what passes here passes there. They
//! need the standard library and the workspace's JSON parser only, so that they build in seconds.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a developer's command talks to the terminal"
)]

mod book;
mod dependencies;
mod dist;
mod features;
mod fuzz;
mod layers;
mod modules;
mod needs;
mod processes;
mod promises;
mod python;
mod spelling;
mod style;
mod suite;
mod tokens;
mod wording;

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use serde_json::Value;

use suite::Recordings;

const HELP: &str = "\
The project's own commands, exactly what continuous integration runs.

Usage: cargo xtask COMMAND [ARGUMENTS]

  fmt [--fix]      check the formatting; with --fix, apply it
  lint             clippy on everything, warnings are errors; then the dependencies
  test [ARGS]      layers, install what tests need, all tests and doc tests; without a choice, those of the Python package too
  python [ARGS]    build the Python package, install it into a virtual environment and test it; ARGS are pytest's
  doc              build the documentation, warnings are errors
  book             make the documents a site, with the reference written from the registries and links checked; installs mdBook
  dist [--no-wheel] make packages: program, man pages, completions, wheel, checksums, container file; and try them
  spelling         check the spelling of everything; installs typos
  soak [ARGS]      try fresh random cases of the tests that compare what is fast with what is plain, in turns
  golden [ARGS]    run the tests and rewrite recorded outputs; review with git diff; ARGS are those of test
  layers           check which crate depends on which, and that modules inside crates have no cycles
  features         build the crates with each feature alone and with none, and test what is said without; compare those of tests, command and wheel
  msrv             check that the oldest supported Rust is enough
  dependencies     check licences and versions of what is depended on
  style [--fix]    check that comments wrap at 100 columns, with --fix wrap them; check that libraries do not speak of the command, and that the tests behind promises are there
  bench [ARGS]     run the benchmarks; ARGS are those of cargo bench
  fuzz [ARGS]      search for inputs that do harm, guided by what is reached; tells functions reached; Linux only
  help             show this

Arguments of test, for instance: cargo xtask test knn
  NAME             only tests whose name has this part; several are alternatives
  -p CRATE         only tests of this crate; may be repeated
  --jobs NUMBER    tests that run at a time [default: one a core]
  --timeout NUMBER seconds that one test may take before it is killed [default: 300]

Arguments of fuzz, for instance: cargo xtask fuzz --hours 2
  --minutes NUMBER time to search, all targets together [default: 10]; or --hours
  --target NAME    only this target
  --jobs NUMBER    targets searched at a time [default: 1]
  --missed         search for nothing, list the functions that the corpora do not reach

Arguments of soak, for instance: cargo xtask soak --hours 2
  NAME, -p CRATE   as for test
  --hours NUMBER   how long; --minutes NUMBER likewise [default: 10 minutes]
  --turn NUMBER    seconds of each test's turn [default: 10]
  --seed NUMBER    which cases [default: 1]

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
            // A command that has said all itself leaves nothing to say.
            if !message.is_empty() {
                eprintln!("xtask: {message}");
            }
            ExitCode::FAILURE
        }
    }
}

fn run(command: &str, arguments: &[String]) -> Result<(), String> {
    match (command, arguments) {
        ("fmt", []) => execute(cargo().args(["fmt", "--all", "--check"])),
        ("fmt", [fix]) if fix == "--fix" => execute(cargo().args(["fmt", "--all"])),
        ("lint", []) => {
            execute(&mut clippy())?;
            dependencies::check()?;
            features::same()?;
            check_style(false)
        }
        ("msrv", []) => msrv(),
        ("features", []) => features::check(),
        ("dependencies", []) => dependencies::check(),
        ("style", []) => check_style(false),
        ("style", [fix]) if fix == "--fix" => check_style(true),
        ("doc", []) => execute(
            cargo()
                .args(["doc", "--workspace", "--no-deps"])
                .env("RUSTDOCFLAGS", "-D warnings"),
        ),
        ("test", _) => {
            layers::check_workspace()?;
            suite::run(arguments, Recordings::Compare)
        }
        ("python", _) => match needs::meet()?.contains(&"python3") {
            true => Ok(()),
            false => {
                let counts = python::test(arguments, suite::TIME_LIMIT, None)?;
                match counts.failed.as_slice() {
                    [] => Ok(()),
                    failed => Err(format!("failed: {}", failed.join(", "))),
                }
            }
        },
        ("soak", _) => suite::soak::run(arguments),
        ("golden", _) => suite::run(arguments, Recordings::Rewrite),
        ("layers", []) => layers::check_workspace(),
        ("fuzz", _) => fuzz::run(arguments),
        ("spelling", []) => spelling::check(),
        ("book", []) => book::make(),
        ("dist", _) => dist::make(arguments),
        ("bench", _) => execute(cargo().args(["bench", "--workspace"]).args(arguments)),
        ("help" | "--help" | "-h", _) => {
            print!("{HELP}");
            Ok(())
        }
        (
            "fmt" | "lint" | "doc" | "book" | "spelling" | "layers" | "msrv" | "features"
            | "dependencies" | "style",
            _,
        ) => Err(format!(
            "`{command}` does not take `{}`\n\n{HELP}",
            arguments.join(" ")
        )),
        _ => Err(format!("unknown command `{command}`\n\n{HELP}")),
    }
}

/// How comments are wrapped, what libraries speak of, and what is promised.
fn check_style(fix: bool) -> Result<(), String> {
    style::check(fix)?;
    wording::check()?;
    promises::check()
}

/// Clippy on everything.
fn clippy() -> Command {
    let mut command = cargo();
    command
        .args(["clippy", "--workspace", "--all-targets"])
        .args(["--", "-D", "warnings"]);
    command
}

/// Checks that the oldest supported Rust is enough: by what dependencies state, by clippy, which
/// knows when a part of the standard library came, and by that Rust itself where it is installed.
fn msrv() -> Result<(), String> {
    let oldest = dependencies::oldest_rust()?;
    execute(&mut clippy())?;
    if !dependencies::installed(&oldest) {
        println!(
            "skipped: Rust {oldest} is not installed (`rustup toolchain install {oldest}`), so \
             nothing was built with it"
        );
        return Ok(());
    }
    execute(
        Command::new("rustup")
            .args(["run", &oldest, "cargo", "check", "--workspace"])
            .arg("--target-dir")
            .arg(target().join("msrv"))
            .env_remove("CARGO")
            .env_remove("RUSTC")
            .env_remove("RUSTUP_TOOLCHAIN"),
    )
}

/// The cargo that runs this command, or the one on the path.
fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")))
}

/// What cargo knows of the workspace, by `cargo metadata` with these arguments.
fn metadata(arguments: &[&str]) -> Result<Value, String> {
    let mut command = cargo();
    command
        .args(["metadata", "--format-version", "1"])
        .args(arguments);
    let output = command
        .output()
        .map_err(|error| format!("cannot run {}: {error}", line(&command)))?;
    if !output.status.success() {
        let reason = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{} failed: {}", line(&command), reason.trim_end()));
    }
    serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("{} did not answer in JSON: {error}", line(&command)))
}

/// Fails with all faults, if there are some.
fn told(faults: Vec<String>) -> Result<(), String> {
    match faults.is_empty() {
        true => Ok(()),
        false => Err(faults.join("\n")),
    }
}

/// Where cargo builds.
fn target() -> PathBuf {
    let named = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = named.unwrap_or_else(|| PathBuf::from("target"));
    std::path::absolute(&target).unwrap_or(target)
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
            "fmt",
            "lint",
            "test",
            "python",
            "doc",
            "golden",
            "layers",
            "features",
            "msrv",
            "dependencies",
            "style",
            "soak",
            "bench",
            "fuzz",
            "help",
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
