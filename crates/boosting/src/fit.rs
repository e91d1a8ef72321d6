//! Fitting: what a task is made into, and how the number of rounds is chosen.

use kinwood_learning::context::Context;
use kinwood_learning::error::{Error, Result};
use kinwood_learning::facts::StopReason;
use kinwood_learning::inner::{is_timed, times};
use kinwood_learning::model::{Learner, Model};
use kinwood_learning::target::{
    CENSORED, CLASSES, CensoredTime, LABELS, NUMBERS, ORDERED, TargetKind,
};
use kinwood_learning::task::{Target, Task};

use super::bins::Binned;
use super::boosting::{Boosted, Plan, boost, by_folds};
use super::constraints::{Together, directions};
use super::error::BoostError;
use super::features::Reader;
use super::gradients::{Objective, Truth, hazard_steps, quantile};
use super::grow::Growth;
use super::loss::Loss;
use super::model::{BoostedModel, BoostedTarget, Report};
use super::prototypes::features;
use super::settings::{BOOST, Boost, BoostClassWeights, BoostCombine, Stopping};
use super::split::Rules;

/// From so many rows on a part is held back once and for all.
const MANY: usize = 10_000;
/// Fewer rows are not divided into folds.
const FEW: usize = 30;
/// The share of the rows that is held back: one in so many.
const HELD: usize = 10;
/// The most rounds where nothing tells how many are good.
const BLIND: usize = 50;

/// The stream of random numbers that rows and columns are drawn by, and that of folds.
const DRAWN: u64 = 0xB005;
const FOLDED: u64 = 0xF01D;

impl Learner for Boost {
    fn fit(&self, task: &Task, context: &Context) -> Result<Box<dyn Model>> {
        self.check()?;
        for target in task.targets() {
            if !target.is_one_of(BOOST.targets) {
                return Err(Error::TargetType {
                    learner: BOOST.name,
                    expected: BOOST.targets.name(),
                    target: target.name().to_owned(),
                    found: target.found(),
                    hint: "",
                });
            }
        }
        context.install(|| self.fitted(task, context))
    }
}

impl Boost {
    fn fitted(&self, task: &Task, context: &Context) -> Result<Box<dyn Model>> {
        let view = task.view();
        let mut features = features(task, self.items, self.prototypes, context)?;
        let of = |task: &Task| -> Vec<f64> {
            (0..task.view().len()).map(|row| task.weight(row)).collect()
        };
        // Rows to validate by stand behind those to learn from, and have no say in the bins.
        let mut weights = of(task);
        let validation = task.validation();
        let binned = {
            let mut readers = vec![Reader::new(&features, view)?];
            let mut counted = weights.clone();
            if let Some(validation) = validation {
                readers.push(Reader::new(&features, validation.view())?);
                weights.extend(of(validation));
                counted.resize(weights.len(), 0.0);
            }
            Binned::new(&features, &readers, &counted, self.bins)
        };
        binned.note_rare(&mut features);
        let directions = directions(&features, &self.monotone)?;
        let together = Together::new(&features, &self.interactions)?;
        let mut targets = Vec::new();
        let mut stopped = StopReason::Complete;
        for (place, target) in task.targets().iter().enumerate() {
            let beside = validation.and_then(|validation| validation.targets().get(place));
            let known = Known::new(self, target, beside, view.len(), &weights)?;
            let total: f64 = known.weights[..view.len()].iter().sum();
            let rules = Rules {
                l1: self.l1,
                l2: self.l2,
                leaf: self.leaf.unwrap_or((total / 20.0).floor().clamp(2.0, 20.0)),
                curvature: self.curvature,
                gain: self.gain,
                monotone: directions.clone(),
            };
            let plan = Plan {
                growth: Growth {
                    binned: &binned,
                    features: &features,
                    rules: &rules,
                    together: &together,
                    leaves: self.leaves,
                    depth: self.depth.unwrap_or(usize::MAX),
                },
                rate: self.rate,
                rows: self.rows,
                columns: self.columns,
                trees: self.trees,
                patience: self.patience,
                stream: context.generator(&[DRAWN, place as u64]).bits() >> 24,
            };
            let (boosted, how) = self.boosted(&plan, &known, task, context)?;
            if boosted.stopped.cut_short() {
                context.cut_short();
                stopped = boosted.stopped;
            }
            targets.push(known.finished(target, boosted, how));
        }
        let report = Report { stopped };
        Ok(Box::new(BoostedModel::new(features, targets, report)))
    }

