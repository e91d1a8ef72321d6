//! The inputs of a task as growing needs them: numbers in order, labels and few-valued numbers as codes.

use kinwood_values::{Cells, Column, View};
use rayon::prelude::*;

use super::presort::{Entry, rises, row_of, sorted};
use super::test::measure;
use crate::error::{Error, Result};

/// A number with at most this many distinct values is kept as codes: counting sorts a node's rows faster than
/// dividing lists keeps them sorted. Tests have few rows and take both ways.
const FEW_VALUES: u32 = if cfg!(test) { 8 } else { 256 };

/// The code of a row without a value.
pub const UNKNOWN: u32 = u32::MAX;

/// An input.
pub struct Input<'a> {
    /// Where the column stands in its table.
    pub position: u32,
    /// The column's name.
    pub name: &'a str,
    /// The column.
    pub column: &'a Column,
    /// Its values as growing reads them.
    pub values: Values,
    /// Whether any row of the task lacks a value.
    pub gaps: bool,
}

/// The values of an input.
pub enum Values {
    /// Many numbers: regions hold them as lists, in order; here is where among the lists.
    Ordered(usize),
    /// Few numbers: the rank of each row's.
    Ranked {
        /// By row of the task; [`UNKNOWN`] where there is none.
        ranks: Vec<u16>,
        /// The distinct numbers, rising.
        numbers: Vec<f64>,
    },
    /// Labels.
    Labels {
        /// By row of the task; [`UNKNOWN`] where there is none.
        codes: Vec<u32>,
        /// How many labels there are.
        count: usize,
    },
}

/// The inputs of a task.
pub struct Inputs<'a> {
    /// The inputs, in the table's order.
    pub all: Vec<Input<'a>>,
    /// The rows of the table, by row of the task.
    pub rows: Vec<u32>,
    /// The lists of the root, one an input of many numbers.
    pub lists: Vec<Vec<Entry>>,
}

impl<'a> Inputs<'a> {
    /// Prepares the inputs of a view.
    pub fn new(view: &'a View, learner: &'static str) -> Result<Self> {
        let rows: Vec<u32> = view.rows().collect();
        let table = view.table();
        let positions = view.inputs();
        if positions.is_empty() {
            return Err(Error::NoInputs {
                learner,
                table: table.name().to_owned(),
            });
        }
        let prepared: Vec<(Values, Vec<Entry>, bool)> = positions
            .par_iter()
            .map(|&position| {
                let attribute = table.attribute(position);
                prepare(&attribute.column, &rows).ok_or_else(|| Error::InputType {
                    learner,
                    column: attribute.name.clone(),
                    found: attribute.type_of().to_string(),
                    expected: "numbers, dates and labels",
                })
            })
            .collect::<Result<_>>()?;
        let mut lists = Vec::new();
        let mut all = Vec::new();
        for (&position, (mut values, list, gaps)) in positions.iter().zip(prepared) {
            let attribute = table.attribute(position);
            if let Values::Ordered(place) = &mut values {
                *place = lists.len();
                lists.push(list);
            }
            all.push(Input {
                position: position as u32,
                name: &attribute.name,
                column: &attribute.column,
                values,
                gaps,
            });
        }
        Ok(Self { all, rows, lists })
    }

    /// The lists of the root once more.
    pub fn sorted_again(&self) -> Vec<Vec<Entry>> {
        let ordered = self
            .all
            .par_iter()
            .filter(|input| matches!(input.values, Values::Ordered(_)));
        let list = |input: &Input<'_>| {
            let values = self.rows.iter().enumerate();
            sorted(values.filter_map(|(place, &row)| {
                Some((place as u32, measure(input.column, row as usize)?))
            }))
            .0
        };
        ordered.map(list).collect()
    }

    /// Whether any value of any input is missing.
    pub fn gaps(&self) -> bool {
        self.all.iter().any(|input| input.gaps)
    }

    /// The number of an input in a row of the task.
    pub fn number(&self, input: usize, row: u32) -> f64 {
        measure(self.all[input].column, self.rows[row as usize] as usize).unwrap_or(f64::NAN)
    }
}

fn prepare(column: &Column, rows: &[u32]) -> Option<(Values, Vec<Entry>, bool)> {
    match column.cells() {
        Cells::Nominal { dictionary, .. } => {
            let codes = rows
                .iter()
                .map(|&row| column.code(row as usize).unwrap_or(UNKNOWN));
            let codes: Vec<u32> = codes.collect();
            let gaps = codes.contains(&UNKNOWN);
            let count = dictionary.len();
            Some((Values::Labels { codes, count }, Vec::new(), gaps))
        }
        Cells::Numeric(_) | Cells::DateTime(_) => {
            let values = rows
                .iter()
                .enumerate()
                .filter_map(|(place, &row)| Some((place as u32, measure(column, row as usize)?)));
            let (list, distinct) = sorted(values);
            let gaps = list.len() < rows.len();
            if distinct > FEW_VALUES {
                return Some((Values::Ordered(0), list, gaps));
            }
            let mut ranks = vec![u16::MAX; rows.len()];
            let mut numbers = Vec::with_capacity(distinct as usize);
            for &entry in &list {
                if numbers.is_empty() || rises(entry) {
                    let row = rows[row_of(entry)] as usize;
                    numbers.push(measure(column, row).expect("a row of the list has a value"));
                }
                ranks[row_of(entry)] = numbers.len() as u16 - 1;
            }
            Some((Values::Ranked { ranks, numbers }, Vec::new(), gaps))
        }
        _ => None,
    }
}
