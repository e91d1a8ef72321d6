//! The paper's K* in plain numbers and loops, beside the learner on random rows: numbers, labels,
//! missing values on either side, a class and a number to predict.

use std::sync::Arc;

use kinwood_values::{Attribute, Column, Database, Table, View};

use super::KSTAR;
use kinwood_learning::context::Context;
use kinwood_learning::random::Generator;
use kinwood_learning::task::Task;

const LABELS: [&str; 4] = ["p", "q", "r", "s"];

/// A row: two numbers, a label, a class and a number to predict.
#[derive(Clone, Debug)]
struct Row {
    numbers: [Option<f64>; 2],
    label: Option<usize>,
    class: usize,
    amount: f64,
}

fn rows(generator: &mut Generator, count: usize, gaps: bool, coarse: bool) -> Vec<Row> {
    let mut row = || {
        let mut number = || {
            let value = generator.normal() * 4.0;
            let value = if coarse { value.round() } else { value };
            (!(gaps && generator.below(6) == 0)).then_some(value)
        };
        let numbers = [number(), number()];
        let label = generator.below(4);
        Row {
            numbers,
            label: (!(gaps && generator.below(6) == 0)).then_some(label),
            class: generator.below(3),
            amount: generator.normal() * 10.0,
        }
    };
    (0..count).map(|_| row()).collect()
}

fn view(rows: &[Row]) -> View {
    let number = |place: usize| {
        let each = rows
            .iter()
            .map(|row| row.numbers[place].unwrap_or(f64::NAN));
        Column::numeric(each.collect())
    };
    // Classes are known in this order, whichever occurs first.
    let classes = ["a", "b", "c"];
    let own = (3..rows.len() as u32 + 3).collect::<Vec<u32>>();
    let all = classes.map(Some).into_iter();
    let all = all.chain(rows.iter().map(|row| Some(classes[row.class])));
    let attributes = vec![
        Attribute::new("x", number(0)),
        Attribute::new("y", number(1)),
        Attribute::new(
            "label",
            Column::nominal(rows.iter().map(|row| row.label.map(|label| LABELS[label]))),
        ),
        Attribute::new("class", Column::nominal(all).gather(&own)),
        Attribute::new(
            "amount",
            Column::numeric(rows.iter().map(|row| row.amount).collect()),
        ),
    ];
    let table = Table::new("t", attributes).unwrap();
    View::new(Arc::new(Database::single(table).unwrap()), 0)
}

/// The effective number of instances at a rate.
fn effective(distances: &[f64], rate: f64) -> f64 {
    let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
    let each = distances.iter().map(|d| (-rate * (d - least)).exp());
    let (sum, squares) = each.fold((0.0, 0.0), |(sum, squares), p| (sum + p, squares + p * p));
    sum * sum / squares
}

/// The rate at which as many instances count as the blend says, by halving.
fn rate(distances: &[f64], blend: f64) -> f64 {
    let mut sorted = distances.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (least, most) = (sorted[0], sorted[sorted.len() - 1]);
    let nearest = sorted
        .iter()
        .filter(|d| **d - least <= 1e-9 * (most - least))
        .count();
    if nearest == sorted.len() {
        return 0.0;
    }
    let aim = nearest as f64 + blend * (sorted.len() - nearest) as f64;
    let (mut gentle, mut steep) = (1e-9 / (most - least), 32.0 / (sorted[nearest] - least));
    if effective(&sorted, steep) >= aim {
        return steep;
    }
    for _ in 0..200 {
        let middle = (gentle * steep).sqrt();
        match effective(&sorted, middle) > aim {
            true => gentle = middle,
            false => steep = middle,
        }
    }
    steep
}

