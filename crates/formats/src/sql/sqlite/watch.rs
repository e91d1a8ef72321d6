//! SQLite's own work, stopped where it is to stop: a view may have no end.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::ffi::{self, ErrorCode};
use rusqlite::{Connection, Error};

use crate::allowance::{Allowance, Halted};

/// Steps of SQLite between two questions whether to go on: some microseconds.
const STEPS: i32 = 10_000;

/// Times that a view is asked so which nobody named: a billion steps are some ten seconds, in which
/// millions of rows are read.
const MOST: u64 = 100_000;

/// Questions between two looks at the memory.
const LOOKS: u64 = 64;

/// Why a view is left out that takes too many steps.
pub(super) const ENDLESS: &str =
    "it does not end after a billion steps; where it is named, its end is waited for";

/// Watches a connection.
pub(super) struct Watch {
    state: Arc<State>,
}

struct State {
    allowance: Allowance,
    /// Questions since the relation was begun.
    asked: AtomicU64,
    /// After how many a view is left out.
    most: u64,
    /// Whether it is a view that nobody named, which may have no end.
    view: AtomicBool,
    halted: Mutex<Option<Halted>>,
}

impl Watch {
    pub(super) fn new(allowance: &Allowance) -> Self {
        Self::leaving_out(allowance, MOST)
    }

    fn leaving_out(allowance: &Allowance, most: u64) -> Self {
        Self {
            state: Arc::new(State {
                allowance: allowance.clone(),
                asked: AtomicU64::new(0),
                most,
                view: AtomicBool::new(false),
                halted: Mutex::new(None),
            }),
        }
    }

    /// Watches all that the connection does from now on.
    pub(super) fn over(&self, connection: &mut Connection) -> rusqlite::Result<()> {
        let state = Arc::clone(&self.state);
        connection.progress_handler(STEPS, Some(move || state.stops()))
    }

    /// Another relation is read; one that is left out where it does not end is a view that nobody
    /// named.
    pub(super) fn begin(&self, view: bool) {
        self.state.view.store(view, Ordering::Relaxed);
        self.state.asked.store(0, Ordering::Relaxed);
    }

    /// Fails where the work is to stop, or takes more memory than it may.
    pub(super) fn look(&self) -> rusqlite::Result<()> {
        match self.state.allowance.check() {
            Ok(()) => Ok(()),
            Err(halted) => {
                self.state.halt(halted);
                let interrupted = ffi::Error {
                    code: ErrorCode::OperationInterrupted,
                    extended_code: ffi::SQLITE_INTERRUPT,
                };
                Err(Error::SqliteFailure(interrupted, None))
            }
        }
    }

    /// Why the work was stopped, if it was.
    pub(super) fn halted(&self) -> Option<Halted> {
        *self
            .state
            .halted
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a view was stopped because it took too long.
    pub(super) fn is_endless(&self) -> bool {
        self.state.is_endless()
    }
}

impl State {
    fn halt(&self, halted: Halted) {
        *self.halted.lock().unwrap_or_else(PoisonError::into_inner) = Some(halted);
    }

    fn is_endless(&self) -> bool {
        self.view.load(Ordering::Relaxed) && self.asked.load(Ordering::Relaxed) >= self.most
    }

    fn stops(&self) -> bool {
        let asked = self.asked.fetch_add(1, Ordering::Relaxed) + 1;
        let look = match asked % LOOKS {
            0 => self.allowance.check(),
            _ => self.allowance.go_on(),
        };
        if let Err(halted) = look {
            self.halt(halted);
            return true;
        }
        self.is_endless()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENDLESS_ROWS: &str =
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c";

    fn last(connection: &Connection) -> Option<ErrorCode> {
        let mut statement = connection.prepare(ENDLESS_ROWS).unwrap();
        let mut rows = statement.query([]).unwrap();
        loop {
            match rows.next() {
                Ok(Some(_)) => {}
                Ok(None) => return None,
                Err(error) => return error.sqlite_error_code(),
            }
        }
    }

    #[test]
    fn a_view_without_end_is_left_out() {
        let mut connection = Connection::open_in_memory().unwrap();
        let watch = Watch::leaving_out(&Allowance::default(), 5);
        watch.over(&mut connection).unwrap();
        watch.begin(true);
        let stopped = Some(ErrorCode::OperationInterrupted);
        assert_eq!(last(&connection), stopped);
        assert!(watch.is_endless() && watch.halted().is_none());
        watch.begin(false);
        assert!(!watch.is_endless());
    }

    #[test]
    fn whoever_asks_stops_it() {
        let mut connection = Connection::open_in_memory().unwrap();
        let asked: crate::allowance::Asked = Arc::new(|| Some(Halted::OutOfTime));
        let watch = Watch::new(&Allowance::default().asking(asked));
        watch.over(&mut connection).unwrap();
        assert_eq!(last(&connection), Some(ErrorCode::OperationInterrupted));
        assert_eq!(watch.halted(), Some(Halted::OutOfTime));
        assert!(watch.look().is_err());
    }
}
