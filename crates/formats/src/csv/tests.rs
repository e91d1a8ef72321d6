//! Whole files in, tables out: detection, types, errors, and that blocks never show.

use kinwood_testing::{any_number, any_text};
use kinwood_values::{Column, Role, Value};
use proptest::prelude::*;

use super::*;

fn read_text(text: &str) -> TableRead {
    read_bytes(text.as_bytes())
}

fn read_bytes(bytes: &[u8]) -> TableRead {
    read(&Source::from_bytes("x.csv", bytes), &CsvOptions::default()).unwrap()
}

fn read_stating(text: &str, options: &CsvOptions) -> Result<TableRead> {
    read(&Source::from_bytes("x.csv", text.as_bytes()), options)
}

fn message(text: &str) -> String {
    read_stating(text, &CsvOptions::default())
        .unwrap_err()
        .to_string()
}

fn stating(columns: &[(&str, &str)]) -> CsvOptions {
    let columns = columns.iter().map(|(name, of)| StatedColumn {
        name: (*name).to_owned(),
        of: Some(of.parse().unwrap()),
        ..StatedColumn::default()
    });
    CsvOptions {
        columns: columns.collect(),
        ..CsvOptions::default()
    }
}

fn names(read: &TableRead) -> Vec<&str> {
    read.table
        .attributes()
        .iter()
        .map(|a| a.name.as_str())
        .collect()
}

fn types(read: &TableRead) -> Vec<String> {
    read.table
        .attributes()
        .iter()
        .map(|a| a.type_of().to_string())
        .collect()
}

fn row(read: &TableRead, row: usize) -> Vec<String> {
    let values = read.table.attributes().iter().map(|a| a.column.value(row));
    values.map(|value| value.to_string()).collect()
}

fn notices(read: &TableRead) -> Vec<&str> {
    read.notices.iter().map(Notice::message).collect()
}

#[test]
fn types_come_with_evidence() {
    let read = read_text(
        "id,size,day,colour,mixed,when,nothing\n\
         a,1.5,2024-05-01,red,1,2024-05-01,?\n\
         b,-2,2024-05-02,blue,2,2024-05-02,\n\
         c,1e3,,red,x,soon,NA\n",
    );
    assert_eq!(
        types(&read),
        [
            "nominal", "numeric", "datetime", "nominal", "nominal", "nominal", "nominal"
        ]
    );
    assert_eq!(
        read.evidence,
        [
            "3 distinct values in 3 rows",
            "3 of 3 values are numbers",
            "2 of 2 values are ISO dates",
            "2 distinct values in 3 rows",
            "3 distinct values in 3 rows; 2 of 3 values are numbers, but not `x` in row 3",
            "3 distinct values in 3 rows; 2 of 3 values are ISO dates, but not `soon` in row 3",
            "no value in any row",
        ]
    );
    assert_eq!(row(&read, 2), ["c", "1000", "?", "red", "x", "soon", "?"]);
    assert!(read.notices.is_empty());
}

#[test]
fn free_text_is_a_string() {
    let read = read_text(
        "id,note,code\n1,the first of several notes here,a-b\n2,\"another one, with a comma in it\",a-c\n3,,a-d\n",
    );
    assert_eq!(types(&read), ["numeric", "string", "nominal"]);
    assert_eq!(
        read.evidence[1],
        "2 of 2 values are distinct, with 31 characters on average"
    );
    assert_eq!(row(&read, 1)[1], "another one, with a comma in it");
    assert_eq!(row(&read, 2)[1], "?");
}

#[test]
fn labels_keep_their_order_of_appearance_and_infinities_are_labels() {
    let read = read_text("x,y\nb,inf\na,1\nb,2\n");
    let (_, dictionary) = read.table.attribute(0).column.codes().unwrap();
    assert_eq!(dictionary.labels().collect::<Vec<_>>(), ["b", "a"]);
    assert_eq!(types(&read)[1], "nominal");
}

#[test]
fn delimiters_are_detected() {
    for (text, delimiter) in [
        ("a;b\n1;2\n3;4\n", "`;`"),
        ("a\tb\n1\t2\n", "tabs"),
        ("a|b\n1|2\n", "`|`"),
        ("a b\n 1 2\n 3  4\n", "blanks"),
        ("a;b;c\n1,5;2,5;x\n3,5;4,5;y\n", "`;`"),
    ] {
        let read = read_text(text);
        assert_eq!(names(&read)[..2], ["a", "b"], "{text}");
        let told = format!("`x.csv`: cells are separated by {delimiter}");
        assert_eq!(notices(&read)[0], told);
    }
    let words = read_text("word\nhello world\nfoo\n");
    assert_eq!(names(&words), ["word"]);
    assert_eq!(words.table.rows(), 2);
    let options = CsvOptions {
        delimiter: Some(Delimiter::Comma),
        ..CsvOptions::default()
    };
    assert_eq!(
        names(&read_stating("a;b\n1;2\n", &options).unwrap()),
        ["a;b"]
    );
}

