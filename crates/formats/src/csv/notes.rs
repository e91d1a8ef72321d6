//! Notes behind a header: a row of SQL types and a row that says which columns are keys.
//!
//! Collections that were dumped from a database have them. Read as data they would make every
//! column nominal.

use kinwood_values::{Notice, NoticeKind, Type};

use super::sample::Sample;
use super::{CsvOptions, Header, StatedColumn, detect};
use crate::dataset::TableRead;
use crate::schema::ForeignKeySchema;

/// How many rows the notes take.
pub(super) const ROWS: usize = 2;

/// The first word of types that hold numbers, and of types that hold labels.
const NUMBERS: [&str; 13] = [
    "int",
    "integer",
    "bigint",
    "smallint",
    "tinyint",
    "mediumint",
    "serial",
    "real",
    "float",
    "double",
    "numeric",
    "decimal",
    "number",
];
const LABELS: [&str; 9] = [
    "varchar",
    "char",
    "character",
    "nvarchar",
    "nchar",
    "enum",
    "boolean",
    "bool",
    "uuid",
];
/// Types of which the values decide.
const OTHERS: [&str; 8] = [
    "text",
    "string",
    "clob",
    "date",
    "datetime",
    "timestamp",
    "time",
    "year",
];

/// What stands in the notes.
#[derive(Debug)]
pub(super) struct Noted {
    /// What was stated, completed by the types of the notes.
    pub options: CsvOptions,
    /// The types as written, by column.
    types: Vec<String>,
    key: Vec<usize>,
    foreign_keys: Vec<ForeignKeySchema>,
}

/// The notes of a file, if the second row holds nothing but types and the third nothing but keys.
pub(super) fn find(options: &CsvOptions, sample: &Sample) -> Option<Noted> {
    if options.header == Header::None {
        return None;
    }
    let split = detect::split(sample, options.delimiter, options.quote);
    let rows = sample.rows(split.marks());
    let [names, types, keys, ..] = rows.cells.as_slice() else {
        return None;
    };
    let names: Vec<String> = names.iter().map(|name| name.trim().to_owned()).collect();
    if names.len() != types.len() || names.len() != keys.len() || names.contains(&String::new()) {
        return None;
    }
    let types: Vec<String> = types
        .iter()
        .map(|word| word.trim().to_lowercase())
        .collect();
    let mut options = options.clone();
    options.header = Header::Yes;
    for (name, word) in names.iter().zip(&types) {
        let of = type_of(word)?;
        if options.columns.iter().all(|stated| stated.name != *name) {
            options.columns.push(StatedColumn {
                name: name.clone(),
                of,
                ..StatedColumn::default()
            });
        }
    }
    let mut noted = Noted {
        options,
        types,
        key: Vec::new(),
        foreign_keys: Vec::new(),
    };
    for (position, note) in keys.iter().enumerate() {
        match note.trim().to_lowercase().as_str() {
            "" => {}
            "primary key" => noted.key.push(position),
            lower if lower.starts_with("foreign key") => {
                let place = note.trim().get("foreign key".len()..)?.trim();
                let place = place.strip_prefix('[')?.strip_suffix(']')?;
                let (table, column) = place.rsplit_once('.')?;
                noted.foreign_keys.push(ForeignKeySchema {
                    columns: vec![names[position].clone()],
                    references: table.trim().to_owned(),
                    to: vec![column.trim().to_owned()],
                    name: None,
                    describes: None,
                });
            }
            _ => return None,
        }
    }
    (!noted.key.is_empty() || !noted.foreign_keys.is_empty()).then_some(noted)
}

/// What a type's word says; nothing within if the values decide, nothing at all if it is no type.
fn type_of(word: &str) -> Option<Option<Type>> {
    let first = word.split(['(', ' ']).next().unwrap_or_default();
    if NUMBERS.contains(&first) {
        Some(Some(Type::Numeric))
    } else if LABELS.contains(&first) {
        Some(Some(Type::Nominal))
    } else {
        OTHERS.contains(&first).then_some(None)
    }
}

impl Noted {
    /// Gives the table the keys of the notes.
    pub fn apply(self, mut read: TableRead, file: &str) -> TableRead {
        for (evidence, word) in read.evidence.iter_mut().zip(&self.types) {
            if type_of(word) != Some(None) {
                *evidence = format!("declared {word}");
            }
        }
        read.table.set_key(Some(self.key));
        read.foreign_keys = self.foreign_keys;
        read.notices.push(Notice::about(
            NoticeKind::File,
            format!("rows 2 and 3 of `{file}` are taken as types and keys"),
        ));
        read
    }
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;
    use crate::source::Source;

    fn table(text: &str) -> TableRead {
        let source = Source::from_bytes("cars", text.as_bytes());
        read(&source, &CsvOptions::default()).unwrap()
    }

    #[test]
    fn types_and_keys_behind_the_header_are_no_data() {
        let read = table(
            "id,tid,shape,len\ninteger,Integer,varchar(20),double precision\nprimary key,foreign key [trains.id],,\n1,1,2,\n2,1,u,0.5\n",
        );
        assert_eq!(read.table.rows(), 2);
        assert_eq!(read.table.key(), Some([0].as_slice()));
        assert_eq!(read.foreign_keys[0].references, "trains");
        assert_eq!(read.foreign_keys[0].to, ["id"]);
        let types: Vec<String> = read
            .table
            .attributes()
            .iter()
            .map(|attribute| attribute.type_of().to_string())
            .collect();
        assert_eq!(types, ["numeric", "numeric", "nominal", "numeric"]);
        assert_eq!(read.evidence[0], "declared integer");
        assert!(read.notices[0].message().contains("types and keys"));
    }

    #[test]
    fn errors_behind_notes_name_the_right_line() {
        let text = "id,n\ninteger,integer\nprimary key,\n1,1\n2,x\n";
        let source = Source::from_bytes("cars", text.as_bytes());
        let error = read(&source, &CsvOptions::default()).unwrap_err();
        assert!(error.to_string().starts_with("cars:5:"), "{error}");
    }

    #[test]
    fn other_rows_are_data() {
        for text in [
            "a,b\ninteger,varchar\nx,y\n",
            "a,b\ninteger,word\nprimary key,\n1,2\n",
            "a,b\ninteger,varchar\n,\n1,2\n",
            "a,b\ninteger,varchar\nforeign key [x],\n1,2\n",
        ] {
            let read = table(text);
            assert!(
                read.table.key().is_none() && read.foreign_keys.is_empty(),
                "{text}"
            );
        }
    }
}
