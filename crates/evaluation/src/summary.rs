//! One line for the scores of many folds: their mean and their standard deviation.
//!
//! A measure may be undefined on a fold (a correlation with a constant); such folds are left
//! out and counted, so that a table can say how many numbers stand behind a mean.

use serde::Serialize;

/// Mean and standard deviation of a measure over folds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct FoldSummary {
    /// The mean over the defined folds; none if no fold is defined.
    pub mean: Option<f64>,
    /// The standard deviation over the defined folds; none for fewer than two.
    pub sd: Option<f64>,
    /// How many folds are defined.
    pub defined: usize,
    /// How many folds are not.
    pub undefined: usize,
}

impl FoldSummary {
    /// Summarises the scores of folds; a score that is not finite counts as undefined, and so does
    /// a mean or deviation that no number holds.
    ///
    /// `mean = sum x / n`, `sd = sqrt( sum (x - mean)^2 / (n - 1) )`, in two passes with the
    /// rounding of the mean taken out of the second.
    ///
    /// Reference: T. Chan, G. Golub, R. LeVeque, Algorithms for computing the sample variance,
    /// The American Statistician 37(3), 1983.
    ///
    /// ```
    /// use kinwood_evaluation::summary::FoldSummary;
    /// let summary = FoldSummary::of(&[Some(1.0), None, Some(3.0)]);
    /// assert_eq!(summary.mean, Some(2.0));
    /// assert_eq!(summary.sd, Some(2.0_f64.sqrt()));
    /// assert_eq!((summary.defined, summary.undefined), (2, 1));
    /// ```
    pub fn of(scores: &[Option<f64>]) -> FoldSummary {
        let defined: Vec<f64> = scores
            .iter()
            .copied()
            .flatten()
            .filter(|score| score.is_finite())
            .collect();
        let moments = Moments::of(&defined).filter(|moments| moments.mean.is_finite());
        let sd = moments.and_then(|moments| moments.sd());
        let sd = match sd {
            // Squares of what is near the largest numbers exceed them; the deviation need not.
            Some(sd) if !sd.is_finite() => moments.and_then(|moments| moments.scaled_sd(&defined)),
            sd => sd,
        };
        FoldSummary {
            mean: moments.map(|moments| moments.mean),
            sd,
            defined: defined.len(),
            undefined: scores.len() - defined.len(),
        }
    }
}

/// Count, mean and sum of squared deviations of a sample.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moments {
    pub(crate) count: usize,
    pub(crate) mean: f64,
    pub(crate) squares: f64,
}

impl Moments {
    /// The moments of `values`; none for no values.
    pub(crate) fn of(values: &[f64]) -> Option<Moments> {
        // Relative to the first value, equal values have exactly themselves as mean and no
        // spread, which a rounded sum divided by the count does not promise.
        let (&origin, _) = values.split_first()?;
        let count = values.len() as f64;
        let mean = origin
            + values
                .iter()
                .map(|value| (value - origin) / count)
                .sum::<f64>();
        let (mut squares, mut rest) = (0.0, 0.0);
        for value in values {
            let deviation = value - mean;
            squares += deviation * deviation;
            rest += deviation;
        }
        Some(Moments {
            count: values.len(),
            mean,
            squares: (squares - rest * rest / count).max(0.0),
        })
    }

    /// The standard deviation with `n - 1` below; none for a single value.
    pub(crate) fn sd(&self) -> Option<f64> {
        (self.count > 1).then(|| (self.squares / (self.count - 1) as f64).sqrt())
    }

    /// The same with deviations divided by the largest before they are squared; none where that
    /// exceeds every number.
    fn scaled_sd(&self, values: &[f64]) -> Option<f64> {
        let largest = values.iter().map(|value| (value - self.mean).abs());
        let largest = largest.fold(0.0, f64::max);
        let square = |value: &f64| ((value - self.mean) / largest).powi(2);
        let mean = values.iter().map(square).sum::<f64>() / (self.count - 1) as f64;
        Some(largest * mean.sqrt()).filter(|sd| sd.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_and_one_value() {
        let none = FoldSummary::of(&[None, Some(f64::NAN)]);
        assert_eq!(
            (none.mean, none.sd, none.defined, none.undefined),
            (None, None, 0, 2)
        );
        let one = FoldSummary::of(&[Some(0.7)]);
        assert_eq!(
            (one.mean, one.sd, one.defined, one.undefined),
            (Some(0.7), None, 1, 0)
        );
    }

    #[test]
    fn equal_values_have_no_spread() {
        let summary = FoldSummary::of(&[Some(0.1); 10]);
        assert_eq!((summary.mean, summary.sd), (Some(0.1), Some(0.0)));
    }

    /// NIST's NumAcc4: a mean of ten million and a deviation of a tenth, of which the textbook
    /// formula with a sum of squares keeps no digit.
    #[test]
    fn a_large_mean_does_not_swallow_the_deviation() {
        let scores: Vec<Option<f64>> = (0..1001)
            .map(|i| Some(10_000_000.0 + [0.2, 0.1, 0.3][if i == 0 { 0 } else { 2 - i % 2 }]))
            .collect();
        let summary = FoldSummary::of(&scores);
        assert!((summary.mean.unwrap() - 10_000_000.2).abs() < 1e-8);
        assert!((summary.sd.unwrap() - 0.1).abs() < 1e-8);
    }

    #[test]
    fn squares_of_huge_scores_are_no_infinity() {
        let summary = FoldSummary::of(&[Some(1e200), Some(3e200)]);
        assert_eq!(summary.mean, Some(2e200));
        let sd = summary.sd.unwrap();
        assert!((sd / (2f64.sqrt() * 1e200) - 1.0).abs() < 1e-12, "{sd}");
        let beyond = FoldSummary::of(&[Some(f64::MAX), Some(-f64::MAX)]);
        assert!(beyond.mean.is_none_or(f64::is_finite) && beyond.sd.is_none_or(f64::is_finite));
    }

    #[test]
    fn json_has_null_for_undefined() {
        let json = serde_json::to_string(&FoldSummary::of(&[Some(0.5), None])).unwrap();
        assert_eq!(json, r#"{"mean":0.5,"sd":null,"defined":1,"undefined":1}"#);
    }
}
