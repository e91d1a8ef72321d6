//! Beam search over trees: the best few trees are refined together, leaf by leaf, and similar ones
//! make way.
//!
//! A tree's score, lower being better, is the spread of its leaves per unit of weight plus `alpha`
//! for each node. Each round refines every tree of the beam that was not refined before, the worst
//! first; a refinement replaces one leaf by the best test of one input. Trees are changed on paper
//! first: only a candidate that enters becomes a tree.
//!
//! Reference: Kocev, Struyf and Dzeroski, Beam search induction and similarity constraints for
//! predictive clustering trees, KDID 2006.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

mod likeness;

use likeness::{Base, Likeness, Opinion, Proposed};

use super::GrowthLimits;
use super::place::Place;
use super::unlike::{Compared, Sums};
use crate::tree::constraint::{Shape, Sketch};
use crate::tree::hash::mixed;
use crate::tree::language::Language;
use crate::tree::response::{Answer, Answers};
use crate::tree::structure::{Node, Split, Tree};
use kinwood_learning::StopReason;
use kinwood_learning::context::Context;

/// How a beam searches.
#[derive(Clone, Debug, PartialEq)]
pub struct BeamSearch {
    /// The most trees in the beam.
    pub width: usize,
    /// What a node adds to the score.
    pub alpha: f64,
    /// How much the similarity to the others adds to the score; 0 leaves it out.
    pub beta: f64,
    /// What of the predictions makes trees similar.
    pub compared: Compared,
    /// By how much a candidate must beat the worst tree of a full beam.
    pub margin: f64,
    /// Every tree that was ever in the beam is kept whose error in training is at most so much
    /// above the least: the share of wrong classes or labels, and of other targets the error as a
    /// share of that of a tree of one leaf; 0 keeps the beam alone.
    pub epsilon: f64,
}

impl Default for BeamSearch {
    fn default() -> Self {
        Self {
            width: 10,
            alpha: 1e-5,
            beta: 0.0,
            compared: Compared::Predictions,
            margin: 1e-6,
            epsilon: 0.0,
        }
    }
}

/// What a beam search found.
#[derive(Clone, Debug)]
pub struct Found<T> {
    /// The trees with their scores, the best first.
    pub trees: Vec<(Tree<T, Answers>, f64)>,
    /// How many candidates met a beam that was not full or beat its worst tree.
    pub evaluated: u64,
    /// Why the search ended.
    pub stopped: StopReason,
}

/// A node of a tree in the beam.
struct Spot<L: Language> {
    place: Arc<Place<L>>,
    split: Option<L::Candidate>,
    /// Whether a leaf stays one.
    closed: bool,
}

impl<L: Language> Clone for Spot<L> {
    fn clone(&self) -> Self {
        Self {
            place: Arc::clone(&self.place),
            split: self.split.clone(),
            closed: self.closed,
        }
    }
}

impl<L: Language> Spot<L> {
    /// Whether it is a leaf that may be divided.
    fn open(&self) -> bool {
        self.split.is_none() && !self.closed
    }
}

/// A tree in the beam.
struct Member<L: Language> {
    /// In preorder.
    spots: Vec<Spot<L>>,
    /// The sum of the leaves' spreads.
    spread: f64,
    score: f64,
    shape: Shape,
    /// A hash of the tests and where they stand.
    signature: u128,
    refined: AtomicBool,
    opinion: Option<Opinion>,
}

struct Beam<'s, L: Language> {
    language: &'s L,
    search: &'s BeamSearch,
    limits: &'s GrowthLimits<'s, L::Test>,
    weight: f64,
    /// Scores that differ by no more are equal.
    equal: f64,
    members: Vec<Arc<Member<L>>>,
    /// With `epsilon`: the trees that were in the beam and left it.
    left: Vec<Arc<Member<L>>>,
    /// With similarity: what the members differ by from each other, and how far apart they are.
    sums: Vec<Vec<Sums>>,
    apart: Vec<Vec<f64>>,
    evaluated: u64,
    changed: bool,
    likeness: Option<Likeness>,
}

