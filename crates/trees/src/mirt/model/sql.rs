//! A relational tree as SQL: one view over the tables of its database, with the predictions of the
//! model in SQLite and PostgreSQL alike.
//!
//! There is an arm of a `CASE` for each leaf, side by side rather than nested, as parsers allow
//! only so many expressions inside of each other. Leaves stand in the order in which the branches
//! of tests that hold come first: then what an arm has to ask is only that the tests hold which
//! hold on the way to its leaf. Where one of the others held, an earlier arm was taken. All rows
//! that these tests ask for are asked for at once, by `EXISTS` over the keys followed, narrowed by
//! every condition on them.

mod formula;
mod seen;
mod state;

use std::fmt::Write;

use kinwood_values::Dictionary;

use super::MirtModel;
use crate::mirt::RelationalTree;
use crate::mirt::terms::Terms;
use crate::tree::Answer;
use crate::tree::model::sql::{Printed, expressions, literal, single};
use crate::tree::model::{Along, Outline, standing};
use formula::Instances;
use kinwood_learning::error::Result;
use kinwood_learning::sql::{Asked, Gap, Seen, double, identifier};
use kinwood_learning::target::first_greatest;
use state::State;

/// The most tests below each other: SQLite has expressions at most 1000 deep.
const MOST_DEEP: usize = 400;

/// The statement that creates a view of the predictions, by the keys of the objects.
pub(super) fn view(
    model: &MirtModel,
    name: &str,
    asked: Asked,
    seen: Option<&Seen>,
) -> Result<String> {
    let member = single(model)?;
    let terms = &*model.terms;
    let tree = &member.tree;
    if tree.depth() > MOST_DEEP {
        return Err(Gap::Deep {
            found: tree.depth(),
            most: MOST_DEEP,
        }
        .into());
    }
    let mut printer = Printer {
        terms,
        seen,
        outline: Outline::new(terms, tree),
        along: model.along,
        standing: standing(terms, tree),
        instances: Instances::new(terms, name),
        leaves: leaves(tree),
        arms: Vec::new(),
    };
    let leaves = printer.leaves.iter();
    printer.arms = leaves
        .map(|&leaf| printer.arm(leaf))
        .collect::<Result<_>>()?;
    let mut columns = keys(terms);
    for said in expressions(&terms.targets, asked, &mut printer)? {
        columns.push(format!("{} AS {}", said.sql, identifier(&said.name)));
    }
    Ok(format!(
        "{}CREATE VIEW {} AS\n{}SELECT {}\nFROM {} AS o;\n",
        indexes(terms, tree, seen),
        identifier(name),
        printer.instances.tables(),
        columns.join(",\n  "),
        identifier(&terms.tables[terms.root].name)
    ))
}

/// The columns that tell objects apart: their key, or all that is not predicted where there is
/// none.
fn keys(terms: &Terms) -> Vec<String> {
    let table = &terms.tables[terms.root];
    let named = |column: &u32| table.columns[*column as usize].name.as_str();
    let names: Vec<&str> = match table.key.as_slice() {
        [] => table
            .columns
            .iter()
            .map(|column| column.name.as_str())
            .filter(|name| !terms.targets.iter().any(|target| target.name == *name))
            .collect(),
        key => key.iter().map(named).collect(),
    };
    names
        .into_iter()
        .map(|name| format!("o.{}", identifier(name)))
        .collect()
}

/// A note on the columns that keys are followed by: without indexes on them every object is
/// compared with all rows.
fn indexes(terms: &Terms, tree: &RelationalTree, seen: Option<&Seen>) -> String {
    let nodes = tree.nodes().iter();
    let steps = nodes.flat_map(|node| {
        let test = node.split.iter().flat_map(|split| &split.test.steps);
        let models = node.payload.models.iter().flatten();
        test.chain(models.flat_map(|model| &model.beyond))
    });
    let mut columns: Vec<(usize, &[u32])> = steps
        .map(|step| {
            let key = &terms.keys[step.key as usize];
            match step.backward {
                true => (key.from, key.from_columns.as_slice()),
                false => (key.to, key.to_columns.as_slice()),
            }
        })
        .collect();
    columns.sort_unstable();
    columns.dedup();
    let each = columns.iter().map(|(table, columns)| {
        let names = terms.names(*table, columns).into_iter();
        let names: Vec<String> = names.map(identifier).collect();
        format!(
            "{} ({})",
            identifier(table_name(terms, seen, *table)),
            names.join(", ")
        )
    });
    let listed = each.collect::<Vec<_>>().join(", ");
    match listed.is_empty() {
        true => String::new(),
        // A name must not end the line of the note.
        false => format!(
            "-- Quick with indexes on {}\n",
            listed.replace(char::is_control, " ")
        ),
    }
}

/// What a table is called in the database.
fn table_name<'a>(terms: &'a Terms, seen: Option<&'a Seen>, table: usize) -> &'a str {
    let seen = seen.and_then(|seen| seen.tables.get(table));
    seen.map_or(&terms.tables[table].name, |seen| &seen.name)
}

