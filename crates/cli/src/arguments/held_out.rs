//! What is said about rows that are divided once for all.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use kinwood::held_out::{Freeze, HoldOut};
use kinwood_values::Role;

/// Rows that whoever made the data has divided.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Training and test rows")]
pub struct HoldingOut {
    /// Take what rows are for from this column, which learners then do not see: train, val or
    /// validation, test
    #[arg(long, value_name = "[TABLE.]COLUMN", conflicts_with_all = ["folds", "split", "fold_column", "apart", "leave_one_out", "by_time"])]
    pub split_column: Option<String>,
    /// Fit what is tested on validation rows too, with what was chosen by them; by default it is
    /// fitted on training rows alone
    #[arg(long, requires = "split_column")]
    pub refit: bool,
}

/// A file of rows to test.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Training and test rows")]
pub struct TestRows {
    /// Fit on all rows of the data and test those of this file: rows of the target's table, linked
    /// with the data's other tables, or data of their own
    #[arg(long, value_name = "FILE", value_hint = ValueHint::AnyPath, conflicts_with_all = ["split_column", "folds", "split", "fold_column", "repeats", "apart", "leave_one_out", "by_time"])]
    pub test: Option<PathBuf>,
}

impl HoldingOut {
    /// The role of the column that divides the rows, which learners then do not see.
    pub fn roles(&self) -> Vec<(String, Role)> {
        let column = self.split_column.iter();
        column.map(|column| (column.clone(), Role::Fold)).collect()
    }

    /// Whether rows are held out.
    pub fn any(&self) -> bool {
        self.split_column.is_some()
    }

    /// How rows are held out, where they are.
    pub fn hold_out(&self, freeze: Freeze, repeats: Option<usize>) -> Option<HoldOut> {
        let column = self.split_column.clone()?;
        Some(HoldOut {
            column,
            freeze,
            refit: self.refit,
            repeats: repeats.unwrap_or(1),
        })
    }
}
