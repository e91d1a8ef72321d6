//! Tables as Prolog facts: each table a predicate, each row a fact.
//!
//! Labels, texts and dates are constants, collections lists, tuples `t(…)`, trees and terms terms,
//! graphs `graph(directed,[n(a),n(b,label)],[e(a,b)])`. A missing value is `'?'`, as it is in ARFF
//! and CSV.

use std::io::{self, Write};

use kinwood_values::term::Node;
use kinwood_values::{Cells, Column, Notice, NoticeKind, Table, Term, Tree, Value};

use super::MISSING;
use super::graph::write_graph;
use crate::prolog_syntax::print::{print, write_atom, write_number};
use crate::schema::Schema;

/// Tables about to be written.
pub(crate) struct Facts<'a> {
    /// Tables with the names of their predicates.
    tables: Vec<(&'a Table, String)>,
    /// Tables without rows.
    left_out: Vec<&'a str>,
}

impl<'a> Facts<'a> {
    /// The tables that have rows; nothing if none has.
    pub fn of(tables: &'a [Table]) -> Option<Self> {
        let (rows, none): (Vec<&Table>, Vec<&Table>) =
            tables.iter().partition(|table| table.rows() > 0);
        let named = |table: &&'a Table| (*table, predicate(table, &rows));
        let facts = Self {
            tables: rows.iter().map(named).collect(),
            left_out: none.iter().map(|table| table.name()).collect(),
        };
        (!facts.tables.is_empty()).then_some(facts)
    }

    /// Takes what is left out from the schema.
    pub fn state(&self, schema: &mut Schema) {
        let out = |name: &str| self.left_out.contains(&name);
        schema.tables.retain(|table| !out(&table.name));
        for table in &mut schema.tables {
            table.foreign_keys.retain(|key| !out(&key.references));
        }
        schema.targets.retain(|target| {
            let of = |table: &&&str| {
                let rest = target.strip_prefix(**table);
                rest.is_some_and(|rest| rest.starts_with('.'))
            };
            !self.left_out.iter().any(|table| of(&table))
        });
        // A single table's targets go by their column alone.
        if let ([table], false) = (self.tables.as_slice(), self.left_out.is_empty()) {
            let prefix = format!("{}.", table.0.name());
            for target in &mut schema.targets {
                *target = target.strip_prefix(&prefix).unwrap_or(target).to_owned();
            }
        }
    }

    /// What facts cannot say.
    pub fn notices(&self) -> Vec<Notice> {
        let mut notices = Vec::new();
        for table in &self.left_out {
            notices.push(Notice::about(
                NoticeKind::Loss,
                format!("the table `{table}` has no rows, so no facts: it is left out"),
            ));
        }
        for (table, _) in &self.tables {
            for attribute in table.attributes() {
                if holds_mark(&attribute.column) {
                    notices.push(Notice::about(NoticeKind::Loss, format!(
                        "column `{}` of `{}` holds the value `{MISSING}`, which reads as missing",
                        attribute.name,
                        table.name()
                    )));
                }
            }
        }
        notices
    }

    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut fact = String::new();
        for (position, (table, predicate)) in self.tables.iter().enumerate() {
            if position > 0 {
                writeln!(out)?;
            }
            let columns: Vec<&str> = table
                .attributes()
                .iter()
                .map(|of| of.name.as_str())
                .collect();
            let columns = columns.join(", ").replace(char::is_control, " ");
            writeln!(out, "% {predicate}: {columns}")?;
            for row in 0..table.rows() {
                fact.clear();
                write_atom(&mut fact, predicate);
                for (position, attribute) in table.attributes().iter().enumerate() {
                    fact.push(if position == 0 { '(' } else { ',' });
                    argument(&mut fact, &attribute.column.value(row));
                }
                writeln!(out, "{fact}).")?;
            }
        }
        Ok(())
    }
}

/// The predicate of a table: its name, without the arity by which it was told from others of that
/// name.
fn predicate(table: &Table, tables: &[&Table]) -> String {
    let base = |table: &Table| {
        let (base, arity) = table.name().rsplit_once('/')?;
        (arity.parse() == Ok(table.attributes().len())).then(|| base.to_owned())
    };
    let own = base(table);
    let shared = tables.iter().filter(|other| base(other) == own).count() > 1;
    let taken = |name: &String| tables.iter().any(|other| other.name() == name);
    own.filter(|name| shared && !taken(name))
        .unwrap_or_else(|| table.name().to_owned())
}

/// Whether a label or text is the mark of missing values.
fn holds_mark(column: &Column) -> bool {
    match column.cells() {
        Cells::Nominal { dictionary, .. } => dictionary.code(MISSING).is_some(),
        Cells::String(texts) => (0..texts.len()).any(|row| texts.get(row) == MISSING),
        Cells::Collection { members, .. } => holds_mark(&members.child),
        Cells::Tuple { fields, .. } => fields.iter().any(holds_mark),
        Cells::Tree(trees) => trees.dictionary.code(MISSING).is_some(),
        Cells::Term(terms) => terms.dictionary.code(MISSING).is_some(),
        _ => false,
    }
}

fn argument(out: &mut String, value: &Value) {
    match value {
        Value::Missing => write_atom(out, MISSING),
        Value::Symbol(text) | Value::Text(text) => write_atom(out, text),
        Value::Number(number) => write_number(out, *number),
        Value::DateTime(_) => write_atom(out, &value.to_string()),
        Value::List(elements) | Value::Set(elements) | Value::Bag(elements) => {
            enclosed(out, "[", elements, "]");
        }
        Value::Tuple(fields) if fields.is_empty() => out.push_str("[]"),
        Value::Tuple(fields) => enclosed(out, "t(", fields, ")"),
        Value::Tree(tree) => out.push_str(&print(&as_term(tree))),
        Value::Term(term) => out.push_str(&print(term)),
        Value::Graph(graph) => write_graph(out, graph),
        Value::Ref(row) => write_number(out, f64::from(*row) + 1.0),
    }
}

fn enclosed(out: &mut String, open: &str, values: &[Value], close: &str) {
    out.push_str(open);
    for (position, value) in values.iter().enumerate() {
        if position > 0 {
            out.push(',');
        }
        argument(out, value);
    }
    out.push_str(close);
}

/// The term whose functors are the tree's labels.
fn as_term(tree: &Tree) -> Term {
    let nodes = tree.labels().iter().zip(tree.arities());
    let node = |(label, arity): (&String, &u32)| Node::Functor {
        name: label.clone(),
        arity: *arity,
    };
    Term::new(nodes.map(node).collect()).expect("a tree is a term without numbers and variables")
}
