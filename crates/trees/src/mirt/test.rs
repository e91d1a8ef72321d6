//! Tests on objects and what foreign keys lead to.
//!
//! A path through the tree speaks of *occurrences* of tables: occurrence 0 is the object's own row,
//! and each key that a test follows where it holds adds the next one. A test follows up to a few
//! keys, puts a condition on an occurrence, or both at once; it holds for an object if some
//! binding, a row for every occurrence, satisfies all that the path asked for.

use kinwood_values::Direction;
use serde::{Deserialize, Serialize};

use crate::tree::hash::mixed;

/// A foreign key followed from an occurrence of a table; what it leads to is the next occurrence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The occurrence it starts from.
    pub from: u32,
    /// The foreign key, by its place in the database.
    pub key: u32,
    /// Whether it is followed against its direction: to all rows that refer to the one at hand.
    pub backward: bool,
}

impl Step {
    /// Which way the key is followed.
    pub fn direction(self) -> Direction {
        match self.backward {
            true => Direction::Backward,
            false => Direction::Forward,
        }
    }
}

/// The most keys that the tests on the way to a node follow in all: enough for any question, and
/// few enough that what a node speaks of stays small however deep a tree is.
pub const MOST_OCCURRENCES: usize = 256;

/// A test. It holds or does not: what is missing satisfies nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Test {
    /// The keys followed where it holds, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Step>,
    /// What is asked besides that the rows exist.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<Condition>,
}

impl Test {
    /// A number by which tests are told apart, the same in every run and on every machine.
    pub fn identity(&self) -> u128 {
        let step = |hash: u128, step: &Step| {
            let turned = u128::from(step.key) << 1 | u128::from(step.backward);
            mixed(mixed(hash, u128::from(step.from)), turned)
        };
        let start = self.steps.iter().fold(11, step);
        match &self.condition {
            Some(condition) => condition.identity(start),
            None => start,
        }
    }
}

impl Condition {
    fn identity(&self, start: u128) -> u128 {
        let kind = match self {
            Condition::Some { .. } => 1,
            Condition::Every { .. } => 2,
            Condition::Count { least, .. } => 16 + u128::from(*least),
            Condition::Aggregate { function, .. } => 3 + *function as u128,
        };
        let column = self.column().map_or(0, |column| u128::from(column) + 1);
        let place = [kind, u128::from(self.occurrence()), column];
        let start = place.into_iter().fold(start, mixed);
        match self.is() {
            None => start,
            Some(Is::AtMost(bound)) => mixed(mixed(start, 1), u128::from(bound.to_bits())),
            Some(Is::AtLeast(bound)) => mixed(mixed(start, 2), u128::from(bound.to_bits())),
            Some(Is::Among(codes)) => {
                let codes = codes.iter().map(|&code| u128::from(code));
                codes.fold(mixed(start, 3), mixed)
            }
            Some(Is::Near { prototype, radius }) => {
                let start = mixed(mixed(start, 4), u128::from(*prototype));
                mixed(start, u128::from(radius.to_bits()))
            }
            Some(Is::Has(items)) => {
                let items = items.iter().map(|&item| u128::from(item));
                items.fold(mixed(start, 5), mixed)
            }
            Some(Is::Sized(least)) => mixed(mixed(start, 6), u128::from(*least)),
        }
    }
}

/// What is asked of an occurrence's rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Condition {
    /// Some row is so; where the test holds, only the bindings with such rows are kept.
    Some {
        /// The occurrence.
        occurrence: u32,
        /// The column of its table.
        column: u32,
        /// How the value is.
        is: Is,
    },
    /// There is a row with a value, and every row that has one is so.
    Every {
        /// The occurrence.
        occurrence: u32,
        /// The column of its table.
        column: u32,
        /// How the values are.
        is: Is,
    },
    /// There are at least so many rows.
    Count {
        /// The occurrence.
        occurrence: u32,
        /// How many.
        least: u32,
    },
    /// The mean, least or greatest value is so.
    Aggregate {
        /// The occurrence.
        occurrence: u32,
        /// The column of its table.
        column: u32,
        /// What is made of the values.
        function: Function,
        /// How that is.
        is: Is,
    },
}

impl Condition {
    /// The occurrence spoken of.
    pub fn occurrence(&self) -> u32 {
        match self {
            Condition::Some { occurrence, .. }
            | Condition::Every { occurrence, .. }
            | Condition::Count { occurrence, .. }
            | Condition::Aggregate { occurrence, .. } => *occurrence,
        }
    }

    /// The column spoken of, if it is one.
    pub fn column(&self) -> Option<u32> {
        match self {
            Condition::Some { column, .. }
            | Condition::Every { column, .. }
            | Condition::Aggregate { column, .. } => Some(*column),
            Condition::Count { .. } => None,
        }
    }

    /// How the value is to be, if a value is asked for.
    pub fn is(&self) -> Option<&Is> {
        match self {
            Condition::Some { is, .. }
            | Condition::Every { is, .. }
            | Condition::Aggregate { is, .. } => Some(is),
            Condition::Count { .. } => None,
        }
    }
}

/// How a value is to be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Is {
    /// A number or date that is not above this one.
    AtMost(f64),
    /// A number or date that is not below this one.
    AtLeast(f64),
    /// A label with one of these codes, which rise.
    Among(Vec<u32>),
    /// A value of any type not farther than this from a prototype.
    Near {
        /// The prototype, by its place among those kept for the column.
        prototype: u32,
        /// The greatest distance.
        radius: f64,
    },
    /// A structured value that contains one of these items, by their places among those kept for
    /// the column, which rise and are of one kind.
    Has(Vec<u32>),
    /// A structured value of at least so many members or characters.
    Sized(u32),
}

impl Is {
    /// Whether a number is so; missing ones never are.
    #[inline]
    pub fn holds(&self, number: f64) -> bool {
        match self {
            Is::AtMost(bound) | Is::Near { radius: bound, .. } => number <= *bound,
            Is::AtLeast(bound) => number >= *bound,
            Is::Among(_) | Is::Has(_) | Is::Sized(_) => false,
        }
    }
}

impl Is {
    /// Whether a number made of several is so: what the order of its parts changes by rounding does
    /// not decide.
    pub fn about_holds(&self, number: f64) -> bool {
        let slack = |bound: f64| ABOUT * bound.abs();
        match self {
            Is::AtMost(bound) => number <= bound + slack(*bound),
            Is::AtLeast(bound) => number >= bound - slack(*bound),
            Is::Near { .. } | Is::Among(_) | Is::Has(_) | Is::Sized(_) => self.holds(number),
        }
    }
}

/// Numbers made of several that differ by less, relative to their size, are the same.
pub const ABOUT: f64 = 1e-12;

/// What is made of the values of several rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Function {
    /// The mean.
    Mean,
    /// The least.
    Minimum,
    /// The greatest.
    Maximum,
}

impl Function {
    /// All of them.
    pub const ALL: [Function; 3] = [Function::Mean, Function::Minimum, Function::Maximum];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Function::Mean => "mean",
            Function::Minimum => "minimum",
            Function::Maximum => "maximum",
        }
    }
}
