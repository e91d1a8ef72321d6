//! Pages and descriptions from outside, in one program.
#![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

mod describe_schema;
mod hostile;
