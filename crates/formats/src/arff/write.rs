//! A table as ARFF.
//!
//! ARFF has numbers, declared labels, texts, dates, class paths and bags of rows. Sets, bags and
//! lists become bags of rows, of one attribute `value` if their elements are no tuples; a list
//! loses its order so. All else stands as its text or JSON, which a schema turns back into what it
//! was.

use std::io::{self, Write};
use std::sync::Arc;

use chrono::{DateTime, Utc};
use kinwood_values::{
    Cells, Column, Dictionary, Field, Kind, Notice, NoticeKind, Role, Table, Type, Value,
};

use crate::csv::write::text;
use crate::schema::CsvOptions;

/// Dates to the millisecond.
const PATTERN: &str = "yyyy-MM-dd'T'HH:mm:ss.SSS";
/// The same for whoever writes them.
const LAYOUT: &str = "%Y-%m-%dT%H:%M:%S%.3f";
/// The first and the last instant of which the year has four digits.
const FOUR_DIGITS: std::ops::RangeInclusive<i64> = -62_135_596_800_000..=253_402_300_799_999;

/// Bags in bags double their quotes with every level; deeper ones stand as JSON.
const DEEPEST: usize = 3;

/// A table about to be written.
pub(crate) struct Document<'a> {
    table: &'a Table,
    domains: Vec<Domain>,
}

enum Domain {
    Numeric,
    Nominal(Arc<Dictionary>),
    Text,
    Date,
    Classes(Arc<Dictionary>),
    Rows(Vec<(String, Domain)>),
}

impl<'a> Document<'a> {
    pub fn of(table: &'a Table) -> Self {
        let domain = |attribute: &kinwood_values::Attribute| match attribute.column.cells() {
            // Names of rows are no set of values to choose from.
            Cells::Nominal { .. } if attribute.role == Role::Id => Domain::Text,
            Cells::Collection {
                kind: Kind::Set,
                members,
            } => match (attribute.hierarchy, members.child.cells()) {
                (Some('/'), Cells::Nominal { dictionary, .. }) if are_paths(&members.child) => {
                    Domain::Classes(Arc::clone(dictionary))
                }
                _ => domain(&attribute.column, 1),
            },
            _ => domain(&attribute.column, 1),
        };
        Self {
            table,
            domains: table.attributes().iter().map(domain).collect(),
        }
    }

    /// Says in the options which types come back.
    pub fn state(&self, options: &mut CsvOptions) {
        for (stated, domain) in options.columns.iter_mut().zip(&self.domains) {
            stated.of = stated.of.as_ref().map(|of| held(of, domain));
        }
    }

    /// What does not come back as it was.
    pub fn notices(&self) -> Vec<Notice> {
        let mut notices = Vec::new();
        for (attribute, domain) in self.table.attributes().iter().zip(&self.domains) {
            let (name, of) = (&attribute.name, attribute.type_of());
            if held(&of, domain) != of {
                notices.push(Notice::about(
                    NoticeKind::Loss,
                    format!(
                        "column `{name}`: ARFF has bags, no lists, so the order of elements is lost"
                    ),
                ));
            }
            let plain = matches!(
                of,
                Type::Nominal | Type::Numeric | Type::DateTime | Type::String
            );
            if !plain && as_text(domain) {
                notices.push(Notice::about(NoticeKind::Loss, format!(
                    "column `{name}` stands in ARFF as text, which only the schema makes `{of}` again"
                )));
            }
        }
        notices
    }

    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "@relation {}\n", quoted(self.table.name()))?;
        for (attribute, domain) in self.table.attributes().iter().zip(&self.domains) {
            declare(out, &attribute.name, domain)?;
        }
        writeln!(out, "\n@data")?;
        for row in 0..self.table.rows() {
            let cells = self.table.attributes().iter().zip(&self.domains);
            let cells: Vec<String> = cells
                .map(|(attribute, domain)| cell(&attribute.column.value(row), domain))
                .collect();
            writeln!(out, "{}", cells.join(","))?;
        }
        Ok(())
    }
}

fn domain(column: &Column, level: usize) -> Domain {
    match column.cells() {
        Cells::Numeric(_) | Cells::Ref { .. } => Domain::Numeric,
        Cells::Nominal { dictionary, .. } => Domain::Nominal(Arc::clone(dictionary)),
        Cells::DateTime(instants) if instants.iter().all(|at| FOUR_DIGITS.contains(at)) => {
            Domain::Date
        }
        Cells::Collection { members, .. } if level <= DEEPEST => {
            let child = &members.child;
            Domain::Rows(match child.cells() {
                Cells::Tuple { names, fields, .. } if !fields.is_empty() => {
                    let names = unlike(names).into_iter();
                    let domains = fields.iter().map(|field| domain(field, level + 1));
                    names.zip(domains).collect()
                }
                // A tuple without fields would be a row without cells.
                Cells::Tuple { .. } => return Domain::Text,
                _ => vec![("value".to_owned(), domain(child, level + 1))],
            })
        }
        _ => Domain::Text,
    }
}

