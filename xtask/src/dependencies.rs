//! What the workspace depends on: licences, versions, and the oldest Rust that all of it builds
//! with.
//!
//! All of it is read from `cargo metadata`, so that it needs no network.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::{line, metadata, told};

/// Licences that ask for no more than to be named.
const LICENCES: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Crates that others need in several versions, which only they can change.
const SEVERAL: &[&str] = &[
    "base64",
    "equator",
    "equator-macro",
    "fallible-iterator",
    "getrandom",
    "syn",
    "unicode-width",
];

/// A package that is part of a build on this machine.
#[derive(Debug, Clone)]
struct Package {
    name: String,
    version: String,
    licence: Option<String>,
    rust: Option<String>,
    /// Whether it is one of the workspace's own.
    own: bool,
}

/// Fails on a licence that is not allowed and on a crate in several versions that is not expected.
pub(crate) fn check() -> Result<(), String> {
    told(faults(&packages()?, SEVERAL))
}

/// Fails on a dependency that needs a newer Rust than the workspace promises, which is returned.
pub(crate) fn oldest_rust() -> Result<String, String> {
    let packages = packages()?;
    let promised: BTreeSet<&String> = packages
        .iter()
        .filter(|package| package.own)
        .filter_map(|package| package.rust.as_ref())
        .collect();
    let [promised] = Vec::from_iter(promised)[..] else {
        return Err("all crates of the workspace state the same `rust-version`".to_owned());
    };
    told(too_new(&packages, promised))?;
    Ok(promised.clone())
}

/// All packages that take part in a build on this machine.
fn packages() -> Result<Vec<Package>, String> {
    let mut rustc = std::process::Command::new("rustc");
    rustc.arg("-vV");
    let output = rustc
        .output()
        .map_err(|error| format!("cannot run {}: {error}", line(&rustc)))?;
    let output = String::from_utf8_lossy(&output.stdout).into_owned();
    let host = output.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.ok_or("`rustc -vV` does not name its host")?;
    Ok(read(&metadata(&["--locked", "--filter-platform", host])?))
}

fn read(metadata: &Value) -> Vec<Package> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let used: BTreeSet<String> = list(&metadata["resolve"]["nodes"])
        .iter()
        .filter_map(|node| text(&node["id"]))
        .collect();
    let packages = list(&metadata["packages"]).into_iter();
    let packages =
        packages.filter(|package| text(&package["id"]).is_some_and(|id| used.contains(&id)));
    let package = |package: Value| Package {
        name: text(&package["name"]).unwrap_or_default(),
        version: text(&package["version"]).unwrap_or_default(),
        licence: text(&package["license"]),
        rust: text(&package["rust_version"]),
        own: package["source"].is_null(),
    };
    packages.map(package).collect()
}

fn faults(packages: &[Package], several: &[&str]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for package in packages {
        let Package { name, version, .. } = package;
        versions.entry(name).or_default().push(version);
        match &package.licence {
            Some(licence) if allowed(licence) => {}
            Some(licence) => faults.push(format!(
                "`{name}` {version} has the licence `{licence}`, which is not on the list in \
                 xtask/src/dependencies.rs"
            )),
            None => faults.push(format!("`{name}` {version} names no licence")),
        }
    }
    for (name, versions) in &versions {
        let expected = several.contains(name);
        if versions.len() > 1 && !expected {
            let versions = versions.join(", ");
            faults.push(format!(
                "`{name}` is built in several versions: {versions}; `cargo tree --invert {name}` \
                 shows for whom"
            ));
        }
    }
    let stale = several.iter().filter(|name| {
        versions
            .get(*name)
            .is_none_or(|versions| versions.len() < 2)
    });
    faults.extend(stale.map(|name| {
        format!(
            "`{name}` is built in one version: take it off SEVERAL in xtask/src/dependencies.rs"
        )
    }));
    faults
}

/// Whether an expression of licences can be met by those on the list.
fn allowed(expression: &str) -> bool {
    let spaced = expression
        .replace('(', " ( ")
        .replace(')', " ) ")
        .replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut at = 0;
    let met = any(&words, &mut at);
    met && at == words.len()
}

/// Alternatives: `A OR B`, of which `AND` binds more strongly.
fn any(words: &[&str], at: &mut usize) -> bool {
    let mut met = all(words, at);
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        met |= all(words, at);
    }
    met
}

