//! What structured values contain, and columns of many labels, as users have them.

use std::sync::Arc;

use kinwood_values::{Attribute, Column, Database, ForeignKey, Role, Table, Type, Value, View};

use crate::contents::Item;
use crate::tree::propose::any_of::gain_by_chance as gain_of;
use crate::{DBDT, FOREST, MIRT, TREE};
use kinwood_learning::context::Context;
use kinwood_learning::entry::Entry;
use kinwood_learning::model::Model;
use kinwood_learning::random::Generator;
use kinwood_learning::task::Task;
use kinwood_learning::testing::{bytes, check_learner_with};
use kinwood_values::container::Stored;

fn fitted(entry: &Entry, given: &[(&str, &str)], view: &View, target: usize) -> Box<dyn Model> {
    let learner = (entry.build)(&entry.settings(given).unwrap()).unwrap();
    let task = Task::new(view, &[target]).unwrap();
    learner.fit(&task, &Context::new()).unwrap()
}

/// The share of rows of ten folds whose class is predicted.
fn ten_folds(entry: &Entry, given: &[(&str, &str)], view: &View, target: usize) -> f64 {
    let classes = &view.table().attribute(target).column;
    let mut right = 0;
    for fold in 0..10 {
        let (test, train): (Vec<u32>, Vec<u32>) =
            (0..view.len() as u32).partition(|row| row % 10 == fold);
        let model = fitted(entry, given, &view.select(&train), target);
        let test = view.select(&test);
        let predicted = model.predict(&test, &Context::new()).unwrap();
        for position in 0..test.len() {
            let shares = predicted.targets[0].output.row(position);
            let said = crate::tree::response::heaviest(shares) as u32;
            right += usize::from(classes.code(test.row(position) as usize) == Some(said));
        }
    }
    right as f64 / view.len() as f64
}

fn symbol(label: impl Into<String>) -> Value {
    Value::Symbol(label.into())
}

fn single(name: &str, of: &Type, values: &[Value], classes: Vec<Option<&str>>) -> View {
    let attributes = vec![
        Attribute::new(name, Column::from_values(of, values).unwrap()),
        Attribute::new("class", Column::nominal(classes)),
    ];
    let table = Table::new("customer", attributes).unwrap();
    View::new(Arc::new(Database::single(table).unwrap()), 0)
}

const PRODUCTS: [&str; 25] = [
    "apples", "beer", "bread", "butter", "cheese", "chips", "coffee", "eggs", "flour", "ham",
    "honey", "jam", "juice", "leek", "milk", "nuts", "oil", "pasta", "rice", "salt", "soap",
    "sugar", "tea", "tofu", "wine",
];

/// Customers with a basket; who buys tofu is a vegetarian, but for one in five.
fn baskets(rows: usize, seed: u64) -> View {
    let mut random = Generator::new(seed, &[1]);
    let (mut values, mut classes) = (Vec::new(), Vec::new());
    for _ in 0..rows {
        let others = (0..2 + random.below(6))
            .map(|_| random.below(25))
            .filter(|&own| own != 23);
        let mut basket: Vec<usize> = others.collect();
        let tofu = random.below(100) < 48;
        basket.extend(tofu.then_some(23));
        values.push(Value::set(
            basket
                .into_iter()
                .map(|own| symbol(PRODUCTS[own]))
                .collect(),
        ));
        let noise = random.below(5) == 0;
        classes.push(Some(["no", "vegetarian"][usize::from(tofu != noise)]));
    }
    single(
        "basket",
        &Type::Set(Box::new(Type::Nominal)),
        &values,
        classes,
    )
}

