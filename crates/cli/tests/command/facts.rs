//! Prolog facts that a schema declares, from the file to the folds.

use serde_json::Value;

use crate::json::broken;
use crate::sandbox::Sandbox;

const SCHEMA: &str = r#"[facts]
example = "stronger(compound, compound)"
describe = ["subst(compound, symbol, symbol)", "weight(compound, number)"]
rules = ["subst(C, x(N), G) :- x(C, N, G)."]
"#;

/// Sixteen compounds, each stronger than those that weigh less.
fn compounds() -> Sandbox {
    let sandbox = Sandbox::new();
    let (mut background, mut positive, mut negative) =
        (String::from("polar(cl,1).\n"), String::new(), String::new());
    for heavy in 0..16 {
        background += &format!(
            "x(c{heavy},{},g{}).\nweight(c{heavy},{heavy}.5).\n",
            heavy % 2,
            heavy % 3
        );
        for light in 0..heavy {
            positive += &format!("stronger(c{heavy},c{light}).\n");
            negative += &format!("stronger(c{light},c{heavy}).\n");
        }
    }
    sandbox.write("t.b", background);
    sandbox.write("t.f", positive);
    sandbox.write("t.n", negative);
    sandbox.write("t.schema.toml", SCHEMA);
    sandbox
}

#[test]
fn describe_tells_what_an_example_is() {
    let sandbox = compounds();
    let text = sandbox.out("describe t.b");
    for told in [
        "stronger   240 rows, 3 columns, Prolog\n",
        "facts\n  - an example is a pair of IDs of `compound`, `stronger(compound, compound)`: 240 examples,\n    labelled true 120, false 120\n",
        "  - `compound`: 16 IDs, described by 16 facts `subst` (a1: `compound`, a2: 2 symbols, a3: 3\n    symbols); 16 facts `weight` (a1: `compound`, a2: number from 0.5 to 15.5)\n",
        "  - the rule `subst(C, x(N), G) :- x(C, N, G).` made 16 new facts of 16\n",
        "is left out: polar/2 (1)",
    ] {
        let plain = text.contains(told) || text.replace("\n    ", " ").contains(told);
        assert!(plain, "{told}\n{text}");
    }
    let json = sandbox.out("describe t.schema.toml --json --quiet");
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(broken("describe", &json), None);
    assert_eq!(json["facts"].as_array().unwrap().len(), 3);
    assert_eq!(json["foreign_keys"][2]["describes"], true);
    let schema = sandbox.run("describe t.b --schema").out;
    assert!(
        schema.contains("[facts]\nexample = \"stronger(compound, compound)\"\n"),
        "{schema}"
    );
}

#[test]
fn facts_are_converted_with_what_describes() {
    let sandbox = compounds();
    sandbox.run("convert t.b folder/");
    let json = sandbox.out("describe folder --json --quiet");
    let json: Value = serde_json::from_str(&json).unwrap();
    let told: Vec<&Value> = json["foreign_keys"]
        .as_array()
        .unwrap()
        .iter()
        .map(|key| &key["describes"])
        .collect();
    assert_eq!(told, [false, false, true, true]);
}

#[test]
fn a_fact_that_does_not_fit_is_pointed_at() {
    let sandbox = compounds();
    sandbox.write("t.b", "x(c0,1,g).\nweight(c0,heavy).\n");
    assert_eq!(
        sandbox.err("describe t.b"),
        "error: t.b:2:1: expected a number as argument 2 of `weight(compound, number)`, found `heavy`\n"
    );
}

#[test]
fn compounds_can_be_kept_apart() {
    let sandbox = compounds();
    let ended = sandbox.run("evaluate majority t.b --apart a1,a2 --folds 4");
    assert_eq!(ended.code, 0, "{}", ended.err);
    assert!(
        ended
            .out
            .starts_with("majority on t.b, target stronger.class, 4 folds, seed 1\n"),
        "{}",
        ended.out
    );
    let told = "16 objects are kept apart: 192 of 240 rows have objects in different folds and are tested in none";
    assert!(ended.err.contains(told), "{}", ended.err);
    let report: Value = serde_json::from_str(
        &sandbox
            .run("evaluate majority t.b --apart stronger.a1,a2 --folds 4 --json")
            .out,
    )
    .unwrap();
    assert_eq!(broken("evaluate", &report), None);
    assert!(
        report["folds"]
            .as_array()
            .unwrap()
            .iter()
            .all(|fold| fold["n"] == 12)
    );
    assert!(
        sandbox
            .err("evaluate majority t.b --apart a1,a9")
            .contains("unknown column `a9` in table `stronger`")
    );
    assert!(
        sandbox
            .err("evaluate majority t.b --apart a1 --split 0.5")
            .contains("cannot be used with")
    );
}
