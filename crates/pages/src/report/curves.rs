//! What charts of performance show: answers beside the truth, confusions, curves and bins, over the
//! test rows of all splits.

use kinwood_evaluation::measures::curves::{self, PrecisionRecallPoint, RocPoint};
use kinwood_evaluation::measures::{CLASSES, LABELS};
use kinwood_evaluation::run::Evaluation;

/// The answers for a target beside its true values, over the test rows of all splits whose truth is
/// known.
#[derive(Clone, Debug)]
pub(super) enum Answered {
    /// One of several classes.
    Classes {
        classes: Vec<String>,
        rows: Vec<ClassAnswer>,
    },
    /// Numbers.
    Numbers(Vec<NumberAnswer>),
    /// Sets of labels: for each label, whether the set has it and how probable that was said to be.
    Labels {
        labels: Vec<String>,
        rows: Vec<Vec<(f64, bool)>>,
    },
}

/// An answer that is a class.
#[derive(Clone, Debug)]
pub(super) struct ClassAnswer {
    pub truth: usize,
    pub predicted: usize,
    /// A share for each class, none for those that the model has never seen.
    pub shares: Vec<f64>,
}

/// An answer that is a number.
#[derive(Clone, Copy, Debug)]
pub(super) struct NumberAnswer {
    /// The position among the rows of the view.
    pub row: u32,
    pub truth: f64,
    pub predicted: f64,
}

/// The answers for one of the targets.
pub(super) fn answered(evaluation: &Evaluation, target: usize) -> Answered {
    let truth = &evaluation.truths[target].values;
    let names = || truth.kind().parts();
    let mut answered = match truth.kind().entry() {
        entry if *entry == CLASSES => Answered::Classes {
            classes: names(),
            rows: Vec::new(),
        },
        entry if *entry == LABELS => Answered::Labels {
            labels: names(),
            rows: Vec::new(),
        },
        _ => Answered::Numbers(Vec::new()),
    };
    for (split, predictions) in evaluation.splits.iter().zip(&evaluation.predictions) {
        let output = &predictions.targets[target].output;
        for (position, &row) in split.test.iter().enumerate() {
            let at = row as usize;
            match &mut answered {
                Answered::Classes { classes, rows } => {
                    if let (Some(truth), Some(predicted)) =
                        (truth.class(at), output.class(position))
                    {
                        let mut shares = output.row(position).to_vec();
                        shares.resize(classes.len(), 0.0);
                        let (truth, predicted) = (truth as usize, predicted as usize);
                        rows.push(ClassAnswer {
                            truth,
                            predicted,
                            shares,
                        });
                    }
                }
                Answered::Numbers(rows) => {
                    if let (Some(truth), Some(predicted)) =
                        (truth.number(at), output.number(position))
                    {
                        rows.push(NumberAnswer {
                            row,
                            truth,
                            predicted,
                        });
                    }
                }
                Answered::Labels { labels, rows } => {
                    if let Some(set) = truth.labels(at) {
                        let shares = truth.kind().aligned(output.kind(), output.row(position));
                        let of = |place: usize| (shares[place], set.contains(&(place as u32)));
                        rows.push((0..labels.len()).map(of).collect());
                    }
                }
            }
        }
    }
    answered
}

/// How often each true class (outer) was answered by each class (inner).
pub(super) fn confusion(rows: &[ClassAnswer], classes: usize) -> Vec<Vec<usize>> {
    let mut counts = vec![vec![0; classes]; classes];
    for row in rows {
        counts[row.truth][row.predicted] += 1;
    }
    counts
}

/// How many points a curve has at most: more are not seen.
const POINTS: usize = 2_000;

/// Scores of a class, each with whether the row has it, as true classes and probabilities of two
/// classes.
fn of_two(scored: &[(f64, bool)]) -> (Vec<Option<u32>>, Vec<f64>) {
    let truth = scored.iter().map(|&(_, has)| Some(u32::from(has)));
    let shares = scored.iter().flat_map(|&(share, _)| [1.0 - share, share]);
    (truth.collect(), shares.collect())
}

/// The share of the others (first) and of the class (second) that scores at least so much, for each
/// score, best first; rows of equal score come together. `None` where one of the two is empty.
pub(super) fn receiver_operating(scored: &[(f64, bool)]) -> Option<Vec<(f64, f64)>> {
    let (truth, shares) = of_two(scored);
    let points = curves::roc(&truth, &shares, 2, 1, None, POINTS).ok()??;
    let place = |point: &RocPoint| (point.false_positive_rate, point.true_positive_rate);
    Some(points.iter().map(place).collect())
}

/// The area under a curve, between neighbours by straight lines.
pub(super) fn area(curve: &[(f64, f64)]) -> f64 {
    let below = |pair: &[(f64, f64)]| (pair[1].0 - pair[0].0) * (pair[0].1 + pair[1].1) / 2.0;
    curve.windows(2).map(below).sum()
}

