//! Inner folds: the rows of a task divided once more, so that a learner sees what it would predict
//! of rows that it has not learned from.
//!
//! Whoever chooses among learners or puts predictions right needs predictions of rows that had no
//! part in fitting. Validation rows of the task are such rows. Without them the rows are divided:
//! where rows have a time, each block is predicted by a model of the blocks before it; where they
//! have groups, a group is never on both sides; classes are spread evenly over folds.

use std::collections::BTreeMap;

use kinwood_values::{Role, View, as_of::instant};
use rayon::prelude::*;

use crate::context::Context;
use crate::error::Result;
use crate::model::Learner;
use crate::predictions::Predictions;
use crate::target::TargetKind;
use crate::task::Task;

/// The stream of random numbers that rows are divided by, and that of the seeds of folds.
const DIVIDED: u64 = 0x1DE5;
const SEEDS: u64 = 0x5EED_F01D;

/// How many folds there are, where nothing else is stated.
pub const FOLDS: usize = 5;

/// A division of the rows of a task, by their positions, rising.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InnerFold {
    /// The rows to learn from.
    pub train: Vec<u32>,
    /// The rows to predict: those of the task, or with `beside` its validation rows.
    pub test: Vec<u32>,
    /// Whether the rows to predict are validation rows.
    pub beside: bool,
}

/// Predictions of rows that the models which made them have not learned from.
#[derive(Clone, Debug)]
pub struct OutOfFold {
    /// By target.
    pub targets: Vec<HeldTarget>,
}

/// Predictions of a target, with what is true.
#[derive(Clone, Debug)]
pub struct HeldTarget {
    /// What it is.
    pub kind: TargetKind,
    /// By predicted row whose true value is known: the truth, and the prediction.
    pub rows: Vec<HeldRow>,
}

/// A predicted row.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldRow {
    /// Its position among the rows of the task, or among validation rows.
    pub row: u32,
    /// The fold that it was predicted in.
    pub fold: usize,
    /// How much it counts.
    pub weight: f64,
    /// The true value, in the terms of the kind.
    pub truth: Vec<f64>,
    /// The prediction, in the terms of the kind.
    pub predicted: Vec<f64>,
}

/// Whether examples are in an order of time: by cutoffs that differ, or by the time of their table.
pub fn is_timed(view: &View) -> bool {
    let cutoffs = view.as_of().is_some_and(|as_of| {
        let mut rows = view.rows();
        let first = rows.next().map(|row| as_of.cutoff(row));
        first.is_some_and(|first| rows.any(|row| as_of.cutoff(row) != first))
    });
    cutoffs || view.table().time().is_some()
}

/// The time of each row of a view: its cutoff, or when it is; the earliest where that is missing.
pub fn times(view: &View) -> Vec<f64> {
    let time = view.table().time();
    let own = |row: u32| match (view.as_of(), time) {
        (Some(as_of), _) => Some(as_of.cutoff(row)).filter(|cutoff| !cutoff.is_nan()),
        (None, Some(time)) => instant(&view.table().attribute(time.begin()).column, row as usize),
        _ => None,
    };
    let known = view.rows().map(own);
    known
        .map(|time| time.unwrap_or(f64::NEG_INFINITY))
        .collect()
}

/// Divides the rows of a task into at most so many folds: fewer where there are fewer rows, groups
/// or times; none where nothing can be divided.
pub fn folds(task: &Task, count: usize, context: &Context) -> Vec<InnerFold> {
    let view = task.view();
    let all: Vec<u32> = (0..view.len() as u32).collect();
    if let Some(validation) = task.validation() {
        return vec![InnerFold {
            train: all,
            test: (0..validation.view().len() as u32).collect(),
            beside: true,
        }];
    }
    if is_timed(view) {
        return forward(&times(view), count);
    }
    let fold_of = match groups(view) {
        Some(groups) => by_group(&groups, count, context),
        None => stratified(task, all, count, context),
    };
    let most = fold_of.iter().copied().max().unwrap_or(0);
    let places = 0..fold_of.len() as u32;
    let fold = |fold: usize| {
        let (test, train) = places
            .clone()
            .partition(|place| fold_of[*place as usize] == fold);
        InnerFold {
            train,
            test,
            beside: false,
        }
    };
    let folds = (0..=most).map(fold);
    folds
        .filter(|fold| !fold.train.is_empty() && !fold.test.is_empty())
        .collect()
}

