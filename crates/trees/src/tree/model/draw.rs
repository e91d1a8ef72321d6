//! Trees for pictures.

use crate::tree::SearchMethod;

use super::{Combine, Member, ModelTerms, Outline, Report, TreeSet, show};
use kinwood_learning::drawing::{Drawing, NodeDrawn, TargetDrawn, TreeDrawn};

/// The trees of a model as pictures show them.
pub(super) fn drawing<T: ModelTerms>(model: &TreeSet<T>) -> Drawing {
    let targets = model.terms.targets().iter();
    let names: Vec<&str> = targets.clone().map(|target| target.name.as_str()).collect();
    let mut notes = notes(&model.report, model.trees.len(), model.combine);
    notes.extend(show::along(model));
    let trees = model.trees.iter().enumerate();
    Drawing {
        title: names.join(", "),
        targets: targets
            .map(|target| TargetDrawn::new(&target.name, &target.kind))
            .collect(),
        trees: trees
            .map(|(place, member)| tree(&*model.terms, place, member))
            .collect(),
        notes,
        schema: model.terms.schema(),
    }
}

/// How the trees were found, and how several answer.
fn notes(report: &Report, trees: usize, combine: Combine) -> Vec<String> {
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

fn tree<T: ModelTerms>(terms: &T, place: usize, member: &Member<T>) -> TreeDrawn {
    let tree = &*member.tree;
    let outline = Outline::new(terms, tree);
    let weight = |node: u32| terms.answers(&tree.node(node).payload).weight;
    let node = |node: u32| {
        let at = tree.node(node);
        let answers = terms.answers(&at.payload);
        let said = terms.targets().iter().zip(&answers.targets);
        let test = at.split.as_ref().map(|split| {
            let mut test = terms.test_drawn(&outline.above[node as usize], &split.test);
            let total: f64 = split.children.iter().map(|&child| weight(child)).sum();
            for (branch, &child) in test.branches.iter_mut().zip(&split.children) {
                branch.share = weight(child) / total.max(f64::MIN_POSITIVE);
            }
            test
        });
        let mut drawn = NodeDrawn {
            parent: outline.parents[node as usize],
            test,
            weight: answers.weight,
            answers: said
                .map(|(target, own)| own.leaf().mark(&target.kind, own.numbers()))
                .collect(),
            ..NodeDrawn::default()
        };
        terms.node_drawn(&outline, node, &mut drawn);
        drawn
    };
    TreeDrawn {
        name: format!("tree {}", place + 1),
        score: member.score,
        nodes: (0..tree.size() as u32).map(node).collect(),
    }
}
