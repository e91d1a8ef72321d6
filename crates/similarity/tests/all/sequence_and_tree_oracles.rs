//! Measures of strings, lists and trees, bound to columns, agree with their definitions computed in
//! the plainest way, and what is behind a distance adds up to it.
//!
//! Queries and references are different columns, so that their numberings differ.

use kinwood_similarity::account::Detail;
use kinwood_similarity::{Bound, DistanceOn, KernelOn, Registry};
use kinwood_values::{Column, Tree, Type, Value};
use proptest::prelude::*;
use proptest::sample::select;

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

fn gathered(expression: &str, of: &str, queries: &[Value], references: &[Value]) -> Vec<Vec<f64>> {
    let of: Type = of.parse().unwrap();
    let column = |values: &[Value]| Column::from_values(&of, values).unwrap();
    let (queries, references) = (column(queries), column(references));
    let name = expression.split('(').next().unwrap();
    let all = |fill: &dyn Fn(usize, &mut [f64])| {
        let row = |query| {
            let mut out = vec![0.0; references.len()];
            fill(query, &mut out);
            out
        };
        (0..queries.len()).map(row).collect()
    };
    let whole = 0..references.len();
    if Registry::builtin().find(name).unwrap().is_kernel() {
        let gram = kernel(expression, &of.to_string()).bind(&queries, &references);
        let gram = gram.unwrap();
        return all(&|query, out| gram.prepare(query).fill(whole.clone(), out));
    }
    match distance(expression, &of.to_string()).bind(&queries, &references) {
        Ok(Bound::Real(pairs)) => all(&|query, out| {
            let row = pairs.prepare(query);
            row.fill(whole.clone(), out);
            // Bounded search finds what is within and nothing else.
            for (reference, &full) in out.iter().enumerate() {
                assert_eq!(row.within(reference, full), Some(full), "{expression}");
                assert_eq!(row.within(reference, full + 0.7), Some(full));
                let below = row.within(reference, full - 0.01);
                assert_eq!(below, None, "{expression} below {full}");
            }
        }),
        _ => panic!("{expression}"),
    }
}

fn agrees(
    expression: &str,
    of: &str,
    (queries, references): (&[Value], &[Value]),
    definition: impl Fn(&Value, &Value) -> f64,
) -> Result<(), TestCaseError> {
    let found = gathered(expression, of, queries, references);
    for (a, row) in queries.iter().zip(found) {
        for (b, found) in references.iter().zip(row) {
            let expected = definition(a, b);
            prop_assert!(
                (found - expected).abs() <= 1e-12 * (1.0 + expected.abs()),
                "{expression} of {a} and {b}: {found}, expected {expected}"
            );
        }
    }
    Ok(())
}

fn text(value: &Value) -> Vec<char> {
    match value {
        Value::Text(text) => text.chars().collect(),
        other => panic!("{other}"),
    }
}

fn numbers(value: &Value) -> Vec<f64> {
    let number = |item: &Value| match item {
        Value::Number(number) => *number,
        other => panic!("{other}"),
    };
    match value {
        Value::List(items) => items.iter().map(number).collect(),
        other => panic!("{other}"),
    }
}

fn strings(most: usize) -> impl Strategy<Value = Vec<Value>> {
    let character = select(vec!['a', 'b', 'é', '漢']);
    let string = prop::collection::vec(character, 0..=most).prop_map(String::from_iter);
    prop::collection::vec(string.prop_map(Value::Text), 1..7)
}

fn lists() -> impl Strategy<Value = Vec<Value>> {
    let number = (-4..4i8).prop_map(|x| Value::Number(f64::from(x) / 2.0));
    let list = prop::collection::vec(number, 0..6).prop_map(Value::List);
    prop::collection::vec(list, 1..7)
}

