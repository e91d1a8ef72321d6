//! Prototypes: values of the data that stand for groups of examples; every example goes to the
//! nearest.
//!
//! Of each group the value with the least mean distance to the group's values is its candidate.
//! Candidates are taken best first, one a group and never the same value twice (DBDT: Estruch,
//! Ferri, Hernandez-Orallo and Ramirez-Quintana 2006). The groups are the classes of a nominal
//! target; what they are for others the response says.

mod codes;
mod numbers;
mod select;

pub use codes::{of_labels, of_values};
pub use numbers::of_numbers;

/// How prototypes are chosen and how they attract.
#[derive(Clone, Debug, PartialEq)]
pub struct Prototypes {
    /// The most prototypes of a test: as many branches has a node at most.
    pub most: usize,
    /// Whether distances count in units of how widely the prototype's group lies around it.
    pub density: bool,
    /// Whether a boundary between numbers lies where the branches are least spread, or midway.
    pub best_boundary: bool,
    /// How often prototypes are drawn at random, the best draw being taken; `None` where they are
    /// sought.
    pub draws: Option<usize>,
}

impl Default for Prototypes {
    fn default() -> Self {
        Self {
            most: 2,
            density: false,
            best_boundary: false,
            draws: None,
        }
    }
}

/// More branches than this a test never has.
pub const MOST: usize = 250;

/// How far each prototype reaches: the mean distance in its group, drawn towards that between the
/// prototypes as if by one more example, so that a group of one value reaches somewhere.
fn reaches(groups: &[(f64, f64)], between: f64) -> Vec<f64> {
    let reach = |&(weight, mean): &(f64, f64)| (mean * weight + between) / (weight + 1.0);
    groups.iter().map(reach).collect()
}
