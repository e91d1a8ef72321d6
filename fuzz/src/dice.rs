//! Random numbers for mutations: a few nanoseconds each, for a million inputs a second are made.
//!
//! What is learned from data draws from `Generator`, whose streams are the same for ever; here only
//! speed counts, and that a number of a run gives the same input again.

/// A generator that multiplies and folds (W. Yi, wyrand).
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// The dice of one run under a seed.
    pub fn new(seed: u64, run: u64) -> Self {
        let mut dice = Self(seed ^ run.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        dice.bits();
        dice
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0xA076_1D64_78BD_642F);
        let product = u128::from(self.0) * u128::from(self.0 ^ 0xE703_7ED1_A0B4_28DB);
        (product >> 64) as u64 ^ product as u64
    }

    /// A number below the limit; 0 for a limit of 0.
    pub fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.bits()) * limit as u128) >> 64) as usize
    }

    /// True once in so many times.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of these, of which there is at least one.
    pub fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_below_their_limit_and_reach_all_of_it() {
        let mut dice = Dice::new(1, 2);
        let mut met = [0; 7];
        (0..7000).for_each(|_| met[dice.below(7)] += 1);
        assert!(
            met.iter().all(|count| (800..1200).contains(count)),
            "{met:?}"
        );
        assert_eq!(dice.below(0), 0);
    }
}
