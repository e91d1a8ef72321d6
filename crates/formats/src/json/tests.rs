//! Whole sources to tables: arrangements, types, evidence, and each error with its place.

use kinwood_values::Type;

use super::*;

fn source(text: &str) -> Source {
    Source::from_bytes("f.json", text.as_bytes())
}

fn one(text: &str) -> TableRead {
    read(&source(text)).unwrap()
}

fn message(text: &str) -> String {
    read(&source(text)).unwrap_err().to_string()
}

fn types(text: &str) -> Vec<String> {
    let read = one(text);
    let attributes = read.table.attributes().iter();
    attributes
        .map(|of| format!("{}: {}", of.name, of.type_of()))
        .collect()
}

fn values(read: &TableRead, column: usize) -> Vec<String> {
    let column = &read.table.attribute(column).column;
    (0..column.len())
        .map(|row| column.value(row).to_string())
        .collect()
}

#[test]
fn lines_and_arrays_are_the_same() {
    let lines = "{\"a\": 1, \"b\": \"x\"}\n\n{\"b\": null, \"c\": true}\r\n{}";
    let array = " [{\"a\": 1, \"b\": \"x\"},\n{\"b\": null, \"c\": true}, {}]\n";
    for text in [lines, array, &format!("\u{feff}{array}")] {
        let read = one(text);
        assert_eq!(read.table.name(), "data");
        assert_eq!(types(text), ["a: numeric", "b: nominal", "c: nominal"]);
        assert_eq!(values(&read, 0), ["1", "?", "?"]);
        assert_eq!(values(&read, 1), ["x", "?", "?"]);
        assert_eq!(values(&read, 2), ["?", "true", "?"]);
    }
}

#[test]
fn types_follow_the_values() {
    for (values, expected) in [
        ("[1, -2.5e3, null]", "numeric"),
        ("[\"a\", \"b\"]", "nominal"),
        ("[true, false]", "nominal"),
        ("[1, \"a\", true]", "nominal"),
        ("[null, null]", "nominal"),
        (
            "[\"2024-05-01\", \"2024-05-01T10:00:00Z\", null]",
            "datetime",
        ),
        ("[\"2024-05-01\", \"soon\"]", "nominal"),
        ("[\"2024-05-01\", true]", "nominal"),
        ("[[], [1], [null]]", "list<numeric>"),
        ("[[\"a\"], []]", "list<nominal>"),
        ("[[[1], []]]", "list<list<numeric>>"),
        ("[[\"a\", 1]]", "tuple<nominal, numeric>"),
        (
            "[{\"x\": 1}, {\"y\": \"b\"}, null]",
            "tuple<x: numeric, y: nominal>",
        ),
        (
            "[[{\"x\": 1}], [], [{\"y\": [true]}]]",
            "list<tuple<x: numeric, y: list<nominal>>>",
        ),
        (
            "[{\"edges\": [[\"a\", \"b\"]]}, {\"nodes\": [\"a\"], \"edges\": []}]",
            "graph",
        ),
    ] {
        let rows: Vec<serde_json::Value> = serde_json::from_str(values).unwrap();
        let lines: String = rows
            .iter()
            .map(|value| format!("{{\"v\": {value}}}\n"))
            .collect();
        assert_eq!(types(&lines), [format!("v: {expected}")], "{values}");
    }
}

#[test]
fn nested_values_are_what_was_written() {
    let read = one(r#"[{"t": {"x": 1}, "l": [{"a": "b"}, null]},
            {"t": null, "l": []},
            {"t": {"y": "z", "x": 2}}]"#);
    assert_eq!(values(&read, 0), ["(1, ?)", "?", "(2, z)"]);
    assert_eq!(values(&read, 1), ["[(b), ?]", "[]", "?"]);
    assert_eq!(
        read.evidence,
        ["2 of 2 values are objects", "2 of 2 values are arrays"]
    );
}

#[test]
fn free_text_is_told_as_in_csv() {
    let long: String = (0..10)
        .map(|i| format!("{{\"t\": \"the {i}th of some rather long remarks\", \"n\": {i}}}\n"))
        .collect();
    let read = one(&long);
    assert_eq!(read.table.attribute(0).type_of(), Type::String);
    assert_eq!(
        read.evidence,
        [
            "10 of 10 values are distinct, with 35 characters on average",
            "10 of 10 values are numbers"
        ]
    );
    let rows = "{\"d\": \"2024-05-01\", \"b\": true, \"n\": null}";
    assert_eq!(
        one(rows).evidence,
        [
            "1 of 1 values are ISO dates",
            "1 distinct values in 1 rows",
            "no value in any row"
        ]
    );
}

