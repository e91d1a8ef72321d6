//! Matrices that are no inner products, and such that were computed before.

use kinwood_machines::spectrum::Correction;
use kinwood_machines::{Limits, solve};
use kinwood_values::View;
use kinwood_values::container::Stored;

use super::{answers, fitted, points};
use crate::gamma::Gamma;
use crate::kernel::Declared;
use crate::objects::Objects;
use crate::source::Source;
use crate::space::Space;
use crate::{RIDGE, SVM};
use kinwood_learning::context::Context;
use kinwood_learning::task::Task;
use kinwood_learning::testing::bytes;

/// Eight points with classes.
fn eight() -> View {
    let coordinates: Vec<[f64; 2]> = (0..8)
        .map(|place| {
            let place = f64::from(place);
            [place * 0.7 - 2.0, (place * 2.3).sin() * 2.0]
        })
        .collect();
    let coordinates: Vec<&[f64]> = coordinates.iter().map(|point| &point[..]).collect();
    points(&coordinates, &["a", "b", "b", "a", "a", "b", "a", "b"])
}

/// A symmetric matrix of eight rows with eigenvalues of both signs.
fn indefinite(row: usize, column: usize) -> f64 {
    let (low, high) = (row.min(column) as f64, row.max(column) as f64);
    (low * 3.1 + high * 1.7).sin() + f64::from(u8::from(row == column)) * 0.2
}

/// The matrix as text with names.
fn csv(entry: impl Fn(usize, usize) -> f64) -> String {
    let mut text = String::from(",0,1,2,3,4,5,6,7\n");
    for row in 0..8 {
        let cells: Vec<String> = (0..8)
            .map(|column| entry(row, column).to_string())
            .collect();
        text += &format!("{row},{}\n", cells.join(","));
    }
    text
}

/// A file of a matrix, in a folder that goes away with it.
fn file(text: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.csv");
    std::fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

/// What a machine decides on its training objects: by the corrected matrix, and by what was folded
/// of it over raw kernel values; with the coefficients.
fn both_ways(
    view: &View,
    source: &Source,
    correction: Correction,
) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let task = Task::new(view, &[2]).unwrap();
    let context = Context::new();
    let rows = source.rows(task.view()).unwrap();
    let objects = Objects::distinct(&task, &rows).unwrap();
    let space = Space::new(source, &rows, &objects, correction, &context).unwrap();
    let positive: Vec<bool> = (0..8)
        .map(|row| task.targets()[0].class(row) == Some(0))
        .collect();
    let machine =
        solve::classify(space.matrix(), &positive, &[5.0; 8], &Limits::default()).unwrap();
    let (coefficients, bias) = space.fold(machine.coefficients.clone(), machine.bias);
    let bound = source.bind(&rows, &rows).unwrap();
    let mut row = vec![0.0; 8];
    let corrected = (0..8).map(|object| {
        space.matrix().fill(object, &mut row);
        machine.decide(&row)
    });
    let corrected = corrected.collect();
    let raw = (0..8).map(|object| {
        bound.fill(object, 0, &mut row);
        let products = row.iter().zip(&coefficients);
        products
            .map(|(value, coefficient)| value * coefficient)
            .sum::<f64>()
            + bias
    });
    (corrected, raw.collect(), machine.coefficients)
}

#[test]
fn folded_functions_are_those_of_corrected_rows() {
    let view = eight();
    let (_folder, path) = file(&csv(indefinite));
    let given = Source::file(&path, &view, &Context::new()).unwrap();
    let task = Task::new(&view, &[2]).unwrap();
    let kernel = "negative(euclidean(absolute))".parse().unwrap();
    let declared = Declared::new(kernel, 1, vec![Gamma::default()]).unwrap();
    let (prepared, rows) = declared.fit(task.view()).unwrap();
    let (negative, _) = prepared.kernels(&rows, &[0, 1]).unwrap().remove(0);
    let negative = Source::Rows(negative);
    assert!(negative.needs_centring() && !given.needs_centring());
    for source in [&given, &negative] {
        for correction in [Correction::AsIs, Correction::Clip, Correction::Flip] {
            let (corrected, raw, _) = both_ways(&view, source, correction);
            for (one, other) in corrected.iter().zip(raw) {
                assert!((one - other).abs() < 1e-9, "{correction:?}: {one} {other}");
            }
        }
    }
    // A shift makes an object more like itself, and nobody else: unseen rows have no self among the
    // training objects.
    let space = |correction| {
        let rows = given.rows(task.view()).unwrap();
        let objects = Objects::distinct(&task, &rows).unwrap();
        Space::new(&given, &rows, &objects, correction, &Context::new()).unwrap()
    };
    let shifted = space(Correction::Shift);
    let smallest = shifted.spectrum.smallest.unwrap();
    assert!(
        smallest < -0.1 && shifted.spectrum.negative > 0,
        "{smallest}"
    );
    let added = shifted.matrix().diagonal(3) - space(Correction::AsIs).matrix().diagonal(3);
    assert!((added + smallest).abs() < 1e-9);
    let (corrected, raw, coefficients) = both_ways(&view, &given, Correction::Shift);
    for ((one, other), coefficient) in corrected.iter().zip(raw).zip(coefficients) {
        assert!((one - (other + added * coefficient)).abs() < 1e-9);
    }
}

