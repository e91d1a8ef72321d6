//! Models that queries create, and what is kept beside the data.

use rusqlite::types::Value;

use kinwood_queries::{Connection, Options};

use crate::data::{Place, error, number, open, open_to_write, rows, texts};

#[test]
fn a_model_is_a_table_of_predictions() {
    let place = Place::new();
    let path = place.flat(80);
    let mut connection = open(&path);
    rows(
        &mut connection,
        "CREATE VIRTUAL TABLE risk USING kinwood(learner='tree', target='kind', size=5)",
    );
    let right = number(
        &mut connection,
        "SELECT avg(r.prediction = p.kind) FROM risk r JOIN plants p ON p.rowid = r.row",
    );
    assert!(right > 0.6, "{right}");
    let same = number(
        &mut connection,
        "SELECT min(predict('risk', row) = prediction AND probability('risk', row, prediction) = probability) FROM risk",
    );
    assert_eq!(same, 1.0);
    let both = number(
        &mut connection,
        "SELECT max(abs(probability('risk', row, 'tree') + probability('risk', row, 'moss') - 1)) FROM risk",
    );
    assert!(both < 1e-9);
    let why = texts(&mut connection, "SELECT explain('risk', 3)");
    assert!(!why[0].is_empty());
    assert_eq!(
        texts(&mut connection, "SELECT text FROM explanations('risk', 3)"),
        why
    );
    let accuracy = number(&mut connection, "SELECT evaluate('risk') ->> 'accuracy'");
    assert!((0.3..=1.0).contains(&accuracy), "{accuracy}");
    let parts = texts(
        &mut connection,
        "SELECT part FROM importances('risk', 2) ORDER BY importance DESC",
    );
    assert_eq!(parts.len(), 4);
    let (name, learner) = (
        texts(&mut connection, "SELECT name FROM models"),
        texts(&mut connection, "SELECT settings ->> 'size' FROM models"),
    );
    assert_eq!((name[0].as_str(), learner[0].as_str()), ("risk", "5"));
    for (sql, part) in [
        ("SELECT predict('rsk', 3)", "did you mean `risk`?"),
        ("SELECT predict('risk', 999)", "a key of `plants`"),
        (
            "SELECT probability('risk', 3, 'tre')",
            "did you mean `tree`?",
        ),
        (
            "CREATE VIRTUAL TABLE a USING kinwood(learner='tre', target='kind')",
            "did you mean `tree`?",
        ),
        (
            "CREATE VIRTUAL TABLE a USING kinwood(target='kid')",
            "did you mean `kind`?",
        ),
        (
            "CREATE VIRTUAL TABLE a USING kinwood(target='kind', siz=3)",
            "did you mean `size`?",
        ),
        (
            "CREATE VIRTUAL TABLE a USING kinwood(target)",
            "name='value'",
        ),
        (
            "CREATE VIRTUAL TABLE plants USING kinwood(target='kind')",
            "no table of the data has",
        ),
    ] {
        let wrong = error(&mut connection, sql).to_string();
        assert!(wrong.contains(part), "{sql}: {wrong}");
    }
    // It is there again, until it is dropped.
    drop(connection);
    let mut again = open(&path);
    assert_eq!(texts(&mut again, "SELECT count(*) FROM risk"), ["80"]);
    assert_eq!(texts(&mut again, "SELECT name FROM models"), ["risk"]);
    rows(&mut again, "DROP TABLE risk");
    assert!(rows(&mut again, "SELECT * FROM models").is_empty());
    drop(again);
    error(&mut open(&path), "SELECT * FROM risk");
}

#[test]
fn trees_are_models_too() {
    let place = Place::new();
    let mut connection = open(&place.flat(80));
    let wrong = rows(
        &mut connection,
        "SELECT t.tree FROM trees('kind') t JOIN leaves l USING (tree) \
         JOIN leaf_rows r ON r.tree = l.tree AND r.leaf = l.leaf \
         WHERE t.size <= 5 AND predict(t.model, r.key) <> l.prediction",
    );
    assert_eq!(wrong, Vec::<Vec<Value>>::new());
    let alike = number(
        &mut connection,
        "SELECT min(similar_to(a.model, a.model)) FROM trees('kind') a WHERE a.size <= 5",
    );
    assert_eq!(alike, 1.0);
}

