//! Permutation importance: how much worse a model predicts once a part of the data says nothing of
//! the row it stands in.
//!
//! The values of a column are permuted among the rows, so that the column keeps its values and
//! loses its connection with everything else; what a measure loses by that is the column's
//! importance to this model. Linked tables are permuted as a whole, in who owns which of their
//! rows, and column by column. A part that the model does not look at leaves every prediction as it
//! is: its importance is 0 exactly.
//!
//! Reference: L. Breiman, Random forests, Machine Learning 45, 2001, section 10.

mod part;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use kinwood_learning::{Context, Generator, Model};
use kinwood_values::View;
use rayon::prelude::*;

use part::Permuted;
pub use part::{Part, reached};

use crate::error::Error;
use crate::measures::{Direction, Measure};
use crate::run::RunError;
use crate::scorer::Scorer;
use crate::summary::FoldSummary;
use crate::truth::Truth;

/// The first word of the random streams for permutations; other uses of one seed take other words.
const STREAM: u64 = u64::from_le_bytes(*b"permute\0");

/// How important the parts of the data are to a model, for one of its targets.
#[derive(Clone, Debug, PartialEq)]
pub struct Importance {
    /// The target.
    pub target: String,
    /// What is measured.
    pub measure: Measure,
    /// The measure on the rows as they are; none where they do not define it.
    pub whole: Option<f64>,
    /// The parts in the order of [`Part::all`], each with how much worse the measure gets over the
    /// repeats.
    pub parts: Vec<(Part, FoldSummary)>,
}

impl Importance {
    /// The parts, the most important first; equals and those without a figure in their order.
    pub fn ranked(&self) -> Vec<&(Part, FoldSummary)> {
        let mut ranked: Vec<_> = self.parts.iter().collect();
        let mean = |summary: &FoldSummary| summary.mean.unwrap_or(f64::NEG_INFINITY);
        ranked.sort_by(|(_, a), (_, b)| mean(b).total_cmp(&mean(a)));
        ranked
    }

    /// An amount as a share of the measure on the rows as they are; none where that is 0 or not
    /// defined.
    pub fn relative(&self, amount: f64) -> Option<f64> {
        let whole = self.whole?.abs();
        (whole > 0.0).then_some(amount / whole)
    }
}

/// Measures how important every part of the data is to a model: for each of the targets, in their
/// order.
///
/// The view is in the model's terms and has the true values of the targets, which the model does
/// not see. Of `measures` each target is measured by the first that is for its kind, else by the
/// first measure there is for it; one that is for no target is an error. Each part is permuted
/// `repeats` times, from streams of its own: leaving out a part changes no other.
pub fn importance(
    model: &dyn Model,
    view: &View,
    targets: &[usize],
    measures: &[Measure],
    repeats: usize,
    context: &Context,
) -> Result<Vec<Importance>, RunError> {
    if view.is_empty() {
        return Err(Error::NothingToPermute.into());
    }
    if repeats == 0 {
        return Err(Error::NoRepeats.into());
    }
    let truths = Truth::of(view, targets)?;
    let own = view.table_position();
    let hidden = targets
        .iter()
        .fold(view.clone(), |view, &target| view.hiding(own, target));
    let scorer = Scorer::new(view, &truths, measures)?;
    let parts = Part::all(&hidden);
    let permuted = Permuted::new(&hidden);
    let running = context.progress("permuting", (parts.len() * repeats) as u64 + 1);
    let quiet = context.quietly();
    context.check()?;
    let whole = scorer.scores(&model.predict(&hidden, &quiet)?)?;
    running.advance(1);
    let jobs: Vec<(usize, usize)> = (0..parts.len())
        .flat_map(|part| (0..repeats).map(move |repeat| (part, repeat)))
        .collect();
    let worsened = |&(part, repeat): &(usize, usize)| -> Result<Vec<Option<f64>>, RunError> {
        context.check()?;
        let mut stream = vec![STREAM, repeat as u64];
        stream.extend(parts[part].place());
        let database = permuted.by(parts[part], &mut Generator::new(context.seed(), &stream));
        let predicted = model.predict(&hidden.of(Arc::new(database)), &quiet)?;
        // What a model says after it was stopped says nothing of the part.
        context.check()?;
        let scores = scorer.scores(&predicted)?;
        running.advance(1);
        let pairs = whole.iter().zip(scores).zip(&scorer.measures);
        Ok(pairs
            .map(|((&whole, score), measure)| Some(loss(*measure, whole?, score?)))
            .collect())
    };
    let losses: Vec<Vec<Option<f64>>> =
        context.install(|| jobs.par_iter().map(worsened).collect::<Result<_, _>>())?;
    let of_target = |(position, truth): (usize, &Truth)| {
        let summary = |part: usize| {
            let repeated = &losses[part * repeats..(part + 1) * repeats];
            let lost: Vec<Option<f64>> = repeated.iter().map(|lost| lost[position]).collect();
            FoldSummary::of(&lost)
        };
        Importance {
            target: truth.name.clone(),
            measure: scorer.measures[position],
            whole: whole[position],
            parts: parts
                .iter()
                .enumerate()
                .map(|(place, part)| (*part, summary(place)))
                .collect(),
        }
    };
    Ok(truths.iter().enumerate().map(of_target).collect())
}

/// By how much a score is worse than another; below 0 where it is better.
fn loss(measure: Measure, whole: f64, permuted: f64) -> f64 {
    match measure.description().direction {
        Direction::HigherIsBetter => whole - permuted,
        Direction::LowerIsBetter => permuted - whole,
    }
}
