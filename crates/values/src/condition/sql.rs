//! Conditions in SQL, so that SQLite and PostgreSQL choose the rows that we choose.

use super::{Condition, Named, Node, Operator, compare, find, wrong};
use crate::column::{Cells, Column};
use crate::datetime;
use crate::error::Error;
use crate::sql;
use crate::table::Table;

impl Condition {
    /// The names of the columns that are looked at, as they are written.
    pub fn columns(&self) -> Vec<&str> {
        let mut names = Vec::new();
        collect(&self.root, &mut names);
        names
    }

    /// The condition with the names of columns replaced.
    pub fn renamed(&self, name: &dyn Fn(&str) -> String) -> Self {
        let mut root = self.root.clone();
        rename(&mut root, name);
        Self { root }
    }

    /// The condition as SQL over a table that is called `alias` there: never unknown, as a
    /// comparison with a missing value is false.
    ///
    /// ```
    /// use kinwood_values::{Attribute, Column, Condition, Table};
    /// let sizes = Attribute::new("size", Column::numeric(vec![1.0, 5.0]));
    /// let table = Table::new("things", vec![sizes])?;
    /// let large: Condition = "not size < 2".parse()?;
    /// let sql = r#"NOT (t."size" IS NOT NULL AND t."size" < 2.0)"#;
    /// assert_eq!(large.sql(&table, "t")?, sql);
    /// # Ok::<(), kinwood_values::Error>(())
    /// ```
    pub fn sql(&self, table: &Table, alias: &str) -> Result<String, Error> {
        written(&self.root, table, alias)
    }
}

fn collect<'a>(node: &'a Node, names: &mut Vec<&'a str>) {
    match node {
        Node::All(nodes) | Node::Any(nodes) => nodes.iter().for_each(|node| collect(node, names)),
        Node::Not(node) => collect(node, names),
        Node::Compare { column, .. } | Node::In { column, .. } | Node::Missing { column } => {
            names.push(&column.text);
        }
    }
}

fn rename(node: &mut Node, name: &dyn Fn(&str) -> String) {
    match node {
        Node::All(nodes) | Node::Any(nodes) => nodes.iter_mut().for_each(|node| rename(node, name)),
        Node::Not(node) => rename(node, name),
        Node::Compare { column, .. } | Node::In { column, .. } | Node::Missing { column } => {
            column.text = name(&column.text);
        }
    }
}

fn written(node: &Node, table: &Table, alias: &str) -> Result<String, Error> {
    let join = |nodes: &[Node], word: &str| {
        let nodes = nodes.iter().map(|node| written(node, table, alias));
        let nodes: Vec<String> = nodes.collect::<Result<_, _>>()?;
        Ok(format!("({})", nodes.join(word)))
    };
    let place = |name: &Named| format!("{alias}.{}", sql::identifier(&name.text));
    match node {
        Node::All(nodes) => join(nodes, " AND "),
        Node::Any(nodes) => join(nodes, " OR "),
        Node::Not(inner) => match &**inner {
            Node::All(_) | Node::Any(_) => Ok(format!("NOT {}", written(inner, table, alias)?)),
            _ => Ok(format!("NOT ({})", written(inner, table, alias)?)),
        },
        Node::Missing { column } => {
            find(table, column)?;
            Ok(format!("{} IS NULL", place(column)))
        }
        Node::Compare {
            column,
            operator,
            constant,
        } => {
            let values = find(table, column)?;
            // What cannot be compared here cannot be compared there.
            compare(values, column, *operator, constant)?;
            let constant = literal(values, column, constant)?;
            let place = place(column);
            let sign = sign(*operator);
            Ok(format!("{place} IS NOT NULL AND {place} {sign} {constant}"))
        }
        Node::In { column, constants } => {
            let values = find(table, column)?;
            let literals = constants.iter().map(|constant| {
                compare(values, column, Operator::Equal, constant)?;
                literal(values, column, constant)
            });
            let literals: Vec<String> = literals.collect::<Result<_, _>>()?;
            let (place, literals) = (place(column), literals.join(", "));
            Ok(format!("{place} IS NOT NULL AND {place} IN ({literals})"))
        }
    }
}

fn sign(operator: Operator) -> &'static str {
    match operator {
        Operator::Equal => "=",
        Operator::Unequal => "<>",
        Operator::Less => "<",
        Operator::AtMost => "<=",
        Operator::Greater => ">",
        Operator::AtLeast => ">=",
    }
}

/// A constant as SQL writes what the column holds.
fn literal(column: &Column, name: &Named, constant: &Named) -> Result<String, Error> {
    let unwritable = || {
        let reason = format!(
            "`{}` cannot be written in SQL to be compared with `{}`",
            constant.text, name.text
        );
        wrong(constant.at, reason)
    };
    match column.cells() {
        Cells::Numeric(_) => {
            let number: Option<f64> = constant.text.parse().ok();
            let number = number.filter(|number| number.is_finite());
            number.map(sql::number).ok_or_else(unwritable)
        }
        Cells::DateTime(_) => {
            let instant = datetime::parse(&constant.text).map_err(|_| unwritable())?;
            Ok(sql::instant(instant))
        }
        _ => sql::text(&constant.text).ok_or_else(unwritable),
    }
}
