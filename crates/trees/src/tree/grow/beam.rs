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

use super::place::{Place, Shelf, mixed};
use super::unlike::{Compared, Sums};
use super::{Limited, answers, branch_of};
use crate::tree::FlatTree;
use crate::tree::constraint::{Growth, Shape, Sketch};
use crate::tree::propose::{Candidate, Division, Problem};
use crate::tree::region::{Lists, Region};
use crate::tree::response::Answer;
use crate::tree::response::Response;
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
}

impl Default for BeamSearch {
    fn default() -> Self {
        Self {
            width: 10,
            alpha: 1e-5,
            beta: 0.0,
            compared: Compared::Predictions,
            margin: 1e-6,
        }
    }
}

/// What a beam search found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The trees with their scores, the best first.
    pub trees: Vec<(FlatTree, f64)>,
    /// How many candidates met a beam that was not full or beat its worst tree.
    pub evaluated: u64,
    /// Why the search ended.
    pub stopped: StopReason,
}

/// A node of a tree in the beam.
struct Spot<R: Response> {
    place: Arc<Place<R>>,
    split: Option<Candidate>,
    /// Whether a leaf stays one.
    closed: bool,
}

impl<R: Response> Clone for Spot<R> {
    fn clone(&self) -> Self {
        Self {
            place: Arc::clone(&self.place),
            split: self.split.clone(),
            closed: self.closed,
        }
    }
}

impl<R: Response> Spot<R> {
    /// Whether it is a leaf that may be divided.
    fn open(&self) -> bool {
        self.split.is_none() && !self.closed
    }
}

/// A tree in the beam.
struct Member<R: Response> {
    /// In preorder.
    spots: Vec<Spot<R>>,
    /// The sum of the leaves' spreads.
    spread: f64,
    score: f64,
    shape: Shape,
    /// A hash of the tests and where they stand.
    signature: u128,
    refined: AtomicBool,
    opinion: Option<Opinion>,
}

struct Beam<'s, 'p, R: Response> {
    problem: &'s Problem<'p, R>,
    search: &'s BeamSearch,
    limited: &'s Limited<'s>,
    weight: f64,
    members: Vec<Arc<Member<R>>>,
    /// With similarity: what the members differ by from each other, and how far apart they are.
    sums: Vec<Vec<Sums>>,
    apart: Vec<Vec<f64>>,
    evaluated: u64,
    changed: bool,
    likeness: Option<Likeness>,
}

/// A score to the digits that trees are compared by: sums made in another order differ in the last
/// ones, and that must not decide which of two equal trees is better.
fn rounded(score: f64) -> f64 {
    const UNIT: f64 = (1u64 << 40) as f64;
    (score * UNIT).round() / UNIT
}

/// Memory for the lists of places, unless the context says how much there is.
const LISTS: usize = 1 << 30;

