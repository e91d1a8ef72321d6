//! Values as users type them in JSON, read by type, and the types that untyped JSON suggests.
//!
//! JSON has fewer kinds than we have types: an array is a list, a set, a bag, a tuple or a graph
//! depending on the type it is read by. So reading asks for the type, and writing does not.

mod graph;
mod parts;

use serde_json::{Map, Value as Json, json};

use crate::datetime;
use crate::text::{ParseError, finite};
use crate::types::{DEEPEST_TYPE, Field, Guess, Kind, NoCommonType, Type, join_all};
use crate::value::Value;
use graph::{GRAPH_KEYS, read_graph, write_graph};
use parts::{check_keys, key_step, mismatch, plain_text, read_array, read_each};

impl Value {
    /// Reads a value of the given type.
    ///
    /// - `null` is missing, for any type and at any level.
    /// - Numbers are JSON numbers; nominal values and strings are JSON strings, and numbers and
    ///   truth values are taken as their text; dates, terms and trees are strings in their text
    ///   forms.
    /// - Lists, sets, bags and tuples are arrays. A tuple whose fields all have names may be an
    ///   object, in which a field not mentioned is missing.
    /// - A graph is an array of edges `["a", "b"]` or `["a", "b", "label"]`, directed, its nodes
    ///   labelled by their names; or `{"directed": false, "nodes": {"1": "C"}, "edges": [["1", "2",
    ///   "double"]]}`, where nodes may also be an array of names, and if they are given, edges may
    ///   touch no others.
    /// - A row of another table is its number, from 1.
    ///
    /// ```
    /// use kinwood_values::Value;
    /// let atoms = "set<tuple<nominal, charge: numeric>>".parse()?;
    /// let value = Value::from_json(&atoms, &serde_json::json!([["o", -0.4], ["c", 0.1]]))?;
    /// assert_eq!(value.to_string(), "{(c, 0.1), (o, -0.4)}");
    /// # Ok::<(), kinwood_values::ParseError>(())
    /// ```
    pub fn from_json(of: &Type, json: &Json) -> Result<Value, ParseError> {
        if json.is_null() {
            return Ok(Value::Missing);
        }
        match of {
            Type::Nominal => read_text(json).map(Value::Symbol),
            Type::String => read_text(json).map(Value::Text),
            Type::Numeric => {
                let number = json.as_f64().ok_or_else(|| mismatch(json, "a number"))?;
                finite(number).map(Value::Number)
            }
            Type::DateTime => datetime::parse(read_string(json, "a date as an ISO 8601 string")?)
                .map(Value::DateTime),
            Type::Tree => read_string(json, "a tree such as \"a(b,c)\"")?
                .parse()
                .map(Value::Tree),
            Type::Term => read_string(json, "a term such as \"p(f(a),X)\"")?
                .parse()
                .map(Value::Term),
            Type::List(of) => read_elements(of, json).map(Value::List),
            Type::Set(of) => read_elements(of, json).map(Value::set),
            Type::Bag(of) => read_elements(of, json).map(Value::bag),
            Type::Tuple(fields) => read_fields(fields, json).map(Value::Tuple),
            Type::Graph => read_graph(json).map(Value::Graph),
            Type::Ref(_) => json
                .as_u64()
                .and_then(|row| u32::try_from(row.checked_sub(1)?).ok())
                .map(Value::Ref)
                .ok_or_else(|| mismatch(json, "the number of a row, from 1")),
        }
    }

    /// The value in the JSON form that [`Value::from_json`] reads back by its type.
    ///
    /// What conforms to no type is written as well as JSON can: a number that is not finite as
    /// `null`.
    pub fn to_json(&self) -> Json {
        match self {
            Value::Missing => Json::Null,
            Value::Symbol(text) | Value::Text(text) => json!(text),
            Value::Number(number) => write_number(*number),
            Value::DateTime(time) => json!(datetime::print(*time)),
            Value::List(values)
            | Value::Set(values)
            | Value::Bag(values)
            | Value::Tuple(values) => values.iter().map(Value::to_json).collect(),
            Value::Tree(tree) => json!(tree.to_string()),
            Value::Term(term) => json!(term.to_string()),
            Value::Graph(graph) => write_graph(graph),
            Value::Ref(row) => json!(u64::from(*row) + 1),
        }
    }
}

fn read_text(json: &Json) -> Result<String, ParseError> {
    plain_text(json).ok_or_else(|| mismatch(json, "a string"))
}

fn read_string<'a>(json: &'a Json, expected: &'static str) -> Result<&'a str, ParseError> {
    json.as_str().ok_or_else(|| mismatch(json, expected))
}

fn read_elements(of: &Type, json: &Json) -> Result<Vec<Value>, ParseError> {
    read_each(read_array(json, "an array")?, |_, element| {
        Value::from_json(of, element)
    })
}

