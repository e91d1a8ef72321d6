//! Predicting: blocks of rows, whose values are read once, go down one tree after another.

use std::ops::Range;

use rayon::prelude::*;

use kinwood_learning::context::Context;
use kinwood_learning::error::Result;
use kinwood_learning::model::Decisions;
use kinwood_learning::predictions::{Output, Predictions, TargetPrediction};
use kinwood_learning::target::CLASSES;
use kinwood_values::View;

use super::{BoostedModel, BoostedTarget};
use crate::features::{Features, Reader};
use crate::loss::Loss;

/// Rows that are read together.
const BLOCK: usize = 1024;
/// Rows that are worth a thread of their own.
const FEWEST: usize = 16;

/// The values of rows, a row after the other.
pub struct Block {
    values: Vec<f64>,
    width: usize,
}

impl Block {
    /// Reads the rows of a range.
    pub fn new(features: &Features, reader: &Reader<'_>, rows: Range<usize>) -> Self {
        let width = features.all.len().max(1);
        let mut values = vec![f64::NAN; rows.len() * width];
        for feature in 0..features.all.len() {
            let own = values.get_mut(feature..).unwrap_or_default();
            reader.fill(feature, rows.start, width, own);
        }
        Self { values, width }
    }

    /// The values of its rows, by feature.
    pub fn rows(&self) -> impl Iterator<Item = &[f64]> {
        self.values.chunks_exact(self.width)
    }
}

impl BoostedTarget {
    /// The scores of the rows of a block, a row after the other.
    pub fn scores(&self, block: &Block) -> Vec<f64> {
        let mut scores = self.first_scores(block);
        self.add_rounds(block, 0..self.rounds(), &mut scores);
        scores
    }

    /// The scores that the rows of a block begin with.
    fn first_scores(&self, block: &Block) -> Vec<f64> {
        let count = block.values.len() / block.width;
        std::iter::repeat_n(&self.base, count)
            .flatten()
            .copied()
            .collect()
    }

    /// Adds what the trees of some rounds add to the scores of the rows of a block.
    fn add_rounds(&self, block: &Block, rounds: Range<usize>, scores: &mut [f64]) {
        let outputs = self.outputs();
        let of_round = self.trees_of_round();
        let trees = &self.trees[rounds.start * of_round..rounds.end * of_round];
        for (place, tree) in trees.iter().enumerate() {
            let own = scores.iter_mut().skip(place % outputs).step_by(outputs);
            for (score, values) in own.zip(block.rows()) {
                *score += tree.values[tree.leaf(values)];
            }
        }
    }
}

/// Rows that are read together, of so many.
fn together(rows: usize) -> usize {
    let share = rows.div_ceil(rayon::current_num_threads());
    share.clamp(FEWEST, BLOCK)
}

/// What is predicted after so many rounds, for each number of a range. A target that has fewer
/// rounds than another is done earlier.
pub(super) fn staged(
    model: &BoostedModel,
    data: &View,
    stages: Range<usize>,
    context: &Context,
) -> Result<Vec<Predictions>> {
    let reader = Reader::new(&model.features, data)?;
    let mut predictions = vec![
        Predictions {
            targets: Vec::with_capacity(model.targets.len()),
        };
        stages.len()
    ];
    for target in &model.targets {
        let (width, outputs) = (target.kind.width(), target.outputs());
        let of_block = |rows: Range<usize>| -> Result<Vec<Vec<f64>>> {
            context.check()?;
            let count = rows.len();
            let block = Block::new(&model.features, &reader, rows);
            let mut scores = target.first_scores(&block);
            let mut done = 0;
            let after = |stage: usize| {
                let until = stage.min(target.rounds());
                target.add_rounds(&block, done..until, &mut scores);
                done = until;
                let mut numbers = vec![0.0; count * width];
                for (out, scores) in numbers.chunks_mut(width).zip(scores.chunks(outputs)) {
                    target.predicted(scores, out);
                }
                numbers
            };
            Ok(stages.clone().map(after).collect())
        };
        let blocks: Vec<Vec<Vec<f64>>> = context.install(|| {
            let size = together(data.len());
            let blocks = 0..data.len().div_ceil(size);
            let rows = |block: usize| block * size..data.len().min((block + 1) * size);
            blocks
                .into_par_iter()
                .map(|block| of_block(rows(block)))
                .collect::<Result<_>>()
        })?;
        for (stage, predictions) in predictions.iter_mut().enumerate() {
            let numbers = blocks.iter().flat_map(|block| &block[stage]).copied();
            predictions.targets.push(TargetPrediction {
                name: target.name.clone(),
                output: Output::new(target.kind.clone(), numbers.collect()),
            });
        }
    }
    Ok(predictions)
}