/// Recall (first) and precision (second) at each score, best first. `None` where no row has the
/// class.
pub(super) fn precision_recall(scored: &[(f64, bool)]) -> Option<Vec<(f64, f64)>> {
    let (truth, shares) = of_two(scored);
    let points = curves::precision_recall(&truth, &shares, 2, 1, None, POINTS).ok()??;
    let place = |point: &PrecisionRecallPoint| (point.recall, point.precision);
    Some(points.iter().map(place).collect())
}

/// Answers of about the same probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bin {
    /// The probability said, on average.
    pub said: f64,
    /// The share for which it was so.
    pub so: f64,
    pub count: usize,
}

/// Answers in bins of equal width by the probability said; empty bins are left out.
pub(super) fn calibration(scored: &[(f64, bool)], bins: usize) -> Vec<Bin> {
    let (truth, shares) = of_two(scored);
    let bins = curves::calibration(&truth, &shares, 2, 1, bins, None).unwrap_or_default();
    let bin = |bin: &curves::Bin| Bin {
        said: bin.predicted,
        so: bin.observed,
        count: bin.weight.round() as usize,
    };
    bins.iter().map(bin).collect()
}

/// Numbers counted in so many bins of equal width: the borders and the counts.
pub(super) fn histogram(numbers: &[f64], bins: usize) -> (Vec<f64>, Vec<usize>) {
    let finite = || numbers.iter().copied().filter(|number| number.is_finite());
    let least = finite().fold(f64::INFINITY, f64::min);
    let greatest = finite().fold(f64::NEG_INFINITY, f64::max);
    if least > greatest {
        return (Vec::new(), Vec::new());
    }
    // Halves, so that the range of any two numbers is a number.
    let width = greatest / 2.0 - least / 2.0;
    let bins = if width > 0.0 { bins } else { 1 };
    let border = |place: usize| {
        let half = width * (place as f64 / bins as f64);
        least + half + half
    };
    let mut counts = vec![0; bins];
    for number in finite() {
        let along = match width > 0.0 {
            true => (number / 2.0 - least / 2.0) / width,
            false => 0.0,
        };
        counts[((along * bins as f64) as usize).min(bins - 1)] += 1;
    }
    ((0..=bins).map(border).collect(), counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_perfect_ranking_has_all_the_area_and_ties_have_half() {
        let perfect = [(0.9, true), (0.8, true), (0.3, false)];
        assert_eq!(area(&receiver_operating(&perfect).unwrap()), 1.0);
        let tied = [(0.5, true), (0.5, false)];
        assert_eq!(receiver_operating(&tied).unwrap(), [(0.0, 0.0), (1.0, 1.0)]);
        assert_eq!(area(&receiver_operating(&tied).unwrap()), 0.5);
        assert_eq!(receiver_operating(&[(0.5, true)]), None);
        assert_eq!(precision_recall(&[(0.5, false)]), None);
        let found = precision_recall(&[(0.9, true), (0.8, false), (0.1, true)]).unwrap();
        assert_eq!(found, [(0.5, 1.0), (0.5, 0.5), (1.0, 2.0 / 3.0)]);
    }

    #[test]
    fn bins_hold_every_answer_once() {
        let scored = [(0.0, false), (0.05, true), (1.0, true), (0.55, false)];
        let bins = calibration(&scored, 10);
        assert_eq!(bins.iter().map(|bin| bin.count).sum::<usize>(), 4);
        assert_eq!(
            bins[0],
            Bin {
                said: 0.025,
                so: 0.5,
                count: 2
            }
        );
        assert_eq!(
            bins[2],
            Bin {
                said: 1.0,
                so: 1.0,
                count: 1
            }
        );
        let (borders, counts) = histogram(&[1.0, 2.0, 2.0, 5.0, f64::NAN], 4);
        assert_eq!(
            (borders, counts),
            (vec![1.0, 2.0, 3.0, 4.0, 5.0], vec![1, 2, 0, 1])
        );
        assert_eq!(histogram(&[3.0, 3.0], 4), (vec![3.0, 3.0], vec![2]));
        assert_eq!(histogram(&[], 4), (vec![], vec![]));
        let (borders, _) = histogram(&[f64::MAX, f64::MIN], 4);
        assert!(borders[0].is_finite());
    }

    #[test]
    fn confusions_are_counted_by_truth() {
        let row = |truth, predicted| ClassAnswer {
            truth,
            predicted,
            shares: Vec::new(),
        };
        assert_eq!(
            confusion(&[row(0, 1), row(0, 0), row(1, 1)], 2),
            [[1, 1], [0, 1]]
        );
    }
}
