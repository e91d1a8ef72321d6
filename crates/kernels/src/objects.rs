//! Training objects: rows that are the same and have the same targets are one object with their
//! weights added.
//!
//! A solver stops when it is near enough, so that two equal rows and one of weight 2 would end in
//! slightly different places; as one object they are the same problem. It also makes the matrix
//! smaller where rows repeat.

use crate::error::KernelError;
use std::collections::HashMap;

use kinwood_values::{Column, Value};

use kinwood_learning::error::{Error, Result};
use kinwood_learning::task::Task;

/// Distinct objects, in the order in which they first appear.
#[derive(Clone, Debug)]
pub struct Objects {
    /// The first row of the task that is the object.
    pub rows: Vec<u32>,
    /// How much it counts, above 0.
    pub weights: Vec<f64>,
}

impl Objects {
    /// The distinct rows of a task; those of weight 0 are none.
    pub fn distinct(task: &Task, rows: &Column) -> Result<Self> {
        let targets = task.targets();
        let mut places: HashMap<(Value, Vec<Value>), usize> = HashMap::new();
        let mut objects = Self {
            rows: Vec::new(),
            weights: Vec::new(),
        };
        for row in counting(task) {
            let answers = targets
                .iter()
                .map(|target| target.values().column.value(row));
            let key = (rows.value(row), answers.collect());
            let place = *places.entry(key).or_insert(objects.rows.len());
            if place == objects.rows.len() {
                objects.rows.push(row as u32);
                objects.weights.push(0.0);
            }
            objects.weights[place] += task.weight(row);
        }
        objects.checked(task)
    }

    /// All rows of a task that count, each an object of its own; an error where some count more
    /// than others, which the machine that asks has no way to respect.
    pub fn equal(task: &Task, learner: &'static str, form: &'static str) -> Result<Self> {
        let rows: Vec<u32> = counting(task).map(|row| row as u32).collect();
        let weights: Vec<f64> = rows.iter().map(|&row| task.weight(row as usize)).collect();
        if weights.iter().any(|weight| *weight != weights[0]) {
            return Err(KernelError::UnequalWeights { learner, form }.into());
        }
        let objects = Self {
            weights: vec![1.0; rows.len()],
            rows,
        };
        objects.checked(task)
    }

    /// Some of the objects.
    pub fn only(&self, objects: &[usize]) -> Self {
        Self {
            rows: objects.iter().map(|&object| self.rows[object]).collect(),
            weights: objects.iter().map(|&object| self.weights[object]).collect(),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    fn checked(self, task: &Task) -> Result<Self> {
        match self.rows.is_empty() {
            true => Err(Error::NoWeight {
                table: task.view().table().name().to_owned(),
            }),
            false => Ok(self),
        }
    }
}

/// The rows of a task that count.
fn counting(task: &Task) -> impl Iterator<Item = usize> + '_ {
    (0..task.view().len()).filter(|&row| task.weight(row) > 0.0)
}
