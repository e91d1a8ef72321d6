//! Results folders: every fold's predictions, kept as they come, so that a study that was stopped
//! goes on where it was and that tables and pages can be made again without computing anything
//! anew.
//!
//! ```text
//! results/
//!   results.json                what was asked, and which files hold what
//!   data/NAME-HASH.json         what is true of the rows of a data set, and how they were divided
//!   folds/NAME-HASH.jsonl       predictions, fold by fold, of one learner on one data set
//!   tables/...                  made from the others
//! ```
//!
//! A file of folds is named after a hash of all that decides what is in it: data, division, seed,
//! learner, settings and version. What is asked anew, with one more learner or with other data,
//! finds whatever is the same.

pub mod fold;
pub mod log;
pub mod record;

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use sha2::{Digest, Sha256};

use kinwood_workbench::error::{Error, Result};
use kinwood_workbench::fingerprint::hexadecimal;
use log::Log;

/// The file that whoever writes holds.
const LOCK: &str = ".lock";
/// The file that says what was asked.
const MANIFEST: &str = "results.json";

/// A results folder that is written to, by one program at a time.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    // Held while the folder is written to; the system lets go of it however the program ends.
    _lock: File,
}

/// Who fills a results folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A comparison.
    Compare,
    /// A reproduced study.
    Reproduce,
}

impl Folder {
    /// Makes a folder of results, or goes on with one. One that holds anything else is left alone.
    pub fn open(path: &Path, purpose: Purpose) -> Result<Self> {
        let refused = |reason| Error::ResultsFolder {
            folder: path.display().to_string(),
            reason,
        };
        let lock = path.join(LOCK);
        match fs::read_dir(path) {
            Ok(entries) if !path.join(MANIFEST).is_file() && !lock.is_file() => {
                if entries.count() > 0 {
                    return Err(refused(
                        "is there and holds no results; name a folder that is new or empty, or one of results",
                    ));
                }
            }
            Ok(_) => {}
            Err(source) if source.kind() == io::ErrorKind::NotFound => {}
            Err(_) => return Err(refused("is no folder")),
        }
        let unwritten = |source| Error::Write {
            file: path.display().to_string(),
            source,
        };
        // The lock comes first: whoever comes second finds it, and not a folder of who knows what.
        let open = || -> io::Result<File> {
            fs::create_dir_all(path)?;
            File::options().create(true).append(true).open(&lock)
        };
        let lock = open().map_err(unwritten)?;
        match lock.try_lock() {
            // Where files cannot be locked, nobody is kept out.
            Ok(()) | Err(TryLockError::Error(_)) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(refused("is being written to by another program"));
            }
        }
        if path.join(MANIFEST).is_file() {
            let known: Value = read(&path.join(MANIFEST))?;
            match (purpose, known.get("reproduce").is_some()) {
                (Purpose::Compare, true) => {
                    return Err(refused(
                        "holds results of a reproduced study; name another folder",
                    ));
                }
                (Purpose::Reproduce, false) => {
                    return Err(refused(
                        "holds results of a comparison; name another folder",
                    ));
                }
                _ => {}
            }
        }
        for part in ["data", "folds", "tables"] {
            fs::create_dir_all(path.join(part)).map_err(unwritten)?;
        }
        for part in [path, &path.join("data"), &path.join("tables")] {
            clean(part);
        }
        Ok(Self {
            path: path.to_owned(),
            _lock: lock,
        })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The log of what is computed for an identity, and its path within the folder.
    pub fn log(&self, name: &str, identity: &Value) -> Result<(Log, String)> {
        let file = format!("folds/{}", named(name, identity, "jsonl"));
        Ok((Log::open(&self.path.join(&file), identity)?, file))
    }

    /// Keeps what is known of a data set, and tells the path within the folder.
    pub fn keep(&self, name: &str, identity: &Value, known: &impl Serialize) -> Result<String> {
        let file = format!("data/{}", named(name, identity, "json"));
        if !self.path.join(&file).is_file() {
            self.write(&file, &serde_json::to_string(known).unwrap_or_default())?;
        }
        Ok(file)
    }

