//! Every distance and kernel by its definition: an interpreter of fitted expressions on single
//! values, with loops in place of anything fast, and the rules for missing and empty values.
//!
//! It reads expressions, and of the registry only the names and defaults of settings.

use std::collections::{BTreeMap, BTreeSet};

use kinwood_similarity::expression::{Argument, Literal, Part};
use kinwood_similarity::{Expression, Missing, Registry};
use kinwood_values::{Type, Value};

use crate::oracles::{
    fair, histogram, lgg, nienhuys_cheng, onto, over_factorial, structural, walk,
};
use crate::sequence_and_tree_oracles::{common, edited, forests, fragments, local_score, nodes};

/// What of the surroundings counts: the rule for missing values, whether the value is a field that
/// can be left out, and whether missing values are dealt with outside.
#[derive(Clone, Copy)]
struct Around {
    missing: Missing,
    field: bool,
    masked: bool,
}

impl Around {
    const OUTSIDE: Around = Around {
        missing: Missing::Own,
        field: false,
        masked: false,
    };

    /// For a part that is no field.
    fn inside(missing: Missing) -> Around {
        Around {
            missing,
            ..Around::OUTSIDE
        }
    }
}

/// The names whose definitions are elsewhere or are bounds only, so that nothing here gives their
/// numbers.
pub const ELSEWHERE: [&str; 3] = ["fourlayer", "graph_edit", "lgg"];

/// The distance of two values.
pub fn distance(expression: &Expression, of: &Type, a: &Value, b: &Value) -> f64 {
    apart(expression, of, a, b, Around::OUTSIDE).expect("no field is left out at the outside")
}

/// The inner product of two values.
pub fn inner(expression: &Expression, of: &Type, a: &Value, b: &Value) -> f64 {
    alike(expression, of, a, b, Missing::Own)
}

// ----- settings -----

fn setting(expression: &Expression, wanted: &str) -> Option<Literal> {
    let entry = Registry::builtin().find(&expression.name).unwrap();
    let mut numbered = 0;
    for argument in &expression.arguments {
        match argument {
            Argument::Setting { name, value, .. } if name == wanted => return Some(value.clone()),
            Argument::Number(number, _) => {
                if entry.parameters[numbered].name == wanted {
                    return Some(Literal::Number(*number));
                }
                numbered += 1;
            }
            _ => {}
        }
    }
    let parameter = entry.parameters.iter().find(|of| of.name == wanted)?;
    match parameter.default.parse() {
        Ok(number) => Some(Literal::Number(number)),
        Err(_) if parameter.default.is_empty() => None,
        Err(_) => Some(Literal::Word(parameter.default.to_owned())),
    }
}

fn number(expression: &Expression, name: &str) -> Option<f64> {
    match setting(expression, name) {
        Some(Literal::Number(number)) => Some(number),
        _ => None,
    }
}

fn word(expression: &Expression, name: &str) -> Option<String> {
    match setting(expression, name) {
        Some(Literal::Word(word)) => Some(word),
        _ => None,
    }
}

fn part(expression: &Expression) -> Option<&Expression> {
    expression.parts().next().map(|part| &part.measure)
}

/// The fields of a tuple that are compared: type, place, measure, weight.
fn fields<'a>(expression: &'a Expression, of: &'a Type) -> Vec<(&'a Type, usize, &'a Part)> {
    let Type::Tuple(fields) = of else {
        panic!("{of} is no tuple")
    };
    let parts: Vec<&Part> = expression.parts().collect();
    let placed = parts.iter().enumerate().map(|(place, &part)| {
        let place = match &part.field {
            Some(name) => fields
                .iter()
                .position(|field| field.name.as_ref() == Some(name))
                .unwrap(),
            None => place,
        };
        (&fields[place].of, place, part)
    });
    placed.collect()
}

fn member_type(of: &Type) -> &Type {
    match of {
        Type::List(of) | Type::Set(of) | Type::Bag(of) => of,
        other => panic!("{other} has no members"),
    }
}

fn members(value: &Value) -> &[Value] {
    match value {
        Value::List(members) | Value::Set(members) | Value::Bag(members) => members,
        other => panic!("{other} has no members"),
    }
}

