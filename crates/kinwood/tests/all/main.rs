//! The front page, the examples and the doors, in one program.

mod doors;
mod examples;
mod front_page;
