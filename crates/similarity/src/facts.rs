//! Objects as facts: how a value of any structured type is said in ground terms.
//!
//! A fact `bond(m, a1, a2, single)` describes its first argument, the ID, by the others. An
//! argument that is an ID itself is described by facts of its own. An object is the set of the
//! facts that describe its main ID, [`MAIN`], and of those that describe the IDs reached from it.
//! Names of described IDs are never compared, only what is said of them.

pub(crate) mod base;
pub(crate) mod fourlayer;
pub(crate) mod plan;
pub(crate) mod structural;

use std::borrow::Cow;

use kinwood_values::term::Node;
use kinwood_values::{Cells, Column, Field, Term, Type, Value};

use crate::error::Error;

/// The main ID of an object.
pub(crate) const MAIN: &str = "self";
/// What stands for a value that is not known: equal to itself alone.
const UNKNOWN: &str = "?";
/// The predicate of what a value without names holds.
const MEMBER: &str = "member";
const VALUE: &str = "value";

/// The type of an object's facts.
pub(crate) fn facts_type() -> Type {
    Type::Set(Box::new(Type::Term))
}

/// The setting by which a measure of terms says that it is one of objects described by facts.
pub(crate) const ON: &str = "on";
/// Its value, and how models name that rows are read as facts.
pub(crate) const FACTS: &str = "facts";

/// Whether values of the type are objects with something to say of them.
pub(crate) fn describes(of: &Type) -> bool {
    matches!(
        of,
        Type::Tuple(_) | Type::Set(_) | Type::Bag(_) | Type::List(_)
    )
}

/// A constant, as an argument.
pub(crate) fn constant(name: &str) -> Vec<Node> {
    vec![Node::Functor {
        name: name.to_owned(),
        arity: 0,
    }]
}

/// A label, as an argument; one that reads like the main ID is not it.
fn symbol(text: &str) -> Vec<Node> {
    match text {
        MAIN => identifier("symbol", &[Value::Symbol(text.to_owned())]),
        text => constant(text),
    }
}

/// An ID of a kind, set apart by what names it, as an argument.
pub(crate) fn identifier(kind: &str, names: &[Value]) -> Vec<Node> {
    let mut nodes = vec![Node::Functor {
        name: kind.to_owned(),
        arity: names.len() as u32,
    }];
    for name in names {
        nodes.extend(match name {
            Value::Number(number) => vec![Node::Number(*number)],
            Value::Symbol(text) | Value::Text(text) => constant(text),
            other => constant(&other.to_string()),
        });
    }
    nodes
}

/// Facts as they are collected.
#[derive(Default)]
pub(crate) struct Facts {
    facts: Vec<Term>,
    /// IDs made for parts that have none.
    made: usize,
}

/// A field of what is described.
pub(crate) struct Described<'a> {
    /// What facts and IDs that are made of it are called.
    pub(crate) name: Cow<'a, str>,
    pub(crate) of: &'a Type,
    pub(crate) value: Value,
}

impl Facts {
    /// The facts as a value, each once.
    pub(crate) fn into_value(self) -> Value {
        Value::set(self.facts.into_iter().map(Value::Term).collect())
    }

    /// How many there are, repeats included.
    pub(crate) fn len(&self) -> usize {
        self.facts.len()
    }

