//! Virtual tables: one adapter between the SQLite that is linked here and what computes rows.
//!
//! A table says what its columns are and, of each, which conditions it can take; the adapter does
//! the rest. A condition that is taken steers the computation and is, unless it is an argument,
//! checked by SQLite again: taking it may only make the answer come sooner, or the search look
//! elsewhere.
//!
//! This is the one place of the crate with unsafe code. SQLite's interface wants the parts that
//! it shares with a table and a cursor first in memory; `rusqlite` therefore makes their traits
//! unsafe to implement. Both structs are `repr(C)`, begin with those parts, and hold owned values
//! alone, so that nothing depends on how long SQLite keeps them.
#![allow(unsafe_code)]

use std::borrow::Cow;
use std::ffi::{CStr, CString, c_int};
use std::sync::Arc;

use rusqlite::fallible_iterator::FallibleIterator;
use rusqlite::types::{Value, ValueRef};
use rusqlite::vtab::{
    Context, CreateVTab, Filters, IndexConstraintOp, IndexInfo, Module, VTab, VTabConnection,
    VTabCursor, VTabKind, sqlite3_vtab, sqlite3_vtab_cursor,
};
use rusqlite::{Connection, Error as SqliteError};

use crate::plan::{Offer, Plan, together};
use crate::source::{Maker, Source, declared};
use crate::state::State;
use crate::walk::{Entry, Walk, caught};

/// A table as SQLite holds it.
#[repr(C)]
pub(crate) struct Table {
    /// What SQLite has there: it must come first.
    base: sqlite3_vtab,
    entry: Entry,
}

/// Registers a table that is there without being created.
pub(crate) fn register(
    connection: &Connection,
    name: &'static CStr,
    state: &Arc<State>,
    source: Arc<dyn Source>,
) -> rusqlite::Result<()> {
    const MODULE: Module<'static, Table> = Module::eponymous_only_module();
    let entry = Entry {
        state: Arc::clone(state),
        source,
    };
    connection.create_module(name, &MODULE, Some(entry))
}

/// A table that was created.
#[repr(C)]
pub(crate) struct CreatedTable {
    /// What SQLite has there: it must come first.
    base: sqlite3_vtab,
    entry: Entry,
    name: String,
    maker: Arc<dyn Maker>,
}

/// What a module of created tables is made from.
pub(crate) struct Making {
    /// What all tables of a connection share.
    pub state: Arc<State>,
    /// What makes them.
    pub maker: Arc<dyn Maker>,
}

/// Registers a module whose tables are created.
pub(crate) fn register_maker(
    connection: &Connection,
    name: &'static CStr,
    making: Making,
) -> rusqlite::Result<()> {
    const MODULE: Module<'static, CreatedTable> = Module::read_only_module();
    connection.create_module(name, &MODULE, Some(making))
}

/// How SQLite is to know the columns.
fn declaration(source: &dyn Source) -> Result<Cow<'static, CStr>, SqliteError> {
    let text = CString::new(declared(source));
    let text = text.map_err(|error| SqliteError::ModuleError(error.to_string()))?;
    Ok(Cow::Owned(text))
}

fn lost() -> SqliteError {
    SqliteError::ModuleError("a table without its module".to_owned())
}

// SAFETY: the struct is `repr(C)` and `sqlite3_vtab` is its first field.
unsafe impl<'vtab> VTab<'vtab> for Table {
    type Aux = Entry;
    type Cursor = Cursor;

    fn connect(
        _: &mut VTabConnection,
        aux: Option<&Entry>,
        _: &[u8],
        _: &[u8],
        _: &[u8],
        _: &[&[u8]],
    ) -> rusqlite::Result<(Cow<'static, CStr>, Self)> {
        let entry = aux.ok_or_else(lost)?.clone();
        let declared = declaration(&*entry.source)?;
        let base = sqlite3_vtab::default();
        Ok((declared, Self { base, entry }))
    }

