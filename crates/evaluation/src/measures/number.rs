//! Measures for predicted numbers.

use super::rows::{Row, counted, same_length};
use crate::error::Error;

/// Root mean squared error.
///
/// `sqrt( sum w (p - y)^2 / sum w )`; none if no row counts, or if the value exceeds `f64`.
/// Errors are divided by the largest before they are squared, so that squares cannot overflow.
///
/// ```
/// use kinwood_evaluation::measures::number::rmse;
/// assert_eq!(rmse(&[Some(1.0), Some(2.0), None], &[1.0, 4.0, 9.0], None)?, Some(2.0_f64.sqrt()));
/// # Ok::<(), kinwood_evaluation::Error>(())
/// ```
pub fn rmse(
    truth: &[Option<f64>],
    predicted: &[f64],
    weights: Option<&[f64]>,
) -> Result<Option<f64>, Error> {
    let rows = pairs(truth, predicted, weights)?;
    let (largest, root) = root_mean_square(&rows, |pair| pair.1 - pair.0);
    let value = (!rows.is_empty()).then_some(largest * root);
    Ok(value.filter(|value| value.is_finite()))
}

/// The largest size of some values and the root of the mean of their squares over it: the root is
/// their product, which may overflow.
fn root_mean_square(rows: &[Row<(f64, f64)>], value: impl Fn((f64, f64)) -> f64) -> (f64, f64) {
    let values = || rows.iter().map(|row| value(row.truth));
    let largest = values().map(f64::abs).fold(0.0, f64::max);
    if largest == 0.0 {
        return (0.0, 0.0);
    }
    let squares: f64 = rows
        .iter()
        .zip(values())
        .map(|(row, value)| row.share * (value / largest).powi(2))
        .sum();
    (largest, squares.sqrt())
}

/// Mean absolute error.
///
/// `sum w |p - y| / sum w`; none if no row counts, or if the value exceeds `f64`.
pub fn mae(
    truth: &[Option<f64>],
    predicted: &[f64],
    weights: Option<&[f64]>,
) -> Result<Option<f64>, Error> {
    let rows = pairs(truth, predicted, weights)?;
    let sum: f64 = rows
        .iter()
        .map(|row| row.share * (row.truth.1 - row.truth.0).abs())
        .sum();
    Ok((!rows.is_empty() && sum.is_finite()).then_some(sum))
}

/// Relative root mean squared error: that of the predictions over that of the mean of the true
/// values of the rows measured.
///
/// `sqrt( sum w (p - y)^2 / sum w (y - m(y))^2 )` with the weighted mean `m`: 0 for perfect
/// predictions, 1 for predictions no better than the mean. None if the true values are constant on
/// the rows that count. The mean is that of the rows measured, not of the training rows, so that
/// the mean of the training rows as a prediction scores 1 or a little above.
///
/// Reference: L. Breiman, J. Friedman, R. Olshen, C. Stone, Classification and regression trees,
/// 1984, section 8.3.2 (relative error).
pub fn relative_rmse(
    truth: &[Option<f64>],
    predicted: &[f64],
    weights: Option<&[f64]>,
) -> Result<Option<f64>, Error> {
    let rows = pairs(truth, predicted, weights)?;
    let Some(centred) = centred(&rows, |pair| pair.0) else {
        return Ok(None);
    };
    let (of_errors, errors) = root_mean_square(&rows, |pair| pair.1 - pair.0);
    let spread: f64 = rows
        .iter()
        .zip(&centred.values)
        .map(|(row, v)| row.share * v * v)
        .sum();
    let value = of_errors / centred.largest * (errors / spread.sqrt());
    Ok(Some(value).filter(|value| value.is_finite()))
}

/// Coefficient of determination: the share of the variance of the true values that predictions
/// explain.
///
/// `1 - sum w (p - y)^2 / sum w (y - m(y))^2` with the weighted mean `m`, at most 1, below 0 for
/// predictions worse than the mean of the rows measured: one less the square of [`relative_rmse`].
/// None if the true values are constant on the rows that count.
///
/// Reference: N. Draper, H. Smith, Applied regression analysis, third edition, 1998, section 1.3.
pub fn r2(
    truth: &[Option<f64>],
    predicted: &[f64],
    weights: Option<&[f64]>,
) -> Result<Option<f64>, Error> {
    let relative = relative_rmse(truth, predicted, weights)?;
    Ok(relative
        .map(|relative| 1.0 - relative * relative)
        .filter(|value| value.is_finite()))
}

