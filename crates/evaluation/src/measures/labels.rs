//! Measures for predicted sets of labels.
//!
//! A label is said to be in the set when its share is at least one half. In a hierarchy, truths
//! come with the labels above them (`Labels::of_row` of the learners closes them upwards), so that
//! every measure here is one of the hierarchy's nodes: to find `a` where the truth is `a/b` is half
//! right, not wrong.

use kinwood_learning::predictions::PRESENT;

use super::rows::{Row, counted, same_length};
use crate::error::Error;

/// The rows that count, checked: truths are labels there are, in ascending order, and shares
/// probabilities.
fn checked<'a>(
    truth: &'a [Option<Vec<u32>>],
    shares: &[f64],
    labels: usize,
    weights: Option<&[f64]>,
) -> Result<Vec<Row<&'a [u32]>>, Error> {
    let expected = truth.len().saturating_mul(labels);
    same_length("shares of labels", shares.len(), expected)?;
    let truth: Vec<Option<&[u32]>> = truth.iter().map(Option::as_deref).collect();
    let rows = counted(&truth, weights)?;
    for row in &rows {
        let unknown = row.truth.iter().find(|label| **label as usize >= labels);
        if let Some(&code) = unknown {
            return Err(Error::UnknownClass {
                row: row.position,
                code,
                classes: labels,
            });
        }
        let own = &shares[row.position * labels..(row.position + 1) * labels];
        // Averages of shares may exceed 1 by rounding.
        let wrong = own
            .iter()
            .position(|share| !(0.0..=1.0 + 1e-9).contains(share));
        if let Some(label) = wrong {
            return Err(Error::Probability {
                row: row.position,
                code: label as u32,
                found: own[label],
            });
        }
    }
    Ok(rows)
}

/// Calls `each` with every label of a row: whether it is said to be present, and whether it is.
fn compare(
    row: &Row<&[u32]>,
    shares: &[f64],
    labels: usize,
    mut each: impl FnMut(usize, bool, bool),
) {
    let mut truth = row.truth.iter().peekable();
    for label in 0..labels {
        let is = truth.next_if(|next| **next as usize == label).is_some();
        let said = shares[row.position * labels + label] >= PRESENT;
        each(label, said, is);
    }
}

/// Hamming loss: the share of labels wrongly said to be present or absent.
///
/// `sum w |P xor Y| / (L sum w)` for `L` labels, from 0 to 1; none if no row counts.
///
/// Reference: R. Schapire, Y. Singer, BoosTexter, Machine Learning 39, 2000.
///
/// ```
/// use kinwood_evaluation::measures::labels::hamming_loss;
/// let truth = [Some(vec![0]), Some(vec![0, 1])];
/// assert_eq!(hamming_loss(&truth, &[0.9, 0.1, 0.9, 0.2], 2, None)?, Some(0.25));
/// # Ok::<(), kinwood_evaluation::Error>(())
/// ```
pub fn hamming_loss(
    truth: &[Option<Vec<u32>>],
    shares: &[f64],
    labels: usize,
    weights: Option<&[f64]>,
) -> Result<Option<f64>, Error> {
    let rows = checked(truth, shares, labels, weights)?;
    let mut loss = 0.0;
    for row in &rows {
        let mut wrong = 0;
        compare(row, shares, labels, |_, said, is| {
            wrong += usize::from(said != is)
        });
        loss += row.share * wrong as f64 / labels as f64;
    }
    Ok((!rows.is_empty()).then_some(loss))
}

/// Subset accuracy: the share of rows whose set is predicted exactly.
///
/// `sum w [P = Y] / sum w`, from 0 to 1; none if no row counts.
pub fn subset_accuracy(
    truth: &[Option<Vec<u32>>],
    shares: &[f64],
    labels: usize,
    weights: Option<&[f64]>,
) -> Result<Option<f64>, Error> {
    let rows = checked(truth, shares, labels, weights)?;
    let (mut right, mut wrong) = (0.0, 0.0);
    for row in &rows {
        let mut same = true;
        compare(row, shares, labels, |_, said, is| same &= said == is);
        *if same { &mut right } else { &mut wrong } += row.share;
    }
    // Relative to both sums, all right is exactly 1 and all wrong exactly 0.
    Ok((!rows.is_empty()).then(|| right / (right + wrong)))
}

