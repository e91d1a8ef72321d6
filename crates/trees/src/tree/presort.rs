//! Numbers in order, once for the whole growth: a column becomes a list of its rows by rising
//! value.
//!
//! Growing sorts nothing afterwards: a node's list is divided into its children's, and stays in
//! order.

/// An example of a list in order. Its highest bit says whether its value is greater than that of
/// the one before.
///
/// That is all a sweep needs to know of values, and half the memory of keeping them beside.
pub type Entry = u32;

/// Set in an entry whose value is greater than that of the one before.
pub const RISES: u32 = 1 << 31;

/// The example of an entry.
#[inline]
pub fn row_of(entry: Entry) -> usize {
    (entry & !RISES) as usize
}

/// Whether an entry's value is greater than that of the one before.
#[inline]
pub fn rises(entry: Entry) -> bool {
    entry & RISES != 0
}

/// The rows that have a value, by rising value, rows of equal values in their order; and the number
/// of distinct values.
pub fn sorted(values: impl Iterator<Item = (u32, f64)>) -> (Vec<Entry>, u32) {
    let mut keyed: Vec<(u64, u32)> = values.map(|(row, value)| (key(value), row)).collect();
    sort(&mut keyed);
    let entries: Vec<Entry> = marked(keyed.iter().copied()).collect();
    let steps = entries.iter().filter(|entry| rises(**entry)).count() as u32;
    let distinct = steps + u32::from(!entries.is_empty());
    (entries, distinct)
}

/// Examples in the order of their keys as entries.
pub fn marked(keyed: impl Iterator<Item = (u64, u32)>) -> impl Iterator<Item = Entry> {
    let mut before = None;
    keyed.map(move |(key, row)| {
        let rising = before.replace(key).is_some_and(|before| before != key);
        row | if rising { RISES } else { 0 }
    })
}

/// Some entries of a list, renumbered, as a list of their own: the greater value of one left out
/// passes to the next.
pub fn picked(list: &[Entry], place: impl Fn(usize) -> Option<u32>) -> Vec<Entry> {
    let mut pending = 0;
    let pick = |&entry: &Entry| {
        pending |= entry & RISES;
        let place = place(row_of(entry))?;
        Some(place | std::mem::take(&mut pending))
    };
    list.iter().filter_map(pick).collect()
}

/// Bits that order as the numbers do; both zeros have the same.
fn key(value: f64) -> u64 {
    let bits = (value + 0.0).to_bits();
    if bits >> 63 == 0 {
        bits | 1 << 63
    } else {
        !bits
    }
}

/// Below this many a comparison sort is faster than three passes over the digits' counts.
const FEW: usize = 2_000;
const DIGIT: u32 = 11;

/// Sorts by key, equal keys staying in their order: by digits of the upper half, then by comparison
/// where those agree.
fn sort(keyed: &mut Vec<(u64, u32)>) {
    if keyed.len() < FEW {
        keyed.sort_unstable();
        return;
    }
    let mut other = vec![(0u64, 0u32); keyed.len()];
    for shift in [32, 32 + DIGIT, 32 + 2 * DIGIT] {
        let digit = |key: u64| (key >> shift) as usize & ((1 << DIGIT) - 1);
        let mut starts = vec![0u32; 1 << DIGIT];
        for &(key, _) in keyed.iter() {
            starts[digit(key)] += 1;
        }
        if starts.iter().any(|&count| count as usize == keyed.len()) {
            continue;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += std::mem::replace(start, sum);
        }
        for &pair in keyed.iter() {
            let start = &mut starts[digit(pair.0)];
            other[*start as usize] = pair;
            *start += 1;
        }
        std::mem::swap(keyed, &mut other);
    }
    let mut start = 0;
    while start < keyed.len() {
        let upper = keyed[start].0 >> 32;
        let mut end = start + 1;
        while end < keyed.len() && keyed[end].0 >> 32 == upper {
            end += 1;
        }
        if end - start > 1
            && keyed[start..end]
                .windows(2)
                .any(|pair| pair[0].0 > pair[1].0)
        {
            keyed[start..end].sort_unstable();
        }
        start = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kinwood_learning::random::Generator;

    fn check(values: &[f64]) {
        let pairs = values.iter().enumerate();
        let pairs = pairs.map(|(row, &value)| (row as u32, value));
        let (entries, distinct) = sorted(pairs.clone());
        let mut plain: Vec<(u32, f64)> = pairs.collect();
        plain.sort_by(|a, b| a.1.partial_cmp(&b.1).unwrap());
        let rows = entries.iter().map(|&entry| row_of(entry) as u32);
        assert!(rows.eq(plain.iter().map(|pair| pair.0)));
        for (entry, values) in entries[1.min(entries.len())..].iter().zip(plain.windows(2)) {
            assert_eq!(rises(*entry), values[0].1 != values[1].1);
        }
        let mut unique: Vec<f64> = plain.iter().map(|pair| pair.1 + 0.0).collect();
        unique.dedup();
        assert_eq!(distinct as usize, unique.len());
    }

    #[test]
    fn a_picked_list_knows_where_values_rise() {
        let values = [1.0, 1.0, 2.0, 3.0, 3.0];
        let (entries, _) = sorted((0..).zip(values));
        let picked = picked(&entries, |row| [Some(0), Some(1), None, None, Some(2)][row]);
        assert_eq!(
            picked
                .iter()
                .map(|entry| row_of(*entry))
                .collect::<Vec<_>>(),
            [0, 1, 2]
        );
        assert_eq!(
            picked.iter().map(|entry| rises(*entry)).collect::<Vec<_>>(),
            [false, false, true]
        );
    }

    #[test]
    fn as_a_plain_sort_has_it() {
        let mut generator = Generator::new(1, &[]);
        check(&[]);
        check(&[0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, -0.0]);
        for rows in [10, 5_000] {
            let normal: Vec<f64> = (0..rows).map(|_| generator.normal()).collect();
            check(&normal);
            let close: Vec<f64> = normal.iter().map(|x| 1.0 + x * 1e-14).collect();
            check(&close);
            let whole: Vec<f64> = normal.iter().map(|x| (x * 3.0).round()).collect();
            check(&whole);
        }
    }
}
