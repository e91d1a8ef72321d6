//! Values worked by hand and recorded from elsewhere, and laws on random rows.

use super::*;
use proptest::prelude::*;

#[test]
fn accuracy_by_hand() {
    let truth = [Some(0), Some(1), Some(2), None];
    assert_eq!(accuracy(&truth, &[0, 1, 1, 0], None), Ok(Some(2.0 / 3.0)));
    assert_eq!(accuracy(&[None], &[0], None), Ok(None));
    assert_eq!(accuracy(&[Some(1)], &[1], Some(&[0.0])), Ok(None));
    assert!(matches!(
        accuracy(&truth, &[0], None),
        Err(Error::Lengths { found: 1, .. })
    ));
}

#[test]
fn weighted_extremes_are_exact() {
    let weights = [0.1; 7];
    assert_eq!(
        accuracy(&[Some(1); 7], &[1; 7], Some(&weights)),
        Ok(Some(1.0))
    );
    assert_eq!(
        accuracy(&[Some(1); 7], &[0; 7], Some(&weights)),
        Ok(Some(0.0))
    );
}

#[test]
fn log_loss_by_hand() {
    let truth = [Some(0), Some(1), None];
    let probabilities = [0.5, 0.5, 0.75, 0.25, 1.0, 0.0];
    let value = log_loss(&truth, &probabilities, 2, Some(&[2.0, 1.0, 9.0]))
        .unwrap()
        .unwrap();
    assert!((value - 4.0 / 3.0 * 2.0_f64.ln()).abs() < 1e-15);
    assert_eq!(log_loss(&[Some(0)], &[1.0, 0.0], 2, None), Ok(Some(0.0)));
    assert_eq!(log_loss(&[None], &[0.5, 0.5], 2, None), Ok(None));
}

#[test]
fn confident_errors_cost_the_logarithm_of_the_least_probability() {
    let value = log_loss(&[Some(1)], &[1.0, 0.0], 2, None).unwrap().unwrap();
    assert!((value - 34.538_776_394_910_684).abs() < 1e-12);
}

#[test]
fn log_loss_refuses_what_is_no_distribution() {
    for bad in [-0.1, 1.1, f64::NAN] {
        let error = log_loss(&[Some(1)], &[0.5, bad], 2, None).unwrap_err();
        assert!(matches!(
            error,
            Error::Probability {
                row: 0,
                code: 1,
                ..
            }
        ));
    }
    assert_eq!(
        log_loss(&[Some(2)], &[0.5, 0.5], 2, None),
        Err(Error::UnknownClass {
            row: 0,
            code: 2,
            classes: 2
        })
    );
    assert!(matches!(
        log_loss(&[Some(0)], &[0.5], 2, None),
        Err(Error::Lengths { .. })
    ));
}

/// Sixty rows of three classes, with probabilities that often equal each other, and weights of 1
/// to 4.
fn sixty() -> (Vec<Option<u32>>, Vec<u32>, Vec<f64>, Vec<f64>) {
    let (mut truth, mut predicted, mut probabilities) = (Vec::new(), Vec::new(), Vec::new());
    for i in 0..60_u32 {
        let own = (i * i + i / 3) % 3;
        let favour = |c| if c == own && i % 3 != 0 { 6 } else { 0 };
        let raw = [0, 1, 2].map(|c| f64::from((i * 7 + c * 5 + (i * c) % 4) % 11 + 1 + favour(c)));
        let sum: f64 = raw.iter().sum();
        let best = (1..3).fold(0, |best, c| if raw[c] > raw[best] { c } else { best });
        truth.push(Some(own));
        predicted.push(best as u32);
        probabilities.extend(raw.map(|raw| raw / sum));
    }
    let weights = (0..60).map(|i| f64::from(1 + i % 4)).collect();
    (truth, predicted, probabilities, weights)
}

/// scikit-learn 1.9.1: balanced_accuracy_score, f1_score(average="macro"),
/// roc_auc_score(multi_class="ovo"), of rows repeated by their weight where weighted, as it has
/// none; the Brier score and the calibration error by numpy.
#[test]
fn figures_recorded_from_scikit_learn() {
    let (truth, predicted, p, weights) = sixty();
    let near = |found: Result<Option<f64>, Error>, expected: f64| {
        let found = found.unwrap().unwrap();
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    };
    let w = Some(weights.as_slice());
    near(
        balanced_accuracy(&truth, &predicted, 3, None),
        0.7011695906432749,
    );
    near(
        balanced_accuracy(&truth, &predicted, 3, w),
        0.7734826901493568,
    );
    near(f1(&truth, &predicted, 3, None), 0.7002918490723369);
    near(f1(&truth, &predicted, 3, w), 0.7719202796716108);
    near(auc(&truth, &p, 3, None), 0.8294590643274854);
    near(auc(&truth, &p, 3, w), 0.8913075735992401);
    near(brier(&truth, &p, 3, None), 0.4963848796397806);
    near(brier(&truth, &p, 3, w), 0.4390850401767695);
    near(log_loss(&truth, &p, 3, None), 0.86316677382508);
    near(log_loss(&truth, &p, 3, w), 0.7657789901815404);
    near(
        calibration_error(&truth, &predicted, &p, 3, None),
        0.24162418371082403,
    );
    near(
        calibration_error(&truth, &predicted, &p, 3, w),
        0.26543848431111283,
    );
    // The third class against the others.
    let third: Vec<_> = truth.iter().map(|t| t.map(|t| u32::from(t == 2))).collect();
    let of_two: Vec<f64> = p.chunks(3).flat_map(|p| [1.0 - p[2], p[2]]).collect();
    near(auc(&third, &of_two, 2, None), 0.8612500000000001);
    near(auc(&third, &of_two, 2, w), 0.920820251177394);
}

