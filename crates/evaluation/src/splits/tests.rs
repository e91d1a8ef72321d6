//! The laws of splits, on random data, and their messages.

use proptest::prelude::*;

use super::*;

fn names(count: u32) -> Vec<String> {
    (0..count).map(|code| format!("c{code}")).collect()
}

fn codes(max_rows: usize) -> impl Strategy<Value = Vec<Option<u32>>> {
    prop::collection::vec(prop::option::weighted(0.9, 0..5_u32), 4..max_rows)
}

/// Training and test divide the rows, ascending; in a repeat each row is tested once.
fn check_partition(splits: &[Split], rows: usize) {
    for split in splits {
        let mut all = [split.train.as_slice(), &split.test].concat();
        assert!(split.train.is_sorted() && split.test.is_sorted());
        assert!(!split.train.is_empty() && !split.test.is_empty());
        all.sort_unstable();
        assert!(all.iter().copied().eq(0..rows as u32));
    }
    for folds in splits.chunk_by(|a, b| a.repeat == b.repeat) {
        assert!(folds.iter().map(|split| split.fold).eq(1..=folds.len()));
        let mut tested: Vec<u32> = folds.iter().flat_map(|split| split.test.clone()).collect();
        tested.sort_unstable();
        assert!(tested.into_iter().eq(0..rows as u32));
    }
}

fn spread(counts: impl Iterator<Item = usize> + Clone) -> usize {
    counts.clone().max().unwrap() - counts.min().unwrap()
}

/// Sizes and each class's counts (and those without a class) differ by at most 1 over folds.
fn check_stratified(splits: &[Split], codes: &[Option<u32>]) {
    for folds in splits.chunk_by(|a, b| a.repeat == b.repeat) {
        assert!(spread(folds.iter().map(|split| split.test.len())) <= 1);
        for class in (0..5).map(Some).chain([None]) {
            let count = |split: &Split| {
                split
                    .test
                    .iter()
                    .filter(|&&r| codes[r as usize] == class)
                    .count()
            };
            assert!(spread(folds.iter().map(count)) <= 1);
        }
    }
}

fn check_undivided(splits: &[Split], groups: &[u32]) {
    for split in splits {
        let side = |rows: &[u32]| -> std::collections::BTreeSet<u32> {
            rows.iter().map(|&row| groups[row as usize]).collect()
        };
        assert!(side(&split.train).is_disjoint(&side(&split.test)));
    }
}

