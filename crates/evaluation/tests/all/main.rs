//! The crate as its users see it: what they add through its public names alone.

mod own_measure;
mod own_splitter;
mod rows;
