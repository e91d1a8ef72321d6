//! Facts by predicate, and which of them are examples.
//!
//! Whether `:- p(a).` denies a fact or commands something can be told only when all facts are
//! known, so directives wait until then.

use std::collections::{BTreeMap, HashMap};

use kinwood_values::{Dictionary, Notice, NoticeKind};

use crate::error::{Error, Result};
use crate::prolog_syntax::cells::{Cell, first_symbols, term};
use crate::prolog_syntax::characters::{Encoding, encoding};
use crate::prolog_syntax::clause::{Atom, Clause, Clauses};
use crate::prolog_syntax::cursor::{Spot, excerpt};
use crate::source::Source;

/// What a fact says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Says {
    /// That it holds.
    Fact,
    /// That it holds, as an example.
    Positive,
    /// That it does not hold, as an example.
    Negative,
}

/// Where a clause stands; in the order in which clauses are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    source: u32,
    line: u32,
    column: u32,
}

/// The arguments that the facts of a predicate have at one position.
#[derive(Debug, Default)]
pub(super) struct Arguments {
    cells: Vec<Cell>,
    ends: Vec<usize>,
}

impl Arguments {
    fn push(&mut self, cells: &[Cell]) {
        self.cells.extend_from_slice(cells);
        self.ends.push(self.cells.len());
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The argument of a fact, its symbols before their arguments.
    pub fn get(&self, fact: usize) -> &[Cell] {
        let begin = fact.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.cells[begin..self.ends[fact]]
    }

    /// The arguments in the order of the facts.
    pub fn iter(&self) -> impl Iterator<Item = &[Cell]> {
        (0..self.len()).map(|fact| self.get(fact))
    }
}

/// The facts of one name and number of arguments.
#[derive(Debug)]
pub(super) struct Predicate {
    pub symbol: u32,
    pub arguments: Vec<Arguments>,
    pub places: Vec<Place>,
    pub says: Vec<Says>,
}

impl Predicate {
    fn new(symbol: u32, arity: usize) -> Self {
        Self {
            symbol,
            arguments: (0..arity).map(|_| Arguments::default()).collect(),
            places: Vec::new(),
            says: Vec::new(),
        }
    }

    fn push(&mut self, atom: &Atom, place: Place, says: Says) {
        let mut begin = 0;
        for (arguments, &end) in self.arguments.iter_mut().zip(&atom.ends) {
            arguments.push(&atom.cells[begin..end]);
            begin = end;
        }
        self.places.push(place);
        self.says.push(says);
    }

    /// Whether its facts are examples.
    pub fn is_example(&self) -> bool {
        self.says.iter().any(|says| *says != Says::Fact)
    }

    /// The cells of a fact, to compare it with others.
    pub fn content(&self, fact: usize) -> Vec<(u8, u32, u64)> {
        let cells = self.arguments.iter().flat_map(|of| of.get(fact));
        cells.map(|cell| cell.identity()).collect()
    }

    /// Two facts that say the opposite of each other, if there are any: the later one, then the
    /// earlier one.
    fn contradiction(&self) -> Option<(usize, usize)> {
        if !self.says.contains(&Says::Negative) {
            return None;
        }
        let mut first: HashMap<Vec<(u8, u32, u64)>, usize> = HashMap::new();
        (0..self.says.len()).find_map(|fact| {
            let earlier = *first.entry(self.content(fact)).or_insert(fact);
            let negative = |fact: usize| self.says[fact] == Says::Negative;
            (negative(earlier) != negative(fact)).then_some((fact, earlier))
        })
    }

    /// Brings the facts into the order in which they stand in their files.
    fn sort(&mut self) {
        if self.places.is_sorted() {
            return;
        }
        let mut order: Vec<usize> = (0..self.places.len()).collect();
        order.sort_by_key(|&fact| self.places[fact]);
        for arguments in &mut self.arguments {
            let mut sorted = Arguments::default();
            order
                .iter()
                .for_each(|&fact| sorted.push(arguments.get(fact)));
            *arguments = sorted;
        }
        self.places = order.iter().map(|&fact| self.places[fact]).collect();
        self.says = order.iter().map(|&fact| self.says[fact]).collect();
    }
}

/// How many clauses of a kind were passed over, and the first of them.
struct Skipped {
    count: usize,
    first: Place,
}

/// All facts of some sources.
pub(super) struct Facts<'a> {
    sources: &'a [Source],
    pub symbols: Dictionary,
    /// In order of their first facts.
    pub predicates: Vec<Predicate>,
    positions: HashMap<(u32, usize), usize>,
    directives: Vec<(Atom, Place, String)>,
    skipped_directives: BTreeMap<String, Skipped>,
    skipped_rules: Option<Skipped>,
    skipped_propositions: Option<Skipped>,
    pub notices: Vec<Notice>,
}

