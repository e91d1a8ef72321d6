//! A database of the program: its handle, and what its tables and functions share.

use std::ffi::c_int;
use std::path::PathBuf;
use std::ptr::null_mut;
use std::sync::{Arc, Mutex, PoisonError};

use kinwood::queries::Result as QueryResult;
use kinwood::queries::host::{Copied, Host};
use rusqlite::ffi;

use super::api::text_at;
use super::loaded;
use crate::work::{Database, Line, run};

/// A database of the program. SQLite owns it: it ends with the modules and functions.
pub(super) struct Db {
    handle: *mut ffi::sqlite3,
    pub(super) host: Host,
    line: Line,
    /// The state of the database when it was last looked at.
    seen: Mutex<Option<Seen>>,
}

/// What tells whether a database is as it was: how often others and this connection changed its
/// rows, how often its tables were changed, and whether a transaction is open that may be taken
/// back.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Seen {
    others: i64,
    tables: i64,
    own: c_int,
    open: bool,
}

impl Db {
    /// Of a handle that SQLite has just handed over.
    pub(super) fn new(handle: *mut ffi::sqlite3) -> Arc<Self> {
        let line = Line::default();
        let other = line.clone();
        // SAFETY: the handle is SQLite's, and the name ends with zero.
        let path = unsafe { text_at(loaded().db_filename(handle, c"main".as_ptr())) };
        // A database in memory has an empty name.
        let path = path.filter(|path| !path.is_empty()).map(PathBuf::from);
        #[allow(
            clippy::arc_with_non_send_sync,
            reason = "a program may use its connection on several threads in turn"
        )]
        Arc::new(Self {
            handle,
            host: Host::new(path.as_deref(), move || other.copy()),
            line,
            seen: Mutex::default(),
        })
    }

    /// The handle.
    pub(super) fn handle(&self) -> *mut ffi::sqlite3 {
        self.handle
    }

    /// Does work on a thread of its own, on the data as it is now.
    pub(super) fn work<T: Send>(
        &self,
        work: impl FnOnce() -> QueryResult<T> + Send,
    ) -> Result<T, String> {
        self.look();
        run(&self.host, &self.line, self, work).map_err(|error| error.to_string())
    }

    /// Does work at once where it can only be short, else on a thread of its own.
    pub(super) fn quick<T: Send>(
        &self,
        work: impl FnOnce() -> QueryResult<T> + Send,
    ) -> Result<T, String> {
        self.look();
        match self.host.is_read() {
            true => work().map_err(|error| error.to_string()),
            false => run(&self.host, &self.line, self, work).map_err(|error| error.to_string()),
        }
    }

    /// Forgets what was read where the database is another now.
    fn look(&self) {
        // SAFETY: the handle is open as long as this is.
        let (own, open) = unsafe {
            let open = loaded().get_autocommit(self.handle) == 0;
            (loaded().total_changes(self.handle), open)
        };
        let now = Seen {
            others: self.number(c"PRAGMA main.data_version").unwrap_or(-1),
            tables: self.number(c"PRAGMA main.schema_version").unwrap_or(-1),
            own,
            open,
        };
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.replace(now).is_some_and(|before| before != now) {
            self.host.forget();
        }
    }

    /// The number that a statement answers.
    fn number(&self, sql: &std::ffi::CStr) -> Result<i64, c_int> {
        let mut statement = null_mut();
        // SAFETY: the handle is open, the statement is used here alone, and ended.
        unsafe {
            let prepared = loaded().prepare_v2(
                self.handle,
                sql.as_ptr(),
                -1,
                &raw mut statement,
                null_mut(),
            );
            if prepared != ffi::SQLITE_OK {
                return Err(prepared);
            }
            let stepped = loaded().step(statement);
            let number = match stepped {
                ffi::SQLITE_ROW => Ok(loaded().column_int64(statement, 0)),
                other => Err(other),
            };
            loaded().finalize(statement);
            number
        }
    }
}

impl Database for Db {
    fn copy(&self) -> Copied {
        let mut size = 0;
        // SAFETY: the handle is open; SQLite says how many bytes there are, and wants them back.
        unsafe {
            let start = loaded().serialize(self.handle, c"main".as_ptr(), &raw mut size, 0);
            let length = usize::try_from(size).unwrap_or(0);
            if start.is_null() {
                return Err("SQLite gives no copy of the database".to_owned());
            }
            let bytes = std::slice::from_raw_parts(start, length).to_vec();
            loaded().free(start.cast());
            Ok(bytes)
        }
    }

    fn is_interrupted(&self) -> bool {
        // A statement that begins while one is interrupted is interrupted too.
        matches!(self.number(c"SELECT 1"), Err(ffi::SQLITE_INTERRUPT))
    }
}
