//! Centre splitting: a tree over whole rows. Each node has a centre for every class in it, a row
//! goes to the nearest, and nodes are divided until they are pure. Distance-based decision trees
//! came from it.
//!
//! Rows of numbers and labels have means and modes for centres, as in the original; other rows have
//! no mean, and the centre of a class is its medoid. Numbers as targets are ours: at each node the
//! sorted numbers are cut in two where their spread falls most, and the two groups stand for
//! classes.
//!
//! Reference: C. Thornton, *Truth from Trash: How Learning Makes Sense*, MIT Press, 2000; V.
//! Estruch, C. Ferri, J. Hernández-Orallo and M. J. Ramírez-Quintana, section 3 of the paper on
//! distance-based decision trees.

mod grow;
mod model;
mod place;
mod response;
mod store;
#[cfg(test)]
mod tests;

use kinwood_similarity::{Expression, Missing, Registry, RowDistance};

use self::grow::{Limits, grow};
use self::model::CentreTree;
use self::response::Response;
use kinwood_learning::context::Context;
use kinwood_learning::entry::{Entry, Targets};
use kinwood_learning::error::{Error, Result};
use kinwood_learning::examples::rows_of;
use kinwood_learning::model::{Learner, Model};
use kinwood_learning::rows::{DEPTH, DISTANCE, follows};
use kinwood_learning::settings::{Allowed, Parameter, Settings};
use kinwood_learning::task::{Target, Task};

/// What `levels` is when there is no limit.
const NONE: &str = "none";

/// The registry's entry.
pub const CENTRES: Entry = Entry {
    name: "centres",
    summary: "Centre splitting: a tree whose nodes send whole rows to the nearest centre of a class.",
    reference: "Thornton, Truth from Trash: How Learning Makes Sense, MIT Press, 2000",
    targets: Targets::BOTH,
    several_targets: false,
    follows_keys: |settings| follows(settings, "depth"),
    flat: true,
    parameters: &[
        Parameter {
            name: "leaf",
            doc: "The least weight of the rows in a leaf: a node is not divided where a part would have less.",
            allowed: Allowed::Real {
                least: 1e-6,
                most: f64::MAX,
            },
            default: "1",
        },
        Parameter {
            name: "levels",
            doc: "How many centres a row passes at most on its way from the root to a leaf, or `none`.",
            allowed: Allowed::WholeOr {
                least: 0,
                words: &[NONE],
            },
            default: NONE,
        },
        DISTANCE,
        DEPTH,
    ],
    build: |settings| Ok(Box::new(Centres::read(settings)?)),
    load: |stored| Ok(Box::new(CentreTree::read(stored)?)),
};

/// Centre splitting: a tree whose nodes send whole rows to the nearest centre of a class.
#[derive(Clone, Debug, PartialEq)]
pub struct Centres {
    /// The least weight of the rows in a leaf, from 0.000001: 1 by default.
    pub leaf: f64,
    /// How many centres a row passes at most on its way from the root to a leaf; no limit by
    /// default.
    pub levels: Option<usize>,
    /// How far rows are apart: `euclidean` by default.
    pub distance: Expression,
    /// How many foreign keys away rows are compared: 1 by default, 0 for the row alone.
    pub depth: usize,
}

impl Default for Centres {
    fn default() -> Self {
        Self::read(&CENTRES.defaults()).expect("the defaults are settings")
    }
}

impl Centres {
    /// As the settings of the registry's entry have it.
    pub fn read(settings: &Settings) -> Result<Self> {
        Ok(Self {
            leaf: settings.real("leaf"),
            levels: settings.number("levels"),
            distance: settings.text("distance").parse()?,
            depth: settings.whole("depth"),
        })
    }

    fn check(&self) -> Result<()> {
        CENTRES.check("leaf", self.leaf)?;
        CENTRES.check("depth", self.depth)
    }
}

/// The only target there may be.
fn single_target(task: &Task) -> Result<&Target> {
    match task.targets() {
        [target] => Ok(target),
        targets => Err(Error::TargetType {
            learner: CENTRES.name,
            expected: "single nominal or numeric".to_owned(),
            target: targets
                .iter()
                .map(Target::name)
                .collect::<Vec<_>>()
                .join("`, `"),
            found: format!("{} targets", targets.len()),
            hint: "",
        }),
    }
}

impl Learner for Centres {
    fn fit(&self, task: &Task, context: &Context) -> Result<Box<dyn Model>> {
        self.check()?;
        let target = single_target(task)?;
        let declared = RowDistance {
            expression: self.distance.clone(),
            missing: Missing::default(),
            depth: self.depth,
        };
        let declared = declared.over(task.view())?;
        let rows = rows_of(task, &declared, CENTRES.name)?;
        let fitted = declared.fit_on(&rows, task.view().table().name(), Registry::known())?;
        let response = Response::of(target);
        let weights: Vec<f64> = (0..rows.len()).map(|row| task.weight(row)).collect();
        if weights.iter().all(|&weight| weight <= 0.0) {
            return Err(Error::NoWeight {
                table: task.view().table().name().to_owned(),
            });
        }
        let limits = Limits {
            leaf: self.leaf,
            levels: self.levels,
        };
        let grown = grow(&rows, &weights, &response, &fitted, limits, context)?;
        Ok(Box::new(CentreTree::new(
            target.name().to_owned(),
            target.classes().cloned(),
            fitted,
            grown,
        )))
    }
}
