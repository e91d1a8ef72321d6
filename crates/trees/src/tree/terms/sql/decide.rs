//! How a test is decided in SQL: by a condition for each branch, or, where that would be long, by
//! the number of the branch.

use std::fmt::Write;

use kinwood_values::Dictionary;

use super::nearest;
use crate::tree::Test;
use crate::tree::model::sql::literal;
use crate::tree::terms::member_sql::member_condition;
use crate::tree::terms::{Input, InputKind, Terms};
use crate::tree::test::{Cells, Nearest};
use kinwood_learning::error::Result;
use kinwood_learning::sql::{Gap, identifier, moment, number, numeric, textual};

/// How a test is decided.
pub(super) enum Decided {
    /// The condition of each branch; none holds where it cannot be decided.
    Conditions(Vec<String>),
    /// The number of the branch, nothing where it cannot be decided: too long to be written for
    /// every branch.
    Branch(String),
}

impl Decided {
    /// How a test of a model is decided.
    pub fn by(terms: &Terms, test: &Test) -> Result<Self> {
        let input = terms
            .input(test.column())
            .expect("a model's trees test columns of its terms");
        let name = identifier(&input.name);
        match (test, &input.kind) {
            (Test::Above { threshold, .. }, InputKind::Number) => {
                let (value, threshold) = (numeric(&name), number(*threshold));
                Ok(Decided::Conditions(vec![
                    format!("{value} > {threshold}"),
                    format!("{value} <= {threshold}"),
                ]))
            }
            (Test::Above { threshold, .. }, InputKind::Moment) => {
                let threshold = number(*threshold);
                Ok(of_moment(
                    &name,
                    &format!("WHEN v > {threshold} THEN 0 ELSE 1"),
                ))
            }
            (Test::Among { values, .. }, InputKind::Labels(labels)) => {
                let among = |chosen: bool| {
                    let listed = labels.labels().enumerate();
                    let listed = listed.filter(|(code, _)| {
                        values.binary_search(&(*code as u32)).is_ok() == chosen
                    });
                    is_one_of(&name, listed.map(|(_, label)| label))
                };
                Ok(Decided::Conditions(vec![among(true)?, among(false)?]))
            }
            (Test::Around { cells, .. }, InputKind::Number) => {
                let value = numeric(&name);
                let branches = 0..cells.prototypes.len() as u32;
                let each = branches.map(|branch| within(cells, branch, &value));
                Ok(Decided::Conditions(each.collect()))
            }
            (Test::Around { cells, .. }, InputKind::Moment) => {
                Ok(of_moment(&name, &cell_by_cell(cells)))
            }
            (Test::Nearest { nearest, .. }, InputKind::Labels(labels)) => {
                nearest_label(&name, labels, nearest)
            }
            (Test::Nearest { nearest, .. }, InputKind::Kin(pool)) => {
                let branch = nearest::branch(input, pool, nearest)?;
                Ok(Decided::Branch(branch))
            }
            (Test::Has { .. } | Test::Size { .. }, InputKind::Kin(pool)) => {
                let (holds, not) = member_condition(test, pool, &input.name)?;
                Ok(Decided::Conditions(vec![holds, not]))
            }
            (Test::Has { .. }, InputKind::Moment) => {
                let column = input.name.clone();
                let what = "the month, weekday or hour of a time";
                Err(Gap::Contents { column, what }.into())
            }
            // No model has such a test: what is loaded is checked.
            _ => Err(no_such(input).into()),
        }
    }

    /// The number of the branch, nothing where it cannot be decided.
    pub fn branch(&self) -> String {
        match self {
            Decided::Branch(sql) => sql.clone(),
            Decided::Conditions(each) => {
                let mut sql = String::from("CASE");
                for (branch, condition) in each.iter().enumerate() {
                    let _ = write!(sql, " WHEN {condition} THEN {branch}");
                }
                sql + " END"
            }
        }
    }
}

fn no_such(input: &Input) -> Gap {
    Gap::Column {
        column: input.name.clone(),
    }
}

/// The branch that arms over a time choose.
fn of_moment(name: &str, arms: &str) -> Decided {
    Decided::Branch(format!(
        "(SELECT CASE {arms} END FROM (SELECT {} AS v LIMIT 1) AS value WHERE v IS NOT NULL LIMIT 1)",
        moment(name)
    ))
}

/// The condition that a column has one of these labels.
fn is_one_of<'a>(name: &str, labels: impl Iterator<Item = &'a str>) -> Result<String> {
    let listed = labels.map(literal).collect::<Result<Vec<String>>>()?;
    Ok(match listed.is_empty() {
        true => "1 = 0".to_owned(),
        false => format!("{} IN ({})", textual(name), listed.join(", ")),
    })
}

/// The conditions that a label is nearest to each prototype. A label that training did not have is
/// as far from all of them as any other.
fn nearest_label(name: &str, labels: &Dictionary, nearest: &Nearest) -> Result<Decided> {
    let other = nearest.branch_of_label(u32::MAX);
    let of = |code: usize| nearest.branch_of_label(code as u32);
    let own = |branch: usize| {
        let listed = labels.labels().enumerate();
        let listed = listed.filter(|(code, _)| of(*code) == branch);
        is_one_of(name, listed.map(|(_, label)| label))
    };
    let others = || -> Result<String> {
        let listed = labels.labels().enumerate();
        let listed = listed.filter(|(code, _)| of(*code) != other);
        let listed: Vec<String> = listed
            .map(|(_, label)| literal(label))
            .collect::<Result<_>>()?;
        Ok(match listed.is_empty() {
            true => format!("{name} IS NOT NULL"),
            false => format!("{} NOT IN ({})", textual(name), listed.join(", ")),
        })
    };
    let branches = 0..nearest.prototypes.len();
    let each = branches.map(|branch| match branch == other {
        true => others(),
        false => own(branch),
    });
    Ok(Decided::Conditions(each.collect::<Result<_>>()?))
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
        let both: Vec<String> = above.into_iter().chain(below).collect();
        match both.is_empty() {
            true => format!("{value} IS NOT NULL"),
            false => both.join(" AND "),
        }
    });
    let own: Vec<String> = own.collect();
    match own.is_empty() {
        true => "1 = 0".to_owned(),
        false => format!("({})", own.join(" OR ")),
    }
}

/// The arms that find the branch of a number `v`, a cell after the other.
fn cell_by_cell(cells: &Cells) -> String {
    let mut arms = String::new();
    for (bound, branch) in cells.bounds.iter().zip(&cells.branches) {
        let _ = write!(arms, "WHEN v <= {} THEN {branch} ", number(*bound));
    }
    let last = cells.branches.last().copied().unwrap_or(0);
    match cells.bounds.is_empty() {
        true => format!("WHEN v IS NOT NULL THEN {last}"),
        false => format!("{arms}ELSE {last}"),
    }
}
