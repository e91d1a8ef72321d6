//! Schemas: what they state is done, what is wrong in them is pointed at, and what is written reads
//! back.
#![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

use std::fs;
use std::path::Path;

use kinwood_formats::schema::TimeSchema;
use kinwood_formats::{Dataset, ReadOptions, Schema, read};
use kinwood_values::{Role, TableTime, Value};
use proptest::prelude::*;
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

fn message(error: kinwood_formats::Error, folder: &TempDir) -> String {
    error
        .to_string()
        .replace(&format!("{}/", folder.path().display()), "")
}

const MOLECULES: &str = "molecule_id,logp,ind1,active\nm1,1.5,1,yes\nm2,?,0,no\n";
const ATOMS: &str = "m1,a1,c\nm1,a2,n\nm2,a1,c\nm3,a1,o\n";
const SCHEMA: &str = r#"
target = "molecule.active"

[tables.molecule]
key = "molecule_id"
[tables.molecule.columns]
molecule_id = { type = "nominal", role = "id" }
logp = "numeric"
ind1 = { type = "nominal", values = ["0", "1"] }

[tables.atom]
file = "atoms.data"
key = ["molecule_id", "atom_id"]
header = "none"
delimiter = ","
quote = "none"
missing = ["-"]
[tables.atom.columns]
molecule_id = "nominal"
atom_id = "nominal"
element = { role = "group" }

[[tables.atom.foreign_keys]]
columns = "molecule_id"
references = "molecule"
describes = true
"#;

fn molecules() -> TempDir {
    folder(&[
        ("molecule.csv", MOLECULES),
        ("atoms.data", ATOMS),
        ("schema.toml", SCHEMA),
        ("extra.tsv", "a\tb\n1\t2\n"),
        ("README.csv", "not a table"),
        ("notes.txt", "not a table either"),
        (".hidden.csv", "x"),
    ])
}

#[test]
fn a_folder_is_a_database() {
    let folder = molecules();
    let dataset = read_path(folder.path()).unwrap();
    let names: Vec<&str> = dataset
        .database
        .tables()
        .iter()
        .map(|table| table.name())
        .collect();
    assert_eq!(names, ["molecule", "atom", "extra"]);
    assert_eq!(dataset.formats, ["CSV", "CSV", "TSV"]);
    assert_eq!(dataset.targets, [(0, 3)]);
    assert_eq!(dataset.database.table(0).attribute(3).role, Role::Target);
    assert!(dataset.stated_roles.contains(&(0, 0)) && dataset.stated_roles.contains(&(1, 2)));
    assert_eq!(dataset.database.table(1).attribute(2).role, Role::Group);
    assert_eq!(dataset.database.table(1).key(), Some([0, 1].as_slice()));
    let key = &dataset.database.foreign_keys()[0];
    assert_eq!(
        (key.name.as_str(), key.from, key.to),
        ("atom_molecule_id", 1, 0)
    );
    assert_eq!(key.describes, Some(true));
    assert_eq!(dataset.database.link(0).backward(0), [0, 1]);
    let (codes, labels) = dataset
        .database
        .table(0)
        .attribute(2)
        .column
        .codes()
        .unwrap();
    assert_eq!(
        (codes, labels.labels().collect::<Vec<_>>()),
        ([1, 0].as_slice(), vec!["0", "1"])
    );
    let notices: Vec<String> = dataset.notices.iter().map(ToString::to_string).collect();
    assert_eq!(notices.len(), 3, "{notices:?}");
    assert!(
        notices[0].ends_with("that are not read as tables: README.csv, notes.txt"),
        "{}",
        notices[0]
    );
    assert_eq!(
        notices[1],
        "files that the schema does not mention are read too: extra.tsv"
    );
    assert_eq!(
        notices[2],
        "1 of 4 rows of `atom` refer by `atom_molecule_id` to rows that `molecule` does not have (first: row 4, m3)"
    );
}

#[test]
fn a_schema_by_itself_reads_what_it_lists() {
    let folder = molecules();
    let dataset = read_path(&folder.path().join("schema.toml")).unwrap();
    assert_eq!(dataset.database.tables().len(), 2);
}

#[test]
fn a_file_may_have_a_schema_beside_it() {
    let folder = folder(&[
        ("iris.csv", "5.1,setosa\n4.9,setosa\n"),
        (
            "iris.schema.toml",
            "target = 'class'\n[tables.flowers.columns]\nlength = 'numeric'\nclass = 'nominal'\n",
        ),
        (
            "other.toml",
            "[tables.iris]\nmissing = ['4.9']\n[tables.more]\n",
        ),
        ("third.toml", "[tables.one]\n[tables.two]\n"),
    ]);
    let path = folder.path().join("iris.csv");
    let dataset = read_path(&path).unwrap();
    assert_eq!(dataset.database.table(0).name(), "flowers");
    assert_eq!(dataset.targets, [(0, 1)]);
    let with = |schema: &str| ReadOptions {
        schema: Some(folder.path().join(schema)),
        ..ReadOptions::default()
    };
    let other = read(&path, &with("other.toml")).unwrap();
    assert_eq!(
        other.database.table(0).attribute(0).column.value(1),
        Value::Missing
    );
    assert_eq!(
        message(read(&path, &with("third.toml")).unwrap_err(), &folder),
        "third.toml: unknown table `iris`; the tables are `one`, `two`"
    );
}