fn read_fields(fields: &[Field], json: &Json) -> Result<Vec<Value>, ParseError> {
    if let Json::Object(object) = json {
        return read_named_fields(fields, object).unwrap_or_else(|| {
            Err(mismatch(
                json,
                "an array, because not all fields have names",
            ))
        });
    }
    let elements = read_array(json, "an array or an object")?;
    if elements.len() != fields.len() {
        return Err(ParseError::FieldCount {
            found: elements.len(),
            expected: fields.len(),
        });
    }
    read_each(elements, |i, element| {
        Value::from_json(&fields[i].of, element)
    })
}

/// Fields from an object, or nothing if not all have names.
fn read_named_fields(
    fields: &[Field],
    object: &Map<String, Json>,
) -> Option<Result<Vec<Value>, ParseError>> {
    let names: Vec<&str> = fields
        .iter()
        .map(|field| field.name.as_deref())
        .collect::<Option<_>>()?;
    if let Err(error) = check_keys(object, &names) {
        return Some(Err(error));
    }
    let read = |(name, field): (&&str, &Field)| match object.get(*name) {
        Some(json) => {
            Value::from_json(&field.of, json).map_err(|error| error.within(key_step(name)))
        }
        None => Ok(Value::Missing),
    };
    Some(names.iter().zip(fields).map(read).collect())
}

/// Integers that a double holds exactly are written without a fraction, as users type them.
fn write_number(number: f64) -> Json {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if number.fract() == 0.0 && number.abs() < EXACT {
        json!(number as i64)
    } else {
        json!(number)
    }
}

/// The type that an untyped JSON value suggests.
///
/// Numbers are numeric; strings and truth values nominal; arrays lists, or tuples if their elements
/// are of different kinds; objects with `edges` graphs, others tuples with names. What nothing is
/// known of, as `null`, is nominal, and so is what is nested deeper than a type can be.
pub fn infer_type(json: &Json) -> Type {
    infer(json, 1).into()
}

/// The type that holds all values of an untyped column.
pub fn infer_types<'a>(column: impl IntoIterator<Item = &'a Json>) -> Result<Type, NoCommonType> {
    let mut common = Guess::Unknown;
    for (i, json) in column.into_iter().enumerate() {
        let guess = infer(json, 1);
        common = common.join(&guess, true).ok_or_else(|| NoCommonType {
            index: i + 1,
            found: guess.into(),
            expected: common.into(),
        })?;
    }
    Ok(common.into())
}