impl<'a> Facts<'a> {
    /// Reads all clauses. `examples` is a predicate, by name and arity, that may have nothing but
    /// denials.
    pub fn read(sources: &'a [Source], examples: Option<(&str, usize)>) -> Result<Self> {
        let mut facts = Self {
            sources,
            symbols: first_symbols(),
            predicates: Vec::new(),
            positions: HashMap::new(),
            directives: Vec::new(),
            skipped_directives: BTreeMap::new(),
            skipped_rules: None,
            skipped_propositions: None,
            notices: Vec::new(),
        };
        for number in 0..sources.len() {
            facts.read_source(number)?;
        }
        if let Some((name, arity)) = examples {
            let symbol = facts.symbols.intern(name);
            facts.register(symbol, arity);
        }
        facts.settle_directives();
        for position in 0..facts.predicates.len() {
            facts.predicates[position].sort();
            if let Some((later, earlier)) = facts.predicates[position].contradiction() {
                return Err(facts.contradicted(position, later, earlier));
            }
        }
        facts.tell();
        Ok(facts)
    }

    fn read_source(&mut self, number: usize) -> Result<()> {
        let source = &self.sources[number];
        let encoding = encoding(source)?;
        if encoding == Encoding::Latin1 {
            self.notices.push(Notice::about(
                NoticeKind::File,
                format!("`{}` is not UTF-8 and was read as Latin-1", source.name()),
            ));
        }
        let says = match ending(source.name()) {
            Some("f") => Says::Positive,
            Some("n") => Says::Negative,
            _ => Says::Fact,
        };
        let mut symbols = std::mem::take(&mut self.symbols);
        let mut clauses = Clauses::new(source, encoding, &mut symbols)?;
        while let Some((spot, clause)) = clauses.next()? {
            let place = place(number, spot);
            match clause {
                Clause::Fact(atom) if atom.ends.is_empty() => {
                    skip(&mut self.skipped_propositions, place);
                }
                Clause::Fact(atom) => self.add(&atom, place, says),
                Clause::Rule => skip(&mut self.skipped_rules, place),
                Clause::Directive {
                    body: Some(body), ..
                } if says != Says::Fact && !body.ends.is_empty() => {
                    self.add(&body, place, Says::Negative);
                }
                Clause::Directive { kind, body } => match body {
                    Some(body) if !body.ends.is_empty() => {
                        self.directives.push((body, place, kind));
                    }
                    _ => self.skip_directive(kind, place),
                },
            }
        }
        self.symbols = symbols;
        Ok(())
    }

    pub fn add(&mut self, atom: &Atom, place: Place, says: Says) {
        let position = self.register(atom.symbol, atom.ends.len());
        self.predicates[position].push(atom, place, says);
    }

    /// Where the predicate stands, which may be new.
    fn register(&mut self, symbol: u32, arity: usize) -> usize {
        let next = self.predicates.len();
        let position = *self.positions.entry((symbol, arity)).or_insert(next);
        if position == next {
            self.predicates.push(Predicate::new(symbol, arity));
        }
        position
    }

    /// Where the predicate stands that has facts.
    pub fn position(&self, predicate: (u32, usize)) -> Option<usize> {
        let position = *self.positions.get(&predicate)?;
        (!self.predicates[position].places.is_empty()).then_some(position)
    }

    fn skip_directive(&mut self, kind: String, place: Place) {
        let skipped = self.skipped_directives.entry(kind);
        skipped
            .and_modify(|skipped| skipped.count += 1)
            .or_insert(Skipped {
                count: 1,
                first: place,
            });
    }

    /// A directive that is a fact's predicate applied to arguments denies that fact; others are
    /// passed over.
    fn settle_directives(&mut self) {
        let mut denied: BTreeMap<usize, usize> = BTreeMap::new();
        for (atom, place, kind) in std::mem::take(&mut self.directives) {
            let predicate = (atom.symbol, atom.ends.len());
            match self.positions.get(&predicate) {
                Some(&position) => {
                    *denied.entry(position).or_default() += 1;
                    self.predicates[position].push(&atom, place, Says::Negative);
                }
                None => self.skip_directive(kind, place),
            }
        }
        for (position, count) in denied {
            let name = self.symbols.label(self.predicates[position].symbol);
            let clauses = match count {
                1 => format!("1 clause `:- {name}(…).` is read as a negative example"),
                _ => format!("{count} clauses `:- {name}(…).` are read as negative examples"),
            };
            self.notices.push(Notice::new(clauses));
        }
    }

    fn contradicted(&self, position: usize, later: usize, earlier: usize) -> Error {
        let predicate = &self.predicates[position];
        let says = |fact: usize| match predicate.says[fact] {
            Says::Negative => "negative",
            Says::Positive | Says::Fact => "positive",
        };
        let fact = self.show(predicate, later);
        self.error(
            predicate.places[later],
            format!("one label for the example `{fact}`"),
            format!(
                "that it is {} here and {} at {}",
                says(later),
                says(earlier),
                self.location(predicate.places[earlier])
            ),
        )
    }

    /// The fact in words.
    pub fn show(&self, predicate: &Predicate, fact: usize) -> String {
        let arity = predicate.arguments.len() as u32;
        let symbol = predicate.symbol;
        let mut cells = vec![Cell::Functor { symbol, arity }];
        cells.extend(predicate.arguments.iter().flat_map(|of| of.get(fact)));
        self.show_cells(&cells)
    }

