//! What every learner can have besides: probabilities that are put right, and intervals, by
//! predictions of inner folds.
//!
//! A model says of rows that it has learned from that it knows them well. How well it knows others
//! is seen on rows that had no part in fitting ([`crate::inner`]): its probabilities become what
//! happened as often ([`Calibration`]), and how far its predictions were off gives an interval, or
//! a set of classes, that holds the truth as often as wanted.
//!
//! The registry gives the two settings to every learner; [`Adjust`] is for learners made by hand.
//!
//! Reference: J. Platt, *Probabilistic outputs for support vector machines*, 1999; B. Zadrozny and
//! C. Elkan, *Transforming classifier scores into accurate multiclass probability estimates*, KDD
//! 2002; V. Vovk, *Cross-conformal predictors*, Annals of Mathematics and Artificial Intelligence
//! 74, 2015.

mod curve;
mod model;

pub use curve::{Calibration, Curve};
pub use model::{Adjusted, AdjustingLearner};

use crate::error::Result;
use crate::model::Learner;
use crate::settings::{Allowed, Parameter, Settings};

/// How probabilities are put right.
pub const CALIBRATE: Parameter = Parameter {
    name: "calibrate",
    doc: "How probabilities are put right by predictions of inner folds: by a rising step function (isotonic), by a logistic curve (platt), or not at all (none).",
    allowed: Allowed::Choice(&["none", "isotonic", "platt"]),
    default: "none",
};

/// How probable it is that intervals hold the truth.
pub const INTERVAL: Parameter = Parameter {
    name: "interval",
    doc: "How probable it is that the truth lies in the interval, or among the classes, that is predicted besides, such as 0.9; or none.",
    allowed: Allowed::Text,
    default: "none",
};

/// The settings that every learner has besides its own.
pub const PARAMETERS: [Parameter; 2] = [CALIBRATE, INTERVAL];

/// What is put right.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Adjust {
    /// How probabilities are.
    pub calibrate: Option<Calibration>,
    /// The probability of intervals.
    pub interval: Option<f64>,
}

impl Adjust {
    /// As the settings have it; fails on an interval that is no probability.
    pub fn read(settings: &Settings) -> Result<Self> {
        let interval = match settings.get(INTERVAL.name) {
            None | Some("none") => None,
            Some(text) => {
                let number = text.parse::<f64>().ok();
                let inside = number.filter(|level| *level > 0.0 && *level < 1.0);
                Some(inside.ok_or_else(|| crate::error::Error::SettingValue {
                    name: INTERVAL.name.to_owned(),
                    value: text.to_owned(),
                    expected: "a number between 0 and 1, such as 0.9, or none".to_owned(),
                    nearest: None,
                })?)
            }
        };
        let calibrate = settings.get(CALIBRATE.name).and_then(Calibration::named);
        Ok(Self {
            calibrate,
            interval,
        })
    }

    /// Whether nothing is put right.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// A learner whose models are put right.
    pub fn around<L: Learner>(self, learner: L) -> AdjustingLearner<L> {
        AdjustingLearner::new(self, learner)
    }
}

/// The settings, without those of this module that ask for nothing: they would stand in every
/// report and say nothing. Fails when one of them cannot have its value.
pub fn used(settings: Settings) -> Result<Settings> {
    let adjust = Adjust::read(&settings)?;
    let unused = [
        (CALIBRATE.name, adjust.calibrate.is_none()),
        (INTERVAL.name, adjust.interval.is_none()),
    ];
    let unused: Vec<&str> = unused
        .into_iter()
        .filter_map(|(name, unused)| unused.then_some(name))
        .collect();
    Ok(settings.without(&unused))
}
