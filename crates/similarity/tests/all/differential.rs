//! Every measure of the registry beside its definition: random types, expressions nested in each
//! other, and values of few letters and small numbers, some missing, some empty; numbers pair by
//! pair, laws, and all ways to the same number.

use kinwood_similarity::matrix::{Condensed, fill_rows};
use kinwood_similarity::testing::{check_distance, check_kernel};
use kinwood_similarity::{Bound, Expression, Pairs, Registry, nearest};
use kinwood_values::{Column, Edge, Field, Graph, GraphNode, Type, Value};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::naive;

// ----- types and values -----

fn some_type() -> BoxedStrategy<Type> {
    let plain = select(vec![
        Type::Nominal,
        Type::Numeric,
        Type::Numeric,
        Type::DateTime,
        Type::String,
        Type::Tree,
        Type::Term,
        Type::Graph,
    ]);
    plain
        .prop_recursive(2, 8, 3, |inner| {
            let boxed = || inner.clone().prop_map(Box::new);
            let fields = (vec(inner.clone(), 1..4), any::<bool>());
            prop_oneof![
                boxed().prop_map(Type::List),
                boxed().prop_map(Type::Set),
                boxed().prop_map(Type::Bag),
                fields.prop_map(|(types, named)| {
                    let field = |(place, of)| Field {
                        name: named.then(|| format!("f{place}")),
                        of,
                    };
                    Type::Tuple(types.into_iter().enumerate().map(field).collect())
                }),
            ]
        })
        .boxed()
}

fn some_tree() -> BoxedStrategy<Value> {
    let leaf = select(vec!["a", "b"]).prop_map(str::to_owned);
    let tree = leaf.prop_recursive(2, 5, 2, |inner| {
        (select(vec!["a", "b"]), vec(inner, 1..3))
            .prop_map(|(label, children)| format!("{label}({})", children.join(",")))
    });
    tree.prop_map(|tree| Value::Tree(tree.parse().unwrap()))
        .boxed()
}

fn some_term() -> BoxedStrategy<Value> {
    let leaf = select(vec!["a", "b", "0", "1.5", "[]"]).prop_map(str::to_owned);
    let term = leaf.prop_recursive(2, 6, 2, |inner| {
        (select(vec!["f", "g"]), vec(inner, 1..3))
            .prop_map(|(name, arguments)| format!("{name}({})", arguments.join(",")))
    });
    term.prop_map(|term| Value::Term(term.parse().unwrap()))
        .boxed()
}

fn some_graph() -> BoxedStrategy<Value> {
    let labels = vec(prop::option::of(select(vec!["c", "n"])), 0..=3);
    (any::<bool>(), labels)
        .prop_flat_map(|(directed, labels)| {
            let end = 0..labels.len().max(1) as u32;
            let most = if labels.is_empty() { 0 } else { 3 };
            let label = prop::option::of(select(vec!["c", "double"]));
            let edges = vec((end.clone(), end, label), 0..=most);
            edges.prop_map(move |edges| {
                let nodes = labels.iter().enumerate().map(|(id, label)| GraphNode {
                    id: id.to_string(),
                    label: label.map(str::to_owned),
                });
                let edges = edges.into_iter().map(|(from, to, label)| Edge {
                    from,
                    to,
                    label: label.map(str::to_owned),
                });
                Value::Graph(Graph::new(directed, nodes.collect(), edges.collect()).unwrap())
            })
        })
        .boxed()
}

