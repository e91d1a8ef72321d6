//! What is told of a model fitted on all rows: its size, the models its search evaluated, the time
//! it took.

use std::time::Instant;

use kinwood_learning::{Context, Learner, Result, Task};
use kinwood_values::View;
use serde::{Deserialize, Serialize};

/// A model fitted on all rows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Whole {
    /// The nodes of the tree it answers by; none for a model that is no tree.
    pub nodes: Option<u64>,
    /// The models its search evaluated; none for a method that does not search.
    pub evaluated: Option<u64>,
    /// How long fitting took, on this machine and as busy as it was.
    pub seconds: f64,
}

/// Fits a learner on all rows of a view.
pub fn fit_whole(
    learner: &dyn Learner,
    view: &View,
    targets: &[usize],
    context: &Context,
) -> Result<Whole> {
    let task = Task::new(view, targets)?;
    let begun = Instant::now();
    let model = learner.fit(&task, context)?;
    let seconds = begun.elapsed().as_secs_f64();
    // Figures of a search that was stopped are no figures.
    context.check()?;
    let facts = model.facts();
    Ok(Whole {
        nodes: facts.size,
        evaluated: facts.evaluated,
        seconds,
    })
}

#[cfg(test)]
mod tests {
    use kinwood_learners::Registry;
    use kinwood_learners::testing::{CLASS, mixed_view};

    use super::*;

    fn fitted(name: &str, given: &[(&str, &str)]) -> Whole {
        let entry = *Registry::new().find(name).unwrap();
        let learner = (entry.build)(&entry.settings(given).unwrap()).unwrap();
        fit_whole(&*learner, &mixed_view(60), &[CLASS], &Context::new()).unwrap()
    }

    #[test]
    fn trees_tell_their_size_and_search_and_others_do_not() {
        let beam = fitted("tree", &[("search", "beam"), ("size", "5")]);
        assert_eq!(beam.nodes, Some(5));
        assert!(beam.evaluated > Some(5));
        let majority = fitted("majority", &[]);
        assert_eq!((majority.nodes, majority.evaluated), (None, None));
    }
}