#[test]
fn classes_by_hand() {
    let truth = [Some(0), Some(0), Some(0), Some(1), None];
    // The third class neither occurs nor is said; the second is found once in one, the first in two
    // of three.
    let predicted = [0, 0, 1, 1, 2];
    assert_eq!(
        balanced_accuracy(&truth, &predicted, 3, None),
        Ok(Some((2.0 / 3.0 + 1.0) / 2.0))
    );
    assert_eq!(
        f1(&truth, &predicted, 3, None),
        Ok(Some((0.8 + 2.0 / 3.0) / 2.0))
    );
    // A class that is said but does not occur has an F1 of 0 and no recall.
    assert_eq!(f1(&[Some(0)], &[2], 3, None), Ok(Some(0.0)));
    assert_eq!(balanced_accuracy(&[Some(0)], &[2], 3, None), Ok(Some(0.0)));
    let p = [0.5, 0.25, 0.25, 0.0, 1.0, 0.0];
    assert_eq!(brier(&[Some(0), Some(0)], &p, 3, None), Ok(Some(1.1875)));
    assert_eq!(
        brier(&[Some(0), Some(0)], &p, 3, Some(&[1.0, 0.0])),
        Ok(Some(0.375))
    );
    // In one bin: half right at 0.5 and 0.46; in another: wrong at 1.
    let p = [0.5, 0.5, 0.54, 0.46, 0.0, 1.0];
    let error = calibration_error(&[Some(0), Some(0), Some(0)], &[0, 1, 1], &p, 2, None);
    assert!((error.unwrap().unwrap() - (0.04 + 1.0) / 3.0).abs() < 1e-15);
}

#[test]
fn areas_by_hand() {
    let of_two = |p: &[f64]| -> Vec<f64> { p.iter().flat_map(|&p| [1.0 - p, p]).collect() };
    let truth = [0, 0, 1, 1].map(Some);
    let area = |p: &[f64]| auc(&truth, &of_two(p), 2, None).unwrap();
    assert_eq!(area(&[0.1, 0.2, 0.3, 0.4]), Some(1.0));
    assert_eq!(area(&[0.4, 0.3, 0.2, 0.1]), Some(0.0));
    assert_eq!(area(&[0.3, 0.3, 0.3, 0.3]), Some(0.5));
    assert_eq!(area(&[0.1, 0.3, 0.3, 0.4]), Some(0.875));
    // Of three classes one does not occur: the pair of the others is all there is, each by its own
    // probability.
    let p = [0.6, 0.3, 0.1, 0.5, 0.5, 0.0, 0.5, 0.2, 0.3];
    let three = auc(&[Some(0), Some(1), Some(1)], &p, 3, None);
    assert_eq!(three, Ok(Some((1.0 + 0.5) / 2.0)));
}

#[test]
fn what_is_not_defined_is_none_and_what_is_wrong_is_said() {
    let unknown = [None, None];
    let p = [0.5, 0.5, 1.0, 0.0];
    assert_eq!(balanced_accuracy(&unknown, &[0, 1], 2, None), Ok(None));
    assert_eq!(f1(&unknown, &[0, 1], 2, None), Ok(None));
    assert_eq!(brier(&unknown, &p, 2, None), Ok(None));
    assert_eq!(calibration_error(&unknown, &[0, 1], &p, 2, None), Ok(None));
    assert_eq!(auc(&unknown, &p, 2, None), Ok(None));
    let one = [Some(1), Some(1)];
    assert_eq!(auc(&one, &p, 2, None), Ok(None), "one class only");
    let both = [Some(1), Some(0)];
    assert_eq!(
        auc(&both, &p, 2, Some(&[1.0, 0.0])),
        Ok(None),
        "one class with weight"
    );
    let unlikely = [0.5, 0.5, f64::NAN, 0.0];
    for measure in [auc, brier] {
        assert!(matches!(
            measure(&both, &unlikely, 2, None),
            Err(Error::Probability {
                row: 1,
                code: 0,
                ..
            })
        ));
        assert!(matches!(
            measure(&both, &[0.5], 2, None),
            Err(Error::Lengths { .. })
        ));
    }
    assert!(matches!(
        calibration_error(&both, &[0, 2], &p, 2, None),
        Err(Error::UnknownClass {
            row: 1,
            code: 2,
            ..
        })
    ));
}

