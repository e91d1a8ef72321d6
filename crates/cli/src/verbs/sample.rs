//! `kinwood sample`: built-in data with a known law in it.

use kinwood::text::{Align, TextTable};
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use kinwood::formats::Written;
use kinwood::formats::write::check;
use kinwood::sample::{SAMPLES, Sample as Kind, find};
use serde_json::{Value, json};

use crate::error::Result;
use crate::session::Session;
use crate::writing;

/// The arguments of `kinwood sample`.
#[derive(Args, Debug)]
pub struct Sample {
    /// What to make; without it the kinds are listed
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// The file to write, by its ending (.sqlite .json .pl and others), or a folder of CSV files
    #[arg(short, long, value_name = "OUT", requires = "name", value_hint = ValueHint::AnyPath)]
    output: Option<PathBuf>,
    /// How many molecules, bags, phrases, plants or apples
    #[arg(long, value_name = "N", requires = "name", value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    size: Option<u32>,
    /// How much chance there is in the targets, from 0 (the law alone) to 1 (nothing of it)
    #[arg(long, value_name = "SHARE", requires = "name", default_value = "0.1", value_parser = share)]
    noise: f64,
}

fn share(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    number
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

impl Sample {
    /// Runs the verb.
    pub fn run(&self, session: &mut Session<'_>) -> Result<()> {
        let Some(name) = &self.name else {
            return list(session);
        };
        let kind = find(name)?;
        match &self.output {
            Some(path) => self.write(kind, path, session),
            None => explain(kind, session),
        }
    }

    fn write(&self, kind: &Kind, path: &Path, session: &mut Session<'_>) -> Result<()> {
        writing::check_folder(path)?;
        check(path, session.force).map_err(kinwood::Error::from)?;
        let objects = self.size.map_or(kind.objects, |size| size as usize);
        let running = session
            .context
            .progress(&format!("making {}", kind.name), 0);
        let (written, database) = session.context.install(|| {
            let seed = session.context.seed();
            kind.write(objects, self.noise, seed, path, session.force)
        })?;
        drop(running);
        let Written { files, notices } = written;
        session.note(&notices);
        let files: Vec<String> = files
            .iter()
            .map(|file| file.display().to_string())
            .collect();
        let tables = database.tables().iter();
        if session.json {
            let rows = tables.map(|table| json!({"name": table.name(), "rows": table.rows()}));
            return session.print_json(&json!({
                "sample": kind.name,
                "files": files,
                "tables": rows.collect::<Vec<Value>>(),
                "targets": kind.targets,
                "lost": notices.iter().map(|notice| notice.message()).collect::<Vec<_>>(),
            }));
        }
        let rows: Vec<String> = tables
            .map(|table| format!("{} {}", table.name(), table.rows()))
            .collect();
        session.print(&format!(
            "wrote {}\nrows: {}\ntargets: {}\n",
            files.join(" and "),
            rows.join(", "),
            kind.targets.join(", ")
        ))
    }
}

/// The kinds there are, each with its law.
fn list(session: &mut Session<'_>) -> Result<()> {
    if session.json {
        let all: Vec<Value> = SAMPLES.iter().map(described).collect();
        return session.print_json(&json!({ "samples": all }));
    }
    let mut table = TextTable::new([Align::Left; 2]);
    for kind in SAMPLES {
        table.line([kind.name, kind.summary]);
    }
    session.print(&table.to_string())?;
    session.print("\n`kinwood sample NAME` tells the law of one, `-o OUT` writes it.\n")
}

fn described(kind: &Kind) -> Value {
    json!({
        "name": kind.name,
        "summary": kind.summary,
        "law": kind.law,
        "targets": kind.targets,
        "size": kind.objects,
    })
}

fn explain(kind: &Kind, session: &mut Session<'_>) -> Result<()> {
    if session.json {
        return session.print_json(&json!({ "samples": [described(kind)] }));
    }
    session.print(&format!(
        "{}: {}\n\n{}\n\ntargets  {}\nsize     {} unless `--size` says otherwise\n\n`-o OUT` writes it: a folder of CSV files, \
         or a file by its ending.\n",
        kind.name,
        kind.summary,
        kind.law,
        kind.targets.join(", "),
        kind.objects
    ))
}
