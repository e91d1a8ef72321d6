//! Data that is broken, hostile or absurd, each with its message. Wrong passwords, refused
//! connections and servers that die half-way are in `sql_postgres.rs`, for they need a server.
#![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use kinwood_formats::{Dataset, ReadOptions, Result, WriteOptions, read, write};
use kinwood_values::{Attribute, Column, Database, Table};
use tempfile::TempDir;

/// A folder of files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, content) in files {
        fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}

fn outcome(path: &Path) -> Result<Dataset> {
    read(path, &ReadOptions::default())
}

/// The message of a refusal, without the folder's own name.
fn refusal(folder: &TempDir, file: &str) -> String {
    let message = outcome(&folder.path().join(file)).unwrap_err().to_string();
    message
        .replace(&format!("{}/", folder.path().display()), "")
        .replace(&folder.path().display().to_string(), "FOLDER")
}

fn notices(dataset: &Dataset) -> Vec<&str> {
    dataset.notices.iter().map(|of| of.message()).collect()
}

const PARENT: &str = "[tables.parent]\nkey = 'id'\n";
const CHILD: &str = "[[tables.child.foreign_keys]]\ncolumns = 'parent'\nreferences = 'parent'\n";

#[test]
fn keys_that_lead_nowhere_are_told() {
    let schema = format!("{PARENT}{CHILD}");
    let folder = folder(&[
        ("parent.csv", "id,x\n1,5\n2,6\n"),
        ("child.csv", "parent,y\n1,0\n3,0\n4,1\n?,1\n"),
        ("schema.toml", &schema),
    ]);
    let dataset = outcome(folder.path()).unwrap();
    assert_eq!(
        notices(&dataset),
        [
            "2 of 4 rows of `child` refer by `child_parent` to rows that `parent` does not have (first: row 2, 3)"
        ]
    );
}

#[test]
fn keys_that_repeat_are_refused() {
    let folder = folder(&[
        ("parent.csv", "id,x\n1,5\n2,6\n1,7\n"),
        ("schema.toml", PARENT),
    ]);
    assert_eq!(
        refusal(&folder, ""),
        "schema.toml: the key (id) of table `parent` is not unique: 1 stands in rows 1 and 3"
    );
}

