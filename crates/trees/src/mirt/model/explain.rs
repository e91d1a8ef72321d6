//! Why a relational tree says what it says of an object: the tests on its way with the rows that
//! satisfy them, and the terms that add up to what is predicted, with the row behind each value.

use kinwood_values::View;

use super::MirtModel;
use super::walk::{Trees, Walk};
use super::words::{Occurrences, short};
use crate::contents::Item;
use crate::mirt::bags::Bags;
use crate::mirt::evaluate::Said;
use crate::mirt::leaf::Linear;
use crate::mirt::terms::Terms;
use crate::mirt::test::{Condition, Is, Test};
use crate::mirt::values::Values;
use crate::tree::model::{Along, Answering, Outline, Trace, Why, settle};
use kinwood_learning::context::Context;
use kinwood_learning::error::Result;
use kinwood_learning::explanation::{NodeSaid, Step as Told, Term};

/// How many rows of a table are named where several satisfy a test.
const NAMED: usize = 3;

/// What the node of a tree says of the object for a target, and how much that counts.
struct Part<'m> {
    /// The tree and the node, from 1.
    at: (usize, u32),
    constant: f64,
    /// The model, what it says, and the names of what it speaks of.
    model: Option<(&'m Linear, Said, Occurrences<'m>)>,
    counts: f64,
}

/// How an object of a view gets to its answers.
pub(super) fn trace(model: &MirtModel, data: &View, position: usize) -> Result<Trace> {
    let terms = &*model.terms;
    terms.check(data)?;
    let values = Values::new(data, &terms.pools)?;
    let asked = Asked {
        terms,
        data,
        values: &values,
    };
    let trees = model.answering();
    let mut path = Vec::new();
    let mut examples = 0.0;
    let mut parts: Vec<Vec<Part<'_>>> = terms.targets.iter().map(|_| Vec::new()).collect();
    for (place, member) in trees.iter().enumerate() {
        let tree = &member.tree;
        let walk = Walk::new(model, member);
        let outline = Outline::new(terms, tree);
        let mut own: Vec<Vec<(Part<'_>, f64)>> = terms.targets.iter().map(|_| Vec::new()).collect();
        walk.visit(&values, vec![position as u32], &mut |mut visit| {
            let node = tree.node(visit.node);
            let names = Occurrences::new(terms, &outline.above[visit.node as usize]);
            for (target, own) in own.iter_mut().enumerate() {
                let said = visit.said[target]
                    .take()
                    .and_then(|said| said.into_iter().next());
                let linear = node.payload.model(target);
                let number = walk.answer(visit.node, target).as_number();
                let constant = match model.along == Along::Summed && node.split.is_some() {
                    true => 0.0,
                    false => number.map_or(0.0, |number| number.mean),
                };
                let part = Part {
                    at: (place + 1, visit.node + 1),
                    constant,
                    model: linear.zip(said).map(|(linear, said)| {
                        (linear, said, names.clone().with_beyond(&linear.beyond))
                    }),
                    counts: 1.0,
                };
                own.push((part, node.payload.answers.weight));
            }
            match &node.split {
                None => examples += node.payload.answers.weight,
                Some(split) => {
                    let (holds, value) = asked.told(visit.bags, &split.test);
                    path.push(Told {
                        tree: place + 1,
                        depth: outline.depths[visit.node as usize],
                        share: 1.0,
                        test: names.test(&split.test),
                        value,
                        holds: Some(holds),
                        near: None,
                    });
                }
            }
        });
        for (parts, own) in parts.iter_mut().zip(own) {
            parts.extend(counted(own, model.along, trees.len()));
        }
    }
    let mut numbers = vec![0.0; model.width()];
    Trees::new(model, data)?.add(position..position + 1, &Context::new(), &mut numbers)?;
    settle(
        &terms.targets,
        trees.len(),
        model.report.prior,
        &mut numbers,
    );
    let each = terms.targets.iter().zip(parts);
    let why = each.map(
        |(target, parts)| match (target.kind.is_number(), parts.as_slice()) {
            (false, _) => Why::Leaves,
            (true, [_, _, ..]) => {
                let said = parts.iter().map(Part::said).collect();
                Why::Nodes(said, merged(&parts, terms, data))
            }
            (true, _) => Why::Formula(merged(&parts, terms, data)),
        },
    );
    Ok(Trace {
        values: Vec::new(),
        path,
        examples: examples / trees.len() as f64,
        numbers,
        why: why.collect(),
    })
}

/// The parts of a tree's answer, the root's first, that count at all, and how much each does.
fn counted<'m>(own: Vec<(Part<'m>, f64)>, along: Along, trees: usize) -> Vec<Part<'m>> {
    let mut counts = vec![0.0; own.len()];
    let Some(leaf) = own.len().checked_sub(1) else {
        return Vec::new();
    };
    match along {
        Along::Leaf => counts[leaf] = 1.0,
        Along::Summed => counts.fill(1.0),
        Along::Smoothed(by) => {
            counts[leaf] = 1.0;
            let mut weight = own[leaf].1;
            for above in (0..leaf).rev() {
                let kept = weight / (weight + by);
                counts[above + 1..]
                    .iter_mut()
                    .for_each(|count| *count *= kept);
                counts[above] = by / (weight + by);
                weight = own[above].1;
            }
        }
    }
    let each = own.into_iter().zip(counts);
    each.map(|((part, _), counts)| Part {
        counts: counts / trees as f64,
        ..part
    })
    .filter(|part| part.counts > 0.0 && (part.model.is_some() || part.constant != 0.0))
    .collect()
}

