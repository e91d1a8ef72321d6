//! Nothing that is fitted or predicted depends on what was known later than it was asked.
//!
//! Persons have cutoffs; visits, friendships and towns have times. A plain search says which rows
//! persons may look at. All others are changed wildly, and later ones are added: no model and no
//! prediction may notice.

use std::collections::BTreeSet;
use std::sync::Arc;

use kinwood_learners::{Context, Learner, Registry, Result, Task};
use kinwood_values::{
    AsOf, Attribute, Cells, Column, Database, Dictionary, ForeignKey, Role, Table, TableTime, View,
};
use kinwood_workbench::time::known;

use crate::leaks::{CLASS, PAY, PERSON, VISIT, World, built, bytes, cases, rows, worded_cases};

const TOWN: usize = 1;
const FRIEND: usize = 4;
/// Where the cutoffs stand in the table of persons, behind all else.
const DAY: usize = 6;
const LAST: f64 = 200.0;

/// A number below another one, which looks like chance.
fn hashed(place: usize, salt: usize, below: usize) -> f64 {
    let mixed = (place + 1).wrapping_mul(2_654_435_761) ^ salt.wrapping_mul(40_503);
    ((mixed >> 7) % below) as f64
}

/// The world of the other tests with times: those of visits are often later than all cutoffs.
fn timed() -> Database {
    let (mut tables, keys) = Database::clone(&World::new().database()).into_parts();
    let mut add = |table: usize, columns: Vec<(&str, Vec<f64>)>| {
        let mut attributes = tables[table].attributes().to_vec();
        for (name, numbers) in columns {
            let role = if table == PERSON {
                Role::Cutoff
            } else {
                Role::Ignore
            };
            attributes.push(Attribute::new(name, Column::numeric(numbers)).with_role(role));
        }
        let key = tables[table].key().map(<[usize]>::to_vec);
        tables[table] = Table::new(tables[table].name(), attributes).unwrap();
        tables[table].set_key(key);
    };
    let count = |tables: &[Table], table: usize| tables[table].rows();
    let sizes: Vec<usize> = (0..5)
        .map(|table| count(World::new().database().tables(), table))
        .collect();
    let days = |table: usize, salt: usize, least: f64, below: usize| -> Vec<f64> {
        (0..sizes[table])
            .map(|row| least + hashed(row, salt, below))
            .collect()
    };
    add(PERSON, vec![("day", days(PERSON, 1, 100.0, 100))]);
    // Towns are there from some day on, and some of them end.
    let begins = days(TOWN, 2, 60.0, 80);
    let ends = (0..sizes[TOWN])
        .map(|town| {
            if town % 2 == 0 {
                f64::NAN
            } else {
                begins[town] + 70.0
            }
        })
        .collect();
    add(TOWN, vec![("from", begins), ("to", ends)]);
    add(VISIT, vec![("day", days(VISIT, 3, 40.0, 250))]);
    add(FRIEND, vec![("day", days(FRIEND, 4, 40.0, 250))]);
    tables[PERSON].set_time(Some(TableTime::Instant { column: DAY }));
    tables[TOWN].set_time(Some(TableTime::Valid { from: 3, to: 4 }));
    tables[VISIT].set_time(Some(TableTime::Instant { column: 4 }));
    tables[FRIEND].set_time(Some(TableTime::Instant { column: 3 }));
    Database::new(tables, keys).unwrap().0
}

/// What a person's cutoff leaves visible.
#[derive(Clone, Copy)]
struct Rule {
    gap: f64,
    window: Option<f64>,
}

const RULES: [Rule; 2] = [
    Rule {
        gap: 0.0,
        window: None,
    },
    Rule {
        gap: 10.0,
        window: Some(60.0),
    },
];

fn number(database: &Database, table: usize, column: usize, row: u32) -> f64 {
    let column = &database.table(table).attribute(column).column;
    column.number(row as usize).unwrap_or(f64::NAN)
}

