//! SQLite files, opened for reading only and without trust in what they hold.

mod catalogue;
mod watch;
pub(crate) mod write;

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use kinwood_values::{Notice, NoticeKind};
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::SqlOptions;
use super::builder::Builder;
use super::catalogue::{Catalogue, choose};
use super::label::Cell;
use crate::allowance::{Allowance, Halted, PIECE};
use crate::draft::Draft;
use crate::error::{Error, Result};
use crate::magic::{self, SQLITE as HEADER};
use crate::source::Source;
use catalogue::{Relation, declaration, quoted, relations};
use watch::{ENDLESS, Watch};

/// How long another program's writing is waited for.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(5);

/// The most bytes that a value may have, as a line of text may: a view can make one of any size.
const LONGEST_VALUE: i32 = crate::source::LONGEST_LINE as i32;

/// A database file while it is read.
struct Reading {
    connection: Connection,
    place: String,
    /// Bytes of the file.
    size: u64,
    watch: Watch,
}

/// Reads the file; `name` is what messages call it.
pub(super) fn read(
    path: &Path,
    name: &str,
    options: &SqlOptions,
    allowance: &Allowance,
) -> Result<Draft> {
    let size = check(path, name)?;
    read_opened(open(path, name)?, (name, size), options, allowance)
}

/// Reads what was opened, of so many bytes.
fn read_opened(
    mut connection: Connection,
    (name, size): (&str, u64),
    options: &SqlOptions,
    allowance: &Allowance,
) -> Result<Draft> {
    let watch = Watch::new(allowance);
    watch
        .over(&mut connection)
        .map_err(|error| failure(name, None, &error))?;
    let reading = Reading {
        connection,
        place: name.to_owned(),
        size,
        watch,
    };
    reading.read(options)
}

/// Reads a database from wherever it comes: what is in memory is read there, and what is compressed
/// is put into a file first, for SQLite reads pages in its own order.
pub(crate) fn read_source(source: &Source, options: &SqlOptions) -> Result<Draft> {
    let allowance = source.allowance();
    if let Some(path) = source.plain_path() {
        return read(path, source.name(), options, allowance);
    }
    if let Some(bytes) = source.plain_bytes().filter(|bytes| !is_write_ahead(bytes)) {
        let size = bytes.len() as u64;
        check_start(&bytes[..bytes.len().min(100)], size, source.name(), false)?;
        let connection = open_bytes(bytes, source.name())?;
        return read_opened(connection, (source.name(), size), options, allowance);
    }
    let failed = |error| source.failed(error);
    let mut spilled = tempfile::NamedTempFile::new().map_err(failed)?;
    // What is packed may be endless: no more of it than may be had in memory.
    let most = allowance.memory().unwrap_or(u64::MAX);
    let unpacked = io::copy(&mut source.reader()?.take(most), &mut spilled).map_err(failed)?;
    if unpacked == most {
        let halted = Halted::Memory { allowed: most };
        return Err(source.halted(halted));
    }
    read(spilled.path(), source.name(), options, allowance)
}

/// Whether a database is in write-ahead mode, which wants files beside it.
fn is_write_ahead(bytes: &[u8]) -> bool {
    bytes.get(18..20).is_some_and(|versions| versions != [1, 1])
}

/// Opens a copy of a database that is in memory.
fn open_bytes(bytes: &[u8], place: &str) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_in_memory_with_flags(flags).and_then(|mut connection| {
        connection.deserialize_read_exact(c"main", bytes, bytes.len(), true)?;
        prepare(&connection)?;
        Ok(connection)
    });
    connection.map_err(|error| failure(place, None, &error))
}

/// Refuses what is no whole SQLite file before SQLite sees it, and says what it is. Returns the
/// size.
fn check(path: &Path, name: &str) -> Result<u64> {
    let failed = |source| Error::Read {
        path: path.to_owned(),
        source,
    };
    let metadata = std::fs::metadata(path).map_err(failed)?;
    if metadata.is_dir() {
        return Err(failed(io::Error::other("it is a folder")));
    }
    let mut start = Vec::with_capacity(100);
    let opened = File::open(path).map_err(failed)?;
    opened.take(100).read_to_end(&mut start).map_err(failed)?;
    check_start(&start, metadata.len(), name, has_journal(path))?;
    Ok(metadata.len())
}

/// The same of the first bytes of so many; what lies in a journal may be missing.
fn check_start(start: &[u8], size: u64, name: &str, journal: bool) -> Result<()> {
    let file = name.to_owned();
    if start.is_empty() {
        return Err(Error::Empty {
            file,
            expected: "expected an SQLite database with tables".to_owned(),
        });
    }
    if !start.starts_with(HEADER) {
        let cut = HEADER.starts_with(start);
        let hint = match cut {
            true => "; the file is cut off".to_owned(),
            false => magic::hint(start),
        };
        return Err(Error::NotSqlite { file, hint });
    }
    let stated = stated_size(start);
    if stated.is_none_or(|stated| stated > size) && !journal {
        let reason = match stated {
            Some(stated) => format!("it has {size} bytes, but states {stated}"),
            None => format!("it has {size} bytes, too few for a header"),
        };
        return Err(Error::Database {
            place: file,
            table: None,
            reason,
            hint: "; the file is cut off".to_owned(),
        });
    }
    Ok(())
}

