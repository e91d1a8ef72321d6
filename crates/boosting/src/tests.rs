//! Learning, and what every learner keeps to.

use std::sync::Arc;

use kinwood_learning::testing::{
    CLASS, NUMBER, check_learner_with, check_weights_with, mixed_view,
};
use kinwood_learning::{Context, Generator, Learner, Model, Task};
use kinwood_values::{Attribute, Column, Database, Role, Table, Type, Value, View};

use crate::{BOOST, Boost, Loss, Stopping};

fn view(attributes: Vec<Attribute>) -> View {
    let table = Table::new("t", attributes).unwrap();
    View::new(Arc::new(Database::single(table).unwrap()), 0)
}

fn fit(learner: &Boost, view: &View, targets: &[usize]) -> Box<dyn Model> {
    let task = Task::new(view, targets).unwrap();
    learner.fit(&task, &Context::new().with_threads(1)).unwrap()
}

fn numbers(model: &dyn Model, view: &View) -> Vec<f64> {
    let predictions = model.predict(view, &Context::new()).unwrap();
    predictions.targets[0].output.numbers().to_vec()
}

#[test]
fn every_rule_is_kept() {
    let view = mixed_view(60);
    check_learner_with(&BOOST, &[], &view, &[CLASS]);
    check_learner_with(&BOOST, &[], &view, &[NUMBER]);
    check_learner_with(
        &BOOST,
        &[("rows", "0.7"), ("columns", "0.6")],
        &view,
        &[CLASS, NUMBER],
    );
    for loss in Loss::NUMBERS {
        // The deviances are for numbers that are not negative.
        if !loss.1.is_log() {
            check_learner_with(&BOOST, &[("loss", loss.0)], &view, &[NUMBER]);
        }
    }
}

/// Rows are drawn into folds one by one, so that the rule of weights is one of the trees alone.
#[test]
fn a_weight_of_two_is_two_rows() {
    let view = mixed_view(60);
    for target in [CLASS, NUMBER] {
        check_weights_with(
            &BOOST,
            &[("stopping", "none"), ("trees", "40")],
            &view,
            &[target],
        );
    }
    let given = [("stopping", "none"), ("trees", "20"), ("loss", "absolute")];
    check_weights_with(&BOOST, &given, &view, &[NUMBER]);
}

/// Many rows share words; the model is still the same for any number of threads.
#[test]
fn many_rows_are_the_same_for_any_number_of_threads() {
    let view = mixed_view(20_000);
    let given = [("trees", "10"), ("rows", "0.9")];
    check_learner_with(&BOOST, &given, &view, &[CLASS]);
    check_learner_with(&BOOST, &given, &view, &[NUMBER]);
}

#[test]
fn a_law_is_found() {
    let rows = mixed_view(1000);
    let train: Vec<u32> = (0..700).collect();
    let test: Vec<u32> = (700..1000).collect();
    let model = fit(&Boost::default(), &rows.select(&train), &[NUMBER]);
    let rest = rows.select(&test);
    let predicted = numbers(&*model, &rest);
    let column = &rows.table().attribute(NUMBER).column;
    let truth: Vec<f64> = test
        .iter()
        .map(|row| column.number(*row as usize).unwrap())
        .collect();
    let mean = truth.iter().sum::<f64>() / truth.len() as f64;
    let error: f64 = predicted
        .iter()
        .zip(&truth)
        .map(|(a, b)| (a - b).powi(2))
        .sum();
    let spread: f64 = truth.iter().map(|b| (b - mean).powi(2)).sum();
    assert!(error / spread < 0.25, "{}", error / spread);
}

/// `(a xor b)` is nothing that one column tells of.
#[test]
fn depth_one_is_a_sum() {
    let mut generator = Generator::new(3, &[]);
    let (mut a, mut b, mut y) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..400 {
        let (one, other) = (generator.below(2), generator.below(2));
        a.push(one as f64);
        b.push(other as f64);
        y.push((one ^ other) as f64 + 0.1 * generator.normal());
    }
    let view = view(vec![
        Attribute::new("a", Column::numeric(a)),
        Attribute::new("b", Column::numeric(b)),
        Attribute::new("y", Column::numeric(y.clone())),
    ]);
    let error = |learner: &Boost| -> f64 {
        let predicted = numbers(&*fit(learner, &view, &[2]), &view);
        predicted
            .iter()
            .zip(&y)
            .map(|(a, b)| (a - b).powi(2))
            .sum::<f64>()
            / 400.0
    };
    let sum = Boost {
        depth: Some(1),
        ..Boost::default()
    };
    assert!(error(&sum) > 0.2, "{}", error(&sum));
    let pairs = Boost {
        depth: Some(2),
        ..Boost::default()
    };
    assert!(error(&pairs) < 0.02, "{}", error(&pairs));
    let apart = Boost {
        interactions: vec![vec!["a".to_owned()], vec!["b".to_owned()]],
        ..Boost::default()
    };
    assert!(error(&apart) > 0.2, "{}", error(&apart));
}

