//! Whether values that all occur in a key do so by chance.

use crate::keys::profile::{Kind, Profile};

/// So many nats of surprise leave no doubt.
const ENOUGH_NATS: f64 = 25.0;
/// Fewer keys can be covered by chance.
const FEWEST_KEYS: usize = 15;
/// Ends of scales that people count along; columns that cover them need not refer to anything.
const SCALES: [usize; 23] = [
    10, 12, 15, 16, 20, 24, 25, 28, 30, 31, 32, 48, 50, 52, 53, 60, 64, 90, 100, 128, 180, 365, 366,
];

/// How sure one is that values which all occur in a key do so on purpose, and why.
///
/// Where keys are rare among the numbers in between, `d` distinct values hit only keys with
/// probability `density^d`. Where keys are numbered through, any number in between is one; then
/// only values that reach over all keys speak for a reference, and not even those if people count
/// that far.
pub(super) fn beyond_chance(profile: &Profile, key: &Profile) -> (f64, &'static str) {
    const ONLY_KEYS: &str = "chance would not hit only keys";
    let distinct = profile.distinct() as f64;
    let coverage = distinct / key.distinct() as f64;
    match (profile.kind, key.kind) {
        (
            Kind::Whole { least, greatest },
            Kind::Whole {
                least: from,
                greatest: to,
            },
        ) => {
            let nats = -distinct * key.density(least, greatest).ln();
            let rare = 0.9 * (nats / ENOUGH_NATS).min(1.0);
            // Values drawn from all keys come near both ends; values of another meaning end
            // anywhere.
            let margin = 3.0 * (to - from) / distinct;
            let tight = least - from <= margin && to - greatest <= margin && coverage >= 0.3;
            let reaching = if key.distinct() < FEWEST_KEYS || !tight {
                0.0
            } else if coverage >= 0.98 && !SCALES.contains(&key.distinct()) {
                0.75
            } else {
                0.5
            };
            if rare >= reaching {
                (rare, ONLY_KEYS)
            } else {
                (reaching, "they reach over all the keys")
            }
        }
        (Kind::Text { length }, Kind::Text { .. }) => {
            // Words of a dictionary do not occur in another column by chance; single letters may.
            let nats = distinct * if length >= 3.0 { 3.0 } else { 1.0 };
            (0.9 * (nats / ENOUGH_NATS).min(1.0), ONLY_KEYS)
        }
        _ => (0.0, ONLY_KEYS),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::Column;
    use crate::keys::profile::CodeBook;

    fn sure(values: impl Iterator<Item = u32>, keys: impl Iterator<Item = u32>) -> f64 {
        let mut book = CodeBook::default();
        let column = |numbers: Vec<f64>| Column::numeric(numbers);
        let keys = Profile::of(&column(keys.map(f64::from).collect()), &mut book).unwrap();
        let values = Profile::of(&column(values.map(f64::from).collect()), &mut book).unwrap();
        assert_eq!(values.within(&keys).rows, values.present);
        beyond_chance(&values, &keys).0
    }

    #[test]
    fn small_numbers_occur_in_any_numbering() {
        assert_eq!(sure(1..=5, 1..=1000), 0.0);
        assert_eq!(sure(1..=5, 1..=5), 0.0);
        assert!(sure(18..=90, 1..=1000) < 0.1);
    }

    #[test]
    fn hitting_only_rare_keys_or_all_keys_is_no_chance() {
        assert!(sure((1..50).map(|i| i * 70), (1..1000).map(|i| i * 7)) > 0.85);
        assert!(sure(1..=77, 1..=77) > 0.7);
        assert!(sure(1..=31, 1..=31) <= 0.5, "days of a month");
    }
}
