//! Running an evaluation: fit on the training rows of each split, predict its test rows, score them.
//!
//! Whatever is fitted sees training rows only, through a view that contains no others and hides the targets. The
//! test rows are predicted through a view that hides them too: a learner that wanted to cheat could not.

use std::sync::Arc;

use kinwood_learners::{Context, Generator, Learner, Model, Predictions, Task};
use kinwood_values::{Role, View};
use rayon::prelude::*;

use crate::error::Error;
use crate::measures::Measure;
use crate::splits::{Notice, Plan, Split, Strata};
use crate::summary::FoldSummary;
use crate::truth::{Gathered, Truth, Values};

/// Why an evaluation could not be run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The plan does not fit the data, or a measure cannot be computed.
    #[error(transparent)]
    Plan(#[from] Error),
    /// A learner failed.
    #[error("repeat {repeat}, fold {fold}: {source}")]
    Fold {
        /// The repeat, from 1.
        repeat: usize,
        /// The fold, from 1.
        fold: usize,
        /// What the learner said.
        source: kinwood_learners::Error,
    },
    /// The data does not make a task, or the work was interrupted.
    #[error(transparent)]
    Learner(#[from] kinwood_learners::Error),
}

/// The scores of one test fold.
#[derive(Clone, Debug, PartialEq)]
pub struct Fold {
    /// The repeat, from 1.
    pub repeat: usize,
    /// The fold, from 1.
    pub fold: usize,
    /// Test rows.
    pub n: usize,
    /// The value of each measure, in the order of [`Evaluation::measures`].
    pub scores: Vec<Option<f64>>,
}

/// What came of an evaluation.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The names of the measures: `accuracy`, or `accuracy(T)` where there are several targets, and then `accuracy(mean)` for the mean over
    /// targets of one kind; see [`Averages`].
    pub measures: Vec<String>,
    /// Scores by fold.
    pub folds: Vec<Fold>,
    /// Mean and standard deviation over folds, a measure.
    pub summaries: Vec<FoldSummary>,
    /// The measures over the test predictions of all folds taken together.
    pub pooled: Vec<Option<f64>>,
    /// The true values of the targets, by position in the view.
    pub truths: Arc<Vec<Truth>>,
    /// The splits used.
    pub splits: Arc<Vec<Split>>,
    /// The predictions of each split's test rows, in the splits' order.
    pub predictions: Vec<Predictions>,
    /// What a careful reader should know of the splits.
    pub notices: Vec<Notice>,
}

impl Evaluation {
    /// The mean over folds of the measure of that name.
    pub fn mean(&self, measure: &str) -> Option<f64> {
        let position = self.measures.iter().position(|name| name == measure)?;
        self.summaries[position].mean
    }
}

/// Where the seeds of folds are drawn from.
const FOLD_SEEDS: u64 = 0x666f_6c64;

/// Evaluates a learner on the rows of a view by a plan. Groups are taken from the column with that role.
pub fn evaluate(
    learner: &dyn Learner,
    view: &View,
    targets: &[usize],
    plan: &Plan,
    context: &Context,
) -> Result<Evaluation, RunError> {
    let trial = Trial::new(view, targets, plan, context.seed())?;
    let predictions = trial.over_splits(learner, context, |model, test, context| {
        model.predict(test, context)
    })?;
    trial.score(predictions)
}

/// What is tried, before any learner is: the rows, what is true of them, and how they are divided. Learners compared share it.
pub struct Trial {
    view: View,
    hidden: View,
    targets: Vec<usize>,
    known: Known,
}

/// What is known of the rows without looking at their inputs: enough to score predictions.
#[derive(Clone, Debug)]
pub struct Known {
    /// The true values of the targets, by position in the view.
    pub truths: Arc<Vec<Truth>>,
    /// The weights of the rows, where they have any.
    pub weights: Option<Vec<f64>>,
    /// The splits.
    pub splits: Arc<Vec<Split>>,
    /// What a careful reader should know of the splits.
    pub notices: Vec<Notice>,
}

