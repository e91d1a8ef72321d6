//! Whole files to tables: types, evidence, examples, what a schema states, folders.

use kinwood_values::{Role, Type, Value};

use super::*;

fn sources(files: &[(&str, &str)]) -> Vec<Source> {
    files
        .iter()
        .map(|(name, text)| Source::from_bytes(*name, text.as_bytes()))
        .collect()
}

fn one(text: &str) -> PrologRead {
    read(&sources(&[("f.pl", text)])).unwrap()
}

/// The types of the first table's columns.
fn types(text: &str) -> Vec<String> {
    let read = one(text);
    let attributes = read.tables[0].table.attributes();
    attributes
        .iter()
        .map(|of| of.type_of().to_string())
        .collect()
}

fn values(read: &TableRead, column: usize) -> Vec<String> {
    let column = &read.table.attribute(column).column;
    (0..column.len())
        .map(|row| column.value(row).to_string())
        .collect()
}

#[test]
fn types_are_inferred() {
    for (text, expected) in [
        (
            "p(1,a,\"b c\",2). p(-1.5,'X',d,z).",
            &["numeric", "nominal", "nominal", "nominal"][..],
        ),
        ("p([a,b]). p([]). p([c]).", &["list<nominal>"]),
        ("p([1]). p([2,-3]).", &["list<numeric>"]),
        ("p([]). p([]).", &["list<nominal>"]),
        ("p(<[a],[b,c]>). p([[]]). p([]).", &["list<list<nominal>>"]),
        ("p([f(a),g]).", &["term"]),
        ("p([f(a),f(b)]).", &["list<term>"]),
        ("p([a,1]).", &["term"]),
        ("p([a]). p([1]).", &["term"]),
        ("p([a|T]).", &["term"]),
        ("p([a|b]).", &["term"]),
        ("p([[a],b]).", &["term"]),
        ("p([]). p(a).", &["term"]),
        ("p(a). p(1). p(f(x)).", &["term"]),
        ("p(f(x)). p(f(y)).", &["term"]),
        ("p(X). p(a).", &["term"]),
        ("p(a-1).", &["term"]),
    ] {
        assert_eq!(types(text), expected, "{text}");
    }
    let nested = |levels: usize| format!("p({}a{}).", "[".repeat(levels), "]".repeat(levels));
    assert!(types(&nested(63))[0].starts_with("list<list<"));
    assert_eq!(types(&nested(64)), ["term"]);
    assert_eq!(
        types(&format!("p({}{}).", "[".repeat(64), "]".repeat(64))),
        ["term"]
    );
}

#[test]
fn values_are_what_was_written() {
    let read = one("p(1.50,'a b',[x,[]],f(X,_)). p(1,2,[[]],[]). p(1,2,[[]],[]).");
    let table = &read.tables[0];
    assert_eq!(values(table, 0), ["1.5", "1", "1"]);
    assert_eq!(values(table, 1), ["a b", "2", "2"]);
    assert_eq!(values(table, 2), ["[x,[]]", "[[]]", "[[]]"]);
    assert_eq!(values(table, 3), ["f(X,_1)", "[]", "[]"]);
}

#[test]
fn evidence_is_given() {
    let read = one("p(1,a,[b],c,f(x)). p(2,b,[c],3,d). p(2,a,[],3,d).");
    assert_eq!(
        read.tables[0].evidence,
        [
            "3 of 3 arguments are numbers",
            "2 distinct constants in 3 facts",
            "3 of 3 arguments are lists",
            "2 distinct constants in 3 facts; 2 of 3 are numbers",
            "`d` in fact 2 makes it a term",
        ]
    );
    let read = one("p(a,f(x)). p(g(y),f(y)).");
    assert_eq!(
        read.tables[0].evidence,
        [
            "`g(y)` in fact 2 makes it a term",
            "`f(x)` in fact 1 makes it a term"
        ]
    );
}

#[test]
fn predicates_are_told_apart_by_arity() {
    let read = one("p(a). q(b). p(a,b). p(c).");
    let names: Vec<&str> = read.tables.iter().map(|read| read.table.name()).collect();
    assert_eq!(names, ["p/1", "q", "p/2"]);
    assert_eq!(read.tables[0].table.rows(), 2);
    let message = read_message("p(a). 'p/1'(b). p(a,b).");
    assert_eq!(message, "f.pl: there are two tables named `p/1`");
}

fn read_message(text: &str) -> String {
    read(&sources(&[("f.pl", text)])).unwrap_err().to_string()
}

#[test]
fn nothing_to_read_is_an_error() {
    let expected = "expected facts such as `atom(m1, c, 0.25).`";
    assert_eq!(read_message(""), format!("`f.pl` is empty: {expected}"));
    assert_eq!(
        read_message("% p(a).\n:- dynamic p/1."),
        format!("`f.pl` is empty: {expected}")
    );
    let two = read(&sources(&[("a.b", ""), ("b.b", "p.")])).unwrap_err();
    assert_eq!(
        two.to_string(),
        format!("`a.b and 1 more` is empty: {expected}")
    );
    assert_eq!(
        read(&[]).unwrap_err().to_string(),
        format!("`no source` is empty: {expected}")
    );
}

