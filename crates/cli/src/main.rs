//! The kinwood command: a thin layer over the library.
//!
//! What is asked for (`arguments`, `configuration`) becomes a [`session::Session`], in which a verb
//! runs; results go to standard output, notices and errors to standard error, and the exit code
//! says how it went: 0, 1 (our mistake), 2 (the user's), 130 (interrupted).
#![forbid(unsafe_code)]

mod amounts;
mod arguments;
mod configuration;
mod error;
mod external;
mod guard;
mod help;
mod interrupt;
mod loading;
mod progress;
mod provenance;
mod remedy;
mod report;
mod session;
mod verbs;
mod writing;

use std::ffi::OsString;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;
use std::sync::Arc;

use clap::error::ErrorKind;
use clap::{ColorChoice, FromArgMatches};
use kinwood::learners::Registry;

use arguments::Color;
use configuration::Configuration;
use error::{Error, Result};
use external::External;
use interrupt::Interrupt;
use progress::Bars;
use session::{Session, context};
use verbs::Arguments;

fn main() -> ExitCode {
    guard::install();
    ExitCode::from(guard::guarded(|| run(std::env::args_os())))
}

/// Does what the command line asks for and says how it went.
fn run(words: impl IntoIterator<Item = OsString>) -> u8 {
    let words: Vec<OsString> = words.into_iter().collect();
    let color = Color::of_words(&words);
    let words = help::rewritten(words, &verbs::command());
    let arguments = match parsed(&words, color) {
        Ok(arguments) => arguments,
        Err(answer) => {
            if answer.kind() == ErrorKind::InvalidSubcommand
                && let Some(verb) = External::find(&words)
            {
                return ran(&verb, color);
            }
            let advice = help::answer(&answer, &words, &verbs::command(), &Registry::new());
            if let Some(advice) = advice {
                let _ = writeln!(io::stderr(), "{advice}");
                return error::USER;
            }
            // Help goes to standard output, where nobody may be listening any more.
            let _ = answer.print();
            return u8::try_from(answer.exit_code()).unwrap_or(error::USER);
        }
    };
    let outcome = perform(&arguments);
    if let Err(error) = &outcome {
        report::tell(error, color);
    }
    outcome.as_ref().map_or_else(Error::exit_code, |()| 0)
}

/// The command line as it was meant.
fn parsed(words: &[OsString], color: Color) -> Result<Arguments, clap::Error> {
    let command = verbs::command().color(match color {
        Color::Auto => ColorChoice::Auto,
        Color::Always => ColorChoice::Always,
        Color::Never => ColorChoice::Never,
    });
    Arguments::from_arg_matches(&command.try_get_matches_from(words)?)
}

/// Runs a verb of the user's own and says how it went.
fn ran(verb: &External, color: Color) -> u8 {
    let outcome = verb.run().map_err(|source| Error::External {
        program: verb.program().to_owned(),
        source,
    });
    outcome.unwrap_or_else(|error| {
        report::tell(&error, color);
        error.exit_code()
    })
}

fn perform(arguments: &Arguments) -> Result<()> {
    let registry = Registry::new();
    let configuration = match arguments.verb.configurable() {
        true => Configuration::load(&registry)?,
        false => Configuration::default(),
    };
    let general = arguments.general.over(&configuration);
    let interrupt = Interrupt::listen();
    let bars = Arc::new(Bars::new(general.quiet));
    let mut out = BufWriter::new(io::stdout().lock());
    let mut notes = io::stderr();
    let mut session = Session {
        registry: &registry,
        configuration: &configuration,
        interrupt: &interrupt,
        context: context(&general, &interrupt, bars),
        json: general.json,
        quiet: general.quiet,
        verbose: general.verbose,
        force: general.force,
        out: &mut out,
        notes: &mut notes,
    };
    arguments.verb.run(&mut session)?;
    out.flush().map_err(Error::Output)
}
