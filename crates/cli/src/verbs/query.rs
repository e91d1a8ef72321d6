//! `kinwood query`: SQL over data, and over the trees, predictions and neighbours that follow from
//! it.

mod prompt;

use std::io::{self, IsTerminal, Read};
use std::path::PathBuf;

use clap::{Args, ValueHint};
use kinwood::Opening;
use kinwood::output::save;
use kinwood::queries::{Access, Answer, Connection, Error as QueryError, Options};

use crate::arguments::{Roles, StatedReading};
use crate::error::{Error, Result};
use crate::session::Session;

/// The arguments of `kinwood query`.
#[derive(Args, Debug)]
pub struct Query {
    /// The data: a SQLite file, which is read in place, or anything else that verbs read
    #[arg(value_name = "DATA", value_hint = ValueHint::AnyPath)]
    data: PathBuf,
    /// The statements; without them they are read from standard input, or from a prompt
    #[arg(value_name = "SQL")]
    sql: Option<String>,
    #[command(flatten)]
    stated: StatedReading,
    #[command(flatten)]
    roles: Roles,
    /// Let statements change the tables of a SQLite file
    #[arg(long)]
    write: bool,
    /// Neither keep what searches find beside the data, in DATA.kinwood, nor look for it there
    #[arg(long)]
    no_cache: bool,
    /// Write the answer to this CSV file
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
}

impl Query {
    /// Runs the verb.
    pub fn run(&self, session: &mut Session<'_>) -> Result<()> {
        if let Some(path) = &self.output {
            session.check_output(path, &[self.data.as_path()])?;
        }
        let mut connection = self.connection(session)?;
        match &self.sql {
            Some(sql) => self.answer(sql, &mut connection, session),
            None if io::stdin().is_terminal() && self.output.is_none() => {
                prompt::run(&mut connection, session)
            }
            None => {
                let mut sql = String::new();
                let read = io::stdin().read_to_string(&mut sql);
                read.map_err(|error| Error::read("standard input".as_ref(), error))?;
                self.answer(&sql, &mut connection, session)
            }
        }
    }

    fn connection(&self, session: &mut Session<'_>) -> Result<Connection> {
        let options = Options {
            opening: Opening {
                read: self.stated.options(),
                roles: self.roles.stated(),
                bag: self.stated.bag.clone(),
                ..Opening::default()
            },
            targets: self.roles.targets.clone(),
            access: match self.write {
                true => Access::Write,
                false => Access::Read,
            },
            cache: !self.no_cache,
            limit_process: true,
            registry: session.registry.clone(),
        };
        let context = session.context.clone();
        let open = || Connection::open(&self.data, options, context);
        let connection = session.interrupt.while_reading(open);
        session.check()?;
        Ok(connection?)
    }

    /// Runs statements, and prints or writes what they answer.
    fn answer(
        &self,
        sql: &str,
        connection: &mut Connection,
        session: &mut Session<'_>,
    ) -> Result<()> {
        let mut answers = Vec::new();
        let ran = connection.run(sql, &[], &mut |answer| {
            answers.push(answer);
            Ok(())
        });
        session.note(&connection.take_notices());
        let failed = ran.err().map(Error::from);
        match (&self.output, answers.as_slice()) {
            // A file holds one answer, and is not written where there is none.
            (Some(path), [.., last]) if failed.is_none() => {
                save(path, |out| last.write_csv(out))?;
            }
            (Some(_), _) => {}
            (None, answers) => print(answers, session)?,
        }
        failed.map_or(Ok(()), Err)
    }
}

/// Prints what statements answered.
fn print(answers: &[Answer], session: &mut Session<'_>) -> Result<()> {
    for (place, answer) in answers.iter().enumerate() {
        if session.json {
            session.print_json(&answer.to_json())?;
            continue;
        }
        if place > 0 {
            session.print("\n")?;
        }
        session.print(&answer.to_text())?;
    }
    Ok(())
}

impl From<QueryError> for Error {
    fn from(error: QueryError) -> Self {
        match error {
            QueryError::Workbench(error) => Error::Library(error),
            error => Error::Query(error),
        }
    }
}
