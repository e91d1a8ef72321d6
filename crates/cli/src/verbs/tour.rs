//! `kinwood tour`: the main verbs at work on built-in data.
//!
//! Each step is a command line that goes through the same parser and the same verbs as one that a
//! user types; the tour only chooses them and shows them with their output.

use std::path::{Path, PathBuf};

use clap::{Args, Parser, ValueHint};
use kinwood::output::save_table;
use kinwood::sample;
use kinwood_values::Table;
use serde_json::{Value, json};

use crate::configuration::Configuration;
use crate::error::{Error, Result};
use crate::session::Session;
use crate::verbs::Arguments;

/// Apples in the sample, and the share of grades that are wrong: enough to learn from, and not
/// perfectly.
const APPLES: usize = 300;
const NOISE: f64 = 0.1;
/// Apples to predict.
const NEW_APPLES: usize = 3;
/// The sample is the same on every tour.
const SAMPLE_SEED: u64 = 1;

/// The arguments of `kinwood tour`.
#[derive(Args, Debug)]
pub struct Tour {
    /// Put the files into this new or empty folder instead of a temporary one
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    dir: Option<PathBuf>,
}

/// A step: what it shows, and the command that shows it.
struct Step {
    says: &'static str,
    command: &'static [&'static str],
}

const STEPS: &[Step] = &[
    Step {
        says: "What is in the data? Types and roles are inferred, and the reasons are told.",
        command: &["describe", "apples.csv", "--target", "grade"],
    },
    Step {
        says: "Learn a model and keep it. 1R is the best rule on a single column.",
        command: &[
            "fit",
            "oner",
            "apples.csv",
            "--target",
            "grade",
            "-o",
            "rule.kin",
        ],
    },
    Step {
        says: "What has it learned, and from what?",
        command: &["show", "rule.kin"],
    },
    Step {
        says: "How good is it on apples it has not seen? Ten folds, each tested once.",
        command: &["evaluate", "oner", "apples.csv", "--target", "grade"],
    },
    Step {
        says: "The same for nearest neighbours, which look at all columns.",
        command: &[
            "evaluate",
            "knn",
            "apples.csv",
            "--target",
            "grade",
            "--set",
            "k=5",
        ],
    },
    Step {
        says: "Keep the neighbours, too.",
        command: &[
            "fit",
            "knn",
            "apples.csv",
            "--target",
            "grade",
            "--set",
            "k=5",
            "-o",
            "neighbours.kin",
        ],
    },
    Step {
        says: "Predict apples that nobody has graded yet.",
        command: &["predict", "neighbours.kin", "new.csv"],
    },
];

const NEXT: &str = "\
What to try next:
  kinwood learners               what can be learned with, and its settings
  kinwood describe YOUR_DATA     what is understood of your own data
  kinwood describe YOUR_DATA --schema -o schema.toml
                                 the same as a file, to correct and complete
  kinwood fit --help             everything that can be said about data and models
";

impl Tour {
    /// Runs the verb.
    pub fn run(&self, session: &mut Session<'_>) -> Result<()> {
        let folder = self.folder()?;
        make_sample(&folder)?;
        // The commands are those that a user would type in that folder.
        std::env::set_current_dir(&folder).map_err(|source| Error::write(&folder, source))?;
        if !session.json {
            session.print(&format!(
                "A tour of kinwood on {APPLES} made-up apples.\n\n$ cd {}\n",
                folder.display()
            ))?;
        }
        let mut told: Vec<Value> = Vec::new();
        for step in STEPS {
            session.check()?;
            let (command, output) = step.perform(session)?;
            if session.json {
                told.push(json!({"says": step.says, "command": command, "output": output}));
            } else {
                session.print(&format!("\n# {}\n$ {command}\n{output}", step.says))?;
                session.out.flush().map_err(Error::Output)?;
            }
        }
        match session.json {
            true => session.print_json(&json!({"folder": folder, "steps": told})),
            false => session.print(&format!("\n{NEXT}")),
        }
    }

    /// A new folder, or the one named if there is nothing in it.
    fn folder(&self) -> Result<PathBuf> {
        let Some(folder) = &self.dir else {
            // A random ending: a fixed name in a shared folder may belong to somebody else.
            let made = tempfile::Builder::new().prefix("kinwood-tour-").tempdir();
            return made
                .map(tempfile::TempDir::keep)
                .map_err(|source| Error::write(&std::env::temp_dir(), source));
        };
        let failed = |source| Error::write(folder, source);
        std::fs::create_dir_all(folder).map_err(failed)?;
        if std::fs::read_dir(folder).map_err(failed)?.next().is_some() {
            let path = folder.clone();
            return Err(Error::NotEmpty { path });
        }
        Ok(folder.clone())
    }
}

fn make_sample(folder: &Path) -> Result<()> {
    let apples = sample::table(APPLES + NEW_APPLES, NOISE, SAMPLE_SEED);
    let (known, new): (Vec<u32>, Vec<u32>) =
        (0..apples.rows() as u32).partition(|row| (*row as usize) < APPLES);
    save_table(&folder.join("apples.csv"), &apples.gather(&known))?;
    let new = apples.gather(&new);
    let ungraded = new.attributes().iter();
    let ungraded = ungraded.filter(|attribute| attribute.name != "grade");
    let new = Table::new(new.name(), ungraded.cloned().collect()).map_err(kinwood::Error::from)?;
    Ok(save_table(&folder.join("new.csv"), &new)?)
}

impl Step {
    /// Runs the command into a text, notes first, as a terminal would show them.
    fn perform(&self, session: &Session<'_>) -> Result<(String, String)> {
        let mut words = vec!["kinwood".to_owned()];
        words.extend(self.command.iter().map(|&word| word.to_owned()));
        let draws = matches!(self.command[0], "fit" | "evaluate");
        if draws && session.context.seed() != 1 {
            words.extend(["--seed".to_owned(), session.context.seed().to_string()]);
        }
        let command = Arguments::try_parse_from(&words).expect("the tour's commands are right");
        let (mut out, mut notes) = (Vec::new(), Vec::new());
        command.verb.run(&mut Session {
            registry: session.registry,
            configuration: &Configuration::default(),
            interrupt: session.interrupt,
            context: session.context.clone(),
            json: false,
            quiet: session.quiet,
            out: &mut out,
            notes: &mut notes,
        })?;
        notes.append(&mut out);
        Ok((
            words.join(" "),
            String::from_utf8_lossy(&notes).into_owned(),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_of_the_tour_is_one() {
        for step in STEPS {
            let words = ["kinwood"].iter().chain(step.command);
            Arguments::try_parse_from(words).unwrap();
        }
    }
}
