//! What can be learned: the registry of learners and their models.
//!
//! A learner is chosen by name, reads its settings from text, and fits a [`Task`] (a view with hidden targets) to
//! a [`Model`]. Models predict views, write themselves into sections of a file, and have further capabilities that
//! default to absent.
#![forbid(unsafe_code)]

pub mod baseline;
pub mod centres;
pub mod context;
pub mod drawing;
mod error;
pub mod explanation;
pub mod flatten;
pub mod instance;
pub mod labels;
pub mod m5;
pub mod mirt;
pub mod model;
pub mod predictions;
pub mod random;
pub mod registry;
pub mod rule;
pub mod settings;
pub mod sql;
pub mod svm;
pub mod task;
pub mod testing;
pub mod tree;

pub use context::{Context, Progress};
pub use error::{Error, Result};
pub use explanation::{Explanation, Step, Term};
pub use model::{Learner, Model};
pub use predictions::{Output, Predictions, TargetPrediction};
pub use random::Generator;
pub use registry::{Entry, Registry, Targets};
pub use settings::{Allowed, Parameter, Preset, Settings};
pub use task::{Target, Task};
