//! Regions: the examples that reach a node, with their weights, responses and lists in order.
//!
//! A region numbers its examples from 0. Dividing it copies what its children need and renumbers:
//! deep nodes then work on memory that lies together, and an example whose branch is unknown can
//! stand in both children with a part of its weight.

use std::collections::HashMap;

use rayon::prelude::*;

use super::code::UNKNOWN;
use super::columns::{Inputs, Layout, Values};
use super::division::{Candidate, Division};
use super::presort::{Entry, RISES, picked, rises, row_of};
use super::response::{Examples, Response};

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
    /// The tree of a forest that it is a part of.
    pub tree: u32,
    /// From what its random numbers are drawn, where a search draws any: the branches that lead
    /// here.
    pub stream: u64,
    /// From which size on it is divided by several threads.
    pub layout: Layout,
}

/// The branch of an example whose value is unknown.
pub const UNDECIDED: u8 = u8::MAX;

/// For each input of many numbers the examples of a region that have one, in order; empty where
/// they are never needed.
pub type Lists = Vec<Vec<Entry>>;

/// Examples that a thread takes at a time.
const CHUNK: usize = 1 << 15;

/// The numbers of so few examples are compared with a threshold one by one: to find the threshold
/// among all numbers there are takes a dozen steps that wait for each other.
const COMPARED: usize = 64;

