//! Public data sets in ARFF, counted by other means beforehand: `KINWOOD_DATA` names the folder
//! they are in.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use kinwood_formats::{Source, TableRead, arff};
use kinwood_values::{Attribute, Cells, Type};

/// What is known of a classification problem.
struct Classification {
    file: &'static str,
    rows: usize,
    nominal: usize,
    numeric: usize,
    missing: usize,
    /// How many classes occur, and how often: all of them, or the largest.
    classes: usize,
    counts: &'static [(&'static str, usize)],
}

const fn of(
    file: &'static str,
    rows: usize,
    nominal: usize,
    numeric: usize,
    missing: usize,
    classes: usize,
    counts: &'static [(&'static str, usize)],
) -> Classification {
    Classification {
        file,
        rows,
        nominal,
        numeric,
        missing,
        classes,
        counts,
    }
}

#[rustfmt::skip]
const CLASSIFICATION: [Classification; 39] = [
    of("autos.arff", 205, 11, 15, 59, 6, &[("0", 67), ("1", 54), ("2", 32), ("3", 27), ("-1", 22), ("-2", 3)]),
    of("balance.scale.arff", 625, 1, 4, 0, 3, &[("R", 288), ("L", 288), ("B", 49)]),
    of("breast.cancer.arff", 286, 10, 0, 9, 2, &[("no-recurrence-events", 201), ("recurrence-events", 85)]),
    of("breast.w.arff", 699, 1, 9, 16, 2, &[("benign", 458), ("malignant", 241)]),
    of("car.arff", 1728, 7, 0, 0, 4, &[("unacc", 1210), ("acc", 384), ("good", 69), ("vgood", 65)]),
    of("cmc.arff", 1473, 8, 2, 0, 3, &[("1", 629), ("3", 511), ("2", 333)]),
    of("colic.arff", 368, 16, 7, 1927, 2, &[("yes", 232), ("no", 136)]),
    of("colic.orig.arff", 368, 21, 7, 1927, 2, &[("2", 244), ("1", 124)]),
    of("credit.a.arff", 690, 10, 6, 67, 2, &[("-", 383), ("+", 307)]),
    of("dermatology.arff", 366, 34, 1, 8, 6, &[("1", 112), ("3", 72), ("2", 61), ("5", 52), ("4", 49), ("6", 20)]),
    of("diabetes.arff", 768, 1, 8, 0, 2, &[("tested_negative", 500), ("tested_positive", 268)]),
    of("ecoli.arff", 336, 1, 7, 0, 8, &[("cp", 143), ("im", 77), ("pp", 52), ("imU", 35), ("om", 20), ("omL", 5), ("imS", 2), ("imL", 2)]),
    of("glass.arff", 214, 1, 9, 0, 6, &[("build wind non-float", 76), ("build wind float", 70), ("headlamps", 29), ("vehic wind float", 17), ("containers", 13), ("tableware", 9)]),
    of("haberman.arff", 306, 2, 2, 0, 2, &[("1", 225), ("2", 81)]),
    of("heart.c.arff", 303, 8, 6, 7, 2, &[("<50", 165), (">50_1", 138)]),
    of("heart.h.arff", 294, 8, 6, 782, 2, &[("<50", 188), (">50_1", 106)]),
    of("heart.statlog.arff", 270, 1, 13, 0, 2, &[("absent", 150), ("present", 120)]),
    of("hepatitis.arff", 155, 14, 6, 167, 2, &[("LIVE", 123), ("DIE", 32)]),
    of("hypothyroid.arff", 3772, 23, 7, 6064, 4, &[("negative", 3481), ("compensated_hypothyroid", 194), ("primary_hypothyroid", 95), ("secondary_hypothyroid", 2)]),
    of("ionosphere.arff", 351, 1, 34, 0, 2, &[("g", 225), ("b", 126)]),
    of("iris.arff", 150, 1, 4, 0, 3, &[("Iris-setosa", 50), ("Iris-versicolor", 50), ("Iris-virginica", 50)]),
    of("kr.vs.kp.arff", 3196, 37, 0, 0, 2, &[("won", 1669), ("nowin", 1527)]),
    of("labor.arff", 57, 9, 8, 326, 2, &[("good", 37), ("bad", 20)]),
    of("letter.arff", 20000, 1, 16, 0, 26, &[("U", 813)]),
    of("lymph.arff", 148, 16, 3, 0, 4, &[("metastases", 81), ("malign_lymph", 61), ("fibrosis", 4), ("normal", 2)]),
    of("mushroom.arff", 8124, 23, 0, 2480, 2, &[("e", 4208), ("p", 3916)]),
    of("postoperative.patient.data.arff", 90, 9, 0, 3, 3, &[("A", 64), ("S", 24), ("I", 2)]),
    of("primary.tumor.arff", 339, 18, 0, 225, 21, &[("lung", 84)]),
    of("segment.arff", 2310, 1, 19, 0, 7, &[("path", 330), ("foliage", 330), ("sky", 330), ("grass", 330), ("brickface", 330), ("cement", 330), ("window", 330)]),
    of("sick.arff", 3772, 23, 7, 6064, 2, &[("negative", 3541), ("sick", 231)]),
    of("sonar.arff", 208, 1, 60, 0, 2, &[("Mine", 111), ("Rock", 97)]),
    of("soybean.arff", 683, 36, 0, 2337, 19, &[("brown-spot", 92)]),
    of("tic-tac-toe.arff", 958, 10, 0, 0, 2, &[("positive", 626), ("negative", 332)]),
    of("vehicle.arff", 846, 1, 18, 0, 4, &[("bus", 218), ("saab", 217), ("opel", 212), ("van", 199)]),
    of("vote.arff", 435, 17, 0, 392, 2, &[("democrat", 267), ("republican", 168)]),
    of("vowel.arff", 990, 4, 10, 0, 11, &[("hid", 90), ("hId", 90), ("hEd", 90), ("hAd", 90), ("hYd", 90), ("had", 90), ("hOd", 90), ("hod", 90), ("hUd", 90), ("hud", 90), ("hed", 90)]),
    of("waveform5000.arff", 5000, 1, 40, 0, 3, &[("0", 1692), ("2", 1655), ("1", 1653)]),
    of("wine.arff", 178, 1, 13, 0, 3, &[("2", 71), ("1", 59), ("3", 48)]),
    of("zoo.arff", 101, 17, 1, 0, 7, &[("mammal", 41), ("bird", 20), ("fish", 13), ("invertebrate", 10), ("insect", 8), ("reptile", 5), ("amphibian", 4)]),
];

