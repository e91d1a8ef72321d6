//! Thresholds of a number: one sweep over the examples in order.

use std::cell::RefCell;

use super::{Candidate, Division, Problem};
use crate::tree::presort::{Entry, RISES, marked, rises, row_of};
use crate::tree::region::Region;
use crate::tree::response::{Cut, Ordered, Ranked, RankedCut, Response};

thread_local! {
    /// Room for the lists of few-valued numbers, which are made anew in every region.
    static ROOM: RefCell<Room> = RefCell::default();
}

#[derive(Default)]
struct Room {
    keyed: Vec<u64>,
    starts: Vec<u32>,
    list: Vec<Entry>,
}

/// The examples of a region in the order of few-valued numbers, for some work.
pub fn with_ordered<A>(
    rows: &[u32],
    ranks: &[u16],
    values: usize,
    work: impl FnOnce(&[Entry]) -> A,
) -> A {
    // Taken out while in use: work that is itself divided among threads may come back to this one.
    let mut room = ROOM.take();
    room.order(rows, ranks, values);
    let answer = work(&room.list);
    ROOM.set(room);
    answer
}

impl Room {
    fn order(&mut self, rows: &[u32], ranks: &[u16], values: usize) {
        let known = rows.iter().enumerate().filter_map(|(place, &row)| {
            let rank = ranks[row as usize];
            (rank != u16::MAX).then_some((rank, place as u32))
        });
        self.list.clear();
        if rows.len() < values || rows.len() < 32 {
            self.keyed.clear();
            self.keyed
                .extend(known.map(|(rank, place)| u64::from(rank) << 32 | u64::from(place)));
            self.keyed.sort_unstable();
            let keyed = self.keyed.iter().map(|key| (key >> 32, *key as u32));
            self.list.extend(marked(keyed));
            return;
        }
        self.starts.clear();
        self.starts.resize(values + 1, 0);
        for &row in rows {
            let rank = ranks[row as usize];
            if rank != u16::MAX {
                self.starts[rank as usize + 1] += 1;
            }
        }
        for rank in 1..=values {
            self.starts[rank] += self.starts[rank - 1];
        }
        self.list.resize(self.starts[values] as usize, 0);
        for (rank, place) in known {
            let start = &mut self.starts[rank as usize];
            self.list[*start as usize] = place;
            *start += 1;
        }
        // Each start is now where the next value begins.
        for &next in &self.starts {
            if let Some(entry) = self.list.get_mut(next as usize).filter(|_| next > 0) {
                *entry |= RISES;
            }
        }
    }
}

/// The best threshold of few-valued numbers by counting, where that is sooner than putting them in
/// order.
pub fn counted<R: Response>(
    problem: &Problem<'_, R>,
    region: &Region<R>,
    input: usize,
    (ranks, numbers): (&[u16], &[f64]),
) -> Option<Option<Candidate>> {
    if region.weights.is_some() || problem.inputs.all[input].gaps {
        return None;
    }
    let ranked = Ranked {
        rows: &region.rows,
        ranks,
        values: numbers.len(),
    };
    let found = problem.response.cut_by_counting(
        &ranked,
        &region.local,
        &region.whole,
        problem.rules.least,
    )?;
    let candidate = found.map(|RankedCut { ranks, cut }| {
        let [below, above] = ranks.map(|rank| numbers[rank]);
        let lower = cut.below as f64 / region.len() as f64;
        Candidate {
            input,
            division: Division::Above {
                below: cut.below,
                threshold: if problem.rules.middle {
                    midway(below, above)
                } else {
                    below
                },
            },
            spread: cut.spread,
            shares: vec![1.0 - lower, lower],
            chance: 0.0,
        }
    });
    Some(candidate)
}

/// The best threshold of an input, its examples being in order.
pub fn propose<R: Response>(
    problem: &Problem<'_, R>,
    region: &Region<R>,
    input: usize,
    list: &[Entry],
) -> Option<Candidate> {
    if list.is_empty() {
        return None;
    }
    let response = &problem.response;
    let ordered = Ordered {
        entries: list,
        local: &region.local,
        weights: region.weights.as_deref(),
    };
    let (cut, shares) = if list.len() == region.len() {
        let cut = response.cut(&ordered, &region.whole, problem.rules.least)?;
        let below = match ordered.weights {
            None => cut.below as f64,
            Some(_) => list[..cut.below]
                .iter()
                .map(|&entry| region.weight(row_of(entry)))
                .sum(),
        };
        let lower = below / response.weight(&region.whole);
        (cut, [1.0 - lower, lower])
    } else {
        cut_with_unknown(problem, region, &ordered)?
    };
    let (below, above) = (list[cut.below - 1], list[cut.below]);
    let value = |entry: Entry| problem.inputs.number(input, region.rows[row_of(entry)]);
    let threshold = if problem.rules.middle {
        midway(value(below), value(above))
    } else {
        value(below)
    };
    Some(Candidate {
        input,
        division: Division::Above {
            below: cut.below,
            threshold,
        },
        spread: cut.spread,
        shares: shares.to_vec(),
        chance: 0.0,
    })
}