#[test]
fn a_given_matrix_is_as_good_as_its_kernel() {
    let view = eight();
    let coordinate =
        |row: usize, column: usize| view.table().attribute(column).column.number(row).unwrap();
    let product = |row: usize, column: usize| {
        coordinate(row, 0) * coordinate(column, 0) + coordinate(row, 1) * coordinate(column, 1)
    };
    let (_folder, path) = file(&csv(product));
    // Numbers alone are a matrix too.
    let plain: Vec<String> = (0..8)
        .map(|row| {
            (0..8)
                .map(|column| product(row, column).to_string())
                .collect::<Vec<_>>()
                .join(",")
        })
        .collect();
    let (_second, bare) = file(&plain.join("\n"));
    // Train on some rows and test on others of the same table, as an evaluation does.
    let train = view.select(&[0, 1, 2, 4, 5, 7]);
    let test = view.select(&[6, 3]);
    let tight = ("tolerance", "1e-9");
    let by_file = fitted(&SVM, &[("gram", &path), tight], &train, &[2]).unwrap();
    let bare = fitted(&SVM, &[("gram", &bare), tight], &train, &[2]).unwrap();
    assert_eq!(answers(&*bare, &test), answers(&*by_file, &test));
    let kernel = ("kernel", "linear(euclidean(absolute), origin='[0, 0]')");
    let by_kernel = fitted(&SVM, &[kernel, tight], &train, &[2]).unwrap();
    for (one, other) in answers(&*by_file, &test)
        .iter()
        .zip(answers(&*by_kernel, &test))
    {
        assert!((one - other).abs() < 1e-5, "{one} {other}");
    }
    assert!(by_file.explain(&test, 0, 3).unwrap().is_ok());
    // Read from its file, it knows the rows by their places alone.
    let loaded = (SVM.load)(&Stored::from_bytes(bytes(&*by_file)).unwrap()).unwrap();
    let refused = loaded
        .predict(&test, &Context::new())
        .err()
        .unwrap()
        .to_string();
    assert!(refused.contains("knows no kernel"), "{refused}");
    let other = by_file.predict(&eight(), &Context::new());
    assert!(other.err().unwrap().to_string().contains("knows no kernel"));
    assert!(fitted(&RIDGE, &[("gram", &path)], &view, &[0]).is_ok());
}

#[test]
fn a_matrix_that_does_not_fit_is_refused() {
    let view = eight();
    let message = |text: &str| {
        let (_folder, path) = file(text);
        let failed = fitted(&SVM, &[("gram", &path)], &view, &[2]);
        failed.err().unwrap().to_string()
    };
    assert!(message(",a\na,1\n").contains("8 of 8 expected"));
    let hole = |row, column| {
        if (row, column) == (2, 5) {
            f64::NAN
        } else {
            1.0
        }
    };
    assert!(message(&csv(hole)).contains("row 3, column 6 is NaN"));
    let lame = |row, column| if (row, column) == (2, 5) { 2.0 } else { 1.0 };
    assert!(message(&csv(lame)).contains("not symmetric: row 6, column 3"));
    let failed = fitted(&SVM, &[("gram", "nowhere.npy")], &view, &[2]);
    assert!(failed.err().unwrap().to_string().contains("`nowhere.npy`"));
    let failed = fitted(&SVM, &[("gram", "m.txt")], &view, &[2]);
    assert!(failed.err().unwrap().to_string().contains(".npy or .csv"));
}

#[test]
fn points_have_no_negative_eigenvalues_and_are_not_asked_for_them() {
    let view = eight();
    let told = |kernel| {
        let model = fitted(&SVM, &[("kernel", kernel)], &view, &[2]).unwrap();
        model.to_json()["report"]["spectrum"]["smallest"].as_f64()
    };
    assert_eq!(told("gaussian(euclidean)"), None);
    assert_eq!(told("negative(euclidean)"), None);
    // City blocks are no straight lines.
    assert!(told("polynomial(sum(absolute), gamma=1, p=3, origin='[0, 0]')").is_some());
}
