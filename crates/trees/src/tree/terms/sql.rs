//! A tree as SQL: one `CASE` expression over the columns of its table, with the predictions of the
//! model in SQLite and PostgreSQL alike.
//!
//! There is an arm for each leaf: the tests on the way to it, side by side rather than nested, as
//! parsers allow only so many expressions inside of each other. Where a test cannot be decided no
//! arm holds, and the last one mixes leaves as the model does, in the same order, so that even
//! rounding and ties are the same: the branch that each test leads into (`t`), the shares of its
//! branches (`b`), how much of the row reaches each leaf (`w`), the share of each class (`s`). Each
//! is a table of one row; their `LIMIT 1` keeps PostgreSQL from copying one into the other, which
//! would make the expression grow exponentially.
//!
//! Tests that take long to write, of distances to prototypes and of times, are written once: the
//! branches of all tests are a table then that the arms are chosen from.

mod decide;
mod nearest;

use std::fmt::Write;

use kinwood_values::Dictionary;

use super::walk::Walk;
use super::{Terms, TreeModel};
use crate::tree::FlatTree;
use crate::tree::model::TargetOf;
use crate::tree::model::sql::{self, Printed, literal, single};
use decide::Decided;
use kinwood_learning::error::Result;
use kinwood_learning::sql::{Asked, Expression, Gap, double};
use kinwood_learning::target::first_greatest;

/// The most leaves that are mixed: PostgreSQL has at most 1664 columns in a table.
const MOST_LEAVES: usize = 800;
/// The most leaves, tests below each other and classes in all: SQLite has expressions at most 1000
/// deep, and counts those around a sum towards it.
const MOST_DEEP: usize = 950;

/// The expressions of a model, in the order of its targets.
pub(super) fn expressions(model: &TreeModel, asked: Asked) -> Result<Vec<Expression>> {
    let member = single(model)?;
    let targets = &model.terms.targets;
    let printer = Printer::new(&model.terms, &member.tree, asked != Asked::Known)?;
    let walk = Walk::new(member, model);
    let answers = targets.iter().enumerate().map(|(place, target)| {
        let leaves = printer.leaves.iter();
        let said = leaves.map(|leaf| walk.answer(place, leaf.node, target.width()));
        said.collect()
    });
    let answers = answers.collect();
    sql::expressions(targets, asked, &mut Printing { printer, answers })
}

/// The tree, and what its leaves say of each target.
struct Printing {
    printer: Printer,
    answers: Vec<Vec<Vec<f64>>>,
}

impl Printed for Printing {
    fn number(&mut self, target: usize) -> Result<String> {
        Ok(self.printer.number(&self.answers[target]))
    }

    fn class(&mut self, target: usize, classes: &Dictionary) -> Result<String> {
        self.printer.class(classes, &self.answers[target])
    }

    fn probability(&mut self, target: usize, class: usize) -> Result<String> {
        Ok(self.printer.share(class, &self.answers[target]))
    }
}

/// A leaf and the branches that lead to it: the number of the test, and the branch of it.
struct Leaf {
    node: u32,
    path: Vec<(usize, usize)>,
}

struct Printer {
    leaves: Vec<Leaf>,
    /// How each test is decided.
    tests: Vec<Decided>,
    /// The table of the branches of all tests, where it is written once.
    table: Option<String>,
    /// From the tests to how much of the row reaches each leaf; empty where leaves are not mixed.
    ways: String,
}

impl Printer {
    fn new(terms: &Terms, tree: &FlatTree, mixed: bool) -> Result<Self> {
        let mut leaves = Vec::new();
        let mut tests = Vec::new();
        let mut shares: Vec<&[f64]> = Vec::new();
        let mut pending = vec![(0u32, Vec::new())];
        while let Some((node, path)) = pending.pop() {
            let Some(split) = &tree.node(node).split else {
                leaves.push(Leaf { node, path });
                continue;
            };
            // Said before the ways of a tree as deep as its rows fill the memory.
            if path.len() >= MOST_DEEP {
                return Err(Gap::Deep {
                    found: tree.depth(),
                    most: MOST_DEEP,
                }
                .into());
            }
            let test = tests.len();
            tests.push(Decided::by(terms, &split.test)?);
            shares.push(&split.shares);
            for (branch, &child) in split.children.iter().enumerate().rev() {
                let mut path = path.clone();
                path.push((test, branch));
                pending.push((child, path));
            }
        }
        let deepest = leaves.iter().map(|leaf| leaf.path.len()).max().unwrap_or(0);
        let widest = terms.targets.iter().map(TargetOf::width).max().unwrap_or(0);
        let deep = leaves.len() + deepest + widest;
        for (what, found, most) in [
            ("leaves", leaves.len(), MOST_LEAVES),
            (
                "leaves, tests below each other and classes in all",
                deep,
                MOST_DEEP,
            ),
        ] {
            if mixed && found > most {
                return Err(Gap::Large { what, found, most }.into());
            }
        }
        let once = tests.iter().any(|test| matches!(test, Decided::Branch(_)));
        let table = table(&tests);
        let ways = match mixed && !tests.is_empty() {
            true => ways(&leaves, (!once).then_some(&*table), &shares),
            false => String::new(),
        };
        Ok(Self {
            leaves,
            tests,
            table: once.then_some(table),
            ways,
        })
    }

    /// The condition that a test leads into a branch.
    fn condition(&self, test: usize, branch: usize) -> String {
        match (&self.table, &self.tests[test]) {
            (None, Decided::Conditions(each)) => each[branch].clone(),
            _ => format!("t{test} = {branch}"),
        }
    }

