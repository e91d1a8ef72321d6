//! Filling the paragraphs of one comment.

/// The lines of a comment, each from its marker on, filled up to a width where one of their
/// paragraph runs over it.
pub(super) fn comment(lines: &[&str], width: usize) -> Vec<String> {
    let mut result = Vec::new();
    let mut fence: Option<&str> = None;
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        let start = line.trim_start();
        let mark = ["```", "~~~"]
            .into_iter()
            .find(|mark| start.starts_with(mark));
        if mark.is_some() && (fence.is_none() || fence == mark) {
            fence = if fence.is_none() { mark } else { None };
        } else if fence.is_none()
            && let Some(paragraph) = Paragraph::read(&lines[at..])
        {
            at += paragraph.lines.len();
            result.extend(paragraph.filled(width));
            continue;
        }
        result.push(line.to_owned());
        at += 1;
    }
    result
}

/// Whether words of a comment's line could go to another line.
pub(super) fn breakable(content: &str) -> bool {
    let table = content.starts_with('|');
    let link = content.starts_with('[') && content.contains("]: ");
    let words = content.split_whitespace();
    // A word after a bullet cannot be moved either.
    let short = words.filter(|word| !bullet(word)).count() < 2;
    !(table || link || short)
}

/// Lines that are one run of words.
struct Paragraph<'a> {
    lines: Vec<&'a str>,
    /// What the first line begins with: space, and a bullet.
    first: &'a str,
    /// The column at which further lines begin.
    column: usize,
}

impl<'a> Paragraph<'a> {
    /// The paragraph that begins here; none if the line is to stay as it is.
    fn read(lines: &[&'a str]) -> Option<Self> {
        let line = lines[0];
        if fixed(line) {
            return None;
        }
        let first = opening(line);
        let column = first.chars().count();
        let item = !first.trim().is_empty();
        // Four columns more than a paragraph's one space make code of it.
        if !item && column > 4 {
            return None;
        }
        let rest = lines[1..].iter().take_while(|next| {
            let depth = indent(next);
            let continues = depth == column || (item && depth <= column && depth > 0);
            continues && !fixed(next) && opening(next).trim().is_empty()
        });
        let lines = std::iter::once(line).chain(rest.copied()).collect();
        Some(Paragraph {
            lines,
            first,
            column,
        })
    }

    fn filled(&self, width: usize) -> Vec<String> {
        let over = self.lines.iter().any(|line| line.chars().count() > width);
        if !over {
            return self.lines.iter().map(|line| (*line).to_owned()).collect();
        }
        let text: Vec<&str> = std::iter::once(&self.lines[0][self.first.len()..])
            .chain(self.lines[1..].iter().map(|line| line.trim()))
            .collect();
        let mut result = Vec::new();
        let mut open = self.first.to_owned();
        let mut empty = true;
        for piece in pieces(&text.join(" "), width.saturating_sub(self.column)) {
            let columns = open.chars().count() + usize::from(!empty) + piece.chars().count();
            if !empty && columns > width {
                result.push(std::mem::replace(&mut open, " ".repeat(self.column)));
                empty = true;
            }
            if !empty {
                open.push(' ');
            }
            open.push_str(&piece);
            empty = false;
        }
        result.push(open);
        result
    }
}

fn indent(line: &str) -> usize {
    line.chars().take_while(|c| *c == ' ').count()
}

/// The space and the bullet that a line begins with.
fn opening(line: &str) -> &str {
    let start = line.trim_start();
    let space = line.len() - start.len();
    let word = start.split(' ').next().unwrap_or_default();
    if !bullet(word) || word.len() == start.len() {
        return &line[..space];
    }
    let text = start[word.len()..].trim_start();
    &line[..line.len() - text.len()]
}

/// Whether a word at the beginning of a line makes a list of it.
fn bullet(word: &str) -> bool {
    let number = word.strip_suffix(['.', ')']);
    ["-", "*", "+"].contains(&word)
        || number.is_some_and(|number| {
            !number.is_empty() && number.len() < 4 && number.chars().all(|c| c.is_ascii_digit())
        })
}

/// Whether a line keeps its words: it is empty, a heading, part of a table, a quotation, the end of
/// a link, a rule, ends by intent, or is set in columns.
fn fixed(line: &str) -> bool {
    let start = line.trim_start();
    let link = start.starts_with('[') && start.contains("]: ");
    let rule = start
        .chars()
        .all(|c| ['-', '=', '*', '_', ' '].contains(&c));
    let heading = start.starts_with('#') && start.trim_start_matches('#').starts_with(' ');
    let by_intent = line.ends_with("  ") || line.ends_with('\\');
    let text = &line[opening(line).len()..];
    let columns = text.trim_end().contains("  ") || text.contains('\t');
    let quoted = start.starts_with(['|', '>']) || start.starts_with("```");
    // A box is drawn, a tag is set by hand.
    let drawn = start.starts_with(['<', '─', '│', '┌', '└', '├']);
    start.is_empty() || link || rule || heading || by_intent || columns || quoted || drawn
}

/// Words, where code between backticks is one word if it is not too long, and none that would mean
/// something else at the beginning of a line stands alone.
fn pieces(text: &str, width: usize) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let whole = length(rest);
        let code = rest[..whole].contains(' ');
        let end = match code && rest[..whole].chars().count() > width / 2 {
            true => rest.find(' ').unwrap_or(rest.len()),
            false => whole,
        };
        let piece = &rest[..end];
        match pieces.last_mut() {
            Some(last) if misread(piece) => {
                last.push(' ');
                last.push_str(piece);
            }
            _ => pieces.push(piece.to_owned()),
        }
        rest = rest[end..].trim_start();
    }
    pieces
}

