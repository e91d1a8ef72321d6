//! Nothing that is fitted depends on test objects: neither on their own values, nor on rows of
//! other tables that only they are linked to, nor on their targets by whatever way.
//!
//! Objects are divided, and all that is linked follows. What training objects reach is theirs, also
//! where test objects reach it too: a town in which training objects live is known with its size,
//! though test objects live there. Everything else is changed wildly here, and no model may notice.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use kinwood_container::Sections;
use kinwood_evaluation::run::{Trial, evaluate};
use kinwood_evaluation::splits::Plan;
use kinwood_learners::{
    Context, Learner, Model, Output, Predictions, Registry, Result, TargetPrediction, Task,
};
use kinwood_values::parameter::Allowed;
use kinwood_values::{
    Attribute, Cells, Column, Database, Dictionary, Direction, ForeignKey, Role, Table, View,
};

/// Persons, who live in towns, visit places, buy items there, and have friends.
#[derive(Clone)]
pub(crate) struct World {
    persons: Vec<Person>,
    towns: Vec<(f64, u32)>,
    visits: Vec<Visit>,
    items: Vec<Item>,
    friends: Vec<Friend>,
}

#[derive(Clone)]
struct Person {
    age: f64,
    kind: u32,
    town: Option<usize>,
    class: u32,
    pay: f64,
}

#[derive(Clone)]
struct Visit {
    person: usize,
    amount: f64,
    place: u32,
}

#[derive(Clone)]
struct Item {
    visit: usize,
    weight: f64,
    colour: u32,
}

#[derive(Clone)]
struct Friend {
    a: usize,
    b: Option<usize>,
    strength: f64,
}

const PERSONS: usize = 48;
/// Where the tables stand.
pub(crate) const PERSON: usize = 0;
pub(crate) const VISIT: usize = 2;
/// Where the targets stand in the table of persons.
pub(crate) const CLASS: usize = 4;
pub(crate) const PAY: usize = 5;

/// Every third person, the first among them: what stands in a first row is of test objects only.
fn tested(person: usize) -> bool {
    person.is_multiple_of(3)
}

pub(crate) fn rows(test: bool) -> Vec<u32> {
    (0..PERSONS as u32)
        .filter(|&person| tested(person as usize) == test)
        .collect()
}

impl World {
    /// A world in which all tables tell something of the targets.
    pub(crate) fn new() -> Self {
        let mut state = 7_u64;
        let mut draw = |below: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        // Towns 0 to 2 are those of test persons alone, 3 to 5 of training persons, 6 and 7 of
        // both.
        let towns: Vec<(f64, u32)> = (0..8).map(|_| (draw(50) as f64, draw(3) as u32)).collect();
        let (mut visits, mut items, mut friends) = (Vec::new(), Vec::new(), Vec::new());
        let mut persons = Vec::new();
        for person in 0..PERSONS {
            let town = match (draw(5), tested(person)) {
                (0, _) => None,
                (1, _) => Some(6 + draw(2)),
                (_, true) => Some(draw(3)),
                (_, false) => Some(3 + draw(3)),
            };
            let kind = draw(3) as u32;
            let mut spent = 0.0;
            for _ in 0..draw(4) + usize::from(person == 0) {
                let (amount, place) = (draw(100) as f64 / 4.0, draw(4) as u32);
                spent += amount * f64::from(place + 1);
                for _ in 0..draw(3) + usize::from(person == 0) {
                    let (weight, colour) = (draw(40) as f64 / 8.0, draw(3) as u32);
                    spent += weight;
                    items.push(Item {
                        visit: visits.len(),
                        weight,
                        colour,
                    });
                }
                visits.push(Visit {
                    person,
                    amount,
                    place,
                });
            }
            for _ in 0..draw(3) + usize::from(person == 0) {
                friends.push(Friend {
                    a: person,
                    b: Some(draw(PERSONS)).filter(|_| draw(4) > 0),
                    strength: draw(10) as f64,
                });
            }
            let age = 20.0 + draw(60) as f64;
            let pay = age / 2.0 + spent / 3.0 + 5.0 * f64::from(kind) + draw(6) as f64;
            persons.push(Person {
                age,
                kind,
                town,
                class: u32::from(pay > 45.0),
                pay,
            });
        }
        Self {
            persons,
            towns,
            visits,
            items,
            friends,
        }
    }

