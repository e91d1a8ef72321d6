//! Rows whose way through trees a page can show.

use std::collections::{BTreeMap, BTreeSet};

use kinwood_learners::drawing::Drawing;
use kinwood_values::{Value, View};

use kinwood_workbench::error::{Error, Result};
use kinwood_workbench::objects::name_by;
use kinwood_workbench::output::key_columns;
use kinwood_workbench::trained::Trained;

/// How many columns are told of a row, beyond those that are tested.
const COLUMNS: usize = 40;

/// A row and its way.
#[derive(Clone, Debug, PartialEq)]
pub struct RowDrawn {
    /// What it is called: its key, else its number from 1.
    pub name: String,
    /// Columns and what they hold.
    pub values: Vec<(String, Value)>,
    /// The tree, the node and the share of the row that gets there, parents first.
    pub passed: Vec<(usize, u32, f64)>,
}

/// The rows of a view in a model's terms, and the ways they take through the drawn trees of the
/// model.
///
/// Names that several rows have are followed by the number of the row.
pub fn rows(trained: &Trained, drawing: &Drawing, conformed: &View) -> Result<Vec<RowDrawn>> {
    let names = names(conformed);
    let tested: BTreeSet<&str> = drawing
        .trees
        .iter()
        .flat_map(|tree| &tree.nodes)
        .filter_map(|node| Some(node.test.as_ref()?.column.as_str()))
        .collect();
    let attributes = conformed.table().attributes().iter().enumerate();
    let told: Vec<usize> = attributes
        .filter(|(place, attribute)| *place < COLUMNS || tested.contains(attribute.name.as_str()))
        .map(|(place, _)| place)
        .collect();
    let row = |position: usize| -> Result<RowDrawn> {
        let row = conformed.row(position) as usize;
        let value = |&column: &usize| {
            let attribute = conformed.table().attribute(column);
            (attribute.name.clone(), attribute.column.value(row))
        };
        let none = || Error::NoTrees {
            learner: trained.learner().to_owned(),
        };
        Ok(RowDrawn {
            name: names[position].clone(),
            values: told.iter().map(value).collect(),
            passed: trained.visited(conformed, position)?.ok_or_else(none)?,
        })
    };
    (0..conformed.len()).map(row).collect()
}

/// What the rows of a view are called; names that several rows have are followed by the number of
/// the row.
pub(crate) fn names(view: &View) -> Vec<String> {
    let keys = key_columns(view);
    let mut names: Vec<String> = (0..view.len())
        .map(|position| name_by(view, &keys, position))
        .collect();
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for name in &names {
        *times.entry(name.clone()).or_default() += 1;
    }
    for (position, name) in names.iter_mut().enumerate() {
        if times.get(name).is_some_and(|times| *times > 1) {
            *name = format!("{name} (row {})", view.row(position) + 1);
        }
    }
    names
}
