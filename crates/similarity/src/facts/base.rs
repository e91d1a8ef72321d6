//! Facts made ready for comparison: IDs are objects by number, with their facts by predicate.

mod read;

use std::collections::BTreeMap;

pub(crate) use read::{both, survey};

use super::plan::{Plan, Rank};

/// Objects that refer to one another more deeply than this are solved like circles, so that no
/// depth exhausts the stack.
const DEEPEST: u32 = 200;

/// An argument behind the ID of a fact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Argument {
    /// A number.
    Number(f64),
    /// A constant, or a term that no fact describes, by number.
    Symbol(u32),
    /// An object that facts describe.
    Object(u32),
}

impl Argument {
    fn words(self) -> [u64; 2] {
        match self {
            Argument::Number(number) => [0, (number + 0.0).to_bits()],
            Argument::Symbol(symbol) => [1, u64::from(symbol)],
            Argument::Object(object) => [2, u64::from(object)],
        }
    }
}

/// A value that is no object described by facts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Refused {
    /// Which row of its column.
    pub(crate) row: usize,
    /// What is wrong.
    pub(crate) what: &'static str,
}

/// The facts of one predicate about one object.
#[derive(Clone, Copy)]
pub(crate) struct Group<'a> {
    /// How many.
    pub(crate) facts: usize,
    width: usize,
    start: usize,
    arguments: &'a [Argument],
}

impl Group<'_> {
    /// An argument of a fact, the first behind the ID being 0.
    #[inline]
    pub(crate) fn argument(&self, fact: usize, rank: usize) -> Argument {
        self.arguments[fact * self.width + rank]
    }

    /// The place of that argument among those of all facts.
    pub(crate) fn place(&self, fact: usize, rank: usize) -> usize {
        self.start + fact * self.width + rank
    }
}

/// Objects and their facts.
pub(crate) struct Base {
    /// Sets of predicates that describe IDs found in one place, and the place of that of the main
    /// IDs.
    kinds: Vec<Vec<u32>>,
    main: u32,
    /// By predicate.
    ranks: Vec<Vec<Rank>>,
    names: Vec<String>,
    single: Vec<bool>,
    /// By object, where its groups begin; one more than there are objects.
    starts: Vec<u32>,
    groups: Vec<Grouped>,
    arguments: Vec<Argument>,
    /// By object, where the objects that it reaches lie, for those that are compared.
    reaches: Vec<(u32, u32)>,
    reached: Vec<u32>,
    /// By object, its place among those that stand as arguments.
    inner_places: Vec<u32>,
    inner: usize,
    is_loop: Vec<bool>,
    is_circle: Vec<bool>,
    /// By object and by symbol, what they are called; empty unless they were to be kept.
    called: Vec<String>,
    symbols: Vec<String>,
}

struct Grouped {
    predicate: u32,
    start: u32,
    facts: u32,
}

impl Base {
    /// How many objects there are.
    pub(crate) fn objects(&self) -> usize {
        self.is_loop.len()
    }

    /// The sets of predicates that describe IDs found in one place.
    pub(crate) fn kinds(&self) -> &[Vec<u32>] {
        &self.kinds
    }

    /// The kind of the main IDs.
    pub(crate) fn main(&self) -> u32 {
        self.main
    }

    /// How a predicate's arguments are compared.
    pub(crate) fn ranks(&self, predicate: u32) -> &[Rank] {
        &self.ranks[predicate as usize]
    }

    /// Whether no ID has more than one fact of a predicate in training.
    pub(crate) fn single(&self, predicate: u32) -> bool {
        self.single[predicate as usize]
    }

    /// A predicate's name and number of arguments.
    pub(crate) fn predicate(&self, predicate: u32) -> &str {
        &self.names[predicate as usize]
    }

