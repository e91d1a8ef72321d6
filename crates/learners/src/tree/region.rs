//! Regions: the examples that reach a node, with their weights, responses and lists in order.
//!
//! A region numbers its examples from 0. Dividing it copies what its children need and renumbers: deep nodes then
//! work on memory that lies together, and an example whose branch is unknown can stand in both children with a part
//! of its weight.

use rayon::prelude::*;

use super::columns::{Inputs, UNKNOWN, Values};
use super::presort::{Entry, RISES, picked, rises, row_of};
use super::propose::{Candidate, Division};
use super::response::Response;

/// The examples that reach a node.
pub struct Region<R: Response> {
    /// The row of each example in the task.
    pub rows: Vec<u32>,
    /// How much each example counts, if not all the same.
    pub weights: Option<Vec<f64>>,
    /// Their responses.
    pub local: R::Local,
    /// What they sum up to.
    pub whole: R::Summary,
}

/// For each input of many numbers the examples of a region that have one, in order; empty where they are never needed.
pub type Lists = Vec<Vec<Entry>>;

/// Work below this many entries is not worth sharing among threads.
const SHARED: usize = 100_000;

impl<R: Response> Region<R> {
    /// These rows of the task, with their weights if not all are the same.
    pub fn new(rows: Vec<u32>, weights: Option<Vec<f64>>, response: &R) -> Self {
        let local = response.gather(&rows);
        let mut whole = response.empty();
        for place in 0..rows.len() {
            let weight = weights.as_ref().map_or(1.0, |weights| weights[place]);
            response.add(&mut whole, &local, place, weight);
        }
        Self {
            rows,
            weights,
            local,
            whole,
        }
    }

    /// Number of examples, parts of examples included.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no example.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// How much an example counts.
    #[inline]
    pub fn weight(&self, place: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |weights| weights[place])
    }

    /// Whether work on all lists is worth sharing among threads.
    pub fn large(&self, inputs: usize) -> bool {
        self.len() * inputs > SHARED
    }

    /// The branch of each example by a candidate of this region: 0 where the test holds, 1 where not, 2 where unknown.
    pub fn branches(
        &self,
        lists: &[Vec<Entry>],
        inputs: &Inputs<'_>,
        candidate: &Candidate,
    ) -> Vec<u8> {
        const UNDECIDED: u8 = 2;
        match (&inputs.all[candidate.input].values, &candidate.division) {
            (Values::Ordered(list), Division::Above { below, .. }) => {
                let mut branches = vec![UNDECIDED; self.len()];
                for (place, &entry) in lists[*list].iter().enumerate() {
                    branches[row_of(entry)] = u8::from(place < *below);
                }
                branches
            }
            (Values::Ranked { ranks, numbers }, Division::Above { threshold, .. }) => {
                let above = numbers.partition_point(|number| number <= threshold) as u16;
                let branch = |&row: &u32| match ranks[row as usize] {
                    u16::MAX => UNDECIDED,
                    rank => u8::from(rank < above),
                };
                self.rows.iter().map(branch).collect()
            }
            (Values::Labels { codes, count }, Division::Among { values, .. }) => {
                let mut inside = vec![1u8; *count];
                values.iter().for_each(|&value| inside[value as usize] = 0);
                let branch = |&row: &u32| match codes[row as usize] {
                    UNKNOWN => UNDECIDED,
                    code => inside[code as usize],
                };
                self.rows.iter().map(branch).collect()
            }
            _ => unreachable!("a candidate divides by a test of its input's kind"),
        }
    }

    /// The two children by branch. `lists` are this region's, lent or given away: given ones are freed as they are divided.
    ///
    /// Only a child that is divided itself needs lists: `wanted` is asked by branch, once its summary is known.
    pub fn divide<L: AsRef<[Entry]> + Send>(
        &self,
        lists: Vec<L>,
        branches: &[u8],
        shares: [f64; 2],
        response: &R,
        wanted: impl Fn(usize, &R::Summary) -> bool,
    ) -> [(Self, Lists); 2] {
        let undecided = branches.contains(&2);
        let child = |branch: u8| {
            let inside = |own: u8| own == branch || own == 2;
            let count = branches.iter().filter(|&&own| inside(own)).count();
            let mut rows = Vec::with_capacity(count);
            let mut weights = self.weights.as_ref().map(|_| Vec::with_capacity(count));
            for (place, &own) in branches.iter().enumerate() {
                if inside(own) {
                    rows.push(self.rows[place]);
                    if let Some(weights) = &mut weights {
                        let part = if own == 2 {
                            shares[branch as usize]
                        } else {
                            1.0
                        };
                        weights.push(part * self.weight(place));
                    }
                }
            }
            Self::new(rows, weights, response)
        };
        debug_assert!(
            !undecided || self.weights.is_some(),
            "parts of examples need weights"
        );
        let (yes, no) = if self.large(lists.len()) {
            rayon::join(|| child(0), || child(1))
        } else {
            (child(0), child(1))
        };
        let wanted = [wanted(0, &yes.whole), wanted(1, &no.whole)];
        let large = self.large(lists.len());
        let [lists_yes, lists_no] =
            divided_lists(lists, branches, [yes.len(), no.len()], wanted, large);
        [(yes, lists_yes), (no, lists_no)]
    }
}