#[test]
fn headers_are_detected() {
    for (text, header) in [
        ("a,b\n1,x\n", true),
        ("1,x\n2,y\n", false),
        ("a,b\nx,y\nx,z\n", true),
        ("x,y\nx,z\n", false),
        ("x,x\ny,z\n", false),
        ("?,y\n3,z\n", false),
        ("a,b\n", true),
        (",b\n1,2\n", true),
    ] {
        let read = read_text(text);
        assert_eq!(names(&read) != ["c1", "c2"], header, "{text}");
    }
    assert_eq!(names(&read_text(",b\n1,2\n")), ["c1", "b"]);
    assert_eq!(
        notices(&read_text("1,x\n2,y\n")),
        ["`x.csv`: no header is found, so the columns are named c1 to c2"]
    );
    let stated = |header| CsvOptions {
        header,
        ..CsvOptions::default()
    };
    assert_eq!(
        names(&read_stating("1,2\n3,4\n", &stated(Header::Yes)).unwrap()),
        ["1", "2"]
    );
    let none = read_stating("a,b\n3,4\n", &stated(Header::None)).unwrap();
    assert_eq!((names(&none), none.table.rows()), (vec!["c1", "c2"], 2));
}

#[test]
fn a_header_alone_is_a_table_without_rows() {
    let read = read_text("name,weight\n");
    assert_eq!(
        (read.table.rows(), names(&read)),
        (0, vec!["name", "weight"])
    );
    assert_eq!(types(&read), ["nominal", "nominal"]);
    assert_eq!(read.evidence[0], "there are no rows");
}

#[test]
fn line_ends_marks_and_blank_lines_do_not_matter() {
    let plain = read_text("a,b\n1,x\n2,y\n");
    for text in [
        "a,b\r\n1,x\r\n2,y\r\n",
        "\u{feff}a,b\n1,x\n2,y",
        "a,b\n1,x\n2,y\n\n  \n\n",
        " a , b \n 1 ,\tx\n2, y \n",
        "\"a\",\"b\"\n\"1\",\"x\"\r\n2,\"y\"\n",
        "a,b,\n1,x,\n2,y,\n",
        "a,b\n1,x,\n2,y,\n",
    ] {
        assert_eq!(read_text(text).table, plain.table, "{text:?}");
    }
    assert_eq!(
        notices(&read_text("a,b\n1,x\n\n\n2,y\n")),
        ["2 blank lines between the rows of `x.csv` are passed over"]
    );
    assert_eq!(
        notices(&read_text("a,b,\n1,x,\n")),
        ["`x.csv`: the delimiter that ends each line separates nothing"]
    );
}

#[test]
fn a_last_column_that_begins_late_is_a_column() {
    let mut text = "1,x,\n".repeat(1500);
    text.push_str("2,y,late\n");
    let read = read_text(&text);
    assert_eq!((read.table.rows(), names(&read).len()), (1501, 3));
    assert_eq!(row(&read, 1500)[2], "late");
    assert_eq!(read.table.attribute(2).column.missing(), 1500);
}

#[test]
fn quotes_enclose_anything() {
    let read = read_text("a,b\n1,\"x, \"\"y\"\"\nz\"\n2,5\" pipe\n");
    assert_eq!(row(&read, 0)[1], "x, \"y\"\nz");
    assert_eq!(row(&read, 1)[1], "5\" pipe");
    let single = read_text("a,b\n1,'x, y'\n2,'it''s'\n");
    assert_eq!(
        (row(&single, 0)[1].as_str(), row(&single, 1)[1].as_str()),
        ("x, y", "it's")
    );
    assert_eq!(notices(&single), ["`x.csv`: cells are quoted by `'`"]);
    let options = CsvOptions {
        quote: Some(Quote::None),
        ..CsvOptions::default()
    };
    assert_eq!(
        row(&read_stating("a,b\n1,\"x\n", &options).unwrap(), 0)[1],
        "\"x"
    );
}

