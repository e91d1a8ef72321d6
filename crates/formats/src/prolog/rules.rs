//! Rules of a schema: facts made of facts, `subst(C, x_subst(N), G) :- x_subst(C, N, G).`
//!
//! A rule has one condition, so that it is a renaming: it projects, rearranges and builds terms,
//! and never joins. Rules are applied in their order, each once, to the facts that are there by
//! then.

use std::collections::HashSet;
use std::ops::Range;

use kinwood_values::suggest::nearest;

use super::facts::Facts;
use crate::error::FactsFault;
use crate::prolog_syntax::cells::{ANONYMOUS, Cell, end_of};
use crate::prolog_syntax::clause::Atom;
use crate::prolog_syntax::rule::parse;

/// What a rule did.
pub(super) struct Applied {
    pub rule: String,
    /// The predicate of its condition.
    pub of: (u32, usize),
    /// The facts that its condition fits.
    pub fits: usize,
    /// The new facts among those it makes.
    pub made: usize,
}

impl Facts<'_> {
    /// Adds what a rule makes of the facts there are.
    pub(super) fn apply(&mut self, rule: &str) -> Result<Applied, FactsFault> {
        let (head, body) = parse(rule, &mut self.symbols).map_err(|flaw| FactsFault::Rule {
            expected: flaw.expected,
            found: flaw.found,
        })?;
        let of = (body.symbol, body.ends.len());
        let Some(position) = self.position(of) else {
            return Err(self.unknown(self.symbols.label(body.symbol), body.ends.len()));
        };
        let made_of = (head.symbol, head.ends.len());
        let mut there: HashSet<Vec<(u8, u32, u64)>> = match self.position(made_of) {
            None => HashSet::new(),
            Some(position) => {
                let predicate = &self.predicates[position];
                let facts = 0..predicate.places.len();
                facts.map(|fact| predicate.content(fact)).collect()
            }
        };
        let (mut fits, mut made) = (0, 0);
        let mut cells = Vec::new();
        let mut bound = Vec::new();
        for fact in 0..self.predicates[position].places.len() {
            let predicate = &self.predicates[position];
            cells.clear();
            cells.extend(predicate.arguments.iter().flat_map(|of| of.get(fact)));
            bound.clear();
            if !matches(&body.cells, &cells, &mut bound) {
                continue;
            }
            fits += 1;
            let atom = build(&head, &cells, &bound);
            let content = atom.cells.iter().map(|cell| cell.identity()).collect();
            let (place, says) = (predicate.places[fact], predicate.says[fact]);
            if there.insert(content) {
                made += 1;
                self.add(&atom, place, says);
            }
        }
        Ok(Applied {
            rule: rule.trim().to_owned(),
            of,
            fits,
            made,
        })
    }

    /// The fault that there are no facts of a predicate, with what could have been meant.
    pub(super) fn unknown(&self, name: &str, arity: usize) -> FactsFault {
        let there = self.predicates.iter();
        let there = there.filter(|predicate| !predicate.places.is_empty());
        let of_name: Vec<usize> = there
            .clone()
            .filter(|predicate| self.symbols.label(predicate.symbol) == name)
            .map(|predicate| predicate.arguments.len())
            .collect();
        if !of_name.is_empty() {
            return FactsFault::OtherArity {
                predicate: name.to_owned(),
                expected: arity,
                found: of_name,
            };
        }
        let names: Vec<&str> = there
            .map(|predicate| self.symbols.label(predicate.symbol))
            .collect();
        FactsFault::UnknownPredicate {
            predicate: name.to_owned(),
            arity,
            nearest: nearest(name, names),
        }
    }
}

/// Whether the condition fits a fact, and what its variables stand for: ranges of the fact's
/// symbols.
fn matches(condition: &[Cell], fact: &[Cell], bound: &mut Vec<(u32, Range<usize>)>) -> bool {
    let mut at = 0;
    for cell in condition {
        let Cell::Variable(symbol) = *cell else {
            if cell.identity() != fact[at].identity() {
                return false;
            }
            at += 1;
            continue;
        };
        let end = end_of(fact, at);
        match bound.iter().find(|(other, _)| *other == symbol) {
            _ if symbol == ANONYMOUS => {}
            None => bound.push((symbol, at..end)),
            Some((_, before)) => {
                let same = |range: Range<usize>| {
                    let cells = fact[range].iter();
                    cells.map(|cell| cell.identity()).collect::<Vec<_>>()
                };
                if same(before.clone()) != same(at..end) {
                    return false;
                }
            }
        }
        at = end;
    }
    true
}

/// The head with what its variables stand for.
fn build(head: &Atom, fact: &[Cell], bound: &[(u32, Range<usize>)]) -> Atom {
    let mut atom = Atom {
        symbol: head.symbol,
        ..Atom::default()
    };
    let mut begin = 0;
    for &end in &head.ends {
        for cell in &head.cells[begin..end] {
            let stands_for = match cell {
                Cell::Variable(symbol) => bound.iter().find(|(other, _)| other == symbol),
                _ => None,
            };
            match stands_for {
                Some((_, range)) => atom.cells.extend_from_slice(&fact[range.clone()]),
                None => atom.cells.push(*cell),
            }
        }
        atom.ends.push(atom.cells.len());
        begin = end;
    }
    atom
}

#[cfg(test)]
mod tests {
    use super::super::facts::Predicate;
    use super::*;
    use crate::prolog_syntax::rule::check;
    use crate::source::Source;

    /// The facts of a predicate that rules make of a text, as they would be written.
    fn made(text: &str, rules: &[&str], predicate: &str) -> Vec<String> {
        let sources = [Source::from_bytes("f.pl", text.as_bytes())];
        let mut facts = Facts::read(&sources, None).unwrap();
        for rule in rules {
            check(rule).unwrap();
            facts.apply(rule).unwrap();
        }
        let named = |of: &&Predicate| facts.symbols.label(of.symbol) == predicate;
        let found = facts.predicates.iter().find(named);
        let found = found.map_or(&[][..], std::slice::from_ref);
        let shown = |of: &Predicate| {
            let facts_of = 0..of.places.len();
            facts_of
                .map(|fact| facts.show(of, fact))
                .collect::<Vec<_>>()
        };
        found.iter().flat_map(shown).collect()
    }

    #[test]
    fn facts_are_made_of_facts_once() {
        let text = "x(c1,6,cl). x(c1,7,cl). x(c2,6,f(a)). y(c1,c1). y(c1,c2). s(c1,x(6),cl).";
        let cases: [(&[&str], &str, &[&str]); 6] = [
            (
                &["s(C, x(N), G) :- x(C, N, G)."],
                "s",
                &["s(c1,x(6),cl)", "s(c1,x(7),cl)", "s(c2,x(6),f(a))"],
            ),
            (&["h(C) :- x(C, _, _)."], "h", &["h(c1)", "h(c2)"]),
            (&["h(C,C) :- y(C, C)."], "h", &["h(c1,c1)"]),
            (&["h(C) :- x(C, 6, cl)."], "h", &["h(c1)"]),
            (&["h(A, C) :- x(C, _, f(A))."], "h", &["h(a,c2)"]),
            (
                &["h(C) :- x(C, 7, _).", "g(C, one) :- h(C)."],
                "g",
                &["g(c1,one)"],
            ),
        ];
        for (rules, predicate, expected) in cases {
            assert_eq!(made(text, rules, predicate), expected, "{rules:?}");
        }
    }
}
