//! First-order terms, flat in preorder: Nienhuys-Cheng's distance, least general generalisations
//! and the distance by them, and the structural kernel.
//!
//! Two terms are walked side by side: where functors are equal both go on to the arguments, which
//! come next in preorder, and where they differ both skip a subterm. So every method is one pass
//! over both terms, and depth needs no stack, or one of its own. A number is a constant, and a
//! functor with another arity is another functor.

mod differences;

use std::cmp::Ordering;
use std::ops::Range;

use kinwood_values::column::{TermNode, Terms};
use kinwood_values::term::Node;
use kinwood_values::{Dictionary, Term};

use crate::score::TermSize;

pub use differences::{DifferentSubterms, differences};

/// A term in preorder; terms that are compared have their symbols from one dictionary.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlatTerm<'a> {
    /// What each node is.
    pub kinds: &'a [TermNode],
    /// The name of each functor and variable, by code.
    pub symbols: &'a [u32],
    /// The number of arguments of each node; 0 unless it is a functor.
    pub arities: &'a [u32],
    /// The value of each number.
    pub numbers: &'a [f64],
}

impl<'a> FlatTerm<'a> {
    /// The term in a row that holds one.
    pub fn of(terms: &'a Terms, row: usize) -> FlatTerm<'a> {
        let nodes = terms.offsets.range(row);
        FlatTerm {
            kinds: &terms.kinds[nodes.clone()],
            symbols: &terms.symbols[nodes.clone()],
            arities: &terms.arities[nodes.clone()],
            numbers: &terms.numbers[nodes],
        }
    }

    /// Whether the term has no variables.
    pub fn is_ground(&self) -> bool {
        !self.kinds.contains(&TermNode::Variable)
    }

    fn end(&self, start: usize) -> usize {
        let (mut at, mut open) = (start, 1);
        while open > 0 && at < self.kinds.len() {
            open += self.arities[at] as usize;
            open -= 1;
            at += 1;
        }
        at
    }

    /// Any order in which nodes are equal only if they are the same.
    fn compare(&self, at: usize, other: &FlatTerm<'_>, place: usize) -> Ordering {
        let key = |term: &FlatTerm<'_>, node: usize| {
            (
                term.kinds[node] as u8,
                term.symbols[node],
                term.arities[node],
            )
        };
        // Adding 0 makes both zeros the same.
        let number = |term: &FlatTerm<'_>, node: usize| term.numbers[node] + 0.0;
        key(self, at)
            .cmp(&key(other, place))
            .then_with(|| number(self, at).total_cmp(&number(other, place)))
    }

    fn same(&self, at: usize, other: &FlatTerm<'_>, place: usize) -> bool {
        self.kinds[at] == other.kinds[place]
            && self.symbols[at] == other.symbols[place]
            && self.arities[at] == other.arities[place]
            && self.numbers[at] == other.numbers[place]
    }
}

/// Where two terms that are walked side by side are.
enum Meeting {
    /// The same symbol, at these nodes.
    Same(usize, usize),
    /// Different symbols, at the beginning of these subterms.
    Differ(Range<usize>, Range<usize>),
}

/// Walks two terms side by side.
struct Together<'a, 'b> {
    left: FlatTerm<'a>,
    right: FlatTerm<'b>,
    at: (usize, usize),
}

fn together<'a, 'b>(left: FlatTerm<'a>, right: FlatTerm<'b>) -> Together<'a, 'b> {
    Together {
        left,
        right,
        at: (0, 0),
    }
}

impl Iterator for Together<'_, '_> {
    type Item = Meeting;

    #[inline]
    fn next(&mut self) -> Option<Meeting> {
        let (i, j) = self.at;
        if i >= self.left.kinds.len() || j >= self.right.kinds.len() {
            return None;
        }
        if self.left.same(i, &self.right, j) {
            self.at = (i + 1, j + 1);
            return Some(Meeting::Same(i, j));
        }
        self.at = (self.left.end(i), self.right.end(j));
        Some(Meeting::Differ(i..self.at.0, j..self.at.1))
    }
}

/// The arguments still to come at each depth, and the weight of each.
#[derive(Clone, Debug, Default)]
pub struct Weights {
    open: Vec<(u32, f64)>,
}

