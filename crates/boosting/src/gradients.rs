//! A target as numbers to boost: base scores, gradients and curvatures, and how large the loss is.

use rayon::prelude::*;

use super::loss::{Loss, exponential, logistic};

/// So many rows are worked on by one thread.
const BLOCK: usize = 1 << 14;

/// The true values of a target, by row; where a row has weight 0 they say nothing.
pub enum Truth {
    /// The code of a class.
    Codes(Vec<u32>),
    /// A number.
    Numbers(Vec<f64>),
    /// By output: whether a row has it.
    Flags(Vec<Vec<bool>>),
    /// A time, and whether its event happened.
    Times(Vec<(f64, bool)>),
}

/// What is made small for a target.
pub struct Objective {
    /// The loss.
    pub loss: Loss,
    /// The true values.
    pub truth: Truth,
    /// How many scores a row has.
    pub outputs: usize,
    /// Which quantile.
    pub quantile: f64,
    /// From where on errors count by their size.
    pub delta: f64,
    /// The rows of times, the latest first.
    pub latest_first: Vec<u32>,
}

/// Gradients and curvatures, times the weights.
#[derive(Default)]
pub struct Slopes {
    /// By row.
    pub gradients: Vec<f64>,
    /// By row.
    pub curvatures: Vec<f64>,
}

impl Objective {
    fn number(&self, row: usize) -> f64 {
        match &self.truth {
            Truth::Numbers(numbers) => numbers[row],
            Truth::Times(times) => times[row].0,
            Truth::Codes(codes) => f64::from(codes[row]),
            Truth::Flags(_) => 0.0,
        }
    }

    fn flag(&self, output: usize, row: usize) -> bool {
        match &self.truth {
            Truth::Flags(flags) => flags[output][row],
            Truth::Codes(codes) if self.loss == Loss::Softmax => codes[row] == output as u32,
            Truth::Codes(codes) => codes[row] == 1,
            _ => false,
        }
    }

    /// The scores that all rows begin with.
    pub fn base(&self, weights: &[f64]) -> Vec<f64> {
        let total: f64 = weights.iter().sum();
        let mean = || -> f64 {
            let both = weights
                .iter()
                .enumerate()
                .filter(|(_, weight)| **weight > 0.0);
            both.map(|(row, weight)| weight * self.number(row))
                .sum::<f64>()
                / total
        };
        let share = |output: usize| -> f64 {
            let of = (0..weights.len()).filter(|&row| weights[row] > 0.0 && self.flag(output, row));
            of.map(|row| weights[row]).sum()
        };
        match self.loss {
            Loss::Logistic => (0..self.outputs)
                .map(|output| {
                    let own = share(output);
                    ((own + 0.5) / (total - own + 0.5)).ln()
                })
                .collect(),
            Loss::Softmax => (0..self.outputs)
                .map(|output| ((share(output) + 0.5) / (total + 1.0)).ln())
                .collect(),
            Loss::Squared => vec![mean()],
            Loss::Absolute | Loss::Huber => vec![self.quantile_of(weights, 0.5)],
            Loss::Quantile => vec![self.quantile_of(weights, self.quantile)],
            Loss::Poisson | Loss::Gamma => vec![mean().max(f64::MIN_POSITIVE).ln().max(-30.0)],
            Loss::Cox => vec![0.0],
        }
    }

    fn quantile_of(&self, weights: &[f64], share: f64) -> f64 {
        let counted = (0..weights.len()).filter(|&row| weights[row] > 0.0);
        quantile(
            counted
                .map(|row| (self.number(row), weights[row]))
                .collect(),
            share,
        )
    }

    /// Whether an output is to be boosted: not of classes that no row has, or all.
    pub fn is_open(&self, output: usize, weights: &[f64]) -> bool {
        match self.loss {
            Loss::Logistic | Loss::Softmax => {
                let mut counted = (0..weights.len()).filter(|&row| weights[row] > 0.0);
                let Some(first) = counted.next().map(|row| self.flag(output, row)) else {
                    return false;
                };
                counted.any(|row| self.flag(output, row) != first)
            }
            _ => true,
        }
    }

