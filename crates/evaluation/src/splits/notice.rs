//! What a careful reader should know of splits: classes that are too small for them, repeats
//! that repeat nothing.
//!
//! Found by looking at the finished splits, not foretold from counts, so that one rule holds
//! for single rows, groups and given folds.

use std::collections::BTreeSet;
use std::fmt;

use kinwood_values::notice::counted;
use serde::Serialize;

use super::{Split, Strata};

/// Something in which splits fall short without being wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Notice {
    /// No split has the class in training and in test.
    NeverOnBothSides {
        /// The name of the class.
        class: String,
        /// How many rows have it.
        examples: usize,
    },
    /// Some splits have no test row of the class.
    Untested {
        /// The name of the class.
        class: String,
        /// How many rows have it.
        examples: usize,
        /// In how many splits it is not tested.
        splits: usize,
        /// How many splits there are.
        of: usize,
    },
    /// Some splits have no training row of the class.
    Untrained {
        /// The name of the class.
        class: String,
        /// How many rows have it.
        examples: usize,
        /// In how many splits it is not trained.
        splits: usize,
        /// How many splits there are.
        of: usize,
    },
    /// Some repeats divide the rows as earlier ones do, as groups of distinct sizes force.
    RepeatsAlike {
        /// How many different divisions there are.
        distinct: usize,
        /// How many repeats there are.
        repeats: usize,
    },
    /// Rows whose objects are in different folds, where objects are kept apart, are tested in none.
    Straddling {
        /// How many rows, over all repeats.
        rows: usize,
        /// How many there are, over all repeats.
        of: usize,
        /// How many objects are dealt into folds.
        objects: usize,
    },
    /// Rows that are not tested, because training has earlier rows of their groups.
    GroupSeenBefore {
        /// How many rows.
        rows: usize,
        /// How many there are in the folds.
        of: usize,
    },
    /// Folds, where objects are kept apart or groups come in the order of time, that could not be
    /// used.
    FoldsLeftOut {
        /// Those without test rows.
        untested: usize,
        /// Those whose training rows have fewer than two classes.
        untrained: usize,
        /// How many folds there are, over all repeats.
        of: usize,
    },
}

impl fmt::Display for Notice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let examples = |count: &usize| counted(*count, "example");
        match self {
            Notice::NeverOnBothSides {
                class,
                examples: count,
            } => write!(
                formatter,
                "class `{class}` has {}: it is never in both training and test",
                examples(count)
            ),
            Notice::Untested {
                class,
                examples: count,
                splits,
                of,
            } => write!(
                formatter,
                "class `{class}` has {}: {splits} of {of} splits do not test it",
                examples(count)
            ),
            Notice::Untrained {
                class,
                examples: count,
                splits,
                of,
            } => write!(
                formatter,
                "class `{class}` has {}: {splits} of {of} splits train without it",
                examples(count)
            ),
            Notice::Straddling { rows, of, objects } => write!(
                formatter,
                "{objects} objects are kept apart: {rows} of {of} rows have objects in different folds and are tested in none"
            ),
            Notice::GroupSeenBefore { rows, of } => write!(
                formatter,
                "{rows} of {of} rows are not tested: their groups have earlier rows, which are trained on"
            ),
            Notice::FoldsLeftOut {
                untested,
                untrained,
                of,
            } => write!(
                formatter,
                "{} of {of} folds left out: {untested} without test rows, {untrained} without two classes in training",
                untested + untrained
            ),
            Notice::RepeatsAlike { distinct, repeats } => write!(
                formatter,
                "{repeats} repeats divide the data in only {distinct} different way(s)"
            ),
        }
    }
}

/// The notices on finished splits: by class, then on repeats.
pub(super) fn notices(strata: &Strata<'_>, splits: &[Split]) -> Vec<Notice> {
    let mut notices = Vec::new();
    if let Strata::Classes { codes, names } = strata {
        on_classes(codes, names, splits, &mut notices);
    }
    let repeats = splits.last().map_or(0, |split| split.repeat);
    let divisions = |splits: &[Split]| -> BTreeSet<Vec<Vec<u32>>> {
        splits
            .chunk_by(|a, b| a.repeat == b.repeat)
            .map(|folds| {
                let mut tests: Vec<_> = folds.iter().map(|split| split.test.clone()).collect();
                tests.sort_unstable();
                tests
            })
            .collect()
    };
    let distinct = if repeats > 1 {
        divisions(splits).len()
    } else {
        repeats
    };
    if distinct < repeats {
        notices.push(Notice::RepeatsAlike { distinct, repeats });
    }
    notices
}

#[derive(Clone, Default)]
struct Presence {
    examples: usize,
    both: usize,
    untested: usize,
    untrained: usize,
}

fn on_classes(
    codes: &[Option<u32>],
    names: &[String],
    splits: &[Split],
    notices: &mut Vec<Notice>,
) {
    let mut classes = vec![Presence::default(); names.len()];
    for &code in codes.iter().flatten() {
        classes[code as usize].examples += 1;
    }
    let present = |rows: &[u32]| {
        let mut present = vec![false; names.len()];
        for code in rows.iter().filter_map(|&row| codes[row as usize]) {
            present[code as usize] = true;
        }
        present
    };
    for split in splits {
        let sides = present(&split.train).into_iter().zip(present(&split.test));
        for (class, (trained, tested)) in classes.iter_mut().zip(sides) {
            class.both += usize::from(trained && tested);
            class.untested += usize::from(!tested);
            class.untrained += usize::from(!trained);
        }
    }
    let of = splits.len();
    for (name, class) in names.iter().zip(classes) {
        let Presence {
            examples,
            both,
            untested,
            untrained,
        } = class;
        if examples == 0 {
            continue;
        }
        if both == 0 {
            notices.push(Notice::NeverOnBothSides {
                class: name.clone(),
                examples,
            });
            continue;
        }
        if untested > 0 {
            let class = name.clone();
            notices.push(Notice::Untested {
                class,
                examples,
                splits: untested,
                of,
            });
        }
        if untrained > 0 {
            let class = name.clone();
            notices.push(Notice::Untrained {
                class,
                examples,
                splits: untrained,
                of,
            });
        }
    }
}
