//! Predictions scored by one measure a target.

use kinwood_learning::Predictions;
use kinwood_values::View;

use crate::error::Error;
use crate::measures::Measure;
use crate::run::weights;
use crate::splits::Split;
use crate::target::Target;
use crate::truth::{Gathered, Truth};

/// Scores predictions of rows of a view by one measure a target.
pub(crate) struct Scorer<'a> {
    truths: &'a [Truth],
    /// The measure of each target.
    pub measures: Vec<Measure>,
    rows: Split,
    weights: Option<Vec<f64>>,
}

impl<'a> Scorer<'a> {
    /// Each target is measured by the first of `asked` that is for its kind, else by the first
    /// measure there is for it; one that is for no target is an error.
    pub fn new(view: &View, truths: &'a [Truth], asked: &[Measure]) -> Result<Self, Error> {
        let first = |target| {
            let mut measures = Measure::for_target(target);
            measures
                .next()
                .expect("there is a measure for every kind of target")
        };
        let targets: Vec<Target> = truths.iter().map(Truth::target).collect();
        Ok(Self {
            truths,
            measures: Measure::chosen(&targets, asked, first)?,
            rows: Split {
                repeat: 1,
                fold: 1,
                train: Vec::new(),
                test: (0..view.len() as u32).collect(),
            },
            weights: weights(view),
        })
    }

    /// The scores of predictions of all rows.
    pub fn scores(&self, predicted: &Predictions) -> Result<Vec<Option<f64>>, Error> {
        self.on_test(&self.rows, predicted)
    }

    /// The scores of predictions of the test rows of a split.
    pub fn on_test(
        &self,
        split: &Split,
        predicted: &Predictions,
    ) -> Result<Vec<Option<f64>>, Error> {
        fits(self.truths, predicted)?;
        let targets = self.truths.iter().zip(&predicted.targets);
        targets
            .zip(&self.measures)
            .map(|((truth, predicted), &measure)| {
                let parts = [(split, &predicted.output)];
                Gathered::of(truth, parts, self.weights.as_deref()).score(truth, measure)
            })
            .collect()
    }
}

/// Fails unless predictions are of the targets whose truth is known: a model file may name other
/// targets than its model predicts.
fn fits(truths: &[Truth], predicted: &Predictions) -> Result<(), Error> {
    let pairs = truths.iter().zip(&predicted.targets);
    let mut kinds = pairs.map(|(truth, predicted)| {
        let (kind, told) = (truth.values.kind().entry(), predicted.output.kind().entry());
        kind == told
    });
    if truths.len() == predicted.targets.len() && kinds.all(|same| same) {
        return Ok(());
    }
    let listed = |words: Vec<String>| words.join(" and ");
    let described = |name: &str, kind: &str| format!("`{name}` ({kind})");
    Err(Error::OtherTargets {
        expected: listed(
            truths
                .iter()
                .map(|truth| described(&truth.name, truth.values.kind().entry().one))
                .collect(),
        ),
        found: listed(
            predicted
                .targets
                .iter()
                .map(|told| described(&told.name, told.output.kind().entry().one))
                .collect(),
        ),
    })
}