/// The leaves, those below a test that holds before those below one that does not.
fn leaves(tree: &RelationalTree) -> Vec<u32> {
    let mut leaves = Vec::new();
    let mut pending = vec![0u32];
    while let Some(node) = pending.pop() {
        match &tree.node(node).split {
            Some(split) => pending.extend(split.children.iter().rev()),
            None => leaves.push(node),
        }
    }
    leaves
}

/// The value of the first arm that holds; one leaf has none, for it is where no test holds.
fn cases(arms: &[String], values: &[String]) -> String {
    if let ([_], [only]) = (arms, values) {
        return only.clone();
    }
    let mut sql = String::from("CASE");
    for (arm, value) in arms.iter().zip(values) {
        match arm.is_empty() {
            false => {
                let _ = write!(sql, "\n    WHEN {arm}\n    THEN {value}");
            }
            true => {
                let _ = write!(sql, "\n    ELSE {value}");
            }
        }
    }
    sql + "\n  END"
}

struct Printer<'a> {
    terms: &'a Terms,
    seen: Option<&'a Seen>,
    outline: Outline<'a, Terms>,
    along: Along,
    standing: Vec<u32>,
    instances: Instances,
    leaves: Vec<u32>,
    /// What an object has to satisfy to reach each leaf.
    arms: Vec<String>,
}

impl Printed for Printer<'_> {
    fn number(&mut self, target: usize) -> Result<String> {
        let leaves = self.leaves.clone().into_iter();
        let each = leaves.map(|leaf| self.sum(leaf, target));
        let each: Vec<String> = each.collect::<Result<_>>()?;
        Ok(cases(&self.arms, &each))
    }

    fn class(&mut self, target: usize, classes: &Dictionary) -> Result<String> {
        let each = self.leaves.iter().map(|&leaf| {
            let class = first_greatest(&self.answer(leaf, target).said());
            literal(classes.label(class as u32))
        });
        Ok(cases(&self.arms, &each.collect::<Result<Vec<_>>>()?))
    }

    fn probability(&mut self, target: usize, class: usize) -> Result<String> {
        let leaves = self.leaves.iter();
        let each = leaves.map(|&leaf| double(self.answer(leaf, target).said()[class]));
        Ok(cases(&self.arms, &each.collect::<Vec<_>>()))
    }
}

impl<'a> Printer<'a> {
    /// What an object has to satisfy to reach a leaf that no earlier arm is taken for; nothing for
    /// the last.
    fn arm(&self, leaf: u32) -> Result<String> {
        let (state, asked) = self.state(leaf)?;
        let all: Vec<String> = state.holds().into_iter().chain(asked).collect();
        Ok(all.join("\n     AND "))
    }

    /// The bindings of the objects at a node, and what was asked of them on the way besides that
    /// they exist.
    fn state(&self, node: u32) -> Result<(State<'a>, Vec<String>)> {
        let mut state = State::new(self.terms, self.seen);
        let mut asked = Vec::new();
        let way = self.outline.way(node).into_iter();
        for (test, _) in way.filter(|(_, branch)| *branch == 0) {
            asked.extend(state.take(test)?);
        }
        Ok((state, asked))
    }

    fn answer(&self, node: u32, target: usize) -> &Answer {
        let standing = self.standing[node as usize * self.terms.targets.len() + target];
        &self.outline.tree.node(standing).payload.answers.targets[target]
    }

    /// What is said of objects that reach a leaf, with what the nodes above it say.
    fn sum(&mut self, leaf: u32, target: usize) -> Result<String> {
        let mut nodes = vec![leaf];
        while let Some((above, _)) = nodes
            .last()
            .and_then(|&node| self.outline.parents[node as usize])
        {
            nodes.push(above);
        }
        match self.along {
            Along::Leaf => self.said(leaf, target),
            Along::Summed => {
                let each = nodes.iter().rev();
                let each = each.map(|&node| self.said(node, target));
                let each: Vec<String> = each.collect::<Result<_>>()?;
                Ok(format!("({})", each.join("\n      + ")))
            }
            Along::Smoothed(by) => {
                let weight = |node: u32| self.outline.tree.node(node).payload.answers.weight;
                let mut own = weight(leaf);
                let mut sql = self.said(leaf, target)?;
                for &above in &nodes[1..] {
                    let said = self.said(above, target)?;
                    sql = format!(
                        "(({} * {sql}\n      + {} * {said}) / {})",
                        double(own),
                        double(by),
                        double(own + by)
                    );
                    own = self.outline.tree.node(above).payload.answers.weight;
                }
                Ok(sql)
            }
        }
    }

    /// What a node says.
    fn said(&mut self, node: u32, target: usize) -> Result<String> {
        let at = self.outline.tree.node(node);
        if let Some(model) = at.payload.model(target) {
            let (state, _) = self.state(node)?;
            return self.instances.formula(state, model, (node, target));
        }
        let number = self.answer(node, target).as_number();
        let constant = match self.along == Along::Summed && at.split.is_some() {
            true => 0.0,
            false => number.map_or(0.0, |number| number.mean),
        };
        Ok(double(constant))
    }
}
