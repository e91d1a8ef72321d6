//! The manual's tables of settings are made from the registry of learners, and that of measures of
//! quality from the list of them.
//!
//! A region begins with `<!-- settings: NAME -->` and ends with `<!-- end -->`; between them stands
//! the table of the learner's settings. `<!-- settings: NAME beside OTHER -->` leaves out what the
//! other learner has likewise; `<!-- settings of all -->` is the table of those that every learner
//! has besides, and `<!-- measures -->` that of measures. `KINWOOD_UPDATE_GOLDEN=1`
//! (`cargo xtask golden`) writes the regions.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use kinwood::evaluation::measures::{BUILTIN, Direction};
use kinwood::learners::{Entry, Parameter, Registry, adjust};

const BEGIN: &str = "<!-- settings: ";
const OF_ALL: &str = "<!-- settings of all -->";
const MEASURES: &str = "<!-- measures -->";
const END: &str = "<!-- end -->";

fn pages() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let files = std::fs::read_dir(folder).unwrap();
    let mut pages: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    pages.retain(|path| path.extension().is_some_and(|ending| ending == "md"));
    pages.sort();
    pages
}

fn learner<'a>(registry: &'a Registry, name: &str, page: &Path) -> &'a Entry {
    let found = registry.find(name);
    found.unwrap_or_else(|error| panic!("{}: `{BEGIN}{name} -->`: {error}", page.display()))
}

fn code(text: &str) -> String {
    match text {
        "" => String::new(),
        text => format!("`{text}`"),
    }
}

/// A table with a line for each setting.
fn lines<'a>(parameters: impl Iterator<Item = &'a Parameter>) -> String {
    let cell = |text: &str| text.replace('|', "\\|");
    let mut lines = String::from("| setting | default | values | |\n| --- | --- | --- | --- |\n");
    for parameter in parameters {
        let values = match parameter.allowed.to_string().as_str() {
            "text" => String::new(),
            values => cell(values),
        };
        lines += &format!(
            "| `{}` | {} | {values} | {} |\n",
            parameter.name,
            code(parameter.default),
            cell(parameter.doc)
        );
    }
    lines
}

/// The table of the settings of a learner, those left out that another one has likewise.
fn table(entry: &Entry, beside: Option<&Entry>) -> String {
    let others = beside.map_or(&[][..], |other| other.parameters);
    let same = |one: &Parameter| {
        let other = others.iter().find(|other| other.name == one.name);
        other.is_some_and(|other| other == one)
    };
    let mut lines = lines(entry.parameters.iter().filter(|one| !same(one)));
    if let Some(other) = beside {
        let has = |one: &&Parameter| entry.parameters.iter().any(|own| own.name == one.name);
        let lacking: Vec<String> = others
            .iter()
            .filter(|one| !has(one))
            .map(|one| code(one.name))
            .collect();
        let but = match lacking.as_slice() {
            [] => String::new(),
            lacking => format!(", but not {}", lacking.join(", ")),
        };
        lines += &format!("| all others | | | those of `{}`{but} |\n", other.name);
    }
    lines
}

/// The table of measures of quality.
fn measures() -> String {
    let mut lines = String::from("| measure | of | better | |\n| --- | --- | --- | --- |\n");
    for measure in BUILTIN {
        let entry = measure.description();
        let better = match entry.direction {
            Direction::HigherIsBetter => "higher",
            Direction::LowerIsBetter => "lower",
        };
        lines += &format!(
            "| `{measure}` | {} | {better} | {} |\n",
            measure.target(),
            entry.doc
        );
    }
    lines
}

/// A page with its regions as they should be, and the learners that have one.
fn filled(page: &str, path: &Path, registry: &Registry) -> (String, Vec<String>) {
    let (mut text, mut named, mut inside) = (String::new(), Vec::new(), false);
    for line in page.lines() {
        if inside && line != END {
            continue;
        }
        inside = false;
        text += &format!("{line}\n");
        if line == MEASURES {
            text += &measures();
            inside = true;
        }
        if line == OF_ALL {
            text += &lines(adjust::PARAMETERS.iter());
            inside = true;
        }
        let Some(words) = line
            .strip_prefix(BEGIN)
            .and_then(|l| l.strip_suffix(" -->"))
        else {
            continue;
        };
        let (name, beside) = match words.split_once(" beside ") {
            Some((name, beside)) => (name, Some(learner(registry, beside, path))),
            None => (words, None),
        };
        text += &table(learner(registry, name, path), beside);
        named.push(name.to_owned());
        inside = true;
    }
    assert!(!inside, "{}: a region without `{END}`", path.display());
    (text, named)
}

#[test]
fn the_tables_of_settings_are_those_of_the_registry() {
    let registry = Registry::new();
    let mut named: Vec<String> = Vec::new();
    for path in pages() {
        let page = std::fs::read_to_string(&path).unwrap();
        let (now, learners) = filled(&page, &path, &registry);
        named.extend(learners);
        if now == page {
            continue;
        }
        match std::env::var_os("KINWOOD_UPDATE_GOLDEN").is_some() {
            true => std::fs::write(&path, now).unwrap(),
            false => panic!(
                "the tables of settings in {} are not those of the registry: `cargo xtask golden` writes them",
                path.display()
            ),
        }
    }
    let once: BTreeSet<&String> = named.iter().collect();
    assert_eq!(
        once.len(),
        named.len(),
        "a learner has two tables: {named:?}"
    );
    let has_settings = |entry: &&Entry| !entry.parameters.is_empty();
    for entry in registry.entries().iter().filter(has_settings) {
        assert!(
            once.contains(&entry.name.to_owned()),
            "the manual has no table of the settings of `{0}`: put the lines `{BEGIN}{0} -->` and `{END}` where it belongs in \
             docs/learners.md, and run `cargo xtask golden`",
            entry.name
        );
    }
}
