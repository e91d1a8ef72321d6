//! Output files: what cannot be written is found out before the work rather than after it.

use std::io;
use std::path::Path;

use crate::error::{Error, Result};

/// Fails when no file can be made at the path, as far as that can be told before.
pub fn check(path: &Path) -> Result<()> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let reason = match path.is_dir() {
        true => "it is a folder",
        false if !folder.is_dir() => "there is no such folder",
        false => return Ok(()),
    };
    Err(Error::write(path, io::Error::other(reason)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_not_there_is_found_out_before() {
        let message = |path: &Path| check(path).unwrap_err().to_string();
        assert_eq!(
            message(Path::new("no/such/out.csv")),
            "cannot write `no/such/out.csv`: there is no such folder"
        );
        let folder = tempfile::tempdir().unwrap();
        assert!(message(folder.path()).ends_with("it is a folder"));
        assert!(check(Path::new("out.csv")).is_ok());
    }
}
