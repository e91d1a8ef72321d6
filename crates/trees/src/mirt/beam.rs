//! Beam search over relational trees: the best few at a time, each refined by every test of every
//! leaf.
//!
//! As for flat trees (Kocev, Struyf and Dzeroski, KDID 2006): a tree enters if it is better than
//! the worst, by the spread of its leaves, a price for its size and, with `beta`, a price for
//! saying what the others say. Leaves are shared among trees and explored once; their bags are made
//! anew from the path when they are explored, so that a beam keeps objects only.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use super::bags::Bags;
use super::grow::{Growing, Skeleton};
use super::limits::Standing;
use super::propose::Candidate;
use super::test::Test;
use crate::tree::constraint::{Growth, Shape};
use crate::tree::grow::beam::BeamSearch;
use crate::tree::grow::mixed;
use crate::tree::grow::unlike::{Said, Yardstick};
use crate::tree::{Answers, Node, Split, Tree};
use kinwood_learning::StopReason;

/// What a search found.
pub struct Found {
    /// The trees with their scores, best first.
    pub trees: Vec<(Skeleton, f64)>,
    /// How many trees were scored.
    pub evaluated: u64,
    /// Why it ended.
    pub stopped: StopReason,
}

/// A leaf, shared by the trees that have it.
struct Leaf {
    objects: Vec<u32>,
    /// The tests above it and whether they hold.
    path: Vec<(Arc<Test>, bool)>,
    standing: Standing,
    answers: Answers,
    spread: f64,
    signature: u128,
    candidates: OnceLock<Vec<Arc<Division>>>,
}

/// A way to divide a leaf.
struct Division {
    candidate: Candidate,
    test: Arc<Test>,
    children: OnceLock<[Arc<Leaf>; 2]>,
}

#[derive(Clone)]
struct Member {
    nodes: Vec<Spot>,
    score: f64,
    spread: f64,
    shape: Shape,
    signature: Vec<u128>,
    refined: bool,
    said: Option<Said>,
}

#[derive(Clone)]
struct Spot {
    leaf: Arc<Leaf>,
    split: Option<(Arc<Test>, [u32; 2])>,
}

/// The search.
pub struct Beam<'a> {
    /// How nodes are divided, and what trees must keep to.
    pub growing: &'a Growing<'a>,
    /// Width and prices.
    pub search: &'a BeamSearch,
    /// The most nodes of a tree.
    pub most: Option<usize>,
}

