//! From voting rows to predictions and explanations: classes by votes, numbers by weighted means.

use std::sync::Arc;

use kinwood_similarity::Measured;
use kinwood_values::{Attribute, Column};
use rayon::prelude::*;

use kinwood_learning::context::Context;
use kinwood_learning::error::Result;
use kinwood_learning::examples::{Examples, target_name};
use kinwood_learning::explanation::{
    Explanation, Influence, Others, Reason, Reasons, TargetExplanation, texts,
};
use kinwood_learning::predictions::{Output, Predictions, TargetPrediction, normalised};

/// A stored row that votes.
#[derive(Clone, Debug, PartialEq)]
pub struct Voter {
    /// Which.
    pub row: usize,
    /// How much its vote counts.
    pub weight: f64,
    /// How far it is.
    pub distance: Measured,
    /// What it votes as, where there is a choice.
    pub role: Option<&'static str>,
}

/// The voters' joint opinion of a target: unnormalised class weights, or one number; `None` if none
/// knows.
pub fn opinion(target: &Attribute, voters: &[Voter]) -> Option<Vec<f64>> {
    if let Some((_, classes)) = target.column.codes() {
        let mut votes = vec![0.0; classes.len()];
        let mut heard = false;
        for voter in voters {
            if let Some(class) = target.column.code(voter.row) {
                votes[class as usize] += voter.weight;
                heard = true;
            }
        }
        return heard.then_some(votes);
    }
    let (mut weight, mut sum) = (0.0, 0.0);
    for voter in voters {
        if let Some(number) = target.column.number(voter.row) {
            weight += voter.weight;
            sum += voter.weight * number;
        }
    }
    (weight > 0.0).then(|| vec![sum / weight])
}

/// Class shares, or the number alone: what is predicted, given an opinion.
fn settled(target: &Attribute, opinion: Vec<f64>) -> Vec<f64> {
    match target.column.codes() {
        Some(_) => normalised(opinion),
        None => opinion,
    }
}

/// For each target the opinion of all stored rows: the prediction where no voter knows it.
pub fn fallbacks(examples: &Examples) -> Vec<Vec<f64>> {
    let everybody: Vec<Voter> = (0..examples.len())
        .map(|row| Voter {
            row,
            weight: examples.weight(row),
            distance: Measured::Number(0.0),
            role: None,
        })
        .collect();
    examples
        .targets()
        .map(|target| {
            let parts = target
                .column
                .codes()
                .map_or(1, |(_, classes)| classes.len());
            opinion(target, &everybody).unwrap_or_else(|| vec![0.0; parts])
        })
        .collect()
}

/// Queries answered at a time; the clock and the interrupt flag are looked at for each, which costs
/// nothing beside it.
pub const BATCH: usize = 256;

/// Predictions of so many queries, by the voters that each finds; a last word on them may be had
/// for each target.
pub fn predict(
    examples: &Examples,
    fallbacks: &[Vec<f64>],
    queries: usize,
    context: &Context,
    find: impl Fn(usize) -> Vec<Voter> + Sync,
    settle: impl Fn(&Attribute, &mut Vec<Voter>) + Sync,
) -> Result<Predictions> {
    let targets: Vec<&Attribute> = examples.targets().collect();
    let running = context.progress("comparing rows", queries as u64);
    let queries: Vec<usize> = (0..queries).collect();
    let batches: Vec<Vec<Vec<f64>>> = context.install(|| {
        queries
            .par_chunks(BATCH)
            .map(|queries| {
                let mut outputs: Vec<Vec<f64>> = vec![Vec::new(); targets.len()];
                for &query in queries {
                    context.check()?;
                    let found = find(query);
                    let parts = targets.iter().zip(&mut outputs).zip(fallbacks);
                    for ((target, output), fallback) in parts {
                        let mut voters = found.clone();
                        settle(target, &mut voters);
                        let opinion = opinion(target, &voters).unwrap_or_else(|| fallback.clone());
                        output.extend(settled(target, opinion));
                    }
                }
                running.advance(queries.len() as u64);
                Ok(outputs)
            })
            .collect::<Result<_>>()
    })?;
    let targets = targets
        .iter()
        .enumerate()
        .map(|(position, target)| {
            let numbers: Vec<f64> = batches
                .iter()
                .flat_map(|batch| batch[position].iter().copied())
                .collect();
            let output = match target.column.codes() {
                Some((_, classes)) => Output::of_classes(Arc::clone(classes), numbers),
                None => Output::of_numbers(numbers),
            };
            TargetPrediction {
                name: target_name(target).to_owned(),
                output,
            }
        })
        .collect();
    Ok(Predictions { targets })
}

/// Why the voters predict what they do for a row, by the `most` that count most; `number` is what a
/// stored row is called.
pub fn explain(
    examples: &Examples,
    fallbacks: &[Vec<f64>],
    (asked, row): (&Column, usize),
    most: usize,
    voters: impl Fn(&Attribute) -> Vec<Voter>,
    number: impl Fn(usize) -> usize,
) -> Explanation {
    let attributes = match asked.cells() {
        kinwood_values::Cells::Tuple { names, .. } => names
            .iter()
            .map(|name| name.clone().unwrap_or_default())
            .collect(),
        _ => Vec::new(),
    };
    let targets = examples
        .targets()
        .zip(fallbacks)
        .map(|(target, fallback)| {
            explain_target(examples, target, fallback, voters(target), most, &number)
        })
        .collect();
    Explanation {
        attributes,
        values: texts(asked, row),
        targets,
    }
}

fn explain_target(
    examples: &Examples,
    target: &Attribute,
    fallback: &[f64],
    mut voters: Vec<Voter>,
    most: usize,
    number: &dyn Fn(usize) -> usize,
) -> TargetExplanation {
    let opinion = opinion(target, &voters);
    voters.retain(|voter| target.column.is_present(voter.row));
    let total: f64 = voters.iter().map(|voter| voter.weight).sum();
    let prediction = settled(target, opinion.unwrap_or_else(|| fallback.to_vec()));
    let names: Vec<String> = match target.column.codes() {
        Some((_, classes)) => classes.labels().map(str::to_owned).collect(),
        None => vec![String::new()],
    };
    // Where nobody counts, what is known of everybody does.
    let counted = total > 0.0;
    let mut other_parts = if counted {
        vec![0.0; names.len()]
    } else {
        prediction.clone()
    };
    // The greatest first; of equals the nearest, which came first.
    voters.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    let mut influences = Vec::new();
    let mut other_share = if counted { 0.0 } else { 1.0 };
    for (place, voter) in voters.iter().enumerate() {
        let share = if counted { voter.weight / total } else { 0.0 };
        let (at, value) = match target.column.code(voter.row) {
            Some(class) => (class as usize, 1.0),
            None => (0, target.column.number(voter.row).unwrap_or(0.0)),
        };
        if place >= most {
            other_parts[at] += share * value;
            other_share += share;
            continue;
        }
        influences.push(Influence {
            row: number(voter.row),
            answer: target.column.value(voter.row).to_string(),
            share,
            contribution: share * value,
            reason: Reason::Near {
                distance: voter.distance,
                weight: voter.weight,
                role: voter.role,
            },
            values: texts(examples.rows(), voter.row),
        });
    }
    TargetExplanation {
        name: target_name(target).to_owned(),
        prediction: names.into_iter().zip(prediction).collect(),
        others: Others {
            rows: voters.len() - influences.len(),
            share: other_share,
            parts: other_parts,
        },
        reasons: Reasons::Rows(influences),
    }
}