/// The terms of all parts; those of one value are one term.
fn merged(parts: &[Part<'_>], terms: &Terms, data: &View) -> Vec<Term> {
    let mut all: Vec<(Vec<u32>, Term)> = Vec::new();
    for part in parts {
        for term in part.told(terms, data) {
            let same = all.iter_mut().find(|(_, known)| {
                known.name == term.name && known.value == term.value && known.behind == term.behind
            });
            match same {
                Some((nodes, known)) => {
                    nodes.push(part.at.1);
                    known.coefficient += term.coefficient;
                    known.contribution += term.contribution;
                }
                None => all.push((vec![part.at.1], term)),
            }
        }
    }
    // Nodes whose bags differ have other values of what goes by one name.
    let names: Vec<String> = all.iter().map(|(_, term)| term.name.clone()).collect();
    let named = |name: &str| names.iter().filter(|other| *other == name).count();
    let each = all.into_iter().map(|(nodes, mut term)| {
        if named(&term.name) > 1 {
            let nodes: Vec<String> = nodes.iter().map(u32::to_string).collect();
            term.name += &format!(", in node {}", nodes.join(", "));
        }
        term
    });
    each.collect()
}

impl Part<'_> {
    fn said(&self) -> NodeSaid {
        NodeSaid {
            tree: self.at.0,
            node: self.at.1,
            says: match &self.model {
                Some((_, said, _)) => said.number,
                None => self.constant,
            },
            counts: self.counts,
        }
    }

    /// The terms of this part, as much as they count.
    fn told(&self, terms: &Terms, data: &View) -> Vec<Term> {
        let constant = |number: f64| Term::constant(self.counts * number);
        let Some((linear, said, names)) = &self.model else {
            return vec![constant(self.constant)];
        };
        let mut told = vec![constant(linear.intercept)];
        let mut whole = 0.0;
        for ((term, &value), behind) in linear.terms.iter().zip(&said.values).zip(&said.behind) {
            let occurrence = term.variable.occurrence();
            let name = names.variable(term.variable);
            let mut one = Term::product(name, value, self.counts * term.coefficient);
            whole += term.coefficient * value;
            one.behind = behind
                .filter(|_| occurrence > 0)
                .map(|row| row_name(terms, data, names.table(occurrence), row));
            told.push(one);
        }
        let whole = linear.intercept + whole;
        if whole != said.number {
            let mut kept = constant(said.number - whole);
            kept.name = "kept within what training had".to_owned();
            told.push(kept);
        }
        told
    }
}

/// A row by the values of its key.
fn row_name(terms: &Terms, data: &View, table: usize, row: u32) -> String {
    let of = &terms.tables[table];
    let stored = data.database().table(table);
    let key = of.key.iter().map(|&column| {
        let column = &stored.attribute(column as usize).column;
        column.value(row as usize).to_string()
    });
    let key: Vec<String> = key.collect();
    match key.is_empty() {
        true => format!("{} in row {}", of.name, row + 1),
        false => format!("{} {}", of.name, key.join("/")),
    }
}

