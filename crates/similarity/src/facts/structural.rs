//! The structural kernel on objects described by facts: sets of facts by all their pairs, facts by
//! their arguments, IDs by the objects they name.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::base::{Argument, Base, Group};
use crate::gram::Gram;

/// How the arguments of two facts make one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Joined {
    /// Their sum, as the default kernel of tuples has it.
    Sum,
    /// Their product: facts are alike in so far as all of their arguments are.
    Product,
}

/// Bytes that inner products of shared objects may take; beyond, they are computed whenever they
/// are needed.
const SHARED: usize = 128 << 20;

/// Inner products of the objects of a base.
pub(crate) struct Structural {
    base: Base,
    joined: Joined,
    /// Of all numbers that stand as arguments, by their places, if it is not the product.
    numbers: Option<Arc<dyn Gram>>,
    /// By pair of objects that stand as arguments; not a number while unknown.
    shared: Option<Vec<AtomicU64>>,
}

impl Structural {
    /// Makes the objects of a base ready. The base has no circles: the kernel would never end.
    pub(crate) fn new(base: Base, joined: Joined, numbers: Option<Arc<dyn Gram>>) -> Self {
        let cells = base.inner() * base.inner();
        let fits = cells * size_of::<AtomicU64>() <= SHARED;
        let shared = fits.then(|| {
            let unknown = || AtomicU64::new(f64::NAN.to_bits());
            std::iter::repeat_with(unknown).take(cells).collect()
        });
        Self {
            base,
            joined,
            numbers,
            shared,
        }
    }

    /// The inner product of two objects.
    pub(crate) fn between(&self, x: u32, y: u32) -> f64 {
        // The smaller first: the sum is symmetric, its rounding need not be.
        let (x, y) = (x.min(y), x.max(y));
        let mut sum = 0.0;
        for predicate in self.base.predicates() {
            let (a, b) = (self.base.group(x, predicate), self.base.group(y, predicate));
            for one in 0..a.facts {
                for other in 0..b.facts {
                    sum += self.fact(predicate, &a, one, &b, other);
                }
            }
        }
        sum
    }

    fn fact(&self, predicate: u32, a: &Group<'_>, one: usize, b: &Group<'_>, other: usize) -> f64 {
        let ranks = 0..self.base.ranks(predicate).len();
        let mut alike = ranks.map(|rank| {
            let (x, y) = (a.argument(one, rank), b.argument(other, rank));
            match (x, y) {
                (Argument::Number(x), Argument::Number(y)) => match &self.numbers {
                    None => x * y,
                    Some(gram) => {
                        let mut out = [0.0];
                        let place = b.place(other, rank);
                        gram.prepare(a.place(one, rank))
                            .fill(place..place + 1, &mut out);
                        out[0]
                    }
                },
                (Argument::Symbol(x), Argument::Symbol(y)) => f64::from(u8::from(x == y)),
                (Argument::Object(x), Argument::Object(y)) => self.object(x, y),
                _ => 0.0,
            }
        });
        match self.joined {
            // A fact without arguments says that it is there.
            Joined::Sum if self.base.ranks(predicate).is_empty() => 1.0,
            Joined::Sum => alike.sum(),
            Joined::Product => alike
                .try_fold(1.0, |product, alike| match alike == 0.0 {
                    true => Err(0.0),
                    false => Ok(product * alike),
                })
                .unwrap_or_else(|zero| zero),
        }
    }

    fn object(&self, x: u32, y: u32) -> f64 {
        let Some(shared) = &self.shared else {
            return self.between(x, y);
        };
        let (x, y) = (x.min(y), x.max(y));
        let place = self.base.inner_place(x) * self.base.inner() + self.base.inner_place(y);
        let found = f64::from_bits(shared[place].load(Ordering::Relaxed));
        if !found.is_nan() {
            return found;
        }
        let inner = self.between(x, y);
        shared[place].store(inner.to_bits(), Ordering::Relaxed);
        inner
    }
}
