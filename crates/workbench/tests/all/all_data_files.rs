//! Every public data file that holds data, against what its README counted: rows, columns, missing
//! cells, classes, bags, keys. `KINWOOD_DATA` names the folder; without it the test says that it is
//! skipped.
//!
//! Two places of the README are read so: of `colic.orig.arff` it counts the classes of the last
//! column, not those of the column that it calls the class; and it counts the keys of no folder, so
//! that those of `values/tests/keys_of_public_data.rs` stand here.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use kinwood_values::{Table, Value};
use kinwood_workbench::{Data, Opening, open};

/// Tables: file, rows, columns, nominal columns, missing cells, a column, and what is counted of
/// it; `-` where the README says nothing.
const TABLES: &str = "\
uci/autos.arff | 205 | 26 | 11 | 59 | last | 0 67, 1 54, 2 32, 3 27, -1 22, -2 3
uci/balance.scale.arff | 625 | 5 | 1 | 0 | last | R 288, L 288, B 49
uci/breast.cancer.arff | 286 | 10 | 10 | 9 | last | no-recurrence-events 201, recurrence-events 85
uci/breast.w.arff | 699 | 10 | 1 | 16 | last | benign 458, malignant 241
uci/car.arff | 1728 | 7 | 7 | 0 | last | unacc 1210, acc 384, good 69, vgood 65
uci/cmc.arff | 1473 | 10 | 8 | 0 | last | 1 629, 3 511, 2 333
uci/colic.arff | 368 | 23 | 16 | 1927 | last | yes 232, no 136
uci/colic.orig.arff | 368 | 28 | 21 | 1927 | last | 2 244, 1 124
uci/credit.a.arff | 690 | 16 | 10 | 67 | last | - 383, + 307
uci/dermatology.arff | 366 | 35 | 34 | 8 | last | 1 112, 3 72, 2 61, 5 52, 4 49, 6 20
uci/diabetes.arff | 768 | 9 | 1 | 0 | last | tested_negative 500, tested_positive 268
uci/ecoli.arff | 336 | 8 | 1 | 0 | last | cp 143, im 77, pp 52, imU 35, om 20, omL 5, imS 2, imL 2
uci/glass.arff | 214 | 10 | 1 | 0 | last | build wind non-float 76, build wind float 70, headlamps 29, vehic wind float 17, containers 13, tableware 9
uci/haberman.arff | 306 | 4 | 2 | 0 | last | 1 225, 2 81
uci/heart.c.arff | 303 | 14 | 8 | 7 | last | <50 165, >50_1 138
uci/heart.h.arff | 294 | 14 | 8 | 782 | last | <50 188, >50_1 106
uci/heart.statlog.arff | 270 | 14 | 1 | 0 | last | absent 150, present 120
uci/hepatitis.arff | 155 | 20 | 14 | 167 | last | LIVE 123, DIE 32
uci/hypothyroid.arff | 3772 | 30 | 23 | 6064 | last | negative 3481, compensated_hypothyroid 194, primary_hypothyroid 95, secondary_hypothyroid 2
uci/ionosphere.arff | 351 | 35 | 1 | 0 | last | g 225, b 126
uci/iris.arff | 150 | 5 | 1 | 0 | last | Iris-setosa 50, Iris-versicolor 50, Iris-virginica 50
uci/kr.vs.kp.arff | 3196 | 37 | 37 | 0 | last | won 1669, nowin 1527
uci/labor.arff | 57 | 17 | 9 | 326 | last | good 37, bad 20
uci/letter.arff | 20000 | 17 | 1 | 0 | last | 26 classes, largest U 813
uci/lymph.arff | 148 | 19 | 16 | 0 | last | metastases 81, malign_lymph 61, fibrosis 4, normal 2
uci/mushroom.arff | 8124 | 23 | 23 | 2480 | last | e 4208, p 3916
uci/postoperative.patient.data.arff | 90 | 9 | 9 | 3 | last | A 64, S 24, I 2
uci/primary.tumor.arff | 339 | 18 | 18 | 225 | last | 21 classes, largest lung 84
uci/segment.arff | 2310 | 20 | 1 | 0 | last | path 330, foliage 330, sky 330, grass 330, brickface 330, cement 330, window 330
uci/sick.arff | 3772 | 30 | 23 | 6064 | last | negative 3541, sick 231
uci/sonar.arff | 208 | 61 | 1 | 0 | last | Mine 111, Rock 97
uci/soybean.arff | 683 | 36 | 36 | 2337 | last | 19 classes, largest brown-spot 92
uci/tic-tac-toe.arff | 958 | 10 | 10 | 0 | last | positive 626, negative 332
uci/vehicle.arff | 846 | 19 | 1 | 0 | last | bus 218, saab 217, opel 212, van 199
uci/vote.arff | 435 | 17 | 17 | 392 | last | democrat 267, republican 168
uci/vowel.arff | 990 | 14 | 4 | 0 | last | hid 90, hId 90, hEd 90, hAd 90, hYd 90, had 90, hOd 90, hod 90, hUd 90, hud 90, hed 90
uci/waveform5000.arff | 5000 | 41 | 1 | 0 | last | 0 1692, 2 1655, 1 1653
uci/wine.arff | 178 | 14 | 1 | 0 | first | 2 71, 1 59, 3 48
uci/zoo.arff | 101 | 18 | 17 | 0 | last | mammal 41, bird 20, fish 13, invertebrate 10, insect 8, reptile 5, amphibian 4
regression/autoprice.arff | 159 | 16 | 0 | - | last | 5118 .. 35056 (11445.7296)
regression/bodyfat.arff | 252 | 15 | 0 | - | last | 0 .. 47.5 (19.1508)
regression/cpu.arff | 209 | 8 | 1 | - | last | 15 .. 1238 (99.3301)
regression/housing.arff | 506 | 14 | 1 | - | last | 5 .. 50 (22.5328)
regression/machine.cpu.arff | 209 | 7 | 0 | - | last | 6 .. 1150 (105.6220)
regression/pollution.arff | 60 | 16 | 0 | - | last | 790.733 .. 1113.16 (940.3584)
regression/pyrim.arff | 74 | 28 | 0 | - | last | 0.1 .. 0.9 (0.6593)
regression/servo.arff | 167 | 5 | 4 | - | last | 0.13125 .. 7.10011 (1.3897)
multi_target/andro.arff | 49 | 36 | - | - | last | targets Target, Target_2, Target_3, Target_4, Target_5, Target_6
multi_target/edm.arff | 154 | 18 | - | - | last | targets DFlow, DGap
multi_target/enb.arff | 768 | 10 | - | - | last | targets Y1, Y2
multi_target/jura.arff | 359 | 18 | - | - | last | targets Cd, Co, Cu
multi_target/scpf.arff | 1137 | 26 | - | - | last | targets num_views, num_votes, num_comments
multi_target/sf1.arff | 323 | 13 | - | - | last | targets c-class, m-class, x-class
multi_target/sf2.arff | 1066 | 13 | - | - | last | targets c-class, m-class, x-class
multi_target/slump.arff | 103 | 10 | - | - | last | targets SLUMP_cm, FLOW_cm, Compressive_Strength_Mpa
multi_target/wq.arff | 1060 | 30 | - | - | last | targets 25400, 29600, 30400, 33400, 17300, 19400, 34500, 38100, 49700, 50390, 55800, 57500, 59300, 37880
multi_target/weather.nominal.arff | 14 | 5 | 5 | 0 | last | yes 9, no 5
multi_target/weather.numeric.arff | 14 | 5 | - | 0 | last | yes 9, no 5
hierarchical/clus_testTreeHMLC-RealWorld.arff | 660 | 1002 | 0 | - | last | 53 paths, 3.05 a row
uci/wdbc.data | 569 | 32 | - | 0 | 2 | B 357, M 212
uci/wpbc.data | 198 | 35 | - | 4 | 2 | N 151, R 47
uci/bupa.data | 345 | 7 | - | 0 | last | 1 145, 2 200
uci/processed.cleveland.data | 303 | 14 | - | 6 | last | 0 164, 1 55, 2 36, 3 35, 4 13
uci/sick-euthyroid.data | 3163 | 26 | - | 5329 | last | negative 2870, sick-euthyroid 293
uci/monks-1.train | 124 | 8 | - | 0 | first | 0 62, 1 62
uci/monks-2.train | 169 | 8 | - | 0 | first | 0 105, 1 64
uci/monks-3.train | 122 | 8 | - | 0 | first | 0 62, 1 60
uci/monks-1.test | 432 | 8 | - | 0 | first | 0 216, 1 216
uci/monks-2.test | 432 | 8 | - | 0 | first | 0 290, 1 142
uci/monks-3.test | 432 | 8 | - | 0 | first | 0 204, 1 228
munich_rent/rent99.csv | 3082 | 9 | - | 0 | last | 336 values
munich_rent/district_polygon.csv | 7502 | 4 | - | 0 | first | 411 values
";

