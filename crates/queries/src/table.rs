//! Virtual tables: one adapter between SQLite and what computes rows.
//!
//! A table says what its columns are and, of each, which conditions it can take; the adapter does
//! the rest. A condition that is taken steers the computation and is, unless it is an argument,
//! checked by SQLite again: taking it may only make the answer come sooner, or the search look
//! elsewhere. The plan is written as text that a person reads in `EXPLAIN QUERY PLAN` and the
//! cursor reads back: `steered by size<=?, uses=?; filtered afterwards by leaves=?`.
//!
//! This is the one place of the crate with unsafe code. SQLite's interface wants the parts that
//! it shares with a table and a cursor first in memory; `rusqlite` therefore makes their traits
//! unsafe to implement. Both structs are `repr(C)`, begin with those parts, and hold owned values
//! alone, so that nothing depends on how long SQLite keeps them.
#![allow(unsafe_code)]

use std::borrow::Cow;
use std::ffi::{CStr, CString, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use rusqlite::types::{Value, ValueRef};
use rusqlite::vtab::{
    Context, CreateVTab, Filters, IndexConstraintOp, IndexInfo, Module, VTab, VTabConnection,
    VTabCursor, VTabKind, sqlite3_vtab, sqlite3_vtab_cursor,
};
use rusqlite::{Connection, Error as SqliteError};

use crate::conditions::{Comparison, Conditions, Given};
use crate::error::{Error, Result};
use crate::state::State;

/// A column of a virtual table.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    /// Its name.
    pub name: &'static str,
    /// How it is declared: its type, and `HIDDEN` where `SELECT *` leaves it out.
    pub declared: &'static str,
    /// The conditions that it takes.
    pub takes: &'static [Comparison],
    /// Whether it is an argument: given by `=`, not found.
    pub argument: bool,
}

impl Field {
    /// A column of what is found.
    pub(crate) const fn found(name: &'static str, declared: &'static str) -> Self {
        Self {
            name,
            declared,
            takes: &[],
            argument: false,
        }
    }

    /// A column whose conditions steer.
    pub(crate) const fn steering(
        name: &'static str,
        declared: &'static str,
        takes: &'static [Comparison],
    ) -> Self {
        Self {
            name,
            declared,
            takes,
            argument: false,
        }
    }

    /// An argument, in the order in which a call gives them.
    pub(crate) const fn argument(name: &'static str) -> Self {
        Self {
            name,
            declared: "HIDDEN",
            takes: &[Comparison::Equal],
            argument: true,
        }
    }
}

/// What a query found, row by row.
pub(crate) trait Rows: Send {
    /// How many there are.
    fn len(&self) -> usize;
    /// The number by which SQLite tells a row from others.
    fn id(&self, row: usize) -> i64 {
        row as i64 + 1
    }
    /// The value of a column, by its place among the fields.
    fn cell(&self, row: usize, column: usize) -> Result<Value>;
}

/// Rows whose cells are all there.
pub(crate) struct Ready(pub Vec<Vec<Value>>);

impl Rows for Ready {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn cell(&self, row: usize, column: usize) -> Result<Value> {
        Ok(self.0[row].get(column).cloned().unwrap_or(Value::Null))
    }
}

/// What computes the rows of a virtual table.
pub(crate) trait Source: Send + Sync + 'static {
    /// The columns; arguments in the order in which a call gives them.
    fn fields(&self) -> &[Field];

    /// Whether the table uses how many rows are wanted.
    fn takes_limit(&self) -> bool {
        false
    }

    /// About how many rows there are under conditions on these columns.
    fn expected(&self, taken: &[&str]) -> f64;

    /// The rows that meet the conditions taken; more do no harm.
    fn rows(&self, state: &Arc<State>, conditions: &Conditions) -> Result<Box<dyn Rows>>;
}

/// A table as SQLite holds it.
#[repr(C)]
pub(crate) struct Table {
    /// What SQLite has there: it must come first.
    base: sqlite3_vtab,
    entry: Entry,
}

/// What a table is made from.
#[derive(Clone)]
pub(crate) struct Entry {
    /// What all tables of a connection share.
    pub state: Arc<State>,
    /// What computes its rows.
    pub source: Arc<dyn Source>,
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

/// What makes tables by `CREATE VIRTUAL TABLE`.
pub(crate) trait Maker: Send + Sync + 'static {
    /// Makes one; `fresh` where it is created rather than found again.
    fn make(
        &self,
        state: &Arc<State>,
        name: &str,
        arguments: &[String],
        fresh: bool,
    ) -> Result<Arc<dyn Source>>;

