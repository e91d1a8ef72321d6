//! Trees for pictures, and the nodes that a row of them lights up.

use crate::tree::SearchMethod;
use kinwood_values::View;

use super::walk::{At, Walk, tested};
use super::{Combine, InputKind, Member, Report, TargetOf, Terms, TreeModel};
use crate::tree::{Answer, FlatTree, Split, Test};
use kinwood_learning::drawing::{
    BranchDrawn, Drawing, Mark, NodeDrawn, TargetDrawn, TestDrawn, TreeDrawn,
};
use kinwood_learning::error::Result;

/// The trees of a model as pictures show them.
pub(super) fn drawing(model: &TreeModel) -> Drawing {
    let names: Vec<&str> = model
        .terms
        .targets
        .iter()
        .map(|t| t.name.as_str())
        .collect();
    let trees = model.trees.iter().enumerate();
    Drawing {
        title: names.join(", "),
        targets: model.terms.targets.iter().map(target).collect(),
        trees: trees
            .map(|(place, member)| tree(&model.terms, place, member))
            .collect(),
        notes: notes(&model.report, model.trees.len(), model.combine),
        schema: None,
    }
}

/// How the trees were found, and how several answer.
pub(crate) fn notes(report: &Report, trees: usize, combine: Combine) -> Vec<String> {
    let mut notes = Vec::new();
    if report.search != SearchMethod::None {
        notes.push(format!("{} search, {}", report.search, report.stopped));
    }
    if trees > 1 {
        notes.push(
            match combine {
                Combine::Best => "the best tree answers",
                Combine::Vote => "the trees vote",
                Combine::Average => "the trees' average answers",
            }
            .to_owned(),
        );
    }
    notes.extend(report.notes.iter().cloned());
    notes
}

/// A target as pictures know it.
pub(crate) fn target(target: &TargetOf) -> TargetDrawn {
    TargetDrawn::new(&target.name, &target.kind)
}

fn tree(terms: &Terms, place: usize, member: &Member) -> TreeDrawn {
    let tree: &FlatTree = &member.tree;
    let mut parents = vec![None; tree.size()];
    for (place, node) in tree.nodes().iter().enumerate() {
        let children = node.split.iter().flat_map(|split| &split.children);
        for (branch, &child) in children.enumerate() {
            parents[child as usize] = Some((place as u32, branch));
        }
    }
    let nodes = tree.nodes().iter().zip(parents);
    TreeDrawn {
        name: format!("tree {}", place + 1),
        score: member.score,
        nodes: nodes
            .map(|(node, parent)| NodeDrawn {
                parent,
                test: node.split.as_ref().map(|split| test(terms, tree, split)),
                weight: node.payload.weight,
                answers: {
                    let said = terms.targets.iter().zip(&node.payload.targets);
                    said.map(|(target, own)| answer(target, own)).collect()
                },
                ..NodeDrawn::default()
            })
            .collect(),
    }
}

fn test(terms: &Terms, tree: &FlatTree, split: &Split<Test>) -> TestDrawn {
    let input = terms.input(split.test.column());
    let weight = |&child: &u32| tree.node(child).payload.weight;
    let total: f64 = split.children.iter().map(weight).sum();
    let shares = split.children.iter().map(weight);
    let shares = shares.map(|weight| weight / total.max(f64::MIN_POSITIVE));
    let branches = shares.enumerate();
    TestDrawn {
        words: words(terms, &split.test),
        column: input.map_or_else(String::new, |input| input.name.clone()),
        distance: match input.map(|input| &input.kind) {
            Some(InputKind::Kin(pool)) => Some(pool.measure.expression().to_string()),
            _ => None,
        },
        branches: branches
            .map(|(branch, share)| BranchDrawn {
                words: terms.branch(&split.test, branch),
                prototype: terms.prototype(&split.test, branch),
                share,
            })
            .collect(),
    }
}

/// A test in words, its threshold without the digits that only arithmetic put there: half of 28.8
/// is drawn as 14.4.
fn words(terms: &Terms, test: &Test) -> String {
    match (test, terms.input(test.column())) {
        (Test::Above { threshold, .. }, Some(input)) if input.kind == InputKind::Number => {
            let near = format!("{threshold:.9e}").parse().unwrap_or(*threshold);
            format!("{} > {near}", input.name)
        }
        _ => terms.words(test),
    }
}

