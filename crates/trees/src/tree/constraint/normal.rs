//! The normal form of constraints: alternatives without parentheses, without those that no tree
//! meets and without those that another makes superfluous.

use super::columns::ColumnSet;
use super::limits::{Fair, Limits, Monotone};
use super::{Atom, Bound, Constraint, Input, Name};
use crate::error::TreeError;
use kinwood_learning::error::{Error, Result};
use kinwood_values::notice::counted;
use kinwood_values::suggest::nearest;

/// How many alternatives constraints may have: each is asked for each candidate of a search.
const MOST: usize = 256;

/// How many combinations are made before those that others make superfluous are left out: each is
/// compared with each.
const CROWD: usize = 4 * MOST;

/// The alternatives of a constraint.
pub(super) fn alternatives(constraint: &Constraint, inputs: &[Input]) -> Result<Vec<Limits>> {
    match constraint {
        Constraint::Atom(atom) => Ok(vec![limits(atom, inputs)?]),
        Constraint::Any(parts) => {
            let mut all = Vec::new();
            for part in parts {
                all.extend(alternatives(part, inputs)?);
                bounded(&mut all)?;
            }
            Ok(all)
        }
        Constraint::All(parts) => {
            let mut all = vec![Limits::default()];
            for part in parts {
                let more = alternatives(part, inputs)?;
                let mut combined = Vec::new();
                for one in &all {
                    combined.extend(more.iter().map(|other| both(one, other)));
                    if combined.len() <= CROWD {
                        continue;
                    }
                    simplify(&mut combined);
                    if combined.len() > CROWD / 2 {
                        return Err(TreeError::ConstraintAlternatives { limit: MOST }.into());
                    }
                }
                all = combined;
                bounded(&mut all)?;
            }
            Ok(all)
        }
    }
}

/// Simplifies only a list grown too long, so that contradictions stay to be named.
fn bounded(all: &mut Vec<Limits>) -> Result<()> {
    if all.len() > MOST {
        simplify(all);
    }
    if all.len() > MOST {
        return Err(TreeError::ConstraintAlternatives { limit: MOST }.into());
    }
    Ok(())
}

fn limits(atom: &Atom, inputs: &[Input]) -> Result<Limits> {
    let mut limits = Limits::default();
    match atom {
        Atom::Size(most) => limits.size = Some(*most),
        Atom::Leaf(least) => limits.leaf = Some(*least),
        Atom::Depth(most) => limits.depth = Some(*most),
        Atom::Cost(most) => limits.cost = Some(*most),
        Atom::Uses(name) => limits.required.insert(find(name, inputs)?),
        Atom::Avoids(name) => limits.banned.insert(find(name, inputs)?),
        Atom::Accuracy(least) => limits.accuracy = Some(*least),
        Atom::Error(most) => limits.error = Some(*most),
        Atom::Like(file) => limits.like = vec![file.clone()],
        Atom::Monotone { name, up, class } => limits.monotone.push(Monotone {
            column: find(name, inputs)?,
            up: *up,
            class: class.clone(),
        }),
        Atom::Fair { name, class, most } => limits.fair.push(Fair {
            column: find_groups(name, inputs)?,
            class: class.clone(),
            most: *most,
        }),
    }
    Ok(limits)
}

fn find(name: &Name, inputs: &[Input]) -> Result<u32> {
    found(name, inputs.iter().filter(|input| input.tested))
}

/// A column of labels, whether it is tested or not.
fn find_groups(name: &Name, inputs: &[Input]) -> Result<u32> {
    let known = inputs.iter().find(|input| input.name == name.text);
    if known.is_some_and(|input| input.labels.is_none()) {
        return Err(Error::SettingValue {
            name: "constraints".to_owned(),
            value: format!("fair({})", name.text),
            expected:
                "a column of labels of a single table: tests that follow keys cannot keep to it"
                    .to_owned(),
            nearest: None,
        });
    }
    found(name, inputs.iter().filter(|input| input.labels.is_some()))
}

fn found<'a>(name: &Name, mut inputs: impl Iterator<Item = &'a Input> + Clone) -> Result<u32> {
    let all = inputs.clone();
    let found = inputs.find(|input| input.name == name.text);
    let found = found.ok_or_else(|| TreeError::ConstraintAttribute {
        name: name.text.clone(),
        column: name.column,
        nearest: nearest(&name.text, all.map(|input| &input.name)),
    })?;
    Ok(found.position)
}

