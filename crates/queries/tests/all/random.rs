//! Enumerations against a naive enumerator, and random queries against filtering a plain table of
//! all trees.

use std::collections::BTreeSet;

use kinwood_learners::Generator;
use rusqlite::types::Value;

use crate::data::{Place, number, open, rows};

/// A row of the flat table: two numbers, two labels, and the class.
struct Plant {
    numbers: [i64; 2],
    labels: [String; 2],
    kind: String,
}

fn plants(path: &std::path::Path) -> Vec<Plant> {
    let text = std::fs::read_to_string(path).unwrap();
    let line = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        Plant {
            numbers: [cells[0].parse().unwrap(), cells[1].parse().unwrap()],
            labels: [cells[2].to_owned(), cells[3].to_owned()],
            kind: cells[4].to_owned(),
        }
    };
    text.lines().skip(1).map(line).collect()
}

/// What a tree is to the oracle: how large, how deep, how wrong, on which columns.
type Shape = (usize, usize, usize, Vec<usize>);

/// Every tree over some rows, by recursion over all tests and all trees below them.
fn naive(plants: &[Plant], rows: &[usize], room: usize) -> Vec<Shape> {
    let wrong = |rows: &[usize]| {
        let trees = rows
            .iter()
            .filter(|&&row| plants[row].kind == "tree")
            .count();
        trees.min(rows.len() - trees)
    };
    let mut all = vec![(1, 0, wrong(rows), Vec::new())];
    if room < 3 {
        return all;
    }
    let mut divisions: Vec<(usize, Vec<usize>, Vec<usize>)> = Vec::new();
    for column in 0..2 {
        let values: BTreeSet<i64> = rows
            .iter()
            .map(|&row| plants[row].numbers[column])
            .collect();
        let values: Vec<i64> = values.into_iter().collect();
        for threshold in values.iter().skip(1) {
            let above = |row: &usize| plants[*row].numbers[column] >= *threshold;
            let (yes, no) = rows.iter().partition(|row| above(row));
            divisions.push((column, yes, no));
        }
        let labels: BTreeSet<&String> = rows
            .iter()
            .map(|&row| &plants[row].labels[column])
            .collect();
        let labels: Vec<&String> = labels.into_iter().collect();
        // Each way to put the labels into two sets, once.
        for set in 1..1usize << labels.len().saturating_sub(1) {
            let inside = |row: &usize| {
                let label = labels
                    .iter()
                    .position(|label| **label == plants[*row].labels[column]);
                label.is_some_and(|label| set >> label & 1 == 1)
            };
            let (yes, no) = rows.iter().partition(|row| inside(row));
            divisions.push((2 + column, yes, no));
        }
    }
    for (column, yes, no) in divisions {
        // A leaf has two examples at least, as by default.
        if yes.len() < 2 || no.len() < 2 {
            continue;
        }
        for left in naive(plants, &yes, room - 2) {
            for right in naive(plants, &no, room - 2) {
                if left.0 + right.0 < room {
                    let mut columns: Vec<usize> = left.3.iter().chain(&right.3).copied().collect();
                    columns.push(column);
                    columns.sort_unstable();
                    columns.dedup();
                    let depth = 1 + left.1.max(right.1);
                    all.push((1 + left.0 + right.0, depth, left.2 + right.2, columns));
                }
            }
        }
    }
    all
}

#[test]
fn enumerations_are_those_of_a_naive_enumerator() {
    let place = Place::new();
    for (examples, size) in [(12, 5), (24, 5), (9, 7)] {
        let path = place.flat(examples);
        let plants = plants(&path);
        let all: Vec<usize> = (0..plants.len()).collect();
        let mut expected: Vec<Shape> = naive(&plants, &all, size);
        expected.sort();
        let mut connection = open(&path);
        let sql = format!(
            "SELECT size, depth, error * {examples}, columns_used FROM trees('kind') \
             WHERE complete = 1 AND size <= {size}"
        );
        let names = ["height", "width", "color", "place"];
        let mut found: Vec<Shape> = rows(&mut connection, &sql)
            .iter()
            .map(|row| {
                let [
                    Value::Integer(size),
                    Value::Integer(depth),
                    Value::Real(wrong),
                    Value::Text(used),
                ] = row.as_slice()
                else {
                    panic!("{row:?}")
                };
                let used: Vec<String> = serde_json::from_str(used).unwrap();
                let mut columns: Vec<usize> = used
                    .iter()
                    .map(|name| names.iter().position(|other| other == name).unwrap())
                    .collect();
                columns.sort_unstable();
                (
                    *size as usize,
                    *depth as usize,
                    wrong.round() as usize,
                    columns,
                )
            })
            .collect();
        found.sort();
        assert_eq!(found.len(), expected.len(), "{examples} rows, {size} nodes");
        assert_eq!(found, expected, "{examples} rows, {size} nodes");
    }
}