/// The rows of each table that some persons may look at, by a plain search from each of them.
fn reached(database: &Database, persons: &[u32], rule: Rule) -> Vec<BTreeSet<u32>> {
    let mut all = vec![BTreeSet::new(); database.tables().len()];
    for &origin in persons {
        let cutoff = number(database, PERSON, DAY, origin);
        let latest = cutoff - rule.gap;
        let earliest = rule
            .window
            .map_or(f64::NEG_INFINITY, |window| cutoff - window);
        let at = |table: usize, column: usize, row: u32| {
            let time = number(database, table, column, row);
            earliest <= time && time <= latest
        };
        let visible = |table: usize, row: u32| match table {
            PERSON => persons.contains(&row) && (row == origin || at(PERSON, DAY, row)),
            TOWN => {
                let (from, to) = (
                    number(database, TOWN, 3, row),
                    number(database, TOWN, 4, row),
                );
                from <= latest && (to.is_nan() || (to > latest && to >= earliest))
            }
            VISIT => at(VISIT, 4, row),
            FRIEND => at(FRIEND, 3, row),
            _ => true,
        };
        let mut mine = vec![BTreeSet::new(); all.len()];
        let mut open = vec![(PERSON, origin)];
        while let Some((table, row)) = open.pop() {
            if !visible(table, row) || !mine[table].insert(row) {
                continue;
            }
            for (position, key) in database.foreign_keys().iter().enumerate() {
                let link = database.link(position);
                if key.from == table {
                    open.extend(link.forward(row as usize).map(|row| (key.to, row)));
                }
                if key.to == table {
                    open.extend(
                        link.backward(row as usize)
                            .iter()
                            .map(|&row| (key.from, row)),
                    );
                }
            }
        }
        for (all, mine) in all.iter_mut().zip(mine) {
            all.extend(mine);
        }
    }
    all
}

/// The database with all changed that is not kept, and with more visits and friendships after all
/// cutoffs.
fn disturbed(database: &Database, kept: &[BTreeSet<u32>]) -> Database {
    let (mut tables, keys) = database.clone().into_parts();
    let refers = |table: usize, column: usize| {
        let mut keys = keys.iter();
        keys.any(|key: &ForeignKey| key.from == table && key.from_columns.contains(&column))
    };
    for (place, table) in tables.iter_mut().enumerate() {
        let identified = table.key().map(<[usize]>::to_vec).unwrap_or_default();
        let times: Vec<usize> = table.time().map_or(Vec::new(), |time| {
            [Some(time.begin()), time.end()]
                .into_iter()
                .flatten()
                .collect()
        });
        let rows = table.rows();
        let changed: Vec<bool> = (0..rows as u32)
            .map(|row| !kept[place].contains(&row))
            .collect();
        let added = if [VISIT, FRIEND].contains(&place) {
            7
        } else {
            0
        };
        let mut attributes = table.attributes().to_vec();
        for (column, attribute) in attributes.iter_mut().enumerate() {
            let key = identified.contains(&column);
            let same = key || refers(place, column) || times.contains(&column);
            let values = match attribute.column.cells() {
                Cells::Numeric(numbers) => {
                    let wild = |row: usize| if row.is_multiple_of(2) { 1e12 } else { -3e13 };
                    let mut numbers: Vec<f64> = numbers
                        .iter()
                        .enumerate()
                        .map(|(row, &number)| {
                            if changed[row] && !same {
                                wild(row)
                            } else {
                                number
                            }
                        })
                        .collect();
                    let later = if times.contains(&column) {
                        LAST + 1000.0
                    } else {
                        -9e14
                    };
                    numbers.extend(vec![later; added]);
                    Column::numeric(numbers)
                }
                Cells::Nominal { codes, dictionary } => {
                    let mut labels: Vec<String> = dictionary.labels().map(str::to_owned).collect();
                    let known = labels.len() as u32;
                    if key {
                        labels.extend((0..added).map(|more| format!("later {more}")));
                    }
                    let mut codes: Vec<u32> = codes
                        .iter()
                        .enumerate()
                        .map(|(row, &code)| {
                            if changed[row] && !same {
                                (code + 1) % known
                            } else {
                                code
                            }
                        })
                        .collect();
                    let present = (0..rows).map(|row| attribute.column.is_present(row));
                    let present = present.chain(vec![true; added]);
                    let validity = kinwood_values::Validity::from_bits(present.collect::<Vec<_>>());
                    codes.extend(
                        (0..added as u32).map(|more| match labels.len() as u32 > known {
                            true => known + more,
                            false => more % known,
                        }),
                    );
                    let dictionary = Arc::new(Dictionary::from_labels(&labels));
                    Column::new(Cells::Nominal { codes, dictionary }, Some(validity))
                }
                _ => panic!("the world has numbers and labels"),
            };
            attribute.column = Arc::new(values);
        }
        let (key, time) = (table.key().map(<[usize]>::to_vec), table.time());
        let name = table.name().to_owned();
        *table = Table::new(name, attributes).unwrap();
        table.set_key(key);
        table.set_time(time);
    }
    Database::new(tables, keys).unwrap().0
}

