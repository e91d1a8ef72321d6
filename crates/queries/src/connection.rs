//! A connection: SQLite over the tables of some data, and the virtual tables beside them.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kinwood_formats::WriteOptions;
use kinwood_learners::{Context, Registry};
use kinwood_values::Notice;
use kinwood_workbench::{Data, Opening};
use rusqlite::fallible_iterator::FallibleIterator;
use rusqlite::types::Value;
use rusqlite::{Batch, Connection as Sqlite, OpenFlags};

use crate::answer::Answer;
use crate::error::{Error, Result};
use crate::guard::{Access, Verdict, guard};
use crate::place::{locate, plain};
use crate::rewrite::{creates_model, rewritten};
use crate::session::{Load, Session};
use crate::side::Side;
use crate::state::State;
use crate::{functions, tables};

/// How a connection is opened.
#[derive(Clone, Default)]
pub struct Options {
    /// How the data is read, where it is no SQLite file, and as learners see it.
    pub opening: Opening,
    /// The targets where a query names none.
    pub targets: Vec<String>,
    /// What statements may do.
    pub access: Access,
    /// Whether searches are kept beside the data, and found there.
    pub cache: bool,
    /// Whether SQLite takes no more memory than the context allows, in this whole process: its
    /// sorters and temporary tables are not seen by anything else.
    pub limit_process: bool,
    /// The learners.
    pub registry: Registry,
}

/// SQLite over the tables of some data, with virtual tables for models.
///
/// ```
/// use kinwood_queries::{Connection, Options};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("plants.csv");
/// # std::fs::write(&path, "height,kind\n1,moss\n2,moss\n30,tree\n40,tree\n")?;
/// let mut connection = Connection::open(&path, Options::default(), Default::default())?;
/// let answer = connection.query("SELECT kind, count(*) AS n FROM plants GROUP BY kind")?;
/// assert_eq!(answer.to_json()["rows"][0]["kind"], "moss");
/// let answer = connection.query("SELECT size FROM trees('kind') WHERE size <= 3 ORDER BY error")?;
/// assert_eq!(answer.to_json()["rows"][0]["size"], 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Connection {
    sqlite: Sqlite,
    state: Arc<State>,
    verdict: Verdict,
    access: Access,
    /// The file that data other than SQLite was written to; it goes with the connection.
    _written: Option<tempfile::TempDir>,
}

/// What an answer may take in memory, unless the context says so.
const MEMORY: u64 = 1 << 30;

/// How long another program's writing is waited for.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(5);

/// The first bytes of a SQLite file.
const SQLITE: &[u8] = b"SQLite format 3\0";

impl Connection {
    /// Opens data: a SQLite file in place, anything else as a database of its own.
    pub fn open(path: &Path, options: Options, context: Context) -> Result<Self> {
        let side = Side::beside(path, options.cache);
        let (opening, place) = (options.opening.clone(), path.to_owned());
        let load = move |context: &Context| read(&place, &opening, context);
        if is_sqlite(path) {
            let flags = match options.access {
                Access::Read => OpenFlags::SQLITE_OPEN_READ_ONLY,
                Access::Write => OpenFlags::SQLITE_OPEN_READ_WRITE,
            };
            let sqlite = open_file(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX);
            let sqlite = sqlite.map_err(|error| plain(&error))?;
            return Self::over(sqlite, None, options, side, context, Box::new(load), None);
        }
        if options.access == Access::Write {
            let what = "write: only tables of a SQLite file can be written to";
            return Err(Error::Refused(what.to_owned()));
        }
        let data = read(path, &options.opening, &context)?;
        Self::of(data, options, side, context, Box::new(load))
    }

    /// Opens data that is in memory, of which nothing is kept.
    pub fn over_data(data: Data, options: Options, context: Context) -> Result<Self> {
        let again = data.clone();
        let load = move |_: &Context| Ok(again.clone());
        Self::of(data, options, Side::nowhere(), context, Box::new(load))
    }

    fn of(data: Data, options: Options, side: Side, context: Context, load: Load) -> Result<Self> {
        let folder = tempfile::tempdir().map_err(|error| Error::Side(error.to_string()))?;
        let file = folder.path().join("data.sqlite");
        let written =
            kinwood_formats::write::write(data.database(), &file, &WriteOptions::default())?;
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let sqlite = Sqlite::open_with_flags(&file, flags).map_err(|error| plain(&error))?;
        let mut connection = Self::over(
            sqlite,
            Some(data),
            options,
            side,
            context,
            load,
            Some(folder),
        )?;
        for notice in written.notices {
            connection.state.note(notice);
        }
        connection.access = Access::Read;
        Ok(connection)
    }

