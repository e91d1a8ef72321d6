//! A distance and a kernel from outside, registered through the public API alone, are treated as
//! those that Kinwood comes with: in expressions, composites, suggestions, matrices, rows and
//! accounts.

use std::borrow::Cow;
use std::sync::{Arc, Once};

use kinwood_similarity::account::Detail;
use kinwood_similarity::declaration::Declaration;
use kinwood_similarity::entry::{Build, Entry, Inside, Takes, TypeKind};
use kinwood_similarity::matrix::Condensed;
use kinwood_similarity::measure::{Bound, FittedDistance};
use kinwood_similarity::rows::Reading;
use kinwood_similarity::suggested::suggested_type;
use kinwood_similarity::{
    Distance, Error, Expression, Laws, Measured, Missing, Registry, RowDistance,
};
use kinwood_values::{Attribute, Column, Database, Table, Type, Value, View};
use serde_json::{Value as Json, json};

/// How differently long two trees are as text: no measure of Kinwood.
struct Lengths;

impl Distance<Value> for Lengths {
    type Score = f64;

    fn between(&self, a: &Value, b: &Value) -> f64 {
        (a.to_string().len() as f64 - b.to_string().len() as f64).abs()
    }

    fn laws(&self) -> Laws {
        Laws::PSEUDO_METRIC
    }
}

/// Another distance, doubled: a measure around a measure of the same values.
struct Doubled(Arc<dyn FittedDistance>);

impl FittedDistance for Doubled {
    fn laws(&self) -> Laws {
        self.0.laws()
    }

    fn expression(&self) -> Expression {
        Expression::new("doubled").part(self.0.expression())
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Bound, Error> {
        self.0.bind(queries, references)
    }
}

fn entry(name: &'static str, takes: Takes, inside: Inside, build: Build) -> Entry {
    Entry {
        name: Cow::Borrowed(name),
        values: Cow::Borrowed("values of a test"),
        takes,
        inside,
        facts: None,
        summary: Cow::Borrowed("A measure of a test."),
        laws: "those of a test",
        cost: "little",
        reference: "this file",
        parameters: &[],
        example: None,
        build,
    }
}

/// The registry with the measures of this file, known to the whole process.
fn registry() -> &'static Registry {
    static ADDED: Once = Once::new();
    ADDED.call_once(|| {
        let trees = Takes::Kinds(&[TypeKind::Tree]);
        let lengths = Entry::from_distance("tree_lengths", "Of lengths.", trees, Lengths);
        Registry::extend(lengths).unwrap();
        let pairs = Takes::Exactly("tuple<nominal, numeric>".parse().unwrap());
        let of_pairs = Entry::from_distance("pair_lengths", "Of lengths.", pairs, Lengths);
        Registry::extend(of_pairs).unwrap();
        let build = |declaration: &Declaration<'_>| -> Result<Arc<dyn FittedDistance>, Error> {
            Ok(Arc::new(Doubled(declaration.same_distance()?)))
        };
        let around = entry("doubled", Takes::Any, Inside::Same, Build::Distance(build));
        Registry::extend(around).unwrap();
        // A join of its own, which is that of `sum`.
        let joins = Registry::builtin().find("sum").unwrap().build.clone();
        let takes = Takes::Kinds(&[TypeKind::Tuple]);
        Registry::extend(entry("joined", takes, Inside::Fields, joins)).unwrap();
    });
    Registry::known()
}

fn tree(text: &str) -> Value {
    Value::Tree(text.parse().unwrap())
}

fn between(expression: &str, of: &str, a: &Value, b: &Value) -> Measured {
    let distance = registry().distance(
        &expression.parse().unwrap(),
        &of.parse().unwrap(),
        None,
        "the values",
    );
    distance.unwrap().between(a, b).unwrap()
}

#[test]
fn it_stands_alone_and_inside_composites() {
    let (one, other) = (tree("a"), tree("a(b,c)"));
    assert_eq!(
        between("tree_lengths", "tree", &one, &other).to_string(),
        "5"
    );
    let set = |member: &Value| Value::set(vec![member.clone()]);
    let inside = between(
        "hausdorff(tree_lengths)",
        "set<tree>",
        &set(&one),
        &set(&other),
    );
    assert_eq!(inside.to_string(), "5");
    let pair = |member: &Value| Value::Tuple(vec![Value::Symbol("x".into()), member.clone()]);
    let inside = between(
        "sum(discrete, doubled(tree_lengths) * 2)",
        "tuple<nominal, tree>",
        &pair(&one),
        &pair(&other),
    );
    assert_eq!(inside.to_string(), "10");
    let kernel = "gaussian(tree_lengths, gamma=0.04)".parse().unwrap();
    let kernel = registry().kernel(&kernel, &Type::Tree, None, "the values");
    let inner = kernel.unwrap().inner(&one, &other).unwrap();
    assert_eq!(inner, (-1.0f64).exp());
}

#[test]
fn it_refuses_what_it_does_not_take() {
    let found = registry().distance(
        &"tree_lengths".parse().unwrap(),
        &Type::Numeric,
        None,
        "column `x`",
    );
    let message = found.err().unwrap().to_string();
    assert_eq!(
        message,
        "`tree_lengths` needs values of a type it was registered for; column `x` is a `numeric`"
    );
    let misspelt: Expression = "tree_length".parse().unwrap();
    let found = registry().distance(&misspelt, &Type::Tree, None, "column `x`");
    let message = found.err().unwrap().to_string();
    assert!(
        message.ends_with("did you mean `tree_lengths`?"),
        "{message}"
    );
}