/// All persons as of their day, one target of two hidden, and nothing kept that is later than all.
fn view(database: &Database, target: usize, rule: Rule) -> View {
    let other = if target == CLASS { PAY } else { CLASS };
    let days = &database.table(PERSON).attribute(DAY).column;
    let cutoffs: Vec<f64> = (0..days.len())
        .map(|row| days.number(row).unwrap())
        .collect();
    let as_of = AsOf::new(cutoffs)
        .with_gap(rule.gap)
        .with_window(rule.window);
    let view = View::new(Arc::new(database.clone()), PERSON).hiding(PERSON, other);
    known(&view.seen_as_of(as_of)).unwrap()
}

/// What differs of what is learned of training persons in two views, and said of all persons.
fn differing(
    learner: &dyn Learner,
    views: [&View; 2],
    target: usize,
    asked: bool,
) -> Result<Vec<String>> {
    let context = Context::new().with_threads(1);
    let fit = |view: &View| {
        let training = view.select(&rows(false));
        learner.fit(&Task::new(&training, &[target])?, &context)
    };
    let (one, other) = (fit(views[0])?, fit(views[1])?);
    let mut differing = Vec::new();
    if bytes(&*one) != bytes(&*other) {
        differing.push("the model".to_owned());
    }
    for test in [false, true] {
        let queries = |view: &View| view.hiding(PERSON, target).select(&rows(test));
        let from = if asked { views[1] } else { views[0] };
        if one.predict(&queries(views[0]), &context)? != other.predict(&queries(from), &context)? {
            differing.push(format!("its answers, test {test}"));
        }
    }
    Ok(differing)
}

fn leaks_of(disturb: impl Fn(&Database, Rule) -> Database, asked: bool) {
    let database = timed();
    let (mut leaks, mut untested) = (Vec::new(), Vec::new());
    for (number, rule) in RULES.into_iter().enumerate() {
        let other = disturb(&database, rule);
        for (learner, given) in cases() {
            let mut refusals = Vec::new();
            for target in [CLASS, PAY] {
                let views = [&view(&database, target, rule), &view(&other, target, rule)];
                match differing(&*built(learner, &given), views, target, asked) {
                    Ok(nothing) if nothing.is_empty() => {}
                    Ok(leaked) => leaks.push(format!(
                        "{learner} {given:?}, target {target}, rule {number}: {leaked:?}"
                    )),
                    Err(refusal) => refusals.push(refusal.to_string()),
                }
            }
            if refusals.len() == 2 {
                untested.push(format!("{learner} {given:?}: {refusals:?}"));
            }
        }
    }
    assert!(untested.is_empty(), "{untested:#?}");
    assert!(leaks.is_empty(), "{leaks:#?}");
}

/// The database with all changed that neither training persons see, nor test persons among
/// themselves.
fn disturbed_for_all(database: &Database, rule: Rule) -> Database {
    let everybody: Vec<u32> = rows(false).into_iter().chain(rows(true)).collect();
    let mut kept = reached(database, &rows(false), rule);
    for (kept, of_test) in kept.iter_mut().zip(reached(database, &rows(true), rule)) {
        kept.extend(of_test);
    }
    assert_eq!(kept[PERSON].len(), everybody.len());
    assert!(kept[VISIT].len() < database.table(VISIT).rows() * 3 / 4);
    disturbed(database, &kept)
}

