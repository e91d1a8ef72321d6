//! What the tests need from the machine, and how to get it.
//!
//! A need is one row of [`NEEDS`]. Missing ones are installed where that is allowed; otherwise the
//! tests are told which to skip, and the user exactly what was skipped. A test that depends on a
//! need returns early when the need's name is in the comma-separated `KINWOOD_SKIP`.

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::execute;

/// Something outside of cargo that tests need.
struct Need {
    /// What `KINWOOD_SKIP` calls it.
    name: &'static str,
    /// Whether the machine has it.
    present: fn() -> bool,
    /// The Debian packages that bring it.
    packages: &'static [&'static str],
    /// The tests that are skipped without it.
    tests: &'static str,
}

const NEEDS: &[Need] = &[
    Need {
        name: "cc",
        present: || on_path("cc"),
        packages: &["gcc", "libc6-dev"],
        tests: "tests that compile generated C code",
    },
    Need {
        name: "script",
        present: || on_path("script"),
        packages: &["bsdutils"],
        tests: "terminal tests of the command",
    },
    Need {
        name: "bash",
        present: || on_path("bash"),
        packages: &["bash"],
        tests: "shell completion tests of the command",
    },
    Need {
        name: "sqlite3",
        present: || on_path("sqlite3"),
        packages: &["sqlite3"],
        tests: "tests that load the extension of SQLite into its program",
    },
    Need {
        name: "postgresql",
        // Debian keeps the server's programs out of the search path, one folder a version.
        present: || (on_path("initdb") || debian_postgresql()) && on_path("openssl"),
        packages: &["postgresql", "openssl"],
        tests: "tests that read a PostgreSQL database",
    },
    Need {
        name: "python3",
        present: crate::python::present,
        packages: &["python3", "python3-venv"],
        tests: "tests of the Python package",
    },
];

/// Installs what is missing and returns the names of the needs that are still missing.
pub(crate) fn meet() -> Result<Vec<&'static str>, String> {
    let mut missing = missing(NEEDS);
    if missing.is_empty() {
        return Ok(Vec::new());
    }
    let obstacle = match install(&missing) {
        Ok(()) => "the package did not bring it".to_owned(),
        Err(reason) => reason,
    };
    missing.retain(|need| !(need.present)());
    let required = env::var("CI").is_ok_and(|value| value == "true");
    outcome(&missing, &obstacle, required)
}

fn missing(needs: &'static [Need]) -> Vec<&'static Need> {
    needs.iter().filter(|need| !(need.present)()).collect()
}

/// Reports what is still missing: as a failure where all tests are required, else as skips.
fn outcome(missing: &[&Need], obstacle: &str, required: bool) -> Result<Vec<&'static str>, String> {
    let lines: Vec<String> = missing
        .iter()
        .map(|need| {
            let Need {
                name,
                packages,
                tests,
                ..
            } = need;
            format!(
                "{tests}: need `{name}` (Debian: {}); {obstacle}",
                packages.join(" ")
            )
        })
        .collect();
    if required && !missing.is_empty() {
        return Err(format!(
            "tests would be skipped, and CI=true\n{}",
            lines.join("\n")
        ));
    }
    for line in lines {
        println!("skipped {line}");
    }
    Ok(missing.iter().map(|need| need.name).collect())
}

/// Installs the Debian packages of the needs, if this user may.
fn install(needs: &[&Need]) -> Result<(), String> {
    if !on_path("apt-get") {
        return Err("there is no apt-get to install it".to_owned());
    }
    let Some(prefix) = rights() else {
        return Err("installing it needs root or sudo without a password".to_owned());
    };
    let packages: Vec<&str> = needs
        .iter()
        .flat_map(|need| need.packages)
        .copied()
        .collect();
    println!("installing {}", packages.join(" "));
    let apt_get = |arguments: &[&str]| {
        let words: Vec<&str> = prefix
            .iter()
            .chain(&["apt-get"])
            .chain(arguments)
            .copied()
            .collect();
        execute(
            Command::new(words[0])
                .args(&words[1..])
                .env("DEBIAN_FRONTEND", "noninteractive"),
        )
    };
    apt_get(&["update"])?;
    let mut arguments = vec!["install", "-y", "--no-install-recommends"];
    arguments.extend(packages);
    apt_get(&arguments)
}

/// What to put before a command so that it runs as root; none without the right to.
fn rights() -> Option<&'static [&'static str]> {
    let quiet = |words: &[&str]| {
        Command::new(words[0])
            .args(&words[1..])
            .stdin(Stdio::null())
            .output()
            .ok()
    };
    if quiet(&["id", "-u"]).is_some_and(|output| output.stdout.trim_ascii() == b"0") {
        Some(&[])
    } else if quiet(&["sudo", "-n", "true"]).is_some_and(|output| output.status.success()) {
        Some(&["sudo", "-n"])
    } else {
        None
    }
}

/// Whether some version of the PostgreSQL server is where Debian keeps it.
fn debian_postgresql() -> bool {
    let versions = std::fs::read_dir("/usr/lib/postgresql");
    let mut versions = versions.into_iter().flatten().flatten();
    versions.any(|version| executable(&version.path().join("bin"), "initdb"))
}

/// Whether a program of this name is in a directory of the search path.
fn on_path(program: &str) -> bool {
    env::var_os("PATH").is_some_and(|path| {
        env::split_paths(&path).any(|directory| executable(&directory, program))
    })
}

fn executable(directory: &Path, program: &str) -> bool {
    let file = directory.join(program);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.metadata()
            .is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
    }
    #[cfg(not(unix))]
    {
        file.with_extension("exe").is_file()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABSENT: Need = Need {
        name: "absent",
        present: || false,
        packages: &["absent", "absent-data"],
        tests: "tests of absence",
    };
    const HERE: Need = Need {
        name: "here",
        present: || true,
        ..ABSENT
    };

    #[test]
    fn only_what_is_missing_is_missing() {
        const BOTH: &[Need] = &[HERE, ABSENT];
        let names: Vec<&str> = missing(BOTH).iter().map(|need| need.name).collect();
        assert_eq!(names, ["absent"]);
    }

    #[test]
    fn what_is_missing_is_skipped_by_name() {
        assert_eq!(outcome(&[&ABSENT], "no rights", false), Ok(vec!["absent"]));
        assert_eq!(outcome(&[], "", true), Ok(vec![]));
    }

    #[test]
    fn continuous_integration_skips_nothing() {
        let error = outcome(&[&ABSENT], "no rights", true).unwrap_err();
        assert!(
            error.ends_with(
                "tests of absence: need `absent` (Debian: absent absent-data); no rights"
            ),
            "{error}"
        );
    }

    #[test]
    fn programs_are_told_from_other_files() {
        let cargo = env::var_os("CARGO").expect("cargo sets this for the tests it runs");
        let directory = Path::new(&cargo)
            .parent()
            .expect("a program is in a directory");
        assert!(executable(directory, "cargo"));
        assert!(!executable(directory, "no-program-has-this-name"));
        assert!(!executable(
            Path::new(env!("CARGO_MANIFEST_DIR")),
            "Cargo.toml"
        ));
        assert!(!executable(Path::new(env!("CARGO_MANIFEST_DIR")), "src"));
    }

    #[test]
    fn names_are_unique_and_fit_into_the_list() {
        for (position, need) in NEEDS.iter().enumerate() {
            assert!(!need.name.contains(','), "{}", need.name);
            assert!(
                NEEDS[..position]
                    .iter()
                    .all(|earlier| earlier.name != need.name)
            );
        }
    }
}
