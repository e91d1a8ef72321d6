//! The worked examples of the papers, through names and expressions; what is behind them; and what
//! is told where a measure is not defined.

use kinwood_similarity::account::{Account, Detail, Line};
use kinwood_similarity::{DistanceOn, Error, KernelOn, Registry};
use kinwood_values::{Type, Value};

fn value(of: &Type, text: &str) -> Value {
    Value::from_json(of, &serde_json::from_str(text).unwrap()).unwrap()
}

fn distance(expression: &str, of: &str) -> DistanceOn {
    Registry::builtin()
        .distance(
            &expression.parse().unwrap(),
            &of.parse().unwrap(),
            None,
            "the values",
        )
        .unwrap()
}

fn kernel(expression: &str, of: &str) -> KernelOn {
    Registry::builtin()
        .kernel(
            &expression.parse().unwrap(),
            &of.parse().unwrap(),
            None,
            "the values",
        )
        .unwrap()
}

fn between(expression: &str, of: &str, a: &str, b: &str) -> Result<String, Error> {
    let distance = distance(expression, of);
    let (a, b) = (value(distance.of(), a), value(distance.of(), b));
    distance
        .between(&a, &b)
        .map(|measured| measured.to_string())
}

fn inner(expression: &str, of: &str, a: &str, b: &str) -> Result<f64, Error> {
    let kernel = kernel(expression, of);
    kernel.inner(&value(kernel.of(), a), &value(kernel.of(), b))
}

fn explain(expression: &str, of: &str, a: &str, b: &str) -> Account {
    let distance = distance(expression, of);
    let (a, b) = (value(distance.of(), a), value(distance.of(), b));
    distance.account(&a, &b, Detail::default()).unwrap()
}

const TERM_P: &str = r#""p(f(a),g(a,b))""#;
const TERM_Q: &str = r#""p(f(b),b)""#;
const GRAPH_A: &str = r#"[["a","b"],["b","c"],["a","d"]]"#;
const GRAPH_B: &str = r#"[["a","b"],["a","d"]]"#;

