//! What an interactive prompt needs: whether a statement is complete, and the names that may
//! follow.

use crate::connection::Connection;
use crate::error::Result;
use crate::rewrite::tokens;

/// Whether a text is whole statements: nothing is left open, and the last one ends with `;`.
///
/// ```
/// use kinwood_queries::is_complete;
/// assert!(is_complete("SELECT 1; -- done"));
/// assert!(!is_complete("SELECT ';"));
/// ```
pub fn is_complete(sql: &str) -> bool {
    let (tokens, open) = tokens(sql);
    !open && tokens.last().is_none_or(|last| last.text(sql) == ";")
}

/// Names that complete what is written.
#[derive(Clone, Debug, Default)]
pub struct Names(Vec<String>);

const KEYWORDS: &[&str] = &[
    "SELECT",
    "FROM",
    "WHERE",
    "AND",
    "OR",
    "NOT",
    "ORDER BY",
    "GROUP BY",
    "LIMIT",
    "JOIN",
    "USING",
    "DESC",
    "AS",
    "WITH",
    "CREATE VIRTUAL TABLE",
    "EXPLAIN QUERY PLAN",
    "DROP TABLE",
    "count",
    "avg",
    "json_each",
    "predict",
    "probability",
    "explain",
    "evaluate",
    "distance",
    "similar_to",
];

impl Names {
    /// The keywords, tables and columns of a connection.
    pub fn of(connection: &mut Connection) -> Result<Self> {
        let mut names: Vec<String> = KEYWORDS.iter().map(|word| (*word).to_owned()).collect();
        for table in connection.schema()? {
            names.push(table.name);
            names.extend(table.columns);
        }
        names.sort();
        names.dedup();
        Ok(Self(names))
    }

    /// Where the word before a place begins, and what may stand there.
    pub fn complete(&self, line: &str, place: usize) -> (usize, Vec<String>) {
        let before = &line[..place];
        let inside = |c: char| c.is_alphanumeric() || c == '_';
        let begin = before.rfind(|c| !inside(c)).map_or(0, |at| {
            at + before[at..].chars().next().map_or(1, char::len_utf8)
        });
        let word = before[begin..].to_lowercase();
        let fits = |name: &&String| !word.is_empty() && name.to_lowercase().starts_with(&word);
        (begin, self.0.iter().filter(fits).cloned().collect())
    }
}
