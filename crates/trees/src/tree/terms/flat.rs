//! Trees as flat arrays, for predicting: a node is 16 bytes, and a block of rows goes down one tree
//! after another, so that tree and rows stay in the processor's cache.
//!
//! Only rows that go down one branch of every test are answered here. A row whose branch cannot be
//! decided somewhere (a missing value, an unknown label) is left to [`super::walk::Walk`], as are
//! trees with prototypes; the answers are the same to the last bit, which the tests check.

use crate::tree::{FlatTree, Test};

/// Marks a step that looks a label up in a set; without it numbers are compared.
const SET: u32 = 1 << 30;
/// Marks a way that ends in a leaf.
const LEAF: u32 = 1 << 31;

/// Words that sets may take for each node: trees over very many labels stay as they are, rather
/// than take many times the memory of their model.
const WORDS: usize = 16;

/// An inner node. Where a number above the threshold goes is the next node, for nodes are in
/// preorder.
#[derive(Clone, Copy)]
struct Step {
    /// The threshold; of a set of labels, as bits, where it begins among the sets.
    threshold: f64,
    /// The place of the tested value in a row, with the mark [`SET`]; and with the mark [`LEAF`] if
    /// the next node is one.
    slot: u32,
    /// Where all others go, with the mark [`LEAF`] if that is one.
    other: u32,
}

/// A tree whose tests are thresholds and sets of labels.
pub struct Flat {
    /// By node; nothing of use for leaves.
    steps: Vec<Step>,
    /// Sets of labels, a bit a code.
    sets: Vec<u64>,
    /// By node: which answer a leaf has.
    leaves: Vec<u32>,
    /// What the leaves say, one after the other.
    answers: Vec<f64>,
    width: usize,
}

/// What a row reaches that cannot be decided.
pub(in crate::tree) const UNDECIDED: u32 = u32::MAX;

/// Room for rows on their way.
#[derive(Default)]
pub struct Room {
    active: Vec<u32>,
    /// By chosen row: the leaf reached, or [`UNDECIDED`].
    pub reached: Vec<u32>,
}

impl Flat {
    /// The tree in flat form; `None` if it has other tests than thresholds and sets of labels, or
    /// sets of too many labels.
    ///
    /// `place` says where the value of a column stands in a row, and how many labels it has;
    /// `answer` writes what a leaf says into `width` numbers.
    pub fn new(
        tree: &FlatTree,
        width: usize,
        place: impl Fn(u32) -> Option<(u32, u32)>,
        mut answer: impl FnMut(u32, &mut [f64]),
    ) -> Option<Self> {
        let mut flat = Self {
            steps: Vec::with_capacity(tree.size()),
            sets: Vec::new(),
            leaves: vec![0; tree.size()],
            answers: vec![0.0; tree.leaves() * width],
            width,
        };
        let leaf = |node: u32| match tree.node(node).split {
            None => LEAF,
            Some(_) => 0,
        };
        let mut numbers = 0..;
        for (node, at) in tree.nodes().iter().enumerate() {
            let Some(split) = &at.split else {
                let number: u32 = numbers.next().unwrap_or_default();
                flat.leaves[node] = number;
                let from = number as usize * width;
                answer(node as u32, &mut flat.answers[from..from + width]);
                flat.steps.push(Step {
                    threshold: 0.0,
                    slot: 0,
                    other: 0,
                });
                continue;
            };
            let (slot, labels) = place(split.test.column())?;
            let (threshold, slot) = match &split.test {
                Test::Above { threshold, .. } => (*threshold, slot),
                Test::Among { values, .. } => {
                    let threshold = flat.set(values, labels, WORDS * tree.size())?;
                    (threshold, slot | SET)
                }
                Test::Around { .. }
                | Test::Nearest { .. }
                | Test::Has { .. }
                | Test::Size { .. } => return None,
            };
            flat.steps.push(Step {
                threshold,
                slot: slot | leaf(split.children[0]),
                other: split.children[1] | leaf(split.children[1]),
            });
        }
        Some(flat)
    }

    /// Takes a set of labels; where it begins, as the bits of a number. `None` if all sets would
    /// take more than so many words.
    fn set(&mut self, values: &[u32], labels: u32, most: usize) -> Option<f64> {
        let from = self.sets.len();
        let codes = values.last().map_or(0, |last| last + 1).max(labels);
        let end = from + (codes as usize).div_ceil(64);
        if end > most {
            return None;
        }
        self.sets.resize(end, 0);
        for &value in values {
            self.sets[from + value as usize / 64] |= 1 << (value % 64);
        }
        Some(f64::from_bits(from as u64))
    }

    /// What a leaf says.
    pub fn answer(&self, leaf: u32) -> &[f64] {
        let from = self.leaves[leaf as usize] as usize * self.width;
        &self.answers[from..from + self.width]
    }

