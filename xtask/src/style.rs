//! Comments wrap at 100 columns, as code does.
//!
//! Rustfmt leaves comments alone, so this does it: `--fix` fills the paragraphs that run over, and
//! keeps lists, tables, code, headings and links as they are.

mod wrap;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::metadata;
use crate::tokens::{Kind, cut};

/// The longest line.
const WIDTH: usize = 100;

/// Fails on comments that run over; with `fix`, wraps those that can be wrapped first.
pub(crate) fn check(fix: bool) -> Result<(), String> {
    let mut faults = Vec::new();
    for file in sources(&metadata(&["--no-deps"])?)? {
        let read = fs::read_to_string(&file);
        let mut text = read.map_err(|error| format!("cannot read {}: {error}", file.display()))?;
        if fix {
            let wrapped = wrapped(&text).map_err(|why| format!("{}: {why}", file.display()))?;
            if wrapped != text {
                fs::write(&file, &wrapped)
                    .map_err(|error| format!("cannot write {}: {error}", file.display()))?;
                text = wrapped;
            }
        }
        let place = |(line, columns)| {
            let folder = std::env::current_dir().unwrap_or_default();
            let file = file.strip_prefix(folder).unwrap_or(&file).display();
            format!("{file}:{line}: a comment of {columns} columns; {WIDTH} are the most")
        };
        faults.extend(long(&text).into_iter().map(place));
    }
    match faults.len() {
        0 => Ok(()),
        number => Err(format!(
            "{}\n{number} comments run over{}",
            faults.join("\n"),
            if fix {
                " and have to be wrapped by hand"
            } else {
                "; `cargo xtask style --fix` wraps them"
            }
        )),
    }
}

/// The Rust files of all crates of the workspace, in order.
fn sources(metadata: &Value) -> Result<Vec<PathBuf>, String> {
    let packages = metadata["packages"].as_array().cloned().unwrap_or_default();
    let mut open: Vec<PathBuf> = packages
        .iter()
        .filter_map(|package| Path::new(package["manifest_path"].as_str()?).parent())
        .map(Path::to_owned)
        .collect();
    let mut files = Vec::new();
    while let Some(folder) = open.pop() {
        let entries = fs::read_dir(&folder)
            .map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
        for path in entries.flatten().map(|entry| entry.path()) {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if path.is_dir() && name != "target" && !name.starts_with('.') {
                open.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Lines of comments that run over, with their columns. Rows of tables, the ends of links and words
/// that alone are too long cannot be wrapped.
fn long(text: &str) -> Vec<(usize, usize)> {
    let comments = cut(text).comments;
    let lines: Vec<&str> = text.lines().collect();
    let columns = |line: usize| (line, lines[line - 1].chars().count());
    let over = comments.into_iter().map(columns);
    over.filter(|(line, columns)| {
        let content = lines[line - 1].trim_start().trim_start_matches(['/', '!']);
        *columns > WIDTH && wrap::breakable(content.trim())
    })
    .collect()
}

/// The text with its comments wrapped.
fn wrapped(text: &str) -> Result<String, String> {
    let source = cut(text);
    let lines: Vec<&str> = text.split('\n').collect();
    let mut result: Vec<String> = Vec::with_capacity(lines.len());
    let mut at = 0;
    let mut comments = source.comments.iter().copied().peekable();
    while at < lines.len() {
        if comments.peek() != Some(&(at + 1)) {
            result.push(lines[at].to_owned());
            at += 1;
            continue;
        }
        // Lines of one kind at one depth belong together.
        let (indent, marker) = margin(lines[at]);
        let mut contents = Vec::new();
        while comments.peek() == Some(&(at + 1)) && margin(lines[at]) == (indent, marker) {
            contents.push(&lines[at][indent.len() + marker.len()..]);
            comments.next();
            at += 1;
        }
        let width = WIDTH.saturating_sub(indent.chars().count() + marker.len());
        let filled = wrap::comment(&contents, width);
        result.extend(
            filled
                .into_iter()
                .map(|line| format!("{indent}{marker}{line}")),
        );
    }
    let result = result.join("\n");
    // Whatever is done to comments, the code stays, and so do their words.
    let code = |text: &str| -> Vec<Kind> {
        let tokens = cut(text).tokens.into_iter();
        tokens.map(|token| token.kind).collect()
    };
    if code(text) != code(&result) || words(text) != words(&result) {
        return Err("wrapping its comments would change more than line ends".to_owned());
    }
    Ok(result)
}

/// What stands before the words of a comment: space, then `//`, `///` or `//!`.
fn margin(line: &str) -> (&str, &str) {
    let comment = line.trim_start();
    let indent = &line[..line.len() - comment.len()];
    let marker = ["///", "//!", "//"]
        .into_iter()
        .find(|marker| comment.starts_with(marker))
        .unwrap_or_default();
    (indent, &comment[..marker.len()])
}

/// All words of all comments, without what begins a line.
fn words(text: &str) -> Vec<String> {
    let comments = cut(text).comments;
    let lines: Vec<&str> = text.lines().collect();
    let contents = comments.iter().map(|line| {
        let (indent, marker) = margin(lines[line - 1]);
        &lines[line - 1][indent.len() + marker.len()..]
    });
    contents
        .flat_map(str::split_whitespace)
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_comments_that_run_over_are_wrapped() {
        let long = "word ".repeat(25);
        let long = long.trim_end();
        let text = format!(
            "//! Short.\n//! {long}\n\nfn f() {{\n    // {long}\n    let x = \"\n// {long}\n\"; // {long}\n}}\n"
        );
        let result = wrapped(&text).unwrap();
        let words = |number: usize| "word ".repeat(number).trim_end().to_owned();
        let expected = format!(
            "//! Short. {}\n//! {}\n\nfn f() {{\n    // {}\n    // {}\n    let x = \"\n// {long}\n\"; // {long}\n}}\n",
            words(18),
            words(7),
            words(18),
            words(7),
        );
        assert_eq!(result, expected);
        assert_eq!(wrapped(&result).unwrap(), result);
        assert!(super::long(&result).is_empty());
    }

    #[test]
    fn comments_that_run_over_are_found() {
        let text = format!(
            "// {}\n// | {} |\n// {}\n",
            "word ".repeat(20),
            "cell ".repeat(30),
            "x".repeat(120)
        );
        assert_eq!(long(&text), [(1, 103)]);
    }
}
