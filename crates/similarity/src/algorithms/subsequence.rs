//! The gap-weighted subsequence kernel.
//!
//! A subsequence weighs `lambda^span` in each sequence, the span counting gaps; the kernel
//! multiplies the two weights and sums over all pairs of places that spell the same. `ending(i, j)`
//! is the sum over pairs that end in exactly these places; its discounted sum over all earlier
//! places is what the next pair extends, and is kept a row at a time.
//!
//! Reference: H. Lodhi, C. Saunders, J. Shawe-Taylor, N. Cristianini and C. Watkins, Text
//! classification using string kernels, JMLR 2, 2002. All lengths at once need no dimension for the
//! length.

use super::scaled::{Number, Scaled};

/// Rows taken together: their chains of sums overlap.
const TOGETHER: usize = 4;

fn same(a: &[u32], b: &[u32]) -> impl Fn(usize, usize) -> f64 {
    move |i, j| f64::from(u8::from(a[i] == b[j]))
}

/// The kernel over subsequences of all lengths but zero.
///
/// ```
/// # use kinwood_similarity::algorithms::subsequence::all_lengths;
/// assert_eq!(all_lengths(&[1, 1, 3], &[1, 3], 0.5).value(), 27.0 / 32.0);
/// ```
///
/// Laws: positive semi-definite. Cost: `|a| * |b|`, memory linear.
pub fn all_lengths(a: &[u32], b: &[u32], lambda: f64) -> Scaled {
    all_lengths_with(a.len(), b.len(), lambda, same(a, b))
}

/// The kernel over all lengths with an item kernel: a pair of subsequences counts with the product
/// of `weight(i, j)` over its places.
///
/// The sum is taken in plain numbers, and again in scaled ones if it exceeds their range.
pub fn all_lengths_with(
    rows: usize,
    columns: usize,
    lambda: f64,
    weight: impl Fn(usize, usize) -> f64,
) -> Scaled {
    let total = sum_all_lengths::<f64>(rows, columns, lambda, &weight);
    match total.is_finite() {
        true => Scaled::from(total),
        false => sum_all_lengths::<Scaled>(rows, columns, lambda, &weight),
    }
}

fn sum_all_lengths<N: Number>(
    rows: usize,
    columns: usize,
    lambda: f64,
    weight: &impl Fn(usize, usize) -> f64,
) -> N {
    let mut before = vec![N::of(0.0); columns];
    let mut total = N::of(0.0);
    let mut done = 0;
    while done + TOGETHER <= rows {
        total = total.plus(extend::<N, TOGETHER>(&mut before, done, lambda, weight));
        done += TOGETHER;
    }
    while done < rows {
        total = total.plus(extend::<N, 1>(&mut before, done, lambda, weight));
        done += 1;
    }
    total
}

/// Takes rows into the discounted sums over all pairs of places up to the last row and each column;
/// returns what ends in these rows.
fn extend<N: Number, const R: usize>(
    before: &mut [N],
    done: usize,
    lambda: f64,
    weight: &impl Fn(usize, usize) -> f64,
) -> N {
    let zero = N::of(0.0);
    let (one, square, lambda) = (N::of(1.0), lambda * lambda, N::of(lambda));
    let (mut along, mut left, mut totals) = ([zero; R], [zero; R], [zero; R]);
    let mut corner = zero;
    for (j, before) in before.iter_mut().enumerate() {
        let mut above = *before;
        let mut extended = std::mem::replace(&mut corner, above);
        for r in 0..R {
            let place = N::of(weight(done + r, j) * square);
            let ending = place.times(one.plus(extended));
            totals[r] = totals[r].plus(ending);
            along[r] = lambda.times(along[r]).plus(ending);
            above = lambda.times(above).plus(along[r]);
            extended = std::mem::replace(&mut left[r], above);
        }
        *before = above;
    }
    totals.into_iter().fold(zero, N::plus)
}

/// The kernel over subsequences of one length; zero if that is zero or exceeds either sequence.
///
/// Laws: positive semi-definite. Cost: `length * |a| * |b|`, memory `length * |b|`.
pub fn one_length(a: &[u32], b: &[u32], lambda: f64, length: usize) -> Scaled {
    one_length_with(a.len(), b.len(), lambda, length, same(a, b))
}

