//! Relational trees for pictures: tests in words, formulas, and the keys that are followed on the
//! way to each node.

use kinwood_values::View;

use super::show::along;
use super::walk::Walk;
use super::words::{Occurrences, steps, ways};
use super::{Member, MirtModel};
use crate::mirt::RelationalTree;
use crate::mirt::terms::Terms;
use crate::mirt::test::{Condition, Is, Step, Test};
use crate::mirt::values::Values;
use crate::tree::model::draw::{answer, notes, target};
use kinwood_learning::drawing::{
    BranchDrawn, Drawing, KeyDrawn, Mark, NodeDrawn, SchemaDrawn, StepDrawn, TestDrawn, TreeDrawn,
};
use kinwood_learning::error::Result;

/// The trees of a model as pictures show them.
pub(super) fn drawing(model: &MirtModel) -> Drawing {
    let terms = &*model.terms;
    let names: Vec<&str> = terms
        .targets
        .iter()
        .map(|target| target.name.as_str())
        .collect();
    let mut notes = notes(&model.report, model.trees.len(), model.combine);
    notes.extend(along(model));
    let trees = model.trees.iter().enumerate();
    Drawing {
        title: names.join(", "),
        targets: terms.targets.iter().map(target).collect(),
        trees: trees
            .map(|(place, member)| tree(terms, place, member))
            .collect(),
        notes,
        schema: Some(schema(terms)),
    }
}

fn schema(terms: &Terms) -> SchemaDrawn {
    let columns = |table: usize, columns: &[u32]| -> Vec<String> {
        let columns = columns.iter();
        columns
            .map(|&column| terms.column(table, column).name.clone())
            .collect()
    };
    let keys = terms.keys.iter().map(|key| KeyDrawn {
        name: key.name.clone(),
        from: key.from,
        from_columns: columns(key.from, &key.from_columns),
        to: key.to,
        to_columns: columns(key.to, &key.to_columns),
    });
    SchemaDrawn {
        tables: terms
            .tables
            .iter()
            .map(|table| table.name.clone())
            .collect(),
        root: terms.root,
        keys: keys.collect(),
    }
}

fn tree(terms: &Terms, place: usize, member: &Member) -> TreeDrawn {
    let tree: &RelationalTree = &member.tree;
    let mut parents = vec![None; tree.size()];
    for (place, node) in tree.nodes().iter().enumerate() {
        let children = node.split.iter().flat_map(|split| &split.children);
        for (branch, &child) in children.enumerate() {
            parents[child as usize] = Some((place as u32, branch));
        }
    }
    let nodes = tree.nodes().iter().zip(parents).zip(ways(tree));
    TreeDrawn {
        name: format!("tree {}", place + 1),
        score: member.score,
        nodes: nodes
            .map(|((node, parent), way)| {
                let path = steps(&way);
                let names = Occurrences::new(terms, &path);
                let asked: &[Step] = match &node.split {
                    Some(split) => &split.test.steps,
                    None => &[],
                };
                let formula = |place: usize| {
                    let model = node.payload.model(place)?;
                    node.split.is_none().then(|| names.sum(model))
                };
                let answers = node.payload.answers.targets.iter().enumerate();
                let answers =
                    answers.map(|(place, own)| match answer(&terms.targets[place], own) {
                        Mark::Number {
                            mean,
                            deviation,
                            weight,
                            ..
                        } => Mark::Number {
                            mean,
                            deviation,
                            weight,
                            formula: formula(place),
                        },
                        other => other,
                    });
                NodeDrawn {
                    parent,
                    test: node.split.as_ref().map(|split| {
                        let weight = |&child: &u32| tree.node(child).payload.answers.weight;
                        let weights: Vec<f64> = split.children.iter().map(weight).collect();
                        test(terms, &path, &names, &split.test, &weights)
                    }),
                    weight: node.payload.answers.weight,
                    answers: answers.collect(),
                    steps: followed(terms, &path, asked),
                }
            })
            .collect(),
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

fn test(
    terms: &Terms,
    path: &[Step],
    names: &Occurrences<'_>,
    test: &Test,
    weights: &[f64],
) -> TestDrawn {
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
    let total: f64 = weights.iter().sum();
    let branch = |words: &str, weight: f64| BranchDrawn {
        words: words.to_owned(),
        prototype: None,
        share: weight / total.max(f64::MIN_POSITIVE),
    };
    let mut yes = branch("yes", weights[0]);
    yes.prototype = prototype;
    TestDrawn {
        words: names.test(test),
        column: column.map_or_else(
            || terms.tables[table].name.clone(),
            |column| {
                let column = &terms.column(table, column).name;
                match table == terms.root {
                    true => column.clone(),
                    false => format!("{}.{column}", terms.tables[table].name),
                }
            },
        ),
        distance: pool.map(|pool| pool.measure.expression().to_string()),
        branches: vec![yes, branch("no", weights[1])],
    }
}

/// The nodes of each tree that an object of a view passes, parents first.
pub(super) fn visited(
    model: &MirtModel,
    data: &View,
    position: usize,
) -> Result<Vec<(usize, u32, f64)>> {
    model.terms.check(data)?;
    let values = Values::new(data, &model.terms.pools)?;
    let mut passed = Vec::new();
    for (tree, member) in model.trees.iter().enumerate() {
        let walk = Walk::new(model, member, &values);
        walk.visit(vec![position as u32], &mut |visit| {
            passed.push((tree, visit.node, 1.0));
        });
    }
    Ok(passed)
}