/// The size that the header of a SQLite file states; 0 where it states none, none where the header
/// is cut off.
fn stated_size(header: &[u8]) -> Option<u64> {
    let number = |at: usize| -> Option<u64> {
        let bytes: [u8; 4] = header.get(at..at + 4)?.try_into().ok()?;
        Some(u64::from(u32::from_be_bytes(bytes)))
    };
    let page = match u64::from(u16::from_be_bytes([*header.get(16)?, *header.get(17)?])) {
        1 => 65536,
        page => page,
    };
    let valid = number(24)? == number(92)?;
    Some(if valid { page * number(28)? } else { 0 })
}

/// The file's path with something behind it, as SQLite names the files beside it.
fn beside(path: &Path, ending: &str) -> OsString {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name
}

/// Whether pages of the database lie in a journal beside it.
fn has_journal(path: &Path) -> bool {
    ["-wal", "-journal"].iter().any(|ending| {
        std::fs::metadata(beside(path, ending)).is_ok_and(|metadata| metadata.len() > 0)
    })
}

fn open(path: &Path, place: &str) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).and_then(|connection| {
        prepare(&connection)?;
        Ok(connection)
    });
    match connection {
        // A file in write-ahead mode wants a file beside it; in a folder that nobody can write to
        // it does without.
        Err(error) if code(&error) == Some(ErrorCode::CannotOpen) && !has_journal(path) => {
            let uri = immutable_uri(path);
            let flags = flags | OpenFlags::SQLITE_OPEN_URI;
            let connection = Connection::open_with_flags(uri, flags).and_then(|connection| {
                prepare(&connection)?;
                Ok(connection)
            });
            connection.map_err(|error| failure(place, None, &error))
        }
        other => other.map_err(|error| failure(place, None, &error)),
    }
}

/// Distrusts the file, and begins the one snapshot that everything is read from.
fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(PATIENCE)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, LONGEST_VALUE)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.execute_batch("PRAGMA cell_size_check = ON; BEGIN")?;
    connection.query_row("SELECT count(*) FROM main.sqlite_schema", [], |_| Ok(()))
}

fn immutable_uri(path: &Path) -> String {
    let mut uri = "file:".to_owned();
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
                uri.push(char::from(*byte));
            }
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri + "?immutable=1"
}

impl Reading {
    fn read(&self, options: &SqlOptions) -> Result<Draft> {
        let failed = |error| failure(&self.place, None, &error);
        let relations = relations(&self.connection).map_err(failed)?;
        let listed: Vec<_> = relations.iter().map(Relation::listed).collect();
        let chosen = choose(&self.place, &listed, options)?;
        let mut notices = Vec::new();
        let (mut tables, mut read_as, mut named) = (Vec::new(), Vec::new(), Vec::new());
        for (position, by_name) in chosen {
            let relation = &relations[position];
            self.watch.begin(relation.view && !by_name);
            match declaration(&self.connection, relation, by_name) {
                Ok(table) => {
                    tables.push(table);
                    read_as.push(relation);
                    named.push(by_name);
                }
                Err(error) => self.pass_over(relation, by_name, &error, &mut notices)?,
            }
        }
        let others: Vec<String> = listed.iter().map(|table| table.name.clone()).collect();
        let mut catalogue = Catalogue::new(&self.place, tables, &others, notices);
        let mut read = Vec::new();
        for (position, relation) in read_as.iter().enumerate() {
            read.push(self.read_relation(&mut catalogue, position, relation, named[position])?);
        }
        catalogue.draft("SQLite", read)
    }

    fn read_relation(
        &self,
        catalogue: &mut Catalogue,
        position: usize,
        relation: &Relation,
        by_name: bool,
    ) -> Result<Option<Vec<Option<super::finish::Finished>>>> {
        let columns = &catalogue.tables[position].columns;
        if columns.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let names: Vec<String> = columns.iter().map(|column| quoted(&column.name)).collect();
        // In the order of the rows themselves, whatever indexes there are.
        let scan = if relation.is_plain() {
            " NOT INDEXED"
        } else {
            ""
        };
        let from = quoted(&relation.name);
        let query = format!("SELECT {} FROM main.{from}{scan}", names.join(", "));
        let mut failed = None;
        self.watch.begin(relation.view && !by_name);
        let read =
            catalogue.read_table(position, self.capacity(relation, names.len()), |builders| {
                self.pass(&query, builders).map_err(|(error, rows)| {
                    let mut told = failure(&self.place, Some(&relation.name), &error);
                    if let (Error::Database { reason, .. }, 1..) = (&mut told, rows) {
                        *reason = format!("{reason} (after {rows} rows)");
                    }
                    failed = Some(error);
                    told
                })
            });
        if let Some(halted) = self.watch.halted() {
            return Err(Error::Halted {
                file: self.place.clone(),
                halted,
            });
        }
        match (read, failed) {
            (Err(_), Some(error)) if relation.view && !by_name && !damaged(&error) => {
                self.pass_over(relation, by_name, &error, &mut catalogue.notices)?;
                Ok(None)
            }
            (read, _) => read.map(Some),
        }
    }

