//! The `.kin` file: a versioned, checksummed container of named arrays with a readable manifest.
//!
//! The file holds data only. It knows nothing of models: upper crates decide which sections exist
//! and what they mean, so a new learner never changes the format. Reading one runs no code from
//! it, and everything the file claims about itself is checked against its real size before memory
//! is reserved. The bytes are described in `docs/model-format.md`.
//!
//! [`Sections`] collects and writes, [`Stored`] checks and reads. Both can be narrowed by `scope`
//! without changing their type, so a part of a model is written and read by the same code alone
//! or inside a larger model.
//!
//! ```
//! use kinwood_container::{Sections, Stored};
//!
//! let mut sections = Sections::new();
//! sections.manifest_mut().insert("learner".into(), "knn".into());
//! sections.scope("references").put_f64("age", &[31.0, 47.5])?;
//!
//! let stored = Stored::from_bytes(sections.to_bytes()?)?;
//! assert_eq!(stored.manifest()["learner"], "knn");
//! assert_eq!(stored.scope("references").f64s("age")?, [31.0, 47.5]);
//! # Ok::<(), kinwood_container::Error>(())
//! ```

mod error;
mod finite;
mod header;
mod kind;
mod name;
mod nesting;
mod replace;
mod sections;
mod signature;
mod stored;
mod table;

pub use error::{Damage, Error, Place, Result, invalid, reason};
pub use kind::Kind;
pub use name::NameFault;
pub use replace::replace;
pub use sections::{Scope, Sections};
pub use signature::{FORMAT_VERSION, Resemblance};
pub use stored::Stored;
