//! Regions of objects: those that reach a node of a relational tree, with their bags.

use std::borrow::Cow;
use std::sync::Arc;

use super::bags::Bags;
use super::test::{Step, Test};
use super::values::Values;
use crate::tree::response::{Examples, Response};

/// The objects that reach a node.
pub struct RelationalRegion<R: Response> {
    /// The objects, by their position in the view.
    pub objects: Vec<u32>,
    /// How much each counts.
    pub weights: Vec<f64>,
    /// Their responses.
    pub local: R::Local,
    /// What they sum up to.
    pub whole: R::Summary,
    /// The keys that were followed on the way.
    pub steps: Vec<Step>,
    /// The tree of a forest that it is a part of.
    pub tree: u32,
    /// From what its random numbers are drawn: the branches that lead here.
    pub stream: u64,
    bags: HeldBags,
}

/// How bags are had.
enum HeldBags {
    /// They are here.
    Here(Bags),
    /// They are made from the tests on the way that hold, so that a beam keeps objects only.
    Made(Option<Arc<Held>>),
}

/// A test on the way that holds, and those before it.
struct Held {
    test: Test,
    before: Option<Arc<Held>>,
}

impl<R: Response> RelationalRegion<R> {
    /// Objects with their bags.
    pub fn new(bags: Bags, weights: Vec<f64>, response: &R) -> Self {
        let steps = bags.steps.clone();
        let objects = bags.objects.clone();
        Self::with(objects, weights, response, steps, HeldBags::Here(bags))
    }

    fn with(
        objects: Vec<u32>,
        weights: Vec<f64>,
        response: &R,
        steps: Vec<Step>,
        bags: HeldBags,
    ) -> Self {
        let local = response.gather(&objects);
        let mut whole = response.empty();
        for (place, &weight) in weights.iter().enumerate() {
            response.add(&mut whole, &local, place, weight);
        }
        Self {
            objects,
            weights,
            local,
            whole,
            steps,
            tree: 0,
            stream: 0,
            bags,
        }
    }

    /// The same region that keeps no bags, and none of its children.
    pub fn without_bags(self) -> Self {
        Self {
            bags: HeldBags::Made(None),
            ..self
        }
    }

    /// How much an object counts.
    #[inline]
    pub fn weight(&self, place: usize) -> f64 {
        self.weights[place]
    }

    /// Its objects, as far as a response needs them.
    pub fn examples(&self) -> Examples<'_, R::Summary> {
        Examples {
            rows: &self.objects,
            weights: Some(&self.weights),
            whole: &self.whole,
        }
    }

    /// The bags of the objects.
    pub fn bags(&self, values: &Values<'_>) -> Cow<'_, Bags> {
        match &self.bags {
            HeldBags::Here(bags) => Cow::Borrowed(bags),
            HeldBags::Made(held) => {
                let way = std::iter::successors(held.as_deref(), |held| held.before.as_deref());
                let tests: Vec<&Test> = way.map(|held| &held.test).collect();
                let mut bags = Bags::new(values.view(), self.objects.clone());
                for test in tests.into_iter().rev() {
                    bags = bags.divide(values.view(), values, test).0;
                }
                Cow::Owned(bags)
            }
        }
    }

    /// Where a test holds, and where it does not.
    pub fn divide(&self, values: &Values<'_>, test: &Test, response: &R) -> [Self; 2] {
        let (yes, no) = self.bags(values).divide(values.view(), values, test);
        let mut places = self.objects.iter().zip(&self.weights);
        let mut weights = [Vec::new(), Vec::new()];
        let mut held = yes.objects.iter().peekable();
        // Objects rise on either side, so one pass tells where each went.
        for (object, weight) in &mut places {
            match held.next_if_eq(&object) {
                Some(_) => weights[0].push(*weight),
                None => weights[1].push(*weight),
            }
        }
        let [yes_weights, no_weights] = weights;
        let child = |bags: Bags, weights: Vec<f64>, branch: u64| {
            let steps = bags.steps.clone();
            let objects = bags.objects.clone();
            let bags = match &self.bags {
                HeldBags::Here(_) => HeldBags::Here(bags),
                HeldBags::Made(before) if branch == 0 => HeldBags::Made(Some(Arc::new(Held {
                    test: test.clone(),
                    before: before.clone(),
                }))),
                HeldBags::Made(before) => HeldBags::Made(before.clone()),
            };
            let mixed = (self.stream ^ (branch + 1)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            Self {
                tree: self.tree,
                stream: mixed ^ mixed >> 29,
                ..Self::with(objects, weights, response, steps, bags)
            }
        };
        [child(yes, yes_weights, 0), child(no, no_weights, 1)]
    }
}
