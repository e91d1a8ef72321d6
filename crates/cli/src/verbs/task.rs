//! `kinwood task`: examples of a task over time, made of a database.

use std::fs;
use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use kinwood::output::save;
use kinwood::tasks::{BoundTask, Empty, MadeTask, TaskDefinition, days};
use kinwood_values::Notice;
use kinwood_values::notice::counted;
use serde_json::{Map, Value, json};

use crate::arguments::{Reading, StatedReading};
use crate::error::{Error, Result};
use crate::loading::load;
use crate::session::Session;

/// The arguments of `kinwood task`.
#[derive(Args, Debug)]
pub struct Task {
    /// The data: a file of a database, a folder of tables, or a URL such as
    /// postgresql://user@host/database
    #[arg(value_name = "DATA", value_hint = ValueHint::AnyPath)]
    data: PathBuf,
    #[command(flatten)]
    reading: StatedReading,
    /// Take the task from the part [task] of this file in TOML, such as a study; what is stated
    /// beside it wins
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    task: Option<PathBuf>,
    #[command(flatten)]
    stated: Stated,
    /// Write the examples to this CSV file
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Print the query that makes the examples, in SQL for SQLite and PostgreSQL, instead of them
    #[arg(long)]
    sql: bool,
}

/// What is stated about the task.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Task")]
struct Stated {
    /// The table whose rows the task is about
    #[arg(long, value_name = "TABLE")]
    entity: Option<String>,
    /// A cutoff every so many days, such as 30, "4 weeks" or "1 year"
    #[arg(long, value_name = "DAYS", value_parser = days)]
    every: Option<f64>,
    /// Look at so many days after a cutoff
    #[arg(long, value_name = "DAYS", value_parser = days)]
    horizon: Option<f64>,
    /// What is to be predicted: count, sum, mean, any, none, first, latest, min or max of linked
    /// rows, such as "any(results.statusId != 1)", "count(orders where amount > 100)" or
    /// "min(qualifying.position) <= 3"
    #[arg(long, value_name = "EXPR")]
    target: Option<String>,
    /// What the target's column is called
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// The earliest cutoff there may be; the first time there is if nothing is said
    #[arg(long, value_name = "DATE")]
    from: Option<String>,
    /// The latest end of a window; the last time there is if nothing is said
    #[arg(long, value_name = "DATE")]
    to: Option<String>,
    /// The first cutoff of validation rows
    #[arg(long, value_name = "DATE")]
    validation: Option<String>,
    /// The first cutoff of test rows
    #[arg(long, value_name = "DATE")]
    test: Option<String>,
    /// At most so many cutoffs of validation rows, and of test rows
    #[arg(long, value_name = "N")]
    cutoffs: Option<usize>,
    /// Look only at linked rows that satisfy this
    #[arg(long = "where", value_name = "CONDITION")]
    condition: Option<String>,
    /// Only rows of the entity's table that satisfy this
    #[arg(long, value_name = "CONDITION")]
    who: Option<String>,
    /// Only who has a linked row within so many days up to the cutoff
    #[arg(long, value_name = "DAYS", value_parser = days)]
    active: Option<f64>,
    /// The table of those rows, if it is not that of the target
    #[arg(long, value_name = "TABLE")]
    active_in: Option<String>,
    /// What becomes of those without a linked row after the cutoff: no examples, or examples of
    /// which nothing is counted
    #[arg(long, value_name = "CHOICE")]
    empty: Option<Emptiness>,
    /// The column that leads to the entity's table, where several do
    #[arg(long, value_name = "[TABLE.]COLUMN")]
    via: Option<String>,
    /// The column with the times of linked rows, where there are several of dates
    #[arg(long, value_name = "[TABLE.]COLUMN")]
    time_column: Option<String>,
}

/// What becomes of those without a linked row.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Emptiness {
    /// They are no examples; that is so of mean, first, latest, min and max.
    Drop,
    /// They are examples with 0, or 1 of `none`; that is so of count, sum, any and none.
    Zero,
}

