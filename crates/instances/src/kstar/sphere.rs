//! The sphere of influence: how many stored values a scale takes in, and the scale that takes in as
//! many as asked.
//!
//! A scale `x0` is kept as its inverse, the rate at which log-probability falls with distance. What
//! is here goes over all distances for each trial of a rate: for distances that have no order of
//! their own (sets, trees, graphs), and as the oracle of what is faster.

/// The next distance weighs `e^-32` at the largest rate: a blend of 0 is the nearest value alone to
/// every digit shown.
pub const STEEPEST: f64 = 32.0;

/// Distances that differ by less than this share of the spread are the same: rounding must not
/// decide what is nearest.
pub const SAME: f64 = 1e-9;

/// Spreads below this are none: their rates would leave the range of numbers.
pub const SMALLEST: f64 = 1e-280;

/// How many instances are asked for: `n0 + b (N - n0)`.
pub fn aim(nearest: f64, total: f64, blend: f64) -> f64 {
    nearest + blend * (total - nearest)
}

/// The effective number of instances, `(sum P)^2 / sum P^2`, at a rate; masses count how often a
/// distance stands.
pub fn effective(distances: &[f64], masses: &[f64], rate: f64) -> f64 {
    // The smallest distance is taken off: the quotient stays the same, and nothing underflows at
    // once.
    let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
    let (mut sum, mut squares) = (0.0, 0.0);
    for (&distance, &mass) in distances.iter().zip(masses) {
        let probability = (-rate * (distance - least)).exp();
        sum += mass * probability;
        squares += mass * probability * probability;
    }
    sum * sum / squares
}

/// The largest rate of which it is certain that it takes in as many as asked of distances within a
/// spread.
///
/// With `P` between `e^(-r R)` and 1, the effective number is at least
/// `N / cosh^2(r R / 2) >= N (1 - (r R)^2 / 4)`.
pub fn gentle(nearest: f64, total: f64, blend: f64, spread: f64) -> f64 {
    2.0 * ((1.0 - blend) * (total - nearest) / total).max(0.0).sqrt() / spread
}

/// The rate at which sorted distances have the effective number that the blend asks for; 0 if they
/// are all alike.
pub fn rate(distances: &[f64], masses: &[f64], blend: f64) -> f64 {
    let (Some(&least), Some(&most)) = (distances.first(), distances.last()) else {
        return 0.0;
    };
    let spread = most - least;
    let total: f64 = masses.iter().sum();
    let beyond = distances.partition_point(|distance| distance - least <= SAME * spread);
    if !(spread > SMALLEST && spread.is_finite() && total > 0.0) || beyond == distances.len() {
        return 0.0;
    }
    let nearest: f64 = masses[..beyond].iter().sum();
    let aim = aim(nearest, total, blend);
    let lowest = gentle(nearest, total, blend, spread);
    let steepest = STEEPEST / (distances[beyond] - least);
    if lowest <= 1e-6 / spread {
        return 0.0;
    }
    if effective(distances, masses, steepest) >= aim {
        return steepest;
    }
    let excess =
        |logarithm: f64| effective(distances, masses, logarithm.exp()).ln() - aim.max(1e-300).ln();
    root(lowest.ln(), steepest.ln(), excess).exp()
}

/// Where a falling function is zero: false position that halves the weight of an end which stays
/// (Illinois).
pub fn root(mut low: f64, mut high: f64, function: impl Fn(f64) -> f64) -> f64 {
    let (mut at_low, mut at_high) = (function(low), function(high));
    if at_low <= 0.0 {
        return low;
    }
    if at_high >= 0.0 {
        return high;
    }
    let (mut last, mut moved) = (f64::INFINITY, None);
    for _ in 0..80 {
        let between = (low * at_high - high * at_low) / (at_high - at_low);
        let between = if between > low && between < high {
            between
        } else {
            0.5 * (low + high)
        };
        let here = function(between);
        if here == 0.0 || (between - last).abs() <= 1e-13 * between.abs().max(1.0) {
            return between;
        }
        last = between;
        // The end that stays a second time loses weight.
        let upwards = here > 0.0;
        if upwards {
            (low, at_low) = (between, here);
            at_high *= if moved == Some(true) { 0.5 } else { 1.0 };
        } else {
            (high, at_high) = (between, here);
            at_low *= if moved == Some(false) { 0.5 } else { 1.0 };
        }
        moved = Some(upwards);
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_effective_number_lies_between_the_nearest_and_all() {
        let distances = [0.0, 0.0, 1.0, 3.0];
        let masses = [1.0; 4];
        assert!((effective(&distances, &masses, 0.0) - 4.0).abs() < 1e-12);
        assert!((effective(&distances, &masses, 1e3) - 2.0).abs() < 1e-12);
        // By hand at x0 = 1: (2 + 1/e + 1/e^3)^2 / (2 + 1/e^2 + 1/e^6).
        let e = std::f64::consts::E;
        let expected = (2.0 + 1.0 / e + e.powi(-3)).powi(2) / (2.0 + e.powi(-2) + e.powi(-6));
        assert!((effective(&distances, &masses, 1.0) - expected).abs() < 1e-12);
    }

    #[test]
    fn the_rate_takes_in_as_many_as_asked() {
        let distances: Vec<f64> = (0..50).map(|i| f64::from(i * i) * 0.01).collect();
        let masses: Vec<f64> = (0..50).map(|i| f64::from(1 + i % 3)).collect();
        let total: f64 = masses.iter().sum();
        for blend in [0.001, 0.2, 0.5, 0.9, 0.999] {
            let rate = rate(&distances, &masses, blend);
            let found = effective(&distances, &masses, rate);
            assert!(
                (found - aim(1.0, total, blend)).abs() < 1e-8,
                "{blend}: {found}"
            );
        }
        assert_eq!(rate(&distances, &masses, 1.0), 0.0);
        assert_eq!(rate(&distances, &masses, 0.0), STEEPEST / 0.01);
        assert_eq!(rate(&[2.0; 3], &[1.0; 3], 0.2), 0.0);
        assert_eq!(rate(&[], &[], 0.2), 0.0);
    }
}
