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