/// Values of a type, one in `gaps` missing at every level; 0 for none.
fn some_value(of: &Type, gaps: u32) -> BoxedStrategy<Value> {
    let inside = |of: &Type| vec(some_value(of, gaps), 0..4);
    let present = match of {
        Type::Nominal => select(vec!["a", "b", "it's"])
            .prop_map(|label| Value::Symbol(label.to_owned()))
            .boxed(),
        Type::Numeric => (-8..9i32)
            .prop_map(|quarter| Value::Number(f64::from(quarter) / 4.0))
            .boxed(),
        Type::DateTime => (0..9i64)
            .prop_map(|second| Value::DateTime(second * 1000))
            .boxed(),
        Type::String => vec(select(vec!['a', 'b', 'é']), 0..5)
            .prop_map(|text| Value::Text(String::from_iter(text)))
            .boxed(),
        Type::List(of) => inside(of).prop_map(Value::List).boxed(),
        Type::Set(of) => inside(of).prop_map(Value::set).boxed(),
        Type::Bag(of) => inside(of).prop_map(Value::bag).boxed(),
        Type::Tuple(fields) => {
            let values: Vec<_> = fields
                .iter()
                .map(|field| some_value(&field.of, gaps))
                .collect();
            values.prop_map(Value::Tuple).boxed()
        }
        Type::Tree => some_tree(),
        Type::Term => some_term(),
        Type::Graph => some_graph(),
        Type::Ref(_) => unreachable!("no references are made here"),
    };
    match gaps {
        0 => present,
        gaps => prop_oneof![1 => Just(Value::Missing), gaps - 1 => present].boxed(),
    }
}

// ----- expressions -----

/// How missing values are dealt with, if that is said.
fn policy() -> BoxedStrategy<&'static str> {
    select(vec![
        "",
        "",
        "",
        "missing=own",
        "missing=max",
        "missing=skip",
        "missing=max, far=3",
    ])
    .boxed()
}

/// A name with parts and settings; those that are empty are left out.
fn written(name: &str, inside: &[&str]) -> String {
    let inside: Vec<&str> = inside
        .iter()
        .copied()
        .filter(|part| !part.is_empty())
        .collect();
    match inside.is_empty() {
        true => name.to_owned(),
        false => format!("{name}({})", inside.join(", ")),
    }
}

/// One of these names with settings, each written `name | settings`.
fn one_of(names: Vec<&'static str>) -> BoxedStrategy<String> {
    (select(names), policy())
        .prop_map(|(written_as, policy)| {
            let (name, settings) = written_as.split_once(" | ").unwrap_or((written_as, ""));
            written(name, &[settings, policy])
        })
        .boxed()
}

fn some_distance(of: &Type, depth: usize) -> BoxedStrategy<String> {
    let mut own = vec!["discrete", "default"];
    own.extend(match of {
        Type::Numeric | Type::DateTime => {
            vec!["absolute", "absolute | range=3", "absolute | range=train"]
        }
        Type::Set(_) | Type::Bag(_) | Type::List(_) => vec![
            "symmetric_difference",
            "jaccard",
            "jaccard | repeats=false",
            "jaccard | weights=idf",
            "dice | empty=0.4",
            "cosine",
            "cosine | weights=idf, vocabulary=2",
            "overlap",
        ],
        Type::String => vec![
            "edit",
            "edit | 0.3, 0.7, 0.1",
            "edit | insert=2, delete=2",
            "smith_waterman",
            "smith_waterman | 0.3, -0.1, -0.25",
        ],
        Type::Tree => vec!["tree_edit", "tree_edit | 0.7, 0.2, 5"],
        Type::Term => vec!["nienhuys_cheng", "symbols | lgg"],
        Type::Graph => vec!["label_histogram", "graph_edit"],
        _ => vec![],
    });
    if let Type::List(of) = of {
        own.extend(["edit", "edit | 0.3, 0.7, 0.1", "smith_waterman"]);
        if **of == Type::Numeric {
            own.extend(["dtw", "correlation"]);
        }
    }
    let own = one_of(own);
    if depth == 0 {
        return own;
    }
    let same = (
        some_distance(of, depth - 1),
        policy(),
        select(vec!["", "by=2"]),
    )
        .prop_map(|(inside, policy, by)| written("scaled", &[&inside, by, policy]));
    let induced = (some_kernel(of, depth - 1), policy())
        .prop_map(|(inside, policy)| written("induced", &[&inside, policy]));
    let composed = match of {
        Type::List(inner) | Type::Set(inner) | Type::Bag(inner) => {
            let mut outer = vec![
                "hausdorff | ",
                "hausdorff | empty=0.3",
                "min_hausdorff | empty=1",
                "ranked_hausdorff | k=2, empty=1",
                "sum_of_minima | empty=2",
                "matching | ",
                "matching | M=3",
                "surjection | empty=1",
                "fair_surjection | empty=1",
                "link | empty=1",
            ];
            if matches!(of, Type::List(_)) {
                outer.extend(["edit | ", "edit | insert=0.5, delete=2, substitute=0.7"]);
            }
            (select(outer), some_distance(inner, depth - 1), policy())
                .prop_map(|(outer, inside, policy)| {
                    let (name, settings) = outer.split_once(" | ").unwrap();
                    written(name, &[&inside, settings, policy])
                })
                .boxed()
        }
        Type::Tuple(fields) => {
            let parts: Vec<_> = fields
                .iter()
                .map(|field| (some_distance(&field.of, depth - 1), 0u32..3))
                .collect();
            (
                select(vec!["sum", "mean", "euclidean", "rms"]),
                parts,
                policy(),
            )
                .prop_filter_map("a weight", |(name, parts, policy)| {
                    let any = parts.iter().any(|(_, weight)| *weight > 0);
                    let parts: Vec<String> = parts
                        .iter()
                        .map(|(part, weight)| format!("{part} * {weight}"))
                        .collect();
                    any.then(|| written(name, &[&parts.join(", "), policy]))
                })
                .boxed()
        }
        _ => own.clone(),
    };
    prop_oneof![2 => own, 4 => composed, 1 => same, 1 => induced].boxed()
}

