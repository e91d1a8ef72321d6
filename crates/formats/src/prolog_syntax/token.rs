//! Tokens: names, variables, numbers and marks, each with its place.

use super::cursor::{Tokens, excerpt};
use super::number;
use super::quoted;
use crate::error::Result;

/// A piece of a clause; the text of the first four stands in [`Tokens::text`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Token {
    /// A name, bare or in single quotes.
    Name,
    /// A text in double quotes or backquotes.
    Text,
    Variable,
    /// Characters such as `+` and `=..` that make operators.
    Symbol,
    Number(f64),
    Open,
    Close,
    OpenList,
    CloseList,
    OpenAngle,
    CloseAngle,
    Comma,
    Bar,
    Minus,
    /// `:-` and its relatives `?-` and `-->`.
    Implies,
    /// The full stop.
    Stop,
    EndOfFile,
}

impl Tokens<'_> {
    /// The next token.
    pub fn next(&mut self) -> Result<Token> {
        let before = self.here();
        self.skip_layout()?;
        self.spot = self.here();
        self.attached = self.spot == before;
        self.text.clear();
        let Some(character) = self.characters.peek() else {
            return match self.characters.failure() {
                Some(failure) => Err(self.source.failed(failure)),
                None => Ok(Token::EndOfFile),
            };
        };
        let mark = match character {
            '(' => Token::Open,
            ')' => Token::Close,
            '[' => Token::OpenList,
            ']' => Token::CloseList,
            ',' => Token::Comma,
            '|' => Token::Bar,
            '\'' => return self.quoted(Token::Name),
            '"' | '`' => return self.quoted(Token::Text),
            '0'..='9' => return number::read(self).map(Token::Number),
            '_' => return Ok(self.word(Token::Variable)),
            letter if letter.is_uppercase() => return Ok(self.word(Token::Variable)),
            letter if letter.is_alphabetic() => return Ok(self.word(Token::Name)),
            symbol if is_symbol(symbol) => return Ok(self.symbol()),
            _ => Token::Symbol,
        };
        self.text.push(character);
        self.characters.next();
        Ok(mark)
    }

    fn word(&mut self, token: Token) -> Token {
        self.characters.word(&mut self.text);
        token
    }

    fn quoted(&mut self, token: Token) -> Result<Token> {
        quoted::read(self)?;
        Ok(token)
    }

    fn symbol(&mut self) -> Token {
        while let Some(character) = self.characters.peek().filter(|&c| is_symbol(c)) {
            let comment = character == '/' && self.characters.byte(1) == Some(b'*');
            if comment && self.text == "." {
                break;
            }
            self.text.push(character);
            self.characters.next();
        }
        match self.text.as_str() {
            "." => Token::Stop,
            "-" => Token::Minus,
            "<" => Token::OpenAngle,
            ">" => Token::CloseAngle,
            ":-" | "?-" | "-->" => Token::Implies,
            _ => Token::Symbol,
        }
    }

    /// Passes over blanks and comments.
    fn skip_layout(&mut self) -> Result<()> {
        while let Some(character) = self.characters.peek() {
            if character.is_whitespace() {
                self.characters.next();
            } else if character == '%' {
                while self.characters.next().is_some_and(|c| c != '\n') {}
            } else if character == '/' && self.characters.byte(1) == Some(b'*') {
                self.skip_comment()?;
            } else {
                break;
            }
        }
        Ok(())
    }

    fn skip_comment(&mut self) -> Result<()> {
        let opened = self.here();
        self.characters.next();
        self.characters.next();
        while let Some(character) = self.characters.next() {
            if character == '*' && self.characters.eat('/') {
                return Ok(());
            }
        }
        let expected = "`*/` behind the comment that begins here";
        Err(self.cut_off(opened, expected))
    }

    /// The last token in words.
    pub fn describe(&self, token: Token) -> String {
        match token {
            Token::Number(number) => {
                format!("the number {}", kinwood_values::text::number_text(number))
            }
            Token::EndOfFile => "the end of the file".to_owned(),
            Token::Text => format!("the text \"{}\"", excerpt(&self.text)),
            _ => format!("`{}`", excerpt(&self.text)),
        }
    }
}

fn is_symbol(character: char) -> bool {
    matches!(
        character,
        '+' | '-'
            | '*'
            | '/'
            | '\\'
            | '^'
            | '<'
            | '>'
            | '='
            | '~'
            | ':'
            | '.'
            | '?'
            | '@'
            | '#'
            | '&'
            | '$'
    )
}

#[cfg(test)]
mod tests {
    use super::super::characters::Encoding;
    use super::*;
    use crate::source::Source;

    fn tokens(text: &str) -> Vec<(Token, String)> {
        let source = Source::from_bytes("f.pl", text.as_bytes());
        let mut tokens = Tokens::new(&source, Encoding::Utf8).unwrap();
        let mut all = Vec::new();
        loop {
            match tokens.next().unwrap() {
                Token::EndOfFile => return all,
                token => all.push((token, tokens.text.clone())),
            }
        }
    }

    #[test]
    fn marks_are_told_apart() {
        let kinds: Vec<Token> = tokens("p(X,_,[a|<b>]) :- - ?- --> =.. . {")
            .into_iter()
            .map(|(token, _)| token)
            .collect();
        use Token::*;
        let expected = [
            Name, Open, Variable, Comma, Variable, Comma, OpenList, Name, Bar, OpenAngle, Name,
            CloseAngle, CloseList, Close, Implies, Minus, Implies, Implies, Symbol, Stop, Symbol,
        ];
        assert_eq!(kinds, expected);
    }

    #[test]
    fn comments_and_blanks_pass() {
        let text = "% p(a).\na/* b. **/\r\n\tb./* c */c.%";
        let words: Vec<String> = tokens(text).into_iter().map(|(_, text)| text).collect();
        assert_eq!(words, ["a", "b", ".", "c", "."]);
    }

    #[test]
    fn an_open_comment_is_named() {
        let source = Source::from_bytes("f.pl", b"a.\n /* b".as_slice());
        let mut tokens = Tokens::new(&source, Encoding::Utf8).unwrap();
        tokens.next().unwrap();
        tokens.next().unwrap();
        assert_eq!(
            tokens.next().unwrap_err().to_string(),
            "f.pl:2:2: expected `*/` behind the comment that begins here, found the end of the file"
        );
    }
}
