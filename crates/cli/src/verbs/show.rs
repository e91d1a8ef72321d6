//! `kinwood show`: what a model file holds.

mod members;

use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum, ValueHint};
use kinwood::Trained;
use kinwood::learners::drawing::Drawing;
use kinwood::learners::sql::{Asked, Expression, identifier};
use kinwood::learners::{Parameter, Registry};
use kinwood::output::save;
use kinwood::picture::{self, RowDrawn};
use kinwood_values::Notice;
use serde_json::{Map, Value, json};

use crate::arguments::{Reading, Seeing, StatedReading};
use crate::error::{Error, Result};
use crate::loading::{load_member, load_rows};
use crate::remedy;
use crate::session::Session;

/// How many rows of `--data` a page can show the way of.
const MOST_ROWS: usize = 200;

/// The arguments of `kinwood show`.
#[derive(Args, Debug)]
pub struct Show {
    /// The model file
    #[arg(value_name = "MODEL", value_hint = ValueHint::FilePath)]
    model: PathBuf,
    /// Show this one of a set of models alone, from 1
    #[arg(long, value_name = "N")]
    member: Option<usize>,
    /// Print SQL expressions that predict in SQLite and PostgreSQL: answers, shares (of each class
    /// too) or known (nothing where a value is missing that the answer needs)
    #[arg(long, value_name = "WHAT", num_args = 0..=1, require_equals = true, default_missing_value = "answers", value_parser = asked)]
    sql: Option<Asked>,
    /// Name the view that SQL of a model of several tables creates so
    #[arg(long, value_name = "NAME", default_value = "predictions")]
    view: String,
    /// Print the model in this form
    #[arg(long, value_enum, conflicts_with_all = ["json", "sql", "dot", "svg", "html"])]
    format: Option<Form>,
    #[command(flatten)]
    choosing: members::Members,
    #[command(flatten)]
    pictures: Pictures,
}

/// What is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// For people
    Text,
    /// For programs, as `--json` prints it
    Json,
    /// As `--sql` prints it
    Sql,
    /// The trees for Graphviz
    Dot,
    /// The trees as a picture
    Svg,
    /// The trees as a page to look around in
    Html,
}

/// The model in SQL.
enum Sql {
    /// Expressions over the columns of its table.
    Expressions(Vec<Expression>),
    /// A statement that creates a view.
    View(String),
}

/// The pictures of trees.
#[derive(Args, Debug)]
#[command(next_help_heading = "Pictures of trees")]
struct Pictures {
    /// Write the trees for Graphviz to this file, or print them for -
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["json", "sql"])]
    dot: Option<PathBuf>,
    /// Draw the trees as a picture, written to this SVG file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["json", "sql"])]
    svg: Option<PathBuf>,
    /// Draw the trees as a page to look around in, written to this HTML file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, group = "looks", conflicts_with_all = ["json", "sql"])]
    html: Option<PathBuf>,
    /// Let the page show the way of each row of this data, of the first 200; or compare the models
    /// of a set on these rows
    #[arg(long, value_name = "DATA", value_hint = ValueHint::AnyPath, requires = "looks")]
    data: Option<PathBuf>,
    /// Only rows of the data that satisfy this, such as "subset = 188"
    #[arg(long, value_name = "CONDITION", requires = "data")]
    rows: Option<String>,
    #[command(flatten)]
    stated: StatedReading,
    #[command(flatten)]
    seeing: Seeing,
}

fn asked(text: &str) -> Result<Asked, String> {
    match text {
        "answers" => Ok(Asked::Answers),
        "shares" => Ok(Asked::Shares),
        "known" => Ok(Asked::Known),
        _ => Err("expected answers, shares or known".to_owned()),
    }
}

impl Show {
    /// Runs the verb.
    pub fn run(&self, session: &mut Session<'_>) -> Result<()> {
        self.pictures.check(&self.model, session)?;
        let trained = load_member(&self.model, self.member, session)?;
        if self.choosing.wanted() {
            let (data, rows) = (self.pictures.data.as_ref(), self.pictures.rows.as_ref());
            return self.choosing.list(&trained, data, rows, session);
        }
        if self.pictures.any() {
            return self.pictures.draw(&trained, session);
        }
        if let Some(form @ (Form::Dot | Form::Svg | Form::Html)) = self.format {
            let drawing = trained.drawing()?;
            return session.print(&match form {
                Form::Svg => picture::svg(&drawing).alone(),
                Form::Html => picture::html(&drawing, &[]),
                _ => picture::dot(&drawing),
            });
        }
        let asked = match self.format {
            Some(Form::Sql) => Some(Asked::Answers),
            _ => self.sql,
        };
        let sql = match asked {
            Some(asked) => Some(self.in_sql(&trained, asked)?),
            None => None,
        };
        match (session.json || self.format == Some(Form::Json), sql) {
            (true, sql) => session.print_json(&as_json(&trained, sql)),
            (false, Some(Sql::Expressions(expressions))) => session.print(&as_sql(&expressions)),
            (false, Some(Sql::View(view))) => session.print(&view),
            (false, None) => session.print(&as_text(&trained, session.registry)),
        }
    }

    /// The model in SQL: a view, where it is one of several tables.
    fn in_sql(&self, trained: &Trained, asked: Asked) -> Result<Sql> {
        Ok(match trained.view(&self.view, asked)? {
            Some(view) => Sql::View(view),
            None => Sql::Expressions(trained.sql(asked)?),
        })
    }
}

impl Pictures {
    fn any(&self) -> bool {
        self.dot.is_some() || self.svg.is_some() || self.html.is_some()
    }

