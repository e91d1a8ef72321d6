//! Pictures of trees: three forms, files that are not written over, and what cannot be drawn.

use crate::sandbox::Sandbox;

fn planted() -> Sandbox {
    let sandbox = Sandbox::with_weather();
    sandbox.out("fit tree weather.csv --target play --set pruning=none -o tree.kin");
    sandbox
}

fn text(sandbox: &Sandbox, name: &str) -> String {
    String::from_utf8(sandbox.read(name)).unwrap()
}

#[test]
fn a_tree_is_drawn_in_three_forms() {
    let sandbox = planted();
    assert_eq!(
        sandbox
            .out("show tree.kin --dot tree.dot --svg tree.svg --html tree.html --data weather.csv"),
        "wrote tree.dot\nwrote tree.svg\nwrote tree.html\n"
    );
    let dot = text(&sandbox, "tree.dot");
    assert!(dot.starts_with("digraph \"trees\" {"), "{dot}");
    let nodes = dot.matches("t0n0 ->").count();
    assert_eq!(nodes, 2, "{dot}");
    assert_eq!(sandbox.out("show tree.kin --dot -"), dot);
    assert!(text(&sandbox, "tree.svg").contains("Tree for play"));
    let page = text(&sandbox, "tree.html");
    assert!(page.contains("tree of weather.csv, 14 rows"), "{page}");
    assert_eq!(page.matches("\"ways\":").count(), 14);
}

#[test]
fn files_that_are_there_stay_unless_they_may_go() {
    let sandbox = planted();
    sandbox.write("tree.svg", "mine");
    let told = sandbox.err("show tree.kin --svg tree.svg");
    assert!(
        told.contains("`tree.svg`") && told.contains("`--force`"),
        "{told}"
    );
    assert_eq!(sandbox.read("tree.svg"), b"mine");
    sandbox.out("show tree.kin --svg tree.svg --force");
    assert_ne!(sandbox.read("tree.svg"), b"mine");
    let told = sandbox.err("show tree.kin --html new.html --svg new.html");
    assert!(told.contains("two pictures cannot be one file"), "{told}");
    let told = sandbox.err("show tree.kin --html tree.kin --force");
    assert!(told.contains("it is a file that is read"), "{told}");
    let told = sandbox.err("show tree.kin --html new.html --data new.html");
    assert!(told.contains("new.html"), "{told}");
    assert!(!sandbox.path("new.html").exists());
}

#[test]
fn rows_and_members_are_chosen() {
    let sandbox = planted();
    sandbox.out("show tree.kin --html tree.html --data weather.csv --rows 'windy = true'");
    assert_eq!(text(&sandbox, "tree.html").matches("\"ways\":").count(), 6);
    // Nothing is pruned and nothing costs: the beam stays full.
    sandbox.out(
        "fit tree weather.csv --target play --set search=beam --set width=4 --set pruning=none --set alpha=0 -o beam.kin",
    );
    sandbox.out("show beam.kin --svg beam.svg");
    assert!(text(&sandbox, "beam.svg").contains("4 trees for play"));
    sandbox.out("show beam.kin --member 3 --svg third.svg");
    let third = text(&sandbox, "third.svg");
    assert!(
        third.contains(">tree 3<") && !third.contains(">tree 1<"),
        "{third}"
    );
}

#[test]
fn a_long_table_is_told_to_be_cut() {
    let sandbox = planted();
    let rows: String = (0..201).map(|row| format!("sunny,{row},true\n")).collect();
    sandbox.write("days.csv", format!("outlook,temperature,windy\n{rows}"));
    let ended = sandbox.run("show tree.kin --html tree.html --data days.csv");
    assert_eq!(ended.code, 0, "{}", ended.err);
    assert!(
        ended
            .err
            .contains("the page shows the first 200 of 201 rows"),
        "{}",
        ended.err
    );
    assert_eq!(
        text(&sandbox, "tree.html").matches("\"ways\":").count(),
        200
    );
}

#[test]
fn what_has_no_tree_is_not_drawn() {
    let sandbox = Sandbox::with_weather();
    sandbox.out("fit knn weather.csv --target play -o model.kin");
    assert_eq!(
        sandbox.err("show model.kin --svg model.svg"),
        "error: a `knn` model has no tree to draw; what can be drawn are the trees, forests and beams of learners such as `tree`\n"
    );
    assert_eq!(sandbox.files(), ["model.kin", "weather.csv"]);
}
