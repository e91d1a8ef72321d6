//! Strings, lists and trees through names and expressions: worked examples, what is behind a
//! number, and values of a size that plain ways do not stand.

use kinwood_similarity::account::Detail;
use kinwood_similarity::algorithms::edit::distance_with;
use kinwood_similarity::{Bound, DistanceOn, Error, KernelOn, Registry};
use kinwood_values::{Column, Type, Value};

fn distance(expression: &str, of: &str) -> DistanceOn {
    let (parsed, of) = (expression.parse().unwrap(), of.parse().unwrap());
    let distance = Registry::builtin().distance(&parsed, &of, None, "the values");
    distance.unwrap_or_else(|error| panic!("{expression}: {error}"))
}

fn kernel(expression: &str, of: &str) -> KernelOn {
    let (parsed, of) = (expression.parse().unwrap(), of.parse().unwrap());
    let kernel = Registry::builtin().kernel(&parsed, &of, None, "the values");
    kernel.unwrap_or_else(|error| panic!("{expression}: {error}"))
}

fn value(of: &Type, json: &str) -> Value {
    Value::from_json(of, &serde_json::from_str(json).unwrap()).unwrap()
}

fn between(expression: &str, of: &str, a: &str, b: &str) -> String {
    let distance = distance(expression, of);
    let (a, b) = (value(distance.of(), a), value(distance.of(), b));
    distance.between(&a, &b).unwrap().to_string()
}

fn inner(expression: &str, of: &str, a: &str, b: &str) -> f64 {
    let kernel = kernel(expression, of);
    let (a, b) = (value(kernel.of(), a), value(kernel.of(), b));
    kernel.inner(&a, &b).unwrap()
}

// ----- worked examples -----

#[test]
fn distances_of_worked_examples() {
    let (aac, ac) = ("\"aac\"", "\"ac\"");
    let cases = [
        ("edit", "string", "\"kitten\"", "\"sitting\"", "3"),
        ("edit", "string", "\"\"", "\"\"", "0"),
        ("edit", "string", "\"\"", "\"né\"", "2"),
        ("edit(insert=2, delete=3)", "string", "\"\"", "\"ab\"", "4"),
        ("edit(insert=2, delete=3)", "string", "\"ab\"", "\"\"", "6"),
        ("edit(2, 3, 7)", "string", "\"a\"", "\"b\"", "5"),
        ("edit", "list<numeric>", "[1, 2, 3]", "[1, 3, 3, 4]", "2"),
        ("edit", "list<numeric>", "[1, null]", "[null, null]", "1"),
        (
            "edit(discrete)",
            "list<nominal>",
            "[\"a\", \"b\"]",
            "[\"b\"]",
            "1",
        ),
        (
            "edit(absolute, substitute=2)",
            "list<numeric>",
            "[1, 2, 3]",
            "[1, 2.25, 9]",
            "2.5",
        ),
        (
            "edit(absolute, insert=2, delete=5)",
            "list<numeric>",
            "[]",
            "[1, 2]",
            "4",
        ),
        (
            "edit(absolute, insert=2, delete=5)",
            "list<numeric>",
            "[1, 2]",
            "[]",
            "10",
        ),
        (
            "edit(absolute, substitute=0)",
            "list<numeric>",
            "[1e308]",
            "[-1e308]",
            "0",
        ),
        (
            "edit(edit)",
            "list<string>",
            "[\"ab\", \"cd\"]",
            "[\"ab\", \"ce\"]",
            "1",
        ),
        ("smith_waterman", "string", "\"\"", "\"\"", "0"),
        ("smith_waterman", "string", "\"\"", "\"a\"", "1"),
        ("smith_waterman", "string", "\"ab\"", "\"ab\"", "0"),
        ("smith_waterman", "string", "\"ab\"", "\"cd\"", "1"),
        (
            "smith_waterman",
            "list<numeric>",
            "[9, 1, 2, 3]",
            "[1, 2, 2, 3, 7]",
            "0.5",
        ),
        (
            "smith_waterman(match=0.1, mismatch=-0.3, gap=-0.7)",
            "string",
            "\"abcabcabc\"",
            "\"abcabcabc\"",
            "0",
        ),
        ("tree_edit", "tree", "\"a(b,c(d))\"", "\"a(b,d)\"", "1"),
        (
            "tree_edit",
            "tree",
            "\"f(d(a,c(b)),e)\"",
            "\"f(c(d(a,b)),e)\"",
            "2",
        ),
        ("tree_edit(2, 3, 9)", "tree", "\"a\"", "\"b\"", "5"),
        (
            "induced(subsequence)",
            "string",
            aac,
            ac,
            "0.5863019699779287",
        ),
        ("induced(spectrum(k=2))", "string", "\"\"", "\"a\"", "0"),
        (
            "induced(normalised(subsequence))",
            "string",
            "\"\"",
            "\"a\"",
            "1",
        ),
        ("induced(subtree)", "tree", "\"a(b,c)\"", "\"a(b,c)\"", "0"),
        (
            "hausdorff(edit)",
            "set<string>",
            "[\"kitten\"]",
            "[\"sitting\", \"kitten\"]",
            "3",
        ),
    ];
    for (expression, of, a, b, expected) in cases {
        let found = between(expression, of, a, b);
        assert_eq!(found, expected, "{expression} of {a} and {b}");
    }
    assert_eq!((11.0f64 / 32.0).sqrt().to_string(), "0.5863019699779287");
}

