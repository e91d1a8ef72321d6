//! Learning from data that is not a flat table: structured values, bags, databases, logical facts.

pub mod describe;
pub mod sample;
