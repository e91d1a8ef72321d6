//! Predicting: blocks of rows, by one tree after another, on all threads.

use kinwood_values::View;
use rayon::prelude::*;

use super::{Answering, Combine, ModelTerms, TargetOf, TreeSet};
use kinwood_learning::context::Context;
use kinwood_learning::error::Result;
use kinwood_learning::predictions::{Output, Predictions, TargetPrediction};
use kinwood_learning::target::{CLASSES, LABELS};

/// Rows that are worth a thread of their own.
const FEWEST: usize = 16;

/// Predicts every target for every row.
pub(super) fn predict<T: ModelTerms>(
    model: &TreeSet<T>,
    data: &View,
    context: &Context,
) -> Result<Predictions> {
    let ready = T::ready(model, data)?;
    let targets = model.terms.targets();
    let width = model.width().max(1);
    let trees = model.answering().len();
    let mut answers = vec![0.0; data.len() * width];
    context.install(|| {
        // A few rows are divided among all threads.
        let block = data.len().div_ceil(rayon::current_num_threads());
        let block = block.clamp(FEWEST, T::BLOCK);
        let blocks = answers.par_chunks_mut(block * width).enumerate();
        blocks.try_for_each(|(place, out)| -> Result<()> {
            context.check()?;
            let from = place * block;
            ready.add(from..from + out.len() / width, context, out)?;
            for row in out.chunks_mut(width) {
                settle(targets, trees, model.report.prior, row);
            }
            Ok(())
        })
    })?;
    let mut from = 0;
    let targets = targets.iter().map(|target| {
        let own = target.width();
        let numbers = match own == width {
            true => std::mem::take(&mut answers),
            false => {
                let rows = answers.chunks(width);
                rows.flat_map(|row| &row[from..from + own])
                    .copied()
                    .collect()
            }
        };
        from += own;
        TargetPrediction {
            name: target.name.clone(),
            output: Output::new(target.kind.clone(), numbers),
        }
    });
    Ok(Predictions {
        targets: targets.collect(),
    })
}

/// What is said of every target, one target after the other, as a part of what a set of trees says:
/// `answer` gives it of the target of that place.
pub fn say(
    targets: &[TargetOf],
    combine: Combine,
    answer: impl Fn(usize, &mut [f64]),
    out: &mut [f64],
) {
    let mut from = 0;
    for (place, target) in targets.iter().enumerate() {
        let own = &mut out[from..from + target.width()];
        answer(place, own);
        if combine == Combine::Vote {
            target.kind.vote(own);
        }
        from += own.len();
    }
}

/// From the sum of what trees say of a row to what they say together.
///
/// Even probabilities have `prior` votes beside the trees: what none of them says is not
/// impossible.
pub fn settle(targets: &[TargetOf], trees: usize, prior: f64, row: &mut [f64]) {
    let count = trees as f64;
    row.iter_mut().for_each(|sum| *sum /= count);
    let mut from = 0;
    for target in targets {
        let to = from + target.width();
        let even = match () {
            () if prior <= 0.0 => None,
            () if target.kind.is(&CLASSES) => Some(1.0 / target.width() as f64),
            () if target.kind.is(&LABELS) => Some(0.5),
            () => None,
        };
        if let Some(even) = even {
            let mixed =
                |share: &mut f64| *share = (count * *share + prior * even) / (count + prior);
            row[from..to].iter_mut().for_each(mixed);
        }
        target.kind.settle(&mut row[from..to]);
        from = to;
    }
}
