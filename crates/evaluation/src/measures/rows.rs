//! Which rows count, and how much: the part that all measures share.

use crate::error::Error;

/// A row with a known truth and a positive weight.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row<T> {
    pub(super) position: usize,
    pub(super) truth: T,
    /// The share of all weight, so that the shares of all rows sum to 1; or the weight over the
    /// largest, from [`relative`].
    pub(super) share: f64,
}

/// The rows that count, in order; none of them if nothing has weight.
pub(super) fn counted<T: Copy>(
    truth: &[Option<T>],
    weights: Option<&[f64]>,
) -> Result<Vec<Row<T>>, Error> {
    let mut rows = relative(truth, weights)?;
    let total: f64 = rows.iter().map(|row| row.share).sum();
    for row in &mut rows {
        row.share /= total;
    }
    Ok(rows)
}

/// The rows that count, each with its weight over the largest: 1 for all where there are no
/// weights, so that sums are counts and exact.
///
/// Weights are divided by the largest before they are summed, so that weights near the limits
/// of `f64` cause neither overflow nor underflow.
pub(super) fn relative<T: Copy>(
    truth: &[Option<T>],
    weights: Option<&[f64]>,
) -> Result<Vec<Row<T>>, Error> {
    if let Some(weights) = weights {
        let (found, expected) = (weights.len(), truth.len());
        if found != expected {
            return Err(Error::Lengths {
                what: "weights",
                found,
                expected,
            });
        }
        let valid = |weight: f64| weight.is_finite() && weight >= 0.0;
        if let Some(row) = weights.iter().position(|&weight| !valid(weight)) {
            return Err(Error::Weight {
                row,
                found: weights[row],
            });
        }
    }
    let weight = |row: usize| weights.map_or(1.0, |weights| weights[row]);
    let mut rows: Vec<Row<T>> = truth
        .iter()
        .enumerate()
        .filter_map(|(position, truth)| {
            let (truth, share) = ((*truth)?, weight(position));
            (share > 0.0).then_some(Row {
                position,
                truth,
                share,
            })
        })
        .collect();
    let largest = rows.iter().map(|row| row.share).fold(0.0, f64::max);
    for row in &mut rows {
        row.share /= largest;
    }
    Ok(rows)
}

/// Checks that there is one prediction per row.
pub(super) fn same_length(what: &'static str, found: usize, expected: usize) -> Result<(), Error> {
    if found == expected {
        Ok(())
    } else {
        Err(Error::Lengths {
            what,
            found,
            expected,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_without_truth_or_weight_do_not_count() {
        let truth = [Some('a'), None, Some('b'), Some('c')];
        let rows = counted(&truth, Some(&[3.0, 5.0, 0.0, 1.0])).unwrap();
        let seen: Vec<_> = rows
            .iter()
            .map(|row| (row.position, row.truth, row.share))
            .collect();
        assert_eq!(seen, [(0, 'a', 0.75), (3, 'c', 0.25)]);
        assert!(counted(&truth, Some(&[0.0; 4])).unwrap().is_empty());
        assert!(counted::<u32>(&[], None).unwrap().is_empty());
    }

    #[test]
    fn weights_are_checked() {
        for bad in [-1.0, f64::NAN, f64::INFINITY] {
            let error = counted(&[Some(1), Some(2)], Some(&[1.0, bad])).unwrap_err();
            assert!(matches!(error, Error::Weight { row: 1, .. }));
        }
        assert_eq!(
            counted(&[Some(1)], Some(&[])).unwrap_err().to_string(),
            "0 weights for 1 rows"
        );
    }

    #[test]
    fn extreme_weights_keep_their_shares() {
        for weight in [f64::MAX, f64::MIN_POSITIVE] {
            let rows = counted(&[Some(1), Some(2)], Some(&[weight, weight])).unwrap();
            assert_eq!((rows[0].share, rows[1].share), (0.5, 0.5));
        }
    }
}