/// The bytes up to the first space outside of backticks.
fn length(text: &str) -> usize {
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        if c.is_whitespace() {
            return at;
        }
        if c != '`' {
            at += c.len_utf8();
            continue;
        }
        let ticks = text[at..].len() - text[at..].trim_start_matches('`').len();
        let body = at + ticks;
        let end = text[body..].find(&text[at..body]);
        at = end.map_or(body, |end| body + end + ticks);
    }
    text.len()
}

/// Whether a word at the beginning of a line would begin something else than text.
fn misread(word: &str) -> bool {
    bullet(word)
        || word.starts_with(['#', '|', '>', '<', '─', '│'])
        || word.starts_with("```")
        || word.starts_with("~~~")
        || (word.starts_with('[') && word.ends_with("]:"))
        || word.chars().all(|c| ['=', '-', '_', '*'].contains(&c))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrap(text: &str, width: usize) -> String {
        let lines: Vec<&str> = text.lines().collect();
        let once = comment(&lines, width);
        let again: Vec<&str> = once.iter().map(String::as_str).collect();
        assert_eq!(
            comment(&again, width),
            once,
            "filling twice changes nothing"
        );
        once.join("\n")
    }

    #[test]
    fn a_paragraph_is_filled() {
        assert_eq!(
            wrap(" one two three four\n five", 12),
            " one two\n three four\n five"
        );
        assert_eq!(wrap(" one two\n three", 12), " one two\n three");
    }

    #[test]
    fn paragraphs_stay_apart() {
        assert_eq!(
            wrap(" one two three\n\n four five", 9),
            " one two\n three\n\n four\n five"
        );
    }

    #[test]
    fn lists_keep_their_shape() {
        let text = " - one two three four\n - five\n   six\n 10. seven eight nine ten";
        let expected = " - one two\n   three\n   four\n - five\n   six\n 10. seven\n     eight\n     nine\n     ten";
        assert_eq!(wrap(text, 11), expected);
    }

    #[test]
    fn code_tables_headings_and_links_are_kept() {
        for text in [
            " ```\n let this = \"is a line that is too long\";\n ```",
            " | a table with | many long columns |\n | --- | --- |",
            " # A heading that is rather long",
            " [a link]: https://example.org/that/is/long",
            "     indented code that is rather long",
            " set   in    columns   and  long",
            " > a quotation that is rather long",
            " ends by intent, and is long  ",
        ] {
            assert_eq!(wrap(text, 12), text);
        }
    }

    #[test]
    fn code_between_backticks_is_one_word() {
        assert_eq!(
            wrap(" alpha beta gamma `a + b` z", 24),
            " alpha beta gamma\n `a + b` z"
        );
        assert_eq!(
            wrap(" one `two three four five` six", 12),
            " one `two\n three four\n five` six"
        );
    }

    #[test]
    fn no_line_begins_with_a_mark_by_accident() {
        assert_eq!(
            wrap(" alpha + beta - gamma", 9),
            " alpha +\n beta -\n gamma"
        );
        assert_eq!(wrap(" number 3. of # all", 8), " number 3.\n of #\n all");
    }

    #[test]
    fn what_can_be_wrapped_is_told_from_what_cannot() {
        assert!(breakable("two words"));
        assert!(!breakable("word"));
        assert!(!breakable("- word"));
        assert!(!breakable("| a | b |"));
        assert!(!breakable("[a b]: https://example.org"));
    }
}