/// Scores that differ by no more than this share of the first tree's are equal: sums made in
/// another order differ in the last digits, and those must not decide which of two equal trees is
/// better. A grid would not do: equal scores may lie on either side of a line.
pub(super) const EQUAL: f64 = 1e-11;

/// Memory for what regions can make again, unless the context says how much there is.
const KEPT: usize = 1 << 30;

/// The most trees that are kept besides those of the beam.
const MOST_KEPT: usize = 10_000;

/// Searches from the tree that is sketched; `None` if a test of the sketch divides nothing.
pub fn beam<L: Language>(
    language: &L,
    root: L::Region,
    search: &BeamSearch,
    limits: &GrowthLimits<'_, L::Test>,
    context: &Context,
) -> Option<Found<L::Test>> {
    let most = context.memory().map_or(KEPT, |memory| memory as usize / 2);
    let region = language.shared(root, most);
    let answered = language.answers(&region).targets;
    let likeness =
        (search.beta != 0.0).then(|| Likeness::new(&answered, search.compared, language, &region));
    let weight = language.weight(&region);
    let root = Arc::new(Place::root(language, region));
    let opinion = likeness
        .as_ref()
        .map(|likeness| likeness.constant(&answered));
    let first = Member {
        spread: root.spread,
        score: root.spread / weight + search.alpha,
        shape: Shape::leaf(weight),
        spots: vec![Spot {
            place: root,
            split: None,
            closed: false,
        }],
        signature: 0,
        refined: AtomicBool::new(false),
        opinion,
    };
    let mut beam = Beam {
        language,
        search,
        limits,
        weight,
        equal: EQUAL * (first.score.abs() + search.beta.abs()),
        members: Vec::new(),
        left: Vec::new(),
        sums: vec![vec![Vec::new()]],
        apart: vec![vec![0.0]],
        evaluated: 0,
        changed: false,
        likeness,
    };
    let first = beam.sketched(first)?;
    beam.members.push(Arc::new(first));
    let running = context.progress("searching trees", 0);
    let stopped = loop {
        let mut round: Vec<Arc<Member<L>>> = beam
            .members
            .iter()
            .filter(|member| !member.refined.load(Ordering::Relaxed))
            .map(Arc::clone)
            .collect();
        // Worst first; a stable order for equals.
        round.sort_by(|a, b| b.score.total_cmp(&a.score));
        beam.explore(&round);
        beam.changed = false;
        let asked = round.iter().find_map(|member| {
            beam.refine(member);
            running.advance(1);
            StopReason::requested(context)
        });
        if asked.is_some() || !beam.changed {
            break asked.unwrap_or(StopReason::Complete);
        }
    };
    let mut members = beam.members;
    members.extend(beam.left);
    members.sort_by(|a, b| {
        a.score
            .total_cmp(&b.score)
            .then(a.shape.size.cmp(&b.shape.size))
    });
    Some(Found {
        trees: members
            .iter()
            .map(|member| (member.tree(language), member.score))
            .collect(),
        evaluated: beam.evaluated,
        stopped,
    })
}