impl Task {
    /// Runs the verb.
    pub fn run(&self, session: &mut Session<'_>) -> Result<()> {
        if let Some(path) = &self.output {
            // A task is often kept beside the tables that it is made of.
            session.check_output(path, &[])?;
        }
        let definition = self.definition()?;
        let reading = Reading {
            data: self.data.clone(),
            stated: self.reading.clone(),
            ..Reading::default()
        };
        let data = load(&reading, &[], session)?;
        session.note(&data.dataset().notices);
        let task = definition.bind(data.database())?;
        let sql = task.sql()?;
        if self.sql {
            match session.json {
                true => session.print_json(&json!({"columns": task.columns(), "sql": sql}))?,
                false => session.print(&sql)?,
            }
            if self.output.is_none() {
                return Ok(());
            }
        }
        let running = session.context.progress("making examples", 0);
        let made = task.make()?;
        drop(running);
        session.check()?;
        if made.rows.is_empty() {
            session.note(&[Notice::new("the task has no examples")]);
        }
        match &self.output {
            Some(path) => save(path, |out| made.write(out))?,
            None if !session.json => return made.write(&mut *session.out).map_err(Error::Output),
            None => {}
        }
        match (self.sql, session.json) {
            (true, _) => Ok(()),
            (false, true) => self.print_json(&task, &made, &sql, session),
            (false, false) => session.print(&self.told(&task, &made)),
        }
    }

    /// The task: what is stated, over what a file has.
    fn definition(&self) -> Result<TaskDefinition> {
        let stated = &self.stated;
        let mut task = match &self.task {
            Some(path) => {
                let text = fs::read_to_string(path).map_err(|error| Error::read(path, error))?;
                TaskDefinition::from_toml(&text, &path.display().to_string())?
            }
            None => {
                let lacking = [
                    ("--entity", stated.entity.is_none()),
                    ("--every", stated.every.is_none()),
                    ("--horizon", stated.horizon.is_none()),
                    ("--target", stated.target.is_none()),
                ];
                if let Some((flag, _)) = lacking.into_iter().find(|(_, lacking)| *lacking) {
                    return Err(Error::NoTaskPart { flag });
                }
                TaskDefinition::default()
            }
        };
        let empty = stated.empty.map(|empty| match empty {
            Emptiness::Drop => Empty::Drop,
            Emptiness::Zero => Empty::Zero,
        });
        take(&mut task.entity, &stated.entity);
        take(&mut task.every, &stated.every);
        take(&mut task.horizon, &stated.horizon);
        take(&mut task.target, &stated.target);
        for (own, other) in [
            (&mut task.name, &stated.name),
            (&mut task.from, &stated.from),
            (&mut task.to, &stated.to),
            (&mut task.validation, &stated.validation),
            (&mut task.test, &stated.test),
            (&mut task.condition, &stated.condition),
            (&mut task.who, &stated.who),
            (&mut task.active_in, &stated.active_in),
            (&mut task.via, &stated.via),
            (&mut task.time, &stated.time_column),
        ] {
            if other.is_some() {
                own.clone_from(other);
            }
        }
        task.cutoffs = stated.cutoffs.or(task.cutoffs);
        task.active = stated.active.or(task.active);
        task.empty = empty.or(task.empty);
        Ok(task)
    }

    fn told(&self, task: &BoundTask<'_>, made: &MadeTask) -> String {
        let mut text = String::new();
        for (part, cutoffs, first, last) in task.spans() {
            let counts = made.counts();
            let rows = counts.iter().find(|(name, _)| name == part.name());
            let rows = counted(rows.map_or(0, |(_, rows)| *rows), "row");
            let cutoffs = counted(cutoffs, "cutoff");
            text += &format!(
                "{}: {rows}, {cutoffs} from {first} to {last}\n",
                part.name()
            );
        }
        match &self.output {
            Some(path) => text + &format!("wrote {}\n", path.display()),
            None => text,
        }
    }

    fn print_json(
        &self,
        task: &BoundTask<'_>,
        made: &MadeTask,
        sql: &str,
        session: &mut Session<'_>,
    ) -> Result<()> {
        let counts = made.counts();
        let parts: Map<String, Value> = task
            .spans()
            .into_iter()
            .map(|(part, cutoffs, first, last)| {
                let rows = counts.iter().find(|(name, _)| name == part.name());
                let told = json!({
                    "rows": rows.map_or(0, |(_, rows)| *rows),
                    "cutoffs": cutoffs,
                    "first": first,
                    "last": last,
                });
                (part.name().to_owned(), told)
            })
            .collect();
        let file = self.output.as_ref().map(|path| path.display().to_string());
        let mut report = json!({
            "entity": task.entity(),
            "columns": made.columns,
            "rows": made.rows.len(),
            "parts": parts,
            "file": file,
            "sql": sql,
        });
        if self.output.is_none() {
            report["examples"] = json!(made.rows);
        }
        session.print_json(&report)
    }
}

fn take<T: Clone>(own: &mut T, other: &Option<T>) {
    if let Some(other) = other {
        own.clone_from(other);
    }
}
