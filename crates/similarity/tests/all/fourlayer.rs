//! The four-layer distance: values computed by hand, a naive oracle that follows the definition,
//! and the laws.

use std::collections::{BTreeMap, BTreeSet};

use kinwood_similarity::account::Detail;
use kinwood_similarity::testing::check_distance;
use kinwood_similarity::{DistanceOn, Measured, Registry};
use kinwood_values::{Column, Term, Type, Value};
use proptest::prelude::*;

fn facts_type() -> Type {
    "set<term>".parse().unwrap()
}

fn object(facts: &[&str]) -> Value {
    Value::set(
        facts
            .iter()
            .map(|fact| Value::Term(fact.parse().unwrap()))
            .collect(),
    )
}

fn fitted(expression: &str, objects: &[Value]) -> DistanceOn {
    let of = facts_type();
    let training = Column::from_values(&of, objects).unwrap();
    let expression = expression.parse().unwrap();
    let registry = Registry::builtin();
    let distance = registry
        .distance(&expression, &of, Some(&training), "the objects")
        .unwrap();
    // What a model keeps is the same distance.
    let kept = distance.expression().to_string().parse().unwrap();
    registry.distance(&kept, &of, None, "the objects").unwrap()
}

fn between(expression: &str, a: &[&str], b: &[&str]) -> f64 {
    let (a, b) = (object(a), object(b));
    number(
        fitted(expression, &[a.clone(), b.clone()])
            .between(&a, &b)
            .unwrap(),
    )
}

fn number(measured: Measured) -> f64 {
    match measured {
        Measured::Number(number) => number,
        Measured::Pair(_) => panic!("a number"),
    }
}

fn near(found: f64, expected: f64) {
    assert!(
        (found - expected).abs() < 1e-12,
        "{found} instead of {expected}"
    );
}

#[test]
fn single_level_objects_by_hand() {
    // The numbers differ by 2 at most. The facts of the first are at sqrt((1/4 + 0)/2) and
    // sqrt((1/4 + 1)/2) from that of the second.
    let first = ["p(self,1,c)", "p(self,3,d)"];
    let second = ["p(self,2,c)"];
    near(between("fourlayer", &first, &second), 0.625f64.sqrt());
    let halves = (0.125f64.sqrt() + 0.625f64.sqrt() + 0.125f64.sqrt()) / 2.0;
    near(
        between("fourlayer(layer3=sum_of_minima)", &first, &second),
        halves,
    );
    // The first of the first goes with that of the second, the other is left over.
    let matched = 0.125f64.sqrt() + 0.25;
    near(
        between("fourlayer(layer3=matching, M=0.5)", &first, &second),
        matched,
    );
    // Of single facts too, two cost no more than if neither were paired: of 15 behind, 10 count.
    let deep = |text: &'static str| ["of(self,m)", "p(m,1)", "p(m,2)", "p(m,3)", text];
    let three = (deep("p(m,0)"), ["of(self,m)", "p(m,0)"]);
    near(
        between("fourlayer(layer3=matching, M=10)", &three.0, &three.1),
        10.0,
    );
    // A predicate that only one has is at 1, one that both lack is not there.
    let first = ["p(self,1,c)", "p(self,3,d)", "r(self,x)"];
    near(
        between("fourlayer", &first, &second),
        ((0.625f64 + 1.0) / 2.0).sqrt(),
    );
    near(
        between("fourlayer(layer3=matching, M=0.5)", &first, &second),
        ((matched.powi(2) + 0.25f64.powi(2)) / 2.0).sqrt(),
    );
    // Numbers and symbols are apart, a repeated fact is one.
    near(
        between("fourlayer", &["p(self,1)", "p(self,1)"], &["p(self,'1')"]),
        1.0,
    );
    near(between("fourlayer", &["here(self)"], &["here(self)"]), 0.0);
    near(between("fourlayer", &[], &["here(self)"]), 1.0);
}