/// The conjunction of two.
fn both(a: &Limits, b: &Limits) -> Limits {
    let union = |a: &ColumnSet, b: &ColumnSet| {
        let mut union = a.clone();
        union.extend(b);
        union
    };
    let mut like = a.like.clone();
    like.extend(b.like.iter().filter(|file| !a.like.contains(file)).cloned());
    Limits {
        size: tighter(a.size, b.size, |a, b| a <= b),
        leaf: tighter(a.leaf, b.leaf, implies_least),
        depth: tighter(a.depth, b.depth, |a, b| a <= b),
        cost: tighter(a.cost, b.cost, implies_most),
        banned: union(&a.banned, &b.banned),
        required: union(&a.required, &b.required),
        accuracy: tighter(a.accuracy, b.accuracy, implies_least),
        error: tighter(a.error, b.error, implies_most),
        like,
        monotone: [&*a.monotone, &b.monotone].concat(),
        fair: [&*a.fair, &b.fair].concat(),
        tests: a.tests,
    }
}

fn tighter<B: Copy>(a: Option<B>, b: Option<B>, implies: impl Fn(B, B) -> bool) -> Option<B> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if implies(a, b) { a } else { b }),
        (a, b) => a.or(b),
    }
}

fn implies_most(a: Bound, b: Bound) -> bool {
    a.value < b.value || a.value == b.value && (a.strict || !b.strict)
}

fn implies_least(a: Bound, b: Bound) -> bool {
    a.value > b.value || a.value == b.value && (a.strict || !b.strict)
}

/// Whether each tree that meets `a` meets `b`.
fn implies(a: &Limits, b: &Limits) -> bool {
    fn within<B: Copy>(a: Option<B>, b: Option<B>, implies: impl Fn(B, B) -> bool) -> bool {
        match (a, b) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(a), Some(b)) => implies(a, b),
        }
    }
    within(a.size, b.size, |a, b| a <= b)
        && within(a.leaf, b.leaf, implies_least)
        && within(a.depth, b.depth, |a, b| a <= b)
        && within(a.cost, b.cost, implies_most)
        && b.banned.missing_from(&a.banned) == 0
        && b.required.missing_from(&a.required) == 0
        && within(a.accuracy, b.accuracy, implies_least)
        && within(a.error, b.error, implies_most)
        && b.like.iter().all(|file| a.like.contains(file))
        && b.monotone.iter().all(|rule| a.monotone.contains(rule))
        && b.fair.iter().all(|fair| {
            let same = |own: &&Fair| (own.column, &own.class) == (fair.column, &fair.class);
            let mut own = a.fair.iter().filter(same);
            own.any(|own| implies_most(own.most, fair.most))
        })
}

/// Leaves out each alternative that implies another; of equals the first stays.
pub(super) fn simplify(all: &mut Vec<Limits>) {
    let mut kept: Vec<Limits> = Vec::with_capacity(all.len());
    for limits in all.drain(..) {
        if kept.iter().any(|other| implies(&limits, other)) {
            continue;
        }
        kept.retain(|other| !implies(other, &limits));
        kept.push(limits);
    }
    *all = kept;
}

/// Why no tree can meet a conjunction, if none can.
pub(super) fn contradiction(
    limits: &Limits,
    costs: &[f64],
    name: &dyn Fn(u32) -> String,
) -> Option<String> {
    let quoted = |column: u32| format!("`{}`", name(column));
    if limits.size == Some(0) {
        return Some("`size <= 0` leaves no node, and a tree has at least one".to_owned());
    }
    let denied = limits.required.iter().find(|&c| limits.banned.contains(c));
    if let Some(column) = denied {
        return Some(format!(
            "{} is to be used and not to be used",
            quoted(column)
        ));
    }
    let used: Vec<String> = limits.required.iter().map(quoted).collect();
    let used_all = used.join(" and ");
    let tests = limits.tests.fewest(used.len());
    let needed = 2 * tests + 1;
    if let Some(most) = limits
        .size
        .filter(|most| !used.is_empty() && *most < needed)
    {
        return Some(format!(
            "using {used_all} takes {needed} nodes, and `size <= {most}` allows fewer"
        ));
    }
    let shallow = |most: usize| tests > limits.tests.most(most);
    if let Some(most) = limits.depth.filter(|&most| shallow(most)) {
        return Some(format!(
            "using {used_all} takes {}, and `depth <= {most}` allows {}",
            counted(tests, "test"),
            limits.tests.most(most)
        ));
    }
    if let Some(most) = limits.cost {
        if !most.at_most(0.0) {
            return Some(format!(
                "`{}` allows no tree, not even a leaf",
                Atom::Cost(most)
            ));
        }
        let mut required = limits.required.iter();
        let dear = required.find(|&column| !most.at_most(cost_of(costs, column)));
        if let Some(column) = dear {
            return Some(format!(
                "using {} costs {}, and `{}` allows less",
                quoted(column),
                cost_of(costs, column),
                Atom::Cost(most)
            ));
        }
    }
    let beyond = |least: &Bound| !least.at_least(1.0);
    if let Some(least) = limits.accuracy.filter(beyond) {
        return Some(format!(
            "`{}` is more than everything",
            Atom::Accuracy(least)
        ));
    }
    let below = |most: &Bound| !most.at_most(0.0);
    if let Some(most) = limits.error.filter(below) {
        return Some(format!("`{}` is less than nothing", Atom::Error(most)));
    }
    None
}