/// An answer as pictures know it.
pub(crate) fn answer(target: &TargetOf, answer: &Answer) -> Mark {
    answer.leaf().mark(&target.kind, answer.numbers())
}

/// The nodes of each tree that a row of a view passes, parents first, and how much of it passes
/// each.
pub(super) fn visited(
    model: &TreeModel,
    data: &View,
    position: usize,
) -> Result<Vec<(usize, u32, f64)>> {
    // Structured values are prepared for all rows of a view: of this one nothing more is needed.
    let data = &data.select(&[position as u32]);
    let columns = tested(&model.terms, data)?;
    let at = At::new(data, 0);
    let mut passed = Vec::new();
    for (tree, member) in model.trees.iter().enumerate() {
        let walk = Walk::new(member, &model.terms, &columns);
        walk.visit(at, |node, share, _| passed.push((tree, node, share)));
    }
    Ok(passed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TREE;
    use kinwood_learning::context::Context;
    use kinwood_learning::task::Task;
    use kinwood_learning::testing::{CLASS, NUMBER, mixed_view};

    #[test]
    fn thresholds_are_drawn_without_the_dust_of_arithmetic() {
        let view = mixed_view(3);
        let name = view.table().attribute(NUMBER).name.clone();
        let terms = Terms {
            inputs: vec![super::super::Input {
                column: NUMBER as u32,
                name: name.clone(),
                kind: InputKind::Number,
            }],
            targets: Vec::new(),
        };
        let drawn = |threshold: f64| {
            let column = NUMBER as u32;
            words(&terms, &Test::Above { column, threshold })
        };
        assert_eq!(drawn(14.399999999999999), format!("{name} > 14.4"));
        assert_eq!(drawn(1.517155), format!("{name} > 1.517155"));
    }

    #[test]
    fn the_leaves_that_a_row_lights_up_say_what_is_predicted() {
        let view = mixed_view(60);
        let task = Task::new(&view, &[CLASS, NUMBER]).unwrap();
        // Nothing is pruned and nothing costs: the beam stays full.
        let settings = [
            ("search", "beam"),
            ("width", "3"),
            ("pruning", "none"),
            ("alpha", "0"),
        ];
        let learner = (TREE.build)(&TREE.settings(&settings).unwrap()).unwrap();
        let model = learner.fit(&task, &Context::new()).unwrap();
        let drawing = model.drawing().unwrap();
        assert_eq!((drawing.trees.len(), drawing.targets.len()), (3, 2));
        let view = task.view();
        let predictions = model.predict(view, &Context::new()).unwrap();
        for position in 0..view.len() {
            let passed = model.visited(view, position).unwrap().unwrap();
            for (number, tree) in drawing.trees.iter().enumerate() {
                let own: Vec<_> = passed.iter().filter(|step| step.0 == number).collect();
                assert_eq!(*own[0], (number, 0, 1.0));
                let leaf = |node: u32| tree.nodes[node as usize].test.is_none();
                let leaves = own.iter().filter(|step| leaf(step.1));
                let whole: f64 = leaves.map(|step| step.2).sum();
                assert!((whole - 1.0).abs() < 1e-9);
            }
            let (mut shares, mut number) = (Vec::new(), 0.0);
            for &(_, node, share) in passed.iter().filter(|step| step.0 == 0) {
                let node = &drawing.trees[0].nodes[node as usize];
                if node.test.is_some() {
                    continue;
                }
                let [Mark::Stack { weights, .. }, Mark::Number { mean, .. }] =
                    node.answers.as_slice()
                else {
                    panic!("a class and a number")
                };
                shares.resize(weights.len(), 0.0);
                let total: f64 = weights.iter().sum();
                for (sum, weight) in shares.iter_mut().zip(weights) {
                    *sum += share * weight / total;
                }
                number += share * mean;
            }
            let said = |target: usize| predictions.targets[target].output.row(position);
            for (drawn, said) in shares.iter().zip(said(0)) {
                assert!((drawn - said).abs() < 1e-9);
            }
            assert!((number - said(1)[0]).abs() < 1e-9);
        }
    }
}