/// How likely each stored value of an attribute is what comes of the query's, up to a factor that
/// all share; nothing if the attribute says nothing.
fn numbers(stored: &[Option<f64>], query: Option<f64>, blend: f64) -> Option<Vec<f64>> {
    let query = query?;
    let known: Vec<f64> = stored.iter().flatten().map(|x| (x - query).abs()).collect();
    if known.is_empty() {
        return None;
    }
    let rate = rate(&known, blend);
    let least = known.iter().copied().fold(f64::INFINITY, f64::min);
    let likely = |distance: f64| (-rate * (distance - least)).exp();
    let mean = known.iter().map(|d| likely(*d)).sum::<f64>() / known.len() as f64;
    let each = stored.iter();
    let each = each.map(|x| x.map_or(mean, |x| likely((x - query).abs())));
    Some(each.collect())
}

fn labels(stored: &[Option<usize>], query: Option<usize>, blend: f64) -> Option<Vec<f64>> {
    let query = query?;
    let known = stored.iter().flatten().count() as f64;
    if known == 0.0 {
        return None;
    }
    let share =
        |label: usize| stored.iter().filter(|of| **of == Some(label)).count() as f64 / known;
    let stay = (1.0 - blend).min(0.995);
    let likely =
        |label: usize| (1.0 - stay) * share(label) + if label == query { stay } else { 0.0 };
    let mean: f64 = (0..LABELS.len())
        .map(|label| share(label) * likely(label))
        .sum();
    let each = stored.iter();
    Some(each.map(|label| label.map_or(mean, likely)).collect())
}

#[test]
fn soak_answers_are_those_of_the_paper_in_plain_numbers() {
    let name = "soak_answers_are_those_of_the_paper_in_plain_numbers";
    kinwood_testing::soak(name, 40, |case| {
        let mut generator = Generator::new(case, &[]);
        let (gaps, coarse) = (generator.below(2) == 0, generator.below(2) == 0);
        let count = 2 + generator.below(30);
        let stored = rows(&mut generator, count, gaps, coarse);
        let asked = rows(&mut generator, 6, gaps, coarse);
        let blend = [0.05, 0.2, 0.5, 0.9][generator.below(4)];
        let written = blend.to_string();
        let settings = KSTAR.settings(&[("blend", written.as_str())]).unwrap();
        let learner = (KSTAR.build)(&settings).unwrap();
        let task = Task::new(&view(&stored), &[3, 4]).unwrap();
        let model = learner.fit(&task, &Context::new()).unwrap();
        let said = model.predict(&view(&asked), &Context::new()).unwrap();
        let (shares, amounts) = (
            said.targets[0].output.numbers(),
            said.targets[1].output.numbers(),
        );
        for (place, query) in asked.iter().enumerate() {
            let mut likely = vec![1.0; stored.len()];
            let number = |at: usize| -> Vec<Option<f64>> {
                stored.iter().map(|row| row.numbers[at]).collect()
            };
            let own: Vec<Option<usize>> = stored.iter().map(|row| row.label).collect();
            let factors = [
                numbers(&number(0), query.numbers[0], blend),
                numbers(&number(1), query.numbers[1], blend),
                labels(&own, query.label, blend),
            ];
            for factor in factors.into_iter().flatten() {
                likely
                    .iter_mut()
                    .zip(factor)
                    .for_each(|(all, one)| *all *= one);
            }
            let total: f64 = likely.iter().sum();
            for (class, share) in shares[3 * place..][..3].iter().enumerate() {
                let of_class = stored
                    .iter()
                    .zip(&likely)
                    .filter(|(row, _)| row.class == class);
                let expected = of_class.map(|(_, p)| p).sum::<f64>() / total;
                assert!(
                    (share - expected).abs() < 1e-5,
                    "{query:?} class {class}: {share}, expected {expected}"
                );
            }
            let amount: f64 = stored
                .iter()
                .zip(&likely)
                .map(|(row, p)| row.amount * p)
                .sum();
            let expected = amount / total;
            assert!(
                (amounts[place] - expected).abs() < 1e-4,
                "{query:?}: {}, expected {expected}",
                amounts[place]
            );
        }
    });
}
