//! The tests of the container as one program: files recorded, damaged, and written and read again.

mod golden;
mod hostile;
mod round_trip;
