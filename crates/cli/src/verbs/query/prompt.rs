//! The prompt of `kinwood query`: lines until a statement is whole, and commands that begin with a
//! point.

use std::path::PathBuf;

use kinwood::queries::{Connection, Names, is_complete};
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
  .tables   the tables and their columns
  .schema   how the tables of the data were declared
  .help     this
  .quit     ends, as Ctrl-D does
";

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
            ".schema" => {
                let sql = "SELECT sql || ';' AS sql FROM sqlite_schema WHERE sql IS NOT NULL";
                answer(sql, connection, session)?;
            }
            other if other.starts_with('.') => {
                session.print(&format!(
                    "no command `{other}`: there are .tables, .schema, .help, .quit\n"
                ))?;
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

fn tables(connection: &mut Connection) -> Result<String> {
    let tables = connection.schema()?.into_iter();
    Ok(tables
        .map(|(name, columns)| format!("{name} ({})\n", columns.join(", ")))
        .collect())
}
