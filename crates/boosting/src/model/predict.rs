//! Predicting: blocks of rows, whose values are read once, go down one tree after another.

use std::ops::Range;

use rayon::prelude::*;

use kinwood_learning::context::Context;
use kinwood_learning::error::Result;
use kinwood_learning::predictions::{Output, Predictions, TargetPrediction};
use kinwood_values::View;

use super::{BoostedModel, BoostedTarget};
use crate::features::{Features, Reader};

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
        let outputs = self.outputs();
        let count = block.values.len() / block.width;
        let mut scores: Vec<f64> = std::iter::repeat_n(&self.base, count)
            .flatten()
            .copied()
            .collect();
        for (place, tree) in self.trees.iter().enumerate() {
            let own = scores.iter_mut().skip(place % outputs).step_by(outputs);
            for (score, values) in own.zip(block.rows()) {
                *score += tree.values[tree.leaf(values)];
            }
        }
        scores
    }
}

/// Predicts every target for every row.
pub(super) fn predict(model: &BoostedModel, data: &View, context: &Context) -> Result<Predictions> {
    let reader = Reader::new(&model.features, data)?;
    let mut targets = Vec::with_capacity(model.targets.len());
    for target in &model.targets {
        let width = target.kind.width();
        let mut numbers = vec![0.0; data.len() * width];
        context.install(|| {
            let block = data.len().div_ceil(rayon::current_num_threads());
            let block = block.clamp(FEWEST, BLOCK);
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
