//! What a benchmark over time measures with each seed: as a log keeps it, and as a table.

use serde::{Deserialize, Serialize};

/// What is measured with one seed, as it is kept in a results folder.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Scored {
    pub validation: Option<f64>,
    pub test: Option<f64>,
    /// How long fitting and predicting took, on that machine and as busy as it was.
    pub seconds: f64,
}

/// What is measured with one seed, and of what.
pub(super) struct SeedLine<'a> {
    pub protocol: &'a str,
    pub task: &'a str,
    pub learner: &'a str,
    pub seed: u64,
    pub scored: Scored,
}

/// A line for each seed.
pub(super) fn seed_table(lines: &[SeedLine<'_>]) -> String {
    let mut text = "protocol,task,learner,seed,validation,test,seconds\n".to_owned();
    let shown = |score: Option<f64>| score.map_or(String::new(), |score| score.to_string());
    for line in lines {
        text += &format!(
            "{},{},{},{},{},{},{:.1}\n",
            line.protocol,
            line.task,
            line.learner,
            line.seed,
            shown(line.scored.validation),
            shown(line.scored.test),
            line.scored.seconds,
        );
    }
    text
}