#[test]
fn keys_of_different_types() {
    let schema = format!("{PARENT}{CHILD}");
    let mixed = folder(&[
        ("parent.csv", "id,x\na1,5\nb2,6\n"),
        ("child.csv", "parent,y\n1,0\n2,0\n"),
        ("schema.toml", &schema),
    ]);
    let dataset = outcome(mixed.path()).unwrap();
    assert_eq!(
        notices(&dataset),
        [
            "2 of 2 rows of `child` refer by `child_parent` to rows that `parent` does not have (first: row 1, 1)"
        ]
    );
    // Labels and numbers meet by their text.
    let met = folder(&[
        ("parent.csv", "id,x\n1,5\nb2,6\n"),
        ("child.csv", "parent,y\n1,0\n1,0\n"),
        ("schema.toml", &schema),
    ]);
    assert_eq!(notices(&outcome(met.path()).unwrap()), Vec::<&str>::new());
    let list = folder(&[
        ("parent.json", r#"[{"id": [1, 2]}, {"id": [3]}]"#),
        ("schema.toml", PARENT),
    ]);
    assert_eq!(
        refusal(&list, ""),
        "schema.toml: column `id` of table `parent` is a `list<numeric>`; a key needs nominal, numeric, datetime or string columns"
    );
}

#[test]
fn keys_in_a_circle_are_read() {
    let schema = "[tables.a]\nkey = 'id'\n[[tables.a.foreign_keys]]\ncolumns = 'b'\nreferences = 'b'\n\
                  [tables.b]\nkey = 'id'\n[[tables.b.foreign_keys]]\ncolumns = 'a'\nreferences = 'a'\n\
                  [[tables.b.foreign_keys]]\ncolumns = 'next'\nreferences = 'b'\n";
    let folder = folder(&[
        ("a.csv", "id,b\n1,2\n2,1\n"),
        ("b.csv", "id,a,next\n1,2,2\n2,1,1\n"),
        ("schema.toml", schema),
    ]);
    let dataset = outcome(folder.path()).unwrap();
    assert_eq!(dataset.database.foreign_keys().len(), 3);
    assert_eq!(notices(&dataset), Vec::<&str>::new());
}

#[test]
fn tables_without_rows() {
    let none = folder(&[
        ("a.csv", "id,b\n"),
        ("b.arff", "@relation b\n@attribute x numeric\n@data\n"),
        ("c.csv", ""),
        ("d.json", "[]"),
        ("e.pl", "% nothing\n"),
        ("f.arff", ""),
    ]);
    for file in ["a.csv", "b.arff"] {
        let dataset = outcome(&none.path().join(file)).unwrap();
        assert_eq!(dataset.database.table(0).rows(), 0, "{file}");
    }
    let messages = ["c.csv", "d.json", "e.pl", "f.arff"].map(|file| refusal(&none, file));
    assert_eq!(
        messages,
        [
            "`c.csv` is empty: expected rows of cells",
            "`d.json` is empty: expected an array of objects, or one object a line",
            "`e.pl` is empty: expected facts such as `atom(m1, c, 0.25).`",
            "`f.arff` is empty: expected `@attribute` lines, `@data` and rows",
        ]
    );
}

/// A table of ten thousand columns and three rows.
fn wide() -> Database {
    let column = |number: usize| {
        let values = (0..3).map(|row| (number * row) as f64).collect();
        Attribute::new(format!("c{number}"), Column::numeric(values))
    };
    let table = Table::new("wide", (0..10_000).map(column).collect()).unwrap();
    Database::single(table).unwrap()
}

#[test]
fn ten_thousand_columns_are_read_in_every_form_that_holds_them() {
    let folder = TempDir::new().unwrap();
    let database = wide();
    for ending in ["csv", "arff", "json", "jsonl", "pl", "parquet", "arrow"] {
        let path = folder.path().join(format!("{ending}.{ending}"));
        write(&database, &path, &WriteOptions::default()).unwrap();
        let read = outcome(&path).unwrap_or_else(|error| panic!("{ending}: {error}"));
        let table = read.database.table(0);
        assert_eq!(
            (table.attributes().len(), table.rows()),
            (10_000, 3),
            "{ending}"
        );
        assert_eq!(
            table.attribute(9_999).column.number(2),
            Some(19_998.0),
            "{ending}"
        );
    }
    let path = folder.path().join("wide.sqlite");
    let message = write(&database, &path, &WriteOptions::default());
    assert_eq!(
        message
            .unwrap_err()
            .to_string()
            .replace(&path.display().to_string(), "wide.sqlite"),
        "cannot write `wide.sqlite`: table `wide`: too many columns on wide"
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 12);
}

/// A gzip file of a billion equal bytes between a beginning and an end: a thousand times the same
/// member.
fn billion(folder: &TempDir, name: &str, beginning: &str, end: &str) -> PathBuf {
    let member = |bytes: &[u8]| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    };
    let path = folder.path().join(name);
    let mut bytes = member(beginning.as_bytes());
    bytes.extend(member(&vec![b'x'; 1 << 20]).repeat(1000));
    bytes.extend(member(end.as_bytes()));
    fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn a_line_of_a_gigabyte_is_refused_before_it_fills_the_memory() {
    let folder = TempDir::new().unwrap();
    for (name, beginning, end, message) in [
        (
            "a.csv.gz",
            "a,b\n1,",
            "\n",
            "a.csv.gz:2: the row is longer than 256 MB; perhaps a quote in it is never closed, or the file has no lines",
        ),
        (
            "b.csv.gz",
            "",
            "",
            "b.csv.gz:1: the row is longer than 256 MB; perhaps a quote in it is never closed, or the file has no lines",
        ),
        (
            "c.arff.gz",
            "@relation r\n@attribute a string\n@data\n",
            "\n",
            "cannot read `c.arff.gz`: a line is longer than 256 MB; perhaps a quote is never closed, or the file is no text",
        ),
        (
            "d.pl.gz",
            "p('",
            "').\n",
            "cannot read `d.pl.gz`: a line is longer than 256 MB; perhaps a quote is never closed, or the file is no text",
        ),
        (
            "e.json.gz",
            "[{\"a\": \"",
            "\"}]",
            "cannot read `e.json.gz`: a text is longer than 256 MB; perhaps a quote is never closed, or the file is no text",
        ),
        (
            "f.jsonl.gz",
            "{\"a\": \"",
            "\"}\n",
            "cannot read `f.jsonl.gz`: a text is longer than 256 MB; perhaps a quote is never closed, or the file is no text",
        ),
        (
            "schema.toml",
            "a = '",
            "'\n",
            "cannot read `schema.toml`: a line is longer than 256 MB; perhaps a quote is never closed, or the file is no text",
        ),
    ] {
        billion(&folder, name, beginning, end);
        assert_eq!(refusal(&folder, name), message);
    }
}

#[test]
fn files_that_are_cut_off_are_refused_or_told() {
    let rows: String = (0..200).fold(String::new(), |mut text, row| {
        writeln!(text, "{row},\"text {row}\",{}", row % 3).unwrap();
        text
    });
    let folder = folder(&[("whole.csv", &format!("id,text,class\n{rows}"))]);
    let whole = outcome(&folder.path().join("whole.csv")).unwrap().database;
    let mut messages = Vec::new();
    for ending in ["arff", "json", "jsonl", "pl", "parquet", "arrow", "sqlite"] {
        let path = folder.path().join(format!("cut.{ending}"));
        write(&whole, &path, &WriteOptions::default()).unwrap();
        let bytes = fs::read(&path).unwrap();
        // In the middle of a line, where there are lines.
        let middle = bytes.len() / 2;
        let cut = match ending {
            "parquet" | "arrow" | "sqlite" => middle,
            _ => middle + bytes[middle..].iter().position(|&b| b == b't').unwrap() + 2,
        };
        fs::write(&path, &bytes[..cut]).unwrap();
        let _ = fs::remove_file(folder.path().join("cut.schema.toml"));
        messages.push(refusal(&folder, &format!("cut.{ending}")));
    }
    // Text in cells ends where it ends: what is cut off in a quote or before a cell is told.
    fs::write(folder.path().join("cell.csv"), "id,text,class\n1,a,0\n2,b").unwrap();
    messages.push(refusal(&folder, "cell.csv"));
    fs::write(
        folder.path().join("quote.csv"),
        "id,text,class\n1,a,0\n2,\"b",
    )
    .unwrap();
    messages.push(refusal(&folder, "quote.csv"));
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(rows.as_bytes()).unwrap();
    let bytes = encoder.finish().unwrap();
    fs::write(folder.path().join("cut.csv.gz"), &bytes[..bytes.len() / 2]).unwrap();
    messages.push(refusal(&folder, "cut.csv.gz"));
    assert_eq!(
        messages,
        [
            "cut.arff:43:4: expected a closing `'` for this quote, found the end of the line",
            "cut.json:105:13: expected the rest of the value, found the end of the file",
            "cut.jsonl:104:13: expected the rest of the value, found the end of the file",
            "cut.pl:106:11: the quote ' opened here is never closed, in the clause that begins at 106:1",
            "`cut.parquet` is no whole Parquet file: it does not end as such files do, perhaps it is cut off",
            "`cut.arrow` is no whole Arrow file: it does not end as such files do",
            "`cut.sqlite`: cannot read the catalogue: it has 4096 bytes, but states 8192; the file is cut off",
            "cell.csv:3: the row has 2 cells, expected 3; the first rows look separated by `,`, which can be stated otherwise",
            "quote.csv:3:3: the quote \" opened here is never closed; if quotes are ordinary characters here, say that the quote is `none`",
            "cannot read `cut.csv.gz`: incomplete deflate stream",
        ]
    );
}

#[test]
fn what_is_no_database_is_refused() {
    let files = folder(&[
        ("text.sqlite", "a,b\n1,2\n"),
        ("empty.db", ""),
        ("start.sqlite3", "SQLite form"),
    ]);
    for (file, message) in [
        ("text.sqlite", "`text.sqlite` is not an SQLite database"),
        (
            "empty.db",
            "`empty.db` is empty: expected an SQLite database with tables",
        ),
        (
            "start.sqlite3",
            "`start.sqlite3` is not an SQLite database; the file is cut off",
        ),
    ] {
        assert_eq!(refusal(&files, file), message);
    }
}

/// A password is shown nowhere, whether the server answers or not.
#[test]
fn a_server_that_does_not_answer() {
    let url = Path::new("postgresql://ann:Xq7Zsecret@127.0.0.1:1/sales");
    assert_eq!(
        outcome(url).unwrap_err().to_string(),
        "cannot connect to `postgresql://ann@127.0.0.1:1/sales`: connection refused; is the server running, and does it listen at this address and port?"
    );
}
