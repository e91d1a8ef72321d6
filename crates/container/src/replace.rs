//! Replacing a file as a whole or not at all.
//!
//! The new content is written beside the target, forced to the disk, and renamed over it: at every
//! moment, also after a crash, the path holds the old file or the new one.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Replaces the file at `path` by what `write` produces; on any failure `path` is untouched and
/// nothing is left beside it.
pub fn replace(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>,
) -> io::Result<()> {
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".").suffix(".tmp");
    // A temporary file is private by default; the new one gets the rights of any other new file.
    #[cfg(unix)]
    let rights = <std::fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o666);
    #[cfg(unix)]
    builder.permissions(rights);
    let temporary = builder.tempfile_in(directory)?;
    let mut out = BufWriter::new(temporary.as_file());
    write(&mut out)?;
    out.flush()?;
    drop(out);
    temporary.as_file().sync_all()?;
    temporary.persist(path).map_err(|failure| failure.error)?;
    // The rename itself is durable once the directory is; elsewhere directories cannot be opened.
    #[cfg(unix)]
    File::open(directory)?.sync_all()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn listing(directory: &Path) -> Vec<std::ffi::OsString> {
        fs::read_dir(directory)
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect()
    }

    #[test]
    fn a_failing_write_leaves_the_old_file_and_nothing_else() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("model.kin");
        fs::write(&path, "old").unwrap();
        let failure = replace(&path, |out| {
            out.write_all(&[1; 100_000])?;
            Err(io::Error::from(io::ErrorKind::StorageFull))
        });
        assert_eq!(failure.unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(listing(directory.path()), ["model.kin"]);
    }

    #[test]
    fn a_failing_rename_leaves_nothing_behind() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("model.kin");
        fs::create_dir(&path).unwrap();
        assert!(replace(&path, |out| out.write_all(b"new")).is_err());
        assert_eq!(listing(directory.path()), ["model.kin"]);
        assert!(path.is_dir());
    }

    #[test]
    fn success_replaces_the_content() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("model.kin");
        fs::write(&path, "old and longer").unwrap();
        replace(&path, |out| out.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(listing(directory.path()), ["model.kin"]);
    }

    #[cfg(unix)]
    #[test]
    fn the_rights_are_those_of_any_new_file() {
        use std::os::unix::fs::PermissionsExt;
        let directory = tempfile::tempdir().unwrap();
        let (ours, plain) = (
            directory.path().join("ours"),
            directory.path().join("plain"),
        );
        replace(&ours, |out| out.write_all(b"new")).unwrap();
        fs::write(&plain, "new").unwrap();
        let mode = |path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&ours), mode(&plain));
    }
}
