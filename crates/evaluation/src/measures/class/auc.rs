//! The area under the receiver operating characteristic, for two classes and for several.

use super::checked;
use crate::error::Error;
use crate::measures::rows::Row;

/// The area under the ROC curve: how likely a row of a class gets a higher probability of it than a row of another class.
///
/// Of two classes: `sum w v ([p > q] + [p = q] / 2) / sum w v` over all pairs of a row of the second class, with probability `p` of it and
/// weight `w`, and a row of the first, with probability `q` of the second class and weight `v`. Of several: the mean over pairs of classes
/// that occur of `(A(i|j) + A(j|i)) / 2`, where `A(i|j)` is that area of the rows of `i` against those of `j` by the probability of `i`.
/// From 0 to 1, 1/2 for probabilities that say nothing; none if fewer than two classes occur.
///
/// Cost: one sort of the rows per class.
///
/// Reference: D. Hand, R. Till, A simple generalisation of the area under the ROC curve for multiple class classification problems,
/// Machine Learning 45, 2001, equations 3 and 7.
///
/// ```
/// use kinwood_evaluation::measures::class::auc;
/// let truth = [Some(0), Some(1), Some(0), Some(1)];
/// let probabilities = [0.9, 0.1, 0.6, 0.4, 0.3, 0.7, 0.2, 0.8];
/// assert_eq!(auc(&truth, &probabilities, 2, None)?, Some(0.75));
/// # Ok::<(), kinwood_evaluation::Error>(())
/// ```
pub fn auc(
    truth: &[Option<u32>],
    probabilities: &[f64],
    classes: usize,
    weights: Option<&[f64]>,
) -> Result<Option<f64>, Error> {
    let rows = checked(truth, probabilities, classes, weights)?;
    let mut occurring = vec![0.0; classes];
    for row in &rows {
        occurring[row.truth as usize] += row.share;
    }
    if classes == 2 {
        // The second class' probability alone: the first's is one less it, up to rounding that would part equals.
        let areas = against_each(&rows, probabilities, &occurring, 1);
        return Ok(areas[0]);
    }
    let (mut sum, mut pairs) = (0.0, 0_usize);
    for class in 0..classes {
        for area in against_each(&rows, probabilities, &occurring, class)
            .into_iter()
            .flatten()
        {
            sum += area;
            pairs += 1;
        }
    }
    Ok((pairs > 0).then(|| sum / pairs as f64))
}

/// The area of a class against each other, by the probability of the class; none where one of the two does not occur.
fn against_each(
    rows: &[Row<u32>],
    probabilities: &[f64],
    occurring: &[f64],
    class: usize,
) -> Vec<Option<f64>> {
    let classes = occurring.len();
    let mut wins = vec![0.0; classes];
    if occurring[class] > 0.0 {
        // The bits of numbers from 0 on are in the order of the numbers, and sort faster; rows of equal probability stay in their order.
        let mut order: Vec<(u64, u32)> = rows
            .iter()
            .zip(0..)
            .map(|(row, place)| {
                let share = probabilities[row.position * classes + class] + 0.0;
                (share.to_bits(), place)
            })
            .collect();
        order.sort_unstable();
        let mut above = 0.0;
        for equal in order.chunk_by(|a, b| a.0 == b.0).rev() {
            let equal = || equal.iter().map(|(_, place)| &rows[*place as usize]);
            let own = equal().filter(|row| row.truth as usize == class);
            let tied: f64 = own.map(|row| row.share).sum();
            for row in equal() {
                wins[row.truth as usize] += row.share * (above + 0.5 * tied);
            }
            above += tied;
        }
    }
    let area = |other: usize| {
        let pairs = occurring[class] * occurring[other];
        (other != class && pairs > 0.0).then(|| (wins[other] / pairs).clamp(0.0, 1.0))
    };
    (0..classes).map(area).collect()
}
