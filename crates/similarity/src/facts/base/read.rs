//! Columns of facts read into one base: IDs found, symbols numbered, objects of which the same is
//! said made one.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

use kinwood_values::column::{Members, TermNode, Terms};
use kinwood_values::{Cells, Column};

use super::{Argument, Base, DEEPEST, Grouped, Refused, compiled};
use crate::facts::plan::{Plan, Survey};

/// A part of a term, in words that are the same in all columns.
type Key = Vec<u64>;

/// Reads columns of facts into one base.
pub(crate) struct Builder<'a> {
    plan: &'a Plan,
    /// Whether names are kept, and with them objects of which the same is said apart.
    named: bool,
    names: HashMap<String, u32>,
    predicates: HashMap<(u32, u32), Option<u32>>,
    order: BTreeMap<&'a str, u32>,
    symbols: Numbering<Key>,
    symbol_texts: Vec<String>,
    called: Vec<String>,
    /// The facts as read: the object described, the predicate, where the arguments begin.
    facts: Vec<(u32, u32, u32)>,
    arguments: Vec<Argument>,
    objects: u32,
}

struct Numbering<K>(HashMap<K, u32>);

impl<K: Hash + Eq> Numbering<K> {
    fn of(&mut self, key: K) -> (u32, bool) {
        let next = self.0.len() as u32;
        let known = *self.0.entry(key).or_insert(next);
        (known, known == next)
    }
}

/// The facts of one value: where the nodes of each argument lie, the ID first.
struct Fact {
    root: usize,
    arguments: Vec<(usize, usize)>,
}

/// A column of facts, its symbols in the numbering of all.
struct Source<'a> {
    members: &'a Members,
    terms: &'a Terms,
    symbols: Vec<u32>,
}

impl Source<'_> {
    fn key(&self, (from, to): (usize, usize)) -> Key {
        let mut key = Vec::with_capacity(to - from);
        for node in from..to {
            match self.terms.kinds[node] {
                TermNode::Number => {
                    key.push(1 << 62);
                    key.push((self.terms.numbers[node] + 0.0).to_bits());
                }
                kind => {
                    let symbol = self.symbols[self.terms.symbols[node] as usize];
                    let tag = u64::from(kind == TermNode::Variable) << 63;
                    key.push(tag | u64::from(self.terms.arities[node]) << 32 | u64::from(symbol));
                }
            }
        }
        key
    }

    /// The facts of a value. Each describes something by its first argument.
    fn facts(&self, row: usize) -> Result<Vec<Fact>, Refused> {
        let mut facts = Vec::new();
        for fact in self.members.range(row) {
            let nodes = self.terms.offsets.range(fact);
            let (root, arity) = (nodes.start, self.terms.arities[nodes.start]);
            if self.terms.kinds[root] != TermNode::Functor || arity == 0 {
                let what = "a term that is no fact: a fact is a predicate whose first argument is the ID that it describes";
                return Err(Refused { row, what });
            }
            let mut arguments = Vec::with_capacity(arity as usize);
            let mut node = root + 1;
            for _ in 0..arity {
                let start = node;
                let mut open = 1u64;
                while open > 0 {
                    open += u64::from(self.terms.arities[node]);
                    open -= 1;
                    node += 1;
                }
                arguments.push((start, node));
            }
            facts.push(Fact { root, arguments });
        }
        Ok(facts)
    }

    fn text(&self, (from, to): (usize, usize)) -> String {
        let one = |node: usize| match self.terms.kinds[node] {
            TermNode::Number => self.terms.numbers[node].to_string(),
            _ => self
                .terms
                .dictionary
                .label(self.terms.symbols[node])
                .to_owned(),
        };
        match to - from {
            1 => one(from),
            _ => {
                let nodes =
                    kinwood_values::Term::new((from..to).map(|node| self.node(node)).collect());
                nodes.map_or_else(|_| one(from), |term| term.to_string())
            }
        }
    }

    fn node(&self, node: usize) -> kinwood_values::term::Node {
        use kinwood_values::term::Node;
        let name = || {
            self.terms
                .dictionary
                .label(self.terms.symbols[node])
                .to_owned()
        };
        match self.terms.kinds[node] {
            TermNode::Number => Node::Number(self.terms.numbers[node]),
            TermNode::Variable => Node::Variable(name()),
            TermNode::Functor => Node::Functor {
                name: name(),
                arity: self.terms.arities[node],
            },
        }
    }
}

