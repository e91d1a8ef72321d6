//! The virtual tables that are there without being created, and how they are registered.

mod catalogue;
mod leaves;
mod nodes;
mod of_models;

use std::cmp::Ordering;
use std::ffi::CStr;
use std::sync::Arc;

use rusqlite::Connection;

use crate::source::Source;
use crate::state::State;
use crate::table::{Making, register as register_table, register_maker};
use crate::trees::Trees;
use crate::{created, near};

/// Name, the name that no table of the data has, and what computes the rows.
pub(crate) type Listed = (&'static CStr, &'static CStr, Arc<dyn Source>);

/// All of them.
pub(crate) fn all() -> Vec<Listed> {
    vec![
        (c"trees", c"kinwood_trees", Arc::new(Trees)),
        (c"nodes", c"kinwood_nodes", Arc::new(nodes::Nodes)),
        (c"tests", c"kinwood_tests", Arc::new(nodes::Tests)),
        (c"leaves", c"kinwood_leaves", Arc::new(leaves::Leaves)),
        (c"rules", c"kinwood_rules", Arc::new(leaves::Rules)),
        (
            c"leaf_rows",
            c"kinwood_leaf_rows",
            Arc::new(leaves::LeafRows),
        ),
        (
            c"learners",
            c"kinwood_learners",
            Arc::new(catalogue::Learners),
        ),
        (c"models", c"kinwood_models", Arc::new(of_models::Models)),
        (
            c"predictions",
            c"kinwood_predictions",
            Arc::new(of_models::Predicting),
        ),
        (
            c"explanations",
            c"kinwood_explanations",
            Arc::new(of_models::Explaining),
        ),
        (
            c"importances",
            c"kinwood_importances",
            Arc::new(of_models::Importances),
        ),
        (
            c"evaluations",
            c"kinwood_evaluations",
            Arc::new(catalogue::Evaluations),
        ),
        (c"folds", c"kinwood_folds", Arc::new(catalogue::Folds)),
        (
            c"neighbours",
            c"kinwood_neighbours",
            Arc::new(near::Neighbours),
        ),
        (
            c"distances",
            c"kinwood_distances",
            Arc::new(near::Distances),
        ),
        (c"clusters", c"kinwood_clusters", Arc::new(near::Clusters)),
        (
            c"prototypes",
            c"kinwood_prototypes",
            Arc::new(near::Prototypes),
        ),
    ]
}

/// The tables with their columns, hidden ones last.
pub(crate) fn listed() -> Vec<(String, Vec<String>)> {
    let name = |name: &CStr| name.to_string_lossy().into_owned();
    let columns = |source: &dyn Source| {
        let mut fields: Vec<_> = source.fields().iter().collect();
        fields.sort_by_key(|field| field.declared.contains("HIDDEN"));
        fields.iter().map(|field| field.name.to_owned()).collect()
    };
    let all = all().into_iter();
    all.map(|(own, _, source)| (name(own), columns(&*source)))
        .collect()
}

/// The names of all their columns.
pub(crate) fn columns() -> Vec<String> {
    listed()
        .into_iter()
        .flat_map(|(_, columns)| columns)
        .collect()
}

/// Registers all of them, and the module of models.
pub(crate) fn register(connection: &Connection, state: &Arc<State>) -> rusqlite::Result<()> {
    connection.create_collation(c"kinwood_uses", compare_uses)?;
    for (name, other, source) in all() {
        register_table(connection, name, state, Arc::clone(&source))?;
        register_table(connection, other, state, source)?;
    }
    let making = Making {
        state: Arc::clone(state),
        maker: Arc::new(created::Models),
    };
    register_maker(connection, c"kinwood", making)
}

/// A list of names equals each name that is in it: so that `uses = 'age'` means the same wherever
/// SQLite checks it.
pub fn compare_uses(a: &str, b: &str) -> Ordering {
    let list = |text: &str| -> Option<Vec<String>> {
        text.starts_with('[')
            .then(|| serde_json::from_str(text).ok())?
    };
    match (list(a), list(b)) {
        (Some(list), None) if list.iter().any(|name| name == b) => Ordering::Equal,
        (None, Some(list)) if list.iter().any(|name| name == a) => Ordering::Equal,
        _ => a.cmp(b),
    }
}
