//! Everyday tables, as a new user brings them: baskets in cells, dates and money as people write
//! them, and new rows in other forms.

use std::fmt::Write as _;

use rusqlite::Connection;

use crate::sandbox::Sandbox;

const PRODUCTS: [&str; 12] = [
    "beer", "eggs", "tofu", "milk", "bread", "rice", "beans", "ham", "fish", "cheese", "wine",
    "salt",
];

/// Customers with a basket of one to five products: who buys tofu is vegetarian, four in five
/// times. The numbers are those of a small generator, so that the file is always the same.
fn customers(rows: usize) -> Vec<(Vec<&'static str>, &'static str)> {
    let mut state = 12_345_u64;
    let mut draw = move |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut customers = Vec::new();
    for _ in 0..rows {
        let mut basket: Vec<&str> = Vec::new();
        for _ in 0..1 + draw(5) {
            let product = PRODUCTS[draw(PRODUCTS.len())];
            if !basket.contains(&product) {
                basket.push(product);
            }
        }
        if draw(3) == 0 && !basket.contains(&"tofu") {
            basket.push("tofu");
        }
        let lawful = basket.contains(&"tofu") == (draw(5) > 0);
        customers.push((basket, if lawful { "yes" } else { "no" }));
    }
    customers
}

fn quoted(basket: &[&str]) -> String {
    let members: Vec<String> = basket.iter().map(|of| format!("\"\"{of}\"\"")).collect();
    format!("\"[{}]\"", members.join(", "))
}

/// What a command prints that ends well; notes are not looked at.
fn fine(sandbox: &Sandbox, words: &str) -> String {
    let ended = sandbox.run(words);
    assert_eq!(ended.code, 0, "kinwood {words}\n{}", ended.err);
    ended.out
}

fn with_baskets() -> Sandbox {
    let sandbox = Sandbox::new();
    let mut text = "customer,basket,vegetarian\n".to_owned();
    for (number, (basket, class)) in customers(400).into_iter().enumerate() {
        writeln!(text, "C{number:04},{},{class}", quoted(&basket)).unwrap();
    }
    sandbox.write("customers.csv", text);
    sandbox
}

#[test]
fn baskets_are_sets_and_are_predicted_from_any_form_without_an_option() {
    let sandbox = with_baskets();
    let described = fine(&sandbox, "describe customers.csv --target vegetarian");
    assert!(described.contains("set<nominal>"), "{described}");
    let learners = ["tree", "forest", "mirt", "knn", "svm", "dbdt"];
    for learner in learners {
        fine(
            &sandbox,
            &format!("fit {learner} customers.csv --target vegetarian -o {learner}.kin"),
        );
    }
    sandbox.write(
        "new.csv",
        "basket\n\"[\"\"tofu\"\", \"\"rice\"\"]\"\nham|beer\ntofu\n",
    );
    sandbox.write(
        "new.jsonl",
        "{\"basket\": [\"tofu\", \"rice\"]}\n{\"basket\": [\"ham\", \"beer\"]}\n{\"basket\": [\"tofu\"]}\n",
    );
    let database = Connection::open(sandbox.path("new.sqlite")).unwrap();
    database
        .execute_batch(
            r#"create table people (basket text);
            insert into people values ('["tofu", "rice"]'), ('ham|beer'), ('tofu');"#,
        )
        .unwrap();
    database.close().unwrap();
    for learner in learners {
        let by_csv = fine(&sandbox, &format!("predict {learner}.kin new.csv"));
        for other in ["new.jsonl", "new.sqlite"] {
            let told = sandbox.run(&format!("predict {learner}.kin {other}"));
            assert_eq!(
                (told.code, told.out),
                (0, by_csv.clone()),
                "{learner} {other}"
            );
            assert_eq!(told.err, "", "{learner} {other}");
        }
        assert_eq!(by_csv.lines().count(), 4, "{by_csv}");
    }
}

/// The mean accuracy over the folds of an evaluation.
fn accuracy(sandbox: &Sandbox, words: &str) -> f64 {
    let printed = fine(sandbox, &format!("evaluate {words} --json"));
    let report: serde_json::Value = serde_json::from_str(&printed).unwrap();
    let mean = report["mean"]["accuracy"].as_f64();
    mean.unwrap_or_else(|| panic!("no accuracy: {printed}"))
}