fn trees() -> impl Strategy<Value = Vec<Value>> {
    let leaf = select(vec!["a", "b", "'c d'"]).prop_map(str::to_owned);
    let tree = leaf.prop_recursive(3, 7, 3, |inner| {
        let label = select(vec!["a", "b"]);
        (label, prop::collection::vec(inner, 1..4))
            .prop_map(|(label, children)| format!("{label}({})", children.join(",")))
    });
    let tree = tree.prop_map(|tree| Value::Tree(tree.parse().unwrap()));
    prop::collection::vec(tree, 1..5)
}

/// The recursion on the last items, straight from the definition.
pub fn edited<T>(a: &[T], b: &[T], costs: [f64; 3], apart: &dyn Fn(&T, &T) -> f64) -> f64 {
    let [insert, delete, substitute] = costs;
    let mut table = vec![vec![0.0f64; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            if i + j == 0 {
                continue;
            }
            let mut best = f64::INFINITY;
            if i > 0 {
                best = best.min(table[i - 1][j] + delete);
            }
            if j > 0 {
                best = best.min(table[i][j - 1] + insert);
            }
            if i > 0 && j > 0 {
                let change = substitute * apart(&a[i - 1], &b[j - 1]);
                best = best.min(table[i - 1][j - 1] + change);
            }
            table[i][j] = best;
        }
    }
    table[a.len()][b.len()]
}

fn unlike(a: &char, b: &char) -> f64 {
    f64::from(u8::from(a != b))
}

/// The best global alignment of any two segments.
pub fn local_score<T: PartialEq>(a: &[T], b: &[T], [matched, mismatched, gap]: [f64; 3]) -> f64 {
    let mut best = 0.0f64;
    for i in 0..a.len() {
        for j in 0..b.len() {
            for end in i + 1..=a.len() {
                for other in j + 1..=b.len() {
                    let (x, y) = (&a[i..end], &b[j..other]);
                    let mut table = vec![vec![0.0f64; y.len() + 1]; x.len() + 1];
                    for (r, row) in table.iter_mut().enumerate() {
                        row[0] = r as f64 * gap;
                    }
                    for (c, cell) in table[0].iter_mut().enumerate() {
                        *cell = c as f64 * gap;
                    }
                    for r in 1..=x.len() {
                        for c in 1..=y.len() {
                            let pair = if x[r - 1] == y[c - 1] {
                                matched
                            } else {
                                mismatched
                            };
                            table[r][c] = (table[r - 1][c - 1] + pair)
                                .max(table[r - 1][c] + gap)
                                .max(table[r][c - 1] + gap);
                        }
                    }
                    best = best.max(table[x.len()][y.len()]);
                }
            }
        }
    }
    best
}

/// All choices of places: the items chosen, and the span.
fn choices(length: usize) -> Vec<Vec<usize>> {
    (1..1u32 << length)
        .map(|mask| (0..length).filter(|place| mask >> place & 1 == 1).collect())
        .collect()
}

pub fn common<T>(
    a: &[T],
    b: &[T],
    lambda: f64,
    length: Option<usize>,
    alike: &dyn Fn(&T, &T) -> f64,
) -> f64 {
    let span = |places: &[usize]| (places[places.len() - 1] - places[0] + 1) as i32;
    let mut sum = 0.0;
    for left in choices(a.len()) {
        for right in choices(b.len()) {
            if left.len() == right.len() && length.is_none_or(|length| length == left.len()) {
                let pairs = left.iter().zip(&right);
                let weight: f64 = pairs.map(|(&i, &j)| alike(&a[i], &b[j])).product();
                sum += weight * lambda.powi(span(&left) + span(&right));
            }
        }
    }
    sum
}

