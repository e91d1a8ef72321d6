//! Libraries do not speak of the command: no text in their source names one of its flags or verbs.
//!
//! Whoever reads such a text may have called the library from Rust or Python. What a user can do
//! about an error is a `Remedy`, which each interface words.

use crate::metadata;
use crate::modules::{Literal, literals};

/// Crates that speak to users in words of their own, and those beside the product.
const INTERFACES: &[&str] = &[
    "kinwood-cli",
    "kinwood-python",
    "kinwood-fuzz",
    "kinwood-testing",
    "xtask",
];

/// Fails on texts of libraries that speak of the command.
pub(crate) fn check() -> Result<(), String> {
    let folder = std::env::current_dir().unwrap_or_default();
    let faults: Vec<String> = literals(&metadata(&["--no-deps"])?)?
        .iter()
        .filter(|literal| !INTERFACES.contains(&literal.package.as_str()))
        .filter_map(|literal| {
            let Literal { file, line, .. } = literal;
            let file = file.strip_prefix(&folder).unwrap_or(file).display();
            let named = named(&literal.text)?;
            Some(format!("{file}:{line}: a library names `{named}`"))
        })
        .collect();
    match faults.len() {
        0 => Ok(()),
        number => Err(format!(
            "{}\n{number} texts of libraries speak of the command; a `Remedy` is worded by `cli` and `python`",
            faults.join("\n")
        )),
    }
}

/// The flag or verb that a text names, if it names one.
///
/// Two hyphens before a word are a flag where a word could begin. Drawn branches (`+--yes:`) and
/// properties of style sheets (`var(--ink)`, `--ink:`) are none.
fn named(text: &str) -> Option<&str> {
    const VERB: &str = "`kinwood ";
    if let Some(at) = text.find(VERB) {
        return Some(until(&text[at + 1..], |c| c == '`'));
    }
    text.match_indices("--").find_map(|(at, _)| {
        let flag = until(&text[at..], |c| c != '-' && !c.is_ascii_alphanumeric());
        let (before, after) = (&text[..at], &text[at + flag.len()..]);
        let word = flag[2..].starts_with(|c: char| c.is_ascii_lowercase());
        let begins = before.ends_with(|c: char| c.is_whitespace() || "\"'`([{=/|,".contains(c));
        let style = before.ends_with("var(") || after.starts_with(':');
        (word && begins && !style).then_some(flag)
    })
}

/// The text up to the first character of a kind.
fn until(text: &str, end: impl Fn(char) -> bool) -> &str {
    text.find(end).map_or(text, |at| &text[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_of_this_workspace_do_not_speak_of_the_command() {
        assert_eq!(check(), Ok(()));
    }

    #[test]
    fn flags_and_verbs_are_found() {
        for (text, expected) in [
            ("\"leave it out with `--ignore {column}`\"", "--ignore"),
            ("\"(all columns: --json)\"", "--json"),
            ("\"--no-views\"", "--no-views"),
            ("r#\"(--sql=known) says\"#", "--sql"),
            ("\"`kinwood describe DATA` shows\"", "kinwood describe DATA"),
        ] {
            assert_eq!(named(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn drawings_style_sheets_and_dashes_are_none() {
        for text in [
            "\"+--yes: ?\"",
            "\"a { color: var(--ink); --ink: #000 }\"",
            "\"style=\\\"--share:{share:.3}\\\"\"",
            "\"-- a comment of SQL\"",
            "\"a -- b\"",
            "\"---\"",
            "\"kinwood \"",
        ] {
            assert_eq!(named(text), None, "{text}");
        }
    }
}