#[test]
fn baskets_are_learned_at_the_first_try_by_ten_folds() {
    let sandbox = with_baskets();
    for (learner, least) in [
        ("tree", 0.78),
        ("forest", 0.78),
        ("mirt", 0.78),
        ("svm", 0.78),
        ("knn", 0.72),
        ("dbdt", 0.75),
    ] {
        let found = accuracy(
            &sandbox,
            &format!("{learner} customers.csv --target vegetarian"),
        );
        assert!(found >= least, "{learner}: {found}");
    }
}

#[test]
fn names_that_say_nothing_never_do_worse_than_the_majority() {
    let sandbox = Sandbox::new();
    let mut state = 7_u64;
    let mut draw = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut text = "lead,cast,rating,takings\n".to_owned();
    let mut yes = 0;
    for _ in 0..200 {
        let good = draw(100) < 73;
        yes += usize::from(good);
        let cast: Vec<String> = (0..35).map(|_| format!("name {}", draw(7000))).collect();
        let rating = if good { "good" } else { "bad" };
        let takings = (0..6).map(|_| draw(100)).sum::<usize>();
        let lead = draw(7000);
        writeln!(text, "name {lead},{},{rating},{takings}", cast.join("|")).unwrap();
    }
    sandbox.write("films.csv", text);
    let majority = yes.max(200 - yes) as f64 / 200.0;
    for learner in [
        "tree",
        "forest",
        "mirt",
        "dbdt",
        "knn",
        "svm",
        "kstar",
        "centres",
        "citation_knn",
        "boost",
        "oner",
    ] {
        // A rule of one column knows no lists: it is given the names of the leads.
        let roles = if learner == "oner" {
            " --role lead=input"
        } else {
            ""
        };
        let words = format!("{learner} films.csv --target rating --ignore takings{roles}");
        let found = accuracy(&sandbox, &words);
        // Less than one and a half standard errors of a share of 200.
        assert!(found >= majority - 0.045, "{learner}: {found} {majority}");
    }
    // The same of numbers, whose mean is all there is to know.
    for learner in [
        "tree", "forest", "mirt", "dbdt", "knn", "svr", "kstar", "boost", "ridge", "m5",
    ] {
        // Model trees read no lists: they are given the names of the leads.
        let roles = match learner {
            "m5" => "--ignore rating,cast --role lead=input",
            _ => "--ignore rating",
        };
        let words = format!("evaluate {learner} films.csv --target takings {roles} --json");
        let report: serde_json::Value = serde_json::from_str(&fine(&sandbox, &words)).unwrap();
        let relative = report["mean"]["relative_rmse"].as_f64().unwrap();
        assert!(relative <= 1.06, "{learner}: {relative}");
    }
}

#[test]
fn tables_and_rows_that_a_model_has_no_use_for_are_not_asked_for() {
    let sandbox = Sandbox::new();
    let database = Connection::open(sandbox.path("shop.sqlite")).unwrap();
    let mut script = "create table customer (id integer primary key, age real, gold text);
        create table purchase (customer integer references customer(id), amount real);
        create table visit (customer integer references customer(id), minutes real);"
        .to_owned();
    for id in 0..60 {
        let gold = if id % 3 == 0 { "yes" } else { "no" };
        let age = 20 + id % 40;
        writeln!(
            script,
            "insert into customer values ({id}, {age}, '{gold}');"
        )
        .unwrap();
        for place in 0..3 {
            let amount = if id % 3 == 0 { 90 + place } else { 10 + place };
            let minutes = id * 7 % 11 + place;
            writeln!(
                script,
                "insert into purchase values ({id}, {amount}); insert into visit values ({id}, {minutes});"
            )
            .unwrap();
        }
    }
    database.execute_batch(&script).unwrap();
    database.close().unwrap();
    for learner in ["tree", "forest", "mirt"] {
        let fit = format!(
            "fit {learner} shop.sqlite --target customer.gold --rows 'age < 55' -o {learner}.kin"
        );
        fine(&sandbox, &fit);
    }
    // No visits, no age, no target; one customer has no purchases.
    let database = Connection::open(sandbox.path("new.sqlite")).unwrap();
    database
        .execute_batch(
            "create table customer (id integer primary key);
            create table purchase (customer integer, amount real);
            insert into customer values (1), (2), (3);
            insert into purchase values (1, 92), (2, 11), (2, 9);",
        )
        .unwrap();
    database.close().unwrap();
    for learner in ["tree", "mirt"] {
        let told = sandbox.run(&format!("predict {learner}.kin new.sqlite"));
        assert_eq!(told.code, 0, "{learner}: {}", told.err);
        let said: Vec<&str> = told
            .out
            .lines()
            .skip(1)
            .filter_map(|line| line.split(',').nth(1))
            .collect();
        assert_eq!(said[..2], ["yes", "no"], "{learner}: {}", told.out);
        assert!(
            told.err.contains("no column `age`, and all rows are taken"),
            "{}",
            told.err
        );
    }
    // Rows are chosen as they were for learning, unless others are.
    let told = sandbox.run("predict tree.kin shop.sqlite");
    assert_eq!(told.out.lines().count(), 1 + 55, "{}", told.out);
    assert!(
        told.err.contains("only rows with `age < 55`"),
        "{}",
        told.err
    );
    let told = fine(&sandbox, "predict tree.kin shop.sqlite --rows 'age >= 55'");
    assert_eq!(told.lines().count(), 1 + 5, "{told}");
    // Without the column of the key nothing leads to purchases.
    let database = Connection::open(sandbox.path("bare.sqlite")).unwrap();
    database
        .execute_batch(
            "create table customer (id integer primary key); insert into customer values (1);
            create table purchase (amount real); insert into purchase values (1.0);",
        )
        .unwrap();
    database.close().unwrap();
    let lacking = sandbox.err("predict tree.kin bare.sqlite");
    assert!(lacking.contains("`customer`"), "{lacking}");
}