/// Whether the labels can stand in one cell, with `@` between them.
fn are_paths(child: &Column) -> bool {
    let path = |label: &str| {
        let steps = label.split('/').count();
        let whole = label
            .split('/')
            .all(|step| !step.is_empty() && step.trim() == step);
        whole && steps <= 64 && !label.contains('@') && !matches!(label, "none" | "[]")
    };
    child.missing() == 0
        && child
            .codes()
            .is_some_and(|(_, labels)| labels.labels().all(path))
}

fn as_text(domain: &Domain) -> bool {
    match domain {
        Domain::Text => true,
        Domain::Rows(attributes) => attributes.iter().any(|(_, domain)| as_text(domain)),
        _ => false,
    }
}

/// The type that comes back: lists are bags.
fn held(of: &Type, domain: &Domain) -> Type {
    let Domain::Rows(attributes) = domain else {
        return of.clone();
    };
    let element = |element: &Type| {
        Box::new(match (element, attributes.as_slice()) {
            (Type::Tuple(fields), attributes) => {
                let fields = fields.iter().zip(attributes);
                let field = |(field, (_, domain)): (&Field, &(String, Domain))| Field {
                    name: field.name.clone(),
                    of: held(&field.of, domain),
                };
                Type::Tuple(fields.map(field).collect())
            }
            (other, [(_, domain)]) => held(other, domain),
            (other, _) => other.clone(),
        })
    };
    match of {
        Type::List(of) | Type::Bag(of) => Type::Bag(element(of)),
        Type::Set(of) => Type::Set(element(of)),
        other => other.clone(),
    }
}

fn unlike(names: &[Option<String>]) -> Vec<String> {
    let mut unlike: Vec<String> = Vec::with_capacity(names.len());
    let given: Vec<&String> = names.iter().flatten().collect();
    for (position, name) in names.iter().enumerate() {
        let name = name.clone().unwrap_or_else(|| {
            (position + 1..)
                .map(|number| format!("f{number}"))
                .find(|free| !given.contains(&free) && !unlike.contains(free))
                .expect("there are more numbers than fields")
        });
        unlike.push(name);
    }
    unlike
}

fn declare(out: &mut dyn Write, name: &str, domain: &Domain) -> io::Result<()> {
    let name = quoted(name);
    let list = |labels: &Dictionary| {
        let labels: Vec<String> = labels.labels().map(quoted).collect();
        labels.join(",")
    };
    match domain {
        Domain::Numeric => writeln!(out, "@attribute {name} numeric"),
        Domain::Nominal(labels) => writeln!(out, "@attribute {name} {{{}}}", list(labels)),
        Domain::Text => writeln!(out, "@attribute {name} string"),
        Domain::Date => writeln!(out, "@attribute {name} date \"{PATTERN}\""),
        Domain::Classes(labels) => writeln!(out, "@attribute {name} hierarchical {}", list(labels)),
        Domain::Rows(attributes) => {
            writeln!(out, "@attribute {name} relational")?;
            for (name, domain) in attributes {
                declare(out, name, domain)?;
            }
            writeln!(out, "@end {name}")
        }
    }
}

fn cell(value: &Value, domain: &Domain) -> String {
    match (value, domain) {
        (Value::Missing, _) => "?".to_owned(),
        (Value::Ref(_), Domain::Numeric) => value.to_json().to_string(),
        (Value::DateTime(instant), Domain::Date) => {
            let time = DateTime::<Utc>::from_timestamp_millis(*instant).unwrap_or_default();
            quoted(&time.format(LAYOUT).to_string())
        }
        (Value::Set(classes), Domain::Classes(_)) => match classes.as_slice() {
            [] => "none".to_owned(),
            classes => {
                let paths: Vec<String> = classes.iter().map(text).collect();
                quoted(&paths.join("@"))
            }
        },
        (
            Value::List(elements) | Value::Set(elements) | Value::Bag(elements),
            Domain::Rows(attributes),
        ) => {
            let rows: Vec<String> = elements
                .iter()
                .map(|value| row(value, attributes))
                .collect();
            enclosed(&rows.join("\n"))
        }
        (value, _) => quoted(&text(value)),
    }
}

/// An element of a collection as a row of its bag.
fn row(element: &Value, attributes: &[(String, Domain)]) -> String {
    let cells: Vec<String> = match element {
        Value::Tuple(fields) => {
            let fields = fields.iter().zip(attributes);
            fields
                .map(|(field, (_, domain))| cell(field, domain))
                .collect()
        }
        element => attributes
            .iter()
            .map(|(_, domain)| cell(element, domain))
            .collect(),
    };
    cells.join(",")
}

/// A name or value, in quotes unless nobody could misread it.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-+./:".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    enclosed(text)
}

fn enclosed(text: &str) -> String {
    let mut enclosed = String::from("'");
    for character in text.chars() {
        match character {
            '\\' | '\'' => enclosed.extend(['\\', character]),
            '\n' => enclosed.push_str("\\n"),
            '\r' => enclosed.push_str("\\r"),
            '\t' => enclosed.push_str("\\t"),
            control if control.is_control() => {
                enclosed.push_str(&format!("\\u{:04x}", u32::from(control)));
            }
            other => enclosed.push(other),
        }
    }
    enclosed.push('\'');
    enclosed
}
