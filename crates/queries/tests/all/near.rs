//! Neighbours, distances, clusters and prototypes.

use kinwood_workbench::Opening;
use kinwood_workbench::objects::{Compared, Objects};
use rusqlite::types::Value;

use crate::data::{Place, error, number, open, rows, texts};

fn all(path: &std::path::Path, distance: &str) -> Vec<Vec<f64>> {
    let data = kinwood_workbench::open(path, &Opening::default()).unwrap();
    let compared = Compared {
        table: Some("plants".to_owned()),
        distance: Some(distance.to_owned()),
        ..Compared::default()
    };
    let (objects, _) = Objects::of(&data, &compared).unwrap();
    let pairs = objects.pairs("a test").unwrap();
    let row = |a: usize| {
        let mut out = vec![0.0; objects.len()];
        pairs.prepare(a).fill(0..objects.len(), &mut out);
        out
    };
    (0..objects.len()).map(row).collect()
}

#[test]
fn distances_within_a_bound_are_those_of_all_pairs() {
    let place = Place::new();
    let path = place.flat(60);
    let mut connection = open(&path);
    let expected = all(&path, "euclidean");
    for bound in [0.0, 0.3, 0.7, 5.0] {
        for compare in ["<", "<="] {
            let sql = format!(
                "SELECT a_row, b_row, distance FROM distances('plants', 'euclidean') \
                 WHERE distance {compare} {bound} ORDER BY 1, 2"
            );
            let found = rows(&mut connection, &sql);
            let mut pairs = Vec::new();
            for (a, row) in expected.iter().enumerate() {
                for (b, &distance) in row.iter().enumerate() {
                    let near = if compare == "<" {
                        distance < bound
                    } else {
                        distance <= bound
                    };
                    if a != b && near {
                        pairs.push((a as i64 + 1, b as i64 + 1));
                    }
                }
            }
            let found: Vec<(i64, i64)> = found
                .iter()
                .map(|row| match row.as_slice() {
                    [Value::Integer(a), Value::Integer(b), _] => (*a, *b),
                    _ => panic!("{row:?}"),
                })
                .collect();
            assert_eq!(found, pairs, "{compare} {bound}");
        }
    }
    assert_eq!(
        number(
            &mut connection,
            "SELECT count(*) FROM distances('plants', 'euclidean')"
        ),
        60.0 * 59.0
    );
    let one = number(
        &mut connection,
        "SELECT distance FROM distances('plants', 'euclidean') WHERE a = 3 AND b = 9",
    );
    assert_eq!(one, expected[2][8]);
}

#[test]
fn neighbours_are_the_nearest() {
    let place = Place::new();
    let path = place.flat(60);
    let mut connection = open(&path);
    let found = rows(
        &mut connection,
        "SELECT row, distance FROM neighbours('plants', 7, 4, 'euclidean') ORDER BY rank",
    );
    assert_eq!(found.len(), 4);
    let mut expected: Vec<(f64, usize)> = all(&path, "euclidean")[6]
        .iter()
        .enumerate()
        .filter(|(other, _)| *other != 6)
        .map(|(other, distance)| (*distance, other))
        .collect();
    expected.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (row, (distance, _)) in found.iter().zip(expected) {
        assert_eq!(row[1], Value::Real(distance));
    }
    let joined = number(
        &mut connection,
        "SELECT count(*) FROM plants p, neighbours('plants', p.rowid, 2) n WHERE p.rowid <= 5",
    );
    assert_eq!(joined, 10.0);
    let wrong = error(&mut connection, "SELECT * FROM neighbours('plant', 7)").to_string();
    assert!(wrong.contains("did you mean `plants`?"), "{wrong}");
    let wrong = error(&mut connection, "SELECT * FROM neighbours('plants')").to_string();
    assert!(wrong.contains("a table and a key"), "{wrong}");
    let wrong = error(&mut connection, "SELECT * FROM neighbours('plants', 7, 0)").to_string();
    assert!(wrong.contains("from 1"), "{wrong}");
}

#[test]
fn clusters_have_prototypes() {
    let place = Place::new();
    let mut connection = open(&place.flat(60));
    let sizes = texts(
        &mut connection,
        "SELECT count(*) FROM clusters('plants', 4) GROUP BY cluster ORDER BY cluster",
    );
    let told = texts(
        &mut connection,
        "SELECT size FROM prototypes('plants', 4) ORDER BY cluster",
    );
    assert_eq!(sizes, told);
    let inside = number(
        &mut connection,
        "SELECT count(*) FROM prototypes('plants', 4) p JOIN clusters('plants', 4) c ON c.row = p.row AND c.cluster = p.cluster",
    );
    assert_eq!(inside, 4.0);
}

#[test]
fn values_have_distances() {
    let place = Place::new();
    let mut connection = open(&place.flat(10));
    for (a, b, expected) in [("'kitten'", "'sitting'", 3.0), ("'same'", "'same'", 0.0)] {
        assert_eq!(
            number(
                &mut connection,
                &format!("SELECT distance('edit', {a}, {b})")
            ),
            expected
        );
    }
    let wrong = error(&mut connection, "SELECT distance('edti', 'a', 'b')").to_string();
    assert!(wrong.contains("edit"), "{wrong}");
}
