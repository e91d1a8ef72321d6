//! Public logical data sets, counted by other means beforehand: `KINWOOD_DATA` names the folder
//! they are in.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use kinwood_formats::prolog::{self, PrologRead};
use kinwood_formats::{Source, TableRead};
use kinwood_values::{Role, Type, Value};

/// The folder of public data, or a word on why nothing is tested.
#[expect(clippy::print_stdout, reason = "a skipped test says so")]
fn data() -> Option<PathBuf> {
    let folder = std::env::var_os("KINWOOD_DATA").map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: KINWOOD_DATA names no folder of public data");
    }
    folder
}

fn table<'a>(read: &'a PrologRead, name: &str) -> &'a TableRead {
    let named = |table: &&TableRead| table.table.name() == name;
    read.tables
        .iter()
        .find(named)
        .unwrap_or_else(|| panic!("no table {name}"))
}

fn types(read: &TableRead) -> Vec<String> {
    let attributes = read.table.attributes().iter();
    attributes.map(|of| of.type_of().to_string()).collect()
}

/// How many rows have the class `true`, and how many `false`.
fn labels(read: &TableRead) -> (usize, usize) {
    let last = read.table.attributes().len() - 1;
    let class = read.table.attribute(last);
    assert_eq!((class.name.as_str(), class.role), ("class", Role::Target));
    let positive = (0..read.table.rows())
        .filter(|&row| class.column.code(row) == Some(0))
        .count();
    (positive, read.table.rows() - positive)
}

fn distinct(read: &TableRead, columns: &[usize]) -> usize {
    let mut seen = BTreeSet::new();
    for &column in columns {
        let column = &read.table.attribute(column).column;
        seen.extend((0..column.len()).map(|row| column.value(row)));
    }
    seen.len()
}

fn open(folder: &Path, names: &[&str]) -> Vec<Source> {
    names
        .iter()
        .map(|name| Source::open(&folder.join(name)).expect("the file is there"))
        .collect()
}

#[test]
fn mutagenesis() {
    let Some(data) = data() else { return };
    let folder = data.join("mutagenesis/prolog");
    let read = prolog::read_folder(&folder, &[]).unwrap();
    let groups = [
        ("ring_size_6", 558),
        ("benzene", 509),
        ("nitro", 318),
        ("ring_size_5", 87),
        ("ball3", 68),
        ("phenanthrene", 51),
        ("carbon_6_ring", 30),
        ("methyl", 29),
        ("hetero_aromatic_5_ring", 26),
        ("anthracene", 17),
        ("carbon_5_aromatic_ring", 11),
        ("hetero_aromatic_6_ring", 8),
    ];
    let mut facts = 0;
    for (name, count) in groups {
        let group = table(&read, name);
        assert_eq!(group.table.rows(), count, "{name}");
        let rings = ["ball3", "phenanthrene", "anthracene"].contains(&name);
        let atoms = if rings {
            "list<list<nominal>>"
        } else {
            "list<nominal>"
        };
        assert_eq!(types(group), ["nominal", atoms], "{name}");
        if rings {
            let column = &group.table.attribute(1).column;
            for row in 0..count {
                let Value::List(parts) = column.value(row) else {
                    panic!("a list")
                };
                assert_eq!(parts.len(), 3);
            }
        }
        facts += count;
    }
    assert_eq!(facts, 1712);
    let atoms = table(&read, "atm");
    assert_eq!(atoms.table.rows(), 5894);
    assert_eq!(
        types(atoms),
        ["nominal", "nominal", "nominal", "numeric", "numeric"]
    );
    assert_eq!(distinct(atoms, &[0]), 230);
    assert_eq!(distinct(atoms, &[1]), 5894);
    let bonds = table(&read, "bond");
    assert_eq!(bonds.table.rows(), 6309);
    assert_eq!(types(bonds), ["nominal", "nominal", "nominal", "numeric"]);
    for name in ["act", "logp", "lumo", "ind1", "inda"] {
        assert_eq!(table(&read, name).table.rows(), 230, "{name}");
        assert_eq!(types(table(&read, name)), ["nominal", "numeric"], "{name}");
    }
    let below: Vec<&str> = read.notices.iter().map(|notice| notice.message()).collect();
    for folder in ["188", "42"] {
        let told = |message: &&str| message.contains(&format!("{folder}` holds facts too"));
        assert!(below.iter().any(told), "{below:?}");
    }
}

#[test]
fn mutagenesis_examples() {
    let Some(data) = data() else { return };
    let folder = data.join("mutagenesis/prolog");
    let friendly = prolog::read_folder(&folder.join("188"), &[]).unwrap();
    assert_eq!(labels(table(&friendly, "active")), (125, 63));
    let others = prolog::read_folder(&folder.join("42"), &[]).unwrap();
    assert_eq!(labels(table(&others, "active")), (13, 29));
    let fold = prolog::read(&open(&folder, &["188/s1.pl"])).unwrap();
    assert_eq!(labels(table(&fold, "active")), (14, 5));
    let act = prolog::read(&open(&folder, &["log_mutag.pl"])).unwrap();
    let act = &act.tables[0].table;
    assert_eq!(act.attribute(1).type_of(), Type::Numeric);
    let positive = (0..act.rows()).filter(|&row| act.attribute(1).column.number(row) > Some(0.0));
    assert_eq!(positive.count(), 138);
}

#[test]
fn alzheimers() {
    let Some(data) = data() else { return };
    let folder = data.join("alzheimers");
    for (task, target, examples, compounds) in [
        ("amine_uptake/ne", "great_ne", 343, 27),
        ("toxic/toxic", "less_toxic", 443, 37),
        ("choline/inh", "great", 663, 37),
        ("scopolamine/rsd", "great_rsd", 321, 26),
    ] {
        for background in ["d_alz.b", "nd_alz.b"] {
            let [positive, negative] = ["f", "n"].map(|ending| format!("{task}.{ending}"));
            let read = prolog::read(&open(&folder, &[background, &positive, &negative])).unwrap();
            let pairs = table(&read, target);
            assert_eq!(labels(pairs), (examples, examples), "{task}");
            assert_eq!(distinct(pairs, &[0, 1]), compounds, "{task}");
            assert_eq!(types(pairs), ["nominal"; 3]);
            let polar = table(&read, "polar");
            assert_eq!(
                (polar.table.rows(), types(polar)),
                (6, vec!["term".into(), "nominal".into()])
            );
            assert_eq!(table(&read, "great_polar").table.rows(), 45);
            assert!(read.notices.is_empty());
        }
    }
}
