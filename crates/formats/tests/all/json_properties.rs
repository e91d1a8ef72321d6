//! What holds for all JSON: nothing panics, and values written by type are read back by it.

use kinwood_formats::{Source, json};
use kinwood_testing::{any_type, any_value_of};
use kinwood_values::{Type, Value};
use proptest::prelude::*;
use serde_json::{Map, Value as Json, json};

const VALID: &str = r#"{"id": "m1", "when": "2024-05-01", "atoms": [{"e": "c", "q": -0.1}], "n": [1, 2]}
{"id": "m2", "ok": true, "atoms": [], "g": {"edges": [["a", "b"]]}, "n": null}
"#;

const TABLES: &str =
    r#"{"m": [{"id": "a"}, {"id": "b", "x": [1e3, null]}], "a": [{"m": "a", "t": ["c", 1]}]}"#;

fn read(bytes: &[u8]) {
    let source = Source::from_bytes("f.json", bytes);
    let _ = json::read(&source);
    let _ = json::read_database(&source);
    let stated = [
        ("id".to_owned(), Type::Numeric),
        ("n".to_owned(), Type::Set(Box::new(Type::Nominal))),
    ];
    let _ = json::read_typed(&source, &stated);
}

fn any_edits() -> impl Strategy<Value = Vec<(prop::sample::Index, u8, u8)>> {
    proptest::collection::vec((any::<prop::sample::Index>(), 0u8..4, any::<u8>()), 1..6)
}

fn edited(text: &str, edits: Vec<(prop::sample::Index, u8, u8)>) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for (place, kind, byte) in edits {
        if bytes.is_empty() {
            break;
        }
        let at = place.index(bytes.len());
        match kind {
            0 => bytes[at] = byte,
            1 => {
                bytes.remove(at);
            }
            2 => bytes.insert(at, byte),
            _ => bytes.truncate(at),
        }
    }
    bytes
}

proptest! {
    #[test]
    fn typed_values_are_read_back(
        (of, values) in any_type().prop_flat_map(|of| {
            let values = proptest::collection::vec(any_value_of(&of), 1..5);
            (Just(of), values)
        }),
    ) {
        let row = |value: &Value| Json::Object(Map::from_iter([("v".to_owned(), value.to_json())]));
        let lines: String = values.iter().map(|value| format!("{}\n", row(value))).collect();
        let array = Json::Array(values.iter().map(row).collect()).to_string();
        for text in [lines, array] {
            let source = Source::from_bytes("f.json", text.as_bytes());
            let read = json::read_typed(&source, &[("v".to_owned(), of.clone())]).unwrap();
            let attribute = read.table.attribute(0);
            prop_assert_eq!(attribute.type_of(), of.clone());
            for (row, value) in values.iter().enumerate() {
                prop_assert_eq!(&attribute.column.value(row), value);
            }
        }
    }

    #[test]
    fn numbers_and_labels_survive_inference(
        rows in proptest::collection::vec((any::<Option<f32>>(), "[a-c]{0,2}"), 1..20),
    ) {
        let rows: Vec<(Option<f64>, String)> = rows
            .into_iter()
            .map(|(number, label)| (number.map(f64::from).filter(|x| x.is_finite()), label))
            .collect();
        let lines: String = rows
            .iter()
            .map(|(number, label)| format!("{}\n", json!({"l": label, "n": number})))
            .collect();
        let read = json::read(&Source::from_bytes("f.json", lines.as_bytes())).unwrap();
        for (row, (number, label)) in rows.iter().enumerate() {
            prop_assert_eq!(read.table.attribute(0).column.value(row).to_string(), label.clone());
            let column = &read.table.attribute(1).column;
            prop_assert_eq!(column.number(row), *number);
            prop_assert_eq!(column.is_present(row), number.is_some());
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
        read(&bytes);
    }

    #[test]
    fn any_marks_are_read_or_refused(text in "[\\[{][\\[\\]{},:\"ab1.e\\- \n]{0,40}") {
        read(text.as_bytes());
    }

    #[test]
    fn mutated_text_is_read_or_refused(rows in any_edits(), tables in any_edits()) {
        read(&edited(VALID, rows));
        read(&edited(TABLES, tables));
    }
}

#[test]
fn the_valid_texts_are_valid() {
    let source = |text: &str| Source::from_bytes("f.json", text.as_bytes());
    assert_eq!(
        json::read(&source(VALID)).unwrap().table.attributes().len(),
        6
    );
    assert_eq!(
        json::read_database(&source(TABLES)).unwrap().tables.len(),
        2
    );
}
