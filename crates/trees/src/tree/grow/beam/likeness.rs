//! What the trees of a beam predict, and how unlike a candidate would be to each of them.
//!
//! A refinement changes the predictions of one leaf's rows, so what a candidate differs by from a
//! member is what its parent differs by, corrected in those rows. Where values are missing an
//! example stands in several leaves: then the distributions behind each prediction are kept, and
//! corrected too.

use std::sync::Arc;

use super::super::place::Place;
use super::super::unlike::{Change, Compared, Said, Sums, Yardstick};
use crate::tree::language::Language;
use crate::tree::response::Answer;

/// How trees are compared.
pub struct Likeness {
    yardstick: Yardstick,
    mixing: Option<Mixing>,
}

/// Where examples stand in several leaves.
struct Mixing {
    /// How distributions are laid out.
    layout: Yardstick,
    /// The weight of each row at the root.
    weights: Vec<f64>,
}

/// What a tree predicts for the training rows.
#[derive(Clone)]
pub struct Opinion {
    said: Said,
    /// The distributions behind it, row by row, where examples stand in several leaves.
    mix: Option<Vec<f64>>,
}

/// What is known of the tree being refined, for all its candidates.
pub struct Base {
    /// What it predicts.
    pub opinion: Opinion,
    /// What it differs by from each member, found as needed.
    sums: Vec<Option<Sums>>,
    /// Of each node that is a leaf the range of what the other leaves say.
    rest: Vec<Vec<(f64, f64)>>,
}

impl Base {
    /// A member has left the beam.
    pub fn forget(&mut self, member: usize) {
        if member < self.sums.len() {
            self.sums.remove(member);
        }
    }
}

/// A change of predictions, with the distributions behind the new ones where they are kept.
pub struct Changed {
    change: Arc<Change>,
    mixed: Option<(Vec<u32>, Vec<f64>)>,
}

/// A candidate of a place.
pub enum Proposed<'c, C> {
    /// One of the best of each input, by number: what it changes is remembered.
    Here(usize),
    /// Any.
    Given(&'c C),
}

impl Likeness {
    /// For targets answered like these at the root.
    pub fn new<L: Language>(
        answers: &[Answer],
        compared: Compared,
        language: &L,
        root: &L::Region,
    ) -> Self {
        let rows = language.rows(root).len();
        let layout = |compared| Yardstick::new(answers, compared, rows, language.weights(root));
        let weight = |row: usize| language.example_weight(root, row);
        Self {
            yardstick: layout(compared),
            mixing: language.mixes().then(|| Mixing {
                layout: layout(Compared::Distributions),
                weights: (0..rows).map(weight).collect(),
            }),
        }
    }

    /// What a tree of one leaf predicts.
    pub fn constant(&self, answers: &[Answer]) -> Opinion {
        Opinion {
            said: self.yardstick.constant(&self.yardstick.said(answers)),
            mix: self.mixing.as_ref().map(|mixing| {
                let said = mixing.layout.said(answers);
                std::iter::repeat_n(said, mixing.weights.len())
                    .flatten()
                    .collect()
            }),
        }
    }

    /// What is known of a tree with these leaves before its candidates are looked at.
    pub fn base(
        &self,
        opinion: Opinion,
        sums: Vec<Option<Sums>>,
        nodes: usize,
        leaves: &[(usize, Vec<Answer>)],
    ) -> Base {
        let said: Vec<Vec<f64>> = leaves
            .iter()
            .map(|(_, answers)| self.yardstick.said(answers))
            .collect();
        let mut rest = vec![Vec::new(); nodes];
        for ((node, _), without) in leaves.iter().zip(self.yardstick.ranges_without(&said)) {
            // Of mixed predictions no leaf knows the range: the change itself says it.
            let nothing = (f64::INFINITY, f64::NEG_INFINITY);
            let known = self.mixing.is_none();
            rest[*node] = without
                .iter()
                .map(|range| if known { *range } else { nothing })
                .collect();
        }
        Base {
            opinion,
            sums,
            rest,
        }
    }