#[test]
fn monotone_predictions_do_not_fall() {
    let mut generator = Generator::new(4, &[]);
    let (mut x, mut z, mut y) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..500 {
        let (one, other) = (generator.unit() * 10.0, generator.unit());
        x.push(one);
        z.push(other);
        y.push(one + 3.0 * (one * 1.5).sin() + other + generator.normal());
    }
    let view = view(vec![
        Attribute::new("x", Column::numeric(x)),
        Attribute::new("z", Column::numeric(z)),
        Attribute::new("y", Column::numeric(y)),
    ]);
    let learner = Boost {
        monotone: vec![("x".to_owned(), 1)],
        ..Boost::default()
    };
    let model = fit(&learner, &view, &[2]);
    let steps: Vec<f64> = (0..200).map(|step| f64::from(step) * 0.05).collect();
    let line = self::view(vec![
        Attribute::new("x", Column::numeric(steps)),
        Attribute::new("z", Column::numeric(vec![0.4; 200])),
        Attribute::new("y", Column::numeric(vec![0.0; 200])),
    ]);
    let predicted = numbers(&*model, &line);
    assert!(predicted.windows(2).all(|pair| pair[0] <= pair[1] + 1e-12));
    assert!(predicted[199] - predicted[0] > 5.0);
}

#[test]
fn quantiles_poisson_and_gamma_fit_what_they_are_for() {
    let mut generator = Generator::new(5, &[]);
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for _ in 0..2000 {
        let one = generator.unit();
        x.push(one);
        // An exponential of mean 1 + 4 x.
        y.push(-(1.0 + 4.0 * one) * (1.0 - generator.unit()).ln() + 1e-9);
    }
    let view = view(vec![
        Attribute::new("x", Column::numeric(x.clone())),
        Attribute::new("y", Column::numeric(y.clone())),
    ]);
    let upper = Boost {
        loss: Loss::Quantile,
        quantile: 0.9,
        ..Boost::default()
    };
    let predicted = numbers(&*fit(&upper, &view, &[1]), &view);
    let below = predicted.iter().zip(&y).filter(|(p, y)| *y <= *p).count();
    assert!((1700..1900).contains(&below), "{below}");
    for loss in [Loss::Gamma, Loss::Poisson] {
        let learner = Boost {
            loss,
            ..Boost::default()
        };
        let predicted = numbers(&*fit(&learner, &view, &[1]), &view);
        let off: f64 = predicted
            .iter()
            .zip(&x)
            .map(|(p, x)| (p - 1.0 - 4.0 * x).abs())
            .sum();
        assert!(off / 2000.0 < 0.6, "{loss:?} {}", off / 2000.0);
        assert!(predicted.iter().all(|p| *p > 0.0));
    }
    let negative = self::view(vec![
        Attribute::new("x", Column::numeric(vec![1.0, 2.0])),
        Attribute::new("y", Column::numeric(vec![1.0, -2.0])),
    ]);
    let learner = Boost {
        loss: Loss::Gamma,
        ..Boost::default()
    };
    let task = Task::new(&negative, &[1]).unwrap();
    let error = learner
        .fit(&task, &Context::new())
        .err()
        .unwrap()
        .to_string();
    assert_eq!(
        error,
        "loss=gamma is for numbers above 0, and the target `y` has -2"
    );
}

/// Times fall with `x`; a third of them are censored.
#[test]
fn hazards_rank_times() {
    let mut generator = Generator::new(6, &[]);
    let (mut x, mut time, mut event) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..600 {
        let one = generator.unit() * 2.0;
        x.push(one);
        let own = -(1.0 - generator.unit()).ln() / (one * 2.0).exp();
        let censored = -(1.0 - generator.unit()).ln() * 0.3;
        time.push(own.min(censored));
        event.push(f64::from(u8::from(own <= censored)));
    }
    let view = view(vec![
        Attribute::new("x", Column::numeric(x.clone())),
        Attribute::new("time", Column::numeric(time)),
        Attribute::new("event", Column::numeric(event)).with_role(Role::Event),
    ]);
    let model = fit(&Boost::default(), &view, &[1]);
    let predictions = model.predict(&view, &Context::new()).unwrap();
    let output = &predictions.targets[0].output;
    let early = |row: usize| output.row(row)[output.kind().width() / 2];
    let (low, high): (Vec<usize>, Vec<usize>) = (0..600).partition(|row| x[*row] < 1.0);
    let mean = |rows: &[usize]| rows.iter().map(|row| early(*row)).sum::<f64>() / rows.len() as f64;
    assert!(
        mean(&low) > mean(&high) + 0.2,
        "{} {}",
        mean(&low),
        mean(&high)
    );
    assert!((0..600).all(|row| output.row(row).windows(2).all(|pair| pair[0] >= pair[1])));
}