/// Nienhuys-Cheng's distance of ground terms: 0 if equal, 1 if the outermost functors differ, else
/// the mean distance of the arguments, halved.
///
/// `d(f(s1..sn), f(t1..tn)) = (d(s1, t1) + ... + d(sn, tn)) / 2n`. A variable counts as a constant
/// of its own name: the distance is meant for terms without.
///
/// Laws: a metric, at most 1. Cost: one pass over both terms. Reference: S. Nienhuys-Cheng,
/// *Distance between Herbrand interpretations*, ILP 1997, 213-226; example 2.6 of the paper on
/// distance-based decision trees.
pub fn nienhuys_cheng(a: FlatTerm<'_>, b: FlatTerm<'_>, weights: &mut Weights) -> f64 {
    let open = &mut weights.open;
    open.clear();
    let mut distance = 0.0;
    for meeting in together(a, b) {
        // An argument that is the last of its functor leaves nothing to come back to: long lists
        // need no stack.
        let weight = match open.last_mut() {
            None => 1.0,
            Some((1, weight)) => {
                let weight = *weight;
                open.pop();
                weight
            }
            Some((left, weight)) => {
                *left -= 1;
                *weight
            }
        };
        match meeting {
            Meeting::Same(node, _) => {
                let arity = a.arities[node];
                if arity > 0 {
                    open.push((arity, weight / (2.0 * f64::from(arity))));
                }
            }
            Meeting::Differ(..) => distance += weight,
        }
    }
    distance
}

/// The structural kernel: 0 for different functors, else 1 + the sum over the arguments; two
/// numbers by `numbers`, their product for instance.
///
/// A variable counts as a constant of its own name.
///
/// Laws: positive semi-definite if `numbers` is. Cost: one pass over both terms. Reference: T.
/// Gaertner, J. Lloyd and P. Flach, *Kernels and distances for structured data*, Machine Learning
/// 57, 205-232, 2004.
pub fn structural(a: FlatTerm<'_>, b: FlatTerm<'_>, numbers: impl Fn(f64, f64) -> f64) -> f64 {
    structural_at(a, b, |i, j| numbers(a.numbers[i], b.numbers[j]))
}

/// The same with two numbers told by their nodes.
pub fn structural_at(
    a: FlatTerm<'_>,
    b: FlatTerm<'_>,
    mut numbers: impl FnMut(usize, usize) -> f64,
) -> f64 {
    let mut sum = 0.0;
    for meeting in together(a, b) {
        let (i, j, same) = match &meeting {
            Meeting::Same(i, j) => (*i, *j, true),
            Meeting::Differ(left, right) => (left.start, right.start, false),
        };
        if a.kinds[i] == TermNode::Number && b.kinds[j] == TermNode::Number {
            sum += numbers(i, j);
        } else if same {
            sum += 1.0;
        }
    }
    sum
}

/// Generalises terms, one pair after another in the same memory.
///
/// The least general generalisation keeps what is the same; where two subterms differ it has a
/// variable, the same one wherever the same two subterms meet (Plotkin 1970).
#[derive(Clone, Debug, Default)]
pub struct Generaliser {
    differences: Vec<Difference>,
    order: Vec<u32>,
    occurrences: Vec<u32>,
}

/// Two subterms that differ.
#[derive(Clone, Debug)]
struct Difference {
    left: Range<usize>,
    right: Range<usize>,
}

/// A node of a generalisation.
#[derive(Clone, Debug, PartialEq)]
pub enum GeneralNode {
    /// A functor or constant of both terms.
    Functor {
        /// Its name, by code.
        symbol: u32,
        /// Number of arguments.
        arity: u32,
    },
    /// A number of both terms.
    Number(f64),
    /// A variable for two subterms, here the nodes of each term that it stands for.
    Variable {
        /// Its number, from 0 in the order of first occurrence.
        variable: u32,
        /// The subterm of the first term.
        left: Range<usize>,
        /// The subterm of the second term.
        right: Range<usize>,
    },
}

