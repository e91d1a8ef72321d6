//! Numbers recorded from scikit-survival, and small cases by hand.

use kinwood_learning::target::TargetKind;

use super::*;
use crate::true_values::TrueValues;

/// Made rows: time, whether the event happened, a risk with ties, and the rate of an exponential
/// curve that is predicted.
const ROWS: &str = include_str!("recorded.csv");
/// What scikit-survival 0.28.0 says of them: `concordance_index_censored` of the risks, and
/// `integrated_brier_score` of the curves at the times of events before the last time, the rows
/// themselves being its training rows.
const RECORDED: (f64, f64) = (0.4431818181818182, 0.25216612877802363);

fn rows() -> Vec<[f64; 4]> {
    let rows = ROWS.lines().skip(1).map(|line| {
        let mut cells = line.split(',').map(|cell| cell.parse().unwrap());
        [(); 4].map(|()| cells.next().unwrap())
    });
    rows.collect()
}

#[test]
fn concordance_is_as_scikit_survival_has_it() {
    let rows = rows();
    let column = |place: usize| -> Vec<f64> { rows.iter().map(|row| row[place]).collect() };
    let events: Vec<bool> = rows.iter().map(|row| row[1] > 0.0).collect();
    let ones = vec![1.0; rows.len()];
    let found = concordance(&column(0), &events, &column(2), &ones).unwrap();
    assert!((found - RECORDED.0).abs() < 1e-9, "{found}");
}

#[test]
fn the_integrated_brier_score_is_as_scikit_survival_has_it() {
    let rows = rows();
    let times = rows.iter().map(|row| (row[0], row[1] > 0.0));
    let kind = CensoredTime::new(times).unwrap();
    let curve = |row: &[f64; 4]| -> Vec<f64> {
        kind.times()
            .iter()
            .map(|time| (-row[3] * time).exp())
            .collect()
    };
    let predicted: Vec<Vec<f64>> = rows.iter().map(curve).collect();
    let truth = rows.iter().map(|row| Some([row[0], row[1]]));
    let truth = TrueValues::new(TargetKind::new(kind), truth);
    let answers = KindAnswers {
        truth: &truth,
        predicted: &predicted,
    };
    let answers = crate::measures::Answers::Of(answers);
    let found = INTEGRATED_BRIER.of(&answers, None).unwrap().unwrap();
    assert!((found - RECORDED.1).abs() < 1e-9, "{found}");
    // Weights of 2 equal rows that stand twice.
    let twice = vec![2.0; rows.len()];
    let again = INTEGRATED_BRIER
        .of(&answers, Some(&twice))
        .unwrap()
        .unwrap();
    assert!((again - found).abs() < 1e-12);
    let of_risk = CONCORDANCE.of(&answers, None).unwrap().unwrap();
    assert!((0.0..=1.0).contains(&of_risk));
}

#[test]
fn only_pairs_whose_order_is_known_count() {
    let ones = [1.0; 3];
    // The second is censored before the third: nobody knows who came first.
    let events = [true, false, true];
    let found = concordance(&[1.0, 2.0, 3.0], &events, &[3.0, 0.0, 1.0], &ones);
    assert_eq!(found, Some(1.0));
    let found = concordance(&[1.0, 2.0, 3.0], &events, &[1.0, 1.0, 2.0], &ones);
    assert_eq!(found, Some(0.25));
    let none = concordance(&[1.0, 2.0], &[false, false], &[1.0, 2.0], &ones[..2]);
    assert_eq!(none, None);
}
