//! `kinwood describe`: what is understood of data.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use kinwood::Error as LibraryError;
use kinwood::data::Targets;
use kinwood::describe::{About, Description};
use kinwood::diagram;
use kinwood::formats::{Dataset, Schema};
use kinwood::output::save;
use kinwood::time::warnings;
use kinwood_values::{Database, Role};

use crate::arguments::{Reading, Roles};
use crate::error::Result;
use crate::loading::load;
use crate::remedy;
use crate::session::Session;

/// The arguments of `kinwood describe`.
#[derive(Args, Debug)]
pub struct Describe {
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    roles: Roles,
    /// Print a schema.toml that says what is understood, to be edited
    #[arg(long, conflicts_with_all = ["json", "rows"])]
    schema: bool,
    /// Draw the tables and how they refer to each other instead
    #[arg(long, conflicts_with_all = ["json", "schema"])]
    draw: bool,
    /// Draw them as a picture, written to this SVG file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["json", "schema"])]
    svg: Option<PathBuf>,
    /// Write the schema to this file
    #[arg(short, long, value_name = "FILE", requires = "schema", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
}

impl Describe {
    /// Runs the verb.
    pub fn run(&self, session: &mut Session<'_>) -> Result<()> {
        for path in self.output.iter().chain(&self.svg) {
            session.check_output(path, &[&self.reading.data])?;
        }
        let data = load(&self.reading, &self.roles.stated(), session)?;
        let seeing = self.reading.seeing.choices();
        let (targets, mut notices) = match data.targets(&self.roles.targets) {
            Err(LibraryError::NoTarget { .. }) if seeing.is_empty() => (None, Vec::new()),
            found => found.map(|(targets, notices)| (Some(targets), notices))?,
        };
        if let Some(targets) = &targets {
            let condition = self.reading.rows.as_deref();
            let (view, _, told) =
                data.view_as_of(targets.table, condition, &targets.columns, &seeing)?;
            notices.extend(told);
            notices.extend(warnings(&view, &targets.columns));
        }
        let places = places(targets.as_ref());
        let mut database = Database::clone(data.database());
        for &(table, column) in &places {
            database.set_role(table, column, Role::Target);
        }
        if self.schema {
            session.note(data.notices().iter().chain(&notices));
            let understood = Dataset {
                // What is written holds, also where a key is deleted from it.
                keys_declared: database.tables().len() > 1,
                database,
                targets: places,
                ..data.dataset().clone()
            };
            return self.print_schema(&Schema::of(&understood).to_toml(), session);
        }
        if self.draw || self.svg.is_some() {
            session.note(data.notices().iter().chain(&notices));
            return self.draw(&database, session);
        }
        notices.splice(0..0, data.notices().iter().cloned());
        if let Some(condition) = &self.reading.rows {
            let table = targets.as_ref().map(|targets| targets.table);
            database = data.chosen_rows(database, table, condition)?;
        }
        let about = About {
            source: data.source().to_owned(),
            formats: data.dataset().formats.clone(),
            evidence: data.dataset().evidence.clone(),
            role_reasons: data.role_reasons().clone(),
            targets: places,
            inferred: data.inferred().clone(),
            facts: match &data.dataset().facts {
                Some(read) => read.understood.clone(),
                None => Vec::new(),
            },
            notices: match session.quiet {
                true => Vec::new(),
                false => notices.iter().map(remedy::told).collect(),
            },
        };
        let description = session
            .context
            .install(|| Description::of(&database, &about));
        match session.json {
            true => session.print_json(&description),
            false => session.print(&description.to_text("--json")),
        }
    }

    fn draw(&self, database: &Database, session: &mut Session<'_>) -> Result<()> {
        if self.draw {
            session.print(&diagram::text(database))?;
        }
        let Some(path) = &self.svg else { return Ok(()) };
        session.check()?;
        save(path, |out| {
            out.write_all(diagram::svg(database).alone().as_bytes())
        })?;
        session.print(&format!("wrote {}\n", path.display()))
    }

    fn print_schema(&self, text: &str, session: &mut Session<'_>) -> Result<()> {
        let Some(path) = &self.output else {
            return session.print(text);
        };
        session.check()?;
        save(path, |out| out.write_all(text.as_bytes()))?;
        session.print(&format!("wrote {}\n", path.display()))
    }
}

fn places(targets: Option<&Targets>) -> Vec<(usize, usize)> {
    let Some(Targets { table, columns }) = targets else {
        return Vec::new();
    };
    columns.iter().map(|&column| (*table, column)).collect()
}