impl<L: Language> Beam<'_, L> {
    /// Finds the candidates of all leaves of these trees, side by side.
    fn explore(&self, round: &[Arc<Member<L>>]) {
        let leaves = round
            .iter()
            .flat_map(|member| member.spots.iter())
            .filter(|spot| spot.open());
        let mut unknown: Vec<&Arc<Place<L>>> = leaves
            .map(|spot| &spot.place)
            .filter(|place| !place.explored())
            .collect();
        unknown.sort_by_key(|place| Arc::as_ptr(place) as usize);
        unknown.dedup_by(|a, b| Arc::ptr_eq(a, b));
        let work = unknown
            .iter()
            .map(|place| self.language.work(&place.region));
        if work.sum::<usize>() > 20_000 {
            unknown.par_iter().for_each(|place| {
                place.candidates(self.language);
            });
        }
    }

    fn worst(&self) -> usize {
        // Of equally bad trees the one that came last.
        (1..self.members.len()).fold(0, |worst, place| {
            if self.members[place].score >= self.members[worst].score {
                place
            } else {
                worst
            }
        })
    }

    /// A score, or that of a member to which it is equal: from there on equals compare as such.
    fn settled(&self, score: f64) -> f64 {
        let scores = self.members.iter().map(|member| member.score);
        let mut equals = scores.filter(|other| (other - score).abs() <= self.equal);
        equals.next().unwrap_or(score)
    }

    fn refine(&mut self, member: &Arc<Member<L>>) {
        member.refined.store(true, Ordering::Relaxed);
        let mut base = self
            .likeness
            .as_ref()
            .map(|likeness| self.base(likeness, member));
        let (alpha, size) = (self.search.alpha, member.shape.size);
        let mut worst = self.members[self.worst()].score;
        for (spot, leaf) in member.spots.iter().enumerate() {
            if !leaf.open() {
                continue;
            }
            let place = Arc::clone(&leaf.place);
            let language = self.language;
            let candidates = place.candidates(language);
            for (number, candidate) in candidates.iter().enumerate() {
                let spread = member.spread - place.spread + language.impurity_after(candidate);
                let nodes = size + language.branches(candidate);
                let score = spread / self.weight + alpha * nodes as f64;
                let full = self.members.len() >= self.search.width;
                if full && score >= worst - self.search.margin - self.equal {
                    continue;
                }
                let score = self.settled(score);
                let step = Step {
                    spot,
                    number,
                    candidate,
                    spread,
                    score,
                };
                let growth = place.growth(language, candidate);
                let constraints = self.limits.constraints;
                if !constraints.admits_growth(&member.shape, &growth)
                    || !place.keeps_bounds(language, self.limits, candidate)
                    || !self.is_fair(member, spot, candidate)
                {
                    continue;
                }
                self.evaluated += 1;
                let signature = member
                    .signature
                    .wrapping_add(mixed(place.path, language.identity(candidate)));
                let mut known = self.members.iter();
                if known.any(|other| other.signature == signature) {
                    continue;
                }
                let entered = match &mut base {
                    None => {
                        self.enter(member, &step, signature);
                        true
                    }
                    Some(base) => self.enter_unlike(member, &step, signature, base),
                };
                if entered {
                    self.changed = true;
                    worst = self.members[self.worst()].score;
                }
            }
        }
    }

    /// Whether the tree after a step differs as little between groups as it must.
    fn is_fair(&self, member: &Member<L>, spot: usize, candidate: &L::Candidate) -> bool {
        let (language, watch) = (self.language, self.limits.watch);
        if !watch.compares_groups() {
            return true;
        }
        let parts = language.parts(&member.spots[spot].place.region, candidate);
        let parts: Vec<_> = parts
            .iter()
            .map(|part| watch.rates(language, part))
            .collect();
        let others = member.spots.iter().enumerate();
        let others = others.filter(|(own, leaf)| *own != spot && leaf.split.is_none());
        let others = others.map(|(_, leaf)| leaf.place.rates(language, watch));
        let leaves: Vec<_> = others.chain(parts.iter().map(Vec::as_slice)).collect();
        watch.is_fair(&leaves)
    }

    /// The tree grown as far as the sketch says; `None` if a test of it divides nothing.
    fn sketched(&self, mut member: Member<L>) -> Option<Member<L>> {
        let language = self.language;
        let mut pending = vec![(0usize, self.limits.sketch)];
        while let Some((spot, sketch)) = pending.pop() {
            member.spots[spot].closed = matches!(sketch, Sketch::Closed);
            let Sketch::Split { column, test, .. } = sketch else {
                continue;
            };
            let place = Arc::clone(&member.spots[spot].place);
            let Some(candidate) = language.given(&place.region, *column, test.as_ref()) else {
                if !self.limits.skips {
                    return None;
                }
                member.spots[spot].closed = true;
                continue;
            };
            if let (Some(likeness), Some(opinion)) = (&self.likeness, &mut member.opinion) {
                let change =
                    likeness.change(language, &place, Proposed::Given(&candidate), opinion);
                *opinion = likeness.after(opinion, &change);
            }
            let growth = place.growth(language, &candidate);
            member.shape = member.shape.grown(&growth);
            member.spread += language.impurity_after(&candidate) - place.spread;
            let nodes = self.search.alpha * member.shape.size as f64;
            member.score = member.spread / self.weight + nodes;
            let children = place.divided(language, self.limits, &candidate);
            member.spots[spot].split = Some(candidate);
            let count = children.len();
            let fresh = children.into_iter().map(|place| Spot {
                place,
                split: None,
                closed: false,
            });
            member.spots.splice(spot + 1..spot + 1, fresh);
            // The later branch first: what it inserts moves nothing that stands before it.
            pending.extend((0..count).map(|branch| (spot + 1 + branch, sketch.branch(branch))));
        }
        Some(member)
    }

    /// The tree after a step.
    fn stepped(
        &self,
        member: &Member<L>,
        step: &Step<'_, L>,
        signature: u128,
        opinion: Option<Opinion>,
    ) -> Arc<Member<L>> {
        let language = self.language;
        let place = &member.spots[step.spot].place;
        let children = place.children(language, self.limits, step.number);
        let mut spots = Vec::with_capacity(member.spots.len() + children.len());
        spots.extend_from_slice(&member.spots[..step.spot]);
        spots.push(Spot {
            place: Arc::clone(place),
            split: Some(step.candidate.clone()),
            closed: false,
        });
        spots.extend(children.into_iter().map(|place| Spot {
            place,
            split: None,
            closed: false,
        }));
        spots.extend_from_slice(&member.spots[step.spot + 1..]);
        Arc::new(Member {
            spots,
            spread: step.spread,
            score: step.score,
            shape: member.shape.grown(&place.growth(language, step.candidate)),
            signature,
            refined: AtomicBool::new(false),
            opinion,
        })
    }

    /// Enters a tree, in place of the worst if the beam is full.
    fn enter(&mut self, member: &Member<L>, step: &Step<'_, L>, signature: u128) {
        let entered = self.stepped(member, step, signature, None);
        if self.members.len() >= self.search.width {
            let worst = self.members.remove(self.worst());
            self.keep(worst);
        }
        self.members.push(entered);
    }

    /// Enters a tree unless, of it and all others, it is the worst with its similarity to the
    /// others counted.
    fn enter_unlike(
        &mut self,
        member: &Member<L>,
        step: &Step<'_, L>,
        signature: u128,
        base: &mut Base,
    ) -> bool {
        let place = &member.spots[step.spot].place;
        let Some(likeness) = &self.likeness else {
            return false;
        };
        let change = likeness.change(
            self.language,
            place,
            Proposed::Here(step.number),
            &base.opinion,
        );
        let others = self
            .members
            .iter()
            .filter_map(|other| other.opinion.as_ref());
        let (mut sums, mut apart) = likeness.differences(base, step.spot, &change, others);
        if self.members.len() >= self.search.width {
            let worst = self.least_wanted(step.score, &apart);
            if worst == self.members.len() {
                return false;
            }
            self.leave(worst);
            base.forget(worst);
            sums.remove(worst);
            apart.remove(worst);
        }
        let opinion = self
            .likeness
            .as_ref()
            .map(|likeness| likeness.after(&base.opinion, &change));
        let entered = self.stepped(member, step, signature, opinion);
        self.members.push(entered);
        for ((row, own), (far, apart)) in self
            .sums
            .iter_mut()
            .zip(&sums)
            .zip(self.apart.iter_mut().zip(&apart))
        {
            row.push(own.clone());
            far.push(*apart);
        }
        self.sums
            .push(sums.into_iter().chain([Vec::new()]).collect());
        self.apart.push(apart.into_iter().chain([0.0]).collect());
        true
    }

    /// Of the members and a candidate so far apart from them the worst with similarity counted; on
    /// a tie the candidate, whose place is behind all others.
    fn least_wanted(&self, score: f64, apart: &[f64]) -> usize {
        let count = self.members.len() as f64;
        let total = |score: f64, apart: f64| score + self.search.beta * (1.0 - apart / count);
        let mut worst = (self.members.len(), total(score, apart.iter().sum()));
        for (place, other) in self.members.iter().enumerate() {
            let total = total(
                other.score,
                self.apart[place].iter().sum::<f64>() + apart[place],
            );
            if total > worst.1 + self.equal {
                worst = (place, total);
            }
        }
        worst.0
    }

    /// What is known of a tree for all its candidates.
    fn base(&self, likeness: &Likeness, member: &Arc<Member<L>>) -> Base {
        let own = self
            .members
            .iter()
            .position(|other| Arc::ptr_eq(other, member));
        let known = (0..self.members.len()).map(|other| {
            let sums = &self.sums[own?][other];
            (!sums.is_empty()).then(|| sums.clone())
        });
        let leaves: Vec<(usize, Vec<Answer>)> = member
            .spots
            .iter()
            .enumerate()
            .filter(|(_, spot)| spot.split.is_none())
            .map(|(place, spot)| {
                let answers = self.language.answers(&spot.place.region);
                (place, answers.targets)
            })
            .collect();
        let opinion = member
            .opinion
            .clone()
            .expect("every tree has one where similarity counts");
        likeness.base(opinion, known.collect(), member.spots.len(), &leaves)
    }

    /// Keeps a tree that leaves the beam, where that is wanted and there is room.
    fn keep(&mut self, member: Arc<Member<L>>) {
        let known = |other: &Arc<Member<L>>| other.signature == member.signature;
        if self.search.epsilon > 0.0 && self.left.len() < MOST_KEPT && !self.left.iter().any(known)
        {
            self.left.push(member);
        }
    }

    fn leave(&mut self, place: usize) {
        let member = self.members.remove(place);
        self.keep(member);
        self.sums.remove(place);
        self.apart.remove(place);
        for row in &mut self.sums {
            row.remove(place);
        }
        for row in &mut self.apart {
            row.remove(place);
        }
    }
}

