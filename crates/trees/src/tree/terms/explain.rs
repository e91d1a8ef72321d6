//! The tests on the way of a row, with its values and how near it is to prototypes.

use kinwood_similarity::account::Detail;
use kinwood_similarity::nearer::nearer;
use kinwood_values::{Value, View};

use super::walk::{At, Tested, Walk, answer, tested};
use super::{InputKind, TreeModel};
use crate::contents::Item;
use crate::tree::Test;
use crate::tree::model::{Trace, Why};
use crate::tree::test::measure;
use kinwood_learning::error::Result;
use kinwood_learning::explanation::{Near, Step};

/// How a row of a view gets to its answers.
pub(super) fn trace(model: &TreeModel, data: &View, position: usize) -> Result<Trace> {
    let terms = &*model.terms;
    let at = At::new(data, position);
    let columns = tested(terms, data)?;
    let members = model.answering();
    let walks: Vec<Walk<'_>> = members.iter().map(|one| Walk::new(one, model)).collect();
    let mut path = Vec::new();
    let mut examples = 0.0;
    for (place, (walk, member)) in walks.iter().zip(members).enumerate() {
        let mut depths = vec![0; member.tree.size()];
        walk.visit(&columns, at, |node, share, branch| {
            let Some(split) = &member.tree.node(node).split else {
                examples += share * member.tree.node(node).payload.weight;
                return;
            };
            for &child in &split.children {
                depths[child as usize] = depths[node as usize] + 1;
            }
            let test = &split.test;
            let tested = columns[test.column() as usize].as_ref();
            path.push(Step {
                tree: place + 1,
                depth: depths[node as usize],
                share,
                test: terms.words(test),
                value: tested.map_or_else(|| "?".to_owned(), |own| value(model, test, own, at)),
                holds: branch
                    .filter(|_| !test.has_prototypes())
                    .map(|branch| branch == 0),
                near: near(model, test, branch, tested, at),
            });
        });
    }
    Ok(Trace {
        values: Vec::new(),
        path,
        examples: examples / walks.len() as f64,
        numbers: answer(model, &walks, &columns, at),
        why: terms.targets.iter().map(|_| Why::Leaves).collect(),
    })
}

/// The value of a row in words; where several items could have decided, those that it has.
fn value(model: &TreeModel, test: &Test, tested: &Tested<'_>, at: At) -> String {
    let value = tested.value(at);
    let kind = model.terms.input(test.column()).map(|input| &input.kind);
    match (test, kind) {
        (Test::Has { items, .. }, Some(InputKind::Kin(pool))) if items.len() > 1 => {
            let found = tested.found(test, at);
            let found: Vec<String> = pool.named(&found).map(Item::words).collect();
            match found.is_empty() {
                true => value,
                false => format!("{value}, which has {}", found.join(", ")),
            }
        }
        _ => value,
    }
}

/// Whether the nearest prototype attracts, whatever its reach.
fn plainly_nearest(test: &Test) -> bool {
    matches!(test, Test::Nearest { nearest, .. } if nearest.reach.is_empty())
}

/// How distances come about is told of so many trees at most.
const TOLD_TREES: usize = 3;

/// How far a row is from the prototypes of a test, and which attracts it; `None` for other tests
/// and where the row has no value.
fn near(
    model: &TreeModel,
    test: &Test,
    branch: Option<usize>,
    tested: Option<&Tested<'_>>,
    at: At,
) -> Option<Near> {
    let (branch, tested) = (branch?, tested?);
    let distances = match (test, tested) {
        (Test::Around { cells, .. }, Tested::Flat { column, .. }) => {
            let number = measure((*column)?, at.row)?;
            let each = cells.prototypes.iter();
            each.map(|prototype| (prototype - number).abs()).collect()
        }
        (Test::Nearest { nearest, .. }, Tested::Flat { column, .. }) => {
            let code = (*column)?.code(at.row)?;
            let each = nearest.prototypes.iter();
            each.map(|other| f64::from(u8::from(*other != code)))
                .collect()
        }
        (Test::Nearest { nearest, .. }, Tested::Kin { .. }) => tested.distances(at, nearest)?,
        _ => return None,
    };
    let terms = &model.terms;
    let why = match (tested, terms.input(test.column()).map(|input| &input.kind)) {
        (Tested::Kin { column, .. }, Some(InputKind::Kin(pool)))
            if model.answering().len() <= TOLD_TREES && plainly_nearest(test) =>
        {
            // The one that attracts the row first: of equally near ones it is to be called the
            // nearest.
            let others = (0..test.branches()).filter(|other| *other != branch);
            let named = std::iter::once(branch).chain(others).filter_map(|branch| {
                let name = format!("prototype {}", branch + 1);
                Some((name, terms.prototype(test, branch)?))
            });
            let named: Vec<(String, Value)> = named.collect();
            // What cannot be told is left out: the distances themselves stand above.
            nearer(
                match test {
                    Test::Nearest { nearest, .. } => pool.by(nearest),
                    _ => &pool.measure,
                },
                &column.value(at.position),
                &named,
                Detail::default(),
            )
            .ok()
            .flatten()
        }
        _ => None,
    };
    let named = distances.into_iter().enumerate();
    let named = named.map(|(branch, distance)| (terms.branch(test, branch), distance));
    Some(Near {
        branch,
        prototypes: named.collect(),
        why,
    })
}