    fn over(
        mut sqlite: Sqlite,
        data: Option<Data>,
        options: Options,
        side: Side,
        context: Context,
        load: Load,
        written: Option<tempfile::TempDir>,
    ) -> Result<Self> {
        let state = Session::new(options.registry, side, options.targets, context, load);
        let state = Arc::new(State::new(state));
        if let Some(data) = data {
            state.set_data(data);
        }
        tables::register(&sqlite, &state).map_err(|error| plain(&error))?;
        functions::register(&sqlite, &state).map_err(|error| plain(&error))?;
        state.set_tables(table_names(&sqlite).map_err(|error| plain(&error))?);
        // Before there is a temporary table: SQLite drops them when this changes.
        let memory = sqlite.execute_batch("PRAGMA temp_store = MEMORY");
        memory.map_err(|error| plain(&error))?;
        let allowed = kinwood_workbench::open::allowance(&state.context()).memory();
        if let (true, Some(allowed)) = (options.limit_process, allowed) {
            let limited = sqlite.execute_batch(&format!("PRAGMA hard_heap_limit = {allowed}"));
            limited.map_err(|error| plain(&error))?;
        }
        crate::created::restore(&sqlite, &state)?;
        let verdict = Verdict::default();
        guard(&mut sqlite, &state, options.access, &verdict)?;
        Ok(Self {
            sqlite,
            state,
            verdict,
            access: options.access,
            _written: written,
        })
    }

    /// Runs the statements to come with another time limit, seed or progress.
    pub fn set_context(&self, context: Context) {
        self.state.set_context(context);
    }

    /// What was decided without being asked since this was last called.
    pub fn take_notices(&self) -> Vec<Notice> {
        self.state.take_notices()
    }

    /// Runs statements; the answer is that of the last one that has columns.
    pub fn query(&mut self, sql: &str) -> Result<Answer> {
        self.query_with(sql, &[])
    }

    /// The same with values for `?`, in their order.
    pub fn query_with(&mut self, sql: &str, values: &[Value]) -> Result<Answer> {
        let mut last = Answer::default();
        self.run(sql, values, &mut |answer| {
            last = answer;
            Ok(())
        })?;
        Ok(last)
    }

    /// Runs statements in turn, and hands over the answer of each that has columns.
    pub fn run(
        &mut self,
        sql: &str,
        values: &[Value],
        each: &mut dyn FnMut(Answer) -> Result<()>,
    ) -> Result<()> {
        self.verdict.take();
        self.state.take_failure();
        let text = rewritten(sql);
        let changes = self.sqlite.total_changes();
        let outcome = self.run_all(&text, values, each);
        if self.access == Access::Write && self.sqlite.total_changes() != changes {
            self.state.forget_data();
        }
        outcome.map_err(|failed| match failed {
            Failed::Ours(error) => error,
            Failed::Sqlite(error) => self.explained(&error, &text),
        })
    }

    fn run_all(
        &self,
        text: &str,
        values: &[Value],
        each: &mut dyn FnMut(Answer) -> Result<()>,
    ) -> Result<(), Failed> {
        let mut batch = Batch::new(&self.sqlite, text);
        while let Some(mut statement) = batch.next()? {
            let wanted = statement.parameter_count();
            if wanted != values.len() && (wanted > 0 || !values.is_empty()) {
                let found = format!("{} values", values.len());
                let expected = format!("{wanted} values for its parameters");
                return Err(Failed::Ours(Error::argument(
                    "the query",
                    &expected,
                    &found,
                )));
            }
            let names = statement.column_names();
            let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
            let width = names.len();
            let mut found = statement.query(rusqlite::params_from_iter(values.iter()))?;
            let allowed = self.state.context().memory().unwrap_or(MEMORY);
            let (mut rows, mut bytes) = (Vec::new(), 0);
            while let Some(row) = found.next()? {
                let row: Vec<Value> = (0..width).map(|at| row.get(at)).collect::<Result<_, _>>()?;
                bytes += Answer::bytes_of(&row);
                if bytes > allowed {
                    return Err(Failed::Ours(Error::Large { allowed }));
                }
                rows.push(row);
            }
            if width > 0 {
                let columns = Answer::named(&names);
                each(Answer { columns, rows }).map_err(Failed::Ours)?;
            }
        }
        Ok(())
    }

    /// What went wrong: what a table or the guard says of it, else what SQLite does.
    fn explained(&self, error: &rusqlite::Error, text: &str) -> Error {
        if let Some(error) = self.state.take_failure() {
            return error;
        }
        if let Some(error) = self.verdict.take() {
            return error;
        }
        let interrupted =
            error.sqlite_error_code() == Some(rusqlite::ErrorCode::OperationInterrupted);
        match (interrupted, self.state.context().check()) {
            (true, Err(stopped)) => stopped.into(),
            _ => locate(error, text, &self.sqlite, tables::columns()),
        }
    }

