//! Terms as they are read: flat runs of symbols, names by code.
//!
//! The parser gives each symbol behind its arguments, because only then is their number known and
//! only so can an infix `-` come late without moving what stands before it. Columns want it before
//! them, as terms are held.

use kinwood_values::term::{EMPTY_LIST, LIST, Node};
use kinwood_values::{Dictionary, ParseError, Term};

/// One symbol of a term.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cell {
    /// A name with its number of arguments; a constant has none.
    Functor {
        symbol: u32,
        arity: u32,
    },
    Number(f64),
    Variable(u32),
}

/// The symbol `-`.
pub(crate) const MINUS: u32 = 0;
/// The functor of a list with a first element and a rest.
pub(crate) const CONS: Cell = Cell::Functor {
    symbol: 1,
    arity: 2,
};
/// The list without elements.
pub(crate) const EMPTY: Cell = Cell::Functor {
    symbol: 2,
    arity: 0,
};
/// The variable without a name.
pub(crate) const ANONYMOUS: u32 = 3;

/// The symbols that have a code before anything is read.
pub(crate) fn first_symbols() -> Dictionary {
    Dictionary::from_labels(["-", LIST, EMPTY_LIST, "_"])
}

impl Cell {
    pub fn constant(symbol: u32) -> Self {
        Cell::Functor { symbol, arity: 0 }
    }

    pub fn arity(self) -> usize {
        match self {
            Cell::Functor { arity, .. } => arity as usize,
            Cell::Number(_) | Cell::Variable(_) => 0,
        }
    }

    /// The same for equal symbols, different for others.
    pub fn identity(self) -> (u8, u32, u64) {
        match self {
            Cell::Functor { symbol, arity } => (0, symbol, u64::from(arity)),
            Cell::Number(number) => (1, 0, (number + 0.0).to_bits()),
            Cell::Variable(symbol) => (2, symbol, 0),
        }
    }
}

/// Brings a term from symbols behind their arguments to symbols before them, into `out`.
///
/// A symbol with n symbols below it and m around it moves n places to the front, for those below it
/// go behind, and m places back, for those around it come before.
pub(crate) fn turn(behind: &[Cell], out: &mut Vec<Cell>, scratch: &mut Vec<u32>) {
    if let [single] = behind {
        out.push(*single);
        return;
    }
    let start = out.len();
    out.extend_from_slice(behind);
    // First the number of symbols of each subterm, then in its place where the subterm begins.
    scratch.clear();
    let mut complete: Vec<u32> = Vec::new();
    for cell in behind {
        let arguments = complete.len() - cell.arity();
        let below: u32 = complete.drain(arguments..).sum();
        complete.push(below + 1);
        scratch.push(below + 1);
    }
    let mut around: Vec<usize> = Vec::new();
    for (position, cell) in behind.iter().enumerate().rev() {
        let begin = position + 1 - scratch[position] as usize;
        while around.last().is_some_and(|&outer| outer > position) {
            around.pop();
        }
        out[start + begin + around.len()] = *cell;
        if begin < position {
            around.push(begin);
        }
    }
}

/// Where the subterm that begins at `at` ends.
pub(crate) fn end_of(cells: &[Cell], at: usize) -> usize {
    let mut open = 1;
    let mut end = at;
    while open > 0 {
        open += cells[end].arity();
        open -= 1;
        end += 1;
    }
    end
}

/// The term of these symbols.
pub(crate) fn term(cells: &[Cell], symbols: &Dictionary) -> Result<Term, ParseError> {
    let nodes = cells.iter().map(|cell| match *cell {
        Cell::Functor { symbol, arity } => Node::Functor {
            name: symbols.label(symbol).to_owned(),
            arity,
        },
        Cell::Number(number) => Node::Number(number),
        Cell::Variable(symbol) => Node::Variable(symbols.label(symbol).to_owned()),
    });
    Term::new(nodes.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_brought_before_their_arguments() {
        let functor = |symbol, arity| Cell::Functor { symbol, arity };
        // f(g(a,b),c,[a]) with f = 10, g = 11, a = 12, b = 13, c = 14.
        let [f, g, a, b, c] = [
            functor(10, 3),
            functor(11, 2),
            functor(12, 0),
            functor(13, 0),
            functor(14, 0),
        ];
        let mut out = vec![c];
        turn(&[a, b, g, c, a, EMPTY, CONS, f], &mut out, &mut Vec::new());
        assert_eq!(out, [c, f, g, a, b, c, CONS, a, EMPTY]);
        assert_eq!(end_of(&out, 1), 9);
        assert_eq!(end_of(&out, 2), 5);
        assert_eq!(end_of(&out, 5), 6);
    }

    #[test]
    fn zero_has_one_sign() {
        assert_eq!(Cell::Number(-0.0).identity(), Cell::Number(0.0).identity());
        assert_ne!(Cell::Variable(4).identity(), Cell::constant(4).identity());
    }
}
