//! Examples of documents that need data of their own, the contract of JSON, and links.

use serde_json::Value;

use crate::documents::documents;
use crate::json::broken;
use crate::sandbox::Sandbox;

pub fn document(name: &str) -> String {
    format!("{}/../../{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Customers of a store who come more or less often, for a while, and leave for a month or more.
fn write_store(sandbox: &Sandbox) {
    std::fs::create_dir(sandbox.path("store")).unwrap();
    let mut customers = "id,city\n".to_owned();
    let mut orders = "id,customer,date,amount\n".to_owned();
    let mut churn = Vec::new();
    let mut state = 11_u64;
    let mut draw = |below: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut order = 0;
    for customer in 0..40 {
        let city = ["Graz", "Linz", "Wien"][draw(3) as usize];
        customers += &format!("c{customer},{city}\n");
        let mut mood = draw(4) as i64;
        for month in 1..=9 {
            mood = (mood + draw(3) as i64 - 1).clamp(0, 3);
            if month > 2 {
                let left = if mood == 0 { "yes" } else { "no" };
                churn.push(format!("c{customer},2024-{month:02}-01,{left}\n"));
            }
            for visit in 0..mood {
                order += 1;
                let (day, amount) = (2 + 9 * visit + draw(6) as i64, 5 + draw(40));
                orders += &format!("o{order},c{customer},2024-{month:02}-{day:02},{amount}.5\n");
            }
        }
    }
    churn.sort_by_key(|line| line.split(',').nth(1).map(str::to_owned));
    sandbox.write("store/customers.csv", customers);
    sandbox.write("store/orders.csv", orders);
    sandbox.write(
        "store/churn.csv",
        format!("customer,date,left\n{}", churn.concat()),
    );
}

#[test]
fn the_examples_about_time_run() {
    let page = std::fs::read_to_string(document("docs/time.md")).unwrap();
    let sandbox = Sandbox::new();
    write_store(&sandbox);
    let (_, example) = page.split_once("\n## A worked example\n").unwrap();
    let (example, _) = example.split_once("\n## ").unwrap();
    let commands: Vec<&str> = example
        .lines()
        .filter_map(|line| line.strip_prefix("kinwood "))
        .collect();
    assert_eq!(commands.len(), 5);
    let said: Vec<String> = commands
        .iter()
        .map(|words| sandbox.out(&words.replace('"', "'")))
        .collect();
    // What is known of the future, of the past, and of earlier answers makes a difference each.
    assert!(said[0] != said[1] && said[0] != said[2], "{said:#?}");
    // Forty customers, asked about September.
    assert_eq!(said[4].lines().count(), 41);
}

#[test]
fn links_of_the_pages_lead_somewhere() {
    for page in documents() {
        let text = std::fs::read_to_string(document(&page)).unwrap();
        let links = text.split("](").skip(1);
        for link in links.filter_map(|rest| rest.split(')').next()) {
            let path = link.split('#').next().unwrap_or(link);
            if path.is_empty() || path.contains("://") || path.contains(' ') || path.contains('`') {
                continue;
            }
            let place = std::path::Path::new(&page).parent().unwrap().join(path);
            let found = document(&place.display().to_string());
            assert!(std::path::Path::new(&found).exists(), "{page}: {link}");
        }
    }
}

#[test]
fn the_examples_of_the_contract_keep_it() {
    let page = std::fs::read_to_string(document("docs/json.md")).unwrap();
    for verb in ["evaluate", "fit", "predict", "reproduce"] {
        let (_, section) = page.split_once(&format!("\n## {verb}\n")).unwrap();
        let (_, example) = section.split_once("```json\n").unwrap();
        let (example, _) = example.split_once("```").unwrap();
        let example: Value = serde_json::from_str(example).unwrap();
        assert_eq!(broken(verb, &example), None, "{verb}");
        if verb == "evaluate" {
            let out = Sandbox::with_weather()
                .out("evaluate oner weather.csv --target play --folds 2 --json");
            assert_eq!(example, serde_json::from_str::<Value>(&out).unwrap());
        }
    }
}
