//! Profiles bound to profiles: the coefficient of each pair, or one less it.

use std::cell::{OnceCell, RefCell};
use std::ops::Range;
use std::sync::OnceLock;

use super::lists::{Lists, Stopped};
use super::words::Words;
use super::{Profile, Profiles};
use crate::coefficient::Coefficient;
use crate::gram::Gram;
use crate::laws::Laws;
use crate::pairs::{Pairs, Row};

/// Profiles bound to profiles.
pub(crate) struct Matched {
    coefficient: Coefficient,
    queries: Profiles,
    references: Profiles,
    lists: OnceLock<Lists>,
    words: OnceLock<Option<Words>>,
}

/// References from which on they are compared together rather than each by itself.
const TOGETHER: usize = 32;

/// What adding one entry of a list costs, in words of a bitmap, as measured.
const ENTRY: usize = 3;

impl Matched {
    fn new(coefficient: Coefficient, queries: Profiles, references: Profiles) -> Self {
        Self {
            coefficient,
            queries,
            references,
            lists: OnceLock::new(),
            words: OnceLock::new(),
        }
    }

    fn shape(&self) -> (usize, usize) {
        (self.queries.len(), self.references.len())
    }

    fn row(&self, query: usize) -> MatchedRow<'_> {
        MatchedRow {
            of: self,
            query: self.queries.get(query),
            total: self.queries.totals()[query],
            stopped: RefCell::default(),
            way: OnceCell::new(),
        }
    }
}

/// How a query is compared with many references.
enum Way<'a> {
    Lists(&'a Lists),
    Words(&'a Words, Vec<u64>),
}

struct MatchedRow<'a> {
    of: &'a Matched,
    query: Profile<'a>,
    total: f64,
    stopped: RefCell<Stopped>,
    way: OnceCell<Way<'a>>,
}

impl<'a> MatchedRow<'a> {
    /// The cheaper of both ways for this query.
    fn way(&self) -> &Way<'a> {
        self.way.get_or_init(|| {
            let of = self.of;
            let lists = of.lists.get_or_init(|| Lists::of(&of.references));
            let plain = self.query.amounts.is_none();
            let words = of.words.get_or_init(|| Words::of(&of.references));
            match words.as_ref().filter(|_| plain) {
                Some(words)
                    if words.width() * of.references.len()
                        <= ENTRY * lists.entries(&self.query) =>
                {
                    Way::Words(words, words.bitmap(&self.query))
                }
                _ => Way::Lists(lists),
            }
        })
    }

    /// What each reference has in common with the query.
    fn both(&self, references: Range<usize>, out: &mut [f64]) {
        if out.len() < TOGETHER {
            for (out, reference) in out.iter_mut().zip(references) {
                let other = self.of.references.get(reference);
                *out = self.query.both(&other, self.of.coefficient);
            }
            return;
        }
        match self.way() {
            Way::Words(words, query) => words.count(query, references.start, out),
            Way::Lists(lists) => {
                out.fill(0.0);
                let stopped = &mut *self.stopped.borrow_mut();
                lists.add(
                    &self.query,
                    self.of.coefficient,
                    references.start,
                    out,
                    stopped,
                );
            }
        }
    }

    /// Replaces each common part by what becomes of it and both totals; by `beside` where one of
    /// two has nothing, by `without` where both have nothing.
    #[inline(always)]
    fn finish(
        &self,
        references: Range<usize>,
        out: &mut [f64],
        (beside, without): (f64, f64),
        of: impl Fn(Coefficient, f64, f64, f64) -> f64,
    ) {
        let totals = &self.of.references.totals()[references];
        let own = self.total;
        let pairs = out.iter_mut().zip(totals);
        if own == 0.0 {
            for (out, &other) in pairs {
                *out = if other == 0.0 { without } else { beside };
            }
            return;
        }
        let each = |pairs: std::iter::Zip<std::slice::IterMut<'_, f64>, _>, coefficient| {
            for (out, &other) in pairs {
                let found = of(coefficient, own, other, *out);
                *out = if other == 0.0 { beside } else { found };
            }
        };
        // A loop for each, so that none asks which it is.
        match self.of.coefficient {
            Coefficient::Jaccard => each(pairs, Coefficient::Jaccard),
            Coefficient::Dice => each(pairs, Coefficient::Dice),
            Coefficient::Cosine => each(pairs, Coefficient::Cosine),
            Coefficient::Overlap => each(pairs, Coefficient::Overlap),
        }
    }
}

/// Distances of profiles.
pub(crate) struct ProfilePairs {
    matched: Matched,
    laws: Laws,
    /// How far what has nothing is from what has something.
    empty: f64,
}

impl ProfilePairs {
    pub(crate) fn new(
        coefficient: Coefficient,
        queries: Profiles,
        references: Profiles,
        laws: Laws,
        empty: f64,
    ) -> Self {
        Self {
            matched: Matched::new(coefficient, queries, references),
            laws,
            empty,
        }
    }
}

impl Pairs<f64> for ProfilePairs {
    fn shape(&self) -> (usize, usize) {
        self.matched.shape()
    }

    fn laws(&self) -> Laws {
        self.laws
    }

    fn heavy(&self) -> bool {
        false
    }

    fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_> {
        Box::new(DistanceRow {
            row: self.matched.row(query),
            empty: self.empty,
        })
    }
}

struct DistanceRow<'a> {
    row: MatchedRow<'a>,
    empty: f64,
}

impl Row<f64> for DistanceRow<'_> {
    fn fill(&self, references: Range<usize>, out: &mut [f64]) {
        self.row.both(references.clone(), out);
        let of =
            |coefficient: Coefficient, own, other, both| coefficient.distance(own, other, both);
        self.row.finish(references, out, (self.empty, 0.0), of);
    }
}

/// Inner products of profiles; one that has nothing is the origin.
pub(crate) struct ProfileGram(Matched);

impl ProfileGram {
    pub(crate) fn new(coefficient: Coefficient, queries: Profiles, references: Profiles) -> Self {
        Self(Matched::new(coefficient, queries, references))
    }
}

impl Gram for ProfileGram {
    fn shape(&self) -> (usize, usize) {
        self.0.shape()
    }

    fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_> {
        Box::new(InnerRow(self.0.row(query)))
    }
}

struct InnerRow<'a>(MatchedRow<'a>);

impl Row<f64> for InnerRow<'_> {
    fn fill(&self, references: Range<usize>, out: &mut [f64]) {
        self.0.both(references.clone(), out);
        let of =
            |coefficient: Coefficient, own, other, both| coefficient.similarity(own, other, both);
        self.0.finish(references, out, (0.0, 0.0), of);
    }
}