/// The characters of a text, or the items of a list.
fn items(value: &Value) -> Vec<Value> {
    match value {
        Value::Text(text) => text
            .chars()
            .map(|character| Value::Symbol(character.to_string()))
            .collect(),
        other => members(other).to_vec(),
    }
}

fn real(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => Some(*number),
        Value::DateTime(time) => Some(*time as f64),
        _ => None,
    }
}

fn one_if(condition: bool) -> f64 {
    f64::from(u8::from(condition))
}

// ----- how far a missing value is -----

/// The largest distance there is, where there is one.
fn largest(expression: &Expression, of: &Type, around: Around) -> Option<f64> {
    let empty = number(expression, "empty");
    match expression.name.as_str() {
        "discrete" | "smith_waterman" | "nienhuys_cheng" => Some(1.0),
        "correlation" => Some(2.0),
        "jaccard" | "dice" | "cosine" | "overlap" => Some(empty.unwrap_or(1.0).max(1.0)),
        "hausdorff" | "min_hausdorff" | "ranked_hausdorff" => {
            let inside = Around::inside(around.missing);
            let members = placed_largest(part(expression)?, member_type(of), inside)?;
            Some(members.max(empty.unwrap_or(0.0)))
        }
        "scaled" => {
            let inside = largest(part(expression)?, of, around)?;
            Some(inside / number(expression, "by")?)
        }
        "sum" | "mean" | "euclidean" | "rms" => {
            let each = fields(expression, of).into_iter();
            let each = each.map(|(of, _, part)| {
                let field = Around {
                    field: true,
                    ..Around::inside(around.missing)
                };
                Some((placed_largest(&part.measure, of, field)?, part.weight))
            });
            let each: Vec<(f64, f64)> = each.collect::<Option<_>>()?;
            Some(joined(&expression.name, &each, 0.0))
        }
        _ => None,
    }
}

/// The largest distance with missing values among the values.
fn placed_largest(expression: &Expression, of: &Type, around: Around) -> Option<f64> {
    let known = largest(expression, of, around)?;
    Some(known.max(far(expression, of, around).unwrap_or(0.0)))
}

/// How far a missing value is: as said, or as the largest distance there is.
fn far(expression: &Expression, of: &Type, around: Around) -> Option<f64> {
    if let Some(far) = number(expression, "far") {
        return Some(far);
    }
    let empty = number(expression, "empty").unwrap_or(0.0);
    match expression.name.as_str() {
        "absolute" => {
            let range = number(expression, "range").or(number(expression, "least"));
            range.map(|_| 1.0)
        }
        "scaled" => Some(largest(expression, of, around).unwrap_or(1.0)),
        "hausdorff" | "min_hausdorff" | "ranked_hausdorff" => {
            let inside = Around::inside(around.missing);
            Some(far(part(expression)?, member_type(of), inside)?.max(empty))
        }
        "sum" | "mean" | "euclidean" | "rms" => {
            let each = fields(expression, of).into_iter();
            let each = each.map(|(of, _, part)| {
                let field = Around {
                    field: true,
                    ..Around::inside(around.missing)
                };
                Some((far(&part.measure, of, field)?, part.weight))
            });
            let each: Vec<(f64, f64)> = each.collect::<Option<_>>()?;
            Some(joined(&expression.name, &each, 0.0))
        }
        _ => largest(expression, of, around),
    }
}

/// Distances of fields with their weights as one number; what was left out is as far as the rest.
fn joined(name: &str, each: &[(f64, f64)], skipped: f64) -> f64 {
    let kept: f64 = each.iter().map(|(_, weight)| weight).sum();
    let all = kept + skipped;
    let squares = matches!(name, "euclidean" | "rms");
    let sum: f64 = each
        .iter()
        .map(|(distance, weight)| {
            weight
                * match squares {
                    true => distance * distance,
                    false => *distance,
                }
        })
        .sum();
    let sum = if kept > 0.0 { sum * (all / kept) } else { sum };
    match name {
        "sum" => sum,
        "mean" => sum / all,
        "euclidean" => sum.sqrt(),
        _ => (sum / all).sqrt(),
    }
}

