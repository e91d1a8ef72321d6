//! Folds in the order of time: what is tested is never earlier than what was learned from.
//!
//! Folds drawn at random let a method learn from the day after the one it is tested on, which
//! nobody can do who uses it.

use std::collections::HashSet;

use super::{Notice, Split};
use crate::error::Error;

/// Which earlier rows are trained on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// How much earlier they may be.
    pub window: Option<f64>,
    /// How long it takes until their targets are known.
    pub horizon: f64,
}

impl Known {
    /// Whether a row of a time is trained on to be tested from another time on.
    fn keeps(self, time: f64, first: f64) -> bool {
        let recent = self.window.is_none_or(|window| time >= first - window);
        recent && time + self.horizon <= first
    }
}

/// The splits, and what groups cost; see [`super::Plan::Forward`].
pub(super) fn splits(
    folds: usize,
    times: &[f64],
    rows: usize,
    groups: Option<&[u32]>,
    known: Known,
) -> Result<(Vec<Split>, Vec<Notice>), Error> {
    if times.len() != rows {
        return Err(Error::Lengths {
            what: "times",
            found: times.len(),
            expected: rows,
        });
    }
    if folds < 2 {
        return Err(Error::TooFewFolds { found: folds });
    }
    if let Some(row) = times.iter().position(|time| time.is_nan()) {
        return Err(Error::NoTime { row });
    }
    let mut order: Vec<u32> = (0..rows as u32).collect();
    // Adding 0 makes -0 and 0 one time.
    let time = |row: u32| times[row as usize] + 0.0;
    order.sort_by(|&a, &b| time(a).total_cmp(&time(b)));
    // Where the rows of each distinct time end.
    let ends: Vec<usize> = order
        .chunk_by(|&a, &b| time(a) == time(b))
        .scan(0, |end, equal| {
            *end += equal.len();
            Some(*end)
        })
        .collect();
    let cuts = cuts(&ends, folds)?;

    let (mut splits, mut left_out) = (Vec::with_capacity(folds), 0);
    let (mut untested, mut untrained) = (0, 0);
    for (fold, cut) in cuts.windows(2).enumerate() {
        let mut train = order[..cut[0]].to_vec();
        let first = time(order[cut[0]]);
        train.retain(|&row| known.keeps(time(row), first));
        let mut test = order[cut[0]..cut[1]].to_vec();
        if let Some(groups) = groups {
            let seen: HashSet<u32> = train.iter().map(|&row| groups[row as usize]).collect();
            test.retain(|&row| !seen.contains(&groups[row as usize]));
            left_out += cut[1] - cut[0] - test.len();
        }
        if train.is_empty() {
            untrained += 1;
            continue;
        }
        if test.is_empty() {
            untested += 1;
            continue;
        }
        train.sort_unstable();
        test.sort_unstable();
        splits.push(Split {
            repeat: 1,
            fold: fold + 1,
            train,
            test,
        });
    }
    if splits.is_empty() {
        return Err(Error::NothingForward { folds });
    }
    let mut notices = Vec::new();
    if left_out > 0 {
        notices.push(Notice::GroupSeenBefore {
            rows: left_out,
            of: rows - cuts[0],
        });
    }
    if untested + untrained > 0 {
        notices.push(Notice::FoldsLeftOut {
            untested,
            untrained,
            of: folds,
        });
    }
    Ok((splits, notices))
}

/// Where blocks end, the first one first: each at the end of a time, as near to equal sizes as
/// times allow, and none empty.
fn cuts(ends: &[usize], folds: usize) -> Result<Vec<usize>, Error> {
    let rows = ends.last().copied().unwrap_or(0);
    if ends.len() <= folds {
        return Err(Error::TooFewTimes {
            folds,
            found: ends.len(),
        });
    }
    let blocks = folds + 1;
    let mut cuts = Vec::with_capacity(blocks);
    let mut from = 0;
    for block in 1..=blocks {
        // Every block that is still to come needs a time of its own.
        let last = ends.len() - 1 - (blocks - block);
        let wanted = rows as f64 * block as f64 / blocks as f64;
        let apart = |place: &usize| (ends[*place] as f64 - wanted).abs();
        // The first of equals: training has less rather than more.
        let place = (from..=last)
            .min_by(|a, b| apart(a).total_cmp(&apart(b)))
            .unwrap_or(last);
        cuts.push(ends[place]);
        from = place + 1;
    }
    Ok(cuts)
}