    fn best_index(&self, info: &mut IndexInfo) -> rusqlite::Result<bool> {
        plan(&*self.entry.source, info)
    }

    fn open(&'vtab mut self) -> rusqlite::Result<Cursor> {
        Ok(Cursor::new(self.entry.clone()))
    }
}

// SAFETY: the struct is `repr(C)` and `sqlite3_vtab` is its first field.
unsafe impl<'vtab> VTab<'vtab> for CreatedTable {
    type Aux = Making;
    type Cursor = Cursor;

    fn connect(
        _: &mut VTabConnection,
        aux: Option<&Making>,
        _: &[u8],
        _: &[u8],
        name: &[u8],
        arguments: &[&[u8]],
    ) -> rusqlite::Result<(Cow<'static, CStr>, Self)> {
        Self::made(aux.ok_or_else(lost)?, name, arguments, false)
    }

    fn best_index(&self, info: &mut IndexInfo) -> rusqlite::Result<bool> {
        plan(&*self.entry.source, info)
    }

    fn open(&'vtab mut self) -> rusqlite::Result<Cursor> {
        Ok(Cursor::new(self.entry.clone()))
    }
}

impl CreateVTab<'_> for CreatedTable {
    const KIND: VTabKind = VTabKind::Default;

    fn create(
        _: &mut VTabConnection,
        aux: Option<&Making>,
        _: &[u8],
        _: &[u8],
        name: &[u8],
        arguments: &[&[u8]],
    ) -> rusqlite::Result<(Cow<'static, CStr>, Self)> {
        Self::made(aux.ok_or_else(lost)?, name, arguments, true)
    }

    fn destroy(&self) -> rusqlite::Result<()> {
        let state = &self.entry.state;
        let dropped = self.maker.drop_table(state, &self.name);
        dropped.map_err(|error| state.failed(error))
    }
}

impl CreatedTable {
    fn made(
        making: &Making,
        name: &[u8],
        arguments: &[&[u8]],
        fresh: bool,
    ) -> rusqlite::Result<(Cow<'static, CStr>, Self)> {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let name = text(name);
        let arguments: Vec<String> = arguments.iter().map(|bytes| text(bytes)).collect();
        let state = &making.state;
        let source = caught(|| making.maker.make(state, &name, &arguments, fresh));
        let source = source.map_err(|error| state.failed(error))?;
        let declared = declaration(&*source)?;
        let table = Self {
            base: sqlite3_vtab::default(),
            entry: Entry {
                state: Arc::clone(state),
                source,
            },
            name,
            maker: Arc::clone(&making.maker),
        };
        Ok((declared, table))
    }
}

/// The number of an operator.
fn code(op: &IndexConstraintOp) -> u8 {
    use IndexConstraintOp as Op;
    match op {
        Op::SQLITE_INDEX_CONSTRAINT_EQ => 2,
        Op::SQLITE_INDEX_CONSTRAINT_GT => 4,
        Op::SQLITE_INDEX_CONSTRAINT_LE => 8,
        Op::SQLITE_INDEX_CONSTRAINT_LT => 16,
        Op::SQLITE_INDEX_CONSTRAINT_GE => 32,
        Op::SQLITE_INDEX_CONSTRAINT_NE => 68,
        Op::SQLITE_INDEX_CONSTRAINT_IS => 72,
        Op::SQLITE_INDEX_CONSTRAINT_LIMIT => 73,
        Op::SQLITE_INDEX_CONSTRAINT_OFFSET => 74,
        Op::SQLITE_INDEX_CONSTRAINT_MATCH => 64,
        Op::SQLITE_INDEX_CONSTRAINT_LIKE => 65,
        Op::SQLITE_INDEX_CONSTRAINT_GLOB => 66,
        Op::SQLITE_INDEX_CONSTRAINT_REGEXP => 67,
        Op::SQLITE_INDEX_CONSTRAINT_ISNOT => 69,
        Op::SQLITE_INDEX_CONSTRAINT_ISNOTNULL => 70,
        Op::SQLITE_INDEX_CONSTRAINT_ISNULL => 71,
        Op::SQLITE_INDEX_CONSTRAINT_FUNCTION(code) => *code,
    }
}

