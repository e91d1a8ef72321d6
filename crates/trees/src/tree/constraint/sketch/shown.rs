//! Partial trees in JSON, in the form in which models are shown.
//!
//! A node is `{"test": …, "yes": …, "no": …}`, or with `"branches": […]` where its test has
//! prototypes; what is shown besides is passed over, so that a shown model, or a part of one, is a
//! partial tree. `{"uses": "column", …}` leaves the test on a column to the learner. `"?"`, or
//! nothing, is an open leaf, from which anything may grow; `"leaf"`, or a shown node without a
//! test, is a leaf that stays one.

use kinwood_values::suggest::{did_you_mean, nearest};
use serde_json::Value;

use super::Sketch;
use crate::error::TreeError;
use crate::tree::constraint::Input;

/// How many tests may stand above each other.
pub const DEEPEST: usize = 256;

/// What is wrong, in words.
pub type Read<T> = Result<T, String>;

/// Tests as a language shows them.
pub trait ShownTests {
    /// A test of the language.
    type Test;
    /// What of the way to a node its tests refer to.
    type Path: Clone + Default;

    /// The columns that may be named alone.
    fn inputs(&self) -> &[Input];
    /// Reads a test; also the column that it is on. `at` is its place, for messages.
    fn test(&mut self, test: &Value, path: &Self::Path, at: &str) -> Read<(u32, Self::Test)>;
    /// How many branches a test has.
    fn branches(&self, test: &Self::Test) -> usize;
    /// The way into a branch of a test; of one that is left open, without it.
    fn after(&self, path: &Self::Path, test: Option<&Self::Test>, branch: usize) -> Self::Path;
}

/// Reads the text of a file, whose name is for messages.
pub fn read<S: ShownTests>(
    text: &str,
    file: &str,
    tests: &mut S,
) -> Result<Sketch<S::Test>, TreeError> {
    let wrong = |reason: String| TreeError::SketchFile {
        file: file.to_owned(),
        reason,
    };
    let shown: Value = serde_json::from_str(text)
        .map_err(|error| wrong(format!("expected JSON as models are shown in: {error}")))?;
    let tree = [&shown["model"]["trees"][0], &shown["trees"][0], &shown]
        .into_iter()
        .find(|tree| !tree.is_null())
        .unwrap_or(&Value::Null);
    let mut reader = Reader {
        tests,
        subtrees: &tree["subtrees"],
    };
    let root = tree.get("root").unwrap_or(tree);
    let sketch = reader.node(root, &S::Path::default(), "root", 0);
    sketch.map_err(wrong)
}

/// The name that was perhaps meant, as the end of a message.
pub fn meant<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    did_you_mean(&nearest(name, &names))
}

/// A whole number.
pub fn whole(value: &Value, at: &str) -> Read<u32> {
    let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
    number.ok_or_else(|| format!("{at}: expected a whole number, found {value}"))
}

/// A name.
pub fn word<'v>(value: &'v Value, at: &str) -> Read<&'v str> {
    value
        .as_str()
        .ok_or_else(|| format!("{at}: expected a name, found {value}"))
}

struct Reader<'a, S> {
    tests: &'a mut S,
    subtrees: &'a Value,
}

impl<S: ShownTests> Reader<'_, S> {
    fn node(
        &mut self,
        node: &Value,
        path: &S::Path,
        at: &str,
        depth: usize,
    ) -> Read<Sketch<S::Test>> {
        if depth > DEEPEST {
            return Err(format!("{at}: more than {DEEPEST} tests above each other"));
        }
        if let Some(place) = node.get("subtree") {
            let place = whole(place, at)? as usize;
            let subtrees = self.subtrees;
            return match subtrees.get(place) {
                Some(subtree) => self.node(subtree, path, at, depth + 1),
                None => Err(format!("{at}: there is no subtree {place}")),
            };
        }
        let (column, test) = match (node.get("test"), node.get("uses")) {
            (Some(test), _) => {
                let (column, test) = self.tests.test(test, path, &format!("{at}.test"))?;
                (column, Some(test))
            }
            (None, Some(name)) => (self.column(word(name, at)?, at)?, None),
            (None, None) => {
                return match node {
                    Value::Null => Ok(Sketch::Open),
                    Value::String(text) if text == "?" => Ok(Sketch::Open),
                    Value::String(text) if text == "leaf" => Ok(Sketch::Closed),
                    Value::Object(fields) if fields.contains_key("targets") => Ok(Sketch::Closed),
                    found => Err(format!(
                        "{at}: expected a node with `test` or `uses`, \"?\" or \"leaf\", found {found}"
                    )),
                };
            }
        };
        let count = test.as_ref().map(|test| self.tests.branches(test));
        let below = below(node, count, at)?;
        let mut branches = Vec::with_capacity(below.len());
        for (branch, (node, name)) in below.into_iter().enumerate() {
            let path = self.tests.after(path, test.as_ref(), branch);
            branches.push(self.node(node, &path, &format!("{at}.{name}"), depth + 1)?);
        }
        Ok(Sketch::Split {
            column,
            test,
            branches,
        })
    }

    fn column(&self, name: &str, at: &str) -> Read<u32> {
        let inputs = || self.tests.inputs().iter().filter(|input| input.tested);
        let found = inputs().find(|input| input.name == name);
        let names = || inputs().map(|input| input.name.as_str());
        found
            .map(|input| input.position)
            .ok_or_else(|| format!("{at}: unknown attribute `{name}`{}", meant(name, names())))
    }
}

/// What stands below a node of so many branches, with the name of its place; a test that is left
/// open may have any number.
fn below<'v>(node: &'v Value, count: Option<usize>, at: &str) -> Read<Vec<(&'v Value, String)>> {
    let Some(listed) = node.get("branches") else {
        let of = |branch: &str| {
            let node = node.get(branch).unwrap_or(&Value::Null);
            (node, branch.to_owned())
        };
        return Ok(match count {
            None | Some(2) => vec![of("yes"), of("no")],
            Some(count) => (0..count)
                .map(|place| (&Value::Null, format!("branches[{place}]")))
                .collect(),
        });
    };
    let listed = listed
        .as_array()
        .ok_or_else(|| format!("{at}: expected a list of nodes in `branches`, found {listed}"))?;
    let fits = count.map_or(listed.len() >= 2, |count| listed.len() == count);
    if !fits {
        let expected = count.map_or_else(|| "two or more".to_owned(), |count| count.to_string());
        let found = listed.len();
        return Err(format!(
            "{at}: expected {expected} `branches`, one a prototype, found {found}"
        ));
    }
    let named = listed.iter().enumerate();
    let named = named.map(|(place, node)| (node, format!("branches[{place}]")));
    Ok(named.collect())
}