    /// Boosts a target, and says how the number of rounds was chosen.
    fn boosted(
        &self,
        plan: &Plan<'_>,
        known: &Known,
        task: &Task,
        context: &Context,
    ) -> Result<(Boosted, String)> {
        let (objective, weights) = (&known.objective, &known.weights);
        let own = task.view().len() as u32;
        let counts = |row: &u32| weights[*row as usize] > 0.0;
        let counted: Vec<u32> = (0..own).filter(counts).collect();
        let given: Vec<u32> = (own..weights.len() as u32).filter(counts).collect();
        if !given.is_empty() && matches!(self.stopping, Stopping::Auto | Stopping::Holdout) {
            let boosted = boost(plan, objective, weights, &given, self.trees, context)?;
            let how = format!("validation rows ({})", given.len());
            let how = told(&boosted, &how);
            return Ok((boosted, how));
        }
        let mut weights = weights.clone();
        given.iter().for_each(|&row| weights[row as usize] = 0.0);
        let weights = &weights;
        let stopping = match self.stopping {
            Stopping::Auto if counted.len() < FEW => Stopping::None,
            Stopping::Auto if counted.len() < MANY && !is_timed(task.view()) => Stopping::Folds,
            Stopping::Auto => Stopping::Holdout,
            // Of one row nothing can be held back.
            _ if counted.len() < 2 => Stopping::None,
            stopping => stopping,
        };
        match stopping {
            Stopping::Folds => {
                let folds = folds(objective, &counted, self.folds, context);
                let found = by_folds(plan, objective, weights, &folds, context)?;
                let how = format!("{} folds", folds.len());
                // Hazards are of the scores of one model.
                let boosted =
                    match self.combine == BoostCombine::Average && objective.loss != Loss::Cox {
                        true => found.together(objective.outputs),
                        false => {
                            let rounds = found.rounds;
                            let boosted = boost(plan, objective, weights, &[], rounds, context)?;
                            found.applied(boosted)
                        }
                    };
                let how = told(&boosted, &how);
                Ok((boosted, how))
            }
            Stopping::Holdout => {
                let held = held_back(task, &counted, context);
                let boosted = boost(plan, objective, weights, &held, self.trees, context)?;
                let which = match is_timed(task.view()) {
                    true => "the latest rows",
                    false => "rows held back",
                };
                let how = told(&boosted, &format!("{which} ({})", held.len()));
                Ok((boosted, how))
            }
            Stopping::Auto | Stopping::None => {
                let rounds = match self.stopping {
                    Stopping::Auto => self.trees.min(BLIND),
                    _ => self.trees,
                };
                let boosted = boost(plan, objective, weights, &[], rounds, context)?;
                let rounds = boosted.rounds();
                Ok((boosted, format!("{rounds} rounds")))
            }
        }
    }
}

/// How the number of rounds was chosen, in words.
fn told(boosted: &Boosted, by: &str) -> String {
    let rounds = boosted.rounds();
    let mut how = format!("{rounds} rounds chosen by {by}");
    if boosted.models > 1 {
        how += &format!(", the mean of {} models", boosted.models);
    }
    if boosted.scale != 1.0 {
        how += &format!(", of which {:.2} is taken", boosted.scale);
    }
    how
}

/// The rows that are held back: the latest where rows have a time, else drawn ones.
fn held_back(task: &Task, counted: &[u32], context: &Context) -> Vec<u32> {
    let count = (counted.len() / HELD).max(1);
    let mut rows = counted.to_vec();
    let view = task.view();
    match is_timed(view) {
        true => {
            let times = times(view);
            rows.sort_by(|&a, &b| {
                let (first, second) = (times[a as usize], times[b as usize]);
                first.total_cmp(&second).then(a.cmp(&b))
            });
        }
        false => context.generator(&[FOLDED]).shuffle(&mut rows),
    }
    let mut held = rows.split_off(rows.len() - count);
    held.sort_unstable();
    held
}