    /// The world with everything changed that no training person reaches.
    fn disturbed(&self) -> Self {
        let mut world = self.clone();
        let lived_in: BTreeSet<usize> = (0..PERSONS)
            .filter(|&person| !tested(person))
            .filter_map(|person| self.persons[person].town)
            .collect();
        for (place, town) in world.towns.iter_mut().enumerate() {
            if !lived_in.contains(&place) {
                *town = (-4e15, (town.1 + 1) % 3);
            }
        }
        for (place, person) in world.persons.iter_mut().enumerate() {
            if tested(place) {
                person.age = 3e9;
                person.kind = (person.kind + 1) % 3;
                person.class = 1 - person.class;
                person.pay = -7e8;
                // Another town of test persons.
                person.town = Some(place % 3);
            }
        }
        for (place, visit) in world.visits.iter_mut().enumerate() {
            if tested(visit.person) {
                visit.amount = 1e12 * if place % 2 == 0 { 1.0 } else { -1.0 };
                visit.place = (visit.place + 1) % 4;
                // Another test person's.
                visit.person = (visit.person + 3) % PERSONS;
            }
        }
        for item in &mut world.items {
            if tested(self.visits[item.visit].person) {
                item.weight = -1e13;
                item.colour = (item.colour + 1) % 3;
            }
        }
        for friend in &mut world.friends {
            if tested(friend.a) && friend.b.is_none_or(tested) {
                friend.strength = 1e9;
                friend.b = Some(0);
            }
        }
        world
    }

    pub(crate) fn database(&self) -> Arc<Database> {
        let named = |letter: char, count: usize| -> Vec<String> {
            (0..count).map(|place| format!("{letter}{place}")).collect()
        };
        let id = |name: &str, values: Vec<Option<String>>| {
            let column = Column::nominal(values.iter().map(Option::as_deref));
            Attribute::new(name, column).with_role(Role::Id)
        };
        let own = |letter, count| id("id", named(letter, count).into_iter().map(Some).collect());
        let refers = |name: &str, letter: char, to: Vec<Option<usize>>| {
            let to = to.into_iter();
            id(
                name,
                to.map(|to| to.map(|to| format!("{letter}{to}"))).collect(),
            )
        };
        // Labels have the same codes in every world.
        let nominal = |name: &str, labels: &[&str], codes: Vec<u32>| {
            let dictionary = Arc::new(Dictionary::from_labels(labels));
            Attribute::new(
                name,
                Column::new(Cells::Nominal { codes, dictionary }, None),
            )
        };
        let number = |name: &str, numbers: Vec<f64>| Attribute::new(name, Column::numeric(numbers));
        let table = |name: &str, attributes: Vec<Attribute>, keyed: bool| {
            let mut table = Table::new(name, attributes).unwrap();
            table.set_key(keyed.then(|| vec![0]));
            table
        };
        let persons = &self.persons;
        let (visits, items, friends) = (&self.visits, &self.items, &self.friends);
        let three = ["a", "b", "c"];
        let tables = vec![
            table(
                "person",
                vec![
                    own('p', persons.len()),
                    number("age", persons.iter().map(|p| p.age).collect()),
                    nominal("kind", &three, persons.iter().map(|p| p.kind).collect()),
                    refers("town", 't', persons.iter().map(|p| p.town).collect()),
                    nominal(
                        "class",
                        &["no", "yes"],
                        persons.iter().map(|p| p.class).collect(),
                    ),
                    number("pay", persons.iter().map(|p| p.pay).collect()),
                ],
                true,
            ),
            table(
                "town",
                vec![
                    own('t', self.towns.len()),
                    number("size", self.towns.iter().map(|town| town.0).collect()),
                    nominal(
                        "climate",
                        &three,
                        self.towns.iter().map(|town| town.1).collect(),
                    ),
                ],
                true,
            ),
            table(
                "visit",
                vec![
                    own('v', visits.len()),
                    refers(
                        "person",
                        'p',
                        visits.iter().map(|v| Some(v.person)).collect(),
                    ),
                    number("amount", visits.iter().map(|v| v.amount).collect()),
                    nominal(
                        "place",
                        &["inn", "shop", "fair", "club"],
                        visits.iter().map(|v| v.place).collect(),
                    ),
                ],
                true,
            ),
            table(
                "item",
                vec![
                    refers("visit", 'v', items.iter().map(|i| Some(i.visit)).collect()),
                    number("weight", items.iter().map(|i| i.weight).collect()),
                    nominal("colour", &three, items.iter().map(|i| i.colour).collect()),
                ],
                false,
            ),
            table(
                "friend",
                vec![
                    refers("a", 'p', friends.iter().map(|f| Some(f.a)).collect()),
                    refers("b", 'p', friends.iter().map(|f| f.b).collect()),
                    number("strength", friends.iter().map(|f| f.strength).collect()),
                ],
                false,
            ),
        ];
        let key = |from: usize, column: usize, to: usize| ForeignKey {
            name: format!(
                "{}_{}",
                tables[from].name(),
                tables[from].attribute(column).name
            ),
            from,
            from_columns: vec![column],
            to,
            to_columns: vec![0],
            describes: None,
        };
        let keys = vec![
            key(0, 3, 1),
            key(2, 1, 0),
            key(3, 0, 2),
            key(4, 0, 0),
            key(4, 1, 0),
        ];
        Arc::new(Database::new(tables, keys).unwrap().0)
    }

