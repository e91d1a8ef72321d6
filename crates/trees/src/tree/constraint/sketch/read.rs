//! The reader of partial trees, line by line.

use crate::error::{Result, TreeError};
use crate::tree::Test;
use crate::tree::constraint::Input;
use crate::tree::constraint::sketch::Sketch as AnySketch;
use kinwood_values::suggest::nearest;

type Sketch = AnySketch<Test>;

/// How many tests may stand above each other.
const DEEPEST: usize = 256;

pub(super) fn sketch(text: &str, file: &str, inputs: &[Input]) -> Result<Sketch> {
    let mut reader = Reader {
        file,
        inputs,
        open: Vec::new(),
        done: None,
        lines: 0,
    };
    for line in text.lines() {
        reader.lines += 1;
        reader.line(line.trim_end())?;
    }
    reader.end()
}

/// What stands at a place in the tree.
enum Content {
    Whole(Sketch),
    Test { column: u32, test: Option<Test> },
}

/// A test whose branches are not all read.
struct Pending {
    column: u32,
    test: Option<Test>,
    line: usize,
    /// The column of its `+--`, once the first is read.
    indent: Option<usize>,
    /// The column of the `+--` before the test itself; none for the root.
    own: Option<usize>,
    /// Which branch of the test above it is.
    holds: bool,
    yes: Option<Sketch>,
    no: Option<Sketch>,
}

struct Reader<'a> {
    file: &'a str,
    inputs: &'a [Input],
    open: Vec<Pending>,
    done: Option<Sketch>,
    /// How many lines were read, the present one included.
    lines: usize,
}

