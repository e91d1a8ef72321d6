//! Spelling, by `typos`: a list of slips that people make, so that names of ours need no list.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::{execute, target};

/// The program, which PyPI has ready for every machine.
const TYPOS: &str = "typos>=1.40,<2";

/// Checks all files that are kept; `typos.toml` says what is passed over.
pub(crate) fn check() -> Result<(), String> {
    execute(Command::new(program()?).args(["--format", "brief", "."]))
}

/// The one on the path, the one installed before, or one that is installed now.
fn program() -> Result<PathBuf, String> {
    let environment = target().join("tools").join("typos");
    let own = environment.join("bin").join("typos");
    let answers = |program: &PathBuf| {
        let mut asked = Command::new(program);
        let answer = asked.arg("--version").stdout(Stdio::null()).status();
        answer.is_ok_and(|status| status.success())
    };
    if let Some(there) = [PathBuf::from("typos"), own.clone()]
        .into_iter()
        .find(answers)
    {
        return Ok(there);
    }
    execute(
        Command::new("python3")
            .args(["-m", "venv"])
            .arg(&environment),
    )?;
    execute(Command::new(environment.join("bin").join("python")).args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        TYPOS,
    ]))?;
    Ok(own)
}
