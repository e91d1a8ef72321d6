//! The documents as a site: pages are gathered, the reference is written from the registries of the
//! program, links are checked, and mdBook makes HTML of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::{cargo, execute, line, target, told};

/// The program that makes the site. It is no dependency: only who wants the site installs it.
const MDBOOK: (&str, &str) = ("mdbook", "0.5.4");

/// A page of the site: its title, its file, where its text is from, and whether it belongs to the
/// page before it.
struct Page {
    title: &'static str,
    file: &'static str,
    source: &'static str,
    inner: bool,
}

const fn page(title: &'static str, file: &'static str, source: &'static str) -> Page {
    Page {
        title,
        file,
        source,
        inner: false,
    }
}

const fn inner(title: &'static str, file: &'static str, source: &'static str) -> Page {
    Page {
        inner: true,
        ..page(title, file, source)
    }
}

/// The parts of the site with their pages, in the order of reading.
const PARTS: &[(&str, &[Page])] = &[
    (
        "First",
        &[
            page("Start here", "start.md", "docs/start.md"),
            page(
                "Which learner?",
                "which-learner.md",
                "docs/which-learner.md",
            ),
            page("Tutorials", "tutorials.md", "docs/tutorials.md"),
            inner(
                "A database",
                "tutorials/database.md",
                "docs/tutorials/database.md",
            ),
            inner(
                "Molecules",
                "tutorials/molecules.md",
                "docs/tutorials/molecules.md",
            ),
            inner(
                "Sets and texts",
                "tutorials/sets-and-texts.md",
                "docs/tutorials/sets-and-texts.md",
            ),
            inner(
                "Sequences",
                "tutorials/sequences.md",
                "docs/tutorials/sequences.md",
            ),
            inner("Bags", "tutorials/bags.md", "docs/tutorials/bags.md"),
            inner("Time", "tutorials/time.md", "docs/tutorials/time.md"),
            inner(
                "Queries",
                "tutorials/queries.md",
                "docs/tutorials/queries.md",
            ),
            inner(
                "A distance of your own",
                "tutorials/own-distance.md",
                "docs/tutorials/own-distance.md",
            ),
            page("Cookbook", "cookbook.md", "docs/cookbook.md"),
            page("Cheat sheet", "cheat-sheet.md", "docs/cheat-sheet.md"),
            page("Gallery", "gallery.md", "docs/gallery.md"),
        ],
    ),
    (
        "Using it",
        &[
            page("The command", "command.md", "docs/command.md"),
            page("Data", "data.md", "docs/data.md"),
            page("Databases over time", "time.md", "docs/time.md"),
            page("Queries", "queries.md", "docs/queries.md"),
            page(
                "Distances and kernels",
                "similarity.md",
                "docs/similarity.md",
            ),
            page("Python", "python.md", "docs/python.md"),
            page("JSON for programs", "json.md", "docs/json.md"),
            page("Model files", "model-format.md", "docs/model-format.md"),
        ],
    ),
    (
        "How it works",
        &[
            page(
                "Trees of prototypes",
                "how/prototypes.md",
                "docs/how/prototypes.md",
            ),
            page(
                "K*: similarity in bits",
                "how/kstar.md",
                "docs/how/kstar.md",
            ),
            page(
                "Beam search for trees",
                "how/beam-search.md",
                "docs/how/beam-search.md",
            ),
            page(
                "Model trees over foreign keys",
                "how/relational-trees.md",
                "docs/how/relational-trees.md",
            ),
            page(
                "The four-layer distance",
                "how/four-layer.md",
                "docs/how/four-layer.md",
            ),
        ],
    ),
    (
        "Figures and promises",
        &[
            page("Benchmarks", "benchmarks.md", "docs/benchmarks.md"),
            page(
                "Published tables",
                "reproduction.md",
                "docs/reproduction.md",
            ),
            page("Reliability", "reliability.md", "docs/reliability.md"),
        ],
    ),
    (
        "The project",
        &[
            page("How it is built", "ARCHITECTURE.md", "ARCHITECTURE.md"),
            page("Contributing", "CONTRIBUTING.md", "CONTRIBUTING.md"),
            page("Security", "SECURITY.md", "SECURITY.md"),
            page("Changes", "CHANGELOG.md", "CHANGELOG.md"),
        ],
    ),
];

