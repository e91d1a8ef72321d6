//! Functions that are weighted sums of the kernel between a row and stored rows: what every kernel
//! machine has learned.

use crate::error::KernelError;
use kinwood_values::container::{Sections, Stored, invalid};
use kinwood_values::{Column, View};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::objects::Objects;
use super::source::{Source, StoredSource};
use kinwood_learning::context::Context;
use kinwood_learning::error::{Error, Result};
use kinwood_learning::examples::Examples;
use kinwood_learning::task::Task;

/// A function over the stored rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// What each stored row's kernel value is multiplied by.
    pub coefficients: Vec<f64>,
    /// What is added to the sum.
    pub bias: f64,
}

impl Function {
    /// The value of the function, from the kernel values with the stored rows.
    pub fn of(&self, values: &[f64]) -> f64 {
        let products = self.coefficients.iter().zip(values);
        let sum: f64 = products
            .filter(|(coefficient, _)| **coefficient != 0.0)
            .map(|(coefficient, value)| coefficient * value)
            .sum();
        sum + self.bias
    }
}

/// Fails where numbers were too large for what is made of them: no row has a value then.
fn finite(function: &Function, task: &Task) -> Result<()> {
    let mut numbers = function.coefficients.iter().chain([&function.bias]);
    match numbers.find(|number| !number.is_finite()) {
        None => Ok(()),
        Some(found) => Err(Error::TooLarge {
            table: task.view().table().name().to_owned(),
            reason: format!("a coefficient of the machine is {found}"),
        }),
    }
}

/// Stored rows, the kernel, and functions over them.
pub struct Expansion {
    source: Source,
    stored: Examples,
    /// What the stored rows are called: their numbers among the training rows, from 1.
    numbers: Vec<u32>,
    functions: Vec<Function>,
}

/// What a file keeps beside rows and numbers.
#[derive(Serialize, Deserialize)]
struct Description {
    source: StoredSource,
    functions: usize,
}

/// The sections of a file.
const KERNEL: &str = "kernel";
const COEFFICIENTS: &str = "coefficients";
const BIASES: &str = "biases";
const NUMBERS: &str = "numbers";

impl Expansion {
    /// Functions over all objects; those that none needs are not stored, but for the first where
    /// there is no other.
    pub fn new(
        source: Source,
        task: &Task,
        rows: Column,
        objects: &Objects,
        functions: Vec<Function>,
    ) -> Result<Self> {
        functions
            .iter()
            .try_for_each(|function| finite(function, task))?;
        let needed = |object: &usize| {
            let mut functions = functions.iter();
            functions.any(|function| function.coefficients[*object] != 0.0)
        };
        let mut kept: Vec<usize> = (0..objects.len()).filter(needed).collect();
        if kept.is_empty() {
            kept.push(0);
        }
        let positions: Vec<u32> = kept.iter().map(|&object| objects.rows[object]).collect();
        let functions = functions.into_iter().map(|function| Function {
            coefficients: kept
                .iter()
                .map(|&object| function.coefficients[object])
                .collect(),
            bias: function.bias,
        });
        Ok(Self {
            source,
            stored: Examples::new(rows, task)?.only(&positions)?,
            numbers: positions.iter().map(|position| position + 1).collect(),
            functions: functions.collect(),
        })
    }

    /// A function over all members of the bags of a task, given the row that each is of; members
    /// that it does not need are not stored, but for the first where there is no other.
    pub fn of_members(
        source: Source,
        task: &Task,
        members: &Column,
        owners: &[u32],
        function: Function,
    ) -> Result<Self> {
        finite(&function, task)?;
        let needed = |member: &u32| function.coefficients[*member as usize] != 0.0;
        let mut kept: Vec<u32> = (0..members.len() as u32).filter(needed).collect();
        if kept.is_empty() {
            kept.push(0);
        }
        let owners: Vec<u32> = kept.iter().map(|&member| owners[member as usize]).collect();
        let coefficients = kept
            .iter()
            .map(|&member| function.coefficients[member as usize]);
        Ok(Self {
            source,
            stored: Examples::of_rows(members.gather(&kept), task, &owners)?,
            numbers: owners.iter().map(|owner| owner + 1).collect(),
            functions: vec![Function {
                coefficients: coefficients.collect(),
                bias: function.bias,
            }],
        })
    }

