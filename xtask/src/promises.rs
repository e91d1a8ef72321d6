//! Promises name the tests behind them: every test that docs/reliability.md names is there.
//!
//! A table whose head is `| promise | test |` names tests as ``` `crate`: `test`, `test` ```, with
//! semicolons between crates.

use std::fs;
use std::path::{Path, PathBuf};

/// The page that promises.
const PAGE: &str = "docs/reliability.md";

/// Fails on a promise without a test, and on a test that is not there.
pub(crate) fn check() -> Result<(), String> {
    check_in(Path::new(""))
}

/// The same, of the workspace in a folder.
fn check_in(root: &Path) -> Result<(), String> {
    let text = fs::read_to_string(root.join(PAGE));
    let text = text.map_err(|error| format!("cannot read {PAGE}: {error}"))?;
    let mut faults = Vec::new();
    let named = named(&text, &mut faults);
    if named.is_empty() {
        faults.push("no test is named".to_owned());
    }
    for (owner, test) in named {
        let folder = root.join("crates").join(&owner);
        let mut sources = Vec::new();
        gather(&folder, &mut sources);
        let head = format!("fn {test}(");
        let there = sources.iter().any(|file| {
            let text = fs::read_to_string(file).unwrap_or_default();
            text.contains(&head)
        });
        if !there {
            faults.push(format!("`{owner}` has no test `{test}`"));
        }
    }
    match faults.is_empty() {
        true => Ok(()),
        false => Err(format!("{PAGE}: {}", faults.join("\n"))),
    }
}

/// The tests that the tables name, each with its crate; rows that name none are faults.
fn named(text: &str, faults: &mut Vec<String>) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line == "| promise | test |" {
            inside = true;
        } else if !line.starts_with('|') {
            inside = false;
        }
        let Some(row) = line.strip_prefix("| ").filter(|_| inside) else {
            continue;
        };
        let Some((promise, tests)) = row.trim_end_matches(" |").rsplit_once(" | ") else {
            continue;
        };
        if promise == "promise" || promise == "---" {
            continue;
        }
        let before = found.len();
        for part in tests.split("; ") {
            let Some((owner, tests)) = part.split_once(": ") else {
                faults.push(format!("`{part}` does not name a crate and its tests"));
                continue;
            };
            let bare = |word: &str| word.trim_matches('`').to_owned();
            found.extend(tests.split(", ").map(|test| (bare(owner), bare(test))));
        }
        if found.len() == before {
            faults.push(format!("no test behind: {promise}"));
        }
    }
    found
}

/// All sources below a folder.
fn gather(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => gather(&path, into),
            false
                if path
                    .extension()
                    .is_some_and(|ending| ending == "rs" || ending == "py") =>
            {
                into.push(path);
            }
            false => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_name_crates_and_tests() {
        let text = "| promise | test |\n| --- | --- |\n| a | `x`: `one`, `two`; `y`: `three` |\n\n\
                    | data | knn |\n| b | ✓ |\n";
        let mut faults = Vec::new();
        let pairs = named(text, &mut faults);
        let expected = [("x", "one"), ("x", "two"), ("y", "three")];
        assert_eq!(pairs, expected.map(|(a, b)| (a.to_owned(), b.to_owned())));
        assert!(faults.is_empty());
        named("| promise | test |\n| c | none |\n", &mut faults);
        assert_eq!(faults.len(), 2, "{faults:?}");
    }

    #[test]
    fn every_test_that_the_page_names_is_there() {
        // Tests run in the folder of their crate.
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        assert_eq!(check_in(&root), Ok(()));
    }
}
