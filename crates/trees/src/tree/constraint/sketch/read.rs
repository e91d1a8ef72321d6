//! The reader of partial trees, line by line.

use super::Sketch as AnySketch;
use super::contents::{ContentsTest, contents_test};
use super::prototypes::{Boundaries, PrototypeValues, checked, written};
use super::shown::DEEPEST;
use crate::error::{Result, TreeError};
use crate::tree::Test;
use crate::tree::constraint::Input;
use kinwood_values::suggest::nearest;
use kinwood_values::{Type, Value, datetime};

type Sketch = AnySketch<Test>;

pub(super) fn sketch(
    text: &str,
    file: &str,
    inputs: &[Input],
    values: &mut dyn PrototypeValues,
) -> Result<Sketch> {
    let mut reader = Reader {
        file,
        inputs,
        values,
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
    Test { column: u32, tested: Tested },
}

/// A test and what was read below it.
enum Tested {
    /// One that holds or does not.
    Holds {
        test: Option<Test>,
        yes: Option<Box<Sketch>>,
        no: Option<Box<Sketch>>,
    },
    /// One by prototypes, which are named by its branches; `None` where they are left open.
    Near {
        boundaries: Boundaries,
        prototypes: Vec<Option<Value>>,
        branches: Vec<Sketch>,
    },
}

/// Which branch of the test above something stands in.
#[derive(Clone, Copy)]
enum Branch {
    Yes,
    No,
    Next,
}

/// A test whose branches are not all read.
struct Pending {
    column: u32,
    tested: Tested,
    line: usize,
    /// Where in its line it stands.
    at: usize,
    /// The column of its `+--`, once the first is read.
    indent: Option<usize>,
    /// The column of the `+--` before the test itself; none for the root.
    own: Option<usize>,
    /// Which branch of the test above it is.
    branch: Branch,
}

struct Reader<'a> {
    file: &'a str,
    inputs: &'a [Input],
    values: &'a mut dyn PrototypeValues,
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
        self.close(Some(lead))?;
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
            self.place(content, lead + 1, Branch::Yes, None);
            return Ok(());
        };
        let indented = match (top.indent, top.own) {
            (Some(indent), _) => lead == indent,
            (None, own) => own.is_none_or(|own| lead > own),
        };
        let (column, near) = (top.column, matches!(top.tested, Tested::Near { .. }));
        let branch = match (indented, near) {
            (false, _) => None,
            (true, true) => self.prototype(column, rest, lead)?,
            (true, false) => self.holds(rest),
        };
        let Some((branch, value, length)) = branch else {
            let expected = self.expected();
            return Err(self.error(lead + 1, expected, shown(rest)));
        };
        let after = &rest[length..];
        let content = after.trim_start();
        let at = lead + rest[..rest.len() - content.len()].chars().count() + 1;
        let content = self.content(content, at)?;
        if let Some(top) = self.open.last_mut() {
            top.indent = Some(lead);
            if let Tested::Near { prototypes, .. } = &mut top.tested {
                prototypes.push(value);
            }
        }
        if self.open.len() >= DEEPEST && matches!(content, Content::Test { .. }) {
            let expected = format!("at most {DEEPEST} tests above each other");
            return Err(self.error(at, expected, "one more"));
        }
        self.place(content, at, branch, Some(lead));
        Ok(())
    }

    /// What the branches of the last test could be, and where.
    fn expected(&self) -> String {
        let Some(top) = self.open.last() else {
            return "the end".to_owned();
        };
        let expected = match &top.tested {
            Tested::Holds {
                yes: None,
                no: None,
                ..
            } => "`+--yes:` or `+--no:`",
            Tested::Holds { yes: None, .. } => "`+--yes:`",
            Tested::Holds { .. } => "`+--no:`",
            Tested::Near { .. } => "`+--`, a prototype and `:`",
        };
        match (top.indent, top.own) {
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
        }
    }

    /// The branch of a test that holds or does not which a line begins, and how long its name is;
    /// `None` if it is no such branch, or read already.
    fn holds(&self, rest: &str) -> Option<(Branch, Option<Value>, usize)> {
        let Tested::Holds { yes, no, .. } = &self.open.last()?.tested else {
            return None;
        };
        let free = [
            ("+--yes:", Branch::Yes, yes.is_none()),
            ("+--no:", Branch::No, no.is_none()),
        ];
        let found = free.into_iter().find(|(mark, ..)| rest.starts_with(mark));
        let (mark, branch, free) = found?;
        free.then_some((branch, None, mark.len()))
    }

    /// The prototype whose branch a line begins, `?` being left open, and how long its name is;
    /// `None` if it is no branch.
    fn prototype(
        &self,
        column: u32,
        rest: &str,
        lead: usize,
    ) -> Result<Option<(Branch, Option<Value>, usize)>> {
        let Some(text) = rest.strip_prefix("+--") else {
            return Ok(None);
        };
        let found =
            |value: Option<Value>, length: usize| Ok(Some((Branch::Next, value, 3 + length)));
        if text.starts_with("?:") {
            return found(None, 2);
        }
        let input = self.inputs.iter().find(|input| input.position == column);
        let (Some(input), Some(of)) = (input, self.values.type_of(column)) else {
            return Ok(None);
        };
        let read = |text: &str| {
            let value = written(&of, text).map_err(|_| (String::new(), None))?;
            checked(input, value)
        };
        let ends: Vec<usize> = match quoted(text) {
            Some((name, after)) if after.starts_with(':') => {
                let length = text.len() - after.len();
                if let Ok(value) = read(&name) {
                    return found(Some(value), length + 1);
                }
                vec![length]
            }
            _ => {
                let colons = text.match_indices(':').map(|(end, _)| end);
                let ends =
                    |end: &usize| text[end + 1..].is_empty() || text[end + 1..].starts_with(' ');
                colons.filter(ends).collect()
            }
        };
        let names = || ends.iter().map(|&end| (text[..end].trim(), end));
        if let Some((value, end)) =
            names().find_map(|(name, end)| Some((self.values.shown(column, name)?, end)))
        {
            return found(Some(value), end + 1);
        }
        if let Some((value, end)) = names().find_map(|(name, end)| Some((read(name).ok()?, end))) {
            return found(Some(value), end + 1);
        }
        let Some((name, _)) = names().next() else {
            return Ok(None);
        };
        let expected = format!("a value of `{}`, which is `{of}`, or `?`", input.name);
        let error = self.error(lead + 4, expected, format!("`{name}`"));
        let meant = read(name).err().and_then(|(_, meant)| meant);
        Err(Self::suggested(error, meant))
    }

    /// Puts what was read at its place.
    fn place(&mut self, content: Content, at: usize, branch: Branch, own: Option<usize>) {
        match content {
            Content::Test { column, tested } => self.open.push(Pending {
                column,
                tested,
                line: self.lines,
                at,
                indent: None,
                own,
                branch,
            }),
            Content::Whole(sketch) => self.put(sketch, branch),
        }
    }

    /// Puts a tree below the last test, and closes the tests that it completes.
    fn put(&mut self, sketch: Sketch, branch: Branch) {
        let (mut whole, mut branch) = (sketch, branch);
        while let Some(mut top) = self.open.pop() {
            match (&mut top.tested, branch) {
                (Tested::Near { branches, .. }, _) => branches.push(whole),
                (Tested::Holds { yes, .. }, Branch::Yes) => *yes = Some(Box::new(whole)),
                (Tested::Holds { no, .. }, _) => *no = Some(Box::new(whole)),
            }
            match top.tested {
                Tested::Holds {
                    test,
                    yes: Some(yes),
                    no: Some(no),
                } => {
                    branch = top.branch;
                    whole = Sketch::Split {
                        column: top.column,
                        test,
                        branches: vec![*yes, *no],
                    };
                }
                tested => {
                    self.open.push(Pending { tested, ..top });
                    return;
                }
            }
        }
        self.done = Some(whole);
    }

    /// Closes the tests by prototypes that have no more branches: a line that begins left of them
    /// says so, or the end.
    fn close(&mut self, lead: Option<usize>) -> Result<()> {
        while let Some(top) = self.open.last() {
            let Tested::Near {
                prototypes,
                branches,
                ..
            } = &top.tested
            else {
                return Ok(());
            };
            let left = |lead: usize| top.indent.is_some_and(|indent| lead < indent);
            let complete = branches.len() >= 2 && branches.len() == prototypes.len();
            if !complete || !lead.is_none_or(left) {
                return Ok(());
            }
            let Some(Pending {
                column,
                tested:
                    Tested::Near {
                        boundaries,
                        prototypes,
                        branches,
                    },
                line,
                at,
                branch,
                ..
            }) = self.open.pop()
            else {
                return Ok(());
            };
            let wrong = |reason: String| TreeError::Sketch {
                file: self.file.to_owned(),
                line,
                column: at,
                expected: "prototypes by which the learner can divide".to_owned(),
                found: reason,
                nearest: None,
            };
            let count = prototypes.len();
            let named: Vec<Value> = prototypes.into_iter().flatten().collect();
            let test = match named.len() {
                0 => None,
                named if named < count => {
                    let found = format!("{named} values and {} `?`", count - named);
                    return Err(wrong(found));
                }
                _ => Some(
                    self.values
                        .nearest(column, &named, boundaries)
                        .map_err(wrong)?,
                ),
            };
            let split = Sketch::Split {
                column,
                test,
                branches,
            };
            self.put(split, branch);
        }
        Ok(())
    }

    fn end(mut self) -> Result<Sketch> {
        self.close(None)?;
        if let Some(done) = self.done.take() {
            return Ok(done);
        }
        self.lines += 1;
        let expected = match self.open.last() {
            None => "a test, `?` or `leaf`".to_owned(),
            Some(top) => {
                let branch = match &top.tested {
                    Tested::Holds { yes: None, .. } => "`+--yes:`",
                    Tested::Holds { .. } => "`+--no:`",
                    Tested::Near { .. } => "two or more branches, `+--`, a prototype and `:`,",
                };
                format!("{branch} for the test of line {}", top.line)
            }
        };
        Err(self.error(1, expected, "the end"))
    }

    fn content(&mut self, text: &str, at: usize) -> Result<Content> {
        match text {
            "?" => return Ok(Content::Whole(Sketch::Open)),
            "leaf" => return Ok(Content::Whole(Sketch::Closed)),
            _ if text.starts_with('[') => return Ok(Content::Whole(Sketch::Closed)),
            _ => {}
        }
        if let Some(ContentsTest { column, test }) =
            contents_test(text, self.inputs, &mut *self.values)
        {
            let test = test.map_err(|expected| self.error(at, expected, shown(text)))?;
            let tested = Tested::Holds {
                test,
                yes: None,
                no: None,
            };
            return Ok(Content::Test { column, tested });
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
        let column = input.position;
        let of = self.values.type_of(column);
        if let Some(boundaries) = rest.strip_prefix("near") {
            let known = of.is_some();
            let boundaries = Self::boundaries(boundaries).filter(|_| known);
            let Some(boundaries) = boundaries else {
                let expected = match known {
                    true => "`near`, `near, divided at` numbers or `near, in units of` numbers",
                    false => "another test: the attribute is not compared with prototypes",
                };
                return Err(self.error(at, expected, shown(rest)));
            };
            let tested = Tested::Near {
                boundaries,
                prototypes: Vec::new(),
                branches: Vec::new(),
            };
            return Ok(Content::Test { column, tested });
        }
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
        let test = match (value, &input.labels) {
            ("?", _) => None,
            (_, None) => Some(Test::Above {
                column,
                threshold: self.threshold(value, at, of)?,
            }),
            (_, Some(_)) => Some(Test::Among {
                column,
                values: self.values(value, at, operator == "in", input)?,
            }),
        };
        let tested = Tested::Holds {
            test,
            yes: None,
            no: None,
        };
        Ok(Content::Test { column, tested })
    }

    /// A number, or of a column of dates a date.
    fn threshold(&self, text: &str, at: usize, of: Option<Type>) -> Result<f64> {
        let threshold = match of {
            Some(Type::DateTime) => datetime::parse(text).ok().map(|moment| moment as f64),
            _ => text.parse::<f64>().ok(),
        };
        let expected = match of {
            Some(Type::DateTime) => "a date or `?`",
            None | Some(Type::Numeric) => "a number or `?`",
            Some(_) => "`?`, or `near` in place of `>`: the attribute has no order",
        };
        let ordered = matches!(of, None | Some(Type::Numeric | Type::DateTime));
        let threshold = threshold.filter(|number| number.is_finite() && ordered);
        threshold.ok_or_else(|| self.error(at, expected, shown(text)))
    }

    /// What stands after `near`, as models are shown.
    fn boundaries(text: &str) -> Option<Boundaries> {
        let text = text.trim();
        if text.is_empty() || text == "?" {
            return Some(Boundaries::Midway);
        }
        let numbers = |text: &str| -> Option<Vec<f64>> {
            text.split(',').map(|one| one.trim().parse().ok()).collect()
        };
        if let Some(bounds) = text.strip_prefix(", divided at ") {
            return Some(Boundaries::Cells {
                bounds: numbers(bounds)?,
                cells: None,
            });
        }
        let reach = text.strip_prefix(", in units of ")?;
        Some(Boundaries::Reach(numbers(reach)?))
    }

    /// A name in quotes, or up to the comparison; and what follows it.
    fn name<'t>(&self, text: &'t str, at: usize) -> Result<(String, &'t str)> {
        if text.starts_with(['"', '\'']) {
            let (name, rest) = quoted(text)
                .ok_or_else(|| self.error(at, "a closing quote in the line", shown(text)))?;
            return Ok((name, rest.trim_start()));
        }
        let near = [" near, divided at ", " near, in units of "];
        let near = near.into_iter().find_map(|words| text.find(words));
        let near = near.or_else(|| {
            let ends = [" near", " near ?"].into_iter();
            ends.filter_map(|words| text.strip_suffix(words).map(str::len))
                .next()
        });
        if let Some(end) = near {
            return Ok((text[..end].trim_end().to_owned(), &text[end + 1..]));
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
                let expected =
                    "a test (`>`, `in`, `=` or `near`), `?`, `leaf` or a prediction in brackets";
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
    use super::super::prototypes::NoPrototypes;
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
        sketch(text, "partial.tree", &inputs(), &mut NoPrototypes)
    }

    fn split(column: u32, test: Option<Test>, yes: Sketch, no: Sketch) -> Sketch {
        Sketch::Split {
            column,
            test,
            branches: vec![yes, no],
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
                "line 1, column 1: expected a test (`>`, `in`, `=` or `near`), `?`, `leaf` or a prediction in brackets, found `petal width`",
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
                "line 2, column 8: expected a test (`>`, `in`, `=` or `near`), `?`, `leaf` or a prediction in brackets, found the end of the line",
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
