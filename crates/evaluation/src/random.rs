//! Random numbers that are the same on every machine and for every version of our dependencies.
//!
//! A generator is named by a seed and a path of numbers (what it is for, which repeat, which
//! fold, ...), so that any part of an evaluation can be run alone or in parallel and still sees
//! its own numbers. Only the ChaCha8 key stream comes from outside: it is fixed by its
//! definition, whereas the shuffling and range functions of libraries have changed in the past.

use std::num::NonZeroU64;

pub use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The odd number next to 2^64 divided by the golden ratio: SplitMix64's step.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// The generator for `stream` under `seed`.
///
/// Seed, length and words of the stream are absorbed one after the other by SplitMix64's
/// bijective mixing; four further steps give the 256-bit key. Streams that differ in one word
/// never share a key; other streams do so only by a collision of 64 bits.
///
/// Reference: G. Steele, D. Lea, C. Flood, Fast splittable pseudorandom number generators,
/// OOPSLA 2014 (the mixing); D. J. Bernstein, ChaCha, a variant of Salsa20, SASC 2008.
pub fn generator(seed: u64, stream: &[u64]) -> ChaCha8Rng {
    let mut state = mix(seed.wrapping_add(STEP));
    state = mix((state ^ stream.len() as u64).wrapping_add(STEP));
    for &word in stream {
        state = mix((state ^ word).wrapping_add(STEP));
    }
    let mut key = [0; 32];
    for bytes in key.chunks_exact_mut(8) {
        bytes.copy_from_slice(&next(&mut state).to_le_bytes());
    }
    ChaCha8Rng::from_seed(key)
}

/// A number from 0 up to but without `bound`, each with the same probability.
///
/// Takes the remainder of a 64-bit word, rejecting the lowest `2^64 mod bound` words: those left
/// are a multiple of `bound`.
pub fn below(generator: &mut ChaCha8Rng, bound: NonZeroU64) -> u64 {
    let rejected = bound.get().wrapping_neg() % bound;
    loop {
        let word = generator.next_u64();
        if word >= rejected {
            return word % bound;
        }
    }
}

/// Puts `items` into random order, each order with the same probability.
///
/// Reference: R. Durstenfeld, Algorithm 235: random permutation, CACM 7(7), 1964.
pub fn shuffle<T>(generator: &mut ChaCha8Rng, items: &mut [T]) {
    for last in (1..items.len()).rev() {
        let bound = NonZeroU64::MIN.saturating_add(last as u64);
        items.swap(last, below(generator, bound) as usize);
    }
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

    fn bound(number: u64) -> NonZeroU64 {
        NonZeroU64::new(number).unwrap()
    }

    #[test]
    fn mixing_is_splitmix64() {
        let mut state = 0;
        assert_eq!(next(&mut state), 0xE220_A839_7B1D_CDAF);
        assert_eq!(next(&mut state), 0x6E78_9E6A_A1B9_65F4);
        assert_eq!(next(&mut state), 0x06C4_5D18_8009_454F);
    }

    #[test]
    fn streams_differ_in_seed_length_and_words() {
        let first = |seed, stream: &[u64]| generator(seed, stream).next_u64();
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

    /// Computed apart from this code, from the definitions of SplitMix64 and ChaCha8: a change
    /// here changes every split ever published.
    #[test]
    fn the_order_of_ten_is_recorded() {
        let mut items: Vec<u32> = (0..10).collect();
        shuffle(&mut generator(1, &[1, 1]), &mut items);
        assert_eq!(items, [5, 2, 8, 6, 0, 9, 1, 7, 4, 3]);
    }

    #[test]
    fn below_covers_its_range_evenly() {
        let mut generator = generator(3, &[]);
        let mut counts = [0_u32; 6];
        for _ in 0..6000 {
            counts[below(&mut generator, bound(6)) as usize] += 1;
        }
        // Chi square with 5 degrees of freedom; 20.5 is its 0.999 quantile.
        let chi: f64 = counts
            .iter()
            .map(|&c| (f64::from(c) - 1000.0).powi(2) / 1000.0)
            .sum();
        assert!(chi < 20.5, "{counts:?}");
        assert_eq!(below(&mut generator, bound(1)), 0);
    }

    #[test]
    fn words_below_the_remainder_are_rejected() {
        // A quarter of all words is rejected for this bound; the plain remainder would give the
        // lowest third of the range the probability of one half.
        let wide = bound(3 << 62);
        let mut generator = generator(5, &[]);
        let low = (0..3000)
            .filter(|_| below(&mut generator, wide) < 1 << 62)
            .count();
        assert!((900..1100).contains(&low), "{low}");
    }

    #[test]
    fn every_order_of_three_is_as_likely() {
        let mut generator = generator(11, &[]);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..6000 {
            let mut items = [0, 1, 2];
            shuffle(&mut generator, &mut items);
            *counts.entry(items).or_insert(0_i32) += 1;
        }
        assert_eq!(counts.len(), 6);
        assert!(
            counts.values().all(|count| (count - 1000).abs() < 130),
            "{counts:?}"
        );
    }
}
