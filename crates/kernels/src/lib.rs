//! Kernel machines over rows of any columns and what their foreign keys reach: support vectors for
//! classes, numbers and bags, and ridge regression.
//!
//! What all of them learn are functions of one form: a weighted sum of the kernel between the row
//! asked about and stored rows, plus a number. Whatever is done to the training matrix first
//! (centring, a correction of negative eigenvalues) is linear in a row of kernel values, so that it
//! is folded into the weights once, and a model has nothing else to apply to rows that it has not
//! seen.
#![forbid(unsafe_code)]

mod asked;
mod bags;
mod class_weights;
mod decide;
pub mod error;
mod expansion;
mod explain;
mod folds;
mod gamma;
mod gram_file;
mod inside;
mod kernel;
mod machine;
mod members;
mod memory;
mod model;
mod numbers;
mod objects;
mod one_class;
mod regress;
mod report;
mod ridge;
mod settings;
mod source;
mod space;
mod svm;
mod svr;
#[cfg(test)]
mod tests;
mod tune;

pub use bags::{BagForm, MI_SVM, MiSvm};
pub use class_weights::ClassWeights;
pub use error::{Fault, KernelError};
pub use gamma::Gamma;
pub use kinwood_machines::spectrum::Correction;
pub use machine::SvmForm;
pub use ridge::{RIDGE, Ridge};
pub use settings::Tune;
pub use svm::{SVM, Svm};
pub use svr::{SVR, Svr, SvrForm};