#[test]
fn examples_get_a_class() {
    let files = [
        ("d.b", "size(a,1). size(b,2)."),
        ("t.f", "better(a,b). better(a,c)."),
        ("t.n", "better(b,a). :- better(c,a)."),
    ];
    let read = read(&sources(&files)).unwrap();
    assert_eq!(read.tables[0].table.attributes().len(), 2);
    let better = &read.tables[1];
    assert_eq!(values(better, 2), ["true", "true", "false", "false"]);
    assert_eq!(better.table.attribute(2).name, "class");
    assert_eq!(better.table.attribute(2).role, Role::Target);
    assert!(better.stated_roles.contains(&2));
    assert_eq!(better.evidence[2], "2 positive and 2 negative examples");
    assert!(read.notices.is_empty());
}

#[test]
fn negatives_stand_where_they_were_written() {
    let read = one(":- active(d2). active(d1).\n:- active(d3). :- set(noise,5). active(d4).");
    assert_eq!(values(&read.tables[0], 0), ["d2", "d1", "d3", "d4"]);
    assert_eq!(
        values(&read.tables[0], 1),
        ["false", "true", "false", "true"]
    );
    let notices: Vec<&str> = read.notices.iter().map(Notice::message).collect();
    assert_eq!(
        notices,
        [
            "2 clauses `:- active(…).` are read as negative examples",
            "1 directive `:- set` is skipped (first: f.pl:2:16)",
        ]
    );
}

fn stated(name: &str, columns: &[(&str, &str)]) -> StatedPredicate {
    StatedPredicate {
        name: name.to_owned(),
        columns: columns
            .iter()
            .map(|(name, of)| StatedColumn {
                name: (*name).to_owned(),
                of: of.parse().ok(),
                ..StatedColumn::default()
            })
            .collect(),
    }
}

fn read_as(text: &str, of: &str) -> Result<Vec<Value>> {
    let read = read_stated(&sources(&[("f.pl", text)]), &[stated("p", &[("x", of)])])?;
    let attribute = read.tables[0].table.attribute(0);
    assert_eq!(attribute.type_of(), of.parse::<Type>().unwrap());
    assert_eq!(read.tables[0].evidence, ["stated in the schema"]);
    Ok((0..attribute.column.len())
        .map(|row| attribute.column.value(row))
        .collect())
}

#[test]
fn types_can_be_stated() {
    for (text, of, expected) in [
        ("p([b,a,b]).", "set<nominal>", "{a, b}"),
        ("p([2,1,2]).", "bag<numeric>", "{|1, 2, 2|}"),
        ("p([a,1]).", "list<nominal>", "[a, 1]"),
        ("p([a,1]).", "tuple<nominal, numeric>", "(a, 1)"),
        (
            "p(f(a,[1])).",
            "tuple<x: string, y: list<numeric>>",
            "(a, [1])",
        ),
        ("p(f(a,g(2))).", "tree", "a"),
        ("p('2024-05-01').", "datetime", "2024-05-01"),
        ("p(5).", "nominal", "5"),
        ("p(5).", "string", "5"),
        ("p(5).", "term", "5"),
        ("p(e).", "tuple<>", "()"),
        ("p([]).", "tuple<>", "()"),
        ("p(?).", "numeric", "?"),
        ("p(['?',a]).", "set<nominal>", "{?, a}"),
        ("p(2).", "ref<t>", "#2"),
        (
            "p(graph(undirected,[n(a),n(2,'C')],[e(a,2,double)])).",
            "graph",
            "graph(a, 2: C; a -- 2: double)",
        ),
    ] {
        let value = &read_as(text, of).unwrap()[0];
        match of {
            "tree" => assert_eq!(value.to_string(), "f(a,g(2))"),
            _ => assert_eq!(value.to_string(), expected, "{of}"),
        }
    }
}

#[test]
fn a_question_mark_is_missing() {
    let text = "p(1,a,[1]). p('?',?,['?']). p(2,b,'?').";
    let read = read(&sources(&[("f.pl", text)])).unwrap();
    let table = &read.tables[0].table;
    let types: Vec<String> = table
        .attributes()
        .iter()
        .map(|of| of.type_of().to_string())
        .collect();
    assert_eq!(types, ["numeric", "nominal", "list<numeric>"]);
    let missing: Vec<usize> = table
        .attributes()
        .iter()
        .map(|of| of.column.missing())
        .collect();
    assert_eq!(missing, [1, 1, 1]);
    assert_eq!(read.tables[0].evidence[0], "2 of 2 arguments are numbers");
}