    /// All persons, one target of two hidden.
    fn view(&self, target: usize) -> View {
        let other = if target == CLASS { PAY } else { CLASS };
        View::new(self.database(), PERSON).hiding(PERSON, other)
    }
}

pub(crate) fn built(name: &str, given: &[(&str, &str)]) -> Box<dyn Learner> {
    let registry = Registry::new();
    let entry = registry.find(name).unwrap();
    let settings = entry.settings(given).unwrap();
    entry.learner(&settings).unwrap()
}

pub(crate) fn bytes(model: &dyn Model) -> Vec<u8> {
    let mut sections = Sections::new();
    model.write(&mut sections).unwrap();
    sections.to_bytes().unwrap()
}

/// What differs of what is learned of the training persons in two worlds: the model, byte for byte,
/// or what it answers; an error where the learner does not take such data.
fn differing(
    learner: &dyn Learner,
    worlds: [&World; 2],
    target: usize,
) -> Result<Vec<&'static str>> {
    let context = Context::new().with_threads(1);
    let fit = |world: &World| {
        let training = world.view(target).select(&rows(false));
        learner.fit(&Task::new(&training, &[target])?, &context)
    };
    let (one, other) = (fit(worlds[0])?, fit(worlds[1])?);
    let known = worlds[0].view(target).hiding(PERSON, target);
    let answers = |model: &dyn Model| model.predict(&known.select(&rows(false)), &context);
    let differing = [
        (bytes(&*one) != bytes(&*other)).then_some("the model"),
        (answers(&*one)? != answers(&*other)?).then_some("its answers"),
    ];
    Ok(differing.into_iter().flatten().collect())
}