/// Databases: folder or file, tables with their rows, how many primary and foreign keys they have.
type Counted = (&'static str, &'static [(&'static str, usize)], usize, usize);

const DATABASES: [Counted; 4] = [
    (
        "mutagenesis/csv",
        &[
            ("molecule", 230),
            ("atom", 5894),
            ("bond", 6309),
            ("group", 1712),
        ],
        5,
        7,
    ),
    (
        "biodegradability",
        &[
            ("molecule", 328),
            ("atom", 6568),
            ("bond", 6616),
            ("group", 1736),
            ("gmember", 6647),
        ],
        5,
        5,
    ),
    (
        "financial_pkdd99",
        &[
            ("account", 4500),
            ("client", 5369),
            ("disp", 5369),
            ("order", 6471),
            ("loan", 682),
            ("card", 892),
            ("district", 77),
        ],
        7,
        7,
    ),
    ("trains", &[("trains", 20), ("cars", 63)], 2, 1),
];

/// Columns of databases, and how often their values occur.
const CLASSES: [(&str, &str, &str, &str); 7] = [
    ("mutagenesis/csv", "molecule", "active", "1 138, 0 92"),
    ("mutagenesis/csv", "molecule", "subset", "188 188, 42 42"),
    (
        "mutagenesis/csv",
        "group",
        "type",
        "ring_size_6 558, benzene 509, nitro 318, ring_size_5 87, ball3 68, phenanthrene 51, carbon_6_ring 30, \
         methyl 29, hetero_aromatic_5_ring 26, anthracene 17, carbon_5_aromatic_ring 11, hetero_aromatic_6_ring 8",
    ),
    (
        "biodegradability",
        "bond",
        "type",
        "1 4685, 7 1598, 2 327, 3 6",
    ),
    (
        "biodegradability",
        "group",
        "type",
        "30 classes, largest six_ring 318",
    ),
    (
        "financial_pkdd99",
        "loan",
        "status",
        "A 203, B 31, C 403, D 45",
    ),
    ("trains", "trains", "direction", "east 10, west 10"),
];

/// Facts: file or folder, a predicate, its facts, and how many of them are positive where they are
/// examples.
const FACTS: [(&str, &str, usize, Option<usize>); 36] = [
    ("mutagenesis/prolog/atom_bond.pl", "atm", 5894, None),
    ("mutagenesis/prolog/atom_bond.pl", "bond", 6309, None),
    ("mutagenesis/prolog/ind1.pl", "ind1", 230, None),
    ("mutagenesis/prolog/inda.pl", "inda", 230, None),
    ("mutagenesis/prolog/logp.pl", "logp", 230, None),
    ("mutagenesis/prolog/lumo.pl", "lumo", 230, None),
    ("mutagenesis/prolog/log_mutag.pl", "act", 230, None),
    ("mutagenesis/prolog/ring_struc.pl", "", 1712, None),
    ("mutagenesis/prolog/188", "active", 188, Some(125)),
    ("mutagenesis/prolog/188/s1.pl", "active", 19, None),
    ("mutagenesis/prolog/188/s2.pl", "active", 19, None),
    ("mutagenesis/prolog/188/s3.pl", "active", 19, None),
    ("mutagenesis/prolog/188/s4.pl", "active", 19, None),
    ("mutagenesis/prolog/188/s5.pl", "active", 19, None),
    ("mutagenesis/prolog/188/s6.pl", "active", 19, None),
    ("mutagenesis/prolog/188/s7.pl", "active", 19, None),
    ("mutagenesis/prolog/188/s8.pl", "active", 19, None),
    ("mutagenesis/prolog/188/s9.pl", "active", 19, None),
    ("mutagenesis/prolog/188/s10.pl", "active", 17, None),
    ("mutagenesis/prolog/42/all.pl", "active", 42, Some(13)),
    ("alzheimers/amine_uptake", "great_ne", 686, Some(343)),
    ("alzheimers/amine_uptake/ne.f", "great_ne", 343, Some(343)),
    ("alzheimers/amine_uptake/ne.n", "great_ne", 343, Some(0)),
    ("alzheimers/toxic", "less_toxic", 886, Some(443)),
    ("alzheimers/toxic/toxic.f", "less_toxic", 443, Some(443)),
    ("alzheimers/toxic/toxic.n", "less_toxic", 443, Some(0)),
    ("alzheimers/choline", "great", 1326, Some(663)),
    ("alzheimers/choline/inh.f", "great", 663, Some(663)),
    ("alzheimers/choline/inh.n", "great", 663, Some(0)),
    ("alzheimers/scopolamine", "great_rsd", 642, Some(321)),
    ("alzheimers/scopolamine/rsd.f", "great_rsd", 321, Some(321)),
    ("alzheimers/scopolamine/rsd.n", "great_rsd", 321, Some(0)),
    ("mutagenesis/prolog", "atm", 5894, None),
    ("mutagenesis/prolog", "nitro", 318, None),
    // Background knowledge, of which the README counts nothing: six polarities in either form.
    ("alzheimers/d_alz.b", "polar", 6, None),
    ("alzheimers/nd_alz.b", "polar", 6, None),
];

/// Multi-instance data: file, bags, instances, features, bags and instances by class (0, 1), sizes
/// of bags.
type Bags = (
    &'static str,
    usize,
    usize,
    usize,
    [usize; 2],
    [usize; 2],
    [usize; 2],
);

const BAGS: [Bags; 2] = [
    (
        "musk/clean1.data",
        92,
        476,
        166,
        [45, 47],
        [269, 207],
        [2, 40],
    ),
    (
        "musk/clean2.rebuilt.data.gz",
        102,
        6598,
        166,
        [63, 39],
        [5581, 1017],
        [1, 1044],
    ),
];

/// Files that describe data, by ending and by name.
const DESCRIPTIONS: [&str; 5] = ["names", "info", "rda", "md", "metadata.json"];

#[test]
fn every_data_file_is_as_its_readme_says() {
    let Some(root) = std::env::var_os("KINWOOD_DATA").map(PathBuf::from) else {
        println!("skipped: KINWOOD_DATA names no folder of public data");
        return;
    };
    let mut listed: Vec<&str> = Vec::new();
    for line in TABLES.lines() {
        let fields: Vec<&str> = line.split(" | ").collect();
        check_table(&opened(&root, fields[0], None), &fields);
        listed.push(fields[0]);
    }
    for (path, tables, primary, foreign) in DATABASES {
        check_database(&opened(&root, path, None), path, tables, (primary, foreign));
        listed.push(path);
    }
    for (path, table, column, expected) in CLASSES {
        let data = opened(&root, path, None);
        let table = named(&data, table);
        check_classes(table, table.find(column).unwrap(), expected, path);
    }
    for (path, predicate, facts, positive) in FACTS {
        check_facts(&opened(&root, path, None), path, predicate, facts, positive);
        // Folders of facts are counted on top of their files, which are listed themselves.
        listed.extend(Some(path).filter(|path| !root.join(path).is_dir()));
    }
    for bags in BAGS {
        check_bags(&opened(&root, bags.0, Some("c1")), bags);
        listed.push(bags.0);
    }
    let mut files = Vec::new();
    collect(&root, &mut files);
    let unlisted = |file: &&PathBuf| {
        let path = file.strip_prefix(&root).unwrap();
        !listed.iter().any(|listed| path.starts_with(listed))
    };
    let unlisted: Vec<&PathBuf> = files.iter().filter(unlisted).collect();
    assert!(unlisted.is_empty(), "not in the list: {unlisted:?}");
    assert_eq!(files.len(), 121);
}

fn opened(root: &Path, path: &str, bag: Option<&str>) -> Data {
    let opening = Opening {
        bag: bag.map(str::to_owned),
        ..Opening::default()
    };
    open(&root.join(path), &opening).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The files below a folder that hold data.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let ending = name.rsplit('.').next().unwrap_or_default().to_owned();
        match path.is_dir() {
            true => collect(&path, files),
            false if DESCRIPTIONS.contains(&ending.as_str()) => {}
            false if DESCRIPTIONS.contains(&name.as_str()) => {}
            false => files.push(path),
        }
    }
}

fn named<'a>(data: &'a Data, name: &str) -> &'a Table {
    let database = data.database();
    database.table(database.find(name).unwrap())
}