#[test]
fn a_cell_may_be_longer_than_the_sample() {
    let long = "line of text\n".repeat(50_000);
    let read = read_text(&format!("1,\"{long}\"\n2,x\n"));
    assert_eq!((read.table.rows(), row(&read, 0)[1].len()), (2, long.len()));
}

#[test]
fn latin_1_is_read_and_told() {
    let read = read_bytes(b"name,n\ncaf\xe9,1\n");
    assert_eq!(row(&read, 0)[0], "café");
    assert_eq!(
        notices(&read),
        ["`x.csv` is not UTF-8 (byte 11); it is read as Latin-1"]
    );
    let mut late = "name,n\n".to_owned() + &"plain,1\n".repeat(100_000);
    late.push_str("caf");
    let mut late = late.into_bytes();
    late.extend_from_slice(b"\xe9,2\n");
    assert_eq!(row(&read_bytes(&late), 100_000)[0], "café");
}

#[test]
fn a_contradiction_far_below_makes_a_column_text() {
    let mut text = "a,b,c\n".to_owned();
    for i in 0..5000 {
        text.push_str(&format!("{i},{}.0,2024-01-01\n", i % 7));
    }
    text.push_str("5000,unknown,never\n");
    let read = read_text(&text);
    assert_eq!(types(&read), ["numeric", "nominal", "nominal"]);
    assert_eq!(row(&read, 3), ["3", "3.0", "2024-01-01"]);
    assert_eq!(
        read.evidence[1],
        "8 distinct values in 5001 rows; 5000 of 5001 values are numbers, but not `unknown` in row 5001"
    );
}

#[test]
fn a_column_that_is_missing_at_first_takes_the_type_of_its_values() {
    let mut text = "a,number,date,label\n".to_owned();
    text.push_str(&"1,,,\n".repeat(5000));
    text.push_str("1,2.5,2024-01-01,x\n");
    let read = read_text(&text);
    assert_eq!(types(&read), ["numeric", "numeric", "datetime", "nominal"]);
    assert_eq!(row(&read, 5000), ["1", "2.5", "2024-01-01", "x"]);
    assert_eq!(row(&read, 4999), ["1", "?", "?", "?"]);
}

#[test]
fn stated_markers_replace_the_usual_ones() {
    let options = CsvOptions {
        missing: Some(vec!["-9".into(), "none".into()]),
        ..CsvOptions::default()
    };
    let read = read_stating("a,b\n-9,none\n1,?\n,x\n", &options).unwrap();
    assert_eq!(row(&read, 0), ["?", "?"]);
    assert_eq!(types(&read), ["numeric", "nominal"]);
    assert_eq!(read.table.attribute(1).column.codes().unwrap().1.len(), 2);
    assert_eq!(read.table.attribute(0).column.missing(), 2);
}

#[test]
fn stated_columns_overrule() {
    let mut options = stating(&[
        ("code", "nominal"),
        ("note", "string"),
        ("parts", "set<nominal>"),
        ("shape", "tree"),
    ]);
    options.columns[0].role = Some(Role::Id);
    options.columns[2].hierarchy = Some('/');
    let text = "code,note,parts,shape,n\n01,a,\"[\"\"x/y\"\",\"\"x\"\"]\",\"a(b,c)\",1\n02,,?,,2\n";
    let read = read_stating(text, &options).unwrap();
    assert_eq!(
        types(&read),
        ["nominal", "string", "set<nominal>", "tree", "numeric"]
    );
    assert_eq!(row(&read, 0), ["01", "a", "{x, x/y}", "a(b,c)", "1"]);
    assert_eq!(row(&read, 1), ["02", "?", "?", "?", "2"]);
    assert_eq!(read.stated_roles, BTreeSet::from([0]));
    assert_eq!(read.table.attribute(0).role, Role::Id);
    assert_eq!(read.table.attribute(2).hierarchy, Some('/'));
    assert_eq!(read.evidence[0], "stated in the schema");
}

#[test]
fn stated_values_fix_their_order() {
    let mut options = stating(&[("size", "nominal")]);
    options.columns[0].values = Some(["small", "large", "huge", "?"].map(String::from).to_vec());
    let read = read_stating("size\nlarge\n?\nsmall\n", &options).unwrap();
    let column = &read.table.attribute(0).column;
    assert_eq!(column.codes().unwrap().0, [1, 3, 0]);
    assert_eq!(column.codes().unwrap().1.len(), 4);
    assert_eq!(
        read_stating("size\nlarge\nlarg\n", &options)
            .unwrap_err()
            .to_string(),
        "x.csv:3:1: expected one of the declared values `small`, `large`, `huge`, `?`, found `larg`; did you mean `large`?"
    );
}