/// Settings by which learners look at linked tables, and some by which they choose by themselves.
pub(crate) fn cases() -> Vec<(&'static str, Vec<(&'static str, &'static str)>)> {
    let mut cases = Vec::new();
    let rows = "mean(age: absolute(range=train), kind: discrete, visit: hausdorff(mean(amount: absolute(range=train), place: discrete)))";
    for depth in ["0", "1", "2", "3"] {
        cases.extend(["knn", "kstar", "centres"].map(|learner| (learner, vec![("depth", depth)])));
        cases.push((
            "citation_knn",
            vec![("bags", "hausdorff"), ("depth", depth)],
        ));
    }
    cases.extend([
        (
            "knn",
            vec![("k", "loo"), ("weights", "kernel"), ("depth", "2")],
        ),
        ("knn", vec![("filter", "ib3"), ("depth", "2")]),
        ("knn", vec![("distance", rows)]),
        ("knn", vec![("distance", "fourlayer"), ("k", "3")]),
        ("kstar", vec![("auto_blend", "true"), ("depth", "1")]),
        ("kstar", vec![("blend", "cross_validation"), ("depth", "1")]),
        ("dbdt", vec![("keys", "2")]),
        (
            "dbdt",
            vec![
                ("keys", "1"),
                ("attraction", "density"),
                ("prototypes", "all"),
            ],
        ),
        ("tree", vec![("keys", "1")]),
        (
            "tree",
            vec![("keys", "2"), ("search", "beam"), ("size", "7")],
        ),
        ("forest", vec![("keys", "1"), ("trees", "5")]),
        (
            "forest",
            vec![("preset", "proximity"), ("keys", "1"), ("trees", "5")],
        ),
        ("mirt", vec![]),
        ("mirt", vec![("preset", "best")]),
        ("mirt", vec![("search", "beam"), ("size", "5")]),
        (
            "mirt",
            vec![
                ("at_least", "true"),
                ("counts", "true"),
                ("every", "true"),
                ("aggregates", "true"),
            ],
        ),
        ("mirt", vec![("leaf_model", "smoti")]),
        ("mirt", vec![("leaf_model", "linear"), ("around", "2")]),
        ("mi_svm", vec![("bags", "visit")]),
        ("mi_svm", vec![("bags", "visit"), ("form", "instance")]),
        ("boost", vec![("flatten", "none")]),
        ("boost", vec![("depth", "1"), ("flatten_windows", "5,20")]),
        (
            "forest",
            vec![("preset", "proximity2"), ("keys", "1"), ("trees", "3")],
        ),
    ]);
    for learner in ["svm", "svr", "ridge"] {
        cases.extend(["1", "2"].map(|depth| (learner, vec![("depth", depth)])));
        cases.push((learner, vec![("kernel", "gaussian(fourlayer)")]));
    }
    for entry in Registry::new().entries() {
        // Learners of bags need to be told which, or what empty ones are: see above.
        if !["citation_knn", "mi_svm"].contains(&entry.name) {
            cases.push((entry.name, vec![]));
        }
        if entry.flat {
            cases.extend(["p1", "p2"].map(|kind| (entry.name, vec![("flatten", kind)])));
            cases.push((entry.name, vec![("flatten", "p2"), ("flatten_depth", "2")]));
            cases.push((entry.name, vec![("flatten", "p2"), ("aggregates", "paper")]));
        }
    }
    cases
}

/// Each learner with each word that a setting of its can be, beside what makes it look at linked
/// tables and keeps it small.
pub(crate) fn worded_cases() -> Vec<(&'static str, Vec<(&'static str, &'static str)>)> {
    let mut cases = Vec::new();
    for entry in Registry::new().entries() {
        let mut base: Vec<(&str, &str)> = match entry.name {
            "citation_knn" => vec![("bags", "hausdorff"), ("depth", "1")],
            "mi_svm" => vec![("bags", "visit")],
            _ if entry.flat => vec![("flatten", "p2"), ("flatten_depth", "1")],
            _ => Vec::new(),
        };
        if entry.parameters.iter().any(|own| own.name == "trees") {
            base.push(("trees", "3"));
        }
        for parameter in entry.parameters {
            let words: Vec<&'static str> = match parameter.allowed {
                Allowed::Flag => vec!["true", "false"],
                Allowed::Choice(words)
                | Allowed::ChoiceOrAdded { words, .. }
                | Allowed::WholeOr { words, .. }
                | Allowed::PositiveOr(words) => words.to_vec(),
                Allowed::Preset(presets) => presets.iter().map(|preset| preset.name).collect(),
                _ => Vec::new(),
            };
            for word in words {
                // As it is by default, a setting is tried by the other cases.
                if word == parameter.default {
                    continue;
                }
                let mut given = base.clone();
                given.retain(|(name, _)| *name != parameter.name);
                given.push((parameter.name, word));
                cases.push((entry.name, given));
            }
        }
    }
    cases
}

#[test]
fn no_learner_looks_at_what_belongs_to_test_objects_only() {
    let world = World::new();
    let disturbed = world.disturbed();
    let (mut leaks, mut untested) = (Vec::new(), Vec::new());
    for (learner, given) in cases() {
        let mut refusals = Vec::new();
        for target in [CLASS, PAY] {
            match differing(&*built(learner, &given), [&world, &disturbed], target) {
                Ok(nothing) if nothing.is_empty() => {}
                Ok(leaked) => {
                    leaks.push(format!("{learner} {given:?}, target {target}: {leaked:?}"))
                }
                Err(refusal) => refusals.push(refusal.to_string()),
            }
        }
        if refusals.len() == 2 {
            untested.push(format!("{learner} {given:?}: {refusals:?}"));
        }
    }
    // A learner that takes neither classes nor numbers would not be tested.
    assert!(untested.is_empty(), "{untested:#?}");
    assert!(leaks.is_empty(), "{leaks:#?}");
}

