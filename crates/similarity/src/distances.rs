//! The distances, one file a type of value.

pub mod nominal;
pub mod real;

use crate::laws::Laws;
use crate::missing::Missing;

/// What is left of a distance's laws when values may be missing.
pub(crate) fn with_missing(laws: Laws, missing: Missing) -> Laws {
    match missing {
        Missing::Own => laws,
        Missing::Max => Laws {
            zero_on_self: false,
            ..laws
        },
        Missing::Skip => Laws {
            separates: false,
            triangle: false,
            ..laws
        },
    }
}
