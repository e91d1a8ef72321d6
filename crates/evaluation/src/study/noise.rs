//! How far a figure moves with the choice of splits, the rows being what they are.
//!
//! Whoever computes a published figure again has the paper's rows and other splits of them. So what
//! chance explains is how much the figure moves when the same rows are divided anew, and not how
//! much it would move on other rows, which is what the deviation of single folds is about.

use crate::summary::FoldSummary;

/// Repeats of folds that are enough to see how much their means vary.
const ENOUGH: usize = 5;

/// How much the mean over the folds of one division varies beside that of as many independent
/// scores. Every row is tested once however rows are divided, so only those that other training
/// rows predict otherwise move it. Measured by `python benches/fold_noise.py`, 50 divisions into
/// ten folds: the root of the mean square of 72 factors, of six learners on 14 data sets, is 0.59;
/// their quartiles are 0.42, 0.53 and 0.69. Neighbours and machines are at 0.4 to 0.5, trees at
/// 0.7.
const DIVIDED_ANEW: f64 = 0.6;

/// Deviations above so many of the middle half's are made by a few scores, and say nothing of the
/// others.
const FEW: f64 = 3.0;

/// The quartiles of a normal distribution are this many deviations apart.
const QUARTILES: f64 = 1.349;

/// The standard error of a mean over random splits, which are drawn independently.
pub fn of_splits(scores: &[f64]) -> Option<f64> {
    Some(deviation(scores)? / (scores.len() as f64).sqrt())
}

/// The standard error of a mean over folds, given the scores of each repeat: by the means of the
/// repeats where there are enough, else by a share of what independent scores would have.
pub fn of_folds(repeats: &[Vec<f64>]) -> Option<f64> {
    if repeats.len() >= ENOUGH {
        let means: Vec<f64> = repeats
            .iter()
            .filter(|scores| !scores.is_empty())
            .map(|scores| scores.iter().sum::<f64>() / scores.len() as f64)
            .collect();
        return of_splits(&means);
    }
    let all: Vec<f64> = repeats.iter().flatten().copied().collect();
    Some(DIVIDED_ANEW * of_splits(&all)?)
}

/// The same of a figure that is no mean, given the deviation of the jackknife's pseudo-values.
pub fn of_pooled(sd: f64, scores: usize, folds: bool) -> f64 {
    let share = if folds { DIVIDED_ANEW } else { 1.0 };
    share * sd / (scores.max(1) as f64).sqrt()
}

/// The standard deviation, or that of the middle half where a few scores make it.
fn deviation(scores: &[f64]) -> Option<f64> {
    let all: Vec<Option<f64>> = scores.iter().copied().map(Some).collect();
    let sd = FoldSummary::of(&all).sd?;
    let mut sorted = scores.to_vec();
    sorted.sort_by(f64::total_cmp);
    let quartile = |share: f64| {
        let place = share * (sorted.len() - 1) as f64;
        let (low, high) = (
            sorted[place.floor() as usize],
            sorted[place.ceil() as usize],
        );
        low + (high - low) * place.fract()
    };
    let middle = (quartile(0.75) - quartile(0.25)) / QUARTILES;
    Some(match middle > 0.0 && sd > FEW * middle {
        true => middle,
        false => sd,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_score_makes_no_noise_for_the_others() {
        let mut scores = vec![1.2, 1.3, 1.1, 1.4, 1.25, 1.35, 1.2, 1.3, 1.15];
        let plain = deviation(&scores).unwrap();
        assert!((plain - 0.0968).abs() < 1e-3, "{plain}");
        scores.push(120.0);
        let robust = deviation(&scores).unwrap();
        assert!(robust < 2.0 * plain, "{robust}");
    }

    #[test]
    fn folds_vary_less_than_independent_scores() {
        let scores = vec![0.7, 0.8, 0.9, 0.6, 0.8];
        let independent = of_splits(&scores).unwrap();
        let one = of_folds(std::slice::from_ref(&scores)).unwrap();
        assert!((one - DIVIDED_ANEW * independent).abs() < 1e-12);
        // Repeats that agree leave nothing to chance.
        let repeats = vec![scores; 10];
        assert_eq!(of_folds(&repeats), Some(0.0));
        assert_eq!(of_folds(&[vec![1.0]]), None);
        assert_eq!(of_pooled(2.0, 4, true), DIVIDED_ANEW);
        assert_eq!(of_pooled(2.0, 4, false), 1.0);
    }
}
