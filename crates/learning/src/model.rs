//! Learners and models: what every method offers, and what some offer.

use std::ops::Range;

use kinwood_values::View;
use kinwood_values::container::Sections;

use crate::context::Context;
use crate::drawing::{Drawing, SumDrawn};
use crate::error::Result;
use crate::explanation::Explanation;
use crate::facts::ModelFacts;
use crate::predictions::Predictions;
use crate::sql::{Asked, Expression, Seen};
use crate::task::Task;

/// A method with its settings, ready to learn.
pub trait Learner: Send + Sync {
    /// Learns from a task.
    fn fit(&self, task: &Task, context: &Context) -> Result<Box<dyn Model>>;
}

impl<L: Learner + ?Sized> Learner for Box<L> {
    fn fit(&self, task: &Task, context: &Context) -> Result<Box<dyn Model>> {
        (**self).fit(task, context)
    }
}

/// How many members of a set of models are shown with the set: those of a larger set are listed by
/// [`Model::show`], and each shows itself.
pub const DRAWN_MEMBERS: usize = 20;

/// A training row and how far it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near {
    /// Its number among the training rows, from 0.
    pub row: u32,
    /// Its distance.
    pub distance: f64,
}

/// The values of functions that decide about classes.
#[derive(Clone, Debug, PartialEq)]
pub struct Decisions {
    /// What each function speaks for where it is positive, and what where it is negative.
    pub between: Vec<[String; 2]>,
    /// The values, row after row.
    pub values: Vec<f64>,
}

/// What each column adds to a score of each row.
#[derive(Clone, Debug, PartialEq)]
pub struct Contributions {
    /// In what the score is measured.
    pub of: String,
    /// The score that every row begins with.
    pub begins: f64,
    /// The columns.
    pub columns: Vec<String>,
    /// What each column adds, row after row.
    pub adds: Vec<f64>,
}

/// What was learned.
///
/// The data a model is asked about is in the terms of the data it was fitted on: the same tables
/// and columns in the same order, the same codes ([`kinwood_values::conform()`] sees to that).
/// Codes beyond the training dictionary are labels never seen.
pub trait Model: Send + Sync {
    /// Predicts every target for every row of the view.
    fn predict(&self, data: &View, context: &Context) -> Result<Predictions>;

    /// Writes the model; the loader of its registry entry reads it back.
    fn write(&self, sections: &mut Sections) -> Result<()>;

    /// The model as a person reads it, ending with a line break.
    fn show(&self) -> String;

    /// The model as a program reads it: a JSON object.
    fn to_json(&self) -> serde_json::Value;

    /// What is known of it beside what it predicts, without building [`Model::to_json`].
    fn facts(&self) -> ModelFacts {
        ModelFacts::default()
    }

    /// Takes more examples without being fitted from scratch; `None` if the method cannot.
    fn append(&mut self, _task: &Task) -> Option<Result<()>> {
        None
    }

    /// The training rows that are nearest to a row of the view, nearest first, at most so many;
    /// `None` for a model that has no neighbours.
    fn neighbours(
        &self,
        _data: &View,
        _count: usize,
        _context: &Context,
    ) -> Option<Result<Vec<Vec<Near>>>> {
        None
    }

    /// The values of the functions that decide about classes; `None` for a model without.
    fn decisions(&self, _data: &View, _context: &Context) -> Option<Result<Decisions>> {
        None
    }

    /// The number of steps that the model was made in, each of which predicts; 0 for a model that
    /// is not made step by step.
    fn stages(&self) -> usize {
        0
    }

    /// What is predicted after so many steps, for each number of a range, as far as there are
    /// steps; `None` for a model that is not made step by step.
    fn staged(
        &self,
        _data: &View,
        _stages: Range<usize>,
        _context: &Context,
    ) -> Option<Result<Vec<Predictions>>> {
        None
    }

    /// What each column adds to each score of the rows of the view, score after score; `None` for a
    /// model whose predictions are no sums.
    fn contributions(
        &self,
        _data: &View,
        _context: &Context,
    ) -> Option<Result<Vec<Contributions>>> {
        None
    }

    /// Why a row of the view is predicted as it is, by at most so many stored rows where it is by
    /// rows; `None` if the method cannot say.
    fn explain(&self, _data: &View, _row: usize, _most: usize) -> Option<Result<Explanation>> {
        None
    }

    /// The model as SQL over the columns of its table, in the order of the targets; `None` if the
    /// method cannot be written so.
    fn sql(&self, _asked: Asked) -> Option<Result<Vec<Expression>>> {
        None
    }

    /// The statement that creates a view of the predictions, of a model of several tables: the
    /// columns that tell objects apart, then what is predicted; `None` if the method cannot be
    /// written so. Where objects have cutoffs, `_seen` says what they see.
    fn view(&self, _name: &str, _asked: Asked, _seen: Option<&Seen>) -> Option<Result<String>> {
        None
    }

    /// Whether the model looks at the target's table alone, whatever its learner may do with
    /// others.
    fn reads_one_table(&self) -> bool {
        false
    }

    /// The models of a set of models, each of which can be used alone; `None` for a model that is
    /// one.
    fn members(&self) -> Option<&[Box<dyn Model>]> {
        None
    }

    /// One of the models of a set, by its place among [`Model::members`], as a model that holds
    /// nothing of the others; `None` if there is no such model.
    fn pick(&self, _member: usize) -> Option<Box<dyn Model>> {
        None
    }

    /// The model as trees to be drawn; `None` if it has none.
    fn drawing(&self) -> Option<Drawing> {
        None
    }

    /// The scores of the model as sums of what columns add, to be drawn; `None` for a model that is
    /// no such sum.
    fn sums(&self) -> Option<Vec<SumDrawn>> {
        None
    }

    /// The nodes of the drawn trees that a row of a view passes, parents first: the tree, the node,
    /// and the share of the row that gets there; `None` for a model that is not drawn.
    fn visited(&self, _data: &View, _position: usize) -> Result<Option<Vec<(usize, u32, f64)>>> {
        Ok(None)
    }
}
