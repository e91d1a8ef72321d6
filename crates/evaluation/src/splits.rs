//! Dividing rows into training and test: by cross-validation, at random, by time, or as the data
//! say.
//!
//! A [`Plan`] states what is wanted, [`Plan::splits`] makes it into row positions. Plans that draw
//! at random keep the classes' shares (stratification) and, where rows belong to groups (the rows
//! of one patient, the bags of one molecule), every plan keeps each group on one side: otherwise a
//! method is tested on what it has all but seen. Repeats draw from their own random streams, so
//! that the splits of repeat 3 are the same whether 3 or 30 repeats are asked for.

mod apart;
mod forward;
mod given;
mod grouped;
mod notice;
mod split;
mod splitter;
mod strata;
mod stratified;

pub use notice::Notice;
pub use split::Split;
pub use splitter::{BuildSplitter, Custom, Rows, Splitter, SplitterEntry};
use strata::Numbered;
pub use strata::Strata;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::error::{Error, Unit};
use kinwood_learning::random::Generator;

/// The first word of the random streams for splits; other uses of one seed take other words.
const STREAM: u64 = u64::from_le_bytes(*b"splits\0\0");

/// What a plan makes of the data: the splits, and what a careful reader should know of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Splits {
    /// The splits, by repeat, then by fold.
    pub splits: Vec<Split>,
    /// What falls short, by class.
    pub notices: Vec<Notice>,
}

/// How rows are divided into training and test.
#[derive(Debug, Clone, PartialEq)]
pub enum Plan {
    /// Each row is tested once per repeat, by a model trained on the other folds.
    ///
    /// Reference: R. Kohavi, A study of cross-validation and bootstrap for accuracy estimation
    /// and model selection, IJCAI 1995 (stratified folds).
    CrossValidation {
        /// The number of folds, at least 2.
        folds: usize,
        /// How often to divide anew, at least once.
        repeats: usize,
    },
    /// Each repeat trains on a random share of the rows and tests on the rest.
    Holdout {
        /// The share of training rows, between 0 and 1.
        train_share: f64,
        /// How often to divide anew, at least once.
        repeats: usize,
    },
    /// Each fold the data name is tested once, by a model trained on the other folds.
    ///
    /// Folds come in the order of their labels as numbers if all labels are numbers, else in the
    /// order of their first rows. Labels that differ as text are different folds.
    GivenFolds {
        /// The fold of each row.
        labels: Vec<String>,
    },
    /// Objects are dealt into folds, and no test row has an object that a training row has.
    ///
    /// A fold is tested on the rows all of whose objects are in it and trained on the rows none of
    /// whose are. Other rows are used in neither, which is told; so are folds without test rows or
    /// without two classes in training, which are left out.
    Apart {
        /// The number of folds, at least 2.
        folds: usize,
        /// How often to divide anew, at least once.
        repeats: usize,
        /// The objects of each row.
        objects: Vec<Vec<u32>>,
    },
    /// Each row, or where there are groups each group, is tested once, by a model trained on all
    /// others.
    ///
    /// Nothing is drawn: the seed changes nothing. Measures that one row does not define (areas,
    /// correlations) are defined for all test rows together.
    ///
    /// Reference: M. Stone, Cross-validatory choice and assessment of statistical predictions,
    /// Journal of the Royal Statistical Society B 36, 1974.
    LeaveOneOut,
    /// Training rows come before test rows: the rows by time are cut into `folds + 1` blocks of
    /// about equal size, and each block but the first is tested by a model trained on all blocks
    /// before it.
    ///
    /// Rows of one time are never divided. Rows of a group are not on both sides: a row to be
    /// tested whose group has earlier rows in training is left out of the test, which is told, and
    /// so is a fold of which nothing is left. Nothing is drawn: the seed changes nothing.
    ///
    /// Reference: L. Tashman, Out-of-sample tests of forecasting accuracy: an analysis and review,
    /// International Journal of Forecasting 16, 2000 (rolling origin).
    Forward {
        /// The time of each row: any numbers that grow with time.
        times: Vec<f64>,
        /// The number of folds, at least 2.
        folds: usize,
        /// Rows older than this before the first time of a block are not trained on; all are if
        /// there is none.
        window: Option<f64>,
        /// How long after its time the target of a row is known: rows of which it is not before the
        /// first time of a block are not trained on.
        horizon: f64,
    },
    /// As a splitter divides them that is not built in.
    Custom(Custom),
}