// ----- distances -----

/// The distance of two values; `None` where a missing one is left out.
fn apart(expression: &Expression, of: &Type, a: &Value, b: &Value, around: Around) -> Option<f64> {
    let said = word(expression, "missing").map(|word| word.parse().unwrap());
    let missing = said.unwrap_or(around.missing);
    let around = Around { missing, ..around };
    let rule = match missing {
        Missing::Skip if !around.field => Missing::Max,
        rule => rule,
    };
    let lacking = [a, b].map(|value| *value == Value::Missing);
    if !around.masked && lacking != [false, false] {
        let both = lacking == [true, true];
        // Numbers of a known range know how far the furthest of it is.
        let ends = number(expression, "least").zip(number(expression, "greatest"));
        return match (rule, ends) {
            (Missing::Skip, _) => None,
            (Missing::Own, _) if both => Some(0.0),
            (Missing::Max, Some((least, greatest)))
                if !both && number(expression, "far").is_none() && greatest > least =>
            {
                let known = real(a).or(real(b)).unwrap();
                let furthest = (known - least).abs().max((greatest - known).abs());
                Some(furthest / (greatest - least))
            }
            _ => Some(far(expression, of, around).expect("how far a missing value is")),
        };
    }
    Some(present(expression, of, a, b, missing, around))
}

fn present(
    expression: &Expression,
    of: &Type,
    a: &Value,
    b: &Value,
    missing: Missing,
    around: Around,
) -> f64 {
    let given = |name: &str| number(expression, name).unwrap();
    let same = |expression: &Expression| {
        let masked = Around {
            masked: true,
            ..Around::inside(missing)
        };
        apart(expression, of, a, b, masked).unwrap()
    };
    match expression.name.as_str() {
        "discrete" => one_if(a != b),
        "absolute" => {
            let difference = (real(a).unwrap() - real(b).unwrap()).abs();
            let ends = number(expression, "least").zip(number(expression, "greatest"));
            match (number(expression, "range"), ends) {
                (Some(range), _) => difference / range,
                (None, Some((least, greatest))) if greatest > least => {
                    difference / (greatest - least)
                }
                (None, Some(_)) => one_if(difference != 0.0),
                (None, None) => difference,
            }
        }
        "scaled" => same(part(expression).unwrap()) / given("by"),
        "sum" | "mean" | "euclidean" | "rms" => {
            let (Value::Tuple(first), Value::Tuple(second)) = (a, b) else {
                panic!("{a} and {b} are no tuples")
            };
            let (mut each, mut skipped) = (Vec::new(), 0.0);
            for (of, place, part) in fields(expression, of) {
                let field = Around {
                    field: true,
                    ..Around::inside(missing)
                };
                match apart(&part.measure, of, &first[place], &second[place], field) {
                    Some(distance) => each.push((distance, part.weight)),
                    None => skipped += part.weight,
                }
            }
            let kept: f64 = each.iter().map(|(_, weight)| weight).sum();
            if skipped > 0.0 && kept <= 0.0 {
                // As far as missing fields are together, whatever is said of a missing tuple.
                let fields = Expression {
                    arguments: expression.parts().cloned().map(Argument::Part).collect(),
                    ..expression.clone()
                };
                return far(&fields, of, around)
                    .unwrap_or_else(|| joined(&expression.name, &[(1.0, skipped)], 0.0));
            }
            joined(&expression.name, &each, skipped)
        }
        "symmetric_difference" => {
            let mut left = members(b).to_vec();
            let mut only = 0;
            for member in members(a) {
                match left.iter().position(|other| other == member) {
                    Some(place) => drop(left.remove(place)),
                    None => only += 1,
                }
            }
            (only + left.len()) as f64
        }
        "jaccard" | "dice" | "cosine" | "overlap" => {
            share(expression, a, b).map_or_else(|empty| empty, |share| 1.0 - share)
        }
        "hausdorff" | "min_hausdorff" | "ranked_hausdorff" | "sum_of_minima" | "matching"
        | "surjection" | "fair_surjection" | "link" => collected(expression, of, a, b, missing),
        "edit" => {
            let costs = ["insert", "delete", "substitute"].map(given);
            let (x, y) = (items(a), items(b));
            match part(expression) {
                None => edited(&x, &y, costs, &|x, y| one_if(x != y)),
                Some(part) => edited(&x, &y, costs, &|x, y| {
                    apart(part, member_type(of), x, y, Around::inside(missing)).unwrap()
                }),
            }
        }
        "smith_waterman" => {
            let (x, y) = (items(a), items(b));
            let scores = ["match", "mismatch", "gap"].map(given);
            match x.len().max(y.len()) {
                0 => 0.0,
                longer => 1.0 - local_score(&x, &y, scores) / (longer as f64 * scores[0]),
            }
        }
        "dtw" => warped(&series(a), &series(b)),
        "correlation" => 1.0 - correlated(&series(a), &series(b)),
        "tree_edit" => {
            let costs = ["insert", "delete", "relabel"].map(given);
            forests(&nodes(a), &nodes(b), costs)
        }
        "nienhuys_cheng" => nienhuys_cheng(a, b).0,
        "symbols" => lgg(a, b).0,
        "label_histogram" => histogram(a, b).0,
        "induced" => {
            let kernel = part(expression).unwrap();
            let product = |x: &Value, y: &Value| alike(kernel, of, x, y, missing);
            (product(a, a) + product(b, b) - 2.0 * product(a, b))
                .max(0.0)
                .sqrt()
        }
        other => panic!("`{other}` has no definition here"),
    }
}

