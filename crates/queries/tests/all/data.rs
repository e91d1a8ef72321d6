//! Data and connections for the tests.

use std::path::{Path, PathBuf};

use kinwood_queries::{Access, Answer, Connection, Error, Options};
use kinwood_workbench::sample::find;
use rusqlite::types::Value;
use tempfile::TempDir;

/// A folder with built-in data in it.
pub struct Place {
    folder: TempDir,
}

impl Place {
    pub fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A built-in sample in a file, whose ending says in which form.
    pub fn sample(&self, name: &str, objects: usize, file: &str) -> PathBuf {
        let path = self.path(file);
        find(name)
            .unwrap()
            .write(objects, 0.1, 1, &path, true)
            .unwrap();
        path
    }

    /// A flat table: two numbers, two labels and a class that they decide, but for some rows.
    pub fn flat(&self, rows: usize) -> PathBuf {
        let path = self.path("plants.csv");
        let mut text = "height,width,color,place,kind\n".to_owned();
        for row in 0..rows {
            let (height, width) = ((row * 7) % 11, (row * 5) % 9);
            let color = ["red", "green", "blue"][(row * 3 + row / 4) % 3];
            let place = ["shade", "sun"][(row / 3) % 2];
            let tall = height > 5 && color != "red" || width > 6 && place == "sun";
            let kind = if tall != (row % 13 == 0) {
                "tree"
            } else {
                "moss"
            };
            text += &format!("{height},{width},{color},{place},{kind}\n");
        }
        std::fs::write(&path, text).unwrap();
        path
    }
}

pub fn open(path: &Path) -> Connection {
    Connection::open(path, Options::default(), Default::default()).unwrap()
}

pub fn open_to_write(path: &Path) -> Connection {
    let options = Options {
        access: Access::Write,
        ..Options::default()
    };
    Connection::open(path, options, Default::default()).unwrap()
}

pub fn rows(connection: &mut Connection, sql: &str) -> Vec<Vec<Value>> {
    match connection.query(sql) {
        Ok(Answer { rows, .. }) => rows,
        Err(error) => panic!("{sql}: {error}"),
    }
}

/// A column of texts, or of anything as text.
pub fn texts(connection: &mut Connection, sql: &str) -> Vec<String> {
    let text = |row: &Vec<Value>| match &row[0] {
        Value::Text(text) => text.clone(),
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        other => format!("{other:?}"),
    };
    rows(connection, sql).iter().map(text).collect()
}

pub fn number(connection: &mut Connection, sql: &str) -> f64 {
    match rows(connection, sql)[0][0] {
        Value::Integer(number) => number as f64,
        Value::Real(number) => number,
        ref other => panic!("{sql}: {other:?}"),
    }
}

pub fn error(connection: &mut Connection, sql: &str) -> Error {
    match connection.query(sql) {
        Ok(answer) => panic!("{sql}: {answer:?}"),
        Err(error) => error,
    }
}