/// How much of a label is found, said wrongly, and missed.
#[derive(Clone, Copy, Default)]
struct Found {
    right: f64,
    wrong: f64,
    missed: f64,
}

impl Found {
    /// The harmonic mean of precision and recall; none of a label that is neither said nor there.
    fn f1(self) -> Option<f64> {
        let all = 2.0 * self.right + self.wrong + self.missed;
        (all > 0.0).then(|| 2.0 * self.right / all)
    }
}

fn found(rows: &[Row<&[u32]>], shares: &[f64], labels: usize) -> Vec<Found> {
    let mut found = vec![Found::default(); labels];
    for row in rows {
        compare(row, shares, labels, |label, said, is| match (said, is) {
            (true, true) => found[label].right += row.share,
            (true, false) => found[label].wrong += row.share,
            (false, true) => found[label].missed += row.share,
            (false, false) => {}
        });
    }
    found
}

/// Micro-averaged F1: the harmonic mean of precision and recall over all labels taken together.
///
/// `2 TP / (2 TP + FP + FN)`, from 0 to 1; none if no label is said or there.
pub fn micro_f1(
    truth: &[Option<Vec<u32>>],
    shares: &[f64],
    labels: usize,
    weights: Option<&[f64]>,
) -> Result<Option<f64>, Error> {
    let rows = checked(truth, shares, labels, weights)?;
    let all = found(&rows, shares, labels)
        .into_iter()
        .fold(Found::default(), |sum, label| Found {
            right: sum.right + label.right,
            wrong: sum.wrong + label.wrong,
            missed: sum.missed + label.missed,
        });
    Ok(all.f1())
}

/// Macro-averaged F1: the mean of the labels' F1, of those that are said or there in any row.
///
/// From 0 to 1; none if no label is.
pub fn macro_f1(
    truth: &[Option<Vec<u32>>],
    shares: &[f64],
    labels: usize,
    weights: Option<&[f64]>,
) -> Result<Option<f64>, Error> {
    let rows = checked(truth, shares, labels, weights)?;
    let each: Vec<f64> = found(&rows, shares, labels)
        .into_iter()
        .filter_map(Found::f1)
        .collect();
    Ok((!each.is_empty()).then(|| each.iter().sum::<f64>() / each.len() as f64))
}

/// The area under the average precision-recall curve: of precision and recall over all labels and
/// rows taken together, for all thresholds on the share.
///
/// From 0 to 1; none if no label is in any row. Between two thresholds right and wrong answers are
/// taken to come in evenly, so that the curve there is `t / (t + f + s (t' - t))`, not a line.
///
/// Reference: C. Vens, J. Struyf, L. Schietgat, S. Džeroski, H. Blockeel, Decision trees for
/// hierarchical multi-label classification, Machine Learning 73, 2008, section 5.2; the
/// interpolation: J. Davis, M. Goadrich, The relationship between precision-recall and ROC curves,
/// ICML 2006.
pub fn average_precision_recall(
    truth: &[Option<Vec<u32>>],
    shares: &[f64],
    labels: usize,
    weights: Option<&[f64]>,
) -> Result<Option<f64>, Error> {
    let rows = checked(truth, shares, labels, weights)?;
    let mut answers: Vec<(f64, bool, f64)> = Vec::with_capacity(rows.len() * labels);
    for row in &rows {
        let own = &shares[row.position * labels..];
        compare(row, shares, labels, |label, _, is| {
            answers.push((own[label], is, row.share));
        });
    }
    Ok(area(answers))
}

/// The mean over labels that occur of the area under the label's own curve of precision and recall.
///
/// From 0 to 1; none if no label is in any row. Labels count alike however rare they are, where
/// [`average_precision_recall`] is ruled by the frequent ones. Curves are interpolated as there.
///
/// Reference: C. Vens, J. Struyf, L. Schietgat, S. Džeroski, H. Blockeel, Decision trees for
/// hierarchical multi-label classification, Machine Learning 73, 2008, section 5.2 (the average of
/// areas with equal weights).
pub fn macro_precision_recall(
    truth: &[Option<Vec<u32>>],
    shares: &[f64],
    labels: usize,
    weights: Option<&[f64]>,
) -> Result<Option<f64>, Error> {
    let rows = checked(truth, shares, labels, weights)?;
    let of_label = |label: usize| {
        let answer = |row: &Row<&[u32]>| {
            let is = row.truth.binary_search(&(label as u32)).is_ok();
            (shares[row.position * labels + label], is, row.share)
        };
        area(rows.iter().map(answer).collect())
    };
    let each: Vec<f64> = (0..labels).filter_map(of_label).collect();
    Ok((!each.is_empty()).then(|| each.iter().sum::<f64>() / each.len() as f64))
}