/// The definition of the area pair by pair.
fn area_by_pairs(truth: &[Option<u32>], p: &[f64], classes: u32) -> Option<f64> {
    let of = |class: u32| -> Vec<usize> {
        (0..truth.len())
            .filter(|&row| truth[row] == Some(class))
            .collect()
    };
    let mut areas = Vec::new();
    for i in 0..classes {
        for j in (0..classes).filter(|&j| j != i) {
            let (own, other) = (of(i), of(j));
            let mut wins = 0.0;
            for &a in &own {
                for &b in &other {
                    let at = |row: usize| p[row * classes as usize + i as usize];
                    wins += match at(a).total_cmp(&at(b)) {
                        std::cmp::Ordering::Greater => 1.0,
                        std::cmp::Ordering::Equal => 0.5,
                        std::cmp::Ordering::Less => 0.0,
                    };
                }
            }
            if !own.is_empty() && !other.is_empty() {
                areas.push(wins / (own.len() * other.len()) as f64);
            }
        }
    }
    (!areas.is_empty()).then(|| areas.iter().sum::<f64>() / areas.len() as f64)
}

#[test]
fn extreme_weights_change_nothing() {
    let (truth, predicted, p, _) = sixty();
    for weight in [f64::MAX, f64::MIN_POSITIVE] {
        let weights = vec![weight; 60];
        let w = Some(weights.as_slice());
        let pairs = [
            (auc(&truth, &p, 3, w), auc(&truth, &p, 3, None)),
            (brier(&truth, &p, 3, w), brier(&truth, &p, 3, None)),
            (
                f1(&truth, &predicted, 3, w),
                f1(&truth, &predicted, 3, None),
            ),
            (
                calibration_error(&truth, &predicted, &p, 3, w),
                calibration_error(&truth, &predicted, &p, 3, None),
            ),
        ];
        for (weighted, plain) in pairs {
            assert_eq!(weighted, plain);
        }
    }
}

kinwood_testing::soak! { 256;
    fn soak_weights_equal_repetition(
        rows in prop::collection::vec(
            (prop::option::of(0..3_u32), 0..3_u32, 0.0..1.0_f64, 0..4_usize), 1..20),
    ) {
        let truth: Vec<_> = rows.iter().map(|row| row.0).collect();
        let predicted: Vec<_> = rows.iter().map(|row| row.1).collect();
        let spread = |p: f64| [p, (1.0 - p) / 2.0, (1.0 - p) / 2.0];
        let probabilities: Vec<f64> = rows.iter().flat_map(|row| spread(row.2)).collect();
        let weights: Vec<f64> = rows.iter().map(|row| row.3 as f64).collect();
        let copies: Vec<_> =
            rows.iter().flat_map(|row| std::iter::repeat_n(*row, row.3)).collect();
        let truths: Vec<_> = copies.iter().map(|row| row.0).collect();
        let predictions: Vec<_> = copies.iter().map(|row| row.1).collect();
        let spreads: Vec<f64> = copies.iter().flat_map(|row| spread(row.2)).collect();
        let pairs = [
            (
                accuracy(&truth, &predicted, Some(&weights)).unwrap(),
                accuracy(&truths, &predictions, None).unwrap(),
            ),
            (
                log_loss(&truth, &probabilities, 3, Some(&weights)).unwrap(),
                log_loss(&truths, &spreads, 3, None).unwrap(),
            ),
            (
                balanced_accuracy(&truth, &predicted, 3, Some(&weights)).unwrap(),
                balanced_accuracy(&truths, &predictions, 3, None).unwrap(),
            ),
            (
                f1(&truth, &predicted, 3, Some(&weights)).unwrap(),
                f1(&truths, &predictions, 3, None).unwrap(),
            ),
            (
                auc(&truth, &probabilities, 3, Some(&weights)).unwrap(),
                auc(&truths, &spreads, 3, None).unwrap(),
            ),
            (
                brier(&truth, &probabilities, 3, Some(&weights)).unwrap(),
                brier(&truths, &spreads, 3, None).unwrap(),
            ),
            (
                calibration_error(&truth, &predicted, &probabilities, 3, Some(&weights)).unwrap(),
                calibration_error(&truths, &predictions, &spreads, 3, None).unwrap(),
            ),
        ];
        for (weighted, repeated) in pairs {
            prop_assert_eq!(weighted.is_some(), repeated.is_some());
            prop_assert!((weighted.unwrap_or(0.0) - repeated.unwrap_or(0.0)).abs() < 1e-12);
        }
    }

    fn soak_areas_are_those_of_all_pairs(
        rows in prop::collection::vec((prop::option::of(0..3_u32), prop::array::uniform3(0..5_u32)), 1..30),
    ) {
        let truth: Vec<_> = rows.iter().map(|row| row.0).collect();
        let p: Vec<f64> = rows.iter().flat_map(|row| row.1.map(|p| f64::from(p) / 4.0)).collect();
        let (found, expected) = (auc(&truth, &p, 3, None).unwrap(), area_by_pairs(&truth, &p, 3));
        prop_assert_eq!(found.is_some(), expected.is_some());
        prop_assert!((found.unwrap_or(0.0) - expected.unwrap_or(0.0)).abs() < 1e-12);
    }
}
