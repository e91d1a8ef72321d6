//! The settings of nearest neighbours as a value.

use kinwood_similarity::{Expression, Missing, RowDistance};

use super::filter::InstanceFilter;
use super::vote::NeighbourWeights;
use super::{BY_LEAVE_ONE_OUT, KNN, LEFT_OUT};
use kinwood_learning::error::{Error, Result};
use kinwood_learning::settings::Settings;

/// Nearest neighbours: the rows most similar to the one asked about vote.
///
/// ```
/// use kinwood_instances::knn::{Knn, NeighbourWeights};
/// use kinwood_learning::{Context, Learner, Task, testing::{CLASS, mixed_view}};
///
/// let view = mixed_view(40);
/// let weights = NeighbourWeights::Inverse;
/// let model = Knn { k: Some(3), weights, ..Knn::default() }
///     .fit(&Task::new(&view, &[CLASS])?, &Context::new())?;
/// assert!(model.show().contains("3 nearest"));
/// # Ok::<(), kinwood_learning::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Knn {
    /// How many neighbours vote, from 1; where there is none, the default, the number with the
    /// least leave-one-out error on the training rows, or 1 with a filter.
    pub k: Option<usize>,
    /// The largest number of neighbours that is tried to choose it: 30 by default.
    pub most: usize,
    /// How many training rows are left out to choose it, drawn at random: 1000 by default, `None`
    /// for all of them; not together with a filter.
    pub left_out: Option<usize>,
    /// How much a neighbour's vote counts: the same for all by default.
    pub weights: NeighbourWeights,
    /// Which training rows are kept; all where there is none, the default.
    pub filter: Option<InstanceFilter>,
    /// How far rows are apart: `euclidean` by default.
    pub distance: Expression,
    /// How many foreign keys away rows are compared: 1 by default, 0 for the row alone.
    pub depth: usize,
    /// What a missing value is: a point of its own by default.
    pub missing: Missing,
}

impl Default for Knn {
    fn default() -> Self {
        Self::read(&KNN.defaults()).expect("the defaults are settings")
    }
}

impl Knn {
    /// As the settings of the registry's entry have it.
    pub fn read(settings: &Settings) -> Result<Self> {
        let all = settings.text("k") == BY_LEAVE_ONE_OUT;
        let learner = Self {
            k: settings.number("k"),
            most: settings.whole("most"),
            left_out: (!all).then_some(LEFT_OUT),
            weights: NeighbourWeights::named(settings.text("weights")),
            filter: InstanceFilter::named(settings.text("filter")),
            distance: settings.text("distance").parse()?,
            depth: settings.whole("depth"),
            missing: settings.text("missing").parse().unwrap_or_default(),
        };
        match learner.check() {
            Ok(()) => Ok(learner),
            Err(error) => Err(settings.as_written(error)),
        }
    }

    /// IB1: the nearest row alone, a missing value as far as can be.
    pub fn ib1() -> Self {
        Self {
            k: Some(1),
            missing: Missing::Max,
            ..Self::default()
        }
    }

    /// Fails on settings that are out of range or do not go together.
    pub(super) fn check(&self) -> Result<()> {
        if let Some(k) = self.k {
            KNN.check("k", k)?;
        }
        KNN.check("most", self.most)?;
        KNN.check("depth", self.depth)?;
        // The rows that are kept are the hard ones: leaving one of them out says nothing of the
        // others.
        if self.k.is_none() && self.left_out.is_none() && self.filter.is_some() {
            return Err(Error::SettingValue {
                name: "k".to_owned(),
                value: BY_LEAVE_ONE_OUT.to_owned(),
                expected: "a whole number where `filter` keeps some rows only".to_owned(),
                nearest: None,
            });
        }
        Ok(())
    }

    /// The largest number of neighbours to try, where their number is to be chosen.
    pub(super) fn chosen_up_to(&self) -> Option<usize> {
        (self.k.is_none() && self.filter.is_none()).then_some(self.most)
    }

    /// The distance between rows.
    pub(super) fn rows(&self) -> RowDistance {
        RowDistance {
            expression: self.distance.clone(),
            missing: self.missing,
            depth: self.depth,
        }
    }
}
