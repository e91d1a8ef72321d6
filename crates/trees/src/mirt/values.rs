//! The values that tests and variables read, wherever their table is.

use std::collections::BTreeMap;

use kinwood_values::{Cells, Column, View};
use rayon::prelude::*;

use super::terms::Pool;
use super::test::Is;
use crate::contents::{Found, Reading, calendar, find};
use kinwood_learning::error::Result;

/// The columns of all tables of a view, how far structured values are from prototypes, and what
/// they contain.
pub struct Values<'a> {
    view: &'a View,
    /// By table and column: the distances to each prototype, by row.
    near: BTreeMap<(usize, u32), Vec<Vec<f64>>>,
    /// By table and column: the items of each row.
    found: BTreeMap<(usize, u32), Found>,
}

/// A column read as numbers; what is missing is not a number.
#[derive(Clone, Copy)]
pub enum Numbers<'a> {
    /// Nothing is known.
    Hidden,
    /// Numbers, or distances to a prototype; missing ones are not numbers.
    Plain(&'a [f64]),
    /// Numbers of which some are missing.
    Gaps(&'a [f64], &'a Column),
    /// Dates, in milliseconds.
    Moments(&'a [i64], &'a Column),
}

impl Numbers<'_> {
    /// The number of a row.
    #[inline]
    pub fn get(&self, row: u32) -> f64 {
        let row = row as usize;
        match self {
            Numbers::Hidden => f64::NAN,
            Numbers::Plain(numbers) => numbers[row],
            Numbers::Gaps(numbers, column) if column.is_present(row) => numbers[row],
            Numbers::Moments(moments, column) if column.is_present(row) => moments[row] as f64,
            Numbers::Gaps(..) | Numbers::Moments(..) => f64::NAN,
        }
    }
}

/// A column read as labels.
#[derive(Clone, Copy)]
pub struct Codes<'a> {
    column: Option<(&'a [u32], &'a Column)>,
}

impl Codes<'_> {
    /// The code of a row's label.
    #[inline]
    pub fn get(&self, row: u32) -> Option<u32> {
        let (codes, column) = self.column?;
        column.is_present(row as usize).then(|| codes[row as usize])
    }
}

impl<'a> Values<'a> {
    /// The values of a view, with those compared to the prototypes of pools.
    pub fn new(view: &'a View, pools: &[Pool]) -> Result<Self> {
        let (mut near, mut found) = (BTreeMap::new(), BTreeMap::new());
        for pool in pools {
            let Some(column) = view.column(pool.table, pool.column as usize) else {
                continue;
            };
            let place = (pool.table, pool.column);
            let column = fitted(column, pool)?;
            if Reading::new(pool.measure.of()).is_some() {
                found.insert(place, find(&pool.items, &column));
            }
            if !pool.values.is_empty() {
                near.insert(place, distances(&column, pool)?);
            }
        }
        for (table, of) in view.database().tables().iter().enumerate() {
            for column in 0..of.attributes().len() {
                if let Some(moments) = view.column(table, column)
                    && matches!(moments.cells(), Cells::DateTime(_))
                {
                    found.insert((table, column as u32), calendar::find(moments));
                }
            }
        }
        Ok(Self { view, near, found })
    }

    /// The view.
    pub fn view(&self) -> &'a View {
        self.view
    }

    fn column(&self, table: usize, column: u32) -> Option<&'a Column> {
        self.view
            .column(table, column as usize)
            .map(|column| &**column)
    }

    /// A column as numbers: dates are numbers too.
    pub fn numbers(&self, table: usize, column: u32) -> Numbers<'a> {
        let Some(column) = self.column(table, column) else {
            return Numbers::Hidden;
        };
        match column.cells() {
            Cells::Numeric(numbers) if column.validity().is_none() => Numbers::Plain(numbers),
            Cells::Numeric(numbers) => Numbers::Gaps(numbers, column),
            Cells::DateTime(moments) => Numbers::Moments(moments, column),
            _ => Numbers::Hidden,
        }
    }

    /// The distances of a column's values to a prototype.
    pub fn near(&self, table: usize, column: u32, prototype: u32) -> Numbers<'_> {
        let known = self.near.get(&(table, column));
        match known.and_then(|prototypes| prototypes.get(prototype as usize)) {
            Some(distances) => Numbers::Plain(distances),
            None => Numbers::Hidden,
        }
    }

    /// The items of a structured column's values.
    pub fn found(&self, table: usize, column: u32) -> Option<&Found> {
        self.found.get(&(table, column))
    }

    /// A column as labels.
    pub fn codes(&self, table: usize, column: u32) -> Codes<'a> {
        let column = self.column(table, column);
        Codes {
            column: column.and_then(|column| Some((column.codes()?.0, column))),
        }
    }

    /// The number that a condition looks at.
    pub fn number<'s>(
        &'s self,
        table: usize,
        column: u32,
        is: &Is,
    ) -> impl Fn(u32) -> f64 + use<'s> {
        let numbers: Numbers<'s> = match is.prototype() {
            Some(prototype) => self.near(table, column, prototype),
            None => self.numbers(table, column),
        };
        move |row| numbers.get(row)
    }

    /// Whether a row's value is so.
    pub fn test<'s>(
        &'s self,
        table: usize,
        column: u32,
        is: &'s Is,
    ) -> Box<dyn Fn(u32) -> bool + 's> {
        if let Is::Among(labels) = is {
            let codes = self.codes(table, column);
            let most = labels.last().map_or(0, |&last| last as usize + 1);
            let mut inside = vec![false; most];
            labels
                .iter()
                .for_each(|&label| inside[label as usize] = true);
            return Box::new(move |row| {
                let code = codes.get(row);
                code.is_some_and(|code| inside.get(code as usize).copied().unwrap_or(false))
            });
        }
        let found = self.found(table, column);
        match is {
            Is::Has(items) => Box::new(move |row| {
                let has = found.and_then(|found| found.has_any(row as usize, items));
                has.unwrap_or(false)
            }),
            Is::Sized(least) => Box::new(move |row| {
                let size = found.and_then(|found| found.size(row as usize));
                size.is_some_and(|size| size >= *least)
            }),
            _ => {
                let number = self.number(table, column, is);
                Box::new(move |row| is.holds(number(row)))
            }
        }
    }

    /// Whether a row has a value.
    pub fn known(&self, table: usize, column: u32) -> impl Fn(u32) -> bool + use<'a> {
        let column = self.column(table, column);
        move |row| column.is_some_and(|column| column.is_present(row as usize))
    }
}

/// The values of a column as the pool's were.
fn fitted(column: &Column, pool: &Pool) -> Result<Column> {
    let fitted = kinwood_similarity::rows::fitting(column, pool.measure.of());
    Ok(fitted.map_err(|inner| kinwood_similarity::Error::Layout {
        column: match inner.is_empty() {
            true => pool.name.clone(),
            false => inner,
        },
    })?)
}

/// By prototype, the distance of each row's value; not a number where it is missing.
fn distances(column: &Column, pool: &Pool) -> Result<Vec<Vec<f64>>> {
    let count = pool.values.len();
    let pairs = pool
        .measure
        .bind_real(column, &pool.values, "a prototype test")?;
    let rows: Vec<Vec<f64>> = (0..column.len())
        .into_par_iter()
        .map(|row| {
            let mut distances = vec![f64::NAN; count];
            if column.is_present(row) {
                pairs.prepare(row).fill(0..count, &mut distances);
            }
            distances
        })
        .collect();
    let prototype = |place: usize| rows.iter().map(|row| row[place]).collect();
    Ok((0..count).map(prototype).collect())
}
