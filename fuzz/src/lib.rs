//! Hostile input for every reader and parser.
//!
//! Each target takes bytes and must return: with an error or without, but never by a panic, never
//! much later, never with much more memory than the input accounts for.
//!
//! There are two ways to make inputs. The bounded one ([`engine::run`], which tests use) mutates
//! seeds and kept inputs; any run is a function of seed and number and can be run again. The long
//! one ([`supervise`], which `cargo xtask fuzz` uses) is guided: our crates are compiled so that
//! they count which branches are taken ([`coverage`]), and an input that takes a new one is kept
//! and mutated further ([`explore`]). It is all in one process and in memory, with a supervisor
//! that sees what a worker was at when it is no more ([`notebook`]).

pub mod corpus;
pub mod coverage;
pub mod dice;
pub mod engine;
pub mod explore;
pub mod features;
mod forge;
pub mod functions;
pub mod heap;
mod messages;
pub mod mutate;
pub mod notebook;
pub mod seeds;
pub mod supervise;
pub mod targets;

/// Tests see what memory is taken, too.
#[cfg(test)]
#[global_allocator]
static HEAP: heap::Counted = heap::Counted;

pub use engine::{Outcome, run};
pub use targets::{TARGETS, Target};

/// Tells what happens.
#[allow(clippy::print_stdout, reason = "a program tells what it does")]
pub(crate) fn say(text: &str) {
    println!("{text}");
}
