//! The prompt of `kinwood query`: lines until a statement is whole, and commands that begin with a
//! point.

use std::path::PathBuf;

use kinwood::queries::value::Value;
use kinwood::queries::{Connection, Described, Names, is_complete};
use kinwood_values::suggest::{did_you_mean, nearest};
use rustyline::completion::Completer;
use rustyline::config::Configurer;
use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Context, Editor, Helper, Highlighter, Hinter};

use super::print;
use crate::arguments::Color;
use crate::error::{Error, Result};
use crate::report;
use crate::session::Session;

const HELP: &str = "\
Statements end with `;`. Beside the tables of the data there are, among others:
  trees('target')         trees under the conditions of WHERE, as wide a search as LIMIT
  nodes, leaves, rules    what is in them, joined by `tree`; leaf_rows: which rows reach which leaf
  neighbours('table', 'key', k, 'distance')   the rows most like one
  CREATE VIRTUAL TABLE name USING kinwood(target='…', learner='…')   fits and keeps a model
EXPLAIN QUERY PLAN says which conditions steer a search and which filter afterwards.
  .tables          the tables, those of the data first
  .schema          how the tables of the data were declared
  .schema TABLE    the columns of a table
  .help            this
  .quit            ends, as Ctrl-D does
A line goes on below until a statement is whole; Tab completes names, the arrow keys find earlier
lines, Ctrl-C stops a statement or forgets a line.
";

/// The commands that begin with a point.
const COMMANDS: &[&str] = &[".tables", ".schema", ".help", ".quit"];

/// What helps to write a line.
#[derive(Helper, Highlighter, Hinter)]
struct Help {
    names: Names,
}

impl Completer for Help {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        place: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        if line.starts_with('.') && !line.contains(' ') {
            let fits = COMMANDS
                .iter()
                .filter(|own| own.starts_with(&line[..place]));
            return Ok((0, fits.map(|own| (*own).to_owned()).collect()));
        }
        Ok(self.names.complete(line, place))
    }
}

impl Validator for Help {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let text = context.input();
        let whole =
            text.trim().is_empty() || text.trim_start().starts_with('.') || is_complete(text);
        Ok(match whole {
            true => ValidationResult::Valid(None),
            false => ValidationResult::Incomplete,
        })
    }
}

/// Where lines are remembered, if there is such a place.
fn history() -> Option<PathBuf> {
    let home = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from);
    let state =
        home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".local/state")));
    let folder = state?.join("kinwood");
    std::fs::create_dir_all(&folder).ok()?;
    Some(folder.join("queries"))
}

/// Asks for statements until there are no more.
pub fn run(connection: &mut Connection, session: &mut Session<'_>) -> Result<()> {
    let failed = |error: ReadlineError| Error::Output(std::io::Error::other(error.to_string()));
    let mut editor: Editor<Help, DefaultHistory> = Editor::new().map_err(failed)?;
    editor.set_auto_add_history(true);
    let names = Names::of(connection)?;
    session.note(&connection.take_notices());
    editor.set_helper(Some(Help { names }));
    let history = history();
    if let Some(path) = &history {
        // Without a past the prompt works as well.
        let _ = editor.load_history(path);
    }
    session.print("`.help` explains, `.quit` ends\n")?;
    loop {
        session.out.flush().map_err(Error::Output)?;
        let line = match editor.readline("kinwood> ") {
            Ok(line) => line,
            Err(ReadlineError::Interrupted) => continue,
            Err(ReadlineError::Eof) => break,
            Err(error) => return Err(failed(error)),
        };
        match line.trim() {
            "" => {}
            ".quit" | ".exit" => break,
            ".help" => session.print(HELP)?,
            ".tables" => session.print(&tables(connection)?)?,
            ".schema" => session.print(&schema("", connection)?)?,
            other if other.starts_with(".schema ") => {
                let name = other[".schema ".len()..].trim().trim_end_matches(';');
                session.print(&schema(name.trim_matches('"'), connection)?)?;
            }
            other if other.starts_with('.') => {
                let all = COMMANDS.join(", ");
                session.print(&format!("no command `{other}`: there are {all}\n"))?;
            }
            sql => {
                answer(sql, connection, session)?;
                if let (Ok(names), Some(help)) = (Names::of(connection), editor.helper_mut()) {
                    help.names = names;
                }
            }
        }
    }
    if let Some(path) = &history {
        let _ = editor.save_history(path);
    }
    Ok(())
}

/// Runs statements; an error is told, and the prompt goes on. Ctrl-C stops the statement alone.
fn answer(sql: &str, connection: &mut Connection, session: &mut Session<'_>) -> Result<()> {
    session.interrupt.forget();
    // Each statement has the whole time to itself.
    connection.set_context(session.context.again());
    let mut answers = Vec::new();
    let ran = connection.run(sql, &[], &mut |answer| {
        answers.push(answer);
        Ok(())
    });
    session.note(&connection.take_notices());
    print(&answers, session)?;
    session.interrupt.forget();
    if let Err(error) = ran {
        session.out.flush().map_err(Error::Output)?;
        report::tell(&Error::from(error), Color::Auto);
    }
    Ok(())
}

/// The tables of the data, and those that are computed.
fn tables(connection: &mut Connection) -> Result<String> {
    let (computed, own): (Vec<Described>, Vec<Described>) = connection
        .schema()?
        .into_iter()
        .partition(|table| table.computed);
    let line = |table: &Described| format!("{} ({})\n", table.name, table.columns.join(", "));
    let names: Vec<&str> = computed.iter().map(|table| table.name.as_str()).collect();
    let own: String = own.iter().map(line).collect();
    let more = format!("computed as a query wants them: {}", names.join(", "));
    Ok(format!("{own}{}\n", wrapped(&more)))
}

/// A list in lines of at most 100 places.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines
            .last_mut()
            .filter(|line| line.len() + word.len() < 100);
        match line {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) => *line += &format!(" {word}"),
            None => lines.push(format!("  {word}")),
        }
    }
    lines.join("\n")
}

/// How a table was declared, or its columns where it was not; of all tables where none is named.
fn schema(name: &str, connection: &mut Connection) -> Result<String> {
    let sql = "SELECT name, sql FROM (SELECT * FROM sqlite_schema UNION ALL SELECT * FROM sqlite_temp_schema) \
               WHERE sql IS NOT NULL";
    let declared = connection.query(sql)?;
    let mut text = String::new();
    for row in &declared.rows {
        if let [Value::Text(own), Value::Text(sql)] = row.as_slice()
            && (name.is_empty() || own.eq_ignore_ascii_case(name))
        {
            text += &format!("{sql};\n");
        }
    }
    if !text.is_empty() || name.is_empty() {
        return Ok(text);
    }
    let tables = connection.schema()?;
    let own = name.strip_prefix("kinwood_").unwrap_or(name);
    Ok(
        match tables
            .iter()
            .find(|table| table.name.eq_ignore_ascii_case(own))
        {
            Some(table) => format!("{} ({})\n", table.name, table.columns.join(", ")),
            None => {
                let names = tables.iter().map(|table| &table.name);
                let near = nearest(name, names);
                format!("no table `{name}`{}\n", did_you_mean(&near))
            }
        },
    )
}
