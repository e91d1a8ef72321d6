//! Random values of random types under random compositions keep the laws that the compositions
//! state.

use kinwood_similarity::matrix::Condensed;
use kinwood_similarity::testing::{check_distance, check_kernel};
use kinwood_similarity::{Expression, Gaps, Laws, Measured, Registry};
use kinwood_testing::{any_type, any_value_of};
use kinwood_values::term::Node;
use kinwood_values::{Column, Term, Type, Value};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;

/// A random distance for values of a type, nested at most this deep.
fn any_distance(of: &Type, depth: usize) -> BoxedStrategy<String> {
    let own = select(distances_for(of)).prop_map(str::to_owned).boxed();
    if depth == 0 {
        return own;
    }
    let composed = match of {
        Type::List(inner) | Type::Set(inner) | Type::Bag(inner) => {
            let mut outer = vec![
                "hausdorff(#, empty=2)",
                "hausdorff(#)",
                "min_hausdorff(#, empty=1)",
                "ranked_hausdorff(#, k=2, empty=1)",
                "sum_of_minima(#, empty=1)",
                "matching(#)",
                "matching(#, M=3)",
                "surjection(#, empty=1)",
                "fair_surjection(#, empty=1)",
                "link(#, empty=1)",
            ];
            if matches!(of, Type::List(_)) {
                outer.extend([
                    "edit(#)",
                    "edit(#, insert=2, delete=2)",
                    "edit(#, 1, 3, 0.5)",
                    "edit(#, 0.3, 0.3, 0.1)",
                    "edit(#, missing=max)",
                ]);
            }
            (select(outer), any_distance(inner, depth - 1))
                .prop_map(|(outer, inner)| outer.replace('#', &inner))
                .boxed()
        }
        Type::Tuple(fields) if !fields.is_empty() => {
            let parts: Vec<_> = fields
                .iter()
                .map(|field| (any_distance(&field.of, depth - 1), 0u32..3))
                .collect();
            let names = select(vec!["sum", "mean", "euclidean", "rms"]);
            (
                names,
                parts,
                select(vec!["", ", missing=skip", ", missing=max"]),
            )
                .prop_filter_map("a weight", |(name, parts, missing)| {
                    let weighted: Vec<String> = parts
                        .iter()
                        .map(|(part, weight)| format!("{part} * {weight}"))
                        .collect();
                    let any = parts.iter().any(|(_, weight)| *weight > 0);
                    any.then(|| format!("{name}({}{missing})", weighted.join(", ")))
                })
                .boxed()
        }
        _ => return own,
    };
    prop_oneof![1 => own, 3 => composed].boxed()
}

fn distances_for(of: &Type) -> Vec<&'static str> {
    let mut names = vec![
        "default",
        "discrete",
        "scaled(discrete, by=2)",
        "induced(delta)",
    ];
    names.extend(match of {
        Type::Numeric => vec!["absolute", "absolute(range=7)"],
        Type::DateTime => vec![
            "absolute",
            "absolute(range=7)",
            "date",
            "date(month=1, hour=2)",
        ],
        Type::Set(_) | Type::Bag(_) => {
            vec![
                "symmetric_difference",
                "induced(set(delta, power=2))",
                "jaccard",
                "jaccard(weights=idf)",
                "dice",
                "cosine",
                "overlap",
            ]
        }
        Type::List(of) if **of == Type::Numeric => vec![
            "edit",
            "dtw",
            "dtw(window=1)",
            "erp",
            "msm",
            "twe(derivative=true)",
            "lcss",
            "correlation",
        ],
        Type::List(_) => vec![
            "symmetric_difference",
            "jaccard",
            "cosine(weights=idf)",
            "induced(set(delta, power=2))",
            "edit",
            "edit(0.3, 0.7, 0.1)",
            "edit(discrete)",
            "edit(discrete, missing=max)",
            "smith_waterman",
            "smith_waterman(0.1, -0.3, -0.7)",
            "induced(subsequence)",
            "induced(subsequence(delta))",
            "induced(spectrum(1))",
        ],
        Type::String => vec![
            "edit",
            "edit(2, 2, 3)",
            "edit(0.3, 0.7, 0.1)",
            "smith_waterman",
            "tfidf",
            "tfidf(shortest=1, stop=english)",
            "induced(subsequence(0.9, 2))",
            "induced(normalised(subsequence))",
            "induced(normalised(spectrum(1)))",
        ],
        Type::Tree => vec![
            "tree_edit",
            "tree_edit(2, 2, 0.5)",
            "tree_edit(0.3, 0.7, 0.1)",
            "induced(subtree)",
            "induced(normalised(subtree(0.5)))",
        ],
        Type::Term => vec![
            "nienhuys_cheng",
            "lgg",
            "symbols(lgg)",
            "induced(normalised(structural))",
        ],
        Type::Graph => vec!["label_histogram", "graph_edit", "induced(walk)"],
        _ => vec![],
    });
    names
}

