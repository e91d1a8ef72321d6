//! `kinwood tour`: the main job on built-in data, from start to end.
//!
//! Each step is a command line that goes through the same parser and the same verbs as one that a
//! user types; the tour only chooses them and shows them with their output.

mod steps;
mod view;

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, FromArgMatches, ValueHint};
use kinwood_values::suggest::nearest;
use serde_json::{Value, json};

use crate::configuration::Configuration;
use crate::error::{Error, Result};
use crate::help::words;
use crate::session::Session;
use crate::verbs::{Arguments, command};

use steps::{MAIN, Run, Step, TOURS};

/// More lines of an output than this are left out: the file or the command has them.
const MOST_LINES: usize = 28;
/// How long somebody reads before the next step appears, at a terminal.
const PAUSE: Duration = Duration::from_millis(1_800);
/// What the folder is called where nothing is stated.
const FOLDER: &str = "kinwood-tour";

/// The arguments of `kinwood tour`.
#[derive(Args, Debug)]
pub struct Tour {
    /// What to see more of: relational, structured, beam, time or query; without it the main job
    #[arg(value_name = "TOPIC", value_parser = topic)]
    topic: Option<String>,
    /// Put the files into this new or empty folder [default: kinwood-tour]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    dir: Option<PathBuf>,
    /// Do not wait between steps; nothing waits where the output is no terminal
    #[arg(long)]
    no_pause: bool,
}

fn topic(text: &str) -> std::result::Result<String, String> {
    let names: Vec<&str> = TOURS.iter().map(|(name, _, _)| *name).collect();
    match names.contains(&text) {
        true => Ok(text.to_owned()),
        false => {
            let near = nearest(text, &names);
            let near = near.map_or(String::new(), |name| format!("; did you mean `{name}`?"));
            Err(format!("expected one of {}{near}", names.join(", ")))
        }
    }
}

impl Tour {
    /// Runs the verb.
    pub fn run(&self, session: &mut Session<'_>) -> Result<()> {
        let steps = self.steps();
        let folder = self.folder()?;
        // The commands are those that a user would type in that folder.
        std::env::set_current_dir(&folder).map_err(|source| Error::write(&folder, source))?;
        if !session.json {
            session.print(&format!(
                "A tour of kinwood in {} steps. Every command can be tried again.\n\n$ mkdir {1} && cd {1}\n",
                steps.len(),
                folder.display()
            ))?;
        }
        let (mut performed, mut noted) = (Vec::<Value>::new(), Vec::new());
        for (number, step) in steps.iter().enumerate() {
            session.check()?;
            let (command, output) = step.perform(session)?;
            if session.json {
                performed.push(json!({"says": step.says, "command": command, "output": output}));
                continue;
            }
            let output = without_repeated(&output, &mut noted);
            let says = wrapped(&format!("{}. {}", number + 1, step.says));
            session.print(&format!("\n{says}$ {command}\n{}", shortened(&output)))?;
            session.out.flush().map_err(Error::Output)?;
            self.wait(session)?;
        }
        match session.json {
            true => session.print_json(&json!({"folder": folder, "steps": performed})),
            false => session.print(&self.farewell(&folder)),
        }
    }

    fn steps(&self) -> &'static [Step] {
        let named = |topic: &String| TOURS.iter().find(|(name, _, _)| name == topic);
        let tour = self.topic.as_ref().and_then(named);
        tour.map_or(MAIN, |(_, _, steps)| steps)
    }

    /// Lets somebody at a terminal read.
    fn wait(&self, session: &Session<'_>) -> Result<()> {
        if self.no_pause || !io::stdout().is_terminal() {
            return Ok(());
        }
        std::thread::sleep(PAUSE);
        session.check()
    }

    /// A new folder, or the one named if there is nothing in it.
    fn folder(&self) -> Result<PathBuf> {
        let folder = match &self.dir {
            Some(folder) => folder.clone(),
            None => {
                let names = (1..).map(|number| match number {
                    1 => PathBuf::from(FOLDER),
                    _ => PathBuf::from(format!("{FOLDER}-{number}")),
                });
                let mut free = names.filter(|name| !name.exists());
                free.next().expect("there is always another number")
            }
        };
        let failed = |source| Error::write(&folder, source);
        std::fs::create_dir_all(&folder).map_err(failed)?;
        if std::fs::read_dir(&folder).map_err(failed)?.next().is_some() {
            return Err(Error::NotEmpty { path: folder });
        }
        Ok(folder)
    }

    /// Where the pages are, and what to try next.
    fn farewell(&self, folder: &Path) -> String {
        let mut pages: Vec<String> = std::fs::read_dir(".")
            .into_iter()
            .flatten()
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|name| name.ends_with(".html") || name.ends_with(".svg"))
            .collect();
        pages.sort();
        let mut text = String::new();
        if !pages.is_empty() {
            text += "\nPages and pictures to open in a browser:\n";
            for page in pages {
                text += &format!("  {}\n", folder.join(page).display());
            }
        }
        text += "\nNext:\n";
        for (name, what, _) in TOURS {
            if self.topic.as_deref() != Some(name) {
                text += &next(&format!("tour {name}"), what);
            }
        }
        text += &next("describe YOUR_DATA", "what is understood of your own data");
        text + &next("--help", "all verbs")
    }
}

