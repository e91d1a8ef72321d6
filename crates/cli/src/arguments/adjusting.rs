//! How predictions are put right: settings that every learner has, as options.

use clap::Args;

/// What a model predicts besides, and how its probabilities are put right.
#[derive(Args, Clone, Debug, Default)]
pub struct Adjusting {
    /// Predict besides an interval, or a set of classes, that holds the truth with this
    /// probability, such as 0.9
    #[arg(long, value_name = "LEVEL")]
    pub interval: Option<String>,
    /// Put probabilities right by predictions of inner folds: isotonic or platt
    #[arg(long, value_name = "HOW")]
    pub calibrate: Option<String>,
}

impl Adjusting {
    /// As settings of a learner.
    pub fn settings(&self) -> Vec<(String, String)> {
        let stated = [("interval", &self.interval), ("calibrate", &self.calibrate)];
        let stated = stated.into_iter();
        stated
            .filter_map(|(name, value)| Some((name.to_owned(), value.clone()?)))
            .collect()
    }
}
