//! Writing files: wholly or not at all, and found impossible before the work rather than after it.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::error::{Error, Result};

/// Fails when no file can be made at the path, as far as that can be told before.
pub fn check(path: &Path) -> Result<()> {
    let wrong = |kind: io::ErrorKind| Err(Error::write(path, kind.into()));
    match path.is_dir() {
        true => wrong(io::ErrorKind::IsADirectory),
        false if !folder(path).is_dir() => wrong(io::ErrorKind::NotFound),
        false => Ok(()),
    }
}

/// Replaces the file at the path by what is written; on any failure it stays as it was.
pub fn replace(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>,
) -> Result<()> {
    let replaced = || -> io::Result<()> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".").suffix(".tmp");
        // A temporary file is private by default; this one gets the rights of any other new file.
        #[cfg(unix)]
        builder.permissions(
            <std::fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o666),
        );
        let temporary = builder.tempfile_in(folder(path))?;
        let mut out = BufWriter::new(temporary.as_file());
        write(&mut out)?;
        out.flush()?;
        drop(out);
        temporary.as_file().sync_all()?;
        temporary.persist(path).map_err(|failure| failure.error)?;
        Ok(())
    };
    replaced().map_err(|source| Error::write(path, source))
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_write_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.csv");
        std::fs::write(&path, "old").unwrap();
        let failed = replace(&path, |out| {
            out.write_all(&[1; 100_000])?;
            Err(io::ErrorKind::StorageFull.into())
        });
        assert!(failed.is_err());
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_that_is_not_there_is_found_out_before() {
        let message = check(Path::new("no/such/out.csv")).unwrap_err().to_string();
        assert_eq!(message, "cannot write `no/such/out.csv`: entity not found");
    }
}