kinwood_testing::soak! { 256;
    fn soak_cross_validation_is_a_stratified_partition(
        codes in codes(60), folds in 2..5_usize, repeats in 1..4_usize, seed in any::<u64>(),
    ) {
        let names = names(5);
        let strata = Strata::Classes { codes: &codes, names: &names };
        let plan = Plan::CrossValidation { folds, repeats };
        let made = plan.splits(&strata, None, seed).unwrap();
        prop_assert_eq!(made.splits.len(), folds * repeats);
        check_partition(&made.splits, codes.len());
        check_stratified(&made.splits, &codes);
        prop_assert_eq!(&made, &plan.splits(&strata, None, seed).unwrap());
        let fewer = Plan::CrossValidation { folds, repeats: 1 }.splits(&strata, None, seed);
        prop_assert_eq!(&made.splits[..folds], &fewer.unwrap().splits[..]);
    }

    fn soak_holdout_gives_each_class_its_share(
        codes in codes(60), share in 0.01..0.99_f64, seed in any::<u64>(),
    ) {
        let names = names(5);
        let strata = Strata::Classes { codes: &codes, names: &names };
        let plan = Plan::Holdout { train_share: share, repeats: 3 };
        let made = plan.splits(&strata, None, seed).unwrap();
        prop_assert_eq!(&made, &plan.splits(&strata, None, seed).unwrap());
        let rows = codes.len();
        let total = ((share * rows as f64).round() as usize).clamp(1, rows - 1);
        for (split, repeat) in made.splits.iter().zip(1..) {
            prop_assert_eq!((split.repeat, split.fold), (repeat, 1));
            prop_assert_eq!(split.train.len(), total);
            prop_assert_eq!(split.train.len() + split.test.len(), rows);
            prop_assert!(split.train.iter().all(|row| split.test.binary_search(row).is_err()));
            for class in (0..5).map(Some).chain([None]) {
                let all = codes.iter().filter(|&&code| code == class).count();
                let trained = split.train.iter().filter(|&&r| codes[r as usize] == class).count();
                prop_assert!((trained as f64 - share * all as f64).abs() < 1.0);
            }
        }
    }

    fn soak_groups_are_never_divided(
        rows in prop::collection::vec((prop::option::weighted(0.9, 0..5_u32), 0..12_u32), 1..80),
        folds in 2..5_usize, share in 0.01..0.99_f64, seed in any::<u64>(),
    ) {
        let (codes, groups): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
        let names = names(5);
        let strata = Strata::Classes { codes: &codes, names: &names };
        let members = members_of_groups(&groups);
        let largest = members.iter().map(Vec::len).max().unwrap();

        let plan = Plan::CrossValidation { folds, repeats: 2 };
        let made = plan.splits(&strata, Some(&groups), seed);
        if folds > members.len() {
            let (units, kind) = (members.len(), Unit::Groups);
            prop_assert_eq!(made, Err(Error::TooManyFolds { folds, units, kind }));
        } else {
            let made = made.unwrap();
            check_partition(&made.splits, codes.len());
            check_undivided(&made.splits, &groups);
            prop_assert!(spread(made.splits.iter().map(|split| split.test.len())) <= largest);
            prop_assert_eq!(made, plan.splits(&strata, Some(&groups), seed).unwrap());
        }

        let plan = Plan::Holdout { train_share: share, repeats: 2 };
        let made = plan.splits(&strata, Some(&groups), seed);
        if members.len() < 2 {
            prop_assert_eq!(made, Err(Error::Indivisible { units: 1, kind: Unit::Groups }));
        } else {
            let made = made.unwrap();
            check_undivided(&made.splits, &groups);
            for split in &made.splits {
                prop_assert!(!split.train.is_empty() && !split.test.is_empty());
                prop_assert_eq!(split.train.len() + split.test.len(), codes.len());
                // Half a largest group, or a whole smallest one that saved an empty side.
                let off = (split.train.len() as f64 - share * codes.len() as f64).abs();
                prop_assert!(off <= largest as f64 + 1e-9);
            }
        }
    }

    fn soak_groups_of_one_row_are_stratified_like_rows(codes in codes(60), folds in 2..5_usize, seed in any::<u64>()) {
        let names = names(5);
        let strata = Strata::Classes { codes: &codes, names: &names };
        let groups: Vec<u32> = (0..codes.len() as u32).rev().collect();
        let plan = Plan::CrossValidation { folds, repeats: 2 };
        let made = plan.splits(&strata, Some(&groups), seed).unwrap();
        check_partition(&made.splits, codes.len());
        check_stratified(&made.splits, &codes);
    }

    fn soak_given_folds_are_a_partition(labels in prop::collection::vec(0..6_u32, 2..40)) {
        let plan = Plan::GivenFolds { labels: labels.iter().map(u32::to_string).collect() };
        let made = plan.splits(&Strata::Plain { rows: labels.len() }, None, 0);
        let mut distinct = labels.clone();
        distinct.sort_unstable();
        distinct.dedup();
        if distinct.len() < 2 {
            prop_assert_eq!(made, Err(Error::TooFewFoldLabels { found: 1 }));
        } else {
            let splits = made.unwrap().splits;
            check_partition(&splits, labels.len());
            for (split, label) in splits.iter().zip(&distinct) {
                prop_assert!(split.test.iter().all(|&row| labels[row as usize] == *label));
            }
        }
    }
}

fn given(labels: &[&str], groups: Option<&[u32]>) -> Result<Splits, Error> {
    let labels: Vec<String> = labels.iter().map(|&label| label.to_owned()).collect();
    let rows = Strata::Plain { rows: labels.len() };
    Plan::GivenFolds { labels }.splits(&rows, groups, 0)
}

