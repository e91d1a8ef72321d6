//! Kernels bound to queries and references, by index: the twin of [`crate::Pairs`]. A kernel is not
//! a distance.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use crate::matrix::{Advance, Refused};
use crate::pairs::Row;

/// What a kernel guarantees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KernelLaws {
    /// Every matrix of it is an inner product in some space.
    pub positive_semidefinite: bool,
    /// Both directions are the same.
    pub symmetric: bool,
}

impl KernelLaws {
    /// An inner product.
    pub const INNER_PRODUCT: KernelLaws = KernelLaws {
        positive_semidefinite: true,
        symmetric: true,
    };
    /// None.
    pub const NONE: KernelLaws = KernelLaws {
        positive_semidefinite: false,
        symmetric: false,
    };

    /// What holds of a sum or product of kernels with these laws.
    pub fn and(self, other: KernelLaws) -> KernelLaws {
        KernelLaws {
            positive_semidefinite: self.positive_semidefinite && other.positive_semidefinite,
            symmetric: self.symmetric && other.symmetric,
        }
    }
}

/// A kernel bound to queries and references.
pub trait Gram: Send + Sync {
    /// How many queries and references there are.
    fn shape(&self) -> (usize, usize);
    /// Makes a query ready for many references.
    fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_>;
}

/// Fills the matrix of a kernel, row after row, in parallel. Of each row `part` says which
/// references are wanted, `None` for all; the rest is left as it is.
pub fn fill_rows(
    gram: &dyn Gram,
    part: Option<&(dyn Fn(usize) -> Range<usize> + Sync)>,
    out: &mut [f64],
    advance: Advance<'_>,
) -> Result<(), Refused> {
    let width = gram.shape().1;
    if width == 0 {
        return Ok(());
    }
    let row = |(query, out): (usize, &mut [f64])| {
        let wanted = part.map_or(0..width, |part| part(query));
        gram.prepare(query)
            .fill(wanted.clone(), &mut out[wanted.clone()]);
        match advance(wanted.len() as u64) {
            true => Ok(()),
            false => Err(Refused::Stopped),
        }
    };
    out.par_chunks_mut(width).enumerate().try_for_each(row)
}

/// A kernel of directions, `k(x,y) / sqrt(k(x,x) k(y,y))`, given the kernel and each value's inner
/// product with itself; 0 with the origin.
pub(crate) struct NormalisedGram {
    pub(crate) gram: Arc<dyn Gram>,
    pub(crate) queries: Vec<f64>,
    pub(crate) references: Vec<f64>,
}

impl Gram for NormalisedGram {
    fn shape(&self) -> (usize, usize) {
        self.gram.shape()
    }

    fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_> {
        Box::new(NormalisedRow {
            row: self.gram.prepare(query),
            own: self.queries[query],
            references: &self.references,
        })
    }
}

struct NormalisedRow<'a> {
    row: Box<dyn Row<f64> + 'a>,
    own: f64,
    references: &'a [f64],
}

impl Row<f64> for NormalisedRow<'_> {
    fn fill(&self, references: Range<usize>, out: &mut [f64]) {
        self.row.fill(references.clone(), out);
        for (out, &other) in out.iter_mut().zip(&self.references[references]) {
            *out = match self.own > 0.0 && other > 0.0 {
                true => *out / mean(self.own, other),
                false => 0.0,
            };
        }
    }
}

/// The geometric mean of positive numbers: of a number and itself exactly that number.
fn mean(a: f64, b: f64) -> f64 {
    let square = a * b;
    // Where the square leaves the range, and with it the precision, the roots do not.
    match square.is_finite() && square >= f64::MIN_POSITIVE {
        true => square.sqrt(),
        false if a == b => a,
        false => a.sqrt() * b.sqrt(),
    }
}

/// The distance in the space of a kernel from inner products: of either value with itself, and of
/// both.
#[inline]
pub(crate) fn induced(own: f64, other: f64, both: f64) -> f64 {
    let square = own + other - 2.0 * both;
    // What rounding leaves of equal values is no distance.
    let noise = 4.0 * f64::EPSILON * (own.abs() + other.abs());
    if square > noise { square.sqrt() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::mean;

    #[test]
    fn means_keep_what_is_equal() {
        for number in [2.0, 1e-200, 1e200, 0.1, 5e-324, f64::MAX, 1.0 / 3.0] {
            assert_eq!(mean(number, number), number);
        }
        assert_eq!(mean(2.0, 8.0), 4.0);
        assert!((mean(1e200, 4e200) / 2e200 - 1.0).abs() < 1e-15);
    }
}
