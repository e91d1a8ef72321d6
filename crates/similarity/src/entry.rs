//! A distance or kernel of the catalogue: what a user needs to know of it, and what the rest of the
//! program asks of it, written once beside the measure.
//!
//! Nothing outside a measure's own file matches on its name. Whoever treats some measures in a way
//! of their own (untyped values, rows, kernel machines, trees) asks [`Entry::takes`],
//! [`Entry::inside`] and [`Entry::facts`], so that a measure of a user is treated like one that
//! Kinwood comes with.

use std::borrow::Cow;
use std::sync::Arc;

use kinwood_values::parameter::Parameter;
use kinwood_values::{Column, Type};

use crate::declaration::Declaration;
use crate::error::Error;
use crate::expression::{Argument, Expression, Literal};
use crate::measure::{FittedDistance, FittedKernel};

/// A distance or kernel of the catalogue.
#[derive(Clone)]
pub struct Entry {
    /// Its name in expressions.
    pub name: Cow<'static, str>,
    /// What it measures, as errors say it: `a set, bag or list`.
    pub values: Cow<'static, str>,
    /// The types it takes.
    pub takes: Takes,
    /// What the measures inside its expression are about.
    pub inside: Inside,
    /// How it compares objects by the facts that describe them, if it does.
    pub facts: Option<Facts>,
    /// One sentence.
    pub summary: Cow<'static, str>,
    /// What it guarantees, in words.
    pub laws: &'static str,
    /// What it costs for one pair.
    pub cost: &'static str,
    /// Whose it is.
    pub reference: &'static str,
    /// What can be set, in the order that numbers without a name go.
    pub parameters: &'static [Parameter],
    /// A runnable example.
    pub example: Option<Example>,
    /// How an expression becomes the measure.
    pub build: Build,
}

/// The types of values that a measure takes.
#[derive(Clone, Debug)]
pub enum Takes {
    /// Any type, as far as the measure inside takes it.
    Any,
    /// Types of these kinds; what untyped values most likely are comes first.
    Kinds(&'static [TypeKind]),
    /// One type.
    Exactly(Type),
    /// Those that a function accepts.
    Accepted(fn(&Type) -> bool),
}

impl Takes {
    /// Whether values of the type are taken.
    pub fn accepts(&self, of: &Type) -> bool {
        match self {
            Takes::Any => true,
            Takes::Kinds(kinds) => kinds.contains(&TypeKind::of(of)),
            Takes::Exactly(taken) => taken == of,
            Takes::Accepted(accepts) => accepts(of),
        }
    }
}

/// A type without its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TypeKind {
    /// Labels.
    Nominal,
    /// Numbers.
    Numeric,
    /// Points in time.
    DateTime,
    /// Strings of characters.
    String,
    /// Lists of anything.
    List,
    /// Sets of anything.
    Set,
    /// Bags of anything.
    Bag,
    /// Tuples of anything.
    Tuple,
    /// Ordered labelled trees.
    Tree,
    /// First-order terms.
    Term,
    /// Labelled graphs.
    Graph,
    /// References to rows of a table.
    Ref,
}

impl TypeKind {
    /// The kind of a type.
    pub fn of(of: &Type) -> Self {
        match of {
            Type::Nominal => TypeKind::Nominal,
            Type::Numeric => TypeKind::Numeric,
            Type::DateTime => TypeKind::DateTime,
            Type::String => TypeKind::String,
            Type::List(_) => TypeKind::List,
            Type::Set(_) => TypeKind::Set,
            Type::Bag(_) => TypeKind::Bag,
            Type::Tuple(_) => TypeKind::Tuple,
            Type::Tree => TypeKind::Tree,
            Type::Term => TypeKind::Term,
            Type::Graph => TypeKind::Graph,
            Type::Ref(_) => TypeKind::Ref,
        }
    }
}

/// What the measures inside the expression of a measure are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Inside {
    /// There are none: the measure looks at whole values.
    Leaf,
    /// The members of the values: of sets, bags and lists.
    Members,
    /// The fields of the values, a part for each or one for all.
    Fields,
    /// The numbers that occur in the values.
    Numbers,
    /// The same values: the measure changes what another measure says of them.
    Same,
    /// The same values: a kernel made from a distance.
    FromDistance,
}

impl Inside {
    /// Whether the measure inside is about the same values.
    pub fn is_about_the_same(self) -> bool {
        matches!(self, Inside::Same | Inside::FromDistance)
    }
}

/// How a measure compares objects by the facts that describe them, so that rows are read as facts
/// for it.
#[derive(Clone, Copy)]
pub struct Facts {
    /// The setting and the word by which an expression says so; always if there is none.
    pub setting: Option<(&'static str, &'static str)>,
    /// Writes into the expression what it takes from the facts about all rows, if it takes
    /// anything.
    pub complete: Option<Complete>,
}

/// Completes an expression by what the facts about all rows have to say; these are read only if
/// they are needed.
pub type Complete =
    fn(&mut Expression, &mut dyn FnMut() -> Result<Column, Error>) -> Result<(), Error>;

impl Facts {
    /// Whether the expression compares by facts.
    pub fn stated_in(self, expression: &Expression) -> bool {
        let Some((setting, wanted)) = self.setting else {
            return true;
        };
        expression.arguments.iter().any(|argument| {
            matches!(argument, Argument::Setting { name, value: Literal::Word(word), .. } if name == setting && word == wanted)
        })
    }
}

/// A runnable example: two values as JSON and what comes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// The expression.
    pub expression: &'static str,
    /// The type of both values.
    pub of: &'static str,
    /// One value, as JSON.
    pub a: &'static str,
    /// The other.
    pub b: &'static str,
    /// What it gives.
    pub gives: &'static str,
}

type Built<T> = Result<Arc<T>, Error>;
type Builder = dyn Fn(&Declaration<'_>) -> Built<dyn FittedDistance> + Send + Sync;

/// How an expression becomes a measure.
#[derive(Clone)]
pub enum Build {
    /// A distance.
    Distance(fn(&Declaration<'_>) -> Built<dyn FittedDistance>),
    /// A kernel.
    Kernel(fn(&Declaration<'_>) -> Built<dyn FittedKernel>),
    /// A distance from elsewhere.
    Foreign(Arc<Builder>),
}

impl Entry {
    /// Whether it is a kernel.
    pub fn is_kernel(&self) -> bool {
        matches!(self.build, Build::Kernel(_))
    }

    /// Whether it is a distance that joins the distances of fields.
    pub fn joins_fields(&self) -> bool {
        !self.is_kernel() && self.inside == Inside::Fields
    }

    /// Whether one of its settings has this name.
    pub fn has_setting(&self, name: &str) -> bool {
        self.parameters
            .iter()
            .any(|parameter| parameter.name == name)
    }
}
