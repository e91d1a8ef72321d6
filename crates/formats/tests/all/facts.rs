//! Facts that a schema declares: what tables they become, what is refused with its place, and what
//! is told.
#![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

use std::fs;
use std::path::{Path, PathBuf};

use kinwood_formats::{Dataset, ReadOptions, Schema, read};
use kinwood_values::{Database, Role};
use tempfile::TempDir;

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn read_path(path: &Path) -> kinwood_formats::Result<Dataset> {
    read(path, &ReadOptions::default())
}

const PAIRS: &str = r#"
[facts]
example  = "stronger(compound, compound)"
describe = ["subst(compound, place: symbol, symbol)", "weight(compound, number)", "near(compound, compound)"]
rules    = ["subst(C, x(N), G) :- x(C, N, G).", "subst(C, ring, G) :- ring(C, G)."]
"#;
const BACKGROUND: &str = "x(a,6,cl). x(b,7,subs(f,4)). x(a,6,cl).\nring(a,normal). ring(c,normal).\n\
    weight(a,1.5). weight(b,-2). weight(c,'?').\nnear(a,d). near(a,b).\npolar(cl,1). polar(f,2). gt(1,2).\n";

fn pairs(schema: &str, background: &str, positive: &str, negative: &str) -> TempDir {
    folder(&[
        ("schema.toml", schema),
        ("t.b", background),
        ("t.f", positive),
        ("t.n", negative),
    ])
}

/// The values of a table, a line for each row.
fn rows(database: &Database, table: &str) -> Vec<String> {
    let table = database.table(database.find(table).unwrap());
    let value = |row: usize, column: usize| table.attribute(column).column.value(row).to_string();
    let columns = table.attributes().len();
    let line = |row: usize| {
        let values: Vec<String> = (0..columns).map(|column| value(row, column)).collect();
        values.join(" ")
    };
    (0..table.rows()).map(line).collect()
}

/// Foreign keys as `name -> table describes`.
fn keys(database: &Database) -> Vec<String> {
    let keys = database.foreign_keys().iter();
    keys.map(|key| {
        let to = database.table(key.to).name();
        format!("{} -> {to} {:?}", key.name, key.describes)
    })
    .collect()
}

#[test]
fn pairs_of_objects_become_rows_with_two_keys() {
    let data = pairs(
        PAIRS,
        BACKGROUND,
        "stronger(a,b).\nstronger(b,c).\nstronger(a,b).",
        "stronger(b,a).",
    );
    let dataset = read_path(data.path()).unwrap();
    let database = &dataset.database;
    let names: Vec<&str> = database.tables().iter().map(|table| table.name()).collect();
    assert_eq!(names, ["stronger", "compound", "subst", "weight", "near"]);
    assert_eq!(
        rows(database, "stronger"),
        ["a b true", "b c true", "b a false"]
    );
    assert_eq!(rows(database, "compound"), ["a", "b", "c", "d"]);
    assert_eq!(
        rows(database, "subst"),
        [
            "a x(6) cl",
            "b x(7) subs(f,4)",
            "a ring normal",
            "c ring normal"
        ]
    );
    assert_eq!(rows(database, "weight"), ["a 1.5", "b -2", "c ?"]);
    assert_eq!(
        keys(database),
        [
            "stronger_a1 -> compound Some(false)",
            "stronger_a2 -> compound Some(false)",
            "subst_a1 -> compound Some(true)",
            "weight_a1 -> compound Some(true)",
            "near_a1 -> compound Some(true)",
            "near_a2 -> compound Some(false)",
        ]
    );
    assert_eq!(dataset.targets, [(0, 2)]);
    assert!(dataset.keys_declared);
    let place = database.table(2).attribute(1);
    assert_eq!((place.name.as_str(), place.role), ("place", Role::Input));
    assert_eq!(database.table(1).key(), Some([0].as_slice()));
    let told: Vec<String> = dataset.notices.iter().map(ToString::to_string).collect();
    let at = data.path().join("t.b");
    assert_eq!(
        told,
        [
            "2 predicates that neither patterns nor rules name, with so many facts, are left out: polar/2 (2), gt/2 (1)".to_owned(),
            "1 fact of `stronger` repeats what others say and is left out: facts are a set".to_owned(),
            format!("1 of 4 IDs of `compound` is mentioned by facts and described by none (first: `d` at {}:4:1)", at.display()),
        ]
    );
    assert_eq!(
        dataset.facts.unwrap().understood,
        [
            "an example is a pair of IDs of `compound`, `stronger(compound, compound)`: 3 examples, labelled true 2, false 1",
            "`compound`: 4 IDs, described by 4 facts `subst` (a1: `compound`, place: 3 symbols, a3: 3 symbols); 3 facts `weight` (a1: `compound`, a2: number from -2 to 1.5); 2 facts `near` (a1: `compound`, a2: `compound`); mentioned by `near`",
            "the rule `subst(C, x(N), G) :- x(C, N, G).` made 2 new facts of 3",
            "the rule `subst(C, ring, G) :- ring(C, G).` made 2 new facts of 2",
        ]
    );
}

