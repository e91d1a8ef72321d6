//! `kinwood completions`: scripts by which shells complete the command line.

use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory, ValueHint};
use clap_complete::Shell;
use kinwood::output::save;
use serde_json::json;

use crate::error::{Error, Result};
use crate::session::Session;
use crate::verbs::{Arguments, command};

/// The arguments of `kinwood completions`.
#[derive(Args, Debug)]
pub struct Completions {
    /// The shell
    #[arg(
        value_name = "SHELL",
        value_enum,
        required_unless_present = "man",
        conflicts_with = "man"
    )]
    shell: Option<Shell>,
    /// Write man pages of the command and its verbs into this folder instead
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    man: Option<PathBuf>,
}

impl Completions {
    /// Runs the verb.
    pub fn run(&self, session: &mut Session<'_>) -> Result<()> {
        let shell = match (&self.man, self.shell) {
            (Some(folder), _) => return man_pages(folder, session),
            (None, shell) => shell.expect("the arguments have one of both"),
        };
        // Into memory first: the generator does not expect that nobody listens.
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut Arguments::command(), "kinwood", &mut script);
        let script = String::from_utf8_lossy(&script);
        match session.json {
            true => {
                let shell = shell.to_string();
                session.print_json(&json!({"shell": shell, "script": script}))
            }
            false => session.print(&script),
        }
    }
}

/// Writes a man page for the command and one for each verb.
fn man_pages(folder: &Path, session: &mut Session<'_>) -> Result<()> {
    std::fs::create_dir_all(folder).map_err(|source| Error::write(folder, source))?;
    let mut whole = command();
    whole.build();
    let verbs = whole.get_subcommands().cloned();
    let verbs = verbs.map(|verb| (format!("kinwood-{}", verb.get_name()), verb));
    let mut files = Vec::new();
    for (name, verb) in verbs.chain([("kinwood".to_owned(), Arguments::command())]) {
        let path = folder.join(format!("{name}.1"));
        session.check_output(&path, &[])?;
        let mut page = Vec::new();
        let man = clap_mangen::Man::new(verb).title(name.to_uppercase());
        man.render(&mut page)
            .map_err(|source| Error::write(&path, source))?;
        save(&path, |out| out.write_all(&page))?;
        files.push(path.display().to_string());
    }
    match session.json {
        true => session.print_json(&json!({"shell": "man", "script": files.join("\n")})),
        false => session.print(&format!(
            "wrote {} man pages to {}\n",
            files.len(),
            folder.display()
        )),
    }
}