/// Makes the site and says where it is.
pub(crate) fn make() -> Result<(), String> {
    let folder = target().join("book");
    let source = folder.join("src");
    if source.exists() {
        fs::remove_dir_all(&source).map_err(|error| error.to_string())?;
    }
    let mut summary = "# Summary\n\n[Kinwood](index.md)\n".to_owned();
    write(&source.join("index.md"), &linked("README.md", "index.md")?)?;
    for (part, pages) in PARTS {
        summary += &format!("\n# {part}\n\n");
        for page in *pages {
            write(&source.join(page.file), &linked(page.source, page.file)?)?;
            let indent = if page.inner { "  " } else { "" };
            summary += &format!("{indent}- [{}]({})\n", page.title, page.file);
        }
        if *part == "Using it" {
            summary += &reference(&source)?;
            summary += &package(&source)?;
            summary += &methods(&source)?;
        }
    }
    write(&source.join("SUMMARY.md"), &summary)?;
    for kept in ["docs/pictures", "docs/schemas", "crates/python/notebooks"] {
        copy(Path::new(kept), &source.join(site_path(kept)))?;
    }
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        fs::copy(licence, source.join(licence)).map_err(|error| format!("{licence}: {error}"))?;
    }
    told(broken_links(&source)?)?;
    write(&folder.join("book.toml"), BOOK)?;
    execute(Command::new(mdbook()?).arg("build").arg(&folder))?;
    println!("wrote {}", folder.join("html").join("index.html").display());
    Ok(())
}

const BOOK: &str = "[book]\ntitle = \"Kinwood\"\nlanguage = \"en\"\nsrc = \"src\"\n\n[build]\nbuild-dir = \"html\"\n\n[output.html]\nno-section-label = true\n";

/// The reference: a page of all learners and one of all distances and kernels, as the program knows
/// them.
fn reference(source: &Path) -> Result<String, String> {
    let mut learners = "# All learners and their settings\n".to_owned();
    for one in list(&asked(&["learners"])?, "learners") {
        let targets: Vec<&str> = list(one, "targets")
            .iter()
            .filter_map(Value::as_str)
            .collect();
        learners += &format!(
            "\n## {}\n\n{}\n\nTargets: {}. Reference: {}.\n",
            text(one, "name"),
            text(one, "summary"),
            targets.join(", "),
            text(one, "reference")
        );
        learners += &settings(one);
    }
    write(&source.join("reference-learners.md"), &learners)?;
    let mut measures = "# All distances and kernels\n".to_owned();
    for one in list(&asked(&["distances"])?, "measures") {
        measures += &format!(
            "\n## {}\n\n{} A {} of {}; {}; {}. Reference: {}.\n",
            text(one, "name"),
            text(one, "summary"),
            text(one, "kind"),
            text(one, "values"),
            text(one, "laws"),
            text(one, "cost"),
            text(one, "reference")
        );
        measures += &settings(one);
    }
    write(&source.join("reference-distances.md"), &measures)?;
    Ok(
        "- [All learners](reference-learners.md)\n- [All distances](reference-distances.md)\n"
            .to_owned(),
    )
}

/// The reference of the Python package, from its sources.
fn package(source: &Path) -> Result<String, String> {
    let page = "reference-python.md";
    execute(
        Command::new("python3")
            .arg("crates/python/reference.py")
            .arg(source.join(page)),
    )?;
    Ok(format!("- [All of the Python package]({page})\n"))
}