impl Reader<'_> {
    fn error(
        &self,
        column: usize,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> TreeError {
        TreeError::Sketch {
            file: self.file.to_owned(),
            line: self.lines,
            column,
            expected: expected.into(),
            found: found.into(),
            nearest: None,
        }
    }

    fn suggested(error: TreeError, meant: Option<String>) -> TreeError {
        let mut error = error;
        if let TreeError::Sketch { nearest, .. } = &mut error {
            *nearest = meant;
        }
        error
    }

    fn line(&mut self, line: &str) -> Result<()> {
        let lead = line
            .chars()
            .take_while(|c| matches!(c, ' ' | '\t' | '|'))
            .count();
        // Blanks and bars are one byte each.
        let rest = &line[lead..];
        if rest.is_empty() {
            return Ok(());
        }
        if self.done.is_some() {
            return Err(self.error(
                lead + 1,
                "the end, because the tree is complete",
                shown(rest),
            ));
        }
        let Some(top) = self.open.last() else {
            if rest.starts_with("+--") {
                return Err(self.error(
                    lead + 1,
                    "the test of the root before its branches",
                    shown(rest),
                ));
            }
            let content = self.content(rest, lead + 1)?;
            self.place(content, true, None);
            return Ok(());
        };
        let expected = match (&top.yes, &top.no) {
            (None, None) => "`+--yes:` or `+--no:`",
            (None, Some(_)) => "`+--yes:`",
            (Some(_), _) => "`+--no:`",
        };
        let place = match (top.indent, top.own) {
            (Some(indent), _) => format!(
                "{expected} at column {} for the test of line {}",
                indent + 1,
                top.line
            ),
            (None, Some(own)) => format!(
                "{expected} right of column {} for the test of line {}",
                own + 1,
                top.line
            ),
            (None, None) => format!("{expected} for the test of line {}", top.line),
        };
        let branch = ["+--yes:", "+--no:"]
            .into_iter()
            .find(|b| rest.starts_with(b));
        let indented = match (top.indent, top.own) {
            (Some(indent), _) => lead == indent,
            (None, own) => own.is_none_or(|own| lead > own),
        };
        let (Some(branch), true) = (branch, indented) else {
            return Err(self.error(lead + 1, place, shown(rest)));
        };
        let holds = branch == "+--yes:";
        if holds && top.yes.is_some() || !holds && top.no.is_some() {
            return Err(self.error(lead + 1, place, shown(rest)));
        }
        let after = &rest[branch.len()..];
        let content = after.trim_start();
        let column = lead + branch.len() + (after.len() - content.len()) + 1;
        let content = self.content(content, column)?;
        if let Some(top) = self.open.last_mut() {
            top.indent = Some(lead);
        }
        if self.open.len() >= DEEPEST && matches!(content, Content::Test { .. }) {
            let expected = format!("at most {DEEPEST} tests above each other");
            return Err(self.error(column, expected, "one more"));
        }
        self.place(content, holds, Some(lead));
        Ok(())
    }

    /// Puts what was read at its place, and closes the tests that it completes.
    fn place(&mut self, content: Content, holds: bool, own: Option<usize>) {
        let (mut whole, mut holds) = match content {
            Content::Test { column, test } => {
                self.open.push(Pending {
                    column,
                    test,
                    line: self.lines,
                    indent: None,
                    own,
                    holds,
                    yes: None,
                    no: None,
                });
                return;
            }
            Content::Whole(sketch) => (sketch, holds),
        };
        while let Some(mut top) = self.open.pop() {
            let branch = if holds { &mut top.yes } else { &mut top.no };
            *branch = Some(whole);
            match (top.yes, top.no) {
                (Some(yes), Some(no)) => {
                    holds = top.holds;
                    whole = Sketch::Split {
                        column: top.column,
                        test: top.test,
                        yes: Box::new(yes),
                        no: Box::new(no),
                    };
                }
                (yes, no) => {
                    self.open.push(Pending { yes, no, ..top });
                    return;
                }
            }
        }
        self.done = Some(whole);
    }

    fn end(mut self) -> Result<Sketch> {
        if let Some(done) = self.done.take() {
            return Ok(done);
        }
        self.lines += 1;
        let expected = match self.open.last() {
            None => "a test, `?` or `leaf`".to_owned(),
            Some(top) if top.yes.is_none() => {
                format!("`+--yes:` for the test of line {}", top.line)
            }
            Some(top) => format!("`+--no:` for the test of line {}", top.line),
        };
        Err(self.error(1, expected, "the end"))
    }

    fn content(&self, text: &str, at: usize) -> Result<Content> {
        match text {
            "?" => return Ok(Content::Whole(Sketch::Open)),
            "leaf" => return Ok(Content::Whole(Sketch::Closed)),
            _ if text.starts_with('[') => return Ok(Content::Whole(Sketch::Closed)),
            _ => {}
        }
        let (name, rest) = self.name(text, at)?;
        let tested = || self.inputs.iter().filter(|input| input.tested);
        let known = tested().find(|input| input.name == name);
        let Some(input) = known else {
            let error = self.error(at, "the name of an attribute", format!("`{name}`"));
            let names = tested().map(|input| &input.name);
            return Err(Self::suggested(error, nearest(&name, names)));
        };
        let at = at + text[..text.len() - rest.len()].chars().count();
        let operator = ["in", ">", "="]
            .into_iter()
            .find(|operator| rest.starts_with(operator));
        let (operator, expected) = match (&input.labels, operator) {
            (None, Some(">")) => (">", ""),
            (Some(_), Some(operator @ ("in" | "="))) => (operator, ""),
            (None, _) => ("", "`>`, because the attribute is numeric"),
            (Some(_), _) => ("", "`in` or `=`, because the attribute is nominal"),
        };
        if operator.is_empty() {
            return Err(self.error(at, expected, shown(rest)));
        }
        let after = &rest[operator.len()..];
        let value = after.trim_start();
        let at = at + operator.len() + (after.chars().count() - value.chars().count());
        let column = input.position;
        let test = match (value, &input.labels) {
            ("?", _) => None,
            (_, None) => {
                let threshold = value
                    .parse::<f64>()
                    .ok()
                    .filter(|number| number.is_finite());
                let threshold =
                    threshold.ok_or_else(|| self.error(at, "a number or `?`", shown(value)))?;
                Some(Test::Above { column, threshold })
            }
            (_, Some(_)) => Some(Test::Among {
                column,
                values: self.values(value, at, operator == "in", input)?,
            }),
        };
        Ok(Content::Test { column, test })
    }

    /// A name in quotes, or up to the comparison; and what follows it.
    fn name<'t>(&self, text: &'t str, at: usize) -> Result<(String, &'t str)> {
        if text.starts_with(['"', '\'']) {
            let (name, rest) = quoted(text)
                .ok_or_else(|| self.error(at, "a closing quote in the line", shown(text)))?;
            return Ok((name, rest.trim_start()));
        }
        let symbol = text.find(['>', '<', '=']);
        let word = [" in {", " in ?", " in{"]
            .into_iter()
            .filter_map(|word| text.find(word))
            .min();
        let end = match (symbol, word) {
            (Some(symbol), Some(word)) => symbol.min(word + 1),
            (Some(symbol), None) => symbol,
            (None, Some(word)) => word + 1,
            (None, None) => {
                let expected = "a test (`>`, `in` or `=`), `?`, `leaf` or a prediction in brackets";
                return Err(self.error(at, expected, shown(text)));
            }
        };
        Ok((text[..end].trim_end().to_owned(), &text[end..]))
    }

    /// The codes of `{a, b}` or of one label, ascending.
    fn values(&self, text: &str, at: usize, many: bool, input: &Input) -> Result<Vec<u32>> {
        let Some(labels) = &input.labels else {
            return Ok(Vec::new());
        };
        let mut codes = Vec::new();
        let mut add = |label: &str, at: usize| {
            let Some(code) = labels.code(label) else {
                let expected = format!("a value of `{}`", input.name);
                let error = self.error(at, expected, format!("`{label}`"));
                return Err(Self::suggested(error, nearest(label, labels.labels())));
            };
            codes.push(code);
            Ok(())
        };
        if !many {
            match quoted(text) {
                Some((label, "")) => add(&label, at)?,
                _ => add(text, at)?,
            }
            return Ok(codes);
        }
        let inner = text
            .strip_prefix('{')
            .and_then(|text| text.strip_suffix('}'));
        let Some(inner) = inner else {
            return Err(self.error(at, "values in braces, as in `{a, b}`, or `?`", shown(text)));
        };
        let mut rest = inner;
        let column = |rest: &str| at + 1 + inner[..inner.len() - rest.len()].chars().count();
        loop {
            rest = rest.trim_start();
            let at = column(rest);
            let label = if rest.starts_with(['"', '\'']) {
                let (label, after) = quoted(rest)
                    .ok_or_else(|| self.error(at, "a closing quote in the line", shown(rest)))?;
                rest = after.trim_start();
                label
            } else {
                let end = rest.find(',').unwrap_or(rest.len());
                if end == 0 {
                    let found = if rest.is_empty() { "`}`" } else { "`,`" };
                    return Err(self.error(at, format!("a value of `{}`", input.name), found));
                }
                let label = rest[..end].trim_end().to_owned();
                rest = &rest[end..];
                label
            };
            add(&label, at)?;
            if rest.is_empty() {
                break;
            }
            let Some(more) = rest.strip_prefix(',') else {
                return Err(self.error(column(rest), "`,` or `}`", shown(rest)));
            };
            rest = more;
        }
        codes.sort_unstable();
        codes.dedup();
        Ok(codes)
    }
}

