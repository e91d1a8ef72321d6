//! Planted laws: what a model goes by has all the importance, what it does not look at has none.

use std::sync::Arc;

use kinwood_learners::testing::{CLASS, NUMBER, mixed_view};
use kinwood_learners::{Learner, Registry, Task};
use kinwood_values::{Attribute, Column, Database, Direction, ForeignKey, Role, Table};
use proptest::prelude::*;

use super::*;
use crate::measures::{ACCURACY, MAE, RMSE};

fn fitted(name: &str, given: &[(&str, &str)], view: &View, targets: &[usize]) -> Box<dyn Model> {
    let entry = *Registry::new().find(name).unwrap();
    let learner: Box<dyn Learner> = (entry.build)(&entry.settings(given).unwrap()).unwrap();
    let task = Task::new(view, targets).unwrap();
    learner.fit(&task, &Context::new()).unwrap()
}

fn own(column: usize) -> Part {
    Part::Column { table: 0, column }
}

#[test]
fn a_rule_of_one_column_gives_it_all_the_importance_and_the_others_exactly_none() {
    let view = mixed_view(200);
    let model = fitted("oner", &[], &view, &[CLASS]);
    let found = importance(&*model, &view, &[CLASS], &[], 10, &Context::new()).unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].measure, ACCURACY);
    let chosen = model.to_json()["attribute"].as_str().unwrap().to_owned();
    let ranked = found[0].ranked();
    let Part::Column { column, .. } = ranked[0].0 else {
        panic!("a column leads")
    };
    assert_eq!(view.table().attribute(column).name, chosen);
    assert!(ranked[0].1.mean.unwrap() > 0.1, "{ranked:?}");
    assert!(ranked[0].1.sd.unwrap() > 0.0);
    for (part, summary) in &ranked[1..] {
        assert_eq!(
            (summary.mean, summary.sd),
            (Some(0.0), Some(0.0)),
            "{part:?}"
        );
    }
    // The id is no input, the class is hidden, and the other target-like column is an input like
    // any other.
    let mut parts: Vec<Part> = found[0].parts.iter().map(|(part, _)| *part).collect();
    parts.sort();
    assert_eq!(parts, [own(1), own(2), own(3), own(NUMBER)]);
}

#[test]
fn several_targets_and_measures_and_any_number_of_threads() {
    let view = mixed_view(80);
    let targets = [CLASS, NUMBER];
    let model = fitted("knn", &[("k", "3")], &view, &targets);
    let run = |threads: usize, measures: &[Measure]| {
        let context = Context::new().with_threads(threads);
        importance(&*model, &view, &targets, measures, 4, &context).unwrap()
    };
    let one = run(1, &[]);
    assert_eq!(one, run(3, &[]));
    let measures = |found: &[Importance]| found.iter().map(|i| i.measure).collect::<Vec<_>>();
    assert_eq!(measures(&one), [ACCURACY, RMSE]);
    assert!(
        one.iter()
            .all(|found| found.ranked()[0].1.mean.unwrap() > 0.0)
    );
    let other = run(2, &[MAE]);
    assert_eq!(measures(&other), [ACCURACY, MAE]);
    assert_eq!(other[0], one[0]);
    let another = Context::new().with_seed(7);
    assert_ne!(
        one,
        importance(&*model, &view, &targets, &[], 4, &another).unwrap()
    );
}

/// Owners with a class that only the numbers of what they own tell; what refers to places says
/// nothing.
fn linked_view(owners: usize) -> View {
    let mut generator = Generator::new(5, &[]);
    let names: Vec<String> = (0..owners).map(|owner| format!("o{owner}")).collect();
    let (mut class, mut owner, mut size, mut dull) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for name in &names {
        let high = generator.below(2) == 1;
        class.push(Some(if high { "high" } else { "low" }));
        for _ in 0..1 + generator.below(4) {
            owner.push(Some(name.as_str()));
            size.push(f64::from(u8::from(high)) * 10.0 + generator.unit());
            dull.push(generator.unit() / 1000.0);
        }
    }
    let places = (0..owners).map(|owner| Some(["p0", "p1", "p2"][owner % 3]));
    let mut owners_table = Table::new(
        "owner",
        vec![
            Attribute::new(
                "id",
                Column::nominal(names.iter().map(|n| Some(n.as_str()))),
            )
            .with_role(Role::Id),
            Attribute::new("class", Column::nominal(class)),
            Attribute::new("place", Column::nominal(places)).with_role(Role::Id),
        ],
    )
    .unwrap();
    owners_table.set_key(Some(vec![0]));
    let things = Table::new(
        "thing",
        vec![
            Attribute::new("owner", Column::nominal(owner)).with_role(Role::Id),
            Attribute::new("size", Column::numeric(size)),
            Attribute::new("dull", Column::numeric(dull)),
        ],
    )
    .unwrap();
    let mut places = Table::new(
        "place",
        vec![
            Attribute::new("id", Column::nominal([Some("p0"), Some("p1"), Some("p2")]))
                .with_role(Role::Id),
            Attribute::new("height", Column::numeric(vec![0.0, 0.0, 0.0])),
        ],
    )
    .unwrap();
    places.set_key(Some(vec![0]));
    let key = |name: &str, from, column, to| ForeignKey {
        name: name.to_owned(),
        from,
        from_columns: vec![column],
        to,
        to_columns: vec![0],
        describes: None,
    };
    let keys = vec![key("owns", 1, 0, 0), key("lives", 0, 2, 2)];
    let (database, _) = Database::new(vec![owners_table, things, places], keys).unwrap();
    View::new(Arc::new(database), 0)
}