#[test]
fn baskets_are_learned_at_the_first_try() {
    let view = baskets(600, 1);
    for (entry, given, least) in [
        (&TREE, &[][..], 0.78),
        (&FOREST, &[][..], 0.78),
        (&MIRT, &[][..], 0.78),
        (&TREE, &[("search", "best_first"), ("size", "9")], 0.77),
        (
            &TREE,
            &[("search", "beam"), ("size", "9"), ("width", "3")],
            0.78,
        ),
        (&DBDT, &[("pruning", "auto")], 0.75),
    ] {
        let found = ten_folds(entry, given, &view, 1);
        println!("{} {given:?}: {found}", entry.name);
        assert!(found >= least, "{} {given:?}: {found}", entry.name);
    }
    let text = fitted(&TREE, &[], &view, 1).show();
    assert!(text.contains("basket contains tofu\n"), "{text}");
    let text = fitted(&MIRT, &[], &view, 1).show();
    assert!(text.contains("basket contains tofu\n"), "{text}");
    // Prototypes alone do not see it.
    let found = ten_folds(&TREE, &[("preset", "paper")], &view, 1);
    println!("tree by prototypes: {found}");
    assert!(found < 0.75, "{found}");
}

#[test]
fn the_order_of_clicks_is_learned() {
    let pages = ["home", "list", "item", "help", "cart", "buy", "back"];
    let mut random = Generator::new(2, &[1]);
    let (mut values, mut classes) = (Vec::new(), Vec::new());
    for _ in 0..400 {
        let clicks: Vec<usize> = (0..3 + random.below(6)).map(|_| random.below(7)).collect();
        let help = clicks.iter().position(|&page| page == 3);
        let cart = clicks.iter().rposition(|&page| page == 4);
        let left = help.zip(cart).is_some_and(|(help, cart)| help < cart);
        let noise = random.below(10) == 0;
        values.push(Value::List(
            clicks.into_iter().map(|page| symbol(pages[page])).collect(),
        ));
        classes.push(Some(["stays", "leaves"][usize::from(left != noise)]));
    }
    let view = single(
        "clicks",
        &Type::List(Box::new(Type::Nominal)),
        &values,
        classes,
    );
    for entry in [&TREE, &FOREST, &MIRT] {
        let found = ten_folds(entry, &[], &view, 1);
        println!("clicks {}: {found}", entry.name);
        assert!(found >= 0.86, "{}: {found}", entry.name);
    }
    let text = fitted(&TREE, &[], &view, 1).show();
    assert!(
        text.contains("clicks contains help before cart\n"),
        "{text}"
    );
}

#[test]
fn parts_of_strings_and_words_of_texts_are_learned() {
    let mut random = Generator::new(3, &[1]);
    let (mut codes, mut texts, mut classes) = (Vec::new(), Vec::new(), Vec::new());
    let words = [
        "fast", "slow", "nice", "late", "parcel", "price", "and", "the", "good", "bad",
    ];
    for _ in 0..300 {
        let class = random.below(2);
        let noise = random.below(10) == 0;
        let marked = (class == 1) != noise;
        let letter = |random: &mut Generator| ["a", "b", "c", "d"][random.below(4)];
        let mut code: String = (0..4 + random.below(4))
            .map(|_| letter(&mut random))
            .collect();
        if marked {
            code.insert_str(random.below(4), "zx");
        }
        let mut text: Vec<&str> = (0..3 + random.below(5))
            .map(|_| words[random.below(10)])
            .collect();
        if marked {
            text.push("Refund");
        }
        codes.push(Value::Text(code));
        texts.push(Value::Text(text.join(" ")));
        classes.push(Some(["no", "yes"][class]));
    }
    for (values, test) in [
        (codes, "contains \"x\"\n"),
        (texts, "has the word refund\n"),
    ] {
        let view = single("text", &Type::String, &values, classes.clone());
        for entry in [&TREE, &FOREST, &MIRT] {
            let found = ten_folds(entry, &[("structured", "members")], &view, 1);
            println!("text {}: {found}", entry.name);
            assert!(found >= 0.86, "{}: {found}", entry.name);
        }
        let text = fitted(&TREE, &[("structured", "members")], &view, 1).show();
        assert!(text.contains(test), "{text}");
    }
}

/// Entropy times weight.
fn entropy(counts: [f64; 2]) -> f64 {
    let total = counts[0] + counts[1];
    let part = |count: f64| match count > 0.0 {
        true => -count * (count / total).log2(),
        false => 0.0,
    };
    counts.map(part).iter().sum()
}

