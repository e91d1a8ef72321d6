//! First-order terms, `p(f(a),X)`.
//!
//! Held in preorder like trees, for the same reason: long lists are deep terms, and no depth may
//! exhaust the stack. A list `[a,b|T]` is the term `'[|]'(a,'[|]'(b,T))`, the empty list the
//! constant `[]`.

use std::cmp::Ordering;
use std::fmt::{self, Write};
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use hashbrown::{HashMap, HashSet};

use crate::text::{Form, ParseError, Scanner, finite, identifier_like, number_text, write_name};
use crate::tree::{children, deepest, subtree_sizes};

/// Functor of a list with a first element and a rest.
pub const LIST: &str = "[|]";
/// Constant for the list without elements.
pub const EMPTY_LIST: &str = "[]";

/// One symbol of a term.
#[derive(Clone, Debug)]
pub enum Node {
    /// A functor with its number of arguments; a constant has none.
    Functor {
        /// Its name.
        name: String,
        /// Number of arguments.
        arity: u32,
    },
    /// A finite number.
    Number(f64),
    /// A variable.
    Variable(String),
}

impl Node {
    /// Number of arguments: 0 for constants, numbers and variables.
    pub fn arity(&self) -> usize {
        self.arguments() as usize
    }

    fn arguments(&self) -> u32 {
        match self {
            Node::Functor { arity, .. } => *arity,
            Node::Number(_) | Node::Variable(_) => 0,
        }
    }

    fn constant(name: &str) -> Node {
        Node::Functor {
            name: name.to_owned(),
            arity: 0,
        }
    }

    fn cons() -> Node {
        Node::Functor {
            name: LIST.to_owned(),
            arity: 2,
        }
    }

    fn is_functor(&self, wanted: &str, arguments: u32) -> bool {
        matches!(self, Node::Functor { name, arity } if name == wanted && *arity == arguments)
    }
}

/// The standard order of terms: variables, numbers, then functors by arity and name.
impl Ord for Node {
    fn cmp(&self, other: &Node) -> Ordering {
        match (self, other) {
            (Node::Variable(a), Node::Variable(b)) => a.cmp(b),
            (Node::Variable(_), _) => Ordering::Less,
            (_, Node::Variable(_)) => Ordering::Greater,
            (Node::Number(a), Node::Number(b)) => (a + 0.0).total_cmp(&(b + 0.0)),
            (Node::Number(_), _) => Ordering::Less,
            (_, Node::Number(_)) => Ordering::Greater,
            (Node::Functor { name: a, arity: m }, Node::Functor { name: b, arity: n }) => {
                (m, a).cmp(&(n, b))
            }
        }
    }
}

impl PartialOrd for Node {
    fn partial_cmp(&self, other: &Node) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Node {
    fn eq(&self, other: &Node) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Node {}

impl Hash for Node {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Node::Functor { name, arity } => (0, name, arity).hash(state),
            Node::Number(number) => (1, (number + 0.0).to_bits()).hash(state),
            Node::Variable(name) => (2, name).hash(state),
        }
    }
}

/// A first-order term. Symbols are numbered in preorder from 0, the outermost.
///
/// ```
/// use kinwood_values::Term;
/// let term: Term = "p(f(a),X,[1,2|X])".parse()?;
/// assert!(!term.is_ground());
/// assert_eq!(term.variables(), ["X"]);
/// assert!(term.same_up_to_renaming(&"p(f(a),Y,[1,2|Y])".parse()?));
/// # Ok::<(), kinwood_values::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Term {
    nodes: Vec<Node>,
    sizes: Vec<u32>,
}

impl Term {
    /// A term from its symbols in preorder.
    pub fn new(mut nodes: Vec<Node>) -> Result<Term, ParseError> {
        for node in &mut nodes {
            match node {
                Node::Number(number) => *number = finite(*number)?,
                Node::Variable(name) if !variable_like(name) => {
                    return Err(ParseError::NotAVariable { name: name.clone() });
                }
                Node::Variable(_) | Node::Functor { .. } => {}
            }
        }
        let arities: Vec<u32> = nodes.iter().map(Node::arguments).collect();
        let sizes = subtree_sizes(&arities)?;
        Ok(Term { nodes, sizes })
    }

