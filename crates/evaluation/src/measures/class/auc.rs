//! The area under the receiver operating characteristic, for two classes and for several.

use crate::error::Error;
use crate::measures::probabilities::checked;

/// The area under the ROC curve: how likely a row of a class gets a higher probability of it than a
/// row of another class.
///
/// Of two classes: `sum w v ([p > q] + [p = q] / 2) / sum w v` over all pairs of a row of the
/// second class, with probability `p` of it and weight `w`, and a row of the first, with
/// probability `q` of the second class and weight `v`. Of several: the mean over pairs of classes
/// that occur of `(A(i|j) + A(j|i)) / 2`, where `A(i|j)` is that area of the rows of `i` against
/// those of `j` by the probability of `i`. From 0 to 1, 1/2 for probabilities that say nothing;
/// none if fewer than two classes occur.
///
/// Cost: one sort of the rows per class.
///
/// Reference: D. Hand, R. Till, A simple generalisation of the area under the ROC curve for
/// multiple class classification problems, Machine Learning 45, 2001, equations 3 and 7.
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
    // Classes that occur are few where there are many that do not.
    let mut occurring: Vec<(u32, f64)> = Vec::new();
    let mut places = vec![None; classes];
    for row in &rows {
        let place = *places[row.truth as usize].get_or_insert_with(|| {
            occurring.push((row.truth, 0.0));
            occurring.len() - 1
        });
        occurring[place].1 += row.share;
    }
    let of_rows: Vec<Ranked> = rows
        .iter()
        .map(|row| Ranked {
            start: row.position * classes,
            place: places[row.truth as usize].unwrap_or(0),
            weight: row.share,
        })
        .collect();
    let (mut sum, mut pairs) = (0.0, 0_usize);
    for place in 0..occurring.len() {
        // Of two classes the second's probability alone: the first's is one less it, up to rounding
        // that would part equals.
        if classes == 2 && occurring[place].0 == 0 {
            continue;
        }
        for area in against_others(&of_rows, probabilities, &occurring, place) {
            sum += area;
            pairs += 1;
        }
    }
    Ok((pairs > 0).then(|| sum / pairs as f64))
}

/// A row: where its probabilities start, its class' place among those that occur, its weight.
struct Ranked {
    start: usize,
    place: usize,
    weight: f64,
}

/// The area of a class against each other that occurs, by the probability of the class.
fn against_others(
    rows: &[Ranked],
    probabilities: &[f64],
    occurring: &[(u32, f64)],
    own: usize,
) -> Vec<f64> {
    let (class, weight) = occurring[own];
    // The bits of numbers from 0 on are in the order of the numbers, and sort faster; rows of equal
    // probability stay in their order.
    let mut order: Vec<(u64, u32)> = rows
        .iter()
        .zip(0..)
        .map(|(row, number)| {
            let probability = probabilities[row.start + class as usize] + 0.0;
            (probability.to_bits(), number)
        })
        .collect();
    order.sort_unstable();
    let mut wins = vec![0.0; occurring.len()];
    let mut above = 0.0;
    for equal in order.chunk_by(|a, b| a.0 == b.0).rev() {
        let equal = || equal.iter().map(|(_, number)| &rows[*number as usize]);
        let tied = equal().filter(|row| row.place == own);
        let tied: f64 = tied.map(|row| row.weight).sum();
        for row in equal() {
            wins[row.place] += row.weight * (above + 0.5 * tied);
        }
        above += tied;
    }
    let area = |other: usize| (wins[other] / (weight * occurring[other].1)).clamp(0.0, 1.0);
    let others = (0..occurring.len()).filter(|&other| other != own);
    // Weights that differ by hundreds of orders of magnitude leave nothing of their product.
    others.map(area).filter(|area| !area.is_nan()).collect()
}
