//! Outliers: things whose neighbours are far.
//!
//! Reference: Ramaswamy, Rastogi and Shim, *Efficient algorithms for mining outliers from large
//! data sets*, 2000.

use rayon::prelude::*;

use crate::neighbours::index::Index;
use crate::neighbours::nearest;
use crate::pairs::Pairs;

/// For each thing the mean distance of its `k` nearest others; 0 where there are none.
pub fn scores(
    pairs: &dyn Pairs<f64>,
    k: usize,
    advance: &(dyn Fn(u64) -> bool + Sync),
) -> Option<Vec<f64>> {
    let count = pairs.shape().0;
    let index = Index::build(pairs);
    (0..count)
        .into_par_iter()
        .map(|thing| {
            let row = pairs.prepare(thing);
            // One more, for a thing is its own neighbour.
            let wanted = k.saturating_add(1).min(count);
            let found = match &index {
                Some(index) => index.nearest(&*row, wanted),
                None => nearest(&*row, count, wanted),
            };
            let others = found.iter().filter(|of| of.reference != thing).take(k);
            let distances: Vec<f64> = others.map(|of| of.distance).collect();
            let mean = distances.iter().sum::<f64>() / distances.len().max(1) as f64;
            advance(count as u64).then_some(mean)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::medoids::tests::matrix;

    #[test]
    fn what_is_far_from_all_scores_most() {
        let matrix = matrix(&[0.0, 1.0, 2.0, 50.0]);
        let found = scores(&matrix, 2, &|_| true).unwrap();
        assert_eq!(found, [1.5, 1.0, 1.5, 48.5]);
        assert_eq!(scores(&matrix, 2, &|_| false), None);
    }
}
