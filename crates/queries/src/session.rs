//! The data of a connection as learners see it, how work on it is done, and what there is to tell.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kinwood_learners::{Context, Registry};
use kinwood_values::Notice;
use kinwood_workbench::{Choices, Data, Problem};

use crate::error::{Error, Result};
use crate::side::Side;

/// What reads the data, when learners first need it.
pub(crate) type Load = Box<dyn Fn(&Context) -> kinwood_workbench::Result<Data> + Send + Sync>;

/// The data of a connection and how work on it is done.
pub(crate) struct Session {
    /// The learners.
    pub registry: Registry,
    /// What is kept beside the data.
    pub side: Side,
    /// The targets where a query names none.
    pub targets: Vec<String>,
    /// The tables of the data.
    tables: Mutex<Vec<String>>,
    context: Mutex<Context>,
    load: Load,
    data: Mutex<Option<Arc<Data>>>,
    problems: Mutex<BTreeMap<Vec<String>, Arc<Problem>>>,
    notices: Mutex<Vec<Notice>>,
    failure: Mutex<Option<Error>>,
    /// Whether the data's own notices were told.
    told: AtomicBool,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Session {
    /// A session, which has read nothing.
    pub(crate) fn new(
        registry: Registry,
        side: Side,
        targets: Vec<String>,
        context: Context,
        load: Load,
    ) -> Self {
        Self {
            registry,
            side,
            targets,
            tables: Mutex::default(),
            context: Mutex::new(context),
            load,
            data: Mutex::default(),
            problems: Mutex::default(),
            notices: Mutex::default(),
            failure: Mutex::default(),
            told: AtomicBool::default(),
        }
    }

    /// Says which tables the data has.
    pub(crate) fn set_tables(&self, tables: Vec<String>) {
        *locked(&self.tables) = tables;
    }

    /// Whether the data has a table of that name.
    pub(crate) fn is_table(&self, name: &str) -> bool {
        let tables = locked(&self.tables);
        tables.iter().any(|table| table.eq_ignore_ascii_case(name))
    }

    /// Threads, seed and limits of the statement that runs.
    pub(crate) fn context(&self) -> Context {
        locked(&self.context).clone()
    }

    /// Sets them for the statements to come.
    pub(crate) fn set_context(&self, context: Context) {
        *locked(&self.context) = context;
    }

    /// The data as learners see it, read when it is first needed.
    pub(crate) fn data(&self) -> Result<Arc<Data>> {
        let known = locked(&self.data).clone();
        let data = match known {
            Some(data) => data,
            None => Arc::new((self.load)(&self.context())?),
        };
        *locked(&self.data) = Some(Arc::clone(&data));
        // What was decided about types and keys matters to learners alone, and is told once.
        if !self.told.swap(true, Ordering::Relaxed) {
            data.notices()
                .iter()
                .cloned()
                .for_each(|notice| self.note(notice));
        }
        Ok(data)
    }

    /// Whether the data is there.
    pub(crate) fn is_read(&self) -> bool {
        locked(&self.data).is_some()
    }

    /// Takes data that is read already.
    pub(crate) fn set_data(&self, data: Data) {
        *locked(&self.data) = Some(Arc::new(data));
    }

    /// Forgets the data: its tables were written to.
    pub(crate) fn forget(&self) {
        *locked(&self.data) = None;
        locked(&self.problems).clear();
    }

    /// The problem of predicting some columns; of none those of the connection, else those that
    /// the data suggests.
    pub(crate) fn problem(&self, targets: &[String]) -> Result<Arc<Problem>> {
        let targets = match targets {
            [] => self.targets.as_slice(),
            given => given,
        };
        if let Some(problem) = locked(&self.problems).get(targets) {
            return Ok(Arc::clone(problem));
        }
        let data = self.data()?;
        let choices = Choices {
            targets: targets.to_vec(),
            ..Choices::default()
        };
        let (problem, notices) = data.problem(&choices)?;
        notices.into_iter().for_each(|notice| self.note(notice));
        let problem = Arc::new(problem);
        locked(&self.problems).insert(targets.to_vec(), Arc::clone(&problem));
        Ok(problem)
    }

    /// Tells something once the statement is done; the same thing once.
    pub(crate) fn note(&self, notice: Notice) {
        let mut notices = locked(&self.notices);
        if !notices.contains(&notice) {
            notices.push(notice);
        }
    }

    /// What there is to tell; it is told once.
    pub(crate) fn take_notices(&self) -> Vec<Notice> {
        std::mem::take(&mut *locked(&self.notices))
    }

    /// Keeps an error as it is, and gives SQLite its words.
    pub(crate) fn failed(&self, error: Error) -> rusqlite::Error {
        let words = error.to_string();
        *locked(&self.failure) = Some(error);
        rusqlite::Error::ModuleError(words)
    }

    /// The error that was kept.
    pub(crate) fn take_failure(&self) -> Option<Error> {
        locked(&self.failure).take()
    }
}
