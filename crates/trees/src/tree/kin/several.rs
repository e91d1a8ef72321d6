//! Several distances of one column, of which a forest draws in every node: no single one is right
//! for all data (Lucas et al., Proximity Forest, 2019).
//!
//! For series they are the elastic distances of the literature with the settings that are drawn
//! there, a few of each spread over their ranges; for collections of labels, strings and texts
//! those that this project has.

use kinwood_similarity::{DistanceOn, Expression, Registry};
use kinwood_values::{Cells, Column, Type};

/// The distances of a column of values beside its own, each by an expression that it can be
/// declared by; those that do not measure the values are left out.
pub(super) fn distances(values: &Column, own: &DistanceOn) -> Vec<DistanceOn> {
    let of = own.of();
    let registry = Registry::known();
    let mut all: Vec<DistanceOn> = Vec::new();
    for written in written(of, values) {
        let Ok(expression) = written.parse::<Expression>() else {
            continue;
        };
        let found = registry.distance(&expression, of, Some(values), "a distance that is drawn");
        if let Ok(found) = found
            && found.expression() != own.expression()
            && !found.pair_valued()
        {
            all.push(found);
        }
    }
    all
}

fn written(of: &Type, values: &Column) -> Vec<String> {
    let labels = |of: &Type| matches!(of, Type::Nominal | Type::String);
    match of {
        Type::List(element) if **element == Type::Numeric => series(values),
        Type::Set(element) | Type::Bag(element) if labels(element) => listed(&[
            "jaccard",
            "dice",
            "cosine",
            "overlap",
            "jaccard(weights=idf)",
        ]),
        Type::List(element) if labels(element) => listed(&["edit", "jaccard", "cosine", "overlap"]),
        Type::String => listed(&["edit", "tfidf"]),
        _ => Vec::new(),
    }
}

fn listed(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

/// Elastic distances, with windows up to a quarter of the series and amounts on the scale of their
/// numbers.
fn series(values: &Column) -> Vec<String> {
    let deviation = deviation(values);
    let mut all = listed(&[
        "dtw",
        "dtw(window=0.05)",
        "dtw(window=0.15)",
        "dtw(window=0.25)",
        "dtw(derivative=true)",
        "dtw(derivative=true, window=0.1)",
        "correlation",
    ]);
    for share in [0.2, 0.5, 1.0] {
        let amount = share * deviation;
        all.push(format!("lcss(epsilon={amount}, window=0.1)"));
        all.push(format!("erp(gap={amount}, window=0.1)"));
    }
    for cost in [0.01, 0.1, 1.0, 10.0] {
        all.push(format!("msm(cost={})", cost * deviation));
    }
    for (nu, lambda) in [(0.0001, 0.0), (0.001, 0.05), (0.01, 0.1), (1.0, 0.1)] {
        all.push(format!("twe(nu={nu}, lambda={})", lambda * deviation));
    }
    all
}

/// The standard deviation of all numbers of series; 1 where there is none.
fn deviation(values: &Column) -> f64 {
    let Cells::Collection { members, .. } = values.cells() else {
        return 1.0;
    };
    let numbers: Vec<f64> = (0..members.child.len())
        .filter_map(|place| members.child.number(place))
        .collect();
    let count = numbers.len().max(1) as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
    let deviation = (squares / count).sqrt();
    match deviation.is_finite() && deviation > 0.0 {
        true => deviation,
        false => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use kinwood_values::Value;

    use super::*;

    #[test]
    fn series_and_labels_have_several_distances() {
        let of: Type = "list<numeric>".parse().unwrap();
        let mut column = Column::empty(&of);
        for row in 0..4 {
            let numbers = (0..6).map(|place| Value::Number(f64::from(row * place % 5)));
            column.push(&Value::List(numbers.collect())).unwrap();
        }
        let own: Expression = "dtw".parse().unwrap();
        let own = Registry::known().distance(&own, &of, Some(&column), "x");
        let found = distances(&column, &own.unwrap());
        // All that are written but the column's own.
        assert_eq!(
            found.len(),
            written(&of, &column).len() - 1,
            "{}",
            found.len()
        );
        let of: Type = "set<nominal>".parse().unwrap();
        let mut column = Column::empty(&of);
        for label in ["a", "b"] {
            let set = Value::set(vec![Value::Symbol(label.to_owned())]);
            column.push(&set).unwrap();
        }
        let own: Expression = "jaccard".parse().unwrap();
        let own = Registry::known().distance(&own, &of, Some(&column), "x");
        assert_eq!(distances(&column, &own.unwrap()).len(), 4);
    }
}