fn small_type() -> BoxedStrategy<Type> {
    any_type()
        .prop_filter("small and with parts to compare", |of| {
            let text = of.to_string();
            text.len() < 60 && !text.contains("tuple<>") && !empty_tuple(of)
        })
        .boxed()
}

fn empty_tuple(of: &Type) -> bool {
    match of {
        Type::Tuple(fields) => {
            fields.is_empty() || fields.iter().any(|field| empty_tuple(&field.of))
        }
        Type::List(of) | Type::Set(of) | Type::Bag(of) => empty_tuple(of),
        _ => false,
    }
}

kinwood_testing::soak! { 400;
    fn soak_compositions_keep_their_laws(
        (of, expression, values) in prop_oneof![small_type(), structured_type()].prop_flat_map(|of| {
            let values = prop::collection::vec(any_value_of(&of).prop_map(tame), 1..6);
            let expression = any_distance(&of, 3);
            (Just(of), expression, values)
        })
    ) {
        let registry = Registry::builtin();
        let parsed: Expression = expression.parse().unwrap();
        let values: Vec<Value> = if expression.contains("nienhuys_cheng") {
            values.into_iter().map(ground).collect()
        } else if expression == "lgg" {
            // Pairs have no largest to put a missing value at.
            values.into_iter().filter(|value| *value != Value::Missing).collect()
        } else {
            values
        };
        let column = Column::from_values(&of, &values).unwrap();
        let distance = registry.distance(&parsed, &of, Some(&column), "the values");
        let distance = match distance {
            Ok(distance) => distance,
            Err(error) => return Err(TestCaseError::reject(error.to_string())),
        };
        let checked = check_distance(registry, &distance, &values);
        prop_assert!(checked.is_ok(), "{expression} on {of}: {}", checked.unwrap_err());
    }
}

/// Bags of few small numbers meet each other often: whatever could break the triangle or separation
/// is tried.
fn small_bags() -> impl Strategy<Value = Vec<Value>> {
    let number = (0i32..6).prop_map(|x| Value::Number(f64::from(x)));
    let bag = prop::collection::vec(number, 0..5).prop_map(Value::bag);
    prop::collection::vec(bag, 3..7)
}

kinwood_testing::soak! { 2_000;
    fn soak_matching_is_a_metric_on_bags_with_any_one_price(
        bags in small_bags(),
        most in select(vec![0.25, 1.0, 2.0, 3.0, 5.0, 100.0]),
    ) {
        let registry = Registry::builtin();
        let expression = format!("matching(absolute, M={most})").parse().unwrap();
        let of = "bag<numeric>".parse().unwrap();
        let distance = registry.distance(&expression, &of, None, "the values").unwrap();
        prop_assert_eq!(distance.laws(), Laws::METRIC);
        let column = Column::from_values(&of, &bags).unwrap();
        prop_assert_eq!(distance.bind(&column, &column).unwrap().laws(), Laws::METRIC);
        let checked = check_distance(registry, &distance, &bags);
        prop_assert!(checked.is_ok(), "M = {most}: {}", checked.unwrap_err());
    }
}

/// Short sequences of few items, and small trees of few labels, meet each other often.
fn small_sequences() -> impl Strategy<Value = Vec<String>> {
    let sequence = prop::collection::vec(select(vec!['0', '1', '4']), 0..6);
    prop::collection::vec(sequence.prop_map(String::from_iter), 3..7)
}

fn small_trees() -> impl Strategy<Value = Vec<Value>> {
    let leaf = select(vec!["a", "b"]).prop_map(str::to_owned);
    let tree = leaf.prop_recursive(3, 6, 3, |inner| {
        let label = select(vec!["a", "b"]);
        (label, prop::collection::vec(inner, 1..3))
            .prop_map(|(label, children)| format!("{label}({})", children.join(",")))
    });
    let tree = tree.prop_map(|tree| Value::Tree(tree.parse().unwrap()));
    prop::collection::vec(tree, 3..6)
}