/// File, rows, nominal and numeric columns, target, and its least, greatest and mean value.
type Regression = (&'static str, usize, usize, usize, &'static str, [f64; 3]);

#[rustfmt::skip]
const REGRESSION: [Regression; 8] = [
    ("autoprice.arff", 159, 0, 16, "class", [5118.0, 35056.0, 11445.7296]),
    ("bodyfat.arff", 252, 0, 15, "class", [0.0, 47.5, 19.1508]),
    ("cpu.arff", 209, 1, 7, "class", [15.0, 1238.0, 99.3301]),
    ("housing.arff", 506, 1, 13, "class", [5.0, 50.0, 22.5328]),
    ("machine.cpu.arff", 209, 0, 7, "class", [6.0, 1150.0, 105.622]),
    ("pollution.arff", 60, 0, 16, "MORT", [790.733, 1113.16, 940.3584]),
    ("pyrim.arff", 74, 0, 28, "activity", [0.1, 0.9, 0.6593]),
    ("servo.arff", 167, 4, 1, "class", [0.13125, 7.10011, 1.3897]),
];

/// File, rows, inputs, targets.
#[rustfmt::skip]
const MULTI_TARGET: [(&str, usize, usize, &[&str]); 9] = [
    ("andro.arff", 49, 30, &["Target", "Target_2", "Target_3", "Target_4", "Target_5", "Target_6"]),
    ("edm.arff", 154, 16, &["DFlow", "DGap"]),
    ("enb.arff", 768, 8, &["Y1", "Y2"]),
    ("jura.arff", 359, 15, &["Cd", "Co", "Cu"]),
    ("scpf.arff", 1137, 23, &["num_views", "num_votes", "num_comments"]),
    ("sf1.arff", 323, 10, &["c-class", "m-class", "x-class"]),
    ("sf2.arff", 1066, 10, &["c-class", "m-class", "x-class"]),
    ("slump.arff", 103, 7, &["SLUMP_cm", "FLOW_cm", "Compressive_Strength_Mpa"]),
    ("wq.arff", 1060, 16, &["25400", "29600", "30400", "33400", "17300", "19400", "34500", "38100", "49700", "50390", "55800", "57500", "59300", "37880"]),
];

/// The folder of public data, or a word on why nothing is tested.
#[expect(clippy::print_stdout, reason = "a skipped test says so")]
fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("KINWOOD_DATA").map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: KINWOOD_DATA names no folder of public data");
    }
    folder
}

fn read(path: &Path) -> TableRead {
    let source = Source::open(path).expect("the file is there");
    arff::read(&source).unwrap_or_else(|error| panic!("{error}"))
}

fn count(read: &TableRead, of: &Type) -> usize {
    let attributes = read.table.attributes().iter();
    attributes
        .filter(|attribute| attribute.type_of() == *of)
        .count()
}

/// How often each label occurs, those that do not occur left out.
fn label_counts(attribute: &Attribute) -> Vec<(String, usize)> {
    let (codes, dictionary) = attribute.column.codes().expect("a nominal column");
    let mut counts = vec![0; dictionary.len()];
    for (row, &code) in codes.iter().enumerate() {
        counts[code as usize] += usize::from(attribute.column.is_present(row));
    }
    let labels = dictionary.labels().map(str::to_owned).zip(counts);
    labels.filter(|(_, count)| *count > 0).collect()
}

