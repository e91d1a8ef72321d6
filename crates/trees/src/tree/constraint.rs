//! Constraints on trees: `size <= 11 and (depth <= 4 or cost <= 2.5)`.
//!
//! An expression is read into a [`Constraint`], which prints itself again. Resolved against the
//! inputs of a task it becomes [`Constraints`], a few alternative [`Limits`], and those are what a
//! search asks: whether a tree of a [`Shape`] may stand, whether it meets everything, and what it
//! violates. `like(FILE)` names a [`Sketch`].

pub mod columns;
pub mod limits;
mod normal;
mod parse;
pub mod resolved;
pub mod shape;
pub mod sketch;
#[cfg(test)]
pub(crate) mod testing;

pub use columns::ColumnSet;
pub use limits::{Fair, Known, Limits, Monotone, TestReach};
pub use resolved::{Constraints, Sketches};
pub use shape::{Growth, Shape};
pub use sketch::Sketch;

use kinwood_learning::error::Result;
use kinwood_values::{Attribute, Dictionary, View};
use std::fmt;
use std::sync::Arc;

/// An expression of the language, with its negations moved to the attributes they deny.
#[derive(Clone, Debug, PartialEq)]
pub enum Constraint {
    /// One condition.
    Atom(Atom),
    /// All of these hold: two or more, none of them such a list itself.
    All(Vec<Constraint>),
    /// At least one of these holds: two or more, none of them such a list itself.
    Any(Vec<Constraint>),
}

/// One condition on a tree.
#[derive(Clone, Debug, PartialEq)]
pub enum Atom {
    /// `size <= 11`: the most nodes, inner ones and leaves.
    Size(usize),
    /// `leaf >= 5`: the least weight of the training examples in a leaf.
    Leaf(Bound),
    /// `depth <= 4`: the most tests from the root to a leaf.
    Depth(usize),
    /// `cost <= 2.5`: the most that the tests from the root to a leaf cost, each one counted.
    Cost(Bound),
    /// `uses(attribute)`: a test on the attribute stands in the tree.
    Uses(Name),
    /// `not uses(attribute)`: none does.
    Avoids(Name),
    /// `accuracy >= 0.9`, or `90%`: the least share of examples that the tree gets right.
    Accuracy(Bound),
    /// `error <= 0.1`: the most error.
    Error(Bound),
    /// `like(FILE)`: the tree completes the partial one in the file.
    Like(String),
    /// `monotone(age, up)`: what the tree predicts never falls as the column rises; of classes the
    /// probability of one, `monotone(age, up, yes)`.
    Monotone {
        /// The column.
        name: Name,
        /// Whether predictions rise with it, or fall.
        up: bool,
        /// The class, where it is written.
        class: Option<String>,
    },
    /// `fair(sex) <= 0.1`: the most by which the rates of positive predictions differ between the
    /// groups of a column, and those among the rows that are positive.
    Fair {
        /// The column.
        name: Name,
        /// The positive class, where it is written.
        class: Option<String>,
        /// The most difference.
        most: Bound,
    },
}

/// A number that is not to be crossed. Numbers are compared with a relative slack of 1e-9, so that
/// costs of 0.1 and 0.2 make 0.3.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// The number.
    pub value: f64,
    /// Whether it is not to be reached either.
    pub strict: bool,
}

/// The name of an attribute and where it was written.
#[derive(Clone, Debug)]
pub struct Name {
    /// The name.
    pub text: String,
    /// In characters from 1; 0 where the constraint was not read from text.
    pub column: usize,
}

/// An attribute that a tree may test.
#[derive(Clone, Debug)]
pub struct Input {
    /// Where it stands in its table.
    pub position: u32,
    /// Its name.
    pub name: String,
    /// Its labels, if it is nominal.
    pub labels: Option<Arc<Dictionary>>,
    /// Whether tests may look at it; if not, only `fair` may speak of it.
    pub tested: bool,
}