#[test]
fn mistakes_are_pointed_at() {
    for (text, expected) in [
        (
            "tagret = 'x'",
            "s:1:1: expected one of the keys `target`, `keys`, `tables`, `facts`, found `tagret`; did you mean `target`?",
        ),
        (
            "target = 1",
            "s:1:10: expected a name or a list of names, found 1",
        ),
        ("tables = 'x'", "s:1:10: expected a table, found \"x\""),
        (
            "[tables.t]\n  heeder = 'none'",
            "s:2:3: expected one of the keys `file`, `key`, `time`, `valid`, `header`, `delimiter`, `quote`, `missing`, `columns`, `foreign_keys`, found `heeder`; did you mean `header`?",
        ),
        (
            "[tables.t]\nheader = 'no'",
            "s:2:10: expected `detect`, `yes` or `none`, found \"no\"",
        ),
        (
            "[tables.t]\ndelimiter = ':'",
            "s:2:13: expected `,`, `;`, `|`, `tab` or `blank`, found \":\"",
        ),
        (
            "[tables.t]\nquote = true",
            "s:2:9: expected `\"`, `'` or `none`, found true",
        ),
        (
            "[tables.t]\ntime = ['a', 'b']",
            "s:2:8: expected a string, found an array of 2",
        ),
        (
            "[tables.t]\nvalid = 'a'",
            "s:2:9: expected a list of strings, found \"a\"",
        ),
        (
            "[tables.t]\nvalid = ['a', 'a']",
            "s:2:9: expected two columns, from when on and until when, found an array of 2",
        ),
        (
            "[tables.t]\ntime = 'a'\nvalid = ['a', 'b']",
            "s:3:1: expected either `time` or `valid`, found `valid` too",
        ),
        (
            "[tables.t]\nvalid = ['a', 'b']\n[tables.t.columns]\nb = { role = 'input' }",
            "s:4:5: expected another role for a column until when rows are valid: it is only known later, found `input`",
        ),
        (
            "[tables.t]\nmissing = '?'",
            "s:2:11: expected a list of strings, found \"?\"",
        ),
        (
            "[tables.t]\nmissing = [1]",
            "s:2:12: expected a string, found 1",
        ),
        ("[tables.t.columns]\nä = 'numerik'", "s:2:1: expected TOML"),
        (
            "[tables.t.columns]\na = 'numerik'",
            "s:2:5: expected a type, found \"numerik\"; did you mean `numeric`?",
        ),
        (
            "[tables.t.columns]\na = 'list<numeric'",
            "s:2:5: expected a type (expected `>` at column 13 of the type, found the end), found \"list<numeric\"",
        ),
        (
            "[tables.t.columns]\na = 1.5",
            "s:2:5: expected a type or a table, found 1.5",
        ),
        (
            "[tables.t.columns]\na = { rolle = 'id' }",
            "s:2:7: expected one of the keys `type`, `role`, `values`, `hierarchy`, `distance`, `ordered`, `notation`, found `rolle`; did you mean `role`?",
        ),
        (
            "[tables.t.columns]\na = { role = 'ide' }",
            "s:2:14: expected one of the roles input, id, ignore, weight, group, fold, target, event, cutoff, found \"ide\"; did you mean `id`?",
        ),
        (
            "[tables.t.columns]\na = { type = 'numeric', values = ['1'] }",
            "s:2:34: expected values of a nominal column only, found values of a `numeric`",
        ),
        (
            "[tables.t.columns]\na = { hierarchy = '//' }",
            "s:2:19: expected one character, found \"//\"",
        ),
        (
            "[tables.t]\nforeign_keys = 1",
            "s:2:16: expected a list of foreign keys, found 1",
        ),
        (
            "[[tables.t.foreign_keys]]\ndescribes = 'yes'",
            "s:2:13: expected `true` or `false`, found \"yes\"",
        ),
        (
            "[[tables.t.foreign_keys]]\nreferences = 'x'",
            "s:1:1: expected a foreign key with `columns`, found none",
        ),
        (
            "[[tables.t.foreign_keys]]\ncolumns = 'a'\nreferences = 'x'",
            "s:3:14: expected `to`, the columns referred to, because the schema gives that table no key, found \"x\" alone",
        ),
        (
            "[[tables.t.foreign_keys]]\nname='k'\ncolumns='a'\nreferences='x'\nto='i'\n[[tables.t.foreign_keys]]\nname='k'\ncolumns='b'\nreferences='x'\nto='i'",
            "s:7:6: expected a name that no other foreign key has, found \"k\"",
        ),
        (
            "[tables.person]\nkey = 'i'\n[[tables.t.foreign_keys]]\ncolumns = 'a'\nreferences = 'persn'",
            "s:5:14: expected `to`, the columns referred to, because the schema gives that table no key, found \"persn\" alone; did you mean `person`?",
        ),
    ] {
        let found = Schema::parse(text, "s").unwrap_err().to_string();
        assert!(found.starts_with(expected), "{text}\n{found}");
    }
    let found = Schema::parse("[tables\n", "s").unwrap_err().to_string();
    assert!(found.starts_with("s:1:8: expected TOML ("), "{found}");
}

