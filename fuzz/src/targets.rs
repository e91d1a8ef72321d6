//! The targets: every reader, every parser, the model loader.

use std::io::Write;

use kinwood::container::Stored;
use kinwood::formats::arrow::{self, Form};
use kinwood::formats::sql::{SqlOptions, read_sqlite};
use kinwood::formats::{Dataset, Schema, Source, arff, csv, json, prolog};
use kinwood::learners::{Context, Registry};
use kinwood::similarity::{Expression, Registry as Measures};
use kinwood::{Trained, learners};
use kinwood_values::{Condition, Database, Table, Term, Tree, Type, Value, datetime};

use crate::seeds;

/// Something that takes hostile bytes.
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// Inputs that it accepts, from which others are made.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Takes an input; says whether it was accepted.
    pub run: fn(&[u8]) -> bool,
}

/// Every target.
pub const TARGETS: &[Target] = &[
    Target {
        name: "arff",
        seeds: seeds::arff,
        run: |bytes| arff::read(&source(bytes)).is_ok(),
    },
    Target {
        name: "csv",
        seeds: seeds::csv,
        run: read_csv,
    },
    Target {
        name: "json",
        seeds: seeds::json,
        run: read_json,
    },
    Target {
        name: "prolog",
        seeds: seeds::prolog,
        run: |bytes| prolog::read(&[source(bytes)]).is_ok(),
    },
    Target {
        name: "parquet",
        seeds: seeds::parquet,
        run: |bytes| read_arrays(bytes, Form::Parquet),
    },
    Target {
        name: "arrow",
        seeds: seeds::arrow,
        run: |bytes| match bytes.starts_with(b"ARROW1") {
            true => read_arrays(bytes, Form::File),
            false => read_arrays(bytes, Form::Stream),
        },
    },
    Target {
        name: "sqlite",
        seeds: seeds::sqlite,
        run: read_database,
    },
    Target {
        name: "schema",
        seeds: seeds::schema,
        run: |bytes| text(bytes, |t| Schema::parse(t, "schema.toml").is_ok()),
    },
    Target {
        name: "type",
        seeds: seeds::types,
        run: |bytes| text(bytes, round_trip_type),
    },
    Target {
        name: "value",
        seeds: seeds::values,
        run: |bytes| text(bytes, round_trip_value),
    },
    Target {
        name: "tree",
        seeds: seeds::trees,
        run: |bytes| text(bytes, round_trip_tree),
    },
    Target {
        name: "term",
        seeds: seeds::terms,
        run: |bytes| text(bytes, round_trip_term),
    },
    Target {
        name: "datetime",
        seeds: seeds::datetimes,
        run: |bytes| text(bytes, round_trip_datetime),
    },
    Target {
        name: "condition",
        seeds: seeds::conditions,
        run: |bytes| text(bytes, apply_condition),
    },
    Target {
        name: "expression",
        seeds: seeds::expressions,
        run: |bytes| text(bytes, measure),
    },
    Target {
        name: "model",
        seeds: seeds::models,
        run: load_model,
    },
    Target {
        name: "model content",
        seeds: seeds::contents,
        run: load_content,
    },
];

fn source(bytes: &[u8]) -> Source {
    Source::from_bytes("fuzz", bytes.to_vec())
}

fn text(bytes: &[u8], run: impl Fn(&str) -> bool) -> bool {
    run(&String::from_utf8_lossy(bytes))
}

fn read_csv(bytes: &[u8]) -> bool {
    let Ok(read) = csv::read(&source(bytes), &Default::default()) else {
        return false;
    };
    check(&read.table);
    true
}

/// What was read can be described: every cell is one of its column's type.
fn check(table: &Table) {
    for attribute in table.attributes() {
        let of = attribute.type_of();
        assert!((0..table.rows()).all(|row| {
            let value = attribute.column.value(row);
            value == Value::Missing || value.conforms_to(&of)
        }));
    }
}

fn read_arrays(bytes: &[u8], form: Form) -> bool {
    let Ok(read) = arrow::read(&source(bytes), form) else {
        return false;
    };
    check(&read.read.table);
    true
}

/// Views are left out: they are programs, and may take as long as they like.
fn read_database(bytes: &[u8]) -> bool {
    let options = SqlOptions {
        views: false,
        ..SqlOptions::default()
    };
    let mut file = tempfile::NamedTempFile::new().expect("the temporary folder can be written to");
    file.write_all(bytes)
        .expect("the temporary folder has room for an input");
    let Ok(Dataset { database, .. }) = read_sqlite(file.path(), &options) else {
        return false;
    };
    database.tables().iter().for_each(check);
    true
}