fn some_kernel(of: &Type, depth: usize) -> BoxedStrategy<String> {
    let mut own = vec!["delta", "default"];
    own.extend(match of {
        Type::Numeric => vec!["product", "gaussian(0.5)", "gaussian(g=2)"],
        Type::String => vec![
            "subsequence",
            "subsequence(lambda=0.9, length=2)",
            "spectrum(k=1)",
            "spectrum(k=2)",
        ],
        Type::List(_) => vec!["subsequence", "spectrum(k=1)", "tanimoto", "ochiai"],
        Type::Set(_) | Type::Bag(_) => vec![
            "tanimoto",
            "tanimoto(repeats=false)",
            "sorensen",
            "ochiai",
            "ochiai(weights=idf)",
        ],
        Type::Tree => vec!["subtree", "subtree(decay=0.5)"],
        Type::Term => vec![
            "structural",
            "structural(gaussian(0.5))",
            "structural(delta)",
        ],
        Type::Graph => vec!["walk", "walk(weight=0.03)"],
        _ => vec![],
    });
    let own = select(own).prop_map(str::to_owned).boxed();
    if depth == 0 {
        return own;
    }
    let forms = vec!["gaussian", "linear", "negative", "polynomial"];
    let settings = select(vec!["", "gamma=0.5"]);
    let from = (select(forms), some_distance(of, depth - 1), settings).prop_map(
        |(name, distance, gamma)| {
            let gamma = match name {
                "gaussian" | "polynomial" => gamma,
                _ => "",
            };
            let degree = if name == "polynomial" { "p=2" } else { "" };
            written(name, &[&distance, gamma, degree])
        },
    );
    let normalised =
        some_kernel(of, depth - 1).prop_map(|inside| written("normalised", &[&inside]));
    let composed = match of {
        Type::List(inner) | Type::Set(inner) | Type::Bag(inner) => {
            let mut outer = vec!["set | ", "set | power=2", "set | power=0.5"];
            if matches!(of, Type::List(_)) {
                outer.extend(["subsequence | lambda=0.7", "subsequence | length=2"]);
            }
            (select(outer), some_kernel(inner, depth - 1))
                .prop_map(|(outer, inside)| {
                    let (name, settings) = outer.split_once(" | ").unwrap();
                    written(name, &[&inside, settings])
                })
                .boxed()
        }
        Type::Tuple(fields) => {
            let parts: Vec<_> = fields
                .iter()
                .map(|field| some_kernel(&field.of, depth - 1))
                .collect();
            (select(vec!["add", "multiply"]), parts)
                .prop_map(|(name, parts)| written(name, &[&parts.join(", ")]))
                .boxed()
        }
        _ => own.clone(),
    };
    prop_oneof![2 => own, 3 => composed, 1 => from, 1 => normalised].boxed()
}

// ----- cases -----