/// Blocks in order of time, each but the first to be predicted by those before it; rows of the same
/// time stay together.
fn forward(times: &[f64], count: usize) -> Vec<InnerFold> {
    let mut order: Vec<u32> = (0..times.len() as u32).collect();
    order.sort_by(|&a, &b| {
        let (first, second) = (times[a as usize], times[b as usize]);
        first.total_cmp(&second).then(a.cmp(&b))
    });
    let mut begins = vec![0];
    for block in 1..=count {
        let mut at = order.len() * block / (count + 1);
        let same = |at: usize| times[order[at] as usize] == times[order[at - 1] as usize];
        while at > 0 && at < order.len() && same(at) {
            at += 1;
        }
        if at > begins[begins.len() - 1] && at < order.len() {
            begins.push(at);
        }
    }
    begins.push(order.len());
    let blocks = begins.windows(2).skip(1);
    let sorted = |rows: &[u32]| {
        let mut rows = rows.to_vec();
        rows.sort_unstable();
        rows
    };
    blocks
        .map(|ends| InnerFold {
            train: sorted(&order[..ends[0]]),
            test: sorted(&order[ends[0]..ends[1]]),
            beside: false,
        })
        .collect()
}

/// The group of each row, where rows have groups; a row without one is a group of its own.
fn groups(view: &View) -> Option<Vec<usize>> {
    let mut attributes = view.table().attributes().iter();
    let attribute = attributes.find(|attribute| attribute.role == Role::Group)?;
    let mut numbers = BTreeMap::new();
    let mut next = 0;
    let mut number = |row: u32| {
        let mut fresh = || {
            next += 1;
            next - 1
        };
        match attribute.column.is_present(row as usize) {
            true => *numbers
                .entry(attribute.column.value(row as usize))
                .or_insert_with(fresh),
            false => fresh(),
        }
    };
    Some(view.rows().map(&mut number).collect())
}

/// Groups in random order, each to the fold that has the fewest rows.
fn by_group(groups: &[usize], count: usize, context: &Context) -> Vec<usize> {
    let all = groups.iter().copied().max().map_or(0, |most| most + 1);
    let mut sizes = vec![0; all];
    groups.iter().for_each(|&group| sizes[group] += 1);
    let mut order: Vec<usize> = (0..all).collect();
    context.generator(&[DIVIDED]).shuffle(&mut order);
    let mut filled = vec![0_usize; count.min(all).max(1)];
    let mut fold_of = vec![0; all];
    for group in order {
        let fold = (0..filled.len())
            .min_by_key(|&fold| filled[fold])
            .unwrap_or(0);
        fold_of[group] = fold;
        filled[fold] += sizes[group];
    }
    groups.iter().map(|&group| fold_of[group]).collect()
}

/// Rows in random order, those of a class spread over all folds.
fn stratified(task: &Task, mut rows: Vec<u32>, count: usize, context: &Context) -> Vec<usize> {
    context.generator(&[DIVIDED]).shuffle(&mut rows);
    if let Some(target) = task.targets().first()
        && target.classes().is_some()
    {
        rows.sort_by_key(|&row| target.class(row as usize));
    }
    let count = count.min(rows.len()).max(1);
    let mut fold_of = vec![0; rows.len()];
    for (place, row) in rows.into_iter().enumerate() {
        fold_of[row as usize] = place % count;
    }
    fold_of
}

impl InnerFold {
    /// The rows to learn from as a task. Validation rows stand beside it, as beside the whole.
    pub fn task(&self, whole: &Task) -> Result<Task> {
        let targets: Vec<usize> = whole.targets().iter().map(|own| own.column()).collect();
        if self.beside {
            return Ok(whole.clone());
        }
        Task::new(&whole.view().select(&self.train), &targets)
    }

    /// What a learner, fitted to the rows to learn from, predicts of the others: by target.
    pub fn predicted(
        &self,
        learner: &dyn Learner,
        whole: &Task,
        place: usize,
        context: &Context,
    ) -> Result<Vec<Vec<HeldRow>>> {
        let context = self.context(place, context);
        let model = learner.fit(&self.task(whole)?, &context)?;
        context.check()?;
        let predictions = model.predict(&self.others(whole), &context)?;
        Ok(self.held(whole, &predictions, place))
    }

    /// What a fold of this place is fitted with.
    pub fn context(&self, place: usize, context: &Context) -> Context {
        let seed = context.generator(&[SEEDS, place as u64]).bits();
        context.quietly().with_seed(seed)
    }

