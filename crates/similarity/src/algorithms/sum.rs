//! Sums that do not depend on the order of their parts, but for the last bit in rare cases.
//!
//! An optimum reached from the left set or from the right one adds the same costs in another order;
//! a measure that claims symmetry should not lose it to rounding.

/// A sum that carries its rounding errors along.
///
/// Reference: A. Neumaier, *Rundungsfehleranalyse einiger Verfahren zur Summation endlicher
/// Summen*, ZAMM 54, 39-51, 1974.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sum {
    plain: f64,
    lost: f64,
}

impl Sum {
    pub(crate) fn add(&mut self, part: f64) {
        let sum = self.plain + part;
        self.lost += if self.plain.abs() >= part.abs() {
            (self.plain - sum) + part
        } else {
            (part - sum) + self.plain
        };
        self.plain = sum;
    }

    /// The sum; infinite where it exceeds every number.
    pub(crate) fn value(&self) -> f64 {
        if self.lost.is_finite() {
            self.plain + self.lost
        } else {
            self.plain
        }
    }
}

impl Extend<f64> for Sum {
    fn extend<I: IntoIterator<Item = f64>>(&mut self, parts: I) {
        parts.into_iter().for_each(|part| self.add(part));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(parts: &[f64]) -> f64 {
        let mut sum = Sum::default();
        sum.extend(parts.iter().copied());
        sum.value()
    }

    #[test]
    fn what_rounding_loses_comes_back() {
        assert_eq!(sum(&[1.0, 1e100, 1.0, -1e100]), 2.0);
        assert_eq!(sum(&[0.1; 10]), 1.0);
        assert_eq!(sum(&[]), 0.0);
    }

    #[test]
    fn too_large_a_sum_is_infinite() {
        assert_eq!(sum(&[f64::MAX, f64::MAX, 1.0]), f64::INFINITY);
    }
}
