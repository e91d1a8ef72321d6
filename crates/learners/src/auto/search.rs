//! The search: rungs of folds, after each of which the worse half is left out.

use std::time::Duration;

use kinwood_learning::flatten::{Flatten, Kind};
use kinwood_learning::inner::{InnerFold, folds};
use kinwood_learning::{Context, Error, Model, Result, TargetKind, Task};
use kinwood_values::View;
use rayon::prelude::*;

use super::candidates::Candidate;
use super::losses::{Losses, losses, mean, measure, standard_error};
use super::model::{AutoModel, Kept, Report, Tried};
use super::{AUTO, Answer, Auto, estimate};
use crate::builtin::learners;
use crate::registry::Registry;

/// So many candidates are never left out before all folds are done.
const FEWEST: usize = 3;
/// Learners that are easier to read than this are cheap, and tried on all folds.
const READABLE: usize = 3;
/// A candidate may take this share of the time that is left.
const SHARE: f64 = 0.3;
/// Of the time that is left so much is kept for fitting what was chosen, in terms of what the
/// slowest candidate took for a fold.
const RESERVE: f64 = 3.0;

/// A candidate under way.
struct Running {
    candidate: Candidate,
    losses: Losses,
    /// How many folds it was tried on.
    folds: usize,
    /// Why it is not tried any more.
    left_out: Option<String>,
    /// The longest that a fold took.
    took: Duration,
}

impl Running {
    fn is_open(&self) -> bool {
        self.left_out.is_none()
    }
}

/// Tries candidates and fits what was chosen.
pub fn fit(auto: &Auto, task: &Task, context: &Context) -> Result<Box<dyn Model>> {
    let registry = learners();
    let targets: Vec<usize> = task.targets().iter().map(|own| own.column()).collect();
    for target in task.targets() {
        if !target.is_one_of(AUTO.targets) {
            return Err(Error::TargetType {
                learner: AUTO.name,
                expected: AUTO.targets.name(),
                target: target.name().to_owned(),
                found: target.found(),
                hint: "",
            });
        }
    }
    let named = auto.learners.as_deref();
    let candidates = Candidate::suitable(task.view(), &targets, named, &registry);
    if candidates.is_empty() {
        return Err(Error::SettingValue {
            name: "learners".to_owned(),
            value: named.unwrap_or_default().join(", "),
            expected: "learners that suit the data and its targets".to_owned(),
            nearest: None,
        });
    }
    let mut running: Vec<Running> = candidates
        .into_iter()
        .map(|candidate| Running {
            candidate,
            losses: Losses::new(),
            folds: 0,
            left_out: None,
            took: Duration::ZERO,
        })
        .collect();
    let folds = folds(task, auto.folds, context);
    let kinds = task.targets().iter().filter_map(|target| target.kind());
    let kinds: Vec<TargetKind> = kinds.cloned().collect();
    let first_error = search(&mut running, task, &folds, &kinds, &registry, context)?;
    chosen(auto, task, running, &kinds, first_error, &registry, context)
}

/// Tries candidates on folds, rung by rung. The first failure of a candidate is told where nothing
/// else was found.
fn search(
    running: &mut [Running],
    task: &Task,
    folds: &[InnerFold],
    kinds: &[TargetKind],
    registry: &Registry,
    context: &Context,
) -> Result<Option<Error>> {
    let steps = (folds.len() * running.len()) as u64;
    let progress = context.progress("trying learners", steps);
    let mut first_error = None;
    let rungs = [folds.len().div_ceil(5), folds.len().div_ceil(2)];
    for (place, fold) in folds.iter().enumerate() {
        context.check()?;
        if place > 0 && out_of_time(running, context) {
            break;
        }
        if rungs.contains(&place) && place > 0 {
            halve(running);
        }
        let pair = Rows::new(fold, task, place, context)?;
        let outcomes: Vec<Option<Result<(Losses, Duration)>>> = context.install(|| {
            running
                .par_iter()
                .map(|own| {
                    let outcome = own.is_open().then(|| {
                        let begun = std::time::Instant::now();
                        let held = pair.tried(&own.candidate, registry, place, context)?;
                        Ok((losses(kinds, &held), begun.elapsed()))
                    });
                    progress.advance(1);
                    outcome
                })
                .collect()
        });
        for (own, outcome) in running.iter_mut().zip(outcomes) {
            match outcome {
                None => {}
                Some(Ok((losses, took))) => {
                    own.losses.extend(losses);
                    own.folds += 1;
                    own.took = own.took.max(took);
                }
                Some(Err(Error::Interrupted)) => return Err(Error::Interrupted),
                Some(Err(error)) => {
                    own.left_out = Some(match &error {
                        Error::OutOfTime => "not done in time".to_owned(),
                        other => other.to_string(),
                    });
                    first_error.get_or_insert(error);
                }
            }
        }
    }
    Ok(first_error)
}

/// Whether the rest of the time is for fitting what was chosen.
fn out_of_time(running: &[Running], context: &Context) -> bool {
    let open = running.iter().filter(|own| own.is_open());
    let slowest = open.map(|own| own.took).max().unwrap_or_default();
    context
        .remaining()
        .is_some_and(|rest| rest < slowest.mul_f64(RESERVE))
}

