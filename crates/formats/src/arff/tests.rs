//! What is read, feature by feature.

use kinwood_values::Value;

use super::*;

mod errors;
mod random;

fn table(text: &str) -> TableRead {
    read(&Source::from_bytes("f.arff", text.as_bytes())).unwrap_or_else(|error| panic!("{error}"))
}

fn message(text: impl AsRef<[u8]>) -> String {
    read(&Source::from_bytes("f.arff", text.as_ref()))
        .expect_err("a file that is refused")
        .to_string()
}

/// The values of the first column of a file with this declaration and these rows.
fn values(declaration: &str, rows: &[&str]) -> Vec<Value> {
    let read = table(&format!(
        "@attribute {declaration}\n@data\n{}",
        rows.join("\n")
    ));
    let column = &read.table.attribute(0).column;
    (0..column.len()).map(|row| column.value(row)).collect()
}

fn shown(declaration: &str, rows: &[&str]) -> Vec<String> {
    values(declaration, rows)
        .iter()
        .map(Value::to_string)
        .collect()
}

/// All cells of the rows, as texts.
fn cells(header: &str, rows: &str) -> Vec<Vec<String>> {
    let read = table(&format!("{header}\n@data\n{rows}"));
    (0..read.table.rows())
        .map(|row| {
            let attributes = read.table.attributes().iter();
            attributes
                .map(|of| of.column.value(row).to_string())
                .collect()
        })
        .collect()
}

const THREE: &str = "@attribute a numeric\n@attribute b {x, 'y z', '100%'}\n@attribute c string";

#[test]
fn a_plain_file_is_read_in_whole() {
    let read = table(
        "% comment\n\n@RELATION 'a b'\n@Attribute sepal\tREAL % why\n@attribute 'the class' {a, b,c}\n\
         \n@DATA % rows\n1.5,c\n% between\n\n ?, a % after\n -2e1 ,\t?\n",
    );
    assert_eq!(read.table.name(), "data");
    let [number, class] = read.table.attributes() else {
        panic!("two columns")
    };
    assert_eq!(
        (number.name.as_str(), class.name.as_str()),
        ("sepal", "the class")
    );
    assert_eq!(number.column.number(0), Some(1.5));
    assert_eq!(number.column.number(1), None);
    assert_eq!(number.column.number(2), Some(-20.0));
    let (codes, dictionary) = class.column.codes().unwrap();
    assert_eq!(codes[..2], [2, 0]);
    assert_eq!(dictionary.labels().collect::<Vec<_>>(), ["a", "b", "c"]);
    assert_eq!(class.column.missing(), 1);
    assert_eq!(read.customary_target, Some(1));
    assert_eq!(
        read.evidence,
        ["declared real", "declared nominal with 3 values"]
    );
    assert!(read.stated_roles.is_empty() && read.notices.is_empty());
}

#[test]
fn line_ends_and_marks_of_every_kind_are_read() {
    for text in [
        "@attribute a numeric\r\n@data\r\n1\r\n2\r\n",
        "@attribute a numeric\r@data\r1\r2",
        "\u{feff}@attribute a numeric\n@data\n1\n2",
    ] {
        assert_eq!(
            table(text).table.attribute(0).column.numbers(),
            Some(&[1.0, 2.0][..])
        );
    }
}

#[test]
fn what_is_not_utf8_is_latin1() {
    let bytes = b"@attribute a {caf\xe9, th\xe9}\n@data\nth\xe9\n";
    let read = read(&Source::from_bytes("f.arff", &bytes[..])).unwrap();
    assert_eq!(
        read.table.attribute(0).column.value(0),
        Value::Symbol("thé".into())
    );
    assert_eq!(
        read.notices[0].message(),
        "`f.arff` is not UTF-8 and was read as Latin-1"
    );
}

#[test]
fn cells_are_separated_by_commas_or_by_blanks() {
    let expected = ["1", "y z", "a, b"];
    for row in [
        "1,'y z','a, b'",
        "1,y z,\"a, b\"",
        " 1 , y z ,'a, b' , ",
        "1 'y z' 'a, b'",
        "\t1\t'y z'\t'a, b'\t% c, d",
        "1,'y z','a, b'% comment",
    ] {
        assert_eq!(cells(THREE, row), [expected], "{row}");
    }
}

#[test]
fn a_percent_sign_begins_a_comment_only_where_a_cell_could() {
    assert_eq!(cells(THREE, "1,100%,5%x % rest"), [["1", "100%", "5%x"]]);
    assert_eq!(
        cells(THREE, "1,'100%','% not' %rest"),
        [["1", "100%", "% not"]]
    );
    assert_eq!(cells(THREE, "1 100% 5%x %rest, x"), [["1", "100%", "5%x"]]);
}

#[test]
fn a_single_column_keeps_its_blanks() {
    assert_eq!(
        shown("a string", &["one two", "'x'", "don't"]),
        ["one two", "x", "don't"]
    );
}

