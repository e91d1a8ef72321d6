//! How much a measure over the test predictions of all folds together varies.
//!
//! A correlation of pooled predictions is no mean over folds, so that the standard deviation over
//! folds says little of it: on six test rows correlations lie anywhere. The jackknife leaves out
//! one fold after the other instead.

use kinwood_values::View;

use crate::error::Error;
use crate::measures::Measure;
use crate::run::{Evaluation, weights};
use crate::summary::FoldSummary;
use crate::truth::{Gathered, Truth};

/// The standard deviation of the jackknife's pseudo-values of a pooled measure of one target, a
/// fold left out at a time.
///
/// With `t` the measure of all `n` folds and `t_i` without fold `i`, the pseudo-values are
/// `n t - (n - 1) t_i`; their standard deviation over `sqrt(n)` is the standard error. For a mean
/// of folds of one size they are the scores of the folds. None where a measure is not defined, or
/// for fewer than two folds.
///
/// Reference: J. Tukey, Bias and confidence in not-quite large samples, Annals of Mathematical
/// Statistics 29, 1958.
pub fn pooled_sd(
    evaluation: &Evaluation,
    view: &View,
    target: usize,
    measure: Measure,
) -> Result<Option<f64>, Error> {
    let truths = Truth::of(view, &[target])?;
    let weights = weights(view);
    let without = |left_out: Option<usize>| {
        let folds = evaluation.splits.iter().zip(&evaluation.predictions);
        let kept = folds
            .enumerate()
            .filter(|(position, _)| Some(*position) != left_out)
            .map(|(_, (split, predicted))| (split, &predicted.targets[0].output));
        Gathered::of(&truths[0], kept, weights.as_deref()).score(&truths[0], measure)
    };
    let n = evaluation.splits.len();
    let Some(all) = without(None)? else {
        return Ok(None);
    };
    let mut pseudo = Vec::with_capacity(n);
    for fold in 0..n {
        let Some(rest) = without(Some(fold))? else {
            return Ok(None);
        };
        pseudo.push(Some(n as f64 * all - (n as f64 - 1.0) * rest));
    }
    Ok(FoldSummary::of(&pseudo).sd)
}

#[cfg(test)]
mod tests {
    use kinwood_learners::testing::{CLASS, NUMBER, mixed_view};
    use kinwood_learners::{Context, Learner, Registry};

    use super::*;
    use crate::measures::{ACCURACY, CORRELATION};
    use crate::run::evaluate;
    use crate::splits::Plan;

    fn learner(name: &str) -> Box<dyn Learner> {
        let entry = *Registry::new().find(name).unwrap();
        let none: [(&str, &str); 0] = [];
        (entry.build)(&entry.settings(&none).unwrap()).unwrap()
    }

    #[test]
    fn for_a_mean_over_folds_of_one_size_it_is_the_deviation_over_folds() {
        let view = mixed_view(100);
        let learner = learner("oner");
        let plan = Plan::Holdout {
            train_share: 0.5,
            repeats: 7,
        };
        let run = evaluate(&*learner, &view, &[CLASS], &plan, &Context::new()).unwrap();
        let found = pooled_sd(&run, &view, CLASS, ACCURACY).unwrap();
        let expected = run.summaries[0].sd.unwrap();
        assert!(expected > 0.0 && (found.unwrap() - expected).abs() < 1e-9);
    }

    #[test]
    fn a_measure_that_is_not_defined_has_none() {
        let view = mixed_view(30);
        let learner = learner("mean");
        let plan = Plan::CrossValidation {
            folds: 2,
            repeats: 1,
        };
        let run = evaluate(&*learner, &view, &[NUMBER], &plan, &Context::new()).unwrap();
        // Without one of two folds the other's predictions are constant.
        let found = pooled_sd(&run, &view, NUMBER, CORRELATION).unwrap();
        assert_eq!(found, None);
    }
}
