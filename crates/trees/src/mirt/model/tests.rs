//! Relational trees as they are told: the paper's example 4 by hand, and fitted trees of every
//! kind.

use crate::tree::SearchMethod;
use kinwood_learning::StopReason;
use kinwood_learning::context::Context;
use std::sync::Arc;

use kinwood_values::{Attribute, Column, Database, ForeignKey, Role, Table, View};

use super::*;
use crate::mirt::leaf::{Content, Linear, Term, Variable};
use crate::mirt::terms::Kind;
use crate::mirt::test::{Condition, Function, Is, Step, Test};
use crate::tree::{Answer, Answers, Node, Split, TargetKind, TargetOf, Tree};
use kinwood_learning::model::Model;
use kinwood_learning::random::Generator;
use kinwood_learning::task::Task;

/// Molecules, atoms and bonds; seven atoms of two molecules as in the paper, then as many molecules
/// as asked for by chance.
fn database(more: usize) -> View {
    let mut generator = Generator::new(7, &[more as u64]);
    let mut logp = vec![1.0, 2.0];
    let mut muta = vec![0.5, 1.5];
    let mut owners = vec![0.0, 0.0, 0.0, 1.0];
    let mut charges = vec![2.3, 4.5, 1.0, 2.9];
    let mut ends = vec![[0.0, 1.0], [2.0, 1.0], [1.0, 2.0]];
    let mut types = vec!["1", "7", "7"];
    for molecule in 2..more + 2 {
        let first = owners.len();
        for _ in 0..1 + generator.below(5) {
            owners.push(molecule as f64);
            charges.push((generator.normal() * 8.0).round() / 4.0);
        }
        let count = owners.len() - first;
        for _ in 0..generator.below(4) {
            let end = |generator: &mut Generator| (first + generator.below(count)) as f64;
            ends.push([end(&mut generator), end(&mut generator)]);
            types.push(["1", "7"][generator.below(2)]);
        }
        logp.push(generator.normal());
        let lowest = charges[first..].iter().copied().fold(9.0, f64::min);
        muta.push(logp[molecule] + lowest + 0.1 * generator.normal());
    }
    let ids = |count: usize| (0..count).map(|row| row as f64).collect();
    let id = |name: &str, values: Vec<f64>| {
        Attribute::new(name, Column::numeric(values)).with_role(Role::Id)
    };
    let number = |name: &str, values: Vec<f64>| Attribute::new(name, Column::numeric(values));
    let tables = [
        (
            "molecule",
            vec![
                id("id", ids(logp.len())),
                number("logp", logp),
                number("muta", muta),
            ],
        ),
        (
            "atom",
            vec![
                id("id", ids(owners.len())),
                id("molecule", owners),
                number("charge", charges),
            ],
        ),
        (
            "bond",
            vec![
                id("id", ids(ends.len())),
                id("atom1", ends.iter().map(|end| end[0]).collect()),
                id("atom2", ends.iter().map(|end| end[1]).collect()),
                Attribute::new("type", Column::nominal(types.into_iter().map(Some))),
            ],
        ),
    ];
    let tables = tables.map(|(name, attributes)| {
        let mut table = Table::new(name, attributes).unwrap();
        table.set_key(Some(vec![0]));
        table
    });
    let key = |name: &str, from: usize, column: usize, to: usize| ForeignKey {
        name: name.to_owned(),
        from,
        from_columns: vec![column],
        to,
        to_columns: vec![0],
        describes: None,
    };
    let keys = vec![
        key("atoms", 1, 1, 0),
        key("first", 2, 1, 1),
        key("second", 2, 2, 1),
    ];
    let (database, _) = Database::new(tables.to_vec(), keys).unwrap();
    View::new(Arc::new(database), 0)
}

const ATOMS: Step = Step {
    from: 0,
    key: 0,
    backward: true,
};
const BONDS: Step = Step {
    from: 1,
    key: 2,
    backward: true,
};

fn some(steps: &[Step], occurrence: u32, column: u32, is: Is) -> Test {
    Test {
        steps: steps.to_vec(),
        condition: Some(Condition::Some {
            occurrence,
            column,
            is,
        }),
    }
}