fn check_table(data: &Data, fields: &[&str]) {
    let [file, rows, columns, nominal, missing, column, expected] = fields else {
        panic!("{fields:?}");
    };
    let table = data.database().table(0);
    let attributes = table.attributes();
    let said = |expected: &str, found: usize, what: &str| {
        assert!(
            expected == "-" || expected == found.to_string(),
            "{file}: {found} {what}, the README says {expected}"
        );
    };
    said(rows, table.rows(), "rows");
    said(columns, attributes.len(), "columns");
    let labels = |column: &kinwood_values::Column| column.codes().is_some();
    said(
        nominal,
        attributes.iter().filter(|of| labels(&of.column)).count(),
        "nominal columns",
    );
    said(
        missing,
        attributes.iter().map(|of| of.column.missing()).sum(),
        "missing cells",
    );
    let column = match *column {
        "first" => 0,
        "last" => attributes.len() - 1,
        number => number.parse::<usize>().unwrap() - 1,
    };
    if let Some(names) = expected.strip_prefix("targets ") {
        let names: Vec<&str> = names.split(", ").collect();
        let last = &attributes[attributes.len() - names.len()..];
        assert!(last.iter().map(|of| &of.name).eq(&names), "{file}");
    } else if let Some((range, mean)) = expected.split_once(" (") {
        check_range(table, column, range, mean.trim_end_matches(')'), file);
    } else {
        check_classes(table, column, expected, file);
    }
}