#[test]
fn labels_may_be_arguments() {
    let schema = |example: &str| {
        format!(
            "[facts]\nexample = '{example}'\ndescribe = ['w(m, number)']\nundescribed = 'allow'"
        )
    };
    let text = "w(m1,1). w(m2,2). class(m1,a,3). class(m2,'?',4). class(m3,b,5).";
    let files = |example: &str| folder(&[("t.schema.toml", &schema(example)), ("t.pl", text)]);
    for (example, expected, of) in [
        ("class(m, target, _)", ["m1 a", "m2 ?", "m3 b"], "nominal"),
        (
            "class(m, _, size: target)",
            ["m1 3", "m2 4", "m3 5"],
            "numeric",
        ),
    ] {
        let data = files(example);
        // By the file, and by the schema beside it.
        for name in ["t.pl", "t.schema.toml"] {
            let dataset = read_path(&data.path().join(name)).unwrap();
            assert_eq!(rows(&dataset.database, "class"), expected);
            assert_eq!(dataset.targets, [(0, 1)]);
            let target = dataset.database.table(0).attribute(1);
            assert_eq!(target.type_of().to_string(), of);
            let told = dataset.notices[0].to_string();
            assert!(
                told.starts_with("1 ID of examples is described by no fact (first: `m3` of `m` at"),
                "{told}"
            );
        }
    }
    let data = files("class(m, c: symbol, _)");
    let dataset = read_path(&data.path().join("t.pl")).unwrap();
    assert_eq!(dataset.targets, []);
    assert!(dataset.facts.unwrap().understood[0].ends_with("3 examples, without labels"));
}

#[test]
fn examples_may_be_denials_only_and_numbers_may_be_ids() {
    let schema = "[facts]\nexample = 'p(m)'\ndescribe = ['q(m, part)', 'p(part, symbol)', 'p(_, part, symbol)']";
    let text = ":- p(1).\nq(1,x). q(1,f(x)). p(x,22). p(u,f(x),1).";
    let data = folder(&[("schema.toml", schema), ("t.pl", text)]);
    let dataset = read_path(data.path()).unwrap();
    let names = dataset.database.tables().iter().map(|table| table.name());
    assert_eq!(
        names.collect::<Vec<_>>(),
        ["p/1", "m", "part", "q", "p/2", "p/3"]
    );
    assert_eq!(rows(&dataset.database, "p/1"), ["1 false"]);
    assert_eq!(rows(&dataset.database, "p/2"), ["x 22"]);
    assert_eq!(rows(&dataset.database, "part"), ["x", "f(x)"]);
}

#[test]
fn what_does_not_fit_is_refused_with_its_place() {
    let good = "w(m1,1).\nb(m1,m1,s).\n";
    for (text, expected) in [
        (
            "e(m1,yes). w(m1,x).",
            "t.pl:3:12: expected a number as argument 2 of `w(m, number)`, found `x`",
        ),
        (
            "e(m1,yes). b(m1,m1,0.5).",
            "t.pl:3:12: expected a symbol (a constant, a whole number or a term without variables) as argument 3 of `b(m, m, symbol)`, found `0.5`",
        ),
        (
            "e(m1,yes). b(m1,m1,f(X)).",
            "t.pl:3:12: expected a symbol (a constant, a whole number or a term without variables) as argument 3 of `b(m, m, symbol)`, found `f(X)`",
        ),
        (
            "e(m1,yes). b(m1,'?',s).",
            "t.pl:3:12: expected an ID of `m` (a constant, a whole number or a term without variables) as argument 2 of `b(m, m, symbol)`, found `'?'`",
        ),
        (
            "e(m1,yes).\n w(m1).",
            "t.pl:4:2: expected 2 arguments of `w`, as in `w(m, number)`, found 1: `w(m1)`",
        ),
        (
            "e(m1,yes). e(m1,no).",
            "t.pl:3:12: expected one label for the example `e(m1,no)`, found that it is `no` here and `yes` at t.pl:3:1",
        ),
        (
            "e(m1,yes). e(m2,no).",
            "t.pl:3:12: expected an ID of `m` that facts describe, found `m2`, which none does (`undescribed = \"allow\"` in [facts] lets it pass)",
        ),
        (
            "e(m1,yes). :- e(m1,no).",
            "t.pl:3:12: expected facts, for the label is an argument in `e(m, target)`, found that `e(m1,no)` is a negative example",
        ),
        (
            "e(m1,yes). :- w(m1,3).",
            "t.pl:3:12: expected facts that hold, for `w(m, number)` describes, found that `w(m1,3)` is a negative example",
        ),
        (
            "ee(m1,yes).",
            "schema.toml: `e(m, target)`: there are no facts `e` of 2 arguments; did you mean `ee`?",
        ),
        (
            "e(m1).",
            "t.pl:3:1: expected 2 arguments of `e`, as in `e(m, target)`, found 1: `e(m1)`",
        ),
    ] {
        let schema =
            "[facts]\nexample = 'e(m, target)'\ndescribe = ['w(m, number)', 'b(m, m, symbol)']";
        let data = folder(&[("schema.toml", schema), ("t.pl", &format!("{good}{text}"))]);
        let error = read_path(data.path()).unwrap_err().to_string();
        let error = error.replace(&format!("{}/", data.path().display()), "");
        assert_eq!(error, expected, "{text}");
    }
}

