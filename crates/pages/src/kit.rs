//! What every page and drawing is made of: the shell of pages, drawings that stand alone or in a
//! page, one kit of charts, and how much room text takes.
//!
//! Markup is of one type, [`maud::Markup`], which text enters escaped: no name can become markup.
//! It becomes text in one place, which the shell and a drawing alone go through.

mod drawing;
pub(crate) mod number;
pub(crate) mod plot;
mod shell;
pub(crate) mod width;
mod writing;

pub(crate) use drawing::Embedded;
pub use drawing::{Drawing, Style};
pub(crate) use shell::{Script, Shell};
pub(crate) use writing::{append, written};
