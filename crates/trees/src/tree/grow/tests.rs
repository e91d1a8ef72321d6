//! Every search beside its definition, on random rows: numbers of many and of few values, labels,
//! missing values, weights, and targets of every kind.

mod exact;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use kinwood_similarity::{Missing, RowDistance};
use kinwood_values::{Attribute, Column, Database, Role, Table, Type, Value, View};

use super::beam::{BeamSearch, beam};
use super::naive::{Grown, Naive, weight};
use super::unlike::Compared;
use super::{GrowthLimits, best_first, depth_first};
use crate::tree::attributes::Attributes;
use crate::tree::columns::{Inputs, Layout, Looks};
use crate::tree::constraint::{Constraints, Sketch};
use crate::tree::heuristic::Heuristic;
use crate::tree::kin::StructuredTests;
use crate::tree::language::Language;
use crate::tree::model::TargetOf;
use crate::tree::propose::{Problem, Prototypes, Rules};
use crate::tree::respond::{Grades, ResponseVisitor, respond};
use crate::tree::response::Response;
use crate::tree::watch::Watch;
use crate::tree::{FlatTree, Test};
use kinwood_learning::StopReason;
use kinwood_learning::context::Context;
use kinwood_learning::error::Result;
use kinwood_learning::random::Generator;
use kinwood_learning::task::Task;
use kinwood_testing::soak;

const HIERARCHY_WEIGHT: f64 = 0.75;

/// What is to be predicted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Class,
    Number,
    Both,
    Labels,
    Hierarchy,
}

const KINDS: [Kind; 5] = [
    Kind::Class,
    Kind::Number,
    Kind::Both,
    Kind::Labels,
    Kind::Hierarchy,
];

#[derive(Clone, Copy, Debug)]
struct Sample {
    kind: Kind,
    rows: usize,
    /// Whether some values are missing, and of several targets some of those.
    gaps: bool,
    weights: bool,
    seed: u64,
}

impl Sample {
    fn task(&self) -> Task {
        let mut generator = Generator::new(self.seed, &[self.kind as u64]);
        let symbol = |label: &str| Value::Symbol(label.to_owned());
        let mut columns: [Vec<f64>; 4] = Default::default();
        let mut labels: [Vec<Option<&str>>; 3] = Default::default();
        let (mut sets, mut paths) = (Vec::new(), Vec::new());
        for _ in 0..self.rows {
            let (far, few) = (generator.normal(), generator.below(4) as f64);
            let (hue, side) = (generator.below(5), generator.below(2));
            let level = far + few / 2.0 + f64::from(u8::from(hue < 2)) + 0.4 * generator.normal();
            let mut gone = || self.gaps && generator.below(8) == 0;
            columns[0].push(if gone() { f64::NAN } else { far });
            columns[1].push(if gone() { f64::NAN } else { few });
            let hues = ["red", "green", "blue", "white", "black"];
            labels[0].push((!gone()).then_some(hues[hue]));
            labels[1].push((!gone()).then_some(["left", "right"][side]));
            let several = self.kind == Kind::Both;
            let class =
                ["low", "middle", "high"][usize::from(level > 0.8) + usize::from(level > 2.0)];
            labels[2].push((!several || !gone()).then_some(class));
            columns[2].push(if several && gone() { f64::NAN } else { level });
            let mut set = Vec::new();
            let mut path = vec![symbol(
                ["a/x", "a/y", "b/z"][usize::from(level > 0.8) + side],
            )];
            for (place, label) in ["p", "q", "r"].into_iter().enumerate() {
                if level > place as f64 {
                    set.push(symbol(label));
                }
            }
            if few > 2.0 {
                path.push(symbol("b"));
            }
            sets.push(Value::set(set));
            paths.push(Value::set(path));
            columns[3].push([0.5, 1.0, 2.0, 3.0][generator.below(4)]);
        }
        let [far, few, level, weights] = columns;
        let [hue, side, class] = labels;
        let of = Type::Set(Box::new(Type::Nominal));
        let set = |values: &[Value]| Column::from_values(&of, values).unwrap();
        let mut path = Attribute::new("path", set(&paths));
        path.hierarchy = Some('/');
        let mut attributes = vec![
            Attribute::new("far", Column::numeric(far)),
            Attribute::new("hue", Column::nominal(hue)),
            Attribute::new("few", Column::numeric(few)),
            Attribute::new("side", Column::nominal(side)),
        ];
        attributes.extend(match self.kind {
            Kind::Class => vec![Attribute::new("class", Column::nominal(class))],
            Kind::Number => vec![Attribute::new("level", Column::numeric(level))],
            Kind::Both => vec![
                Attribute::new("class", Column::nominal(class)),
                Attribute::new("level", Column::numeric(level)),
            ],
            Kind::Labels => vec![Attribute::new("set", set(&sets))],
            Kind::Hierarchy => vec![path],
        });
        let targets: Vec<usize> = (4..attributes.len()).collect();
        if self.weights {
            let weights = Attribute::new("counts", Column::numeric(weights));
            attributes.push(weights.with_role(Role::Weight));
        }
        let table = Table::new("sample", attributes).unwrap();
        let view = View::new(Arc::new(Database::single(table).unwrap()), 0);
        Task::new(&view, &targets).unwrap()
    }
}