fn check_range(table: &Table, column: usize, range: &str, mean: &str, file: &str) {
    let numbers = table.attribute(column).column.numbers().unwrap();
    let (least, most) = range.split_once(" .. ").unwrap();
    let all = numbers.iter().copied();
    // The README gives six digits.
    let alike = |found: f64, said: &str| {
        let said: f64 = said.parse().unwrap();
        assert!(
            (found - said).abs() <= 5e-6 * said.abs(),
            "{file}: {found}, the README says {said}"
        );
    };
    alike(all.clone().fold(f64::INFINITY, f64::min), least);
    alike(all.clone().fold(f64::NEG_INFINITY, f64::max), most);
    let found = all.sum::<f64>() / numbers.len() as f64;
    assert_eq!(format!("{found:.4}"), mean, "{file}");
}

/// How often each value of a column occurs; of a set, each element.
fn counts(table: &Table, column: usize) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for row in 0..table.rows() {
        let values = match table.attribute(column).column.value(row) {
            Value::Missing => Vec::new(),
            Value::Set(elements) => elements,
            value => vec![value],
        };
        for value in values {
            *counts.entry(value.to_string()).or_insert(0) += 1;
        }
    }
    counts
}

/// `a 2, b 1`, or `26 classes, largest U 813`, or `336 values`, or `53 paths, 3.05 a row`.
fn check_classes(table: &Table, column: usize, expected: &str, place: &str) {
    let counts = counts(table, column);
    if let Some((classes, largest)) = expected.split_once(" classes, largest ") {
        assert_eq!(counts.len().to_string(), classes, "{place}");
        let (label, count) = largest.rsplit_once(' ').unwrap();
        assert_eq!(counts[label].to_string(), count, "{place}");
        assert_eq!(counts.values().max(), counts.get(label), "{place}");
    } else if let Some(values) = expected.strip_suffix(" values") {
        assert_eq!(counts.len().to_string(), values, "{place}");
    } else if let Some((paths, rest)) = expected.split_once(" paths, ") {
        assert_eq!(counts.len().to_string(), paths, "{place}");
        let each = counts.values().sum::<usize>() as f64 / table.rows() as f64;
        assert_eq!(format!("{each:.2} a row"), rest, "{place}");
    } else {
        let pair = |pair: &str| {
            let (label, count) = pair.rsplit_once(' ').unwrap();
            (label.to_owned(), count.parse().unwrap())
        };
        let expected: BTreeMap<String, usize> = expected.split(", ").map(pair).collect();
        assert_eq!(counts, expected, "{place}");
    }
}

