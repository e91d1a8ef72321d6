//! Wins, ties and losses: on how many data sets each learner is better than each other one.

use serde::Serialize;

use super::{ROUNDING, check_learners, corrected_t_test};
use crate::error::Error;
use crate::measures::Direction;
use crate::summary::Moments;

/// The scores of learners on one data set.
#[derive(Debug, Clone, Copy)]
pub struct DataSetScores<'a> {
    /// Of each learner the scores on the same splits.
    pub scores: &'a [Vec<f64>],
    /// Test rows for each training row, see [`super::test_to_train`]; the plain difference does not
    /// look at it.
    pub test_to_train: f64,
}

/// What decides between two learners on a data set.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdicts {
    /// The mean score that is better by more than `beyond`, however the scores vary.
    Difference {
        /// Differences up to this size are ties.
        beyond: f64,
    },
    /// The corrected resampled t-test, [`corrected_t_test`], at a level.
    CorrectedT {
        /// A difference with a probability of at most this is a win.
        level: f64,
    },
}

/// How a learner did against another over data sets.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Outcomes {
    /// On how many it is better.
    pub wins: usize,
    /// On how many neither is.
    pub ties: usize,
    /// On how many it is worse.
    pub losses: usize,
}

/// What came of all learners against each other.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WinTieLoss {
    /// What decided.
    pub by: Verdicts,
    /// How many data sets there are.
    pub data_sets: usize,
    /// Of each learner against each: `against[i][j]` is how `i` did against `j`; against itself it
    /// ties everywhere.
    pub against: Vec<Vec<Outcomes>>,
    /// Of each learner against all others.
    pub total: Vec<Outcomes>,
}

/// Counts wins, ties and losses of all pairs of learners over data sets.
///
/// The plain difference compares mean scores, of which those equal up to rounding (4 machine
/// epsilons) tie; it needs one score, the test two.
///
/// ```
/// use kinwood_evaluation::measures::Direction::HigherIsBetter;
/// use kinwood_evaluation::significance::{DataSetScores, Verdicts, win_tie_loss};
/// let scores = [vec![0.9, 0.8], vec![0.7, 0.7]];
/// let data_set = DataSetScores { scores: &scores, test_to_train: 1.0 };
/// let counts = win_tie_loss(&[data_set], HigherIsBetter, Verdicts::Difference { beyond: 0.0 })?;
/// assert_eq!(counts.against[0][1].wins, 1);
/// # Ok::<(), kinwood_evaluation::Error>(())
/// ```
pub fn win_tie_loss(
    data_sets: &[DataSetScores<'_>],
    direction: Direction,
    by: Verdicts,
) -> Result<WinTieLoss, Error> {
    match by {
        Verdicts::CorrectedT { level } => super::check_level(level)?,
        Verdicts::Difference { beyond } if beyond >= 0.0 && beyond.is_finite() => {}
        Verdicts::Difference { beyond } => return Err(Error::Region { found: beyond }),
    }
    let Some(first) = data_sets.first() else {
        return Err(Error::TooFewDataSets {
            found: 0,
            expected: 1,
        });
    };
    let learners = first.scores.len();
    check_learners(learners)?;
    let mut against = vec![vec![Outcomes::default(); learners]; learners];
    for (place, data_set) in data_sets.iter().enumerate() {
        check_data_set(place, data_set, learners)?;
        for (i, j) in (0..learners).flat_map(|i| (0..i).map(move |j| (i, j))) {
            let higher = data_set.higher(i, j, by)?;
            let better = match direction {
                Direction::HigherIsBetter => higher,
                Direction::LowerIsBetter => higher.map(|first| !first),
            };
            let outcome = |better: Option<bool>| Outcomes {
                wins: usize::from(better == Some(true)),
                ties: usize::from(better.is_none()),
                losses: usize::from(better == Some(false)),
            };
            against[i][j].add(outcome(better));
            against[j][i].add(outcome(better.map(|first| !first)));
        }
    }
    for (learner, row) in against.iter_mut().enumerate() {
        row[learner].ties = data_sets.len();
    }
    let total = (0..learners).map(|i| {
        let mut total = Outcomes::default();
        for (j, outcomes) in against[i].iter().enumerate() {
            if i != j {
                total.add(*outcomes);
            }
        }
        total
    });
    Ok(WinTieLoss {
        by,
        data_sets: data_sets.len(),
        total: total.collect(),
        against,
    })
}

impl Outcomes {
    fn add(&mut self, other: Outcomes) {
        self.wins += other.wins;
        self.ties += other.ties;
        self.losses += other.losses;
    }
}

impl DataSetScores<'_> {
    /// Whether learner `i` scores higher than `j`, if either does.
    fn higher(&self, i: usize, j: usize, by: Verdicts) -> Result<Option<bool>, Error> {
        let (a, b) = (&self.scores[i], &self.scores[j]);
        match by {
            Verdicts::CorrectedT { level } => {
                let test = corrected_t_test(a, b, self.test_to_train, 1.0 - level)?;
                Ok((test.p <= level).then_some(test.mean_difference > 0.0))
            }
            Verdicts::Difference { beyond } => {
                let mean = |scores: &[f64]| Moments::of(scores).map_or(0.0, |moments| moments.mean);
                // Halved, so that numbers near the limits of f64 have a finite difference.
                let (a, b) = (mean(a) / 2.0, mean(b) / 2.0);
                let least = beyond / 2.0 + ROUNDING * a.abs().max(b.abs());
                Ok(((a - b).abs() > least).then_some(a > b))
            }
        }
    }
}

