//! Logs: what has been computed so far, a line each, so that work that was stopped goes on where it
//! was.
//!
//! A log is appended to while work runs and is never rewritten. The first line says what the log is
//! of; each other line is complete or, after a crash in the middle of writing, the last one and
//! dropped. A line is written by one call and named by a key.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use kinwood_workbench::error::{Error, Result};

/// What has been computed so far, by key.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    known: BTreeMap<String, Value>,
    file: Mutex<Option<File>>,
    identity: Value,
}

impl Log {
    /// Opens the log at a path, or begins one. A log of anything else is an error: nothing is taken
    /// from it, nothing lost.
    pub fn open(path: &Path, identity: &Value) -> Result<Self> {
        let mut log = Self {
            path: path.to_owned(),
            known: BTreeMap::new(),
            file: Mutex::new(None),
            identity: identity.clone(),
        };
        match fs::read(path) {
            Ok(bytes) => {
                let (known, whole) = lines(path, &bytes, Some(identity))?;
                log.known = known;
                if whole < bytes.len() {
                    let file = File::options().write(true).open(path);
                    file.and_then(|file| file.set_len(whole as u64))
                        .map_err(|source| unwritten(path, source))?;
                }
                Ok(log)
            }
            Err(source) if source.kind() == io::ErrorKind::NotFound => Ok(log),
            Err(source) => Err(unread(path, source)),
        }
    }

    /// The lines of a log that is only read.
    pub fn read(path: &Path) -> Result<BTreeMap<String, Value>> {
        let bytes = fs::read(path).map_err(|source| unread(path, source))?;
        Ok(lines(path, &bytes, None)?.0)
    }

    /// What was known of a key when the log was opened.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.known.get(key)
    }

    /// Adds a line.
    pub fn put(&self, key: &str, value: &Value) -> Result<()> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let write = |file: &mut Option<File>| -> io::Result<()> {
            if file.is_none() {
                let mut opened = File::options().create(true).append(true).open(&self.path)?;
                if opened.metadata()?.len() == 0 {
                    opened.write_all(line(&json!({"of": self.identity})).as_bytes())?;
                }
                *file = Some(opened);
            }
            let Some(file) = file else {
                return Ok(());
            };
            let before = file.metadata()?.len();
            let written = file.write_all(line(&json!({"key": key, "value": value})).as_bytes());
            if written.is_err() {
                // A disk that is full takes part of a line. Lines of other threads may still fit,
                // and one behind half a line would damage the log.
                file.set_len(before)?;
            }
            written
        };
        write(&mut file).map_err(|source| unwritten(&self.path, source))
    }
}

fn line(value: &Value) -> String {
    format!("{value}\n")
}

fn unread(path: &Path, source: io::Error) -> Error {
    Error::ReadResults {
        file: path.display().to_string(),
        reason: kinwood_container::reason(&source),
    }
}

fn unwritten(path: &Path, source: io::Error) -> Error {
    Error::Write {
        file: path.display().to_string(),
        source,
    }
}

/// The complete lines, and how many bytes they take.
fn lines(
    path: &Path,
    bytes: &[u8],
    identity: Option<&Value>,
) -> Result<(BTreeMap<String, Value>, usize)> {
    let whole = bytes
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |end| end + 1);
    let mut known = BTreeMap::new();
    for (place, line) in bytes[..whole].split(|&byte| byte == b'\n').enumerate() {
        if line.is_empty() {
            continue;
        }
        let damaged = |reason: &str| Error::ReadResults {
            file: format!("{}:{}", path.display(), place + 1),
            reason: format!("{reason}; remove the file to have it computed anew"),
        };
        let mut read: Value = serde_json::from_slice(line)
            .map_err(|error| damaged(&format!("the line is damaged ({error})")))?;
        if place == 0 {
            match identity {
                Some(identity) if read["of"] != *identity => {
                    return Err(damaged("the log is of something else"));
                }
                _ => continue,
            }
        }
        let (Some(key), Some(value)) = (
            read["key"].as_str().map(str::to_owned),
            read.get_mut("value").map(Value::take),
        ) else {
            return Err(damaged("the line has no key and value"));
        };
        known.insert(key, value);
    }
    Ok((known, whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_is_known_and_half_a_line_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        let of = json!({"learner": "knn"});
        let log = Log::open(&path, &of).unwrap();
        assert!(log.get("1.1").is_none());
        log.put("1.1", &json!([0.1, 1e-300])).unwrap();
        log.put("1.2", &json!([0.2])).unwrap();
        let all = fs::read(&path).unwrap();
        // Killed at any byte: what is complete stays, and the file goes on as if nothing had
        // happened.
        for kept in 0..all.len() {
            fs::write(&path, &all[..kept]).unwrap();
            let log = Log::open(&path, &of).unwrap();
            for (key, value) in [("1.1", json!([0.1, 1e-300])), ("1.2", json!([0.2]))] {
                match log.get(key) {
                    Some(known) => assert_eq!(*known, value),
                    None => log.put(key, &value).unwrap(),
                }
            }
            drop(log);
            assert_eq!(fs::read(&path).unwrap(), all, "killed after {kept} bytes");
        }
    }

    #[test]
    fn logs_of_something_else_and_damaged_lines_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        Log::open(&path, &json!(1))
            .unwrap()
            .put("k", &json!(2))
            .unwrap();
        let told = Log::open(&path, &json!(2)).unwrap_err().to_string();
        assert!(
            told.contains("something else") && told.contains("a.jsonl:1"),
            "{told}"
        );
        fs::write(
            &path,
            "{\"of\":1}\n{\"key\":\n{\"key\":\"k\",\"value\":3}\n",
        )
        .unwrap();
        let told = Log::open(&path, &json!(1)).unwrap_err().to_string();
        assert!(
            told.contains("a.jsonl:2") && told.contains("damaged"),
            "{told}"
        );
    }
}
