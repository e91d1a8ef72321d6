//! Schemas as TOML to read and edit: short forms where they suffice, evidence behind each column.

use std::fmt::Write;

use kinwood_values::Type;

use super::dialect::Header;
use super::stated::StatedColumn;
use super::{FactsSchema, ForeignKeySchema, Schema, TableSchema, TimeSchema};
use crate::prolog_syntax::pattern::Pattern;

pub(super) fn schema(schema: &Schema) -> String {
    let mut text = String::new();
    if !schema.targets.is_empty() {
        line(&mut text, "target", &one_or_list(&schema.targets));
    }
    if schema.keys_declared {
        push(
            &mut text,
            "keys = \"declared\"  # no keys but those stated below; \"infer\" looks for more",
        );
    }
    if let Some(declared) = &schema.facts {
        if !text.is_empty() {
            text.push('\n');
        }
        facts(&mut text, declared);
    }
    for described in &schema.tables {
        if !text.is_empty() {
            text.push('\n');
        }
        table(&mut text, described);
    }
    text
}

fn facts(text: &mut String, declared: &FactsSchema) {
    push(text, "[facts]");
    if !declared.files.is_empty() {
        line(text, "files", &list(&declared.files));
    }
    line(text, "example", &quoted(&declared.example.to_string()));
    let patterns: Vec<String> = declared.describe.iter().map(Pattern::to_string).collect();
    lines(text, "describe", &patterns);
    lines(text, "rules", &declared.rules);
    if declared.allows_undescribed {
        line(text, "undescribed", &quoted("allow"));
    }
}

/// A list, a line for each of its texts; nothing if there are none.
fn lines(text: &mut String, key: &str, texts: &[String]) {
    if texts.is_empty() {
        return;
    }
    push(text, &format!("{key} = ["));
    for one in texts {
        push(text, &format!("  {},", quoted(one.trim())));
    }
    push(text, "]");
}

fn table(text: &mut String, table: &TableSchema) {
    let path = format!("tables.{}", key(&table.name));
    push(text, &format!("[{path}]"));
    if let Some(file) = &table.file {
        line(text, "file", &quoted(file));
    }
    if !table.key.is_empty() {
        line(text, "key", &one_or_list(&table.key));
    }
    match &table.time {
        Some(TimeSchema::Instant(column)) => line(text, "time", &quoted(column)),
        Some(TimeSchema::Valid { from, to }) => {
            line(text, "valid", &list(&[from.clone(), to.clone()]));
        }
        None => {}
    }
    let options = &table.options;
    if options.header != Header::Detect {
        line(text, "header", &quoted(options.header.name()));
    }
    if let Some(delimiter) = options.delimiter {
        line(text, "delimiter", &quoted(delimiter.name()));
    }
    if let Some(quote) = options.quote {
        line(text, "quote", &quoted(quote.name()));
    }
    if let Some(missing) = &options.missing {
        line(text, "missing", &list(missing));
    }
    if !options.columns.is_empty() {
        push(text, &format!("\n[{path}.columns]"));
        columns(text, table);
    }
    for foreign_key in &table.foreign_keys {
        push(text, &format!("\n[[{path}.foreign_keys]]"));
        reference(text, foreign_key);
    }
}

fn columns(text: &mut String, table: &TableSchema) {
    let lines: Vec<String> = table
        .options
        .columns
        .iter()
        .map(|column| format!("{} = {}", key(&column.name), stated(column)))
        .collect();
    // Long lines do not push the comments of all others to the right.
    let width = lines
        .iter()
        .map(|line| line.chars().count())
        .filter(|&width| width <= 60)
        .max();
    for (position, line) in lines.iter().enumerate() {
        match table
            .evidence
            .get(position)
            .filter(|evidence| !evidence.is_empty())
        {
            Some(evidence) => {
                let width = width.unwrap_or(0);
                push(text, &format!("{line:<width$}  # {}", comment(evidence)));
            }
            None => push(text, line),
        }
    }
}

fn stated(column: &StatedColumn) -> String {
    let StatedColumn {
        of,
        role,
        values,
        hierarchy,
        distance,
        ordered,
        notation,
        ..
    } = column;
    if let (Some(of), None, None, None, None, false, None) =
        (of, role, values, hierarchy, distance, ordered, notation)
    {
        return quoted(&of.to_string());
    }
    let mut parts = Vec::new();
    if let Some(of) = of
        .as_ref()
        .filter(|of| values.is_none() || **of != Type::Nominal)
    {
        parts.push(format!("type = {}", quoted(&of.to_string())));
    } else if values.is_some() {
        parts.push("type = \"nominal\"".to_owned());
    }
    if let Some(role) = role {
        parts.push(format!("role = {}", quoted(role.name())));
    }
    if let Some(values) = values {
        parts.push(format!("values = {}", list(values)));
    }
    if let Some(hierarchy) = hierarchy {
        parts.push(format!("hierarchy = {}", quoted(&hierarchy.to_string())));
    }
    if let Some(distance) = distance {
        parts.push(format!("distance = {}", quoted(distance)));
    }
    if *ordered {
        parts.push("ordered = true".to_owned());
    }
    if let Some(notation) = notation {
        parts.push(format!("notation = {}", quoted(notation.name())));
    }
    format!("{{ {} }}", parts.join(", "))
}

fn reference(text: &mut String, key: &ForeignKeySchema) {
    line(text, "columns", &one_or_list(&key.columns));
    line(text, "references", &quoted(&key.references));
    if !key.to.is_empty() {
        line(text, "to", &one_or_list(&key.to));
    }
    if let Some(name) = &key.name {
        line(text, "name", &quoted(name));
    }
    if let Some(describes) = key.describes {
        line(text, "describes", &describes.to_string());
    }
}

fn push(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

fn line(text: &mut String, key: &str, value: &str) {
    push(text, &format!("{key} = {value}"));
}

fn one_or_list(names: &[String]) -> String {
    match names {
        [name] => quoted(name),
        names => list(names),
    }
}

fn list(texts: &[String]) -> String {
    let quoted: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
    format!("[{}]", quoted.join(", "))
}

/// A key as it stands, or quoted where TOML asks for it.
fn key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !name.is_empty() && name.chars().all(bare) {
        name.to_owned()
    } else {
        quoted(name)
    }
}

/// A string on one line.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            c if c.is_control() => {
                write!(quoted, "\\u{:04X}", u32::from(c))
                    .expect("writing to a string does not fail");
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Evidence may repeat values of the data, in which anything can stand.
fn comment(evidence: &str) -> String {
    evidence
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}