fn settings(one: &Value) -> String {
    let settings = list(one, "settings");
    if settings.is_empty() {
        return String::new();
    }
    let cell = |text: &str| text.replace('|', "\\|").replace('<', "&lt;");
    let rows = settings.iter().map(|setting| {
        format!(
            "| `{}` | {} | {} | {} |\n",
            text(setting, "name"),
            cell(text(setting, "default")),
            cell(text(setting, "allowed")),
            cell(text(setting, "doc"))
        )
    });
    let rows: String = rows.collect();
    format!("\n| setting | default | allowed | meaning |\n| --- | --- | --- | --- |\n{rows}")
}

/// The page of learners whole, and each of its parts as a page of its own.
fn methods(source: &Path) -> Result<String, String> {
    let whole = linked("docs/learners.md", "learners.md")?;
    write(&source.join("learners.md"), &whole)?;
    let mut summary = "- [What the learners compute](learners.md)\n".to_owned();
    for part in whole.split("\n## ").skip(1) {
        let title = part.lines().next().unwrap_or_default();
        let name: String = title
            .to_lowercase()
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
            .collect();
        let file = format!("learner-{name}.md");
        // Places of the whole page are not on this one.
        let text = format!("# {part}").replace("](#", "](learners.md#");
        write(&source.join(&file), &text)?;
        summary += &format!("  - [{title}]({file})\n");
    }
    Ok(summary)
}

/// A document as it is in the site: its links lead to where the site has what they name.
fn linked(document: &str, file: &str) -> Result<String, String> {
    Ok(with_links(&read(document)?, document, file))
}

fn with_links(text: &str, document: &str, file: &str) -> String {
    let up = "../".repeat(file.matches('/').count());
    let folder = document.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut linked = String::new();
    let mut parts = text.split("](");
    linked += parts.next().unwrap_or_default();
    for part in parts {
        linked += "](";
        match part.split_once(')') {
            Some((link, rest)) if !link.contains("://") && !link.contains([' ', '`']) => {
                let (path, place) = link.split_at(link.find('#').unwrap_or(link.len()));
                if !path.is_empty() {
                    linked += &up;
                    linked += &site_path(&repository_path(folder, path));
                }
                linked += &format!("{place}){rest}");
            }
            _ => linked += part,
        }
    }
    linked
}

/// The path in the repository of what a link in a folder names.
fn repository_path(folder: &str, link: &str) -> String {
    let mut path: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in link.split('/') {
        match part {
            ".." => drop(path.pop()),
            "." | "" => {}
            _ => path.push(part),
        }
    }
    path.join("/")
}

/// Where the site has a file of the repository.
fn site_path(path: &str) -> String {
    match path {
        "README.md" => "index.md".to_owned(),
        _ => path
            .trim_start_matches("docs/")
            .replace("crates/python/notebooks", "notebooks"),
    }
}

/// Links that lead to no file of the site.
fn broken_links(source: &Path) -> Result<Vec<String>, String> {
    let mut faults = Vec::new();
    let mut folders = vec![source.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(|error| error.to_string())? {
            let path = entry.map_err(|error| error.to_string())?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                let text = fs::read_to_string(&path).map_err(|error| error.to_string())?;
                let name = path.strip_prefix(source).unwrap_or(&path);
                let broken = broken_in(&text, &folder, source);
                let broken = broken.into_iter();
                faults.extend(
                    broken.map(|link| format!("{}: `{link}` leads nowhere", name.display())),
                );
            }
        }
    }
    faults.sort();
    Ok(faults)
}

