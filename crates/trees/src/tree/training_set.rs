//! The rows that trees are grown from, and the regions that a search starts with.

use std::cell::RefCell;

use super::presort::picked;
use super::propose::Problem;
use super::region::{Lists, Region};
use super::response::Response;
use kinwood_learning::context::Context;
use kinwood_learning::task::Task;

/// What trees are grown from.
pub struct TrainingSet<'a, 'p, R: Response> {
    /// The inputs, the response and the rules.
    pub problem: &'a Problem<'p, R>,
    /// The task.
    pub task: &'a Task,
    /// The weights of the rows, if not all are the same or whole.
    pub weights: Option<Vec<f64>>,
    /// The lists of the root, until they are first used.
    lists: RefCell<Option<Lists>>,
    /// Threads, time and seed.
    pub context: &'a Context,
}

impl<'a, 'p, R: Response> TrainingSet<'a, 'p, R> {
    /// All rows of a task, with the lists of the root.
    pub fn new(
        problem: &'a Problem<'p, R>,
        task: &'a Task,
        weights: Option<Vec<f64>>,
        lists: Lists,
        context: &'a Context,
    ) -> Self {
        Self {
            problem,
            task,
            weights,
            lists: RefCell::new(Some(lists)),
            context,
        }
    }

    /// The root of the whole training set.
    pub fn root(&self) -> (Region<R>, Lists) {
        let rows = (0..self.task.view().len() as u32).collect();
        let region = Region::new(
            rows,
            self.weights.clone(),
            &self.problem.response,
            self.problem.inputs.layout,
        );
        let lists = self.lists.borrow_mut().take();
        // A further search sorts again rather than keeping a copy of everything beside the first.
        (
            region,
            lists.unwrap_or_else(|| self.problem.inputs.sorted_again()),
        )
    }

    /// The root of some rows, which rise.
    pub fn root_of(&self, rows: Vec<u32>) -> (Region<R>, Lists) {
        let mut places = vec![u32::MAX; self.task.view().len()];
        for (place, &row) in rows.iter().enumerate() {
            places[row as usize] = place as u32;
        }
        let inside = |row: usize| Some(places[row]).filter(|place| *place != u32::MAX);
        let lists = self.problem.inputs.sorted_again();
        let lists = lists.iter().map(|list| picked(list, inside)).collect();
        let weights = self
            .weights
            .as_ref()
            .map(|weights| rows.iter().map(|&row| weights[row as usize]).collect());
        let layout = self.problem.inputs.layout;
        (
            Region::new(rows, weights, &self.problem.response, layout),
            lists,
        )
    }
}