/// Ranking loss: how often a label that is not there has at least the share of one that is.
///
/// `sum w |{(a, b): a in Y, b not in Y, p(a) <= p(b)}| / (|Y| (L - |Y|)) / sum w` for `L` labels,
/// from 0 to 1. A row with all labels or none has nothing to put in order, and loses nothing; none
/// if no row counts.
///
/// Reference: R. Schapire, Y. Singer, BoosTexter, Machine Learning 39, 2000, section 3.
pub fn ranking_loss(
    truth: &[Option<Vec<u32>>],
    shares: &[f64],
    labels: usize,
    weights: Option<&[f64]>,
) -> Result<Option<f64>, Error> {
    let rows = checked(truth, shares, labels, weights)?;
    let mut loss = 0.0;
    let mut order: Vec<(f64, bool)> = Vec::with_capacity(labels);
    for row in &rows {
        order.clear();
        let own = &shares[row.position * labels..];
        compare(row, shares, labels, |label, _, is| {
            order.push((own[label], is))
        });
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (mut below, mut wrong) = (0_usize, 0_usize);
        for equal in order.chunk_by(|a, b| a.0 == b.0) {
            let present = equal.iter().filter(|label| label.1).count();
            below += present;
            wrong += below * (equal.len() - present);
        }
        let pairs = below * (labels - below);
        if pairs > 0 {
            loss += row.share * wrong as f64 / pairs as f64;
        }
    }
    Ok((!rows.is_empty()).then_some(loss))
}

/// The area under the curve of precision and recall of answers, each with a share, whether it is
/// right and a weight; none if none is right.
fn area(mut answers: Vec<(f64, bool, f64)>) -> Option<f64> {
    let total: f64 = answers
        .iter()
        .filter(|answer| answer.1)
        .map(|answer| answer.2)
        .sum();
    if total <= 0.0 {
        return None;
    }
    // A stable sort keeps rows in their order, hence the sums the same.
    answers.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (mut right, mut wrong, mut area) = (0.0, 0.0, 0.0);
    for equal in answers.chunk_by(|a, b| a.0 == b.0) {
        let (mut more_right, mut more_wrong) = (0.0, 0.0);
        for &(_, is, weight) in equal {
            *if is { &mut more_right } else { &mut more_wrong } += weight;
        }
        if more_right > 0.0 {
            area += between(right, wrong, more_right, more_wrong);
        }
        right += more_right;
        wrong += more_wrong;
    }
    Some((area / total).clamp(0.0, 1.0))
}