/// Searches from the tree that is sketched; `None` if a test of the sketch divides nothing.
pub fn beam<R: Response>(
    problem: &Problem<'_, R>,
    root: (Region<R>, Lists),
    search: &BeamSearch,
    limited: &Limited<'_>,
    context: &Context,
) -> Option<Found> {
    let (region, lists) = root;
    let response = &problem.response;
    let rows = region.len();
    let answered = response.answers(&region.whole);
    let gaps = problem.inputs.gaps();
    let likeness =
        (search.beta != 0.0).then(|| Likeness::new(&answered, search.compared, &region, gaps));
    let most = context.memory().map_or(LISTS, |memory| memory as usize / 2);
    let weight = response.weight(&region.whole);
    let root = Arc::new(Place::root(region, response, Shelf::new(lists, rows, most)));
    let opinion = likeness
        .as_ref()
        .map(|likeness| likeness.constant(&answered));
    let first = Member {
        spread: root.spread,
        score: rounded(root.spread / weight + search.alpha),
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
        problem,
        search,
        limited,
        weight,
        members: Vec::new(),
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
        let mut round: Vec<Arc<Member<R>>> = beam
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
    members.sort_by(|a, b| {
        a.score
            .total_cmp(&b.score)
            .then(a.shape.size.cmp(&b.shape.size))
    });
    Some(Found {
        trees: members
            .iter()
            .map(|member| (member.tree(problem), member.score))
            .collect(),
        evaluated: beam.evaluated,
        stopped,
    })
}

impl<R: Response> Beam<'_, '_, R> {
    /// Finds the candidates of all leaves of these trees, side by side.
    fn explore(&self, round: &[Arc<Member<R>>]) {
        let leaves = round
            .iter()
            .flat_map(|member| member.spots.iter())
            .filter(|spot| spot.open());
        let mut unknown: Vec<&Arc<Place<R>>> = leaves
            .map(|spot| &spot.place)
            .filter(|place| !place.explored())
            .collect();
        unknown.sort_by_key(|place| Arc::as_ptr(place) as usize);
        unknown.dedup_by(|a, b| Arc::ptr_eq(a, b));
        if unknown
            .iter()
            .map(|place| place.region.len())
            .sum::<usize>()
            * self.problem.inputs.all.len()
            > 20_000
        {
            unknown.par_iter().for_each(|place| {
                place.candidates(self.problem);
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

    fn refine(&mut self, member: &Arc<Member<R>>) {
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
            let candidates = place.candidates(self.problem);
            for (number, candidate) in candidates.iter().enumerate() {
                let spread = member.spread - place.spread + candidate.spread;
                let nodes = size + candidate.shares.len();
                let score = rounded(spread / self.weight + alpha * nodes as f64);
                let full = self.members.len() >= self.search.width;
                if full && score >= worst - self.search.margin {
                    continue;
                }
                let step = Step {
                    spot,
                    number,
                    candidate,
                    spread,
                    score,
                };
                let growth = self.growth(&place, candidate);
                if !self
                    .limited
                    .constraints
                    .admits_growth(&member.shape, &growth)
                {
                    continue;
                }
                self.evaluated += 1;
                let signature = member
                    .signature
                    .wrapping_add(mixed(place.path, hash(candidate)));
                if self
                    .members
                    .iter()
                    .any(|other| other.signature == signature)
                {
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

    fn growth(&self, place: &Place<R>, candidate: &Candidate) -> Growth {
        let weight = self.problem.response.weight(&place.region.whole);
        let standing = (place.depth, place.cost, weight);
        self.limited
            .growth(&self.problem.inputs, candidate, standing)
    }

    /// The tree grown as far as the sketch says; `None` if a test of it divides nothing.
    fn sketched(&self, mut member: Member<R>) -> Option<Member<R>> {
        let mut pending = vec![(0usize, self.limited.sketch)];
        while let Some((spot, sketch)) = pending.pop() {
            member.spots[spot].closed = matches!(sketch, Sketch::Closed);
            if !matches!(sketch, Sketch::Split { .. }) {
                continue;
            }
            let place = Arc::clone(&member.spots[spot].place);
            let candidate = place.sketched(self.problem, sketch)?;
            if let (Some(likeness), Some(opinion)) = (&self.likeness, &mut member.opinion) {
                let change =
                    likeness.change(self.problem, &place, Proposed::Given(&candidate), opinion);
                *opinion = likeness.after(opinion, &change);
            }
            let growth = self.growth(&place, &candidate);
            member.shape = member.shape.grown(&growth);
            member.spread += candidate.spread - place.spread;
            let nodes = self.search.alpha * member.shape.size as f64;
            member.score = rounded(member.spread / self.weight + nodes);
            let cost = self.limited.cost(&self.problem.inputs, candidate.input);
            let children = place.divided(self.problem, &candidate, cost);
            member.spots[spot].split = Some(candidate);
            let count = children.len();
            let fresh = children.into_iter().map(|place| Spot {
                place,
                split: None,
                closed: false,
            });
            member.spots.splice(spot + 1..spot + 1, fresh);
            // The later branch first: what it inserts moves nothing that stands before it.
            pending.extend((0..count).map(|branch| (spot + 1 + branch, branch_of(sketch, branch))));
        }
        Some(member)
    }

    /// The tree after a step.
    fn stepped(
        &self,
        member: &Member<R>,
        step: &Step<'_>,
        signature: u128,
        opinion: Option<Opinion>,
    ) -> Arc<Member<R>> {
        let place = &member.spots[step.spot].place;
        let cost = self
            .limited
            .cost(&self.problem.inputs, step.candidate.input);
        let children = place.children(self.problem, step.number, cost);
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
            shape: member.shape.grown(&self.growth(place, step.candidate)),
            signature,
            refined: AtomicBool::new(false),
            opinion,
        })
    }

    /// Enters a tree, in place of the worst if the beam is full.
    fn enter(&mut self, member: &Member<R>, step: &Step<'_>, signature: u128) {
        let entered = self.stepped(member, step, signature, None);
        if self.members.len() >= self.search.width {
            let worst = self.worst();
            self.members.remove(worst);
        }
        self.members.push(entered);
    }

    /// Enters a tree unless, of it and all others, it is the worst with its similarity to the
    /// others counted.
    fn enter_unlike(
        &mut self,
        member: &Member<R>,
        step: &Step<'_>,
        signature: u128,
        base: &mut Base,
    ) -> bool {
        let place = &member.spots[step.spot].place;
        let Some(likeness) = &self.likeness else {
            return false;
        };
        let change = likeness.change(
            self.problem,
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
        let total =
            |score: f64, apart: f64| rounded(score + self.search.beta * (1.0 - apart / count));
        let mut worst = (self.members.len(), total(score, apart.iter().sum()));
        for (place, other) in self.members.iter().enumerate() {
            let total = total(
                other.score,
                self.apart[place].iter().sum::<f64>() + apart[place],
            );
            if total > worst.1 {
                worst = (place, total);
            }
        }
        worst.0
    }

    /// What is known of a tree for all its candidates.
    fn base(&self, likeness: &Likeness, member: &Arc<Member<R>>) -> Base {
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
                (
                    place,
                    self.problem.response.answers(&spot.place.region.whole),
                )
            })
            .collect();
        let opinion = member
            .opinion
            .clone()
            .expect("every tree has one where similarity counts");
        likeness.base(opinion, known.collect(), member.spots.len(), &leaves)
    }

    fn leave(&mut self, place: usize) {
        self.members.remove(place);
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
struct Step<'c> {
    spot: usize,
    number: usize,
    candidate: &'c Candidate,
    spread: f64,
    score: f64,
}

impl<R: Response> Member<R> {
    fn tree(&self, problem: &Problem<'_, R>) -> FlatTree {
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
                let branches = candidate.shares.len();
                open.extend((0..branches).rev().map(|branch| (place, branch)));
                Split {
                    test: candidate.test(&problem.inputs),
                    children: vec![0; branches],
                    shares: problem.rules.passed(&candidate.shares),
                }
            });
            nodes.push(Node {
                payload: answers(&problem.response, &spot.place.region),
                split,
            });
        }
        Tree::new(nodes).expect("spots are in preorder")
    }
}

fn hash(candidate: &Candidate) -> u128 {
    let start = mixed(7, candidate.input as u128);
    match &candidate.division {
        Division::Above { threshold, .. } => mixed(start, u128::from(threshold.to_bits())),
        Division::Among { values } => values
            .iter()
            .fold(start, |hash, &value| mixed(hash, u128::from(value))),
        Division::Around(cells) => {
            let numbers = cells.prototypes.iter().chain(&cells.bounds);
            numbers.fold(start, |hash, number| {
                mixed(hash, u128::from(number.to_bits()))
            })
        }
        Division::Nearest(nearest) => nearest
            .prototypes
            .iter()
            .fold(start, |hash, &value| mixed(hash, u128::from(value))),
    }
}
