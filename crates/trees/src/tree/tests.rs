//! The learner as its users have it: rules of learners, constraints, settings that contradict the
//! data, interrupts.

mod ties;

use crate::error::TreeError;
use kinwood_learning::StopReason;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use kinwood_values::container::Stored;
use kinwood_values::{Attribute, Column, Database, Table, Type, Value, View};

use super::constraint::sketch::NoPrototypes;
use super::constraint::testing::Costs;
use super::constraint::{Atom, Bound, Constraint, Input, Shape, Sketch};
use super::{FlatTree, Test, TreeModel};
use crate::{DBDT, FOREST, TREE};
use kinwood_learning::context::Context;
use kinwood_learning::error::{Error, Result};
use kinwood_learning::random::Generator;
use kinwood_learning::task::Task;
use kinwood_learning::testing::{
    CLASS, NUMBER, bytes, check_learner, check_learner_with, check_weights_with, mixed_view,
};

const SEARCHES: [&str; 3] = ["greedy", "best_first", "beam"];

/// Rows with a set of labels to predict, which are paths or not.
fn labelled_view(rows: usize, paths_wanted: bool) -> View {
    let view = mixed_view(rows);
    let class = &view.table().attribute(CLASS).column;
    let amount = &view.table().attribute(NUMBER).column;
    let symbol = |label: &str| Value::Symbol(label.to_owned());
    let (mut sets, mut paths) = (Vec::new(), Vec::new());
    for row in 0..rows {
        let high = amount.number(row).is_some_and(|number| number > 0.0);
        let class = class.value(row).to_string();
        let mut set = vec![symbol(&class)];
        if high {
            set.push(symbol("rich"));
        }
        let path = format!("{class}/{}", if high { "up" } else { "down" });
        sets.push(Value::set(set));
        paths.push(Value::set(vec![symbol(&path)]));
    }
    let of = Type::Set(Box::new(Type::Nominal));
    let column = |values: &[Value]| Column::from_values(&of, values).unwrap();
    let mut path = Attribute::new("path", column(&paths));
    path.hierarchy = Some('/');
    let mut attributes = view.table().attributes().to_vec();
    attributes.truncate(CLASS);
    attributes.push(match paths_wanted {
        true => path,
        false => Attribute::new("labels", column(&sets)),
    });
    let table = Table::new("labelled", attributes).unwrap();
    View::new(Arc::new(Database::single(table).unwrap()), 0)
}

fn fit(task: &Task, given: &[(&str, &str)], context: &Context) -> Result<TreeModel> {
    let learner = (TREE.build)(&TREE.settings(given)?)?;
    let model = learner.fit(task, context)?;
    Ok(TreeModel::read(&Stored::from_bytes(bytes(&*model)).unwrap()).unwrap())
}

/// The rows of [`mixed_view`] in which nothing is missing.
fn whole_view(rows: usize) -> View {
    let view = mixed_view(rows);
    let present = |row: &u32| {
        let mut columns = (1..CLASS).map(|column| &view.table().attribute(column).column);
        columns.all(|column| column.is_present(*row as usize))
    };
    let whole: Vec<u32> = (0..rows as u32).filter(present).collect();
    view.select(&whole)
}

#[test]
fn the_rules_of_learners_are_kept() {
    let view = mixed_view(120);
    check_learner(&TREE, &view, &[CLASS]);
    check_learner(&TREE, &view, &[NUMBER]);
    check_learner(&TREE, &view, &[CLASS, NUMBER]);
    check_learner(&TREE, &labelled_view(90, false), &[CLASS]);
    check_learner(&TREE, &labelled_view(90, true), &[CLASS]);
}