impl Trial {
    /// Divides the rows of a view by a plan.
    pub fn new(view: &View, targets: &[usize], plan: &Plan, seed: u64) -> Result<Self, RunError> {
        let truths = Truth::of(view, targets)?;
        let groups = groups(view);
        let strata = match truths.first().map(|truth| &truth.values) {
            Some(Values::Classes { codes, classes }) => Strata::Classes {
                codes,
                names: classes,
            },
            _ => Strata::Plain { rows: view.len() },
        };
        let divided = plan.splits(&strata, groups.as_deref(), seed)?;
        let own = view.table_position();
        let hidden = targets
            .iter()
            .fold(view.clone(), |view, &target| view.hiding(own, target));
        Ok(Self {
            view: view.clone(),
            hidden,
            targets: targets.to_vec(),
            known: Known {
                truths: Arc::new(truths),
                weights: weights(view),
                splits: Arc::new(divided.splits),
                notices: divided.notices,
            },
        })
    }

    /// What is known of the rows without looking at their inputs.
    pub fn known(&self) -> &Known {
        &self.known
    }

    /// Fits a learner on the training rows of a split, and asks the model about the test rows, whose targets are hidden. `context`
    /// has the seed of the whole; the fold's is drawn from it.
    pub fn on_split<T>(
        &self,
        learner: &dyn Learner,
        split: &Split,
        context: &Context,
        ask: impl Fn(&dyn Model, &View, &Context) -> Result<T, kinwood_learners::Error>,
    ) -> Result<T, RunError> {
        let run = || {
            let place_in_plan = [FOLD_SEEDS, split.repeat as u64, split.fold as u64];
            let seed = Generator::new(context.seed(), &place_in_plan).bits();
            let context = context.quietly().with_seed(seed);
            context.check()?;
            let task = Task::new(&self.view.select(&split.train), &self.targets)?;
            let model = learner.fit(&task, &context)?;
            // What a learner has found until it was stopped says nothing of how good it is.
            context.check()?;
            ask(&*model, &self.hidden.select(&split.test), &context)
        };
        run().map_err(|source| place(split, source))
    }

    /// Asks the models of all splits, in parallel.
    pub(crate) fn over_splits<T: Send>(
        &self,
        learner: &dyn Learner,
        context: &Context,
        ask: impl Fn(&dyn Model, &View, &Context) -> Result<T, kinwood_learners::Error> + Sync,
    ) -> Result<Vec<T>, RunError> {
        let splits = &self.known.splits;
        let running = context.progress("evaluating", splits.len() as u64);
        let of_split = |split: &Split| {
            let outcome = self.on_split(learner, split, context, &ask)?;
            running.advance(1);
            Ok(outcome)
        };
        context.install(|| splits.par_iter().map(of_split).collect())
    }

    /// The scores of predictions of each split's test rows.
    pub fn score(&self, predictions: Vec<Predictions>) -> Result<Evaluation, RunError> {
        self.known.score(predictions)
    }
}

/// An interruption is the user's and has no fold; any other failure is told with its place.
fn place(split: &Split, source: kinwood_learners::Error) -> RunError {
    match source {
        kinwood_learners::Error::Interrupted | kinwood_learners::Error::OutOfTime => {
            RunError::Learner(source)
        }
        source => RunError::Fold {
            repeat: split.repeat,
            fold: split.fold,
            source,
        },
    }
}