#[test]
fn multi_level_objects_by_hand() {
    // Atoms b and c differ in one of two arguments; charges differ by 4 at most.
    let first = [
        "has(m,a)",
        "has(m,b)",
        "atom(a,carbon,0)",
        "atom(b,oxygen,4)",
    ];
    let second = [
        "has(n,a)",
        "has(n,c)",
        "atom(a,carbon,0)",
        "atom(c,oxygen,2)",
    ];
    let atoms = (0.25f64 / 2.0).sqrt();
    near(between("fourlayer", &first, &second), atoms);
    // A bond of atoms at 0 and atoms^2, of another type.
    let bonded = |facts: &[&'static str], bond: &'static str| [facts, &[bond]].concat();
    let first = bonded(&first, "bond(m,a,b,single)");
    let second = bonded(&second, "bond(n,a,c,double)");
    let bond = (0.0 + 0.125 + 1.0) / 3.0;
    near(
        between("fourlayer", &first, &second),
        f64::sqrt((0.125 + bond) / 2.0),
    );
}

#[test]
fn circles_take_their_least_solution() {
    // D(self)^2 = D(a)^2 / 2 and D(a)^2 = (D(self)^2 + 1) / 2.
    let circle =
        |colour: &'static str| ["link(self,a)", "link(a,self)", "colour(self,red)", colour];
    let (first, second) = (circle("colour(a,red)"), circle("colour(a,blue)"));
    near(between("fourlayer", &first, &second), (1.0f64 / 3.0).sqrt());
    // Any distance solves x = x; the least does.
    near(
        between(
            "fourlayer",
            &["next(self,self)"],
            &["next(self,a)", "next(a,self)"],
        ),
        0.0,
    );
}

#[test]
fn deep_objects_do_not_exhaust_the_stack() {
    let chain = |length: usize, end: &str| {
        let mut facts: Vec<Value> = Vec::new();
        let name = |place: usize| match place {
            0 => "self".to_owned(),
            place => format!("n{place}"),
        };
        for place in 0..length {
            let next: Term = format!("next({},{})", name(place), name(place + 1))
                .parse()
                .unwrap();
            facts.push(Value::Term(next));
        }
        let end: Term = format!("end({},{end})", name(length)).parse().unwrap();
        facts.push(Value::Term(end));
        Value::set(facts)
    };
    let (a, b) = (chain(1000, "x"), chain(1000, "y"));
    let distance = fitted("fourlayer", &[a.clone(), b.clone()]);
    // Every link but the last is described by `next` and `end` alike: half of the square is kept at
    // each.
    let found = number(distance.between(&a, &b).unwrap());
    assert!((0.0..1e-9).contains(&found), "{found}");
    let short = (chain(3, "x"), chain(3, "y"));
    let found = number(
        fitted("fourlayer", &[short.0.clone(), short.1.clone()])
            .between(&short.0, &short.1)
            .unwrap(),
    );
    // The main ID has `next` alone; n1 and n2 have it and lack `end`; n3 has `end` and lacks
    // `next`.
    near(found, (0.5f64.powi(3)).sqrt());
}

#[test]
fn what_was_not_seen_in_training_is_at_most_one_away() {
    let object = |number: f64| object(&[&format!("p(self,{number})")]);
    let distance = fitted("fourlayer", &[object(0.0), object(2.0)]);
    near(
        number(distance.between(&object(0.0), &object(1.0)).unwrap()),
        0.5,
    );
    near(
        number(distance.between(&object(-5.0), &object(50.0)).unwrap()),
        1.0,
    );
    // One value in training: equal or not. A predicate that training lacks says nothing.
    let constant = fitted("fourlayer", &[object(3.0)]);
    near(
        number(constant.between(&object(3.0), &object(3.5)).unwrap()),
        1.0,
    );
    let more = self::object(&["p(self,3)", "q(self,z)"]);
    near(number(constant.between(&object(3.0), &more).unwrap()), 0.0);
}

#[test]
fn names_of_described_ids_are_not_compared() {
    let found = between(
        "fourlayer",
        &["has(m,a)", "atom(a,carbon)"],
        &["has(k,zz)", "atom(zz,carbon)"],
    );
    near(found, 0.0);
    // An ID that nothing describes is a name like any other.
    near(
        between("fourlayer", &["has(self,a)"], &["has(self,b)"]),
        1.0,
    );
}

#[test]
fn nested_values_are_objects_too() {
    let of: Type = "tuple<size: numeric, parts: set<tuple<kind: nominal, weight: numeric>>, at: tuple<x: numeric>>".parse().unwrap();
    let value = |json: serde_json::Value| Value::from_json(&of, &json).unwrap();
    let a = value(
        serde_json::json!({"size": 0, "parts": [{"kind": "u", "weight": 1}], "at": {"x": 0}}),
    );
    let b = value(
        serde_json::json!({"size": 4, "parts": [{"kind": "u", "weight": 2}, {"kind": "v", "weight": 5}], "at": {"x": 1}}),
    );
    let distance = Registry::builtin()
        .distance(&"fourlayer".parse().unwrap(), &of, None, "the values")
        .unwrap();
    // The row's own fact has the size and where it is, both as far as can be; weights differ by 4
    // at most.
    let parts: f64 = (1.0 + 1.0) / 2.0;
    near(
        number(distance.between(&a, &b).unwrap()),
        f64::sqrt((1.0 + parts) / 2.0),
    );
}

#[test]
fn what_is_no_object_is_refused() {
    let refusal = |facts: &[&str]| {
        let value = object(facts);
        let of = facts_type();
        let distance =
            Registry::builtin().distance(&"fourlayer".parse().unwrap(), &of, None, "the values");
        distance
            .unwrap()
            .between(&value, &value)
            .unwrap_err()
            .to_string()
    };
    assert!(
        refusal(&["lonely"]).contains("no fact"),
        "{}",
        refusal(&["lonely"])
    );
    assert!(
        refusal(&["p(a,1)", "p(b,2)"]).contains("main"),
        "{}",
        refusal(&["p(a,1)", "p(b,2)"])
    );
    let error = |expression: &str, of: &str| {
        let of: Type = of.parse().unwrap();
        let found =
            Registry::builtin().distance(&expression.parse().unwrap(), &of, None, "the values");
        found.err().unwrap().to_string()
    };
    assert!(error("fourlayer", "numeric").contains("numeric"));
    assert!(error("fourlayer(layer3=hausdorf)", "set<term>").contains("hausdorff"));
    assert!(error("fourlayer(facts='{')", "set<term>").contains("facts"));
}

#[test]
fn the_linear_kernel_induces_the_distance() {
    let objects: Vec<Value> = [
        vec!["has(m,a)", "atom(a,carbon,1)"],
        vec![
            "has(m,a)",
            "has(m,b)",
            "atom(a,carbon,2)",
            "atom(b,oxygen,0)",
        ],
        vec!["has(m,b)", "atom(b,nitrogen,4)"],
    ]
    .iter()
    .map(|facts| object(facts))
    .collect();
    let of = facts_type();
    let training = Column::from_values(&of, &objects).unwrap();
    let measured = |expression: &str| {
        let distance = Registry::builtin().distance(
            &expression.parse().unwrap(),
            &of,
            Some(&training),
            "the objects",
        );
        distance.unwrap()
    };
    let (plain, induced) = (
        measured("fourlayer"),
        measured("induced(linear(fourlayer))"),
    );
    let mut largest: f64 = 0.0;
    for a in &objects {
        for b in &objects {
            let expected = number(plain.between(a, b).unwrap());
            assert!((number(induced.between(a, b).unwrap()) - expected).abs() < 1e-7);
            largest = largest.max(expected);
        }
    }
    assert!(largest > 0.5);
}

#[test]
fn the_structural_kernel_by_hand() {
    let of = facts_type();
    let inner = |expression: &str, a: &[&str], b: &[&str]| {
        let kernel =
            Registry::builtin().kernel(&expression.parse().unwrap(), &of, None, "the objects");
        kernel.unwrap().inner(&object(a), &object(b)).unwrap()
    };
    let first = [
        "has(m,a)",
        "has(m,b)",
        "atom(a,carbon,2)",
        "atom(b,oxygen,3)",
    ];
    let second = ["has(m,a)", "atom(a,carbon,5)"];
    // Both pairs of atoms: 1 + 2*5 and 0 + 3*5; the products 10 and 0.
    near(inner("structural(on=facts)", &first, &second), 26.0);
    near(
        inner("structural(on=facts, arguments=product)", &first, &second),
        10.0,
    );
    let gaussian = inner("structural(gaussian(0.5), on=facts)", &first, &second);
    near(gaussian, 1.0 + (-4.5f64).exp() + (-2.0f64).exp());
    let circle = ["link(self,self)"];
    let kernel = Registry::builtin().kernel(
        &"structural(on=facts)".parse().unwrap(),
        &of,
        None,
        "the objects",
    );
    let refusal = kernel
        .unwrap()
        .inner(&object(&circle), &object(&circle))
        .unwrap_err();
    assert!(refusal.to_string().contains("back to itself"), "{refusal}");
}

/// Random objects: four IDs, of which `self` is the main one; arguments are numbers, symbols or,
/// where `circles`, any ID, else later ones.
fn any_objects(circles: bool) -> impl Strategy<Value = Vec<Vec<String>>> {
    let names = ["self", "a", "b", "c"];
    let argument = move |id: usize| {
        let first = if circles { 0 } else { id + 1 };
        prop_oneof![
            (0u8..4).prop_map(|number| number.to_string()),
            prop::sample::select(vec!["red", "blue"]).prop_map(str::to_owned),
            (first..names.len() + 1)
                .prop_map(move |id| names.get(id).unwrap_or(&"lost").to_string()),
        ]
    };
    let fact = (0usize..4).prop_flat_map(move |id| {
        prop_oneof![
            Just(format!("flag({})", names[id])),
            argument(id).prop_map(move |x| format!("p({},{x})", names[id])),
            (argument(id), argument(id))
                .prop_map(move |(x, y)| format!("q({},{x},{y})", names[id])),
        ]
    });
    prop::collection::vec(
        (argument(0), prop::collection::vec(fact, 0..7)).prop_map(|(x, mut facts)| {
            facts.push(format!("p(self,{x})"));
            facts
        }),
        3,
    )
}

/// The definition, with nothing shared and nothing squared: a fact is a predicate, an ID and
/// arguments.
struct Naive {
    objects: Vec<Vec<(String, String, Vec<String>)>>,
    main: BTreeSet<String>,
    largest: BTreeMap<(String, usize), f64>,
    described: BTreeMap<(String, usize), BTreeSet<String>>,
}

impl Naive {
    fn new(objects: &[Vec<String>]) -> Self {
        let split = |fact: &String| {
            let (name, rest) = fact.split_once('(').unwrap();
            let mut arguments = rest.trim_end_matches(')').split(',').map(str::to_owned);
            let id = arguments.next().unwrap();
            let arguments: Vec<String> = arguments.collect();
            (format!("{name}/{}", arguments.len()), id, arguments)
        };
        let objects: Vec<Vec<(String, String, Vec<String>)>> = objects
            .iter()
            .map(|facts| {
                let distinct: BTreeSet<&String> = facts.iter().collect();
                distinct.into_iter().map(split).collect()
            })
            .collect();
        let mut naive = Naive {
            objects: objects.clone(),
            main: BTreeSet::new(),
            largest: BTreeMap::new(),
            described: BTreeMap::new(),
        };
        let mut numbers: BTreeMap<(String, usize), Vec<f64>> = BTreeMap::new();
        for facts in &objects {
            for (predicate, id, arguments) in facts {
                if id == "self" {
                    naive.main.insert(predicate.clone());
                }
                for (rank, argument) in arguments.iter().enumerate() {
                    let place = (predicate.clone(), rank);
                    if let Ok(number) = argument.parse::<f64>() {
                        numbers.entry(place).or_default().push(number);
                    } else {
                        for (by, ..) in facts.iter().filter(|(_, id, _)| id == argument) {
                            naive
                                .described
                                .entry(place.clone())
                                .or_default()
                                .insert(by.clone());
                        }
                    }
                }
            }
        }
        for (place, numbers) in numbers {
            let all = || numbers.iter().copied();
            let range = all().fold(f64::MIN, f64::max) - all().fold(f64::MAX, f64::min);
            naive.largest.insert(place, range);
        }
        naive
    }

    fn facts(&self, object: usize, id: &str, predicate: &str) -> Vec<&Vec<String>> {
        let facts = self.objects[object].iter();
        facts
            .filter(|(name, of, _)| name == predicate && of == id)
            .map(|(.., arguments)| arguments)
            .collect()
    }

    fn is_id(&self, object: usize, name: &str) -> bool {
        self.objects[object].iter().any(|(_, id, _)| id == name)
    }

    /// From 0, all pairs of IDs under all sets of predicates, until nothing moves.
    fn between(&self, first: usize, second: usize) -> f64 {
        let names = ["self", "a", "b", "c"];
        let mut kinds: BTreeSet<BTreeSet<String>> = self.described.values().cloned().collect();
        kinds.insert(self.main.clone());
        let mut known: BTreeMap<(BTreeSet<String>, &str, &str), f64> = BTreeMap::new();
        loop {
            let mut moved: f64 = 0.0;
            let mut next = known.clone();
            for kind in &kinds {
                for x in names {
                    for y in names {
                        let key = (kind.clone(), x, y);
                        let before = known.get(&key).copied().unwrap_or(0.0);
                        let now = self.fourth(kind, (first, x), (second, y), &known);
                        moved = moved.max((now - before).abs());
                        next.insert(key, now);
                    }
                }
            }
            known = next;
            if moved < 1e-14 {
                return known[&(self.main.clone(), "self", "self")];
            }
        }
    }

    fn fourth(
        &self,
        kind: &BTreeSet<String>,
        (first, x): (usize, &str),
        (second, y): (usize, &str),
        known: &BTreeMap<(BTreeSet<String>, &str, &str), f64>,
    ) -> f64 {
        let mut sum = 0.0;
        for predicate in kind {
            let (a, b) = (
                self.facts(first, x, predicate),
                self.facts(second, y, predicate),
            );
            let fact = |one: &Vec<String>, other: &Vec<String>| {
                let mut squares = Vec::new();
                for (rank, (s, t)) in one.iter().zip(other).enumerate() {
                    let place = (predicate.clone(), rank);
                    let ids = self.is_id(first, s) && self.is_id(second, t);
                    let distance: f64 = match (s.parse::<f64>(), t.parse::<f64>()) {
                        _ if ids => {
                            let kind = self.described[&place].clone();
                            let found = known
                                .iter()
                                .find(|((of, x, y), _)| *of == kind && x == s && y == t);
                            found.map_or(0.0, |(_, distance)| *distance)
                        }
                        (Ok(s), Ok(t)) if s == t => 0.0,
                        (Ok(s), Ok(t)) => (s - t).abs() / self.largest[&place],
                        _ => f64::from(u8::from(
                            s != t || self.is_id(first, s) != self.is_id(second, t),
                        )),
                    };
                    squares.push(distance * distance);
                }
                match squares.len() {
                    0 => 0.0,
                    count => (squares.iter().sum::<f64>() / count as f64).sqrt(),
                }
            };
            let third = match (a.is_empty(), b.is_empty()) {
                (true, true) => 0.0,
                (true, false) | (false, true) => 1.0,
                (false, false) => {
                    let mut largest: f64 = 0.0;
                    for one in &a {
                        largest = largest.max(
                            b.iter()
                                .map(|other| fact(one, other))
                                .fold(f64::MAX, f64::min),
                        );
                    }
                    for other in &b {
                        largest = largest.max(
                            a.iter()
                                .map(|one| fact(one, other))
                                .fold(f64::MAX, f64::min),
                        );
                    }
                    largest
                }
            };
            sum += third * third;
        }
        (sum / kind.len() as f64).sqrt()
    }
}

fn agrees(objects: &[Vec<String>]) -> Result<(), TestCaseError> {
    let values: Vec<Value> = objects
        .iter()
        .map(|facts| object(&facts.iter().map(String::as_str).collect::<Vec<_>>()))
        .collect();
    let distance = fitted("fourlayer", &values);
    let naive = Naive::new(objects);
    for first in 0..values.len() {
        for second in 0..values.len() {
            let found = number(distance.between(&values[first], &values[second]).unwrap());
            let expected = naive.between(first, second);
            prop_assert!(
                (found - expected).abs() < 1e-9,
                "{found} instead of {expected} for {:?} and {:?}",
                objects[first],
                objects[second]
            );
        }
    }
    Ok(())
}

kinwood_testing::soak! { 400;
    fn soak_agrees_with_the_definition_without_circles(objects in any_objects(false)) {
        agrees(&objects)?;
    }

    fn soak_agrees_with_the_definition_in_circles(objects in any_objects(true)) {
        agrees(&objects)?;
    }

    fn soak_keeps_the_laws_and_tells_how(objects in any_objects(true)) {
        keeps_and_tells("fourlayer", &objects)?;
    }

    fn soak_sums_keep_the_laws_and_tell_how(objects in any_objects(false), most in 0.1f64..12.0) {
        keeps_and_tells(&format!("fourlayer(layer3=matching, M={most})"), &objects)?;
        keeps_and_tells("fourlayer(layer3=sum_of_minima)", &objects)?;
    }
}

fn keeps_and_tells(rule: &str, objects: &[Vec<String>]) -> Result<(), TestCaseError> {
    let values: Vec<Value> = objects
        .iter()
        .map(|facts| object(&facts.iter().map(String::as_str).collect::<Vec<_>>()))
        .collect();
    let distance = fitted(rule, &values);
    if let Err(broken) = check_distance(Registry::builtin(), &distance, &values) {
        prop_assert!(false, "{broken}");
    }
    let account = distance
        .account(&values[0], &values[1], Detail::ALL)
        .unwrap();
    let (told, again) = (number(account.distance), number(account.recombined()));
    prop_assert!((told - again).abs() < 1e-9, "{told} recombined to {again}");
    Ok(())
}

#[test]
fn matching_caps_single_facts_at_their_price() {
    let first = ["sp(self,b,i1)", "pp(i1,b,m)", "pr(i1,k,k)", "pr(i1,m,k)"];
    let second = [
        "sp(self,a,i0)",
        "pp(i0,1,m)",
        "pp(i0,1,k)",
        "pq(i0,5)",
        "pq(i0,0)",
    ];
    let rule = "fourlayer(layer3=matching)";
    let (a, b) = (object(&first), object(&second));
    let without_training = Registry::builtin()
        .distance(&rule.parse().unwrap(), &facts_type(), None, "the objects")
        .unwrap();
    let trained = fitted(rule, &[a.clone(), b.clone()]);
    for distance in [without_training, trained] {
        near(number(distance.between(&a, &b).unwrap()), 1.0);
        near(number(distance.between(&b, &a).unwrap()), 1.0);
        let account = distance.account(&a, &b, Detail::ALL).unwrap();
        near(number(account.recombined()), 1.0);
    }
}

#[test]
fn sums_have_no_end_in_circles() {
    let circle = object(&["e(self,self,a)", "e(self,self,b)"]);
    let other = object(&["e(self,self,c)", "e(self,self,d)"]);
    for rule in ["sum_of_minima", "matching"] {
        let distance = fitted(
            &format!("fourlayer(layer3={rule})"),
            &[object(&["e(self,b,a)"])],
        );
        let refusal = distance.between(&circle, &other).unwrap_err().to_string();
        assert!(refusal.contains("circle"), "{refusal}");
    }
}

#[test]
fn the_triangle_is_claimed_where_it_holds() {
    let flat = [object(&["p(self,1)"])];
    let deep = [object(&["p(self,a)", "q(a,1)"])];
    assert!(fitted("fourlayer", &deep).laws().triangle);
    assert!(fitted("fourlayer(layer3=matching)", &flat).laws().triangle);
    let cheap = fitted("fourlayer(layer3=matching, M=0.5)", &flat);
    assert!(cheap.laws().triangle);
    assert!(!fitted("fourlayer(layer3=matching)", &deep).laws().triangle);
    assert!(
        !fitted("fourlayer(layer3=sum_of_minima)", &flat)
            .laws()
            .triangle
    );
}