#[test]
fn the_rules_are_kept_by_every_search_and_pruning() {
    let view = mixed_view(70);
    let (flat, deep) = (labelled_view(60, false), labelled_view(60, true));
    for search in SEARCHES {
        for pruning in [
            "auto",
            "none",
            "c45",
            "m5",
            "size",
            "reduced_error",
            "cost_complexity",
        ] {
            let drawn = matches!(pruning, "reduced_error" | "cost_complexity");
            if drawn && search == "beam" {
                continue;
            }
            let given = [("search", search), ("pruning", pruning), ("width", "4")];
            for (view, targets) in [
                (&view, vec![CLASS]),
                (&view, vec![NUMBER]),
                (&view, vec![CLASS, NUMBER]),
                (&flat, vec![CLASS]),
                (&deep, vec![CLASS]),
            ] {
                if pruning == "c45" && targets.contains(&NUMBER) {
                    continue;
                }
                check_learner_with(&TREE, &given, view, &targets);
                // Folds and held-out rows are drawn by row: a row that stands twice may stand on
                // both sides.
                if !drawn {
                    check_weights_with(&TREE, &[&given[..], &ANY_SIZE].concat(), view, &targets);
                }
            }
        }
    }
    for combine in ["vote", "average"] {
        let given = [("search", "beam"), ("combine", combine), ("beta", "1")];
        check_learner_with(&TREE, &given, &view, &[CLASS, NUMBER]);
        check_weights_with(&TREE, &[&given[..], &ANY_SIZE].concat(), &view, &[CLASS]);
    }
}

/// No least size of a leaf: it counts rows, and a row of weight 2 is one row.
const ANY_SIZE: [(&str, &str); 1] = [("leaf", "1e-6")];

/// A file of this test alone.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, content: &str) -> Self {
        let name = format!("kinwood-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, content).unwrap();
        Self(path)
    }

    fn name(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// A partial tree that begins with a threshold to be found.
const OPEN: &str = "size > ?\n+--yes: ?\n+--no:  ?\n";
/// A partial tree with fixed tests and a leaf that stays one.
const FIXED: &str =
    "colour in {red}\n+--yes: leaf\n+--no:  age > 20\n        +--yes: ?\n        +--no:  ?\n";

/// What a constraint says of a tree is decided here from the tree and the training rows alone.
struct Judge<'a> {
    view: &'a View,
    model: &'a TreeModel,
    costs: &'a [f64],
}

impl Judge<'_> {
    fn holds(&self, constraint: &Constraint, tree: usize) -> bool {
        match constraint {
            Constraint::All(parts) => parts.iter().all(|part| self.holds(part, tree)),
            Constraint::Any(parts) => parts.iter().any(|part| self.holds(part, tree)),
            Constraint::Atom(atom) => self.atom(atom, tree),
        }
    }

    fn atom(&self, atom: &Atom, member: usize) -> bool {
        let tree: &FlatTree = &self.model.trees()[member].tree;
        let shape = Shape::of(&Costs(self.costs), tree, |answers| answers.weight);
        let uses = |name: &str| {
            let column = self.view.table().find(name).unwrap() as u32;
            let mut nodes = tree.nodes().iter();
            nodes.any(|node| {
                node.split
                    .as_ref()
                    .is_some_and(|split| split.test.column() == column)
            })
        };
        let near = |bound: &Bound| Bound {
            value: bound.value,
            strict: false,
        };
        match atom {
            Atom::Size(most) => tree.size() <= *most,
            Atom::Depth(most) => tree.depth() <= *most,
            Atom::Leaf(least) => least.at_least(shape.leaf),
            Atom::Cost(most) => most.at_most(shape.cost),
            Atom::Uses(name) => uses(&name.text),
            Atom::Avoids(name) => !uses(&name.text),
            // What was summed up in the leaves is here predicted row by row: as near as rounding
            // lets it be.
            Atom::Accuracy(least) => near(least).at_least(1.0 - self.error(member) + 1e-9),
            Atom::Error(most) => near(most).at_most(self.error(member) - 1e-9),
            Atom::Like(file) => {
                let text = std::fs::read_to_string(file).unwrap();
                Sketch::parse(&text, file, &Input::of(self.view), &mut NoPrototypes)
                    .unwrap()
                    .matches(&Costs(&[]), tree)
            }
            Atom::Monotone { .. } | Atom::Fair { .. } => {
                unreachable!("such conditions are not drawn here")
            }
        }
    }

    /// The share of wrong classes, or the root of the mean squared error.
    fn error(&self, member: usize) -> f64 {
        let model: &dyn kinwood_learning::model::Model =
            match kinwood_learning::model::Model::members(self.model) {
                None => self.model,
                Some(members) => &*members[member],
            };
        let predictions = model.predict(self.view, &Context::new()).unwrap();
        let rows = self.view.len();
        let table = self.view.table();
        let output = &predictions.targets[0].output;
        match output.kind().is_number() {
            true => {
                let numbers = output.numbers();
                let truth = &table.attribute(NUMBER).column;
                let squares = (0..rows).map(|row| {
                    let number = truth.number(self.view.row(row) as usize).unwrap();
                    (number - numbers[row]).powi(2)
                });
                (squares.sum::<f64>() / rows as f64).sqrt()
            }
            false => {
                let truth = &table.attribute(CLASS).column;
                let wrong = (0..rows).filter(|&row| {
                    let shares = output.row(row);
                    let best = (1..shares.len()).fold(0, |best, class| {
                        if shares[class] > shares[best] {
                            class
                        } else {
                            best
                        }
                    });
                    truth.code(self.view.row(row) as usize) != Some(best as u32)
                });
                wrong.count() as f64 / rows as f64
            }
        }
    }
}