    /// Says of an ID what its fields are: values with members are facts of their own, all others
    /// are arguments of one fact, behind `first`. Without arguments there is such a fact only if
    /// `always`.
    pub(crate) fn say(
        &mut self,
        predicate: &str,
        id: &[Node],
        first: Vec<Vec<Node>>,
        fields: &[Described<'_>],
        always: bool,
    ) {
        let mut arguments = first;
        for field in fields {
            match field.of {
                Type::List(of) | Type::Set(of) | Type::Bag(of) => {
                    if let Value::List(members) | Value::Set(members) | Value::Bag(members) =
                        &field.value
                    {
                        self.say_members(&field.name, id, of, members);
                    }
                }
                of => {
                    let argument = self.argument(&field.name, of, &field.value);
                    arguments.push(argument);
                }
            }
        }
        if always || !arguments.is_empty() {
            self.push(predicate, id, arguments);
        }
    }

    fn push(&mut self, predicate: &str, id: &[Node], arguments: Vec<Vec<Node>>) {
        let mut nodes = vec![Node::Functor {
            name: predicate.to_owned(),
            arity: arguments.len() as u32 + 1,
        }];
        nodes.extend_from_slice(id);
        nodes.extend(arguments.into_iter().flatten());
        self.facts
            .push(Term::new(nodes).expect("every argument is a whole term"));
    }

    /// Facts of members: terms speak for themselves, tuples by their fields, all else as it is.
    fn say_members(&mut self, name: &str, id: &[Node], of: &Type, members: &[Value]) {
        if *of == Type::Term {
            let terms = members.iter().filter_map(|member| match member {
                Value::Term(term) => Some(term),
                _ => None,
            });
            let terms: Vec<&Term> = terms.collect();
            let main = main_of(&terms);
            for term in terms {
                self.take_over(name, term, main, id);
            }
            return;
        }
        for member in members {
            match (of, member) {
                (Type::Tuple(fields), Value::Tuple(values)) => {
                    let described = by_field(fields, values, name);
                    let nested = fields.iter().any(|field| describes(&field.of));
                    if nested {
                        let own = self.make(name);
                        let part = format!("{name} {VALUE}");
                        self.say(&part, &own, Vec::new(), &described, false);
                        self.push(name, id, vec![own]);
                    } else {
                        self.say(name, id, Vec::new(), &described, true);
                    }
                }
                _ => {
                    let argument = self.argument(name, of, member);
                    self.push(name, id, vec![argument]);
                }
            }
        }
    }

    /// A fact that is there already, its main ID replaced; a term that is no fact is the member of
    /// a set.
    fn take_over(&mut self, name: &str, term: &Term, main: Option<&[Node]>, id: &[Node]) {
        let arguments: Vec<&[Node]> = term
            .children(term.root())
            .map(|child| subterm(term, child))
            .collect();
        let (
            Some(main),
            Node::Functor {
                name: predicate, ..
            },
            false,
        ) = (main, term.node(term.root()), arguments.is_empty())
        else {
            self.push(name, id, vec![term.nodes().to_vec()]);
            return;
        };
        let mut replaced = arguments
            .into_iter()
            .map(|argument| match argument == main {
                true => id.to_vec(),
                false => argument.to_vec(),
            });
        let first = replaced.next().expect("there are arguments");
        let rest = replaced.collect();
        let predicate = match name {
            MEMBER => predicate.clone(),
            name => format!("{name}.{predicate}"),
        };
        self.push(&predicate, &first, rest);
    }

    fn argument(&mut self, name: &str, of: &Type, value: &Value) -> Vec<Node> {
        match (of, value) {
            (_, Value::Missing) => constant(UNKNOWN),
            (_, Value::Symbol(text) | Value::Text(text)) => symbol(text),
            (_, Value::Number(number)) => vec![Node::Number(*number)],
            (_, Value::DateTime(moment)) => vec![Node::Number(*moment as f64)],
            (_, Value::Term(term)) => term.nodes().to_vec(),
            (Type::Tuple(fields), Value::Tuple(values)) => {
                let own = self.make(name);
                let described = by_field(fields, values, name);
                self.say(name, &own, Vec::new(), &described, false);
                own
            }
            (
                Type::List(of) | Type::Set(of) | Type::Bag(of),
                Value::List(members) | Value::Set(members) | Value::Bag(members),
            ) => {
                let own = self.make(name);
                self.say_members(name, &own, of, members);
                own
            }
            (_, other) => constant(&other.to_string()),
        }
    }

    fn make(&mut self, name: &str) -> Vec<Node> {
        self.made += 1;
        identifier(name, &[Value::Number(self.made as f64)])
    }
}

/// The fields of a tuple, called by the way to them, so that no two are called the same.
fn by_field<'a>(fields: &'a [Field], values: &[Value], of: &str) -> Vec<Described<'a>> {
    let named = |(place, (field, value)): (usize, (&'a Field, &Value))| {
        let name = match &field.name {
            Some(name) => format!("{of}.{name}"),
            None => format!("{of}.{}", place + 1),
        };
        Described {
            name: Cow::Owned(name),
            of: &field.of,
            value: value.clone(),
        }
    };
    fields.iter().zip(values).enumerate().map(named).collect()
}

fn subterm(term: &Term, node: usize) -> &[Node] {
    &term.nodes()[node..node + term.size(node)]
}

/// The main ID of facts: [`MAIN`] if it is described, else the only ID that is no other argument.
fn main_of<'a>(facts: &[&'a Term]) -> Option<&'a [Node]> {
    let argument = |fact: &'a Term, place: usize| {
        let child = fact.children(fact.root()).nth(place);
        child.map(|child| subterm(fact, child))
    };
    let mut ids: Vec<&[Node]> = facts.iter().filter_map(|fact| argument(fact, 0)).collect();
    ids.sort();
    ids.dedup();
    let named = constant(MAIN);
    if let Some(main) = ids.iter().find(|id| **id == named.as_slice()) {
        return Some(main);
    }
    for fact in facts {
        let others: Vec<&[Node]> = (1..)
            .map_while(|place| argument(fact, place))
            .filter(|other| argument(fact, 0) != Some(other))
            .collect();
        ids.retain(|id| !others.contains(id));
    }
    match *ids {
        [only] => Some(only),
        _ => None,
    }
}

/// The objects of a column as sets of facts.
pub(crate) fn objects(column: &Column) -> Result<Column, Error> {
    let of = column.type_of();
    if of == facts_type() {
        return Ok(column.clone());
    }
    // What rows read as facts are.
    if let Cells::Tuple { fields, .. } = column.cells()
        && let [only] = fields.as_slice()
        && only.type_of() == facts_type()
    {
        return Ok(only.clone());
    }
    let all: Vec<Value> = (0..column.len())
        .map(|row| match column.value(row) {
            Value::Missing => Value::Missing,
            value => {
                let mut facts = Facts::default();
                let main = constant(MAIN);
                match (&of, &value) {
                    (Type::Tuple(fields), Value::Tuple(values)) => {
                        let described = by_field(fields, values, VALUE);
                        facts.say(VALUE, &main, Vec::new(), &described, false);
                    }
                    (
                        Type::List(of) | Type::Set(of) | Type::Bag(of),
                        Value::List(members) | Value::Set(members) | Value::Bag(members),
                    ) => facts.say_members(MEMBER, &main, of, members),
                    _ => {}
                }
                facts.into_value()
            }
        })
        .collect();
    Column::from_values(&facts_type(), &all).map_err(|_| Error::Layout {
        column: of.to_string(),
    })
}