    /// The probabilities of all classes, an output after the other.
    pub fn probabilities(&self, scores: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let rows = scores[0].len();
        let most: Vec<f64> = (0..rows)
            .into_par_iter()
            .with_min_len(BLOCK)
            .map(|row| {
                scores
                    .iter()
                    .fold(f64::NEG_INFINITY, |most, own| most.max(own[row]))
            })
            .collect();
        let mut each: Vec<Vec<f64>> = scores
            .par_iter()
            .map(|own| {
                own.iter()
                    .zip(&most)
                    .map(|(own, most)| (own - most).exp())
                    .collect()
            })
            .collect();
        let mut sums = vec![0.0; rows];
        for own in &each {
            sums.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
        }
        each.par_iter_mut().for_each(|own| {
            own.iter_mut().zip(&sums).for_each(|(own, sum)| *own /= sum);
        });
        each
    }

    /// The slopes of an output; `probabilities` are those of classes, where there are several.
    pub fn slopes(
        &self,
        output: usize,
        scores: &[Vec<f64>],
        probabilities: &[Vec<f64>],
        weights: &[f64],
        slopes: &mut Slopes,
    ) {
        let rows = weights.len();
        slopes.gradients.resize(rows, 0.0);
        slopes.curvatures.resize(rows, 0.0);
        if self.loss == Loss::Cox {
            return self.cox(&scores[output], weights, slopes);
        }
        let scores = match self.loss {
            Loss::Softmax => &probabilities[output],
            _ => &scores[output],
        };
        let classes = self.outputs as f64;
        // The sum of the second derivatives of all classes is shared by those that are free.
        let shared = classes / (classes - 1.0).max(1.0);
        let one = |row: usize, score: f64| -> (f64, f64) {
            match self.loss {
                Loss::Logistic => {
                    let p = logistic(score);
                    (
                        p - f64::from(u8::from(self.flag(output, row))),
                        p * (1.0 - p),
                    )
                }
                Loss::Softmax => {
                    let truth = f64::from(u8::from(self.flag(output, row)));
                    (score - truth, shared * score * (1.0 - score))
                }
                Loss::Squared | Loss::Cox => (score - self.number(row), 1.0),
                Loss::Absolute => ((score - self.number(row)).signum(), 1.0),
                Loss::Huber => (
                    (score - self.number(row)).clamp(-self.delta, self.delta),
                    1.0,
                ),
                Loss::Quantile => match self.number(row) > score {
                    true => (-self.quantile, 1.0),
                    false => (1.0 - self.quantile, 1.0),
                },
                Loss::Poisson => {
                    let mean = exponential(score);
                    (mean - self.number(row), mean)
                }
                Loss::Gamma => {
                    let ratio = self.number(row) * exponential(-score);
                    (1.0 - ratio, ratio)
                }
            }
        };
        let gradients = slopes.gradients.par_chunks_mut(BLOCK);
        let both = gradients.zip(slopes.curvatures.par_chunks_mut(BLOCK));
        both.enumerate()
            .for_each(|(block, (gradients, curvatures))| {
                let from = block * BLOCK;
                let out = gradients.iter_mut().zip(curvatures);
                let given = scores[from..].iter().zip(&weights[from..]);
                for ((row, (gradient, curvature)), (&score, &weight)) in
                    (from..).zip(out).zip(given)
                {
                    let (slope, bend) = match weight > 0.0 {
                        true => one(row, score),
                        false => (0.0, 0.0),
                    };
                    *gradient = weight * slope;
                    *curvature = weight * bend;
                }
            });
    }

    /// Breslow's partial likelihood.
    fn cox(&self, scores: &[f64], weights: &[f64], slopes: &mut Slopes) {
        let Truth::Times(times) = &self.truth else {
            return;
        };
        let steps = hazard_steps(times, &self.latest_first, scores, weights);
        // Sums over the events up to a time, from the earliest on.
        let (mut first, mut second) = (0.0, 0.0);
        let mut steps = steps.into_iter().rev().peekable();
        for &row in self.latest_first.iter().rev() {
            let row = row as usize;
            while let Some(step) = steps.next_if(|step| step.time <= times[row].0) {
                first += step.events / step.risk;
                second += step.events / (step.risk * step.risk);
            }
            let weight = weights[row];
            let risk = exponential(scores[row]);
            let event = f64::from(u8::from(times[row].1));
            slopes.gradients[row] = weight * (risk * first - event);
            slopes.curvatures[row] = weight * (risk * first - risk * risk * second).max(1e-6);
        }
    }

