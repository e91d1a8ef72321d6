//! Terms as Prolog text that every Prolog reads: names with backslashes and quotes escaped.

use std::fmt::Write;

use kinwood_values::Term;
use kinwood_values::term::{EMPTY_LIST, LIST, Node};
use kinwood_values::text::{identifier_like, number_text};

/// What is being written around the next symbol.
enum Open {
    /// Arguments of a functor: how many are left, and whether the next is the first.
    Arguments {
        left: u32,
        first: bool,
    },
    Element,
    Rest,
}

/// The term as Prolog reads it, without the full stop that makes it a fact.
///
/// It differs from the term's own text in how quoted names are escaped, and in `1.0e300` for
/// `1e300`.
///
/// ```
/// use kinwood_formats::prolog;
/// let term = r"p('it''s \ here',[a,B])".parse()?;
/// assert_eq!(prolog::print(&term), r"p('it\'s \\ here',[a,B])");
/// # Ok::<(), kinwood_values::ParseError>(())
/// ```
pub fn print(term: &Term) -> String {
    let mut out = String::new();
    let mut open: Vec<Open> = Vec::new();
    for node in term.nodes() {
        let is_list = matches!(node, Node::Functor { name, arity: 2 } if name == LIST);
        match open.last_mut() {
            Some(Open::Arguments { first, .. }) => {
                if !std::mem::take(first) {
                    out.push(',');
                }
            }
            Some(top @ Open::Rest) => {
                if is_list {
                    out.push(',');
                    *top = Open::Element;
                    continue;
                }
                let is_end = matches!(node, Node::Functor { name, arity: 0 } if name == EMPTY_LIST);
                if !is_end {
                    out.push('|');
                    symbol(&mut out, node);
                }
            }
            Some(Open::Element) | None => {}
        }
        if is_list {
            out.push('[');
            open.push(Open::Element);
            continue;
        }
        if !matches!(open.last(), Some(Open::Rest)) {
            symbol(&mut out, node);
        }
        if node.arity() > 0 {
            out.push('(');
            open.push(Open::Arguments {
                left: node.arity() as u32,
                first: true,
            });
            continue;
        }
        close(&mut out, &mut open);
    }
    out
}

/// Closes all that ends with a complete subterm.
fn close(out: &mut String, open: &mut Vec<Open>) {
    while let Some(top) = open.last_mut() {
        match top {
            Open::Element => {
                *top = Open::Rest;
                return;
            }
            Open::Rest => out.push(']'),
            Open::Arguments { left: 1, .. } => out.push(')'),
            Open::Arguments { left, .. } => {
                *left -= 1;
                return;
            }
        }
        open.pop();
    }
}

fn symbol(out: &mut String, node: &Node) {
    match node {
        Node::Number(number) => write_number(out, *number),
        Node::Variable(name) => out.push_str(name),
        Node::Functor { name, arity } => {
            if *arity == 0 && name == EMPTY_LIST {
                out.push_str(name);
            } else {
                write_atom(out, name);
            }
        }
    }
}

/// Writes a number as every Prolog reads it.
pub(crate) fn write_number(out: &mut String, number: f64) {
    let text = number_text(number);
    match text.split_once('e') {
        Some((mantissa, exponent)) if !mantissa.contains('.') => {
            out.extend([mantissa, ".0e", exponent]);
        }
        _ => out.push_str(&text),
    }
}

/// Writes a constant, in quotes where it needs them.
pub(crate) fn write_atom(out: &mut String, name: &str) {
    if identifier_like(name) && name.starts_with(|c: char| c.is_lowercase()) {
        out.push_str(name);
    } else {
        quoted(out, name);
    }
}

fn quoted(out: &mut String, name: &str) {
    out.push('\'');
    for character in name.chars() {
        match character {
            '\\' | '\'' => out.extend(['\\', character]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            control if control.is_control() => {
                write!(out, "\\x{:x}\\", u32::from(control))
                    .expect("writing to a string does not fail");
            }
            other => out.push(other),
        }
    }
    out.push('\'');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_prolog_reads_it() {
        let functor = |name: &str, arity| Node::Functor {
            name: name.to_owned(),
            arity,
        };
        let nodes = vec![
            functor("P x", 7),
            functor("a\n\t\u{0}\u{feff}'\\", 0),
            Node::Number(1e300),
            Node::Number(-1.5e-7),
            functor(LIST, 2),
            functor("中", 0),
            functor(LIST, 2),
            functor(LIST, 1),
            functor("x", 0),
            functor("f", 1),
            functor(EMPTY_LIST, 0),
            functor(EMPTY_LIST, 0),
            Node::Variable("X".to_owned()),
            Node::Number(3.0),
        ];
        let term = Term::new(nodes).unwrap();
        assert_eq!(
            print(&term),
            "'P x'('a\\n\\t\\x0\\\u{feff}\\'\\\\',1.0e300,-1.5e-7,['中','[|]'(x)|f([])],[],X,3)"
        );
    }
}
