//! Virtual tables: those that are there without being created, and those of models.

use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr::null_mut;
use std::sync::Arc;

use kinwood::queries::host::{Offer, Rows, Table, failure, together};
use kinwood::queries::value::Value;
use rusqlite::ffi;

use super::api::text_at;
use super::db::{Db, Opened};
use super::functions::{done, drop_data};
use super::{guarded, loaded};

/// What a module makes tables from.
struct Making {
    db: Arc<Db>,
    /// The table that is there without being created; nothing where tables are of models.
    table: Option<Table>,
}

/// A table as SQLite holds it.
#[repr(C)]
struct Held {
    /// What SQLite has there: it must come first.
    base: ffi::sqlite3_vtab,
    db: Arc<Db>,
    table: Table,
    /// The name of the model, if it is a table of one.
    name: String,
}

/// A walk as SQLite holds it.
#[repr(C)]
struct Walking {
    /// What SQLite has there: it must come first.
    base: ffi::sqlite3_vtab_cursor,
    opened: Opened,
    rows: Rows,
}

/// A table that is there without being created: it has no `xCreate`.
static THERE: ffi::sqlite3_module = module(false);
/// A table that `CREATE VIRTUAL TABLE` makes.
static CREATED: ffi::sqlite3_module = module(true);

const fn module(created: bool) -> ffi::sqlite3_module {
    ffi::sqlite3_module {
        iVersion: 1,
        xCreate: if created { Some(create) } else { None },
        xConnect: Some(connect),
        xBestIndex: Some(plan),
        xDisconnect: Some(disconnect),
        xDestroy: if created {
            Some(destroy)
        } else {
            Some(disconnect)
        },
        xOpen: Some(open),
        xClose: Some(close),
        xFilter: Some(find),
        xNext: Some(next),
        xEof: Some(is_over),
        xColumn: Some(column),
        xRowid: Some(number),
        xUpdate: None,
        xBegin: None,
        xSync: None,
        xCommit: None,
        xRollback: None,
        xFindFunction: None,
        xRename: None,
        xSavepoint: None,
        xRelease: None,
        xRollbackTo: None,
        xShadowName: None,
        xIntegrity: None,
    }
}

/// Registers all tables, and the module of models; says of each whether SQLite took it.
pub(super) fn register(db: &Arc<Db>) -> impl Iterator<Item = Result<(), String>> {
    let there = db.host.tables().into_iter();
    let there = there.map(|(name, table)| (name, &THERE, Some(table)));
    let all = there.chain([(c"kinwood", &CREATED, None)]);
    all.map(|(name, module, table)| {
        let db = Arc::clone(db);
        add(name, module, Making { db, table })
    })
}

fn add(
    name: &std::ffi::CStr,
    module: &'static ffi::sqlite3_module,
    making: Making,
) -> Result<(), String> {
    let database = making.db.handle();
    let data = Box::into_raw(Box::new(making)).cast::<c_void>();
    // SAFETY: the data is a box of that type, which SQLite drops once, also where this fails.
    let added = unsafe {
        let dropped = Some(drop_data::<Making> as super::api::Destroy);
        loaded().create_module_v2(database, name.as_ptr(), module, data, dropped)
    };
    done(added, &name.to_string_lossy())
}

/// The data of a module and the arguments of a table, as SQLite hands them over.
#[derive(Clone, Copy)]
struct Asked {
    database: *mut ffi::sqlite3,
    data: *mut c_void,
    count: c_int,
    arguments: *const *const c_char,
}

unsafe extern "C" fn create(
    database: *mut ffi::sqlite3,
    data: *mut c_void,
    count: c_int,
    arguments: *const *const c_char,
    table: *mut *mut ffi::sqlite3_vtab,
    message: *mut *mut c_char,
) -> c_int {
    let asked = Asked {
        database,
        data,
        count,
        arguments,
    };
    // SAFETY: these are what SQLite has handed over.
    unsafe { made(asked, true, table, message) }
}

