//! Curves worked by hand, and what thinning leaves of random ones.

use proptest::prelude::*;

use super::thin::{TOLERANCE, distance};
use super::*;
use crate::measures::class::auc;

/// Probabilities of two classes from those of the second.
fn of_two(second: &[f64]) -> Vec<f64> {
    second.iter().flat_map(|&p| [1.0 - p, p]).collect()
}

#[test]
fn equal_probabilities_make_one_step() {
    let truth = [Some(1), Some(0), Some(1), Some(0), None];
    let probabilities = of_two(&[0.8, 0.8, 0.4, 0.2, 1.0]);
    let weights = [1.0, 1.0, 3.0, 1.0, 7.0];
    let points = roc(&truth, &probabilities, 2, 1, Some(&weights), 9).unwrap();
    let expected = [
        (None, 0.0, 0.0),
        (Some(0.8), 0.5, 0.25),
        (Some(0.4), 0.5, 1.0),
        (Some(0.2), 1.0, 1.0),
    ]
    .map(
        |(threshold, false_positive_rate, true_positive_rate)| RocPoint {
            threshold,
            false_positive_rate,
            true_positive_rate,
        },
    );
    assert_eq!(points.unwrap(), expected);
    let points = precision_recall(&truth, &probabilities, 2, 1, Some(&weights), 9).unwrap();
    let expected = [(0.8, 0.25, 0.5), (0.4, 1.0, 0.8), (0.2, 1.0, 2.0 / 3.0)].map(
        |(threshold, recall, precision)| PrecisionRecallPoint {
            threshold,
            recall,
            precision,
        },
    );
    assert_eq!(points.unwrap(), expected);
}

#[test]
fn bins_hold_their_upper_ends_and_empty_ones_are_left_out() {
    let truth = [Some(1), Some(0), Some(1), Some(1)];
    let probabilities = of_two(&[0.0, 0.5, 0.5, 1.0]);
    let bins = calibration(&truth, &probabilities, 2, 1, 2, Some(&[2.0, 2.0, 4.0, 8.0])).unwrap();
    let bin = |from, to, predicted, observed, weight| Bin {
        from,
        to,
        predicted,
        observed,
        weight,
    };
    assert_eq!(
        bins,
        [
            bin(0.0, 0.5, 0.375, 0.75, 1.0),
            bin(0.5, 1.0, 1.0, 1.0, 1.0)
        ]
    );
    // The predicted class is right in the last two rows.
    let bins = confidence(&truth, &[0, 1, 1, 1], &probabilities, 2, 10, None).unwrap();
    assert_eq!(
        bins,
        [bin(0.4, 0.5, 0.5, 0.5, 2.0), bin(0.9, 1.0, 1.0, 0.5, 2.0)]
    );
}

#[test]
fn a_class_alone_has_no_curve_and_one_there_is_not_is_told() {
    let probabilities = of_two(&[0.2, 0.7]);
    for class in [0, 1] {
        let one = roc(&[Some(0), Some(0)], &probabilities, 2, class, None, 9);
        assert_eq!(one, Ok(None));
    }
    let none = precision_recall(&[Some(0), None], &probabilities, 2, 1, None, 9);
    assert_eq!(none, Ok(None));
    assert_eq!(roc(&[], &[], 2, 1, None, 9), Ok(None));
    assert_eq!(calibration(&[], &[], 2, 1, 10, None), Ok(Vec::new()));
    assert_eq!(
        roc(&[Some(0), Some(1)], &probabilities, 2, 2, None, 9)
            .unwrap_err()
            .to_string(),
        "class code 2 asked for, but there are only 2 classes"
    );
}

kinwood_testing::soak! { 256;
    fn soak_a_thinned_curve_keeps_its_shape_and_its_area(
        rows in prop::collection::vec((0..2_u32, 0..400_u32), 2..600),
        most in 2..700_usize,
    ) {
        let truth: Vec<_> = rows.iter().map(|row| Some(row.0)).collect();
        let probabilities: Vec<f64> = of_two(&rows.iter().map(|row| f64::from(row.1) / 400.0).collect::<Vec<_>>());
        let whole = |most| roc(&truth, &probabilities, 2, 1, None, most).unwrap();
        let (Some(all), Some(few)) = (whole(usize::MAX), whole(most)) else {
            prop_assert_eq!(auc(&truth, &probabilities, 2, None).unwrap(), None);
            return Ok(());
        };
        let place = |point: &RocPoint| (point.false_positive_rate, point.true_positive_rate);
        prop_assert!(few.len() <= most.max(2));
        prop_assert!(few.is_sorted_by(|a, b| place(a).0 <= place(b).0 && place(a).1 <= place(b).1));
        prop_assert_eq!((place(&few[0]), place(few.last().unwrap())), ((0.0, 0.0), (1.0, 1.0)));
        // Every point there is lies by the thinned curve, if points were not too few.
        if few.len() < most {
            for point in &all {
                let apart = few.windows(2).map(|line| distance(place(point), place(&line[0]), place(&line[1])));
                prop_assert!(apart.fold(f64::INFINITY, f64::min) <= TOLERANCE + 1e-12);
            }
            let area: f64 = few.windows(2).map(|line| {
                let ((a, b), (c, d)) = (place(&line[0]), place(&line[1]));
                (c - a) * (b + d) / 2.0
            }).sum();
            let expected = auc(&truth, &probabilities, 2, None).unwrap().unwrap();
            prop_assert!((area - expected).abs() < 3e-3, "{} {}", area, expected);
        }
    }
}
