//! The command line as a whole, and the verbs, one file each: its arguments, and what it does.
//!
//! A command is what every verb takes and a verb. Both are here, because two verbs need whole
//! commands: the tour runs them, and completions list them.

mod append;
mod cluster;
mod compare;
mod completions;
mod convert;
mod describe;
mod distance;
mod distances;
mod evaluate;
mod fit;
mod importance;
mod learners;
mod map;
mod matrix;
mod neighbours;
mod pick;
mod predict;
#[cfg(feature = "sqlite")]
mod query;
mod report;
mod reproduce;
mod sample;
mod show;
mod task;
mod tour;
mod tune;

use clap::{Command, CommandFactory, Parser, Subcommand};

use crate::arguments::General;
use crate::error::Result;
use crate::help;
use crate::session::Session;

/// Learn from data that is not a flat table: structured values, bags, databases, logical facts
#[derive(Debug, Parser)]
#[command(
    name = "kinwood",
    version,
    max_term_width = 100,
    arg_required_else_help = true,
    subcommand_required = true,
    disable_help_subcommand = true,
    subcommand_value_name = "VERB",
    subcommand_help_heading = "Verbs",
    after_help = "`kinwood tour` shows the main job on built-in data; `kinwood help VERB` explains a verb."
)]
pub struct Arguments {
    /// What every verb takes.
    #[command(flatten)]
    pub general: General,
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

/// The command line with its help.
pub fn command() -> Command {
    help::command(Arguments::command())
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Show what is understood of data: types, roles, keys, targets
    Describe(describe::Describe),
    /// Write data in another form: CSV, JSON, Parquet, SQLite and more
    Convert(convert::Convert),
    /// Learn a model from data
    Fit(fit::Fit),
    /// Predict with a model, and explain
    Predict(predict::Predict),
    /// Ask for rows, trees and predictions in SQL
    #[cfg(feature = "sqlite")]
    Query(Box<query::Query>),
    /// Measure how well a learner predicts rows it has not seen
    Evaluate(evaluate::Evaluate),
    /// Compare learners on data sets, with tables and tests
    Compare(Box<compare::Compare>),
    /// Choose settings by cross-validation, or draw curves over them
    Tune(Box<tune::Tune>),
    /// Measure which columns and tables a model relies on
    ///
    /// How much worse its predictions get when a column or linked table is permuted.
    Importance(importance::Importance),
    /// Make the examples of a task over time: what happens next
    ///
    /// For each row of a table, every so many days.
    Task(Box<task::Task>),
    /// Show a model as text, picture, page or SQL
    Show(show::Show),
    /// Keep one of a set of models as a model file of its own
    Pick(pick::Pick),
    /// Give a model more examples without fitting it anew
    Append(append::Append),
    /// Measure how far two values are apart, and show why
    Distance(distance::Distance),
    /// List the distances and kernels, or explain one
    Distances(distances::Distances),
    /// Write the distances between all objects to a file
    Matrix(matrix::Matrix),
    /// Find the objects most like one
    Neighbours(neighbours::Neighbours),
    /// Group objects that are alike, and find outliers
    Cluster(cluster::Cluster),
    /// Draw a map of all objects, near ones near each other
    Map(map::Map),
    /// List the learners, or explain one with its settings
    Learners(learners::Learners),
    /// Write a report of a model or a comparison as one page
    ///
    /// Data, model, performance, distances and predictions in one HTML file that needs no network.
    Report(report::Report),
    /// Compute published tables again, beside the paper's figures
    Reproduce(reproduce::Reproduce),
    /// Make data with a known law in it, or list its kinds
    Sample(sample::Sample),
    /// Show the main job on built-in data, from start to end
    Tour(tour::Tour),
    /// Print a completion script for a shell
    Completions(completions::Completions),
}

impl Verb {
    /// Whether `kinwood.toml` matters: a shell that starts must not stumble over it.
    pub fn configurable(&self) -> bool {
        !matches!(self, Verb::Completions(_))
    }

    /// Does it.
    pub fn run(&self, session: &mut Session<'_>) -> Result<()> {
        match self {
            Verb::Describe(verb) => verb.run(session),
            Verb::Convert(verb) => verb.run(session),
            Verb::Fit(verb) => verb.run(session),
            Verb::Predict(verb) => verb.run(session),
            #[cfg(feature = "sqlite")]
            Verb::Query(verb) => verb.run(session),
            Verb::Evaluate(verb) => verb.run(session),
            Verb::Compare(verb) => verb.run(session),
            Verb::Tune(verb) => verb.run(session),
            Verb::Importance(verb) => verb.run(session),
            Verb::Task(verb) => verb.run(session),
            Verb::Show(verb) => verb.run(session),
            Verb::Pick(verb) => verb.run(session),
            Verb::Append(verb) => verb.run(session),
            Verb::Distance(verb) => verb.run(session),
            Verb::Distances(verb) => verb.run(session),
            Verb::Matrix(verb) => verb.run(session),
            Verb::Neighbours(verb) => verb.run(session),
            Verb::Cluster(verb) => verb.run(session),
            Verb::Map(verb) => verb.run(session),
            Verb::Learners(verb) => verb.run(session),
            Verb::Report(verb) => verb.run(session),
            Verb::Reproduce(verb) => verb.run(session),
            Verb::Sample(verb) => verb.run(session),
            Verb::Tour(verb) => verb.run(session),
            Verb::Completions(verb) => verb.run(session),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(command: &Command, path: &str) {
        assert!(command.get_about().is_some(), "`{path}` has no help");
        for argument in command.get_arguments() {
            let name = argument.get_id();
            assert!(
                argument.get_help().is_some(),
                "`{path}`: `{name}` has no help"
            );
            let takes_value = argument.get_action().takes_values();
            let named = argument.get_value_names().is_some_and(|names| {
                names
                    .iter()
                    .all(|name| name.chars().all(|c| !c.is_lowercase()))
            });
            assert!(
                !takes_value || named,
                "`{path}`: `{name}` does not name its value"
            );
        }
        for verb in command.get_subcommands() {
            check(verb, &format!("{path} {}", verb.get_name()));
        }
    }

    #[test]
    fn every_verb_and_argument_has_help_and_names_its_value() {
        let mut command = command();
        command.build();
        check(&command, "kinwood");
    }

    #[test]
    fn the_command_line_holds_together() {
        Arguments::command().debug_assert();
    }
}
