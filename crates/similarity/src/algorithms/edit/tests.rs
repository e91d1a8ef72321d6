//! All ways to an edit distance agree with the plain matrix, and scripts cost what they claim.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

fn symbols(text: &str) -> Vec<u32> {
    text.chars().map(u32::from).collect()
}

/// The whole matrix, straight from the definition.
fn matrix(a: usize, b: usize, costs: Costs, substitute: impl Fn(usize, usize) -> f64) -> f64 {
    let mut table = vec![vec![0.0; b + 1]; a + 1];
    for i in 0..=a {
        for j in 0..=b {
            let mut best = if i + j == 0 { 0.0 } else { f64::INFINITY };
            if i > 0 {
                best = table[i - 1][j] + costs.delete;
            }
            if j > 0 {
                best = f64::min(best, table[i][j - 1] + costs.insert);
            }
            if i > 0 && j > 0 {
                best = f64::min(best, table[i - 1][j - 1] + substitute(i - 1, j - 1));
            }
            table[i][j] = best;
        }
    }
    table[a][b]
}

fn naive(a: &[u32], b: &[u32], costs: Costs) -> f64 {
    matrix(a.len(), b.len(), costs, |i, j| match a[i] == b[j] {
        true => 0.0,
        false => costs.substitute,
    })
}

/// The unit distance by every route.
fn check_unit(a: &[u32], b: &[u32]) -> usize {
    let expected = naive(a, b, Costs::default()) as usize;
    let pattern = Pattern::new(a);
    assert_eq!(pattern.distance(b), expected, "{a:?} {b:?}");
    assert_eq!(levenshtein(a, b), expected);
    for bound in 0..=expected + 2 {
        let wanted = (expected <= bound).then_some(expected);
        assert_eq!(pattern.within(b, bound), wanted, "{bound} {a:?} {b:?}");
    }
    assert_eq!(pattern.within(b, usize::MAX), Some(expected));
    for copies in [0, 1, 3, 4, 5, 8, 17] {
        let mut out = vec![usize::MAX; copies];
        let half = &b[..b.len() / 2];
        pattern.distances((0..copies).map(|k| if k == 3 { half } else { b }), &mut out);
        for (k, &distance) in out.iter().enumerate() {
            let wanted = if k == 3 {
                naive(a, half, Costs::default()) as usize
            } else {
                expected
            };
            assert_eq!(distance, wanted);
        }
    }
    let prefixes = pattern.prefix_distances(b);
    assert_eq!(prefixes.len(), a.len() + 1);
    assert_eq!(prefixes.last(), Some(&expected));
    assert_eq!(prefixes[a.len() / 3], levenshtein(&a[..a.len() / 3], b));
    expected
}

/// Applies a script and sums its cost, checking each step on the way.
fn apply(edits: &[Edit], a: &[u32], b: &[u32], costs: Costs) -> f64 {
    let (mut i, mut j, mut cost) = (0, 0, 0.0);
    for edit in edits {
        assert_eq!((edit.left, edit.right), (i, j));
        match edit.step {
            Step::Keep => assert_eq!(a[i], b[j]),
            Step::Substitute => {
                assert_ne!(a[i], b[j]);
                cost += costs.substitute;
            }
            Step::Insert => cost += costs.insert,
            Step::Delete => cost += costs.delete,
        }
        i += usize::from(edit.step != Step::Insert);
        j += usize::from(edit.step != Step::Delete);
    }
    assert_eq!((i, j), (a.len(), b.len()));
    cost
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * (1.0 + a.abs())
}

#[test]
fn worked_examples() {
    assert_eq!(check_unit(&symbols("kitten"), &symbols("sitting")), 3);
    assert_eq!(check_unit(&symbols("saturday"), &symbols("sunday")), 3);
    assert_eq!(check_unit(&[], &[]), 0);
    assert_eq!(check_unit(&[], &[1, 2, 3]), 3);
    assert_eq!(check_unit(&[u32::MAX], &[u32::MAX]), 0);
    assert_eq!(check_unit(&[u32::MAX], &[0]), 1);
    assert_eq!(check_unit(&[5; 130], &[5; 64]), 66);
}

/// A sequence derived from another by a few edits, so that bounds matter.
fn pair(longest: usize, alphabet: u32) -> impl Strategy<Value = (Vec<u32>, Vec<u32>)> {
    let other = vec(0..alphabet, 0..longest);
    let edits = vec((any::<prop::sample::Index>(), 0..3u8, 0..alphabet), 0..12);
    (vec(0..alphabet, 0..longest), other, edits, any::<bool>()).prop_map(
        |(first, mut other, edits, near)| {
            if near {
                other.clone_from(&first);
                for (place, kind, symbol) in edits {
                    match (kind, other.len()) {
                        (0, _) | (_, 0) => other.insert(place.index(other.len() + 1), symbol),
                        (1, length) => drop(other.remove(place.index(length))),
                        (_, length) => other[place.index(length)] = symbol,
                    }
                }
            }
            (first, other)
        },
    )
}

