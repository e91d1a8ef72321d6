//! The front page and the examples, in one program.

mod examples;
mod front_page;
