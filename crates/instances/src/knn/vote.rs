//! How neighbours vote: all alike, or the nearer the more.

use kinwood_similarity::{Measured, Neighbour};
use serde::{Deserialize, Serialize};

use crate::ballot::Voter;
use kinwood_learning::examples::Examples;

/// How much a neighbour's vote counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Written", rename_all = "snake_case")]
pub enum NeighbourWeights {
    /// The same for all.
    Uniform,
    /// The inverse of its distance; with a neighbour at no distance, those at none alone.
    Inverse,
    /// The tricube kernel `(1 - u^3)^3` (Cleveland 1979) of `u`, its distance over that of the
    /// nearest row that has no vote.
    Kernel,
}

/// Weights in files: by name, and in older ones whether they are inverse.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Inverse(bool),
    Named(Named),
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Named {
    Uniform,
    Inverse,
    Kernel,
}

impl From<Written> for NeighbourWeights {
    fn from(written: Written) -> Self {
        match written {
            Written::Inverse(false) | Written::Named(Named::Uniform) => NeighbourWeights::Uniform,
            Written::Inverse(true) | Written::Named(Named::Inverse) => NeighbourWeights::Inverse,
            Written::Named(Named::Kernel) => NeighbourWeights::Kernel,
        }
    }
}

impl NeighbourWeights {
    /// The names, in the order they are explained.
    pub const NAMES: &'static [&'static str] = &["uniform", "inverse", "kernel"];

    /// The weights of that name.
    pub fn named(name: &str) -> Self {
        match name {
            "inverse" => NeighbourWeights::Inverse,
            "kernel" => NeighbourWeights::Kernel,
            _ => NeighbourWeights::Uniform,
        }
    }

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            NeighbourWeights::Uniform => "uniform",
            NeighbourWeights::Inverse => "inverse",
            NeighbourWeights::Kernel => "kernel",
        }
    }
}

/// How neighbours become a prediction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vote {
    /// How many vote.
    pub k: usize,
    /// How much each counts.
    #[serde(alias = "inverse")]
    pub weights: NeighbourWeights,
}

impl Vote {
    /// How many neighbours have to be found.
    pub fn reach(self) -> usize {
        self.k
            .saturating_add(usize::from(self.weights == NeighbourWeights::Kernel))
    }

    /// The voters among the neighbours found, nearest first, at least [`Vote::reach`] of them where
    /// there are as many.
    pub fn voters(self, examples: &Examples, found: &[Neighbour<Measured>]) -> Vec<Voter> {
        let (voting, beyond) = found.split_at(self.k.min(found.len()));
        let nearness = self.nearness(voting, beyond.first());
        let voter = |(neighbour, nearness): (&Neighbour<Measured>, f64)| Voter {
            row: neighbour.reference,
            weight: nearness * examples.weight(neighbour.reference),
            distance: neighbour.distance,
            role: None,
        };
        voting.iter().zip(nearness).map(voter).collect()
    }

    fn nearness(
        self,
        voting: &[Neighbour<Measured>],
        beyond: Option<&Neighbour<Measured>>,
    ) -> Vec<f64> {
        let first = voting.first().map_or(0.0, |first| number(first.distance));
        let width = beyond.map_or(f64::INFINITY, |beyond| number(beyond.distance));
        let of = |neighbour: &Neighbour<Measured>| {
            let distance = number(neighbour.distance);
            match self.weights {
                NeighbourWeights::Uniform => 1.0,
                NeighbourWeights::Inverse if first == 0.0 => f64::from(u8::from(distance == 0.0)),
                // Beside the nearest, so that no inverse is too large for a number.
                NeighbourWeights::Inverse => first / distance,
                NeighbourWeights::Kernel if distance == 0.0 => 1.0,
                NeighbourWeights::Kernel => {
                    let share = (distance / width).min(1.0);
                    (1.0 - share.powi(3)).powi(3)
                }
            }
        };
        let mut nearness: Vec<f64> = voting.iter().map(of).collect();
        for weight in &mut nearness {
            if !weight.is_finite() {
                *weight = 0.0;
            }
        }
        // All as far as the next, or infinitely far: nothing tells them apart.
        if nearness.iter().all(|&weight| weight == 0.0) {
            nearness.fill(1.0);
        }
        nearness
    }
}

