//! The settings by which learners say how rows are compared: by which distance, and how many
//! foreign keys away.

use kinwood_similarity::rows::Reading;

use crate::examples::DEEPEST;
use crate::settings::{Allowed, Parameter, Settings};

/// The setting of how many foreign keys away rows are compared.
pub const DEPTH: Parameter = Parameter {
    name: "depth",
    doc: "How many foreign keys away rows are compared: 0 for the row alone.",
    allowed: Allowed::Whole {
        least: 0,
        most: DEEPEST as u64,
    },
    default: "1",
};

/// The setting of how far rows are apart.
pub const DISTANCE: Parameter = Parameter {
    name: "distance",
    doc: "How far rows are apart: an expression over their columns (see the catalogue of distances); a name alone joins the default distance of every column.",
    allowed: Allowed::Text,
    default: "euclidean",
};

/// Whether rows of other tables take part: nested in the row, as many keys away as the setting
/// says, or as facts about it. An expression that cannot be read is complained of when the learner
/// is built.
pub fn follows(settings: &Settings, depth: &str) -> bool {
    let depth = settings.whole(depth);
    match settings.text("distance").parse() {
        Ok(expression) => Reading::reaches(&expression, depth),
        Err(_) => depth > 0,
    }
}