#[test]
fn repeats_and_seeds_differ() {
    let rows = Strata::Plain { rows: 40 };
    let plan = Plan::CrossValidation {
        folds: 4,
        repeats: 2,
    };
    let one = plan.splits(&rows, None, 1).unwrap();
    assert_ne!(one.splits[0].test, one.splits[4].test);
    assert_ne!(one, plan.splits(&rows, None, 2).unwrap());
    assert_eq!(one.notices, []);
}

/// Computed apart from this code: published results name only their seed.
#[test]
fn the_splits_of_seed_one_are_recorded() {
    let plan = Plan::CrossValidation {
        folds: 3,
        repeats: 1,
    };
    let made = plan.splits(&Strata::Plain { rows: 9 }, None, 1).unwrap();
    let tests: Vec<_> = made.splits.iter().map(|split| split.test.clone()).collect();
    assert_eq!(tests, [[0, 4, 7], [1, 5, 8], [2, 3, 6]]);
}

#[test]
fn given_folds_are_ordered_as_numbers_or_by_first_row() {
    let tests = |labels: &[&str]| -> Vec<Vec<u32>> {
        given(labels, None)
            .unwrap()
            .splits
            .into_iter()
            .map(|split| split.test)
            .collect()
    };
    assert_eq!(
        tests(&["10", "9", "10", "-1.5"]),
        [vec![3], vec![1], vec![0, 2]]
    );
    assert_eq!(
        tests(&["10", "9", "10", "b"]),
        [vec![0, 2], vec![1], vec![3]]
    );
}

#[test]
fn given_folds_may_not_divide_groups() {
    assert!(given(&["a", "a", "b"], Some(&[7, 7, 8])).is_ok());
    let error = given(&["a", "a", "b"], Some(&[7, 8, 7])).unwrap_err();
    assert_eq!(
        error.to_string(),
        "group 7 is divided by the given folds: it has rows in `a` and `b`"
    );
}

#[test]
fn small_classes_are_noticed() {
    let names = ["many", "few", "one", "none"].map(String::from);
    let codes: Vec<Option<u32>> = [vec![Some(0); 10], vec![Some(1); 2], vec![Some(2)]].concat();
    let strata = Strata::Classes {
        codes: &codes,
        names: &names,
    };
    let plan = Plan::CrossValidation {
        folds: 3,
        repeats: 1,
    };
    let notices: Vec<String> = plan
        .splits(&strata, None, 1)
        .unwrap()
        .notices
        .iter()
        .map(Notice::to_string)
        .collect();
    assert_eq!(
        notices,
        [
            "class `few` has 2 examples: 1 of 3 splits do not test it",
            "class `one` has 1 example: it is never in both training and test",
        ]
    );
}

#[test]
fn classes_within_one_group_are_noticed() {
    let names = ["a", "b"].map(String::from);
    let codes: Vec<_> = [0, 1, 1, 1, 0, 0].map(Some).to_vec();
    let strata = Strata::Classes {
        codes: &codes,
        names: &names,
    };
    let groups = [1, 2, 2, 2, 3, 3];
    let plan = Plan::CrossValidation {
        folds: 3,
        repeats: 4,
    };
    let made = plan.splits(&strata, Some(&groups), 1).unwrap();
    assert_eq!(
        made.notices,
        [
            Notice::Untested {
                class: "a".into(),
                examples: 3,
                splits: 4,
                of: 12
            },
            Notice::NeverOnBothSides {
                class: "b".into(),
                examples: 3
            },
            Notice::RepeatsAlike {
                distinct: 1,
                repeats: 4
            },
        ]
    );
}