/// What a test on a column costs.
fn cost_of(costs: &[f64], column: u32) -> f64 {
    costs.get(column as usize).copied().unwrap_or(0.0)
}

#[cfg(test)]
pub(super) mod testing {
    //! Random constraints and shapes, and the constraint evaluated as it is written.

    use super::super::limits::Known;
    use super::super::shape::Shape;
    use super::*;
    use proptest::prelude::*;

    /// Three numeric inputs.
    pub fn inputs() -> Vec<Input> {
        let named = ["a", "b", "c d"].into_iter().zip(0..);
        named
            .map(|(name, position)| Input {
                position,
                name: name.to_owned(),
                labels: None,
                tested: true,
            })
            .collect()
    }

    fn bounds() -> impl Strategy<Value = Bound> {
        (0u8..8, any::<bool>()).prop_map(|(value, strict)| Bound {
            value: f64::from(value),
            strict,
        })
    }

    fn shares() -> impl Strategy<Value = Bound> {
        bounds().prop_map(|bound| Bound {
            value: bound.value / 8.0,
            ..bound
        })
    }

    /// Constraints on the inputs whose bounds are near the measures of [`shapes`].
    pub fn constraints() -> impl Strategy<Value = Constraint> {
        let name = || prop_oneof![Just("a"), Just("b"), Just("c d")].prop_map(Name::new);
        let atom = prop_oneof![
            (0usize..12).prop_map(Atom::Size),
            bounds().prop_map(Atom::Leaf),
            (0usize..5).prop_map(Atom::Depth),
            bounds().prop_map(Atom::Cost),
            name().prop_map(Atom::Uses),
            name().prop_map(Atom::Avoids),
            shares().prop_map(Atom::Accuracy),
            shares().prop_map(Atom::Error),
            prop_oneof![Just("x"), Just("y")].prop_map(|file| Atom::Like(file.to_owned())),
        ];
        let atom = atom.prop_map(Constraint::Atom);
        atom.prop_recursive(3, 12, 3, |inner| {
            let parts = proptest::collection::vec(inner, 1..4);
            (parts, any::<bool>()).prop_map(|(parts, all)| match all {
                true => Constraint::all(parts),
                false => Constraint::any(parts),
            })
        })
    }

    /// Shapes that trees can have: enough nodes for the columns and the depth.
    pub fn shapes() -> impl Strategy<Value = Shape> {
        let columns = proptest::collection::vec(0u32..3, 0..5);
        (columns, 0u8..8, 0u8..8).prop_map(|(columns, leaf, cost)| Shape {
            size: 2 * columns.len() + 1,
            // A tree of depth d has at most 2^d - 1 tests.
            depth: (usize::BITS - columns.len().leading_zeros()) as usize,
            leaf: f64::from(leaf),
            cost: f64::from(cost),
            columns: columns.into_iter().collect(),
        })
    }

    /// Things known or not of a tree.
    pub fn knowns() -> impl Strategy<Value = Known> {
        let share = || proptest::option::of((0u8..9).prop_map(|eighths| f64::from(eighths) / 8.0));
        let like = proptest::sample::subsequence(vec!["x".to_owned(), "y".to_owned()], 0..=2);
        (share(), share(), like).prop_map(|(accuracy, error, like)| Known {
            accuracy,
            error,
            like,
            ..Known::default()
        })
    }

