//! Trees that nobody learned, for tests of what any tree must do.

use crate::tree::SearchMethod;
use kinwood_learning::StopReason;
use std::sync::Arc;

use kinwood_learning::random::Generator;
use kinwood_learning::task::Task;
use kinwood_values::View;

use crate::tree::{
    Along, Answer, Answers, Combine, FlatTree, Member, Node, Report, Split, TargetOf, Test,
    TreeModel,
};

/// Trees that nobody learned, each with so many nodes at most, for what is to be tried on any tree:
/// tests of the view's inputs, some leaves that know nothing of a target, shares of branches that
/// the rows do not have.
pub fn random_trees(
    view: &View,
    targets: &[usize],
    trees: usize,
    nodes: usize,
    combine: Combine,
    seed: u64,
) -> TreeModel {
    let task = Task::new(view, targets).expect("a task");
    let targets: Vec<TargetOf> = task
        .targets()
        .iter()
        .map(|target| TargetOf::of(target).expect("a target of trees"))
        .collect();
    let mut generator = Generator::new(seed, &[trees as u64, nodes as u64]);
    let members = (0..trees)
        .map(|_| Member {
            tree: Arc::new(random_tree(task.view(), &targets, nodes, &mut generator)),
            score: Some(generator.unit()),
        })
        .collect();
    let report = Report {
        search: SearchMethod::Greedy,
        evaluated: trees as u64,
        stopped: StopReason::Complete,
        notes: Vec::new(),
        ..Report::default()
    };
    let (view, pools) = (task.view(), Vec::new());
    TreeModel::new(view, pools, targets, members, combine, Along::Leaf, report)
        .expect("trees fit their terms")
}

fn random_tree(
    view: &View,
    targets: &[TargetOf],
    nodes: usize,
    generator: &mut Generator,
) -> FlatTree {
    let mut built: Vec<Node<Test, Answers>> = Vec::new();
    let mut pending: Vec<(usize, Option<(usize, usize)>)> = vec![(nodes, None)];
    while let Some((budget, parent)) = pending.pop() {
        let place = built.len();
        if let Some((parent, branch)) = parent
            && let Some(split) = &mut built[parent].split
        {
            split.children[branch] = place as u32;
        }
        let split = (budget >= 3).then(|| {
            let left = 1 + 2 * generator.below((budget - 1) / 2);
            pending.push((budget - 1 - left, Some((place, 1))));
            pending.push((left, Some((place, 0))));
            let share = generator.unit();
            Split {
                test: random_test(view, generator),
                children: vec![0, 0],
                shares: vec![share, 1.0 - share],
            }
        });
        let weight = 1.0 + generator.below(50) as f64;
        let answers = targets
            .iter()
            .map(|target| random_answer(target, weight, generator));
        let targets = answers.collect();
        built.push(Node {
            payload: Answers { weight, targets },
            split,
        });
    }
    FlatTree::new(built).expect("made in preorder")
}

fn random_test(view: &View, generator: &mut Generator) -> Test {
    let inputs = view.inputs();
    let column = inputs[generator.below(inputs.len())];
    let values = &view.table().attribute(column).column;
    let row = view.row(generator.below(view.len())) as usize;
    let column = column as u32;
    match values.codes() {
        Some((_, labels)) => Test::Among {
            column,
            values: (0..labels.len() as u32)
                .filter(|_| generator.below(2) == 0)
                .collect(),
        },
        None => Test::Above {
            column,
            threshold: values.number(row).unwrap_or(0.5),
        },
    }
}

fn random_answer(target: &TargetOf, weight: f64, generator: &mut Generator) -> Answer {
    let known = if generator.below(6) == 0 { 0.0 } else { weight };
    if target.kind.is_number() {
        let mean = 100.0 * generator.normal();
        return Answer::number(known, mean, known * generator.unit());
    }
    let width = target.width();
    let Some(labels) = target.kind.as_labels() else {
        let mut weights = vec![0.0; width];
        for _ in 0..known as usize {
            // Few classes have much, so that ties and certain leaves come about.
            weights[generator.below(width).min(generator.below(width))] += 1.0;
        }
        return Answer::classes(weights);
    };
    let mut shares = vec![0.0; width];
    for _ in 0..4 {
        for label in labels.closed([generator.below(width) as u32]) {
            shares[label as usize] += 0.25;
        }
    }
    Answer::labels(known, shares)
}
