//! The inputs of a task as growing needs them: numbers in order, labels, few-valued numbers and
//! structured values as codes.

use kinwood_similarity::defaults::default_expression;
use kinwood_similarity::{Expression, RowDistance};
use kinwood_values::{Cells, Column, Type, View};
use rayon::prelude::*;

use super::block::Block;
use super::code::UNKNOWN;
use super::identifiers::{distinct, identifier_note};
use super::kin::{Field, Kin, StructuredTests, fields};
use super::presort::{Entry, rises, row_of, sorted};
use super::test::{Test, measure};
use crate::contents::{Found, calendar};
use kinwood_learning::context::Context;
use kinwood_learning::error::{Error, Result};

/// Memory for the distances between values where nobody says how much there is.
const DISTANCES: usize = 2 << 30;

/// How inputs are looked at.
pub struct Looks {
    /// Whether numbers and labels are divided by prototypes too.
    pub prototypes: bool,
    /// The distances of the inputs.
    pub distance: RowDistance,
    /// Which tests structured inputs have.
    pub structured: StructuredTests,
    /// Whether tests on columns of many labels must gain more than chance.
    pub corrected: bool,
    /// How they are kept.
    pub layout: Layout,
}

impl Looks {
    /// The months, weekdays and hours of a column of times, where contents are looked at.
    fn calendar(&self, column: &Column, rows: &[u32]) -> Option<Found> {
        let moments = matches!(column.cells(), Cells::DateTime(_));
        let asked = moments && self.structured.contents.is_some();
        asked.then(|| calendar::find(&column.gather(rows)))
    }
}

/// Where the way of computing changes with the size of the data. Results do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// A number with at most this many distinct values is kept as codes: counting sorts a node's
    /// rows faster than dividing lists keeps them sorted.
    pub few_values: u32,
    /// Regions of more entries than this are divided by several threads; the work of others is not
    /// worth sharing.
    pub shared: usize,
}

impl Layout {
    /// The most distinct values that can be kept as codes.
    pub const MOST_CODES: u32 = u16::MAX as u32 - 1;
}

impl Default for Layout {
    fn default() -> Self {
        Self {
            few_values: 256,
            shared: 1_000_000,
        }
    }
}

/// An input.
pub struct Input<'a> {
    /// Where the column stands in its table; what is reached by keys stands after all columns.
    pub position: u32,
    /// The column's name, or that of the table reached.
    pub name: String,
    /// The column, of numbers and labels.
    pub column: Option<&'a Column>,
    /// Its values as growing reads them.
    pub values: Values,
    /// The months, weekdays and hours of times, by row of the task, where tests may ask for them.
    pub calendar: Option<Found>,
    /// Whether any row of the task lacks a value.
    pub gaps: bool,
    /// Whether numbers and labels are divided by prototypes.
    pub prototypes: bool,
}

impl Input<'_> {
    /// Whether it is divided by prototypes.
    pub fn by_prototypes(&self) -> bool {
        match &self.values {
            Values::Kin(kin) => kin.prototypes,
            _ => self.prototypes,
        }
    }
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
    /// Structured values.
    Kin(Box<Kin>),
}

/// The inputs of a task.
pub struct Inputs<'a> {
    /// The inputs, in the table's order.
    pub all: Vec<Input<'a>>,
    /// The rows of the table, by row of the task.
    pub rows: Vec<u32>,
    /// The lists of the root, one an input of many numbers.
    pub lists: Vec<Vec<Entry>>,
    /// Whether rows are compared as a whole: then that is the one input.
    pub whole: bool,
    /// How they are kept.
    pub layout: Layout,
}