unsafe extern "C" fn connect(
    database: *mut ffi::sqlite3,
    data: *mut c_void,
    count: c_int,
    arguments: *const *const c_char,
    table: *mut *mut ffi::sqlite3_vtab,
    message: *mut *mut c_char,
) -> c_int {
    let asked = Asked {
        database,
        data,
        count,
        arguments,
    };
    // SAFETY: these are what SQLite has handed over.
    unsafe { made(asked, false, table, message) }
}

/// Makes a table and hands it to SQLite, which gives it back to `disconnect` or `destroy`.
///
/// # Safety
///
/// All pointers are those that SQLite has handed over.
unsafe fn made(
    asked: Asked,
    fresh: bool,
    place: *mut *mut ffi::sqlite3_vtab,
    message: *mut *mut c_char,
) -> c_int {
    // SAFETY: the data is the box that `add` gave; the arguments are texts, as many as are counted.
    let (making, arguments) = unsafe {
        let count = usize::try_from(asked.count).unwrap_or(0);
        let arguments = (0..count).filter_map(|at| text_at(*asked.arguments.add(at)));
        let arguments: Vec<String> = arguments.collect();
        (&*asked.data.cast::<Making>(), arguments)
    };
    let held = guarded(|| {
        let held = making.held(&arguments, fresh)?;
        let declared = CString::new(held.table.declaration()).map_err(|error| error.to_string())?;
        // SAFETY: SQLite waits for this call within this callback.
        let code = unsafe { loaded().declare_vtab(asked.database, declared.as_ptr()) };
        done(code, "a table")?;
        Ok(Box::new(held))
    });
    // SAFETY: SQLite wants the table at one place or a message at the other.
    unsafe {
        match held {
            Ok(held) => {
                *place = Box::into_raw(held).cast();
                ffi::SQLITE_OK
            }
            Err(words) => {
                *message = loaded().text(&words);
                ffi::SQLITE_ERROR
            }
        }
    }
}

impl Making {
    /// The table of a module's name, database, table and further arguments.
    fn held(&self, arguments: &[String], fresh: bool) -> Result<Held, String> {
        let db = Arc::clone(&self.db);
        let (table, name) = match &self.table {
            Some(table) => (table.clone(), String::new()),
            None => {
                let [_, _, name, settings @ ..] = arguments else {
                    return Err("a table without a name".to_owned());
                };
                let host = &db.host;
                let model = || host.model(name, settings, fresh);
                // What is found is read when it is needed: SQLite may be reading its tables.
                let table = match fresh {
                    true => db.work(model)?,
                    false => model().map_err(|error| error.to_string())?,
                };
                (table, name.clone())
            }
        };
        Ok(Held {
            base: ffi::sqlite3_vtab {
                pModule: std::ptr::null(),
                nRef: 0,
                zErrMsg: null_mut(),
            },
            db,
            table,
            name,
        })
    }
}

unsafe extern "C" fn disconnect(table: *mut ffi::sqlite3_vtab) -> c_int {
    // SAFETY: the table is the box that `made` gave, which SQLite gives back once.
    let held = unsafe { Box::from_raw(table.cast::<Held>()) };
    let _ = guarded(|| {
        drop(held);
        Ok(())
    });
    ffi::SQLITE_OK
}

unsafe extern "C" fn destroy(table: *mut ffi::sqlite3_vtab) -> c_int {
    // SAFETY: the table is the box that `made` gave; SQLite calls nothing else meanwhile.
    let held = unsafe { &*table.cast::<Held>() };
    let dropped = guarded(|| {
        let forgotten = held.db.host.forget_model(&held.name);
        forgotten.map_err(|error| error.to_string())
    });
    // SAFETY: as above; where the model stays SQLite keeps the table.
    unsafe {
        match dropped {
            Ok(()) => disconnect(table),
            Err(words) => told(table, &words),
        }
    }
}

/// Leaves a message at a table.
///
/// # Safety
///
/// The table is one that SQLite has handed over.
unsafe fn told(table: *mut ffi::sqlite3_vtab, words: &str) -> c_int {
    // SAFETY: SQLite frees the message; an earlier one is freed here.
    unsafe {
        loaded().free((*table).zErrMsg.cast());
        (*table).zErrMsg = loaded().text(words);
    }
    ffi::SQLITE_ERROR
}

