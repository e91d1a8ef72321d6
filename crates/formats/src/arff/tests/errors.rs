//! What is refused, and in which words.

use super::*;

#[test]
fn errors_in_the_header_say_where_and_what() {
    for (text, expected) in [
        (
            "",
            "`f.arff` is empty: expected `@attribute` lines, `@data` and rows",
        ),
        (
            "% only",
            "f.arff:1:7: expected `@attribute`, found the end of the file",
        ),
        (
            "@relation r\n@data\n",
            "f.arff:2:1: expected `@attribute`, found `@data`",
        ),
        (
            "@relation r\n@attribute a numeric\n1,2",
            "f.arff:3:1: expected `@attribute` or `@data`, found `1,2`",
        ),
        (
            "@attribute a numeric",
            "f.arff:1:21: expected `@attribute` or `@data`, found the end of the file",
        ),
        (
            "@atribute a numeric",
            "f.arff:1:1: expected `@attribute`, found `@atribute`; did you mean `@attribute`?",
        ),
        (
            "\n  @attribute",
            "f.arff:2:13: expected the name of an attribute, found the end of the line",
        ),
        (
            "@attribute a",
            "f.arff:1:13: expected a type or `{`, found the end of the line",
        ),
        (
            "@attribute {a,b}",
            "f.arff:1:12: expected the name of an attribute, found `{`",
        ),
        (
            "@attribute é numric",
            "f.arff:1:14: expected a type (numeric, string, date, …) or values in braces, found `numric`; did you mean `numeric`?",
        ),
        (
            "@attribute a nominal",
            "f.arff:1:14: expected the values in braces, as `{a, b}`, found `nominal`",
        ),
        (
            "@attribute a ,x",
            "f.arff:1:14: expected a type (numeric, string, date, …) or values in braces, found `,`",
        ),
        (
            "@attribute a numeric\r\n@attribute a real\r\n@data",
            "f.arff:2:12: expected a new name, found `a`, which line 1 declares",
        ),
        (
            "@attribute 'a numeric\n@data",
            "f.arff:1:12: expected a closing `'` for this quote, found the end of the line",
        ),
        (
            "@attribute a {x, \"y}\n@data",
            "f.arff:1:18: expected a closing `\"` for this quote, found the end of the line",
        ),
        (
            "@attribute a {x, y\n@attribute b {z}\n",
            "f.arff:1:14: expected a closing `}` for this `{`, found `@attribute`",
        ),
        (
            "@attribute a {x, y",
            "f.arff:1:14: expected a closing `}` for this `{`, found the end of the file",
        ),
        (
            "@attribute a {x, {y}",
            "f.arff:1:18: expected `,` or `}`, found `{`",
        ),
        (
            "@attribute a {x, 'y' z}",
            "f.arff:1:22: expected `,` or `}`, found `z`",
        ),
        (
            "@attribute a {x} y",
            "f.arff:1:18: expected the end of the line, found `y`",
        ),
        (
            "@attribute a string {x, y}",
            "f.arff:1:21: expected the end of the line or the weight of the attribute, found `{`",
        ),
        (
            "@attribute a date 'YYYY'",
            "f.arff:1:19: expected a date pattern of the letters y M d H h k K m s S a E z Z X, found `Y`",
        ),
        (
            "@attribute a date \"yyyy'T\"",
            "f.arff:1:19: expected a date pattern whose quotes are closed, found `yyyy'T`",
        ),
        (
            "@attribute a hierarchical\n",
            "f.arff:1:26: expected class paths, as `1, 1/1, 1/2`, found the end of the line",
        ),
        (
            "@attribute a hierarchical 1,1//2\n",
            "f.arff:1:29: expected a class path of 1 to 64 levels, as `1/2`, found `1//2`",
        ),
        (
            "@attribute b relational\n@attribute a numeric\n@data",
            "f.arff:3:1: expected `@attribute` or `@end b`, found `@data`",
        ),
        (
            "@attribute b relational\n@end b\n@data",
            "f.arff:2:1: expected `@attribute`, found `@end`",
        ),
        (
            "@attribute b relational\n@attribute a numeric\n@end c",
            "f.arff:3:6: expected `@end b`, found `c`",
        ),
        (
            "@attribute a numeric\n@data 1,2",
            "f.arff:2:7: expected the end of the line, found `1`",
        ),
    ] {
        assert_eq!(message(text), expected, "{text}");
    }
}

