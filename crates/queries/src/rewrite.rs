//! Forms that SQLite cannot hand to a table, in the form that it can.
//!
//! `NOT uses = 'zip'` and `uses <> 'zip'` mean the same, but SQLite gives only the second to a
//! table before rows are computed; `similar_to(model) < 0.3` is a condition on a function, and
//! `similarity < 0.3` the same on a column. Both are changed here, in place: a statement keeps its
//! length, so that places in messages stay right. A virtual table is created among the temporary
//! ones, since the user's file is not to know of it.

/// A piece of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A name or keyword, also in quotes.
    Word,
    /// A text in single quotes.
    Text,
    /// A number, operator or mark.
    Mark,
}

/// A piece and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    /// What it is.
    pub kind: Kind,
    /// Its first byte.
    pub start: usize,
    /// The byte behind it.
    pub end: usize,
}

impl Token {
    /// Its text.
    pub(crate) fn text<'s>(&self, sql: &'s str) -> &'s str {
        &sql[self.start..self.end]
    }

    fn is(&self, sql: &str, word: &str) -> bool {
        self.kind != Kind::Text && self.text(sql).eq_ignore_ascii_case(word)
    }
}

/// The pieces of a statement without comments, and whether a text, name or comment is left open.
pub(crate) fn tokens(sql: &str) -> (Vec<Token>, bool) {
    let bytes = sql.as_bytes();
    let mut tokens = Vec::new();
    let mut open = false;
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            byte if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'-' if bytes.get(at + 1) == Some(&b'-') => {
                at = bytes[at..]
                    .iter()
                    .position(|byte| *byte == b'\n')
                    .map_or(bytes.len(), |more| at + more);
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                let end = sql[at + 2..].find("*/");
                open = end.is_none();
                at = end.map_or(bytes.len(), |more| at + 2 + more + 2);
                continue;
            }
            quote @ (b'\'' | b'"' | b'`' | b'[') => {
                let close = if quote == b'[' { b']' } else { quote };
                at += 1;
                loop {
                    match bytes.get(at) {
                        None => {
                            open = true;
                            break;
                        }
                        Some(byte) if *byte == close => {
                            at += 1;
                            if bytes.get(at) == Some(&close) && close != b']' {
                                at += 1;
                                continue;
                            }
                            break;
                        }
                        Some(_) => at += 1,
                    }
                }
                let kind = if quote == b'\'' {
                    Kind::Text
                } else {
                    Kind::Word
                };
                tokens.push(Token {
                    kind,
                    start,
                    end: at,
                });
                continue;
            }
            byte if byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80 => {
                let inside = |byte: &u8| {
                    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || *byte >= 0x80
                };
                at += bytes[at..].iter().take_while(|byte| inside(byte)).count();
                tokens.push(Token {
                    kind: Kind::Word,
                    start,
                    end: at,
                });
                continue;
            }
            _ => {}
        }
        let two = sql.get(at..at + 2).unwrap_or("");
        at += match two {
            "==" | "<>" | "!=" | "<=" | ">=" | "||" | "->" => 2,
            _ => 1,
        };
        tokens.push(Token {
            kind: Kind::Mark,
            start,
            end: at,
        });
    }
    (tokens, open)
}

/// The statement as SQLite is to have it; texts keep their place.
pub(crate) fn rewritten(sql: &str) -> String {
    let (tokens, _) = tokens(sql);
    let mut bytes = sql.as_bytes().to_vec();
    for place in 0..tokens.len() {
        deny_uses(sql, &tokens[place..], &mut bytes);
        similar_to(sql, &tokens[place..], &mut bytes);
    }
    let text = String::from_utf8(bytes).unwrap_or_else(|_| sql.to_owned());
    in_temp(&text)
}

/// `NOT [t.]uses = 'x'`, followed by the end of the term, becomes `[t.]uses <> 'x'`.
fn deny_uses(sql: &str, tokens: &[Token], bytes: &mut [u8]) {
    let [not, rest @ ..] = tokens else { return };
    if not.kind != Kind::Word || !not.is(sql, "not") {
        return;
    }
    let rest = match rest {
        [_, dot, rest @ ..] if dot.is(sql, ".") => rest,
        rest => rest,
    };
    let [uses, equals, text, after @ ..] = rest else {
        return;
    };
    let ends = match after.first() {
        None => true,
        Some(next) => ["and", "or", ")", ";", "order", "limit", "group", "union"]
            .iter()
            .any(|word| next.is(sql, word)),
    };
    let equal = equals.is(sql, "=") || equals.is(sql, "==");
    if !uses.is(sql, "uses") || !equal || text.kind != Kind::Text || !ends {
        return;
    }
    // `NOT` goes, and where `=` is one byte what follows it moves by one.
    bytes[not.start..not.end].fill(b' ');
    if equals.end - equals.start == 2 {
        bytes[equals.start..equals.end].copy_from_slice(b"<>");
    } else {
        bytes.copy_within(not.end..equals.start, not.end - 1);
        bytes[equals.start - 1..equals.end].copy_from_slice(b"<>");
    }
}