/// What a set contains, and what a list of numbers is near to, are columns.
#[test]
fn structured_columns_are_looked_into() {
    let mut generator = Generator::new(7, &[]);
    let mut baskets = Column::empty(&"set<nominal>".parse::<Type>().unwrap());
    let mut lines = Column::empty(&"list<numeric>".parse::<Type>().unwrap());
    let (mut class, mut shape) = (Vec::new(), Vec::new());
    for row in 0..200 {
        let mut labels: Vec<&str> = ["milk", "bread", "beer", "soap"]
            .into_iter()
            .filter(|_| generator.below(2) == 0)
            .collect();
        if row % 50 == 0 {
            baskets.push_missing();
            labels.clear();
        } else {
            baskets
                .push(&Value::set(
                    labels
                        .iter()
                        .map(|label| Value::Symbol((*label).to_owned()))
                        .collect(),
                ))
                .unwrap();
        }
        class.push(Some(if labels.contains(&"beer") {
            "yes"
        } else {
            "no"
        }));
        let up = generator.below(2) == 0;
        let points = (0..5).map(|step| {
            let step = f64::from(step);
            Value::Number(if up { step } else { 4.0 - step } + 0.2 * generator.normal())
        });
        lines.push(&Value::List(points.collect())).unwrap();
        shape.push(Some(if up { "up" } else { "down" }));
    }
    let view = view(vec![
        Attribute::new("basket", baskets),
        Attribute::new("line", lines),
        Attribute::new("class", Column::nominal(class.clone())),
        Attribute::new("shape", Column::nominal(shape.clone())),
    ]);
    let model = fit(&Boost::default(), &view.hiding(0, 3), &[2]);
    let shown = model.show();
    assert!(shown.contains("basket contains beer"), "{shown}");
    let model = fit(&Boost::default(), &view.hiding(0, 2), &[3]);
    let shown = model.show();
    assert!(shown.contains("distance(line, "), "{shown}");
    for (target, other) in [(2, 3), (3, 2)] {
        check_learner_with(&BOOST, &[], &view.hiding(0, other), &[target]);
        let model = fit(&Boost::default(), &view.hiding(0, other), &[target]);
        let predictions = model
            .predict(&view.hiding(0, other), &Context::new())
            .unwrap();
        let column = &view.table().attribute(target).column;
        let right =
            (0..200).filter(|&row| predictions.targets[0].output.class(row) == column.code(row));
        assert!(right.count() >= 195);
    }
}

/// Sets of labels and ordered classes are probabilities that keep their rules.
#[test]
fn sets_of_labels_and_ordered_classes_are_predicted() {
    let mut generator = Generator::new(8, &[]);
    let mut tags = Column::empty(&"set<nominal>".parse::<Type>().unwrap());
    let (mut x, mut grade) = (Vec::new(), Vec::new());
    for _ in 0..200 {
        let one = generator.unit() * 3.0;
        x.push(one);
        let own = ["low", "middle", "high"][one as usize];
        grade.push(Some(own));
        let labels: Vec<Value> = match one > 1.0 {
            true => vec![
                Value::Symbol("tall".to_owned()),
                Value::Symbol("any".to_owned()),
            ],
            false => vec![Value::Symbol("any".to_owned())],
        };
        tags.push(&Value::set(labels)).unwrap();
    }
    let labels = ["low", "middle", "high"].map(Some);
    let order: Vec<Option<&str>> = labels.into_iter().chain(grade.clone()).skip(3).collect();
    let mut grade = Attribute::new("grade", Column::nominal(order));
    grade.ordered = true;
    let view = view(vec![
        Attribute::new("x", Column::numeric(x)),
        Attribute::new("tags", tags),
        grade,
    ]);
    check_learner_with(&BOOST, &[], &view.hiding(0, 2), &[1]);
    check_learner_with(&BOOST, &[], &view.hiding(0, 1), &[2]);
}

#[test]
fn settings_are_checked() {
    let wrong = |learner: Boost| {
        let task = Task::new(&mixed_view(20), &[CLASS]).unwrap();
        learner
            .fit(&task, &Context::new())
            .err()
            .unwrap()
            .to_string()
    };
    let of = |name: &str, value: &str| {
        let given = [(name, value)];
        let settings = BOOST
            .settings(&given)
            .and_then(|settings| BOOST.learner(&settings).map(|_| ()));
        settings.err().unwrap().to_string()
    };
    assert_eq!(
        wrong(Boost {
            rate: 2.0,
            ..Boost::default()
        }),
        "setting `rate` cannot be `2`: expected a number above 0 and at most 1"
    );
    assert_eq!(
        of("monotone", "age"),
        "setting `monotone` cannot be `age`: expected `COLUMN:+` or `COLUMN:-`, divided by commas"
    );
    let unknown = Boost {
        monotone: vec![("agee".to_owned(), 1)],
        ..Boost::default()
    };
    assert_eq!(
        wrong(unknown),
        "setting `monotone` cannot be `agee`: expected names of input columns; did you mean `age`?"
    );
    assert_eq!(Boost::default().stopping, Stopping::Auto);
}