/// The sample of a case: every kind in turn, with and without gaps and weights.
fn sample(case: u64, rows: usize) -> Sample {
    let seed = case / 5;
    Sample {
        kind: KINDS[(case % 5) as usize],
        rows: rows + (seed % 7) as usize,
        gaps: seed % 2 == 1,
        weights: seed / 2 % 2 == 1,
        seed,
    }
}

/// How trees are sought.
#[derive(Clone, Debug)]
enum How {
    DepthFirst(Heuristic),
    BestFirst(Heuristic),
    Beam(BeamSearch),
}

struct Grow<'a> {
    how: &'a How,
    task: &'a Task,
    inputs: Inputs<'a>,
    least: f64,
    most: Option<usize>,
    context: Context,
}

struct Outcome {
    trees: Vec<FlatTree>,
    scores: Vec<f64>,
    evaluated: u64,
    stopped: StopReason,
}

impl ResponseVisitor for Grow<'_> {
    type Output = Outcome;

    fn visit<R: Response>(mut self, response: R, weights: Option<Vec<f64>>) -> Result<Outcome> {
        let lists = std::mem::take(&mut self.inputs.lists);
        let problem = Problem {
            inputs: self.inputs,
            response,
            rules: Rules {
                least: self.least * (1.0 - 1e-10),
                subsets: true,
                middle: false,
                together: false,
                always: false,
                prototypes: Prototypes::default(),
                corrected: false,
                items: 0,
                seed: 1,
                chance: None,
            },
        };
        let constraints = match self.most {
            None => Constraints::default(),
            Some(size) => Constraints::default().capped(size),
        };
        let limits = GrowthLimits {
            skips: false,
            constraints: &constraints,
            sketch: &Sketch::Open,
            required_first: false,
            watch: &Watch::default(),
        };
        let heuristic = match self.how {
            How::DepthFirst(heuristic) | How::BestFirst(heuristic) => *heuristic,
            How::Beam(_) => Heuristic::Gain,
        };
        let language = Attributes::new(&problem, self.task, weights, lists, heuristic, &[]);
        let root = language.root(None);
        let single = match self.how {
            How::DepthFirst(_) => depth_first(&language, root, &limits, &self.context),
            How::BestFirst(_) => best_first(&language, root, &limits, &self.context),
            How::Beam(search) => {
                let found = beam(&language, root, search, &limits, &self.context).unwrap();
                let (trees, scores) = found.trees.into_iter().unzip();
                return Ok(Outcome {
                    trees,
                    scores,
                    evaluated: found.evaluated,
                    stopped: found.stopped,
                });
            }
        };
        Ok(Outcome {
            trees: vec![single.tree],
            scores: Vec::new(),
            evaluated: single.evaluated,
            stopped: single.stopped,
        })
    }
}

/// The rows of tests are few: they take the ways of many rows too.
const SMALL: Layout = Layout {
    few_values: 8,
    shared: 200,
};