#[test]
fn rules_that_cannot_be_applied_are_quoted() {
    for (rule, expected) in [
        (
            "s(C) :- rng(C, _).",
            "schema.toml: `s(C) :- rng(C, _).`: there are no facts `rng` of 2 arguments; did you mean `ring`?",
        ),
        (
            "s(C) :- x(C, _).",
            "schema.toml: `s(C) :- x(C, _).`: there are no facts `x` of 2 arguments: those of that name have 3",
        ),
        (
            "s(D) :- x(C, _, _).",
            "schema.toml:4:10: expected variables in the head that the condition has too in the rule `s(D) :- x(C, _, _).`, found `D`",
        ),
        (
            "s(D)",
            "schema.toml:4:10: expected `:-` in the rule `s(D)`, found the end",
        ),
    ] {
        let schema =
            format!("[facts]\nexample = 'stronger(c, c)'\ndescribe = ['s(c)']\nrules = ['{rule}']");
        let data = pairs(&schema, BACKGROUND, "stronger(a,b).", "");
        let error = read_path(data.path()).unwrap_err().to_string();
        let error = error.replace(&format!("{}/", data.path().display()), "");
        assert!(error.starts_with(expected), "{rule}\n{error}");
    }
}

#[test]
fn what_is_wrong_in_the_schema_is_pointed_at() {
    for (text, expected) in [
        (
            "[facts]\ndescribe = []",
            "s:1:1: expected [facts] with `example`, found none",
        ),
        (
            "[facts]\nexample = 'p(number)'",
            "s:2:11: expected an argument that is a kind of ID in the pattern `p(number)`, found none",
        ),
        (
            "[facts]\nexample = 'p(m'",
            "s:2:11: expected `,`, `)` or `:` in the pattern `p(m`, found the end",
        ),
        (
            "[facts]\nexample = 'p(m)'\ndescribe = ['q(symbol, m)']",
            "s:3:13: expected the kind of ID that the fact describes as first argument in the pattern `q(symbol, m)`, found `symbol`",
        ),
        (
            "[facts]\nexampel = 'p(m)'",
            "s:2:1: expected one of the keys `files`, `example`, `describe`, `rules`, `undescribed`, found `exampel`; did you mean `example`?",
        ),
        (
            "[facts]\nexample = 'p(m)'\nundescribed = 'yes'",
            "s:3:15: expected `refuse` or `allow`, found \"yes\"",
        ),
        (
            "[facts]\nexample = 'p(m)'\n[tables.t]\nfile = 't.csv'",
            "s:1:1: expected no tables of other files beside [facts], found a `file` for table `t`",
        ),
    ] {
        let found = Schema::parse(text, "s").unwrap_err().to_string();
        assert_eq!(found, expected);
    }
    let folder = folder(&[
        ("t.csv", "a,b\n1,2\n"),
        ("t.schema.toml", "[facts]\nexample = 'p(m)'"),
    ]);
    let found = read_path(&folder.path().join("t.csv"))
        .unwrap_err()
        .to_string();
    assert!(
        found.contains("[facts] is about Prolog facts, `"),
        "{found}"
    );
}