/// A random condition on trees as SQL, and the same for a plain table of all of them.
fn condition(random: &mut Generator) -> (String, String) {
    let mut below = |count: usize| random.below(count);
    let names = ["height", "width", "color", "place"];
    let name = names[below(4)];
    let plain = |denied: bool| {
        let own = format!("EXISTS (SELECT 1 FROM json_each(columns_used) WHERE value = '{name}')");
        if denied { format!("NOT {own}") } else { own }
    };
    let op = ["<", "<=", "=", ">", ">=", "<>"][below(6)];
    let amount = below(8);
    match below(13) {
        11 => {
            let column = ["size", "depth", "leaves", "tree"][below(4)];
            let (one, other) = (below(6), below(400));
            twice(format!("{column} IN ({one}, {amount}, {other})"))
        }
        12 => twice(format!("tree {op} {}", below(400))),
        0 | 1 => twice(format!("size {op} {}", amount)),
        2 => twice(format!("depth {op} {}", amount % 4)),
        3 => twice(format!("leaves {op} {}", amount % 5)),
        4 | 5 => {
            let own = format!("{op} {}", 0.05 * amount as f64);
            (format!("error {own}"), format!("training_error {own}"))
        }
        6 => (format!("uses = '{name}'"), plain(false)),
        7 => (format!("NOT uses = '{name}'"), plain(true)),
        8 => (format!("uses <> '{name}'"), plain(true)),
        9 => {
            let other = names[below(4)];
            let plain = format!(
                "EXISTS (SELECT 1 FROM json_each(columns_used) WHERE value IN ('{name}', '{other}'))"
            );
            (format!("uses IN ('{name}', '{other}')"), plain)
        }
        _ => twice(format!("score {op} {}", 0.1 * amount as f64)),
    }
}

fn twice(text: String) -> (String, String) {
    (text.clone(), text)
}

#[test]
fn random_queries_are_filters_of_all_trees() {
    let place = Place::new();
    let path = place.flat(14);
    let mut connection = open(&path);
    rows(
        &mut connection,
        "CREATE TEMP TABLE everything AS SELECT tree, size, depth, leaves, training_error, score, \
         columns_used, text FROM trees('kind') WHERE complete = 1 AND size <= 5",
    );
    assert!(number(&mut connection, "SELECT count(*) FROM everything") > 100.0);
    let mut random = Generator::new(7, &[27]);
    let mut some = 0;
    for round in 0..2000 {
        let count = 1 + random.below(3);
        let conditions: Vec<(String, String)> =
            (0..count).map(|_| condition(&mut random)).collect();
        let joined = |texts: Vec<&str>| match (round % 5, texts.as_slice()) {
            // SQLite makes `IN` of some, and of others a walk for each side.
            (4, [one, other, rest @ ..]) => {
                let mut all = vec![format!("({one} OR {other})")];
                all.extend(rest.iter().map(|text| (*text).to_owned()));
                all.join(" AND ")
            }
            (3, [one, other, third]) => format!("({one} AND {other} OR {third})"),
            (2, [one, other, third]) => format!("({one} AND {other} OR {third} AND {one})"),
            (_, texts) => texts.join(" AND "),
        };
        let own = joined(conditions.iter().map(|(own, _)| own.as_str()).collect());
        let plain = joined(conditions.iter().map(|(_, plain)| plain.as_str()).collect());
        // Every other search is made anew, so that what was found before does not answer it.
        let order = [
            "error, score, text",
            "size DESC, score, text",
            "score, text",
        ][round % 3];
        let limit = match random.below(3) {
            0 => String::new(),
            1 => format!(" LIMIT {}", random.below(12)),
            _ => format!(" LIMIT {} OFFSET {}", random.below(12), random.below(5)),
        };
        let columns = "tree, size, depth, leaves, training_error, text";
        let found = rows(
            &mut connection,
            &format!(
                "SELECT {columns} FROM trees('kind') WHERE complete = 1 AND size <= 5 AND {own} \
                 ORDER BY {order}{limit}"
            ),
        );
        let expected = rows(
            &mut connection,
            &format!(
                "SELECT {columns} FROM everything WHERE {plain} ORDER BY {}{limit}",
                order.replace("error", "training_error")
            ),
        );
        assert_eq!(found, expected, "{own}");
        some += usize::from(!found.is_empty());
    }
    // Conditions are not so tight that nothing is compared.
    assert!(some > 600, "{some} of 2000 queries had rows");
}

#[test]
fn answers_do_not_depend_on_what_was_found_before() {
    let place = Place::new();
    let path = place.flat(14);
    let mut random = Generator::new(9, &[27]);
    for _ in 0..40 {
        let (own, _) = condition(&mut random);
        let sql = format!(
            "SELECT size, training_error, text FROM trees('kind') \
             WHERE complete = 1 AND size <= 5 AND {own} ORDER BY score, text"
        );
        let fresh = rows(&mut open(&path), &sql);
        let mut used = open(&path);
        rows(
            &mut used,
            "SELECT count(*) FROM trees('kind') WHERE complete = 1 AND size <= 5",
        );
        assert_eq!(rows(&mut used, &sql), fresh, "{own}");
    }
}

#[test]
fn over_keys_and_of_structures_all_trees_are_those_of_a_beam_without_bounds() {
    let place = Place::new();
    for (sample, file, target) in [
        ("molecules", "molecules.sqlite", "molecule.active"),
        ("phrases", "phrases.json", "mood"),
    ] {
        let mut connection = open(&place.sample(sample, 40, file));
        let mut shown = |how: &str| {
            let sql = format!(
                "SELECT DISTINCT text FROM trees('{target}') WHERE size <= 5 AND {how} AND settings = 'leaf=2' \
                 ORDER BY text"
            );
            rows(&mut connection, &sql)
        };
        let all = shown("complete = 1");
        assert!(all.len() > 3, "{sample}: {}", all.len());
        assert_eq!(shown("width = 100000"), all, "{sample}");
    }
}
