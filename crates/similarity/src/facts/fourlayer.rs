//! The four-layer distance between objects described by facts.
//!
//! Layer 1 compares arguments, layer 2 joins those of a fact by the root of the mean of squares,
//! layer 3 compares the two objects' facts of a predicate, layer 4 joins the predicates. Two
//! arguments that are IDs are as far apart as the objects they name, so the definition calls
//! itself; where it does so in a circle, the distance is the least solution, reached from 0.
//!
//! Squares are kept throughout and the root is taken last: of all layers only some rules of the
//! third need roots.
//!
//! Every layer is asked *within* a bound: what is at most the bound is computed to the end, of what
//! is larger only as much as shows that it is. The furthest of the nearest needs few distances to
//! the end, and the cheap parts of facts rule most pairs out.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

use super::base::{Argument, Base, Group};
use super::plan::Rank;
use crate::algorithms::matching::Matcher;

/// How layer 3 compares the facts of a predicate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Third {
    /// The largest distance from a fact of either object to the other's; 1 if one has none.
    Hausdorff,
    /// The least total distance of facts paired one to one, and half of this for each left over.
    Matching(f64),
    /// Half the sum, over the facts of both, of the distance to the other's; 1 if one has none.
    SumOfMinima,
}

/// No value moves by more than this when a circle of distances is solved.
const STILL: f64 = 1e-12;

/// Bytes that distances between shared objects may take; beyond, those of a pair of objects are
/// kept while it is compared: a small table in the processor's own memory is faster than a large
/// one that is not.
const SHARED: usize = 2 << 20;

/// Distances between the objects of a base.
pub(crate) struct FourLayer {
    base: Base,
    third: Third,
    /// By kind and pair of objects that stand as arguments: the square of their distance, not a
    /// number while unknown.
    shared: Option<Vec<AtomicU64>>,
}

/// Memory used again from pair to pair.
#[derive(Default)]
pub(crate) struct Scratch {
    first_places: Vec<u32>,
    second_places: Vec<u32>,
    table: Vec<Cell<f64>>,
}

/// What is known while one pair of objects is compared.
struct Known<'a> {
    first_places: &'a [u32],
    second_places: &'a [u32],
    /// By kind and pair of places: the square of the distance, not a number while unknown.
    table: &'a [Cell<f64>],
    width: usize,
    size: usize,
}

impl Known<'_> {
    fn cell(&self, kind: u32, first: u32, second: u32) -> &Cell<f64> {
        let row = self.first_places[first as usize] as usize;
        let column = self.second_places[second as usize] as usize;
        &self.table[kind as usize * self.size + row * self.width + column]
    }
}

impl FourLayer {
    /// Makes the objects of a base ready.
    pub(crate) fn new(base: Base, third: Third) -> Self {
        Self::sharing(base, third, SHARED)
    }

    /// The same with so many bytes for distances between shared objects.
    fn sharing(base: Base, third: Third, bytes: usize) -> Self {
        let cells = base.inner() * base.inner() * base.kinds().len();
        let shared = (!base.loops() && cells * size_of::<AtomicU64>() <= bytes).then(|| {
            let unknown = || AtomicU64::new(f64::NAN.to_bits());
            std::iter::repeat_with(unknown).take(cells).collect()
        });
        Self {
            base,
            third,
            shared,
        }
    }

    /// The objects.
    pub(crate) fn base(&self) -> &Base {
        &self.base
    }

    /// The distance between two objects.
    pub(crate) fn between(&self, first: u32, second: u32, scratch: &mut Scratch) -> f64 {
        if first == second {
            return 0.0;
        }
        // The smaller first: the distance is symmetric, its rounding need not be.
        let (first, second) = (first.min(second), first.max(second));
        let main = self.base.main();
        if self.shared.is_some() {
            return self
                .compute(main, first, second, f64::INFINITY, None)
                .sqrt();
        }
        self.with_known(first, second, scratch, |known| {
            self.solve(main, first, second, known).sqrt()
        })
    }

    /// Distances of arguments at work: gives the squares of any two objects that the pair speaks
    /// of.
    pub(crate) fn opened<T>(
        &self,
        first: u32,
        second: u32,
        look: impl FnOnce(&dyn Fn(u32, u32, u32) -> f64) -> T,
    ) -> T {
        let main = self.base.main();
        let mut scratch = Scratch::default();
        self.with_known(first, second, &mut scratch, |known| {
            if first != second {
                self.solve(main, first, second, known);
            }
            look(&|kind, x, y| self.square(kind, x, y, f64::INFINITY, Some(known)))
        })
    }