#[test]
fn stated_names_name_columns_without_header() {
    let options = stating(&[("weight", "numeric"), ("name", "nominal")]);
    let read = read_stating("1,x\n2,y\n", &options).unwrap();
    assert_eq!(names(&read), ["weight", "name"]);
    assert_eq!(
        read_stating("1,x,3\n2,y,4\n", &options)
            .unwrap_err()
            .to_string(),
        "x.csv: the schema names 2 columns, but the rows have 3 cells and there is no header"
    );
    let second = read_stating("1,2\n3,4\n", &stating(&[("c2", "nominal")])).unwrap();
    assert_eq!(types(&second), ["numeric", "nominal"]);
    // A header that is recognised by nothing but the stated names.
    let text = read_stating("1,2\n3,4\n", &stating(&[("2", "nominal")])).unwrap();
    assert_eq!((names(&text), text.table.rows()), (vec!["1", "2"], 1));
}

#[test]
fn errors_say_where_and_what() {
    for (text, expected) in [
        ("", "`x.csv` is empty: expected rows of cells"),
        (
            "\n \n",
            "`x.csv` is empty: expected rows of cells, found blank lines",
        ),
        (
            "a,b\n1,2\n3\n4,5\n6,7\n",
            "x.csv:3: the row has 1 cell, expected 2; the first rows look separated by `,`, which can be stated otherwise",
        ),
        (
            "a,b\n1,\"x\ny\"\n1,2,3,4\n6,7\n8,9\n",
            "x.csv:4: the row has 4 cells, expected 2; the first rows look separated by `,`, which can be stated otherwise",
        ),
        (
            "a,b\nr1,1,2\nr2,3,4\n",
            "x.csv:2: the row has 3 cells, expected 2; the header has 2 names, but most rows have 3 cells",
        ),
        (
            "a,b,a\n1,2,3\n",
            "x.csv:1: columns 1 and 3 are both named `a`",
        ),
        (
            "a,b\n1,2\n3,\"x\n4,5\n",
            "x.csv:3:3: the quote \" opened here is never closed; if quotes are ordinary characters here, say that the quote is `none`",
        ),
        (
            "a,b\n1,2\n3,\"x\"y\n4,5\n",
            "x.csv:3:6: expected a delimiter or the end of the line after the closing quote, found `y`",
        ),
        ("a,b\n1,\0\n", "`x.csv` is not a text file: byte 7 is 0x00"),
        (
            "\u{1}\u{2}\u{3}\u{4}\u{5}",
            "`x.csv` is not a text file: byte 1 is 0x01",
        ),
    ] {
        assert_eq!(message(text), expected, "{text:?}");
    }
}

#[test]
fn values_that_are_not_of_the_stated_type_are_pointed_at() {
    let options = stating(&[
        ("n", "numeric"),
        ("d", "datetime"),
        ("s", "set<numeric>"),
        ("t", "term"),
    ]);
    for (cells, expected) in [
        ("x,,,", "x.csv:3:1: expected a number, found `x`"),
        (
            "1,5.5.24,,",
            "x.csv:3:3: expected a date such as `2024-05-01`, found `5.5.24`",
        ),
        (
            "1,,\"[1,\"\"a\"\"]\",",
            "x.csv:3:4: expected a `set<numeric>` (at `[1]`: expected a number, found the string `a`), found `[1,\"a\"]`",
        ),
        (
            "1,,{,",
            "x.csv:3:4: expected a `set<numeric>` (as JSON, which it is not: EOF while parsing an object at line 1 column 1), found `{`",
        ),
        ("é,,,", "x.csv:3:1: expected a number, found `é`"),
        (
            "1,,,p(",
            "x.csv:3:5: expected a `term` (expected a term at column 3 of the term, found the end), found `p(`",
        ),
    ] {
        let text = format!("n,d,s,t\n1,,,\n{cells}\n");
        assert_eq!(
            read_stating(&text, &options).unwrap_err().to_string(),
            expected
        );
    }
    assert_eq!(
        read_stating("size,b\n1,2\n", &stating(&[("sise", "numeric")]))
            .unwrap_err()
            .to_string(),
        "x.csv: unknown column `sise` in table `data`; did you mean `size`?"
    );
}