/// The cut that is least spread in sum where some examples of the region have no value: those count
/// in both branches, by the branches' shares. Of equal cuts the last; also the shares of the upper
/// and the lower part.
fn cut_with_unknown<R: Response>(
    problem: &Problem<'_, R>,
    region: &Region<R>,
    list: &Ordered<'_, R::Local>,
) -> Option<(Cut, [f64; 2])> {
    let response = &problem.response;
    let add = |summary: &mut R::Summary, example: usize| {
        response.add(summary, &region.local, example, region.weight(example));
    };
    let mut known = vec![false; region.len()];
    let mut upper = response.empty();
    for &entry in list.entries {
        known[row_of(entry)] = true;
        add(&mut upper, row_of(entry));
    }
    let mut unknown = response.empty();
    for (example, _) in known.iter().enumerate().filter(|(_, known)| !**known) {
        add(&mut unknown, example);
    }
    let least = problem.rules.least;
    let mut lower = response.empty();
    let mut best: Option<(Cut, [f64; 2])> = None;
    for (place, pair) in list.entries.windows(2).enumerate() {
        let example = row_of(pair[0]);
        add(&mut lower, example);
        response.remove(&mut upper, &region.local, example, region.weight(example));
        if !rises(pair[1]) || response.rows(&lower) < least {
            continue;
        }
        if response.rows(&upper) < least {
            break;
        }
        let (spread, shares) = problem.spreads([&upper, &lower], Some(&unknown));
        if best.is_none_or(|(best, _)| spread <= best.spread + response.slack()) {
            let below = place + 1;
            best = Some((Cut { below, spread }, shares));
        }
    }
    best
}

/// A number between two, never the upper one itself.
pub fn midway(lower: f64, upper: f64) -> f64 {
    let middle = lower / 2.0 + upper / 2.0;
    if middle >= lower && middle < upper {
        middle
    } else {
        lower
    }
}

#[cfg(test)]
mod tests {
    use crate::tree::columns::Layout;
    use proptest::prelude::*;

    use super::*;
    use crate::tree::response::{Impurity, UnitClasses};

    #[test]
    fn counting_orders_as_sorting_does() {
        let ranks: Vec<u16> = (0..200u16)
            .map(|row| if row % 9 == 0 { u16::MAX } else { row * 7 % 5 })
            .collect();
        let rows: Vec<u32> = (0..200).collect();
        let counted = with_ordered(&rows, &ranks, 5, <[Entry]>::to_vec);
        let sorted = with_ordered(&rows, &ranks, 1_000, <[Entry]>::to_vec);
        assert_eq!(counted, sorted);
    }

    kinwood_testing::soak! { 256;
        fn soak_counting_cuts_as_sweeping_does(
            rows in proptest::collection::vec((0u16..4, 0u32..3), 24..80),
            classes in 2u32..4,
            least in 1usize..5,
            gini in any::<bool>(),
        ) {
            let impurity = if gini { Impurity::Gini } else { Impurity::Entropy };
            let codes: Vec<u32> = rows.iter().map(|row| row.1 % classes).collect();
            let ranks: Vec<u16> = rows.iter().map(|row| row.0).collect();
            let response = UnitClasses::new(codes, classes as usize, impurity);
            let region = Region::new((0..rows.len() as u32).collect(), None, &response, Layout::default());
            let numbers = Ranked { rows: &region.rows, ranks: &ranks, values: 4 };
            let counted = response
                .cut_by_counting(&numbers, &region.local, &region.whole, least as f64)
                .expect("enough rows to count");
            let swept = with_ordered(&region.rows, &ranks, 4, |entries| {
                let list = Ordered { entries, local: &region.local, weights: None };
                response.cut(&list, &region.whole, least as f64)
            });
            prop_assert_eq!(counted.map(|found| found.cut.below), swept.map(|cut| cut.below));
            if let (Some(counted), Some(swept)) = (counted, swept) {
                prop_assert!((counted.cut.spread - swept.spread).abs() < 1e-9);
                let largest = ranks.iter().filter(|rank| **rank as usize <= counted.ranks[0]).count();
                prop_assert_eq!(largest, swept.below);
                prop_assert!(ranks.contains(&(counted.ranks[0] as u16)) && ranks.contains(&(counted.ranks[1] as u16)));
            }
        }
    }

    #[test]
    fn midway_stays_below_the_upper_value() {
        assert_eq!(midway(1.0, 2.0), 1.5);
        let next = f64::from_bits(1.0f64.to_bits() + 1);
        assert_eq!(midway(1.0, next), 1.0);
        assert_eq!(midway(f64::NEG_INFINITY, 1.0), f64::NEG_INFINITY);
        assert_eq!(midway(f64::MAX, f64::INFINITY), f64::MAX);
    }
}