fn divided_lists<L: AsRef<[Entry]> + Send>(
    lists: Vec<L>,
    branches: &[u8],
    lengths: [usize; 2],
    wanted: [bool; 2],
    large: bool,
) -> [Lists; 2] {
    if wanted == [false, false] {
        return [Vec::new(), Vec::new()];
    }
    // Where an example stands in its child, with the branch in the lowest bit; an undecided one stands in both.
    let mut places = Vec::with_capacity(branches.len());
    let mut second = Vec::new();
    let mut next = [0u32; 2];
    for &branch in branches {
        if branch == 2 {
            places.push(BOTH | second.len() as u32);
            second.push(next);
            next[0] += 1;
            next[1] += 1;
        } else {
            places.push(next[branch as usize] << 1 | u32::from(branch));
            next[branch as usize] += 1;
        }
    }
    let divide = |list: L| divided(list.as_ref(), &places, &second, lengths, wanted);
    let pairs: Vec<[Vec<Entry>; 2]> = if large {
        lists.into_par_iter().map(divide).collect()
    } else {
        lists.into_iter().map(divide).collect()
    };
    let mut lists = [
        Vec::with_capacity(pairs.len()),
        Vec::with_capacity(pairs.len()),
    ];
    for [yes, no] in pairs {
        lists[0].push(yes);
        lists[1].push(no);
    }
    lists
}

/// Set in the place of an example that stands in both children.
const BOTH: u32 = 1 << 31;

/// A list divided, each part in order. A part whose values are all equal is left empty: no test can divide by them.
fn divided(
    list: &[Entry],
    places: &[u32],
    second: &[[u32; 2]],
    lengths: [usize; 2],
    wanted: [bool; 2],
) -> [Vec<Entry>; 2] {
    let mut parts = if second.is_empty() && wanted == [true, true] {
        halves(list, places, lengths)
    } else {
        [0, 1].map(|branch| {
            if !wanted[branch] {
                return Vec::new();
            }
            picked(list, |row| match places[row] {
                place if place & BOTH != 0 => Some(second[(place & !BOTH) as usize][branch]),
                place => ((place & 1) as usize == branch).then_some(place >> 1),
            })
        })
    };
    for part in &mut parts {
        if !part.iter().skip(1).any(|&entry| rises(entry)) {
            *part = Vec::new();
        }
    }
    parts
}

/// A list of which every example goes one way.
///
/// Each entry is written to both sides and kept on one: no branch for the processor to guess. One more place takes the last write.
fn halves(list: &[Entry], places: &[u32], lengths: [usize; 2]) -> [Vec<Entry>; 2] {
    let mut yes = vec![0; lengths[0] + 1];
    let mut no = vec![0; lengths[1] + 1];
    let (mut yes_end, mut no_end) = (0, 0);
    let (mut yes_rises, mut no_rises) = (0u32, 0u32);
    for &entered in list {
        let place = places[row_of(entered)];
        let rising = entered & RISES;
        yes_rises |= rising;
        no_rises |= rising;
        yes[yes_end] = place >> 1 | yes_rises;
        no[no_end] = place >> 1 | no_rises;
        // All ones for the branch that did not take the entry, whose rise is still to come.
        let branch = place & 1;
        yes_rises &= 0u32.wrapping_sub(branch);
        no_rises &= branch.wrapping_sub(1);
        yes_end += (1 - branch) as usize;
        no_end += branch as usize;
    }
    yes.truncate(yes_end);
    no.truncate(no_end);
    [yes, no]
}