impl Known {
    /// The scores of predictions of each split's test rows, in the splits' order.
    pub fn score(&self, predictions: Vec<Predictions>) -> Result<Evaluation, RunError> {
        let (truths, splits) = (&*self.truths, &*self.splits);
        let weights = self.weights.as_deref();
        let several = truths.len() > 1;
        let mut measures = Vec::new();
        for truth in truths {
            for measure in Measure::for_target(truth.target()) {
                measures.push(if several {
                    format!("{}({})", measure.key(), truth.name)
                } else {
                    measure.key().to_owned()
                });
            }
        }
        let averages = Averages::of(truths);
        measures.extend(averages.names.iter().cloned());
        let mut folds = Vec::with_capacity(splits.len());
        for (split, predicted) in splits.iter().zip(&predictions) {
            let mut scores = Vec::with_capacity(measures.len());
            for (truth, predicted) in truths.iter().zip(&predicted.targets) {
                let answers = Gathered::of(truth, [(split, &predicted.output)], weights);
                scores.extend(answers.scores(truth)?);
            }
            averages.add(&mut scores);
            folds.push(Fold {
                repeat: split.repeat,
                fold: split.fold,
                n: split.test.len(),
                scores,
            });
        }
        let mut pooled = Vec::with_capacity(measures.len());
        for (position, truth) in truths.iter().enumerate() {
            let parts = splits.iter().zip(
                predictions
                    .iter()
                    .map(|predicted| &predicted.targets[position].output),
            );
            pooled.extend(Gathered::of(truth, parts, weights).scores(truth)?);
        }
        averages.add(&mut pooled);
        let of_folds = |measure: usize| {
            let scores: Vec<_> = folds.iter().map(|fold| fold.scores[measure]).collect();
            FoldSummary::of(&scores)
        };
        Ok(Evaluation {
            summaries: (0..measures.len()).map(of_folds).collect(),
            measures,
            folds,
            pooled,
            truths: Arc::clone(&self.truths),
            splits: Arc::clone(&self.splits),
            predictions,
            notices: self.notices.clone(),
        })
    }
}

impl Trial {
    /// Rows by their positions, their targets hidden.
    pub(crate) fn hidden_rows(&self, positions: &[u32]) -> View {
        self.hidden.select(positions)
    }

    /// The group of each row, where rows have groups.
    pub(crate) fn groups(&self) -> Option<Vec<u32>> {
        groups(&self.view)
    }
}

/// What a mean over targets is called in place of a target.
const MEAN: &str = "mean";

/// Means over the targets of one kind, such as `accuracy(mean)`: behind the measures of all targets, where two or more of them are of the
/// kind. A mean is undefined where the measure is for any of the targets. A target that is itself called `mean` keeps the name to itself.
struct Averages {
    names: Vec<String>,
    /// For each, the places of what it is the mean of.
    places: Vec<Vec<usize>>,
}

impl Averages {
    fn of(truths: &[Truth]) -> Self {
        let mut averages = Self {
            names: Vec::new(),
            places: Vec::new(),
        };
        if truths.iter().any(|truth| truth.name == MEAN) {
            return averages;
        }
        let starts = truths.iter().scan(0, |next, truth| {
            let start = *next;
            *next += Measure::for_target(truth.target()).count();
            Some(start)
        });
        let starts: Vec<usize> = starts.collect();
        for (first, truth) in truths.iter().enumerate() {
            let alike = |other: &usize| truths[*other].target() == truth.target();
            let of_kind: Vec<usize> = (0..truths.len()).filter(alike).collect();
            if of_kind.len() < 2 || of_kind[0] != first {
                continue;
            }
            for (place, measure) in Measure::for_target(truth.target()).enumerate() {
                averages.names.push(format!("{}({MEAN})", measure.key()));
                let places = of_kind.iter().map(|&target| starts[target] + place);
                averages.places.push(places.collect());
            }
        }
        averages
    }

    /// Puts the means behind the scores of all targets.
    fn add(&self, scores: &mut Vec<Option<f64>>) {
        for places in &self.places {
            let all: Option<Vec<f64>> = places.iter().map(|&place| scores[place]).collect();
            scores.push(all.map(|all| all.iter().sum::<f64>() / all.len() as f64));
        }
    }
}

