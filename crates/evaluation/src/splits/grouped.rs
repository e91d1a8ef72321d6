//! Dividing whole groups of rows, keeping sizes and classes in balance as far as that allows.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::Numbered;
use kinwood_learning::random::Generator;

/// The rows of a group, with how many of them are in which stratum.
struct Group<'a> {
    rows: &'a [u32],
    strata: BTreeMap<usize, usize>,
}

impl Group<'_> {
    /// The stratum with most of the group's rows, the first of equals.
    fn main_stratum(&self) -> usize {
        let main = self
            .strata
            .iter()
            .max_by_key(|&(&stratum, &count)| (count, Reverse(stratum)));
        main.map_or(0, |(&stratum, _)| stratum)
    }
}

/// The groups in random order.
fn shuffled<'a>(
    groups: &'a [Vec<u32>],
    strata: &Numbered,
    generator: &mut Generator,
) -> Vec<Group<'a>> {
    let count = |rows: &'a Vec<u32>| {
        let mut counts = BTreeMap::new();
        for &row in rows {
            *counts.entry(strata.of[row as usize]).or_default() += 1;
        }
        Group {
            rows,
            strata: counts,
        }
    };
    let mut groups: Vec<_> = groups.iter().map(count).collect();
    generator.shuffle(&mut groups);
    groups
}

/// The fold of each row, from 0.
///
/// Largest groups first, each into the fold with the fewest rows so far: the last rows to be
/// dealt are then small groups, which level the folds. Groups of one size are dealt class by
/// class in random order, and of equally small folds the one that has least of the group's
/// classes is taken. Groups of a single row are thereby stratified as strictly as rows.
///
/// Reference: R. L. Graham, Bounds on multiprocessing timing anomalies, SIAM Journal on Applied
/// Mathematics 17(2), 1969 (largest first: at most a third more than the best division).
pub(super) fn folds(
    groups: &[Vec<u32>],
    strata: &Numbered,
    folds: usize,
    generator: &mut Generator,
) -> Vec<usize> {
    let mut groups = shuffled(groups, strata, generator);
    groups.sort_by_key(|group| (Reverse(group.rows.len()), group.main_stratum()));
    let mut totals = vec![0_usize; strata.count];
    for &stratum in &strata.of {
        totals[stratum] += 1;
    }

    let mut sizes = vec![0_usize; folds];
    let mut held: Vec<BTreeMap<usize, usize>> = vec![BTreeMap::new(); folds];
    let mut fold_of = vec![0; strata.of.len()];
    for group in groups {
        let overlap = |fold: usize| -> f64 {
            let common = |(stratum, &count): (&usize, &usize)| {
                let there = held[fold].get(stratum).copied().unwrap_or(0);
                count as f64 * there as f64 / totals[*stratum] as f64
            };
            group.strata.iter().map(common).sum()
        };
        let smallest = sizes.iter().copied().min().unwrap_or(0);
        let fold = (0..folds)
            .filter(|&fold| sizes[fold] == smallest)
            .map(|fold| (overlap(fold), fold))
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map_or(0, |(_, fold)| fold);
        sizes[fold] += group.rows.len();
        for (&stratum, &count) in &group.strata {
            *held[fold].entry(stratum).or_default() += count;
        }
        for &row in group.rows {
            fold_of[row as usize] = fold;
        }
    }
    fold_of
}

/// Whether each row is for training.
///
/// The groups are gone through class by class, in random order within a class; each goes to
/// the side that brings the training rows nearer to their share of all rows gone through. The
/// number of training rows is thereby within half a largest group of what was asked for, except
/// where that would leave a side empty: then the smallest group changes sides. Sizes play no
/// part in the order, as that would put the same groups on the same side in every repeat.
pub(super) fn holdout(
    groups: &[Vec<u32>],
    strata: &Numbered,
    share: f64,
    generator: &mut Generator,
) -> Vec<bool> {
    let mut groups = shuffled(groups, strata, generator);
    groups.sort_by_key(Group::main_stratum);
    let (mut seen, mut trained) = (0, 0);
    let mut trains = vec![false; strata.of.len()];
    for group in &groups {
        let size = group.rows.len();
        seen += size;
        if trained as f64 + 0.5 * size as f64 <= share * seen as f64 {
            trained += size;
            group
                .rows
                .iter()
                .for_each(|&row| trains[row as usize] = true);
        }
    }
    if (trained == 0 || trained == seen)
        && let Some(smallest) = groups.iter().min_by_key(|group| group.rows.len())
    {
        smallest
            .rows
            .iter()
            .for_each(|&row| trains[row as usize] = trained == 0);
    }
    trains
}
