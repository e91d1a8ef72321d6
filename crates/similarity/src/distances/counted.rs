//! Profiles of the members of sets, bags and lists: what a coefficient is declared with, for
//! distances and kernels alike.

use kinwood_values::parameter::{Allowed, Parameter};
use kinwood_values::{Column, Type};

use super::collection::{children, offsets};
use crate::coefficient::Coefficient;
use crate::declaration::Declaration;
use crate::error::Error;
use crate::expression::Expression;
use crate::profile::{Counting, Profiles};
use crate::symbols::Symbols;
use crate::weights::{self, OTHER, VOCABULARY, WEIGHTS, Weights};

/// Whether repeats count.
const REPEATS: Parameter = Parameter {
    name: "repeats",
    doc: "Whether a member of a bag or list counts as often as it occurs, or once.",
    allowed: Allowed::Flag,
    default: "true",
};

/// The settings of every coefficient.
pub(crate) const SETTINGS: [Parameter; 4] = [WEIGHTS, OTHER, VOCABULARY, REPEATS];

/// A coefficient on collections: how much members count, and whether repeats do.
#[derive(Clone, Debug)]
pub(crate) struct Counted {
    pub(crate) coefficient: Coefficient,
    weights: Option<Weights>,
    repeats: bool,
    /// Whether values are sets, whose members do not repeat.
    of_sets: bool,
    /// Whether all that makes two values different is counted.
    sees_all: bool,
}

impl Counted {
    pub(crate) fn declared(
        declaration: &Declaration<'_>,
        coefficient: Coefficient,
    ) -> Result<Self, Error> {
        declaration.no_parts()?;
        let repeats = !declaration.is_word(REPEATS.name, "false");
        let (of_sets, sees_all) = match declaration.of() {
            Type::Set(_) => (true, true),
            Type::Bag(_) => (false, repeats),
            Type::List(_) => (false, false),
            _ => return Err(declaration.wrong_type()),
        };
        let weights = Weights::declared(declaration, weights::members_of)?;
        let sees_all = sees_all && weights.as_ref().is_none_or(Weights::tell_apart);
        Ok(Self {
            coefficient,
            weights,
            repeats,
            of_sets,
            sees_all,
        })
    }

    /// Whether different values have different profiles.
    pub(crate) fn sees_all(&self) -> bool {
        self.sees_all
    }

    /// Whether different profiles differ in more than how much they have of the same.
    pub(crate) fn of_sets(&self) -> bool {
        self.of_sets
    }

    /// Whether a value with members may have nothing that counts.
    pub(crate) fn may_be_nothing(&self) -> bool {
        self.weights.as_ref().is_some_and(Weights::may_be_nothing)
    }

    /// The settings, for the expression.
    pub(crate) fn settings(&self, expression: Expression) -> Expression {
        let expression = match &self.weights {
            Some(weights) => weights.settings(expression),
            None => expression,
        };
        match self.repeats {
            true => expression,
            false => expression.word(REPEATS.name, "false"),
        }
    }

    /// The profiles of two columns; a missing member is a member like any other.
    pub(crate) fn profiles(
        &self,
        queries: &Column,
        references: &Column,
    ) -> Result<(Profiles, Profiles), Error> {
        let (first, second) = children(queries, references, self.coefficient.name())?;
        let symbols = Symbols::of(first, second);
        let of_symbols = self.weights.as_ref().map(|weights| {
            let mut known: Vec<f64> = Vec::new();
            for (symbols, members) in [(&symbols.queries, first), (&symbols.references, second)] {
                for (member, &symbol) in symbols.iter().enumerate() {
                    let symbol = symbol as usize;
                    if known.len() <= symbol {
                        known.resize(symbol + 1, f64::NAN);
                    }
                    if known[symbol].is_nan() {
                        known[symbol] = weights.of(&weights::key(&members.value(member)));
                    }
                }
            }
            known
        });
        let counting = Counting {
            repeats: self.repeats,
            weights: of_symbols.as_deref(),
        };
        let of = |column: &Column, symbols: &[u32]| {
            Profiles::of(&offsets(column), symbols, counting, self.coefficient)
        };
        Ok((
            of(queries, &symbols.queries),
            of(references, &symbols.references),
        ))
    }
}
