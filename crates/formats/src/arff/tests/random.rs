//! Whatever the bytes, there is a table or an error.

use proptest::prelude::*;

use super::*;

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read(&Source::from_bytes("f", bytes));
    }

    #[test]
    fn any_rows_are_read_or_refused(rows in "[\\\\{}'\",%?@ \t\r\n0-9a-dé/.nu-]{0,80}") {
        let (header, _) = EVERYTHING.split_once("@data").unwrap();
        for header in [header, THREE] {
            let _ = read(&Source::from_bytes("f", format!("{header}\n@data\n{rows}").into_bytes()));
        }
    }

    #[test]
    fn any_header_is_read_or_refused(
        parts in prop::collection::vec(
            prop::sample::select(vec![
                "@attribute", "@data", "@end", "@relation", "a", "b", "numeric", "relational", "date",
                "hierarchical", "{", "}", ",", "'", "\"", "\\", "%", " ", "\n", "\r", "é", "1/2", "[", "key",
            ]),
            0..40,
        ),
        blanks in any::<bool>(),
    ) {
        let text = parts.join(if blanks { " " } else { "" });
        let _ = read(&Source::from_bytes("f", text.into_bytes()));
    }

    #[test]
    fn mutated_files_are_read_or_refused(
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0u8..4), 1..6)
    ) {
        let mut bytes = EVERYTHING.as_bytes().to_vec();
        for (place, byte, edit) in edits {
            let at = place.index(bytes.len());
            let special = b"'\"{}%,\\\n\r@? /"[usize::from(byte) % 13];
            match edit {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, special),
                2 => { bytes.remove(at); }
                _ => bytes.truncate(at.max(10)),
            }
        }
        let _ = read(&Source::from_bytes("f", bytes));
    }

    #[test]
    fn what_is_quoted_is_read_back(texts in prop::collection::vec("\\PC{0,12}|[\t\n\r'\"%,{}?\\\\ ]{0,6}", 1..5)) {
        let rows: Vec<String> = texts
            .iter()
            .map(|text| {
                let escaped = text.replace('\\', "\\\\").replace('\'', "\\'");
                format!("'{}'", escaped.replace('\n', "\\n").replace('\r', "\\r"))
            })
            .collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let expected: Vec<Value> = texts.into_iter().map(Value::Text).collect();
        prop_assert_eq!(values("a string", &rows), expected);
    }
}
