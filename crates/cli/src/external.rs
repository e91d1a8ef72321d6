//! Verbs of one's own: `kinwood NAME …` runs the program `kinwood-NAME` of the search path, as git
//! and cargo do. A verb of ours wins over a program of the same name.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error;

/// The program of a verb that is none of ours.
pub struct External {
    program: PathBuf,
    arguments: Vec<OsString>,
}

impl External {
    /// Finds the program for the words of a command line, the command's own name being the first.
    pub fn find(words: &[OsString]) -> Option<Self> {
        let (name, arguments) = words.get(1..)?.split_first()?;
        let name = name.to_str().filter(|name| is_verb(name))?;
        let file = format!("kinwood-{name}{}", env::consts::EXE_SUFFIX);
        Some(Self {
            program: in_path(&env::var_os("PATH")?, &file)?,
            arguments: arguments.to_vec(),
        })
    }

    /// Runs it to its end; its exit code is ours.
    pub fn run(&self) -> Result<u8, std::io::Error> {
        let status = Command::new(&self.program).args(&self.arguments).status()?;
        // One that a signal ended has no code: it did not go well.
        let code = status.code().unwrap_or(i32::from(error::INTERNAL));
        Ok(u8::try_from(code).unwrap_or(error::INTERNAL))
    }

    /// Where the program is.
    pub fn program(&self) -> &Path {
        &self.program
    }
}

/// Whether a word can be the name of a verb: no option and no path.
fn is_verb(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    !name.is_empty() && !name.starts_with('-') && name.chars().all(allowed)
}

/// The first such program of the folders that are named in full: what lies in the folder of the
/// data must not be run by a slip of the pen.
fn in_path(path: &OsStr, file: &str) -> Option<PathBuf> {
    let folders = env::split_paths(path).filter(|folder| folder.is_absolute());
    let mut programs = folders.map(|folder| folder.join(file));
    programs.find(|program| is_program(program))
}

#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let found = file.metadata();
    found.is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(file: &Path) -> bool {
    file.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_and_paths_are_no_verbs() {
        assert!(is_verb("greet") && is_verb("my-verb_2"));
        for other in ["", "-q", "--greet", "../greet", "a b", "grüß"] {
            assert!(!is_verb(other), "{other}");
        }
    }

    #[test]
    fn folders_that_are_not_named_in_full_are_not_looked_into() {
        assert_eq!(in_path(OsStr::new(".:"), "Cargo.toml"), None);
    }
}