fn content(weight: f64, model: Option<Linear>) -> Content {
    Content {
        answers: Answers {
            weight,
            targets: vec![Answer::number(weight, 1.0, weight)],
        },
        models: match model {
            Some(model) => vec![Some(model)],
            None => Vec::new(),
        },
    }
}

/// The tree of the paper's example 4, its leaf a formula.
fn by_hand(along: Along, range: Option<(f64, f64)>) -> MirtModel {
    let view = database(0);
    let targets = vec![TargetOf {
        name: "muta".to_owned(),
        kind: TargetKind::number(),
    }];
    let terms = Terms::of(&view.hiding(0, 2), targets, Vec::new());
    let model = Linear {
        beyond: Vec::new(),
        intercept: 3.65,
        terms: vec![
            Term {
                variable: Variable::Value {
                    occurrence: 1,
                    column: 2,
                },
                coefficient: -0.5,
                otherwise: 0.0,
            },
            Term {
                variable: Variable::Aggregate {
                    occurrence: 1,
                    column: 2,
                    function: Function::Mean,
                },
                coefficient: 2.0,
                otherwise: 0.0,
            },
        ],
        primary: vec![1.2, 2.0],
        range,
        squares: 0.0,
    };
    let inner = |weight: f64, test: Test, children: [u32; 2]| Node {
        payload: content(weight, None),
        split: Some(Split {
            test,
            children: children.to_vec(),
            shares: vec![0.5, 0.5],
        }),
    };
    let leaf = |weight: f64, model: Option<Linear>| Node {
        payload: content(weight, model),
        split: None,
    };
    let nodes = vec![
        inner(4.0, some(&[ATOMS], 1, 2, Is::AtMost(2.3)), [1, 4]),
        inner(2.0, some(&[BONDS], 2, 3, Is::Among(vec![1])), [2, 3]),
        leaf(1.0, Some(model)),
        leaf(1.0, None),
        leaf(2.0, None),
    ];
    let member = Member {
        tree: Arc::new(Tree::new(nodes).unwrap()),
        score: None,
    };
    let report = Report {
        search: SearchMethod::Greedy,
        evaluated: 12,
        stopped: StopReason::Complete,
        ..Report::default()
    };
    MirtModel::new(terms, vec![member], Combine::Best, along, report)
}

#[test]
fn the_papers_example_is_told_in_words_and_in_its_notation() {
    assert_eq!(
        by_hand(Along::Leaf, None).show(),
        "greedy search, 12 models evaluated, no split improves the tree
5 nodes, 3 leaves, depth 2, 4 of molecule

(1) has an atom with charge <= 2.3
+--yes: (2) atom has a bond (as atom2) with type = 7
|       +--yes: (3) muta = 3.65 - 0.5 charge of atom + 2 mean charge of atom [1]
|       +--no:  (4) [1 sd 1 of 1]
+--no:  (5) [1 sd 1 of 2]

as queries, with the objects that reach them:
(3) 1 of molecule
    [molecule(Molecule, Logp, Muta), atom(Atom, Molecule, Charge), Charge <= 2.3, bond(Bond, Atom1, Atom, Type),
      Type = 7]
    muta = 3.65 - 0.5 charge of atom + 2 mean charge of atom
    where charge of atom of an object that has several is the one nearest to the 2 primary instances of training
(4) 1 of molecule
    [molecule(Molecule, Logp, Muta), atom(Atom, Molecule, Charge), Charge <= 2.3, not(molecule(Molecule, Logp,
      Muta), atom(Atom, Molecule, Charge), Charge <= 2.3, bond(Bond, Atom1, Atom, Type), Type = 7)]
(5) 2 of molecule
    [molecule(Molecule, Logp, Muta), not(molecule(Molecule, Logp, Muta), atom(Atom, Molecule, Charge),
      Charge <= 2.3)]
"
    );
}