unsafe extern "C" fn plan(
    table: *mut ffi::sqlite3_vtab,
    info: *mut ffi::sqlite3_index_info,
) -> c_int {
    // SAFETY: the table is the box that `made` gave.
    let held = unsafe { &*table.cast::<Held>() };
    // SAFETY: `info` is what SQLite has handed over for this callback.
    let planned = guarded(|| {
        let offered = unsafe { offered(info) };
        Ok(held.table.plan(&offered))
    });
    let plan = match planned {
        Ok(Some(plan)) => plan,
        Ok(None) => return ffi::SQLITE_CONSTRAINT,
        // SAFETY: the table is what SQLite has handed over.
        Err(words) => return unsafe { told(table, &words) },
    };
    // SAFETY: every place is one of those offered, of which there are as many usages; the text is
    // SQLite's to free.
    unsafe {
        for (number, taken) in plan.taken.iter().enumerate() {
            if taken.together {
                loaded().vtab_in(info, taken.place as c_int, 1);
            }
            let usage = (*info).aConstraintUsage.add(taken.place);
            (*usage).argvIndex = number as c_int + 1;
            (*usage).omit = u8::from(taken.checked);
        }
        (*info).idxStr = loaded().text(&plan.text);
        (*info).needToFreeIdxStr = 1;
        (*info).estimatedCost = plan.expected;
        (*info).estimatedRows = plan.expected.clamp(1.0, 1e12) as i64;
    }
    ffi::SQLITE_OK
}

/// The conditions that SQLite offers.
///
/// # Safety
///
/// SQLite has just handed `info` over.
unsafe fn offered(info: *mut ffi::sqlite3_index_info) -> Vec<Offer> {
    // SAFETY: there are as many conditions as are counted, and each may be asked about.
    unsafe {
        let count = usize::try_from((*info).nConstraint).unwrap_or(0);
        let offer = |place: usize| {
            let condition = *(*info).aConstraint.add(place);
            let mut value = null_mut();
            let code = loaded().vtab_rhs_value(info, place as c_int, &raw mut value);
            Offer {
                column: condition.iColumn,
                operator: condition.op,
                usable: condition.usable != 0,
                several: loaded().vtab_in(info, place as c_int, -1) != 0,
                value: (code == ffi::SQLITE_OK && !value.is_null()).then(|| loaded().value(value)),
            }
        };
        (0..count).map(offer).collect()
    }
}

unsafe extern "C" fn open(
    table: *mut ffi::sqlite3_vtab,
    cursor: *mut *mut ffi::sqlite3_vtab_cursor,
) -> c_int {
    // SAFETY: the table is the box that `made` gave.
    let held = unsafe { &*table.cast::<Held>() };
    let opened = guarded(|| {
        Ok(Box::new(Walking {
            base: ffi::sqlite3_vtab_cursor { pVtab: table },
            opened: held.db.opened(),
            rows: held.table.rows(),
        }))
    });
    // SAFETY: SQLite wants the cursor there, and gives it back to `close`.
    unsafe {
        match opened {
            Ok(walking) => {
                *cursor = Box::into_raw(walking).cast();
                ffi::SQLITE_OK
            }
            Err(words) => told(table, &words),
        }
    }
}

unsafe extern "C" fn close(cursor: *mut ffi::sqlite3_vtab_cursor) -> c_int {
    // SAFETY: the cursor is the box that `open` gave, which SQLite gives back once.
    let walking = unsafe { Box::from_raw(cursor.cast::<Walking>()) };
    let _ = guarded(|| {
        drop(walking);
        Ok(())
    });
    ffi::SQLITE_OK
}

