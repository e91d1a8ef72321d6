//! The number of neighbours chosen by leaving one out: each training row is predicted by the
//! others, for every k at once.

use kinwood_similarity::FittedRow;
use kinwood_values::Attribute;
use rayon::prelude::*;

use super::vote::{NeighbourWeights, Vote};
use crate::ballot::{BATCH, Voter, fallbacks, opinion};
use crate::search::Search;
use kinwood_learning::context::Context;
use kinwood_learning::error::Result;
use kinwood_learning::examples::Examples;

/// The rows that are left out, one at a time: all, or so many drawn at random.
pub fn left_out(rows: usize, most: Option<usize>, context: &Context) -> Vec<usize> {
    let mut all: Vec<usize> = (0..rows).collect();
    let Some(most) = most.filter(|&most| most < rows) else {
        return all;
    };
    context.generator(&[0x6b6e_6e6b]).shuffle(&mut all);
    all.truncate(most);
    all.sort_unstable();
    all
}

/// The number of neighbours, at most `most`, with the least leave-one-out error, the smallest of
/// equals, by the rows that are left out.
///
/// The error of a class is 0 or 1, that of a number its square in terms of the variance; several
/// targets are averaged, rows count by their weights. A row is left out with all its weight; ranges
/// and the like stay those of all rows. The neighbours are searched once, a row at a time, and
/// nothing is kept of them but the sums of errors.
pub fn neighbours(
    examples: &Examples,
    fitted: &FittedRow,
    weights: NeighbourWeights,
    most: usize,
    left_out: &[usize],
    context: &Context,
) -> Result<usize> {
    let rows = examples.len();
    let most = most.min(rows.saturating_sub(1));
    if most <= 1 {
        return Ok(1);
    }
    let search = Search::new(fitted, examples.rows(), examples.rows())?;
    let targets: Vec<(&Attribute, f64)> = examples
        .targets()
        .map(|target| (target, variance(target)))
        .collect();
    let fallbacks = fallbacks(examples);
    let running = context.progress("choosing k", left_out.len() as u64);
    let sums: Vec<Vec<f64>> = context.install(|| {
        left_out
            .par_chunks(BATCH)
            .map(|rows| {
                let mut errors = vec![0.0; most];
                for &row in rows {
                    context.check()?;
                    // One more than vote for the kernel's width, and one for the row itself.
                    let mut found = search.nearest(row, most + 2);
                    found.retain(|neighbour| neighbour.reference != row);
                    for (error, k) in errors.iter_mut().zip(1..) {
                        let voters = Vote { k, weights }.voters(examples, &found);
                        let mut sum = 0.0;
                        for ((target, variance), fallback) in targets.iter().zip(&fallbacks) {
                            sum += wrong(target, *variance, fallback, row, &voters);
                        }
                        *error += examples.weight(row) * sum;
                    }
                }
                running.advance(rows.len() as u64);
                Ok(errors)
            })
            .collect::<Result<_>>()
    })?;
    // Batches are added up in their order, whichever was done first.
    let mut errors = vec![0.0; most];
    for sums in sums {
        errors
            .iter_mut()
            .zip(sums)
            .for_each(|(error, sum)| *error += sum);
    }
    let best = (1..most).fold(
        0,
        |best, at| if errors[at] < errors[best] { at } else { best },
    );
    Ok(best + 1)
}

/// How wrong the voters are about a row's target.
fn wrong(target: &Attribute, variance: f64, fallback: &[f64], row: usize, voters: &[Voter]) -> f64 {
    let opinion = opinion(target, voters);
    let opinion = opinion.as_deref().unwrap_or(fallback);
    if let Some(class) = target.column.code(row) {
        let best = (1..opinion.len()).fold(0, |best, at| {
            if opinion[at] > opinion[best] {
                at
            } else {
                best
            }
        });
        return f64::from(u8::from(best != class as usize));
    }
    match (target.column.number(row), opinion.first()) {
        (Some(truth), Some(number)) => (truth - number).powi(2) / variance,
        _ => 0.0,
    }
}

fn variance(target: &Attribute) -> f64 {
    let numbers: Vec<f64> = (0..target.column.len())
        .filter_map(|row| target.column.number(row))
        .collect();
    let count = numbers.len().max(1) as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
    (squares / count).max(f64::MIN_POSITIVE)
}