fn condition(generator: &mut Generator, files: &[&str], class: bool) -> String {
    let column = ["size", "age", "colour"][generator.below(3)];
    let sign = |generator: &mut Generator, side: &str| {
        format!("{side}{}", if generator.below(2) == 0 { "=" } else { "" })
    };
    match generator.below(10) {
        0 => format!("size <= {}", 1 + generator.below(14)),
        1 => format!("leaf {} {}", sign(generator, ">"), generator.below(12)),
        2 => format!("depth <= {}", generator.below(5)),
        3 => format!(
            "cost {} {}",
            sign(generator, "<"),
            0.5 + generator.below(9) as f64 / 2.0
        ),
        4 | 5 => format!("uses({column})"),
        6 => format!("not uses({column})"),
        7 if class => format!(
            "accuracy {} {}",
            sign(generator, ">"),
            0.5 + generator.below(11) as f64 / 22.0
        ),
        7 | 8 => {
            let most = if class { 0.5 } else { 16.0 };
            let share = generator.below(10) as f64 / 10.0;
            format!("error {} {}", sign(generator, "<"), most * (1.0 - share))
        }
        _ => format!("like(\"{}\")", files[generator.below(files.len())]),
    }
}

fn expression(generator: &mut Generator, files: &[&str], class: bool, depth: usize) -> String {
    if depth == 0 || generator.below(3) == 0 {
        return condition(generator, files, class);
    }
    let joined = ["and", "and", "or"][generator.below(3)];
    let parts: Vec<String> = (0..2 + generator.below(2))
        .map(|_| format!("({})", expression(generator, files, class, depth - 1)))
        .collect();
    parts.join(&format!(" {joined} "))
}

