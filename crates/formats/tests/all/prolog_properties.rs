//! What holds for all Prolog texts: nothing panics, and what is printed is read back.

use kinwood_formats::{Source, prolog};
use kinwood_testing::any_term;
use kinwood_values::term::Node;
use kinwood_values::{Term, Type, Value};
use proptest::prelude::*;

const VALID: &str = "% comment\n:- dynamic p/2.\natm(d1,'D 1',c,22,-0.117).\n\
    ring(d1,<[a,b],[c|T]>,\"x\").\np(X) :- q(X).\nactive(d1). :- active(d2).\n\
    f(0'a,0x1F,1e-3,'\\x41\\\\n',- 1,a-b,[]). /* end */\n";

/// The fact `p(term)` read as a term.
fn through_text(term: &Term) -> Term {
    let text = format!("p({}).", prolog::print(term));
    let source = Source::from_bytes("f.pl", text.as_bytes());
    let stated = prolog::StatedPredicate {
        name: "p".into(),
        columns: vec![kinwood_formats::csv::StatedColumn {
            of: Some(Type::Term),
            ..Default::default()
        }],
    };
    let read = prolog::read_stated(&[source], &[stated]).expect("what is printed is read");
    match read.tables[0].table.attribute(0).column.value(0) {
        Value::Term(term) => term,
        other => panic!("{other} is no term"),
    }
}

/// The inferred value, whatever its type, written as a term again.
fn as_term(value: &Value) -> Vec<Node> {
    let constant = |name: &str| Node::Functor {
        name: name.to_owned(),
        arity: 0,
    };
    match value {
        Value::Term(term) => term.nodes().to_vec(),
        Value::Number(number) => vec![Node::Number(*number)],
        Value::Symbol(name) => vec![constant(name)],
        Value::List(values) => {
            let mut nodes = Vec::new();
            for value in values {
                nodes.push(Node::Functor {
                    name: "[|]".into(),
                    arity: 2,
                });
                nodes.extend(as_term(value));
            }
            nodes.push(constant("[]"));
            nodes
        }
        other => panic!("no argument is inferred to be {other}"),
    }
}

fn read(bytes: &[u8]) {
    for name in ["f.pl", "f.n"] {
        let source = Source::from_bytes(name, bytes);
        let again = Source::from_bytes("g.f", bytes);
        let _ = prolog::read(std::slice::from_ref(&source));
        let _ = prolog::read(&[source, again]);
    }
}

proptest! {
    #[test]
    fn printed_terms_are_read_back(term in any_term()) {
        prop_assert_eq!(through_text(&term), term);
    }

    #[test]
    fn inferred_columns_lose_nothing(terms in proptest::collection::vec(any_term(), 1..4)) {
        let text: String = terms
            .iter()
            .map(|term| format!("p({}).\n", prolog::print(term)))
            .collect();
        let read = prolog::read(&[Source::from_bytes("f.pl", text.as_bytes())]).unwrap();
        let column = &read.tables[0].table.attribute(0).column;
        let mixed = column.type_of() == Type::Nominal;
        for (row, term) in terms.iter().enumerate() {
            let value = column.value(row);
            match (term.node(0), &value) {
                // Among constants a number is the constant of its text.
                (Node::Number(number), Value::Symbol(label)) if mixed => {
                    prop_assert_eq!(label, &kinwood_values::text::number_text(*number));
                }
                _ => prop_assert_eq!(&Term::new(as_term(&value)).unwrap(), term),
            }
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
        read(&bytes);
    }

    #[test]
    fn any_marks_are_read_or_refused(text in "[pqX_ ()\\[\\]<>,|.:\\-'\"\\\\%/*0-9e\n]{0,40}") {
        read(text.as_bytes());
    }

    #[test]
    fn mutated_facts_are_read_or_refused(
        edits in proptest::collection::vec((any::<prop::sample::Index>(), 0u8..4, any::<u8>()), 1..6),
    ) {
        let mut bytes = VALID.as_bytes().to_vec();
        for (place, kind, byte) in edits {
            if bytes.is_empty() {
                break;
            }
            let at = place.index(bytes.len());
            match kind {
                0 => bytes[at] = byte,
                1 => { bytes.remove(at); }
                2 => bytes.insert(at, byte),
                _ => bytes.truncate(at),
            }
        }
        read(&bytes);
    }
}

#[test]
fn the_valid_text_is_valid() {
    let tables = prolog::read(&[Source::from_bytes("f.pl", VALID.as_bytes())])
        .unwrap()
        .tables;
    assert_eq!(tables.len(), 4);
}
