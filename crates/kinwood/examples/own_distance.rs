//! A distance of one's own: written for two values, used by every learner and inside every
//! expression.
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use kinwood::prelude::*;
use kinwood::similarity::Registry as Measures;
use kinwood::similarity::entry::Takes;

/// How far two times of day are apart, in hours: it is one hour from 23 to 0.
pub struct Clock;

impl Distance<Value> for Clock {
    type Score = f64;

    fn between(&self, a: &Value, b: &Value) -> f64 {
        let hour = |value: &Value| match value {
            Value::Number(hour) => *hour,
            _ => 0.0,
        };
        let apart = (hour(a) - hour(b)).rem_euclid(24.0);
        apart.min(24.0 - apart)
    }

    // What it guarantees: a metric on hours from 0 to 24, so that searches may use the triangle
    // inequality.
    fn laws(&self) -> Laws {
        Laws::METRIC
    }
}

/// Runs the example.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Registered for the whole process: learners and the loader of models find it by its name.
    let mut measures = Measures::default();
    measures.register_distance(
        "clock",
        "Hours between two times of day.",
        Takes::Exactly(Type::Numeric),
        Clock,
    )?;
    for entry in measures.entries() {
        Measures::extend(entry.clone())?;
    }

    // Ships that sail around midnight carry lamps.
    let hours: Vec<f64> = (0..96).map(|quarter| f64::from(quarter) / 4.0).collect();
    let lamps = hours.iter().map(|&hour| {
        Some(if (5.0..20.0).contains(&hour) {
            "dark"
        } else {
            "lit"
        })
    });
    let table = Table::new(
        "ship",
        vec![
            Attribute::new("lamp", Column::nominal(lamps)),
            Attribute::new("hour", Column::numeric(hours.clone())),
        ],
    )?;
    let data = gather(Tables {
        source: "ships".to_owned(),
        tables: vec![table],
        all_inputs: true,
        ..Tables::default()
    })?;
    let choices = Choices {
        targets: vec!["lamp".to_owned()],
        ..Choices::default()
    };
    let (problem, _) = data.problem(&choices)?;

    // A row has one input: `sum(hour: clock)` is the distance of rows.
    let context = Context::new();
    let settings = [
        ("k".to_owned(), "3".to_owned()),
        ("distance".to_owned(), "sum(hour: clock)".to_owned()),
    ];
    let report = evaluate(
        &Registry::new(),
        "knn",
        &settings,
        &problem,
        None,
        data.source(),
        &context,
    )?;
    println!("{}", report.to_text());
    assert!(report.evaluation.mean("accuracy") > Some(0.9));
    Ok(())
}