#[test]
fn kernels_of_worked_examples() {
    let (aac, ac) = ("\"aac\"", "\"ac\"");
    let cases = [
        ("subsequence", "string", aac, aac, 47.0 / 32.0),
        ("subsequence", "string", ac, ac, 9.0 / 16.0),
        ("subsequence", "string", aac, ac, 27.0 / 32.0),
        (
            "subsequence",
            "list<nominal>",
            "[\"a\",\"a\",\"c\"]",
            "[\"a\",\"c\"]",
            27.0 / 32.0,
        ),
        (
            "subsequence(delta)",
            "list<nominal>",
            "[\"a\",\"a\",\"c\"]",
            "[\"a\",\"c\"]",
            27.0 / 32.0,
        ),
        (
            "subsequence(length=2)",
            "string",
            "\"cat\"",
            "\"car\"",
            1.0 / 16.0,
        ),
        ("subsequence(0.5, 2)", "string", "\"cat\"", "\"c\"", 0.0),
        // Pairs of one place each, then the two places of each: (1 + 2)(3 + 4) / 4 + (1 * 3)(2 * 4)
        // / 16.
        (
            "subsequence(product)",
            "list<numeric>",
            "[1, 2]",
            "[3, 4]",
            21.0 / 4.0 + 24.0 / 16.0,
        ),
        // An item that is missing is the origin to an item kernel, and a symbol without.
        (
            "subsequence(delta)",
            "list<nominal>",
            "[null]",
            "[null]",
            0.0,
        ),
        ("subsequence", "list<nominal>", "[null]", "[null]", 0.25),
        ("spectrum", "string", "\"abcabc\"", "\"abc\"", 2.0),
        ("spectrum(1)", "list<numeric>", "[1, 2, 1]", "[1, 1]", 4.0),
        ("spectrum", "string", "\"ab\"", "\"ab\"", 0.0),
        ("subtree", "tree", "\"a(b,c)\"", "\"a(b,c)\"", 6.0),
        (
            "subtree(decay=0.5)",
            "tree",
            "\"a(b,c)\"",
            "\"a(b,c)\"",
            2.125,
        ),
        ("subtree", "tree", "\"a(b,c)\"", "\"a(c,b)\"", 2.0),
        ("normalised(subsequence)", "string", "\"\"", "\"\"", 0.0),
        (
            "normalised(subsequence)",
            "string",
            "\"xyzzy\"",
            "\"xyzzy\"",
            1.0,
        ),
        (
            "normalised(spectrum(1))",
            "string",
            "\"abb\"",
            "\"abb\"",
            1.0,
        ),
        (
            "normalised(normalised(subtree))",
            "tree",
            "\"a(b,c(d))\"",
            "\"a(b,c(d))\"",
            1.0,
        ),
    ];
    for (expression, of, a, b, expected) in cases {
        let found = inner(expression, of, a, b);
        assert_eq!(found, expected, "{expression} of {a} and {b}");
    }
}

