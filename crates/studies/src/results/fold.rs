//! Folds that are computed once: taken from a log that has them, computed and logged otherwise.

use std::time::Instant;

use kinwood_evaluation::run::Trial;
use kinwood_evaluation::splits::Split;
use kinwood_learners::{Context, Learner, Predictions};
use kinwood_values::{AsOf, View};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::log::Log;
use super::record::FoldKept;
use kinwood_workbench::data::Problem;
use kinwood_workbench::error::Result;
use kinwood_workbench::fingerprint::{fingerprint, hexadecimal};

/// The predictions of the test rows of a split.
pub struct Found {
    /// The predictions.
    pub predictions: Predictions,
    /// How long they took, when they were computed.
    pub seconds: f64,
    /// The settings that a learner which chooses has chosen on the training rows.
    pub chosen: Option<String>,
    /// Whether the log had them.
    pub was_known: bool,
}

impl Found {
    /// Whether all that is predicted are numbers.
    pub fn is_finite(&self) -> bool {
        self.was_known || FoldKept::of(&self.predictions, 0.0).is_some()
    }
}

/// What a log has of a split, or else what is computed and logged. A learner that `chooses`
/// settings is asked which.
pub fn on_split(
    learner: &dyn Learner,
    trial: &Trial,
    split: &Split,
    chooses: bool,
    log: Option<&Log>,
    context: &Context,
) -> Result<Found> {
    let key = format!("{}.{}", split.repeat, split.fold);
    if let Some(kept) = log.and_then(|log| log.get(&key))
        && let Ok(kept) = serde_json::from_value::<FoldKept>(kept.clone())
    {
        let (seconds, chosen) = (kept.seconds, kept.chosen.clone());
        if let Some(predictions) = kept.predictions(split.test.len()) {
            return Ok(Found {
                predictions,
                seconds,
                chosen,
                was_known: true,
            });
        }
    }
    let begun = Instant::now();
    let (predictions, chosen) =
        trial.on_split(learner, split, context, |model, test, context| {
            let chosen = chooses.then(|| chosen(&model.facts().tuned.unwrap_or_default()));
            Ok((model.predict(test, context)?, chosen))
        })?;
    let seconds = begun.elapsed().as_secs_f64();
    // What is no finite number cannot be kept, and is computed anew the next time.
    if let (Some(log), Some(mut kept)) = (log, FoldKept::of(&predictions, seconds)) {
        kept.chosen.clone_from(&chosen);
        log.put(&key, &json!(kept))?;
    }
    Ok(Found {
        predictions,
        seconds,
        chosen,
        was_known: false,
    })
}

/// Settings as one would give them.
fn chosen(settings: &[(String, String)]) -> String {
    let words = settings
        .iter()
        .map(|(name, value)| format!("{name}={value}"));
    words.collect::<Vec<_>>().join(" ")
}

/// What decides which rows are predicted from which.
pub fn identity(problem: &Problem, trial: &Trial) -> Value {
    let view = &problem.view;
    let mut hash = Sha256::new();
    let rows: Vec<u32> = view.rows().collect();
    let splits = trial.known().splits.iter();
    let sides = splits.flat_map(|split| [&split.train, &split.test]);
    for rows in sides.chain([&rows]) {
        hash.update((rows.len() as u64).to_le_bytes());
        rows.iter().for_each(|row| hash.update(row.to_le_bytes()));
    }
    let mut identity = json!({
        "kinwood": env!("CARGO_PKG_VERSION"),
        "data": fingerprint(view.database()),
        "table": view.table().name(),
        "targets": problem.target_names(),
        "division": hexadecimal(&hash.finalize()),
    });
    if let Some(as_of) = view.as_of() {
        identity["as_of"] = seen(view, as_of).into();
    }
    identity
}

/// What decides which rows see which: cutoffs, and the columns that say when rows are.
pub(crate) fn seen(view: &View, as_of: &AsOf) -> String {
    let mut hash = Sha256::new();
    let window = as_of.window().unwrap_or(f64::INFINITY);
    let cutoffs = (0..as_of.len() as u32).map(|row| as_of.cutoff(row));
    for number in cutoffs.chain([as_of.gap(), window]) {
        hash.update(number.to_le_bytes());
    }
    for table in view.database().tables() {
        hash.update(format!("{:?}", table.time()));
    }
    hexadecimal(&hash.finalize())
}