fn grow_with(task: &Task, how: &How, most: Option<usize>, context: &Context) -> Outcome {
    grow_in(SMALL, task, how, most, context)
}

fn grow_in(
    layout: Layout,
    task: &Task,
    how: &How,
    most: Option<usize>,
    context: &Context,
) -> Outcome {
    let kinds: Vec<TargetOf> = task
        .targets()
        .iter()
        .map(|target| TargetOf::of(target).unwrap())
        .collect();
    let grades = Grades {
        impurity: None,
        class_weights: &Default::default(),
        target_weights: vec![1.0; kinds.len()],
        hierarchy_weight: HIERARCHY_WEIGHT,
    };
    let inputs = {
        let looks = Looks {
            prototypes: false,
            distance: RowDistance {
                expression: "mean".parse().unwrap(),
                missing: Missing::default(),
                depth: 0,
            },
            structured: StructuredTests::default(),
            corrected: false,
            layout,
        };
        Inputs::new(task.view(), "tree", &looks, &Context::new()).unwrap()
    };
    let gaps = inputs.gaps();
    let grow = Grow {
        how,
        task,
        inputs,
        least: 2.0,
        most,
        context: context.clone(),
    };
    respond(task, gaps, &kinds, &grades, grow).unwrap()
}

fn grow(task: &Task, how: &How) -> Outcome {
    grow_with(task, how, None, &Context::new().with_threads(1))
}

fn search(width: usize, alpha: f64, beta: f64) -> BeamSearch {
    BeamSearch {
        width,
        alpha,
        beta,
        compared: Compared::Predictions,
        margin: 1e-6,
        epsilon: 0.0,
    }
}

fn compare(naive: &Naive<'_>, outcome: &Outcome, expected: &(Vec<Grown>, u64), about: &str) {
    assert_eq!(outcome.evaluated, expected.1, "{about}");
    assert_eq!(outcome.trees.len(), expected.0.len(), "{about}");
    for (tree, expected) in outcome.trees.iter().zip(&expected.0) {
        naive.assert_same(tree, expected, about);
    }
}

#[test]
fn soak_greedy_trees_are_those_of_the_definition() {
    soak(
        "soak_greedy_trees_are_those_of_the_definition",
        120,
        |case| {
            let sample = sample(case, 45);
            let task = sample.task();
            let naive = Naive::new(&task, 2.0, HIERARCHY_WEIGHT);
            for heuristic in [Heuristic::Gain, Heuristic::GainRatio] {
                let expected = naive.greedy(naive.all(), heuristic);
                let outcome = grow(&task, &How::DepthFirst(heuristic));
                naive.assert_same(&outcome.trees[0], &expected, &format!("{sample:?}"));
                assert_eq!(outcome.stopped, StopReason::Complete);
            }
        },
    );
}

#[test]
fn soak_best_first_without_a_limit_is_greedy() {
    soak("soak_best_first_without_a_limit_is_greedy", 60, |case| {
        let sample = sample(case, 80);
        let task = sample.task();
        for heuristic in [Heuristic::Gain, Heuristic::GainRatio] {
            let greedy = grow(&task, &How::DepthFirst(heuristic));
            let best_first = grow(&task, &How::BestFirst(heuristic));
            assert_eq!(greedy.trees, best_first.trees, "{sample:?}");
            assert_eq!(greedy.evaluated, best_first.evaluated);
        }
    });
}

#[test]
fn soak_a_beam_of_one_is_greedy() {
    let one = BeamSearch {
        margin: 0.0,
        ..search(1, 0.0, 0.0)
    };
    soak("soak_a_beam_of_one_is_greedy", 80, |case| {
        let sample = sample(case, 80);
        let task = sample.task();
        let greedy = grow(&task, &How::DepthFirst(Heuristic::Gain));
        let beam = grow(&task, &How::Beam(one.clone()));
        if beam.trees != greedy.trees {
            let naive = Naive::new(&task, 2.0, HIERARCHY_WEIGHT);
            same_up_to_rounding(
                &naive,
                &beam.trees[0],
                &greedy.trees[0],
                &format!("{sample:?}"),
            );
        }
    });
}