#[test]
fn a_quoted_question_mark_is_a_value() {
    assert_eq!(
        values("a string", &["?", "'?'"]),
        [Value::Missing, Value::Text("?".into())]
    );
    assert_eq!(cells(THREE, "?,?,?"), [["?", "?", "?"]]);
    let read = table(&format!("{THREE}\n@data\n?,?,?"));
    assert!(
        read.table
            .attributes()
            .iter()
            .all(|of| of.column.missing() == 1)
    );
}

#[test]
fn escapes_hold_in_names_and_values() {
    let read =
        table("@attribute 'it\\'s' {\"a\\\"b\", 'c''d', '\\u0041\\t'}\n@data\n'c\\'d'\n'A\t'\n");
    let attribute = read.table.attribute(0);
    assert_eq!(attribute.name, "it's");
    assert_eq!(attribute.column.codes().unwrap().0, [1, 2]);
}

#[test]
fn lists_of_values_may_take_several_lines_and_separators() {
    let labels = |list: &str| -> Vec<String> {
        let read = table(&format!("@attribute a{list}\n@data\n"));
        let (_, dictionary) = read.table.attribute(0).column.codes().unwrap();
        dictionary.labels().map(str::to_owned).collect()
    };
    assert_eq!(labels("{a,b}"), ["a", "b"]);
    assert_eq!(
        labels(" { a ,\n % x, y\n b c,\n'd,}' , }"),
        ["a", "b c", "d,}"]
    );
    assert_eq!(labels("{a b\t'c d'}"), ["a", "b", "c d"]);
    assert_eq!(labels("{a, b\nc}"), ["a", "b c"]);
    assert_eq!(labels("{50%, <=1, @x} % end"), ["50%", "<=1", "@x"]);
    assert_eq!(labels("{}"), Vec::<String>::new());
    let read = table("@attribute a {x, y, x}\n@data\ny");
    assert_eq!(
        read.notices[0].message(),
        "attribute `a` declares `x` more than once"
    );
    assert_eq!(read.evidence, ["declared nominal with 2 values"]);
}

#[test]
fn numbers_in_every_spelling() {
    let rows = ["1", "-1.5", "+2", ".5", "5.", "1E-3", "-0", "1e5"];
    let read = table(&format!(
        "@attribute a integer [0, 9]\n@data\n{}",
        rows.join("\n")
    ));
    let numbers = read.table.attribute(0).column.numbers().unwrap();
    assert_eq!(numbers, [1.0, -1.5, 2.0, 0.5, 5.0, 0.001, 0.0, 1e5]);
    assert!(numbers[6].is_sign_positive());
}

#[test]
fn dates_follow_their_pattern() {
    assert_eq!(
        shown("a date", &["2001-04-03T12:12:12", "?"]),
        ["2001-04-03T12:12:12Z", "?"]
    );
    for pattern in ["\"dd/MM/yyyy HH:mm\"", "'dd/MM/yyyy HH:mm' % c"] {
        let dates = shown(&format!("a date {pattern}"), &["\"03/04/2001 12:00\""]);
        assert_eq!(dates, ["2001-04-03T12:00:00Z"]);
    }
    assert_eq!(shown("a DATE yyyy-MM-dd", &["2001-04-03"]), ["2001-04-03"]);
    let read = table("@attribute a date yyyy\n@data\n");
    assert_eq!(read.evidence, ["declared date by `yyyy`"]);
}

#[test]
fn sparse_rows_leave_out_zeros_and_first_values() {
    let header = format!("{THREE}\n@attribute d date\n@attribute e {{}}\n@attribute k key");
    assert_eq!(
        cells(
            &header,
            "{}\n{1 'y z', 0 5}\n{ 2 a ,0 ? }\n{1 '100%'} % c\n"
        ),
        [
            ["0", "x", "", "1970-01-01", "?", "?"],
            ["5", "y z", "", "1970-01-01", "?", "?"],
            ["?", "x", "a", "1970-01-01", "?", "?"],
            ["0", "100%", "", "1970-01-01", "?", "?"],
        ]
    );
}

