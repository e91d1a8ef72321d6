//! The functions of the program's SQLite, by their places in its table.

use std::ffi::{CStr, CString, c_char, c_int, c_uchar, c_void};
use std::mem::transmute_copy;

use rusqlite::ffi;
use rusqlite::types::Value;

/// A function of which only the place is known.
type Unknown = Option<unsafe extern "C" fn()>;

/// SQLite's table of functions: as many as it has, each a pointer.
#[repr(C)]
pub struct Api {
    first: Unknown,
}

/// A function that frees something.
pub(super) type Destroy = unsafe extern "C" fn(*mut c_void);
/// What a function of SQL is.
pub(super) type Call =
    unsafe extern "C" fn(*mut ffi::sqlite3_context, c_int, *mut *mut ffi::sqlite3_value);
/// What orders texts.
pub(super) type Order =
    unsafe extern "C" fn(*mut c_void, c_int, *const c_void, c_int, *const c_void) -> c_int;

/// Tells SQLite to copy a text or blob at once.
const COPY: isize = -1;

macro_rules! functions {
    ($($place:literal $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {$(
        #[doc = concat!("`sqlite3_", stringify!($name), "`.")]
        ///
        /// # Safety
        ///
        /// As SQLite documents it; the version must have it.
        #[allow(clippy::too_many_arguments, reason = "SQLite's functions have as many")]
        pub(super) unsafe fn $name(&self, $($argument: $type),*) $(-> $result)? {
            // SAFETY: the caller knows that the table reaches that far.
            let function = unsafe { *(&raw const self.first).add($place) };
            let function = function.expect("SQLite has all functions of its version");
            // SAFETY: this is the type of the function at that place.
            let function: unsafe extern "C" fn($($type),*) $(-> $result)? =
                unsafe { transmute_copy(&function) };
            // SAFETY: as the caller promises.
            unsafe { function($($argument),*) }
        }
    )*};
}

impl Api {
    functions! {
        29 column_int64(statement: *mut ffi::sqlite3_stmt, column: c_int) -> i64;
        50 declare_vtab(database: *mut ffi::sqlite3, sql: *const c_char) -> c_int;
        57 finalize(statement: *mut ffi::sqlite3_stmt) -> c_int;
        58 free(memory: *mut c_void);
        61 get_auxdata(context: *mut ffi::sqlite3_context, argument: c_int) -> *mut c_void;
        67 libversion_number() -> c_int;
        68 malloc(bytes: c_int) -> *mut c_void;
        79 result_double(context: *mut ffi::sqlite3_context, number: f64);
        80 result_error(context: *mut ffi::sqlite3_context, words: *const c_char, bytes: c_int);
        83 result_int64(context: *mut ffi::sqlite3_context, number: i64);
        84 result_null(context: *mut ffi::sqlite3_context);
        92 set_auxdata(
            context: *mut ffi::sqlite3_context,
            argument: c_int,
            data: *mut c_void,
            destroy: Option<Destroy>
        );
        94 step(statement: *mut ffi::sqlite3_stmt) -> c_int;
        97 total_changes(database: *mut ffi::sqlite3) -> c_int;
        101 user_data(context: *mut ffi::sqlite3_context) -> *mut c_void;
        102 value_blob(value: *mut ffi::sqlite3_value) -> *const c_void;
        103 value_bytes(value: *mut ffi::sqlite3_value) -> c_int;
        105 value_double(value: *mut ffi::sqlite3_value) -> f64;
        107 value_int64(value: *mut ffi::sqlite3_value) -> i64;
        109 value_text(value: *mut ffi::sqlite3_value) -> *const c_uchar;
        113 value_type(value: *mut ffi::sqlite3_value) -> c_int;
        116 prepare_v2(
            database: *mut ffi::sqlite3,
            sql: *const c_char,
            bytes: c_int,
            statement: *mut *mut ffi::sqlite3_stmt,
            rest: *mut *const c_char
        ) -> c_int;
        119 create_module_v2(
            database: *mut ffi::sqlite3,
            name: *const c_char,
            module: *const ffi::sqlite3_module,
            data: *mut c_void,
            destroy: Option<Destroy>
        ) -> c_int;
        126 create_collation_v2(
            database: *mut ffi::sqlite3,
            name: *const c_char,
            encoding: c_int,
            data: *mut c_void,
            order: Option<Order>,
            destroy: Option<Destroy>
        ) -> c_int;
        162 create_function_v2(
            database: *mut ffi::sqlite3,
            name: *const c_char,
            arguments: c_int,
            flags: c_int,
            data: *mut c_void,
            call: Option<Call>,
            step: Option<Call>,
            last: Option<Destroy>,
            destroy: Option<Destroy>
        ) -> c_int;
        180 db_filename(database: *mut ffi::sqlite3, schema: *const c_char) -> *const c_char;
        201 result_blob64(
            context: *mut ffi::sqlite3_context,
            bytes: *const c_void,
            length: u64,
            destroy: isize
        );
        202 result_text64(
            context: *mut ffi::sqlite3_context,
            text: *const c_char,
            length: u64,
            destroy: isize,
            encoding: c_uchar
        );
        252 txn_state(database: *mut ffi::sqlite3, schema: *const c_char) -> c_int;
        257 vtab_rhs_value(
            info: *mut ffi::sqlite3_index_info,
            place: c_int,
            value: *mut *mut ffi::sqlite3_value
        ) -> c_int;
        259 vtab_in(info: *mut ffi::sqlite3_index_info, place: c_int, handle: c_int) -> c_int;
        260 vtab_in_first(list: *mut ffi::sqlite3_value, value: *mut *mut ffi::sqlite3_value) -> c_int;
        261 vtab_in_next(list: *mut ffi::sqlite3_value, value: *mut *mut ffi::sqlite3_value) -> c_int;
        263 serialize(
            database: *mut ffi::sqlite3,
            schema: *const c_char,
            size: *mut i64,
            flags: u32
        ) -> *mut c_uchar;
    }

    /// The version, as one number.
    pub(super) fn version(&self) -> c_int {
        // SAFETY: every SQLite that loads extensions has it.
        unsafe { self.libversion_number() }
    }

    /// A text that SQLite frees; nothing where there is no memory.
    pub(super) fn text(&self, words: &str) -> *mut c_char {
        let words = whole(words);
        let bytes = words.as_bytes_with_nul();
        let Ok(length) = c_int::try_from(bytes.len()) else {
            return std::ptr::null_mut();
        };
        // SAFETY: as many bytes are copied as there is room for.
        unsafe {
            let text = self.malloc(length).cast::<u8>();
            if !text.is_null() {
                text.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            }
            text.cast()
        }
    }

    /// A value of its own.
    ///
    /// # Safety
    ///
    /// SQLite has just handed the value over.
    pub(super) unsafe fn value(&self, value: *mut ffi::sqlite3_value) -> Value {
        // SAFETY: bytes are asked for after the text or blob that they belong to, and copied at
        // once.
        unsafe {
            let bytes = |start: *const u8| {
                let length = usize::try_from(self.value_bytes(value)).unwrap_or(0);
                match start.is_null() || length == 0 {
                    true => Vec::new(),
                    false => std::slice::from_raw_parts(start, length).to_vec(),
                }
            };
            match self.value_type(value) {
                ffi::SQLITE_INTEGER => Value::Integer(self.value_int64(value)),
                ffi::SQLITE_FLOAT => Value::Real(self.value_double(value)),
                ffi::SQLITE_TEXT => {
                    let text = bytes(self.value_text(value));
                    Value::Text(String::from_utf8_lossy(&text).into_owned())
                }
                ffi::SQLITE_BLOB => Value::Blob(bytes(self.value_blob(value).cast())),
                _ => Value::Null,
            }
        }
    }

    /// Answers a call with a value.
    ///
    /// # Safety
    ///
    /// SQLite has just handed the context over.
    pub(super) unsafe fn answer(&self, context: *mut ffi::sqlite3_context, value: &Value) {
        // SAFETY: SQLite copies texts and blobs before it returns.
        unsafe {
            match value {
                Value::Null => self.result_null(context),
                Value::Integer(number) => self.result_int64(context, *number),
                Value::Real(number) => self.result_double(context, *number),
                Value::Text(text) => {
                    let (start, length) = (text.as_ptr().cast(), text.len() as u64);
                    let encoding = ffi::SQLITE_UTF8 as c_uchar;
                    self.result_text64(context, start, length, COPY, encoding);
                }
                Value::Blob(bytes) => {
                    let (start, length) = (bytes.as_ptr().cast(), bytes.len() as u64);
                    self.result_blob64(context, start, length, COPY);
                }
            }
        }
    }

    /// Answers a call with an error.
    ///
    /// # Safety
    ///
    /// SQLite has just handed the context over.
    pub(super) unsafe fn fail(&self, context: *mut ffi::sqlite3_context, words: &str) {
        let words = whole(words);
        // SAFETY: SQLite copies the text before it returns.
        unsafe { self.result_error(context, words.as_ptr(), -1) };
    }
}

/// A text as C has it, up to its first zero.
fn whole(words: &str) -> CString {
    let words = words.split('\0').next().unwrap_or_default();
    CString::new(words).unwrap_or_default()
}

/// A text that SQLite hands over.
///
/// # Safety
///
/// The pointer is null or a text that ends with zero.
pub(super) unsafe fn text_at(start: *const c_char) -> Option<String> {
    if start.is_null() {
        return None;
    }
    // SAFETY: as the caller promises.
    let text = unsafe { CStr::from_ptr(start) };
    Some(text.to_string_lossy().into_owned())
}
