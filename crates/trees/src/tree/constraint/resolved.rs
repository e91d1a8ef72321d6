//! What a search asks of its constraints.
//!
//! Size, depth, cost, the weight of leaves and columns to be avoided can only get worse as a tree
//! grows: they prune the search. Columns to be used, accuracy and error can still come: they decide
//! at the end, except that each column still to be used needs a split, so its two nodes are
//! reserved.

use super::limits::{Known, Limits, TestReach};
use super::normal;
use super::shape::{Growth, Shape};
use super::sketch::Sketch;
use super::{Atom, Constraint, Input, Name};
use crate::error::TreeError;
use kinwood_learning::error::{Error, Result};

/// Constraints as alternative conjunctions, resolved to columns: at least one must hold.
#[derive(Clone, Debug)]
pub struct Constraints {
    alternatives: Vec<Limits>,
    /// The names of the columns, for messages, by position.
    names: Vec<(u32, String)>,
    text: String,
}

/// What trees begin with, by alternative.
pub type Sketches<T> = Vec<Option<Sketch<T>>>;

impl Default for Constraints {
    /// No constraint: one alternative without conditions.
    fn default() -> Self {
        Self {
            alternatives: vec![Limits::default()],
            names: Vec::new(),
            text: String::new(),
        }
    }
}

impl Constraints {
    /// Resolves the names of a constraint against the inputs and brings it into alternatives.
    ///
    /// Fails on an attribute that is no input, and as infeasible if no alternative can be met by
    /// any tree, given what a test on each column costs and what tests can be.
    pub fn new(
        constraint: &Constraint,
        inputs: &[Input],
        costs: &[f64],
        tests: TestReach,
    ) -> Result<Self> {
        let mut alternatives = normal::alternatives(constraint, inputs)?;
        for limits in &mut alternatives {
            limits.tests = tests;
        }
        let mut constraints = Self {
            alternatives,
            names: inputs
                .iter()
                .map(|input| (input.position, input.name.clone()))
                .collect(),
            text: constraint.to_string(),
        };
        let contradictions: Vec<Option<String>> = constraints
            .alternatives
            .iter()
            .map(|limits| normal::contradiction(limits, costs, &|column| constraints.name(column)))
            .collect();
        if contradictions.iter().all(Option::is_some) {
            let mut reasons: Vec<String> = contradictions.into_iter().flatten().collect();
            reasons.dedup();
            return Err(constraints.infeasible(reasons.join("; or ")));
        }
        let mut feasible = contradictions.iter().map(Option::is_none);
        constraints
            .alternatives
            .retain(|_| feasible.next().unwrap_or(false));
        normal::simplify(&mut constraints.alternatives);
        Ok(constraints)
    }

    /// The alternatives, none of which makes another superfluous.
    pub fn alternatives(&self) -> &[Limits] {
        &self.alternatives
    }

    /// The constraints that stand in place of these if only one of the alternatives is pursued.
    pub fn only(&self, alternative: usize) -> Self {
        self.those(&[alternative])
    }

    /// The constraints that stand in place of these if only some of the alternatives are pursued.
    pub fn those(&self, alternatives: &[usize]) -> Self {
        let pursued = alternatives.iter().map(|&place| &self.alternatives[place]);
        Self {
            alternatives: pursued.cloned().collect(),
            ..self.clone()
        }
    }

    /// The same constraints with at most so many nodes in every alternative.
    pub fn capped(&self, size: usize) -> Self {
        let mut capped = self.clone();
        for limits in &mut capped.alternatives {
            limits.size = Some(limits.size.map_or(size, |most| most.min(size)));
        }
        capped
    }

    /// What the trees of each alternative begin with, `read` from its files; `None` where these
    /// contradict each other.
    pub fn sketches<T: Clone + PartialEq>(
        &self,
        mut read: impl FnMut(&str) -> Result<Sketch<T>>,
    ) -> Result<Sketches<T>> {
        let mut sketches = Vec::with_capacity(self.alternatives.len());
        for limits in &self.alternatives {
            let mut joined = Some(Sketch::Open);
            for file in &limits.like {
                let read = read(file)?;
                joined = joined.and_then(|sketch| sketch.both(&read));
            }
            sketches.push(joined);
        }
        Ok(sketches)
    }

    /// Whether a leaf may be split so under an alternative, as far as can be said without the rest
    /// of the tree.
    pub fn allows(&self, growth: &Growth) -> bool {
        self.alternatives.iter().any(|limits| limits.allows(growth))
    }

    /// Whether a tree of this shape may stand in a search: some tree it can grow into, or it
    /// itself, may still meet an alternative.
    pub fn admits(&self, shape: &Shape) -> bool {
        self.alternatives.iter().any(|limits| limits.admits(shape))
    }