/// A cost, seldom none.
fn any_cost() -> impl Strategy<Value = f64> {
    select(vec![0.0, 0.1, 0.3, 0.5, 1.0, 1.0, 1.5, 2.0, 3.0, 7.0])
}

fn claims_are_kept(expression: &str, of: &str, values: &[Value]) -> Result<(), TestCaseError> {
    let registry = Registry::builtin();
    let (parsed, of) = (expression.parse().unwrap(), of.parse().unwrap());
    let distance = registry.distance(&parsed, &of, None, "the values").unwrap();
    let checked = check_distance(registry, &distance, values);
    prop_assert!(checked.is_ok(), "{expression}: {}", checked.unwrap_err());
    Ok(())
}

kinwood_testing::soak! { 1_500;
    fn soak_sequences_keep_their_laws_at_any_cost(
        sequences in small_sequences(),
        (insert, delete, substitute) in (any_cost(), any_cost(), any_cost()),
        matched in select(vec![0.1, 1.0, 2.0]),
    ) {
        let texts: Vec<Value> = sequences.iter().cloned().map(Value::Text).collect();
        let number = |digit: char| Value::Number(f64::from(digit.to_digit(10).unwrap()));
        let lists: Vec<Value> = sequences
            .iter()
            .map(|sequence| Value::List(sequence.chars().map(number).collect()))
            .collect();
        claims_are_kept(&format!("edit({insert}, {delete}, {substitute})"), "string", &texts)?;
        claims_are_kept(&format!("edit({insert}, {insert}, {substitute})"), "string", &texts)?;
        for items in ["absolute", "discrete", "scaled(absolute, by=0.5)"] {
            let expression = format!("edit({items}, {insert}, {delete}, {substitute})");
            claims_are_kept(&expression, "list<numeric>", &lists)?;
        }
        let scores = format!("smith_waterman({matched}, -{insert}, -{delete})");
        claims_are_kept(&scores, "string", &texts)?;
        claims_are_kept(&scores, "list<numeric>", &lists)?;
    }

    fn soak_trees_keep_their_laws_at_any_cost(
        trees in small_trees(),
        (insert, delete, relabel) in (any_cost(), any_cost(), any_cost()),
    ) {
        claims_are_kept(&format!("tree_edit({insert}, {delete}, {relabel})"), "tree", &trees)?;
        claims_are_kept(&format!("tree_edit({insert}, {insert}, {relabel})"), "tree", &trees)?;
    }
}

#[test]
fn what_does_not_hold_is_not_claimed() {
    let no_triangle = Laws {
        triangle: false,
        ..Laws::METRIC
    };
    let symmetric_only = Laws {
        triangle: false,
        ..Laws::PSEUDO_METRIC
    };
    let directed = Laws {
        symmetric: false,
        ..Laws::METRIC
    };
    let cases = [
        ("matching(absolute)", "set<numeric>", Laws::METRIC),
        ("matching(absolute)", "list<numeric>", Laws::PSEUDO_METRIC),
        (
            "matching(surjection(absolute))",
            "set<set<numeric>>",
            no_triangle,
        ),
        ("surjection(absolute)", "set<numeric>", no_triangle),
        ("fair_surjection(absolute)", "bag<numeric>", symmetric_only),
        ("link(absolute)", "set<numeric>", no_triangle),
        ("nienhuys_cheng", "term", Laws::METRIC),
        ("lgg", "term", Laws::PSEUDO_METRIC),
        ("symbols(lgg)", "term", Laws::PSEUDO_METRIC),
        ("label_histogram", "graph", Laws::PSEUDO_METRIC),
        ("graph_edit", "graph", symmetric_only),
        ("hausdorff(nienhuys_cheng)", "set<term>", Laws::METRIC),
        ("edit", "string", Laws::METRIC),
        ("edit(2, 2, 9)", "list<numeric>", Laws::METRIC),
        ("edit(1, 2)", "string", directed),
        ("edit(substitute=0)", "string", Laws::PSEUDO_METRIC),
        ("edit(0, 0)", "string", Laws::PSEUDO_METRIC),
        ("edit(absolute)", "list<numeric>", Laws::METRIC),
        ("edit(link(absolute))", "list<set<numeric>>", no_triangle),
        (
            "edit(hausdorff(absolute))",
            "list<bag<numeric>>",
            Laws::PSEUDO_METRIC,
        ),
        ("smith_waterman", "string", Laws::METRIC),
        ("tree_edit", "tree", Laws::METRIC),
        ("tree_edit(1, 2)", "tree", directed),
        ("tree_edit(relabel=0)", "tree", Laws::PSEUDO_METRIC),
        ("hausdorff(edit)", "set<string>", Laws::METRIC),
        ("induced(spectrum(2))", "string", Laws::PSEUDO_METRIC),
    ];
    for (expression, of, expected) in cases {
        let of = of.parse().unwrap();
        let parsed = expression.parse().unwrap();
        let distance = Registry::builtin().distance(&parsed, &of, None, "the values");
        assert_eq!(distance.unwrap().laws(), expected, "{expression} on {of}");
    }
}