#[test]
fn errors_in_rows_say_where_and_what() {
    for (row, expected) in [
        ("1,x", "f.arff:6: the row has 2 cells, expected 3"),
        (
            "1,x,a,b",
            "f.arff:6: the row has 4 cells, expected 3; values with commas or blanks in them need quotes",
        ),
        (
            "1,x,'a",
            "f.arff:6:5: expected a closing `'` for this quote, found the end of the line",
        ),
        ("1,'x' y,a", "f.arff:6:7: expected `,`, found `y`"),
        (
            "1,,a",
            "f.arff:6:3: expected a value, or `?` for one that is missing, found `,`",
        ),
        (
            "1O,x,a",
            "f.arff:6:1: expected a number, or `?` for a missing one, found `1O`",
        ),
        (
            "NaN,x,a",
            "f.arff:6:1: expected a finite number, found `NaN`",
        ),
        (
            "-inf,x,a",
            "f.arff:6:1: expected a finite number, found `-inf`",
        ),
        (
            "1e999,x,a",
            "f.arff:6:1: expected a finite number, found `1e999`",
        ),
        (
            "1, y_z ,a",
            "f.arff:6:4: expected a value of `b` (`x`, `y z`, `100%`), found `y_z`; did you mean `y z`?",
        ),
        (
            "1,x,a,{z}",
            "f.arff:6:8: expected a weight of at least 0, found `z`",
        ),
        (
            "1,x,a,{-1}",
            "f.arff:6:8: expected a weight of at least 0, found `-1`",
        ),
        (
            "1,x,a,{1",
            "f.arff:6:7: expected a weight that is closed by `}`, found `{`",
        ),
        (
            "1,x,a,{1} b",
            "f.arff:6:11: expected the end of the row after its weight, found `b`",
        ),
        (
            "{3 a}",
            "f.arff:6:2: expected a column's number from 0 to 2, found `3`",
        ),
        (
            "{a 3}",
            "f.arff:6:2: expected a column's number from 0 to 2, found `a`",
        ),
        (
            "{0 1, 0 2}",
            "f.arff:6:7: expected a column's number not given before, found `0` again",
        ),
        (
            "{0 1",
            "f.arff:6:5: expected `,` or `}`, found the end of the line",
        ),
        (
            "{0 1,",
            "f.arff:6:6: expected `}`, found the end of the line",
        ),
        (
            "{0 }",
            "f.arff:6:4: expected a value after the column's number, found `}`",
        ),
        ("{0 1 2 a}", "f.arff:6:6: expected `,` or `}`, found `2`"),
        (
            "{0 1} 2",
            "f.arff:6:7: expected the end of the row or its weight, as `{0.5}`, found `2`",
        ),
    ] {
        let text = format!("{THREE}\n@data\n1,x,a\n{row}\n");
        assert_eq!(message(text), expected, "{row}");
    }
    assert_eq!(
        message(format!("{THREE}\n@data\n1,x,a\n1,")),
        "f.arff:6: the row has 1 cell, expected 3; the file may be cut off"
    );
}

#[test]
fn errors_in_nested_values_say_where_and_what() {
    let header = "@attribute g relational\n@attribute n numeric\n@attribute d date yyyy\n@end g\n@attribute h hierarchical 1,1/1,2";
    for (row, expected) in [
        (
            "'1,1990\\nx,1990',1",
            "f.arff:7:1: expected a number, or `?` for a missing one in row 2 of `g`, found `x`",
        ),
        (
            "'1',1",
            "f.arff:7: the row has 1 cell, expected 2 in row 1 of `g`",
        ),
        (
            "'1,\\'1990',1",
            "f.arff:7:1: expected a closing `'` for this quote in row 1 of `g`, found the end of the line",
        ),
        (
            "'1,1990,{2}',1",
            "f.arff:7:1: expected no weight in row 1 of `g`, found the weight `2`",
        ),
        (
            "'1,199O',1",
            "f.arff:7:1: expected a date by the pattern `yyyy` in row 1 of `g`, found `199O`",
        ),
        (
            "'',1@1/2",
            "f.arff:7:4: expected a class of `h` (`1`, `1/1`, `2`), found `1/2`; did you mean `1/1`?",
        ),
        (
            "'',1@",
            "f.arff:7:4: expected a class of `h` (`1`, `1/1`, `2`), found ``",
        ),
    ] {
        assert_eq!(
            message(format!("{header}\n@data\n{row}\n")),
            expected,
            "{row}"
        );
    }
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    assert_eq!(
        message(b"PK\x03\x04\0"),
        "`f.arff` is not a text file: byte 5 is 0x00"
    );
    assert_eq!(
        message(b"\xff\xfe@\0r\0"),
        "`f.arff` is not a text file: byte 4 is 0x00; it looks like UTF-16, expected UTF-8"
    );
}

#[test]
fn bags_are_nested_no_deeper_than_types() {
    let nested = |depth: usize| {
        let open: String = (0..depth)
            .map(|i| format!("@attribute b{i} relational\n"))
            .collect();
        let close: String = (0..depth).rev().map(|i| format!("@end b{i}\n")).collect();
        format!("{open}@attribute x hierarchical 1,2\n{close}@data\n''\n")
    };
    let of = table(&nested(31)).table.attribute(0).type_of();
    assert_eq!(of.to_string().parse(), Ok(of));
    assert_eq!(
        message(nested(32)),
        "f.arff:32:16: expected bags nested at most 31 deep, found `relational`"
    );
    let class = vec!["1"; 65].join("/");
    assert!(
        message(format!("@attribute a hierarchical {class}\n@data")).contains("1 to 64 levels")
    );
}
