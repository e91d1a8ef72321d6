//! k-medoids: each cluster stands around one of its own things.
//!
//! Start and swaps of PAM (Kaufman and Rousseeuw 1990), with the gains of all swaps of a candidate
//! found in one pass (Schubert and Rousseeuw 2021). No chance is involved: ties go to the lower
//! index.

use crate::matrix::Condensed;

/// Clusters around medoids.
#[derive(Clone, Debug, PartialEq)]
pub struct Medoids {
    /// The thing at the middle of each cluster, in ascending order.
    pub medoids: Vec<usize>,
    /// The cluster of each thing, as a position in `medoids`.
    pub clusters: Vec<usize>,
    /// The sum of the distances of all things from their medoids.
    pub total: f64,
}

/// At most `k` clusters with a locally least sum of distances: no swap of a medoid with another
/// thing improves it.
pub fn medoids(matrix: &Condensed, k: usize) -> Medoids {
    let count = matrix.len();
    let k = k.min(count);
    let mut chosen = start(matrix, k);
    // What is gained must be more than rounding, or swaps could go in circles.
    let scale: f64 = (0..count)
        .map(|thing| nearest_two(matrix, &chosen, thing).0.1)
        .sum();
    while let Some((medoid, candidate)) = best_swap(matrix, &chosen, 1e-12 * scale) {
        chosen[medoid] = candidate;
    }
    chosen.sort_unstable();
    let nearest: Vec<(usize, f64)> = (0..count)
        .map(|thing| nearest_two(matrix, &chosen, thing).0)
        .collect();
    Medoids {
        clusters: nearest.iter().map(|&(cluster, _)| cluster).collect(),
        total: nearest.iter().map(|&(_, distance)| distance).sum(),
        medoids: chosen,
    }
}

/// Picks the medoids one by one, each where it helps most.
fn start(matrix: &Condensed, k: usize) -> Vec<usize> {
    let count = matrix.len();
    let mut chosen = Vec::with_capacity(k);
    let mut nearest = vec![f64::INFINITY; count];
    while chosen.len() < k {
        let mut best: Option<(f64, usize)> = None;
        for candidate in (0..count).filter(|candidate| !chosen.contains(candidate)) {
            let total: f64 = (0..count)
                .map(|thing| nearest[thing].min(matrix.get(thing, candidate)))
                .sum();
            if best.is_none_or(|(least, _)| total < least) {
                best = Some((total, candidate));
            }
        }
        let Some((_, candidate)) = best else { break };
        for (thing, nearest) in nearest.iter_mut().enumerate() {
            *nearest = nearest.min(matrix.get(thing, candidate));
        }
        chosen.push(candidate);
    }
    chosen
}

/// The nearest medoid of a thing, with its distance, and the distance of the second nearest.
fn nearest_two(matrix: &Condensed, medoids: &[usize], thing: usize) -> ((usize, f64), f64) {
    let (mut first, mut second) = ((0, f64::INFINITY), f64::INFINITY);
    for (position, &medoid) in medoids.iter().enumerate() {
        let distance = matrix.get(thing, medoid);
        if distance < first.1 {
            second = first.1;
            first = (position, distance);
        } else {
            second = second.min(distance);
        }
    }
    (first, second)
}

/// The swap that gains most, if one gains more than that.
fn best_swap(matrix: &Condensed, medoids: &[usize], least: f64) -> Option<(usize, usize)> {
    let count = matrix.len();
    let known: Vec<((usize, f64), f64)> = (0..count)
        .map(|thing| nearest_two(matrix, medoids, thing))
        .collect();
    // What it costs to lose a medoid, everything else as it is.
    let mut loss = vec![0.0; medoids.len()];
    for &((position, nearest), second) in &known {
        loss[position] += second - nearest;
    }
    let mut best = (least, None);
    let mut change = vec![0.0; medoids.len()];
    for candidate in (0..count).filter(|candidate| !medoids.contains(candidate)) {
        change.copy_from_slice(&loss);
        let mut shared = 0.0;
        for (thing, &((position, nearest), second)) in known.iter().enumerate() {
            let distance = matrix.get(thing, candidate);
            if distance < nearest {
                shared += distance - nearest;
                change[position] += nearest - second;
            } else if distance < second {
                change[position] += distance - second;
            }
        }
        for (position, change) in change.iter().enumerate() {
            // With one medoid its loss is without bound, and so is the gain that makes up for it.
            let gain = if medoids.len() == 1 {
                let own: f64 = known.iter().map(|of| of.0.1).sum();
                let new: f64 = (0..count).map(|thing| matrix.get(thing, candidate)).sum();
                own - new
            } else {
                -(change + shared)
            };
            if gain > best.0 {
                best = (gain, Some((position, candidate)));
            }
        }
    }
    best.1
}

#[cfg(test)]
pub(super) mod tests {
    use kinwood_values::{Column, Type};

    use super::*;
    use crate::Registry;

    pub(crate) fn matrix(numbers: &[f64]) -> Condensed {
        let column = Column::numeric(numbers.to_vec());
        let distance = Registry::builtin()
            .distance(&"absolute".parse().unwrap(), &Type::Numeric, None, "x")
            .unwrap();
        let pairs = distance.bind_real(&column, &column, "a test").unwrap();
        Condensed::of(&*pairs, &|_| true).unwrap()
    }

    /// The least sum over all choices of k.
    fn optimum(matrix: &Condensed, k: usize) -> f64 {
        let count = matrix.len();
        (0u32..1 << count)
            .filter(|set| set.count_ones() as usize == k)
            .map(|set| {
                (0..count)
                    .map(|thing| {
                        (0..count)
                            .filter(|medoid| set >> medoid & 1 == 1)
                            .map(|medoid| matrix.get(thing, medoid))
                            .fold(f64::INFINITY, f64::min)
                    })
                    .sum()
            })
            .fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn finds_the_best_choice_of_small_sets() {
        for seed in 0..30u32 {
            let numbers: Vec<f64> = (0..9)
                .map(|i| f64::from((i * 31 + seed * 17) * 2_654_435 % 101))
                .collect();
            let matrix = matrix(&numbers);
            for k in 1..4 {
                let found = medoids(&matrix, k);
                // A local optimum of swaps on a line; never more than a little above the best.
                assert!(found.total <= optimum(&matrix, k) * 1.2 + 1e-9);
                let again: f64 = (0..9)
                    .map(|thing| matrix.get(thing, found.medoids[found.clusters[thing]]))
                    .sum();
                assert!((again - found.total).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn plain_groups_are_found() {
        let found = medoids(&matrix(&[0.0, 10.0, 1.0, 11.0, 2.0, 12.0]), 2);
        assert_eq!(found.medoids, [2, 3]);
        assert_eq!(found.clusters, [0, 1, 0, 1, 0, 1]);
        assert_eq!(found.total, 4.0);
    }

    #[test]
    fn more_clusters_than_things_are_things() {
        assert_eq!(medoids(&matrix(&[1.0, 2.0]), 5).medoids, [0, 1]);
        assert_eq!(medoids(&matrix(&[]), 3).medoids, [0usize; 0]);
    }
}