fn check_database(data: &Data, path: &str, tables: &[(&str, usize)], keys: (usize, usize)) {
    for (table, rows) in tables {
        assert_eq!(named(data, table).rows(), *rows, "{path}: {table}");
    }
    let database = data.database();
    let primary = database
        .tables()
        .iter()
        .filter(|table| table.key().is_some());
    assert_eq!(
        (primary.count(), database.foreign_keys().len()),
        keys,
        "{path}: keys"
    );
    let missing = |table: &Table| -> usize {
        let columns = table.attributes().iter();
        columns.map(|of| of.column.missing()).sum()
    };
    if path == "biodegradability" {
        assert_eq!(database.tables().iter().map(missing).sum::<usize>(), 0);
    }
}

fn check_facts(data: &Data, path: &str, predicate: &str, facts: usize, positive: Option<usize>) {
    let tables = data.database().tables();
    let about = |table: &&Table| predicate.is_empty() || table.name() == predicate;
    let found: usize = tables.iter().filter(about).map(Table::rows).sum();
    assert_eq!(found, facts, "{path}: {predicate}");
    if let Some(positive) = positive {
        let table = named(data, predicate);
        let class = counts(table, table.attributes().len() - 1);
        assert_eq!(class.get("true").copied().unwrap_or(0), positive, "{path}");
    }
}

