//! Clauses: facts, rules and directives, read without recursion, so that no nesting exhausts the
//! stack.

use std::collections::HashSet;

use kinwood_values::Dictionary;

use super::cells::{ANONYMOUS, CONS, Cell, EMPTY, MINUS, turn};
use super::characters::Encoding;
use super::cursor::{Spot, Tokens};
use super::token::Token;
use crate::error::{Error, Result};
use crate::source::Source;

/// The most arguments a name may have.
pub(crate) const MOST_ARGUMENTS: u32 = 65_535;

/// A name applied to arguments, its symbols before their arguments.
#[derive(Clone, Debug, Default)]
pub(crate) struct Atom {
    pub symbol: u32,
    pub cells: Vec<Cell>,
    /// Where each argument ends among the cells.
    pub ends: Vec<usize>,
}

/// What a clause is.
#[derive(Debug)]
pub(crate) enum Clause {
    Fact(Atom),
    /// `head :- body.`
    Rule,
    /// `:- body.`: what it begins with, and the body if it is a name applied to arguments.
    Directive {
        kind: String,
        body: Option<Atom>,
    },
}

/// The clauses of a source.
pub(crate) struct Clauses<'a, 's> {
    tokens: Tokens<'a>,
    token: Token,
    symbols: &'s mut Dictionary,
    /// What has been read of a term, symbols behind their arguments.
    behind: Vec<Cell>,
    /// Where each argument of the outermost name ends.
    ends: Vec<usize>,
    open: Vec<Frame>,
    scratch: Vec<u32>,
    /// Whether every `_` is a variable of its own; in rules it stays `_`.
    names_anonymous: bool,
}

/// What stops a term: an error of the text, or a token that does not belong there.
enum Halt {
    Failed(Error),
    Unexpected(&'static str),
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Halt::Failed(error)
    }
}

/// What is open around the next symbol.
struct Frame {
    open: Open,
    /// Arguments or elements so far.
    count: u32,
    /// What waits around it for its value.
    pending: Pending,
}

#[derive(Clone, Copy)]
enum Open {
    Arguments(u32),
    /// Elements of a list, and what closes it.
    Elements(Token),
    /// The rest of a list behind `|`.
    Rest(Token),
    Group,
}

/// Minus signs that wait for the value behind them.
#[derive(Clone, Copy, Default)]
struct Pending {
    prefixes: usize,
    infix: bool,
}

impl<'a, 's> Clauses<'a, 's> {
    pub fn new(
        source: &'a Source,
        encoding: Encoding,
        symbols: &'s mut Dictionary,
    ) -> Result<Self> {
        Ok(Self {
            tokens: Tokens::new(source, encoding)?,
            token: Token::EndOfFile,
            symbols,
            behind: Vec::new(),
            ends: Vec::new(),
            open: Vec::new(),
            scratch: Vec::new(),
            names_anonymous: true,
        })
    }

    /// The only clause: a rule of one condition, its head and the condition.
    pub fn rule(&mut self) -> Result<(Atom, Atom)> {
        self.names_anonymous = false;
        self.advance()?;
        let rule = self.head_and_condition();
        rule.map_err(|halt| self.error(halt))
    }

    fn head_and_condition(&mut self) -> Result<(Atom, Atom), Halt> {
        let head = self.atom()?;
        self.pass(":-", "`:-`")?;
        let condition = self.atom()?;
        self.pass(".", "`.`, for a rule has one condition")?;
        match self.token {
            Token::EndOfFile => Ok((head, condition)),
            _ => Err(Halt::Unexpected("the end")),
        }
    }

    /// Passes over a mark of a rule, of which the end of the text is no other than any other token.
    fn pass(&mut self, mark: &str, expected: &str) -> Result<(), Halt> {
        let is_mark = matches!(self.token, Token::Implies | Token::Stop);
        if is_mark && self.tokens.text == mark {
            return Ok(self.advance()?);
        }
        let found = self.tokens.describe(self.token);
        let error = self.tokens.unexpected(self.tokens.spot, expected, found);
        Err(Halt::Failed(error))
    }

    /// The next clause and where it begins; nothing at the end.
    pub fn next(&mut self) -> Result<Option<(Spot, Clause)>> {
        self.advance()?;
        let begin = self.tokens.spot;
        self.tokens.clause = begin;
        let clause = match self.token {
            Token::EndOfFile => return Ok(None),
            Token::Implies => self.directive()?,
            _ => self.fact_or_rule().map_err(|halt| self.error(halt))?,
        };
        Ok(Some((begin, clause)))
    }

    fn advance(&mut self) -> Result<()> {
        self.token = self.tokens.next()?;
        Ok(())
    }

