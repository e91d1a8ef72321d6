//! Whether methods differ by more than chance: tests on scores, and what they say of many learners
//! at once.
//!
//! *Two methods on the folds of one data set.* [`corrected_t_test`] knows that folds and repeats
//! share rows; [`paired_t_test`] and [`wilcoxon_signed_rank`] take pairs to be independent and find
//! differences too easily there (C. Nadeau, Y. Bengio, Inference for the generalization error,
//! Machine Learning 52(3), 2003). [`mcnemar`] looks at rows instead of folds.
//!
//! *Two methods over data sets.* [`wilcoxon_signed_rank`], and [`bayesian_signed_rank`], which says
//! how likely each is the better one and how likely they are as good as equal.
//!
//! *Many methods over data sets* (J. Demsar, Statistical comparisons of classifiers over multiple
//! data sets, JMLR 7, 2006). [`friedman`] says whether any differ, [`nemenyi`] and [`holm`] which;
//! [`win_tie_loss`] counts.

mod bayesian;
mod corrected_t;
mod friedman;
mod holm;
mod mcnemar;
mod nemenyi;
#[cfg(test)]
mod scipy;
mod studentized_range;
mod t_test;
mod tails;
mod wilcoxon;
mod win_tie_loss;

pub use bayesian::{BayesianSignedRank, SAMPLES, bayesian_signed_rank};
pub use corrected_t::{CorrectedT, corrected_t_test, test_to_train};
pub use friedman::{Friedman, friedman, ranks};
pub use holm::{RankComparison, against_control, all_pairs, holm};
pub use mcnemar::{EXACT_DISCORDANT, McNemar, mcnemar};
pub use nemenyi::{Nemenyi, nemenyi};
pub use studentized_range::StudentizedRange;
pub use t_test::{TTest, paired_t_test};
pub use wilcoxon::{EXACT_UP_TO, SignedRank, wilcoxon_signed_rank};
pub use win_tie_loss::{DataSetScores, Outcomes, Verdicts, WinTieLoss, win_tie_loss};

use crate::error::Error;

/// Numbers closer than this many times the larger are equal.
///
/// Scores are mostly quotients, each rounded once: 0.9 - 0.8 and 0.8 - 0.7 differ by 1e-16
/// although both are a tenth, and without a tolerance noise of rounding would order them.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Checks that a level is between 0 and 1.
fn check_level(level: f64) -> Result<(), Error> {
    if level > 0.0 && level < 1.0 {
        Ok(())
    } else {
        Err(Error::LevelOutside { found: level })
    }
}

/// Checks that there are two learners or more.
fn check_learners(found: usize) -> Result<(), Error> {
    match found {
        0 | 1 => Err(Error::TooFewLearners { found, expected: 2 }),
        _ => Ok(()),
    }
}

/// Checks mean ranks over so many data sets, and returns the standard error of the difference of
/// two of them: `sqrt( k (k+1) / (6 n) )`.
fn error_of_rank_difference(mean_ranks: &[f64], data_sets: usize) -> Result<f64, Error> {
    let learners = mean_ranks.len();
    check_learners(learners)?;
    if data_sets == 0 {
        return Err(Error::TooFewDataSets {
            found: 0,
            expected: 1,
        });
    }
    let k = learners as f64;
    if let Some(learner) = mean_ranks.iter().position(|rank| !(1.0..=k).contains(rank)) {
        return Err(Error::MeanRank {
            learner,
            found: mean_ranks[learner],
            learners,
        });
    }
    Ok((k * (k + 1.0) / (6.0 * data_sets as f64)).sqrt())
}

/// Checks that there are as many scores on either side and all are finite.
fn check_pairs(a: &[f64], b: &[f64]) -> Result<(), Error> {
    if a.len() != b.len() {
        return Err(Error::Lengths {
            what: "second scores",
            found: b.len(),
            expected: a.len(),
        });
    }
    for (what, scores) in [("first score", a), ("second score", b)] {
        if let Some(row) = scores.iter().position(|score| !score.is_finite()) {
            return Err(Error::NotFinite {
                what,
                row,
                found: scores[row],
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    //! Samples shared by the tests of both tests.

    /// Hours of sleep gained by two drugs: Student, 1908.
    pub(super) const SLEEP: ([f64; 10], [f64; 10]) = (
        [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0],
        [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
    );

    /// Differences in height of Darwin's cross- and self-fertilised maize, in eighths of an inch.
    pub(super) const MAIZE: [f64; 15] = [
        6.0, 8.0, 14.0, 16.0, 23.0, 24.0, 28.0, 29.0, 41.0, -48.0, 49.0, 56.0, 60.0, -67.0, 75.0,
    ];

    /// Accuracies without ties.
    pub(super) const ACCURACIES: ([f64; 8], [f64; 8]) = (
        [0.91, 0.85, 0.78, 0.93, 0.66, 0.81, 0.74, 0.88],
        [0.87, 0.86, 0.71, 0.95, 0.55, 0.78, 0.69, 0.79],
    );

    /// As many pairs as wanted up to 60, whose differences are all of different size.
    pub(super) fn untied(pairs: u32) -> (Vec<f64>, Vec<f64>) {
        (0..pairs)
            .map(|k| {
                (
                    f64::from(k * 29 % 61) + f64::from(k) / 1024.0,
                    f64::from((k * 17 + 5) % 59),
                )
            })
            .unzip()
    }

    /// 120 pairs, many of equal difference, one without.
    pub(super) fn tied() -> (Vec<f64>, Vec<f64>) {
        (0..120_u32)
            .map(|k| {
                let first = f64::from((k * k * 7 + 3 * k) % 127) / 4.0;
                (first, f64::from((k * k * 5 + 11 * k) % 113) / 4.0)
            })
            .unzip()
    }
}
