//! The transformation probabilities of the paper, as printed: what the rest computes in logarithms.
//!
//! Reference: Cleary and Trigg, K*: an instance-based learner using an entropic distance measure,
//! ICML 1995.

/// The largest probability of staying a symbol: beyond it an unseen symbol, or a blend of 0, would
/// leave minus infinity.
pub const LARGEST_STOP: f64 = 0.995;

/// The probability that a random walk over whole numbers, stopping with probability `stop` before
/// each step, ends so far away.
///
/// `s / sqrt(2s - s^2) * ((1 - sqrt(2s - s^2)) / (1 - s))^i`; over all whole numbers of both signs
/// it sums to one.
///
/// ```
/// use kinwood_instances::kstar::probability::integer;
/// assert!((integer(0, 0.5) - 0.577350).abs() < 1e-6);
/// assert!((integer(3, 0.5) - 0.011107).abs() < 1e-6);
/// ```
pub fn integer(steps: u32, stop: f64) -> f64 {
    let root = (2.0 * stop - stop * stop).sqrt();
    // At a stop of 1 nothing moves; the quotient would be 0 / 0.
    let away = if stop < 1.0 {
        (1.0 - root) / (1.0 - stop)
    } else {
        0.0
    };
    stop / root * away.powf(f64::from(steps))
}

/// The density of the transformation to a number so far away: `exp(-d / x0) / (2 x0)`, the limit of
/// [`integer`] for many small steps.
pub fn real(distance: f64, scale: f64) -> f64 {
    (-distance / scale).exp() / (2.0 * scale)
}

/// The probability of a symbol of that frequency being what comes of a symbol: of itself, or of
/// another one.
///
/// `s + (1-s) p` for staying, `(1-s) p` for a change.
pub fn symbol(same: bool, stop: f64, frequency: f64) -> f64 {
    let change = (1.0 - stop) * frequency;
    if same { stop + change } else { change }
}

/// The probability of staying a symbol at a blend: `1 - b`, at most [`LARGEST_STOP`].
pub fn stop(blend: f64) -> f64 {
    (1.0 - blend).min(LARGEST_STOP)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_whole_numbers_sum_to_one() {
        for (steps, expected) in [(0, 0.577350), (1, 0.154701), (3, 0.011107)] {
            assert!((integer(steps, 0.5) - expected).abs() < 5e-7, "{steps}");
        }
        for stop in [0.01, 0.3, 0.5, 0.9, 1.0] {
            let sides: f64 = (1..5000).map(|steps| 2.0 * integer(steps, stop)).sum();
            assert!((integer(0, stop) + sides - 1.0).abs() < 1e-12, "{stop}");
        }
    }

    #[test]
    fn numbers_are_the_limit_of_whole_numbers_and_integrate_to_one() {
        // x / x0 = i sqrt(2s), a step of the walk being 1 here: the density at i steps.
        let stop = 1e-8f64;
        let scale = 1.0 / (2.0 * stop).sqrt();
        for steps in [0, 1000, 20_000] {
            let (walk, density) = (integer(steps, stop), real(f64::from(steps), scale));
            assert!((walk / density - 1.0).abs() < 1e-3, "{steps}");
        }
        let step = 1e-3;
        let whole: f64 = (0..60_000)
            .map(|i| 2.0 * step * real((f64::from(i) + 0.5) * step, 2.0))
            .sum();
        assert!((whole - 1.0).abs() < 1e-7, "{whole}");
    }

    #[test]
    fn symbols_sum_to_one() {
        let frequencies = [0.5, 0.3, 0.2];
        for blend in [0.0, 0.2, 1.0] {
            let stop = stop(blend);
            let whole: f64 = frequencies
                .iter()
                .enumerate()
                .map(|(symbol_of, &p)| symbol(symbol_of == 1, stop, p))
                .sum();
            assert!((whole - 1.0).abs() < 1e-12);
        }
        assert!((symbol(true, 0.8, 0.3) - 0.86).abs() < 1e-12);
        assert!((symbol(false, 0.8, 0.5) - 0.1).abs() < 1e-12);
    }
}