    /// One pass over the rows; a failure comes with the number of rows before it.
    fn pass(
        &self,
        query: &str,
        builders: &mut [Builder],
    ) -> Result<usize, (rusqlite::Error, usize)> {
        let mut count = 0;
        let mut statement = self.connection.prepare(query).map_err(|e| (e, 0))?;
        let mut rows = statement.query([]).map_err(|e| (e, 0))?;
        let mut since = 0;
        while let Some(row) = rows.next().map_err(|e| (e, count))? {
            if since >= PIECE as usize {
                since = 0;
                self.watch.look().map_err(|e| (e, count))?;
            }
            // What a row takes at least, whatever stands in it.
            since += 8 * builders.len();
            for (column, builder) in builders.iter_mut().enumerate() {
                if builder.passed() {
                    continue;
                }
                let value = row.get_ref(column).map_err(|e| (e, count))?;
                builder.push(match value {
                    ValueRef::Null => Cell::Null,
                    ValueRef::Integer(number) => Cell::Integer(number),
                    ValueRef::Real(number) => Cell::Real(number),
                    ValueRef::Text(text) => {
                        since += text.len();
                        Cell::Text(text)
                    }
                    ValueRef::Blob(bytes) => Cell::Blob(bytes),
                });
            }
            count += 1;
        }
        Ok(count)
    }

    /// About how many rows there are: the highest row number, but no more than the file has room
    /// for.
    fn capacity(&self, relation: &Relation, columns: usize) -> usize {
        if !relation.has_rowid {
            return 0;
        }
        let query = format!("SELECT max(rowid) FROM main.{}", quoted(&relation.name));
        let highest: Option<i64> = self
            .connection
            .query_row(&query, [], |row| row.get(0))
            .unwrap_or_default();
        // A row takes two bytes in its page's index, two of its own and one a column at least.
        let room = self.size / (4 + columns as u64);
        let highest = u64::try_from(highest.unwrap_or(0)).unwrap_or(0);
        usize::try_from(highest.min(room)).unwrap_or(0)
    }

    /// A view, or a table of an unknown kind, that cannot be read: told, unless it was asked for.
    fn pass_over(
        &self,
        relation: &Relation,
        by_name: bool,
        error: &rusqlite::Error,
        notices: &mut Vec<Notice>,
    ) -> Result<()> {
        if let Some(halted) = self.watch.halted() {
            return Err(Error::Halted {
                file: self.place.clone(),
                halted,
            });
        }
        if by_name || relation.is_plain() || damaged(error) {
            return Err(failure(&self.place, Some(&relation.name), error));
        }
        let kind = if relation.view { "view" } else { "table" };
        notices.push(Notice::about(
            NoticeKind::LeftOut,
            format!(
                "{kind} `{}` cannot be read ({}); it is left out",
                relation.name,
                match self.watch.is_endless() {
                    true => ENDLESS.to_owned(),
                    false => message(error),
                }
            ),
        ));
        Ok(())
    }
}

fn code(error: &rusqlite::Error) -> Option<ErrorCode> {
    error.sqlite_error_code()
}

fn damaged(error: &rusqlite::Error) -> bool {
    matches!(
        code(error),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::SystemIoFailure)
    )
}

/// What SQLite says, without what the message around it says already.
fn message(error: &rusqlite::Error) -> String {
    match error {
        rusqlite::Error::SqliteFailure(_, Some(message)) => message.clone(),
        rusqlite::Error::SqlInputError { msg, .. } => msg.clone(),
        other => other.to_string(),
    }
}

fn failure(place: &str, table: Option<&str>, error: &rusqlite::Error) -> Error {
    let hint = match code(error) {
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
            "; the file is damaged: restore it, or try the `.recover` command of `sqlite3`"
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "; another program is writing to it: try again when that has ended"
        }
        Some(ErrorCode::ReadOnly) => {
            "; a program that wrote to it was interrupted: open it once with `sqlite3` to repair it"
        }
        _ => "",
    };
    Error::Database {
        place: place.to_owned(),
        table: table.map(str::to_owned),
        reason: message(error),
        hint: hint.to_owned(),
    }
}