impl Constraint {
    /// Reads an expression.
    ///
    /// ```
    /// use kinwood_trees::tree::constraint::Constraint;
    /// let read = Constraint::parse("size < 12 and not (uses(age) or uses('body mass'))")?;
    /// assert_eq!(read.to_string(), r#"size <= 11 and not uses(age) and not uses("body mass")"#);
    /// # Ok::<(), kinwood_learning::Error>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self> {
        Ok(parse::constraint(text)?)
    }

    /// The conjunction of these, which are at least one.
    pub fn all(parts: Vec<Constraint>) -> Self {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                Constraint::All(inner) => flat.extend(inner),
                part => flat.push(part),
            }
        }
        match flat.len() {
            1 => flat.remove(0),
            _ => Constraint::All(flat),
        }
    }

    /// The disjunction of these, which are at least one.
    pub fn any(parts: Vec<Constraint>) -> Self {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                Constraint::Any(inner) => flat.extend(inner),
                part => flat.push(part),
            }
        }
        match flat.len() {
            1 => flat.remove(0),
            _ => Constraint::Any(flat),
        }
    }

    /// The files named by `like`, each once, in the order written.
    pub fn files(&self) -> Vec<&str> {
        let mut files = Vec::new();
        self.collect_files(&mut files);
        files
    }

    fn collect_files<'a>(&'a self, into: &mut Vec<&'a str>) {
        match self {
            Constraint::Atom(Atom::Like(file)) => {
                if !into.contains(&file.as_str()) {
                    into.push(file);
                }
            }
            Constraint::Atom(_) => {}
            Constraint::All(parts) | Constraint::Any(parts) => {
                for part in parts {
                    part.collect_files(into);
                }
            }
        }
    }
}

impl Bound {
    /// A number that may be reached.
    pub fn of(value: f64) -> Self {
        Self {
            value,
            strict: false,
        }
    }

    fn slack(self) -> f64 {
        1e-9 * self.value.abs()
    }

    /// Whether a number is not above this one.
    pub fn at_most(self, number: f64) -> bool {
        if self.strict {
            number < self.value - self.slack()
        } else {
            number <= self.value + self.slack()
        }
    }

    /// Whether a number is not below this one.
    pub fn at_least(self, number: f64) -> bool {
        if self.strict {
            number > self.value + self.slack()
        } else {
            number >= self.value - self.slack()
        }
    }
}

impl Input {
    /// The inputs of a view's own table, and its other columns of labels.
    pub fn of(view: &View) -> Vec<Input> {
        let inputs = view.inputs();
        let attribute = |(position, attribute): (usize, &Attribute)| Input {
            position: position as u32,
            name: attribute.name.clone(),
            labels: attribute.column.codes().map(|(_, labels)| labels.clone()),
            tested: inputs.contains(&position),
        };
        let all = view.table().attributes().iter().enumerate();
        let all = all.map(attribute);
        all.filter(|input| input.tested || input.labels.is_some())
            .collect()
    }
}

impl Name {
    /// A name that was not read from text.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            column: 0,
        }
    }
}

/// Names are the same wherever they were written.
impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl fmt::Display for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Constraint::Atom(atom) => atom.fmt(f),
            Constraint::All(parts) => joined(parts, " and ", f),
            Constraint::Any(parts) => joined(parts, " or ", f),
        }
    }
}

/// A list within a list stands in parentheses.
fn joined(parts: &[Constraint], by: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (place, part) in parts.iter().enumerate() {
        if place > 0 {
            f.write_str(by)?;
        }
        match part {
            Constraint::Atom(atom) => write!(f, "{atom}")?,
            list => write!(f, "({list})")?,
        }
    }
    Ok(())
}

impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let equals = |bound: &Bound| if bound.strict { "" } else { "=" };
        match self {
            Atom::Size(most) => write!(f, "size <= {most}"),
            Atom::Leaf(least) => write!(f, "leaf >{} {}", equals(least), least.value),
            Atom::Depth(most) => write!(f, "depth <= {most}"),
            Atom::Cost(most) => write!(f, "cost <{} {}", equals(most), most.value),
            Atom::Uses(name) => write!(f, "uses({})", quoted(&name.text)),
            Atom::Avoids(name) => write!(f, "not uses({})", quoted(&name.text)),
            Atom::Accuracy(least) => write!(f, "accuracy >{} {}", equals(least), least.value),
            Atom::Error(most) => write!(f, "error <{} {}", equals(most), most.value),
            Atom::Like(file) => write!(f, "like({})", quoted(file)),
            Atom::Monotone { name, up, class } => {
                let direction = if *up { "up" } else { "down" };
                write!(
                    f,
                    "monotone({}, {direction}{})",
                    quoted(&name.text),
                    also(class)
                )
            }
            Atom::Fair { name, class, most } => {
                let (name, class) = (quoted(&name.text), also(class));
                write!(f, "fair({name}{class}) <{} {}", equals(most), most.value)
            }
        }
    }
}

/// One more argument, if there is one.
fn also(name: &Option<String>) -> String {
    let more = name.as_deref().map(quoted);
    more.map_or_else(String::new, |more| format!(", {more}"))
}

/// A name as it can be read again: in quotes unless it is a plain word.
fn quoted(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    if !name.is_empty() && name.chars().all(plain) {
        name.to_owned()
    } else {
        format!("\"{}\"", name.replace('"', "\"\""))
    }
}