    fn error(&mut self, halt: Halt) -> Error {
        match halt {
            Halt::Failed(error) => error,
            Halt::Unexpected(_) if self.token == Token::EndOfFile => self.cut_off(),
            Halt::Unexpected(expected) => {
                let found = self.tokens.describe(self.token);
                self.tokens.unexpected(self.tokens.spot, expected, found)
            }
        }
    }

    fn cut_off(&mut self) -> Error {
        let expected = "`.` behind the clause that begins here";
        self.tokens.cut_off(self.tokens.clause, expected)
    }

    fn fact_or_rule(&mut self) -> Result<Clause, Halt> {
        let head = self.atom()?;
        match self.token {
            Token::Stop => Ok(Clause::Fact(head)),
            Token::Implies => {
                self.skip_to_stop()?;
                Ok(Clause::Rule)
            }
            _ => Err(Halt::Unexpected("`.` or `:-`")),
        }
    }

    fn directive(&mut self) -> Result<Clause> {
        self.advance()?;
        let kind = match self.token {
            Token::EndOfFile => return Err(self.cut_off()),
            Token::Stop => {
                let found = self.tokens.describe(self.token);
                return Err(self
                    .tokens
                    .unexpected(self.tokens.spot, "a directive", found));
            }
            Token::Number(_) => "number".to_owned(),
            _ => self.tokens.text.clone(),
        };
        let body = match self.atom() {
            Ok(body) if self.token == Token::Stop => Some(body),
            Ok(_) | Err(Halt::Unexpected(_)) => None,
            Err(Halt::Failed(error)) => return Err(error),
        };
        self.skip_to_stop()?;
        Ok(Clause::Directive { kind, body })
    }

    /// Passes over the rest of a clause, from the token it is at.
    fn skip_to_stop(&mut self) -> Result<()> {
        loop {
            match self.token {
                Token::Stop => return Ok(()),
                Token::EndOfFile => return Err(self.cut_off()),
                _ => self.advance()?,
            }
        }
    }

    /// A name, with arguments or without; ends at the token behind it.
    fn atom(&mut self) -> Result<Atom, Halt> {
        if self.token != Token::Name {
            return Err(Halt::Unexpected("the name of a predicate"));
        }
        let symbol = self.symbol();
        self.behind.clear();
        self.ends.clear();
        self.open.clear();
        self.advance()?;
        let mut atom = Atom {
            symbol,
            ..Atom::default()
        };
        if self.token != Token::Open {
            return Ok(atom);
        }
        self.advance()?;
        self.arguments(symbol)?;
        if self.names_anonymous {
            self.name_anonymous();
        }
        atom.cells.reserve_exact(self.behind.len());
        atom.ends.reserve_exact(self.ends.len());
        let mut begin = 0;
        for &end in &self.ends {
            turn(&self.behind[begin..end], &mut atom.cells, &mut self.scratch);
            atom.ends.push(atom.cells.len());
            begin = end;
        }
        Ok(atom)
    }

    fn symbol(&mut self) -> u32 {
        self.symbols.intern(&self.tokens.text)
    }

    /// Reads arguments up to the bracket that closes them, and the token behind it.
    fn arguments(&mut self, of: u32) -> Result<(), Halt> {
        let mut pending = self.enter(Open::Arguments(of), Pending::default());
        loop {
            if !self.operand(&mut pending)? {
                continue;
            }
            if self.complete(&mut pending)? {
                return Ok(());
            }
        }
    }

    /// Opens something, inside of which nothing is pending.
    fn enter(&mut self, open: Open, pending: Pending) -> Pending {
        self.open.push(Frame {
            open,
            count: 0,
            pending,
        });
        Pending::default()
    }

    /// Reads a term without arguments, or the beginning of one with: whether it is complete.
    fn operand(&mut self, pending: &mut Pending) -> Result<bool, Halt> {
        let token = self.token;
        match token {
            Token::Number(number) => {
                // A minus sign before a number belongs to it.
                let negative = pending.prefixes > 0;
                pending.prefixes -= usize::from(negative);
                let number = if negative { -number } else { number };
                self.behind.push(Cell::Number(number + 0.0));
                self.advance()?;
            }
            Token::Variable => {
                let symbol = self.symbol();
                self.behind.push(Cell::Variable(symbol));
                self.advance()?;
            }
            Token::Text => {
                let symbol = self.symbol();
                self.behind.push(Cell::constant(symbol));
                self.advance()?;
            }
            Token::Name | Token::Symbol | Token::Minus => {
                let symbol = self.symbol();
                self.advance()?;
                let applied = token == Token::Name || self.tokens.attached;
                if self.token == Token::Open && applied {
                    self.advance()?;
                    *pending = self.enter(Open::Arguments(symbol), *pending);
                    return Ok(false);
                }
                if token == Token::Minus && !self.ends_a_term() {
                    pending.prefixes += 1;
                    return Ok(false);
                }
                if token == Token::Symbol && !self.ends_a_term() {
                    return Err(Halt::Unexpected("a term without operators other than `-`"));
                }
                self.behind.push(Cell::constant(symbol));
            }
            Token::OpenList | Token::OpenAngle => {
                let symbol = self.symbol();
                let close = match token {
                    Token::OpenList => Token::CloseList,
                    _ => Token::CloseAngle,
                };
                self.advance()?;
                if self.token == close {
                    self.behind.push(EMPTY);
                    self.advance()?;
                } else if token == Token::OpenAngle && self.ends_a_term() {
                    self.behind.push(Cell::constant(symbol));
                } else {
                    *pending = self.enter(Open::Elements(close), *pending);
                    return Ok(false);
                }
            }
            Token::Open => {
                self.advance()?;
                *pending = self.enter(Open::Group, *pending);
                return Ok(false);
            }
            _ => return Err(Halt::Unexpected("a term")),
        }
        Ok(true)
    }

