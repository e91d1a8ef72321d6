//! Trees, forests and beams as pictures: [`dot()`] for Graphviz, [`svg()`] for documents,
//! [`html()`] to look around in.
//!
//! All three draw what a model gives as a [`Drawing`], so they know no learner. SVG and HTML stand
//! alone: no fonts, scripts or style sheets from elsewhere, light or dark as their reader prefers.
//!
//! ```
//! use kinwood_learners::drawing::{Drawing, Mark, NodeDrawn, TargetDrawn, TreeDrawn};
//! let drawing = Drawing {
//!     title: "play".into(),
//!     targets: vec![TargetDrawn {
//!         name: "play".into(),
//!         kind: "classes",
//!         labels: vec!["yes".into(), "no".into()],
//!     }],
//!     trees: vec![TreeDrawn {
//!         nodes: vec![NodeDrawn {
//!             weight: 14.0,
//!             answers: vec![Mark::stack(vec![9.0, 5.0])],
//!             ..NodeDrawn::default()
//!         }],
//!         ..TreeDrawn::default()
//!     }],
//!     ..Drawing::default()
//! };
//! assert!(kinwood_pages::picture::dot(&drawing).contains("yes 9 of 14"));
//! ```
//!
//! [`Drawing`]: kinwood_learners::drawing::Drawing

mod card;
mod dot;
mod html;
mod joins;
mod layout;
mod piece;
mod rows;
pub(crate) mod style;
mod svg;
#[cfg(test)]
mod tests;
mod value;
pub(crate) mod viewer;
mod words;

pub use dot::dot;
pub use html::html;
pub(crate) use rows::names;
pub use rows::{RowDrawn, rows};
pub use svg::svg;
pub(crate) use value::{drawn_value, printed};
