//! The tables `leaves`, `rules` and `leaf_rows`: what trees say, why, and of which rows.

use std::sync::Arc;

use kinwood_learners::drawing::TreeDrawn;
use rusqlite::types::Value;

use super::nodes::{expected, meant, over, remark, says};
use crate::cells::key_of;
use crate::conditions::{Comparison as Is, Conditions};
use crate::error::Result;
use crate::source::{Field, Known, Ready, Rows, Source};
use crate::state::State;

/// The table `leaves`.
pub(crate) struct Leaves;

const LEAVES: &[Field] = &[
    Field::steering("tree", "INTEGER", &[Is::Equal]),
    Field::found("leaf", "INTEGER"),
    Field::found("depth", "INTEGER"),
    Field::found("weight", "REAL"),
    Field::found("share", "REAL"),
    Field::found("prediction", ""),
    Field::found("probability", "REAL"),
    Field::found("probabilities", "TEXT"),
    Field::found("rule", "TEXT"),
    Field::argument("target"),
];

impl Source for Leaves {
    fn fields(&self) -> &[Field] {
        LEAVES
    }

    fn remark(&self, known: &[Known<'_>]) -> Option<&'static str> {
        remark(known)
    }

    fn expected(&self, taken: &[&str]) -> f64 {
        expected(taken, 8.0)
    }

    fn rows(&self, state: &Arc<State>, conditions: &Conditions) -> Result<Box<dyn Rows>> {
        let mut rows = Vec::new();
        over(&meant(state, conditions)?, &mut |found, drawing, tree| {
            let depths = tree.depths();
            let all = tree.nodes.first().map_or(1.0, |root| root.weight);
            for (place, node) in tree.nodes.iter().enumerate() {
                if node.test.is_some() {
                    continue;
                }
                let says = says(drawing, &node.answers);
                rows.push(vec![
                    Value::Integer(found.id()),
                    Value::Integer(place as i64 + 1),
                    Value::Integer(depths[place] as i64),
                    Value::Real(node.weight),
                    Value::Real(node.weight / all.max(f64::MIN_POSITIVE)),
                    says.prediction,
                    says.probability,
                    says.probabilities,
                    Value::Text(way(tree, place).join(" and ")),
                ]);
            }
            Ok(())
        })?;
        Ok(Box::new(Ready(rows)))
    }
}

/// The conditions on the way to a node, from the root.
fn way(tree: &TreeDrawn, mut place: usize) -> Vec<String> {
    let mut conditions = Vec::new();
    while let Some((parent, branch)) = tree.nodes[place].parent {
        place = parent as usize;
        let Some(test) = &tree.nodes[place].test else {
            break;
        };
        let words = test
            .branches
            .get(branch)
            .map_or("", |branch| branch.words.as_str());
        conditions.push(match words {
            "yes" => test.words.clone(),
            "no" => format!("not ({})", test.words),
            other => format!("{}: {other}", test.words),
        });
    }
    conditions.reverse();
    conditions
}

/// The table `rules`: a leaf each, its conditions apart from what it says.
pub(crate) struct Rules;

const RULES: &[Field] = &[
    Field::steering("tree", "INTEGER", &[Is::Equal]),
    Field::found("rule", "INTEGER"),
    Field::found("leaf", "INTEGER"),
    Field::found("conditions", "INTEGER"),
    Field::found("text", "TEXT"),
    Field::found("prediction", ""),
    Field::found("probability", "REAL"),
    Field::found("weight", "REAL"),
    Field::argument("target"),
];

impl Source for Rules {
    fn fields(&self) -> &[Field] {
        RULES
    }

    fn remark(&self, known: &[Known<'_>]) -> Option<&'static str> {
        remark(known)
    }

    fn expected(&self, taken: &[&str]) -> f64 {
        expected(taken, 8.0)
    }

    fn rows(&self, state: &Arc<State>, conditions: &Conditions) -> Result<Box<dyn Rows>> {
        let mut rows = Vec::new();
        over(&meant(state, conditions)?, &mut |found, drawing, tree| {
            let leaves = tree
                .nodes
                .iter()
                .enumerate()
                .filter(|(_, node)| node.test.is_none());
            for (number, (place, node)) in leaves.enumerate() {
                let says = says(drawing, &node.answers);
                let way = way(tree, place);
                let said = match &says.prediction {
                    Value::Text(text) => text.clone(),
                    Value::Real(number) => format!("{number:.6}"),
                    _ => "nothing".to_owned(),
                };
                let text = match way.is_empty() {
                    true => format!("always: {said}"),
                    false => format!("if {} then {said}", way.join(" and ")),
                };
                rows.push(vec![
                    Value::Integer(found.id()),
                    Value::Integer(number as i64 + 1),
                    Value::Integer(place as i64 + 1),
                    Value::Integer(way.len() as i64),
                    Value::Text(text),
                    says.prediction,
                    says.probability,
                    Value::Real(node.weight),
                ]);
            }
            Ok(())
        })?;
        Ok(Box::new(Ready(rows)))
    }
}

/// The table `leaf_rows`: which rows fall into which leaf.
pub(crate) struct LeafRows;

const LEAF_ROWS: &[Field] = &[
    Field::steering("tree", "INTEGER", &[Is::Equal]),
    Field::found("leaf", "INTEGER"),
    Field::found("row", "INTEGER"),
    Field::found("key", ""),
    Field::found("share", "REAL"),
    Field::argument("target"),
];

impl Source for LeafRows {
    fn fields(&self) -> &[Field] {
        LEAF_ROWS
    }

    fn remark(&self, known: &[Known<'_>]) -> Option<&'static str> {
        remark(known)
    }

    fn expected(&self, taken: &[&str]) -> f64 {
        expected(taken, 1000.0)
    }

    fn rows(&self, state: &Arc<State>, conditions: &Conditions) -> Result<Box<dyn Rows>> {
        let context = state.context();
        let mut rows = Vec::new();
        for found in meant(state, conditions)? {
            let trained = found.trained()?;
            let conformed = found.search.conformed()?;
            let drawing = found.drawing()?;
            let tree = crate::search::Found::drawn(&drawing)?;
            let view = &found.search.problem.view;
            let keys = found.keys();
            for position in 0..view.len() {
                if position % 256 == 0 {
                    context.check()?;
                }
                let visited = trained.visited(conformed, position)?.unwrap_or_default();
                for (_, node, share) in visited {
                    let leaf = tree
                        .nodes
                        .get(node as usize)
                        .is_some_and(|node| node.test.is_none());
                    if leaf && share > 0.0 {
                        rows.push(vec![
                            Value::Integer(found.id()),
                            Value::Integer(i64::from(node) + 1),
                            Value::Integer(i64::from(view.row(position)) + 1),
                            key_of(view, &keys, position),
                            Value::Real(share),
                        ]);
                    }
                }
            }
        }
        Ok(Box::new(Ready(rows)))
    }
}
