//! What is said about training and test rows.

use clap::Args;
use kinwood::Data;
use kinwood::evaluate::Division;
use kinwood::naming::find_column;
use kinwood_values::Role;

use crate::error::Result;
use crate::provenance::Words;

/// How rows are divided into training and test.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Training and test rows")]
pub struct Dividing {
    /// Divide the rows into so many folds, each tested once; 10 if nothing else is said
    #[arg(long, value_name = "N", conflicts_with_all = ["split", "fold_column"])]
    pub folds: Option<usize>,
    /// Draw this share of the rows for training, such as 0.67, and test the others
    #[arg(long, value_name = "SHARE", conflicts_with = "fold_column")]
    pub split: Option<f64>,
    /// Take the folds from this column, which learners then do not see
    #[arg(long, value_name = "COLUMN", conflicts_with = "repeats")]
    pub fold_column: Option<String>,
    /// Divide so often anew: once into folds, 25 times into splits if nothing is said
    #[arg(long, value_name = "N")]
    pub repeats: Option<usize>,
    /// Divide the values of these columns into folds, so that no test row has one that a training
    /// row has
    #[arg(long, value_name = "COLUMN,..", value_delimiter = ',', conflicts_with_all = ["split", "fold_column"])]
    pub apart: Vec<String>,
    /// Test each row by itself, or where there are groups each group, and train on all others
    #[arg(long, conflicts_with_all = ["folds", "split", "fold_column", "repeats", "apart"])]
    pub leave_one_out: bool,
    /// Divide by the times in this column, numbers or dates: each fold is tested by what comes
    /// before it
    #[arg(long, value_name = "COLUMN", conflicts_with_all = ["split", "fold_column", "repeats", "apart", "leave_one_out"])]
    pub by_time: Option<String>,
    /// With --by-time, train on rows of the last so many days before each block only, instead of
    /// all before it
    #[arg(long, value_name = "DAYS", requires = "by_time", value_parser = days)]
    pub train_window: Option<f64>,
}

fn days(text: &str) -> std::result::Result<f64, String> {
    match text.parse::<f64>() {
        Ok(days) if days > 0.0 && days.is_finite() => Ok(days),
        _ => Err("expected a number of days above 0".to_owned()),
    }
}

impl Dividing {
    /// The role of the column that names the folds, which learners then do not see.
    pub fn roles(&self) -> Vec<(String, Role)> {
        let column = self.fold_column.iter();
        column.map(|column| (column.clone(), Role::Fold)).collect()
    }

    /// What is said about folds, splits and repeats; `None` where nothing is.
    pub fn division(&self, data: &Data) -> Result<Option<Division>> {
        if let Some(written) = &self.fold_column {
            let (table, column) = find_column(data.database(), written)?;
            let name = &data.database().table(table).attribute(column).name;
            return Ok(Some(Division::Column(name.clone())));
        }
        Ok(self.drawn())
    }

    /// Whether anything is said.
    pub fn any(&self) -> bool {
        self.drawn().is_some() || self.fold_column.is_some()
    }

    /// What decides the result, in a fixed order.
    pub fn write_options(&self, words: &mut Words) {
        words.option("--folds", &self.folds);
        words.option("--split", &self.split);
        words.option("--fold-column", &self.fold_column);
        words.option("--repeats", &self.repeats);
        words.option("--by-time", &self.by_time);
        words.option("--train-window", &self.train_window);
        if self.leave_one_out {
            words.word("--leave-one-out");
        }
        if !self.apart.is_empty() {
            words.option("--apart", &Some(self.apart.join(",")));
        }
    }

    /// What is stated about divisions that are drawn; `clap` refuses what contradicts itself.
    fn drawn(&self) -> Option<Division> {
        let words = kinwood::evaluation::division::Words {
            folds: self.folds,
            repeats: self.repeats,
            train_share: self.split,
            apart: self.apart.clone(),
            by_time: self.by_time.clone(),
            train_window: self.train_window,
            leave_one_out: self.leave_one_out,
            ..Default::default()
        };
        words
            .division()
            .expect("options that contradict each other are refused as arguments")
    }
}
