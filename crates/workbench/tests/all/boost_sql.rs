//! Boosted models as SQL: SQLite and PostgreSQL answer as the model does, but for the order in
//! which trees are added up.

use kinwood_learners::sql::Asked;
use kinwood_learners::{Boost, Context, Learner, Stopping, Task};

use crate::support::{Server, skipped};
use crate::tree_sql::{Engine, Postgres, Said, Sqlite, expected, modelled, query, view};

/// The columns of a class of three, of one of two, and of a number.
const CLASS: usize = 4;
const NUMBER: usize = 5;

fn near(found: &Said, expected: &Said) -> bool {
    match (found, expected) {
        (Said::Number(found), Said::Number(expected)) => {
            (found - expected).abs() <= 1e-9 * expected.abs().max(1.0)
        }
        _ => found == expected,
    }
}

fn agrees(engine: &mut dyn Engine, asked: &kinwood_values::View) {
    let training = modelled(&view(60, false, 11));
    // The table has the four inputs alone.
    let other = |target: usize| CLASS + NUMBER - target;
    for (target, depth) in [
        (CLASS, None),
        (NUMBER, None),
        (CLASS, Some(1)),
        (NUMBER, Some(2)),
    ] {
        let learner = Boost {
            trees: 25,
            depth,
            leaf: Some(1.0),
            stopping: Stopping::None,
            ..Boost::default()
        };
        let task = Task::new(&training.hiding(0, other(target)), &[target]).unwrap();
        let model = learner.fit(&task, &Context::new()).unwrap();
        for shares in [Asked::Answers, Asked::Shares] {
            let found = engine.ask(&query(&model.sql(shares).unwrap().unwrap()));
            let told = expected(&*model, asked, shares == Asked::Shares);
            assert_eq!(found.len(), told.len());
            for (found, told) in found.iter().zip(&told) {
                let same = found.len() == told.len();
                let same = same
                    && found
                        .iter()
                        .zip(told)
                        .all(|(found, told)| near(found, told));
                assert!(same, "{found:?} {told:?}");
            }
        }
    }
}

#[test]
fn sqlite_answers_as_boosted_models() {
    let asked = modelled(&view(80, true, 12));
    agrees(&mut Sqlite::new(&asked), &asked);
}

#[test]
fn postgresql_answers_as_boosted_models() {
    if skipped() {
        return;
    }
    let server = Server::start(false);
    let asked = modelled(&view(80, true, 12));
    agrees(&mut Postgres::new(&server, "boosted", &asked), &asked);
}