#[test]
fn the_best_test_is_that_of_all_labels_one_by_one() {
    for seed in 0..60 {
        let mut random = Generator::new(seed, &[7]);
        let rows = 8 + random.below(30);
        let (mut values, mut classes) = (Vec::new(), Vec::new());
        for _ in 0..rows {
            let set = (0..random.below(5)).map(|_| symbol(format!("l{}", random.below(8))));
            values.push(Value::set(set.collect()));
            classes.push(random.below(2));
        }
        let names = classes.iter().map(|&class| Some(["no", "yes"][class]));
        let view = single(
            "set",
            &Type::Set(Box::new(Type::Nominal)),
            &values,
            names.collect(),
        );
        let given = [
            ("structured", "members"),
            ("depth", "1"),
            ("pruning", "none"),
            ("leaf", "2"),
        ];
        let model = fitted(&TREE, &given, &view, 1);
        let after = |inside: &dyn Fn(usize) -> bool| -> Option<f64> {
            let mut sides = [[0.0; 2]; 2];
            for row in 0..rows {
                sides[usize::from(!inside(row))][classes[row]] += 1.0;
            }
            let heavy = sides.iter().all(|side| side[0] + side[1] >= 2.0);
            heavy.then(|| sides.map(entropy).iter().sum())
        };
        let size = |row: usize| match &values[row] {
            Value::Set(members) => members.len(),
            _ => 0,
        };
        let labels: Vec<Item> = (0..8)
            .map(|label| Item::Label(format!("l{label}")))
            .collect();
        let single = |item: &Item| after(&|row| item.is_in(&values[row]));
        let tried: Vec<&Item> = labels
            .iter()
            .filter(|item| single(item).is_some())
            .collect();
        let mut sizes: Vec<usize> = (0..rows).map(size).collect();
        sizes.sort_unstable();
        sizes.dedup();
        let tests = tried.len() + sizes.len() - 1;
        let whole = after(&|_| true).unwrap_or_else(|| {
            let yes = classes.iter().sum::<usize>() as f64;
            entropy([rows as f64 - yes, yes])
        });
        let chance = gain_of(whole, rows as f64, tests);
        // The best label, joined by others while each gains more than chance.
        let mut best: Option<(f64, Vec<&Item>)> = None;
        loop {
            let taken = best.as_ref().map_or(Vec::new(), |best| best.1.clone());
            let with = tried
                .iter()
                .filter(|item| !taken.contains(item))
                .filter_map(|item| {
                    let mut items = taken.clone();
                    items.push(item);
                    let inside = |row: usize| items.iter().any(|item| item.is_in(&values[row]));
                    Some((after(&inside)?, items.clone()))
                });
            let next = with.min_by(|a, b| a.0.total_cmp(&b.0));
            let bound = best.as_ref().map_or(f64::INFINITY, |best| best.0 - chance);
            match next.filter(|next| next.0 < bound - 1e-9) {
                Some(next) => best = Some(next),
                None => break,
            }
        }
        let by_label = best.map(|(after, items)| after + chance * items.len() as f64);
        let by_size = sizes[1..]
            .iter()
            .filter_map(|&least| after(&|row| size(row) >= least));
        let by_size = by_size.map(|after| after + chance).min_by(f64::total_cmp);
        let expected = by_label.into_iter().chain(by_size).fold(whole, f64::min);
        let drawing = model.drawing().unwrap();
        let gained = drawing.trees[0].nodes.len() > 1;
        assert_eq!(
            gained,
            expected < whole - 1e-6,
            "seed {seed}: {}",
            model.show()
        );
        if !gained {
            continue;
        }
        // The test that was found is as good as the best.
        let json = model.to_json();
        let test = &json["trees"][0]["root"]["test"];
        let found = match (&test["contains"], &test["size_at_least"]) {
            (serde_json::Value::Array(labels), _) => {
                let items: Vec<Item> = labels
                    .iter()
                    .map(|label| Item::Label(label.as_str().unwrap().to_owned()))
                    .collect();
                let inside = |row: usize| items.iter().any(|item| item.is_in(&values[row]));
                after(&inside).unwrap() + chance * items.len() as f64
            }
            (_, least) => {
                let least = least.as_u64().unwrap() as usize;
                after(&|row| size(row) >= least).unwrap() + chance
            }
        };
        assert!(
            (found - expected).abs() < 1e-6,
            "seed {seed}: {found} {expected} {test}"
        );
    }
}

