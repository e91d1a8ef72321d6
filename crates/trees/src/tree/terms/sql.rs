//! A tree as SQL: one `CASE` expression over the columns of its table, with the predictions of the
//! model in SQLite and PostgreSQL alike.
//!
//! There is an arm for each leaf: the tests on the way to it, side by side rather than nested, as
//! parsers allow only so many expressions inside of each other. Where a test cannot be decided no
//! arm holds, and the last one mixes leaves as the model does, in the same order, so that even
//! rounding and ties are the same: what each test says (`t`), the shares of its two branches (`y`,
//! `n`), how much of the row reaches each leaf (`w`), the share of each class (`s`). Each is a
//! table of one row; their `LIMIT 1` keeps PostgreSQL from copying one into the other, which would
//! make the expression grow exponentially.

use std::fmt::Write;

use kinwood_values::Dictionary;

use super::member_sql::member_condition;
use super::walk::Walk;
use super::{InputKind, Terms, TreeModel};
use crate::tree::model::TargetOf;
use crate::tree::model::sql::{self, Printed, literal, single};
use crate::tree::test::Cells;
use crate::tree::{FlatTree, Test};
use kinwood_learning::error::Result;
use kinwood_learning::sql::{Asked, Expression, Gap, double, identifier, number};
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

/// A leaf and the branches that lead to it: the number of the test, and whether it holds.
struct Leaf {
    node: u32,
    path: Vec<(usize, bool)>,
}

struct Printer {
    leaves: Vec<Leaf>,
    /// By test: the condition that it holds, and the one that it does not.
    conditions: Vec<(String, String)>,
    /// From the tests to how much of the row reaches each leaf; empty where leaves are not mixed.
    ways: String,
}