fn all(words: &[&str], at: &mut usize) -> bool {
    let mut met = one(words, at);
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        met &= one(words, at);
    }
    met
}

fn one(words: &[&str], at: &mut usize) -> bool {
    let word = words.get(*at);
    // Past the end where a licence is missing, so that the whole is not read to its end.
    *at += 1;
    let Some(word) = word else {
        return false;
    };
    if *word == "(" {
        let met = any(words, at);
        let closed = words.get(*at) == Some(&")");
        *at += 1;
        return met && closed;
    }
    let mut licence = (*word).to_owned();
    if words.get(*at) == Some(&"WITH") {
        let exception = words.get(*at + 1).copied().unwrap_or_default();
        licence = format!("{licence} WITH {exception}");
        *at += 2;
    }
    LICENCES.contains(&licence.as_str())
}

fn too_new(packages: &[Package], promised: &str) -> Vec<String> {
    let newer = |package: &&Package| {
        let needed = package.rust.as_deref();
        needed.is_some_and(|needed| numbers(needed) > numbers(promised))
    };
    let message = |package: &Package| {
        let Package { name, version, .. } = package;
        let needed = package.rust.as_deref().unwrap_or_default();
        format!("`{name}` {version} needs Rust {needed}; the workspace promises {promised}")
    };
    packages.iter().filter(newer).map(message).collect()
}

/// `1.89` as numbers, of which `1.89.0` has no more.
fn numbers(version: &str) -> [u32; 3] {
    let mut numbers = [0; 3];
    for (number, part) in numbers.iter_mut().zip(version.split('.')) {
        *number = part.parse().unwrap_or(0);
    }
    numbers
}

/// Whether rustup has a toolchain of this version here.
pub(crate) fn installed(version: &str) -> bool {
    let listed = std::process::Command::new("rustup")
        .args(["toolchain", "list"])
        .output();
    listed.is_ok_and(|output| {
        let listed = String::from_utf8_lossy(&output.stdout).into_owned();
        listed.lines().any(|line| {
            let rest = line.strip_prefix(version);
            rest.is_some_and(|rest| rest.starts_with(['-', '.']))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, version: &str, licence: &str, rust: Option<&str>) -> Package {
        Package {
            name: name.to_owned(),
            version: version.to_owned(),
            licence: Some(licence.to_owned()),
            rust: rust.map(str::to_owned),
            own: false,
        }
    }

    #[test]
    fn the_workspace_keeps_the_rules() {
        assert_eq!(check(), Ok(()));
        assert!(oldest_rust().is_ok());
    }

    #[test]
    fn expressions_of_licences_are_read() {
        for good in [
            "MIT",
            "MIT/Apache-2.0",
            "GPL-3.0 OR MIT",
            "(MIT OR GPL-3.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception OR GPL-2.0",
        ] {
            assert!(allowed(good), "{good}");
        }
        for bad in [
            "GPL-3.0",
            "MIT AND GPL-3.0",
            "MIT OR",
            "",
            "(MIT",
            "MIT MIT",
            "Apache-2.0 WITH Something",
        ] {
            assert!(!allowed(bad), "{bad}");
        }
    }

    #[test]
    fn licences_and_versions_are_judged() {
        let packages = [
            package("a", "1.0.0", "MIT", None),
            package("a", "2.0.0", "MIT", None),
            package("b", "1.0.0", "SSPL-1.0", None),
        ];
        let found = faults(&packages, &["c"]);
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found[0].contains("`b` 1.0.0 has the licence `SSPL-1.0`"));
        assert!(found[1].contains("`a` is built in several versions: 1.0.0, 2.0.0"));
        assert!(found[2].starts_with("`c` is built in one version"));
        assert_eq!(faults(&packages[..2], &["a"]), Vec::<String>::new());
    }

    #[test]
    fn a_dependency_that_is_too_new_is_named() {
        let packages = [
            package("old", "1.0.0", "MIT", Some("1.89.0")),
            package("new", "1.0.0", "MIT", Some("1.90")),
            package("silent", "1.0.0", "MIT", None),
        ];
        let found = too_new(&packages, "1.89");
        assert_eq!(
            found,
            ["`new` 1.0.0 needs Rust 1.90; the workspace promises 1.89"]
        );
    }
}
