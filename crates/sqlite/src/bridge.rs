//! What is exchanged with the program's SQLite: the one place of the crate with unsafe code.
//!
//! SQLite calls an extension by C functions and is called by a table of C functions, so that none
//! of this can be safe Rust. The argument why it is sound:
//!
//! - The table of functions (`api`) has had each function at the same place since that function
//!   came into SQLite; the version of the program's SQLite is checked before any that is newer than
//!   3.7 is called, and a second SQLite in the same program is refused. Every call passes handles
//!   that SQLite itself has just handed over, on the thread on which it did.
//! - Handles are kept in one place only, `Db`, which lives no longer than the database: it belongs
//!   to the modules and functions that SQLite drops when the database is closed.
//! - What SQLite is given to keep (a table, a cursor, the data of a module or function) is a box
//!   that begins with the part that SQLite knows, is handed over once and taken back once, by the
//!   callback that SQLite promises to call last. Nothing borrows from it for longer than a
//!   callback.
//! - No panic leaves a callback: each runs in `guarded`. Texts that go to SQLite are copied by it.
//! - The extension stays in memory once SQLite has taken anything of it, so that neither its
//!   threads nor its callbacks ever lose their code.
#![allow(unsafe_code)]

mod api;
mod db;
mod functions;
mod tables;

use std::ffi::{c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use rusqlite::ffi;

use api::Api;
use db::Db;

/// The oldest SQLite that has all that is needed: the values of `IN`, and copies.
const OLDEST: c_int = 3_039_000;

/// The functions of the program's SQLite, once it has loaded the extension.
static API: OnceLock<&Api> = OnceLock::new();

/// The functions of the program's SQLite.
fn loaded() -> &'static Api {
    API.get().expect("SQLite calls what it has loaded")
}

/// What the program's SQLite calls when it loads the extension, by its general name.
///
/// # Safety
///
/// SQLite calls it as it promises to: with a database, a place for a message, and its functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sqlite3_extension_init(
    database: *mut ffi::sqlite3,
    message: *mut *mut c_char,
    functions: *const Api,
) -> c_int {
    // SAFETY: SQLite's table of functions lives as long as the program.
    let Some(api) = (unsafe { functions.as_ref() }) else {
        return ffi::SQLITE_ERROR;
    };
    let loaded = guarded(|| load(database, api));
    match loaded {
        Ok(()) => ffi::SQLITE_OK_LOAD_PERMANENTLY,
        Err(words) => {
            if !message.is_null() {
                // SAFETY: SQLite gives a place for the message, and frees what is put there.
                unsafe { *message = api.text(&words) };
            }
            ffi::SQLITE_ERROR
        }
    }
}

/// Registers everything.
fn load(database: *mut ffi::sqlite3, api: &'static Api) -> Result<(), String> {
    if !std::ptr::eq(*API.get_or_init(|| api), api) {
        return Err("kinwood is loaded already, by another SQLite of this program".to_owned());
    }
    let version = api.version();
    if version < OLDEST {
        return Err(format!(
            "kinwood needs SQLite 3.39 or later; this is {}.{}",
            version / 1_000_000,
            version / 1000 % 1000
        ));
    }
    let db = Db::new(database);
    functions::register_notes(&db)?;
    // SQLite takes an extension that fails out of memory, with what it has registered: from here
    // on nothing fails. It refuses a function that the program has too while that is in use.
    let registered = functions::register(&db).chain(tables::register(&db));
    for refused in registered.filter_map(Result::err) {
        db.host.note(refused);
    }
    Ok(())
}

/// Work in a callback: SQLite's frames must not be unwound through.
fn guarded<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    let panicked = |_| Err("internal error: the work on the query panicked".to_owned());
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(panicked)
}
