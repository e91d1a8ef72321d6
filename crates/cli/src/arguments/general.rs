//! What every verb takes: threads, seed, limits, and how much is told.

use std::time::Duration;

use clap::Args;

use crate::amounts::{duration, size};
use crate::configuration::Configuration;

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
    #[arg(long, global = true)]
    pub quiet: bool,
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
            json: self.json,
        }
    }
}