/// The rows in folds that have about the same share of each class.
fn folds(objective: &Objective, counted: &[u32], count: usize, context: &Context) -> Vec<Vec<u32>> {
    let mut rows = counted.to_vec();
    context.generator(&[FOLDED]).shuffle(&mut rows);
    if let Truth::Codes(codes) = &objective.truth {
        rows.sort_by_key(|row| codes[*row as usize]);
    }
    let mut folds = vec![Vec::new(); count.min(rows.len())];
    for (place, row) in rows.into_iter().enumerate() {
        let fold = place % folds.len();
        folds[fold].push(row);
    }
    folds.iter_mut().for_each(|fold| fold.sort_unstable());
    folds
}

/// What is known of a target.
struct Known {
    objective: Objective,
    /// By row; 0 where the target is not known.
    weights: Vec<f64>,
}

impl Known {
    /// Of so many own rows, and of the rows to validate by that stand behind them.
    fn new(
        learner: &Boost,
        target: &Target,
        beside: Option<&Target>,
        own: usize,
        weights: &[f64],
    ) -> Result<Self> {
        let rows = weights.len();
        let kind = target.kind().expect("the kind of a target was checked");
        let truth = |row: usize| match row < own {
            true => target.truth(row),
            false => beside?.truth(row - own).filter(|truth| kind.fits(truth)),
        };
        let truth: Vec<Option<Vec<f64>>> = (0..rows).map(truth).collect();
        let mut weights: Vec<f64> = weights
            .iter()
            .zip(&truth)
            .map(|(weight, truth)| if truth.is_some() { *weight } else { 0.0 })
            .collect();
        let numbers = |place: usize| -> Vec<f64> {
            let own = truth
                .iter()
                .map(|truth| truth.as_ref().map_or(0.0, |truth| truth[place]));
            own.collect()
        };
        let mut outputs = 1;
        let mut latest_first = Vec::new();
        let (loss, truth) = match kind.entry() {
            entry if *entry == CLASSES => {
                outputs = match kind.width() {
                    2 => 1,
                    width => width,
                };
                let loss = match kind.width() {
                    2 => Loss::Logistic,
                    _ => Loss::Softmax,
                };
                let codes = numbers(0).into_iter().map(|code| code as u32).collect();
                (loss, Truth::Codes(codes))
            }
            entry if *entry == ORDERED => {
                // Whether the class comes no later than each but the last.
                outputs = kind.width().saturating_sub(1).max(1);
                let codes = numbers(0);
                let step = |step: usize| codes.iter().map(|code| *code <= step as f64).collect();
                (
                    Loss::Logistic,
                    Truth::Flags((0..outputs).map(step).collect()),
                )
            }
            entry if *entry == LABELS => {
                outputs = kind.width();
                let mut flags = vec![vec![false; rows]; outputs];
                for (row, truth) in truth.iter().enumerate() {
                    for &label in truth.iter().flatten() {
                        flags[label as usize][row] = true;
                    }
                }
                (Loss::Logistic, Truth::Flags(flags))
            }
            entry if *entry == CENSORED => {
                let (times, events) = (numbers(0), numbers(1));
                let both = times.iter().zip(&events);
                let times: Vec<(f64, bool)> =
                    both.map(|(time, event)| (*time, *event > 0.0)).collect();
                latest_first = (0..rows as u32)
                    .filter(|row| weights[*row as usize] > 0.0)
                    .collect();
                latest_first.sort_by(|a, b| {
                    times[*b as usize]
                        .0
                        .total_cmp(&times[*a as usize].0)
                        .then(a.cmp(b))
                });
                (Loss::Cox, Truth::Times(times))
            }
            _ => (learner.loss, Truth::Numbers(numbers(0))),
        };
        if let Truth::Numbers(numbers) = &truth {
            check_numbers(loss, target, numbers, &weights)?;
        }
        if kind.is(&CLASSES) {
            weigh_classes(&learner.weights, target, &truth, &mut weights)?;
        } else if matches!(learner.weights, BoostClassWeights::Given(_)) && !kind.is(&NUMBERS) {
            return Err(BoostError::ClassWeights.into());
        }
        let delta = match &truth {
            Truth::Numbers(numbers) if loss == Loss::Huber => {
                learner.delta.unwrap_or_else(|| spread(numbers, &weights))
            }
            _ => 1.0,
        };
        Ok(Self {
            objective: Objective {
                loss,
                truth,
                outputs,
                quantile: learner.quantile,
                delta,
                latest_first,
            },
            weights,
        })
    }

