//! Every model of a set on test rows: how good they are one by one, and how alike.
//!
//! Kocev, Struyf and Dzeroski, Beam search induction and similarity constraints for predictive
//! clustering trees, KDID 2006, section 6.2: the mean score of the members, how far the worst and
//! the best are from the one reported, and their similarity.

mod each;
mod rank;

use kinwood_learning::{Context, Learner, Model, Output, Predictions};
use kinwood_values::View;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::measures::{Direction, Measure};
use crate::run::{RunError, Trial};
use crate::splits::{Plan, Split};
use crate::truth::{Gathered, Truth};

pub use each::{MemberOnRows, MembersOnRows, members_on_rows};
pub use rank::{MembersByRank, RankScores, members_by_rank};

/// The members of a set of models on one test fold.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MembersOnFold {
    /// How many there are.
    pub members: usize,
    /// The mean score of the members whose score is defined.
    pub mean: Option<f64>,
    /// By how much the worst member is worse than the set's own answer.
    pub worst: Option<f64>,
    /// By how much the best member is better than the set's own answer.
    pub best: Option<f64>,
    /// How alike the members are: see [`similarity`].
    pub similarity: f64,
}

/// Fits a learner on each split and scores every member of what it fits on the test rows, for one
/// target. A model that is no set is its own only member.
pub fn evaluate_members(
    learner: &dyn Learner,
    view: &View,
    target: usize,
    measure: Measure,
    plan: &Plan,
    context: &Context,
) -> Result<Vec<MembersOnFold>, RunError> {
    let trial = Trial::new(view, &[target], plan, context.seed())?;
    let predicted = trial.over_splits(learner, context, |model, test, context| {
        let own = model.predict(test, context)?;
        let members: Vec<Predictions> = match model.members() {
            None => vec![own.clone()],
            Some(members) => members
                .iter()
                .map(|member| member.predict(test, context))
                .collect::<Result<_, _>>()?,
        };
        Ok((own, members))
    })?;
    let known = trial.known();
    let (truth, weights) = (&known.truths[0], known.weights.as_deref());
    let folds = known.splits.iter().zip(&predicted);
    let scored = folds
        .map(|(split, (own, members))| on_fold(truth, split, weights, measure, (own, members), 0));
    scored.collect::<Result<_, Error>>().map_err(RunError::Plan)
}

/// The members of a set on one test fold, from what the set and each of them predict of one of the
/// targets.
pub(crate) fn on_fold(
    truth: &Truth,
    split: &Split,
    weights: Option<&[f64]>,
    measure: Measure,
    (own, members): (&Predictions, &[Predictions]),
    target: usize,
) -> Result<MembersOnFold, Error> {
    let score = |predicted: &Predictions| {
        let part = [(split, &predicted.targets[target].output)];
        Gathered::of(truth, part, weights).score(truth, measure)
    };
    let own = score(own)?;
    let scores: Vec<Option<f64>> = members.iter().map(score).collect::<Result<_, Error>>()?;
    let defined: Vec<f64> = scores.into_iter().flatten().collect();
    let (least, most) = (
        defined.iter().copied().reduce(f64::min),
        defined.iter().copied().reduce(f64::max),
    );
    let (worst, best) = match measure.description().direction {
        Direction::HigherIsBetter => (least, most),
        Direction::LowerIsBetter => (most, least),
    };
    let apart = |a: Option<f64>| own.zip(a).map(|(own, a)| (own - a).abs());
    let outputs: Vec<&Output> = members.iter().map(|m| &m.targets[target].output).collect();
    Ok(MembersOnFold {
        members: members.len(),
        mean: (!defined.is_empty()).then(|| defined.iter().sum::<f64>() / defined.len() as f64),
        worst: apart(worst),
        best: apart(best),
        similarity: similarity(&outputs),
    })
}

/// One less the mean distance of each of several predictions to all of them, itself included.
pub fn similarity(predicted: &[&Output]) -> f64 {
    let mut apart = 0.0;
    for (position, a) in predicted.iter().enumerate() {
        let later: f64 = predicted[position + 1..]
            .iter()
            .map(|b| distance(a, b))
            .sum();
        apart += 2.0 * later;
    }
    1.0 - apart / (predicted.len() * predicted.len()).max(1) as f64
}

/// The root of the mean squared difference of two predictions of the same rows, from 0 to 1: 0 or 1
/// for classes, the share of labels that one has and the other has not, the difference over the
/// range of both for numbers (0 where the range is 0).
pub fn distance(a: &Output, b: &Output) -> f64 {
    let rows = a.len().min(b.len());
    let kind = a.kind();
    let range = match kind.ranged() {
        true => {
            let all = || a.numbers().iter().chain(b.numbers()).copied();
            all().fold(f64::NEG_INFINITY, f64::max) - all().fold(f64::INFINITY, f64::min)
        }
        false => 1.0,
    };
    if rows == 0 || range <= 0.0 {
        return 0.0;
    }
    let squared = |row: usize| kind.unlike(a.row(row), b.row(row), range);
    ((0..rows).map(squared).sum::<f64>() / rows as f64).sqrt()
}

