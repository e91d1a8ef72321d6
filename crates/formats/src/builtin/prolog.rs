//! Prolog facts.

use crate::draft::Draft;
use crate::error::Result;
use crate::format::{Confidence, Content, Ending, FormatEntry, Holds, Reading, Start, Writing};
use crate::prolog::stated::{draft, predicates};
use crate::prolog::{self, ENDINGS, write};

pub(super) fn entry() -> FormatEntry {
    let endings = ENDINGS.map(|name| match name {
        "pl" | "pro" => Ending::file(name),
        _ => Ending::file(name).only_read(),
    });
    FormatEntry {
        listed: Some("Prolog facts"),
        ..FormatEntry::new("Prolog", endings, Holds::Tables)
    }
    .sniffed(sniff)
    .read_by(from)
    .written_by(to)
}

/// Whether the first line that is neither blank nor a comment is a fact or a directive.
fn sniff(start: &Start<'_>) -> Option<Confidence> {
    let text = String::from_utf8_lossy(start.bytes);
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        let after = match rest {
            _ if rest.starts_with('%') => rest.split_once('\n').map(|(_, after)| after),
            _ if rest.starts_with("/*") => rest.split_once("*/").map(|(_, after)| after),
            _ => break,
        };
        rest = after?.trim_start();
    }
    let line = rest.lines().next().unwrap_or_default().trim_end();
    let named = |(name, _): (&str, &str)| {
        name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let ends = line.ends_with(").") || line.contains("). ") || line.contains(").%");
    let directive = line.starts_with(":-") && line.ends_with('.');
    (directive || (ends && line.split_once('(').is_some_and(named))).then_some(Confidence::Guess)
}

fn from(reading: &Reading<'_>) -> Result<Draft> {
    let (sources, notices) = prolog::with_examples(reading.source.clone(), reading.path)?;
    let read = prolog::read_stated(&sources, &predicates(reading.stated))?;
    let mut draft = draft(read, reading.stated)?;
    draft.notices.extend(notices);
    Ok(draft)
}

fn to<'a>(writing: &mut Writing<'a>) -> Result<Content<'a>> {
    let Some(facts) = write::Facts::of(writing.database.tables()) else {
        return Err(writing.refused("there are no rows, and a table without facts is none"));
    };
    facts.state(&mut writing.schema);
    writing.notices = facts.notices();
    Ok(Box::new(move |out| facts.write(out)))
}
