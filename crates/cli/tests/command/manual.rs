//! The examples of the documents are what the program prints. `KINWOOD_UPDATE_GOLDEN=1` rewrites
//! `README.md` and `docs/command.md`.

use serde_json::Value;

use crate::held_out::{parted, write_shop};
use crate::json::broken;
use crate::sandbox::{Sandbox, WEATHER};

fn document(name: &str) -> String {
    format!("{}/../../{name}", env!("CARGO_MANIFEST_DIR"))
}

/// The time taken, which is never the same, is shown as none.
fn timeless(out: &str) -> String {
    let line = |line: &str| match line.rsplit_once(" in ") {
        Some((said, time)) if time.ends_with(" s") => format!("{said} in 0.00 s\n"),
        _ => format!("{line}\n"),
    };
    out.lines().map(line).collect()
}

/// The page with each `$ kinwood …` of a console block followed by what it prints now.
fn performed(page: &str) -> String {
    let sandbox = Sandbox::new();
    sandbox.write("weather.csv", WEATHER);
    sandbox.write(
        "days.csv",
        "outlook,temperature,windy\nsunny,71,true\novercast,66,false\n",
    );
    sandbox.write("parted.csv", parted());
    write_shop(&sandbox);
    let (mut text, mut console) = (String::new(), false);
    for line in page.lines() {
        match line {
            "```console" => console = true,
            "```" => console = false,
            _ => {}
        }
        match (console, line.strip_prefix("$ kinwood ")) {
            (true, Some(words)) => {
                let output = sandbox.out(&words.replace('"', "'"));
                text += &format!("{line}\n{}", timeless(&output));
            }
            (true, None) if line != "```console" => {}
            _ => text += &format!("{line}\n"),
        }
    }
    text
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
fn the_examples_are_real() {
    for name in ["README.md", "docs/command.md"] {
        let path = document(name);
        let page = std::fs::read_to_string(&path).unwrap();
        let now = performed(&page);
        if std::env::var_os("KINWOOD_UPDATE_GOLDEN").is_some() {
            std::fs::write(path, now).unwrap();
        } else {
            assert_eq!(page, now, "`cargo xtask golden` rewrites {name}");
        }
    }
}

/// The commands of the `sh` blocks of a page, without what is said of them.
fn commands(page: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut shell = false;
    for line in page.lines() {
        match line {
            "```sh" => shell = true,
            "```" => shell = false,
            _ => {}
        }
        let words = line.strip_prefix("kinwood ").filter(|_| shell);
        if let Some(words) = words {
            let words = words.split(" # ").next().unwrap_or(words);
            // What follows a pipe or another command is not ours.
            let words = words.split(" | ").next().unwrap_or(words);
            all.push(words.trim().to_owned());
        }
    }
    all
}

#[test]
fn the_commands_of_the_pages_run() {
    for name in PAGES {
        let page = std::fs::read_to_string(document(name)).unwrap();
        let sandbox = Sandbox::with_weather();
        let all = commands(&page);
        assert!(!all.is_empty(), "{name} has no command");
        for words in all {
            let ended = sandbox.run(&words);
            assert_eq!(ended.code, 0, "{name}: kinwood {words}\n{}", ended.err);
        }
    }
}

#[test]
fn links_of_the_pages_lead_somewhere() {
    let folder = std::fs::read_dir(document("docs")).unwrap();
    let names = folder.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let pages = names.filter(|name| name.ends_with(".md"));
    let pages = pages.map(|name| format!("docs/{name}"));
    for page in pages.chain(["README.md".to_owned()]) {
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

/// Pages whose `sh` blocks are run, each in a folder of its own with `weather.csv`.
const PAGES: [&str; 4] = [
    "README.md",
    "docs/start.md",
    "docs/cookbook.md",
    "docs/cheat-sheet.md",
];

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
