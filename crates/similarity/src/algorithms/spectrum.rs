//! Contiguous pieces of sequences, counted.

use std::cmp::Ordering;

/// How often each piece of `k` consecutive symbols occurs in a sequence, in the order of the
/// pieces.
///
/// A sequence shorter than `k` has no pieces, nor has any for `k` = 0. Memory is linear in the
/// sequence: a piece is known by a place where it occurs.
///
/// ```
/// # use kinwood_similarity::algorithms::spectrum::Spectrum;
/// let (first, second) = (Spectrum::new(&[1, 2, 1, 2], 2), Spectrum::new(&[1, 2, 3], 2));
/// assert_eq!(first.inner(&second), 2.0);
/// ```
///
/// Laws: the inner product is positive semi-definite. Cost: sorting once; then linear in the
/// distinct pieces. Reference: C. Leslie, E. Eskin and W. S. Noble, The spectrum kernel, PSB 2002.
#[derive(Clone, Debug)]
pub struct Spectrum {
    length: usize,
    symbols: Vec<u32>,
    /// Pieces of up to four symbols as one number, which is their order too; empty for longer ones.
    packed: Vec<u128>,
    places: Vec<u32>,
    counts: Vec<u32>,
}

/// Symbols of 32 bits that a number of 128 holds.
const PACKED: usize = 4;

impl Spectrum {
    /// Counts the pieces of `k` symbols.
    pub fn new(symbols: &[u32], k: usize) -> Self {
        let piece = |place: u32| &symbols[place as usize..place as usize + k];
        let pieces = match k {
            0 => 0,
            _ => (symbols.len() + 1).saturating_sub(k),
        };
        let pack = |&place: &u32| {
            let add = |number: u128, &symbol: &u32| number << 32 | u128::from(symbol);
            piece(place).iter().fold(0, add)
        };
        let mut places: Vec<u32> = (0..pieces).map(|place| place as u32).collect();
        match k <= PACKED {
            true => places.sort_by_cached_key(pack),
            false => places.sort_by(|&a, &b| piece(a).cmp(piece(b))),
        }
        let equal = places.chunk_by(|&a, &b| piece(a) == piece(b));
        let (places, counts): (Vec<u32>, Vec<u32>) =
            equal.map(|run| (run[0], run.len() as u32)).unzip();
        Self {
            length: k,
            packed: match k <= PACKED {
                true => places.iter().map(pack).collect(),
                false => Vec::new(),
            },
            symbols: symbols.to_vec(),
            places,
            counts,
        }
    }

    /// Number of distinct pieces.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are no pieces.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The distinct pieces and how often each occurs, in their order.
    pub fn pieces(&self) -> impl Iterator<Item = (&[u32], u32)> {
        (0..self.len()).map(|index| (self.piece(index), self.counts[index]))
    }

    fn piece(&self, index: usize) -> &[u32] {
        let place = self.places[index] as usize;
        &self.symbols[place..place + self.length]
    }

    /// The inner product of the counts; spectra of different lengths share nothing.
    pub fn inner(&self, other: &Self) -> f64 {
        match (self.length == other.length, self.length <= PACKED) {
            (false, _) => 0.0,
            (_, true) => self.merge(other, |i, j| self.packed[i].cmp(&other.packed[j])),
            (_, false) => self.merge(other, |i, j| self.piece(i).cmp(other.piece(j))),
        }
    }

    fn merge(&self, other: &Self, compare: impl Fn(usize, usize) -> Ordering) -> f64 {
        let (mut i, mut j, mut sum) = (0, 0, 0u128);
        while i < self.len() && j < other.len() {
            let order = compare(i, j);
            if order.is_eq() {
                sum += u128::from(self.counts[i]) * u128::from(other.counts[j]);
            }
            i += usize::from(order.is_le());
            j += usize::from(order.is_ge());
        }
        sum as f64
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn naive(a: &[u32], b: &[u32], k: usize) -> f64 {
        let pairs = a.windows(k).flat_map(|x| b.windows(k).map(move |y| x == y));
        pairs.filter(|&same| same).count() as f64
    }

    #[test]
    fn edges() {
        assert!(Spectrum::new(&[], 3).is_empty());
        assert!(Spectrum::new(&[1, 2], 3).is_empty());
        assert!(Spectrum::new(&[1, 2], 0).is_empty());
        assert!(Spectrum::new(&[1, 2], usize::MAX).is_empty());
        let whole = Spectrum::new(&[1, 2], 2);
        assert_eq!(whole.pieces().collect::<Vec<_>>(), [(&[1, 2][..], 1)]);
        assert_eq!(whole.inner(&Spectrum::new(&[1, 2], 1)), 0.0);
        let equal = Spectrum::new(&[9; 50_000], 3);
        assert_eq!(equal.len(), 1);
        assert_eq!(equal.inner(&equal), 49_998.0 * 49_998.0);
    }

    kinwood_testing::soak! { 256;
        fn soak_agrees_with_all_pairs(a in vec(0..3u32, 0..40), b in vec(0..3u32, 0..40), k in 1..8usize) {
            let (x, y) = (Spectrum::new(&a, k), Spectrum::new(&b, k));
            prop_assert_eq!(x.inner(&y), naive(&a, &b, k));
            prop_assert_eq!(y.inner(&x), naive(&a, &b, k));
            let total: u32 = x.pieces().map(|(_, count)| count).sum();
            prop_assert_eq!(total as usize, (a.len() + 1).saturating_sub(k));
        }

        fn soak_large_symbols_are_told_apart(a in vec(any::<u32>(), 0..20), k in 1..6usize) {
            let x = Spectrum::new(&a, k);
            prop_assert_eq!(x.inner(&x), naive(&a, &a, k));
        }
    }
}