/// Distances of collections that relate members.
fn collected(expression: &Expression, of: &Type, a: &Value, b: &Value, missing: Missing) -> f64 {
    let measure = part(expression).unwrap();
    let (x, y) = (members(a), members(b));
    let name = expression.name.as_str();
    let alone = match name {
        "matching" => number(expression, "M").unwrap() / 2.0,
        _ => 0.0,
    };
    if x.is_empty() || y.is_empty() {
        return match (x.is_empty() && y.is_empty(), name) {
            (true, _) => 0.0,
            (false, "matching") => alone * (x.len() + y.len()) as f64,
            (false, _) => number(expression, "empty").unwrap(),
        };
    }
    let costs: Vec<Vec<f64>> = x
        .iter()
        .map(|x| {
            let each = y.iter();
            let around = Around::inside(missing);
            each.map(|y| apart(measure, member_type(of), x, y, around).unwrap())
                .collect()
        })
        .collect();
    let least = |costs: &mut dyn Iterator<Item = f64>| costs.fold(f64::INFINITY, f64::min);
    let mut forth: Vec<f64> = costs
        .iter()
        .map(|row| least(&mut row.iter().copied()))
        .collect();
    let mut back: Vec<f64> = (0..y.len())
        .map(|column| least(&mut costs.iter().map(|row| row[column])))
        .collect();
    forth.sort_by(f64::total_cmp);
    back.sort_by(f64::total_cmp);
    let ranked = |rank: usize| {
        let at = |sorted: &[f64]| sorted[rank.min(sorted.len()) - 1];
        at(&forth).max(at(&back))
    };
    match name {
        "hausdorff" => ranked(usize::MAX),
        "min_hausdorff" => forth[0],
        "ranked_hausdorff" => ranked(number(expression, "k").unwrap() as usize),
        "sum_of_minima" => (forth.iter().sum::<f64>() + back.iter().sum::<f64>()) / 2.0,
        _ => {
            let allowed = |left: &[usize], right: &[usize]| match name {
                "matching" => left.iter().chain(right).all(|&times| times <= 1),
                "surjection" => onto(left, right),
                "fair_surjection" => fair(left, right),
                _ => left.iter().chain(right).all(|&times| times > 0),
            };
            let mut best = f64::INFINITY;
            for chosen in 0u32..1 << (x.len() * y.len()) {
                let (mut left, mut right) = (vec![0; x.len()], vec![0; y.len()]);
                let mut total = 0.0;
                for pair in (0..x.len() * y.len()).filter(|pair| chosen >> pair & 1 == 1) {
                    left[pair / y.len()] += 1;
                    right[pair % y.len()] += 1;
                    total += costs[pair / y.len()][pair % y.len()];
                }
                if allowed(&left, &right) {
                    let unpaired = left.iter().chain(&right).filter(|&&times| times == 0);
                    best = best.min(total + unpaired.count() as f64 * alone);
                }
            }
            best
        }
    }
}

