//! Ordered classes, censored times and series through all verbs: fitted, shown, drawn, predicted,
//! evaluated.

use serde_json::Value;

use crate::sandbox::Sandbox;

/// Forty rows whose targets of every kind depend on `x`, and a schema that says what they are.
fn rows() -> Sandbox {
    let sandbox = Sandbox::new();
    let mut table = String::from("x,size,time,died,curve,walk\n");
    for row in 0..40 {
        let x = row % 10;
        let size = ["small", "middle", "large"][(x / 4) as usize];
        let (time, died) = (20 - x + row % 3, if row % 5 == 0 { "no" } else { "yes" });
        let slope = if x > 4 { 1 } else { -1 };
        let curve = format!("[0, {slope}, {}]", 2 * slope);
        let walk = if row % 2 == 0 {
            format!("[0, {slope}]")
        } else {
            curve.clone()
        };
        table += &format!("{x},{size},{time},{died},\"{curve}\",\"{walk}\"\n");
    }
    sandbox.write("rows.csv", &table);
    let schema = r#"
[tables.rows.columns]
size = { values = ["small", "middle", "large"], ordered = true }
died = { role = "event" }
curve = "list<numeric>"
walk = { type = "list<numeric>", distance = "dtw" }
"#;
    sandbox.write("rows.schema.toml", schema);
    sandbox
}

fn json(sandbox: &Sandbox, words: &str) -> Value {
    serde_json::from_str(&sandbox.out(&format!("{words} --json --quiet"))).unwrap()
}

#[test]
fn every_kind_goes_through_every_verb() {
    let sandbox = rows();
    for (target, others, shown, measure, head) in [
        (
            "size",
            "time,curve,walk",
            "ordered",
            "rank_error",
            "row,prediction,p(<=small),p(<=middle),p(<=large)\n1,small,1,1,1\n",
        ),
        (
            "time",
            "size,curve,walk",
            "censored",
            "concordance",
            "row,prediction,p(>",
        ),
        (
            "curve",
            "size,time,walk",
            "series",
            "series_rmse",
            "row,prediction\n1,\"[0,-1,-2]\"\n",
        ),
        (
            "walk",
            "size,time,curve",
            "series",
            "series_dtw",
            "row,prediction\n1,\"[0,-1",
        ),
    ] {
        for learner in ["tree", "forest --set trees=3"] {
            let fit = format!(
                "fit {learner} rows.csv --target {target} --ignore {others} -o m.kin --force"
            );
            sandbox.out(&format!("{fit} --quiet"));
            let model = json(&sandbox, "show m.kin");
            assert_eq!(
                model["model"]["targets"][0]["kind"], shown,
                "{learner} {target}"
            );
            sandbox.out("show m.kin");
            let said = sandbox.out("predict m.kin rows.csv --quiet");
            assert!(said.starts_with(head), "{learner} {target}: {said}");
            let said = json(&sandbox, "predict m.kin rows.csv --explain");
            assert!(said["predictions"][0]["targets"][target]["prediction"] != Value::Null);
            sandbox.out("show m.kin --svg m.svg --html m.html --dot m.dot --force --quiet");
            let drawn = String::from_utf8(sandbox.read("m.svg")).unwrap();
            let line = ["time", "curve", "walk"].contains(&target);
            assert_eq!(drawn.contains("<polyline"), line, "{learner} {target}");
            let evaluate = format!(
                "evaluate {learner} rows.csv --target {target} --ignore {others} --folds 4"
            );
            let found = json(&sandbox, &evaluate);
            assert!(found.to_string().contains(measure), "{found}");
        }
    }
}

#[test]
fn schemas_are_written_with_what_kinds_need() {
    let sandbox = rows();
    let schema = sandbox.out("describe rows.csv --schema --quiet");
    assert!(
        schema.contains("values = [\"small\", \"middle\", \"large\"], ordered = true"),
        "{schema}"
    );
    assert!(schema.contains("role = \"event\""), "{schema}");
    assert!(schema.contains("distance = \"dtw\""), "{schema}");
}