/// A measure, what it is fitted on, and what it compares.
#[derive(Clone, Debug)]
struct Case {
    of: Type,
    expression: String,
    training: Vec<Value>,
    queries: Vec<Value>,
    references: Vec<Value>,
}

fn cases(kernels: bool) -> BoxedStrategy<Case> {
    (some_type(), select(vec![0u32, 0, 10, 4]))
        .prop_flat_map(move |(of, gaps)| {
            let expression = match kernels {
                true => some_kernel(&of, 2),
                false => some_distance(&of, 2),
            };
            let values = |least| vec(some_value(&of, gaps), least..6);
            (
                Just(of.clone()),
                expression,
                values(0),
                values(1),
                values(1),
            )
        })
        .prop_map(|(of, expression, training, queries, references)| Case {
            of,
            expression,
            training,
            queries,
            references,
        })
        .boxed()
}

fn near(found: f64, expected: f64, expression: &str) -> bool {
    // The root of a difference of inner products has half of their digits where they cancel.
    let rounding = match expression.contains("induced") || expression.contains("normalised") {
        true => 1e-6,
        false => 1e-9,
    };
    (found - expected).abs() <= rounding * (1.0 + expected.abs())
}

/// Whether the definition of a part is elsewhere, or a bound only.
fn elsewhere(expression: &Expression) -> bool {
    naive::ELSEWHERE.contains(&expression.name.as_str()) && expression.name != "lgg"
        || expression.parts().any(|part| elsewhere(&part.measure))
}

impl Case {
    fn columns(&self) -> [Column; 3] {
        [&self.training, &self.queries, &self.references]
            .map(|values| Column::from_values(&self.of, values).unwrap())
    }

    fn distances(&self) -> Result<(), TestCaseError> {
        let registry = Registry::builtin();
        let [training, queries, references] = self.columns();
        let parsed: Expression = self.expression.parse().unwrap();
        let fitted = registry.distance(&parsed, &self.of, Some(&training), "the values");
        let refused = |error: kinwood_similarity::Error| TestCaseError::reject(error.to_string());
        let distance = fitted.map_err(refused)?;
        let Bound::Real(pairs) = distance.bind(&queries, &references).map_err(refused)? else {
            return Err(TestCaseError::reject("pairs"));
        };
        let fitted = distance.expression();
        let rows = rows(&*pairs);
        if !elsewhere(&fitted) {
            for (a, row) in self.queries.iter().zip(&rows) {
                for (b, &found) in self.references.iter().zip(row) {
                    let expected = naive::distance(&fitted, &self.of, a, b);
                    prop_assert!(
                        near(found, expected, &self.expression),
                        "{fitted} of {a} and {b}: {found}, by definition {expected}"
                    );
                }
            }
        }
        self.ways(&*pairs, &rows)?;
        let all: Vec<Value> = self
            .queries
            .iter()
            .chain(&self.references)
            .cloned()
            .collect();
        if distance.bind(&references, &queries).is_ok() {
            let column = Column::from_values(&self.of, &all).unwrap();
            if let Ok(Bound::Real(pairs)) = distance.bind(&column, &column) {
                condensed(&*pairs)?;
                let checked = check_distance(registry, &distance, &all);
                prop_assert!(
                    checked.is_ok(),
                    "{fitted} on {}: {}",
                    self.of,
                    checked.unwrap_err()
                );
            }
        }
        Ok(())
    }

    /// Blocks of a matrix and the nearest are those of single rows.
    fn ways(&self, pairs: &dyn Pairs<f64>, rows: &[Vec<f64>]) -> Result<(), TestCaseError> {
        let width = self.references.len();
        let mut matrix = vec![0.0; rows.len() * width];
        fill_rows(pairs, 0..rows.len(), None, &mut matrix, &|_| true).unwrap();
        for (query, row) in rows.iter().enumerate() {
            prop_assert_eq!(
                &matrix[query * width..][..width],
                &row[..],
                "a block of rows"
            );
            let mut order: Vec<usize> = (0..width).collect();
            order.sort_by(|&a, &b| row[a].total_cmp(&row[b]));
            for count in [1, 2, width] {
                let found: Vec<usize> = nearest(&*pairs.prepare(query), width, count)
                    .iter()
                    .map(|found| found.reference)
                    .collect();
                prop_assert_eq!(&found[..], &order[..count.min(width)], "the nearest");
            }
        }
        Ok(())
    }