#[test]
fn worked_examples() {
    let cases = [
        (
            "hausdorff(absolute)",
            "set<numeric>",
            "[1,2,3]",
            "[4,5,20]",
            "17",
        ),
        ("hausdorff(absolute)", "bag<numeric>", "[3,3]", "[3]", "0"),
        (
            "matching(absolute, M=3)",
            "set<numeric>",
            "[1,2,3]",
            "[1,4]",
            "2.5",
        ),
        (
            "matching(absolute, 3)",
            "list<numeric>",
            "[3,1,2]",
            "[4,1]",
            "2.5",
        ),
        ("matching(absolute)", "bag<numeric>", "[3,3]", "[3]", "0.5"),
        (
            "matching(absolute, M=4)",
            "set<numeric>",
            "[]",
            "[1,2,3]",
            "6",
        ),
        ("matching(absolute, M=4)", "set<numeric>", "[]", "[]", "0"),
        ("surjection(absolute)", "bag<numeric>", "[3,3]", "[3]", "0"),
        ("link(absolute, empty=7)", "set<numeric>", "[]", "[1]", "7"),
        ("nienhuys_cheng", "term", TERM_P, TERM_Q, "0.375"),
        ("nienhuys_cheng", "term", r#""p(a)""#, r#""p(a,a)""#, "1"),
        ("lgg", "term", r#""p(a,b)""#, r#""p(b,b)""#, "(2, -2)"),
        ("lgg", "term", r#""p(a,a)""#, r#""p(b,b)""#, "(4, -8)"),
        (
            "sum(lgg)",
            "tuple<term>",
            r#"["p(a,b)"]"#,
            r#"["p(b,b)"]"#,
            "(2, -2)",
        ),
        ("lgg", "term", r#""p(X)""#, r#""p(Y)""#, "(0, 0)"),
        ("symbols(lgg)", "term", r#""p(a,a)""#, r#""p(b,b)""#, "4"),
        ("symbols", "term", r#""p(X,X)""#, r#""p(X,Y)""#, "0"),
        ("label_histogram", "graph", GRAPH_A, GRAPH_B, "2"),
        ("graph_edit", "graph", GRAPH_A, GRAPH_B, "2"),
        (
            "hausdorff(nienhuys_cheng)",
            "set<term>",
            r#"["a","f(a)"]"#,
            r#"["f(b)"]"#,
            "1",
        ),
    ];
    for (expression, of, a, b, expected) in cases {
        assert_eq!(
            between(expression, of, a, b).unwrap(),
            expected,
            "{expression} {a} {b}"
        );
    }
    let kernels = [
        ("walk", "graph", GRAPH_A, GRAPH_B, 2.0),
        ("walk(weight=factorial)", "graph", GRAPH_B, GRAPH_A, 2.0),
        ("walk(weight=0.1)", "graph", GRAPH_A, GRAPH_B, 0.2),
        ("structural", "term", r#""f(a,b)""#, r#""f(a,c)""#, 2.0),
        ("structural", "term", r#""f(2,3)""#, r#""f(5,7)""#, 32.0),
        (
            "structural(product)",
            "term",
            r#""f(2,3)""#,
            r#""f(5,7)""#,
            32.0,
        ),
        (
            "structural(gaussian(1e-300))",
            "term",
            r#""f(2,3)""#,
            r#""f(5,a)""#,
            2.0,
        ),
    ];
    for (expression, of, a, b, expected) in kernels {
        let found = inner(expression, of, a, b).unwrap();
        assert!((found - expected).abs() < 1e-15, "{expression}: {found}");
    }
}

/// With M as large as each pair asks for, {3,4}, {2}, {0} break the triangle: 5 > 4. With one M
/// they do not.
#[test]
fn one_price_keeps_the_triangle_of_matchings() {
    let sets = ["[3,4]", "[2]", "[0]"];
    for most in [0.5, 1.0, 2.0, 3.0, 4.0, 10.0] {
        let expression = format!("matching(absolute, M={most})");
        let d = |a: usize, b: usize| -> f64 {
            let found = between(&expression, "set<numeric>", sets[a], sets[b]);
            found.unwrap().parse().unwrap()
        };
        assert!(d(0, 2) <= d(0, 1) + d(1, 2), "M = {most}");
    }
    let own = |most: f64, a: usize, b: usize| -> f64 {
        let expression = format!("matching(absolute, M={most})");
        let found = between(&expression, "set<numeric>", sets[a], sets[b]);
        found.unwrap().parse().unwrap()
    };
    assert_eq!(own(4.0, 0, 2), 5.0);
    assert_eq!(own(2.0, 0, 1) + own(2.0, 1, 2), 4.0);
}

fn lines(account: &Account) -> Vec<(String, Option<f64>)> {
    let line = |line: Line| (line.text, line.amount);
    account.lines().into_iter().map(line).collect()
}

fn told<const N: usize>(lines: [(&str, Option<f64>); N]) -> Vec<(String, Option<f64>)> {
    let line = |(text, amount): (&str, Option<f64>)| (text.to_owned(), amount);
    lines.into_iter().map(line).collect()
}

#[test]
fn explanations_tell_pairs_and_what_is_left_over() {
    let matching = explain(
        "matching(absolute, M=3)",
        "set<numeric>",
        "[1,2,3]",
        "[1,4]",
    );
    assert_eq!(
        lines(&matching),
        told([
            ("1 with 1", Some(0.0)),
            ("3 with 4", Some(1.0)),
            ("2 of the first is left over", Some(1.5)),
        ])
    );
    let empty = explain("matching(absolute, M=3)", "set<numeric>", "[1]", "[]");
    assert_eq!(
        lines(&empty),
        told([("1 of the first is left over", Some(1.5))])
    );
    let histogram = explain("label_histogram", "graph", GRAPH_A, GRAPH_B);
    assert_eq!(
        lines(&histogram),
        told([
            ("nodes `c`: 1 in the first, 0 in the second", Some(1.0)),
            (
                "edges `b` -> `c`: 1 in the first, 0 in the second",
                Some(1.0)
            ),
        ])
    );
    let edit = explain("graph_edit", "graph", GRAPH_A, GRAPH_B);
    assert_eq!(
        lines(&edit),
        told([
            ("node a becomes a", Some(0.0)),
            ("node b becomes b", Some(0.0)),
            ("node c is deleted", Some(1.0)),
            ("node d becomes d", Some(0.0)),
            ("edges inserted, deleted or relabelled", Some(1.0)),
        ])
    );
    let lgg = explain("lgg", "term", r#""p(a,f(a),b)""#, r#""p(b,f(b),g(X))""#);
    assert_eq!(
        lgg.title(),
        "the least general generalisation is p(V1,f(V1),V2)"
    );
    assert_eq!(
        lines(&lgg),
        told([
            ("V1 stands for a and b", None),
            ("V2 stands for b and g(X)", None)
        ])
    );
}

#[test]
fn amounts_add_up_to_the_distance() {
    let (a, b) = ("[0,1,2,3,9]", "[0,8,9]");
    for expression in [
        "sum_of_minima(absolute)",
        "matching(absolute, M=3)",
        "surjection(absolute)",
        "fair_surjection(absolute)",
        "link(absolute)",
    ] {
        for (a, b) in [(a, b), (b, a)] {
            let steps = explain(expression, "set<numeric>", a, b).lines();
            let sum: f64 = steps.iter().filter_map(|step| step.amount).sum();
            let whole = between(expression, "set<numeric>", a, b).unwrap();
            assert_eq!(sum.to_string(), whole, "{expression}");
        }
    }
    for expression in ["label_histogram", "graph_edit"] {
        let a = r#"{"directed": false, "nodes": {"1": "c", "2": "o", "3": "n"}, "edges": [["1","2","double"],["2","3"]]}"#;
        let b =
            r#"{"directed": false, "nodes": {"1": "c", "2": "c"}, "edges": [["1","2"],["1","1"]]}"#;
        let steps = explain(expression, "graph", a, b).lines();
        let sum: f64 = steps.iter().filter_map(|step| step.amount).sum();
        let whole = between(expression, "graph", a, b).unwrap();
        assert_eq!(sum.to_string(), whole, "{expression}");
    }
}

#[test]
fn what_is_not_defined_is_told_when_bound() {
    for name in ["sum_of_minima", "surjection", "fair_surjection", "link"] {
        let error = between(&format!("{name}(absolute)"), "set<numeric>", "[]", "[1]");
        assert_eq!(
            error.unwrap_err().to_string(),
            format!(
                "`{name}` is not defined for an empty collection: say how far it is from others by `empty=NUMBER` (row 1)"
            )
        );
    }
    let cases = [
        (
            between("nienhuys_cheng", "term", r#""p(X)""#, r#""p(a)""#),
            "`nienhuys_cheng` is not defined for a term with variables, such as `X`: `lgg` is (row 1)",
        ),
        (
            between("nienhuys_cheng", "term", r#""p(a)""#, r#""q(f(X),b)""#),
            "`nienhuys_cheng` is not defined for a term with variables, such as `X`: `lgg` is (row 1)",
        ),
        (
            between("lgg", "term", "null", r#""p(a)""#),
            "`lgg` is not defined for a missing value, as pairs have no largest: `symbols(lgg)` is (row 1)",
        ),
        (
            between("symbols(lgg)", "term", "null", r#""p(a)""#),
            "a value is missing, and `symbols` has no largest distance to put it at: say `far=NUMBER`, or fit it on data",
        ),
    ];
    for (found, expected) in cases {
        assert_eq!(found.unwrap_err().to_string(), expected);
    }
    assert_eq!(
        between("symbols(lgg, far=9)", "term", "null", r#""p(a)""#).unwrap(),
        "9"
    );
    // A triangle: every node has two ways on, so the product graph has degree 4.
    let triangle = r#"{"nodes": {"1": "c", "2": "c", "3": "c"}, "directed": false, "edges": [["1","2"],["2","3"],["3","1"]]}"#;
    assert_eq!(
        inner("walk(weight=0.25)", "graph", triangle, triangle).unwrap_err(),
        Error::Divergent {
            measure: "walk".to_owned(),
            weight: 0.25,
            degree: 4
        }
    );
    assert_eq!(
        inner("walk(weight=0.5)", "graph", triangle, triangle)
            .unwrap_err()
            .to_string(),
        "`walk` with weight 0.5 diverges: the product graph has a node of degree 4, so the weight must be below 0.25"
    );
    // 9 nodes, w^n 4^n walks from each: 9 / (1 - 4w) - 9.
    let found = inner("walk(weight=0.125)", "graph", triangle, triangle).unwrap();
    assert!((found - 9.0).abs() < 1e-12);
    // Beside a graph without common labels the same weight does.
    assert_eq!(
        inner("walk(weight=0.25)", "graph", triangle, GRAPH_A),
        Ok(0.0)
    );
}

#[test]
fn sums_beyond_every_number_are_refused() {
    let nodes: Vec<String> = (0..30).map(|i| format!("\"{i}\": \"c\"")).collect();
    let edges: Vec<String> = (0..30)
        .flat_map(|i| (0..i).map(move |j| format!("[\"{i}\",\"{j}\"]")))
        .collect();
    let complete = format!(
        "{{\"directed\": false, \"nodes\": {{{}}}, \"edges\": [{}]}}",
        nodes.join(","),
        edges.join(",")
    );
    let error = inner("walk", "graph", &complete, &complete).unwrap_err();
    assert!(error.to_string().contains("degree 841"), "{error}");
    assert!(
        kernel("walk", "graph")
            .inner(&Value::Missing, &Value::Missing)
            .is_ok()
    );
}

/// The difference of these numbers exceeds every number.
#[test]
fn members_infinitely_far_apart_are_no_trouble() {
    let (a, b) = ("[1e308, -1e308, 0]", "[-1e308, 1.5e308]");
    for name in ["surjection", "fair_surjection", "link", "sum_of_minima"] {
        let expression = format!("{name}(absolute)");
        let found = between(&expression, "set<numeric>", a, b).unwrap();
        assert!(
            found.parse::<f64>().unwrap() > 1e307,
            "{expression}: {found}"
        );
        assert_eq!(found, between(&expression, "set<numeric>", b, a).unwrap());
        let far = between(&expression, "set<numeric>", "[-1e308]", "[1e308]").unwrap();
        assert!(
            far.parse::<f64>().unwrap() >= f64::MAX,
            "{expression}: {far}"
        );
        explain(&expression, "set<numeric>", a, b);
    }
    assert_eq!(
        between("matching(absolute)", "set<numeric>", a, b).unwrap(),
        "1.5"
    );
}

#[test]
fn pairs_enter_numbers_by_name_only() {
    let error = |expression: &str, of: &str| {
        Registry::builtin()
            .distance(
                &expression.parse().unwrap(),
                &of.parse().unwrap(),
                None,
                "column `atom`",
            )
            .map(|_| ())
            .unwrap_err()
            .to_string()
    };
    let cases = [
        (
            "mean(lgg, discrete)",
            "tuple<term, nominal>",
            "`lgg` gives pairs, which can be compared and added and no more: `mean` needs a number",
        ),
        (
            "mean(lgg)",
            "tuple<term>",
            "`lgg` gives pairs, which can be compared and added and no more: `mean` needs a number",
        ),
        (
            "hausdorff(sum(lgg))",
            "set<tuple<term>>",
            "`sum` gives pairs, which can be compared and added and no more: `hausdorff` needs a number",
        ),
        (
            "hausdorff(lgg)",
            "set<term>",
            "`lgg` gives pairs, which can be compared and added and no more: `hausdorff` needs a number",
        ),
        (
            "symbols(nienhuys_cheng)",
            "term",
            "`nienhuys_cheng` gives numbers already: `symbols` needs a distance that gives pairs",
        ),
        (
            "lgg(far=3)",
            "term",
            "`lgg` has no setting `far`; it has none",
        ),
        (
            "lgg",
            "tree",
            "`lgg` needs a first-order term; column `atom` is a `tree`",
        ),
        (
            "graph_edit",
            "tree",
            "`graph_edit` needs a graph; column `atom` is a `tree`",
        ),
        (
            "matching(discrete, M=0)",
            "set<nominal>",
            "`M` of `matching` is 0; expected a number above 0",
        ),
        (
            "induced(walk(weight=often))",
            "graph",
            "`weight` of `walk` is `often`; expected `factorial` or a number above 0",
        ),
        (
            "induced(structural(delta, delta))",
            "term",
            "`structural` takes one distance or kernel; found 2",
        ),
    ];
    for (expression, of, expected) in cases {
        assert_eq!(error(expression, of), expected);
    }
    let rows = distance(
        "mean(symbols(lgg, far=4), discrete)",
        "tuple<term, nominal>",
    );
    let of = rows.of().clone();
    let (a, b) = (
        value(&of, r#"["p(a)", "x"]"#),
        value(&of, r#"["p(b)", "x"]"#),
    );
    assert_eq!(rows.between(&a, &b).unwrap().to_string(), "1");
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn of_strings(expression: &str, a: &str, b: &str) -> f64 {
    kernel(expression, "string")
        .inner(&text(a), &text(b))
        .unwrap()
}

#[test]
fn subsequences_are_weighted_by_what_they_span() {
    assert_eq!(of_strings("subsequence", "aac", "aac"), 47.0 / 32.0);
    assert_eq!(of_strings("subsequence", "ac", "ac"), 9.0 / 16.0);
    assert_eq!(of_strings("subsequence", "aac", "ac"), 27.0 / 32.0);
    let induced = distance("induced(subsequence)", "string");
    let found = induced.between(&text("aac"), &text("ac")).unwrap();
    assert_eq!(found.to_string(), (11f64 / 32.0).sqrt().to_string());
}

#[test]
fn long_strings_neither_overflow_nor_take_long() {
    let long: String = "abcde".chars().cycle().take(5_000).collect();
    assert_eq!(of_strings("normalised(subsequence)", &long, &long), 1.0);
    let other = long[1..].to_owned();
    let near = of_strings("normalised(subsequence)", &long, &other);
    assert!(near > 0.0 && near <= 1.0, "{near}");
    let edit = distance("edit", "string");
    let very: String = "abcde".chars().cycle().take(100_000).collect();
    let without = very[3..].to_owned();
    let found = edit.between(&text(&very), &text(&without)).unwrap();
    // Three in front, or one shift of the period and two more at the end.
    assert_eq!(found.to_string(), "3");
    let induced = distance("induced(subsequence(lambda=1))", "string");
    let message = induced.between(&text(&long), &text(&other)).unwrap_err();
    assert!(
        message
            .to_string()
            .contains("that of `normalised` does not"),
        "{message}"
    );
}
