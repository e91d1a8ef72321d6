//! Output files: what cannot be written is found out before the work rather than after it.

use std::io;
use std::path::Path;

use crate::error::{Error, Result};

/// Fails when no file can be made at the path, as far as that can be told before, or when that would
/// destroy what is read.
pub fn check(path: &Path, sources: &[&Path]) -> Result<()> {
    let reason = match path.is_dir() {
        true => "it is a folder",
        false if !has_folder(path) => "there is no such folder",
        false if sources.iter().any(|source| same_file(path, source)) => {
            "it is a file that is read"
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
    }
}