unsafe extern "C" fn find(
    cursor: *mut ffi::sqlite3_vtab_cursor,
    _: c_int,
    plan: *const c_char,
    count: c_int,
    arguments: *mut *mut ffi::sqlite3_value,
) -> c_int {
    // SAFETY: the cursor is the box that `open` gave, which nobody else uses; the plan is a text
    // and the arguments are as many as are counted.
    let (walking, found) = unsafe {
        let walking = &mut *cursor.cast::<Walking>();
        let found = guarded(|| {
            let plan = text_at(plan).unwrap_or_default();
            let values = values(&plan, count, arguments)?;
            let Walking { opened, rows, .. } = &mut *walking;
            opened.db().work(|| rows.find(&plan, values))
        });
        (walking, found)
    };
    match found {
        Ok(()) => ffi::SQLITE_OK,
        // SAFETY: the cursor's table is open.
        Err(words) => unsafe { told(walking.base.pVtab, &words) },
    }
}

/// The values of the conditions of a plan: all of them where an `IN` comes together.
///
/// # Safety
///
/// The arguments are as many as are counted, and SQLite has just handed them over.
unsafe fn values(
    plan: &str,
    count: c_int,
    arguments: *mut *mut ffi::sqlite3_value,
) -> Result<Vec<Vec<Value>>, String> {
    let together = together(plan);
    if usize::try_from(count) != Ok(together.len()) {
        return Err(failure("SQLite hands over another number of values").to_string());
    }
    let api = loaded();
    // SAFETY: as the caller promises.
    let each = |(place, together): (usize, bool)| unsafe {
        let argument = *arguments.add(place);
        if !together {
            return Ok(vec![api.value(argument)]);
        }
        let mut values = Vec::new();
        let mut value = null_mut();
        let mut code = api.vtab_in_first(argument, &raw mut value);
        while code == ffi::SQLITE_OK && !value.is_null() {
            values.push(api.value(value));
            code = api.vtab_in_next(argument, &raw mut value);
        }
        match code {
            ffi::SQLITE_OK | ffi::SQLITE_DONE => Ok(values),
            code => Err(format!("the values of `IN` cannot be read: code {code}")),
        }
    };
    together.into_iter().enumerate().map(each).collect()
}

unsafe extern "C" fn next(cursor: *mut ffi::sqlite3_vtab_cursor) -> c_int {
    // SAFETY: the cursor is the box that `open` gave, which nobody else uses.
    unsafe { &mut *cursor.cast::<Walking>() }.rows.next();
    ffi::SQLITE_OK
}

unsafe extern "C" fn is_over(cursor: *mut ffi::sqlite3_vtab_cursor) -> c_int {
    // SAFETY: the cursor is the box that `open` gave.
    let walking = unsafe { &*cursor.cast::<Walking>() };
    c_int::from(guarded(|| Ok(walking.rows.is_over())).unwrap_or(true))
}

unsafe extern "C" fn column(
    cursor: *mut ffi::sqlite3_vtab_cursor,
    context: *mut ffi::sqlite3_context,
    column: c_int,
) -> c_int {
    // SAFETY: the cursor is the box that `open` gave.
    let walking = unsafe { &*cursor.cast::<Walking>() };
    let cell = guarded(|| {
        let column = usize::try_from(column).map_err(|error| error.to_string())?;
        walking.rows.cell(column).map_err(|error| error.to_string())
    });
    // SAFETY: the context is that of this callback.
    unsafe {
        match cell {
            Ok(value) => loaded().answer(context, &value),
            Err(words) => loaded().fail(context, &words),
        }
    }
    ffi::SQLITE_OK
}

unsafe extern "C" fn number(cursor: *mut ffi::sqlite3_vtab_cursor, number: *mut i64) -> c_int {
    // SAFETY: the cursor is the box that `open` gave.
    let walking = unsafe { &*cursor.cast::<Walking>() };
    let found = guarded(|| walking.rows.id().map_err(|error| error.to_string()));
    // SAFETY: SQLite wants the number there; the cursor's table is open.
    unsafe {
        match found {
            Ok(own) => {
                *number = own;
                ffi::SQLITE_OK
            }
            Err(words) => told(walking.base.pVtab, &words),
        }
    }
}
