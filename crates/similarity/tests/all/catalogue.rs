//! Every measure of the catalogue says what a user needs, and its example gives what it says.

use kinwood_similarity::registry::Entry;
use kinwood_similarity::{Expression, Registry};
use kinwood_values::{Type, Value};

fn example_result(entry: &Entry) -> Option<(String, String)> {
    let example = entry.example?;
    let of: Type = example.of.parse().expect("a type");
    let value = |text: &str| {
        let json = serde_json::from_str(text).expect("JSON");
        Value::from_json(&of, &json).expect("a value of the type")
    };
    let (a, b) = (value(example.a), value(example.b));
    let expression: Expression = example.expression.parse().expect("an expression");
    let registry = Registry::builtin();
    let found = if entry.is_kernel() {
        let kernel = registry.kernel(&expression, &of, None, "the values");
        let kernel = kernel.expect("a kernel");
        kernel.inner(&a, &b).expect("a number").to_string()
    } else {
        let distance = registry.distance(&expression, &of, None, "the values");
        let distance = distance.expect("a distance");
        distance.between(&a, &b).expect("a distance").to_string()
    };
    Some((found, example.gives.to_owned()))
}

#[test]
fn examples_give_what_they_say() {
    let mut examples = 0;
    for entry in Registry::builtin().entries() {
        let (found, gives) = example_result(entry).expect("every measure has an example");
        assert_eq!(found, gives, "{}", entry.name);
        examples += 1;
    }
    assert!(examples >= 20);
}

#[test]
fn entries_are_complete() {
    for entry in Registry::builtin().entries() {
        assert!(entry.summary.ends_with('.'), "{}", entry.name);
        for text in [&*entry.values, entry.laws, entry.cost, entry.reference] {
            assert!(!text.is_empty(), "{}", entry.name);
        }
        for parameter in entry.parameters {
            assert!(
                parameter.doc.ends_with('.'),
                "{} {}",
                entry.name,
                parameter.name
            );
        }
    }
}

fn error(expression: &str, of: &str) -> String {
    let of: Type = of.parse().unwrap();
    let parsed: Result<Expression, _> = expression.parse();
    match parsed {
        Err(error) => error.to_string(),
        Ok(parsed) => Registry::builtin()
            .distance(&parsed, &of, None, "column `smiles`")
            .map(|_| ())
            .expect_err("an error")
            .to_string(),
    }
}

#[test]
fn mistakes_are_told_before_anything_runs() {
    let cases = [
        (
            "hausdorff",
            "string",
            "`hausdorff` needs a set, bag or list; column `smiles` is a `string`",
        ),
        (
            "hausdorf(absolute)",
            "set<numeric>",
            "unknown distance or kernel `hausdorf` at column 1 of the expression; did you mean `hausdorff`?",
        ),
        (
            "hausdorff(absolute(rnge=train))",
            "set<numeric>",
            "`absolute` has no setting `rnge`; did you mean `range`?",
        ),
        (
            "absolute(range=train)",
            "numeric",
            "`range` of `absolute` comes from training data, and there is none: give it a number, or fit it on data",
        ),
        (
            "absolute(range=-1)",
            "numeric",
            "`range` of `absolute` is -1; expected `train`, `deviation` or a number above 0",
        ),
        (
            "delta",
            "nominal",
            "`delta` at column 1 of the expression is a kernel, and a distance is needed: `induced(delta)` is one",
        ),
        (
            "induced(discrete)",
            "nominal",
            "`discrete` at column 9 of the expression is a distance, and a kernel is needed: `gaussian(discrete)` is one",
        ),
        (
            "mean(discrete, discrete, discrete)",
            "tuple<nominal, numeric>",
            "`mean` takes one part for each of the 2 fields of column `smiles`, or one for all; found 3",
        ),
        (
            "sum(chage: absolute)",
            "tuple<element: nominal, charge: numeric>",
            "column `smiles` has no field `chage`; did you mean `charge`?",
        ),
        (
            "absolute(1, 2, 3, 4)",
            "numeric",
            "`absolute` takes 3 numbers; found 4 numbers",
        ),
        (
            "hausdorff(absolute, absolute)",
            "set<numeric>",
            "`hausdorff` takes one distance or kernel; found 2",
        ),
    ];
    for (expression, of, expected) in cases {
        assert_eq!(error(expression, of), expected);
    }
}