/// Learns the largest amount of all visits there are: a planted leak.
struct Peeking;

/// What was peeked at, as an answer.
struct Peeked(f64);

impl Learner for Peeking {
    fn fit(&self, task: &Task, _: &Context) -> Result<Box<dyn Model>> {
        let amounts = task.view().column(VISIT, 2).unwrap();
        let largest = amounts.numbers().unwrap().iter().copied();
        Ok(Box::new(Peeked(largest.fold(f64::NEG_INFINITY, f64::max))))
    }
}

impl Model for Peeked {
    fn predict(&self, data: &View, _: &Context) -> Result<Predictions> {
        Ok(Predictions {
            targets: vec![TargetPrediction {
                name: "pay".to_owned(),
                output: Output::of_numbers(vec![self.0; data.len()]),
            }],
        })
    }

    fn write(&self, sections: &mut Sections) -> Result<()> {
        Ok(sections.scope("peeked").put_f64("largest", &[self.0])?)
    }

    fn show(&self) -> String {
        "\n".to_owned()
    }

    fn to_json(&self) -> serde_json::Value {
        serde_json::json!({})
    }
}

/// The tests above do find leaks: one that is planted, and one that a setting asks for.
#[test]
fn planted_leaks_are_found() {
    let world = World::new();
    let disturbed = world.disturbed();
    let worlds = [&world, &disturbed];
    assert!(!differing(&Peeking, worlds, PAY).unwrap().is_empty());
    let all = built("knn", &[("distance", "fourlayer(range=all)")]);
    assert!(!differing(&*all, worlds, PAY).unwrap().is_empty());
    // Changes of what training persons reach are noticed by all who look there.
    let mut other = world.clone();
    let visit = other.visits.iter_mut().find(|visit| !tested(visit.person));
    visit.unwrap().amount += 20.0;
    for learner in ["knn", "mirt"] {
        let noticed = differing(&*built(learner, &[]), [&world, &other], PAY).unwrap();
        assert!(!noticed.is_empty(), "{learner}");
    }
}

/// Keys lead from a person to friends, who are persons with targets. Nobody's target is an input,
/// test or training: it is hidden wherever it is reached from; and a test person's friends in
/// training are not reached at all, as a training person's friends in test are not.
#[test]
fn targets_of_friends_are_not_seen() {
    let world = World::new();
    let mut untruthful = world.clone();
    for (place, person) in untruthful.persons.iter_mut().enumerate() {
        if tested(place) {
            person.class = 1 - person.class;
            person.pay = 1e6 - person.pay;
        }
    }
    let mut others = world.clone();
    for person in &mut others.persons {
        person.class = 1 - person.class;
        person.pay = 1e6 - person.pay;
    }
    let labels = (0..PERSONS).map(|person| tested(person).to_string());
    let plan = Plan::GivenFolds {
        labels: labels.collect(),
    };
    let context = Context::new().with_threads(1);
    let mut asked = 0;
    for (name, given) in cases() {
        for target in [CLASS, PAY] {
            let learner = built(name, &given);
            let answers = |world: &World, asked_in: &World| {
                let trial = Trial::new(&world.view(target), &[target], &plan, 1).unwrap();
                // Folds come in the order of their first rows.
                let split = &trial.known().splits[0];
                assert_eq!(split.test, rows(true));
                let rest = asked_in.database();
                trial.on_split(&*learner, split, &context, |model, test, context| {
                    model.predict(&test.of(Arc::clone(&rest)), context)
                })
            };
            let Ok(truthful) = answers(&world, &world) else {
                continue;
            };
            // Fitted where test persons have other targets, and asked about them there; then asked
            // where everybody has another target.
            let elsewhere = [(&untruthful, &untruthful), (&world, &others)];
            for (fitted_in, asked_in) in elsewhere {
                let found = answers(fitted_in, asked_in).unwrap();
                assert_eq!(found, truthful, "{name} {given:?}, target {target}");
            }
            asked += 1;
        }
    }
    assert!(asked > cases().len(), "{asked}");
}