#[test]
fn what_does_not_fit_is_refused() {
    for (text, of, found) in [
        ("p(a).", "numeric", "a"),
        ("p(f(a)).", "nominal", "f(a)"),
        ("p(X).", "nominal", "X"),
        ("p(X).", "tree", "X"),
        ("p(a).", "datetime", "a"),
        ("p([a|b]).", "list<nominal>", "[a|b]"),
        ("p([a]).", "list<numeric>", "[a]"),
        ("p([a,b]).", "tuple<nominal>", "[a,b]"),
        ("p([a]).", "tuple<nominal, nominal>", "[a]"),
        ("p(f(a,b)).", "tuple<nominal>", "f(a,b)"),
        ("p([a,b]).", "graph", "[a,b]"),
        (
            "p(graph(directed,[n(a)],[e(a,b)])).",
            "graph",
            "graph(directed,[n(a)],[e(a,b)])",
        ),
        ("p(0).", "ref<t>", "0"),
        ("p(a).", "ref<t>", "a"),
    ] {
        assert_eq!(
            read_as(&format!("q(b).\n {text}"), of)
                .unwrap_err()
                .to_string(),
            format!("f.pl:2:2: expected a `{of}` as argument 1 of `p`, found `{found}`")
        );
    }
}

#[test]
fn a_schema_names_columns_and_labels() {
    let mut about = stated("p", &[("molecule", "nominal"), ("", ""), ("label", "")]);
    about.columns[0].role = Some(Role::Id);
    about.columns[1].values = Some(vec!["low".to_owned(), "high".to_owned()]);
    let text = "p(m1,high). :- p(m2,low).";
    let read = read_stated(&sources(&[("f.pl", text)]), std::slice::from_ref(&about)).unwrap();
    let table = &read.tables[0].table;
    let names: Vec<&str> = table
        .attributes()
        .iter()
        .map(|of| of.name.as_str())
        .collect();
    assert_eq!(names, ["molecule", "a2", "label"]);
    assert_eq!(table.attribute(0).role, Role::Id);
    assert_eq!(table.attribute(2).role, Role::Target);
    assert_eq!(table.attribute(1).column.code(0), Some(1));
    for (text, expected) in [
        (
            "p(m1,hihg).",
            "f.pl:1:1: expected one of the declared values, perhaps `high`, as argument 2 of `p`, found `hihg`",
        ),
        (
            "p(m1).",
            "f.pl, `p`: the schema names 3 columns, but the rows have 1 cells and there is no header",
        ),
        (
            "pp(m1).",
            "f.pl: unknown table `p`; did you mean `pp`?; the tables are `pp`",
        ),
    ] {
        let error = read_stated(&sources(&[("f.pl", text)]), std::slice::from_ref(&about));
        assert_eq!(error.unwrap_err().to_string(), expected);
    }
}

#[test]
fn folders_are_read_as_one() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let empty = read_folder(folder.path(), &[]).unwrap_err().to_string();
    assert!(empty.ends_with("is empty: expected files that end in .pl, .pro, .prolog, .b, .f, .n"));
    write("b.n", "good(2).");
    write("b.f", "good(1).");
    write("a.pl", "p(a).");
    write("readme.txt", "p(");
    std::fs::create_dir(folder.path().join("more")).unwrap();
    write("more/c.pl", "p(c).");
    let read = read_folder(folder.path(), &[]).unwrap();
    let shapes: Vec<(&str, usize)> = read
        .tables
        .iter()
        .map(|read| (read.table.name(), read.table.rows()))
        .collect();
    assert_eq!(shapes, [("p", 1), ("good", 2)]);
    assert!(
        read.notices[0]
            .message()
            .ends_with("more` holds facts too, and is not read")
    );
    assert!(read_folder(&folder.path().join("none"), &[]).is_err());
}

#[test]
fn latin_1_is_read_and_told() {
    let read = read(&[Source::from_bytes("f.pl", b"p('\xe9').".as_slice())]).unwrap();
    assert_eq!(values(&read.tables[0], 0), ["é"]);
    assert_eq!(
        read.notices[0].message(),
        "`f.pl` is not UTF-8 and was read as Latin-1"
    );
}

#[test]
fn many_arguments_are_many_columns() {
    let text = |count: usize| format!("p({}x).", "x,".repeat(count - 1));
    assert_eq!(types(&text(65_535)).len(), 65_535);
    assert!(read_message(&text(65_536)).contains("expected at most 65535 arguments"));
}

/// Every predicate and every number of arguments is a table; they are told apart in one pass.
#[test]
fn thousands_of_predicates_and_arities_are_read() {
    let mut text: String = (0..30_000).map(|n| format!("p{n}(a).\n")).collect();
    for arity in 1..=300 {
        text += &format!("q({}).\n", vec!["b"; arity].join(", "));
    }
    let read = one(&text);
    assert_eq!(read.tables.len(), 30_300);
    let told: Vec<String> = read.notices.iter().map(ToString::to_string).collect();
    let arities = told.iter().find(|told| told.contains("`q`")).unwrap();
    assert!(
        arities.contains("are 300 tables") && arities.ends_with("and 280 more"),
        "{arities}"
    );
}