#[test]
fn laws_are_stated_for_each_policy() {
    let not_zero = Laws {
        zero_on_self: false,
        ..Laws::METRIC
    };
    let skipping = Laws {
        symmetric: true,
        ..Laws::NONE
    };
    let no_triangle = Laws {
        triangle: false,
        ..Laws::METRIC
    };
    let (missing, empty) = (Gaps::MISSING, Gaps::EMPTY);
    let cases = [
        ("discrete", "nominal", missing, Some(Laws::METRIC)),
        (
            "mean(discrete)",
            "tuple<nominal>",
            missing,
            Some(Laws::METRIC),
        ),
        (
            "mean(discrete, missing=max)",
            "tuple<nominal>",
            missing,
            Some(not_zero),
        ),
        (
            "mean(discrete, missing=skip)",
            "tuple<nominal>",
            missing,
            Some(skipping),
        ),
        // Numbers may be further apart than twice the range, by which a missing one is placed.
        (
            "mean(absolute(range=7))",
            "tuple<numeric>",
            missing,
            Some(no_triangle),
        ),
        // How far a missing number is, training data say.
        ("mean(absolute)", "tuple<numeric>", missing, None),
        (
            "hausdorff(discrete)",
            "set<nominal>",
            empty,
            Some(Laws::METRIC),
        ),
        (
            "hausdorff(discrete, empty=0.1)",
            "set<nominal>",
            empty,
            Some(no_triangle),
        ),
        (
            "hausdorff(absolute)",
            "set<numeric>",
            empty,
            Some(no_triangle),
        ),
        (
            "matching(absolute)",
            "set<numeric>",
            empty,
            Some(Laws::METRIC),
        ),
        ("link(absolute)", "set<numeric>", empty, None),
        (
            "link(absolute, empty=3)",
            "set<numeric>",
            empty,
            Some(no_triangle),
        ),
    ];
    for (expression, of, gaps, expected) in cases {
        let of = of.parse().unwrap();
        let parsed = expression.parse().unwrap();
        let distance = Registry::builtin().distance(&parsed, &of, None, "the values");
        let stated = distance.unwrap().laws_with(gaps);
        assert_eq!(stated, expected, "{expression} on {of} with {gaps:?}");
    }
}

/// What is fitted is kept as its expression: one that is read again follows the same rule, also
/// where missing values of the whole are dealt with outside.
#[test]
fn the_rule_for_missing_values_of_parts_is_kept() {
    let registry = Registry::builtin();
    let of: Type = "bag<nominal>".parse().unwrap();
    let values = [Value::bag(vec![Value::Missing]), Value::bag(vec![])];
    for inside in ["", ", missing=max", ", missing=own"] {
        let parsed = format!("scaled(hausdorff(discrete{inside}), by=2)")
            .parse()
            .unwrap();
        let distance = registry.distance(&parsed, &of, None, "bags").unwrap();
        assert!(distance.expression().to_string().contains(inside));
        check_distance(registry, &distance, &values).unwrap();
        let parsed = format!("gaussian(hausdorff(discrete{inside}))")
            .parse()
            .unwrap();
        let kernel = registry.kernel(&parsed, &of, None, "bags").unwrap();
        check_kernel(registry, &kernel, &values).unwrap();
    }
}

