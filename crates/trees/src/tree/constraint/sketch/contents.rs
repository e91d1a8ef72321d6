//! Tests on contents in partial trees, as trees are printed: `basket contains tofu`,
//! `size(basket) >= 3`.

use kinwood_values::Type;

use super::prototypes::PrototypeValues;
use crate::contents::{Asked, Reading, parse};
use crate::tree::Test;
use crate::tree::constraint::Input;

/// A test on contents, and the column that it is on.
pub struct ContentsTest {
    /// The column.
    pub column: u32,
    /// The test, `None` where it is left to the learner; what was expected where it cannot be read.
    pub test: Result<Option<Test>, String>,
}

/// Reads a test on contents; `None` where the text is something else.
pub fn contents_test(
    text: &str,
    inputs: &[Input],
    values: &mut dyn PrototypeValues,
) -> Option<ContentsTest> {
    let mut tested: Vec<&Input> = inputs.iter().filter(|input| input.tested).collect();
    // A name may begin with another.
    tested.sort_by_key(|input| std::cmp::Reverse(input.name.len()));
    tested.into_iter().find_map(|input| {
        let column = input.position;
        let of = values.type_of(column)?;
        Reading::new(&of)?;
        let quoted = format!("\"{}\"", input.name.replace('"', "\"\""));
        [input.name.as_str(), &quoted].into_iter().find_map(|name| {
            let test = named(text, name, column, &of, values)?;
            Some(ContentsTest { column, test })
        })
    })
}

fn named(
    text: &str,
    name: &str,
    column: u32,
    of: &Type,
    values: &mut dyn PrototypeValues,
) -> Option<Result<Option<Test>, String>> {
    let sized = ["size(", "length("]
        .into_iter()
        .find_map(|measure| text.strip_prefix(measure));
    if let Some(rest) = sized.and_then(|rest| rest.strip_prefix(name)) {
        let least = rest.strip_prefix(')')?.trim_start().strip_prefix(">=")?;
        return Some(match least.trim() {
            "?" => Ok(None),
            least => match least.parse() {
                Ok(least) => values.sized(column, least).map(Some),
                Err(_) => Err("a whole number or `?`".to_owned()),
            },
        });
    }
    let rest = text.strip_prefix(name)?.strip_prefix(' ')?;
    Some(match parse(rest.trim_start(), of)? {
        Ok(Asked::Items(items)) => values.has(column, &items).map(Some),
        Ok(Asked::Open) => Ok(None),
        Err(expected) => Err(expected),
    })
}
