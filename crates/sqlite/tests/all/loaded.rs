//! Databases in the SQLite of these tests, with the extension loaded.

use std::ffi::{CStr, CString};
use std::path::{Path, PathBuf};
use std::ptr::null_mut;

use kinwood::sample::find;
use rusqlite::Connection;
use rusqlite::types::Value;
use tempfile::TempDir;

/// The extension: cargo puts it beside the program of these tests.
pub fn extension() -> PathBuf {
    use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
    let program = std::env::current_exe().unwrap();
    let name = format!("{DLL_PREFIX}kinwood_sqlite{DLL_SUFFIX}");
    let folders = program.ancestors().skip(1).take(2);
    let mut files = folders.map(|folder| folder.join(&name));
    files
        .find(|file| file.exists())
        .expect("cargo builds the extension")
}

/// Loads the extension into a connection.
///
/// `rusqlite` loads extensions under a feature that nothing else here has.
#[allow(unsafe_code)]
pub fn load(connection: &Connection) {
    let file = CString::new(extension().to_str().unwrap()).unwrap();
    let mut message = null_mut();
    // SAFETY: the connection is open, and the file is the extension.
    let code = unsafe {
        let handle = connection.handle();
        rusqlite::ffi::sqlite3_enable_load_extension(handle, 1);
        rusqlite::ffi::sqlite3_load_extension(
            handle,
            file.as_ptr(),
            std::ptr::null(),
            &raw mut message,
        )
    };
    let words = match message.is_null() {
        true => String::new(),
        // SAFETY: SQLite leaves a text there.
        false => unsafe { CStr::from_ptr(message) }
            .to_string_lossy()
            .into_owned(),
    };
    assert_eq!(code, rusqlite::ffi::SQLITE_OK, "{words}");
}

/// A folder with a built-in database in it.
pub struct Place(TempDir);

impl Place {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// So many molecules with their atoms and bonds.
    pub fn molecules(&self, objects: usize) -> PathBuf {
        let path = self.path("molecules.sqlite");
        find("molecules")
            .unwrap()
            .write(objects, 0.1, 1, &path, true)
            .unwrap();
        path
    }
}

/// A database with the extension.
pub fn open(path: &Path) -> Connection {
    let connection = Connection::open(path).unwrap();
    load(&connection);
    connection
}

/// The rows that a query answers.
pub fn rows(connection: &Connection, sql: &str) -> Vec<Vec<Value>> {
    asked(connection, sql).unwrap_or_else(|error| panic!("{sql}: {error}"))
}

pub fn asked(connection: &Connection, sql: &str) -> rusqlite::Result<Vec<Vec<Value>>> {
    let mut statement = connection.prepare(sql)?;
    let width = statement.column_count();
    let row = |row: &rusqlite::Row<'_>| (0..width).map(|place| row.get(place)).collect();
    statement.query_map([], row)?.collect()
}

/// The first column as texts.
pub fn texts(connection: &Connection, sql: &str) -> Vec<String> {
    let text = |row: &Vec<Value>| match &row[0] {
        Value::Text(text) => text.clone(),
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        other => format!("{other:?}"),
    };
    rows(connection, sql).iter().map(text).collect()
}
