//! Constraints that are watched while trees grow, checked by predictions alone.

use std::sync::Arc;

use kinwood_learning::context::Context;
use kinwood_learning::error::Result;
use kinwood_learning::model::Model;
use kinwood_learning::random::Generator;
use kinwood_learning::task::Task;
use kinwood_values::{Attribute, Column, Database, Role, Table, View};

use crate::TREE;
use crate::mirt::tests::orders;

const ROWS: usize = 240;
const LEVEL: usize = 3;
const CLASS: usize = 4;

/// Two numbers and a label, a level that mostly rises with the first number, a class, and groups
/// that no test may look at.
fn people(seed: u64) -> (Vec<f64>, Vec<f64>, View) {
    let mut random = Generator::new(seed, &[3]);
    let (mut age, mut size, mut side) = (Vec::new(), Vec::new(), Vec::new());
    let (mut level, mut class, mut group) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROWS {
        let (own_age, own_size) = (random.unit(), random.unit());
        let left = random.below(2) == 0;
        let of_group = random.below(2) == 0;
        let wave = (9.0 * own_age).sin();
        let own = own_age + 0.7 * wave * own_size + f64::from(u8::from(left)) * own_age * 0.5;
        let own = own + 0.2 * random.normal();
        let skill = own_size + f64::from(u8::from(of_group)) * 0.4 + 0.2 * random.normal();
        age.push(own_age);
        size.push(own_size + f64::from(u8::from(of_group)) * 0.3);
        side.push(Some(if left { "left" } else { "right" }));
        level.push(own);
        class.push(Some(if skill > 0.7 { "yes" } else { "no" }));
        group.push(Some(if of_group { "a" } else { "b" }));
    }
    let table = Table::new(
        "people",
        vec![
            Attribute::new("age", Column::numeric(age.clone())),
            Attribute::new("size", Column::numeric(size.clone())),
            Attribute::new("side", Column::nominal(side)),
            Attribute::new("level", Column::numeric(level)),
            Attribute::new("class", Column::nominal(class)),
            Attribute::new("group", Column::nominal(group)).with_role(Role::Ignore),
        ],
    )
    .unwrap();
    let view = View::new(Arc::new(Database::single(table).unwrap()), 0);
    (age, size, view)
}

fn fit(view: &View, target: usize, given: &[(&str, &str)]) -> Result<Box<dyn Model>> {
    let learner = (TREE.build)(&TREE.settings(given)?)?;
    let hidden = match target {
        LEVEL => CLASS,
        _ => LEVEL,
    };
    let task = Task::new(&view.hiding(0, hidden), &[target])?;
    learner.fit(&task, &Context::new())
}

/// Rows of every age with each size and side.
fn grid() -> (usize, View) {
    let ages: Vec<f64> = (0..60).map(|step| f64::from(step) / 59.0).collect();
    let (mut age, mut size, mut side) = (Vec::new(), Vec::new(), Vec::new());
    for place in 0..20 {
        age.extend(&ages);
        size.extend(std::iter::repeat_n(f64::from(place / 2) / 8.0, ages.len()));
        let label = Some(["left", "right"][place as usize % 2]);
        side.extend(std::iter::repeat_n(label, ages.len()));
    }
    let rows = age.len();
    let none = |label: &'static str| Column::nominal(std::iter::repeat_n(Some(label), rows));
    let table = Table::new(
        "people",
        vec![
            Attribute::new("age", Column::numeric(age)),
            Attribute::new("size", Column::numeric(size)),
            Attribute::new("side", Column::nominal(side)),
            Attribute::new("level", Column::numeric(vec![0.0; rows])),
            Attribute::new("class", none("no")),
            Attribute::new("group", none("a")).with_role(Role::Ignore),
        ],
    );
    let database = Database::single(table.unwrap()).unwrap();
    (ages.len(), View::new(Arc::new(database), 0))
}

/// How often a prediction falls as the age rises, all else being the same.
fn falls(model: &dyn Model) -> usize {
    let (ages, grid) = grid();
    let said = &model.predict(&grid, &Context::new()).unwrap().targets[0].output;
    let value = |row: usize| match said.kind().as_classes() {
        Some(classes) => said.row(row)[classes.code("yes").unwrap() as usize],
        None => said.number(row).unwrap(),
    };
    let rows = (0..grid.len()).filter(|row| row % ages > 0);
    rows.filter(|&row| value(row) < value(row - 1)).count()
}

