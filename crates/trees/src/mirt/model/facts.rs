//! What a relational tree is known to be without any rows.

use std::collections::BTreeSet;

use kinwood_learning::facts::{TrainingScore, TreeFacts};

use super::words::{steps, ways};
use super::{Along, Member, MirtModel};
use crate::mirt::RelationalTree;
use crate::mirt::terms::Terms;
use crate::mirt::test::Step;
use crate::tree::model::facts::{shape, training};

/// A table and one of its columns, or all of its rows where only their number counts.
type Place = (usize, Option<u32>);

/// The facts of a tree of a model.
pub(super) fn facts(model: &MirtModel, member: &Member) -> TreeFacts {
    let looked_at = looked_at(&model.terms, &member.tree);
    TreeFacts {
        score: member.score,
        columns: looked_at.iter().map(|&at| name(&model.terms, at)).collect(),
        training: trained(model, &member.tree),
        ..shape(&member.tree)
    }
}

/// What tests and the formulas of leaves look at.
fn looked_at(terms: &Terms, tree: &RelationalTree) -> BTreeSet<Place> {
    let mut places = BTreeSet::new();
    for (node, way) in tree.nodes().iter().zip(ways(tree)) {
        let path = steps(&way);
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
            let all = model.steps(&path);
            places.extend(model.terms.iter().map(|term| {
                let table = terms.table_of(&all, term.variable.occurrence());
                (table, term.variable.column())
            }));
        }
    }
    places
}

/// Named as permutation importance names the parts of a database.
fn name(terms: &Terms, (table, column): Place) -> String {
    let of = &terms.tables[table].name;
    match column.map(|column| &terms.column(table, column).name) {
        None => format!("rows of {of}"),
        Some(column) if table == terms.root => column.clone(),
        Some(column) => format!("{of}.{column}"),
    }
}

/// How good the leaves are where they answer alone and by constants: what formulas and smoothing
/// make of the examples cannot be told without them.
fn trained(model: &MirtModel, tree: &RelationalTree) -> Vec<TrainingScore> {
    if model.along != Along::Leaf {
        return Vec::new();
    }
    let leaves = || {
        let nodes = tree.nodes().iter();
        nodes.filter(|node| node.split.is_none())
    };
    let targets = &model.terms.targets;
    let constant = |target: &str| {
        let place = targets.iter().position(|other| other.name == target);
        place.is_some_and(|place| leaves().all(|leaf| leaf.payload.model(place).is_none()))
    };
    let mut scores = training(targets, leaves().map(|leaf| &leaf.payload.answers));
    scores.retain(|score| constant(&score.target));
    scores
}