/// The IDs of a value by what they are, and the main one.
struct Ids {
    places: HashMap<Key, u32>,
    main: Option<u32>,
}

/// The IDs of the facts of a value: `main` is the key of the name that main IDs have by custom.
fn ids(source: &Source<'_>, facts: &[Fact], main: &Key, row: usize) -> Result<Ids, Refused> {
    let mut places = HashMap::new();
    for fact in facts {
        let next = places.len() as u32;
        places.entry(source.key(fact.arguments[0])).or_insert(next);
    }
    let main = match places.get(main) {
        Some(&main) => Some(main),
        None if facts.is_empty() => None,
        None => {
            let mut outer = vec![true; places.len()];
            for fact in facts {
                let id = source.key(fact.arguments[0]);
                for &argument in &fact.arguments[1..] {
                    let key = source.key(argument);
                    if let Some(&place) = places.get(&key)
                        && key != id
                    {
                        outer[place as usize] = false;
                    }
                }
            }
            let mut outer = (0..).zip(outer).filter(|(_, outer)| *outer);
            match (outer.next(), outer.next()) {
                (Some((main, _)), None) => Some(main),
                _ => {
                    let what = "facts of which no ID is the main one: name it `self`, or let every other ID be an argument of some fact";
                    return Err(Refused { row, what });
                }
            }
        }
    };
    Ok(Ids { places, main })
}

impl<'a> Builder<'a> {
    /// Reads by a plan.
    pub(crate) fn new(plan: &'a Plan) -> Self {
        let order = plan
            .predicates
            .keys()
            .map(String::as_str)
            .zip(0..)
            .collect();
        Self {
            plan,
            named: false,
            names: HashMap::new(),
            predicates: HashMap::new(),
            order,
            symbols: Numbering(HashMap::new()),
            symbol_texts: Vec::new(),
            called: Vec::new(),
            facts: Vec::new(),
            arguments: Vec::new(),
            objects: 0,
        }
    }

    fn name(&mut self, name: &str) -> u32 {
        let next = self.names.len() as u32;
        *self.names.entry(name.to_owned()).or_insert(next)
    }