#[test]
fn types_can_be_stated() {
    let stated = |columns: &[(&str, &str)]| -> Vec<(String, Type)> {
        columns
            .iter()
            .map(|(name, of)| ((*name).to_owned(), of.parse().unwrap()))
            .collect()
    };
    let text = r#"{"bag": [2, 1, 2], "id": 7}
        {"bag": [], "id": 8}"#;
    let read = read_typed(
        &source(text),
        &stated(&[
            ("bag", "bag<numeric>"),
            ("id", "nominal"),
            ("idd", "numeric"),
        ]),
    )
    .unwrap();
    assert_eq!(values(&read, 0), ["{|1, 2, 2|}", "{||}"]);
    assert_eq!(values(&read, 1), ["7", "8"]);
    assert_eq!(values(&read, 2), ["?", "?"]);
    assert_eq!(read.evidence, ["stated in the schema"; 3]);
    assert_eq!(
        read.notices[0].message(),
        "no object of `f.json` has the key `idd`, so all its values are missing; did you mean `id`?"
    );
    let wrong = read_typed(&source(text), &stated(&[("bag", "set<tree>")]));
    assert_eq!(
        wrong.unwrap_err().to_string(),
        "f.json:1:1: expected a `set<tree>` for `bag` (at `[0]`: expected a tree such as \"a(b,c)\", \
         found the number 2), found `[2,1,2]` in row 1"
    );
    let wrong = read_typed(
        &source("{\"x\": 1}\n {\"x\": \"a\"}"),
        &stated(&[("x", "numeric")]),
    );
    assert_eq!(
        wrong.unwrap_err().to_string(),
        "f.json:2:2: expected a `numeric` for `x` (expected a number, found the string `a`), found `\"a\"` in row 2"
    );
    let none = read_typed(&source("[]"), &stated(&[("x", "numeric")])).unwrap();
    assert_eq!((none.table.rows(), none.table.attributes().len()), (0, 1));
    let twice = read_typed(
        &source("[]"),
        &stated(&[("x", "numeric"), ("x", "nominal")]),
    );
    assert!(twice.unwrap_err().to_string().contains("`x`"));
}

#[test]
fn errors_name_the_place() {
    for (text, expected) in [
        (
            "",
            "`f.json` is empty: expected an array of objects, or one object a line",
        ),
        (
            " \n",
            "`f.json` is empty: expected an array of objects, or one object a line",
        ),
        (
            "[]",
            "`f.json` is empty: expected an array of objects, or one object a line",
        ),
        (
            "{}\n{}",
            "`f.json` is empty: expected an array of objects, or one object a line",
        ),
        ("\n x", "f.json:2:2: expected `[` or `{`, found `x`"),
        ("é", "f.json:1:1: expected `[` or `{`, found the byte 0xc3"),
        (
            "{\"a\":1}\n{\"a\" 2}",
            "f.json:2:6: expected JSON, found text that is none (expected `:`)",
        ),
        (
            "{\"a\":1}\n[1]",
            "f.json:2:1: expected an object for each row, found sequence",
        ),
        (
            "[{\"a\":1}, 5]",
            "f.json:1:12: expected an object for each row, found integer `5`",
        ),
        (
            "[{\"a\":1}",
            "f.json:1:8: expected the rest of the value, found the end of the file",
        ),
        (
            "{\"a\":1}\n{\"a\":",
            "f.json:2:5: expected the rest of the value, found the end of the file",
        ),
        (
            "[{\"a\":1}] x",
            "f.json:1:11: expected JSON, found text that is none (trailing characters)",
        ),
        (
            "[{\"a\":1,}]",
            "f.json:1:9: expected JSON, found text that is none (trailing comma)",
        ),
        (
            "{\"a\":1e999}",
            "f.json:1:11: expected JSON, found text that is none (number out of range)",
        ),
        (
            "{\"a\":1}\n{\"b\":{\"a\":1,\"a\":2}}",
            "f.json:2:16: expected each key of an object once, found the key `a` a second time",
        ),
        (
            "{\"a\":1,\"a\":2}",
            "f.json:1:11: expected each key of an object once, found the key `a` a second time",
        ),
        (
            "{\"a\":1}\n {\"a\":2}\n  {\"a\":{\"b\":1}}",
            "f.json:3:3: expected a `numeric` for `a`, as in the rows before, found a `tuple<b: numeric>` in row 3",
        ),
        (
            "[{\"a\":[1]},\n{\"a\":\"x\"}]",
            "f.json:2:1: expected a `list<numeric>` for `a`, as in the rows before, found a `nominal` in row 2",
        ),
    ] {
        assert_eq!(message(text), expected, "{text}");
    }
    let deep = format!("{{\"a\":{}1{}}}", "[".repeat(200), "]".repeat(200));
    assert_eq!(
        message(&deep),
        "f.json:1:132: expected JSON, found text that is none (recursion limit exceeded)"
    );
    let binary = read(&Source::from_bytes("f.json", b"PAR1\0\0".as_slice()));
    assert_eq!(
        binary.unwrap_err().to_string(),
        "`f.json` is not a text file: byte 5 is 0x00; it looks like a Parquet file"
    );
}

