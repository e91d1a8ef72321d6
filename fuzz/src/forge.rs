//! Forged models: the content of a model file with a few values changed, and all that fits around
//! them left as it is.
//!
//! Checksums refuse a file in which a byte has changed, and a parser refuses a text in which a
//! bracket has. What is to be tried lies behind both: codes beyond their dictionary, offsets that
//! fall, trees whose children are their parents, numbers that are none.

use serde_json::{Map, Value};

use crate::dice::Dice;

/// Whole numbers that a count, code or offset should not be.
const WHOLE: &[u64] = &[
    0,
    1,
    2,
    3,
    5,
    7,
    8,
    12,
    13,
    39,
    40,
    41,
    63,
    64,
    255,
    256,
    65_535,
    65_536,
    1 << 31,
    u32::MAX as u64 - 1,
    u32::MAX as u64,
    1 << 32,
    1 << 40,
    1 << 53,
    i64::MAX as u64,
    u64::MAX,
];

/// Numbers that a weight, threshold or coefficient should not be.
const REAL: &[f64] = &[
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    1e-320,
    1e-9,
    1e9,
    1e150,
    1e200,
    -1e200,
    1e308,
    -1e308,
    f64::MAX,
    f64::MIN,
    f64::EPSILON,
];

/// Texts in which sections keep numbers that JSON does not have.
const REAL_TEXTS: &[&str] = &[
    "NaN", "inf", "-inf", "0", "-0", "1e308", "-1e308", "5e-324", "1e200", "0.5", "-1", "3",
];

/// Changes a listing; false if the input is none.
pub(crate) fn forge(input: &mut Vec<u8>, other: &[u8], words: &[Vec<u8>], dice: &mut Dice) -> bool {
    let Ok(mut listing) = serde_json::from_slice::<Value>(input) else {
        return false;
    };
    let other = match dice.one_in(4) {
        true => serde_json::from_slice(other).ok(),
        false => None,
    };
    for _ in 0..1 + (dice.bits().trailing_zeros() as usize).min(5) {
        change(&mut listing, other.as_ref(), words, dice);
    }
    let text = listing.to_string();
    input.clear();
    input.extend_from_slice(text.as_bytes());
    true
}

/// Changes one value somewhere below: each part of a list or an object is as likely as another, so
/// that large sections do not hide small ones.
fn change(value: &mut Value, other: Option<&Value>, words: &[Vec<u8>], dice: &mut Dice) {
    match value {
        Value::Array(items) if !items.is_empty() && !dice.one_in(6) => {
            let at = dice.below(items.len());
            let below = other.and_then(|other| {
                let others = other.as_array()?;
                (!others.is_empty()).then(|| dice.pick(others))
            });
            change(&mut items[at], below, words, dice);
        }
        Value::Object(fields) if !fields.is_empty() && !dice.one_in(12) => {
            let at = dice.below(fields.len());
            let Some((name, field)) = fields.iter_mut().nth(at) else {
                return;
            };
            let below = other.and_then(|other| other.get(name));
            change(field, below, words, dice);
        }
        _ => replace(value, other, words, dice),
    }
}

fn replace(value: &mut Value, other: Option<&Value>, words: &[Vec<u8>], dice: &mut Dice) {
    // What stands at the same place in another model is most likely to be taken for good.
    if let Some(other) = other
        && !dice.one_in(3)
    {
        *value = other.clone();
        return;
    }
    if dice.one_in(24) {
        *value = any(dice);
        return;
    }
    match value {
        Value::Number(number) => *value = number_like(number, dice),
        Value::String(text) => change_text(text, words, dice),
        Value::Array(items) => change_list(items, dice),
        Value::Object(fields) => change_fields(fields, dice),
        Value::Bool(flag) => *flag = !*flag,
        Value::Null => *value = any(dice),
    }
}

