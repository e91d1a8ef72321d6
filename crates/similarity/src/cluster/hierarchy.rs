//! Agglomerative hierarchies by single, complete or average linkage.
//!
//! Nearest-neighbour chains: each merge is between clusters that are each other's nearest, so the
//! whole costs a square and not a cube. For these linkages the result is that of always merging the
//! closest pair (Murtagh 1983; Müllner 2011).

use crate::matrix::Condensed;

/// How far two clusters are apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Linkage {
    /// As their nearest members.
    Single,
    /// As their furthest members.
    Complete,
    /// As their members on average.
    Average,
}

impl Linkage {
    /// The names, in the order they are explained.
    pub const NAMES: &'static [&'static str] = &["average", "complete", "single"];

    /// The linkage of that name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "single" => Some(Linkage::Single),
            "complete" => Some(Linkage::Complete),
            "average" => Some(Linkage::Average),
            _ => None,
        }
    }
}

/// Two clusters become one. Things are clusters 0 to n - 1; the i-th merge makes cluster n + i.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Merge {
    /// The clusters, the lower number first.
    pub parts: [usize; 2],
    /// How far apart they are.
    pub height: f64,
    /// How many things the new cluster has.
    pub size: usize,
}

/// The hierarchy of all things, lowest merge first.
pub fn agglomerate(matrix: &Condensed, linkage: Linkage) -> Vec<Merge> {
    let count = matrix.len();
    // Distances between current clusters, by the number of one of their things.
    let mut distances = vec![0.0; matrix.distances().len()];
    distances.copy_from_slice(matrix.distances());
    let place = |a: usize, b: usize| {
        let (first, second) = if a < b { (a, b) } else { (b, a) };
        first * count - first * (first + 1) / 2 + second - first - 1
    };
    let mut sizes = vec![1usize; count];
    let mut active: Vec<usize> = (0..count).collect();
    let mut chain: Vec<usize> = Vec::new();
    let mut merges: Vec<(usize, usize, f64)> = Vec::with_capacity(count.saturating_sub(1));
    while active.len() > 1 {
        if chain.is_empty() {
            chain.push(active[0]);
        }
        loop {
            let top = chain[chain.len() - 1];
            let before = chain.len().checked_sub(2).map(|place| chain[place]);
            // The one before wins ties, or the chain would never end; then the lowest number.
            let mut best = before.map(|other| (distances[place(top, other)], other));
            for &other in active.iter().filter(|&&other| other != top) {
                let distance = distances[place(top, other)];
                if best.is_none_or(|(least, _)| distance < least) {
                    best = Some((distance, other));
                }
            }
            let Some((distance, nearest)) = best else {
                break;
            };
            if Some(nearest) != before {
                chain.push(nearest);
                continue;
            }
            chain.truncate(chain.len() - 2);
            let (kept, gone) = (top.min(nearest), top.max(nearest));
            merges.push((kept, gone, distance));
            active.retain(|&cluster| cluster != gone);
            let (a, b) = (sizes[kept] as f64, sizes[gone] as f64);
            for &other in active.iter().filter(|&&other| other != kept) {
                let (to_kept, to_gone) =
                    (distances[place(kept, other)], distances[place(gone, other)]);
                distances[place(kept, other)] = match linkage {
                    Linkage::Single => to_kept.min(to_gone),
                    Linkage::Complete => to_kept.max(to_gone),
                    Linkage::Average => (a * to_kept + b * to_gone) / (a + b),
                };
            }
            sizes[kept] += sizes[gone];
            break;
        }
    }
    ordered(count, merges)
}

/// Merges found in any order, as merges by height with numbered clusters.
fn ordered(count: usize, mut merges: Vec<(usize, usize, f64)>) -> Vec<Merge> {
    // Stable: of equal heights those found first come first, which lie below those found later.
    merges.sort_by(|a, b| a.2.total_cmp(&b.2));
    let mut parents: Vec<usize> = (0..2 * count).collect();
    let mut sizes = vec![1usize; 2 * count];
    fn root(parents: &mut [usize], mut cluster: usize) -> usize {
        while parents[cluster] != cluster {
            parents[cluster] = parents[parents[cluster]];
            cluster = parents[cluster];
        }
        cluster
    }
    let mut result = Vec::with_capacity(merges.len());
    for (i, (a, b, height)) in merges.into_iter().enumerate() {
        let (a, b) = (root(&mut parents, a), root(&mut parents, b));
        let new = count + i;
        parents[a] = new;
        parents[b] = new;
        sizes[new] = sizes[a] + sizes[b];
        result.push(Merge {
            parts: [a.min(b), a.max(b)],
            height,
            size: sizes[new],
        });
    }
    result
}

