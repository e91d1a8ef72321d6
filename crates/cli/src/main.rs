//! The kinwood command.
fn main() {}