fn check_bags(data: &Data, bags: Bags) {
    let (file, count, instances, features, by_bag, by_instance, sizes) = bags;
    let database = data.database();
    let (bag, instance) = (database.table(0), database.table(1));
    assert_eq!((bag.rows(), instance.rows()), (count, instances), "{file}");
    let numeric = |table: &Table| {
        let columns = table.attributes().iter();
        columns.filter(|of| of.column.numbers().is_some()).count()
    };
    // The class is one value a bag, so that it is the bag's; it may be a number or a label.
    let class = bag.attributes().len() - 1;
    let labelled = usize::from(bag.attribute(class).column.numbers().is_some());
    assert_eq!(
        numeric(instance) + numeric(bag) - labelled,
        features,
        "{file}"
    );
    let classes = counts(bag, class);
    assert_eq!([classes["0"], classes["1"]], by_bag, "{file}");
    let key = &database.foreign_keys()[0];
    let mut sized: BTreeMap<String, usize> = BTreeMap::new();
    for row in 0..instance.rows() {
        let value = instance.attribute(key.from_columns[0]).column.value(row);
        *sized.entry(value.to_string()).or_insert(0) += 1;
    }
    assert_eq!(sized.values().min(), Some(&sizes[0]), "{file}");
    assert_eq!(sized.values().max(), Some(&sizes[1]), "{file}");
    let mut instances = [0, 0];
    for row in 0..bag.rows() {
        let name = bag
            .attribute(key.to_columns[0])
            .column
            .value(row)
            .to_string();
        let label = bag.attribute(class).column.value(row).to_string();
        instances[usize::from(label == "1")] += sized[&name];
    }
    assert_eq!(instances, by_instance, "{file}");
}
