//! What is said about time: by when rows see others.

use clap::Args;
use kinwood::time::TimeChoices;

use crate::provenance::Words;

/// By when rows see others.
#[derive(Args, Clone, Debug, Default, PartialEq)]
#[command(next_help_heading = "Time")]
pub struct Seeing {
    /// Rows see what was known by this column of theirs, or by this date: linked rows of later
    /// times are hidden
    #[arg(long, value_name = "COLUMN|DATE")]
    pub as_of: Option<String>,
    /// Nothing of so many days before the cutoff is seen
    #[arg(long, value_name = "DAYS", allow_negative_numbers = true)]
    pub gap: Option<f64>,
    /// Nothing older than so many days before the cutoff is seen
    #[arg(long, value_name = "DAYS", allow_negative_numbers = true)]
    pub window: Option<f64>,
    /// Targets are known after so many days, and then seen by later rows of what they refer to
    #[arg(long, value_name = "DAYS", allow_negative_numbers = true)]
    pub horizon: Option<f64>,
    /// No row sees anything later than this date, however much later its cutoff is; with
    /// --split-column and no date, validation and test rows see nothing after the first cutoff of
    /// theirs, and two dates with a comma between state these
    #[arg(long, value_name = "DATE", num_args = 0..=1, default_missing_value = "first")]
    pub freeze: Option<String>,
}

impl Seeing {
    /// The same for the library.
    pub fn choices(&self) -> TimeChoices {
        TimeChoices {
            as_of: self.as_of.clone(),
            gap: self.gap,
            window: self.window,
            horizon: self.horizon,
            freeze: self.freeze.clone(),
        }
    }

    /// What decides the result, in a fixed order.
    pub fn write_options(&self, words: &mut Words) {
        words.option("--as-of", &self.as_of);
        words.option("--gap", &self.gap);
        words.option("--window", &self.window);
        words.option("--horizon", &self.horizon);
        words.option("--freeze", &self.freeze);
    }
}