#[test]
fn impossible_plans_are_refused() {
    let rows = |rows| Strata::Plain { rows };
    let cross = |folds, repeats| Plan::CrossValidation { folds, repeats };
    let hold = |train_share| Plan::Holdout {
        train_share,
        repeats: 1,
    };
    let refuse = |plan: &Plan, strata: &Strata<'_>| plan.splits(strata, None, 0).unwrap_err();
    assert_eq!(refuse(&cross(2, 1), &rows(0)), Error::NoRows);
    assert_eq!(
        refuse(&cross(1, 1), &rows(9)),
        Error::TooFewFolds { found: 1 }
    );
    assert_eq!(
        refuse(&cross(10, 1), &rows(9)),
        Error::TooManyFolds {
            folds: 10,
            units: 9,
            kind: Unit::Rows
        }
    );
    assert_eq!(refuse(&cross(2, 0), &rows(9)), Error::NoRepeats);
    assert_eq!(
        refuse(
            &Plan::Holdout {
                train_share: 0.5,
                repeats: 0
            },
            &rows(9)
        ),
        Error::NoRepeats
    );
    for share in [0.0, 1.0, -0.1, 1.5, f64::NAN, f64::INFINITY] {
        assert!(matches!(
            refuse(&hold(share), &rows(9)),
            Error::ShareOutside { .. }
        ));
    }
    assert_eq!(
        refuse(&hold(0.5), &rows(1)),
        Error::Indivisible {
            units: 1,
            kind: Unit::Rows
        }
    );
    let codes = [Some(0), Some(3)];
    let strata = Strata::Classes {
        codes: &codes,
        names: &names(2),
    };
    assert_eq!(
        refuse(&cross(2, 1), &strata),
        Error::UnknownClass {
            row: 1,
            code: 3,
            classes: 2
        }
    );
    assert!(matches!(
        cross(2, 1).splits(&rows(3), Some(&[1, 2]), 0),
        Err(Error::Lengths {
            found: 2,
            expected: 3,
            ..
        })
    ));
}

#[test]
fn extreme_shares_leave_no_side_empty() {
    for train_share in [f64::MIN_POSITIVE, 1e-9, 1.0 - f64::EPSILON / 2.0] {
        let plan = Plan::Holdout {
            train_share,
            repeats: 2,
        };
        for groups in [None, Some([1, 1, 2, 3, 3])] {
            let groups = groups.as_ref().map(<[u32; 5]>::as_slice);
            for split in plan
                .splits(&Strata::Plain { rows: 5 }, groups, 1)
                .unwrap()
                .splits
            {
                assert_eq!(split.train.len().min(split.test.len()), 1);
            }
        }
    }
}

/// The objects of rows that are pairs of a few.
fn pairs() -> impl Strategy<Value = Vec<Vec<u32>>> {
    prop::collection::vec(prop::collection::vec(0..9_u32, 1..3), 4..60)
}

kinwood_testing::soak! { 256;
    fn soak_objects_are_kept_apart(
        objects in pairs(),
        folds in 2..5_usize,
        repeats in 1..3_usize,
        grouped in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let rows = objects.len();
        let codes: Vec<Option<u32>> = (0..rows as u32).map(|row| Some(row % 2)).collect();
        let names = names(2);
        let strata = Strata::Classes { codes: &codes, names: &names };
        let groups: Vec<u32> = (0..rows as u32).map(|row| row / 3).collect();
        let groups = grouped.then_some(groups.as_slice());
        let plan = Plan::Apart { folds, repeats, objects: objects.clone() };
        let made = match plan.splits(&strata, groups, seed) {
            Ok(made) => made,
            Err(error) => {
                let kind = matches!(error, Error::NothingApart { .. } | Error::TooManyFolds { .. });
                prop_assert!(kind, "{}", error);
                return Ok(());
            }
        };
        prop_assert_eq!(&plan.splits(&strata, groups, seed).unwrap(), &made);
        for split in &made.splits {
            let held = |rows: &[u32]| -> std::collections::BTreeSet<u32> {
                rows.iter().flat_map(|&row| objects[row as usize].clone()).collect()
            };
            let (train, test) = (held(&split.train), held(&split.test));
            prop_assert!(!split.test.is_empty() && train.is_disjoint(&test));
            prop_assert!([0, 1].map(Some).iter().all(|class| split.train.iter().any(|&row| codes[row as usize] == *class)));
            if let Some(groups) = groups {
                check_undivided(std::slice::from_ref(split), groups);
            } else {
                // Nothing is left out that could be used: a row with no object of the fold trains.
                for row in 0..rows as u32 {
                    let own = &objects[row as usize];
                    if own.iter().all(|object| test.contains(object)) {
                        prop_assert!(split.test.contains(&row));
                    }
                    if split.train.contains(&row) {
                        prop_assert!(own.iter().all(|object| !test.contains(object)));
                    }
                }
            }
        }
        for folds in made.splits.chunk_by(|a, b| a.repeat == b.repeat) {
            let tested: Vec<u32> = folds.iter().flat_map(|split| split.test.clone()).collect();
            let distinct: std::collections::BTreeSet<u32> = tested.iter().copied().collect();
            prop_assert_eq!(distinct.len(), tested.len());
        }
    }
}

