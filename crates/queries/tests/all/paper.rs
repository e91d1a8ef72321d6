//! The constraints of the paper on beam search, one by one and together, on flat, structured and
//! relational data: the answer of the query is that of the same fit.

use std::path::Path;

use crate::constrained::fitted;
use crate::data::{Place, open, texts};

/// Data with what its constraints name.
struct Case<'a> {
    path: &'a Path,
    target: &'a str,
    learner: &'a str,
    settings: &'a [(&'a str, &'a str)],
    /// What a tree must use, and what it may not.
    uses: &'a str,
    avoids: &'a str,
    /// The most error that some trees have.
    error: f64,
    /// A partial tree.
    partial: &'a str,
}

/// Every constraint of the paper as a query and as settings.
fn agree(place: &Place, case: &Case<'_>) {
    let Case {
        path,
        target,
        learner,
        settings,
        uses,
        avoids,
        error,
        partial,
    } = case;
    let file = place.path("partial.txt");
    std::fs::write(&file, partial).unwrap();
    let like = format!("like(\"{}\")", file.display());
    let given: Vec<String> = settings
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let given = given.join("; ");
    let mut connection = open(path);
    for (conditions, constraints, beta) in [
        ("size <= 7".to_owned(), "size <= 7".to_owned(), false),
        (
            format!("size <= 9 AND error <= {error}"),
            format!("size <= 9 and error <= {error}"),
            false,
        ),
        (
            "size <= 7 AND similar_to(model) < 2".to_owned(),
            "size <= 7".to_owned(),
            true,
        ),
        (
            format!("size <= 7 AND uses = '{uses}'"),
            format!("size <= 7 and uses({uses})"),
            false,
        ),
        (
            format!("size <= 7 AND NOT uses = '{avoids}'"),
            format!("size <= 7 and not uses({avoids})"),
            false,
        ),
        (
            format!("size <= 7 AND completes = '{partial}'"),
            format!("size <= 7 and {like}"),
            false,
        ),
        (
            format!(
                "size <= 9 AND uses = '{uses}' AND NOT uses = '{avoids}' AND completes = '{partial}' \
                 AND similarity < 2"
            ),
            format!("size <= 9 and uses({uses}) and not uses({avoids}) and {like}"),
            true,
        ),
    ] {
        let sql = format!(
            "SELECT text FROM trees('{target}', '{learner}') WHERE {conditions} \
             AND settings = '{given}' ORDER BY error LIMIT 5"
        );
        let mut found = texts(&mut connection, &sql);
        found.sort();
        let mut own = settings.to_vec();
        own.extend([("search", "beam"), ("width", "5")]);
        own.push(("constraints", &constraints));
        if beta {
            own.push(("beta", "1"));
        }
        assert!(!found.is_empty(), "{conditions}");
        assert_eq!(found, fitted(path, target, learner, &own), "{conditions}");
    }
}

#[test]
fn on_a_flat_table() {
    let place = Place::new();
    agree(
        &place,
        &Case {
            path: &place.flat(120),
            target: "kind",
            learner: "tree",
            settings: &[],
            uses: "width",
            avoids: "color",
            error: 0.3,
            partial: "height > ?\n+--yes: ?\n+--no:  leaf\n",
        },
    );
}

#[test]
fn on_structured_data() {
    let place = Place::new();
    agree(
        &place,
        &Case {
            path: &place.sample("phrases", 60, "phrases.json"),
            target: "mood",
            learner: "tree",
            settings: &[],
            uses: "words",
            avoids: "text",
            error: 0.45,
            partial: "words contains ?\n+--yes: ?\n+--no:  leaf\n",
        },
    );
}

#[test]
fn over_keys() {
    let place = Place::new();
    let path = place.sample("molecules", 60, "molecules.sqlite");
    agree(
        &place,
        &Case {
            path: &path,
            target: "molecule.active",
            learner: "mirt",
            settings: &[("leaf_model", "constant")],
            uses: "atom",
            avoids: "bond",
            error: 0.3,
            partial: r#"{"uses": "atom.charge", "yes": "?", "no": "leaf"}"#,
        },
    );
}

#[test]
fn over_keys_by_any_learner_of_trees() {
    let place = Place::new();
    let path = place.sample("molecules", 60, "molecules.sqlite");
    agree(
        &place,
        &Case {
            path: &path,
            target: "molecule.active",
            learner: "tree",
            settings: &[("leaf", "2")],
            uses: "logp",
            avoids: "bond",
            error: 0.4,
            // A test that follows keys is written as models are shown, in JSON.
            partial: r#"{"uses": "logp", "yes": "?", "no": "leaf"}"#,
        },
    );
}

#[test]
fn over_keys_as_one_table() {
    let place = Place::new();
    let plants = std::fs::read_to_string(place.flat(120)).unwrap();
    let path = place.path("plants.sqlite");
    let database = rusqlite::Connection::open(&path).unwrap();
    let mut statements = "CREATE TABLE plants (id INTEGER PRIMARY KEY, height REAL, width REAL, \
         color TEXT, place TEXT, kind TEXT); \
         CREATE TABLE pots (id INTEGER PRIMARY KEY, plant INTEGER REFERENCES plants, depth REAL);"
        .to_owned();
    for (row, line) in plants.lines().skip(1).enumerate() {
        let cells: Vec<&str> = line.split(',').collect();
        let texts = cells[2..].join("', '");
        let (height, width, depth) = (cells[0], cells[1], row * 3 % 7);
        statements += &format!(
            "INSERT INTO plants VALUES ({row}, {height}, {width}, '{texts}'); \
             INSERT INTO pots VALUES ({row}, {row}, {depth});"
        );
    }
    database.execute_batch(&statements).unwrap();
    drop(database);
    agree(
        &place,
        &Case {
            path: &path,
            target: "plants.kind",
            learner: "tree",
            settings: &[("follow", "0")],
            uses: "width",
            avoids: "color",
            error: 0.3,
            partial: "height > ?\n+--yes: ?\n+--no:  leaf\n",
        },
    );
}
