//! Groups of examples by a number: the range is cut where the numbers are then least spread, the
//! best cut first.

use super::Grouping;
use super::sums::Sums;
use crate::tree::code::UNKNOWN;

/// The classes of examples as groups.
pub fn by_class(classes: impl Iterator<Item = u32>, count: usize) -> Grouping {
    Grouping {
        of: classes.collect(),
        count,
    }
}

/// Groups of numbers, at most so many; an example whose number is none is in no group.
pub fn by_number(numbers: &[f64], weight: impl Fn(usize) -> f64, most: usize) -> Grouping {
    let mut order: Vec<usize> = (0..numbers.len())
        .filter(|&place| !numbers[place].is_nan())
        .collect();
    order.sort_by(|&a, &b| numbers[a].total_cmp(&numbers[b]).then(a.cmp(&b)));
    let cut = |from: usize, to: usize| best_cut(&order[from..to], numbers, &weight);
    // Each piece with its best cut, and what that gains.
    let mut pieces = vec![(0, order.len(), cut(0, order.len()))];
    // A target without classes has no number of groups of its own: two, unless more are asked for.
    while pieces.len() < most {
        let best = pieces.iter().enumerate().filter_map(|(place, piece)| {
            let (at, gain) = piece.2?;
            Some((place, at, gain))
        });
        let best = best.reduce(|best, other| if other.2 > best.2 { other } else { best });
        let Some((place, at, _)) = best else {
            break;
        };
        let (from, to, _) = pieces[place];
        let at = from + at;
        pieces[place] = (from, at, cut(from, at));
        pieces.push((at, to, cut(at, to)));
    }
    pieces.sort_by_key(|piece| piece.0);
    let mut of = vec![UNKNOWN; numbers.len()];
    for (group, (from, to, _)) in pieces.iter().enumerate() {
        order[*from..*to]
            .iter()
            .for_each(|&place| of[place] = group as u32);
    }
    Grouping {
        of,
        count: pieces.len(),
    }
}

/// Where numbers in order are best cut, and by how much their spread falls.
fn best_cut(
    order: &[usize],
    numbers: &[f64],
    weight: &impl Fn(usize) -> f64,
) -> Option<(usize, f64)> {
    let mut above = Sums::default();
    for &place in order {
        above.add(numbers[place], weight(place));
    }
    let whole = above.deviations();
    let mut below = Sums::default();
    let mut best: Option<(usize, f64)> = None;
    for (at, pair) in order.windows(2).enumerate() {
        below.add(numbers[pair[0]], weight(pair[0]));
        above.add(numbers[pair[0]], -weight(pair[0]));
        if numbers[pair[0]] == numbers[pair[1]] {
            continue;
        }
        let gain = whole - below.deviations() - above.deviations();
        if best.is_none_or(|(_, most)| gain > most * (1.0 + 1e-12)) {
            best = Some((at + 1, gain));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_cut_where_they_are_apart() {
        let numbers = [5.0, 1.0, f64::NAN, 1.2, 5.1, 9.0];
        let two = by_number(&numbers, |_| 1.0, 2);
        assert_eq!(two.of, [1, 0, UNKNOWN, 0, 1, 1]);
        let three = by_number(&numbers, |_| 1.0, 3);
        assert_eq!(three.of, [1, 0, UNKNOWN, 0, 1, 2]);
        assert_eq!(by_number(&[3.0, 3.0], |_| 1.0, 2).count, 1);
        assert_eq!(by_number(&numbers, |_| 1.0, 50).count, 5);
    }
}
