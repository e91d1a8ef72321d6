//! Regions: the examples that reach a node, with their weights, responses and lists in order.
//!
//! A region numbers its examples from 0. Dividing it copies what its children need and renumbers: deep nodes then
//! work on memory that lies together, and an example whose branch is unknown can stand in both children with a part
//! of its weight.

use rayon::prelude::*;

use super::columns::{Inputs, UNKNOWN, Values};
use super::presort::{Entry, entry, rank_of, row_of};
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
const SHARED: usize = 50_000;

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
            (Values::Ordered(list), Division::Above { rank, .. }) => {
                let mut branches = vec![UNDECIDED; self.len()];
                for &entry in &lists[*list] {
                    branches[row_of(entry)] = u8::from(rank_of(entry) <= *rank);
                }
                branches
            }
            (Values::Ranked { ranks, .. }, Division::Above { rank, .. }) => {
                let branch = |&row: &u32| match ranks[row as usize] {
                    u16::MAX => UNDECIDED,
                    own => u8::from(u32::from(own) <= *rank),
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
        let [yes, no] = [child(0), child(1)];
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

/// A list divided, each part in order.
fn divided(
    list: &[Entry],
    places: &[u32],
    second: &[[u32; 2]],
    lengths: [usize; 2],
    wanted: [bool; 2],
) -> [Vec<Entry>; 2] {
    if !second.is_empty() {
        let mut parts = [0, 1]
            .map(|branch| Vec::with_capacity(if wanted[branch] { lengths[branch] } else { 0 }));
        for &entered in list {
            let (rank, place) = (rank_of(entered), places[row_of(entered)]);
            if place & BOTH != 0 {
                let both = second[(place & !BOTH) as usize];
                for branch in [0, 1] {
                    if wanted[branch] {
                        parts[branch].push(entry(rank, both[branch]));
                    }
                }
            } else if wanted[(place & 1) as usize] {
                parts[(place & 1) as usize].push(entry(rank, place >> 1));
            }
        }
        return parts;
    }
    if wanted != [true, true] {
        let branch = usize::from(wanted[1]);
        let mut part = Vec::with_capacity(lengths[branch]);
        for &entered in list {
            let place = places[row_of(entered)];
            if (place & 1) as usize == branch {
                part.push(entry(rank_of(entered), place >> 1));
            }
        }
        return if branch == 0 {
            [part, Vec::new()]
        } else {
            [Vec::new(), part]
        };
    }
    // Written to both sides and kept on one: no branch for the processor to guess. One more place takes the last write.
    let mut parts = lengths.map(|length| vec![0; length + 1]);
    let mut ends = [0usize; 2];
    let [yes, no] = &mut parts;
    for &entered in list {
        let place = places[row_of(entered)];
        let moved = entry(rank_of(entered), place >> 1);
        yes[ends[0]] = moved;
        no[ends[1]] = moved;
        let branch = (place & 1) as usize;
        ends[0] += 1 - branch;
        ends[1] += branch;
    }
    for (part, end) in parts.iter_mut().zip(ends) {
        part.truncate(end);
    }
    parts
}