    /// The target of the model.
    fn finished(&self, target: &Target, boosted: Boosted, chosen: String) -> BoostedTarget {
        let kind: TargetKind = target
            .kind()
            .expect("the kind of a target was checked")
            .clone();
        let objective = &self.objective;
        // How much hazard there is by each of the times, for a score of 0.
        let hazards = match (&objective.truth, kind.as_kind::<CensoredTime>()) {
            (Truth::Times(times), Some(own)) => {
                let steps = hazard_steps(
                    times,
                    &objective.latest_first,
                    &boosted.scores[0],
                    &self.weights,
                );
                let by = |time: &f64| {
                    let until = steps.iter().filter(|step| step.time <= *time);
                    until.map(|step| step.events / step.risk).sum::<f64>()
                };
                own.times().iter().map(by).collect()
            }
            _ => Vec::new(),
        };
        BoostedTarget {
            name: target.name().to_owned(),
            kind,
            loss: objective.loss,
            base: boosted.base,
            models: boosted.models,
            trees: boosted.trees,
            hazards,
            weight: (0..target.values().column.len())
                .map(|row| self.weights[row])
                .sum(),
            chosen,
            loss_held: boosted.loss,
        }
    }
}

/// Where nine tenths of the rows are nearer to the median.
fn spread(numbers: &[f64], weights: &[f64]) -> f64 {
    let counted = || {
        numbers
            .iter()
            .copied()
            .zip(weights.iter().copied())
            .filter(|(_, weight)| *weight > 0.0)
    };
    let median = quantile(counted().collect(), 0.5);
    let far = quantile(
        counted()
            .map(|(number, weight)| ((number - median).abs(), weight))
            .collect(),
        0.9,
    );
    match far > 0.0 {
        true => far,
        false => 1.0,
    }
}

/// Fails on numbers that have no such loss.
fn check_numbers(loss: Loss, target: &Target, numbers: &[f64], weights: &[f64]) -> Result<()> {
    let fits = |number: f64| match loss {
        Loss::Poisson => number >= 0.0,
        Loss::Gamma => number > 0.0,
        _ => true,
    };
    let mut counted = (0..numbers.len()).filter(|&row| weights[row] > 0.0);
    match counted.find(|&row| !fits(numbers[row])) {
        None => Ok(()),
        Some(row) => Err(BoostError::Number {
            loss: loss.name(),
            target: target.name().to_owned(),
            found: numbers[row],
            expected: match loss {
                Loss::Poisson => "numbers that are not negative",
                _ => "numbers above 0",
            },
        }
        .into()),
    }
}

fn weigh_classes(
    given: &BoostClassWeights,
    target: &Target,
    truth: &Truth,
    weights: &mut [f64],
) -> Result<()> {
    let (Truth::Codes(codes), Some(classes)) = (truth, target.classes()) else {
        return Ok(());
    };
    let mut by = vec![1.0; classes.len()];
    match given {
        BoostClassWeights::None => return Ok(()),
        BoostClassWeights::Balanced => {
            let mut sums = vec![0.0; classes.len()];
            for (code, weight) in codes.iter().zip(&*weights) {
                sums[*code as usize] += weight;
            }
            let present = sums.iter().filter(|sum| **sum > 0.0).count() as f64;
            let total: f64 = sums.iter().sum();
            for (by, sum) in by.iter_mut().zip(sums) {
                *by = if sum > 0.0 {
                    total / (present * sum)
                } else {
                    1.0
                };
            }
        }
        BoostClassWeights::Given(given) => {
            for (label, weight) in given {
                let code = classes.code(label).ok_or_else(|| Error::SettingValue {
                    name: "weights".to_owned(),
                    value: label.clone(),
                    expected: format!("classes of `{}`", target.name()),
                    nearest: kinwood_values::suggest::nearest(label, classes.labels()),
                })?;
                by[code as usize] = *weight;
            }
        }
    }
    for (code, weight) in codes.iter().zip(weights) {
        *weight *= by[*code as usize];
    }
    Ok(())
}
