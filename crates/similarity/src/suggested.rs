//! The type that an expression and untyped JSON suggest together: `[1, 2]` is a set under
//! `hausdorff`, a list under `edit`, a tuple under `sum`; `"a(b)"` is a tree under `tree_edit` and
//! a string under `edit`.

use kinwood_values::json::infer_types;
use kinwood_values::types::NoCommonType;
use kinwood_values::{Field, Type};
use serde_json::Value as Json;

use crate::entry::{Takes, TypeKind};
use crate::expression::Expression;
use crate::registry::Registry;

/// The type of JSON values that are to be measured by the expression: what its measure takes, as
/// far as the values can be that.
pub fn suggested_type(expression: &Expression, values: &[&Json]) -> Result<Type, NoCommonType> {
    let inferred = || infer_types(values.iter().copied());
    let Some(entry) = Registry::known().find(&expression.name) else {
        return inferred();
    };
    if entry.inside.is_about_the_same()
        && let Some(part) = expression.parts().next()
    {
        return suggested_type(&part.measure, values);
    }
    match &entry.takes {
        Takes::Exactly(of) => Ok(of.clone()),
        Takes::Kinds(kinds) => {
            for &kind in *kinds {
                if let Some(of) = of_kind(kind, kinds, expression, values)? {
                    return Ok(of);
                }
            }
            inferred()
        }
        Takes::Any | Takes::Accepted(_) => inferred(),
    }
}

/// The type of this kind that the values can have; nothing if they can have none, or say themselves
/// what they are.
fn of_kind(
    kind: TypeKind,
    taken: &[TypeKind],
    expression: &Expression,
    values: &[&Json],
) -> Result<Option<Type>, NoCommonType> {
    let all = |holds: fn(&Json) -> bool| values.iter().all(|json| holds(json) || json.is_null());
    let members = || -> Result<Box<Type>, NoCommonType> {
        let arrays = values.iter().filter_map(|json| json.as_array());
        let members: Vec<&Json> = arrays.flatten().collect();
        let part = expression.parts().next();
        of_part(part.map(|part| &part.measure), &members).map(Box::new)
    };
    let arrays = all(Json::is_array);
    let repeated = || values.iter().any(|json| repeats(json));
    Ok(match kind {
        TypeKind::Tree => Some(Type::Tree),
        TypeKind::Term => Some(Type::Term),
        TypeKind::Graph => Some(Type::Graph),
        TypeKind::String if all(Json::is_string) => Some(Type::String),
        TypeKind::List if arrays => Some(Type::List(members()?)),
        TypeKind::Set if arrays && !(taken.contains(&TypeKind::Bag) && repeated()) => {
            Some(Type::Set(members()?))
        }
        TypeKind::Bag if arrays => Some(Type::Bag(members()?)),
        TypeKind::Tuple => Some(tuple(expression, values)?),
        _ => None,
    })
}

/// What the measure of a part suggests, or the values alone if there is none.
fn of_part(measure: Option<&Expression>, values: &[&Json]) -> Result<Type, NoCommonType> {
    match measure {
        Some(measure) => suggested_type(measure, values),
        None => infer_types(values.iter().copied()),
    }
}

/// The type of values whose fields are measured by the parts, or all by the first.
fn tuple(expression: &Expression, values: &[&Json]) -> Result<Type, NoCommonType> {
    let part = |place: usize| expression.parts().nth(place).map(|part| &part.measure);
    let arrays = values.iter().all(|json| json.is_array() || json.is_null());
    Ok(match infer_types(values.iter().copied())? {
        // Fields of one kind look like a list.
        Type::List(_) if arrays => Type::Tuple(
            fields(values)
                .iter()
                .enumerate()
                .map(|(place, of_field)| {
                    let of = of_part(part(place).or_else(|| part(0)), of_field)?;
                    Ok(Field { name: None, of })
                })
                .collect::<Result<_, NoCommonType>>()?,
        ),
        Type::Tuple(found) if arrays => {
            let columns = fields(values);
            let of_field = |(place, field): (usize, Field)| {
                let measure = part(place).or_else(|| part(0));
                match (measure, columns.get(place)) {
                    (Some(measure), Some(column)) => Ok(Field {
                        of: suggested_type(measure, column)?,
                        ..field
                    }),
                    _ => Ok(field),
                }
            };
            let typed = found.into_iter().enumerate().map(of_field);
            Type::Tuple(typed.collect::<Result<_, NoCommonType>>()?)
        }
        other => other,
    })
}

fn repeats(json: &Json) -> bool {
    let Some(elements) = json.as_array() else {
        return false;
    };
    let mut seen: Vec<String> = elements.iter().map(Json::to_string).collect();
    seen.sort_unstable();
    seen.windows(2).any(|pair| pair[0] == pair[1])
}

/// The first elements of all arrays, the second, and so on.
fn fields<'a>(values: &[&'a Json]) -> Vec<Vec<&'a Json>> {
    let arrays = values.iter().filter_map(|json| json.as_array());
    let mut fields: Vec<Vec<&Json>> = Vec::new();
    for array in arrays {
        for (place, element) in array.iter().enumerate() {
            if fields.len() <= place {
                fields.push(Vec::new());
            }
            fields[place].push(element);
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_expression_decides_what_json_leaves_open() {
        let of = |expression: &str, a: Json, b: Json| {
            let expression: Expression = expression.parse().unwrap();
            suggested_type(&expression, &[&a, &b]).unwrap().to_string()
        };
        let (one, two) = (json!([1, 2]), json!([3]));
        assert_eq!(
            of("hausdorff(absolute)", one.clone(), two.clone()),
            "set<numeric>"
        );
        assert_eq!(of("edit", one.clone(), two), "list<numeric>");
        assert_eq!(of("sum", one.clone(), one), "tuple<numeric, numeric>");
        assert_eq!(of("edit", json!("ab"), json!("b")), "string");
        assert_eq!(of("tree_edit", json!("a(b)"), json!("b")), "tree");
        assert_eq!(
            of("hausdorff(absolute)", json!([1, 1]), json!([])),
            "bag<numeric>"
        );
        assert_eq!(
            of(
                "hausdorff(mean(discrete, absolute))",
                json!([["c", 1]]),
                json!([["n", 2]])
            ),
            "set<tuple<nominal, numeric>>"
        );
        assert_eq!(
            of("induced(set(spectrum))", json!(["ab"]), json!(["b"])),
            "set<string>"
        );
    }
}
