//! A loadable extension of SQLite: the tables and functions of `kinwood::queries` in any program
//! that has SQLite and loads extensions.
//!
//! The program's SQLite is another than the one that is linked here, which reads copies of
//! databases and nothing else. All that the two exchange goes through `bridge`, the one place with
//! unsafe code; `work` does what is demanded on a thread of its own, so that the program's
//! interrupt is heard.

mod bridge;
mod work;
