//! How much memory matrices may take.

use kinwood_learning::context::Context;
use kinwood_learning::error::{Error, Result};

/// How much memory matrices take where there is no limit.
const MEMORY: u64 = 2 << 30;

/// The bytes that matrices may take.
pub fn allowed(context: &Context) -> u64 {
    context.memory().map_or(MEMORY, |memory| memory / 2)
}

/// Fails where so many matrices of so many rows do not fit in memory.
pub fn fits(
    what: &'static str,
    rows: usize,
    matrices: u64,
    advice: &'static str,
    context: &Context,
) -> Result<()> {
    match needed(rows, matrices) > allowed(context) {
        false => Ok(()),
        true => Err(too_large(what, rows, matrices, advice, context)),
    }
}

/// The bytes of so many matrices of so many rows.
pub fn needed(rows: usize, matrices: u64) -> u64 {
    let entries = (rows as u64).saturating_mul(rows as u64);
    entries.saturating_mul(8).saturating_mul(matrices)
}

pub fn too_large(
    what: &'static str,
    rows: usize,
    matrices: u64,
    advice: &'static str,
    context: &Context,
) -> Error {
    Error::KernelMemory {
        what,
        rows,
        needed: needed(rows, matrices),
        allowed: allowed(context),
        advice,
    }
}

/// The bytes that a solver's rows may take.
pub fn cache(context: &Context) -> usize {
    let bytes = allowed(context) / 8;
    usize::try_from(bytes.clamp(1 << 20, 400 << 20)).unwrap_or(1 << 20)
}