/// Leaves out the worse half of those that are not easy to read.
fn halve(running: &mut [Running]) {
    let mut open: Vec<(f64, usize)> = running
        .iter()
        .enumerate()
        .filter(|(_, own)| own.is_open() && own.candidate.effort() > READABLE)
        .map(|(place, own)| (mean(&own.losses), place))
        .collect();
    open.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let kept = open.len().div_ceil(2).max(FEWEST);
    for (_, place) in open.into_iter().skip(kept) {
        let folds = running[place].folds;
        running[place].left_out = Some(format!("among the worse after {folds} of the folds"));
    }
}

/// The rows of a fold, as they are and flattened.
struct Rows {
    task: Task,
    others: View,
    flat: Option<(Task, View)>,
    fold: InnerFold,
    whole: Task,
}

impl Rows {
    fn new(fold: &InnerFold, whole: &Task, place: usize, context: &Context) -> Result<Self> {
        let task = fold.task(whole)?;
        let others = fold.others(whole);
        let linked = !task.view().database().foreign_keys().is_empty();
        let flatten = Flatten {
            kind: Kind::Averaged,
            ..Flatten::default()
        };
        let flat = match linked {
            true => flatten.flat_pair(&task, &others, &fold.context(place, context))?,
            false => None,
        };
        Ok(Self {
            task,
            others,
            flat,
            fold: fold.clone(),
            whole: whole.clone(),
        })
    }

    /// What a candidate predicts of the rows to predict.
    fn tried(
        &self,
        candidate: &Candidate,
        registry: &Registry,
        place: usize,
        context: &Context,
    ) -> Result<Vec<Vec<kinwood_learning::inner::HeldRow>>> {
        let mut context = self.fold.context(place, context).apart();
        if let Some(rest) = context.remaining() {
            context = context.with_time(rest.mul_f64(SHARE));
        }
        let (learner, task, others) = match &self.flat {
            Some((task, others)) if candidate.flat => (candidate.inner(registry)?, task, others),
            _ => (candidate.whole(registry)?, &self.task, &self.others),
        };
        let model = learner.fit(task, &context)?;
        // What was found until the time was over says little of the learner.
        if context.was_cut_short() {
            context.check()?;
        }
        let predictions = model.predict(others, &context)?;
        Ok(self.fold.held(&self.whole, &predictions, place))
    }
}

/// Fits what was chosen to all rows.
fn chosen(
    auto: &Auto,
    task: &Task,
    running: Vec<Running>,
    kinds: &[TargetKind],
    first_error: Option<Error>,
    registry: &Registry,
    context: &Context,
) -> Result<Box<dyn Model>> {
    let most = running
        .iter()
        .filter(|own| own.is_open())
        .map(|own| own.folds)
        .max();
    // Those that were tried on all folds that any was tried on.
    let finalists: Vec<usize> = (0..running.len())
        .filter(|&place| running[place].is_open() && Some(running[place].folds) == most)
        .collect();
    let by_loss = |place: &usize| mean(&running[*place].losses);
    let best = finalists
        .iter()
        .copied()
        .min_by(|a, b| by_loss(a).total_cmp(&by_loss(b)));
    let Some(best) = best else {
        return Err(first_error.unwrap_or(Error::OutOfTime));
    };
    let error = standard_error(&running[best].losses);
    let slack = if error.is_finite() { error } else { 0.0 };
    let near = |place: &usize| mean(&running[*place].losses) <= by_loss(&best) + slack;
    let readable = finalists
        .iter()
        .copied()
        .filter(near)
        .min_by(|&a, &b| {
            let effort = |place: usize| running[place].candidate.effort();
            effort(a)
                .cmp(&effort(b))
                .then(by_loss(&a).total_cmp(&by_loss(&b)))
        })
        .unwrap_or(best);
    let of_finalists: Vec<&Losses> = finalists
        .iter()
        .map(|&place| &running[place].losses)
        .collect();
    let expected = estimate::of_choice(&of_finalists, context);
    let mut kept = Vec::new();
    let mut places = vec![best, readable];
    if auto.answer == Answer::Readable {
        places.reverse();
    }
    places.dedup();
    for place in places {
        let candidate = &running[place].candidate;
        let model = candidate.whole(registry)?.fit(task, context)?;
        kept.push(Kept {
            learner: candidate.learner.to_owned(),
            name: candidate.name(),
            best: place == best,
            readable: place == readable,
            model,
        });
    }
    let tried = running.into_iter().map(|own| Tried {
        name: own.candidate.name(),
        folds: own.folds,
        loss: Some(mean(&own.losses)).filter(|loss| loss.is_finite()),
        standard_error: Some(standard_error(&own.losses)).filter(|error| error.is_finite()),
        left_out: own.left_out,
    });
    let mut tried: Vec<Tried> = tried.collect();
    tried.sort_by(|a, b| {
        let key = |own: &Tried| (own.left_out.is_some(), own.loss.unwrap_or(f64::INFINITY));
        let (first, second) = (key(a), key(b));
        first.0.cmp(&second.0).then(first.1.total_cmp(&second.1))
    });
    let report = Report {
        measure: measure(kinds).to_owned(),
        folds: most.unwrap_or(0),
        rows: task.view().len(),
        expected: expected.filter(|loss| loss.is_finite()),
        tried,
    };
    Ok(Box::new(AutoModel::new(report, kept)))
}