#[test]
fn constraints_hold_in_every_tree_or_are_said_to_be_infeasible() {
    let view = whole_view(70);
    let (open, fixed) = (Scratch::new("open", OPEN), Scratch::new("fixed", FIXED));
    let files = [open.name(), fixed.name()];
    let columns = view.table().attributes();
    let cost = |name: &str| match name {
        "size" => 2.0,
        "age" => 0.5,
        _ => 1.0,
    };
    let costs: Vec<f64> = columns.iter().map(|one| cost(&one.name)).collect();
    let mut met = [0; 3];
    let mut infeasible = 0;
    for seed in 0..240 {
        let class = seed % 2 == 0;
        let task = Task::new(&view, &[if class { CLASS } else { NUMBER }]).unwrap();
        let mut generator = Generator::new(seed, &[7]);
        let text = expression(&mut generator, &files, class, 2);
        let constraint = Constraint::parse(&text).unwrap();
        for (place, search) in SEARCHES.into_iter().enumerate() {
            let mut prunings = vec!["auto", "none", "m5", "size"];
            if class {
                prunings.push("c45");
            }
            if search != "beam" {
                prunings.extend(["reduced_error", "cost_complexity"]);
            }
            let given = [
                ("search", search),
                ("constraints", text.as_str()),
                ("costs", "size=2, age=0.5"),
                ("pruning", prunings[generator.below(prunings.len())]),
                ("width", "3"),
                ("leaf", "1"),
                ("beta", ["0", "1"][generator.below(2)]),
            ];
            let about = format!("{seed}: {given:?}");
            match fit(&task, &given, &Context::new().with_threads(1)) {
                Ok(model) => {
                    let judge = Judge {
                        view: &view,
                        model: &model,
                        costs: &costs,
                    };
                    for tree in 0..model.trees().len() {
                        assert!(judge.holds(&constraint, tree), "{about}");
                    }
                    met[place] += 1;
                }
                Err(error) => {
                    let Some(TreeError::Infeasible { reason, .. }) = error.own() else {
                        panic!("{about}: {error}");
                    };
                    let named = ["size", "leaf", "depth", "cost", "use", "using", "accuracy"];
                    let others = ["error", "like"];
                    let mut words = named.iter().chain(&others);
                    assert!(words.any(|word| reason.contains(word)), "{about}: {reason}");
                    infeasible += 1;
                }
            }
        }
    }
    assert!(met.iter().all(|count| *count > 120), "{met:?}");
    assert!(infeasible > 20, "{infeasible}");
}

#[test]
fn what_can_be_met_is_met_by_every_search() {
    let view = whole_view(90);
    let task = Task::new(&view, &[CLASS]).unwrap();
    let (open, fixed) = (Scratch::new("open2", OPEN), Scratch::new("fixed2", FIXED));
    for search in SEARCHES {
        for text in [
            "uses(age)".to_owned(),
            "uses(age) and uses(colour) and size <= 5".to_owned(),
            "uses(age) and accuracy >= 0.8".to_owned(),
            "accuracy > 0.85".to_owned(),
            "accuracy > 0.85 and size <= 21".to_owned(),
            "error <= 0.1 or size <= 3".to_owned(),
            format!("like(\"{}\") and accuracy >= 0.8", open.name()),
            format!("like(\"{}\") and accuracy >= 0.7", fixed.name()),
            format!("like(\"{}\") and uses(size)", fixed.name()),
            format!("like(\"{}\") and depth <= 2", fixed.name()),
        ] {
            for pruning in ["auto", "c45"] {
                let given = [
                    ("search", search),
                    ("constraints", text.as_str()),
                    ("pruning", pruning),
                ];
                let model = fit(&task, &given, &Context::new());
                let model = model.unwrap_or_else(|error| panic!("{given:?}: {error}"));
                let judge = Judge {
                    view: &view,
                    model: &model,
                    costs: &[1.0; 6],
                };
                let constraint = Constraint::parse(&text).unwrap();
                assert!(judge.holds(&constraint, 0), "{given:?}");
            }
        }
        // A choice between a small tree and an accurate one is no reason to return a leaf.
        let given = [
            ("search", search),
            ("constraints", "size <= 5 or accuracy >= 0.99"),
        ];
        let model = fit(&task, &given, &Context::new()).unwrap();
        assert!(model.trees()[0].tree.size() >= 5, "{search}");
    }
}