#[test]
fn untyped_values_are_what_it_takes() {
    registry();
    let suggested = |expression: &str, a: Json, b: Json| {
        let expression: Expression = expression.parse().unwrap();
        suggested_type(&expression, &[&a, &b]).unwrap().to_string()
    };
    let (a, b) = (json!("a(b)"), json!("b"));
    for expression in [
        "tree_lengths",
        "doubled(tree_lengths)",
        "gaussian(tree_lengths)",
    ] {
        assert_eq!(suggested(expression, a.clone(), b.clone()), "tree");
    }
    assert_eq!(
        suggested("hausdorff(tree_lengths)", json!(["a(b)"]), json!(["b"])),
        "set<tree>"
    );
    assert_eq!(
        suggested("pair_lengths", json!(["1", 1]), json!(["2", 2])),
        "tuple<nominal, numeric>"
    );
    let (a, b) = (json!([1, 2]), json!([3, 4]));
    assert_eq!(
        suggested("joined", a.clone(), b.clone()),
        suggested("sum", a, b)
    );
}

#[test]
fn it_fills_a_matrix() {
    let texts = ["a", "a(b)", "a(b,c)"];
    let column = Column::from_values(&Type::Tree, &texts.map(tree)).unwrap();
    let expression = "tree_lengths".parse().unwrap();
    let distance = registry().distance(&expression, &Type::Tree, None, "the values");
    let pairs = distance.unwrap().bind_real(&column, &column, "a matrix");
    let matrix = Condensed::of(&*pairs.unwrap(), &|_| true).unwrap();
    assert_eq!(matrix.distances(), [3.0, 5.0, 2.0]);
}

#[test]
fn rows_are_compared_by_it_as_by_a_built_in_one() {
    let registry = registry();
    let attributes = vec![
        Attribute {
            distance: Some("tree_lengths".to_owned()),
            ..Attribute::new(
                "shape",
                Column::from_values(&Type::Tree, &[tree("a"), tree("a(b)")]).unwrap(),
            )
        },
        Attribute::new("size", Column::numeric(vec![1.0, 3.0])),
    ];
    let database = Database::single(Table::new("t", attributes).unwrap()).unwrap();
    let view = View::new(Arc::new(database), 0);
    let row = |expression: &str| {
        let distance = RowDistance {
            expression: expression.parse().unwrap(),
            missing: Missing::Own,
            depth: 0,
        };
        let fitted = distance.fit(&view, registry).unwrap();
        let rows = fitted.rows(&view).unwrap();
        let pairs = fitted.bind_real(&rows, &rows, "a test").unwrap();
        let mut out = [0.0; 2];
        pairs.prepare(0).fill(0..2, &mut out);
        out
    };
    // A join from outside leaves fields to what their columns state, as `sum` does.
    assert_eq!(row("sum"), [0.0, 4.0]);
    assert_eq!(row("joined"), row("sum"));
    // A measure around another reads rows as that one does.
    let reading = |text: &str| Reading::of(&text.parse().unwrap(), 1);
    assert_eq!(reading("doubled(fourlayer)"), Reading::Facts);
    assert_eq!(reading("doubled(sum)"), Reading::Nested(1));
}

#[test]
fn it_has_an_account() {
    let expression = "hausdorff(tree_lengths)".parse().unwrap();
    let of = "set<tree>".parse().unwrap();
    let distance = registry().distance(&expression, &of, None, "the values");
    let set = |text: &str| Value::set(vec![tree(text)]);
    let account = distance
        .unwrap()
        .account(&set("a"), &set("a(b)"), Detail::default())
        .unwrap();
    assert_eq!(account.recombined(), Measured::Number(3.0));
}

#[test]
fn names_of_measures_are_free_or_taken() {
    registry();
    let again = Entry::from_distance("tree_lengths", "Of lengths.", Takes::Any, Lengths);
    assert!(Registry::extend(again.clone()).is_err());
    let edit = Entry::from_distance("edit", "Of lengths.", Takes::Any, Lengths);
    assert!(Registry::replace_added(edit).is_err());
}

#[test]
fn entries_take_what_they_say() {
    let kinds = [
        "nominal",
        "numeric",
        "datetime",
        "string",
        "list<numeric>",
        "set<numeric>",
        "bag<numeric>",
        "tuple<numeric>",
        "tree",
        "term",
        "graph",
    ];
    for entry in Registry::builtin().entries() {
        // What is around another measure takes what that one takes.
        if entry.inside.is_about_the_same() {
            continue;
        }
        let expression = Expression::new(&entry.name);
        for kind in kinds {
            let of: Type = kind.parse().unwrap();
            let registry = Registry::builtin();
            let error = match entry.is_kernel() {
                true => registry.kernel(&expression, &of, None, "values").err(),
                false => registry.distance(&expression, &of, None, "values").err(),
            };
            let refused =
                matches!(&error, Some(Error::WrongType { measure, .. }) if *measure == entry.name);
            assert_eq!(
                !refused,
                entry.takes.accepts(&of),
                "{} of {kind}",
                entry.name
            );
        }
    }
}