#[test]
fn weights_become_a_column() {
    let read = table(
        "@attribute weight numeric\n@attribute c {a,b}\n@data\n1,a\n2,b,{0.5}\n{0 3},{2}\n4 a {3}\n5 a, {4} % c\n6,b {5}\n",
    );
    let weight = read.table.attribute(2);
    assert_eq!(
        (weight.name.as_str(), weight.role),
        ("weight_2", Role::Weight)
    );
    assert_eq!(
        weight.column.numbers().unwrap(),
        [1.0, 0.5, 2.0, 3.0, 4.0, 5.0]
    );
    assert_eq!(
        read.table.attribute(0).column.numbers().unwrap(),
        [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    );
    assert!(read.stated_roles.contains(&2));
    assert_eq!(read.customary_target, Some(1));
    assert_eq!(read.evidence[2], "weights stand after rows");
    let read = table("@attribute a numeric {0.5}\n@attribute b {x} {2}\n@data\n1,x");
    assert_eq!(read.table.attributes().len(), 2);
    assert_eq!(
        read.notices[0].message(),
        "the declared weight of attribute `a` and of another is not used"
    );
}

#[test]
fn relational_attributes_are_bags_of_tuples() {
    let header =
        "@attribute bag relational\n @attribute n numeric\n @attribute s {a,'b c'}\n@END bag";
    let read = table(&format!(
        "{header}\n@attribute class {{0,1}}\n@data\n\"1,a\\n2,'b c'\\n1,a\",1\n?,0\n'',0\n'{{1 \\'b c\\'}}\\n? a',1\n"
    ));
    let bag = read.table.attribute(0);
    assert_eq!(
        bag.type_of().to_string(),
        "bag<tuple<n: numeric, s: nominal>>"
    );
    let shown: Vec<String> = (0..4)
        .map(|row| bag.column.value(row).to_string())
        .collect();
    assert_eq!(
        shown,
        [
            "{|(1, a), (1, a), (2, b c)|}",
            "?",
            "{||}",
            "{|(?, a), (0, b c)|}"
        ]
    );
    assert_eq!(read.evidence[0], "declared relational with 2 attributes");
    assert_eq!(
        read.table.attribute(1).column.codes().unwrap().0,
        [1, 0, 0, 1]
    );
}

#[test]
fn bags_hold_bags_and_know_declared_values() {
    let header = "@attribute out relational\n@attribute in relational\n@attribute c {p,q}\n@attribute x numeric\n@end in\n@attribute y string\n@end out";
    let rows = [r#"'"q,1\\np,2",first\n?,second'"#];
    let read = table(&format!("{header}\n@data\n{}", rows[0]));
    let column = &read.table.attribute(0).column;
    assert_eq!(
        column.type_of().to_string(),
        "bag<tuple<in: bag<tuple<c: nominal, x: numeric>>, y: string>>"
    );
    assert_eq!(
        column.value(0).to_string(),
        "{|(?, second), ({|(p, 2), (q, 1)|}, first)|}"
    );
    let empty = table(&format!("{header}\n@data\n''"));
    assert_eq!(empty.table.attribute(0).column.value(0).to_string(), "{||}");
}

#[test]
fn hierarchies_are_sets_of_paths() {
    let read = table(
        "@attribute k key\n@attribute class hierarchical 2/1,1,1/2/3 % c\n@data\na,1@2/1\nb,none\na,[]\nc,?\nd,1/2\n{0 e}\n",
    );
    let class = read.table.attribute(1);
    assert_eq!(class.type_of().to_string(), "set<nominal>");
    assert_eq!(class.hierarchy, Some('/'));
    let shown: Vec<String> = (0..6)
        .map(|row| class.column.value(row).to_string())
        .collect();
    assert_eq!(shown, ["{1, 2/1}", "{}", "{}", "?", "{1/2}", "{}"]);
    let kinwood_values::Cells::Collection { members, .. } = class.column.cells() else {
        panic!("a set")
    };
    let (_, dictionary) = members.child.codes().unwrap();
    assert_eq!(
        dictionary.labels().collect::<Vec<_>>(),
        ["2", "2/1", "1", "1/2", "1/2/3"]
    );
    let key = read.table.attribute(0);
    assert_eq!((key.role, key.column.code(2)), (Role::Id, Some(0)));
    assert!(read.stated_roles.contains(&0));
    assert_eq!(read.customary_target, None);
    assert_eq!(
        read.evidence,
        ["declared key", "declared hierarchical with 5 classes"]
    );
}

#[test]
fn a_file_without_rows_is_a_table_without_rows() {
    let read = table("@relation r\n@attribute a numeric\n@data");
    assert_eq!((read.table.rows(), read.table.attributes().len()), (0, 1));
}

/// A file with something of everything, to be mutated.
const EVERYTHING: &str = r#"% comment
@relation 'x y'
@attribute num numeric [0,1]
@attribute 'no\'m' {a, "b c",
 d}
@attribute txt string
@attribute day date "dd MMM yy HH:mm z"
@attribute bag relational
@attribute p {u,v}
@attribute q real
@end bag
@attribute cls hierarchical 1,1/2,3
@attribute k key
@data
1.5,'b c',"x, \u00e9",'01 jan 99 10:00 GMT','u,1\nv,?',1/2@3,k1
? d ? ? ? none k2 % c
{0 2,4 'u,1', 6 k},{0.5}
2,a,x%,?,'{1 2}',[],k4,{2}
"#;

#[test]
fn everything_is_read() {
    let read = table(EVERYTHING);
    assert_eq!(read.table.rows(), 4);
    let last: Vec<String> = read
        .table
        .attributes()
        .iter()
        .map(|of| of.column.value(3).to_string())
        .collect();
    assert_eq!(last, ["2", "a", "x%", "?", "{|(u, 2)|}", "{}", "k4", "2"]);
}