impl Beam<'_> {
    /// Searches from the tree of one leaf.
    pub fn search(&self, objects: Vec<u32>) -> Found {
        let problem = self.growing.problem;
        let weight: f64 = objects
            .iter()
            .map(|&object| problem.weights[object as usize])
            .sum();
        let root = Arc::new(self.leaf(objects, Vec::new(), self.growing.limited.standing()));
        let yardstick = (self.search.beta != 0.0).then(|| {
            let weights = Some(problem.weights.to_vec());
            Yardstick::new(
                &root.answers.targets,
                self.search.compared,
                problem.weights.len(),
                weights,
            )
        });
        let said = yardstick
            .as_ref()
            .map(|yardstick| yardstick.constant(&yardstick.said(&root.answers.targets)));
        let first = Member {
            score: rounded(root.spread / weight + self.search.alpha),
            spread: root.spread,
            shape: Shape::leaf(weight),
            signature: vec![root.signature],
            nodes: vec![Spot {
                leaf: root,
                split: None,
            }],
            refined: false,
            said,
        };
        let mut been = BTreeSet::from([first.signature.clone()]);
        let mut members = vec![first];
        let mut evaluated = 0;
        let running = self.growing.context.progress("searching trees", 0);
        let stopped = loop {
            let mut round: Vec<Member> = members
                .iter()
                .filter(|member| !member.refined)
                .cloned()
                .collect();
            round.sort_by(|a, b| b.score.total_cmp(&a.score));
            self.explore(&round);
            members.iter_mut().for_each(|member| member.refined = true);
            let mut changed = false;
            let mut asked = None;
            for member in &round {
                for next in self.refined(member, weight, yardstick.as_ref()) {
                    evaluated += 1;
                    changed |=
                        self.enter(&mut members, &mut been, next, weight, yardstick.as_ref());
                }
                running.advance(1);
                asked = StopReason::requested(self.growing.context);
                if asked.is_some() {
                    break;
                }
            }
            if asked.is_some() || !changed {
                break asked.unwrap_or(StopReason::Complete);
            }
        };
        members.sort_by(|a, b| {
            let scores = a.score.total_cmp(&b.score);
            // The sort is stable: of trees of one score and size the one that entered first.
            scores.then(a.shape.size.cmp(&b.shape.size))
        });
        Found {
            trees: members
                .iter()
                .map(|member| (member.tree(), member.score))
                .collect(),
            evaluated,
            stopped,
        }
    }

    fn leaf(&self, objects: Vec<u32>, path: Vec<(Arc<Test>, bool)>, standing: Standing) -> Leaf {
        let problem = self.growing.problem;
        let sums = problem.response.sums(&objects, problem.weights);
        Leaf {
            answers: problem.response.answers(&objects, problem.weights),
            spread: sums.deviation(problem.rules.variance),
            signature: signature(&path),
            objects,
            path,
            standing,
            candidates: OnceLock::new(),
        }
    }

    /// The bags of a leaf, along its path.
    fn bags(&self, leaf: &Leaf) -> Bags {
        let values = self.growing.problem.values;
        let mut bags = Bags::new(values.view(), leaf.objects.clone());
        for (test, _) in leaf.path.iter().filter(|(_, holds)| *holds) {
            bags = bags.divide(values.view(), values, test).0;
        }
        bags
    }

    fn candidates<'l>(&self, leaf: &'l Leaf) -> &'l [Arc<Division>] {
        leaf.candidates.get_or_init(|| {
            if !leaf.standing.may_grow(self.growing.limited) {
                return Vec::new();
            }
            let bags = self.bags(leaf);
            if !self.growing.divisible(&bags) {
                return Vec::new();
            }
            let gaining = self.growing.gaining(&bags).into_iter();
            let allowed = gaining
                .filter(|(candidate, _)| leaf.standing.allows(self.growing.limited, candidate));
            // Of tests that divide alike the first, which follows the fewest keys: the others would
            // fill the beam with its likes.
            let mut seen: BTreeSet<(u64, u64)> = BTreeSet::new();
            let allowed = allowed.filter(|(candidate, _)| {
                let alike = (
                    rounded(candidate.score).to_bits(),
                    candidate.lighter.to_bits(),
                );
                seen.insert(alike)
            });
            let division = |(candidate, _): (Candidate, f64)| {
                Arc::new(Division {
                    test: Arc::new(candidate.test.clone()),
                    candidate,
                    children: OnceLock::new(),
                })
            };
            allowed.map(division).collect()
        })
    }

    /// Explores the leaves of trees side by side.
    fn explore(&self, round: &[Member]) {
        let leaves = round
            .iter()
            .flat_map(|member| &member.nodes)
            .filter(|spot| spot.split.is_none());
        let mut unknown: Vec<&Arc<Leaf>> = leaves
            .map(|spot| &spot.leaf)
            .filter(|leaf| leaf.candidates.get().is_none())
            .collect();
        unknown.sort_by_key(|leaf| Arc::as_ptr(leaf) as usize);
        unknown.dedup_by(|a, b| Arc::ptr_eq(a, b));
        unknown.par_iter().for_each(|leaf| {
            self.candidates(leaf);
        });
    }

    fn children(&self, leaf: &Leaf, division: &Division) -> [Arc<Leaf>; 2] {
        let made = division.children.get_or_init(|| {
            let values = self.growing.problem.values;
            let (yes, no) = self
                .bags(leaf)
                .divide(values.view(), values, &division.test);
            let child = |objects: Vec<u32>, holds: bool| {
                let path = leaf
                    .path
                    .iter()
                    .cloned()
                    .chain([(Arc::clone(&division.test), holds)]);
                let standing = leaf
                    .standing
                    .after(self.growing.limited, &division.test, holds);
                Arc::new(self.leaf(objects, path.collect(), standing))
            };
            [child(yes.objects, true), child(no.objects, false)]
        });
        made.clone()
    }

    /// The trees that divide one leaf of a tree more.
    fn refined(&self, member: &Member, weight: f64, yardstick: Option<&Yardstick>) -> Vec<Member> {
        let limited = self.growing.limited;
        let mut found = Vec::new();
        for (place, spot) in member.nodes.iter().enumerate() {
            if spot.split.is_some() || self.most.is_some_and(|most| member.shape.size + 2 > most) {
                continue;
            }
            for division in self.candidates(&spot.leaf) {
                let standing = &spot.leaf.standing;
                let mentions = limited.mentions(&standing.path, &division.test);
                let Some((&first, others)) = mentions.split_first() else {
                    continue;
                };
                let mut shape = member.shape.grown(&Growth {
                    depth: standing.depth,
                    cost: standing.spent + limited.cost(&mentions),
                    column: first,
                    leaf: division.candidate.lighter,
                    branches: 2,
                });
                others
                    .iter()
                    .for_each(|&column| shape.columns.insert(column));
                if !limited.constraints.admits(&shape) {
                    continue;
                }
                let spread = member.spread - spot.leaf.spread + division.candidate.score;
                let score = rounded(spread / weight + self.search.alpha * shape.size as f64);
                let children = self.children(&spot.leaf, division);
                let mut nodes = member.nodes.clone();
                let at = nodes.len() as u32;
                nodes[place].split = Some((Arc::clone(&division.test), [at, at + 1]));
                let said = yardstick
                    .zip(member.said.as_ref())
                    .map(|(yardstick, said)| {
                        let before = yardstick.said(&spot.leaf.answers.targets);
                        let after: Vec<(&[u32], Vec<f64>)> = children
                            .iter()
                            .map(|leaf| (&*leaf.objects, yardstick.said(&leaf.answers.targets)))
                            .collect();
                        yardstick.changed(said, &yardstick.change(&before, &after))
                    });
                nodes.extend(children.map(|leaf| Spot { leaf, split: None }));
                let signature: BTreeSet<u128> = nodes
                    .iter()
                    .filter(|spot| spot.split.is_none())
                    .map(|spot| spot.leaf.signature)
                    .collect();
                found.push(Member {
                    nodes,
                    score,
                    spread,
                    shape,
                    signature: signature.into_iter().collect(),
                    refined: false,
                    said,
                });
            }
        }
        found
    }

    /// Takes a tree in if it was not there before and is better than the worst.
    fn enter(
        &self,
        members: &mut Vec<Member>,
        been: &mut BTreeSet<Vec<u128>>,
        next: Member,
        weight: f64,
        yardstick: Option<&Yardstick>,
    ) -> bool {
        // One that was in the beam before does not come back: with prices that depend on the
        // others, trees could chase each other for ever.
        if been.contains(&next.signature) {
            return false;
        }
        let full = members.len() >= self.search.width;
        let worst = |members: &[Member]| {
            let scores = members.iter().map(|member| member.score);
            scores.fold(f64::NEG_INFINITY, f64::max)
        };
        let beats = |score: f64, members: &[Member]| score < worst(members) - self.search.margin;
        if full && yardstick.is_none() && !beats(next.score, members) {
            return false;
        }
        let signature = next.signature.clone();
        members.push(next);
        if let Some(yardstick) = yardstick {
            self.compare(members, weight, yardstick);
        }
        if full {
            let (others, last) = members.split_at(members.len() - 1);
            if !beats(last[0].score, others) {
                members.pop();
                return false;
            }
            // Of equally bad trees the one that came last.
            let place = (1..members.len()).fold(0, |worst, place| {
                match members[place].score >= members[worst].score {
                    true => place,
                    false => worst,
                }
            });
            members.remove(place);
        }
        been.insert(signature);
        true
    }

    /// Scores every tree with what it shares with the others.
    fn compare(&self, members: &mut [Member], weight: f64, yardstick: &Yardstick) {
        let said: Vec<&Said> = members
            .iter()
            .filter_map(|member| member.said.as_ref())
            .collect();
        let far = |a: usize, b: usize| {
            yardstick.between(&yardstick.sums(said[a], said[b]), said[a], said[b])
        };
        let alike: Vec<f64> = (0..said.len())
            .map(|own| {
                let others = (0..said.len()).filter(|other| *other != own);
                let sum: f64 = others.map(|other| far(own, other)).sum();
                1.0 - sum / said.len() as f64
            })
            .collect();
        for (member, alike) in members.iter_mut().zip(alike) {
            let base = member.spread / weight + self.search.alpha * member.shape.size as f64;
            member.score = rounded(base + self.search.beta * alike);
        }
    }
}

