//! The front page and the examples, in one program.

mod examples;
#[rustfmt::skip]
mod front_page;
