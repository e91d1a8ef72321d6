//! The four-layer distance between objects described by facts.
//!
//! Layer 1 compares arguments, layer 2 joins those of a fact by the root of the mean of squares, layer 3 compares the two objects' facts of a
//! predicate, layer 4 joins the predicates. Two arguments that are IDs are as far apart as the objects they name, so the definition calls
//! itself; where it does so in a circle, the distance is the least solution, reached from 0.
//!
//! Squares are kept throughout and the root is taken last: of all layers only some rules of the third need roots.

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

/// Bytes that distances between shared objects may take; beyond, those of a pair of objects are kept while it is compared.
const SHARED: usize = 128 << 20;

/// Distances between the objects of a base.
pub(crate) struct FourLayer {
    base: Base,
    third: Third,
    /// By kind and pair of objects that stand as arguments: the square of their distance, not a number while unknown.
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
        let cells = base.inner() * base.inner() * base.kinds().len();
        let shared = (!base.loops() && cells * size_of::<AtomicU64>() <= SHARED).then(|| {
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
            return self.compute(main, first, second, None).sqrt();
        }
        self.with_known(first, second, scratch, |known| {
            self.solve(main, first, second, known).sqrt()
        })
    }

    /// Distances of arguments at work: gives the squares of any two objects that the pair speaks of.
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
            look(&|kind, x, y| self.square(kind, x, y, Some(known)))
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
            return self.compute(kind, first, second, Some(known));
        }
        // All pairs that the distance depends on, from 0 upwards until none moves. What is compared later depends on what was found earlier.
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
                let now = self.compute(kind, x, y, Some(known));
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

    fn square(&self, kind: u32, x: u32, y: u32, known: Option<&Known<'_>>) -> f64 {
        if x == y {
            return 0.0;
        }
        if let Some(shared) = &self.shared {
            let (x, y) = (x.min(y), x.max(y));
            let inner = self.base.inner();
            let place = self.base.inner_place(x) * inner + self.base.inner_place(y);
            let cell = &shared[kind as usize * inner * inner + place];
            let found = f64::from_bits(cell.load(Ordering::Relaxed));
            if !found.is_nan() {
                return found;
            }
            let square = self.compute(kind, x, y, None);
            cell.store(square.to_bits(), Ordering::Relaxed);
            return square;
        }
        let Some(known) = known else {
            return self.compute(kind, x, y, None);
        };
        let cell = known.cell(kind, x, y);
        if cell.get().is_nan() {
            cell.set(self.compute(kind, x, y, Some(known)));
        }
        cell.get()
    }

    /// Layer 4: the mean over the predicates of the squares of layer 3.
    fn compute(&self, kind: u32, x: u32, y: u32, known: Option<&Known<'_>>) -> f64 {
        let predicates = &self.base.kinds()[kind as usize];
        let mut sum = 0.0;
        for &predicate in predicates {
            let (a, b) = (self.base.group(x, predicate), self.base.group(y, predicate));
            let ranks = self.base.ranks(predicate);
            sum += self.third(&a, &b, &mut |one, other| {
                self.fact(ranks, &a, one, &b, other, known)
            });
        }
        match predicates.len() {
            0 => 0.0,
            count => sum / count as f64,
        }
    }

    /// Layer 3, squared, from the squares of layer 2.
    fn third(
        &self,
        a: &Group<'_>,
        b: &Group<'_>,
        fact: &mut impl FnMut(usize, usize) -> f64,
    ) -> f64 {
        match (a.facts, b.facts) {
            (0, 0) => return 0.0,
            (0, left) | (left, 0) => {
                return match self.third {
                    Third::Matching(most) => (left as f64 * most / 2.0).powi(2),
                    Third::Hausdorff | Third::SumOfMinima => 1.0,
                };
            }
            (1, 1) if self.third == Third::Hausdorff => return fact(0, 0),
            _ => {}
        }
        if let Third::Matching(most) = self.third {
            let costs: Vec<f64> = (0..a.facts)
                .flat_map(|one| (0..b.facts).map(move |other| (one, other)))
                .map(|(one, other)| fact(one, other).sqrt())
                .collect();
            let total = Matcher::default()
                .solve(&costs, a.facts, b.facts, most)
                .total;
            return total * total;
        }
        if self.third == Third::Hausdorff {
            let covered = furthest(a.facts, b.facts, 0.0, &mut |one, other| fact(one, other));
            return furthest(b.facts, a.facts, covered, &mut |other, one| {
                fact(one, other)
            });
        }
        let mut nearest = vec![f64::INFINITY; b.facts];
        let mut total = 0.0;
        for one in 0..a.facts {
            let mut least = f64::INFINITY;
            for (other, nearest) in nearest.iter_mut().enumerate() {
                let square = fact(one, other);
                least = least.min(square);
                *nearest = nearest.min(square);
            }
            total += least.sqrt();
        }
        total += nearest.into_iter().map(f64::sqrt).sum::<f64>();
        (total / 2.0).powi(2)
    }

    /// Layer 2, squared: the mean over the arguments of the squares of layer 1, or of the distances of the objects that they name.
    fn fact(
        &self,
        ranks: &[Rank],
        a: &Group<'_>,
        one: usize,
        b: &Group<'_>,
        other: usize,
        known: Option<&Known<'_>>,
    ) -> f64 {
        if ranks.is_empty() {
            return 0.0;
        }
        let mut sum = 0.0;
        for (rank, of) in ranks.iter().enumerate() {
            sum += match (a.argument(one, rank), b.argument(other, rank)) {
                (Argument::Number(x), Argument::Number(y)) => of.square(x, y),
                (Argument::Symbol(x), Argument::Symbol(y)) => f64::from(u8::from(x != y)),
                (Argument::Object(x), Argument::Object(y)) => match of.kind {
                    Some(kind) => self.square(kind, x, y, known),
                    None => f64::from(u8::from(x != y)),
                },
                _ => 1.0,
            };
        }
        sum / ranks.len() as f64
    }
}

/// The largest distance from one of the first to the nearest of the second, or `beyond` if that is larger. One that is as near as that to any of
/// the second cannot be the furthest, so its others are not looked at; those near the one that was near last are looked at first.
fn furthest(
    first: usize,
    second: usize,
    beyond: f64,
    between: &mut impl FnMut(usize, usize) -> f64,
) -> f64 {
    let mut largest = beyond;
    let mut start = 0;
    for one in 0..first {
        let mut least = f64::INFINITY;
        for step in 0..second {
            let other = match start + step {
                other if other < second => other,
                other => other - second,
            };
            let square = between(one, other);
            if square < least {
                least = square;
                if least <= largest {
                    start = other;
                    break;
                }
            }
        }
        largest = largest.max(least);
    }
    largest
}
