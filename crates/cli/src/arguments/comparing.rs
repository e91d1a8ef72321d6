//! What is said about objects to compare.

use clap::Args;
use kinwood::objects::{Compared, Objects};

use super::data::{Reading, Roles};
use crate::error::Result;
use crate::loading::load;
use crate::session::Session;

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

impl Comparing {
    /// Reads data and takes the objects from it; tells what was decided.
    pub fn objects(
        &self,
        reading: &Reading,
        roles: &Roles,
        session: &mut Session<'_>,
    ) -> Result<Objects> {
        // What is wrong with the expression itself is told before a large file is read.
        if let Some(distance) = &self.distance {
            distance
                .parse::<kinwood::similarity::Expression>()
                .map_err(kinwood::Error::from)?;
        }
        let data = load(reading, &roles.stated(), session)?;
        session.note(data.notices());
        let asked = Compared {
            table: self.table.clone(),
            column: self.column.clone(),
            distance: self.distance.clone(),
            depth: usize::from(self.depth),
            targets: roles.targets.clone(),
            rows: reading.rows.clone(),
        };
        let (objects, notices) = Objects::of(&data, &asked)?;
        session.note(&notices);
        session.check()?;
        Ok(objects)
    }
}
