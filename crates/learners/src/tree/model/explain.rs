//! Why a tree says what it says: the tests on the way to the leaves, with the values of the row.

use kinwood_values::View;

use super::walk::{Walk, answer, tested};
use super::{TargetKind, TargetOf, TreeModel};
use crate::error::Result;
use crate::explanation::{Explanation, Step, TargetExplanation};

/// The tests that a row of a view passes, and what they lead to.
pub(super) fn explain(model: &TreeModel, data: &View, position: usize) -> Result<Explanation> {
    let terms = &model.terms;
    let row = data.row(position) as usize;
    let columns = tested(terms, data)?;
    let walk = |member| Walk::new(member, terms, &columns);
    let walks: Vec<Walk<'_>> = model.answering().iter().map(walk).collect();
    let value = |column: u32| {
        let tested = columns[column as usize].and_then(|tested| tested.column);
        tested.map_or_else(|| "?".to_owned(), |column| column.value(row).to_string())
    };
    let mut path = Vec::new();
    let mut rows = 0.0;
    for (place, (walk, member)) in walks.iter().zip(model.answering()).enumerate() {
        let mut depths = vec![0; member.tree.size()];
        walk.visit(row, |node, share, holds| {
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
                holds,
            });
        });
    }
    let mut numbers = vec![0.0; terms.targets.iter().map(TargetOf::width).sum()];
    answer(model, &walks, row, &mut Vec::new(), &mut numbers);
    let mut rest = numbers.as_slice();
    let target = |target: &TargetOf| {
        let (own, others) = rest.split_at(target.width());
        rest = others;
        let names: Vec<String> = match &target.kind {
            TargetKind::Classes(labels) => labels.labels().map(str::to_owned).collect(),
            TargetKind::Number => vec![String::new()],
            TargetKind::Labels { labels, .. } => {
                labels.dictionary().labels().map(str::to_owned).collect()
            }
        };
        TargetExplanation {
            name: target.name.clone(),
            prediction: names.into_iter().zip(own.iter().copied()).collect(),
            influences: Vec::new(),
            // The training rows of the leaves: all of them together say what is said.
            other_rows: (rows / walks.len() as f64).round() as usize,
            other_share: 1.0,
            other_parts: own.to_vec(),
            path: path.clone(),
        }
    };
    Ok(Explanation {
        attributes: Vec::new(),
        values: Vec::new(),
        targets: terms.targets.iter().map(target).collect(),
    })
}
