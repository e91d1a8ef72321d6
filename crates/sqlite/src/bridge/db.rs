//! A database of the program: its handle, and what its tables and functions share.

use std::cell::Cell;
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
    /// How many walks over tables are open.
    walks: Cell<usize>,
    /// Whether the first of them has found nothing yet: then a statement begins.
    begins: Cell<bool>,
}

/// What tells whether a database is as it was: how often others changed its rows and its tables,
/// where the program lets that be asked, how often this connection did, and whether it has changed
/// what is not committed.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Seen {
    others: Option<(i64, i64)>,
    own: c_int,
    writes: bool,
}

/// A walk over a table that is open.
pub(super) struct Opened(Arc<Db>);

impl Opened {
    /// The database.
    pub(super) fn db(&self) -> &Db {
        &self.0
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        self.0.walks.set(self.0.walks.get().saturating_sub(1));
    }
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
            walks: Cell::default(),
            begins: Cell::default(),
        })
    }

    /// Opens a walk.
    pub(super) fn opened(self: &Arc<Self>) -> Opened {
        let others = self.walks.get();
        self.walks.set(others + 1);
        self.begins.set(self.begins.get() || others == 0);
        Opened(Arc::clone(self))
    }

    /// A statement calls a function for the first time; one that walks over tables has begun with
    /// them.
    pub(super) fn called_first(&self) {
        self.begins.set(self.begins.get() || self.walks.get() == 0);
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
    ///
    /// A change that is taken back, to a savepoint say, leaves no trace that could be asked for.
    /// While there are changes that may be, each statement therefore reads anew; within one all is
    /// read once, for its tables speak of the same trees.
    fn look(&self) {
        // SAFETY: the handle is open as long as this is, and the name ends with zero.
        let (own, state) = unsafe {
            let state = loaded().txn_state(self.handle, c"main".as_ptr());
            (loaded().total_changes(self.handle), state)
        };
        let rows = self.number(c"PRAGMA main.data_version").ok();
        let tables = self.number(c"PRAGMA main.schema_version").ok();
        let now = Seen {
            others: rows.zip(tables),
            own,
            writes: state == ffi::SQLITE_TXN_WRITE,
        };
        let begins = self.begins.replace(false);
        let doubtful = begins && (now.writes || now.others.is_none());
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.replace(now).is_some_and(|before| before != now) || doubtful {
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