    /// An arm a leaf, and one for what reaches several.
    fn cases(&self, values: &[String], otherwise: Option<String>) -> String {
        if let [only] = values {
            return only.clone();
        }
        let mut sql = String::from("CASE");
        for (leaf, value) in self.leaves.iter().zip(values) {
            let path = leaf.path.iter();
            let conditions: Vec<String> = path
                .map(|&(test, branch)| self.condition(test, branch))
                .collect();
            let _ = write!(sql, "\n  WHEN {} THEN {value}", conditions.join(" AND "));
        }
        if let Some(otherwise) = otherwise.filter(|_| !self.ways.is_empty()) {
            let _ = write!(sql, "\n  ELSE {otherwise}");
        }
        match &self.table {
            None => sql + "\nEND",
            Some(table) => format!("(SELECT {sql}\nEND\nFROM {table}\nLIMIT 1)"),
        }
    }

    fn number(&self, answers: &[Vec<f64>]) -> String {
        let values: Vec<String> = answers.iter().map(|answer| double(answer[0])).collect();
        // A sum inside of a table counts once towards the depth of expressions that SQLite allows,
        // elsewhere twice.
        let mixed = format!(
            "(SELECT s FROM (SELECT {} AS s FROM {} LIMIT 1) AS mixed)",
            sum(answers, 0),
            self.ways
        );
        self.cases(&values, Some(mixed))
    }

    fn share(&self, class: usize, answers: &[Vec<f64>]) -> String {
        let values: Vec<String> = answers.iter().map(|answer| double(answer[class])).collect();
        // Parts of one may add up to a little more.
        let mixed = format!(
            "(SELECT CASE WHEN s > 1 THEN {} ELSE s END FROM (SELECT {} AS s FROM {} LIMIT 1) AS mixed)",
            double(1.0),
            sum(answers, class),
            self.ways
        );
        self.cases(&values, Some(mixed))
    }

    fn class(&self, classes: &Dictionary, answers: &[Vec<f64>]) -> Result<String> {
        let labels = classes
            .labels()
            .map(literal)
            .collect::<Result<Vec<String>>>()?;
        let values: Vec<String> = answers
            .iter()
            .map(|answer| labels[first_greatest(answer)].clone())
            .collect();
        let mixed = match labels.as_slice() {
            [only] => only.clone(),
            [others @ .., last] => {
                let mut pick = String::from("CASE");
                for (class, label) in others.iter().enumerate() {
                    // A class that no earlier one beats and that no later one exceeds: the first of
                    // equals.
                    let wins: Vec<String> = (class + 1..labels.len())
                        .map(|later| format!("s{class} >= s{later}"))
                        .collect();
                    let _ = write!(pick, " WHEN {} THEN {label}", wins.join(" AND "));
                }
                let sums: Vec<String> = (0..labels.len())
                    .map(|class| format!("{} AS s{class}", sum(answers, class)))
                    .collect();
                format!(
                    "(SELECT {pick} ELSE {last} END FROM (SELECT {} FROM {} LIMIT 1) AS mixed)",
                    sums.join(", "),
                    self.ways
                )
            }
            [] => String::new(),
        };
        Ok(self.cases(&values, Some(mixed)))
    }
}

/// What leaves say, weighed by how much of the row reaches them, in the model's order. What is
/// nothing adds nothing.
fn sum(answers: &[Vec<f64>], part: usize) -> String {
    let terms: Vec<String> = answers
        .iter()
        .enumerate()
        .filter(|(_, answer)| answer[part] != 0.0)
        .map(|(leaf, answer)| match answer[part] == 1.0 {
            true => format!("w{leaf}"),
            false => format!("w{leaf} * {}", double(answer[part])),
        })
        .collect();
    match terms.is_empty() {
        true => double(0.0),
        false => terms.join(" + "),
    }
}

/// The table of the branches that tests lead into; nothing where one cannot be decided.
fn table(tests: &[Decided]) -> String {
    let tests = tests.iter().enumerate();
    let tests: Vec<String> = tests
        .map(|(test, decided)| format!("{} AS t{test}", decided.branch()))
        .collect();
    format!("(SELECT {} LIMIT 1) AS tests", tests.join(", "))
}

/// The table of how much of the row reaches each leaf, from the table of the tests, or from the
/// one around it.
fn ways(leaves: &[Leaf], tests: Option<&str>, shares: &[&[f64]]) -> String {
    let (all, none) = (double(1.0), double(0.0));
    let branches = shares.iter().enumerate().flat_map(|(test, shares)| {
        let (all, none) = (&all, &none);
        shares.iter().enumerate().map(move |(branch, &share)| {
            let share = double(share);
            format!(
                "CASE WHEN t{test} = {branch} THEN {all} WHEN t{test} IS NULL THEN {share} ELSE {none} END \
                 AS b{test}_{branch}"
            )
        })
    });
    let branches: Vec<String> = branches.collect();
    let weights = leaves.iter().enumerate().map(|(leaf, reached)| {
        let path = reached.path.iter();
        let factors = path.map(|(test, branch)| format!("b{test}_{branch}"));
        format!("{} AS w{leaf}", factors.collect::<Vec<_>>().join(" * "))
    });
    let weights: Vec<String> = weights.collect();
    let from = tests.map_or_else(String::new, |tests| format!(" FROM {tests}"));
    format!(
        "(SELECT {} FROM (SELECT {}{from} LIMIT 1) AS branches LIMIT 1) AS ways",
        weights.join(", "),
        branches.join(", "),
    )
}
