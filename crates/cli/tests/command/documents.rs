//! Every code block of every document is run: `sh` and `console` blocks here, in the order in which
//! they stand and in a folder of their own for each page. `KINWOOD_UPDATE_GOLDEN=1` writes what
//! console blocks print now.

use std::path::Path;

use crate::held_out::{parted, write_shop};
use crate::manual::document;
use crate::sandbox::Sandbox;

macro_rules! pages {
    ($($test:ident: $page:literal,)*) => {
        /// Pages whose commands are run, each by a test.
        const RUN: &[&str] = &[$($page),*];
        $(
            #[test]
            fn $test() {
                perform($page);
            }
        )*
    };
}

pages! {
    the_readme_runs: "README.md",
    the_start_runs: "docs/start.md",
    the_cookbook_runs: "docs/cookbook.md",
    the_cheat_sheet_runs: "docs/cheat-sheet.md",
    the_page_of_verbs_runs: "docs/command.md",
    the_page_of_learners_runs: "docs/learners.md",
    the_tutorial_of_databases_runs: "docs/tutorials/database.md",
    the_tutorial_of_sets_and_texts_runs: "docs/tutorials/sets-and-texts.md",
    the_tutorial_of_sequences_runs: "docs/tutorials/sequences.md",
    the_tutorial_of_molecules_runs: "docs/tutorials/molecules.md",
    the_tutorial_of_bags_runs: "docs/tutorials/bags.md",
    the_tutorial_of_time_runs: "docs/tutorials/time.md",
    the_tutorial_of_queries_runs: "docs/tutorials/queries.md",
    the_tutorial_of_own_distances_runs: "docs/tutorials/own-distance.md",
    how_prototypes_work_runs: "docs/how/prototypes.md",
    how_kstar_works_runs: "docs/how/kstar.md",
    how_beams_work_runs: "docs/how/beam-search.md",
    how_relational_trees_work_runs: "docs/how/relational-trees.md",
    how_four_layers_work_runs: "docs/how/four-layer.md",
}

/// Pages of figures: their commands take hours or data that is not here. A unit test of the command
/// line parses them.
const MEASURED: [&str; 2] = ["docs/benchmarks.md", "docs/reproduction.md"];

/// Pages whose blocks other tests run: `manual.rs`, `queries.rs`, those of the Python package.
const ELSEWHERE: [(&str, &[&str]); 6] = [
    ("docs/time.md", &["sh"]),
    ("docs/queries.md", &["sh", "sql", "python"]),
    ("docs/python.md", &["sh", "python"]),
    ("docs/tutorials/own-distance.md", &["python"]),
    ("crates/python/README.md", &["sh", "python"]),
    ("README.md", &["pycon", "rust,no_run"]),
];

/// Programs of others in blocks of commands: they install or build, and are not run here.
const OTHERS: [&str; 8] = [
    "cargo ", "pip ", "python ", "python3 ", "maturin ", "pytest ", "ruff ", "docker ",
];

/// The documents by their paths in the repository.
pub fn documents() -> Vec<String> {
    let mut pages = vec![
        "README.md".to_owned(),
        "ARCHITECTURE.md".to_owned(),
        "CONTRIBUTING.md".to_owned(),
        "crates/python/README.md".to_owned(),
    ];
    gather("docs", &mut pages);
    pages.sort();
    pages
}

fn gather(folder: &str, pages: &mut Vec<String>) {
    for entry in std::fs::read_dir(document(folder)).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{folder}/{}", entry.file_name().into_string().unwrap());
        if entry.file_type().unwrap().is_dir() {
            gather(&name, pages);
        } else if Path::new(&name)
            .extension()
            .is_some_and(|ending| ending == "md")
        {
            pages.push(name);
        }
    }
}

/// Runs the commands of a page and holds what it prints to what they print.
fn perform(name: &str) {
    let path = document(name);
    let page = std::fs::read_to_string(&path).unwrap();
    let now = performed(name, &page);
    if std::env::var_os("KINWOOD_UPDATE_GOLDEN").is_some() {
        std::fs::write(path, now).unwrap();
    } else {
        assert_eq!(page, now, "`cargo xtask golden` rewrites {name}");
    }
}

/// The page with each `$ …` of a console block followed by what it prints now.
fn performed(name: &str, page: &str) -> String {
    let sandbox = Sandbox::with_weather();
    if name == "docs/command.md" {
        sandbox.write(
            "days.csv",
            "outlook,temperature,windy\nsunny,71,true\novercast,66,false\n",
        );
        sandbox.write("parted.csv", parted());
        write_shop(&sandbox);
    }
    let (mut text, mut language) = (String::new(), None);
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(fence) = line.strip_prefix("```") {
            language = (language.is_none() && !fence.is_empty()).then_some(fence);
            text += &format!("{line}\n");
            continue;
        }
        let command = match language {
            Some("console") => line.strip_prefix("$ "),
            Some("sh") => Some(line).filter(|line| !line.is_empty() && !line.starts_with('#')),
            _ => None,
        };
        if language != Some("console") || command.is_some() {
            text += &format!("{line}\n");
        }
        let Some(command) = command else {
            continue;
        };
        if let Some(file) = command.strip_prefix("cat > ") {
            let file = file.strip_suffix(" <<'END'").expect(command);
            let written: Vec<&str> = lines.by_ref().take_while(|line| *line != "END").collect();
            sandbox.write(file, written.join("\n") + "\n");
            text += &(written.join("\n") + "\nEND\n");
            continue;
        }
        let told = run(&sandbox, command, language == Some("sh"), name);
        if language == Some("console") {
            text += &told;
        }
    }
    text
}