    /// The task whose rows are predicted.
    fn of<'a>(&self, whole: &'a Task) -> &'a Task {
        match whole.validation().filter(|_| self.beside) {
            Some(validation) => validation,
            None => whole,
        }
    }

    /// The rows to predict, their targets hidden.
    pub fn others(&self, whole: &Task) -> View {
        self.of(whole).view().select(&self.test)
    }

    /// Predictions of the rows to predict, with what is true: by target.
    pub fn held(&self, whole: &Task, predictions: &Predictions, place: usize) -> Vec<Vec<HeldRow>> {
        let of = self.of(whole);
        let targets = of.targets().iter().zip(&predictions.targets);
        let held = targets.map(|(target, predicted)| {
            let kind = target.kind();
            let rows = self.test.iter().enumerate().filter_map(|(at, &row)| {
                let truth = target.truth(row as usize)?;
                let numbers = predicted.output.row(at);
                let numbers = kind.map_or(numbers.to_vec(), |kind| {
                    kind.aligned(predicted.output.kind(), numbers)
                });
                Some(HeldRow {
                    row,
                    fold: place,
                    weight: of.weight(row as usize),
                    truth,
                    predicted: numbers,
                })
            });
            rows.collect()
        });
        held.collect()
    }
}

/// What a learner predicts of rows that it has not learned from, fold by fold.
pub fn out_of_fold(
    learner: &dyn Learner,
    task: &Task,
    folds: &[InnerFold],
    context: &Context,
) -> Result<OutOfFold> {
    let running = context.progress("predicting inner folds", folds.len() as u64);
    let one = |(place, fold): (usize, &InnerFold)| {
        let held = fold.predicted(learner, task, place, context);
        running.advance(1);
        held
    };
    let parts: Vec<Vec<Vec<HeldRow>>> =
        context.install(|| folds.par_iter().enumerate().map(one).collect::<Result<_>>())?;
    let kinds = task.targets().iter().filter_map(|target| target.kind());
    let mut targets: Vec<HeldTarget> = kinds
        .map(|kind| HeldTarget {
            kind: kind.clone(),
            rows: Vec::new(),
        })
        .collect();
    for part in parts {
        for (target, rows) in targets.iter_mut().zip(part) {
            target.rows.extend(rows);
        }
    }
    Ok(OutOfFold { targets })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use kinwood_values::{Attribute, Column, Database, Table};

    use super::*;

    fn task(attributes: Vec<Attribute>, target: usize) -> Task {
        let table = Table::new("t", attributes).unwrap();
        let view = View::new(Arc::new(Database::single(table).unwrap()), 0);
        Task::new(&view, &[target]).unwrap()
    }

    fn labels(count: usize, rare: usize) -> Attribute {
        let label = |row: usize| Some(if row.is_multiple_of(rare) { "b" } else { "a" });
        Attribute::new("class", Column::nominal((0..count).map(label)))
    }

    #[test]
    fn every_row_is_predicted_once_and_classes_are_spread() {
        let x = Attribute::new("x", Column::numeric((0..40).map(f64::from).collect()));
        let task = task(vec![x, labels(40, 8)], 1);
        let folds = folds(&task, 5, &Context::new());
        assert_eq!(folds.len(), 5);
        let mut tested: Vec<u32> = folds.iter().flat_map(|fold| fold.test.clone()).collect();
        tested.sort_unstable();
        assert_eq!(tested, (0..40).collect::<Vec<u32>>());
        for fold in &folds {
            let rare = fold.test.iter().filter(|row| *row % 8 == 0);
            assert_eq!(rare.count(), 1);
            assert!(fold.train.iter().all(|row| !fold.test.contains(row)));
        }
    }

    #[test]
    fn groups_stay_together() {
        let group = (0..30).map(|row| Some(["g", "h", "i", "k", "l"][row % 5]));
        let group = Attribute::new("who", Column::nominal(group)).with_role(Role::Group);
        let task = task(vec![group, labels(30, 3)], 1);
        let folds = folds(&task, 3, &Context::new());
        assert_eq!(folds.len(), 3);
        for fold in folds {
            assert!(
                fold.train
                    .iter()
                    .all(|a| fold.test.iter().all(|b| a % 5 != b % 5))
            );
        }
    }

    #[test]
    fn blocks_of_time_are_predicted_by_earlier_ones() {
        let times = [3.0, 1.0, 1.0, 2.0, 5.0, 4.0, 6.0, 6.0];
        let folds = forward(&times, 3);
        assert_eq!(folds.len(), 3);
        for fold in &folds {
            let latest = fold.train.iter().map(|row| times[*row as usize]);
            let latest = latest.fold(f64::NEG_INFINITY, f64::max);
            assert!(fold.test.iter().all(|row| times[*row as usize] > latest));
        }
        assert!(forward(&[1.0; 4], 3).is_empty());
    }
}
