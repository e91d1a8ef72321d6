//! Which candidate is best: by its rank for each target.

use crate::measures::Measure;

use super::Tried;

/// Ranks the candidates that have not failed and gives the best; none where all have.
///
/// A candidate's rank for a target is one more than the number of better ones, and half a rank more
/// for each that is as good; without a defined score it is worse than all that have one.
pub(super) fn ranked(tried: &mut [Tried], measures: &[Measure]) -> Option<usize> {
    let standing: Vec<usize> = (0..tried.len())
        .filter(|&candidate| tried[candidate].failed.is_none())
        .collect();
    let rank = |own: usize, target: usize| {
        let score = |candidate: usize| tried[candidate].scores[target].mean;
        let better = |a: Option<f64>, b: Option<f64>| match (a, b) {
            (Some(a), Some(b)) => measures[target].better(a, b),
            (a, b) => a.is_some() && b.is_none(),
        };
        let mut rank = 1.0;
        for &other in standing.iter().filter(|&&other| other != own) {
            if better(score(other), score(own)) {
                rank += 1.0;
            } else if !better(score(own), score(other)) {
                rank += 0.5;
            }
        }
        rank
    };
    let mean = |own: usize| {
        let ranks = (0..measures.len()).map(|target| rank(own, target));
        ranks.sum::<f64>() / measures.len().max(1) as f64
    };
    let means: Vec<f64> = standing.iter().map(|&candidate| mean(candidate)).collect();
    let mut best: Option<(usize, f64)> = None;
    for (&candidate, &mean) in standing.iter().zip(&means) {
        tried[candidate].rank = Some(mean);
        if best.is_none_or(|(_, least)| mean < least) {
            best = Some((candidate, mean));
        }
    }
    best.map(|(candidate, _)| candidate)
}

#[cfg(test)]
mod tests {
    use crate::summary::FoldSummary;

    use super::*;
    use crate::measures::{ACCURACY, RMSE};

    fn tried(scores: &[Option<f64>], failed: bool) -> Tried {
        Tried {
            settings: Vec::new(),
            scores: scores
                .iter()
                .map(|score| FoldSummary::of(&[*score]))
                .collect(),
            rank: None,
            failed: failed.then(|| "too few rows".to_owned()),
        }
    }

    #[test]
    fn the_first_of_equals_is_best_and_failures_and_the_undefined_lose() {
        let mut one = [
            tried(&[None], false),
            tried(&[Some(0.9)], true),
            tried(&[Some(0.7)], false),
            tried(&[Some(0.7)], false),
        ];
        assert_eq!(ranked(&mut one, &[ACCURACY]), Some(2));
        let ranks: Vec<_> = one.iter().map(|tried| tried.rank).collect();
        assert_eq!(ranks, [Some(3.0), None, Some(1.5), Some(1.5)]);
        assert_eq!(ranked(&mut one[1..2], &[ACCURACY]), None);
    }

    #[test]
    fn several_targets_count_alike_whatever_their_units() {
        let measures = [ACCURACY, RMSE];
        let mut all = [
            tried(&[Some(0.9), Some(100.0)], false),
            tried(&[Some(0.8), Some(1.0)], false),
            tried(&[Some(0.7), Some(90.0)], false),
        ];
        assert_eq!(ranked(&mut all, &measures), Some(1));
        assert_eq!(all[0].rank, Some(2.0));
        assert_eq!(all[1].rank, Some(1.5));
    }
}