/// A refinement of a tree, before it becomes one.
struct Step<'c, L: Language> {
    spot: usize,
    number: usize,
    candidate: &'c L::Candidate,
    spread: f64,
    score: f64,
}

impl<L: Language> Member<L> {
    fn tree(&self, language: &L) -> Tree<L::Test, Answers> {
        let mut nodes: Vec<Node<_, _>> = Vec::with_capacity(self.spots.len());
        // Branches still without a child, the next one last.
        let mut open: Vec<(usize, usize)> = Vec::new();
        for (place, spot) in self.spots.iter().enumerate() {
            if let Some((parent, branch)) = open.pop() {
                let parent: &mut Node<_, _> = &mut nodes[parent];
                let split: &mut Split<_> = parent.split.as_mut().expect("a parent is split");
                split.children[branch] = place as u32;
            }
            let split = spot.split.as_ref().map(|candidate| {
                let branches = language.branches(candidate);
                open.extend((0..branches).rev().map(|branch| (place, branch)));
                Split {
                    test: language.test(candidate),
                    children: vec![0; branches],
                    shares: language.shares(candidate),
                }
            });
            nodes.push(Node {
                payload: language.answers(&spot.place.region),
                split,
            });
        }
        Tree::new(nodes).expect("spots are in preorder")
    }
}