#[test]
fn a_target_needs_its_table_only_where_several_have_it() {
    let both = |target: &str| {
        let folder = folder(&[
            ("atom.csv", "molecule_id,charge\nm1,1\nm2,2\n"),
            ("molecule.csv", MOLECULES),
            ("schema.toml", &format!("target = '{target}'")),
        ]);
        read_path(folder.path()).map(|dataset| dataset.targets)
    };
    assert_eq!(both("active").unwrap(), [(1, 3)]);
    assert!(both("molecule_id").is_err());
    assert_eq!(both("atom.molecule_id").unwrap(), [(0, 0)]);
}

#[test]
fn times_are_read_written_and_checked() {
    let schema = "[tables.loan]\nvalid = ['from', 'to']\n[tables.pay]\ntime = 'day'\n";
    let files = [
        ("schema.toml", schema),
        (
            "loan.csv",
            "id,from,to\n1,2024-01-01,2024-03-01\n2,2024-02-01,\n",
        ),
        ("pay.csv", "loan,day,sum\n1,7,3\n2,8,4\n"),
    ];
    let written = folder(&files);
    let dataset = read_path(written.path()).unwrap();
    let loan = dataset
        .database
        .table(dataset.database.find("loan").unwrap());
    let pay = dataset
        .database
        .table(dataset.database.find("pay").unwrap());
    assert_eq!(loan.time(), Some(TableTime::Valid { from: 1, to: 2 }));
    assert_eq!(pay.time(), Some(TableTime::Instant { column: 1 }));
    assert_eq!(
        loan.attribute(2).role,
        Role::Ignore,
        "the end is known later"
    );
    let text = Schema::of(&dataset).to_toml();
    assert!(text.contains("valid = [\"from\", \"to\"]\n"), "{text}");
    assert!(text.contains("time = \"day\"\n"), "{text}");
    for (schema, expected) in [
        (
            "[tables.pay]\ntime = 'dya'\n",
            "unknown column `dya` in table `pay`; did you mean `day`?",
        ),
        (
            "[tables.pay]\ntime = 'name'\n",
            "the schema says that `pay.name` says when rows are, and it is `nominal`: times are dates or numbers",
        ),
    ] {
        let files = [("schema.toml", schema), ("pay.csv", "name,day\na,7\nb,8\n")];
        let wrong = folder(&files);
        let error = read_path(wrong.path()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn schemas_that_do_not_fit_their_files_are_refused() {
    for (schema, expected) in [
        ("[tables.molecul]", "schema.toml: unknown table"),
        (
            "[tables.molecule]\nkey = 'weight'",
            "schema.toml: unknown column `weight` in table `molecule`; its columns are",
        ),
        (
            "[tables.molecule]\nkey = 'ind2'",
            "schema.toml: unknown column `ind2` in table `molecule`; did you mean `ind1`?",
        ),
        (
            "[tables.molecule.columns]\nlogq = 'numeric'",
            "molecule.csv: unknown column `logq` in table `molecule`; did you mean `logp`?",
        ),
        (
            "target = 'molecule.activ'",
            "schema.toml: unknown column `activ` in table `molecule`; did you mean `active`?",
        ),
        ("target = 'activ'", "schema.toml: unknown table `activ`"),
        (
            "[[tables.molecule.foreign_keys]]\ncolumns = 'ind1'\nreferences = 'atomes'\nto = 'c1'",
            "schema.toml: unknown table `atomes`; did you mean `atoms`?",
        ),
        (
            "[tables.atoms]\nkey = 'c1'",
            "schema.toml: the key (c1) of table `atoms` is not unique: m1 stands in rows 1 and 2",
        ),
        (
            "[tables.a]\nfile = 'none.csv'",
            "cannot read `none.csv`: no such file or directory",
        ),
    ] {
        let folder = folder(&[
            ("molecule.csv", MOLECULES),
            ("atoms.data", ATOMS),
            ("schema.toml", schema),
        ]);
        let found = message(read_path(folder.path()).unwrap_err(), &folder);
        let found = found.replace(&folder.path().display().to_string(), "schema.toml");
        assert!(found.starts_with(expected), "{schema}\n{found}");
    }
}

/// Writes the schema of what was read beside it, and reads again by it.
fn again(folder: &TempDir, dataset: &Dataset) -> Dataset {
    let text = Schema::of(dataset).to_toml();
    fs::write(folder.path().join("schema.toml"), &text).unwrap();
    read_path(folder.path()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn a_written_schema_reads_the_same() {
    let folder = molecules();
    let dataset = read_path(folder.path()).unwrap();
    let second = again(&folder, &dataset);
    assert_eq!(second.database, dataset.database);
    assert_eq!(second.targets, dataset.targets);
    assert_eq!(second.stated_roles, dataset.stated_roles);
    assert_eq!(second.origins, dataset.origins);
    let text = Schema::of(&dataset).to_toml();
    assert_eq!(
        text,
        r#"target = "molecule.active"

[tables.molecule]
key = "molecule_id"

[tables.molecule.columns]
molecule_id = { type = "nominal", role = "id" }   # stated in the schema
logp = "numeric"                                  # stated in the schema
ind1 = { type = "nominal", values = ["0", "1"] }  # stated in the schema
active = "nominal"                                # 2 distinct values in 2 rows

[tables.atom]
file = "atoms.data"
key = ["molecule_id", "atom_id"]
header = "none"
delimiter = ","
quote = "none"
missing = ["-"]

[tables.atom.columns]
molecule_id = "nominal"                         # stated in the schema
atom_id = "nominal"                             # stated in the schema
element = { type = "nominal", role = "group" }  # 3 distinct values in 4 rows

[[tables.atom.foreign_keys]]
columns = "molecule_id"
references = "molecule"
to = "molecule_id"
name = "atom_molecule_id"
describes = true

[tables.extra]

[tables.extra.columns]
a = "numeric"  # 1 of 1 values are numbers
b = "numeric"  # 1 of 1 values are numbers
"#
    );
}

fn any_table() -> impl Strategy<Value = String> {
    let cell = prop_oneof![
        "-?[0-9]{1,2}(\\.[0-9]{1,2})?",
        "[a-d]{1,2}",
        "(\\?|NA|2024-01-0[1-9]|\"x, \"\"y\"\"\"|'|one of many long and free texts)",
    ];
    (1usize..5).prop_flat_map(move |width| {
        let row = prop::collection::vec(cell.clone(), width);
        prop::collection::vec(row, 2..8).prop_map(|rows| {
            rows.iter()
                .map(|row| row.join(",") + "\n")
                .collect::<String>()
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn what_is_written_reads_the_same(first in any_table(), second in any_table(), named: bool) {
        let files = [("first.csv", first.as_str()), ("second table.data", second.as_str())];
        let folder = folder(&files[..1 + usize::from(named)]);
        if let Ok(dataset) = read_path(folder.path()) {
            let second = again(&folder, &dataset);
            prop_assert_eq!(second.database, dataset.database);
        }
    }

    #[test]
    fn schemas_survive_their_text(names in prop::collection::vec("[^\u{0}]{1,6}", 1..4)) {
        let mut schema = Schema::default();
        for name in names {
            if schema.table(&name).is_none() {
                let column = kinwood_formats::csv::StatedColumn {
                    name: name.clone(),
                    values: Some(vec![name.clone()]),
                    of: Some(kinwood_values::Type::Nominal),
                    hierarchy: name.chars().next(),
                    distance: name.chars().next().map(|_| name.clone()),
                    ..Default::default()
                };
                let until = format!("{name}'");
                let time = match name.len() % 3 {
                    0 => None,
                    1 => Some(TimeSchema::Instant(name.clone())),
                    _ => Some(TimeSchema::Valid { from: name.clone(), to: until }),
                };
                schema.tables.push(kinwood_formats::schema::TableSchema {
                    time,
                    key: vec![name.clone()],
                    file: Some(name.clone()),
                    options: kinwood_formats::csv::CsvOptions { columns: vec![column], ..Default::default() },
                    name,
                    ..Default::default()
                });
            }
        }
        schema.targets = schema.tables.iter().map(|table| table.name.clone()).collect();
        let text = schema.to_toml();
        let read = Schema::parse(&text, "s");
        prop_assert_eq!(read.map_err(|error| format!("{error}\n{text}")), Ok(schema));
    }

    #[test]
    fn random_schemas_never_panic(text in "[a-z \\[\\].={}'\"\n]{0,60}") {
        let _ = Schema::parse(&text, "s");
    }
}