impl Generaliser {
    /// The size of a term: its functors, constants and numbers, and the sum over variables of
    /// squared occurrences.
    pub fn size(&mut self, term: FlatTerm<'_>) -> TermSize {
        self.occurrences.clear();
        let named = term.kinds.iter().zip(term.symbols);
        let variables = named.filter(|(kind, _)| **kind == TermNode::Variable);
        self.occurrences
            .extend(variables.map(|(_, symbol)| *symbol));
        self.occurrences.sort_unstable();
        let runs = self.occurrences.chunk_by(|a, b| a == b);
        TermSize {
            functors: (term.kinds.len() - self.occurrences.len()) as i64,
            variables: runs.map(|run| squared(run.len())).sum(),
        }
    }

    /// The size of the least general generalisation of two terms.
    pub fn general_size(&mut self, a: FlatTerm<'_>, b: FlatTerm<'_>) -> TermSize {
        let functors = self.differ(a, b);
        self.sort(a, b);
        let differences = &self.differences;
        let alike = |i: &u32, j: &u32| {
            compare(a, b, &differences[*i as usize], &differences[*j as usize]) == Ordering::Equal
        };
        let runs = self.order.chunk_by(alike);
        TermSize {
            functors,
            variables: runs.map(|run| squared(run.len())).sum(),
        }
    }

    /// The distance of two terms by their least general generalisation g:
    /// `size(a) + size(b) - 2 size(g)`.
    ///
    /// Compared by functors first, then by variables, either of which may be negative on its own.
    ///
    /// Laws: a metric up to renaming of variables; variants are at (0, 0). Cost: one pass over both
    /// terms, and sorting where they differ. Reference: J. Ramon, M. Bruynooghe and W. Van Laer,
    /// *Distance measures between atoms*, CompulogNet 1998; example 2.8 of the paper on
    /// distance-based decision trees.
    pub fn distance(&mut self, a: FlatTerm<'_>, b: FlatTerm<'_>) -> TermSize {
        let sizes = (self.size(a), self.size(b));
        self.distance_of_sizes(a, b, sizes)
    }

    /// The same for terms whose sizes are known.
    pub fn distance_of_sizes(
        &mut self,
        a: FlatTerm<'_>,
        b: FlatTerm<'_>,
        sizes: (TermSize, TermSize),
    ) -> TermSize {
        let general = self.general_size(a, b);
        TermSize {
            functors: sizes.0.functors + sizes.1.functors - 2 * general.functors,
            variables: sizes.0.variables + sizes.1.variables - 2 * general.variables,
        }
    }

    /// The least general generalisation of two terms, its nodes in preorder.
    pub fn generalise(&mut self, a: FlatTerm<'_>, b: FlatTerm<'_>) -> Vec<GeneralNode> {
        self.differ(a, b);
        self.sort(a, b);
        // Each difference is named by the first one like it: sorting put that first in its run.
        let mut first = vec![0; self.differences.len()];
        let differences = &self.differences;
        let alike = |i: &u32, j: &u32| {
            compare(a, b, &differences[*i as usize], &differences[*j as usize]) == Ordering::Equal
        };
        for run in self.order.chunk_by(alike) {
            run.iter()
                .for_each(|&difference| first[difference as usize] = run[0]);
        }
        let mut variables = vec![0; differences.len()];
        let (mut known, mut at) = (0, 0);
        let mut nodes = Vec::new();
        for meeting in together(a, b) {
            let same = match meeting {
                Meeting::Same(node, _) => Some((a.kinds[node], node)),
                Meeting::Differ(..) => None,
            };
            nodes.push(match same {
                Some((TermNode::Functor, node)) => GeneralNode::Functor {
                    symbol: a.symbols[node],
                    arity: a.arities[node],
                },
                Some((TermNode::Number, node)) => GeneralNode::Number(a.numbers[node]),
                Some((TermNode::Variable, _)) | None => {
                    let Difference { left, right } = differences[at].clone();
                    let like = first[at] as usize;
                    if like == at {
                        variables[at] = known;
                        known += 1;
                    }
                    at += 1;
                    GeneralNode::Variable {
                        variable: variables[like],
                        left,
                        right,
                    }
                }
            });
        }
        nodes
    }

