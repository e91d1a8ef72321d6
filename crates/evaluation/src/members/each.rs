//! Each model of a set on given rows: how good it is there, and how like the first it predicts.

use kinwood_learning::{Context, Model};
use kinwood_values::View;
use rayon::prelude::*;

use super::{distance_over_targets, members_of};
use crate::measures::Measure;
use crate::run::RunError;
use crate::scorer::Scorer;
use crate::truth::Truth;

/// The models of a set on given rows.
#[derive(Clone, Debug, PartialEq)]
pub struct MembersOnRows {
    /// The measure of each target.
    pub measures: Vec<Measure>,
    /// The models, in the set's order.
    pub members: Vec<MemberOnRows>,
}

/// A model of a set on given rows.
#[derive(Clone, Debug, PartialEq)]
pub struct MemberOnRows {
    /// Its score of each target; none where the rows do not define it.
    pub scores: Vec<Option<f64>>,
    /// One less the distance of its predictions to those of the first model, which is that of the
    /// beam search; none where there is no row.
    pub similarity: Option<f64>,
}

/// Scores each model of a set on the rows of a view in the model's terms, whose targets the models
/// do not see. A model that is no set is its own only member.
///
/// Of `measures` each target is measured by the first that is for its kind, else by the first
/// measure there is for it.
pub fn members_on_rows(
    model: &dyn Model,
    view: &View,
    targets: &[usize],
    measures: &[Measure],
    context: &Context,
) -> Result<MembersOnRows, RunError> {
    let truths = Truth::of(view, targets)?;
    let own = view.table_position();
    let hidden = targets
        .iter()
        .fold(view.clone(), |view, &target| view.hiding(own, target));
    let scorer = Scorer::new(view, &truths, measures)?;
    let members = members_of(model);
    let running = context.progress("predicting", members.len() as u64);
    let quiet = context.quietly();
    let predicted = |member: &dyn Model| {
        context.check()?;
        let predicted = member.predict(&hidden, &quiet)?;
        // What a model says after it was stopped says nothing of how good it is.
        context.check()?;
        Ok::<_, RunError>(predicted)
    };
    let first = predicted(members[0])?;
    let on_rows = |member: &&dyn Model| {
        let predicted = predicted(*member)?;
        running.advance(1);
        let similarity = 1.0 - distance_over_targets(&first, &predicted);
        Ok(MemberOnRows {
            scores: scorer.scores(&predicted)?,
            similarity: (!view.is_empty()).then_some(similarity),
        })
    };
    let members: Result<_, RunError> =
        context.install(|| members.par_iter().map(on_rows).collect());
    Ok(MembersOnRows {
        members: members?,
        measures: scorer.measures,
    })
}

#[cfg(test)]
mod tests {
    use kinwood_learners::Registry;
    use kinwood_learners::testing::{CLASS, NUMBER, mixed_view};
    use kinwood_learning::Task;

    use super::*;
    use crate::measures::{ACCURACY, LOG_LOSS, MAE, RMSE};
    use crate::members::distance;

    fn fitted(given: &[(&str, &str)], targets: &[usize]) -> (View, Box<dyn Model>) {
        let view = mixed_view(80);
        let registry = Registry::new();
        let entry = registry.find("tree").unwrap();
        let learner = (entry.build)(&entry.settings(given).unwrap()).unwrap();
        let task = Task::new(&view, targets).unwrap();
        let model = learner.fit(&task, &Context::new()).unwrap();
        (view, model)
    }

    const BEAM: [(&str, &str); 3] = [("search", "beam"), ("width", "4"), ("size", "7")];

    #[test]
    fn members_are_scored_and_compared_with_the_first() {
        let (view, model) = fitted(&BEAM, &[CLASS, NUMBER]);
        let context = Context::new();
        let targets = [CLASS, NUMBER];
        let found = members_on_rows(&*model, &view, &targets, &[MAE], &context).unwrap();
        assert_eq!(found.measures, [ACCURACY, MAE]);
        let hidden = view.hiding(0, CLASS).hiding(0, NUMBER);
        let predictions: Vec<_> = model
            .members()
            .unwrap()
            .iter()
            .map(|member| member.predict(&hidden, &context).unwrap())
            .collect();
        assert_eq!(found.members.len(), predictions.len());
        assert_eq!(found.members[0].similarity, Some(1.0));
        for (found, predicted) in found.members.iter().zip(&predictions) {
            let outputs = predictions[0].targets.iter().zip(&predicted.targets);
            let squares: Vec<f64> = outputs
                .map(|(a, b)| distance(&a.output, &b.output).powi(2))
                .collect();
            let expected = 1.0 - ((squares[0] + squares[1]) / 2.0).sqrt();
            assert!((found.similarity.unwrap() - expected).abs() < 1e-12);
            let column = &view.table().attribute(CLASS).column;
            let class = &predicted.targets[0].output;
            let known: Vec<usize> = (0..80).filter(|&row| column.code(row).is_some()).collect();
            let right = known
                .iter()
                .filter(|&&row| class.class(row) == column.code(row));
            let accuracy = right.count() as f64 / known.len() as f64;
            assert!((found.scores[0].unwrap() - accuracy).abs() < 1e-12);
        }
        assert!(found.members.iter().any(|one| one.similarity < Some(1.0)));
    }

    #[test]
    fn a_model_that_is_no_set_is_alone_and_no_rows_say_nothing() {
        let (view, model) = fitted(&[], &[CLASS]);
        let context = Context::new();
        let found = members_on_rows(&*model, &view, &[CLASS], &[LOG_LOSS], &context).unwrap();
        assert_eq!(
            (found.members.len(), found.members[0].similarity),
            (1, Some(1.0))
        );
        let none = members_on_rows(&*model, &view.select(&[]), &[CLASS], &[], &context).unwrap();
        let none = &none.members[0];
        assert_eq!((none.scores[0], none.similarity), (None, None));
        let wrong = members_on_rows(&*model, &view, &[CLASS], &[RMSE], &context);
        assert!(wrong.is_err(), "no error of numbers is for classes");
    }
}
