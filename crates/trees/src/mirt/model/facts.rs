//! What a relational tree looks at.

use std::collections::BTreeSet;

use crate::mirt::relations::{attributes, mentions};
use crate::mirt::terms::Terms;
use crate::mirt::test::Step;
use crate::tree::model::Outline;

/// A table and one of its columns, or all of its rows where only their number counts.
type Place = (usize, Option<u32>);

/// What tests and the formulas of leaves look at.
pub(super) fn looked_at(terms: &Terms, outline: &Outline<'_, Terms>) -> BTreeSet<Place> {
    let mut places = BTreeSet::new();
    for (node, path) in outline.tree.nodes().iter().zip(&outline.above) {
        if let Some(split) = &node.split {
            let test = &split.test;
            let all: Vec<Step> = path.iter().chain(&test.steps).copied().collect();
            let last = all.len() as u32;
            let (occurrence, column) = match &test.condition {
                Some(condition) => (condition.occurrence(), condition.column()),
                None => (last, None),
            };
            places.insert((terms.table_of(&all, occurrence), column));
            continue;
        }
        for model in node.payload.models.iter().flatten() {
            let all = model.steps(path);
            places.extend(model.terms.iter().map(|term| {
                let table = terms.table_of(&all, term.variable.occurrence());
                (table, term.variable.column())
            }));
        }
    }
    places
}

/// The tables that tests and the formulas of leaves follow keys to.
pub(super) fn followed(terms: &Terms, outline: &Outline<'_, Terms>) -> BTreeSet<usize> {
    let mut tables = BTreeSet::new();
    for (node, path) in outline.tree.nodes().iter().zip(&outline.above) {
        if let Some(split) = &node.split {
            tables.extend(split.test.steps.iter().map(|&step| terms.reached(step)));
        }
        let formulas = node.payload.models.iter().flatten();
        tables.extend(formulas.flat_map(|model| {
            let steps = model.steps(path);
            let reached = steps.iter().map(|&step| terms.reached(step));
            reached.collect::<Vec<usize>>()
        }));
    }
    tables
}

/// What constraints may call used: the tables that tests follow keys to, and the columns that they
/// put conditions on.
pub(super) fn used(terms: &Terms, outline: &Outline<'_, Terms>) -> Vec<String> {
    let nodes = outline.tree.nodes().iter().zip(&outline.above);
    let tests = nodes.filter_map(|(node, path)| Some((path, node.split.as_ref()?)));
    let mentioned: BTreeSet<u32> = tests
        .flat_map(|(path, split)| mentions(terms, path, &split.test))
        .collect();
    let named = attributes(terms).into_iter();
    let used = named.filter(|input| mentioned.contains(&input.position));
    used.map(|input| input.name).collect()
}

impl Terms {
    /// Named as permutation importance names the parts of a database.
    pub(super) fn place_name(&self, (table, column): Place) -> String {
        let of = &self.tables[table].name;
        match column.map(|column| &self.column(table, column).name) {
            None => format!("rows of {of}"),
            Some(column) if table == self.root => column.clone(),
            Some(column) => format!("{of}.{column}"),
        }
    }
}