/// What is made from a distance whose directions differ keeps that they do.
#[test]
fn kernels_of_a_directed_distance_are_not_symmetric() {
    let registry = Registry::builtin();
    let values = ["a", "ab", "b"].map(|text| Value::Text(text.to_owned()));
    let column = Column::from_values(&Type::String, &values).unwrap();
    let distance = |expression: &str| {
        let parsed = expression.parse().unwrap();
        let distance = registry.distance(&parsed, &Type::String, None, "the values");
        distance.unwrap()
    };
    let directed = distance("induced(gaussian(edit(insert=2)))");
    let zero_on_self = Laws {
        zero_on_self: true,
        ..Laws::NONE
    };
    assert_eq!(directed.laws(), zero_on_self);
    assert_eq!(
        directed.bind(&column, &column).unwrap().laws(),
        zero_on_self
    );
    let forth = directed.between(&values[0], &values[1]).unwrap();
    let back = directed.between(&values[1], &values[0]).unwrap();
    let rounded = |measured: Measured| match measured {
        Measured::Number(number) => (number * 1e4).round() / 1e4,
        Measured::Pair(_) => f64::NAN,
    };
    assert_eq!((rounded(forth), rounded(back)), (1.4012, 1.1244));
    assert!(distance("induced(gaussian(edit))").laws().symmetric);
    assert!(check_distance(registry, &directed, &values).is_ok());
    // A matrix of half the pairs would be of another distance.
    let pairs = directed.bind_real(&column, &column, "a test").unwrap();
    assert!(Condensed::of(&*pairs, &|_| true).is_err());
    let kernels = [
        "gaussian(edit(insert=2))",
        "negative(edit(insert=2))",
        "normalised(gaussian(edit(insert=2)))",
        "linear(edit(insert=2), origin='\"\"')",
        "polynomial(edit(insert=2), origin='\"\"')",
    ];
    for expression in kernels {
        let parsed = expression.parse().unwrap();
        let kernel = registry.kernel(&parsed, &Type::String, None, "the values");
        let kernel = kernel.unwrap();
        assert!(!kernel.laws().symmetric, "{expression}");
        let checked = check_kernel(registry, &kernel, &values);
        assert!(checked.is_ok(), "{expression}: {}", checked.unwrap_err());
    }
    let sets = registry.kernel(
        &"set(gaussian(edit(insert=2)))".parse().unwrap(),
        &"set<string>".parse().unwrap(),
        None,
        "the values",
    );
    assert!(!sets.unwrap().laws().symmetric);
}

/// d(x, o), not d(o, x): from `a` to the empty string is one deletion, the other way an insertion.
#[test]
fn objects_are_seen_from_the_origin_as_the_formula_says() {
    let registry = Registry::builtin();
    let inner = |expression: &str| {
        let parsed = expression.parse().unwrap();
        let kernel = registry.kernel(&parsed, &Type::String, None, "the values");
        let [a, b] = ["a", "b"].map(|text| Value::Text(text.to_owned()));
        kernel.unwrap().inner(&a, &b).unwrap()
    };
    assert_eq!(inner("linear(edit(insert=2), origin='\"\"')"), 0.5);
    assert_eq!(inner("linear(edit(delete=2), origin='\"\"')"), 3.5);
    assert_eq!(inner("polynomial(edit(insert=2), p=2, origin='\"\"')"), 4.0);
}

/// Both members of {1, 5} are far from 0 and only one of them from 1.
#[test]
fn relations_that_leave_no_member_out_break_the_triangle() {
    let of: Type = "set<numeric>".parse().unwrap();
    let set = |numbers: &[f64]| Value::set(numbers.iter().map(|&x| Value::Number(x)).collect());
    let (a, b, c) = (set(&[0.0]), set(&[1.0]), set(&[1.0, 5.0]));
    for name in ["surjection", "fair_surjection", "link"] {
        let expression = format!("{name}(absolute)").parse().unwrap();
        let distance = Registry::builtin().distance(&expression, &of, None, "the values");
        let distance = distance.unwrap();
        let d = |x: &Value, y: &Value| distance.between(x, y).unwrap();
        assert_eq!(d(&a, &c), Measured::Number(6.0), "{name}");
        assert_eq!(d(&a, &b), Measured::Number(1.0), "{name}");
        assert_eq!(d(&b, &c), Measured::Number(4.0), "{name}");
    }
}

/// Types that random ones seldom are.
fn structured_type() -> BoxedStrategy<Type> {
    let names = vec![
        "term",
        "graph",
        "set<term>",
        "bag<term>",
        "set<graph>",
        "tuple<term, nominal>",
        "tuple<graph, numeric>",
        "bag<numeric>",
        "bag<nominal>",
        "set<set<numeric>>",
        "list<bag<nominal>>",
        "bag<tuple<numeric, nominal>>",
        "string",
        "tree",
        "list<numeric>",
        "list<string>",
        "list<tuple<nominal, numeric>>",
        "list<list<nominal>>",
        "set<string>",
        "bag<tree>",
        "list<tree>",
        "tuple<string, tree, list<nominal>>",
    ];
    select(names).prop_map(|name| name.parse().unwrap()).boxed()
}