impl Member {
    fn tree(&self) -> Skeleton {
        let nodes = self.nodes.iter().map(|spot| Node {
            payload: spot.leaf.answers.clone(),
            split: spot.split.as_ref().map(|(test, children)| {
                let weight = |child: u32| self.nodes[child as usize].leaf.answers.weight;
                let total = weight(children[0]) + weight(children[1]);
                Split {
                    test: Test::clone(test),
                    children: children.to_vec(),
                    shares: children
                        .iter()
                        .map(|&child| weight(child) / total)
                        .collect(),
                }
            }),
        });
        Tree::arranged(nodes.collect())
    }
}

/// What a leaf is known by: a number made of the tests above it, the same in every run and on every
/// machine.
fn signature(path: &[(Arc<Test>, bool)]) -> u128 {
    path.iter().fold(0, |signature, (test, holds)| {
        let text = serde_json::to_string(&**test).unwrap_or_default();
        let bytes = text.bytes().map(u128::from);
        bytes
            .chain([u128::from(*holds) + 256])
            .fold(signature, mixed)
    })
}

/// A score to the digits that trees are compared by: sums made in another order differ in the last
/// ones.
fn rounded(score: f64) -> f64 {
    const UNIT: f64 = (1u64 << 40) as f64;
    (score * UNIT).round() / UNIT
}