#[test]
fn shown_tests_are_read_back_and_stored() {
    let mut random = Generator::new(5, &[1]);
    let (mut values, mut classes) = (Vec::new(), Vec::new());
    for row in 0..300 {
        let set: Vec<usize> = (0..random.below(5)).map(|_| random.below(9)).collect();
        let class = set.iter().any(|&own| own < 2) != (random.below(20) == 0);
        values.push(match row % 30 {
            29 => Value::Missing,
            _ => Value::set(set.iter().map(|own| symbol(format!("l, {own}"))).collect()),
        });
        classes.push(Some(["no", "yes"][usize::from(class)]));
    }
    let view = single(
        "the set",
        &Type::Set(Box::new(Type::Nominal)),
        &values,
        classes,
    );
    let folder = tempfile::tempdir().unwrap();
    for entry in [&TREE, &DBDT] {
        let given = [
            ("structured", "members"),
            ("pruning", "auto"),
            ("depth", "2"),
        ];
        let model = fitted(entry, &given, &view, 1);
        let text = model.show();
        let any = "the set contains any of {\"l, 0\", \"l, 1\"}";
        assert!(text.contains(any), "{text}");
        let lines = text
            .lines()
            .skip_while(|line| !line.contains("the set contains"));
        let shown = lines.collect::<Vec<_>>().join("\n");
        for (name, shown) in [
            ("tree.txt", shown),
            ("tree.json", model.to_json().to_string()),
        ] {
            let file = folder.path().join(name);
            std::fs::write(&file, shown).unwrap();
            let like = format!("like(\"{}\")", file.display());
            let given = [&given[..], &[("constraints", like.as_str())]].concat();
            let again = fitted(entry, &given, &view, 1);
            let test = |model: &dyn Model| model.to_json()["trees"][0]["root"]["test"].clone();
            assert_eq!(test(&*again), test(&*model), "{name}");
        }
        let stored = Stored::from_bytes(bytes(&*model)).unwrap();
        let again = (entry.load)(&stored).unwrap();
        assert_eq!(again.show(), text);
        let has = (0..300)
            .find(|&row| values[row].to_string().contains("l, 0"))
            .unwrap();
        let explained = again.explain(&view, has, 3).unwrap().unwrap();
        let kinwood_learning::explanation::Reasons::Path(path) = &explained.targets[0].reasons
        else {
            panic!("a tree explains by its path");
        };
        assert!(
            path[0].value.contains("which has \"l, 0\""),
            "{}",
            path[0].value
        );
        assert_eq!(path[0].holds, Some(true));
    }
    // A missing set goes the way of missing values; an empty one has nothing.
    check_learner_with(&TREE, &[("structured", "members")], &view, &[1]);
    check_learner_with(&FOREST, &[("trees", "5")], &view, &[1]);
    check_learner_with(&MIRT, &[("structured", "members")], &view, &[1]);
    check_learner_with(&DBDT, &[], &view, &[1]);
}

/// Objects, each with rows behind a key that hold a column.
fn linked(classes: Vec<Option<&str>>, owners: Vec<f64>, name: &str, column: Column) -> View {
    let ids = (0..classes.len()).map(|id| id as f64).collect();
    let attributes = vec![
        Attribute::new("id", Column::numeric(ids)).with_role(Role::Id),
        Attribute::new("class", Column::nominal(classes)),
    ];
    let mut objects = Table::new("object", attributes).unwrap();
    objects.set_key(Some(vec![0]));
    let attributes = vec![
        Attribute::new("of", Column::numeric(owners)).with_role(Role::Id),
        Attribute::new(name, column),
    ];
    let rows = Table::new("part", attributes).unwrap();
    let key = ForeignKey {
        name: "part_of".to_owned(),
        from: 1,
        from_columns: vec![0],
        to: 0,
        to_columns: vec![0],
        describes: None,
    };
    let database = Database::new(vec![objects, rows], vec![key]).unwrap().0;
    View::new(Arc::new(database), 0)
}