    /// Whether a constraint holds, as it is written.
    pub fn direct(constraint: &Constraint, shape: &Shape, known: &Known) -> bool {
        let tests = |name: &Name| {
            let input = inputs().into_iter().find(|input| input.name == name.text);
            input.is_some_and(|input| shape.columns.contains(input.position))
        };
        let above = |found: f64, least: &Bound| {
            found > least.value || !least.strict && found == least.value
        };
        let below =
            |found: f64, most: &Bound| found < most.value || !most.strict && found == most.value;
        match constraint {
            Constraint::All(parts) => parts.iter().all(|part| direct(part, shape, known)),
            Constraint::Any(parts) => parts.iter().any(|part| direct(part, shape, known)),
            Constraint::Atom(atom) => match atom {
                Atom::Size(most) => shape.size <= *most,
                Atom::Leaf(least) => above(shape.leaf, least),
                Atom::Depth(most) => shape.depth <= *most,
                Atom::Cost(most) => below(shape.cost, most),
                Atom::Uses(name) => tests(name),
                Atom::Avoids(name) => !tests(name),
                Atom::Accuracy(least) => known.accuracy.is_some_and(|found| above(found, least)),
                Atom::Error(most) => known.error.is_some_and(|found| below(found, most)),
                Atom::Like(file) => known.like.contains(file),
                Atom::Monotone { .. } | Atom::Fair { .. } => {
                    unreachable!("such conditions are not drawn here")
                }
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::limits::{Known, TestReach};
    use super::super::resolved::Constraints;
    use super::super::shape::{Growth, Shape};
    use super::testing::{constraints, direct, inputs, knowns, shapes};
    use super::*;
    use proptest::prelude::*;

    fn resolve(text: &str) -> Result<Constraints> {
        let costs = [1.0, 2.0, 0.5];
        let constraint = Constraint::parse(text).unwrap();
        Constraints::new(&constraint, &inputs(), &costs, TestReach::default())
    }

    #[test]
    fn contradictions_are_named() {
        for (text, reason) in [
            (
                "size <= 0",
                "`size <= 0` leaves no node, and a tree has at least one",
            ),
            (
                "uses(a) and not uses(a)",
                "`a` is to be used and not to be used",
            ),
            (
                "size <= 1 and uses(a)",
                "using `a` takes 3 nodes, and `size <= 1` allows fewer",
            ),
            (
                "size <= 4 and uses(a) and uses(b) and size <= 9",
                "using `a` and `b` takes 5 nodes, and `size <= 4` allows fewer",
            ),
            (
                "depth <= 1 and (uses(a) and uses('c d'))",
                "using `a` and `c d` takes 2 tests, and `depth <= 1` allows 1",
            ),
            (
                "depth <= 0 and uses(a)",
                "using `a` takes 1 test, and `depth <= 0` allows 0",
            ),
            (
                "cost <= 1.5 and uses(b)",
                "using `b` costs 2, and `cost <= 1.5` allows less",
            ),
            ("cost < 0", "`cost < 0` allows no tree, not even a leaf"),
            ("accuracy > 100%", "`accuracy > 1` is more than everything"),
            ("error < 0", "`error < 0` is less than nothing"),
            (
                "(size <= 1 or depth <= 0) and uses(a)",
                "using `a` takes 3 nodes, and `size <= 1` allows fewer; or \
                 using `a` takes 1 test, and `depth <= 0` allows 0",
            ),
        ] {
            let error = resolve(text).unwrap_err();
            let Some(TreeError::Infeasible { reason: found, .. }) = error.own() else {
                panic!("{error}");
            };
            assert_eq!(found, reason, "{text}");
        }
        assert_eq!(
            resolve("size <= 1 and uses(a)").unwrap_err().to_string(),
            "infeasible: `size <= 1 and uses(a)`: using `a` takes 3 nodes, and `size <= 1` allows fewer"
        );
        let possible = resolve("size <= 1 and uses(a) or depth <= 3").unwrap();
        assert_eq!(possible.alternatives().len(), 1);
        for possible in [
            "size <= 3 and uses(a)",
            "depth <= 63 and uses(a)",
            "cost <= 0",
            "error <= 0",
        ] {
            assert!(resolve(possible).is_ok());
        }
    }

    #[test]
    fn a_test_of_several_columns_or_branches_makes_small_trees_feasible() {
        let feasible = |text: &str, tests: TestReach| {
            let constraint = Constraint::parse(text).unwrap();
            Constraints::new(&constraint, &inputs(), &[0.0; 3], tests)
        };
        let several = TestReach {
            several: true,
            branches: 2,
        };
        let wide = TestReach {
            several: false,
            branches: 3,
        };
        let two = "size <= 3 and uses(a) and uses(b)";
        assert!(feasible(two, TestReach::default()).is_err());
        let found = feasible(two, several).unwrap();
        let growth = |columns: &[u32]| Growth {
            depth: 0,
            cost: 0.0,
            columns: columns.iter().copied().collect(),
            leaf: 1.0,
            branches: 2,
        };
        let leaf = Shape::leaf(2.0);
        assert!(found.admits(&leaf));
        assert!(found.admits_growth(&leaf, &growth(&[0, 1])));
        assert!(!found.admits_growth(&leaf, &growth(&[0])));
        let error = feasible("size <= 1 and uses(a) and uses(b)", several);
        assert!(error.unwrap_err().to_string().contains("takes 3 nodes"));
        let deep = "depth <= 2 and uses(a) and uses(b) and uses('c d')";
        assert!(feasible(deep, TestReach::default()).is_ok());
        let flat = "depth <= 1 and uses(a) and uses(b)";
        assert!(feasible(flat, wide).is_err());
        assert!(feasible(flat, several).is_ok());
        assert_eq!((wide.most(2), wide.most(0)), (4, 0));
        assert_eq!(TestReach::default().most(200), usize::MAX);
    }

    #[test]
    fn groups_are_labels() {
        let error = resolve("fair(a) <= 0.1").unwrap_err().to_string();
        assert!(error.contains("a column of labels"), "{error}");
        let error = resolve("fair(d) <= 0.1").unwrap_err().to_string();
        assert!(error.contains("unknown attribute `d`"), "{error}");
    }

    #[test]
    fn unknown_attributes_are_pointed_at() {
        let error = resolve("size <= 9 and uses('cd')").unwrap_err().to_string();
        assert_eq!(
            error,
            "unknown attribute `cd` at column 20 of the constraints; did you mean `c d`?"
        );
        let error = resolve("not uses(elsewhere)").unwrap_err().to_string();
        assert_eq!(
            error,
            "unknown attribute `elsewhere` at column 10 of the constraints"
        );
    }

    #[test]
    fn superfluous_alternatives_go_and_too_many_are_refused() {
        let kept = |text: &str| resolve(text).unwrap().alternatives().to_vec();
        assert_eq!(
            kept("size <= 5 or size <= 9 or size <= 9 and leaf > 2"),
            kept("size <= 9")
        );
        assert_eq!(kept("cost < 2 or cost <= 2"), kept("cost <= 2"));
        assert_eq!(kept("leaf > 2 or leaf >= 2"), kept("leaf >= 2"));
        assert_eq!(kept("like(x) and like(y) or like(y)"), kept("like(y)"));
        assert_eq!(
            kept("(size <= 5 or depth <= 2) and (size <= 5 or depth <= 2)").len(),
            2
        );
        // Each pair doubles the alternatives, and none implies another.
        let pair = |k: usize| format!("(like(x{k}) or like(y{k}))");
        let pairs = |count: usize| (0..count).map(pair).collect::<Vec<_>>().join(" and ");
        assert_eq!(kept(&pairs(8)).len(), 256);
        let error = resolve(&pairs(40)).unwrap_err().to_string();
        assert_eq!(
            error,
            "the constraints, without parentheses, are more than 256 alternatives"
        );
        // 65,536 combinations, each of which was once compared with each.
        let many = |name: char| {
            let parts: Vec<String> = (0..256).map(|k| format!("like({name}{k})")).collect();
            format!("({})", parts.join(" or "))
        };
        let error = resolve(&format!("{} and {}", many('x'), many('y')));
        assert!(error.unwrap_err().to_string().contains("more than 256"));
    }

    kinwood_testing::soak! { 256;
        fn soak_an_implied_alternative_holds_where_the_other_does(
            constraint in constraints(),
            shape in shapes(),
            known in knowns(),
        ) {
            let all = alternatives(&constraint, &inputs()).unwrap();
            for a in &all {
                for b in all.iter().filter(|b| implies(a, b)) {
                    prop_assert!(!a.met(&shape, &known) || b.met(&shape, &known));
                }
            }
        }

        fn soak_no_tree_meets_what_is_called_infeasible(
            constraint in constraints(),
            shape in shapes(),
            known in knowns(),
        ) {
            if Constraints::new(&constraint, &inputs(), &[0.0; 3], TestReach::default()).is_err() {
                prop_assert!(!direct(&constraint, &shape, &known));
                prop_assert!(!direct(&constraint, &shape, &Known::default()));
            }
        }
    }
}
