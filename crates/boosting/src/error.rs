//! What only boosting has to complain of.

/// What only boosting has to complain of. Functions return the error of all learners, which carries
/// it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BoostError {
    /// A number that a loss is not for.
    #[error("loss={loss} is for {expected}, and the target `{target}` has {found}")]
    Number {
        /// The loss.
        loss: &'static str,
        /// The target.
        target: String,
        /// The number.
        found: f64,
        /// What it is for.
        expected: &'static str,
    },
    /// Weights of classes where no single class is predicted.
    #[error("`weights` by label are for targets that are one of several classes")]
    ClassWeights,
}

impl From<BoostError> for kinwood_learning::Error {
    fn from(error: BoostError) -> Self {
        Self::Own {
            error: Box::new(error),
            remedy: None,
        }
    }
}
