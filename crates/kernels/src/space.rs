//! The training matrix: in memory where it fits, computed row by row where it does not, and made
//! one of inner products where it is none.
//!
//! A machine's function of a corrected row is a sum of corrected values times coefficients.
//! Centring and corrections are linear in the row, so that the same function is a sum of *raw*
//! values times other coefficients ([`Space::fold`]): a model keeps those, and no eigenvectors.

use crate::error::KernelError;
use kinwood_machines::spectrum::{Correction, RowCorrection, correct};
use kinwood_machines::{Centring, Dense, Matrix};
use kinwood_values::Column;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::memory::{fits, too_large};
use super::objects::Objects;
use super::settings::correction_name;
use super::source::{Bound, Source};
use kinwood_learning::context::Context;
use kinwood_learning::error::{Error, Result};

/// How many matrices are in memory at the same time while eigenvalues are found.
const FOR_EIGENVALUES: u64 = 3;
/// Coefficients whose sum is this small for their size add up to nothing, as the machine was told
/// to make them.
const NOTHING: f64 = 1e-12;

/// The training matrix as machines see it.
pub struct Space {
    block: Block,
    centring: Option<Centring>,
    correction: Option<RowCorrection>,
    /// What was found and done.
    pub spectrum: Spectrum,
}

enum Block {
    Dense(Dense),
    Computed { bound: Bound, diagonal: Vec<f64> },
}

/// What is known of the eigenvalues of the training matrix, and what was done about them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spectrum {
    /// Whether the matrix was centred first.
    pub centred: bool,
    /// What is done about negative eigenvalues.
    pub indefinite: String,
    /// The smallest eigenvalue; none where the kernel's laws say that none is negative, or nobody
    /// asked.
    pub smallest: Option<f64>,
    /// How many are negative.
    pub negative: usize,
}

impl Space {
    /// The matrix between the objects, given by their rows.
    pub fn new(
        source: &Source,
        rows: &Column,
        objects: &Objects,
        correction: Correction,
        context: &Context,
    ) -> Result<Self> {
        source.check_symmetry()?;
        let rows = rows.gather(&objects.rows);
        let len = objects.len();
        let known = source.is_inner_product(&rows);
        let correction = match known {
            true => Correction::AsIs,
            false => correction,
        };
        let bound = source.bind(&rows, &rows)?;
        let matrices = match correction {
            Correction::AsIs => 1,
            _ => FOR_EIGENVALUES,
        };
        let what = "correcting negative eigenvalues";
        let in_memory = fits(what, len, matrices, "use `indefinite=as_is`", context);
        let mut spectrum = Spectrum {
            centred: false,
            indefinite: correction_name(correction).to_owned(),
            smallest: None,
            negative: 0,
        };
        if known {
            "none".clone_into(&mut spectrum.indefinite);
        }
        if let Err(too_large) = in_memory {
            if correction != Correction::AsIs {
                return Err(too_large);
            }
            let diagonal = (0..len).map(|row| {
                let mut own = [0.0];
                bound.fill(row, row, &mut own);
                own[0]
            });
            return Ok(Self {
                block: Block::Computed {
                    diagonal: diagonal.collect(),
                    bound,
                },
                centring: None,
                correction: None,
                spectrum,
            });
        }
        let mut dense = dense(&bound, context).and_then(|entries| {
            Dense::new(len, entries).map_err(|error| failed(error, objects, context))
        })?;
        let mut centring = None;
        if source.needs_centring() {
            let learned = Centring::learn(&dense);
            learned.centre(&mut dense);
            centring = Some(learned);
            spectrum.centred = true;
        }
        if correction == Correction::AsIs {
            return Ok(Self {
                block: Block::Dense(dense),
                centring,
                correction: None,
                spectrum,
            });
        }
        let corrected = context
            .install(|| correct(dense, correction))
            .map_err(|error| failed(error, objects, context))?;
        spectrum.smallest = corrected.smallest;
        spectrum.negative = corrected.negative;
        let changes = !corrected.rows.directions().is_empty();
        Ok(Self {
            block: Block::Dense(corrected.matrix),
            centring,
            correction: changes.then_some(corrected.rows),
            spectrum,
        })
    }