#[test]
fn no_learner_looks_at_what_was_known_later() {
    leaks_of(disturbed_for_all, true);
}

/// The learners by one part of four, each with each word that a setting can be.
fn no_setting_looks_at_what_was_known_later(part: usize) {
    let database = timed();
    let rule = RULES[1];
    let other = disturbed_for_all(&database, rule);
    let (mut leaks, mut refused) = (Vec::new(), Vec::new());
    let mut tried = 0;
    for (_, (learner, given)) in worded_cases()
        .into_iter()
        .enumerate()
        .filter(|(place, _)| place % 4 == part)
    {
        let registry = Registry::new();
        let entry = registry.find(learner).unwrap();
        // Settings that go with others only are tried by the cases that name both.
        let made = entry
            .settings(&given)
            .and_then(|settings| entry.learner(&settings));
        let found = made.and_then(|made| {
            let in_both = |target: usize| {
                let views = [&view(&database, target, rule), &view(&other, target, rule)];
                differing(&*made, views, target, true)
            };
            in_both(CLASS).or_else(|_| in_both(PAY))
        });
        match found {
            Ok(nothing) if nothing.is_empty() => tried += 1,
            Ok(leaked) => leaks.push(format!("{learner} {given:?}: {leaked:?}")),
            Err(error) => refused.push(format!("{learner} {given:?}: {error}")),
        }
    }
    assert!(leaks.is_empty(), "{leaks:#?}");
    assert!(tried > 5 * refused.len(), "{tried} tried; {refused:#?}");
}

#[test]
fn no_setting_looks_at_what_was_known_later_first_quarter() {
    no_setting_looks_at_what_was_known_later(0);
}

#[test]
fn no_setting_looks_at_what_was_known_later_second_quarter() {
    no_setting_looks_at_what_was_known_later(1);
}

#[test]
fn no_setting_looks_at_what_was_known_later_third_quarter() {
    no_setting_looks_at_what_was_known_later(2);
}

#[test]
fn no_setting_looks_at_what_was_known_later_last_quarter() {
    no_setting_looks_at_what_was_known_later(3);
}

#[test]
fn nothing_is_fitted_to_what_training_rows_do_not_see() {
    let disturb =
        |database: &Database, rule| disturbed(database, &reached(database, &rows(false), rule));
    leaks_of(disturb, false);
}

/// The tests above do find leaks: without cutoffs all who look at visits notice.
#[test]
fn without_cutoffs_the_future_is_noticed() {
    let database = timed();
    let everybody: Vec<u32> = (0..database.table(PERSON).rows() as u32).collect();
    let other = disturbed(&database, &reached(&database, &everybody, RULES[0]));
    let plain =
        |database: &Database| View::new(Arc::new(database.clone()), PERSON).hiding(PERSON, CLASS);
    for learner in ["knn", "mirt"] {
        let views = [&plain(&database), &plain(&other)];
        let noticed = differing(&*built(learner, &[]), views, PAY, true).unwrap();
        assert!(!noticed.is_empty(), "{learner}");
    }
}

/// A row that sees everything is not a row that sees the future: the views reach exactly what a
/// plain search does.
#[test]
fn importance_permutes_what_rows_see_and_nothing_else() {
    let database = timed();
    let persons: Vec<u32> = rows(false);
    for rule in RULES {
        let expected = reached(&database, &persons, rule);
        let seen = view(&database, PAY, rule)
            .of(Arc::new(database.clone()))
            .select(&persons);
        let found = kinwood_evaluation::importance::reached(&seen);
        for (table, rows) in found.iter().enumerate() {
            let rows: BTreeSet<u32> = rows.iter().copied().collect();
            assert_eq!(rows, expected[table], "table {table}");
        }
    }
}