/// Pearson's correlation of truth and prediction.
///
/// `sum w (y - m(y)) (p - m(p)) / sqrt( sum w (y - m(y))^2 sum w (p - m(p))^2 )` with the weighted
/// means `m`, from -1 to 1; none if either side is constant on the rows that count. Both sides
/// are centred and divided by their largest deviation before anything is squared.
///
/// Reference: K. Pearson, Note on regression and inheritance in the case of two parents,
/// Proceedings of the Royal Society of London 58, 1895.
pub fn correlation(
    truth: &[Option<f64>],
    predicted: &[f64],
    weights: Option<&[f64]>,
) -> Result<Option<f64>, Error> {
    Ok(correlated(&pairs(truth, predicted, weights)?))
}

/// Spearman's rank correlation of truth and prediction: Pearson's of their ranks.
///
/// Equal values have the mean of the ranks they take up. With weights, a value's rank is the weight
/// below it and half of the weight of its equals, and ranks are correlated with the same weights: a
/// row of weight 2 counts like two rows. From -1 to 1; none if either side is constant on the rows
/// that count.
///
/// Reference: C. Spearman, The proof and measurement of association between two things, American
/// Journal of Psychology 15, 1904; ranks of equals: M. Kendall, The treatment of ties in ranking
/// problems, Biometrika 33, 1945.
pub fn spearman(
    truth: &[Option<f64>],
    predicted: &[f64],
    weights: Option<&[f64]>,
) -> Result<Option<f64>, Error> {
    let mut rows = pairs(truth, predicted, weights)?;
    let truths = ranks(&rows, |pair| pair.0);
    let predictions = ranks(&rows, |pair| pair.1);
    for ((row, truth), prediction) in rows.iter_mut().zip(truths).zip(predictions) {
        row.truth = (truth, prediction);
    }
    Ok(correlated(&rows))
}

/// The share of weight below each value and half that of its equals, in the rows' order.
fn ranks(rows: &[Row<(f64, f64)>], side: impl Fn((f64, f64)) -> f64) -> Vec<f64> {
    let mut order: Vec<(f64, usize)> = rows
        .iter()
        .enumerate()
        .map(|(position, row)| (side(row.truth), position))
        .collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut ranks = vec![0.0; rows.len()];
    let mut below = 0.0;
    // By equality, so that 0 and -0 share a rank: they are neighbours in the order.
    for equal in order.chunk_by(|a, b| a.0 == b.0) {
        let tied: f64 = equal
            .iter()
            .map(|(_, position)| rows[*position].share)
            .sum();
        for (_, position) in equal {
            ranks[*position] = below + 0.5 * tied;
        }
        below += tied;
    }
    ranks
}

/// Pearson's correlation of the two sides of pairs.
fn correlated(rows: &[Row<(f64, f64)>]) -> Option<f64> {
    let truths = centred(rows, |pair| pair.0)?.values;
    let predictions = centred(rows, |pair| pair.1)?.values;
    let (mut truth_square, mut product, mut prediction_square) = (0.0, 0.0, 0.0);
    for ((row, truth), prediction) in rows.iter().zip(truths).zip(predictions) {
        truth_square += row.share * truth * truth;
        product += row.share * truth * prediction;
        prediction_square += row.share * prediction * prediction;
    }
    let value = product / (truth_square.sqrt() * prediction_square.sqrt());
    Some(value.clamp(-1.0, 1.0)).filter(|value| value.is_finite())
}

/// The rows that count with truth and prediction, checked.
fn pairs(
    truth: &[Option<f64>],
    predicted: &[f64],
    weights: Option<&[f64]>,
) -> Result<Vec<Row<(f64, f64)>>, Error> {
    same_length("predicted numbers", predicted.len(), truth.len())?;
    let finite = |what, row, found: f64| {
        if found.is_finite() {
            Ok(found)
        } else {
            Err(Error::NotFinite { what, row, found })
        }
    };
    let pair = |row: Row<f64>| {
        let true_value = finite("true value", row.position, row.truth)?;
        let prediction = finite("prediction", row.position, predicted[row.position])?;
        Ok(Row {
            position: row.position,
            truth: (true_value, prediction),
            share: row.share,
        })
    };
    counted(truth, weights)?.into_iter().map(pair).collect()
}

/// Deviations from a mean, divided by the largest.
struct Centred {
    values: Vec<f64>,
    largest: f64,
}