/// Those of a page in a folder of the site: the file is not there, or the page has no such heading.
fn broken_in(text: &str, folder: &Path, source: &Path) -> Vec<String> {
    let mut broken = Vec::new();
    for part in text.split("](").skip(1) {
        let link = part.split(')').next().unwrap_or_default();
        if link.contains("://") || link.contains([' ', '`', '|']) {
            continue;
        }
        let (file, place) = link.split_once('#').unwrap_or((link, ""));
        // The code is no part of the site.
        let plain = file.trim_start_matches("../");
        let code = ["crates/", "studies/", "benches", "fuzz"];
        if code.iter().any(|folder| plain.starts_with(folder)) {
            continue;
        }
        let path = folder.join(file);
        let page = match file.is_empty() {
            true => Some(text.to_owned()),
            false => fs::read_to_string(&path).ok(),
        };
        let there = file.is_empty() || path.exists();
        let headed = place.is_empty() || page.is_none_or(|page| has_heading(&page, place));
        if !there || !headed || !path.starts_with(source) {
            broken.push(link.to_owned());
        }
    }
    broken
}

/// Whether a page has a heading that a link calls so.
fn has_heading(page: &str, place: &str) -> bool {
    let headings = page.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|line| line.trim_start_matches('#').trim().to_lowercase())
        .any(|heading| {
            let kept = heading
                .chars()
                .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
            kept.map(|c| if c == ' ' { '-' } else { c })
                .eq(place.chars())
        })
}

/// mdBook: the one on the path, the one installed before, or one that is installed now.
fn mdbook() -> Result<PathBuf, String> {
    let (name, version) = MDBOOK;
    let answers = |program: &Path| {
        let mut asked = Command::new(program);
        let answer = asked.arg("--version").stdout(Stdio::null()).status();
        answer.is_ok_and(|status| status.success())
    };
    let root = target().join("tools");
    let own = root.join("bin").join(name);
    if let Some(there) = [PathBuf::from(name), own.clone()]
        .into_iter()
        .find(|p| answers(p))
    {
        return Ok(there);
    }
    execute(
        cargo()
            .args(["install", name, "--version", version, "--locked"])
            .args(["--no-default-features", "--features", "search", "--root"])
            .arg(&root)
            .env_remove("CARGO_TARGET_DIR"),
    )?;
    Ok(own)
}

/// What the program answers in JSON.
fn asked(words: &[&str]) -> Result<Value, String> {
    let mut command = cargo();
    command
        .args(["run", "--quiet", "--package", "kinwood-cli", "--"])
        .args(words)
        .arg("--json");
    let output = command.output();
    let output = output.map_err(|error| format!("cannot run {}: {error}", line(&command)))?;
    serde_json::from_slice(&output.stdout).map_err(|error| {
        let reason = String::from_utf8_lossy(&output.stderr);
        format!("{}: {error}\n{reason}", line(&command))
    })
}

fn list<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value[name]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default()
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or("none")
}

fn read(path: &str) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    let failed = |error| format!("{}: {error}", path.display());
    fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).map_err(failed)?;
    fs::write(path, text).map_err(failed)
}

/// Copies the files of a folder.
fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", from.display());
    fs::create_dir_all(to).map_err(failed)?;
    for entry in fs::read_dir(from).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if let Some(name) = path.file_name().filter(|_| path.is_file()) {
            fs::copy(&path, to.join(name)).map_err(failed)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_where_the_site_has_the_file() {
        let text = "see [a](docs/a.md#b), [c](#d), [r](README.md) and [w](https://x.y/docs/z)";
        assert_eq!(
            with_links(text, "README.md", "index.md"),
            "see [a](a.md#b), [c](#d), [r](index.md) and [w](https://x.y/docs/z)"
        );
        let text =
            "[up](../../README.md) ![p](../pictures/p.svg) [n](../../crates/python/notebooks)";
        assert_eq!(
            with_links(text, "docs/tutorials/t.md", "tutorials/t.md"),
            "[up](../index.md) ![p](../pictures/p.svg) [n](../notebooks)"
        );
    }

    #[test]
    fn headings_are_found_by_their_places() {
        let page = "# K*: similarity in bits\n\n## What is the papers'\n";
        assert!(has_heading(page, "k-similarity-in-bits"));
        assert!(has_heading(page, "what-is-the-papers"));
        assert!(!has_heading(page, "what-is-ours"));
    }
}