fn some_costs() -> impl Strategy<Value = Costs> {
    let cost = || (0..9u8).prop_map(|quarters| f64::from(quarters) / 4.0);
    (cost(), cost(), cost()).prop_map(|(insert, delete, substitute)| Costs {
        insert,
        delete,
        substitute,
    })
}

/// Stretches symbols over the range where they are hashed.
fn spread(symbols: &[u32]) -> Vec<u32> {
    symbols
        .iter()
        .map(|symbol| symbol.wrapping_mul(0x0101_0101))
        .collect()
}

#[test]
fn free_edits() {
    let free = Costs {
        insert: 0.0,
        delete: 0.0,
        substitute: 0.0,
    };
    assert_eq!(Query::new(free, &[1, 2]).within(&[3, 4, 5], 0.0), Some(0.0));
    assert_eq!(Query::new(free, &[]).distance(&[]), 0.0);
}

kinwood_testing::soak! { 256;
    fn soak_bits_agree_with_the_matrix((a, b) in pair(300, 4)) {
        check_unit(&a, &b);
    }

    fn soak_hashed_symbols_agree_with_the_matrix((a, b) in pair(150, 300)) {
        prop_assert_eq!(check_unit(&spread(&a), &spread(&b)), levenshtein(&a, &b));
    }

    fn soak_weights_agree_with_the_matrix((a, b) in pair(40, 4), costs in some_costs()) {
        let expected = naive(&a, &b, costs);
        let query = Query::new(costs, &a);
        prop_assert!(close(query.distance(&b), expected));
        let mut out = [f64::NAN; 70];
        query.distances((0..70).map(|_| &b[..]), &mut out);
        prop_assert!(out.iter().all(|&distance| close(distance, expected)));
        for quarters in 0..40 {
            let bound = f64::from(quarters) / 4.0;
            let wanted = (expected <= bound).then_some(expected);
            prop_assert_eq!(query.within(&b, bound), wanted, "{}", bound);
        }
        prop_assert_eq!(query.within(&b, f64::INFINITY), Some(expected));
        prop_assert_eq!(query.within(&b, -1.0), None);
    }

    fn soak_item_distances_agree_with_the_matrix(a in vec(0..20u8, 0..30), b in vec(0..20u8, 0..30)) {
        let item = |i: usize, j: usize| f64::from(a[i].abs_diff(b[j])) / 8.0;
        let costs = Costs { insert: 0.5, delete: 0.75, substitute: 0.0 };
        let expected = matrix(a.len(), b.len(), costs, item);
        prop_assert_eq!(distance_with(a.len(), b.len(), 0.5, 0.75, item), expected);
        for eighths in 0..100 {
            let bound = f64::from(eighths) / 8.0;
            let wanted = (expected <= bound).then_some(expected);
            prop_assert_eq!(within_with(a.len(), b.len(), 0.5, 0.75, bound, item), wanted);
        }
        let mut cost = 0.0;
        for edit in script_with(a.len(), b.len(), 0.5, 0.75, item) {
            cost += match edit.step {
                Step::Keep => 0.0,
                Step::Substitute => item(edit.left, edit.right),
                Step::Insert => 0.5,
                Step::Delete => 0.75,
            };
        }
        prop_assert_eq!(cost, expected);
    }

    fn soak_scripts_cost_the_distance((a, b) in pair(60, 4), costs in some_costs()) {
        prop_assert!(close(apply(&script(costs, &a, &b), &a, &b, costs), naive(&a, &b, costs)));
        let unit = Costs::default();
        prop_assert_eq!(apply(&script(unit, &a, &b), &a, &b, unit), naive(&a, &b, unit));
    }

    fn soak_halving_costs_the_distance((a, b) in pair(60, 4), costs in some_costs(), bits in any::<bool>()) {
        let costs = if bits { Costs::default() } else { costs };
        let edits = script::with_budget(costs, &a, &b, 16);
        prop_assert!(close(apply(&edits, &a, &b, costs), naive(&a, &b, costs)));
    }

    fn soak_common_subsequence_agrees_with_the_matrix((a, b) in pair(700, 4)) {
        let costs = Costs { insert: 1.0, delete: 1.0, substitute: 2.0 };
        let common = (a.len() + b.len() - naive(&a, &b, costs) as usize) / 2;
        prop_assert_eq!(Pattern::new(&a).common_subsequence(&b), common);
    }
}