    /// Finds the leaf of each of the `chosen` rows. A row has so many `slots`: numbers, or the
    /// codes of labels; NaN where one is missing or not known.
    pub fn reach(&self, rows: &[f64], slots: usize, chosen: &[u32], room: &mut Room) {
        if let [_] = self.steps[..] {
            room.reached.clear();
            room.reached.resize(chosen.len(), 0);
            return;
        }
        match self.sets.is_empty() {
            true => self.descend::<false>(rows, slots, chosen, room),
            false => self.descend::<true>(rows, slots, chosen, room),
        }
    }

    /// All rows take one step, then those that are still on their way take the next: steps of
    /// different rows do not wait for each other, and no row waits in its leaf.
    fn descend<const SETS: bool>(
        &self,
        rows: &[f64],
        slots: usize,
        chosen: &[u32],
        room: &mut Room,
    ) {
        let Room { active, reached } = room;
        reached.clear();
        reached.resize(chosen.len(), 0);
        active.clear();
        active.extend(0..chosen.len() as u32);
        let mut count = active.len();
        while count > 0 {
            let mut left = 0;
            for place in 0..count {
                let at = active[place];
                let node = reached[at as usize];
                let step = self.steps[node as usize];
                let slot = (step.slot & !(SET | LEAF)) as usize;
                let value = rows[chosen[at as usize] as usize * slots + slot];
                let holds = match SETS && step.slot & SET != 0 {
                    true => self.holds(step, value),
                    false => value > step.threshold,
                };
                // Chosen without a branch: half of the guesses would be wrong.
                let next = (node + 1) | (step.slot & LEAF);
                let next = if holds { next } else { step.other };
                let next = if value.is_nan() { UNDECIDED } else { next };
                reached[at as usize] = next;
                active[left] = at;
                left += usize::from(next & LEAF == 0);
            }
            count = left;
        }
        for leaf in reached {
            if *leaf != UNDECIDED {
                *leaf &= !LEAF;
            }
        }
    }

    /// Whether the set of a step has a code. NaN becomes 0 here; the caller notices it.
    fn holds(&self, step: Step, value: f64) -> bool {
        let code = value as usize;
        let word = self.sets.get(step.threshold.to_bits() as usize + code / 64);
        word.is_some_and(|word| word >> (code % 64) & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{Answer, Answers, Node, Split};

    fn node(split: Option<(Test, u32)>, number: f64, at: u32) -> Node<Test, Answers> {
        let number = Answer::number(1.0, number, 0.0);
        Node {
            payload: Answers {
                weight: 1.0,
                targets: vec![number],
            },
            split: split.map(|(test, other)| Split {
                test,
                children: vec![at + 1, other],
                shares: vec![0.5, 0.5],
            }),
        }
    }

    #[test]
    fn rows_reach_their_leaves() {
        let above = Test::Above {
            column: 3,
            threshold: 1.5,
        };
        let among = Test::Among {
            column: 7,
            values: vec![0, 70],
        };
        let tree = FlatTree::new(vec![
            node(Some((above, 4)), 0.0, 0),
            node(Some((among, 3)), 0.0, 1),
            node(None, 10.0, 2),
            node(None, 20.0, 3),
            node(None, 30.0, 4),
        ])
        .unwrap();
        let place = |column: u32| Some(if column == 3 { (0, 0) } else { (1, 80) });
        let answer = |node: u32, out: &mut [f64]| {
            out.fill(0.0);
            tree.node(node).payload.targets[0].say(1.0, out);
        };
        // A set for five nodes may have five times 16 words of 64 labels.
        let many = |labels: u32| move |column: u32| Some((column % 2, labels));
        assert!(Flat::new(&tree, 1, many(5 * 16 * 64), answer).is_some());
        assert!(Flat::new(&tree, 1, many(5 * 16 * 64 + 1), answer).is_none());
        let flat = Flat::new(&tree, 1, place, answer).unwrap();
        let cases = [
            ([2.0, 70.0], Some(10.0)),
            ([2.0, 0.0], Some(10.0)),
            ([2.0, 1.0], Some(20.0)),
            ([1.5, 1.0], Some(30.0)),
            ([f64::NAN, 1.0], None),
            ([2.0, f64::NAN], None),
        ];
        for count in 1..20 {
            let cases: Vec<_> = (0..count).map(|at| cases[at * 5 % cases.len()]).collect();
            let rows: Vec<f64> = cases.iter().flat_map(|(row, _)| *row).collect();
            let mut room = Room::default();
            let chosen: Vec<u32> = (0..count as u32).collect();
            flat.reach(&rows, 2, &chosen, &mut room);
            let said = room.reached.iter().map(|&leaf| match leaf {
                UNDECIDED => None,
                leaf => Some(flat.answer(leaf)[0]),
            });
            let expected: Vec<Option<f64>> = cases.iter().map(|(_, said)| *said).collect();
            assert_eq!(said.collect::<Vec<_>>(), expected);
        }
    }
}