    /// Number of symbols.
    #[expect(clippy::len_without_is_empty, reason = "no term is empty")]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The outermost symbol, node 0.
    pub fn root(&self) -> usize {
        0
    }

    /// A symbol.
    pub fn node(&self, node: usize) -> &Node {
        &self.nodes[node]
    }

    /// All symbols in preorder.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Number of symbols of the subterm that begins at a symbol: nodes `node..node + size(node)`.
    pub fn size(&self, node: usize) -> usize {
        self.sizes[node] as usize
    }

    /// Where the arguments of a symbol begin, from first to last.
    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        children(&self.sizes, node)
    }

    /// Number of symbols on the longest way inwards: 1 for a constant.
    pub fn depth(&self) -> usize {
        deepest(self.nodes.iter().map(Node::arguments))
    }

    /// Whether the term has no variables.
    pub fn is_ground(&self) -> bool {
        !self
            .nodes
            .iter()
            .any(|node| matches!(node, Node::Variable(_)))
    }

    /// The variables, each once, in the order of their first occurrence.
    pub fn variables(&self) -> Vec<&str> {
        let mut seen = HashSet::new();
        let names = self.nodes.iter().filter_map(|node| match node {
            Node::Variable(name) => Some(name.as_str()),
            Node::Functor { .. } | Node::Number(_) => None,
        });
        names.filter(|name| seen.insert(*name)).collect()
    }

    /// Whether the terms differ at most by a one-to-one renaming of variables.
    pub fn same_up_to_renaming(&self, other: &Term) -> bool {
        let mut forth: HashMap<&str, &str> = HashMap::new();
        let mut back: HashMap<&str, &str> = HashMap::new();
        self.nodes.len() == other.nodes.len()
            && self
                .nodes
                .iter()
                .zip(&other.nodes)
                .all(|(a, b)| match (a, b) {
                    (Node::Variable(a), Node::Variable(b)) => {
                        *forth.entry(a).or_insert(b) == b && *back.entry(b).or_insert(a) == a
                    }
                    (a, b) => a == b,
                })
    }
}

fn opens_variable(c: char) -> bool {
    c == '_' || c.is_uppercase()
}

fn variable_like(name: &str) -> bool {
    name != "_" && name.starts_with(opens_variable) && identifier_like(name)
}

fn write_node(f: &mut fmt::Formatter<'_>, node: &Node) -> fmt::Result {
    match node {
        Node::Number(number) => f.write_str(&number_text(*number)),
        Node::Variable(name) => f.write_str(name),
        Node::Functor { name, arity } => {
            let bare = identifier_like(name) && !name.starts_with(opens_variable);
            write_name(f, name, bare || (*arity == 0 && name == EMPTY_LIST))
        }
    }
}

/// What is being written around the next symbol.
enum Printing {
    /// Arguments of a functor: how many are left, and whether the next is the first.
    Arguments { left: u32, first: bool },
    /// The next element of a list.
    Element,
    /// The rest of a list.
    Rest,
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut open: Vec<Printing> = Vec::new();
        for node in &self.nodes {
            let is_list = node.is_functor(LIST, 2);
            match open.last_mut() {
                Some(Printing::Arguments { first, .. }) => {
                    if !std::mem::take(first) {
                        f.write_char(',')?;
                    }
                }
                Some(top @ Printing::Rest) => {
                    if is_list {
                        f.write_char(',')?;
                        *top = Printing::Element;
                        continue;
                    }
                    if !node.is_functor(EMPTY_LIST, 0) {
                        f.write_char('|')?;
                        write_node(f, node)?;
                    }
                }
                Some(Printing::Element) | None => {}
            }
            if is_list {
                f.write_char('[')?;
                open.push(Printing::Element);
                continue;
            }
            if !matches!(open.last(), Some(Printing::Rest)) {
                write_node(f, node)?;
            }
            if node.arguments() > 0 {
                f.write_char('(')?;
                open.push(Printing::Arguments {
                    left: node.arguments(),
                    first: true,
                });
                continue;
            }
            // A subterm is complete: close what ends with it.
            while let Some(top) = open.last_mut() {
                match top {
                    Printing::Element => {
                        *top = Printing::Rest;
                        break;
                    }
                    Printing::Rest => f.write_char(']')?,
                    Printing::Arguments { left: 1, .. } => f.write_char(')')?,
                    Printing::Arguments { left, .. } => {
                        *left -= 1;
                        break;
                    }
                }
                open.pop();
            }
        }
        Ok(())
    }
}

