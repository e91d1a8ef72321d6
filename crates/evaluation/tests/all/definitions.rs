//! Measures of quality beside their formulas, written out in loops over all rows, on random truths,
//! predictions and weights, some rows without a truth and some that weigh nothing.

use kinwood_evaluation::measures::{class, labels, number};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

type Score = Result<Option<f64>, kinwood_evaluation::Error>;

fn agree(name: &str, found: Score, expected: Option<f64>) -> Result<(), TestCaseError> {
    let found = found.unwrap();
    let same = match (found, expected) {
        (Some(found), Some(expected)) => (found - expected).abs() <= 1e-9 * (1.0 + expected.abs()),
        (found, expected) => found == expected,
    };
    prop_assert!(same, "{name}: {found:?}, by its formula {expected:?}");
    Ok(())
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The quotient of two sums over rows; none where nothing weighs.
fn quotient(above: f64, below: f64) -> Option<f64> {
    (below > 0.0).then(|| above / below)
}

fn one_if(condition: bool) -> f64 {
    f64::from(u8::from(condition))
}

fn some_weight() -> impl Strategy<Value = f64> {
    select(vec![0.0, 0.5, 1.0, 1.0, 3.0])
}

const CLASSES: usize = 3;

/// The truth, the predicted class, its probabilities, the weight.
type ClassRow = (Option<u32>, u32, [f64; CLASSES], f64);

fn class_rows() -> impl Strategy<Value = Vec<ClassRow>> {
    // Coarse probabilities: ties are where ranks go wrong.
    let parts = [0u32..4, 0..4, 1..4];
    let row = (
        prop::option::weighted(0.9, 0..CLASSES as u32),
        0..CLASSES as u32,
        parts,
        some_weight(),
    );
    let row = row.prop_map(|(truth, predicted, parts, weight)| {
        let sum: u32 = parts.iter().sum();
        let probabilities = parts.map(|part| f64::from(part) / f64::from(sum));
        (truth, predicted, probabilities, weight)
    });
    vec(row, 0..14)
}

/// The mean over pairs of classes of the area under the curve of each, by all pairs of rows.
fn area(rows: &[ClassRow]) -> Option<f64> {
    let of = |class: usize, other: usize| -> Option<f64> {
        let (mut right, mut all) = (0.0, 0.0);
        for one in rows.iter().filter(|row| row.0 == Some(class as u32)) {
            for two in rows.iter().filter(|row| row.0 == Some(other as u32)) {
                let (own, its) = (one.2[class], two.2[class]);
                right += one.3 * two.3 * (one_if(own > its) + 0.5 * one_if(own == its));
                all += one.3 * two.3;
            }
        }
        quotient(right, all)
    };
    let mut pairs = Vec::new();
    for class in 0..CLASSES {
        for other in class + 1..CLASSES {
            if let (Some(forth), Some(back)) = (of(class, other), of(other, class)) {
                pairs.push((forth + back) / 2.0);
            }
        }
    }
    mean(&pairs)
}

fn calibration(rows: &[ClassRow]) -> Option<f64> {
    let all: f64 = rows.iter().map(|row| row.3).sum();
    let mut apart = 0.0;
    for bin in 0..10 {
        let (low, high) = (f64::from(bin) / 10.0, f64::from(bin + 1) / 10.0);
        let confidence = |row: &&ClassRow| row.2[row.1 as usize];
        let own: Vec<&ClassRow> = rows
            .iter()
            .filter(|row| {
                let p = confidence(row);
                p > low && p <= high || bin == 0 && p == 0.0
            })
            .collect();
        let weight: f64 = own.iter().map(|row| row.3).sum();
        if weight > 0.0 {
            let sum = |of: &dyn Fn(&&ClassRow) -> f64| -> f64 {
                own.iter().map(|row| row.3 * of(row)).sum()
            };
            let right = sum(&|row| one_if(row.0 == Some(row.1)));
            apart += (right - sum(&confidence)).abs();
        }
    }
    quotient(apart, all)
}

const LABELS: usize = 4;

/// The true set, the shares said, the weight.
type LabelRow = (Option<Vec<u32>>, [f64; LABELS], f64);

fn label_rows() -> impl Strategy<Value = Vec<LabelRow>> {
    let share = || (0u32..5).prop_map(|quarter| f64::from(quarter) / 4.0);
    let shares = [share(), share(), share(), share()];
    let set = prop::collection::btree_set(0..LABELS as u32, 0..=LABELS);
    let set = set.prop_map(|set| set.into_iter().collect::<Vec<u32>>());
    vec(
        (prop::option::weighted(0.9, set), shares, some_weight()),
        0..12,
    )
}

kinwood_testing::soak! { 256;
    fn soak_measures_of_classes_are_their_formulas(rows in class_rows()) {
        let truth: Vec<Option<u32>> = rows.iter().map(|row| row.0).collect();
        let predicted: Vec<u32> = rows.iter().map(|row| row.1).collect();
        let probabilities: Vec<f64> = rows.iter().flat_map(|row| row.2).collect();
        let weights: Vec<f64> = rows.iter().map(|row| row.3).collect();
        let weights = Some(&weights[..]);
        let counted: Vec<ClassRow> = rows.iter().filter(|row| row.0.is_some() && row.3 > 0.0).copied().collect();
        let sum = |of: &dyn Fn(&ClassRow) -> f64| -> f64 { counted.iter().map(|row| row.3 * of(row)).sum() };
        let all = sum(&|_| 1.0);
        let right = |row: &ClassRow| one_if(row.0 == Some(row.1));
        agree("accuracy", class::accuracy(&truth, &predicted, weights), quotient(sum(&right), all))?;
        let is = |row: &ClassRow, class: u32| one_if(row.0 == Some(class));
        let said = |row: &ClassRow, class: u32| one_if(row.1 == class);
        let each = 0..CLASSES as u32;
        let recalls: Vec<f64> = each.clone().filter_map(|class| {
            quotient(sum(&|row| is(row, class) * said(row, class)), sum(&|row| is(row, class)))
        }).collect();
        agree("balanced accuracy", class::balanced_accuracy(&truth, &predicted, CLASSES, weights), mean(&recalls))?;
        let harmonic: Vec<f64> = each.filter_map(|class| {
            let both = 2.0 * sum(&|row| is(row, class) * said(row, class));
            quotient(both, sum(&|row| is(row, class)) + sum(&|row| said(row, class)))
        }).collect();
        agree("F1", class::f1(&truth, &predicted, CLASSES, weights), mean(&harmonic))?;
        agree("AUC", class::auc(&truth, &probabilities, CLASSES, weights), area(&counted))?;
        let squares = |row: &ClassRow| -> f64 {
            (0..CLASSES).map(|class| (row.2[class] - is(row, class as u32)).powi(2)).sum()
        };
        agree("Brier", class::brier(&truth, &probabilities, CLASSES, weights), quotient(sum(&squares), all))?;
        let loss = |row: &ClassRow| -row.2[row.0.unwrap() as usize].max(1e-15).ln();
        agree("log loss", class::log_loss(&truth, &probabilities, CLASSES, weights), quotient(sum(&loss), all))?;
        let found = class::calibration_error(&truth, &predicted, &probabilities, CLASSES, weights);
        agree("calibration", found, calibration(&counted))?;
    }

    fn soak_measures_of_numbers_are_their_formulas(
        rows in vec((prop::option::weighted(0.9, -6i32..7), -6i32..7, some_weight()), 0..14)
    ) {
        let truth: Vec<Option<f64>> = rows.iter().map(|row| row.0.map(f64::from)).collect();
        let predicted: Vec<f64> = rows.iter().map(|row| f64::from(row.1) / 2.0).collect();
        let weights: Vec<f64> = rows.iter().map(|row| row.2).collect();
        let weights = Some(&weights[..]);
        let counted: Vec<(f64, f64, f64)> = rows.iter()
            .filter(|row| row.2 > 0.0)
            .filter_map(|row| Some((f64::from(row.0?), f64::from(row.1) / 2.0, row.2)))
            .collect();
        type Row = (f64, f64, f64);
        let sum = |of: &dyn Fn(&Row) -> f64| -> f64 { counted.iter().map(|row| row.2 * of(row)).sum() };
        let all = sum(&|_| 1.0);
        let errors = sum(&|row| (row.0 - row.1).powi(2));
        agree("RMSE", number::rmse(&truth, &predicted, weights), quotient(errors, all).map(f64::sqrt))?;
        agree("MAE", number::mae(&truth, &predicted, weights), quotient(sum(&|row| (row.0 - row.1).abs()), all))?;
        let centre = sum(&|row| row.0) / all;
        let spread = sum(&|row| (row.0 - centre).powi(2));
        // Small whole numbers: what is not constant has a spread that rounding does not hide.
        let relative = (spread > 1e-9).then(|| (errors / spread).sqrt());
        agree("relative RMSE", number::relative_rmse(&truth, &predicted, weights), relative)?;
        agree("R2", number::r2(&truth, &predicted, weights), relative.map(|relative| 1.0 - relative * relative))?;
        let correlated = |pairs: &[Row]| {
            let sum = |of: &dyn Fn(&Row) -> f64| -> f64 { pairs.iter().map(|row| row.2 * of(row)).sum() };
            let (x, y) = (sum(&|row| row.0) / all, sum(&|row| row.1) / all);
            let product = sum(&|row| (row.0 - x) * (row.1 - y));
            let squares = sum(&|row| (row.0 - x).powi(2)) * sum(&|row| (row.1 - y).powi(2));
            (squares > 1e-9).then(|| product / squares.sqrt())
        };
        agree("correlation", number::correlation(&truth, &predicted, weights), correlated(&counted))?;
        // The rank of a value: the weight below it, and half of that of its equals.
        let rank = |of: &dyn Fn(&Row) -> f64, own: f64| -> f64 {
            sum(&|row| one_if(of(row) < own) + 0.5 * one_if(of(row) == own))
        };
        let ranks: Vec<Row> = counted.iter()
            .map(|row| (rank(&|row| row.0, row.0), rank(&|row| row.1, row.1), row.2))
            .collect();
        agree("Spearman", number::spearman(&truth, &predicted, weights), correlated(&ranks))?;
    }

    fn soak_measures_of_labels_are_their_formulas(rows in label_rows()) {
        let truth: Vec<Option<Vec<u32>>> = rows.iter().map(|row| row.0.clone()).collect();
        let shares: Vec<f64> = rows.iter().flat_map(|row| row.1).collect();
        let weights: Vec<f64> = rows.iter().map(|row| row.2).collect();
        let weights = Some(&weights[..]);
        let counted: Vec<&LabelRow> = rows.iter().filter(|row| row.0.is_some() && row.2 > 0.0).collect();
        let sum = |of: &dyn Fn(&LabelRow) -> f64| -> f64 { counted.iter().map(|row| row.2 * of(row)).sum() };
        let all = sum(&|_| 1.0);
        let is = |row: &LabelRow, label: usize| row.0.as_ref().is_some_and(|set| set.contains(&(label as u32)));
        let said = |row: &LabelRow, label: usize| row.1[label] >= 0.5;
        let wrong = |row: &LabelRow| (0..LABELS).filter(|&label| is(row, label) != said(row, label)).count() as f64;
        agree("Hamming", labels::hamming_loss(&truth, &shares, LABELS, weights), quotient(sum(&wrong) / LABELS as f64, all))?;
        agree("subsets", labels::subset_accuracy(&truth, &shares, LABELS, weights), quotient(sum(&|row| one_if(wrong(row) == 0.0)), all))?;
        let both = |label: usize| 2.0 * sum(&|row| one_if(is(row, label) && said(row, label)));
        let either = |label: usize| sum(&|row| one_if(is(row, label)) + one_if(said(row, label)));
        let micro = quotient((0..LABELS).map(both).sum(), (0..LABELS).map(either).sum());
        agree("micro F1", labels::micro_f1(&truth, &shares, LABELS, weights), micro)?;
        let each: Vec<f64> = (0..LABELS).filter_map(|label| quotient(both(label), either(label))).collect();
        agree("macro F1", labels::macro_f1(&truth, &shares, LABELS, weights), mean(&each))?;
        let loss = |row: &LabelRow| {
            let (mut wrong, mut pairs) = (0.0, 0.0);
            for a in (0..LABELS).filter(|&a| is(row, a)) {
                for b in (0..LABELS).filter(|&b| !is(row, b)) {
                    wrong += one_if(row.1[a] <= row.1[b]);
                    pairs += 1.0;
                }
            }
            quotient(wrong, pairs).unwrap_or(0.0)
        };
        agree("ranking loss", labels::ranking_loss(&truth, &shares, LABELS, weights), quotient(sum(&loss), all))?;
    }
}