#[test]
fn clicks_percentages_and_dates_in_four_notations_are_learned_and_predicted() {
    let sandbox = Sandbox::new();
    let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let pages = ["home", "search", "item", "cart", "help"];
    let date = |notation: usize, year: usize, month: usize, day: usize| match notation {
        0 => format!("{year}-{month:02}-{day:02}"),
        1 => format!("{day:02}/{month:02}/{year}"),
        2 => format!("{month:02}/{day:02}/{year}"),
        _ => format!("{} {day} {year}", months[month - 1]),
    };
    for notation in 0..4 {
        let mut text = "day,clicks,share,price,bought\n".to_owned();
        for row in 0..200 {
            let (year, month, day) = (2020 + row % 4, 1 + row * 5 % 12, 1 + row * 3 % 28);
            let clicks: Vec<&str> = (0..2 + row % 3)
                .map(|at| pages[(row * 3 + at * row) % 5])
                .collect();
            let bought = if (6..=8).contains(&month) {
                "yes"
            } else {
                "no"
            };
            writeln!(
                text,
                "\"{}\",\"['{}']\",{}.5%,\"€{},{:03}.00\",{bought}",
                date(notation, year, month, day),
                clicks.join("', '"),
                row % 90,
                1 + row % 3,
                row * 7 % 1000
            )
            .unwrap();
        }
        sandbox.write("visits.csv", text);
        let described = fine(&sandbox, "describe visits.csv --target bought");
        for of in ["datetime", "list<nominal>", "numeric"] {
            assert!(described.contains(of), "{notation}: {described}");
        }
        for learner in ["tree", "forest", "mirt"] {
            let found = accuracy(&sandbox, &format!("{learner} visits.csv --target bought"));
            assert!(found >= 0.95, "{learner} {notation}: {found}");
        }
        fine(
            &sandbox,
            "fit tree visits.csv --target bought -o visits.kin --force",
        );
        let shown = fine(&sandbox, "show visits.kin");
        assert!(
            shown.contains("day is in any of {Jun, Jul, Aug}"),
            "{shown}"
        );
        sandbox.write(
            "new.csv",
            format!(
                "day\n\"{}\"\n\"{}\"\n",
                date(notation, 2031, 7, 5),
                date(notation, 2031, 2, 5)
            ),
        );
        let predicted = fine(&sandbox, "predict visits.kin new.csv");
        let said: Vec<&str> = predicted
            .lines()
            .skip(1)
            .filter_map(|line| line.split(',').nth(1))
            .collect();
        assert_eq!(said, ["yes", "no"], "{notation}: {predicted}");
    }
}

#[test]
fn decimal_commas_stay_decimal_commas_in_new_rows() {
    let sandbox = Sandbox::new();
    let mut text = "preis;teuer\n".to_owned();
    for row in 0..60 {
        let (price, dear) = match row % 2 {
            0 => (format!("{},5", row % 7 + 1), "nein"),
            _ => (format!("1.{:03},5", row * 7 % 1000), "ja"),
        };
        writeln!(text, "{price};{dear}").unwrap();
    }
    sandbox.write("preise.csv", text);
    fine(&sandbox, "fit tree preise.csv --target teuer -o preise.kin");
    // Alone, `1.234` would be a number below two.
    sandbox.write("neu.csv", "preis\n1.234\n2.5\n3\n");
    let predicted = fine(&sandbox, "predict preise.kin neu.csv");
    let said: Vec<&str> = predicted
        .lines()
        .skip(1)
        .filter_map(|line| line.split(',').nth(1))
        .collect();
    assert_eq!(said, ["ja", "nein", "nein"], "{predicted}");
}