/// A line of what to try next.
fn next(command: &str, what: &str) -> String {
    format!("  kinwood {command:<18}  {what}\n")
}

/// An output without the notes that stood in an earlier one.
fn without_repeated(output: &str, noted: &mut Vec<String>) -> String {
    let fresh = |line: &&str| {
        let repeated = line.starts_with("note: ") && noted.iter().any(|other| other == line);
        if line.starts_with("note: ") && !repeated {
            noted.push((*line).to_owned());
        }
        !repeated
    };
    let lines = output.lines().filter(fresh);
    lines.map(|line| format!("{line}\n")).collect()
}

/// The start of an output, and how much more there is.
fn shortened(output: &str) -> String {
    let lines: Vec<&str> = output.lines().collect();
    if lines.len() <= MOST_LINES {
        return output.to_owned();
    }
    let shown = MOST_LINES - 2;
    let more = lines.len() - shown;
    format!("{}\n  … {more} more lines\n", lines[..shown].join("\n"))
}

/// A text as comment lines of at most 78 columns.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::from("#")];
    for word in text.split_whitespace() {
        let last = lines.last_mut().expect("there is a first line");
        match last.chars().count() + 1 + word.chars().count() > 78 {
            true => lines.push(format!("# {word}")),
            false => {
                last.push(' ');
                last.push_str(word);
            }
        }
    }
    lines.join("\n") + "\n"
}

impl Step {
    /// Runs the command into a text, notes first, as a terminal would show them.
    fn perform(&self, session: &Session<'_>) -> Result<(String, String)> {
        let first = self.command.split(" && ").next().unwrap_or_default();
        let first = first.split(" | ").next().unwrap_or_default();
        let mut words = words(first);
        let draws = matches!(words[1].as_str(), "fit" | "evaluate" | "compare");
        let seed = session.context.seed();
        let mut command = self.command.to_owned();
        if draws && seed != 1 {
            words.extend(["--seed".to_owned(), seed.to_string()]);
            command += &format!(" --seed {seed}");
        }
        let output = performed(&words, session)?;
        let output = match self.run {
            Run::Verb => output,
            Run::BareSample => {
                let schema = Path::new("molecules/schema.toml");
                std::fs::remove_file(schema).map_err(|source| Error::write(schema, source))?;
                output
            }
            Run::View => view::create(&output)?,
        };
        Ok((command, output))
    }
}

fn performed(words: &[String], session: &Session<'_>) -> Result<String> {
    let matches = command().try_get_matches_from(words);
    let matches = matches.expect("the tour's commands are right");
    let command = Arguments::from_arg_matches(&matches).expect("the tour's commands are right");
    let (mut out, mut notes) = (Vec::new(), Vec::new());
    command.verb.run(&mut Session {
        registry: session.registry,
        configuration: &Configuration::default(),
        interrupt: session.interrupt,
        context: session.context.clone(),
        json: false,
        quiet: session.quiet || command.general.quiet,
        verbose: session.verbose,
        force: true,
        out: &mut out,
        notes: &mut notes,
    })?;
    notes.append(&mut out);
    Ok(String::from_utf8_lossy(&notes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_of_the_tours_is_one() {
        let tours = TOURS.iter().map(|(_, _, steps)| *steps);
        for step in tours.chain([MAIN]).flatten() {
            let first = step.command.split(" && ").next().unwrap();
            let first = first.split(" | ").next().unwrap();
            let outcome = command().try_get_matches_from(words(first));
            assert!(
                outcome.is_ok(),
                "{}: {}",
                step.command,
                outcome.unwrap_err()
            );
        }
    }

    #[test]
    fn a_note_is_shown_once() {
        let mut noted = Vec::new();
        let first = without_repeated("note: a\nb\n", &mut noted);
        assert_eq!(first, "note: a\nb\n");
        assert_eq!(without_repeated("note: a\nb\n", &mut noted), "b\n");
    }

    #[test]
    fn texts_wrap_and_outputs_end() {
        let text = wrapped(&"word ".repeat(40));
        assert!(
            text.lines()
                .all(|line| line.starts_with("# ") && line.len() <= 78)
        );
        let long = "line\n".repeat(50);
        assert_eq!(shortened(&long).lines().count(), MOST_LINES - 1);
        assert!(shortened(&long).ends_with("24 more lines\n"));
        assert_eq!(shortened("a\nb\n"), "a\nb\n");
    }
}