#[test]
fn what_keeping_objects_apart_costs_is_told() {
    // Objects 0 to 3 in all pairs: two folds of two objects leave one pair each way in each.
    let objects: Vec<Vec<u32>> = (0..4)
        .flat_map(|a| (0..4).filter(move |b| a != *b).map(move |b| vec![a, b]))
        .collect();
    let codes: Vec<Option<u32>> = objects
        .iter()
        .map(|pair| Some(u32::from(pair[0] > pair[1])))
        .collect();
    let names = names(2);
    let strata = Strata::Classes {
        codes: &codes,
        names: &names,
    };
    let apart = |folds, objects: &[Vec<u32>]| {
        let plan = Plan::Apart {
            folds,
            repeats: 1,
            objects: objects.to_vec(),
        };
        plan.splits(&strata, None, 1)
    };
    let made = apart(2, &objects).unwrap();
    assert_eq!(made.splits.len(), 2);
    assert!(
        made.splits
            .iter()
            .all(|split| (split.train.len(), split.test.len()) == (2, 2))
    );
    assert_eq!(
        made.notices[0].to_string(),
        "4 objects are kept apart: 8 of 12 rows have objects in different folds and are tested in none"
    );
    // Three folds have one or two objects: only one has a pair to test, and none to train on beside
    // it but one.
    let made = apart(3, &objects).unwrap();
    assert_eq!(made.splits.len(), 1);
    assert_eq!(
        made.notices[1].to_string(),
        "2 of 3 folds left out: 2 without test rows, 0 without two classes in training"
    );
    assert_eq!(
        apart(4, &objects).unwrap_err().to_string(),
        "none of 4 folds can be used where objects are kept apart: 4 have no test rows, 0 train without two classes; fewer folds have more rows of their own"
    );
    assert_eq!(
        apart(5, &objects).unwrap_err().to_string(),
        "5 folds asked for, but there are only 4 objects to divide"
    );
    let mut one = objects.clone();
    one[3].clear();
    assert_eq!(
        apart(2, &one).unwrap_err().to_string(),
        "row 4 has no objects to keep apart"
    );
    assert_eq!(
        apart(2, &objects[1..]).unwrap_err().to_string(),
        "11 lists of objects for 12 rows"
    );
}

