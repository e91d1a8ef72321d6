//! The tests of values on public data, as one program.

mod keys_of_public_data;