#[test]
fn new_rows_are_predicted_when_asked_for() {
    let place = Place::new();
    let path = place.sample("molecules", 40, "molecules.sqlite");
    let mut connection = open_to_write(&path);
    rows(
        &mut connection,
        "CREATE VIRTUAL TABLE risk USING kinwood(learner='mirt', target='molecule.active')",
    );
    assert_eq!(texts(&mut connection, "SELECT count(*) FROM risk"), ["40"]);
    let names = texts(
        &mut connection,
        "SELECT name FROM pragma_table_info('molecule')",
    );
    let values: Vec<String> = names
        .iter()
        .map(|name| {
            if name == "molecule_id" {
                "9999".to_owned()
            } else {
                format!("\"{name}\"")
            }
        })
        .collect();
    rows(
        &mut connection,
        &format!(
            "INSERT INTO molecule SELECT {} FROM molecule LIMIT 1",
            values.join(", ")
        ),
    );
    assert_eq!(texts(&mut connection, "SELECT count(*) FROM risk"), ["41"]);
    assert!(!texts(&mut connection, "SELECT predict('risk', 9999)")[0].is_empty());
    // The user's file knows nothing of the model.
    drop(connection);
    let plain = rusqlite::Connection::open(&path).unwrap();
    let known: i64 = plain
        .query_row(
            "SELECT count(*) FROM sqlite_schema WHERE name = 'risk'",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(known, 0);
}

#[test]
fn searches_are_kept_beside_the_data() {
    let place = Place::new();
    let path = place.flat(60);
    let open_cached = || {
        let options = Options {
            cache: true,
            ..Options::default()
        };
        Connection::open(&path, options, Default::default()).unwrap()
    };
    let sql = "SELECT size, training_error, score, columns_used, text FROM trees('kind') WHERE size <= 5 ORDER BY score, text";
    let first = rows(&mut open_cached(), sql);
    let folder = place.path("plants.csv.kinwood").join("searches");
    let files = || std::fs::read_dir(&folder).unwrap().count();
    assert_eq!(files(), 1);
    assert_eq!(rows(&mut open_cached(), sql), first);
    assert_eq!(files(), 1);
    assert_eq!(rows(&mut open(&path), sql), first);
    // Other data has other searches; a damaged file is none.
    for entry in std::fs::read_dir(&folder).unwrap() {
        std::fs::write(entry.unwrap().path(), b"nothing").unwrap();
    }
    assert_eq!(rows(&mut open_cached(), sql), first);
    place.flat(61);
    rows(&mut open_cached(), sql);
    assert_eq!(files(), 2);
}

#[test]
fn tighter_queries_are_answered_from_complete_searches_beside_the_data() {
    let place = Place::new();
    let path = place.flat(24);
    let open_cached = || {
        let options = Options {
            cache: true,
            ..Options::default()
        };
        Connection::open(&path, options, Default::default()).unwrap()
    };
    let ask = |conditions: &str| {
        format!(
            "SELECT size, training_error, score, round(similarity, 9), text FROM trees('kind') \
             WHERE complete = 1 AND {conditions} ORDER BY score, text"
        )
    };
    let folder = place.path("plants.csv.kinwood").join("searches");
    let files = || {
        let entries = std::fs::read_dir(&folder).unwrap().flatten();
        let models = entries.filter(|entry| entry.path().extension() == Some("kin".as_ref()));
        models.count()
    };
    rows(&mut open_cached(), &ask("size <= 5"));
    assert_eq!(files(), 1);
    for conditions in [
        "size <= 3",
        "size <= 5 AND error <= 0.3",
        "size < 5 AND uses = 'width' AND uses <> 'color'",
        "size <= 5 AND depth <= 1 AND uses IN ('place', 'height')",
        "size <= 5 AND accuracy > 0.7 AND similarity < 0.8",
    ] {
        let sql = ask(conditions);
        let expected = rows(&mut open(&path), &sql);
        // Beside the data, and again within a connection.
        let mut connection = open_cached();
        assert_eq!(rows(&mut connection, &sql), expected, "{conditions}");
        let told = connection.take_notices();
        assert!(
            told.iter()
                .any(|notice| notice.message().contains("earlier search")),
            "{conditions}: {told:?}"
        );
        assert_eq!(rows(&mut connection, &sql), expected, "{conditions}");
        assert!(!expected.is_empty(), "{conditions}");
    }
    assert_eq!(files(), 1);
    // A name that nothing has is a mistake, whatever was found before.
    let wrong = error(&mut open_cached(), &ask("size <= 3 AND uses = 'colour'"));
    assert!(
        wrong.to_string().contains("did you mean `color`?"),
        "{wrong}"
    );
    // What is wider is found anew.
    rows(&mut open_cached(), &ask("size <= 5 AND uses = 'width'"));
    assert_eq!(files(), 1);
    rows(&mut open_cached(), &ask("depth <= 1"));
    assert_eq!(files(), 2);
}