/// Checks that a data set has as many finite scores of each learner.
fn check_data_set(
    place: usize,
    data_set: &DataSetScores<'_>,
    learners: usize,
) -> Result<(), Error> {
    if data_set.scores.len() != learners {
        return Err(Error::LearnersOfDataSet {
            data_set: place,
            found: data_set.scores.len(),
            expected: learners,
        });
    }
    let splits = data_set.scores[0].len();
    if splits == 0 {
        return Err(Error::TooFewPairs {
            found: 0,
            expected: 1,
        });
    }
    for (learner, scores) in data_set.scores.iter().enumerate() {
        if scores.len() != splits {
            return Err(Error::Lengths {
                what: "scores",
                found: scores.len(),
                expected: splits,
            });
        }
        if let Some(score) = scores.iter().find(|score| !score.is_finite()) {
            return Err(Error::ScoreOnDataSet {
                data_set: place,
                learner,
                found: *score,
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measures::Direction::{HigherIsBetter, LowerIsBetter};
    use proptest::prelude::*;

    fn outcomes(wins: usize, ties: usize, losses: usize) -> Outcomes {
        Outcomes { wins, ties, losses }
    }

    fn count(scores: &[Vec<Vec<f64>>], direction: Direction, by: Verdicts) -> WinTieLoss {
        let data_set = |scores| DataSetScores {
            scores,
            test_to_train: 0.25,
        };
        let data_sets: Vec<DataSetScores<'_>> = scores.iter().map(|s| data_set(s)).collect();
        win_tie_loss(&data_sets, direction, by).unwrap()
    }

    #[test]
    fn both_verdicts_and_both_directions() {
        let clear = vec![
            vec![0.9, 0.91, 0.92, 0.9, 0.91],
            vec![0.5, 0.52, 0.51, 0.5, 0.5],
        ];
        let unclear = vec![vec![0.9, 0.5, 0.9, 0.5, 0.7], vec![0.5, 0.9, 0.5, 0.9, 0.6]];
        let same = vec![vec![0.8; 5], vec![0.1 + 0.7; 5]];
        let all = [clear, unclear, same];
        let plain = Verdicts::Difference { beyond: 0.0 };
        let tested = Verdicts::CorrectedT { level: 0.05 };
        let found = count(&all, HigherIsBetter, plain);
        assert_eq!(found.against[0][1], outcomes(2, 1, 0));
        assert_eq!(found.against[1][0], outcomes(0, 1, 2));
        assert_eq!(found.against[1][1], outcomes(0, 3, 0));
        assert_eq!(found.total, [outcomes(2, 1, 0), outcomes(0, 1, 2)]);
        let found = count(&all[..2], LowerIsBetter, tested);
        assert_eq!(found.total, [outcomes(0, 1, 1), outcomes(1, 1, 0)]);
        let found = count(&all, HigherIsBetter, Verdicts::Difference { beyond: 0.1 });
        assert_eq!(found.total[0], outcomes(1, 2, 0));
    }

    #[test]
    fn what_cannot_be_counted_is_refused() {
        let run = |scores: &[Vec<f64>], by| {
            let data_set = DataSetScores {
                scores,
                test_to_train: 0.25,
            };
            win_tie_loss(&[data_set], HigherIsBetter, by)
        };
        let plain = Verdicts::Difference { beyond: 0.0 };
        let empty = win_tie_loss(&[], HigherIsBetter, plain);
        assert!(matches!(empty, Err(Error::TooFewDataSets { .. })));
        assert!(matches!(
            run(&[vec![1.0]], plain),
            Err(Error::TooFewLearners { .. })
        ));
        assert!(matches!(
            run(&[vec![], vec![]], plain),
            Err(Error::TooFewPairs { .. })
        ));
        let uneven = [vec![1.0], vec![1.0, 2.0]];
        assert!(matches!(run(&uneven, plain), Err(Error::Lengths { .. })));
        let single = [vec![1.0], vec![2.0]];
        let by = Verdicts::CorrectedT { level: 0.05 };
        assert!(matches!(run(&single, by), Err(Error::TooFewPairs { .. })));
        let no_level = Verdicts::CorrectedT { level: 1.0 };
        assert!(matches!(
            run(&single, no_level),
            Err(Error::LevelOutside { .. })
        ));
        let no_region = Verdicts::Difference { beyond: f64::NAN };
        assert!(matches!(run(&single, no_region), Err(Error::Region { .. })));
        let none = [vec![1.0], vec![f64::NAN]];
        assert!(matches!(
            run(&none, plain),
            Err(Error::ScoreOnDataSet { learner: 1, .. })
        ));
    }

    kinwood_testing::soak! { 256;
        fn soak_what_one_wins_the_other_loses(
            scores in prop::collection::vec(
                prop::collection::vec(prop::collection::vec(-3..4_i8, 3), 4),
                1..6,
            ),
            tested in any::<bool>(),
        ) {
            let score = |folds: &Vec<i8>| folds.iter().map(|&s| f64::from(s)).collect();
            let all: Vec<Vec<Vec<f64>>> = scores
                .iter()
                .map(|learners| learners.iter().map(score).collect())
                .collect();
            let by = if tested { Verdicts::CorrectedT { level: 0.2 } } else { Verdicts::Difference { beyond: 0.0 } };
            let found = count(&all, HigherIsBetter, by);
            for i in 0..4 {
                for j in 0..4 {
                    let (here, there) = (found.against[i][j], found.against[j][i]);
                    prop_assert_eq!((here.wins, here.ties), (there.losses, there.ties));
                    prop_assert_eq!(here.wins + here.ties + here.losses, all.len());
                }
            }
        }
    }
}
