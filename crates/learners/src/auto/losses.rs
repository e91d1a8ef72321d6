//! How far predictions are off, row by row, such that several targets can be added up.

use std::collections::BTreeMap;

use kinwood_learning::TargetKind;
use kinwood_learning::inner::HeldRow;
use kinwood_learning::target::{LABELS, NUMBERS};

/// Probabilities count as no less: one wrong row in a thousand does not decide.
const LEAST: f64 = 1e-3;

/// What is made small, in words.
pub fn measure(kinds: &[TargetKind]) -> &'static str {
    let all = |with: fn(&TargetKind) -> bool| kinds.iter().all(with);
    let probable = |kind: &TargetKind| {
        let parts = vec![1.0; kind.width()];
        kind.is(&LABELS) || kind.class_probabilities(&parts).is_some()
    };
    match kinds {
        [_] if all(probable) => "log loss",
        [_] if all(|kind| kind.is(&NUMBERS)) => "mean squared error",
        [_] => "mean distance",
        _ => "loss relative to that of no inputs, mean of the targets",
    }
}

/// How far a prediction is off.
fn loss(kind: &TargetKind, truth: &[f64], predicted: &[f64]) -> f64 {
    if kind.is(&NUMBERS) {
        return (truth[0] - predicted[0]).powi(2);
    }
    if kind.is(&LABELS) {
        let each = predicted.iter().enumerate().map(|(label, share)| {
            let own = match truth.contains(&(label as f64)) {
                true => *share,
                false => 1.0 - share,
            };
            -own.max(LEAST).ln()
        });
        return each.sum::<f64>() / predicted.len().max(1) as f64;
    }
    match (kind.class_probabilities(predicted), kind.true_class(truth)) {
        (Some(shares), Some(class)) => {
            let share = shares.get(class as usize).copied().unwrap_or(0.0);
            -share.max(LEAST).ln()
        }
        _ => kind.distance(truth, predicted),
    }
}

/// The loss of what is predicted without inputs: the mean, or how often there is what.
fn without_inputs(kind: &TargetKind, rows: &[HeldRow]) -> f64 {
    let total: f64 = rows.iter().map(|row| row.weight).sum();
    if total <= 0.0 {
        return 1.0;
    }
    let width = kind.width();
    let mut mean = vec![0.0; width];
    for row in rows {
        match kind.is(&NUMBERS) {
            true => mean[0] += row.weight * row.truth[0] / total,
            false if kind.is(&LABELS) => row.truth.iter().for_each(|label| {
                mean[*label as usize] += row.weight / total;
            }),
            false => match kind.true_class(&row.truth) {
                Some(class) if kind.class_probabilities(&mean).is_some() => {
                    // Classes in order are predicted by what lies up to each.
                    let ordered = !kind.is(&kinwood_learning::target::CLASSES);
                    let until = if ordered { width } else { class as usize + 1 };
                    for own in &mut mean[class as usize..until] {
                        *own += row.weight / total;
                    }
                }
                _ => return 1.0,
            },
        }
    }
    let each = rows
        .iter()
        .map(|row| row.weight * loss(kind, &row.truth, &mean));
    let mean = each.sum::<f64>() / total;
    match mean > 0.0 {
        true => mean,
        false => 1.0,
    }
}

/// The losses of rows by fold and row, with their weights.
pub type Losses = BTreeMap<(usize, u32), (f64, f64)>;

/// The losses of one fold's rows, the mean over targets; of several targets each relative to what
/// no inputs have.
pub fn losses(kinds: &[TargetKind], held: &[Vec<HeldRow>]) -> Losses {
    let mut all: Losses = BTreeMap::new();
    let mut counts: BTreeMap<(usize, u32), f64> = BTreeMap::new();
    for (kind, rows) in kinds.iter().zip(held) {
        let unit = match kinds.len() {
            1 => 1.0,
            _ => without_inputs(kind, rows),
        };
        for row in rows {
            let place = (row.fold, row.row);
            let own = all.entry(place).or_insert((0.0, row.weight));
            own.0 += loss(kind, &row.truth, &row.predicted) / unit;
            *counts.entry(place).or_default() += 1.0;
        }
    }
    for (place, (sum, _)) in &mut all {
        *sum /= counts[place];
    }
    all
}

/// The mean of losses; infinite where nothing is known.
pub fn mean(losses: &Losses) -> f64 {
    let total: f64 = losses.values().map(|(_, weight)| weight).sum();
    let sum: f64 = losses.values().map(|(loss, weight)| loss * weight).sum();
    match total > 0.0 && sum.is_finite() {
        true => sum / total,
        false => f64::INFINITY,
    }
}

/// The standard error of the mean.
pub fn standard_error(losses: &Losses) -> f64 {
    let mean = mean(losses);
    let total: f64 = losses.values().map(|(_, weight)| weight).sum();
    let squares: f64 = losses
        .values()
        .map(|(loss, weight)| (weight * (loss - mean)).powi(2))
        .sum();
    match total > 0.0 {
        true => squares.sqrt() / total,
        false => f64::INFINITY,
    }
}
