//! What holds for every test: its time and its environment.

use std::process::Command;
use std::time::Duration;

/// What holds for every test.
pub(super) struct Limits {
    /// How long it may take.
    pub(super) test: Duration,
    /// Variables of its environment; those without a value are taken away.
    pub(super) environment: Vec<(&'static str, Option<String>)>,
}

impl Limits {
    /// Gives a command the environment of tests.
    pub(super) fn apply(&self, command: &mut Command) {
        for (name, value) in &self.environment {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
    }
}
