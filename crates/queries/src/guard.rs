//! What a query may do: read the data, compute, and use tables of its own.
//!
//! The file is opened for reading only, so that SQLite itself refuses to write; this guard refuses
//! earlier, by name, and everything that would lead out of the file: other files, extensions,
//! settings of the connection. Work is stopped by SQLite's progress handler, which asks what every
//! other work asks: whether the user interrupted and whether time is over.

use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;
use rusqlite::config::DbConfig;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;

use crate::error::{Error, Result};
use crate::place::plain;
use crate::state::State;

/// Pragmas that tell and change nothing.
const TELLING: &[&str] = &[
    "collation_list",
    "compile_options",
    "data_version",
    "database_list",
    "encoding",
    "foreign_key_list",
    "freelist_count",
    "function_list",
    "index_info",
    "index_list",
    "index_xinfo",
    "module_list",
    "page_count",
    "page_size",
    "pragma_list",
    "quick_check",
    "integrity_check",
    "foreign_key_check",
    "schema_version",
    "table_info",
    "table_list",
    "table_xinfo",
    "user_version",
];

/// Functions that reach out of the database or into the library.
const REFUSED: &[&str] = &[
    "load_extension",
    "fts3_tokenizer",
    "readfile",
    "writefile",
    "edit",
];

/// The bytes of a value or a statement.
const LONGEST: i32 = 256 << 20;
const LONGEST_SQL: i32 = 1 << 20;
/// Instructions of SQLite between two looks at the clock.
const INSTRUCTIONS: i32 = 10_000;

/// What statements may do to the tables of the data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// Read them.
    #[default]
    Read,
    /// Change them too, where they are a SQLite file.
    Write,
}

/// Why a statement was refused: SQLite itself says only that it was.
#[derive(Clone, Default)]
pub(crate) struct Verdict(Arc<Mutex<Option<Error>>>);

impl Verdict {
    /// The reason, which is forgotten.
    pub(crate) fn take(&self) -> Option<Error> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn give(&self, error: Error) -> Authorization {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        Authorization::Deny
    }
}

/// Sets all limits; from now on the connection does what it may and nothing else.
pub(crate) fn guard(
    connection: &mut Connection,
    state: &Arc<State>,
    access: Access,
    verdict: &Verdict,
) -> Result<()> {
    limit(connection).map_err(|error| plain(&error))?;
    let asked = Arc::clone(state);
    let halted = move || asked.context().check().is_err();
    let watched = connection.progress_handler(INSTRUCTIONS, Some(halted));
    watched.map_err(|error| plain(&error))?;
    let verdict = verdict.clone();
    let authorize = move |context: AuthContext<'_>| judge(&context, access, &verdict);
    let guarded = connection.authorizer(Some(authorize));
    guarded.map_err(|error| plain(&error))
}

fn limit(connection: &Connection) -> rusqlite::Result<()> {
    for (limit, most) in [
        (Limit::SQLITE_LIMIT_LENGTH, LONGEST),
        (Limit::SQLITE_LIMIT_SQL_LENGTH, LONGEST_SQL),
        (Limit::SQLITE_LIMIT_ATTACHED, 0),
        (Limit::SQLITE_LIMIT_EXPR_DEPTH, 500),
        (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 200),
        (Limit::SQLITE_LIMIT_VDBE_OP, 1_000_000),
        (Limit::SQLITE_LIMIT_TRIGGER_DEPTH, 20),
        (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000),
        (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
    ] {
        connection.set_limit(limit, most)?;
    }
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    // Text in double quotes that names nothing is a slip, not a text.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DDL, false)?;
    connection.execute_batch("PRAGMA cell_size_check = ON")?;
    Ok(())
}

/// Whether a part of a statement may be.
fn judge(context: &AuthContext<'_>, access: Access, verdict: &Verdict) -> Authorization {
    use AuthAction as Action;
    let temporary = context.database_name == Some("temp");
    let write = |what: String| match access {
        Access::Write => Authorization::Allow,
        Access::Read if temporary => Authorization::Allow,
        Access::Read => verdict.give(Error::ReadOnly(what)),
    };
    let refuse = |what: &str| verdict.give(Error::Refused(what.to_owned()));
    match &context.action {
        Action::Select | Action::Read { .. } | Action::Recursive => Authorization::Allow,
        Action::Transaction { .. } | Action::Savepoint { .. } => Authorization::Allow,
        Action::Function { function_name } => {
            let refused = REFUSED.iter();
            match refused
                .clone()
                .any(|name| function_name.eq_ignore_ascii_case(name))
            {
                true => refuse(&format!("call `{function_name}`")),
                false => Authorization::Allow,
            }
        }
        Action::Attach { .. } => refuse("attach other files"),
        Action::Detach { .. } => refuse("detach files"),
        Action::Pragma {
            pragma_name,
            pragma_value,
        } => {
            let telling = TELLING.contains(&pragma_name.to_ascii_lowercase().as_str());
            let valued = ["user_version", "encoding", "schema_version", "page_size"];
            match telling && (pragma_value.is_none() || !valued.contains(pragma_name)) {
                true => Authorization::Allow,
                false => refuse(&format!("set or run the pragma `{pragma_name}`")),
            }
        }
        Action::CreateVtable { module_name, .. } if *module_name == "kinwood" => {
            Authorization::Allow
        }
        Action::CreateVtable { module_name, .. } => {
            refuse(&format!("create a table of the module `{module_name}`"))
        }
        Action::DropVtable { .. } => Authorization::Allow,
        Action::CreateTempTable { .. }
        | Action::CreateTempView { .. }
        | Action::CreateTempIndex { .. }
        | Action::CreateTempTrigger { .. }
        | Action::DropTempTable { .. }
        | Action::DropTempView { .. }
        | Action::DropTempIndex { .. }
        | Action::DropTempTrigger { .. } => Authorization::Allow,
        // SQLite's own book of temporary tables.
        Action::Insert { table_name }
        | Action::Update { table_name, .. }
        | Action::Delete { table_name }
            if *table_name == "sqlite_temp_master" =>
        {
            Authorization::Allow
        }
        Action::Insert { table_name } => write(format!("insert into `{table_name}`")),
        Action::Update { table_name, .. } => write(format!("change `{table_name}`")),
        Action::Delete { table_name } => write(format!("delete from `{table_name}`")),
        Action::CreateTable { table_name } => write(format!("create the table `{table_name}`")),
        Action::DropTable { table_name } => write(format!("drop the table `{table_name}`")),
        Action::CreateView { view_name } => write(format!("create the view `{view_name}`")),
        Action::DropView { view_name } => write(format!("drop the view `{view_name}`")),
        Action::CreateIndex { index_name, .. } => write(format!("create the index `{index_name}`")),
        Action::DropIndex { index_name, .. } => write(format!("drop the index `{index_name}`")),
        Action::CreateTrigger { trigger_name, .. } => {
            write(format!("create the trigger `{trigger_name}`"))
        }
        Action::DropTrigger { trigger_name, .. } => {
            write(format!("drop the trigger `{trigger_name}`"))
        }
        Action::AlterTable { table_name, .. } => write(format!("alter the table `{table_name}`")),
        Action::Reindex { .. } | Action::Analyze { .. } => write("rebuild indices".to_owned()),
        _ => refuse("do that"),
    }
}