    /// Forgets one that is dropped.
    fn drop_table(&self, state: &Arc<State>, name: &str) -> Result<()>;
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
    let columns: Vec<String> = source
        .fields()
        .iter()
        .map(|field| format!("\"{}\" {}", field.name, field.declared))
        .collect();
    let text = format!("CREATE TABLE x({})", columns.join(", "));
    let text = CString::new(text).map_err(|error| SqliteError::ModuleError(error.to_string()))?;
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

/// The comparison of an operator of SQLite, if it is one that tables take.
fn comparison(op: &IndexConstraintOp) -> Option<Comparison> {
    use IndexConstraintOp as Op;
    Some(match op {
        Op::SQLITE_INDEX_CONSTRAINT_EQ | Op::SQLITE_INDEX_CONSTRAINT_IS => Comparison::Equal,
        Op::SQLITE_INDEX_CONSTRAINT_NE | Op::SQLITE_INDEX_CONSTRAINT_ISNOT => Comparison::Unequal,
        Op::SQLITE_INDEX_CONSTRAINT_LT => Comparison::Below,
        Op::SQLITE_INDEX_CONSTRAINT_LE => Comparison::AtMost,
        Op::SQLITE_INDEX_CONSTRAINT_GT => Comparison::Above,
        Op::SQLITE_INDEX_CONSTRAINT_GE => Comparison::AtLeast,
        _ => return None,
    })
}

/// Chooses what conditions the table takes, and writes them as the plan.
fn plan(source: &dyn Source, info: &mut IndexInfo) -> rusqlite::Result<bool> {
    use IndexConstraintOp as Op;
    let fields = source.fields();
    let constraints: Vec<(i32, IndexConstraintOp, bool)> = info
        .constraints()
        .map(|constraint| {
            let (column, op) = (constraint.column(), constraint.operator());
            (column, op, constraint.is_usable())
        })
        .collect();
    let mut steering: Vec<(usize, String, bool)> = Vec::new();
    let (mut taken, mut filtered) = (Vec::new(), Vec::new());
    let mut limits = Vec::new();
    let mut all = true;
    for (place, (column, op, usable)) in constraints.iter().enumerate() {
        if matches!(
            op,
            Op::SQLITE_INDEX_CONSTRAINT_LIMIT | Op::SQLITE_INDEX_CONSTRAINT_OFFSET
        ) {
            if *usable {
                let name = match op {
                    Op::SQLITE_INDEX_CONSTRAINT_LIMIT => "limit",
                    _ => "offset",
                };
                limits.push((place, format!("{name}=?")));
            }
            continue;
        }
        let field = usize::try_from(*column).ok().and_then(|at| fields.get(at));
        let compared = comparison(op);
        let Some((field, comparison)) = field.zip(compared) else {
            all = false;
            continue;
        };
        if !field.takes.contains(&comparison) {
            all = false;
            filtered.push(format!("{}{}?", field.name, comparison.sign()));
            continue;
        }
        if !usable {
            // An argument that another table gives wants that table first.
            if field.argument && comparison == Comparison::Equal {
                return Ok(false);
            }
            all = false;
            continue;
        }
        // A column that takes `=` takes all values of `IN` together; an argument is called once
        // for each.
        let together = !field.argument && info.is_in_constraint(place)?;
        if together {
            info.set_in_constraint(place, true)?;
        }
        let sign = match together {
            true => " in ",
            false => comparison.sign(),
        };
        taken.push(field.name);
        steering.push((
            place,
            format!("{}{sign}?", field.name),
            field.argument || together,
        ));
    }
    if source.takes_limit() && all {
        steering.extend(limits.into_iter().map(|(place, text)| (place, text, false)));
    }
    let mut words = Vec::with_capacity(steering.len());
    for (number, (place, text, omit)) in steering.into_iter().enumerate() {
        let mut usage = info.constraint_usage(place);
        usage.set_argv_index(number as c_int + 1);
        usage.set_omit(omit);
        words.push(text);
    }
    let mut told = match words.is_empty() {
        true => "steered by nothing".to_owned(),
        false => format!("steered by {}", words.join(", ")),
    };
    if !filtered.is_empty() {
        told += &format!("; filtered afterwards by {}", filtered.join(", "));
    }
    let expected = source.expected(&taken);
    info.set_idx_str(&told);
    info.set_estimated_cost(expected);
    info.set_estimated_rows(expected.clamp(1.0, 1e12) as i64);
    Ok(true)
}

/// Reads the conditions of a plan back.
fn read_plan(text: &str) -> Vec<(String, Comparison, bool)> {
    let steering = text.split(';').next().unwrap_or("");
    let steering = steering.strip_prefix("steered by ").unwrap_or("");
    let condition = |word: &str| {
        let word = word.strip_suffix('?')?;
        if let Some(name) = word.strip_suffix(" in ") {
            return Some((name.to_owned(), Comparison::Equal, true));
        }
        let mut signs = Comparison::ALL.iter();
        signs.find_map(|(comparison, sign)| {
            let name = word.strip_suffix(sign)?;
            Some((name.to_owned(), *comparison, false))
        })
    };
    steering.split(", ").filter_map(condition).collect()
}

/// A value of its own.
fn owned(value: ValueRef<'_>) -> rusqlite::Result<Value> {
    Value::try_from(value).map_err(|error| SqliteError::ModuleError(error.to_string()))
}

/// Work whose panic is an error: SQLite's frames must not be unwound through.
fn caught<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(Error::Panicked))
}