#[test]
fn a_written_schema_reads_the_same_and_columns_may_be_stated() {
    let schema = format!(
        "{PAIRS}files = ['../t.b', 't.f', 't.n']\n[tables.weight.columns]\na2 = {{ role = 'ignore' }}\n"
    );
    let data = pairs("", BACKGROUND, "stronger(b,c).", "stronger(b,a).");
    let task = data.path().join("task");
    fs::create_dir(&task).unwrap();
    for name in ["t.f", "t.n"] {
        fs::rename(data.path().join(name), task.join(name)).unwrap();
    }
    fs::write(task.join("schema.toml"), schema).unwrap();
    let first = read_path(&task).unwrap();
    assert_eq!(first.database.table(3).attribute(1).role, Role::Ignore);
    let text = Schema::of(&first).to_toml();
    fs::write(task.join("schema.toml"), &text).unwrap();
    let second = read_path(&task.join("schema.toml")).unwrap();
    assert_eq!(second.database, first.database, "{text}");
    assert_eq!(second.facts, first.facts);
    assert_eq!(Schema::of(&second).to_toml(), text);
}

/// The folder of public data, or a word on why nothing is tested.
#[expect(clippy::print_stdout, reason = "a skipped test says so")]
fn public() -> Option<PathBuf> {
    let folder = std::env::var_os("KINWOOD_DATA").map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: KINWOOD_DATA names no folder of public data");
    }
    folder
}

#[test]
fn the_alzheimers_tasks_are_pairs_of_compounds() {
    let Some(public) = public() else { return };
    let public = public.join("alzheimers");
    for (task, example, examples, compounds) in [
        ("amine_uptake/ne", "great_ne", 343, 27),
        ("toxic/toxic", "less_toxic", 443, 37),
        ("choline/inh", "great", 663, 37),
        ("scopolamine/rsd", "great_rsd", 321, 26),
    ] {
        let files: Vec<String> = ["nd_alz.b", &format!("{task}.f"), &format!("{task}.n")]
            .iter()
            .map(|file| format!("{:?}", public.join(file).display().to_string()))
            .collect();
        let schema = format!(
            "[facts]\nfiles = [{}]\nexample = '{example}(compound, compound)'\ndescribe = ['subst(compound, place: symbol, group: symbol)']\n\
             rules = ['subst(C, x_subst(N), G) :- x_subst(C, N, G).', 'subst(C, r_subst(N), G) :- r_subst(C, N, G).', 'subst(C, ring_struc, G) :- ring_struc(C, G).']\n",
            files.join(", ")
        );
        let folder = folder(&[("schema.toml", &schema)]);
        let dataset = read_path(folder.path()).unwrap();
        let database = &dataset.database;
        assert_eq!(database.table(0).rows(), 2 * examples);
        assert_eq!(database.table(2).rows(), 110);
        let used = (0..database.table(1).rows()).filter(|&row| {
            let links = [database.link(0), database.link(1)];
            links.iter().any(|link| !link.backward(row).is_empty())
        });
        assert_eq!(used.count(), compounds);
    }
}

#[test]
fn mutagenesis_has_molecules_atoms_and_bonds() {
    let Some(public) = public() else { return };
    let public = public.join("mutagenesis/prolog");
    let folds = (1..=10).map(|fold| format!("188/s{fold}.pl"));
    let files: Vec<String> = std::iter::once("atom_bond.pl".to_owned())
        .chain(folds)
        .map(|file| format!("{:?}", public.join(file).display().to_string()))
        .collect();
    let schema = format!(
        "[facts]\nfiles = [{}]\nexample = 'active(molecule)'\n\
         describe = ['has(molecule, atom)', 'bond(molecule, atom, atom, kind: symbol)', 'a(atom, element: symbol, quanta: symbol, charge: number)']\n\
         rules = ['has(M, A) :- atm(M, A, _, _, _).', 'a(A, E, Q, X) :- atm(_, A, E, Q, X).']\n",
        files.join(", ")
    );
    let folder = folder(&[("schema.toml", &schema)]);
    let dataset = read_path(folder.path()).unwrap();
    let sizes: Vec<(&str, usize)> = dataset
        .database
        .tables()
        .iter()
        .map(|table| (table.name(), table.rows()))
        .collect();
    assert_eq!(
        sizes,
        [
            ("active", 188),
            ("molecule", 230),
            ("atom", 5894),
            ("has", 5894),
            ("bond", 6309),
            ("a", 5894)
        ]
    );
    assert!(
        dataset.facts.unwrap().understood[0].ends_with("188 examples, labelled true 125, false 63")
    );
}