/// What a command prints; with `notes` it may print notes besides.
fn run(sandbox: &Sandbox, command: &str, notes: bool, page: &str) -> String {
    let command = command.split(" # ").next().unwrap_or(command).trim();
    if let Some(file) = command.strip_prefix("rm ") {
        std::fs::remove_file(sandbox.path(file)).expect(command);
        return String::new();
    }
    if OTHERS.iter().any(|other| command.starts_with(other)) {
        assert!(
            notes,
            "{page}: a console block shows `{command}`, which is not run"
        );
        return String::new();
    }
    if let Some(words) = command.strip_prefix("sqlite3 ") {
        let (file, query) = words.split_once(' ').expect(command);
        return rows(sandbox, file, query.trim_matches('"'));
    }
    let words = command.strip_prefix("kinwood ");
    let words = words.unwrap_or_else(|| panic!("{page}: `{command}` is not run"));
    let (words, piped) = match words.split_once(" | sqlite3 ") {
        Some((words, file)) => (words, Some(file)),
        None => (words, None),
    };
    let ended = sandbox.run(words);
    assert_eq!(ended.code, 0, "{page}: kinwood {words}\n{}", ended.err);
    assert!(
        notes || ended.err.is_empty(),
        "{page}: kinwood {words}\n{}",
        ended.err
    );
    if let Some(file) = piped {
        created(sandbox, file, &ended.out);
        return String::new();
    }
    timeless(&ended.out)
}

#[cfg(feature = "sqlite")]
fn created(sandbox: &Sandbox, file: &str, statements: &str) {
    let connection = rusqlite::Connection::open(sandbox.path(file)).unwrap();
    connection.execute_batch(statements).unwrap();
}

/// The rows of a query as the program of SQLite prints them.
#[cfg(feature = "sqlite")]
fn rows(sandbox: &Sandbox, file: &str, query: &str) -> String {
    use rusqlite::types::ValueRef;
    let connection = rusqlite::Connection::open(sandbox.path(file)).unwrap();
    let mut statement = connection.prepare(query).unwrap();
    let columns = statement.column_count();
    let mut rows = statement.query([]).unwrap();
    let mut text = String::new();
    while let Some(row) = rows.next().unwrap() {
        let cells = (0..columns).map(|place| match row.get_ref(place).unwrap() {
            ValueRef::Null => String::new(),
            ValueRef::Integer(number) => number.to_string(),
            ValueRef::Real(number) => number.to_string(),
            ValueRef::Text(text) | ValueRef::Blob(text) => {
                String::from_utf8_lossy(text).into_owned()
            }
        });
        text += &(cells.collect::<Vec<_>>().join("|") + "\n");
    }
    text
}

#[cfg(not(feature = "sqlite"))]
fn created(_: &Sandbox, _: &str, _: &str) {}

#[cfg(not(feature = "sqlite"))]
fn rows(_: &Sandbox, _: &str, _: &str) -> String {
    String::new()
}

/// The time taken, which is never the same, is shown as none.
fn timeless(out: &str) -> String {
    let line = |line: &str| match line.rsplit_once(" in ") {
        Some((before, time)) if time.ends_with(" s") => format!("{before} in 0.00 s\n"),
        _ => format!("{line}\n"),
    };
    out.lines().map(line).collect()
}

/// The code blocks of a page, each with its language.
fn blocks(page: &str) -> Vec<(&str, String)> {
    let mut blocks: Vec<(&str, String)> = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        match (line.strip_prefix("```"), inside) {
            (Some(language), false) => {
                blocks.push((language, String::new()));
                inside = true;
            }
            (Some(_), true) => inside = false,
            (None, true) => blocks.last_mut().unwrap().1 += &format!("{line}\n"),
            (None, false) => {}
        }
    }
    blocks
}

#[test]
fn no_code_block_is_left_out() {
    for name in documents() {
        let page = std::fs::read_to_string(document(&name)).unwrap();
        let elsewhere = ELSEWHERE.iter().filter(|(page, _)| *page == name);
        let elsewhere: Vec<&str> = elsewhere
            .flat_map(|(_, languages)| *languages)
            .copied()
            .collect();
        for (language, code) in blocks(&page) {
            match language {
                // What a command printed, or a drawing.
                "text" => {}
                "toml" => drop(toml::from_str::<toml::Table>(&code).expect(&name)),
                "json" => drop(serde_json::from_str::<serde_json::Value>(&code).expect(&name)),
                "csv" => table_is_read(&code),
                // The page is the manual of a crate, whose examples its tests run.
                "rust" => assert_eq!(name, "docs/similarity.md"),
                "sh" | "console" if RUN.contains(&name.as_str()) => {}
                "sh" | "console" if MEASURED.contains(&name.as_str()) => {}
                "sh" if code.lines().all(of_others) => {}
                _ => assert!(
                    elsewhere.contains(&language),
                    "{name}: no test runs this block of `{language}`\n{code}"
                ),
            }
        }
    }
}

fn of_others(line: &str) -> bool {
    OTHERS.iter().any(|other| line.starts_with(other))
}

fn table_is_read(code: &str) {
    let sandbox = Sandbox::new();
    sandbox.write("table.csv", code);
    let out = sandbox.out("describe table.csv --type 'atoms=list<tuple<nominal, numeric>>'");
    assert!(out.contains("list<tuple<"), "{out}");
}

#[test]
fn python_pages_are_named_by_their_test() {
    let test = std::fs::read_to_string(document("crates/python/tests/test_notebooks.py")).unwrap();
    for (page, languages) in ELSEWHERE {
        let python = languages.iter().any(|language| language.starts_with("py"));
        let file = page.rsplit('/').next().unwrap();
        assert!(
            !python || test.contains(file),
            "test_notebooks.py does not name {page}"
        );
    }
}