impl<R: Response> Region<R> {
    /// These rows of the task, with their weights if not all are the same.
    pub fn new(rows: Vec<u32>, weights: Option<Vec<f64>>, response: &R, layout: Layout) -> Self {
        let local = response.gather(&rows);
        let whole = response.sum(&local, rows.len(), weights.as_deref());
        Self {
            rows,
            weights,
            local,
            whole,
            tree: 0,
            stream: 0,
            layout,
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

    /// Its examples, as far as a response needs them to form groups.
    pub fn examples(&self) -> Examples<'_, R::Summary> {
        Examples {
            rows: &self.rows,
            weights: self.weights.as_deref(),
            whole: &self.whole,
        }
    }

    /// Whether work on all lists is worth sharing among threads.
    pub fn large(&self, inputs: usize) -> bool {
        self.len() * inputs > self.layout.shared
    }

    /// The branch of each example by a candidate of this region; [`UNDECIDED`] where its value is
    /// unknown.
    pub fn branches(
        &self,
        lists: &[Vec<Entry>],
        inputs: &Inputs<'_>,
        candidate: &Candidate,
    ) -> Vec<u8> {
        match (&inputs.all[candidate.input].values, &candidate.division) {
            (Values::Ordered(_), Division::Above { threshold, .. })
                if self.large(inputs.all.len()) =>
            {
                // In the order of rows the numbers lie in order in memory, and threads share them.
                let branch = |&row: &u32| match inputs.number(candidate.input, row) {
                    number if number.is_nan() => UNDECIDED,
                    number => u8::from(number <= *threshold),
                };
                let mut branches = vec![0; self.len()];
                let parts = branches.par_chunks_mut(CHUNK);
                parts
                    .zip(self.rows.par_chunks(CHUNK))
                    .for_each(|(branches, rows)| {
                        for (to, row) in branches.iter_mut().zip(rows) {
                            *to = branch(row);
                        }
                    });
                branches
            }
            (Values::Ordered(list), Division::Above { below, .. }) => {
                let mut branches = vec![UNDECIDED; self.len()];
                for (place, &entry) in lists[*list].iter().enumerate() {
                    branches[row_of(entry)] = u8::from(place < *below);
                }
                branches
            }
            (Values::Ranked { ranks, numbers }, Division::Above { threshold, .. })
                if self.len() <= COMPARED && !inputs.all[candidate.input].gaps =>
            {
                let number = |row: u32| numbers[ranks[row as usize] as usize];
                let rows = self.rows.iter();
                rows.map(|&row| u8::from(number(row) <= *threshold))
                    .collect()
            }
            (Values::Ranked { ranks, numbers }, Division::Above { threshold, .. }) => {
                let branch = rank_branches(ranks, numbers, *threshold);
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
            (Values::Ordered(_) | Values::Ranked { .. }, Division::Around(cells)) => {
                let branch = |&row: &u32| match inputs.number(candidate.input, row) {
                    number if number.is_nan() => UNDECIDED,
                    number => cells.branch(number) as u8,
                };
                self.rows.iter().map(branch).collect()
            }
            (Values::Labels { codes, .. }, Division::Nearest(kin)) => {
                self.branches_by_code(codes, |code| kin.branch_of_label(code))
            }
            (Values::Kin(values), Division::Nearest(kin)) => {
                let mut distances = Vec::new();
                self.branches_by_code(&values.codes, |code| {
                    values
                        .distances_by(kin.measure)
                        .between(code, &kin.prototypes, &mut distances);
                    kin.nearest(&distances)
                })
            }
            (Values::Kin(values), Division::Has(_) | Division::Size(_)) => {
                let test = candidate.test(inputs);
                let branch = |&row: &u32| {
                    let branch = values.branch_by_contents(&test, row);
                    branch.map_or(UNDECIDED, |branch| branch as u8)
                };
                self.rows.iter().map(branch).collect()
            }
            (Values::Ordered(_) | Values::Ranked { .. }, Division::Has(_)) => {
                let test = candidate.test(inputs);
                let branch = |&row: &u32| match inputs.branch(&test, row) {
                    Some(branch) => branch as u8,
                    None => UNDECIDED,
                };
                self.rows.iter().map(branch).collect()
            }
            _ => unreachable!("a candidate divides by a test of its input's kind"),
        }
    }

    /// The branch of each example by its code, each code being asked for once.
    fn branches_by_code(&self, codes: &[u32], mut branch: impl FnMut(u32) -> usize) -> Vec<u8> {
        let mut known: HashMap<u32, u8> = HashMap::new();
        let each = self.rows.iter().map(|&row| match codes[row as usize] {
            UNKNOWN => UNDECIDED,
            code => *known.entry(code).or_insert_with(|| branch(code) as u8),
        });
        each.collect()
    }

    /// The children by branch. `lists` are this region's, lent or given away: given ones are freed
    /// as they are divided.
    ///
    /// `shares` are those in which undecided examples go into the branches. Only a child that is
    /// divided itself needs lists: `wanted` is asked by branch, once its summary is known.
    pub fn divide<L: AsRef<[Entry]> + Send>(
        &self,
        lists: Vec<L>,
        branches: &[u8],
        shares: &[f64],
        response: &R,
        wanted: impl Fn(usize, &R::Summary) -> bool,
    ) -> Vec<(Self, Lists)> {
        debug_assert!(
            self.weights.is_some() || !branches.contains(&UNDECIDED),
            "parts of examples need weights"
        );
        let large = self.large(lists.len());
        let child = |branch: usize| self.child(branch, branches, shares, response);
        let children: Vec<Self> = match shares.len() {
            2 if large => {
                let (first, second) = rayon::join(|| child(0), || child(1));
                vec![first, second]
            }
            2 if self.weights.is_none() => self.halves(branches, response).into(),
            count => (0..count).map(child).collect(),
        };
        let wanted: Vec<bool> = children
            .iter()
            .enumerate()
            .map(|(branch, child)| wanted(branch, &child.whole))
            .collect();
        if lists.is_empty() {
            return children
                .into_iter()
                .map(|child| (child, Vec::new()))
                .collect();
        }
        let enters = |branch: usize| shares[branch] > 0.0;
        let divided = match (children.as_slice(), wanted.as_slice()) {
            ([first, second], &[one, other]) if enters(0) && enters(1) => divided_in_two(
                lists,
                branches,
                [first.len(), second.len()],
                [one, other],
                large,
            )
            .into(),
            _ => divided_lists(lists, branches, shares, &wanted, large),
        };
        children.into_iter().zip(divided).collect()
    }

    /// The children of two branches where every example goes one way.
    fn halves(&self, branches: &[u8], response: &R) -> [Self; 2] {
        let second: usize = branches.iter().map(|&branch| usize::from(branch)).sum();
        let mut rows = [branches.len() - second, second].map(Vec::with_capacity);
        for (&row, &branch) in self.rows.iter().zip(branches) {
            rows[usize::from(branch)].push(row);
        }
        let mut branch = 0;
        rows.map(|rows| {
            branch += 1;
            self.below(branch - 1, Self::new(rows, None, response, self.layout))
        })
    }

    /// A child with its place: the tree, and the branches that lead to it.
    fn below(&self, branch: usize, child: Self) -> Self {
        Self {
            tree: self.tree,
            stream: stream_below(self.stream, branch),
            ..child
        }
    }

    fn child(&self, branch: usize, branches: &[u8], shares: &[f64], response: &R) -> Self {
        let enters = shares[branch] > 0.0;
        let inside = |own: u8| usize::from(own) == branch || (enters && own == UNDECIDED);
        let count = branches.iter().filter(|&&own| inside(own)).count();
        let mut rows = Vec::with_capacity(count);
        let mut weights = self.weights.as_ref().map(|_| Vec::with_capacity(count));
        for (place, &own) in branches.iter().enumerate() {
            if inside(own) {
                rows.push(self.rows[place]);
                if let Some(weights) = &mut weights {
                    let part = if own == UNDECIDED {
                        shares[branch]
                    } else {
                        1.0
                    };
                    weights.push(part * self.weight(place));
                }
            }
        }
        self.below(branch, Self::new(rows, weights, response, self.layout))
    }
}

/// The branch of a row by the rank of its number: above the threshold or not.
pub fn rank_branches(ranks: &[u16], numbers: &[f64], threshold: f64) -> impl Fn(&u32) -> u8 {
    let above = numbers.partition_point(|number| *number <= threshold) as u16;
    move |&row| match ranks[row as usize] {
        u16::MAX => UNDECIDED,
        rank => u8::from(rank < above),
    }
}

/// The random numbers of a branch: its own, whatever is drawn elsewhere.
fn stream_below(stream: u64, branch: usize) -> u64 {
    let mixed = (stream ^ (branch as u64 + 1)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ mixed >> 29
}

/// Lists divided among any number of branches.
fn divided_lists<L: AsRef<[Entry]> + Send>(
    lists: Vec<L>,
    branches: &[u8],
    shares: &[f64],
    wanted: &[bool],
    large: bool,
) -> Vec<Lists> {
    let count = shares.len();
    if !wanted.contains(&true) {
        return vec![Vec::new(); count];
    }
    // Where each example stands in its child; an undecided one has a row of places of its own.
    let mut next = vec![0u32; count];
    let mut everywhere: Vec<u32> = Vec::new();
    let places: Vec<u32> = branches
        .iter()
        .map(|&branch| {
            if branch != UNDECIDED {
                next[branch as usize] += 1;
                return next[branch as usize] - 1;
            }
            let row = everywhere.len() / count;
            for (next, share) in next.iter_mut().zip(shares) {
                everywhere.push(*next);
                *next += u32::from(*share > 0.0);
            }
            row as u32
        })
        .collect();
    let divide = |list: L| {
        let mut parts: Vec<Vec<Entry>> = vec![Vec::new(); count];
        let mut risen = vec![0; count];
        for &entry in list.as_ref() {
            if entry & RISES != 0 {
                risen.fill(RISES);
            }
            let (row, place) = (branches[row_of(entry)], places[row_of(entry)]);
            let mut enter = |branch: usize, place: u32| {
                if wanted[branch] {
                    parts[branch].push(place | risen[branch]);
                }
                risen[branch] = 0;
            };
            if row != UNDECIDED {
                enter(row as usize, place);
                continue;
            }
            let own = &everywhere[place as usize * count..][..count];
            for (branch, &place) in own.iter().enumerate() {
                if shares[branch] > 0.0 {
                    enter(branch, place);
                }
            }
        }
        parts.iter_mut().for_each(forget_constant);
        parts
    };
    let divided: Vec<Vec<Vec<Entry>>> = if large {
        lists.into_par_iter().map(divide).collect()
    } else {
        lists.into_iter().map(divide).collect()
    };
    let mut by_branch: Vec<Lists> = vec![Vec::with_capacity(divided.len()); count];
    for parts in divided {
        for (lists, part) in by_branch.iter_mut().zip(parts) {
            lists.push(part);
        }
    }
    by_branch
}

/// Lists divided in two, the common case: one place an example says all.
fn divided_in_two<L: AsRef<[Entry]> + Send>(
    lists: Vec<L>,
    branches: &[u8],
    lengths: [usize; 2],
    wanted: [bool; 2],
    large: bool,
) -> [Lists; 2] {
    if wanted == [false, false] {
        return [Vec::new(), Vec::new()];
    }
    let (places, second) = if large && lengths[0] + lengths[1] == branches.len() {
        (shared_places(branches), Vec::new())
    } else {
        places(branches)
    };
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

/// Where each example stands in its child, with the branch in the lowest bit. An undecided one
/// stands in both children: it has the number of a pair of places.
fn places(branches: &[u8]) -> (Vec<u32>, Vec<[u32; 2]>) {
    let mut places = Vec::with_capacity(branches.len());
    let mut second = Vec::new();
    let mut next = [0u32; 2];
    for &branch in branches {
        if branch == UNDECIDED {
            places.push(BOTH | second.len() as u32);
            second.push(next);
            next[0] += 1;
            next[1] += 1;
        } else {
            places.push(next[branch as usize] << 1 | u32::from(branch));
            next[branch as usize] += 1;
        }
    }
    (places, second)
}

/// The same where every branch is decided, by several threads: each counts its part, and the counts
/// before it say where it begins.
fn shared_places(branches: &[u8]) -> Vec<u32> {
    let seconds = |part: &[u8]| part.iter().map(|&branch| u32::from(branch)).sum();
    let counts: Vec<u32> = branches.par_chunks(CHUNK).map(seconds).collect();
    let mut before = Vec::with_capacity(counts.len());
    let mut sum = 0;
    for count in counts {
        before.push(sum);
        sum += count;
    }
    let mut places = vec![0; branches.len()];
    let parts = places.par_chunks_mut(CHUNK).zip(branches.par_chunks(CHUNK));
    parts
        .zip(before)
        .enumerate()
        .for_each(|(part, ((places, branches), second))| {
            let mut next = [(part * CHUNK) as u32 - second, second];
            for (place, &branch) in places.iter_mut().zip(branches) {
                *place = next[branch as usize] << 1 | u32::from(branch);
                next[branch as usize] += 1;
            }
        });
    places
}

/// Set in the place of an example that stands in both children.
const BOTH: u32 = 1 << 31;

/// A list divided, each part in order; a part whose values are all equal is left empty.
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
    parts.iter_mut().for_each(forget_constant);
    parts
}

/// Empties a list whose values are all equal: no test can divide by them.
fn forget_constant(list: &mut Vec<Entry>) {
    if !list.iter().skip(1).any(|&entry| rises(entry)) {
        *list = Vec::new();
    }
}

/// A list of which every example goes one way.
///
/// Each entry is written to both sides and kept on one: no branch for the processor to guess. One
/// more place takes the last write.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_number_examples_as_one_does() {
        let branches: Vec<u8> = (0..3 * CHUNK as u32 + 7)
            .map(|row| u8::from(row * 7 % 5 < 2))
            .collect();
        assert_eq!(shared_places(&branches), places(&branches).0);
        assert!(shared_places(&[]).is_empty());
    }
}
