//! What learning is: a [`Task`] (a view with hidden targets), a [`Learner`] that fits it, a
//! [`Model`] that predicts views.
//!
//! A learner declares itself once, as an [`Entry`]: name, settings, builder, loader. Models write
//! themselves into sections of a file, and have further capabilities that default to absent. The
//! learners themselves are in crates of their own; this one knows none of them.
#![forbid(unsafe_code)]

pub mod adjust;
pub mod alias;
pub mod context;
pub mod drawing;
pub mod entry;
pub mod error;
pub mod examples;
pub mod explanation;
pub mod facts;
pub mod flatten;
pub mod inner;
pub mod labels;
pub mod model;
mod named;
pub mod predictions;
pub mod random;
pub mod ranges;
pub mod rows;
pub mod settings;
pub mod sql;
pub mod target;
pub mod task;
pub mod testing;

pub use adjust::{Adjust, Calibration};
pub use context::{Context, Progress};
pub use entry::{Entry, Targets};
pub use error::{Error, Result};
pub use explanation::{Explanation, Step, Term};
pub use facts::{Comparison, ModelFacts, StopReason, TrainingScore, TreeFacts};
pub use model::{DRAWN_MEMBERS, Learner, Model};
pub use predictions::{Output, Predictions, TargetPrediction};
pub use random::Generator;
pub use ranges::{Ranges, RangesOf};
pub use settings::{Allowed, Parameter, Preset, Settings};
pub use target::{Kind, KindEntry, TargetKind};
pub use task::{Target, Task};
