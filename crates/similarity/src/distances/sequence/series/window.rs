//! How many places two series may be apart (Sakoe and Chiba's band).

use kinwood_values::parameter::{Allowed, Parameter};

use crate::declaration::Declaration;
use crate::error::Error;
use crate::expression::{Expression, Literal};

/// The setting of every elastic distance.
pub(super) const WINDOW: Parameter = Parameter {
    name: "window",
    doc: "How many places both series may be apart: below 1 a share of the longer series, from 1 on a whole number; never less than their lengths differ, and without it any.",
    allowed: Allowed::NotNegative,
    default: "",
};

/// How many places series may be apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Window {
    /// Any.
    Any,
    /// A share of the longer series, rounded up.
    Share(f64),
    /// So many.
    Places(usize),
}

impl Window {
    pub(super) fn declared(declaration: &Declaration<'_>) -> Result<Self, Error> {
        match declaration.setting(WINDOW.name) {
            Some(Literal::Number(share)) if share < 1.0 => Ok(Window::Share(share)),
            Some(Literal::Number(places)) if places.fract() == 0.0 => {
                Ok(Window::Places(places as usize))
            }
            Some(Literal::Number(number)) => Err(Error::Setting {
                measure: declaration.name().to_owned(),
                setting: WINDOW.name.to_owned(),
                found: number.to_string(),
                expected: "a share below 1, or a whole number of places".to_owned(),
            }),
            _ => Ok(Window::Any),
        }
    }

    /// How many places, where the longer series has this length.
    pub(super) fn places(self, longer: usize) -> Option<usize> {
        match self {
            Window::Any => None,
            Window::Share(share) => Some((share * longer as f64).ceil() as usize),
            Window::Places(places) => Some(places),
        }
    }

    pub(super) fn setting(self, expression: Expression) -> Expression {
        match self {
            Window::Any => expression,
            Window::Share(share) => expression.number(WINDOW.name, share),
            Window::Places(places) => expression.number(WINDOW.name, places as f64),
        }
    }
}