    /// Where kernel values come from.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The stored rows with their targets.
    pub fn stored(&self) -> &Examples {
        &self.stored
    }

    /// What a stored row is called: its number among the training rows, from 1.
    pub fn number(&self, row: usize) -> u32 {
        self.numbers[row]
    }

    /// The functions.
    pub fn functions(&self) -> &[Function] {
        &self.functions
    }

    /// The values of all functions for all rows of a view, or all members of its bags, one after
    /// the other.
    pub fn values(&self, data: &View, context: &Context) -> Result<Vec<f64>> {
        let rows = self.source.rows(data)?;
        let width = self.functions.len();
        let mut values = vec![0.0; rows.len() * width];
        if values.is_empty() {
            return Ok(values);
        }
        let bound = self.source.bind(&rows, self.stored.rows())?;
        let running = context.progress("comparing rows", rows.len() as u64);
        context.install(|| {
            let rows = values.par_chunks_mut(width).enumerate();
            rows.try_for_each_init(
                || vec![0.0; self.stored.len()],
                |kernel, (row, out)| {
                    context.check()?;
                    bound.fill(row, 0, kernel);
                    for (out, function) in out.iter_mut().zip(&self.functions) {
                        *out = function.of(kernel);
                    }
                    running.advance(1);
                    Ok::<(), Error>(())
                },
            )
        })?;
        match values.iter().position(|value| !value.is_finite()) {
            Some(place) => Err(KernelError::KernelQuery {
                row: place / width + 1,
                found: values[place],
            }
            .into()),
            None => Ok(values),
        }
    }

    /// One row of a view as it is compared, and its kernel values with the stored rows.
    pub fn asked(&self, data: &View, row: usize) -> Result<(Column, Vec<f64>)> {
        let asked = self.source.rows(&data.select(&[row as u32]))?;
        let kernel = self.compared(&asked, 0)?;
        Ok((asked, kernel))
    }

    /// The kernel values of a row as it is compared with the stored rows.
    pub fn compared(&self, rows: &Column, row: usize) -> Result<Vec<f64>> {
        let mut kernel = vec![0.0; self.stored.len()];
        if !rows.is_empty() {
            let bound = self.source.bind(rows, self.stored.rows())?;
            bound.fill(row, 0, &mut kernel);
        }
        Ok(kernel)
    }

    /// Writes what [`Expansion::read`] reads.
    pub fn write(&self, sections: &mut Sections) -> Result<()> {
        let description = Description {
            source: self.source.stored(),
            functions: self.functions.len(),
        };
        sections.put_json(KERNEL, &description)?;
        let coefficients: Vec<f64> = self
            .functions
            .iter()
            .flat_map(|function| function.coefficients.iter().copied())
            .collect();
        sections.put_f64(COEFFICIENTS, &coefficients)?;
        let biases: Vec<f64> = self
            .functions
            .iter()
            .map(|function| function.bias)
            .collect();
        sections.put_f64(BIASES, &biases)?;
        sections.put_u32(NUMBERS, &self.numbers)?;
        self.stored.write(sections)
    }

    /// Reads functions, trusting nothing.
    pub fn read(stored: &Stored) -> Result<Self> {
        let wrong = |reason: &str| -> Error { invalid(stored.full_name(KERNEL), reason).into() };
        let description: Description = stored.json(KERNEL)?;
        let examples = Examples::read(stored)?;
        let source = Source::from_stored(&description.source, examples.rows(), &wrong)?;
        let cells = description
            .functions
            .checked_mul(examples.len())
            .ok_or_else(|| wrong("more functions than there is memory"))?;
        let coefficients = stored.f64s_len(COEFFICIENTS, cells)?;
        let biases = stored.f64s_len(BIASES, description.functions)?;
        let numbers = stored.u32s_len(NUMBERS, examples.len())?;
        let finite = |numbers: &[f64]| numbers.iter().all(|number| number.is_finite());
        if !finite(&coefficients) || !finite(&biases) {
            return Err(wrong("a coefficient that is no number"));
        }
        let functions = biases.iter().enumerate().map(|(place, &bias)| Function {
            coefficients: coefficients[place * examples.len()..][..examples.len()].to_vec(),
            bias,
        });
        Ok(Self {
            functions: functions.collect(),
            source,
            stored: examples,
            numbers,
        })
    }
}
