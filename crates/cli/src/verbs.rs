//! The verbs, one file each: its arguments, and what it does.

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
mod predict;
mod report;
mod reproduce;
mod sample;
mod show;
mod tour;
mod tune;

use clap::Subcommand;

use crate::error::Result;
use crate::session::Session;

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Show what is understood of data: tables, columns, types, roles, statistics, keys, targets
    Describe(describe::Describe),
    /// Write data in another form: a CSV folder, ARFF, JSON, Parquet, Arrow, SQLite or Prolog facts
    Convert(convert::Convert),
    /// Learn a model from data
    Fit(fit::Fit),
    /// Predict with a model, as CSV
    Predict(predict::Predict),
    /// Measure how well a learner predicts rows it has not seen
    Evaluate(evaluate::Evaluate),
    /// Compare learners on data sets, keeping every fold, with tables and tests
    Compare(Box<compare::Compare>),
    /// Choose settings of a learner by cross-validation, honestly, or draw curves over them
    Tune(Box<tune::Tune>),
    /// Measure what a model predicts by: how much worse it gets when a column or linked table is permuted
    Importance(importance::Importance),
    /// Show a model: what it is, where it comes from, what it has learned
    Show(show::Show),
    /// Give a model more examples without fitting it anew
    Append(append::Append),
    /// Measure how far two values are apart, and show why
    Distance(distance::Distance),
    /// List the distances and kernels, or explain one with its laws and an example
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
    /// Write a report of a model as one page: data, model, performance, distances, predictions
    Report(report::Report),
    /// Compute published tables again, beside the paper's figures
    Reproduce(reproduce::Reproduce),
    /// Make built-in data with a known law in it, or list its kinds
    Sample(sample::Sample),
    /// Show the main verbs at work on built-in data
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
            Verb::Evaluate(verb) => verb.run(session),
            Verb::Compare(verb) => verb.run(session),
            Verb::Tune(verb) => verb.run(session),
            Verb::Importance(verb) => verb.run(session),
            Verb::Show(verb) => verb.run(session),
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