#[test]
fn mistakes_are_told() {
    let error = |expression: &str, of: &str| {
        let (parsed, of) = (expression.parse().unwrap(), of.parse().unwrap());
        let found = Registry::builtin().distance(&parsed, &of, None, "column `smiles`");
        found.map(|_| ()).unwrap_err().to_string()
    };
    let cases = [
        (
            "edit",
            "set<nominal>",
            "`edit` needs a string or a list; column `smiles` is a `set<nominal>`",
        ),
        (
            "edit(insert=-1)",
            "string",
            "`insert` of `edit` is -1; expected a number that is not negative",
        ),
        (
            "edit(discrete)",
            "string",
            "`edit` takes no distance or kernel; found 1",
        ),
        (
            "smith_waterman(gap=1)",
            "string",
            "`gap` of `smith_waterman` is 1; expected a number that is at most 0",
        ),
        (
            "smith_waterman(match=0)",
            "string",
            "`match` of `smith_waterman` is 0; expected a number above 0",
        ),
        (
            "tree_edit",
            "string",
            "`tree_edit` needs a tree; column `smiles` is a `string`",
        ),
        (
            "induced(subsequence(lambda=2))",
            "string",
            "`lambda` of `subsequence` is 2; expected a number above 0 and at most 1",
        ),
        (
            "induced(subsequence(length=0))",
            "string",
            "`length` of `subsequence` is 0; expected `all` or a whole number from 1",
        ),
        (
            "induced(spectrum(k=0))",
            "string",
            "`k` of `spectrum` is 0; expected a whole number from 1",
        ),
        (
            "edit(lgg)",
            "list<term>",
            "`lgg` gives pairs, which can be compared and added and no more: `edit` needs a number",
        ),
    ];
    for (expression, of, expected) in cases {
        assert_eq!(error(expression, of), expected);
    }
}

// ----- explanations -----

fn explained(expression: &str, of: &str, a: &str, b: &str) -> (String, Vec<(String, f64)>) {
    let distance = distance(expression, of);
    let (a, b) = (value(distance.of(), a), value(distance.of(), b));
    let account = distance.account(&a, &b, Detail::default()).unwrap();
    let lines = account.lines().into_iter();
    let lines = lines.map(|line| (line.text, line.amount.unwrap()));
    (account.title(), lines.collect())
}