/// What two collections have in common, as a share; or how far apart they are if one has nothing.
fn share(expression: &Expression, a: &Value, b: &Value) -> Result<f64, f64> {
    let weights: Option<BTreeMap<String, f64>> = word(expression, "weights")
        .map(|json| serde_json::from_str(&json).expect("weights of a fitted expression"));
    let other = number(expression, "other").unwrap_or(1.0);
    let once = word(expression, "repeats").is_some_and(|word| word == "false");
    let weight = |member: &Value| match &weights {
        None => 1.0,
        Some(weights) => {
            let key = match member {
                Value::Symbol(label) => label.clone(),
                other => other.to_json().to_string(),
            };
            weights.get(&key).copied().unwrap_or(other)
        }
    };
    let counts = |value: &Value| {
        let mut counts: Vec<(Value, f64)> = Vec::new();
        for member in members(value) {
            match counts.iter_mut().find(|(known, _)| known == member) {
                Some((_, count)) if !once => *count += weight(member),
                Some(_) => {}
                None => counts.push((member.clone(), weight(member))),
            }
        }
        counts
    };
    let (x, y) = (counts(a), counts(b));
    let of = |counts: &[(Value, f64)], member: &Value| {
        let found = counts.iter().find(|(known, _)| known == member);
        found.map_or(0.0, |(_, count)| *count)
    };
    let all: BTreeSet<&Value> = x.iter().chain(&y).map(|(member, _)| member).collect();
    let sum = |joined: fn(f64, f64) -> f64| -> f64 {
        let each = all.iter();
        each.map(|member| joined(of(&x, member), of(&y, member)))
            .sum()
    };
    let (first, second) = (sum(|x, _| x), sum(|_, y| y));
    match (first > 0.0, second > 0.0) {
        (false, false) => return Err(0.0),
        (true, true) => {}
        _ => return Err(number(expression, "empty").unwrap_or(1.0)),
    }
    Ok(match expression.name.as_str() {
        "jaccard" | "tanimoto" => sum(f64::min) / sum(f64::max),
        "dice" | "sorensen" => 2.0 * sum(f64::min) / (first + second),
        "overlap" => sum(f64::min) / first.min(second),
        _ => sum(|x, y| x * y) / (sum(|x, _| x * x) * sum(|_, y| y * y)).sqrt(),
    })
}

fn series(value: &Value) -> Vec<f64> {
    members(value).iter().filter_map(real).collect()
}

/// By all ways to go through both, written as a recursion on the last numbers.
fn warped(a: &[f64], b: &[f64]) -> f64 {
    fn squares(a: &[f64], b: &[f64]) -> f64 {
        let (Some((x, before)), Some((y, behind))) = (a.split_last(), b.split_last()) else {
            return match a.is_empty() && b.is_empty() {
                true => 0.0,
                false => f64::INFINITY,
            };
        };
        let least = squares(before, b)
            .min(squares(a, behind))
            .min(squares(before, behind));
        (x - y).powi(2) + least
    }
    match a.is_empty() || b.is_empty() {
        true => a.iter().chain(b).map(|x| x * x).sum::<f64>().sqrt(),
        false => squares(a, b).sqrt(),
    }
}

fn correlated(a: &[f64], b: &[f64]) -> f64 {
    if a == b {
        return 1.0;
    }
    if a.len() != b.len() {
        return 0.0;
    }
    let count = a.len() as f64;
    let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / count;
    let product = |x: &[f64], y: &[f64]| {
        let pairs = x.iter().zip(y);
        pairs
            .map(|(p, q)| (p - mean(x)) * (q - mean(y)))
            .sum::<f64>()
    };
    let spread = product(a, a) * product(b, b);
    match spread > 1e-20 {
        true => product(a, b) / spread.sqrt(),
        false => 0.0,
    }
}