impl Printer {
    fn new(terms: &Terms, tree: &FlatTree, mixed: bool) -> Result<Self> {
        let mut leaves = Vec::new();
        let mut conditions = Vec::new();
        let mut shares = Vec::new();
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
            let test = conditions.len();
            conditions.push(condition(terms, &split.test)?);
            if split.children.len() != 2 {
                let column = terms.input(split.test.column());
                let column = column.map_or_else(String::new, |input| input.name.clone());
                return Err(Gap::Prototypes { column }.into());
            }
            shares.push([split.shares[0], split.shares[1]]);
            for (branch, &child) in split.children.iter().enumerate().rev() {
                let mut path = path.clone();
                path.push((test, branch == 0));
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
        let ways = match mixed && !conditions.is_empty() {
            true => ways(&leaves, &conditions, &shares),
            false => String::new(),
        };
        Ok(Self {
            leaves,
            conditions,
            ways,
        })
    }

    /// An arm a leaf, and one for what reaches several.
    fn cases(&self, values: &[String], otherwise: Option<String>) -> String {
        if let [only] = values {
            return only.clone();
        }
        let mut sql = String::from("CASE");
        for (leaf, value) in self.leaves.iter().zip(values) {
            let conditions: Vec<&str> = leaf
                .path
                .iter()
                .map(|&(test, holds)| {
                    let (yes, no) = &self.conditions[test];
                    if holds { yes.as_str() } else { no.as_str() }
                })
                .collect();
            let _ = write!(sql, "\n  WHEN {} THEN {value}", conditions.join(" AND "));
        }
        if let Some(otherwise) = otherwise.filter(|_| !self.ways.is_empty()) {
            let _ = write!(sql, "\n  ELSE {otherwise}");
        }
        sql + "\nEND"
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

/// The table of how much of the row reaches each leaf.
fn ways(leaves: &[Leaf], conditions: &[(String, String)], shares: &[[f64; 2]]) -> String {
    let tests: Vec<String> = conditions
        .iter()
        .enumerate()
        .map(|(test, (yes, no))| format!("CASE WHEN {yes} THEN 1 WHEN {no} THEN 0 END AS t{test}"))
        .collect();
    let branches: Vec<String> = shares
        .iter()
        .enumerate()
        .map(|(test, [yes, no])| {
            let (all, none) = (double(1.0), double(0.0));
            let (yes, no) = (double(*yes), double(*no));
            format!(
                "CASE t{test} WHEN 1 THEN {all} WHEN 0 THEN {none} ELSE {yes} END AS y{test}, \
                 CASE t{test} WHEN 1 THEN {none} WHEN 0 THEN {all} ELSE {no} END AS n{test}"
            )
        })
        .collect();
    let weights: Vec<String> = leaves
        .iter()
        .enumerate()
        .map(|(leaf, reached)| {
            let factors: Vec<String> = reached
                .path
                .iter()
                .map(|&(test, holds)| format!("{}{test}", if holds { 'y' } else { 'n' }))
                .collect();
            format!("{} AS w{leaf}", factors.join(" * "))
        })
        .collect();
    format!(
        "(SELECT {} FROM (SELECT {} FROM (SELECT {} LIMIT 1) AS tests LIMIT 1) AS branches LIMIT 1) AS ways",
        weights.join(", "),
        branches.join(", "),
        tests.join(", ")
    )
}

/// The conditions that a test holds, and that it does not; neither where it cannot be decided.
fn condition(terms: &Terms, test: &Test) -> Result<(String, String)> {
    let input = terms
        .input(test.column())
        .expect("a model's trees test columns of its terms");
    let name = identifier(&input.name);
    match (test, &input.kind) {
        (Test::Above { threshold, .. }, InputKind::Number) => {
            // Only PostgreSQL keeps what is not a number, as the greatest of all; the model takes
            // it as missing.
            let value = format!("NULLIF(CAST({name} AS double precision), 'NaN')");
            let threshold = number(*threshold);
            Ok((
                format!("{value} > {threshold}"),
                format!("{value} <= {threshold}"),
            ))
        }
        (Test::Among { values, .. }, InputKind::Labels(labels)) => {
            let among = |chosen: bool| -> Result<String> {
                let listed = labels
                    .labels()
                    .enumerate()
                    .filter(|(code, _)| values.binary_search(&(*code as u32)).is_ok() == chosen)
                    .map(|(_, label)| literal(label))
                    .collect::<Result<Vec<String>>>()?;
                Ok(match listed.is_empty() {
                    true => "1 = 0".to_owned(),
                    false => format!("CAST({name} AS text) IN ({})", listed.join(", ")),
                })
            };
            Ok((among(true)?, among(false)?))
        }
        (Test::Around { cells, .. }, InputKind::Number) if cells.prototypes.len() == 2 => {
            let value = format!("NULLIF(CAST({name} AS double precision), 'NaN')");
            Ok((within(cells, 0, &value), within(cells, 1, &value)))
        }
        (Test::Nearest { nearest, .. }, InputKind::Labels(labels))
            if nearest.prototypes.len() == 2 =>
        {
            // A label that training did not have is as far from both prototypes as any other.
            let other = nearest.branch_of_label(u32::MAX);
            let listed = labels
                .labels()
                .enumerate()
                .filter(|(code, _)| nearest.branch_of_label(*code as u32) != other)
                .map(|(_, label)| literal(label))
                .collect::<Result<Vec<String>>>()?
                .join(", ");
            let own = format!("CAST({name} AS text) IN ({listed})");
            let others = format!("CAST({name} AS text) NOT IN ({listed})");
            Ok(if other == 1 {
                (own, others)
            } else {
                (others, own)
            })
        }
        (Test::Has { .. } | Test::Size { .. }, InputKind::Kin(pool)) => {
            member_condition(test, pool, &input.name)
        }
        (Test::Above { .. }, _) => Err(Gap::Moment {
            column: input.name.clone(),
        }
        .into()),
        _ => Err(Gap::Prototypes {
            column: input.name.clone(),
        }
        .into()),
    }
}

/// The condition that a number lies in a cell of a branch.
fn within(cells: &Cells, branch: u32, value: &str) -> String {
    let own = cells.branches.iter().enumerate();
    let own = own.filter(|(_, of)| **of == branch).map(|(cell, _)| {
        let above = cell
            .checked_sub(1)
            .map(|below| format!("{value} > {}", number(cells.bounds[below])));
        let below = cells.bounds.get(cell);
        let below = below.map(|bound| format!("{value} <= {}", number(*bound)));
        above
            .into_iter()
            .chain(below)
            .collect::<Vec<_>>()
            .join(" AND ")
    });
    format!("({})", own.collect::<Vec<_>>().join(" OR "))
}
