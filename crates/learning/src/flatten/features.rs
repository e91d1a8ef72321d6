//! The flat table by itself: columns for other programs, without a learner.

use kinwood_values::View;
use serde::{Deserialize, Serialize};

use super::made::{Made, of_aggregates, of_columns};
use super::plan::{Flattening, Kind};
use super::settings::Flatten;
use crate::context::Context;
use crate::error::Result;
use kinwood_aggregates::Plan;

/// What becomes of the tables around a row: chosen on some rows, and made of others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Features {
    /// Averages and most frequent labels, as published.
    Averages(Flattening),
    /// Aggregates.
    Aggregates(Plan),
}

impl Features {
    /// Chooses the columns on the rows of a view, one row an object.
    pub fn fit(view: &View, flatten: &Flatten, context: &Context) -> Result<Self> {
        flatten.check()?;
        let Some(choice) = flatten.choice()? else {
            let plan = Flattening::plan(view, Kind::Averaged, flatten.depth)?;
            return Ok(Features::Averages(plan));
        };
        let stop = || context.check().is_err();
        let fitted = context.install(|| Plan::fit(view, &choice, &stop));
        context.check()?;
        Ok(Features::Aggregates(fitted.map_err(of_aggregates)?.plan))
    }

    /// The rows of a view with these columns beside their own.
    pub fn of(&self, view: &View, context: &Context) -> Result<View> {
        let objects = 0..view.len();
        let flat = match self {
            Features::Averages(plan) => {
                plan.check(view)?;
                plan.flat(view, objects, u64::MAX)?
            }
            Features::Aggregates(plan) if plan.aggregates().is_empty() => {
                of_columns(view, objects, Vec::new())?
            }
            Features::Aggregates(plan) => {
                let made = Made::Aggregated(plan.clone());
                made.check(view)?;
                made.flat(view, objects, u64::MAX, context)?
            }
        };
        Ok(flat.view)
    }
}