    /// Whether the tree may stand once one of its leaves is split.
    pub fn admits_growth(&self, shape: &Shape, growth: &Growth) -> bool {
        let mut alternatives = self.alternatives.iter();
        alternatives.any(|limits| limits.admits_growth(shape, growth))
    }

    /// Whether everything of an alternative holds.
    pub fn met(&self, shape: &Shape, known: &Known) -> bool {
        let mut alternatives = self.alternatives.iter();
        alternatives.any(|limits| limits.met(shape, known))
    }

    /// The conditions that do not hold, with what was found: those of each alternative, of which
    /// one would do.
    pub fn violated(&self, shape: &Shape, known: &Known) -> String {
        if self.met(shape, known) {
            return String::new();
        }
        let each = self.alternatives.iter();
        let mut each: Vec<String> = each
            .map(|limits| self.broken(limits, shape, known))
            .collect();
        each.dedup();
        each.join("; or ")
    }

    /// The error for a tree, the best there is, that does not meet the constraints.
    pub fn unmet(&self, shape: &Shape, known: &Known) -> Error {
        self.infeasible(format!(
            "no tree found with {}",
            self.violated(shape, known)
        ))
    }

    fn infeasible(&self, reason: String) -> Error {
        let infeasible = TreeError::Infeasible {
            constraints: self.text.clone(),
            reason,
        };
        infeasible.into()
    }

    fn broken(&self, limits: &Limits, shape: &Shape, known: &Known) -> String {
        let mut broken = Vec::new();
        let mut say = |holds: bool, atom: Atom, found: Option<f64>| {
            if !holds {
                let found = found.map_or(String::new(), |found| format!(" (found {found})"));
                broken.push(format!("{atom}{found}"));
            }
        };
        if let Some(most) = limits.size {
            let size = shape.size;
            say(size <= most, Atom::Size(most), Some(size as f64));
        }
        if let Some(least) = limits.leaf {
            let holds = least.at_least(shape.leaf);
            say(holds, Atom::Leaf(least), Some(shape.leaf));
        }
        if let Some(most) = limits.depth {
            let depth = shape.depth;
            say(depth <= most, Atom::Depth(most), Some(depth as f64));
        }
        if let Some(most) = limits.cost {
            say(most.at_most(shape.cost), Atom::Cost(most), Some(shape.cost));
        }
        for column in limits.required.iter() {
            let name = Name::new(self.name(column));
            say(shape.columns.contains(column), Atom::Uses(name), None);
        }
        for column in limits.banned.iter() {
            let name = Name::new(self.name(column));
            say(!shape.columns.contains(column), Atom::Avoids(name), None);
        }
        if let Some(least) = limits.accuracy {
            let found = known.accuracy;
            let holds = found.is_some_and(|found| least.at_least(found));
            say(holds, Atom::Accuracy(least), found);
        }
        if let Some(most) = limits.error {
            let found = known.error;
            let holds = found.is_some_and(|found| most.at_most(found));
            say(holds, Atom::Error(most), found);
        }
        for file in &limits.like {
            say(known.like.contains(file), Atom::Like(file.clone()), None);
        }
        for rule in &limits.monotone {
            let atom = Atom::Monotone {
                name: Name::new(self.name(rule.column)),
                up: rule.up,
                class: rule.class.clone(),
            };
            say(known.monotone.contains(rule), atom, None);
        }
        for fair in &limits.fair {
            let found = known.difference(fair);
            let atom = Atom::Fair {
                name: Name::new(self.name(fair.column)),
                class: fair.class.clone(),
                most: fair.most,
            };
            let holds = found.is_some_and(|found| fair.most.at_most(found));
            say(holds, atom, found);
        }
        broken.join(" and ")
    }