    fn with_known<T>(
        &self,
        first: u32,
        second: u32,
        scratch: &mut Scratch,
        work: impl FnOnce(&Known<'_>) -> T,
    ) -> T {
        let (rows, columns) = (self.base.reached(first), self.base.reached(second));
        for (places, reached) in [
            (&mut scratch.first_places, rows),
            (&mut scratch.second_places, columns),
        ] {
            places.resize(self.base.objects(), 0);
            for (place, &object) in reached.iter().enumerate() {
                places[object as usize] = place as u32;
            }
        }
        let size = rows.len() * columns.len();
        let cells = size * self.base.kinds().len();
        scratch.table.clear();
        scratch.table.resize(cells, Cell::new(f64::NAN));
        work(&Known {
            first_places: &scratch.first_places,
            second_places: &scratch.second_places,
            table: &scratch.table,
            width: columns.len(),
            size,
        })
    }

    /// The square of the distance of the pair that is compared.
    fn solve(&self, kind: u32, first: u32, second: u32, known: &Known<'_>) -> f64 {
        if !self.base.is_loop(first) && !self.base.is_loop(second) {
            return self.compute(kind, first, second, f64::INFINITY, Some(known));
        }
        // All pairs that the distance depends on, from 0 upwards until none moves. What is compared
        // later depends on what was found earlier.
        let mut pairs = vec![(kind, first, second)];
        known.cell(kind, first, second).set(0.0);
        let mut next = 0;
        while let Some(&(kind, x, y)) = pairs.get(next) {
            next += 1;
            self.each_pair(kind, x, y, &mut |kind, x, y| {
                let cell = known.cell(kind, x, y);
                if x != y && cell.get().is_nan() {
                    cell.set(0.0);
                    pairs.push((kind, x, y));
                }
            });
        }
        loop {
            let mut moved: f64 = 0.0;
            for &(kind, x, y) in pairs.iter().rev() {
                let cell = known.cell(kind, x, y);
                let now = self.compute(kind, x, y, f64::INFINITY, Some(known));
                moved = moved.max((now.sqrt() - cell.get().sqrt()).abs());
                cell.set(now);
            }
            if moved <= STILL {
                return known.cell(kind, first, second).get();
            }
        }
    }

    /// The pairs of objects that stand as arguments of the same rank in the facts of two objects.
    fn each_pair(&self, kind: u32, x: u32, y: u32, visit: &mut impl FnMut(u32, u32, u32)) {
        for &predicate in &self.base.kinds()[kind as usize] {
            let (a, b) = (self.base.group(x, predicate), self.base.group(y, predicate));
            for (rank, of) in self.base.ranks(predicate).iter().enumerate() {
                let Some(inner) = of.kind else { continue };
                for one in 0..a.facts {
                    for other in 0..b.facts {
                        if let (Argument::Object(x), Argument::Object(y)) =
                            (a.argument(one, rank), b.argument(other, rank))
                        {
                            visit(inner, x, y);
                        }
                    }
                }
            }
        }
    }

    /// The square of the distance of two objects if it is at most the bound, else something above
    /// the bound.
    fn square(&self, kind: u32, x: u32, y: u32, bound: f64, known: Option<&Known<'_>>) -> f64 {
        if x == y {
            return 0.0;
        }
        if let Some(shared) = &self.shared {
            let (x, y) = (x.min(y), x.max(y));
            let inner = self.base.inner();
            let place = self.base.inner_place(x) * inner + self.base.inner_place(y);
            let cell = &shared[kind as usize * inner * inner + place];
            let kept = f64::from_bits(cell.load(Ordering::Relaxed));
            return said(kept, bound).unwrap_or_else(|| {
                let bound = anew(kept, bound);
                let square = self.compute(kind, x, y, bound, None);
                cell.store(noted(square, bound).to_bits(), Ordering::Relaxed);
                square
            });
        }
        let Some(known) = known else {
            return self.compute(kind, x, y, bound, None);
        };
        let cell = known.cell(kind, x, y);
        said(cell.get(), bound).unwrap_or_else(|| {
            let bound = anew(cell.get(), bound);
            let square = self.compute(kind, x, y, bound, Some(known));
            cell.set(noted(square, bound));
            square
        })
    }

    /// Layer 4: the mean over the predicates of the squares of layer 3.
    fn compute(&self, kind: u32, x: u32, y: u32, bound: f64, known: Option<&Known<'_>>) -> f64 {
        let predicates = &self.base.kinds()[kind as usize];
        let mut mean = Mean::within(bound, predicates.len());
        for &predicate in predicates {
            let (a, b) = (self.base.group(x, predicate), self.base.group(y, predicate));
            let ranks = self.base.ranks(predicate);
            let single = self.third == Third::Hausdorff || self.base.single(predicate);
            let square = self.third((&a, &b), single, mean.left(), &mut |one, other, bound| {
                self.fact(ranks, (&a, one), (&b, other), bound, known)
            });
            if let Some(beyond) = mean.add(square) {
                return beyond;
            }
        }
        mean.all()
    }

    /// Layer 3, squared, from the squares of layer 2; two single facts are compared as they are,
    /// but for the price of leaving both unmatched.
    fn third(
        &self,
        (a, b): (&Group<'_>, &Group<'_>),
        single: bool,
        bound: f64,
        fact: &mut impl FnMut(usize, usize, f64) -> f64,
    ) -> f64 {
        match (a.facts, b.facts) {
            (0, 0) => return 0.0,
            (0, left) | (left, 0) => {
                return match self.third {
                    Third::Matching(most) => (left as f64 * most / 2.0).powi(2),
                    Third::Hausdorff | Third::SumOfMinima => 1.0,
                };
            }
            (1, 1) if single => {
                let square = fact(0, 0, bound);
                return match self.third {
                    Third::Matching(most) => square.min(most * most),
                    Third::Hausdorff | Third::SumOfMinima => square,
                };
            }
            _ => {}
        }
        if self.third == Third::Hausdorff {
            let (many, others) = (a.facts, b.facts);
            let covered = furthest(many, others, 0.0, bound, &mut |one, other, bound| {
                fact(one, other, bound)
            });
            return match covered > bound {
                true => covered,
                false => furthest(others, many, covered, bound, &mut |other, one, bound| {
                    fact(one, other, bound)
                }),
            };
        }
        let squares: Vec<f64> = (0..a.facts)
            .flat_map(|one| (0..b.facts).map(move |other| (one, other)))
            .map(|(one, other)| fact(one, other, f64::INFINITY))
            .collect();
        if let Third::Matching(most) = self.third {
            let costs: Vec<f64> = squares.into_iter().map(f64::sqrt).collect();
            let total = Matcher::default()
                .solve(&costs, a.facts, b.facts, most)
                .total;
            return total * total;
        }
        let least = |squares: &mut dyn Iterator<Item = f64>| squares.fold(f64::INFINITY, f64::min);
        let rows = squares
            .chunks(b.facts)
            .map(|row| least(&mut row.iter().copied()));
        let columns =
            (0..b.facts).map(|other| least(&mut squares[other..].iter().copied().step_by(b.facts)));
        // Either side by itself, so that the other way round gives the same to the last bit.
        let total = rows.map(f64::sqrt).sum::<f64>() + columns.map(f64::sqrt).sum::<f64>();
        (total / 2.0).powi(2)
    }

    /// Layer 2, squared: the mean over the arguments of the squares of layer 1, or of the distances
    /// of the objects that they name. These come last, for they cost most.
    fn fact(
        &self,
        ranks: &[Rank],
        (a, one): (&Group<'_>, usize),
        (b, other): (&Group<'_>, usize),
        bound: f64,
        known: Option<&Known<'_>>,
    ) -> f64 {
        let mut mean = Mean::within(bound, ranks.len());
        let mut objects = false;
        for (rank, of) in ranks.iter().enumerate() {
            let square = match (a.argument(one, rank), b.argument(other, rank)) {
                (Argument::Number(x), Argument::Number(y)) => of.square(x, y),
                (Argument::Symbol(x), Argument::Symbol(y)) => f64::from(u8::from(x != y)),
                (Argument::Object(x), Argument::Object(y)) => match of.kind {
                    Some(_) => {
                        objects = true;
                        continue;
                    }
                    None => f64::from(u8::from(x != y)),
                },
                _ => 1.0,
            };
            if let Some(beyond) = mean.add(square) {
                return beyond;
            }
        }
        if objects {
            for (rank, of) in ranks.iter().enumerate() {
                if let (Argument::Object(x), Argument::Object(y), Some(kind)) =
                    (a.argument(one, rank), b.argument(other, rank), of.kind)
                {
                    let square = self.square(kind, x, y, mean.left(), known);
                    if let Some(beyond) = mean.add(square) {
                        return beyond;
                    }
                }
            }
        }
        mean.all()
    }
}

/// What is kept of a square that was computed within a bound: itself, or, as a negative number,
/// that it is above something.
fn noted(square: f64, bound: f64) -> f64 {
    match square <= bound {
        true => square,
        false => -square,
    }
}

/// What was kept, if it answers a question within a bound; what is not a number was never asked.
fn said(kept: f64, bound: f64) -> Option<f64> {
    match kept {
        square if square >= 0.0 => Some(square),
        above if -above > bound => Some(-above),
        _ => None,
    }
}

/// The bound within which a square is computed: what was asked before within less is computed to
/// the end, so that no pair is computed more than twice.
fn anew(kept: f64, bound: f64) -> f64 {
    match kept.is_nan() {
        true => bound,
        false => f64::INFINITY,
    }
}

/// A mean of so many squares, of which it is enough to know that it is above a bound.
struct Mean {
    bound: f64,
    total: f64,
    sum: f64,
    count: f64,
}

impl Mean {
    fn within(bound: f64, count: usize) -> Self {
        let count = count.max(1) as f64;
        Self {
            bound,
            total: bound * count,
            sum: 0.0,
            count,
        }
    }

    /// How large the next may be for the mean to stay within the bound.
    fn left(&self) -> f64 {
        self.total - self.sum
    }

    /// One more; a number above the bound as soon as the mean is. Rounding must not let it seem to
    /// be within.
    fn add(&mut self, square: f64) -> Option<f64> {
        let beyond = square > self.left();
        self.sum += square;
        beyond.then(|| (self.sum / self.count).max(self.bound.next_up()))
    }

    fn all(&self) -> f64 {
        self.sum / self.count
    }
}

/// The largest distance from one of the first to the nearest of the second, or `least` if that is
/// larger; something above the bound, if it is above the bound. One that is as near as what is
/// known already to any of the second cannot be the furthest, so its others are not looked at;
/// those near the one that was near last are looked at first.
fn furthest(
    first: usize,
    second: usize,
    least: f64,
    bound: f64,
    between: &mut impl FnMut(usize, usize, f64) -> f64,
) -> f64 {
    let mut largest = least;
    let mut start = 0;
    for one in 0..first {
        let mut nearest = f64::INFINITY;
        let mut beyond = f64::INFINITY;
        for step in 0..second {
            let other = match start + step {
                other if other < second => other,
                other => other - second,
            };
            let within = nearest.min(bound);
            let square = between(one, other, within);
            if square > within {
                beyond = beyond.min(square);
            } else {
                nearest = square;
                if nearest <= largest {
                    start = other;
                    break;
                }
            }
        }
        // Nothing was found within the bound, so nothing is.
        if nearest == f64::INFINITY {
            return beyond;
        }
        largest = largest.max(nearest);
    }
    largest
}

#[cfg(test)]
mod tests {
    use kinwood_values::{Column, Value};

    use super::*;
    use crate::facts::base::{both, survey};
    use crate::facts::facts_type;

    /// Objects of atoms and bonds between atoms further on, by a small generator of numbers.
    fn molecules(count: usize) -> Column {
        let mut state = 12_345u64;
        let mut below = |most: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % most
        };
        let mut objects = Vec::new();
        for _ in 0..count {
            let atoms = 2 + below(9);
            let mut facts = Vec::new();
            for atom in 0..atoms {
                facts.push(format!("has(self,a{atom})"));
                facts.push(format!("atom(a{atom},e{},{})", below(3), below(50)));
                for _ in 0..below(3) {
                    let to = atom + 1 + below(3);
                    facts.push(format!("bond(a{atom},a{to},k{})", below(2)));
                }
            }
            let term = |fact: &String| Value::Term(fact.parse().unwrap());
            objects.push(Value::set(facts.iter().map(term).collect()));
        }
        Column::from_values(&facts_type(), &objects).unwrap()
    }

    #[test]
    fn what_is_shared_is_what_is_computed_anew() {
        let column = molecules(25);
        let plan = survey(&[&column]).unwrap();
        for third in [Third::Hausdorff, Third::Matching(1.5), Third::SumOfMinima] {
            let layers = |bytes: usize| {
                let (base, mains, _) = both(&plan, (&column, &column), false).unwrap();
                (FourLayer::sharing(base, third, bytes), mains)
            };
            let ((shared, mains), (anew, _)) = (layers(SHARED), layers(0));
            assert!(shared.shared.is_some() && anew.shared.is_none());
            let mut scratch = Scratch::default();
            let mut distinct = std::collections::BTreeSet::new();
            for &x in &mains {
                for &y in &mains {
                    let found = shared.between(x, y, &mut Scratch::default());
                    assert_eq!(found, anew.between(x, y, &mut scratch), "{third:?}");
                    distinct.insert(found.to_bits());
                }
            }
            assert!(distinct.len() > 100, "{third:?}");
        }
    }
}
