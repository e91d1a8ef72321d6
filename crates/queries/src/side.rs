//! What is kept beside the data: models that were created, and what searches found.
//!
//! Beside `DATA` stands the folder `DATA.kinwood`, with models in `models` and searches in
//! `searches`, each a model file. Nothing of it is needed: without it models are fitted and trees
//! sought again. A file is written whole or not at all.

use std::fs;
use std::path::{Path, PathBuf};

use kinwood_learners::Registry;
use kinwood_workbench::Trained;
use serde_json::{Value as Json, json};
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

    /// Whether a search is kept.
    pub(crate) fn has_search(&self, key: &str) -> bool {
        self.search_file(key).is_some_and(|file| file.exists())
    }

    /// Keeps under which bounds a complete search was made, for those that demand more.
    pub(crate) fn keep_bounds(&self, key: &str, family: &str, bounds: &Json) {
        let Some(file) = self.search_file(key) else {
            return;
        };
        let about = json!({"family": digits(family), "bounds": bounds});
        let file = file.with_extension("json");
        // Without it the search is made again: no reason to fail. It is whole or not there.
        let half = file.with_extension("half");
        let _ = fs::write(&half, about.to_string()).and_then(|()| fs::rename(&half, &file));
    }

    /// The complete searches of a family that are kept, each by the name of its file with its
    /// bounds, in the order of the names.
    pub(crate) fn complete_searches(&self, family: &str) -> Vec<(String, Json)> {
        let family = digits(family);
        let Some(folder) = self.searches() else {
            return Vec::new();
        };
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let read = |entry: fs::DirEntry| {
            let name = entry.file_name().into_string().ok()?;
            let name = name.strip_suffix(".json")?.to_owned();
            let text = fs::read_to_string(entry.path()).ok()?;
            let about: Json = serde_json::from_str(&text).ok()?;
            (about["family"] == family).then(|| (name, about["bounds"].clone()))
        };
        let mut all: Vec<(String, Json)> = entries.filter_map(read).collect();
        all.sort_by(|(one, _), (other, _)| one.cmp(other));
        all
    }

    /// What a search found, by the name of its file.
    pub(crate) fn search_named(&self, name: &str, registry: &Registry) -> Option<Trained> {
        let file = self.searches()?.join(format!("{name}.kin"));
        Trained::load(&file, registry).ok()
    }

    fn searches(&self) -> Option<PathBuf> {
        let folder = self.folder.as_ref().filter(|_| self.cache)?;
        Some(folder.join("searches"))
    }

    fn search_file(&self, key: &str) -> Option<PathBuf> {
        Some(self.searches()?.join(format!("{}.kin", digits(key))))
    }
}

/// A short name for a text of any length.
fn digits(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    let bytes = digest[..16].iter();
    bytes.map(|byte| format!("{byte:02x}")).collect()
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
