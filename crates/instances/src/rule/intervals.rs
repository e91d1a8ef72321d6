//! Cutting a number into intervals, as 1R does.

use super::{Tally, most};

/// The cuts between intervals, and the class weights in each: one more than cuts.
///
/// Equal numbers stay together, so the result does not depend on the order of rows. An interval is
/// filled until one class weighs at least `bucket`, then takes what follows as long as it is all of
/// that class; only the last may hold less. Neighbours with the same class become one; where an
/// interval is undecided and its predecessor's class is among its most frequent, it counts for that
/// class.
pub(super) fn intervals(
    mut examples: Vec<(f64, u32, f64)>,
    classes: usize,
    bucket: f64,
) -> (Vec<f64>, Vec<Tally>) {
    examples.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut groups: Vec<(f64, Tally)> = Vec::new();
    for (number, class, weight) in examples {
        if groups.last().is_none_or(|(last, _)| *last != number) {
            groups.push((number, vec![0.0; classes]));
        }
        if let Some((_, tally)) = groups.last_mut() {
            tally[class as usize] += weight;
        }
    }
    let mut filled: Vec<(f64, f64, Tally)> = Vec::new();
    let mut group = 0;
    while group < groups.len() {
        let first = groups[group].0;
        let mut tally = vec![0.0; classes];
        while group < groups.len() && tally[most(&tally)] < bucket {
            add(&mut tally, &groups[group].1);
            group += 1;
        }
        let class = most(&tally);
        while group < groups.len() && pure(&groups[group].1, class) {
            add(&mut tally, &groups[group].1);
            group += 1;
        }
        let last = groups[group - 1].0;
        filled.push((first, last, tally));
    }
    let mut cuts = Vec::new();
    let mut merged: Vec<(f64, usize, Tally)> = Vec::new();
    for (first, last, tally) in filled {
        let class = most(&tally);
        match merged.last_mut() {
            Some((end, said, before)) if class == *said || tally[*said] == tally[class] => {
                add(before, &tally);
                *end = last;
            }
            Some((end, ..)) => {
                cuts.push(between(*end, first));
                merged.push((last, class, tally));
            }
            None => merged.push((last, class, tally)),
        }
    }
    let mut tallies: Vec<Tally> = merged.into_iter().map(|(.., tally)| tally).collect();
    if tallies.is_empty() {
        tallies.push(vec![0.0; classes]);
    }
    (cuts, tallies)
}

fn add(tally: &mut Tally, more: &[f64]) {
    tally
        .iter_mut()
        .zip(more)
        .for_each(|(weight, more)| *weight += more);
}

fn pure(tally: &[f64], class: usize) -> bool {
    tally
        .iter()
        .enumerate()
        .all(|(other, weight)| other == class || *weight == 0.0)
}

/// The middle of two numbers, above the lower one even where no number lies between.
fn between(lower: f64, upper: f64) -> f64 {
    let middle = lower / 2.0 + upper / 2.0;
    if middle > lower { middle } else { upper }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(numbers: &[f64], classes: &[u32], bucket: f64) -> (Vec<f64>, Vec<Tally>) {
        let examples = numbers
            .iter()
            .zip(classes)
            .map(|(&number, &class)| (number, class, 1.0))
            .collect();
        intervals(examples, 2, bucket)
    }

    #[test]
    fn an_interval_holds_enough_of_its_class() {
        // Temperatures of Holte's kind: with 3 a side, the cut falls where the class turns.
        let (cuts, tallies) = cut(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &[0, 0, 0, 1, 1, 1], 3.0);
        assert_eq!(cuts, [3.5]);
        assert_eq!(tallies, [[3.0, 0.0], [0.0, 3.0]]);
    }

    #[test]
    fn only_the_last_interval_may_hold_less() {
        let (cuts, tallies) = cut(&[1.0, 2.0, 3.0, 4.0, 5.0], &[0, 0, 0, 1, 1], 3.0);
        assert_eq!(cuts, [3.5]);
        assert_eq!(tallies, [[3.0, 0.0], [0.0, 2.0]]);
    }

    #[test]
    fn equal_numbers_are_never_parted() {
        let (cuts, _) = cut(&[1.0, 1.0, 1.0, 1.0, 2.0, 2.0], &[0, 0, 1, 1, 1, 1], 2.0);
        assert!(cuts.iter().all(|cut| *cut > 1.0 && *cut <= 2.0), "{cuts:?}");
    }

    #[test]
    fn neighbours_that_say_the_same_are_one() {
        let (cuts, tallies) = cut(&[1.0, 2.0, 3.0, 4.0, 5.0], &[0, 1, 0, 1, 0], 2.0);
        assert!(cuts.is_empty(), "{cuts:?}");
        assert_eq!(tallies, [[3.0, 2.0]]);
    }

    #[test]
    fn no_numbers_make_one_empty_interval() {
        assert_eq!(cut(&[], &[], 6.0), (vec![], vec![vec![0.0, 0.0]]));
    }
}
