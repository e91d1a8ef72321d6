//! What people look at: pictures of models and schemas, charts, reports, descriptions of data, and
//! tables of results.
//!
//! A page is a function of what it shows: the same data is the same text, byte by byte. Pages stand
//! alone: no fonts, scripts or style sheets from elsewhere.

#[cfg(test)]
mod browsing;
pub mod columns;
pub mod critical_difference;
pub mod curves;
pub mod dendrogram;
pub mod describe;
pub mod diagram;
pub mod importance;
mod kit;
pub mod map_page;
pub mod page;
pub mod picture;
pub mod report;
pub mod sheet;

pub use kit::{Drawing, Style};
