//! Everyday tables, as a new user brings them: baskets in cells, dates and money as people write
//! them, and new rows in other forms.

use std::fmt::Write as _;

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
    for learner in ["tree", "forest", "knn", "svm", "dbdt"] {
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
    for learner in ["tree", "forest", "knn", "svm", "dbdt"] {
        let by_csv = fine(&sandbox, &format!("predict {learner}.kin new.csv"));
        let by_json = fine(&sandbox, &format!("predict {learner}.kin new.jsonl"));
        assert_eq!(by_csv, by_json, "{learner}");
        assert_eq!(by_csv.lines().count(), 4, "{by_csv}");
    }
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