#[test]
fn soak_beams_are_those_of_the_definition() {
    soak("soak_beams_are_those_of_the_definition", 40, |case| {
        let sample = sample(case, 22);
        let task = sample.task();
        let naive = Naive::new(&task, 2.0, HIERARCHY_WEIGHT);
        for (width, alpha, most) in [(4, 1e-5, None), (3, 0.02, None), (8, 1e-5, Some(7))] {
            let search = search(width, alpha, 0.0);
            let expected = naive.beam(&search, most.unwrap_or(usize::MAX));
            let context = Context::new().with_threads(1);
            let outcome = grow_with(&task, &How::Beam(search.clone()), most, &context);
            compare(
                &naive,
                &outcome,
                &expected,
                &format!("{sample:?} {search:?}"),
            );
            for (tree, score) in expected.0.iter().zip(&outcome.scores) {
                assert!((naive.score(tree, alpha) - score).abs() < 1e-9);
            }
        }
    });
}

#[test]
fn soak_beams_of_unlike_trees_are_those_of_the_definition() {
    soak(
        "soak_beams_of_unlike_trees_are_those_of_the_definition",
        40,
        |case| {
            let sample = sample(case, 16);
            let task = sample.task();
            let naive = Naive::new(&task, 2.0, HIERARCHY_WEIGHT);
            for (beta, compared) in [(1.0, Compared::Predictions), (0.3, Compared::Distributions)] {
                let search = BeamSearch {
                    compared,
                    ..search(4, 1e-5, beta)
                };
                let expected = naive.beam(&search, 11);
                let context = Context::new().with_threads(1);
                let outcome = grow_with(&task, &How::Beam(search.clone()), Some(11), &context);
                compare(
                    &naive,
                    &outcome,
                    &expected,
                    &format!("{sample:?} {search:?}"),
                );
            }
        },
    );
}

#[test]
fn soak_no_search_beats_the_best_tree_there_is() {
    soak("soak_no_search_beats_the_best_tree_there_is", 30, |case| {
        let sample = sample(case, 9);
        let task = sample.task();
        let naive = Naive::new(&task, 2.0, HIERARCHY_WEIGHT);
        let all = naive.all();
        for most in [5, 7] {
            let optimum = naive.optimum(&all, most) / weight(&all);
            let context = Context::new();
            for how in [
                How::BestFirst(Heuristic::Gain),
                How::Beam(search(10, 0.0, 0.0)),
                How::Beam(search(5, 0.0, 1.0)),
            ] {
                let outcome = grow_with(&task, &how, Some(most), &context);
                for tree in &outcome.trees {
                    assert!(tree.size() <= most);
                    let found = score_of(&naive, tree);
                    assert!(found >= optimum - 1e-9, "{sample:?} {how:?}");
                    assert!(found <= naive.spread(&all) / weight(&all) + 1e-9);
                }
            }
        }
    });
}

/// Two trees differ only where tests are equally good, or gain no more than rounding does: a beam
/// adds up the scores of trees, and greedy search the gains of nodes.
fn same_up_to_rounding(naive: &Naive<'_>, one: &FlatTree, other: &FlatTree, about: &str) {
    let mut pending = vec![(0u32, 0u32, naive.all())];
    while let Some((a, b, rows)) = pending.pop() {
        let (first, second) = (&one.node(a).split, &other.node(b).split);
        if let (Some(first), Some(second)) = (first, second)
            && first.test == second.test
        {
            let parts = naive.parts(&rows, &first.test, [first.shares[0], first.shares[1]]);
            let children = first.children.iter().zip(&second.children);
            let below = children.zip(parts).map(|((a, b), rows)| (*a, *b, rows));
            pending.extend(below);
            continue;
        }
        let spread = |test: Option<&Test>| match test {
            Some(test) => naive.divided(&rows, test.clone()).unwrap().spread,
            None => naive.spread(&rows),
        };
        let tests = [first, second].map(|split| split.as_ref().map(|split| &split.test));
        let apart = (spread(tests[0]) - spread(tests[1])).abs();
        assert!(
            apart <= 1e-8 * weight(&rows),
            "{about}: {tests:?} differ by {apart}"
        );
    }
}

