//! What a node says: the answers of constants, and linear models over the bags of the objects that
//! reach it.

use serde::{Deserialize, Serialize};

use super::test::{Function, Step};
use crate::tree::Answers;

/// What a node says of each target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Content {
    /// The examples that reached it: what a leaf without a model says.
    pub answers: Answers,
    /// By target: a linear model, of numbers only. Empty where no target has one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<Option<Linear>>,
}

impl Content {
    /// What a node without models says.
    pub fn constant(answers: Answers) -> Self {
        Self {
            answers,
            models: Vec::new(),
        }
    }

    /// The model of a target.
    pub fn model(&self, target: usize) -> Option<&Linear> {
        self.models.get(target)?.as_ref()
    }
}

/// A linear model: the intercept plus each coefficient times its variable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Linear {
    /// Keys followed beyond the occurrences of the node's path, whether they lead anywhere or not:
    /// what variables may speak of besides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beyond: Vec<Step>,
    /// What is said where every variable is 0.
    pub intercept: f64,
    /// The terms.
    pub terms: Vec<Term>,
    /// The primary instances of training: a number for each term whose variable is chosen from a
    /// bag, instance after instance; each instance once. Empty where there is no such term.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub primary: Vec<f64>,
    /// The least and greatest that is said; nothing below or above was seen in training.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<(f64, f64)>,
    /// How wrong it is: squared errors summed over the training objects, each left out in turn
    /// where that was estimated.
    pub squares: f64,
}

/// A term of a linear model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// The variable.
    pub variable: Variable,
    /// What it is multiplied by.
    pub coefficient: f64,
    /// What it counts as where an object has no value.
    pub otherwise: f64,
}

/// A variable of a linear model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Variable {
    /// One of the values that an object's bindings have: the primary one.
    Value {
        /// The occurrence.
        occurrence: u32,
        /// The column of its table.
        column: u32,
    },
    /// The share of an object's rows that have a label, among those that have any: 0 or 1 of its
    /// own row.
    Label {
        /// The occurrence.
        occurrence: u32,
        /// The column of its table.
        column: u32,
        /// The label's code.
        label: u32,
    },
    /// The mean, least or greatest of an object's values.
    Aggregate {
        /// The occurrence.
        occurrence: u32,
        /// The column of its table.
        column: u32,
        /// Which of them.
        function: Function,
    },
    /// How many rows an object has of an occurrence.
    Count {
        /// The occurrence.
        occurrence: u32,
    },
}

impl Variable {
    /// The occurrence spoken of.
    pub fn occurrence(self) -> u32 {
        match self {
            Variable::Value { occurrence, .. }
            | Variable::Label { occurrence, .. }
            | Variable::Aggregate { occurrence, .. }
            | Variable::Count { occurrence } => occurrence,
        }
    }

    /// The column spoken of, if it is one.
    pub fn column(self) -> Option<u32> {
        match self {
            Variable::Value { column, .. }
            | Variable::Label { column, .. }
            | Variable::Aggregate { column, .. } => Some(column),
            Variable::Count { .. } => None,
        }
    }

    /// Whether it is chosen from a bag by the nearest primary instance.
    pub fn is_chosen(self) -> bool {
        matches!(self, Variable::Value { .. })
    }
}

impl Linear {
    /// How many of its variables are chosen from bags.
    pub fn chosen(&self) -> usize {
        let chosen = self.terms.iter().filter(|term| term.variable.is_chosen());
        chosen.count()
    }

    /// The steps of all occurrences that it speaks of, those of the node's path first.
    pub fn steps(&self, path: &[Step]) -> Vec<Step> {
        path.iter().chain(&self.beyond).copied().collect()
    }
}