#[test]
fn patterns_of_many_strips_agree_with_the_matrix() {
    let mut state = 7u64;
    let mut next = |limit: u64| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) % limit
    };
    for (length, edits) in [(1100, 5), (1500, 200), (1030, 600), (2100, 90)] {
        let a: Vec<u32> = (0..length).map(|_| next(5) as u32).collect();
        let mut b = a.clone();
        for _ in 0..edits {
            let place = next(b.len() as u64) as usize;
            match next(3) {
                0 => b.insert(place, next(5) as u32),
                1 => drop(b.remove(place)),
                _ => b[place] = next(5) as u32,
            }
        }
        let expected = naive(&a, &b, Costs::default()) as usize;
        let pattern = Pattern::new(&a);
        assert_eq!(pattern.distance(&b), expected);
        let mut out = [0; 3];
        pattern.distances([&b[..], &b[3..], &b], &mut out);
        assert_eq!(out, [expected, levenshtein(&a, &b[3..]), expected]);
        for bound in [
            1,
            40,
            63,
            64,
            65,
            100,
            300,
            512,
            700,
            expected - 1,
            expected,
            expected + 1,
        ] {
            let wanted = (expected <= bound).then_some(expected);
            assert_eq!(pattern.within(&b, bound), wanted, "{length} {bound}");
        }
    }
}

#[test]
fn very_long_sequences() {
    // Every symbol its own, shifted by one: two edits, whatever the memory of a dense table would
    // be.
    let a: Vec<u32> = (0..100_000).collect();
    let b: Vec<u32> = (1..100_001).collect();
    let pattern = Pattern::new(&a);
    assert_eq!(pattern.within(&b, 10), Some(2));
    assert_eq!(pattern.within(&b, 200), Some(2));
    assert_eq!(Pattern::new(&a[..40_000]).distance(&b[..40_000]), 2);
    let edits = script(Costs::default(), &a[..20_000], &b[..20_000]);
    assert_eq!(
        apply(&edits, &a[..20_000], &b[..20_000], Costs::default()),
        2.0
    );
    assert_eq!(levenshtein(&[3; 20_000], &[4; 20_000]), 20_000);
}

/// The distances of a query to references in lanes.
fn beside(query: &[u32], references: &[Vec<u32>], range: std::ops::Range<usize>) -> Vec<u32> {
    let shorts = Shorts::new(|place| &references[place], references.len()).unwrap();
    let short = ShortQuery::new(&shorts, query).unwrap();
    let mut found = vec![u32::MAX; references.len()];
    let pattern = Pattern::new(query);
    let reference = |place: usize| references[place].as_slice();
    short.distances(range, &pattern, reference, |place, edits| {
        found[place] = edits
    });
    found
}

proptest! {
    #[test]
    fn lanes_give_the_distances_of_the_matrix(
        query in vec(0_u32..6, 0..70),
        references in vec(vec(0_u32..6, 0..40), 1..80),
        shorter in 1_usize..41,
        far in any::<bool>(),
        from in 0_usize..80,
    ) {
        let moved = |symbols: Vec<u32>| -> Vec<u32> {
            symbols.into_iter().map(|symbol| if far { symbol + 100_000 } else { symbol }).collect()
        };
        let query = moved(query);
        let mut references: Vec<Vec<u32>> = references.into_iter().map(moved).collect();
        references.iter_mut().for_each(|own| own.truncate(shorter));
        // One block at least has lanes.
        references.iter_mut().take(32).for_each(|own| own.truncate(32));
        let from = from % references.len();
        let found = beside(&query, &references, from..references.len());
        for (place, own) in references.iter().enumerate() {
            let expected = match place < from {
                true => u32::MAX,
                false => naive(&query, own, Costs::default()) as u32,
            };
            prop_assert_eq!(found[place], expected, "{} of {:?}", place, references);
        }
    }
}

#[test]
fn lanes_are_for_short_sequences_of_few_symbols() {
    let long = vec![vec![7_u32; 33]; 3];
    assert!(Shorts::new(|place| &long[place], 3).is_none());
    let many: Vec<Vec<u32>> = (0..400)
        .map(|own| vec![own * 3, own * 3 + 1, own * 3 + 2])
        .collect();
    assert!(Shorts::new(|place| &many[place], 400).is_none());
    let few = vec![vec![1_u32, 2], vec![], vec![2_u32; 32]];
    let shorts = Shorts::new(|place| &few[place], 3).unwrap();
    assert!(
        ShortQuery::new(&shorts, &[1; 256]).is_none(),
        "distances beyond a byte"
    );
    assert_eq!(beside(&[1; 255], &few, 0..3), [254, 255, 255]);
    assert_eq!(beside(&[], &few, 0..3), [2, 0, 32]);
}
