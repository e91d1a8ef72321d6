//! What every kind of value needs to be read from JSON: what was expected, what stands there, and
//! where.

use serde_json::{Map, Value as Json};

use crate::suggest::nearest;
use crate::text::{ParseError, excerpt, identifier_like, write_quoted};

pub(super) fn mismatch(json: &Json, expected: &'static str) -> ParseError {
    let found = match json {
        Json::Null => "null".to_owned(),
        Json::Bool(truth) => truth.to_string(),
        Json::Number(number) => format!("the number {number}"),
        Json::String(text) => format!("the string `{}`", excerpt(text)),
        Json::Array(elements) => format!("an array of {}", elements.len()),
        Json::Object(_) => "an object".to_owned(),
    };
    ParseError::Mismatch { found, expected }
}

/// The text of a string, a number or a truth value.
pub(super) fn plain_text(json: &Json) -> Option<String> {
    match json {
        Json::String(text) => Some(text.clone()),
        Json::Number(number) => Some(number.to_string()),
        Json::Bool(truth) => Some(truth.to_string()),
        Json::Null | Json::Array(_) | Json::Object(_) => None,
    }
}

pub(super) fn read_array<'a>(
    json: &'a Json,
    expected: &'static str,
) -> Result<&'a [Json], ParseError> {
    json.as_array()
        .map(Vec::as_slice)
        .ok_or_else(|| mismatch(json, expected))
}

/// Reads each element of an array, naming its position in errors.
pub(super) fn read_each<T>(
    elements: &[Json],
    mut read: impl FnMut(usize, &Json) -> Result<T, ParseError>,
) -> Result<Vec<T>, ParseError> {
    let each = elements.iter().enumerate();
    each.map(|(i, json)| read(i, json).map_err(|error| error.within(format!("[{i}]"))))
        .collect()
}

/// One step of a path into an object.
pub(super) fn key_step(name: &str) -> String {
    if identifier_like(name) {
        return format!(".{name}");
    }
    let mut step = String::from("[");
    write_quoted(&mut step, name).expect("writing to a string does not fail");
    step.push(']');
    step
}

pub(super) fn check_keys(object: &Map<String, Json>, known: &[&str]) -> Result<(), ParseError> {
    match object.keys().find(|key| !known.contains(&key.as_str())) {
        None => Ok(()),
        Some(key) => Err(ParseError::UnknownField {
            name: key.clone(),
            nearest: nearest(key, known),
        }),
    }
}