#[test]
fn an_accuracy_is_met_by_the_smallest_tree() {
    let view = whole_view(120);
    let both = Task::new(&view, &[CLASS, NUMBER]).unwrap();
    let class = Task::new(&view, &[CLASS]).unwrap();
    for (task, text, smaller) in [
        (&class, "accuracy >= 0.85", "accuracy >= 0.85 and size <= "),
        (&both, "error <= 0.3", "error <= 0.3 and size <= "),
    ] {
        for search in SEARCHES {
            let given = [("search", search), ("constraints", text)];
            let model = fit(task, &given, &Context::new()).unwrap();
            let size = model.trees()[0].tree.size();
            assert!(size > 1, "{search}");
            let tighter = format!("{smaller}{}", size - 2);
            let given = [("search", search), ("constraints", tighter.as_str())];
            let refused = fit(task, &given, &Context::new());
            // Best-first growth under a size limit grows another tree than the one it prunes.
            if search != "best_first" {
                assert!(
                    refused.is_err_and(|error| matches!(
                        error.own(),
                        Some(TreeError::Infeasible { .. })
                    )),
                    "{search}: {size}"
                );
            }
        }
    }
}

#[test]
fn a_stopped_fit_keeps_to_its_constraints_or_says_that_it_was_stopped() {
    let view = whole_view(90);
    let task = Task::new(&view, &[CLASS]).unwrap();
    let fixed = Scratch::new("fixed3", FIXED);
    let stopped = Context::new().with_stop(Arc::new(AtomicBool::new(true)));
    let like = format!("like(\"{}\")", fixed.name());
    for search in SEARCHES {
        let fresh = Context::new();
        fit(&task, &[("search", search)], &fresh).unwrap();
        assert!(!fresh.was_cut_short());
        let model = fit(&task, &[("search", search)], &stopped).unwrap();
        assert_eq!(model.report().stopped, StopReason::Interrupted);
        assert!(stopped.was_cut_short());
        let given = [("search", search), ("constraints", like.as_str())];
        let model = fit(&task, &given, &stopped).unwrap();
        assert_eq!(model.report().stopped, StopReason::Interrupted);
        assert!(model.trees().iter().all(|tree| tree.tree.size() >= 5));
        let given = [("search", search), ("constraints", "accuracy >= 0.99")];
        let refused = fit(&task, &given, &stopped);
        assert!(matches!(refused, Err(Error::Interrupted)), "{search}");
    }
}

#[test]
fn presets_give_way_to_what_is_given() {
    let view = whole_view(60);
    let task = Task::new(&view, &[CLASS]).unwrap();
    let ages = &view.table().attribute(1).column;
    let on_data = |given: &[(&str, &str)]| {
        let model = fit(&task, given, &Context::new()).unwrap();
        let nodes = model.trees()[0].tree.nodes().to_vec();
        let tests = nodes.into_iter().filter_map(|node| Some(node.split?.test));
        let mut thresholds = tests.filter_map(|test| match test {
            Test::Above {
                column: 1,
                threshold,
            } => Some(threshold),
            _ => None,
        });
        thresholds.all(|threshold| (0..60).any(|row| ages.number(row) == Some(threshold)))
    };
    assert!(on_data(&[("preset", "paper")]));
    assert!(!on_data(&[]));
    assert!(!on_data(&[("threshold", "middle"), ("preset", "paper")]));
}

#[test]
fn settings_that_do_not_fit_the_targets_are_refused() {
    let view = mixed_view(40);
    let told = |targets: &[usize], given: &[(&str, &str)]| {
        let task = Task::new(&view, targets).unwrap();
        fit(&task, given, &Context::new())
            .err()
            .unwrap()
            .to_string()
    };
    assert_eq!(
        told(&[NUMBER], &[("pruning", "c45")]),
        "setting `pruning` cannot be `c45`: expected another method for a number, such as `m5`: c45 counts wrong classes"
    );
    assert_eq!(
        told(
            &[CLASS],
            &[("pruning", "reduced_error"), ("search", "beam")]
        ),
        "setting `pruning` cannot be `reduced_error`: expected `c45`, `m5` or `none` for the trees of a beam, which are grown on all rows"
    );
    assert_eq!(
        told(&[CLASS, NUMBER], &[("class_weights", "low=2")]),
        "setting `class_weights` cannot be ``low``: expected nothing unless the only target is a class"
    );
    assert_eq!(
        told(&[CLASS], &[("class_weights", "lov=2")]),
        "setting `class_weights` cannot be `lov`: expected one of `low`, `middle`, `high`; did you mean `low`?"
    );
    assert_eq!(
        told(&[CLASS], &[("class_weights", "low=0, middle=0, high=0")]),
        "the rows of table `mixed` all have weight 0: there is nothing to learn from"
    );
    assert_eq!(
        told(&[CLASS], &[("costs", "agee=2")]),
        "setting `costs` cannot be `agee`: expected one of `number`, `size`, `age`, `colour`, `class`, `amount`; did you mean `age`?"
    );
}