    /// What a candidate of a leaf changes.
    pub fn change<L: Language>(
        &self,
        language: &L,
        place: &Place<L>,
        candidate: Proposed<'_, L::Candidate>,
        opinion: &Opinion,
    ) -> Changed {
        let (Some(mixing), Some(mix)) = (&self.mixing, &opinion.mix) else {
            let change = match candidate {
                Proposed::Here(number) => place.change(language, number, &self.yardstick),
                Proposed::Given(candidate) => {
                    Arc::new(place.changed(language, candidate, &self.yardstick))
                }
            };
            return Changed {
                change,
                mixed: None,
            };
        };
        let candidate = match candidate {
            Proposed::Here(number) => &place.candidates(language)[number],
            Proposed::Given(candidate) => candidate,
        };
        let parts = language.parts(&place.region, candidate);
        let width = mixing.layout.width();
        let rows = language.rows(&place.region);
        let mut mixed = Vec::with_capacity(rows.len() * width);
        for &row in rows {
            mixed.extend_from_slice(&mix[row as usize * width..(row as usize + 1) * width]);
        }
        let regions = parts.iter().map(|part| (part, 1.0));
        for (region, sign) in std::iter::once((&place.region, -1.0)).chain(regions) {
            let said = mixing.layout.said(&language.answers(region).targets);
            // The rows of a part rise as those of the whole do.
            let mut at = 0;
            for (example, row) in language.rows(region).iter().enumerate() {
                while rows[at] != *row {
                    at += 1;
                }
                let share = sign * language.example_weight(region, example)
                    / mixing.weights[*row as usize].max(f64::MIN_POSITIVE);
                for (slot, said) in mixed[at * width..(at + 1) * width].iter_mut().zip(&said) {
                    *slot += share * said;
                }
            }
        }
        let change =
            self.yardstick
                .change_of(rows.to_vec(), mixed.chunks_exact(width), &opinion.said);
        Changed {
            change: Arc::new(change),
            mixed: Some((rows.to_vec(), mixed)),
        }
    }

    /// What a candidate of a leaf differs by from each member, and how far apart they are.
    pub fn differences<'m>(
        &self,
        base: &mut Base,
        leaf: usize,
        changed: &Changed,
        members: impl Iterator<Item = &'m Opinion>,
    ) -> (Vec<Sums>, Vec<f64>) {
        let ranges = self
            .yardstick
            .ranges_after(&base.rest[leaf], &changed.change);
        let (mut all, mut apart) = (Vec::new(), Vec::new());
        for (place, member) in members.enumerate() {
            if base.sums.len() == place {
                base.sums.push(None);
            }
            let before = base.sums[place]
                .get_or_insert_with(|| self.yardstick.sums(&base.opinion.said, &member.said));
            let mut sums = Sums::with_capacity(before.len());
            self.yardstick.sums_after(
                &base.opinion.said,
                &changed.change,
                before,
                &member.said,
                &mut sums,
            );
            apart.push(self.yardstick.between_after(&sums, &ranges, &member.said));
            all.push(sums);
        }
        (all, apart)
    }

    /// What a tree predicts after a change.
    pub fn after(&self, opinion: &Opinion, changed: &Changed) -> Opinion {
        let mut mix = opinion.mix.clone();
        if let (Some(mix), Some((rows, mixed))) = (&mut mix, &changed.mixed) {
            let width = mixed.len() / rows.len().max(1);
            for (&row, new) in rows.iter().zip(mixed.chunks_exact(width.max(1))) {
                mix[row as usize * width..(row as usize + 1) * width].copy_from_slice(new);
            }
        }
        Opinion {
            said: self.yardstick.changed(&opinion.said, &changed.change),
            mix,
        }
    }
}
