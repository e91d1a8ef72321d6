//! Folds that keep objects apart: an example of several objects, such as a pair of compounds, is
//! tested only where training has seen none of them.
//!
//! Where rows share objects, folds of rows test a method on what it has all but seen, and no
//! grouping of rows helps, because pairs chain all objects together. So objects are dealt into
//! folds, not rows. A row whose objects are in several folds is tested in none of them, and is no
//! training row where one of its objects is tested.

use kinwood_learning::random::Generator;

use super::{Notice, Split, Strata, stream};
use crate::error::{Error, Unit};

/// The splits, and what became of folds and rows.
pub(super) fn splits(
    folds: usize,
    repeats: usize,
    objects: &[Vec<u32>],
    strata: &Strata<'_>,
    seed: u64,
) -> Result<(Vec<Split>, Vec<Notice>), Error> {
    if folds < 2 {
        return Err(Error::TooFewFolds { found: folds });
    }
    if repeats == 0 {
        return Err(Error::NoRepeats);
    }
    let mut distinct: Vec<u32> = objects.iter().flatten().copied().collect();
    distinct.sort_unstable();
    distinct.dedup();
    if folds > distinct.len() {
        return Err(Error::TooManyFolds {
            folds,
            units: distinct.len(),
            kind: Unit::Objects,
        });
    }
    let mut kept = Vec::new();
    let (mut untested, mut untrained) = (0, 0);
    let mut tested = 0;
    for repeat in 1..=repeats {
        let fold_of = deal(&distinct, folds, &mut stream(seed, repeat));
        let fold_of = |object: &u32| match distinct.binary_search(object) {
            Ok(place) => fold_of[place],
            Err(_) => folds,
        };
        for fold in 0..folds {
            let of_fold = |row: u32| {
                let own = objects[row as usize].iter();
                own.filter(|&object| fold_of(object) == fold).count()
            };
            let rows = 0..objects.len() as u32;
            let whole = |row: &u32| of_fold(*row) == objects[*row as usize].len();
            let test: Vec<u32> = rows.clone().filter(whole).collect();
            let train: Vec<u32> = rows.filter(|&row| of_fold(row) == 0).collect();
            tested += test.len();
            if test.is_empty() {
                untested += 1;
            } else if train.is_empty() || one_class(strata, &train) {
                untrained += 1;
            } else {
                kept.push(Split {
                    repeat,
                    fold: fold + 1,
                    train,
                    test,
                });
            }
        }
    }
    let of = folds * repeats;
    if kept.is_empty() {
        return Err(Error::NothingApart {
            folds: of,
            untested,
            untrained,
        });
    }
    let mut notices = vec![Notice::Straddling {
        rows: objects.len() * repeats - tested,
        of: objects.len() * repeats,
        objects: distinct.len(),
    }];
    if untested + untrained > 0 {
        notices.push(Notice::FoldsLeftOut {
            untested,
            untrained,
            of,
        });
    }
    Ok((kept, notices))
}

/// The fold of each object: as many objects in each as can be, at random.
fn deal(objects: &[u32], folds: usize, generator: &mut Generator) -> Vec<usize> {
    let mut order: Vec<usize> = (0..objects.len()).collect();
    generator.shuffle(&mut order);
    let mut fold_of = vec![0; objects.len()];
    for (place, object) in order.into_iter().enumerate() {
        fold_of[object] = place % folds;
    }
    fold_of
}

/// Whether rows that have classes have one only.
fn one_class(strata: &Strata<'_>, rows: &[u32]) -> bool {
    let Strata::Classes { codes, .. } = strata else {
        return false;
    };
    let mut classes = rows.iter().filter_map(|&row| codes[row as usize]);
    let first = classes.next();
    first.is_none_or(|first| classes.all(|class| class == first))
}
