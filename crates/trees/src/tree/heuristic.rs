//! By what the best of several tests is chosen.

/// By what the best of the candidates of a node is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heuristic {
    /// By how much the spread falls.
    Gain,
    /// By the fall of the spread relative to the information in the division itself, among
    /// candidates of at least average gain (Quinlan 1993).
    GainRatio,
}

/// What a candidate comes to, as far as choosing needs it.
pub struct Worth<'c> {
    /// By how much the spread falls.
    pub gain: f64,
    /// The share of the weight in each branch.
    pub shares: &'c [f64],
}

impl Heuristic {
    /// The best candidate that gains more than `least`, and its gain; of gains that differ by no
    /// more than `slack` the first. `weight` is that of the region.
    pub fn best<'c>(
        self,
        candidates: impl Iterator<Item = Worth<'c>> + Clone,
        least: f64,
        slack: f64,
        weight: f64,
    ) -> Option<(usize, f64)> {
        let gaining = |gain: f64| gain > least;
        let mut best: Option<(usize, f64)> = None;
        match self {
            Heuristic::Gain => {
                for (place, Worth { gain, .. }) in candidates.enumerate() {
                    if gaining(gain) && best.is_none_or(|(_, most)| gain > most + slack) {
                        best = Some((place, gain));
                    }
                }
            }
            Heuristic::GainRatio => {
                let positive = candidates.clone().map(|worth| worth.gain);
                let positive = positive.filter(|&gain| gaining(gain));
                let average = match least == f64::NEG_INFINITY {
                    true => f64::NEG_INFINITY,
                    false => positive.clone().sum::<f64>() / (positive.count().max(1) as f64),
                };
                let mut most = f64::NEG_INFINITY;
                for (place, Worth { gain, shares }) in candidates.enumerate() {
                    if !gaining(gain) || gain < average - least {
                        continue;
                    }
                    let ratio = gain / weight / information(shares);
                    if ratio > most + 1e-12 {
                        most = ratio;
                        best = Some((place, gain));
                    }
                }
            }
        }
        best
    }
}

/// The bits in a division of these shares.
fn information(shares: &[f64]) -> f64 {
    let bits: f64 = shares
        .iter()
        .filter(|share| **share > 0.0)
        .map(|share| -share * share.log2())
        .sum();
    bits.max(f64::MIN_POSITIVE)
}