    /// Whether the token can only stand behind a term.
    fn ends_a_term(&self) -> bool {
        use Token::{Bar, Close, CloseAngle, CloseList, Comma};
        matches!(self.token, Comma | Close | CloseList | CloseAngle | Bar)
    }

    /// Closes all that ends with a complete term: whether the outermost does.
    fn complete(&mut self, pending: &mut Pending) -> Result<bool, Halt> {
        loop {
            let minus = |arity| Cell::Functor {
                symbol: MINUS,
                arity,
            };
            self.behind
                .extend(std::iter::repeat_n(minus(1), pending.prefixes));
            if pending.infix {
                self.behind.push(minus(2));
            }
            *pending = Pending::default();
            if self.token == Token::Minus {
                self.advance()?;
                pending.infix = true;
                return Ok(false);
            }
            let outermost = self.open.len() == 1;
            let Some(frame) = self.open.last_mut() else {
                return Ok(true);
            };
            frame.count = frame.count.saturating_add(1);
            let count = frame.count;
            match (frame.open, self.token) {
                (Open::Arguments(_), Token::Comma | Token::Close) if count > MOST_ARGUMENTS => {
                    return Err(Halt::Unexpected("at most 65535 arguments"));
                }
                (Open::Arguments(_), Token::Comma) => {
                    if outermost {
                        self.ends.push(self.behind.len());
                    }
                    self.advance()?;
                    return Ok(false);
                }
                (Open::Elements(_), Token::Comma) => {
                    self.advance()?;
                    return Ok(false);
                }
                (Open::Elements(close), Token::Bar) => {
                    frame.open = Open::Rest(close);
                    self.advance()?;
                    return Ok(false);
                }
                (Open::Arguments(symbol), Token::Close) => {
                    if outermost {
                        self.ends.push(self.behind.len());
                    } else {
                        let arity = count;
                        self.behind.push(Cell::Functor { symbol, arity });
                    }
                }
                (Open::Elements(close), token) if token == close => {
                    self.behind.push(EMPTY);
                    let elements = std::iter::repeat_n(CONS, count as usize);
                    self.behind.extend(elements);
                }
                (Open::Rest(close), token) if token == close => {
                    // The rest itself has been counted too.
                    let elements = std::iter::repeat_n(CONS, count as usize - 1);
                    self.behind.extend(elements);
                }
                (Open::Group, Token::Close) => {}
                (open, _) => return Err(Halt::Unexpected(expected_in(open))),
            }
            self.advance()?;
            match self.open.pop() {
                Some(frame) => *pending = frame.pending,
                None => return Ok(true),
            }
            if outermost {
                return Ok(true);
            }
        }
    }

    /// Gives every `_` a name of its own.
    fn name_anonymous(&mut self) {
        if !self.behind.contains(&Cell::Variable(ANONYMOUS)) {
            return;
        }
        let named: HashSet<u32> = self
            .behind
            .iter()
            .filter_map(|cell| match cell {
                Cell::Variable(symbol) => Some(*symbol),
                _ => None,
            })
            .collect();
        let mut number = 0u64;
        for cell in &mut self.behind {
            if *cell != Cell::Variable(ANONYMOUS) {
                continue;
            }
            let fresh = loop {
                number += 1;
                let symbol = self.symbols.intern(&format!("_{number}"));
                if !named.contains(&symbol) {
                    break symbol;
                }
            };
            *cell = Cell::Variable(fresh);
        }
    }
}

fn expected_in(open: Open) -> &'static str {
    match open {
        Open::Arguments(_) => "`,` or `)`",
        Open::Elements(Token::CloseAngle) => "`,`, `|` or `>`",
        Open::Elements(_) => "`,`, `|` or `]`",
        Open::Rest(Token::CloseAngle) => "`>`",
        Open::Rest(_) => "`]`",
        Open::Group => "`)`",
    }
}

#[cfg(test)]
mod tests;
