//! Dividing single rows so that every class keeps its share.

use super::Numbered;
use kinwood_learning::random::Generator;

/// The fold of each row, from 0.
///
/// Rows are shuffled within their class, the classes laid end to end, and the whole dealt out
/// like cards. Consecutive cards go to different folds, hence both the sizes of the folds and
/// each class's counts per fold differ by at most 1.
pub(super) fn folds(strata: &Numbered, folds: usize, generator: &mut Generator) -> Vec<usize> {
    let mut fold_of = vec![0; strata.of.len()];
    let mut dealt = 0;
    for mut rows in strata.members() {
        generator.shuffle(&mut rows);
        for row in rows {
            fold_of[row as usize] = dealt % folds;
            dealt += 1;
        }
    }
    fold_of
}

/// Whether each row is for training.
///
/// The number of training rows is the share of all rows, rounded, with at least one row on
/// either side. Each class gives its own share rounded down; the rows still missing come one
/// each from the classes with the largest remainders, in random order among equals, lest the
/// same of many small classes be favoured in every repeat.
pub(super) fn holdout(strata: &Numbered, share: f64, generator: &mut Generator) -> Vec<bool> {
    let rows = strata.of.len();
    let total = ((share * rows as f64).round() as usize).clamp(1, rows - 1);
    let mut members = strata.members();
    generator.shuffle(&mut members);
    let quota = |rows: &Vec<u32>| share * rows.len() as f64;
    let remainder = |rows: &Vec<u32>| quota(rows).fract();
    members.sort_by(|a, b| remainder(b).total_cmp(&remainder(a)));

    let certain: usize = members.iter().map(|rows| quota(rows) as usize).sum();
    let mut missing = total.saturating_sub(certain);
    let mut trains = vec![false; rows];
    for mut rows in members {
        let mut take = quota(&rows) as usize;
        if missing > 0 && take < rows.len() {
            take += 1;
            missing -= 1;
        }
        generator.shuffle(&mut rows);
        for &row in &rows[..take] {
            trains[row as usize] = true;
        }
    }
    trains
}