    /// Finds where the terms differ, variables always among it; returns how many symbols are the
    /// same.
    fn differ(&mut self, a: FlatTerm<'_>, b: FlatTerm<'_>) -> i64 {
        self.differences.clear();
        let mut same = 0;
        for meeting in together(a, b) {
            let (left, right) = match meeting {
                Meeting::Same(i, j) if a.kinds[i] == TermNode::Variable => (i..i + 1, j..j + 1),
                Meeting::Same(..) => {
                    same += 1;
                    continue;
                }
                Meeting::Differ(left, right) => (left, right),
            };
            self.differences.push(Difference { left, right });
        }
        same
    }

    /// Puts equal differences side by side, first ones first.
    fn sort(&mut self, a: FlatTerm<'_>, b: FlatTerm<'_>) {
        let differences = &self.differences;
        self.order.clear();
        self.order.extend(0..differences.len() as u32);
        self.order.sort_unstable_by(|&i, &j| {
            compare(a, b, &differences[i as usize], &differences[j as usize]).then(i.cmp(&j))
        });
    }
}

fn squared(count: usize) -> i64 {
    let count = count as i64;
    count.saturating_mul(count)
}

fn compare(a: FlatTerm<'_>, b: FlatTerm<'_>, one: &Difference, other: &Difference) -> Ordering {
    let subterms = |term: FlatTerm<'_>, one: &Range<usize>, other: &Range<usize>| {
        let nodes = one.clone().zip(other.clone());
        let unequal = nodes
            .map(|(i, j)| term.compare(i, &term, j))
            .find(|order| order.is_ne());
        one.len()
            .cmp(&other.len())
            .then(unequal.unwrap_or(Ordering::Equal))
    };
    subterms(a, &one.left, &other.left).then_with(|| subterms(b, &one.right, &other.right))
}

/// A generalisation as a term; its variables are `V1`, `V2`, ...
pub fn general_term(nodes: &[GeneralNode], dictionary: &Dictionary) -> Term {
    let nodes = nodes.iter().map(|node| match node {
        GeneralNode::Functor { symbol, arity } => Node::Functor {
            name: dictionary.label(*symbol).to_owned(),
            arity: *arity,
        },
        GeneralNode::Number(number) => Node::Number(*number),
        GeneralNode::Variable { variable, .. } => Node::Variable(format!("V{}", variable + 1)),
    });
    Term::new(nodes.collect()).expect("a generalisation of terms is a term")
}

#[cfg(test)]
mod tests {
    use super::*;
    use kinwood_values::{Cells, Column, Type, Value};
    use proptest::prelude::*;
    use std::collections::HashMap;

    fn column(terms: &[Term]) -> Terms {
        let values: Vec<Value> = terms.iter().cloned().map(Value::Term).collect();
        let column = Column::from_values(&Type::Term, &values).unwrap();
        match column.cells() {
            Cells::Term(terms) => terms.clone(),
            other => panic!("{other:?}"),
        }
    }

    fn read(texts: [&str; 2]) -> Terms {
        column(&texts.map(|text| text.parse().unwrap()))
    }

    fn cheng(texts: [&str; 2]) -> f64 {
        let terms = read(texts);
        nienhuys_cheng(
            FlatTerm::of(&terms, 0),
            FlatTerm::of(&terms, 1),
            &mut Weights::default(),
        )
    }

    fn kernel(texts: [&str; 2]) -> f64 {
        let terms = read(texts);
        structural(FlatTerm::of(&terms, 0), FlatTerm::of(&terms, 1), |x, y| {
            x * y
        })
    }

    fn lgg(texts: [&str; 2]) -> ((i64, i64), String) {
        let terms = read(texts);
        let (a, b) = (FlatTerm::of(&terms, 0), FlatTerm::of(&terms, 1));
        let mut generaliser = Generaliser::default();
        let distance = generaliser.distance(a, b);
        let general = general_term(&generaliser.generalise(a, b), &terms.dictionary);
        ((distance.functors, distance.variables), general.to_string())
    }

    #[test]
    fn examples_of_nienhuys_cheng() {
        assert_eq!(cheng(["p(f(a),g(a,b))", "p(f(b),b)"]), 3.0 / 8.0);
        assert_eq!(cheng(["p(a)", "p(a,a)"]), 1.0);
        assert_eq!(cheng(["a", "a"]), 0.0);
        assert_eq!(cheng(["f(1)", "f(2)"]), 0.5);
        assert_eq!(cheng(["f(-0.0,1)", "f(0.0,1)"]), 0.0);
        assert_eq!(cheng(["0", "a"]), 1.0);
        assert_eq!(cheng(["f(a,b)", "g(a,b)"]), 1.0);
        assert_eq!(cheng(["[a,b]", "[a,c]"]), 1.0 / 16.0);
    }