    fn source<'c>(&mut self, column: &'c Column) -> Option<Source<'c>> {
        let Cells::Collection { members, .. } = column.cells() else {
            return None;
        };
        let Cells::Term(terms) = members.child.cells() else {
            return None;
        };
        let symbols = terms
            .dictionary
            .labels()
            .map(|label| self.name(label))
            .collect();
        Some(Source {
            members,
            terms,
            symbols,
        })
    }

    fn main_key(&mut self) -> Key {
        vec![u64::from(self.name(crate::facts::MAIN))]
    }

    /// Reads the objects of a column of facts; gives them by row.
    pub(crate) fn read(&mut self, column: &Column) -> Result<Vec<u32>, Refused> {
        let main = self.main_key();
        let Some(source) = self.source(column) else {
            let what = "something else than sets of facts";
            return Err(Refused { row: 0, what });
        };
        let mut mains = Vec::with_capacity(column.len());
        for row in 0..column.len() {
            let facts = source.facts(row)?;
            let ids = ids(&source, &facts, &main, row)?;
            let first = self.objects;
            self.objects += ids.places.len() as u32;
            if self.named {
                let mut called = vec![String::new(); ids.places.len()];
                for fact in &facts {
                    let place = ids.places[&source.key(fact.arguments[0])];
                    called[place as usize] = source.text(fact.arguments[0]);
                }
                self.called.append(&mut called);
            }
            mains.push(match ids.main {
                Some(main) => first + main,
                None => {
                    self.objects += 1;
                    self.called.push(String::new());
                    self.objects - 1
                }
            });
            for fact in &facts {
                let arity = fact.arguments.len() as u32;
                let symbol = source.symbols[source.terms.symbols[fact.root] as usize];
                let Some(predicate) = self.known(symbol, arity, &source, fact.root) else {
                    continue;
                };
                let id = first + ids.places[&source.key(fact.arguments[0])];
                self.facts
                    .push((id, predicate, self.arguments.len() as u32));
                for &nodes in &fact.arguments[1..] {
                    let argument = self.argument(&source, nodes, &ids, first);
                    self.arguments.push(argument);
                }
            }
        }
        Ok(mains)
    }

    /// A predicate's place in the plan; what the plan does not know says nothing.
    fn known(&mut self, symbol: u32, arity: u32, source: &Source<'_>, root: usize) -> Option<u32> {
        let order = &self.order;
        *self.predicates.entry((symbol, arity)).or_insert_with(|| {
            let name = source.terms.dictionary.label(source.terms.symbols[root]);
            order.get(format!("{name}/{arity}").as_str()).copied()
        })
    }

    fn argument(
        &mut self,
        source: &Source<'_>,
        nodes: (usize, usize),
        ids: &Ids,
        first: u32,
    ) -> Argument {
        if nodes.1 - nodes.0 == 1 && source.terms.kinds[nodes.0] == TermNode::Number {
            return Argument::Number(source.terms.numbers[nodes.0]);
        }
        let key = source.key(nodes);
        if let Some(place) = ids.places.get(&key) {
            return Argument::Object(first + place);
        }
        let (symbol, new) = self.symbols.of(key);
        if new {
            let text = match self.named {
                true => source.text(nodes),
                false => String::new(),
            };
            self.symbol_texts.push(text);
        }
        Argument::Symbol(symbol)
    }

    /// The base, and by object as read the object that it is.
    pub(crate) fn finish(mut self, mains: &[u32]) -> (Base, Vec<u32>) {
        let count = self.objects as usize;
        let widths: Vec<usize> = self.plan.predicates.values().map(Vec::len).collect();
        self.facts
            .sort_by_key(|&(object, predicate, _)| (object, predicate));
        let mut starts = vec![0usize; count + 1];
        for &(object, ..) in &self.facts {
            starts[object as usize + 1] += 1;
        }
        (0..count).for_each(|object| starts[object + 1] += starts[object]);
        let spoken = |object: usize| {
            let facts = self.facts[starts[object]..starts[object + 1]].iter();
            facts.flat_map(|&(_, predicate, start)| {
                let start = start as usize;
                let arguments = &self.arguments[start..start + widths[predicate as usize]];
                arguments.iter().filter_map(|argument| match argument {
                    Argument::Object(object) => Some(*object),
                    _ => None,
                })
            })
        };
        // Objects all of whose arguments are settled, until none is left: what remains speaks of
        // itself.
        let mut waiting = vec![0u32; count];
        let mut spoken_by: Vec<Vec<u32>> = vec![Vec::new(); count];
        for (object, waiting) in waiting.iter_mut().enumerate() {
            for other in spoken(object) {
                *waiting += 1;
                spoken_by[other as usize].push(object as u32);
            }
        }
        let mut settled: Vec<u32> = (0..count as u32)
            .filter(|&object| waiting[object as usize] == 0)
            .collect();
        let mut heights = vec![0u32; count];
        let mut next = 0;
        while let Some(&object) = settled.get(next) {
            next += 1;
            for &by in &spoken_by[object as usize] {
                let height = heights[object as usize] + 1;
                heights[by as usize] = heights[by as usize].max(height);
                waiting[by as usize] -= 1;
                if waiting[by as usize] == 0 {
                    settled.push(by);
                }
            }
        }
        let looping: Vec<u32> = (0..count as u32)
            .filter(|&object| waiting[object as usize] > 0)
            .collect();
        let mut becomes = vec![u32::MAX; count];
        let mut taken: Vec<u32> = Vec::new();
        for &object in &looping {
            becomes[object as usize] = taken.len() as u32;
            taken.push(object);
        }
        let mut known: HashMap<Vec<u64>, u32> = HashMap::new();
        for &object in &settled {
            let mut said: Vec<Vec<u64>> = self.facts
                [starts[object as usize]..starts[object as usize + 1]]
                .iter()
                .map(|&(_, predicate, start)| {
                    let start = start as usize;
                    let arguments = &self.arguments[start..start + widths[predicate as usize]];
                    let mut words = vec![u64::from(predicate)];
                    for argument in arguments {
                        words.extend(renamed(*argument, &becomes).words());
                    }
                    words
                })
                .collect();
            said.sort_unstable();
            let next = taken.len() as u32;
            let key = match self.named {
                true => vec![u64::from(object)],
                false => said.concat(),
            };
            let place = *known.entry(key).or_insert(next);
            becomes[object as usize] = place;
            if place == next {
                taken.push(object);
            }
        }
        let mut base = self.grouped(&starts, &taken, &becomes, &widths);
        for &object in &looping {
            base.is_loop[becomes[object as usize] as usize] = true;
            base.is_circle[becomes[object as usize] as usize] = true;
        }
        for (object, &height) in heights.iter().enumerate() {
            base.is_loop[becomes[object] as usize] |= height > DEEPEST;
        }
        base.reach(mains.iter().map(|&main| becomes[main as usize]));
        (base, becomes)
    }

    /// The facts of the objects taken, by predicate.
    fn grouped(self, starts: &[usize], taken: &[u32], becomes: &[u32], widths: &[usize]) -> Base {
        let mut base = compiled(self.plan);
        base.is_loop = vec![false; taken.len()];
        base.is_circle = vec![false; taken.len()];
        base.inner_places = vec![u32::MAX; taken.len()];
        base.starts.push(0);
        for &object in taken {
            let object = object as usize;
            for &(_, predicate, start) in &self.facts[starts[object]..starts[object + 1]] {
                let first = *base.starts.last().expect("one was pushed") as usize;
                match base.groups[first..].last_mut() {
                    Some(last) if last.predicate == predicate => last.facts += 1,
                    _ => base.groups.push(Grouped {
                        predicate,
                        start: base.arguments.len() as u32,
                        facts: 1,
                    }),
                }
                let start = start as usize;
                for argument in &self.arguments[start..start + widths[predicate as usize]] {
                    let argument = renamed(*argument, becomes);
                    if let Argument::Object(inner) = argument {
                        let place = &mut base.inner_places[inner as usize];
                        if *place == u32::MAX {
                            *place = base.inner as u32;
                            base.inner += 1;
                        }
                    }
                    base.arguments.push(argument);
                }
            }
            base.starts.push(base.groups.len() as u32);
        }
        if self.named {
            base.called = taken
                .iter()
                .map(|&object| self.called[object as usize].clone())
                .collect();
            base.symbols = self.symbol_texts;
        }
        base
    }
}