/// The kernel over one length with an item kernel.
pub fn one_length_with(
    rows: usize,
    columns: usize,
    lambda: f64,
    length: usize,
    weight: impl Fn(usize, usize) -> f64,
) -> Scaled {
    if length == 0 || length > rows.min(columns) {
        return Scaled::ZERO;
    }
    let total = sum_one_length::<f64>(rows, columns, lambda, length, &weight);
    let total = match total.is_finite() {
        true => Scaled::from(total),
        false => sum_one_length::<Scaled>(rows, columns, lambda, length, &weight),
    };
    Scaled::from(lambda).power(2 * length as u64).times(total)
}

/// The kernel without the square of lambda that each place brings: that factor alone may vanish.
fn sum_one_length<N: Number>(
    rows: usize,
    columns: usize,
    lambda: f64,
    length: usize,
    weight: &impl Fn(usize, usize) -> f64,
) -> N {
    let (zero, lambda) = (N::of(0.0), N::of(lambda));
    // The discounted sums over pairs of one place, of two, and so on.
    let mut before = vec![vec![zero; columns]; length - 1];
    let mut ending = vec![zero; columns];
    let mut total = zero;
    for i in 0..rows {
        // The longest first: each extends what the shorter ones were a row ago.
        for places in (1..=length).rev() {
            let (shorter, own) = before.split_at_mut(places - 1);
            match shorter.last() {
                None => (ending.iter_mut().enumerate()).for_each(|(j, e)| *e = N::of(weight(i, j))),
                Some(shorter) => {
                    let extended = std::iter::once(&zero).chain(shorter);
                    for ((j, ending), &extended) in ending.iter_mut().enumerate().zip(extended) {
                        *ending = N::of(weight(i, j)).times(extended);
                    }
                }
            }
            if places == length {
                total = ending
                    .iter()
                    .fold(total, |total, &ending| total.plus(ending));
            }
            let mut along = zero;
            for (before, &ending) in own.first_mut().into_iter().flatten().zip(&ending) {
                along = lambda.times(along).plus(ending);
                *before = lambda.times(*before).plus(along);
            }
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// All pairs of places that spell the same, straight from the definition: by length.
    fn naive(a: &[u32], b: &[u32], lambda: f64) -> Vec<f64> {
        let features = |text: &[u32]| -> Vec<(Vec<u32>, i32)> {
            let chosen = |mask: u32| (0..text.len()).filter(move |place| mask >> place & 1 == 1);
            let feature = |mask: u32| {
                let symbols = chosen(mask).map(|place| text[place]).collect();
                let span = 32 - mask.leading_zeros() - mask.trailing_zeros();
                (symbols, span as i32)
            };
            (1..1u32 << text.len()).map(feature).collect()
        };
        let mut sums = vec![0.0; a.len() + 1];
        let others = features(b);
        for (symbols, span) in features(a) {
            for (other, other_span) in &others {
                if symbols == *other {
                    sums[symbols.len()] += lambda.powi(span + other_span);
                }
            }
        }
        sums
    }

    #[test]
    fn golden_values() {
        let (aac, ac) = ([1, 1, 3], [1, 3]);
        let kernel = |x: &[u32], y: &[u32]| all_lengths(x, y, 0.5).value();
        assert_eq!(kernel(&aac, &aac), 47.0 / 32.0);
        assert_eq!(kernel(&ac, &ac), 9.0 / 16.0);
        assert_eq!(kernel(&aac, &ac), 27.0 / 32.0);
        let induced = (kernel(&aac, &aac) + kernel(&ac, &ac) - 2.0 * kernel(&aac, &ac)).sqrt();
        assert_eq!(induced, (11.0f64 / 32.0).sqrt());
        // The example of Lodhi et al.: k2(cat, car) = lambda^4.
        assert_eq!(
            one_length(&[3, 1, 20], &[3, 1, 18], 0.5, 2).value(),
            1.0 / 16.0
        );
    }

    #[test]
    fn edges() {
        assert_eq!(all_lengths(&[], &[], 0.5).value(), 0.0);
        assert_eq!(all_lengths(&[1], &[], 0.5).value(), 0.0);
        assert_eq!(one_length(&[1, 2], &[1, 2], 0.5, 0), Scaled::ZERO);
        assert_eq!(one_length(&[1, 2], &[1, 2], 0.5, 3), Scaled::ZERO);
        assert_eq!(one_length(&[1, 2], &[1, 2], 0.5, usize::MAX), Scaled::ZERO);
    }

    #[test]
    fn beyond_the_range_of_f64() {
        // The places chosen in two runs of n equal symbols, no weight lost: C(2n, n) - 1 in all.
        let run = [1u32; 600];
        let all = all_lengths(&run, &run, 1.0);
        assert_eq!(all.value(), f64::INFINITY);
        let binomial: f64 = (1..=600)
            .map(|k| (f64::from(600 + k) / f64::from(k)).ln())
            .sum();
        assert!((all.ln() - binomial).abs() < 1e-9 * binomial);
        // Two such runs in opposite order share either one, not both: what starts late must not be
        // lost.
        let ordered = [[1u32; 600], [2; 600]].concat();
        let swapped = [[2u32; 600], [1; 600]].concat();
        let both = all_lengths(&ordered, &swapped, 1.0);
        assert!((both.ln() - binomial - std::f64::consts::LN_2).abs() < 1e-9 * binomial);
        // One subsequence of length 150, which weighs 2^-1200.
        let distinct: Vec<u32> = (0..150).collect();
        let one = one_length(&distinct, &distinct, 1.0 / 16.0, 150);
        assert_eq!(one, Scaled::new(1.0, -1200));
        assert_eq!(Scaled::normalised(one, one, one), 1.0);
        // C(200, 130) choices in either, each place weighing 2^8.
        let chosen = one_length_with(200, 200, 1.0, 130, |_, _| 256.0);
        let choices: f64 = (1..=130)
            .map(|k| (f64::from(70 + k) / f64::from(k)).ln())
            .sum();
        let expected = 2.0 * choices + 130.0 * 256f64.ln();
        assert!((chosen.ln() - expected).abs() < 1e-9 * expected);
    }

    kinwood_testing::soak! { 256;
        fn soak_agrees_with_enumeration(a in vec(0..3u32, 0..8), b in vec(0..3u32, 0..8), lambda in 0.1..1.0f64) {
            let sums = naive(&a, &b, lambda);
            let all: f64 = sums.iter().sum();
            prop_assert!((all_lengths(&a, &b, lambda).value() - all).abs() <= 1e-12 * (1.0 + all));
            for (length, &sum) in sums.iter().enumerate() {
                let found = one_length(&a, &b, lambda, length).value();
                prop_assert!((found - sum).abs() <= 1e-12 * (1.0 + sum));
            }
        }

        fn soak_both_kinds_of_numbers_agree(a in vec(0..3u32, 0..20), b in vec(0..3u32, 0..20)) {
            let weight = |i: usize, j: usize| 1.0 / f64::from(1 + a[i].abs_diff(b[j]));
            let (rows, columns) = (a.len(), b.len());
            let plain = sum_all_lengths::<f64>(rows, columns, 0.5, &weight);
            prop_assert_eq!(sum_all_lengths::<Scaled>(rows, columns, 0.5, &weight).value(), plain);
            let plain = sum_one_length::<f64>(rows, columns, 0.5, 3, &weight);
            prop_assert_eq!(sum_one_length::<Scaled>(rows, columns, 0.5, 3, &weight).value(), plain);
            // Lengths add up to all lengths, with an item kernel too.
            let of_length = |length| one_length_with(rows, columns, 0.5, length, weight).value();
            let all: f64 = (1..=rows.min(columns)).map(of_length).sum();
            let found = all_lengths_with(rows, columns, 0.5, weight).value();
            prop_assert!((found - all).abs() <= 1e-12 * (1.0 + all));
        }
    }
}