/// `similar_to([t.]model)` becomes `[t.]similarity`.
fn similar_to(sql: &str, tokens: &[Token], bytes: &mut [u8]) {
    let [function, open, rest @ ..] = tokens else {
        return;
    };
    if !function.is(sql, "similar_to") || !open.is(sql, "(") {
        return;
    }
    let (of, rest) = match rest {
        [table, dot, rest @ ..] if dot.is(sql, ".") => (Some(table), rest),
        rest => (None, rest),
    };
    let [model, close, ..] = rest else { return };
    if !model.is(sql, "model") || !close.is(sql, ")") {
        return;
    }
    let name = match of {
        Some(table) => format!("{}.similarity", table.text(sql)),
        None => "similarity".to_owned(),
    };
    let room = &mut bytes[function.start..close.end];
    // Always shorter: a function's name and two parentheses go.
    room.fill(b' ');
    room[..name.len()].copy_from_slice(name.as_bytes());
}

/// `CREATE VIRTUAL TABLE name USING kinwood` creates `temp.name`.
fn in_temp(sql: &str) -> String {
    let (tokens, _) = tokens(sql);
    let mut text = sql.to_owned();
    for place in (0..tokens.len()).rev() {
        let [create, kind, table, rest @ ..] = &tokens[place..] else {
            continue;
        };
        let begins = create.is(sql, "create") && kind.is(sql, "virtual") && table.is(sql, "table");
        if !begins {
            continue;
        }
        let rest = match rest {
            [a, b, c, rest @ ..] if a.is(sql, "if") && b.is(sql, "not") && c.is(sql, "exists") => {
                rest
            }
            rest => rest,
        };
        if let [name, using, module, ..] = rest
            && using.is(sql, "using")
            && module.is(sql, "kinwood")
        {
            text.insert_str(name.start, "temp.");
        }
    }
    text
}

/// Whether a statement, as SQLite keeps it, creates the table of a model.
pub(crate) fn creates_model(sql: &str) -> bool {
    let (tokens, _) = tokens(sql);
    let [create, kind, table, _, using, module, ..] = tokens.as_slice() else {
        return false;
    };
    let begins = create.is(sql, "create") && kind.is(sql, "virtual") && table.is(sql, "table");
    begins && using.is(sql, "using") && module.is(sql, "kinwood")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_denied_becomes_unequal_in_as_many_bytes() {
        for (sql, then) in [
            (
                "a AND NOT uses = 'zip' AND b",
                "a AND    uses <> 'zip' AND b",
            ),
            ("not uses='z'", "   uses<>'z'"),
            ("NOT t.uses == 'z')", "    t.uses <> 'z')"),
            ("NOT uses = 'a' || 'b'", "NOT uses = 'a' || 'b'"),
            ("NOT size = 3", "NOT size = 3"),
            ("'NOT uses = ''z'''", "'NOT uses = ''z'''"),
            ("-- NOT uses = 'z'", "-- NOT uses = 'z'"),
            ("similar_to(model) < 0.3", "similarity        < 0.3"),
            ("similar_to( t.model )<1", "t.similarity         <1"),
            ("similar_to(model, 'risk')", "similar_to(model, 'risk')"),
        ] {
            let found = rewritten(sql);
            assert_eq!(found, then);
            assert_eq!(found.len(), sql.len());
        }
    }

    #[test]
    fn models_are_temporary_tables() {
        assert_eq!(
            rewritten("CREATE VIRTUAL TABLE IF NOT EXISTS risk USING kinwood(target='a')"),
            "CREATE VIRTUAL TABLE IF NOT EXISTS temp.risk USING kinwood(target='a')"
        );
        let other = "CREATE VIRTUAL TABLE risk USING fts5(a)";
        assert_eq!(rewritten(other), other);
        assert!(creates_model(
            "CREATE VIRTUAL TABLE \"a b\" using kinwood(target='a')"
        ));
        for other in [other, "CREATE TABLE a (using, kinwood)", ""] {
            assert!(!creates_model(other), "{other}");
        }
    }
}
