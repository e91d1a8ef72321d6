//! The documents as a site: pages are gathered, the reference is written from the registries of the
//! program, links are checked, and mdBook makes HTML of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::{cargo, execute, line, target, told};

/// The program that makes the site. It is no dependency: only who wants the site installs it.
const MDBOOK: (&str, &str) = ("mdbook", "0.5.4");

/// A page of the site: its title, its file and where its text is from.
struct Page {
    title: &'static str,
    file: &'static str,
    source: &'static str,
}

const fn page(title: &'static str, file: &'static str, source: &'static str) -> Page {
    Page {
        title,
        file,
        source,
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
    write(&source.join("index.md"), &flat(&read("README.md")?))?;
    for (part, pages) in PARTS {
        let there = pages.iter().filter(|page| Path::new(page.source).exists());
        summary += &format!("\n# {part}\n\n");
        for page in there {
            write(&source.join(page.file), &flat(&read(page.source)?))?;
            summary += &format!("- [{}]({})\n", page.title, page.file);
        }
        if *part == "Using it" {
            summary += &reference(&source)?;
            summary += &methods(&source)?;
        }
    }
    write(&source.join("SUMMARY.md"), &summary)?;
    for kept in ["docs/pictures", "docs/schemas", "crates/python/notebooks"] {
        copy(Path::new(kept), &source.join(flat_path(kept)))?;
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

/// How it works: the page of learners whole, and each of its parts as a page of its own.
fn methods(source: &Path) -> Result<String, String> {
    let whole = flat(&read("docs/learners.md")?);
    write(&source.join("learners.md"), &whole)?;
    let mut summary = "- [How the learners work](learners.md)\n".to_owned();
    for part in whole.split("\n## ").skip(1) {
        let title = part.lines().next().unwrap_or_default();
        let name: String = title
            .to_lowercase()
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
            .collect();
        let file = format!("how-{name}.md");
        // Places of the whole page are not on this one.
        let text = format!("# {part}").replace("](#", "](learners.md#");
        write(&source.join(&file), &text)?;
        summary += &format!("  - [{title}]({file})\n");
    }
    Ok(summary)
}

/// Links of documents as they are in the site, where all pages lie in one folder.
fn flat(text: &str) -> String {
    let mut flat = String::new();
    let mut parts = text.split("](");
    flat += parts.next().unwrap_or_default();
    for part in parts {
        flat += "](";
        match part.split_once(')') {
            Some((link, rest)) if !link.contains("://") && !link.contains(' ') => {
                flat += &format!("{})", flat_path(link));
                flat += rest;
            }
            _ => flat += part,
        }
    }
    flat
}

fn flat_path(link: &str) -> String {
    let link = link.trim_start_matches("../");
    let link = link.trim_start_matches("docs/");
    match link {
        "README.md" => "index.md".to_owned(),
        _ => link.replace("crates/python/", ""),
    }
}

/// Links that lead to no file of the site.
fn broken_links(source: &Path) -> Result<Vec<String>, String> {
    let mut faults = Vec::new();
    for entry in fs::read_dir(source).map_err(|error| error.to_string())? {
        let path = entry.map_err(|error| error.to_string())?.path();
        if path.extension().is_none_or(|ending| ending != "md") {
            continue;
        }
        let text = fs::read_to_string(&path).map_err(|error| error.to_string())?;
        for part in text.split("](").skip(1) {
            let link = part.split(')').next().unwrap_or_default();
            let file = link.split('#').next().unwrap_or_default();
            let outside = file.is_empty() || link.contains("://") || link.contains([' ', '`', '|']);
            // The code is no part of the site.
            let code = ["crates/", "studies/", "benches", "fuzz"].iter();
            let code = code.clone().any(|folder| file.starts_with(folder));
            if !outside && !code && !source.join(file).exists() {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                faults.push(format!("{name}: `{link}` leads nowhere"));
            }
        }
    }
    faults.sort();
    Ok(faults)
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
    fn links_are_those_of_one_folder() {
        assert_eq!(
            flat("see [a](docs/a.md#b), [r](../README.md) and [w](https://x.y/docs/z)"),
            "see [a](a.md#b), [r](index.md) and [w](https://x.y/docs/z)"
        );
        assert_eq!(flat_path("../crates/python/notebooks"), "notebooks");
    }
}
