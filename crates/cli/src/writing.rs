//! Output files: what cannot be written is found out before the work rather than after it.

use std::io;
use std::path::Path;

use crate::error::{Error, Result};

/// Fails when no file can be made at the path, as far as that can be told before, or when that
/// would destroy what is read.
pub fn check(path: &Path, sources: &[&Path]) -> Result<()> {
    let reason = match path.is_dir() {
        true => "it is a folder",
        false if !has_folder(path) => "there is no such folder",
        false if sources.iter().any(|source| same_file(path, source)) => {
            "it is a file that is read"
        }
        false if sources.iter().any(|source| data_of(path, source)) => {
            "it is a file of the folder that is read"
        }
        false => return Ok(()),
    };
    Err(Error::write(path, io::Error::other(reason)))
}

/// Fails when the folder that a file or folder is to be made in is not there.
pub fn check_folder(path: &Path) -> Result<()> {
    match has_folder(path) {
        true => Ok(()),
        false => Err(Error::write(
            path,
            io::Error::other("there is no such folder"),
        )),
    }
}

fn has_folder(path: &Path) -> bool {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.is_dir(),
        _ => true,
    }
}

/// Whether both paths lead to one file that is there; a device may be read and written.
fn same_file(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| path.canonicalize().ok().filter(|path| path.is_file());
    place(one).is_some_and(|found| place(other) == Some(found))
}

/// What models and pictures end with: the only files of a folder of data that are not its data.
const MADE: [&str; 5] = ["kin", "html", "svg", "dot", "png"];

/// Whether a path leads to a file of a folder of data that may be part of the data.
fn data_of(path: &Path, folder: &Path) -> bool {
    let made = |path: &Path| {
        let ending = path.extension().and_then(|ending| ending.to_str());
        ending.is_some_and(|ending| MADE.contains(&ending))
    };
    match (path.canonicalize(), folder.canonicalize()) {
        (Ok(file), Ok(folder)) => {
            folder.is_dir() && file.is_file() && file.starts_with(folder) && !made(&file)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_not_there_is_found_out_before() {
        let message = |path: &Path| check(path, &[]).unwrap_err().to_string();
        assert_eq!(
            message(Path::new("no/such/out.csv")),
            "cannot write `no/such/out.csv`: there is no such folder"
        );
        let folder = tempfile::tempdir().unwrap();
        assert!(message(folder.path()).ends_with("it is a folder"));
        assert!(check(Path::new("out.csv"), &[Path::new("out.csv")]).is_ok());
    }

    #[test]
    fn what_is_read_is_not_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let (data, other) = (folder.path().join("data.csv"), folder.path().join("other"));
        std::fs::write(&data, "a\n").unwrap();
        std::fs::write(&other, "b\n").unwrap();
        let roundabout = folder.path().join(".").join("data.csv");
        let message = check(&data, &[&other, &roundabout]).unwrap_err();
        assert!(
            message.to_string().ends_with(": it is a file that is read"),
            "{message}"
        );
        assert!(check(&data, &[&other]).is_ok());
        let message = check(&data, &[folder.path()]).unwrap_err().to_string();
        assert!(message.ends_with("it is a file of the folder that is read"));
        let (model, fresh) = (folder.path().join("m.kin"), folder.path().join("new.csv"));
        std::fs::write(&model, "c\n").unwrap();
        assert!(check(&model, &[folder.path()]).is_ok());
        assert!(check(&fresh, &[folder.path()]).is_ok());
    }
}