impl<'a> Inputs<'a> {
    /// Prepares the inputs of a view.
    pub fn new(
        view: &'a View,
        learner: &'static str,
        looks: &Looks,
        context: &Context,
    ) -> Result<Self> {
        let rows: Vec<u32> = view.rows().collect();
        let table = view.table();
        let Structured { kin, omitted } = structured(view, looks)?;
        let kept = |position: &usize| !omitted.contains(&(*position as u32));
        let inputs: Vec<usize> = view.inputs().into_iter().filter(kept).collect();
        if inputs.is_empty() && kin.is_empty() {
            return Err(Error::NoInputs {
                learner,
                table: table.name().to_owned(),
            });
        }
        let whole = matches!(kin.as_slice(), [(position, _)] if *position == WHOLE_ROW);
        let flat = |position: &usize| {
            let of = kin.iter().all(|(other, _)| *other != *position as u32);
            of && !whole
        };
        let positions: Vec<usize> = inputs.into_iter().filter(flat).collect();
        let prepared: Vec<(Values, Vec<Entry>, bool)> = positions
            .par_iter()
            .map(|&position| {
                let attribute = table.attribute(position);
                prepare(&attribute.column, &rows, looks.layout).ok_or_else(|| Error::InputType {
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
                name: attribute.name.clone(),
                column: Some(&*attribute.column),
                calendar: looks.calendar(&attribute.column, &rows),
                values,
                gaps,
                prototypes: looks.prototypes,
            });
        }
        let room = context
            .memory()
            .map_or(DISTANCES, |memory| memory as usize / 2);
        let each = room / kin.len().max(1);
        for (position, field) in kin {
            let Some(measure) = field.measure.clone() else {
                continue;
            };
            let values = Kin::new(&field, measure, &looks.structured, each, context)?;
            all.push(Input {
                // A row compared as a whole stands where the columns would.
                position: if position == WHOLE_ROW { 0 } else { position },
                name: field.name,
                column: None,
                calendar: None,
                gaps: values.codes.contains(&UNKNOWN),
                values: Values::Kin(Box::new(values)),
                prototypes: true,
            });
        }
        all.sort_by_key(|input| input.position);
        Ok(Self {
            all,
            rows,
            lists,
            whole,
            layout: looks.layout,
        })
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
                Some((place as u32, measure(input.column?, row as usize)?))
            }))
            .0
        };
        ordered.map(list).collect()
    }

    /// The branch of a row of the task by a test of an input; `None` where it cannot be decided.
    pub fn branch(&self, test: &Test, row: u32) -> Option<usize> {
        let place = self
            .all
            .binary_search_by_key(&test.column(), |input| input.position)
            .ok()?;
        let input = &self.all[place];
        if let (Values::Kin(kin), Test::Nearest { nearest, .. }) = (&input.values, test) {
            let code = kin.codes[row as usize];
            let mut distances = Vec::new();
            return (code != UNKNOWN).then(|| {
                kin.distances_by(nearest.measure).between(
                    code,
                    &nearest.prototypes,
                    &mut distances,
                );
                nearest.nearest(&distances)
            });
        }
        if let Values::Kin(kin) = &input.values {
            return kin.branch_by_contents(test, row);
        }
        if let (Some(calendar), Test::Has { .. }) = (&input.calendar, test) {
            return test.branch_by_contents(calendar, row as usize);
        }
        let column = input.column?;
        let known = column.codes().map_or(0, |(_, labels)| labels.len() as u32);
        test.branch(column, self.rows[row as usize] as usize, known)
    }

    /// Where the value of a column stands in a row of a [block](Self::block), and how many labels
    /// it has.
    pub fn place(&self, column: u32) -> Option<(u32, u32)> {
        let input = self
            .all
            .binary_search_by_key(&column, |input| input.position);
        let place = input.ok()?;
        let labels = self.all[place].column?.codes();
        Some((
            place as u32,
            labels.map_or(0, |(_, labels)| labels.len() as u32),
        ))
    }

    /// The values of rows of the task.
    pub fn block(&self, rows: std::ops::Range<usize>) -> Block {
        let rows = &self.rows[rows];
        let mut block = Block::new(rows.len(), self.all.len());
        for (slot, input) in self.all.iter().enumerate() {
            if let Some(column) = input.column {
                block.fill(slot, column, rows, u32::MAX);
            }
        }
        block
    }

    /// A note on the inputs whose labels name rows.
    pub fn identifier_note(&self) -> Option<String> {
        let columns = self.all.iter().filter_map(|input| match &input.values {
            Values::Labels { codes, .. } => {
                let known = codes.iter().copied().filter(|code| *code != UNKNOWN);
                let (labels, rows) = distinct(known);
                Some((input.name.clone(), labels, rows))
            }
            _ => None,
        });
        identifier_note(columns)
    }

    /// Whether any value of any input is missing.
    pub fn gaps(&self) -> bool {
        self.all.iter().any(|input| input.gaps)
    }

    /// The number of an input in a row of the task.
    pub fn number(&self, input: usize, row: u32) -> f64 {
        let row = self.rows[row as usize] as usize;
        let column = self.all[input].column;
        column
            .and_then(|column| measure(column, row))
            .unwrap_or(f64::NAN)
    }
}

/// Where a row that is compared as a whole stands.
const WHOLE_ROW: u32 = u32::MAX;

/// What of a view is compared by distances.
#[derive(Default)]
struct Structured {
    /// The inputs that are, with where they stand.
    kin: Vec<(u32, Field)>,
    /// The columns that the distance leaves out: they are no inputs.
    omitted: Vec<u32>,
}

/// Structured columns and what keys lead to are compared; with prototypes for all, also numbers and
/// labels whose distance is not their plain one. Only then may the distance leave out numbers and
/// labels.
fn structured(view: &View, looks: &Looks) -> Result<Structured> {
    let table = view.table();
    let inputs = view.inputs();
    let flat = |position: usize| {
        matches!(
            table.attribute(position).type_of(),
            Type::Nominal | Type::Numeric | Type::DateTime
        )
    };
    // What somebody wrote is checked, whether or not it is needed.
    let stated = looks.distance.expression != Expression::new("mean");
    let reached = looks.distance.depth > 0 && !view.database().foreign_keys().is_empty();
    if inputs.iter().all(|&position| flat(position)) && !reached && !stated {
        let states = |&position: &usize| table.attribute(position).distance.is_some();
        if !looks.prototypes || !inputs.iter().any(states) {
            return Ok(Structured::default());
        }
    }
    let all = fields(view, &looks.distance)?;
    let mut found = Structured::default();
    let mut beyond = 0;
    let whole = all.len() == 1 && matches!(all[0].column.cells(), Cells::Tuple { .. });
    for field in all {
        let position = match table.find(&field.name) {
            Ok(position) if inputs.contains(&position) && !whole => position as u32,
            _ if whole => WHOLE_ROW,
            _ => {
                beyond += 1;
                (table.attributes().len() + beyond - 1) as u32
            }
        };
        // Numbers and labels have a plain distance, the default of their type.
        let plain = match field.column.cells() {
            Cells::Nominal { .. } | Cells::Numeric(_) | Cells::DateTime(_) => {
                default_expression(&field.column.type_of(), None)
            }
            _ => None,
        };
        let Some(measure) = &field.measure else {
            if plain.is_none() || looks.prototypes {
                found.omitted.push(position);
            }
            continue;
        };
        if let Some(plain) = plain
            && (plain.name == measure.expression().name || !looks.prototypes)
        {
            continue;
        }
        found.kin.push((position, field));
    }
    Ok(found)
}

fn prepare(column: &Column, rows: &[u32], layout: Layout) -> Option<(Values, Vec<Entry>, bool)> {
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
            if distinct > layout.few_values {
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
