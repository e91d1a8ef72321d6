//! Rules of one condition, `subst(C, x_subst(N), G) :- x_subst(C, N, G).`, as text.

use kinwood_values::Dictionary;

use super::cells::{ANONYMOUS, Cell, first_symbols};
use super::characters::Encoding;
use super::clause::{Atom, Clauses};
use super::pattern::Flaw;
use crate::source::Source;

/// Whether the text is a rule of one condition that binds every variable of its head.
pub(crate) fn check(text: &str) -> Result<(), Flaw> {
    let mut symbols = first_symbols();
    let (head, body) = parse(text, &mut symbols)?;
    let within = |atom: &Atom, cell: Cell| {
        let same = |other: &Cell| other.identity() == cell.identity();
        atom.cells.iter().any(same)
    };
    let variables = head.cells.iter().filter_map(|cell| match cell {
        Cell::Variable(symbol) => Some(*symbol),
        _ => None,
    });
    for symbol in variables {
        if symbol == ANONYMOUS || !within(&body, Cell::Variable(symbol)) {
            let name = symbols.label(symbol);
            return Err(Flaw::new(
                "variables in the head that the condition has too",
                format!("`{name}`"),
            ));
        }
    }
    Ok(())
}

/// The head and the condition of a rule.
pub(crate) fn parse(text: &str, symbols: &mut Dictionary) -> Result<(Atom, Atom), Flaw> {
    let source = Source::from_bytes("rule", text.as_bytes());
    let mut clauses = Clauses::new(&source, Encoding::Utf8, symbols).map_err(Flaw::of)?;
    let (head, body) = clauses.rule().map_err(Flaw::of)?;
    match head.ends.is_empty() || body.ends.is_empty() {
        true => Err(Flaw::new("a head and a condition with arguments", "none")),
        false => Ok((head, body)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_rule_says_what_is_expected() {
        for (text, expected, found) in [
            (
                "p(X) :- q(Y).",
                "variables in the head that the condition has too",
                "`X`",
            ),
            (
                "p(_) :- q(_).",
                "variables in the head that the condition has too",
                "`_`",
            ),
            (
                "p(X) :- q(X), r(X).",
                "`.`, for a rule has one condition",
                "`,`",
            ),
            (
                "p(X) :- q(X)",
                "`.`, for a rule has one condition",
                "the end",
            ),
            ("p(a).", "`:-`", "`.`"),
            ("p(X) --> q(X).", "`:-`", "`-->`"),
            (
                "p :- q(X).",
                "a head and a condition with arguments",
                "none",
            ),
            ("p(X) :- q(X). p(a).", "the end", "`p`"),
        ] {
            let flaw = check(text).unwrap_err();
            assert_eq!(
                (flaw.expected.as_str(), flaw.found.as_str()),
                (expected, found)
            );
        }
    }
}