fn infer(json: &Json, level: usize) -> Guess {
    match json {
        Json::Null => Guess::Unknown,
        Json::Number(_) => Guess::Plain(Type::Numeric),
        Json::Bool(_) | Json::String(_) => Guess::Plain(Type::Nominal),
        Json::Array(_) | Json::Object(_) if level == DEEPEST_TYPE => Guess::Plain(Type::Nominal),
        Json::Array(elements) => {
            let guesses: Vec<Guess> = elements.iter().map(|json| infer(json, level + 1)).collect();
            match join_all(&guesses, false) {
                Some(of) => Guess::Elements(Kind::List, Box::new(of)),
                None => Guess::Tuple(guesses.into_iter().map(|guess| (None, guess)).collect()),
            }
        }
        Json::Object(object) => {
            if object.contains_key("edges") && check_keys(object, &GRAPH_KEYS).is_ok() {
                return Guess::Plain(Type::Graph);
            }
            let fields = object
                .iter()
                .map(|(key, json)| (Some(key.clone()), infer(json, level + 1)));
            Guess::Tuple(fields.collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Type {
        text.parse().unwrap()
    }

    fn read(text: &str, json: Json) -> Value {
        Value::from_json(&of(text), &json).unwrap()
    }

    fn message(text: &str, json: Json) -> String {
        Value::from_json(&of(text), &json).unwrap_err().to_string()
    }

    #[test]
    fn reads_by_type() {
        for (text, json, printed) in [
            ("nominal", json!(true), "true"),
            ("string", json!(12), "12"),
            ("bag<nominal>", json!(["b", 1, "b"]), "{|1, b, b|}"),
            ("set<numeric>", json!([2, 1.5, 2.0, null]), "{?, 1.5, 2}"),
            (
                "tuple<a: nominal, b: numeric>",
                json!({"b": 1, "a": "x"}),
                "(x, 1)",
            ),
            ("tuple<a: nominal, b: numeric>", json!({"b": 1}), "(?, 1)"),
            ("tuple<a: nominal, b: numeric>", json!(["x", 1]), "(x, 1)"),
            (
                "datetime",
                json!("2024-05-01 12:00"),
                "2024-05-01T12:00:00Z",
            ),
            ("term", json!("p(X, [a])"), "p(X,[a])"),
            ("ref<person>", json!(1), "#1"),
            (
                "graph",
                json!([["a", "b"], ["b", 3, "x"]]),
                "graph(a -> b, b -> 3: x)",
            ),
            ("graph", json!({"edges": [["a", "b"]]}), "graph(a -> b)"),
            ("graph", json!({"nodes": ["a", 1]}), "graph(a, 1)"),
            (
                "graph",
                json!({"directed": false, "nodes": {"1": "C", "2": null}, "edges": [["1", "2", "double"]]}),
                "graph(1: C, 2; 1 -- 2: double)",
            ),
        ] {
            assert_eq!(read(text, json).to_string(), printed, "{text}");
        }
    }

    #[test]
    fn errors_name_the_path() {
        let atoms = "list<tuple<nominal, charge: numeric>>";
        let named = "list<tuple<'odd name': numeric, charge: numeric>>";
        let nodes = || json!({"carbon": "C"});
        for (text, json, expected) in [
            (
                "numeric",
                json!("1"),
                "expected a number, found the string `1`",
            ),
            (
                atoms,
                json!([["a", 1], ["b", []]]),
                "at `[1][1]`: expected a number, found an array of 0",
            ),
            (
                atoms,
                json!([["a"]]),
                "at `[0]`: expected 2 fields, found 1",
            ),
            (
                atoms,
                json!([{}]),
                "at `[0]`: expected an array, because not all fields have names, found an object",
            ),
            (
                named,
                json!([{"charge": true}]),
                "at `[0].charge`: expected a number, found true",
            ),
            (
                named,
                json!([{"odd name": {}}]),
                "at `[0]['odd name']`: expected a number, found an object",
            ),
            (
                named,
                json!([{"chrage": 1}]),
                "at `[0]`: unknown field `chrage`; did you mean `charge`?",
            ),
            (
                "list<tree>",
                json!(["a(b"]),
                "at `[0]`: expected `,` or `)` at column 4 of the tree, found the end",
            ),
            (
                "ref<t>",
                json!(0),
                "expected the number of a row, from 1, found the number 0",
            ),
            (
                "ref<t>",
                json!(4_294_967_297u64),
                "expected the number of a row, from 1, found the number 4294967297",
            ),
            (
                "graph",
                json!([["a", []]]),
                "at `[0][1]`: expected the name of a node, found an array of 0",
            ),
            (
                "graph",
                json!([["a"]]),
                "at `[0]`: expected an edge: `[from, to]` or `[from, to, label]`, found an array of 1",
            ),
            (
                "graph",
                json!({"nodes": nodes(), "edges": [["carbon", "carbno"]]}),
                "at `.edges[0][1]`: unknown node `carbno`; did you mean `carbon`?",
            ),
            (
                "graph",
                json!({"nodes": ["a", "a"]}),
                "at `.nodes[1]`: node `a` is already a node of this graph",
            ),
            (
                "graph",
                json!({"directed": 1}),
                "at `.directed`: expected true or false, found the number 1",
            ),
            (
                "graph",
                json!({"edge": []}),
                "unknown field `edge`; did you mean `edges`?",
            ),
        ] {
            assert_eq!(message(text, json), expected, "{text}");
        }
    }

    #[test]
    fn integers_are_written_as_users_type_them() {
        assert_eq!(
            read("list<numeric>", json!([1.0, -0.5, 1e20]))
                .to_json()
                .to_string(),
            "[1,-0.5,1e+20]"
        );
    }

    #[test]
    fn infers_sensible_types() {
        for (json, expected) in [
            (json!(null), "nominal"),
            (json!([1, null, 2]), "list<numeric>"),
            (json!([]), "list<nominal>"),
            (json!(["a", true]), "list<nominal>"),
            (json!([1, "a"]), "tuple<numeric, nominal>"),
            (
                json!([[1, "a"], [2, null]]),
                "tuple<tuple<numeric, nominal>, list<numeric>>",
            ),
            (json!([[1, "a"], [2, "b"]]), "list<tuple<numeric, nominal>>"),
            (
                json!([{"a": 1}, {"b": [], "a": 2}]),
                "list<tuple<a: numeric, b: list<nominal>>>",
            ),
            (json!({"edges": [["a", "b"]]}), "graph"),
        ] {
            assert_eq!(infer_type(&json).to_string(), expected, "{json}");
        }
    }

    #[test]
    fn infers_columns() {
        for (column, expected) in [
            (vec![json!([]), json!(null), json!([1])], "list<numeric>"),
            (vec![json!(1), json!("a")], "nominal"),
            (vec![json!([1, "a"]), json!([null, null])], "list<nominal>"),
            (vec![json!([1, "a"]), json!(["b", "a", 3])], "list<nominal>"),
            (
                vec![json!([1, "a"]), json!([2, "b"])],
                "tuple<numeric, nominal>",
            ),
            (
                vec![json!({"a": 1}), json!({"b": "x", "a": "y"})],
                "tuple<a: nominal, b: nominal>",
            ),
        ] {
            assert_eq!(infer_types(&column).unwrap().to_string(), expected);
        }
        assert_eq!(
            infer_types(&[json!(1), json!([1])])
                .unwrap_err()
                .to_string(),
            "value 2 is a `list<numeric>`, the values before it a `numeric`"
        );
    }

    #[test]
    fn inference_stays_within_nesting_that_types_allow() {
        let mut json = json!(1);
        for _ in 0..100 {
            json = json!([json]);
        }
        let inferred = infer_type(&json);
        assert_eq!(inferred.to_string().parse(), Ok(inferred));
    }
}
