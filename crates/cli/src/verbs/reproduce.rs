//! `kinwood reproduce`: published tables computed again, beside the paper's figures.

use std::path::PathBuf;

use clap::Args;
use kinwood::reproduce::{Reproduction, reproduce, studies, study};
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
    /// The folder with the public data sets; KINWOOD_DATA if nothing is said
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

impl Reproduce {
    /// Runs the verb.
    pub fn run(&self, session: &mut Session<'_>) -> Result<()> {
        if self.list {
            return list(session);
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
        let mut tables: Vec<Reproduction> = Vec::with_capacity(studies.len());
        for study in &studies {
            let (table, notices) = reproduce(study, &folder, session.registry, &session.context)?;
            session.note(&notices);
            if !session.json {
                session.print(&table.to_text())?;
            }
            tables.push(table);
        }
        match (session.json, tables.as_slice()) {
            (false, _) => Ok(()),
            (true, [one]) if self.name.as_deref() != Some("all") => session.print_json(one),
            (true, all) => session.print_json(&all),
        }
    }
}

fn list(session: &mut Session<'_>) -> Result<()> {
    let studies = studies()?;
    if session.json {
        let listed: Vec<_> = studies
            .iter()
            .map(|study| json!({"name": study.name, "title": study.title, "reference": study.reference}))
            .collect();
        return session.print_json(&listed);
    }
    for study in &studies {
        session.print(&format!(
            "{}\n  {}\n  {}\n",
            study.name, study.title, study.reference
        ))?;
    }
    Ok(())
}