#[test]
fn tests_of_every_kind_are_told_in_words() {
    let view = database(0);
    let terms = Terms::of(&view, Vec::new(), Vec::new());
    let names = Occurrences::new(&terms, &[ATOMS, BONDS]);
    let told = |steps: &[Step], condition: Condition| {
        names.test(&Test {
            steps: steps.to_vec(),
            condition: Some(condition),
        })
    };
    let back = Step {
        from: 2,
        key: 1,
        backward: false,
    };
    let (occurrence, column) = (3, 2);
    let is = Is::AtLeast(0.1 + 0.2);
    assert_eq!(
        told(
            &[back],
            Condition::Every {
                occurrence,
                column,
                is: is.clone()
            }
        ),
        "bond refers to an atom (as atom1) (atom 2), every one with charge >= 0.3"
    );
    assert_eq!(
        told(
            &[back],
            Condition::Count {
                occurrence,
                least: 2
            }
        ),
        "bond refers to an atom (as atom1) (atom 2), at least 2 in all"
    );
    assert_eq!(
        told(
            &[],
            Condition::Aggregate {
                occurrence: 1,
                column,
                function: Function::Maximum,
                is: is.clone()
            }
        ),
        "maximum charge of atom >= 0.3"
    );
    assert_eq!(
        told(
            &[back],
            Condition::Some {
                occurrence: 1,
                column,
                is
            }
        ),
        "bond refers to an atom (as atom1) (atom 2), and charge of atom >= 0.3"
    );
    assert_eq!(
        told(
            &[ATOMS],
            Condition::Some {
                occurrence: 0,
                column: 1,
                is: Is::AtMost(2.0)
            }
        ),
        "has an atom (atom 2), and logp <= 2"
    );
}

#[test]
fn explanations_name_the_rows_and_add_up() {
    let view = database(0).hiding(0, 2);
    let model = by_hand(Along::Smoothed(1.0), Some((0.0, 5.0)));
    let told = model.explain(&view, 0, 3).unwrap().unwrap();
    let target = &told.targets[0];
    let path: Vec<(&str, Option<bool>)> = target
        .path()
        .iter()
        .map(|step| (step.value.as_str(), step.holds))
        .collect();
    assert_eq!(
        path,
        [("atom 0, atom 2", Some(true)), ("bond 2", Some(true))]
    );
    let behind: Vec<&str> = target
        .terms()
        .iter()
        .filter_map(|term| term.behind.as_deref())
        .collect();
    assert_eq!(behind, ["atom 2"]);
    let sum: f64 = target.terms().iter().map(|term| term.contribution).sum();
    let predicted = model.predict(&view, &Context::new()).unwrap();
    let predicted = predicted.targets[0].output.number(0).unwrap();
    assert!((sum - predicted).abs() < 1e-12, "{sum} is not {predicted}");
    assert!((target.prediction[0].1 - predicted).abs() < 1e-12);
    let other = model.explain(&view, 1, 3).unwrap().unwrap();
    let first = &other.targets[0].path()[0];
    assert_eq!(
        (first.value.as_str(), first.holds),
        ("none of 1 atom", Some(false))
    );
}