/// A table as text in which every cell is quoted.
fn quoted(rows: &[Vec<String>]) -> String {
    let mut text = String::new();
    for cells in rows {
        let cells: Vec<String> = cells
            .iter()
            .map(|cell| format!("\"{}\"", cell.replace('"', "\"\"")))
            .collect();
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    text
}

/// Texts that a cell can hold: no zeros, and nothing that means missing.
fn any_cell() -> impl Strategy<Value = String> {
    // A file of control characters is taken for a binary one, and refused.
    let kept = |c: char| !c.is_control() || "\t\r\n".contains(c);
    any_text().prop_map(move |text| text.replace(|c| !kept(c), " ") + "x")
}

/// Files as they come: all kinds of cells, delimiters, line ends and quotes.
fn any_file() -> impl Strategy<Value = String> {
    let cell = prop_oneof![
        any_number().prop_map(|number| number.to_string()),
        "-?[0-9]{1,3}(\\.[0-9]{0,3})?",
        "[a-c]{0,3}",
        "(red|green|a rather long label|\\?|NA| x )",
        "2024-0[1-9]-1[0-9]",
        "\"[a-c,;\n ]{0,9}\"",
        any_text().prop_map(|text| format!("\"{}\"", text.replace('"', "\"\"").replace('\0', ""))),
    ];
    (
        1usize..5,
        prop_oneof![Just(","), Just(";"), Just("\t"), Just(" ")],
        prop_oneof![Just("\n"), Just("\r\n")],
    )
        .prop_flat_map(move |(width, delimiter, end)| {
            let row = prop::collection::vec(cell.clone(), width);
            let rows = prop::collection::vec(row, 1..12);
            rows.prop_map(move |rows| rows.iter().map(|row| row.join(delimiter) + end).collect())
        })
}

fn outcome(source: &Source, options: &CsvOptions, block: usize) -> String {
    match read_in_blocks(source, options, block) {
        Ok(read) => format!("{read:?}"),
        Err(error) => error.to_string(),
    }
}

proptest! {
    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read(&Source::from_bytes("x", bytes), &CsvOptions::default());
    }

    #[test]
    fn random_text_never_panics(text in "[ab1-9.,;\t\"'| \r\n?é-]{0,80}") {
        let _ = read(&Source::from_bytes("x", text.into_bytes()), &CsvOptions::default());
    }

    #[test]
    fn quoted_cells_come_back(rows in (1usize..4).prop_flat_map(|width| {
        prop::collection::vec(prop::collection::vec(any_cell(), width), 1..6)
    })) {
        let options = CsvOptions {
            delimiter: Some(Delimiter::Comma),
            quote: Some(Quote::Double),
            header: Header::None,
            columns: (1..=rows[0].len()).map(|n| StatedColumn {
                name: format!("c{n}"),
                of: Some(if n % 2 == 0 { Type::String } else { Type::Nominal }),
                ..StatedColumn::default()
            }).collect(),
            ..CsvOptions::default()
        };
        let source = Source::from_bytes("x", quoted(&rows).into_bytes());
        let read = read_in_blocks(&source, &options, 16).unwrap();
        for (row, cells) in rows.iter().enumerate() {
            for (column, cell) in cells.iter().enumerate() {
                let column: &Column = &read.table.attribute(column).column;
                let (Value::Symbol(value) | Value::Text(value)) = column.value(row) else {
                    panic!("a text cell is text");
                };
                prop_assert_eq!(&value, cell);
            }
        }
    }

    #[test]
    fn blocks_never_show(text in any_file(), block in 16usize..80) {
        let source = Source::from_bytes("x", text.clone().into_bytes());
        let options = CsvOptions::default();
        prop_assert_eq!(outcome(&source, &options, block), outcome(&source, &options, BLOCK));
    }

    #[test]
    fn stated_types_never_panic_in_any_block(text in any_file(), block in 16usize..80) {
        let source = Source::from_bytes("x", text.clone().into_bytes());
        let columns = ["string", "list<nominal>", "datetime", "numeric"].iter().enumerate();
        let options = CsvOptions {
            header: Header::None,
            columns: columns.map(|(n, of)| StatedColumn {
                name: format!("c{}", n + 1),
                of: Some(of.parse().unwrap()),
                ..StatedColumn::default()
            }).take(1 + block % 4).collect(),
            ..CsvOptions::default()
        };
        prop_assert_eq!(outcome(&source, &options, block), outcome(&source, &options, BLOCK));
    }
}
