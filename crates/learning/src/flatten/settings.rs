//! How a database is flattened, as a value.

use super::plan::Kind;
use super::{FLATTEN, FLATTEN_DEPTH, FLATTEN_ROWS};
use crate::error::Result;
use crate::settings::Settings;

/// How a database becomes one table for a learner of one table:
/// `Flatten { kind, depth, rows }.around(learner)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flatten {
    /// Which table is made: the joined one unless said otherwise.
    pub kind: Kind,
    /// The most foreign keys that are followed one after the other, from 1; 3 unless said
    /// otherwise.
    pub depth: usize,
    /// The most rows that [`Kind::Joined`] makes before it gives up; ten million unless said
    /// otherwise.
    pub rows: u64,
}

impl Default for Flatten {
    fn default() -> Self {
        let whole = |text: &str| text.parse().expect("the default is a number");
        Self {
            kind: Kind::Joined,
            depth: whole(FLATTEN_DEPTH.default) as usize,
            rows: whole(FLATTEN_ROWS.default),
        }
    }
}

impl Flatten {
    /// As the settings have it; `None` if nothing is flattened.
    pub fn read(settings: &Settings) -> Option<Self> {
        let kind = Kind::named(settings.get(FLATTEN.name)?)?;
        Some(Self {
            kind,
            depth: settings.whole(FLATTEN_DEPTH.name),
            rows: settings.whole(FLATTEN_ROWS.name) as u64,
        })
    }

    /// Fails when a number is out of its range.
    pub(super) fn check(&self) -> Result<()> {
        FLATTEN_DEPTH.check(&self.depth.to_string())?;
        FLATTEN_ROWS.check(&self.rows.to_string())?;
        Ok(())
    }
}
