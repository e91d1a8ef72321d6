//! The readers of data, as bytes in memory.

use kinwood::formats::arrow::{self as arrays, Form};
use kinwood::formats::sql::{SqlOptions, read_sqlite_source};
use kinwood::formats::{Dataset, Source};
use kinwood_values::{Table, Value};

fn source(bytes: &[u8]) -> Source {
    Source::from_bytes("fuzz", bytes)
}

/// What was read can be described: every cell is one of its column's type.
pub(super) fn check(table: &Table) {
    for attribute in table.attributes() {
        let of = attribute.type_of();
        assert!((0..table.rows()).all(|row| {
            let value = attribute.column.value(row);
            value == Value::Missing || value.conforms_to(&of)
        }));
    }
}

pub(super) fn arff(bytes: &[u8]) -> bool {
    let read = kinwood::formats::arff::read(&source(bytes));
    read.is_ok_and(|read| {
        check(&read.table);
        true
    })
}

pub(super) fn csv(bytes: &[u8]) -> bool {
    let read = kinwood::formats::csv::read(&source(bytes), &Default::default());
    read.is_ok_and(|read| {
        check(&read.table);
        true
    })
}

pub(super) fn json(bytes: &[u8]) -> bool {
    let source = source(bytes);
    let one = kinwood::formats::json::read(&source).is_ok();
    kinwood::formats::json::read_database(&source).is_ok() || one
}

pub(super) fn prolog(bytes: &[u8]) -> bool {
    kinwood::formats::prolog::read(&[source(bytes)]).is_ok()
}

fn arrays(bytes: &[u8], form: Form) -> bool {
    let read = arrays::read(&source(bytes), form);
    read.is_ok_and(|read| {
        check(&read.read.table);
        true
    })
}

pub(super) fn parquet(bytes: &[u8]) -> bool {
    arrays(bytes, Form::Parquet)
}

pub(super) fn arrow(bytes: &[u8]) -> bool {
    match bytes.starts_with(b"ARROW1") {
        true => arrays(bytes, Form::File),
        false => arrays(bytes, Form::Stream),
    }
}

/// Views are left out: they are programs, and may take as long as they like.
pub(super) fn sqlite(bytes: &[u8]) -> bool {
    let options = SqlOptions {
        views: false,
        ..SqlOptions::default()
    };
    let Ok(Dataset { database, .. }) = read_sqlite_source(&source(bytes), &options) else {
        return false;
    };
    database.tables().iter().for_each(check);
    true
}
