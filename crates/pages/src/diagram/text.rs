//! The drawing for a terminal: a table a paragraph, an arrow a reference.

use kinwood_values::keys::count;

use super::schema::{Line, Schema, TableBox};

/// Wide tables show so many columns.
pub(super) const MOST_COLUMNS: usize = 40;
/// Columns of the terminal.
const WIDE: usize = 100;
/// Names take at most so much of it.
const WIDEST_NAME: usize = 40;
/// Where plain columns begin and wrap to.
const INDENT: &str = "    ";

/// Draws a schema.
pub(super) fn draw(schema: &Schema) -> String {
    let mut text = String::new();
    for (position, table) in schema.tables.iter().enumerate() {
        if position > 0 {
            text.push('\n');
        }
        draw_table(&mut text, schema, position, table);
    }
    text
}

fn draw_table(text: &mut String, schema: &Schema, position: usize, table: &TableBox) {
    let target = if table.target { "  (target)" } else { "" };
    push_line(
        text,
        &format!("{}  {}{target}", clean(&table.name), table.size),
    );
    let arrows: Vec<(String, String, &str)> = schema
        .references
        .iter()
        .filter(|reference| reference.from == position)
        .map(|reference| {
            let to = format!(
                "{}.{}",
                schema.tables[reference.to].name,
                join(&reference.to_columns)
            );
            (
                join(&reference.from_columns),
                clean(&to),
                reference.cardinality.as_str(),
            )
        })
        .collect();
    let keys: Vec<&str> = table
        .lines
        .iter()
        .filter(|line| line.key)
        .map(|line| line.name.as_str())
        .collect();
    if !keys.is_empty() {
        wrapped(text, "  key  ", keys.iter().map(|key| clean(key)));
    }
    let length = |text: &String| text.chars().count();
    let from_width = arrows
        .iter()
        .map(|(from, ..)| length(from))
        .max()
        .unwrap_or(0)
        .min(WIDEST_NAME);
    let to_width = arrows
        .iter()
        .map(|(_, to, _)| length(to))
        .max()
        .unwrap_or(0)
        .min(WIDEST_NAME);
    for (from, to, cardinality) in &arrows {
        let (from, to) = (cut(from, WIDEST_NAME), cut(to, WIDEST_NAME));
        let arrow = format!("  {from:<from_width$} ──▶ {to:<to_width$}");
        if arrow.chars().count() + 2 + cardinality.chars().count() <= WIDE {
            push_line(text, &format!("{arrow}  {cardinality}"));
        } else {
            push_line(text, &arrow);
            push_line(text, &format!("{INDENT}{cardinality}"));
        }
    }
    let plain = table.lines.iter().filter(|line| !line.key && !line.foreign);
    let more = (table.more > 0).then(|| format!("… {} more", count(table.more)));
    wrapped(text, INDENT, plain.map(described).chain(more));
}

/// `logp numeric`, `active nominal target`.
fn described(line: &Line) -> String {
    let of = cut(&line.of, WIDEST_NAME);
    let role = line.role.map(|role| format!(" {role}")).unwrap_or_default();
    format!("{} {of}{role}", cut(&clean(&line.name), WIDEST_NAME))
}

fn join(columns: &[String]) -> String {
    match columns {
        [only] => clean(only),
        several => clean(&format!("({})", several.join(", "))),
    }
}

/// A name may hold line breaks; a line may not.
fn clean(name: &str) -> String {
    name.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}

fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(cut(line.trim_end(), WIDE).as_str());
    text.push('\n');
}

/// The words with commas in between, as many a line as fit behind the lead.
fn wrapped(text: &mut String, lead: &str, words: impl Iterator<Item = String>) {
    let mut line = lead.to_owned();
    let mut words = words.peekable();
    let mut empty = true;
    while let Some(word) = words.next() {
        let comma = if words.peek().is_some() { "," } else { "" };
        let blank = if empty { "" } else { " " };
        if !empty && line.chars().count() + word.chars().count() + 2 > WIDE {
            push_line(text, &line);
            line = format!("{}{word}{comma}", " ".repeat(lead.chars().count()));
        } else {
            line.push_str(&format!("{blank}{word}{comma}"));
        }
        empty = false;
    }
    if !empty {
        push_line(text, &line);
    }
}
