//! Collections in cells: lists in brackets, sets in braces, parts between bars or semicolons.

use std::collections::{HashMap, HashSet};

use kinwood_values::json::infer_types;
use kinwood_values::notation::lists::{bracketed, number, separated};
use kinwood_values::{Column, Type, Value};
use serde_json::Value as Json;

use super::{Meaning, Texts};

/// Marks that separate members where nobody says so; a comma stands in too many plain texts.
const SEPARATORS: [char; 2] = ['|', ';'];
/// Separated members are there if one in so many cells has several …
const SHARE: usize = 10;
/// … in at least so many cells …
const CELLS: usize = 2;
/// … and labels occur three times for each two of them: what hardly recurs is rather text with a
/// mark in it.
const REPEATS: (usize, usize) = (3, 2);
/// No label is longer.
const LONGEST: usize = 60;

pub(super) fn find(texts: &Texts<'_>) -> Option<Meaning> {
    in_brackets(texts).or_else(|| SEPARATORS.into_iter().find_map(|mark| between(texts, mark)))
}

fn in_brackets(texts: &Texts<'_>) -> Option<Meaning> {
    let open = |text: &&str| text.trim_start().starts_with(['[', '{']);
    if !texts.texts.iter().all(open) {
        return None;
    }
    let mut values: Vec<Json> = texts
        .texts
        .iter()
        .map(|text| bracketed(text))
        .collect::<Option<_>>()?;
    let in_braces = |text: &&str| text.trim_start().starts_with('{');
    let braces = texts.texts.iter().all(in_braces)
        && values.iter().all(|value| match value {
            Json::Array(_) => true,
            Json::Object(fields) => fields.is_empty(),
            _ => false,
        })
        && values.iter().any(Json::is_array);
    if braces {
        // Nothing in braces is an empty set among sets.
        for value in values.iter_mut().filter(|value| value.is_object()) {
            *value = Json::Array(Vec::new());
        }
    }
    // `[deleted]` is a label in brackets; a list has several members, or none, somewhere.
    let several = |value: &Json| match value {
        Json::Array(members) => members.len() != 1,
        _ => true,
    };
    if !values.iter().any(several) {
        return None;
    }
    let of = match infer_types(&values).ok()? {
        Type::Nominal => return None,
        Type::List(element) if braces => Type::Set(element),
        Type::List(element) if *element == Type::Nominal && !repeat(&values) => Type::Set(element),
        of => of,
    };
    let (form, why) = match &of {
        Type::Set(_) if braces => ("sets in braces", String::new()),
        Type::Set(_) => (
            "lists in brackets",
            ", and none repeats a member".to_owned(),
        ),
        Type::List(_) => ("lists in brackets", String::new()),
        _ => ("JSON", String::new()),
    };
    meaning(texts, of, &values, form, &why)
}

/// Arrays of labels as sets, by the rule that holds for lists in cells: JSON has no sets, and what
/// never has a member twice is one.
pub(super) fn as_sets(column: &Column) -> Option<(Column, Meaning)> {
    let Type::List(element) = column.type_of() else {
        return None;
    };
    if *element != Type::Nominal {
        return None;
    }
    let of = Type::Set(element);
    let mut sets = Column::empty(&of);
    let (mut several, mut present) = (false, 0);
    for row in 0..column.len() {
        match column.value(row) {
            Value::List(members) => {
                let count = members.len();
                let distinct: HashSet<&Value> = members.iter().collect();
                if distinct.len() < count {
                    return None;
                }
                (several, present) = (several || count != 1, present + 1);
                sets.push(&Value::set(members)).ok()?;
            }
            _ => sets.push_missing(),
        }
    }
    let form = "arrays, none of which repeats a member".to_owned();
    several.then(|| {
        let meaning = Meaning {
            of,
            values: Vec::new(),
            notation: None,
            evidence: format!("all {present} values are {form}"),
            form,
        };
        (sets, meaning)
    })
}

/// Whether some list has a member twice.
fn repeat(values: &[Json]) -> bool {
    values.iter().any(|value| {
        let members = value.as_array().map_or(&[][..], Vec::as_slice);
        let mut seen = HashSet::new();
        !members.iter().all(|member| seen.insert(member.to_string()))
    })
}

fn between(texts: &Texts<'_>, mark: char) -> Option<Meaning> {
    let cells = texts.texts.iter().zip(&texts.counts);
    let several: usize = cells
        .filter(|(text, _)| separated(text, mark).nth(1).is_some())
        .map(|(_, count)| count)
        .sum();
    if several < CELLS || several * SHARE < texts.present {
        return None;
    }
    let parts: Vec<Vec<&str>> = texts
        .texts
        .iter()
        .map(|text| separated(text, mark).collect())
        .collect();
    let all = || parts.iter().flatten();
    let numbers = all().all(|part| number(part).is_some());
    if !numbers {
        let mut often: HashMap<&str, usize> = HashMap::new();
        for (members, count) in parts.iter().zip(&texts.counts) {
            members
                .iter()
                .for_each(|member| *often.entry(member).or_default() += count);
        }
        let total: usize = often.values().sum();
        let long = all().any(|part| part.chars().count() > LONGEST);
        if long || total * REPEATS.1 < often.len() * REPEATS.0 {
            return None;
        }
    }
    let json = |part: &&str| match numbers {
        true => number(part).unwrap_or(Json::Null),
        false => Json::String((*part).to_owned()),
    };
    let values: Vec<Json> = parts
        .iter()
        .map(|members| members.iter().map(json).collect())
        .collect();
    let of = match (numbers, repeat(&values)) {
        (true, _) => Type::List(Box::new(Type::Numeric)),
        (false, true) => Type::List(Box::new(Type::Nominal)),
        (false, false) => Type::Set(Box::new(Type::Nominal)),
    };
    let why = match &of {
        Type::Set(_) => ", and none repeats a member",
        _ => "",
    };
    meaning(
        texts,
        of,
        &values,
        &format!("members between `{mark}`"),
        why,
    )
}

fn meaning(texts: &Texts<'_>, of: Type, values: &[Json], form: &str, why: &str) -> Option<Meaning> {
    let read = |json: &Json| Value::from_json(&of, json).ok();
    Some(Meaning {
        values: values.iter().map(read).collect::<Option<_>>()?,
        of,
        notation: None,
        evidence: format!("all {} values are {form}{why}", texts.present),
        form: form.to_owned(),
    })
}