fn read_json(bytes: &[u8]) -> bool {
    let one = json::read(&source(bytes)).is_ok();
    json::read_database(&source(bytes)).is_ok() || one
}

fn round_trip_type(text: &str) -> bool {
    let Ok(of) = text.parse::<Type>() else {
        return false;
    };
    assert_eq!(of.to_string().parse::<Type>().ok(), Some(of));
    true
}

/// A line with a type, then a line with a value in JSON.
fn round_trip_value(text: &str) -> bool {
    let Some((of, value)) = text.split_once('\n') else {
        return false;
    };
    let (Ok(of), Ok(value)) = (of.parse::<Type>(), serde_json::from_str(value)) else {
        return false;
    };
    let Ok(value) = Value::from_json(&of, &value) else {
        return false;
    };
    assert!(value == Value::Missing || value.conforms_to(&of));
    assert_eq!(Value::from_json(&of, &value.to_json()).ok(), Some(value));
    true
}

fn round_trip_tree(text: &str) -> bool {
    let Ok(tree) = text.parse::<Tree>() else {
        return false;
    };
    assert_eq!(tree.to_string().parse::<Tree>().ok(), Some(tree));
    true
}

fn round_trip_term(text: &str) -> bool {
    let Ok(term) = text.parse::<Term>() else {
        return false;
    };
    assert_eq!(term.to_string().parse::<Term>().ok(), Some(term));
    true
}

fn round_trip_datetime(text: &str) -> bool {
    let Ok(instant) = datetime::parse(text) else {
        return false;
    };
    assert_eq!(
        datetime::parse(&datetime::print(instant)).ok(),
        Some(instant)
    );
    true
}

fn apply_condition(text: &str) -> bool {
    let Ok(condition) = text.parse::<Condition>() else {
        return false;
    };
    condition
        .rows(learners::testing::mixed_view(12).table())
        .is_ok()
}

/// An expression is read, printed and read again; whatever it measures, it measures or refuses.
fn measure(text: &str) -> bool {
    let Ok(expression) = text.parse::<Expression>() else {
        return false;
    };
    let printed = expression.to_string();
    assert_eq!(printed.parse::<Expression>().ok(), Some(expression.clone()));
    for (of, values) in seeds::measured() {
        let measures = Measures::builtin();
        if let Ok(distance) = measures.distance(&expression, &of, Some(&values), "the values") {
            assert!(
                distance
                    .expression()
                    .to_string()
                    .parse::<Expression>()
                    .is_ok()
            );
            drop(distance.between(&values.value(0), &values.value(1)));
        }
        if let Ok(kernel) = measures.kernel(&expression, &of, Some(&values), "the values") {
            drop(kernel.inner(&values.value(0), &values.value(1)));
        }
    }
    true
}

/// A model file as bytes; checksums refuse most.
fn load_model(bytes: &[u8]) -> bool {
    let Ok(stored) = Stored::from_bytes(bytes.to_vec()) else {
        return false;
    };
    use_model(&stored)
}

/// The sections of a model file without their checksums, so that mutations get past them.
fn load_content(bytes: &[u8]) -> bool {
    let Some(sections) = seeds::sections(bytes) else {
        return false;
    };
    let Ok(stored) = sections.to_bytes().and_then(Stored::from_bytes) else {
        return false;
    };
    use_model(&stored)
}

/// A model that was accepted must predict or refuse, and a database must give its values.
fn use_model(stored: &Stored) -> bool {
    if let Ok(database) = Database::read(&stored.scope("schema")) {
        for table in database.tables() {
            for attribute in table.attributes() {
                // Enough rows to touch what was read; a stated number of rows may be large where
                // they hold nothing.
                (0..table.rows().min(50)).for_each(|row| drop(attribute.column.value(row)));
            }
        }
    }
    let Ok(model) = Trained::from_stored(stored, "fuzz", &Registry::new()) else {
        return false;
    };
    let view = learners::testing::mixed_view(6);
    if let Ok((view, _)) = model.conform(&view) {
        let _ = model.predict(&view, &Context::new());
    }
    let _ = (model.model().show(), model.model().to_json());
    true
}
