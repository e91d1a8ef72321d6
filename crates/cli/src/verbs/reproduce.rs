//! `kinwood reproduce`: published tables computed again, beside the paper's figures.

use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueHint};
use kinwood::over_time::{Benchmark, benchmarks};
use kinwood::reproduce::{Reproduction, Summary, reproduce, studies, study};
use kinwood::results::{Folder, Purpose};
use kinwood::sheet::Form;
use serde_json::json;

use crate::error::{Error, Result};
use crate::session::Session;

/// The arguments of `kinwood reproduce`.
#[derive(Args, Debug)]
pub struct Reproduce {
    /// The study, or `all`
    #[arg(value_name = "NAME", required_unless_present = "list")]
    name: Option<String>,
    /// List the studies instead
    #[arg(long, conflicts_with = "name")]
    list: bool,
    /// The folder with the public data sets; KINWOOD_DATA if nothing is said, and
    /// KINWOOD_BENCHMARKS for studies over time such as rel-f1
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Keep every fold and all tables in this folder, with a page of all, and go on with what it
    /// has
    #[arg(short = 'o', long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with = "list")]
    results: Option<PathBuf>,
}

impl Reproduce {
    /// Runs the verb.
    pub fn run(&self, session: &mut Session<'_>) -> Result<()> {
        if self.list {
            return list(session);
        }
        if let Some(benchmark) = self.benchmark()? {
            return self.over_time(&benchmark, session);
        }
        let studies = match self.name.as_deref() {
            Some("all") | None => studies()?,
            Some(name) => vec![study(name)?],
        };
        let folder = match &self.data {
            Some(folder) => folder.clone(),
            None => std::env::var_os("KINWOOD_DATA")
                .map(PathBuf::from)
                .ok_or(Error::NoStudyData)?,
        };
        let results = match &self.results {
            Some(path) => Some(Folder::open(path, Purpose::Reproduce)?),
            None => None,
        };
        if let Some(results) = &results {
            let names: Vec<&str> = studies.iter().map(|study| study.name.as_str()).collect();
            results.keep_manifest(&json!({"reproduce": names}))?;
        }
        let mut summary = Summary::default();
        for study in &studies {
            let begun = Instant::now();
            let (table, notices) = reproduce(
                study,
                &folder,
                session.registry,
                &session.context,
                results.as_ref(),
            )?;
            session.note(&notices);
            if !session.json {
                session.print(&table.to_text())?;
            }
            if let Some(results) = &results {
                let file = format!("tables/{}.txt", study.name);
                results.write(&file, &table.to_text())?;
            }
            summary.tables.push((table, begun.elapsed().as_secs_f64()));
        }
        let all = self.name.as_deref() == Some("all");
        if let Some(results) = &results {
            for sheet in [summary.counts(), summary.differences()] {
                for form in Form::ALL {
                    let file = format!("tables/{}.{}", sheet.name, form.ending());
                    results.write(&file, &sheet.written(form))?;
                }
            }
            results.write("summary.html", &summary.html())?;
            results.write("summary.json", &format!("{:#}\n", summary.to_json()))?;
        }
        match (session.json, summary.tables.as_slice()) {
            (false, _) if all => {
                let counts = summary.counts().written(Form::Text);
                session.print(&format!("\n{counts}"))
            }
            (false, _) => Ok(()),
            (true, [(one, _)]) if !all => session.print_json(one),
            (true, _) => {
                let tables: Vec<&Reproduction> = summary.tables.iter().map(|(t, _)| t).collect();
                session.print_json(&tables)
            }
        }
    }
}

impl Reproduce {
    /// The benchmark over time that is named, if one is.
    fn benchmark(&self) -> Result<Option<Benchmark>> {
        let all = benchmarks()?.into_iter();
        let name = self.name.as_deref();
        Ok(all
            .into_iter()
            .find(|benchmark| name == Some(&benchmark.name)))
    }

    /// Runs a benchmark over time.
    fn over_time(&self, benchmark: &Benchmark, session: &mut Session<'_>) -> Result<()> {
        let folder = match &self.data {
            Some(folder) => folder.clone(),
            None => std::env::var_os("KINWOOD_BENCHMARKS")
                .map(PathBuf::from)
                .ok_or(Error::NoBenchmarks)?,
        };
        let results = match &self.results {
            Some(path) => Some(Folder::open(path, Purpose::Reproduce)?),
            None => None,
        };
        if let Some(results) = &results {
            results.keep_manifest(&json!({"reproduce": [benchmark.name]}))?;
        }
        let (table, notices) = benchmark.run(
            &folder,
            session.registry,
            &session.context,
            results.as_ref(),
        )?;
        session.note(&notices);
        if let Some(results) = &results {
            let file = format!("tables/{}.txt", benchmark.name);
            results.write(&file, &table.to_text())?;
        }
        match session.json {
            true => session.print_json(&table),
            false => session.print(&table.to_text()),
        }
    }
}

fn list(session: &mut Session<'_>) -> Result<()> {
    let studies = studies()?.into_iter();
    let studies = studies.map(|study| (study.name, study.title, study.reference));
    let benchmarks = benchmarks()?.into_iter();
    let benchmarks = benchmarks.map(|study| (study.name, study.title, study.reference));
    let studies: Vec<_> = studies.chain(benchmarks).collect();
    if session.json {
        let listed: Vec<_> = studies
            .iter()
            .map(|(name, title, reference)| json!({"name": name, "title": title, "reference": reference}))
            .collect();
        return session.print_json(&listed);
    }
    for (name, title, reference) in &studies {
        session.print(&format!("{name}\n  {title}\n  {reference}\n"))?;
    }
    Ok(())
}