/// The scores of classes, as functions that decide about them: of two classes one function, of more
/// one each; nothing where something else is predicted.
pub(super) fn decisions(
    model: &BoostedModel,
    data: &View,
    context: &Context,
) -> Option<Result<Decisions>> {
    let [target] = &model.targets[..] else {
        return None;
    };
    if !target.kind.is(&CLASSES) || !matches!(target.loss, Loss::Logistic | Loss::Softmax) {
        return None;
    }
    let parts = target.kind.parts();
    let between = (0..target.outputs()).map(|output| {
        let other = match target.loss {
            Loss::Logistic => parts.first().cloned().unwrap_or_default(),
            _ => String::new(),
        };
        [target.output_name(output), other]
    });
    Some(
        scores(model, target, data, context).map(|values| Decisions {
            between: between.collect(),
            values,
        }),
    )
}

/// The nodes that a row passes, tree after tree, each with all of it.
pub(super) fn visited(
    model: &BoostedModel,
    data: &View,
    position: usize,
) -> Result<Vec<(usize, u32, f64)>> {
    let reader = Reader::new(&model.features, data)?;
    let block = Block::new(&model.features, &reader, position..position + 1);
    let values = block.rows().next().unwrap_or_default();
    let trees = model.targets.iter().flat_map(|target| &target.trees);
    let mut passed = Vec::new();
    for (place, tree) in trees.enumerate() {
        let mut node = 0;
        passed.push((place, node as u32, 1.0));
        while !tree.is_leaf(node) {
            let first = tree.takes_first(node, values[tree.features[node] as usize]);
            node = tree.branches[node][usize::from(!first)] as usize;
            passed.push((place, node as u32, 1.0));
        }
    }
    Ok(passed)
}

fn scores(
    model: &BoostedModel,
    target: &BoostedTarget,
    data: &View,
    context: &Context,
) -> Result<Vec<f64>> {
    let reader = Reader::new(&model.features, data)?;
    let blocks: Vec<Vec<f64>> = context.install(|| {
        let size = together(data.len());
        let blocks = (0..data.len().div_ceil(size)).into_par_iter();
        blocks
            .map(|block| {
                context.check()?;
                let rows = block * size..data.len().min((block + 1) * size);
                Ok(target.scores(&Block::new(&model.features, &reader, rows)))
            })
            .collect::<Result<_>>()
    })?;
    Ok(blocks.concat())
}

/// Predicts every target for every row.
pub(super) fn predict(model: &BoostedModel, data: &View, context: &Context) -> Result<Predictions> {
    let reader = Reader::new(&model.features, data)?;
    let mut targets = Vec::with_capacity(model.targets.len());
    for target in &model.targets {
        let width = target.kind.width();
        let mut numbers = vec![0.0; data.len() * width];
        context.install(|| {
            let block = together(data.len());
            let blocks = numbers.par_chunks_mut(block * width).enumerate();
            blocks.try_for_each(|(place, out)| -> Result<()> {
                context.check()?;
                let from = place * block;
                let read = Block::new(&model.features, &reader, from..from + out.len() / width);
                let scores = target.scores(&read);
                for (out, scores) in out.chunks_mut(width).zip(scores.chunks(target.outputs())) {
                    target.predicted(scores, out);
                }
                Ok(())
            })
        })?;
        targets.push(TargetPrediction {
            name: target.name.clone(),
            output: Output::new(target.kind.clone(), numbers),
        });
    }
    Ok(Predictions { targets })
}