    /// The facts of a predicate about an object.
    #[inline]
    pub(crate) fn group(&self, object: u32, predicate: u32) -> Group<'_> {
        let (from, to) = (
            self.starts[object as usize] as usize,
            self.starts[object as usize + 1] as usize,
        );
        let width = self.ranks[predicate as usize].len();
        for group in &self.groups[from..to] {
            if group.predicate == predicate {
                let start = group.start as usize;
                return Group {
                    facts: group.facts as usize,
                    width,
                    start,
                    arguments: &self.arguments[start..start + group.facts as usize * width],
                };
            }
        }
        Group {
            facts: 0,
            width,
            start: 0,
            arguments: &[],
        }
    }

    /// The predicates.
    pub(crate) fn predicates(&self) -> std::ops::Range<u32> {
        0..self.ranks.len() as u32
    }

    /// The numbers among all arguments, by their places.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = Option<f64>> + '_ {
        self.arguments.iter().map(|argument| match argument {
            Argument::Number(number) => Some(*number),
            _ => None,
        })
    }

    /// The objects that an object's facts speak of, itself included.
    pub(crate) fn reached(&self, object: u32) -> &[u32] {
        let (from, to) = self.reaches[object as usize];
        &self.reached[from as usize..to as usize]
    }

    /// How many objects stand as arguments.
    pub(crate) fn inner(&self) -> usize {
        self.inner
    }

    #[inline]
    pub(crate) fn inner_place(&self, object: u32) -> usize {
        self.inner_places[object as usize] as usize
    }

    /// Whether an object reaches itself, or reaches more deeply than the stack should follow.
    pub(crate) fn is_loop(&self, object: u32) -> bool {
        self.is_loop[object as usize]
    }

    /// Whether an object reaches itself, or one that does.
    pub(crate) fn is_circle(&self, object: u32) -> bool {
        self.is_circle[object as usize]
    }

    /// Whether any object is solved like a circle.
    pub(crate) fn loops(&self) -> bool {
        self.is_loop.contains(&true)
    }

    /// What an argument is called, if names were kept.
    pub(crate) fn text(&self, argument: Argument) -> String {
        match argument {
            Argument::Number(number) => number.to_string(),
            Argument::Symbol(symbol) => self.symbols[symbol as usize].clone(),
            Argument::Object(object) => self.called[object as usize].clone(),
        }
    }
}

/// A base without objects.
fn compiled(plan: &Plan) -> Base {
    let order: BTreeMap<&str, u32> = plan
        .predicates
        .keys()
        .map(String::as_str)
        .zip(0..)
        .collect();
    let leads: Vec<bool> = plan
        .predicates
        .values()
        .map(|columns| columns.iter().any(|column| !column.described_by.is_empty()))
        .collect();
    let mut kinds: Vec<Vec<u32>> = Vec::new();
    let mut kind = |names: &mut dyn Iterator<Item = &String>| {
        let mut predicates: Vec<u32> = names
            .filter_map(|name| order.get(name.as_str()).copied())
            .collect();
        // Those that lead to no other object are the cheapest, and often rule a pair out.
        predicates.sort_by_key(|&predicate| leads[predicate as usize]);
        let known = kinds.iter().position(|other| *other == predicates);
        known.unwrap_or_else(|| {
            kinds.push(predicates);
            kinds.len() - 1
        }) as u32
    };
    let main = kind(&mut plan.main.iter());
    let mut ranks = Vec::with_capacity(plan.predicates.len());
    for columns in plan.predicates.values() {
        let rank = |column: &super::plan::Column| {
            let described = !column.described_by.is_empty();
            let kind = described.then(|| kind(&mut column.described_by.iter()));
            Rank::new(column.largest, kind)
        };
        ranks.push(columns.iter().map(rank).collect());
    }
    Base {
        kinds,
        main,
        ranks,
        names: plan.predicates.keys().cloned().collect(),
        single: plan
            .predicates
            .keys()
            .map(|name| plan.single.contains(name))
            .collect(),
        starts: Vec::new(),
        groups: Vec::new(),
        arguments: Vec::new(),
        reaches: Vec::new(),
        reached: Vec::new(),
        inner_places: Vec::new(),
        inner: 0,
        is_loop: Vec::new(),
        is_circle: Vec::new(),
        called: Vec::new(),
        symbols: Vec::new(),
    }
}

impl Base {
    /// Finds what each of these objects reaches.
    fn reach(&mut self, mains: impl Iterator<Item = u32>) {
        self.reaches = vec![(0, 0); self.objects()];
        let mut seen = vec![u32::MAX; self.objects()];
        for main in mains {
            if self.reaches[main as usize] != (0, 0) {
                continue;
            }
            let from = self.reached.len();
            self.reached.push(main);
            seen[main as usize] = main;
            let mut next = from;
            while next < self.reached.len() {
                let object = self.reached[next] as usize;
                next += 1;
                let groups = self.starts[object] as usize..self.starts[object + 1] as usize;
                for group in groups {
                    let Grouped {
                        predicate,
                        start,
                        facts,
                    } = self.groups[group];
                    let width = self.ranks[predicate as usize].len();
                    let start = start as usize;
                    for place in start..start + facts as usize * width {
                        if let Argument::Object(other) = self.arguments[place]
                            && seen[other as usize] != main
                        {
                            seen[other as usize] = main;
                            self.reached.push(other);
                        }
                    }
                }
            }
            self.reaches[main as usize] = (from as u32, self.reached.len() as u32);
        }
    }
}