/// The edit distance of forests by removing the last roots, straight from the definition. Nodes are
/// given in preorder.
pub fn forests(a: &[(String, usize)], b: &[(String, usize)], costs: [f64; 3]) -> f64 {
    let [insert, delete, relabel] = costs;
    // The last tree of a forest begins where the walk over whole trees ends.
    let last = |forest: &[(String, usize)]| {
        let (mut at, mut begin) = (0, 0);
        while at < forest.len() {
            begin = at;
            at += forest[at].1;
        }
        begin
    };
    let without_root = |forest: &[(String, usize)], root: usize| {
        let mut rest = forest.to_vec();
        rest.remove(root);
        rest
    };
    match (a.is_empty(), b.is_empty()) {
        (true, _) => b.len() as f64 * insert,
        (_, true) => a.len() as f64 * delete,
        _ => {
            let (i, j) = (last(a), last(b));
            let gone = forests(&without_root(a, i), b, costs) + delete;
            let new = forests(a, &without_root(b, j), costs) + insert;
            let change = if a[i].0 == b[j].0 { 0.0 } else { relabel };
            let kept = forests(&a[..i], &b[..j], costs)
                + forests(&a[i + 1..], &b[j + 1..], costs)
                + change;
            gone.min(new).min(kept)
        }
    }
}

fn tree(value: &Value) -> &Tree {
    match value {
        Value::Tree(tree) => tree,
        other => panic!("{other}"),
    }
}

pub fn nodes(value: &Value) -> Vec<(String, usize)> {
    let tree = tree(value);
    (0..tree.len())
        .map(|node| (tree.label(node).to_owned(), tree.size(node)))
        .collect()
}

fn shared(a: &Tree, i: usize, b: &Tree, j: usize, decay: f64) -> f64 {
    let labels = |tree: &Tree, node: usize| -> Vec<String> {
        let own = std::iter::once(node).chain(tree.children(node));
        own.map(|node| tree.label(node).to_owned()).collect()
    };
    if labels(a, i) != labels(b, j) {
        return 0.0;
    }
    let children = a.children(i).zip(b.children(j));
    decay
        * children
            .map(|(i, j)| 1.0 + shared(a, i, b, j, decay))
            .product::<f64>()
}

pub fn fragments(a: &Value, b: &Value, decay: f64) -> f64 {
    let (a, b) = (tree(a), tree(b));
    let pairs = (0..a.len()).flat_map(|i| (0..b.len()).map(move |j| (i, j)));
    pairs.map(|(i, j)| shared(a, i, b, j, decay)).sum()
}

const COSTS: [[f64; 3]; 5] = [
    [1.0, 1.0, 1.0],
    [1.0, 3.0, 2.0],
    [0.3, 0.3, 0.1],
    [0.7, 0.2, 5.0],
    [1.1, 0.6, 0.3],
];

