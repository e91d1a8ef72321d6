//! Random numbers that are the same on every machine and for every version of our dependencies.
//!
//! A generator is named by a seed and a path of numbers (what it is for, which repeat, which fold,
//! …), so that any part of a computation can run alone or in parallel and still sees its own
//! numbers. Only the ChaCha8 key stream comes from outside: it is fixed by its definition, whereas
//! the shuffling and range functions of libraries have changed in the past.

mod block;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The odd number next to 2^64 divided by the golden ratio: SplitMix64's step.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// Random numbers of one stream.
#[derive(Clone, Debug)]
pub struct Generator(ChaCha8Rng);

impl Generator {
    /// The generator for `stream` under `seed`.
    ///
    /// Seed, length and words of the stream are absorbed one after the other by SplitMix64's
    /// bijective mixing; four further steps give the 256-bit key. Streams that differ in one word
    /// never share a key; other streams do so only by a collision of 64 bits.
    ///
    /// Reference: G. Steele, D. Lea, C. Flood, Fast splittable pseudorandom number generators,
    /// OOPSLA 2014 (the mixing); D. J. Bernstein, ChaCha, a variant of Salsa20, SASC 2008.
    pub fn new(seed: u64, stream: &[u64]) -> Self {
        let mut bytes = [0; 32];
        for (bytes, word) in bytes.chunks_exact_mut(8).zip(key(seed, stream)) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        Self(ChaCha8Rng::from_seed(bytes))
    }

    /// The number from 0 up to, not including, 1 that a stream begins with: the first
    /// [`unit`](Self::unit) of [`Generator::new`].
    ///
    /// For streams of which nothing else is wanted: a generator computes the next 32 numbers too.
    pub fn first_unit(seed: u64, stream: &[u64]) -> f64 {
        unit(block::first_bits(key(seed, stream)))
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A whole number from 0 to `bound - 1`, each equally likely.
    ///
    /// # Panics
    /// If the bound is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "there is no number below 0");
        let bound = bound as u64;
        // Without the lowest `2^64 mod bound` words, those left are a multiple of the bound. That
        // is less than the bound itself, so that it need hardly ever be computed.
        loop {
            let word = self.bits();
            if word >= bound || word >= bound.wrapping_neg() % bound {
                return (word % bound) as usize;
            }
        }
    }

    /// A number from 0 up to, not including, 1.
    pub fn unit(&mut self) -> f64 {
        unit(self.bits())
    }

    /// A standard normal number (Box and Muller 1958).
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }

    /// Puts the items in random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// The key of a stream, in words.
fn key(seed: u64, stream: &[u64]) -> [u64; 4] {
    let mut state = mix(seed.wrapping_add(STEP));
    state = mix((state ^ stream.len() as u64).wrapping_add(STEP));
    for &word in stream {
        state = mix((state ^ word).wrapping_add(STEP));
    }
    [0; 4].map(|_| next(&mut state))
}

/// The upper bits of a word as a number from 0 up to, not including, 1.
fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1u64 << 53) as f64
}

fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(STEP);
    mix(*state)
}

fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixing_is_splitmix64() {
        let mut state = 0;
        assert_eq!(next(&mut state), 0xE220_A839_7B1D_CDAF);
        assert_eq!(next(&mut state), 0x6E78_9E6A_A1B9_65F4);
        assert_eq!(next(&mut state), 0x06C4_5D18_8009_454F);
    }

    #[test]
    fn streams_differ_in_seed_length_and_words() {
        let first = |seed, stream: &[u64]| Generator::new(seed, stream).bits();
        let words = [
            first(0, &[]),
            first(1, &[]),
            first(0, &[0]),
            first(0, &[0, 0]),
            first(0, &[1]),
            first(0, &[1, 0]),
            first(0, &[0, 1]),
        ];
        for (i, a) in words.iter().enumerate() {
            assert!(words[..i].iter().all(|b| a != b), "{words:x?}");
        }
        assert_eq!(first(7, &[1, 2]), first(7, &[1, 2]));
    }

    #[test]
    fn the_first_number_of_a_stream_is_the_generators() {
        for place in 0..1000 {
            let (seed, stream) = (place % 7, [place, place * place]);
            let first = Generator::first_unit(seed, &stream);
            assert_eq!(first, Generator::new(seed, &stream).unit(), "{place}");
        }
        assert_eq!(Generator::first_unit(1, &[]), Generator::new(1, &[]).unit());
    }

    /// Computed apart from this code, from the definitions of SplitMix64 and ChaCha8: a change
    /// here changes every split ever published.
    #[test]
    fn the_order_of_ten_is_recorded() {
        let mut items: Vec<u32> = (0..10).collect();
        Generator::new(1, &[1, 1]).shuffle(&mut items);
        assert_eq!(items, [5, 2, 8, 6, 0, 9, 1, 7, 4, 3]);
    }

    #[test]
    fn below_covers_its_range_evenly() {
        let mut generator = Generator::new(3, &[]);
        let mut counts = [0_u32; 6];
        for _ in 0..6000 {
            counts[generator.below(6)] += 1;
        }
        // Chi square with 5 degrees of freedom; 20.5 is its 0.999 quantile.
        let chi: f64 = counts
            .iter()
            .map(|&c| (f64::from(c) - 1000.0).powi(2) / 1000.0)
            .sum();
        assert!(chi < 20.5, "{counts:?}");
        assert_eq!(generator.below(1), 0);
    }

    #[test]
    fn words_below_the_remainder_are_rejected() {
        // A quarter of all words is rejected for this bound; the plain remainder would give the
        // lowest third of the range the probability of one half.
        let wide = 3 << 62;
        let mut generator = Generator::new(5, &[]);
        let low = (0..3000)
            .filter(|_| generator.below(wide) < 1 << 62)
            .count();
        assert!((900..1100).contains(&low), "{low}");
    }

    #[test]
    fn every_order_of_three_is_as_likely() {
        let mut generator = Generator::new(11, &[]);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..6000 {
            let mut items = [0, 1, 2];
            generator.shuffle(&mut items);
            *counts.entry(items).or_insert(0_i32) += 1;
        }
        assert_eq!(counts.len(), 6);
        assert!(
            counts.values().all(|count| (count - 1000).abs() < 130),
            "{counts:?}"
        );
    }
}
