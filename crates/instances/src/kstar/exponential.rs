//! The exponential of many numbers that are not positive, in a form that compilers turn into vector
//! instructions.
//!
//! There is one exponential for every pair of a query and a stored row, and a call for each costs
//! as much as twenty attributes.

/// Below this the exponential is so small that it is taken as nothing: the least normal number is
/// `e^-708.4`.
const NOTHING: f64 = -708.0;
/// 1.5 times 2^52: added to a number below 2^51 it leaves the nearest whole number in the last
/// bits.
const ROUNDING: f64 = 6_755_399_441_055_744.0;
/// The logarithm of 2 in two parts, the first with zeros at its end.
const LN_2_HIGH: f64 = f64::from_bits(0x3FE6_2E42_FEE0_0000);
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// Replaces each number, none of them positive, by its exponential; relative error at most 1e-15.
///
/// `x = n ln 2 + r` with `|r| <= ln 2 / 2`; `e^r` by its series to the thirteenth power, `2^n` by
/// the bits of the exponent.
pub fn exponentials(numbers: &mut [f64]) {
    for number in numbers {
        let x = if *number > NOTHING { *number } else { NOTHING };
        let shifted = x * std::f64::consts::LOG2_E + ROUNDING;
        let whole = shifted - ROUNDING;
        let rest = (x - whole * LN_2_HIGH) - whole * LN_2_LOW;
        let mut series = 1.0 / 6_227_020_800.0;
        for share in SERIES {
            series = series * rest + share;
        }
        let bits = shifted.to_bits().wrapping_add(1023) << 52;
        let value = series * f64::from_bits(bits);
        *number = if *number > NOTHING { value } else { 0.0 };
    }
}

/// `1 / n!` from the twelfth down.
const SERIES: [f64; 13] = [
    1.0 / 479_001_600.0,
    1.0 / 39_916_800.0,
    1.0 / 3_628_800.0,
    1.0 / 362_880.0,
    1.0 / 40_320.0,
    1.0 / 5_040.0,
    1.0 / 720.0,
    1.0 / 120.0,
    1.0 / 24.0,
    1.0 / 6.0,
    0.5,
    1.0,
    1.0,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_librarys_exponential_agrees() {
        let mut numbers: Vec<f64> = (0..200_000).map(|i| -f64::from(i) * 0.003_539).collect();
        numbers.extend([-0.0, -1e-300, -1e-9, -0.346_573, -0.346_574, -707.99]);
        let expected: Vec<f64> = numbers.iter().map(|x| x.exp()).collect();
        let asked = numbers.clone();
        exponentials(&mut numbers);
        for ((found, expected), x) in numbers.iter().zip(&expected).zip(&asked) {
            assert!(
                (found / expected - 1.0).abs() < 1e-15,
                "{x}: {found} is not {expected}"
            );
        }
        let mut ends = [0.0, -709.0, -1e300, f64::NEG_INFINITY, f64::NAN];
        exponentials(&mut ends);
        assert_eq!(ends, [1.0, 0.0, 0.0, 0.0, 0.0]);
    }
}