fn renamed(argument: Argument, becomes: &[u32]) -> Argument {
    match argument {
        Argument::Object(object) => Argument::Object(becomes[object as usize]),
        other => other,
    }
}

/// The objects of two columns in one base, and which of it they are, by row.
pub(crate) fn both(
    plan: &Plan,
    columns: (&Column, &Column),
    named: bool,
) -> Result<(Base, Vec<u32>, Vec<u32>), Refused> {
    let mut builder = Builder::new(plan);
    builder.named = named;
    let mut mains = builder.read(columns.0)?;
    let first = mains.len();
    mains.extend(builder.read(columns.1)?);
    let (base, becomes) = builder.finish(&mains);
    for main in &mut mains {
        *main = becomes[*main as usize];
    }
    let second = mains.split_off(first);
    Ok((base, mains, second))
}

/// What the facts of columns have to say of how objects are compared.
pub(crate) fn survey(columns: &[&Column]) -> Result<Plan, Refused> {
    let mut survey = Survey::default();
    for column in columns {
        survey_column(column, &mut survey)?;
    }
    Ok(survey.plan())
}

fn survey_column(column: &Column, survey: &mut Survey) -> Result<(), Refused> {
    let nothing = Plan::default();
    let mut builder = Builder::new(&nothing);
    let main = builder.main_key();
    let Some(source) = builder.source(column) else {
        let what = "something else than sets of facts";
        return Err(Refused { row: 0, what });
    };
    for row in 0..column.len() {
        let facts = source.facts(row)?;
        let ids = ids(&source, &facts, &main, row)?;
        let mut described: Vec<Vec<String>> = vec![Vec::new(); ids.places.len()];
        let mut names = Vec::with_capacity(facts.len());
        for fact in &facts {
            let label = source
                .terms
                .dictionary
                .label(source.terms.symbols[fact.root]);
            let name = format!("{label}/{}", fact.arguments.len());
            let place = ids.places[&source.key(fact.arguments[0])];
            survey.predicate(&name, fact.arguments.len() - 1);
            if ids.main == Some(place) {
                survey.main(&name);
            }
            let by = &mut described[place as usize];
            match by.contains(&name) {
                true => survey.several(&name),
                false => by.push(name.clone()),
            }
            names.push(name);
        }
        for (fact, name) in facts.iter().zip(&names) {
            let arguments = fact.arguments.len() - 1;
            for (rank, &nodes) in fact.arguments[1..].iter().enumerate() {
                if nodes.1 - nodes.0 == 1 && source.terms.kinds[nodes.0] == TermNode::Number {
                    survey.number(name, arguments, rank, source.terms.numbers[nodes.0]);
                } else if let Some(&place) = ids.places.get(&source.key(nodes)) {
                    for by in &described[place as usize] {
                        survey.object(name, arguments, rank, by);
                    }
                }
            }
        }
    }
    Ok(())
}