#[test]
fn class_weights_count_as_rows_that_stand_more_often() {
    let view = whole_view(80);
    let class = &view.table().attribute(CLASS).column;
    let mut rows: Vec<u32> = Vec::new();
    for row in 0..view.len() as u32 {
        let twice = class.value(view.row(row as usize) as usize).to_string() == "high";
        rows.extend(std::iter::repeat_n(row, if twice { 2 } else { 1 }));
    }
    let (once, more) = (
        Task::new(&view, &[CLASS]).unwrap(),
        Task::new(&view.select(&rows), &[CLASS]).unwrap(),
    );
    let context = Context::new();
    let weighted = fit(&once, &[("class_weights", "high=2")], &context).unwrap();
    let repeated = fit(&more, &[], &context).unwrap();
    assert_eq!(weighted.trees()[0].tree, repeated.trees()[0].tree);
}

#[test]
fn forests_and_prototype_trees_are_learners() {
    let view = mixed_view(60);
    let few = ("trees", "7");
    for targets in [&[CLASS][..], &[NUMBER], &[CLASS, NUMBER]] {
        for preset in ["random", "bagging", "extra", "subspaces", "proximity"] {
            check_learner_with(&FOREST, &[("preset", preset), few], &view, targets);
        }
        check_learner_with(
            &FOREST,
            &[("preset", "beam"), ("size", "7"), ("width", "3")],
            &view,
            targets,
        );
        for given in [
            &[][..],
            &[("prototypes", "all")],
            &[("attraction", "density"), ("boundary", "best")],
            &[("pruning", "auto"), ("missing", "divide"), ("gain", "true")],
            &[("search", "beam"), ("size", "9"), ("prototypes", "3")],
            &[
                ("search", "best_first"),
                ("size", "8"),
                ("prototypes", "all"),
            ],
        ] {
            check_learner_with(&DBDT, given, &view, targets);
        }
    }
    check_weights_with(&DBDT, &[], &view, &[CLASS]);
    check_learner(&DBDT, &labelled_view(60, true), &[CLASS]);
    check_learner_with(&FOREST, &[few], &labelled_view(60, false), &[CLASS]);
}

#[test]
fn a_forest_knows_what_matters_and_how_well_it_does() {
    let rows = 200;
    let noise: Vec<f64> = (0..rows).map(|row| f64::from(row * 7919 % 101)).collect();
    let telling: Vec<f64> = (0..rows).map(f64::from).collect();
    let class = (0..rows).map(|row| Some(if row < 90 { "a" } else { "b" }));
    let attributes = vec![
        Attribute::new("noise", Column::numeric(noise)),
        Attribute::new("telling", Column::numeric(telling)),
        Attribute::new("y", Column::nominal(class)),
    ];
    let database = Database::single(Table::new("t", attributes).unwrap()).unwrap();
    let view = View::new(Arc::new(database), 0);
    let learner = (FOREST.build)(&FOREST.settings(&[("trees", "25")]).unwrap()).unwrap();
    let model = learner
        .fit(&Task::new(&view, &[2]).unwrap(), &Context::new())
        .unwrap();
    let shown = model.to_json();
    let first = &shown["importances"][0];
    assert_eq!(first["input"], "telling");
    assert!(first["share"].as_f64().unwrap() > 0.6, "{first}");
    let bag = &shown["out_of_bag"][0];
    assert_eq!(bag["measure"], "accuracy");
    assert!(bag["value"].as_f64().unwrap() > 0.95, "{bag}");
    assert_eq!(bag["rows"], 200);
}
