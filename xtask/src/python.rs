//! The tests of the Python package: the wheel is built, put into a fresh virtual environment, and tested there as users have it.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::{cargo, execute};

/// What the package's tests need of other packages stands in `pyproject.toml`.
const EXTRA: &str = "test";

/// Whether this machine has a Python that the package runs on, with virtual environments.
pub(crate) fn present() -> bool {
    let asked = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))";
    let answer = Command::new("python3")
        .args(["-c", asked])
        .stdin(Stdio::null())
        .output();
    answer.is_ok_and(|answer| answer.status.success())
}

/// Builds the wheel, installs it and runs the tests; arguments are passed on to pytest.
pub(crate) fn test(arguments: &[String]) -> Result<(), String> {
    let folder = folder();
    let environment = folder.join("environment");
    let wheels = folder.join("wheels");
    for left in [&environment, &wheels] {
        if left.exists() {
            fs::remove_dir_all(left)
                .map_err(|error| format!("cannot remove {}: {error}", left.display()))?;
        }
    }
    let program = |name: &str| environment.join("bin").join(name);
    execute(
        Command::new("python3")
            .args(["-m", "venv"])
            .arg(&environment),
    )?;
    let install = |what: &str| {
        let mut pip = Command::new(program("python"));
        pip.args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
        ]);
        execute(pip.arg(what))
    };
    install("maturin>=1.9,<2")?;
    // The tests compare with the command. Asked for in this way it is the one that its own tests have built, with all that it is made of.
    execute(cargo().args(["test", "--workspace", "--no-run", "--test", "command"]))?;
    execute(
        Command::new(program("maturin"))
            .args(["build", "--profile", "dev", "--out"])
            .arg(&wheels),
    )?;
    install(&format!("{}[{EXTRA}]", wheel(&wheels)?.display()))?;
    let command = target().join("debug").join("kinwood");
    // The package is the installed one: from the folder of the checkout, Python would find the sources first.
    let mut tests = Command::new(program("python"));
    tests
        .args([
            "-m",
            "pytest",
            "-q",
            "--doctest-modules",
            "--pyargs",
            "kinwood",
        ])
        .arg(fs::canonicalize("crates/python/tests").map_err(|error| error.to_string())?)
        .args(arguments)
        .env_remove("PYTHONPATH")
        .env("KINWOOD_COMMAND", command);
    execute(&mut tests)
}

/// The wheel in a folder that holds nothing else.
fn wheel(folder: &Path) -> Result<PathBuf, String> {
    let found = fs::read_dir(folder).map_err(|error| error.to_string())?;
    let mut found = found.flatten().map(|entry| entry.path());
    found
        .find(|path| path.extension().is_some_and(|ending| ending == "whl"))
        .ok_or_else(|| format!("no wheel was built in {}", folder.display()))
}

fn target() -> PathBuf {
    let named = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = named.unwrap_or_else(|| PathBuf::from("target"));
    std::path::absolute(&target).unwrap_or(target)
}

/// Where the environment is: beside what cargo builds.
fn folder() -> PathBuf {
    target().join("python")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_a_wheel_is_told() {
        let empty = env::temp_dir().join(format!("kinwood-no-wheel-{}", std::process::id()));
        fs::create_dir_all(&empty).unwrap();
        let error = wheel(&empty).unwrap_err();
        assert!(error.starts_with("no wheel was built"), "{error}");
        fs::write(empty.join("kinwood-0.1.0-cp310-abi3-linux_x86_64.whl"), "").unwrap();
        assert!(wheel(&empty).is_ok());
        fs::remove_dir_all(&empty).unwrap();
    }
}
