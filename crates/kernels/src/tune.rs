//! Settings chosen from lists: the candidate with the least error on training rows that were held
//! out.

use serde::{Deserialize, Serialize};

use super::folds::stratified;
use kinwood_learning::context::Context;
use kinwood_learning::error::Result;
use kinwood_learning::model::Model;
use kinwood_learning::task::{Target, Task};

/// Settings that were tried.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tried {
    /// The price of errors.
    pub c: f64,
    /// The width of the kernel, where it was left open.
    pub gamma: Option<f64>,
    /// The error of the held-out rows: the share of wrong classes, or the mean squared error.
    pub error: f64,
}

/// What was chosen, and from what.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tuned {
    /// How many folds held rows out.
    pub folds: usize,
    /// All that was tried, in order.
    pub tried: Vec<Tried>,
}

/// The best of the candidates, given by the place of their source and their price of errors: the
/// least error, the first of equals. The errors of all candidates of one source are asked for
/// together, so that its matrix is made once.
pub fn choose(
    sources: &[Option<f64>],
    prices: &[f64],
    folds: usize,
    errors: impl Fn(usize) -> Result<Vec<f64>>,
) -> Result<(usize, f64, Tuned)> {
    let mut tried = Vec::new();
    let mut best = (0, prices[0], f64::INFINITY);
    for (source, &gamma) in sources.iter().enumerate() {
        for (&c, error) in prices.iter().zip(errors(source)?) {
            tried.push(Tried { c, gamma, error });
            if error < best.2 {
                best = (source, c, error);
            }
        }
    }
    Ok((best.0, best.1, Tuned { folds, tried }))
}

/// What the generator is for.
const HOLDING_OUT: u64 = 3;

/// The share of wrong classes of each of so many candidates, on rows of a task that were held out
/// while they were fitted anew.
pub fn by_fitting_anew(
    task: &Task,
    target: &Target,
    (candidates, folds): (usize, usize),
    fit: impl Fn(usize, &Task) -> Result<Box<dyn Model>>,
    context: &Context,
) -> Result<Vec<f64>> {
    let class = |row: usize| target.class(row).unwrap_or(0);
    let classes: Vec<u32> = (0..task.view().len()).map(class).collect();
    let dealt = stratified(&classes, folds, &mut context.generator(&[HOLDING_OUT]));
    let mut wrong = vec![0.0; candidates];
    let mut all = 0.0;
    for fold in 0..folds {
        let of = |held: bool| -> Vec<u32> {
            let rows = (0..dealt.len()).filter(|&row| (dealt[row] == fold) == held);
            rows.map(|row| row as u32).collect()
        };
        let (training, held) = (of(false), of(true));
        if training.is_empty() || held.is_empty() {
            continue;
        }
        let training = Task::new(&task.view().select(&training), &[target.column()])?;
        let queries = task.view().select(&held);
        all += held
            .iter()
            .map(|&row| task.weight(row as usize))
            .sum::<f64>();
        for (candidate, wrong) in wrong.iter_mut().enumerate() {
            context.check()?;
            let predicted = fit(candidate, &training)?.predict(&queries, context)?;
            let output = &predicted.targets[0].output;
            let width = output.kind().width().max(1);
            for (&row, shares) in held.iter().zip(output.numbers().chunks(width)) {
                // The first of the most probable.
                let best = (0..shares.len())
                    .rev()
                    .max_by(|&a, &b| shares[a].total_cmp(&shares[b]));
                if best != Some(classes[row as usize] as usize) {
                    *wrong += task.weight(row as usize);
                }
            }
        }
    }
    Ok(wrong
        .into_iter()
        .map(|wrong| wrong / f64::max(all, f64::MIN_POSITIVE))
        .collect())
}
