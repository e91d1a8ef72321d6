//! The same tables and functions for a SQLite that is not the one linked here: a program that holds
//! a database loads them.
//!
//! Such a program says what a table of its SQLite is given, and hands over a copy of its database
//! when learners first need it; it makes no connection of ours.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

use kinwood_learners::{Context, Registry};
use kinwood_values::Notice;
use kinwood_workbench::{Opening, open::allowance};
use rusqlite::types::Value;

use crate::created::Models;
use crate::error::{Error, Result};
use crate::functions;
use crate::kept::Kept;
use crate::session::Session;
use crate::side::Side;
use crate::source::{Maker, Source, declared};
use crate::state::State;
use crate::tables;
use crate::walk::{Entry, Walk, caught};

pub use crate::plan::{Offer, Plan, Taken, together};

/// What all tables and functions of a database share.
#[derive(Clone)]
pub struct Host {
    state: Arc<State>,
}

/// A table, as the program's SQLite holds it.
#[derive(Clone)]
pub struct Table {
    entry: Entry,
}

/// A walk over the rows of a table.
pub struct Rows {
    walk: Walk,
}

/// A function of SQL.
#[derive(Clone, Copy)]
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// How many arguments it has.
    pub arguments: i32,
    /// Whether it may take long however much is known already.
    pub slow: bool,
    call: functions::Function,
}

/// The bytes of a copy of the database.
pub type Copied = std::result::Result<Vec<u8>, String>;

/// The bytes of a SQLite file that say whether it is in write-ahead mode.
const MODE: std::ops::Range<usize> = 18..20;

impl Host {
    /// Of a database in this file, or in memory; `copy` gives its bytes when they are needed.
    pub fn new(path: Option<&Path>, copy: impl Fn() -> Copied + Send + Sync + 'static) -> Self {
        let side = match path {
            Some(path) => Side::beside(path, true),
            None => Side::nowhere(),
        };
        let own = path.map(Path::to_owned);
        let place = path.map_or_else(|| PathBuf::from("memory.sqlite"), Path::to_owned);
        let load = move |context: &Context| {
            let failed = std::io::Error::other;
            let bytes = copy().map_err(failed).and_then(|mut bytes| {
                // A copy is whole: it has no second file that a program writes ahead into.
                if let Some(mode) = bytes.get_mut(MODE) {
                    mode.fill(1);
                }
                let folder = tempfile::tempdir()?;
                let file = folder.path().join(place.file_name().unwrap_or_default());
                std::fs::write(&file, bytes)?;
                Ok((folder, file))
            });
            let (_folder, file) = bytes.map_err(|source| kinwood_formats::Error::Read {
                path: place.clone(),
                source,
            })?;
            let mut opening = Opening::default();
            opening.read.allowance = allowance(context);
            opening.read.schema = own.as_deref().and_then(schema_beside);
            let opened = context.install(|| kinwood_workbench::open(&file, &opening));
            Ok(opened?.read_from(place.display().to_string()))
        };
        let (registry, context) = (Registry::new(), Context::new());
        let kept = side.models();
        let session = Session::new(registry, side, Vec::new(), context, Box::new(load));
        let state = State::new(session);
        // SQLite connects a table when a statement first names it; functions name models alone.
        let mut models = state.models.lock().unwrap_or_else(PoisonError::into_inner);
        for name in kept {
            let unread = Arc::new(Kept::unread(&name));
            models.insert(name, unread);
        }
        drop(models);
        Self {
            state: Arc::new(state),
        }
    }

    /// The tables that are there without being created, by name.
    pub fn tables(&self) -> Vec<(&'static std::ffi::CStr, Table)> {
        let table = |source: &Arc<dyn Source>| self.table(Arc::clone(source));
        let all = tables::all().into_iter();
        all.flat_map(|(name, other, source)| [(name, table(&source)), (other, table(&source))])
            .collect()
    }

    /// The functions.
    pub fn functions() -> impl Iterator<Item = Function> {
        functions::ALL
            .iter()
            .map(|&(name, arguments, call)| Function {
                name,
                arguments,
                slow: name == "evaluate",
                call,
            })
    }

    /// The table of a model: fitted where it is `fresh`, else found beside the database.
    pub fn model(&self, name: &str, arguments: &[String], fresh: bool) -> Result<Table> {
        let source = caught(|| Models.make(&self.state, name, arguments, fresh))?;
        Ok(self.table(source))
    }

    /// Forgets a model.
    pub fn forget_model(&self, name: &str) -> Result<()> {
        caught(|| Models.drop_table(&self.state, name))
    }

    fn table(&self, source: Arc<dyn Source>) -> Table {
        let state = Arc::clone(&self.state);
        Table {
            entry: Entry { state, source },
        }
    }

    /// What a function says.
    pub fn call(&self, function: &Function, arguments: &[Value]) -> Result<Value> {
        caught(|| (function.call)(&self.state, arguments))
    }

    /// Whether the data has been read since it was last forgotten.
    pub fn is_read(&self) -> bool {
        self.state.is_read()
    }

    /// Forgets the data and what was found in it: the database was written to.
    pub fn forget(&self) {
        self.state.forget_data();
    }

    /// Threads, limits and progress of the work to come.
    pub fn set_context(&self, context: Context) {
        self.state.set_context(context);
    }

    /// Tells something by and by.
    pub fn note(&self, words: impl Into<String>) {
        self.state.note(Notice::new(words.into()));
    }

    /// What was decided without being asked since this was last called, a line each.
    pub fn notes(&self) -> Vec<String> {
        let notices = self.state.take_notices().into_iter();
        notices.map(|notice| notice.message().to_owned()).collect()
    }
}

/// The schema beside a file, which its copy has not.
fn schema_beside(path: &Path) -> Option<PathBuf> {
    let table = kinwood_formats::Source::open(path).ok()?.table_name();
    let beside = path.with_file_name(format!("{table}.schema.toml"));
    beside.is_file().then_some(beside)
}

impl Table {
    /// The table as a statement that declares its columns.
    pub fn declaration(&self) -> String {
        declared(&*self.entry.source)
    }

    /// What it takes of what is offered; nothing where another order of the tables is needed.
    pub fn plan(&self, offered: &[Offer]) -> Option<Plan> {
        Plan::of(&*self.entry.source, offered)
    }

    /// A walk over its rows, which has not begun.
    pub fn rows(&self) -> Rows {
        Rows {
            walk: Walk::new(self.entry.clone()),
        }
    }
}

impl Rows {
    /// Begins: finds the rows that meet the conditions of a plan, with these values.
    pub fn find(&mut self, plan: &str, values: Vec<Vec<Value>>) -> Result<()> {
        self.walk.find(plan, values)
    }

    /// Goes on to the next row.
    pub fn next(&mut self) {
        self.walk.next();
    }

    /// Whether there are no more rows.
    pub fn is_over(&self) -> bool {
        self.walk.is_over()
    }

    /// A value of the row.
    pub fn cell(&self, column: usize) -> Result<Value> {
        self.walk.cell(column)
    }

    /// The number by which SQLite tells the row from others.
    pub fn id(&self) -> Result<i64> {
        self.walk.id()
    }
}

/// How lists of names are ordered, so that one equals each name that is in it.
pub use crate::tables::compare_uses;

/// An error of a program that holds a database, in words.
pub fn failure(words: impl Into<String>) -> Error {
    Error::Side(words.into())
}
