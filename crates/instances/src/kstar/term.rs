//! Terms: what one attribute of a query says of every stored row, as a logarithm.
//!
//! By the paper a term is relative to the query's own value, `ln P*(b|a) - ln P*(a|a)`: what is
//! left out is the same for every row and cancels, and with it the unit of a density. As Weka has
//! it, it is `ln P` itself, for there constants do not always cancel.

/// What an attribute of a query says of stored rows.
#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    /// Nothing: the query does not know the attribute, or no stored row does.
    Silent,
    /// A number: `offset - rate |x - value|`.
    Number {
        /// The query's value.
        value: f64,
        /// The term of the same value.
        offset: f64,
        /// The inverse of the scale.
        rate: f64,
        /// The term of rows that lack the attribute.
        missing: f64,
    },
    /// A symbol.
    Symbol {
        /// The query's code, if stored rows can have it.
        own: Option<u32>,
        /// The term of the same symbol.
        same: f64,
        /// The term of a change, before the frequency of what it changes to.
        change: f64,
        /// Whether frequencies count.
        frequencies: bool,
        /// The term of rows that lack the attribute.
        missing: f64,
    },
    /// A value of any type with a distance: the term of every row.
    Rows {
        /// By stored row.
        terms: Vec<f64>,
    },
}

impl Term {
    /// The term raised to a power.
    pub fn raised(self, power: f64) -> Self {
        match self {
            Term::Silent => Term::Silent,
            Term::Number {
                value,
                offset,
                rate,
                missing,
            } => Term::Number {
                value,
                offset: offset * power,
                rate: rate * power,
                missing: missing * power,
            },
            Term::Symbol {
                own,
                same,
                change,
                frequencies,
                missing,
            } => Term::Symbol {
                own,
                same: same * power,
                change: change * power,
                frequencies,
                missing: missing * power,
            },
            Term::Rows { mut terms } => {
                terms.iter_mut().for_each(|term| *term *= power);
                Term::Rows { terms }
            }
        }
    }

    /// The term of the query's own value.
    pub fn own(&self) -> f64 {
        match self {
            Term::Silent | Term::Rows { .. } => 0.0,
            Term::Number { offset, .. } => *offset,
            Term::Symbol { same, .. } => *same,
        }
    }
}
