//! What is kept beside the data: models that were created, and what searches found.
//!
//! Beside `DATA` stands the folder `DATA.kinwood`, with models in `models` and searches in
//! `searches`, each a model file. Nothing of it is needed: without it models are fitted and trees
//! sought again. A file is written whole or not at all.

use std::fs;
use std::path::{Path, PathBuf};

use kinwood_learners::Registry;
use kinwood_workbench::Trained;
use sha2::{Digest, Sha256};

use crate::error::{Error, Result};

/// The folder beside the data, if there is one.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    folder: Option<PathBuf>,
    cache: bool,
}

impl Side {
    /// Beside a file or folder; what comes from elsewhere has no place beside it.
    pub(crate) fn beside(path: &Path, cache: bool) -> Self {
        let mut name = path.as_os_str().to_owned();
        name.push(".kinwood");
        Self {
            folder: path.exists().then(|| PathBuf::from(name)),
            cache,
        }
    }

    /// No place at all.
    pub(crate) fn nowhere() -> Self {
        Self {
            folder: None,
            cache: false,
        }
    }

    /// The file of a model, if it can be kept.
    pub(crate) fn model(&self, name: &str) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join("models").join(file_name(name)))
    }

    /// The names of the models that are kept.
    pub(crate) fn models(&self) -> Vec<String> {
        let Some(folder) = &self.folder else {
            return Vec::new();
        };
        let Ok(entries) = fs::read_dir(folder.join("models")) else {
            return Vec::new();
        };
        let name = |entry: std::io::Result<fs::DirEntry>| {
            let name = entry.ok()?.file_name().into_string().ok()?;
            read_name(name.strip_suffix(".kin")?)
        };
        let mut names: Vec<String> = entries.filter_map(name).collect();
        names.sort();
        names
    }

    /// Keeps a model.
    pub(crate) fn save(&self, name: &str, trained: &Trained) -> Result<()> {
        let Some(file) = self.model(name) else {
            return Ok(());
        };
        let folder = file.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)
            .map_err(|error| Error::Side(format!("cannot make `{}`: {error}", folder.display())))?;
        Ok(trained.save(&file)?)
    }

    /// Forgets a model.
    pub(crate) fn remove(&self, name: &str) -> Result<()> {
        match self.model(name) {
            Some(file) if file.exists() => fs::remove_file(&file).map_err(|error| {
                Error::Side(format!("cannot remove `{}`: {error}", file.display()))
            }),
            _ => Ok(()),
        }
    }

    /// Whether searches are kept.
    pub(crate) fn keeps_searches(&self) -> bool {
        self.cache && self.folder.is_some()
    }

    /// What a search found, if it is kept. A file that cannot be read is none.
    pub(crate) fn search(&self, key: &str, registry: &Registry) -> Option<Trained> {
        let file = self.search_file(key)?;
        match file.exists() {
            true => Trained::load(&file, registry).ok(),
            false => None,
        }
    }

    /// Keeps what a search found, where that can be done.
    pub(crate) fn keep_search(&self, key: &str, trained: &Trained) {
        let Some(file) = self.search_file(key) else {
            return;
        };
        let made = file
            .parent()
            .is_some_and(|folder| fs::create_dir_all(folder).is_ok());
        if made {
            // Without it the search is made again: no reason to fail.
            let _ = trained.save(&file);
        }
    }

    fn search_file(&self, key: &str) -> Option<PathBuf> {
        let folder = self.folder.as_ref().filter(|_| self.cache)?;
        let digest = Sha256::digest(key.as_bytes());
        let digits: String = digest[..16]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        Some(folder.join("searches").join(format!("{digits}.kin")))
    }
}

/// A name as that of a file: letters, digits and `_` as they are.
fn file_name(name: &str) -> String {
    let mut file = String::new();
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' => file.push(char::from(byte)),
            other => file.push_str(&format!("%{other:02X}")),
        }
    }
    file + ".kin"
}

fn read_name(file: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = file.as_bytes();
    while let Some((first, more)) = rest.split_first() {
        match first {
            b'%' => {
                let digits = std::str::from_utf8(more.get(..2)?).ok()?;
                bytes.push(u8::from_str_radix(digits, 16).ok()?);
                rest = &more[2..];
            }
            byte => {
                bytes.push(*byte);
                rest = more;
            }
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_read_back() {
        for name in ["risk", "a b/../c", "größe", "%41"] {
            let file = file_name(name);
            assert!(!file.contains('/'), "{file}");
            assert_eq!(read_name(file.strip_suffix(".kin").unwrap()).unwrap(), name);
        }
    }
}