    /// A term in words.
    pub fn show_cells(&self, cells: &[Cell]) -> String {
        let term = term(cells, &self.symbols);
        term.map_or_else(|error| error.to_string(), |term| excerpt(&term.to_string()))
    }

    /// The error that something else was expected in the clause at the place.
    pub fn error(&self, place: Place, expected: String, found: String) -> Error {
        Error::Syntax {
            file: self.sources[place.source as usize].name().to_owned(),
            line: place.line.into(),
            column: place.column.into(),
            expected,
            found,
            nearest: None,
        }
    }

    pub fn location(&self, place: Place) -> String {
        let file = self.sources[place.source as usize].name();
        format!("{file}:{}:{}", place.line, place.column)
    }

    /// Tells what was passed over.
    fn tell(&mut self) {
        let clauses = |count: usize, one: &str, many: &str| match count {
            1 => format!("1 {one} is skipped"),
            _ => format!("{count} {many} are skipped"),
        };
        let mut told = Vec::new();
        for (kind, skipped) in &self.skipped_directives {
            let kind = excerpt(kind);
            let one = format!("directive `:- {kind}`");
            let many = format!("directives `:- {kind}`");
            told.push((clauses(skipped.count, &one, &many), skipped.first));
        }
        if let Some(rules) = &self.skipped_rules {
            let rules_skipped = clauses(rules.count, "rule", "rules");
            told.push((
                format!("{rules_skipped}, for only facts are read"),
                rules.first,
            ));
        }
        if let Some(without) = &self.skipped_propositions {
            let one = "fact without arguments";
            let many = "facts without arguments";
            told.push((clauses(without.count, one, many), without.first));
        }
        for (what, first) in told {
            let first = self.location(first);
            self.notices
                .push(Notice::new(format!("{what} (first: {first})")));
        }
    }
}

fn place(source: usize, spot: Spot) -> Place {
    let narrow = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    Place {
        source: narrow(source as u64),
        line: narrow(spot.line),
        column: narrow(spot.column),
    }
}

fn skip(skipped: &mut Option<Skipped>, place: Place) {
    skipped
        .get_or_insert(Skipped {
            count: 0,
            first: place,
        })
        .count += 1;
}

/// What a file's name ends with, compressed or not.
pub(super) fn ending(name: &str) -> Option<&str> {
    let name = name.strip_suffix(".gz").unwrap_or(name);
    name.rsplit_once('.').map(|(_, ending)| ending)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notices(files: &[(&str, &str)]) -> Result<Vec<String>> {
        let sources: Vec<Source> = files
            .iter()
            .map(|(name, text)| Source::from_bytes(*name, text.as_bytes()))
            .collect();
        let facts = Facts::read(&sources, None)?;
        Ok(facts.notices.iter().map(Notice::to_string).collect())
    }

    #[test]
    fn what_is_skipped_is_told_once() {
        let text =
            ":- dynamic p/1.\n:- dynamic q/1.\n:- mode(p(+)).\np(a).\nq.\np(X) :- r(X).\nr:-s.\n";
        assert_eq!(
            notices(&[("a.pl", text), ("b.pl", "q. q. t :- u.")]).unwrap(),
            [
                "2 directives `:- dynamic` are skipped (first: a.pl:1:1)",
                "1 directive `:- mode` is skipped (first: a.pl:3:1)",
                "3 rules are skipped, for only facts are read (first: a.pl:6:1)",
                "3 facts without arguments are skipped (first: a.pl:5:1)",
            ]
        );
        assert_eq!(
            notices(&[("a.pl", "p(é).\n"), ("b.pl", ":- p(b).\n")]).unwrap(),
            ["1 clause `:- p(…).` is read as a negative example"]
        );
    }

    #[test]
    fn one_example_has_one_label() {
        for (files, expected) in [
            (
                vec![("a.pl", "p(a).\n:- p([1,-0.0]). p([1,0]).")],
                "a.pl:2:17: expected one label for the example `p([1,0])`, found that it is positive here and negative at a.pl:2:1",
            ),
            (
                vec![("x.f", "p(a).\np(a)."), ("x.n", "p(b).\n p(a).")],
                "x.n:2:2: expected one label for the example `p(a)`, found that it is negative here and positive at x.f:1:1",
            ),
            (
                vec![("x.n", "p(b)."), ("y.b", "p(b).")],
                "y.b:1:1: expected one label for the example `p(b)`, found that it is positive here and negative at x.n:1:1",
            ),
        ] {
            assert_eq!(notices(&files).unwrap_err().to_string(), expected);
        }
        assert!(notices(&[("x.f", "p(a). p(a)."), ("x.n", "p(b). :- p(b). p(b).")]).is_ok());
    }

    #[test]
    fn names_end_in_what_they_hold() {
        assert_eq!(ending("a/b.c/ne.f"), Some("f"));
        assert_eq!(ending("ne.n.gz"), Some("n"));
        assert_eq!(ending("standard input"), None);
    }
}
