//! Hostile input for every reader and parser.
//!
//! Each target takes bytes and must return: with an error or without, but never by a panic, never
//! much later, never with much more memory than the input accounts for. The stable toolchain has no
//! coverage instrumentation, so inputs are made by mutation: seeds that use every feature of a
//! format, cut, spliced, repeated, with bytes changed and telling words put in. Runs are a function
//! of seed and number alone, so any of them can be run again.
#![forbid(unsafe_code)]

pub mod engine;
pub mod mutate;
pub mod seeds;
pub mod targets;

pub use engine::{Outcome, run};
pub use targets::{TARGETS, Target};
