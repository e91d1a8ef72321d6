//! Cross-validation of the models of a set, by rank.
//!
//! A set that is fitted anew on the training rows of a fold has other models than the set at hand:
//! no model of one is a model of the other. What the sets have in common is their order, so what
//! can be estimated honestly is how good the model of each rank is on rows that it has not seen.

use kinwood_learning::{Context, Learner};
use kinwood_values::View;
use rayon::prelude::*;

use super::members_of;
use crate::error::Error;
use crate::measures::Measure;
use crate::run::{RunError, Trial};
use crate::scorer::Scorer;
use crate::splits::{Notice, Plan, Split};
use crate::summary::FoldSummary;

/// How good the models of each rank are on test rows.
#[derive(Clone, Debug)]
pub struct MembersByRank {
    /// The measure of each target.
    pub measures: Vec<Measure>,
    /// The ranks, the first model's first.
    pub ranks: Vec<RankScores>,
    /// What a careful reader should know of the splits.
    pub notices: Vec<Notice>,
}

/// How good the models of one rank are on test rows.
#[derive(Clone, Debug, PartialEq)]
pub struct RankScores {
    /// In how many test folds the set had a model of this rank.
    pub folds: usize,
    /// Mean and standard deviation over these, of each target.
    pub scores: Vec<FoldSummary>,
}

/// The scores of a fold's models, by rank and then by target.
type FoldScores = Vec<Vec<Option<f64>>>;

/// Fits a learner on each split and scores every model of what it fits on the test rows. A model
/// that is no set has the first rank.
pub fn members_by_rank(
    learner: &dyn Learner,
    view: &View,
    targets: &[usize],
    measures: &[Measure],
    plan: &Plan,
    context: &Context,
) -> Result<MembersByRank, RunError> {
    let trial = Trial::new(view, targets, plan, context.seed())?;
    let known = trial.known();
    let scorer = Scorer::new(view, &known.truths, measures)?;
    let running = context.progress("evaluating", known.splits.len() as u64);
    let of_split = |split: &Split| -> Result<FoldScores, RunError> {
        // Scored at once, so that a large forest's predictions do not pile up.
        let scored = trial.on_split(learner, split, context, |model, test, context| {
            let members = members_of(model).into_iter();
            let scores = members.map(|member| {
                let predicted = member.predict(test, context)?;
                Ok(scorer.on_test(split, &predicted))
            });
            scores.collect::<Result<Vec<_>, kinwood_learning::Error>>()
        })?;
        running.advance(1);
        let scores = scored.into_iter().collect::<Result<_, Error>>();
        scores.map_err(RunError::Plan)
    };
    let folds: Result<Vec<FoldScores>, RunError> =
        context.install(|| known.splits.par_iter().map(of_split).collect());
    let folds = folds?;
    let most = folds.iter().map(Vec::len).max().unwrap_or(0);
    let of_rank = |rank: usize| {
        let present: Vec<&Vec<Option<f64>>> =
            folds.iter().filter_map(|fold| fold.get(rank)).collect();
        let of_target = |target: usize| {
            let scores: Vec<Option<f64>> = present.iter().map(|scores| scores[target]).collect();
            FoldSummary::of(&scores)
        };
        RankScores {
            folds: present.len(),
            scores: (0..targets.len()).map(of_target).collect(),
        }
    };
    Ok(MembersByRank {
        ranks: (0..most).map(of_rank).collect(),
        notices: known.notices.clone(),
        measures: scorer.measures,
    })
}

#[cfg(test)]
mod tests {
    use kinwood_learners::Registry;
    use kinwood_learners::testing::{CLASS, NUMBER, mixed_view};

    use super::*;
    use crate::run::evaluate;

    const FOLDS: Plan = Plan::CrossValidation {
        folds: 4,
        repeats: 1,
    };

    fn tree(given: &[(&str, &str)]) -> Box<dyn Learner> {
        let entry = *Registry::new().find("tree").unwrap();
        (entry.build)(&entry.settings(given).unwrap()).unwrap()
    }

    #[test]
    fn the_first_rank_is_what_a_beam_answers_by() {
        let view = mixed_view(80);
        let beam = tree(&[("search", "beam"), ("width", "4"), ("size", "7")]);
        let targets = [CLASS, NUMBER];
        let context = Context::new();
        let found = members_by_rank(&*beam, &view, &targets, &[], &FOLDS, &context).unwrap();
        let own = evaluate(&*beam, &view, &targets, &FOLDS, &context).unwrap();
        let column = |target: usize| view.table().attribute(target).name.clone();
        for (place, name) in ["accuracy", "rmse"].into_iter().enumerate() {
            let whole = own.mean(&format!("{name}({})", column(targets[place])));
            assert_eq!(found.ranks[0].scores[place].mean, whole, "{name}");
        }
        assert_eq!(found.ranks.len(), 4);
        assert!(found.ranks.iter().all(|rank| rank.folds == 4));
        let means: Vec<_> = found.ranks.iter().map(|rank| rank.scores[0].mean).collect();
        assert!(means.iter().any(|mean| *mean != means[0]), "{means:?}");
    }

    #[test]
    fn a_learner_of_one_model_has_one_rank() {
        let view = mixed_view(80);
        let found =
            members_by_rank(&*tree(&[]), &view, &[CLASS], &[], &FOLDS, &Context::new()).unwrap();
        assert_eq!((found.ranks.len(), found.ranks[0].folds), (1, 4));
    }
}
