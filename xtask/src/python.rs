//! The tests of the Python package: the wheel is built, put into a virtual environment, and tested
//! there as users have it.
//!
//! The environment is kept beside what cargo builds and made anew when `pyproject.toml` or the
//! interpreter changes: installing what the tests need takes longer than many of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::{cargo, execute, line, processes, target};

/// What the package's tests need of other packages stands in `pyproject.toml`.
const EXTRA: &str = "test";

/// The program that builds wheels.
const MATURIN: &str = "maturin>=1.9,<2";

/// What pytest reports.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) passed: usize,
    /// Names of failed tests.
    pub(crate) failed: Vec<String>,
    pub(crate) skipped: usize,
    pub(crate) slowest: Vec<(Duration, String)>,
}

/// Whether this machine has a Python that the package runs on, with virtual environments.
pub(crate) fn present() -> bool {
    let program = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))";
    let answer = Command::new("python3")
        .args(["-c", program])
        .stdin(Stdio::null())
        .output();
    answer.is_ok_and(|answer| answer.status.success())
}

/// Builds the wheel, installs it and runs the tests, each within the time limit; arguments are
/// passed on to pytest. The tests compare with the command: the one given, or one built for them.
pub(crate) fn test(
    arguments: &[String],
    limit: Duration,
    command: Option<&Path>,
) -> Result<Counts, String> {
    let environment = environment()?;
    let wheels = folder().join("wheels");
    remove(&wheels)?;
    let command = match command {
        Some(command) => command.to_owned(),
        None => {
            execute(cargo().args(["build", "--package", "kinwood-cli"]))?;
            target().join("debug").join("kinwood")
        }
    };
    execute(
        Command::new(program(&environment, "maturin"))
            .args(["build", "--profile", "dev", "--out"])
            .arg(&wheels),
    )?;
    let wheel = wheel(&wheels)?;
    // Another wheel of the same version replaces the one installed; what it needs is there.
    pip(
        &environment,
        &[
            "--force-reinstall",
            "--no-deps",
            &wheel.display().to_string(),
        ],
    )?;
    // The package is the installed one: from the folder of the checkout, Python would find the
    // sources first.
    let mut tests = Command::new(program(&environment, "python"));
    tests
        .args(["-m", "pytest", "-q", "--durations=10"])
        .arg(format!("--timeout={}", limit.as_secs()))
        .args(["--doctest-modules", "--pyargs", "kinwood"])
        .arg(fs::canonicalize("crates/python/tests").map_err(|error| error.to_string())?)
        .args(arguments)
        .env_remove("PYTHONPATH")
        // Lines come as they are printed.
        .env("PYTHONUNBUFFERED", "1")
        .env("KINWOOD_COMMAND", command);
    let mut printed = Vec::new();
    // A test that hangs in the extension cannot be interrupted: then all are ended.
    let silence = limit + Duration::from_secs(60);
    let status = processes::lines(&mut tests, silence, |line| {
        println!("{line}");
        printed.push(line.to_owned());
    })?;
    let counts = counts(&printed);
    match counts {
        Some(counts) if status.success() || !counts.failed.is_empty() => Ok(counts),
        _ => Err(format!("{} failed: {status}", line(&tests))),
    }
}

/// Builds a wheel for users into a folder, installs it alone into a new environment without a
/// compiler, and tries it.
pub(crate) fn package(into: &Path) -> Result<PathBuf, String> {
    let environment = environment()?;
    let wheels = into.join("wheels");
    execute(
        Command::new(program(&environment, "maturin"))
            .args([
                "build",
                "--release",
                "--compatibility",
                "pypi",
                "--auditwheel",
                "repair",
                "--out",
            ])
            .arg(&wheels),
    )?;
    let built = wheel(&wheels)?;
    let kept = into.join(built.file_name().unwrap_or_default());
    fs::rename(&built, &kept).map_err(|error| error.to_string())?;
    remove(&wheels)?;
    let bare = into.join("bare");
    execute(Command::new("python3").args(["-m", "venv"]).arg(&bare))?;
    pip(
        &bare,
        &["--only-binary", ":all:", &kept.display().to_string()],
    )?;
    let script = "import kinwood; print(kinwood.distance('edit', 'kitten', 'sitting'))";
    execute(
        Command::new(program(&bare, "python"))
            .args(["-c", script])
            .current_dir(&bare)
            .env_remove("PYTHONPATH"),
    )?;
    remove(&bare)?;
    Ok(kept)
}

/// The virtual environment, with all that the tests need but the package itself.
fn environment() -> Result<PathBuf, String> {
    let environment = folder().join("environment");
    let mark = environment.join("made-for");
    let project = fs::read_to_string("pyproject.toml").map_err(|error| error.to_string())?;
    let version = Command::new("python3").arg("-VV").output();
    let version = version.map_err(|error| format!("cannot run `python3`: {error}"))?;
    let made_for = String::from_utf8_lossy(&version.stdout).into_owned() + &project;
    if fs::read_to_string(&mark).is_ok_and(|earlier| earlier == made_for) {
        return Ok(environment);
    }
    remove(&environment)?;
    execute(
        Command::new("python3")
            .args(["-m", "venv"])
            .arg(&environment),
    )?;
    let mut needs = vec![MATURIN.to_owned()];
    needs.extend(requirements(&environment)?);
    let needs: Vec<&str> = needs.iter().map(String::as_str).collect();
    pip(&environment, &needs)?;
    fs::write(&mark, made_for).map_err(|error| format!("cannot write {mark:?}: {error}"))?;
    Ok(environment)
}