    /// Writes what was asked.
    pub fn keep_manifest(&self, manifest: &impl Serialize) -> Result<()> {
        let text = serde_json::to_string_pretty(manifest).unwrap_or_default();
        self.write(MANIFEST, &(text + "\n"))
    }

    /// Removes a file, if it is there.
    pub fn remove(&self, file: &str) -> Result<()> {
        let path = self.path.join(file);
        match fs::remove_file(&path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => Err(Error::Write {
                file: path.display().to_string(),
                source,
            }),
            _ => Ok(()),
        }
    }

    /// Writes a file, wholly or not at all.
    pub fn write(&self, file: &str, text: &str) -> Result<()> {
        kinwood_workbench::output::save(&self.path.join(file), |out| out.write_all(text.as_bytes()))
    }
}

/// Removes files that a killed program was writing beside those they were to replace; one that
/// stays is no harm.
fn clean(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.len() == ".XXXXXX.tmp".len() && name.starts_with('.') && name.ends_with(".tmp") {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// What a folder says was asked.
pub fn manifest<T: DeserializeOwned>(folder: &Path) -> Result<T> {
    let file = folder.join(MANIFEST);
    if folder.is_dir() && !file.is_file() {
        return Err(Error::NoResults {
            folder: folder.display().to_string(),
        });
    }
    read(&file)
}

/// A JSON file of a folder.
pub fn read<T: DeserializeOwned>(file: &Path) -> Result<T> {
    let unread = |reason: String| Error::ReadResults {
        file: file.display().to_string(),
        reason,
    };
    let text = fs::read(file).map_err(|error| unread(kinwood_container::reason(&error)))?;
    serde_json::from_slice(&text).map_err(|error| unread(error.to_string()))
}

/// A name for a file: what it is called by people, and a hash of what decides its content.
fn named(name: &str, identity: &Value, ending: &str) -> String {
    let hash = hexadecimal(&Sha256::digest(identity.to_string().as_bytes()));
    format!("{}-{}.{ending}", slug(name), &hash[..12])
}

/// A name that every file system takes.
pub(crate) fn slug(name: &str) -> String {
    let mut slug = String::new();
    for character in name.chars() {
        match character {
            c if c.is_ascii_alphanumeric() => slug.push(c.to_ascii_lowercase()),
            _ if slug.ends_with('-') => {}
            _ => slug.push('-'),
        }
        if slug.len() >= 60 {
            break;
        }
    }
    match slug.trim_matches('-') {
        "" => "unnamed".to_owned(),
        slug => slug.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_folder_is_for_results_alone_and_for_one_program_at_a_time() {
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join("thesis.tex"), "x").unwrap();
        let told = Folder::open(place.path(), Purpose::Compare)
            .unwrap_err()
            .to_string();
        assert!(told.contains("holds no results"), "{told}");
        let path = place.path().join("new");
        let folder = Folder::open(&path, Purpose::Compare).unwrap();
        let told = Folder::open(&path, Purpose::Compare);
        let told = told.unwrap_err().to_string();
        assert!(told.contains("another program"), "{told}");
        folder.keep_manifest(&json!({"a": 1})).unwrap();
        drop(folder);
        fs::write(path.join("tables/.aB3dE6.tmp"), "half").unwrap();
        assert!(Folder::open(&path, Purpose::Compare).is_ok());
        assert!(!path.join("tables/.aB3dE6.tmp").exists());
        let told = Folder::open(&path, Purpose::Reproduce);
        assert!(
            told.unwrap_err()
                .to_string()
                .contains("results of a comparison")
        );
        assert_eq!(manifest::<Value>(&path).unwrap(), json!({"a": 1}));
    }

    #[test]
    fn files_are_named_by_what_decides_their_content() {
        assert_eq!(slug("K* b=20 / Ähre"), "k-b-20-hre");
        assert_eq!(slug("**"), "unnamed");
        let (one, other) = (json!({"k": 1}), json!({"k": 2}));
        assert_ne!(named("x", &one, "json"), named("x", &other, "json"));
        assert_eq!(named("x", &one, "json"), named("x", &one.clone(), "json"));
    }
}
