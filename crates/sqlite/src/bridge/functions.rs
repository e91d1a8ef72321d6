//! The functions of SQL and the order of lists of names.

use std::cmp::Ordering;
use std::ffi::{CString, c_int, c_void};
use std::ptr::null_mut;
use std::sync::Arc;

use kinwood::queries::host::{Function, Host, compare_uses};
use kinwood::queries::value::Value;
use rusqlite::ffi;

use super::api::Call;
use super::db::Db;
use super::{guarded, loaded};

/// A function of SQL with the database that it is of.
struct Registered {
    db: Arc<Db>,
    function: Function,
}

/// Registers the function that says what is noted.
pub(super) fn register_notes(db: &Arc<Db>) -> Result<(), String> {
    create(db, "kinwood_notes", 0, Arc::clone(db), notes)
}

/// Registers all other functions and the order of lists of names; says of each whether SQLite took
/// it.
pub(super) fn register(db: &Arc<Db>) -> impl Iterator<Item = Result<(), String>> {
    let functions = Host::functions().map(|function| {
        let data = Registered {
            db: Arc::clone(db),
            function,
        };
        create(db, function.name, function.arguments, data, call)
    });
    functions.chain([register_order(db)])
}

fn register_order(db: &Db) -> Result<(), String> {
    // SAFETY: the order keeps nothing; the name ends with zero.
    let ordered = unsafe {
        loaded().create_collation_v2(
            db.handle(),
            c"kinwood_uses".as_ptr(),
            ffi::SQLITE_UTF8,
            null_mut(),
            Some(order),
            None,
        )
    };
    done(ordered, "kinwood_uses")
}

/// Registers a function with its data, which SQLite drops.
fn create<T>(
    db: &Db,
    name: &'static str,
    arguments: c_int,
    data: T,
    function: Call,
) -> Result<(), String> {
    let own = CString::new(name).map_err(|error| error.to_string())?;
    let data = Box::into_raw(Box::new(data)).cast::<c_void>();
    let flags = ffi::SQLITE_UTF8 | ffi::SQLITE_DIRECTONLY;
    // SAFETY: the data is a box of that type, which SQLite drops once, also where this fails.
    let created = unsafe {
        loaded().create_function_v2(
            db.handle(),
            own.as_ptr(),
            arguments,
            flags,
            data,
            Some(function),
            None,
            None,
            Some(drop_data::<T>),
        )
    };
    done(created, name)
}

/// Whether SQLite took what was registered.
pub(super) fn done(code: c_int, name: &str) -> Result<(), String> {
    match code {
        ffi::SQLITE_OK => Ok(()),
        code => Err(format!("SQLite does not take `{name}`: code {code}")),
    }
}

/// Drops the data of a module or function.
pub(super) unsafe extern "C" fn drop_data<T>(data: *mut c_void) {
    // SAFETY: the data is a box of that type, which SQLite gives back once.
    let data = unsafe { Box::from_raw(data.cast::<T>()) };
    let _ = guarded(|| {
        drop(data);
        Ok(())
    });
}

unsafe extern "C" fn call(
    context: *mut ffi::sqlite3_context,
    count: c_int,
    arguments: *mut *mut ffi::sqlite3_value,
) {
    let api = loaded();
    // SAFETY: the context is that of this call.
    let data = unsafe { api.user_data(context).cast::<Registered>() };
    // SAFETY: the data is the box that `register` gave, which SQLite keeps while it calls.
    let Registered { db, function } = unsafe { &*data };
    let count = usize::try_from(count).unwrap_or(0);
    // SAFETY: SQLite hands over so many values.
    let values: Vec<Value> = (0..count)
        .map(|place| unsafe { api.value(*arguments.add(place)) })
        .collect();
    // What is left with an argument stays there until the statement ends.
    // SAFETY: the context is that of this call, which has an argument; what is left is no pointer
    // that anybody follows.
    unsafe {
        if count > 0 && api.get_auxdata(context, 0).is_null() {
            db.called_first();
            api.set_auxdata(context, 0, data.cast(), None);
        }
    }
    // The work gets no handle: those stay on this thread.
    let host = &db.host;
    let answered = guarded(|| match function.slow {
        true => db.work(|| host.call(function, &values)),
        false => db.quick(|| host.call(function, &values)),
    });
    // SAFETY: the context is that of this call.
    unsafe {
        match answered {
            Ok(value) => api.answer(context, &value),
            Err(words) => api.fail(context, &words),
        }
    }
}

/// What was decided without being asked since this was last called, a line each.
unsafe extern "C" fn notes(
    context: *mut ffi::sqlite3_context,
    _: c_int,
    _: *mut *mut ffi::sqlite3_value,
) {
    let api = loaded();
    // SAFETY: the context is that of this call, and the data the box that `register` gave.
    let db = unsafe { &*api.user_data(context).cast::<Arc<Db>>() };
    let told = guarded(|| Ok(db.host.notes()));
    // SAFETY: the context is that of this call.
    unsafe {
        match told {
            Ok(notes) if notes.is_empty() => api.answer(context, &Value::Null),
            Ok(notes) => api.answer(context, &Value::Text(notes.join("\n"))),
            Err(words) => api.fail(context, &words),
        }
    }
}

unsafe extern "C" fn order(
    _: *mut c_void,
    first_length: c_int,
    first: *const c_void,
    second_length: c_int,
    second: *const c_void,
) -> c_int {
    let text = |start: *const c_void, length: c_int| {
        let length = usize::try_from(length).unwrap_or(0);
        match start.is_null() || length == 0 {
            true => String::new(),
            // SAFETY: SQLite hands over texts of these lengths.
            false => {
                let bytes = unsafe { std::slice::from_raw_parts(start.cast::<u8>(), length) };
                String::from_utf8_lossy(bytes).into_owned()
            }
        }
    };
    let (first, second) = (text(first, first_length), text(second, second_length));
    match guarded(|| Ok(compare_uses(&first, &second))).unwrap_or(Ordering::Equal) {
        Ordering::Less => -1,
        Ordering::Equal => 0,
        Ordering::Greater => 1,
    }
}