/// An object that a test is made of.
struct Asked<'a> {
    terms: &'a Terms,
    data: &'a View,
    values: &'a Values<'a>,
}

impl Asked<'_> {
    /// Whether a test holds of the one object of bags, and what it looked at.
    fn told(&self, bags: &Bags, test: &Test) -> (bool, String) {
        let (yes, _) = bags.divide(self.data, self.values, test);
        let holds = !yes.objects.is_empty();
        let plain = Test {
            steps: test.steps.clone(),
            condition: None,
        };
        let (reached, _) = bags.divide(self.data, self.values, &plain);
        let first = bags.occurrences.len() as u32;
        let Some(condition) = &test.condition else {
            return (holds, self.rows(&reached, first..first + 1));
        };
        let occurrence = condition.occurrence();
        let table = self.terms.table_of(&reached.steps, occurrence);
        if reached.objects.is_empty() {
            return (holds, "no such row".to_owned());
        }
        let slots = &reached.occurrences[occurrence as usize];
        let value = match condition {
            Condition::Some { column, is, .. } if occurrence == 0 => {
                let row = slots.rows[0] as usize;
                let stored = self.data.database().table(table);
                let value = stored.attribute(*column as usize).column.value(row);
                match self.found((table, *column), is, row) {
                    Some(found) => format!("{value}, which has {found}"),
                    None => value.to_string(),
                }
            }
            Condition::Some { .. } if holds => {
                let named = occurrence..occurrence + 1;
                let fresh = first..first + test.steps.len() as u32;
                let own = self.rows(&yes, named.clone());
                let others = fresh.filter(|other| !named.contains(other));
                let others = others.map(|other| self.rows(&yes, other..other + 1));
                std::iter::once(own)
                    .chain(others)
                    .collect::<Vec<_>>()
                    .join("; ")
            }
            Condition::Some { .. } | Condition::Every { .. } => {
                let mut rows = slots.rows.clone();
                rows.sort_unstable();
                rows.dedup();
                let name = &self.terms.tables[table].name;
                match (condition, holds) {
                    (Condition::Every { .. }, true) => format!("all of {} {name}", rows.len()),
                    (Condition::Every { .. }, false) => format!("not all of {} {name}", rows.len()),
                    _ => format!("none of {} {name}", rows.len()),
                }
            }
            Condition::Count { .. } => format!("{} rows", slots.len()),
            Condition::Aggregate {
                column,
                function,
                is,
                ..
            } => {
                let number = self.values.number(table, *column, is);
                let kept = vec![true; slots.len()];
                let made = slots.aggregated(&kept, 1, *function, number);
                match made.first() {
                    Some(made) if !made.is_nan() => format!("{} {}", function.name(), short(*made)),
                    _ => "?".to_owned(),
                }
            }
        };
        (holds, value)
    }

    /// The items of a row, where several could have decided.
    fn found(&self, place: (usize, u32), is: &Is, row: usize) -> Option<String> {
        let Is::Has(items) = is else {
            return None;
        };
        let pool = self.terms.pool(place.0, place.1)?;
        let own = self.values.found(place.0, place.1)?.items(row);
        let own: Vec<u32> = own
            .iter()
            .copied()
            .filter(|own| items.contains(own))
            .collect();
        let words: Vec<String> = pool.named(&own).map(Item::words).collect();
        (items.len() > 1 && !words.is_empty()).then(|| words.join(", "))
    }

    /// The rows of occurrences, named by their keys.
    fn rows(&self, bags: &Bags, occurrences: std::ops::Range<u32>) -> String {
        let mut told = Vec::new();
        for occurrence in occurrences {
            let Some(slots) = bags.occurrences.get(occurrence as usize) else {
                continue;
            };
            let table = self.terms.table_of(&bags.steps, occurrence);
            let mut rows = slots.rows.clone();
            rows.sort_unstable();
            rows.dedup();
            let named = rows.iter().take(NAMED);
            let named = named.map(|&row| row_name(self.terms, self.data, table, row));
            let named: Vec<String> = named.collect();
            told.push(match (named.is_empty(), rows.len().saturating_sub(NAMED)) {
                (true, _) => format!("no {}", self.terms.tables[table].name),
                (false, 0) => named.join(", "),
                (false, more) => format!("{} and {more} more", named.join(", ")),
            });
        }
        told.join("; ")
    }
}