/// The distance as a number; pairs have an order only, and are refused where more is needed.
fn number(distance: Measured) -> f64 {
    match distance {
        Measured::Number(number) => number,
        Measured::Pair(_) => f64::NAN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nearness(weights: NeighbourWeights, k: usize, distances: &[f64]) -> Vec<f64> {
        let found: Vec<Neighbour<Measured>> = distances
            .iter()
            .enumerate()
            .map(|(reference, &distance)| Neighbour {
                reference,
                distance: Measured::Number(distance),
            })
            .collect();
        let (voting, beyond) = found.split_at(k.min(found.len()));
        Vote { k, weights }.nearness(voting, beyond.first())
    }

    #[test]
    fn weights_by_hand() {
        let distances = [1.0, 2.0, 4.0];
        assert_eq!(
            nearness(NeighbourWeights::Uniform, 2, &distances),
            [1.0, 1.0]
        );
        assert_eq!(
            nearness(NeighbourWeights::Inverse, 3, &distances),
            [1.0, 0.5, 0.25]
        );
        // (1 - (1/4)^3)^3 and (1 - (1/2)^3)^3.
        let kernel = nearness(NeighbourWeights::Kernel, 2, &distances);
        assert!((kernel[0] - (63.0f64 / 64.0).powi(3)).abs() < 1e-15);
        assert!((kernel[1] - (7.0f64 / 8.0).powi(3)).abs() < 1e-15);
    }

    #[test]
    fn where_nothing_tells_neighbours_apart_they_count_the_same() {
        // Nobody beyond, all as far as the next, all at no distance, all infinitely far.
        assert_eq!(
            nearness(NeighbourWeights::Kernel, 3, &[1.0, 2.0]),
            [1.0, 1.0]
        );
        assert_eq!(nearness(NeighbourWeights::Kernel, 2, &[3.0; 3]), [1.0, 1.0]);
        assert_eq!(nearness(NeighbourWeights::Kernel, 2, &[0.0; 3]), [1.0, 1.0]);
        for weights in [NeighbourWeights::Kernel, NeighbourWeights::Inverse] {
            let far = [f64::INFINITY; 3];
            assert_eq!(nearness(weights, 2, &far), [1.0, 1.0]);
        }
    }

    #[test]
    fn rows_at_no_distance_alone_are_heard() {
        assert_eq!(
            nearness(NeighbourWeights::Inverse, 3, &[0.0, 0.0, 1.0]),
            [1.0, 1.0, 0.0]
        );
        assert_eq!(
            nearness(NeighbourWeights::Kernel, 3, &[0.0, 2.0, 2.0, 2.0]),
            [1.0, 0.0, 0.0]
        );
    }

    #[test]
    fn the_smallest_distance_has_a_weight() {
        let found = nearness(NeighbourWeights::Inverse, 2, &[5e-324, 1.0]);
        assert_eq!(found[0], 1.0);
    }

    #[test]
    fn weights_of_older_files_are_read() {
        let read = |text: &str| serde_json::from_str::<Vote>(text).unwrap().weights;
        assert_eq!(
            read(r#"{"k": 1, "inverse": true}"#),
            NeighbourWeights::Inverse
        );
        assert_eq!(
            read(r#"{"k": 1, "inverse": false}"#),
            NeighbourWeights::Uniform
        );
        for weights in [
            NeighbourWeights::Uniform,
            NeighbourWeights::Inverse,
            NeighbourWeights::Kernel,
        ] {
            let text = serde_json::to_string(&Vote { k: 2, weights }).unwrap();
            assert_eq!(read(&text), weights, "{text}");
        }
    }
}
