//! Replacing a file as a whole or not at all.
//!
//! The new content is written beside the target, forced to the disk, and renamed over it: at every
//! moment, also after a crash, the path holds the old file or the new one.
//!
//! What is no file cannot be replaced without harm: renaming over `/dev/null` would take the device
//! away from every program. Devices and pipes are written to, and links are followed.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Replaces the file at `path` by what `write` produces; on any failure `path` is untouched and
/// nothing is left beside it. A link stays, and the file it leads to is replaced.
pub fn replace(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>,
) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        let device = File::options().write(true).open(path)?;
        let mut out = BufWriter::new(&device);
        write(&mut out)?;
        return out.flush();
    }
    let target = fs::canonicalize(path);
    let path = target.as_deref().unwrap_or(path);
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".").suffix(".tmp");
    // A temporary file is private by default; the new one gets the rights of any other new file.
    #[cfg(unix)]
    let rights = <fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o666);
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
    fn a_link_stays_and_its_file_is_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let (file, link) = (directory.path().join("file"), directory.path().join("link"));
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        replace(&link, |out| out.write_all(b"new")).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
    }

    /// A pipe stands for all that is no file, for no test should put a real device at risk.
    #[cfg(unix)]
    #[test]
    fn a_pipe_is_written_to_and_stays() {
        use std::os::unix::fs::FileTypeExt;
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(made.unwrap().success());
        let reader = std::thread::spawn({
            let path = path.clone();
            move || fs::read(path).unwrap()
        });
        replace(&path, |out| out.write_all(b"new")).unwrap();
        assert!(fs::metadata(&path).unwrap().file_type().is_fifo());
        assert_eq!(reader.join().unwrap(), b"new");
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