/// As [`distance`], over all targets: the root of the mean of their squares. So far apart the trees
/// of a beam are that its search compares.
pub fn distance_over_targets(a: &Predictions, b: &Predictions) -> f64 {
    let pairs = a.targets.iter().zip(&b.targets);
    let squares = pairs.map(|(a, b)| distance(&a.output, &b.output).powi(2));
    (squares.sum::<f64>() / a.targets.len().max(1) as f64).sqrt()
}

/// The models of a set; one that is no set is its own only member.
fn members_of(model: &dyn Model) -> Vec<&dyn Model> {
    match model.members() {
        Some(members) => members.iter().map(|member| &**member).collect(),
        None => vec![model],
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use kinwood_learners::Registry;
    use kinwood_learners::testing::{CLASS, NUMBER, mixed_view};
    use kinwood_values::Dictionary;

    use super::*;
    use crate::measures::{ACCURACY, RMSE};
    use crate::run::evaluate;

    const FOLDS: Plan = Plan::CrossValidation {
        folds: 4,
        repeats: 1,
    };

    fn tree(given: &[(&str, &str)]) -> Box<dyn Learner> {
        let entry = *Registry::new().find("tree").unwrap();
        (entry.build)(&entry.settings(given).unwrap()).unwrap()
    }

    fn classes(codes: &[u32]) -> Output {
        let share = |code: &u32| [f64::from(u8::from(*code == 0)), f64::from(*code)];
        let classes = Arc::new(Dictionary::from_labels(["a", "b"]));
        Output::of_classes(classes, codes.iter().flat_map(share).collect())
    }

    #[test]
    fn distances_are_as_defined() {
        let (a, b) = (classes(&[0, 0, 1, 1]), classes(&[0, 0, 1, 0]));
        assert_eq!(distance(&a, &a), 0.0);
        assert_eq!(distance(&a, &b), 0.5);
        let (a, b) = (
            Output::of_numbers(vec![0.0, 4.0]),
            Output::of_numbers(vec![2.0, 2.0]),
        );
        assert_eq!(distance(&a, &b), 0.5);
        let constant = Output::of_numbers(vec![3.0, 3.0]);
        assert_eq!(distance(&constant, &constant), 0.0);
    }

    #[test]
    fn similarity_divides_by_all_itself_included() {
        let (a, b) = (classes(&[0, 0, 1, 1]), classes(&[0, 0, 1, 0]));
        assert_eq!(similarity(&[&a, &b]), 1.0 - 0.5 / 2.0);
        assert_eq!(similarity(&[&a]), 1.0);
    }

    #[test]
    fn a_single_tree_is_its_own_member() {
        let view = mixed_view(80);
        let learner = tree(&[]);
        let context = Context::new();
        let found = evaluate_members(&*learner, &view, CLASS, ACCURACY, &FOLDS, &context).unwrap();
        let own = evaluate(&*learner, &view, &[CLASS], &FOLDS, &context).unwrap();
        for (found, own) in found.iter().zip(&own.folds) {
            assert_eq!(found.mean, own.scores[0]);
            assert_eq!((found.worst, found.best), (Some(0.0), Some(0.0)));
            assert_eq!((found.members, found.similarity), (1, 1.0));
        }
    }

    #[test]
    fn beams_are_scored_tree_by_tree() {
        let view = mixed_view(80);
        let beam = tree(&[("search", "beam"), ("width", "4"), ("size", "7")]);
        for (target, measure) in [(CLASS, ACCURACY), (NUMBER, RMSE)] {
            let context = Context::new();
            let folds = evaluate_members(&*beam, &view, target, measure, &FOLDS, &context).unwrap();
            let own = evaluate(&*beam, &view, &[target], &FOLDS, &context).unwrap();
            assert_eq!(folds.len(), 4);
            for (fold, own) in folds.iter().zip(&own.folds) {
                let own = own.scores[0].unwrap();
                let (worst, best) = (fold.worst.unwrap(), fold.best.unwrap());
                assert_eq!(fold.members, 4);
                let (low, high) = match measure == RMSE {
                    true => (own - best, own + worst),
                    false => (own - worst, own + best),
                };
                let mean = fold.mean.unwrap();
                assert!(low - 1e-12 <= mean && mean <= high + 1e-12);
                assert!((0.0..=1.0).contains(&fold.similarity));
            }
            assert!(folds.iter().any(|fold| fold.similarity < 1.0));
        }
    }
}