    /// The files to be written; Graphviz may read from a pipe instead.
    fn files(&self) -> impl Iterator<Item = &Path> {
        let dot = self.dot.as_deref().filter(|path| *path != Path::new("-"));
        let others = [self.svg.as_deref(), self.html.as_deref()];
        dot.into_iter().chain(others.into_iter().flatten())
    }

    /// Fails where a file cannot or must not be written.
    fn check(&self, model: &Path, session: &Session<'_>) -> Result<()> {
        for (place, path) in self.files().enumerate() {
            let sources = [Some(model), self.data.as_deref()];
            if self.files().take(place).any(|earlier| earlier == path) {
                let reason = io::Error::other("two pictures cannot be one file");
                return Err(Error::write(path, reason));
            }
            session.check_output(path, &sources.into_iter().flatten().collect::<Vec<_>>())?;
        }
        Ok(())
    }

    fn draw(&self, trained: &Trained, session: &mut Session<'_>) -> Result<()> {
        let drawing = trained.drawing()?;
        let ways = self.ways(trained, &drawing, session)?;
        session.check()?;
        let printed = self.dot.as_deref() == Some(Path::new("-"));
        if printed {
            session.print(&picture::dot(&drawing))?;
        }
        for path in self.files() {
            let text = match Some(path) {
                path if path == self.svg.as_deref() => picture::svg(&drawing).alone(),
                path if path == self.html.as_deref() => picture::html(&drawing, &ways),
                _ => picture::dot(&drawing),
            };
            save(path, |out| out.write_all(text.as_bytes()))?;
        }
        if printed {
            // Whoever reads the graph from a pipe wants nothing else in it.
            return Ok(());
        }
        let told = self
            .files()
            .map(|path| format!("wrote {}\n", path.display()));
        session.print(&told.collect::<String>())
    }

    /// The rows whose way the page shows.
    fn ways(
        &self,
        trained: &Trained,
        drawing: &Drawing,
        session: &mut Session<'_>,
    ) -> Result<Vec<RowDrawn>> {
        let Some(data) = &self.data else {
            return Ok(Vec::new());
        };
        let reading = Reading {
            data: data.clone(),
            rows: self.rows.clone(),
            stated: self.stated.clone(),
            seeing: self.seeing.clone(),
        };
        let (_, conformed) = load_rows(&reading, trained, session)?;
        let shown: Vec<u32> = (0..conformed.len().min(MOST_ROWS) as u32).collect();
        if shown.len() < conformed.len() {
            session.note(&[Notice::new(format!(
                "the page shows the first {MOST_ROWS} of {} rows; `--rows` chooses others",
                conformed.len()
            ))]);
        }
        Ok(picture::rows(trained, drawing, &conformed.select(&shown))?)
    }
}

/// Expressions as a query lists them.
fn as_sql(expressions: &[Expression]) -> String {
    let listed: Vec<String> = expressions
        .iter()
        .map(|expression| format!("{} AS {}", expression.sql, identifier(&expression.name)))
        .collect();
    listed.join(",\n") + "\n"
}

fn as_json(trained: &Trained, sql: Option<Sql>) -> Value {
    let settings: Map<String, Value> = trained
        .settings()
        .iter()
        .map(|(name, value)| (name.clone(), value.clone().into()))
        .collect();
    let mut shown = json!({
        "learner": trained.learner(),
        "settings": settings,
        "table": trained.schema().table(trained.table()).name(),
        "targets": trained.target_names(),
        "provenance": trained.provenance(),
        "model": trained.model().to_json(),
    });
    if let Some(picked) = trained.picked() {
        shown["picked"] = json!(picked);
    }
    match sql {
        Some(Sql::Expressions(expressions)) => {
            let expression = |one: &Expression| json!({"name": one.name, "expression": one.sql});
            shown["sql"] = expressions.iter().map(expression).collect();
        }
        Some(Sql::View(view)) => shown["view"] = view.into(),
        None => {}
    }
    shown
}

/// The settings that differ from their defaults.
fn changed(trained: &Trained, registry: &Registry) -> String {
    let parameters = registry
        .find(trained.learner())
        .map(|entry| entry.all_parameters());
    let parameters = parameters.unwrap_or_default();
    let default = |name: &str, value: &str| {
        let of = |parameter: &&Parameter| parameter.name == name;
        parameters
            .iter()
            .find(of)
            .is_some_and(|parameter| parameter.default == value)
    };
    let settings = trained.settings().iter();
    let changed = settings.filter(|(name, value)| !default(name, value));
    let changed: Vec<String> = changed
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    match changed.is_empty() {
        true => "as by default".to_owned(),
        false => changed.join(" "),
    }
}

fn as_text(trained: &Trained, registry: &Registry) -> String {
    let provenance = trained.provenance();
    let settings = changed(trained, registry);
    let picked = trained.picked();
    let picked = picked.map(|picked| format!("{} of {}", picked.member, picked.members));
    let mut text = String::new();
    for (name, value) in [
        ("learner", trained.learner()),
        ("settings", &settings),
        ("target", &trained.target_names().join(", ")),
        ("data", &provenance.data),
        ("rows", &provenance.rows.to_string()),
        ("fingerprint", &provenance.fingerprint.text()),
        ("made by", &provenance.command),
        ("version", &provenance.version),
    ]
    .into_iter()
    .chain(picked.as_deref().map(|picked| ("picked", picked)))
    {
        text += &format!("{name:<12} {value}\n");
    }
    text + "\n" + &remedy::shown(trained)
}