#[test]
fn scripts_alignments_and_mappings_are_told() {
    let way = "a cheapest way from the first to the second";
    type Steps<'a> = &'a [(&'a str, f64)];
    let cases: &[(&str, &str, &str, &str, &str, Steps<'_>)] = &[
        (
            "edit",
            "string",
            "\"kitten\"",
            "\"sitting\"",
            way,
            &[
                ("replace \"k\" by \"s\"", 1.0),
                ("keep \"itt\"", 0.0),
                ("replace \"e\" by \"i\"", 1.0),
                ("keep \"n\"", 0.0),
                ("insert \"g\"", 1.0),
            ],
        ),
        (
            "edit(absolute, delete=2)",
            "list<numeric>",
            "[1, 5, 7, 8]",
            "[1.5, 8]",
            way,
            &[
                ("replace 1 by 1.5", 0.5),
                ("delete 5, 7", 4.0),
                ("keep 8", 0.0),
            ],
        ),
        (
            "edit(discrete)",
            "list<nominal>",
            "[\"a\"]",
            "[\"b\"]",
            way,
            &[("replace a by b", 1.0)],
        ),
        (
            "scaled(edit, by=2)",
            "string",
            "\"\"",
            "\"ab\"",
            "a cheapest way from the first to the second, divided by 2",
            &[("insert \"ab\"", 2.0)],
        ),
        (
            "smith_waterman",
            "string",
            "\"xxabcdxx\"",
            "\"yabdy\"",
            "\"abcd\" aligned with \"abd\" scores 5 of 16",
            &[
                ("with nothing aligned", 1.0),
                ("keep \"ab\"", -0.25),
                ("delete \"c\"", 0.0625),
                ("keep \"d\"", -0.125),
            ],
        ),
        (
            "smith_waterman",
            "string",
            "\"a\"",
            "\"b\"",
            "no segment of the first aligns with one of the second",
            &[("with nothing aligned", 1.0)],
        ),
        (
            "tree_edit(relabel=0.5)",
            "tree",
            "\"a(b,c(d))\"",
            "\"a(b,e,f)\"",
            "a cheapest way from the first to the second, nodes in preorder",
            &[
                ("keep a, b", 0.0),
                ("relabel d to e", 0.5),
                ("delete c", 1.0),
                ("insert f", 1.0),
            ],
        ),
    ];
    for &(expression, of, a, b, title, steps) in cases {
        let (found, lines) = explained(expression, of, a, b);
        assert_eq!(found, title);
        let lines: Vec<(&str, f64)> = lines.iter().map(|(text, x)| (&**text, *x)).collect();
        if expression.starts_with("tree_edit") {
            // Which of the equally cheap ways is not ours to say.
            assert_eq!(lines[0], steps[0]);
            let sum: f64 = lines.iter().map(|(_, amount)| amount).sum();
            assert_eq!(sum.to_string(), between(expression, of, a, b));
        } else {
            assert_eq!(lines, steps, "{expression}");
        }
    }
    let long = format!("\"{}\"", "ab".repeat(500));
    let (_, lines) = explained("edit", "string", &long, &long);
    assert_eq!(
        lines,
        [("keep \"ababababab … ababababab\"".to_owned(), 0.0)]
    );
}

// ----- size -----

/// Numbers that look random and are the same in every run.
fn scattered(count: usize, limit: u64) -> Vec<u64> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 20) % limit
    };
    (0..count).map(|_| next()).collect()
}

#[test]
fn strings_of_a_hundred_thousand_characters() {
    let letters = scattered(100_000, 4);
    let long: String = letters
        .iter()
        .map(|&x| ["a", "b", "c", "d"][x as usize])
        .collect();
    // What is not in the first string costs an edit each, and no more edits are needed.
    let mut other: Vec<char> = long.chars().collect();
    for place in [0, 17, 40_000, 70_001, 99_999] {
        other[place] = 'z';
    }
    for place in [1, 30_000, 30_001, 55_555, 80_000, 90_000, 100_000] {
        other.insert(place, 'y');
    }
    let other = String::from_iter(other);
    let of = Type::String;
    let column = |text: &str| Column::from_values(&of, &[Value::Text(text.to_owned())]).unwrap();
    let (a, b) = (column(&long), column(&other));
    let Bound::Real(pairs) = distance("edit", "string").bind(&a, &b).unwrap() else {
        panic!("numbers");
    };
    let row = pairs.prepare(0);
    let mut out = [0.0];
    row.fill(0..1, &mut out);
    assert_eq!(out, [12.0]);
    assert_eq!(row.within(0, 12.0), Some(12.0));
    assert_eq!(row.within(0, 11.5), None);
    // A substitution that costs both others: the common subsequence misses 5 characters of the
    // first, 12 of the second.
    let both = distance("edit(substitute=2)", "string");
    let (x, y) = (Value::Text(long), Value::Text(other));
    assert_eq!(both.between(&x, &y).unwrap().to_string(), "17");
    // Of the first fifth two of the replaced and one of the added: the script at a size beyond its
    // matrix.
    let (Value::Text(x), Value::Text(y)) = (x, y) else {
        panic!("texts");
    };
    let (x, y) = (&x[..20_000], &y[..20_001]);
    let (x, y) = (Value::Text(x.to_owned()), Value::Text(y.to_owned()));
    let script = distance("edit", "string").account(&x, &y, Detail::default());
    assert_eq!(script.unwrap().recombined().to_string(), "3");
}