/// The spread of a tree's leaves for each unit of weight, its rows sent down anew.
fn score_of(naive: &Naive<'_>, tree: &FlatTree) -> f64 {
    let mut pending = vec![(0u32, naive.all())];
    let mut spread = 0.0;
    while let Some((node, rows)) = pending.pop() {
        match &tree.node(node).split {
            None => spread += naive.spread(&rows),
            Some(split) => {
                let shares = [split.shares[0], split.shares[1]];
                let parts = naive.parts(&rows, &split.test, shares);
                pending.extend(split.children.iter().copied().zip(parts));
            }
        }
    }
    spread / weight(&naive.all())
}

#[test]
fn soak_threads_and_the_order_of_rows_change_nothing() {
    soak(
        "soak_threads_and_the_order_of_rows_change_nothing",
        20,
        |case| {
            let sample = Sample {
                rows: 400,
                weights: false,
                ..sample(case, 400)
            };
            let seed = sample.seed;
            let task = sample.task();
            let table = Arc::new(task.view().table().clone());
            let database = Database::single((*table).clone()).unwrap();
            let whole = View::new(Arc::new(database), 0);
            let mut order: Vec<u32> = (0..whole.len() as u32).collect();
            Generator::new(seed, &[9]).shuffle(&mut order);
            let targets: Vec<usize> = task.targets().iter().map(|one| one.column()).collect();
            let shuffled = Task::new(&whole.select(&order), &targets).unwrap();
            for how in [
                How::DepthFirst(Heuristic::Gain),
                How::BestFirst(Heuristic::GainRatio),
                How::Beam(search(6, 1e-5, 0.0)),
            ] {
                let (one, two) = (
                    Context::new().with_threads(1),
                    Context::new().with_threads(2),
                );
                let most = Some(25);
                let straight = grow_with(&task, &how, most, &one);
                let threaded = grow_with(&task, &how, most, &two);
                assert_eq!(straight.trees, threaded.trees, "{sample:?} {how:?}");
                assert_eq!(straight.evaluated, threaded.evaluated);
                let by_default = grow_in(Layout::default(), &task, &how, most, &two);
                assert_eq!(straight.trees, by_default.trees, "{sample:?} {how:?}");
                let turned = grow_with(&shuffled, &how, most, &one);
                let tests = |outcome: &Outcome| -> Vec<Vec<Option<Test>>> {
                    let of = |tree: &FlatTree| {
                        let nodes = tree.nodes().iter();
                        nodes
                            .map(|node| Some(node.split.as_ref()?.test.clone()))
                            .collect()
                    };
                    outcome.trees.iter().map(of).collect()
                };
                assert_eq!(tests(&straight), tests(&turned), "{sample:?} {how:?}");
            }
        },
    );
}

#[test]
fn a_stopped_search_returns_what_it_has() {
    for kind in KINDS {
        let sample = Sample {
            kind,
            rows: 60,
            gaps: true,
            weights: true,
            seed: 3,
        };
        let task = sample.task();
        let stopped = Context::new().with_stop(Arc::new(AtomicBool::new(true)));
        let late = Context::new().with_time(std::time::Duration::ZERO);
        for (context, why) in [(stopped, StopReason::Interrupted), (late, StopReason::Time)] {
            for how in [
                How::DepthFirst(Heuristic::Gain),
                How::BestFirst(Heuristic::Gain),
            ] {
                let outcome = grow_with(&task, &how, None, &context);
                assert_eq!(outcome.trees[0].size(), 1);
                assert_eq!(outcome.stopped, why);
            }
            let outcome = grow_with(&task, &How::Beam(search(4, 1e-5, 1.0)), None, &context);
            assert_eq!(outcome.stopped, why);
            // What the root was refined to before anything asked.
            assert_eq!(outcome.trees.len(), 4);
            assert!(outcome.trees.iter().all(|tree| tree.size() <= 3));
        }
    }
}
