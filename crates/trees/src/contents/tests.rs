//! The fast paths beside their definitions.

use kinwood_values::{Column, Type, Value};
use proptest::prelude::*;

use super::*;

fn rules() -> ItemRules {
    ItemRules {
        most: 1000,
        stop_words: ["the".to_owned()].into(),
    }
}

/// Every item that values of training have, beside what [`Item::is_in`] says of each value.
fn check(of: &Type, values: &[Value], more: &[Item]) -> Contents {
    let column = Column::from_values(of, values).unwrap();
    let rows = vec![1; values.len()];
    let mut contents = Contents::new(&column, &rows, &rules()).unwrap();
    contents.places(more, &column);
    for (row, value) in values.iter().enumerate() {
        let known = *value != Value::Missing;
        assert_eq!(contents.found.size(row).is_some(), known);
        for (place, item) in (0u32..).zip(&contents.items) {
            let has = contents.found.has_any(row, &[place]);
            assert_eq!(has, known.then(|| item.is_in(value)), "{item:?} in {value}");
        }
    }
    contents
}

fn labels(names: &[Option<u8>]) -> Vec<Value> {
    let value = |name: &Option<u8>| match name {
        Some(name) => Value::Symbol(format!("l{name}")),
        None => Value::Missing,
    };
    names.iter().map(value).collect()
}

proptest! {
    #[test]
    fn items_are_found_as_they_are_defined(
        rows in proptest::collection::vec(
            proptest::option::weighted(0.9, proptest::collection::vec(
                proptest::option::weighted(0.9, 0u8..6), 0..6)),
            1..20,
        ),
    ) {
        let value = |make: &dyn Fn(Vec<Value>) -> Value| -> Vec<Value> {
            let each = rows.iter().map(|row| match row {
                Some(row) => make(labels(row)),
                None => Value::Missing,
            });
            each.collect()
        };
        let inner = || Box::new(Type::Nominal);
        let more = [Item::Label("l1".to_owned()), Item::Label("never".to_owned())];
        check(&Type::List(inner()), &value(&Value::List), &more);
        check(&Type::Set(inner()), &value(&Value::set), &more);
        check(&Type::Bag(inner()), &value(&Value::bag), &more);
    }

    #[test]
    fn parts_and_words_are_found_as_they_are_defined(
        texts in proptest::collection::vec("[abé ]{0,9}", 1..20),
    ) {
        let values: Vec<Value> = texts.iter().cloned().map(Value::Text).collect();
        let contents = check(&Type::String, &values, &[Item::Part("éa".to_owned()), Item::Word("ab".to_owned())]);
        // No part that several texts have, and not all, is missed.
        let words = contents.items.iter().any(|item| item.kind() == ItemKind::Word && *item != Item::Word("ab".to_owned()));
        let texts: Vec<&String> = texts.iter().collect();
        for part in ["a", "ab", "ba", "aba", "é"] {
            let count = texts.iter().filter(|text| text.contains(part)).count();
            let several = texts.iter().filter(|text| text.split_whitespace().count() > 1).count();
            if several * 2 < texts.len() && (2..texts.len()).contains(&count) && !words {
                prop_assert!(contents.items.contains(&Item::Part(part.to_owned())), "{part}");
            }
        }
    }

    #[test]
    fn words_of_a_test_read_back(
        labels in proptest::collection::btree_set("[ab ,{}\"'?é]{1,6}", 1..5),
        kind in 0usize..5,
    ) {
        let item = |label: &String| match kind {
            0 => Item::Label(label.clone()),
            1 => Item::First(label.clone()),
            2 => Item::Before(label.clone(), "x before y".to_owned()),
            3 => Item::Part(label.clone()),
            _ => Item::Word(label.to_lowercase()),
        };
        let items: Vec<Item> = labels.iter().map(item).collect();
        let of = match kind {
            3 | 4 => Type::String,
            _ => Type::List(Box::new(Type::Nominal)),
        };
        let text = items_words("x", &items);
        prop_assert_eq!(parse(&text[2..], &of), Some(Ok(Asked::Items(items.clone()))), "{}", text);
        let (key, shown) = items_json(&items);
        let test = serde_json::json!({key: shown});
        prop_assert_eq!(items_from_json(&test), Some(Ok(items)));
    }

    #[test]
    fn any_text_is_read_or_refused(text in "(contains |starts with |has the word )(any of )?[{}a,\"? before]{0,12}") {
        let _ = parse(&text, &Type::List(Box::new(Type::Nominal)));
        let _ = parse(&text, &Type::String);
    }
}

#[test]
fn the_most_frequent_come_first_and_names_are_left_out() {
    let sets = [&["a", "b"][..], &["a", "c"], &["a", "b"], &["d"], &[]];
    let symbol = |label: &&str| Value::Symbol((*label).to_owned());
    let values = sets.map(|set| Value::set(set.iter().map(symbol).collect()));
    let contents = check(&Type::Set(Box::new(Type::Nominal)), &values, &[]);
    assert_eq!(
        contents.items,
        ["a", "b"].map(|label| Item::Label(label.to_owned()))
    );
    assert_eq!(contents.found.size(4), Some(0));
    let texts = ["The red fox", "the Red hen", "a fox", "a hen"];
    let values = texts.map(|text| Value::Text(text.to_owned()));
    let contents = check(&Type::String, &values, &[]);
    let words: Vec<String> = contents.items.iter().map(Item::words).collect();
    assert_eq!(words, ["a", "fox", "hen", "red"]);
}
