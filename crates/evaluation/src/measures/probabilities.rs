//! Probabilities of classes, checked before anything is computed from them.

use super::rows::{Row, relative, same_length};
use crate::error::Error;

/// The rows that count, by their weight over the largest, checked: classes are known, and what is
/// given for them are probabilities.
pub(super) fn checked(
    truth: &[Option<u32>],
    probabilities: &[f64],
    classes: usize,
    weights: Option<&[f64]>,
) -> Result<Vec<Row<u32>>, Error> {
    let expected = truth.len().saturating_mul(classes);
    same_length("probabilities", probabilities.len(), expected)?;
    let rows = relative(truth, weights)?;
    for row in &rows {
        let (position, code) = (row.position, row.truth);
        if code as usize >= classes {
            return Err(Error::UnknownClass {
                row: position,
                code,
                classes,
            });
        }
        let own = &probabilities[position * classes..(position + 1) * classes];
        // Averages of distributions may exceed 1 by rounding.
        let wrong = own.iter().position(|p| !(0.0..=1.0 + 1e-9).contains(p));
        if let Some(class) = wrong {
            return Err(Error::Probability {
                row: position,
                code: class as u32,
                found: own[class],
            });
        }
    }
    Ok(rows)
}