#[test]
fn classification_problems_have_their_published_counts() {
    let Some(folder) = folder() else { return };
    for known in &CLASSIFICATION {
        let file = known.file;
        let read = read(&folder.join("uci").join(file));
        assert_eq!(read.table.name(), file.trim_end_matches(".arff"));
        assert_eq!(read.table.rows(), known.rows, "{file}");
        assert_eq!(count(&read, &Type::Nominal), known.nominal, "{file}");
        assert_eq!(count(&read, &Type::Numeric), known.numeric, "{file}");
        assert_eq!(missing(&read), known.missing, "{file}");
        let last = read.table.attributes().len() - 1;
        let class = match file {
            "wine.arff" => 0,
            _ => {
                assert_eq!(read.customary_target, Some(last), "{file}");
                last
            }
        };
        let counts = label_counts(read.table.attribute(class));
        assert_eq!(counts.len(), known.classes, "{file}");
        for &(label, expected) in known.counts {
            assert!(
                counts.contains(&(label.to_owned(), expected)),
                "{file}: {label} {expected} in {counts:?}"
            );
            if known.counts.len() == 1 {
                assert_eq!(counts.iter().map(|(_, count)| *count).max(), Some(expected));
            }
        }
    }
}

fn missing(read: &TableRead) -> usize {
    let attributes = read.table.attributes().iter();
    attributes.map(|attribute| attribute.column.missing()).sum()
}

#[test]
fn regression_problems_have_their_published_ranges() {
    let Some(folder) = folder() else { return };
    for (file, rows, nominal, numeric, target, [least, greatest, mean]) in REGRESSION {
        let read = read(&folder.join("regression").join(file));
        assert_eq!(read.table.rows(), rows, "{file}");
        assert_eq!(count(&read, &Type::Nominal), nominal, "{file}");
        assert_eq!(count(&read, &Type::Numeric), numeric, "{file}");
        assert_eq!(read.customary_target, None, "{file}");
        let last = read.table.attributes().last().unwrap();
        assert_eq!(last.name, target, "{file}");
        let numbers = last.column.numbers().unwrap();
        let found = [
            numbers.iter().copied().fold(f64::INFINITY, f64::min),
            numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            numbers.iter().sum::<f64>() / numbers.len() as f64,
        ];
        for (found, expected) in found.into_iter().zip([least, greatest, mean]) {
            assert!(
                (found - expected).abs() <= 5e-5_f64.max(5e-6 * expected),
                "{file}: {found} {expected}"
            );
        }
    }
}

#[test]
fn problems_of_several_targets_have_their_published_columns() {
    let Some(folder) = folder() else { return };
    for (file, rows, inputs, targets) in MULTI_TARGET {
        let read = read(&folder.join("multi_target").join(file));
        assert_eq!(read.table.rows(), rows, "{file}");
        let names: Vec<&str> = read
            .table
            .attributes()
            .iter()
            .map(|attribute| attribute.name.as_str())
            .collect();
        assert_eq!(&names[inputs..], targets, "{file}");
    }
    for (file, nominal) in [("weather.nominal.arff", 5), ("weather.numeric.arff", 3)] {
        let read = read(&folder.join("multi_target").join(file));
        assert_eq!(read.table.rows(), 14, "{file}");
        assert_eq!(count(&read, &Type::Nominal), nominal, "{file}");
        let play = label_counts(read.table.attribute(4));
        assert_eq!(
            play,
            [("yes".to_owned(), 9), ("no".to_owned(), 5)],
            "{file}"
        );
    }
}

#[test]
fn the_enron_hierarchy_has_its_published_classes() {
    let Some(folder) = folder() else { return };
    let read = read(&folder.join("hierarchical/clus_testTreeHMLC-RealWorld.arff"));
    assert_eq!(read.table.rows(), 660);
    assert_eq!(count(&read, &Type::Numeric), 1001);
    let class = read.table.attributes().last().unwrap();
    assert_eq!(class.hierarchy, Some('/'));
    let Cells::Collection { members, .. } = class.column.cells() else {
        panic!("a set of classes")
    };
    let (codes, dictionary) = members.child.codes().unwrap();
    assert_eq!(dictionary.len(), 56);
    assert_eq!(codes.iter().collect::<BTreeSet<_>>().len(), 53);
    let a_row = codes.len() as f64 / 660.0;
    assert!((a_row - 3.05).abs() < 0.005, "{a_row}");
}

/// Every file of the tables above is there and is read; a folder may hold others.
#[test]
fn every_known_file_is_read() {
    let Some(folder) = folder() else { return };
    let known: BTreeSet<String> = CLASSIFICATION
        .iter()
        .map(|known| known.file)
        .chain(REGRESSION.iter().map(|known| known.0))
        .chain(MULTI_TARGET.iter().map(|known| known.0))
        .chain([
            "weather.nominal.arff",
            "weather.numeric.arff",
            "clus_testTreeHMLC-RealWorld.arff",
        ])
        .map(str::to_owned)
        .collect();
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(&folder).unwrap() {
        let inner = entry.unwrap().path();
        for file in inner.read_dir().into_iter().flatten() {
            let path = file.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if known.contains(&name) {
                let table = read(&path);
                assert!(table.table.rows() > 0 && table.notices.is_empty());
                assert_eq!(table.evidence.len(), table.table.attributes().len());
                found.insert(name);
            }
        }
    }
    assert_eq!(found, known);
}