/// Deviations from the weighted mean, the largest being 1 in size; none if there are none.
///
/// Whether values are constant is asked of the values: the deviations of equal values from
/// their rounded mean need not be 0.
fn centred(rows: &[Row<(f64, f64)>], side: impl Fn((f64, f64)) -> f64) -> Option<Centred> {
    let values = || rows.iter().map(|row| side(row.truth));
    let origin = values().next()?;
    if values().all(|value| value == origin) {
        return None;
    }
    let shift: f64 = rows
        .iter()
        .zip(values())
        .map(|(row, v)| row.share * (v - origin))
        .sum();
    let deviations: Vec<f64> = values().map(|value| (value - origin) - shift).collect();
    let largest = deviations.iter().copied().map(f64::abs).fold(0.0, f64::max);
    let values = deviations.into_iter().map(|deviation| deviation / largest);
    Some(Centred {
        values: values.collect(),
        largest,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn known(values: &[f64]) -> Vec<Option<f64>> {
        values.iter().copied().map(Some).collect()
    }

    #[test]
    fn errors_by_hand() {
        let truth = [Some(1.0), Some(2.0), Some(3.0), None];
        let predicted = [2.0, 2.0, 1.0, 7.0];
        let weights = [1.0, 2.0, 1.0, 8.0];
        assert_eq!(mae(&truth, &predicted, None), Ok(Some(1.0)));
        assert_eq!(mae(&truth, &predicted, Some(&weights)), Ok(Some(0.75)));
        let value = rmse(&truth, &predicted, Some(&weights)).unwrap().unwrap();
        assert!((value - 1.25_f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn nothing_known_is_undefined() {
        for measure in [rmse, mae, relative_rmse, r2, correlation, spearman] {
            assert_eq!(measure(&[None, None], &[1.0, 2.0], None), Ok(None));
            assert_eq!(measure(&[], &[], None), Ok(None));
            assert_eq!(
                measure(&known(&[1.0, 2.0]), &[1.0, 3.0], Some(&[0.0; 2])),
                Ok(None)
            );
        }
        assert_eq!(rmse(&[Some(2.0)], &[2.0], None), Ok(Some(0.0)));
    }

    #[test]
    fn correlation_with_a_constant_is_undefined() {
        let constant = [0.1; 7];
        let moving = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
        assert_eq!(correlation(&known(&constant), &moving, None), Ok(None));
        assert_eq!(correlation(&known(&moving), &constant, None), Ok(None));
        // Constant where it counts.
        let weights = [1.0, 1.0, 0.0];
        assert_eq!(
            correlation(&known(&[5.0, 5.0, 6.0]), &[1.0, 2.0, 3.0], Some(&weights)),
            Ok(None)
        );
    }

    /// Anscombe, Graphs in statistical analysis, 1973: the first of four sets.
    #[test]
    fn correlation_of_anscombes_first_set() {
        let x = [10.0, 8.0, 13.0, 9.0, 11.0, 14.0, 6.0, 4.0, 12.0, 7.0, 5.0];
        let y = [
            8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68,
        ];
        let value = correlation(&known(&x), &y, None).unwrap().unwrap();
        assert!((value - 0.816_420_516_344_839_9).abs() < 1e-14, "{value}");
    }

    /// scikit-learn 1.9.1 (r2_score), scipy 1.17.1 (spearmanr, of rows repeated by their weight
    /// where weighted).
    #[test]
    fn figures_recorded_from_scikit_learn_and_scipy() {
        let row = |i: u32| f64::from(i * 13 % 17);
        let y: Vec<_> = (0..60).map(|i| Some(row(i) + f64::from(i) / 4.0)).collect();
        let p: Vec<f64> = (0..60)
            .map(|i| row(i) * 0.5 + f64::from(i * 5 % 7))
            .collect();
        let weights: Vec<f64> = (0..60).map(|i| f64::from(1 + i % 4)).collect();
        let near = |found: Result<Option<f64>, Error>, expected: f64| {
            let found = found.unwrap().unwrap();
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        };
        let w = Some(weights.as_slice());
        near(relative_rmse(&y, &p, None), 1.5179291384742042);
        near(relative_rmse(&y, &p, w), 1.6351366741451758);
        near(r2(&y, &p, None), -1.3041088694290397);
        near(r2(&y, &p, w), -1.6736719431345461);
        near(spearman(&y, &p, None), 0.5803422367348045);
        near(spearman(&y, &p, w), 0.5679159636200644);
    }

    #[test]
    fn relative_to_the_mean_by_hand() {
        let truth = [Some(1.0), Some(2.0), Some(6.0), None];
        // Squared errors 4, 1, 9 over squared deviations 4, 1, 9 from the mean 3.
        let mean = [3.0, 3.0, 3.0, 9.0];
        assert_eq!(relative_rmse(&truth, &mean, None), Ok(Some(1.0)));
        assert_eq!(r2(&truth, &mean, None), Ok(Some(0.0)));
        let exact = [1.0, 2.0, 6.0, 0.0];
        assert_eq!(relative_rmse(&truth, &exact, None), Ok(Some(0.0)));
        assert_eq!(r2(&truth, &exact, None), Ok(Some(1.0)));
        let constant = known(&[0.1; 7]);
        for measure in [relative_rmse, r2, spearman] {
            assert_eq!(measure(&constant, &[1.0; 7], None), Ok(None));
        }
        // Sizes that squares would not survive.
        let large = known(&[0.0, 2e200]);
        assert_eq!(relative_rmse(&large, &[1e200, 1e200], None), Ok(Some(1.0)));
    }

    #[test]
    fn ranks_by_hand() {
        let truth = known(&[1.0, 2.0, 3.0]);
        let monotone = [0.0, 1e-3, 1e6];
        assert!((spearman(&truth, &monotone, None).unwrap().unwrap() - 1.0).abs() < 1e-15);
        // Ranks 1.5, 1.5, 3 against 1, 2, 3.
        let tied = spearman(&truth, &[5.0, 5.0, 7.0], None).unwrap().unwrap();
        assert!((tied - 0.75_f64.sqrt()).abs() < 1e-15, "{tied}");
        let signs = spearman(&truth, &[-0.0, 0.0, 7.0], None).unwrap().unwrap();
        assert_eq!(signs, tied);
        assert_eq!(spearman(&truth, &[5.0; 3], None), Ok(None));
    }

    #[test]
    fn large_values_keep_their_digits() {
        let x = [1e9, 1e9 + 1.0, 1e9 + 2.0, 1e9 + 3.0];
        let y = [1.0, 3.0, 2.0, 4.0];
        assert!((correlation(&known(&x), &y, None).unwrap().unwrap() - 0.8).abs() < 1e-14);
        let value = rmse(&known(&[0.0, 0.0]), &[3e200, 4e200], None)
            .unwrap()
            .unwrap();
        assert!((value / (12.5_f64.sqrt() * 1e200) - 1.0).abs() < 1e-15);
        let value = correlation(&known(&[0.0, 1e-200, 2e-200]), &[1e200, 2e200, 3e200], None);
        assert!((value.unwrap().unwrap() - 1.0).abs() < 1e-14);
        assert_eq!(rmse(&known(&[-f64::MAX]), &[f64::MAX], None), Ok(None));
    }

    #[test]
    fn infinite_predictions_are_named() {
        let error = mae(&known(&[1.0, 2.0]), &[1.0, f64::INFINITY], None).unwrap_err();
        assert_eq!(
            error.to_string(),
            "row 1 has prediction inf, expected a finite number"
        );
        assert_eq!(
            mae(&[Some(1.0), None], &[1.0, f64::NAN], None),
            Ok(Some(0.0))
        );
    }

    kinwood_testing::soak! { 256;
        fn soak_weights_equal_repetition(
            rows in prop::collection::vec(
                (prop::option::of(-9.0..9.0_f64), -9.0..9.0_f64, 0..4_usize), 1..20),
        ) {
            let truth: Vec<_> = rows.iter().map(|row| row.0).collect();
            let predicted: Vec<_> = rows.iter().map(|row| row.1).collect();
            let weights: Vec<f64> = rows.iter().map(|row| row.2 as f64).collect();
            let copies: Vec<_> =
                rows.iter().flat_map(|row| std::iter::repeat_n(*row, row.2)).collect();
            let truths: Vec<_> = copies.iter().map(|row| row.0).collect();
            let predictions: Vec<_> = copies.iter().map(|row| row.1).collect();
            for measure in [rmse, mae, relative_rmse, r2, correlation, spearman] {
                let weighted = measure(&truth, &predicted, Some(&weights)).unwrap();
                let repeated = measure(&truths, &predictions, None).unwrap();
                prop_assert_eq!(weighted.is_some(), repeated.is_some());
                // Of numbers that hardly vary, relative errors are large, and so is their rounding.
                let (weighted, repeated) = (weighted.unwrap_or(0.0), repeated.unwrap_or(0.0));
                prop_assert!((weighted - repeated).abs() < 1e-9 * (1.0 + repeated.abs()));
            }
        }

        fn soak_mae_is_at_most_rmse_and_correlation_ignores_scale(
            rows in prop::collection::vec((-9.0..9.0_f64, -9.0..9.0_f64), 2..20),
        ) {
            let truth: Vec<_> = rows.iter().map(|row| Some(row.0)).collect();
            let predicted: Vec<_> = rows.iter().map(|row| row.1).collect();
            let value = |measure: fn(&_, &_, _) -> _, predicted: &[f64]| -> Option<f64> {
                let result: Result<Option<f64>, Error> = measure(&truth[..], predicted, None);
                result.unwrap()
            };
            prop_assert!(value(mae, &predicted) <= value(rmse, &predicted).map(|v| v + 1e-12));
            let flipped: Vec<f64> = predicted.iter().map(|p| 5.0 - 2.0 * p).collect();
            if let Some(straight) = value(correlation, &predicted) {
                prop_assert!((straight + value(correlation, &flipped).unwrap()).abs() < 1e-9);
            }
        }
    }
}
