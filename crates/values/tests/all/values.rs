//! Random values of random types: their order, their JSON, their columns and files.

use kinwood_testing::{any_type, any_typed_value, any_value_of};
use kinwood_values::container::{Sections, Stored};
use kinwood_values::json::{infer_type, infer_types};
use kinwood_values::{Attribute, Column, Database, Table, Value};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

fn through_a_file(database: &Database) -> Database {
    let mut sections = Sections::new();
    database.write(&mut sections).unwrap();
    Database::read(&Stored::from_bytes(sections.to_bytes().unwrap()).unwrap()).unwrap()
}

fn any_json() -> impl Strategy<Value = Json> {
    let plain = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(|truth| json!(truth)),
        (0..3).prop_map(|number| json!(number)),
        "[ab]".prop_map(|text| json!(text)),
    ];
    plain.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Json::Array),
            prop::collection::btree_map("[abc]", inner, 0..3)
                .prop_map(|fields| Json::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn generated_values_conform_and_order_is_total(
        (of, values) in any_type().prop_flat_map(|of| {
            let values = prop::collection::vec(any_value_of(&of), 3);
            (Just(of), values)
        })
    ) {
        for value in &values {
            prop_assert!(value.conforms_to(&of));
        }
        let [a, b, c] = [&values[0], &values[1], &values[2]];
        prop_assert_eq!(a.cmp(b), b.cmp(a).reverse());
        if a <= b && b <= c {
            prop_assert!(a <= c);
        }
        prop_assert_eq!(Value::set(vec![a.clone(), b.clone()]), Value::set(vec![b.clone(), a.clone()]));
    }
}

proptest! {
    #[test]
    fn reads_what_it_writes((of, value) in any_typed_value()) {
        let json = value.to_json();
        prop_assert_eq!(Value::from_json(&of, &json), Ok(value.clone()));
        let text: Json = serde_json::from_str(&json.to_string()).unwrap();
        prop_assert_eq!(Value::from_json(&of, &text), Ok(value));
    }

    #[test]
    fn inferred_types_hold_their_values(column in prop::collection::vec(any_json(), 1..4)) {
        prop_assert!(Value::from_json(&infer_type(&column[0]), &column[0]).is_ok());
        if let Ok(of) = infer_types(&column) {
            for json in &column {
                let value = Value::from_json(&of, json);
                prop_assert!(value.is_ok_and(|value| value.conforms_to(&of)), "{json} as {of}");
            }
        }
    }

    #[test]
    fn any_json_is_read_or_refused(of in any_type(), json in any_json()) {
        if let Ok(value) = Value::from_json(&of, &json) {
            prop_assert!(value.conforms_to(&of));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_column_survives_its_file_and_its_gathering(
        (of, values) in any_type().prop_flat_map(|of| {
            let values = proptest::collection::vec(any_value_of(&of), 0..6);
            (Just(of), values)
        }),
    ) {
        let column = Column::from_values(&of, &values).unwrap();
        let table = Table::new("t", vec![Attribute::new("c", column.clone())]).unwrap();
        let database = Database::single(table).unwrap();
        let read = through_a_file(&database);
        let stored = &read.table(0).attribute(0).column;
        let reversed: Vec<u32> = (0..values.len() as u32).rev().collect();
        let gathered = column.gather(&reversed);
        for (row, value) in values.iter().enumerate() {
            prop_assert_eq!(&column.value(row), value);
            prop_assert_eq!(&stored.value(row), value);
            prop_assert_eq!(&gathered.value(values.len() - 1 - row), value);
        }
        prop_assert_eq!(read.table(0).attribute(0).type_of(), of);
    }
}