    /// The name of a column.
    pub fn name(&self, column: u32) -> String {
        let known = self.names.iter().find(|(position, _)| *position == column);
        known.map_or_else(
            || format!("column {}", column + 1),
            |(_, name)| name.clone(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::normal::testing::{constraints, direct, inputs, knowns, shapes};
    use super::*;
    use proptest::prelude::*;

    fn resolved(text: &str) -> Constraints {
        let costs = [1.0, 2.0, 0.5];
        let constraint = Constraint::parse(text).unwrap();
        Constraints::new(&constraint, &inputs(), &costs, TestReach::default()).unwrap()
    }

    fn shape() -> Shape {
        Shape {
            size: 5,
            depth: 2,
            leaf: 3.0,
            cost: 0.1 + 0.2,
            columns: [0, 2].into_iter().collect(),
        }
    }

    #[test]
    fn each_condition_holds_up_to_its_bound() {
        for (text, met) in [
            ("size <= 5", true),
            ("size <= 4", false),
            ("size < 5", false),
            ("depth <= 2", true),
            ("depth < 2", false),
            ("leaf >= 3", true),
            ("leaf > 3", false),
            ("cost <= 0.3", true),
            ("cost < 0.3", false),
            ("uses(a) and uses('c d')", true),
            ("uses(b)", false),
            ("not uses(b)", true),
            ("not uses(a)", false),
            ("accuracy >= 80%", true),
            ("accuracy > 80%", false),
            ("error <= 0.2", true),
            ("error <= 0.1", false),
            ("like(x) or like(y)", true),
            ("like(z)", false),
        ] {
            let known = Known {
                accuracy: Some(0.8),
                error: Some(1.0 - 0.8),
                like: vec!["y".to_owned()],
                ..Known::default()
            };
            let constraints = resolved(text);
            assert_eq!(constraints.met(&shape(), &known), met, "{text}");
            assert_eq!(constraints.violated(&shape(), &known).is_empty(), met);
        }
        assert!(Constraints::default().met(&shape(), &Known::default()));
    }

    #[test]
    fn what_does_not_hold_is_named() {
        let constraints = resolved(
            "size <= 3 and accuracy >= 0.9 or depth <= 1 and leaf > 5 and uses(b) and not uses(a) and like(f)",
        );
        let known = Known {
            accuracy: Some(0.85),
            ..Known::default()
        };
        assert_eq!(
            constraints.violated(&shape(), &known),
            "size <= 3 (found 5) and accuracy >= 0.9 (found 0.85); or \
             leaf > 5 (found 3) and depth <= 1 (found 2) and uses(b) and not uses(a) and like(f)"
        );
        assert_eq!(
            resolved("accuracy >= 0.9")
                .unmet(&shape(), &known)
                .to_string(),
            "infeasible: `accuracy >= 0.9`: no tree found with accuracy >= 0.9 (found 0.85)"
        );
    }

    #[test]
    fn room_is_reserved_for_columns_still_to_come() {
        let constraints = resolved("size <= 7 and uses(a) and uses(b)");
        let mut shape = shape();
        assert!(constraints.admits(&shape));
        shape.size = 7;
        assert!(!constraints.admits(&shape));
        shape.columns.insert(1);
        assert!(constraints.admits(&shape));
    }

    #[test]
    fn an_alternative_can_be_pursued_alone() {
        let constraints = resolved("size <= 3 or depth <= 2");
        assert_eq!(constraints.alternatives().len(), 2);
        assert!(constraints.admits(&shape()));
        assert!(!constraints.only(0).admits(&shape()));
        assert_eq!(constraints.only(1).alternatives()[0].depth, Some(2));
        assert_eq!(
            resolved("leaf > 2").alternatives()[0].least_leaf(),
            2.0 + 2e-9
        );
        assert_eq!(resolved("size <= 2").alternatives()[0].least_leaf(), 0.0);
    }

    fn growths() -> impl Strategy<Value = Growth> {
        (0usize..5, 0u8..12, 0u32..3, 0u8..8).prop_map(|(depth, cost, column, leaf)| Growth {
            depth,
            cost: f64::from(cost) / 2.0,
            columns: smallvec::smallvec![column],
            leaf: f64::from(leaf),
            branches: 2,
        })
    }

    kinwood_testing::soak! { 256;
        fn soak_alternatives_say_what_the_expression_says(
            constraint in constraints(),
            shape in shapes(),
            known in knowns(),
        ) {
            let Ok(constraints) = Constraints::new(&constraint, &inputs(), &[0.0; 3], TestReach::default()) else {
                // Only a tree could refute that, and these shapes need not be trees.
                return Ok(());
            };
            let expected = direct(&constraint, &shape, &known);
            prop_assert_eq!(constraints.met(&shape, &known), expected);
            prop_assert_eq!(constraints.violated(&shape, &known).is_empty(), expected);
            if expected {
                prop_assert!(constraints.admits(&shape));
            }
        }

        fn soak_what_is_not_admitted_never_grows_into_what_is(
            constraint in constraints(),
            start in shapes(),
            growths in proptest::collection::vec(growths(), 1..6),
            known in knowns(),
        ) {
            let Ok(constraints) = Constraints::new(&constraint, &inputs(), &[0.0; 3], TestReach::default()) else {
                return Ok(());
            };
            let mut shape = start;
            let mut admitted = constraints.admits(&shape);
            for growth in growths {
                let grown = shape.grown(&growth);
                prop_assert_eq!(
                    constraints.admits_growth(&shape, &growth),
                    constraints.admits(&grown)
                );
                if constraints.admits_growth(&shape, &growth) {
                    prop_assert!(constraints.allows(&growth));
                }
                shape = grown;
                let still = constraints.admits(&shape);
                prop_assert!(admitted || !still);
                prop_assert!(admitted || !constraints.met(&shape, &known));
                admitted = still;
            }
        }
    }
}