#[test]
fn kernels_are_inner_products_where_they_say_so() {
    let registry = Registry::builtin();
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let cases = [
        ("nominal", "delta"),
        ("numeric", "gaussian(0.5)"),
        ("numeric", "product"),
        ("set<nominal>", "set(delta)"),
        ("bag<numeric>", "set(gaussian(2), power=0.5)"),
        ("bag<numeric>", "normalised(set(gaussian(2), power=3))"),
        ("tuple<nominal, numeric>", "add(delta, gaussian)"),
        ("tuple<nominal, numeric>", "multiply(delta, gaussian)"),
        ("numeric", "gaussian(absolute, gamma=2)"),
        ("numeric", "linear(absolute, origin='1')"),
        ("numeric", "polynomial(absolute, p=3, origin='1')"),
        ("nominal", "negative(discrete)"),
        ("nominal", "gaussian(discrete)"),
        ("term", "structural"),
        ("term", "structural(gaussian(0.5))"),
        ("bag<term>", "set(structural(delta))"),
        ("graph", "walk"),
        ("graph", "walk(weight=0.03)"),
        ("graph", "normalised(walk(weight=0.01))"),
        ("tuple<term, graph>", "add(structural, walk)"),
        ("string", "subsequence"),
        ("string", "normalised(subsequence(lambda=0.9, length=2))"),
        ("string", "spectrum(2)"),
        ("list<nominal>", "subsequence(lambda=1)"),
        ("list<numeric>", "subsequence(gaussian(0.5))"),
        (
            "list<numeric>",
            "normalised(subsequence(product, length=2))",
        ),
        ("list<string>", "subsequence(spectrum(1))"),
        ("list<tree>", "normalised(spectrum(1))"),
        ("tree", "subtree"),
        ("tree", "normalised(subtree(0.5))"),
        ("bag<string>", "set(spectrum(2))"),
        ("set<tree>", "normalised(set(subtree))"),
        ("tuple<string, tree>", "add(subsequence, subtree)"),
    ];
    for (of, expression) in cases {
        let of: Type = of.parse().unwrap();
        let kernel = registry
            .kernel(&expression.parse().unwrap(), &of, None, "the values")
            .unwrap();
        let values = prop::collection::vec(any_value_of(&of).prop_map(tame), 1..7);
        for _ in 0..60 {
            let values = values.new_tree(&mut runner).unwrap().current();
            let checked = check_kernel(registry, &kernel, &values);
            assert!(checked.is_ok(), "{expression}: {}", checked.unwrap_err());
        }
    }
}

/// Numbers of a size that squares and sums of them are exact enough, and none overflows.
fn tame(value: Value) -> Value {
    let all = |values: Vec<Value>| values.into_iter().map(tame).collect();
    match value {
        Value::Number(number) => Value::Number((number % 16.0 * 4.0).round() / 4.0),
        Value::Bag(values) => Value::bag(all(values)),
        Value::Set(values) => Value::set(all(values)),
        Value::Tuple(values) => Value::Tuple(all(values)),
        Value::List(values) => Value::List(all(values)),
        Value::DateTime(time) => Value::DateTime(time / 1000 * 1000),
        Value::Term(term) => Value::Term(with_symbols(&term, |node| match node {
            Node::Number(number) => Node::Number((number % 16.0 * 4.0).round() / 4.0),
            other => other,
        })),
        other => other,
    }
}

fn with_symbols(term: &Term, change: impl Fn(Node) -> Node) -> Term {
    Term::new(term.nodes().iter().cloned().map(change).collect()).unwrap()
}

/// Constants for variables.
fn ground(value: Value) -> Value {
    let all = |values: Vec<Value>| values.into_iter().map(ground).collect();
    match value {
        Value::Bag(values) => Value::bag(all(values)),
        Value::Set(values) => Value::set(all(values)),
        Value::Tuple(values) => Value::Tuple(all(values)),
        Value::List(values) => Value::List(all(values)),
        Value::Term(term) => Value::Term(with_symbols(&term, |node| match node {
            Node::Variable(name) => Node::Functor { name, arity: 0 },
            other => other,
        })),
        other => other,
    }
}