#[test]
fn an_object_of_arrays_is_a_database() {
    let text = r#"{"molecule": [{"id": "m1"}, {"id": "m2"}],
        "nothing": [],
        "atom": [{"molecule": "m1", "charge": 0.5}]}"#;
    let read = read_database(&source(text)).unwrap();
    let shapes: Vec<(&str, usize)> = read
        .tables
        .iter()
        .map(|read| (read.table.name(), read.table.rows()))
        .collect();
    assert_eq!(shapes, [("molecule", 2), ("atom", 1)]);
    assert_eq!(
        read.notices[0].message(),
        "the table `nothing` of `f.json` has no columns and is left out"
    );
    let stated = StatedTable {
        name: "nothing".to_owned(),
        columns: vec![("x".to_owned(), Type::Numeric)],
    };
    let read = read_database_typed(&source(text), &[stated]).unwrap();
    assert_eq!(read.tables.len(), 3);
    assert_eq!(read.tables[1].table.rows(), 0);
}

#[test]
fn other_sources_are_databases_of_one_table() {
    for (text, rows) in [
        ("[{\"a\": 1}, {\"a\": 2}]", 2),
        ("{\"a\": 1}\n{\"a\": 2}\n", 2),
        ("{\"a\": [{\"b\": 1}]}\n{\"a\": []}\n", 2),
        ("{\"a\": [{\"b\": 1}], \"c\": 1}", 1),
    ] {
        let read = read_database(&source(text)).unwrap();
        assert_eq!(read.tables.len(), 1, "{text}");
        assert_eq!(read.tables[0].table.rows(), rows, "{text}");
    }
    for (text, expected) in [
        (
            "{\"a\": []}",
            "`f.json` is empty: expected an array of objects, or one object a line",
        ),
        (
            "{\"a\": [{\"b\": 1}",
            "f.json:1:15: expected the rest of the value, found the end of the file",
        ),
        (
            "{\"a\": [{\"b\": 1}],\n \"a\": []}",
            "f.json:2:5: expected each key of an object once, found the key `a` a second time",
        ),
        (
            "{\"a\": [{\"b\": 1},\n{\"b\": []}]}",
            "f.json:2:1: expected a `numeric` for `b`, as in the rows before, found a `list<nominal>` in row 2",
        ),
    ] {
        let error = read_database(&source(text)).unwrap_err();
        assert_eq!(error.to_string(), expected, "{text}");
    }
}

#[test]
fn rows_that_share_no_keys_are_no_table() {
    let text: String = (0..20_000)
        .map(|row| format!("{{\"k{row}\":1}}\n"))
        .collect();
    assert_eq!(
        message(&text),
        "cannot tell the format of `f.json`: its 20000 objects have 20000 different keys; rows of a table share theirs"
    );
    let wide: String = (0..10_000).map(|key| format!("\"k{key}\":1,")).collect();
    let wide = one(&format!("[{{{}}}]", wide.trim_end_matches(',')));
    assert_eq!(wide.table.attributes().len(), 10_000);
}