/// The weights of the view's rows; rows whose weight is none are the task's to refuse.
pub(crate) fn weights(view: &View) -> Option<Vec<f64>> {
    let attribute = view
        .table()
        .attributes()
        .iter()
        .find(|attribute| attribute.role == Role::Weight)?;
    Some(
        view.rows()
            .map(|row| attribute.column.number(row as usize).unwrap_or(0.0))
            .collect(),
    )
}

/// The group of each row, numbered; a row without one is a group of its own.
fn groups(view: &View) -> Option<Vec<u32>> {
    let attribute = view
        .table()
        .attributes()
        .iter()
        .find(|attribute| attribute.role == Role::Group)?;
    let mut numbers = std::collections::BTreeMap::new();
    let mut next = 0;
    let mut fresh = || {
        next += 1;
        next - 1
    };
    Some(
        view.rows()
            .map(|row| {
                if attribute.column.is_present(row as usize) {
                    *numbers
                        .entry(attribute.column.value(row as usize))
                        .or_insert_with(&mut fresh)
                } else {
                    fresh()
                }
            })
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use kinwood_learners::testing::{CLASS, NUMBER, mixed_view};
    use kinwood_learners::{Output, Registry};

    use super::*;
    use crate::measures::Target;

    fn learner(name: &str, given: &[(&str, &str)]) -> Box<dyn Learner> {
        let registry = Registry::new();
        let entry = registry.find(name).unwrap();
        (entry.build)(&entry.settings(given).unwrap()).unwrap()
    }

    const FOLDS: Plan = Plan::CrossValidation {
        folds: 5,
        repeats: 2,
    };

    #[test]
    fn majority_scores_the_share_of_the_largest_class() {
        let view = mixed_view(100);
        let column = &view.table().attribute(CLASS).column;
        let mut counts = [0.0; 3];
        (0..100).for_each(|row| counts[column.code(row).unwrap() as usize] += 1.0);
        let evaluation = evaluate(
            &*learner("majority", &[]),
            &view,
            &[CLASS],
            &FOLDS,
            &Context::new(),
        )
        .unwrap();
        let names: Vec<&str> = Measure::for_target(Target::Classes)
            .map(Measure::key)
            .collect();
        assert_eq!(evaluation.measures, names);
        assert_eq!(evaluation.folds.len(), 10);
        let largest = counts.iter().fold(0.0f64, |a, b| a.max(*b)) / 100.0;
        assert!((evaluation.pooled[0].unwrap() - largest).abs() < 1e-12);
    }

    #[test]
    fn several_targets_are_scored_by_name_and_threads_change_nothing() {
        let view = mixed_view(90);
        let run = |threads| {
            let context = Context::new().with_threads(threads);
            evaluate(
                &*learner("knn", &[("k", "3")]),
                &view,
                &[CLASS, NUMBER],
                &FOLDS,
                &context,
            )
            .unwrap()
        };
        let (one, two) = (run(1), run(2));
        let of_class = Measure::for_target(Target::Classes).map(|m| format!("{m}(class)"));
        let of_amount = Measure::for_target(Target::Numbers).map(|m| format!("{m}(amount)"));
        let names: Vec<String> = of_class.chain(of_amount).collect();
        assert_eq!(one.measures, names);
        assert_eq!(one.folds, two.folds);
        assert_eq!(one.pooled, two.pooled);
        assert!(one.mean("accuracy(class)").unwrap() > 0.4);
    }

    /// The mixed view with a second number and a third that is a copy of the class, by the names given.
    fn of_four_targets(number: &str) -> View {
        let view = mixed_view(60);
        let mut attributes = view.table().attributes().to_vec();
        let halves = (0..60).map(|row| f64::from(row % 7)).collect();
        let column = kinwood_values::Column::numeric(halves);
        attributes.push(kinwood_values::Attribute::new(number, column));
        let mut again = view.table().attribute(CLASS).clone();
        again.name = "again".to_owned();
        attributes.push(again);
        let table = kinwood_values::Table::new("t", attributes).unwrap();
        View::new(
            Arc::new(kinwood_values::Database::single(table).unwrap()),
            0,
        )
    }

    #[test]
    fn targets_of_one_kind_have_a_mean() {
        let run = |number: &str, targets: &[usize]| {
            let view = of_four_targets(number);
            let learner = learner("knn", &[("k", "3")]);
            evaluate(&*learner, &view, targets, &FOLDS, &Context::new()).unwrap()
        };
        let view = of_four_targets("other");
        let other = view.table().attributes().len() - 2;
        let found = run("other", &[CLASS, NUMBER, other]);
        let place = |name: &str| found.measures.iter().position(|n| n == name).unwrap();
        assert!(!found.measures.contains(&"accuracy(mean)".to_owned()));
        let (a, b, mean) = (
            place("rmse(amount)"),
            place("rmse(other)"),
            place("rmse(mean)"),
        );
        assert_eq!(
            mean + Measure::for_target(Target::Numbers).count(),
            found.measures.len()
        );
        let half = |scores: &[Option<f64>]| (scores[a].unwrap() + scores[b].unwrap()) / 2.0;
        for fold in &found.folds {
            assert!((fold.scores[mean].unwrap() - half(&fold.scores)).abs() < 1e-12);
        }
        assert!((found.pooled[mean].unwrap() - half(&found.pooled)).abs() < 1e-12);
        assert!(found.mean("rmse(mean)").is_some());
        // Kinds in the order of their first target, and none where a target has the name.
        let found = run("other", &[NUMBER, CLASS, other, other + 1]);
        let means = found
            .measures
            .iter()
            .filter(|name| name.ends_with("(mean)"));
        let expected: Vec<String> = Measure::for_target(Target::Numbers)
            .chain(Measure::for_target(Target::Classes))
            .map(|measure| format!("{measure}(mean)"))
            .collect();
        assert!(means.eq(&expected));
        let found = run("mean", &[CLASS, NUMBER, other]);
        let named = found.measures.iter().filter(|name| *name == "rmse(mean)");
        assert_eq!(named.count(), 1);
    }

    #[test]
    fn a_mean_of_something_undefined_is_undefined() {
        let number = |name: &str| Truth {
            name: name.to_owned(),
            values: Values::Numbers(Vec::new()),
        };
        let averages = Averages::of(&[number("a"), number("b")]);
        let each = Measure::for_target(Target::Numbers).count();
        let mut scores = vec![Some(1.0); each];
        scores.extend(vec![Some(2.0); each]);
        scores[each] = None;
        averages.add(&mut scores);
        assert_eq!(scores[2 * each..2 * each + 2], [None, Some(1.5)]);
    }

    /// The rows in sight, and whether the target is.
    type Sight = (Vec<u32>, bool);

    /// A learner that looks for leaks: it records every row and column it can see while fitting and predicting.
    struct Spy {
        seen: Arc<Mutex<Vec<Sight>>>,
        target: usize,
        inner: Box<dyn Learner>,
    }

    impl Learner for Spy {
        fn fit(&self, task: &Task, context: &Context) -> kinwood_learners::Result<Box<dyn Model>> {
            let visible = task.view().column(0, self.target).is_some();
            self.seen
                .lock()
                .unwrap()
                .push((task.view().rows().collect(), visible));
            self.inner.fit(task, context)
        }
    }

    #[test]
    fn whatever_is_fitted_sees_training_rows_only() {
        let view = mixed_view(50);
        let seen = Arc::new(Mutex::new(Vec::new()));
        let spy = Spy {
            seen: Arc::clone(&seen),
            target: CLASS,
            inner: learner("majority", &[]),
        };
        let context = Context::new().with_threads(1);
        let evaluation = evaluate(&spy, &view, &[CLASS], &FOLDS, &context).unwrap();
        let seen = seen.lock().unwrap();
        for (split, (rows, target_visible)) in evaluation.splits.iter().zip(&*seen) {
            assert_eq!(rows, &split.train);
            assert!(split.test.iter().all(|row| !rows.contains(row)));
            assert!(!target_visible);
        }
    }

    /// A planted leak: a model that would answer with the target of the query if it could see it.
    struct Cheat;

    impl Learner for Cheat {
        fn fit(&self, task: &Task, context: &Context) -> kinwood_learners::Result<Box<dyn Model>> {
            let honest = learner("majority", &[]).fit(task, context)?;
            Ok(Box::new(Cheater { honest }))
        }
    }

    struct Cheater {
        honest: Box<dyn Model>,
    }

    impl Model for Cheater {
        fn predict(&self, data: &View, context: &Context) -> kinwood_learners::Result<Predictions> {
            let mut predictions = self.honest.predict(data, context)?;
            if let (Some(leaked), Output::Classes { classes, shares }) = (
                data.column(data.table_position(), CLASS),
                &mut predictions.targets[0].output,
            ) {
                for (position, row) in data.rows().enumerate() {
                    let truth = leaked.code(row as usize).unwrap() as usize;
                    for class in 0..classes.len() {
                        shares[position * classes.len() + class] =
                            f64::from(u8::from(class == truth));
                    }
                }
            }
            Ok(predictions)
        }

        fn write(
            &self,
            sections: &mut kinwood_values::container::Sections,
        ) -> kinwood_learners::Result<()> {
            self.honest.write(sections)
        }

        fn show(&self) -> String {
            self.honest.show()
        }

        fn to_json(&self) -> serde_json::Value {
            self.honest.to_json()
        }
    }

    #[test]
    fn a_planted_leak_of_the_target_is_caught() {
        let view = mixed_view(100);
        let context = Context::new();
        let cheat = evaluate(&Cheat, &view, &[CLASS], &FOLDS, &context).unwrap();
        let honest = evaluate(
            &*learner("majority", &[]),
            &view,
            &[CLASS],
            &FOLDS,
            &context,
        )
        .unwrap();
        assert_eq!(
            cheat.folds, honest.folds,
            "the cheat gains nothing through the views it is given"
        );
        // The plant does work where the target is visible: the test above would notice a leak.
        let task = Task::new(&view, &[CLASS]).unwrap();
        let leaking = Cheat
            .fit(&task, &context)
            .unwrap()
            .predict(&view, &context)
            .unwrap();
        let column = &view.table().attribute(CLASS).column;
        assert!((0..100).all(|row| leaking.targets[0].output.class(row) == column.code(row)));
    }

    #[test]
    fn groups_stay_together() {
        let view = mixed_view(60);
        let mut attributes = view.table().attributes().to_vec();
        let group =
            kinwood_values::Column::numeric((0..60).map(|row| f64::from(row / 6)).collect());
        attributes.push(kinwood_values::Attribute::new("family", group).with_role(Role::Group));
        let table = kinwood_values::Table::new("t", attributes).unwrap();
        let view = View::new(
            Arc::new(kinwood_values::Database::single(table).unwrap()),
            0,
        );
        let evaluation = evaluate(
            &*learner("majority", &[]),
            &view,
            &[CLASS],
            &FOLDS,
            &Context::new(),
        )
        .unwrap();
        for split in evaluation.splits.iter() {
            assert!(
                split
                    .test
                    .iter()
                    .all(|row| split.train.iter().all(|other| other / 6 != row / 6))
            );
        }
    }

    #[test]
    fn a_failing_learner_names_its_fold() {
        let view = mixed_view(30);
        let error = evaluate(
            &*learner("majority", &[]),
            &view,
            &[NUMBER],
            &FOLDS,
            &Context::new(),
        );
        let message = error.err().unwrap().to_string();
        assert!(
            message.starts_with("repeat 1, fold 1: `majority` predicts nominal targets"),
            "{message}"
        );
    }
}
