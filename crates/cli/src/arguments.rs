//! The parts of the command line that several verbs share.

mod adjusting;
mod comparing;
mod data;
mod dividing;
mod general;
mod held_out;
pub mod pairs;
mod time;

pub use adjusting::Adjusting;
pub use comparing::Comparing;
pub use data::{Reading, Roles, StatedReading};
pub use dividing::Dividing;
pub use general::{Color, General};
pub use held_out::{HoldingOut, TestRows};
pub use time::Seeing;
