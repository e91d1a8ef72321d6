//! Clauses of all shapes, and each error with its place.

use super::super::cells::{first_symbols, term};
use super::*;

/// The clauses in a form to compare: facts as terms.
fn clauses(text: &str) -> Result<Vec<String>> {
    let source = Source::from_bytes("f.pl", text.as_bytes());
    let mut symbols = first_symbols();
    let mut read = Vec::new();
    {
        let mut clauses = Clauses::new(&source, Encoding::Utf8, &mut symbols)?;
        while let Some((_, clause)) = clauses.next()? {
            read.push(clause);
        }
    }
    let show = |atom: &Atom| {
        let mut cells = vec![Cell::Functor {
            symbol: atom.symbol,
            arity: atom.ends.len() as u32,
        }];
        cells.extend(&atom.cells);
        term(&cells, &symbols).unwrap().to_string()
    };
    Ok(read
        .iter()
        .map(|clause| match clause {
            Clause::Fact(atom) => show(atom),
            Clause::Rule => "rule".to_owned(),
            Clause::Directive { kind, body: None } => format!(":- {kind}"),
            Clause::Directive {
                body: Some(body), ..
            } => format!(":- {}", show(body)),
        })
        .collect())
}

#[test]
fn facts_of_all_shapes() {
    for (text, expected) in [
        ("p(a,b).", "p(a,b)"),
        ("p.", "p"),
        ("p (a) .", "p(a)"),
        ("p(-1, - 2, +).", "p(-1,-2,'+')"),
        (
            "p(a-b-1,- -1,-x,-(1),-(a,b),-, a - -1).",
            "p('-'('-'(a,b),1),'-'(-1),'-'(x),'-'(1),'-'(a,b),'-','-'(a,-1))",
        ),
        ("p([],[a],[a,b|T],[[1],[]]).", "p([],[a],[a,b|T],[[1],[]])"),
        ("p(<[a,b],[c]>,< >,<).", "p([[a,b],[c]],[],'<')"),
        ("p(f(g(h),[x|f(y)]),(z),((z))).", "p(f(g(h),[x|f(y)]),z,z)"),
        ("'P q'('X',\"a b\",f('Y')).", "'P q'('X','a b',f('Y'))"),
        ("p(X,_,_2,_,X).", "p(X,_1,_2,_3,X)"),
        ("p(=(a,b),=..).", "p('='(a,b),'=..')"),
        ("é(ß,Ä).", "é(ß,Ä)"),
        ("-(a).", "!"),
    ] {
        match clauses(text) {
            Ok(read) => assert_eq!(read, [expected], "{text}"),
            Err(error) => assert_eq!(expected, "!", "{text}: {error}"),
        }
    }
}

#[test]
fn rules_and_directives() {
    let text = "
        :- dynamic p/2, q/1.
        :- use_module(library(lists)).
        ?- active(d1).
        :- [other, files].
        :- 1.
        p(X) :- q(X), X = 'a. b', Y is 0'. + 1.5, \\+ r(Y).
        s --> [a], s.
        p(a).p(b).";
    assert_eq!(
        clauses(text).unwrap(),
        [
            ":- dynamic",
            ":- use_module(library(lists))",
            ":- active(d1)",
            ":- [",
            ":- number",
            "rule",
            "rule",
            "p(a)",
            "p(b)"
        ]
    );
}

#[test]
fn errors_name_the_place() {
    for (text, expected) in [
        ("p(a)\n  p(b).", "f.pl:2:3: expected `.` or `:-`, found `p`"),
        ("p(a b).", "f.pl:1:5: expected `,` or `)`, found `b`"),
        ("p(a,).", "f.pl:1:5: expected a term, found `)`"),
        ("p().", "f.pl:1:3: expected a term, found `)`"),
        ("p([a;b]).", "f.pl:1:5: expected `,`, `|` or `]`, found `;`"),
        ("p([a|b,c]).", "f.pl:1:7: expected `]`, found `,`"),
        ("p(<a,b).", "f.pl:1:7: expected `,`, `|` or `>`, found `)`"),
        ("p(<a|b).", "f.pl:1:7: expected `>`, found `)`"),
        ("p((a,b)).", "f.pl:1:5: expected `)`, found `,`"),
        ("p(a+b).", "f.pl:1:4: expected `,` or `)`, found `+`"),
        (
            "p(+ b).",
            "f.pl:1:5: expected a term without operators other than `-`, found `b`",
        ),
        (
            "p({a}).",
            "f.pl:1:4: expected a term without operators other than `-`, found `a`",
        ),
        (
            "P(a).",
            "f.pl:1:1: expected the name of a predicate, found `P`",
        ),
        (
            "1.5.",
            "f.pl:1:1: expected the name of a predicate, found the number 1.5",
        ),
        (
            "\"x\".",
            "f.pl:1:1: expected the name of a predicate, found the text \"x\"",
        ),
        (":- .", "f.pl:1:4: expected a directive, found `.`"),
        (
            "q.\n p(a,\n b",
            "f.pl:2:2: expected `.` behind the clause that begins here, found the end of the file",
        ),
        (
            "q.\n :- p(a",
            "f.pl:2:2: expected `.` behind the clause that begins here, found the end of the file",
        ),
        (
            "q.\n :-",
            "f.pl:2:2: expected `.` behind the clause that begins here, found the end of the file",
        ),
        (
            "p(a) :- b",
            "f.pl:1:1: expected `.` behind the clause that begins here, found the end of the file",
        ),
        (
            "q.\np(a).p('b",
            "f.pl:2:8: the quote ' opened here is never closed, in the clause that begins at 2:6",
        ),
    ] {
        assert_eq!(clauses(text).unwrap_err().to_string(), expected, "{text}");
    }
}

#[test]
fn depth_and_width_are_no_matter() {
    let deep = 200_000;
    for (open, close) in [
        ("f(", ")"),
        ("[", "]"),
        ("<", ">"),
        ("(", ")"),
        ("a-f(", ")"),
        ("-(", ")"),
    ] {
        let text = format!("p({}x{}).", open.repeat(deep), close.repeat(deep));
        // `<<` is one symbol.
        let text = text
            .replace("<<", "< <")
            .replace("<<", "< <")
            .replace(">>", "> >")
            .replace(">>", "> >");
        assert_eq!(clauses(&text).unwrap().len(), 1);
    }
    assert_eq!(
        clauses(&format!("p({}x).", "x-".repeat(deep)))
            .unwrap()
            .len(),
        1
    );
    let wide = |count: usize| format!("p(f({}x)).", "x,".repeat(count - 1));
    assert_eq!(clauses(&wide(65_535)).unwrap().len(), 1);
    assert_eq!(
        clauses(&wide(65_536)).unwrap_err().to_string(),
        "f.pl:1:131076: expected at most 65535 arguments, found `)`"
    );
}
