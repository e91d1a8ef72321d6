//! The extension, loaded into another SQLite: the one that is linked into these tests, and Debian's
//! program.

mod loaded;
mod program;
mod same;