#[test]
fn sets_of_linked_rows_are_looked_into() {
    let mut random = Generator::new(6, &[1]);
    let (mut classes, mut owners, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for object in 0..200 {
        let mut marked = false;
        for _ in 0..1 + random.below(3) {
            let set: Vec<usize> = (0..random.below(5)).map(|_| random.below(12)).collect();
            marked |= set.contains(&3);
            owners.push(f64::from(object));
            values.push(Value::set(
                set.iter().map(|own| symbol(format!("l{own}"))).collect(),
            ));
        }
        let noise = random.below(10) == 0;
        classes.push(Some(["no", "yes"][usize::from(marked != noise)]));
    }
    let column = Column::from_values(&Type::Set(Box::new(Type::Nominal)), &values).unwrap();
    let view = linked(classes, owners, "tags", column);
    for entry in [&TREE, &FOREST, &MIRT] {
        let found = ten_folds(entry, &[], &view, 1);
        println!("linked {}: {found}", entry.name);
        assert!(found >= 0.84, "{}: {found}", entry.name);
    }
    let text = fitted(&MIRT, &[], &view, 1).show();
    assert!(text.contains("tags contains l3\n"), "{text}");
    check_learner_with(&MIRT, &[], &view, &[1]);
}

#[test]
fn a_hundred_thousand_labels_are_no_trouble() {
    let mut random = Generator::new(8, &[1]);
    let (mut values, mut classes) = (Vec::new(), Vec::new());
    for _ in 0..2000 {
        let mut set: Vec<usize> = (0..60).map(|_| random.below(100_000)).collect();
        let marked = random.below(3) == 0;
        set.extend(marked.then_some(100_000));
        let noise = random.below(10) == 0;
        values.push(Value::set(
            set.iter().map(|own| symbol(format!("l{own}"))).collect(),
        ));
        classes.push(Some(["no", "yes"][usize::from(marked != noise)]));
    }
    let view = single("set", &Type::Set(Box::new(Type::Nominal)), &values, classes);
    let text = fitted(&TREE, &[("structured", "members")], &view, 1).show();
    assert!(text.contains("set contains l100000\n"), "{text}");
}

#[test]
fn names_that_say_nothing_are_not_learned() {
    let mut random = Generator::new(9, &[1]);
    let (mut classes, mut owners, mut names, mut own) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for object in 0..200 {
        classes.push(Some(["no", "yes"][usize::from(random.below(100) < 27)]));
        own.push(format!("title {}", random.below(7000)));
        for _ in 0..40 {
            owners.push(f64::from(object));
            names.push(format!("name {}", random.below(7000)));
        }
    }
    let majority = classes.iter().filter(|class| **class == Some("no")).count() as f64 / 200.0;
    let column = Column::nominal(names.iter().map(|name| Some(name.as_str())));
    let view = linked(classes.clone(), owners, "actor", column);
    for (entry, given) in [
        (&TREE, &[][..]),
        (&FOREST, &[("trees", "30")]),
        (&MIRT, &[]),
        (&DBDT, &[("pruning", "auto")]),
    ] {
        let found = ten_folds(entry, given, &view, 1);
        println!("names {}: {found}, majority {majority}", entry.name);
        assert!(
            found >= majority - 0.05,
            "{}: {found} {majority}",
            entry.name
        );
    }
    let table = vec![
        Attribute::new(
            "title",
            Column::nominal(own.iter().map(|name| Some(name.as_str()))),
        ),
        Attribute::new("class", Column::nominal(classes)),
    ];
    let database = Database::single(Table::new("movie", table).unwrap()).unwrap();
    let view = View::new(Arc::new(database), 0);
    for entry in [&TREE, &FOREST, &MIRT, &DBDT] {
        let found = ten_folds(entry, &[], &view, 1);
        println!("titles {}: {found}, majority {majority}", entry.name);
        assert!(
            found >= majority - 0.05,
            "{}: {found} {majority}",
            entry.name
        );
    }
}