#[test]
fn arrays_of_labels_are_sets_where_lists_in_cells_are() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "sets.jsonl",
        "{\"tags\": [\"a\", \"b\"], \"way\": [\"x\", \"y\", \"x\"]}\n{\"tags\": [\"b\"], \"way\": [\"y\"]}\n",
    );
    let described = fine(&sandbox, "describe sets.jsonl");
    assert!(described.contains("set<nominal>"), "{described}");
    assert!(described.contains("list<nominal>"), "{described}");
    assert!(
        described.contains("arrays, none of which repeats"),
        "{described}"
    );
}

#[test]
fn a_type_can_be_stated_on_every_verb_and_the_advice_works() {
    let sandbox = Sandbox::new();
    let mut text = "x,left\n".to_owned();
    for row in 0..40 {
        writeln!(text, "{},{}", row % 7, row % 2).unwrap();
    }
    sandbox.write("flags.csv", text);
    let told = sandbox.run("fit tree flags.csv --target left -o flags.kin");
    assert_eq!(told.code, 0, "{}", told.err);
    assert!(
        told.err.contains(
            "target `left` has the two values 0 and 1: they are taken as classes (`--type left=numeric` changes that)"
        ),
        "{}",
        told.err
    );
    assert!(fine(&sandbox, "predict flags.kin flags.csv").contains("p(0),p(1)"));
    fine(
        &sandbox,
        "fit tree flags.csv --target left --type left=numeric -o numbers.kin",
    );
    assert!(!fine(&sandbox, "predict numbers.kin flags.csv").contains("p(0)"));
    let refused = sandbox.err("fit tree flags.csv --target left --type lefd=numeric -o no.kin");
    assert!(refused.contains("did you mean `left`?"), "{refused}");
    let refused = sandbox.err("describe flags.csv --type left=numbers");
    assert!(refused.contains("numbers"), "{refused}");
}

#[test]
fn dates_and_money_keep_the_notation_they_were_learned_in() {
    let sandbox = Sandbox::new();
    let mut text = "joined,spent,share,gold\n".to_owned();
    for row in 0..60 {
        let (month, day) = (1 + row % 12, 13 + row % 15);
        let gold = if month > 6 { "yes" } else { "no" };
        writeln!(
            text,
            "{month:02}/{day:02}/2024,\"$1,{:03}.50\",{}%,{gold}",
            row * 7 % 1000,
            row % 40
        )
        .unwrap();
    }
    sandbox.write("members.csv", &text);
    let described = fine(&sandbox, "describe members.csv --target gold");
    for of in ["datetime", "numeric"] {
        assert!(described.contains(of), "{described}");
    }
    fine(&sandbox, "fit tree members.csv --target gold -o gold.kin");
    // Alone, `05/09/2024` would be taken as the fifth of September.
    sandbox.write(
        "one.csv",
        "joined,spent,share\n05/09/2024,$900,3%\n11/02/2024,$5,12.5 %\n",
    );
    let predicted = fine(&sandbox, "predict gold.kin one.csv");
    let classes: Vec<&str> = predicted
        .lines()
        .skip(1)
        .filter_map(|line| line.split(',').nth(1))
        .collect();
    assert_eq!(classes, ["no", "yes"], "{predicted}");
}

#[test]
fn bags_are_made_again_and_columns_that_a_tree_does_not_use_are_not_needed() {
    let sandbox = Sandbox::new();
    let mut text = "molecule,size,charge,active\n".to_owned();
    for molecule in 0..30 {
        for atom in 0..3 {
            let class = if molecule % 2 == 0 { "yes" } else { "no" };
            let charge = molecule % 2 * 10 + atom;
            writeln!(text, "m{molecule},{},{charge},{class}", atom * 3 % 5).unwrap();
        }
    }
    sandbox.write("atoms.csv", text);
    fine(
        &sandbox,
        "fit citation_knn atoms.csv --bag molecule --target active -o bags.kin",
    );
    sandbox.write("new.csv", "molecule,size,charge\nx,1,10\nx,2,12\ny,0,0\n");
    let predicted = fine(&sandbox, "predict bags.kin new.csv");
    assert_eq!(predicted.lines().count(), 3, "{predicted}");

    fine(
        &sandbox,
        "fit tree atoms.csv --target active --ignore molecule -o tree.kin",
    );
    sandbox.write("charge.csv", "charge\n10\n0\n");
    let predicted = fine(&sandbox, "predict tree.kin charge.csv");
    assert_eq!(predicted.lines().count(), 3, "{predicted}");
    let refused = sandbox.run("predict tree.kin new.csv");
    assert_eq!(refused.code, 0, "{}", refused.err);
    sandbox.write("size.csv", "size\n1\n");
    let lacking = sandbox.err("predict tree.kin size.csv");
    assert!(lacking.contains("`charge`"), "{lacking}");
}

