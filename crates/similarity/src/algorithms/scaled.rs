//! Numbers beyond the range of `f64`: kernels that count substructures grow exponentially with
//! their arguments.
//!
//! Only kernels meet such numbers, and what is asked of them in the end is mostly a ratio that is
//! small again.

/// `mantissa * 2^exponent`, of either sign.
///
/// The exponent is a multiple of 512 and the size of the mantissa lies between `2^-256` and `2^256`
/// unless zero: products and sums neither overflow nor vanish, scaling rounds nothing, and equal
/// numbers look the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scaled {
    mantissa: f64,
    exponent: i64,
}

/// The step by which the exponent moves.
const STEP: i64 = 512;

/// `2^(STEP / 2)`, the end of the mantissa's range.
const ROOT: f64 = f64::from_bits((1023 + STEP as u64 / 2) << 52);

/// `2^exponent`, zero or infinite beyond the range.
fn power_of_two(exponent: i64) -> f64 {
    let exponent = exponent.clamp(-2200, 2200) as i32;
    2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2)
}

impl Scaled {
    /// Zero.
    pub const ZERO: Self = Self {
        mantissa: 0.0,
        exponent: 0,
    };

    /// `mantissa * 2^exponent`.
    pub fn new(mantissa: f64, exponent: i64) -> Self {
        let beyond = exponent.rem_euclid(STEP);
        let aligned = Self::balanced(mantissa, exponent - beyond);
        Self::balanced(aligned.mantissa * power_of_two(beyond), aligned.exponent)
    }

    /// Brings the mantissa into its range.
    #[inline]
    fn balanced(mut mantissa: f64, mut exponent: i64) -> Self {
        while mantissa.abs() >= ROOT && mantissa.is_finite() {
            mantissa /= ROOT * ROOT;
            exponent += STEP;
        }
        while mantissa.abs() < 1.0 / ROOT && mantissa != 0.0 {
            mantissa *= ROOT * ROOT;
            exponent -= STEP;
        }
        match mantissa == 0.0 {
            true => Self::ZERO,
            false => Self { mantissa, exponent },
        }
    }

    /// The sum of two numbers.
    pub fn plus(self, other: Self) -> Self {
        let (high, low) = match self.exponent >= other.exponent {
            true => (self, other),
            false => (other, self),
        };
        if high.mantissa == 0.0 {
            return low;
        }
        let low = match high.exponent - low.exponent {
            0 => low.mantissa,
            STEP => low.mantissa / (ROOT * ROOT),
            // Less than half of the last bit, whatever the mantissas.
            _ => return high,
        };
        Self::balanced(high.mantissa + low, high.exponent)
    }

    /// The product of two numbers.
    pub fn times(self, other: Self) -> Self {
        Self::balanced(
            self.mantissa * other.mantissa,
            self.exponent.saturating_add(other.exponent),
        )
    }

    /// The number raised to a whole power.
    pub fn power(self, power: u64) -> Self {
        let (mut result, mut square, mut rest) = (Self::from(1.0), self, power);
        while rest > 0 {
            if rest & 1 == 1 {
                result = result.times(square);
            }
            square = square.times(square);
            rest >>= 1;
        }
        result
    }

    /// The number itself, infinite if it is too large and zero if it is too small.
    pub fn value(self) -> f64 {
        let half = self.exponent / 2;
        self.mantissa * power_of_two(half) * power_of_two(self.exponent - half)
    }

    /// Whether it is above zero, even where its value is too small to be.
    pub fn is_positive(self) -> bool {
        self.mantissa > 0.0
    }

    /// The natural logarithm.
    pub fn ln(self) -> f64 {
        self.mantissa.ln() + self.exponent as f64 * std::f64::consts::LN_2
    }

    /// `xy / sqrt(xx * yy)`: a kernel's value, given those of its arguments with themselves; zero
    /// unless both are above zero.
    pub fn normalised(xy: Self, xx: Self, yy: Self) -> f64 {
        if xy.mantissa == 0.0 || xx.mantissa <= 0.0 || yy.mantissa <= 0.0 {
            return 0.0;
        }
        let root = (xx.mantissa * yy.mantissa).sqrt();
        Self::new(
            xy.mantissa / root,
            xy.exponent - (xx.exponent + yy.exponent) / 2,
        )
        .value()
    }
}

/// What a sum of products is computed in: plain numbers first, scaled ones where those do not
/// suffice.
pub(super) trait Number: Copy {
    fn of(value: f64) -> Self;
    fn plus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
}

impl Number for f64 {
    #[inline(always)]
    fn of(value: f64) -> Self {
        value
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self + other
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        self * other
    }
}

impl Number for Scaled {
    fn of(value: f64) -> Self {
        Self::from(value)
    }

    fn plus(self, other: Self) -> Self {
        Scaled::plus(self, other)
    }

    fn times(self, other: Self) -> Self {
        Scaled::times(self, other)
    }
}

impl From<f64> for Scaled {
    fn from(value: f64) -> Self {
        Self::new(value, 0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn beyond_the_range() {
        let large = Scaled::from(1e300);
        let huge = large.times(large).times(large);
        assert_eq!(huge.value(), f64::INFINITY);
        assert!((huge.ln() - 900.0 * std::f64::consts::LN_10).abs() < 1e-9);
        assert_eq!(Scaled::normalised(huge, huge, huge), 1.0);
        assert_eq!(huge.plus(Scaled::from(1.0)), huge);
        let tiny = Scaled::from(1e-300).times(Scaled::from(1e-300));
        assert_eq!(tiny.value(), 0.0);
        assert_eq!(Scaled::normalised(tiny, tiny, tiny), 1.0);
        assert_eq!(Scaled::normalised(Scaled::ZERO, tiny, tiny), 0.0);
        let negative = Scaled::from(-1e300).times(large);
        assert_eq!(negative.plus(large.times(large)), Scaled::ZERO);
        assert_eq!(
            Scaled::normalised(negative, large.times(large), large.times(large)),
            -1.0
        );
        assert_eq!(Scaled::normalised(tiny, negative, tiny), 0.0);
        assert_eq!(Scaled::ZERO.plus(tiny), tiny);
        assert_eq!(
            Scaled::from(f64::MIN_POSITIVE / 4.0).value(),
            f64::MIN_POSITIVE / 4.0
        );
        assert_eq!(Scaled::from(f64::MAX).value(), f64::MAX);
        assert_eq!(Scaled::from(0.5).power(5000), Scaled::new(1.0, -5000));
        assert_eq!(Scaled::from(3.0).power(0).value(), 1.0);
    }

    kinwood_testing::soak! { 256;
        fn soak_agrees_with_f64(a in 0.0..1e100f64, b in 1e-100..1.0f64, shift in -40i64..40) {
            let (x, y) = (Scaled::new(a, shift), Scaled::from(b));
            let a = a * 2f64.powi(shift as i32);
            prop_assert_eq!(x.value(), a);
            prop_assert_eq!(x.plus(y).value(), a + b);
            prop_assert_eq!(x.times(y).value(), a * b);
        }
    }
}
