//! ARFF: a header of typed attributes, then one row a line.
//!
//! The format has grown by several hands: Weka's sparse rows, instance weights, dates and
//! relational attributes, CLUS's class hierarchies and keys. All of them are read here. Where
//! readers differ the lenient reading is taken if it is the only sensible one, else the file is
//! refused with the place.
//!
//! The file is decoded whole: places in it are byte positions, and lines are counted only once
//! something is wrong.

mod columns;
mod date;
mod document;
mod header;
mod quote;
mod row;
mod value;
pub mod write;

use std::borrow::Cow;

use kinwood_values::{Attribute, Column, Notice, NoticeKind, Role, Table};

use crate::dataset::TableRead;
use crate::error::{Error, Result};
use crate::source::Source;
use columns::Rows;
use document::Document;
use header::{Declaration, Domain, Header};

/// Reads a table from ARFF text.
///
/// The table is named after its source, not after `@relation`, so that what is said about it on a
/// command line agrees with the file's name.
///
/// ```
/// use kinwood_formats::{Source, arff};
/// let header = "@relation r\n@attribute size numeric\n@attribute kind {a, b}\n";
/// let text = &format!("{header}@data\n1.5, b\n?, a\n");
/// let read = arff::read(&Source::from_bytes("example", text.as_bytes()))?;
/// assert_eq!(read.table.rows(), 2);
/// assert_eq!(read.customary_target, Some(1));
/// # Ok::<(), kinwood_formats::Error>(())
/// ```
pub fn read(source: &Source) -> Result<TableRead> {
    let bytes = source.read_text()?;
    let mut notices = Vec::new();
    let text = decode(source.name(), &bytes, &mut notices)?;
    if text.trim().is_empty() {
        return Err(Error::Empty {
            file: source.name().to_owned(),
            expected: "expected `@attribute` lines, `@data` and rows".to_owned(),
        });
    }
    let document = Document {
        file: source.name(),
        text: &text,
    };
    let header = header::parse(&document)?;
    notices.extend(header.notices.iter().cloned());
    let mut rows = Rows::new(&header.attributes, source);
    rows.read(&document, header.data)?;
    let (columns, weights) = rows.finish();
    assemble(source, &header, columns, weights, notices)
}

/// The text of the bytes: UTF-8, or Latin-1 where they are not UTF-8.
fn decode<'a>(file: &str, bytes: &'a [u8], notices: &mut Vec<Notice>) -> Result<Cow<'a, str>> {
    if let Some(position) = memchr::memchr(0, bytes) {
        let utf16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
        let hint = if utf16 {
            "; it looks like UTF-16, expected UTF-8"
        } else {
            ""
        };
        return Err(Error::Binary {
            file: file.to_owned(),
            position: position as u64 + 1,
            byte: 0,
            hint: hint.to_owned(),
        });
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    Ok(match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => {
            notices.push(Notice::about(
                NoticeKind::File,
                format!("`{file}` is not UTF-8 and was read as Latin-1"),
            ));
            Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect())
        }
    })
}

/// Puts names, roles and reasons to the columns.
fn assemble(
    source: &Source,
    header: &Header,
    columns: Vec<Column>,
    weights: Option<Vec<f64>>,
    notices: Vec<Notice>,
) -> Result<TableRead> {
    let declared = &header.attributes;
    let mut evidence: Vec<String> = declared.iter().map(Declaration::evidence).collect();
    let mut stated_roles = std::collections::BTreeSet::new();
    let mut attributes = Vec::with_capacity(columns.len() + 1);
    for (index, (declaration, column)) in declared.iter().zip(columns).enumerate() {
        let mut attribute = Attribute::new(declaration.name.clone(), column);
        match declaration.domain {
            Domain::Key => {
                attribute.role = Role::Id;
                stated_roles.insert(index);
            }
            Domain::Hierarchy(_) => attribute.hierarchy = Some('/'),
            _ => {}
        }
        attributes.push(attribute);
    }
    let customary_target = declared
        .len()
        .checked_sub(1)
        .filter(|&last| matches!(declared[last].domain, Domain::Nominal(_)));
    if let Some(weights) = weights {
        stated_roles.insert(attributes.len());
        let weight = Attribute::new(unused_name("weight", declared), Column::numeric(weights));
        attributes.push(weight.with_role(Role::Weight));
        evidence.push("weights stand after rows".to_owned());
    }
    let table = Table::new(source.table_name(), attributes).map_err(|error| Error::Values {
        file: source.name().to_owned(),
        source: error,
    })?;
    Ok(TableRead {
        table,
        evidence,
        stated_roles,
        customary_target,
        foreign_keys: Vec::new(),
        notices,
    })
}

/// The name itself, or the first of `name_2`, `name_3`, … that no attribute has.
fn unused_name(name: &str, declared: &[Declaration]) -> String {
    let names: std::collections::HashSet<&str> = declared
        .iter()
        .map(|declaration| declaration.name.as_str())
        .collect();
    let numbered = (2u64..).map(|number| format!("{name}_{number}"));
    std::iter::once(name.to_owned())
        .chain(numbered)
        .find(|candidate| !names.contains(candidate.as_str()))
        .expect("there are more numbers than attributes")
}

#[cfg(test)]
mod tests;