    /// The matrix.
    pub fn matrix(&self) -> &dyn Matrix {
        match &self.block {
            Block::Dense(dense) => dense,
            computed @ Block::Computed { .. } => computed,
        }
    }

    /// The matrix in memory, for what cannot do with rows alone.
    pub fn dense(&self, what: &'static str, context: &Context) -> Result<&Dense> {
        match &self.block {
            Block::Dense(dense) => Ok(dense),
            Block::Computed { diagonal, .. } => Err(too_large(
                what,
                diagonal.len(),
                1,
                "use fewer rows",
                context,
            )),
        }
    }

    /// The function of raw kernel values that is the same as this one of corrected values:
    /// coefficients and what is added.
    pub fn fold(&self, mut coefficients: Vec<f64>, mut bias: f64) -> (Vec<f64>, f64) {
        // Both are symmetric, so that they do to coefficients what they do to rows.
        if let Some(correction) = &self.correction {
            correction.apply(&mut coefficients);
        }
        if let Some(centring) = &self.centring {
            let sum: f64 = coefficients.iter().sum();
            let size: f64 = coefficients
                .iter()
                .map(|coefficient| coefficient.abs())
                .sum();
            if sum.abs() > NOTHING * size {
                let mean = sum / coefficients.len() as f64;
                coefficients
                    .iter_mut()
                    .for_each(|coefficient| *coefficient -= mean);
            }
            let means = coefficients.iter().zip(centring.means());
            bias -= means
                .map(|(coefficient, mean)| coefficient * mean)
                .sum::<f64>();
        }
        (coefficients, bias)
    }
}

impl Matrix for Block {
    fn len(&self) -> usize {
        match self {
            Block::Dense(dense) => dense.len(),
            Block::Computed { diagonal, .. } => diagonal.len(),
        }
    }

    fn diagonal(&self, row: usize) -> f64 {
        match self {
            Block::Dense(dense) => dense.diagonal(row),
            Block::Computed { diagonal, .. } => diagonal[row],
        }
    }

    fn fill(&self, row: usize, out: &mut [f64]) {
        match self {
            Block::Dense(dense) => dense.fill(row, out),
            Block::Computed { bound, .. } => bound.fill(row, 0, out),
        }
    }
}

/// All values, each pair computed once, on all threads of the context.
fn dense(bound: &Bound, context: &Context) -> Result<Vec<f64>> {
    let (len, _) = bound.shape();
    let running = context.progress("comparing rows", len as u64);
    let mut entries = vec![0.0; len * len];
    context.install(|| {
        let rows = entries.par_chunks_mut(len.max(1)).enumerate();
        rows.try_for_each(|(row, out)| {
            context.check()?;
            bound.fill(row, row, &mut out[row..]);
            running.advance(1);
            Ok::<(), Error>(())
        })
    })?;
    for row in 1..len {
        for column in 0..row {
            entries[row * len + column] = entries[column * len + row];
        }
    }
    Ok(entries)
}

/// What a machine could not do, in the terms of the training rows.
pub fn failed(error: kinwood_machines::Error, objects: &Objects, context: &Context) -> Error {
    use kinwood_machines::Error as Machine;
    let number = |object: usize| objects.rows.get(object).map_or(0, |&row| row as usize + 1);
    match error {
        Machine::Stopped { .. } => match context.check() {
            Err(stopped) => stopped,
            Ok(()) => Error::Interrupted,
        },
        Machine::Entry { row, column, found } => KernelError::KernelValue {
            first: number(row),
            second: number(column),
            found,
        }
        .into(),
        other => KernelError::Machine(other).into(),
    }
}
