//! What can be wrong with what is asked of trees, and data that is hard on them.

use crate::sandbox::Sandbox;

/// The error of growing a tree on the weather with these constraints.
fn constrained(constraints: &str) -> String {
    let sandbox = Sandbox::with_weather();
    sandbox.err(&format!(
        "fit tree weather.csv --target play --set 'constraints={constraints}'"
    ))
}

#[test]
fn unknown_names_in_constraints_get_the_nearest() {
    assert_eq!(
        constrained("uses(outlok)"),
        "error: unknown attribute `outlok` at column 6 of the constraints; did you mean `outlook`?\n"
    );
    assert_eq!(
        constrained("sise <= 3"),
        "error: expected `size`, `leaf`, `depth`, `cost`, `uses`, `not uses`, `accuracy`, `error`, `like`, `monotone` or `fair` at column 1 of the constraints, found `sise`; did you mean `size`?\n"
    );
    assert_eq!(
        constrained("size <= 3 adn depth <= 2"),
        "error: expected `and`, `or` or the end at column 11 of the constraints, found `adn`; did you mean `and`?\n"
    );
    // The target is no input.
    assert_eq!(
        constrained("uses(play)"),
        "error: unknown attribute `play` at column 6 of the constraints\n"
    );
    assert_eq!(
        constrained("like(none.txt)"),
        "error: cannot read the partial tree `none.txt` of `like`: No such file or directory (os error 2)\n"
    );
}

#[test]
fn contradictions_name_what_contradicts() {
    assert_eq!(
        constrained("uses(windy) and not uses(windy)"),
        "error: infeasible: `uses(windy) and not uses(windy)`: `windy` is to be used and not to be used\n"
    );
    assert_eq!(
        constrained("size <= 3 and uses(outlook) and uses(windy)"),
        "error: infeasible: `size <= 3 and uses(outlook) and uses(windy)`: using `outlook` and `windy` takes 5 nodes, and `size <= 3` allows fewer\n"
    );
    for search in ["greedy", "best_first", "beam"] {
        let told = constrained(&format!(
            "size <= 3 and accuracy >= 1' --set 'search={search}"
        ));
        assert!(
            told.starts_with("error: infeasible: `size <= 3 and accuracy >= 1`: no tree found with accuracy >= 1 (found 0."),
            "{told}"
        );
    }
}

#[test]
fn settings_out_of_range_say_what_is_expected() {
    let sandbox = Sandbox::with_weather();
    let told =
        |options: &str| sandbox.err(&format!("fit tree weather.csv --target play {options}"));
    assert_eq!(
        told("--set search=beam --set width=0"),
        "error: setting `width` cannot be `0`: expected a whole number from 1\n"
    );
    assert_eq!(
        told("--set size=0"),
        "error: setting `size` cannot be `0`: expected a whole number from 1, or none\n"
    );
    assert_eq!(
        told("--set search=beem"),
        "error: setting `search` cannot be `beem`: expected one of greedy, best_first, beam, exhaustive; did you mean `beam`?\n"
    );
    assert_eq!(
        told("--set class_weights=yes=2,on=3"),
        "error: setting `class_weights` cannot be `on`: expected one of `no`, `yes`; did you mean `no`?\n"
    );
    assert_eq!(
        told("--target temperature --set pruning=c45"),
        "error: setting `pruning` cannot be `c45`: expected another method for a number, such as `m5`: c45 counts wrong classes\n"
    );
}

#[test]
fn a_target_is_never_an_input() {
    let sandbox = Sandbox::with_weather();
    sandbox.out("fit tree weather.csv --target play --role play=input -o model.kin --force");
    assert!(!sandbox.out("show model.kin").contains("play ="));
    // Of several targets none tests another.
    sandbox
        .out("fit tree weather.csv --target play --target windy --set leaf=1 -o model.kin --force");
    let shown = sandbox.out("show model.kin");
    assert!(!shown.contains("windy ="), "{shown}");
}

#[test]
fn a_hundred_thousand_labels_are_divided_in_one_pass() {
    let sandbox = Sandbox::new();
    let rows: String = (0..100_000)
        .map(|row| format!("n{row},{},{}\n", ["a", "b", "c"][row % 3], row % 1000))
        .collect();
    sandbox.write("many.csv", format!("name,class,amount\n{rows}"));
    let fit = |options: &str| {
        let words =
            format!("fit tree many.csv --role name=input -o model.kin --force --quiet {options}");
        let ended = sandbox.run(&words);
        assert_eq!(ended.code, 0, "{}", ended.err);
        sandbox.out("show model.kin --quiet")
    };
    // Each label stands once: by chance alone labels tell the classes apart without error, and no
    // test is made of that.
    let shown = fit("--target class --ignore amount");
    assert!(!shown.contains("name in {"), "{shown}");
    let shown = fit("--target class --ignore amount --set corrected=false");
    assert!(shown.contains("name in {"), "{shown}");
    assert!(shown.contains("and 33"), "the list is cut short: {shown}");
    fit("--target amount --ignore class --set depth=6");
    fit("--target class --ignore amount --set search=beam --set width=3 --set size=5");
}

#[test]
fn one_class_and_columns_without_values_are_no_trouble() {
    let sandbox = Sandbox::new();
    sandbox.write("same.csv", "a,b,c\n1,,x\n2,,x\n3,,x\n4,,x\n");
    for search in ["greedy", "best_first", "beam"] {
        let words = format!(
            "fit tree same.csv --target c --role b=input --set search={search} --set leaf=1 -o model.kin --force"
        );
        assert_eq!(sandbox.run(&words).code, 0, "{search}");
        let shown = sandbox.out("show model.kin");
        assert!(!shown.contains("a >") && !shown.contains("b "), "{shown}");
        sandbox.write("new.csv", "a,b\n1,5\n,\n");
        let predicted = sandbox.run("predict model.kin new.csv --quiet");
        assert_eq!(predicted.code, 0, "{}", predicted.err);
        assert_eq!(predicted.out, "row,prediction,p(x)\n1,x,1\n2,x,1\n");
    }
}
