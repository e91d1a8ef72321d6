//! Why a tree says what it says: the tests on the way to the leaves, with the values of the row.

use kinwood_similarity::account::Detail;
use kinwood_similarity::nearer::nearer;
use kinwood_values::{Value, View};

use super::walk::{At, Tested, Walk, answer, tested};
use super::{InputKind, TargetOf, TreeModel};
use crate::tree::Test;
use crate::tree::test::measure;
use kinwood_learning::error::Result;
use kinwood_learning::explanation::{Explanation, Near, Others, Reasons, Step, TargetExplanation};

/// The tests that a row of a view passes, and what they lead to.
pub(super) fn explain(model: &TreeModel, data: &View, position: usize) -> Result<Explanation> {
    let terms = &model.terms;
    let at = At::new(data, position);
    let columns = tested(terms, data)?;
    let walk = |member| Walk::new(member, terms, &columns);
    let walks: Vec<Walk<'_>> = model.answering().iter().map(walk).collect();
    let value = |column: u32| {
        let tested = columns[column as usize].as_ref();
        tested.map_or_else(|| "?".to_owned(), |tested| tested.value(at))
    };
    let mut path = Vec::new();
    let mut rows = 0.0;
    for (place, (walk, member)) in walks.iter().zip(model.answering()).enumerate() {
        let mut depths = vec![0; member.tree.size()];
        walk.visit(at, |node, share, branch| {
            let Some(split) = &member.tree.node(node).split else {
                rows += share * member.tree.node(node).payload.weight;
                return;
            };
            for &child in &split.children {
                depths[child as usize] = depths[node as usize] + 1;
            }
            path.push(Step {
                tree: place + 1,
                depth: depths[node as usize],
                share,
                test: terms.words(&split.test),
                value: value(split.test.column()),
                holds: branch
                    .filter(|_| !split.test.has_prototypes())
                    .map(|branch| branch == 0),
                near: near(
                    model,
                    &split.test,
                    branch,
                    columns[split.test.column() as usize].as_ref(),
                    at,
                ),
            });
        });
    }
    let mut numbers = vec![0.0; terms.targets.iter().map(TargetOf::width).sum()];
    answer(model, &walks, at, &mut Vec::new(), &mut numbers);
    let mut rest = numbers.as_slice();
    let target = |target: &TargetOf| {
        let (own, others) = rest.split_at(target.width());
        rest = others;
        let names = target.kind.parts();
        TargetExplanation {
            name: target.name.clone(),
            prediction: names.into_iter().zip(own.iter().copied()).collect(),
            reasons: Reasons::Path(path.clone()),
            // All training rows of the leaves together make the answer.
            others: Others {
                rows: (rows / walks.len() as f64).round() as usize,
                share: 1.0,
                parts: own.to_vec(),
            },
        }
    };
    Ok(Explanation {
        attributes: Vec::new(),
        values: Vec::new(),
        targets: terms.targets.iter().map(target).collect(),
    })
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
        (Test::Nearest { nearest, .. }, Tested::Kin { .. }) => {
            tested.distances(at, &nearest.prototypes)?
        }
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
                &pool.measure,
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