#[test]
fn predictions_never_fall_with_a_monotone_column_in_the_whole_tree() {
    for seed in 0..8 {
        let (_, _, view) = people(seed);
        for (target, constraint) in [
            (LEVEL, "monotone(age, up)"),
            (CLASS, "monotone(age, up)"),
            (CLASS, "monotone(age, down, no)"),
        ] {
            for (search, pruning) in [
                ("greedy", "none"),
                ("greedy", "auto"),
                ("best_first", "none"),
                ("beam", "none"),
            ] {
                let size = if search == "greedy" { "none" } else { "31" };
                let given = [("search", search), ("pruning", pruning), ("size", size)];
                let free = fit(&view, target, &given).unwrap();
                let with: Vec<(&str, &str)> = given
                    .iter()
                    .copied()
                    .chain([("constraints", constraint)])
                    .collect();
                let kept = fit(&view, target, &with).unwrap();
                assert_eq!(falls(&*kept), 0, "{seed} {constraint} {given:?}");
                if target == LEVEL && pruning == "none" {
                    assert!(falls(&*free) > 0, "{seed}: nothing is shown");
                    assert!(kept.facts().size.unwrap() > 3, "{seed}: nothing is grown");
                }
            }
        }
    }
}

/// The greater of the differences between groups of the rates of `yes`, over all rows and over
/// those that are.
fn difference(model: &dyn Model, view: &View) -> f64 {
    let said = &model.predict(view, &Context::new()).unwrap().targets[0].output;
    let column = |place: usize| &view.table().attribute(place).column;
    let yes = |column: &Column, row: usize| column.value(row).to_string() == "yes";
    let classes = said.kind().as_classes().unwrap();
    let rate = |group: &str, positive: bool| {
        let rows: Vec<usize> = (0..view.len())
            .filter(|&row| column(5).value(row).to_string() == group)
            .filter(|&row| !positive || yes(column(CLASS), row))
            .collect();
        let said = rows
            .iter()
            .filter(|&&row| said.class(row).map(|class| classes.label(class)) == Some("yes"));
        said.count() as f64 / rows.len() as f64
    };
    let apart = |positive: bool| (rate("a", positive) - rate("b", positive)).abs();
    apart(false).max(apart(true))
}

#[test]
fn rates_differ_little_between_the_groups_of_a_fair_column() {
    let mut freed = 0;
    for seed in 0..8 {
        let (_, _, view) = people(seed);
        for search in ["greedy", "beam"] {
            let given = [("search", search), ("size", "15")];
            let free = fit(&view, CLASS, &given).unwrap();
            freed += usize::from(difference(&*free, &view) > 0.1);
            let with: Vec<(&str, &str)> = given
                .iter()
                .copied()
                .chain([("constraints", "fair(group) <= 0.1")])
                .collect();
            let fair = fit(&view, CLASS, &with).unwrap();
            let found = difference(&*fair, &view);
            assert!(found <= 0.1 + 1e-9, "{seed} {search}: {found}");
        }
    }
    assert!(
        freed > 8,
        "trees without the constraint are not fair: {freed}"
    );
}

#[test]
fn what_cannot_be_kept_is_refused() {
    let (_, _, view) = people(1);
    for (target, constraint, message) in [
        (LEVEL, "monotone(side, up)", "labels have no order"),
        (LEVEL, "monotone(agee, up)", "did you mean `age`"),
        (LEVEL, "monotone(age, sideways)", "`up` or `down`"),
        (LEVEL, "monotone(age)", "`up` or `down`"),
        (LEVEL, "monotone(age, up, yes)", "no class"),
        (CLASS, "monotone(age, up, yess)", "did you mean `yes`"),
        (LEVEL, "fair(group) <= 0.1", "a class to be predicted"),
        (CLASS, "fair(age) <= 0.1", "expected a column of labels"),
        (CLASS, "fair(group)", "the most allowed"),
        (CLASS, "not fair(group) <= 0.1", "only `uses` can be denied"),
        (CLASS, "uses(group)", "unknown attribute `group`"),
    ] {
        let error = fit(&view, target, &[("constraints", constraint)]);
        let error = error.err().unwrap().to_string();
        assert!(error.contains(message), "{constraint}: {error}");
    }
    let task = Task::new(&orders(60, 2), &[3]).unwrap();
    let settings = TREE
        .settings(&[("constraints", "monotone(express, up)")])
        .unwrap();
    let learner = (TREE.build)(&settings).unwrap();
    let error = learner
        .fit(&task, &Context::new())
        .err()
        .unwrap()
        .to_string();
    assert!(error.contains("tests that follow keys"), "{error}");
}