/// The integral of precision over right answers, while wrong ones come in evenly beside them: of
/// `t / (a t + b)` with `a = 1 + s`, `b = f - s t0` from `t0` to `t0 + more`, `s` wrong answers
/// coming with each right one.
fn between(right: f64, wrong: f64, more_right: f64, more_wrong: f64) -> f64 {
    let slope = 1.0 + more_wrong / more_right;
    let offset = wrong - (slope - 1.0) * right;
    let (from, to) = (
        slope * right + offset,
        slope * (right + more_right) + offset,
    );
    match from > 0.0 && offset != 0.0 {
        true => (more_right - offset / slope * (to / from).ln()) / slope,
        // From nothing on, or along a ray, precision is the same all the way.
        false if offset == 0.0 => more_right / slope,
        false => more_right * more_right / to,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    type Sets = Vec<Option<Vec<u32>>>;

    fn three() -> (Sets, Vec<f64>) {
        let truth = vec![Some(vec![0, 1]), Some(vec![2]), None, Some(vec![])];
        let shares = vec![
            0.9, 0.4, 0.1, // finds 0, misses 1
            0.6, 0.0, 0.8, // finds 2, says 0 wrongly
            1.0, 1.0, 1.0, // nobody knows
            0.0, 0.0, 0.3, // right
        ];
        (truth, shares)
    }

    #[test]
    fn sets_by_hand() {
        let (truth, shares) = three();
        let near = |value: Result<Option<f64>, Error>, expected: f64| {
            let value = value.unwrap().unwrap();
            assert!((value - expected).abs() < 1e-12, "{value} {expected}");
        };
        near(hamming_loss(&truth, &shares, 3, None), 2.0 / 9.0);
        near(subset_accuracy(&truth, &shares, 3, None), 1.0 / 3.0);
        near(micro_f1(&truth, &shares, 3, None), 4.0 / 6.0);
        // Label 0: 2/3, label 1: 0, label 2: 1.
        near(macro_f1(&truth, &shares, 3, None), 5.0 / 9.0);
        // In order: 0.9 right, 0.8 right, 0.6 wrong, 0.4 right.
        let last = 1.0 - 1.0 * (4.0_f64 / 3.0).ln();
        near(
            average_precision_recall(&truth, &shares, 3, None),
            (2.0 + last) / 3.0,
        );
        // Label 0: found before it is said wrongly; label 1: found first; label 2: found first.
        near(macro_precision_recall(&truth, &shares, 3, None), 1.0);
        // Every label there has more than every label that is not; the last row has nothing to put
        // in order.
        near(ranking_loss(&truth, &shares, 3, None), 0.0);
        let reversed: Vec<f64> = shares.iter().map(|share| 1.0 - share).collect();
        near(ranking_loss(&truth, &reversed, 3, None), 2.0 / 3.0);
        near(ranking_loss(&truth, &[0.5; 12], 3, None), 2.0 / 3.0);
    }

    /// scikit-learn 1.9.1, label_ranking_loss; the areas label by label through the one over all
    /// labels.
    #[test]
    fn figures_recorded_from_scikit_learn() {
        let has =
            |i: u32, l: u32| (i + l * l + i * l % 3).is_multiple_of(3) && !i.is_multiple_of(7);
        let truth: Sets = (0..60)
            .map(|i| Some((0..4).filter(|&l| has(i, l)).collect()))
            .collect();
        let share = |i: u32, l: u32| f64::from((i * 3 + l * 5 + i * l % 5) % 8) / 8.0;
        let shares: Vec<f64> = (0..60)
            .flat_map(|i| [0, 1, 2, 3].map(|l| share(i, l)))
            .collect();
        let weights: Vec<f64> = (0..60).map(|i| f64::from(1 + i % 4)).collect();
        let near = |found: Option<f64>, expected: f64| {
            let found = found.unwrap();
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        };
        let loss = |weights| ranking_loss(&truth, &shares, 4, weights).unwrap();
        near(loss(None), 0.3361111111111111);
        near(loss(Some(&weights)), 0.3777777777777777);
        let of_label = |label: u32| {
            let own = |set: &Option<Vec<u32>>| {
                set.as_ref()
                    .map(|set| set.iter().filter(|l| **l == label).map(|_| 0).collect())
            };
            let truth: Sets = truth.iter().map(own).collect();
            let shares: Vec<f64> = shares.chunks(4).map(|row| row[label as usize]).collect();
            average_precision_recall(&truth, &shares, 1, Some(&weights)).unwrap()
        };
        // The third label does not occur.
        assert_eq!(of_label(2), None);
        let areas: Vec<f64> = (0..4).filter_map(of_label).collect();
        let area = macro_precision_recall(&truth, &shares, 4, Some(&weights)).unwrap();
        near(area, areas.iter().sum::<f64>() / 3.0);
    }

    #[test]
    fn what_is_not_defined_is_none_and_what_is_wrong_is_said() {
        let none: Sets = vec![Some(vec![])];
        assert_eq!(micro_f1(&none, &[0.0, 0.0], 2, None), Ok(None));
        assert_eq!(macro_f1(&none, &[0.0, 0.0], 2, None), Ok(None));
        assert_eq!(
            average_precision_recall(&none, &[0.3, 0.1], 2, None),
            Ok(None)
        );
        assert_eq!(
            macro_precision_recall(&none, &[0.3, 0.1], 2, None),
            Ok(None)
        );
        assert_eq!(hamming_loss(&[None], &[0.0, 0.0], 2, None), Ok(None));
        assert_eq!(ranking_loss(&[None], &[0.0, 0.0], 2, None), Ok(None));
        assert!(matches!(
            hamming_loss(&none, &[0.0], 2, None),
            Err(Error::Lengths { .. })
        ));
        assert!(matches!(
            hamming_loss(&none, &[0.0, f64::NAN], 2, None),
            Err(Error::Probability { code: 1, .. })
        ));
        assert!(matches!(
            hamming_loss(&[Some(vec![2])], &[0.0, 0.0], 2, None),
            Err(Error::UnknownClass { code: 2, .. })
        ));
    }

    /// Precision by small steps between thresholds: the naive reading of the interpolation.
    fn stepped(truth: &Sets, shares: &[f64], labels: usize) -> f64 {
        let mut answers: Vec<(f64, bool)> = Vec::new();
        for (row, truth) in truth.iter().enumerate() {
            for label in 0..labels {
                let is = truth.as_ref().unwrap().contains(&(label as u32));
                answers.push((shares[row * labels + label], is));
            }
        }
        answers.sort_by(|a, b| b.0.total_cmp(&a.0));
        let total = answers.iter().filter(|answer| answer.1).count() as f64;
        let (mut right, mut wrong, mut area) = (0.0, 0.0, 0.0);
        for equal in answers.chunk_by(|a, b| a.0 == b.0) {
            let more = equal.iter().filter(|answer| answer.1).count() as f64;
            let worse = equal.len() as f64 - more;
            const STEPS: usize = 4000;
            for step in 0..STEPS {
                let part = (step as f64 + 0.5) / STEPS as f64;
                let (t, f) = (right + part * more, wrong + part * worse);
                area += more / STEPS as f64 * t / (t + f);
            }
            right += more;
            wrong += worse;
        }
        area / total
    }

    kinwood_testing::soak! { 64;
        fn soak_the_area_is_that_of_small_steps(
            rows in prop::collection::vec((0..8_u32, prop::array::uniform3(0..6_u32)), 1..12),
        ) {
            let truth: Sets = rows
                .iter()
                .map(|row| Some((0..3).filter(|label| row.0 >> label & 1 == 1).collect()))
                .collect();
            let shares: Vec<f64> = rows.iter().flat_map(|row| row.1.map(|s| f64::from(s) / 5.0)).collect();
            match average_precision_recall(&truth, &shares, 3, None).unwrap() {
                Some(area) => prop_assert!((area - stepped(&truth, &shares, 3)).abs() < 1e-3),
                None => prop_assert!(rows.iter().all(|row| row.0 == 0)),
            }
        }

        fn soak_weights_equal_repetition(
            rows in prop::collection::vec((0..8_u32, prop::array::uniform3(0..6_u32), 0..4_usize), 1..12),
        ) {
            let sets = |rows: &[(u32, [u32; 3], usize)]| -> (Sets, Vec<f64>) {
                let truth = rows.iter().map(|row| Some((0..3).filter(|l| row.0 >> l & 1 == 1).collect()));
                let shares = rows.iter().flat_map(|row| row.1.map(|s| f64::from(s) / 5.0));
                (truth.collect(), shares.collect())
            };
            let weights: Vec<f64> = rows.iter().map(|row| row.2 as f64).collect();
            let copies: Vec<_> = rows.iter().flat_map(|row| std::iter::repeat_n(*row, row.2)).collect();
            let ((truth, shares), (truths, repeated)) = (sets(&rows), sets(&copies));
            let measures = [
                hamming_loss, subset_accuracy, micro_f1, macro_f1, average_precision_recall, macro_precision_recall, ranking_loss,
            ];
            for measure in measures {
                let weighted = measure(&truth, &shares, 3, Some(&weights)).unwrap();
                let repeated = measure(&truths, &repeated, 3, None).unwrap();
                prop_assert_eq!(weighted.is_some(), repeated.is_some());
                prop_assert!((weighted.unwrap_or(0.0) - repeated.unwrap_or(0.0)).abs() < 1e-9);
            }
        }
    }
}