    #[test]
    fn examples_of_generalisation() {
        assert_eq!(lgg(["p(a,b)", "p(b,b)"]), ((2, -2), "p(V1,b)".into()));
        assert_eq!(lgg(["p(a,a)", "p(b,b)"]), ((4, -8), "p(V1,V1)".into()));
        assert_eq!(lgg(["p(X)", "p(Y)"]), ((0, 0), "p(V1)".into()));
        assert_eq!(
            lgg(["p(X,Y,X)", "p(Y,X,Y)"]),
            ((0, 0), "p(V1,V2,V1)".into())
        );
        assert_eq!(lgg(["p(a,c)", "p(b,c)"]), ((2, -2), "p(V1,c)".into()));
        assert_eq!(lgg(["p(a,b)", "p(b,a)"]), ((4, -4), "p(V1,V2)".into()));
        assert_eq!(lgg(["p", "p(a)"]), ((3, -2), "V1".into()));
        assert_eq!(
            lgg(["p(f(a),f(b),f(a))", "p(1,1,1)"]),
            ((11 - 2, -10), "p(V1,V2,V1)".into())
        );
        assert_eq!(lgg(["p(1,2)", "p(1,3)"]), ((2, -2), "p(1,V1)".into()));
        // An instance is nearer to what it is an instance of.
        assert!(lgg(["p(a)", "p(X)"]).0 < lgg(["p(a)", "p(b)"]).0);
    }

    #[test]
    fn examples_of_the_structural_kernel() {
        assert_eq!(kernel(["f(a,b)", "f(a,c)"]), 2.0);
        assert_eq!(kernel(["f(a,b)", "g(a,b)"]), 0.0);
        assert_eq!(kernel(["f(2,3)", "f(5,7)"]), 32.0);
        assert_eq!(kernel(["f(2)", "f(2)"]), 5.0);
        assert_eq!(kernel(["f(2)", "f(a)"]), 1.0);
        assert_eq!(kernel(["f(0)", "f(0)"]), 1.0);
    }

    #[test]
    fn depth_does_not_matter() {
        let deep = |inner: &str| {
            let text = format!("{}{inner}{}", "f(".repeat(100_000), ")".repeat(100_000));
            text.parse::<Term>().unwrap()
        };
        let list = |last: &str| {
            format!("[{}{last}]", "a,".repeat(100_000))
                .parse::<Term>()
                .unwrap()
        };
        for (a, b) in [(deep("a"), deep("b")), (list("a"), list("b"))] {
            let size = a.len() as i64;
            let terms = column(&[a, b]);
            let (a, b) = (FlatTerm::of(&terms, 0), FlatTerm::of(&terms, 1));
            assert_eq!(nienhuys_cheng(a, b, &mut Weights::default()), 0.0);
            assert_eq!(structural(a, b, |_, _| 0.0), (size - 1) as f64);
            let distance = Generaliser::default().distance(a, b);
            assert_eq!((distance.functors, distance.variables), (2, -2));
        }
    }

    #[test]
    fn many_differences_are_counted_together() {
        let list = |item: &str| {
            format!("[{}c]", format!("{item},").repeat(50_000))
                .parse::<Term>()
                .unwrap()
        };
        let terms = column(&[list("f(a,X)"), list("f(b,Y)")]);
        let general =
            Generaliser::default().general_size(FlatTerm::of(&terms, 0), FlatTerm::of(&terms, 1));
        assert_eq!(general.variables, 2 * 50_000 * 50_000);
    }