fn any(dice: &mut Dice) -> Value {
    match dice.below(7) {
        0 => Value::Null,
        1 => (*dice.pick(WHOLE)).into(),
        2 => (*dice.pick(REAL)).into(),
        3 => true.into(),
        4 => (*dice.pick(REAL_TEXTS)).into(),
        5 => Value::Array(Vec::new()),
        _ => Value::Object(Map::new()),
    }
}

/// Another number: next to it, or hostile.
fn number_like(number: &serde_json::Number, dice: &mut Dice) -> Value {
    match (number.as_u64(), dice.below(5)) {
        (Some(whole), 0) => whole.wrapping_add(1).into(),
        (Some(whole), 1) => whole.saturating_sub(1).into(),
        (Some(whole), 2) => (whole ^ (1 << dice.below(8))).into(),
        (Some(_), 3) if dice.one_in(4) => (-1).into(),
        (Some(_), _) => (*dice.pick(WHOLE)).into(),
        (None, 0) => number.as_f64().map_or(Value::Null, |real| (-real).into()),
        (None, _) => (*dice.pick(REAL)).into(),
    }
}

/// Another text; one that states a number states another.
fn change_text(text: &mut String, words: &[Vec<u8>], dice: &mut Dice) {
    if text.parse::<f64>().is_ok() && !dice.one_in(6) {
        *text = (*dice.pick(REAL_TEXTS)).to_owned();
        return;
    }
    let word = String::from_utf8_lossy(dice.pick::<Vec<u8>>(words)).into_owned();
    let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    match dice.below(6) {
        0 => *text = word,
        1 if !ends.is_empty() => text.truncate(*dice.pick(&ends)),
        2 if !ends.is_empty() => text.insert_str(*dice.pick(&ends), &word),
        3 if !ends.is_empty() => {
            text.remove(*dice.pick(&ends));
        }
        4 if text.len() < 1000 => *text = text.repeat(2),
        _ => text.clear(),
    }
}

fn change_list(items: &mut Vec<Value>, dice: &mut Dice) {
    let length = items.len();
    match dice.below(7) {
        0 => {
            items.pop();
        }
        1 => items.clear(),
        2 if length > 1 => items.swap(dice.below(length), dice.below(length)),
        3 if length > 0 => {
            items.remove(dice.below(length));
        }
        4 if length > 0 => items[dice.below(length)] = dice.pick(&items.clone()).clone(),
        5 if length > 0 && length < 500 => items.extend(items.clone()),
        _ => {
            let more = items.last().cloned().unwrap_or_else(|| any(dice));
            items.push(more);
        }
    }
}

fn change_fields(fields: &mut Map<String, Value>, dice: &mut Dice) {
    let name = |fields: &Map<String, Value>, dice: &mut Dice| {
        fields.keys().nth(dice.below(fields.len())).cloned()
    };
    match (name(fields, dice), name(fields, dice)) {
        (Some(one), Some(other)) => match dice.below(3) {
            0 => {
                fields.remove(&one);
            }
            1 => {
                // A section in another's place.
                let content = fields.get(&other).cloned().unwrap_or_default();
                fields.insert(one, content);
            }
            _ => {
                fields.insert(format!("{one}_"), Value::Null);
            }
        },
        _ => {
            fields.insert("x".to_owned(), any(dice));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forged_listing_is_json_and_seldom_the_same() {
        let listing = br#"{"manifest":{"learner":"knn"},"sections":{"a":{"u32":[1,2,3]},"b":{"f64":["1","2"]}}}"#;
        let mut other = 0;
        for run in 0..200 {
            let mut input = listing.to_vec();
            let mut dice = Dice::new(3, run);
            assert!(forge(&mut input, listing, &[b"word".to_vec()], &mut dice));
            let read: Value = serde_json::from_slice(&input).expect("JSON");
            assert!(read.is_object() || run > 0);
            other += usize::from(input != listing);
        }
        assert!(other > 150, "{other}");
        assert!(!forge(&mut b"{".to_vec(), b"", &[], &mut Dice::new(1, 1)));
    }
}
