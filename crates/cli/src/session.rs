//! A session: what a verb runs with, and where it writes.
//!
//! Writers are handed in, so that the tour runs the same verbs into its own text.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use kinwood::learners::{Context, Error as LearnerError, Registry};
use kinwood_values::notice::counted;
use kinwood_values::{Notice, NoticeKind};
use serde::Serialize;

use crate::arguments::General;
use crate::configuration::Configuration;
use crate::error::{Error, Result};
use crate::interrupt::Interrupt;
use crate::progress::Bars;
use crate::remedy;
use crate::writing;

/// What a verb runs with.
pub struct Session<'a> {
    /// The learners.
    pub registry: &'a Registry,
    /// What `kinwood.toml` says.
    pub configuration: &'a Configuration,
    /// What Ctrl-C sets.
    pub interrupt: &'a Interrupt,
    /// Threads, seed, limits, progress and the stop flag.
    pub context: Context,
    /// Whether results are JSON.
    pub json: bool,
    /// Whether notes are left out.
    pub quiet: bool,
    /// Whether every note is shown, instead of a summary of those of one kind.
    pub verbose: bool,
    /// Whether files that are there are replaced.
    pub force: bool,
    /// Where results go.
    pub out: &'a mut dyn Write,
    /// Where notes go.
    pub notes: &'a mut dyn Write,
}

/// The context that the general options ask for.
pub fn context(general: &General, interrupt: &Interrupt, bars: Arc<Bars>) -> Context {
    let mut context = Context::new()
        .with_seed(general.seed.unwrap_or(1))
        .with_stop(interrupt.flag())
        .with_progress(bars);
    if let Some(threads) = general.threads {
        context = context.with_threads(threads as usize);
    }
    if let Some(bytes) = general.memory {
        context = context.with_memory(bytes);
    }
    if let Some(limit) = general.time {
        context = context.with_time(limit);
    }
    context
}

/// What was inferred, in one line.
fn summarised(notices: &[&Notice]) -> String {
    let of = |kind| {
        notices
            .iter()
            .filter(|notice| notice.kind() == kind)
            .count()
    };
    let keys = of(NoticeKind::InferredKey);
    let roles = of(NoticeKind::InferredRole);
    let counts = [(keys, "key"), (roles, "role")];
    let told = counts.into_iter().filter(|(count, _)| *count > 0);
    let told: Vec<String> = told.map(|(count, thing)| counted(count, thing)).collect();
    format!(
        "{} inferred; `kinwood describe` shows why, `--verbose` lists them",
        told.join(" and ")
    )
}

impl Session<'_> {
    /// The settings of a learner: what `kinwood.toml` says, then the command line. A wrong name is
    /// told here, before a large file is read.
    pub fn settings(
        &self,
        learner: &str,
        given: &[(String, String)],
    ) -> Result<Vec<(String, String)>> {
        let entry = self.registry.find(learner).map_err(kinwood::Error::from)?;
        let own = |(name, value): &(String, String)| (entry.own_name(name), value.clone());
        let given: Vec<(String, String)> = given.iter().map(own).collect();
        let settings = self.configuration.settings(learner, &given);
        entry.settings(&settings).map_err(kinwood::Error::from)?;
        Ok(settings)
    }

    /// Prints results.
    pub fn print(&mut self, text: &str) -> Result<()> {
        self.out.write_all(text.as_bytes()).map_err(Error::Output)
    }

    /// Prints results for programs.
    pub fn print_json(&mut self, value: &impl Serialize) -> Result<()> {
        serde_json::to_writer_pretty(&mut *self.out, value)
            .map_err(|error| Error::Output(error.into()))?;
        self.print("\n")
    }

    /// Shows what was decided by default: what was inferred about keys and roles in one line, all
    /// else a line each.
    pub fn note<'n>(&mut self, notices: impl IntoIterator<Item = &'n Notice>) {
        if self.quiet {
            return;
        }
        let inferred = |notice: &&Notice| {
            matches!(
                notice.kind(),
                NoticeKind::InferredKey | NoticeKind::InferredRole
            )
        };
        let (inferred, others): (Vec<&Notice>, Vec<&Notice>) =
            notices.into_iter().partition(inferred);
        let summary = (inferred.len() > 1 && !self.verbose).then(|| summarised(&inferred));
        let single = inferred.iter().filter(|_| summary.is_none());
        let lines = single.chain(&others).map(|notice| remedy::told(notice));
        for line in summary.iter().cloned().chain(lines) {
            // A note that nobody can read is no reason to fail.
            let _ = writeln!(self.notes, "note: {line}");
        }
    }

    /// Fails when no file can be made at the path, when that would destroy what is read, and, where
    /// nothing is to be replaced, when there is one.
    pub fn check_output(&self, path: &Path, sources: &[&Path]) -> Result<()> {
        writing::check(path, sources)?;
        match path.is_file() && !self.force {
            true => Err(Error::Exists {
                path: path.to_owned(),
            }),
            false => Ok(()),
        }
    }

    /// Fails when the user has stopped the work: asked after what was found until then is written
    /// and told, so that whoever called knows that it is not all.
    pub fn was_interrupted(&self) -> Result<()> {
        match self.interrupt.flag().load(Ordering::Relaxed) {
            true => Err(kinwood::Error::from(LearnerError::Interrupted).into()),
            false => Ok(()),
        }
    }

    /// Fails when the user or the time limit has stopped the work: asked before anything is
    /// written.
    pub fn check(&self) -> Result<()> {
        Ok(self.context.check().map_err(kinwood::Error::from)?)
    }
}