impl From<Arc<dyn Splitter>> for Plan {
    fn from(splitter: Arc<dyn Splitter>) -> Self {
        Plan::Custom(Custom(splitter))
    }
}

/// The most row positions that leaving one out may take up, over all splits: a gigabyte.
const MOST_POSITIONS: usize = 1 << 28;

impl Plan {
    /// The splits of this plan.
    ///
    /// - `strata`: what to balance. Without groups the rows of each class per fold differ by at
    ///   most 1, and so do the sizes of the folds; with groups this is done as far as whole
    ///   groups allow.
    /// - `groups`: the group of each row; all rows of a group are on one side of every split.
    /// - `seed`: the same seed gives the same splits.
    ///
    /// ```
    /// use kinwood_evaluation::splits::{Plan, Strata};
    /// let plan = Plan::CrossValidation { folds: 5, repeats: 2 };
    /// let made = plan.splits(&Strata::Plain { rows: 12 }, None, 1)?;
    /// assert_eq!(made.splits.len(), 10);
    /// assert_eq!(made.splits[0].test.len(), 3);
    /// # Ok::<(), kinwood_evaluation::Error>(())
    /// ```
    pub fn splits(
        &self,
        strata: &Strata<'_>,
        groups: Option<&[u32]>,
        seed: u64,
    ) -> Result<Splits, Error> {
        let numbered = strata.numbered()?;
        let rows = strata.rows();
        if let Some(groups) = groups
            && groups.len() != rows
        {
            return Err(Error::Lengths {
                what: "groups",
                found: groups.len(),
                expected: rows,
            });
        }
        let mut told = Vec::new();
        let splits = match self {
            Plan::CrossValidation { folds, repeats } => {
                cross_validation(*folds, *repeats, &numbered, groups, seed)?
            }
            Plan::Holdout {
                train_share,
                repeats,
            } => holdout(*train_share, *repeats, &numbered, groups, seed)?,
            Plan::GivenFolds { labels } => given::splits(labels, rows, groups)?,
            Plan::Apart {
                folds,
                repeats,
                objects,
            } => {
                let objects = with_groups(objects, rows, groups)?;
                let (splits, of_folds) = apart::splits(*folds, *repeats, &objects, strata, seed)?;
                told = of_folds;
                splits
            }
            Plan::LeaveOneOut => leave_one_out(&numbered, groups)?,
            Plan::Forward {
                times,
                folds,
                window,
                horizon,
            } => {
                let known = forward::Known {
                    window: *window,
                    horizon: *horizon,
                };
                let (splits, of_groups) = forward::splits(*folds, times, rows, groups, known)?;
                told = of_groups;
                splits
            }
            Plan::Custom(splitter) => splitter.splits(&Rows {
                strata: *strata,
                groups,
                seed,
            })?,
        };
        told.extend(notice::notices(strata, &splits));
        if matches!(self, Plan::LeaveOneOut) {
            // That one row is not of every class needs no telling.
            told.retain(|notice| !matches!(notice, Notice::Untested { .. }));
        }
        Ok(Splits {
            splits,
            notices: told,
        })
    }
}

/// The objects of each row, its group being one more of them.
fn with_groups(
    objects: &[Vec<u32>],
    rows: usize,
    groups: Option<&[u32]>,
) -> Result<Vec<Vec<u32>>, Error> {
    if objects.len() != rows {
        return Err(Error::Lengths {
            what: "lists of objects",
            found: objects.len(),
            expected: rows,
        });
    }
    if let Some(row) = objects.iter().position(Vec::is_empty) {
        return Err(Error::NoObjects { row });
    }
    let Some(groups) = groups else {
        return Ok(objects.to_vec());
    };
    let mut numbers: BTreeMap<(bool, u32), u32> = BTreeMap::new();
    let mut number = |key| {
        let next = numbers.len() as u32;
        *numbers.entry(key).or_insert(next)
    };
    let all = objects.iter().zip(groups).map(|(objects, &group)| {
        let mut all: Vec<u32> = objects.iter().map(|&o| number((false, o))).collect();
        all.push(number((true, group)));
        all
    });
    Ok(all.collect())
}