/// The text in the quotes that a text begins with, a quote inside doubled, and what follows them.
fn quoted(text: &str) -> Option<(String, &str)> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let mut rest = &text[1..];
    let mut name = String::new();
    loop {
        let end = rest.find(quote)?;
        name.push_str(&rest[..end]);
        rest = &rest[end + 1..];
        if !rest.starts_with(quote) {
            return Some((name, rest));
        }
        name.push(quote);
        rest = &rest[1..];
    }
}

/// The beginning of a text, in quotes for a message.
fn shown(text: &str) -> String {
    if text.is_empty() {
        return "the end of the line".to_owned();
    }
    let short: String = text.chars().take(40).collect();
    format!("`{short}`")
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::Costs;
    use super::*;
    use kinwood_values::Dictionary;
    use proptest::prelude::*;
    use std::sync::Arc;

    fn inputs() -> Vec<Input> {
        let labels = Arc::new(Dictionary::from_labels(["red", "blue", "light, green"]));
        let input = |position, name: &str, labels| Input {
            position,
            name: name.to_owned(),
            labels,
            tested: true,
        };
        vec![
            input(1, "petal width", None),
            input(2, "color", Some(labels)),
            input(4, "x>y", None),
        ]
    }

    fn read(text: &str) -> Result<Sketch> {
        sketch(text, "partial.tree", &inputs())
    }

    fn split(column: u32, test: Option<Test>, yes: Sketch, no: Sketch) -> Sketch {
        Sketch::Split {
            column,
            test,
            yes: Box::new(yes),
            no: Box::new(no),
        }
    }

    fn above(column: u32, threshold: f64) -> Option<Test> {
        Some(Test::Above { column, threshold })
    }

    #[test]
    fn printed_trees_are_read() {
        use AnySketch::{Closed, Open};
        let text = "
petal width > 1.7
+--yes: \"x>y\" > ?
|       +--yes: ?
|       +--no:  [versicolor] [45.0]: 46
+--no:  color in {red, \"light, green\"}
        +--yes: petal width > -2e1
        |       +--yes: leaf
        |       +--no:  ?
        +--no:  ?
";
        let among = Some(Test::Among {
            column: 2,
            values: vec![0, 2],
        });
        let expected = split(
            1,
            above(1, 1.7),
            split(4, None, Open, Closed),
            split(2, among, split(1, above(1, -20.0), Closed, Open), Open),
        );
        assert_eq!(read(text).unwrap(), expected);
        assert_eq!(read("?").unwrap(), Open);
        assert_eq!(read("leaf\n\n").unwrap(), Closed);
        let blue = |rest: &str| read(&format!("color {rest}\n+--no: ?\n+--yes: leaf")).unwrap();
        let one = Some(Test::Among {
            column: 2,
            values: vec![1],
        });
        assert_eq!(blue("= blue"), split(2, one.clone(), Closed, Open));
        assert_eq!(blue("in{blue,blue}"), split(2, one, Closed, Open));
        assert_eq!(blue("in ?"), split(2, None, Closed, Open));
        assert_eq!(blue("= ?"), split(2, None, Closed, Open));
    }

    #[test]
    fn errors_have_file_line_and_column() {
        for (text, expected) in [
            (
                "",
                "line 1, column 1: expected a test, `?` or `leaf`, found the end",
            ),
            (
                "?\n?",
                "line 2, column 1: expected the end, because the tree is complete, found `?`",
            ),
            (
                "+--yes: ?",
                "line 1, column 1: expected the test of the root before its branches, found `+--yes: ?`",
            ),
            (
                "petal widht > 3",
                "line 1, column 1: expected the name of an attribute, found `petal widht`; did you mean `petal width`?",
            ),
            (
                "petal width",
                "line 1, column 1: expected a test (`>`, `in` or `=`), `?`, `leaf` or a prediction in brackets, found `petal width`",
            ),
            (
                "petal width in {a}",
                "line 1, column 13: expected `>`, because the attribute is numeric, found `in {a}`",
            ),
            (
                "petal width <= 3",
                "line 1, column 13: expected `>`, because the attribute is numeric, found `<= 3`",
            ),
            (
                "petal width > high",
                "line 1, column 15: expected a number or `?`, found `high`",
            ),
            (
                "petal width > ",
                "line 1, column 14: expected a number or `?`, found the end of the line",
            ),
            (
                "petal width >= 3",
                "line 1, column 14: expected a number or `?`, found `= 3`",
            ),
            (
                "color > 3",
                "line 1, column 7: expected `in` or `=`, because the attribute is nominal, found `> 3`",
            ),
            (
                "color in {red, bleu}",
                "line 1, column 16: expected a value of `color`, found `bleu`; did you mean `blue`?",
            ),
            (
                "color in {}",
                "line 1, column 11: expected a value of `color`, found `}`",
            ),
            (
                "color in {red",
                "line 1, column 10: expected values in braces, as in `{a, b}`, or `?`, found `{red`",
            ),
            (
                "color in {\"red\" blue}",
                "line 1, column 17: expected `,` or `}`, found `blue`",
            ),
            (
                "color = green",
                "line 1, column 9: expected a value of `color`, found `green`",
            ),
            (
                "\"color = red",
                "line 1, column 1: expected a closing quote in the line, found `\"color = red`",
            ),
            (
                "petal width > 3\n+--yes: ?\n",
                "line 3, column 1: expected `+--no:` for the test of line 1, found the end",
            ),
            (
                "petal width > 3\n+--yes: ?\n+--yes: ?",
                "line 3, column 1: expected `+--no:` at column 1 for the test of line 1, found `+--yes: ?`",
            ),
            (
                "petal width > 3\n+--yes: petal width > 4\n+--no: ?",
                "line 3, column 1: expected `+--yes:` or `+--no:` right of column 1 for the test of line 2, found `+--no: ?`",
            ),
            (
                "petal width > 3\n  +--yes: ?\n| +-no: ?",
                "line 3, column 3: expected `+--no:` at column 3 for the test of line 1, found `+-no: ?`",
            ),
            (
                "petal width > 3\n+--yes: ünknown > 4",
                "line 2, column 9: expected the name of an attribute, found `ünknown`",
            ),
            (
                "petal width > 3\n+--yes:",
                "line 2, column 8: expected a test (`>`, `in` or `=`), `?`, `leaf` or a prediction in brackets, found the end of the line",
            ),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert_eq!(error, format!("partial.tree, {expected}"), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(
            lines in proptest::collection::vec(
                ("[ |]{0,4}", "(\\+--yes:|\\+--no:)?", "[ \"']?(color|petal width|é)?", "[ >=in{}?,'\"red0-9é]{0,12}"),
                0..6,
            ),
        ) {
            let lines: Vec<String> = lines.into_iter().map(|(a, b, c, d)| a + &b + &c + &d).collect();
            let text = lines.join("\n");
            if let Ok(sketch) = read(&text) {
                let splits = sketch.shape(&Costs(&[])).size / 2;
                prop_assert!(splits <= text.matches("+--yes:").count());
            }
        }
    }

    #[test]
    fn depth_has_a_limit() {
        let mut text = "petal width > 0\n".to_owned();
        for level in 0..100_000 {
            // A hundred thousand indented lines would be large: past the limit the indentation
            // stops.
            let indent = " ".repeat(level.min(300));
            text.push_str(&format!("{indent}+--yes: petal width > 0\n"));
        }
        let error = read(&text).unwrap_err().to_string();
        assert_eq!(
            error,
            "partial.tree, line 257, column 264: expected at most 256 tests above each other, found one more"
        );
    }
}