/// Two new rows, read in the terms of a model: the first date alone could be of September.
fn write_members(sandbox: &Sandbox) {
    let mut text = "joined,spent,share,gold\n".to_owned();
    for row in 0..60 {
        let (month, day) = (1 + row % 12, 13 + row % 15);
        let gold = if month > 6 { "yes" } else { "no" };
        writeln!(
            text,
            "{month:02}/{day:02}/2024,\"$1,{:03}.50\",{}%,{gold}",
            row * 7 % 1000,
            row % 40
        )
        .unwrap();
    }
    sandbox.write("members.csv", text);
    let mut text = "gold,joined,spent,share\n".to_owned();
    for row in 0..12 {
        let (month, day) = (1 + row % 12, 1 + (row + 3) % 12);
        let gold = if month > 6 { "yes" } else { "no" };
        writeln!(
            text,
            "{gold},{month:02}/{day:02}/2024,${},{row}.5 %",
            500 + row
        )
        .unwrap();
    }
    sandbox.write("later.csv", text);
}

#[test]
fn every_verb_reads_new_rows_in_the_terms_of_the_model() {
    let sandbox = Sandbox::new();
    write_members(&sandbox);
    for learner in ["tree", "knn"] {
        fine(
            &sandbox,
            &format!("fit {learner} members.csv --target gold -o {learner}.kin"),
        );
    }
    // The day first, half of the rows would have another month.
    let measured = fine(&sandbox, "evaluate tree.kin later.csv --json");
    let measured: serde_json::Value = serde_json::from_str(&measured).unwrap();
    assert_eq!(measured["test"]["accuracy"], 1.0, "{measured}");
    let important = fine(&sandbox, "importance tree.kin later.csv");
    let joined = important
        .lines()
        .position(|line| line.contains("joined"))
        .unwrap();
    let spent = important
        .lines()
        .position(|line| line.contains("spent"))
        .unwrap();
    assert!(joined < spent, "{important}");
    fine(
        &sandbox,
        "report tree.kin --data later.csv --no-evaluation -o page.html",
    );
    let page = String::from_utf8(sandbox.read("page.html")).unwrap();
    assert!(page.contains("2024-05-08") && !page.contains("2024-08-05"));
    fine(&sandbox, "show tree.kin --html ways.html --data later.csv");
    assert!(!sandbox.read("ways.html").is_empty());
    // What is appended is found again, by the same date in another form.
    sandbox.write(
        "odd.csv",
        "joined,spent,share,gold\n02/03/2031,$77,7%,yes\n",
    );
    sandbox.write("asked.csv", "joined,spent,share\nFeb 3 2031,$77.00,7.0%\n");
    fine(&sandbox, "append knn.kin odd.csv -o more.kin");
    let told = fine(&sandbox, "predict more.kin asked.csv --explain=1");
    assert!(told.contains("2031-02-03"), "{told}");
    // The stated notation of a bag's rows is kept too, and so is the column of the bags.
    let mut text = "box;weight;heavy\n".to_owned();
    for row in 0..40 {
        let heavy = if row / 2 % 2 == 0 { "yes" } else { "no" };
        let weight = 100 * usize::from(heavy == "yes") + row % 7;
        writeln!(text, "b{};{weight},5;{heavy}", row / 2).unwrap();
    }
    sandbox.write("boxes.csv", text);
    fine(
        &sandbox,
        "fit citation_knn boxes.csv --bag box --target heavy -o boxes.kin",
    );
    sandbox.write(
        "other.csv",
        "box;weight;heavy\nx;104;yes\nx;101;yes\ny;3;no\n",
    );
    let predicted = fine(&sandbox, "predict boxes.kin other.csv");
    let said: Vec<&str> = predicted.lines().skip(1).collect();
    assert!(
        said.len() == 2 && said[0].starts_with("x,yes") && said[1].starts_with("y,no"),
        "{predicted}"
    );
    let measured = fine(&sandbox, "evaluate boxes.kin other.csv --json");
    let measured: serde_json::Value = serde_json::from_str(&measured).unwrap();
    assert_eq!(measured["test"]["n"], 2, "{measured}");
}