// ----- kernels -----

/// The inner product of two values; a missing one is the origin.
fn alike(expression: &Expression, of: &Type, a: &Value, b: &Value, missing: Missing) -> f64 {
    if *a == Value::Missing || *b == Value::Missing {
        return 0.0;
    }
    let given = |name: &str| number(expression, name).unwrap();
    let far = |x: &Value, y: &Value| {
        let masked = Around {
            masked: true,
            ..Around::inside(missing)
        };
        apart(part(expression).unwrap(), of, x, y, masked).unwrap()
    };
    let seen = || -> f64 {
        let json = match setting(expression, "origin").unwrap() {
            Literal::Word(word) => word,
            Literal::Number(number) => number.to_string(),
        };
        let origin = Value::from_json(of, &serde_json::from_str(&json).unwrap()).unwrap();
        far(a, &origin).powi(2) + far(b, &origin).powi(2) - far(a, b).powi(2)
    };
    match expression.name.as_str() {
        "delta" => one_if(a == b),
        "product" => real(a).unwrap() * real(b).unwrap(),
        "gaussian" => match part(expression) {
            None => (-given("g") * (real(a).unwrap() - real(b).unwrap()).powi(2)).exp(),
            Some(_) => (-given("gamma") * far(a, b).powi(2)).exp(),
        },
        "negative" => -far(a, b).powi(2),
        "linear" => seen() / 2.0,
        "polynomial" => (1.0 + given("gamma") * seen()).powi(given("p") as i32),
        "set" => {
            let kernel = part(expression).unwrap();
            let power = given("power");
            let pairs = members(a)
                .iter()
                .flat_map(|x| members(b).iter().map(move |y| (x, y)));
            let raised = |inner: f64| match power.fract() == 0.0 {
                true => inner.powi(power as i32),
                false => inner.signum() * inner.abs().powf(power),
            };
            pairs
                .map(|(x, y)| raised(alike(kernel, member_type(of), x, y, missing)))
                .sum()
        }
        "add" | "multiply" => {
            let (Value::Tuple(first), Value::Tuple(second)) = (a, b) else {
                panic!("{a} and {b} are no tuples")
            };
            let each = fields(expression, of).into_iter().map(|(of, place, part)| {
                part.weight * alike(&part.measure, of, &first[place], &second[place], missing)
            });
            match expression.name == "add" {
                true => each.sum(),
                false => each.product(),
            }
        }
        "normalised" => {
            let kernel = part(expression).unwrap();
            let product = |x: &Value, y: &Value| alike(kernel, of, x, y, missing);
            let lengths = product(a, a) * product(b, b);
            if lengths > 0.0 {
                product(a, b) / lengths.sqrt()
            } else {
                0.0
            }
        }
        "structural" => {
            let numbers = |x: f64, y: f64| match part(expression) {
                None => x * y,
                Some(kernel) => {
                    let (x, y) = (Value::Number(x), Value::Number(y));
                    alike(kernel, &Type::Numeric, &x, &y, missing)
                }
            };
            structural(a, b, numbers).0
        }
        "walk" => match setting(expression, "weight") {
            Some(Literal::Number(weight)) => walk(a, b, |length| weight.powi(length)).0,
            _ => walk(a, b, over_factorial).0,
        },
        "subsequence" => {
            let length = number(expression, "length").map(|length| length as usize);
            let alike = |x: &Value, y: &Value| match part(expression) {
                None => one_if(x == y),
                Some(kernel) => alike(kernel, member_type(of), x, y, missing),
            };
            common(&items(a), &items(b), given("lambda"), length, &alike)
        }
        "spectrum" => {
            let k = given("k") as usize;
            let (x, y) = (items(a), items(b));
            let pairs = x.windows(k).flat_map(|x| y.windows(k).map(move |y| x == y));
            pairs.filter(|&same| same).count() as f64
        }
        "subtree" => fragments(a, b, given("decay")),
        "tanimoto" | "sorensen" | "ochiai" => share(expression, a, b).unwrap_or(0.0),
        other => panic!("`{other}` has no definition here"),
    }
}