/// What the package and its tests need, from `pyproject.toml`. Python has a parser of TOML since
/// 3.11; before, pip brings one.
fn requirements(environment: &Path) -> Result<Vec<String>, String> {
    let script = format!(
        "try:\n\
         \x20   import tomllib as toml\n\
         except ImportError:\n\
         \x20   from pip._vendor import tomli as toml\n\
         project = toml.load(open('pyproject.toml', 'rb'))['project']\n\
         for need in project['dependencies'] + project['optional-dependencies']['{EXTRA}']:\n\
         \x20   print(need)"
    );
    let mut command = Command::new(program(environment, "python"));
    command.args(["-c", &script]);
    let output = command
        .output()
        .map_err(|error| format!("cannot run {}: {error}", line(&command)))?;
    if !output.status.success() {
        let reason = String::from_utf8_lossy(&output.stderr);
        return Err(format!("cannot read pyproject.toml: {}", reason.trim_end()));
    }
    let needs = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(needs.lines().map(str::to_owned).collect())
}

fn pip(environment: &Path, arguments: &[&str]) -> Result<(), String> {
    let mut pip = Command::new(program(environment, "python"));
    pip.args(["-m", "pip", "install", "--quiet"])
        .arg("--disable-pip-version-check")
        .args(arguments);
    execute(&mut pip)
}

fn program(environment: &Path, name: &str) -> PathBuf {
    environment.join("bin").join(name)
}

/// What pytest says at its end; none if it did not come to it.
fn counts(printed: &[String]) -> Option<Counts> {
    let last = printed.iter().rev().find(|line| {
        let line = line.trim_matches(['=', ' ']);
        line.starts_with(|c: char| c.is_ascii_digit()) && line.contains(" in ")
    })?;
    let (totals, _) = last.trim_matches(['=', ' ']).split_once(" in ")?;
    let mut counts = Counts::default();
    let mut failures = 0;
    for part in totals.split(", ") {
        let (number, what) = part.split_once(' ')?;
        let number: usize = number.parse().ok()?;
        match what {
            "passed" | "xfailed" | "xpassed" => counts.passed += number,
            "skipped" => counts.skipped += number,
            "failed" | "error" | "errors" => failures += number,
            _ => {}
        }
    }
    let named = printed.iter().filter_map(|line| {
        let name = line
            .strip_prefix("FAILED ")
            .or_else(|| line.strip_prefix("ERROR "))?;
        Some(name.split(" - ").next().unwrap_or(name).to_owned())
    });
    counts.failed = named.take(failures).collect();
    while counts.failed.len() < failures {
        counts
            .failed
            .push("a test of the Python package".to_owned());
    }
    counts.slowest = printed.iter().filter_map(|line| duration(line)).collect();
    Some(counts)
}

/// A line of pytest's list of slow tests.
fn duration(line: &str) -> Option<(Duration, String)> {
    let (seconds, rest) = line.trim_start().split_once("s ")?;
    let seconds: f64 = seconds.parse().ok()?;
    let name = rest.trim_start().strip_prefix("call")?.trim();
    let name = name.rsplit('/').next().unwrap_or(name);
    Some((Duration::try_from_secs_f64(seconds).ok()?, name.to_owned()))
}

/// The wheel in a folder that holds nothing else.
fn wheel(folder: &Path) -> Result<PathBuf, String> {
    let found = fs::read_dir(folder).map_err(|error| error.to_string())?;
    let mut found = found.flatten().map(|entry| entry.path());
    found
        .find(|path| path.extension().is_some_and(|ending| ending == "whl"))
        .ok_or_else(|| format!("no wheel was built in {}", folder.display()))
}

fn remove(folder: &Path) -> Result<(), String> {
    match folder.exists() {
        true => fs::remove_dir_all(folder)
            .map_err(|error| format!("cannot remove {}: {error}", folder.display())),
        false => Ok(()),
    }
}

/// Where the environment is: beside what cargo builds.
fn folder() -> PathBuf {
    target().join("python")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::env;

    #[test]
    fn a_folder_without_a_wheel_is_an_error() {
        let empty = env::temp_dir().join(format!("kinwood-no-wheel-{}", std::process::id()));
        fs::create_dir_all(&empty).unwrap();
        let error = wheel(&empty).unwrap_err();
        assert!(error.starts_with("no wheel was built"), "{error}");
        fs::write(empty.join("kinwood-0.1.0-cp310-abi3-linux_x86_64.whl"), "").unwrap();
        assert!(wheel(&empty).is_ok());
        fs::remove_dir_all(&empty).unwrap();
    }

    fn read(text: &str) -> Option<Counts> {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        counts(&lines)
    }

    #[test]
    fn the_last_line_of_pytest_has_the_counts() {
        let counts = read(
            "....F [100%]\n1 is in the way\n\
             12.50s call     tests/test_work.py::test_slow\n\
             0.30s setup    tests/test_work.py::test_slow\n\
             FAILED tests/test_a.py::test_b - assert 1 == 2\n\
             ERROR tests/test_c.py::test_d\n\
             1 failed, 411 passed, 3 skipped, 2 warnings, 1 error in 96.43s (0:01:36)\n",
        )
        .unwrap();
        assert_eq!((counts.passed, counts.skipped), (411, 3));
        assert_eq!(
            counts.failed,
            ["tests/test_a.py::test_b", "tests/test_c.py::test_d"]
        );
        let slow = (Duration::from_millis(12_500), "test_work.py::test_slow");
        assert_eq!(counts.slowest, [(slow.0, slow.1.to_owned())]);
    }

    #[test]
    fn failures_count_even_without_names() {
        let counts = read("== 2 failed, 1 passed in 0.1s ==").unwrap();
        assert_eq!(counts.failed.len(), 2);
        assert_eq!(read("Segmentation fault"), None);
    }
}