    /// The tables of the data, then those that are computed.
    pub fn schema(&mut self) -> Result<Vec<Described>> {
        let beside = tables::listed();
        let is_beside = |name: &str| {
            let own = name.strip_prefix("kinwood_").unwrap_or(name);
            beside.iter().any(|(known, _)| known == own)
        };
        let read = || -> rusqlite::Result<Vec<Described>> {
            let mut statement = self.sqlite.prepare(
                "SELECT name, type = 'virtual' FROM pragma_table_list \
                 WHERE type IN ('table', 'view', 'virtual') \
                 AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'pragma_%' AND name NOT LIKE 'json_%' \
                 ORDER BY schema, name",
            )?;
            let names: Vec<(String, bool)> = statement
                .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect::<Result<_, _>>()?;
            let columns = |name: &str| -> rusqlite::Result<Vec<String>> {
                let sql = "SELECT name FROM pragma_table_xinfo(?) ORDER BY hidden, cid";
                let mut statement = self.sqlite.prepare(sql)?;
                statement.query_map([name], |row| row.get(0))?.collect()
            };
            // Tables that are there without being created are listed once they are used.
            let own = names
                .into_iter()
                .filter(|(name, made)| !made || !is_beside(name));
            own.map(|(name, _)| {
                let columns = columns(&name)?;
                Ok(Described {
                    name,
                    columns,
                    computed: false,
                })
            })
            .collect()
        };
        let mut tables = read().map_err(|error| plain(&error))?;
        for (name, columns) in beside {
            if tables.iter().all(|known| known.name != name) {
                tables.push(Described {
                    name,
                    columns,
                    computed: true,
                });
            }
        }
        Ok(tables)
    }

    /// Whether statements have begun a transaction that is not ended.
    pub fn in_transaction(&self) -> bool {
        !self.sqlite.is_autocommit()
    }
}

/// A table and its columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Described {
    /// Its name.
    pub name: String,
    /// The names of its columns, arguments last.
    pub columns: Vec<String>,
    /// Whether it is computed as a query wants it.
    pub computed: bool,
}

/// Why statements ended.
enum Failed {
    /// For a reason of ours.
    Ours(Error),
    /// For one of SQLite's.
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for Failed {
    fn from(error: rusqlite::Error) -> Self {
        Failed::Sqlite(error)
    }
}

fn read(path: &Path, opening: &Opening, context: &Context) -> kinwood_workbench::Result<Data> {
    let mut opening = opening.clone();
    opening.read.allowance = kinwood_workbench::open::allowance(context);
    let path: PathBuf = path.to_owned();
    context.install(|| kinwood_workbench::open(&path, &opening))
}

/// Opens a SQLite file. One in write-ahead mode wants a file beside it; in a folder that nobody can
/// write to it does without.
fn open_file(path: &Path, flags: OpenFlags) -> rusqlite::Result<Sqlite> {
    let open = |place: &Path, flags: OpenFlags| -> rusqlite::Result<Sqlite> {
        let sqlite = Sqlite::open_with_flags(place, flags)?;
        sqlite.busy_timeout(PATIENCE)?;
        sqlite.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
        Ok(sqlite)
    };
    match open(path, flags) {
        Err(error)
            if error.sqlite_error_code() == Some(rusqlite::ErrorCode::CannotOpen)
                && flags.contains(OpenFlags::SQLITE_OPEN_READ_ONLY) =>
        {
            let mut uri = "file:".to_owned();
            for byte in path.as_os_str().as_encoded_bytes() {
                match byte {
                    b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
                        uri.push(char::from(*byte));
                    }
                    other => uri += &format!("%{other:02X}"),
                }
            }
            uri += "?immutable=1";
            open(Path::new(&uri), flags | OpenFlags::SQLITE_OPEN_URI).map_err(|_| error)
        }
        other => other,
    }
}

/// The tables of the data: those of models, which the loadable extension makes in the file, are
/// none.
fn table_names(sqlite: &Sqlite) -> rusqlite::Result<Vec<String>> {
    let sql = "SELECT name, coalesce(sql, '') FROM sqlite_schema WHERE type IN ('table', 'view')";
    let mut statement = sqlite.prepare(sql)?;
    let named = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let named: Vec<(String, String)> = named.collect::<Result<_, _>>()?;
    let of_data = named.into_iter().filter(|(_, sql)| !creates_model(sql));
    Ok(of_data.map(|(name, _)| name).collect())
}

fn is_sqlite(path: &Path) -> bool {
    let mut start = [0; SQLITE.len()];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && start == SQLITE
}
