//! The words, quotes and signs of a condition, each with its place.

use std::fmt;

use super::Operator;
use crate::error::Error;

/// A piece of a condition.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Word(String),
    Quoted(String),
    Operator(Operator),
    Open,
    Close,
    Comma,
}

impl fmt::Display for Token {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Word(text) | Token::Quoted(text) => write!(formatter, "`{text}`"),
            Token::Operator(_) => formatter.write_str("a comparison"),
            Token::Open => formatter.write_str("`(`"),
            Token::Close => formatter.write_str("`)`"),
            Token::Comma => formatter.write_str("`,`"),
        }
    }
}

/// The tokens of a text with their columns, from 1. A doubled quote inside quotes stands for
/// itself.
pub(super) fn tokens(text: &str) -> Result<Vec<(usize, Token)>, Error> {
    let characters: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < characters.len() {
        let start = at;
        let follows = |sign: char| characters.get(start + 1) == Some(&sign);
        at += 1;
        let token = match characters[start] {
            space if space.is_whitespace() => continue,
            '(' => Token::Open,
            ')' => Token::Close,
            ',' => Token::Comma,
            quote @ ('"' | '\'' | '`') => {
                let mut quoted = String::new();
                loop {
                    match characters.get(at) {
                        Some(c) if *c == quote && characters.get(at + 1) == Some(&quote) => {
                            quoted.push(quote);
                            at += 2;
                        }
                        Some(c) if *c == quote => break,
                        Some(c) => {
                            quoted.push(*c);
                            at += 1;
                        }
                        None => {
                            let reason = format!("the quote {quote} is not closed");
                            return Err(Error::Condition {
                                at: start + 1,
                                reason,
                            });
                        }
                    }
                }
                at += 1;
                Token::Quoted(quoted)
            }
            '=' => {
                at += usize::from(follows('='));
                Token::Operator(Operator::Equal)
            }
            '!' if follows('=') => {
                at += 1;
                Token::Operator(Operator::Unequal)
            }
            '<' if follows('>') => {
                at += 1;
                Token::Operator(Operator::Unequal)
            }
            '<' if follows('=') => {
                at += 1;
                Token::Operator(Operator::AtMost)
            }
            '<' => Token::Operator(Operator::Less),
            '>' if follows('=') => {
                at += 1;
                Token::Operator(Operator::AtLeast)
            }
            '>' => Token::Operator(Operator::Greater),
            _ => {
                while at < characters.len() && !ends_word(characters[at]) {
                    at += 1;
                }
                Token::Word(characters[start..at].iter().collect())
            }
        };
        tokens.push((start + 1, token));
    }
    Ok(tokens)
}

fn ends_word(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '(' | ')' | ',' | '=' | '!' | '<' | '>' | '"' | '\'' | '`'
        )
}