fn cross_validation(
    folds: usize,
    repeats: usize,
    strata: &Numbered,
    groups: Option<&[u32]>,
    seed: u64,
) -> Result<Vec<Split>, Error> {
    if folds < 2 {
        return Err(Error::TooFewFolds { found: folds });
    }
    if repeats == 0 {
        return Err(Error::NoRepeats);
    }
    let groups = groups.map(members_of_groups);
    let (units, kind) = units(strata, groups.as_deref());
    if folds > units {
        return Err(Error::TooManyFolds { folds, units, kind });
    }
    let mut splits = Vec::new();
    for repeat in 1..=repeats {
        let mut generator = stream(seed, repeat);
        let fold_of = match &groups {
            None => stratified::folds(strata, folds, &mut generator),
            Some(groups) => grouped::folds(groups, strata, folds, &mut generator),
        };
        splits.extend(splits_by_fold(repeat, folds, &fold_of));
    }
    Ok(splits)
}

fn holdout(
    train_share: f64,
    repeats: usize,
    strata: &Numbered,
    groups: Option<&[u32]>,
    seed: u64,
) -> Result<Vec<Split>, Error> {
    // Written so that a share that is no number is refused as well.
    if !(train_share > 0.0 && train_share < 1.0) {
        return Err(Error::ShareOutside { found: train_share });
    }
    if repeats == 0 {
        return Err(Error::NoRepeats);
    }
    let groups = groups.map(members_of_groups);
    let (units, kind) = units(strata, groups.as_deref());
    if units < 2 {
        return Err(Error::Indivisible { units, kind });
    }
    let divide = |repeat| {
        let mut generator = stream(seed, repeat);
        let trains = match &groups {
            None => stratified::holdout(strata, train_share, &mut generator),
            Some(groups) => grouped::holdout(groups, strata, train_share, &mut generator),
        };
        let (train, test) = (0..trains.len() as u32).partition(|&row| trains[row as usize]);
        Split {
            repeat,
            fold: 1,
            train,
            test,
        }
    };
    Ok((1..=repeats).map(divide).collect())
}

fn leave_one_out(strata: &Numbered, groups: Option<&[u32]>) -> Result<Vec<Split>, Error> {
    let rows = strata.of.len();
    let units = match groups {
        Some(groups) => members_of_groups(groups),
        None => (0..rows as u32).map(|row| vec![row]).collect(),
    };
    let kind = match groups {
        Some(_) => Unit::Groups,
        None => Unit::Rows,
    };
    if units.len() < 2 {
        let units = units.len();
        return Err(Error::Indivisible { units, kind });
    }
    if units.len().saturating_mul(rows) > MOST_POSITIONS {
        return Err(Error::TooManyToLeaveOut {
            units: units.len(),
            kind,
            rows,
        });
    }
    let split = |(place, test): (usize, Vec<u32>)| Split {
        repeat: 1,
        fold: place + 1,
        train: (0..rows as u32)
            .filter(|row| test.binary_search(row).is_err())
            .collect(),
        test,
    };
    Ok(units.into_iter().enumerate().map(split).collect())
}

fn stream(seed: u64, repeat: usize) -> Generator {
    Generator::new(seed, &[STREAM, repeat as u64])
}

fn units(strata: &Numbered, groups: Option<&[Vec<u32>]>) -> (usize, Unit) {
    match groups {
        None => (strata.of.len(), Unit::Rows),
        Some(groups) => (groups.len(), Unit::Groups),
    }
}

/// The rows of each group, by group code.
fn members_of_groups(groups: &[u32]) -> Vec<Vec<u32>> {
    let mut members: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (row, &group) in groups.iter().enumerate() {
        members.entry(group).or_default().push(row as u32);
    }
    members.into_values().collect()
}

/// One split per fold, from the fold (from 0) of each row.
fn splits_by_fold(repeat: usize, folds: usize, fold_of: &[usize]) -> impl Iterator<Item = Split> {
    (0..folds).map(move |fold| {
        let (test, train) =
            (0..fold_of.len() as u32).partition(|&row| fold_of[row as usize] == fold);
        Split {
            repeat,
            fold: fold + 1,
            train,
            test,
        }
    })
}

#[cfg(test)]
mod tests;