/// Fitted trees of several kinds: what is told of each object adds up to what is predicted, and
/// pictures light the leaf it reaches.
#[test]
fn fitted_trees_tell_what_they_predict() {
    let view = database(60);
    for settings in [
        &[][..],
        &[("preset", "best")],
        &[("leaf_model", "smoti")],
        &[
            ("counts", "true"),
            ("every", "true"),
            ("aggregates", "true"),
            ("clip", "true"),
        ],
        &[("search", "beam"), ("width", "3"), ("combine", "average")],
    ] {
        let entry = crate::MIRT;
        let task = Task::new(&view, &[2]).unwrap();
        let learner = (entry.build)(&entry.settings(settings).unwrap()).unwrap();
        let model = learner.fit(&task, &Context::new()).unwrap();
        let asked = task.view();
        let predictions = model.predict(asked, &Context::new()).unwrap();
        let drawing = model.drawing().unwrap();
        let schema = drawing.schema.as_ref().unwrap();
        assert_eq!((schema.tables.len(), schema.keys.len()), (3, 3));
        for row in 0..asked.len() {
            let predicted = predictions.targets[0].output.number(row).unwrap();
            let told = model.explain(asked, row, 3).unwrap().unwrap();
            let target = &told.targets[0];
            let sum: f64 = target.terms().iter().map(|term| term.contribution).sum();
            assert!(
                (sum - predicted).abs() < 1e-9,
                "{sum} is not {predicted}\n{}",
                told.to_text()
            );
            assert!((target.prediction[0].1 - predicted).abs() < 1e-9);
            let passed = model.visited(asked, row).unwrap().unwrap();
            for tree in 0..drawing.trees.len() {
                let last = passed.iter().rfind(|step| step.0 == tree).unwrap();
                assert!(drawing.trees[tree].nodes[last.1 as usize].test.is_none());
            }
        }
        let shown = model.to_json();
        let root = &shown["trees"][0]["root"];
        let test = model.show();
        if let Some(words) = root["test"]["words"].as_str() {
            assert!(test.contains(words), "{test}");
        }
        assert_eq!(root["weight"], serde_json::json!(62.0));
    }
}

#[test]
fn times_and_structured_columns_have_no_sql() {
    let mut model = by_hand(Along::Leaf, None);
    let written = |model: &MirtModel| model.view("v", Asked::Answers, None).unwrap();
    assert!(written(&model).unwrap().contains("CREATE VIEW \"v\" AS\n"));
    Arc::make_mut(&mut model.terms).tables[1].columns[2].kind = Kind::Moment;
    assert_eq!(
        written(&model).unwrap_err().to_string(),
        "the model cannot be written as SQL: it tests the time `charge`, and databases do not agree on how times are written"
    );
    assert!(
        model
            .show()
            .contains("has an atom with charge <= 1970-01-01")
    );
    Arc::make_mut(&mut model.terms).tables[1].columns[2].kind = Kind::Other;
    assert_eq!(
        written(&model).unwrap_err().to_string(),
        "the model cannot be written as SQL: it looks at `charge`, which is neither a number nor a label"
    );
}

#[test]
fn a_tree_of_very_many_nested_tests_is_shown_in_time() {
    let view = database(2);
    let task = Task::new(&view, &[2]).unwrap();
    let targets: Vec<TargetOf> = task.targets().iter().filter_map(TargetOf::of).collect();
    let inner = 20_000u32;
    let payload = || {
        Content::constant(Answers {
            weight: 1.0,
            targets: vec![Answer::number(1.0, 2.0, 0.0)],
        })
    };
    let mut nodes: Vec<Node<Test, Content>> = Vec::new();
    for at in 0..inner {
        // One key is followed, then row after row is asked for.
        let test = match at {
            0 => some(&[ATOMS], 1, 2, Is::AtMost(9.0)),
            at => some(&[], 1, 2, Is::AtMost(9.0 + f64::from(at))),
        };
        nodes.push(Node {
            payload: payload(),
            split: Some(Split {
                test,
                children: vec![at + 1, 2 * inner - at],
                shares: vec![0.5, 0.5],
            }),
        });
    }
    let leaves = (0..=inner).map(|_| Node {
        payload: payload(),
        split: None,
    });
    nodes.extend(leaves);
    let member = Member {
        tree: Arc::new(Tree::new(nodes).unwrap()),
        score: None,
    };
    let terms = Terms::of(&view, targets, Vec::new());
    assert_eq!(terms.fault_of(&member.tree), None);
    let report = Report::default();
    let model = MirtModel::new(terms, vec![member], Combine::Best, Along::Leaf, report);
    assert!(model.show().len() < 1_000_000);
    assert_eq!(model.to_json()["size"], 2 * inner + 1);
    assert_eq!(model.facts().tree.unwrap().depth, inner as usize);
    assert_eq!(
        model.drawing().unwrap().trees[0].nodes.len(),
        2 * inner as usize + 1
    );
    assert_eq!(
        model
            .predict(task.view(), &Context::new())
            .unwrap()
            .targets
            .len(),
        1
    );
}