    /// The mean loss of rows with a part of what was added to the scores they began with, and its
    /// first and second derivatives by that part, which are of classes alone.
    pub fn scaled_loss(
        &self,
        scores: &[Vec<f64>],
        base: &[f64],
        rows: &[u32],
        weights: &[f64],
        scale: f64,
    ) -> [f64; 3] {
        if !self.loss.is_of_classes() {
            return [self.mean_loss(scores, rows, weights), 0.0, 0.0];
        }
        let blocks: Vec<[f64; 4]> = rows
            .par_chunks(BLOCK)
            .map(|rows| {
                let mut sums = [0.0; 4];
                let mut parts = vec![(0.0, 0.0); self.outputs];
                for &row in rows {
                    let row = row as usize;
                    if weights[row] <= 0.0 {
                        continue;
                    }
                    for ((part, own), base) in parts.iter_mut().zip(scores).zip(base) {
                        let added = own[row] - base;
                        *part = (base + scale * added, added);
                    }
                    let own = self.scaled(row, &parts);
                    for (sum, own) in sums.iter_mut().zip(own) {
                        *sum += weights[row] * own;
                    }
                    sums[3] += weights[row];
                }
                sums
            })
            .collect();
        let mut sums = [0.0; 4];
        for block in blocks {
            sums.iter_mut()
                .zip(block)
                .for_each(|(sum, own)| *sum += own);
        }
        match sums[3] > 0.0 {
            true => [sums[0] / sums[3], sums[1] / sums[3], sums[2] / sums[3]],
            false => [0.0; 3],
        }
    }

    /// The loss of a row of classes and its derivatives by the part of what was added; of each
    /// output the score and what was added to it.
    fn scaled(&self, row: usize, parts: &[(f64, f64)]) -> [f64; 3] {
        match (self.loss, &self.truth) {
            (Loss::Softmax, Truth::Codes(codes)) => {
                let most = parts
                    .iter()
                    .fold(f64::NEG_INFINITY, |most, own| most.max(own.0));
                let (mut sum, mut first, mut second) = (0.0, 0.0, 0.0);
                for (score, added) in parts {
                    let own = (score - most).exp();
                    sum += own;
                    first += own * added;
                    second += own * added * added;
                }
                let (score, added) = parts[codes[row] as usize];
                let mean = first / sum;
                [
                    most + sum.ln() - score,
                    mean - added,
                    (second / sum - mean * mean).max(0.0),
                ]
            }
            _ => {
                let mut all = [0.0; 3];
                for (output, (score, added)) in parts.iter().enumerate() {
                    let p = logistic(*score);
                    let (signed, truth) = match self.flag(output, row) {
                        true => (-score, 1.0),
                        false => (*score, 0.0),
                    };
                    // ln(1 + e^x), without overflow.
                    all[0] += signed.max(0.0) + (-signed.abs()).exp().ln_1p();
                    all[1] += (p - truth) * added;
                    all[2] += p * (1.0 - p) * added * added;
                }
                all
            }
        }
    }

