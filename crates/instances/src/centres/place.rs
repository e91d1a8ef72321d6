//! Where the centre of some rows is.

use kinwood_similarity::FittedRow;
use kinwood_values::{Cells, Column, Type, Value};
use rayon::prelude::*;

use super::CENTRES;
use super::response::mean;
use kinwood_learning::context::Context;
use kinwood_learning::error::Result;

/// How centres are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The means of numbers and the modes of labels.
    Mean,
    /// The row with the least mean distance from the others.
    Medoid,
}

impl Place {
    /// The centres of rows of a type: means, unless a field has none.
    pub fn of(rows: &Type) -> Self {
        let flat = |of: &Type| matches!(of, Type::Numeric | Type::Nominal | Type::DateTime);
        match rows {
            Type::Tuple(fields) if fields.iter().all(|field| flat(&field.of)) => Place::Mean,
            _ => Place::Medoid,
        }
    }

    /// The centre of some of the rows, which are not none.
    pub fn centre(
        self,
        rows: &Column,
        of: &[u32],
        weights: &[f64],
        fitted: &FittedRow,
        context: &Context,
    ) -> Result<Value> {
        match (self, rows.cells()) {
            (Place::Mean, Cells::Tuple { fields, .. }) => {
                let middle = |field: &Column| middle(field, of, weights);
                Ok(Value::Tuple(fields.iter().map(middle).collect()))
            }
            _ => Ok(rows.value(medoid(rows, of, weights, fitted, context)? as usize)),
        }
    }
}

/// The mean or mode of a field over the rows that have it; missing if none has.
fn middle(field: &Column, of: &[u32], weights: &[f64]) -> Value {
    let present = of.iter().map(|&row| row as usize);
    let present = present.filter(|&row| field.is_present(row));
    if present.clone().next().is_none() {
        return Value::Missing;
    }
    match field.cells() {
        Cells::Nominal { codes, dictionary } => {
            let mut counted = vec![0.0; dictionary.len()];
            for row in present {
                counted[codes[row] as usize] += weights[row];
            }
            let mode = (1..counted.len()).fold(0, |best, code| {
                if counted[code] > counted[best] * (1.0 + TOLERANCE) {
                    code
                } else {
                    best
                }
            });
            Value::Symbol(dictionary.label(mode as u32).to_owned())
        }
        Cells::DateTime(instants) => {
            let instant = mean(present.map(|row| (instants[row] as f64, weights[row])));
            Value::DateTime(instant.round() as i64)
        }
        Cells::Numeric(numbers) => {
            Value::Number(mean(present.map(|row| (numbers[row], weights[row]))))
        }
        _ => Value::Missing,
    }
}

/// How much less a sum must be, relative to it, to be less: sums in another order differ by
/// rounding.
const TOLERANCE: f64 = 1e-9;

/// Distances held at a time.
const BLOCK: usize = 4096;

/// The row with the least mean distance from the others, the first of equals. Cost: the square of
/// their number.
fn medoid(
    rows: &Column,
    of: &[u32],
    weights: &[f64],
    fitted: &FittedRow,
    context: &Context,
) -> Result<u32> {
    let members = rows.gather(of);
    let pairs = fitted.bind_real(&members, &members, CENTRES.name)?;
    let sum = |member: usize| -> Result<f64> {
        context.check()?;
        let row = pairs.prepare(member);
        let mut held = vec![0.0; BLOCK.min(of.len())];
        let mut sum = 0.0;
        for start in (0..of.len()).step_by(BLOCK) {
            let end = (start + BLOCK).min(of.len());
            let held = &mut held[..end - start];
            row.fill(start..end, held);
            let weighted = held.iter().zip(&of[start..end]);
            sum += weighted
                .map(|(distance, &row)| distance * weights[row as usize])
                .sum::<f64>();
        }
        Ok(sum)
    };
    let sums: Vec<f64> = context.install(|| {
        (0..of.len())
            .into_par_iter()
            .map(sum)
            .collect::<Result<_>>()
    })?;
    let mut best = 0;
    for (place, &sum) in sums.iter().enumerate() {
        if sum < sums[best] * (1.0 - TOLERANCE) {
            best = place;
        }
    }
    Ok(of[best])
}
