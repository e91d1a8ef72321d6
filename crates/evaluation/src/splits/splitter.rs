//! The door for ways of dividing rows that are not built in.
//!
//! A [`Splitter`] divides rows; put into a [`super::Plan`] it is used like any other plan. A
//! [`SplitterEntry`] gives it a name and settings, so that study files and
//! [`crate::division::Division`] can state it as text.

use std::fmt::Debug;
use std::sync::{Arc, PoisonError, RwLock};

use kinwood_learning::{Parameter, Settings};
use kinwood_values::View;
use kinwood_values::suggest::nearest;

use super::split::Split;
use super::strata::Strata;
use crate::error::{Error, SplitFault};

/// The rows to divide.
#[derive(Debug, Clone, Copy)]
pub struct Rows<'a> {
    /// What to keep in balance, and how many rows there are.
    pub strata: Strata<'a>,
    /// The group of each row, where rows have groups: all rows of a group must be on one side of
    /// every split.
    pub groups: Option<&'a [u32]>,
    /// The seed of whatever is drawn: the same seed gives the same splits.
    pub seed: u64,
}

/// A way to divide rows into training and test.
pub trait Splitter: Debug + Send + Sync {
    /// The splits, by repeat, then by fold. Training and test rows ascend and have no row in
    /// common; neither is empty.
    fn split(&self, rows: &Rows<'_>) -> Result<Vec<Split>, Error>;
}

/// A splitter that is not built in, as part of a plan. Equal are those that are the same object.
#[derive(Debug, Clone)]
pub struct Custom(pub Arc<dyn Splitter>);

impl PartialEq for Custom {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Custom {
    /// The splits, checked: a row on both sides would make every score a lie.
    pub(super) fn splits(&self, rows: &Rows<'_>) -> Result<Vec<Split>, Error> {
        let splits = self.0.split(rows)?;
        if splits.is_empty() {
            return Err(Error::NoSplits);
        }
        for split in &splits {
            if let Some(fault) = fault(split, rows) {
                return Err(Error::Split {
                    repeat: split.repeat,
                    fold: split.fold,
                    fault,
                });
            }
        }
        Ok(splits)
    }
}

/// What is wrong with a split, if anything.
fn fault(split: &Split, rows: &Rows<'_>) -> Option<SplitFault> {
    if split.train.is_empty() || split.test.is_empty() {
        return Some(SplitFault::Empty);
    }
    let count = rows.strata.rows();
    let mut on_side = vec![None; count];
    for (side, positions) in [(true, &split.train), (false, &split.test)] {
        if !positions.is_sorted_by(|a, b| a < b) {
            return Some(SplitFault::Unordered);
        }
        for &row in positions {
            match on_side.get_mut(row as usize) {
                None => return Some(SplitFault::Unknown { row, rows: count }),
                Some(Some(_)) => return Some(SplitFault::Both { row }),
                Some(free) => *free = Some(side),
            }
        }
    }
    let mut side_of_group = std::collections::BTreeMap::new();
    let groups = rows.groups.into_iter().flatten().zip(on_side);
    for (&group, side) in groups.filter_map(|(group, side)| Some((group, side?))) {
        if *side_of_group.entry(group).or_insert(side) != side {
            return Some(SplitFault::Group { group });
        }
    }
    None
}

/// Makes a splitter from its settings and the rows that it is to divide, whose columns it may read.
pub type BuildSplitter = fn(&Settings, &View) -> Result<Arc<dyn Splitter>, Error>;

/// A way to divide rows that has a name and settings.
#[derive(Debug, Clone, Copy)]
pub struct SplitterEntry {
    /// Its name.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub doc: &'static str,
    /// Its settings.
    pub parameters: &'static [Parameter],
    /// Makes it.
    pub build: BuildSplitter,
}

/// The splitters that users have registered, in the order of their first registration.
static REGISTERED: RwLock<Vec<SplitterEntry>> = RwLock::new(Vec::new());

impl SplitterEntry {
    /// Makes the splitter known by its name to the whole program, in place of one that was
    /// registered under that name before.
    pub fn register(self) {
        let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
        match registered.iter_mut().find(|known| known.name == self.name) {
            Some(known) => *known = self,
            None => registered.push(self),
        }
    }

    /// The splitters that are registered.
    pub fn all() -> Vec<SplitterEntry> {
        let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
        registered.clone()
    }

    /// The splitter of a name.
    pub fn find(name: &str) -> Result<SplitterEntry, Error> {
        let all = SplitterEntry::all();
        let found = all.iter().find(|entry| entry.name == name);
        found.copied().ok_or_else(|| {
            let known: Vec<&'static str> = all.iter().map(|entry| entry.name).collect();
            Error::UnknownSplitter {
                found: name.to_owned(),
                nearest: nearest(name, &known),
                known,
            }
        })
    }

    /// The splitter with settings, which are checked, for the rows of a view.
    pub fn splitter(
        &self,
        given: &[(String, String)],
        view: &View,
    ) -> Result<Arc<dyn Splitter>, Error> {
        let settings = Settings::read(self.name, self.parameters, given);
        let settings = settings.map_err(|error| Error::SplitterSettings {
            splitter: self.name.to_owned(),
            reason: error.to_string(),
        })?;
        (self.build)(&settings, view)
    }
}