    /// The mean loss of rows.
    fn mean_loss(&self, scores: &[Vec<f64>], rows: &[u32], weights: &[f64]) -> f64 {
        if let Truth::Times(times) = &self.truth {
            return partial_likelihood(times, &self.latest_first, &scores[0], rows, weights);
        }
        let least = f64::MIN_POSITIVE;
        let one = |row: usize| -> f64 {
            let score = scores[0][row];
            match self.loss {
                // Of classes, `scaled_loss` has it.
                Loss::Logistic | Loss::Softmax => 0.0,
                Loss::Squared | Loss::Cox => (score - self.number(row)).powi(2),
                Loss::Absolute => (score - self.number(row)).abs(),
                Loss::Huber => {
                    let error = (score - self.number(row)).abs();
                    match error <= self.delta {
                        true => error * error / 2.0,
                        false => self.delta * (error - self.delta / 2.0),
                    }
                }
                Loss::Quantile => {
                    let error = self.number(row) - score;
                    error * (self.quantile - f64::from(u8::from(error < 0.0)))
                }
                Loss::Poisson => exponential(score) - self.number(row) * score,
                Loss::Gamma => score + self.number(row).max(least) * exponential(-score),
            }
        };
        let blocks: Vec<(f64, f64)> = rows
            .par_chunks(BLOCK)
            .map(|rows| {
                rows.iter().fold((0.0, 0.0), |(sum, total), &row| {
                    let weight = weights[row as usize];
                    match weight > 0.0 {
                        true => (sum + weight * one(row as usize), total + weight),
                        false => (sum, total),
                    }
                })
            })
            .collect();
        // In the order of the rows, whoever added them up.
        let (sum, total) = blocks
            .into_iter()
            .fold((0.0, 0.0), |(sum, total), own| (sum + own.0, total + own.1));
        match total > 0.0 {
            true => sum / total,
            false => 0.0,
        }
    }

    /// What a leaf answers where answers are quantiles of what is left.
    pub fn left(&self, rows: &[u32], scores: &[f64], weights: &[f64]) -> f64 {
        let counted = rows
            .iter()
            .map(|row| *row as usize)
            .filter(|row| weights[*row] > 0.0);
        let left = counted.map(|row| (self.number(row) - scores[row], weights[row]));
        let share = match self.loss {
            Loss::Quantile => self.quantile,
            _ => 0.5,
        };
        quantile(left.collect(), share)
    }
}

/// The value up to which a share of the weight lies; between two, their middle.
pub fn quantile(mut values: Vec<(f64, f64)>, share: f64) -> f64 {
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    let total: f64 = values.iter().map(|(_, weight)| weight).sum();
    let wanted = share * total;
    let mut sum = 0.0;
    for (place, (value, weight)) in values.iter().enumerate() {
        sum += weight;
        if sum > wanted {
            return *value;
        }
        if sum == wanted {
            let next = values.get(place + 1).map_or(*value, |next| next.0);
            return value / 2.0 + next / 2.0;
        }
    }
    values.last().map_or(0.0, |last| last.0)
}

/// A time at which events happened.
pub struct HazardStep {
    /// The time.
    pub time: f64,
    /// The weight of its events.
    pub events: f64,
    /// The sum of the risks of those who could have had one.
    pub risk: f64,
}

/// The times of events, the latest first.
pub fn hazard_steps(
    times: &[(f64, bool)],
    latest_first: &[u32],
    scores: &[f64],
    weights: &[f64],
) -> Vec<HazardStep> {
    let mut steps: Vec<HazardStep> = Vec::new();
    let mut risk = 0.0;
    let mut at = 0;
    while at < latest_first.len() {
        let time = times[latest_first[at] as usize].0;
        let mut events = 0.0;
        while at < latest_first.len() && times[latest_first[at] as usize].0 == time {
            let row = latest_first[at] as usize;
            risk += weights[row] * exponential(scores[row]);
            events += weights[row] * f64::from(u8::from(times[row].1));
            at += 1;
        }
        if events > 0.0 && risk > 0.0 {
            steps.push(HazardStep { time, events, risk });
        }
    }
    steps
}

/// The mean negative partial likelihood of the events among rows, each beside those rows that were
/// still at risk.
fn partial_likelihood(
    times: &[(f64, bool)],
    latest_first: &[u32],
    scores: &[f64],
    rows: &[u32],
    weights: &[f64],
) -> f64 {
    let mut among = vec![0.0; times.len()];
    for &row in rows {
        among[row as usize] = weights[row as usize];
    }
    let steps = hazard_steps(times, latest_first, scores, &among);
    let own = rows
        .iter()
        .map(|row| *row as usize)
        .filter(|row| times[*row].1);
    let (sum, total) = own.fold((0.0, 0.0), |(sum, total), row| {
        (sum + among[row] * scores[row], total + among[row])
    });
    let risks: f64 = steps.iter().map(|step| step.events * step.risk.ln()).sum();
    match total > 0.0 {
        true => (risks - sum) / total,
        false => 0.0,
    }
}