kinwood_testing::soak! { 256;
    fn soak_everyone_is_left_out_once(
        rows in prop::collection::vec((prop::option::weighted(0.9, 0..5_u32), 0..9_u32), 2..40),
        grouped in any::<bool>(), seed in any::<u64>(),
    ) {
        let (codes, groups): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
        let names = names(5);
        let strata = Strata::Classes { codes: &codes, names: &names };
        let groups = grouped.then_some(groups.as_slice());
        let units = groups.map_or(codes.len(), |groups| members_of_groups(groups).len());
        let made = Plan::LeaveOneOut.splits(&strata, groups, seed);
        if units < 2 {
            prop_assert_eq!(made, Err(Error::Indivisible { units, kind: Unit::Groups }));
            return Ok(());
        }
        let made = made.unwrap();
        prop_assert_eq!(made.splits.len(), units);
        check_partition(&made.splits, codes.len());
        match groups {
            Some(groups) => {
                check_undivided(&made.splits, groups);
                for split in &made.splits {
                    prop_assert!(split.test.iter().all(|&row| groups[row as usize] == groups[split.test[0] as usize]));
                }
            }
            None => prop_assert!(made.splits.iter().all(|split| split.test.len() == 1)),
        }
        // Nothing is drawn.
        prop_assert_eq!(&Plan::LeaveOneOut.splits(&strata, groups, seed ^ 1).unwrap(), &made);
        let told = made.notices.iter().any(|notice| matches!(notice, Notice::Untested { .. }));
        prop_assert!(!told);
    }

    fn soak_training_is_never_later_than_test(
        rows in prop::collection::vec((-9..9_i32, 0..12_u32), 3..60),
        folds in 2..6_usize, grouped in any::<bool>(), seed in any::<u64>(),
    ) {
        let times: Vec<f64> = rows.iter().map(|row| f64::from(row.0)).collect();
        let groups: Vec<u32> = rows.iter().map(|row| row.1).collect();
        let groups = grouped.then_some(groups.as_slice());
        let plan = Plan::Forward { times: times.clone(), folds, window: None, horizon: 0.0 };
        let strata = Strata::Plain { rows: rows.len() };
        let distinct: std::collections::BTreeSet<i32> = rows.iter().map(|row| row.0).collect();
        let made = match plan.splits(&strata, groups, seed) {
            Ok(made) => made,
            Err(Error::TooFewTimes { found, .. }) => {
                prop_assert!(found == distinct.len() && found <= folds);
                return Ok(());
            }
            Err(error) => {
                prop_assert!(grouped && error == Error::NothingForward { folds }, "{}", error);
                return Ok(());
            }
        };
        prop_assert!(distinct.len() > folds);
        prop_assert_eq!(&plan.splits(&strata, groups, seed ^ 1).unwrap(), &made);
        let at = |row: &u32| times[*row as usize];
        let mut tested = Vec::new();
        for split in &made.splits {
            prop_assert!(split.train.is_sorted() && split.test.is_sorted());
            prop_assert!(!split.train.is_empty() && !split.test.is_empty());
            let latest = split.train.iter().map(at).fold(f64::NEG_INFINITY, f64::max);
            // Strictly: equal times are never divided.
            prop_assert!(split.test.iter().all(|row| at(row) > latest));
            // All that is earlier is trained on.
            let earliest = split.test.iter().map(at).fold(f64::INFINITY, f64::min);
            let before = (0..rows.len() as u32).filter(|row| at(row) < earliest);
            if groups.is_none() {
                prop_assert!(before.eq(split.train.iter().copied()));
            }
            tested.extend(split.test.iter().copied());
        }
        tested.sort_unstable();
        prop_assert!(tested.is_sorted_by(|a, b| a < b), "no row is tested twice");
        match groups {
            Some(groups) => check_undivided(&made.splits, groups),
            None => {
                prop_assert_eq!(made.splits.len(), folds);
                prop_assert_eq!(tested.len() + made.splits[0].train.len(), rows.len());
            }
        }
    }

    fn soak_blocks_of_distinct_times_are_of_one_size(rows in 6..80_usize, folds in 2..5_usize) {
        let times: Vec<f64> = (0..rows).map(|row| (row * 37 % 83) as f64).collect();
        let plan = Plan::Forward { times, folds, window: None, horizon: 0.0 };
        let made = plan.splits(&Strata::Plain { rows }, None, 0).unwrap();
        let first = made.splits[0].train.len();
        prop_assert!(spread(made.splits.iter().map(|split| split.test.len()).chain([first])) <= 1);
    }
}