/// The cluster of each thing when the hierarchy is cut into this many, numbered by their first
/// thing.
pub fn cut(count: usize, merges: &[Merge], clusters: usize) -> Vec<usize> {
    let kept = count.saturating_sub(clusters.max(1)).min(merges.len());
    let mut parents: Vec<usize> = (0..count + kept).collect();
    for (i, merge) in merges[..kept].iter().enumerate() {
        for part in merge.parts {
            parents[part] = count + i;
        }
    }
    // Parents have higher numbers than their parts.
    for cluster in (0..parents.len()).rev() {
        parents[cluster] = parents[parents[cluster]];
    }
    let mut numbers: Vec<Option<usize>> = vec![None; parents.len()];
    let mut next = 0;
    (0..count)
        .map(|thing| {
            *numbers[parents[thing]].get_or_insert_with(|| {
                next += 1;
                next - 1
            })
        })
        .collect()
}

/// Things in the order in which no two branches of the hierarchy cross.
pub fn leaf_order(count: usize, merges: &[Merge]) -> Vec<usize> {
    let mut order = Vec::with_capacity(count);
    let mut waiting: Vec<usize> = match merges.len() {
        0 => (0..count).rev().collect(),
        merged => vec![count + merged - 1],
    };
    while let Some(cluster) = waiting.pop() {
        if cluster < count {
            order.push(cluster);
        } else {
            let [first, second] = merges[cluster - count].parts;
            waiting.push(second);
            waiting.push(first);
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::medoids::tests::matrix;

    /// Always merges the closest pair of clusters, by the members themselves.
    fn heights_by_definition(matrix: &Condensed, linkage: Linkage) -> Vec<f64> {
        let mut clusters: Vec<Vec<usize>> = (0..matrix.len()).map(|thing| vec![thing]).collect();
        let mut heights = Vec::new();
        while clusters.len() > 1 {
            let mut best = (f64::INFINITY, 0, 0);
            for i in 0..clusters.len() {
                for j in i + 1..clusters.len() {
                    let all: Vec<f64> = clusters[i]
                        .iter()
                        .flat_map(|&a| clusters[j].iter().map(move |&b| (a, b)))
                        .map(|(a, b)| matrix.get(a, b))
                        .collect();
                    let distance = match linkage {
                        Linkage::Single => all.iter().copied().fold(f64::INFINITY, f64::min),
                        Linkage::Complete => all.iter().copied().fold(0.0, f64::max),
                        Linkage::Average => all.iter().sum::<f64>() / all.len() as f64,
                    };
                    if distance < best.0 {
                        best = (distance, i, j);
                    }
                }
            }
            heights.push(best.0);
            let gone = clusters.remove(best.2);
            clusters[best.1].extend(gone);
        }
        heights
    }

    #[test]
    fn chains_merge_as_the_definition_does() {
        let numbers: Vec<f64> = (0..23u32)
            .map(|i| f64::from(i.wrapping_mul(2_654_435_761) >> 20) / 7.0)
            .collect();
        let matrix = matrix(&numbers);
        for linkage in [Linkage::Single, Linkage::Complete, Linkage::Average] {
            let merges = agglomerate(&matrix, linkage);
            let expected = heights_by_definition(&matrix, linkage);
            for (merge, expected) in merges.iter().zip(&expected) {
                assert!((merge.height - expected).abs() < 1e-9, "{linkage:?}");
            }
            assert_eq!(merges.last().unwrap().size, 23);
            let mut order = leaf_order(23, &merges);
            order.sort_unstable();
            assert_eq!(order, (0..23).collect::<Vec<_>>());
        }
    }

    #[test]
    fn cutting_gives_so_many_clusters() {
        let matrix = matrix(&[0.0, 10.0, 0.5, 10.2, 30.0]);
        let merges = agglomerate(&matrix, Linkage::Average);
        assert_eq!(cut(5, &merges, 3), [0, 1, 0, 1, 2]);
        assert_eq!(cut(5, &merges, 1), [0; 5]);
        assert_eq!(cut(5, &merges, 9), [0, 1, 2, 3, 4]);
        assert_eq!(cut(1, &[], 1), [0]);
    }
}