/// What is being read around the next symbol.
enum Reading {
    /// Arguments of the functor at this node.
    Arguments(usize),
    /// Elements of a list.
    Elements,
    /// The rest of a list after `|`.
    Rest,
}

impl FromStr for Term {
    type Err = ParseError;

    /// Reads a term in the usual notation, without operators.
    ///
    /// Names that begin with an upper-case letter or `_` are variables, and each `_` is one of its
    /// own, which gets a name (`_1`, `_2`, …) not used otherwise. `'…'` holds any name, a quote
    /// inside doubled. A text in double quotes is a constant: `"a b"` reads as `'a b'`.
    fn from_str(text: &str) -> Result<Term, ParseError> {
        let mut scanner = Scanner::new(Form::Term, text);
        let mut nodes: Vec<Node> = Vec::new();
        let mut open: Vec<Reading> = Vec::new();
        loop {
            if scanner.eat('[') {
                if !scanner.eat(']') {
                    nodes.push(Node::cons());
                    open.push(Reading::Elements);
                    continue;
                }
                nodes.push(Node::constant(EMPTY_LIST));
            } else {
                let (node, may_have_arguments) = read_symbol(&mut scanner)?;
                nodes.push(node);
                if may_have_arguments && scanner.eat('(') {
                    open.push(Reading::Arguments(nodes.len() - 1));
                    continue;
                }
            }
            // A subterm is complete: see whether more follows at its level or it closes others.
            loop {
                match open.last_mut() {
                    None => {
                        scanner.end()?;
                        name_anonymous(&mut nodes);
                        return Term::new(nodes);
                    }
                    Some(Reading::Arguments(functor)) => {
                        if let Node::Functor { arity, .. } = &mut nodes[*functor] {
                            *arity += 1;
                        }
                        if scanner.eat(',') {
                            break;
                        }
                        if !scanner.eat(')') {
                            return Err(scanner.unexpected("`,` or `)`"));
                        }
                    }
                    Some(reading @ Reading::Elements) => {
                        if scanner.eat(',') {
                            nodes.push(Node::cons());
                            break;
                        }
                        if scanner.eat('|') {
                            *reading = Reading::Rest;
                            break;
                        }
                        if !scanner.eat(']') {
                            return Err(scanner.unexpected("`,`, `|` or `]`"));
                        }
                        nodes.push(Node::constant(EMPTY_LIST));
                    }
                    Some(Reading::Rest) => {
                        if !scanner.eat(']') {
                            return Err(scanner.unexpected("`]`"));
                        }
                    }
                }
                open.pop();
            }
        }
    }
}

/// One symbol, and whether arguments may follow it.
fn read_symbol(scanner: &mut Scanner<'_>) -> Result<(Node, bool), ParseError> {
    scanner.skip_blanks();
    if let Some(number) = scanner.number() {
        return Ok((Node::Number(number?), false));
    }
    if let Some(name) = scanner.quoted('\'') {
        return Ok((Node::constant(&name?), true));
    }
    if let Some(name) = scanner.quoted('"') {
        return Ok((Node::constant(&name?), false));
    }
    match scanner.word() {
        Some(name) if name.starts_with(opens_variable) => {
            Ok((Node::Variable(name.to_owned()), false))
        }
        Some(name) => Ok((Node::constant(name), true)),
        None => Err(scanner.unexpected("a term")),
    }
}

