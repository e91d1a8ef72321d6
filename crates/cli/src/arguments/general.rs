//! What every verb takes: threads, seed, limits, and how much is told.

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::time::Duration;

use clap::Args;

use crate::amounts::{duration, size};
use crate::configuration::Configuration;

/// When messages have colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set
    #[default]
    Auto,
    /// Wherever they go
    Always,
    /// Nowhere
    Never,
}

fn color(text: &str) -> Result<Color, String> {
    match text {
        "auto" => Ok(Color::Auto),
        "always" => Ok(Color::Always),
        "never" => Ok(Color::Never),
        _ => Err("expected auto, always or never".to_owned()),
    }
}

impl Color {
    /// The choice of a command line that may be wrong elsewhere.
    pub fn of_words(words: &[OsString]) -> Self {
        let mut words = words.iter().filter_map(|word| word.to_str());
        let named = words.find_map(|word| match word.strip_prefix("--color") {
            Some("") => Some(None),
            Some(value) => value.strip_prefix('=').map(Some),
            None => None,
        });
        let value = match named {
            Some(Some(value)) => Some(value),
            Some(None) => words.next(),
            None => None,
        };
        let read = value.and_then(|value| color(value).ok());
        read.unwrap_or_default()
    }

    /// Whether standard error has colours.
    pub fn on_errors(self) -> bool {
        match self {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
        }
    }
}

/// What every verb takes.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "On every verb")]
pub struct General {
    /// Work on so many threads instead of all; results are the same for any number
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub threads: Option<u32>,
    /// Draw random numbers from this seed instead of 1
    #[arg(long, global = true, value_name = "N", allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Refuse data, and keep intermediate results, above this size, such as 2G or 500M
    #[arg(long, global = true, value_name = "SIZE", value_parser = size)]
    pub memory: Option<u64>,
    /// Stop after this long, such as 30s, 5m or 1h
    #[arg(long, global = true, value_name = "DURATION", allow_negative_numbers = true, value_parser = duration)]
    pub time: Option<Duration>,
    /// Show no notes and no progress
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Show every note, instead of a summary of what was inferred
    #[arg(short, long, global = true)]
    pub verbose: bool,
    /// Colour messages: auto (on a terminal), always or never
    #[arg(long, global = true, value_name = "WHEN", value_parser = color)]
    pub color: Option<Color>,
    /// Replace files that are there
    #[arg(long, global = true)]
    pub force: bool,
    /// Print JSON for programs; docs/json.md is its contract
    #[arg(long, global = true)]
    pub json: bool,
}

impl General {
    /// The command line over the configuration file: what is said here wins.
    pub fn over(&self, configuration: &Configuration) -> General {
        General {
            threads: self.threads.or(configuration.threads),
            seed: self.seed.or(configuration.seed),
            memory: self.memory.or(configuration.memory),
            time: self.time.or(configuration.time),
            quiet: self.quiet || configuration.quiet,
            verbose: self.verbose,
            color: self.color,
            force: self.force,
            json: self.json,
        }
    }
}
