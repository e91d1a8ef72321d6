//! Relational trees for pictures: tests in words, formulas, and the keys that are followed on the
//! way to each node.

use super::words::Occurrences;
use crate::mirt::terms::Terms;
use crate::mirt::test::{Condition, Is, Step, Test};
use crate::tree::model::Outline;
use kinwood_learning::drawing::{
    BranchDrawn, KeyDrawn, Mark, NodeDrawn, SchemaDrawn, StepDrawn, TestDrawn,
};

/// The tables and keys.
pub(super) fn schema(terms: &Terms) -> SchemaDrawn {
    let columns = |table: usize, columns: &[u32]| -> Vec<String> {
        let names = terms.names(table, columns).into_iter();
        names.map(str::to_owned).collect()
    };
    let keys = terms.keys.iter().map(|key| KeyDrawn {
        name: key.name.clone(),
        from: key.from,
        from_columns: columns(key.from, &key.from_columns),
        to: key.to,
        to_columns: columns(key.to, &key.to_columns),
    });
    let tables = terms.tables.iter().map(|table| table.name.clone());
    SchemaDrawn {
        tables: tables.collect(),
        root: terms.root,
        keys: keys.collect(),
    }
}

/// Adds the formulas of a leaf, and the keys that are followed.
pub(super) fn node(terms: &Terms, outline: &Outline<'_, Terms>, node: u32, drawn: &mut NodeDrawn) {
    let at = outline.tree.node(node);
    let path = &outline.above[node as usize];
    let asked: &[Step] = match &at.split {
        Some(split) => &split.test.steps,
        None => &[],
    };
    drawn.steps = followed(terms, path, asked);
    if at.split.is_some() {
        return;
    }
    let names = Occurrences::new(terms, path);
    for (place, mark) in drawn.answers.iter_mut().enumerate() {
        if let (Mark::Number { formula, .. }, Some(model)) = (mark, at.payload.model(place)) {
            *formula = Some(names.sum(model));
        }
    }
}

/// The keys followed on the way to a node, then those that its own test asks for.
fn followed(terms: &Terms, path: &[Step], asked: &[Step]) -> Vec<StepDrawn> {
    let all: Vec<Step> = path.iter().chain(asked).copied().collect();
    let names = Occurrences::new(terms, &all);
    let each = all.iter().enumerate();
    each.map(|(place, step)| StepDrawn {
        from: step.from,
        key: step.key as usize,
        table: terms.reached(*step),
        name: names.name(place as u32 + 1).to_owned(),
        asked: place >= path.len(),
    })
    .collect()
}

/// A test.
pub(super) fn test(terms: &Terms, path: &[Step], test: &Test) -> TestDrawn {
    let all: Vec<Step> = path.iter().chain(&test.steps).copied().collect();
    let condition = test.condition.as_ref();
    let table = match (condition, all.len()) {
        (Some(condition), _) => terms.table_of(&all, condition.occurrence()),
        (None, occurrences) => terms.table_of(&all, occurrences as u32),
    };
    let column = condition.and_then(Condition::column);
    let near = condition.and_then(Condition::is).and_then(Is::prototype);
    let pool = column
        .filter(|_| near.is_some())
        .and_then(|column| terms.pool(table, column));
    let prototype = pool
        .zip(near)
        .map(|(pool, near)| pool.values.value(near as usize));
    let branch = |words: &str, prototype| BranchDrawn {
        words: words.to_owned(),
        prototype,
        share: 0.0,
    };
    TestDrawn {
        words: Occurrences::new(terms, path).test(test),
        column: match column {
            None => terms.tables[table].name.clone(),
            column => terms.place_name((table, column)),
        },
        distance: pool.map(|pool| pool.measure.expression().to_string()),
        branches: vec![branch("yes", prototype), branch("no", None)],
    }
}