#[test]
fn folds_by_time_by_hand() {
    let forward = |times: &[f64], folds, groups: Option<&[u32]>| {
        let (rows, times) = (times.len(), times.to_vec());
        Plan::Forward {
            times,
            folds,
            window: None,
            horizon: 0.0,
        }
        .splits(&Strata::Plain { rows }, groups, 0)
    };
    let times = [3.0, 1.0, 2.0, 2.0, 5.0, 4.0];
    let made = forward(&times, 2, None).unwrap();
    let sides: Vec<_> = made
        .splits
        .iter()
        .map(|split| (split.train.clone(), split.test.clone()))
        .collect();
    // The two rows of time 2 stay together: one row, then three, or three and one.
    assert_eq!(
        sides,
        [(vec![1], vec![0, 2, 3]), (vec![0, 1, 2, 3], vec![4, 5])]
    );
    // The group of the first row has a later one, in the last block.
    let groups = [1, 2, 3, 4, 1, 5];
    let made = forward(&times, 2, Some(&groups)).unwrap();
    assert_eq!(made.splits[1].test, [5]);
    assert_eq!(
        made.notices[0].to_string(),
        "1 of 5 rows are not tested: their groups have earlier rows, which are trained on"
    );
    let made = forward(&times, 2, Some(&[1, 2, 3, 4, 1, 1])).unwrap();
    assert_eq!(made.splits.len(), 1);
    assert_eq!(
        made.notices[1].to_string(),
        "1 of 2 folds left out: 1 without test rows, 0 without two classes in training"
    );
    let message =
        |times: &[f64], folds, groups| forward(times, folds, groups).unwrap_err().to_string();
    assert_eq!(
        message(&times, 2, Some(&[1; 6])),
        "none of 2 folds by time can be used: every row to be tested is of a group that has earlier rows"
    );
    assert_eq!(
        message(&times, 5, None),
        "5 folds by time asked for, but there are only 5 distinct times, at least 6 are needed"
    );
    assert_eq!(
        message(&[-0.0, 0.0, 1.0], 2, None),
        "2 folds by time asked for, but there are only 2 distinct times, at least 3 are needed"
    );
    assert_eq!(
        message(&[1.0, f64::NAN], 2, None),
        "row 2 has no time to be ordered by"
    );
    assert_eq!(
        message(&times, 1, None),
        "1 folds asked for, at least 2 are needed"
    );
    let plan = Plan::Forward {
        times: vec![1.0],
        folds: 2,
        window: None,
        horizon: 0.0,
    };
    assert_eq!(
        plan.splits(&Strata::Plain { rows: 3 }, None, 0)
            .unwrap_err()
            .to_string(),
        "1 times for 3 rows"
    );
}

#[test]
fn leaving_out_one_of_very_many_is_refused() {
    let rows = Strata::Plain { rows: 20_000 };
    assert_eq!(
        Plan::LeaveOneOut
            .splits(&rows, None, 0)
            .unwrap_err()
            .to_string(),
        "leaving out each of 20000 rows of 20000 rows is too much; divide into folds instead"
    );
    let groups: Vec<u32> = (0..20_000).map(|row| row % 3).collect();
    let made = Plan::LeaveOneOut.splits(&rows, Some(&groups), 0).unwrap();
    assert_eq!(made.splits.len(), 3);
}

/// Training slides: nothing older than the window, nothing whose target is not known yet.
#[test]
fn the_window_of_training_slides_and_waits_for_targets() {
    let times: Vec<f64> = (0..12).map(f64::from).collect();
    let plan = |window, horizon| Plan::Forward {
        times: times.clone(),
        folds: 2,
        window,
        horizon,
    };
    let trained = |window, horizon| -> Vec<Vec<u32>> {
        let made = plan(window, horizon).splits(&Strata::Plain { rows: 12 }, None, 1);
        made.unwrap()
            .splits
            .into_iter()
            .map(|split| split.train)
            .collect()
    };
    assert_eq!(
        trained(None, 0.0),
        [vec![0, 1, 2, 3], vec![0, 1, 2, 3, 4, 5, 6, 7]]
    );
    assert_eq!(trained(Some(2.0), 0.0), [vec![2, 3], vec![6, 7]]);
    assert_eq!(trained(None, 3.0), [vec![0, 1], vec![0, 1, 2, 3, 4, 5]]);
    assert_eq!(trained(Some(4.0), 3.0), [vec![0, 1], vec![4, 5]]);
    assert!(
        plan(Some(1.0), 2.0)
            .splits(&Strata::Plain { rows: 12 }, None, 1)
            .is_err()
    );
}