    fn kernels(&self) -> Result<(), TestCaseError> {
        let registry = Registry::builtin();
        let [training, queries, references] = self.columns();
        let parsed: Expression = self.expression.parse().unwrap();
        let fitted = registry.kernel(&parsed, &self.of, Some(&training), "the values");
        let refused = |error: kinwood_similarity::Error| TestCaseError::reject(error.to_string());
        let kernel = fitted.map_err(refused)?;
        let gram = kernel.bind(&queries, &references).map_err(refused)?;
        let fitted = kernel.expression();
        if !elsewhere(&fitted) {
            for (query, a) in self.queries.iter().enumerate() {
                let mut row = vec![0.0; self.references.len()];
                gram.prepare(query).fill(0..self.references.len(), &mut row);
                for (b, found) in self.references.iter().zip(row) {
                    let expected = naive::inner(&fitted, &self.of, a, b);
                    prop_assert!(
                        near(found, expected, &self.expression),
                        "{fitted} of {a} and {b}: {found}, by definition {expected}"
                    );
                }
            }
        }
        let all: Vec<Value> = self
            .queries
            .iter()
            .chain(&self.references)
            .cloned()
            .collect();
        let column = Column::from_values(&self.of, &all).unwrap();
        if kernel.bind(&column, &column).is_ok() {
            let checked = check_kernel(registry, &kernel, &all);
            prop_assert!(
                checked.is_ok(),
                "{fitted} on {}: {}",
                self.of,
                checked.unwrap_err()
            );
        }
        Ok(())
    }
}

fn rows(pairs: &dyn Pairs<f64>) -> Vec<Vec<f64>> {
    let (queries, references) = pairs.shape();
    (0..queries)
        .map(|query| {
            let mut row = vec![0.0; references];
            pairs.prepare(query).fill(0..references, &mut row);
            row
        })
        .collect()
}

/// Half of a matrix stands for all of it where the laws say so, and is refused elsewhere.
fn condensed(pairs: &dyn Pairs<f64>) -> Result<(), TestCaseError> {
    let laws = pairs.laws();
    let rows = rows(pairs);
    match Condensed::of(pairs, &|_| true) {
        Ok(half) => {
            for (a, row) in rows.iter().enumerate() {
                for (b, &found) in row.iter().enumerate() {
                    let kept = half.get(a, b);
                    prop_assert!((kept - found).abs() <= 1e-9 * (1.0 + found.abs()));
                }
            }
        }
        Err(_) => prop_assert!(!(laws.symmetric && laws.zero_on_self)),
    }
    Ok(())
}

kinwood_testing::soak! { 600;
    fn soak_distances_are_those_of_their_definitions(case in cases(false)) {
        case.distances()?;
    }

    fn soak_kernels_are_those_of_their_definitions(case in cases(true)) {
        case.kernels()?;
    }
}

/// No measure is added without a definition here or a reason there.
#[test]
fn every_measure_of_the_registry_is_tried() {
    use proptest::strategy::ValueTree;
    let mut tried = std::collections::BTreeSet::new();
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    fn names(expression: &Expression, into: &mut std::collections::BTreeSet<String>) {
        into.insert(expression.name.clone());
        expression
            .parts()
            .for_each(|part| names(&part.measure, into));
    }
    for kernels in [false, true] {
        let cases = cases(kernels);
        for _ in 0..4_000 {
            let case = cases.new_tree(&mut runner).unwrap().current();
            names(&case.expression.parse().unwrap(), &mut tried);
        }
    }
    // Objects described by facts, series, dates and texts have oracles of their own: in
    // `fourlayer.rs`, `series.rs`, `dates.rs` and `texts.rs`.
    const ELSEWHERE: [&str; 8] = [
        "fourlayer",
        "erp",
        "msm",
        "twe",
        "lcss",
        "date",
        "tfidf",
        "words",
    ];
    for entry in Registry::builtin().entries() {
        let name = &*entry.name;
        assert!(tried.contains(name) || ELSEWHERE.contains(&name), "{name}");
    }
}