/// The rows of each table that a spy has reached, and whether it saw a target.
type Sight = (Vec<BTreeSet<u32>>, bool);

/// A learner that follows every key from every row, as far as they lead, whether it is fitted or
/// asked.
struct Spy {
    seen: Arc<Mutex<Vec<Sight>>>,
    target: usize,
}

struct SpyModel {
    seen: Arc<Mutex<Vec<Sight>>>,
    target: usize,
    honest: Box<dyn Model>,
}

fn sight(view: &View, target: usize) -> Sight {
    let database = view.database();
    let mut reached = vec![BTreeSet::new(); database.tables().len()];
    let mut open: Vec<(usize, u32)> = view.rows().map(|row| (PERSON, row)).collect();
    while let Some((table, row)) = open.pop() {
        if !reached[table].insert(row) {
            continue;
        }
        for (key, of) in database.foreign_keys().iter().enumerate() {
            for (direction, here, there) in [
                (Direction::Forward, of.from, of.to),
                (Direction::Backward, of.to, of.from),
            ] {
                if here == table {
                    open.extend(
                        view.linked(row, key, direction, row)
                            .map(|row| (there, row)),
                    );
                }
            }
        }
    }
    (reached, view.column(PERSON, target).is_some())
}

impl Learner for Spy {
    fn fit(&self, task: &Task, context: &Context) -> Result<Box<dyn Model>> {
        let seen = sight(task.view(), self.target);
        self.seen.lock().unwrap().push(seen);
        Ok(Box::new(SpyModel {
            seen: Arc::clone(&self.seen),
            target: self.target,
            honest: built("mean", &[]).fit(task, context)?,
        }))
    }
}

impl Model for SpyModel {
    fn predict(&self, data: &View, context: &Context) -> Result<Predictions> {
        let seen = sight(data, self.target);
        self.seen.lock().unwrap().push(seen);
        self.honest.predict(data, context)
    }

    fn write(&self, sections: &mut Sections) -> Result<()> {
        self.honest.write(sections)
    }

    fn show(&self) -> String {
        self.honest.show()
    }

    fn to_json(&self) -> serde_json::Value {
        self.honest.to_json()
    }
}

#[test]
fn a_spy_that_follows_every_key_reaches_nothing_of_the_other_side() {
    let world = World::new();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let spy = Spy {
        seen: Arc::clone(&seen),
        target: PAY,
    };
    let plan = Plan::CrossValidation {
        folds: 4,
        repeats: 1,
    };
    let context = Context::new().with_threads(1);
    let run = evaluate(&spy, &world.view(PAY), &[PAY], &plan, &context).unwrap();
    let seen = seen.lock().unwrap();
    assert_eq!(seen.len(), 2 * run.splits.len());
    let of = |is: &dyn Fn(usize) -> bool, count: usize| -> BTreeSet<u32> {
        (0..count as u32).filter(|&row| is(row as usize)).collect()
    };
    for (split, sights) in run.splits.iter().zip(seen.chunks(2)) {
        for (side, (reached, target)) in [&split.train, &split.test].into_iter().zip(sights) {
            assert!(
                !target,
                "the target is hidden from whatever is fitted and asked"
            );
            let inside = |person: usize| side.contains(&(person as u32));
            let persons = of(&inside, PERSONS);
            let towns = |town: usize| {
                let mut living = (0..PERSONS).filter(|&p| world.persons[p].town == Some(town));
                living.any(inside)
            };
            let visits = |visit: usize| inside(world.visits[visit].person);
            let items = |item: usize| visits(world.items[item].visit);
            let friends = |friend: usize| {
                let friend = &world.friends[friend];
                inside(friend.a) || friend.b.is_some_and(inside)
            };
            let expected = [
                persons,
                of(&towns, world.towns.len()),
                of(&visits, world.visits.len()),
                of(&items, world.items.len()),
                of(&friends, world.friends.len()),
            ];
            assert_eq!(reached[..], expected);
        }
    }
}
