//! What is said about objects to compare.

use clap::Args;

/// Which objects are compared, and by what distance.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Distance")]
pub struct Comparing {
    /// The distance, such as "hausdorff(absolute)"; `kinwood distances` lists them
    #[arg(long, value_name = "EXPR")]
    pub distance: Option<String>,
    /// Compare the values of this column instead of whole rows
    #[arg(long, value_name = "COLUMN")]
    pub column: Option<String>,
    /// The table whose rows are compared, where there are several
    #[arg(long, value_name = "TABLE")]
    pub table: Option<String>,
    /// How many foreign keys away rows are compared: 0 for the row alone
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(0..=8))]
    pub depth: u8,
}