/// Gives every `_` a name of its own.
fn name_anonymous(nodes: &mut [Node]) {
    let named: HashSet<String> = nodes
        .iter()
        .filter_map(|node| match node {
            Node::Variable(name) if name != "_" => Some(name.clone()),
            _ => None,
        })
        .collect();
    let mut fresh = (1u64..)
        .map(|n| format!("_{n}"))
        .filter(|name| !named.contains(name));
    for node in nodes {
        if let Node::Variable(name) = node
            && name == "_"
        {
            *name = fresh.next().expect("there are more numbers than nodes");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn term(text: &str) -> Term {
        text.parse().unwrap()
    }

    #[test]
    fn reads_and_prints() {
        for (text, printed) in [
            ("p( f(a) , X)", "p(f(a),X)"),
            (
                "'hello world'(-1.5e3,'it''s')",
                "'hello world'(-1500,'it''s')",
            ),
            ("\"hello \"\"you\"\"\"", "'hello \"you\"'"),
            ("\"b\"", "b"),
            ("'X'", "'X'"),
            ("[]", "[]"),
            ("'[]'", "[]"),
            ("'[]'(a)", "'[]'(a)"),
            ("[a, b | T]", "[a,b|T]"),
            ("'[|]'(a,'[|]'(b,[]))", "[a,b]"),
            ("'[|]'(a)", "'[|]'(a)"),
            ("[a|f([b],c)]", "[a|f([b],c)]"),
            ("[[],[[x]|Y],1]", "[[],[[x]|Y],1]"),
            ("f(_,_2,_)", "f(_1,_2,_3)"),
        ] {
            assert_eq!(term(text).to_string(), printed, "{text}");
        }
    }

    #[test]
    fn errors_say_where_and_what() {
        for (text, expected) in [
            ("", "expected a term at column 1 of the term, found the end"),
            ("p()", "expected a term at column 3 of the term, found `)`"),
            (
                "p(a",
                "expected `,` or `)` at column 4 of the term, found the end",
            ),
            (
                "X(a)",
                "expected the end at column 2 of the term, found `(`",
            ),
            ("[a|b,c]", "expected `]` at column 5 of the term, found `,`"),
            (
                "[a b]",
                "expected `,`, `|` or `]` at column 4 of the term, found `b`",
            ),
            (
                "p(a) :- q",
                "expected the end at column 6 of the term, found `:`",
            ),
            ("f(1e999)", "`1e999` is not a finite number"),
        ] {
            assert_eq!(
                text.parse::<Term>().unwrap_err().to_string(),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn refuses_what_is_no_term() {
        let functor = |arity| Node::Functor {
            name: "f".into(),
            arity,
        };
        assert_eq!(Term::new(vec![]), Err(ParseError::NotOneTree { nodes: 0 }));
        assert_eq!(
            Term::new(vec![functor(2), functor(0)]),
            Err(ParseError::NotOneTree { nodes: 2 })
        );
        for name in ["", "_", "x", "X y"] {
            assert_eq!(
                Term::new(vec![Node::Variable(name.into())]),
                Err(ParseError::NotAVariable { name: name.into() })
            );
        }
        assert!(Term::new(vec![Node::Number(f64::NAN)]).is_err());
        assert_eq!(Term::new(vec![Node::Number(-0.0)]), Ok(term("0")));
    }

    #[test]
    fn walks() {
        let term = term("p(f(a,X),Y,X)");
        assert_eq!(term.children(0).collect::<Vec<_>>(), [1, 4, 5]);
        assert_eq!((term.len(), term.depth(), term.size(1)), (6, 3, 3));
        assert_eq!(term.variables(), ["X", "Y"]);
        assert!(!term.is_ground());
    }

    #[test]
    fn renaming_is_one_to_one() {
        for (a, b, same) in [
            ("p(X,Y)", "p(Y,X)", true),
            ("p(X,Y)", "p(Z,Z)", false),
            ("p(Z,Z)", "p(X,Y)", false),
            ("p(X)", "p(a)", false),
            ("p(X,X)", "p(X)", false),
        ] {
            assert_eq!(term(a).same_up_to_renaming(&term(b)), same, "{a} {b}");
        }
    }

    #[test]
    fn a_very_deep_term_is_no_problem() {
        let text = format!("{}a{}", "f(".repeat(100_000), ")".repeat(100_000));
        let deep = term(&text);
        assert_eq!(deep.depth(), 100_001);
        assert_eq!(deep.to_string(), text);
        assert!(deep.same_up_to_renaming(&deep.clone()));
        let list = format!("[{}a]", "a,".repeat(100_000));
        assert_eq!(term(&list).to_string(), list);
        let nested = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(term(&nested).to_string(), nested);
    }
}