#[test]
fn lists_whose_matrix_is_not_held() {
    let list = |numbers: &[u64]| {
        Value::List(
            numbers
                .iter()
                .map(|&x| Value::Number(x as f64 / 8.0))
                .collect(),
        )
    };
    let numbers = scattered(4_600, 40);
    let (a, b) = numbers.split_at(2_200);
    let apart = |i: usize, j: usize| a[i].abs_diff(b[j]) as f64 / 8.0;
    let expected = distance_with(a.len(), b.len(), 1.0, 1.5, apart);
    let values = [list(&a[..3]), list(b), list(&[]), list(&b[..5])];
    let of: Type = "list<numeric>".parse().unwrap();
    let edit = distance("edit(absolute, delete=1.5)", "list<numeric>");
    let queries = Column::from_values(&of, &[list(a)]).unwrap();
    let references = Column::from_values(&of, &values).unwrap();
    let Bound::Real(pairs) = edit.bind(&queries, &references).unwrap() else {
        panic!("numbers");
    };
    let row = pairs.prepare(0);
    let mut out = [0.0; 4];
    row.fill(0..4, &mut out);
    assert_eq!(out[1], expected);
    assert_eq!((out[0], out[2]), (2_197.0 * 1.5, 2_200.0 * 1.5));
    assert_eq!(row.within(1, expected), Some(expected));
    assert_eq!(row.within(1, expected - 0.1), None);
}

#[test]
fn counts_beyond_every_number() {
    let string = |text: String| Value::Text(text);
    let (a, b) = (string("ab".repeat(700)), string("ab".repeat(690) + "bb"));
    let plain = kernel("subsequence(lambda=1)", "string");
    assert_eq!(plain.inner(&a, &b).unwrap(), f64::INFINITY);
    let normalised = kernel("normalised(subsequence(lambda=1))", "string");
    assert_eq!(normalised.inner(&a, &a).unwrap(), 1.0);
    let alike = normalised.inner(&a, &b).unwrap();
    assert!(alike > 1e-3 && alike < 1.0, "{alike}");
    assert!((normalised.inner(&b, &a).unwrap() / alike - 1.0).abs() < 1e-12);
    let induced = distance("induced(normalised(subsequence(lambda=1)))", "string");
    let apart: f64 = induced
        .between(&a, &b)
        .unwrap()
        .to_string()
        .parse()
        .unwrap();
    assert!((apart - (2.0 - 2.0 * alike).sqrt()).abs() < 1e-12);
    assert_eq!(induced.between(&a, &a).unwrap().to_string(), "0");
    // One subsequence of 150 places in each, whose weight is too small for a number.
    let distinct: String = ('一'..).take(150).collect();
    let small = kernel(
        "normalised(subsequence(lambda=0.0625, length=150))",
        "string",
    );
    let distinct = string(distinct);
    assert_eq!(small.inner(&distinct, &distinct).unwrap(), 1.0);
    let column = Column::from_values(&Type::String, &[distinct]).unwrap();
    assert_eq!(small.diagonal(&column).unwrap(), [1.0]);
    // A difference of such numbers is none.
    let error = distance("induced(subsequence(lambda=1))", "string").between(&b, &a);
    assert_eq!(
        error.unwrap_err(),
        Error::Undefined {
            measure: "induced".to_owned(),
            what: "a value whose `subsequence` with itself exceeds every number: that of `normalised` does not".to_owned(),
            row: Some(0),
        }
    );
    // A whole binary tree of 12 levels, each with its label.
    let mut tree = "leaf".to_owned();
    for level in 0..11 {
        tree = format!("{level}({tree},{tree})");
    }
    let large = Value::Tree(tree.parse().unwrap());
    assert_eq!(
        kernel("subtree", "tree").inner(&large, &large).unwrap(),
        f64::INFINITY
    );
    assert_eq!(
        kernel("normalised(subtree)", "tree")
            .inner(&large, &large)
            .unwrap(),
        1.0
    );
}