/// A walk over the rows of a table.
#[repr(C)]
pub(crate) struct Cursor {
    /// What SQLite has there: it must come first.
    base: sqlite3_vtab_cursor,
    entry: Entry,
    arguments: Vec<(usize, Value)>,
    rows: Box<dyn Rows>,
    at: usize,
}

impl Cursor {
    fn new(entry: Entry) -> Self {
        Self {
            base: sqlite3_vtab_cursor::default(),
            entry,
            arguments: Vec::new(),
            rows: Box::new(Ready(Vec::new())),
            at: 0,
        }
    }

    fn conditions(&self, plan: &str, filters: &Filters<'_>) -> rusqlite::Result<Conditions> {
        let mut conditions = Conditions::default();
        for (place, (name, comparison, together)) in read_plan(plan).into_iter().enumerate() {
            let mut values = Vec::new();
            if together {
                let mut all = filters.in_values(place)?;
                while let Some(value) =
                    rusqlite::fallible_iterator::FallibleIterator::next(&mut all)?
                {
                    values.push(owned(value)?);
                }
            } else {
                values.push(filters.get(place)?);
            }
            conditions.0.push(Given {
                name,
                comparison,
                values,
            });
        }
        Ok(conditions)
    }
}

// SAFETY: the struct is `repr(C)` and `sqlite3_vtab_cursor` is its first field.
unsafe impl VTabCursor for Cursor {
    fn filter(
        &mut self,
        _: c_int,
        plan: Option<&str>,
        filters: &Filters<'_>,
    ) -> rusqlite::Result<()> {
        let conditions = self.conditions(plan.unwrap_or(""), filters)?;
        let Entry { state, source } = &self.entry;
        let fields = source.fields().iter().enumerate();
        self.arguments = fields
            .filter(|(_, field)| field.argument)
            .filter_map(|(place, field)| Some((place, conditions.equal(field.name)?.clone())))
            .collect();
        self.at = 0;
        let rows = caught(|| source.rows(state, &conditions));
        self.rows = rows.map_err(|error| state.failed(error))?;
        Ok(())
    }

    fn next(&mut self) -> rusqlite::Result<()> {
        self.at += 1;
        Ok(())
    }

    fn eof(&self) -> bool {
        self.at >= self.rows.len()
    }

    fn column(&self, context: &mut Context, column: c_int) -> rusqlite::Result<()> {
        let column = column as usize;
        let given = self.arguments.iter().find(|(place, _)| *place == column);
        if let Some((_, value)) = given {
            return context.set_result(value.clone());
        }
        let cell = caught(|| self.rows.cell(self.at, column));
        context.set_result(cell.map_err(|error| self.entry.state.failed(error))?)
    }

    fn rowid(&self) -> rusqlite::Result<i64> {
        Ok(self.rows.id(self.at))
    }
}