    /// A term as its definition has it, for oracles that recurse.
    #[derive(Clone, Debug, PartialEq)]
    enum Nested {
        Functor(&'static str, Vec<Nested>),
        Number(f64),
        Variable(&'static str),
    }

    impl Nested {
        fn flatten(&self, nodes: &mut Vec<Node>) {
            match self {
                Nested::Functor(name, arguments) => {
                    nodes.push(Node::Functor {
                        name: (*name).to_owned(),
                        arity: arguments.len() as u32,
                    });
                    arguments
                        .iter()
                        .for_each(|argument| argument.flatten(nodes));
                }
                Nested::Number(number) => nodes.push(Node::Number(*number)),
                Nested::Variable(name) => nodes.push(Node::Variable((*name).to_owned())),
            }
        }

        fn term(&self) -> Term {
            let mut nodes = Vec::new();
            self.flatten(&mut nodes);
            Term::new(nodes).unwrap()
        }

        fn size(&self) -> (i64, HashMap<&'static str, i64>) {
            match self {
                Nested::Functor(_, arguments) => {
                    let (mut functors, mut variables) = (1, HashMap::new());
                    for argument in arguments {
                        let (more, inner) = argument.size();
                        functors += more;
                        inner
                            .into_iter()
                            .for_each(|(name, count)| *variables.entry(name).or_insert(0) += count);
                    }
                    (functors, variables)
                }
                Nested::Number(_) => (1, HashMap::new()),
                Nested::Variable(name) => (0, HashMap::from([(*name, 1)])),
            }
        }
    }

    fn any_nested(ground: bool) -> impl Strategy<Value = Nested> {
        let leaf = if ground {
            prop_oneof![
                prop::sample::select(vec!["a", "b"]).prop_map(|name| Nested::Functor(name, vec![])),
                (0..2u8).prop_map(|number| Nested::Number(f64::from(number))),
            ]
            .boxed()
        } else {
            prop_oneof![
                prop::sample::select(vec!["a", "b"]).prop_map(|name| Nested::Functor(name, vec![])),
                (0..2u8).prop_map(|number| Nested::Number(f64::from(number))),
                prop::sample::select(vec!["X", "Y"]).prop_map(Nested::Variable),
            ]
            .boxed()
        };
        leaf.prop_recursive(3, 20, 3, |inner| {
            (
                prop::sample::select(vec!["a", "f"]),
                prop::collection::vec(inner, 1..=3),
            )
                .prop_map(|(name, arguments)| Nested::Functor(name, arguments))
        })
    }

    fn cheng_by_definition(a: &Nested, b: &Nested) -> f64 {
        match (a, b) {
            (Nested::Functor(f, s), Nested::Functor(g, t)) if f == g && s.len() == t.len() => {
                let sum: f64 = s
                    .iter()
                    .zip(t)
                    .map(|(s, t)| cheng_by_definition(s, t))
                    .sum();
                if s.is_empty() {
                    0.0
                } else {
                    sum / (2 * s.len()) as f64
                }
            }
            _ => f64::from(u8::from(a != b)),
        }
    }

    fn kernel_by_definition(a: &Nested, b: &Nested) -> f64 {
        match (a, b) {
            (Nested::Functor(f, s), Nested::Functor(g, t)) if f == g && s.len() == t.len() => {
                1.0 + s
                    .iter()
                    .zip(t)
                    .map(|(s, t)| kernel_by_definition(s, t))
                    .sum::<f64>()
            }
            (Nested::Number(x), Nested::Number(y)) => x * y,
            (Nested::Variable(x), Nested::Variable(y)) => f64::from(u8::from(x == y)),
            _ => 0.0,
        }
    }

    /// Functors of the generalisation; the pairs its variables stand for go to `met`.
    fn lgg_by_definition(a: &Nested, b: &Nested, met: &mut Vec<(Nested, Nested)>) -> i64 {
        match (a, b) {
            (Nested::Functor(f, s), Nested::Functor(g, t)) if f == g && s.len() == t.len() => {
                1 + s
                    .iter()
                    .zip(t)
                    .map(|(s, t)| lgg_by_definition(s, t, met))
                    .sum::<i64>()
            }
            (Nested::Number(x), Nested::Number(y)) if x == y => 1,
            _ => {
                met.push((a.clone(), b.clone()));
                0
            }
        }
    }

    fn squares((functors, variables): (i64, HashMap<&'static str, i64>)) -> (i64, i64) {
        (
            functors,
            variables.values().map(|count| count * count).sum(),
        )
    }

    kinwood_testing::soak! { 256;
        fn soak_nienhuys_cheng_agrees_with_its_definition(a in any_nested(true), b in any_nested(true)) {
            let terms = column(&[a.term(), b.term()]);
            let (left, right) = (FlatTerm::of(&terms, 0), FlatTerm::of(&terms, 1));
            prop_assert!(left.is_ground());
            let mut weights = Weights::default();
            let distance = nienhuys_cheng(left, right, &mut weights);
            prop_assert!((distance - cheng_by_definition(&a, &b)).abs() < 1e-15);
            prop_assert_eq!(distance, nienhuys_cheng(right, left, &mut weights));
            prop_assert_eq!(distance == 0.0, a == b);
        }

        fn soak_nienhuys_cheng_keeps_the_triangle(a in any_nested(true), b in any_nested(true), c in any_nested(true)) {
            let terms = column(&[a.term(), b.term(), c.term()]);
            let [a, b, c] = [0, 1, 2].map(|row| FlatTerm::of(&terms, row));
            let mut weights = Weights::default();
            let mut distance = |x, y| nienhuys_cheng(x, y, &mut weights);
            prop_assert!(distance(a, c) <= distance(a, b) + distance(b, c) + 1e-15);
        }

        fn soak_structural_agrees_with_its_definition(a in any_nested(false), b in any_nested(false)) {
            let terms = column(&[a.term(), b.term()]);
            let (left, right) = (FlatTerm::of(&terms, 0), FlatTerm::of(&terms, 1));
            prop_assert_eq!(structural(left, right, |x, y| x * y), kernel_by_definition(&a, &b));
            prop_assert_eq!(structural(right, left, |x, y| x * y), kernel_by_definition(&a, &b));
        }

        fn soak_generalisation_agrees_with_its_definition(a in any_nested(false), b in any_nested(false)) {
            let terms = column(&[a.term(), b.term()]);
            let (left, right) = (FlatTerm::of(&terms, 0), FlatTerm::of(&terms, 1));
            let mut generaliser = Generaliser::default();
            for (term, nested) in [(left, &a), (right, &b)] {
                let size = generaliser.size(term);
                prop_assert_eq!((size.functors, size.variables), squares(nested.size()));
            }
            let mut met = Vec::new();
            let functors = lgg_by_definition(&a, &b, &mut met);
            let variables: usize = met.iter().map(|pair| met.iter().filter(|other| *other == pair).count()).sum();
            let general = generaliser.general_size(left, right);
            prop_assert_eq!((general.functors, general.variables), (functors, variables as i64));

            // The term returned has that size, and putting back what its variables stand for gives
            // both terms.
            let nodes = generaliser.generalise(left, right);
            let term = general_term(&nodes, &terms.dictionary);
            let again = column(&[term]);
            prop_assert_eq!(generaliser.size(FlatTerm::of(&again, 0)), general);
            for side in [0, 1] {
                let whole = terms.get(side);
                let filled = nodes.iter().flat_map(|node| match node {
                    GeneralNode::Functor { symbol, arity } => vec![Node::Functor {
                        name: terms.dictionary.label(*symbol).to_owned(),
                        arity: *arity,
                    }],
                    GeneralNode::Number(number) => vec![Node::Number(*number)],
                    GeneralNode::Variable { left, right, .. } => {
                        whole.nodes()[if side == 0 { left } else { right }.clone()].to_vec()
                    }
                });
                prop_assert_eq!(Term::new(filled.collect()).unwrap(), whole);
            }
        }

        fn soak_the_distance_by_generalisation_is_symmetric_and_keeps_the_triangle(
            a in any_nested(false), b in any_nested(false), c in any_nested(false),
        ) {
            let terms = column(&[a.term(), b.term(), c.term()]);
            let [a, b, c] = [0, 1, 2].map(|row| FlatTerm::of(&terms, row));
            let mut generaliser = Generaliser::default();
            let mut distance = |x, y| generaliser.distance(x, y);
            prop_assert_eq!(distance(a, b), distance(b, a));
            let zero = TermSize { functors: 0, variables: 0 };
            prop_assert_eq!(distance(a, a), zero);
            prop_assert!(distance(a, b) >= zero);
            let (one, two) = (distance(a, b), distance(b, c));
            let way = TermSize {
                functors: one.functors + two.functors,
                variables: one.variables + two.variables,
            };
            prop_assert!(distance(a, c) <= way);
        }
    }
}
