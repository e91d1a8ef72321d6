//! The type that an expression and untyped JSON suggest together: `[1, 2]` is a set under `hausdorff`, a list under
//! `edit`, a tuple under `sum`; `"a(b)"` is a tree under `tree_edit` and a string under `edit`.

use kinwood_values::json::infer_types;
use kinwood_values::types::NoCommonType;
use kinwood_values::{Field, Type};
use serde_json::Value as Json;

use crate::expression::Expression;

/// The type of JSON values that are to be measured by the expression.
pub fn suggested_type(expression: &Expression, values: &[&Json]) -> Result<Type, NoCommonType> {
    let inferred = || infer_types(values.iter().copied());
    let part = |place: usize| expression.parts().nth(place).map(|part| &part.measure);
    let members = || -> Vec<&Json> {
        let arrays = values.iter().filter_map(|json| json.as_array());
        arrays.flatten().collect()
    };
    let strings = values.iter().all(|json| json.is_string() || json.is_null());
    let arrays = values.iter().all(|json| json.is_array() || json.is_null());
    let of_members = |measure: Option<&Expression>| match measure {
        Some(measure) => suggested_type(measure, &members()),
        None => infer_types(members()),
    };
    Ok(match expression.name.as_str() {
        "tree_edit" | "subtree" => Type::Tree,
        "nienhuys_cheng" | "lgg" | "structural" => Type::Term,
        "label_histogram" | "graph_edit" | "walk" => Type::Graph,
        "edit" | "smith_waterman" | "subsequence" | "spectrum" if strings => Type::String,
        "edit" | "smith_waterman" | "subsequence" | "spectrum" if arrays => {
            Type::List(Box::new(of_members(part(0))?))
        }
        "hausdorff"
        | "ranked_hausdorff"
        | "min_hausdorff"
        | "matching"
        | "sum_of_minima"
        | "surjection"
        | "fair_surjection"
        | "link"
        | "symmetric_difference"
        | "set"
            if arrays =>
        {
            let of = Box::new(of_members(part(0))?);
            if values.iter().any(|json| repeats(json)) {
                Type::Bag(of)
            } else {
                Type::Set(of)
            }
        }
        "sum" | "mean" | "euclidean" | "rms" | "add" | "multiply" => match inferred()? {
            // Fields of one kind look like a list.
            Type::List(_) if arrays => Type::Tuple(
                fields(values)
                    .iter()
                    .enumerate()
                    .map(|(place, of_field)| {
                        let measure = part(place).or_else(|| part(0));
                        let of = match measure {
                            Some(measure) => suggested_type(measure, of_field)?,
                            None => infer_types(of_field.iter().copied())?,
                        };
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
        },
        "induced" | "normalised" | "scaled" | "linear" | "negative" | "polynomial" | "gaussian" => {
            match part(0) {
                Some(measure) => suggested_type(measure, values)?,
                None => inferred()?,
            }
        }
        _ => inferred()?,
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