const OWNED: Part = Part::Link {
    foreign_key: 0,
    direction: Direction::Backward,
};
const LIVES: Part = Part::Link {
    foreign_key: 1,
    direction: Direction::Forward,
};
const SIZE: Part = Part::Column {
    table: 1,
    column: 1,
};
const DULL: Part = Part::Column {
    table: 1,
    column: 2,
};
const HEIGHT: Part = Part::Column {
    table: 2,
    column: 1,
};

#[test]
fn a_linked_table_has_the_importance_that_was_planted_in_it() {
    let view = linked_view(60);
    let model = fitted("knn", &[("k", "1")], &view, &[1]);
    let found = importance(&*model, &view, &[1], &[], 5, &Context::new()).unwrap();
    assert_eq!(found[0].whole, Some(1.0));
    let parts: Vec<Part> = found[0].parts.iter().map(|(part, _)| *part).collect();
    assert_eq!(parts, [OWNED, SIZE, DULL, LIVES, HEIGHT]);
    let mean = |wanted: Part| {
        let parts = &found[0].parts;
        let (_, summary) = parts.iter().find(|(part, _)| *part == wanted).unwrap();
        summary.mean.unwrap()
    };
    assert!(
        mean(OWNED) > 0.3 && mean(SIZE) > 0.1,
        "{} {}",
        mean(OWNED),
        mean(SIZE)
    );
    assert!(mean(DULL) < 0.05);
    assert_eq!((mean(LIVES), mean(HEIGHT)), (0.0, 0.0));
}

#[test]
fn only_what_the_rows_reach_is_permuted() {
    let view = linked_view(30).select(&[3, 4, 5, 6]);
    let permuted = Permuted::new(&view);
    let link = view.database().link(0);
    let other = permuted.by(OWNED, &mut Generator::new(1, &[]));
    let owned = |database: &Database, owner: usize| database.link(0).backward(owner).to_vec();
    for outside in (0..3).chain(7..30) {
        assert_eq!(owned(&other, outside), link.backward(outside));
    }
    // Each of the four owns what one of them owned.
    let sorted = |database: &Database| {
        let mut all: Vec<Vec<u32>> = (3..7).map(|owner| owned(database, owner)).collect();
        all.sort();
        all
    };
    assert_eq!(sorted(&other), sorted(view.database()));
    let sizes = permuted.by(SIZE, &mut Generator::new(1, &[]));
    let size = |database: &Database, row: usize| {
        let column = &database.table(1).attribute(1).column;
        column.number(row).unwrap()
    };
    for thing in 0..view.database().table(1).rows() {
        let inside = (3..7).contains(&link.forward(thing).unwrap());
        assert!(inside || size(&sizes, thing) == size(view.database(), thing));
    }
}

#[test]
fn what_cannot_be_measured_is_said() {
    let view = mixed_view(30);
    let model = fitted("majority", &[], &view, &[CLASS]);
    let context = Context::new();
    let failing = |view: &View, measures: &[Measure], repeats| {
        let found = importance(&*model, view, &[CLASS], measures, repeats, &context);
        found.unwrap_err().to_string()
    };
    assert_eq!(
        failing(&view.select(&[]), &[], 1),
        "no rows to measure the importance of columns by"
    );
    assert_eq!(
        failing(&view, &[], 0),
        "0 repeats asked for, at least 1 is needed"
    );
    assert_eq!(
        failing(&view, &[RMSE], 1),
        "`rmse` is a measure for numbers, not for classes"
    );
    let late = Context::new().with_time(std::time::Duration::ZERO);
    let stopped = importance(&*model, &view, &[CLASS], &[], 1, &late).unwrap_err();
    assert!(matches!(
        stopped,
        RunError::Learner(kinwood_learners::Error::OutOfTime)
    ));
    let stop = Arc::new(std::sync::atomic::AtomicBool::new(true));
    let interrupted = Context::new().with_stop(stop);
    let stopped = importance(&*model, &view, &[CLASS], &[], 1, &interrupted).unwrap_err();
    assert!(matches!(
        stopped,
        RunError::Learner(kinwood_learners::Error::Interrupted)
    ));
}

#[test]
fn a_perfect_measure_of_0_has_no_shares() {
    let found = Importance {
        target: "t".to_owned(),
        measure: RMSE,
        whole: Some(0.0),
        parts: Vec::new(),
    };
    assert_eq!(found.relative(1.0), None);
    let whole = Some(-0.5);
    assert_eq!(Importance { whole, ..found }.relative(1.0), Some(2.0));
}

kinwood_testing::soak! { 256;
    fn soak_a_permuted_column_keeps_its_values(seed in any::<u64>(), rows in 1_usize..40) {
        let view = mixed_view(rows);
        let database = Permuted::new(&view).by(own(3), &mut Generator::new(seed, &[]));
        let values = |database: &Database, column: usize| {
            let column = &database.table(0).attribute(column).column;
            let mut values: Vec<String> = (0..rows).map(|row| column.value(row).to_string()).collect();
            values.sort();
            values
        };
        prop_assert_eq!(values(&database, 3), values(view.database(), 3));
        prop_assert_eq!(
            &database.table(0).attribute(1).column,
            &view.database().table(0).attribute(1).column
        );
    }
}