/// Chooses what conditions the table takes, and writes them as the plan.
fn plan(source: &dyn Source, info: &mut IndexInfo) -> rusqlite::Result<bool> {
    let all: Vec<(i32, u8, bool)> = info
        .constraints()
        .map(|constraint| {
            let operator = code(&constraint.operator());
            (constraint.column(), operator, constraint.is_usable())
        })
        .collect();
    let mut offered = Vec::with_capacity(all.len());
    for (place, (column, operator, usable)) in all.into_iter().enumerate() {
        offered.push(Offer {
            column,
            operator,
            usable,
            several: info.is_in_constraint(place)?,
            value: info.rhs_value(place)?.map(owned).transpose()?,
        });
    }
    let Some(plan) = Plan::of(source, &offered) else {
        return Ok(false);
    };
    for (number, taken) in plan.taken.iter().enumerate() {
        if taken.together {
            info.set_in_constraint(taken.place, true)?;
        }
        let mut usage = info.constraint_usage(taken.place);
        usage.set_argv_index(number as c_int + 1);
        usage.set_omit(taken.checked);
    }
    info.set_idx_str(&plan.text);
    info.set_estimated_cost(plan.expected);
    info.set_estimated_rows(plan.expected.clamp(1.0, 1e12) as i64);
    Ok(true)
}

/// A value of its own.
fn owned(value: ValueRef<'_>) -> rusqlite::Result<Value> {
    Value::try_from(value).map_err(|error| SqliteError::ModuleError(error.to_string()))
}

/// A walk over the rows of a table.
#[repr(C)]
pub(crate) struct Cursor {
    /// What SQLite has there: it must come first.
    base: sqlite3_vtab_cursor,
    walk: Walk,
}

impl Cursor {
    fn new(entry: Entry) -> Self {
        Self {
            base: sqlite3_vtab_cursor::default(),
            walk: Walk::new(entry),
        }
    }
}

/// The values of the conditions of a plan.
fn values(plan: &str, filters: &Filters<'_>) -> rusqlite::Result<Vec<Vec<Value>>> {
    let mut all = Vec::new();
    for (place, together) in together(plan).into_iter().enumerate() {
        let mut values = Vec::new();
        if together {
            let mut several = filters.in_values(place)?;
            while let Some(value) = several.next()? {
                values.push(owned(value)?);
            }
        } else {
            values.push(filters.get(place)?);
        }
        all.push(values);
    }
    Ok(all)
}

// SAFETY: the struct is `repr(C)` and `sqlite3_vtab_cursor` is its first field.
unsafe impl VTabCursor for Cursor {
    fn filter(
        &mut self,
        _: c_int,
        plan: Option<&str>,
        filters: &Filters<'_>,
    ) -> rusqlite::Result<()> {
        let plan = plan.unwrap_or("");
        let found = self.walk.find(plan, values(plan, filters)?);
        found.map_err(|error| self.walk.state().failed(error))
    }

    fn next(&mut self) -> rusqlite::Result<()> {
        self.walk.next();
        Ok(())
    }

    fn eof(&self) -> bool {
        self.walk.is_over()
    }

    fn column(&self, context: &mut Context, column: c_int) -> rusqlite::Result<()> {
        let cell = self.walk.cell(column as usize);
        context.set_result(cell.map_err(|error| self.walk.state().failed(error))?)
    }

    fn rowid(&self) -> rusqlite::Result<i64> {
        self.walk
            .id()
            .map_err(|error| self.walk.state().failed(error))
    }
}