kinwood_testing::soak! { 256;
    fn soak_edits(queries in strings(8), references in strings(8), costs in select(COSTS.to_vec())) {
        let [insert, delete, substitute] = costs;
        let expression = format!("edit({insert}, {delete}, {substitute})");
        agrees(&expression, "string", (&queries, &references), |a, b| {
            edited(&text(a), &text(b), costs, &unlike)
        })?;
    }

    fn soak_edits_of_lists(queries in lists(), references in lists(), costs in select(COSTS.to_vec())) {
        let [insert, delete, substitute] = costs;
        let settings = format!("insert={insert}, delete={delete}, substitute={substitute}");
        let both = (&queries[..], &references[..]);
        for expression in [format!("edit({settings})"), format!("edit(discrete, {settings})")] {
            agrees(&expression, "list<numeric>", both, |a, b| {
                edited(&numbers(a), &numbers(b), costs, &|x, y| f64::from(u8::from(x != y)))
            })?;
        }
        agrees(&format!("edit(absolute, {settings})"), "list<numeric>", both, |a, b| {
            edited(&numbers(a), &numbers(b), costs, &|x, y| (x - y).abs())
        })?;
    }

    fn soak_alignments(
        queries in strings(8),
        references in strings(8),
        scores in select(vec![[2.0, -1.0, -1.0], [1.0, 0.0, 0.0], [0.3, -0.1, -0.25], [1.0, -9.0, -9.0]]),
    ) {
        let [matched, mismatched, gap] = scores;
        let expression = format!("smith_waterman({matched}, {mismatched}, {gap})");
        agrees(&expression, "string", (&queries, &references), |a, b| {
            let (a, b) = (text(a), text(b));
            match a.len().max(b.len()) {
                0 => 0.0,
                longer => 1.0 - local_score(&a, &b, scores) / (longer as f64 * matched),
            }
        })?;
    }

    fn soak_subsequences(queries in strings(5), references in strings(5), lambda in select(vec![0.1, 0.5, 1.0])) {
        let alike = |x: &char, y: &char| 1.0 - unlike(x, y);
        let both = (&queries[..], &references[..]);
        for (setting, length) in [("all", None), ("2", Some(2)), ("3", Some(3))] {
            let plain = |a: &Value, b: &Value| common(&text(a), &text(b), lambda, length, &alike);
            let expression = format!("subsequence(lambda={lambda}, length={setting})");
            agrees(&expression, "string", both, plain)?;
            agrees(&format!("normalised({expression})"), "string", both, |a, b| {
                let lengths = plain(a, a) * plain(b, b);
                if lengths > 0.0 { plain(a, b) / lengths.sqrt() } else { 0.0 }
            })?;
        }
    }

    fn soak_subsequences_by_item_kernels(queries in lists(), references in lists()) {
        let both = (&queries[..], &references[..]);
        let product = |x: &f64, y: &f64| x * y;
        agrees("subsequence(product)", "list<numeric>", both, |a, b| {
            common(&numbers(a), &numbers(b), 0.5, None, &product)
        })?;
        agrees("subsequence(product, length=2)", "list<numeric>", both, |a, b| {
            common(&numbers(a), &numbers(b), 0.5, Some(2), &product)
        })?;
        agrees("subsequence(gaussian(0.5), lambda=0.8)", "list<numeric>", both, |a, b| {
            common(&numbers(a), &numbers(b), 0.8, None, &|x, y| (-0.5 * (x - y) * (x - y)).exp())
        })?;
    }

    fn soak_pieces(queries in strings(8), references in strings(8), k in 1..6usize) {
        agrees(&format!("spectrum({k})"), "string", (&queries, &references), |a, b| {
            let (a, b) = (text(a), text(b));
            let pairs = a.windows(k).flat_map(|x| b.windows(k).map(move |y| x == y));
            pairs.filter(|&same| same).count() as f64
        })?;
    }

    fn soak_edits_of_trees(queries in trees(), references in trees(), costs in select(COSTS.to_vec())) {
        let [insert, delete, relabel] = costs;
        let expression = format!("tree_edit({insert}, {delete}, {relabel})");
        agrees(&expression, "tree", (&queries, &references), |a, b| {
            forests(&nodes(a), &nodes(b), costs)
        })?;
    }

    fn soak_fragments_of_trees(queries in trees(), references in trees(), decay in select(vec![0.25, 1.0])) {
        agrees(&format!("subtree({decay})"), "tree", (&queries, &references), |a, b| {
            fragments(a, b, decay)
        })?;
    }

    fn soak_amounts_add_up(texts in strings(8), lists in lists(), trees in trees(), costs in select(COSTS.to_vec())) {
        let [insert, delete, change] = costs;
        let settings = format!("insert={insert}, delete={delete}");
        let cases = [
            (format!("edit({settings}, substitute={change})"), "string", &texts),
            (format!("edit(absolute, {settings}, substitute={change})"), "list<numeric>", &lists),
            (format!("tree_edit({settings}, relabel={change})"), "tree", &trees),
            (format!("smith_waterman(match={insert}, gap=-{delete})"), "string", &texts),
        ];
        for (expression, of, values) in cases {
            let distance = distance(&expression, of);
            for a in values {
                for b in values {
                    let whole: f64 = distance.between(a, b).unwrap().to_string().parse().unwrap();
                    let steps = distance.account(a, b, Detail::default()).unwrap().lines();
                    let sum: f64 = steps.iter().map(|step| step.amount.unwrap()).sum();
                    prop_assert!((sum - whole).abs() < 1e-12 * (1.0 + whole), "{expression} of {a} and {b}: {sum}, {whole}");
                }
            }
        }
    }
}
